/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "order.h"

#include "limits.h"

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
	o->has_key = o->refused = false;
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
	o->has_key = false;
	o->in_frame = 0;
}

static enum order_kind sample_kind(struct order *o)
{
	bool is_key = !o->refused && o->head.key && codec_intact(o->codec, o->line, o->len);

	if (o->refused)
		return ORDER_OTHER;
	if (is_key) {
		o->has_key = true;
		o->since = 0;
	} else if (!o->has_key || o->since >= CHUNK_MAX) {
		return o->head.key ? ORDER_DAMAGED : ORDER_BASELESS;
	} else if (o->head.n <= o->last_n) {
		return ORDER_DAMAGED;
	}
	o->last_n = o->head.n;
	o->since++;
	o->in_frame++;
	return is_key ? ORDER_KEY : ORDER_SAMPLE;
}

static enum order_kind header_kind(struct order *o)
{
	o->refused = o->head.version > LINE_VERSION;
	o->has_key = false;
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
		return ORDER_MARK;
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
