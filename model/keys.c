/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/keys.h"

#include <string.h>

#define KEY(name) { #name, sizeof(#name) - 1 },
#define KEY_AS(id, name) { name, sizeof(name) - 1 },
#define TABLE(keys) { keys, sizeof(keys) / sizeof((keys)[0]) }

static const struct key vmstat[] = { KEYS_VMSTAT(KEY) };
static const struct key node[] = { KEYS_NODE(KEY) };
static const struct key zone[] = { KEYS_ZONE(KEY) };
static const struct key meminfo[] = { KEYS_MEMINFO(KEY_AS) };
static const struct key memcg[] = { KEYS_MEMCG(KEY) };
static const struct key events[] = { KEYS_EVENTS(KEY) };
static const struct key cgroup[] = { KEYS_CGROUP(KEY) };

const struct keytab keytab_vmstat = TABLE(vmstat);
const struct keytab keytab_node = TABLE(node);
const struct keytab keytab_zone = TABLE(zone);
const struct keytab keytab_meminfo = TABLE(meminfo);
const struct keytab keytab_memcg = TABLE(memcg);
const struct keytab keytab_events = TABLE(events);
const struct keytab keytab_cgroup = TABLE(cgroup);

static int key_is(const struct key *k, const char *name, size_t len)
{
	return k->len == len && !memcmp(k->name, name, len);
}

uint32_t keytab_find(const struct keytab *tab, const char *name, size_t len, uint32_t *hint)
{
	uint32_t start = *hint < tab->n ? *hint : 0;

	for (uint32_t i = start; i < tab->n; i++) {
		if (key_is(&tab->keys[i], name, len)) {
			*hint = i + 1;
			return i;
		}
	}
	for (uint32_t i = 0; i < start; i++) {
		if (key_is(&tab->keys[i], name, len)) {
			*hint = i + 1;
			return i;
		}
	}
	return tab->n;
}

uint64_t counters_by_name(const struct counters *c, const char *name)
{
	uint32_t hint = 0;
	uint32_t i;

	if (!c->tab)
		return UNKNOWN;
	i = keytab_find(c->tab, name, strlen(name), &hint);
	if (i < c->tab->n)
		return counters_get(c, i);
	for (i = 0; i < c->nmore; i++)
		if (!strcmp(c->more[i].name, name))
			return c->more[i].value;
	return UNKNOWN;
}
