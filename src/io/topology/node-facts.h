/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* What a topology file tells of a node beside its map. */
typedef struct
{
  int line;               /* of the first GPU */
  const char *gpu;        /* the catalogue's name, or NULL */
  const char *gpu_why;    /* NULL: the file says it; else translated, a sentence */
  gboolean has_links;     /* the file tells of NVLinks, or would if there were any */
  gboolean is_joined;     /* by NVSwitches */
  double links_bandwidth; /* bytes/s of all links of a GPU, stated; 0: not known */
  double pcie;            /* bytes/s of its PCIe link, stated; 0: not known */
  gboolean multicast;     /* the switches can add up (NVLink SHARP) */
  gboolean is_rdma;       /* of the NICs */
  int host_gpus;          /* of each host of a node of several; 0: it is one host */
} PlgNodeFacts;

/* Says the settings of the node that follow from FACTS and MAP (taken), with notes, and gives the
 * map to READING. */
gboolean plg_node_facts_apply (PlgImportContext *context,
                               const PlgNodeFacts *facts,
                               PlgNodeTopology *map,
                               GError **error);

G_END_DECLS
