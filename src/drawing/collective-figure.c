/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* One call of one collective after some of its steps: members from left to right in the order in
 * which they send, chunks from top to bottom, and in each cell how much of the sum is there. */

#include "drawing/chart.h"

#include "drawing/letters-table.h"
#include "drawing/grid-layout.h"
#include "drawing/text.h"
#include "drawing/textual.h"
#include "engine/relay.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

#define NATURAL 900.0
/* More members, or chunks, than this are not drawn. */
#define MOST 16
#define GAP 14.0
#define CELL_HEIGHT 24.0
#define CELL_PITCH 29.0

typedef struct
{
  PlgChart chart;
  const PlgPlan *plan;
  const PlgCollective *row;
  PlgRelay relay;
  const PlgReport *report;
  int index;    /* of the collective */
  int rank;     /* whose group it is */
  GArray *gpus; /* int: the members */
  int step;     /* steps that are done */
  int shown;    /* members drawn */
  int chunks;   /* rows drawn */
  double pitch; /* from member to member */
  double top;   /* of the table */
} Picture;

static PlgColor
axis_color (const Picture *picture)
{
  return picture->chart.theme->role[PLG_ROLE_AXIS_TP + picture->row->axis];
}

/* Between two members, where arrows run. */
static double
gap (const Picture *picture)
{
  return MIN (GAP, picture->pitch * 0.3);
}

static double
left_of (const Picture *picture, int member)
{
  return picture->chart.left + member * picture->pitch;
}

static double
cell_width (const Picture *picture)
{
  return picture->pitch - gap (picture);
}

static double
row_top (const Picture *picture, int chunk)
{
  return picture->top + chunk * CELL_PITCH;
}

static int
gpu_of (const Picture *picture, int member)
{
  return g_array_index (picture->gpus, int, member);
}

static int
node_of (const Picture *picture, int member)
{
  return gpu_of (picture, member) / MAX (picture->plan->cluster.gpus_per_node, 1);
}

static char *
title_of (const Picture *picture)
{
  int nodes = 0;
  g_autofree gboolean *seen = g_new0 (gboolean, picture->plan->cluster.nodes);
  g_autofree char *members = NULL, *spread = NULL, *title = plg_collective_title (picture->row);

  for (int i = 0; i < picture->relay.members; i++)
    if (!seen[node_of (picture, i)])
      {
        seen[node_of (picture, i)] = TRUE;
        nodes++;
      }
  members = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d member", "%d members",
                                          picture->relay.members),
                             picture->relay.members);
  spread = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d node", "%d nodes", nodes), nodes);
  return g_strdup_printf ("%s · %s · %s", title, members, spread);
}

static const char *
phase_of (const PlgRelay *relay, int step)
{
  switch (relay->shape)
    {
    case PLG_RELAY_REDUCE:
      return _ ("reduce-scatter: each adds its part and hands the sum on");
    case PLG_RELAY_ALL_REDUCE:
      return plg_relay_is_gathering (relay, step)
                 ? _ ("all-gather: whole sums are handed on")
                 : _ ("reduce-scatter: each adds its part and hands the sum on");
    case PLG_RELAY_GATHER:
      return _ ("each hands on what it got last");
    case PLG_RELAY_PAIRS:
    case PLG_RELAY_CHAIN:
    default:
      return _ ("from stage to stage; gradients come back the same way");
    }
}

char *
plg_relay_in_words (const PlgRelay *relay, int step)
{
  int steps = plg_relay_steps (relay);

  if (step <= 0)
    return g_strdup_printf (ngettext ("before the only step", "before the first of %d steps",
                                      (gulong) steps),
                            steps);
  if (relay->shape == PLG_RELAY_PAIRS)
    return g_strdup_printf (_ ("step %d of %d: each sends to the member at distance %d"), step,
                            steps, step);
  return g_strdup_printf (_ ("step %d of %d, %s"), step, steps, phase_of (relay, step));
}

/* Members of one node that stand side by side have one card, with the name of the node. */
static void
add_nodes (Picture *picture)
{
  PlgChart *chart = &picture->chart;
  const PlgColor *role = chart->theme->role;

  for (int first = 0, end; first < picture->shown; first = end)
    {
      double x = left_of (picture, first) - gap (picture) * 0.3, width;
      g_autofree char *name = NULL, *text = NULL;
      PlgShape *card;

      for (end = first + 1;
           end < picture->shown && node_of (picture, end) == node_of (picture, first); end++)
        ;
      width = (end - first) * picture->pitch - gap (picture) * 0.4;
      card = plg_figure_rect (chart->figure, x, chart->y, width, 44, 6, role[PLG_ROLE_CARD]);
      card->stroke = role[PLG_ROLE_CARD_BORDER];
      card->stroke_width = chart->theme->line_width;
      name = plg_plan_node_title (picture->plan, node_of (picture, first));
      text = plg_text_fit (name, width - 6, chart->font_size * 0.9, FALSE);
      plg_chart_add_text (chart, x + width / 2, chart->y + 10, PLG_ANCHOR_MIDDLE,
                          chart->font_size * 0.9, FALSE, role[PLG_ROLE_TEXT_DIM], text);
    }
}

static void
add_members (Picture *picture)
{
  PlgChart *chart = &picture->chart;
  PlgColor fill = plg_color_mix (axis_color (picture), chart->theme->role[PLG_ROLE_CARD], 0.75);

  add_nodes (picture);
  for (int i = 0; i < picture->shown; i++)
    {
      double x = left_of (picture, i), size = MIN (12, cell_width (picture) / 3.2);
      int rank = plg_placement_rank (&picture->plan->placement, gpu_of (picture, i));
      const char *text = plg_figure_string (chart->figure, "%d", rank);
      g_autofree char *node = plg_plan_node_title (picture->plan, node_of (picture, i));
      PlgShape *box = plg_figure_rect (chart->figure, x, chart->y + 18, cell_width (picture), 22, 5,
                                       fill);

      box->stroke = axis_color (picture);
      box->stroke_width = chart->theme->line_width;
      box->id = plg_figure_string (chart->figure, "member-%d", i);
      box->thing = (PlgThing) { PLG_THING_GPU, 0, gpu_of (picture, i) };
      box->title = plg_figure_string (chart->figure, _ ("Rank %d on %s"), rank, node);
      plg_chart_add_text (chart, x + cell_width (picture) / 2, chart->y + 29, PLG_ANCHOR_MIDDLE,
                          size, TRUE, plg_theme_text_on (chart->theme, fill), text);
    }
  plg_chart_add_name (chart, chart->y + 29, _ ("rank"));
  chart->y += 56;
}

/* What MEMBER has got of CHUNK in the step that is shown: the sender, or -1. */
static int
sender_to (const Picture *picture, int member, int chunk)
{
  for (int i = 0; picture->step > 0 && i < picture->relay.members; i++)
    {
      int to, sent;

      if (plg_relay_send (&picture->relay, picture->step, i, &to, &sent) && to == member &&
          sent == chunk)
        return i;
    }
  return -1;
}

static void
add_cell_text (Picture *picture, int member, int chunk, int held, PlgColor fill)
{
  PlgChart *chart = &picture->chart;
  int whole = plg_relay_whole (&picture->relay);
  double width = cell_width (picture), size = MIN (11.5, width / 3.4);
  const char *text = plg_figure_string (chart->figure, "%d/%d", held, whole);

  if (plg_text_width (text, size, held == whole) > width - 4)
    text = plg_figure_string (chart->figure, "%d", held);
  if (whole == 1)
    text = "✓";
  if (held > 0)
    plg_chart_add_text (chart, left_of (picture, member) + width / 2,
                        row_top (picture, chunk) + CELL_HEIGHT / 2, PLG_ANCHOR_MIDDLE, size,
                        held == whole, plg_theme_text_on (chart->theme, fill), text);
}

static PlgColor
held_color (const Picture *picture, int held)
{
  double share = (double) held / plg_relay_whole (&picture->relay);

  if (held == 0)
    return picture->chart.theme->role[PLG_ROLE_CARD];
  return plg_color_mix (picture->chart.theme->role[PLG_ROLE_CARD], axis_color (picture),
                        0.12 + 0.68 * share * share);
}

static void
add_cell (Picture *picture, int member, int chunk)
{
  PlgChart *chart = &picture->chart;
  int held = plg_relay_held (&picture->relay, picture->step, member, chunk);
  gboolean is_new = sender_to (picture, member, chunk) >= 0;
  PlgColor fill = held_color (picture, held);
  PlgShape *cell = plg_figure_rect (chart->figure, left_of (picture, member),
                                    row_top (picture, chunk), cell_width (picture), CELL_HEIGHT, 4,
                                    fill);

  cell->stroke = chart->theme->role[is_new ? PLG_ROLE_TEXT : PLG_ROLE_CARD_BORDER];
  cell->stroke_width = is_new ? 2.2 : chart->theme->line_width;
  cell->dashed = held == 0;
  cell->id = plg_figure_string (chart->figure, "cell-%d-%d", member, chunk);
  cell->classes = is_new ? "cell new" : "cell";
  cell->title = plg_figure_string (chart->figure, _ ("Chunk %d at member %d: %d of %d"), chunk,
                                   member, held, plg_relay_whole (&picture->relay));
  add_cell_text (picture, member, chunk, held, fill);
}

/* From neighbour to neighbour in the gap between them; round the end as two stubs. */
static void
add_send (Picture *picture, int from, int to, int chunk)
{
  PlgChart *chart = &picture->chart;
  double y = row_top (picture, chunk) + CELL_HEIGHT / 2;
  double out = left_of (picture, from) + cell_width (picture), in = left_of (picture, to);
  PlgColor ink = chart->theme->role[PLG_ROLE_TEXT];

  if (to == from + 1)
    {
      plg_figure_line (chart->figure, out + 1, y, in - 1, y, ink, 1.6)->arrow = TRUE;
      return;
    }
  if (from < picture->shown)
    plg_figure_line (chart->figure, out + 1, y, out + gap (picture) - 3, y, ink, 1.6)
        ->dashed = TRUE;
  if (to < picture->shown)
    plg_figure_line (chart->figure, in - gap (picture) + 2, y, in - 1, y, ink, 1.6)->arrow = TRUE;
}

static void
add_sends (Picture *picture)
{
  for (int i = 0; picture->step > 0 && i < picture->relay.members; i++)
    {
      int to, chunk;

      if (!plg_relay_send (&picture->relay, picture->step, i, &to, &chunk) ||
          chunk >= picture->chunks || (i >= picture->shown && to >= picture->shown))
        continue;
      add_send (picture, i, to, chunk);
    }
}

static char *
row_name (const Picture *picture, int chunk)
{
  if (picture->relay.shape == PLG_RELAY_PAIRS)
    return g_strdup_printf (_ ("from %d"), plg_placement_rank (&picture->plan->placement,
                                                               gpu_of (picture, chunk)));
  if (picture->relay.shape == PLG_RELAY_CHAIN)
    return g_strdup (_ ("message"));
  return g_strdup_printf (_ ("chunk %d"), chunk);
}

static void
add_table (Picture *picture)
{
  PlgChart *chart = &picture->chart;
  picture->top = chart->y;
  for (int chunk = 0; chunk < picture->chunks; chunk++)
    {
      g_autofree char *name = row_name (picture, chunk);

      plg_chart_add_name (chart, row_top (picture, chunk) + CELL_HEIGHT / 2, name);
      for (int member = 0; member < picture->shown; member++)
        add_cell (picture, member, chunk);
    }
  add_sends (picture);
  chart->y += picture->chunks * CELL_PITCH + 8;
}

/* "2·(n − 1)/n · S = 14 · 16.8 MB = 235 MB". */
static char *
formula_in_words (const PlgRelay *relay)
{
  g_autofree char *step = plg_format_volume (plg_relay_step_bytes (relay));
  g_autofree char *total = plg_format_volume (plg_relay_total_bytes (relay));
  g_autofree char *buffer = plg_format_volume (relay->bytes);

  if (relay->shape == PLG_RELAY_CHAIN)
    return g_strdup_printf (_ ("Each message S = %s"), buffer);
  return g_strdup_printf (_ ("A member sends %s · S/n = %d · %s = %s, S = %s, n = %d"),
                          relay->shape == PLG_RELAY_ALL_REDUCE ? "2·(n − 1)" : "(n − 1)",
                          plg_relay_steps (relay), step, total, buffer, relay->members);
}

/* The lowest rank of STAGE. */
static int
first_rank_of (const Picture *picture, int stage)
{
  const PlgParallelism *parallelism = &picture->plan->parallelism;
  int world = plg_plan_world (picture->plan), rank = 0;

  while (rank < world - 1 && plg_rank_coordinate (parallelism, rank).index[PLG_AXIS_PP] != stage)
    rank++;
  return rank;
}

/* "96 calls a step, predicted 1.2 ms each", or that the rank's stage never runs it. */
static char *
calls_in_words (const Picture *picture, gboolean *is_run)
{
  const PlgCollective *row = picture->row;
  int stage = plg_rank_coordinate (&picture->plan->parallelism, picture->rank).index[PLG_AXIS_PP];
  const PlgStageCalls *own = plg_report_stage_calls (picture->report, picture->index, stage);
  double n = own != NULL ? own->calls : row->calls, all = own != NULL ? own->time : row->time;
  g_autofree char *time = plg_format_time (n > 0 ? all / n : 0);
  g_autofree char *calls = plg_calls_in_words (n);

  *is_run = n > 0;
  if (n > 0 && picture->report->stages->len > 1)
    return g_strdup_printf (_ ("%s a step on stage %d, predicted %s each"), calls, stage, time);
  if (n > 0)
    return g_strdup_printf (_ ("%s a step, predicted %s each"), calls, time);
  return g_strdup_printf (_ ("Rank %d, on stage %d, never runs it; rank %d, on stage %d, does"),
                          picture->rank, stage, first_rank_of (picture, row->stage), row->stage);
}

/* How it is drawn and where that is from. Array of char *. */
static GPtrArray *
notes_of (const Picture *picture)
{
  GPtrArray *notes = g_ptr_array_new_with_free_func (g_free);

  if (picture->relay.shape == PLG_RELAY_ALL_REDUCE)
    g_ptr_array_add (notes, g_strdup (_ ("Drawn as a ring. Where a tree or the switch itself is "
                                         "faster, NCCL takes that; the "
                                         "time is the fastest one's.")));
  if (picture->relay.shape == PLG_RELAY_PAIRS)
    g_ptr_array_add (notes, g_strdup (_ ("Drawn one distance after the other; NCCL sends to all at "
                                         "once.")));
  if (picture->shown < picture->relay.members)
    g_ptr_array_add (notes, g_strdup_printf (_ ("The first %d of %d members and chunks"),
                                             picture->shown, picture->relay.members));
  g_ptr_array_add (notes,
                   g_strdup (_ ("Sources: NCCL, src/device; Patarasuk and Yuan 2009; nccl-tests, "
                                "doc/PERFORMANCE.md")));
  return notes;
}

static void
add_notes (Picture *picture)
{
  g_autofree char *formula = formula_in_words (&picture->relay), *calls = NULL;
  g_autoptr (GPtrArray) notes = notes_of (picture);
  gboolean is_run;

  calls = calls_in_words (picture, &is_run);
  plg_chart_add_line (&picture->chart, TRUE, formula);
  plg_chart_add_line (&picture->chart, !is_run, calls);
  for (guint i = 0; i < notes->len; i++)
    plg_chart_add_line (&picture->chart, FALSE, notes->pdata[i]);
}

static void
add_legend (Picture *picture)
{
  PlgChart *chart = &picture->chart;
  PlgColor card = chart->theme->role[PLG_ROLE_CARD], ink = chart->theme->role[PLG_ROLE_TEXT];
  PlgColor whole = held_color (picture, plg_relay_whole (&picture->relay));
  const PlgThing nothing = { PLG_THING_NONE, 0, 0 };
  PlgLegend legend;

  plg_legend_begin (&legend, chart->figure, chart->theme, chart->margin, chart->right, chart->y,
                    chart->font_size * 0.95);
  if (plg_relay_whole (&picture->relay) > 1)
    {
      PlgColor one = held_color (picture, 1);

      plg_legend_swatch (&legend, (PlgSwatch) { .fill = one, .border = one }, 0, nothing,
                         _ ("its own part"));
      plg_legend_swatch (&legend, (PlgSwatch) { .fill = whole, .border = whole }, 0, nothing,
                         _ ("the whole sum"));
    }
  else
    plg_legend_swatch (&legend, (PlgSwatch) { .fill = whole, .border = whole }, 0, nothing,
                       _ ("there"));
  plg_legend_swatch (&legend, (PlgSwatch) { .fill = card, .border = ink }, 0, nothing,
                     _ ("just received"));
  if (plg_relay_whole (&picture->relay) > 1)
    plg_legend_note (&legend, _ ("number: how many members' parts are in it"));
  chart->y = plg_legend_end (&legend) + 6;
}

static void
add_picture (Picture *picture, const PlgPictureOptions *options)
{
  PlgChart *chart = &picture->chart;
  g_autofree char *title = title_of (picture);
  g_autofree char *words = plg_relay_in_words (&picture->relay, picture->step);
  const char *names[] = { picture->relay.shape == PLG_RELAY_PAIRS ? _ ("from 0000")
                                                                  : _ ("chunk 00"),
                          _ ("rank") };

  plg_chart_add_title (chart, title, words, PLG_ROLE_TEXT_DIM);
  plg_figure_describe (chart->figure, title, words);
  plg_chart_fit_names (chart, names, G_N_ELEMENTS (names));
  picture->pitch = MIN ((chart->right - chart->left - 4) / picture->shown, 110);
  add_members (picture);
  add_table (picture);
  if (options->legend)
    add_legend (picture);
  add_notes (picture);
}

static void
add_nothing (Picture *picture)
{
  PlgChart *chart = &picture->chart;
  const char *text = _ ("Nothing to send: no group has two members");

  plg_chart_add_title (chart, _ ("One collective"), "", PLG_ROLE_TEXT_DIM);
  plg_figure_describe (chart->figure, _ ("One collective"), text);
  plg_chart_add_line (&picture->chart, FALSE, text);
}

static gboolean
find_members (Picture *picture, const PlgReport *report, const PlgPictureOptions *options)
{
  if (report->collectives->len == 0 || !plg_grid_is_ranked (picture->plan))
    return FALSE;
  picture->report = report;
  picture->rank = CLAMP (options->rank, 0, plg_plan_world (picture->plan) - 1);
  picture->index = CLAMP (options->collective, 0, (int) report->collectives->len - 1);
  picture->row = &g_array_index (report->collectives, PlgCollective, picture->index);
  picture->gpus = plg_relay_gpus (picture->plan, picture->row, options->rank);
  plg_relay_init (&picture->relay, picture->row);
  picture->relay.members = picture->gpus->len;
  return picture->gpus->len > 1;
}

/* Which step and how much of it is shown. */
static void
find_step (Picture *picture, const PlgPictureOptions *options)
{
  picture->step = CLAMP (options->frame, 0, plg_relay_steps (&picture->relay));
  picture->shown = MIN (picture->relay.members, MOST);
  picture->chunks = MIN (plg_relay_chunks (&picture->relay), MOST);
}

PlgFigure *
plg_collective_figure (const PlgPlan *plan,
                       const PlgReport *report,
                       const PlgTheme *theme,
                       const PlgPictureOptions *options)
{
  Picture picture = { .plan = plan };

  plg_chart_begin (&picture.chart, theme, options, NATURAL);
  if (find_members (&picture, report, options))
    {
      find_step (&picture, options);
      add_picture (&picture, options);
    }
  else
    add_nothing (&picture);
  g_clear_pointer (&picture.gpus, g_array_unref);
  return plg_chart_end (&picture.chart);
}

/* The letters ---------------------------------------------------------------------------------- */

/* "3/8", "✓", with "+" before what has just been received; "." for nothing. */
static void
add_letters (PlgLettersTable *table, const Picture *picture, int member, int chunk)
{
  int held = plg_relay_held (&picture->relay, picture->step, member, chunk);
  int whole = plg_relay_whole (&picture->relay);
  g_autofree char *share = g_strdup_printf ("%d/%d", held, whole);
  g_autofree char *text = g_strconcat (sender_to (picture, member, chunk) >= 0 ? "+" : "",
                                       held == 0    ? "."
                                       : whole == 1 ? "✓"
                                                    : share,
                                       NULL);

  plg_letters_table_add (table, text);
}

/* The node above each member, where the one before it is on another. */
static void
add_heads (PlgLettersTable *table, const Picture *picture)
{
  plg_letters_table_add (table, "");
  for (int i = 0; i < picture->shown; i++)
    {
      g_autofree char *node = plg_plan_node_title (picture->plan, node_of (picture, i));
      gboolean is_new = i == 0 || node_of (picture, i) != node_of (picture, i - 1);

      plg_letters_table_add (table, is_new ? node : "");
    }
  plg_letters_table_add (table, _ ("rank"));
  for (int i = 0; i < picture->shown; i++)
    {
      int rank = plg_placement_rank (&picture->plan->placement, gpu_of (picture, i));
      g_autofree char *text = g_strdup_printf ("%d", rank);

      plg_letters_table_add (table, text);
    }
}

static void
add_members_in_letters (GString *out, const Picture *picture)
{
  g_autoptr (PlgLettersTable) table = plg_letters_table_new (picture->shown + 1);

  add_heads (table, picture);
  for (int chunk = 0; chunk < picture->chunks; chunk++)
    {
      g_autofree char *name = row_name (picture, chunk);

      plg_letters_table_add (table, name);
      for (int member = 0; member < picture->shown; member++)
        add_letters (table, picture, member, chunk);
    }
  plg_letters_table_write (table, out);
}

void
plg_textual_add_collective (GString *out,
                            const PlgPlan *plan,
                            const PlgReport *report,
                            const PlgPictureOptions *options)
{
  Picture picture = { .plan = plan };

  if (find_members (&picture, report, options))
    {
      g_autofree char *formula = formula_in_words (&picture.relay), *calls = NULL;
      g_autoptr (GPtrArray) notes = NULL;
      gboolean is_run;

      find_step (&picture, options);
      notes = notes_of (&picture);
      calls = calls_in_words (&picture, &is_run);
      add_members_in_letters (out, &picture);
      plg_letters_end_line (out);
      if (options->legend != PLG_LEGEND_OFF)
        plg_letters_add_line (out, "%s",
                              plg_relay_whole (&picture.relay) > 1
                                  ? _ ("Numbers: how many members' parts are in it; + just "
                                       "received")
                                  : _ ("✓ there, + just received, . not there"));
      plg_letters_add_paragraph (out, formula);
      plg_letters_add_paragraph (out, calls);
      for (guint i = 0; i < notes->len; i++)
        plg_letters_add_paragraph (out, notes->pdata[i]);
    }
  g_clear_pointer (&picture.gpus, g_array_unref);
}
