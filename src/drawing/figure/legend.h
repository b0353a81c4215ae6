/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"

G_BEGIN_DECLS

/* Entries that flow from left to right and wrap, under a picture. */
typedef struct
{
  PlgFigure *figure;
  const PlgTheme *theme;
  double left, right;
  double x, y; /* where the next entry goes; y is the middle of its line */
  double font_size;
  double drop; /* from the middle of this line to what lies lowest on it */
  int n_lines;
  gboolean has_entries; /* on this line */
  gboolean is_measured; /* only how much room it takes: nothing is drawn */
  gboolean is_outlined; /* measured as if TP groups were outlined, where a drag may do that */
  int brevity;          /* how much shorter than its best it is to be */
} PlgLegend;

/* What is shorter or left out, each with all before it. Rather than what comes after EDGES, a
 * legend gets a line more: until there all letters, patterns and lines of the cluster have their
 * words. */
enum
{
  PLG_LEGEND_BREVITY_NONE,
  PLG_LEGEND_BREVITY_TITLES, /* titles are short */
  PLG_LEGEND_BREVITY_WIDTHS, /* one line for how thick links are */
  PLG_LEGEND_BREVITY_NODE_EDGES, /* not what edges of nodes are; no place for what a drag may bring forth */
  PLG_LEGEND_BREVITY_LETTERS, /* not what letters and outlines are, nor how many rings; fewer stages; what
                       takes little of the step only while it is on */
  PLG_LEGEND_BREVITY_MOVED,     /* what is moved is told in the place of that line */
  PLG_LEGEND_BREVITY_NO_WIDTHS, /* no such line */
  PLG_LEGEND_BREVITY_SCALE_TITLES, /* titles of scales are one word; of what is slow no more than how slow */
  PLG_LEGEND_BREVITY_NOTES, /* scales are shorter, rings have the name of their axis; no notes */
  PLG_LEGEND_BREVITY_MAX, /* no colours of links while a step is played, nothing of what is slow */
};

/* LEFT .. RIGHT is the room, TOP the upper edge. The figure's layer becomes LEGEND. */
void plg_legend_begin (PlgLegend *legend,
                       PlgFigure *figure,
                       const PlgTheme *theme,
                       double left,
                       double right,
                       double top,
                       double font_size);
/* The lower edge of what was added. */
double plg_legend_end (const PlgLegend *legend);

/* A gap between two parts of the legend; nothing at the start of a line. */
void plg_legend_space (PlgLegend *legend);
/* Begins a new line when WIDTH does not fit on this one, so that what follows stays together. */
void plg_legend_keep (PlgLegend *legend, double width);
/* Leaves WIDTH empty, for an entry that may come: then its coming moves nothing. */
void plg_legend_reserve (PlgLegend *legend, double width);
/* What plg_legend_swatch() takes for NAME. */
double plg_legend_swatch_width (const PlgLegend *legend, const char *name);
void plg_legend_title (PlgLegend *legend, const char *text);
void plg_legend_note (PlgLegend *legend, const char *text);
/* A coloured square and its name. HATCH as in PlgShape, in the swatch's colour for it. THING: what
 * it stands for. */
void plg_legend_swatch (PlgLegend *legend,
                        PlgSwatch swatch,
                        int hatch,
                        PlgEntity entity,
                        const char *name);
/* What plg_legend_line() takes for NAME. */
double plg_legend_line_width (const PlgLegend *legend, PlgDashes dashed, const char *name);
/* A piece of line and its name. */
void plg_legend_line (PlgLegend *legend,
                      PlgColor color,
                      double width,
                      PlgDashes dashed,
                      gboolean arrow,
                      const char *name);

/* TITLE, and a bar of colours with ticks under it. The colour at SHARE 0..1 is COLOR (SHARE, DATA).
 */
typedef PlgColor (*PlgLegendColor) (double share, gconstpointer data);
typedef struct
{
  double share;
  char *text; /* owned by who made it */
} PlgLegendTick;
void plg_legend_ramp (PlgLegend *legend,
                      const char *title,
                      PlgLegendColor color,
                      gconstpointer data,
                      const PlgLegendTick *ticks,
                      int n_ticks);

/* Title, bar and ticks of the colour of the links: "Link colour: calls per step", 1 … 10 k. */
void plg_legend_link_color (PlgLegend *legend, const PlgLinkScale *scale);

/* How thick a link is drawn: it grows with the logarithm of its bytes, over the two decades below
 * the largest. */
typedef struct
{
  double top;   /* bytes; a round number, 0 where nothing is sent */
  double scale; /* 1, or less where all that is drawn is smaller */
} PlgLinkWidths;
PlgLinkWidths plg_link_widths (const PlgReport *report);
double plg_link_width (const PlgLinkWidths *widths, double bytes);
/* What plg_legend_link_width() takes: a title, and lines with their names. */
double plg_legend_link_width_width (const PlgLegend *legend, const PlgLinkWidths *widths);
void plg_legend_link_width (PlgLegend *legend, const PlgLinkWidths *widths);

G_END_DECLS
