/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "entry.h"

#include <stdint.h>
#include <string.h>

#include "keys.h"

/* Add a character as UTF-8; one that does not fit is left out. */
static void type(char *text, size_t size, uint32_t c)
{
	size_t len = strlen(text), n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char leads[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	if (len + n >= size)
		return;
	text[len + n] = '\0';
	for (size_t i = n; i > 1; i--, c >>= 6)
		text[len + i - 1] = (char)(0x80 | (c & 0x3f));
	text[len] = (char)(leads[n] | c);
}

static void rub_out(char *text)
{
	size_t len = strlen(text);

	while (len && ((unsigned char)text[len - 1] & 0xc0) == 0x80)
		len--;
	text[len ? len - 1 : 0] = '\0';
}

bool entry_key(char *text, size_t size, int key)
{
	if (key == KEYCODE_BACKSPACE || key == KEYCODE_DELETE || key == 8 || key == 127)
		rub_out(text);
	else if (key >= ' ' && key < KEYCODE_SPECIAL && (key < 127 || key > 0xa0))
		type(text, size, (uint32_t)key);
	else
		return false;
	return true;
}
