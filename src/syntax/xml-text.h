/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Text as an attribute's value or an element's content can hold it. */
void plg_xml_append_text (GString *out, const char *text, gboolean attribute);
/* XML has no way to write most control characters: they become U+FFFD. g_free(). */
char *plg_xml_replace_controls (const char *text);
/* What turns the order of letters around (U+202A to U+202E, U+2066 to U+2069) could make a name or
 * an answer read as another, and the rest of a line with it: it becomes U+FFFD. g_free(). */
char *plg_xml_replace_bidi (const char *text);

G_END_DECLS
