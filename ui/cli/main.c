/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <locale.h>
#include <signal.h>
#include <stdio.h>

#include "options.h"
#include "output.h"
#include "say.h"
#include "show.h"

#include "version.h"

static const struct command commands[] = {
	{ "", "live; a batch report where standard output is no terminal", live_command },
	{ "demo", "plays a real kernel under pressure that is built in: works anywhere", demo_command },
	{ "doctor", "what this kernel offers, what is missing, and what to do about it", doctor_command },
	{ NULL, NULL, NULL },
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

int main(int argc, char **argv)
{
	struct options o;
	enum parsed parsed;

	/* Numbers keep their point in every locale; only characters are the user's. */
	setlocale(LC_CTYPE, "");
	/* A closed pipe is seen where it is written to. */
	signal(SIGPIPE, SIG_IGN);
	parsed = options_parse(argc, argv, commands, &o);
	if (parsed == PARSED_WRONG)
		return STATUS_USAGE;
	if (parsed != PARSED_RUN)
		return print(parsed);
	return o.command->run(&o);
}
