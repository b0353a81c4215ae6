/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/figure.h"

#include "drawing/figure/stroke-geometry.h"
#include "drawing/figure/text.h"

#include <math.h>
#include <string.h>

typedef struct
{
  PlgFigure *part;
  double x, y, factor;
} Embedded;

struct _PlgFigure
{
  gatomicrefcount ref_count;
  double width;
  double height;
  double scale; /* product of all factors passed to plg_figure_scale() */
  char *title;
  char *description;
  PlgColor background;
  PlgLayer layer;
  int depth; /* number of open groups */
  gboolean has_no_groups;
  GArray *shapes;        /* PlgShape entries */
  GArray *points;        /* points (PlgPoint) of all paths */
  GStringChunk *strings; /* storage for texts, ids and titles */
  GArray *embedded;      /* embedded figures (Embedded), or NULL */
  PlgRect cut;           /* area of a cropped figure; shapes are clipped to this area */
  int n_cut;             /* number of shapes that are clipped to CUT */
};

PlgFigure *
plg_figure_new (double width, double height)
{
  PlgFigure *figure = g_new0 (PlgFigure, 1);

  g_atomic_ref_count_init (&figure->ref_count);
  figure->scale = 1;
  figure->width = width;
  figure->height = height;
  figure->title = g_strdup ("");
  figure->description = g_strdup ("");
  figure->shapes = g_array_sized_new (FALSE, TRUE, sizeof (PlgShape), 256);
  figure->points = g_array_sized_new (FALSE, FALSE, sizeof (PlgPoint), 256);
  figure->strings = g_string_chunk_new (4096);
  return figure;
}

PlgFigure *
plg_figure_ref (PlgFigure *figure)
{
  g_return_val_if_fail (figure != NULL, NULL);

  g_atomic_ref_count_inc (&figure->ref_count);
  return figure;
}

void
plg_figure_unref (PlgFigure *figure)
{
  g_return_if_fail (figure != NULL);

  if (!g_atomic_ref_count_dec (&figure->ref_count))
    return;
  g_free (figure->title);
  g_free (figure->description);
  g_array_unref (figure->shapes);
  g_array_unref (figure->points);
  g_string_chunk_free (figure->strings);
  g_clear_pointer (&figure->embedded, g_array_unref);
  g_free (figure);
}

double
plg_figure_width (const PlgFigure *figure)
{
  return figure->width;
}

double
plg_figure_height (const PlgFigure *figure)
{
  return figure->height;
}

void
plg_figure_resize (PlgFigure *figure, double width, double height)
{
  figure->width = width;
  figure->height = height;
}

void
plg_figure_crop (PlgFigure *figure, PlgRect rect)
{
  guint kept = 0;

  for (guint i = 0; i < figure->shapes->len; i++)
    {
      PlgShape shape = g_array_index (figure->shapes, PlgShape, i);

      if (shape.kind != PLG_SHAPE_OPEN && shape.kind != PLG_SHAPE_CLOSE &&
          !plg_rect_intersects (plg_shape_extents (&shape), rect))
        continue;

      /* Shorten a horizontal or vertical line so that it ends at the edges of RECT. */
      if (shape.kind == PLG_SHAPE_PATH && shape.n_points == 2 && !shape.arrow)
        {
          PlgPoint *p = &g_array_index (figure->points, PlgPoint, shape.first_point);

          for (int j = 0; j < 2 && p[0].x == p[1].x; j++)
            p[j].y = CLAMP (p[j].y, rect.y, rect.y + rect.height);
          for (int j = 0; j < 2 && p[0].y == p[1].y; j++)
            p[j].x = CLAMP (p[j].x, rect.x, rect.x + rect.width);
          shape.rect = (PlgRect) { MIN (p[0].x, p[1].x), MIN (p[0].y, p[1].y),
                                   fabs (p[1].x - p[0].x), fabs (p[1].y - p[0].y) };
        }
      shape.rect.x -= rect.x;
      shape.rect.y -= rect.y;
      shape.at.x -= rect.x;
      shape.at.y -= rect.y;
      g_array_index (figure->shapes, PlgShape, kept++) = shape;
    }
  g_array_set_size (figure->shapes, kept);
  for (guint i = 0; i < figure->points->len; i++)
    {
      g_array_index (figure->points, PlgPoint, i).x -= rect.x;
      g_array_index (figure->points, PlgPoint, i).y -= rect.y;
    }
  plg_figure_resize (figure, rect.width, rect.height);
  figure->cut = (PlgRect) { 0, 0, rect.width, rect.height };
  figure->n_cut = (int) kept;
}

int
plg_figure_get_crop (const PlgFigure *figure, PlgRect *cut)
{
  *cut = figure->cut;
  return figure->width > cut->width || figure->height > cut->height ? figure->n_cut : 0;
}

void
plg_figure_remove_small_texts (PlgFigure *figure, double least)
{
  guint kept = 0;

  for (guint i = 0; i < figure->shapes->len; i++)
    {
      PlgShape shape = g_array_index (figure->shapes, PlgShape, i);

      /* Allow a small tolerance, because rounding may make a text of size LEAST slightly
       * smaller. */
      if (shape.kind != PLG_SHAPE_TEXT || shape.font_size >= least * 0.999)
        g_array_index (figure->shapes, PlgShape, kept++) = shape;
    }
  g_array_set_size (figure->shapes, kept);
}

void
plg_figure_describe (PlgFigure *figure, const char *title, const char *description)
{
  g_free (figure->title);
  g_free (figure->description);
  figure->title = g_utf8_make_valid (title != NULL ? title : "", -1);
  figure->description = g_utf8_make_valid (description != NULL ? description : "", -1);
}

const char *
plg_figure_title (const PlgFigure *figure)
{
  return figure->title;
}

const char *
plg_figure_description (const PlgFigure *figure)
{
  return figure->description;
}

void
plg_figure_set_background (PlgFigure *figure, PlgColor color)
{
  figure->background = color;
}

PlgColor
plg_figure_background (const PlgFigure *figure)
{
  return figure->background;
}

void
plg_figure_set_layer (PlgFigure *figure, PlgLayer layer)
{
  figure->layer = layer;
}

/* Copies TEXT. Texts from files may contain invalid UTF-8, which is replaced here so that no
 * other code has to handle it. */
static const char *
figure_store_string (PlgFigure *figure, const char *text)
{
  g_autofree char *valid = NULL;

  if (text == NULL)
    return NULL;
  if (g_utf8_validate (text, -1, NULL))
    return g_string_chunk_insert (figure->strings, text);
  valid = g_utf8_make_valid (text, -1);
  return g_string_chunk_insert (figure->strings, valid);
}

const char *
plg_figure_string (PlgFigure *figure, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return figure_store_string (figure, text);
}

static PlgShape *
figure_add_shape (PlgFigure *figure, PlgShapeKind kind)
{
  PlgShape *shape;

  g_array_set_size (figure->shapes, figure->shapes->len + 1);
  shape = &g_array_index (figure->shapes, PlgShape, figure->shapes->len - 1);
  shape->kind = kind;
  shape->layer = figure->layer;
  return shape;
}

PlgShape *
plg_figure_rect (PlgFigure *figure,
                 double x,
                 double y,
                 double width,
                 double height,
                 double radius,
                 PlgColor fill)
{
  PlgShape *shape = figure_add_shape (figure, PLG_SHAPE_RECT);

  shape->rect = (PlgRect) { x, y, width, height };
  shape->radius = radius;
  shape->fill = fill;
  return shape;
}

PlgShape *
plg_figure_line (PlgFigure *figure,
                 double x1,
                 double y1,
                 double x2,
                 double y2,
                 PlgColor stroke,
                 double stroke_width)
{
  const PlgPoint points[] = { { x1, y1 }, { x2, y2 } };

  return plg_figure_path (figure, points, G_N_ELEMENTS (points), stroke, stroke_width);
}

PlgShape *
plg_figure_path (PlgFigure *figure,
                 const PlgPoint *points,
                 int n,
                 PlgColor stroke,
                 double stroke_width)
{
  PlgShape *shape = figure_add_shape (figure, PLG_SHAPE_PATH);

  if (n > 0)
    {
      PlgPoint low = points[0], high = points[0];

      for (int i = 1; i < n; i++)
        {
          low.x = MIN (low.x, points[i].x);
          low.y = MIN (low.y, points[i].y);
          high.x = MAX (high.x, points[i].x);
          high.y = MAX (high.y, points[i].y);
        }
      shape->rect = (PlgRect) { low.x, low.y, high.x - low.x, high.y - low.y };
    }
  shape->stroke = stroke;
  shape->stroke_width = stroke_width;
  shape->first_point = figure->points->len;
  shape->n_points = n;
  g_array_append_vals (figure->points, points, n);
  return shape;
}

PlgShape *
plg_figure_text (PlgFigure *figure,
                 double x,
                 double baseline,
                 PlgAnchor anchor,
                 double font_size,
                 gboolean bold,
                 PlgColor color,
                 const char *text)
{
  PlgShape *shape = figure_add_shape (figure, PLG_SHAPE_TEXT);
  char *line = (char *) figure_store_string (figure, text);
  double width;

  /* Replace line breaks and other control characters with spaces, because a figure shows each
   * text on a single line. */
  for (char *c = line; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';
  shape->text = line;
  shape->at = (PlgPoint) { x, baseline };
  shape->anchor = anchor;
  shape->font_size = font_size;
  shape->bold = bold;
  shape->fill = color;
  width = plg_text_width (shape->text, font_size, bold);
  shape->rect = (PlgRect) { plg_text_left (x, anchor, width),
                            baseline - PLG_TEXT_ASCENT * font_size, width,
                            (PLG_TEXT_ASCENT + PLG_TEXT_DESCENT) * font_size };
  return shape;
}

void
plg_figure_open (PlgFigure *figure, const char *id, const char *classes, const char *title)
{
  PlgShape *shape;

  if (figure->has_no_groups)
    return;
  shape = figure_add_shape (figure, PLG_SHAPE_OPEN);
  shape->id = figure_store_string (figure, id);
  shape->classes = figure_store_string (figure, classes);
  shape->title = figure_store_string (figure, title);
  figure->depth++;
}

void
plg_figure_close (PlgFigure *figure)
{
  if (figure->has_no_groups)
    return;
  g_return_if_fail (figure->depth > 0);

  figure_add_shape (figure, PLG_SHAPE_CLOSE);
  figure->depth--;
}

static void
figure_enlarge_shape (PlgFigure *figure, PlgShape *shape, double factor)
{
  shape->rect.x *= factor;
  shape->rect.y *= factor;
  shape->rect.width *= factor;
  shape->rect.height *= factor;
  shape->radius *= factor;
  shape->stroke_width *= factor;
  shape->at.x *= factor;
  shape->at.y *= factor;
  shape->font_size *= factor;
  for (int i = 0; i < shape->n_points; i++)
    {
      PlgPoint *point = &g_array_index (figure->points, PlgPoint, shape->first_point + i);

      point->x *= factor;
      point->y *= factor;
    }
}

void
plg_figure_enlarge (PlgFigure *figure, int first, double factor)
{
  g_return_if_fail (first >= 0 && factor > 0);

  for (guint i = first; i < figure->shapes->len; i++)
    figure_enlarge_shape (figure, &g_array_index (figure->shapes, PlgShape, i), factor);
}

void
plg_figure_scale (PlgFigure *figure, double factor)
{
  plg_figure_enlarge (figure, 0, factor);
  plg_figure_resize (figure, figure->width * factor, figure->height * factor);
  figure->cut.width *= factor;
  figure->cut.height *= factor;
  figure->scale *= factor;
}

double
plg_figure_get_scale (const PlgFigure *figure)
{
  return figure->scale;
}

static void
embedded_clear (Embedded *embedded)
{
  plg_figure_unref (embedded->part);
}

const PlgFigure *
plg_figure_get_embedded (const PlgFigure *figure, int nth, PlgPoint *at)
{
  const Embedded *embedded;

  if (figure->embedded == NULL || nth < 0 || nth >= (int) figure->embedded->len)
    return NULL;
  embedded = &g_array_index (figure->embedded, Embedded, nth);
  *at = (PlgPoint) { (at->x - embedded->x) / embedded->factor,
                     (at->y - embedded->y) / embedded->factor };
  return embedded->part;
}

void
plg_figure_embed (PlgFigure *figure,
                  PlgFigure *part,
                  double x,
                  double y,
                  double factor,
                  const char *prefix)
{
  Embedded embedded = { part, x, y, factor };
  int first_point = figure->points->len;

  g_return_if_fail (figure != part && factor > 0);

  /* Keep a reference to PART, so that its entities remain available for hit tests. */
  if (figure->embedded == NULL)
    {
      figure->embedded = g_array_new (FALSE, FALSE, sizeof (Embedded));
      g_array_set_clear_func (figure->embedded, (GDestroyNotify) embedded_clear);
    }
  plg_figure_ref (part);
  g_array_append_val (figure->embedded, embedded);
  plg_figure_open (figure, NULL, PLG_FIGURE_EMBEDDED, part->title);
  if (part->points->len > 0)
    g_array_append_vals (figure->points, part->points->data, part->points->len);
  for (guint i = 0; i < part->shapes->len; i++)
    {
      PlgShape shape = g_array_index (part->shapes, PlgShape, i);

      shape.first_point += first_point;
      shape.entity = (PlgEntity) { PLG_ENTITY_NONE, 0, 0 };
      shape.id = shape.id != NULL ? plg_figure_string (figure, "%s%s", prefix, shape.id) : NULL;
      shape.classes = figure_store_string (figure, shape.classes);
      shape.title = figure_store_string (figure, shape.title);
      shape.text = figure_store_string (figure, shape.text);
      figure_enlarge_shape (figure, &shape, factor);
      shape.rect.x += x;
      shape.rect.y += y;
      shape.at.x += x;
      shape.at.y += y;
      for (int j = 0; j < shape.n_points; j++)
        {
          PlgPoint *point = &g_array_index (figure->points, PlgPoint, shape.first_point + j);

          point->x += x;
          point->y += y;
        }
      g_array_append_val (figure->shapes, shape);
    }
  plg_figure_close (figure);
}

void
plg_figure_disable_groups (PlgFigure *figure)
{
  g_return_if_fail (figure->depth == 0);

  figure->has_no_groups = TRUE;
}

int
plg_figure_n_shapes (const PlgFigure *figure)
{
  return (int) figure->shapes->len;
}

const PlgShape *
plg_figure_shape (const PlgFigure *figure, int i)
{
  g_return_val_if_fail (i >= 0 && i < (int) figure->shapes->len, NULL);

  return &g_array_index (figure->shapes, PlgShape, i);
}

const PlgPoint *
plg_figure_points (const PlgFigure *figure, const PlgShape *shape)
{
  if (shape->n_points == 0)
    return NULL;
  return &g_array_index (figure->points, PlgPoint, shape->first_point);
}

const PlgShape *
plg_figure_find (const PlgFigure *figure, const char *id)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->id != NULL && strcmp (shape->id, id) == 0)
        return shape;
    }
  return NULL;
}

const PlgShape *
plg_figure_find_entity (const PlgFigure *figure, PlgEntity entity)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (plg_entity_equal (shape->entity, entity))
        return shape;
    }
  return NULL;
}

gboolean
plg_entity_equal (PlgEntity a, PlgEntity b)
{
  gboolean has_axis = a.kind == PLG_ENTITY_GROUP || a.kind == PLG_ENTITY_HANDLE;

  if (a.kind != b.kind)
    return FALSE;
  if (a.kind == PLG_ENTITY_NONE)
    return TRUE;
  return a.index == b.index && (!has_axis || a.axis == b.axis);
}
