/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/fabric.h"

G_BEGIN_DECLS

/* The kinds of routes between two GPUs: the classes of `nvidia-smi topo -m`, extended to the
 * whole cluster. */
typedef enum
{
  PLG_ROUTE_SELF,
  PLG_ROUTE_NVLINK, /* over the node's switch, or over GPU links */
  PLG_ROUTE_PCIE,   /* over the PCIe bridges of the host */
  PLG_ROUTE_LEAF,   /* between nodes, over one leaf */
  PLG_ROUTE_SPINE,  /* between nodes, over a spine */
} PlgRouteKind;
#define PLG_N_ROUTE_KINDS 5

typedef struct
{
  PlgRouteKind kind;
  double bandwidth; /* bandwidth of the narrowest link [bytes/s per direction]; 0 for
                       PLG_ROUTE_SELF */
} PlgRoute;

/* plg_fabric_route:
 *
 * Finds the route between two GPUs on an idle network. The bandwidth is the stated bandwidth
 * reduced by faults. Between nodes, the smaller NIC share of the two GPUs limits the route. A
 * leaf spreads traffic over all its working uplinks, so the uplinks limit a pair only if
 * together they are narrower than the NIC share. */
PlgRoute plg_fabric_route (const PlgFabric *fabric, int gpu_a, int gpu_b);

G_END_DECLS
