/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/recording.h"

#include <errno.h>
#include <stdlib.h>

/* The index grows by as much as this at a time when nothing else is left to do. */
#define SCAN_US 20000

struct player {
	struct recording *r;
	uint64_t next;
	bool restart;        /* the next sample does not follow the one that was given last */
};

static bool is_there(struct player *p)
{
	while (p->next >= recording_count(p->r))
		if (!recording_scan(p->r, SCAN_US) && p->next >= recording_count(p->r))
			return false;
	return true;
}

static int player_next(struct source *src, const struct interest *interest, struct sample *out)
{
	struct player *p = src->ctx;

	(void)interest;
	while (is_there(p)) {
		int err = recording_read(p->r, p->next++, out);

		if (err == -EILSEQ)
			continue;
		if (!err) {
			out->restart |= p->restart;
			p->restart = false;
		}
		return err;
	}
	return 1;
}

static int player_seek(struct source *src, int64_t t_us)
{
	struct player *p = src->ctx;
	uint64_t last = p->next ? p->next - 1 : 0;
	uint32_t session = recording_session(p->r, last);

	while (recording_scan(p->r, SCAN_US))
		;
	p->next = recording_find(p->r, session, t_us);
	if (p->next < recording_count(p->r) && recording_time(p->r, p->next) < t_us)
		p->next++;
	p->restart = true;
	return 0;
}

static void player_close(struct source *src)
{
	free(src->ctx);
	free(src);
}

static const struct source_ops player_ops = { player_next, player_seek, player_close };

struct source *source_recording(struct recording *r)
{
	struct source *src = mem_alloc(sizeof(*src));
	struct player *p = mem_alloc(sizeof(*p));

	*p = (struct player){ .r = r };
	*src = (struct source){ &player_ops, SOURCE_SEEK, "recording", p };
	return src;
}
