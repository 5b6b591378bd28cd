/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "child.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reclaimtop/clock.h"

/* Ignored signals stay ignored in a new program: give it those that we alone ignore. */
static void fill_defaults(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGPIPE);
	sigaddset(set, SIGXFSZ);
}

int child_start(struct child *c, char *const *argv, const sigset_t *mask)
{
	posix_spawnattr_t attr;
	sigset_t defaults;
	int err;

	fill_defaults(&defaults);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attr, mask);
	posix_spawnattr_setsigdefault(&attr, &defaults);
	*c = (struct child){ .start_us = clock_mono_us() };
	err = posix_spawnp(&c->pid, argv[0], NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	if (err)
		c->pid = 0;
	return -err;
}

bool child_look(struct child *c)
{
	int status;

	if (!c->pid || c->ended || waitpid(c->pid, &status, WNOHANG) != c->pid)
		return c->ended;
	c->ended = true;
	c->end_us = clock_mono_us();
	c->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return true;
}

void child_signal(const struct child *c, int signal)
{
	if (c->pid && !c->ended)
		kill(c->pid, signal);
}

static bool is_plain(const char *word)
{
	return *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "0123456789_-+=./,:@%^")];
}

void child_words(char *const *argv, struct buf *out)
{
	for (char *const *word = argv; *word; word++) {
		if (word != argv)
			buf_str(out, " ");
		buf_printf(out, is_plain(*word) ? "%s" : "'%s'", *word);
	}
}
