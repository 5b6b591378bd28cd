# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154
# A series of trees under pressure.

check_pressure() {
	check_status pressure
	for name in pgsteal_kswapd pgsteal_anon pgsteal_file pswpout workingset_refault_file; do
		before=$(counter "$at/vmstat-before" $name)
		after=$(counter "$at/vmstat-after" $name)
		expect "$name grows" "$before to $after" [ "$after" -gt "$((before + 500))" ]
	done
	expect 'nothing was killed' "oom_kill $(counter "$at/vmstat-after" oom_kill)" \
		[ "$(counter "$at/vmstat-after" oom_kill)" = 0 ]
	trees=$(find "$at/series" -mindepth 1 -maxdepth 1 | wc -l)
	expect 'a series of trees' "$trees" [ "$trees" -eq "${TREES:-15}" ]
	last=$(find "$at/series" -mindepth 1 -maxdepth 1 | sort | tail -n 1)
	check_series
	expect 'each memcg on each node' \
		"$(lruvecs "$last/sys/kernel/debug/lru_gen") lruvecs, $(paths "$last/sys/kernel/debug/lru_gen" | tr '\n' ' ')" \
		[ "$(lruvecs "$last/sys/kernel/debug/lru_gen")" -eq $((4 * count)) ]
	expect 'the limit holds' "$(line "$last/sys/fs/cgroup/web/memory.current") of 67108864 bytes" \
		[ "$(line "$last/sys/fs/cgroup/web/memory.current")" -le 67108864 ]
}

# Time goes on from tree to tree, and so does what kswapd stole.
check_series() {
	expect 'time and counters never go back' "$(cat "$at"/series/*/proc/uptime | awk '{ printf "%s ", $1 }')" \
		awk '$1 == "pgsteal_kswapd" || FILENAME ~ /uptime$/ {
			v = FILENAME ~ /uptime$/ ? $1 : $2
			k = FILENAME ~ /uptime$/ ? "uptime" : $1
			if (v < was[k]) bad = 1
			was[k] = v
		}
		END { exit bad }' "$at"/series/*/proc/uptime "$at"/series/*/proc/vmstat
}
