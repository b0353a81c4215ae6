/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* What our own files say in a comment, where their format has no other place for it. */

/* What follows BEGINNING ("# on ") in the first line that begins so, and *LINE, from 1; NULL: there
 * is none. Borrowed from the file, up to its end. */
const char *
plg_header_comment_find (const PlgImportContext *context, const char *beginning, int *line);

G_END_DECLS
