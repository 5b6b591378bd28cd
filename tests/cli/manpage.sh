# SPDX-License-Identifier: GPL-2.0-or-later
#
# The man page names every option and command of --help and every exit status, and mandoc finds nothing to say about it.
# (What it says of views, keys and numbers is checked against their tables by manpage_test.)

page=docs/reclaimtop.1
bad=0
fail() {
	echo "$*"
	bad=1
}

# As one reads it: "-" for an escaped one, one blank between words.
tr -s ' \t' '  ' <"$page" | sed 's/\\-/-/g' >"$TMPDIR/page"

"$RECLAIMTOP" --help >"$TMPDIR/help" || fail "--help: exit $?"

# ---- options: an item each, under its long name and its letter ----
sed -n 's/^  *\(-[^ ,]*, \)\{0,1\}--\([a-z-]*\).*/\2/p' "$TMPDIR/help" | sort -u >"$TMPDIR/options"
[ "$(wc -l <"$TMPDIR/options")" -gt 10 ] || fail "--help lists hardly an option"
while read -r name; do
	grep -q -E -e "^\.It (Fl [a-zA-Z] , )?Fl -$name( |\$)" "$TMPDIR/page" || fail "no option --$name"
done <"$TMPDIR/options"
sed -n 's/^  *-\([^ ,]\), --\([a-z-]*\).*/\1 \2/p' "$TMPDIR/help" | while read -r letter name; do
	grep -q -e "^\.It Fl $letter , Fl -$name" "$TMPDIR/page" || echo "no option -$letter, --$name"
done >"$TMPDIR/letters"
[ -s "$TMPDIR/letters" ] && fail "$(cat "$TMPDIR/letters")"

# And none that there is not.
sed -n 's/^\.It \(Fl [a-zA-Z] , \)\{0,1\}Fl -\([a-z-]*\).*/\2/p' "$TMPDIR/page" | sort -u >"$TMPDIR/named"
comm -13 "$TMPDIR/options" "$TMPDIR/named" | grep . && fail "options that --help does not have"

# ---- commands ----
sed -n 's/^  reclaimtop \([a-z][a-z]*\).*/\1/p' "$TMPDIR/help" | sort -u >"$TMPDIR/commands"
[ "$(wc -l <"$TMPDIR/commands")" -gt 1 ] || fail "--help lists hardly a command"
while read -r name; do
	grep -q -E -e "^\.It Cm $name( |\$)" "$TMPDIR/page" || fail "no command $name"
	grep -q -x -e "\.Cm $name" "$TMPDIR/page" || fail "the synopsis lacks $name"
done <"$TMPDIR/commands"

# ---- exit statuses ----
sed -n 's/^\tSTATUS_[A-Z_]* = \([0-9]*\),.*/\1/p' ui/cli/say.h >"$TMPDIR/statuses"
[ "$(wc -l <"$TMPDIR/statuses")" -gt 3 ] || fail "ui/cli/say.h holds hardly a status"
sed -n '/^\.Sh EXIT STATUS/,/^\.Sh EXAMPLES/p' "$TMPDIR/page" >"$TMPDIR/exit"
while read -r status; do
	grep -q -x ".It $status" "$TMPDIR/exit" || fail "no exit status $status"
done <"$TMPDIR/statuses"

# ---- form ----
# Whether other pages are installed is the system's business.
if command -v mandoc >/dev/null; then
	mandoc -T lint "$page" 2>/dev/null | grep -v -e 'referenced manual not found' >"$TMPDIR/lint"
	[ -s "$TMPDIR/lint" ] && fail "mandoc: $(head -n 20 "$TMPDIR/lint")"
	mandoc -T utf8 "$page" 2>/dev/null | col -b 2>/dev/null | grep -q 'reclaimtop' || fail "mandoc does not print it"
fi
exit $bad
