/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/settings/setting-applicability.h"

#include <glib/gi18n-lib.h>

typedef gboolean (*PlanTest) (const PlgPlan *plan);

static gboolean
is_dense (const PlgPlan *plan)
{
  return !plg_transformer_is_moe (&plan->model);
}

static gboolean
has_tp_1 (const PlgPlan *plan)
{
  return plan->parallelism.degree[PLG_AXIS_TP] == 1;
}

static gboolean
has_cp_1 (const PlgPlan *plan)
{
  return plan->parallelism.degree[PLG_AXIS_CP] == 1;
}

static gboolean
has_ep_1 (const PlgPlan *plan)
{
  return plan->parallelism.degree[PLG_AXIS_EP] == 1;
}

static gboolean
has_pp_1 (const PlgPlan *plan)
{
  return plan->parallelism.degree[PLG_AXIS_PP] == 1;
}

/* Returns TRUE if no replicas sum gradients: DP and CP are 1, and the model is dense. In a model
 * with experts, the expert gradients are also summed over other groups (EDP). */
static gboolean
has_no_replicas (const PlgPlan *plan)
{
  return plan->parallelism.degree[PLG_AXIS_DP] == 1 && has_cp_1 (plan) && is_dense (plan);
}

static gboolean
has_dp_1 (const PlgPlan *plan)
{
  return plan->parallelism.degree[PLG_AXIS_DP] == 1;
}

static gboolean
has_zero_0 (const PlgPlan *plan)
{
  return plan->parallelism.zero == 0;
}

static gboolean
has_one_node (const PlgPlan *plan)
{
  return plan->cluster.nodes == 1;
}

static gboolean
has_no_spine (const PlgPlan *plan)
{
  return plg_cluster_switches (&plan->cluster).spines == 0;
}

static gboolean
has_no_nvswitch (const PlgPlan *plan)
{
  return plan->cluster.intra != PLG_INTRA_NVSWITCH;
}

static gboolean
has_full_recompute (const PlgPlan *plan)
{
  return plan->training.recompute == PLG_RECOMPUTE_FULL;
}

static gboolean
has_no_full_recompute (const PlgPlan *plan)
{
  return !has_full_recompute (plan);
}

static gboolean
recomputes_all_layers (const PlgPlan *plan)
{
  return plan->training.recompute_method == PLG_RECOMPUTE_METHOD_ALL;
}

static gboolean
is_dualpipe (const PlgPlan *plan)
{
  return plan->training.schedule == PLG_SCHEDULE_DUALPIPE;
}

static gboolean
is_gpipe (const PlgPlan *plan)
{
  return plan->training.schedule == PLG_SCHEDULE_GPIPE;
}

/* Returns TRUE if the schedule itself determines the number of chunks. 1F1B does not, because
 * setting more than 1 chunk changes it to interleaved. */
static gboolean
has_own_chunks (const PlgPlan *plan)
{
  return plan->training.schedule != PLG_SCHEDULE_1F1B &&
         plan->training.schedule != PLG_SCHEDULE_INTERLEAVED;
}

static gboolean
has_no_window (const PlgPlan *plan)
{
  return plan->model.window == 0;
}

static gboolean
has_no_indexer (const PlgPlan *plan)
{
  return plan->model.index_heads == 0;
}

static gboolean
has_no_mixer (const PlgPlan *plan)
{
  return plan->model.mixer == PLG_MIXER_NONE;
}

static gboolean
has_no_attention (const PlgPlan *plan)
{
  return plg_transformer_attention_layers (&plan->model) == 0;
}

static gboolean
has_nothing_offloaded (const PlgPlan *plan)
{
  return plan->training.offload_optimizer == 0.0 && plan->training.offload_layers == 0;
}

static gboolean
has_no_update_on_host (const PlgPlan *plan)
{
  return plan->training.offload_optimizer == 0.0;
}

static gboolean
keeps_weights (const PlgPlan *plan)
{
  return plan->parallelism.zero < 3 || plan->training.offload_optimizer < 1.0;
}

static gboolean
has_tp_and_etp_1 (const PlgPlan *plan)
{
  return has_tp_1 (plan) && plan->parallelism.etp <= 1;
}

static gboolean
has_no_muon (const PlgPlan *plan)
{
  return plan->training.optimizer != PLG_OPTIMIZER_MUON;
}

static gboolean
has_muon (const PlgPlan *plan)
{
  return !has_no_muon (plan);
}

static gboolean
is_not_fp8 (const PlgPlan *plan)
{
  return plan->training.precision != PLG_PRECISION_FP8;
}

static gboolean
has_no_expert_groups (const PlgPlan *plan)
{
  return is_dense (plan) || plan->model.expert_groups < 2;
}

static gboolean
is_not_quantized (const PlgPlan *plan)
{
  return is_not_fp8 (plan) && plan->training.precision != PLG_PRECISION_FP4;
}

#define ONLY_QUANTIZED N_ ("Only with FP8 or FP4")
#define ONLY_WINDOW N_ ("Only with an attention window")
#define ONLY_FULL_RECOMPUTE N_ ("Only with full recompute")
#define ONLY_ATTENTION N_ ("Only for layers with attention")
#define ONLY_INDEXER N_ ("Only with an indexer")
#define ONLY_MIXER N_ ("Only for hybrid models")
#define ONLY_EXPERTS N_ ("Only for models with experts")
#define ONLY_TP N_ ("Only with TP above 1")
#define ONLY_DP N_ ("Only with DP above 1")
#define ONLY_PP N_ ("Only with PP above 1")
#define ONLY_OFFLOADED N_ ("Only with offloading to the host")
#define ONLY_MUON N_ ("Only with Muon")
#define ONLY_NODES N_ ("Only with several nodes")

/* The conditions under which settings have no effect, each with the reason. If several rows
 * apply to a key, the reason in the first of these rows is used. */
static const struct
{
  const char *key;
  PlanTest is_idle;
  const char *reason;
  gboolean acts_as_on;
} idle_conditions[] = {
  { "cluster.host-bandwidth", has_nothing_offloaded, ONLY_OFFLOADED, FALSE },
  { "cluster.host-memory", has_nothing_offloaded, ONLY_OFFLOADED, FALSE },
  { "cluster.host-memory-bandwidth", has_no_update_on_host,
    N_ ("Only with an optimizer on the host"), FALSE },
  { "cluster.multicast", has_no_nvswitch, N_ ("Only with NVSwitch"), FALSE },
  { "cluster.network", has_one_node, ONLY_NODES, FALSE },
  { "cluster.nics-per-node", has_one_node, ONLY_NODES, FALSE },
  { "cluster.inter-bandwidth", has_one_node, ONLY_NODES, FALSE },
  { "cluster.inter-efficiency", has_one_node, ONLY_NODES, FALSE },
  { "cluster.inter-latency", has_one_node, ONLY_NODES, FALSE },
  { "cluster.rdma", has_one_node, ONLY_NODES, FALSE },
  { "cluster.oversubscription", has_no_spine, N_ ("Only with spine switches"), FALSE },
  { "model.moe-every", is_dense, ONLY_EXPERTS, FALSE },
  { "model.expert-groups", is_dense, ONLY_EXPERTS, FALSE },
  { "model.top-groups", has_no_expert_groups, N_ ("Only with groups of experts"), FALSE },
  { "model.window-chunked", has_no_window, ONLY_WINDOW, FALSE },
  { "model.full-attention-every", has_no_window, ONLY_WINDOW, FALSE },
  { "model.index-heads", has_no_attention, ONLY_ATTENTION, FALSE },
  { "model.index-dim", has_no_indexer, ONLY_INDEXER, FALSE },
  { "model.index-top-k", has_no_indexer, ONLY_INDEXER, FALSE },
  { "model.attention-gate", has_no_attention, ONLY_ATTENTION, FALSE },
  { "model.attention-layers", has_no_mixer, ONLY_MIXER, FALSE },
  { "model.mlp-layers", has_no_mixer, ONLY_MIXER, FALSE },
  { "model.mixer-heads", has_no_mixer, ONLY_MIXER, FALSE },
  { "model.mixer-head-dim", has_no_mixer, ONLY_MIXER, FALSE },
  { "model.mixer-groups", has_no_mixer, ONLY_MIXER, FALSE },
  { "model.mixer-state", has_no_mixer, ONLY_MIXER, FALSE },
  { "model.mixer-conv", has_no_mixer, ONLY_MIXER, FALSE },
  { "training.fp8-recipe", is_not_fp8, N_ ("Only with FP8"), FALSE },
  { "training.recompute-method", has_no_full_recompute, ONLY_FULL_RECOMPUTE, FALSE },
  { "training.recompute-layers", has_no_full_recompute, ONLY_FULL_RECOMPUTE, FALSE },
  { "training.recompute-layers", recomputes_all_layers, N_ ("Only for a part of the layers"),
    FALSE },
  { "training.bf16-first-layers", is_not_quantized, ONLY_QUANTIZED, FALSE },
  { "training.bf16-last-layers", is_not_quantized, ONLY_QUANTIZED, FALSE },
  { "training.muon-steps", has_no_muon, ONLY_MUON, FALSE },
  { "training.muon-tp", has_no_muon, ONLY_MUON, FALSE },
  { "training.muon-tp", has_tp_and_etp_1, ONLY_TP, FALSE },
  { "training.offload-optimizer", has_muon, N_ ("Not with Muon"), FALSE },
  { "training.offload-weights", keeps_weights,
    N_ ("Only with ZeRO 3 and the whole optimizer on the host"), FALSE },
  { "training.recompute-modules", has_full_recompute, N_ ("Part of full recompute"), FALSE },
  { "training.schedule", has_pp_1, ONLY_PP, FALSE },
  { "training.expert-load", is_dense, ONLY_EXPERTS, FALSE },
  { "training.expert-load", has_ep_1, N_ ("Only with EP above 1"), FALSE },
  { "parallelism.ep", is_dense, ONLY_EXPERTS, FALSE },
  { "parallelism.etp", is_dense, ONLY_EXPERTS, FALSE },
  { "parallelism.cp-type", has_cp_1, N_ ("Only with CP above 1"), FALSE },
  { "parallelism.sequence", has_tp_1, ONLY_TP, FALSE },
  { "parallelism.chunks", has_pp_1, ONLY_PP, FALSE },
  { "parallelism.chunks", has_own_chunks, N_ ("Only for 1F1B and interleaved"), FALSE },
  { "parallelism.first-layers", has_pp_1, ONLY_PP, FALSE },
  { "parallelism.last-layers", has_pp_1, ONLY_PP, FALSE },
  { "parallelism.embedding-slot", has_pp_1, ONLY_PP, FALSE },
  { "parallelism.loss-slot", has_pp_1, ONLY_PP, FALSE },
  { "parallelism.layout", has_pp_1, ONLY_PP, FALSE },
  { "parallelism.replicate", has_dp_1, ONLY_DP, FALSE },
  { "parallelism.replicate", has_zero_0, N_ ("Only with ZeRO 1, 2 or 3"), FALSE },
  { "training.reduce-precision", has_no_replicas, ONLY_DP, FALSE },
  { "parallelism.overlap-dp", has_no_replicas, ONLY_DP, FALSE },
  { "parallelism.overlap-tp", has_tp_1, ONLY_TP, FALSE },
  { "parallelism.overlap-pp", has_pp_1, ONLY_PP, FALSE },
  { "training.cuda-graphs", is_dense, ONLY_EXPERTS, FALSE },
  { "parallelism.overlap-ep", is_dense, ONLY_EXPERTS, FALSE },
  { "parallelism.overlap-ep", is_dualpipe, N_ ("Part of DualPipe"), TRUE },
  { "parallelism.overlap-ep", is_gpipe, N_ ("Not with GPipe"), FALSE },
  { "parallelism.dispatcher", is_dense, ONLY_EXPERTS, FALSE },
  { "parallelism.dispatcher", has_ep_1, N_ ("Only with EP above 1"), FALSE },
};

const char *
plg_setting_why_not_applicable (const PlgSetting *setting, const PlgPlan *plan, gboolean *acts)
{
  if (acts != NULL)
    *acts = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (idle_conditions); i++)
    if (g_str_equal (idle_conditions[i].key, setting->key) && idle_conditions[i].is_idle (plan))
      {
        if (acts != NULL)
          *acts = idle_conditions[i].acts_as_on;
        return _ (idle_conditions[i].reason);
      }
  return NULL;
}
