# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154
# What a fresh guest looks like, and that what capture-root captures is what the kernel says.

check_boot() {
	check_status boot
	expect 'the kernel that was asked for' "$release" [ "$(line "$at/../release")" = "$release" ]
	expect 'CPUs and nodes' "$(line "$at/cpus") CPUs, nodes $(line "$at/nodes")" \
		[ "$(line "$at/cpus")/$(line "$at/nodes")" = "$cpus/$nodes" ]
	expect 'memory controller on' "subtree_control: $(line "$at/controllers")" \
		[ "$(line "$at/controllers")" = memory ]
	expect 'swap on' "$(sed -n 2p "$at/swaps" | awk '{ print $1, $3 " KiB" }')" \
		grep -q '^/dev/nvme' "$at/swaps"
	for type in debugfs cgroup2 tmpfs devpts ext4; do
		expect "$type mounted" "$(awk -v t=$type '$3 == t { print $2; exit }' "$at/mounts")" \
			awk -v t="$type" '$3 == t { found = 1 } END { exit !found }' "$at/mounts"
	done
	expect 'the ordinary user may not read lru_gen' "$(tr '\n' ' ' <"$at/user")" \
		grep -q '^1000$' "$at/user"
	expect 'it is refused, not missing' "$(tail -n 1 "$at/user")" grep -qi 'permission denied' "$at/user"
	check_mglru
	check_capture
}

check_mglru() {
	expect 'MGLRU after boot' "$(line "$at/../mglru-at-boot"), expected $mglru" \
		[ "$(line "$at/../mglru-at-boot")" = "$mglru" ]
	for pair in 'n 0x0000' 'y 0x0007' '0x1 0x0001' '0x5 0x0005'; do
		expect "MGLRU written ${pair% *}" "reads back $(counter "$at/mglru" "${pair% *}" | line -)" \
			grep -qx "$pair" "$at/mglru"
	done
}

check_capture() {
	expected='proc/uptime proc/vmstat proc/zoneinfo proc/meminfo proc/buddyinfo proc/pagetypeinfo
		proc/swaps proc/version proc/pressure/memory proc/sys/kernel/osrelease
		proc/sys/kernel/random/boot_id proc/sys/vm/swappiness sys/devices/system/node/online
		sys/fs/cgroup/memory.stat sys/fs/cgroup/web/memory.current sys/fs/cgroup/web/memory.max
		sys/kernel/debug/lru_gen sys/kernel/debug/lru_gen_full sys/kernel/mm/lru_gen/enabled'
	missing=''
	for file in $expected; do
		[ -s "$at/named/$file" ] || missing="$missing $file"
	done
	expect 'capture-root: files' "missing:${missing:- none}" [ -z "$missing" ]

	lru=sys/kernel/debug/lru_gen
	paths "$at/named/$lru" >"$at/paths"
	folders "$at/named" >"$at/folders"
	expect 'capture-root: each memcg of lru_gen has its folder' "$(wc -l <"$at/paths") memcgs" \
		cmp -s "$at/paths" "$at/folders"

	# A memcg at rest keeps its pages, but for those still in per-CPU batches.
	for column in 3 4; do
		before=$(pages_of "$at/lru_gen-before" $column)
		tree=$(pages_of "$at/named/$lru" $column)
		after=$(pages_of "$at/lru_gen-after" $column)
		expect "capture-root: column $column of lru_gen" \
			"$before before, $tree in the tree, $after after" \
			[ "$tree" -ge $((before - 600)) ] && [ "$tree" -le $((after + 600)) ]
	done

	# The same pages as the kernel counts them in another file.
	anon=$(awk '/^nr_(in)?active_anon / { n += $2 } END { print n }' "$at/named/proc/vmstat")
	generations=$(pages_of "$at/named/$lru" 3)
	expect 'anonymous pages: generations against vmstat' "$generations, $anon" \
		[ "$(apart "$anon" "$generations")" -le 256 ]
	check_renamed
	check_round_trip
}

# With names replaced: the same memcgs, none of the old names.
check_renamed() {
	awk -v names="$at/names" '
	BEGIN {
		while ((getline l < names) > 0) {
			b = index(l, " ")
			old[substr(l, 1, b - 1)] = substr(l, b + 1)
		}
	}
	{
		n = split($0, part, "/")
		out = ""
		for (i = 2; i <= n; i++) out = out "/" (part[i] == "" ? "" : old[part[i]])
		print out
	}' <<-END | sort -u >"$at/translated"
	$(paths "$at/renamed/$lru")
	END
	expect 'names replaced: the same memcgs' "$(wc -l <"$at/translated") translated back" \
		cmp -s "$at/translated" "$at/paths"
	paths "$at/renamed/$lru" >"$at/renamed-paths"
	folders "$at/renamed" >"$at/renamed-folders"
	expect 'names replaced alike in lru_gen and in folders' "$(tr '\n' ' ' <"$at/renamed-paths")" \
		cmp -s "$at/renamed-paths" "$at/renamed-folders"
	expect 'names replaced: full as well' "$(paths "$at/renamed/${lru}_full" | wc -l) memcgs" \
		[ "$(paths "$at/renamed/${lru}_full")" = "$(cat "$at/renamed-paths")" ]
	expect 'names replaced: none is left' "looked for /web and 'odd name'" \
		sh -c '! grep -r -q -F -e /web -e "odd name" "$0" && ! find "$0" | grep -q -F -e /web -e "odd name"' \
		"$at/renamed"
}

# A tree captured from a tree is that tree.
check_round_trip() {
	rm -rf "$at/again"
	busybox sh "$here/../capture-root" -s "$at/named" "$at/again" 2>/dev/null
	expect 'capture-root of a captured tree' "$(find "$at/again" -type f | wc -l) files" \
		diff -r "$at/named" "$at/again"
}
