/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* Finds the first line that begins with BEGINNING ("# on "). Sets *LINE to its number, from 1,
 * and returns the text of the file from the end of BEGINNING on, or NULL. The text is borrowed
 * and does not end at the line's end. */
const char *
plg_header_comment_find (const PlgImportContext *context, const char *beginning, int *line);

G_END_DECLS
