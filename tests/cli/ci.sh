# SPDX-License-Identifier: GPL-2.0-or-later
#
# .ci/run with a stand-in for bootstrap: both parts run, their sums are added, and the last line is that sum.

bad=0
fail() {
	echo "$*"
	bad=1
}

mkdir -p "$TMPDIR/tree/.ci"
cp .ci/run "$TMPDIR/tree/.ci/run"
cat >"$TMPDIR/tree/bootstrap" <<'SH'
#!/bin/sh
case $1 in
check) printf '%b\n' "$CHECK"; echo 'word of the compiler' >&2; exit "$CHECK_STATUS" ;;
check-kernel) printf '%b\n' "$KERNEL"; exit "$KERNEL_STATUS" ;;
esac
SH
chmod +x "$TMPDIR/tree/bootstrap"

# sums STATUS LAST CHECK STATUS KERNEL STATUS: exit status and last line for what the two parts say
sums() {
	got=$(CHECK=$3 CHECK_STATUS=$4 KERNEL=$5 KERNEL_STATUS=$6 "$TMPDIR/tree/.ci/run" 2>"$TMPDIR/err")
	status=$?
	last=$(printf '%s\n' "$got" | tail -n 1)
	[ "$status/$last" = "$1/$2" ] || fail "'$3' ($4) and '$5' ($6): exit $status, $last; not $1, $2"
	[ ! -s "$TMPDIR/err" ] || fail "on standard error, where it may come after the last line: $(cat "$TMPDIR/err")"
}

sums 0 '15 passed, 0 failed' 'ok a\n12 passed, 0 failed' 0 '3 passed, 0 failed' 0
sums 0 '15 passed, 0 failed' '12 passed, 0 failed, 2 skipped' 0 '3 passed, 0 failed' 0
sums 1 '14 passed, 1 failed' '11 passed, 1 failed' 2 '3 passed, 0 failed' 0
sums 1 '14 passed, 2 failed' '12 passed, 0 failed' 0 'FAIL x\n2 passed, 2 failed' 2
# No sum, or one that does not fit the exit status, is a failure of its own.
sums 1 '3 passed, 1 failed' 'cc: no such file' 2 '3 passed, 0 failed' 0
sums 1 '12 passed, 1 failed' '12 passed, 0 failed' 0 '' 1
sums 1 '12 passed, 1 failed' '12 passed, 0 failed' 0 '' 0
sums 1 '15 passed, 1 failed' '12 passed, 0 failed' 0 '3 passed, 0 failed' 1
# Words that only look like a sum are none.
sums 1 '12 passed, 1 failed' '12 passed, 0 failed' 0 'x 7 passed, 0 failed' 0

exit $bad
