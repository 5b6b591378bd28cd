/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_record.c - samples into a file until there is a reason to stop: as many as asked for, the time, a signal, the end of a
 * command or of a series. Whatever the reason, the last sample is whole in the file.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "reclaimtop/clock.h"
#include "reclaimtop/recording.h"

#include "child.h"
#include "progress.h"
#include "sampler.h"
#include "running.h"
#include "say.h"
#include "show.h"

/* A sample that takes longer than this is not waited for at the end. */
#define LAST_MS 2000

struct recording_run {
	const struct options *o;
	struct recorder *recorder;
	struct sampler *sampler;
	struct child child;
	struct progress progress;
	int signals;          /* a signalfd */
	sigset_t mask;        /* as it was before */
	int64_t start_us;
	int error;            /* -errno that ends it */
	int64_t last_us;      /* of the last sample */
	bool stopping;        /* a signal came; a command is still waited for */
	bool leaving;         /* not any more */
	int told;             /* the trouble that was said, until it is over */
};

static const char *output_name(const struct recording_run *run)
{
	return strcmp(run->o->output, "-") ? run->o->output : "standard output";
}

/* ---- signals ---- */

/* A signal that was ignored before us (nohup, a job in the background) stays so. */
static void want_signal(sigset_t *set, int signal)
{
	struct sigaction old;

	if (!sigaction(signal, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaddset(set, signal);
}

static void signal_set(sigset_t *set)
{
	sigemptyset(set);
	want_signal(set, SIGINT);
	want_signal(set, SIGTERM);
	want_signal(set, SIGHUP);
	sigaddset(set, SIGCHLD);
}

/* The terminal sends its signals to the command too; others are handed on. */
static void take_signal(struct recording_run *run, const struct signalfd_siginfo *si)
{
	if (si->ssi_signo == SIGCHLD)
		return;
	run->leaving = run->stopping || !run->child.pid;
	run->stopping = true;
	if (si->ssi_code != SI_KERNEL)
		child_signal(&run->child, (int)si->ssi_signo);
}

static void take_signals(struct recording_run *run)
{
	struct signalfd_siginfo si;

	while (read(run->signals, &si, sizeof(si)) == sizeof(si))
		take_signal(run, &si);
}

/* ---- samples ---- */

/* Trouble is said once, and that it is over. */
static void tell(struct recording_run *run, int err)
{
	char text[80];

	if (err == run->told || run->error)
		return;
	if (err)
		say_errno(-err, output_name(run), "samples are lost until it can be written again");
	else
		snprintf(text, sizeof(text), "it is written again; %llu samples were lost",
			 (unsigned long long)recorder_lost(run->recorder));
	if (!err)
		say_error(STATUS_DONE, output_name(run), text, NULL);
	run->told = err;
}

static bool is_over(int err)
{
	return err == -EPIPE || err == -ECANCELED;
}

static void start_child(struct recording_run *run)
{
	struct buf words = { 0 };
	int err;

	if (!run->o->run || run->child.pid)
		return;
	err = child_start(&run->child, run->o->run, &run->mask);
	if (err) {
		run->error = err;
		say_errno(-err, run->o->run[0], "nothing was recorded of it");
		return;
	}
	child_words(run->o->run, &words);
	recorder_mark(run->recorder, MARK_START, run->child.start_us, words.data);
	buf_fini(&words);
}

static void put(struct recording_run *run, const struct sample *s)
{
	int err = recorder_put(run->recorder, s);

	if (is_over(err)) {
		run->error = err;
		return;
	}
	tell(run, err);
	run->last_us = s->mono_us;
	progress_sample(&run->progress, run->recorder);
	start_child(run);
}

/* What waits. False: no more will come. */
static bool drain(struct recording_run *run)
{
	struct sampler_news news;
	struct sample *s;

	while (!run->error && (s = sampler_take(run->sampler, &news))) {
		put(run, s);
		sampler_give(run->sampler, s);
	}
	if (run->error)
		return false;
	if (news.error)
		run->error = -news.error;
	if (news.error)
		say_errno(news.error, "a sample", "the recording ends here");
	return !news.ended;
}

/* ---- the end of the command ---- */

static void mark_end(struct recording_run *run)
{
	const struct child *c = &run->child;
	int64_t took = c->end_us - c->start_us;
	struct mark m = { .mono_us = c->end_us, .kind = MARK_END, .duration_us = took, .status = c->status };
	char text[80];

	snprintf(text, sizeof(text), "exit status %d after %lld.%06d s", c->status,
		 (long long)(took / 1000000), (int)(took % 1000000));
	m.text = text;
	recorder_note(run->recorder, &m);
}

/* A last sample when the command has ended, so that all of its time is between two. */
static void sample_last(struct recording_run *run)
{
	struct pollfd ready = { .fd = sampler_fd(run->sampler), .events = POLLIN };

	sampler_now(run->sampler);
	while (run->last_us < run->child.end_us && poll(&ready, 1, LAST_MS) > 0)
		if (!drain(run))
			return;
}

/* It goes on where samples do not: there were enough of them, or it was time. */
static void finish_child(struct recording_run *run, bool sampling)
{
	struct pollfd signals = { .fd = run->signals, .events = POLLIN };

	while (run->child.pid && !child_look(&run->child) && !run->leaving) {
		sampling = false;
		if (poll(&signals, 1, -1) > 0)
			take_signals(run);
	}
	if (!run->child.ended || run->error)
		return;
	mark_end(run);
	if (sampling)
		sample_last(run);
}

/* ---- the loop ---- */

static int timeout_ms(const struct recording_run *run)
{
	int64_t left = run->start_us + run->o->for_us - clock_mono_us();

	if (!run->o->for_us)
		return -1;
	if (left <= 0)
		return 0;
	return left > 3600000000 ? 3600000 : (int)((left + 999) / 1000);
}

static bool is_time(const struct recording_run *run)
{
	return run->o->for_us && clock_mono_us() - run->start_us >= run->o->for_us;
}

/* True while samples come. */
static bool wait_and_take(struct recording_run *run)
{
	struct pollfd fds[2] = {
		{ .fd = sampler_fd(run->sampler), .events = POLLIN },
		{ .fd = run->signals, .events = POLLIN },
	};

	if (poll(fds, 2, timeout_ms(run)) < 0 && errno != EINTR)
		run->error = -errno;
	if (fds[1].revents)
		take_signals(run);
	return drain(run);
}

static void loop(struct recording_run *run)
{
	bool sampling = true;

	while (sampling && !run->error && !is_time(run)) {
		sampling = wait_and_take(run);
		if (run->leaving || child_look(&run->child))
			break;
	}
	finish_child(run, sampling);
}

/* ---- the whole ---- */

static struct interest all_of_it(const struct options *o)
{
	return (struct interest){ .processes = true, .pagetypes = o->pagetypes,
				  .pagetypes_forced = o->pagetypes };
}

static struct source *open_source(const struct options *o)
{
	const char *why = NULL;
	struct source *src;

	if (!o->root)
		return running_source(o);
	errno = 0;
	src = source_tree(o->root, false, &why);
	if (!src)
		say_error(errno == EACCES ? STATUS_NOT_PERMITTED : STATUS_FAILED, o->root,
			  why ? why : "cannot be read", "give a folder with proc in it, or one with 00, 01, …");
	return src;
}

static int say_refused(const struct recording_run *run, const char *why)
{
	int err = errno;
	enum status status = err == EACCES || err == EPERM || err == ELOOP ? STATUS_NOT_PERMITTED
									   : STATUS_FAILED;
	const char *advice = err == EEXIST ? "--append adds to it, --force replaces it"
			     : err == EBUSY ? "stop that one, or give another file"
			     : err == EPROTO ? "--force replaces it" : "give another file";

	return say_error(status, output_name(run), why, advice);
}

static int open_recorder(struct recording_run *run)
{
	const struct options *o = run->o;
	struct recorder_options ro = {
		.append = o->append, .overwrite = o->force, .anonymize = o->anonymize,
		.rotate_bytes = o->rotate_bytes, .rotate_us = o->rotate_us, .keep = (unsigned int)o->keep,
		.stop_fd = run->signals,
	};
	const char *why = "cannot be written";

	run->recorder = recorder_open(o->output, &ro, &why);
	return run->recorder ? STATUS_DONE : say_refused(run, why);
}

/* A recorder is wanted where memory has run out: what was touched once stays. */
static void stay_in_memory(const struct options *o)
{
	if (!o->root && geteuid() == 0)
		mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT);
}

static int record(struct recording_run *run, struct source *src)
{
	const struct options *o = run->o;
	struct sampler_options so = { o->delay_us, o->no_pauses, o->count, all_of_it(o) };

	stay_in_memory(o);
	run->sampler = sampler_start(src, &so);
	if (!run->sampler) {
		run->error = -errno;
		return say_errno(-run->error, "a thread", NULL);
	}
	run->start_us = clock_mono_us();
	progress_begin(&run->progress, output_name(run), run->start_us);
	loop(run);
	sampler_stop(run->sampler);
	progress_end(&run->progress, run->recorder);
	return STATUS_DONE;
}

/* What the recording itself came to; the command's own status where that was well. */
static int close_recorder(struct recording_run *run)
{
	uint64_t lost = recorder_lost(run->recorder);
	char text[80];
	int err = recorder_close(run->recorder);

	if (run->error == -EPIPE)
		return say_error(STATUS_FAILED, output_name(run), "nobody reads it any more", NULL);
	if (err && !run->told && !run->error)
		return say_errno(-err, output_name(run), "its end may be missing");
	if (lost) {
		snprintf(text, sizeof(text), "%llu samples were lost", (unsigned long long)lost);
		return say_error(STATUS_FAILED, output_name(run), text, NULL);
	}
	if (err || run->error)
		return STATUS_FAILED;
	return run->child.ended ? run->child.status : STATUS_DONE;
}

int record_command(const struct options *o)
{
	struct recording_run run = { .o = o };
	struct source *src;
	sigset_t signals;
	int status;

	if (!o->output)
		return say_error(STATUS_USAGE, "record", "it wants a file", "reclaimtop record -o FILE");
	if (o->run && !strcmp(o->output, "-"))
		return say_error(STATUS_USAGE, o->run[0], "its output and the recording would mix", "give a file");
	src = open_source(o);
	if (!src)
		return STATUS_FAILED;
	/* A file may have a limit: then it is an error like a full disk. */
	signal(SIGXFSZ, SIG_IGN);
	signal_set(&signals);
	run.signals = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	status = open_recorder(&run);
	if (status) {
		source_close(src);
		return status;
	}
	sigprocmask(SIG_BLOCK, &signals, &run.mask);
	status = record(&run, src);
	if (status)
		recorder_close(run.recorder);
	else
		status = close_recorder(&run);
	close(run.signals);
	return status;
}
