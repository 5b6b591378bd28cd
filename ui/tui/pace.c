/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pace.h"

#define FIRST_RATE      20000.0
#define SHARE_S         0.08 /* a frame is to be there within this time */
#define LEAST_BYTES     128
#define MOST_BYTES      65536
#define LEAST_US        1000   /* nothing shorter can be told from chance */
#define GROWTH          1.1
#define RISE            1.25
#define OTHER_US        20000
#define FORGETS         16
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

/*
 * An answer takes as long as the way there and back, whatever the line, and as its bytes take on the line. Two frames of
 * different length tell the two apart; one alone may be slow only because the terminal is far away. 0: they do not tell.
 */
static double rate_between(const struct pace *p, double bytes, double us)
{
	double more = bytes - p->usual_bytes, longer = us - p->usual_us;

	if (more < 0)
		more = -more, longer = -longer;
	if (bytes < p->usual_bytes ? longer <= 0 : more * 4 < p->usual_bytes)
		return 0;
	return more * 1e6 / (longer > LEAST_US ? longer : LEAST_US);
}

/* No more bytes than usual took far longer: another line, or another way. */
static bool is_other(const struct pace *p, double bytes, double us)
{
	return bytes <= p->usual_bytes * GROWTH && us > p->usual_us * 1.5 + OTHER_US;
}

/* Points on a line lie on it still when they are mixed, so the usual one may follow a way that becomes longer. */
static void remember(struct pace *p, double bytes, double us)
{
	double share = us < p->usual_us || is_other(p, bytes, us) ? 1 : 1.0 / FORGETS;

	p->usual_bytes += (bytes - p->usual_bytes) * share;
	p->usual_us += (us - p->usual_us) * share;
}

/*
 * What is short says little of a line: only that it is not slower. Frames that are all alike say nothing; then the next is
 * somewhat longer, or much shorter where something is wrong, so that it will tell.
 */
static void learn(struct pace *p, double bytes, double us, bool full)
{
	double rate = p->usual_us ? rate_between(p, bytes, us) : bytes * 1e6 / us;

	if (p->usual_us && is_other(p, bytes, us))
		p->rate = bytes / SHARE_S / 2;
	else if (rate > p->rate)
		p->rate = full && rate > p->rate * RISE ? p->rate * RISE : rate;
	else if (rate > 0 && full)
		p->rate = rate;
	else if (full)
		p->rate *= GROWTH;
	if (p->rate > MOST_BYTES / SHARE_S)
		p->rate = MOST_BYTES / SHARE_S;
}

void pace_answered(struct pace *p, int64_t now_us)
{
	int64_t took = now_us - p->asked_us;
	double us = took > LEAST_US ? (double)took : LEAST_US;

	if (!p->asked_us)
		return;
	learn(p, (double)p->on_way, us, p->on_way * 2 >= pace_bytes(p));
	if (!p->usual_us) {
		p->usual_us = us;
		p->usual_bytes = (double)p->on_way;
	}
	remember(p, (double)p->on_way, us);
	p->answers = true;
	p->asked_us = 0;
	p->free_us = now_us;
}
