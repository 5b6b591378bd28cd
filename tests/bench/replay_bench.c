/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording of 20,000 samples, or as many as SAMPLES in the environment says (86400 is a day), plain
 * and compressed: CPU time to the first picture and to the picture behind any jump, and the memory that
 * all of it takes.
 *
 * Exit 1 where the first picture takes more than 300 ms, any jump more
 * than 30 ms, or memory more than 64 MiB.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reclaimtop/clock.h"
#include "reclaimtop/recording.h"
#include "tests/bench/support/machine.h"
#include "ui/cli/replay.h"
#include "ui/tui/tui.h"

#define USUAL 20000
#define JUMPS 60

/* --- the file --- */

static void write_day(const char *path, long samples)
{
	const struct recorder_options options = { .overwrite = true };
	struct bench_machine *m = bench_machine_new(7, 2, true, true);
	const char *why = "";
	struct recorder *r = recorder_open(path, &options, &why);

	if (!r) {
		fprintf(stderr, "%s: %s\n", path, why);
		exit(1);
	}
	for (long i = 0; i < samples; i++)
		if (recorder_put(r, bench_machine_next(m)))
			exit(1);
	printf("  %s: %ld samples, %.0f MB\n", strrchr(path, '/') + 1, samples,
	       (double)recorder_bytes(r) / 1e6);
	recorder_close(r);
	bench_machine_free(m);
}

/* --- the screen --- */

struct screen {
	struct feed *feed;
	struct tui *tui;
	struct grid grid;
	struct frame f;
};

/* Work until a frame came, and draw it. */
static void draw(struct screen *s)
{
	while (!s->feed->ops->take(s->feed, &s->f))
		;
	tui_frame(s->tui, &s->f);
	tui_draw(s->tui, 0, &s->grid);
}

static void press(struct screen *s, const char *keys)
{
	for (; *keys; keys++)
		if (tui_key(s->tui, *keys == '\n' ? 13 : *keys) & TUI_WISH)
			s->feed->ops->wish(s->feed, tui_wish(s->tui));
}

/* Until nothing is left to do, and nothing comes for so long. */
static void settle(struct screen *s, int ms)
{
	struct pollfd fd = { .fd = s->feed->ops->fd(s->feed), .events = POLLIN };

	while (poll(&fd, 1, ms) > 0)
		if (s->feed->ops->take(s->feed, &s->f))
			tui_frame(s->tui, &s->f);
}

/* From the key to the picture of what was wished for. */
static int64_t jump_us(struct screen *s, const char *keys)
{
	int64_t start;

	settle(s, 0);
	start = clock_cpu_us();
	press(s, keys);
	draw(s);
	return clock_cpu_us() - start;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static void jumps(struct screen *s, const char *name, const char *keys[2], bool *bad)
{
	int64_t us[JUMPS];

	for (int i = 0; i < JUMPS; i++)
		us[i] = jump_us(s, keys[i % 2]);
	qsort(us, JUMPS, sizeof(us[0]), compare);
	printf("  %-22s %6.1f ms in the middle, %6.1f ms at the most (CPU)\n", name,
	       (double)us[JUMPS / 2] / 1e3, (double)us[JUMPS - 1] / 1e3);
	*bad |= us[JUMPS - 1] > 30000;
}

static double resident_mib(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	if (!f || fscanf(f, "%*u %lu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1048576;
}

static bool run(const char *path, long samples)
{
	char on[32], back[32];
	const char *far[2] = { on, back }, *step[2] = { "T", "T" };
	const struct replay_options o = { path, false, INT64_C(3600000000), 0, NULL };
	const struct tui_options to = { .view = VIEW_OVERVIEW };
	int64_t start = clock_cpu_us(), first;
	struct screen s = { .tui = tui_new(&to) };
	const char *why = "";
	struct recording *r = recording_open(path, 0, &why);
	struct replay *replay = r ? replay_new(r, &o) : NULL;
	bool bad = false;

	if (!replay) {
		fprintf(stderr, "%s: %s\n", path, why);
		return true;
	}
	grid_resize(&s.grid, 40, 120);
	s.feed = replay_feed(replay);
	draw(&s);
	first = clock_cpu_us() - start;
	printf("  first picture          %6.1f ms (CPU)\n", (double)first / 1e3);
	start = clock_cpu_us();
	settle(&s, 400);
	printf("  all looked at          %6.1f s (CPU)\n", (double)(clock_cpu_us() - start) / 1e6);
	/* A third of it on, and nearly as much back. */
	snprintf(on, sizeof(on), "j%lds\n", samples / 3);
	snprintf(back, sizeof(back), "J%lds\n", samples / 3 - samples / 700);
	jumps(&s, "long jumps", far, &bad);
	jumps(&s, "steps back", step, &bad);
	printf("  memory                 %6.1f MiB\n", resident_mib());
	bad |= first > 300000 || resident_mib() > 64;
	tui_free(s.tui);
	grid_fini(&s.grid);
	replay_free(replay);
	return bad;
}

int main(void)
{
	const char *dir = getenv("TMPDIR"), *asked = getenv("SAMPLES"), *names[] = { "day.jsonl", "day.jsonl.zst" };
	long samples = asked ? strtol(asked, NULL, 10) : USUAL;
	char path[512];
	bool bad = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/reclaimtop-%ld-%s", dir ? dir : "/tmp",
			 (long)getpid(), names[i]);
		write_day(path, samples);
		bad |= run(path, samples);
		unlink(path);
	}
	return bad;
}
