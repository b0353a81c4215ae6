/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/topology/topology-graph.h"

G_BEGIN_DECLS

/* plg_pcie_link_rate:
 * @speed: (nullable): the speed as Linux and NCCL write it, such as "16.0 GT/s PCIe"
 * @width: the number of lanes; 0 if unknown
 *
 * Looks up the rates of a PCIe link. NCCL assumes 12 GB/s for an unknown speed and 16 lanes for
 * an unknown width.
 *
 * Returns: NCCL's rate and the stated rate [bytes/s]; the stated rate is 0 if @speed or @width
 *   is unknown */
PlgTopologyBandwidth plg_pcie_link_rate (const char *speed, int width);

G_END_DECLS
