/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/theme.h"

G_BEGIN_DECLS

/* A figure is a list of shapes, from back to front. The same list is used for painting, hit
 * tests, accessibility and exports. Units are points at scale 1 (96 per inch), and y grows
 * downwards. */

typedef enum
{
  PLG_SHAPE_RECT, /* has x, y, width, height and radius */
  PLG_SHAPE_PATH, /* has points; may be closed or end in an arrow head */
  PLG_SHAPE_TEXT, /* is anchored at x with its baseline at y */
  PLG_SHAPE_OPEN, /* starts a named group, which ends at the matching CLOSE */
  PLG_SHAPE_CLOSE,
} PlgShapeKind;
#define PLG_N_SHAPE_KINDS 5

typedef enum
{
  PLG_LAYER_CLUSTER, /* nodes, GPUs and text */
  PLG_LAYER_LINKS,
  PLG_LAYER_GROUPS,  /* outlines of groups */
  PLG_LAYER_HANDLES, /* handles that the user can drag; never exported */
  PLG_LAYER_LEGEND,
} PlgLayer;
#define PLG_N_LAYERS 5

typedef enum
{
  PLG_ANCHOR_START,
  PLG_ANCHOR_MIDDLE,
  PLG_ANCHOR_END,
} PlgAnchor;
#define PLG_N_ANCHORS 3

/* The part of the plan or of the report that a shape represents. */
typedef enum
{
  PLG_ENTITY_NONE,
  PLG_ENTITY_GPU,    /* index: GPU number */
  PLG_ENTITY_NODE,   /* index: node number */
  PLG_ENTITY_LINK,   /* index: index in report->links */
  PLG_ENTITY_GROUP,  /* has an axis; index: group number */
  PLG_ENTITY_HANDLE, /* has an axis; index: a rank in the block of GPUs whose edge has the handle */
  PLG_ENTITY_STAGE,  /* index: stage */
  PLG_ENTITY_BLOCK,  /* index: index in report->blocks */
  PLG_ENTITY_PART,   /* index: PlgPart */
  PLG_ENTITY_LEGEND,
  PLG_ENTITY_COLLECTIVE, /* index: index in report->collectives */
  PLG_ENTITY_PAIR,       /* index: row × number of columns of the traffic matrix + column */
  PLG_ENTITY_RACK,       /* index: RACK, as passed to plg_cluster_layout_rack() */
  PLG_ENTITY_SHARD,      /* the handle of a shard group (HSDP); index: a rank in the group */
  PLG_ENTITY_POINT,      /* index: row × number of columns of the sweep + column */
} PlgEntityKind;
#define PLG_N_ENTITY_KINDS (PLG_ENTITY_POINT + 1)

typedef struct
{
  PlgEntityKind kind;
  PlgAxis axis;
  int index;
} PlgEntity;

typedef struct
{
  double x, y, width, height;
} PlgRect;

typedef struct
{
  double x, y;
} PlgPoint;

typedef struct
{
  PlgShapeKind kind;
  PlgLayer layer;
  PlgEntity entity;
  const char *id;      /* id that is unique in the figure, or NULL; owned by the figure */
  const char *classes; /* classes, for example "gpu tp-2 pp-1", or NULL */
  const char *title;   /* text of a tooltip, or NULL */
  PlgRect rect;        /* the rectangle itself, the bounds of a text, or the bounds of a path's
                          points without the stroke */
  double radius;
  PlgColor fill; /* fill; not filled if alpha is 0 */
  PlgColor stroke;
  double stroke_width;
  PlgDashes dashed;
  int hatch; /* direction of the hatch lines in a rectangle: 0 for no hatch, 1 /, 2 \, 3 -, 4 |,
                5 x, 6 +, 7 both / and - */
  PlgColor hatch_color; /* colour of the hatch; if its alpha is 0, the hatch has the colour of
                           the stroke */
  gboolean is_mark;     /* whether the shape is a name or number that nothing may cover, not even
                           the focus ring */
  /* only for a path */
  int first_point, n_points;
  gboolean closed;
  gboolean arrow;
  gboolean smooth; /* whether the points are ends and control points of cubic curves; k curves
                      have 1 + 3 k points */
  /* only for a text */
  const char *text;
  PlgPoint at; /* position of the baseline at the anchor */
  PlgAnchor anchor;
  double font_size;
  gboolean bold;
} PlgShape;

typedef struct _PlgFigure PlgFigure;

PlgFigure *plg_figure_new (double width, double height) G_GNUC_WARN_UNUSED_RESULT;
PlgFigure *plg_figure_ref (PlgFigure *figure);
void plg_figure_unref (PlgFigure *figure);

double plg_figure_width (const PlgFigure *figure);
double plg_figure_height (const PlgFigure *figure);
void plg_figure_resize (PlgFigure *figure, double width, double height);

/* plg_figure_crop:
 * @figure: a figure; the caller must hold its only reference
 * @rect: the part to keep, which becomes the whole figure
 *
 * Removes every shape outside @rect. Horizontal and vertical lines end at the edge of @rect.
 * Other shapes on the edge are kept whole, and each backend clips them. Shapes that are added
 * later are not clipped. */
void plg_figure_crop (PlgFigure *figure, PlgRect rect);
/* plg_figure_get_crop:
 * @cut: (out): the rectangle to which shapes are clipped
 *
 * Returns: the number of shapes at the start of the list that must be clipped to @cut. These
 *   shapes contain each group either completely or not at all. The number is 0 if the figure is
 *   not cropped, or if the figure is no larger than @cut and its own edges clip the shapes */
int plg_figure_get_crop (const PlgFigure *figure, PlgRect *cut);

/* Removes text that is smaller than LEAST points. The caller must hold the only reference to
 * FIGURE. */
void plg_figure_remove_small_texts (PlgFigure *figure, double least);

/* Sets the title and the description of the whole figure, for SVG and assistive technology.
 * Copies both texts. */
void plg_figure_describe (PlgFigure *figure, const char *title, const char *description);
const char *plg_figure_title (const PlgFigure *figure);
const char *plg_figure_description (const PlgFigure *figure);

/* Sets or returns the background of the whole figure. The figure has no background if alpha is
 * 0. */
void plg_figure_set_background (PlgFigure *figure, PlgColor color);
PlgColor plg_figure_background (const PlgFigure *figure);

/* plg_figure_rect(), plg_figure_line(), plg_figure_path() and plg_figure_text() add a shape to
 * the current layer and return it, so that the caller can set its id, entity, stroke and so on.
 * The pointer stays valid until the next shape is added. */
void plg_figure_set_layer (PlgFigure *figure, PlgLayer layer);
PlgShape *plg_figure_rect (PlgFigure *figure,
                           double x,
                           double y,
                           double width,
                           double height,
                           double radius,
                           PlgColor fill);
PlgShape *plg_figure_line (PlgFigure *figure,
                           double x1,
                           double y1,
                           double x2,
                           double y2,
                           PlgColor stroke,
                           double stroke_width);
PlgShape *plg_figure_path (PlgFigure *figure,
                           const PlgPoint *points,
                           int n,
                           PlgColor stroke,
                           double stroke_width);
PlgShape *plg_figure_text (PlgFigure *figure,
                           double x,
                           double baseline,
                           PlgAnchor anchor,
                           double font_size,
                           gboolean bold,
                           PlgColor color,
                           const char *text);
void plg_figure_open (PlgFigure *figure, const char *id, const char *classes, const char *title);
void plg_figure_close (PlgFigure *figure);
/* Makes all later calls of plg_figure_open() and plg_figure_close() do nothing. */
void plg_figure_disable_groups (PlgFigure *figure);
/* Formats a string for a shape. The figure owns the string, and invalid UTF-8 is replaced. */
const char *plg_figure_string (PlgFigure *figure, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Enlarges the shapes from index FIRST to the last shape by FACTOR. Their distance from the
 * origin grows by the same factor. */
void plg_figure_enlarge (PlgFigure *figure, int first, double factor);

/* Scales all shapes and the size of FIGURE by FACTOR. */
void plg_figure_scale (PlgFigure *figure, double factor);
/* Returns the product of all factors passed to plg_figure_scale(). */
double plg_figure_get_scale (const PlgFigure *figure);

/* The class of the group that contains an embedded figure. */
#define PLG_FIGURE_EMBEDDED "placed"
/* plg_figure_embed:
 * @part: the figure to add
 * @x: left edge of @part in @figure
 * @y: upper edge of @part in @figure
 * @factor: enlargement of @part
 * @prefix: prefix for every id of @part
 *
 * Adds a copy of all shapes of @part. The copies have no entity, because the same index means a
 * different entity in a different plan. For hit tests, plg_figure_get_embedded() returns @part
 * itself. */
void plg_figure_embed (PlgFigure *figure,
                       PlgFigure *part,
                       double x,
                       double y,
                       double factor,
                       const char *prefix);
/* plg_figure_get_embedded:
 * @nth: number of the embedded figure, from 0
 * @at: (inout): a point in @figure; set to the same point in the embedded figure
 *
 * Returns: (transfer none) (nullable): the embedded figure, or %NULL if there is no embedded
 *   figure with this number */
const PlgFigure *plg_figure_get_embedded (const PlgFigure *figure, int nth, PlgPoint *at);

int plg_figure_n_shapes (const PlgFigure *figure);
const PlgShape *plg_figure_shape (const PlgFigure *figure, int i);
const PlgPoint *plg_figure_points (const PlgFigure *figure, const PlgShape *shape);
const PlgShape *plg_figure_find (const PlgFigure *figure, const char *id);
/* Returns the first shape that was added for ENTITY, or NULL. */
const PlgShape *plg_figure_find_entity (const PlgFigure *figure, PlgEntity entity);

/* plg_figure_hit_test:
 * @slack: maximum distance from the middle of a stroke at which a line or an outline without
 *   fill is hit [points]
 *
 * Finds the shape with an entity at (@x, @y). The priority is: handles; GPUs, schedule blocks,
 * parts of the step time, collectives and GPU pairs; groups and links; stages; nodes, racks and
 * the legend. Among shapes of equal priority, the nearest shape wins. At equal distance, a link
 * wins over the outline or arrow of a group; otherwise the topmost shape wins. A rectangle
 * without fill and stroke is invisible but can be hit.
 *
 * Returns: (transfer none) (nullable): the shape, or %NULL if nothing is hit */
const PlgShape *plg_figure_hit_test (const PlgFigure *figure, double x, double y, double slack);

gboolean plg_entity_equal (PlgEntity a, PlgEntity b);

/* Returns one line per shape, with numbers rounded to 1/100, for golden files and debugging.
 * Free with g_free(). */
char *plg_figure_dump (const PlgFigure *figure) G_GNUC_WARN_UNUSED_RESULT;

/* Returns the width of TEXT in the figure font [points]. */
double plg_text_width (const char *text, double font_size, gboolean bold);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgFigure, plg_figure_unref)

G_END_DECLS
