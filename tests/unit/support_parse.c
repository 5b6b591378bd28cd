/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn static void give_up(const char *what)
{
	perror(what);
	abort();
}

static struct text text_copy(const char *bytes, size_t len)
{
	char *copy = malloc(len);

	if (!copy && len)
		give_up("malloc");
	if (len)
		memcpy(copy, bytes, len);
	return (struct text){ copy, len };
}

struct text text_load(const char *path)
{
	static char buf[1 << 21];
	FILE *f = fopen(path, "r");
	size_t len;

	if (!f)
		give_up(path);
	len = fread(buf, 1, sizeof(buf), f);
	if (ferror(f) || len == sizeof(buf))
		give_up(path);
	fclose(f);
	return text_copy(buf, len);
}

struct text text_of(const char *string)
{
	return text_copy(string, strlen(string));
}

struct parsed parsed_text(struct text t, parse_fn *parse)
{
	struct parsed p = { .s = { .arena = arena_new() } };

	sample_reset(&p.s);
	p.result = parse(t, &p.s, &p.r);
	return p;
}

struct parsed parsed_string(const char *string, parse_fn *parse)
{
	struct text t = text_of(string);
	struct parsed p = parsed_text(t, parse);

	free((char *)t.buf);
	return p;
}

struct parsed parsed_file(const char *path, parse_fn *parse)
{
	struct text t = text_load(path);
	struct parsed p = parsed_text(t, parse);

	free((char *)t.buf);
	return p;
}

void parsed_free(struct parsed *p)
{
	arena_free(p->s.arena);
}

const struct lruvec *parsed_lruvec(const struct sample *s, const char *path, uint32_t node)
{
	for (uint32_t i = 0; i < s->nlruvecs; i++)
		if (s->lruvecs[i].node == node && !strcmp(s->lruvecs[i].path, path))
			return &s->lruvecs[i];
	return NULL;
}

const struct gen *parsed_gen(const struct lruvec *v, uint64_t seq)
{
	for (uint32_t i = 0; v && i < v->ngens; i++)
		if (v->gens[i].seq == seq)
			return &v->gens[i];
	return NULL;
}

const struct zone *parsed_zone(const struct sample *s, uint32_t node, const char *name)
{
	for (uint32_t i = 0; i < s->nzones; i++)
		if (s->zones[i].node == node && !strcmp(s->zones[i].name, name))
			return &s->zones[i];
	return NULL;
}

const struct node *parsed_node(const struct sample *s, uint32_t id)
{
	for (uint32_t i = 0; i < s->nnodes; i++)
		if (s->nodes[i].id == id)
			return &s->nodes[i];
	return NULL;
}

static int split(char *line, char **fields, int max)
{
	int n = 0;

	fields[n++] = line;
	while (n < max && (line = strchr(line, '\t'))) {
		*line++ = '\0';
		fields[n++] = line;
	}
	return n;
}

void each_line(const char *command, int max, line_fn *fn, void *arg)
{
	char *fields[32], *line = NULL;
	size_t size = 0;
	FILE *f = popen(command, "r");
	ssize_t len;

	if (!f || max > (int)(sizeof(fields) / sizeof(fields[0])))
		give_up(command);
	while ((len = getline(&line, &size, f)) > 0) {
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		fn(fields, split(line, fields, max), arg);
	}
	free(line);
	if (pclose(f))
		give_up(command);
}
