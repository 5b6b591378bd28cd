/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load: makes a guest's memory busy in one known way, at a known pace, until it is told to stop.
 * It stands alone (static, no headers of ours), since it is what the program is measured against.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	LOAD_PAGE = 4096,
	LOAD_CHUNK = 64,	/* pages between two looks at the clock */
	LOAD_READ = 16,		/* pages at a time, of a file that is read here and there */
	LOAD_MAX_SETTINGS = 8,
};

/* How many pages a second may be touched, and how many were. */
struct pace {
	uint64_t rate;
	uint64_t begin_ns;
	uint64_t end_ns;	/* 0: no end */
	uint64_t due;		/* pages since begin_ns, for the rate */
	uint64_t touched;	/* pages in all, for the report */
};

struct load {
	const char *kind;
	const char *memcg;
	const char *settings[LOAD_MAX_SETTINGS];
	int n_settings;
	char **argv;
	struct pace pace;
	uint64_t random;
};

struct kind {
	const char *name;
	int n_args;
	uint64_t rate;
	int (*run)(struct load *load);
	const char *args;
	const char *what;
};

static volatile sig_atomic_t stopped;

static void on_stop(int sig)
{
	stopped = sig;
}

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "load: %s: %s\n", what, why);
	return 1;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void sleep_ns(uint64_t ns)
{
	struct timespec ts = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	nanosleep(&ts, NULL);
}

static uint64_t next_random(struct load *load)
{
	uint64_t x = load->random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return load->random = x;
}

/* 0 for what is no size: no kind has a use for a size of nothing. */
static uint64_t parse_size(const char *s)
{
	static const char units[] = "KMG";
	char *end;
	uint64_t n = strtoull(s, &end, 10);
	const char *unit = *end ? strchr(units, *end) : NULL;

	if (!unit)
		return *end ? 0 : n;
	return end[1] ? 0 : n << 10 * (unit - units + 1);
}

static bool going_on(const struct pace *pace)
{
	return !stopped && (!pace->end_ns || now_ns() < pace->end_ns);
}

/*
 * Accounts for pages and sleeps where they came too early.  A load that was stopped for a while, or
 * that the kernel held up, does not catch up afterwards: the pace begins anew.
 */
static bool pace_spend(struct pace *pace, uint64_t pages)
{
	uint64_t now;
	uint64_t due_ns;

	pace->touched += pages;
	pace->due += pages;
	if (pace->due % LOAD_CHUNK && pages < LOAD_CHUNK)
		return !stopped;
	now = now_ns();
	due_ns = pace->begin_ns + pace->due * 1000000000u / pace->rate;
	if (due_ns > now) {
		sleep_ns(due_ns - now);
	} else if (now - due_ns > 500000000u) {
		pace->begin_ns = now;
		pace->due = 0;
	}
	return going_on(pace);
}

static void report(const struct load *load, const char *event)
{
	printf("load: %s: %s: %" PRIu64 " pages\n", load->kind, event, load->pace.touched);
	fflush(stdout);
}

/* Small pages only: what is hot and cold is told apart by the page. */
static char *map_anon(uint64_t size)
{
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	madvise(p, size, MADV_NOHUGEPAGE);
	return p;
}

static bool touch(struct load *load, char *p, uint64_t first, uint64_t n)
{
	for (uint64_t i = first; i < first + n; i++) {
		/* A value of its own: pages of one value could be merged or not be stored at all. */
		*(volatile uint64_t *)(void *)(p + i * LOAD_PAGE) = load->pace.touched + 1;
		if (!pace_spend(&load->pace, 1))
			return false;
	}
	return true;
}

static int write_text(const char *dir, const char *file, const char *text)
{
	char path[4096];
	int fd;
	ssize_t n;

	if (snprintf(path, sizeof(path), "%s/%s", dir, file) >= (int)sizeof(path))
		return fail(dir, "too long");
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return fail(path, strerror(errno));
	n = write(fd, text, strlen(text));
	if (n < 0)
		fail(path, strerror(errno));
	return close(fd) || n < 0;
}

static int enter_memcg(const char *dir)
{
	if (mkdir(dir, 0755) && errno != EEXIST)
		return fail(dir, strerror(errno));
	return write_text(dir, "cgroup.procs", "0");
}

static int run_anon(struct load *load)
{
	uint64_t pages = parse_size(load->argv[0]) / LOAD_PAGE;
	uint64_t hot = pages * strtoull(load->argv[1], NULL, 10) / 100;
	char *p = map_anon(pages * LOAD_PAGE);

	if (!p || !hot || hot > pages)
		return fail("anon", "no such size");
	if (touch(load, p, 0, pages))
		report(load, "ready");
	while (touch(load, p, 0, hot))
		;
	return 0;
}

static int run_thrash(struct load *load)
{
	uint64_t pages = parse_size(load->argv[0]) / LOAD_PAGE;
	char *p = map_anon(pages * LOAD_PAGE);

	if (!p || !pages)
		return fail("thrash", "no such size");
	if (touch(load, p, 0, pages))
		report(load, "ready");
	while (touch(load, p, next_random(load) % pages, 1))
		;
	return 0;
}

static int run_limit(struct load *load)
{
	uint64_t pages = parse_size(load->argv[0]) / LOAD_PAGE / 2 * 2;
	char max[32];
	char *p = map_anon(2 * pages * LOAD_PAGE);

	if (!load->memcg || !p || !pages)
		return fail("limit", "needs -c, and a size");
	snprintf(max, sizeof(max), "%" PRIu64, pages * LOAD_PAGE);
	if (write_text(load->memcg, "memory.max", max))
		return 1;
	report(load, "ready");
	/* One page in two fits.  The first quarter is hot, the others are used in turn. */
	for (uint64_t at = pages / 2; touch(load, p, 0, pages / 2); at += pages / 2) {
		if (at >= 2 * pages)
			at = pages / 2;
		if (!touch(load, p, at, pages / 2))
			break;
	}
	return 0;
}

static int open_pages(const char *path, uint64_t *pages)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) || st.st_size < LOAD_PAGE) {
		fail(path, fd < 0 ? strerror(errno) : "too small");
		return -1;
	}
	*pages = (uint64_t)st.st_size / LOAD_PAGE;
	return fd;
}

static int run_file(struct load *load)
{
	static char buf[LOAD_READ * LOAD_PAGE];
	uint64_t pages;
	int fd = open_pages(load->argv[0], &pages);
	uint64_t head;

	if (fd < 0)
		return 1;
	head = pages * strtoull(load->argv[1], NULL, 10) / 100;
	if (!head || head > pages)
		return fail(load->argv[1], "no such part");
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	report(load, "ready");
	do {
		bool in_head = next_random(load) % 4 != 0;
		uint64_t page = next_random(load) % (in_head ? head : pages);

		page -= page % LOAD_READ;
		if (pread(fd, buf, sizeof(buf), (off_t)(page * LOAD_PAGE)) < 0)
			return fail(load->argv[0], strerror(errno));
	} while (pace_spend(&load->pace, LOAD_READ));
	return 0;
}

static int run_stream(struct load *load)
{
	static char buf[LOAD_CHUNK * LOAD_PAGE];
	uint64_t pages;
	int fd = open_pages(load->argv[0], &pages);

	if (fd < 0)
		return 1;
	report(load, "ready");
	do {
		ssize_t n = read(fd, buf, sizeof(buf));

		if (n < 0 || (n == 0 && lseek(fd, 0, SEEK_SET) < 0))
			return fail(load->argv[0], strerror(errno));
	} while (pace_spend(&load->pace, LOAD_CHUNK));
	return 0;
}

static int write_pages(struct load *load, uint64_t pages)
{
	static char buf[LOAD_CHUNK * LOAD_PAGE];
	int fd = open(load->argv[0], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0)
		return fail(load->argv[0], strerror(errno));
	for (uint64_t done = 0; done < pages; done += LOAD_CHUNK) {
		memset(buf, 'a' + (int)(done / LOAD_CHUNK % 26), sizeof(buf));
		if (write(fd, buf, sizeof(buf)) < 0) {
			fail(load->argv[0], strerror(errno));
			close(fd);
			return 1;
		}
		if (!pace_spend(&load->pace, LOAD_CHUNK))
			break;
	}
	fsync(fd);
	return close(fd) ? fail(load->argv[0], strerror(errno)) : 0;
}

static int run_fill(struct load *load)
{
	uint64_t pages = parse_size(load->argv[1]) / LOAD_PAGE;

	return pages ? write_pages(load, pages) : fail(load->argv[1], "no such size");
}

static int run_write(struct load *load)
{
	report(load, "ready");
	while (going_on(&load->pace)) {
		if (run_fill(load))
			return 1;
		unlink(load->argv[0]);
	}
	return 0;
}

/* Pages stay with the memcg that their process was in when it touched them first. */
static int run_memcgs(struct load *load)
{
	uint64_t n = strtoull(load->argv[1], NULL, 10);
	uint64_t pages = parse_size(load->argv[2]) / LOAD_PAGE;
	char *p = map_anon(n * pages * LOAD_PAGE);
	char dir[4096];

	if (!n || !pages || !p)
		return fail("memcgs", "no such number or size");
	if (mkdir(load->argv[0], 0755) && errno != EEXIST)
		return fail(load->argv[0], strerror(errno));
	if (write_text(load->argv[0], "cgroup.subtree_control", "+memory"))
		return 1;
	for (uint64_t i = 0; i < n; i++) {
		if (snprintf(dir, sizeof(dir), "%s/m%04" PRIu64, load->argv[0], i) >= (int)sizeof(dir))
			return fail(load->argv[0], "too long");
		if (enter_memcg(dir))
			return 1;
		if (!touch(load, p, i * pages, pages))
			return 0;
	}
	report(load, "ready");
	/* Each second memcg is used, the others go cold. */
	for (uint64_t i = 0; touch(load, p, i * pages, pages); i = (i + 2) % n)
		;
	return 0;
}

static int run_fork(struct load *load)
{
	uint64_t pages = parse_size(load->argv[0]) / LOAD_PAGE;

	if (!pages)
		return fail(load->argv[0], "no such size");
	report(load, "ready");
	while (pace_spend(&load->pace, pages)) {
		pid_t pid = fork();

		if (pid < 0)
			return fail("fork", strerror(errno));
		if (pid == 0) {
			char *p = map_anon(pages * LOAD_PAGE);

			for (uint64_t i = 0; p && i < pages; i++)
				p[i * LOAD_PAGE] = 1;
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	return 0;
}

static int run_hog(struct load *load)
{
	uint64_t pages = parse_size(load->argv[0]) / LOAD_PAGE;
	char *p;

	if (!pages)
		return fail(load->argv[0], "no such size");
	report(load, "ready");
	do {
		p = map_anon(pages * LOAD_PAGE);
	} while (p && touch(load, p, 0, pages));
	return 0;
}

static const struct kind kinds[] = {
	{ "anon", 2, 20000, run_anon, "SIZE HOT%", "anonymous memory; its first HOT% is written again and again" },
	{ "file", 2, 20000, run_file, "PATH HEAD%", "reads here and there, three of four times in the first HEAD%" },
	{ "thrash", 1, 20000, run_thrash, "SIZE", "anonymous memory, written at random: larger than memory, it swaps" },
	{ "limit", 1, 20000, run_limit, "SIZE", "twice SIZE of anonymous memory in a memcg (-c) limited to SIZE" },
	{ "memcgs", 3, 20000, run_memcgs, "DIR N SIZE", "N memcgs in DIR, each with SIZE of anonymous memory" },
	{ "stream", 1, 20000, run_stream, "PATH", "reads a file from end to end, over and over" },
	{ "write", 2, 10000, run_write, "PATH SIZE", "writes a file and deletes it, over and over" },
	{ "fill", 2, 1000000, run_fill, "PATH SIZE", "writes a file once" },
	{ "fork", 1, 20000, run_fork, "SIZE", "children that touch SIZE and exit" },
	{ "hog", 1, 20000, run_hog, "SIZE", "grows by SIZE, over and over, until it is killed" },
};

static int usage(void)
{
	fputs("usage: load [-c MEMCG] [-o FILE=VALUE]... [-t SECONDS] [-r PAGES] KIND ARGUMENTS\n"
	      "  -c MEMCG       the folder of the memcg to be in, made where it is missing\n"
	      "  -o FILE=VALUE  written to a file of that memcg first\n"
	      "  -t SECONDS     stop after so long (SIGTERM stops it at any time)\n"
	      "  -r PAGES       pages a second at most\n"
	      "Says \"ready\" when it has all it will have.  Kinds:\n", stderr);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		fprintf(stderr, "  %-7s%-12s%s\n", kinds[i].name, kinds[i].args, kinds[i].what);
	return 2;
}

static int apply_settings(const struct load *load)
{
	if (!load->memcg)
		return load->n_settings ? fail("-o", "needs -c") : 0;
	if (enter_memcg(load->memcg))
		return 1;
	for (int i = 0; i < load->n_settings; i++) {
		char file[64];
		const char *equals = strchr(load->settings[i], '=');
		int len = equals ? (int)(equals - load->settings[i]) : 0;

		if (!len || len >= (int)sizeof(file))
			return fail(load->settings[i], "not FILE=VALUE");
		snprintf(file, sizeof(file), "%.*s", len, load->settings[i]);
		if (write_text(load->memcg, file, equals + 1))
			return 1;
	}
	return 0;
}

static int run_kind(struct load *load, const struct kind *kind, uint64_t seconds)
{
	int status;

	load->kind = kind->name;
	if (!load->pace.rate)
		load->pace.rate = kind->rate;
	load->pace.begin_ns = now_ns();
	if (seconds)
		load->pace.end_ns = load->pace.begin_ns + seconds * 1000000000u;
	if (apply_settings(load))
		return 1;
	status = kind->run(load);
	report(load, "done");
	return status;
}

static int parse_options(struct load *load, int argc, char **argv, uint64_t *seconds)
{
	int opt;

	while ((opt = getopt(argc, argv, "+c:o:t:r:")) != -1) {
		if (opt == 'c')
			load->memcg = optarg;
		else if (opt == 'o' && load->n_settings < LOAD_MAX_SETTINGS)
			load->settings[load->n_settings++] = optarg;
		else if (opt == 't')
			*seconds = strtoull(optarg, NULL, 10);
		else if (opt == 'r')
			load->pace.rate = strtoull(optarg, NULL, 10);
		else
			return -1;
	}
	return optind;
}

int main(int argc, char **argv)
{
	struct load load = { .random = 88172645463325252u };
	struct sigaction stop = { .sa_handler = on_stop };
	uint64_t seconds = 0;
	int first = parse_options(&load, argc, argv, &seconds);

	if (first < 0 || first >= argc)
		return usage();
	sigaction(SIGTERM, &stop, NULL);
	sigaction(SIGINT, &stop, NULL);
	load.argv = argv + first + 1;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(kinds[i].name, argv[first]) == 0 && kinds[i].n_args == argc - first - 1)
			return run_kind(&load, &kinds[i], seconds);
	return usage();
}
