/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure.h"

#include "drawing/text.h"

#include <math.h>
#include <string.h>

struct _PlgFigure
{
  gatomicrefcount ref_count;
  double width;
  double height;
  char *title;
  char *description;
  PlgColor background;
  PlgLayer layer;
  int depth;             /* groups that are open */
  GArray *shapes;        /* PlgShape */
  GArray *points;        /* PlgPoint, of all paths */
  GStringChunk *strings; /* texts, ids, titles */
};

PlgFigure *
plg_figure_new (double width, double height)
{
  PlgFigure *figure = g_new0 (PlgFigure, 1);

  g_atomic_ref_count_init (&figure->ref_count);
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

/* Copies TEXT. Names come from files, so bytes that are no UTF-8 are replaced here, once. */
static const char *
keep_string (PlgFigure *figure, const char *text)
{
  g_autofree char *valid = NULL;

  if (g_utf8_validate (text, -1, NULL))
    return g_string_chunk_insert (figure->strings, text);
  valid = g_utf8_make_valid (text, -1);
  return g_string_chunk_insert (figure->strings, valid);
}

/* A line of text has no line breaks and no control characters. */
static const char *
keep_line (PlgFigure *figure, const char *text)
{
  char *line = (char *) keep_string (figure, text);

  for (char *c = line; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';
  return line;
}

const char *
plg_figure_string (PlgFigure *figure, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return keep_string (figure, text);
}

static PlgShape *
add_shape (PlgFigure *figure, PlgShapeKind kind)
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
  PlgShape *shape = add_shape (figure, PLG_SHAPE_RECT);

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

static PlgRect
points_bounds (const PlgPoint *points, int n)
{
  PlgPoint low, high;

  if (n <= 0)
    return (PlgRect) { 0 };
  low = high = points[0];
  for (int i = 1; i < n; i++)
    {
      low.x = MIN (low.x, points[i].x);
      low.y = MIN (low.y, points[i].y);
      high.x = MAX (high.x, points[i].x);
      high.y = MAX (high.y, points[i].y);
    }
  return (PlgRect) { low.x, low.y, high.x - low.x, high.y - low.y };
}

PlgShape *
plg_figure_path (PlgFigure *figure,
                 const PlgPoint *points,
                 int n,
                 PlgColor stroke,
                 double stroke_width)
{
  PlgShape *shape = add_shape (figure, PLG_SHAPE_PATH);

  shape->rect = points_bounds (points, n);
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
  PlgShape *shape = add_shape (figure, PLG_SHAPE_TEXT);
  double width;

  shape->text = keep_line (figure, text);
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
  PlgShape *shape = add_shape (figure, PLG_SHAPE_OPEN);

  shape->id = id != NULL ? keep_string (figure, id) : NULL;
  shape->classes = classes != NULL ? keep_string (figure, classes) : NULL;
  shape->title = title != NULL ? keep_string (figure, title) : NULL;
  figure->depth++;
}

void
plg_figure_close (PlgFigure *figure)
{
  g_return_if_fail (figure->depth > 0);

  add_shape (figure, PLG_SHAPE_CLOSE);
  figure->depth--;
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
plg_figure_find_thing (const PlgFigure *figure, PlgThing thing)
{
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (plg_thing_equal (shape->thing, thing))
        return shape;
    }
  return NULL;
}

gboolean
plg_thing_equal (PlgThing a, PlgThing b)
{
  gboolean has_axis = a.kind == PLG_THING_GROUP || a.kind == PLG_THING_HANDLE;

  if (a.kind != b.kind)
    return FALSE;
  if (a.kind == PLG_THING_NONE)
    return TRUE;
  return a.index == b.index && (!has_axis || a.axis == b.axis);
}

/* What wins when several shapes lie under the pointer; 0: cannot be hit. */
static int
thing_priority (PlgThingKind kind)
{
  switch (kind)
    {
    case PLG_THING_HANDLE:
      return 6;
    case PLG_THING_GPU:
    case PLG_THING_BLOCK:
    case PLG_THING_PART:
      return 5;
    case PLG_THING_GROUP:
      return 4;
    case PLG_THING_LINK:
      return 3;
    case PLG_THING_STAGE:
      return 2;
    case PLG_THING_NODE:
    case PLG_THING_LEGEND:
      return 1;
    case PLG_THING_NONE:
    default:
      return 0;
    }
}

static double
distance_to_segment (PlgPoint p, PlgPoint a, PlgPoint b)
{
  double dx = b.x - a.x, dy = b.y - a.y;
  double squared = dx * dx + dy * dy;
  double t = 0;

  if (squared > 0)
    t = CLAMP (((p.x - a.x) * dx + (p.y - a.y) * dy) / squared, 0, 1);
  return hypot (p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/* The even-odd rule: does the segment from A to B cross the ray that goes right from P? */
static gboolean
crosses_ray (PlgPoint p, PlgPoint a, PlgPoint b)
{
  if ((a.y > p.y) == (b.y > p.y))
    return FALSE;
  return p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x);
}

static PlgPoint
curve_point (const PlgPoint c[4], double t)
{
  double s = 1 - t;
  double w0 = s * s * s, w1 = 3 * s * s * t, w2 = 3 * s * t * t, w3 = t * t * t;

  return (PlgPoint) { w0 * c[0].x + w1 * c[1].x + w2 * c[2].x + w3 * c[3].x,
                      w0 * c[0].y + w1 * c[1].y + w2 * c[2].y + w3 * c[3].y };
}

/* What walking along an outline finds out about the point P. */
typedef struct
{
  PlgPoint p;
  PlgPoint last;
  double distance;
  gboolean inside;
} Walk;

static void
walk_to (Walk *walk, PlgPoint next)
{
  walk->distance = MIN (walk->distance, distance_to_segment (walk->p, walk->last, next));
  if (crosses_ray (walk->p, walk->last, next))
    walk->inside = !walk->inside;
  walk->last = next;
}

/* Curves are walked as chords; sixteen are well below a point of error at the sizes drawn here. */
static Walk
walk_path (const PlgPoint *points, const PlgShape *shape, PlgPoint p)
{
  const int chords = 16;
  Walk walk = { .p = p, .last = points[0], .distance = G_MAXDOUBLE };

  walk_to (&walk, points[0]);
  if (shape->smooth)
    for (int i = 0; i + 3 < shape->n_points; i += 3)
      for (int k = 1; k <= chords; k++)
        walk_to (&walk, curve_point (points + i, (double) k / chords));
  else
    for (int i = 1; i < shape->n_points; i++)
      walk_to (&walk, points[i]);
  if (shape->closed)
    walk_to (&walk, points[0]);
  return walk;
}

static gboolean
rect_holds (PlgRect rect, double margin, PlgPoint p)
{
  return p.x >= rect.x - margin && p.x <= rect.x + rect.width + margin && p.y >= rect.y - margin &&
         p.y <= rect.y + rect.height + margin;
}

static gboolean
is_outline (const PlgShape *shape)
{
  return shape->fill.alpha <= 0 && shape->stroke.alpha > 0 && shape->stroke_width > 0;
}

static double
distance_to_rect_edge (PlgRect r, PlgPoint p)
{
  const PlgPoint corner[] = { { r.x, r.y },
                              { r.x + r.width, r.y },
                              { r.x + r.width, r.y + r.height },
                              { r.x, r.y + r.height } };
  double distance = G_MAXDOUBLE;

  for (int i = 0; i < 4; i++)
    distance = MIN (distance, distance_to_segment (p, corner[i], corner[(i + 1) % 4]));
  return distance;
}

/* How far P is from what is painted of SHAPE: 0 on it; G_MAXDOUBLE where it is not near. */
static double
shape_distance (const PlgFigure *figure, const PlgShape *shape, PlgPoint p, double slack)
{
  double half = shape->stroke_width / 2;
  Walk walk;

  if (!rect_holds (shape->rect, MAX (slack, half), p))
    return G_MAXDOUBLE;
  if (shape->kind == PLG_SHAPE_PATH && shape->n_points > 0)
    {
      walk = walk_path (plg_figure_points (figure, shape), shape, p);
      if (walk.inside && shape->closed && shape->fill.alpha > 0)
        return 0;
      return MAX (0, walk.distance - half);
    }
  if (shape->kind == PLG_SHAPE_RECT && is_outline (shape))
    return MAX (0, distance_to_rect_edge (shape->rect, p) - half);
  if (shape->kind == PLG_SHAPE_RECT || shape->kind == PLG_SHAPE_TEXT)
    return rect_holds (shape->rect, 0, p) ? 0 : G_MAXDOUBLE;
  return G_MAXDOUBLE;
}

static gboolean
is_hit (const PlgShape *shape, double distance, double slack)
{
  return distance <= MAX (0, slack - shape->stroke_width / 2);
}

const PlgShape *
plg_figure_hit (const PlgFigure *figure, double x, double y, double slack)
{
  const PlgShape *best = NULL;
  int best_priority = 0;
  double best_distance = G_MAXDOUBLE;

  for (int i = plg_figure_n_shapes (figure) - 1; i >= 0; i--)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      int priority = thing_priority (shape->thing.kind);
      double distance;

      if (priority == 0 || priority < best_priority)
        continue;
      distance = shape_distance (figure, shape, (PlgPoint) { x, y }, slack);
      if (!is_hit (shape, distance, slack))
        continue;
      if (priority > best_priority || distance < best_distance)
        {
          best = shape;
          best_priority = priority;
          best_distance = distance;
        }
    }
  return best;
}

static const char *const shape_names[] = { "rect", "path", "text", "open", "close" };
static const char *const layer_names[] = { "cluster", "links", "groups", "handles", "legend" };
static const char *const anchor_names[] = { "start", "middle", "end" };
static const char *const thing_names[] = { "none",   "gpu",   "node",  "link", "group",
                                           "handle", "stage", "block", "part", "legend" };

static void
dump_number (GString *out, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  double rounded = round (value * 100) / 100;

  /* Adding zero turns -0 into 0, so that goldens do not depend on the sign of nothing. */
  g_string_append (out, g_ascii_formatd (buffer, sizeof buffer, "%.10g", rounded + 0.0));
}

static void
dump_numbers (GString *out, const char *name, const double *values, int n)
{
  g_string_append_printf (out, " %s", name);
  for (int i = 0; i < n; i++)
    {
      g_string_append_c (out, i == 0 ? ' ' : ',');
      dump_number (out, values[i]);
    }
}

static void
dump_color (GString *out, const char *name, PlgColor color)
{
  g_string_append_printf (out, " %s #%02x%02x%02x", name, (int) lround (color.red * 255),
                          (int) lround (color.green * 255), (int) lround (color.blue * 255));
  if (color.alpha < 1)
    g_string_append_printf (out, "%02x", (int) lround (color.alpha * 255));
}

static void
dump_quoted (GString *out, const char *name, const char *text)
{
  if (text == NULL)
    return;
  g_string_append_printf (out, " %s \"", name);
  for (const char *c = text; *c != '\0'; c++)
    {
      if (*c == '\n')
        g_string_append (out, "\\n");
      else if (*c == '"' || *c == '\\')
        g_string_append_printf (out, "\\%c", *c);
      else
        g_string_append_c (out, *c);
    }
  g_string_append_c (out, '"');
}

static void
dump_rect (GString *out, const PlgShape *shape)
{
  const double rect[] = { shape->rect.x, shape->rect.y, shape->rect.width, shape->rect.height };

  dump_numbers (out, "at", rect, 4);
  if (shape->radius > 0)
    dump_numbers (out, "radius", &shape->radius, 1);
}

static void
dump_path (GString *out, const PlgFigure *figure, const PlgShape *shape)
{
  const PlgPoint *points = plg_figure_points (figure, shape);

  g_string_append (out, shape->smooth ? " curve" : " line");
  for (int i = 0; i < shape->n_points; i++)
    {
      g_string_append_c (out, ' ');
      dump_number (out, points[i].x);
      g_string_append_c (out, ',');
      dump_number (out, points[i].y);
    }
  g_string_append (out, shape->closed ? " closed" : "");
  g_string_append (out, shape->arrow ? " arrow" : "");
}

static void
dump_text (GString *out, const PlgShape *shape)
{
  const double at[] = { shape->at.x, shape->at.y };

  dump_quoted (out, "says", shape->text);
  dump_numbers (out, "at", at, 2);
  g_string_append_printf (out, " %s", anchor_names[shape->anchor]);
  dump_numbers (out, "size", &shape->font_size, 1);
  g_string_append (out, shape->bold ? " bold" : "");
}

static void
dump_paint (GString *out, const PlgShape *shape)
{
  if (shape->fill.alpha > 0)
    dump_color (out, "fill", shape->fill);
  if (shape->stroke.alpha > 0 && (shape->stroke_width > 0 || shape->hatch != 0))
    {
      dump_color (out, "stroke", shape->stroke);
      dump_numbers (out, "width", &shape->stroke_width, 1);
    }
  g_string_append (out, shape->dashed ? " dashed" : "");
  if (shape->hatch != 0)
    g_string_append_printf (out, " hatch %d", shape->hatch);
}

static void
dump_thing (GString *out, PlgThing thing)
{
  if (thing.kind == PLG_THING_NONE)
    return;
  g_string_append_printf (out, " is %s", thing_names[thing.kind]);
  if (thing.kind == PLG_THING_GROUP || thing.kind == PLG_THING_HANDLE)
    g_string_append_printf (out, " %s", plg_axis_name (thing.axis));
  g_string_append_printf (out, " %d", thing.index);
}

static void
dump_shape (GString *out, const PlgFigure *figure, const PlgShape *shape)
{
  g_string_append (out, shape_names[shape->kind]);
  if (shape->kind == PLG_SHAPE_CLOSE)
    return;
  g_string_append_printf (out, " %s", layer_names[shape->layer]);
  if (shape->kind == PLG_SHAPE_RECT)
    dump_rect (out, shape);
  else if (shape->kind == PLG_SHAPE_PATH)
    dump_path (out, figure, shape);
  else if (shape->kind == PLG_SHAPE_TEXT)
    dump_text (out, shape);
  dump_paint (out, shape);
  dump_thing (out, shape->thing);
  dump_quoted (out, "id", shape->id);
  dump_quoted (out, "class", shape->classes);
  dump_quoted (out, "title", shape->title);
}

char *
plg_figure_dump (const PlgFigure *figure)
{
  GString *out = g_string_new ("figure");
  const double size[] = { figure->width, figure->height };
  int depth = 0;

  dump_numbers (out, "size", size, 2);
  if (figure->background.alpha > 0)
    dump_color (out, "background", figure->background);
  dump_quoted (out, "title", figure->title);
  dump_quoted (out, "description", figure->description);
  g_string_append_c (out, '\n');
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      depth -= shape->kind == PLG_SHAPE_CLOSE;
      for (int k = 0; k < depth; k++)
        g_string_append (out, "  ");
      dump_shape (out, figure, shape);
      g_string_append_c (out, '\n');
      depth += shape->kind == PLG_SHAPE_OPEN;
    }
  return g_string_free (out, FALSE);
}
