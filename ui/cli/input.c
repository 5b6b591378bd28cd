/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "say.h"

#define SCAN_US INT64_C(1000000)

/* Everything that a tree holds is wanted. */
static const struct interest everything = { .pagetypes = true, .tiers = true, .processes = true,
					    .pagetypes_forced = true };

struct input {
	const char *path;
	struct source *tree;          /* one of these two */
	struct recording *recording;
	uint64_t next, unreadable;    /* samples of the recording */
	uint32_t session;             /* of the last sample */
	struct sample samples[2];
	unsigned int at;              /* the last one is samples[at] */
	bool any;
	struct step step;
};

static int cannot_read(const char *path, int err, const char *why)
{
	const char *advice = "give a recording, or a folder of captured trees";

	if (err == EACCES || err == EPERM)
		return say_error(STATUS_NOT_PERMITTED, path, why,
				 "run it as somebody who may read it");
	if (err == EPROTO || err == ENOTSUP || err == EBADMSG)
		return say_error(STATUS_UNREADABLE, path, why, err == ENOTSUP
				 ? "a later version of reclaimtop reads it" : advice);
	return say_error(STATUS_FAILED, path, why, advice);
}

int input_open(const char *path, struct input **out)
{
	struct input *in = mem_alloc(sizeof(*in));
	const char *why = NULL;
	struct stat st;

	memset(in, 0, sizeof(*in));
	in->path = path;
	errno = 0;
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		in->tree = source_tree(path, false, &why);
	else
		in->recording = recording_open(path, 0, &why);
	if (!in->tree && !in->recording) {
		int err = errno;

		free(in);
		return cannot_read(path, err, why ? why : strerror(err));
	}
	while (in->recording && recording_scan(in->recording, SCAN_US))
		;
	in->samples[0].arena = arena_new();
	in->samples[1].arena = arena_new();
	in->step.arena = arena_new();
	*out = in;
	return STATUS_DONE;
}

void input_close(struct input *in)
{
	if (!in)
		return;
	if (in->tree)
		source_close(in->tree);
	if (in->recording)
		recording_close(in->recording);
	arena_free(in->samples[0].arena);
	arena_free(in->samples[1].arena);
	arena_free(in->step.arena);
	free(in);
}

/* The next sample that can be read: 1, 0, -errno. */
static int next_recorded(struct input *in, struct sample *s, uint32_t *session)
{
	for (; in->next < recording_count(in->recording); in->next++) {
		int err = recording_read(in->recording, in->next, s);

		if (!err) {
			*session = recording_session(in->recording, in->next++);
			return 1;
		}
		if (err != -EILSEQ)
			return err;
		in->unreadable++;
	}
	return 0;
}

static int next_captured(struct input *in, struct sample *s, uint32_t *session)
{
	int rc = in->tree->ops->next(in->tree, &everything, s);

	*session = 0;
	return rc < 0 ? rc : !rc;
}

int input_next(struct input *in, const struct step **st, uint32_t *session)
{
	struct sample *next = &in->samples[!in->at],
		      *before = in->any ? &in->samples[in->at] : NULL;
	int rc = in->tree ? next_captured(in, next, session) : next_recorded(in, next, session);

	if (rc <= 0)
		return rc;
	if (*session != in->session)
		before = NULL;
	step_make(before, next, &in->step);
	in->session = *session;
	in->at = !in->at;
	in->any = true;
	*st = &in->step;
	return 1;
}

uint64_t input_unreadable(const struct input *in)
{
	return in->unreadable;
}

uint32_t input_marks(const struct input *in, const struct mark **marks)
{
	*marks = NULL;
	return in->recording ? recording_marks(in->recording, marks) : 0;
}

void input_facts(const struct input *in, struct recording_facts *out)
{
	memset(out, 0, sizeof(*out));
	out->sessions = 1;
	if (in->recording)
		recording_facts(in->recording, out);
}

int input_failed(const struct input *in, int err)
{
	return say_errno(-err, in->path, "what comes before it can still be read");
}
