# SPDX-License-Identifier: GPL-2.0-or-later
#
# Generations born as samples have them, against what probes saw: try_to_inc_max_seq() called for a
# lruvec and a seq, and what it returned. Two inputs: the samples' lines (lines.jq), the events.
#
# A birth is a lruvec and a seq for which true was returned; up to 6.1 that happens again for whoever
# waited for the same birth. Which lruvec has which address is found by their histories: at each
# sample's time the probe's count and the sample's must be the same. Prints a line for each lruvec,
# and the sums.
BEGIN { FS = "\t" }

FILENAME == ours && $2 == "at" && $3 == "lru_gen" { start[$1] = $4; end[$1] = $5; if ($1 > last) last = $1 }
FILENAME == ours && $3 ~ /^gen .* anon$/ {
	n = split($3, part, " ")
	v = part[2] " " part[3]
	if (!(v in first)) { first[v] = $1; vs[++nv] = v }
	latest[v] = $1
	if (part[4] + 0 > max[v, $1] + 0) max[v, $1] = part[4]
	next
}
FILENAME == ours { next }

$1 ~ /^lost / { split($1, part, " "); lost = part[2]; next }
{
	match($0, /^ *.*-[0-9]+ +\[[0-9]+\]/)
	task = substr($0, 1, RLENGTH)
	sub(/ *\[.*/, "", task)
	sub(/^ */, "", task)
	n = split(substr($0, RLENGTH + 1), part, " ")
	for (i = 1; i <= n; i++) if (part[i] ~ /^aging_(in|out):$/) break
	t = part[i - 1]
	sub(/:$/, "", t)
	us = t * 1000000
	if (part[i] == "aging_in:") {
		for (; i <= n; i++) {
			if (part[i] ~ /^lruvec=/) call[task] = substr(part[i], 8)
			if (part[i] ~ /^seq=/) seq[task] = substr(part[i], 5)
		}
		next
	}
	if (part[n] != "ret=1" || !(task in call)) next
	p = call[task]
	if ((p, seq[task]) in born) next
	born[p, seq[task]] = 1
	if (!(p in births)) ps[++np] = p
	births[p]++
	at[p, births[p]] = us
	from[p, births[p]] = seq[task]
}

# The youngest generation of an address at a time, as the probe has it.
function youngest(p, t,   i, seq) {
	seq = from[p, 1]
	for (i = 1; i <= births[p]; i++) if (at[p, i] <= t) seq = from[p, i] + 1
	return seq
}

# While the sample was being read: that may have seen it or not.
function in_reading(t, s) { return t >= start[s] && t <= end[s] }

function agreement(p, v,   s, n, lo, hi) {
	for (s = first[v]; s <= latest[v]; s++) {
		if (!((v, s) in max)) continue
		lo = youngest(p, start[s])
		hi = youngest(p, end[s])
		if (max[v, s] >= lo && max[v, s] <= hi) n++
	}
	return n + 0
}

END {
	for (i = 1; i <= np; i++) free[ps[i]] = 1
	for (i = 1; i <= nv; i++) {
		v = vs[i]
		counted = max[v, latest[v]] - max[v, first[v]]
		best = ""
		most = 0
		for (j = 1; j <= np; j++) {
			if (!free[ps[j]]) continue
			n = agreement(ps[j], v)
			if (n > most) { most = n; best = ps[j] }
		}
		seen = before = edge = 0
		# One without births has no address that the probe knows.
		if (best != "" && (counted || most == latest[v] - first[v] + 1)) {
			free[best] = 0
			for (j = 1; j <= births[best]; j++) {
				if (in_reading(at[best, j], first[v]) || in_reading(at[best, j], latest[v])) edge++
				if (at[best, j] > end[latest[v]]) continue
				if (at[best, j] > start[first[v]]) seen++
				else if (first[v] > 0) before++
			}
		} else best = "-"
		samples = latest[v] - first[v] + 1
		print "lruvec", v, "lru_gen", counted, "probe", seen, "agree", most, "of", samples, "before it was seen", before, "edge", edge
		all_counted += counted
		all_seen += seen
	}
	for (i = 1; i <= np; i++) if (free[ps[i]]) for (j = 1; j <= births[ps[i]]; j++)
		if (at[ps[i], j] > start[0] && at[ps[i], j] <= end[last]) unmatched++
	print "all", "lru_gen", all_counted + 0, "probe", all_seen + unmatched + 0, "unmatched", unmatched + 0, "lost", lost + 0
}
