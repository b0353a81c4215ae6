/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/measured/gpu-driver-names.h"

#include <string.h>

/* A GPU has the first row whose words are all in the driver's name. The names are from outputs of
 * nccl-tests and nvidia-smi -L in public issues (github.com/NVIDIA/nccl-tests,
 * github.com/NVIDIA/nccl, github.com/ROCm/rccl). */
static const struct
{
  const char *model;
  const char *variant; /* NULL: any variant */
  const char *name;
} names[] = {
  { "GB300", NULL, "gb300-288" },
  { "GB200", NULL, "gb200-186" },
  { "GH200", NULL, "gh200-96" },
  { "B300", NULL, "b300-sxm-288" },
  { "B200", NULL, "b200-sxm-180" },
  { "H200", "NVL", NULL },
  { "H200", NULL, "h200-sxm-141" },
  { "H100", "PCIe", "h100-pcie-80" },
  { "H100", "NVL", "h100-nvl-94" },
  { "H100", "HBM3", "h100-sxm-80" },
  { "H100", "SXM", "h100-sxm-80" },
  { "H800", "PCIe", NULL },
  { "H800", NULL, "h800-sxm-80" },
  { "H20", NULL, "h20-96" },
  { "A100", "SXM4-40GB", "a100-sxm-40" },
  { "A100", "PCIE-40GB", NULL },
  { "A100", "PCIe", "a100-pcie-80" },
  { "A100", "80GB", "a100-sxm-80" },
  { "A800", "PCIe", NULL },
  { "A800", NULL, "a800-sxm-80" },
  { "V100", "16GB", "v100-sxm-16" },
  { "V100", "SXM", "v100-sxm-32" },
  { "L40S", NULL, "l40s-48" },
  { "A10", NULL, "a10-24" },
  { "MI355X", NULL, "mi355x-288" },
  { "MI325X", NULL, "mi325x-256" },
  { "MI300X", NULL, "mi300x-192" },
  { "MI250X", NULL, "mi250x-64" },
};

/* Returns whether TEXT has WORD as a whole word. */
static gboolean
has_word (const char *text, const char *word)
{
  gsize n = strlen (word);

  for (const char *p = text; (p = strstr (p, word)) != NULL; p += n)
    if ((p == text || !g_ascii_isalnum (p[-1])) && !g_ascii_isalnum (p[n]))
      return TRUE;
  return FALSE;
}

const char *
plg_gpu_from_driver_name (const char *device)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (has_word (device, names[i].model) &&
        (names[i].variant == NULL || strstr (device, names[i].variant) != NULL))
      return names[i].name;
  return NULL;
}
