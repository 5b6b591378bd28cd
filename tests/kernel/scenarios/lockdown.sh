# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# Locked down, as with Secure Boot: lru_gen is refused to root too, lru_gen_full stays. There is no way
# back, so nothing else may come after this.

mglru y
mount -t securityfs security /sys/kernel/security
cat /sys/kernel/security/lockdown >modes
echo integrity >/sys/kernel/security/lockdown
cat /sys/kernel/security/lockdown >>modes
cat /sys/kernel/debug/lru_gen >lru_gen 2>&1
start locked anon 8M 30
ready locked
freeze_loads
reclaimtop doctor >doctor 2>&1
echo $? >doctor.status
cat /sys/kernel/debug/lru_gen_full >lru_gen_full
reclaimtop --json -n 1 >json
reclaimtop --events --json -n 1 >integrity.jl 2>integrity.err
ls /sys/kernel/tracing/instances >instances
echo confidentiality >/sys/kernel/security/lockdown
reclaimtop --events --json -n 1 >confidentiality.jl 2>confidentiality.err
