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

# start MEMCG ARGUMENTS...: a load in a memcg of that name, in the background.
start() {
	memcg=$1
	shift
	load -c "$CGROUP/$memcg" "$@" >"/tmp/load-$memcg" 2>&1 &
	say "started in $memcg: $*"
}

# ready MEMCG...: waits until each load has all it will have, 15 s at most.
ready() {
	for memcg; do
		tries=0
		until grep -q -e ready -e done "/tmp/load-$memcg" || [ "$tries" -ge 30 ]; do
			sleep 0.5
			tries=$((tries + 1))
		done
		say "$memcg: $(tail -n 1 "/tmp/load-$memcg")"
	done
}

freeze_loads() { killall -STOP load; }
thaw_loads() { killall -CONT load; }
end_loads() { killall load 2>/dev/null; killall -CONT load 2>/dev/null; true; }

# A command as the ordinary user.
as_user() { su -s /bin/sh user -c "$*"; }

# A running load goes on under a shell on the console; a test ends here.
hold() {
	while [ -n "${HOLD-}" ]; do
		sleep 5
	done
}

# resize ROWS COLUMNS: a terminal of another size.  A program in its foreground is told.
resize() { stty -F /dev/ttyS0 rows "$1" cols "$2"; }
