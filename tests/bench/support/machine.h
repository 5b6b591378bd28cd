/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine.h - samples of a usual machine under some pressure, from a seed: one node, 60 memcgs of
 * which 5 are busy (the root is one), as many processes as a live session keeps rows of.
 *
 * Not a loop: no two seconds are alike, so that nothing which keeps or compresses them is flattered. What the
 * kernel says in several files (a list's size in vmstat, zoneinfo, meminfo) is the same in all of them, and how many
 * numbers of a memcg move in a second is as captured from kernels under pressure.
 */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include "reclaimtop/sample.h"

struct bench_machine;

/* cpus up to 64. processes, stats: with the processes, with memory.stat of the memcgs. */
struct bench_machine *bench_machine_new(uint64_t seed, uint32_t cpus, bool processes, bool stats);
void bench_machine_free(struct bench_machine *m);

/* The sample of the next second: the machine's own, good until the next call. */
const struct sample *bench_machine_next(struct bench_machine *m);

#endif
