/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/textual.h"

#include "drawing/grid-layout.h"
#include "drawing/outline.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Between columns. */
#define GAP 2
/* Texts of a figure whose baselines are not farther apart are on one line. */
#define LINE_SLACK 4.0

/* Letters -------------------------------------------------------------------------------------- */

static int
display_width (const char *text)
{
  int width = 0;

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar character = g_utf8_get_char (c);

      if (!g_unichar_iszerowidth (character))
        width += g_unichar_iswide (character) ? 2 : 1;
    }
  return width;
}

/* TEXT without what would upset a terminal or turn round the rest of a line: control characters,
 * and those that set the direction of writing. */
static char *
plain_text (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *plain = g_string_new (NULL);

  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar character = g_utf8_get_char (c);
      GUnicodeType type = g_unichar_type (character);

      if (type == G_UNICODE_SPACE_SEPARATOR || character == '\n' || character == '\t')
        g_string_append_c (plain, ' ');
      else if (type != G_UNICODE_CONTROL && type != G_UNICODE_FORMAT &&
               type != G_UNICODE_LINE_SEPARATOR && type != G_UNICODE_PARAGRAPH_SEPARATOR)
        g_string_append_unichar (plain, character);
    }
  return g_string_free (plain, FALSE);
}

static void
append_spaces (GString *out, int n)
{
  for (int i = 0; i < n; i++)
    g_string_append_c (out, ' ');
}

static void
append_padded (GString *out, const char *text, int width, gboolean right)
{
  int padding = width - display_width (text);

  append_spaces (out, right ? padding : 0);
  g_string_append (out, text);
  append_spaces (out, right ? 0 : padding);
}

/* Ends a line, on which spaces at the end would say nothing. */
static void
end_line (GString *out)
{
  while (out->len > 0 && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
}

/* A word that is longer than a line, in lines; returns the width of what is left on the last. */
static int
append_long_word (GString *out, const char *word)
{
  int column = 0;

  for (const char *c = word; *c != '\0'; c = g_utf8_next_char (c))
    {
      int width = g_unichar_iswide (g_utf8_get_char (c)) ? 2 : 1;

      if (column + width > PLG_TEXTUAL_WIDTH)
        {
          end_line (out);
          column = 0;
        }
      g_string_append_len (out, c, g_utf8_next_char (c) - c);
      column += width;
    }
  return column;
}

/* TEXT in lines of at most the width, broken between words. */
static void
append_paragraph (GString *out, const char *text)
{
  g_autofree char *plain = plain_text (text);
  g_auto (GStrv) words = g_strsplit (plain, " ", -1);
  int column = 0;

  for (int i = 0; words[i] != NULL; i++)
    {
      int width = display_width (words[i]);

      if (width == 0)
        continue;
      if (width > PLG_TEXTUAL_WIDTH)
        {
          if (column > 0)
            end_line (out);
          column = append_long_word (out, words[i]);
          continue;
        }
      if (column > 0 && column + 1 + width > PLG_TEXTUAL_WIDTH)
        {
          end_line (out);
          column = 0;
        }
      if (column > 0)
        g_string_append_c (out, ' ');
      g_string_append (out, words[i]);
      column += width + (column > 0);
    }
  end_line (out);
}

static void append_line (GString *out, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
append_line (GString *out, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  append_paragraph (out, text);
}

/* The cluster ---------------------------------------------------------------------------------- */

typedef struct
{
  GString *out;
  const PlgPlan *plan;
  const PlgReport *report;
  int gpus;
  int *rank_of_gpu; /* -1 where a GPU has none */
  int name_width;   /* of the nodes' column */
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

/* Of what stands out about a GPU: "*" it has been placed by hand, "!" it is slow. */
static const char *
mark_of (const Sheet *sheet, int gpu)
{
  const PlgCluster *cluster = &sheet->plan->cluster;

  for (int i = 0; i < cluster->n_faults; i++)
    if (cluster->faults[i].kind == PLG_FAULT_GPU && cluster->faults[i].first == gpu)
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
sheet_init (Sheet *sheet, GString *out, const PlgPlan *plan, const PlgReport *report)
{
  g_autofree char *node = g_strdup_printf (_ ("node %d"), plan->cluster.nodes - 1);
  int rank_width = 0, place_width = 0;

  *sheet = (Sheet) { .out = out, .plan = plan, .report = report };
  sheet->gpus = plg_cluster_gpus (&plan->cluster);
  sheet->rank_of_gpu = g_new (int, sheet->gpus);
  if (plg_grid_is_ranked (plan))
    plg_placement_invert (&plan->placement, sheet->gpus, sheet->rank_of_gpu);
  else
    memset (sheet->rank_of_gpu, -1, sizeof (int) * sheet->gpus);
  for (int gpu = 0; gpu < sheet->gpus; gpu++)
    {
      g_autofree char *rank = rank_text (sheet, gpu);
      g_autofree char *place = sheet->rank_of_gpu[gpu] >= 0
                                   ? place_text (plan, sheet->rank_of_gpu[gpu])
                                   : g_strdup ("");

      rank_width = MAX (rank_width, (int) strlen (rank));
      place_width = MAX (place_width, (int) strlen (place));
    }
  sheet->name_width = display_width (node);
  sheet->two_lines = sheet->name_width +
                         plan->cluster.gpus_per_node * (GAP + rank_width + 1 + place_width) >
                     PLG_TEXTUAL_WIDTH;
  sheet->cell_width = GAP + (sheet->two_lines ? MAX (rank_width, place_width)
                                              : rank_width + 1 + place_width);
  sheet->columns = CLAMP ((PLG_TEXTUAL_WIDTH - sheet->name_width) / sheet->cell_width, 1,
                          plan->cluster.gpus_per_node);
}

/* What a GPU says on LINE 0 or, where it has two, 1. */
static char *
cell_text (const Sheet *sheet, int gpu, int line)
{
  g_autofree char *rank = rank_text (sheet, gpu);
  g_autofree char *place = NULL;

  if (sheet->rank_of_gpu[gpu] < 0)
    return line == 0 ? g_steal_pointer (&rank) : g_strdup ("");
  place = place_text (sheet->plan, sheet->rank_of_gpu[gpu]);
  if (sheet->two_lines)
    return g_strdup (line == 0 ? rank : place);
  return g_strdup_printf ("%s %s", rank, place);
}

static void
append_gpus (const Sheet *sheet, const char *name, int first, int n, int line)
{
  append_padded (sheet->out, name, sheet->name_width, FALSE);
  for (int gpu = first; gpu < first + n; gpu++)
    {
      g_autofree char *text = cell_text (sheet, gpu, line);

      append_padded (sheet->out, text, sheet->cell_width, TRUE);
    }
  end_line (sheet->out);
}

static void
append_node (const Sheet *sheet, int node)
{
  int n = sheet->plan->cluster.gpus_per_node;
  g_autofree char *name = plg_plan_node_title (sheet->plan, node);

  for (int local = 0; local < n; local += sheet->columns)
    for (int line = 0; line <= sheet->two_lines; line++)
      append_gpus (sheet, local == 0 && line == 0 ? name : "", node * n + local,
                   MIN (sheet->columns, n - local), line);
}

static void
append_heading (const Sheet *sheet)
{
  append_spaces (sheet->out, sheet->name_width);
  for (int local = 0; local < sheet->columns; local++)
    {
      g_autofree char *name = g_strdup_printf (_ ("GPU %d"), local);

      append_padded (sheet->out, name, sheet->cell_width, TRUE);
    }
  end_line (sheet->out);
}

static void
append_numbers (const Sheet *sheet)
{
  const PlgReport *report = sheet->report;
  g_autofree char *time = plg_format_time (report->step.time);
  g_autofree char *mfu = plg_format_share (report->step.mfu);
  g_autofree char *bubble = plg_format_share (report->bubble.simulated);
  g_autofree char *memory = plg_format_memory (report->memory_peak);
  g_autofree char *capacity = plg_format_memory (report->memory_capacity);

  append_line (sheet->out, _ ("step %s, MFU %s, bubble %s, memory %s of %s (%s)"), time, mfu,
               bubble, memory, capacity, report->fits ? _ ("fits") : _ ("does not fit"));
}

static void
append_memory (const Sheet *sheet)
{
  const GArray *stages = sheet->report->stages;

  for (guint i = 0; i < stages->len; i++)
    {
      const PlgStageMemory *stage = &g_array_index (stages, PlgStageMemory, i);
      g_autofree char *total = plg_format_memory (stage->total);

      append_line (sheet->out, _ ("p%u: stage %u, %d layers, %s a GPU"), i, i, stage->layers,
                   total);
    }
}

static void
append_collectives (const Sheet *sheet)
{
  const GArray *collectives = sheet->report->collectives;

  for (guint i = 0; i < collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (collectives, PlgCollective, i);
      g_autofree char *calls = plg_format_count (collective->calls);
      g_autofree char *sent = plg_format_volume (collective->bytes_sent);
      g_autofree char *time = plg_format_time (collective->time);

      append_line (sheet->out, _ ("%s %s: %s calls, %s sent a GPU, %s on %s"),
                   plg_axis_label (collective->axis), plg_collective_kind_name (collective->kind),
                   calls, sent, time, plg_tier_title (&sheet->plan->cluster, collective->tier));
    }
}

static void
append_legend (const Sheet *sheet)
{
  gboolean is_moved = FALSE, is_slow = FALSE;

  for (int gpu = 0; gpu < sheet->gpus; gpu++)
    {
      is_moved |= *mark_of (sheet, gpu) == '*';
      is_slow |= *mark_of (sheet, gpu) == '!';
    }
  append_line (sheet->out, "%s",
               _ ("Each GPU: its rank, then its place in the groups of TP (t), CP (c), EP (e), PP "
                  "(p, the stage) and DP (d, the replica)."));
  if (is_moved)
    append_line (sheet->out, "%s", _ ("* not where the order would put it"));
  if (is_slow)
    append_line (sheet->out, "%s", _ ("! slower than it should be"));
}

/* Whether each node is in FIGURE, which may be a part of the whole. g_free(). */
static gboolean *
nodes_shown (const PlgFigure *figure, int nodes, gboolean *any)
{
  gboolean *shown = g_new0 (gboolean, nodes);

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      PlgThing thing = plg_figure_shape (figure, i)->thing;

      if (thing.kind == PLG_THING_NODE && thing.index >= 0 && thing.index < nodes)
        *any = shown[thing.index] = TRUE;
    }
  return shown;
}

static void
append_cluster (GString *out, const PlgPlan *plan, const PlgReport *report, const gboolean *shown)
{
  const int *degree = plan->parallelism.degree;
  Sheet sheet;

  sheet_init (&sheet, out, plan, report);
  append_line (out, "TP %d, CP %d, EP %d, PP %d, DP %d", degree[PLG_AXIS_TP], degree[PLG_AXIS_CP],
               degree[PLG_AXIS_EP], degree[PLG_AXIS_PP], degree[PLG_AXIS_DP]);
  append_numbers (&sheet);
  end_line (out);
  append_heading (&sheet);
  for (int node = 0; node < plan->cluster.nodes; node++)
    if (shown[node])
      append_node (&sheet, node);
  end_line (out);
  append_legend (&sheet);
  end_line (out);
  append_memory (&sheet);
  end_line (out);
  append_collectives (&sheet);
  g_free (sheet.rank_of_gpu);
}

/* Other pictures ------------------------------------------------------------------------------- */

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const PlgShape *first = *(const PlgShape *const *) a, *second = *(const PlgShape *const *) b;

  if (first->rect.x != second->rect.x)
    return first->rect.x < second->rect.x ? -1 : 1;
  return (first > second) - (first < second);
}

/* The height of the line that each of TEXTS, sorted by height, is on. */
static void
level_lines (GPtrArray *texts, double *heights)
{
  for (guint i = 0; i < texts->len; i++)
    {
      const PlgShape *shape = g_ptr_array_index (texts, i);

      heights[i] = i > 0 && fabs (shape->at.y - heights[i - 1]) <= LINE_SLACK ? heights[i - 1]
                                                                              : shape->at.y;
    }
}

static int
compare_heights (gconstpointer a, gconstpointer b)
{
  const PlgShape *first = *(const PlgShape *const *) a, *second = *(const PlgShape *const *) b;

  if (first->at.y != second->at.y)
    return first->at.y < second->at.y ? -1 : 1;
  return (first > second) - (first < second);
}

/* One line of texts, each at its place across or as near to it as the one before leaves. */
static void
append_texts (GString *out, const PlgShape **texts, guint n, double width)
{
  int column = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = plain_text (texts[i]->text);
      int wanted = (int) (texts[i]->rect.x / width * PLG_TEXTUAL_WIDTH);
      int at = column == 0 ? MIN (wanted, PLG_TEXTUAL_WIDTH - display_width (text))
                           : MAX (wanted, column + GAP);

      at = MAX (at, 0);
      if (column > 0 && at + display_width (text) > PLG_TEXTUAL_WIDTH)
        at = MAX (PLG_TEXTUAL_WIDTH - display_width (text), column + GAP);
      if (column > 0 && at + display_width (text) > PLG_TEXTUAL_WIDTH)
        {
          end_line (out);
          column = at = 0;
        }
      append_spaces (out, at - column);
      g_string_append (out, text);
      column = at + display_width (text);
    }
  end_line (out);
}

static void
append_figure (GString *out, const PlgFigure *figure)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  g_autofree double *heights = NULL;
  guint begin = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_TEXT && shape->layer != PLG_LAYER_HANDLES &&
          plg_outline_is_visible (shape))
        g_ptr_array_add (texts, (gpointer) shape);
    }
  g_ptr_array_sort (texts, compare_heights);
  heights = g_new (double, texts->len + 1);
  level_lines (texts, heights);
  for (guint i = 1; i <= texts->len; i++)
    {
      if (i < texts->len && heights[i] == heights[begin])
        continue;
      qsort (texts->pdata + begin, i - begin, sizeof (gpointer), compare_places);
      append_texts (out, (const PlgShape **) (texts->pdata + begin), i - begin,
                    MAX (plg_figure_width (figure), 1));
      begin = i;
    }
}

char *
plg_textual_write (const PlgFigure *figure, const PlgPlan *plan, const PlgReport *report)
{
  GString *out = g_string_new (NULL);
  g_autofree gboolean *shown = NULL;
  gboolean is_cluster = FALSE;

  if (plan != NULL && report != NULL)
    shown = nodes_shown (figure, plan->cluster.nodes, &is_cluster);
  append_paragraph (out, plg_figure_title (figure));
  if (is_cluster)
    append_cluster (out, plan, report, shown);
  else
    {
      append_paragraph (out, plg_figure_description (figure));
      end_line (out);
      append_figure (out, figure);
    }
  return g_string_free (out, FALSE);
}
