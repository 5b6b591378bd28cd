/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_golden.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void read_all(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "r");
	char part[4096];
	size_t n;

	buf_str(out, "");
	while (f && (n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(out, part, n);
	if (f)
		fclose(f);
}

static void write_all(const char *path, const struct buf *text)
{
	FILE *f = fopen(path, "w");

	if (!f)
		fail_msg("%s: %s", path, strerror(errno));
	fwrite(text->data, 1, text->len, f);
	assert_int_equal(fclose(f), 0);
}

/* The first line that differs, from both. */
static void show_difference(const char *path, const char *was, const char *is)
{
	size_t a = 0, b = 0;
	int line = 1;

	for (;; line++) {
		size_t na = strcspn(was + a, "\n"), nb = strcspn(is + b, "\n");

		if (na != nb || strncmp(was + a, is + b, na)) {
			print_error("%s:%d\n  was: %.*s\n  is:  %.*s\n", path, line, (int)na,
				    was + a, (int)nb, is + b);
			return;
		}
		if (!was[a + na] || !is[b + nb])
			return;
		a += na + 1;
		b += nb + 1;
	}
}

bool golden_is(const char *name, const struct buf *text)
{
	struct buf was = { 0 };
	char path[128];
	bool same;

	snprintf(path, sizeof(path), "tests/screens/%s.txt", name);
	read_all(path, &was);
	same = !strcmp(text->data, was.data);
	if (!same && getenv("UPDATE_GOLDEN")) {
		write_all(path, text);
		print_message("wrote %s\n", path);
		same = true;
	} else if (!same) {
		show_difference(path, was.data, text->data);
	}
	buf_fini(&was);
	return same;
}
