# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# Three memcgs that do not fit: a service with hot and cold memory, a database that reads, and later
# a batch job: what is hot fits, the whole does not.  At the end the service gets a limit.
# TREES is how many trees are captured.
trees=${TREES:-15}
first=$((trees < 5 ? 1 : 2))

mglru y
cat /proc/vmstat >vmstat-before
start web anon "$(percent 40)" 30
start db file "$DB_FILE" 10
capture-root -n "$first" series
ready web db
start batch anon "$(percent 50)" 60
hold
capture-root -n $((trees - first - 1)) series
ready batch
echo 64M >"$CGROUP/web/memory.max"
sleep 1
capture-root -n 1 series
cat /proc/vmstat >vmstat-after
say "captured: $(echo series/*)"
