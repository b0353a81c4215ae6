/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the value of the variable NAME as text, or NULL if it has no single value. */
typedef const char *(*PlgScannerLookup) (const char *name, gpointer data);

/* Evaluates the expression between $(( and )): whole numbers, variables with or without “$”, + -
 * * / %, parentheses, and one comparison, which gives 1 or 0. Returns FALSE for any other text,
 * for an overflow and for a division by zero. */
gboolean
plg_scanner_calculate (const char *text, PlgScannerLookup lookup, gpointer data, gint64 *value);

G_END_DECLS
