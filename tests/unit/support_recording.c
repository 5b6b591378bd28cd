/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_recording.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "reclaimtop/fields.h"

const char *own_path(const char *name)
{
	static char paths[4][400];
	static unsigned int at;
	const char *base = getenv("TMPDIR");
	char *path = paths[at++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%d-%s", base ? base : "/tmp", (int)getpid(), name);
	unlink(path);
	return path;
}

void slurp(const char *path, struct buf *out)
{
	int fd = open(path, O_RDONLY);
	char piece[65536];
	ssize_t n;

	assert_true(fd >= 0);
	buf_clear(out);
	while ((n = read(fd, piece, sizeof(piece))) > 0)
		buf_add(out, piece, (size_t)n);
	assert_int_equal(n, 0);
	close(fd);
}

void spill(const char *path, const char *bytes, size_t len)
{
	int fd;

	/* Some file systems wait for the disk where a file is emptied and written anew. */
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	while (len) {
		ssize_t n = write(fd, bytes, len);

		assert_true(n > 0);
		bytes += n;
		len -= (size_t)n;
	}
	close(fd);
}

struct recorder *open_recorder(const char *path, const struct recorder_options *options)
{
	static const struct recorder_options usual;
	const char *why = "";
	struct recorder *r = recorder_open(path, options ? options : &usual, &why);

	if (!r)
		fail_msg("%s: %s (%s)", path, why, strerror(errno));
	return r;
}

void put(struct recorder *r, const struct sample *s)
{
	assert_int_equal(recorder_put(r, s), 0);
}

void close_recorder(struct recorder *r)
{
	assert_int_equal(recorder_close(r), 0);
}

struct recording *open_recording(const char *path)
{
	const char *why = "";
	struct recording *r = recording_open(path, 0, &why);

	if (!r)
		fail_msg("%s: %s (%s)", path, why, strerror(errno));
	while (recording_scan(r, 1000000))
		;
	return r;
}

void assert_sample(struct recording *r, uint64_t i, const struct sample *expected)
{
	struct sample got = { .arena = arena_new() };
	int err = recording_read(r, i, &got);
	char why[300];

	if (err)
		fail_msg("sample %u: %s", (unsigned int)i, strerror(-err));
	if (!sample_equal(&got, expected, why, sizeof(why)))
		fail_msg("sample %u: %s", (unsigned int)i, why);
	assert_int_equal(got.n, expected->n);
	assert_int_equal(recording_time(r, i), expected->mono_us);
	assert_int_equal(recording_wall(r, i), expected->wall_us);
	arena_free(got.arena);
}

/* ---- a small machine ---- */

static uint64_t next(struct small *m)
{
	uint64_t z = m->seed += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	return z ^ z >> 31;
}

void small_init(struct small *m)
{
	struct sample *s = &m->s;

	memset(m, 0, sizeof(*m));
	s->arena = arena_new();
	sample_reset(s);
	s->machine = (struct machine){ .kernel = "7.2.13", .version = 70213, .boot_id = "0f6e3f2a", .page_size = 4096,
				       .hz = 250, .cpus = 2, .nodes = 1, .mglru = 7, .swappiness = 60 };
	s->interval_us = 1000000;
	s->mono_us = 5000000;
	s->wall_us = 1796044811000000;
	counters_init(&s->vmstat, &keytab_vmstat, s->arena);
	s->vmstat.value[VM_pgscan_kswapd] = 1000000;
	s->vmstat.value[VM_pgfault] = 77;
	m->gens[0] = (struct gen){ 3, 25000, { 5, 4739 }, 0 };
	m->gens[1] = (struct gen){ 4, 12000, { 81, 28375 }, 0 };
	m->lruvec = (struct lruvec){ .memcg = 28, .path = "/web", .ngens = 2, .gens = m->gens,
				     .min_seq = { UNKNOWN, UNKNOWN } };
	s->lruvecs = &m->lruvec;
	s->nlruvecs = 1;
	m->pageset = (struct pageset){ 0, 87, 408, 31, 408, 6942 };
	m->zone = (struct zone){ .name = "DMA32", .free = 2869, .min = 662, .managed = 116155, .npagesets = 1,
				 .pagesets = &m->pageset };
	s->zones = &m->zone;
	s->nzones = 1;
	s->readings[READ_VMSTAT] = (struct reading){ .state = READING_OK, .start_us = s->mono_us + 20,
						     .end_us = s->mono_us + 90, .bytes = 4049 };
}

void small_next(struct small *m)
{
	struct sample *s = &m->s;

	s->n++;
	s->mono_us += 999000 + (int64_t)(next(m) % 2000);
	s->wall_us += 1000000;
	s->vmstat.value[VM_pgscan_kswapd] += next(m) % 5000;
	s->vmstat.value[VM_pgfault] += next(m) % 90000;
	m->gens[0].pages[TYPE_FILE] += next(m) % 300;
	m->gens[1].pages[TYPE_ANON] = next(m) % 100000;
	m->gens[0].age_ms += 1000;
	m->gens[1].age_ms += 1000;
	m->pageset.count = next(m) % 408;
	m->zone.free = next(m) % 9000;
	s->readings[READ_VMSTAT].start_us = s->mono_us + 20;
	s->readings[READ_VMSTAT].end_us = s->mono_us + 20 + (int64_t)(next(m) % 200);
}

void small_fini(struct small *m)
{
	arena_free(m->s.arena);
}

void record_small(const char *path, uint32_t count)
{
	struct recorder *r = open_recorder(path, NULL);
	struct small m;

	small_init(&m);
	for (uint32_t i = 0; i < count; i++) {
		put(r, &m.s);
		small_next(&m);
	}
	close_recorder(r);
	small_fini(&m);
}

/* All that could be wrong is what it must be, and cheaper to look at than field by field. */
static void compare_small(const struct small *m, const struct sample *got)
{
	assert_int_equal(got->mono_us, m->s.mono_us);
	assert_int_equal(got->vmstat.value[VM_pgfault], m->s.vmstat.value[VM_pgfault]);
	if (!sample_equal(got, &m->s, NULL, 0))
		fail_msg("sample %u is another", (unsigned int)got->n);
}

uint32_t check_small(const char *path, uint64_t *count)
{
	struct sample got = { .arena = arena_new() };
	const char *why = "";
	struct recording *r = recording_open(path, 0, &why);
	uint32_t good = 0;
	struct small m;

	*count = 0;
	if (!r) {
		assert_true(*why);
		arena_free(got.arena);
		return 0;
	}
	while (recording_scan(r, 1000000))
		;
	small_init(&m);
	*count = recording_count(r);
	for (uint64_t i = 0; i < *count; i++) {
		int err = recording_read(r, i, &got);

		assert_true(err == 0 || err == -EILSEQ);
		if (err)
			continue;
		while (m.s.n < got.n)
			small_next(&m);
		compare_small(&m, &got);
		good++;
	}
	small_fini(&m);
	arena_free(got.arena);
	recording_close(r);
	return good;
}
