# SPDX-License-Identifier: GPL-2.0-or-later
#
# Batch text: all sections, numbers that awk finds in the kernel's files as well, names whole and harmless.

bad=0
fail() {
	echo "$*"
	bad=1
}
batch() { "$RECLAIMTOP" -b "$@" >"$TMPDIR/out" 2>"$TMPDIR/err" || fail "$*: exit $?: $(cat "$TMPDIR/err")"; }
has() { grep -q -E -e "$1" "$TMPDIR/out" || fail "nothing of '$1'"; }
has_not() { grep -E -e "$1" "$TMPDIR/out" && fail "'$1' should not be there"; }

# cell SECTION ROW COLUMN: a cell of the last sample, rows named by their first word
cell() {
	awk -v section="$1" -v row="$2" -v column="$3" '
		/^[a-z]/ { inside = $0 ~ "^" section; if (inside) value = "" }
		inside && $1 == row && value == "" { value = $column }
		END { print value }' "$TMPDIR/out"
}

# about VALUE EXPECTED WHAT: a printed amount (12.3M) is a number of bytes, as near as three digits tell
about() {
	awk -v text="$1" -v expected="$2" 'BEGIN {
		unit = substr(text, length(text)); number = text + 0
		n = index("BKMGT", unit); for (i = 1; i < n; i++) number *= 1024
		diff = number - expected; if (diff < 0) diff = -diff
		exit !(text ~ /^[0-9]/ && diff <= expected * 0.006 + 1)
	}' || fail "$3: $1 is not $2 bytes"
}
vm() { awk -v name="$2" '$1 == name { print $2 }' "$1/proc/vmstat"; }

series=tests/roots/7.2-pressure
a=$series/05 b=$series/06

# ---- all sections; with the first sample there are no rates ----
batch --root $a
for section in memory swap reclaim pressure generations memcgs zones 'pagesets \(pages\)' 'free blocks'; do
	has "^$section\$"
done
has_not '^flows$'
has '^  kswapd +- +- +-$'
has '^  by what +- +- +-$'
has '^sample 0, clock [0-9.]+ s, the first'
has_not '^processes$'
total=$(awk '$1 == "MemTotal:" { print $2 * 1024 }' $a/proc/meminfo)
about "$(awk '/^memory$/ { getline; getline; print $1 }' "$TMPDIR/out")" "$total" 'MemTotal'

# ---- two trees as a series: rates ----
mkdir -p "$TMPDIR/two"
cp -R $a "$TMPDIR/two/0"
cp -R $b "$TMPDIR/two/1"
batch -n 2 --root "$TMPDIR/two"
seconds=$(awk '{ t[NR] = $1 } END { print t[2] - t[1] }' $a/proc/uptime $b/proc/uptime)
for pair in 'kswapd pgsteal_kswapd' 'direct pgsteal_direct' 'file pgsteal_file'; do
	row=${pair% *} name=${pair#* }
	rate=$(awk -v a="$(vm $a "$name")" -v b="$(vm $b "$name")" -v s="$seconds" 'BEGIN { print (b - a) * 4096 / s }')
	about "$(cell reclaim "$row" 3)" "$rate" "stolen by $row"
done
has '^  check: the two sums agree: '
has '^flows$'
lost=$(awk '$1 == "some" { sub(/.*total=/, ""); t[++n] = $0 } END { print (t[2] - t[1]) / 1e6 }' $a/proc/pressure/memory $b/proc/pressure/memory)
share=$(awk '/^pressure$/ { p = 1 } p && $1 == "memory" && $2 == "some" { v = $NF } END { print v }' "$TMPDIR/out")
awk -v share="$share" -v lost="$lost" -v s="$seconds" 'BEGIN {
	p = share; sub(/[<%]/, "", p); d = p - lost / s * 100; exit !(d < 0.6 && d > -0.6) }' ||
	fail "memory some: $share of $seconds s is not $lost s"

# ---- generations as the kernel prints them ----
batch --view generations --root $b
has_not '^memory$|^zones$|^memcgs$'
awk '/^memcg/ { path = $3; id = $2 } /^ node/ { node = $2 } /^   / { print id, node, $1, path }' $b/sys/kernel/debug/lru_gen |
	sort >"$TMPDIR/expected"
awk '/^generations$/ { p = 1; next } /^[a-z]/ { p = 0 } p && $1 ~ /^[0-9]/ { print $1, $2, $3, $NF }' "$TMPDIR/out" |
	sort >"$TMPDIR/found"
cmp -s "$TMPDIR/expected" "$TMPDIR/found" || fail "generations: $(diff "$TMPDIR/expected" "$TMPDIR/found" | head -n 5)"

# ---- views, filter, sort ----
batch --view memcgs --root $b -f WEB
[ "$(awk '/^memcgs$/ { p = 1; getline; next } p { n++ } END { print n + 0 }' "$TMPDIR/out")" -eq 1 ] || fail 'the filter lets others pass'
has ' /web$'
batch --view memcgs --root $b -s current
awk '/^memcgs$/ { p = 1; getline; next } p { print $NF }' "$TMPDIR/out" >"$TMPDIR/sorted"
for path in /web /db /batch; do
	[ -e "$b/sys/fs/cgroup$path" ] && echo "$(cat "$b/sys/fs/cgroup$path/memory.current") $path"
done | sort -rn | awk '{ print $2 }' >"$TMPDIR/expected"
grep -v '^/$' "$TMPDIR/sorted" | cmp -s - "$TMPDIR/expected" || fail "sorted by current: $(tr '\n' ' ' <"$TMPDIR/sorted")"
batch --view pagesets --root $b
has '^pagesets'
has_not '^memcgs$|^reclaim$'
has_not '^free blocks by migratetype$'
batch --view pagesets --pagetypes --root $b
has '^free blocks by migratetype$'
has '  Unmovable  '

# ---- names: whole, and nothing that a terminal would obey ----
batch --root tests/roots/7.2-oddnames
LC_ALL=C grep -n "$(printf '[\001-\010\013-\037\177]')" "$TMPDIR/out" && fail 'control characters'
long=$(awk '/^memcg/ && length($3) > 150 { print $3; exit }' tests/roots/7.2-oddnames/00/sys/kernel/debug/lru_gen)
[ -n "$long" ] || fail 'no long name to look for'
grep -q -F "  $long" "$TMPDIR/out" || fail 'the long name is not whole'
grep -q -F '\x1b[31mred' "$TMPDIR/out" || fail 'no escaped name'

# ---- MGLRU switched off: the lists that there are, and why ----
batch --root tests/roots/7.2-disabled/01
has '^  shows classic lists: MGLRU is built in but switched off; MGLRU: off'
has '^  none to see: MGLRU is built in but switched off'
has '^  node 0 '

# ---- the windows of anon and file apart: two ages ----
mkdir -p "$TMPDIR/apart/sys/kernel/debug" "$TMPDIR/apart/proc"
cp tests/cases/lru_gen_full-windows-apart/lru_gen_full "$TMPDIR/apart/sys/kernel/debug/lru_gen_full"
echo '100.00 50.00' >"$TMPDIR/apart/proc/uptime"
batch --view memcgs --root "$TMPDIR/apart"
has '^  current .* age +ageanon +agefile '
has ' 1m00s +800ms +1m00s .* /$'

# ---- a container that shows the vmstat of its host ----
mkdir -p "$TMPDIR/lxc/proc"
cp tests/cases/vmstat-of-host/vmstat "$TMPDIR/lxc/proc/vmstat"
echo 'MemTotal: 8388608 kB' >"$TMPDIR/lxc/proc/meminfo"
echo '100.00 50.00' >"$TMPDIR/lxc/proc/uptime"
batch --root "$TMPDIR/lxc"
has "vmstat is the host's: /proc/meminfo says another size"

# ---- free blocks that the kernel did not count to the end; no buddyinfo beside them ----
mkdir -p "$TMPDIR/capped/proc"
cp tests/cases/pagetypeinfo-capped/pagetypeinfo "$TMPDIR/capped/proc/pagetypeinfo"
echo '100.00 50.00' >"$TMPDIR/capped/proc/uptime"
batch --pagetypes --view pagesets --root "$TMPDIR/capped"
has '^ +0  Normal +Movable +>100000 +>100000 +91234 +12045 '

# ---- same input, same output ----
batch -n 15 --root $series
cp "$TMPDIR/out" "$TMPDIR/first"
batch -n 15 --root $series
cmp -s "$TMPDIR/out" "$TMPDIR/first" || fail 'the same series gives another text'
for i in 1 2; do "$RECLAIMTOP" --derived -n 15 --root $series >"$TMPDIR/derived$i" || fail 'derived'; done
cmp -s "$TMPDIR/derived1" "$TMPDIR/derived2" || fail 'the same series gives other lines'
exit $bad
