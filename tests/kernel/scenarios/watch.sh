# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# A session of WATCH samples (60), a second apart, is recorded under pressure of all kinds, with the
# kernel's own files read beside it for a part of the time, and the births of generations seen by
# probes. Then the loads are frozen, and another short session is recorded of the machine at rest.
memcgs='web db batch group group/inner'

mglru y
births_on
mkdir -p "$CGROUP/group"
echo +memory >"$CGROUP/group/cgroup.subtree_control"
start web anon "$(percent 40)" 30
start db file "$DB_FILE" 10
start group/inner -r 3000 limit 24M
ready web db group/inner
mkdir -p "$CGROUP/batch"
reclaimtop --json --derived -d 1 -n "${WATCH:-60}" >load.jl 2>load.err &
session=$!
sleep 3
start batch anon "$(percent 45)" 60
sleep 4
# shellcheck disable=SC2086
watch_files load 20 300 $memcgs
start thrash thrash "$(percent 35)"
wait $session
echo $? >load.status
births_off births
capture-root -n 3 trees
say 'under load: done'

freeze_loads
at_rest
# shellcheck disable=SC2086
watch_files rest 26 250 $memcgs &
reading=$!
reclaimtop --json --derived -d 1 -n 7 >rest.jl 2>rest.err
echo $? >rest.status
wait $reading
say 'at rest: done'
