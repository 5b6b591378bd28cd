/* SPDX-License-Identifier: GPL-2.0-or-later */
/* small_test.c - files of one value or one line, and proc/self/mountinfo. */
#include "support_parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CASE "tests/cases/"

static uint64_t number_in(const char *path)
{
	struct text t = text_load(path);
	uint64_t value = number_parse(t);

	free((char *)t.buf);
	return value;
}

static uint64_t value_of(const char *string, uint64_t (*parse)(struct text))
{
	struct text t = text_of(string);
	uint64_t value = parse(t);

	free((char *)t.buf);
	return value;
}

static void max_and_junk(void **state)
{
	(void)state;
	assert_int_equal(number_in(CASE "cgroup-max-and-junk/cg/a/memory.current"), 4096);
	assert_true(number_in(CASE "cgroup-max-and-junk/cg/a/memory.max") == UNLIMITED);
	assert_true(number_in(CASE "cgroup-max-and-junk/cg/b/memory.current") == UNKNOWN);
	assert_true(number_in(CASE "cgroup-max-and-junk/cg/b/memory.max") == UNLIMITED);
	assert_true(number_in(CASE "cgroup-max-and-junk/cg/c/memory.current") == UNKNOWN);
	assert_int_equal(number_in(CASE "cgroup-max-and-junk/cg/c/memory.max"), 1048576);
}

/* Protected by nothing is 0, not unknown. */
static void low_and_min(void **state)
{
	static const char dir[] =
		CASE "cgroup-long-names/cg/user.slice/user-1000.slice/session-2.scope/";
	char path[200] = "";

	(void)state;
	assert_int_equal(number_in(strcat(strcpy(path, dir), "memory.low")), 0);
	assert_int_equal(number_in(strcat(strcpy(path, dir), "memory.min")), 0);
}

static void numbers(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} tests[] = {
		{ "0", 0 },
		{ "12\n", 12 },
		{ " 12 \n", 12 },
		{ "12\r\n", 12 },
		{ "007", 7 },
		{ "9223372036854771711", 9223372036854771711u },
		{ "9223372036854771712", UNLIMITED },
		{ "9223372036854775807", UNLIMITED },
		{ "18446744073709551615", UNKNOWN },
		{ "18446744073709551616", UNKNOWN },
		{ "99999999999999999999999", UNKNOWN },
		{ "max\n", UNLIMITED },
		{ "maximum", UNKNOWN },
		{ "max 1", UNKNOWN },
		{ "", UNKNOWN },
		{ "\n", UNKNOWN },
		{ "-1", UNKNOWN },
		{ "+1", UNKNOWN },
		{ "0x10", UNKNOWN },
		{ "1 2", UNKNOWN },
		{ "1,000", UNKNOWN },
		{ "1.5", UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if (value_of(tests[i].text, number_parse) != tests[i].value)
			fail_msg("number \"%s\"", tests[i].text);
}

static void mglru_bits(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} tests[] = {
		{ "0x0007\n", 7 },
		{ "0x0000\n", 0 },
		{ "0x000f", 15 },
		{ "0x0000ABCD\n", 0xabcd },
		{ "1\n", 1 },
		{ "0\n", 0 },
		{ "", UNKNOWN },
		{ "0x", UNKNOWN },
		{ "0xg", UNKNOWN },
		{ "y", UNKNOWN },
		{ "0x0007 7", UNKNOWN },
		{ "0x00000000000000001", UNKNOWN },
		{ "7x", UNKNOWN },
	};
	struct text t = text_load(CASE "min-ttl-kills/lru_gen_sysfs/enabled");

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if (value_of(tests[i].text, mglru_parse) != tests[i].value)
			fail_msg("enabled \"%s\"", tests[i].text);
	assert_int_equal(mglru_parse(t), MGLRU_CORE | MGLRU_MM_WALK | MGLRU_NONLEAF_YOUNG);
	free((char *)t.buf);
	assert_int_equal(number_in(CASE "min-ttl-kills/lru_gen_sysfs/min_ttl_ms"), 1000);
}

static void online(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} tests[] = {
		{ "0\n", 1 },
		{ "0-3\n", 4 },
		{ "0-3,8,10-11\n", 7 },
		{ "5", 1 },
		{ "0-8191", 8192 },
		{ "", UNKNOWN },
		{ "\n", UNKNOWN },
		{ "3-0", UNKNOWN },
		{ "0-", UNKNOWN },
		{ "0,", UNKNOWN },
		{ "a", UNKNOWN },
		{ "0-3 5", UNKNOWN },
		{ "0-99999999999999999999", UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if (value_of(tests[i].text, online_parse) != tests[i].value)
			fail_msg("online \"%s\"", tests[i].text);
}

static void uptime(void **state)
{
	static const struct {
		const char *text;
		int64_t us;
	} tests[] = {
		{ "111.11 222.22\n", 111110000 },
		{ "0.00 0.00\n", 0 },
		{ "25.684013\n", 25684013 },
		{ "7 8", 7000000 },
		{ "7", 7000000 },
		{ "1.2345678 1", 1234567 },
		{ "31536000.01 1", 31536000010000 },
		{ "", -1 },
		{ "x", -1 },
		{ "-1.0", -1 },
		{ "1.0x", -1 },
		{ "99999999999999999999.0 1", -1 },
		{ "18446744073709.5 1", -1 },
	};
	struct text t = text_load(CASE "proc-without-vmstat/proc/uptime");

	(void)state;
	assert_int_equal(uptime_parse(t), 111110000);
	free((char *)t.buf);
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		t = text_of(tests[i].text);
		if (uptime_parse(t) != tests[i].us)
			fail_msg("uptime \"%s\"", tests[i].text);
		free((char *)t.buf);
	}
}

typedef const char *string_fn(struct text t, struct arena *a);

static void is_string(string_fn *parse, const char *text, const char *expected)
{
	struct arena *a = arena_new();
	struct text t = text_of(text);
	const char *found = parse(t, a);

	free((char *)t.buf);
	if (!expected != !found || (found && strcmp(found, expected)))
		fail_msg("\"%s\" of \"%s\"", found ? found : "nothing", text);
	arena_free(a);
}

static void own_cgroup(void **state)
{
	struct arena *a = arena_new();
	struct text v1 = text_load(CASE "cgroup-v1-and-hybrid/cgroup.v1");
	struct text hybrid = text_load(CASE "cgroup-v1-and-hybrid/cgroup.hybrid");

	(void)state;
	assert_null(cgroup_path_parse(v1, a));
	assert_string_equal(cgroup_path_parse(hybrid, a), "/init.scope");
	free((char *)v1.buf);
	free((char *)hybrid.buf);
	arena_free(a);
	is_string(cgroup_path_parse, "0::/\n", "/");
	is_string(cgroup_path_parse, "0::/a:b c\n", "/a:b c");
	is_string(cgroup_path_parse, "0::/a\x1b\\\n", "/a\\x1b\\\\");
	is_string(cgroup_path_parse, "10::/a\n", NULL);
	is_string(cgroup_path_parse, "0::", NULL);
	is_string(cgroup_path_parse, "", NULL);
}

static void release(void **state)
{
	(void)state;
	is_string(release_parse,
		  "Linux version 7.2.13+deb14-cloud-amd64 (debian-kernel@lists) #1 SMP\n",
		  "7.2.13+deb14-cloud-amd64");
	is_string(release_parse, "6.1.0-57-cloud-amd64\n", "6.1.0-57-cloud-amd64");
	is_string(release_parse, "Linux\n", NULL);
	is_string(release_parse, "\n", NULL);
	is_string(release_parse, "", NULL);
}

static void lockdown(void **state)
{
	(void)state;
	is_string(lockdown_parse, "none [integrity] confidentiality\n", "integrity");
	is_string(lockdown_parse, "[none] integrity confidentiality\n", "none");
	is_string(lockdown_parse, "none integrity\n", NULL);
	is_string(lockdown_parse, "[]\n", NULL);
	is_string(lockdown_parse, "[none", NULL);
	is_string(lockdown_parse, "", NULL);
}

static void is_mount(const char *text, const char *expected, bool expected_memory)
{
	struct arena *a = arena_new();
	struct text t = text_of(text);
	bool memory;
	const char *found = cgroup_mount_parse(t, a, &memory);

	free((char *)t.buf);
	if (!expected != !found || (found && strcmp(found, expected)) ||
	    (found && memory != expected_memory))
		fail_msg("\"%s\", memory %d of\n%s", found ? found : "nothing", memory, text);
	arena_free(a);
}

static void mounts(void **state)
{
	static const char v2[] =
		"35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 master:1 - cgroup2 cgroup2 rw,nsdelegate\n";
	static const char hybrid[] =
		"33 24 0:28 / /sys/fs/cgroup ro - tmpfs tmpfs ro\n"
		"34 33 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
		"40 33 0:35 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";

	(void)state;
	is_mount(v2, "sys/fs/cgroup", true);
	is_mount(hybrid, "sys/fs/cgroup/unified", false);
	is_mount("40 33 0:35 / /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
		 "35 24 0:30 /part /mnt/part rw - cgroup2 none rw\n"
		 "36 24 0:30 / /mnt/a\\040b rw - cgroup2 none rw\n"
		 "37 24 0:30 / /elsewhere rw - cgroup2 none rw\n", "mnt/a b", true);
	is_mount("35 24 0:30 /../.. /sys/fs/cgroup rw - cgroup2 none rw", "sys/fs/cgroup", true);
	is_mount("40 33 0:35 / /cg/cpu rw - cgroup cgroup rw,memory_recursiveprot\n"
		 "36 24 0:30 / /cg rw - cgroup2 none rw,memory_recursiveprot\n", "cg", true);
	is_mount("25 1 8:1 / / rw - ext4 /dev/sda1 rw\n", NULL, true);
	is_mount("35 24 0:30 / /sys/fs/cgroup rw shared:9\nx\n\n", NULL, true);
	is_mount("", NULL, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(max_and_junk),
		cmocka_unit_test(low_and_min),
		cmocka_unit_test(numbers),
		cmocka_unit_test(mglru_bits),
		cmocka_unit_test(online),
		cmocka_unit_test(uptime),
		cmocka_unit_test(own_cgroup),
		cmocka_unit_test(release),
		cmocka_unit_test(lockdown),
		cmocka_unit_test(mounts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
