/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture-case.h"

#include "drawing/cluster/cluster-layout.h"

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
  PlgClusterLayout layout = plg_cluster_layout (plan);

  return plg_cluster_layout_gpu (&layout, gpu);
}

PlgRect
natural_node (const PlgPlan *plan, int node)
{
  PlgClusterLayout layout = plg_cluster_layout (plan);

  return plg_cluster_layout_node (&layout, node);
}

int
natural_near (const PlgPlan *plan, double x, double y)
{
  PlgClusterLayout layout = plg_cluster_layout (plan);

  return plg_cluster_layout_gpu_near (&layout, x, y);
}

PlgEntity
entity (PlgEntityKind kind, int index)
{
  return (PlgEntity) { kind, PLG_AXIS_TP, index };
}

PlgEntity
axis_entity (PlgEntityKind kind, PlgAxis axis, int index)
{
  return (PlgEntity) { kind, axis, index };
}

void
highlight (Case *c, PlgEntity what)
{
  g_assert_cmpint (c->options.n_highlighted, <, (int) G_N_ELEMENTS (c->highlighted));
  c->highlighted[c->options.n_highlighted++] = what;
  c->options.highlighted = c->highlighted;
}

const PlgShape *
shape_of (const PlgFigure *figure, PlgEntity what)
{
  const PlgShape *shape = plg_figure_find_entity (figure, what);

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
