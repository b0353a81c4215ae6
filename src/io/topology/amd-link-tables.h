/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* The tables of weights, hops, kinds and rates of the links between the GPUs of a node, as AMD's
 * programs print them: the names of all GPUs above, then a row of each GPU. */
typedef enum
{
  PLG_AMD_LINK_WEIGHT,
  PLG_AMD_LINK_HOPS,
  PLG_AMD_LINK_TYPE,
  PLG_AMD_LINK_BANDWIDTH, /* of one link, and of all between two GPUs: "50000-100000" MB/s */
  PLG_AMD_LINK_NONE,
} PlgAmdLinkTable;
#define PLG_N_AMD_LINK_TABLES 4

/* How one program prints them. */
typedef struct
{
  const char *titles[PLG_N_AMD_LINK_TABLES];        /* NULL: it has no such table */
  gboolean (*is_name) (const char *word, int *gpu); /* *GPU: the number in it; -1: it has none */
  const char *first_names;                          /* "GPU0, GPU1", for messages */
} PlgAmdLinkProgram;

typedef struct
{
  const PlgAmdLinkProgram *program;
  PlgImportContext *context;
  int gpus;              /* 0: no head was there yet */
  int head;              /* the line of the first one */
  char **names;          /* in it */
  PlgAmdLinkTable table; /* that the lines are of */
  /* Of each GPU, its cells behind its name; NULL: not there. */
  char **row[PLG_N_AMD_LINK_TABLES][PLG_MAX_GPUS_PER_NODE];
  int line[PLG_N_AMD_LINK_TABLES][PLG_MAX_GPUS_PER_NODE];
  int numa[PLG_MAX_GPUS_PER_NODE]; /* -1: not known */
} PlgAmdLinkTables;

/* What does LINE, whose text is TEXT without space at its end. */
typedef gboolean (*PlgAmdLinkLineFunc) (PlgAmdLinkTables *tables,
                                        int line,
                                        const char *text,
                                        GError **error);

/* Gives all lines of READING to READ_LINE, and says the node that follows, with its map. FALSE with
 * ERROR where kinds are missing or differ between a pair and the same pair back. */
gboolean plg_amd_link_tables_read (const PlgAmdLinkProgram *program,
                                   PlgImportContext *context,
                                   PlgAmdLinkLineFunc read_line,
                                   GError **error);

/* The table whose title TEXT has, or none. */
PlgAmdLinkTable plg_amd_link_tables_find_title (const PlgAmdLinkProgram *program, const char *text);
/* A line of the table that is read: its head, a row, or what is not of it. */
gboolean plg_amd_link_tables_read_line (PlgAmdLinkTables *tables,
                                        int line,
                                        const char *text,
                                        GError **error);

G_END_DECLS
