/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* What a file says of one rank; -1 where it says nothing. */
typedef struct
{
  int line;
  int rank;
  int node;
  int host; /* plg_rank_table_host() */
  int gpu;  /* inside the node */
  int slot; /* where no row says its GPU, those of a node go by this, then by rank; else 0 */
  int index[PLG_N_AXES];
} PlgRankRow;

/* "# node 3: NAME" or "# host 3: NAME", as plg_launch_script_nodes() writes it. */
typedef struct
{
  int line;
  guint64 number;
  char *name;
} PlgListedHost;

/* What a file says of who sits where, whatever its format: made into settings, names of nodes and a
 * placement at the end. All rows say the same things. */
typedef struct
{
  GArray *rows;               /* of PlgRankRow */
  GPtrArray *hosts;           /* names in the order in which they were met */
  GHashTable *numbers;        /* name: its number + 1 */
  gboolean by_node;           /* rows number nodes, and not hosts */
  GArray *listed;             /* of PlgListedHost: comments before all ranks */
  GHashTable *list_positions; /* a name of these: where it is listed first, + 1 */
  int trays;                  /* of which a node was found to be */
  const char *guess; /* why GPUs that are not said follow the order of ranks; translated, or NULL */
} PlgRankTable;

void plg_rank_table_init (PlgRankTable *table);
void plg_rank_table_clear (PlgRankTable *table);

/* A row that says nothing yet. */
PlgRankRow plg_rank_row (int line);
/* The number of the host NAME in the file. FALSE with ERROR for what no host can be called. */
gboolean plg_rank_table_host (PlgRankTable *table,
                              const PlgImportContext *context,
                              int line,
                              const char *name,
                              int *host,
                              GError **error);
/* TEXT is a comment: a PlgListedHost, since names alone do not tell which node is which. Such lines
 * come before all ranks, in the order of the hosts; other comments say nothing. */
void plg_rank_table_comment (PlgRankTable *table, int line, const char *text);
/* The number that such a comment gives NAME; -1: none does. */
int plg_rank_table_number (const PlgRankTable *table, const char *name);
/* What the comments, which list all hosts up to it in their turn, call number HOST; NULL: nothing.
 */
const char *plg_rank_table_name (const PlgRankTable *table, int host);
/* FALSE with ERROR when there are more than any cluster has. */
gboolean plg_rank_table_add (PlgRankTable *table,
                             const PlgImportContext *context,
                             const PlgRankRow *row,
                             GError **error);

/* Tells READING what the rows say: each rank once, each GPU of as many nodes as are named once, and
 * where coordinates are given, degrees and order from which they follow. Hosts are the open plan's
 * where it knows all of them, else they are numbered in the order of their names. */
gboolean plg_rank_table_import (PlgRankTable *table, PlgImportContext *context, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgRankTable, plg_rank_table_clear)

G_END_DECLS
