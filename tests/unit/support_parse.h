/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * support_parse.h - a file, and the sample that a parser makes of it. Paths are below the tree's
 * root.
 */
#ifndef RECLAIMTOP_SUPPORT_PARSE_H
#define RECLAIMTOP_SUPPORT_PARSE_H

#include "collectors/parse.h"

typedef int parse_fn(struct text t, struct sample *s, struct reading *r);

struct parsed {
	struct sample s;
	struct reading r;
	int result;
};

/*
 * Freed by free(). The text ends where its block of memory does, so that a sanitizer sees who
 * reads on.
 */
struct text text_load(const char *path);
struct text text_of(const char *string);

/* An empty sample, and what the parser makes of a text or of a file. Freed by parsed_free(). */
struct parsed parsed_text(struct text t, parse_fn *parse);
struct parsed parsed_string(const char *string, parse_fn *parse);
struct parsed parsed_file(const char *path, parse_fn *parse);
void parsed_free(struct parsed *p);

/* NULL where there is none. */
const struct lruvec *parsed_lruvec(const struct sample *s, const char *path, uint32_t node);
const struct gen *parsed_gen(const struct lruvec *v, uint64_t seq);
const struct zone *parsed_zone(const struct sample *s, uint32_t node, const char *name);
const struct node *parsed_node(const struct sample *s, uint32_t id);

/* The lines that a shell command prints, one by one, cut at tabs into at most max fields. */
typedef void line_fn(char **fields, int n, void *arg);
void each_line(const char *command, int max, line_fn *fn, void *arg);

#endif
