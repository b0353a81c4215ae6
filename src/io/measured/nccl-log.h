/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/collective.h"
#include "io/import/import-context.h"

G_BEGIN_DECLS

/* Reads the output of nccl-tests and rccl-tests (github.com/NVIDIA/nccl-tests, src/common.cu): the
 * ranks with their hosts, then a row per size. A file can have several outputs and other lines. */

typedef struct
{
  int line;
  double bytes;
  double seconds;
  double bus_bandwidth; /* [bytes/s] */
} PlgNcclLogRow;

/* The properties of a collective that the columns of an output show. */
typedef enum
{
  PLG_NCCL_LOG_HAS_OPERATION = 1 << 0, /* the rows have an operation, such as sum */
  PLG_NCCL_LOG_HAS_ROOT = 1 << 1,      /* the rows have a root */
  /* The results in place or out of place are checked; alltoall_perf checks none in place. */
  PLG_NCCL_LOG_CHECKS_IN_PLACE = 1 << 2,
  PLG_NCCL_LOG_CHECKS_OUT_OF_PLACE = 1 << 3,
} PlgNcclLogColumns;

/* The output of one run. */
typedef struct
{
  int line;
  int program;                     /* the program for the functions below; -1 before it is known */
  PlgNcclLogColumns columns_found; /* the properties in all rows */
  int ranks;
  GHashTable *hosts;      /* the number of ranks by host name */
  GHashTable *seen_ranks; /* the set of ranks */
  char *device;
  PlgNcclLogRow small, large, best; /* notable rows; line 0 if there is no such row */
  /* the line of the first row with wrong results; 0 if there is none */
  int wrong;
  gboolean has_wrong_bus; /* the bandwidths of a row contradict each other */
} PlgNcclLogRun;

/* Reads all outputs of the file: PlgNcclLogRun (transfer full), or NULL with an error. */
GPtrArray *plg_nccl_log_read (PlgImportContext *context, GError **error);
/* Finds the collective of a run whose program is not named: from the factor between busbw and algbw
 * and from the columns. The run must have rows. */
gboolean
plg_nccl_log_identify_program (PlgImportContext *context, PlgNcclLogRun *run, GError **error);

/* Returns the collective of a program. Of several collectives with the same factor, the first and
 * plainer one counts. */
PlgCollectiveKind plg_nccl_log_program_kind (int program);
const char *plg_nccl_log_program_title (int program); /* "all-gather" */

G_END_DECLS
