/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/gpu-device-ids.h"

#include <string.h>

#define NVIDIA 0x10de
#define AMD 0x1002

/* The catalogue's GPUs with their ids in the PCI ID Repository (pci-ids.ucw.cz). Boards with
 * different amounts of memory have different ids. */
static const struct
{
  guint vendor, device;
  const char *name;
} devices[] = {
  { NVIDIA, 0x1db1, "v100-sxm-16" },  { NVIDIA, 0x1df5, "v100-sxm-16" },
  { NVIDIA, 0x1db5, "v100-sxm-32" },  { NVIDIA, 0x1db8, "v100-sxm-32" },
  { NVIDIA, 0x20b0, "a100-sxm-40" },  { NVIDIA, 0x20b2, "a100-sxm-80" },
  { NVIDIA, 0x20b5, "a100-pcie-80" }, { NVIDIA, 0x20f3, "a800-sxm-80" },
  { NVIDIA, 0x2330, "h100-sxm-80" },  { NVIDIA, 0x2331, "h100-pcie-80" },
  { NVIDIA, 0x2321, "h100-nvl-94" },  { NVIDIA, 0x2324, "h800-sxm-80" },
  { NVIDIA, 0x2329, "h20-96" },       { NVIDIA, 0x2335, "h200-sxm-141" },
  { NVIDIA, 0x2342, "gh200-96" },     { NVIDIA, 0x2901, "b200-sxm-180" },
  { NVIDIA, 0x2941, "gb200-186" },    { NVIDIA, 0x3182, "b300-sxm-288" },
  { NVIDIA, 0x31c2, "gb300-288" },    { NVIDIA, 0x26b9, "l40s-48" },
  { NVIDIA, 0x2236, "a10-24" },       { AMD, 0x740c, "mi250x-64" },
  { AMD, 0x7408, "mi250x-64" },       { AMD, 0x74a1, "mi300x-192" },
  { AMD, 0x74a5, "mi325x-256" },      { AMD, 0x75a3, "mi355x-288" },
};

const char *
plg_gpu_from_device_id (guint vendor, guint device)
{
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    if (devices[i].vendor == vendor && devices[i].device == device)
      return devices[i].name;
  return NULL;
}

/* The number of NVLinks of NVIDIA's export models A800 and H800. The A100 and the H100 have more
 * links (NVIDIA's data sheets). */
#define EXPORT_VARIANT_LINKS 8

const char *
plg_gpu_from_architecture (int sm, const char *gcn, int links)
{
  if (g_str_has_prefix (gcn, "gfx90a"))
    return "mi250x-64";
  if (g_str_has_prefix (gcn, "gfx942"))
    return "mi300x-192";
  if (g_str_has_prefix (gcn, "gfx950"))
    return "mi355x-288";
  if (*gcn != '\0')
    return NULL;
  switch (sm)
    {
    case 70:
      return links > 0 ? "v100-sxm-32" : NULL;
    case 80:
      return links == 0                      ? "a100-pcie-80"
             : links == EXPORT_VARIANT_LINKS ? "a800-sxm-80"
                                             : "a100-sxm-80";
    case 89:
      return "l40s-48";
    case 90:
      return links == 0                      ? "h100-pcie-80"
             : links == EXPORT_VARIANT_LINKS ? "h800-sxm-80"
                                             : "h100-sxm-80";
    case 100:
      return "b200-sxm-180";
    case 103:
      return "b300-sxm-288";
    default:
      return NULL;
    }
}

/* The rates of one link [bytes/s]. "stated" is the rate in NVIDIA's and AMD's data sheets;
 * "planned" is the rate that NCCL and RCCL assume (src/graph/topo.h). */
static const struct
{
  int sm; /* the minimum compute capability for this row, for example 90 for 9.0 */
  double stated, planned;
} nvlinks[] = {
  { 60, 20e9, 18e9 }, { 70, 25e9, 20e9 },   { 80, 25e9, 20e9 },    { 86, 14.0625e9, 12e9 },
  { 87, 25e9, 20e9 }, { 90, 25e9, 20.6e9 }, { 100, 50e9, 40.1e9 },
};
static const struct
{
  const char *gcn; /* a prefix of AMD's name for the architecture */
  double stated, planned;
} fabrics[] = {
  { "gfx90a", 50e9, 36e9 }, { "910", 50e9, 36e9 },      { "gfx94", 64e9, 48e9 },
  { "940", 64e9, 48e9 },    { "gfx950", 76.5e9, 48e9 }, { "", 46e9, 24e9 },
};

static int
nvlink_row (int sm)
{
  int row = 2;

  for (int i = 0; i < (int) G_N_ELEMENTS (nvlinks); i++)
    if (sm >= nvlinks[i].sm)
      row = i;
  return sm >= nvlinks[0].sm ? row : 2;
}

static int
fabric_row (const char *gcn)
{
  int row = 0;

  while (!g_str_has_prefix (gcn, fabrics[row].gcn))
    row++;
  return row;
}

double
plg_gpu_link_rate (int sm, const char *gcn)
{
  if (*gcn != '\0')
    return fabrics[fabric_row (gcn)].stated;
  return sm > 0 ? nvlinks[nvlink_row (sm)].stated : 0.0;
}

double
plg_gpu_nccl_link_rate (int sm, const char *gcn)
{
  return *gcn != '\0' ? fabrics[fabric_row (gcn)].planned : nvlinks[nvlink_row (sm)].planned;
}

double
plg_cpu_link_rate (const char *arch, const char *vendor, int family, int model)
{
  if (g_strcmp0 (arch, "ppc64") == 0)
    return 32e9;
  if (g_strcmp0 (arch, "arm64") == 0)
    return 6e9;
  if (g_strcmp0 (arch, "x86_64") != 0 || vendor == NULL)
    return 0.0;
  if (g_str_equal (vendor, "GenuineIntel"))
    {
      if (family == 6 && (model >= 0xCF || (model >= 0xAD && model <= 0xAF)))
        return 40e9;
      return family == 6 && model >= 0x8F ? 22e9 : family == 6 && model >= 0x55 ? 10e9 : 6e9;
    }
  /* Accept two family numbers for each newer CPU generation, because old and new versions of
   * NCCL add the extended family in different ways. */
  if (g_str_equal (vendor, "AuthenticAMD"))
    return family == 26 || family == 0xBF ? 32e9 : family == 25 || family == 0xAF ? 24e9 : 16e9;
  if (g_str_equal (vendor, "CentaurHauls") || g_str_equal (vendor, "  Shanghai  "))
    return family == 7 && model == 0x5B ? 9e9 : 6e9;
  return 0.0;
}
