/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * member.h - members of JSON objects for what is told once: what is not known is left out.
 */
#ifndef CLI_MEMBER_H
#define CLI_MEMBER_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "reclaimtop/buf.h"

/* All end in oom_exit() where there is no memory. Names must outlive the object. */
/* in NULL: one that stands alone. */
struct json_object *member_object(struct json_object *in, const char *name);
struct json_object *member_list(struct json_object *in, const char *name);

/* A new item of a list. */
struct json_object *member_item(struct json_object *list);

void member_string(struct json_object *in, const char *name, const char *s);  /* NULL: left out */
void member_i64(struct json_object *in, const char *name, int64_t v);
void member_u64(struct json_object *in, const char *name, uint64_t v);      /* UNKNOWN: left out */
void member_bool(struct json_object *in, const char *name, bool v);           /* false: left out */

/* What is not finite is left out. The decimal sign is a point in every locale. */
void member_number(struct json_object *in, const char *name, double v);

/* The whole as one line; frees it. */
void member_print(struct json_object *whole, struct buf *out);

#endif
