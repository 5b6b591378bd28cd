# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every tree of every captured series: what --json says is what the kernel's files say. The files are read by awk and
# the JSON by jq, the two sides are lines of the same form, and not one may differ.

command -v jq >/dev/null || { echo 'there is no jq'; exit 77; }
LC_ALL=C
export LC_ALL

trees=$(find tests/roots -mindepth 2 -maxdepth 2 -type d | sort)
count=$(echo "$trees" | wc -l)
[ "$count" -ge 100 ] || { echo "only $count trees"; exit 1; }

# ---- ours: one process a tree ----
for tree in $trees; do
	"$RECLAIMTOP" -b --json -n 1 --root "$tree" >"$TMPDIR/json" || { echo "$tree: exit $?"; exit 1; }
	[ "$(wc -l <"$TMPDIR/json")" -eq 2 ] || { echo "$tree: not two lines"; exit 1; }
	printf '{"tree":"%s","s":%s}\n' "$tree" "$(sed -n 2p "$TMPDIR/json")"
done >"$TMPDIR/samples" || { cat "$TMPDIR/samples" | tail -n 1; exit 1; }

cat >"$TMPDIR/lines.jq" <<'END'
.tree as $tree | .s |
(.lru_gen[] | . as $l | .gens[] |
	[$tree, "gen", $l.memcg, $l.path, $l.node, .[0], .[1], .[2], .[3]]),
(.vmstat | to_entries[] | [$tree, "vmstat", .key, .value]),
(.zones[] | . as $z | (.pagesets // [])[] |
	[$tree, "pageset", $z.node, $z.zone, .cpu, .count, .high, .batch, .high_min // "-", .high_max // "-"])
| map(tostring) | join("\t")
END

# Paths as hexadecimal bytes on both sides: here out of the escaped form.
cat >"$TMPDIR/hex.awk" <<'END'
BEGIN { for (i = 1; i < 256; i++) code[sprintf("%c", i)] = sprintf("%02x", i) }
function hex(s,   i, out) {
	for (i = 1; i <= length(s); i++) out = out code[substr(s, i, 1)]
	return out
}
END
cat >"$TMPDIR/unescape.awk" <<'END'
function unescape(s,   i, c, out) {
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (c != "\\") out = out code[c]
		else if (substr(s, i + 1, 1) == "x") { out = out substr(s, i + 2, 2); i += 3 }
		else { out = out code["\\"]; i++ }
	}
	return out
}
$2 == "gen" { $4 = unescape($4) }
{ $1 = $1; print }
END
jq -r -f "$TMPDIR/lines.jq" "$TMPDIR/samples" >"$TMPDIR/lines" || { echo 'jq does not take it'; exit 1; }
awk -F '\t' -v OFS='\t' -f "$TMPDIR/hex.awk" -f "$TMPDIR/unescape.awk" "$TMPDIR/lines" | sort >"$TMPDIR/ours"

# ---- the kernel's own, by awk ----
cat >"$TMPDIR/kernel.awk" <<'END'
FNR == 1 { put(); match(FILENAME, /^tests\/roots\/[^\/]*\/[^\/]*/); tree = substr(FILENAME, 1, RLENGTH); cpu = "" }

FILENAME ~ /lru_gen$/ && /^memcg / { match($0, /^memcg +[0-9]+ /); id = $2; path = hex(substr($0, RLENGTH + 1)); next }
FILENAME ~ /lru_gen$/ && /^ node / { node = $2; next }
FILENAME ~ /lru_gen$/ { print tree, "gen", id, path, node, $1, $2, $3, $4; next }

FILENAME ~ /vmstat$/ { print tree, "vmstat", $1, $2; next }

$1 == "Node" { put(); node = $2 + 0; zone = $4; next }
$1 == "cpu:" { put(); cpu = $2; next }
$1 == "vm" && $2 == "stats" { put(); next }
cpu != "" && $1 ~ /:$/ { name = $1; sub(/:$/, "", name); v[name] = $2 }
END { put() }

function put() {
	if (cpu != "") print tree, "pageset", node, zone, cpu, v["count"], v["high"], v["batch"],
		("high_min" in v) ? v["high_min"] : "-", ("high_max" in v) ? v["high_max"] : "-"
	cpu = ""
	split("", v)
}
END
# shellcheck disable=SC2046
awk -v OFS='\t' -f "$TMPDIR/hex.awk" -f "$TMPDIR/kernel.awk" $(for tree in $trees; do
	echo "$tree/sys/kernel/debug/lru_gen" "$tree/proc/vmstat" "$tree/proc/zoneinfo"
done) | sort >"$TMPDIR/kernels"

# ---- the same? ----
for what in gen vmstat pageset; do
	n=$(grep -c "	$what	" "$TMPDIR/kernels")
	[ "$n" -gt "$count" ] || { echo "only $n lines of $what: the comparison compares nothing"; exit 1; }
done
if ! diff "$TMPDIR/kernels" "$TMPDIR/ours" >"$TMPDIR/diff"; then
	echo "the kernel's files (<) and --json (>) differ in $(grep -c '^[<>]' "$TMPDIR/diff") lines:"
	head -n 20 "$TMPDIR/diff"
	exit 1
fi
echo "$count trees, $(wc -l <"$TMPDIR/ours") rows and values"
