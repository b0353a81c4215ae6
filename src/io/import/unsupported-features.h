/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/format.h"

G_BEGIN_DECLS

/* Writers use these functions to list, in a single error, all features of a plan that a format
 * does not support. */

/* Appends a reason and its remedy (translated, whole sentences) to WHY. */
void plg_unsupported_add (GString *why, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Frees WHY. Returns TRUE if WHY is empty, else FALSE with an ERROR that lists all reasons. */
gboolean plg_unsupported_finish (GString *why, GError **error);

G_END_DECLS
