/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/network/route.h"

#include "engine/network/fabric-topology.h"

static double
inside_bandwidth (const PlgFabric *fabric, int gpu_a, int gpu_b)
{
  int node = gpu_a / fabric->gpus, a = gpu_a % fabric->gpus, b = gpu_b % fabric->gpus;
  double rate = MIN (plg_fabric_intra_rate (fabric, gpu_a), plg_fabric_intra_rate (fabric, gpu_b));
  PlgLink link;

  if (fabric->has_paths && fabric->intra == PLG_INTRA_PCIE &&
      plg_fabric_path_bandwidth (fabric, a, b) > 0.0)
    return plg_fabric_path_bandwidth (fabric, a, b) * rate;
  if (fabric->intra == PLG_INTRA_PCIE)
    return fabric->pcie_bandwidth * rate;
  if (!plg_fabric_has_pairs (fabric))
    return fabric->port_bandwidth * rate;
  plg_fabric_describe (fabric, plg_fabric_pair (fabric, node, MIN (a, b), MAX (a, b)), &link);
  return link.bandwidth;
}

PlgRoute
plg_fabric_route (const PlgFabric *fabric, int gpu_a, int gpu_b)
{
  double bandwidth, rate;

  if (gpu_a == gpu_b)
    return (PlgRoute) { PLG_ROUTE_SELF, 0.0 };
  if (gpu_a / fabric->gpus == gpu_b / fabric->gpus)
    return (PlgRoute) { plg_fabric_is_linked (fabric, gpu_a % fabric->gpus, gpu_b % fabric->gpus)
                            ? PLG_ROUTE_NVLINK
                            : PLG_ROUTE_PCIE,
                        inside_bandwidth (fabric, gpu_a, gpu_b) };
  bandwidth = fabric->inter_bandwidth *
              MIN (plg_fabric_inter_rate (fabric, gpu_a), plg_fabric_inter_rate (fabric, gpu_b));
  if (fabric->spines == 0 || plg_fabric_same_leaf (fabric, gpu_a, gpu_b))
    return (PlgRoute) { PLG_ROUTE_LEAF, bandwidth };
  /* The leaf with fewer working uplinks limits the route. */
  rate = MIN (plg_fabric_leaf_rate (fabric, plg_fabric_first_leaf (fabric, gpu_a)),
              plg_fabric_leaf_rate (fabric, plg_fabric_first_leaf (fabric, gpu_b)));
  return (PlgRoute) { PLG_ROUTE_SPINE,
                      MIN (bandwidth, rate * fabric->spines * fabric->uplink_bandwidth) };
}
