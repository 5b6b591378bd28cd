# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# Many memcgs (MEMCGS of them, 1000), each with a little memory, half of them in use.

mglru y
say 'begin'
load memcgs "$CGROUP/many" "${MEMCGS:-1000}" 64K >/tmp/load-many 2>&1 &
ready many
say 'there'
hold
cat /sys/kernel/debug/lru_gen >lru_gen
say "lru_gen read, $(wc -c <lru_gen) bytes"
