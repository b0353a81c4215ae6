/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/json-reader.h"

G_BEGIN_DECLS

/* Adds to VALUES (of PlgJsonValue) what begins at START in the data of READING, each before those
 * that it is made of, with its kind, line, size and number. What the scan lets pass need not be
 * JSON yet. */
gboolean
plg_json_scan (const PlgImportContext *context, const char *start, GArray *values, GError **error);

G_END_DECLS
