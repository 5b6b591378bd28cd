# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# Each kind of load for some seconds alone, and what the kernel counted meanwhile.

# alone NAME ARGUMENTS...: one load in a memcg of that name, and its counters afterwards.
alone() {
	kind=$1
	shift
	cp /proc/vmstat before
	load -c "$CGROUP/$kind" -t 2 "$@" >"load-$kind" 2>&1
	cp /proc/vmstat after
	awk -v kind="$kind" 'FNR == NR { was[$1] = $2; next }
		/^(pgfault|pgmajfault|pgpgin|pgpgout|pswpin|pswpout|pgsteal_(anon|file)|oom_kill) / {
			print kind, $1, $2 - was[$1]
		}' before after >>counters
	say "$kind: $(tail -n 1 "load-$kind")"
	rmdir "$CGROUP/$kind"
}

mglru y
: >counters
alone anon anon "$(percent 20)" 30
alone file file "$DB_FILE" 10
alone stream -r 100000 stream "$DB_FILE"
alone write write /data/scratch 20M
alone limit limit 16M
# Larger than its memcg, not than the machine: under emulation that alone takes half a minute.
alone thrash -o memory.max=32M thrash 48M
alone fork fork 1M
alone hog -o memory.max=64M -o memory.swap.max=0 hog 16M
