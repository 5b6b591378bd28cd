# SPDX-License-Identifier: GPL-2.0-or-later
#
# A file system that fills up while it is recorded to: said once, the file ends with a whole line, and once there is room it goes
# on. In a small tmpfs, in a name space of our own. As others saw it: https://github.com/sysstat/sysstat/issues/173

command -v zstd >/dev/null && command -v jq >/dev/null || { echo 'there is no zstd or no jq'; exit 77; }
if [ "${1:-}" != inside ]; then
	command -v unshare >/dev/null || { echo 'there is no unshare'; exit 77; }
	unshare -rm true 2>/dev/null || { echo 'no name spaces of our own here'; exit 77; }
	exec unshare -rm sh "$0" inside
fi

bad=0
fail() {
	echo "$*"
	bad=1
}
mkdir "$TMPDIR/disk"
mount -t tmpfs -o size=192k full "$TMPDIR/disk" || { echo 'no tmpfs here'; exit 77; }
cd "$TMPDIR/disk" || exit 1

for file in a.jsonl a.zst; do
	pages=32
	[ $file = a.zst ] && pages=44
	dd if=/dev/zero of=ballast bs=4k count=$pages 2>/dev/null
	"$RECLAIMTOP" record -o $file -d 0.05 2>../err &
	pid=$!
	for _ in $(seq 600); do
		grep -q . ../err && break
		sleep 0.1
	done
	grep -q 'No space left on device' ../err || fail "$file: no word of a full disk: $(cat ../err)"
	sleep 1.2
	[ "$(wc -l <../err)" -eq 1 ] || fail "$file: said more than once: $(cat ../err)"
	kill -0 $pid || fail "$file: it left"
	# What is there is whole, while it is full.
	cp $file ../copy
	case $file in
	*.zst) zstd -dcq ../copy >../text 2>/dev/null ;;
	*) cp ../copy ../text ;;
	esac
	[ "$(tail -c 1 ../text | od -An -tx1 | tr -d ' ')" = 0a ] || fail "$file ends within a line"
	before=$(jq -c 'select(.type == "sample") | .n' ../text | wc -l)
	[ "$before" -gt 0 ] || fail "$file holds nothing"
	"$RECLAIMTOP" export --json ../copy >../whole 2>../err2 || fail "$file: export: $(cat ../err2)"
	[ "$(grep -c '"type":"sample"' ../whole)" -eq "$before" ] || fail "$file: $before samples by jq, others by us"
	[ ! -s ../err2 ] || fail "$file: $(cat ../err2)"

	# Room again.
	rm ballast
	sleep 1.5
	kill -TERM $pid
	wait $pid
	status=$?
	[ $status -eq 1 ] || fail "$file: exit $status, though samples were lost"
	grep -q 'it is written again' ../err || fail "$file: not said that it is over: $(cat ../err)"
	case $file in
	*.zst) zstd -dcq $file >../text || fail "$file: zstd finds it broken" ;;
	*) cp $file ../text ;;
	esac
	after=$(jq -c 'select(.type == "sample") | .n' ../text | wc -l)
	[ "$after" -gt "$before" ] || fail "$file: nothing came behind the $before samples"
	# What came next is whole, the numbers say how many are missing, and so does the event.
	jq -c 'select(.type == "sample") | [.n, .key]' ../text | awk -F '[][,]' '
		NR > 1 && $2 != last + 1 { holes++; if ($3 != "true") print "n " $2 " does not follow, and is not whole" }
		{ last = $2 }
		END { if (holes != 1) print holes + 0 " holes" }' | grep . && bad=1
	lost=$(jq -c 'select(.type == "event" and .kind == "lost") | .samples' ../text)
	missing=$(jq -c 'select(.type == "sample") | .n' ../text | awk 'NR > 1 { n += $1 - last - 1 } { last = $1 } END { print n }')
	[ "$lost" = "$missing" ] || fail "$file: '$lost' lost, $missing missing"
	rm -f $file
done
exit $bad
