/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/export/tikz.h"

#include "drawing/export/latex.h"
#include "drawing/export/markup.h"
#include "drawing/figure/stroke-geometry.h"

/* A figure has 96 units per inch, and TeX has 72 big points per inch. TeX cannot represent
 * lengths above 16,383 pt (1 inch = 72.27 pt), so larger pictures are scaled down. */
#define POINTS_PER_UNIT 0.75
#define MAX_SIDE 14400.0
#define MAX_REACH 16000.0

/* number of groups whose colours get names such as plg-group-3; the colours of further groups
 * get numbered names such as plg-9 */
#define NAMED_GROUPS 8
/* Texts of up to this many characters keep their width in TeX; longer texts are condensed if
 * they would be wider than in the figure. */
#define SHORT_TEXT 2
/* The radius of the smallest round corner that is drawn. A corner takes about 100 of TeX's 5
 * million words of memory, and a matrix has thousands of cells. */
#define MIN_CORNER 1.0

typedef struct
{
  GString *out;
  const PlgFigure *figure;
  const PlgTheme *theme;
  PlgLayers layers;
  double scale;
  GHashTable *colors; /* maps 0xRRGGBB to the name of the colour */
  GString *definitions;
  int n_numbered;
} Writer;

/* Colours -------------------------------------------------------------------------------------- */

static gpointer
color_key (PlgColor color)
{
  return GUINT_TO_POINTER (plg_color_to_rgb (color) + 1);
}

/* Returns a name derived from the role or the group of COLOR, or NULL if COLOR has neither. */
static char *
color_name (const Writer *writer, PlgColor color)
{
  guint32 rgb = plg_color_to_rgb (color);

  for (int role = 0; role < PLG_N_ROLES; role++)
    if (plg_color_to_rgb (writer->theme->role[role]) == rgb)
      return g_strconcat ("plg-", plg_role_name (role), NULL);
  for (int i = 0; i < NAMED_GROUPS; i++)
    {
      PlgSwatch swatch = plg_theme_swatch (writer->theme, i, NAMED_GROUPS, FALSE);
      PlgSwatch pale = plg_theme_swatch (writer->theme, i, NAMED_GROUPS, TRUE);

      if (plg_color_to_rgb (swatch.fill) == rgb)
        return g_strdup_printf ("plg-group-%d", i);
      if (plg_color_to_rgb (swatch.strong) == rgb)
        return g_strdup_printf ("plg-group-%d-strong", i);
      if (plg_color_to_rgb (pale.fill) == rgb)
        return g_strdup_printf ("plg-group-%d-pale", i);
      if (swatch.hatch != 0 && plg_color_to_rgb (swatch.hatch_color) == rgb)
        return g_strdup_printf ("plg-group-%d-hatch", i);
    }
  return NULL;
}

static void
define_color (Writer *writer, PlgColor color)
{
  char *name;

  if (color.alpha <= 0 || g_hash_table_contains (writer->colors, color_key (color)))
    return;
  name = color_name (writer, color);
  if (name == NULL)
    name = g_strdup_printf ("plg-%d", ++writer->n_numbered);
  g_string_append_printf (writer->definitions, "\\definecolor{%s}{HTML}{%06X}\n", name,
                          plg_color_to_rgb (color));
  g_hash_table_insert (writer->colors, color_key (color), name);
}

/* Appends COLOR as the option NAME, which is "fill", "draw" or "text". An example is
 * "fill=plg-card". For a translucent colour, also appends the opacity, for example ", fill
 * opacity=0.5". */
static void
append_color (Writer *writer, const char *name, PlgColor color)
{
  g_string_append_printf (writer->out, "%s=%s", name,
                          (const char *) g_hash_table_lookup (writer->colors, color_key (color)));
  if (color.alpha >= 1)
    return;
  g_string_append_printf (writer->out, ", %s opacity=", name);
  plg_markup_number (writer->out, color.alpha);
}

/* Shapes --------------------------------------------------------------------------------------- */

static void
append_length (Writer *writer, double units)
{
  plg_markup_number (writer->out, units * writer->scale);
}

/* Limits a coordinate to lengths that TeX can represent, because shapes may extend far beyond
 * the page. */
static double
within_reach (const Writer *writer, double units)
{
  return CLAMP (units, -MAX_REACH / writer->scale, MAX_REACH / writer->scale);
}

static void
append_point (Writer *writer, PlgPoint point)
{
  g_string_append_c (writer->out, '(');
  append_length (writer, within_reach (writer, point.x));
  g_string_append_c (writer->out, ',');
  append_length (writer, within_reach (writer, point.y));
  g_string_append_c (writer->out, ')');
}

static void
append_rect (Writer *writer, PlgRect r)
{
  append_point (writer, (PlgPoint) { r.x, r.y });
  g_string_append (writer->out, " rectangle ");
  append_point (writer, (PlgPoint) { r.x + r.width, r.y + r.height });
}

/* Appends the path of SHAPE with END as its last point, because the stroke of an arrow ends
 * before its tip. */
static void
append_points (Writer *writer, const PlgShape *shape, PlgPoint end)
{
  const PlgPoint *p = plg_figure_points (writer->figure, shape);
  int last = shape->n_points - 1;

  append_point (writer, p[0]);
  for (int i = 1; !shape->smooth && i <= last; i++)
    {
      g_string_append (writer->out, " -- ");
      append_point (writer, i == last ? end : p[i]);
    }
  for (int i = 1; shape->smooth && i + 2 <= last; i += 3)
    {
      g_string_append (writer->out, " .. controls ");
      append_point (writer, p[i]);
      g_string_append (writer->out, " and ");
      append_point (writer, p[i + 1]);
      g_string_append (writer->out, " .. ");
      append_point (writer, i + 2 == last ? end : p[i + 2]);
    }
  if (shape->closed)
    g_string_append (writer->out, " -- cycle");
}

static void
append_geometry (Writer *writer, const PlgShape *shape)
{
  const PlgPoint *points = plg_figure_points (writer->figure, shape);
  PlgArrow arrow;

  if (shape->kind == PLG_SHAPE_RECT)
    append_rect (writer, shape->rect);
  else if (plg_shape_arrow (shape, points, &arrow))
    append_points (writer, shape, arrow.neck);
  else
    append_points (writer, shape, points[shape->n_points - 1]);
  g_string_append (writer->out, ";\n");
}

static void
append_corners (Writer *writer, const PlgShape *shape)
{
  double radius = MIN (shape->radius, MIN (shape->rect.width, shape->rect.height) / 2);

  if (shape->kind != PLG_SHAPE_RECT || !(radius >= MIN_CORNER))
    return;
  g_string_append (writer->out, ", rounded corners=");
  append_length (writer, radius);
  g_string_append (writer->out, "bp");
}

static void
append_outline (Writer *writer, const PlgShape *shape)
{
  static const struct
  {
    PlgHatchLines lines;
    const char *pattern;
  } patterns[] = { { PLG_HATCH_RISING, "north east lines" },
                   { PLG_HATCH_FALLING, "north west lines" },
                   { PLG_HATCH_LEVEL, "horizontal lines" },
                   { PLG_HATCH_UPRIGHT, "vertical lines" } };
  gboolean is_filled = shape->fill.alpha > 0, is_stroked = plg_shape_has_stroke (shape);
  PlgHatchLines lines = plg_hatch_lines (shape->hatch);
  PlgColor color = plg_shape_hatch_color (shape);
  PlgArrow arrow;

  if (is_filled || is_stroked)
    {
      g_string_append (writer->out, "\\path[");
      if (is_filled)
        append_color (writer, "fill", shape->fill);
      if (is_filled && is_stroked)
        g_string_append (writer->out, ", ");
      if (is_stroked)
        {
          double lengths[PLG_MAX_DASHES];
          int n_lengths = plg_shape_dashes (shape, lengths);

          append_color (writer, "draw", shape->stroke);
          g_string_append (writer->out, ", line width=");
          append_length (writer, shape->stroke_width);
          g_string_append (writer->out, "bp");
          if (n_lengths > 0)
            g_string_append (writer->out, ", dash pattern=");
          for (int i = 0; i < n_lengths; i++)
            {
              g_string_append_printf (writer->out, "%s%s ", i > 0 ? " " : "",
                                      i % 2 == 0 ? "on" : "off");
              append_length (writer, lengths[i]);
              g_string_append (writer->out, "bp");
            }
        }
      append_corners (writer, shape);
      g_string_append (writer->out, "] ");
      append_geometry (writer, shape);
    }
  for (guint i = 0; color.alpha > 0 && i < G_N_ELEMENTS (patterns); i++)
    {
      if ((lines & patterns[i].lines) == 0)
        continue;
      g_string_append_printf (writer->out, "\\path[pattern=%s, ", patterns[i].pattern);
      append_color (writer, "pattern color", plg_color_with_alpha (color, 1));
      append_corners (writer, shape);
      g_string_append (writer->out, "] ");
      append_geometry (writer, shape);
    }
  if (!is_stroked || !plg_shape_arrow (shape, plg_figure_points (writer->figure, shape), &arrow))
    return;
  g_string_append (writer->out, "\\path[");
  append_color (writer, "fill", shape->stroke);
  g_string_append (writer->out, "] ");
  append_point (writer, arrow.tip);
  g_string_append (writer->out, " -- ");
  append_point (writer, arrow.left);
  g_string_append (writer->out, " -- ");
  append_point (writer, arrow.right);
  g_string_append (writer->out, " -- cycle;\n");
}

static void
append_shape (Writer *writer, const PlgShape *shape)
{
  /* Write the id of each group in a comment, for people who edit the source. Ids are ASCII, so
   * they need no escaping. */
  if (shape->kind == PLG_SHAPE_OPEN && shape->id != NULL)
    g_string_append_printf (writer->out, "%% %s\n", shape->id);
  if (!plg_shape_is_visible_in_layers (shape, writer->layers))
    return;
  if (shape->kind == PLG_SHAPE_TEXT)
    {
      static const char *const anchors[] = { "base west", "base", "base east" };
      GString *out = writer->out;

      g_string_append_printf (out, "\\node[anchor=%s, inner sep=0, outer sep=0, ",
                              anchors[shape->anchor]);
      append_color (writer, "text", shape->fill);
      g_string_append (out, "] at ");
      append_point (writer, shape->at);
      if (g_utf8_strlen (shape->text, -1) <= SHORT_TEXT)
        g_string_append (out, " {\\plgshort{");
      else
        {
          g_string_append (out, " {\\plgtext{");
          append_length (writer, plg_text_width (shape->text, shape->font_size, shape->bold));
          g_string_append (out, "bp}{");
        }
      append_length (writer, shape->font_size);
      g_string_append_printf (out, "bp}{%s", shape->bold ? "\\bfseries " : "");
      plg_latex_text (out, shape->text);
      g_string_append (out, "}};\n");
    }
  else
    append_outline (writer, shape);
}

/* The document --------------------------------------------------------------------------------- */

static void
append_picture (Writer *writer, PlgColor background)
{
  PlgRect all = { 0, 0, plg_figure_width (writer->figure), plg_figure_height (writer->figure) };
  PlgRect cut;
  int n_cut = plg_figure_get_crop (writer->figure, &cut);

  g_string_append (writer->out, "\\begin{tikzpicture}[x=1bp, y=-1bp, line join=round]\n"
                                "\\clip ");
  append_rect (writer, all);
  g_string_append (writer->out, ";\n");
  if (background.alpha > 0)
    {
      g_string_append (writer->out, "\\path[");
      append_color (writer, "fill", background);
      g_string_append (writer->out, "] ");
      append_rect (writer, all);
      g_string_append (writer->out, ";\n");
    }
  if (n_cut > 0)
    {
      /* Add a clip, because cropped shapes would otherwise extend into the legend. */
      g_string_append (writer->out, "\\begin{scope}\n\\clip ");
      append_rect (writer, cut);
      g_string_append (writer->out, ";\n");
      for (int i = 0; i < n_cut; i++)
        append_shape (writer, plg_figure_shape (writer->figure, i));
      g_string_append (writer->out, "\\end{scope}\n");
    }
  for (int i = n_cut; i < plg_figure_n_shapes (writer->figure); i++)
    append_shape (writer, plg_figure_shape (writer->figure, i));
  g_string_append (writer->out, "\\end{tikzpicture}%\n");
}

char *
plg_tikz_write (const PlgFigure *figure,
                const PlgTheme *theme,
                PlgLayers layers,
                PlgColor background)
{
  double side = MAX (plg_figure_width (figure), plg_figure_height (figure));
  Writer writer = { .out = g_string_new (NULL),
                    .figure = figure,
                    .theme = theme,
                    .layers = layers,
                    .scale = MIN (POINTS_PER_UNIT, MAX_SIDE / MAX (side, 1)) };
  g_autoptr (GHashTable) characters = g_hash_table_new (NULL, NULL);

  writer.colors = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  writer.definitions = g_string_new (NULL);
  g_string_append (writer.out,
                   "% Made by Parallelogram. pdflatex makes a page of this file. To use the "
                   "picture in a paper,\n% copy the part between the lines of dashes into its "
                   "preamble, and the tikzpicture.\n"
                   "\\documentclass{article}\n"
                   "% ------------------------------------------------------------\n"
                   "\\usepackage[utf8]{inputenc}\n"
                   "\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}"
                   "{\\usepackage{fix-cm}}\n"
                   "\\usepackage{tikz}\n"
                   "\\usetikzlibrary{patterns}\n"
                   "\\newsavebox\\plgbox\n"
                   "% Arguments: [largest width,] size, text.\n"
                   "\\newcommand\\plgshort[2]{\\fontsize{#1}{#1}\\sffamily\\selectfont #2}\n"
                   "\\newcommand\\plgtext[3]{\\sbox\\plgbox{\\fontsize{#2}{#2}\\sffamily"
                   "\\selectfont #3}%\n"
                   "  \\ifdim\\wd\\plgbox>#1\\resizebox{#1}{\\height}{\\usebox\\plgbox}"
                   "\\else\\usebox\\plgbox\\fi}\n");
  define_color (&writer, background);
  for (int i = 0; i < plg_figure_n_shapes (writer.figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (writer.figure, i);

      if (!plg_shape_is_visible_in_layers (shape, writer.layers))
        continue;
      define_color (&writer, shape->fill);
      define_color (&writer, shape->stroke);
      if (shape->hatch > 0)
        define_color (&writer, plg_shape_hatch_color (shape));
      if (shape->kind == PLG_SHAPE_TEXT)
        plg_latex_collect (characters, shape->text);
    }
  g_string_append_len (writer.out, writer.definitions->str, writer.definitions->len);
  plg_latex_declare (writer.out, characters);
  g_string_append (writer.out, "% ------------------------------------------------------------\n");

  /* Make the page as large as the picture. A document class such as standalone would do this,
   * but may not be installed. */
  g_string_append (writer.out, "\\paperwidth=");
  append_length (&writer, plg_figure_width (writer.figure));
  g_string_append (writer.out, "bp \\paperheight=");
  append_length (&writer, plg_figure_height (writer.figure));
  g_string_append (writer.out, "bp\n"
                               "\\ifdefined\\pdfpagewidth\\pdfpagewidth=\\paperwidth"
                               "\\pdfpageheight=\\paperheight\\fi\n"
                               "\\ifdefined\\pagewidth\\pagewidth=\\paperwidth"
                               "\\pageheight=\\paperheight\\fi\n"
                               "\\hoffset=-1in \\voffset=-1in \\oddsidemargin=0pt "
                               "\\topmargin=0pt \\headheight=0pt \\headsep=0pt\n"
                               "\\topskip=0pt \\parindent=0pt \\textwidth=\\paperwidth "
                               "\\textheight=\\paperheight \\pagestyle{empty}\n"
                               "\\begin{document}%\n");

  append_picture (&writer, background);
  g_string_append (writer.out, "\\end{document}\n");
  g_hash_table_unref (writer.colors);
  g_string_free (writer.definitions, TRUE);
  return g_string_free (writer.out, FALSE);
}
