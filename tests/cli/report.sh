# SPDX-License-Identifier: GPL-2.0-or-later
#
# report over a captured series and over recordings of it: its sums against what awk finds in the files of the first and
# the last tree, and what it says of damage.

command -v jq >/dev/null || { echo 'there is no jq'; exit 77; }
bad=0
fail() {
	echo "$*"
	bad=1
}

# ran STATUS ARGUMENTS...: report ends with it; output in out and err
ran() {
	wanted=$1
	shift
	"$RECLAIMTOP" report "$@" >"$TMPDIR/out" 2>"$TMPDIR/err"
	status=$?
	[ $status -eq "$wanted" ] || fail "report $*: exit $status, not $wanted: $(cat "$TMPDIR/err")"
}

# says TEXT: the output has these words, however many blanks between
says() {
	tr -s ' ' <"$TMPDIR/out" | grep -q -F -e "$1" || fail "nothing says '$1': $(head -n 12 "$TMPDIR/out")"
}

# grew NAME...: by how much the sum of these lines of vmstat grew from the first tree of $series to the last
grew() {
	first=$(find "$series" -mindepth 1 -maxdepth 1 | sort | head -n 1)
	last=$(find "$series" -mindepth 1 -maxdepth 1 | sort | tail -n 1)
	echo "$*" | tr ' ' '\n' | awk -v n=0 'FILENAME == "-" { names[$1]; next }
		$1 in names { if (FILENAME == first) n -= $2; else n += $2 }
		END { print n }' first="$first/proc/vmstat" - "$first/proc/vmstat" "$last/proc/vmstat"
}

# is FILTER VALUE: what the JSON says
is() {
	found=$(jq -r "$1" "$TMPDIR/out")
	[ "$found" = "$2" ] || fail "$series: $1 is $found, not $2"
}

# ---- sums of every series under pressure ----
for series in tests/roots/6.1-pressure tests/roots/6.12-pressure tests/roots/7.2-pressure tests/roots/7.2-numa2; do
	ran 0 --json "$series"
	is .samples "$(find "$series" -mindepth 1 -maxdepth 1 | wc -l)"
	for who in kswapd direct; do
		is ".reclaim.by.$who.stolen" "$(grew pgsteal_$who)"
		is ".reclaim.by.$who.scanned" "$(grew pgscan_$who)"
	done
	for type in anon file; do
		is ".reclaim.types.$type.stolen" "$(grew pgsteal_$type)"
		is ".reclaim.types.$type.scanned" "$(grew pgscan_$type)"
		is ".reclaim.types.$type.refaulted" "$(grew workingset_refault_$type)"
	done
	is .reclaim.swapped_out "$(grew pswpout)"
	is .events.stalls "$(grew allocstall_dma allocstall_dma32 allocstall_normal allocstall_movable allocstall_device)"
	is .events.oom_kills "$(grew oom_kill)"
	is .events.major_faults "$(grew pgmajfault)"
	# Seconds from uptime to uptime.
	is '.covered_us / 10000 | round' "$(find "$series" -mindepth 1 -maxdepth 1 | sort | sed 's|$|/proc/uptime|' |
		xargs cat | awk 'NR == 1 { from = $1 } { to = $1 } END { printf "%.0f\n", (to - from) * 100 }')"
	# The least and most of free pages, over all trees.
	is '.gauges.free | "\(.min) \(.max)"' "$(cat "$series"/*/proc/vmstat | awk '$1 == "nr_free_pages" {
		if (!n++ || $2 < least) least = $2; if ($2 > most) most = $2 } END { print least, most }')"
	# What a memcg lost: pgsteal of its memory.stat, in the trees where it is.
	for memcg in web db; do
		is ".memcgs[] | select(.path == \"/$memcg\") | .evicted" \
			"$(cat "$series"/*/sys/fs/cgroup/$memcg/memory.stat | awk '$1 == "pgsteal" {
				if (!n++) from = $2; to = $2 } END { print to - from }')"
	done
	# Generations: how far each lruvec's youngest went on from tree to tree.
	is .generations.births "$(cat "$series"/*/sys/kernel/debug/lru_gen | awk '
		$1 == "memcg" { memcg = $2 " " $3 }
		$1 == "node" { key = memcg " " $2; was[key] = last[key]; fresh[key] = 1 }
		$1 ~ /^[0-9]+$/ { last[key] = $1 }
		$1 ~ /^[0-9]+$/ && was[key] != "" { grown[key] += $1 - (fresh[key] ? was[key] : before); fresh[key] = 0 }
		{ before = $1 }
		END { for (k in grown) sum += grown[k]; print sum + 0 }')"
done

# ---- recorded, the same: plain, compressed, and ages to 100 ms ----
series=tests/roots/7.2-pressure
same='del(.file, .generations.lifetime_ms, .generations.flow, .readings, .findings)'
"$RECLAIMTOP" report --json $series | jq -S "$same" >"$TMPDIR/right"
for name in run.jsonl run.jsonl.zst; do
	"$RECLAIMTOP" record -d 0 -o "$TMPDIR/$name" --root $series 2>/dev/null || fail "$name: record fails"
	ran 0 --json "$TMPDIR/$name"
	jq -S "$same" "$TMPDIR/out" | cmp -s - "$TMPDIR/right" || fail "$name: another report than of its series"
	is '.generations.lifetime_ms.max > 17508 and .generations.lifetime_ms.max <= 17608' true
done

# ---- in words ----
cp "$TMPDIR/run.jsonl" "$TMPDIR/whole.jsonl"
ran 0 "$TMPDIR/run.jsonl"
says '25.9s in 1 session, 15 samples'
says '1 - 25.9s 15 7.2.13+deb14-cloud-amd64'
# 475848, 498939 and 511883 pages of 4 KiB
says '1.90G 1.82G 93% 95% kswapd'
says '536 113 a second at 5.7s allocations that had to reclaim themselves'
says '20 opened, 20 seen to end: they lived 1.0s to 17.'
says '23.9M 8.21M 19.1M 0 3.55M 0% 0% 0 DMA32'
says 'warn the working set of /db does not fit'
grep -q -i -E 'nan|inf([^a-z]|$)' "$TMPDIR/out" && fail 'nan or inf'

# ---- a stretch ----
# Its trees lie at 0, 4.23, 5.71, 7.44, 8.90, … s: the steps whose middle is between 4 s and 8 s are two.
ran 0 --json --window 4s..8s $series
is .samples 2
is .reclaim.by.kswapd.stolen "$(cat $series/01/proc/vmstat $series/03/proc/vmstat |
	awk '$1 == "pgsteal_kswapd" { n = $2 - n } END { print n }')"
ran 0 --window 4s..8s $series
says 'looked at: 3.2s, 2 samples'
ran 1 --window 1h..2h $series

# ---- one sample: values of now, no rates ----
ran 0 --json $series/03
is .samples 1
is '.reclaim.stolen == null and .generations.births == null' true
ran 0 $series/03
says ' - - - - all'

# ---- two sessions, markers ----
"$RECLAIMTOP" record -d 0 --append -o "$TMPDIR/run.jsonl" --root tests/roots/6.1-pressure 2>/dev/null
ran 0 "$TMPDIR/run.jsonl"
says '2 sessions, 30 samples'
says '2 - 24.8s 15 6.1.0-53-cloud-amd64'
says '2: '
ran 0 --json "$TMPDIR/run.jsonl"
series=tests/roots/7.2-pressure
one=$(grew pgsteal_kswapd)
series=tests/roots/6.1-pressure
is .reclaim.by.kswapd.stolen $((one + $(grew pgsteal_kswapd)))
"$RECLAIMTOP" mark "$TMPDIR/run.jsonl" 'a note,  with blanks' || fail 'mark fails'
ran 0 "$TMPDIR/run.jsonl"
grep -q -F 'a note,  with blanks' "$TMPDIR/out" || fail 'the marker is not listed'

# ---- damage ----
series=tests/roots/7.2-pressure
sed '6s/vmstat/vmstaT/' "$TMPDIR/whole.jsonl" >"$TMPDIR/hurt.jsonl"
ran 0 --json "$TMPDIR/hurt.jsonl"
is '.damage | "\(.damaged_lines) \(.unreadable_samples)"' '1 11'
is .samples 4
ran 0 "$TMPDIR/hurt.jsonl"
says '1 damaged line passed over'
head -c -700 "$TMPDIR/whole.jsonl" >"$TMPDIR/torn.jsonl"
ran 0 "$TMPDIR/torn.jsonl"
says 'the last line is not whole'
says '14 samples'
says '23.2s in 1 session'
: >"$TMPDIR/empty"
ran 5 "$TMPDIR/empty"
ran 5 Makefile
ran 1 "$TMPDIR/nowhere"
ran 1 "$TMPDIR"
ran 2
ran 2 a b

# ---- a machine without lru_gen, names that are odd, other locales ----
ran 0 tests/roots/7.2-disabled
for tree in 6.1-oddnames 6.12-oddnames 7.2-oddnames; do
	ran 0 tests/roots/$tree
	LC_ALL=C tr -d '\n\200-\377' <"$TMPDIR/out" | LC_ALL=C grep -q '[[:cntrl:]]' && fail "$tree: a control character"
	ran 0 --json tests/roots/$tree
	jq -e . "$TMPDIR/out" >"$TMPDIR/null" || fail "$tree: no JSON"
done
LC_ALL=de_DE.UTF-8 "$RECLAIMTOP" report tests/roots/7.2-pressure | grep -q '[0-9],[0-9]' && fail 'a decimal comma'
if [ -w /dev/full ]; then
	"$RECLAIMTOP" report tests/roots/7.2-pressure >/dev/full 2>"$TMPDIR/err" && fail 'a full disk is no error'
fi
exit $bad
