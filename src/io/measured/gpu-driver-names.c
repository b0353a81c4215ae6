/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/measured/gpu-driver-names.h"

#include <string.h>

/* The first row whose words all occur in the driver's name determines the GPU. The names are
 * from the output of nccl-tests and nvidia-smi -L in public issues
 * (github.com/NVIDIA/nccl-tests, github.com/NVIDIA/nccl, github.com/ROCm/rccl). */
static const struct
{
  const char *model;
  const char *variant; /* the word for the variant; NULL for any variant */
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
  { "MI350X", NULL, "mi350x-288" },
  { "MI325X", NULL, "mi325x-256" },
  { "MI300X", NULL, "mi300x-192" },
  { "MI250X", NULL, "mi250x-64" },
};

const char *
plg_gpu_from_driver_name (const char *device)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *word = g_strdup_printf ("(?<![A-Za-z0-9])%s(?![A-Za-z0-9])", names[i].model);

      if (g_regex_match_simple (word, device, G_REGEX_RAW, 0) &&
          (names[i].variant == NULL || strstr (device, names[i].variant) != NULL))
        return names[i].name;
    }
  return NULL;
}
