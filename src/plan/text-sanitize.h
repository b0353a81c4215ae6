/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns TEXT without characters that control a terminal or reverse the writing direction,
 * which may occur in file names and file contents. Such a character is replaced by text such as
 * <U+202E>. Line feeds and tabs are kept. Free with g_free(). */
char *plg_text_sanitize (const char *text);
/* Returns the first CHARACTERS characters of the sanitized text, on one line. Free with
 * g_free(). */
char *plg_text_sanitize_excerpt (const char *text, int characters);

G_END_DECLS
