/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/format-private.h"
#include "formats/report-json.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define MAX_DEPTH 8

/* JSON on its way out. json-glib would print 0.1 as 0.10000000000000001, and each number of a table
 * on a line of its own. */
typedef struct
{
  GString *out;
  gboolean lines[MAX_DEPTH]; /* each member on a line of its own */
  gboolean empty[MAX_DEPTH];
  int depth;
} Json;

static void
new_line (Json *json)
{
  g_string_append_printf (json->out, "\n%*s", 2 * json->depth, "");
}

static void
append_string (Json *json, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (json->out, '"');
  for (const char *p = valid; *p != '\0'; p++)
    if (*p == '"' || *p == '\\')
      g_string_append_printf (json->out, "\\%c", *p);
    else if ((guchar) *p < 0x20)
      g_string_append_printf (json->out, "\\u%04x", (guchar) *p);
    else
      g_string_append_c (json->out, *p);
  g_string_append_c (json->out, '"');
}

/* What stands before a value: comma, line break, and in an object its NAME. */
static void
begin_value (Json *json, const char *name)
{
  if (!json->empty[json->depth])
    g_string_append_c (json->out, ',');
  if (json->lines[json->depth])
    new_line (json);
  else if (!json->empty[json->depth])
    g_string_append_c (json->out, ' ');
  json->empty[json->depth] = FALSE;
  if (name != NULL)
    {
      append_string (json, name);
      g_string_append (json->out, ": ");
    }
}

static void
begin_block (Json *json, const char *name, char bracket, gboolean lines)
{
  if (json->depth > 0)
    begin_value (json, name);
  g_string_append_c (json->out, bracket);
  json->depth++;
  g_assert (json->depth < MAX_DEPTH);
  json->lines[json->depth] = lines;
  json->empty[json->depth] = TRUE;
}

static void
end_block (Json *json, char bracket)
{
  gboolean break_line = json->lines[json->depth] && !json->empty[json->depth];

  json->depth--;
  if (break_line)
    new_line (json);
  g_string_append_c (json->out, bracket);
}

static void
add_string (Json *json, const char *name, const char *value)
{
  begin_value (json, name);
  if (value != NULL)
    append_string (json, value);
  else
    g_string_append (json->out, "null");
}

/* JSON has no word for what is not a number. */
static void
add_number (Json *json, const char *name, double value)
{
  g_autofree char *text = isfinite (value) ? plg_format_exact (value) : g_strdup ("null");

  begin_value (json, name);
  g_string_append (json->out, text);
}

static void
add_boolean (Json *json, const char *name, gboolean value)
{
  begin_value (json, name);
  g_string_append (json->out, value ? "true" : "false");
}

static void
add_axes (Json *json, const char *name, const int *values)
{
  begin_block (json, name, '{', FALSE);
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    add_number (json, plg_axis_name (axis), values[axis]);
  end_block (json, '}');
}

static void
add_design (Json *json, const PlgPlan *plan, const PlgReport *report)
{
  static const char *const profiles[] = { "standard", "notebook", "handbook" };
  g_autofree char *order = plg_order_to_string (&plan->parallelism);
  g_autofree char *title = plg_plan_display_title (plan);

  add_number (json, "format", 1);
  add_string (json, "profile", profiles[report->profile]);
  add_string (json, "title", title);
  add_string (json, "gpu", plan->cluster.gpu.name);
  add_string (json, "model", plan->model.name);
  add_number (json, "nodes", plan->cluster.nodes);
  add_number (json, "gpus_per_node", plan->cluster.gpus_per_node);
  add_number (json, "world_size", report->world_size);
  add_axes (json, "degrees", report->degree);
  add_string (json, "order", order);
  add_number (json, "micro_batches", report->micro_batches);
  begin_block (json, "parameters", '{', FALSE);
  add_number (json, "total", report->parameters_total);
  add_number (json, "active", report->parameters_active);
  end_block (json, '}');
}

static void
add_step (Json *json, const PlgStep *step)
{
  begin_block (json, "step", '{', TRUE);
  add_number (json, "time", step->time);
  add_number (json, "ideal_time", step->ideal_time);
  add_number (json, "tokens_per_second", step->tokens_per_second);
  add_number (json, "tokens_per_second_per_gpu", step->tokens_per_second_per_gpu);
  add_number (json, "model_flops", step->model_flops);
  add_number (json, "hardware_flops", step->hardware_flops);
  add_number (json, "flops_per_second_per_gpu", step->flops_per_second_per_gpu);
  add_number (json, "peak_flops_per_second_per_gpu", step->peak);
  add_number (json, "mfu", step->mfu);
  add_number (json, "hfu", step->hfu);
  add_number (json, "days", step->days);
  add_number (json, "gpu_hours", step->gpu_hours);
  begin_block (json, "parts", '{', FALSE);
  for (int part = 0; part < PLG_N_PARTS; part++)
    add_number (json, plg_part_name (part), step->part[part]);
  end_block (json, '}');
  end_block (json, '}');
}

static void
add_bubble (Json *json, const PlgBubble *bubble)
{
  begin_block (json, "bubble", '{', FALSE);
  add_number (json, "share_of_step", bubble->share_of_step);
  add_number (json, "over_ideal", bubble->over_ideal);
  add_number (json, "notebook", bubble->notebook);
  add_number (json, "simulated", bubble->simulated);
  add_number (json, "judged", bubble->judged);
  end_block (json, '}');
}

static void
add_stage (Json *json, int number, const PlgStageMemory *stage)
{
  begin_block (json, NULL, '{', FALSE);
  add_number (json, "stage", number);
  add_number (json, "layers", stage->layers);
  add_number (json, "in_flight", stage->in_flight);
  add_number (json, "parameters", stage->parameters);
  add_number (json, "weights", stage->weights);
  add_number (json, "gradients", stage->gradients);
  add_number (json, "optimizer", stage->optimizer);
  add_number (json, "activations", stage->activations);
  add_number (json, "buffers", stage->buffers);
  add_number (json, "runtime", stage->runtime);
  add_number (json, "total", stage->total);
  end_block (json, '}');
}

static void
add_memory (Json *json, const PlgReport *report)
{
  begin_block (json, "memory", '{', TRUE);
  add_number (json, "capacity", report->memory_capacity);
  add_number (json, "peak", report->memory_peak);
  add_number (json, "peak_stage", report->memory_peak_stage);
  add_boolean (json, "fits", report->fits);
  begin_block (json, "stages", '[', TRUE);
  for (guint i = 0; i < report->stages->len; i++)
    add_stage (json, (int) i, &g_array_index (report->stages, PlgStageMemory, i));
  end_block (json, ']');
  end_block (json, '}');
}

static void
add_collective (Json *json, const PlgCollective *collective)
{
  begin_block (json, NULL, '{', FALSE);
  add_string (json, "axis", plg_axis_name (collective->axis));
  add_string (json, "kind", plg_collective_kind_name (collective->kind));
  add_number (json, "stage", collective->stage);
  add_number (json, "calls", collective->calls);
  add_number (json, "bytes_per_call", collective->bytes_per_call);
  add_number (json, "bytes_sent", collective->bytes_sent);
  add_number (json, "group_size", collective->group_size);
  add_number (json, "nodes_spanned", collective->nodes_spanned);
  add_string (json, "tier", plg_tier_name (collective->tier));
  add_number (json, "time", collective->time);
  add_number (json, "exposed", collective->exposed);
  end_block (json, '}');
}

static void
add_link (Json *json, const PlgPlan *plan, const PlgLink *link)
{
  g_autofree char *id = plg_link_id (link);
  g_autofree char *from = plg_link_from (link, plan);
  g_autofree char *to = plg_link_to (link, plan);
  const char *name = link->node >= 0 ? plg_node_names_get (&plan->node_names, link->node) : NULL;

  begin_block (json, NULL, '{', FALSE);
  add_string (json, "id", id);
  add_string (json, "tier", plg_tier_name (link->tier));
  add_string (json, "from", from);
  add_string (json, "to", to);
  add_string (json, "name", name);
  add_number (json, "bandwidth", link->bandwidth);
  add_number (json, "calls", link->calls);
  add_number (json, "bytes", plg_link_bytes (link));
  add_number (json, "time", link->time);
  begin_block (json, "collectives", '[', FALSE);
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    if (link->axes & (1u << axis))
      add_string (json, NULL, plg_axis_name (axis));
  end_block (json, ']');
  end_block (json, '}');
}

static void
add_finding (Json *json, const PlgFinding *finding)
{
  begin_block (json, NULL, '{', TRUE);
  add_string (json, "id", finding->id);
  add_string (json, "severity", plg_severity_name (finding->severity));
  add_string (json, "text", finding->text);
  add_number (json, "value", finding->value);
  add_number (json, "limit", finding->limit);
  add_string (json, "unit", finding->unit);
  add_string (json, "remedy", finding->remedy);
  add_string (json, "edits", finding->edits);
  add_number (json, "gain", finding->gain);
  end_block (json, '}');
}

static void
add_traffic (Json *json, const PlgPlan *plan, const PlgReport *report)
{
  begin_block (json, "collectives", '[', TRUE);
  for (guint i = 0; i < report->collectives->len; i++)
    add_collective (json, &g_array_index (report->collectives, PlgCollective, i));
  end_block (json, ']');

  begin_block (json, "links", '[', TRUE);
  for (guint i = 0; i < report->links->len; i++)
    add_link (json, plan, &g_array_index (report->links, PlgLink, i));
  end_block (json, ']');
}

/* The ranks of each node, in the order of its GPUs. */
static void
add_placement (Json *json, const PlgPlan *plan)
{
  int size = plg_cluster_gpus (&plan->cluster);
  int per_node = plan->cluster.gpus_per_node;
  g_autofree int *rank_of_gpu = g_new (int, size);

  plg_placement_invert (&plan->placement, size, rank_of_gpu);
  begin_block (json, "placement", '[', TRUE);
  for (int node = 0; node < plan->cluster.nodes; node++)
    {
      begin_block (json, NULL, '[', FALSE);
      for (int local = 0; local < per_node; local++)
        add_number (json, NULL, rank_of_gpu[node * per_node + local]);
      end_block (json, ']');
    }
  end_block (json, ']');
}

/* What people call the nodes, in their order; null where one has no name. */
static void
add_node_names (Json *json, const PlgPlan *plan)
{
  begin_block (json, "node_names", '[', FALSE);
  for (int node = 0; node < plan->cluster.nodes; node++)
    add_string (json, NULL, plg_node_names_get (&plan->node_names, node));
  end_block (json, ']');
}

char *
plg_report_json (const PlgPlan *plan, const PlgReport *report)
{
  Json json = { .out = g_string_new (NULL) };

  begin_block (&json, NULL, '{', TRUE);
  add_design (&json, plan, report);
  add_step (&json, &report->step);
  add_bubble (&json, &report->bubble);
  add_memory (&json, report);
  add_axes (&json, "groups", report->groups);
  add_placement (&json, plan);
  add_node_names (&json, plan);
  add_traffic (&json, plan, report);
  begin_block (&json, "findings", '[', TRUE);
  for (guint i = 0; i < report->findings->len; i++)
    add_finding (&json, &g_array_index (report->findings, PlgFinding, i));
  end_block (&json, ']');
  end_block (&json, '}');
  g_string_append_c (json.out, '\n');
  return g_string_free (json.out, FALSE);
}

static GBytes *
write_json (const PlgWriting *writing, GError **error)
{
  return plg_need_report (writing, error)
             ? plg_take_text (plg_report_json (writing->plan, writing->report))
             : NULL;
}

const PlgFormat plg_report_json_format = {
  .name = "json",
  .suffix = ".json",
  .title = N_ ("Report, for programs (JSON)"),
  .subject = PLG_SUBJECT_REPORT,
  .write = write_json,
};
