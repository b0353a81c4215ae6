/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/reports/constant-sources.h"

#include "engine/model/program.h"
#include "io/plan/catalogue-field.h"
#include "plan/quantity.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* A constant of the catalogue, and the setting of the plan that overrides it. */
static const struct
{
  guint use; /* PlgConstantUse */
  PlgCatalogueKind kind;
  const char *constant; /* name in the catalogue; "%s" stands for the precision of the plan */
  const char *title;
  const char *key; /* NULL if no setting overrides the constant */
} constants[] = {
  { PLG_USES_PEAK, PLG_CATALOGUE_KIND_GPU, "peak-%s", N_ ("peak"), "cluster.peak" },
  { PLG_USES_MATRIX_EFFICIENCY, PLG_CATALOGUE_KIND_GPU, "matrix-efficiency-%s",
    N_ ("matrix efficiency"), NULL },
  { PLG_USES_MEMORY_SIZE, PLG_CATALOGUE_KIND_GPU, "memory", N_ ("memory"), "cluster.memory" },
  { PLG_USES_MEMORY_RATE, PLG_CATALOGUE_KIND_GPU, "memory-bandwidth", N_ ("memory bandwidth"),
    "cluster.memory-bandwidth" },
  { PLG_USES_MEMORY_RATE, PLG_CATALOGUE_KIND_GPU, "memory-efficiency", N_ ("memory efficiency"),
    NULL },
  { PLG_USES_HOST_LINK, PLG_CATALOGUE_KIND_GPU, "pcie-bandwidth", N_ ("bandwidth of PCIe"),
    "cluster.host-bandwidth" },
  { PLG_USES_HOST_LINK, PLG_CATALOGUE_KIND_GPU, "host-bandwidth", N_ ("bandwidth to the host"),
    "cluster.host-bandwidth" },
  { PLG_USES_HOST_MEMORY_RATE, PLG_CATALOGUE_KIND_GPU, "host-memory-bandwidth",
    N_ ("memory bandwidth of the host per GPU"), "cluster.host-memory-bandwidth" },
  { PLG_USES_INTRA, PLG_CATALOGUE_KIND_GPU, "link-bandwidth", N_ ("bandwidth of the links"),
    "cluster.intra-bandwidth" },
  { PLG_USES_INTRA, PLG_CATALOGUE_KIND_NODE, "intra-efficiency", N_ ("efficiency inside a node"),
    "cluster.intra-efficiency" },
  { PLG_USES_INTRA, PLG_CATALOGUE_KIND_NODE, "intra-latency", N_ ("latency inside a node"),
    "cluster.intra-latency" },
  { PLG_USES_INTER, PLG_CATALOGUE_KIND_NODE, "nic-bandwidth", N_ ("bandwidth of a NIC"),
    "cluster.inter-bandwidth" },
  { PLG_USES_INTER, PLG_CATALOGUE_KIND_NODE, "inter-efficiency", N_ ("efficiency between nodes"),
    "cluster.inter-efficiency" },
  { PLG_USES_INTER, PLG_CATALOGUE_KIND_NODE, "inter-latency", N_ ("latency between nodes"),
    "cluster.inter-latency" },
  { PLG_USES_POWER, PLG_CATALOGUE_KIND_GPU, "power-busy", N_ ("power while computing"),
    "cost.power-busy" },
  { PLG_USES_POWER, PLG_CATALOGUE_KIND_GPU, "power-idle", N_ ("idle power"), "cost.power-idle" },
  { PLG_USES_POWER, PLG_CATALOGUE_KIND_GPU, "power-server", N_ ("power of the server per GPU"),
    "cost.power-server" },
  /* All dimensions of a model have the source of the layers. */
  { PLG_USES_MODEL, PLG_CATALOGUE_KIND_MODEL, "layers", N_ ("dimensions"), "model.*" },
};

static const char *const kinds[PLG_N_CATALOGUE_KINDS] = {
  [PLG_CATALOGUE_KIND_GPU] = "gpu",
  [PLG_CATALOGUE_KIND_NODE] = "node",
  [PLG_CATALOGUE_KIND_MODEL] = "model",
};

void
plg_constant_sources_init (PlgConstantSources *self,
                           const PlgPlan *plan,
                           const PlgCatalogue *catalogue)
{
  *self = (PlgConstantSources) { plan, catalogue, plg_catalogue_default_plan (catalogue) };
  /* An unknown name keeps the value of the default plan; its constants are not in the catalogue. */
  plg_setting_set (self->reference, catalogue, "cluster.node", plan->cluster.node, NULL);
  plg_setting_set (self->reference, catalogue, "cluster.gpu", plan->cluster.gpu.name, NULL);
  plg_setting_set (self->reference, catalogue, "model.name", plan->model.name, NULL);
}

void
plg_constant_sources_clear (PlgConstantSources *self)
{
  g_clear_pointer (&self->reference, plg_plan_free);
}

static const char *
entry_name (const PlgConstantSources *self, PlgCatalogueKind kind)
{
  switch (kind)
    {
    case PLG_CATALOGUE_KIND_GPU:
      return self->plan->cluster.gpu.name;
    case PLG_CATALOGUE_KIND_NODE:
      return self->plan->cluster.node;
    case PLG_CATALOGUE_KIND_MODEL:
    default:
      return self->plan->model.name;
    }
}

static const char *
entry_title (const PlgConstantSources *self, PlgCatalogueKind kind)
{
  const char *name = entry_name (self, kind);

  switch (kind)
    {
    case PLG_CATALOGUE_KIND_GPU:
      return plg_catalogue_gpu (self->catalogue, name)->title;
    case PLG_CATALOGUE_KIND_NODE:
      return plg_catalogue_node (self->catalogue, name)->title;
    case PLG_CATALOGUE_KIND_MODEL:
    default:
      return plg_catalogue_model (self->catalogue, name)->title;
    }
}

/* Returns constant I of the table in the catalogue, or NULL. */
static const PlgConstant *
find_constant (const PlgConstantSources *self, guint i)
{
  static const char *const precisions[PLG_N_PRECISIONS] = {
    [PLG_PRECISION_BF16] = "bf16", [PLG_PRECISION_FP16] = "fp16", [PLG_PRECISION_FP8] = "fp8",
    [PLG_PRECISION_FP4] = "fp4",   [PLG_PRECISION_FP32] = "fp32",
  };
  const char *mark = strstr (constants[i].constant, "%s");
  g_autofree char *name = NULL;
  const PlgConstant *list;
  int n = 0;

  /* The link to the host is PCIe only if the GPU has no faster one. */
  if (constants[i].use == PLG_USES_HOST_LINK &&
      g_str_equal (constants[i].constant, "pcie-bandwidth") &&
      self->plan->cluster.gpu.host_bandwidth > 0.0)
    return NULL;
  if (mark == NULL)
    name = g_strdup (constants[i].constant);
  else
    name = g_strdup_printf ("%.*s%s", (int) (mark - constants[i].constant), constants[i].constant,
                            precisions[self->plan->training.precision]);
  list = plg_catalogue_constants (self->catalogue, kinds[constants[i].kind],
                                  entry_name (self, constants[i].kind), &n);
  for (int j = 0; j < n; j++)
    if (g_str_equal (list[j].name, name))
      return &list[j];
  return NULL;
}

/* Returns whether the plan has another value for KEY, which may be "model.*", than the
 * catalogue. */
static gboolean
is_overridden (const PlgConstantSources *self, const char *key)
{
  const char *const keys[] = { key, NULL };
  const PlgSetting *settings;
  int n;

  if (key == NULL)
    return FALSE;
  settings = plg_settings (&n);
  for (int i = 0; i < n; i++)
    if (plg_setting_is_among (settings[i].key, keys))
      {
        g_autofree char *value = plg_setting_get (&settings[i], self->plan);
        g_autofree char *usual = plg_setting_get (&settings[i], self->reference);

        if (g_strcmp0 (value, usual) != 0)
          return TRUE;
      }
  return FALSE;
}

/* Returns a text such as "memory bandwidth 3350 GB/s". */
static char *
describe_constant (guint i, const PlgConstant *constant)
{
  g_autofree char *value = plg_format_number (constant->value, 6);

  if (constants[i].kind == PLG_CATALOGUE_KIND_MODEL)
    return g_strdup (_ (constants[i].title));
  if (g_str_equal (constant->unit, "1"))
    return g_strdup_printf ("%s %s", _ (constants[i].title), value);
  return g_strdup_printf ("%s %s\u00a0%s", _ (constants[i].title), value, constant->unit);
}

/* Appends constant I and all later constants of its entry that have the same source. Marks them in
 * DONE. */
static void
append_source (const PlgConstantSources *self, guint uses, guint i, gboolean *done, GString *out)
{
  const PlgConstant *first = find_constant (self, i);

  for (guint j = i; j < G_N_ELEMENTS (constants); j++)
    {
      const PlgConstant *constant = find_constant (self, j);
      g_autofree char *text = NULL;

      if (done[j] || (constants[j].use & uses) == 0 || constants[j].kind != constants[i].kind ||
          constant == NULL || !g_str_equal (constant->source, first->source) ||
          !g_str_equal (constant->date, first->date))
        continue;
      done[j] = TRUE;
      text = describe_constant (j, constant);
      g_string_append_printf (out, "%s%s", j > i ? ", " : "", text);
      if (is_overridden (self, constants[j].key))
        g_string_append (out, _ (" [the plan sets another value]"));
    }
  g_string_append_printf (out, " (%s, %s)", first->source, first->date);
}

char *
plg_constant_sources_describe (const PlgConstantSources *self, guint uses)
{
  GString *out = g_string_new (NULL);
  gboolean done[G_N_ELEMENTS (constants)] = { FALSE };
  int last_kind = -1;

  for (guint i = 0; i < G_N_ELEMENTS (constants); i++)
    {
      int kind = (int) constants[i].kind;

      if (done[i] || (constants[i].use & uses) == 0 || find_constant (self, i) == NULL ||
          self->plan->profile == PLG_PROFILE_NOTEBOOK)
        continue;
      if (kind == last_kind)
        g_string_append (out, "; ");
      else
        g_string_append_printf (out, "%s%s: ", out->len > 0 ? ". " : "",
                                entry_title (self, constants[i].kind));
      last_kind = kind;
      append_source (self, uses, i, done, out);
    }
  if (out->len == 0)
    return g_string_free (out, TRUE);
  return g_string_free (out, FALSE);
}

static char *
format_value (PlgConstantUnit unit, double value)
{
  g_autofree char *number = NULL;

  switch (unit)
    {
    case PLG_CONSTANT_UNIT_SECONDS:
      return plg_format_time (value);
    case PLG_CONSTANT_UNIT_BYTES:
      return plg_format_volume (value);
    case PLG_CONSTANT_UNIT_MEMORY:
      return plg_format_memory (value);
    case PLG_CONSTANT_UNIT_BANDWIDTH:
      return plg_format_bandwidth (value);
    case PLG_CONSTANT_UNIT_NONE:
    default:
      return value < 1e6 ? plg_format_number (value, 4) : plg_format_count (value);
    }
}

/* A longer list of groups is shown as its length. */
#define MOST_NAMED_GROUPS 5

static void
append_origin (GString *out, const PlgEngineConstantInfo *info)
{
  g_auto (GStrv) groups = NULL;
  g_autofree char *names = NULL;
  guint n;

  g_string_append_printf (out, " (%s, ", info->source);
  if (info->fitted != NULL)
    {
      groups = g_strsplit (info->fitted, " ", -1);
      n = g_strv_length (groups);
      names = n > MOST_NAMED_GROUPS ? g_strdup_printf (_ ("%u groups"), n)
                                    : g_strjoinv (", ", groups);
      /* Translators: the names or the number of groups of published runs */
      g_string_append_printf (out, _ ("fitted to published runs: %s"), names);
      g_string_append (out, ", ");
    }
  g_string_append_printf (out, "%s)", info->date);
}

char *
plg_constant_sources_describe_engine (const PlgPlan *plan, const PlgUsedConstants *used)
{
  GString *out = g_string_new (NULL);

  for (int i = 0; i < used->n && plan->profile != PLG_PROFILE_NOTEBOOK; i++)
    {
      const PlgEngineConstantInfo *info = plg_engine_constant_info (used->constant[i]);
      const PlgEngineConstantInfo *next = i + 1 < used->n
                                              ? plg_engine_constant_info (used->constant[i + 1])
                                              : NULL;
      g_autofree char *value = format_value (info->unit, plg_engine_constant (used->constant[i]));

      g_string_append_printf (out, "%s: %s", _ (info->title), value);
      /* Constants with the same source share it. */
      if (next != NULL && g_str_equal (info->source, next->source) &&
          g_str_equal (info->date, next->date) && g_strcmp0 (info->fitted, next->fitted) == 0)
        {
          g_string_append (out, ", ");
          continue;
        }
      append_origin (out, info);
      if (next != NULL)
        g_string_append_c (out, '\n');
    }
  if (out->len == 0)
    return g_string_free (out, TRUE);
  return g_string_free (out, FALSE);
}

/* Adds to USED the constants of the engine that the setting KEY of PLAN chooses. */
static void
constants_of_setting (const PlgPlan *plan, const char *key, PlgUsedConstants *used)
{
  static const struct
  {
    const char *key;
    PlgEngineConstant constant;
  } settings[] = {
    { "training.loss", PLG_CONSTANT_FUSED_LOSS_FORWARD },
    { "training.loss", PLG_CONSTANT_FUSED_LOSS_BACKWARD },
    { "training.loss", PLG_CONSTANT_PLAIN_LOSS_FORWARD },
    { "training.loss", PLG_CONSTANT_PLAIN_LOSS_BACKWARD },
    { "training.loss", PLG_CONSTANT_LOSS_PIECES },
    { "training.loss", PLG_CONSTANT_LOSS_VOCABULARY_PIECE },
    { "training.kernels", PLG_CONSTANT_EAGER_NORM },
    { "training.kernels", PLG_CONSTANT_EAGER_ROTARY },
    { "training.kernels", PLG_CONSTANT_EAGER_GATE },
    { "training.fp8-recipe", PLG_CONSTANT_DELAYED_CAST },
    { "training.fp8-recipe", PLG_CONSTANT_CURRENT_CAST },
    { "training.fp8-recipe", PLG_CONSTANT_BLOCKWISE_CAST },
    { "training.fp8-recipe", PLG_CONSTANT_EMULATED_BLOCKWISE_CAST },
    { "training.fp8-recipe", PLG_CONSTANT_BLOCKWISE_PRODUCT },
    { "training.fp8-recipe", PLG_CONSTANT_MXFP8_CAST },
    { "training.fp8-recipe", PLG_CONSTANT_MXFP8_PRODUCT },
    { "training.cuda-graphs", PLG_CONSTANT_EXPERT_HOST_FORWARD },
    { "training.cuda-graphs", PLG_CONSTANT_EXPERT_HOST_BACKWARD },
    { "parallelism.overlap-dp", PLG_CONSTANT_NETWORK_CONTENTION },
    { "parallelism.overlap-dp", PLG_CONSTANT_LATE_CONTENTION },
    { "parallelism.overlap-ep", PLG_CONSTANT_EP_OVERLAP },
    { "cluster.rdma", PLG_CONSTANT_TCP_EFFICIENCY },
    { "cluster.rdma", PLG_CONSTANT_TCP_LATENCY },
    { "cluster.rdma", PLG_CONSTANT_TCP_OF_HOST },
  };
  const PlgProgramHabits *habits = plg_program_habits (plan);

  if (g_str_equal (key, "training.program"))
    {
      if (habits->product != PLG_CONSTANT_REFERENCE_PRODUCT)
        plg_used_constants_add (used, habits->product);
      plg_used_constants_add (used, habits->bucket);
      plg_used_constants_add (used, habits->slack);
      if (habits->waits_for_host)
        {
          plg_used_constants_add (used, PLG_CONSTANT_LAYER_HOST_FORWARD);
          plg_used_constants_add (used, PLG_CONSTANT_LAYER_HOST_BACKWARD);
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    if (g_str_equal (key, settings[i].key))
      plg_used_constants_add (used, settings[i].constant);
}

char *
plg_constant_sources_of_setting (const PlgConstantSources *self, const char *key)
{
  static const struct
  {
    const char *key;
    guint uses;
  } names[] = {
    { "cluster.gpu",
      PLG_USES_PEAK | PLG_USES_MATRIX_EFFICIENCY | PLG_USES_MEMORY_RATE | PLG_USES_MEMORY_SIZE },
    { "cluster.node", PLG_USES_INTRA | PLG_USES_INTER },
    { "model.name", PLG_USES_MODEL },
  };
  PlgUsedConstants used = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (key, names[i].key))
      return plg_constant_sources_describe (self, names[i].uses);
  for (guint i = 0; i < G_N_ELEMENTS (constants); i++)
    {
      const char *const keys[] = { constants[i].key, NULL };
      const PlgConstant *constant;

      if (constants[i].key == NULL || !plg_setting_is_among (key, keys))
        continue;
      constant = find_constant (self, i);
      if (constant == NULL || is_overridden (self, key))
        return NULL;
      return g_strdup_printf (_ ("Source: %s, %s"), constant->source, constant->date);
    }
  constants_of_setting (self->plan, key, &used);
  return plg_constant_sources_describe_engine (self->plan, &used);
}
