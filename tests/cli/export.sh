# SPDX-License-Identifier: GPL-2.0-or-later
#
# export over captured series: each table against what awk finds in the kernel's files, full JSON against each tree by
# itself, and a recording through JSON and back.

command -v jq >/dev/null || { echo 'there is no jq'; exit 77; }
bad=0
fail() {
	echo "$*"
	bad=1
}

# ran STATUS ARGUMENTS...: export ends with it; output in out and err
ran() {
	wanted=$1
	shift
	"$RECLAIMTOP" export "$@" >"$TMPDIR/out" 2>"$TMPDIR/err"
	status=$?
	[ $status -eq "$wanted" ] || fail "export $*: exit $status, not $wanted: $(cat "$TMPDIR/err")"
}

# columns NAME...: these of the table in out, in lines of cells with tabs between, the header left out. Cells that
# were quoted lose their quotes; a tab in one becomes "?".
columns() {
	awk -v wanted="$*" '
		function cells(line,    n, c, quoted, cell) {
			if (line !~ /["\t]/) return split(line, cell_at, ",")
			n = 0; cell = ""; quoted = 0
			for (; line != ""; line = substr(line, 2)) {
				c = substr(line, 1, 1)
				if (quoted && c == "\"" && substr(line, 2, 1) == "\"") { cell = cell c; line = substr(line, 2) }
				else if (c == "\"") quoted = !quoted
				else if (c == "," && !quoted) { cell_at[++n] = cell; cell = "" }
				else cell = cell (c == "\t" ? "?" : c)
			}
			cell_at[++n] = cell
			return n
		}
		{
			if (sub(/\r$/, "") != 1) print "line " NR " does not end in CR LF"
			n = cells($0)
		}
		NR == 1 {
			width = n
			for (i = 1; i <= n; i++) place[cell_at[i]] = i
			m = split(wanted, names, " ")
			next
		}
		n != width { print "line " NR " has " n " cells, not " width }
		{
			row = ""
			for (i = 1; i <= m; i++) row = row (i > 1 ? "\t" : "") cell_at[place[names[i]]]
			print row
		}' "$TMPDIR/out"
}

# same WHAT: the lines of got are those of right
same() {
	cmp -s "$TMPDIR/got" "$TMPDIR/right" ||
		fail "$1: $(diff "$TMPDIR/got" "$TMPDIR/right" | head -n 4)"
	[ -s "$TMPDIR/right" ] || fail "$1: nothing to compare with"
}

# trees SERIES: its folders in order
trees() { find "$1" -mindepth 1 -maxdepth 1 | sort; }

for series in tests/roots/6.1-pressure tests/roots/7.2-numa2; do
	# ---- one row a sample, lruvec and generation ----
	ran 0 --table generation $series
	columns n memcg path node seq age_ms anon file >"$TMPDIR/got"
	n=0
	trees $series | while read -r tree; do
		awk -v n=$n -v OFS='\t' '
			$1 == "memcg" { memcg = $2; path = $3; next }
			$1 == "node" { node = $2; next }
			{ print n, memcg, path, node, $1, $2, $3, $4 }' "$tree/sys/kernel/debug/lru_gen"
		n=$((n + 1))
	done >"$TMPDIR/right"
	same "$series, generations"

	# ---- the same as one row a lruvec, youngest first ----
	ran 0 --table lruvec $series
	columns n path node gen0.seq gen0.file gen1.seq gen1.file >"$TMPDIR/got"
	awk -F '\t' -v OFS='\t' '
		function row() { if (key != "") print key, seq, file, was_seq, was_file }
		key != $1 OFS $3 OFS $4 { row(); key = $1 OFS $3 OFS $4; seq = file = "" }
		{ was_seq = seq; was_file = file; seq = $5; file = $8 }
		END { row() }' "$TMPDIR/right" >"$TMPDIR/lruvecs"
	mv "$TMPDIR/lruvecs" "$TMPDIR/right"
	same "$series, lruvecs"

	# ---- zones, pagesets ----
	ran 0 --table zone $series
	columns node zone free min low high managed >"$TMPDIR/got"
	trees $series | while read -r tree; do
		awk -v OFS='\t' '
			function row() { if (zone != "") print node, zone, v["free"], v["min"], v["low"], v["high"], v["managed"] }
			$1 == "Node" { row(); node = $2 + 0; zone = $4; split("", v) }
			$1 == "pages" { v["free"] = $3 }
			$1 ~ /^(min|low|high|managed)$/ && !($1 in v) { v[$1] = $2 }
			END { row() }' "$tree/proc/zoneinfo"
	done >"$TMPDIR/right"
	same "$series, zones"
	ran 0 --table pageset $series
	columns node zone cpu count high batch >"$TMPDIR/got"
	trees $series | while read -r tree; do
		awk -v OFS='\t' '
			$1 == "Node" { node = $2 + 0; zone = $4 }
			$1 == "cpu:" { cpu = $2 }
			$1 == "count:" { count = $2 }
			$1 == "high:" { high = $2 }
			$1 == "batch:" { print node, zone, cpu, count, high, $2 }' "$tree/proc/zoneinfo"
	done >"$TMPDIR/right"
	same "$series, pagesets"

	# ---- /proc/vmstat, /proc/meminfo, pressure ----
	names='nr_free_pages pgsteal_kswapd pgscan_direct workingset_refault_file pgfault'
	ran 0 --table vmstat $series
	columns seconds "$names" >"$TMPDIR/got"
	trees $series | while read -r tree; do
		awk -v names="$names" -v uptime="$(cut -d' ' -f1 "$tree/proc/uptime")" '{ v[$1] = $2 } END {
			printf "%s0000", uptime
			for (i = 1; i <= split(names, name, " "); i++) printf "\t%s", v[name[i]]
			print "" }' "$tree/proc/vmstat"
	done >"$TMPDIR/right"
	same "$series, vmstat"
	ran 0 --table pressure $series
	columns memory.some.avg10 memory.some.total memory.full.total >"$TMPDIR/got"
	trees $series | while read -r tree; do
		tr '=' ' ' <"$tree/proc/pressure/memory" | awk -v OFS='\t' '
			$1 == "some" { avg = $3; some = $9 } $1 == "full" { print avg, some, $9 }'
	done >"$TMPDIR/right"
	same "$series, pressure"

	# ---- memcgs: limits and a line of memory.stat ----
	ran 0 --table memcg $series
	columns path current max stat.pgsteal | grep -v '^/	' >"$TMPDIR/got"
	n=0
	trees $series | while read -r tree; do
		awk '$1 == "memcg" && $3 != "/" { print $3 }' "$tree/sys/kernel/debug/lru_gen" | sort -u | while read -r path; do
			printf '%s\t%s\t%s\t%s\n' "$path" "$(cat "$tree/sys/fs/cgroup$path/memory.current")" \
				"$(cat "$tree/sys/fs/cgroup$path/memory.max")" \
				"$(awk '$1 == "pgsteal" { print $2 }' "$tree/sys/fs/cgroup$path/memory.stat")"
		done
	done | sort >"$TMPDIR/right"
	sort -o "$TMPDIR/got" "$TMPDIR/got"
	same "$series, memcgs"

	# ---- metrics: what came between two trees, in MiB a second ----
	ran 0 $series
	columns metric value n | awk -F '\t' '$1 == "refaulted-file" && $3 > 0 { printf "%.6f\n", $2 }' >"$TMPDIR/got"
	trees $series | while read -r tree; do
		echo "$(cut -d' ' -f1 "$tree/proc/uptime") $(awk '$1 == "workingset_refault_file" { print $2 }' "$tree/proc/vmstat")"
	done | awk 'NR > 1 { printf "%.6f\n", ($2 - n) / 256 / ($1 - t) } { n = $2; t = $1 }' >"$TMPDIR/right"
	same "$series, metrics"
	columns metric n value | awk -F '\t' '$2 == 0 && $1 ~ /^(stolen|births)$/ && $3 != ""' | grep . &&
		fail "$series: a rate in the first sample"
done

# ---- names that are odd, quoted where they must be ----
for tree in 6.1-oddnames/00 6.12-oddnames/00 7.2-oddnames/00; do
	ran 0 --table lruvec tests/roots/$tree
	columns path >"$TMPDIR/got"
	"$RECLAIMTOP" -b --json --root tests/roots/$tree | jq -r 'select(.type == "sample") | .lru_gen[].path' |
		tr '\t' '?' >"$TMPDIR/right"
	same "$tree, names"
done

# ---- each table has its header, and every row as many cells ----
ran 0 --table help
awk 'NR > 1 { print $1 }' "$TMPDIR/out" >"$TMPDIR/tables"
[ "$(wc -l <"$TMPDIR/tables")" -ge 15 ] || fail 'few tables'
while read -r table; do
	ran 0 --table "$table" tests/roots/7.2-oddnames
	head -n 1 "$TMPDIR/out" | grep -q '^session,n,seconds,time,' || fail "$table: another header"
	columns session | grep -v -x 1 | head -n 3 | grep . && fail "$table: not a table"
done <"$TMPDIR/tables"
ran 0 --all tests/roots/7.2-pressure
columns metric | grep -q -x vmstat.pgfault || fail '--all leaves vmstat out'

# ---- names that we do not know: in no column, so a row each ----
cp -R tests/roots/7.2-pressure/03 "$TMPDIR/newer"
chmod -R u+w "$TMPDIR/newer"
echo 'pgsteal_by_magic 18446744073709551600' >>"$TMPDIR/newer/proc/vmstat"
echo 'magic 7' >>"$TMPDIR/newer/sys/fs/cgroup/web/memory.stat"
sed -i 's/^      nr_zone_inactive_anon .*/&\n      nr_zone_magic 5/' "$TMPDIR/newer/proc/zoneinfo"
ran 0 --table other "$TMPDIR/newer"
columns where item name value | grep 'magic' | sort >"$TMPDIR/got"
{
	printf 'vmstat\t\tpgsteal_by_magic\t18446744073709551600\n'
	printf 'memcgs.stat\t/web\tmagic\t7\n'
	awk '$1 == "Node" { sub(",", "", $2); zone = $2 " " $4 }
		$1 == "nr_zone_magic" { print "zones.stats\t" zone "\tnr_zone_magic\t5" }' "$TMPDIR/newer/proc/zoneinfo"
} | sort >"$TMPDIR/right"
same 'names that we do not know'

# ---- full JSON: every sample whole, as its tree alone gives it ----
series=tests/roots/7.2-pressure
keep='{vmstat, zones, pressure, meminfo, memcgs, buddyinfo, swaps, gens: [.lru_gen[] | {memcg, path, node, gens}]}'
ran 0 --json $series
jq -c -S "select(.type == \"sample\") | if .key then $keep else error(\"not whole\") end" "$TMPDIR/out" >"$TMPDIR/got" ||
	fail 'jq does not take it'
trees $series | while read -r tree; do
	"$RECLAIMTOP" -b --json -n 1 --root "$tree" | jq -c -S "select(.type == \"sample\") | $keep"
done >"$TMPDIR/right"
same 'full JSON'

# ---- which is a recording: of two sessions, with a marker ----
run=$TMPDIR/run.jsonl
"$RECLAIMTOP" record -d 0 -o "$run" --root $series 2>/dev/null || fail 'record fails'
"$RECLAIMTOP" record -d 0 --append -o "$run" --root tests/roots/6.12-numa2 2>/dev/null || fail 'record --append fails'
"$RECLAIMTOP" mark "$run" score=44890.50 || fail 'mark fails'
ran 0 --json "$run"
cp "$TMPDIR/out" "$TMPDIR/again.jsonl"
[ "$(jq -r .type "$TMPDIR/again.jsonl" | sort | uniq -c | tr -s ' \n' ' ')" = ' 2 header 1 marker 30 sample ' ] ||
	fail 'another number of lines'
report() { "$RECLAIMTOP" report --json "$1" | jq -S 'del(.file)'; }
report "$run" >"$TMPDIR/right"
report "$TMPDIR/again.jsonl" >"$TMPDIR/got"
same 'reported again'

# ---- a stretch, damage ----
ran 0 --json --window 4s..8s $series
[ "$(grep -c '"type":"sample"' "$TMPDIR/out")" -eq 2 ] || fail 'not two samples in the window'
ran 0 --table vmstat --window 4s..8s $series
[ "$(wc -l <"$TMPDIR/out")" -eq 3 ] || fail 'not two rows in the window'
ran 1 --window 1h.. $series
[ -s "$TMPDIR/out" ] && fail 'a table of nothing'
sed '6s/vmstat/vmstaT/' "$run" >"$TMPDIR/hurt.jsonl"
ran 0 --table vmstat "$TMPDIR/hurt.jsonl"
[ "$(wc -l <"$TMPDIR/out")" -eq 20 ] || fail 'not the 19 samples that can be read'
grep -q 'damaged samples are left out' "$TMPDIR/err" || fail 'damage is not said'

# ---- wrong use, what cannot be read or written ----
ran 2
ran 2 a b
ran 2 --table nothing $series
ran 2 --table zone --json $series
ran 2 --score x $series
ran 1 "$TMPDIR/nowhere"
ran 5 Makefile
"$RECLAIMTOP" export $series | head -n 1 >"$TMPDIR/out" || fail 'a closed pipe is an error'
if [ -w /dev/full ]; then
	"$RECLAIMTOP" export $series >/dev/full 2>"$TMPDIR/err" && fail 'a full disk is no error'
fi
exit $bad
