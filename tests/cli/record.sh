# SPDX-License-Identifier: GPL-2.0-or-later
#
# record and mark as a person uses them: files that are there, two writers, signals, a command, pipes, rotation, exit statuses.

bad=0
fail() {
	echo "$*"
	bad=1
}
# runs STATUS ARGUMENTS...: the program ends so; its words are in $said
runs() {
	wanted=$1
	shift
	said=$("$RECLAIMTOP" "$@" 2>&1)
	status=$?
	[ $status -eq "$wanted" ] || fail "$*: exit $status, not $wanted: $said"
}
says() {
	case $said in
	*"$1"*) ;;
	*) fail "no word of '$1': $said" ;;
	esac
}
# samples FILE: how many there are, by zstd and grep
samples() {
	case $1 in
	*.zst) zstd -dcq "$1" 2>/dev/null ;;
	*) cat "$1" ;;
	esac | grep -c '"type":"sample"'
}
# has FILE N
has() {
	[ "$(samples "$1")" -eq "$2" ] || fail "$1 holds $(samples "$1") samples, not $2"
}
# wait_for FILE: until there is something in it
wait_for() {
	for _ in $(seq 200); do
		[ -s "$1" ] && return
		sleep 0.05
	done
	fail "nothing was written to $1"
}
command -v zstd >/dev/null || { echo 'there is no zstd'; exit 77; }
cd "$TMPDIR" || exit 1
umask 022
series=$OLDPWD/tests/roots/7.2-pressure

# ---- what is asked for ----
runs 0 record -o a.jsonl -n 3 -d 0.05
[ -z "$said" ] || fail "standard error is no terminal, and yet: $said"
has a.jsonl 3
[ "$(stat -c %a a.jsonl)" = 640 ] || fail "mode $(stat -c %a a.jsonl)"
runs 0 record -o for.zst --for 2s -d 0.1
[ "$(samples for.zst)" -ge 2 ] || fail 'too few samples in 2 s'
runs 0 record -o series.zst -d 0 --root "$series"
has series.zst 15
runs 0 record -o - -n 2 -d 0.05
[ "$(printf '%s\n' "$said" | grep -c '"type":"sample"')" -eq 2 ] || fail 'not two samples on standard output'

# ---- files that are there ----
runs 1 record -o a.jsonl -n 1
says '--append adds to it, --force replaces it'
runs 0 record -o a.jsonl --append -n 2 -d 0.05
has a.jsonl 5
[ "$(grep -c '"type":"header"' a.jsonl)" -eq 2 ] || fail 'no header of its own for what was added'
runs 0 record -o a.jsonl --force -n 1
has a.jsonl 1
echo 'not ours' >letter
runs 1 record -o letter --append -n 1
says 'no recording'
[ "$(cat letter)" = 'not ours' ] || fail 'what is no recording was changed'
mkdir common
chmod 1777 common
ln -s "$PWD/stolen" common/link
runs 4 record -o common/link -n 1
says 'symbolic link'
[ ! -e stolen ] || fail 'a link was followed'

# ---- wrong use ----
runs 2 record -n 1
runs 2 record -o x --append --force
runs 2 record -o x --keep 3
runs 2 record -o x --rotate 64
runs 2 record -o x -d 0
runs 2 record -o x --for 0
runs 2 record -o x sleep 1
runs 2 record -o - -- sleep 1
runs 2 record -o x --root "$series" -- sleep 1
runs 2 --for 5 -n 1
runs 2 mark a.jsonl
[ ! -e x ] || fail 'wrong use made a file'
runs 1 record -o no/such/folder/x -n 1
runs 1 record -o . -n 1

# ---- two writers, and markers meanwhile ----
for file in two.jsonl two.zst; do
	env --default-signal=INT "$RECLAIMTOP" record -o $file -d 0.05 &
	pid=$!
	wait_for $file
	runs 1 record -o $file --append -n 1
	says 'another process records to it'
	runs 1 record -o $file --force -n 1
	for n in 1 2 3 4 5 6 7 8; do
		runs 0 mark $file "note $n"
	done
	sleep 0.3
	kill -INT $pid
	wait $pid || fail "$file: exit $? behind SIGINT"
	runs 0 mark $file 'score=12.5'
	case $file in
	*.zst) zstd -dcq $file >text || fail "$file: zstd finds it broken" ;;
	*) cp $file text ;;
	esac
	[ "$(grep -c '"kind":"note"' text)" -eq 8 ] || fail "$file holds $(grep -c '"kind":"note"' text) notes, not 8"
	[ "$(grep -c '"kind":"score"' text)" -eq 1 ] || fail "$file holds no score"
	# Every n in order, so nothing came between the halves of anything.
	grep -o '"n":[0-9]*' text | awk -F : '$2 != NR - 1 { print "n " $2 " is number " NR; exit 1 }' ||
		fail "$file is out of order"
done
runs 5 mark letter text
runs 1 mark no-such-file text

# ---- a command ----
runs 7 record -o command.jsonl -d 0.05 -- sh -c 'sleep 0.5; exit 7'
grep -q '"kind":"start","text":"sh -c .sleep 0.5; exit 7.' command.jsonl || fail 'no start'
took=$(sed -n 's/.*"kind":"end","duration_us":\([0-9]*\),"status":7.*/\1/p' command.jsonl)
[ "${took:-0}" -ge 500000 ] || fail "no end, or it came too early: $(grep '"end"' command.jsonl)"
# A sample before it, and one behind.
order=$(grep -o '"type":"sample"\|"kind":"start"\|"kind":"end"' command.jsonl | uniq | sed 's/.*:"//; s/"//' | tr '\n' ' ')
[ "$order" = 'sample start sample end sample ' ] || fail "order: $order"
runs 137 record -o killed.jsonl -d 0.05 -- sh -c 'kill -9 $$'
runs 1 record -o none.jsonl -d 0.05 -- no-such-program
says 'no-such-program'
# It goes on where samples end.
runs 3 record -o few.zst -n 1 -d 0.05 -- sh -c 'sleep 0.3; exit 3'
has few.zst 1

# ---- signals: at once, however long the pause (a shell has SIGINT ignored in what it puts behind it) ----
# https://github.com/facebookincubator/below/issues/8249
for signal in TERM INT HUP; do
	env --default-signal=$signal "$RECLAIMTOP" record -o $signal.zst -d 3600 &
	pid=$!
	wait_for $signal.zst
	start=$(date +%s%N)
	kill -$signal $pid
	wait $pid || fail "$signal: exit $?"
	took=$((($(date +%s%N) - start) / 1000000))
	[ $took -lt 1000 ] || fail "$signal: it took $took ms to leave"
	has $signal.zst 1
	zstd -tq $signal.zst || fail "$signal: the file is not closed"
done
# The command gets it too, and is waited for.
"$RECLAIMTOP" record -o both.jsonl -d 0.05 -- sh -c 'trap "exit 9" TERM; while :; do sleep 0.05; done' &
pid=$!
for _ in $(seq 200); do
	grep -q '"kind":"start"' both.jsonl 2>/dev/null && break
	sleep 0.05
done
sleep 0.2
kill -TERM $pid
wait $pid
status=$?
[ $status -eq 9 ] || fail "the command's own end: exit $status"
grep -q '"status":9' both.jsonl || fail 'its end is not in the file'
# What was ignored stays so (nohup).
sh -c "trap '' HUP; exec \"\$0\" record -o nohup.jsonl -d 0.05" "$RECLAIMTOP" &
pid=$!
wait_for nohup.jsonl
kill -HUP $pid
sleep 0.3
kill -TERM $pid 2>/dev/null || fail 'it left, though SIGHUP was ignored'
wait $pid || fail "nohup: exit $?"

# ---- a pipe that nobody reads any more ----
mkfifo pipe
"$RECLAIMTOP" record -o - -d 0.05 >pipe 2>err &
pid=$!
head -n 3 pipe >text
wait $pid
status=$?
[ $status -eq 1 ] || fail "a closed pipe: exit $status"
[ "$(wc -l <text)" -eq 3 ] || fail 'fewer lines than were read'

# ---- full ----
(
	ulimit -f 32
	"$RECLAIMTOP" record -o limit.jsonl -d 0 --root "$series" 2>err
	[ $? -eq 1 ] || echo "a file that may not grow: exit $?"
) | grep . && bad=1
[ "$(grep -c 'File too large' err)" -eq 1 ] || fail "not said once: $(cat err)"
grep -q 'samples were lost' err || fail "not said how many were lost: $(cat err)"
[ "$(tail -c 1 limit.jsonl | od -An -tx1 | tr -d ' ')" = 0a ] || fail 'the file ends within a line'
[ "$(samples limit.jsonl)" -ge 1 ] || fail 'nothing was recorded'

# ---- rotation ----
runs 0 record -o turn.jsonl.zst -d 0 --root "$series" --rotate 1K --keep 2
ls turn* | tr '\n' ' ' >text
[ "$(cat text)" = 'turn.1.jsonl.zst turn.2.jsonl.zst turn.jsonl.zst ' ] || fail "rotation made $(cat text)"
for file in turn*; do
	zstd -dcq "$file" | head -n 1 | grep -q '^{"type":"header"' || fail "$file has no header"
done

# ---- pseudonyms ----
runs 0 record -o secret.jsonl -d 0 --root "$series" --anonymize
grep -q '"path":"/web"\|"path":"/db"' secret.jsonl && fail 'a name is left'
grep -q '"path":"/g[0-9a-z]*"' secret.jsonl || fail 'no pseudonyms'

exit $bad
