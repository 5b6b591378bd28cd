# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# Many memcgs (MEMCGS of them, 1000), each with a little memory, half of them in use: what a sample
# costs, and what the program says of them.

mglru y
say 'begin'
load memcgs "$CGROUP/many" "${MEMCGS:-1000}" 64K >/tmp/load-many 2>&1 &
ready many
say 'there'
hold
cat /sys/kernel/debug/lru_gen >lru_gen
say "lru_gen read, $(wc -c <lru_gen) bytes"
# The CPU of samples against that of cat, over the same files: freeze what would disturb. The guest is billed for
# time in which the emulator did not run. That only adds, so the least of several of each is held against the
# other; and where it is too much, once more. What costs too much does so each time.
freeze_loads
for _ in 1 2 3; do
	live_bench "${SAMPLES:-6}" 7 >cost 2>&1
	say "cost: $(cat cost)"
	! awk '{ for (i = 1; i < NF; i++) if ($i == "each") r = $(i + 1) + 0 } END { exit !(r > 0 && r <= 1.5) }' cost || break
done
thaw_loads
reclaimtop --json -d 1.5 -n 4 >json 2>json.err &
session=$!
sleep 3
resident $session >resident
wait $session
echo $? >json.status
say 'recorded'
end_loads
sleep 1
rmdir "$CGROUP"/many/m[0-9]* "$CGROUP/many"
say 'removed'
