/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/plan/plan-yaml-private.h"

#include "io/import/format.h"
#include "plan/plan-check.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define DEFAULT_GPUS_PER_NODE 8
#define DEFAULT_ORDER "tp-cp-pp-dp"

typedef struct
{
  int nodes;
  int gpus_per_node;
  int degree[PLG_N_AXES];
  int replicate;
  PlgAxis order[PLG_N_NESTED_AXES];
} Shape;

/* Reads an integer from 1 to MAXIMUM into OUT. If the key is missing, sets OUT to FALLBACK. */
static gboolean
read_number (const PlgPlanYamlValues *values,
             PlgPlanYamlKey key,
             int fallback,
             int maximum,
             int *out,
             GError **error)
{
  const PlgPlanYamlValue *value = &values->value[key];
  gint64 number = fallback;

  if (value->text != NULL && !g_ascii_string_to_signed (value->text, 10, 1, maximum, &number, NULL))
    return plg_plan_yaml_fail (PLG_FORMAT_ERROR_CONTENT, value->mark, error,
                               _ ("%s is “%s”; it must be a whole number from 1 to %d."),
                               plg_plan_yaml_key_name (key), value->text, maximum);
  *out = (int) number;
  return TRUE;
}

/* Reads a node shape such as "8_nodes_x_8_gpus". */
static gboolean
read_node_shape (const PlgPlanYamlValues *values, Shape *shape, GError **error)
{
  const PlgPlanYamlValue *value = &values->value[PLG_PLAN_YAML_NODE_SHAPE];
  g_autoptr (GRegex) regex = g_regex_new ("^([0-9]{1,9})_nodes?_x_([0-9]{1,9})_gpus?$", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *nodes = NULL;
  g_autofree char *gpus = NULL;

  if (value->text == NULL)
    return TRUE;
  shown = plg_text_excerpt (value->text, PLG_PLAN_YAML_SHOWN_CHARACTERS);
  if (!g_regex_match (regex, value->text, 0, &match))
    return plg_plan_yaml_fail (PLG_FORMAT_ERROR_CONTENT, value->mark, error,
                               _ ("node_shape is “%s”; it must look like 8_nodes_x_8_gpus."),
                               shown);
  nodes = g_match_info_fetch (match, 1);
  gpus = g_match_info_fetch (match, 2);
  shape->nodes = (int) g_ascii_strtoll (nodes, NULL, 10);
  shape->gpus_per_node = (int) g_ascii_strtoll (gpus, NULL, 10);
  if (shape->nodes < 1 || shape->nodes > PLG_MAX_NODES || shape->gpus_per_node < 1 ||
      shape->gpus_per_node > PLG_MAX_GPUS_PER_NODE)
    return plg_plan_yaml_fail (
        PLG_FORMAT_ERROR_CONTENT, value->mark, error,
        _ ("node_shape is “%s”, but must have 1 to %d nodes of 1 to %d GPUs."), shown,
        PLG_MAX_NODES, PLG_MAX_GPUS_PER_NODE);
  return TRUE;
}

/* Returns TP × CP × PP × DP, with 1 for a missing DP. */
static guint64
product (const Shape *shape)
{
  guint64 all = MAX (shape->degree[PLG_AXIS_DP], 1);

  for (int axis = 0; axis < PLG_AXIS_DP; axis++)
    if (axis != PLG_AXIS_EP && !g_uint64_checked_mul (&all, all, shape->degree[axis]))
      return G_MAXUINT64;
  return all;
}

/* Sets a missing node shape and a missing DP from the world size. A missing node shape becomes
 * nodes of eight GPUs each, or a single node if the world size is smaller. */
static gboolean
fit_to_world (const PlgPlanYamlValues *values, Shape *shape, int world, GError **error)
{
  const PlgPlanYamlValue *size = &values->value[PLG_PLAN_YAML_WORLD_SIZE];
  const PlgPlanYamlValue *dp = &values->value[PLG_PLAN_YAML_DP];
  const int *degree = shape->degree;
  int in_nodes;
  yaml_mark_t mark;

  if (shape->nodes == 0 && world > DEFAULT_GPUS_PER_NODE && world % DEFAULT_GPUS_PER_NODE != 0)
    return plg_plan_yaml_fail (PLG_FORMAT_ERROR_CONTENT, size->mark, error,
                               _ ("%d GPUs do not fill whole nodes of %d; add node_shape, such "
                                  "as 8_nodes_x_8_gpus."),
                               world, DEFAULT_GPUS_PER_NODE);
  if (shape->nodes == 0)
    {
      shape->gpus_per_node = MIN (world, DEFAULT_GPUS_PER_NODE);
      shape->nodes = world / shape->gpus_per_node;
    }
  in_nodes = shape->nodes * shape->gpus_per_node;
  if (in_nodes != world)
    return plg_plan_yaml_fail (
        PLG_FORMAT_ERROR_CONTENT, size->mark, error,
        _ ("world_size is %d, but node_shape on line %d has %d × %d = %d GPUs; make them equal."),
        world, (int) values->value[PLG_PLAN_YAML_NODE_SHAPE].mark.line + 1, shape->nodes,
        shape->gpus_per_node, in_nodes);
  if (dp->text == NULL && world % product (shape) == 0)
    shape->degree[PLG_AXIS_DP] = (int) (world / product (shape));
  if (product (shape) == world)
    return TRUE;
  /* Set a plan error instead of a format error, because the file is valid but its plan is
   * impossible. */
  mark = dp->text != NULL ? dp->mark : values->value[PLG_PLAN_YAML_PARALLELISM].mark;
  g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_WORLD,
               _ ("TP %d × CP %d × PP %d × DP %d = %llu, but there are %d GPUs; the degrees must "
                  "multiply to the world size."),
               degree[PLG_AXIS_TP], degree[PLG_AXIS_CP], degree[PLG_AXIS_PP],
               MAX (degree[PLG_AXIS_DP], 1), (unsigned long long) product (shape), world);
  plg_plan_yaml_add_position (mark, error);
  return FALSE;
}

static PlgPlan *
make_plan (const PlgPlanYamlValues *values, const PlgCatalogue *catalogue, const Shape *shape)
{
  PlgPlan *plan = plg_catalogue_default_plan (catalogue);
  const char *note = values->value[PLG_PLAN_YAML_READING_NOTE].text;
  const char *title = values->value[PLG_PLAN_YAML_TITLE].text;
  PlgTraining *training = &plan->training;
  gint64 unit = MAX ((gint64) training->micro_batch * shape->degree[PLG_AXIS_DP], 1);
  gint64 batch = (training->global_batch + unit - 1) / unit * unit;

  plan->cluster.nodes = shape->nodes;
  plan->cluster.gpus_per_node = shape->gpus_per_node;
  memcpy (plan->parallelism.degree, shape->degree, sizeof shape->degree);
  memcpy (plan->parallelism.order, shape->order, sizeof shape->order);
  plan->parallelism.replicate = shape->replicate;
  plg_placement_clear (&plan->placement);
  /* Round the batch up if the degrees require it, because the batch must be a multiple of
   * micro-batch × DP. */
  if (batch <= G_MAXINT)
    training->global_batch = (int) batch;
  g_free (plan->title);
  plan->title = g_strdup (title != NULL ? title : "");
  g_free (plan->notes);
  plan->notes = g_strdup (note != NULL ? note : "");
  return plan;
}

static PlgPlan *
read_plan (PlgPlanYamlValues *values, const PlgCatalogue *catalogue, GError **error)
{
  static const PlgPlanYamlKey keys[PLG_N_AXES] = {
    [PLG_AXIS_TP] = PLG_PLAN_YAML_TP, [PLG_AXIS_CP] = PLG_PLAN_YAML_CP,
    [PLG_AXIS_EP] = PLG_PLAN_YAML_EP, [PLG_AXIS_PP] = PLG_PLAN_YAML_PP,
    [PLG_AXIS_DP] = PLG_PLAN_YAML_DP,
  };
  const PlgPlanYamlValue *value = values->value;
  const char *order = value[PLG_PLAN_YAML_ORDER].text;
  g_autoptr (PlgPlan) plan = NULL;
  Shape shape = { 0 };
  int world, *ep;

  if (value[PLG_PLAN_YAML_WORLD_SIZE].text == NULL && value[PLG_PLAN_YAML_PARALLELISM].text == NULL)
    {
      plg_plan_yaml_fail (PLG_FORMAT_ERROR_CONTENT, (yaml_mark_t) { 0 }, error,
                          _ ("The file has neither world_size nor parallelism; a plan needs at "
                             "least one of them."));
      return NULL;
    }
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    if (!read_number (values, keys[axis], axis == PLG_AXIS_DP ? 0 : 1, PLG_MAX_GPUS,
                      &shape.degree[axis], error))
      return NULL;
  if (!read_number (values, PLG_PLAN_YAML_REPLICATE, 1, PLG_MAX_GPUS, &shape.replicate, error))
    return NULL;
  if (!plg_order_from_string (order != NULL ? order : DEFAULT_ORDER, shape.order))
    {
      g_autofree char *shown = plg_text_excerpt (order, PLG_PLAN_YAML_SHOWN_CHARACTERS);

      plg_plan_yaml_fail (PLG_FORMAT_ERROR_CONTENT, value[PLG_PLAN_YAML_ORDER].mark, error,
                          _ ("%s is “%s”; it must list axes, innermost first, such as %s."),
                          plg_plan_yaml_key_name (PLG_PLAN_YAML_ORDER), shown, DEFAULT_ORDER);
      return NULL;
    }
  if (!read_node_shape (values, &shape, error))
    return NULL;
  world = shape.nodes > 0 ? shape.nodes * shape.gpus_per_node
                          : (int) MIN (product (&shape), PLG_MAX_GPUS);
  if (!read_number (values, PLG_PLAN_YAML_WORLD_SIZE, world, PLG_MAX_GPUS, &world, error) ||
      !fit_to_world (values, &shape, world, error))
    return NULL;

  plan = make_plan (values, catalogue, &shape);
  /* Ignore EP if the default model has no experts, because the file does not name a model. */
  ep = &plan->parallelism.degree[PLG_AXIS_EP];
  if (*ep != 1 && !plg_transformer_is_moe (&plan->model))
    {
      plg_plan_yaml_note (values, value[PLG_PLAN_YAML_EP].mark,
                          _ ("ep_size %d is ignored because the file names no model, and %s has "
                             "no experts. Choose a model with experts, then set EP."),
                          *ep, plan->model.name);
      *ep = 1;
    }
  if (!plg_plan_check (plan, error))
    {
      plg_plan_yaml_add_position (value[PLG_PLAN_YAML_PARALLELISM].mark, error);
      return NULL;
    }
  return g_steal_pointer (&plan);
}

PlgPlan *
plg_plan_yaml_read (const char *data,
                    gsize size,
                    const PlgCatalogue *catalogue,
                    GPtrArray **notes,
                    GError **error)
{
  g_auto (PlgPlanYamlValues) values = { 0 };
  PlgPlan *plan = NULL;

  if (plg_plan_yaml_values_read (&values, data, size, error))
    plan = read_plan (&values, catalogue, error);
  if (plan != NULL && values.n_unknown > PLG_PLAN_YAML_SHOWN_UNKNOWN)
    {
      int more = values.n_unknown - PLG_PLAN_YAML_SHOWN_UNKNOWN;
      char *text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d more key is ignored.",
                                                 "%d more keys are ignored.", more),
                                    more);

      g_ptr_array_add (values.notes, plg_note_new (PLG_NOTE_IGNORED, 0, text));
    }
  if (notes != NULL)
    *notes = plan != NULL ? g_steal_pointer (&values.notes) : NULL;
  return plan;
}

/* Format */

static gboolean
is_yaml (const char *data, gsize size)
{
  static const char *const keys[] = { "world_size", "node_shape", "parallelism", "reading_note" };

  for (const char *line = data; line != NULL && *data != '{' && *data != '[';)
    {
      const char *key_end = line + strspn (line, "abcdefghijklmnopqrstuvwxyz_");
      gboolean is_toml = key_end[strspn (key_end, " \t")] == '=';

      for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
        if (size - (line - data) > strlen (keys[i]) &&
            strncmp (line, keys[i], strlen (keys[i])) == 0 && !is_toml)
          return TRUE;
      line = memchr (line, '\n', size - (line - data));
      line = line != NULL ? line + 1 : NULL;
    }
  return FALSE;
}

static gboolean
read_yaml (PlgImportContext *context, GError **error)
{
  g_autoptr (GPtrArray) notes = NULL;
  PlgPlan *plan = plg_plan_yaml_read (context->data, context->size, context->catalogue, &notes,
                                      error);

  if (plan == NULL)
    return FALSE;
  plg_plan_free (context->plan);
  context->plan = plan;
  for (guint i = 0; i < notes->len; i++)
    {
      const PlgNote *note = notes->pdata[i];

      plg_import_note (context, note->kind, note->line, "%s", note->text);
    }
  return TRUE;
}

static GBytes *
write_yaml (const PlgExportContext *export, GError **error)
{
  return plg_take_text (plg_plan_yaml_write (export->plan));
}

const PlgFormat plg_plan_yaml_format = {
  .name = "yaml",
  .suffix = ".yaml",
  .title = N_ ("World size, node shape and degrees (YAML)"),
  .subject = PLG_SUBJECT_PLAN,
  .syntax = PLG_SYNTAX_YAML,
  .sign = "world_size, node_shape, parallelism",
  .is = is_yaml,
  .read = read_yaml,
  .write = write_yaml,
};
