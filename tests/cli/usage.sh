# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command line as a person types it: exit statuses, error lines, help.

bad=0
fail() {
	echo "$*"
	bad=1
}

# expect STATUS ARGUMENTS...: that exit status; output in $TMPDIR/out and $TMPDIR/err
expect() {
	wanted=$1
	shift
	"$RECLAIMTOP" "$@" >"$TMPDIR/out" 2>"$TMPDIR/err"
	status=$?
	[ $status -eq "$wanted" ] || fail "'$*': exit $status, not $wanted: $(cat "$TMPDIR/err")"
}

# complains STATUS PATTERN ARGUMENTS...: nothing on standard output, one line "reclaimtop: what: why; what to do"
complains() {
	wanted=$1 pattern=$2
	shift 2
	expect "$wanted" "$@"
	[ -s "$TMPDIR/out" ] && fail "'$*' fails and yet prints"
	[ "$(wc -l <"$TMPDIR/err")" -eq 1 ] || fail "'$*': not one line: $(cat "$TMPDIR/err")"
	grep -q '^reclaimtop: [^:]*: .*; ' "$TMPDIR/err" || fail "'$*': not what, why and what to do: $(cat "$TMPDIR/err")"
	grep -q -e "$pattern" "$TMPDIR/err" || fail "'$*' says nothing of $pattern: $(cat "$TMPDIR/err")"
}

# ---- wrong use is 2 ----
complains 2 '0.05' -d 0
complains 2 'is no time' -d soon
complains 2 'is no time' --delay=1,5
complains 2 'wants a value' -d
complains 2 'wants a value' --root
complains 2 'is empty' --root ''
complains 2 'no such option' --nonsense
complains 2 'no such option' -z
complains 2 'takes no value' --batch=yes
complains 2 'would show nothing' -n 0
complains 2 'no whole number' -n 1.5
complains 2 'overview, generations, memcgs, pagesets, processes and time' --view nothing
complains 2 'auto, always and never' --color red
complains 2 'there are demo, .* and doctor' nonsense
complains 2 'it wants a file' record
complains 2 'belongs to compare' --totals
complains 2 'no such option' demo --append
complains 2 'one word too many' 1 2 3
complains 2 'brings its own' demo --root /
complains 2 'JSON' --json --view memcgs
complains 2 'JSON' --json -f web
complains 2 'no column' -b -s nothing --root tests/roots/7.2-pressure/03

# What was typed is shown harmless.
expect 2 "$(printf 'bad\033[31mword')"
grep -q 'bad\\x1b\[31mword' "$TMPDIR/err" || fail 'an escape sequence reaches the terminal'

# ---- what cannot be read is 1 or 4 ----
complains 1 'no such folder' -b --root "$TMPDIR/nowhere"
complains 1 'neither proc nor numbered' -b --root "$TMPDIR"
complains 1 'no folder' -b --root Makefile
mkdir -p "$TMPDIR/empty/proc"
complains 1 'none of the files' -b --root "$TMPDIR/empty"
complains 1 'none of the files' --json --root "$TMPDIR/empty"

# ---- one source is enough ----
echo 'nr_free_pages 12' >"$TMPDIR/empty/proc/vmstat"
expect 0 -b --root "$TMPDIR/empty"

# ---- help and version ----
for option in -h --help; do
	expect 0 $option
	grep -q '^usage: reclaimtop' "$TMPDIR/out" || fail "$option gives no usage"
	[ -s "$TMPDIR/err" ] && fail "$option writes to standard error"
	for word in demo record replay mark report compare doctor --delay --iterations --batch --json --derived --root --filter --sort --view --color \
		--ascii --no-mouse --help --version; do
		grep -q -e "$word" "$TMPDIR/out" || fail "$option does not name $word"
	done
done
awk 'length($0) > 80 || / $/' "$TMPDIR/out" | grep . && fail 'help has lines of more than 80 columns, or blanks at an end'
# An option says whose it is; one that no command takes is not listed.
tr -s ' \n' ' ' <"$TMPDIR/out" >"$TMPDIR/joined"
grep -q -e '--append [^-]* \[record\] --' "$TMPDIR/joined" || fail 'help does not say whose option --append is'
grep -q -e '--from MARK [^-]* \[report, compare, export\] --' "$TMPDIR/joined" || fail 'help does not say whose option --from is'
grep -q '\[\]' "$TMPDIR/joined" && fail 'help lists an option of no command'
for option in -V --version; do
	expect 0 $option
	grep -q '^reclaimtop [0-9]' "$TMPDIR/out" || fail "$option gives no version"
done

# ---- times in all their forms ----
for time in 0.05 0.1s 60ms 0.001m; do
	expect 0 -b -n 2 -d $time --root tests/roots/7.2-pressure
	[ "$(grep -c '^sample ' "$TMPDIR/out")" -eq 2 ] || fail "-d $time does not give two samples"
done
expect 0 0.05 2 --root tests/roots/7.2-pressure
[ "$(grep -c '^sample ' "$TMPDIR/out")" -eq 2 ] || fail 'an interval and a count do not give two samples'

# ---- standard output that cannot be written ----
if [ -w /dev/full ]; then
	"$RECLAIMTOP" -b --root tests/roots/7.2-pressure/03 >/dev/full 2>"$TMPDIR/err"
	[ $? -eq 1 ] || fail 'a full disk is no error'
	grep -q '^reclaimtop: standard output: ' "$TMPDIR/err" || fail "a full disk: $(cat "$TMPDIR/err")"
	"$RECLAIMTOP" --help >/dev/full 2>/dev/null && fail 'help on a full disk is no error'
fi

# ---- another locale keeps the point ----
for locale in de_DE.UTF-8 C POSIX; do
	LC_ALL=$locale "$RECLAIMTOP" -b -d 0.05 -n 2 --root tests/roots/7.2-pressure >"$TMPDIR/$locale" 2>&1
	cmp -s "$TMPDIR/$locale" "$TMPDIR/C" 2>/dev/null || [ $locale != POSIX ] || fail 'C and POSIX differ'
	grep -q '[0-9],[0-9]' "$TMPDIR/$locale" && fail "$locale: a decimal comma"
done
exit $bad
