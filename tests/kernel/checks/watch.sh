# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154
# A recorded session against the kernel: samples against its files, flows against its counts.

check_watch() {
	check_status watch
	for part in load rest; do
		expect "session, $part: ends by itself" "exit status $(line "$at/$part.status"), $(grep -c '"sample"' "$at/$part.jl") samples" \
			[ "$(line "$at/$part.status")" = 0 ]
		make_lines $part
	done
	check_between
	check_evicted
	check_births
	check_sums
	check_marked_gaps "$at/load.jl"
	check_series
	check_falsified
}

# Samples and readings as lines, and the one held against the other.
make_lines() {
	"$reckon" --whole "$at/$1.jl" >"$at/$1.whole"
	jq -s -r -f "$here/lines.jq" "$at/$1.whole" >"$at/$1.ours"
	find "$at/$1"/[0-9]* -type f | sort | xargs awk -f "$here/lines.awk" >"$at/$1.kernels"
	awk -v still="$([ "$1" = rest ] && echo 1)" -v times="$at/$1/times" -v kernels="$at/$1.kernels" \
		-f "$here/between.awk" "$at/$1/times" "$at/$1.kernels" "$at/$1.ours" >"$at/$1.compared"
}

compared() { awk -v k="$2" '$1 == k { print $2; f = 1 } END { if (!f) print 0 }' "$at/$1.compared"; }
complaints() { grep -e '^sample' -e '^missing' "$at/$1.compared" | grep -v '^samples' | head -n "${2:-3}" | tr '\n' ';'; }

check_between() {
	expect 'samples under load: what only grows lies between two readings' \
		"$(compared load counters) values in $(compared load samples) samples, $(compared load wrong) outside $(complaints load)" \
		[ "$(compared load wrong)" -eq 0 -a "$(compared load counters)" -ge 1000 -a "$(compared load samples)" -ge 3 ]
	check_rest
}

# A machine at rest: $at/rest.compared.
check_rest() {
	expect 'samples at rest: counters and gauges exactly' \
		"$(compared rest gauges) gauges and $(compared rest counters) counters in $(compared rest samples) samples, $(compared rest wrong) differ, $(compared rest batch) are off by a batch of free pages, $(compared rest once) in one sample only $(complaints rest)" \
		[ "$(compared rest wrong)" -eq 0 -a "$(compared rest once)" -le 20 -a "$(compared rest gauges)" -ge 500 -a "$(compared rest samples)" -ge 2 ]
	expect 'samples at rest: nothing that the files say is left out' \
		"$(compared rest keys) names, $(awk '$1 == "keys" { print $4 }' "$at/rest.compared") missing $(complaints rest)" \
		grep -q '^keys .* missing 0$' "$at/rest.compared"
	for pair in 'gen generations' 'pageset pagesets' 'buddy free-lists' 'zone zones' 'node nodes' 'memcg memory.stat'; do
		expect "samples at rest: ${pair#* }" "$(grep "^compared ${pair% *} " "$at/rest.compared")" \
			awk -v k="${pair% *}" '$1 == "compared" && $2 == k { ok = $3 >= $5 / 4 && $3 >= 5 } END { exit !ok }' "$at/rest.compared"
	done
}

# slack SOURCE PAGES: how far PAGES that a source counts over the session may be off for being read at another
# time than lru_gen was, in the first sample and in the last; and batches that CPUs have not handed in.
slack() {
	jq -s -r --arg source "$1" --argjson pages "$2" '
		[.[] | select(.type == "sample")] | .[0] as $a | .[-1] as $b
		| [$a, $b] | map((.readings[$source][1] | numbers) - .readings.lru_gen[0]) | add
		| $pages / 100 + 128 + 4 * $pages * . / ($b.mono_us - $a.mono_us) | ceil' "$at/load.whole"
}

# bounded NAME KERNEL LOW HIGH SLACK: the truth lies where the model says that it does.
bounded() {
	expect "$1: the kernel's count is within the bounds" "$2 between $3 and $4, give or take $5" \
		awk -v k="$2" -v lo="$3" -v hi="$4" -v slack="$5" 'BEGIN {
			exit !(k >= lo - slack && (hi == "-" || k <= hi + slack)) }'
}

# Pages evicted as the model has them without being told how many, against the kernel's count.
check_evicted() {
	"$reckon" "$at/load.jl" >"$at/reckoned"
	for type in anon file; do
		# shellcheck disable=SC2046
		set -- $(awk -v t=$type '$1 == "evicted" && $2 == "full" && $3 == t { print $7, $5, $9, $11, $13, $15, $17, $19 }' "$at/reckoned")
		within "evicted $type, reckoned without pgsteal" "$1" "$2" \
			"between $3 and $4: $5 counted by lru_gen_full, off by $6 where all was; off by $7 where a generation ended between two samples and only its averages tell; $8 in steps that say nothing"
		expect "evicted $type: enough of it" "$2 pages" [ "$2" -ge 2000 ]
		bounded "evicted $type" "$2" "$3" "$4" "$(slack vmstat "$2")"
		# shellcheck disable=SC2046
		set -- $(awk -v t=$type '$1 == "evicted" && $2 == "alone" && $3 == t { print $7, $5 }' "$at/reckoned")
		note "evicted $type, reckoned without lru_gen_full: $1 for the kernel's $2, $(off "$1" "$2") %: what was evicted and made good by new pages between two samples does not show in lru_gen"
	done
	check_evicted_memcgs
}

# The same for each memcg. One that is small, or whose generations go fast, may be far off alone, and its bounds
# say so; what all of them are off, without one making good for another, must be met.
check_evicted_memcgs() {
	awk '$1 == "steps" { samples = $6 }
		$1 == "memcg" && $2 == "full" && $5 >= 1000 { said[$3] = $7 " " $5 " " $9 " " $11 }
		$1 == "births" { births[$2] += $4 }
		END { for (path in said) print path, said[path], births[path], samples }' "$at/reckoned" >"$at/memcgs"
	while read -r path ours kernel low high births samples; do
		note "evicted of $path, reckoned without pgsteal: $ours for the kernel's $kernel, $(off "$ours" "$kernel") %: $births generations in $samples samples"
		bounded "evicted of $path" "$kernel" "$low" "$high" "$(slack cgroup "$kernel")"
	done <"$at/memcgs"
	expect 'evicted: memcgs that could be compared' "$(cut -d ' ' -f 1 "$at/memcgs" | tr '\n' ' ')" \
		[ "$(wc -l <"$at/memcgs")" -ge 3 ]
	# shellcheck disable=SC2046
	set -- $(awk '{ d = $2 - $3; apart += d < 0 ? -d : d; all += $3 } END { print apart + 0, all + 0 }' "$at/memcgs")
	expect 'evicted by memcg, reckoned without pgsteal: within 20 %' "apart by $1 in all, of the kernel's $2, $(off "$(($1 + $2))" "$2") %" \
		[ "$2" -gt 0 -a $((5 * $1)) -le "$2" ]
}

check_births() {
	awk -v ours="$at/load.ours" -f "$here/births.awk" "$at/load.ours" "$at/births" >"$at/births.compared"
	# shellcheck disable=SC2046
	set -- $(awk '$1 == "all" { print $3, $5, $7, $9 }' "$at/births.compared")
	within 'births of generations against try_to_inc_max_seq()' "$1" "$2" \
		"$3 in lruvecs that no sample has, $4 events lost"
	expect 'births: enough of them' "$2" [ "$2" -ge 10 ]
	while read -r _ path node _ ours _ probe _ agree _ samples _ _ _ _ _ _ edge; do
		[ "$ours/$probe" = 0/0 ] || expect "births in $path, node $node" \
			"$ours, probe $probe, $edge of them while the first or last sample was read; at $agree of $samples samples both have the same youngest generation" \
			[ "$(apart "$ours" "$probe")" -le "$edge" -a "$agree" -ge $((samples * 9 / 10)) ]
	done <<-END
	$(grep '^lruvec' "$at/births.compared")
	END
}

# Stolen by who and by what: no false alarm.
sums() { jq -r 'select(.type == "step") | .reclaim | [.check, .check_diff // 0, .check_allowed // 0] | @tsv' "$@"; }
check_sums() {
	sums "$at/load.jl" "$at/rest.jl" >"$at/sums"
	# shellcheck disable=SC2046
	set -- $(awk '{ n[$1]++; d = $2 < 0 ? -$2 : $2; if (d > most) most = d; if ($1 == "agree" && d > $3) beyond++ }
		END { print n["agree"] + 0, n["disagree"] + 0, n["unknown"] + 0, most + 0, beyond + 0 }' "$at/sums")
	expect 'stolen by who and by what: no false alarm' \
		"$1 steps agree, $2 do not, $3 cannot be told; at most $4 pages apart" [ "$2" -eq 0 -a "$1" -ge 20 ]
}

# Time goes on from tree to tree, and so does what kswapd stole.
check_series() {
	expect 'captured trees: time and counters never go back' "$(cat "$at"/trees/*/proc/uptime | awk '{ printf "%s ", $1 }')" \
		awk '$1 == "pgsteal_kswapd" || FILENAME ~ /uptime$/ {
			v = FILENAME ~ /uptime$/ ? $1 : $2
			k = FILENAME ~ /uptime$/ ? "uptime" : $1
			if (v < was[k]) bad = 1
			was[k] = v
		}
		END { exit bad }' "$at"/trees/*/proc/uptime "$at"/trees/*/proc/vmstat
}

# Between two trees, one of which is not what the kernel said.
check_falsified() {
	rm -rf "$at/falsified"
	cp -R "$at/trees" "$at/falsified"
	awk '$1 == "pgsteal_kswapd" { $2 += 100000 } { print }' "$at/trees/01/proc/vmstat" >"$at/falsified/01/proc/vmstat"
	"$program" --derived -n 2 --root "$at/trees" >"$at/trees.jl"
	"$program" --derived -n 2 --root "$at/falsified" >"$at/falsified.jl"
	expect 'stolen by who and by what: agree in captured trees' "$(sums "$at/trees.jl" | tail -n 1)" \
		[ "$(sums "$at/trees.jl" | tail -n 1 | cut -f 1)" = agree ]
	expect 'stolen by who and by what: a true alarm where a counter is falsified' \
		"pgsteal_kswapd 100000 too high: $(sums "$at/falsified.jl" | tail -n 1)" \
		[ "$(sums "$at/falsified.jl" | tail -n 1 | cut -f 1)" = disagree ]
}

# A gap is marked where samples came late, and nowhere else.
check_marked_gaps() {
	jq -r 'select(.type == "step" and .state != "first") | [.dt_us, .state] | @tsv' "$1" >"$at/gaps"
	expect 'gaps are marked, and nothing else' \
		"$(grep -c gap "$at/gaps") of $(grep -c . "$at/gaps") steps, the longest took $(sort -n "$at/gaps" | tail -n 1 | awk '{ print $1 / 1e6 }') s" \
		awk '{ late = $1 > 2100000; if (late != ($2 == "gap")) bad = 1 } END { exit bad || !NR }' "$at/gaps"
}
