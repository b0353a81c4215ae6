/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/node-topology.h"

G_BEGIN_DECLS

/* Splits the tables that `nvidia-smi topo -m` prints into words. */

/* The words of the table's header or of one row. */
typedef struct
{
  int line;
  int tabs;
  GPtrArray *words; /* the words; owned */
} PlgNvidiaSmiRow;

gboolean plg_nvidia_smi_is_gpu (const char *word);

/* Accepts the name of a NIC, such as "NIC0", "mlx5_0" or "bnxt_re3". Rejects "V18", because it
 * can be the end of an "NV18" that a line break has cut in two. */
gboolean plg_nvidia_smi_is_nic (const char *word);

/* Accepts a word of a column title, such as "GPU0", "mlx5_0", "NUMA" or "Affinity". */
gboolean plg_nvidia_smi_is_title (const char *word);
gboolean plg_nvidia_smi_is_path (const char *word);

/* Parses a path such as "NV18" or "PIX". */
gboolean plg_nvidia_smi_read_path (const char *word, PlgPath *path);

/* Accepts the last word of a column title for CPUs or NUMA nodes, such as "Affinity" or "ID". */
gboolean plg_nvidia_smi_ends_title (const char *word);

/* Accepts the beginning of a path or title, which can be the last word of a truncated line. */
gboolean plg_nvidia_smi_is_truncated (const char *word);

/* Splits a line into words (transfer full). */
GPtrArray *plg_nvidia_smi_split (const char *line);

/* Returns whether WORDS is the start of a row, that is, a name followed by a path. */
gboolean plg_nvidia_smi_begins_row (const GPtrArray *words);
gboolean plg_nvidia_smi_begins_head (const GPtrArray *words);

/* plg_nvidia_smi_row_append:
 * @row: the row
 * @before: (nullable): the previous line
 * @text: the line
 * @is_word: accepts a whole word of the row
 *
 * Adds the words of a line to a row. Joins a word that the line break has cut in two. */
void plg_nvidia_smi_row_append (PlgNvidiaSmiRow *row,
                                const char *before,
                                const char *text,
                                gboolean (*is_word) (const char *));

G_END_DECLS
