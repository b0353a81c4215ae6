/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/node-topology.h"

G_BEGIN_DECLS

/* The words of a table of `nvidia-smi topo -m`. */

/* The names of the columns, or the words of a row. */
typedef struct
{
  int line;
  int tabs;
  GPtrArray *words; /* owned */
} PlgNvidiaSmiRow;

gboolean plg_nvidia_smi_is_gpu (const char *word);
/* "NIC0", "mlx5_0", "bnxt_re3"; not "V18", where a line was broken in "NV18". */
gboolean plg_nvidia_smi_is_nic (const char *word);
/* Names of columns, of paths and of what is behind them. */
gboolean plg_nvidia_smi_is_title (const char *word);
gboolean plg_nvidia_smi_is_path (const char *word);
/* The path that WORD stands for. */
gboolean plg_nvidia_smi_read_path (const char *word, PlgPath *path);
/* Whether WORD is the last one of a title of CPUs or NUMA nodes. */
gboolean plg_nvidia_smi_ends_title (const char *word);
/* Whether WORD, which is none, can be the beginning of a path or of a title. */
gboolean plg_nvidia_smi_is_truncated (const char *word);

/* The words of LINE, owned. */
GPtrArray *plg_nvidia_smi_split (const char *line);
/* Whether WORDS begin a row (a name and a path), or the head. */
gboolean plg_nvidia_smi_begins_row (const GPtrArray *words);
gboolean plg_nvidia_smi_begins_head (const GPtrArray *words);
/* Adds the words of the line TEXT, which follows the line BEFORE (NULL: it is the first). */
void plg_nvidia_smi_row_append (PlgNvidiaSmiRow *row,
                                const char *before,
                                const char *text,
                                gboolean (*is_word) (const char *));

G_END_DECLS
