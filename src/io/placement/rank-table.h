/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* One rank in a file. Values that the file does not state are -1. */
typedef struct
{
  int line;
  int rank;
  int node;
  int host; /* host number from plg_rank_table_host() */
  int gpu;  /* GPU number within the node */
  int slot; /* sort key by which the ranks of a node get GPUs if the file states no GPUs,
               otherwise 0; ranks with equal keys are sorted by rank */
  int index[PLG_N_AXES];
} PlgRankRow;

/* A comment "# node 3: NAME" or "# host 3: NAME" as written by plg_launch_script_nodes(). */
typedef struct
{
  int line;
  guint64 number;
  char *name;
} PlgListedHost;

/* The ranks read from a file of any format. plg_rank_table_import() turns them into settings,
 * node names and a placement. All rows have values for the same members. */
typedef struct
{
  GArray *rows;               /* element-type PlgRankRow */
  GPtrArray *hosts;           /* host names in the order of the file */
  GHashTable *numbers;        /* host name → 1 + its index in HOSTS */
  gboolean by_node;           /* TRUE if the node numbers in the rows identify nodes, FALSE if
                                 they identify hosts */
  GArray *listed;             /* element-type PlgListedHost; hosts in the comments before the
                                 first rank */
  GHashTable *list_positions; /* host name → 1 + its first index in LISTED */
  int trays;                  /* hosts per node */
  const char *guess; /* translated explanation of why ranks without a GPU get GPUs in order, or
                        NULL */
} PlgRankTable;

void plg_rank_table_init (PlgRankTable *table);
void plg_rank_table_clear (PlgRankTable *table);

/* Returns a row for LINE with all other values -1. */
PlgRankRow plg_rank_row (int line);
/* Sets *HOST to the number of the host NAME, and adds the host if it is new. Returns FALSE with
 * ERROR if NAME is an invalid host name. */
gboolean plg_rank_table_host (PlgRankTable *table,
                              const PlgImportContext *context,
                              int line,
                              const char *name,
                              int *host,
                              GError **error);
/* Adds the host to the list if TEXT is a comment such as "# node 3: NAME". Ignores comments
 * after the first rank. */
void plg_rank_table_comment (PlgRankTable *table, int line, const char *text);
/* Returns the number that the file's comments give the host NAME, or -1 if they do not list it. */
int plg_rank_table_number (const PlgRankTable *table, const char *name);
/* Returns the name in entry HOST, counted from 0, of the list in the file's comments. Returns NULL
 * if there is no such entry or if its number is not HOST. */
const char *plg_rank_table_name (const PlgRankTable *table, int host);
/* Appends ROW. Returns FALSE with ERROR if the table would have more rows than the largest
 * possible cluster has GPUs. */
gboolean plg_rank_table_add (PlgRankTable *table,
                             const PlgImportContext *context,
                             const PlgRankRow *row,
                             GError **error);

/* Sets the number of nodes, their names and the placement. If the rows have coordinates, also
 * sets the degrees and the axis order. Each rank and each GPU must occur exactly once. Hosts
 * without numbers take the open plan's numbers if the plan has all of these hosts; otherwise
 * they are numbered in the order of their names. */
gboolean plg_rank_table_import (PlgRankTable *table, PlgImportContext *context, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgRankTable, plg_rank_table_clear)

G_END_DECLS
