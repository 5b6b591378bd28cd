/* SPDX-License-Identifier: GPL-2.0-or-later */
/* river_now.c - what happens in the river now, in one sentence. */
#include <stdio.h>
#include <string.h>

#include "generations.h"
#include "reclaimtop/names.h"
#include "reclaimtop/units.h"

static bool flows(struct amount a)
{
	return amount_known(a) && a.value > 0;
}

/*
 * What comes back by what is taken, in hundredths: not of the same pages, since what comes back now was taken before.
 * Up to a share, what it means.
 */
static const struct {
	int percent;
	const char *words, *brief;
} verdicts[] = {
	{ 10, "little of it is needed again", "little is needed again" },
	{ 50, "a part of it is needed again", "a part is needed again" },
	{ 100, "most of it is needed again", "most is needed again" },
};

static void verdict(const struct now *n, bool brief, char *out, size_t size)
{
	char share[16];

	if (n->back.value > n->taken.value) {
		snprintf(out, size, "%s", brief ? "(more than is taken)" : "more than is taken now");
		return;
	}
	units_percent((uint64_t)n->back.value, (uint64_t)n->taken.value, share, sizeof(share));
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
		if (n->back.value * 100 >= n->taken.value * verdicts[i].percent &&
		    verdicts[i].percent < 100)
			continue;
		snprintf(out, size, brief ? "(%s): %s" : "%s as much: %s", share,
			 brief ? verdicts[i].brief : verdicts[i].words);
		return;
	}
}

/* More may have come back than is known. */
static bool is_least(struct amount a)
{
	return a.state == AMOUNT_INFERRED && a.hi == AMOUNT_NO_LIMIT;
}

static void taken(const struct now *n, bool brief, char *out, size_t size)
{
	bool least = is_least(n->back);
	const char *at_least = least ? "at least " : "";
	char said[64];

	if (!amount_known(n->back) || (least && n->back.value <= 0)) {
		snprintf(out, size, brief ? "%s/s are taken; what comes back is not known."
					  : "Reclaim takes %s/s over the edge; what comes back is not known.",
			 n->taken_text);
	} else if (n->back.value <= 0) {
		snprintf(out, size, brief ? "%s/s are taken, nothing comes back."
					  : "Reclaim takes %s/s over the edge, and nothing comes back: it is not needed so far.",
			 n->taken_text);
	} else if (least && n->back.value * 2 < n->taken.value) {
		/* How little came back cannot be said of what is only the least. */
		snprintf(out, size, brief ? "%s/s taken, at least %s/s back."
					  : "Reclaim takes %s/s over the edge, and at least %s/s come back.",
			 n->taken_text, n->back_text);
	} else {
		verdict(n, brief, said, sizeof(said));
		snprintf(out, size, brief ? "%s/s taken, %s%s/s back %s."
					  : "Reclaim takes %s/s over the edge, and %s%s/s come back, %s.",
			 n->taken_text, at_least, n->back_text, said);
	}
}

/* What else moves, as a list; where brief, the first of it. Is there anything? */
static bool others(const struct now *n, bool brief, char *out, size_t size)
{
	const struct {
		struct amount amount;
		const char *text, *words;
	} list[] = {
		{ n->in, n->in_text, "come in" },
		{ n->up, n->up_text, "climb back" },
		{ n->gone, n->gone_text, "are freed by their owners" },
	};
	size_t len = 0;

	out[0] = '\0';
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]) && (!brief || !len); i++)
		if (flows(list[i].amount) && len < size)
			len += (size_t)snprintf(out + len, size - len, "%s%s/s %s", len ? ", " : "",
						list[i].text, list[i].words);
	return len > 0;
}

static void not_taken(const struct now *n, bool brief, char *out, size_t size)
{
	char list[160];

	if (!amount_known(n->taken))
		snprintf(out, size, "What reclaim takes is not known%s.",
			 brief ? "" : " from this sample");
	else if (flows(n->back))
		snprintf(out, size, brief ? "Nothing is taken; %s/s taken before come back."
					  : "Nothing is reclaimed now; %s/s of what was taken before come back.",
			 n->back_text);
	else if (others(n, brief, list, sizeof(list)))
		snprintf(out, size, "Nothing is reclaimed; %s.", list);
	else
		snprintf(out, size, brief ? "It is quiet: nothing is taken, nothing comes in."
					  : "It is quiet: nothing is reclaimed, and nothing comes in.");
}

static void sentence(const struct now *n, bool brief, char *out, size_t size)
{
	if (n->first || (!amount_known(n->taken) && !amount_known(n->in)))
		snprintf(out, size, brief ? "What moves is not known yet."
					  : "What moves is not known from this sample.");
	else if (flows(n->taken))
		taken(n, brief, out, size);
	else
		not_taken(n, brief, out, size);
}

void now_sentence(const struct now *n, int cols, char *out, size_t size)
{
	sentence(n, false, out, size);
	if (name_width(out) > cols)
		sentence(n, true, out, size);
}
