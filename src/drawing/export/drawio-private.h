/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/drawio.h"

G_BEGIN_DECLS

/* A drawing while it is written; private to drawio*.c. */

typedef struct
{
  char *id;
  PlgRect rect;
} PlgDrawioCell;

typedef struct
{
  GString *out;
  const PlgFigure *figure;
  const PlgTheme *theme;
  PlgLayers layers;
  const PlgPlan *plan;
  const PlgReport *report;
  GHashTable *ids;   /* set of the ids in use */
  GHashTable *cells; /* id -> PlgDrawioCell, the cells that edges can join and children lie in */
  const PlgShape *group; /* group of the current shape, or NULL */
  char *parent;          /* id of the cell that contains the further shapes of the group, or NULL */
  gboolean is_titled;    /* whether a cell has the tooltip of the group */
  gboolean is_wrapped;   /* whether the current cell has a tooltip */
  const PlgShape *label; /* text that the current cell has as its label, or NULL */
  PlgRect cut;           /* crop of the current shape; width 0 if the shape is not cropped */
  int n_named;           /* number of cells without an id of their own */
} PlgDrawio;

/* drawio.c */
void plg_drawio_cell_free (gpointer data);
const char *plg_drawio_layer (PlgLayer layer);
/* Returns: (transfer full): WANTED, or a numbered id if WANTED is NULL or in use. */
char *plg_drawio_make_id (PlgDrawio *writer, const char *wanted);
/* Writes <mxCell> with LABEL as its value, inside an <object> if there is a tooltip, since a cell
 * alone has none. KIND is "vertex" or "edge"; the geometry and plg_drawio_close_cell() follow. */
void plg_drawio_open_cell (PlgDrawio *writer,
                           const char *id,
                           const char *label,
                           const char *tooltip,
                           const char *style,
                           const char *parent,
                           const char *kind);
void plg_drawio_close_cell (PlgDrawio *writer);
void plg_drawio_add_vertex (PlgDrawio *writer,
                            const char *id,
                            const char *label,
                            const char *tooltip,
                            const GString *style,
                            const char *parent,
                            PlgRect rect);
/* Makes the cell known to edges and children. */
void plg_drawio_register_cell (PlgDrawio *writer, const char *id, PlgRect rect);
/* Returns the id of the cell of NODE, or of the layer of SHAPE if NODE has no cell. */
const char *plg_drawio_node_or_layer (const PlgDrawio *writer, int node, const PlgShape *shape);
/* Returns the title of SHAPE, or the title of its group for the first shape of the group. */
const char *plg_drawio_take_tooltip (PlgDrawio *writer, const PlgShape *shape);
/* Adds a cell that contains other cells, with its label. */
void plg_drawio_add_owner (PlgDrawio *writer,
                           const PlgShape *shape,
                           const char *wanted,
                           const char *parent);

/* drawio-style.c */
void plg_drawio_style_number (GString *style, const char *key, double value);
void plg_drawio_style_color (GString *style, const char *key, PlgColor color, const char *opacity);
void plg_drawio_style_stroke (GString *style, const PlgShape *shape);
void plg_drawio_style_box (GString *style, const PlgShape *shape);
void plg_drawio_style_text (GString *style, const PlgShape *text);

/* drawio-edges.c */
gboolean plg_drawio_has_links (const PlgDrawio *writer);
gboolean plg_drawio_is_link (const PlgDrawio *writer, const PlgShape *shape);
const PlgLink *plg_drawio_link (const PlgDrawio *writer, int index);
void plg_drawio_add_line (PlgDrawio *writer, const PlgShape *shape);
void plg_drawio_add_nic (PlgDrawio *writer, const PlgShape *shape);
void plg_drawio_add_bars (PlgDrawio *writer);
void plg_drawio_append_link (PlgDrawio *writer, const PlgShape *shape);

G_END_DECLS
