# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# What scenarios are written with.  They run in the guest, in the folder $RESULTS, as root.

CGROUP=/sys/fs/cgroup
# shellcheck disable=SC2034
DB_FILE=/data/db

say() { echo "$(cut -d ' ' -f 1 /proc/uptime) $*"; }

# Value of a counter of /proc/vmstat, of a memcg's file, of the sum of an allocstall.
vmstat() { awk -v k="$1" '$1 == k { print $2 }' /proc/vmstat; }
memcg_stat() { awk -v k="$2" '$1 == k { print $2 }' "$CGROUP/$1/memory.stat"; }

# So many percent of the guest's memory, as load takes it.
percent() { awk -v p="$1" '$1 == "MemTotal:" { printf "%dK", $2 * p / 100 }' /proc/meminfo; }

# MGLRU on or off, or with the bits given.
mglru() { echo "$1" >/sys/kernel/mm/lru_gen/enabled; }

load_log() { echo "/tmp/load-$(echo "$1" | tr / -)"; }

# start MEMCG ARGUMENTS...: a load in a memcg of that name, in the background.
start() {
	memcg=$1
	shift
	load -c "$CGROUP/$memcg" "$@" >"$(load_log "$memcg")" 2>&1 &
	say "started in $memcg: $*"
}

# stop MEMCG: its loads are killed, and it is empty. (Its files have no size, so that is no test.)
stop() {
	tries=0
	while [ "$tries" -lt 50 ] && grep -q 'populated 1' "$CGROUP/$1/cgroup.events"; do
		# shellcheck disable=SC2046
		kill -KILL $(cat "$CGROUP/$1/cgroup.procs") 2>/dev/null
		sleep 0.2
		tries=$((tries + 1))
	done
}

# ready MEMCG...: waits until each load has all it will have, 90 s at most.
ready() {
	for memcg; do
		tries=0
		log=$(load_log "$memcg")
		until grep -q -e ready -e 'done' "$log" || [ "$tries" -ge 180 ]; do
			sleep 0.5
			tries=$((tries + 1))
		done
		say "$memcg: $(tail -n 1 "$log")"
	done
}

# Every birth of a generation as two events of the kernel's, with times of the clock that samples have:
# try_to_inc_max_seq() called for a lruvec and a seq, and what it returned.
TRACING=/sys/kernel/tracing
births_on() {
	echo mono >$TRACING/trace_clock
	# shellcheck disable=SC2016
	printf '%s\n' 'p:births/aging_in try_to_inc_max_seq lruvec=$arg1 seq=$arg2:u64' \
		'r:births/aging_out try_to_inc_max_seq ret=$retval:u8' >$TRACING/kprobe_events
	echo >$TRACING/trace
	echo 1 >$TRACING/events/births/enable
}
# births_off FILE: what was seen; the last line counts what was lost.
births_off() {
	echo 0 >$TRACING/events/births/enable
	grep aging_ $TRACING/trace >"$1"
	cat $TRACING/per_cpu/cpu*/stats | awk '/overrun:/ { n += $NF } END { print "lost", n + 0 }' >>"$1"
	echo >$TRACING/kprobe_events
}

freeze_loads() { killall -STOP load; }
thaw_loads() { killall -CONT load; }
end_loads() { killall load 2>/dev/null; killall -CONT load 2>/dev/null; true; }

# watch_files OUT ROUNDS MS MEMCG...: the files that samples are held against.
watch_files() {
	to=$1 rounds=$2 pause=$3
	shift 3
	for memcg; do
		shift
		set -- "$@" "$CGROUP/$memcg/memory.stat" "$CGROUP/$memcg/memory.current" \
			"$CGROUP/$memcg/memory.swap.current"
	done
	readings -n "$rounds" -i "$pause" "$to" /proc/vmstat /proc/zoneinfo /proc/meminfo /proc/buddyinfo \
		/proc/pressure/memory /sys/kernel/debug/lru_gen "$CGROUP/memory.stat" "$@"
}

# A command as the ordinary user.
as_user() { su -s /bin/sh user -c "$*"; }

# Waits until nothing is reclaimed, read or written any more, 30 s at most.
at_rest() {
	tries=0 was=''
	while [ "$tries" -lt 30 ]; do
		is=$(grep -e '^pgsteal_' -e '^pgscan_' -e '^pswp' -e '^pgpg' /proc/vmstat)
		[ "$is" != "$was" ] || return 0
		was=$is
		tries=$((tries + 1))
		sleep 1
	done
}

# more_lines FILE N: waits until a file has so many lines more, 60 s at most.
more_lines() {
	until_lines=$(($(wc -l <"$1") + $2)) tries=0
	while [ "$(wc -l <"$1")" -lt "$until_lines" ] && [ "$tries" -lt 120 ]; do
		tries=$((tries + 1))
		sleep 0.5
	done
}

# Resident and largest resident set of a process, in KiB.
resident() { awk '/^Vm(RSS|HWM):/ { print $1, $2 }' "/proc/$1/status"; }

# The disk that init swapped on.
swap_disk() { cat /run/swap; }

# A running load goes on under a shell on the console; a test ends here.
hold() {
	while [ -n "${HOLD-}" ]; do
		sleep 5
	done
}

# resize ROWS COLUMNS: a terminal of another size.  A program in its foreground is told.
resize() { stty -F /dev/ttyS0 rows "$1" cols "$2"; }
