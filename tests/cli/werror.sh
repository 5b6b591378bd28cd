# SPDX-License-Identifier: GPL-2.0-or-later
#
# gcc and clang have nothing to warn of. Objects only, each compiler in an output folder of its own, so that a
# second run compiles only what changed.

bad=0
tried=
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	tried="$tried $compiler"
	$MAKE -j"$(getconf _NPROCESSORS_ONLN)" O="$O/werror-$compiler" CC=$compiler CFLAGS='-O2 -Werror' \
		-k objects >"$TMPDIR/log" 2>&1 && continue
	grep -v -e '^  CC ' "$TMPDIR/log"
	echo "$compiler warns"
	bad=1
done
[ -n "$tried" ] || { echo 'neither gcc nor clang is here'; exit 77; }
exit $bad
