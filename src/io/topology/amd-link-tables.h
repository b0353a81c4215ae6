/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* AMD's programs print the links between the GPUs of a node as tables. Each table has a header
 * with the names of all GPUs and one row per GPU. */
typedef enum
{
  PLG_AMD_LINK_WEIGHT,
  PLG_AMD_LINK_HOPS,
  PLG_AMD_LINK_TYPE,
  PLG_AMD_LINK_BANDWIDTH, /* the rate [MB/s] of one link, then of all links between a pair, for
                             example "50000-100000" */
  PLG_AMD_LINK_NONE,
} PlgAmdLinkTable;
#define PLG_N_AMD_LINK_TABLES 4

/* The format of one program's output. */
typedef struct
{
  const char *titles[PLG_N_AMD_LINK_TABLES]; /* the title of each table; NULL for a table that
                                                the program does not print */
  /* returns whether WORD is a GPU's name, and sets *GPU to the number in the name, or to -1 if
   * the name has no number */
  gboolean (*is_name) (const char *word, int *gpu);
  const char *first_names; /* the names of the first two GPUs, such as "GPU0, GPU1", for error
                              messages */
} PlgAmdLinkProgram;

typedef struct
{
  const PlgAmdLinkProgram *program;
  PlgImportContext *context;
  int gpus;                                                 /* the number of GPUs; 0 until the
                                                               first header is read */
  int head_line;                                            /* the line number of the first
                                                               header */
  char **names;                                             /* the names of the GPUs in the first
                                                               header */
  PlgAmdLinkTable table;                                    /* the table that contains the
                                                               current line */
  char **row[PLG_N_AMD_LINK_TABLES][PLG_MAX_GPUS_PER_NODE]; /* the cells of each GPU's row; NULL
                                                               if the file lacks the row */
  int line[PLG_N_AMD_LINK_TABLES][PLG_MAX_GPUS_PER_NODE];   /* the line number of each GPU's row */
  int numa[PLG_MAX_GPUS_PER_NODE];                          /* the NUMA node of each GPU; -1 if
                                                               unknown */
} PlgAmdLinkTables;

/* Reads line number LINE (from 1). TEXT is the line without trailing white space. */
typedef gboolean (*PlgAmdLinkLineFunc) (PlgAmdLinkTables *tables,
                                        int line,
                                        const char *text,
                                        GError **error);

/* plg_amd_link_tables_read:
 * @program: the format of the program that printed the file
 * @context: the import
 * @read_line: reads each line of the file
 *
 * Reads the tables and sets the node type and the map of the paths between its GPUs. Fails if
 * the file lacks the link types of a GPU, or if the link types of a pair differ between the two
 * directions. */
gboolean plg_amd_link_tables_read (const PlgAmdLinkProgram *program,
                                   PlgImportContext *context,
                                   PlgAmdLinkLineFunc read_line,
                                   GError **error);

/* Returns the table whose title occurs in the text, or PLG_AMD_LINK_NONE. */
PlgAmdLinkTable plg_amd_link_tables_find_title (const PlgAmdLinkProgram *program, const char *text);

/* Reads a line of the current table, either its header or a row. Skips other lines. */
gboolean plg_amd_link_tables_read_line (PlgAmdLinkTables *tables,
                                        int line,
                                        const char *text,
                                        GError **error);

G_END_DECLS
