/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader.c - any sample of a recording. A sample that tells only what changed is put together from the whole one before it on;
 * the last one that was read is kept, so that reading on costs one line each.
 */
#include "reclaimtop/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reclaimtop/fields.h"

#include "index.h"
#include "limits.h"

/* What is no recording is not gone over to its end to find that out. */
#define LOOK_FOR ((uint64_t)2 * LINE_MAX_SIZE)

/* One sample of a chunk that was looked at. */
struct item {
	int64_t mono_us, wall_us;
	uint64_t offset;
	bool key, readable;
};

/* A chunk that was looked at, line by line. */
struct view {
	uint32_t chunk;
	uint32_t n, cap;    /* n 0: none */
	struct item *items;
};

/* Changed by calls that only ask: what was looked at is kept. */
struct cache {
	struct view views[2];   /* the one used last, and the one before */
	struct order order;
	uint32_t chunk;         /* that order is in, where placed */
	uint64_t next;          /* number of the sample that order gives next */
	bool placed;
	struct sample held[2];  /* held[at] is sample `number`, where has_held */
	int at;
	uint64_t number;
	bool has_held;
	uint32_t damaged, baseless;
};

struct recording {
	int fd;
	bool zst;
	struct index index;
	struct codec *codec;
	struct cache *cache;
};

/* ---- a chunk, looked at ---- */

static struct item *add_item(struct view *v)
{
	if (v->n == v->cap) {
		v->cap = v->cap ? 2 * v->cap : 128;
		v->items = mem_grow(v->items, v->cap * sizeof(*v->items));
	}
	return &v->items[v->n++];
}

/* Goes from sample to sample of a chunk: what a reader needs to know whether it could read them. */
struct chain {
	bool whole;          /* all since a whole sample can be read */
	uint64_t n;
	int64_t mono_us, wall_us;
};

static void take_item(struct recording *r, struct view *v, enum order_kind kind, struct chain *chain)
{
	struct cache *c = r->cache;
	const struct line_head *head = &c->order.head;
	bool intact = kind == ORDER_KEY || codec_intact(r->codec, c->order.line, c->order.len);
	bool follows = chain->whole && head->n == chain->n + 1 && head->mono_us >= chain->mono_us;
	struct item *item = add_item(v);

	c->damaged += !intact && !r->index.chunks[v->chunk].checked;
	c->baseless += intact && kind != ORDER_KEY && !follows && !r->index.chunks[v->chunk].checked;
	chain->whole = kind == ORDER_KEY || (intact && !head->key && follows);
	if (chain->whole) {
		chain->n = head->n;
		chain->mono_us = head->mono_us;
		if (kind == ORDER_KEY || head->has_wall)
			chain->wall_us = head->wall_us;
	}
	*item = (struct item){
		.mono_us = chain->mono_us,
		.wall_us = chain->whole ? chain->wall_us : 0,
		.offset = c->order.lines.line_at,
		.key = kind == ORDER_KEY,
		.readable = chain->whole,
	};
}

static bool is_sample(enum order_kind kind)
{
	return kind == ORDER_KEY || kind == ORDER_SAMPLE;
}

/* Begin at the chunk's first sample. */
static void enter_chunk(struct recording *r, uint32_t chunk)
{
	const struct chunk *at = &r->index.chunks[chunk];
	struct cache *c = r->cache;
	enum order_kind kind = ORDER_OTHER;

	order_seek(&c->order, at->offset);
	for (uint64_t skip = at->skip; skip && kind != ORDER_END; skip -= is_sample(kind))
		kind = order_next(&c->order, !r->index.follow);
	c->chunk = chunk;
	c->next = at->first;
	c->placed = true;
}

/* Does the line that was given last belong to the next chunk? Then this one has less than was said of it. */
static bool is_behind(const struct recording *r, uint32_t chunk)
{
	const struct chunk *at = &r->index.chunks[chunk];

	return chunk + 1 < r->index.nchunks && at[1].offset > at->offset &&
	       r->cache->order.lines.line_at >= at[1].offset;
}

static void look_at_chunk(struct recording *r, struct view *v, uint32_t chunk)
{
	struct chunk *at = &r->index.chunks[chunk];
	uint64_t count = index_in_chunk(&r->index, chunk);
	struct chain chain = { .mono_us = at->mono_us };
	enum order_kind kind = ORDER_OTHER;

	v->chunk = chunk;
	v->n = 0;
	enter_chunk(r, chunk);
	while (v->n < count && kind != ORDER_END) {
		kind = order_next(&r->cache->order, !r->index.follow);
		if (is_behind(r, chunk))
			break;
		if (is_sample(kind))
			take_item(r, v, kind, &chain);
	}
	r->cache->placed = false;
	/* What the index counted and is not there: a trailer that says too much, a file that was cut meanwhile. */
	while (v->n < count)
		*add_item(v) = (struct item){ .mono_us = chain.mono_us, .offset = at->offset };
	at->checked |= chunk + 1 < r->index.nchunks || r->index.at_end;
}

static const struct view *view_of(struct recording *r, uint32_t chunk)
{
	struct view *v = r->cache->views, keep;

	if (v[0].chunk != chunk || v[0].n != index_in_chunk(&r->index, chunk)) {
		keep = v[0];
		v[0] = v[1];
		v[1] = keep;
	}
	if (v[0].chunk != chunk || v[0].n != index_in_chunk(&r->index, chunk))
		look_at_chunk(r, &v[0], chunk);
	return &v[0];
}

/* What is known of sample i, NULL where there is none. */
static struct item *item_of(const struct recording *r, uint64_t i)
{
	struct recording *own = (struct recording *)(uintptr_t)r;
	uint32_t chunk;

	if (i >= r->index.count)
		return NULL;
	chunk = index_chunk(&r->index, i);
	return &view_of(own, chunk)->items[i - r->index.chunks[chunk].first];
}

/* ---- reading ---- */

/* Go to the line of sample i, whose chunk is looked at. In a plain file each is reached at once. */
static bool go_to(struct recording *r, const struct view *v, uint64_t i)
{
	struct cache *c = r->cache;
	enum order_kind kind = ORDER_OTHER;

	if (!c->placed || c->chunk != v->chunk || c->next > i) {
		enter_chunk(r, v->chunk);
		if (!r->zst) {
			order_seek(&c->order, v->items[i - r->index.chunks[v->chunk].first].offset);
			c->order.has_key = true;
			c->next = i;
		}
	}
	while (c->next <= i && kind != ORDER_END) {
		kind = order_next(&c->order, !r->index.follow);
		c->next += is_sample(kind);
	}
	c->placed = kind != ORDER_END;
	return c->placed;
}

/* The held sample becomes number i, which follows it or is whole. */
static int read_one(struct recording *r, const struct view *v, uint64_t i, bool key)
{
	struct cache *c = r->cache;
	struct sample *to = &c->held[!c->at];
	int err = -EILSEQ;

	if (go_to(r, v, i))
		err = codec_read(r->codec, c->order.line, c->order.len, key ? NULL : &c->held[c->at], to);
	c->has_held = !err;
	c->at = !c->at;
	c->number = i;
	return err;
}

/* Nothing can be read from here to the next whole sample. */
static void give_up(struct recording *r, struct view *v, uint32_t from)
{
	r->cache->damaged++;
	r->cache->has_held = false;
	do {
		v->items[from++].readable = false;
	} while (from < v->n && !v->items[from].key);
}

static int put_together(struct recording *r, struct view *v, uint32_t nth)
{
	uint64_t first = r->index.chunks[v->chunk].first;
	struct cache *c = r->cache;
	uint32_t from = nth;

	if (c->has_held && c->number == first + nth)
		return 0;
	while (!v->items[from].key && !(c->has_held && c->number + 1 == first + from))
		from--;
	for (; from <= nth; from++) {
		int err = read_one(r, v, first + from, v->items[from].key);

		if (err) {
			give_up(r, v, from);
			return -EILSEQ;
		}
	}
	return 0;
}

int recording_read(struct recording *r, uint64_t i, struct sample *out)
{
	struct item *item = item_of(r, i);
	struct view *v = &r->cache->views[0];
	int err = item ? -EILSEQ : -ENOENT;

	if (!out->arena)
		out->arena = arena_new();
	if (item && item->readable)
		err = put_together(r, v, (uint32_t)(item - v->items));
	if (err)
		sample_reset(out);
	else
		sample_copy(&r->cache->held[r->cache->at], out);
	return err;
}

/* ---- what is known of samples ---- */

uint64_t recording_count(const struct recording *r)
{
	return r->index.count;
}

int64_t recording_time(const struct recording *r, uint64_t i)
{
	const struct item *item = item_of(r, i);

	return item ? item->mono_us : 0;
}

int64_t recording_wall(const struct recording *r, uint64_t i)
{
	const struct item *item = item_of(r, i);

	return item ? item->wall_us : 0;
}

uint64_t recording_offset(const struct recording *r, uint64_t i)
{
	const struct item *item = item_of(r, i);

	return item ? item->offset : 0;
}

uint32_t recording_session(const struct recording *r, uint64_t i)
{
	return i < r->index.count ? r->index.chunks[index_chunk(&r->index, i)].session : 0;
}

uint64_t recording_first(const struct recording *r, uint32_t session)
{
	return session < r->index.nsessions ? r->index.sessions[session].first : r->index.count;
}

/* The last chunk of a session that begins not after t_us, or the session's first. */
static uint32_t chunk_at(const struct index *ix, uint32_t session, int64_t t_us)
{
	uint32_t low = ix->sessions[session].chunk;
	uint32_t high = session + 1 < ix->nsessions ? ix->sessions[session + 1].chunk : ix->nchunks;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (ix->chunks[middle].mono_us <= t_us)
			low = middle;
		else
			high = middle;
	}
	return low;
}

uint64_t recording_find(const struct recording *r, uint32_t session, int64_t t_us)
{
	struct recording *own = (struct recording *)(uintptr_t)r;
	const struct view *v;
	uint32_t chunk, i = 0;

	if (session >= r->index.nsessions)
		return r->index.count ? r->index.count - 1 : 0;
	chunk = chunk_at(&r->index, session, t_us);
	v = view_of(own, chunk);
	while (i + 1 < v->n && v->items[i + 1].mono_us <= t_us)
		i++;
	return r->index.chunks[chunk].first + i;
}

uint32_t recording_marks(const struct recording *r, const struct mark **marks)
{
	*marks = r->index.marks;
	return r->index.nmarks;
}

void recording_facts(const struct recording *r, struct recording_facts *out)
{
	const struct index *ix = &r->index;

	*out = (struct recording_facts){
		.sessions = ix->nsessions,
		.damaged = ix->damaged + r->cache->damaged,
		.baseless = ix->baseless + r->cache->baseless,
		.torn_tail = ix->torn,
		.headless = ix->headless,
		.indexed = ix->at_end,
		.compressed = r->zst,
		.major = (int)(ix->newest ? ix->newest : LINE_VERSION),
	};
}

/* ---- opening and closing ---- */

static int open_file(const char *path, const char **why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	int err = 0;

	if (fd < 0) {
		*why = strerror(errno);
		return -errno;
	}
	if (fstat(fd, &st) || S_ISDIR(st.st_mode)) {
		err = EISDIR;
		*why = "it is a folder";
	} else if (!S_ISREG(st.st_mode)) {
		err = ESPIPE;
		*why = "it cannot be searched, as it is no regular file";
	}
	if (!err)
		return fd;
	close(fd);
	return -err;
}

static bool is_compressed(int fd)
{
	struct window w = { .fd = fd };
	bool zst = zst_is_compressed(&w);

	window_fini(&w);
	return zst;
}

/* 0 where there is something to show, or may come. */
static int judge(const struct recording *r, const char **why)
{
	const struct index *ix = &r->index;

	if (ix->count)
		return 0;
	if (ix->newest > LINE_VERSION) {
		*why = "it was written by a newer reclaimtop, in a format that this one does not know";
		return -ENOTSUP;
	}
	if (ix->follow && (ix->lines || !ix->size))
		return 0;
	if (!ix->lines && ix->size) {
		*why = "it is no recording";
		return -EPROTO;
	}
	*why = ix->size ? "it holds no whole sample" : "it is empty";
	return -EBADMSG;
}

static void begin(struct recording *r, bool follow)
{
	r->zst = is_compressed(r->fd);
	index_init(&r->index, r->fd, r->zst, follow);
	order_init(&r->cache->order, r->codec, r->fd, r->zst);
	index_begin(&r->index, 1, LOOK_FOR);
}

static void end(struct recording *r)
{
	order_fini(&r->cache->order);
	index_fini(&r->index);
}

static struct recording *make(int fd, bool follow)
{
	struct recording *r = mem_alloc(sizeof(*r));
	struct cache *c = mem_alloc(sizeof(*c));

	*r = (struct recording){ .fd = fd, .codec = codec_new(), .cache = c };
	*c = (struct cache){ .held = { { .arena = arena_new() }, { .arena = arena_new() } } };
	begin(r, follow);
	return r;
}

/* What was empty when it was opened may turn out to be compressed. */
bool recording_scan(struct recording *r, int64_t budget_us)
{
	if (!r->index.size) {
		end(r);
		begin(r, r->index.follow);
	}
	return index_scan(&r->index, budget_us);
}

struct recording *recording_open(const char *path, unsigned int flags, const char **why)
{
	int fd = open_file(path, why), err;
	struct recording *r;

	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	r = make(fd, flags & RECORDING_FOLLOW);
	err = judge(r, why);
	if (!err)
		return r;
	recording_close(r);
	errno = -err;
	return NULL;
}

void recording_close(struct recording *r)
{
	if (!r)
		return;
	end(r);
	codec_free(r->codec);
	for (int i = 0; i < 2; i++) {
		free(r->cache->views[i].items);
		arena_free(r->cache->held[i].arena);
	}
	free(r->cache);
	close(r->fd);
	free(r);
}
