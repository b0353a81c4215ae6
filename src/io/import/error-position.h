/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/file-position.h"

G_BEGIN_DECLS

/* Adds POSITION to ERROR, and to the start of its message. The domain of ERROR must be
 * PLG_FORMAT_ERROR or PLG_PLAN_ERROR. */
void plg_error_add_position (GError **error, PlgFilePosition position);
/* Returns the position in the file that was added to ERROR; line 0 if ERROR has no position. */
PlgFilePosition plg_error_position (const GError *error);
/* Returns the message of ERROR without its position. Borrowed from ERROR. */
const char *plg_error_text (const GError *error);

G_END_DECLS
