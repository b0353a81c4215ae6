/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/export/drawio-private.h"

#include "drawing/export/markup.h"
#include "drawing/figure/stroke-geometry.h"

/* Colours, strokes and fonts as styles of a cell. */

void
plg_drawio_style_number (GString *style, const char *key, double value)
{
  g_string_append_printf (style, "%s=", key);
  plg_markup_number (style, value);
  g_string_append_c (style, ';');
}

void
plg_drawio_style_color (GString *style, const char *key, PlgColor color, const char *opacity)
{
  if (color.alpha <= 0)
    {
      g_string_append_printf (style, "%s=none;", key);
      return;
    }
  g_string_append_printf (style, "%s=#%06X;", key, plg_color_to_rgb (color));
  if (color.alpha < 1)
    plg_drawio_style_number (style, opacity, color.alpha * 100);
}

void
plg_drawio_style_stroke (GString *style, const PlgShape *shape)
{
  double lengths[PLG_MAX_DASHES];
  int n_lengths = plg_shape_dashes (shape, lengths);
  PlgColor none = PLG_COLOR_NONE;

  if (!plg_shape_has_stroke (shape))
    {
      plg_drawio_style_color (style, "strokeColor", none, "strokeOpacity");
      return;
    }
  plg_drawio_style_color (style, "strokeColor", shape->stroke, "strokeOpacity");
  plg_drawio_style_number (style, "strokeWidth", shape->stroke_width);
  if (n_lengths == 0)
    return;
  g_string_append (style, "dashed=1;fixDash=1;dashPattern=");
  for (int i = 0; i < n_lengths; i++)
    {
      g_string_append (style, i > 0 ? " " : "");
      plg_markup_number (style, lengths[i]);
    }
  g_string_append_c (style, ';');
}

void
plg_drawio_style_box (GString *style, const PlgShape *shape)
{
  double radius = MIN (shape->radius, MIN (shape->rect.width, shape->rect.height) / 2);

  if (radius > 0)
    {
      g_string_append (style, "rounded=1;absoluteArcSize=1;");
      plg_drawio_style_number (style, "arcSize", 2 * radius);
    }
  plg_drawio_style_color (style, "fillColor", shape->fill, "fillOpacity");
  plg_drawio_style_stroke (style, shape);
}

/* Text is never HTML, since names come from files. */
void
plg_drawio_style_text (GString *style, const PlgShape *text)
{
  static const char *const aligns[] = { "left", "center", "right" };

  g_string_append_printf (style, "html=0;align=%s;spacing=0;%s", aligns[text->anchor],
                          text->bold ? "fontStyle=1;" : "");
  plg_drawio_style_number (style, "fontSize", text->font_size);
  plg_drawio_style_color (style, "fontColor", text->fill, "textOpacity");
}
