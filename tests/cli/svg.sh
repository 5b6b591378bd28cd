# SPDX-License-Identifier: GPL-2.0-or-later
#
# The screen as a picture: well-formed, and its text is the text of the screen, cell for cell.
set -u
command -v python3 >/dev/null || { echo 'there is no python3'; exit 77; }
status=0

# same ARGS...: a picture and a text of one screen, and whether they say the same
same() {
	"$RECLAIMTOP" "$@" --svg "$TMPDIR/a.svg" --text "$TMPDIR/a.txt" || { echo "$*: exit $?"; status=1; return; }
	python3 - "$TMPDIR/a.svg" "$TMPDIR/a.txt" <<'PY' || { echo "of: $*"; status=1; }
import sys, unicodedata
import xml.etree.ElementTree as tree
ns = '{http://www.w3.org/2000/svg}'
root = tree.parse(sys.argv[1]).getroot()
lines = open(sys.argv[2], encoding='utf-8').read().split('\n')[:-1]
W, H, EDGE, BASE = 9, 18, 10, 14
def wide(c): return 0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in 'WF' else 1
assert root.tag == ns + 'svg' and root.get('width') == root.get('viewBox').split()[2]
grid = {}
for e in root.iter(ns + 'text'):
    x, y, length = int(e.get('x')), int(e.get('y')), int(e.get('textLength'))
    assert (x - EDGE) % W == 0 and (y - EDGE - BASE) % H == 0, 'off the grid'
    row, col = (y - EDGE - BASE) // H, (x - EDGE) // W
    assert sum(map(wide, e.text)) * W == length, e.text
    for c in e.text:
        if wide(c):
            assert (row, col) not in grid, 'one over another'
            grid[row, col] = c
        else:
            grid[row, col - 1 if (row, col - 1) in grid else col - 2] += c
        col += wide(c)
    assert EDGE + col * W <= int(root.get('width')) - EDGE
drawn = []
for row in range(len(lines)):
    cols = [c for r, c in grid if r == row]
    line, col = '', 0
    while col <= max(cols, default=-1):
        c = grid.get((row, col), ' ')
        line += c
        col += max(1, wide(c[0]))
    drawn.append(line.rstrip())
for n, (a, b) in enumerate(zip(lines, drawn)):
    if a != b:
        sys.exit('line %d\n  screen:  %s\n  picture: %s' % (n + 1, a, b))
PY
}

for view in $("$RECLAIMTOP" --view none 2>&1 | sed 's/.*there are //; s/ and/,/; s/,//g'); do
	same --root tests/roots/7.2-pressure -n 6 --view "$view"
done
same --root tests/roots/7.2-oddnames -n 2 --view memcgs --size 80x24 --theme light
same --root tests/roots/7.2-oddnames -n 2 --view memcgs --size 41x9 --keys x
same --root tests/roots/7.2-pressure -n 6 --size 200x60 --keys '2<Down>' --theme mono
same --root tests/roots/7.2-pressure -n 6 --size 1x1
same --root tests/roots/7.2-pressure -n 6 --ascii --keys 'h<PgDn>'

# To standard output; what cannot be written is said.
"$RECLAIMTOP" --root tests/roots/7.2-pressure --svg - | head -n 1 | grep -q '^<svg ' || { echo 'nothing on standard output'; status=1; }
"$RECLAIMTOP" --root tests/roots/7.2-pressure --svg "$TMPDIR/none/a.svg" 2>"$TMPDIR/err"
[ $? -eq 1 ] && grep -q 'none/a.svg' "$TMPDIR/err" || { echo "a folder that is not there: $(cat "$TMPDIR/err")"; status=1; }
for size in 0x0 12 12x 1x2x3 x 2000x3; do
	"$RECLAIMTOP" --root tests/roots/7.2-pressure --svg - --size "$size" >/dev/null 2>&1
	[ $? -eq 2 ] || { echo "--size $size is taken"; status=1; }
done
exit $status
