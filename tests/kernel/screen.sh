# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154
#
# The program on the serial console of a guest, within tmux: keys are pressed, and the screen is kept as
# text in $screens. Meanwhile another one records the same events in the background. checks/screen.sh
# looks at what was kept.

tm() { tmux -L "reclaimtop-$$" -f /dev/null "$@"; }
tell() { "$here/tell" -k "$series" -d "$dir" -t 120 "$@" >>"$dir/told" 2>&1; }
ask() { "$here/tell" -k "$series" -d "$dir" -t 120 "$@" 2>>"$dir/told"; }
screen() { tm capture-pane -p -t guest 2>/dev/null; }
press() { tm send-keys -t guest "$@"; }
keep() { screen >"$screens/$1"; }

# What happens in the guest stands in its file of events with the time, to be found in the session.
event() { tell "echo \$(cut -d ' ' -f 1 /proc/uptime) $1 >>/data/results/screen/events"; }

# await SECONDS PATTERN: until a line of the screen matches.
await() {
	tries=$(($1 * 4))
	until screen | grep -q -e "$2"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		tm has-session -t guest 2>/dev/null || return 1
		sleep 0.25
	done
}

# view KEY NAME PREFIX: the view, and the same one some samples later.
view() {
	press "$1"
	await 20 "\[$1 $2\]"
	sleep 1.5
	keep "$3$1-a"
	sleep 2.5
	keep "$3$1-b"
}

# The terminal and the line of another size: a serial line does not know of its terminal.
resize_both() {
	tm resize-window -t guest -x "$2" -y "$1"
	tell "resize $1 $2"
	sleep 2
}

drive_screen() {
	screens=$dir/screens
	rm -rf "$screens" "$dir/told" "$dir/said"
	mkdir -p "$screens"
	tm kill-server 2>/dev/null
	tm new-session -d -s guest -x 120 -y 40 \
		"GUEST_LOGLEVEL=1 '$here/guest' -k '$series' -N '$count' -d '$dir' -p '$program' --console 2>'$dir/said'"
	if await 240 '@guest '; then
		play_screen
		press poweroff Enter
	fi
	tries=60
	while tm has-session -t guest 2>/dev/null && [ "$tries" -gt 0 ]; do
		tries=$((tries - 1))
		sleep 1
	done
	[ ! -s "$dir/said" ] || cat "$dir/said"
	tm kill-server 2>/dev/null
	[ -s "$dir/results/screen/events" ]
}

play_screen() {
	tell 'mkdir -p /data/results/screen; cd /data/results/screen; mglru y
		start web anon $(percent 35) 30; start db file $DB_FILE 10; start lim -r 6000 limit 24M
		ready web db lim; start batch anon $(percent 40) 60; ready batch; echo 0 >status'
	play_rest
	tell 'cd /data/results/screen; reclaimtop --json --derived -d 1 >session.jl 2>session.err </dev/null &
		echo $! >session.pid'
	keep prompt
	press reclaimtop Enter
	await 30 '^reclaimtop  live'
	for pair in '1 Overview' '2 Generations' '3 Memcgs' '4 Pagesets' '5 Processes'; do
		view "${pair% *}" "${pair#* }" view-
	done
	play_sizes
	play_memcgs
	play_switches
	play_oom
	tell 'cd /data/results/screen; kill $(cat session.pid)'
	play_many
	press q
	await 20 '@guest '
	sleep 1.5
	keep left
	press 'echo seen-$((40 + 2)); stty -a' Enter
	await 20 '^seen-42'
	sleep 1
	keep shell
}

# All nodes at rest: samples against readings, as in the scenario watch.
play_rest() {
	tell 'cd /data/results/screen; freeze_loads; at_rest
		watch_files rest 16 250 web db batch lim & reclaimtop --json -d 1 -n 4 >rest.jl; wait; thaw_loads'
}

# The one in the background is stopped meanwhile: a gap, and no spike.
play_sizes() {
	event gap
	tell 'kill -STOP $(cat /data/results/screen/session.pid)'
	press 3
	await 20 '\[3 Memcgs\]'
	keep size-before
	resize_both 20 70
	keep size-20x70
	resize_both 8 30
	keep size-8x30
	resize_both 50 150
	keep size-50x150
	resize_both 40 120
	keep size-40x120
	tell 'kill -CONT $(cat /data/results/screen/session.pid)'
}

# Memcgs that go, and one that comes back under its name.
play_memcgs() {
	press 3
	keep memcgs-before
	press D
	event db-removed
	tell 'stop db; rmdir $CGROUP/db'
	sleep 3
	keep memcgs-removed
	event db-again
	tell 'start db file $DB_FILE 10'
	sleep 4
	keep memcgs-again
	event web-removed
	tell 'stop web; rmdir $CGROUP/web'
	sleep 3
	keep memcgs-web-removed
}

# What is left fits without swap.
play_switches() {
	press 1
	await 20 '\[1 Overview\]'
	event swapoff
	tell 'swapoff $(swap_disk); cat /proc/swaps >swaps'
	sleep 2
	keep swapoff-1
	press 2
	event mglru-off
	tell 'mglru n; cat /sys/kernel/mm/lru_gen/enabled >>/data/results/screen/enabled'
	sleep 3
	keep mglru-off-2
	press 1
	sleep 1.5
	keep mglru-off-1
	event mglru-on
	tell 'mglru y; cat /sys/kernel/mm/lru_gen/enabled >>/data/results/screen/enabled'
	sleep 3
	keep mglru-on-1
	press 2
	sleep 1.5
	keep mglru-on-2
}

# Without swap the machine runs out of memory. The hog is what the kernel kills, again and again.
play_oom() {
	press 1
	await 20 '\[1 Overview\]'
	tell 'cd /data/results/screen; for pid in $(pidof reclaimtop); do echo $pid; resident $pid; done >resident-before
		vmstat oom_kill >oom-before'
	event oom
	tell 'for i in 1 2; do load -r 200000 hog 32M >/dev/null 2>&1; done'
	sleep 3
	keep oom-1
	event oom-over
	tell 'cd /data/results/screen; for pid in $(pidof reclaimtop); do echo $pid; resident $pid; done >resident-after
		vmstat oom_kill >oom-after; dmesg | grep -i "killed process" >killed'
}

# A thousand memcgs beside what stands still: every key is answered, and numbers go on.
play_many() {
	event many
	tell 'freeze_loads; swapon $(swap_disk)
		load memcgs $CGROUP/many 1000 64K >/tmp/load-many 2>&1 & ready many'
	sleep 4
	: >"$screens/many-times"
	for pair in '1 Overview' '2 Generations' '3 Memcgs' '5 Processes'; do
		then=$(date +%s%N)
		press "${pair% *}"
		await 20 "\[$pair\]"
		echo "$pair $((($(date +%s%N) - then) / 1000000))" >>"$screens/many-times"
	done
	view 3 Memcgs many-
	tell 'resident $(pidof reclaimtop) >/data/results/screen/resident-many'
}
