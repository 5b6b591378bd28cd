/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of comma-separated values, read back by a parser of its own.
 */
#include "reclaimtop/export.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/csv.h"
#include "support_sample.h"

#define CELLS 512

/* One line of RFC 4180: cells without their quotes, in place. Returns the next line. */
static char *read_line(char *p, char *cells[CELLS], uint32_t *n)
{
	*n = 0;
	for (;;) {
		bool quoted = *p == '"';
		char *to = p += quoted;

		assert_true(*n < CELLS);
		cells[(*n)++] = to;
		while (quoted ? *p != '"' || p[1] == '"' : !strchr(",\r\n", *p)) {
			assert_true(*p);
			assert_true(quoted || *p != '"');
			p += quoted && *p == '"';
			*to++ = *p++;
		}
		p += quoted;
		if (*p == ',') {
			*to = '\0';
			p++;
			continue;
		}
		assert_true(p[0] == '\r' && p[1] == '\n');
		*to = '\0';
		return p + 2;
	}
}

static void cells(void **state)
{
	static const char *const texts[] = {
		"", "plain", "a,b", "\"", "say \"so\"", "\"\"", "a\nb", "a\r\nb", " blank ", "=1+1",
		"ü", ",", "end\"", "\"start",
	};
	enum { N = sizeof(texts) / sizeof(texts[0]) };
	struct buf out = { 0 };
	struct csv c = { .out = &out };
	char *read[CELLS], *end;
	uint32_t n;

	(void)state;
	for (int i = 0; i < N; i++)
		csv_text(&c, texts[i]);
	csv_end(&c);
	csv_text(&c, NULL);
	csv_u64(&c, UNKNOWN);
	csv_u64(&c, UNLIMITED);
	csv_u64(&c, UINT64_C(18446744073709551613));
	csv_i64(&c, INT64_MIN);
	csv_number(&c, NAN);
	csv_number(&c, INFINITY);
	csv_number(&c, 0.1);
	csv_number(&c, 44017.78);
	csv_number(&c, 1.0 / 3);
	csv_end(&c);
	assert_memory_equal(out.data, ",plain,\"a,b\",\"\"\"\",\"say \"\"so\"\"\",", 31);
	end = read_line(out.data, read, &n);
	assert_int_equal(n, N);
	for (int i = 0; i < N; i++)
		assert_string_equal(read[i], texts[i]);
	assert_string_equal(end, ",,max,18446744073709551613,-9223372036854775808,,,0.1,44017.78,"
				 "0.3333333333333333\r\n");
	buf_fini(&out);
}

static const char *const tables[] = {
	"metric", "lruvec", "generation", "tier", "zone", "pageset", "node", "memcg", "process",
	"buddyinfo", "pagetype", "pageblocks", "drain", "refill", "drained", "refilled", "swap", "zram",
	"vmstat", "meminfo", "pressure", "machine", "source", "other",
};

static void check_names(char *names[CELLS], uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		assert_true(*names[i]);
		for (uint32_t k = 0; k < i; k++)
			if (!strcmp(names[i], names[k]))
				fail_msg("two columns are named %s", names[i]);
	}
}

/* Whatever a sample holds: as many cells in a row as the header has. */
static void check_table(const char *name, const struct sample *now, bool all)
{
	struct exporter *e = export_new(export_find(name), all);
	struct step st = { .arena = arena_new() };
	struct buf out = { 0 };
	char *names[CELLS], *row[CELLS], *p;
	uint32_t columns, n;

	step_make(NULL, now, &st);
	export_head(e, &out);
	export_rows(e, &st, 0, &out);
	p = read_line(out.data, names, &columns);
	check_names(names, columns);
	while (p < out.data + out.len) {
		p = read_line(p, row, &n);
		if (n != columns)
			fail_msg("%s: %u cells under %u names", name, n, columns);
	}
	assert_ptr_equal(p, out.data + out.len);
	buf_fini(&out);
	arena_free(st.arena);
	export_free(e);
}

static void any_sample(void **state)
{
	struct rng rng = { 4180 };
	struct sample s = { .arena = arena_new() };

	(void)state;
	for (int i = 0; i < 30; i++) {
		sample_random(&rng, &s);
		for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++)
			check_table(tables[t], &s, i % 2);
	}
	sample_reset(&s);
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++)
		check_table(tables[t], &s, true);
	arena_free(s.arena);
}

static void names_of_tables(void **state)
{
	struct buf out = { 0 };
	uint32_t lines = 0;

	(void)state;
	export_list(&out);
	for (const char *p = out.data; (p = strchr(p, '\n')); p++)
		lines++;
	assert_int_equal(lines, sizeof(tables) / sizeof(tables[0]));
	assert_null(export_find("nothing"));
	assert_null(export_find(""));
	buf_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells),
		cmocka_unit_test(any_sample),
		cmocka_unit_test(names_of_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
