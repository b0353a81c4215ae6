/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/collective.h"
#include "io/import/import-context.h"

G_BEGIN_DECLS

/* Reads the output of nccl-tests and rccl-tests (github.com/NVIDIA/nccl-tests, src/common.cu):
 * the ranks with their hosts, then one row per message size. A file can have several outputs,
 * with other lines between them. */

typedef struct
{
  int line;
  double bytes;
  double seconds;
  double bus_bandwidth; /* [bytes/s] */
} PlgNcclLogRow;

/* The properties of a collective that the columns of the output show. */
typedef enum
{
  PLG_NCCL_LOG_HAS_OPERATION = 1 << 0, /* the rows have an operation, such as sum */
  PLG_NCCL_LOG_HAS_ROOT = 1 << 1,      /* the rows have a root */
  /* PLG_NCCL_LOG_CHECKS_IN_PLACE means that the program checks its in-place results.
   * PLG_NCCL_LOG_CHECKS_OUT_OF_PLACE means that it checks only its out-of-place results, as
   * alltoall_perf does. */
  PLG_NCCL_LOG_CHECKS_IN_PLACE = 1 << 2,
  PLG_NCCL_LOG_CHECKS_OUT_OF_PLACE = 1 << 3,
} PlgNcclLogColumns;

/* The output of one run. */
typedef struct
{
  int line;
  int program;                     /* index of the program for plg_nccl_log_program_kind(); -1
                                      while unknown */
  PlgNcclLogColumns columns_found; /* the properties that at least one row has */
  int ranks;
  GHashTable *hosts;      /* the number of ranks on each host, by host name */
  GHashTable *seen_ranks; /* the set of the rank numbers that were read */
  char *device;
  PlgNcclLogRow small, large, best; /* the rows with the smallest size, the largest size and the
                                       best bandwidth; line 0 if there is no such row */
  /* the line of the first row with wrong results; 0 if there is none */
  int wrong;
  gboolean has_wrong_bus; /* whether busbw and algbw contradict each other in at least one row */
} PlgNcclLogRun;

/* Reads all outputs in the file. Returns an array of PlgNcclLogRun (transfer full), or NULL with
 * an error. */
GPtrArray *plg_nccl_log_read (PlgImportContext *context, GError **error);
/* Finds the program of a run from the ratio of busbw to algbw and from the columns, unless the
 * output names the program. The run must have rows. */
gboolean
plg_nccl_log_identify_program (PlgImportContext *context, PlgNcclLogRun *run, GError **error);

/* Returns the collective that a program measures. */
PlgCollectiveKind plg_nccl_log_program_kind (int program);
const char *plg_nccl_log_program_title (int program); /* such as "all-gather" */

G_END_DECLS
