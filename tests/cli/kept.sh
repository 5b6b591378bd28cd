# SPDX-License-Identifier: GPL-2.0-or-later
#
# Recordings that earlier versions made are read as they were meant: each holds what its series of trees holds.

bad=0
fail() {
	echo "$*"
	bad=1
}
# holds TABLE INPUT: the table, without ages, which may be 100 ms off
holds() {
	"$RECLAIMTOP" export --table "$1" "$2" 2>"$TMPDIR/err" || fail "$2: export: exit $?"
	[ ! -s "$TMPDIR/err" ] || fail "$2: $(cat "$TMPDIR/err")"
}
without_ages() {
	tr -d '\r' | awk -F , -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) age[i] = $i ~ /age_ms$/ }
		{ for (i = 1; i <= NF; i++) if (age[i]) $i = "" } { print }'
}
n=0
for file in tests/recordings/*.jsonl*; do
	n=$((n + 1))
	series=${file##*/}
	series=${series#*-}
	series=tests/roots/${series%%.jsonl*}
	for table in vmstat zone pageset node memcg generation pressure meminfo; do
		holds $table "$file" | without_ages >"$TMPDIR/kept"
		holds $table "$series" | without_ages >"$TMPDIR/trees"
		[ "$(wc -l <"$TMPDIR/kept")" -gt 5 ] || fail "$file, $table: hardly anything"
		cmp -s "$TMPDIR/kept" "$TMPDIR/trees" || fail "$file, $table: $(diff "$TMPDIR/trees" "$TMPDIR/kept" | head -n 4 | cut -c 1-200)"
	done
done
[ $n -ge 4 ] || fail "only $n recordings"
"$RECLAIMTOP" replay data/demo.jsonl.zst -b -n 1000 | grep -c '^sample ' | grep -q -x 241 || fail 'the demo is not read whole'
exit $bad
