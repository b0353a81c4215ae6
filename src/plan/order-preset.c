/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/order-preset.h"

#include <glib/gi18n-lib.h>

#define TP PLG_AXIS_TP
#define CP PLG_AXIS_CP
#define PP PLG_AXIS_PP
#define DP PLG_AXIS_DP

/* Each preset lists the innermost axis first, as Megatron-LM does. Megatron-LM's order also
 * includes EP, which has no position in a plan's nesting order (parallelism.h). DeepSpeed,
 * torchtitan and Picotron list the innermost axis last. */
static const PlgOrderPreset presets[] = {
  { "megatron",
    "Megatron-LM",
    { TP, CP, DP, PP },
    N_ ("The default order, tp-cp-ep-dp-pp: replicas are neighbours, stages are far apart."),
    "megatron/core/parallel_state.py, initialize_model_parallel" },
  { "megatron-tp-pp-dp",
    "Megatron-LM --use-tp-pp-dp-mapping",
    { TP, CP, PP, DP },
    N_ ("tp-cp-ep-pp-dp: stages are neighbours, replicas are far apart."),
    "megatron/training/initialize.py" },
  { "torchtitan",
    "torchtitan",
    { TP, CP, DP, PP },
    N_ ("A mesh of pp, dp_replicate, dp_shard, cp, tp; the last axis varies fastest."),
    "torchtitan/distributed/parallel_dims.py" },
  { "deepspeed",
    "DeepSpeed",
    { TP, CP, DP, PP },
    N_ ("The axes pipe, data, model; the last axis varies fastest, so gradients travel short "
        "distances and activations long distances."),
    "deepspeed/runtime/pipe/topology.py, PipeModelDataParallelTopology" },
  { "picotron",
    "Picotron",
    { TP, CP, PP, DP },
    N_ ("A grid of dp, pp, cp, tp; the last axis varies fastest."),
    "picotron/process_group_manager.py" },
  { "llama3",
    "Llama 3",
    { TP, CP, PP, DP },
    N_ ("The axis with the highest demands on the network is innermost: TP, then CP, PP and DP "
        "(as FSDP)."),
    "The Llama 3 Herd of Models, arXiv 2407.21783, section 3.3.2" },
};

const PlgOrderPreset *
plg_order_presets (int *n)
{
  *n = G_N_ELEMENTS (presets);
  return presets;
}

const PlgOrderPreset *
plg_order_preset_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (presets); i++)
    if (g_str_equal (presets[i].name, name))
      return &presets[i];
  return NULL;
}

char *
plg_order_preset_names (void)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (presets); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", presets[i].name);
  return g_string_free (names, FALSE);
}

/* Fills AXES with those axes of ORDER whose degree is above 1, and returns their number. */
static int
dividing_axes (const PlgAxis *order, const int *degree, PlgAxis *axes)
{
  int n = 0;

  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    if (degree[order[i]] > 1)
      axes[n++] = order[i];
  return n;
}

gboolean
plg_order_preset_is_used (const PlgOrderPreset *preset, const PlgParallelism *parallelism)
{
  return plg_order_is_used (preset->order, parallelism);
}

gboolean
plg_order_is_used (const PlgAxis *order, const PlgParallelism *parallelism)
{
  PlgAxis wanted[PLG_N_NESTED_AXES], used[PLG_N_NESTED_AXES];
  int n = dividing_axes (order, parallelism->degree, wanted);

  dividing_axes (parallelism->order, parallelism->degree, used);
  for (int i = 0; i < n; i++)
    if (wanted[i] != used[i])
      return FALSE;
  return TRUE;
}
