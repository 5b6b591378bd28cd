# SPDX-License-Identifier: GPL-2.0-or-later
#
# Whole sample lines of --json, slurped, as lines: number, source, key, value; and one for each reading:
# number, "at", its source, start and end in microseconds. lines.awk has the same keys.

def counters($n; $source; $key): to_entries[] | select(.value != null) | [$n, $source, "\($key)\(.key)", .value];

.[] | select(.type == "sample") | .n as $n | .mono_us as $t |
(.readings | to_entries[] | [$n, "at", .key, $t + .value[0], $t + .value[1]]),
(.vmstat | counters($n; "vmstat"; "vmstat ")),
(.meminfo | counters($n; "meminfo"; "meminfo ")),
(.nodes[] | "node \(.node) " as $k | .stats | counters($n; "zoneinfo"; $k)),
(.zones[] | "\(.node) \(.zone)" as $z |
	(del(.node, .zone, .protection, .stats, .pagesets) | counters($n; "zoneinfo"; "zone \($z) ")),
	(.stats // {} | counters($n; "zoneinfo"; "zone \($z) ")),
	((.pagesets // [])[] | .cpu as $cpu | del(.cpu) | counters($n; "zoneinfo"; "pageset \($z) \($cpu) "))),
(.buddyinfo[] | "buddy \(.node) \(.zone) " as $k | .blocks | to_entries[] |
	[$n, "buddyinfo", "\($k)\(.key)", .value]),
(.pressure.memory | to_entries[] | [$n, "pressure_memory", "pressure \(.key)", .value.total]),
(.memcgs[] | "memcg \(.path) " as $k |
	({current, swap_current} | counters($n; "cgroup"; $k)),
	(.stat // {} | counters($n; "cgroup"; $k))),
(.lru_gen[] | "gen \(.path) \(.node) " as $k | .gens[] |
	[$n, "lru_gen", "\($k)\(.[0]) anon", .[2]], [$n, "lru_gen", "\($k)\(.[0]) file", .[3]])
| map(tostring) | join("\t")
