/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

#define TFLOPS 1e12
#define GB 1e9
#define GIB (1024.0 * 1024.0 * 1024.0)

static void
add_gpu (PlgCatalogue *catalogue,
         const char *name,
         const char *title,
         const double tflops[PLG_N_PRECISIONS],
         double gib,
         double link_gb)
{
  PlgGpu gpu = { .vector_peak = 60 * TFLOPS,
                 .memory = gib * GIB,
                 .memory_bandwidth = 3350 * GB,
                 .memory_efficiency = 0.9,
                 .link_bandwidth = link_gb * GB,
                 .pcie_bandwidth = 31 * GB };
  const PlgConstant constants[] = {
    { "memory", gib, "GiB", "data sheet", "2026-01-01" },
    { "link-bandwidth", link_gb, "GB/s", "data sheet", "2026-01-01" },
  };

  g_strlcpy (gpu.name, name, PLG_NAME_SIZE);
  g_strlcpy (gpu.title, title, PLG_NAME_SIZE);
  for (int i = 0; i < PLG_N_PRECISIONS; i++)
    {
      gpu.peak[i] = tflops[i] * TFLOPS;
      gpu.matrix_efficiency[i] = 0.8;
    }
  plg_catalogue_add_gpu (catalogue, &gpu, constants, G_N_ELEMENTS (constants));
}

static void
add_node (PlgCatalogue *catalogue, const char *name, const char *gpu, PlgIntra intra, int nics)
{
  PlgNode node = { .gpus = 8,
                   .nics = nics,
                   .nic_bandwidth = 50 * GB,
                   .intra = intra,
                   .network = PLG_NETWORK_RAIL,
                   .rdma = TRUE,
                   .intra_efficiency = intra == PLG_INTRA_MESH ? 0.7 : 0.815 };

  g_strlcpy (node.name, name, PLG_NAME_SIZE);
  g_strlcpy (node.title, name, PLG_NAME_SIZE);
  g_strlcpy (node.gpu, gpu, PLG_NAME_SIZE);
  plg_catalogue_add_node (catalogue, &node, NULL, NULL, 0);
}

static void
add_model (PlgCatalogue *catalogue, const char *name, const char *title, PlgTransformer model)
{
  g_strlcpy (model.name, name, PLG_NAME_SIZE);
  g_strlcpy (model.title, title, PLG_NAME_SIZE);
  model.head_dim = 128;
  plg_catalogue_add_model (catalogue, &model, NULL, 0);
}

static void
add_models (PlgCatalogue *catalogue)
{
  add_model (catalogue, "llama3-70b", "Llama 3 70B",
             (PlgTransformer) { .layers = 80,
                                .hidden = 8192,
                                .ffn = 28672,
                                .gated = TRUE,
                                .heads = 64,
                                .kv_heads = 8,
                                .vocabulary = 128256,
                                .rms_norm = TRUE });
  add_model (catalogue, "gpt3-175b", "GPT-3 175B",
             (PlgTransformer) { .layers = 96,
                                .hidden = 12288,
                                .ffn = 49152,
                                .heads = 96,
                                .kv_heads = 96,
                                .vocabulary = 50257,
                                .tied = TRUE,
                                .biases = TRUE,
                                .positions = 2048 });
  add_model (catalogue, "mixtral-8x7b", "Mixtral 8x7B",
             (PlgTransformer) { .layers = 32,
                                .hidden = 4096,
                                .ffn = 14336,
                                .gated = TRUE,
                                .heads = 32,
                                .kv_heads = 8,
                                .vocabulary = 32000,
                                .rms_norm = TRUE,
                                .experts = 8,
                                .top_k = 2,
                                .expert_ffn = 14336 });
}

PlgCatalogue *
sample_catalogue (void)
{
  PlgCatalogue *catalogue = plg_catalogue_new ();

  /* Peaks in the order BF16, FP16, FP8, FP4, FP32. */
  add_gpu (catalogue, "h100-sxm-80", "H100 SXM", (double[]) { 989, 989, 1979, 0, 67 },
           79.6474609375, 450);
  add_gpu (catalogue, "a100-sxm-80", "A100 SXM", (double[]) { 312, 312, 0, 0, 19.5 }, 80, 300);
  add_gpu (catalogue, "v100-sxm-32", "V100 SXM2", (double[]) { 0, 125, 0, 0, 15.7 }, 31.75, 150);
  add_gpu (catalogue, "mi300x-192", "MI300X", (double[]) { 1300, 1300, 2610, 0, 163.4 }, 191.98,
           448);
  add_gpu (catalogue, "l40s-48", "L40S", (double[]) { 362, 362, 733, 0, 91.6 }, 44.99, 0);
  add_node (catalogue, "hgx-h100", "h100-sxm-80", PLG_INTRA_NVSWITCH, 8);
  add_node (catalogue, "dgx-a100", "a100-sxm-80", PLG_INTRA_NVSWITCH, 8);
  add_node (catalogue, "mi300x-node", "mi300x-192", PLG_INTRA_MESH, 8);
  add_node (catalogue, "pcie-box", "l40s-48", PLG_INTRA_PCIE, 2);
  add_models (catalogue);
  return catalogue;
}

PlgPlan *
sample_plan (void)
{
  g_autoptr (PlgCatalogue) catalogue = sample_catalogue ();

  return plg_catalogue_default_plan (catalogue);
}

PlgPlan *
sample_plan_with (int tp, int cp, int pp, int dp)
{
  PlgPlan *plan = sample_plan ();

  plan->parallelism.degree[PLG_AXIS_TP] = tp;
  plan->parallelism.degree[PLG_AXIS_CP] = cp;
  plan->parallelism.degree[PLG_AXIS_PP] = pp;
  plan->parallelism.degree[PLG_AXIS_DP] = dp;
  plan->cluster.nodes = MAX (1, tp * cp * pp * dp / 8);
  plan->cluster.gpus_per_node = tp * cp * pp * dp / plan->cluster.nodes;
  return plan;
}
