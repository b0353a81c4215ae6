/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Appends TEXT, escaped for the value of an attribute or for the content of an element. */
void plg_xml_append_text (GString *out, const char *text, gboolean attribute);
/* Returns TEXT with U+FFFD in place of control characters, most of which XML cannot contain;
 * free with g_free(). */
char *plg_xml_replace_controls (const char *text);
/* Returns TEXT with U+FFFD in place of the characters that reverse the direction of text (U+202A
 * to U+202E, U+2066 to U+2069), because they could make one text look like another. Free with
 * g_free(). */
char *plg_xml_replace_bidi (const char *text);

G_END_DECLS
