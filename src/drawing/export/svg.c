/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/export/svg.h"

#include "drawing/export/markup.h"
#include "drawing/figure/stroke-geometry.h"

#include <math.h>
#include <string.h>

#define CUT_ID "figure-cut"
#define TITLE_ID "figure-title"
#define DESCRIPTION_ID "figure-description"

typedef struct
{
  GString *out;
  const PlgFigure *figure;
  const PlgTheme *theme;
  PlgLayers layers;
  GHashTable *ids; /* set of the ids in use; an element whose id is already in use gets no id */
  GArray *is_open; /* for each group that contains the current shape, whether <g> was written
                      (gboolean) */
  int open;        /* number of open <g> elements, which is the depth of indentation */
} Writer;

/* Appends COLOR as the attribute NAME, which is "fill" or "stroke". For a translucent colour,
 * also appends the opacity. */
static void
append_color_attribute (GString *out, const char *name, PlgColor color)
{
  if (color.alpha <= 0)
    {
      g_string_append_printf (out, " %s=\"none\"", name);
      return;
    }
  g_string_append_printf (out, " %s=\"#%06x\"", name, plg_color_to_rgb (color));
  if (color.alpha < 1)
    {
      g_autofree char *opacity = g_strconcat (name, "-opacity", NULL);

      plg_markup_number_attribute (out, opacity, color.alpha);
    }
}

static void
append_indent (Writer *writer)
{
  for (int i = 0; i <= writer->open; i++)
    g_string_append (writer->out, "  ");
}

static void
append_names (Writer *writer, const PlgShape *shape)
{
  if (shape->id != NULL && g_hash_table_add (writer->ids, g_strdup (shape->id)))
    plg_markup_text_attribute (writer->out, "id", shape->id);
  if (shape->classes != NULL)
    plg_markup_text_attribute (writer->out, "class", shape->classes);
}

static void
append_title (Writer *writer, const char *title)
{
  if (title == NULL)
    return;
  g_string_append (writer->out, "<title>");
  plg_markup_text (writer->out, title);
  g_string_append (writer->out, "</title>");
}

static void
open_group (Writer *writer, const PlgShape *shape)
{
  append_indent (writer);
  g_string_append (writer->out, "<g");
  append_names (writer, shape);
  g_string_append_c (writer->out, '>');
  append_title (writer, shape->title);
  g_string_append_c (writer->out, '\n');
  writer->open++;
}

static void
close_group (Writer *writer)
{
  writer->open--;
  append_indent (writer);
  g_string_append (writer->out, "</g>\n");
}

static void
append_point (GString *out, char command, PlgPoint point)
{
  g_string_append_c (out, command);
  plg_markup_number (out, point.x);
  g_string_append_c (out, ' ');
  plg_markup_number (out, point.y);
}

/* Appends the path of SHAPE with END as its last point, because the stroke of an arrow ends
 * before its tip. */
static void
append_path_data (Writer *writer, const PlgShape *shape, PlgPoint end)
{
  const PlgPoint *points = plg_figure_points (writer->figure, shape);
  int last = shape->n_points - 1;
  /* Leave out points after the last complete curve, because plg_paint() does not draw them
   * either. */
  int used = shape->smooth ? last / 3 * 3 : last;

  g_string_append (writer->out, " d=\"");
  append_point (writer->out, 'M', points[0]);
  for (int i = 1; i <= used; i++)
    append_point (writer->out,
                  !shape->smooth ? 'L'
                  : i % 3 == 1   ? 'C'
                                 : ' ',
                  i == last ? end : points[i]);
  g_string_append (writer->out, shape->closed ? "Z\"" : "\"");
}

static const char *
element_name (const PlgShape *shape)
{
  return shape->kind == PLG_SHAPE_RECT ? "rect" : "path";
}

/* Appends the attributes that describe the geometry of a <rect> or a <path>. */
static void
append_geometry (Writer *writer, const PlgShape *shape)
{
  const PlgPoint *points = plg_figure_points (writer->figure, shape);
  PlgArrow arrow;

  if (shape->kind == PLG_SHAPE_RECT)
    {
      GString *out = writer->out;
      PlgRect r = shape->rect;
      double radius = MIN (shape->radius, MIN (r.width, r.height) / 2);

      plg_markup_number_attribute (out, "x", r.x);
      plg_markup_number_attribute (out, "y", r.y);
      plg_markup_number_attribute (out, "width", r.width);
      plg_markup_number_attribute (out, "height", r.height);
      if (radius > 0)
        plg_markup_number_attribute (out, "rx", radius);
    }
  else if (plg_shape_arrow (shape, points, &arrow))
    append_path_data (writer, shape, arrow.neck);
  else
    append_path_data (writer, shape, points[shape->n_points - 1]);
}

static void
append_stroke (GString *out, const PlgShape *shape)
{
  double lengths[PLG_MAX_DASHES];
  int n_lengths = plg_shape_dashes (shape, lengths);

  if (!plg_shape_has_stroke (shape))
    return;
  append_color_attribute (out, "stroke", shape->stroke);
  plg_markup_number_attribute (out, "stroke-width", shape->stroke_width);
  if (n_lengths == 0)
    return;
  g_string_append (out, " stroke-dasharray=\"");
  for (int i = 0; i < n_lengths; i++)
    {
      g_string_append (out, i > 0 ? " " : "");
      plg_markup_number (out, lengths[i]);
    }
  g_string_append_c (out, '"');
}

static gboolean
is_hatched (const PlgShape *shape)
{
  return shape->hatch > 0 && plg_shape_hatch_color (shape).alpha > 0;
}

static char *
hatch_id (const PlgShape *shape)
{
  PlgColor color = plg_shape_hatch_color (shape);

  return g_strdup_printf ("hatch-%d-%06x-%02x", (int) plg_hatch_lines (shape->hatch),
                          plg_color_to_rgb (color), (int) lround (MIN (color.alpha, 1) * 255.0));
}

/* Appends a rectangle or a path. If SHAPE needs several elements, they form a group, which gets
 * the id and the classes of SHAPE. */
static void
append_outline (Writer *writer, const PlgShape *shape)
{
  GString *out = writer->out;
  PlgArrow arrow;
  gboolean has_arrow = plg_shape_has_stroke (shape) &&
                       plg_shape_arrow (shape, plg_figure_points (writer->figure, shape), &arrow);
  gboolean is_group = has_arrow || is_hatched (shape);

  if (is_group)
    open_group (writer, shape);
  append_indent (writer);
  g_string_append_printf (out, "<%s", element_name (shape));
  if (!is_group)
    append_names (writer, shape);
  append_geometry (writer, shape);
  append_color_attribute (out, "fill", shape->fill);
  append_stroke (out, shape);
  if (is_group || shape->title == NULL)
    g_string_append (out, "/>\n");
  else
    {
      g_string_append_c (out, '>');
      append_title (writer, shape->title);
      g_string_append_printf (out, "</%s>\n", element_name (shape));
    }
  if (is_hatched (shape))
    {
      g_autofree char *id = hatch_id (shape);

      append_indent (writer);
      g_string_append_printf (out, "<%s", element_name (shape));
      append_geometry (writer, shape);
      g_string_append_printf (out, " fill=\"url(#%s)\"/>\n", id);
    }
  if (has_arrow)
    {
      append_indent (writer);
      g_string_append (out, "<path d=\"");
      append_point (out, 'M', arrow.tip);
      append_point (out, 'L', arrow.left);
      append_point (out, 'L', arrow.right);
      g_string_append (out, "Z\"");
      append_color_attribute (out, "fill", shape->stroke);
      g_string_append (out, "/>\n");
    }
  if (is_group)
    close_group (writer);
}

static void
append_text (Writer *writer, const PlgShape *shape)
{
  static const char *const anchors[] = { NULL, "middle", "end" };
  GString *out = writer->out;

  append_indent (writer);
  g_string_append (out, "<text");
  append_names (writer, shape);
  plg_markup_number_attribute (out, "x", shape->at.x);
  plg_markup_number_attribute (out, "y", shape->at.y);
  plg_markup_number_attribute (out, "font-size", shape->font_size);
  if (shape->bold)
    plg_markup_text_attribute (out, "font-weight", "bold");
  if (anchors[shape->anchor] != NULL)
    plg_markup_text_attribute (out, "text-anchor", anchors[shape->anchor]);
  append_color_attribute (out, "fill", shape->fill);
  g_string_append_c (out, '>');
  append_title (writer, shape->title);
  plg_markup_text (out, shape->text);
  g_string_append (out, "</text>\n");
}

static void
append_group_end (Writer *writer)
{
  gboolean written;

  if (writer->is_open->len == 0)
    return;
  written = g_array_index (writer->is_open, gboolean, writer->is_open->len - 1);
  g_array_set_size (writer->is_open, writer->is_open->len - 1);
  if (written)
    close_group (writer);
}

static void
append_shape (Writer *writer, int index)
{
  const PlgShape *shape = plg_figure_shape (writer->figure, index);

  if (shape->kind == PLG_SHAPE_OPEN)
    {
      /* Write a group only if it has a visible shape. */
      gboolean is_visible = FALSE;

      for (int i = index, depth = 0; i < plg_figure_n_shapes (writer->figure) && !is_visible; i++)
        {
          const PlgShape *inner = plg_figure_shape (writer->figure, i);

          depth += (inner->kind == PLG_SHAPE_OPEN) - (inner->kind == PLG_SHAPE_CLOSE);
          if (depth == 0)
            break;
          is_visible = plg_shape_is_visible_in_layers (inner, writer->layers);
        }
      g_array_append_val (writer->is_open, is_visible);
      if (is_visible)
        open_group (writer, shape);
    }
  else if (shape->kind == PLG_SHAPE_CLOSE)
    append_group_end (writer);
  else if (!plg_shape_is_visible_in_layers (shape, writer->layers))
    return;
  else if (shape->kind == PLG_SHAPE_TEXT)
    append_text (writer, shape);
  else
    append_outline (writer, shape);
}

static void
append_pattern (Writer *writer, const PlgShape *shape)
{
  g_autofree char *id = hatch_id (shape);
  PlgHatchLines lines = plg_hatch_lines (shape->hatch);
  GString *out = writer->out;

  if (g_hash_table_contains (writer->ids, id))
    return;
  g_string_append (out, "    <pattern");
  plg_markup_text_attribute (out, "id", id);
  g_string_append (out, " patternUnits=\"userSpaceOnUse\"");
  plg_markup_number_attribute (out, "width", PLG_HATCH_SPACING);
  plg_markup_number_attribute (out, "height", PLG_HATCH_SPACING);
  g_string_append (out, "><path d=\"");
  /* The path covers one tile of the pattern. The two short lines at the corners are the ends of
   * the diagonals in the neighbouring tiles, which extend into this tile because of their width. */
  if (lines & PLG_HATCH_RISING)
    g_string_append (out, "M-1 1L1 -1M-1 7L7 -1M5 7L7 5");
  if (lines & PLG_HATCH_FALLING)
    g_string_append (out, "M-1 5L1 7M-1 -1L7 7M5 -1L7 1");
  if (lines & PLG_HATCH_LEVEL)
    g_string_append (out, "M0 0H6M0 6H6");
  if (lines & PLG_HATCH_UPRIGHT)
    g_string_append (out, "M0 0V6M6 0V6");
  g_string_append (out, "\" fill=\"none\"");
  append_color_attribute (out, "stroke", plg_shape_hatch_color (shape));
  plg_markup_number_attribute (out, "stroke-width", plg_theme_hatch_width (writer->theme));
  g_string_append (out, "/></pattern>\n");
  g_hash_table_add (writer->ids, g_steal_pointer (&id));
}

static void
append_description (Writer *writer, const char *element, const char *id, const char *text)
{
  if (text[0] == '\0')
    return;
  g_string_append_printf (writer->out, "  <%s id=\"%s\">", element, id);
  plg_markup_text (writer->out, text);
  g_string_append_printf (writer->out, "</%s>\n", element);
  g_hash_table_add (writer->ids, g_strdup (id));
}

static void
append_head (Writer *writer, PlgColor background, GBytes *attachment)
{
  GString *out = writer->out;
  double width = plg_figure_width (writer->figure), height = plg_figure_height (writer->figure);
  gboolean has_hatch = FALSE;

  g_string_append (out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\"");
  plg_markup_number_attribute (out, "width", width);
  plg_markup_number_attribute (out, "height", height);
  g_string_append (out, " viewBox=\"0 0 ");
  plg_markup_number (out, width);
  g_string_append_c (out, ' ');
  plg_markup_number (out, height);
  g_string_append (out, "\" role=\"img\"");
  if (plg_figure_title (writer->figure)[0] != '\0')
    plg_markup_text_attribute (out, "aria-labelledby", TITLE_ID);
  if (plg_figure_description (writer->figure)[0] != '\0')
    plg_markup_text_attribute (out, "aria-describedby", DESCRIPTION_ID);
  plg_markup_text_attribute (out, "font-family", writer->theme->font);
  g_string_append (out, " text-rendering=\"geometricPrecision\" stroke-linejoin=\"round\">\n");
  append_description (writer, "title", TITLE_ID, plg_figure_title (writer->figure));
  append_description (writer, "desc", DESCRIPTION_ID, plg_figure_description (writer->figure));

  if (attachment != NULL && g_bytes_get_size (attachment) > 0)
    {
      gsize size;
      const char *data = g_bytes_get_data (attachment, &size);
      g_autofree char *text = g_strndup (data, size);

      /* Store the plan as text, not as elements. Programs that clean up SVGs keep or remove text
       * as a whole, so spaces and comments in the plan are preserved. */
      g_string_append (out, "  <metadata><plan xmlns=\"" PLG_SVG_NAMESPACE "\">");
      plg_markup_text (out, text);
      g_string_append (out, "</plan></metadata>\n");
    }
  for (int i = 0; i < plg_figure_n_shapes (writer->figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (writer->figure, i);

      if (!plg_shape_is_visible_in_layers (shape, writer->layers) || !is_hatched (shape))
        continue;
      if (!has_hatch)
        g_string_append (out, "  <defs>\n");
      has_hatch = TRUE;
      append_pattern (writer, shape);
    }
  if (has_hatch)
    g_string_append (out, "  </defs>\n");
  if (background.alpha <= 0)
    return;
  g_string_append (out, "  <rect class=\"background\" width=\"100%\" height=\"100%\"");
  append_color_attribute (out, "fill", background);
  g_string_append (out, "/>\n");
}

char *
plg_svg_write (const PlgFigure *figure,
               const PlgTheme *theme,
               PlgLayers layers,
               PlgColor background,
               GBytes *attachment)
{
  Writer writer = { .out = g_string_new (NULL),
                    .figure = figure,
                    .theme = theme,
                    .layers = layers };
  GString *out = writer.out;
  PlgRect cut;
  int n_cut = plg_figure_get_crop (figure, &cut);

  writer.ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  writer.is_open = g_array_new (FALSE, FALSE, sizeof (gboolean));
  append_head (&writer, background, attachment);
  if (n_cut > 0)
    {
      /* Add a clip path, because cropped shapes would otherwise extend into the legend. */
      g_string_append (out, "  <clipPath id=\"" CUT_ID "\"><rect");
      plg_markup_number_attribute (out, "width", cut.width);
      plg_markup_number_attribute (out, "height", cut.height);
      g_string_append (out, "/></clipPath>\n  <g clip-path=\"url(#" CUT_ID ")\">\n");
      g_hash_table_add (writer.ids, g_strdup (CUT_ID));

      for (int i = 0; i < n_cut; i++)
        append_shape (&writer, i);
      g_string_append (out, "  </g>\n");
    }
  for (int i = n_cut; i < plg_figure_n_shapes (figure); i++)
    append_shape (&writer, i);
  while (writer.is_open->len > 0)
    append_group_end (&writer);
  g_string_append (out, "</svg>\n");
  g_hash_table_unref (writer.ids);
  g_array_unref (writer.is_open);
  return g_string_free (out, FALSE);
}
