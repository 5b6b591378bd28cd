# SPDX-License-Identifier: GPL-2.0-or-later
#
# bootstrap on systems that are not this one: without anything, without apt, without sudo. Every program that
# it may call is a stand-in, so nothing is installed.

bad=0
fail() {
	echo "$*"
	bad=1
}

tree=$TMPDIR/tree
bin=$TMPDIR/bin
mkdir -p "$tree" "$bin"
cp bootstrap "$tree"
cat >"$tree/Makefile" <<'MK'
all check check-kernel:
	@mkdir -p build
	@printf '#!/bin/sh\necho "started $$*"; [ "$$1" != doctor ] || exit "$${DOCTOR:-0}"\n' >build/reclaimtop
	@chmod +x build/reclaimtop
	@printf 'made %s\n' '$@'
MK

# stub NAME: a stand-in, its script on standard input
stub() {
	{ echo '#!/bin/sh'; cat; } >"$bin/$1"
	chmod +x "$bin/$1"
}
borrow() {
	for name; do
		ln -sf "$(which "$name")" "$bin/$name"
	done
}
# boot ARGUMENTS...: bootstrap with the stand-ins alone; output in $got, status in $status
boot() {
	: >"$TMPDIR/calls"
	got=$(cd "$tree" && PATH=$bin CALLS=$TMPDIR/calls ./bootstrap "$@" 2>&1)
	status=$?
}
says() {
	case $got in
	*"$1"*) ;;
	*) fail "bootstrap says nothing of '$1': $got" ;;
	esac
}
called() {
	grep -q -x -e "$1" "$TMPDIR/calls" || fail "no call of '$1', but: $(cat "$TMPDIR/calls")"
}

borrow sh ln printf dirname mktemp rm cat grep sed head env getconf mkdir chmod sleep
stub id <<'SH'
echo 0
SH

# Nothing is here, not even apt.
boot run
[ $status -eq 1 ] || fail "without apt: status $status"
says 'missing: gcc libc6-dev make pkg-config libncurses-dev libproc2-dev libjson-c-dev libzstd-dev libtracefs-dev libtraceevent-dev'
says 'no apt-get here'

# apt brings it; the lists are empty at first.
real_make=$(which "$MAKE")
stub apt-cache <<'SH'
[ -e "$0.updated" ]
SH
stub apt-get <<SH
echo "apt-get \$*" >>"\$CALLS"
case \$* in
*update*) : >$bin/apt-cache.updated; exit ;;
esac
ln -sf $real_make $bin/make
SH
boot run --version
[ $status -eq 0 ] || fail "with apt: status $status: $got"
called 'apt-get -q update'
called 'apt-get -q -y --no-install-recommends install gcc libc6-dev make pkg-config libncurses-dev libproc2-dev libjson-c-dev libzstd-dev libtracefs-dev libtraceevent-dev'
says 'bootstrap: installs: gcc libc6-dev make'
says 'started --version'

# Not root: through sudo, or not at all.
stub id <<'SH'
echo 1000
SH
boot run --version
[ $status -eq 1 ] || fail "no root, no sudo: status $status"
says 'run as root: apt-get install gcc'
stub sudo <<'SH'
echo "sudo $1" >>"$CALLS"
exec "$@"
SH
boot run --version
[ $status -eq 0 ] || fail "with sudo: status $status: $got"
called 'sudo env'
[ "$(grep -c 'apt-get -q update' "$TMPDIR/calls")" -eq 0 ] || fail 'apt-get update was not needed, and ran'

# What is here is not installed again.
stub cc <<'SH'
exit 0
SH
ln -sf cc "$bin/clang"
stub pkg-config <<'SH'
exit 0
SH
for program in mawk tmux jq mandoc zstd python3 qemu-i386 screen xterm Xvfb xdotool; do
	stub $program </dev/null
done
boot check
[ $status -eq 0 ] || fail "check: status $status: $got"
says 'made check'
[ -s "$TMPDIR/calls" ] && fail "nothing was missing, but: $(cat "$TMPDIR/calls")"

# Tests want more than running does.
rm "$bin/tmux" "$bin/clang"
boot check
called 'apt-get -q -y --no-install-recommends install clang tmux'
boot run --version
[ -s "$TMPDIR/calls" ] && fail "run does not need these, but: $(cat "$TMPDIR/calls")"

# Real kernels want an emulator, and not what only the other tests use.
rm -f "$bin/busybox"
boot check-kernel
called 'apt-get -q -y --no-install-recommends install qemu-system-x86 busybox-static .*tmux'
says 'made check-kernel'

# A command or a tree of one's own starts as it is; else it is live or the demo, with a reason.
boot run doctor
says 'started doctor'
boot run -b --root some/tree
says 'started -b --root some/tree'
for doctor in 0 3 4; do
	DOCTOR=$doctor
	export DOCTOR
	boot run -b -n 3
	case $doctor in
	0) says 'started -b -n 3' ;;
	*)
		says 'not live, since'
		says 'started demo -b -n 3'
		;;
	esac
done
unset DOCTOR

boot nonsense
[ $status -eq 2 ] || fail "a wrong command: status $status"
says './bootstrap run'

exit $bad
