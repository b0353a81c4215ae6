/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What all backends that write XML need. */

/* Whether XML 1.0 can hold CHARACTER at all, and readers do not stumble over it. */
gboolean plg_markup_can_hold (gunichar character);
/* TEXT, escaped for elements and attributes; what XML cannot hold is left out. */
void plg_markup_text (GString *out, const char *text);
/* To 1/100 and without zeros at the end, the same in every locale; 0 for what is no number. */
void plg_markup_number (GString *out, double value);
/* ' NAME="VALUE"' */
void plg_markup_text_attribute (GString *out, const char *name, const char *value);
void plg_markup_number_attribute (GString *out, const char *name, double value);

G_END_DECLS
