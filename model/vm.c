/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vm.c - steps of /proc/vmstat, of pressure and of processes.
 */
#include <string.h>

#include "model/keyed.h"
#include "model/stepping.h"

/* Counters whose names look like gauges, and the other way round. */
static const uint16_t counters[] = {
	VM_nr_vmscan_write, VM_nr_vmscan_immediate_reclaim, VM_nr_dirtied, VM_nr_written,
	VM_nr_throttled_written, VM_nr_foll_pin_acquired, VM_nr_foll_pin_released,
};

static const uint16_t gauges[] = { VM_workingset_nodes };

static bool is_in(uint32_t key, const uint16_t *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == key)
			return true;
	return false;
}

bool step_vm_is_gauge(uint32_t key)
{
	if (strncmp(keytab_vmstat.keys[key].name, "nr_", 3))
		return is_in(key, gauges, sizeof(gauges) / sizeof(gauges[0]));
	return !is_in(key, counters, sizeof(counters) / sizeof(counters[0]));
}

static void step_stalls(struct stepping *s)
{
	static const struct psi none;

	for (int i = 0; i < PSI_NR; i++) {
		const struct psi *was = s->before ? &s->before->psi[i] : &none;
		const struct psi *is = &s->now->psi[i];
		struct stall *out = &s->out->stall[i];

		out->some_us = stepping_counter(s, was->some.total_us, is->some.total_us,
						SCOPE_MACHINE);
		out->full_us = stepping_counter(s, was->full.total_us, is->full.total_us,
						SCOPE_MACHINE);
	}
}

void stepping_vm(struct stepping *s)
{
	const struct counters *was = s->before ? &s->before->vmstat : NULL;
	const struct counters *is = &s->now->vmstat;

	s->out->vm = arena_alloc(s->arena, VM_NR * sizeof(*s->out->vm));
	for (uint32_t key = 0; key < VM_NR; key++) {
		uint64_t before = was ? counters_get(was, key) : UNKNOWN;
		uint64_t now = counters_get(is, key);

		s->out->vm[key] = step_vm_is_gauge(key)
					  ? stepping_gauge(s, before, now, SCOPE_MACHINE)
					  : stepping_counter(s, before, now, SCOPE_MACHINE);
	}
	step_stalls(s);
}

static struct keyed_name process_name(const struct process *p)
{
	return (struct keyed_name){ NULL, p->pid, p->start_ticks };
}

/* CPU of one process in milliseconds; a tick more or less is the clock's, not its. */
static struct amount cpu_ms(const struct stepping *s, const struct process *was,
			    const struct process *is)
{
	struct amount ticks = stepping_counter(s, was ? was->cpu_ticks : UNKNOWN, is->cpu_ticks,
					       SCOPE_MACHINE);
	int64_t hz = s->now->machine.hz ? (int64_t)s->now->machine.hz : 100;

	/* What is larger was never a time. */
	if (ticks.value < INT64_MAX / 1000)
		ticks.value = ticks.lo = ticks.hi = ticks.value * 1000 / hz;
	return ticks;
}

void stepping_processes(struct stepping *s)
{
	uint32_t n = s->now->nprocesses;
	uint32_t nwas = s->before ? s->before->nprocesses : 0;
	struct keyed known = keyed_new(s->arena, nwas);
	const struct process **first = arena_alloc(s->arena, nwas * sizeof(struct process *));

	for (uint32_t i = 0; i < nwas; i++)
		first[keyed_put(&known, process_name(&s->before->processes[i]))] =
			&s->before->processes[i];
	s->out->nprocesses = n;
	s->out->processes = arena_alloc(s->arena, n * sizeof(*s->out->processes));
	for (uint32_t i = 0; i < n; i++) {
		const struct process *is = &s->now->processes[i];
		uint32_t at = keyed_find(&known, process_name(is));
		const struct process *was = at == KEYED_NONE ? NULL : first[at];
		struct process_step *out = &s->out->processes[i];

		out->now = is;
		out->cpu_ms = cpu_ms(s, was, is);
		out->major_faults = stepping_counter(s, was ? was->major_faults : UNKNOWN,
						     is->major_faults, SCOPE_MACHINE);
	}
}
