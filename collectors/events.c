/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.c - the kernel's events of pagesets, switched on and taken away again: the one file that writes to the
 * kernel, by way of libtracefs.
 *
 * A guard, a process of our own that does nothing but wait for our end, takes away what was written. So it is undone
 * however we end, by a signal, a fault or SIGKILL; and the ways in which the commands end need not know of it.
 */
#include "reclaimtop/events.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <tracefs.h>
#include <unistd.h>

#include "reclaimtop/clock.h"

#include "tracing.h"

#define PROBES "kprobe_events"
#define LOCK_TRIES 40
#define LOCK_PAUSE_US 50000

/* ---- what is written ---- */

/* The "!" takes one away again. Written behind what is there: a truncated file would take away everybody's. */
static int put_trigger(const struct tracing *tr, const struct tracing_hist *h, const char *sign)
{
	char text[160];

	snprintf(text, sizeof(text), "%s%s", sign, h->trigger);
	return tracefs_event_file_append(tr->instance, h->system, h->event, "trigger", text) < 0 ? -errno : 0;
}

static int put_probe(const struct tracing_hist *h)
{
	return tracefs_kprobe_raw(h->system, h->event, h->function, h->fetch) < 0 ? -errno : 0;
}

static bool is_there(const struct tracing_hist *h)
{
	char path[80];

	snprintf(path, sizeof(path), "events/%s/%s", h->system, h->event);
	return tracefs_dir_exists(NULL, path);
}

static void drop_probe(const struct tracing_hist *h)
{
	char text[80];

	if (!is_there(h))
		return;
	snprintf(text, sizeof(text), "-:%s/%s\n", h->system, h->event);
	tracefs_instance_file_append(NULL, PROBES, text);
}

/*
 * The triggers first, so that nothing is counted any more even where the instance must stay, since somebody looks into
 * it. True: nothing of ours is left.
 */
static bool undo(struct tracing *tr)
{
	bool clean = true;

	for (int i = 0; tr->instance && i < TRACING_HISTS; i++)
		put_trigger(tr, &tracing_hists[i], "!");
	if (tr->instance)
		clean = !tracefs_instance_destroy(tr->instance);
	for (int i = 0; i < TRACING_HISTS; i++) {
		if (!tracing_hists[i].function)
			continue;
		drop_probe(&tracing_hists[i]);
		clean &= !is_there(&tracing_hists[i]);
	}
	return clean;
}

/* What one left that was killed together with its guard. */
static bool drop_stale(void)
{
	struct tracing was = { .instance = NULL };
	bool clean;

	if (tracefs_instance_exists(TRACING_NAME))
		was.instance = tracefs_instance_create(TRACING_NAME);
	clean = undo(&was);
	if (was.instance)
		tracefs_instance_free(was.instance);
	return clean;
}

/* ---- the guard ---- */

/*
 * Nothing that others wait for may stay open here: a reader of our output waits for the last who has it. 0 is the pipe,
 * 1 the lock, 2 a place in which no word of a library can end in a file of the kernel's.
 */
static void keep_watch(struct tracing *tr, int end)
{
	sigset_t all;
	char byte;
	ssize_t n;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	setsid();
	prctl(PR_SET_NAME, TRACING_NAME "-undo");
	if (dup2(end, STDIN_FILENO) < 0 || dup2(tr->lock, STDOUT_FILENO) < 0 || dup2(end, STDERR_FILENO) < 0)
		_exit(1);
	close_range(STDERR_FILENO + 1, ~0U, 0);
	do
		n = read(STDIN_FILENO, &byte, 1);
	while (n > 0 || (n < 0 && errno == EINTR));
	_exit(undo(tr) ? 0 : 1);
}

/* Without a guard there is none to wait for: guard_fd stays as it was. */
static int start_guard(struct tracing *tr)
{
	int fds[2], err = 0;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	tr->guard = fork();
	if (!tr->guard) {
		close(fds[1]);
		keep_watch(tr, fds[0]);
	}
	if (tr->guard < 0)
		err = -errno;
	close(fds[0]);
	if (err)
		close(fds[1]);
	else
		tr->guard_fd = fds[1];
	return err;
}

/* Make the guard do its work, and see that it did. False where it could not. */
static bool end_guard(struct tracing *tr)
{
	int status = -1;

	close(tr->guard_fd);
	while (waitpid(tr->guard, &status, 0) < 0 && errno == EINTR)
		;
	return status == 0;
}

/* ---- on ---- */

/* One at a time: the name is one. A guard that is still at its work is waited for. */
static int take_lock(struct tracing *tr)
{
	tr->lock = tracefs_instance_file_open(NULL, "instances", O_RDONLY | O_CLOEXEC);
	if (tr->lock < 0)
		return -errno;
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (!flock(tr->lock, LOCK_EX | LOCK_NB))
			return 0;
		usleep(LOCK_PAUSE_US);
	}
	return -EBUSY;
}

static int put_sizes(struct tracing *tr, const struct tracing_hist *h, struct kernfs *fs)
{
	int err = put_probe(h);

	if (!err)
		err = put_trigger(tr, h, "");
	tr->sizes[h->way] = !err					? SIZES_COUNTED
			    : tracing_has_function(fs, h->function)	? SIZES_REFUSED
									: SIZES_NO_FUNCTION;
	if (err)
		drop_probe(h);
	return 0;
}

/* Nothing is written into the instance's own buffer, so it need not have one. */
static int put_all(struct tracing *tr, struct kernfs *fs)
{
	int err = 0;

	tr->instance = tracefs_instance_create(TRACING_NAME);
	if (!tr->instance)
		return errno ? -errno : -EIO;
	tracefs_instance_file_write(tr->instance, "buffer_size_kb", "1");
	tr->since_us = clock_mono_us();
	for (int i = 0; i < TRACING_HISTS && !err; i++) {
		const struct tracing_hist *h = &tracing_hists[i];

		err = h->function ? put_sizes(tr, h, fs) : put_trigger(tr, h, "");
	}
	return err;
}

static int switch_on(struct tracing *tr, struct kernfs *fs)
{
	int err = take_lock(tr);

	if (!err && !drop_stale())
		err = -EBUSY;
	if (err)
		return err;
	err = put_all(tr, fs);
	if (!err)
		err = start_guard(tr);
	if (err)
		undo(tr);
	return err;
}

static void let_go(struct tracing *tr)
{
	if (tr->instance)
		tracefs_instance_free(tr->instance);
	if (tr->lock >= 0)
		close(tr->lock);
	tr->instance = NULL;
	tr->lock = -1;
}

/* No signal may end us between what is written and the guard. */
struct tracing *events_on(struct kernfs *fs, struct events_why *why)
{
	struct tracing *tr = mem_alloc(sizeof(*tr));
	sigset_t all, before;
	int err;

	*tr = (struct tracing){ .lock = -1, .guard_fd = -1 };
	tr->why = events_look(fs);
	if (!tr->why.err) {
		tracefs_set_loglevel(TEP_LOG_NONE);
		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, &before);
		err = switch_on(tr, fs);
		sigprocmask(SIG_SETMASK, &before, NULL);
		tr->why = tracing_why(-err);
	}
	if (tr->why.err)
		let_go(tr);
	*why = tr->why;
	return tr;
}

void events_off(struct tracing *tr)
{
	if (!tr)
		return;
	if (tr->guard_fd >= 0 && !end_guard(tr))
		undo(tr);
	let_go(tr);
	free(tr);
}
