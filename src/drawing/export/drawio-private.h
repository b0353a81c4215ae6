/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/drawio.h"

G_BEGIN_DECLS

/* A drawing while it is written; only the files drawio*.c use this. */

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
  GHashTable *ids;   /* those that are taken */
  GHashTable *cells; /* id -> PlgDrawioCell, of what edges can join and children lie in */
  /* Of the group that the current shape is in: */
  const PlgShape *group;
  char *parent; /* the cell in which its further shapes lie, or NULL */
  gboolean is_titled;
  gboolean is_wrapped;   /* the cell that is being written has a tooltip */
  const PlgShape *label; /* the text that this cell bears itself */
  PlgRect cut; /* beyond its right and lower edge the shape does not go; width 0: it does */
  int n_named; /* cells that have no name of their own are numbered */
} PlgDrawio;

/* drawio.c */
void plg_drawio_cell_free (gpointer data);
const char *plg_drawio_layer (PlgLayer layer);
/* WANTED, or, where it is NULL or taken, a number. g_free(). */
char *plg_drawio_make_id (PlgDrawio *writer, const char *wanted);
/* A cell, KIND is vertex or edge; its geometry follows. */
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
/* Edges can join the cell then, and others lie in it. */
void plg_drawio_register_cell (PlgDrawio *writer, const char *id, PlgRect rect);
const char *plg_drawio_node_or_layer (const PlgDrawio *writer, int node, const PlgShape *shape);
const char *plg_drawio_take_tooltip (PlgDrawio *writer, const PlgShape *shape);
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
