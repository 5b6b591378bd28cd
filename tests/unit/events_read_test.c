/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events_read_test.c - what a sample holds of the kernel's events where they are on, and why not where they are not. The
 * histograms are files that a fake kernel has; nothing is switched on.
 */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "collectors/tracing.h"
#include "support_rig.h"

#define HISTS "sys/kernel/tracing/instances/reclaimtop/events/"

/* As if they had been switched on; freed with the source. */
static struct tracing *switch_on(struct rig *rig, int err)
{
	struct tracing *tr = mem_alloc(sizeof(*tr));

	*tr = (struct tracing){ .lock = -1, .guard_fd = -1, .since_us = 77 };
	tr->why = tracing_why(err);
	tr->sizes[BULK_DRAIN] = SIZES_COUNTED;
	tr->sizes[BULK_REFILL] = SIZES_NO_FUNCTION;
	source_events(rig->src, tr);
	return tr;
}

static void set_file(struct rig *rig, const char *event, const char *from)
{
	char path[160];
	char *text = fake_load(from, &(size_t){ 0 });

	snprintf(path, sizeof(path), HISTS "%s/hist", event);
	fake_set(rig->f, path, text);
	free(text);
}

static void set_files(struct rig *rig)
{
	set_file(rig, "kmem/mm_page_pcpu_drain", "tests/events/7.2-drained");
	set_file(rig, "kmem/mm_page_alloc_zone_locked", "tests/events/6.1-refilled");
	set_file(rig, "reclaimtop/drain", "tests/events/7.2-drain");
	set_file(rig, "reclaimtop/refill", "tests/events/6.1-refill");
}

static void is_sorted(const struct bulk *b, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		assert_true(b[i - 1].cpu <= b[i].cpu);
		assert_true(b[i - 1].cpu < b[i].cpu || b[i - 1].order <= b[i].order);
		assert_true(b[i - 1].cpu < b[i].cpu || b[i - 1].order < b[i].order || b[i - 1].size < b[i].size);
	}
}

static void they_are_in_the_sample(void **state)
{
	struct rig *rig = *state;
	const struct events *ev;
	const struct sample *s;

	switch_on(rig, 0)->sizes[BULK_REFILL] = SIZES_COUNTED;
	set_files(rig);
	s = rig_take(rig, SECOND);
	ev = &s->events;
	is_read(s, READ_EVENTS, READING_OK, 0);
	assert_int_equal(s->readings[READ_EVENTS].skipped, 0);
	assert_int_equal(ev->since_us, 77);
	assert_int_equal(ev->dropped, 0);
	/* Numbers of rows: grep -c '^{' */
	assert_int_equal(ev->nblocks[BULK_DRAIN], 18);
	assert_int_equal(ev->nblocks[BULK_REFILL], 14);
	assert_int_equal(ev->nbulks[BULK_DRAIN], 44);
	assert_int_equal(ev->nbulks[BULK_REFILL], 11);
	is_sorted(ev->bulks[BULK_DRAIN], 44);
	is_sorted(ev->bulks[BULK_REFILL], 11);
	/* The last line of drains: { cpu: 1, count: 1 } hitcount: 505; of refills: cpu 1, order 0, count 1, 2811. */
	for (uint32_t i = 0; i < 44; i++)
		if (ev->bulks[BULK_DRAIN][i].cpu == 1 && ev->bulks[BULK_DRAIN][i].size == 1)
			assert_int_equal(ev->bulks[BULK_DRAIN][i].count, 505);
	assert_int_equal(ev->bulks[BULK_REFILL][0].cpu, 0);
	assert_int_equal(ev->bulks[BULK_REFILL][0].order, 0);
	assert_int_equal(ev->bulks[BULK_REFILL][0].size, 1);
	assert_int_equal(ev->bulks[BULK_REFILL][0].count, 1379);
}

static void sizes_that_are_not_counted_are_not_looked_for(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;

	switch_on(rig, 0);
	set_files(rig);
	s = rig_take(rig, SECOND);
	is_read(s, READ_EVENTS, READING_OK, 0);
	assert_int_equal(s->events.nbulks[BULK_REFILL], 0);
	assert_int_equal(s->events.sizes[BULK_REFILL], SIZES_NO_FUNCTION);
	assert_int_equal(fake_reads(rig->f, HISTS "reclaimtop/refill/hist"), 0);
}

/* Half of the counts would look as if the other half stood still. */
static void all_of_it_or_nothing(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;

	switch_on(rig, 0);
	set_files(rig);
	fake_fail(rig->f, HISTS "reclaimtop/drain/hist", EIO);
	s = rig_take(rig, SECOND);
	is_read(s, READ_EVENTS, READING_FAILED, EIO);
	assert_int_equal(s->events.nblocks[BULK_DRAIN], 0);
	assert_int_equal(s->events.since_us, 0);
	assert_true(s->events.dropped == UNKNOWN);
	/* Somebody took the instance away. */
	fake_remove(rig->f, "sys/kernel/tracing/instances");
	s = rig_take(rig, SECOND);
	is_read(s, READ_EVENTS, READING_FAILED, ESTALE);
}

static void what_cannot_be_had_says_why(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;

	switch_on(rig, EPERM);
	s = rig_take(rig, SECOND);
	is_read(s, READ_EVENTS, READING_FAILED, EPERM);
	assert_non_null(strstr(reading_why(READ_EVENTS, EPERM), "lockdown"));
	assert_non_null(tracing_why(EACCES).todo);
	assert_int_equal(tracing_why(0).err, 0);
}

/* A name that the compiler made of it is another function, whose arguments nobody knows. */
static void functions_are_known_by_their_whole_names(void **state)
{
	struct rig *rig = *state;
	struct kernfs *fs = fake_kernfs(rig->f);

	fake_set(rig->f, "proc/kallsyms", "ffffffff8a0e2700 t free_pcppages_bulk\n"
		 "ffffffff8a0e4b90 t rmqueue_bulk.constprop.0\n"
		 "ffffffff8a0e4b95 t rmqueue_bulk.isra.0\t[module]\n"
		 "ffffffff8a0e4b99 t xrmqueue_bulk\n");
	assert_true(tracing_has_function(fs, "free_pcppages_bulk"));
	assert_false(tracing_has_function(fs, "rmqueue_bulk"));
	fake_set(rig->f, "proc/kallsyms", "0000000000000000 t rmqueue_bulk\n");
	assert_true(tracing_has_function(fs, "rmqueue_bulk"));
	kernfs_close(fs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(they_are_in_the_sample, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(sizes_that_are_not_counted_are_not_looked_for, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(all_of_it_or_nothing, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(what_cannot_be_had_says_why, rig_setup, rig_teardown),
		cmocka_unit_test_setup_teardown(functions_are_known_by_their_whole_names, rig_setup, rig_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
