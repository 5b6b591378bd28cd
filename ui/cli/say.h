/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * say.h - what the program says to the outside when something ends: exit statuses and error lines.
 */
#ifndef CLI_SAY_H
#define CLI_SAY_H

enum status {
	STATUS_DONE = 0,
	STATUS_FAILED = 1,
	STATUS_USAGE = 2,
	STATUS_NO_MGLRU = 3,      /* doctor */
	STATUS_NOT_PERMITTED = 4,
	STATUS_UNREADABLE = 5,    /* a recording */
};

/*
 * One line on standard error: "reclaimtop: what: why; advice". advice NULL leaves that part out.
 * What a stranger may have chosen (an argument) is shown with its control characters as \xNN.
 * Returns status.
 */
int say_error(enum status status, const char *what, const char *why, const char *advice);

/* The same for an errno: status 4 for EACCES and EPERM, 1 for others. */
int say_errno(int err, const char *what, const char *advice);

#endif
