# SPDX-License-Identifier: GPL-2.0-or-later
#
# Samples held against readings of the same files before and after. Three inputs: the times of the
# readings (round, start, end, file), their lines (lines.awk), the samples' lines (lines.jq).
#
# A counter that only grows must lie between the last reading that ended before the sample's began and
# the first that began after the sample's ended. With still=1 the machine is at rest: then whatever is
# the same in those readings, and in the ones next to them, must be that in the sample. Free pages are
# the exception: whatever runs, if only the program, makes a CPU take and give back batches of them, so
# there a sample may be off by two batches. And now and then something moves and is back before the next
# reading: pages are written back, or what CPUs have not handed in yet to memory.stat is taken one CPU
# after the other. So a value may differ in one of several samples. All these are counted.
#
# Prints how many gauges of each kind stood still and were compared, other counts, and the values that do not fit.
BEGIN {
	FS = "\t"
	FREE = "^(vmstat nr_free_pages|meminfo Mem(Free|Available)|zone .* (nr_)?free(_pages)?|pageset .* (count|high)|buddy .*)$"
}

FILENAME == times {
	split($0, t, " ")
	source = source_of(t[4])
	if (!((t[1], source) in started) || t[2] < started[t[1], source]) started[t[1], source] = t[2]
	if (t[3] > ended[t[1], source]) ended[t[1], source] = t[3]
	if (!(t[1] in seen_round)) { rounds[++nrounds] = t[1]; seen_round[t[1]] = 1 }
	next
}
FILENAME == kernels { kernel[$1, $3] = $4; stands[$3]++; next }
$2 == "at" { at_start[$1, $3] = $4; at_end[$1, $3] = $5; if (!($1 in samples)) samples[$1] = 1; next }
{
	if (!(($1, $2) in picked)) pick($1, $2)
	if (picked[$1, $2]) compare($1, $3, $4, before[$1, $2], after[$1, $2])
}

END {
	# What no sample of ours says, though each of the readings does.
	for (key in stands) if (stands[key] == nrounds && !(key in told)) { if (missing++ < 8) print "missing " key }
	for (what in all) print "compared", what, compared[what] + 0, "of", all[what] + 0
	print "counters", ncounters + 0
	print "gauges", ngauges + 0
	print "keys", nkeys + 0, "missing", missing + 0
	for (key in off) {
		if (off[key] > 1 || looked[key] < 2) wrong++
		else once++
	}
	print "wrong", wrong + 0
	print "batch", batch + 0
	print "once", once + 0
	n = 0
	for (s in samples) if (bracketed[s]) n++
	print "samples", n
}

function source_of(file) {
	if (file ~ /cgroup/) return "cgroup"
	if (file == "/proc/pressure/memory") return "pressure_memory"
	sub(/.*\//, "", file)
	return file
}

function pick(n, source,   i, r) {
	picked[n, source] = 0
	for (i = 1; i <= nrounds; i++) {
		r = rounds[i]
		if (ended[r, source] && ended[r, source] <= at_start[n, source]) before[n, source] = r
		if (!((n, source) in after) && started[r, source] >= at_end[n, source]) after[n, source] = r
	}
	if (((n, source) in before) && ((n, source) in after)) { picked[n, source] = 1; bracketed[n] = 1 }
}

# Two batches of 63 pages, the largest there are.
function unit(key) { return key ~ /^meminfo/ ? 504 : 126 }

function stood(key, b, a,   p, n) {
	p = sprintf("%02d", b - 1)
	n = sprintf("%02d", a + 1)
	return kernel[b, key] == kernel[a, key] && (!((p, key) in kernel) || kernel[p, key] == kernel[b, key]) &&
		(!((n, key) in kernel) || kernel[n, key] == kernel[a, key])
}

# Counters that only grow, by their names; what else there is goes up and down.
function grows(key,   name) {
	if (key ~ /^pressure /) return 1
	if (key !~ /^(vmstat|node|zone|memcg) /) return 0
	name = key
	sub(/.* /, "", name)
	if (name ~ /^nr_/) return name ~ /^nr_(dirtied|written|vmscan_write|vmscan_immediate_reclaim|throttled_written|foll_pin_.*)$/
	if (name == "workingset_nodes") return 0
	if (key ~ /^memcg /) return name ~ /^(pg|pswp|swpin_|swpout_|zswpin|zswpout|zswpwb|workingset_|thp_.*_(alloc|fallback)|thp_swpout|numa_)/
	if (key ~ /^zone /) return name ~ /^numa_/
	return name ~ /^(pg|psw|numa_|allocstall|workingset_|slabs_|kswapd_|pageoutrun|drop_|oom_|compact_|swap_ra|swpin_|swpout_|thp_|unevictable_pgs|zone_reclaim|kcompactd|swap_)/
}

function compare(n, key, value, b, a,   was, is, what) {
	told[key] = 1
	if (!((b, key) in kernel) || !((a, key) in kernel)) return
	was = kernel[b, key]
	is = kernel[a, key]
	what = key
	sub(/ .*/, "", what)
	if (!(key in known)) { known[key] = 1; nkeys++ }
	if (grows(key)) {
		ncounters++
		if (value - was < 0 || is - value < 0) { complain(n, key, value, was, is); wrong++ }
		return
	}
	all[what]++
	if (still && stood(key, b, a)) {
		compared[what]++
		ngauges++
		looked[key]++
		if (value == was) return
		if (key ~ FREE && value - was <= unit(key) && was - value <= unit(key)) { batch++; return }
		complain(n, key, value, was, is)
		off[key]++
	}
}

function complain(n, key, value, was, is) {
	if (complaints++ < 12) print "sample " n ": " key ": " value ", before " was ", after " is
}
