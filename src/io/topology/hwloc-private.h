/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"
#include "io/topology/topology-graph.h"
#include "syntax/xml-reader.h"

G_BEGIN_DECLS

#define PLG_HWLOC_MAX_CPUS 256
/* PCI vendor ids */
#define PLG_HWLOC_NVIDIA 0x10de
#define PLG_HWLOC_AMD 0x1002

typedef struct
{
  int vertex;
  int line;
  guint64 busid;
  guint vendor, device;
  int number;             /* the number in the device name, such as 3 in "nvml3"; -1 if unknown */
  double links_bandwidth; /* the total rate of the GPU's links to other GPUs and NVSwitches
                             [bytes/s] */
  gboolean is_joined;     /* whether the GPU has links to an NVSwitch */
  double pcie;            /* the rate of the PCIe link [bytes/s]; 0 if unknown */
} PlgHwlocGpu;

typedef struct
{
  PlgImportContext *context;
  PlgXml *xml;
  int version; /* hwloc's major version, 2 or 3 */
  PlgTopologyGraph *topology;
  GArray *gpus;                       /* PlgHwlocGpu */
  GArray *cards;                      /* NetworkCard */
  GHashTable *by_index;               /* maps hwloc's gp_index to a GPU's index plus 1, or to -1
                                         for an NVSwitch */
  int cpu_vertex[PLG_HWLOC_MAX_CPUS]; /* the vertex of each NUMA node; -1 if the NUMA node has no
                                         vertex */
  double cpu_rate;                    /* the rate between two CPUs [bytes/s]; 0 if unknown */
  gboolean has_links;                 /* whether the file has links between GPUs */
} PlgHwloc;

gboolean plg_hwloc_attribute_equals (const xmlNode *node, const char *attribute, const char *value);

/* Adds the links between GPUs from the bandwidth matrices in the file (hwloc-matrix.c). */
gboolean plg_hwloc_read_matrices (PlgHwloc *hwloc, GError **error);

G_END_DECLS
