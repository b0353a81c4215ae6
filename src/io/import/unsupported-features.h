/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/format.h"

G_BEGIN_DECLS

/* All that a format cannot say of a plan, so that people can mend it at once and not one thing
 * after the other. */

/* Adds a reason with its remedy (translated, whole sentences) to WHY. */
void plg_unsupported_add (GString *why, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* TRUE where there is no reason; else FALSE and an ERROR of all of them. WHY is freed. */
gboolean plg_unsupported_finish (GString *why, GError **error);

G_END_DECLS
