/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor.h - between the report of doctor and the table of what each source may lack.
 */
#ifndef CLI_DOCTOR_H
#define CLI_DOCTOR_H

#include "reclaimtop/kernfs.h"
#include "reclaimtop/sample.h"

#define DOCTOR_FOLDER 24

struct doctor {
	struct sample sample;
	struct kernfs *fs;             /* the files that the sample came from, */
	char folder[DOCTOR_FOLDER];    /* in this folder of a series; "" else */
	bool is_tree;
};

/* From good to bad. */
enum health { HEALTH_OK, HEALTH_PART, HEALTH_NONE, HEALTH_OFF, HEALTH_MISSING, HEALTH_REFUSED };

struct verdict {
	enum health health;
	char found[160];       /* what was found */
	const char *remedy;    /* what to do about it, NULL where there is nothing */
};

/* What is to be said of one source. */
void doctor_look(const struct doctor *d, enum reading_id id, struct verdict *v);

/*
 * An exit status, by the worst of what matters (generations, vmstat, zoneinfo): 3 no MGLRU, 4 not
 * permitted, 1 else; without the other sources the program shows less, and that is all.
 */
int doctor_status(const struct verdict verdicts[READ_NR]);

/* 1 a folder with something in it, 0 an empty one, -errno. */
int doctor_folder(const struct doctor *d, const char *path);

/* The same for what is switched on when asked for, and was not: could it be? */
void doctor_events(const struct doctor *d, struct verdict *v);

void doctor_say(struct verdict *v, enum health health, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
