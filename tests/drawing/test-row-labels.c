/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-layout.h"
#include "drawing/figure/text.h"
#include "plan/quantity.h"
#include "sample.h"

#include <string.h>

/* At a zoom at which a GPU has no space for texts, its row or its rack names its groups on every
 * axis that can be shown alone, and enough nodes have names; texts do not overlap and are
 * legible. */

static const Sample thousand = { "1k", 128, 8, 8, 1, 1, 4, 32, 8 };
static const Sample every_axis = { "1k, every axis", 128, 8, 2, 2, 4, 4, 64, 8 };
static const Sample most = { "16k", 2048, 8, 8, 1, 1, 4, 512, 16 };
static const Sample racks = { "64 racks", 64, 72, 8, 1, 1, 4, 144, 16 };
static const Sample many_racks = { "227 racks", 227, 72, 8, 1, 1, 1, 2043, 16 };
static const Sample *const all[] = { &thousand, &every_axis, &most, &racks, &many_racks };

/* Racks are as narrow as four GPUs and have no space for the longest letters of the first two
 * axes. */
static const double zooms[] = { 0.05, 0.07, 0.0884, 0.1, 0.125, 0.16, 0.178, 0.21, 0.25, 0.3 };

#define LEAST 5.49
/* The height of capital letters and digits, and the gap at their feet, as shares of the font size.
 */
#define UP 0.73
#define LINE 0.02

typedef struct
{
  const Sample *sample;
  PlgPlan *plan;
  PlgReport *report;
  PlgPictureOptions options;
  PlgClusterLayout layout;
  PlgFigure *figure;
  GPtrArray *texts; /* PlgShape pointers to texts of the cluster, from top to bottom */
} Case;

static int
from_the_top (gconstpointer a, gconstpointer b)
{
  const PlgShape *one = *(const PlgShape *const *) a, *other = *(const PlgShape *const *) b;

  return one->at.y < other->at.y ? -1 : one->at.y > other->at.y;
}

static void
case_init (Case *c, const Sample *sample, PlgShow show, double zoom)
{
  PlgTheme theme;

  *c = (Case) { .sample = sample, .plan = sample_plan (sample) };
  c->report = sample_report (sample, c->plan);
  c->texts = g_ptr_array_new ();
  plg_picture_options_init (&c->options, c->plan);
  c->options.legend = PLG_LEGEND_OFF;
  c->options.without_ids = TRUE;
  c->options.show = show;
  c->options.zoom = zoom;
  c->layout = plg_cluster_layout_on_screen (c->plan, zoom);
  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  c->figure = plg_cluster_figure (c->plan, c->report, &theme, &c->options);
  for (int i = 0; i < plg_figure_n_shapes (c->figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (c->figure, i);

      if (shape->kind == PLG_SHAPE_TEXT && shape->layer == PLG_LAYER_CLUSTER)
        g_ptr_array_add (c->texts, (gpointer) shape);
    }
  g_ptr_array_sort (c->texts, from_the_top);
}

static void
case_clear (Case *c)
{
  g_ptr_array_unref (c->texts);
  plg_figure_unref (c->figure);
  plg_report_unref (c->report);
  plg_plan_free (c->plan);
}

static void
complain (const Case *c, const char *what)
{
  g_test_fail_printf ("%s, show %d, %g %%: %s", c->sample->name, c->options.show,
                      c->options.zoom * 100, what);
}

/* Returns the index of the first text whose middle is not above Y. */
static guint
first_below (const Case *c, double y)
{
  guint low = 0, high = c->texts->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;
      const PlgShape *text = g_ptr_array_index (c->texts, middle);

      if (text->at.y < y)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Returns the number that the fill of GPU and its letters show; -1 without a number. */
static double
value_of (const Case *c, int gpu)
{
  const PlgParallelism *parallelism = &c->plan->parallelism;
  PlgCoordinate at = plg_rank_coordinate (parallelism, gpu);
  PlgAxis axis = parallelism->degree[PLG_AXIS_PP] > 1 ? PLG_AXIS_PP : PLG_AXIS_DP;
  g_autofree char *memory = NULL;

  if (c->options.show == PLG_SHOW_ALL)
    return at.index[axis];
  if (c->options.show != PLG_SHOW_MEMORY)
    {
      axis = (PlgAxis) (c->options.show - PLG_SHOW_TP);
      return parallelism->degree[axis] > 1 ? plg_axis_group_of (parallelism, axis, gpu) : -1;
    }
  memory = plg_format_number (g_array_index (c->report->stages, PlgStageMemory,
                                             at.index[PLG_AXIS_PP])
                                      .total /
                                  PLG_GIB,
                              3);
  return g_ascii_strtod (memory, NULL);
}

/* Returns the number of a tag such as "AB", "p3" or "62.1"; -1 for other texts. */
static double
tag_value (const Case *c, const char *tag)
{
  gboolean is_letters = c->options.show >= PLG_SHOW_TP && c->options.show <= PLG_SHOW_DP;
  int group = 0;
  char *end;
  double value;

  if (is_letters)
    {
      for (; g_ascii_isupper (*tag); tag++)
        group = group * 26 + *tag - 'A' + 1;
      return *tag == '\0' ? group - 1 : -1;
    }
  if (c->options.show == PLG_SHOW_ALL && *tag != 'p' && *tag != 'd')
    return -1;
  tag += c->options.show == PLG_SHOW_ALL;
  value = g_ascii_strtod (tag, &end);
  return end != tag && *end == '\0' ? value : -1;
}

/* Returns whether TEXT is VALUE or a range that contains VALUE. */
static gboolean
contains_value (const Case *c, const char *text, double value)
{
  g_auto (GStrv) ends = g_strsplit (text, "–", 2);

  if (g_str_has_suffix (text, "–"))
    {
      g_autofree char *from = g_strndup (text, strlen (text) - strlen ("–"));
      double low = tag_value (c, from);

      return low >= 0 && low <= value;
    }
  if (ends[1] == NULL)
    return tag_value (c, text) == value;
  return tag_value (c, ends[0]) >= 0 && tag_value (c, ends[0]) <= value &&
         value <= tag_value (c, ends[1]);
}

/* Returns whether a text on or around AREA contains VALUE. */
static gboolean
is_said (const Case *c, PlgRect area, double value)
{
  for (guint i = first_below (c, area.y); i < c->texts->len; i++)
    {
      const PlgShape *text = g_ptr_array_index (c->texts, i);

      if (text->at.y - text->font_size * UP / 2 > area.y + area.height)
        break;
      if (text->rect.x < area.x + area.width && area.x < text->rect.x + text->rect.width &&
          contains_value (c, text->text, value))
        return TRUE;
    }
  return FALSE;
}

/* Finds the tiles to the right of GPU with the same value, and its whole row. */
static void
find_run (const Case *c, int gpu, PlgRect *run, PlgRect *row)
{
  const PlgClusterLayout *layout = &c->layout;
  int columns = layout->gpu_columns, per_node = layout->gpus_per_node;
  int head = gpu - gpu % per_node % columns, last = gpu;
  PlgRect right = plg_cluster_layout_gpu (layout, head + columns - 1);

  while ((last + 1) % per_node % columns != 0 && value_of (c, last + 1) == value_of (c, gpu))
    last++;
  *run = plg_cluster_layout_gpu (layout, gpu);
  *row = plg_cluster_layout_gpu (layout, head);
  row->width = right.x + right.width - row->x;
  right = plg_cluster_layout_gpu (layout, last);
  run->width = right.x + right.width - run->x;
}

static void
check_groups (const Case *c)
{
  for (int gpu = 0; gpu < plg_cluster_gpus (&c->plan->cluster); gpu += 5)
    {
      double value = value_of (c, gpu);
      PlgRect run, row;

      if (value < 0)
        continue;
      find_run (c, gpu, &run, &row);
      if (c->layout.is_rack_tile)
        row = plg_cluster_layout_rack (&c->layout,
                                       plg_cluster_layout_rack_of_node (&c->layout,
                                                                        gpu / c->layout
                                                                                  .gpus_per_node));
      if (!is_said (c, row, value))
        {
          g_autofree char *what = g_strdup_printf ("GPU %d of %g says nothing", gpu, value);

          complain (c, what);
          return;
        }
    }
}

/* Returns whether the texts on the first row of NODE, or next to it, have its number. */
static gboolean
has_number (const Case *c, int node)
{
  g_autofree char *number = g_strdup_printf ("%d", node);
  PlgRect card = plg_cluster_layout_node (&c->layout, node);
  PlgRect tile = plg_cluster_layout_gpu (&c->layout, node * c->layout.gpus_per_node);

  for (guint i = first_below (c, tile.y); i < c->texts->len; i++)
    {
      const PlgShape *text = g_ptr_array_index (c->texts, i);
      g_auto (GStrv) words = NULL;

      if (text->at.y - text->font_size * UP > tile.y + tile.height)
        break;
      words = g_strsplit (text->text, " ", -1);
      if (text->rect.x > card.x - c->layout.label_width - c->layout.margin &&
          text->rect.x < card.x + card.width &&
          g_strv_contains ((const char *const *) words, number))
        return TRUE;
    }
  return FALSE;
}

static void
check_nodes (const Case *c)
{
  int rows = c->layout.node_rows, without = 0;

  if (c->layout.is_rack_tile)
    return;
  for (int node = 0; node < c->layout.nodes; node++)
    {
      without = has_number (c, node) ? 0 : without + 1;
      if (without >= 8)
        {
          g_autofree char *what = g_strdup_printf ("nothing counts to node %d of %d a column", node,
                                                   rows);

          complain (c, what);
          return;
        }
    }
}

static gboolean
overlap (const PlgShape *a, const PlgShape *b)
{
  return a->rect.x < b->rect.x + b->rect.width && b->rect.x < a->rect.x + a->rect.width &&
         a->at.y - a->font_size * UP < b->at.y + b->font_size * LINE &&
         b->at.y - b->font_size * UP < a->at.y + a->font_size * LINE;
}

static void
check_texts (const Case *c)
{
  for (guint i = 0; i < c->texts->len; i++)
    {
      const PlgShape *text = g_ptr_array_index (c->texts, i);

      if (text->font_size * c->options.zoom < LEAST)
        complain (c, text->text);
      for (guint k = i + 1; k < c->texts->len; k++)
        {
          const PlgShape *next = g_ptr_array_index (c->texts, k);
          g_autofree char *what = NULL;

          if (next->at.y - next->font_size * 2 > text->at.y)
            break;
          if (!overlap (text, next))
            continue;
          what = g_strdup_printf ("“%s” lies on “%s”", text->text, next->text);
          complain (c, what);
          return;
        }
    }
}

static void
test_rows (gconstpointer data)
{
  const Sample *sample = data;

  for (gsize i = sample->gpus > 8 ? 2 : 0; i < G_N_ELEMENTS (zooms); i++)
    for (int show = PLG_SHOW_ALL; show <= PLG_SHOW_MEMORY; show++)
      {
        Case c;

        case_init (&c, sample, (PlgShow) show, zooms[i]);
        check_groups (&c);
        check_nodes (&c);
        check_texts (&c);
        case_clear (&c);
      }
}

/* The reach of a group's outline into a tile, as a share of its width. */
#define REACH 0.12

/* A letter that has a tile to itself does not touch the outline of the tile. */
static void
test_clear_of_outlines (void)
{
  static const PlgShow shows[] = { PLG_SHOW_PP, PLG_SHOW_DP };

  for (gsize i = 0; i < G_N_ELEMENTS (shows); i++)
    {
      Case c;
      int letters = 0;

      case_init (&c, &thousand, shows[i], 0.26);
      for (guint j = 0; j < c.texts->len; j++)
        {
          const PlgShape *text = c.texts->pdata[j];
          PlgRect first = plg_cluster_layout_gpu (&c.layout, 0);
          double left = text->at.x - first.x;
          double width = plg_text_width (text->text, text->font_size, text->bold);

          if (text->at.y < first.y || text->at.y > first.y + first.height || left < 0 ||
              left > first.width)
            continue;
          letters++;
          g_assert_cmpfloat (left, >, REACH * first.width);
          g_assert_cmpfloat (left + width, <, (1 - REACH) * first.width);
        }
      g_assert_cmpint (letters, ==, 1);
      case_clear (&c);
    }
}

/* The depth of a J below its baseline, as a share of the font size. */
#define FOOT 0.2

/* Returns whether SHAPE, the outline of a group or of the selected GPU, leaves TEXT and its
 * descender free. */
static gboolean
is_clear (const PlgShape *shape, const PlgShape *text)
{
  double foot = text->at.y + text->font_size * FOOT, bottom = shape->rect.y + shape->rect.height;

  return text->at.x < shape->rect.x || text->at.x > shape->rect.x + shape->rect.width ||
         text->at.y < shape->rect.y || text->at.y > bottom ||
         foot <= bottom - shape->stroke_width / 2;
}

/* The descender of a J does not lie under the outline of its GPU, since the J could be read as
 * an I. */
static void
test_foot_of_letters (void)
{
  Case c;
  PlgTheme theme;
  int outlines = 0;

  case_init (&c, &thousand, PLG_SHOW_DP, 0.26);
  c.options.selected = (PlgEntity) { PLG_ENTITY_GPU, 0, 777 };
  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  g_ptr_array_set_size (c.texts, 0);
  plg_figure_unref (c.figure);
  c.figure = plg_picture_figure (PLG_PICTURE_CLUSTER, c.plan, c.report, &theme, &c.options);
  for (int i = 0; i < plg_figure_n_shapes (c.figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (c.figure, i);

      if (shape->kind != PLG_SHAPE_RECT || shape->layer != PLG_LAYER_GROUPS)
        continue;
      outlines++;
      for (int k = 0; k < plg_figure_n_shapes (c.figure); k++)
        if (g_strcmp0 (plg_figure_shape (c.figure, k)->text, "J") == 0)
          g_assert_true (is_clear (shape, plg_figure_shape (c.figure, k)));
    }
  g_assert_cmpint (outlines, >, 32);
  case_clear (&c);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_autofree char *path = g_strdup_printf ("/row-labels/%s", all[i]->name);

      g_test_add_data_func (path, all[i], test_rows);
    }
  g_test_add_func ("/row-labels/foot-of-letters", test_foot_of_letters);
  g_test_add_func ("/row-labels/clear-of-outlines", test_clear_of_outlines);
  return g_test_run ();
}
