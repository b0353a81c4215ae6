/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns TEXT with each character that controls a terminal or reverses the writing direction
 * replaced by text such as <U+202E>. Such characters may occur in file names and file contents.
 * Line feeds and tabs are kept. Free with g_free(). */
char *plg_text_sanitize (const char *text);
/* Returns the first CHARACTERS characters of the sanitized text, on one line. Free with
 * g_free(). */
char *plg_text_sanitize_excerpt (const char *text, int characters);

G_END_DECLS
