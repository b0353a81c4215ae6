/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/topology/nccl-topology.h"

G_BEGIN_DECLS

/* Several hosts in one file of NCCL. All nodes of a plan are alike, so they are what most hosts
 * are, and what another host lacks or has slower is broken or slow there. */

/* The host that most others are like; of several the one with more GPUs, NICs and bandwidth. FALSE
 * with ERROR, which has the line, where hosts have more than a node can have, more GPUs than the
 * usual one, or none. */
gboolean plg_nccl_find_majority_host (PlgImportContext *context,
                                      const PlgNcclTopology *nccl,
                                      int *reference,
                                      GError **error);

/* What the hosts that are not like USUAL lack or have slower, as the setting cluster.faults has
 * it, or NULL; in *LINE its line, 0 for more than one. Notes name each with its line, and what no
 * fault can say, as that a GPU is missing. g_free(). */
char *plg_nccl_find_faults (PlgImportContext *context,
                            const PlgNcclTopology *nccl,
                            int reference,
                            int *line);

/* The first GPU of HOST in the file's list; its line. */
const PlgNcclGpu *plg_nccl_first_gpu (const PlgNcclTopology *nccl, int host);

G_END_DECLS
