# SPDX-License-Identifier: GPL-2.0-or-later
#
# doctor over captured trees and over copies in which something is missing: what it says, what it advises, how it exits.

bad=0
fail() {
	echo "$*"
	bad=1
}

# expect STATUS TREE [PATTERN...]: the exit status, and lines that must be there
expect() {
	wanted=$1 tree=$2
	shift 2
	"$RECLAIMTOP" doctor --root "$tree" >"$TMPDIR/out" 2>"$TMPDIR/err"
	status=$?
	[ $status -eq "$wanted" ] || fail "$tree: exit $status, not $wanted"
	[ -s "$TMPDIR/err" ] && fail "$tree: $(cat "$TMPDIR/err")"
	for pattern; do
		grep -q -E -e "$pattern" "$TMPDIR/out" || { fail "$tree: nothing of '$pattern':"; cat "$TMPDIR/out"; }
	done
}

# copy NAME: a tree of one's own to spoil
copy() {
	rm -rf "${TMPDIR:?}/$1"
	cp -R tests/roots/7.2-pressure/05 "$TMPDIR/$1"
	tree=$TMPDIR/$1
}

# ---- as captured ----
for root in 6.1-pressure/05 6.12-numa2/05 7.2-pressure/05 7.2-oddnames/00 7.2-pressure; do
	expect 0 "tests/roots/$root" '^  lru_gen +ok ' '^  lru_gen_full +ok ' '^  mglru +ok .*\(0x0007\)' '^  vmstat +ok ' \
		'^  zoneinfo +ok ' '^  pressure_memory +ok ' '^reclaimtop shows lru_gen$'
done
[ "$(grep -c '^  [a-z_]* *[a-z]' "$TMPDIR/out")" -ge 16 ] || fail 'not a line for every source'

# ---- MGLRU ----
expect 1 tests/roots/7.2-disabled/01 '^  mglru +off .*\(0x0000\); echo y > /sys/kernel/mm/lru_gen/enabled$' \
	'^reclaimtop shows classic lists: '
expect 0 tests/roots/7.2-disabled/02 '^  mglru +in part .*mm_walk nonleaf_young; echo y > '
expect 0 tests/roots/7.2-disabled/03 '^  mglru +in part .*processor: mm_walk; echo y > '

copy unbuilt
rm -r "$tree/sys/kernel/mm/lru_gen" "$tree"/sys/kernel/debug/lru_gen*
mkdir -p "$tree/sys/kernel/mm/ksm"
expect 3 "$tree" '^  mglru +missing +.*built without MGLRU.*CONFIG_LRU_GEN=y' '^reclaimtop shows classic lists: '

copy nosys
rm -r "$tree/sys"
expect 1 "$tree" '^  mglru +none +not told'

# ---- debugfs ----
copy unmounted
rm "$tree"/sys/kernel/debug/*
expect 1 "$tree" '^  lru_gen +missing +debugfs is not mounted .*; mount -t debugfs debugfs /sys/kernel/debug$'

copy nodebugfs
rm -r "$tree/sys/kernel/debug"
expect 1 "$tree" '^  lru_gen +missing +there is no /sys/kernel/debug'

copy fullonly
rm "$tree/sys/kernel/debug/lru_gen"
expect 0 "$tree" '^  lru_gen_full +ok ' '^reclaimtop shows lru_gen_full'

# ---- others ----
copy less
rm -r "$tree/proc/pressure" "$tree/sys/fs/cgroup" "$tree/proc/swaps"
expect 0 "$tree" '^  pressure_memory +missing +there is no /proc/pressure' '^  cgroup +missing ' '^  swaps +missing '

copy novmstat
rm "$tree/proc/vmstat"
expect 1 "$tree" '^  vmstat +missing +/proc/vmstat: No such file'

# ---- without the right to read ----
# as_nobody COMMAND...: as an ordinary user, whoever runs the tests
as_nobody() {
	if [ "$(id -u)" -ne 0 ]; then "$@"
	elif command -v setpriv >/dev/null; then setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
	else return 99
	fi
}
# Nobody may look into the folder of the tests, nor perhaps into that of the program.
public=$(unset TMPDIR; mktemp -d) || exit 1
trap 'rm -rf "$public"' EXIT
chmod 755 "$public"
cp "$RECLAIMTOP" "$public/reclaimtop"
cp -R tests/roots/7.2-pressure/05 "$public/tree"
chmod -R u=rwX,go=rX "$public/tree"
chmod 000 "$public"/tree/sys/kernel/debug/* "$public/tree/proc/pagetypeinfo"
if as_nobody true; then
	as_nobody "$public/reclaimtop" doctor --root "$public/tree" >"$TMPDIR/out" 2>"$TMPDIR/err"
	status=$?
	[ $status -eq 4 ] || fail "files for root alone: exit $status: $(cat "$TMPDIR/err")"
	grep -q '^  lru_gen  *refused .*Permission denied; .*sudo reclaimtop' "$TMPDIR/out" || fail 'no advice to be root'
	grep -q '^  pagetypeinfo  *refused ' "$TMPDIR/out" || fail 'pagetypeinfo is not refused'
	as_nobody "$public/reclaimtop" -b --root "$public/tree" >"$TMPDIR/out" 2>"$TMPDIR/err" ||
		fail "the rest is not shown: $(cat "$TMPDIR/err")"
	grep -q '^  shows classic lists: debugfs is for root' "$TMPDIR/out" || fail 'not why the classic lists are shown'
	chmod 000 "$public/tree/proc" "$public/tree/sys"
	as_nobody "$public/reclaimtop" -b --root "$public/tree" >/dev/null 2>"$TMPDIR/err"
	status=$?
	[ $status -eq 4 ] || fail "nothing may be read: exit $status: $(cat "$TMPDIR/err")"
fi

# ---- what cannot be opened ----
"$RECLAIMTOP" doctor --root "$TMPDIR/nowhere" >"$TMPDIR/out" 2>"$TMPDIR/err"
[ $? -eq 1 ] || fail 'a folder that is not there'
grep -q '^reclaimtop: .*no such folder; ' "$TMPDIR/err" || fail "nowhere: $(cat "$TMPDIR/err")"

# ---- this machine, whatever it is ----
"$RECLAIMTOP" doctor >"$TMPDIR/out" 2>"$TMPDIR/err"
status=$?
case $status in
0 | 1 | 3 | 4) ;;
*) fail "this machine: exit $status: $(cat "$TMPDIR/err")" ;;
esac
grep -q '^  vmstat  *ok' "$TMPDIR/out" || fail "this machine has no vmstat? $(cat "$TMPDIR/out")"
if [ ! -e /sys/kernel/mm/lru_gen ] && [ -d /sys/kernel/mm ]; then
	[ $status -eq 3 ] || fail "a kernel without MGLRU: exit $status"
fi
exit $bad
