# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every header compiles alone, and twice, without a warning.

bad=0
for header in $(find include collectors model ui tests/unit -name '*.h' | sort); do
	printf '#include "%s"\n#include "%s"\n' "$header" "$header" >"$TMPDIR/alone.c"
	"$CC" -std=c11 -D_GNU_SOURCE -Iinclude -I. -Wall -Wextra -Wshadow -Wundef -Wstrict-prototypes \
		-Werror -fsyntax-only "$TMPDIR/alone.c" || {
		echo "$header does not compile alone"
		bad=1
	}
done
exit $bad
