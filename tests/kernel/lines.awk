# SPDX-License-Identifier: GPL-2.0-or-later
#
# The kernel's own files, as "readings" wrote them, as lines: round, source, key, value. What lines.jq
# makes of samples has the same keys; the two share nothing.
BEGIN { OFS = "\t" }

FNR == 1 {
	n = split(FILENAME, part, "/")
	file = part[n]
	round = path = ""
	# .../ROUND/proc/..., .../ROUND/sys/...
	for (i = 1; i <= n; i++) {
		if (round == "" && part[i] ~ /^[0-9][0-9]$/ && (part[i + 1] == "proc" || part[i + 1] == "sys")) round = part[i]
		if (part[i] == "cgroup") for (j = i + 1; j < n; j++) path = path "/" part[j]
	}
	if (path == "") path = "/"
	where = ""
}

file == "vmstat" { print round, "vmstat", "vmstat " $1, $2; next }
file == "meminfo" { sub(/:$/, "", $1); print round, "meminfo", "meminfo " $1, $2; next }
file == "buddyinfo" {
	node = $2; sub(/,$/, "", node)
	for (i = 5; i <= NF; i++) print round, "buddyinfo", "buddy " node " " $4 " " (i - 5), $i
	next
}
file == "memory" { sub(/^total=/, "", $5); print round, "pressure_memory", "pressure " $1, $5; next }
file == "memory.stat" { print round, "cgroup", "memcg " path " " $1, $2; next }
file == "memory.current" { print round, "cgroup", "memcg " path " current", $1; next }
file == "memory.swap.current" { print round, "cgroup", "memcg " path " swap_current", $1; next }

file == "lru_gen" && $1 == "memcg" { match($0, /^memcg +[0-9]+ /); path = substr($0, RLENGTH + 1); next }
file == "lru_gen" && $1 == "node" { node = $2; next }
file == "lru_gen" {
	print round, "lru_gen", "gen " path " " node " " $1 " anon", $3
	print round, "lru_gen", "gen " path " " node " " $1 " file", $4
	next
}

file != "zoneinfo" { next }
$1 == "Node" { node = $2; sub(/,$/, "", node); zone = $4; where = "zone"; next }
$1 == "per-node" { where = "node"; next }
$1 == "pages" && $2 == "free" { where = "zone"; print round, "zoneinfo", "zone " node " " zone " free", $3; next }
$1 == "pagesets" { where = "cpu"; next }
$1 == "cpu:" { cpu = $2; next }
$1 == "vm" || $1 == "protection:" { if ($1 == "vm") where = "tail"; next }
where == "cpu" { sub(/:$/, "", $1); print round, "zoneinfo", "pageset " node " " zone " " cpu " " $1, $2; next }
where == "node" { print round, "zoneinfo", "node " node " " $1, $2; next }
where == "zone" { print round, "zoneinfo", "zone " node " " zone " " $1, $2; next }
