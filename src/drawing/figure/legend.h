/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"

G_BEGIN_DECLS

/* A legend below a picture or to its right. Entries flow from left to right and wrap. */
typedef struct
{
  PlgFigure *figure;
  const PlgTheme *theme;
  double left, right;
  double x, y; /* left edge of the next entry, and vertical middle of the current line */
  double font_size;
  double drop; /* distance from the middle of the current line to its lowest shape */
  int n_lines;
  gboolean has_entries; /* whether the current line has entries */
  gboolean is_measured; /* whether only sizes are computed and nothing is drawn */
  gboolean is_outlined; /* whether the legend is measured with entries for outlines of TP groups,
                           because a drag may add such outlines */
  int brevity;          /* how short the legend is, one of PLG_LEGEND_BREVITY_* */
} PlgLegend;

/* The levels to which a legend is shortened. Each level includes the changes of all lower
 * levels. Up to NODE_EDGES, the legend explains every letter, pattern and line of the cluster.
 * Higher levels leave out some of these explanations, so they are used only if the legend would
 * otherwise have too many lines of text. */
enum
{
  PLG_LEGEND_BREVITY_NONE,
  PLG_LEGEND_BREVITY_TITLES,       /* short titles */
  PLG_LEGEND_BREVITY_WIDTHS,       /* only one sample link in the entry for link widths */
  PLG_LEGEND_BREVITY_NODE_EDGES,   /* no notes about the edges of nodes; no space reserved for
                                      entries that a drag may add */
  PLG_LEGEND_BREVITY_LETTERS,      /* no notes about letters and outlines; no number in the
                                      entry for rings; fewer stages; entries for rare
                                      activities only while they run */
  PLG_LEGEND_BREVITY_MOVED,        /* if ranks have moved, a note about them replaces the
                                      entry for link widths */
  PLG_LEGEND_BREVITY_NO_WIDTHS,    /* no entry for link widths */
  PLG_LEGEND_BREVITY_SCALE_TITLES, /* one-word scale titles; entries for faults show only the
                                      rate */
  PLG_LEGEND_BREVITY_NOTES,        /* shorter scales, rings named after their axis, no notes */
  PLG_LEGEND_BREVITY_MAX, /* no entries for link colours while a step is played, no entries for
                             faults */
};

/* Begins a legend between LEFT and RIGHT, below TOP. PLG_LAYER_LEGEND becomes the current layer
 * of FIGURE. */
void plg_legend_begin (PlgLegend *legend,
                       PlgFigure *figure,
                       const PlgTheme *theme,
                       double left,
                       double right,
                       double top,
                       double font_size);
/* Returns the y coordinate of the legend's lower edge. */
double plg_legend_end (const PlgLegend *legend);

/* Adds a gap before the next part of the legend, except at the start of a line. */
void plg_legend_space (PlgLegend *legend);
/* Begins a new line if WIDTH does not fit on the current line. WIDTH is the total width of the
 * next entries, which should be on one line. */
void plg_legend_keep (PlgLegend *legend, double width);
/* Leaves WIDTH empty for an entry that may appear later, so that the other entries do not move
 * when it appears. */
void plg_legend_reserve (PlgLegend *legend, double width);
/* Returns the width of the entry that plg_legend_swatch() adds. */
double plg_legend_swatch_width (const PlgLegend *legend, const char *name);
void plg_legend_title (PlgLegend *legend, const char *text);
void plg_legend_note (PlgLegend *legend, const char *text);
/* Adds a coloured square that represents ENTITY, and NAME to its right. HATCH is a value of
 * PlgShape.hatch. */
void plg_legend_swatch (PlgLegend *legend,
                        PlgSwatch swatch,
                        int hatch,
                        PlgEntity entity,
                        const char *name);
/* Returns the width of the entry that plg_legend_line() adds. */
double plg_legend_line_width (const PlgLegend *legend, PlgDashes dashed, const char *name);
/* Adds a sample of a line, and NAME to its right. */
void plg_legend_line (PlgLegend *legend,
                      PlgColor color,
                      double width,
                      PlgDashes dashed,
                      gboolean arrow,
                      const char *name);

/* Returns the colour of a ramp at SHARE, from 0 at the left end to 1 at the right end. */
typedef PlgColor (*PlgLegendColor) (double share, gconstpointer data);
typedef struct
{
  double share;
  char *text; /* label of the tick; owned by the caller */
} PlgLegendTick;
/* Adds TITLE and a bar with labelled ticks below it. The colours of the bar are COLOR (SHARE,
 * DATA). */
void plg_legend_ramp (PlgLegend *legend,
                      const char *title,
                      PlgLegendColor color,
                      gconstpointer data,
                      const PlgLegendTick *ticks,
                      int n_ticks);

/* Adds the colour scale of the links, such as "Link colour: calls per step" with ticks from 1 to
 * 10 k. */
void plg_legend_link_color (PlgLegend *legend, const PlgLinkScale *scale);

/* The widths of links. From TOP / 100 to TOP bytes, the width grows with the logarithm of the
 * bytes. */
typedef struct
{
  double top;   /* number of bytes at which a link has its full width, a round number; 0 if no
                   link carries any traffic */
  double scale; /* factor for all widths: 1, or less in small pictures */
  gboolean is_exceeded; /* whether a link carries more than TOP; the legend then says "≥" */
} PlgLinkWidths;
PlgLinkWidths plg_link_widths (const PlgReport *report);
/* Returns the widths of KEPT for the links of REPORT, or the widths of REPORT if no link of KEPT
 * carries traffic. */
PlgLinkWidths plg_link_widths_keep (const PlgReport *kept, const PlgReport *report);
/* Returns the width of a link that carries BYTES per step [points]. */
double plg_link_width (const PlgLinkWidths *widths, double bytes);
/* Returns the width of the entry that plg_legend_link_width() adds. */
double plg_legend_link_width_width (const PlgLegend *legend, const PlgLinkWidths *widths);
/* Adds a title and sample lines, each labelled with the number of bytes per step that its width
 * represents. */
void plg_legend_link_width (PlgLegend *legend, const PlgLinkWidths *widths);

G_END_DECLS
