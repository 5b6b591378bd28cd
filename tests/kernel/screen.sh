# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154
#
# The program on the serial console of a guest, within tmux: keys are pressed, and the screen is kept as
# text in $screens. Meanwhile another one records the same events in the background. checks/screen.sh
# looks at what was kept.
#
# Nothing here counts on a time: it waits for what is to come, longer than any machine needs, and goes on
# without it; then the check of it fails. Where that happens again and again, less and less patience is left.

hung='' patience=60

tm() { tmux -L "reclaimtop-$$-$series" -f /dev/null "$@"; }
screen() { tm capture-pane -p -t guest 2>/dev/null; }
press() { [ -n "$hung" ] || tm send-keys -t guest "$@"; }
keep() { screen >"$screens/$1"; }

# A guest that does not answer any more will not do so again.
tell() {
	[ -z "$hung" ] || return 1
	"$here/tell" -k "$series" -d "$dir" -t "${GUEST_LIFELESS:-180}" "$@" >>"$dir/told" 2>&1
	[ $? -ne 124 ] || hung=yes
}

# What happens in the guest stands in its file of events with the time, to be found in the session.
event() { tell "echo \$(cut -d ' ' -f 1 /proc/uptime) $1 >>/data/results/screen/events"; }

# So many more samples of the session in the background.
samples() { tell "more_lines /data/results/screen/session.jl $((2 * $1))"; }

# within_time COMMAND...: until the command says yes.
within_time() {
	tries=$((4 * patience))
	until "$@"; do
		tries=$((tries - 1))
		[ -z "$hung" ] && tm has-session -t guest 2>/dev/null || return 1
		if [ "$tries" -le 0 ]; then
			patience=$((patience / 2 + 1))
			echo "waited in vain: $*" >>"$dir/told"
			return 1
		fi
		sleep 0.25
	done
}

has_line() { screen | grep -q -e "$1"; }
has_no_line() { ! has_line "$1"; }

# await PATTERN: until a line of the screen matches; await_no PATTERN: until none does.
await() { within_time has_line "$1"; }
await_no() { within_time has_no_line "$1"; }

# below LINE: a screen from this line on. moved LINE FILE: it is another one than the one that was kept.
below() { tail -n +"$1" | sed 's/ *$//'; }
moved() { [ "$(screen | below "$1")" != "$(below "$1" <"$screens/$2")" ]; }

# title_moved FILE: the first line, with the time in it, is another one.
title_moved() { [ "$(screen | head -n 1)" != "$(head -n 1 "$screens/$1")" ]; }

# view KEY NAME PREFIX PATTERN...: the view, and the same one when its numbers have changed. A slow line gets a screen
# in parts: it is there when all the patterns are.
view() {
	press "$1"
	at="\[$1 $2\]" kept=$3$1
	shift 3
	complete "$at" "$@"
	samples 1
	complete "$at" "$@"
	keep "$kept-a"
	within_time moved 3 "$kept-a"
	complete "$at" "$@"
	keep "$kept-b"
}

has_all() {
	screen >"$dir/now"
	for wanted; do
		grep -q -e "$wanted" "$dir/now" || return 1
	done
}
complete() { within_time has_all "$@"; }

# The terminal and the line of another size: a serial line does not know of its terminal.
resize_both() {
	tm resize-window -t guest -x "$2" -y "$1"
	tell "resize $1 $2"
	within_time fits "$1" "$2"
	keep "size-$1x$2"
}

# The title in the first line and the keys in the last, or, below ten lines, a word that it is too small.
fits() {
	screen | awk -v rows="$1" -v columns="$2" 'length($0) > columns { bad = 1 }
		NR == 1 { title = /^reclaimtop  live / }
		/^too small/ { small = 1 }
		NR == rows { keys = /^h Help / }
		END { exit bad || NR > rows || !(rows < 10 ? small : title && keys) }'
}

start_screen() {
	hung='' patience=240
	rm -rf "$dir/results" "$screens" "$dir/told" "$dir/said"
	mkdir -p "$screens"
	tm kill-server 2>/dev/null
	tm new-session -d -s guest -x 120 -y 40 \
		"GUEST_LOGLEVEL=1 '$here/guest' -k '$series' -N '$count' -d '$dir' -p '$program' --console 2>'$dir/said'"
}

# end_emulator FILE SIGNAL: the emulator whose number stands in a file, if it still is one.
end_emulator() {
	[ ! -s "$1" ] || ! grep -q -a qemu "/proc/$(cat "$1")/cmdline" 2>/dev/null || kill -"$2" "$(cat "$1")"
}

# Until the guest has gone by itself; else it is ended.
end_screen() {
	press poweroff Enter
	tries=120
	while tm has-session -t guest 2>/dev/null && [ "$tries" -gt 0 ] && [ -z "$hung" ]; do
		tries=$((tries - 1))
		sleep 1
	done
	tm kill-server 2>/dev/null
	end_emulator "$dir/pid" KILL
	rm -f "$dir/pid"
	[ ! -s "$dir/said" ] || cat "$dir/said"
}

# What ended a guest before its time, if it was the emulator: see "guest".
screen_died() {
	[ -e "$dir/console.log" ] || return
	if [ -z "$up" ]; then
		echo 'died in early boot'
	elif [ -n "$hung" ] || grep -a -q -e 'soft lockup' -e 'rcu.*detected stalls' "$dir/console.log"; then
		echo 'hung under emulation'
	fi
}

drive_screen() {
	screens=$dir/screens
	for try in 1 2 3; do
		up=''
		start_screen
		if within_time has_line '@guest '; then
			up=yes patience=60
			play_screen
		else
			hung=yes
		fi
		end_screen
		[ ! -s "$dir/results/screen/events" ] || [ -n "$hung" ] || return 0
		[ ! -e "$dir/stop" ] || return 1
		died=$(screen_died)
		[ -n "$died" ] || return 1
		cp "$dir/console.log" "$dir/console.log.$try" 2>/dev/null
		echo "guest: $series: $died (try $try of 3), its last word: $(tail -n 1 "$dir/console.log" | tr -dc '[:print:]' | tail -c 100)"
	done
	return 1
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
	await '^reclaimtop  live'
	view 1 Overview view- '^Memcgs: '
	view 2 Generations view- '^ANON ' '^FILE '
	view 3 Memcgs view- '^/web ' '^/db ' '^/batch ' '^/lim ' '^/ '
	view 4 Pagesets view- '^0 DMA ' '^0 DMA32 ' '^1 DMA32 ' '^[|+].*%'
	view 5 Processes view- ' load .* /web' ' load .* /db' ' load .* /batch' ' load .* /lim' ' kswapd0 ' ' kswapd1 '
	play_table
	play_sizes
	play_memcgs
	play_switches
	play_oom
	tell 'cd /data/results/screen; kill $(cat session.pid)'
	play_many
	play_shell
}

# The generations as a table, every memcg on every node.
play_table() {
	press 2
	await '^ANON '
	press d
	await '^. /web  .* n0 '
	samples 1
	keep view-2t-a
	within_time moved 3 view-2t-a
	complete '^. /web  .* n0 ' '^. /web  .* n1 ' '^. /db  .* n0 ' '^. /batch  .* n1 ' '^. /lim  .* n1 '
	keep view-2t-b
	press d
	await '^ANON '
}

# q, and a command in the shell that is there again.
play_shell() {
	press q
	await_no '^\[\?1 Overview\|3 Memcgs'
	await '@guest .*# *$'
	keep left
	press 'echo seen-$((40 + 2)); stty -a' Enter
	await '^seen-42'
	await 'icanon'
	await '@guest .*# *$'
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
	await '\[3 Memcgs\]'
	keep size-before
	resize_both 20 70
	resize_both 8 30
	resize_both 50 150
	resize_both 40 120
	tell 'sleep 3; kill -CONT $(cat /data/results/screen/session.pid)'
	samples 2
}

# Memcgs that go, and one that comes back under its name.
play_memcgs() {
	press 3
	await '^/db '
	keep memcgs-before
	press D
	event db-removed
	tell 'stop db; rmdir $CGROUP/db'
	samples 2
	await '^+ /db '
	keep memcgs-removed
	event db-again
	tell 'start db file $DB_FILE 10'
	samples 3
	await '^/db '
	keep memcgs-again
	event web-removed
	tell 'stop web; rmdir $CGROUP/web'
	samples 2
	await_no '^/web '
	keep memcgs-web-removed
}

# What is left fits without swap, once no limit holds a memcg below what it has.
play_switches() {
	press 1
	await '\[1 Overview\]'
	event swapoff
	tell 'echo max >$CGROUP/lim/memory.max; swapoff $(swap_disk)'
	await '^Swap  *none'
	keep swapoff-1
	press 2
	event mglru-off
	tell 'mglru n; cat /sys/kernel/mm/lru_gen/enabled >>/data/results/screen/enabled'
	samples 3
	await '^ *inactive '
	keep mglru-off-2
	press 1
	await '\[1 Overview\]'
	await '^LRU lists '
	keep mglru-off-1
	event mglru-on
	tell 'mglru y; cat /sys/kernel/mm/lru_gen/enabled >>/data/results/screen/enabled'
	samples 3
	await '^Generations '
	keep mglru-on-1
	press 2
	await '^ANON '
	press d
	await '^. /batch  .* n1 '
	keep mglru-on-2
	press d
}

# Without swap the machine runs out of memory. The hog is what the kernel kills, again and again.
play_oom() {
	press 1
	await '\[1 Overview\]'
	samples 1
	tell 'cd /data/results/screen; for pid in $(pidof reclaimtop); do echo $pid; resident $pid; done >resident-before
		vmstat oom_kill >oom-before'
	event oom
	tell 'for i in 1 2; do load -r 200000 hog 32M >/dev/null 2>&1; done'
	samples 2
	await 'killed for lack of memory'
	keep oom-1
	event oom-over
	tell 'cd /data/results/screen; for pid in $(pidof reclaimtop); do echo $pid; resident $pid; done >resident-after
		vmstat oom_kill >oom-after; dmesg | grep -i "killed process" >killed'
}

# A thousand memcgs beside what stands still: every key is answered, and numbers go on.
play_many() {
	event many
	tell 'freeze_loads; swapon $(swap_disk)
		load memcgs $CGROUP/many 1000 64K >/tmp/load-many 2>&1 & ready many; sleep 3'
	: >"$screens/many-times"
	for pair in '1 Overview' '2 Generations' '3 Memcgs' '5 Processes'; do
		then=$(date +%s%N)
		press "${pair% *}"
		await "\[$pair\]"
		echo "$pair $((($(date +%s%N) - then) / 1000000))" >>"$screens/many-times"
	done
	press 3
	await '\[3 Memcgs\]'
	await '/many/m0'
	keep many-3-a
	within_time title_moved many-3-a
	keep many-3-b
	tell 'resident $(pidof reclaimtop) >/data/results/screen/resident-many'
}
