/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"
#include "drawing/export.h"
#include "drawing/pictures.h"
#include "engine/evaluate.h"
#include "engine/moment.h"
#include "plan/quantity.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <math.h>

/* The options as they were typed. */
typedef struct
{
  char *output;
  char *directory;
  char *format;
  char *view;
  char *show;
  char *palette;
  char *link_color;
  char *background;
  char *at;
  double scale;
  double dpi;
  double width;
  gboolean no_legend;
  gboolean force;
} Typed;

/* What they mean. */
typedef struct
{
  PlgPicture picture;
  PlgPictureOptions options;
  PlgTheme theme;
  PlgExportOptions file;
} Request;

/* In the order of PlgShow and PlgLinkColor. */
static const char *const show_names[] = { "all", "tp", "cp", "ep", "pp", "dp", "memory" };
static const char *const link_color_names[] = { "frequency", "bytes", "time", "off" };

static void
typed_clear (Typed *typed)
{
  g_free (typed->output);
  g_free (typed->directory);
  g_free (typed->format);
  g_free (typed->view);
  g_free (typed->show);
  g_free (typed->palette);
  g_free (typed->link_color);
  g_free (typed->background);
  g_free (typed->at);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Typed, typed_clear)

/* Finds VALUE among NAMES; NULL leaves INDEX as it is. An unknown one is a usage error that lists
 * the allowed ones. */
static gboolean
choose (const char *option, const char *value, const char *const *names, int n, int *index)
{
  g_autoptr (GString) allowed = g_string_new (NULL);
  g_autofree char *message = NULL;

  if (value == NULL)
    return TRUE;
  for (int i = 0; i < n; i++)
    {
      if (g_str_equal (value, names[i]))
        return *index = i, TRUE;
      g_string_append_printf (allowed, "%s%s", i > 0 ? ", " : "", names[i]);
    }
  message = g_strdup_printf (_ ("%s is “%s”, but must be one of %s."), option, value, allowed->str);
  plg_cli_misuse (message);
  return FALSE;
}

static gboolean
read_view (const Typed *typed, Request *request)
{
  const char *names[PLG_N_PICTURES];
  int index = PLG_PICTURE_CLUSTER;

  if (typed->view != NULL && plg_picture_from_name (typed->view, &request->picture))
    return TRUE;
  for (int i = 0; i < PLG_N_PICTURES; i++)
    names[i] = plg_picture_name (i);
  if (!choose ("--view", typed->view, names, PLG_N_PICTURES, &index))
    return FALSE;
  request->picture = index;
  return TRUE;
}

static gboolean
read_theme (const Typed *typed, Request *request)
{
  const char *palettes[PLG_N_PALETTES];
  const char *backgrounds[] = { plg_background_name (PLG_BACKGROUND_WHITE),
                                plg_background_name (PLG_BACKGROUND_TRANSPARENT),
                                plg_background_name (PLG_BACKGROUND_THEME) };
  int palette = PLG_PALETTE_LIGHT;
  int background;

  for (int i = 0; i < PLG_N_PALETTES; i++)
    palettes[i] = plg_palette_name (i);
  if (!choose ("--palette", typed->palette, palettes, PLG_N_PALETTES, &palette))
    return FALSE;
  plg_theme_init (&request->theme, palette);
  /* The light text of a dark palette is not legible on white. */
  background = request->theme.dark ? PLG_BACKGROUND_THEME : PLG_BACKGROUND_WHITE;
  if (!choose ("--background", typed->background, backgrounds, G_N_ELEMENTS (backgrounds),
               &background))
    return FALSE;
  request->file.background = background;
  return TRUE;
}

static gboolean
read_format (const Typed *typed, Request *request)
{
  const char *names[PLG_N_EXPORT_FORMATS];
  int index = PLG_EXPORT_SVG;

  for (int i = 0; i < PLG_N_EXPORT_FORMATS; i++)
    names[i] = plg_export_format_name (i);
  if (!choose ("--format", typed->format, names, PLG_N_EXPORT_FORMATS, &index))
    return FALSE;
  request->file.format = index;
  if (typed->format != NULL || typed->directory != NULL ||
      plg_export_format_from_path (typed->output, &request->file.format))
    return TRUE;
  plg_cli_misuse (_ ("The ending of the file tells its type: .svg, .pdf, .png; or give --format."));
  return FALSE;
}

static gboolean
read_size (const Typed *typed, Request *request)
{
  const char *message = NULL;

  /* Figures are laid out in points of which 96 make an inch. */
  request->file.scale = typed->dpi != 0 ? typed->dpi / 96 : typed->scale != 0 ? typed->scale : 1;
  if (typed->dpi != 0 && typed->scale != 0)
    message = _ ("--scale and --dpi say the same; give one.");
  else if (!(request->file.scale >= 0.1 && request->file.scale <= 20))
    message = _ ("--scale must be between 0.1 and 20, --dpi between 9.6 and 1920.");
  else if (typed->width != 0 && !(typed->width >= 100 && typed->width <= 100000))
    message = _ ("--width must be between 100 and 100000 points.");
  if (message == NULL)
    return TRUE;
  plg_cli_misuse (message);
  return FALSE;
}

static gboolean
read_request (const Typed *typed, Request *request)
{
  if ((typed->output == NULL) == (typed->directory == NULL))
    {
      plg_cli_misuse (_ ("Say where to: -o FILE for one picture, or --export-all DIR."));
      return FALSE;
    }
  return read_view (typed, request) && read_theme (typed, request) &&
         read_format (typed, request) && read_size (typed, request);
}

/* The parts of the view that the plan carries, where the command line does not say otherwise. */
static gboolean
read_options (const Typed *typed, const PlgPlan *plan, Request *request)
{
  int show, link_color;

  plg_picture_options_init (&request->options, plan);
  show = request->options.show;
  link_color = request->options.link_color;
  if (!choose ("--show", typed->show, show_names, G_N_ELEMENTS (show_names), &show) ||
      !choose ("--link-color", typed->link_color, link_color_names, G_N_ELEMENTS (link_color_names),
               &link_color))
    return FALSE;
  request->options.show = show;
  request->options.link_color = link_color;
  request->options.legend = !typed->no_legend;
  request->options.handles = FALSE;
  request->options.width = typed->width;
  return TRUE;
}

/* "3.2s", "3200ms", "3.2", "31%" of END. FALSE for anything else. */
static gboolean
parse_moment (const char *text, double end, double *seconds)
{
  static const struct
  {
    const char *unit;
    double seconds;
  } units[] = { { "", 1 }, { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "µs", 1e-6 } };
  char *rest;
  double value = g_ascii_strtod (text, &rest);

  if (rest == text || !isfinite (value))
    return FALSE;
  while (*rest == ' ')
    rest++;
  if (g_str_equal (rest, "%"))
    return *seconds = value / 100 * end, TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (rest, units[i].unit))
      return *seconds = value * units[i].seconds, TRUE;
  return FALSE;
}

/* The moment that --at names; it must lie in the step. */
static gboolean
read_moment (const Typed *typed, const PlgReport *report, Request *request)
{
  double end = plg_moment_end (report);
  g_autofree char *length = plg_format_time (end);
  g_autofree char *message = NULL;

  if (typed->at == NULL)
    return TRUE;
  if (!parse_moment (typed->at, end, &request->options.moment))
    message = g_strdup_printf (_ ("--at is “%s”, but must be a time like 3.2s, 850ms or 31%%."),
                               typed->at);
  else if (end == 0)
    message = g_strdup (_ ("--at needs a schedule, and this plan has too many micro-batches."));
  else if (request->options.moment < 0 || request->options.moment > end)
    message = g_strdup_printf (_ ("--at is “%s”, but the step ends after %s."), typed->at, length);
  request->options.has_moment = message == NULL;
  if (message != NULL)
    plg_cli_misuse (message);
  return message == NULL;
}

static PlgExit
export_picture (const Request *request,
                PlgPicture picture,
                const PlgInput *input,
                const PlgReport *report,
                const char *path,
                gboolean force)
{
  g_autoptr (PlgFigure) figure = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  plg_cli_begin_file (input);
  figure = plg_picture_figure (picture, input->plan, report, &request->theme, &request->options);
  bytes = plg_export (figure, &request->theme, &request->file, &error);
  plg_cli_end_file (input);
  if (bytes == NULL)
    return plg_cli_fail (PLG_EXIT_FILE, "%s: %s", path, error->message);
  return plg_cli_write (path, bytes, force);
}

static PlgExit
export_all (const Request *request,
            const PlgInput *input,
            const PlgReport *report,
            const char *directory,
            gboolean force)
{
  const char *ending = plg_export_format_name (request->file.format);
  PlgExit status = PLG_EXIT_DONE;

  if (g_mkdir_with_parents (directory, 0777) != 0)
    return plg_cli_fail (PLG_EXIT_FILE, _ ("%s: The folder cannot be made: %s"), directory,
                         g_strerror (errno));
  for (int i = 0; i < PLG_N_PICTURES && status == PLG_EXIT_DONE; i++)
    {
      g_autofree char *name = g_strconcat (plg_picture_name (i), ".", ending, NULL);
      g_autofree char *path = g_build_filename (directory, name, NULL);

      status = export_picture (request, i, input, report, path, force);
    }
  return status;
}

static PlgExit export(PlgInput *input, const Typed *typed, Request *request)
{
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (GError) error = NULL;
  PlgExit status = plg_input_read (input);

  if (status != PLG_EXIT_DONE)
    return status;
  if (!read_options (typed, input->plan, request))
    return PLG_EXIT_USAGE;
  plg_cli_begin_file (input);
  report = plg_evaluate (input->plan, PLG_EVALUATE_ALL, &error);
  plg_cli_end_file (input);
  if (report == NULL)
    return plg_cli_fail (PLG_EXIT_PLAN, "%s", error->message);
  if (!read_moment (typed, report, request))
    return PLG_EXIT_USAGE;
  if (typed->directory != NULL)
    return export_all (request, input, report, typed->directory, typed->force);
  return export_picture (request, request->picture, input, report, typed->output, typed->force);
}

PlgExit
plg_command_export (int argc, char **argv)
{
  g_auto (PlgInput) input = { 0 };
  g_auto (Typed) typed = { 0 };
  Request request = { 0 };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &typed.output,
      N_ ("The picture; its ending tells the type; -.svg is standard output"), N_ ("FILE") },
    { "export-all", 0, 0, G_OPTION_ARG_FILENAME, &typed.directory, N_ ("Write every view into DIR"),
      N_ ("DIR") },
    { "format", 0, 0, G_OPTION_ARG_STRING, &typed.format,
      N_ ("The type, when the ending does not tell it"), "svg|pdf|png" },
    { "view", 0, 0, G_OPTION_ARG_STRING, &typed.view, N_ ("What to draw (cluster)"),
      "cluster|memory|timeline|mfu" },
    { "show", 0, 0, G_OPTION_ARG_STRING, &typed.show, N_ ("What the GPUs show (as in the plan)"),
      "all|tp|cp|ep|pp|dp|memory" },
    { "link-color", 0, 0, G_OPTION_ARG_STRING, &typed.link_color,
      N_ ("What the colour of a link means (as in the plan)"), "frequency|bytes|time|off" },
    { "at", 0, 0, G_OPTION_ARG_STRING, &typed.at,
      N_ ("The cluster and the timeline at this second of the step: 3.2s, 850ms, 31%"),
      N_ ("TIME") },
    { "palette", 0, 0, G_OPTION_ARG_STRING, &typed.palette,
      N_ ("light (the default), dark, print, grey, color-blind, high-contrast, "
          "high-contrast-dark"),
      N_ ("NAME") },
    { "background", 0, 0, G_OPTION_ARG_STRING, &typed.background,
      N_ ("What is behind (white; the theme's own for dark palettes)"), "white|transparent|theme" },
    { "no-legend", 0, 0, G_OPTION_ARG_NONE, &typed.no_legend, N_ ("Leave the legend out"), NULL },
    { "width", 0, 0, G_OPTION_ARG_DOUBLE, &typed.width,
      N_ ("The width to fill, in points of which 96 make an inch"), N_ ("POINTS") },
    { "scale", 0, 0, G_OPTION_ARG_DOUBLE, &typed.scale, N_ ("Pixels a point, for PNG (1)"), "S" },
    { "dpi", 0, 0, G_OPTION_ARG_DOUBLE, &typed.dpi, N_ ("Pixels an inch, for PNG (96)"), "D" },
    { "force", 'f', 0, G_OPTION_ARG_NONE, &typed.force, N_ ("Replace files that are there"), NULL },
    { NULL },
  };

  if (!plg_cli_parse (_ ("Writes pictures of PLAN. Without PLAN, of the default plan."), entries,
                      &input, argc, argv) ||
      !read_request (&typed, &request))
    return PLG_EXIT_USAGE;
  return export(&input, &typed, &request);
}
