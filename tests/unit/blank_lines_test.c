/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blank_lines_test.c - empty lines, lines of blanks, lines that end with CR LF and a last line
 * without its end change nothing in what any parser makes of a file.
 */
#include "support_parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TREE "tests/roots/7.2-numa2/10/"

/*
 * A number that changes with every number in the parts of a sample that the parsers of these
 * files fill.
 */
static uint64_t sum;

static void add(uint64_t value)
{
	sum = sum * 31 + value;
}

static void add_set(const struct counters *c)
{
	for (uint32_t i = 0; c->value && i < c->tab->n; i++)
		add(c->value[i]);
	for (uint32_t i = 0; i < c->nmore; i++)
		add(c->more[i].value);
}

static void add_zones(const struct sample *s)
{
	for (uint32_t i = 0; i < s->nnodes; i++)
		add_set(&s->nodes[i].stats);
	for (uint32_t i = 0; i < s->nzones; i++) {
		const struct zone *z = &s->zones[i];

		add_set(&z->stats);
		add(z->free);
		add(z->high);
		add(z->managed);
		add(z->start_pfn);
		add(z->nprotection ? z->protection[z->nprotection - 1] : 0);
		for (uint32_t j = 0; j < z->npagesets; j++) {
			add(z->pagesets[j].count);
			add(z->pagesets[j].high_max);
		}
	}
}

static void add_blocks(const struct sample *s)
{
	for (uint32_t i = 0; i < s->nbuddies; i++)
		for (uint32_t j = 0; j < s->buddies[i].norders; j++)
			add(s->buddies[i].blocks[j]);
	for (uint32_t i = 0; i < s->npagetypes; i++)
		for (uint32_t j = 0; j < s->pagetypes[i].norders; j++)
			add(s->pagetypes[i].blocks[j]);
	for (uint32_t i = 0; i < s->npageblocks; i++)
		add(s->pageblocks[i].blocks);
}

static void add_lruvecs(const struct sample *s)
{
	for (uint32_t i = 0; i < s->nlruvecs; i++) {
		const struct lruvec *v = &s->lruvecs[i];

		add(v->memcg);
		add(strlen(v->path));
		for (uint32_t j = 0; j < v->ngens; j++) {
			add(v->gens[j].pages[TYPE_ANON] * 3 + v->gens[j].pages[TYPE_FILE]);
			add(v->gens[j].seq * 3 + v->gens[j].age_ms);
		}
		for (uint32_t j = 0; j < v->nfull; j++)
			add(v->full[j].walk.leaf_total ^ v->full[j].tiers[TYPE_FILE][0].evicted);
	}
}

static uint64_t sum_of(const char *bytes, size_t len, parse_fn *parse)
{
	struct parsed p = parsed_text((struct text){ bytes, len }, parse);
	const struct sample *s = &p.s;

	assert_int_equal(p.result, 0);
	assert_int_equal(p.r.skipped + p.r.torn, 0);
	sum = 0;
	add_set(&s->vmstat);
	add_set(&s->meminfo);
	add_zones(s);
	add_blocks(s);
	add_lruvecs(s);
	add(s->psi[0].some.total_us);
	add(s->psi[0].full.total_us);
	for (uint32_t i = 0; i < s->nswaps; i++)
		add(s->swaps[i].used_kib);
	parsed_free(&p);
	return sum;
}

/* The text with another end behind each line, the last one's left out if it is not asked for. */
static size_t with_ends(struct text t, const char *end, bool last, char *out)
{
	size_t len = 0, size = strlen(end);

	for (size_t i = 0; i < t.len; i++) {
		if (t.buf[i] != '\n') {
			out[len++] = t.buf[i];
		} else if (last || i + 1 < t.len) {
			memcpy(out + len, end, size);
			len += size;
		}
	}
	return len;
}

static int psi_parse(struct text t, struct sample *s, struct reading *r)
{
	return pressure_parse(t, &s->psi[0], r);
}

static const struct {
	const char *path;
	parse_fn *parse;
} files[] = {
	{ TREE "proc/vmstat", vmstat_parse },
	{ TREE "proc/zoneinfo", zoneinfo_parse },
	{ TREE "proc/buddyinfo", buddyinfo_parse },
	{ TREE "proc/pagetypeinfo", pagetypeinfo_parse },
	{ TREE "proc/meminfo", meminfo_parse },
	{ TREE "proc/swaps", swaps_parse },
	{ TREE "proc/pressure/io", psi_parse },
	{ TREE "sys/kernel/debug/lru_gen", lru_gen_parse },
	{ TREE "sys/kernel/debug/lru_gen_full", lru_gen_full_parse },
};

static void all_files_with(const char *end, bool last)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct text t = text_load(files[i].path);
		char *out = malloc(t.len * 12);
		uint64_t expected = sum_of(t.buf, t.len, files[i].parse);
		size_t len = with_ends(t, end, last, out);

		if (sum_of(out, len, files[i].parse) != expected)
			fail_msg("%s", files[i].path);
		free(out);
		free((char *)t.buf);
	}
}

static void empty_lines(void **state)
{
	(void)state;
	all_files_with("\n\n", true);
}

static void lines_of_blanks(void **state)
{
	(void)state;
	all_files_with("\n   \t \n", true);
}

static void carriage_returns(void **state)
{
	(void)state;
	all_files_with("\r\n", true);
	all_files_with("\r\n\r\n", true);
}

static void no_last_end(void **state)
{
	(void)state;
	all_files_with("\n", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_lines),
		cmocka_unit_test(lines_of_blanks),
		cmocka_unit_test(carriage_returns),
		cmocka_unit_test(no_last_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
