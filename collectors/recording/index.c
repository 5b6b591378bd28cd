/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "index.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reclaimtop/clock.h"

#include "limits.h"

/*
 * An entry stands for at least so many bytes of a plain file, and for a 2^18th of any: a small table for any file. Otherwise
 * each frame has one, so that a damaged one does not put others out of count.
 */
#define APART ((uint64_t)64 << 10)
#define ENTRIES_LOG 18
#define FRAMES_ALONE 65536

/* Samples of one frame that an entry stands for at least. */
#define SAMPLES_APART 60

/* No file of ours comes near; what a stranger made goes no farther. */
#define CHUNKS_MOST (1u << 20)
#define SESSIONS_MOST 65536

/* More marks than anybody sets; those beyond are not listed. */
#define MARKS_MOST 65536

/* The clock is looked at once in so many lines. */
#define LINES_BETWEEN 16

/* ---- tables ---- */

static void *grow(void *table, uint32_t n, uint32_t *cap, size_t size)
{
	if (n < *cap)
		return table;
	if (*cap > UINT32_MAX / 2)
		oom_exit(SIZE_MAX);
	*cap = *cap ? 2 * *cap : 64;
	return mem_grow(table, *cap * size);
}

static void add_session(struct index *ix, uint64_t boot)
{
	ix->sessions = grow(ix->sessions, ix->nsessions, &ix->sessions_cap, sizeof(*ix->sessions));
	ix->sessions[ix->nsessions++] = (struct session_entry){ ix->count, ix->nchunks, boot };
	ix->new_session = false;
}

/* A whole sample, as a line or as a trailer has it. */
struct whole {
	uint64_t offset, skip;
	uint64_t n;
	int64_t mono_us;
	uint64_t boot;
};

static uint64_t apart(const struct index *ix)
{
	uint64_t share = ix->size >> ENTRIES_LOG;

	if (ix->zst && ix->nchunks < FRAMES_ALONE)
		return 0;
	return share > APART ? share : APART;
}

static bool begins_session(const struct index *ix, const struct whole *w)
{
	const struct session_entry *now = ix->nsessions ? &ix->sessions[ix->nsessions - 1] : NULL;

	return !now || ix->new_session || w->boot != now->boot || w->mono_us < ix->last_us ||
	       w->n <= ix->last_n;
}

/* Close to the one before, which then stands for both. */
static bool is_close(const struct index *ix, const struct whole *w)
{
	const struct chunk *before = &ix->chunks[ix->nchunks - 1];
	uint64_t samples = ix->count - before->first;

	if (before->offset == w->offset)
		return samples < SAMPLES_APART;
	return w->offset - before->offset < apart(ix) && samples < CHUNK_MAX / 2;
}

static void add_whole(struct index *ix, const struct whole *w)
{
	bool begins = begins_session(ix, w);

	ix->headless |= !ix->nsessions && !ix->new_session;
	if (begins)
		add_session(ix, w->boot);
	ix->last_n = w->n;
	ix->last_us = ix->latest_us = w->mono_us;
	if (!begins && is_close(ix, w))
		return;
	ix->chunks = grow(ix->chunks, ix->nchunks, &ix->chunks_cap, sizeof(*ix->chunks));
	ix->chunks[ix->nchunks++] = (struct chunk){
		.offset = w->offset, .skip = w->skip, .first = ix->count, .mono_us = w->mono_us,
		.session = ix->nsessions - 1,
	};
}

static uint64_t boot_of(const struct line_head *head)
{
	return head->boot ? zst_hash(head->boot, head->boot_len) : 0;
}

/* ---- marks ---- */

/* The last session of a boot that had begun by a time of its clock; nsessions where there is none. */
static uint32_t session_of(const struct index *ix, uint64_t boot, int64_t mono_us)
{
	for (uint32_t i = ix->nsessions; i-- > 0;)
		if (ix->sessions[i].boot == boot &&
		    ix->chunks[ix->sessions[i].chunk].mono_us <= mono_us)
			return i;
	return ix->nsessions;
}

/*
 * A mark may be set long after its session, and behind others. A clock of a boot that is not here says nothing: then it is
 * where it stands in the file.
 */
static void place_mark(const struct index *ix, struct mark *m)
{
	uint64_t boot = m->boot_id ? zst_hash(m->boot_id, strlen(m->boot_id)) : 0;
	uint32_t session = m->boot_id ? session_of(ix, boot, m->mono_us) : ix->nsessions;

	if (m->boot_id && session == ix->nsessions)
		m->mono_us = ix->latest_us;
	if (session == ix->nsessions)
		session = ix->nsessions - (ix->nsessions && !ix->new_session);
	m->session = session;
	m->boot_id = NULL;
}

static void add_mark(struct index *ix)
{
	struct mark m;

	if (ix->nmarks == MARKS_MOST)
		return;
	if (codec_read_mark(ix->codec, ix->order.line, ix->order.len, ix->texts, &m)) {
		ix->damaged++;
		return;
	}
	place_mark(ix, &m);
	ix->marks = grow(ix->marks, ix->nmarks, &ix->marks_cap, sizeof(*ix->marks));
	ix->marks[ix->nmarks++] = m;
}

/* ---- lines ---- */

/* The CRC was not looked at: a time that is out of the way is not taken. */
static void note_latest(struct index *ix, int64_t mono_us)
{
	if (mono_us >= ix->last_us && mono_us - ix->last_us <= 2 * WHOLE_EVERY_US)
		ix->latest_us = mono_us;
}

static void take_whole(struct index *ix)
{
	const struct order *o = &ix->order;
	struct whole w = { o->lines.line_at, ix->zst ? o->in_frame - 1 : 0, o->head.n, o->head.mono_us,
			   boot_of(&o->head) };

	add_whole(ix, &w);
	ix->count++;
}

static void take_line(struct index *ix, enum order_kind kind)
{
	const struct line_head *head = &ix->order.head;

	ix->lines += kind != ORDER_DAMAGED && kind != ORDER_OTHER;
	switch (kind) {
	case ORDER_KEY:
		take_whole(ix);
		break;
	case ORDER_SAMPLE:
		note_latest(ix, head->mono_us);
		ix->count++;
		break;
	case ORDER_HEADER:
		ix->new_session = true;
		if (head->version > ix->newest)
			ix->newest = head->version;
		break;
	case ORDER_MARK:
		add_mark(ix);
		break;
	case ORDER_BASELESS:
		ix->baseless++;
		break;
	case ORDER_DAMAGED:
		ix->damaged++;
		break;
	default:
		break;
	}
}

/* ---- frames ---- */

/* A frame whose trailer tells all that the index wants. */
static bool take_trailer(struct index *ix, uint64_t end)
{
	struct zst_trailer t;
	uint64_t behind;

	if (!zst_trailer_read(&ix->window, end, &t, &behind) || t.size != end - ix->at || t.header || t.marks || !t.samples ||
	    t.samples > CHUNK_MAX || ix->order.refused)
		return false;
	add_whole(ix, &(struct whole){ ix->at, 0, t.n, t.mono_us, t.boot });
	ix->count += t.samples;
	ix->lines += t.samples;
	ix->at = behind;
	return true;
}

/* Between two frames: pass over the next one, or begin to unpack it. False: there is none. */
static bool take_frame(struct index *ix)
{
	struct zst_span span = { 0 };
	enum zst_kind kind = zst_walk(&ix->window, ix->at, &span);
	struct zst_trailer t;
	bool refused = ix->order.refused;
	uint64_t place;

	if (kind == ZST_SKIPPABLE && zst_trailer_read(&ix->window, ix->at, &t, &ix->at))
		return true;
	if (kind == ZST_FRAME && span.closed && take_trailer(ix, span.end))
		return true;
	if (!window_look(&ix->window, ix->at, 1))
		return false;
	if (!lines_between(&ix->order.lines, &place) || place != ix->at) {
		order_seek(&ix->order, ix->at);
		ix->order.refused = refused;
	}
	ix->within = true;
	return true;
}

/* ---- steps ---- */

static void look_at_size(struct index *ix)
{
	struct stat st;

	if (!fstat(ix->fd, &st) && st.st_size > 0)
		ix->size = (uint64_t)st.st_size;
}

/* A recorder whose disk is full takes back what it wrote a part of. Then it is read again, but not taken again. */
static void look_again(struct index *ix)
{
	struct lines *l = &ix->order.lines;
	bool refused = ix->order.refused;

	if (!ix->follow || ix->size >= l->next)
		return;
	if (!ix->zst) {
		lines_seek(l, l->text_at + l->pos);
	} else if (ix->within) {
		ix->again = ix->order.in_frame;
		order_seek(&ix->order, l->frame);
		ix->order.refused = refused;
	}
}

static bool was_taken(struct index *ix, enum order_kind kind)
{
	if (!ix->again)
		return false;
	ix->again -= kind == ORDER_KEY || kind == ORDER_SAMPLE;
	return true;
}

/* One line, or one frame that needs not be unpacked. False: the end, for now. */
static bool step(struct index *ix)
{
	enum order_kind kind;

	if (ix->zst && !ix->within)
		return take_frame(ix);
	kind = order_next(&ix->order, !ix->follow);
	if (kind == ORDER_END || ix->nchunks == CHUNKS_MOST || ix->nsessions == SESSIONS_MOST)
		return false;
	if (!was_taken(ix, kind))
		take_line(ix, kind);
	if (ix->zst)
		ix->within = !lines_between(&ix->order.lines, &ix->at);
	return true;
}

/* ---- the end ---- */

/* Is there something that is no line? */
static bool has_rest(struct index *ix)
{
	struct zst_span span = { 0 };
	const char *rest;

	if (lines_rest(&ix->order.lines, &rest) || ix->order.lines.skipping)
		return true;
	if (!ix->zst || !ix->within)
		return false;
	return zst_walk(&ix->window, ix->order.lines.frame, &span) == ZST_NONE || span.end < ix->size;
}

static void reach_end(struct index *ix)
{
	look_at_size(ix);
	ix->at_end = true;
	ix->torn = !ix->follow && has_rest(ix);
}

bool index_scan(struct index *ix, int64_t budget_us)
{
	int64_t until = clock_mono_us() + budget_us;

	look_at_size(ix);
	look_again(ix);
	do {
		for (int i = 0; i < LINES_BETWEEN; i++) {
			if (!step(ix)) {
				reach_end(ix);
				return false;
			}
		}
	} while (clock_mono_us() < until);
	return true;
}

void index_begin(struct index *ix, uint64_t samples, uint64_t bytes)
{
	look_at_size(ix);
	while (ix->count < samples && (ix->order.lines.next < bytes || ix->lines)) {
		if (!step(ix)) {
			reach_end(ix);
			return;
		}
	}
}

/* ---- finding ---- */

uint32_t index_chunk(const struct index *ix, uint64_t i)
{
	uint32_t low = 0, high = ix->nchunks;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (ix->chunks[middle].first <= i)
			low = middle;
		else
			high = middle;
	}
	return low;
}

uint64_t index_in_chunk(const struct index *ix, uint32_t chunk)
{
	uint64_t next = chunk + 1 < ix->nchunks ? ix->chunks[chunk + 1].first : ix->count;

	return next - ix->chunks[chunk].first;
}

void index_init(struct index *ix, int fd, bool zst, bool follow)
{
	*ix = (struct index){ .fd = fd, .zst = zst, .follow = follow, .window = { .fd = fd } };
	ix->codec = codec_new();
	ix->texts = arena_new();
	order_init(&ix->order, ix->codec, fd, zst);
}

void index_fini(struct index *ix)
{
	order_fini(&ix->order);
	window_fini(&ix->window);
	codec_free(ix->codec);
	arena_free(ix->texts);
	free(ix->chunks);
	free(ix->sessions);
	free(ix->marks);
}
