/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/codec.h"

#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/fields.h"
#include "support_sample.h"

/* One writer, one reader who sees nothing but the lines. */
struct ends {
	struct codec *writer, *reader;
	struct buf line;
	struct sample held[2];   /* what the reader has: held[at] */
	unsigned int at;
};

static void ends_init(struct ends *e)
{
	*e = (struct ends){ .writer = codec_new(), .reader = codec_new() };
	e->held[0].arena = arena_new();
	e->held[1].arena = arena_new();
}

static void ends_fini(struct ends *e)
{
	arena_free(e->held[1].arena);
	arena_free(e->held[0].arena);
	buf_fini(&e->line);
	codec_free(e->reader);
	codec_free(e->writer);
}

static void assert_same(const struct sample *got, const struct sample *want, const struct buf *line)
{
	char why[300];

	if (!sample_equal(got, want, why, sizeof(why)))
		fail_msg("sample %llu: %s\n%.3000s", (unsigned long long)want->n, why, line->data);
}

/* Write now, read it on top of what the reader has (NULL before: whole), and compare. */
static void pass(struct ends *e, const struct sample *before, const struct sample *now)
{
	struct sample *had = &e->held[e->at], *has = &e->held[!e->at];
	int err;

	buf_clear(&e->line);
	codec_write(e->writer, before, now, &e->line);
	assert_int_equal(e->line.data[e->line.len - 1], '\n');
	assert_null(memchr(e->line.data, '\n', e->line.len - 1));
	err = codec_read(e->reader, e->line.data, e->line.len - 1, before ? had : NULL, has);
	if (err)
		fail_msg("%s\n%.2000s", strerror(-err), e->line.data);
	e->at = !e->at;
	assert_same(has, now, &e->line);
}

static const char *line_of(struct ends *e)
{
	return e->line.data;
}

static void assert_has(struct ends *e, const char *text)
{
	if (!strstr(line_of(e), text))
		fail_msg("no %s in\n%.3000s", text, line_of(e));
}

static void assert_has_not(struct ends *e, const char *text)
{
	if (strstr(line_of(e), text))
		fail_msg("%s in\n%.3000s", text, line_of(e));
}

/* --- random samples --- */

static void test_round_trip(void **state)
{
	struct sample s[2] = { { .arena = arena_new() }, { .arena = arena_new() } };
	struct ends e;

	(void)state;
	ends_init(&e);
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct rng r = { seed };

		sample_random(&r, &s[0]);
		pass(&e, NULL, &s[0]);
		for (int i = 0; i < 25; i++) {
			sample_random_next(&r, &s[i & 1], &s[~i & 1]);
			pass(&e, rng_one_in(&r, 10) ? NULL : &s[i & 1], &s[~i & 1]);
		}
	}
	ends_fini(&e);
	arena_free(s[1].arena);
	arena_free(s[0].arena);
}

/* A writer that was not there for the sample before may still write what changed. */
static void test_any_before(void **state)
{
	struct sample s[2] = { { .arena = arena_new() }, { .arena = arena_new() } };
	struct rng r = { 4 };
	struct ends e;

	(void)state;
	sample_random(&r, &s[0]);
	sample_random_next(&r, &s[0], &s[1]);
	ends_init(&e);
	pass(&e, NULL, &s[0]);
	codec_free(e.writer);
	e.writer = codec_new();
	pass(&e, &s[0], &s[1]);
	ends_fini(&e);
	arena_free(s[1].arena);
	arena_free(s[0].arena);
}

/* --- a sample made by hand --- */

struct hand {
	struct gen gens[3];
	struct lruvec lruvecs[3];
	struct pageset pageset;
	struct zone zone;
	struct sample s;
};

static void set(struct counters *c, const struct keytab *tab, struct arena *a, unsigned int key,
		uint64_t value)
{
	counters_init(c, tab, a);
	c->value[key] = value;
}

/* The sample that the design shows. */
static void hand_init(struct hand *h)
{
	struct sample *s = &h->s;

	*h = (struct hand){ .s.arena = arena_new() };
	sample_reset(s);
	s->n = 5;
	s->mono_us = 25684013;
	s->machine.page_size = 4096;
	s->machine.hz = 250;
	s->machine.boot_id = "b-1";
	h->gens[0] = (struct gen){ 3, 25684, { 0, 4739 }, 0 };
	h->gens[1] = (struct gen){ 4, 15552, { 81, 28375 }, 0 };
	h->lruvecs[0] = (struct lruvec){ .memcg = 28, .path = "/web", .ngens = 2, .gens = h->gens,
					 .min_seq = { UNKNOWN, UNKNOWN } };
	s->nlruvecs = 1;
	s->lruvecs = h->lruvecs;
	set(&s->vmstat, &keytab_vmstat, s->arena, VM_pgscan_kswapd, 417001);
	h->pageset = (struct pageset){ 0, 87, 408, 31, 408, 6942 };
	h->zone = (struct zone){ .node = 0,
				 .name = "DMA32",
				 .free = 2869,
				 .boost = UNKNOWN,
				 .min = 662,
				 .low = 827,
				 .high = 992,
				 .promo = UNKNOWN,
				 .spanned = UNKNOWN,
				 .present = UNKNOWN,
				 .managed = 116155,
				 .cma = UNKNOWN,
				 .start_pfn = UNKNOWN,
				 .node_unreclaimable = UNKNOWN,
				 .reserved_highatomic = UNKNOWN,
				 .free_highatomic = UNKNOWN,
				 .npagesets = 1,
				 .pagesets = &h->pageset };
	s->nzones = 1;
	s->zones = &h->zone;
	s->psi[PSI_MEMORY].some = (struct psi_line){ 265, 132, 32, 1102959 };
}

static const char as_designed[] =
	"{\"type\":\"sample\",\"mono_us\":25684013,\"n\":5,\"key\":true,"
	"\"page_size\":4096,\"hz\":250,\"boot_id\":\"b-1\","
	"\"lru_gen\":[{\"memcg\":28,\"path\":\"/web\",\"node\":0,"
	"\"gens\":[[3,25684,0,4739],[4,15552,81,28375]]}],"
	"\"vmstat\":{\"pgscan_kswapd\":417001},"
	"\"zones\":[{\"node\":0,\"zone\":\"DMA32\",\"free\":2869,\"min\":662,\"low\":827,\"high\":992,"
	"\"managed\":116155,\"pagesets\":[{\"cpu\":0,\"count\":87,\"high\":408,\"batch\":31,"
	"\"high_min\":408,\"high_max\":6942}]}],"
	"\"pressure\":{\"memory\":{\"some\":{\"avg10\":2.65,\"avg60\":1.32,\"avg300\":0.32,"
	"\"total\":1102959}}},\"crc\":\"";

static void test_form(void **state)
{
	struct hand h;
	struct ends e;

	(void)state;
	hand_init(&h);
	ends_init(&e);
	pass(&e, NULL, &h.s);
	if (strncmp(line_of(&e), as_designed, strlen(as_designed)))
		fail_msg("%s is not\n%s", line_of(&e), as_designed);
	/*
	 * python3 -c 'import zlib; print("%08x" % zlib.crc32(b"..."))' over what stands before
	 * ,"crc"
	 */
	assert_string_equal(line_of(&e) + strlen(as_designed), "06713fbb\"}\n");
	ends_fini(&e);
	arena_free(h.s.arena);
}

/* What the second line says, and no more. */
static void test_changes(void **state)
{
	struct hand h;
	struct sample before = { .arena = arena_new() };
	struct ends e;

	(void)state;
	hand_init(&h);
	ends_init(&e);
	pass(&e, NULL, &h.s);
	sample_copy(&h.s, &before);
	h.s.n++;
	h.s.mono_us += 1000000;
	h.gens[0] = (struct gen){ 4, 16552 + 100, { 81, 28375 }, 0 };   /* within the tolerance */
	h.gens[1] = (struct gen){ 5, 700, { 9, 0 }, 0 };
	h.pageset.count = 31;
	h.s.vmstat.value[VM_pgscan_kswapd] = UNKNOWN;
	h.s.vmstat.value[VM_pgsteal_kswapd] = UNLIMITED;
	pass(&e, &before, &h.s);
	assert_has(&e, "{\"type\":\"sample\",\"mono_us\":26684013,\"n\":6,\"key\":false,"
		   "\"lru_gen\":[{\"memcg\":28,\"gens\":[[5,700,9,0]],\"gone\":{\"gens\":[3]}}],"
		   "\"vmstat\":{\"pgsteal_kswapd\":\"max\",\"pgscan_kswapd\":null},"
		   "\"zones\":[{\"node\":0,\"zone\":\"DMA32\",\"pagesets\":[{\"cpu\":0,\"count\":31}]}],\"crc\":");
	ends_fini(&e);
	arena_free(before.arena);
	arena_free(h.s.arena);
}

/* One more millisecond, and the age is written; a row that changed otherwise leaves it out. */
static void test_ages(void **state)
{
	struct hand h;
	struct sample before = { .arena = arena_new() };
	struct ends e;

	(void)state;
	hand_init(&h);
	ends_init(&e);
	pass(&e, NULL, &h.s);
	sample_copy(&h.s, &before);
	h.s.n++;
	h.s.mono_us += 2000000;
	h.gens[0].age_ms += 2101;
	h.gens[1].age_ms += 1950;
	h.gens[1].pages[TYPE_ANON] = 80;
	pass(&e, &before, &h.s);
	assert_has(&e, "\"gens\":[[3,27785,0,4739],[4,\"=\",80,28375]]");
	ends_fini(&e);
	arena_free(before.arena);
	arena_free(h.s.arena);
}

/* Each age is 90 ms behind what the one before leads to expect; that must not add up. */
static void test_ages_do_not_drift(void **state)
{
	struct hand h;
	struct sample before = { .arena = arena_new() };
	struct ends e;

	(void)state;
	hand_init(&h);
	ends_init(&e);
	pass(&e, NULL, &h.s);
	for (int i = 0; i < 100; i++) {
		sample_copy(&h.s, &before);
		h.s.n++;
		h.s.mono_us += 1000000;
		h.gens[0].age_ms += 910;
		h.gens[1].age_ms += 1090;
		pass(&e, &before, &h.s);
	}
	ends_fini(&e);
	arena_free(before.arena);
	arena_free(h.s.arena);
}

/*
 * What only moves with the clock is not written, however long: nor do fractions of a millisecond
 * add up.
 */
static void test_clock_alone(void **state)
{
	struct hand h;
	struct sample before = { .arena = arena_new() };
	struct ends e;
	int64_t since;

	(void)state;
	hand_init(&h);
	ends_init(&e);
	h.s.readings[READ_VMSTAT] = (struct reading){ .state = READING_OK, .bytes = 4000,
						      .start_us = h.s.mono_us + 20,
						      .end_us = h.s.mono_us + 65 };
	since = h.s.mono_us / 1000;
	pass(&e, NULL, &h.s);
	assert_has(&e, "\"readings\":{\"vmstat\":[20,65,4000]}");
	for (int i = 0; i < 300; i++) {
		sample_copy(&h.s, &before);
		h.s.n++;
		h.s.mono_us += 1000900;
		h.s.readings[READ_VMSTAT].start_us += 1000900;
		h.s.readings[READ_VMSTAT].end_us += 1000900;
		h.gens[0].age_ms = 25684 + (uint64_t)(h.s.mono_us / 1000 - since);
		h.gens[1].age_ms = 15552 + (uint64_t)(h.s.mono_us / 1000 - since);
		pass(&e, &before, &h.s);
		assert_has(&e, "\"key\":false,\"crc\"");
	}
	ends_fini(&e);
	arena_free(before.arena);
	arena_free(h.s.arena);
}

static struct lruvec removed(uint64_t files, struct gen *gens)
{
	gens[0] = (struct gen){ 1, 500, { 0, files }, 0 };
	return (struct lruvec){ .memcg = 0, .path = "/old", .ngens = 1, .gens = gens, .dying = true,
				.min_seq = { UNKNOWN, UNKNOWN } };
}

/* Removed memcgs may share id and path: told apart by how many stand before. */
static void test_twins(void **state)
{
	struct hand h;
	struct sample before = { .arena = arena_new() };
	struct ends e;

	(void)state;
	hand_init(&h);
	ends_init(&e);
	for (uint64_t i = 0; i < 3; i++)
		h.lruvecs[i] = removed(i + 1, &h.gens[i]);
	h.s.nlruvecs = 3;
	pass(&e, NULL, &h.s);
	sample_copy(&h.s, &before);
	h.s.n++;
	h.gens[1].pages[TYPE_FILE] = 77;
	h.s.nlruvecs = 2;
	pass(&e, &before, &h.s);
	assert_has(&e, "\"lru_gen\":[{\"memcg\":0,\"path\":\"/old\",\"node\":0,\"nth\":1,"
		   "\"gens\":[[1,\"=\",0,77]]}],");
	assert_has(&e, "\"gone\":{\"lru_gen\":[{\"memcg\":0,\"path\":\"/old\",\"node\":0,\"nth\":2}]},");
	ends_fini(&e);
	arena_free(before.arena);
	arena_free(h.s.arena);
}

/* One process comes to the front: it moves, the others stay as they are. */
static void test_moved(void **state)
{
	struct process p[5] = { 0 }, last;
	struct hand h;
	struct sample before = { .arena = arena_new() };
	struct ends e;

	(void)state;
	hand_init(&h);
	ends_init(&e);
	for (uint32_t i = 0; i < 5; i++)
		p[i] = (struct process){
			.pid = 10 + i, .start_ticks = 7, .name = "x", .state = 'S'
		};
	h.s.processes = p;
	h.s.nprocesses = 4;
	pass(&e, NULL, &h.s);
	sample_copy(&h.s, &before);
	h.s.n++;
	h.s.nprocesses = 5;
	last = p[3];
	memmove(&p[1], &p[0], 3 * sizeof(p[0]));
	p[0] = last;
	pass(&e, &before, &h.s);
	assert_has(&e, "\"processes\":[{\"pid\":13,\"at\":0},{\"pid\":14,\"start_ticks\":7,"
		   "\"name\":\"x\",\"state\":\"S\"");
	assert_has_not(&e, "\"pid\":10");
	assert_has_not(&e, "gone");
	ends_fini(&e);
	arena_free(before.arena);
	arena_free(h.s.arena);
}

/* A list that is not read each time goes as a whole. */
static void test_list_gone(void **state)
{
	struct hand h;
	struct sample before = { .arena = arena_new() };
	struct ends e;

	(void)state;
	hand_init(&h);
	ends_init(&e);
	pass(&e, NULL, &h.s);
	sample_copy(&h.s, &before);
	h.s.n++;
	h.s.nzones = 0;
	h.s.vmstat = (struct counters){ 0 };
	pass(&e, &before, &h.s);
	assert_has(&e, "\"vmstat\":null,\"gone\":{\"zones\":true},\"crc\"");
	ends_fini(&e);
	arena_free(before.arena);
	arena_free(h.s.arena);
}

/* A hole, another boot: the line is whole although a sample before was given. */
static void test_whole_by_itself(void **state)
{
	struct hand h;
	struct sample before = { .arena = arena_new() };
	struct ends e;

	(void)state;
	hand_init(&h);
	ends_init(&e);
	sample_copy(&h.s, &before);
	h.s.n += 2;
	pass(&e, &before, &h.s);
	assert_has(&e, "\"key\":true");
	h.s.n = before.n + 1;
	h.s.machine.boot_id = "b-2";
	pass(&e, &before, &h.s);
	assert_has(&e, "\"key\":true");
	h.s.machine.boot_id = "b-1";
	pass(&e, NULL, &before);
	pass(&e, &before, &h.s);
	assert_has(&e, "\"key\":false");
	ends_fini(&e);
	arena_free(before.arena);
	arena_free(h.s.arena);
}

/* --- reading what others wrote --- */

/* Put the right CRC behind an object's text (without its last brace) and read it. */
static int read_text(struct ends *e, const char *text, const struct sample *before,
		     struct sample *out)
{
	uint32_t crc = UINT32_MAX;

	for (const char *p = text; *p; p++) {
		crc ^= (unsigned char)*p;
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
	}
	buf_clear(&e->line);
	buf_printf(&e->line, "%s,\"crc\":\"%08x\"}", text, (unsigned int)~crc);
	return codec_read(e->reader, e->line.data, e->line.len, before, out);
}

#define HEAD "{\"type\":\"sample\",\"mono_us\":5,\"n\":1,\"key\":true,"
#define NEXT "{\"type\":\"sample\",\"mono_us\":9,\"n\":2,\"key\":false,"

static void test_unknown_members(void **state)
{
	struct ends e;
	struct sample *s;

	(void)state;
	ends_init(&e);
	s = &e.held[0];
	assert_int_equal(read_text(&e, HEAD "\"of_tomorrow\":[{\"a\":[1,2]}],\"vmstat\":{\"pgfault\":3,"
				   "\"nr_of_tomorrow\":4},\"zones\":[{\"node\":0,\"zone\":\"N\",\"free\":1,"
				   "\"of_tomorrow\":{}}],\"lru_gen\":[{\"memcg\":1,\"path\":\"/\",\"node\":0,"
				   "\"gens\":[[1,2,3,4,1,99,\"x\"]]}]", NULL, s), 0);
	assert_true(counters_by_name(&s->vmstat, "pgfault") == 3);
	assert_true(counters_by_name(&s->vmstat, "nr_of_tomorrow") == 4);
	assert_true(s->zones[0].free == 1);
	assert_true(s->zones[0].min == UNKNOWN);
	assert_int_equal(s->lruvecs[0].gens[0].evicted, 1);
	ends_fini(&e);
}

static void test_wrong_types(void **state)
{
	struct ends e;
	struct sample *s;

	(void)state;
	ends_init(&e);
	s = &e.held[0];
	assert_int_equal(read_text(&e, HEAD "\"wall_us\":\"x\",\"page_size\":-1,\"hz\":99999999999,"
		"\"kernel\":7,\"boot_id\":\"a\\u0000b\",\"machine\":[],\"sources\":{\"vmstat\":[],\"zram\":\"ENOENT\","
		"\"swaps\":\"ESOMETHING\"},\"readings\":{\"vmstat\":{},\"zram\":[\"=\",true,-5]},"
		"\"lru_gen\":[7,{},[],{\"path\":\"/\"},{\"memcg\":\"1\",\"path\":null,\"node\":-3,\"gens\":"
		"[5,[],[1],[2,\"=\",-1,1.5],{\"seq\":3,\"anon\":4}]},null],"
		"\"vmstat\":[1],\"meminfo\":{\"MemFree\":-7,\"MemTotal\":1e3,\"Cached\":\"max\",\"Slab\":"
		"18446744073709551617},\"zones\":{\"node\":0},\"buddyinfo\":[{\"node\":0,\"zone\":\"N\","
		"\"blocks\":[1,\"2\",null,4]}],\"pressure\":{\"memory\":{\"some\":{\"avg10\":\"2.65\",\"avg60\":2.6,"
		"\"avg300\":7,\"total\":[]}}},\"processes\":[{\"pid\":1,\"start_ticks\":2,\"kind\":\"robot\","
		"\"state\":\"RS\"}],\"processes_seen\":true", NULL, s), 0);
	assert_int_equal(s->wall_us, 0);
	assert_int_equal(s->machine.page_size, 0);
	assert_int_equal(s->machine.hz, 0);
	assert_null(s->machine.kernel);
	assert_null(s->machine.boot_id);
	assert_true(s->machine.mglru == UNKNOWN);
	assert_int_equal(s->readings[READ_VMSTAT].state, READING_NOT_ASKED);
	assert_int_equal(s->readings[READ_ZRAM].state, READING_FAILED);
	assert_int_equal(s->readings[READ_ZRAM].err, ENOENT);
	assert_int_equal(s->readings[READ_SWAPS].state, READING_FAILED);
	assert_int_equal(s->nlruvecs, 1);
	assert_true(s->lruvecs[0].memcg == UNKNOWN);
	assert_null(s->lruvecs[0].path);
	assert_int_equal(s->lruvecs[0].ngens, 4);   /* a bare 5 is a row's key alone */
	assert_true(s->lruvecs[0].gens[2].age_ms == UNKNOWN);
	assert_true(s->lruvecs[0].gens[2].pages[TYPE_ANON] == UNKNOWN);
	assert_true(s->lruvecs[0].gens[2].pages[TYPE_FILE] == UNKNOWN);
	assert_null(s->vmstat.value);
	assert_true(s->meminfo.value[MEM_MemFree] == UNKNOWN);
	assert_true(s->meminfo.value[MEM_MemTotal] == UNKNOWN);
	assert_true(s->meminfo.value[MEM_Cached] == UNLIMITED);
	assert_true(s->meminfo.value[MEM_Slab] == UNKNOWN);
	assert_int_equal(s->nzones, 0);
	assert_int_equal(s->buddies[0].norders, 4);
	assert_true(s->buddies[0].blocks[1] == UNKNOWN);
	assert_true(s->buddies[0].blocks[3] == 4);
	assert_true(s->psi[PSI_MEMORY].some.avg10 == UNKNOWN);
	assert_true(s->psi[PSI_MEMORY].some.avg60 == 260);
	assert_true(s->psi[PSI_MEMORY].some.avg300 == 700);
	assert_true(s->psi[PSI_MEMORY].some.total_us == UNKNOWN);
	assert_int_equal(s->processes[0].kind, PROCESS_USER);
	assert_int_equal(s->processes[0].state, 0);
	ends_fini(&e);
}

/* A name out of a file may hold what no kernel file of ours may: it is made safe again. */
static void test_names_are_safe(void **state)
{
	struct ends e;

	(void)state;
	ends_init(&e);
	assert_int_equal(read_text(&e, HEAD "\"memcgs\":[{\"path\":\"/\\u001b[2J\\u202e\\\\x41\"}],"
				   "\"vmstat\":{\"a\\rb\":1}", NULL, &e.held[0]), 0);
	assert_string_equal(e.held[0].memcgs[0].path, "/\\x1b[2J\\xe2\\x80\\xaeA");
	assert_string_equal(e.held[0].vmstat.more[0].name, "a\\x0db");
	ends_fini(&e);
}

static void test_refused(void **state)
{
	static const struct {
		const char *text;
		int err;
	} cases[] = {
		{ "{\"type\":\"step\",\"mono_us\":5,\"n\":1,\"key\":true", -EPROTO },
		{ "{\"type\":\"header\"", -EPROTO },
		{ "{\"type\":1,\"mono_us\":5,\"n\":1,\"key\":true", -EPROTO },
		{ "{\"type\":\"sample\",\"mono_us\":5.5,\"n\":1,\"key\":true", -EPROTO },
		{ "{\"type\":\"sample\",\"mono_us\":5,\"key\":true", -EPROTO },
		{ "{\"type\":\"sample\",\"mono_us\":5,\"n\":1,\"key\":1", -EPROTO },
		{ "{\"type\":\"sample\",\"mono_us\":5,\"n\":1,\"key\":false", -ESTALE },
		{ "{\"type\":\"sample\",\"mono_us\":5,\"n\":1,\"key\":true,\"vmstat\":{\"a\":1,5}", -EILSEQ },
		{ "{\"type\":\"sample\",\"mono_us\":5,\"n\":1 \"key\":true", -EILSEQ },
		{ "{\"type\":\"sample\"}", -EILSEQ },
		{ "[1", -EILSEQ },
		{ "", -EILSEQ },
	};
	struct ends e;

	(void)state;
	ends_init(&e);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (read_text(&e, cases[i].text, NULL, &e.held[0]) != cases[i].err)
			fail_msg("%s", cases[i].text);
	assert_int_equal(codec_read(e.reader, "", 0, NULL, &e.held[0]), -EILSEQ);
	ends_fini(&e);
}

/* Versions of json-c differ in what they take for a number; none of it becomes one of ours. */
static void test_no_numbers(void **state)
{
	struct ends e;

	(void)state;
	ends_init(&e);
	assert_int_equal(read_text(&e, HEAD "\"vmstat\":{\"pgfault\":nan,\"pgmajfault\":5,\"pgfree\":1e999}",
				   NULL, &e.held[0]), 0);
	assert_true(counters_get(&e.held[0].vmstat, VM_pgfault) == UNKNOWN);
	assert_true(counters_get(&e.held[0].vmstat, VM_pgfree) == UNKNOWN);
	assert_true(counters_get(&e.held[0].vmstat, VM_pgmajfault) == 5);
	ends_fini(&e);
}

/* Changes to what is not there, at places that are not, twice: nothing is lost, nothing crashes. */
static void test_odd_changes(void **state)
{
	/* The place 9 is none, and 0 is taken for the second /b: both go behind. */
	static const char *const paths[] = { "/b", "/c", "/e", "/d", "/b" };
	struct ends e;
	struct sample *s;

	(void)state;
	ends_init(&e);
	s = &e.held[1];
	assert_int_equal(read_text(&e, HEAD "\"memcgs\":[{\"path\":\"/a\"},{\"path\":\"/b\"},{\"path\":\"/c\"}]",
				   NULL, &e.held[0]), 0);
	assert_int_equal(read_text(&e, NEXT "\"memcgs\":[{\"path\":\"/d\",\"at\":9},{\"path\":\"/b\",\"at\":0},"
				   "{\"path\":\"/b\",\"at\":0,\"max\":1},{\"path\":\"/e\",\"nth\":4}],"
				   "\"zones\":[{\"node\":0,\"zone\":\"N\"}],\"gone\":{\"memcgs\":[{\"path\":\"/a\"},"
				   "{\"path\":\"/nowhere\"},{\"path\":\"/a\"},7],\"zones\":true,\"vmstat\":true}",
				   &e.held[0], s), 0);
	assert_int_equal(s->nmemcgs, 5);
	for (uint32_t i = 0; i < 5; i++) {
		assert_string_equal(s->memcgs[i].path, paths[i]);
		assert_true(s->memcgs[i].max == (i == 4 ? 1 : UNKNOWN));
	}
	assert_int_equal(s->nzones, 1);
	/* Changes need the sample that they change. */
	assert_int_equal(read_text(&e, NEXT "\"vmstat\":{}", NULL, s), -ESTALE);
	e.held[0].n = 7;
	assert_int_equal(read_text(&e, NEXT "\"vmstat\":{}", &e.held[0], s), -ESTALE);
	assert_int_equal(s->nmemcgs, 0);
	ends_fini(&e);
}

/* --- damage --- */

static void assert_refused(struct ends *e, const struct buf *line, size_t len,
			   const struct sample *before)
{
	int err = codec_read(e->reader, line->data, len, before, &e->held[1]);

	if (err != -EILSEQ)
		fail_msg("%d for %.*s", err, (int)len, line->data);
	assert_int_equal(e->held[1].nlruvecs, 0);
}

static void damage(struct ends *e, struct buf *line, const struct sample *before, struct rng *r)
{
	size_t len = line->len - 1;

	for (size_t i = 0; i < len; i += 1 + rng_below(r, 1 + (uint32_t)(len / 4000)))
		assert_refused(e, line, i, before);
	for (size_t i = 0; i < len; i += 1 + rng_below(r, 1 + (uint32_t)(len / 4000))) {
		char was = line->data[i];

		line->data[i] = (char)(was ^ (1 << rng_below(r, 8)));
		assert_refused(e, line, len, before);
		line->data[i] = (char)rng_next(r);
		if (line->data[i] != was)
			assert_refused(e, line, len, before);
		line->data[i] = was;
	}
}

static void test_damage(void **state)
{
	struct sample s[2] = { { .arena = arena_new() }, { .arena = arena_new() } };
	struct rng r = { 11 };
	struct ends e;

	(void)state;
	ends_init(&e);
	sample_random(&r, &s[0]);
	sample_random_next(&r, &s[0], &s[1]);
	codec_write(e.writer, NULL, &s[0], &e.line);
	damage(&e, &e.line, NULL, &r);
	buf_clear(&e.line);
	codec_write(e.writer, &s[0], &s[1], &e.line);
	damage(&e, &e.line, &s[0], &r);
	ends_fini(&e);
	arena_free(s[1].arena);
	arena_free(s[0].arena);
}

/* Damage that the CRC does not catch, since it is made anew: any sample or none, but no crash. */
static void test_damage_with_crc(void **state)
{
	struct sample s[2] = { { .arena = arena_new() }, { .arena = arena_new() } };
	struct rng r = { 12 };
	struct buf line = { 0 };
	struct ends e;

	(void)state;
	ends_init(&e);
	sample_random(&r, &s[0]);
	sample_random_next(&r, &s[0], &s[1]);
	codec_write(e.writer, &s[0], &s[1], &line);
	line.len -= 19;
	line.data[line.len] = '\0';
	for (int i = 0; i < 1500; i++) {
		uint32_t at = rng_below(&r, (uint32_t)line.len);
		char was = line.data[at];

		line.data[at] = "0123456789-.,:[]{}\"\\nexa"[rng_below(&r, 24)];
		read_text(&e, line.data, &s[0], &e.held[1]);
		line.data[at] = was;
	}
	buf_fini(&line);
	ends_fini(&e);
	arena_free(s[1].arena);
	arena_free(s[0].arena);
}

/* --- the header, and the locale --- */

static void test_header(void **state)
{
	struct hand h;
	struct ends e;

	(void)state;
	hand_init(&h);
	ends_init(&e);
	h.s.machine.kernel = "7.2.13";
	h.s.interval_us = 1000000;
	h.s.wall_us = 1796044811123456;   /* date -u -d @1796044811 */
	h.s.readings[READ_LRU_GEN].state = READING_OK;
	h.s.readings[READ_ZRAM] = (struct reading){ .state = READING_FAILED, .err = EACCES };
	codec_header(e.writer, &h.s, &e.line);
	assert_has(&e, "{\"type\":\"header\",\"format\":\"reclaimtop\",\"version\":1,\"kernel\":\"7.2.13\","
		   "\"page_size\":4096,\"hz\":250,\"boot_id\":\"b-1\",\"interval_ms\":1000,"
		   "\"start\":\"2026-11-30T13:20:11.123Z\",\"sources\":{\"lru_gen\":\"ok\",\"zram\":\"EACCES\"},"
		   "\"crc\":\"");
	assert_int_equal(codec_read(e.reader, e.line.data, e.line.len - 1, NULL, &e.held[0]),
			 -EPROTO);
	ends_fini(&e);
	arena_free(h.s.arena);
}

static void test_locale(void **state)
{
	struct hand h;
	struct ends e;
	const char *const names[] = { "de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "ru_RU.UTF-8" };
	bool set_one = false;

	(void)state;
	for (size_t i = 0; !set_one && i < sizeof(names) / sizeof(names[0]); i++)
		set_one = setlocale(LC_ALL, names[i]);
	hand_init(&h);
	ends_init(&e);
	pass(&e, NULL, &h.s);
	assert_has(&e, "\"avg10\":2.65,\"avg60\":1.32");
	ends_fini(&e);
	arena_free(h.s.arena);
	setlocale(LC_ALL, "C");
	if (!set_one)
		skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_any_before),
		cmocka_unit_test(test_form),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_ages),
		cmocka_unit_test(test_ages_do_not_drift),
		cmocka_unit_test(test_clock_alone),
		cmocka_unit_test(test_twins),
		cmocka_unit_test(test_moved),
		cmocka_unit_test(test_list_gone),
		cmocka_unit_test(test_whole_by_itself),
		cmocka_unit_test(test_unknown_members),
		cmocka_unit_test(test_wrong_types),
		cmocka_unit_test(test_names_are_safe),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_no_numbers),
		cmocka_unit_test(test_odd_changes),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_damage_with_crc),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_locale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
