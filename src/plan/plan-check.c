/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/fault.h"
#include "plan/quantity.h"
#include "plan/settings/setting-name.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Returns the nearest divisors of N below and above VALUE, for example "2 or 4". If N has no
 * divisor from VALUE to 4 x VALUE, returns only the lower one. */
static char *
near_divisors (int n, int value)
{
  int below = MIN (value, n);
  int above = value;
  int largest = (int) MIN (n, 4 * (gint64) value);

  while (n % below != 0)
    below--;
  while (above <= largest && n % above != 0)
    above++;
  return above <= largest ? g_strdup_printf (_ ("%d or %d"), below, above)
                          : g_strdup_printf ("%d", below);
}

/* Returns the multiples of STEP just below and above VALUE, or only STEP if VALUE is below STEP. */
static char *
near_multiples (gint64 step, gint64 value)
{
  gint64 below = value / step * step;

  return below > 0
             ? g_strdup_printf (_ ("%lld or %lld"), (long long) below, (long long) (below + step))
             : g_strdup_printf ("%" G_GINT64_FORMAT, step);
}

static gboolean
refuse_range (const PlgSetting *setting, double value, GError **error)
{
  g_autofree char *shown = plg_format_exact (value);
  g_autofree char *from = plg_format_exact (MAX (setting->minimum, setting->least));
  g_autofree char *to = plg_format_exact (setting->maximum);

  return plg_plan_problem_set_for_key (error, PLG_PLAN_ERROR_RANGE, setting->key,
                                       setting->least > 0.0
                                           ? _ ("%s is out of range; use 0, or %s to %s%s%s")
                                           : _ ("%s is out of range; use %s to %s%s%s"),
                                       shown, from, to, setting->unit != NULL ? " " : "",
                                       setting->unit != NULL ? _ (setting->unit) : "");
}

/* Checks the ranges of all settings in PLAN. plg_setting_set() checks ranges too, but code can also
 * write to the fields of PLAN directly. */
static gboolean
check_ranges (const PlgPlan *plan, GError **error)
{
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    {
      const PlgSetting *setting = &settings[i];
      double value = plg_setting_get_number (setting, plan);

      /* All limits are finite, so NaN and infinity are out of range. Settings without a number have
       * the value and the limits 0. */
      if (!(value >= setting->minimum && value <= setting->maximum) ||
          (value < setting->least && value != 0.0))
        return refuse_range (setting, value, error);
    }
  if (plg_plan_world (plan) > PLG_MAX_GPUS)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_RANGE, NULL,
        g_dngettext (GETTEXT_PACKAGE, "%d nodes × %d GPU = %d GPUs; the largest cluster has %d",
                     "%d nodes × %d GPUs = %d GPUs; the largest cluster has %d",
                     plan->cluster.gpus_per_node),
        plan->cluster.nodes, plan->cluster.gpus_per_node, plg_plan_world (plan), PLG_MAX_GPUS);
  if (plan->cluster.gpus_per_host > 0 &&
      plan->cluster.gpus_per_node % plan->cluster.gpus_per_host != 0)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_RANGE, NULL,
        g_dngettext (GETTEXT_PACKAGE,
                     "A node of %d GPU cannot be divided into hosts of %d GPUs; set %s "
                     "to a divisor of %d, or to 0 if a node is one host",
                     "A node of %d GPUs cannot be divided into hosts of %d GPUs; set %s "
                     "to a divisor of %d, or to 0 if a node is one host",
                     plan->cluster.gpus_per_node),
        plan->cluster.gpus_per_node, plan->cluster.gpus_per_host,
        plg_setting_name ("cluster.gpus-per-host"), plan->cluster.gpus_per_node);
  return TRUE;
}

static gboolean
check_order (const PlgParallelism *parallelism, GError **error)
{
  guint seen = 0;

  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    if (parallelism->order[i] >= PLG_AXIS_TP && parallelism->order[i] <= PLG_AXIS_DP)
      seen |= 1u << parallelism->order[i];
  if (seen == (1u << PLG_AXIS_TP | 1u << PLG_AXIS_CP | 1u << PLG_AXIS_PP | 1u << PLG_AXIS_DP))
    return TRUE;
  return plg_plan_problem_set (
      error, PLG_PLAN_ERROR_RANGE, NULL,
      _ ("The nesting order must name TP, CP, PP and DP once each, as in tp-cp-pp-dp"));
}

static gboolean
check_world (const PlgPlan *plan, GError **error)
{
  const int *degree = plan->parallelism.degree;
  gint64 product = plg_parallelism_world (&plan->parallelism);
  g_autofree char *remedy = NULL;

  if (product == plg_plan_world (plan))
    return TRUE;

  /* Suggest the DP that makes the product equal to the number of GPUs ("use DP 2"). If there is
   * no such DP, suggest different degrees. */
  gint64 others = product / plan->parallelism.degree[PLG_AXIS_DP];
  gint64 world = plg_plan_world (plan);

  if (world % others == 0)
    remedy = g_strdup_printf (_ ("use DP %lld"), (long long) (world / others));
  else
    remedy = g_strdup_printf (_ ("use degrees whose product is %lld"), (long long) world);

  return plg_plan_problem_set (
      error, PLG_PLAN_ERROR_WORLD,
      PLG_CAUSES ("parallelism.tp", "parallelism.pp", "parallelism.cp", "parallelism.dp",
                  "cluster.nodes"),
      g_dngettext (GETTEXT_PACKAGE,
                   "TP %d × CP %d × PP %d × DP %d = %lld, but the cluster has %d GPU; %s",
                   "TP %d × CP %d × PP %d × DP %d = %lld, but the cluster has %d GPUs; %s",
                   (gulong) world),
      degree[PLG_AXIS_TP], degree[PLG_AXIS_CP], degree[PLG_AXIS_PP], degree[PLG_AXIS_DP],
      (long long) product, plg_plan_world (plan), remedy);
}

/* The maximum number of chunks without a layer, because the embedding and the loss can each take
 * the place of a layer. For example, the zero bubble paper (arXiv 2401.10241) has 22 layers in 8
 * x 3 chunks. */
#define CHUNKS_WITHOUT_LAYER 2

static int
stage_chunks (const PlgPlan *plan)
{
  if (plan->training.schedule == PLG_SCHEDULE_INTERLEAVED)
    return plan->parallelism.chunks;
  return plan->training.schedule == PLG_SCHEDULE_ZB_V ? 2 : 1;
}

/* Checks the place of the MTP layers in a layout. Megatron-LM requires the last chunk of a stage,
 * and not the first stage. The order of the stages in zb-v and DualPipe exists only here, so these
 * schedules keep the MTP layers with the loss. */
static gboolean
check_layout_mtp (const PlgPlan *plan, GError **error)
{
  const PlgStageLayout *layout = &plan->parallelism.layout;
  int pp = plan->parallelism.degree[PLG_AXIS_PP], last = layout->stages - 1;
  PlgSchedule schedule = plan->training.schedule;
  gboolean is_fixed = schedule == PLG_SCHEDULE_ZB_V || schedule == PLG_SCHEDULE_DUALPIPE;

  if (layout->mtp_layers == 0 || layout->mtp == last)
    return TRUE;
  if (is_fixed)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_LAYERS, PLG_CAUSES ("parallelism.layout", "training.schedule"),
        _ ("With this schedule, the MTP layers must be in the virtual stage of the loss; put m "
           "before L"));
  return layout->mtp > layout->stages - pp ||
         plg_plan_problem_set (
             error, PLG_PLAN_ERROR_LAYERS, PLG_CAUSES ("parallelism.layout"),
             _ ("The MTP layers are in virtual stage %d; put m in virtual stage %d or a later one"),
             layout->mtp, layout->stages - pp + 1);
}

gboolean
plg_plan_check_layout (const PlgPlan *plan, GError **error)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  const PlgStageLayout *layout = &parallelism->layout;
  int pp = parallelism->degree[PLG_AXIS_PP], chunks = stage_chunks (plan);
  int layers = plg_stage_layout_before (layout, layout->stages);
  int mtp = MAX (plan->model.mtp_layers, 0);

  if (layout->stages == 0)
    return TRUE;
  if (pp < 2)
    return plg_plan_problem_set (error, PLG_PLAN_ERROR_LAYERS,
                                 PLG_CAUSES ("parallelism.layout", "parallelism.pp"),
                                 _ ("%s has no meaning with PP 1; clear it"),
                                 plg_setting_name ("parallelism.layout"));
  if (parallelism->first_layers > 0 || parallelism->last_layers > 0 ||
      parallelism->embedding_slot || parallelism->loss_slot)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_LAYERS,
        PLG_CAUSES ("parallelism.layout", "parallelism.first-layers", "parallelism.last-layers"),
        _ ("%s already sets the layers of the first and the last stage; set %s and %s to 0, and "
           "turn %s and %s off"),
        plg_setting_name ("parallelism.layout"), plg_setting_name ("parallelism.first-layers"),
        plg_setting_name ("parallelism.last-layers"),
        plg_setting_name ("parallelism.embedding-slot"),
        plg_setting_name ("parallelism.loss-slot"));
  if (layout->stages != pp * chunks)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_LAYERS,
        PLG_CAUSES ("parallelism.layout", "parallelism.pp", "parallelism.chunks"),
        _ ("The layout’s number of virtual stages is %d, but PP %d × chunks %d needs %d; add or "
           "remove “|”"),
        layout->stages, pp, chunks, pp * chunks);
  if (layers != plan->model.layers)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_LAYERS, PLG_CAUSES ("parallelism.layout", "model.layers"),
        _ ("The layout has t %d times, but the model’s number of layers is %d; add or remove t"),
        layers, plan->model.layers);
  if (layout->mtp_layers != mtp)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_LAYERS, PLG_CAUSES ("parallelism.layout", "model.mtp-layers"),
        _ ("The layout has m %d times, but the model’s number of MTP layers is %d; add or "
           "remove m"),
        layout->mtp_layers, mtp);
  return check_layout_mtp (plan, error);
}

static gboolean
check_layers (const PlgPlan *plan, GError **error)
{
  int layers = plan->model.layers;
  int slots = layers + CHUNKS_WITHOUT_LAYER;
  int pp = plan->parallelism.degree[PLG_AXIS_PP];
  int chunks = plan->parallelism.chunks;
  int ends = !!plan->parallelism.embedding_slot + !!plan->parallelism.loss_slot;
  g_autofree char *remedy = NULL;

  if (plan->parallelism.layout.stages > 0)
    return plg_plan_check_layout (plan, error);
  if (pp > layers + ends)
    {
      remedy = g_strdup_printf (_ ("use PP %d or less"), layers + ends);
      return plg_plan_problem_set_limit (error, PLG_PLAN_ERROR_LAYERS,
                                         PLG_CAUSES ("parallelism.pp", "parallelism.chunks",
                                                     "model.layers"),
                                         remedy,
                                         _ ("PP %d needs at least %d layers, but the model has %d"),
                                         pp, pp - ends, layers);
    }
  if (plan->training.schedule == PLG_SCHEDULE_ZB_V && 2 * pp > slots)
    {
      remedy = g_strdup_printf (_ ("use PP %d or less, or 1f1b"), slots / 2);
      return plg_plan_problem_set_limit (
          error, PLG_PLAN_ERROR_LAYERS,
          PLG_CAUSES ("parallelism.pp", "parallelism.chunks", "model.layers"), remedy,
          _ ("zb-v with PP %d needs at least %d layers, but the model has %d"), pp,
          2 * pp - CHUNKS_WITHOUT_LAYER, layers);
    }
  if ((gint64) pp * chunks > slots)
    {
      remedy = g_strdup_printf (_ ("use %d chunks or fewer"), slots / pp);
      return plg_plan_problem_set_limit (
          error, PLG_PLAN_ERROR_LAYERS,
          PLG_CAUSES ("parallelism.pp", "parallelism.chunks", "model.layers"), remedy,
          _ ("PP %d × %d chunks needs at least %d layers, but the model has %d"), pp, chunks,
          pp * chunks - CHUNKS_WITHOUT_LAYER, layers);
    }
  return TRUE;
}

/* Checks LAYERS, the number of layers set by hand for the first or the last stage. SLOT is the
 * key of a setting that is on and contradicts LAYERS, or NULL. */
static gboolean
check_end (const PlgPlan *plan, const char *key, int layers, const char *slot, GError **error)
{
  int chunks = stage_chunks (plan);

  if (layers == 0)
    return TRUE;
  if (slot != NULL)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_LAYERS, PLG_CAUSES ("parallelism.chunks", "model.layers"),
        _ ("%s %d already sets the number of layers: turn %s off, or set %s to 0"),
        plg_setting_name (key), layers, plg_setting_name (slot), strchr (key, '.') + 1);
  return layers >= chunks ||
         plg_plan_problem_set (error, PLG_PLAN_ERROR_LAYERS,
                               PLG_CAUSES ("parallelism.chunks", "model.layers"),
                               _ ("%s %d is not enough for %d chunks; use %d or more"),
                               plg_setting_name (key), layers, chunks, chunks);
}

/* Checks the numbers of layers of the first and the last stage. A single stage has all layers,
 * regardless of these settings. With zb-v, embedding and loss are both on the first stage. */
static gboolean
check_ends (const PlgPlan *plan, GError **error)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  gboolean turns_back = plan->training.schedule == PLG_SCHEDULE_ZB_V;
  const char *loss = parallelism->loss_slot ? "parallelism.loss-slot" : NULL;
  const char *first = parallelism->embedding_slot ? "parallelism.embedding-slot"
                      : turns_back                ? loss
                                                  : NULL;

  if (parallelism->degree[PLG_AXIS_PP] < 2 ||
      (parallelism->first_layers == 0 && parallelism->last_layers == 0))
    return TRUE;
  if (!check_end (plan, "parallelism.first-layers", parallelism->first_layers, first, error) ||
      !check_end (plan, "parallelism.last-layers", parallelism->last_layers,
                  turns_back ? NULL : loss, error))
    return FALSE;

  /* The layers set by hand on the first and the last stage must leave at least one layer for
   * each chunk of the other stages, except for chunks that contain the embedding or the loss. */
  int rest_first = parallelism->first_layers, last = parallelism->last_layers;
  int chunks = stage_chunks (plan), layers = plan->model.layers;
  int others = parallelism->degree[PLG_AXIS_PP] - (rest_first > 0) - (last > 0);
  int wanted = others * chunks - !!parallelism->embedding_slot - !!parallelism->loss_slot;
  int most = layers - wanted;

  if (others == 0 && rest_first + last != layers)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_LAYERS, PLG_CAUSES ("parallelism.chunks", "model.layers"),
        _ ("Two stages of %d and %d layers do not add up to the model's %d layers; set %s to 0"),
        rest_first, last, layers, plg_setting_name ("parallelism.last-layers"));
  return rest_first + last <= most ||
         plg_plan_problem_set (
             error, PLG_PLAN_ERROR_LAYERS, PLG_CAUSES ("parallelism.chunks", "model.layers"),
             _ ("%d layers set by hand leave %d of %d layers to the other stages, which need %d; "
                "use %d or fewer"),
             rest_first + last, MAX (layers - rest_first - last, 0), layers, wanted, most);
}

static gboolean
divides_either_way (int a, int b)
{
  return a % b == 0 || b % a == 0;
}

static gboolean
check_heads (const PlgPlan *plan, GError **error)
{
  const PlgTransformer *model = &plan->model;
  int tp = plan->parallelism.degree[PLG_AXIS_TP];
  g_autofree char *choices = NULL;
  g_autofree char *remedy = NULL;

  if (model->heads % tp == 0)
    {
      if (model->kv_rank > 0)
        return TRUE;

      /* TP may be larger than the number of KV heads. Several GPUs then have a copy of each KV
       * head, as in Megatron-LM. */
      g_autofree char *heads_choices = NULL;

      if (model->heads % model->kv_heads != 0)
        {
          heads_choices = near_divisors (model->heads, model->kv_heads);
          return plg_plan_problem_set (
              error, PLG_PLAN_ERROR_HEADS, PLG_CAUSES ("model.heads", "model.kv-heads"),
              _ ("%d KV heads do not divide %d attention heads; use %s KV heads"), model->kv_heads,
              model->heads, heads_choices);
        }
      if (divides_either_way (model->kv_heads, tp))
        return TRUE;
      heads_choices = near_divisors (model->kv_heads, tp);
      remedy = g_strdup_printf (_ ("use TP %s"), heads_choices);
      return plg_plan_problem_set_limit (
          error, PLG_PLAN_ERROR_HEADS,
          PLG_CAUSES ("parallelism.tp", "model.heads", "model.kv-heads"), remedy,
          _ ("TP %d is neither a divisor nor a multiple of the %d KV heads"), tp, model->kv_heads);
    }
  choices = near_divisors (model->heads, tp);
  remedy = g_strdup_printf (_ ("use TP %s"), choices);
  return plg_plan_problem_set_limit (error, PLG_PLAN_ERROR_HEADS,
                                     PLG_CAUSES ("parallelism.tp", "model.heads", "model.kv-heads"),
                                     remedy, _ ("TP %d does not divide %d attention heads"), tp,
                                     model->heads);
}

/* Checks that an indexer has heads and chooses keys, and that it is the only limit of the keys. */
static gboolean
check_indexer (const PlgPlan *plan, GError **error)
{
  const PlgTransformer *model = &plan->model;

  if (model->index_heads == 0)
    return TRUE;
  if (model->index_dim < 1 || model->index_top_k < 1)
    return plg_plan_problem_set (error, PLG_PLAN_ERROR_HEADS,
                                 PLG_CAUSES ("model.index-heads", "model.index-dim",
                                             "model.index-top-k"),
                                 _ ("%s is 0, but the model has an indexer; set it to 1 or more"),
                                 plg_setting_name (model->index_dim < 1 ? "model.index-dim"
                                                                        : "model.index-top-k"));
  if (model->window > 0)
    return plg_plan_problem_set (error, PLG_PLAN_ERROR_HEADS,
                                 PLG_CAUSES ("model.index-heads", "model.window"),
                                 _ ("a model has either an indexer or an attention window; set %s "
                                    "or %s to 0"),
                                 plg_setting_name ("model.index-heads"),
                                 plg_setting_name ("model.window"));
  return TRUE;
}

/* Checks the layers of a hybrid model, and that the degrees divide the heads of its mixers. TP divides
 * the groups and CP the heads of a TP rank, as in Megatron-LM (core/ssm/mamba_mixer.py and
 * mamba_context_parallel.py). */
static gboolean
check_mixer (const PlgPlan *plan, GError **error)
{
  const PlgTransformer *model = &plan->model;
  const struct
  {
    const char *key;
    int size;
  } sizes[] = {
    { "model.mixer-heads", model->mixer_heads },
    { "model.mixer-head-dim", model->mixer_head_dim },
    { "model.mixer-groups", model->mixer_groups },
    { "model.mixer-state", model->mixer_state },
    { "model.mixer-conv", model->mixer_conv },
  };
  gint64 others = (gint64) model->attention_layers + model->mlp_layers;
  int tp = plan->parallelism.degree[PLG_AXIS_TP], cp = plan->parallelism.degree[PLG_AXIS_CP];
  int heads, groups;
  g_autofree char *choices = NULL;
  g_autofree char *remedy = NULL;

  if (model->mixer == PLG_MIXER_NONE)
    return TRUE;
  if (others > model->layers)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_LAYERS, PLG_CAUSES ("model.attention-layers", "model.layers"),
        _ ("%d attention and %d MLP layers are more than the model's %d layers; reduce %s or %s"),
        model->attention_layers, model->mlp_layers, model->layers,
        plg_setting_name ("model.attention-layers"), plg_setting_name ("model.mlp-layers"));
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    if (sizes[i].size < 1)
      return plg_plan_problem_set (error, PLG_PLAN_ERROR_HEADS,
                                   PLG_CAUSES ("model.mixer", "model.mixer-heads"),
                                   _ ("%s is 0, but the model has a mixer; set it to 1 or more"),
                                   plg_setting_name (sizes[i].key));
  if (model->mixer_heads % model->mixer_groups != 0)
    {
      choices = near_divisors (model->mixer_heads, model->mixer_groups);
      return plg_plan_problem_set (
          error, PLG_PLAN_ERROR_HEADS, PLG_CAUSES ("model.mixer-heads", "model.mixer-groups"),
          _ ("%d mixer groups do not divide %d mixer heads; use %s groups"), model->mixer_groups,
          model->mixer_heads, choices);
    }
  if (model->mixer_groups % tp != 0)
    {
      choices = near_divisors (model->mixer_groups, tp);
      remedy = g_strdup_printf (_ ("use TP %s"), choices);
      return plg_plan_problem_set_limit (error, PLG_PLAN_ERROR_HEADS,
                                         PLG_CAUSES ("parallelism.tp", "model.mixer-heads",
                                                     "model.mixer-groups"),
                                         remedy, _ ("TP %d does not divide the %d mixer groups"),
                                         tp, model->mixer_groups);
    }
  heads = model->mixer_heads / tp;
  groups = model->mixer_groups / tp;
  if (heads % cp == 0 && divides_either_way (groups, cp))
    return TRUE;
  choices = near_divisors (heads % cp != 0 ? heads : groups, cp);
  remedy = g_strdup_printf (_ ("use CP %s"), choices);
  return plg_plan_problem_set_limit (
      error, PLG_PLAN_ERROR_HEADS,
      PLG_CAUSES ("parallelism.cp", "model.mixer-heads", "model.mixer-groups"), remedy,
      _ ("CP %d does not divide the %d mixer heads (%d groups) that TP leaves per GPU"), cp, heads,
      groups);
}

/* Checks that the degrees divide the heads and widths of the model. The formulas of the profile
 * "notebook" use no heads or widths, so a plan with this profile passes, unless its indexer has no
 * size. */
static gboolean
check_model_split (const PlgPlan *plan, GError **error)
{
  if (!check_indexer (plan, error))
    return FALSE;
  if (plan->profile == PLG_PROFILE_NOTEBOOK)
    return TRUE;
  if (!check_heads (plan, error) || !check_mixer (plan, error))
    return FALSE;

  int ulysses_tp = plan->parallelism.degree[PLG_AXIS_TP];
  int cp = plan->parallelism.degree[PLG_AXIS_CP];
  int heads = MAX (1, plan->model.heads / ulysses_tp);
  int kv_heads = plan->model.kv_rank > 0 ? heads : MAX (1, plan->model.kv_heads / ulysses_tp);
  g_autofree char *ulysses_choices = NULL;
  g_autofree char *remedy = NULL;

  if (plan->parallelism.cp_type == PLG_CP_ULYSSES &&
      (heads % cp != 0 || !divides_either_way (kv_heads, cp)))
    {
      ulysses_choices = near_divisors (heads % cp != 0 ? heads : kv_heads, cp);
      remedy = g_strdup_printf (_ ("use CP %s or ring"), ulysses_choices);
      return plg_plan_problem_set_limit (
          error, PLG_PLAN_ERROR_HEADS,
          PLG_CAUSES ("parallelism.cp", "model.heads", "model.kv-heads"), remedy,
          _ ("Ulysses CP %d does not divide the %d heads (%d KV heads) that TP leaves per GPU"), cp,
          heads, kv_heads);
    }

  int tp = plan->parallelism.degree[PLG_AXIS_TP];
  const PlgTransformer *model = &plan->model;
  int layers = plg_transformer_dense_layers (model);
  g_autofree char *choices = NULL;

  /* A hybrid model without experts may have no MLP. */
  if (model->ffn == 0 && plg_transformer_mlp_layers (model) == 0)
    layers = 0;
  if (layers != 0 && (model->ffn <= 0 || model->ffn % tp != 0))
    {
      if (model->ffn < 1)
        {
          if (!plg_plan_problem_set (error, PLG_PLAN_ERROR_WIDTH,
                                     PLG_CAUSES ("model.ffn", "model.expert-ffn", "model.hidden"),
                                     _ ("%d dense layers have an MLP size of 0; set %s"), layers,
                                     plg_setting_name ("model.ffn")))
            return FALSE;
        }
      else
        {
          choices = near_divisors (model->ffn, tp);
          remedy = g_strdup_printf (_ ("use TP %s"), choices);
          return plg_plan_problem_set_limit (error, PLG_PLAN_ERROR_WIDTH,
                                             PLG_CAUSES ("parallelism.tp", "model.ffn",
                                                         "model.expert-ffn", "model.hidden"),
                                             remedy, _ ("TP %d does not divide the MLP size %d"),
                                             tp, model->ffn);
        }
    }

  const PlgTransformer *width_model = &plan->model;
  gint64 shared = (gint64) width_model->shared_experts * width_model->expert_ffn;
  g_autofree char *width_choices = NULL;

  if (!plg_transformer_is_moe (width_model) || shared % tp == 0)
    return TRUE;
  width_choices = near_divisors ((int) MIN (shared, G_MAXINT), tp);
  remedy = g_strdup_printf (_ ("use TP %s"), width_choices);
  return plg_plan_problem_set_limit (error, PLG_PLAN_ERROR_WIDTH,
                                     PLG_CAUSES ("parallelism.tp", "model.ffn", "model.expert-ffn",
                                                 "model.hidden"),
                                     remedy,
                                     _ ("TP %d does not divide the shared experts' size %lld"), tp,
                                     (long long) shared);
}

static gboolean
check_sequence (const PlgPlan *plan, GError **error)
{
  int sequence = plan->training.sequence;
  int tp = plan->parallelism.degree[PLG_AXIS_TP];
  int cp = plan->parallelism.degree[PLG_AXIS_CP];
  g_autofree char *choices = NULL;
  g_autofree char *remedy = NULL;

  if (sequence % cp != 0)
    {
      if (error == NULL)
        return FALSE;
      choices = near_divisors (sequence, cp);
      remedy = g_strdup_printf (_ ("use CP %s"), choices);
      return plg_plan_problem_set_limit (
          error, PLG_PLAN_ERROR_SEQUENCE, PLG_CAUSES ("training.sequence", "parallelism.cp"),
          remedy,
          g_dngettext (GETTEXT_PACKAGE, "CP %d does not divide a sequence of %d token",
                       "CP %d does not divide a sequence of %d tokens", sequence),
          cp, sequence);
    }
  if (!plan->parallelism.sequence || sequence / cp % tp == 0)
    return TRUE;
  if (error == NULL)
    return FALSE;
  choices = near_divisors (sequence / cp, tp);
  remedy = g_strdup_printf (_ ("use TP %s, or turn it off"), choices);
  return plg_plan_problem_set_limit (
      error, PLG_PLAN_ERROR_SEQUENCE, PLG_CAUSES ("training.sequence", "parallelism.tp"), remedy,
      g_dngettext (GETTEXT_PACKAGE,
                   "Sequence parallelism: TP %d does not divide the %d token per GPU",
                   "Sequence parallelism: TP %d does not divide the %d tokens per GPU",
                   sequence / cp),
      tp, sequence / cp);
}

static gboolean
check_expert_model (const PlgTransformer *model, GError **error)
{
  if (model->top_k < 1 || model->top_k > model->experts)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_EXPERTS, PLG_CAUSES ("model.experts"),
        g_dngettext (GETTEXT_PACKAGE,
                     "A token cannot go to %d of %d expert; set %s to a number from 1 "
                     "to %d",
                     "A token cannot go to %d of %d experts; set %s to a number from 1 "
                     "to %d",
                     model->experts),
        model->top_k, model->experts, plg_setting_name ("model.top-k"), model->experts);
  if (model->expert_ffn < 1)
    return plg_plan_problem_set (error, PLG_PLAN_ERROR_EXPERTS, PLG_CAUSES ("model.experts"),
                                 g_dngettext (GETTEXT_PACKAGE, "%d expert has a size of 0; set %s",
                                              "%d experts have a size of 0; set %s",
                                              model->experts),
                                 model->experts, plg_setting_name ("model.expert-ffn"));
  if (model->expert_groups > 1 && model->experts % model->expert_groups != 0)
    return plg_plan_problem_set (error, PLG_PLAN_ERROR_EXPERTS, PLG_CAUSES ("model.experts"),
                                 _ ("%d groups do not divide %d experts; set %s to a divisor"),
                                 model->expert_groups, model->experts,
                                 plg_setting_name ("model.expert-groups"));
  if (model->expert_groups > 1 &&
      (model->top_groups < 1 || model->top_groups > model->expert_groups ||
       model->top_k > model->top_groups * (model->experts / model->expert_groups)))
    {
      int size = model->experts / model->expert_groups;

      return plg_plan_problem_set (
          error, PLG_PLAN_ERROR_EXPERTS, PLG_CAUSES ("model.experts"),
          _ ("the %d experts of a token do not fit in %d of %d groups with a size of %d; set %s to a "
             "number from %d to %d"),
          model->top_k, model->top_groups, model->expert_groups, size,
          plg_setting_name ("model.top-groups"), (model->top_k + size - 1) / size,
          model->expert_groups);
    }
  if (model->dense_layers > model->layers)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_LAYERS, PLG_CAUSES ("parallelism.chunks", "model.layers"),
        g_dngettext (GETTEXT_PACKAGE,
                     "%d dense layers are more than the model's %d layer; use %d or fewer",
                     "%d dense layers are more than the model's %d layers; use %d or fewer",
                     model->layers),
        model->dense_layers, model->layers, model->layers);
  return TRUE;
}

static gboolean
check_experts (const PlgPlan *plan, GError **error)
{
  const PlgTransformer *model = &plan->model;
  const PlgParallelism *parallelism = &plan->parallelism;
  int ep = parallelism->degree[PLG_AXIS_EP];
  int etp = parallelism->etp;
  int stage = plg_plan_world (plan) / parallelism->degree[PLG_AXIS_PP];
  g_autofree char *choices = NULL;
  g_autofree char *remedy = NULL;

  if (!plg_transformer_is_moe (model))
    {
      int dense_ep = plan->parallelism.degree[PLG_AXIS_EP];

      if (dense_ep > 1)
        return plg_plan_problem_set_limit (error, PLG_PLAN_ERROR_EXPERTS,
                                           PLG_CAUSES ("parallelism.ep", "model.experts"),
                                           _ ("use EP 1"),
                                           _ ("EP %d needs experts, but %s is a dense model"),
                                           dense_ep, plan->model.title);
      if (plan->parallelism.etp > 1)
        return plg_plan_problem_set (error, PLG_PLAN_ERROR_EXPERTS,
                                     PLG_CAUSES ("parallelism.etp", "model.experts"),
                                     _ ("ETP %d needs experts, but %s is a dense model; use ETP 1"),
                                     plan->parallelism.etp, plan->model.title);
      return TRUE;
    }
  if (!check_expert_model (model, error))
    return FALSE;
  if (model->experts % ep != 0)
    {
      choices = near_divisors (model->experts, ep);
      remedy = g_strdup_printf (_ ("use EP %s"), choices);
      return plg_plan_problem_set_limit (error, PLG_PLAN_ERROR_EXPERTS,
                                         PLG_CAUSES ("parallelism.ep", "model.experts"), remedy,
                                         g_dngettext (GETTEXT_PACKAGE,
                                                      "EP %d does not divide %d expert",
                                                      "EP %d does not divide %d experts",
                                                      model->experts),
                                         ep, model->experts);
    }
  if (model->expert_ffn % etp != 0)
    {
      choices = near_divisors (model->expert_ffn, etp);
      return plg_plan_problem_set (error, PLG_PLAN_ERROR_EXPERTS,
                                   PLG_CAUSES ("parallelism.etp", "model.experts"),
                                   _ ("ETP %d does not divide the expert size %d; use ETP %s"), etp,
                                   model->expert_ffn, choices);
    }
  if (ep > 1 && plan->training.expert_load > ep)
    {
      const char *key = "training.expert-load";
      g_autofree char *load = NULL;

      if (error == NULL)
        return FALSE;
      load = plg_setting_get (plg_setting_find (key), plan);
      return plg_plan_problem_set (error, PLG_PLAN_ERROR_EXPERTS,
                                   PLG_CAUSES (key, "parallelism.ep"),
                                   _ ("%s %s is above EP %d, but no rank can receive more than all "
                                      "tokens; use at most %d"),
                                   plg_setting_name (key), load, ep, ep);
    }
  if (stage % ((gint64) ep * etp) == 0)
    return TRUE;
  if (error == NULL)
    return FALSE;
  return plg_plan_problem_set_limit (
      error, PLG_PLAN_ERROR_EXPERTS,
      PLG_CAUSES ("parallelism.ep", "parallelism.etp", "model.experts"),
      _ ("use degrees whose product divides that number"),
      g_dngettext (GETTEXT_PACKAGE,
                   "EP %d × ETP %d does not divide the %d GPU of a stage (TP × CP × DP)",
                   "EP %d × ETP %d does not divide the %d GPUs of a stage (TP × CP × DP)", stage),
      ep, etp, stage);
}

/* Checks that the shard groups (HSDP) have equal sizes, for the parameters of experts and for all
 * others. */
static gboolean
check_replicate (const PlgPlan *plan, GError **error)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  int replicate = MAX (parallelism->replicate, 1), dp = parallelism->degree[PLG_AXIS_DP];
  int limit = plg_parallelism_replicate_limit (parallelism);
  int copies = plg_plan_world (plan) / parallelism->degree[PLG_AXIS_PP] /
               (parallelism->degree[PLG_AXIS_EP] * parallelism->etp);
  g_autofree char *choices = NULL;

  if (limit % replicate == 0)
    return TRUE;
  if (error == NULL)
    return FALSE;
  choices = near_divisors (limit, replicate);
  if (dp % replicate != 0)
    return plg_plan_problem_set (error, PLG_PLAN_ERROR_WORLD,
                                 PLG_CAUSES ("parallelism.replicate", "parallelism.dp"),
                                 _ ("%s %d does not divide DP %d; use %s"),
                                 plg_setting_name ("parallelism.replicate"), replicate, dp,
                                 choices);
  return plg_plan_problem_set (
      error, PLG_PLAN_ERROR_EXPERTS,
      PLG_CAUSES ("parallelism.replicate", "parallelism.ep", "parallelism.etp"),
      g_dngettext (
          GETTEXT_PACKAGE,
          "%s %d does not divide the %d copy of each expert (TP × CP × DP / (EP × ETP)); use %s",
          "%s %d does not divide the %d copies of each expert (TP × CP × DP / (EP × ETP)); use %s",
          copies),
      plg_setting_name ("parallelism.replicate"), replicate, copies, choices);
}

static gboolean
check_batch (const PlgPlan *plan, GError **error)
{
  const PlgTraining *training = &plan->training;
  int dp = plan->parallelism.degree[PLG_AXIS_DP];
  gint64 step = (gint64) training->micro_batch * dp;
  g_autofree char *choices = NULL;
  g_autofree char *remedy = NULL;

  if (training->global_batch % step == 0)
    return TRUE;
  if (error == NULL)
    return FALSE;
  choices = near_multiples (step, training->global_batch);
  remedy = g_strdup_printf (_ ("use a global batch of %s"), choices);
  return plg_plan_problem_set_limit (
      error, PLG_PLAN_ERROR_BATCH,
      PLG_CAUSES ("training.global-batch", "training.micro-batch", "parallelism.dp"), remedy,
      _ ("Global batch %d is not a multiple of micro-batch %d × DP %d = %lld"),
      training->global_batch, training->micro_batch, dp, (long long) step);
}

/* A search calls the checks of degrees and schedules often and without an error, so the checks that
 * many plans fail return early instead of making a message that nobody reads. */

/* Checks the requirements of DualPipe.step(): an even number of ranks, and an even number of
 * micro-batches that is at least twice the number of ranks (github.com/deepseek-ai/DualPipe,
 * dualpipe/dualpipe.py). */
static gboolean
check_dualpipe (const PlgPlan *plan, GError **error)
{
  int pp = plan->parallelism.degree[PLG_AXIS_PP];
  int micro_batches = plg_plan_micro_batches (plan);
  int wanted = MAX (2 * pp, micro_batches + micro_batches % 2);
  gint64 samples = (gint64) plan->training.micro_batch * plan->parallelism.degree[PLG_AXIS_DP];
  g_autofree char *remedy = NULL;

  if (error == NULL && (pp % 2 != 0 || micro_batches != wanted))
    return FALSE;
  if (pp % 2 != 0)
    {
      remedy = g_strdup_printf (_ ("use PP %d, or 1f1b"), pp + 1);
      return plg_plan_problem_set_limit (
          error, PLG_PLAN_ERROR_SCHEDULE, PLG_CAUSES ("training.schedule", "parallelism.chunks"),
          remedy, _ ("DualPipe runs from both ends of the pipeline and needs an even PP, not %d"),
          pp);
    }
  if (micro_batches == wanted)
    return TRUE;
  remedy = g_strdup_printf (_ ("use a global batch of %lld"), (long long) (wanted * samples));
  return plg_plan_problem_set_limit (
      error, PLG_PLAN_ERROR_SCHEDULE, PLG_CAUSES ("training.schedule", "parallelism.chunks"),
      remedy, _ ("DualPipe needs an even number of micro-batches, at least 2 × PP = %d, not %d"),
      2 * pp, micro_batches);
}

static gboolean
check_schedule (const PlgPlan *plan, GError **error)
{
  int chunks = plan->parallelism.chunks;

  if (plan->parallelism.overlap_ep && plan->training.schedule == PLG_SCHEDULE_GPIPE)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_SCHEDULE, PLG_CAUSES ("training.schedule", "parallelism.chunks"),
        _ ("GPipe never runs a backward pass during a forward pass, so EP cannot overlap; use 1f1b or interleaved, or turn overlap-ep off"));
  switch (plan->training.schedule)
    {
    case PLG_SCHEDULE_INTERLEAVED:
      {
        /* Megatron-LM sends micro-batches through the chunks in groups of PP, so the number of
         * micro-batches must be a multiple of PP. */
        int pp = plan->parallelism.degree[PLG_AXIS_PP];
        gint64 samples = (gint64) plan->training.micro_batch *
                         plan->parallelism.degree[PLG_AXIS_DP] * pp;
        g_autofree char *choices = NULL;
        g_autofree char *remedy = NULL;

        if (plan->parallelism.chunks < 2)
          return plg_plan_problem_set (
              error, PLG_PLAN_ERROR_SCHEDULE,
              PLG_CAUSES ("training.schedule", "parallelism.chunks"),
              _ ("The interleaved schedule needs at least 2 chunks per stage; set "
                 "%s to 2, or use 1f1b"),
              plg_setting_name ("parallelism.chunks"));
        if (plg_plan_micro_batches (plan) % pp == 0)
          return TRUE;
        if (error == NULL)
          return FALSE;
        choices = near_multiples (samples, plan->training.global_batch);
        remedy = g_strdup_printf (_ ("use a global batch of %s"), choices);
        return plg_plan_problem_set_limit (
            error, PLG_PLAN_ERROR_SCHEDULE, PLG_CAUSES ("training.schedule", "parallelism.chunks"),
            remedy,
            _ ("The interleaved schedule needs a number of micro-batches that is a multiple of "
               "PP %d, not %d"),
            pp, plg_plan_micro_batches (plan));
      }
    case PLG_SCHEDULE_DUALPIPE:
      if (!check_dualpipe (plan, error))
        return FALSE;
      break;
    case PLG_SCHEDULE_ZB_V:
      /* Any number of micro-batches is valid: PyTorch's ScheduleZBVZeroBubble requires only two
       * stages per rank (torch/distributed/pipelining/schedules.py). */
      break;
    case PLG_SCHEDULE_GPIPE:
    case PLG_SCHEDULE_1F1B:
    case PLG_SCHEDULE_ZB_H1:
    default:
      if (chunks > 1)
        return plg_plan_problem_set (
            error, PLG_PLAN_ERROR_SCHEDULE, PLG_CAUSES ("training.schedule", "parallelism.chunks"),
            _ ("Only the interleaved schedule runs %d chunks per stage; use "
               "interleaved, or 1 chunk"),
            chunks);
    }
  if (chunks > 2)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_SCHEDULE, PLG_CAUSES ("training.schedule", "parallelism.chunks"),
        _ ("This schedule always has 2 chunks per stage, so %d is not possible; set 1 or 2 "
           "chunks, or use interleaved"),
        chunks);
  return TRUE;
}

static gboolean
check_precision (const PlgPlan *plan, GError **error)
{
  const PlgGpu *gpu = &plan->cluster.gpu;
  PlgPrecision precision = plan->training.precision;

  if (precision == PLG_PRECISION_FP8 && plan->training.fp8_recipe == PLG_FP8_RECIPE_MXFP8 &&
      !plg_cluster_has_mxfp8 (&plan->cluster))
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_PRECISION, PLG_CAUSES ("training.fp8-recipe", "cluster.gpu"),
        _ ("MXFP8 needs a GPU that scales every 32 values itself, and %s cannot; set %s to %s"),
        gpu->title, plg_setting_name ("training.fp8-recipe"),
        plg_setting_value_name ("training.fp8-recipe", "auto"));
  if (plan->cluster.peak > 0 || gpu->peak[precision] > 0)
    return TRUE;

  const char *const *names = plg_setting_find ("training.precision")->choices;
  PlgPrecision best = gpu->peak[PLG_PRECISION_BF16] > 0   ? PLG_PRECISION_BF16
                      : gpu->peak[PLG_PRECISION_FP16] > 0 ? PLG_PRECISION_FP16
                                                          : PLG_PRECISION_FP32;

  return plg_plan_problem_set (error, PLG_PLAN_ERROR_PRECISION,
                               PLG_CAUSES ("training.precision", "cluster.gpu"),
                               _ ("%s cannot compute in %s; set %s to %s, or set %s to a value "
                                  "above 0"),
                               gpu->title, plg_setting_choice_title (names[precision]),
                               plg_setting_name ("training.precision"),
                               plg_setting_value_name ("training.precision", names[best]),
                               plg_setting_name ("cluster.peak"));
}

static gboolean
check_placement (const PlgPlan *plan, GError **error)
{
  const PlgPlacement *placement = &plan->placement;
  int world = plg_plan_world (plan);
  guint32 used[(PLG_MAX_GPUS + 31) / 32];

  if (placement->size == 0)
    return TRUE;
  if (placement->size != world)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_PLACEMENT, NULL,
        g_dngettext (
            GETTEXT_PACKAGE,
            "The placement has %d ranks, but the cluster has %d GPU; place all ranks or none",
            "The placement has %d ranks, but the cluster has %d GPUs; place all ranks or none",
            world),
        placement->size, world);
  memset (used, 0, (world + 31) / 32 * sizeof *used);
  for (int rank = 0; rank < world; rank++)
    {
      int gpu = placement->gpu_of_rank[rank];

      if (gpu < 0 || gpu >= world)
        return plg_plan_problem_set (error, PLG_PLAN_ERROR_PLACEMENT, NULL,
                                     _ ("Rank %d is on GPU %d, but GPUs are numbered from 0 to %d"),
                                     rank, gpu, world - 1);
      if ((used[gpu / 32] & (1u << (gpu % 32))) != 0)
        return plg_plan_problem_set (
            error, PLG_PLAN_ERROR_PLACEMENT, NULL,
            _ ("GPU %d has two ranks, rank %d and an earlier rank; place each rank on its own GPU"),
            gpu, rank);
      used[gpu / 32] |= 1u << (gpu % 32);
    }
  return TRUE;
}

static gboolean
check_node_names (const PlgPlan *plan, GError **error)
{
  int last = plan->node_names.size - 1, hosts = plg_cluster_hosts_per_node (&plan->cluster);

  for (int i = 0; i <= last; i++)
    if (!plg_node_name_fits (plan->node_names.name[i], i, hosts, error))
      return FALSE;
  if (last < plan->cluster.nodes)
    return TRUE;
  return plg_plan_problem_set_for_key (error, PLG_PLAN_ERROR_RANGE, "cluster.node-names",
                                       _ ("node %d cannot be named “%s”, because nodes are "
                                          "numbered from 0 to %d"),
                                       last, plan->node_names.name[last], plan->cluster.nodes - 1);
}

static gboolean
check_node_map (const PlgPlan *plan, GError **error)
{
  const PlgNodeTopology *topology = &plan->node_topology;
  const PlgCluster *cluster = &plan->cluster;

  if (plg_node_topology_is_empty (topology))
    return TRUE;
  if (topology->gpus != cluster->gpus_per_node)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_RANGE, NULL,
        g_dngettext (GETTEXT_PACKAGE,
                     "The map of the node has %d GPU, but %s is %d; use the same "
                     "number, or remove the map",
                     "The map of the node has %d GPUs, but %s is %d; use the same "
                     "number, or remove the map",
                     topology->gpus),
        topology->gpus, plg_setting_name ("cluster.gpus-per-node"), cluster->gpus_per_node);
  if (topology->nics > 0 && topology->nics != cluster->nics_per_node)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_RANGE, NULL,
        g_dngettext (GETTEXT_PACKAGE,
                     "The map of the node has %d NIC, but %s is %d; use the same "
                     "number, or remove the map",
                     "The map of the node has %d NICs, but %s is %d; use the same "
                     "number, or remove the map",
                     topology->nics),
        topology->nics, plg_setting_name ("cluster.nics-per-node"), cluster->nics_per_node);
  return plg_node_topology_check (topology, error);
}

/* Checks the cluster and the precision, which no degree changes. */
static gboolean
check_equipment (const PlgPlan *plan, GError **error)
{
  return check_precision (plan, error) && check_node_names (plan, error) &&
         check_node_map (plan, error) && plg_faults_check (&plan->cluster, error);
}

gboolean
plg_plan_check_values (const PlgPlan *plan, GError **error)
{
  return check_ranges (plan, error) && check_order (&plan->parallelism, error) &&
         check_equipment (plan, error);
}

/* Checks that the layers that stay in BF16 exist. */
static gboolean
check_bf16_layers (const PlgPlan *plan, GError **error)
{
  const PlgTraining *training = &plan->training;

  if (training->bf16_first_layers + training->bf16_last_layers <= plan->model.layers)
    return TRUE;
  return plg_plan_problem_set (
      error, PLG_PLAN_ERROR_LAYERS,
      PLG_CAUSES ("training.bf16-first-layers", "training.bf16-last-layers", "model.layers"),
      _ ("%d first and %d last layers in BF16 are more than the model's %d layers; "
         "reduce %s or %s"),
      training->bf16_first_layers, training->bf16_last_layers, plan->model.layers,
      plg_setting_name ("training.bf16-first-layers"),
      plg_setting_name ("training.bf16-last-layers"));
}

gboolean
plg_plan_check_split (const PlgPlan *plan, GError **error)
{
  return check_model_split (plan, error) && check_bf16_layers (plan, error) &&
         check_experts (plan, error) && check_replicate (plan, error) &&
         check_sequence (plan, error);
}

gboolean
plg_plan_check_schedule (const PlgPlan *plan, GError **error)
{
  return check_layers (plan, error) && check_ends (plan, error) && check_batch (plan, error) &&
         check_schedule (plan, error);
}

gboolean
plg_plan_check (const PlgPlan *plan, GError **error)
{
  return check_ranges (plan, error) && check_order (&plan->parallelism, error) &&
         check_world (plan, error) && check_layers (plan, error) && check_ends (plan, error) &&
         plg_plan_check_split (plan, error) && check_batch (plan, error) &&
         check_schedule (plan, error) && check_equipment (plan, error) &&
         check_placement (plan, error);
}
