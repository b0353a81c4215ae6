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
  gboolean has_links;     /* the file lists NVLinks, or would list them if the node had any */
  gboolean is_joined;     /* NVSwitches connect the GPUs */
  double links_bandwidth; /* the stated rate of all links of a GPU [bytes/s]; 0 if unknown */
  double pcie;            /* the stated rate of a GPU's PCIe link [bytes/s]; 0 if unknown */
  gboolean multicast;     /* the switches can reduce (NVLink SHARP) */
  gboolean is_rdma;       /* the NICs support RDMA */
  int host_gpus;          /* the number of GPUs per host of the node; 0 if the node is one host */
} PlgNodeFacts;

/* Sets the node's settings from the facts and the map (transfer full), and adds notes. */
gboolean plg_node_facts_apply (PlgImportContext *context,
                               const PlgNodeFacts *facts,
                               PlgNodeTopology *map,
                               GError **error);

G_END_DECLS
