/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-layout.h"
#include "engine/schedule/snapshot.h"
#include "color-perception.h"
#include "plan/quantity.h"
#include "sample.h"

#include <string.h>

/* At any zoom a text shows the meaning of a GPU's fill without colours, and the colours pass the
 * palette tests. */

/* Every axis has groups. */
static const Sample small = { "small", 8, 8, 2, 2, 2, 8, 2, 16 };
static const Sample thousand = { "thousand", 128, 8, 8, 1, 1, 4, 32, 8 };
static const Sample thousands = { "thousands", 512, 8, 8, 1, 1, 8, 64, 8 };
static const Sample most = { "most", 2048, 8, 8, 1, 1, 16, 128, 16 };
/* The second replica differs from the first, since there are no stages. */
static const Sample replicas = { "replicas", 8, 8, 8, 1, 1, 1, 8, 8 };

typedef struct
{
  const Sample *sample;
  PlgPlan *plan;
  PlgReport *report;
  PlgPictureOptions options;
  PlgPalette palette;
  PlgTheme theme;
  PlgSnapshot *moment;
  PlgClusterLayout layout;
  PlgFigure *figure;
  GPtrArray *texts; /* PlgShape pointers to texts of the cluster */
} Case;

static void
case_init (Case *c, const Sample *sample)
{
  *c = (Case) { .sample = sample, .plan = sample_plan (sample) };
  c->report = sample_report (sample, c->plan);
  plg_picture_options_init (&c->options, c->plan);
  c->options.legend = PLG_LEGEND_OFF;
  c->texts = g_ptr_array_new ();
}

static void
case_clear (Case *c)
{
  g_ptr_array_unref (c->texts);
  g_clear_pointer (&c->figure, plg_figure_unref);
  g_clear_pointer (&c->moment, plg_snapshot_free);
  plg_report_unref (c->report);
  plg_plan_free (c->plan);
}

static void
set_moment (Case *c, double seconds)
{
  c->options.has_moment = TRUE;
  c->options.moment = seconds;
  c->moment = plg_snapshot_new (c->plan, c->report, seconds);
  g_assert_nonnull (c->moment);
}

static void
draw (Case *c, PlgPalette palette, PlgShow show, double zoom)
{
  c->options.show = show;
  c->options.zoom = zoom;
  c->palette = palette;
  c->layout = plg_cluster_layout_of_nodes (c->plan, zoom, 0, 0);
  plg_theme_init (&c->theme, palette);
  g_clear_pointer (&c->figure, plg_figure_unref);
  c->figure = plg_cluster_figure (c->plan, c->report, &c->theme, &c->options);
  g_ptr_array_set_size (c->texts, 0);
  for (int i = 0; i < plg_figure_n_shapes (c->figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (c->figure, i);

      if (shape->kind == PLG_SHAPE_TEXT && shape->layer == PLG_LAYER_CLUSTER)
        g_ptr_array_add (c->texts, (gpointer) shape);
    }
}

static char *
letters_of (int group)
{
  char text[2] = { (char) ('A' + group % 26), '\0' };
  g_autofree char *before = group >= 26 ? letters_of (group / 26 - 1) : g_strdup ("");

  return g_strconcat (before, text, NULL);
}

static char *
activity_of (const Case *c, const PlgStageSnapshot *moment)
{
  const char *letter = plg_activity_letter (moment->activity);

  if (moment->activity == PLG_ACTIVITY_IDLE && c->layout.detail == PLG_CLUSTER_DETAIL_FULL)
    return g_strdup (plg_activity_title (moment->activity));
  if (moment->block < 0)
    return g_strdup (letter);
  return g_strdup_printf ("%s\u00a0%d", letter,
                          g_array_index (c->report->blocks, PlgBlock, moment->block).micro_batch);
}

/* Returns the expected text of GPU, whose ranks are in order. */
static char *
word_of (const Case *c, int gpu)
{
  const PlgParallelism *parallelism = &c->plan->parallelism;
  PlgCoordinate at = plg_rank_coordinate (parallelism, gpu);
  int stage = at.index[PLG_AXIS_PP];

  if (c->moment != NULL)
    return activity_of (c, &c->moment->stages[stage]);
  if (c->options.show == PLG_SHOW_MEMORY)
    return plg_format_number (g_array_index (c->report->stages, PlgStageMemory, stage).total /
                                  PLG_GIB,
                              3);
  if (c->options.show != PLG_SHOW_ALL)
    return letters_of (plg_axis_group_of (parallelism, (PlgAxis) (c->options.show - PLG_SHOW_TP),
                                          gpu));
  if (parallelism->degree[PLG_AXIS_PP] > 1)
    return g_strdup_printf ("p%d", stage);
  return g_strdup_printf ("d%d", at.index[PLG_AXIS_DP]);
}

/* Returns the text on the tile of GPU with WORD, or NULL. */
static const PlgShape *
text_on (const Case *c, int gpu, const char *word)
{
  PlgRect tile = plg_cluster_layout_gpu (&c->layout, gpu);

  for (guint i = 0; i < c->texts->len; i++)
    {
      const PlgShape *text = g_ptr_array_index (c->texts, i);
      double middle = text->rect.y + text->rect.height / 2;
      g_auto (GStrv) words = NULL;

      if (middle < tile.y || middle > tile.y + tile.height || text->rect.x > tile.x + tile.width ||
          text->rect.x + text->rect.width < tile.x)
        continue;
      words = g_strsplit (text->text, " ", -1);
      if (g_strv_contains ((const char *const *) words, word))
        return text;
    }
  return NULL;
}

/* Returns the text on GPU, or to its right among GPUs with the same text. */
static const PlgShape *
text_for (const Case *c, int gpu, const char *word)
{
  int columns = c->layout.gpu_columns;

  for (int other = gpu; other / columns == gpu / columns; other++)
    {
      g_autofree char *next = word_of (c, other);
      const PlgShape *text = strcmp (next, word) == 0 ? text_on (c, other, word) : NULL;

      if (text != NULL || strcmp (next, word) != 0)
        return text;
    }
  return NULL;
}

/* Returns the colour under a text: the fill of the last shape below it that covers its middle. */
static PlgColor
ground_of (const Case *c, const PlgShape *text)
{
  double x = text->rect.x + text->rect.width / 2, y = text->rect.y + text->rect.height / 2;
  PlgColor ground = PLG_COLOR_NONE;

  for (int i = 0; plg_figure_shape (c->figure, i) != text; i++)
    {
      const PlgShape *shape = plg_figure_shape (c->figure, i);
      PlgRect r = shape->rect;

      if (shape->kind == PLG_SHAPE_RECT && shape->fill.alpha >= 1 && x >= r.x && y >= r.y &&
          x <= r.x + r.width && y <= r.y + r.height)
        ground = shape->fill;
    }
  return ground;
}

/* All texts are legible on their colours; with light in the room only texts of the projector
 * palette are legible. */
static void
check_legible (const Case *c, const PlgShape *text)
{
  PlgColor ground = ground_of (c, text);
  double zoom = c->options.zoom > 0 ? c->options.zoom : 1;

  g_assert_cmpfloat (text->font_size * zoom, >=,
                     c->layout.detail == PLG_CLUSTER_DETAIL_FULL ? 5.4 : 5.5);
  for (ColorView view = 0; view < N_VIEWS; view++)
    if (view != VIEW_PROJECTOR || c->palette == PLG_PALETTE_PROJECTOR)
      g_assert_cmpfloat (color_view_contrast (view, text->fill, ground), >=, 3);
}

static void
check (const Case *c, int step)
{
  for (int gpu = 0; gpu < plg_cluster_gpus (&c->plan->cluster); gpu += step)
    {
      g_autofree char *word = word_of (c, gpu);
      const PlgShape *text = text_for (c, gpu, word);

      if (text == NULL)
        g_test_fail_printf ("%s, %s, show %d, zoom %g: GPU %d does not say %s", c->sample->name,
                            plg_palette_name (c->palette), c->options.show, c->options.zoom, gpu,
                            word);
      else
        check_legible (c, text);
    }
}

static const double zooms[] = { 0, 1.5, 1, 0.75, 0.7, 0.5, 0.4, 0.36, 0.33, 0.29, 0.25, 0.2, 0.18 };

static void
test_groups (void)
{
  Case c;

  case_init (&c, &small);
  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    for (gsize i = 0; i < G_N_ELEMENTS (zooms); i++)
      for (int show = PLG_SHOW_ALL; show <= PLG_SHOW_MEMORY; show++)
        {
          draw (&c, (PlgPalette) palette, (PlgShow) show, zooms[i]);
          check (&c, 1);
        }
  case_clear (&c);
}

static void
test_activities (void)
{
  for (double share = 0.05; share < 1; share += 0.15)
    {
      Case c;

      case_init (&c, &small);
      set_moment (&c, share * c.report->step.time);
      for (int palette = 0; palette < PLG_N_PALETTES; palette++)
        for (gsize i = 0; i < G_N_ELEMENTS (zooms); i++)
          {
            draw (&c, (PlgPalette) palette, PLG_SHOW_ALL, zooms[i]);
            check (&c, 1);
          }
      case_clear (&c);
    }
}

/* The large samples in files, in which GPUs get smaller with their number, and on the screen at
 * the lowest zoom that draws single GPUs. */
static void
test_sizes (void)
{
  static const Sample *const sizes[] = { &thousand, &thousands, &most, &replicas };
  static const double from_afar[] = { 0, 0.4, 0.29, 0.2 };

  for (gsize k = 0; k < G_N_ELEMENTS (sizes); k++)
    {
      Case c;

      case_init (&c, sizes[k]);
      for (gsize i = 0; i < G_N_ELEMENTS (from_afar); i++)
        {
          draw (&c, PLG_PALETTE_GREY, PLG_SHOW_ALL, from_afar[i]);
          check (&c, 97);
          draw (&c, PLG_PALETTE_LIGHT, PLG_SHOW_TP, from_afar[i]);
          check (&c, 97);
        }
      case_clear (&c);
    }
}

/* A node that is one tile, as with 1,024 GPUs in a small window, shows the common group of its
 * GPUs. */
static void
test_nodes (void)
{
  Case c;

  case_init (&c, &thousand);
  for (double zoom = 0.15; zoom < 0.18; zoom += 0.01)
    {
      draw (&c, PLG_PALETTE_GREY, PLG_SHOW_ALL, zoom);
      g_assert_cmpint (c.layout.detail, ==, PLG_CLUSTER_DETAIL_NODES);
      check (&c, 8);
    }
  case_clear (&c);
}

/* From the zoom with space for letters on rows, in a cluster of any size, nodes show the common
 * group of their GPUs, and some nodes have names. */
static void
test_many_nodes (void)
{
  static const double from_afar[] = { 0.089, 0.11, 0.13, 0.177, 0.19 };
  Case c;

  case_init (&c, &most);
  for (gsize i = 0; i < G_N_ELEMENTS (from_afar); i++)
    {
      draw (&c, PLG_PALETTE_GREY, PLG_SHOW_ALL, from_afar[i]);
      g_assert_false (c.layout.is_rack_tile);
      check (&c, 97 * 8);
      for (int node = 0; node < c.layout.node_rows; node += 8)
        {
          g_autofree char *number = g_strdup_printf ("%d", node);
          const PlgShape *name = text_on (&c, node * 8, number);

          g_assert_nonnull (name);
          g_assert_true (g_str_has_prefix (name->text, "node"));
          check_legible (&c, name);
        }
    }
  case_clear (&c);
}

/* Letters have different widths; if "AB" fits, "AM" and "AW" must not be missing. */
static void
test_letters_of_all_cells (void)
{
  static const Sample sixty_four = { "64 groups", 128, 8, 8, 1, 1, 8, 16, 8 };
  Case c;

  case_init (&c, &sixty_four);
  for (double zoom = 0.13; zoom < 0.4; zoom *= 1.1)
    {
      draw (&c, PLG_PALETTE_LIGHT, PLG_SHOW_DP, zoom);
      check (&c, 1);
    }
  case_clear (&c);
}

/* With large texts every text has the minimum size, and each GPU still shows its group inside
 * its tile. */
static void
test_large_texts (void)
{
  static const double heights[] = { 14, 16, 18, 24 };
  Case c;

  case_init (&c, &small);
  for (gsize i = 0; i < G_N_ELEMENTS (heights); i++)
    for (int show = PLG_SHOW_ALL; show <= PLG_SHOW_MEMORY; show++)
      {
        /* If there is space for one text only, a view of one axis alone has its letters. */
        if (heights[i] > 20 && (show == PLG_SHOW_ALL || show == PLG_SHOW_MEMORY))
          continue;
        c.options.min_text_size = heights[i];
        draw (&c, PLG_PALETTE_PROJECTOR, (PlgShow) show, 1);
        check (&c, 1);
        for (guint k = 0; k < c.texts->len; k++)
          {
            const PlgShape *text = g_ptr_array_index (c.texts, k);

            g_assert_cmpfloat (text->font_size, >=, heights[i]);
          }
      }
  case_clear (&c);
}

static gboolean
has_text (const Case *c, const char *wanted)
{
  for (guint i = 0; i < c->texts->len; i++)
    if (g_str_equal (((const PlgShape *) g_ptr_array_index (c->texts, i))->text, wanted))
      return TRUE;
  return FALSE;
}

/* Replicas differ only in paleness, and GPUs have no room for their replica, so nodes name it. */
static void
test_large_texts_of_replicas (void)
{
  Case c;

  case_init (&c, &sample_default);
  c.options.min_text_size = 16;
  draw (&c, PLG_PALETTE_PROJECTOR, PLG_SHOW_ALL, 1);
  for (int stage = 0; stage < 4; stage++)
    for (int replica = 0; replica < 2; replica++)
      {
        g_autofree char *wanted = g_strdup_printf ("p%d · d%d", stage, replica);

        g_test_message ("%s", wanted);
        g_assert_true (has_text (&c, wanted));
      }
  case_clear (&c);
}

/* Names of switches are too small with large texts, but the switches stay, since the uplinks of the
 * rails must end somewhere. */
static void
test_large_texts_of_switches (void)
{
  static const Sample spine = { "spine", 8, 8, 4, 1, 1, 4, 4, 8, .oversubscription = 2 };
  int boxes = 0, uplinks = 0;
  Case c;

  case_init (&c, &spine);
  c.options.min_text_size = 18;
  draw (&c, PLG_PALETTE_PROJECTOR, PLG_SHOW_ALL, 0.7);
  for (int i = 0; i < plg_figure_n_shapes (c.figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (c.figure, i);

      if (shape->kind != PLG_SHAPE_OPEN)
        continue;
      boxes += g_strcmp0 (shape->classes, "spine") == 0 || g_strcmp0 (shape->classes, "rail") == 0;
      uplinks += g_strcmp0 (shape->classes, "link spine") == 0;
    }
  g_assert_cmpint (uplinks, >, 0);
  g_assert_cmpint (boxes, ==, 8 + 1);
  case_clear (&c);
}

/* Illegible texts are omitted in any network and at any zoom. */
static void
test_no_small_texts (void)
{
  static const Sample racks = { "racks", 8, 72, 8, 1, 1, 4, 18, 16 };
  static const Sample tree = { .name = "tree",
                               .nodes = 16,
                               .gpus = 8,
                               .tp = 8,
                               .cp = 1,
                               .ep = 1,
                               .pp = 4,
                               .dp = 4,
                               .micro_batches = 8,
                               .network = PLG_NETWORK_TREE,
                               .oversubscription = 2 };
  static const Sample *const all[] = { &small, &thousand, &racks, &tree };

  for (gsize k = 0; k < G_N_ELEMENTS (all); k++)
    for (double zoom = 0.08; zoom < 0.74; zoom *= 1.1)
      {
        Case c;

        case_init (&c, all[k]);
        draw (&c, PLG_PALETTE_LIGHT, PLG_SHOW_ALL, zoom);
        for (int i = 0; i < plg_figure_n_shapes (c.figure); i++)
          {
            const PlgShape *shape = plg_figure_shape (c.figure, i);

            if (shape->kind == PLG_SHAPE_TEXT && shape->font_size * zoom < 5.5)
              g_test_fail_printf ("%s at %.1f %%: \"%s\" has %.1f pixels", c.sample->name,
                                  zoom * 100, shape->text, shape->font_size * zoom);
          }
        case_clear (&c);
      }
}

static int
count_tiles (const Case *c)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (c->figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (c->figure, i);

      n += shape->kind == PLG_SHAPE_RECT && shape->layer == PLG_LAYER_CLUSTER;
    }
  return n;
}

/* Rings replace links, not GPUs or nodes. */
static void
test_rings (void)
{
  static const Sample racks = { "racks", 8, 72, 8, 1, 1, 4, 18, 16 };
  static const Sample *const all[] = { &small, &thousand, &racks, &most };

  for (gsize k = 0; k < G_N_ELEMENTS (all); k++)
    for (double zoom = 0.04; zoom < 1; zoom *= 1.6)
      {
        Case c;
        int n;

        case_init (&c, all[k]);
        draw (&c, PLG_PALETTE_LIGHT, PLG_SHOW_ALL, zoom);
        n = count_tiles (&c);
        g_assert_cmpint (n, >=,
                         c.layout.is_rack_tile ? plg_cluster_layout_n_racks (&c.layout)
                                               : c.layout.nodes);
        c.options.rings = TRUE;
        draw (&c, PLG_PALETTE_LIGHT, PLG_SHOW_ALL, zoom);
        if (count_tiles (&c) != n)
          g_test_fail_printf ("%s at %.1f %%: %d tiles, with rings %d", all[k]->name, zoom * 100, n,
                              count_tiles (&c));
        case_clear (&c);
      }
}

/* The tests of palette colours hold at every level: a GPU has its colour of full detail, or the
 * colour of another GPU of its group. */
static void
test_fills (void)
{
  Case c;

  case_init (&c, &small);
  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    for (gsize i = 0; i < G_N_ELEMENTS (zooms); i++)
      for (int stage = 0; stage < 8; stage++)
        {
          PlgEntity gpu = { PLG_ENTITY_GPU, 0, 4 * stage };
          PlgSwatch swatch;

          if (stage == 0)
            draw (&c, (PlgPalette) palette, PLG_SHOW_ALL, zooms[i]);
          swatch = plg_theme_swatch (&c.theme, stage, 8, FALSE);
          for (ColorView view = 0; view < N_VIEWS; view++)
            g_assert_cmpfloat (color_view_distance (view,
                                                    plg_figure_find_entity (c.figure, gpu)->fill,
                                                    swatch.fill),
                               <, 0.1);
        }
  case_clear (&c);
}

/* Returns the distance down from Y that the network above the column of HEAD covers without a
 * gap. */
static double
covered_from (const Case *c, int head, double y)
{
  PlgRect card = plg_cluster_layout_node (&c->layout, head);
  gboolean is_longer = TRUE;

  while (is_longer)
    {
      is_longer = FALSE;
      for (int i = 0; i < plg_figure_n_shapes (c->figure); i++)
        {
          const PlgShape *shape = plg_figure_shape (c->figure, i);
          PlgRect rect = shape->rect;

          if (shape->layer != PLG_LAYER_LINKS || rect.x > card.x + card.width ||
              rect.x + rect.width < card.x || rect.y > y + 1 || rect.y + rect.height <= y + 1)
            continue;
          y = rect.y + rect.height;
          is_longer = TRUE;
        }
    }
  return y;
}

/* At any zoom there is no empty band between rows of units: the network fills the header. */
static void
test_no_empty_bands (void)
{
  static const double seen[] = { 0.036, 0.06, 0.1, 0.2, 0.33, 0.57, 1, 1.75 };
  Case c;

  case_init (&c, &most);
  for (gsize i = 0; i < G_N_ELEMENTS (seen); i++)
    {
      PlgClusterLayout at = plg_cluster_layout_of_nodes (c.plan, seen[i], 0, 0);
      int head = at.node_columns * at.node_rows;
      PlgRect above = plg_cluster_layout_node (&at, at.node_rows - 1);
      double top = plg_cluster_layout_node (&at, head).y, bottom = above.y + above.height;
      const double air = 100;

      g_assert_cmpint (at.bands, >, 1);
      g_assert_cmpfloat (top - bottom, <, 0.3 * (at.node_rows * at.node_step_y));
      c.options.visible = (PlgRect) { above.x, bottom, above.width, top - bottom };
      draw (&c, PLG_PALETTE_LIGHT, PLG_SHOW_ALL, seen[i]);
      g_assert_cmpfloat (covered_from (&c, head, bottom + air), >=, top - air / 2);
    }
  case_clear (&c);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/zoom-levels/groups", test_groups);
  g_test_add_func ("/zoom-levels/activities", test_activities);
  g_test_add_func ("/zoom-levels/sizes", test_sizes);
  g_test_add_func ("/zoom-levels/nodes", test_nodes);
  g_test_add_func ("/zoom-levels/many-nodes", test_many_nodes);
  g_test_add_func ("/zoom-levels/letters-of-all-cells", test_letters_of_all_cells);
  g_test_add_func ("/zoom-levels/large-texts", test_large_texts);
  g_test_add_func ("/zoom-levels/large-texts-of-replicas", test_large_texts_of_replicas);
  g_test_add_func ("/zoom-levels/large-texts-of-switches", test_large_texts_of_switches);
  g_test_add_func ("/zoom-levels/small-texts", test_no_small_texts);
  g_test_add_func ("/zoom-levels/rings", test_rings);
  g_test_add_func ("/zoom-levels/fills", test_fills);
  g_test_add_func ("/zoom-levels/no-empty-bands", test_no_empty_bands);
  return g_test_run ();
}
