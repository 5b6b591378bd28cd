/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scores.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "say.h"

#define LONGEST ((size_t)16 << 20)
#define BLANKS " \t\r"
#define ADVICE "give lines of RUN NUMBER, or a NUMBER for each run"

const struct compare_metric scores_metric = { "score", "", "", BETTER_NEITHER, "measured" };

static int wrong(const char *path, uint32_t line, const char *why)
{
	char text[160];

	snprintf(text, sizeof(text), line ? "line %u %s" : "%.0u%s", line, why);
	return say_error(STATUS_FAILED, path, text, ADVICE);
}

/* ---- a line ---------------------------------------------------------------------------------- */

/* Decimal, perhaps with an exponent: no words, no hexadecimal. */
static bool take_number(const char *text, double *out)
{
	const char *p = text + strspn(text, "+-");
	char *end;

	if (p - text > 1 || *p < '0' || *p > '9' || strspn(p, "0123456789.eE+-") != strlen(p))
		return false;
	*out = strtod(text, &end);
	return !*end && isfinite(*out);
}

static void trim(char *text)
{
	size_t len = strlen(text);

	while (len && strchr(BLANKS, text[len - 1]))
		text[--len] = '\0';
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The run of this name; compare_nruns() where there is none, one more where there are several. */
static uint32_t find_run(const struct compare *c, const char *name)
{
	uint32_t n = compare_nruns(c), found = n;

	for (uint32_t i = 0; i < n; i++)
		if (!strcmp(compare_run_name(c, i), name))
			return i;
	for (uint32_t i = 0; i < n; i++)
		if (!strcmp(last_part(compare_run_name(c, i)), name))
			found = found == n ? i : n + 1;
	return found;
}

struct lines_seen {
	uint32_t line, named, bare;   /* lines with a name and without one */
};

static int take_line(const char *path, char *line, struct lines_seen *at, struct compare *c)
{
	char *last = line;
	uint32_t run = at->bare;
	double value;

	for (char *p = line; *p; p++)
		if (strchr(BLANKS, *p))
			last = p + 1;
	if (!take_number(last, &value))
		return wrong(path, at->line, "ends in no number");
	if (last > line) {
		last[-1] = '\0';
		trim(line);
		run = find_run(c, line);
		at->named++;
		if (run >= compare_nruns(c))
			return wrong(path, at->line, run == compare_nruns(c)
					     ? "names none of the runs"
					     : "names several runs; give their whole paths");
	} else {
		at->bare++;
	}
	if (at->named && at->bare)
		return wrong(path, at->line,
			     "does not go with those before: all with a name or none");
	if (run >= compare_nruns(c))
		return wrong(path, at->line, "is a number more than there are runs");
	compare_score(c, run, &scores_metric, value);
	return STATUS_DONE;
}

/* ---- the whole ------------------------------------------------------------------------------- */

int scores_take(const char *path, char *text, struct compare *c)
{
	struct lines_seen at = { 0 };
	int status = STATUS_DONE;
	char *next;

	for (char *line = text; line && status == STATUS_DONE; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		at.line++;
		line += strspn(line, BLANKS);
		trim(line);
		if (*line && *line != '#')
			status = take_line(path, line, &at, c);
	}
	if (status != STATUS_DONE)
		return status;
	if (!at.named && at.bare < compare_nruns(c))
		return wrong(path, 0, at.bare ? "there are fewer numbers than runs"
					      : "there is no score in it");
	return STATUS_DONE;
}

static int read_whole(int fd, struct buf *out)
{
	ssize_t n;

	do {
		buf_reserve(out, 4096);
		n = read(fd, out->data + out->len, 4096);
		if (n > 0)
			out->len += (size_t)n;
	} while ((n > 0 && out->len < LONGEST) || (n < 0 && errno == EINTR));
	out->data[out->len] = '\0';
	if (n < 0)
		return -errno;
	return n ? -EFBIG : 0;
}

int scores_read(const char *path, struct compare *c)
{
	bool standard = !strcmp(path, "-");
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct buf text = { 0 };
	int err, status;

	if (fd < 0)
		return say_errno(errno, path, ADVICE);
	err = read_whole(fd, &text);
	if (!standard)
		close(fd);
	if (err)
		status = say_errno(-err, path, ADVICE);
	else if (strlen(text.data) != text.len)
		status = wrong(path, 0, "it is no text");
	else
		status = scores_take(path, text.data, c);
	buf_fini(&text);
	return status;
}
