/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/legend.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The number of colours in a ramp. */
#define RAMP_STEPS 48
#define RAMP_WIDTH 116.0
#define SHORT_RAMP_WIDTH 90.0
#define SHORTEST_RAMP_WIDTH 60.0

/* The widths of links for the highest number of bytes, for a hundredth of that number, and for
 * no traffic [points]. */
#define WIDEST_LINK 6.0
#define THINNEST_LINK 2.0
#define IDLE_LINK 1.25

void
plg_legend_begin (PlgLegend *legend,
                  PlgFigure *figure,
                  const PlgTheme *theme,
                  double left,
                  double right,
                  double top,
                  double font_size)
{
  *legend = (PlgLegend) {
    .figure = figure,
    .theme = theme,
    .left = left,
    .right = right,
    .x = left,
    .font_size = font_size,
    .drop = font_size,
    .n_lines = 1,
  };
  legend->y = top + font_size;
  plg_figure_set_layer (figure, PLG_LAYER_LEGEND);
}

double
plg_legend_end (const PlgLegend *legend)
{
  return legend->y + legend->drop;
}

/* Begins a new line if WIDTH does not fit on the current line. */
static void
legend_make_room (PlgLegend *legend, double width)
{
  if (legend->has_entries && legend->x + width > legend->right)
    {
      legend->x = legend->left;
      legend->n_lines++;
      legend->y += legend->drop + legend->font_size * 0.9;
      legend->drop = legend->font_size;
    }
  legend->has_entries = TRUE;
}

void
plg_legend_space (PlgLegend *legend)
{
  if (legend->x > legend->left)
    legend->x += legend->font_size * 1.4;
}

void
plg_legend_keep (PlgLegend *legend, double width)
{
  gboolean had_entries = legend->has_entries;

  legend_make_room (legend, MIN (width, legend->right - legend->left));
  legend->has_entries = had_entries && legend->x > legend->left;
}

void
plg_legend_reserve (PlgLegend *legend, double width)
{
  plg_legend_space (legend);
  plg_legend_keep (legend, width);
  legend->has_entries = TRUE;
  legend->x += width;
}

static void
legend_add_text (PlgLegend *legend, const char *text, gboolean bold, PlgRole role)
{
  double baseline = legend->y + legend->font_size * 0.35;

  if (!legend->is_measured)
    plg_figure_text (legend->figure, legend->x, baseline, PLG_ANCHOR_START, legend->font_size, bold,
                     legend->theme->role[role], text);
  legend->x += plg_text_width (text, legend->font_size, bold) + legend->font_size * 0.9;
}

void
plg_legend_title (PlgLegend *legend, const char *text)
{
  legend_make_room (legend, plg_text_width (text, legend->font_size, TRUE));
  legend_add_text (legend, text, TRUE, PLG_ROLE_TEXT);
}

void
plg_legend_note (PlgLegend *legend, const char *text)
{
  legend_make_room (legend, plg_text_width (text, legend->font_size, FALSE));
  legend_add_text (legend, text, FALSE, PLG_ROLE_TEXT_DIM);
}

double
plg_legend_swatch_width (const PlgLegend *legend, const char *name)
{
  return legend->font_size * 2.51 + plg_text_width (name, legend->font_size, FALSE);
}

void
plg_legend_swatch (PlgLegend *legend,
                   PlgSwatch swatch,
                   int hatch,
                   PlgEntity entity,
                   const char *name)
{
  double side = legend->font_size * 1.15;

  legend_make_room (legend, side * 1.4 + plg_text_width (name, legend->font_size, FALSE));
  if (!legend->is_measured)
    {
      PlgShape *shape = plg_figure_rect (legend->figure, legend->x, legend->y - side / 2, side,
                                         side, side / 4, swatch.fill);

      shape->stroke = swatch.border;
      shape->stroke_width = legend->theme->line_width;
      shape->hatch = hatch;
      shape->hatch_color = swatch.hatch_color;
      shape->entity = entity;
    }
  legend->x += side * 1.4;
  legend_add_text (legend, name, FALSE, PLG_ROLE_TEXT);
}

/* Returns the length of a sample line. A dashed sample shows two dashes and the gap between
 * them. */
static double
line_length (const PlgLegend *legend, PlgDashes dashed)
{
  return legend->font_size * (dashed != PLG_DASH_NONE ? 2.8 : 2);
}

double
plg_legend_line_width (const PlgLegend *legend, PlgDashes dashed, const char *name)
{
  return line_length (legend, dashed) * 1.25 + plg_text_width (name, legend->font_size, FALSE);
}

void
plg_legend_line (PlgLegend *legend,
                 PlgColor color,
                 double width,
                 PlgDashes dashed,
                 gboolean arrow,
                 const char *name)
{
  double length = line_length (legend, dashed);

  legend_make_room (legend, plg_legend_line_width (legend, dashed, name));
  if (!legend->is_measured)
    {
      PlgShape *shape = plg_figure_line (legend->figure, legend->x, legend->y, legend->x + length,
                                         legend->y, color, width);

      shape->dashed = dashed;
      shape->arrow = arrow;
    }
  legend->x += length * 1.25;
  legend_add_text (legend, name, FALSE, PLG_ROLE_TEXT);
}

/* Returns the left edge of TICK's label, relative to the left edge of the ramp. The ramp is
 * WIDTH wide. */
static double
tick_start (const PlgLegendTick *tick, double width, double size)
{
  double text = plg_text_width (tick->text, size, FALSE);

  return tick->share * width - (tick->share <= 0 ? 0 : tick->share >= 1 ? text : text / 2);
}

void
plg_legend_ramp (PlgLegend *legend,
                 const char *title,
                 PlgLegendColor color,
                 gconstpointer data,
                 const PlgLegendTick *ticks,
                 int n_ticks)
{
  double height = legend->font_size, size = height * 0.9, width;
  double ends = plg_text_width (ticks[0].text, size, FALSE) +
                plg_text_width (ticks[n_ticks - 1].text, size, FALSE) + size;
  PlgShape *shape;

  g_assert (n_ticks >= 2);

  /* Keep the labels of the first and the last tick apart even on the shortest ramp. */
  if (legend->brevity >= PLG_LEGEND_BREVITY_NOTES)
    width = MAX (SHORTEST_RAMP_WIDTH, ends);
  else
    width = legend->brevity >= PLG_LEGEND_BREVITY_TITLES ? SHORT_RAMP_WIDTH : RAMP_WIDTH;

  legend_make_room (legend, plg_text_width (title, height, TRUE) + height + width);
  legend_add_text (legend, title, TRUE, PLG_ROLE_TEXT);
  legend->drop = height * 1.9;
  if (legend->is_measured)
    {
      legend->x += width + height;
      return;
    }
  plg_figure_open (legend->figure, NULL, "scale", title);

  /* Draw each colour up to the right end of the ramp and let the next colour cover part of it,
   * so that no gaps show between colours. */
  for (int i = 0; i < RAMP_STEPS; i++)
    {
      double x = legend->x + width * i / RAMP_STEPS;

      plg_figure_rect (legend->figure, x, legend->y - height / 2, legend->x + width - x, height, 0,
                       color ((double) i / (RAMP_STEPS - 1), data));
    }
  /* Draw a frame, because the start of the ramp would otherwise be hard to see if its first
   * colours are close to the background. */
  shape = plg_figure_rect (legend->figure, legend->x, legend->y - height / 2, width, height, 0,
                           (PlgColor) { 0 });
  shape->stroke = legend->theme->role[PLG_ROLE_CARD_BORDER];
  shape->stroke_width = 1;

  for (int i = 0; i < n_ticks; i++)
    {
      PlgAnchor anchor = ticks[i].share <= 0   ? PLG_ANCHOR_START
                         : ticks[i].share >= 1 ? PLG_ANCHOR_END
                                               : PLG_ANCHOR_MIDDLE;
      const PlgLegendTick *first = &ticks[0], *last = &ticks[n_ticks - 1];
      double start = tick_start (&ticks[i], width, size), gap = size / 3;

      if (i == 0 || i == n_ticks - 1 ||
          (start >=
               tick_start (first, width, size) + plg_text_width (first->text, size, FALSE) + gap &&
           start + plg_text_width (ticks[i].text, size, FALSE) + gap <=
               tick_start (last, width, size)))
        plg_figure_text (legend->figure, legend->x + width * ticks[i].share,
                         legend->y + height * 1.6, anchor, size, FALSE,
                         legend->theme->role[PLG_ROLE_TEXT_DIM], ticks[i].text);
    }
  plg_figure_close (legend->figure);
  legend->x += width + height;
}

static char *
format_on_scale (PlgLinkColor meaning, double value)
{
  static const char *const prefix[] = { "", "\u202fk", "\u202fM", "\u202fG", "\u202fT" };
  g_autofree char *number = NULL;
  guint i = 0;

  switch (meaning)
    {
    case PLG_LINK_COLOR_FREQUENCY:
      /* Write powers of ten from 1000 upwards with an SI prefix, for example "10 k". */
      for (; value >= 1000 && i < G_N_ELEMENTS (prefix) - 1; i++)
        value /= 1000;
      number = plg_format_number (value, 3);
      return g_strconcat (number, prefix[i], NULL);
    case PLG_LINK_COLOR_BYTES:
      return plg_format_volume (value);
    case PLG_LINK_COLOR_TIME:
      return value > 0 ? plg_format_time (value) : g_strdup ("0");
    case PLG_LINK_COLOR_OFF:
    default:
      return g_strdup ("");
    }
}

static gboolean
is_logarithmic (PlgLinkColor meaning)
{
  return meaning != PLG_LINK_COLOR_TIME;
}

/* Returns NUMBER, or "≥ NUMBER" for the end of a scale that a link exceeds. Takes NUMBER. */
static char *
format_end (char *number, gboolean is_exceeded)
{
  g_autofree char *owned_number = number;

  /* Translators: the end of a scale in a legend; the colour also stands for higher numbers. */
  return is_exceeded ? g_strdup_printf (_ ("≥ %s"), number) : g_steal_pointer (&owned_number);
}

static PlgColor
link_color (double share, gconstpointer data)
{
  return plg_theme_link_color (data, share);
}

void
plg_legend_link_color (PlgLegend *legend, const PlgLinkScale *scale)
{
  /* The titles of the colour scale, indexed by PlgLinkColor and by length: full, short, one
   * word. */
  static const char *const titles[][3] = {
    [PLG_LINK_COLOR_FREQUENCY] = { N_ ("Link colour: calls per step"), N_ ("Calls per step"),
                                   N_ ("Calls") },
    [PLG_LINK_COLOR_BYTES] = { N_ ("Link colour: bytes per step"), N_ ("Bytes per step"),
                               N_ ("Bytes") },
    [PLG_LINK_COLOR_TIME] = { N_ ("Link colour: busy time per step"), N_ ("Busy per step"),
                              N_ ("Busy") },
  };
  int form = legend->brevity >= PLG_LEGEND_BREVITY_SCALE_TITLES ? 2
             : legend->brevity >= PLG_LEGEND_BREVITY_TITLES     ? 1
                                                                : 0;
  double middle = is_logarithmic (scale->meaning) ? sqrt (scale->minimum * scale->maximum)
                                                  : (scale->minimum + scale->maximum) / 2;
  double share = 0.5;
  PlgLegendTick ticks[3];

  g_return_if_fail (scale->meaning != PLG_LINK_COLOR_OFF);

  /* A logarithmic scale with an odd number of decades has no power of ten in its middle, so
   * place the middle tick at the next lower power of ten. */
  if (is_logarithmic (scale->meaning))
    {
      middle = pow (10, floor (log10 (middle) + 1e-9));
      share = log (middle / scale->minimum) / log (scale->maximum / scale->minimum);
    }
  ticks[0] = (PlgLegendTick) { 0, format_on_scale (scale->meaning, scale->minimum) };
  ticks[1] = (PlgLegendTick) { share, format_on_scale (scale->meaning, middle) };
  ticks[2] = (PlgLegendTick) { 1, format_end (format_on_scale (scale->meaning, scale->maximum),
                                              scale->is_exceeded) };
  plg_legend_ramp (legend, _ (titles[scale->meaning][form]), link_color, legend->theme, ticks,
                   G_N_ELEMENTS (ticks));
  for (int i = 0; i < (int) G_N_ELEMENTS (ticks); i++)
    g_free (ticks[i].text);
}

static double
link_value (const PlgLink *link, PlgLinkColor meaning)
{
  switch (meaning)
    {
    case PLG_LINK_COLOR_FREQUENCY:
      return link->calls;
    case PLG_LINK_COLOR_BYTES:
      return plg_link_bytes (link);
    case PLG_LINK_COLOR_TIME:
      return link->time;
    case PLG_LINK_COLOR_OFF:
    default:
      return 0;
    }
}

static double
largest_value (const PlgReport *report, PlgLinkColor meaning)
{
  double largest = 0;

  for (guint i = 0; i < report->links->len; i++)
    {
      double value = link_value (&g_array_index (report->links, PlgLink, i), meaning);

      if (value > largest && value < 1e30)
        largest = value;
    }
  return largest;
}

static double
decade_above (double value)
{
  return pow (10, ceil (log10 (value) - 1e-9));
}

/* Returns a scale whose ends are round numbers. They seldom differ between plans, so the colours
 * of two plans can be compared. */
PlgLinkScale
plg_link_scale (const PlgReport *report, PlgLinkColor meaning)
{
  static const double ends[] = { 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1 };
  double largest = largest_value (report, meaning), decade;

  switch (meaning)
    {
    case PLG_LINK_COLOR_FREQUENCY:
      return (PlgLinkScale) { meaning, 1, largest > 1e4 ? decade_above (largest) : 1e4 };
    case PLG_LINK_COLOR_BYTES:
      largest = largest > 0 ? decade_above (largest) : PLG_GB;
      return (PlgLinkScale) { meaning, largest / 1e4, largest };
    case PLG_LINK_COLOR_TIME:
      if (!(largest > 0))
        return (PlgLinkScale) { meaning, 0, 1 };
      /* Choose an end at most a third above the largest value, because all links would be pale
       * on a longer scale. */
      decade = decade_above (largest);
      for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
        if (largest <= ends[i] * decade * (1 + 1e-9))
          return (PlgLinkScale) { meaning, 0, ends[i] * decade };
      return (PlgLinkScale) { meaning, 0, decade };
    case PLG_LINK_COLOR_OFF:
    default:
      return (PlgLinkScale) { meaning, 0, 1 };
    }
}

PlgLinkScale
plg_link_scale_keep (const PlgReport *kept, const PlgReport *report, PlgLinkColor meaning)
{
  PlgLinkScale scale = plg_link_scale (kept, meaning);

  if (!(largest_value (kept, meaning) > 0))
    return plg_link_scale (report, meaning);
  scale.is_exceeded = largest_value (report, meaning) > scale.maximum * (1 + 1e-9);
  return scale;
}

gboolean
plg_link_scale_has_value (const PlgLinkScale *scale, const PlgLink *link)
{
  return link_value (link, scale->meaning) > 0;
}

double
plg_link_scale_share (const PlgLinkScale *scale, const PlgLink *link)
{
  double value = link_value (link, scale->meaning);
  double share;

  if (!(value > 0))
    return 0;
  if (is_logarithmic (scale->meaning))
    share = log (value / scale->minimum) / log (scale->maximum / scale->minimum);
  else
    share = (value - scale->minimum) / (scale->maximum - scale->minimum);
  return CLAMP (share, 0, 1);
}

PlgLinkWidths
plg_link_widths (const PlgReport *report)
{
  double largest = largest_value (report, PLG_LINK_COLOR_BYTES), decade;

  if (!(largest > 0))
    return (PlgLinkWidths) { 0, 1 };
  /* Choose the smallest number that is 1, 2 or 5 times a power of ten and not below the largest
   * value. */
  decade = decade_above (largest);
  return (PlgLinkWidths) { largest <= decade / 5   ? decade / 5
                           : largest <= decade / 2 ? decade / 2
                                                   : decade,
                           1 };
}

PlgLinkWidths
plg_link_widths_keep (const PlgReport *kept, const PlgReport *report)
{
  PlgLinkWidths widths = plg_link_widths (kept);

  if (!(widths.top > 0))
    return plg_link_widths (report);
  widths.is_exceeded = largest_value (report, PLG_LINK_COLOR_BYTES) > widths.top * (1 + 1e-9);
  return widths;
}

double
plg_link_width (const PlgLinkWidths *widths, double bytes)
{
  double width;

  if (!(bytes > 0) || !(widths->top > 0))
    return IDLE_LINK * widths->scale;
  width = WIDEST_LINK + (WIDEST_LINK - THINNEST_LINK) / 2 * log10 (bytes / widths->top);
  return CLAMP (width, THINNEST_LINK, WIDEST_LINK) * widths->scale;
}

/* Returns the number of sample links in the legend besides the widest one. Each represents a
 * tenth of the bytes of the next wider sample. */
static int
shown_decades (const PlgLegend *legend)
{
  return legend->brevity >= PLG_LEGEND_BREVITY_WIDTHS ? 0 : 2;
}

static const char *
width_title (const PlgLegend *legend)
{
  return legend->brevity >= PLG_LEGEND_BREVITY_TITLES ? _ ("Bytes per step")
                                                      : _ ("Width: bytes per step");
}

double
plg_legend_link_width_width (const PlgLegend *legend, const PlgLinkWidths *widths)
{
  double size = legend->font_size;
  double width = plg_text_width (width_title (legend), size, TRUE);

  for (int decade = -shown_decades (legend); decade <= 0; decade++)
    {
      g_autofree char *name = format_end (plg_format_volume (widths->top * pow (10, decade)),
                                          decade == 0 && widths->is_exceeded);

      width += size * (0.9 + 2 * 1.25) + plg_text_width (name, size, FALSE);
    }
  return width;
}

void
plg_legend_link_width (PlgLegend *legend, const PlgLinkWidths *widths)
{
  PlgColor color = legend->theme->role[PLG_ROLE_TEXT_DIM];

  if (!(widths->top > 0) || legend->brevity >= PLG_LEGEND_BREVITY_NO_WIDTHS)
    return;
  plg_legend_keep (legend, plg_legend_link_width_width (legend, widths));
  plg_legend_title (legend, width_title (legend));
  for (int decade = -shown_decades (legend); decade <= 0; decade++)
    {
      double bytes = widths->top * pow (10, decade);
      g_autofree char *name = format_end (plg_format_volume (bytes),
                                          decade == 0 && widths->is_exceeded);

      plg_legend_line (legend, color, plg_link_width (widths, bytes), PLG_DASH_NONE, FALSE, name);
    }
}
