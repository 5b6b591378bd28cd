# SPDX-License-Identifier: GPL-2.0-or-later
#
# lru_gen or lru_gen_full in a form that needs no parser. Tab-separated, the path last since it may hold tabs:
#   FILE row NODE SEQ AGE ANON FILE ID PATH     sizes with their marks, as they stand
#   FILE tier NODE SEQ TIER A A A F F F
#   FILE walk NODE SEQ N N N N [N N]
# What a line is, its indentation says: the kernel's formats are " %10lu", 12 blanks and "%10d", 22 blanks and " %10lu".

BEGIN { OFS = "\t" }

/^memcg / {
	id = $2
	path = $0
	sub(/^memcg +[0-9]+ /, "", path)
	next
}
/^ node / { node = $2; next }
/^                      / && !/^                     [0-9]/ { $1 = $1; print FILENAME, "walk", node, seq, $0; next }
/^                     [0-9]/ { $1 = $1; print FILENAME, "tier", node, seq, $0; next }
{ seq = $1; print FILENAME, "row", node, seq, $2, $3, $4, id, path }
