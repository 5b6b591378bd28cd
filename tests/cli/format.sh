# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every kind of line against docs/format.schema.json, by a validator that is not ours; lines that are wrong are refused by it.
# Numbers in a locale with another decimal sign. The jq examples of docs/format.md run.
# https://github.com/Syllo/nvtop/issues/438

# shellcheck disable=SC2016
bad=0
fail() {
	echo "$*"
	bad=1
}
python=
for python in /usr/bin/python3 python3; do
	$python -c 'import jsonschema' 2>/dev/null && break
	python=
done
[ -n "$python" ] || { echo 'there is no python3-jsonschema'; exit 77; }
command -v jq >/dev/null || { echo 'there is no jq'; exit 77; }
schema=docs/format.schema.json
cd "$(dirname "$0")/../.." || exit 1

# ---- lines of every kind ----
for series in tests/roots/*-*; do
	"$RECLAIMTOP" -b --json --derived --pagetypes -n 5 -d 0.05 --root "$series" >>"$TMPDIR/lines" ||
		fail "$series: exit $?"
done
"$RECLAIMTOP" record -o "$TMPDIR/a.jsonl" -d 0.05 -- sh -c 'sleep 0.2; exit 3'
[ $? -eq 3 ] || fail "record: exit $?"
"$RECLAIMTOP" mark "$TMPDIR/a.jsonl" 'score=44890.50' || fail 'mark failed'
printf 'a \033[2J \377 "quoted"\n' >"$TMPDIR/odd"
"$RECLAIMTOP" mark "$TMPDIR/a.jsonl" "$(cat "$TMPDIR/odd")" || fail 'mark failed'
# Under a limit samples are lost, and what was written is whole.
(
	ulimit -f 32
	"$RECLAIMTOP" record -o "$TMPDIR/b.jsonl" -d 0 --root tests/roots/7.2-pressure 2>/dev/null
)
[ $? -eq 1 ] || fail 'a file that may not grow: no exit 1'
"$RECLAIMTOP" record --append -o "$TMPDIR/a.jsonl" --anonymize -d 0 --root tests/roots/7.2-oddnames ||
	fail 'record --append failed'
# Then it may grow again: how many were lost is an event.
(
	ulimit -S -f 64
	exec "$RECLAIMTOP" record -o "$TMPDIR/c.jsonl" -d 0.05 2>"$TMPDIR/full"
) &
pid=$!
for _ in $(seq 300); do
	grep -q 'too large' "$TMPDIR/full" 2>/dev/null && break
	sleep 0.1
done
prlimit --pid $pid --fsize=unlimited
for _ in $(seq 100); do
	grep -q '"type":"event"' "$TMPDIR/c.jsonl" && break
	sleep 0.1
done
kill -TERM $pid
wait $pid
for locale in de_DE.UTF-8 ru_RU.UTF-8 C; do
	LC_ALL=$locale "$RECLAIMTOP" record -o - -d 0 --root tests/roots/6.12-pressure >"$TMPDIR/$locale.jsonl" ||
		fail "in $locale: exit $?"
done
$python tests/cli/validate.py $schema "$TMPDIR/lines" "$TMPDIR"/*.jsonl >"$TMPDIR/out" 2>&1 ||
	fail "$(cat "$TMPDIR/out")"
for kind in header sample step marker event; do
	grep -q "[1-9][0-9]* $kind" "$TMPDIR/out" || fail "no $kind was looked at: $(cat "$TMPDIR/out")"
done

# ---- the schema refuses what is wrong ----
whole=$(jq -c 'select(.key)' "$TMPDIR/lines" | head -n 1)
change=$(jq -c 'select(.type == "sample" and .n > 0 and .lru_gen)' "$TMPDIR/lines" | head -n 1)
marker=$(grep '"type":"marker"' "$TMPDIR/a.jsonl" | head -n 1)
{
	for wrong in 'del(.crc)' '.crc = "xyz"' 'del(.n)' '.n = -1' '.n = 1.5' '.key = 1' '.weather = 1' '.vmstat.pgfault = "many"' \
		'.vmstat.pgfault = -5' '.gone = {"zones": true}' '.lru_gen[0].gens[0] = [1,2,3,4,5,6]' \
		'.zones[0].zone = 7' 'del(.zones[0].node)' '.pressure.memory.some.avg10 = "2,65"' '.page_size = null' \
		'.memcgs[0].path = "a\u001bb"' '.type = "simple"' '.sources.lru_gen = "fine"'; do
		printf '%s\n' "$whole" | jq -c "$wrong"
	done
	for wrong in '.kernel = "7"' '.gone = {"zones": [3]}' '.lru_gen[0].gens[0][1] = "~"' 'del(.lru_gen[0].memcg)'; do
		printf '%s\n' "$change" | jq -c "$wrong"
	done
	for wrong in 'del(.text)' '.kind = "lost"' '.duration_us = 5' 'del(.mono_us)'; do
		printf '%s\n' "$marker" | jq -c "$wrong"
	done
} >"$TMPDIR/wrong"
$python tests/cli/validate.py --none $schema "$TMPDIR/wrong" >"$TMPDIR/out" 2>&1 || fail "$(cat "$TMPDIR/out")"
[ "$(wc -l <"$TMPDIR/wrong")" -eq 26 ] || fail "$(wc -l <"$TMPDIR/wrong") wrong lines, not 26"

# ---- the examples ----
mkdir "$TMPDIR/bin" "$TMPDIR/here"
ln -s "$RECLAIMTOP" "$TMPDIR/bin/reclaimtop"
awk -v to="$TMPDIR/example" '
	/^```sh$/ { n++; inside = 1; next }
	/^```$/   { inside = 0 }
	inside    { print >(to "." n) }' docs/format.md
n=0
for example in "$TMPDIR"/example.*; do
	n=$((n + 1))
	(cd "$TMPDIR/here" && rm -f run.* && PATH="$TMPDIR/bin:$PATH" sh -e "$example") >"$TMPDIR/out" 2>"$TMPDIR/err" ||
		fail "$(cat "$example"): exit $?"
	[ -s "$TMPDIR/out" ] || fail "$(cat "$example"): says nothing"
	[ ! -s "$TMPDIR/err" ] || fail "$(cat "$example"): $(cat "$TMPDIR/err")"
done
[ $n -ge 7 ] || fail "docs/format.md has $n examples"
exit $bad
