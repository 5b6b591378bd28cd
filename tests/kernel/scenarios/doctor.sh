# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# What doctor says of this kernel in each of its states, and whether what it advises helps. Begun before
# anything is written to the kernel.

# look NAME COMMAND...: what it says, and its exit status.
look() {
	name=$1
	shift
	"$@" >"$name" 2>&1
	echo $? >"$name.status"
}

# What doctor advised of a source.
advice() { sed -n "s/^ *$2 .*; //p" "$1"; }

look as-booted reclaimtop doctor
mglru n
look off reclaimtop doctor
advice off mglru >off.advice
sh off.advice
cat /sys/kernel/mm/lru_gen/enabled >off.then
look on reclaimtop doctor
look user as_user reclaimtop doctor

# The same things counted by other means, at rest.
cat /sys/kernel/debug/lru_gen >lru_gen
cat /proc/vmstat >vmstat
cat /proc/meminfo >meminfo
cat /proc/zoneinfo >zoneinfo
cat /proc/buddyinfo >buddyinfo
cat /proc/sys/vm/swappiness >swappiness

for bits in 0x1 0x5; do
	mglru "$bits"
	look "bits-$bits" reclaimtop doctor
done
mglru y

umount /sys/kernel/debug
look no-debugfs reclaimtop doctor
look no-debugfs-user as_user reclaimtop doctor
advice no-debugfs lru_gen >no-debugfs.advice
sh no-debugfs.advice
look debugfs-again reclaimtop doctor

swapoff -a
look no-swap reclaimtop doctor
swapon "$(swap_disk)"
