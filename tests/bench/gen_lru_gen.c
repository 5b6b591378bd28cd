/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gen_lru_gen - an lru_gen of a busy machine, in the kernel's exact format, on standard output.
 *
 * usage: gen_lru_gen [MEMCGS [NODES [SEED]]]    5000 memcgs on 2 nodes if not said otherwise
 *
 * The same arguments give the same text. Containers of a few pods, most with four generations, a
 * few removed ones.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Small numbers are common and large ones not rare, as sizes of memcgs are. */
static uint64_t skewed(uint64_t *state, int bits)
{
	int keep = (int)(next(state) % (uint64_t)(bits + 1));

	return next(state) & ((UINT64_C(1) << keep) - 1);
}

static void print_node(uint64_t *state, int node)
{
	uint64_t gens = next(state) % 8 ? 4 : 2 + next(state) % 2;
	uint64_t seq = skewed(state, 14);
	uint64_t age = 1000 * gens + skewed(state, 29);

	printf(" node %5d\n", node);
	for (uint64_t i = 0; i < gens; i++) {
		printf(" %10" PRIu64 " %10" PRIu64, seq + i, age / (i + 1));
		printf(" %10" PRIu64 "%c", skewed(state, 20), ' ');
		printf(" %10" PRIu64 "%c\n", skewed(state, 22), ' ');
	}
}

int main(int argc, char **argv)
{
	unsigned int memcgs = argc > 1 ? (unsigned int)atoi(argv[1]) : 5000;
	int nodes = argc > 2 ? atoi(argv[2]) : 2;
	uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	uint64_t state = UINT64_C(0x9e3779b97f4a7c15) * seed;

	state += !state;
	for (unsigned int i = 0; i < memcgs; i++) {
		unsigned int id = i && next(&state) % 50 == 0 ? 0 : (i + 1) & 0xffff;

		if (!i)
			printf("memcg %5u /\n", id);
		else if (i % 4 == 1)
			printf("memcg %5u /system.slice/service-%u.service\n", id, i);
		else
			printf("memcg %5u /kubepods.slice/kubepods-pod%08x.slice/cri-%016" PRIx64
			       ".scope\n",
			       id, i / 4, next(&state));
		for (int node = 0; node < nodes; node++)
			print_node(&state, node);
	}
	return 0;
}
