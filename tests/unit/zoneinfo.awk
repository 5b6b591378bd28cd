# SPDX-License-Identifier: GPL-2.0-or-later
#
# zoneinfo in a form that needs no parser, tab-separated:
#   FILE zone NODE ZONE NAME VALUE       watermarks, sizes and the lines at the end
#   FILE stat NODE ZONE NAME VALUE
#   FILE node NODE - NAME VALUE
#   FILE pageset NODE ZONE CPU NAME VALUE

BEGIN { OFS = "\t" }

/^Node / { node = $2 + 0; zone = $4; stats = "stat"; next }
/^  per-node stats/ { stats = "node"; next }
/^  pages free / { stats = "stat"; print FILENAME, "zone", node, zone, "free", $3; next }
/^        [a-z]+ +[0-9]+$/ { print FILENAME, "zone", node, zone, $1, $2; next }
/^        protection: / {
	gsub(/[^0-9]+/, " ")
	for (i = 1; i <= NF; i++) print FILENAME, "zone", node, zone, "protection " i - 1, $i
	next
}
/^    cpu: / { cpu = $2; next }
/^              [a-z_]+: / { sub(/:/, "", $1); print FILENAME, "pageset", node, zone, cpu, $1, $2; next }
/^  (node_unreclaimable|start_pfn|reserved_highatomic|free_highatomic): / {
	sub(/:/, "", $1)
	print FILENAME, "zone", node, zone, $1, $2
	next
}
/^      [a-z]/ { print FILENAME, stats, node, stats == "node" ? "-" : zone, $1, $2; next }
