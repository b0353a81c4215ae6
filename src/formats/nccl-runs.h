/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/collective.h"
#include "formats/reading.h"

G_BEGIN_DECLS

/* What nccl-tests and rccl-tests print (github.com/NVIDIA/nccl-tests, src/common.cu): the ranks
 * with their hosts, then a row for each size. Several outputs may follow each other, and other
 * lines stand between. */

typedef struct
{
  int line;
  double bytes;
  double seconds;
  double bus; /* bytes/s */
} PlgNcclRow;

/* What the columns of an output tell of its collective. */
typedef enum
{
  PLG_NCCL_REDUCES = 1 << 0, /* the operation is one, such as sum */
  PLG_NCCL_ROOTED = 1 << 1,  /* the root is a rank */
  /* Results in place are checked, or those beside them alone: alltoall_perf has none in place. */
  PLG_NCCL_IN_PLACE = 1 << 2,
  PLG_NCCL_NOT_IN_PLACE = 1 << 3,
} PlgNcclTraits;

/* One output. */
typedef struct
{
  int line;
  int program;          /* for the functions below; -1: not told yet */
  PlgNcclTraits traits; /* of all rows */
  int ranks;
  GHashTable *hosts; /* name: number of its ranks */
  GHashTable *seen;  /* ranks */
  char *device;
  PlgNcclRow small, large, best; /* line 0: none */
  int wrong;                     /* the first row with wrong results */
  gboolean questioned;           /* a row contradicts itself */
} PlgNcclRun;

/* All outputs of the file, PlgNcclRun; NULL with ERROR. g_ptr_array_unref(). */
GPtrArray *plg_nccl_runs_read (PlgReading *reading, GError **error);
/* Which collective RUN, which has rows, is of, where its program was not named: told by the factor
 * between busbw and algbw and by the columns beside them. */
gboolean plg_nccl_run_tell_program (PlgReading *reading, PlgNcclRun *run, GError **error);

/* Of PROGRAM. Where several say the same, the smaller is preferred: it is plainer. */
PlgCollectiveKind plg_nccl_program_kind (int program);
const char *plg_nccl_program_title (int program); /* "all-gather" */

G_END_DECLS
