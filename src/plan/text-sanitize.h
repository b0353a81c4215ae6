/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* TEXT without what steers a terminal or turns the rest of a line round, which names of files and
 * what stands in them may hold: such a character is written as <U+202E>. Line feeds and tabs stay.
 * g_free(). */
char *plg_text_sanitize (const char *text);
/* The first CHARACTERS of it on one line. g_free(). */
char *plg_text_sanitize_excerpt (const char *text, int characters);

G_END_DECLS
