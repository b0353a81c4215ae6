/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/placement/launch-placement.h"
#include "io/import/format.h"
#include "syntax/json-writer.h"
#include "io/reports/report-json.h"
#include "io/reports/similar-runs-text.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static void
add_axes (PlgJsonWriter *json, const char *name, const int *values)
{
  plg_json_begin (json, name, '{', FALSE);
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    plg_json_add_number (json, plg_axis_name (axis), values[axis]);
  plg_json_end (json, '}');
}

static void
add_design (PlgJsonWriter *json, const PlgPlan *plan, const PlgReport *report)
{
  static const char *const profiles[] = { "standard", "notebook", "handbook" };
  g_autofree char *order = plg_order_to_string (&plan->parallelism);
  g_autofree char *title = plg_plan_display_title (plan);

  plg_json_add_number (json, "format", 1);
  plg_json_add_string (json, "profile", profiles[report->profile]);
  plg_json_add_string (json, "title", title);
  plg_json_add_string (json, "gpu", plan->cluster.gpu.name);
  plg_json_add_string (json, "model", plan->model.name);
  plg_json_add_number (json, "nodes", plan->cluster.nodes);
  plg_json_add_number (json, "gpus_per_node", plan->cluster.gpus_per_node);
  plg_json_add_number (json, "world_size", report->world_size);
  add_axes (json, "degrees", report->degree);
  if (plg_parallelism_replicate (&plan->parallelism) > 1)
    {
      plg_json_begin (json, "hsdp", '{', FALSE);
      plg_json_add_number (json, "replicate", plg_parallelism_replicate (&plan->parallelism));
      plg_json_add_number (json, "shards", plg_parallelism_shards (&plan->parallelism));
      plg_json_end (json, '}');
    }
  plg_json_add_string (json, "order", order);
  plg_json_add_number (json, "micro_batches", report->micro_batches);
  plg_json_begin (json, "parameters", '{', FALSE);
  plg_json_add_number (json, "total", report->parameters_total);
  plg_json_add_number (json, "active", report->parameters_active);
  plg_json_end (json, '}');
}

static void
add_step (PlgJsonWriter *json, const PlgReport *report, const PlgSimilarRuns *similar)
{
  const PlgStep *step = &report->step;
  const PlgBubble *bubble = &report->bubble;

  plg_json_begin (json, "step", '{', TRUE);
  plg_json_add_number (json, "time", step->time);
  plg_json_add_number (json, "ideal_time", step->ideal_time);
  plg_json_add_number (json, "tokens_per_second", step->tokens_per_second);
  plg_json_add_number (json, "tokens_per_second_per_gpu", step->tokens_per_second_per_gpu);
  plg_json_add_number (json, "model_flops", step->model_flops);
  plg_json_add_number (json, "hardware_flops", step->hardware_flops);
  plg_json_add_number (json, "flops_per_second_per_gpu", step->flops_per_second_per_gpu);
  plg_json_add_number (json, "peak_flops_per_second_per_gpu", step->peak);
  plg_json_add_number (json, "mfu", step->mfu);
  plg_json_add_number (json, "hfu", step->hfu);
  plg_json_add_number (json, "days", step->days);
  plg_json_add_number (json, "gpu_hours", step->gpu_hours);
  plg_json_begin (json, "parts", '{', FALSE);
  for (int part = 0; part < PLG_N_PARTS; part++)
    plg_json_add_number (json, plg_part_name (part), step->part[part]);
  plg_json_end (json, '}');
  if (similar != NULL)
    plg_similar_runs_add_json (json, similar, step->mfu, step->time);
  plg_json_end (json, '}');

  plg_json_begin (json, "bubble", '{', FALSE);
  plg_json_add_number (json, "share_of_step", bubble->share_of_step);
  plg_json_add_number (json, "over_ideal", bubble->over_ideal);
  plg_json_add_number (json, "notebook", bubble->notebook);
  plg_json_add_number (json, "simulated", bubble->simulated);
  plg_json_add_number (json, "judged", plg_report_bubble (report));
  plg_json_end (json, '}');
}

static void
add_memory (PlgJsonWriter *json, const PlgPlan *plan, const PlgReport *report)
{
  plg_json_begin (json, "memory", '{', TRUE);
  plg_json_add_number (json, "capacity", report->memory_capacity);
  plg_json_add_number (json, "peak", report->memory_peak);
  plg_json_add_number (json, "peak_stage", report->memory_peak_stage);
  if (report->fits == PLG_FIT_HIDDEN)
    plg_json_add_string (json, "fits", NULL);
  else
    plg_json_add_boolean (json, "fits", report->fits);
  plg_json_begin (json, "stages", '[', TRUE);
  for (guint i = 0; i < report->stages->len; i++)
    {
      const PlgStageMemory *stage = &g_array_index (report->stages, PlgStageMemory, i);

      plg_json_begin (json, NULL, '{', FALSE);
      plg_json_add_number (json, "stage", i);
      plg_json_add_number (json, "layers", stage->layers);
      plg_json_add_number (json, "in_flight", stage->in_flight);
      plg_json_add_number (json, "parameters", stage->parameters);
      plg_json_add_number (json, "weights", stage->weights);
      plg_json_add_number (json, "gradients", stage->gradients);
      plg_json_add_number (json, "optimizer", stage->optimizer);
      plg_json_add_number (json, "activations", stage->activations);
      plg_json_add_number (json, "buffers", stage->buffers);
      plg_json_add_number (json, "runtime", stage->runtime);
      plg_json_add_number (json, "total", stage->total);
      if (stage->host != 0.0)
        plg_json_add_number (json, "host", stage->host);
      plg_json_end (json, '}');
    }
  plg_json_end (json, ']');
  plg_json_end (json, '}');
}

static void
add_run (PlgJsonWriter *json, const PlgPlan *plan, const PlgReport *report)
{
  const PlgTrainingRun *run = &report->run;

  plg_json_begin (json, "run", '{', TRUE);
  plg_json_add_number (json, "days", run->days);
  plg_json_add_number (json, "gpu_hours", run->gpu_hours);
  plg_json_add_number (json, "goodput", run->share[PLG_RUN_PROGRESS]);
  plg_json_begin (json, "shares", '{', FALSE);
  for (int part = 0; part < PLG_N_RUN_PARTS; part++)
    plg_json_add_number (json, plg_run_part_name (part), run->share[part]);
  plg_json_end (json, '}');
  plg_json_add_number (json, "interruptions", run->interruptions);
  plg_json_add_number (json, "mtbf", run->mtbf);
  plg_json_add_number (json, "checkpoint_bytes", run->checkpoint_bytes);
  plg_json_add_number (json, "checkpoint_time", run->checkpoint_time);
  plg_json_add_number (json, "checkpoint_interval", run->interval);
  plg_json_add_number (json, "checkpoint_interval_young", run->interval_young);
  plg_json_add_number (json, "cost_usd", run->cost);
  plg_json_add_number (json, "cost_usd_per_token", run->cost_per_token);
  plg_json_add_number (json, "busy_share", run->busy_share);
  plg_json_add_number (json, "power", run->power);
  plg_json_add_number (json, "energy", run->energy);
  plg_json_add_number (json, "energy_per_token", run->energy_per_token);
  plg_json_add_number (json, "co2_kg", run->carbon);
  plg_json_add_number (json, "co2_kg_per_token", run->carbon_per_token);
  plg_json_end (json, '}');
}

/* Adds VALUE, or null if VALUE is 0, because 0 means unknown. */
static void
add_known_number (PlgJsonWriter *json, const char *name, double value)
{
  plg_json_add_number (json, name, value > 0.0 ? value : (double) NAN);
}

/* Adds an array that contains one array per GPU. Each inner array contains the N paths of its
 * GPU. */
static void
add_paths (PlgJsonWriter *json, const char *name, const PlgPath *paths, int gpus, int n)
{
  plg_json_begin (json, name, '[', TRUE);
  for (int gpu = 0; gpu < gpus; gpu++)
    {
      plg_json_begin (json, NULL, '[', TRUE);
      for (int i = 0; i < n; i++)
        {
          const PlgPath *path = &paths[gpu * n + i];
          gboolean is_planned = path->planned.bandwidth > 0.0;

          plg_json_begin (json, NULL, '{', FALSE);
          plg_json_add_string (json, "path", plg_path_code (path->type));
          add_known_number (json, "links", path->links);
          add_known_number (json, "bandwidth", path->bandwidth);
          plg_json_add_string (json, "nccl_path",
                               is_planned ? plg_path_code (path->planned.type) : NULL);
          add_known_number (json, "nccl_bandwidth", path->planned.bandwidth);
          plg_json_end (json, '}');
        }
      plg_json_end (json, ']');
    }
  plg_json_end (json, ']');
}

static void
add_traffic (PlgJsonWriter *json, const PlgPlan *plan, const PlgReport *report)
{
  plg_json_begin (json, "collectives", '[', TRUE);
  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (report->collectives, PlgCollective, i);
      g_autofree char *name = plg_collective_name (collective);

      plg_json_begin (json, NULL, '{', FALSE);
      plg_json_add_string (json, "name", name);
      plg_json_add_string (json, "axis", plg_axis_name (collective->axis));
      plg_json_add_string (json, "kind", plg_collective_kind_name (collective->kind));
      plg_json_add_number (json, "stage", collective->stage);
      plg_json_add_number (json, "calls", collective->calls);
      plg_json_add_number (json, "bytes_per_call", collective->bytes_per_call);
      plg_json_add_number (json, "bytes_sent", collective->bytes_sent);
      plg_json_add_number (json, "group_size", collective->group_size);
      plg_json_add_number (json, "nodes_spanned", collective->nodes_spanned);
      plg_json_add_string (json, "tier", plg_tier_name (collective->tier));
      plg_json_add_number (json, "time", collective->time);
      plg_json_add_number (json, "exposed", collective->exposed);
      plg_json_end (json, '}');
    }
  plg_json_end (json, ']');

  plg_json_begin (json, "links", '[', TRUE);
  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);
      g_autofree char *id = plg_link_id (link);
      g_autofree char *from = plg_link_from (link, plan);
      g_autofree char *to = plg_link_to (link, plan);
      const char *name = link->node >= 0 ? plg_node_names_get (&plan->node_names, link->node)
                                         : NULL;

      plg_json_begin (json, NULL, '{', FALSE);
      plg_json_add_string (json, "id", id);
      plg_json_add_string (json, "tier", plg_tier_name (link->tier));
      plg_json_add_string (json, "from", from);
      plg_json_add_string (json, "to", to);
      plg_json_add_string (json, "name", name);
      plg_json_add_number (json, "bandwidth", link->bandwidth);
      plg_json_add_number (json, "calls", link->calls);
      plg_json_add_number (json, "bytes", plg_link_bytes (link));
      plg_json_add_number (json, "time", link->time);
      plg_json_begin (json, "collectives", '[', FALSE);
      for (int axis = 0; axis < PLG_N_AXES; axis++)
        if (link->axes & (1u << axis))
          plg_json_add_string (json, NULL, plg_axis_name (axis));
      plg_json_end (json, ']');
      plg_json_end (json, '}');
    }
  plg_json_end (json, ']');
}

/* Adds the groups, the ranks of each node in the order of its GPUs, the node names, and the
 * paths between the GPUs and NICs of a node. */
static void
add_placement (PlgJsonWriter *json, const PlgPlan *plan, const PlgReport *report)
{
  const PlgNodeTopology *map = &plan->node_topology;
  int per_node = plan->cluster.gpus_per_node;
  g_autofree int *rank_of_gpu = plg_plan_rank_of_gpus (plan);

  add_axes (json, "groups", report->groups);
  plg_json_begin (json, "placement", '[', TRUE);
  for (int node = 0; node < plan->cluster.nodes; node++)
    {
      plg_json_begin (json, NULL, '[', FALSE);
      for (int local = 0; local < per_node; local++)
        plg_json_add_number (json, NULL, rank_of_gpu[node * per_node + local]);
      plg_json_end (json, ']');
    }
  plg_json_end (json, ']');
  plg_json_begin (json, "node_names", '[', FALSE);
  for (int node = 0; node < plan->cluster.nodes; node++)
    plg_json_add_string (json, NULL, plg_node_names_get (&plan->node_names, node));
  plg_json_end (json, ']');
  if (plg_node_topology_is_empty (map))
    return;
  plg_json_begin (json, "node_map", '{', TRUE);
  add_paths (json, "gpus", map->gpu, map->gpus, map->gpus);
  add_paths (json, "nics", map->nic, map->gpus, map->nics);
  plg_json_end (json, '}');
}

static void
add_findings (PlgJsonWriter *json, const PlgPlan *plan, const PlgReport *report)
{
  plg_json_begin (json, "findings", '[', TRUE);
  for (guint i = 0; i < report->findings->len; i++)
    {
      const PlgFinding *finding = &g_array_index (report->findings, PlgFinding, i);

      plg_json_begin (json, NULL, '{', TRUE);
      plg_json_add_string (json, "id", finding->id);
      plg_json_add_string (json, "severity", plg_severity_name (finding->severity));
      plg_json_add_string (json, "text", finding->text);
      plg_json_add_number (json, "value", finding->value);
      plg_json_add_number (json, "limit", finding->limit);
      plg_json_add_string (json, "unit", finding->unit);
      plg_json_add_string (json, "remedy", finding->remedy);
      plg_json_add_string (json, "edits", finding->edits);
      plg_json_add_number (json, "gain", finding->gain);
      plg_json_end (json, '}');
    }
  plg_json_end (json, ']');
}

char *
plg_report_json (const PlgPlan *plan,
                 const PlgReport *report,
                 const PlgSimilarRuns *similar,
                 guint sections)
{
  static const struct
  {
    guint section; /* PlgReportSections */
    void (*add) (PlgJsonWriter *json, const PlgPlan *plan, const PlgReport *report);
  } parts[] = {
    { PLG_REPORT_MEMORY, add_memory },       { PLG_REPORT_RUN, add_run },
    { PLG_REPORT_PLACEMENT, add_placement }, { PLG_REPORT_COMMUNICATION, add_traffic },
    { PLG_REPORT_FINDINGS, add_findings },
  };
  PlgJsonWriter json = { .out = g_string_new (NULL) };

  plg_json_begin (&json, NULL, '{', TRUE);
  add_design (&json, plan, report);
  if ((sections & PLG_REPORT_STEP) != 0)
    add_step (&json, report, (sections & PLG_REPORT_BAND) != 0 ? similar : NULL);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if ((sections & parts[i].section) != 0)
      parts[i].add (&json, plan, report);
  plg_json_end (&json, '}');
  return plg_json_take (&json);
}

static GBytes *
write_json (const PlgExportContext *export, GError **error)
{
  return plg_need_report (export, error)
             ? plg_take_text (plg_report_json (export->plan, export->report, export->similar,
                                               PLG_REPORT_ALL))
             : NULL;
}

const PlgFormat plg_report_json_format = {
  .name = "json",
  .suffix = ".json",
  .title = N_ ("Report, for programs (JSON)"),
  .subject = PLG_SUBJECT_REPORT,
  .write = write_json,
};
