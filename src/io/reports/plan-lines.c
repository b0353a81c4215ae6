/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/reports/plan-lines.h"

#include "engine/report/metric.h"
#include "plan/quantity.h"
#include "plan/settings/setting-describe.h"
#include "plan/text/text-sanitize.h"

#include <math.h>

/* The metrics in the lines, by name. Scripts rely on these names and on their order. */
static const char *const figures[] = {
  "fits",
  "memory",
  "capacity",
  "weights",
  "gradients",
  "optimizer",
  "activations",
  "buffers",
  "step-time",
  "mfu",
  "hfu",
  "bubble",
  "compute-share",
  "recompute-share",
  "tp-share",
  "cp-share",
  "ep-share",
  "pp-share",
  "dp-share",
  "host-share",
  "optimizer-time",
  "tokens-per-second",
  "tokens-per-second-per-gpu",
  "training-time",
  "gpu-hours",
  "days-with-failures",
  "goodput",
  "interruptions",
  "checkpoint-size",
  "checkpoint-time",
  "checkpoint-interval",
  "cost",
  "cost-per-million-tokens",
  "power",
  "energy",
  "energy-per-token",
  "co2",
  "co2-per-million-tokens",
  "world-size",
  "micro-batches",
  "parameters",
  "tp-bytes",
  "cp-bytes",
  "ep-bytes",
  "pp-bytes",
  "dp-bytes",
  "errors",
  "warnings",
};

/* The unit of each measure in the lines, and the SI value of this unit. */
static const struct
{
  const char *name;
  double scale;
} units[] = {
  [PLG_MEASURE_SHARE] = { " %", 0.01 },     [PLG_MEASURE_BYTES] = { " GiB", PLG_GIB },
  [PLG_MEASURE_VOLUME] = { " GB", PLG_GB }, [PLG_MEASURE_SECONDS] = { " s", 1 },
  [PLG_MEASURE_DAYS] = { " days", 86400 },  [PLG_MEASURE_MONEY] = { " USD", 1 },
  [PLG_MEASURE_POWER] = { " W", 1 },        [PLG_MEASURE_ENERGY] = { " J", 1 },
  [PLG_MEASURE_CARBON] = { " kg", 1 },      [PLG_MEASURE_NUMBER] = { "", 1 },
  [PLG_MEASURE_BOOLEAN] = { "", 1 },
};
G_STATIC_ASSERT (G_N_ELEMENTS (units) == PLG_MEASURE_BOOLEAN + 1);

static void
append_figure (GString *out, const char *name, const PlgReport *report)
{
  const PlgMetric *metric = plg_metric_find (name);
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  double value;

  g_assert (metric != NULL);

  value = plg_metric_value (metric, report);
  if (isnan (value))
    return;
  if (metric->measure == PLG_MEASURE_BOOLEAN)
    g_string_append_printf (out, "%s = %s\n", name, value != 0 ? "true" : "false");
  else
    g_string_append_printf (out, "%s = %s%s\n", name,
                            g_ascii_formatd (text, sizeof text, "%.6g",
                                             value / units[metric->measure].scale),
                            units[metric->measure].name);
}

/* Appends one line for each line of TEXT. */
static void
append_text (GString *out, const char *key, const char *text)
{
  g_autofree char *valid = plg_text_sanitize (text);
  g_auto (GStrv) lines = g_strsplit (valid, "\n", -1);

  for (int i = 0; *valid != '\0' && lines[i] != NULL; i++)
    g_string_append_printf (out, "%s = %s\n", key, g_strchomp (lines[i]));
}

static void
append_paths (GString *out, const char *kind, int gpu, const PlgPath *paths, int n)
{
  g_string_append_printf (out, "node-map.gpu-%d.%s =", gpu, kind);
  for (int i = 0; i < n; i++)
    {
      g_autofree char *text = plg_path_to_string (&paths[i]);

      g_string_append_printf (out, " %s", text);
    }
  g_string_append_c (out, '\n');
}

static void
append_node_map (GString *out, const PlgNodeTopology *map)
{
  for (int gpu = 0; gpu < map->gpus; gpu++)
    {
      g_string_append_printf (out, "node-map.gpu-%d.numa = %d\n", gpu, map->numa[gpu]);
      append_paths (out, "gpus", gpu, plg_node_topology_to_gpu (map, gpu, 0), map->gpus);
      if (map->nics > 0)
        append_paths (out, "nics", gpu, plg_node_topology_to_nic (map, gpu, 0), map->nics);
    }
  for (int nic = 0; nic < map->nics; nic++)
    {
      g_autofree char *name = plg_text_sanitize (map->card[nic].name);
      g_autofree char *bandwidth = plg_format_exact_shifted (map->card[nic].bandwidth, 9);

      g_string_append_printf (out, "node-map.nic-%d = %s GB/s %s\n", nic, bandwidth, name);
    }
  for (int i = 0; i < map->rings; i++)
    {
      const int *gpus = plg_node_topology_ring (map, i);

      g_string_append_printf (out, "node-map.ring-%d =", i);
      for (int j = 0; j < map->gpus; j++)
        g_string_append_printf (out, " %d", gpus[j]);
      g_string_append_c (out, '\n');
    }
}

char *
plg_plan_lines (const PlgPlan *plan, const PlgReport *report)
{
  GString *out = g_string_new (NULL);
  int n;
  const PlgSetting *settings = plg_settings (&n);

  append_text (out, "title", plan->title);
  append_text (out, "notes", plan->notes);
  for (int i = 0; i < n; i++)
    {
      double inherited = plg_setting_inherited_number (&settings[i], plan);
      g_autofree char *value = inherited > 0 ? plg_format_exact (inherited)
                                             : plg_setting_get (&settings[i], plan);
      g_autofree char *valid = plg_text_sanitize (value);
      const char *unit = settings[i].unit;

      if (isnan (inherited))
        {
          g_string_append_printf (out, "%s = unknown\n", settings[i].key);
          continue;
        }
      g_string_append_printf (out, "%s =%s%s%s%s%s\n", settings[i].key, *valid != '\0' ? " " : "",
                              valid, unit != NULL ? " " : "", unit != NULL ? unit : "",
                              inherited > 0 ? " (catalogue)" : "");
    }
  append_node_map (out, &plan->node_topology);
  if (plan->placement.size > 0)
    {
      g_autofree int *ranks = plg_plan_rank_of_gpus (plan);
      int per_node = plan->cluster.gpus_per_node;

      for (int gpu = 0; gpu < plan->placement.size; gpu++)
        {
          if (gpu % per_node == 0)
            g_string_append_printf (out, "placement.node-%d =", gpu / per_node);
          g_string_append_printf (out, " %d", ranks[gpu]);
          if (gpu % per_node == per_node - 1)
            g_string_append_c (out, '\n');
        }
    }
  for (gsize i = 0; i < G_N_ELEMENTS (figures); i++)
    append_figure (out, figures[i], report);
  return g_string_free (out, FALSE);
}
