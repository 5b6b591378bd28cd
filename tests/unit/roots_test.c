/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * roots_test.c - every number of every captured tree, as awk finds it and as the parsers do.
 * Whatever awk prints must be in the sample, and nothing more.
 */
#include "support_parse.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/names.h"

#define TREES "tests/roots/*/*/"

/* The file that awk's lines are about. */
struct check {
	parse_fn *parse;
	uint64_t (*count)(const struct sample *s);  /* of numbers in a sample; NULL: not counted */
	struct parsed p;
	char *file;
	uint64_t lines, files;
	uint32_t lruvec, gen;
};

static void end_file(struct check *c)
{
	if (!c->file)
		return;
	if (c->p.r.skipped || c->p.r.torn || c->p.r.cut)
		fail_msg("%s: %u skipped, %u torn, cut %d", c->file, c->p.r.skipped, c->p.r.torn,
			 c->p.r.cut);
	if (c->count && c->count(&c->p.s) != c->lines)
		fail_msg("%s: %" PRIu64 " numbers, awk finds %" PRIu64, c->file, c->count(&c->p.s),
			 c->lines);
	parsed_free(&c->p);
	free(c->file);
	c->file = NULL;
}

static void begin_line(struct check *c, const char *file)
{
	if (!c->file || strcmp(file, c->file)) {
		end_file(c);
		c->p = parsed_file(file, c->parse);
		if (c->p.result)
			fail_msg("%s: not parsed", file);
		c->file = mem_str(file);
		c->files++;
		c->lines = 0;
		c->lruvec = c->gen = 0;
	}
	c->lines++;
}

static void check_all(struct check *c, const char *command, int max, line_fn *fn)
{
	each_line(command, max, fn, c);
	end_file(c);
	assert_true(c->files > 0);
}

static uint64_t number(const char *text)
{
	return strtoull(text, NULL, 10);
}

static void is(const struct check *c, const char *what, const char *text, uint64_t value)
{
	if (value == UNKNOWN || number(text) != value)
		fail_msg("%s: %s is %s, not %" PRIu64, c->file, what, text, value);
}

/* --- lru_gen --- */

static const struct lruvec *next_lruvec(struct check *c)
{
	const struct sample *s = &c->p.s;

	while (c->lruvec < s->nlruvecs && c->gen == s->lruvecs[c->lruvec].ngens) {
		c->lruvec++;
		c->gen = 0;
	}
	if (c->lruvec == s->nlruvecs)
		fail_msg("%s: awk finds more rows", c->file);
	return &s->lruvecs[c->lruvec];
}

static void is_path(const struct check *c, const char *raw, const struct lruvec *v)
{
	char bytes[8192];

	name_unescape(v->path, bytes);
	if (strcmp(bytes, raw))
		fail_msg("%s: \"%s\" for \"%s\"", c->file, v->path, raw);
}

static void is_size(const struct check *c, const char *text, const struct gen *g,
		    enum page_type type)
{
	is(c, type ? "file" : "anon", text, g->pages[type]);
	if (!!strchr(text, 'x') != !!(g->evicted & 1 << type))
		fail_msg("%s: mark of %s", c->file, text);
}

/* FILE row NODE SEQ AGE ANON FILE ID PATH */
static void row_line(char **f, int n, void *arg)
{
	struct check *c = arg;
	const struct lruvec *v;
	const struct gen *g;

	assert_int_equal(n, 9);
	v = next_lruvec(c);
	g = &v->gens[c->gen++];
	is(c, "node", f[2], v->node);
	is(c, "seq", f[3], g->seq);
	is(c, "age", f[4], g->age_ms);
	is_size(c, f[5], g, TYPE_ANON);
	is_size(c, f[6], g, TYPE_FILE);
	is(c, "id", f[7], v->memcg);
	is_path(c, f[8], v);
}

static uint64_t count_gens(const struct sample *s)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < s->nlruvecs; i++)
		n += s->lruvecs[i].ngens;
	return n;
}

static void lru_gen_line(char **f, int n, void *arg)
{
	begin_line(arg, f[0]);
	row_line(f, n, arg);
}

static void lru_gen(void **state)
{
	struct check c = { .parse = lru_gen_parse, .count = count_gens };

	(void)state;
	check_all(&c, "awk -f tests/unit/lru_gen.awk " TREES "sys/kernel/debug/lru_gen", 9,
		  lru_gen_line);
}

/*
 * A number that has this letter is where the letter belongs; a letter that did not come left its
 * place UNKNOWN.
 */
static void is_lettered(const struct check *c, char **tokens, int n, char letter, uint64_t value)
{
	for (int i = 0; i < n; i++) {
		size_t len = strlen(tokens[i]);

		if (tokens[i][len - 1] == letter) {
			is(c, "a number with a letter", tokens[i], value);
			return;
		}
	}
	if (value != UNKNOWN)
		fail_msg("%s: no letter %c, yet %" PRIu64, c->file, letter, value);
}

static void tier_line(const struct check *c, char **f, const struct gen_full *full)
{
	for (int type = 0; type < TYPE_NR; type++) {
		const struct tier *t = &full->tiers[type][number(f[4])];

		is_lettered(c, f + 5 + 3 * type, 3, 'r', t->refaulted);
		is_lettered(c, f + 5 + 3 * type, 3, 'e', t->evicted);
		is_lettered(c, f + 5 + 3 * type, 3, 'p', t->protected);
		is_lettered(c, f + 5 + 3 * type, 3, 'R', t->avg_refaulted);
		is_lettered(c, f + 5 + 3 * type, 3, 'T', t->avg_total);
	}
}

static void walk_line(const struct check *c, char **f, int n, const struct walk *w)
{
	is_lettered(c, f + 4, n - 4, n - 4 == 6 ? 'L' : 'T', w->leaf_total);
	is_lettered(c, f + 4, n - 4, 'O', w->leaf_old);
	is_lettered(c, f + 4, n - 4, 'Y', w->leaf_young);
	is_lettered(c, f + 4, n - 4, 'N', w->nonleaf_total);
	is_lettered(c, f + 4, n - 4, 'F', w->nonleaf_found);
	is_lettered(c, f + 4, n - 4, 'A', w->nonleaf_added);
}

static void full_line(char **f, int n, void *arg)
{
	struct check *c = arg;
	const struct lruvec *v;

	begin_line(c, f[0]);
	if (!strcmp(f[1], "row")) {
		/* A tab in a path parts no fields. */
		while (n > 9)
			f[--n][-1] = '\t';
		row_line(f, n, arg);
		return;
	}
	v = &c->p.s.lruvecs[c->lruvec];
	is(c, "node", f[2], v->node);
	is(c, "seq", f[3], v->full[c->gen - 1].seq);
	if (!strcmp(f[1], "tier"))
		tier_line(c, f, &v->full[c->gen - 1]);
	else
		walk_line(c, f, n, &v->full[c->gen - 1].walk);
}

/* A row, its four tiers and its line of walks: six lines a generation. */
static uint64_t count_full(const struct sample *s)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < s->nlruvecs; i++)
		n += s->lruvecs[i].nfull * (1 + TIER_NR + 1);
	return n;
}

static void lru_gen_full(void **state)
{
	struct check c = { .parse = lru_gen_full_parse, .count = count_full };

	(void)state;
	check_all(&c, "awk -f tests/unit/lru_gen.awk " TREES "sys/kernel/debug/lru_gen_full", 12,
		  full_line);
}

/* --- files of counters --- */

static const struct keytab *const sets[] = { &keytab_memcg, &keytab_events, &keytab_cgroup };

/* A cgroup's file is parsed into the place of vmstat. */
#define CGROUP_PARSER(name, set)                                             \
	static int name(struct text t, struct sample *s, struct reading *r)  \
	{                                                                    \
		counters_init(&s->vmstat, sets[set], s->arena);              \
		return counters_parse(t, &s->vmstat, s->arena, r);           \
	}

CGROUP_PARSER(stat_parse, 0)
CGROUP_PARSER(events_parse, 1)
CGROUP_PARSER(cgroup_parse, 2)

static uint64_t count_set(const struct counters *c)
{
	uint64_t n = c->nmore;

	for (uint32_t i = 0; c->tab && i < c->tab->n; i++)
		n += c->value[i] != UNKNOWN;
	return n;
}

static uint64_t count_vmstat(const struct sample *s)
{
	return count_set(&s->vmstat);
}

static uint64_t count_meminfo(const struct sample *s)
{
	return count_set(&s->meminfo);
}

/* FILE NAME VALUE */
static void vmstat_line(char **f, int n, void *arg)
{
	struct check *c = arg;

	assert_int_equal(n, 3);
	begin_line(c, f[0]);
	is(c, f[1], f[2], counters_by_name(&c->p.s.vmstat, f[1]));
}

static void meminfo_line(char **f, int n, void *arg)
{
	struct check *c = arg;

	assert_int_equal(n, 3);
	begin_line(c, f[0]);
	is(c, f[1], f[2], counters_by_name(&c->p.s.meminfo, f[1]));
}

#define PRINT "awk '{ sub(/:$/, \"\", $1); print FILENAME \"\\t\" $1 \"\\t\" $2 }' "

static void vmstat(void **state)
{
	struct check c = { .parse = vmstat_parse, .count = count_vmstat };

	(void)state;
	check_all(&c, PRINT TREES "proc/vmstat", 3, vmstat_line);
}

static void meminfo(void **state)
{
	struct check c = { .parse = meminfo_parse, .count = count_meminfo };

	(void)state;
	check_all(&c, PRINT TREES "proc/meminfo", 3, meminfo_line);
}

#define IN_CGROUPS(name) "find tests/roots -name " name " -size +0 -print0 | xargs -0 " PRINT

static void cgroups(void **state)
{
	struct check stat = { .parse = stat_parse, .count = count_vmstat };
	struct check events = { .parse = events_parse, .count = count_vmstat };
	struct check cgroup = { .parse = cgroup_parse, .count = count_vmstat };

	(void)state;
	check_all(&stat, IN_CGROUPS("memory.stat"), 3, vmstat_line);
	check_all(&events, IN_CGROUPS("memory.events"), 3, vmstat_line);
	check_all(&cgroup, IN_CGROUPS("cgroup.stat"), 3, vmstat_line);
}

/*
 * Names that the program has no enum for are rare enough to be listed: a new one is to be looked
 * at.
 */
static void names_are_known(void **state)
{
	struct parsed p = parsed_file("tests/roots/7.2-pressure/10/proc/vmstat", vmstat_parse);

	(void)state;
	assert_int_equal(p.s.vmstat.nmore, 0);
	parsed_free(&p);
	p = parsed_file("tests/roots/7.2-numa2/10/proc/zoneinfo", zoneinfo_parse);
	assert_int_equal(p.s.nodes[0].stats.nmore + p.s.zones[0].stats.nmore, 0);
	parsed_free(&p);
	p = parsed_file("tests/roots/7.2-pressure/10/sys/fs/cgroup/memory.stat", stat_parse);
	assert_int_equal(p.s.vmstat.nmore, 0);
	parsed_free(&p);
}

/* --- zoneinfo --- */

struct field {
	const char *name;
	size_t offset;
};

static const struct field zone_fields[] = {
	{ "free", offsetof(struct zone, free) },
	{ "boost", offsetof(struct zone, boost) },
	{ "min", offsetof(struct zone, min) },
	{ "low", offsetof(struct zone, low) },
	{ "high", offsetof(struct zone, high) },
	{ "promo", offsetof(struct zone, promo) },
	{ "spanned", offsetof(struct zone, spanned) },
	{ "present", offsetof(struct zone, present) },
	{ "managed", offsetof(struct zone, managed) },
	{ "cma", offsetof(struct zone, cma) },
	{ "start_pfn", offsetof(struct zone, start_pfn) },
	{ "node_unreclaimable", offsetof(struct zone, node_unreclaimable) },
	{ "reserved_highatomic", offsetof(struct zone, reserved_highatomic) },
	{ "free_highatomic", offsetof(struct zone, free_highatomic) },
	{ NULL, 0 },
};

static const struct field pageset_fields[] = {
	{ "count", offsetof(struct pageset, count) },
	{ "high", offsetof(struct pageset, high) },
	{ "batch", offsetof(struct pageset, batch) },
	{ "high_min", offsetof(struct pageset, high_min) },
	{ "high_max", offsetof(struct pageset, high_max) },
	{ NULL, 0 },
};

static uint64_t value_at(const void *base, size_t offset)
{
	uint64_t value;

	memcpy(&value, (const char *)base + offset, sizeof(value));
	return value;
}

static uint64_t value_of(const struct check *c, const struct field *fields, const char *name,
			 const void *base)
{
	for (; fields->name; fields++)
		if (!strcmp(fields->name, name))
			return value_at(base, fields->offset);
	fail_msg("%s: %s is no field", c->file, name);
	return UNKNOWN;
}

static uint64_t zone_value(const struct check *c, const struct zone *z, const char *name)
{
	static const char protection[] = "protection ";
	size_t len = strlen(protection);

	if (strncmp(name, protection, len))
		return value_of(c, zone_fields, name, z);
	assert_true(number(name + len) < z->nprotection);
	return z->protection[number(name + len)];
}

static uint64_t pageset_value(const struct check *c, const struct zone *z, const char *cpu,
			      const char *name)
{
	for (uint32_t i = 0; i < z->npagesets; i++)
		if (z->pagesets[i].cpu == number(cpu))
			return value_of(c, pageset_fields, name, &z->pagesets[i]);
	return UNKNOWN;
}

static void zoneinfo_line(char **f, int n, void *arg)
{
	struct check *c = arg;
	const struct zone *z;

	assert_true(n == 6 || n == 7);
	begin_line(c, f[0]);
	z = parsed_zone(&c->p.s, (uint32_t)number(f[2]), f[3]);
	if (!strcmp(f[1], "node")) {
		const struct node *node = parsed_node(&c->p.s, (uint32_t)number(f[2]));

		is(c, f[4], f[5], counters_by_name(&node->stats, f[4]));
	} else if (!z) {
		fail_msg("%s: no zone %s", c->file, f[3]);
	} else if (!strcmp(f[1], "pageset")) {
		is(c, f[5], f[6], pageset_value(c, z, f[4], f[5]));
	} else {
		is(c, f[4], f[5], strcmp(f[1], "stat") ? zone_value(c, z, f[4])
		   : counters_by_name(&z->stats, f[4]));
	}
}

static uint64_t count_fields(const struct field *fields, const void *base)
{
	uint64_t n = 0;

	for (; fields->name; fields++)
		n += value_at(base, fields->offset) != UNKNOWN;
	return n;
}

static uint64_t count_zones(const struct sample *s)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < s->nnodes; i++)
		n += count_set(&s->nodes[i].stats);
	for (uint32_t i = 0; i < s->nzones; i++) {
		const struct zone *z = &s->zones[i];

		n += count_set(&z->stats) + count_fields(zone_fields, z) + z->nprotection;
		for (uint32_t j = 0; j < z->npagesets; j++)
			n += count_fields(pageset_fields, &z->pagesets[j]);
	}
	return n;
}

static void zoneinfo(void **state)
{
	struct check c = { .parse = zoneinfo_parse, .count = count_zones };

	(void)state;
	check_all(&c, "awk -f tests/unit/zoneinfo.awk " TREES "proc/zoneinfo", 7, zoneinfo_line);
}

/* --- free lists --- */

static uint64_t count_orders(const struct sample *s)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < s->nbuddies; i++)
		n += s->buddies[i].norders;
	for (uint32_t i = 0; i < s->npagetypes; i++)
		n += s->pagetypes[i].norders;
	return n + s->npageblocks;
}

/* FILE NODE ZONE ORDER BLOCKS */
static void buddyinfo_line(char **f, int n, void *arg)
{
	struct check *c = arg;
	uint64_t value = UNKNOWN;

	assert_int_equal(n, 5);
	begin_line(c, f[0]);
	for (uint32_t i = 0; i < c->p.s.nbuddies; i++) {
		const struct buddy *b = &c->p.s.buddies[i];

		if (b->node == number(f[1]) && !strcmp(b->zone, f[2]) && number(f[3]) < b->norders)
			value = b->blocks[number(f[3])];
	}
	is(c, f[2], f[4], value);
}

static void buddyinfo(void **state)
{
	struct check c = { .parse = buddyinfo_parse, .count = count_orders };

	(void)state;
	check_all(
		&c,
		"awk -v OFS='\\t' '{ for (i = 5; i <= NF; i++) print FILENAME, $2 + 0, $4, i - 5, $i }' " TREES
		"proc/buddyinfo",
		5, buddyinfo_line);
}

/* FILE NODE ZONE TYPE ORDER BLOCKS, or FILE NODE ZONE TYPE - BLOCKS of the second table */
static void pagetypeinfo_line(char **f, int n, void *arg)
{
	struct check *c = arg;
	const struct sample *s = &c->p.s;
	uint64_t value = UNKNOWN;

	assert_int_equal(n, 6);
	begin_line(c, f[0]);
	for (uint32_t i = 0; f[4][0] != '-' && i < s->npagetypes; i++) {
		const struct pagetype *t = &s->pagetypes[i];

		if (t->node == number(f[1]) && !strcmp(t->zone, f[2]) && !strcmp(t->type, f[3]))
			value = t->blocks[number(f[4])];
	}
	for (uint32_t i = 0; f[4][0] == '-' && i < s->npageblocks; i++) {
		const struct pageblocks *b = &s->pageblocks[i];

		if (b->node == number(f[1]) && !strcmp(b->zone, f[2]) && !strcmp(b->type, f[3]))
			value = b->blocks;
	}
	is(c, f[3], f[5], value);
}

static void pagetypeinfo(void **state)
{
	struct check c = { .parse = pagetypeinfo_parse, .count = count_orders };

	(void)state;
	check_all(
		&c,
		"awk -v OFS='\\t' '"
		"/^Number of blocks/ { n = split($0, types, / +/) }"
		"/^Node/ { sub(/,$/, \"\", $4) }"
		"/^Node.*type/ { for (i = 7; i <= NF; i++) print FILENAME, $2 + 0, $4, $6, i - 7, $i; next }"
		"/^Node/ { for (i = 5; i <= NF; i++) print FILENAME, $2 + 0, $4, types[i], \"-\", $i }' " TREES
		"proc/pagetypeinfo",
		6, pagetypeinfo_line);
}

/* --- pressure --- */

static int psi_parse(struct text t, struct sample *s, struct reading *r)
{
	return pressure_parse(t, &s->psi[0], r);
}

/* FILE some|full AVG10 AVG60 AVG300 TOTAL, without the points */
static void pressure_line(char **f, int n, void *arg)
{
	struct check *c = arg;
	const struct psi_line *l;

	assert_int_equal(n, 6);
	begin_line(c, f[0]);
	l = strcmp(f[1], "some") ? &c->p.s.psi[0].full : &c->p.s.psi[0].some;
	is(c, "avg10", f[2], l->avg10);
	is(c, "avg60", f[3], l->avg60);
	is(c, "avg300", f[4], l->avg300);
	is(c, "total", f[5], l->total_us);
}

static void pressure(void **state)
{
	struct check c = { .parse = psi_parse };

	(void)state;
	check_all(
		&c,
		"find tests/roots -size +0 \\( -path '*/proc/pressure/*' -o -name memory.pressure \\) -print0 |"
		"xargs -0 awk -v OFS='\\t' '{ gsub(/[a-z]+[0-9]*=|\\./, \"\"); print FILENAME, $1, $2, $3, $4, $5 }'",
		6, pressure_line);
	assert_true(c.files > 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lru_gen),
		cmocka_unit_test(lru_gen_full),
		cmocka_unit_test(vmstat),
		cmocka_unit_test(meminfo),
		cmocka_unit_test(cgroups),
		cmocka_unit_test(names_are_known),
		cmocka_unit_test(zoneinfo),
		cmocka_unit_test(buddyinfo),
		cmocka_unit_test(pagetypeinfo),
		cmocka_unit_test(pressure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
