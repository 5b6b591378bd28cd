# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154
# A kernel that is locked down.

check_lockdown() {
	check_status lockdown
	expect 'lockdown: events can be had under integrity, and are gone' "$(line "$at/integrity.err") $(line "$at/instances")" \
		[ ! -s "$at/integrity.err" -a ! -s "$at/instances" ]
	check_refused 'lockdown' confidentiality 'kernel lockdown refuses them' EPERM
	expect 'lockdown: lru_gen is refused to root' "$(line "$at/lru_gen")" \
		grep -q 'Operation not permitted' "$at/lru_gen"
	says doctor lru_gen 'in part ' 'kernel lockdown (integrity)' 'lru_gen_full is read in its place'
	exits doctor 0 lru_gen_full
	# Rows that hold no pages of a type may be below its oldest: lru_gen_full alone prints those.
	awk '$1 == "memcg" { match($0, /^memcg +[0-9]+ /); path = substr($0, RLENGTH + 1) }
		$1 == "node" { node = $2 }
		/^ [ 0-9]/ && !/^            / && $1 ~ /^[0-9]+$/ && $3 + $4 > 0 { print path, node, $1, $3 + 0, $4 + 0 }' \
		"$at/lru_gen_full" | sort >"$at/kernel"
	jq -r 'select(.type == "sample") | .lru_gen[] | .path as $p | .node as $n | .gens[] |
		select(.[2] + .[3] > 0) | "\($p) \($n) \(.[0]) \(.[2]) \(.[3])"' "$at/json" | sort >"$at/ours"
	grep -v '^/ ' "$at/kernel" >"$at/kernel.loads"
	grep -v '^/ ' "$at/ours" >"$at/ours.loads"
	expect 'lockdown: generations from lru_gen_full' "$(tr '\n' ';' <"$at/ours.loads")" \
		sh -c '[ -s "$0" ] && cmp -s "$0" "$1"' "$at/kernel.loads" "$at/ours.loads"
}
