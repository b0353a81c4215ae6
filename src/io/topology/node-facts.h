/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* The facts from a topology file that are not in the map of the node. */
typedef struct
{
  int line;               /* the line of the first GPU */
  const char *gpu;        /* the catalogue's name for the GPU, or NULL */
  const char *gpu_why;    /* a translated sentence that explains how the GPU was inferred; NULL
                             if the file names the GPU */
  gboolean has_links;     /* whether the file shows the NVLinks of the node, or shows that the
                             node has none */
  gboolean is_joined;     /* whether NVSwitches connect the GPUs */
  double links_bandwidth; /* the stated rate of all links of a GPU [bytes/s]; 0 if unknown */
  double pcie;            /* the stated rate of a GPU's PCIe link [bytes/s]; 0 if unknown */
  gboolean multicast;     /* whether the NVSwitches can reduce data themselves (NVLink SHARP) */
  gboolean is_rdma;       /* whether the NICs support RDMA */
  int host_gpus;          /* the number of GPUs per host of the node; 0 if the node is one host */
} PlgNodeFacts;

/* Applies FACTS and MAP to the node settings of the plan, and adds import notes. Takes the
 * contents of MAP, even on failure. */
gboolean plg_node_facts_apply (PlgImportContext *context,
                               const PlgNodeFacts *facts,
                               PlgNodeTopology *map,
                               GError **error);

G_END_DECLS
