# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154
# The program on the console: screens as text in $dir/screens, and what another one recorded meanwhile.

check_screen() {
	screens=$dir/screens
	check_status screen
	make_lines rest
	check_rest
	check_views
	check_sizes
	check_shell
	"$reckon" --whole "$at/session.jl" >"$at/session.whole"
	check_comings
	check_switches
	check_oom
	check_marked_gaps "$at/session.jl"
	expect 'the session that was stopped has a gap' "$(grep gap "$at/gaps" | tr '\t\n' ' ;')" grep -q gap "$at/gaps"
	sums "$at/session.jl" >"$at/sums"
	expect 'stolen by who and by what: no false alarm, whatever happens' \
		"$(cut -f 1 "$at/sums" | sort | uniq -c | tr -s '\n ' ' ')" sh -c '! grep -q disagree "$0"' "$at/sums"
	check_many
}

# shows SCREEN NAME PATTERN...: every pattern is in the screen.
shows() {
	shown=$1 what=$2 lacks=''
	shift 2
	for pattern; do
		grep -q -e "$pattern" "$screens/$shown" || lacks="$lacks, lacks '$pattern'"
	done
	expect "$what" "screen $shown$lacks" [ -s "$screens/$shown" -a -z "$lacks" ]
}

hides() { expect "$2" "screen $1 without '$3'" sh -c '[ -s "$0" ] && ! grep -q -e "$1" "$0"' "$screens/$1" "$3"; }

check_views() {
	shows view-1-b 'view Overview: memcgs' '\[1 Overview\]' '^Memcgs: ' '/\(web\|db\|batch\|lim\) '
	shows view-2-b 'view Generations: both types, and the memcgs that lose most' '\[2 Generations\]' '^ANON ' '^FILE ' '^/[a-z]*  *.* /[a-z]'
	shows view-2t-b 'view Generations as a table: memcgs on each node' '\[2 Generations\]' \
		'^. /web  .* n0 ' '^. /web  .* n1 ' '^. /db  .* n0 ' '^. /batch  .* n1 ' '^. /lim  .* n1 '
	shows view-3-b 'view Memcgs: memcgs' '\[3 Memcgs\]' '^/web ' '^/db ' '^/batch ' '^/lim ' '^/ '
	shows view-4-b 'view Pagesets: zones' '\[4 Pagesets\]' '^0 DMA ' '^0 DMA32 ' '^1 DMA32 '
	# A vessel each, with how full it is in it (or a dash, of none at all): of each zone but one whose pagesets
	# nothing ever goes through.
	pagesets=$(grep '^[|+].*[0-9]%' "$screens/view-4-b" | grep -o '[0-9]%\| - ' | grep -c .)
	zones=$(grep '^ [01] DMA' "$screens/view-4-b" | grep -o '[01] DMA[0-9]*' | grep -c .)
	there=$((zones * $(grep -c ' cpu: ' "$at/rest/00/proc/zoneinfo") / $(grep -c '  pagesets' "$at/rest/00/proc/zoneinfo")))
	expect 'view Pagesets: every pageset' "$pagesets of $there in $zones zones" \
		[ "$zones" -ge 2 -a "$zones" -le 3 -a "$pagesets" -eq "$there" ]
	shows view-5-b 'view Processes: loads with their memcgs, kswapd of each node' '\[5 Processes\]' \
		' load .* /web' ' load .* /db' ' load .* /batch' ' load .* /lim' ' kswapd0 ' ' kswapd1 '
	for v in 1 2t 3 4 5; do
		for part in a b; do tail -n +3 "$screens/view-$v-$part" >"$at/view-$part"; done
		expect "view $v: numbers move" "$(diff "$at/view-a" "$at/view-b" | grep -c '^>') lines differ" \
			sh -c '! cmp -s "$0" "$1"' "$at/view-a" "$at/view-b"
	done
}

# size ROWS COLUMNS: nothing is outside, the first line is the title, the last the keys.
size() {
	shown=$screens/size-$1x$2
	expect "a terminal of $1 rows and $2 columns is filled" \
		"$(awk '{ if (length($0) > most) most = length($0) } END { print NR " rows, the longest of " most }' "$shown"), last: $(tail -n 1 "$shown")" \
		awk -v rows="$1" -v columns="$2" 'length($0) > columns { bad = 1 }
			NR == 1 && !/^reclaimtop  live / { bad = 1 }
			NR == rows { keys = /^h Help / }
			END { exit bad || NR > rows || !keys }' "$shown"
}

check_sizes() {
	size 20 70
	size 50 150
	size 40 120
	expect 'a terminal that is too small is told so' "$(line "$screens/size-8x30")" \
		awk 'length($0) > 30 { bad = 1 } /^too small/ { told = 1 } END { exit bad || !told || NR > 8 }' "$screens/size-8x30"
	expect 'a wider terminal shows more' "$(awk 'length($0) > 120' "$screens/size-50x150" | wc -l) lines over 120 columns" \
		awk 'length($0) > 120 { n++ } END { exit !n }' "$screens/size-50x150"
}

check_shell() {
	hides left 'q leaves the screen as it was' '3 Memcgs'
	shows left 'q gives the shell back' '@guest .*# reclaimtop$' '@guest .*# *$'
	shows shell 'the shell echoes, as before' '@guest .*# echo seen-' '^seen-42' ' echo ' ' icanon '
	hides shell 'the line is as before' ' -echo '
}

# --- what comes and goes, in the recorded session ---

since() { awk -v e="$1" '$2 == e { print $1 }' "$at/events"; }
# steps FROM TO FILTER: a filter on the steps between two events.
steps() {
	jq -c --argjson from "$(since "$1")" --argjson to "$(since "$2")" \
		"select(.type == \"step\" and .mono_us / 1e6 > \$from and .mono_us / 1e6 <= \$to) | $3" "$at/session.jl"
}
# happens NAME FROM TO FILTER: the filter finds something.
happens() {
	steps "$2" "$3" "$4" >"$at/found"
	expect "$1" "$(grep -c . "$at/found") found: $(line "$at/found" | cut -c 1-150)" [ -s "$at/found" ]
}

check_comings() {
	happens 'a memcg that is removed is dying or gone' db-removed db-again \
		'.memcgs[] | select(.path == "/db" and (.dying or .vanished)) | {path, dying, vanished, lru_pages}'
	happens 'a new memcg of its name is new' db-again web-removed \
		'.memcgs[] | select(.path == "/db" and .new and (.dying | not)) | {path, new, copies}'
	happens 'a new memcg of its name has no flows with the old one' db-again web-removed \
		'select([.memcgs[] | select(.path == "/db" and .new)] | length > 0) | .lruvecs[]
			| select(.path == "/db" and (.flow.file | (.in_young // .in_old // {}) | has("v") | not))
			| {path, memcg, node, a: .flow.file.artefacts}'
	happens 'a memcg whose memory is freed is dying or gone' web-removed mglru-off \
		'.memcgs[] | select(.path == "/web" and (.dying or .vanished)) | {path, dying, vanished}'
	shows memcgs-before 'Memcgs: before' '^/db ' '^/web '
	hides memcgs-removed 'Memcgs: a removed memcg is no living one' '^/db '
	shows memcgs-removed 'Memcgs: what it left is shown as dying' '1 dying' '^+ /db '
	shows memcgs-again 'Memcgs: the new one is there' '^/db '
	hides memcgs-web-removed 'Memcgs: the other is gone' '^/web '
}

check_switches() {
	shows swapoff-1 'swap switched off: said' '^Swap  *none'
	jq -r --argjson t "$(since mglru-off)" 'select(.mono_us / 1e6 > $t) | .swaps | length' "$at/session.whole" |
		head -n 3 | tr '\n' ' ' >"$at/swaps-left"
	expect 'swap switched off: no swap in the samples' "$(cat "$at/swaps-left")" [ "$(cat "$at/swaps-left")" = '0 0 0 ' ]
	expect 'MGLRU off and on' "$(tr '\n' ' ' <"$at/enabled")" [ "$(tr '\n' ' ' <"$at/enabled")" = '0x0000 0x0007 ' ]
	shows mglru-off-1 'MGLRU off: Overview says so' 'classic lists: MGLRU is built in but switched off' '^LRU lists '
	shows mglru-off-2 'MGLRU off: Generations says so' 'classic lists: MGLRU is built in but switched off' '^ *inactive '
	shows mglru-on-1 'MGLRU on again: Overview' ' lru_gen ' '^Generations '
	shows mglru-on-2 'MGLRU on again: generations' '^[ ^] youngest ' '^. /batch  .* n1 '
	hides mglru-on-2 'MGLRU on again: nothing is left of it' 'classic lists'
	for pair in 'mglru-off mglru-on' 'mglru-on oom'; do
		happens "${pair% *}: no flow between the two kinds of lists" "${pair% *}" "${pair#* }" \
			'select(([.lruvecs[] | select(.flow.anon.artefacts // [] | index("switched"))] | length) >= 4)
			| {artefacts: .flow.anon.artefacts, in_young: .flow.anon.in_young}'
		expect "${pair% *}: once" "$(grep -c . "$at/found") steps" [ "$(grep -c . "$at/found")" -eq 1 ]
		expect "${pair% *}: not drawn as movement" "$(line "$at/found")" grep -q '"in_young":null' "$at/found"
	done
}

check_oom() {
	kills=$(($(cat "$at/oom-after") - $(cat "$at/oom-before")))
	steps oom oom-over '.reclaim.oom_kills.v // 0' >"$at/found"
	expect 'out of memory: the kernel kills' "$kills kills" [ "$kills" -ge 2 ]
	expect 'out of memory: every kill is in the steps' "$(awk '{ n += $1 } END { print n + 0 }' "$at/found") of $kills" \
		[ "$(awk '{ n += $1 } END { print n + 0 }' "$at/found")" -eq "$kills" ]
	expect 'out of memory: the program is not what is killed' "$(sed 's/.*Killed process/killed/; s/ total-vm.*//' "$at/killed" | tr '\n' ' ')" \
		sh -c '[ -s "$0" ] && ! grep -v "(load)" "$0"' "$at/killed"
	expect 'out of memory: the same processes go on' "$(grep '^[0-9]' "$at/resident-after" | tr '\n' ' ')" \
		[ "$(grep '^[0-9]' "$at/resident-before")" = "$(grep '^[0-9]' "$at/resident-after")" ]
	expect 'out of memory: its resident set does not grow' \
		"$(grep VmRSS "$at/resident-before" "$at/resident-after" | sed 's/.*resident-//' | tr '\n' ' ')" \
		awk '/VmRSS/ { n[FILENAME] += $2; if (!first) first = FILENAME; last = FILENAME }
			END { exit !(n[first] > 0 && n[last] <= n[first] + 512) }' "$at/resident-before" "$at/resident-after"
	steps oom oom-over '.n' >"$at/found"
	seconds=$(awk -v a="$(since oom)" -v b="$(since oom-over)" 'BEGIN { printf "%d", b - a }')
	expect 'out of memory: sampling goes on' "$(grep -c . "$at/found") samples in $seconds s" \
		awk -v s="$seconds" 'NR > 1 && $1 != was + 1 { bad = 1 } { was = $1 } END { exit bad || NR < s / 5 || NR < 3 }' "$at/found"
	shows oom-1 'out of memory: Overview says so' 'killed for lack of memory'
}

check_many() {
	expect '1,000 memcgs: keys are answered' "$(awk '{ printf "%s %s %d ms; ", $1, $2, $3 }' "$screens/many-times")" \
		awk '$3 > 10000 { bad = 1 } END { exit bad || NR != 4 }' "$screens/many-times"
	shows many-3-b '1,000 memcgs: Memcgs shows them' '\[3 Memcgs\]' '/many/m0'
	expect '1,000 memcgs: the screen stays alive' "$(line "$screens/many-3-a" | cut -c 1-40); $(line "$screens/many-3-b" | cut -c 1-40)" \
		sh -c '[ "$(head -n 1 "$0")" != "$(head -n 1 "$1")" ]' "$screens/many-3-a" "$screens/many-3-b"
	expect '1,000 memcgs: resident set of the live program' "$(counter "$at/resident-many" VmRSS:) KiB" \
		[ "$(counter "$at/resident-many" VmRSS:)" -le 40960 ]
}
