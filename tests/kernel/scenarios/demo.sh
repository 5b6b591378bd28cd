# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# The recording that `reclaimtop demo` plays: four minutes at one second, with markers that say what is
# happening. ../demo runs it and takes the recording out.
mglru y
mkdir -p /tmp/as
hot=/data/hot whole=/data/whole file=demo.jsonl.zst

# as NAME MEMCG ARGUMENTS...: a load in a memcg, as a process of that name.
as() {
	name=$1 memcg=$2
	shift 2
	mkdir -p "$CGROUP/$memcg"
	cp /bin/load "/tmp/as/$name"
	"/tmp/as/$name" -c "$CGROUP/$memcg" "$@" >"$(load_log "$memcg")" 2>&1 &
	say "$name in $memcg: $*"
}

# at SECOND: waits for this second of the recording.
at() {
	until awk -v b="$began" -v s="$1" '{ exit $1 < b + s }' /proc/uptime; do
		sleep 0.2
	done
}

tell() {
	say "$*"
	reclaimtop mark $file "$*"
}

load fill $hot 60M
load fill $whole 560M
sync
echo 3 >/proc/sys/vm/drop_caches
as webserver web -r 15000 anon "$(percent 25)" 50
as database db -r 6000 file $hot 100
ready web db
sleep 8

reclaimtop record -o $file -d 1 -n 241 2>record.err &
session=$!
sleep 0.5
began=$(cut -d ' ' -f 1 /proc/uptime)
at 2
tell 'Calm: a web server and a database. All of it fits.'

at 25
tell 'A backup reads 500 MB once. Its pages are evicted young; what is hot stays.'
as backup backup -r 3500 -t 37 stream $whole
at 64
stop backup
tell 'The backup is done. What it left behind is cache: the first to go.'

at 75
tell 'A leak: 5 MB a second, without swap. The others have to make room.'
as leaky leak -r 1250 -o memory.swap.max=0 -o "memory.max=$(percent 48)" hog 8M
leak=$!
tries=0
while kill -0 $leak 2>/dev/null && [ "$tries" -lt 250 ]; do
	sleep 0.2
	tries=$((tries + 1))
done
tell 'The leak reached its memory.max: the OOM killer ended it.'

at 132
tell 'Thrashing: a batch job uses more than there is. Pages come back as soon as they are gone.'
as batchjob batch -r 12000 thrash "$(percent 80)"
at 172
stop batch
tell 'The batch job is over.'

at 182
tell 'A memcg at its limit: it wants twice its memory.max. Only it has to reclaim.'
as capped capped -r 6000 limit 40M
at 215
stop capped
tell 'Recovery: nothing presses any more. What nobody uses stays in swap.'
wait $session
echo $? >record.status
say 'done'
