/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every captured tree, as a recording and as history have it.
 */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/codec.h"
#include "reclaimtop/fields.h"
#include "reclaimtop/history.h"
#include "reclaimtop/source.h"

#define ROOTS "tests/roots"
#define MANY 40

struct series {
	char name[300];
	struct sample samples[MANY];
	uint32_t n;
};

static void load(struct series *s)
{
	static const struct interest interest = { .pagetypes = true,
						  .tiers = true,
						  .processes = true };
	const char *why = "";
	struct source *src = source_tree(s->name, false, &why);

	if (!src)
		fail_msg("%s: %s", s->name, why);
	for (s->n = 0; s->n < MANY; s->n++) {
		int end;

		s->samples[s->n] = (struct sample){ .arena = arena_new() };
		end = src->ops->next(src, &interest, &s->samples[s->n]);
		if (end) {
			arena_free(s->samples[s->n].arena);
			assert_int_equal(end, 1);
			break;
		}
	}
	source_close(src);
	assert_in_range(s->n, 2, MANY - 1);
	assert_true(s->samples[0].nlruvecs > 0 && s->samples[0].nzones > 0);
}

static void unload(struct series *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		arena_free(s->samples[i].arena);
}

static void assert_same(const struct series *s, uint32_t i, const struct sample *got)
{
	char why[300];

	if (!sample_equal(got, &s->samples[i], why, sizeof(why)))
		fail_msg("%s, sample %u: %s", s->name, (unsigned int)i, why);
}

/* Written and read: whole, then what changed; and each one whole. */
static void through_codec(const struct series *s)
{
	struct sample got[2] = { { .arena = arena_new() }, { .arena = arena_new() } };
	struct codec *writer = codec_new(), *reader = codec_new();
	struct buf line = { 0 };

	for (uint32_t i = 0; i < 2 * s->n; i++) {
		const struct sample *before = i && i < s->n ? &s->samples[i - 1] : NULL;

		buf_clear(&line);
		codec_write(writer, before, &s->samples[i % s->n], &line);
		assert_int_equal(codec_read(reader, line.data, line.len - 1,
					    before ? &got[~i & 1] : NULL, &got[i & 1]),
				 0);
		assert_same(s, i % s->n, &got[i & 1]);
		assert_int_equal(!!strstr(line.data, "\"key\":false"), !!before);
	}
	buf_fini(&line);
	codec_free(writer);
	codec_free(reader);
	arena_free(got[0].arena);
	arena_free(got[1].arena);
}

static void through_history(const struct series *s)
{
	struct history *h = history_new((size_t)16 << 20);
	struct sample got = { .arena = arena_new() };

	for (uint32_t i = 0; i < s->n; i++)
		history_put(h, &s->samples[i]);
	assert_int_equal(history_count(h), s->n);
	for (uint32_t i = 0; i < 3 * s->n; i++) {
		uint32_t j = i * 7 % s->n;

		assert_true(history_get(h, j, &got));
		assert_same(s, j, &got);
	}
	history_free(h);
	arena_free(got.arena);
}

static void each_series(void (*fn)(const struct series *s))
{
	DIR *dir = opendir(ROOTS);
	const struct dirent *entry;
	uint32_t n = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		struct series *s;

		/* A folder of trees is named KERNEL-SCENARIO. */
		if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
			continue;
		s = calloc(1, sizeof(*s));
		snprintf(s->name, sizeof(s->name), "%s/%s", ROOTS, entry->d_name);
		load(s);
		fn(s);
		unload(s);
		free(s);
		n++;
	}
	closedir(dir);
	assert_int_equal(n, 12);
}

static void test_codec(void **state)
{
	(void)state;
	each_series(through_codec);
}

static void test_history(void **state)
{
	(void)state;
	each_series(through_history);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_codec),
		cmocka_unit_test(test_history),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
