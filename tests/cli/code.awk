# SPDX-License-Identifier: GPL-2.0-or-later
#
# C without what is no code: comments go, strings and characters become empty ones, lines keep their
# numbers. Output: FILE:LINE:CODE. (#include "..." keeps its name.)

FNR == 1 { in_comment = 0 }

/^[ \t]*#[ \t]*include/ { if (!in_comment) { print FILENAME ":" FNR ":" $0; next } }

{
	out = ""
	rest = $0
	while (rest != "") {
		if (in_comment) {
			end = index(rest, "*/")
			if (!end) break
			rest = substr(rest, end + 2)
			in_comment = 0
		} else if (match(rest, /^"(\\.|[^"\\])*"/)) {
			out = out "\"\""
			rest = substr(rest, RLENGTH + 1)
		} else if (match(rest, /^'(\\.|[^'\\])+'/)) {
			out = out "''"
			rest = substr(rest, RLENGTH + 1)
		} else if (substr(rest, 1, 2) == "//") {
			break
		} else if (substr(rest, 1, 2) == "/*") {
			in_comment = 1
			rest = substr(rest, 3)
		} else {
			out = out substr(rest, 1, 1)
			rest = substr(rest, 2)
		}
	}
	print FILENAME ":" FNR ":" out
}
