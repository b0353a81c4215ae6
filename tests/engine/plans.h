/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/advice/advice.h"
#include "engine/evaluate.h"
#include "models.h"
#include "plan/settings/setting.h"

#include <math.h>

/* Clusters with the values of the catalogue, so that the engine's tests need no file. */
static inline void
set_network (PlgCluster *cluster, int nodes, int gpus, double intra, double inter)
{
  cluster->nodes = nodes;
  cluster->gpus_per_node = gpus;
  cluster->nics_per_node = gpus;
  cluster->intra = PLG_INTRA_NVSWITCH;
  cluster->network = PLG_NETWORK_RAIL;
  cluster->rdma = TRUE;
  cluster->oversubscription = 1.0;
  cluster->intra_bandwidth = intra;
  cluster->inter_bandwidth = inter;
  cluster->intra_latency = 3.4e-6;
  cluster->inter_latency = 14e-6;
}

static inline void
set_h100 (PlgCluster *cluster, int nodes)
{
  PlgGpu gpu = { .name = "h100-sxm-80",
                 .title = "H100 SXM",
                 .peak = { [PLG_PRECISION_BF16] = 989e12,
                           [PLG_PRECISION_FP16] = 989e12,
                           [PLG_PRECISION_FP8] = 1979e12,
                           [PLG_PRECISION_FP32] = 67e12 },
                 .matrix_efficiency = { [PLG_PRECISION_BF16] = 0.69,
                                        [PLG_PRECISION_FP16] = 0.69,
                                        [PLG_PRECISION_FP8] = 0.64,
                                        [PLG_PRECISION_FP32] = 0.9 },
                 .multiprocessors = 132,
                 .vector_peak = 67e12,
                 .memory = 81559.0 * 1024 * 1024,
                 .memory_bandwidth = 3350e9,
                 .memory_efficiency = 0.92,
                 .link_bandwidth = 450e9,
                 .pcie_bandwidth = 63e9 };

  cluster->gpu = gpu;
  cluster->memory = gpu.memory;
  cluster->memory_bandwidth = gpu.memory_bandwidth;
  cluster->peak = 0.0;
  set_network (cluster, nodes, 8, 450e9, 50e9);
  cluster->multicast = TRUE;
  cluster->intra_efficiency = 0.815;
  cluster->inter_efficiency = 0.913;
}

/* Sets the GPU of CLUSTER to B300, which has FP4 and MXFP8. */
static inline void
set_b300 (PlgCluster *cluster, int nodes)
{
  PlgGpu gpu = { .name = "b300-sxm-288",
                 .title = "B300 SXM",
                 .peak = { [PLG_PRECISION_BF16] = 2250e12,
                           [PLG_PRECISION_FP16] = 2250e12,
                           [PLG_PRECISION_FP8] = 4500e12,
                           [PLG_PRECISION_FP4] = 13125e12,
                           [PLG_PRECISION_FP32] = 80e12 },
                 .matrix_efficiency = { [PLG_PRECISION_BF16] = 0.58,
                                        [PLG_PRECISION_FP16] = 0.58,
                                        [PLG_PRECISION_FP8] = 0.66,
                                        [PLG_PRECISION_FP4] = 0.41,
                                        [PLG_PRECISION_FP32] = 0.9 },
                 .multiprocessors = 148,
                 .vector_peak = 80e12,
                 .memory = 275040.0 * 1024 * 1024,
                 .memory_bandwidth = 8000e9,
                 .memory_efficiency = 0.88,
                 .link_bandwidth = 900e9,
                 .pcie_bandwidth = 121e9 };

  set_h100 (cluster, nodes);
  cluster->gpu = gpu;
  cluster->memory = gpu.memory;
  cluster->memory_bandwidth = gpu.memory_bandwidth;
  cluster->intra_bandwidth = gpu.link_bandwidth;
}

static inline void
set_a100 (PlgCluster *cluster, int nodes)
{
  PlgGpu gpu = { .name = "a100-sxm-80",
                 .title = "A100 SXM",
                 .peak = { [PLG_PRECISION_BF16] = 312e12,
                           [PLG_PRECISION_FP16] = 312e12,
                           [PLG_PRECISION_FP32] = 19.5e12 },
                 .matrix_efficiency = { [PLG_PRECISION_BF16] = 0.869,
                                        [PLG_PRECISION_FP16] = 0.869,
                                        [PLG_PRECISION_FP32] = 0.9 },
                 .multiprocessors = 108,
                 .vector_peak = 19.5e12,
                 .memory = 80.0 * 1024 * 1024 * 1024,
                 .memory_bandwidth = 2039e9,
                 .memory_efficiency = 0.9,
                 .link_bandwidth = 300e9,
                 .pcie_bandwidth = 31e9 };

  cluster->gpu = gpu;
  cluster->memory = gpu.memory;
  cluster->memory_bandwidth = gpu.memory_bandwidth;
  cluster->peak = 0.0;
  set_network (cluster, nodes, 8, 300e9, 25e9);
  cluster->multicast = FALSE;
  cluster->intra_efficiency = 0.78;
  cluster->inter_efficiency = 0.95;
}

/* The teaching case: Llama 3 70B on 8 × 8 H100, TP 8, PP 4, DP 2. */
static inline PlgPlan *
teaching_plan (void)
{
  PlgPlan *plan = plg_plan_new ();

  set_h100 (&plan->cluster, 8);
  plan->model = llama3_70b;
  plan_set_degrees (plan, 8, 1, 4, 2, 1);
  plan_set_training (plan, 8192, 1, 64);
  plan->parallelism.overlap_dp = TRUE;
  return plan;
}

/* Applies "KEY=VALUE KEY=VALUE"; the changed plan must be valid. */
static inline void
change (PlgPlan *plan, const char *edits)
{
  g_auto (GStrv) assignments = g_strsplit (edits, " ", -1);
  g_autoptr (GError) error = NULL;

  if (edits[0] == '\0')
    return;
  plg_settings_apply (plan, NULL, (const char *const *) assignments, &error);
  g_assert_no_error (error);
}

static inline PlgReport *
report_of (const PlgPlan *plan)
{
  g_autoptr (GError) error = NULL;
  PlgReport *report = plg_evaluate_with_advice (plan, &error);

  g_assert_no_error (error);
  return report;
}

/* Evaluates the teaching case with changes. */
static inline PlgReport *
report_with (const char *edits)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();

  change (plan, edits);
  return report_of (plan);
}

static inline const PlgCollective *
find_collective (const PlgReport *report, PlgAxis axis, PlgCollectiveKind kind)
{
  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      if (row->axis == axis && row->kind == kind)
        return row;
    }
  return NULL;
}

static inline const PlgFinding *
find_finding (const PlgReport *report, const char *id)
{
  for (guint i = 0; i < report->findings->len; i++)
    {
      const PlgFinding *finding = &g_array_index (report->findings, PlgFinding, i);

      if (g_str_equal (finding->id, id))
        return finding;
    }
  return NULL;
}

#define assert_near(value, wanted, relative) \
  g_assert_cmpfloat_with_epsilon (value, wanted, (relative) *fabs (wanted) + 1e-300)
