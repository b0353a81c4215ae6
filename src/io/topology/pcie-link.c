/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/pcie-link.h"

#include <math.h>

/* Bytes/s of sixteen lanes: what NCCL counts for them (src/graph/topo.cc, kvDictPciGen, in 100 Mb/s
 * a lane), and what is stated (PCI-SIG: 8b/10b up to 5 GT/s, 128b/130b up to 32, then flits of 242
 * in 256 bytes). The usual first; older kernels leave ".0" out. */
static const struct
{
  const char *begins, *begins_too;
  const char *text;
  PlgTopologyBandwidth rate;
} speeds[] = {
  { "16.0 GT/s", "16 GT/s", "16.0 GT/s PCIe", { 24e9, 31.5e9 } },
  { "32.0 GT/s", "32 GT/s", "32.0 GT/s PCIe", { 48e9, 63e9 } },
  { "64.0 GT/s", "64 GT/s", "64.0 GT/s PCIe", { 96e9, 121e9 } },
  { "8.0 GT/s", "8 GT/s", "8.0 GT/s PCIe", { 12e9, 15.75e9 } },
  { "5.0 GT/s", "5 GT/s", "5.0 GT/s PCIe", { 6e9, 8e9 } },
  { "2.5 GT/s", "2.5 GT/s", "2.5 GT/s PCIe", { 3e9, 4e9 } },
};
static const PlgTopologyBandwidth unknown = { 12e9, 0.0 };
static const int widths[] = { 16, 8, 4, 2, 1, 32 };

static PlgTopologyBandwidth
of_lanes (PlgTopologyBandwidth sixteen, int width)
{
  return (PlgTopologyBandwidth) { sixteen.planned * width / 16.0, sixteen.stated * width / 16.0 };
}

PlgTopologyBandwidth
plg_pcie_link_rate (const char *speed, int width)
{
  PlgTopologyBandwidth rate = unknown;

  for (guint i = 0; speed != NULL && i < G_N_ELEMENTS (speeds); i++)
    if (g_str_has_prefix (speed, speeds[i].begins) ||
        g_str_has_prefix (speed, speeds[i].begins_too))
      rate = speeds[i].rate;
  return width > 0 ? of_lanes (rate, width) : (PlgTopologyBandwidth) { rate.planned, 0.0 };
}

static gboolean
is_same (double a, double b)
{
  return fabs (a - b) < 1e-3 * b;
}

gboolean
plg_pcie_link_from_stated_rate (double stated, const char **speed, int *width)
{
  for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
    for (guint i = 0; i < G_N_ELEMENTS (speeds); i++)
      if (is_same (of_lanes (speeds[i].rate, widths[w]).stated, stated))
        {
          *speed = speeds[i].text;
          *width = widths[w];
          return TRUE;
        }
  return FALSE;
}

double
plg_pcie_link_rate_from_nccl (double planned)
{
  for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
    for (guint i = 0; i < G_N_ELEMENTS (speeds); i++)
      {
        PlgTopologyBandwidth rate = of_lanes (speeds[i].rate, widths[w]);

        if (is_same (rate.planned, planned))
          return rate.stated;
      }
  return 0.0;
}
