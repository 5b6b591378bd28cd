/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/export_other.h"

#include <inttypes.h>
#include <stdio.h>

#include "reclaimtop/fields.h"

#include "model/walk.h"

struct other {
	const struct sample *s;
	void (*begin)(struct csv *c, const struct sample *s, uint32_t session);
	uint32_t session;
	struct csv *c;
	const char *item;     /* its keys, with blanks between them; NULL outside of lists */
};

void export_other_head(struct csv *c)
{
	static const char *const names[] = { "where", "item", "name", "value" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		csv_text(c, names[i]);
}

static void put_names(const struct other *o, const char *where, const struct counters *counters)
{
	for (uint32_t i = 0; i < counters->nmore; i++) {
		o->begin(o->c, o->s, o->session);
		csv_text(o->c, where);
		csv_text(o->c, o->item);
		csv_text(o->c, counters->more[i].name);
		csv_u64(o->c, counters->more[i].value);
		csv_end(o->c);
	}
}

static void put_shape(const struct other *o, const char *where, const struct shape *s, const void *item);

static void name_item(const struct shape *s, const void *item, struct buf *out)
{
	for (uint32_t i = 0; i < shape_keys(s); i++) {
		const struct field *f = &s->fields[i];

		buf_str(out, i ? " " : "");
		if (f->kind == FIELD_STRING)
			buf_str(out, field_string(f, item) ? field_string(f, item) : "");
		else
			buf_printf(out, "%" PRIu64, field_get(f, item));
	}
}

static void put_items(const struct other *o, const char *where, const struct field *f, const void *item)
{
	struct items items = field_items(f, item);
	struct other within = *o;
	struct buf name = { 0 };

	for (uint32_t i = 0; i < items.n; i++) {
		buf_clear(&name);
		name_item(f->shape, item_at(f->shape, items, i), &name);
		within.item = name.data;
		put_shape(&within, where, f->shape, item_at(f->shape, items, i));
	}
	buf_fini(&name);
}

static void put_shape(const struct other *o, const char *where, const struct shape *s, const void *item)
{
	for (uint32_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];
		char name[80];

		snprintf(name, sizeof(name), "%s%s%s", where, *where && f->name ? "." : "", f->name ? f->name : "");
		if (f->kind == FIELD_COUNTERS)
			put_names(o, name, member_of(item, f->offset));
		else if (f->kind == FIELD_STRUCT)
			put_shape(o, name, f->shape, member_of(item, f->offset));
		else if (f->kind == FIELD_LIST)
			put_items(o, name, f, item);
	}
}

void export_other(const struct sample *s, void (*begin)(struct csv *c, const struct sample *s, uint32_t session),
		  uint32_t session, struct csv *c)
{
	const struct other o = { s, begin, session, c, NULL };

	put_shape(&o, "", &sample_shape, s);
}
