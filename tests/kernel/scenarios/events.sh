# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# The kernel's own events of pagesets, switched on by the program: what they count held against a second instance of
# tracefs with histograms of its own, and all that was written taken away again, however the program ends. Loads stand
# still while anything is switched on or off, so that both count the same.

TRACING=/sys/kernel/tracing
OWN=$TRACING/instances/witness
DRAIN=kmem/mm_page_pcpu_drain REFILL=kmem/mm_page_alloc_zone_locked

# What is ours, or anybody's, in the kernel: instances and probes.
traces() {
	ls $TRACING/instances
	echo "probes:"
	cat $TRACING/kprobe_events
}

# on NAME ARGUMENTS...: the program in the background, once it has given its first sample.
on() {
	name=$1
	shift
	: >"$name.jl"
	reclaimtop --events --json --derived -d 1 "$@" >"$name.jl" 2>"$name.err" &
	session=$!
	tries=0
	until grep -q '"type":"sample"' "$name.jl" || [ "$tries" -ge 60 ]; do
		tries=$((tries + 1))
		sleep 0.5
	done
}

# gone NAME: waits until nothing of ours is there, 20 s at most.
gone() {
	tries=0
	while [ -e $TRACING/instances/reclaimtop ] || grep -q reclaimtop $TRACING/kprobe_events; do
		[ "$tries" -lt 40 ] || break
		tries=$((tries + 1))
		sleep 0.5
	done
	traces >"after-$1"
}

mglru y
reclaimtop doctor >doctor
grep -E ' (free_pcppages_bulk|rmqueue_bulk)$' /proc/kallsyms >functions

# Somebody else's probe and instance: they stay as they are.
mkdir $OWN
# shellcheck disable=SC2016
echo 'p:witness/drain free_pcppages_bulk count=$arg2:s32' >>$TRACING/kprobe_events
traces >before
start web anon "$(percent 55)" 30
start db file "$DB_FILE" 10
ready web db

# ours WHEN: the histograms as the kernel has them now. What is read between two of these must lie between them.
ours() {
	for event in $DRAIN $REFILL reclaimtop/drain reclaimtop/refill; do
		file=$TRACING/instances/reclaimtop/events/$event/hist
		[ ! -e "$file" ] || cat "$file" >"$1-$(basename "$event")"
	done
}

# ---- what is counted ----
freeze_loads
at_rest
on counted -n 1000
traces >while
cat $TRACING/instances/reclaimtop/events/$DRAIN/trigger >triggers
ours on0
for hist in "$DRAIN order" "$REFILL order if percpu_refill != 0" "witness/drain count"; do
	# shellcheck disable=SC2086
	set -- $hist
	event=$1 key=$2
	shift 2
	echo "hist:keys=common_cpu,$key${*:+ $*}" >"$OWN/events/$event/trigger"
done
ours on1
more_lines counted.jl 4
thaw_loads
# What is freed at once goes through pagesets that do not take it.
mkdir -p "$CGROUP/churn"
for _ in 1 2 3 4 5; do
	load -c "$CGROUP/churn" -t 2 anon "$(percent 15)" 100
done >churn 2>&1
more_lines counted.jl 8
freeze_loads
at_rest
ours before
for event in $DRAIN $REFILL witness/drain; do
	cat "$OWN/events/$event/hist" >"witness-$(basename $event)"
done
more_lines counted.jl 7
grep -c '"type":"sample"' counted.jl >samples
ours after
kill -TERM $session
wait $session
gone term

# ---- however it ends ----
on hup -n 1000
kill -HUP $session
wait $session
gone hup
on end -n 3
wait $session
echo $? >end.status
gone end
# By SIGKILL: a guard is left behind for that.
on killed -n 1000
kill -KILL $session
gone killed
# And the guard too: then it is there still, and the next one takes it away.
on both -n 1000
killall -KILL reclaimtop
sleep 1
traces >left
on next -n 3
wait $session
gone next
# Two at a time: the second goes on without.
on first -n 1000
reclaimtop --events --json -n 1 >second.jl 2>second.err
echo $? >second.status
ls $TRACING/instances >after-second
kill -TERM $session
wait $session
gone first
# Recording, and a command.
reclaimtop record --events -o command.jl -- sleep 3 2>command.err
gone command
end_loads

# ---- who may not ----
as_user 'reclaimtop --events --json -n 1' >user.jl 2>user.err
echo $? >user.status
rmdir $OWN
echo '-:witness/drain' >>$TRACING/kprobe_events
umount $TRACING
umount /sys/kernel/debug/tracing 2>/dev/null
reclaimtop --events --json -n 1 >unmounted.jl 2>unmounted.err
mount -t tracefs trace $TRACING
true
