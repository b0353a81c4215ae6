/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/fabric.h"

G_BEGIN_DECLS

/* The way between two GPUs, as `nvidia-smi topo -m` classes it, but for the whole cluster. */
typedef enum
{
  PLG_ROUTE_SELF,
  PLG_ROUTE_NVLINK, /* over their node's switch, or a link of their own */
  PLG_ROUTE_PCIE,   /* over the host's bridges */
  PLG_ROUTE_LEAF,   /* between nodes, below one leaf */
  PLG_ROUTE_SPINE,  /* between nodes, up to a spine and down again */
} PlgRouteKind;
#define PLG_N_ROUTE_KINDS 5

typedef struct
{
  PlgRouteKind kind;
  double bandwidth; /* bytes/s and direction of the narrowest link of it; 0 to oneself */
} PlgRoute;

/* From GPU A to GPU B while nobody else sends: stated bandwidth, less what faults take. Between
 * nodes that is A's or B's share of the NICs, whichever is less; what is left of the uplinks of a
 * leaf is spread over all spines and narrows a pair only where it is less than that share. */
PlgRoute plg_fabric_route (const PlgFabric *fabric, int gpu_a, int gpu_b);

G_END_DECLS
