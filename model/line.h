/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line.h - what the files of the codec share: a line's JSON and its CRC.
 */
#ifndef LINE_H
#define LINE_H

#include <json-c/json.h>

#include "reclaimtop/codec.h"

#include "walk.h"

#define CODEC_FORMAT "reclaimtop"

/* Behind the last member: ,"crc":"9f3c2a71"} */
#define LINE_TAIL 18

struct codec {
	struct json_tokener *tok;
	struct arena *scratch;   /* for the time of one call */
	struct buf text;         /* the same */
	uint32_t crc_tables[8][256];

	/*
	 * What a reader of our lines holds after the last one: shadow[at] where has_shadow. Its
	 * ages are those that were written or are expected, so that what is left out cannot add up.
	 */
	struct sample shadow[2];
	unsigned int at;
	bool has_shadow;
};

/* CRC-32 as of IEEE 802.3 and zlib. */
void line_crc_init(struct codec *c);
uint32_t line_crc(const struct codec *c, const char *bytes, size_t len);

/*
 * Is the line's CRC that of its text? Then nothing was cut off, and no byte is another.
 */
bool line_intact(const struct codec *c, const char *line, size_t len);

/*
 * A line with a good CRC as JSON: 0 an object, else -EILSEQ. *out is to be put back in either case; NULL
 * where there is nothing.
 */
int line_parse(struct codec *c, const char *line, size_t len, struct json_object **out);

/* Serialize an object as one line, with its CRC and a newline, behind out. Takes the object. */
void line_finish(struct codec *c, struct json_object *line, struct buf *out);

/* Add a member whose name is constant, or outlives the object. NULL is null. */
void line_add(struct json_object *obj, const char *name, struct json_object *value);

void line_push(struct json_object *array, struct json_object *value);

/*
 * Values; NULL (null) for UNKNOWN and NULL, "max" for UNLIMITED. All end in oom_exit() where there
 * is no memory.
 */
struct json_object *line_object(void);
struct json_object *line_array(void);
struct json_object *line_u64(uint64_t v);
struct json_object *line_i64(int64_t v);
struct json_object *line_bool(bool v);
struct json_object *line_string(const char *s);

/* A number, "max" as UNLIMITED; UNKNOWN for what is neither. */
uint64_t line_number(struct json_object *v);

/* How a reading went: "ok", an errno's name, NULL where it was not asked for. */
const char *source_word(enum reading_state state, int err);

/*
 * A value that field_get() gave, as it stands in JSON; and back: what is of a wrong type is blank.
 */
struct json_object *value_out(const struct field *f, uint64_t v, int64_t mono_us);
uint64_t value_in(const struct field *f, struct json_object *v, int64_t mono_us);

/* The member that says: what vmstat has on this line is so here too; and its value. */
#define MIRROR_NAME "="
#define MIRROR_OF "vmstat"

struct mirror;

/*
 * Counters as an object: whole where was is NULL, else what changed, by the mirror where that is shorter (NULL: there is none).
 * NULL where there are none.
 */
struct json_object *counters_out(const struct field *f, const struct counters *was, const struct counters *is,
				 struct mirror *mirror, struct arena *scratch);

/* The word for an age that is what the sample before and the time between lead to expect. */
#define AGE_EXPECTED "="

/* The word for a time that is the one before it in the rows of the line. */
#define TIME_BEFORE "<"

#endif
