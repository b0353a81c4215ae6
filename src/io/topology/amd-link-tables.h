/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* AMD's programs print the links between the GPUs of a node as tables. Each table has a head with
 * the names of all GPUs and one row per GPU. */
typedef enum
{
  PLG_AMD_LINK_WEIGHT,
  PLG_AMD_LINK_HOPS,
  PLG_AMD_LINK_TYPE,
  PLG_AMD_LINK_BANDWIDTH, /* [MB/s] of one link and of all links of a pair: "50000-100000" */
  PLG_AMD_LINK_NONE,
} PlgAmdLinkTable;
#define PLG_N_AMD_LINK_TABLES 4

/* The output of one program. */
typedef struct
{
  const char *titles[PLG_N_AMD_LINK_TABLES];        /* NULL: the program has no such table */
  gboolean (*is_name) (const char *word, int *gpu); /* sets GPU to the name's number, or -1 */
  const char *first_names;                          /* "GPU0, GPU1", for messages */
} PlgAmdLinkProgram;

typedef struct
{
  const PlgAmdLinkProgram *program;
  PlgImportContext *context;
  int gpus;                                                 /* 0 before the first head */
  int head_line;                                            /* the line of the first head */
  char **names;                                             /* the names in the first head */
  PlgAmdLinkTable table;                                    /* the table of the current line */
  char **row[PLG_N_AMD_LINK_TABLES][PLG_MAX_GPUS_PER_NODE]; /* the cells; NULL: no such row */
  int line[PLG_N_AMD_LINK_TABLES][PLG_MAX_GPUS_PER_NODE];   /* the lines of the rows */
  int numa[PLG_MAX_GPUS_PER_NODE];                          /* NUMA nodes; -1: unknown */
} PlgAmdLinkTables;

/* Reads one line. The text has no space at its end. */
typedef gboolean (*PlgAmdLinkLineFunc) (PlgAmdLinkTables *tables,
                                        int line,
                                        const char *text,
                                        GError **error);

/* plg_amd_link_tables_read:
 * @program: the program that printed the file
 * @context: the import
 * @read_line: reads each line of the file
 *
 * Reads the tables and sets the node and its map. The read fails if a GPU has no link types, or if
 * the types of a pair differ between the two directions.
 */
gboolean plg_amd_link_tables_read (const PlgAmdLinkProgram *program,
                                   PlgImportContext *context,
                                   PlgAmdLinkLineFunc read_line,
                                   GError **error);

/* Returns the table whose title occurs in the text, or PLG_AMD_LINK_NONE. */
PlgAmdLinkTable plg_amd_link_tables_find_title (const PlgAmdLinkProgram *program, const char *text);

/* Reads a line of the current table: its head or a row. Other lines are skipped. */
gboolean plg_amd_link_tables_read_line (PlgAmdLinkTables *tables,
                                        int line,
                                        const char *text,
                                        GError **error);

G_END_DECLS
