/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "order.h"

#include "limits.h"
#include "zst.h"

void order_init(struct order *o, const struct codec *codec, int fd, bool zst)
{
	*o = (struct order){ .codec = codec, .zst = zst };
	lines_init(&o->lines, fd, zst);
}

void order_fini(struct order *o)
{
	lines_fini(&o->lines);
}

void order_seek(struct order *o, uint64_t offset)
{
	lines_seek(&o->lines, offset);
	o->has_key = o->refused = o->repeats = false;
	o->frame = offset;
	o->in_frame = o->last_n = 0;
	o->since = 0;
}

/* A sample is said against one of the same frame. */
static void enter_frame(struct order *o)
{
	if (!o->zst || o->lines.line_at == o->frame)
		return;
	o->frame = o->lines.line_at;
	o->has_key = o->repeats = false;
	o->in_frame = 0;
	o->last_n = 0;
}

static uint64_t boot_of(const struct line_head *head)
{
	return head->boot ? zst_hash(head->boot, head->boot_len) : 0;
}

/*
 * A damaged block may give lines again that it gave before, and their CRC holds. Within a frame time goes on, or it is another
 * boot.
 */
static bool is_repeated(struct order *o)
{
	const struct line_head *head = &o->head;

	if (o->zst && o->in_frame && head->key)
		o->repeats |= head->mono_us <= o->last_us && boot_of(head) == o->boot;
	else if (o->zst && !head->key)
		o->repeats |= head->n <= o->last_n;
	return o->repeats;
}

static enum order_kind key_kind(struct order *o)
{
	if (!codec_intact(o->codec, o->line, o->len))
		return o->has_key ? ORDER_SAMPLE : ORDER_DAMAGED;
	if (is_repeated(o))
		return ORDER_DAMAGED;
	o->has_key = true;
	o->since = 0;
	o->boot = boot_of(&o->head);
	return ORDER_KEY;
}

static enum order_kind sample_kind(struct order *o)
{
	enum order_kind kind = ORDER_SAMPLE;

	if (o->refused)
		return ORDER_OTHER;
	if (o->head.key)
		kind = key_kind(o);
	else if (!o->has_key || o->since >= CHUNK_MAX)
		kind = ORDER_BASELESS;
	else if (is_repeated(o))
		kind = ORDER_DAMAGED;
	if (kind == ORDER_KEY || (kind == ORDER_SAMPLE && !o->head.key)) {
		o->last_n = o->head.n;
		o->last_us = o->head.mono_us;
	}
	if (kind == ORDER_KEY || kind == ORDER_SAMPLE) {
		o->since++;
		o->in_frame++;
	}
	return kind;
}

static enum order_kind header_kind(struct order *o)
{
	uint64_t hash = zst_hash(o->line, o->len);

	if (o->zst && o->in_frame && hash == o->header) {
		o->repeats = true;
		return ORDER_DAMAGED;
	}
	o->header = hash;
	o->refused = o->head.version > LINE_VERSION;
	o->has_key = o->repeats = false;
	return ORDER_HEADER;
}

static enum order_kind kind_of(struct order *o)
{
	if (!o->len)
		return ORDER_OTHER;
	if (!codec_is_whole(o->line, o->len))
		return ORDER_DAMAGED;
	codec_peek(o->line, o->len, &o->head);
	if (o->head.type == LINE_SAMPLE)
		return sample_kind(o);
	if (o->head.type == LINE_MARK)
		return o->repeats ? ORDER_DAMAGED : ORDER_MARK;
	if (!codec_intact(o->codec, o->line, o->len))
		return ORDER_DAMAGED;
	return o->head.type == LINE_HEADER ? header_kind(o) : ORDER_OTHER;
}

enum order_kind order_next(struct order *o, bool last)
{
	enum lines_result result = lines_next(&o->lines, &o->line, &o->len);

	if (result == LINES_END) {
		o->len = lines_rest(&o->lines, &o->line);
		if (!last || !o->len || !codec_intact(o->codec, o->line, o->len))
			return ORDER_END;
		lines_drop(&o->lines);
	}
	enter_frame(o);
	return result == LINES_BAD ? ORDER_DAMAGED : kind_of(o);
}
