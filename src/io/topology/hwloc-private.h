/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"
#include "io/topology/topology-graph.h"
#include "syntax/xml-reader.h"

G_BEGIN_DECLS

#define PLG_HWLOC_MAX_CPUS 256
/* Vendors of PCI devices. */
#define PLG_HWLOC_NVIDIA 0x10de
#define PLG_HWLOC_AMD 0x1002

typedef struct
{
  int vertex;
  int line;
  guint64 busid;
  guint vendor, device;
  int number;             /* of "nvml3", -1: not known */
  double links_bandwidth; /* bytes/s of its links in all */
  gboolean is_joined;
  double pcie; /* 0: not known */
} PlgHwlocGpu;

typedef struct
{
  PlgImportContext *context;
  PlgXml *xml;
  int version; /* 2 or 3 */
  PlgTopologyGraph *topology;
  GArray *gpus;                       /* of PlgHwlocGpu */
  GArray *cards;                      /* of Card */
  GHashTable *by_index;               /* gp_index: index of a GPU plus 1, or -1 for an NVSwitch */
  int cpu_vertex[PLG_HWLOC_MAX_CPUS]; /* by NUMA node; -1: none */
  double cpu_rate;
  gboolean has_links;
} PlgHwloc;

/* Whether ATTRIBUTE of NODE is VALUE. */
gboolean plg_hwloc_attribute_equals (const xmlNode *node, const char *attribute, const char *value);

/* hwloc-matrix.c: joins the GPUs that the matrices of the file join. */
gboolean plg_hwloc_read_matrices (PlgHwloc *hwloc, GError **error);

G_END_DECLS
