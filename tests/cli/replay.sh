# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2016
#
# replay: the same facts as those of the trees that were recorded, in batch; files that are none; and on a
# terminal: keys, a marker, a recording made of a live view and played again.

bad=0
fail() {
	echo "$*"
	bad=1
}
series=tests/roots/7.2-pressure
"$RECLAIMTOP" record -o "$TMPDIR/a.jsonl" -d 0 --root $series 2>"$TMPDIR/err" || fail "record: $(cat "$TMPDIR/err")"
"$RECLAIMTOP" record -o "$TMPDIR/a.jsonl.zst" -d 0 --root $series 2>"$TMPDIR/err" || fail "record: $(cat "$TMPDIR/err")"

# ---- batch: what the trees say, but for the name and for ages, which may be 100 ms off ----
plain() { sed -e 1d -E -e 's/[0-9.]+(ms|m[0-9]+s|s)( |$)/age\2/g' | tr -s ' '; }
"$RECLAIMTOP" --root $series -b -n 100 >"$TMPDIR/out" || fail "the trees: exit $?"
plain <"$TMPDIR/out" >"$TMPDIR/trees"
[ "$(grep -c '^sample ' "$TMPDIR/out")" -eq 15 ] || fail 'the trees: not 15 samples'
for file in a.jsonl a.jsonl.zst; do
	"$RECLAIMTOP" replay "$TMPDIR/$file" -b -n 100 >"$TMPDIR/out" 2>"$TMPDIR/err" || fail "$file: exit $?: $(cat "$TMPDIR/err")"
	plain <"$TMPDIR/out" >"$TMPDIR/replayed"
	cmp -s "$TMPDIR/trees" "$TMPDIR/replayed" || fail "$file: $(diff "$TMPDIR/trees" "$TMPDIR/replayed" | head -n 6)"
	[ -s "$TMPDIR/err" ] && fail "$file: $(cat "$TMPDIR/err")"
done
count() { "$RECLAIMTOP" replay "$@" 2>/dev/null | grep -c '^sample '; }
[ "$(count "$TMPDIR/a.jsonl")" -eq 1 ] || fail 'no terminal: not one sample'
[ "$(count "$TMPDIR/a.jsonl" -b -n 4)" -eq 4 ] || fail '-n 4: not four samples'
[ "$(count -b -n 4 "$TMPDIR/a.jsonl" --view memcgs)" -eq 4 ] || fail '--view: not four samples'
"$RECLAIMTOP" replay "$TMPDIR/a.jsonl" --derived -n 3 | cut -c 1-14 | sort | uniq -c | tr -s ' \n' ' ' >"$TMPDIR/out"
[ "$(cat "$TMPDIR/out")" = ' 1 {"type":"heade 3 {"type":"sampl 3 {"type":"step" ' ] || fail "--derived: $(cat "$TMPDIR/out")"

# ---- files that are none ----
# refused STATUS WORDS ARGUMENTS...
refused() {
	want=$1 words=$2
	shift 2
	"$RECLAIMTOP" replay "$@" >"$TMPDIR/out" 2>"$TMPDIR/err"
	status=$?
	[ $status -eq "$want" ] || fail "$*: exit $status"
	grep -q -e "^reclaimtop: .*$words" "$TMPDIR/err" || fail "$*: $(cat "$TMPDIR/err")"
	[ "$(wc -l <"$TMPDIR/err")" -eq 1 ] || fail "$*: more than one line"
	[ -s "$TMPDIR/out" ] && fail "$*: something on standard output"
}
refused 1 'No such file' "$TMPDIR/none"
refused 2 'wants a file'
refused 2 'one word too many' "$TMPDIR/a.jsonl" "$TMPDIR/a.jsonl"
refused 2 'only a screen' "$TMPDIR/a.jsonl" --follow -b
refused 2 'no folder' "$TMPDIR/a.jsonl" --root $series
: >"$TMPDIR/empty"
refused 5 '' "$TMPDIR/empty"
head -c 100000 "$RECLAIMTOP" >"$TMPDIR/program"
refused 5 '' "$TMPDIR/program"
"$RECLAIMTOP" --follow 2>"$TMPDIR/err" && fail '--follow without replay is taken'

# ---- on a terminal ----
command -v tmux >/dev/null || { [ $bad -eq 0 ] && echo 'there is no tmux' && exit 77; exit 1; }
# A server of its own for each screen: one that is about to end takes nobody in.
turn=0
tm() { tmux -L "reclaimtop-replay-$$-$turn" -f /dev/null "$@"; }
trap 'tm kill-server 2>/dev/null' EXIT
screen() { tm capture-pane -p -t screen 2>/dev/null; }
press() { tm send-keys -t screen "$@"; }

# sees WORDS: within ten seconds.
sees() {
	tries=100
	until screen | grep -q -F -e "$1"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || {
			fail "not on screen: $1"
			screen
			return 1
		}
		sleep 0.1
	done
}

# shows ARGUMENTS...: on a screen of 120x30, then its exit status.
shows() {
	tm kill-server 2>/dev/null
	turn=$((turn + 1))
	tm new-session -d -s screen -x 120 -y 30 \
		"cd '$TMPDIR' && LC_ALL=C.UTF-8 '$RECLAIMTOP' $*; echo exit \$?; sleep 60"
}

shows replay a.jsonl -d 3600
sees 'sample 1 of 15'
sees 'replay a.jsonl'
press t
sees 'sample 2 of 15'
press ]
sees 'sample 3 of 15'
sees 'd 167 allocations had to reclaim themselves'
press End
sees 'sample 15 of 15'
press Home
sees 'sample 1 of 15'
press j
sees 'Jump by: +'
press 10s Enter
sees 'sample 6 of 15'
press b 14:00 Enter
sees 'no sample has that time'
press T T
sees 'sample 4 of 15'
press m
press 'here it is' Enter
sees 'marked, in the file too'
grep -q '"here it is"' "$TMPDIR/a.jsonl" || fail 'the marker is not in the file'
press G
press 3
sees '[3 Memcgs]'
press [ [ [
sees 'm here it is'
press '}'
press Space
sees 'PLAY 2x'
press Space
sees 'STOPPED'
press h
sees 'Help  lines 1-'
press NPage
sees 'to the event before or to the next.'
press q q
sees 'exit 0'

# As many as were asked for are played, at a pace that was asked for.
shows replay a.jsonl.zst -d 0.1 -n 5
sees 'exit 0'

# A live view is recorded with its history, and played again.
shows -d 0.2 --view pagesets
sees 'history'
sleep 1
press R
sees 'Record to: reclaimtop-'
press Enter
sees 'With the history before it'
press y
sees 'REC '
press T T T
sees 'before now'
sleep 1
press End
press R
sees 'recorded '
press q
sees 'exit 0'
set -- "$TMPDIR"/reclaimtop-*.jsonl.zst
[ $# -eq 1 ] && [ -s "$1" ] || fail 'no recording under the name that was offered'
n=$(count "$1" -b -n 1000)
[ "$n" -ge 10 ] || fail "only $n samples were recorded"
shows replay "$1" -d 3600
sees "sample 1 of $n"
press G
sees 'END'
press q
sees 'exit 0'

# A file that is still written is followed.
"$RECLAIMTOP" record -o "$TMPDIR/growing.jsonl" -d 0.1 --for 6s 2>/dev/null &
pid=$!
sleep 1
shows replay growing.jsonl --follow
sees 'replay growing.jsonl'
sees 'PLAY 1x  sample '
sleep 1
press T
sees 'STOPPED'
press End
wait $pid
n=$(count "$TMPDIR/growing.jsonl" -b -n 1000)
sees "sample $n of $n"
press q
sees 'exit 0'

exit $bad
