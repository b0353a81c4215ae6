/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A position in a file. Errors about a file carry their position, so no code has to parse it
 * from the message. */
typedef struct
{
  int line;   /* from 1; 0 if the error concerns the whole file */
  int column; /* in characters, from 1; 0 if only the line is known */
} PlgFilePosition;

/* Returns "LINE:COLUMN: ", or "LINE: " if the column is 0, or "" if the line is 0; free with
 * g_free(). */
char *plg_file_position_text (PlgFilePosition position) G_GNUC_WARN_UNUSED_RESULT;
/* Inserts the text of POSITION, such as "LINE:COLUMN: ", before the message of ERROR. */
void plg_file_position_prefix (PlgFilePosition position, GError **error);
/* Returns a negative number if A comes before B, 0 if they are equal, otherwise a positive
 * number. */
int plg_file_position_compare (PlgFilePosition a, PlgFilePosition b);

G_END_DECLS
