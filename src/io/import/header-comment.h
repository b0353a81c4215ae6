/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* Finds the first line that begins with BEGINNING, for example "# on ". Sets *LINE to its
 * number, from 1, and returns the rest of the file after BEGINNING (borrowed), or NULL. The
 * returned text continues after the end of the line. */
const char *
plg_header_comment_find (const PlgImportContext *context, const char *beginning, int *line);

G_END_DECLS
