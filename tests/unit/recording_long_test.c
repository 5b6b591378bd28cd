/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recorder that is always on takes no more memory with time, and what it wrote is read in no more.
 * https://github.com/facebookincubator/below/issues/8249
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "support_recording.h"

/* Sanitizers keep what was freed. */
#ifdef __SANITIZE_ADDRESS__
#define SAMPLES 3000
#define GROWTH_KIB (1 << 20)
#else
#define SAMPLES 30000
#define GROWTH_KIB 1024
#endif
#define WARM 2000

static long most_kib(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_maxrss;
}

static void write_long(const char *path)
{
	struct recorder *r = open_recorder(path, NULL);
	struct small m;
	long before = 0;

	small_init(&m);
	for (int i = 0; i < SAMPLES; i++) {
		put(r, &m.s);
		small_next(&m);
		if (i == WARM)
			before = most_kib();
	}
	assert_true(most_kib() - before < GROWTH_KIB);
	close_recorder(r);
	small_fini(&m);
}

/* Its index is one entry for a group of samples. */
static void read_long(const char *path)
{
	struct sample s = { .arena = arena_new() };
	struct recording *r = open_recording(path);
	long before;

	assert_int_equal(recording_count(r), SAMPLES);
	assert_int_equal(recording_read(r, 0, &s), 0);
	before = most_kib();
	for (uint64_t i = 0; i < SAMPLES; i += 97)
		assert_int_equal(recording_read(r, (i * 7919) % SAMPLES, &s), 0);
	assert_true(most_kib() - before < GROWTH_KIB);
	recording_close(r);
	arena_free(s.arena);
}

static void plain(void **state)
{
	const char *path = own_path("long.jsonl");

	(void)state;
	write_long(path);
	read_long(path);
	unlink(path);
}

static void compressed(void **state)
{
	const char *path = own_path("long.zst");

	(void)state;
	write_long(path);
	read_long(path);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain),
		cmocka_unit_test(compressed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
