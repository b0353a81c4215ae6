/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/torchtitan.h"

#include "engine/model/kernel.h"
#include "io/import/format.h"
#include "io/placement/launch-placement.h"
#include "io/import/unsupported-features.h"
#include "plan/order-preset.h"
#include "plan/settings/setting.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* torchtitan's models and their dimensions (torchtitan/models/NAME/__init__.py, 2025). */
typedef struct
{
  const char *name;
  const char *flavor;
  const char *catalogue;
  int layers, hidden, heads, kv_heads, ffn, experts;
  gboolean is_removed; /* whether current versions of torchtitan lack the model, so that it is
                          read but not written */
} KnownModel;

static const KnownModel models[] = {
  { "llama3", "8B", "llama3-8b", 32, 4096, 32, 8, 14336, 0, FALSE },
  { "llama3", "70B", "llama3-70b", 80, 8192, 64, 8, 28672, 0, FALSE },
  { "llama3", "405B", "llama3-405b", 126, 16384, 128, 8, 53248, 0, FALSE },
  { "deepseek_v3", "671B", "deepseek-v3", 61, 7168, 128, 128, 18432, 256, FALSE },
  { "qwen3", "235B-A22B", "qwen3-235b-a22b", 94, 4096, 64, 4, 12288, 128, FALSE },
  { "llama2", "7B", "llama2-7b", 32, 4096, 32, 32, 11008, 0, TRUE },
  { "llama2", "13B", "llama2-13b", 40, 5120, 40, 40, 13824, 0, TRUE },
  { "llama2", "70B", "llama2-70b", 80, 8192, 64, 8, 28672, 0, TRUE },
};

const char *
plg_torchtitan_find (const char *name, const char *flavor)
{
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    if (g_ascii_strcasecmp (models[i].name, name) == 0 &&
        g_ascii_strcasecmp (models[i].flavor, flavor) == 0)
      return models[i].catalogue;
  return NULL;
}

static const KnownModel *
known_model (const PlgTransformer *model)
{
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    if (!models[i].is_removed && g_str_equal (models[i].catalogue, model->name) &&
        models[i].layers == model->layers && models[i].hidden == model->hidden &&
        models[i].heads == model->heads && models[i].kv_heads == model->kv_heads &&
        models[i].ffn == model->ffn && models[i].experts == model->experts)
      return &models[i];
  return NULL;
}


/* Returns the number of layers per chunk, from which torchtitan derives the number of chunks.
 * Returns 0 if no number of layers gives the plan's number of chunks. */
static int
chunk_layers (const PlgPlan *plan)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  int slots = plan->model.layers + !!parallelism->embedding_slot + !!parallelism->loss_slot;
  int chunks = parallelism->degree[PLG_AXIS_PP] * parallelism->chunks;
  int layers = (slots + chunks - 1) / chunks;

  return (slots + layers - 1) / layers == chunks ? layers : 0;
}

static void
check_parallelism (const PlgPlan *plan, GString *why)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  const int *degree = parallelism->degree;
  g_autofree char *order = plg_order_to_string (parallelism);

  if (!plg_order_preset_is_used (plg_order_preset_find ("torchtitan"), parallelism))
    plg_unsupported_add (why,
                         _ ("torchtitan numbers its ranks tp-cp-dp-pp, not %s. Set %s to %s, "
                            "or write a DeviceMesh or a table of ranks."),
                         order, plg_setting_name ("parallelism.order"),
                         plg_setting_value_name ("parallelism.order", "torchtitan"));
  if (parallelism->zero == 1)
    plg_unsupported_add (why,
                         _ ("torchtitan either shards the weights too (FSDP) or shards nothing. "
                            "Set %s to 3, 2 or 0."),
                         plg_setting_name ("parallelism.zero"));
  if (degree[PLG_AXIS_TP] > 1 && !parallelism->sequence)
    plg_unsupported_add (why, _ ("torchtitan's TP always uses sequence parallelism. Set %s to %s."),
                         plg_setting_name ("parallelism.sequence"),
                         plg_setting_value_name ("parallelism.sequence", "true"));
  if (degree[PLG_AXIS_CP] > 1 && parallelism->cp_type == PLG_CP_ULYSSES)
    plg_unsupported_add (why,
                         _ ("torchtitan's CP uses a ring or an all-gather. Set %s to %s or "
                            "%s."),
                         plg_setting_name ("parallelism.cp-type"),
                         plg_setting_value_name ("parallelism.cp-type", "ring"),
                         plg_setting_value_name ("parallelism.cp-type", "all-gather"));
  if (degree[PLG_AXIS_DP] > 1 && !parallelism->overlap_dp)
    plg_unsupported_add (why,
                         _ ("torchtitan always reduces gradients during computation. Set %s to "
                            "%s."),
                         plg_setting_name ("parallelism.overlap-dp"),
                         plg_setting_value_name ("parallelism.overlap-dp", "true"));
  if (parallelism->etp != 1 && parallelism->etp != degree[PLG_AXIS_TP])
    plg_unsupported_add (why,
                         _ ("torchtitan splits each expert by TP or not at all. Set %s to 1 or "
                            "%d."),
                         plg_setting_name ("parallelism.etp"), degree[PLG_AXIS_TP]);
  if (degree[PLG_AXIS_EP] > 1 && parallelism->dispatcher == PLG_DISPATCHER_ALL_GATHER)
    plg_unsupported_add (why,
                         _ ("torchtitan does not send all tokens to all GPUs. Set %s to %s, %s or "
                            "%s."),
                         plg_setting_name ("parallelism.dispatcher"),
                         plg_setting_value_name ("parallelism.dispatcher", "all-to-all"),
                         plg_setting_value_name ("parallelism.dispatcher", "deepep"),
                         plg_setting_value_name ("parallelism.dispatcher", "hybridep"));
}

static void
check_pipeline (const PlgPlan *plan, GString *why)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  PlgSchedule schedule = plan->training.schedule;

  if (parallelism->degree[PLG_AXIS_PP] < 2)
    return;
  if (schedule == PLG_SCHEDULE_ZB_H1 || schedule == PLG_SCHEDULE_DUALPIPE)
    plg_unsupported_add (why,
                         _ ("torchtitan does not have this schedule. Set %s to %s, %s, %s or %s."),
                         plg_setting_name ("training.schedule"),
                         plg_setting_value_name ("training.schedule", "gpipe"),
                         plg_setting_value_name ("training.schedule", "1f1b"),
                         plg_setting_value_name ("training.schedule", "interleaved"),
                         plg_setting_value_name ("training.schedule", "zb-v"));
  if (schedule == PLG_SCHEDULE_INTERLEAVED && chunk_layers (plan) == 0)
    plg_unsupported_add (
        why,
        _ ("torchtitan derives the chunks from the layers per chunk, and no such number divides "
           "%d layers into %d × %d chunks. Choose a different %s."),
        plan->model.layers, parallelism->degree[PLG_AXIS_PP], parallelism->chunks,
        plg_setting_name ("parallelism.chunks"));
  if (parallelism->first_layers > 0 || parallelism->last_layers > 0)
    plg_unsupported_add (
        why,
        _ ("For uneven stages, torchtitan needs the names of all modules. Set %s and %s to "
           "0."),
        plg_setting_name ("parallelism.first-layers"),
        plg_setting_name ("parallelism.last-layers"));
  if (parallelism->layout.stages > 0)
    plg_unsupported_add (
        why, _ ("For uneven stages, torchtitan needs the names of all modules. Clear %s."),
        plg_setting_name ("parallelism.layout"));
}

/* Returns TRUE if the model is compiled. A plan of another program is compiled if its kernels are
 * fused. */
static gboolean
compiles (const PlgPlan *plan)
{
  if (plan->training.program == PLG_PROGRAM_FSDP_EAGER)
    return FALSE;
  return plan->training.program == PLG_PROGRAM_FSDP_COMPILED || plg_kernels_are_fused (plan);
}

static void
check_training (const PlgPlan *plan, GString *why)
{
  const PlgTraining *training = &plan->training;

  if (known_model (&plan->model) == NULL)
    plg_unsupported_add (why,
                         _ ("torchtitan's models are Llama 3 8B, 70B and 405B, DeepSeek-V3 and "
                            "Qwen3 235B-A22B; other models need Python code."));
  if (training->recompute == PLG_RECOMPUTE_FULL &&
      (training->recompute_method == PLG_RECOMPUTE_METHOD_FIRST ||
       training->recompute_method == PLG_RECOMPUTE_METHOD_GROUPS))
    plg_unsupported_add (why,
                         _ ("torchtitan recomputes all layers or every n-th layer. Set %s to %s or "
                            "%s."),
                         plg_setting_name ("training.recompute-method"),
                         plg_setting_value_name ("training.recompute-method", "all"),
                         plg_setting_value_name ("training.recompute-method", "every"));
  if (training->precision == PLG_PRECISION_FP16)
    plg_unsupported_add (why, _ ("torchtitan does not train in FP16. Set %s to %s, %s or %s."),
                         plg_setting_name ("training.precision"),
                         plg_setting_value_name ("training.precision", "bf16"),
                         plg_setting_value_name ("training.precision", "fp8"),
                         plg_setting_value_name ("training.precision", "fp32"));
  if (training->precision == PLG_PRECISION_FP4)
    plg_unsupported_add (why, _ ("torchtitan does not train in FP4. Set %s to %s or %s."),
                         plg_setting_name ("training.precision"),
                         plg_setting_value_name ("training.precision", "bf16"),
                         plg_setting_value_name ("training.precision", "fp8"));
  if (training->precision == PLG_PRECISION_FP8 &&
      (training->fp8_recipe == PLG_FP8_RECIPE_DELAYED ||
       training->fp8_recipe == PLG_FP8_RECIPE_BLOCKWISE))
    {
      const char *key = "training.fp8-recipe";
      const char *recipe = plg_setting_value_name (key, plg_setting_find (key)
                                                            ->choices[training->fp8_recipe]);

      if (plg_cluster_has_mxfp8 (&plan->cluster))
        plg_unsupported_add (why, _ ("torchtitan has no FP8 recipe “%s”. Set %s to %s or %s."),
                             recipe, plg_setting_name (key),
                             plg_setting_value_name (key, "current"),
                             plg_setting_value_name (key, "mxfp8"));
      else
        plg_unsupported_add (why, _ ("torchtitan has no FP8 recipe “%s”. Set %s to %s."), recipe,
                             plg_setting_name (key), plg_setting_value_name (key, "current"));
    }
  if (plan->parallelism.overlap_tp && !compiles (plan))
    plg_unsupported_add (why,
                         _ ("torchtitan overlaps TP only in compiled models. Set %s to %s, or "
                            "%s to %s."),
                         plg_setting_name ("training.program"),
                         plg_setting_value_name ("training.program", "fsdp-compiled"),
                         plg_setting_name ("parallelism.overlap-tp"),
                         plg_setting_value_name ("parallelism.overlap-tp", "false"));
  if (training->optimizer == PLG_OPTIMIZER_ADAM_8BIT)
    plg_unsupported_add (why, _ ("torchtitan has no moments in 8 bits. Set %s to %s or %s."),
                         plg_setting_name ("training.optimizer"),
                         plg_setting_value_name ("training.optimizer", "adam"),
                         plg_setting_value_name ("training.optimizer", "adam-bf16"));
  if (training->optimizer == PLG_OPTIMIZER_MUON)
    plg_unsupported_add (why, _ ("torchtitan has Muon only as an experiment. Set %s to %s."),
                         plg_setting_name ("training.optimizer"),
                         plg_setting_value_name ("training.optimizer", "adam"));
  if (training->offload_optimizer > 0.0 && training->offload_optimizer < 1.0)
    plg_unsupported_add (
        why, _ ("torchtitan offloads the whole optimizer or nothing. Set %s to 0 or 1."),
        plg_setting_name ("training.offload-optimizer"));
  if (plan->parallelism.zero >= 3 && training->offload_optimizer >= 1.0 &&
      !training->offload_weights)
    plg_unsupported_add (
        why, _ ("torchtitan offloads the weights together with the optimizer. Set %s to %s."),
        plg_setting_name ("training.offload-weights"),
        plg_setting_value_name ("training.offload-weights", "true"));
  if (!training->flash_attention)
    plg_unsupported_add (why, _ ("torchtitan always uses fused attention. Set %s to %s."),
                         plg_setting_name ("training.flash-attention"),
                         plg_setting_value_name ("training.flash-attention", "true"));
}


static void
add_number (GString *out, const char *key, gint64 value)
{
  g_string_append_printf (out, "%s = %" G_GINT64_FORMAT "\n", key, value);
}

static void
add_word (GString *out, const char *key, const char *value)
{
  g_string_append_printf (out, "%s = \"%s\"\n", key, value);
}

static void
add_boolean (GString *out, const char *key, gboolean value)
{
  g_string_append_printf (out, "%s = %s\n", key, value ? "true" : "false");
}

static void
write_model (GString *out, const PlgPlan *plan)
{
  const KnownModel *model = known_model (&plan->model);

  g_string_append (out, "[model]\n");
  add_word (out, "name", model->name);
  add_word (out, "flavor", model->flavor);
  if (plan->training.precision != PLG_PRECISION_FP8)
    return;
  if (plan->training.fp8_recipe == PLG_FP8_RECIPE_MXFP8)
    g_string_append (out, "converters = [\"mx\"]\n\n[mx]\nrecipe_name = \"mxfp8_cublas\"\n");
  else if (plan->training.fp8_recipe == PLG_FP8_RECIPE_CURRENT)
    g_string_append (out, "converters = [\"float8\"]\n\n[float8]\nrecipe_name = \"tensorwise\"\n");
  else
    g_string_append (out, "converters = [\"float8\"]\n");
}

static void
write_training (GString *out, const PlgPlan *plan)
{
  const PlgTraining *training = &plan->training;
  const int *degree = plan->parallelism.degree;
  gboolean pipeline = degree[PLG_AXIS_PP] > 1;

  g_string_append (out, "\n[training]\n");
  add_number (out, "local_batch_size",
              pipeline ? training->global_batch / degree[PLG_AXIS_DP] : training->micro_batch);
  add_number (out, "global_batch_size", training->global_batch);
  add_number (out, "seq_len", training->sequence);
  if (training->tokens >= 1.0)
    add_number (out, "steps",
                (gint64) ceil (training->tokens / training->sequence / training->global_batch));
  add_word (out, "mixed_precision_param",
            training->precision == PLG_PRECISION_FP32 ? "float32" : "bfloat16");
  add_word (out, "mixed_precision_reduce",
            training->gradient_precision == PLG_PRECISION_BF16 ? "bfloat16" : "float32");
  if (training->offload_optimizer > 0.0)
    add_boolean (out, "enable_cpu_offload", TRUE);
  if (training->optimizer == PLG_OPTIMIZER_ADAM_BF16)
    {
      g_string_append (out, "\n[optimizer]\n");
      add_word (out, "implementation", "fused_opt_states_bf16");
    }
}

static void
write_parallelism (GString *out, const PlgPlan *plan)
{
  static const char *const schedules[] = {
    [PLG_SCHEDULE_GPIPE] = "GPipe",
    [PLG_SCHEDULE_1F1B] = "1F1B",
    [PLG_SCHEDULE_INTERLEAVED] = "Interleaved1F1B",
    [PLG_SCHEDULE_ZB_V] = "ZBVZeroBubble",
  };
  const PlgParallelism *parallelism = &plan->parallelism;
  const int *degree = parallelism->degree;
  gboolean shards = parallelism->zero > 0;
  int groups = plg_parallelism_replicate (parallelism);

  g_string_append (out, "\n[parallelism]\n");
  add_number (out, "data_parallel_replicate_degree", shards ? groups : degree[PLG_AXIS_DP]);
  add_number (out, "data_parallel_shard_degree", shards ? degree[PLG_AXIS_DP] / groups : 1);
  if (shards)
    add_word (out, "fsdp_reshard_after_forward", parallelism->zero == 3 ? "always" : "never");
  add_number (out, "tensor_parallel_degree", degree[PLG_AXIS_TP]);
  add_boolean (out, "enable_async_tensor_parallel", parallelism->overlap_tp);
  add_boolean (out, "disable_loss_parallel", plan->training.loss == PLG_LOSS_GATHERED);
  add_number (out, "pipeline_parallel_degree", degree[PLG_AXIS_PP]);
  if (degree[PLG_AXIS_PP] > 1)
    {
      add_word (out, "pipeline_parallel_schedule", schedules[plan->training.schedule]);
      add_number (out, "pipeline_parallel_microbatch_size", plan->training.micro_batch);
      add_number (out, "pipeline_parallel_first_stage_less_layers", !!parallelism->embedding_slot);
      add_number (out, "pipeline_parallel_last_stage_less_layers", !!parallelism->loss_slot);
      if (plan->training.schedule == PLG_SCHEDULE_INTERLEAVED)
        add_number (out, "pipeline_parallel_layers_per_stage", chunk_layers (plan));
    }
  add_number (out, "context_parallel_degree", degree[PLG_AXIS_CP]);
  add_word (out, "context_parallel_rotate_method",
            parallelism->cp_type == PLG_CP_RING ? "alltoall" : "allgather");
  if (!plg_transformer_is_moe (&plan->model))
    return;
  add_number (out, "expert_parallel_degree", degree[PLG_AXIS_EP]);
  add_number (out, "expert_tensor_parallel_degree", parallelism->etp);
  if (parallelism->dispatcher == PLG_DISPATCHER_DEEPEP ||
      parallelism->dispatcher == PLG_DISPATCHER_HYBRIDEP)
    add_word (out, "expert_parallel_comm_backend",
              parallelism->dispatcher == PLG_DISPATCHER_DEEPEP ? "deepep" : "hybridep");
}

static void
write_kernels (GString *out, const PlgPlan *plan)
{
  static const char *const recompute[] = { [PLG_RECOMPUTE_NONE] = "none",
                                           [PLG_RECOMPUTE_SELECTIVE] = "selective",
                                           [PLG_RECOMPUTE_FULL] = "full" };

  g_string_append (out, "\n[activation_checkpoint]\n");
  if (plan->training.recompute == PLG_RECOMPUTE_FULL &&
      plan->training.recompute_method == PLG_RECOMPUTE_METHOD_EVERY)
    {
      g_autofree char *every = g_strdup_printf ("%d", plan->training.recompute_layers);

      add_word (out, "mode", "selective");
      add_word (out, "selective_ac_option", every);
    }
  else
    add_word (out, "mode", recompute[plan->training.recompute]);
  g_string_append (out, "\n[compile]\n");
  if (plan->training.kernels != PLG_KERNELS_AUTO)
    g_string_append_printf (out, PLG_TORCHTITAN_KERNELS "%s.\n",
                            plan->training.kernels == PLG_KERNELS_FUSED ? "fused" : "eager");
  add_boolean (out, "enable", compiles (plan));
}

GBytes *
plg_torchtitan_write (const PlgExportContext *export, GError **error)
{
  static void (*const checks[]) (const PlgPlan *, GString *) = { check_parallelism, check_pipeline,
                                                                 check_training };
  static void (*const tables[]) (GString *, const PlgPlan *) = { write_model, write_training,
                                                                 write_parallelism, write_kernels };
  const PlgPlan *plan = export->plan;
  GString *why = g_string_new (NULL);
  GString *out;

  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    checks[i](plan, why);
  if (!plg_unsupported_finish (why, error))
    return NULL;
  out = g_string_new (NULL);
  g_string_append_printf (out, "# torchtitan on %d nodes of %d GPUs\n", plan->cluster.nodes,
                          plan->cluster.gpus_per_node);
  g_string_append (out, "# For torchtitan until 2025, with --job.config_file. Later ones read no "
                        "TOML: they take the\n"
                        "# same names as options, such as --parallelism.tensor_parallel_degree.\n");
  plg_launch_comment_placement (out, export);
  g_string_append_c (out, '\n');
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    tables[i](out, plan);
  return plg_take_text (g_string_free (out, FALSE));
}
