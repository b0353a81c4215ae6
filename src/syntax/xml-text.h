/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Appends TEXT, escaped for the value of an attribute or the content of an element. */
void plg_xml_append_text (GString *out, const char *text, gboolean attribute);
/* Replaces control characters, most of which XML cannot contain, by U+FFFD. Free with g_free(). */
char *plg_xml_replace_controls (const char *text);
/* Replaces the characters that reverse the direction of text (U+202A to U+202E, U+2066 to
 * U+2069) by U+FFFD; they could make a name or an answer look like another. Free with g_free(). */
char *plg_xml_replace_bidi (const char *text);

G_END_DECLS
