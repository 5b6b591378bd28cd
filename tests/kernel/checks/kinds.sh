# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154

# Each kind of load does what it is for.
check_kinds() {
	check_status kinds
	for pair in 'anon pgfault' 'file pgpgin' 'stream pgpgin' 'write pgpgout' 'limit pswpout' \
		'thrash pswpin' 'fork pgfault' 'hog oom_kill'; do
		got=$(awk -v p="$pair" '$1 " " $2 == p { print $3 }' "$at/counters")
		expect "load ${pair% *}: ${pair#* } moves" "$got" [ "${got:-0}" -gt 0 ]
	done
}
