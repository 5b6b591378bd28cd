# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154
# The kernel's own events of pagesets: what they count, and that all that was written is taken away.

# What a histogram of the kernel's counts in all: times (1), or pages by what each row's key weighs.
hist_times() { awk -F'[:,}]' '/^\{/ { n += $NF } END { print n + 0 }' "$1"; }
hist_asked() { awk -F'[:,}]' '/^\{/ { n += $4 * $NF } END { print n + 0 }' "$1"; }
hist_pages() { awk -F'[:,}]' '/^\{/ { n += 2 ^ $4 * $NF } END { print n + 0 }' "$1"; }
# Pages by which blocks may be larger than what was left to take.
hist_over() { awk -F'[:,}]' '/^\{/ { n += (2 ^ $4 - 1) * $NF } END { print n + 0 }' "$1"; }

# counted LIST MEMBER: a sum over a list of the sample that was taken between "before" and "after".
counted() {
	jq -s --arg list "$1" --arg member "$2" --argjson n "$(cat "$at/samples")" \
		'[.[] | select(.type == "sample")] | .[$n - 1] | (.[$list] // []) | map(.[$member]) | add // 0' "$at/counted.whole"
}

lies_between() {
	expect "$1" "$2, between $3 and $4" [ "$2" -ge "$3" -a "$2" -le "$4" -a "$2" -gt 0 ]
}

# check_event_counts WHAT LIST MEMBER HISTOGRAM LEAST: the program's sample against the kernel's text before and after, and
# another instance's histogram, which was switched on between two readings of ours.
check_event_counts() {
	[ -e "$at/after-$4" ] || { note "$1 are not counted by this kernel"; return; }
	on0=$(hist_times "$at/on0-$4") on1=$(hist_times "$at/on1-$4")
	before=$(hist_times "$at/before-$4") after=$(hist_times "$at/after-$4")
	lies_between "events: $1, of a sample, against the kernel's own text" "$(counted "$2" "$3")" "$before" "$after"
	expect "events: $1, enough of them" "$((before - on1))" [ $((before - on1)) -ge "$5" ]
	[ ! -e "$at/witness-$4" ] || lies_between "events: $1, against another instance's" \
		"$(hist_times "$at/witness-$4")" $((before - on1)) $((after - on0))
}

check_counted() {
	"$reckon" --whole "$at/counted.jl" >"$at/counted.whole"
	check_event_counts 'blocks drained' drained blocks mm_page_pcpu_drain 500
	check_event_counts 'blocks refilled' refilled blocks mm_page_alloc_zone_locked 1000
	check_event_counts drains drains count drain 20
	check_event_counts refills refills count refill 20
	# Of the two histograms one is read a moment after the other.
	low=$(hist_asked "$at/before-drain") high=$(($(hist_asked "$at/after-drain") + $(hist_over "$at/after-mm_page_pcpu_drain")))
	pages=$(hist_pages "$at/after-mm_page_pcpu_drain")
	lies_between 'events: pages that left, against the sizes of all drains' "$pages" $((low - low / 50)) $((high + high / 50))
	jq -s -r '[.[] | select(.type == "step") | .events | [.drains.v // 0, ([.drain_sizes[]?[1]] | add // 0)] | select(.[0] != .[1])] | length' \
		"$at/counted.jl" >"$at/odd"
	expect 'events: drains of a step are those of its sizes' "$(line "$at/odd") steps where they are not" [ "$(line "$at/odd")" = 0 ]
}

# undone HOW...: what instances and probes there are is what there was before.
undone() {
	for how; do
		expect "events: all is taken away ($how)" "$(tr '\n' ' ' <"$at/after-$how")" cmp -s "$at/before" "$at/after-$how"
	done
}

check_refused() {
	expect "events: $1, said" "$(line "$at/$2.err")" grep -q -e "^reclaimtop: --events: $3" "$at/$2.err"
	expect "events: $1, in the sample" "$(jq -r 'select(.type == "sample") | .sources.events' "$at/$2.jl" | head -n 1)" \
		[ "$(jq -r 'select(.type == "sample") | .sources.events' "$at/$2.jl" | head -n 1)" = "$4" ]
}

check_events() {
	check_status events
	if grep -q rmqueue_bulk "$at/functions"; then
		says doctor events ok 'drains and refills of pagesets, and their sizes'
	else
		says doctor events 'in part' 'not the sizes of refills'
	fi
	expect 'events: an instance and probes while they are on' "$(tr '\n' ' ' <"$at/while")" \
		sh -c 'grep -q -x reclaimtop "$0" && grep -q "^p:reclaimtop/drain free_pcppages_bulk" "$0"' "$at/while"
	check_counted
	undone term hup end killed next first command
	expect 'events: killed with its guard, it leaves something' "$(tr '\n' ' ' <"$at/left")" grep -q -x reclaimtop "$at/left"
	check_refused 'a second one' second 'another reclaimtop has them on' EBUSY
	check_refused 'no root' user 'only root may switch them on' EACCES
	check_refused 'no tracefs' unmounted 'tracefs is not mounted' ENOENT
	expect 'events: a second one goes on without' "exit status $(line "$at/second.status")" [ "$(line "$at/second.status")" = 0 ]
	expect 'events: the first one goes on' "$(tr '\n' ' ' <"$at/after-second")" grep -q -x reclaimtop "$at/after-second"
	expect 'events: recorded' "$(jq -r 'select(.type == "sample" and .key) | .sources.events' "$at/command.jl" | head -n 1)" \
		sh -c 'jq -e -s "[.[] | select(.type == \"sample\" and .key)][0] | .sources.events == \"ok\" and (.drained | length) >= 0" "$0" >/dev/null' "$at/command.jl"
}
