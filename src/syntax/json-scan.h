/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/json-reader.h"

G_BEGIN_DECLS

/* Adds the values that begin at START in the data of CONTEXT to VALUES (of PlgJsonValue), each
 * value before its members and elements, with kind, line, size and number. Text that passes the
 * scan may still be invalid JSON. */
gboolean
plg_json_scan (const PlgImportContext *context, const char *start, GArray *values, GError **error);

G_END_DECLS
