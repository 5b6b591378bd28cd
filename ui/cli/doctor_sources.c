/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor_sources.c - what may be wrong with each source, how that is told, and what mends it.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "doctor.h"
#include "say.h"

#define AS_ROOT "run it as root: sudo reclaimtop"
#define SWITCH_ON "echo y > /sys/kernel/mm/lru_gen/enabled"

/* Says what of a source that was read is in the sample. */
typedef void well_fn(const struct doctor *d, struct verdict *v);
/* Says why it was not; false where only its errno tells. */
typedef bool ill_fn(const struct doctor *d, int err, struct verdict *v);

/* ---- MGLRU ----------------------------------------------------------------------------------- */

/* No file of it, while its neighbours are there. */
static bool is_not_built(const struct doctor *d)
{
	const struct reading *r = &d->sample.readings[READ_MGLRU];

	return r->state == READING_FAILED && r->err == ENOENT &&
	       doctor_folder(d, "sys/kernel/mm") > 0;
}

static void mglru_well(const struct doctor *d, struct verdict *v)
{
	uint64_t bits = d->sample.machine.mglru;
	uint64_t all = MGLRU_CORE | MGLRU_MM_WALK | MGLRU_NONLEAF_YOUNG;
	char names[80];

	mglru_describe(bits, names, sizeof(names));
	if (!(bits & MGLRU_CORE)) {
		doctor_say(v, HEALTH_OFF, "built in but switched off (0x%04" PRIx64 ")", bits);
		v->remedy = SWITCH_ON;
	} else if ((bits & all) != all) {
		doctor_say(v, HEALTH_PART,
			   "on: %s (0x%04" PRIx64 "); off, or not for this processor:%s%s", names,
			   bits, bits & MGLRU_MM_WALK ? "" : " mm_walk",
			   bits & MGLRU_NONLEAF_YOUNG ? "" : " nonleaf_young");
		v->remedy = SWITCH_ON;
	} else {
		doctor_say(v, HEALTH_OK, "on: %s (0x%04" PRIx64 ")", names, bits);
	}
}

static bool mglru_ill(const struct doctor *d, int err, struct verdict *v)
{
	if (err != ENOENT && err != ENODEV)
		return false;
	if (is_not_built(d)) {
		doctor_say(v, HEALTH_MISSING,
			   "this kernel is built without MGLRU (no /sys/kernel/mm/lru_gen)");
		v->remedy = "take a kernel with CONFIG_LRU_GEN=y, or look at one: reclaimtop demo";
	} else {
		doctor_say(v, HEALTH_NONE, "not told: there is no /sys/kernel/mm");
		v->remedy = d->is_tree ? NULL : "mount -t sysfs sysfs /sys";
	}
	return true;
}

/* ---- lru_gen --------------------------------------------------------------------------------- */

static void lru_gen_well(const struct doctor *d, struct verdict *v)
{
	doctor_say(v, HEALTH_OK, "%" PRIu32 " lruvec%s, %" PRIu64 " bytes", d->sample.nlruvecs,
		   d->sample.nlruvecs == 1 ? "" : "s",
		   d->sample.readings[READ_LRU_GEN].bytes);
}

static void lru_gen_full_well(const struct doctor *d, struct verdict *v)
{
	doctor_say(v, HEALTH_OK, "tiers, %" PRIu64 " bytes",
		   d->sample.readings[READ_LRU_GEN_FULL].bytes);
}

static bool is_locked_down(const struct doctor *d)
{
	const char *mode = d->sample.machine.lockdown;

	return mode && strcmp(mode, "none");
}

static void refused_by_kernel(const struct doctor *d, struct verdict *v)
{
	bool full = d->sample.readings[READ_LRU_GEN_FULL].state == READING_OK;

	if (is_locked_down(d))
		doctor_say(v, HEALTH_REFUSED, "kernel lockdown (%s) keeps it closed%s",
			   d->sample.machine.lockdown,
			   full ? ", lru_gen_full is read in its place" : "");
	else
		doctor_say(
			v, HEALTH_REFUSED,
			"the kernel refuses it, to root too (lockdown of the kernel is not told)");
	if (full)
		v->health = HEALTH_PART;
	else
		v->remedy = "start without lockdown= on the command line, or without Secure Boot";
}

/* debugfs has no such file: is it there at all? */
static void no_file(const struct doctor *d, struct verdict *v)
{
	int debug = doctor_folder(d, "sys/kernel/debug");

	if (is_not_built(d)) {
		doctor_say(v, HEALTH_MISSING, "a part of MGLRU, which is not built in");
	} else if (debug == 0) {
		doctor_say(v, HEALTH_MISSING,
			   "debugfs is not mounted (/sys/kernel/debug is empty)");
		v->remedy = "mount -t debugfs debugfs /sys/kernel/debug";
	} else if (debug == -EACCES) {
		doctor_say(v, HEALTH_REFUSED, "/sys/kernel/debug is for root");
		v->remedy = AS_ROOT;
	} else if (debug < 0) {
		doctor_say(v, HEALTH_MISSING,
			   "there is no /sys/kernel/debug: a kernel without CONFIG_DEBUG_FS?");
	} else {
		doctor_say(v, HEALTH_MISSING, "debugfs is there and holds no such file");
	}
}

static bool lru_gen_ill(const struct doctor *d, int err, struct verdict *v)
{
	if (err == ENOENT && d->sample.readings[READ_LRU_GEN].state == READING_OK)
		doctor_say(v, HEALTH_NONE, "not there beside lru_gen");
	else if (err == ENOENT)
		no_file(d, v);
	else if (err == EPERM)
		refused_by_kernel(d, v);
	else
		return false;
	return true;
}

/* ---- the others ------------------------------------------------------------------------------ */

static void counters_well(const struct counters *c, struct verdict *v)
{
	uint32_t n = c->nmore;

	for (uint32_t i = 0; c->value && i < c->tab->n; i++)
		n += c->value[i] != UNKNOWN;
	doctor_say(v, n ? HEALTH_OK : HEALTH_PART, "%" PRIu32 " values", n);
}

static void vmstat_well(const struct doctor *d, struct verdict *v)
{
	counters_well(&d->sample.vmstat, v);
}

static void meminfo_well(const struct doctor *d, struct verdict *v)
{
	counters_well(&d->sample.meminfo, v);
}

static void zoneinfo_well(const struct doctor *d, struct verdict *v)
{
	uint32_t pagesets = 0;

	for (uint32_t i = 0; i < d->sample.nzones; i++)
		pagesets += d->sample.zones[i].npagesets;
	doctor_say(v, HEALTH_OK, "%" PRIu32 " node%s, %" PRIu32 " zone%s, %" PRIu32 " pageset%s",
		   d->sample.nnodes, d->sample.nnodes == 1 ? "" : "s", d->sample.nzones,
		   d->sample.nzones == 1 ? "" : "s", pagesets, pagesets == 1 ? "" : "s");
}

static void buddyinfo_well(const struct doctor *d, struct verdict *v)
{
	doctor_say(v, HEALTH_OK, "free lists of %" PRIu32 " zone%s", d->sample.nbuddies,
		   d->sample.nbuddies == 1 ? "" : "s");
}

static void pagetypeinfo_well(const struct doctor *d, struct verdict *v)
{
	doctor_say(v, HEALTH_OK, "%" PRIu32 " free lists by migratetype", d->sample.npagetypes);
}

static void psi_well(const struct psi *psi, struct verdict *v)
{
	bool some = psi->some.total_us != UNKNOWN, full = psi->full.total_us != UNKNOWN;

	doctor_say(v, some || full ? HEALTH_OK : HEALTH_PART, "%s", some && full ? "some and full" :
		   some ? "some alone" : full ? "full alone" : "neither some nor full");
}

static void psi_memory_well(const struct doctor *d, struct verdict *v)
{
	psi_well(&d->sample.psi[PSI_MEMORY], v);
}

static void psi_io_well(const struct doctor *d, struct verdict *v)
{
	psi_well(&d->sample.psi[PSI_IO], v);
}

static void psi_cpu_well(const struct doctor *d, struct verdict *v)
{
	psi_well(&d->sample.psi[PSI_CPU], v);
}

static bool psi_ill(const struct doctor *d, int err, struct verdict *v)
{
	if (err == EOPNOTSUPP) {
		doctor_say(v, HEALTH_OFF, "built in but switched off");
		v->remedy = "add psi=1 to the kernel's command line and start again";
	} else if (err == ENOENT && doctor_folder(d, "proc/pressure") == -ENOENT) {
		doctor_say(v, HEALTH_MISSING, "there is no /proc/pressure");
		v->remedy = d->is_tree ? NULL : "take a kernel with CONFIG_PSI=y";
	} else {
		return false;
	}
	return true;
}

static void swaps_well(const struct doctor *d, struct verdict *v)
{
	if (d->sample.nswaps)
		doctor_say(v, HEALTH_OK, "%" PRIu32 " in use", d->sample.nswaps);
	else
		doctor_say(v, HEALTH_NONE, "no swap: anonymous pages cannot be reclaimed");
}

static void zram_well(const struct doctor *d, struct verdict *v)
{
	if (d->sample.nzrams)
		doctor_say(v, HEALTH_OK, "%" PRIu32 " device%s", d->sample.nzrams,
			   d->sample.nzrams == 1 ? "" : "s");
	else
		doctor_say(v, HEALTH_NONE, "no zram device");
}

static void cgroup_well(const struct doctor *d, struct verdict *v)
{
	doctor_say(v, HEALTH_OK, "%" PRIu32 " memcg%s read, %" PRIu32 " left out to bound the cost",
		   d->sample.nmemcgs, d->sample.nmemcgs == 1 ? "" : "s", d->sample.memcgs_left_out);
}

static bool cgroup_ill(const struct doctor *d, int err, struct verdict *v)
{
	(void)d;
	if (err == EOPNOTSUPP) {
		doctor_say(v, HEALTH_MISSING, "no cgroup v2 hierarchy with the memory controller");
		v->remedy = "start with cgroup_no_v1=memory (systemd.unified_cgroup_hierarchy=1)";
	} else if (err == EXDEV) {
		doctor_say(
			v, HEALTH_MISSING,
			"seen from within a cgroup namespace: its paths are not those of lru_gen");
		v->remedy = "run it outside the container";
	} else {
		return false;
	}
	return true;
}

static void processes_well(const struct doctor *d, struct verdict *v)
{
	uint32_t kernel = 0;

	for (uint32_t i = 0; i < d->sample.nprocesses; i++)
		kernel += d->sample.processes[i].kind != PROCESS_USER;
	doctor_say(v, HEALTH_OK,
		   "%" PRIu32 " seen, %" PRIu32 " of them the kernel's reclaim threads",
		   d->sample.processes_seen, kernel);
}

static void sysctl_well(const struct doctor *d, struct verdict *v)
{
	const struct machine *m = &d->sample.machine;

	if (m->swappiness == UNKNOWN)
		doctor_say(v, HEALTH_OK, "swappiness is not told");
	else
		doctor_say(v, HEALTH_OK, "swappiness %" PRIu64, m->swappiness);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
	well_fn *well;
	ill_fn *ill;         /* NULL: its errno tells all there is to tell */
	const char *unasked; /* what it means that nobody read it */
} sources[READ_NR] = {
	[READ_LRU_GEN] = { lru_gen_well, lru_gen_ill, NULL },
	[READ_LRU_GEN_FULL] = { lru_gen_full_well, lru_gen_ill,
				"long: read while the tiers are on screen" },
	[READ_MGLRU] = { mglru_well, mglru_ill, NULL },
	[READ_VMSTAT] = { vmstat_well, NULL, NULL },
	[READ_ZONEINFO] = { zoneinfo_well, NULL, NULL },
	[READ_BUDDYINFO] = { buddyinfo_well, NULL, NULL },
	[READ_PAGETYPEINFO] = { pagetypeinfo_well, NULL,
				"this many CPUs can hang over it: read only with --pagetypes" },
	[READ_PSI_MEMORY] = { psi_memory_well, psi_ill, NULL },
	[READ_PSI_IO] = { psi_io_well, psi_ill, NULL },
	[READ_PSI_CPU] = { psi_cpu_well, psi_ill, NULL },
	[READ_MEMINFO] = { meminfo_well, NULL, NULL },
	[READ_SWAPS] = { swaps_well, NULL, NULL },
	[READ_ZRAM] = { zram_well, NULL, NULL },
	[READ_CGROUP] = { cgroup_well, cgroup_ill, NULL },
	[READ_PROCESSES] = { processes_well, NULL, "a captured tree has none" },
	[READ_SYSCTL] = { sysctl_well, NULL, NULL },
};

/* What an errno says by itself. */
static void by_errno(const struct doctor *d, enum reading_id id, int err, struct verdict *v)
{
	enum health health = err == EACCES || err == EPERM ? HEALTH_REFUSED : HEALTH_MISSING;

	if (err == ENODATA)
		doctor_say(v, HEALTH_MISSING, "%s holds nothing that is known",
			   source_infos[id].path);
	else
		doctor_say(v, health, "%s: %s", source_infos[id].path, strerror(err));
	if (err == EACCES)
		v->remedy = AS_ROOT;
	else if (err == ENOENT && !d->is_tree && doctor_folder(d, "proc") <= 0)
		v->remedy = "mount -t proc proc /proc";
}

/* lru_gen_full is not looked for where lru_gen failed by a lack of both. */
static void not_asked(const struct doctor *d, enum reading_id id, struct verdict *v)
{
	if (id == READ_LRU_GEN_FULL && d->sample.readings[READ_LRU_GEN].state != READING_OK)
		doctor_say(v, HEALTH_NONE, "not looked for");
	else
		doctor_say(v, HEALTH_NONE, "%s",
			   sources[id].unasked ? sources[id].unasked : "not asked for");
}

void doctor_look(const struct doctor *d, enum reading_id id, struct verdict *v)
{
	const struct reading *r = &d->sample.readings[id];

	if (id == READ_EVENTS)
		doctor_events(d, v);
	else if (r->state == READING_OK)
		sources[id].well(d, v);
	else if (r->state == READING_NOT_ASKED)
		not_asked(d, id, v);
	else if (!sources[id].ill || !sources[id].ill(d, r->err, v))
		by_errno(d, id, r->err, v);
}

int doctor_status(const struct verdict verdicts[READ_NR])
{
	static const enum reading_id matter[] = { READ_MGLRU, READ_VMSTAT, READ_ZONEINFO };
	enum health lru = verdicts[READ_LRU_GEN].health, full = verdicts[READ_LRU_GEN_FULL].health;
	bool shown = lru == HEALTH_OK || full == HEALTH_OK;
	int status = shown ? STATUS_DONE : STATUS_FAILED;

	if (verdicts[READ_MGLRU].health == HEALTH_MISSING && !shown)
		return STATUS_NO_MGLRU;
	if (!shown && (lru == HEALTH_REFUSED || full == HEALTH_REFUSED))
		return STATUS_NOT_PERMITTED;
	for (size_t i = 0; i < sizeof(matter) / sizeof(matter[0]); i++) {
		enum health h = verdicts[matter[i]].health;

		if (h == HEALTH_REFUSED)
			return STATUS_NOT_PERMITTED;
		if (h >= HEALTH_OFF && !(matter[i] == READ_MGLRU && h == HEALTH_MISSING))
			status = STATUS_FAILED;
	}
	return status;
}
