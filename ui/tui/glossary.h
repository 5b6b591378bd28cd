/* SPDX-License-Identifier: GPL-2.0-or-later */
/* glossary.h - the terms of art that the screen prints, from A to Z, each in a line or two: a part of the help. */
#ifndef TUI_GLOSSARY_H
#define TUI_GLOSSARY_H

#include <stdint.h>

#define GLOSSARY_INDENT 17    /* columns of the words; the texts stand beside them */

struct glossary_entry {
	const char *words;      /* the term, and those explained with it: "low, min, high" */
	const char *text;
};

extern const struct glossary_entry glossary[];
extern const uint32_t nglossary;

#endif
