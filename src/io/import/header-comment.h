/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* Finds the first line that begins with BEGINNING, for example "# on ", and sets *LINE to its
 * number, from 1. Returns the text after BEGINNING, up to the end of the file and not just of
 * that line (borrowed). Returns NULL if no line begins with BEGINNING. */
const char *
plg_header_comment_find (const PlgImportContext *context, const char *beginning, int *line);

G_END_DECLS
