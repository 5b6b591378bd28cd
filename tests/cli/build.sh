# SPDX-License-Identifier: GPL-2.0-or-later
#
# The Makefile over a toy tree: what is built again after which change, what install lays down, what a missing
# library's message says, and that the sanitizers' build has a folder of its own.

bad=0
fail() {
	echo "$*"
	bad=1
}

toy=$TMPDIR/toy
mkdir -p "$toy/model" "$toy/ui/cli" "$toy/include/reclaimtop" "$toy/data" "$toy/docs"
cp Makefile "$toy"
cd "$toy" || exit 1
echo 'int two(void);' >include/reclaimtop/two.h
printf '#include "reclaimtop/two.h"\nint two(void) { return 2; }\n' >model/two.c
cat >ui/cli/demo.c <<'C'
const char *demo_dir(void);
const char *demo_dir(void) { return DATADIR; }
C
cat >ui/cli/main.c <<'C'
#include <stdio.h>
#include "reclaimtop/two.h"
#include "version.h"
const char *demo_dir(void);
int main(void)
{
	printf("%s %s %d\n", RECLAIMTOP_VERSION, demo_dir(), two());
	return 0;
}
C
echo 1 >data/demo.jsonl.zst
echo 'ExecStart=@bindir@/reclaimtop' >data/reclaimtop.service
echo '.TH X' >docs/reclaimtop.1

run() { "$MAKE" CC="$CC" "$@" 2>&1; }
# built WHAT ARGUMENTS...: exactly these objects (and the program, if any) are built by `make ARGUMENTS`
built() {
	wanted=$1
	shift
	got=$(run "$@" | sed -n 's/^  [A-Z0-9]* *//p' | sed 's|.*/||' | sort | tr '\n' ' ')
	[ "$got" = "$wanted" ] || fail "make $*: built '$got', not '$wanted'"
}
# says TEXT: what the program prints
says() {
	got=$(build/reclaimtop)
	[ "$got" = "$1" ] || fail "the program says '$got', not '$1'"
}
# later: makes sure that the next change is seen, whatever the file system's clock
later() { touch -d '+2 seconds' "$1"; }

all='demo.o main.o reclaimtop two.o '
built "$all"
says '0.1.0 /usr/local/share/reclaimtop 2'
built ''

later include/reclaimtop/two.h
built 'main.o reclaimtop two.o '
touch include/reclaimtop/two.h build/obj/*/*.o build/obj/*/*/*.o build/reclaimtop
built ''
built "$all" CFLAGS=-O1
built "$all" CPPFLAGS=-DX CFLAGS=-O1
built reclaimtop\  CPPFLAGS=-DX CFLAGS=-O1 LDFLAGS=-Wl,-O1
built "$all"

built 'main.o reclaimtop ' VERSION=9.9
says '9.9 /usr/local/share/reclaimtop 2'
built 'demo.o main.o reclaimtop ' PREFIX=/opt/x
says '0.1.0 /opt/x/share/reclaimtop 2'

# A source that comes and goes.
printf 'int three(void);\nint three(void) { return 3; }\n' >model/three.c
built 'demo.o reclaimtop three.o '
rm model/three.c
built 'reclaimtop '

# Folders of their own.
built "$all" O=elsewhere
[ -x elsewhere/reclaimtop ] || fail 'O=elsewhere made no elsewhere/reclaimtop'
built ''

# Install, exactly these, and take them away again.
run install PREFIX=/usr DESTDIR="$TMPDIR/dest" >/dev/null || fail 'make install failed'
got=$(cd "$TMPDIR/dest" && find . -type f | sort | tr '\n' ' ')
[ "$got" = "./usr/bin/reclaimtop ./usr/lib/systemd/system/reclaimtop.service ./usr/share/man/man1/reclaimtop.1 \
./usr/share/reclaimtop/demo.jsonl.zst " ] || fail "make install laid down $got"
[ "$(cat "$TMPDIR/dest/usr/lib/systemd/system/reclaimtop.service")" = 'ExecStart=/usr/bin/reclaimtop' ] ||
	fail 'the service starts another program'
[ "$("$TMPDIR/dest/usr/bin/reclaimtop")" = '0.1.0 /usr/share/reclaimtop 2' ] ||
	fail 'the installed program looks for its data elsewhere'
run uninstall PREFIX=/usr DESTDIR="$TMPDIR/dest" >/dev/null || fail 'make uninstall failed'
got=$(cd "$TMPDIR/dest" && find . -type f)
[ -z "$got" ] || fail "make uninstall left $got"

# A library that is not there is named with its package.
cat >"$TMPDIR/pkg-config" <<'SH'
#!/bin/sh
[ "$*" = '--exists json-c' ] && exit 1
exec pkg-config "$@"
SH
chmod +x "$TMPDIR/pkg-config"
got=$(run PKG_CONFIG="$TMPDIR/pkg-config") && fail 'make went on without json-c'
case $got in
*'missing: json-c (Debian: libjson-c-dev)'*) ;;
*) fail "no word of libjson-c-dev: $got" ;;
esac
got=$(run PKG_CONFIG=no-such-program) && fail 'make went on without pkg-config'
case $got in
*'Debian: pkg-config'*) ;;
*) fail "no word of pkg-config: $got" ;;
esac

run clean PKG_CONFIG=no-such-program >/dev/null || fail 'make clean needs pkg-config'
[ -e build ] && fail "make clean left $(find build)"

exit $bad
