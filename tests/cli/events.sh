# SPDX-License-Identifier: GPL-2.0-or-later
#
# --events where it cannot be had: one line says what, why and what to do, and the program goes on. Where it would mean
# nothing it is wrong use. Nobody's tracing is touched by any of this. (tests/kernel has it where it can be had.)

bad=0
fail() {
	echo "$*"
	bad=1
}

# ---- wrong use ----
for use in '--root tests/roots/7.2-pressure' demo 'replay x' 'report x' 'compare a b' doctor; do
	# shellcheck disable=SC2086
	"$RECLAIMTOP" $use --events >"$TMPDIR/out" 2>"$TMPDIR/err"
	[ $? -eq 2 ] || fail "$use --events: no exit 2"
	grep -q '^reclaimtop: --events: ' "$TMPDIR/err" || fail "$use --events: $(cat "$TMPDIR/err")"
	[ "$(wc -l <"$TMPDIR/err")" -eq 1 ] || fail "$use --events: more than one line"
done

# ---- a machine that does not have them ----
# Where they can be had (root, a mounted tracefs) this test must not switch them on.
if [ "$(id -u)" -ne 0 ] || [ -z "$(ls -A /sys/kernel/tracing 2>/dev/null)" ]; then
	"$RECLAIMTOP" --events --json -n 1 >"$TMPDIR/out" 2>"$TMPDIR/err" || fail "without events: exit $?"
	grep -q -x 'reclaimtop: --events: .*; .*; it goes on without them' "$TMPDIR/err" ||
		fail "without events: $(cat "$TMPDIR/err")"
	[ "$(wc -l <"$TMPDIR/err")" -eq 1 ] || fail 'without events: more than one line'
	grep '"type":"sample"' "$TMPDIR/out" | grep -q '"events":"E[A-Z]*"' || fail 'the sample does not say that events failed'
	"$RECLAIMTOP" record --events -o "$TMPDIR/r.jsonl" -n 1 -d 0.05 2>"$TMPDIR/err" || fail "record: exit $?"
	grep -q '^reclaimtop: --events: ' "$TMPDIR/err" || fail "record: $(cat "$TMPDIR/err")"
fi
# Not asked for, not tried.
"$RECLAIMTOP" --json -n 1 >"$TMPDIR/out" 2>"$TMPDIR/err" || fail "exit $?"
grep '"type":"sample"' "$TMPDIR/out" | grep -q '"events"' && fail 'events were looked for without being asked for'
"$RECLAIMTOP" doctor | grep -q '^  events  .*--events' || fail 'doctor says nothing of events'

# ---- nothing else writes to the kernel ----
grep -l -E 'tracefs_[a-z_]+ *\(' collectors/*.c model/*.c ui/*/*.c >"$TMPDIR/users"
[ "$(cat "$TMPDIR/users")" = collectors/events.c ] || fail "libtracefs is used by $(cat "$TMPDIR/users")"
# Truncated, kprobe_events loses everybody's probes.
grep -E 'file_write' collectors/events.c | grep -v buffer_size_kb && fail 'a file of tracefs is truncated'
exit $bad
