/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Functions for escaping text and writing numbers, shared by all XML exports. */

/* Returns whether XML 1.0 allows CHARACTER and common XML readers accept it. */
gboolean plg_markup_can_hold (gunichar character);
/* Appends TEXT, escaped for elements and attributes and without the characters that XML forbids.
 * plg_xml_append_text() escapes a different set of characters. Both functions are kept so that
 * the files they write stay byte-for-byte the same. */
void plg_markup_text (GString *out, const char *text);
/* Appends VALUE rounded to 1/100 without trailing zeros, independent of the locale. Appends 0
 * for NAN and infinity. */
void plg_markup_number (GString *out, double value);
/* Append ' NAME="VALUE"', with VALUE escaped or rounded. */
void plg_markup_text_attribute (GString *out, const char *name, const char *value);
void plg_markup_number_attribute (GString *out, const char *name, double value);

G_END_DECLS
