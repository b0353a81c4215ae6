/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/ascii.h"

#include "drawing/figure/activity.h"
#include "drawing/cluster/cluster-layout.h"
#include "drawing/cluster/cluster-marks.h"
#include "drawing/figure/monospace.h"
#include "engine/model/memory.h"
#include "plan/fault.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The cluster as a table of its nodes, followed by the legend and by lists of the stages,
 * collectives, links and highlighted entities. */

#define GAP 2 /* spaces between columns */

typedef struct
{
  GString *out;
  const PlgPlan *plan;
  const PlgReport *report;
  const PlgPictureOptions *options;
  PlgSnapshot *snapshot; /* NULL for the whole step */
  int gpus;
  int *rank_of_gpu; /* rank of each GPU; -1 for a GPU without a rank */
  int name_width;   /* width of the node name column [text columns] */
  int rank_width;   /* width of a rank and its mark [text columns] */
  int cell_width;   /* width of a GPU's cell and the gap before it [text columns] */
  gboolean two_lines;
  int columns; /* GPUs per line */
} ClusterTable;

/* The axes, in the order in which the coordinates of a rank are written. */
static const struct
{
  PlgAxis axis;
  PlgShow show; /* the view that shows only the groups of this axis */
  char letter;
  gboolean is_always_shown; /* whether the coordinate is shown even if its axis has degree 1 */
} axes[] = {
  { PLG_AXIS_TP, PLG_SHOW_TP, 't', TRUE },  { PLG_AXIS_CP, PLG_SHOW_CP, 'c', FALSE },
  { PLG_AXIS_EP, PLG_SHOW_EP, 'e', FALSE }, { PLG_AXIS_PP, PLG_SHOW_PP, 'p', TRUE },
  { PLG_AXIS_DP, PLG_SHOW_DP, 'd', TRUE },
};
G_STATIC_ASSERT (G_N_ELEMENTS (axes) == PLG_N_AXES);

/* Sets AXIS and returns TRUE if the picture shows the groups of a single axis; otherwise returns
 * FALSE. */
static gboolean
find_shown_axis (const ClusterTable *table, PlgAxis *axis)
{
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    if (axes[i].show == table->options->show)
      return *axis = axes[i].axis, TRUE;
  return FALSE;
}

/* Returns the text that follows RANK. Depending on the picture, the text is the rank's activity
 * and micro-batch (such as "F12" for the forward pass of micro-batch 12), its memory [GiB], its
 * group or its coordinates. */
static char *
rank_value_text (const ClusterTable *table, int rank)
{
  const PlgParallelism *parallelism = &table->plan->parallelism;
  PlgCoordinate at = plg_rank_coordinate (parallelism, rank);
  int stage = at.index[PLG_AXIS_PP];
  GString *text;
  PlgAxis axis;

  if (table->snapshot != NULL)
    {
      int index = CLAMP (stage, 0, table->snapshot->n_stages - 1);
      const PlgStageSnapshot *snapshot = &table->snapshot->stages[index];
      const char *letter = plg_activity_letter (snapshot->activity);

      if (snapshot->block < 0)
        return g_strdup (letter);
      return g_strdup_printf ("%s%d", letter,
                              g_array_index (table->report->blocks, PlgBlock, snapshot->block)
                                  .micro_batch);
    }
  if (table->options->show == PLG_SHOW_MEMORY && stage < (int) table->report->stages->len)
    return plg_format_number (g_array_index (table->report->stages, PlgStageMemory, stage).total /
                                  PLG_GIB,
                              3);
  if (find_shown_axis (table, &axis))
    return g_strdup_printf ("g%d", plg_axis_group_of (parallelism, axis, rank));
  /* Write the coordinates, for example "t0p1d0"; include CP and EP only if their degrees are
   * above 1. */
  text = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    if (axes[i].is_always_shown || parallelism->degree[axes[i].axis] > 1)
      g_string_append_printf (text, "%c%d", axes[i].letter, at.index[axes[i].axis]);
  return g_string_free (text, FALSE);
}

/* Returns the name of NODE, with "!" if one of its NICs is faulty. */
static char *
node_name (const ClusterTable *table, int node)
{
  const PlgCluster *cluster = &table->plan->cluster;
  g_autofree char *title = plg_plan_node_title (table->plan, node);
  gboolean is_faulty = FALSE;

  for (int i = 0; i < cluster->n_faults; i++)
    is_faulty |= cluster->faults[i].kind == PLG_FAULT_NIC && cluster->faults[i].first == node;
  return g_strconcat (title, is_faulty ? "!" : "", NULL);
}

/* Returns "!" if the GPU or its link is faulty, "*" if its rank was moved by hand, "^" if its rank is
 * the fullest of its EP group, otherwise "". */
static const char *
gpu_mark (const ClusterTable *table, int gpu)
{
  const PlgCluster *cluster = &table->plan->cluster;

  if (plg_faults_rate (cluster, PLG_FAULT_GPU, gpu, 0) < 1.0 ||
      plg_faults_rate (cluster, PLG_FAULT_PORT, gpu, 0) < 1.0)
    return "!";
  if (table->rank_of_gpu[gpu] >= 0 && table->rank_of_gpu[gpu] != gpu)
    return "*";
  return plg_cluster_is_rank_fullest (table->plan, table->rank_of_gpu[gpu]) ? "^" : "";
}

static char *
rank_text (const ClusterTable *table, int gpu)
{
  if (table->rank_of_gpu[gpu] < 0)
    return g_strdup ("-");
  return g_strdup_printf ("%d%s", table->rank_of_gpu[gpu], gpu_mark (table, gpu));
}

static void
cluster_table_init (ClusterTable *table,
                    GString *out,
                    const PlgPlan *plan,
                    const PlgReport *report,
                    const PlgPictureOptions *options)
{
  int value_width = 0, per_node = plan->cluster.gpus_per_node;

  *table = (ClusterTable) { .out = out, .plan = plan, .report = report, .options = options };
  table->gpus = plg_cluster_gpus (&table->plan->cluster);
  table->rank_of_gpu = g_new (int, table->gpus);
  if (plg_cluster_layout_is_ranked (table->plan))
    plg_placement_invert (&table->plan->placement, table->gpus, table->rank_of_gpu);
  else
    memset (table->rank_of_gpu, -1, sizeof (int) * table->gpus);
  if (options->has_moment && plg_cluster_layout_is_ranked (plan))
    table->snapshot = plg_snapshot_new (plan, report, options->moment);

  for (int gpu = 0; gpu < table->gpus; gpu++)
    {
      g_autofree char *rank = rank_text (table, gpu);
      g_autofree char *value = table->rank_of_gpu[gpu] >= 0
                                   ? rank_value_text (table, table->rank_of_gpu[gpu])
                                   : g_strdup ("");

      table->rank_width = MAX (table->rank_width, plg_monospace_width (rank));
      value_width = MAX (value_width, plg_monospace_width (value));
    }
  for (int node = 0; node < plan->cluster.nodes; node++)
    {
      g_autofree char *name = node_name (table, node);

      table->name_width = MAX (table->name_width, plg_monospace_width (name));
    }
  table->two_lines = table->name_width + per_node * (GAP + table->rank_width + 1 + value_width) >
                     PLG_MONOSPACE_WIDTH;
  table->cell_width = GAP + (table->two_lines ? MAX (table->rank_width, value_width)
                                              : table->rank_width + 1 + value_width);
  table->columns = CLAMP ((PLG_MONOSPACE_WIDTH - table->name_width) / table->cell_width, 1,
                          per_node);
}

/* Returns line LINE of the text of GPU. LINE is 0 or, in a table with two lines per GPU, 0 or 1. */
static char *
cell_text (const ClusterTable *table, int gpu, int line)
{
  g_autofree char *rank = rank_text (table, gpu);
  g_autofree char *value = NULL;
  GString *text;

  if (table->rank_of_gpu[gpu] < 0)
    return line == 0 ? g_steal_pointer (&rank) : g_strdup ("");
  value = rank_value_text (table, table->rank_of_gpu[gpu]);
  if (table->two_lines)
    return line == 0 ? g_steal_pointer (&rank) : g_steal_pointer (&value);
  text = g_string_new (NULL);
  plg_monospace_add_padded (text, rank, table->rank_width, TRUE);
  plg_monospace_add_padded (text, value, table->cell_width - GAP - table->rank_width, TRUE);
  return g_string_free (text, FALSE);
}

static void
append_collectives (const ClusterTable *table)
{
  const GArray *collectives = table->report->collectives;
  int stage = -1;

  for (guint i = 0; i < collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (collectives, PlgCollective, i);
      g_autofree char *calls = plg_describe_calls (collective->calls);
      g_autofree char *sent = plg_format_volume (collective->bytes_sent);
      g_autofree char *time = plg_format_time (collective->time);

      if (collective->stage != stage && table->report->stages->len > 1)
        plg_monospace_add_line (table->out, _ ("Per step, for each GPU of stage %d:"),
                                collective->stage);
      else if (i == 0)
        plg_monospace_add_line (table->out, "%s", _ ("Per step, for each GPU:"));
      stage = collective->stage;
      plg_monospace_add_line (table->out, _ ("%s %s: %s, %s sent, %s on %s"),
                              plg_axis_label (collective->axis),
                              plg_collective_kind_title (collective), calls, sent, time,
                              plg_tier_title (&table->plan->cluster, collective->tier));
    }
}

/* Adds the legend, if it is shown, and all faults, including those of the leaf switches, which
 * the table does not show. */
static void
append_legend (const ClusterTable *table)
{
  const PlgCluster *cluster = &table->plan->cluster;
  gboolean is_moved = FALSE;
  PlgAxis axis;

  if (table->options->legend != PLG_LEGEND_OFF)
    {
      for (int gpu = 0; gpu < table->gpus; gpu++)
        is_moved |= *gpu_mark (table, gpu) == '*';
      if (table->snapshot != NULL)
        plg_monospace_add_line (table->out, "%s",
                                _ ("Each GPU: its rank, then its activity and its micro-batch."));
      else if (table->options->show == PLG_SHOW_MEMORY)
        plg_monospace_add_line (table->out, "%s",
                                _ ("Each GPU: its rank, then the memory that it needs in GiB."));
      else if (find_shown_axis (table, &axis))
        plg_monospace_add_line (table->out, _ ("Each GPU: its rank, then its %s group (g)."),
                                plg_axis_label (axis));
      else
        plg_monospace_add_line (table->out, "%s",
                                _ ("Each GPU: its rank, then its position in the groups of TP "
                                   "(t), CP (c), EP (e), PP (p, the stage) and DP (d, the "
                                   "replica)."));
      if (table->snapshot != NULL)
        plg_ascii_add_activities (table->out, table->report);

      if (is_moved)
        plg_monospace_add_line (table->out, "%s",
                                _ ("* rank not where the nesting order would place it"));
      if (plg_cluster_has_fullest_ranks (table->plan))
        {
          g_autofree char *load = plg_cluster_load_describe (table->plan);

          plg_monospace_add_line (table->out, "^ %s", load);
        }
      if (table->plan->cluster.n_faults > 0)
        plg_monospace_add_line (table->out, "%s",
                                _ ("! the GPU, its link or a NIC of the node is slow or broken"));
      plg_monospace_end_line (table->out);
    }
  for (int i = 0; i < cluster->n_faults; i++)
    {
      g_autofree char *words = plg_fault_describe (cluster, &table->plan->node_names,
                                                   &cluster->faults[i]);

      plg_monospace_add_line (table->out, "! %s", words);
    }
  if (cluster->n_faults > 0)
    plg_monospace_end_line (table->out);
}

/* Links ---------------------------------------------------------------------------------------- */

static double
link_value (const PlgLink *link, PlgLinkColor color)
{
  return color == PLG_LINK_COLOR_BYTES  ? plg_link_bytes (link)
         : color == PLG_LINK_COLOR_TIME ? link->time
                                        : link->calls;
}

static char *
link_value_text (double value, PlgLinkColor color)
{
  return color == PLG_LINK_COLOR_BYTES  ? plg_format_volume (value)
         : color == PLG_LINK_COLOR_TIME ? plg_format_time (value)
                                        : plg_format_count (value);
}

static void
append_links (const ClusterTable *table)
{
  static const char *const headings[] = {
    [PLG_LINK_COLOR_FREQUENCY] = N_ ("Links, by calls per step"),
    [PLG_LINK_COLOR_BYTES] = N_ ("Links, by bytes per step"),
    [PLG_LINK_COLOR_TIME] = N_ ("Links, by busy time per step"),
  };

  if (table->options->link_color == PLG_LINK_COLOR_OFF || table->report->links->len == 0)
    return;
  plg_monospace_end_line (table->out);
  plg_monospace_add_line (table->out, "%s:", _ (headings[table->options->link_color]));
  for (int tier = 0; tier <= PLG_TIER_SPINE; tier++)
    {
      /* Write one line per tier: the number of its links, the lowest and the highest of the
       * values that colour these links, and the busiest link. */
      PlgLinkColor color = table->options->link_color;
      const PlgLink *busiest = NULL;
      double least = G_MAXDOUBLE;
      g_autofree char *low = NULL, *high = NULL, *name = NULL;
      int n = 0;

      for (guint i = 0; i < table->report->links->len; i++)
        {
          const PlgLink *link = &g_array_index (table->report->links, PlgLink, i);

          if (link->tier != tier)
            continue;
          n++;
          least = MIN (least, link_value (link, color));
          if (busiest == NULL || link_value (link, color) > link_value (busiest, color))
            busiest = link;
        }
      if (busiest == NULL)
        continue;
      low = link_value_text (least, color);
      high = link_value_text (link_value (busiest, color), color);
      name = plg_describe_link_ends (table->plan, busiest);
      if (g_str_equal (low, high))
        plg_monospace_add_line (table->out, _ ("%s: %d, each %s"),
                                plg_tier_title (&table->plan->cluster, tier), n, low);
      else
        plg_monospace_add_line (table->out, _ ("%s: %d, each %s to %s, busiest: %s"),
                                plg_tier_title (&table->plan->cluster, tier), n, low, high, name);
    }
}

/* Describes the highlighted entities and the selected entity. */
static void
append_entities (const ClusterTable *table)
{
  const PlgPictureOptions *options = table->options;

  for (int i = 0; i <= options->n_highlighted; i++)
    {
      gboolean is_selected = i == options->n_highlighted;
      PlgEntity entity = is_selected ? options->selected : options->highlighted[i];
      g_autofree char *heading = is_selected           ? g_strdup (_ ("Selected: "))
                                 : i < options->n_pins ? g_strdup_printf (_ ("Pin %d: "), i + 1)
                                                       : g_strdup (_ ("Focus: "));
      g_autofree char *words = plg_describe_entity (table->plan, table->report, entity);
      g_auto (GStrv) lines = g_strsplit (words, "\n", -1);

      if (*words != '\0')
        plg_monospace_end_line (table->out);
      for (int line = 0; *words != '\0' && lines[line] != NULL; line++)
        plg_monospace_add_line (table->out, "%s%s", line == 0 ? heading : "", lines[line]);
    }
}

void
plg_ascii_add_cluster (GString *out,
                       const PlgPlan *plan,
                       const PlgReport *report,
                       const PlgPictureOptions *options,
                       const gboolean *shown)
{
  const int *degree = plan->parallelism.degree;
  double peak = report->memory_peak, limit = report->memory_capacity;
  g_autofree char *time = plg_format_time (report->step.time);
  g_autofree char *mfu = plg_format_share (report->step.mfu);
  g_autofree char *bubble = plg_format_share (plg_report_bubble (report));
  g_autofree char *memory = plg_format_memory_distinct (peak, limit);
  g_autofree char *capacity = plg_format_memory_distinct (limit, peak);
  int per_node = plan->cluster.gpus_per_node;
  ClusterTable table;

  cluster_table_init (&table, out, plan, report, options);
  plg_monospace_add_line (out, "TP %d, CP %d, EP %d, PP %d, DP %d", degree[PLG_AXIS_TP],
                          degree[PLG_AXIS_CP], degree[PLG_AXIS_EP], degree[PLG_AXIS_PP],
                          degree[PLG_AXIS_DP]);
  plg_monospace_add_line (out, _ ("step %s, MFU %s, bubble %s, memory %s of %s (%s)"), time, mfu,
                          bubble, memory, capacity, plg_fit_describe (report->fits));
  if (table.snapshot != NULL)
    {
      g_autofree char *at = plg_snapshot_describe_time (table.snapshot->time, table.snapshot->end);
      g_autofree char *words = plg_snapshot_describe (report, table.snapshot);

      plg_monospace_add_line (out, _ ("At %s: %s"), at, words);
    }
  plg_monospace_end_line (out);
  plg_monospace_add_spaces (out, table.name_width);
  for (int local = 0; local < table.columns; local++)
    {
      g_autofree char *name = g_strdup_printf (_ ("GPU %d"), local);

      plg_monospace_add_padded (out, name, table.cell_width, TRUE);
    }
  plg_monospace_end_line (out);
  for (int node = 0; node < plan->cluster.nodes; node++)
    for (int first = 0; shown[node] && first < per_node; first += table.columns)
      for (int line = 0; line <= table.two_lines; line++)
        {
          g_autofree char *name = node_name (&table, node);

          plg_monospace_add_padded (out, first == 0 && line == 0 ? name : "", table.name_width,
                                    FALSE);
          for (int local = first; local < MIN (first + table.columns, per_node); local++)
            {
              g_autofree char *text = cell_text (&table, node * per_node + local, line);

              plg_monospace_add_padded (out, text, table.cell_width, TRUE);
            }
          plg_monospace_end_line (out);
        }
  plg_monospace_end_line (out);
  append_legend (&table);
  for (guint i = 0; i < report->stages->len; i++)
    {
      const PlgStageMemory *stage = &g_array_index (report->stages, PlgStageMemory, i);
      g_autofree char *total = plg_format_memory (stage->total);

      plg_monospace_add_line (out,
                              g_dngettext (GETTEXT_PACKAGE, "p%u: stage %u, %d layer, %s per GPU",
                                           "p%u: stage %u, %d layers, %s per GPU", stage->layers),
                              i, i, stage->layers, total);
    }
  plg_monospace_end_line (out);
  append_collectives (&table);
  append_links (&table);
  append_entities (&table);
  g_free (table.rank_of_gpu);
  plg_snapshot_free (table.snapshot);
}
