/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* TEXT without characters that control a terminal or reverse the writing direction, which file
 * names and contents may have; such a character becomes <U+202E>. Line feeds and tabs stay.
 * g_free(). */
char *plg_text_sanitize (const char *text);
/* The first CHARACTERS characters of the sanitized text on one line. g_free(). */
char *plg_text_sanitize_excerpt (const char *text, int characters);

G_END_DECLS
