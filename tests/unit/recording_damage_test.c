/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings that were cut, overwritten, joined, or made by somebody who means harm: what is whole is read, nothing else passes
 * for it, and nobody takes more memory than the file is worth.
 *
 * Made from public reports, named by what they show.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "collectors/recording/pack.h"
#include "reclaimtop/fields.h"
#include "support_recording.h"
#include "support_sample.h"

static const char *const names[] = { "r.jsonl", "r.zst" };

/* Sanitizers take their time. */
#ifdef __SANITIZE_ADDRESS__
#define ROUNDS 2000
#else
#define ROUNDS 10000
#endif

/* ---- memory: the largest piece that our own code asks for ---- */

static size_t largest;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
	largest = size > largest ? size : largest;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	largest = n * size > largest ? n * size : largest;
	return __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	largest = size > largest ? size : largest;
	return __real_realloc(old, size);
}

/* Buffers of a fixed size, and some times what the file holds. */
static void assert_modest(size_t file_size)
{
	if (largest > ((size_t)1 << 20) + 16 * file_size)
		fail_msg("%zu bytes at once for a file of %zu", largest, file_size);
}

/* ---- recordings ---- */

/* Samples so far apart that few are in a group; where each ends in the file is in ends. */
static uint32_t record_groups(const char *path, uint64_t *ends, uint32_t count)
{
	struct recorder *r = open_recorder(path, NULL);
	struct small m;

	small_init(&m);
	for (uint32_t i = 0; i < count; i++) {
		put(r, &m.s);
		ends[i] = recorder_bytes(r);
		small_next(&m);
	}
	close_recorder(r);
	small_fini(&m);
	return count;
}

static uint32_t before_cut(const uint64_t *ends, uint32_t n, uint64_t cut)
{
	uint32_t whole = 0;

	while (whole < n && ends[whole] <= cut)
		whole++;
	return whole;
}

static uint64_t count_at(const char *path, bool *torn)
{
	struct recording_facts facts;
	const char *why = "";
	struct recording *r = recording_open(path, 0, &why);
	uint64_t n;

	*torn = false;
	if (!r)
		return 0;
	while (recording_scan(r, 1000000))
		;
	n = recording_count(r);
	recording_facts(r, &facts);
	*torn = facts.torn_tail;
	recording_close(r);
	return n;
}

/* ---- cut ---- */

/*
 * All whole samples are there, wherever it was cut. A line that lacks its newline alone is whole.
 * https://github.com/facebook/rocksdb/pull/9316
 */
static void test_cut_anywhere(void **state)
{
	enum { COUNT = 90 };
	uint64_t ends[COUNT], count;
	struct buf all = { 0 };
	bool torn;

	(void)state;
	for (int i = 0; i < 2; i++) {
		const char *path = own_path(names[i]), *part = own_path("part");
		bool plain = !i;
		size_t from;

		record_groups(path, ends, COUNT);
		slurp(path, &all);
		from = all.len > 20000 ? all.len - 20000 : 0;
		for (size_t cut = all.len; cut > from; cut--) {
			uint32_t whole = before_cut(ends, COUNT, plain ? cut + 1 : cut);

			spill(part, all.data, cut);
			assert_int_equal(count_at(part, &torn), whole);
			if (plain && whole)
				assert_int_equal(torn, cut != ends[whole - 1] && cut + 1 != ends[whole - 1]);
			if (cut % 499 == 0)
				assert_int_equal(check_small(part, &count), whole);
		}
		unlink(part);
		unlink(path);
	}
	buf_fini(&all);
}

/*
 * What was cut is recorded on: nothing of the torn line gets into the next.
 * https://github.com/Tracer-Cloud/opensre/issues/5750
 */
static void test_append_to_torn(void **state)
{
	static const char fragment[] = "{\"type\":\"sample\",\"mono_us\":12,\"n\":1,\"key\":false,\"a\":\"\xc3";
	struct recorder_options append = { .append = true };
	uint64_t ends[5];
	struct buf all = { 0 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		const char *path = own_path(names[i]);
		struct recording_facts facts;
		struct recording *rec;
		struct recorder *r;
		struct small m;

		record_groups(path, ends, 5);
		slurp(path, &all);
		all.len = ends[4] - (i ? 7 : 0);
		if (!i)
			buf_add(&all, fragment, sizeof(fragment) - 1);
		spill(path, all.data, all.len);
		r = open_recorder(path, &append);
		small_init(&m);
		for (int k = 0; k < 3; k++) {
			put(r, &m.s);
			small_next(&m);
		}
		close_recorder(r);
		rec = open_recording(path);
		recording_facts(rec, &facts);
		assert_int_equal(recording_count(rec), i ? 4 + 3 : 5 + 3);
		assert_int_equal(facts.sessions, 2);
		assert_int_equal(facts.damaged, i ? 0 : 1);
		assert_false(facts.torn_tail);
		assert_int_equal(recording_first(rec, 1), i ? 4 : 5);
		small_fini(&m);
		small_init(&m);
		for (uint64_t k = recording_first(rec, 1); k < recording_count(rec); k++) {
			assert_sample(rec, k, &m.s);
			small_next(&m);
		}
		recording_close(rec);
		small_fini(&m);
	}
	buf_fini(&all);
}

/*
 * The end of a file that was kept by a limit of size: it begins within a line, without a header.
 * https://github.com/sosreport/sos/issues/1871
 */
static void test_first_lines_lost(void **state)
{
	enum { COUNT = 200 };
	const char *path = own_path("r.jsonl"), *part = own_path("part");
	struct recording_facts facts;
	uint64_t ends[COUNT], count;
	struct buf all = { 0 };
	struct recording *r;

	(void)state;
	record_groups(path, ends, COUNT);
	slurp(path, &all);
	for (uint32_t first = 1; first < COUNT; first += 13) {
		uint32_t next_whole = (first + 60) / 60 * 60, expected = COUNT > next_whole ? COUNT - next_whole : 0;
		size_t from = ends[first - 1] + 20;

		spill(part, all.data + from, all.len - from);
		/* Whole samples come every 60 s, and the seconds are not exact. */
		assert_in_range(check_small(part, &count), expected ? expected - 2 : 0, expected + 2);
		if (!count)
			continue;
		r = open_recording(part);
		recording_facts(r, &facts);
		assert_true(facts.headless);
		assert_true(facts.baseless > 0);
		recording_close(r);
	}
	buf_fini(&all);
}

/* ---- changed bytes ---- */

/* 24 samples in groups of seven. */
static void record_few(const char *path)
{
	struct recorder *r = open_recorder(path, NULL);
	struct small m;

	small_init(&m);
	for (uint32_t i = 0; i < 24; i++) {
		struct small then = m;

		then.s.readings[READ_VMSTAT] = (struct reading){ 0 };
		then.s.mono_us += (int64_t)i * 8000000;
		then.s.wall_us += (int64_t)i * 8000000;
		put(r, &then.s);
		small_next(&m);
	}
	close_recorder(r);
	small_fini(&m);
}

/* The same again, as they must be. */
static void expect_few(struct small *m, uint64_t n)
{
	while (m->s.n < n)
		small_next(m);
	m->s.readings[READ_VMSTAT] = (struct reading){ 0 };
	m->s.mono_us += (int64_t)n * 8000000;
	m->s.wall_us += (int64_t)n * 8000000;
}

/* Each sample that can be read is one of those that were written. Returns how many. */
static uint32_t check_few(const char *path)
{
	struct sample got = { .arena = arena_new() };
	const char *why = "";
	struct recording *r = recording_open(path, 0, &why);
	uint32_t good = 0;
	uint64_t next = 0;

	while (r && recording_scan(r, 1000000))
		;
	for (uint64_t i = 0; r && i < recording_count(r); i++) {
		struct small m;
		int err = recording_read(r, i, &got);

		assert_true(err == 0 || err == -EILSEQ);
		if (err)
			continue;
		if (got.n >= 24 || got.n < next)
			fail_msg("sample %u behind %u", (unsigned int)got.n, (unsigned int)next);
		next = got.n + 1;
		small_init(&m);
		expect_few(&m, got.n);
		if (!sample_equal(&got, &m.s, NULL, 0))
			fail_msg("sample %u is another", (unsigned int)got.n);
		small_fini(&m);
		good++;
	}
	recording_close(r);
	arena_free(got.arena);
	return good;
}

/* A number from the environment, for longer runs by hand. */
static uint32_t asked(const char *name, uint32_t usual)
{
	const char *text = getenv(name);

	return text ? (uint32_t)strtoul(text, NULL, 10) : usual;
}

/* One byte: no more is lost than the group that it is in. A flipped byte may also end a line, or join two. */
static void test_flipped_bytes(void **state)
{
	struct rng rng = { asked("FUZZ_SEED", 20261130) };
	uint32_t rounds = asked("FUZZ_ROUNDS", ROUNDS);
	struct buf all = { 0 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		const char *path = own_path(names[i]);

		record_few(path);
		assert_int_equal(check_few(path), 24);
		slurp(path, &all);
		largest = 0;
		for (uint32_t round = 0; round < rounds; round++) {
			size_t at = rng_below(&rng, (uint32_t)all.len);
			char was = all.data[at];
			uint32_t good;

			all.data[at] = rng_one_in(&rng, 8) ? '\n' : (char)(was ^ (1 + rng_below(&rng, 255)));
			spill(path, all.data, all.len);
			good = check_few(path);
			if (good < 24 - 8 || good > 24)
				fail_msg("%s, byte %zu from %02x to %02x: %u samples", names[i], at,
					 (unsigned char)was, (unsigned char)all.data[at], good);
			all.data[at] = was;
		}
		assert_modest(all.len);
		unlink(path);
	}
	buf_fini(&all);
}

/* Stretches of nothing, of ones, of noise; taken out, or put in. */
static void damage(struct rng *rng, const struct buf *from, struct buf *to)
{
	size_t len = 1 + rng_below(rng, 4096), at = rng_below(rng, (uint32_t)from->len);
	unsigned int kind = rng_below(rng, 5);
	char noise[4097];

	if (len > from->len - at)
		len = from->len - at;
	for (size_t i = 0; i < len; i++)
		noise[i] = kind == 0 ? '\0' : kind == 1 ? '\xff' : (char)rng_next(rng);
	buf_clear(to);
	buf_add(to, from->data, at);
	if (kind != 3)
		buf_add(to, noise, len);
	if (kind != 4)
		at += len;
	buf_add(to, from->data + at, from->len - at);
}

/*
 * A stretch in the middle, as a machine leaves it that hangs: what stands before and behind is read.
 * https://github.com/Atoptool/atop/issues/79
 */
static void test_damaged_stretches(void **state)
{
	struct rng rng = { asked("FUZZ_SEED", 4096) };
	struct buf all = { 0 }, bad = { 0 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		const char *path = own_path(names[i]);

		record_few(path);
		slurp(path, &all);
		largest = 0;
		for (uint32_t round = 0; round < asked("FUZZ_ROUNDS", ROUNDS) / 5; round++) {
			damage(&rng, &all, &bad);
			spill(path, bad.data, bad.len);
			check_few(path);
		}
		assert_modest(2 * all.len);
	}
	buf_fini(&all);
	buf_fini(&bad);
}

static void test_hole_in_the_middle(void **state)
{
	enum { COUNT = 300 };
	const char *path = own_path("r.jsonl");
	struct sample got = { .arena = arena_new() };
	struct recording_facts facts;
	uint64_t ends[COUNT], count;
	struct buf all = { 0 };
	struct recording *r;
	uint32_t bad = 0;

	(void)state;
	record_groups(path, ends, COUNT);
	slurp(path, &all);
	memset(all.data + ends[150], 0, 4096);
	spill(path, all.data, all.len);
	/* From 151 to the next whole sample, which is 180 or the one behind. */
	assert_in_range(check_small(path, &count), COUNT - 31, COUNT - 28);
	r = open_recording(path);
	for (uint64_t i = 0; i < recording_count(r); i++) {
		int err = recording_read(r, i, &got);

		if (err && !bad++)
			assert_in_range(recording_offset(r, i), ends[150], ends[150] + 4096 + 1000);
		assert_true(recording_time(r, i) >= (i ? recording_time(r, i - 1) : 0));
	}
	recording_facts(r, &facts);
	assert_true(facts.damaged > 0 && facts.baseless > 0);
	assert_int_equal(facts.sessions, 1);
	recording_close(r);
	buf_fini(&all);
	arena_free(got.arena);
}

/* ---- lines that somebody made ---- */

static uint32_t crc32(const char *bytes, size_t len)
{
	uint32_t crc = UINT32_MAX;

	while (len--) {
		crc ^= (unsigned char)*bytes++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
	}
	return ~crc;
}

/* The line with a CRC that holds. */
static void add_line(struct buf *out, const char *text, size_t len)
{
	buf_add(out, text, len);
	buf_printf(out, ",\"crc\":\"%08x\"}\n", (unsigned int)crc32(text, len));
}

static void add_text(struct buf *out, const char *text)
{
	add_line(out, text, strlen(text));
}

#define HEADER(version) "{\"type\":\"header\",\"format\":\"reclaimtop\",\"version\":" #version
#define KEY(n) "{\"type\":\"sample\",\"mono_us\":" #n "000000,\"n\":" #n ",\"key\":true"
#define CHANGE(n) "{\"type\":\"sample\",\"mono_us\":" #n "000000,\"n\":" #n ",\"key\":false"

static int open_error(const struct buf *text, const char **why)
{
	const char *path = own_path("made");
	struct recording *r;

	spill(path, text->data, text->len);
	r = recording_open(path, 0, why);
	if (!r)
		return errno;
	recording_close(r);
	return 0;
}

static void test_newer_format(void **state)
{
	struct buf text = { 0 };
	const char *why = "", *path;
	struct recording_facts facts;
	struct recording *r;

	(void)state;
	add_text(&text, HEADER(2) ",\"kernel\":\"9.0\"");
	add_text(&text, KEY(0) ",\"vmstat\":{\"pgfault\":5}");
	assert_int_equal(open_error(&text, &why), ENOTSUP);
	assert_non_null(strstr(why, "newer"));
	/* A session of it within a file is passed over, another is not. */
	add_text(&text, HEADER(1));
	add_text(&text, KEY(0) ",\"vmstat\":{\"pgfault\":6}");
	add_text(&text, HEADER(3));
	add_text(&text, KEY(0) ",\"vmstat\":{\"pgfault\":7}");
	add_text(&text, CHANGE(1) ",\"vmstat\":{\"pgfault\":8}");
	path = own_path("made");
	spill(path, text.data, text.len);
	r = open_recording(path);
	assert_int_equal(recording_count(r), 1);
	recording_facts(r, &facts);
	assert_int_equal(facts.major, 3);
	recording_close(r);
	buf_fini(&text);
}

/* What a later version may add within the same format. */
static void test_unknown_is_ignored(void **state)
{
	struct sample got = { .arena = arena_new() };
	struct buf text = { 0 };
	struct recording_facts facts;
	struct recording *r;
	const char *path = own_path("made");

	(void)state;
	add_text(&text, HEADER(1) ",\"colour\":[1,{\"a\":null}]");
	add_text(&text, "{\"type\":\"weather\",\"mono_us\":5,\"rain\":true");
	add_text(&text, KEY(0) ",\"weather\":{\"rain\":1},\"vmstat\":{\"pgfault\":5}");
	add_text(&text, "{\"type\":\"event\",\"mono_us\":500000,\"kind\":\"eclipse\",\"text\":\"dark\"");
	add_text(&text, CHANGE(1) ",\"vmstat\":{\"pgfault\":9},\"later\":[]");
	spill(path, text.data, text.len);
	r = open_recording(path);
	recording_facts(r, &facts);
	assert_int_equal(facts.damaged, 0);
	assert_int_equal(recording_count(r), 2);
	assert_int_equal(recording_read(r, 1, &got), 0);
	assert_int_equal(got.vmstat.value[VM_pgfault], 9);
	recording_close(r);
	arena_free(got.arena);
	buf_fini(&text);
}

/*
 * Counts, depths and lengths that a file claims are not believed; numbers that cannot be are not known.
 * https://github.com/performancecopilot/pcp/issues/475
 */
static void test_hostile_lines(void **state)
{
	static const char *const numbers[] = { "1e308", "1e999", "-0", "18446744073709551616", "1.5", "-5", "\"5\"",
					       "[]", "{}", "true", "null" };
	struct sample got = { .arena = arena_new() };
	struct buf text = { 0 }, deep = { 0 };
	const char *path = own_path("made");
	struct recording *r;

	(void)state;
	add_text(&text, HEADER(1));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		char line[300];

		snprintf(line, sizeof(line), "{\"type\":\"sample\",\"mono_us\":%zu000000,\"n\":%zu,\"key\":true,"
			 "\"vmstat\":{\"pgfault\":%s,\"pgfree\":7,\"pgfree\":8},\"memcgs\":[{\"path\":\"/a\\u0000b\"}]",
			 i, i, numbers[i]);
		add_text(&text, line);
	}
	buf_str(&deep, KEY(50) ",\"x\":");
	for (int i = 0; i < 100000; i++)
		buf_str(&deep, "[");
	add_line(&text, deep.data, deep.len);
	add_text(&text, KEY(51) ",\"vmstat\":{\"pgfault\":5}");
	spill(path, text.data, text.len);
	largest = 0;
	r = open_recording(path);
	assert_int_equal(recording_count(r), 13);
	for (uint64_t i = 0; i < 11; i++) {
		int err = recording_read(r, i, &got);

		if (err)
			continue;
		assert_true(got.vmstat.value[VM_pgfault] == UNKNOWN || got.vmstat.value[VM_pgfault] == 0);
		assert_true(got.vmstat.value[VM_pgfree] == 8);
	}
	assert_int_equal(recording_read(r, 11, &got), -EILSEQ);
	assert_int_equal(recording_read(r, 12, &got), 0);
	recording_close(r);
	assert_modest(text.len);
	arena_free(got.arena);
	buf_fini(&text);
	buf_fini(&deep);
}

/* A line longer than any of ours: passed over, and not kept in memory. */
static void test_endless_line(void **state)
{
	struct sample got = { .arena = arena_new() };
	const char *path = own_path("made"), *why = "";
	struct buf text = { 0 };
	struct recording *r;
	size_t size = (size_t)50 << 20;

	(void)state;
	add_text(&text, HEADER(1));
	add_text(&text, KEY(0) ",\"vmstat\":{\"pgfault\":5}");
	buf_reserve(&text, size);
	memset(text.data + text.len, '7', size);
	text.len += size;
	buf_str(&text, "\n");
	add_text(&text, KEY(1) ",\"vmstat\":{\"pgfault\":6}");
	spill(path, text.data, text.len);
	largest = 0;
	r = open_recording(path);
	assert_int_equal(recording_count(r), 2);
	assert_int_equal(recording_read(r, 1, &got), 0);
	assert_int_equal(got.vmstat.value[VM_pgfault], 6);
	recording_close(r);
	assert_true(largest <= (size_t)64 << 20);
	/* Nothing but such a line is no recording. */
	spill(path, text.data + 1000, size - 2000);
	assert_null(recording_open(path, 0, &why));
	assert_int_equal(errno, EPROTO);
	arena_free(got.arena);
	buf_fini(&text);
}

static void test_no_recording(void **state)
{
	struct buf text = { 0 };
	const char *why = "";

	(void)state;
	buf_str(&text, "{\"type\":\"header\",\"format\":\"another\",\"version\":1}\n");
	assert_int_equal(open_error(&text, &why), EPROTO);
	buf_clear(&text);
	add_text(&text, HEADER(1));
	assert_int_equal(open_error(&text, &why), EBADMSG);
	assert_string_equal(why, "it holds no whole sample");
	add_text(&text, CHANGE(1) ",\"vmstat\":{}");
	assert_int_equal(open_error(&text, &why), EBADMSG);
	buf_clear(&text);
	buf_add(&text, "\x28\xb5\x2f\xfd\x04\x00garbage that is no frame", 30);
	assert_int_equal(open_error(&text, &why), EPROTO);
	assert_null(recording_open("tests", 0, &why));
	assert_int_equal(errno, EISDIR);
	assert_null(recording_open("tests/no-such-file", 0, &why));
	assert_int_equal(errno, ENOENT);
	assert_null(recording_open("/dev/null", 0, &why));
	assert_int_equal(errno, ESPIPE);
	buf_fini(&text);
}

/* ---- frames that somebody made ---- */

/* A trailer may say what it likes: what is not there is not read, and what is there in excess neither. */
static void test_false_trailer(void **state)
{
	static const uint32_t claims[] = { 1, 2, 3, 4, 9, 65536, 65537, UINT32_MAX };
	struct sample got = { .arena = arena_new() };
	const char *path = own_path("r.zst");

	(void)state;
	for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++) {
		struct packer *p = packer_new();
		struct buf text = { 0 }, file = { 0 };
		struct zst_trailer t = { .samples = claims[i], .mono_us = 1000000 };
		struct recording *r;

		add_text(&text, HEADER(1));
		add_text(&text, KEY(0) ",\"vmstat\":{\"pgfault\":5}");
		packer_put(p, &text, true, &file);
		packer_done(p, true);
		packer_end(p, &file);
		packer_closed(p);
		buf_clear(&text);
		add_text(&text, KEY(1) ",\"vmstat\":{\"pgfault\":5}");
		add_text(&text, CHANGE(2) ",\"vmstat\":{\"pgfault\":6}");
		add_text(&text, CHANGE(3) ",\"vmstat\":{\"pgfault\":7}");
		t.size = file.len;
		packer_put(p, &text, true, &file);
		buf_add(&file, ZST_CLOSE, ZST_CLOSE_SIZE);
		t.size = file.len - t.size;
		t.n = 1;
		zst_trailer_write(&t, &file);
		spill(path, file.data, file.len);
		largest = 0;
		r = open_recording(path);
		/* A claim that cannot be is not believed: the frame is unpacked. */
		assert_int_equal(recording_count(r), claims[i] <= 65536 ? 1 + claims[i] : 4);
		for (uint64_t k = 0; k < recording_count(r) && k < 100; k++) {
			int err = recording_read(r, k, &got);

			assert_int_equal(err, k < 4 ? 0 : -EILSEQ);
			if (!err)
				assert_int_equal(got.vmstat.value[VM_pgfault], k < 2 ? 5 : 4 + k);
		}
		assert_int_equal(recording_read(r, recording_count(r), &got), -ENOENT);
		assert_true(largest < (size_t)8 << 20);
		recording_close(r);
		packer_free(p);
		buf_fini(&text);
		buf_fini(&file);
	}
	arena_free(got.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut_anywhere),
		cmocka_unit_test(test_append_to_torn),
		cmocka_unit_test(test_first_lines_lost),
		cmocka_unit_test(test_flipped_bytes),
		cmocka_unit_test(test_damaged_stretches),
		cmocka_unit_test(test_hole_in_the_middle),
		cmocka_unit_test(test_newer_format),
		cmocka_unit_test(test_unknown_is_ignored),
		cmocka_unit_test(test_hostile_lines),
		cmocka_unit_test(test_endless_line),
		cmocka_unit_test(test_no_recording),
		cmocka_unit_test(test_false_trailer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
