# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034
# What a fresh guest looks like, and one tree of it, captured twice: with its names, and without.

cat /proc/cmdline >cmdline
cat /proc/mounts >mounts
cat /proc/swaps >swaps
nproc >cpus
cat /sys/devices/system/node/online >nodes
cat "$CGROUP/cgroup.subtree_control" >controllers
as_user 'id -u; cat /sys/kernel/debug/lru_gen' >user 2>&1

for value in n y 0x1 0x5 y; do
	mglru "$value"
	echo "$value $(cat /sys/kernel/mm/lru_gen/enabled)"
done >mglru

# Nothing runs, but a memcg keeps what was read in it.
mkdir -p "$CGROUP/top/web" "$CGROUP/top/odd name	\\x" "$CGROUP/web"
echo +memory >"$CGROUP/top/cgroup.subtree_control"
load -c "$CGROUP/web" -t 2 file "$DB_FILE" 100
cat /sys/kernel/debug/lru_gen >lru_gen-before
capture-root named
capture-root -a -k names renamed
cat /sys/kernel/debug/lru_gen >lru_gen-after
rmdir "$CGROUP/top/web" "$CGROUP/top/odd name	\\x" "$CGROUP/top"
echo "uptime $(cat /proc/uptime)"
