/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pace.h"

#define FIRST_RATE      20000.0
#define SHARE_S         0.08 /* a frame is to be there within this time */
#define LEAST_BYTES     128
#define MOST_BYTES      65536
#define OVERHEAD_US     20000  /* of an answer, at most: what takes longer is the line */
#define FIRST_ANSWER_US 300000 /* who has not answered by then does not answer */
#define LATE_ANSWER_US  5000000

void pace_start(struct pace *p, bool can_ask)
{
	*p = (struct pace){ .can_ask = can_ask, .rate = can_ask ? FIRST_RATE : PACE_BLIND };
}

static int64_t patience(const struct pace *p)
{
	return p->answers ? LATE_ANSWER_US : FIRST_ANSWER_US;
}

int64_t pace_when(const struct pace *p, int64_t now_us)
{
	if (p->asked_us && now_us < p->asked_us + patience(p))
		return p->asked_us + patience(p);
	/* Of who answered all questions, nothing is on its way. */
	if (p->answers && !p->asked_us)
		return now_us;
	return p->free_us;
}

size_t pace_bytes(const struct pace *p)
{
	double bytes = (p->answers && !p->asked_us ? p->rate : PACE_BLIND) * SHARE_S;

	return bytes < LEAST_BYTES ? LEAST_BYTES : bytes > MOST_BYTES ? MOST_BYTES : (size_t)bytes;
}

bool pace_asks(const struct pace *p)
{
	return p->can_ask && !p->asked_us;
}

void pace_sent(struct pace *p, int64_t now_us, size_t bytes, bool asked)
{
	int64_t from = p->free_us > now_us ? p->free_us : now_us;

	p->free_us = from + (int64_t)((double)bytes * 1e6 / PACE_BLIND);
	if (!asked)
		return;
	p->asked_us = now_us;
	p->on_way = bytes;
}

/* What is short says little of a line: only that it is not slower. */
static void learn(struct pace *p, double rate, bool full)
{
	if (full)
		p->rate = (p->rate + rate) / 2;
	else if (rate > p->rate)
		p->rate = rate;
}

void pace_answered(struct pace *p, int64_t now_us)
{
	int64_t took = now_us - p->asked_us, least;

	if (!p->asked_us)
		return;
	if (!p->quickest_us || took < p->quickest_us)
		p->quickest_us = took > 0 ? took : 1;
	least = p->quickest_us < OVERHEAD_US ? p->quickest_us : OVERHEAD_US;
	took = took - least > 1000 ? took - least : 1000;
	learn(p, (double)p->on_way * 1e6 / (double)took, p->on_way * 2 >= pace_bytes(p));
	p->answers = true;
	p->asked_us = 0;
	p->free_us = now_us;
}
