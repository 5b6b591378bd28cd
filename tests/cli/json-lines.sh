# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every line of --json --derived: JSON by jq, begun and ended as docs/format.md says, its CRC reckoned by gzip. And what
# the lines of changes say, put together by merge.jq that knows nothing of ours, is what each tree says by itself.

command -v jq >/dev/null || { echo 'there is no jq'; exit 77; }
LC_ALL=C
export LC_ALL
N=3

# The CRC of standard input: gzip keeps it in the last 8 bytes, the lowest byte first.
crc() {
	gzip -1 -c | tail -c 8 | head -c 4 | od -An -tx1 | awk '{ print $4 $3 $2 $1 }'
}

bad=0
for series in tests/roots/*-*; do
	lines=$TMPDIR/lines
	"$RECLAIMTOP" -b --json --derived -d 0.05 -n $N --root "$series" >"$lines" || {
		echo "$series: exit $?"
		exit 1
	}
	jq -c 'select(.type | IN("header", "sample", "step") | not)' "$lines" >"$TMPDIR/odd" || {
		echo "$series: jq does not take it"
		exit 1
	}
	[ ! -s "$TMPDIR/odd" ] || { echo "$series: a line of no known type"; bad=1; }
	awk -v file="$series" '
		BEGIN { head = ",\"mono_us\":[0-9]+,\"n\":[0-9]+," }
		NR == 1 && !/^\{"type":"header","format":"reclaimtop","version":1,/ ||
		NR > 1 && $0 !~ "^[{]\"type\":\"sample\"" head "\"key\":(true|false)," &&
			$0 !~ "^[{]\"type\":\"step\"" head ||
		!/,"crc":"[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]"\}$/ {
			print file ", line " NR ": " substr($0, 1, 90) " … " substr($0, length($0) - 40)
			bad = 1
		}
		END { exit bad }' "$lines" || bad=1
	while IFS= read -r line; do
		# ,"crc":"9f3c2a71"} are 18 bytes.
		[ "$(printf '%s' "$line" | head -c -18 | crc)" = "$(printf '%s' "$line" | tail -c 10 | head -c 8)" ] || {
			echo "$series: wrong CRC: $(printf '%.60s' "$line")"
			bad=1
		}
	done <"$lines"

	# ---- changes, and each tree alone ----
	jq -s -c -f tests/cli/merge.jq "$lines" >"$TMPDIR/merged" || { echo "$series: not merged"; exit 1; }
	find "$series" -mindepth 1 -maxdepth 1 | sort | head -n $N | while read -r tree; do
		"$RECLAIMTOP" -b --json -n 1 --root "$tree" | jq -s -c -f tests/cli/merge.jq
	done >"$TMPDIR/alone"
	# Where the samples are: n counts in a series only. Ages may be 100 ms off.
	jq -n -r --slurpfile a "$TMPDIR/merged" --slurpfile b "$TMPDIR/alone" '
		def near($x; $y): ($x | length) == ($y | length) and
			all(range($x | length); ($x[.] - $y[.]) | . <= 100 and . >= -100);
		if ($a | length) != ($b | length) or ($a | length) == 0 then "not as many samples" else
		range($a | length) as $i | $a[$i] as $x | $b[$i] as $y |
		(if $x.mono_us != $y.mono_us then "\($i): time" else empty end),
		(if $x.vmstat != $y.vmstat then "\($i): vmstat" else empty end),
		(if $x.pagesets != $y.pagesets then "\($i): pagesets" else empty end),
		(if [$x.gens[] | del(.ages)] != [$y.gens[] | del(.ages)] then "\($i): generations" else empty end),
		(if all(range($x.gens | length); near($x.gens[.].ages; $y.gens[.].ages)) then empty
		 else "\($i): ages" end) end' >"$TMPDIR/differs" || { echo "$series: not compared"; exit 1; }
	[ ! -s "$TMPDIR/differs" ] || {
		sed "s|^|$series, sample |" "$TMPDIR/differs"
		bad=1
	}
done
exit $bad
