# SPDX-License-Identifier: GPL-2.0-or-later
#
# Killed with -9 while it records at 50 ms, plain and compressed: all that was taken is there, but for the sample in hand, in
# order, and both zstd and our own reader find it. KILLS=100 for a hundred times.

command -v zstd >/dev/null && command -v jq >/dev/null || { echo 'there is no zstd or no jq'; exit 77; }
bad=0
fail() {
	echo "$*"
	bad=1
}
# text FILE: its whole lines, by zstd; a frame that nobody closed is no fault here
text() {
	case $1 in
	*.zst) zstd -dcq "$1" 2>/dev/null ;;
	*) cat "$1" ;;
	esac | sed -e '$ { /"}$/!d; }'
}
cd "$TMPDIR" || exit 1
torn=0 least=1000000 most=0
for turn in $(seq "${KILLS:-10}"); do
	for file in a.jsonl a.zst; do
		rm -f $file
		"$RECLAIMTOP" record -o $file -d 0.05 2>err &
		pid=$!
		sleep "0.$((2 + turn * 7919 % 7))$((turn * 31 % 10))"
		kill -STOP $pid
		stopped=$(($(date +%s%N) / 1000))
		size=$(stat -c %s $file 2>/dev/null || echo 0)
		kill -9 $pid
		wait $pid 2>/dev/null
		[ "$(stat -c %s $file 2>/dev/null || echo 0)" -eq "$size" ] || fail "$file changed its size when it was killed"
		[ "$size" -gt 0 ] || continue
		text $file >lines
		# In order from the first to the last: none is missing between.
		jq -r 'select(.type == "sample") | "\(.n) \(.wall_us)"' lines >samples 2>err || fail "$file, turn $turn: $(cat err)"
		awk '$1 != NR - 1 { print "n " $1 " is number " NR; exit 1 }' samples || fail "$file is out of order"
		n=$(wc -l <samples)
		# The last one is the one before the sample in hand: not older than two pauses, and what a busy machine adds.
		last=$(tail -n 1 samples | cut -d ' ' -f 2)
		age=$(((stopped - last) / 1000))
		[ $age -lt 1500 ] || fail "$file, turn $turn: the last of $n samples is $age ms old"
		[ $age -gt $most ] && most=$age
		[ "$n" -lt $least ] && least=$n
		# Our reader sees as many, and says nothing but that the tail is torn, if it is.
		"$RECLAIMTOP" export --json $file >whole 2>err || fail "$file, turn $turn: export: $(cat err)"
		ours=$(grep -c '"type":"sample"' whole)
		[ "$ours" -eq "$n" ] || fail "$file, turn $turn: $n samples by zstd and jq, $ours by us"
		grep -q . err && torn=$((torn + 1))
		# It is recorded on.
		"$RECLAIMTOP" record -o $file --append -n 2 -d 0.05 || fail "$file, turn $turn: --append failed"
		[ "$(text $file | grep -c '"type":"sample"')" -eq $((n + 2)) ] || fail "$file, turn $turn: not two more"
		case $file in
		*.zst) zstd -tq $file || fail "$file, turn $turn: zstd finds it broken behind --append" ;;
		esac
	done
done
echo "at least $least samples, the last at most $most ms old, $torn torn"
exit $bad
