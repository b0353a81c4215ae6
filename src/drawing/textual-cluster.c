/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/textual.h"

#include "drawing/activity.h"
#include "drawing/grid-layout.h"
#include "drawing/letters.h"
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
  PlgMoment *moment; /* or NULL: the whole step */
  int gpus;
  int *rank_of_gpu; /* -1 where a GPU has none */
  int name_width;   /* of the nodes' column */
  int rank_width;   /* of a rank and its mark */
  int cell_width;   /* of a GPU's, with the gap before it */
  gboolean two_lines;
  int columns; /* GPUs on a line */
} Sheet;

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

/* "F12", "S", "–": what a GPU of STAGE does, and with which micro-batch. */
static char *
activity_text (const Sheet *sheet, int stage)
{
  const PlgStageMoment *moment = &sheet->moment
                                      ->stages[CLAMP (stage, 0, sheet->moment->n_stages - 1)];
  const char *letter = plg_activity_letter (moment->activity);

  if (moment->block < 0)
    return g_strdup (letter);
  return g_strdup_printf ("%s%d", letter,
                          g_array_index (sheet->report->blocks, PlgBlock, moment->block)
                              .micro_batch);
}

/* The axis of which alone groups are shown; FALSE for all of them and for memory. */
static gboolean
axis_shown (const Sheet *sheet, PlgAxis *axis)
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
    if (axes[i].show == sheet->options->show)
      return *axis = axes[i].axis, TRUE;
  return FALSE;
}

/* What stands behind a rank: what it does, its memory, its group or its place. */
static char *
what_is_shown (const Sheet *sheet, int rank)
{
  PlgCoordinate at = plg_rank_coordinate (&sheet->plan->parallelism, rank);
  int stage = at.index[PLG_AXIS_PP];
  PlgAxis axis;

  if (sheet->moment != NULL)
    return activity_text (sheet, stage);
  if (sheet->options->show == PLG_SHOW_MEMORY && stage < (int) sheet->report->stages->len)
    return plg_format_number (g_array_index (sheet->report->stages, PlgStageMemory, stage).total /
                                  PLG_GIB,
                              3);
  if (axis_shown (sheet, &axis))
    return g_strdup_printf ("g%d", plg_axis_group_of (&sheet->plan->parallelism, axis, rank));
  return place_text (sheet->plan, rank);
}

/* Whether GPU or its link in the node is not as it should be. */
static gboolean
is_faulty (const Sheet *sheet, int gpu)
{
  const PlgCluster *cluster = &sheet->plan->cluster;

  return plg_faults_rate (cluster, PLG_FAULT_GPU, gpu, 0) < 1.0 ||
         plg_faults_rate (cluster, PLG_FAULT_PORT, gpu, 0) < 1.0;
}

static gboolean
has_faulty_nic (const Sheet *sheet, int node)
{
  const PlgCluster *cluster = &sheet->plan->cluster;

  for (int i = 0; i < cluster->n_faults; i++)
    if (cluster->faults[i].kind == PLG_FAULT_NIC && cluster->faults[i].first == node)
      return TRUE;
  return FALSE;
}

/* Its name, with a mark where a NIC of it is not as it should be. g_free(). */
static char *
node_name (const Sheet *sheet, int node)
{
  g_autofree char *title = plg_plan_node_title (sheet->plan, node);

  return g_strconcat (title, has_faulty_nic (sheet, node) ? "!" : "", NULL);
}

/* Of what stands out about a GPU: "*" it has been placed by hand, "!" it or its link is faulty. */
static const char *
mark_of (const Sheet *sheet, int gpu)
{
  if (is_faulty (sheet, gpu))
    return "!";
  return sheet->rank_of_gpu[gpu] >= 0 && sheet->rank_of_gpu[gpu] != gpu ? "*" : "";
}

static char *
rank_text (const Sheet *sheet, int gpu)
{
  if (sheet->rank_of_gpu[gpu] < 0)
    return g_strdup ("-");
  return g_strdup_printf ("%d%s", sheet->rank_of_gpu[gpu], mark_of (sheet, gpu));
}

static void
find_ranks (Sheet *sheet)
{
  sheet->gpus = plg_cluster_gpus (&sheet->plan->cluster);
  sheet->rank_of_gpu = g_new (int, sheet->gpus);
  if (plg_grid_is_ranked (sheet->plan))
    plg_placement_invert (&sheet->plan->placement, sheet->gpus, sheet->rank_of_gpu);
  else
    memset (sheet->rank_of_gpu, -1, sizeof (int) * sheet->gpus);
}

/* How wide what stands behind a rank is at most. */
static int
measure_cells (Sheet *sheet)
{
  int shown_width = 0;

  for (int gpu = 0; gpu < sheet->gpus; gpu++)
    {
      g_autofree char *rank = rank_text (sheet, gpu);
      g_autofree char *shown = sheet->rank_of_gpu[gpu] >= 0
                                   ? what_is_shown (sheet, sheet->rank_of_gpu[gpu])
                                   : g_strdup ("");

      sheet->rank_width = MAX (sheet->rank_width, plg_letters_width (rank));
      shown_width = MAX (shown_width, plg_letters_width (shown));
    }
  return shown_width;
}

static void
sheet_init (Sheet *sheet,
            GString *out,
            const PlgPlan *plan,
            const PlgReport *report,
            const PlgPictureOptions *options)
{
  int shown_width, per_node = plan->cluster.gpus_per_node;

  *sheet = (Sheet) { .out = out, .plan = plan, .report = report, .options = options };
  find_ranks (sheet);
  if (options->has_moment && plg_grid_is_ranked (plan))
    sheet->moment = plg_moment_new (plan, report, options->moment);
  shown_width = measure_cells (sheet);
  for (int node = 0; node < plan->cluster.nodes; node++)
    {
      g_autofree char *name = node_name (sheet, node);

      sheet->name_width = MAX (sheet->name_width, plg_letters_width (name));
    }
  sheet->two_lines = sheet->name_width + per_node * (GAP + sheet->rank_width + 1 + shown_width) >
                     PLG_TEXTUAL_WIDTH;
  sheet->cell_width = GAP + (sheet->two_lines ? MAX (sheet->rank_width, shown_width)
                                              : sheet->rank_width + 1 + shown_width);
  sheet->columns = CLAMP ((PLG_TEXTUAL_WIDTH - sheet->name_width) / sheet->cell_width, 1, per_node);
}

static void
sheet_clear (Sheet *sheet)
{
  g_free (sheet->rank_of_gpu);
  plg_moment_free (sheet->moment);
}

/* What a GPU says on LINE 0 or, where it has two, 1. */
static char *
cell_text (const Sheet *sheet, int gpu, int line)
{
  g_autofree char *rank = rank_text (sheet, gpu);
  g_autofree char *shown = NULL;
  GString *text;

  if (sheet->rank_of_gpu[gpu] < 0)
    return line == 0 ? g_steal_pointer (&rank) : g_strdup ("");
  shown = what_is_shown (sheet, sheet->rank_of_gpu[gpu]);
  if (sheet->two_lines)
    return line == 0 ? g_steal_pointer (&rank) : g_steal_pointer (&shown);
  text = g_string_new (NULL);
  plg_letters_add_padded (text, rank, sheet->rank_width, TRUE);
  plg_letters_add_padded (text, shown, sheet->cell_width - GAP - sheet->rank_width, TRUE);
  return g_string_free (text, FALSE);
}

static void
append_gpus (const Sheet *sheet, const char *name, int first, int n, int line)
{
  plg_letters_add_padded (sheet->out, name, sheet->name_width, FALSE);
  for (int gpu = first; gpu < first + n; gpu++)
    {
      g_autofree char *text = cell_text (sheet, gpu, line);

      plg_letters_add_padded (sheet->out, text, sheet->cell_width, TRUE);
    }
  plg_letters_end_line (sheet->out);
}

static void
append_node (const Sheet *sheet, int node)
{
  int n = sheet->plan->cluster.gpus_per_node;
  g_autofree char *name = node_name (sheet, node);

  for (int local = 0; local < n; local += sheet->columns)
    for (int line = 0; line <= sheet->two_lines; line++)
      append_gpus (sheet, local == 0 && line == 0 ? name : "", node * n + local,
                   MIN (sheet->columns, n - local), line);
}

static void
append_heading (const Sheet *sheet)
{
  plg_letters_add_spaces (sheet->out, sheet->name_width);
  for (int local = 0; local < sheet->columns; local++)
    {
      g_autofree char *name = g_strdup_printf (_ ("GPU %d"), local);

      plg_letters_add_padded (sheet->out, name, sheet->cell_width, TRUE);
    }
  plg_letters_end_line (sheet->out);
}

static void
append_numbers (const Sheet *sheet)
{
  const PlgReport *report = sheet->report;
  g_autofree char *time = plg_format_time (report->step.time);
  g_autofree char *mfu = plg_format_share (report->step.mfu);
  g_autofree char *bubble = plg_format_share (plg_report_bubble (report));
  g_autofree char *memory = plg_format_memory_beside (report->memory_peak, report->memory_capacity);
  g_autofree char *capacity = plg_format_memory_beside (report->memory_capacity,
                                                        report->memory_peak);

  plg_letters_add_line (sheet->out, _ ("step %s, MFU %s, bubble %s, memory %s of %s (%s)"), time,
                        mfu, bubble, memory, capacity, plg_fit_words (report->fits));
}

static void
append_memory (const Sheet *sheet)
{
  const GArray *stages = sheet->report->stages;

  for (guint i = 0; i < stages->len; i++)
    {
      const PlgStageMemory *stage = &g_array_index (stages, PlgStageMemory, i);
      g_autofree char *total = plg_format_memory (stage->total);

      plg_letters_add_line (sheet->out, _ ("p%u: stage %u, %d layers, %s a GPU"), i, i,
                            stage->layers, total);
    }
}

/* Whose numbers follow. */
static void
append_whose (const Sheet *sheet, int stage)
{
  if (sheet->report->stages->len > 1)
    plg_letters_add_line (sheet->out, _ ("Per GPU of stage %d and step:"), stage);
  else
    plg_letters_add_line (sheet->out, "%s", _ ("Per GPU and step:"));
}

static void
append_collectives (const Sheet *sheet)
{
  const GArray *collectives = sheet->report->collectives;
  int stage = -1;

  for (guint i = 0; i < collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (collectives, PlgCollective, i);
      g_autofree char *calls = plg_calls_in_words (collective->calls);
      g_autofree char *sent = plg_format_volume (collective->bytes_sent);
      g_autofree char *time = plg_format_time (collective->time);

      if (i == 0 || collective->stage != stage)
        append_whose (sheet, collective->stage);
      stage = collective->stage;
      plg_letters_add_line (sheet->out, _ ("%s %s: %s, %s sent, %s on %s"),
                            plg_axis_label (collective->axis),
                            plg_collective_kind_title (collective), calls, sent, time,
                            plg_tier_title (&sheet->plan->cluster, collective->tier));
    }
}

/* What stands behind each rank. */
static void
append_meaning (const Sheet *sheet)
{
  PlgAxis axis;

  if (sheet->moment != NULL)
    plg_letters_add_line (sheet->out, "%s",
                          _ ("Each GPU: its rank, then what it does and with which micro-batch."));
  else if (sheet->options->show == PLG_SHOW_MEMORY)
    plg_letters_add_line (sheet->out, "%s",
                          _ ("Each GPU: its rank, then the GiB of memory that it needs."));
  else if (axis_shown (sheet, &axis))
    plg_letters_add_line (sheet->out, _ ("Each GPU: its rank, then its group of %s (g)."),
                          plg_axis_label (axis));
  else
    plg_letters_add_line (sheet->out, "%s",
                          _ ("Each GPU: its rank, then its place in the groups of TP (t), CP (c), "
                             "EP (e), PP (p, the stage) and DP (d, the replica)."));
  if (sheet->moment != NULL)
    plg_textual_add_activities (sheet->out, sheet->report);
}

static void
append_legend (const Sheet *sheet)
{
  gboolean is_moved = FALSE;

  for (int gpu = 0; gpu < sheet->gpus; gpu++)
    is_moved |= *mark_of (sheet, gpu) == '*';
  append_meaning (sheet);
  if (is_moved)
    plg_letters_add_line (sheet->out, "%s", _ ("* not where the order would put it"));
  if (sheet->plan->cluster.n_faults > 0)
    plg_letters_add_line (sheet->out, "%s",
                          _ ("! slow or broken, or its link or a NIC of the node is"));
  plg_letters_end_line (sheet->out);
}

/* All that is not as it should be, leaf switches too, which have no place in the table. */
static void
append_faults (const Sheet *sheet)
{
  const PlgCluster *cluster = &sheet->plan->cluster;

  for (int i = 0; i < cluster->n_faults; i++)
    {
      g_autofree char *words = plg_fault_describe (cluster, &sheet->plan->node_names,
                                                   &cluster->faults[i]);

      plg_letters_add_line (sheet->out, "! %s", words);
    }
  if (cluster->n_faults > 0)
    plg_letters_end_line (sheet->out);
}

static void
append_moment (const Sheet *sheet)
{
  g_autofree char *time = NULL, *words = NULL;

  if (sheet->moment == NULL)
    return;
  time = plg_moment_time_in_words (sheet->moment->time, sheet->moment->end);
  words = plg_moment_in_words (sheet->report, sheet->moment);
  plg_letters_add_line (sheet->out, _ ("At %s: %s"), time, words);
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
append_tier (const Sheet *sheet, PlgTier tier)
{
  PlgLinkColor meaning = sheet->options->link_color;
  const PlgLink *busiest = NULL;
  double least = G_MAXDOUBLE;
  g_autofree char *low = NULL, *high = NULL, *name = NULL;
  int n = 0;

  for (guint i = 0; i < sheet->report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (sheet->report->links, PlgLink, i);

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
  name = plg_describe_link_ends (sheet->plan, busiest);
  if (g_str_equal (low, high))
    plg_letters_add_line (sheet->out, _ ("%s: %d, each %s"),
                          plg_tier_title (&sheet->plan->cluster, tier), n, low);
  else
    plg_letters_add_line (sheet->out, _ ("%s: %d, each %s to %s, most: %s"),
                          plg_tier_title (&sheet->plan->cluster, tier), n, low, high, name);
}

static void
append_links (const Sheet *sheet)
{
  static const char *const meanings[] = { N_ ("Links, by calls a step"),
                                          N_ ("Links, by bytes a "
                                              "step"),
                                          N_ ("Links, by the time that they are busy a step") };

  if (sheet->options->link_color == PLG_LINK_COLOR_OFF || sheet->report->links->len == 0)
    return;
  plg_letters_end_line (sheet->out);
  plg_letters_add_line (sheet->out, "%s:", _ (meanings[sheet->options->link_color]));
  for (int tier = 0; tier <= PLG_TIER_SPINE; tier++)
    append_tier (sheet, tier);
}

/* What is lit ---------------------------------------------------------------------------------- */

static void
append_thing (const Sheet *sheet, PlgThing thing, const char *heading)
{
  g_autofree char *words = plg_describe_thing (sheet->plan, sheet->report, thing);
  g_auto (GStrv) lines = g_strsplit (words, "\n", -1);

  if (thing.kind == PLG_THING_NONE || *words == '\0')
    return;
  plg_letters_end_line (sheet->out);
  for (int i = 0; lines[i] != NULL; i++)
    plg_letters_add_line (sheet->out, "%s%s", i == 0 ? heading : "", lines[i]);
}

static void
append_lit (const Sheet *sheet)
{
  const PlgPictureOptions *options = sheet->options;

  for (int i = 0; i < options->n_lit; i++)
    {
      g_autofree char *pin = i < options->n_pins ? g_strdup_printf (_ ("Pin %d: "), i + 1)
                                                 : g_strdup (_ ("Lit: "));

      append_thing (sheet, options->lit[i], pin);
    }
  append_thing (sheet, options->selected, _ ("Selected: "));
}

void
plg_textual_add_cluster (GString *out,
                         const PlgPlan *plan,
                         const PlgReport *report,
                         const PlgPictureOptions *options,
                         const gboolean *shown)
{
  const int *degree = plan->parallelism.degree;
  Sheet sheet;

  sheet_init (&sheet, out, plan, report, options);
  plg_letters_add_line (out, "TP %d, CP %d, EP %d, PP %d, DP %d", degree[PLG_AXIS_TP],
                        degree[PLG_AXIS_CP], degree[PLG_AXIS_EP], degree[PLG_AXIS_PP],
                        degree[PLG_AXIS_DP]);
  append_numbers (&sheet);
  append_moment (&sheet);
  plg_letters_end_line (out);
  append_heading (&sheet);
  for (int node = 0; node < plan->cluster.nodes; node++)
    if (shown[node])
      append_node (&sheet, node);
  plg_letters_end_line (out);
  if (options->legend != PLG_LEGEND_OFF)
    append_legend (&sheet);
  append_faults (&sheet);
  append_memory (&sheet);
  plg_letters_end_line (out);
  append_collectives (&sheet);
  append_links (&sheet);
  append_lit (&sheet);
  sheet_clear (&sheet);
}
