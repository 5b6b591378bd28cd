# SPDX-License-Identifier: GPL-2.0-or-later
#
# README and docs/: the screens that they show are those of tests/screens, the files that they name are there, the README
# knows every command.

bad=0
fail() {
	echo "$*"
	bad=1
}

docs/screens -c || bad=1

# A path in backquotes or as a link's end. (With a star or an upper-case NAME it stands for several.)
for file in README.md docs/HACKING.md docs/how-reclaim-works.md; do
	grep -o -E '`(collectors|data|docs|include|model|tests|ui)/[A-Za-z0-9_./-]*`|\]\([A-Za-z][A-Za-z0-9_./-]*\)' "$file" |
		sed 's/^`//; s/`$//; s/^](//; s/)$//' | sort -u | while read -r name; do
		case $name in *NAME* | *//*) continue ;; esac
		[ -e "$name" ] || [ -e "${file%/*}/$name" ] || echo "$file names $name, which is not there"
	done
	grep -o -E '`reclaimtop/[a-z_]*\.h`' "$file" | tr -d '`' | sort -u | while read -r name; do
		[ -e "include/$name" ] || echo "$file names $name, which is not there"
	done
done >"$TMPDIR/missing"
[ -s "$TMPDIR/missing" ] && fail "$(cat "$TMPDIR/missing")"

"$RECLAIMTOP" --help | sed -n 's/^  reclaimtop \([a-z][a-z]*\).*/\1/p' | sort -u >"$TMPDIR/commands"
[ -s "$TMPDIR/commands" ] || fail '--help lists no command'
while read -r name; do
	grep -q "^| .reclaimtop $name" README.md || fail "README.md does not know the command $name"
done <"$TMPDIR/commands"
exit $bad
