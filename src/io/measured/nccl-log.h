/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/collective.h"
#include "io/import/import-context.h"

G_BEGIN_DECLS

/* What nccl-tests and rccl-tests print (github.com/NVIDIA/nccl-tests, src/common.cu): the ranks
 * with their hosts, then a row for each size. Several outputs may follow each other, and other
 * lines stand between. */

typedef struct
{
  int line;
  double bytes;
  double seconds;
  double bus_bandwidth; /* bytes/s */
} PlgNcclLogRow;

/* What the columns of an output tell of its collective. */
typedef enum
{
  PLG_NCCL_LOG_HAS_OPERATION = 1 << 0, /* the operation is one, such as sum */
  PLG_NCCL_LOG_HAS_ROOT = 1 << 1,      /* the root is a rank */
  /* Results in place are checked, or those beside them alone: alltoall_perf has none in place. */
  PLG_NCCL_LOG_CHECKS_IN_PLACE = 1 << 2,
  PLG_NCCL_LOG_CHECKS_OUT_OF_PLACE = 1 << 3,
} PlgNcclLogColumns;

/* One output. */
typedef struct
{
  int line;
  int program;                     /* for the functions below; -1: not told yet */
  PlgNcclLogColumns columns_found; /* of all rows */
  int ranks;
  GHashTable *hosts;      /* name: number of its ranks */
  GHashTable *seen_ranks; /* ranks */
  char *device;
  PlgNcclLogRow small, large, best; /* line 0: none */
  int wrong;                        /* the first row with wrong results */
  gboolean has_wrong_bus;           /* a row contradicts itself */
} PlgNcclLogRun;

/* All outputs of the file, PlgNcclLogRun; NULL with ERROR. g_ptr_array_unref(). */
GPtrArray *plg_nccl_log_read (PlgImportContext *context, GError **error);
/* Which collective RUN, which has rows, is of, where its program was not named: told by the factor
 * between busbw and algbw and by the columns beside them. */
gboolean
plg_nccl_log_identify_program (PlgImportContext *context, PlgNcclLogRun *run, GError **error);

/* Of PROGRAM. Where several say the same, the smaller is preferred: it is plainer. */
PlgCollectiveKind plg_nccl_log_program_kind (int program);
const char *plg_nccl_log_program_title (int program); /* "all-gather" */

G_END_DECLS
