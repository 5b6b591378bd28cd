# SPDX-License-Identifier: GPL-2.0-or-later
#
# The demo: from the folder it was built in, installed elsewhere, without root, from any folder, and what it says when its
# files are not there.

bad=0
fail() {
	echo "$*"
	bad=1
}

# plays PROGRAM: three samples of the demo, with generations in them
plays() {
	"$@" demo -b -n 3 >"$TMPDIR/out" 2>"$TMPDIR/err" || fail "$*: exit $?: $(cat "$TMPDIR/err")"
	[ "$(grep -c '^sample ' "$TMPDIR/out")" -eq 3 ] || fail "$*: not three samples"
	grep -q '^reclaimtop [0-9.]*: demo' "$TMPDIR/out" || fail "$*: it is not called a demo"
	grep -q 'kernel 7\.2' "$TMPDIR/out" || fail "$*: not the kernel of the demo"
	grep -q '  /web$' "$TMPDIR/out" || fail "$*: no memcg /web"
	[ -s "$TMPDIR/err" ] && fail "$*: $(cat "$TMPDIR/err")"
}

here=$PWD
plays "$RECLAIMTOP"
cd /
plays "$RECLAIMTOP"
cd "$here" || exit 1

# The whole of it: four minutes, then the end. What the markers tell is what is found.
"$RECLAIMTOP" demo -b -n 1000 >"$TMPDIR/out" || fail "all of it: exit $?"
[ "$(grep -c '^sample ' "$TMPDIR/out")" -eq 241 ] || fail "not 241 samples in all, but $(grep -c '^sample ' "$TMPDIR/out")"
"$RECLAIMTOP" report data/demo.jsonl.zst >"$TMPDIR/report" || fail "a report of it: exit $?"
grep -q '^  3m59s\|^  4m0[01]s' "$TMPDIR/report" || fail "not four minutes: $(sed -n 2p "$TMPDIR/report")"
for words in 'kswapd .*keeps up' 'process of /leak was killed' 'all tasks that had work waited' 'working set of /capped does not fit' \
	'/capped is at its limit' 'Calm' 'backup' 'leak' 'Thrashing' 'limit' 'Recovery'; do
	grep -q "$words" "$TMPDIR/report" || fail "the demo tells nothing of '$words'"
done
[ "$(stat -c %s data/demo.jsonl.zst)" -lt 500000 ] || fail 'it is too large to be shipped'
"$RECLAIMTOP" demo -b --view processes -n 3 | grep -q webserver || fail 'no processes in it'

# In JSON, with what was derived: a line each.
"$RECLAIMTOP" demo --derived -n 3 >"$TMPDIR/out" || fail "derived: exit $?"
[ "$(cut -c 1-15 "$TMPDIR/out" | tr '\n' ' ')" = '{"type":"header {"type":"sample {"type":"step", {"type":"sample {"type":"step", {"type":"sample {"type":"step", ' ] ||
	fail "derived: other lines: $(cut -c 1-15 "$TMPDIR/out")"

# Installed.
"${MAKE:-make}" -s install O="$O" DESTDIR="$TMPDIR/root" PREFIX=/opt/x DATADIR=/opt/x/share/reclaimtop >/dev/null 2>"$TMPDIR/err" ||
	fail "make install: $(cat "$TMPDIR/err")"
plays "$TMPDIR/root/opt/x/bin/reclaimtop"

# As the service that comes with it would: the same command, as many samples as are asked for.
unit=$TMPDIR/root/opt/x/lib/systemd/system/reclaimtop.service
mkdir -p "$TMPDIR/state/reclaimtop"
sed -n 's/^ExecStart=//p' "$unit" | sed "s|%S|$TMPDIR/state|; s|^|$TMPDIR/root|; s|$| -n 2 -d 0.05|" >"$TMPDIR/start"
for turn in 1 2; do
	sh "$TMPDIR/start" 2>"$TMPDIR/err" || fail "the service, turn $turn: exit $?: $(cat "$TMPDIR/err")"
done
n=$("$RECLAIMTOP" replay "$TMPDIR/state/reclaimtop/reclaim.jsonl.zst" -b -n 100 | grep -c '^sample ')
[ "$n" -eq 4 ] || fail "the service recorded $n samples, not 4"

# By a link to it, as one has in ~/bin.
ln -s "$TMPDIR/root/opt/x/bin/reclaimtop" "$TMPDIR/linked"
plays "$TMPDIR/linked"

# Without its files.
mkdir "$TMPDIR/alone"
cp "$RECLAIMTOP" "$TMPDIR/alone/reclaimtop"
"$TMPDIR/alone/reclaimtop" demo -b >"$TMPDIR/out" 2>"$TMPDIR/err"
status=$?
if [ ! -e /usr/local/share/reclaimtop/demo.jsonl.zst ]; then
	[ $status -eq 1 ] || fail "without its files: exit $status"
	grep -q '^reclaimtop: .*/demo.jsonl.zst: No such file or directory; .*make install' "$TMPDIR/err" ||
		fail "without its files: $(cat "$TMPDIR/err")"
fi
exit $bad
