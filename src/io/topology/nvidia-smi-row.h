/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/node-topology.h"

G_BEGIN_DECLS

/* The words of a table of `nvidia-smi topo -m`. */

/* The head of the table or a row. */
typedef struct
{
  int line;
  int tabs;
  GPtrArray *words; /* owned */
} PlgNvidiaSmiRow;

gboolean plg_nvidia_smi_is_gpu (const char *word);

/* Accepts "NIC0", "mlx5_0" and "bnxt_re3", but not "V18", the rest of a broken "NV18". */
gboolean plg_nvidia_smi_is_nic (const char *word);

/* Accepts the names of all columns. */
gboolean plg_nvidia_smi_is_title (const char *word);
gboolean plg_nvidia_smi_is_path (const char *word);

/* Parses a path such as "NV18" or "PIX". */
gboolean plg_nvidia_smi_read_path (const char *word, PlgPath *path);

/* Accepts the last word of a title of CPUs or NUMA nodes. */
gboolean plg_nvidia_smi_ends_title (const char *word);

/* Accepts the beginning of a path or title that a line break cut. */
gboolean plg_nvidia_smi_is_truncated (const char *word);

/* Splits a line into words (transfer full). */
GPtrArray *plg_nvidia_smi_split (const char *line);

/* Returns whether the words begin a row: a name and a path. */
gboolean plg_nvidia_smi_begins_row (const GPtrArray *words);
gboolean plg_nvidia_smi_begins_head (const GPtrArray *words);

/* plg_nvidia_smi_row_append:
 * @row: the row
 * @before: (nullable): the line before
 * @text: the line
 * @is_word: accepts a whole word of the row
 *
 * Adds the words of a line to a row and joins a word that the line break cut.
 */
void plg_nvidia_smi_row_append (PlgNvidiaSmiRow *row,
                                const char *before,
                                const char *text,
                                gboolean (*is_word) (const char *));

G_END_DECLS
