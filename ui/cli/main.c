/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "config.h"
#include "options.h"
#include "output.h"
#include "say.h"
#include "show.h"

#include "version.h"

static const struct command commands[] = {
	{ "", "live; in batch where the output is no terminal", live_command, NULL, 0, 0, NULL, false },
	{ "demo", "plays a real kernel under pressure: works anywhere", demo_command, NULL, 0, 0,
	  NULL, false },
	{ "record", "samples into a file; with a command, as long as it runs", record_command,
	  "-o FILE [-- CMD …]", 0, 0, "a command to run comes behind --", true },
	{ "replay", "the same views over a recording", replay_command, "FILE", 1, 1,
	  "reclaimtop replay FILE", false },
	{ "mark", "a marker into a recording, also while it is being written", mark_command,
	  "FILE TEXT", 2, 2, "reclaimtop mark FILE TEXT", false },
	{ "report", "a recording in words and numbers", report_command, "FILE", 1, 1,
	  "give a recording, or a folder of captured trees", false },
	{ "compare", "runs side against side: means, spreads, changes, chance", compare_command,
	  "A[,A…] B[,B…]", 1, 26, "give sides, each of recordings with commas between", false },
	{ "export", "samples as CSV or, with --json, each of them whole", export_command, "FILE", 0, 1,
	  "give a recording, or a folder of captured trees", false },
	{ "doctor", "what this kernel offers, what is missing, what to do", doctor_command, NULL, 0, 0,
	  NULL, false },
	{ NULL, NULL, NULL, NULL, 0, 0, NULL, false },
};

static int print(enum parsed what)
{
	struct buf text = { 0 };
	int err;

	if (what == PARSED_HELP)
		options_help(commands, &text);
	else
		buf_str(&text, "reclaimtop " RECLAIMTOP_VERSION "\n");
	err = output_flush(&text);
	buf_fini(&text);
	return output_status(err);
}

/*
 * No file that is opened later may become standard input, output or error: where one of them is
 * closed, something takes its place that can neither be read nor written. False: there is no
 * standard output.
 */
static bool fill_standard_files(void)
{
	bool has_output = true;

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		has_output &= fd != STDOUT_FILENO;
		if (epoll_create1(EPOLL_CLOEXEC) != fd)
			return false;
	}
	return has_output;
}

/* Settings are for the screen: what goes into a pipe or a file is the same for everybody. */
static int run(struct options *o)
{
	bool screen = o->command->run == live_command || o->command->run == demo_command || o->command->run == replay_command;
	struct config config;
	int status;

	if (!screen || !show_on_screen(o))
		return o->command->run(o);
	config_open(&config, o);
	status = o->command->run(o);
	config_close(&config);
	return status;
}

int main(int argc, char **argv)
{
	struct options o;
	enum parsed parsed;

	if (!fill_standard_files())
		return say_error(STATUS_FAILED, "standard output", "it is closed",
				 "nothing could be shown");
	/* Numbers keep their point in every locale; only characters are the user's. */
	setlocale(LC_CTYPE, "");
	/* A closed pipe is seen where it is written to. */
	signal(SIGPIPE, SIG_IGN);
	parsed = options_parse(argc, argv, commands, &o);
	if (parsed == PARSED_WRONG)
		return STATUS_USAGE;
	if (parsed != PARSED_RUN)
		return print(parsed);
	return run(&o);
}
