# SPDX-License-Identifier: GPL-2.0-or-later
#
# Whole sample lines of --json, slurped, as lines: number, source, key, value; and one for each reading:
# number, "at", its source, start and end in microseconds. lines.awk has the same keys.

# Start and end of each reading; "<" is the time before it on the line.
def times:
	reduce to_entries[] as $e ({last: 0, all: []};
		(if $e.value[0] == "<" then .last else $e.value[0] end) as $from
		| (if $e.value[1] == "<" then $from else $e.value[1] end) as $to
		| .all += [[$e.key, $from, $to]] | .last = $to)
	| .all[];

def counters($n; $source; $key): to_entries[] | select(.value != null) | [$n, $source, "\($key)\(.key)", .value];

.[] | select(.type == "sample") | .n as $n | .mono_us as $t |
(.readings | times | [$n, "at", .[0], $t + .[1], $t + .[2]]),
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
