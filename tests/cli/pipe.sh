# SPDX-License-Identifier: GPL-2.0-or-later
#
# Output that goes to other programs: a reader that leaves, lines that come at once, signals, no terminal.

bad=0
fail() {
	echo "$*"
	bad=1
}
series=tests/roots/7.2-pressure
now() { date +%s%N | cut -c 1-13; }

# ---- a reader that has seen enough is no error ----
for arguments in '-b -d 0.05' '--json -d 0.05' '--derived -d 0.05' '0.05'; do
	# shellcheck disable=SC2086
	{ "$RECLAIMTOP" $arguments 2>"$TMPDIR/err"; echo $? >"$TMPDIR/status"; } | head -n 1 >/dev/null
	[ "$(cat "$TMPDIR/status")" = 0 ] || fail "$arguments | head: exit $(cat "$TMPDIR/status")"
	[ -s "$TMPDIR/err" ] && fail "$arguments | head: $(cat "$TMPDIR/err")"
done

# It is noticed at once, not with the next sample.
start=$(now)
{ "$RECLAIMTOP" -b -d 3600; echo $? >"$TMPDIR/status"; } | sed 5q >/dev/null
[ $(($(now) - start)) -lt 20000 ] || fail 'a reader that left is noticed late'
[ "$(cat "$TMPDIR/status")" = 0 ] || fail "a reader that left: exit $(cat "$TMPDIR/status")"

# ---- each sample is written when it is there ----
mkfifo "$TMPDIR/fifo"
"$RECLAIMTOP" --json -d 3600 >"$TMPDIR/fifo" &
pid=$!
{ read -r header; read -r sample; } <"$TMPDIR/fifo"
case $header in '{"type":"header",'*) ;; *) fail "the first line: $header" ;; esac
case $sample in '{"type":"sample",'*'}') ;; *) fail 'the second line is not whole' ;; esac
wait $pid
status=$?
[ $status -eq 0 ] || fail "reader gone: exit $status"

# ---- signals end it, whatever the interval (a shell's background job ignores INT and QUIT) ----
for signal in TERM HUP; do
	"$RECLAIMTOP" -b -d 3600 >"$TMPDIR/out" 2>"$TMPDIR/err" &
	pid=$!
	while [ ! -s "$TMPDIR/out" ] && kill -0 $pid 2>/dev/null; do sleep 0.05; done
	start=$(now)
	kill -$signal $pid
	wait $pid
	status=$?
	[ $(($(now) - start)) -lt 5000 ] || fail "SIG$signal: late"
	[ $status -gt 128 ] || fail "SIG$signal: exit $status"
	[ -s "$TMPDIR/err" ] && fail "SIG$signal: $(cat "$TMPDIR/err")"
	: >"$TMPDIR/out"
done

# ---- without a terminal: batch by itself, one sample ----
"$RECLAIMTOP" --root $series >"$TMPDIR/out" 2>"$TMPDIR/err" </dev/null || fail "no terminal: exit $?"
[ "$(grep -c '^sample ' "$TMPDIR/out")" -eq 1 ] || fail 'no terminal: not one sample'
"$RECLAIMTOP" -d 0.05 >"$TMPDIR/out" </dev/null || fail "no terminal, an interval: exit $?"
[ "$(grep -c '^sample ' "$TMPDIR/out")" -eq 1 ] || fail 'no terminal, an interval: not one sample'
"$RECLAIMTOP" -n 2 -d 0.05 >"$TMPDIR/out" </dev/null || fail "no terminal, -n 2: exit $?"
[ "$(grep -c '^sample ' "$TMPDIR/out")" -eq 2 ] || fail 'no terminal, -n 2: not two samples'
(unset TERM; "$RECLAIMTOP" -n 1 >/dev/null) || fail 'without TERM'
"$RECLAIMTOP" -n 1 >&- 2>"$TMPDIR/err"
status=$?
[ $status -eq 1 ] || fail "a closed standard output: exit $status"
"$RECLAIMTOP" -n 1 >"$TMPDIR/out" 2>&- <&- || fail "closed standard input and error: exit $?"
exit $bad
