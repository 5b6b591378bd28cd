/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * amount.c - numbers that say how they are known.
 */
#include "reclaimtop/step.h"

#include "model/stepping.h"

/* Ends of the numbers that stand for a number: the one beyond means "no limit". */
#define LARGEST (AMOUNT_NO_LIMIT - 1)

/*
 * No counter of 64 bits gets here by counting; a step that goes past the end is no more than this.
 */
#define WRAP_FROM ((uint64_t)1 << 63)
#define WRAP_STEP ((uint64_t)1 << 32)

int64_t amount_from(uint64_t count)
{
	return count > (uint64_t)LARGEST ? LARGEST : (int64_t)count;
}

int64_t amount_sum64(int64_t a, int64_t b)
{
	if (a >= AMOUNT_NO_LIMIT || b >= AMOUNT_NO_LIMIT)
		return AMOUNT_NO_LIMIT;
	if (a <= -AMOUNT_NO_LIMIT || b <= -AMOUNT_NO_LIMIT)
		return -AMOUNT_NO_LIMIT;
	if (b > 0 && a > LARGEST - b)
		return LARGEST;
	if (b < 0 && a < -LARGEST - b)
		return -LARGEST;
	return a + b;
}

static struct amount unknown(enum amount_state state, enum amount_scope scope)
{
	return (struct amount){ .state = (uint8_t)state, .scope = (uint8_t)scope };
}

static struct amount measured(int64_t value, enum amount_scope scope)
{
	return (struct amount){ value, value, value, AMOUNT_MEASURED, (uint8_t)scope };
}

struct amount amount_counter(uint64_t before, uint64_t now, enum amount_scope scope)
{
	if (now == UNKNOWN)
		return unknown(AMOUNT_MISSING, scope);
	if (before == UNKNOWN)
		return unknown(AMOUNT_FIRST, scope);
	if (now >= before)
		return measured(amount_from(now - before), scope);
	if (before >= WRAP_FROM && now - before < WRAP_STEP)
		return measured(amount_from(now - before), scope);
	return unknown(AMOUNT_RESET, scope);
}

struct amount amount_gauge(uint64_t before, uint64_t now, enum amount_scope scope)
{
	if (now == UNKNOWN)
		return unknown(AMOUNT_MISSING, scope);
	if (before == UNKNOWN)
		return unknown(AMOUNT_FIRST, scope);
	return measured(now >= before ? amount_from(now - before) : -amount_from(before - now),
			scope);
}

struct amount amount_inferred(int64_t value, int64_t lo, int64_t hi, enum amount_scope scope)
{
	return (struct amount){ value, lo, hi, AMOUNT_INFERRED, (uint8_t)scope };
}

/* How little a state lets one say of a sum that has it as a part: the larger, the less. */
static int weakness(enum amount_state state)
{
	static const int rank[] = {
		[AMOUNT_MEASURED] = 0, [AMOUNT_INFERRED] = 1, [AMOUNT_GAP] = 2,
		[AMOUNT_FIRST] = 3, [AMOUNT_RESET] = 4, [AMOUNT_MISSING] = 5,
	};

	return rank[state];
}

struct amount amount_add(struct amount a, struct amount b)
{
	struct amount weaker = weakness(a.state) >= weakness(b.state) ? a : b;

	if (a.state == AMOUNT_MISSING)
		return b;
	if (b.state == AMOUNT_MISSING)
		return a;
	if (!amount_known(weaker))
		return weaker;
	return (struct amount){
		.value = amount_sum64(a.value, b.value),
		.lo = amount_sum64(a.lo, b.lo),
		.hi = amount_sum64(a.hi, b.hi),
		.state = weaker.state,
		.scope = a.scope,
	};
}

struct amount amount_less(struct amount a, struct amount b)
{
	struct amount weaker = weakness(a.state) >= weakness(b.state) ? a : b;

	if (!amount_known(weaker))
		return weaker;
	return amount_add(a, (struct amount){ -b.value, -b.hi, -b.lo, b.state, b.scope });
}

int64_t amount_rate10(struct amount a, int64_t dt_us)
{
	const int64_t scale = 10 * 1000000;
	int64_t half = a.value < 0 ? -dt_us / 2 : dt_us / 2;

	if (!amount_known(a) || dt_us <= 0)
		return 0;
	/* Beyond this a rate has more digits than anybody reads. */
	if (a.value > LARGEST / scale - dt_us || a.value < -(LARGEST / scale - dt_us))
		return (int64_t)((double)a.value / (double)dt_us * (double)scale);
	return (a.value * scale + half) / dt_us;
}

const char *amount_state_name(enum amount_state state)
{
	static const char *const names[] = {
		[AMOUNT_MISSING] = "missing", [AMOUNT_FIRST] = "first", [AMOUNT_RESET] = "reset",
		[AMOUNT_GAP] = "gap", [AMOUNT_MEASURED] = "measured",
		[AMOUNT_INFERRED] = "inferred",
	};

	return names[state];
}

const char *amount_scope_name(enum amount_scope scope)
{
	static const char *const names[] = {
		[SCOPE_MACHINE] = "machine", [SCOPE_NODE] = "node", [SCOPE_MEMCG] = "memcg",
		[SCOPE_MEMCG_TREE] = "memcg with children",
	};

	return names[scope];
}

/* What an amount becomes in a step over a gap, and in one that has nothing to compare with. */
static struct amount in_step(const struct stepping *s, struct amount a)
{
	if (a.state == AMOUNT_MISSING)
		return a;
	if (!s->before)
		return unknown(s->none, (enum amount_scope)a.scope);
	if (amount_known(a) && s->out->state == STEP_GAP)
		a.state = AMOUNT_GAP;
	return a;
}

struct amount stepping_counter(const struct stepping *s, uint64_t before, uint64_t now,
			       enum amount_scope scope)
{
	return in_step(s, amount_counter(before, now, scope));
}

struct amount stepping_gauge(const struct stepping *s, uint64_t before, uint64_t now,
			     enum amount_scope scope)
{
	return in_step(s, amount_gauge(before, now, scope));
}

struct amount stepping_measured(const struct stepping *s, int64_t value, enum amount_scope scope)
{
	return in_step(s, measured(value, scope));
}

struct amount stepping_inferred(const struct stepping *s, const int64_t range[3],
				enum amount_scope scope)
{
	return in_step(s, amount_inferred(range[1], range[0], range[2], scope));
}

struct amount stepping_key(const struct stepping *s, const struct counters *before,
			   const struct counters *now, unsigned int key, enum amount_scope scope)
{
	return stepping_counter(s, before ? counters_get(before, key) : UNKNOWN,
				counters_get(now, key), scope);
}
