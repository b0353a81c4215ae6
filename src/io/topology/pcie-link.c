/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/pcie-link.h"

#define DEFAULT_RATE 12e9

/* The rates of a link with 16 lanes [bytes/s]. NCCL's rates come from kvDictPciGen in
 * src/graph/topo.cc (in 100 Mb/s per lane), and the stated rates come from PCI-SIG (8b/10b up to
 * 5 GT/s, 128b/130b up to 32 GT/s, above that 242 of 256 bytes in each flit). Older kernels omit
 * ".0" in the speed. */
static const struct
{
  const char *prefix, *older_prefix;
  PlgTopologyBandwidth rate;
} speeds[] = {
  { "16.0 GT/s", "16 GT/s", { 24e9, 31.5e9 } }, { "32.0 GT/s", "32 GT/s", { 48e9, 63e9 } },
  { "64.0 GT/s", "64 GT/s", { 96e9, 121e9 } },  { "8.0 GT/s", "8 GT/s", { 12e9, 15.75e9 } },
  { "5.0 GT/s", "5 GT/s", { 6e9, 8e9 } },       { "2.5 GT/s", "2.5 GT/s", { 3e9, 4e9 } },
};

PlgTopologyBandwidth
plg_pcie_link_rate (const char *speed, int width)
{
  PlgTopologyBandwidth rate = { DEFAULT_RATE, 0.0 };

  for (guint i = 0; speed != NULL && i < G_N_ELEMENTS (speeds); i++)
    if (g_str_has_prefix (speed, speeds[i].prefix) ||
        g_str_has_prefix (speed, speeds[i].older_prefix))
      rate = speeds[i].rate;
  if (width <= 0)
    return (PlgTopologyBandwidth) { rate.planned, 0.0 };
  return (PlgTopologyBandwidth) { rate.planned * width / 16.0, rate.stated * width / 16.0 };
}
