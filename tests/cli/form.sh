# SPDX-License-Identifier: GPL-2.0-or-later
#
# Budgets: files up to 500 lines, functions up to 60, at most five parameters, no mutable globals.

# complain WHAT: each line of standard input is one. (It runs behind a pipe, so it leaves them in a file.)
complain() { sed "s|^|$1: |" >>"$TMPDIR/complaints"; }
: >"$TMPDIR/complaints"

sources=$(find collectors model ui -name '*.c' | sort)

# shellcheck disable=SC2086
wc -l $sources | awk '$1 > 500 && $2 != "total" { print $2, $1, "lines" }' | complain 'a long file'

# A function's brace stands alone in the first column, its name on a line before that (the first one since
# the last empty or closing line that holds a parenthesis). The calls that draw text say pane, place and style.
# shellcheck disable=SC2086
awk -f tests/cli/code.awk $sources | sed 's/^\([^:]*\):\([0-9]*\):/\1\t\2\t/' | awk -F '\t' '
	{ code = $3; for (i = 4; i <= NF; i++) code = code "\t" $i }
	code == "" || code ~ /^[}#]/ || code ~ /;[ ]*$/ { if (!inside) { name = ""; head = "" } }
	!inside && code ~ /^[A-Za-z].*\(/ && name == "" { name = $1 ":" $2; start = $2; head = "" }
	!inside && name != "" { head = head code }
	code == "{" && name != "" {
		inside = 1
		called = inner = head
		sub(/ *\(.*/, "", called)
		sub(/.*[ *]/, "", called)
		sub(/^[^(]*\(/, "", inner)
		while (gsub(/\([^()]*\)/, "", inner)) { }
		if (gsub(/,/, ",", inner) > 4 && called !~ /^grid_(text|printf)$/)
			print name ": " called "() has more than five parameters"
	}
	code == "}" && inside {
		if ($2 - start + 1 > 60) print name ": " called "() has " $2 - start + 1 " lines"
		inside = 0; name = ""; head = ""
	}' | complain 'a function'

# What is in .data or .bss can change. A signal flag must, and what gives the terminal back after a crash.
for source in $sources; do
	object=$O/obj/${source%.c}.o
	[ -e "$object" ] || continue
	objdump -t "$object" | awk -v file="$source" '
		/ O / && / \.(data|bss|tdata|tbss)(\.[^r][^ \t]*)?[ \t]/ { print file ": " $NF }
		/\*COM\*/ { print file ": " $NF }'
done | grep -v -E ': (signal_bits|signals|stop_signal|got_signal|guard)$' | complain 'a mutable global'

cat "$TMPDIR/complaints"
[ ! -s "$TMPDIR/complaints" ]
