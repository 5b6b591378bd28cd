/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pseudonym.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "reclaimtop/buf.h"

/* The key is a hash of this machine's id, which is known on the machine alone; one for the day where there is none. */
#define MACHINE_ID "/etc/machine-id"

struct pseudonyms {
	uint64_t key[2];
};

/* ---- SipHash-2-4 (Aumasson, Bernstein): nobody without the key can tell what was hashed ---- */

static uint64_t turn(uint64_t v, int bits)
{
	return v << bits | v >> (64 - bits);
}

static void rounds(uint64_t v[4], int n)
{
	while (n--) {
		v[0] += v[1];
		v[2] += v[3];
		v[1] = turn(v[1], 13) ^ v[0];
		v[3] = turn(v[3], 16) ^ v[2];
		v[0] = turn(v[0], 32);
		v[2] += v[1];
		v[0] += v[3];
		v[1] = turn(v[1], 17) ^ v[2];
		v[3] = turn(v[3], 21) ^ v[0];
		v[2] = turn(v[2], 32);
	}
}

static uint64_t siphash(const uint64_t key[2], const char *bytes, size_t len)
{
	uint64_t v[4] = { key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du,
			  key[0] ^ 0x6c7967656e657261u, key[1] ^ 0x7465646279746573u };

	for (size_t at = 0; at <= len; at += 8) {
		size_t left = len - at < 8 ? len - at : 8;
		uint64_t word = left < 8 ? (uint64_t)len << 56 : 0;

		for (size_t i = 0; i < left; i++)
			word |= (uint64_t)(unsigned char)bytes[at + i] << 8 * i;
		v[3] ^= word;
		rounds(v, 2);
		v[0] ^= word;
	}
	v[2] ^= 0xff;
	rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* ---- the key ---- */

static size_t read_machine_id(char *out, size_t size)
{
	int fd = open(MACHINE_ID, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, out, size);

	if (fd >= 0)
		close(fd);
	return n >= 32 ? (size_t)n : 0;
}

/* The kernel's random bytes, or at least this moment's addresses. */
static void random_key(uint64_t key[2])
{
	if (getrandom(key, 2 * sizeof(*key), 0) == 2 * sizeof(*key))
		return;
	key[0] = (uint64_t)(uintptr_t)&key;
	key[1] = (uint64_t)(uintptr_t)key ^ (uint64_t)getpid() << 32;
}

struct pseudonyms *pseudonyms_new(void)
{
	static const uint64_t purpose[2][2] = { { 0x7265636c61696d74u, 1 }, { 0x6f702070736e796du, 2 } };
	struct pseudonyms *p = mem_alloc(sizeof(*p));
	char id[64];
	size_t len = read_machine_id(id, sizeof(id));

	if (!len) {
		random_key(p->key);
		return p;
	}
	for (int i = 0; i < 2; i++)
		p->key[i] = siphash(purpose[i], id, len);
	return p;
}

void pseudonyms_free(struct pseudonyms *p)
{
	free(p);
}

/* ---- names ---- */

#define PSEUDONYM 9  /* a letter and 8 characters of 5 bits */

static void pseudonym(const struct pseudonyms *p, char kind, const char *name, size_t len, char out[PSEUDONYM])
{
	static const char letters[] = "0123456789abcdefghjkmnpqrstvwxyz";
	uint64_t h = siphash(p->key, name, len);

	out[0] = kind;
	for (int i = 1; i < PSEUDONYM; i++, h >>= 5)
		out[i] = letters[h & 31];
}

/* How much of the name's end systemd put there. */
static size_t suffix_len(const char *name, size_t len)
{
	static const char *const suffixes[] = {
		".service", ".slice", ".scope", ".socket", ".mount", ".swap", ".automount",
	};

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		size_t n = strlen(suffixes[i]);

		if (len > n && !memcmp(name + len - n, suffixes[i], n))
			return n;
	}
	return 0;
}

/* Each part of a path; slashes stay where they are. */
static const char *path_of(const struct pseudonyms *p, const char *path, struct arena *a)
{
	struct buf b = { 0 };
	const char *result;

	while (*path) {
		size_t slashes = strspn(path, "/"), len = strcspn(path + slashes, "/"), end;
		char name[PSEUDONYM];

		buf_add(&b, path, slashes);
		path += slashes;
		end = suffix_len(path, len);
		if (len) {
			pseudonym(p, 'g', path, len - end, name);
			buf_add(&b, name, sizeof(name));
			buf_add(&b, path + len - end, end);
		}
		path += len;
	}
	result = arena_strn(a, b.data ? b.data : "", b.len);
	buf_fini(&b);
	return result;
}

const char *pseudonym_of_process(const struct pseudonyms *p, const char *name, struct arena *a)
{
	char out[PSEUDONYM];

	pseudonym(p, 'p', name, strlen(name), out);
	return arena_strn(a, out, sizeof(out));
}

void pseudonyms_apply(const struct pseudonyms *p, struct sample *s)
{
	for (uint32_t i = 0; i < s->nlruvecs; i++)
		if (s->lruvecs[i].path)
			s->lruvecs[i].path = path_of(p, s->lruvecs[i].path, s->arena);
	for (uint32_t i = 0; i < s->nmemcgs; i++)
		if (s->memcgs[i].path)
			s->memcgs[i].path = path_of(p, s->memcgs[i].path, s->arena);
	for (uint32_t i = 0; i < s->nprocesses; i++) {
		struct process *q = &s->processes[i];

		if (q->memcg)
			q->memcg = path_of(p, q->memcg, s->arena);
		if (q->name && q->kind == PROCESS_USER)
			q->name = pseudonym_of_process(p, q->name, s->arena);
	}
}
