/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mountinfo.c - proc/self/mountinfo: where the cgroup v2 hierarchy is. */
#include "scan.h"

#include <string.h>

struct mount {
	struct text root, point, type, options;
};

/* "36 35 98:0 /root /point options [tags] - type source options-of-the-file-system" */
static bool scan_mount(struct scan line, struct mount *m)
{
	struct text word;

	for (int i = 0; i < 3; i++)
		if (!scan_word(&line, &word))
			return false;
	if (!scan_word(&line, &m->root) || !scan_word(&line, &m->point))
		return false;
	do
		if (!scan_word(&line, &word))
			return false;
	while (!text_is(word, "-"));
	return scan_word(&line, &m->type) && scan_word(&line, &word) &&
	       scan_word(&line, &m->options);
}

static bool has_option(struct text options, const char *option)
{
	struct scan s = scan_text(options);
	struct text part;

	while (scan_until(&s, ',', &part))
		if (text_is(part, option))
			return true;
	part = (struct text){ s.at, (size_t)(s.end - s.at) };
	return text_is(part, option);
}

const char *cgroup_mount_parse(struct text t, struct arena *a, bool *memory)
{
	struct scan text = scan_text(t), line;
	struct mount m, best = { .root = { NULL, 0 } };
	char *path;
	size_t len;

	*memory = true;
	while (scan_line(&text, &line, NULL)) {
		if (!scan_mount(line, &m))
			continue;
		if (text_is(m.type, "cgroup") && has_option(m.options, "memory"))
			*memory = false;
		/* A part of the hierarchy mounted elsewhere is second choice. */
		if (text_is(m.type, "cgroup2") &&
		    (!best.root.len || (!text_is(best.root, "/") && text_is(m.root, "/"))))
			best = m;
	}
	if (!best.root.len || !best.point.len)
		return NULL;
	path = text_unmangle(best.point, a, &len);
	return path + strspn(path, "/");
}
