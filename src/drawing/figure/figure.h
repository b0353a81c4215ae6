/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/theme.h"

G_BEGIN_DECLS

/* A picture as a list of shapes, back to front. The same list is painted, searched for what lies
 * under the pointer, read out, and written to files. Units are points at scale 1 (96 to the inch),
 * y down. */

typedef enum
{
  PLG_SHAPE_RECT, /* x y width height radius */
  PLG_SHAPE_PATH, /* points, optionally closed or with an arrow head */
  PLG_SHAPE_TEXT, /* anchored at x, baseline y */
  PLG_SHAPE_OPEN, /* begins a named group: everything up to its CLOSE belongs to it */
  PLG_SHAPE_CLOSE,
} PlgShapeKind;

typedef enum
{
  PLG_LAYER_CLUSTER, /* nodes, GPUs, texts */
  PLG_LAYER_LINKS,
  PLG_LAYER_GROUPS,  /* outlines */
  PLG_LAYER_HANDLES, /* what can be dragged; never exported */
  PLG_LAYER_LEGEND,
} PlgLayer;
#define PLG_N_LAYERS 5

typedef enum
{
  PLG_ANCHOR_START,
  PLG_ANCHOR_MIDDLE,
  PLG_ANCHOR_END,
} PlgAnchor;

/* What a shape stands for; a pointer or a key that hits it means this thing. */
typedef enum
{
  PLG_ENTITY_NONE,
  PLG_ENTITY_GPU,    /* index: GPU number */
  PLG_ENTITY_NODE,   /* index: node */
  PLG_ENTITY_LINK,   /* index: in report->links */
  PLG_ENTITY_GROUP,  /* axis, index: group number */
  PLG_ENTITY_HANDLE, /* axis, index: a rank of the block whose edge it is */
  PLG_ENTITY_STAGE,  /* index */
  PLG_ENTITY_BLOCK,  /* index: in report->blocks */
  PLG_ENTITY_PART,   /* index: PlgPart */
  PLG_ENTITY_LEGEND,
  PLG_ENTITY_COLLECTIVE, /* index: in report->collectives */
  PLG_ENTITY_PAIR,       /* index: row times rows, and column, of the matrix of pairs */
  PLG_ENTITY_RACK,       /* index: of plg_cluster_layout_rack() */
} PlgEntityKind;

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
  const char *id;      /* unique in the figure, or NULL; owned by the figure */
  const char *classes; /* "gpu tp-2 pp-1", or NULL */
  const char *title;   /* what a tooltip says, or NULL */
  PlgRect rect;        /* RECT: itself. TEXT: its bounds. PATH: its points' bounds, no stroke */
  double radius;
  PlgColor fill; /* alpha 0: none */
  PlgColor stroke;
  double stroke_width;
  PlgDashes dashed;
  int hatch; /* of a rectangle: 0 none, else lines over the fill: 1 /, 2 \, 3 -, 4 |, 5 x, 6 +, 7 /
                and - */
  PlgColor hatch_color; /* alpha 0: that of STROKE */
  gboolean is_mark;     /* a name or number that nothing may cover, not even the focus */
  /* PATH */
  int first_point, n_points;
  gboolean closed;
  gboolean arrow;
  gboolean smooth; /* points are the ends and controls of cubic curves: 1 + 3 k */
  /* TEXT */
  const char *text;
  PlgPoint at; /* baseline at the anchor */
  PlgAnchor anchor;
  double font_size;
  gboolean bold;
} PlgShape;

typedef struct _PlgFigure PlgFigure;

PlgFigure *plg_figure_new (double width, double height);
PlgFigure *plg_figure_ref (PlgFigure *figure);
void plg_figure_unref (PlgFigure *figure);

double plg_figure_width (const PlgFigure *figure);
double plg_figure_height (const PlgFigure *figure);
void plg_figure_resize (PlgFigure *figure, double width, double height);

/* Leaves only what meets RECT, which becomes the whole. Level and upright lines end at its edge;
 * other shapes on it stay whole, and who draws them cuts them off. What is added later is not cut
 * off. For who has made FIGURE: nobody else may hold it yet. */
void plg_figure_crop (PlgFigure *figure, PlgRect rect);
/* How many shapes are not to be seen outside of CUT, where that is not all of the figure: the first
 * ones, up to the end of a group. Else 0. */
int plg_figure_get_crop (const PlgFigure *figure, PlgRect *cut);

/* Texts smaller than LEAST points go. For who has made FIGURE, as above. */
void plg_figure_remove_small_texts (PlgFigure *figure, double least);

/* Title and description of the whole, for SVG and assistive technology. Copied. */
void plg_figure_describe (PlgFigure *figure, const char *title, const char *description);
const char *plg_figure_title (const PlgFigure *figure);
const char *plg_figure_description (const PlgFigure *figure);

/* The background fill of the whole (alpha 0: none). */
void plg_figure_set_background (PlgFigure *figure, PlgColor color);
PlgColor plg_figure_background (const PlgFigure *figure);

/* Adding. Each returns the shape to be given id, thing, stroke …; the pointer holds until the next
 * is added. Shapes take the current layer. */
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
/* From now on groups are left out: opening and closing does nothing. */
void plg_figure_disable_groups (PlgFigure *figure);
/* Strings for a shape; printf-like, owned by the figure. What is no UTF-8 is replaced. */
const char *plg_figure_string (PlgFigure *figure, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Enlarges the shapes from FIRST on FACTOR times, away from the origin. */
void plg_figure_enlarge (PlgFigure *figure, int first, double factor);

/* Makes all of FIGURE, its size too, FACTOR times as large. */
void plg_figure_scale (PlgFigure *figure, double factor);
/* How many times as large as it was laid out it has become by that. */
double plg_figure_get_scale (const PlgFigure *figure);

/* The class of the group that a figure becomes in another one. */
#define PLG_FIGURE_EMBEDDED "placed"
/* Adds what PART shows with its corner at (x, y), FACTOR times as large, for looking at only: its
 * ids get PREFIX in front of them, and nothing of it stands for a thing, since a thing's number
 * means another in another plan. */
void plg_figure_embed (PlgFigure *figure,
                       PlgFigure *part,
                       double x,
                       double y,
                       double factor,
                       const char *prefix);

int plg_figure_n_shapes (const PlgFigure *figure);
const PlgShape *plg_figure_shape (const PlgFigure *figure, int i);
const PlgPoint *plg_figure_points (const PlgFigure *figure, const PlgShape *shape);
const PlgShape *plg_figure_find (const PlgFigure *figure, const char *id);
/* The first that was added for THING. */
const PlgShape *plg_figure_find_entity (const PlgFigure *figure, PlgEntity entity);

/* The shape with a thing at (x, y); lines, and rectangles that are only an outline, count within
 * SLACK of their middle. Handles win over GPUs, blocks and parts, these over groups and links, then
 * come stages, then nodes; of equals the nearest wins, then a link over the line of a group, then
 * the topmost. A rectangle without fill and stroke is not seen but can be hit. NULL when there is
 * none. */
const PlgShape *plg_figure_hit_test (const PlgFigure *figure, double x, double y, double slack);
/* The figure that was placed as the NTH, from 0, and AT moved to its points; NULL where there is no
 * such. */
const PlgFigure *plg_figure_get_embedded (const PlgFigure *figure, int nth, PlgPoint *at);

gboolean plg_entity_equal (PlgEntity a, PlgEntity b);

/* One line a shape, numbers to 1/100: for goldens and for looking. g_free(). */
char *plg_figure_dump (const PlgFigure *figure);

/* The width in points of TEXT in the figure font. */
double plg_text_width (const char *text, double font_size, gboolean bold);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgFigure, plg_figure_unref)

G_END_DECLS
