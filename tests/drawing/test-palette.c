/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/activity.h"
#include "drawing/figure/stroke-geometry.h"
#include "drawing/figure/pictures.h"
#include "color-perception.h"
#include "sample.h"

#include <math.h>
#include <string.h>

/* Pairs 1, 4, 7, 9, 11, 13, 17, 18, 20, 25, 29, 33 and 34 of table 1 there. */
static void
test_ciede2000 (void)
{
  static const struct
  {
    Lab p, q;
    double distance;
  } rows[] = {
    { { 50, 2.6772, -79.7751 }, { 50, 0, -82.7485 }, 2.0425 },
    { { 50, -1.3802, -84.2814 }, { 50, 0, -82.7485 }, 1.0000 },
    { { 50, 0, 0 }, { 50, -1, 2 }, 2.3669 },
    { { 50, 2.4900, -0.0010 }, { 50, -2.4900, 0.0009 }, 7.1792 },
    { { 50, 2.4900, -0.0010 }, { 50, -2.4900, 0.0011 }, 7.2195 },
    { { 50, -0.0010, 2.4900 }, { 50, 0.0009, -2.4900 }, 4.8045 },
    { { 50, 2.5, 0 }, { 73, 25, -18 }, 27.1492 },
    { { 50, 2.5, 0 }, { 61, -5, 29 }, 22.8977 },
    { { 50, 2.5, 0 }, { 58, 24, 15 }, 19.4535 },
    { { 60.2574, -34.0099, 36.2677 }, { 60.4626, -34.1751, 39.4387 }, 1.2644 },
    { { 22.7233, 20.0904, -46.6940 }, { 23.0331, 14.9730, -42.5619 }, 2.0373 },
    { { 6.7747, -0.2908, -2.4247 }, { 5.8714, -0.0985, -2.2286 }, 0.6377 },
    { { 2.0776, 0.0795, -1.1350 }, { 0.9033, -0.0636, -0.5514 }, 0.9082 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_assert_cmpfloat_with_epsilon (lab_ciede2000 (rows[i].p, rows[i].q), rows[i].distance, 5e-5);
      g_assert_cmpfloat_with_epsilon (lab_ciede2000 (rows[i].q, rows[i].p), rows[i].distance, 5e-5);
    }
}

static void
test_views (void)
{
  PlgColor white = plg_color_from_rgb (0xffffff), black = plg_color_from_rgb (0);
  PlgColor red = plg_color_from_rgb (0xff0000), green = plg_color_from_rgb (0x00a000);

  g_assert_cmpfloat_with_epsilon (color_view_contrast (VIEW_NORMAL, white, black), 21, 1e-6);
  g_assert_cmpfloat_with_epsilon (color_view_contrast (VIEW_PROJECTOR, white, black), 7, 1e-6);
  g_assert_cmpfloat_with_epsilon (color_view_distance (VIEW_NORMAL, white, black), 100, 0.01);
  /* White has no hue for any kind of vision; some kinds of vision do not see the hue of red and
   * green. */
  for (ColorView view = 0; view < N_VIEWS; view++)
    g_assert_cmpfloat (lab_ciede2000 (linear_to_lab (color_seen_by (view, white)),
                                      linear_to_lab (color_to_linear (white))),
                       <, 0.01);
  g_assert_cmpfloat (color_view_distance (VIEW_DEUTAN, red, green), <,
                     color_view_distance (VIEW_NORMAL, red, green) / 2);
  g_assert_cmpfloat (color_view_distance (VIEW_GREY, red, green), <, 10);
}

/* The sets of colours that must be distinct. */
typedef enum
{
  SET_FEW,    /* the fills of four stages */
  SET_GROUPS, /* the fills of eight stages */
  SET_MEMORY, /* kinds of memory, each compared with the next part of a bar */
  SET_AXES,   /* lines */
  N_SETS,
} Set;

static const char *const set_names[N_SETS] = { "four groups", "eight groups", "memory", "axes" };

static int
colors_of (const PlgTheme *theme, Set set, PlgColor colors[8])
{
  int n = set == SET_FEW ? 4 : set == SET_GROUPS ? 8 : set == SET_MEMORY ? 6 : PLG_N_AXES;

  for (int i = 0; i < n; i++)
    colors[i] = set == SET_MEMORY ? theme->role[PLG_ROLE_WEIGHTS + i]
                : set == SET_AXES ? theme->role[PLG_ROLE_AXIS_TP + i]
                                  : plg_theme_swatch (theme, i, n, FALSE).fill;
  return n;
}

static double
smallest_distance (const PlgTheme *theme, Set set, ColorView view)
{
  PlgColor colors[8];
  int n = colors_of (theme, set, colors);
  double smallest = G_MAXDOUBLE;

  for (int i = 0; i < n; i++)
    for (int k = i + 1; k < n; k++)
      if (set != SET_MEMORY || k == i + 1)
        smallest = MIN (smallest, color_view_distance (view, colors[i], colors[k]));
  return smallest;
}

/* The smallest distance of colours in each palette for each kind of vision, rounded down. If the
 * distance is small, patterns, dashes and letters distinguish the colours; see below. */
static const double least[PLG_N_PALETTES][N_SETS][N_VIEWS] = {
  /* Each row: normal vision, protan, deutan, tritan, grey, projector. */
  [PLG_PALETTE_LIGHT] = {
    [SET_FEW] = { 19, 5, 8, 7, 0, 15 },
    [SET_GROUPS] = { 12, 0, 2, 5, 0, 10 },
    [SET_MEMORY] = { 8, 8, 9, 6, 1, 5 },
    [SET_AXES] = { 14, 5, 5, 6, 0, 11 },
  },
  [PLG_PALETTE_DARK] = {
    [SET_FEW] = { 16, 4, 4, 7, 0, 11 },
    [SET_GROUPS] = { 16, 1, 2, 6, 0, 9 },
    [SET_MEMORY] = { 9, 8, 10, 7, 3, 6 },
    [SET_AXES] = { 14, 4, 3, 5, 0, 12 },
  },
  [PLG_PALETTE_PRINT] = {
    [SET_FEW] = { 19, 5, 8, 7, 0, 15 },
    [SET_GROUPS] = { 12, 0, 2, 5, 0, 10 },
    [SET_MEMORY] = { 8, 8, 9, 6, 1, 5 },
    [SET_AXES] = { 14, 5, 5, 6, 0, 11 },
  },
  [PLG_PALETTE_GREY] = {
    [SET_FEW] = { 6, 6, 6, 6, 6, 5 },
    [SET_GROUPS] = { 3, 3, 3, 3, 3, 2 },
    [SET_MEMORY] = { 15, 15, 15, 15, 15, 8 },
    [SET_AXES] = { 6, 6, 6, 6, 6, 2 },
  },
  [PLG_PALETTE_COLOR_BLIND] = {
    [SET_FEW] = { 22, 20, 22, 19, 8, 14 },
    [SET_GROUPS] = { 21, 12, 11, 10, 0, 14 },
    [SET_MEMORY] = { 13, 12, 14, 10, 7, 10 },
    [SET_AXES] = { 29, 11, 15, 12, 1, 20 },
  },
  [PLG_PALETTE_HIGH_CONTRAST] = {
    [SET_FEW] = { 18, 6, 3, 5, 1, 16 },
    [SET_GROUPS] = { 14, 0, 2, 5, 0, 12 },
    [SET_MEMORY] = { 17, 17, 19, 17, 14, 13 },
    [SET_AXES] = { 14, 5, 3, 7, 0, 10 },
  },
  [PLG_PALETTE_HIGH_CONTRAST_DARK] = {
    [SET_FEW] = { 15, 4, 3, 7, 0, 10 },
    [SET_GROUPS] = { 15, 2, 2, 6, 0, 6 },
    [SET_MEMORY] = { 9, 9, 10, 9, 3, 6 },
    [SET_AXES] = { 14, 1, 2, 6, 0, 13 },
  },
  [PLG_PALETTE_PROJECTOR] = {
    [SET_FEW] = { 20, 0, 4, 5, 0, 17 },
    [SET_GROUPS] = { 16, 0, 2, 3, 0, 14 },
    [SET_MEMORY] = { 17, 17, 18, 13, 2, 14 },
    [SET_AXES] = { 20, 9, 7, 8, 0, 15 },
  },
};

static void
test_distances (void)
{
  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    for (Set set = 0; set < N_SETS; set++)
      for (ColorView view = 0; view < N_VIEWS; view++)
        {
          PlgTheme theme;
          double smallest;

          plg_theme_init (&theme, palette);
          smallest = smallest_distance (&theme, set, view);
          g_test_message ("%s, %s, %s: %.1f", plg_palette_name (palette), set_names[set],
                          color_view_names[view], smallest);
          if (smallest < least[palette][set][view])
            g_test_fail_printf ("%s: %s are only %.1f apart, not %.0f, for %s",
                                plg_palette_name (palette), set_names[set], smallest,
                                least[palette][set][view], color_view_names[view]);
        }
}

/* The smallest distance of links that differ by a quarter of the scale, rounded down. In grey,
 * scales with several hues reverse; the width of the link and its number distinguish the links. */
static const double least_of_links[PLG_N_PALETTES][N_VIEWS] = {
  /* Each row: normal vision, protan, deutan, tritan, grey, projector. */
  [PLG_PALETTE_LIGHT] = { 15, 9, 6, 14, 0, 9 },
  [PLG_PALETTE_DARK] = { 12, 12, 7, 12, 0, 9 },
  [PLG_PALETTE_PRINT] = { 15, 9, 6, 14, 0, 9 },
  [PLG_PALETTE_GREY] = { 8, 8, 8, 8, 8, 1 },
  [PLG_PALETTE_COLOR_BLIND] = { 12, 13, 12, 10, 8, 5 },
  [PLG_PALETTE_HIGH_CONTRAST] = { 14, 14, 12, 13, 0, 8 },
  [PLG_PALETTE_HIGH_CONTRAST_DARK] = { 10, 11, 7, 11, 0, 8 },
  [PLG_PALETTE_PROJECTOR] = { 14, 14, 12, 13, 0, 8 },
};

static void
test_link_distances (void)
{
  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    for (ColorView view = 0; view < N_VIEWS; view++)
      {
        PlgTheme theme;
        double smallest = G_MAXDOUBLE;

        plg_theme_init (&theme, palette);
        for (int low = 0; low <= 30; low++)
          for (int high = low + 10; high <= 40; high++)
            smallest = MIN (smallest,
                            color_view_distance (view, plg_theme_link_color (&theme, low / 40.0),
                                                 plg_theme_link_color (&theme, high / 40.0)));
        g_test_message ("%s, links, %s: %.1f", plg_palette_name (palette), color_view_names[view],
                        smallest);
        if (smallest < least_of_links[palette][view])
          g_test_fail_printf ("%s: a quarter of the scale is %.1f, not %.0f, for %s",
                              plg_palette_name (palette), smallest, least_of_links[palette][view],
                              color_view_names[view]);
      }
}

/* A link with traffic has a contrast of three to one to its background (WCAG 2.1, success criterion
 * 1.4.11), and the quietest link differs from an idle one. */
static void
test_quiet_links (void)
{
  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    {
      PlgTheme theme;
      PlgColor idle;

      plg_theme_init (&theme, palette);
      idle = theme.role[PLG_ROLE_LINK_IDLE];
      for (int percent = 0; percent <= 100; percent++)
        {
          PlgColor color = plg_theme_link_color (&theme, percent / 100.0);

          g_assert_cmpfloat (plg_color_contrast (color, theme.role[PLG_ROLE_CARD]), >=, 3);
          g_assert_cmpfloat (plg_color_contrast (color, theme.role[PLG_ROLE_BACKGROUND]), >=, 3);
          for (ColorView view = 0; view < N_VIEWS; view++)
            g_assert_cmpfloat (color_view_distance (view, color, idle), >=, MIN_DISTANCE);
        }
      g_assert_cmpfloat (plg_color_contrast (plg_theme_link_color (&theme, 0), idle), >=, 1.8);
      g_assert_cmpfloat (plg_color_contrast (idle, theme.role[PLG_ROLE_CARD]), >=, 1.4);
    }
}

/* The colour-blind palette needs no patterns. */
static void
test_color_blind (void)
{
  for (Set set = 0; set < N_SETS; set++)
    for (ColorView view = VIEW_NORMAL; view <= VIEW_TRITAN; view++)
      g_assert_cmpfloat (least[PLG_PALETTE_COLOR_BLIND][set][view], >=, MIN_DISTANCE);
}

static gboolean
is_hatched (PlgPalette palette)
{
  return palette == PLG_PALETTE_PRINT || palette == PLG_PALETTE_GREY ||
         palette == PLG_PALETTE_PROJECTOR;
}

/* Every axis has groups; there are eight stages. */
static const Sample eight_stages = { "eight-stages", 8, 8, 2, 2, 2, 8, 2, 16 };

/* A spine joins two rails of two nodes. */
static const Sample two_nodes = { "two-nodes", 2, 8, 8, 1, 1, 2, 1, 8 };

static PlgFigure *
draw (PlgPicture picture, PlgPalette palette, PlgShow show, PlgEntity selected)
{
  const Sample *sample = picture == PLG_PICTURE_MATRIX ? &two_nodes : &eight_stages;
  PlgPlan *plan = sample_plan (sample);
  PlgReport *report = sample_report (sample, plan);
  PlgPictureOptions options;
  PlgTheme theme;
  PlgFigure *figure;

  plg_theme_init (&theme, palette);
  plg_picture_options_init (&options, plan);
  options.show = show;
  options.selected = selected;
  options.legend = TRUE;
  figure = plg_picture_figure (picture, plan, report, &theme, &options);
  plg_report_unref (report);
  plg_plan_free (plan);
  return figure;
}

static const PlgEntity nothing = { PLG_ENTITY_NONE, 0, 0 };

/* Returns the tile of GPU, which is its first shape. */
static const PlgShape *
tile_of (const PlgFigure *figure, int gpu)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_RECT && shape->entity.kind == PLG_ENTITY_GPU &&
          shape->entity.index == gpu)
        return shape;
    }
  g_assert_not_reached ();
}

/* Returns the box in the legend before NAME. */
static const PlgShape *
key_of (const PlgFigure *figure, const char *name)
{
  for (int i = 1; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_TEXT && shape->layer == PLG_LAYER_LEGEND &&
          strcmp (shape->text, name) == 0)
        return plg_figure_shape (figure, i - 1);
    }
  g_error ("no \"%s\" in the legend", name);
}

/* Without patterns, a text in each tile names its group. */
static gboolean
has_word (const PlgFigure *figure, int gpu, const char *word)
{
  PlgRect tile = tile_of (figure, gpu)->rect;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      g_auto (GStrv) words = NULL;

      if (shape->kind != PLG_SHAPE_TEXT || !plg_rect_intersects (shape->rect, tile))
        continue;
      words = g_strsplit (shape->text, " ", -1);
      if (g_strv_contains ((const char *const *) words, word))
        return TRUE;
    }
  return FALSE;
}

/* GPUs 4 I to 4 I + 3 of a replica are stage I; the second replica is pale. */
static void
test_stages (void)
{
  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    {
      g_autoptr (PlgFigure) figure = draw (PLG_PICTURE_CLUSTER, palette, PLG_SHOW_ALL, nothing);

      for (int gpu = 0; gpu < 64; gpu += 4)
        {
          const PlgShape *tile = tile_of (figure, gpu);
          int stage = gpu / 4 % 8;
          g_autofree char *name = g_strdup_printf ("p%d", stage);

          g_assert_true (has_word (figure, gpu, name));
          g_assert_cmpint (key_of (figure, name)->hatch, ==, tile->hatch);
          for (int other = gpu / 32 * 32; is_hatched (palette) && other < gpu; other += 4)
            if (!shapes_are_distinct (tile, tile_of (figure, other)))
              g_test_fail_printf ("%s: stages %d and %d look alike", plg_palette_name (palette),
                                  other / 4 % 8, stage);
          if (!is_hatched (palette))
            g_assert_cmpint (tile->hatch, ==, 0);
        }
    }
}

/* With one axis alone, eight groups in a row differ, and each has its letter. */
static void
test_single_axis (void)
{
  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    {
      g_autoptr (PlgFigure) figure = draw (PLG_PICTURE_CLUSTER, palette, PLG_SHOW_TP, nothing);

      for (int group = 0; group < 8; group++)
        {
          const PlgShape *tile = tile_of (figure, group * 2);
          const char letter[] = { (char) ('A' + group), '\0' };

          g_assert_true (has_word (figure, group * 2, letter));
          for (int other = 0; is_hatched (palette) && other < group; other++)
            g_assert_true (shapes_are_distinct (tile, tile_of (figure, other * 2)));
        }
    }
}

static void
test_memory (void)
{
  static const char *const names[] = { "Weights",     "Gradients", "Optimizer",
                                       "Activations", "Buffers",   "Runtime" };

  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    {
      g_autoptr (PlgFigure) figure = draw (PLG_PICTURE_MEMORY, palette, PLG_SHOW_ALL, nothing);

      for (guint i = 0; is_hatched (palette) && i < G_N_ELEMENTS (names); i++)
        for (guint k = 0; k < i; k++)
          if (!shapes_are_distinct (key_of (figure, names[i]), key_of (figure, names[k])))
            g_test_fail_printf ("%s: %s and %s look alike", plg_palette_name (palette), names[i],
                                names[k]);
      /* The bars have the colours of the legend. */
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const PlgShape *shape = plg_figure_shape (figure, i);
          gboolean is_known = FALSE;

          if (g_strcmp0 (shape->classes, "memory") != 0)
            continue;
          for (guint k = 0; k < G_N_ELEMENTS (names); k++)
            {
              const PlgShape *key = key_of (figure, names[k]);

              is_known |= plg_color_distance (key->fill, shape->fill) < 0.001 &&
                          key->hatch == shape->hatch;
            }
          g_assert_true (is_known);
        }
    }
}

/* NVLink, a rail, and a link over the spine, which has the bandwidth of the rail. */
static void
test_matrix (void)
{
  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    {
      g_autoptr (PlgFigure) figure = draw (PLG_PICTURE_MATRIX, palette, PLG_SHOW_ALL, nothing);
      const PlgShape *cells[3];

      for (int i = 0; i < 3; i++)
        cells[i] = plg_figure_find_entity (figure,
                                           (PlgEntity) { PLG_ENTITY_PAIR, 0, i ? 7 + i : 1 });
      for (int i = 0; is_hatched (palette) && i < 3; i++)
        {
          g_assert_true (shapes_are_distinct (cells[i], cells[(i + 1) % 3]));
          g_assert_cmpint (cells[i]->hatch, !=, 5);
        }
    }
}

/* In every palette the outlines of the axes differ in their dashes. */
static void
test_outlines (void)
{
  const PlgEntity gpu = { PLG_ENTITY_GPU, 0, 17 };

  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    {
      g_autoptr (PlgFigure) figure = draw (PLG_PICTURE_CLUSTER, palette, PLG_SHOW_ALL, gpu);
      guint found = 0;
      int axis_of[PLG_DASH_LONG + 1] = { -1, -1, -1, -1, -1 };

      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const PlgShape *shape = plg_figure_shape (figure, i);

          if (shape->entity.kind != PLG_ENTITY_GROUP || shape->kind != PLG_SHAPE_RECT ||
              shape->fill.alpha > 0 || shape->stroke_width < 1.5)
            continue;
          found |= 1u << shape->entity.axis;
          if (axis_of[shape->dashed] < 0)
            axis_of[shape->dashed] = (int) shape->entity.axis;
          g_assert_cmpint (axis_of[shape->dashed], ==, shape->entity.axis);
        }
      g_assert_cmphex (found, ==, (1u << PLG_N_AXES) - 1);
    }
}

/* Hatch lines are visible, and the text on them stays legible. */
static void
test_hatches (void)
{
  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    {
      PlgTheme theme;
      double text = palette == PLG_PALETTE_PROJECTOR ? 7 : 4.5;

      plg_theme_init (&theme, palette);
      for (int count = 1; count <= 64; count++)
        for (int i = 0; i < 2 * count; i++)
          {
            PlgSwatch swatch = plg_theme_swatch (&theme, i / 2, count, i % 2);

            if (swatch.hatch == 0)
              continue;
            g_assert_true (is_hatched (palette));
            g_assert_cmpfloat (plg_color_contrast (swatch.text, swatch.hatch_color), >=, text);
            g_assert_cmpfloat (color_view_distance (VIEW_GREY, swatch.fill, swatch.hatch_color), >,
                               4);
            g_assert_cmpfloat (color_view_distance (VIEW_PROJECTOR, swatch.fill,
                                                    swatch.hatch_color),
                               >, 3);
          }
    }
}

/* The hatches of activities leave the letters on them legible, too. */
static void
test_activity_hatches (void)
{
  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    {
      PlgTheme theme;

      plg_theme_init (&theme, palette);
      for (int stage = 0; stage < 64; stage++)
        for (int activity = 0; activity < PLG_N_ACTIVITIES; activity++)
          {
            PlgSwatch of_stage = plg_theme_swatch (&theme, stage, 64, FALSE);
            PlgSwatch swatch = plg_activity_swatch (&theme, &of_stage, (PlgActivity) activity);

            g_assert_cmpfloat (plg_color_contrast (swatch.text, swatch.fill), >=, 4.5);
            if (plg_activity_hatch ((PlgActivity) activity) == 0)
              continue;
            g_assert_cmpfloat (plg_color_contrast (swatch.text, swatch.hatch_color), >=, 4.5);
            g_assert_cmpfloat (color_view_distance (VIEW_GREY, swatch.fill, swatch.hatch_color), >,
                               4);
          }
    }
}

static void
test_memory_hatches (void)
{
  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    {
      g_autoptr (PlgFigure) figure = draw (PLG_PICTURE_MEMORY, palette, PLG_SHOW_ALL, nothing);
      PlgTheme theme;

      plg_theme_init (&theme, palette);
      for (int i = 0; i < plg_figure_n_shapes (figure); i++)
        {
          const PlgShape *shape = plg_figure_shape (figure, i);

          if (shape->hatch == 0)
            continue;
          g_assert_cmpfloat (plg_color_contrast (plg_theme_text_on (&theme, shape->fill),
                                                 shape->hatch_color),
                             >=, 4.5);
          g_assert_cmpfloat (color_view_distance (VIEW_GREY, shape->fill, shape->hatch_color), >,
                             4);
        }
    }
}

/* In grey and with the projector palette, swatches show the direction of a block, recomputation and
 * waiting. */
static void
test_activities (void)
{
  for (int palette = 0; palette < PLG_N_PALETTES; palette++)
    for (int i = 0; i < 8; i++)
      for (ColorView view = 0; view < N_VIEWS; view++)
        {
          PlgTheme theme;
          PlgSwatch swatch;
          PlgColor idle;

          plg_theme_init (&theme, palette);
          if (view == VIEW_PROJECTOR && palette != PLG_PALETTE_PROJECTOR)
            continue;
          swatch = plg_theme_swatch (&theme, i, 8, FALSE);
          idle = theme.role[PLG_ROLE_GRID];
          g_assert_cmpfloat (color_view_distance (view, swatch.fill, swatch.strong), >=,
                             MIN_DISTANCE);
          g_assert_cmpfloat (color_view_distance (view, swatch.middle, swatch.fill), >=,
                             MIN_DISTANCE);
          g_assert_cmpfloat (color_view_distance (view, swatch.middle, swatch.strong), >=,
                             MIN_DISTANCE);
          g_assert_cmpfloat (color_view_distance (view, swatch.middle, idle), >=, MIN_DISTANCE);
        }
}

/* With light in the room text stays legible and graphics stay visible. */
static void
test_projector (void)
{
  static const PlgRole texts[] = { PLG_ROLE_TEXT,  PLG_ROLE_TEXT_DIM, PLG_ROLE_ACCENT,
                                   PLG_ROLE_ERROR, PLG_ROLE_WARNING,  PLG_ROLE_SUCCESS };
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_PROJECTOR);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_cmpfloat (color_view_contrast (VIEW_PROJECTOR, theme.role[texts[i]],
                                            theme.role[PLG_ROLE_CARD]),
                       >=, 4.5);
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    g_assert_cmpfloat (color_view_contrast (VIEW_PROJECTOR, theme.role[PLG_ROLE_AXIS_TP + axis],
                                            theme.role[PLG_ROLE_CARD]),
                       >=, 3);
  for (int i = 0; i < 8; i++)
    {
      PlgSwatch swatch = plg_theme_swatch (&theme, i, 8, FALSE);

      g_assert_cmpfloat (color_view_contrast (VIEW_PROJECTOR, swatch.text, swatch.fill), >=, 3);
      g_assert_cmpfloat (color_view_contrast (VIEW_PROJECTOR,
                                              plg_theme_text_on (&theme, swatch.middle),
                                              swatch.middle),
                         >=, 3);
      g_assert_cmpfloat (color_view_distance (VIEW_PROJECTOR, swatch.fill,
                                              theme.role[PLG_ROLE_CARD]),
                         >=, MIN_DISTANCE);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/palette/ciede2000", test_ciede2000);
  g_test_add_func ("/palette/views", test_views);
  g_test_add_func ("/palette/distances", test_distances);
  g_test_add_func ("/palette/links/distances", test_link_distances);
  g_test_add_func ("/palette/links/quiet", test_quiet_links);
  g_test_add_func ("/palette/color-blind", test_color_blind);
  g_test_add_func ("/palette/stages", test_stages);
  g_test_add_func ("/palette/single-axis", test_single_axis);
  g_test_add_func ("/palette/memory", test_memory);
  g_test_add_func ("/palette/matrix", test_matrix);
  g_test_add_func ("/palette/outlines", test_outlines);
  g_test_add_func ("/palette/hatches/groups", test_hatches);
  g_test_add_func ("/palette/hatches/memory", test_memory_hatches);
  g_test_add_func ("/palette/hatches/activities", test_activity_hatches);
  g_test_add_func ("/palette/activities", test_activities);
  g_test_add_func ("/palette/projector", test_projector);
  return g_test_run ();
}
