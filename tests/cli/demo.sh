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

# The whole of it: fifteen samples, then the end.
"$RECLAIMTOP" demo -b -n 100 >"$TMPDIR/out" || fail "all of it: exit $?"
[ "$(grep -c '^sample ' "$TMPDIR/out")" -eq 15 ] || fail 'not fifteen samples in all'

# In JSON, with what was derived: a line each.
"$RECLAIMTOP" demo --derived -n 3 >"$TMPDIR/out" || fail "derived: exit $?"
[ "$(cut -c 1-15 "$TMPDIR/out" | tr '\n' ' ')" = '{"type":"header {"type":"sample {"type":"step", {"type":"sample {"type":"step", {"type":"sample {"type":"step", ' ] ||
	fail "derived: other lines: $(cut -c 1-15 "$TMPDIR/out")"

# Installed.
"${MAKE:-make}" -s install O="$O" DESTDIR="$TMPDIR/root" PREFIX=/opt/x DATADIR=/opt/x/share/reclaimtop >/dev/null 2>"$TMPDIR/err" ||
	fail "make install: $(cat "$TMPDIR/err")"
plays "$TMPDIR/root/opt/x/bin/reclaimtop"

# By a link to it, as one has in ~/bin.
ln -s "$TMPDIR/root/opt/x/bin/reclaimtop" "$TMPDIR/linked"
plays "$TMPDIR/linked"

# Without its files.
mkdir "$TMPDIR/alone"
cp "$RECLAIMTOP" "$TMPDIR/alone/reclaimtop"
"$TMPDIR/alone/reclaimtop" demo -b >"$TMPDIR/out" 2>"$TMPDIR/err"
status=$?
if [ ! -d /usr/local/share/reclaimtop/demo ]; then
	[ $status -eq 1 ] || fail "without its files: exit $status"
	grep -q '^reclaimtop: .*/demo: there is no such folder; .*make install' "$TMPDIR/err" ||
		fail "without its files: $(cat "$TMPDIR/err")"
fi
exit $bad
