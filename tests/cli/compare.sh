# SPDX-License-Identifier: GPL-2.0-or-later
#
# compare over runs made here: series of trees whose counters grow as we say, so that means and changes are reckoned by
# awk, and p by integrating the density of Student's t elsewhere.

command -v jq >/dev/null || { echo 'there is no jq'; exit 77; }
bad=0
fail() {
	echo "$*"
	bad=1
}

# series NAME SECONDS EXPRESSION: trees a second apart; the awk expression of t is what workingset_refault_file grew to.
series() {
	rm -rf "${TMPDIR:?}/$1"
	awk -v dir="$TMPDIR/$1" -v n="$2" 'BEGIN {
		for (t = 0; t <= n; t++) {
			tree = sprintf("%s/%02d", dir, t)
			system("mkdir -p " tree "/proc")
			printf "%d.00 1.00\n", 100 + t >(tree "/proc/uptime")
			printf "nr_free_pages 5000\nworkingset_refault_anon 7\nworkingset_refault_file %d\nallocstall_normal %d\n",
				'"$3"', 20 * t >(tree "/proc/vmstat")
			close(tree "/proc/uptime"); close(tree "/proc/vmstat")
		}
	}'
}

crc() { gzip -1 -c | tail -c 8 | head -c 4 | od -An -tx1 | awk '{ print $4 $3 $2 $1 }'; }

# marker MONO_US KIND TEXT: a line of a recording
marker() {
	line="{\"type\":\"marker\",\"mono_us\":$1,\"kind\":\"$2\",\"text\":\"$3\""
	printf '%s,"crc":"%s"}\n' "$line" "$(printf '%s' "$line" | crc)"
}

# ran STATUS ARGUMENTS...: compare ends with it; output in out and err
ran() {
	wanted=$1
	shift
	"$RECLAIMTOP" compare "$@" >"$TMPDIR/out" 2>"$TMPDIR/err"
	status=$?
	[ $status -eq "$wanted" ] || fail "compare $*: exit $status, not $wanted: $(cat "$TMPDIR/err")"
}

# says TEXT: the output has a line with these words, however many blanks between
says() {
	tr -s ' ' <"$TMPDIR/out" | grep -q -F -e "$1" || fail "nothing says '$1': $(head -n 20 "$TMPDIR/out")"
}

# complains TEXT: one line of error with it
complains() {
	[ "$(wc -l <"$TMPDIR/err")" -eq 1 ] || fail "not one line: $(cat "$TMPDIR/err")"
	grep -q -F -e "$1" "$TMPDIR/err" || fail "no word of '$1': $(cat "$TMPDIR/err")"
}

# value FILTER: of the JSON, as jq prints it
value() { jq -r "$1" "$TMPDIR/out"; }

tree=$PWD
cd "$TMPDIR" || exit 1

# ---- three runs a side ----
for rate in 100 110 120 130 141 150; do series "r$rate" 10 "$rate * t"; done
"$RECLAIMTOP" record -d 0 -o r100.jsonl --root r100 2>/dev/null || fail 'record fails'
"$RECLAIMTOP" record -d 0 -o r110.jsonl.zst --root r110 2>/dev/null || fail 'record fails'
ran 0 r100.jsonl,r110.jsonl.zst,r120 r130,r141,r150
awk 'BEGIN {
	mib = 4096 / 1048576
	a = (100 + 110 + 120) / 3; b = (130 + 141 + 150) / 3
	sa = sqrt(((100 - a) ^ 2 + (110 - a) ^ 2 + (120 - a) ^ 2) / 2)
	sb = sqrt(((130 - b) ^ 2 + (141 - b) ^ 2 + (150 - b) ^ 2) / 2)
	printf "refaulted-file MiB/s %.2f ±%.2f%% %.2f ±%.2f%% +%.2f%% probably not chance (p = 0.021), worse\n",
		a * mib, 100 * sa / a, b * mib, 100 * sb / b, 100 * (b - a) / a
	printf "stalls /s 20.00 ±0.00%% 20.00 ±0.00%% 0%% the same in every run\n"
}' >wanted
while read -r line; do says "$line"; done <wanted
[ "$(grep -n 'refaulted-file' out | cut -d: -f1)" -lt "$(grep -n '^ *stalls' out | cut -d: -f1)" ] ||
	fail 'what changed most does not come first'
ran 0 --json r100,r110,r120 r130,r141,r150
value '.rows[] | select(.metric == "refaulted-file") | .sides[1] |
	if (.t - 3.711967424838419 | fabs) < 1e-9 and (.df - 3.9999889258641979 | fabs) < 1e-9 and
	   (.p - 0.020618670886466099 | fabs) < 1e-9 and .n == 3 and .worth == "worse" and
	   (.change - 91 / 330 | fabs) < 1e-9 then empty else . end' | grep . && fail 'Welch is not as reckoned elsewhere'
value '[.. | numbers | select(isnan or isinfinite)] | length' | grep -q -x 0 || fail 'a number is none'
value '.rows[0].metric' | grep -q -x refaulted-file || fail 'the first row is another'
value '[.rows[] | select(.metric == "stolen") | .sides[] | has("mean")] | any' | grep -q -x false ||
	fail 'what the kernel did not say has a mean'

# ---- docs/compare.md lists them all ----
value '.rows[] | "| `\(.metric)` | \(.unit) | \(.better // "") | "' | tr -s ' ' >metrics
[ "$(wc -l <metrics)" -ge 40 ] || fail 'few metrics'
while read -r line; do
	grep -q -F -e "${line% }" "$tree/docs/compare.md" || fail "docs/compare.md has no row $line"
done <metrics
[ "$(grep -c '^| `' "$tree/docs/compare.md")" -eq "$(wc -l <metrics)" ] || fail 'docs/compare.md has other rows'

# ---- totals ----
ran 0 --totals r100 r150
says "refaulted-file MiB $(awk 'BEGIN { printf "%.2f %.2f", 1000 / 256, 1500 / 256 }') +50.00% one run a side: chance unknown"
ran 0 --all r100 r150
says 'vmstat.workingset_refault_file /s 100.00 150.00 +50.00%'

# ---- one side: means and spreads ----
ran 0 r100,r110,r120
says 'refaulted-file MiB/s 0.43 ±9.09%'
grep -q change out && fail 'one side has changed'

# ---- conditions ----
ran 1 --fail-if 'refaulted-file>27%' r100,r110,r120 r130,r141,r150
complains 'reclaimtop: refaulted-file: +27.58% from A to B (0.43 to 0.55 MiB/s) is more than 27%: probably not chance (p = 0.021);'
says 'refaulted-file>27%: yes'
ran 0 --fail-if 'refaulted-file>28%' --fail-if 'stalls<-1%' r100,r110,r120 r130,r141,r150
says 'refaulted-file>28%: no'
ran 1 --fail-if 'refaulted-file>28%' --fail-if 'refaulted-file<-3%' r150 r130
complains 'less than -3%'
ran 1 --json --fail-if 'refaulted-file<-3%' r150 r130
value '.fail_if[0].holds' | grep -q -x yes || fail 'JSON does not say which condition holds'
ran 1 --fail-if 'swapped-in>5%' r100 r150
complains 'not known'
ran 2 --fail-if 'nothing>5%' r100 r150
complains 'no such metric'
for condition in 'stalls' 'stalls>5' 'stalls=5%' '>5%'; do
	ran 2 --fail-if "$condition" r100 r150
	complains 'is no condition'
done
ran 2 --fail-if 'stalls>5%' r100
complains 'nothing to compare with'

# ---- a window, and markers ----
# 100 a second, from the fifth second on 300
series turn 10 '100 * t + (t > 5 ? 200 * (t - 5) : 0)'
mib() { awk -v n="$1" 'BEGIN { printf "%.2f", n / 256 }'; }
ran 0 --window 0s..5s turn
says "refaulted-file MiB/s $(mib 100)"
ran 0 --window 5s.. turn
says "refaulted-file MiB/s $(mib 300)"
ran 0 --window 3s..7s turn
says "refaulted-file MiB/s $(mib 200)"
ran 0 turn
says "refaulted-file MiB/s $(mib 200)"
"$RECLAIMTOP" record -d 0 -o marked.jsonl --root turn 2>/dev/null
{ marker 102000000 start 'true' && marker 105000000 note 'phase 2' && marker 107000000 note over
  marker 108000000 score score=20 && marker 109000000 score latency=2.5; } >>marked.jsonl
line='{"type":"marker","mono_us":110000000,"kind":"end","duration_us":8000000,"status":3,"text":"true"'
printf '%s,"crc":"%s"}\n' "$line" "$(printf '%s' "$line" | crc)" >>marked.jsonl
ran 0 --from 'phase 2' --to over marked.jsonl
says "refaulted-file MiB/s $(mib 300)"
ran 0 --to 'phase 2' marked.jsonl
says "refaulted-file MiB/s $(mib 100)"
ran 0 --from start --window 1s..3s marked.jsonl
says "refaulted-file MiB/s $(mib 100)"
ran 0 --from 'phase 2' --window 1s.. marked.jsonl
says "refaulted-file MiB/s $(mib 300)"
ran 1 --from nowhere marked.jsonl
complains "there is no marker 'nowhere'"
ran 1 --from over --to 'phase 2' marked.jsonl
complains "there is no marker 'phase 2'"
ran 1 --window 1m..2m turn
complains 'nothing of it lies in that stretch'
for window in 5s..3s 5s..5s 5s x..y .. ; do
	ran 2 --window "$window" turn
	complains "'$window'"
done

# ---- scores and times from markers ----
ran 0 marked.jsonl turn
says 'command-time s 8.00 - - known on one side only'
says 'latency 2.50 -'
says 'score 20.00 -'
says 'its command ended with status 3'

# ---- scores from a file; 44017.78 and 44890.50 are +1.98 %, where the mail says +1.8 % ----
# (linux-kernel, 22 December 2023: [PATCH 0/3] mm, lru_gen: batch update pages when aging)
printf '44017.78\n\n# after\n  44890.50 \n' >scores
ran 0 --score scores r100 r110
says 'score 44017.78 44890.50 +1.98% one run a side: chance unknown'
printf 'r110 44890.50\nr100\t44017.78\r\n' >scores
ran 0 --score scores "$TMPDIR/r100" r110
says 'score 44017.78 44890.50 +1.98%'
ran 0 --score - r100 r110 <scores
says 'score 44017.78 44890.50 +1.98%'
ran 1 --score nowhere r100 r110
complains 'nowhere: No such file'
# wrong TEXT WORDS: a file of scores that is refused
wrong() {
	printf '%b' "$1" >scores
	ran 1 --score scores r100 r110
	complains "$2"
}
wrong '' 'no score'
wrong '5\n' 'fewer numbers than runs'
wrong '5\n6\n7\n' 'line 3 is a number more than there are runs'
wrong 'r100 5\n6\n' 'line 2 does not go with those before'
wrong 'r999 5\n' 'line 1 names none of the runs'
wrong 'r100 nan\n' 'line 1 ends in no number'
wrong 'r100 0x10\n' 'line 1 ends in no number'
wrong '5,5\n6\n' 'line 1 ends in no number'
wrong '1e999\n6\n' 'line 1 ends in no number'
printf 'r100 4\n' >scores
mkdir -p other && cp -r r100 other/
ran 1 --score scores r100x,other/r100 r110 2>/dev/null
ran 0 --score scores r100 other/r100
says 'score 4.00 -'

# ---- nine builds: the table of the mail, each change against the first reckoned by awk ----
# (linux-mm, 2 October 2023, Re: [PATCH 1/6] mm: page_alloc: remove pcppage migratetype caching)
printf '%s\n' 618621.7 616350.3 617121.0 615578.0 615364.7 617834.8 621000.0 618378.8 618136.3 >scores
for i in 1 2 3 4 5 6 7 8 9; do ln -s r100 "build$i"; done
ran 0 --score scores build1 build2 build3 build4 build5 build6 build7 build8 build9
awk '{ side = substr("ABCDEFGHI", NR, 1) }
	NR == 1 { base = $1; printf "score A %.1f\n", $1 }
	NR > 1 { printf "%s %.1f %+.2f%% one run a side: chance unknown\n", side, $1, 100 * ($1 - base) / base }' scores >wanted
while read -r line; do says "$line"; done <wanted

# ---- names ----
mkdir 'a,b' && cp -r r100/. 'a,b/'
ran 0 'a,b' r110
says 'a,b: 10.0s'
ran 2 'r100,,r110' r120
complains 'a name is missing'
ran 2
complains 'give sides'
ran 1 r100 nowhere
complains 'nowhere: '
printf 'no recording\n' >text
ran 5 r100 text
complains 'it is no recording'
# shellcheck disable=SC2046
ran 2 $(yes r100 | head -n 27)
complains 'one word too many'

# ---- what differs is said ----
series short 4 '100 * t'
ran 0 r100 short
says '--window 0s..4s'

# ---- standard output that cannot be written, another locale ----
if [ -w /dev/full ]; then
	"$RECLAIMTOP" compare r100 r110 >/dev/full 2>err && fail 'a full disk is no error'
fi
LC_ALL=de_DE.UTF-8 "$RECLAIMTOP" compare r100,r110 r120,r130 | grep -q '[0-9],[0-9]' && fail 'a decimal comma'
exit $bad
