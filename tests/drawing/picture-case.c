/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture-case.h"

#include "drawing/grid-layout.h"

void
case_init (Case *c, const Sample *sample)
{
  c->plan = sample_plan (sample);
  c->report = sample_report (sample, c->plan);
  plg_theme_init (&c->theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&c->options, c->plan);
}

void
case_clear (Case *c)
{
  plg_plan_free (c->plan);
  plg_report_unref (c->report);
}

PlgFigure *
draw (const Case *c, PlgPicture picture)
{
  return plg_picture_figure (picture, c->plan, c->report, &c->theme, &c->options);
}

PlgRect
natural_gpu (const PlgPlan *plan, int gpu)
{
  PlgGridLayout layout = plg_grid_layout (plan);

  return plg_grid_layout_gpu (&layout, gpu);
}

PlgRect
natural_node (const PlgPlan *plan, int node)
{
  PlgGridLayout layout = plg_grid_layout (plan);

  return plg_grid_layout_node (&layout, node);
}

int
natural_near (const PlgPlan *plan, double x, double y)
{
  PlgGridLayout layout = plg_grid_layout (plan);

  return plg_grid_layout_gpu_near (&layout, x, y);
}

PlgThing
thing (PlgThingKind kind, int index)
{
  return (PlgThing) { kind, PLG_AXIS_TP, index };
}

PlgThing
axis_thing (PlgThingKind kind, PlgAxis axis, int index)
{
  return (PlgThing) { kind, axis, index };
}

void
light (Case *c, PlgThing what)
{
  g_assert_cmpint (c->options.n_lit, <, (int) G_N_ELEMENTS (c->lit));
  c->lit[c->options.n_lit++] = what;
  c->options.lit = c->lit;
}

const PlgShape *
shape_of (const PlgFigure *figure, PlgThing what)
{
  const PlgShape *shape = plg_figure_find_thing (figure, what);

  g_assert_nonnull (shape);
  return shape;
}

gboolean
same_color (PlgColor a, PlgColor b)
{
  return plg_color_distance (a, b) < 1e-4;
}

PlgRect
ink (const PlgShape *text)
{
  return (PlgRect) { text->rect.x + 0.5, text->at.y - 0.7 * text->font_size, text->rect.width - 1,
                     0.75 * text->font_size };
}

const PlgShape *
find_text (const PlgFigure *figure, const char *text)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_TEXT && g_str_equal (shape->text, text))
        return shape;
    }
  return NULL;
}
