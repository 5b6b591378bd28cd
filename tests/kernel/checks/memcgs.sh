# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154
# A thousand memcgs: what a sample costs, and that none is lost.

check_memcgs() {
	check_status memcgs
	made=$(paths "$at/lru_gen" | grep -c '^/many/m')
	expect 'a thousand memcgs in lru_gen' "$made, $(pages_of "$at/lru_gen" 3) anonymous pages" \
		[ "$made" -eq 1000 ]
	expect '1,000 memcgs: CPU of a sample against cat of the same files' "$(line "$at/cost")" \
		awk '{ for (i = 1; i < NF; i++) if ($i == "each") r = $(i + 1) + 0 } END { exit !(r > 0 && r <= 1.5) }' "$at/cost"
	jq -r 'select(.type == "sample" and .key) | .lru_gen[].path' "$at/json" | sort -u >"$at/ours"
	paths "$at/lru_gen" >"$at/kernel"
	expect '1,000 memcgs: all are in a sample' "$(wc -l <"$at/ours") of $(wc -l <"$at/kernel")" \
		cmp -s "$at/ours" "$at/kernel"
	# shellcheck disable=SC2046
	set -- $(jq -r 'select(.key) | "\(.memcgs | length) \(.memcgs_left_out)"' "$at/json")
	expect '1,000 memcgs: files of the largest ones are read, the others are counted' "$1 read, $2 left out" \
		[ "$1" -ge 20 -a $(($1 + $2)) -eq "$(wc -l <"$at/kernel")" ]
	expect '1,000 memcgs: resident set' "$(counter "$at/resident" VmRSS:) KiB" \
		[ "$(counter "$at/resident" VmRSS:)" -le 20480 ]
}
