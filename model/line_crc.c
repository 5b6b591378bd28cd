/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CRC of a line. Whole files are gone over by it, so it takes eight bytes at a time: table k holds
 * what a byte does to the CRC when k more bytes follow it.
 */
#include <string.h>

#include "line.h"

void line_crc_init(struct codec *c)
{
	uint32_t (*t)[256] = c->crc_tables;

	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i;

		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
		t[0][i] = crc;
	}
	for (uint32_t i = 0; i < 256; i++)
		for (int k = 1; k < 8; k++)
			t[k][i] = t[k - 1][i] >> 8 ^ t[0][t[k - 1][i] & 0xff];
}

/* Four bytes as a number, the first one lowest, on any machine. */
static uint32_t word(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint32_t line_crc(const struct codec *c, const char *bytes, size_t len)
{
	const unsigned char *p = (const unsigned char *)bytes;
	const uint32_t (*t)[256] = c->crc_tables;
	uint32_t crc = UINT32_MAX;

	for (; len >= 8; p += 8, len -= 8) {
		uint32_t a = crc ^ word(p), b = word(p + 4);

		crc = t[7][a & 0xff] ^ t[6][a >> 8 & 0xff] ^ t[5][a >> 16 & 0xff] ^ t[4][a >> 24] ^
		      t[3][b & 0xff] ^ t[2][b >> 8 & 0xff] ^ t[1][b >> 16 & 0xff] ^ t[0][b >> 24];
	}
	for (; len; p++, len--)
		crc = t[0][(crc ^ *p) & 0xff] ^ crc >> 8;
	return ~crc;
}

static const char *tail_of(const char *line, size_t len)
{
	const char *tail;

	if (len < LINE_TAIL)
		return NULL;
	tail = line + len - LINE_TAIL;
	return memcmp(tail, ",\"crc\":\"", 8) || memcmp(tail + 16, "\"}", 2) ? NULL : tail;
}

bool line_intact(const struct codec *c, const char *line, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	const char *tail = tail_of(line, len);
	uint32_t crc = 0;

	for (int i = 8; tail && i < 16; i++) {
		const char *digit = memchr(digits, tail[i], 16);

		if (!digit)
			return false;
		crc = crc << 4 | (uint32_t)(digit - digits);
	}
	return tail && crc == line_crc(c, line, len - LINE_TAIL);
}

bool codec_is_whole(const char *line, size_t len)
{
	return tail_of(line, len) != NULL;
}

bool codec_intact(const struct codec *c, const char *line, size_t len)
{
	return line_intact(c, line, len);
}
