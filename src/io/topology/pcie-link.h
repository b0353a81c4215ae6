/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/topology/topology-graph.h"

G_BEGIN_DECLS

/* PCIe links as Linux and NCCL write them: a speed such as "16.0 GT/s PCIe", and lanes. */

/* Of a link of WIDTH lanes; 0: as NCCL takes it, sixteen, and nothing is stated of it. SPEED may be
 * NULL or of any text. */
PlgTopologyBandwidth plg_pcie_link_rate (const char *speed, int width);
/* The speed and lanes of which STATED bytes/s are stated, or FALSE. */
gboolean plg_pcie_link_from_stated_rate (double stated, const char **speed, int *width);
/* What is stated of links with which NCCL plans PLANNED bytes/s; 0: there are none. */
double plg_pcie_link_rate_from_nccl (double planned);

G_END_DECLS
