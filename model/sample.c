/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/sample.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct source_info source_infos[READ_NR] = {
	[READ_LRU_GEN] = { "lru_gen", "/sys/kernel/debug/lru_gen" },
	[READ_LRU_GEN_FULL] = { "lru_gen_full", "/sys/kernel/debug/lru_gen_full" },
	[READ_MGLRU] = { "mglru", "/sys/kernel/mm/lru_gen/enabled" },
	[READ_VMSTAT] = { "vmstat", "/proc/vmstat" },
	[READ_ZONEINFO] = { "zoneinfo", "/proc/zoneinfo" },
	[READ_BUDDYINFO] = { "buddyinfo", "/proc/buddyinfo" },
	[READ_PAGETYPEINFO] = { "pagetypeinfo", "/proc/pagetypeinfo" },
	[READ_PSI_MEMORY] = { "pressure_memory", "/proc/pressure/memory" },
	[READ_PSI_IO] = { "pressure_io", "/proc/pressure/io" },
	[READ_PSI_CPU] = { "pressure_cpu", "/proc/pressure/cpu" },
	[READ_MEMINFO] = { "meminfo", "/proc/meminfo" },
	[READ_SWAPS] = { "swaps", "/proc/swaps" },
	[READ_ZRAM] = { "zram", "/sys/block/zram*/mm_stat" },
	[READ_CGROUP] = { "cgroup", "/sys/fs/cgroup" },
	[READ_PROCESSES] = { "processes", "/proc/PID" },
	[READ_SYSCTL] = { "sysctl", "/proc/sys/vm" },
	[READ_EVENTS] = { "events", "/sys/kernel/tracing" },
};

const char *reading_why(enum reading_id id, int err)
{
	static const struct {
		enum reading_id first, last;
		int err;
		const char *why;
	} whys[] = {
		{ READ_PSI_MEMORY, READ_PSI_CPU, EOPNOTSUPP,
		  "pressure is switched off (psi=1 turns it on)" },
		{ READ_MGLRU, READ_MGLRU, ENODEV, "there is no /sys/kernel/mm" },
		{ READ_CGROUP, READ_CGROUP, EOPNOTSUPP,
		  "no cgroup v2 hierarchy with the memory controller" },
		{ READ_CGROUP, READ_CGROUP, EXDEV,
		  "a cgroup namespace: its paths are not those of lru_gen" },
		{ READ_EVENTS, READ_EVENTS, EACCES, "only root may switch them on" },
		{ READ_EVENTS, READ_EVENTS, EPERM, "kernel lockdown refuses them" },
		{ READ_EVENTS, READ_EVENTS, ENOENT, "tracefs is not mounted on /sys/kernel/tracing" },
		{ READ_EVENTS, READ_EVENTS, ENODEV, "this kernel is built without CONFIG_HIST_TRIGGERS" },
		{ READ_EVENTS, READ_EVENTS, EBUSY, "another reclaimtop has them on" },
		{ READ_EVENTS, READ_EVENTS, ESTALE, "somebody removed the instance of tracefs" },
		{ READ_EVENTS, READ_EVENTS, EXDEV, "there are none in a captured tree" },
	};

	for (size_t i = 0; i < sizeof(whys) / sizeof(whys[0]); i++)
		if (whys[i].first <= id && id <= whys[i].last && whys[i].err == err)
			return whys[i].why;
	return err == ENODATA ? "nothing in it is known" : strerror(err);
}

const char *sizes_state_why(enum sizes_state state)
{
	static const char *const whys[] = {
		[SIZES_UNKNOWN] = "the kernel's events are not on",
		[SIZES_COUNTED] = "",
		[SIZES_NO_FUNCTION] = "this kernel has no function of its own for them",
		[SIZES_REFUSED] = "the kernel refuses probes",
	};

	return (size_t)state < sizeof(whys) / sizeof(whys[0]) ? whys[state] : whys[SIZES_UNKNOWN];
}

struct psi_line psi_line_unknown(void)
{
	return (struct psi_line){ UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN };
}

void counters_init(struct counters *c, const struct keytab *tab, struct arena *a)
{
	*c = (struct counters){ .tab = tab };
	c->value = arena_alloc(a, tab->n * sizeof(*c->value));
	for (uint32_t i = 0; i < tab->n; i++)
		c->value[i] = UNKNOWN;
}

void sample_reset(struct sample *s)
{
	struct arena *a = s->arena;
	struct machine *m = &s->machine;

	arena_reset(a);
	*s = (struct sample){ .arena = a };
	m->cpus = m->nodes = UNKNOWN;
	m->mglru = m->min_ttl_ms = UNKNOWN;
	m->swappiness = m->watermark_scale_factor = UNKNOWN;
	m->min_free_kbytes = m->pcp_high_fraction = UNKNOWN;
	s->events.dropped = UNKNOWN;
	for (int i = 0; i < PSI_NR; i++)
		s->psi[i].some = s->psi[i].full = psi_line_unknown();
}

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

uint32_t kernel_version(const char *release)
{
	uint32_t parts[3] = { 0, 0, 0 };
	const char *p = release;

	for (int i = 0; p && i < 3 && is_digit(*p); i++) {
		for (; is_digit(*p); p++)
			parts[i] = parts[i] * 10 + (uint32_t)(*p - '0') > 99 ? 99
				: parts[i] * 10 + (uint32_t)(*p - '0');
		if (*p == '.')
			p++;
		else
			break;
	}
	return parts[0] * 10000 + parts[1] * 100 + parts[2];
}

static bool is_ok(const struct sample *s, enum reading_id id)
{
	return s->readings[id].state == READING_OK;
}

static bool failed_with(const struct sample *s, enum reading_id id, int err)
{
	return s->readings[id].state == READING_FAILED && s->readings[id].err == err;
}

static const char *why_no_debugfs(const struct sample *s, int err)
{
	static const struct {
		int err;
		const char *why;
	} whys[] = {
		{ EACCES, "debugfs is for root" },
		{ EPERM, "the kernel refuses debugfs" },
		{ ENOENT, "debugfs is not mounted on /sys/kernel/debug" },
		{ ENODATA, "lru_gen names no memcg" },
	};

	if ((err == ENOENT || err == EACCES) && failed_with(s, READ_MGLRU, ENOENT))
		return "this kernel is built without MGLRU";
	if (err == ENOENT && failed_with(s, READ_MGLRU, ENODEV))
		return "lru_gen is not there, and no /sys/kernel/mm to tell whether MGLRU is built in";
	if (err == ENOENT && is_ok(s, READ_LRU_GEN_FULL))
		return "debugfs is there and holds no lru_gen";
	if (err == EPERM && s->machine.lockdown && strcmp(s->machine.lockdown, "none"))
		return "kernel lockdown refuses lru_gen";
	for (size_t i = 0; i < sizeof(whys) / sizeof(whys[0]); i++)
		if (whys[i].err == err)
			return whys[i].why;
	return "lru_gen cannot be read";
}

static const char left_out[] = "it takes long, and is read with some samples only";

static const char *why_not_lru_gen(const struct sample *s)
{
	const struct reading *r = &s->readings[READ_LRU_GEN];

	if (r->state == READING_NOT_ASKED)
		return r->every > 1 ? left_out : "lru_gen was not asked for";
	return why_no_debugfs(s, r->state == READING_FAILED ? r->err : ENODATA);
}

static bool is_switched_off(const struct sample *s)
{
	return s->machine.mglru != UNKNOWN && !(s->machine.mglru & MGLRU_CORE);
}

bool sample_rows_are_kept(const struct sample *s)
{
	const struct reading *rows = &s->readings[READ_LRU_GEN];
	const struct reading *full = &s->readings[READ_LRU_GEN_FULL];

	return s->nlruvecs && rows->state != READING_OK && full->state != READING_OK &&
	       (reading_is_left_out(rows) || reading_is_left_out(full));
}

/* Did one of the two files give the rows, with this sample or an earlier one? */
static bool gives_rows(const struct sample *s, enum reading_id id)
{
	return s->nlruvecs && (is_ok(s, id) || (sample_rows_are_kept(s) &&
						reading_is_left_out(&s->readings[id])));
}

enum rung sample_rung(const struct sample *s, const char **reason)
{
	bool off = is_switched_off(s);

	*reason = s->readings[READ_LRU_GEN].every > 1 ? left_out : "";
	if (gives_rows(s, READ_LRU_GEN) && !off)
		return RUNG_LRU_GEN;
	*reason = off ? "MGLRU is built in but switched off" : why_not_lru_gen(s);
	if (gives_rows(s, READ_LRU_GEN_FULL) && !off)
		return RUNG_LRU_GEN_FULL;
	if (s->nzones || counters_get(&s->vmstat, VM_nr_inactive_file) != UNKNOWN)
		return RUNG_CLASSIC;
	*reason = "neither lru_gen nor zoneinfo nor vmstat can be read";
	return RUNG_NONE;
}

const char *rung_name(enum rung rung)
{
	static const char *const names[] = {
		[RUNG_LRU_GEN] = "lru_gen",
		[RUNG_LRU_GEN_FULL] = "lru_gen_full",
		[RUNG_CLASSIC] = "classic lists",
		[RUNG_NONE] = "nothing",
	};

	return names[rung];
}

/* Append to out, which stays closed by NUL and is cut at size. */
static void append(char *out, size_t size, const char *text)
{
	size_t used = strlen(out);

	if (used + 1 < size)
		snprintf(out + used, size - used, "%s%s", used ? ", " : "", text);
}

void mglru_describe(uint64_t bits, char *out, size_t size)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} names[] = {
		{ MGLRU_CORE, "core" },
		{ MGLRU_MM_WALK, "mm_walk" },
		{ MGLRU_NONLEAF_YOUNG, "nonleaf_young" },
	};
	char rest[40];

	if (!size)
		return;
	out[0] = '\0';
	if (bits == UNKNOWN) {
		append(out, size, "unknown");
		return;
	}
	if (!(bits & MGLRU_CORE))
		append(out, size, "off");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (bits & names[i].bit)
			append(out, size, names[i].name);
		bits &= ~names[i].bit;
	}
	if (bits) {
		snprintf(rest, sizeof(rest), "0x%" PRIx64 " (unknown)", bits);
		append(out, size, rest);
	}
}
