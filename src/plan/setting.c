/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/setting.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

static const char *const intra_names[] = { "nvswitch", "mesh", "pcie", NULL };
static const char *const network_names[] = { "rail", "tree", "flat", NULL };
static const char *const precision_names[] = { "bf16", "fp16", "fp8", "fp32", NULL };
static const char *const gradient_names[] = { "fp32", "bf16", NULL };
static const int gradient_values[] = { PLG_PRECISION_FP32, PLG_PRECISION_BF16 };
static const char *const recompute_names[] = { "none", "selective", "full", NULL };
static const char *const schedule_names[] = { "gpipe", "1f1b",     "interleaved", "zb-h1",
                                              "zb-v",  "dualpipe", NULL };
static const char *const cp_type_names[] = { "ring", "ulysses", "all-gather", NULL };
static const char *const profile_names[] = { "standard", "notebook", "handbook", NULL };
static const char *const show_names[] = { "all", "tp", "cp", "ep", "pp", "dp", "memory", NULL };
static const char *const link_color_names[] = { "frequency", "bytes", "time", "off", NULL };

#define MEMBER(member) G_STRUCT_OFFSET (PlgPlan, member)
#define INTEGER(key, member, from, to, unit, title, help)                                 \
  {                                                                                       \
    key, PLG_SETTING_INTEGER, MEMBER (member), from, to, 1, unit, NULL, title, help, NULL \
  }
#define NUMBER(key, member, from, to, scale, unit, title, help)                              \
  {                                                                                          \
    key, PLG_SETTING_NUMBER, MEMBER (member), from, to, scale, unit, NULL, title, help, NULL \
  }
#define BOOLEAN(key, member, title, help)                                             \
  {                                                                                   \
    key, PLG_SETTING_BOOLEAN, MEMBER (member), 0, 1, 1, NULL, NULL, title, help, NULL \
  }
#define CHOICE(key, member, names, values, title, help)                                           \
  {                                                                                               \
    key, PLG_SETTING_CHOICE, MEMBER (member), 0, G_N_ELEMENTS (names) - 2, 1, NULL, names, title, \
        help, values                                                                              \
  }
#define NAME(key, member, title, help)                                             \
  {                                                                                \
    key, PLG_SETTING_NAME, MEMBER (member), 0, 0, 1, NULL, NULL, title, help, NULL \
  }
#define ORDER(key, member, title, help)                                             \
  {                                                                                 \
    key, PLG_SETTING_ORDER, MEMBER (member), 0, 0, 1, NULL, NULL, title, help, NULL \
  }
#define DEGREE(key, axis, title, help) \
  INTEGER (key, parallelism.degree[axis], 1, PLG_MAX_GPUS, NULL, title, help)

/* The order is that of the plan file. A name comes before the single values that it sets, so that
 * reading a file from top to bottom ends with what was written. */
static const PlgSetting settings[] = {
  NAME ("cluster.node",
        cluster.node,
        N_ ("Node"),
        N_ ("A node of the catalogue: its GPUs, its network and their calibration.")),
  NAME ("cluster.gpu",
        cluster.gpu.name,
        N_ ("GPU"),
        N_ ("A GPU of the catalogue: its memory, rates and peak.")),
  INTEGER ("cluster.nodes",
           cluster.nodes,
           1,
           PLG_MAX_NODES,
           NULL,
           N_ ("Nodes"),
           N_ ("Nodes in the cluster.")),
  INTEGER ("cluster.gpus-per-node",
           cluster.gpus_per_node,
           1,
           PLG_MAX_GPUS_PER_NODE,
           NULL,
           N_ ("GPUs per node"),
           N_ ("GPUs that the fast links of one node join.")),
  NUMBER ("cluster.memory",
          cluster.memory,
          0.001,
          1e6,
          PLG_GIB,
          "GiB",
          N_ ("Memory"),
          N_ ("Memory of a GPU as the driver reports it.")),
  NUMBER ("cluster.memory-bandwidth",
          cluster.memory_bandwidth,
          0.001,
          1e6,
          PLG_GB,
          "GB/s",
          N_ ("Memory bandwidth"),
          N_ ("Rate of a GPU's own memory, as the vendor states it.")),
  NUMBER ("cluster.peak",
          cluster.peak,
          0,
          1e6,
          PLG_TERA,
          "TFLOP/s",
          N_ ("Peak"),
          N_ ("Dense peak at the training precision; 0 takes the GPU's own.")),
  CHOICE ("cluster.intra",
          cluster.intra,
          intra_names,
          NULL,
          N_ ("Links inside a node"),
          N_ ("How the GPUs of a node reach each other.")),
  NUMBER ("cluster.intra-bandwidth",
          cluster.intra_bandwidth,
          0.001,
          1e6,
          PLG_GB,
          "GB/s",
          N_ ("Bandwidth inside a node"),
          N_ ("Per GPU and direction, as the vendor states it.")),
  NUMBER ("cluster.intra-efficiency",
          cluster.intra_efficiency,
          0.01,
          1,
          1,
          NULL,
          N_ ("Efficiency inside a node"),
          N_ ("What a large collective reaches of the stated bandwidth.")),
  NUMBER ("cluster.intra-latency",
          cluster.intra_latency,
          0,
          1e6,
          1e-6,
          "µs",
          N_ ("Latency inside a node"),
          N_ ("Of one hop between two GPUs.")),
  CHOICE ("cluster.network",
          cluster.network,
          network_names,
          NULL,
          N_ ("Network"),
          N_ ("How the nodes reach each other.")),
  INTEGER ("cluster.nics-per-node",
           cluster.nics_per_node,
           1,
           1024,
           NULL,
           N_ ("NICs per node"),
           N_ ("Network cards that training uses.")),
  NUMBER ("cluster.inter-bandwidth",
          cluster.inter_bandwidth,
          0.001,
          1e6,
          PLG_GB,
          "GB/s",
          N_ ("Bandwidth between nodes"),
          N_ ("Per GPU and direction, as the vendor states it.")),
  NUMBER ("cluster.inter-efficiency",
          cluster.inter_efficiency,
          0.01,
          1,
          1,
          NULL,
          N_ ("Efficiency between nodes"),
          N_ ("What a large collective reaches of the stated bandwidth.")),
  NUMBER ("cluster.inter-latency",
          cluster.inter_latency,
          0,
          1e6,
          1e-6,
          "µs",
          N_ ("Latency between nodes"),
          N_ ("Of one hop between two nodes.")),
  NUMBER ("cluster.oversubscription",
          cluster.oversubscription,
          1,
          1000,
          1,
          NULL,
          N_ ("Oversubscription"),
          N_ ("The leaf's uplinks carry one part in this; 1 is none.")),
  BOOLEAN ("cluster.rdma",
           cluster.rdma,
           N_ ("RDMA"),
           N_ ("The network reads GPU memory itself; otherwise TCP through the host.")),

  NAME ("model.name",
        model.name,
        N_ ("Model"),
        N_ ("A model of the catalogue: all of its dimensions.")),
  INTEGER ("model.layers", model.layers, 1, 10000, NULL, N_ ("Layers"), N_ ("Transformer layers.")),
  INTEGER ("model.hidden",
           model.hidden,
           1,
           1 << 20,
           NULL,
           N_ ("Hidden size"),
           N_ ("Width of the residual stream.")),
  INTEGER ("model.ffn",
           model.ffn,
           0,
           1 << 24,
           NULL,
           N_ ("MLP size"),
           N_ ("Inner width of the dense MLP.")),
  BOOLEAN ("model.gated",
           model.gated,
           N_ ("Gated MLP"),
           N_ ("Three matrices (SwiGLU) instead of two.")),
  INTEGER ("model.heads",
           model.heads,
           1,
           1 << 14,
           NULL,
           N_ ("Attention heads"),
           N_ ("Query heads.")),
  INTEGER ("model.kv-heads",
           model.kv_heads,
           1,
           1 << 14,
           NULL,
           N_ ("KV heads"),
           N_ ("Heads of keys and values; fewer than query heads is grouped-query attention.")),
  INTEGER ("model.head-dim",
           model.head_dim,
           1,
           1 << 16,
           NULL,
           N_ ("Head size"),
           N_ ("Width of one head.")),
  INTEGER ("model.vocabulary",
           model.vocabulary,
           1,
           100000000,
           NULL,
           N_ ("Vocabulary"),
           N_ ("Tokens that the model knows.")),
  BOOLEAN ("model.tied",
           model.tied,
           N_ ("Tied embeddings"),
           N_ ("The output layer shares the embedding's weights.")),
  BOOLEAN ("model.rms-norm",
           model.rms_norm,
           N_ ("RMSNorm"),
           N_ ("One vector a norm; LayerNorm has two.")),
  BOOLEAN ("model.biases", model.biases, N_ ("Biases"), N_ ("Linear layers have bias vectors.")),
  INTEGER ("model.positions",
           model.positions,
           0,
           100000000,
           NULL,
           N_ ("Learned positions"),
           N_ ("Learned absolute positions; 0 for rotary and the like.")),
  INTEGER ("model.experts",
           model.experts,
           0,
           1 << 16,
           NULL,
           N_ ("Experts"),
           N_ ("Experts a layer; 0 is a dense model.")),
  INTEGER ("model.top-k",
           model.top_k,
           0,
           1 << 16,
           NULL,
           N_ ("Experts a token"),
           N_ ("Experts that one token is sent to.")),
  INTEGER ("model.expert-ffn",
           model.expert_ffn,
           0,
           1 << 24,
           NULL,
           N_ ("Expert size"),
           N_ ("Inner width of one expert.")),
  INTEGER ("model.shared-experts",
           model.shared_experts,
           0,
           1024,
           NULL,
           N_ ("Shared experts"),
           N_ ("Experts that see every token.")),
  INTEGER ("model.dense-layers",
           model.dense_layers,
           0,
           10000,
           NULL,
           N_ ("Dense layers"),
           N_ ("Leading layers without experts.")),
  INTEGER ("model.q-rank",
           model.q_rank,
           0,
           1 << 20,
           NULL,
           N_ ("Query rank"),
           N_ ("Width of the compressed queries of latent attention; 0 is none.")),
  INTEGER ("model.kv-rank",
           model.kv_rank,
           0,
           1 << 20,
           NULL,
           N_ ("KV rank"),
           N_ ("Width of the compressed keys and values of latent attention; 0 is none.")),
  INTEGER ("model.rope-dim",
           model.rope_dim,
           0,
           1 << 16,
           NULL,
           N_ ("Rotary size"),
           N_ ("Part of a head with rotary position, for latent attention.")),
  INTEGER ("model.value-dim",
           model.value_dim,
           0,
           1 << 16,
           NULL,
           N_ ("Value size"),
           N_ ("Width of a head's values, for latent attention.")),
  INTEGER ("model.mtp-layers",
           model.mtp_layers,
           0,
           64,
           NULL,
           N_ ("Multi-token layers"),
           N_ ("Modules that predict further tokens, after the last layer.")),

  INTEGER ("training.sequence",
           training.sequence,
           1,
           1 << 27,
           N_ ("tokens"),
           N_ ("Sequence length"),
           N_ ("Tokens a sequence.")),
  INTEGER ("training.micro-batch",
           training.micro_batch,
           1,
           1 << 20,
           NULL,
           N_ ("Micro-batch"),
           N_ ("Sequences that one replica works on at a time.")),
  INTEGER ("training.global-batch",
           training.global_batch,
           1,
           100000000,
           NULL,
           N_ ("Global batch"),
           N_ ("Sequences a step, over all replicas.")),
  CHOICE ("training.precision",
          training.precision,
          precision_names,
          NULL,
          N_ ("Precision"),
          N_ ("Number format of the matrix products.")),
  CHOICE ("training.gradient-precision",
          training.gradient_precision,
          gradient_names,
          gradient_values,
          N_ ("Gradient precision"),
          N_ ("Number format in which gradients are summed and reduced.")),
  CHOICE ("training.recompute",
          training.recompute,
          recompute_names,
          NULL,
          N_ ("Activation recompute"),
          N_ ("What the backward pass computes again instead of keeping it.")),
  CHOICE ("training.schedule",
          training.schedule,
          schedule_names,
          NULL,
          N_ ("Pipeline schedule"),
          N_ ("The order of forward and backward passes in the pipeline.")),
  BOOLEAN ("training.flash-attention",
           training.flash_attention,
           N_ ("FlashAttention"),
           N_ ("Attention scores are never kept in memory.")),
  BOOLEAN ("training.causal",
           training.causal,
           N_ ("Causal attention"),
           N_ ("Count and run only the lower half of the attention scores.")),
  NUMBER ("training.tokens",
          training.tokens,
          0,
          1e18,
          1,
          N_ ("tokens"),
          N_ ("Token budget"),
          N_ ("Tokens to train on in all, for days and GPU-hours.")),

  DEGREE ("parallelism.tp",
          PLG_AXIS_TP,
          N_ ("Tensor parallelism (TP)"),
          N_ ("GPUs that share every matrix product.")),
  DEGREE ("parallelism.cp",
          PLG_AXIS_CP,
          N_ ("Context parallelism (CP)"),
          N_ ("GPUs that share a sequence.")),
  DEGREE ("parallelism.ep",
          PLG_AXIS_EP,
          N_ ("Expert parallelism (EP)"),
          N_ ("GPUs that share the experts of a layer.")),
  DEGREE ("parallelism.pp",
          PLG_AXIS_PP,
          N_ ("Pipeline parallelism (PP)"),
          N_ ("Stages that share the layers.")),
  DEGREE ("parallelism.dp",
          PLG_AXIS_DP,
          N_ ("Data parallelism (DP)"),
          N_ ("Replicas that share the batch.")),
  INTEGER ("parallelism.etp",
           parallelism.etp,
           1,
           PLG_MAX_GPUS,
           NULL,
           N_ ("Expert tensor parallelism (ETP)"),
           N_ ("GPUs that share the matrix products of one expert.")),
  ORDER ("parallelism.order",
         parallelism.order,
         N_ ("Nesting order"),
         N_ ("Innermost first: neighbours of the first axis have neighbouring ranks.")),
  CHOICE ("parallelism.cp-type",
          parallelism.cp_type,
          cp_type_names,
          NULL,
          N_ ("Context parallel attention"),
          N_ ("How the shards of a sequence see each other's keys and values.")),
  INTEGER ("parallelism.chunks",
           parallelism.chunks,
           1,
           1024,
           NULL,
           N_ ("Chunks a stage"),
           N_ ("Virtual stages a stage, for the interleaved schedule.")),
  INTEGER ("parallelism.zero",
           parallelism.zero,
           0,
           3,
           NULL,
           N_ ("ZeRO stage"),
           N_ ("1 shards the optimizer, 2 gradients too, 3 weights too (as FSDP).")),
  BOOLEAN ("parallelism.sequence",
           parallelism.sequence,
           N_ ("Sequence parallelism (SP)"),
           N_ ("Norms and dropout are shared out over the TP group as well.")),
  BOOLEAN ("parallelism.overlap-dp",
           parallelism.overlap_dp,
           N_ ("Overlap DP"),
           N_ ("Gradients are reduced while the backward pass runs.")),
  BOOLEAN ("parallelism.overlap-tp",
           parallelism.overlap_tp,
           N_ ("Overlap TP"),
           N_ ("TP collectives run in pieces beside the matrix products.")),
  BOOLEAN ("parallelism.overlap-pp",
           parallelism.overlap_pp,
           N_ ("Overlap PP"),
           N_ ("Activations travel while the next micro-batch computes.")),

  CHOICE ("engine.profile",
          profile,
          profile_names,
          NULL,
          N_ ("Formulas"),
          N_ ("The engine's own, or those of the notebook or the handbook.")),

  CHOICE ("view.show",
          view.show,
          show_names,
          NULL,
          N_ ("Colours of GPUs"),
          N_ ("What the GPUs on the canvas show.")),
  CHOICE ("view.link-color",
          view.link_color,
          link_color_names,
          NULL,
          N_ ("Colours of links"),
          N_ ("What the colour of a link means.")),
  BOOLEAN ("view.rings",
           view.rings,
           N_ ("Logical rings"),
           N_ ("Neighbours of a group instead of physical links.")),
};

const PlgSetting *
plg_settings (int *n)
{
  *n = G_N_ELEMENTS (settings);
  return settings;
}

const PlgSetting *
plg_setting_find (const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    if (g_strcmp0 (settings[i].key, key) == 0)
      return &settings[i];
  return NULL;
}

/* Reading */

static int
power_of_ten (double scale)
{
  if (scale == PLG_GB)
    return 9;
  if (scale == PLG_TERA)
    return 12;
  return scale == 1e-6 ? -6 : 0;
}

static gboolean
is_power_of_two (const PlgSetting *setting)
{
  return setting->scale == PLG_GIB;
}

static int
choice_place (const PlgSetting *setting, int value)
{
  for (int i = 0; setting->choices[i] != NULL; i++)
    if ((setting->values != NULL ? setting->values[i] : i) == value)
      return i;
  return -1;
}

double
plg_setting_get_number (const PlgSetting *setting, const PlgPlan *plan)
{
  gconstpointer member = G_STRUCT_MEMBER_P (plan, setting->offset);

  switch (setting->kind)
    {
    case PLG_SETTING_INTEGER:
      return *(const int *) member;
    case PLG_SETTING_NUMBER:
      return *(const double *) member / setting->scale;
    case PLG_SETTING_BOOLEAN:
      return *(const gboolean *) member ? 1 : 0;
    case PLG_SETTING_CHOICE:
      return choice_place (setting, *(const int *) member);
    case PLG_SETTING_NAME:
    case PLG_SETTING_ORDER:
    default:
      return 0;
    }
}

static char *
number_text (const PlgSetting *setting, double member)
{
  if (is_power_of_two (setting))
    return plg_format_exact (member / setting->scale);
  return plg_format_exact_shifted (member, power_of_ten (setting->scale));
}

char *
plg_setting_get (const PlgSetting *setting, const PlgPlan *plan)
{
  gconstpointer member = G_STRUCT_MEMBER_P (plan, setting->offset);
  int place;

  switch (setting->kind)
    {
    case PLG_SETTING_INTEGER:
      return g_strdup_printf ("%d", *(const int *) member);
    case PLG_SETTING_NUMBER:
      return number_text (setting, *(const double *) member);
    case PLG_SETTING_BOOLEAN:
      return g_strdup (*(const gboolean *) member ? "true" : "false");
    case PLG_SETTING_CHOICE:
      place = choice_place (setting, *(const int *) member);
      return g_strdup (setting->choices[MAX (0, place)]);
    case PLG_SETTING_ORDER:
      return plg_order_to_string (&plan->parallelism);
    case PLG_SETTING_NAME:
    default:
      return g_strdup (member);
    }
}

/* Writing */

/* What people typed, fit for one line of a message. */
static char *
quoted (const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, MIN (strlen (value), 400));
  g_autofree char *start = g_utf8_substring (valid, 0, MIN (40, g_utf8_strlen (valid, -1)));

  g_strdelimit (start, "\n\r\t", ' ');
  return g_strdup_printf ("“%s%s”", start, strlen (valid) > strlen (start) ? "…" : "");
}

static gboolean
refuse_range (const PlgSetting *setting, const char *value, GError **error)
{
  g_autofree char *shown = quoted (value);
  g_autofree char *from = plg_format_exact (setting->minimum);
  g_autofree char *to = plg_format_exact (setting->maximum);
  const char *unit = setting->unit != NULL ? _ (setting->unit) : "";

  g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
               setting->kind == PLG_SETTING_INTEGER
                   /* Translators: key, value, smallest, largest, a space or none, unit or nothing.
                    */
                   ? _ ("%s: %s is not allowed; use a whole number from %s to %s%s%s")
                   : _ ("%s: %s is not allowed; use a number from %s to %s%s%s"),
               setting->key, shown, from, to, *unit != '\0' ? " " : "", unit);
  return FALSE;
}

static gboolean
set_integer (const PlgSetting *setting, int *member, const char *value, GError **error)
{
  gint64 number;

  if (!g_ascii_string_to_signed (value, 10, (gint64) setting->minimum, (gint64) setting->maximum,
                                 &number, NULL))
    return refuse_range (setting, value, error);
  *member = (int) number;
  return TRUE;
}

static const char *
skip_digits (const char *text)
{
  while (g_ascii_isdigit (*text))
    text++;
  return text;
}

/* Splits "-1.5e3" into the length of "-1.5" and 3. FALSE for all that is no plain decimal: hex,
 * NaN, infinity, spaces, anything after the number. */
static gboolean
split_decimal (const char *value, gsize *mantissa, gint64 *exponent)
{
  const char *digits = *value == '-' ? value + 1 : value;
  const char *end = skip_digits (digits);
  gsize n = end - digits;

  if (*end == '.')
    {
      const char *fraction = end + 1;

      end = skip_digits (fraction);
      n += end - fraction;
    }
  *mantissa = end - value;
  *exponent = 0;
  if (n == 0 || *mantissa > 400)
    return FALSE;
  if (*end == 'e' || *end == 'E')
    {
      const char *power = end[1] == '+' && g_ascii_isdigit (end[2]) ? end + 2 : end + 1;

      return g_ascii_string_to_signed (power, 10, -1000, 1000, exponent, NULL);
    }
  return *end == '\0';
}

/* The member's value: the text's own exponent is raised, so that nothing is rounded twice. */
static double
scaled_decimal (const PlgSetting *setting, const char *value, gsize mantissa, gint64 exponent)
{
  g_autofree char *digits = g_strndup (value, mantissa);
  g_autofree char *text = g_strdup_printf ("%se%" G_GINT64_FORMAT, digits,
                                           exponent + power_of_ten (setting->scale));
  double number = g_ascii_strtod (text, NULL);

  return is_power_of_two (setting) ? number * setting->scale : number;
}

static gboolean
in_range (const PlgSetting *setting, double member)
{
  return isfinite (member) && member >= setting->minimum * setting->scale &&
         member <= setting->maximum * setting->scale;
}

static gboolean
set_number (const PlgSetting *setting, double *member, const char *value, GError **error)
{
  gsize mantissa;
  gint64 exponent;
  double number;

  if (!split_decimal (value, &mantissa, &exponent))
    return refuse_range (setting, value, error);
  number = scaled_decimal (setting, value, mantissa, exponent);
  if (!in_range (setting, number))
    return refuse_range (setting, value, error);
  *member = number + 0.0; /* no negative zero */
  return TRUE;
}

static gboolean
set_boolean (const PlgSetting *setting, gboolean *member, const char *value, GError **error)
{
  if (!g_str_equal (value, "true") && !g_str_equal (value, "false"))
    {
      g_autofree char *shown = quoted (value);

      g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
                   _ ("%s: %s is neither true nor false; use one of them"), setting->key, shown);
      return FALSE;
    }
  *member = g_str_equal (value, "true");
  return TRUE;
}

static gboolean
set_choice (const PlgSetting *setting, int *member, const char *value, GError **error)
{
  g_autofree char *names = NULL;
  g_autofree char *shown = NULL;

  for (int i = 0; setting->choices[i] != NULL; i++)
    if (g_str_equal (value, setting->choices[i]))
      {
        *member = setting->values != NULL ? setting->values[i] : i;
        return TRUE;
      }
  names = g_strjoinv (", ", (char **) setting->choices);
  shown = quoted (value);
  g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
               _ ("%s: there is no %s; use one of: %s"), setting->key, shown, names);
  return FALSE;
}

static gboolean
set_order (const PlgSetting *setting, PlgPlan *plan, const char *value, GError **error)
{
  g_autofree char *shown = NULL;

  if (plg_order_from_string (value, plan->parallelism.order))
    return TRUE;
  shown = quoted (value);
  g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
               _ ("%s: %s is no order; name tp, cp, pp and dp once each, the innermost first, as "
                  "in tp-cp-pp-dp"),
               setting->key, shown);
  return FALSE;
}

/* The node that GPU is sold in: the plan's own when it is one, else the first of the catalogue. */
static const PlgNode *
home_of_gpu (const PlgCatalogue *catalogue, const char *node_name, const char *gpu)
{
  const PlgNode *node = plg_catalogue_node (catalogue, node_name);

  if (node != NULL && g_str_equal (node->gpu, gpu))
    return node;
  for (int i = 0; i < plg_catalogue_n_nodes (catalogue); i++)
    {
      node = plg_catalogue_nth_node (catalogue, i);
      if (g_str_equal (node->gpu, gpu))
        return node;
    }
  return NULL;
}

/* The links inside a node belong to its GPUs; the network stays. */
static void
set_gpu (PlgCluster *cluster, const PlgCatalogue *catalogue, const PlgGpu *gpu)
{
  const PlgNode *home = home_of_gpu (catalogue, cluster->node, gpu->name);

  plg_cluster_set_gpu (cluster, gpu);
  if (home == NULL || !g_str_equal (home->name, cluster->node))
    g_strlcpy (cluster->node, "custom", PLG_NAME_SIZE);
  if (home == NULL)
    return;
  cluster->intra = home->intra;
  if (home->intra_efficiency > 0)
    cluster->intra_efficiency = home->intra_efficiency;
  if (home->intra_latency > 0)
    cluster->intra_latency = home->intra_latency;
}

/* What a key of kind NAME names. */
static const char *
catalogue_kind (const PlgSetting *setting)
{
  if (g_str_equal (setting->key, "cluster.node"))
    return "node";
  return g_str_equal (setting->key, "cluster.gpu") ? "gpu" : "model";
}

static gboolean
set_catalogue_name (PlgPlan *plan,
                    const PlgCatalogue *catalogue,
                    const char *kind,
                    const char *name)
{
  const PlgNode *node = NULL;
  const PlgGpu *gpu = NULL;
  const PlgTransformer *model = NULL;

  if (g_str_equal (kind, "node"))
    {
      node = plg_catalogue_node (catalogue, name);
      gpu = node != NULL ? plg_catalogue_gpu (catalogue, node->gpu) : NULL;
      if (gpu != NULL)
        plg_cluster_set_node (&plan->cluster, node, gpu);
      return gpu != NULL;
    }
  if (g_str_equal (kind, "gpu"))
    {
      gpu = plg_catalogue_gpu (catalogue, name);
      if (gpu != NULL)
        set_gpu (&plan->cluster, catalogue, gpu);
      return gpu != NULL;
    }
  model = plg_catalogue_model (catalogue, name);
  if (model != NULL)
    plan->model = *model;
  return model != NULL;
}

static gboolean
set_name (const PlgSetting *setting,
          PlgPlan *plan,
          const PlgCatalogue *catalogue,
          const char *value,
          GError **error)
{
  const char *kind = catalogue_kind (setting);
  char *member = G_STRUCT_MEMBER_P (plan, setting->offset);
  g_autofree char *names = NULL;
  g_autofree char *shown = NULL;

  if (g_str_equal (value, "custom"))
    {
      g_strlcpy (member, value, PLG_NAME_SIZE);
      return TRUE;
    }
  if (catalogue != NULL && set_catalogue_name (plan, catalogue, kind, value))
    return TRUE;
  names = catalogue != NULL ? plg_catalogue_names (catalogue, kind) : g_strdup ("");
  shown = quoted (value);
  g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY,
               _ ("%s: the catalogue has no %s; use one of: %s, custom"), setting->key, shown,
               names);
  return FALSE;
}

/* The keys of the group that KEY seems to be of, or all of them. */
static char *
keys_like (const char *key)
{
  const char *dot = strchr (key, '.');
  GString *keys = g_string_new (NULL);

  for (int pass = 0; pass < 2 && keys->len == 0; pass++)
    for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
      if (pass == 1 || (dot != NULL && strncmp (settings[i].key, key, dot - key + 1) == 0))
        g_string_append_printf (keys, "%s%s", keys->len > 0 ? ", " : "", settings[i].key);
  return g_string_free (keys, FALSE);
}

static gboolean
refuse_key (const char *key, GError **error)
{
  g_autofree char *shown = quoted (key);
  g_autofree char *keys = keys_like (key);

  g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY, _ ("There is no key %s; use one of: %s"),
               shown, keys);
  return FALSE;
}

gboolean
plg_setting_set (PlgPlan *plan,
                 const PlgCatalogue *catalogue,
                 const char *key,
                 const char *value,
                 GError **error)
{
  const PlgSetting *setting = plg_setting_find (key);
  gpointer member;

  if (setting == NULL)
    return refuse_key (key, error);
  member = G_STRUCT_MEMBER_P (plan, setting->offset);
  switch (setting->kind)
    {
    case PLG_SETTING_INTEGER:
      return set_integer (setting, member, value, error);
    case PLG_SETTING_NUMBER:
      return set_number (setting, member, value, error);
    case PLG_SETTING_BOOLEAN:
      return set_boolean (setting, member, value, error);
    case PLG_SETTING_CHOICE:
      return set_choice (setting, member, value, error);
    case PLG_SETTING_ORDER:
      return set_order (setting, plan, value, error);
    case PLG_SETTING_NAME:
    default:
      return set_name (setting, plan, catalogue, value, error);
    }
}

/* Several at once */

/* Which keys were among the assignments. */
typedef struct
{
  gboolean dp;
  gboolean chunks;
  gboolean schedule;
  gboolean precision;
  gboolean gpu;
} Given;

static void
note_given (Given *given, const char *key)
{
  given->dp |= g_str_equal (key, "parallelism.dp");
  given->chunks |= g_str_equal (key, "parallelism.chunks");
  given->schedule |= g_str_equal (key, "training.schedule");
  given->precision |= g_str_equal (key, "training.precision");
  given->gpu |= g_str_equal (key, "cluster.gpu") || g_str_equal (key, "cluster.node");
}

static gboolean
assign (PlgPlan *plan,
        const PlgCatalogue *catalogue,
        const char *assignment,
        Given *given,
        GError **error)
{
  const char *equals = strchr (assignment, '=');
  g_autofree char *key = NULL;

  if (equals == NULL)
    {
      g_autofree char *shown = quoted (assignment);

      g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY,
                   _ ("%s is no KEY=VALUE; write for example parallelism.tp=8"), shown);
      return FALSE;
    }
  key = g_strndup (assignment, equals - assignment);
  note_given (given, key);
  return plg_setting_set (plan, catalogue, key, equals + 1, error);
}

/* Schedule and chunks follow each other when only one of them was given. */
static void
settle_schedule (PlgPlan *plan, const Given *given)
{
  PlgSchedule *schedule = &plan->training.schedule;
  int *chunks = &plan->parallelism.chunks;

  if (given->chunks && !given->schedule)
    {
      if (*chunks > 1 && *schedule == PLG_SCHEDULE_1F1B)
        *schedule = PLG_SCHEDULE_INTERLEAVED;
      else if (*chunks == 1 && *schedule == PLG_SCHEDULE_INTERLEAVED)
        *schedule = PLG_SCHEDULE_1F1B;
    }
  else if (given->schedule && !given->chunks)
    {
      if (*schedule != PLG_SCHEDULE_INTERLEAVED)
        *chunks = 1;
      else if (*chunks == 1)
        *chunks = 2;
    }
}

static void
settle_precision (PlgPlan *plan, const Given *given)
{
  static const PlgPrecision order[] = { PLG_PRECISION_FP8, PLG_PRECISION_BF16, PLG_PRECISION_FP16,
                                        PLG_PRECISION_FP32 };
  guint i = 0;

  if (!given->gpu || given->precision || plan->cluster.peak > 0)
    return;
  while (order[i] != plan->training.precision)
    i++;
  while (i + 1 < G_N_ELEMENTS (order) && !(plan->cluster.gpu.peak[order[i]] > 0))
    i++;
  plan->training.precision = order[i];
}

static gboolean
fill_dp (PlgPlan *plan, GError **error)
{
  int *degree = plan->parallelism.degree;
  gint64 world = plg_plan_world (plan);
  gint64 product = (gint64) degree[PLG_AXIS_TP] * degree[PLG_AXIS_CP] * degree[PLG_AXIS_PP];
  g_autofree char *cp = degree[PLG_AXIS_CP] > 1 ? g_strdup_printf ("CP %d × ", degree[PLG_AXIS_CP])
                                                : g_strdup ("");

  if (world % product != 0)
    {
      g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_WORLD,
                   _ ("TP %d × %sPP %d = %" G_GINT64_FORMAT " does not divide %" G_GINT64_FORMAT
                      " GPUs; use degrees whose product divides %" G_GINT64_FORMAT),
                   degree[PLG_AXIS_TP], cp, degree[PLG_AXIS_PP], product, world, world);
      return FALSE;
    }
  degree[PLG_AXIS_DP] = (int) (world / product);
  return TRUE;
}

/* A placement made by hand is of one size, degrees and order. */
static gboolean
same_groups (const PlgPlan *a, const PlgPlan *b)
{
  for (int i = 0; i < PLG_N_AXES; i++)
    if (i != PLG_AXIS_EP && a->parallelism.degree[i] != b->parallelism.degree[i])
      return FALSE;
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    if (a->parallelism.order[i] != b->parallelism.order[i])
      return FALSE;
  return plg_plan_world (a) == plg_plan_world (b);
}

gboolean
plg_settings_apply (PlgPlan *plan,
                    const PlgCatalogue *catalogue,
                    const char *const *assignments,
                    GError **error)
{
  g_autoptr (PlgPlan) edited = plg_plan_copy (plan);
  Given given = { FALSE };

  for (int i = 0; assignments[i] != NULL; i++)
    if (!assign (edited, catalogue, assignments[i], &given, error))
      return FALSE;
  settle_schedule (edited, &given);
  settle_precision (edited, &given);
  if (!given.dp && !fill_dp (edited, error))
    return FALSE;
  if (!same_groups (plan, edited))
    plg_placement_clear (&edited->placement);
  if (!plg_plan_check (edited, error))
    return FALSE;
  plg_plan_assign (plan, edited);
  return TRUE;
}
