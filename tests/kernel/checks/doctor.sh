# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154
# What doctor says of each state of a kernel.

# One source of one report: its state and what was found.
said() { sed -n "s/^  $2  *//p" "$at/$1"; }

# says STATE SOURCE WORDS...: each of the words stands in the line of the source.
says() {
	state=$1 source=$2 lacks=''
	shift 2
	text=$(said "$state" "$source")
	for words; do
		case $text in *"$words"*) ;; *) lacks=", lacks '$words'" ;; esac
	done
	expect "doctor, $state: $source" "$text$lacks" [ -n "$text" -a -z "$lacks" ]
}

# exits STATE STATUS RUNG: exit status, and what the program will show.
exits() {
	got=$(line "$at/$1.status")
	shows=$(sed -n 's/^reclaimtop shows //p' "$at/$1")
	expect "doctor, $1: exit status" "$got, expected $2; shows $shows" \
		[ "$got/${shows%%:*}" = "$2/$3" ]
}

check_doctor() {
	check_status doctor
	if [ "$mglru" = 0x0000 ]; then
		exits as-booted 1 'classic lists'
		says as-booted mglru 'off ' '(0x0000)' 'echo y > /sys/kernel/mm/lru_gen/enabled'
	else
		exits as-booted 0 lru_gen
		says as-booted mglru 'ok ' '(0x0007)'
	fi
	exits on 0 lru_gen
	says on mglru 'ok ' 'on: core, mm_walk, nonleaf_young (0x0007)'
	exits off 1 'classic lists'
	says off mglru 'off ' 'switched off (0x0000)' '; echo y > '
	expect 'doctor, off: what it advises helps' "$(line "$at/off.advice"): enabled is $(line "$at/off.then")" \
		[ "$(line "$at/off.then")" = 0x0007 ]
	says bits-0x1 mglru 'in part ' 'on: core (0x0001)' 'mm_walk nonleaf_young; echo y > '
	exits bits-0x1 0 lru_gen
	says bits-0x5 mglru 'in part ' 'on: core, nonleaf_young (0x0005)' ': mm_walk; echo y > '
	exits bits-0x5 0 lru_gen
	for source in lru_gen lru_gen_full; do
		says no-debugfs $source 'missing ' 'debugfs is not mounted' '; mount -t debugfs debugfs /sys/kernel/debug'
		says user $source 'refused ' 'Permission denied' 'as root'
	done
	exits no-debugfs 1 'classic lists'
	exits no-debugfs-user 1 'classic lists'
	exits debugfs-again 0 lru_gen
	expect 'doctor, no-debugfs: what it advises helps' "$(line "$at/no-debugfs.advice"): $(said debugfs-again lru_gen)" \
		grep -q '^  lru_gen  *ok ' "$at/debugfs-again"
	exits user 4 'classic lists'
	says user mglru 'ok ' '(0x0007)'
	says user vmstat 'ok ' 'values'
	says no-swap swaps 'none ' 'no swap'
	check_counts
}

# What doctor counted, counted otherwise.
check_counts() {
	says on lru_gen "ok  " "$(lruvecs "$at/lru_gen") lruvec, $(($(wc -c <"$at/lru_gen"))) bytes"
	says on vmstat "$(grep -c . "$at/vmstat") values"
	says on meminfo "$(grep -c . "$at/meminfo") values"
	says on zoneinfo "$(grep -c 'per-node stats' "$at/zoneinfo") node" \
		"$(grep -c '^Node' "$at/zoneinfo") zones" "$(grep -c ' cpu: ' "$at/zoneinfo") pagesets"
	says on buddyinfo "$(grep -c . "$at/buddyinfo") zones"
	says on swaps 'ok ' '1 in use'
	says on sysctl "swappiness $(line "$at/swappiness")"
	says on processes "2 of them the kernel's reclaim threads"
}
