/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/ascii.h"

#include "drawing/figure/activity.h"
#include "drawing/cluster/cluster-layout.h"
#include "drawing/figure/monospace.h"
#include "plan/fault.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The cluster as a table of its nodes, with what was asked for of it. */

/* Between columns. */
#define GAP 2

typedef struct
{
  GString *out;
  const PlgPlan *plan;
  const PlgReport *report;
  const PlgPictureOptions *options;
  PlgSnapshot *moment; /* or NULL: the whole step */
  int gpus;
  int *rank_of_gpu; /* -1 where a GPU has none */
  int name_width;   /* of the nodes' column */
  int rank_width;   /* of a rank and its mark */
  int cell_width;   /* of a GPU's, with the gap before it */
  gboolean two_lines;
  int columns; /* GPUs on a line */
} ClusterTable;

/* "t0p1d0": the place on TP, PP and DP, and on CP and EP where they divide anything. */
static char *
place_text (const PlgPlan *plan, int rank)
{
  static const struct
  {
    PlgAxis axis;
    char letter;
    gboolean always;
  } axes[] = { { PLG_AXIS_TP, 't', TRUE },
               { PLG_AXIS_CP, 'c', FALSE },
               { PLG_AXIS_EP, 'e', FALSE },
               { PLG_AXIS_PP, 'p', TRUE },
               { PLG_AXIS_DP, 'd', TRUE } };
  PlgCoordinate at = plg_rank_coordinate (&plan->parallelism, rank);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    if (axes[i].always || plan->parallelism.degree[axes[i].axis] > 1)
      g_string_append_printf (text, "%c%d", axes[i].letter, at.index[axes[i].axis]);
  return g_string_free (text, FALSE);
}

/* The axis of which alone groups are shown; FALSE for all of them and for memory. */
static gboolean
axis_shown (const ClusterTable *table, PlgAxis *axis)
{
  static const struct
  {
    PlgShow show;
    PlgAxis axis;
  } axes[] = { { PLG_SHOW_TP, PLG_AXIS_TP },
               { PLG_SHOW_CP, PLG_AXIS_CP },
               { PLG_SHOW_EP, PLG_AXIS_EP },
               { PLG_SHOW_PP, PLG_AXIS_PP },
               { PLG_SHOW_DP, PLG_AXIS_DP } };

  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    if (axes[i].show == table->options->show)
      return *axis = axes[i].axis, TRUE;
  return FALSE;
}

/* What stands behind a rank: what it does, its memory, its group or its place. */
static char *
shown_value_text (const ClusterTable *table, int rank)
{
  PlgCoordinate at = plg_rank_coordinate (&table->plan->parallelism, rank);
  int stage = at.index[PLG_AXIS_PP];
  PlgAxis axis;

  if (table->moment != NULL)
    {
      /* "F12", "S", "–": what a GPU of STAGE does, and with which micro-batch. */
      const PlgStageSnapshot *moment = &table->moment
                                            ->stages[CLAMP (stage, 0, table->moment->n_stages - 1)];
      const char *letter = plg_activity_letter (moment->activity);

      if (moment->block < 0)
        return g_strdup (letter);
      return g_strdup_printf ("%s%d", letter,
                              g_array_index (table->report->blocks, PlgBlock, moment->block)
                                  .micro_batch);
    }
  if (table->options->show == PLG_SHOW_MEMORY && stage < (int) table->report->stages->len)
    return plg_format_number (g_array_index (table->report->stages, PlgStageMemory, stage).total /
                                  PLG_GIB,
                              3);
  if (axis_shown (table, &axis))
    return g_strdup_printf ("g%d", plg_axis_group_of (&table->plan->parallelism, axis, rank));
  return place_text (table->plan, rank);
}

static gboolean
has_faulty_nic (const ClusterTable *table, int node)
{
  const PlgCluster *cluster = &table->plan->cluster;

  for (int i = 0; i < cluster->n_faults; i++)
    if (cluster->faults[i].kind == PLG_FAULT_NIC && cluster->faults[i].first == node)
      return TRUE;
  return FALSE;
}

/* Its name, with a mark where a NIC of it is not as it should be. g_free(). */
static char *
node_name (const ClusterTable *table, int node)
{
  g_autofree char *title = plg_plan_node_title (table->plan, node);

  return g_strconcat (title, has_faulty_nic (table, node) ? "!" : "", NULL);
}

/* Of what stands out about a GPU: "*" it has been placed by hand, "!" it or its link is faulty. */
static const char *
mark_of (const ClusterTable *table, int gpu)
{
  const PlgCluster *cluster = &table->plan->cluster;

  if (plg_faults_rate (cluster, PLG_FAULT_GPU, gpu, 0) < 1.0 ||
      plg_faults_rate (cluster, PLG_FAULT_PORT, gpu, 0) < 1.0)
    return "!";
  return table->rank_of_gpu[gpu] >= 0 && table->rank_of_gpu[gpu] != gpu ? "*" : "";
}

static char *
rank_text (const ClusterTable *table, int gpu)
{
  if (table->rank_of_gpu[gpu] < 0)
    return g_strdup ("-");
  return g_strdup_printf ("%d%s", table->rank_of_gpu[gpu], mark_of (table, gpu));
}

static void
cluster_table_init (ClusterTable *table,
                    GString *out,
                    const PlgPlan *plan,
                    const PlgReport *report,
                    const PlgPictureOptions *options)
{
  int shown_width, per_node = plan->cluster.gpus_per_node;

  *table = (ClusterTable) { .out = out, .plan = plan, .report = report, .options = options };
  table->gpus = plg_cluster_gpus (&table->plan->cluster);
  table->rank_of_gpu = g_new (int, table->gpus);
  if (plg_cluster_layout_is_ranked (table->plan))
    plg_placement_invert (&table->plan->placement, table->gpus, table->rank_of_gpu);
  else
    memset (table->rank_of_gpu, -1, sizeof (int) * table->gpus);
  if (options->has_moment && plg_cluster_layout_is_ranked (plan))
    table->moment = plg_snapshot_new (plan, report, options->moment);

  /* How wide what stands behind a rank is at most. */
  shown_width = 0;

  for (int gpu = 0; gpu < table->gpus; gpu++)
    {
      g_autofree char *rank = rank_text (table, gpu);
      g_autofree char *shown = table->rank_of_gpu[gpu] >= 0
                                   ? shown_value_text (table, table->rank_of_gpu[gpu])
                                   : g_strdup ("");

      table->rank_width = MAX (table->rank_width, plg_monospace_width (rank));
      shown_width = MAX (shown_width, plg_monospace_width (shown));
    }

  for (int node = 0; node < plan->cluster.nodes; node++)
    {
      g_autofree char *name = node_name (table, node);

      table->name_width = MAX (table->name_width, plg_monospace_width (name));
    }
  table->two_lines = table->name_width + per_node * (GAP + table->rank_width + 1 + shown_width) >
                     PLG_MONOSPACE_WIDTH;
  table->cell_width = GAP + (table->two_lines ? MAX (table->rank_width, shown_width)
                                              : table->rank_width + 1 + shown_width);
  table->columns = CLAMP ((PLG_MONOSPACE_WIDTH - table->name_width) / table->cell_width, 1,
                          per_node);
}

static void
cluster_table_clear (ClusterTable *table)
{
  g_free (table->rank_of_gpu);
  plg_snapshot_free (table->moment);
}

/* What a GPU says on LINE 0 or, where it has two, 1. */
static char *
cell_text (const ClusterTable *table, int gpu, int line)
{
  g_autofree char *rank = rank_text (table, gpu);
  g_autofree char *shown = NULL;
  GString *text;

  if (table->rank_of_gpu[gpu] < 0)
    return line == 0 ? g_steal_pointer (&rank) : g_strdup ("");
  shown = shown_value_text (table, table->rank_of_gpu[gpu]);
  if (table->two_lines)
    return line == 0 ? g_steal_pointer (&rank) : g_steal_pointer (&shown);
  text = g_string_new (NULL);
  plg_monospace_add_padded (text, rank, table->rank_width, TRUE);
  plg_monospace_add_padded (text, shown, table->cell_width - GAP - table->rank_width, TRUE);
  return g_string_free (text, FALSE);
}

static void
append_gpus (const ClusterTable *table, const char *name, int first, int n, int line)
{
  plg_monospace_add_padded (table->out, name, table->name_width, FALSE);
  for (int gpu = first; gpu < first + n; gpu++)
    {
      g_autofree char *text = cell_text (table, gpu, line);

      plg_monospace_add_padded (table->out, text, table->cell_width, TRUE);
    }
  plg_monospace_end_line (table->out);
}

static void
append_memory (const ClusterTable *table)
{
  const GArray *stages = table->report->stages;

  for (guint i = 0; i < stages->len; i++)
    {
      const PlgStageMemory *stage = &g_array_index (stages, PlgStageMemory, i);
      g_autofree char *total = plg_format_memory (stage->total);

      plg_monospace_add_line (table->out, _ ("p%u: stage %u, %d layers, %s a GPU"), i, i,
                              stage->layers, total);
    }
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

      if (i == 0 || collective->stage != stage)
        {
          /* Whose numbers follow. */
          int collective_stage = collective->stage;

          if (table->report->stages->len > 1)
            plg_monospace_add_line (table->out, _ ("Per GPU of stage %d and step:"),
                                    collective_stage);
          else
            plg_monospace_add_line (table->out, "%s", _ ("Per GPU and step:"));
        }
      stage = collective->stage;
      plg_monospace_add_line (table->out, _ ("%s %s: %s, %s sent, %s on %s"),
                              plg_axis_label (collective->axis),
                              plg_collective_kind_title (collective), calls, sent, time,
                              plg_tier_title (&table->plan->cluster, collective->tier));
    }
}

static void
append_legend (const ClusterTable *table)
{
  gboolean is_moved = FALSE;

  for (int gpu = 0; gpu < table->gpus; gpu++)
    is_moved |= *mark_of (table, gpu) == '*';

  /* What stands behind each rank. */
  PlgAxis axis;

  if (table->moment != NULL)
    plg_monospace_add_line (
        table->out, "%s", _ ("Each GPU: its rank, then what it does and with which micro-batch."));
  else if (table->options->show == PLG_SHOW_MEMORY)
    plg_monospace_add_line (table->out, "%s",
                            _ ("Each GPU: its rank, then the GiB of memory that it needs."));
  else if (axis_shown (table, &axis))
    plg_monospace_add_line (table->out, _ ("Each GPU: its rank, then its group of %s (g)."),
                            plg_axis_label (axis));
  else
    plg_monospace_add_line (
        table->out, "%s",
        _ ("Each GPU: its rank, then its place in the groups of TP (t), CP (c), "
           "EP (e), PP (p, the stage) and DP (d, the replica)."));
  if (table->moment != NULL)
    plg_ascii_add_activities (table->out, table->report);

  if (is_moved)
    plg_monospace_add_line (table->out, "%s", _ ("* not where the order would put it"));
  if (table->plan->cluster.n_faults > 0)
    plg_monospace_add_line (table->out, "%s",
                            _ ("! slow or broken, or its link or a NIC of the node is"));
  plg_monospace_end_line (table->out);
}

/* All that is not as it should be, leaf switches too, which have no place in the table. */
static void
append_faults (const ClusterTable *table)
{
  const PlgCluster *cluster = &table->plan->cluster;

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
link_value (const PlgLink *link, PlgLinkColor meaning)
{
  return meaning == PLG_LINK_COLOR_BYTES  ? plg_link_bytes (link)
         : meaning == PLG_LINK_COLOR_TIME ? link->time
                                          : link->calls;
}

static char *
link_value_text (double value, PlgLinkColor meaning)
{
  return meaning == PLG_LINK_COLOR_BYTES  ? plg_format_volume (value)
         : meaning == PLG_LINK_COLOR_TIME ? plg_format_time (value)
                                          : plg_format_count (value);
}

/* Of the links of one kind how many there are, between what their values lie, and the busiest. */
static void
append_tier (const ClusterTable *table, PlgTier tier)
{
  PlgLinkColor meaning = table->options->link_color;
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
      least = MIN (least, link_value (link, meaning));
      if (busiest == NULL || link_value (link, meaning) > link_value (busiest, meaning))
        busiest = link;
    }
  if (busiest == NULL)
    return;
  low = link_value_text (least, meaning);
  high = link_value_text (link_value (busiest, meaning), meaning);
  name = plg_describe_link_ends (table->plan, busiest);
  if (g_str_equal (low, high))
    plg_monospace_add_line (table->out, _ ("%s: %d, each %s"),
                            plg_tier_title (&table->plan->cluster, tier), n, low);
  else
    plg_monospace_add_line (table->out, _ ("%s: %d, each %s to %s, most: %s"),
                            plg_tier_title (&table->plan->cluster, tier), n, low, high, name);
}

static void
append_links (const ClusterTable *table)
{
  static const char *const meanings[] = { N_ ("Links, by calls a step"),
                                          N_ ("Links, by bytes a "
                                              "step"),
                                          N_ ("Links, by the time that they are busy a step") };

  if (table->options->link_color == PLG_LINK_COLOR_OFF || table->report->links->len == 0)
    return;
  plg_monospace_end_line (table->out);
  plg_monospace_add_line (table->out, "%s:", _ (meanings[table->options->link_color]));
  for (int tier = 0; tier <= PLG_TIER_SPINE; tier++)
    append_tier (table, tier);
}

/* What is lit ---------------------------------------------------------------------------------- */

static void
append_entity (const ClusterTable *table, PlgEntity entity, const char *heading)
{
  g_autofree char *words = plg_describe_entity (table->plan, table->report, entity);
  g_auto (GStrv) lines = g_strsplit (words, "\n", -1);

  if (entity.kind == PLG_ENTITY_NONE || *words == '\0')
    return;
  plg_monospace_end_line (table->out);
  for (int i = 0; lines[i] != NULL; i++)
    plg_monospace_add_line (table->out, "%s%s", i == 0 ? heading : "", lines[i]);
}

static void
append_highlighted (const ClusterTable *table)
{
  const PlgPictureOptions *options = table->options;

  for (int i = 0; i < options->n_highlighted; i++)
    {
      g_autofree char *pin = i < options->n_pins ? g_strdup_printf (_ ("Pin %d: "), i + 1)
                                                 : g_strdup (_ ("Lit: "));

      append_entity (table, options->highlighted[i], pin);
    }
  append_entity (table, options->selected, _ ("Selected: "));
}

void
plg_ascii_add_cluster (GString *out,
                       const PlgPlan *plan,
                       const PlgReport *report,
                       const PlgPictureOptions *options,
                       const gboolean *shown)
{
  const int *degree = plan->parallelism.degree;
  ClusterTable table;

  cluster_table_init (&table, out, plan, report, options);
  plg_monospace_add_line (out, "TP %d, CP %d, EP %d, PP %d, DP %d", degree[PLG_AXIS_TP],
                          degree[PLG_AXIS_CP], degree[PLG_AXIS_EP], degree[PLG_AXIS_PP],
                          degree[PLG_AXIS_DP]);

  const PlgReport *numbers_report = table.report;
  g_autofree char *time = plg_format_time (numbers_report->step.time);
  g_autofree char *mfu = plg_format_share (numbers_report->step.mfu);
  g_autofree char *bubble = plg_format_share (plg_report_bubble (numbers_report));
  g_autofree char *memory = plg_format_memory_distinct (numbers_report->memory_peak,
                                                        numbers_report->memory_capacity);
  g_autofree char *capacity = plg_format_memory_distinct (numbers_report->memory_capacity,
                                                          numbers_report->memory_peak);

  plg_monospace_add_line (table.out, _ ("step %s, MFU %s, bubble %s, memory %s of %s (%s)"), time,
                          mfu, bubble, memory, capacity, plg_fit_describe (numbers_report->fits));

  g_autofree char *moment_time = NULL, *words = NULL;

  if (table.moment != NULL)
    {
      moment_time = plg_snapshot_describe_time (table.moment->time, table.moment->end);
      words = plg_snapshot_describe (table.report, table.moment);
      plg_monospace_add_line (table.out, _ ("At %s: %s"), moment_time, words);
    }

  plg_monospace_end_line (out);
  plg_monospace_add_spaces (table.out, table.name_width);
  for (int local = 0; local < table.columns; local++)
    {
      g_autofree char *name = g_strdup_printf (_ ("GPU %d"), local);

      plg_monospace_add_padded (table.out, name, table.cell_width, TRUE);
    }
  plg_monospace_end_line (table.out);
  for (int node = 0; node < plan->cluster.nodes; node++)
    if (shown[node])
      {
        int n = table.plan->cluster.gpus_per_node;
        g_autofree char *name = node_name (&table, node);

        for (int local = 0; local < n; local += table.columns)
          for (int line = 0; line <= table.two_lines; line++)
            append_gpus (&table, local == 0 && line == 0 ? name : "", node * n + local,
                         MIN (table.columns, n - local), line);
      }
  plg_monospace_end_line (out);
  if (options->legend != PLG_LEGEND_OFF)
    append_legend (&table);
  append_faults (&table);
  append_memory (&table);
  plg_monospace_end_line (out);
  append_collectives (&table);
  append_links (&table);
  append_highlighted (&table);
  cluster_table_clear (&table);
}
