/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/export-options.h"

#include "cli/command.h"
#include "drawing/export/option-applicability.h"
#include "engine/advice/advice.h"
#include "io/reports/sweep-csv.h"
#include "engine/schedule/snapshot.h"
#include "plan/order-preset.h"
#include "plan/quantity.h"
#include "io/plan/plan-xml.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The allowed values of each option. The index of a value in its array is its enumeration value,
 * for example a PlgShow in show_names. */
static const char *const show_names[] = { "all", "tp", "cp", "ep", "pp", "dp", "memory" };
static const char *const link_color_names[] = { "frequency", "bytes", "time", "off" };
static const char *const links_names[] = { "physical", "logical" };
static const char *const pairs_names[] = { "bandwidth", "traffic" };

static void
typed_clear (PlgExportArguments *arguments)
{
  g_free (arguments->output);
  g_free (arguments->directory);
  g_free (arguments->format);
  g_free (arguments->view);
  g_free (arguments->show);
  g_free (arguments->palette);
  g_free (arguments->link_color);
  g_free (arguments->background);
  g_free (arguments->at);
  g_free (arguments->links);
  g_free (arguments->pairs);
  g_free (arguments->legend);
  g_free (arguments->page);
  g_free (arguments->nodes);
  g_free (arguments->columns);
  g_free (arguments->crop);
  g_strfreev (arguments->selected);
  g_strfreev (arguments->pins);
  g_strfreev (arguments->focus);
  g_free (arguments->collective);
  g_free (arguments->with_order);
  g_free (arguments->x);
  g_free (arguments->y);
  g_free (arguments->metric);
  g_strfreev (arguments->vary);
  g_strfreev (arguments->keep);
  g_strfreev (arguments->require);
  g_free (arguments->by);
  g_free (arguments->pareto);
  g_free (arguments->color_by);
  g_free (arguments->with);
  g_free (arguments->with_variant);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgExportArguments, typed_clear)

/* Sets INDEX to the index of VALUE in NAMES, or leaves INDEX unchanged if VALUE is NULL. If
 * VALUE is unknown, prints the allowed values of OPTION and returns FALSE. */
static gboolean
choose (const char *option, const char *value, const char *const *names, int n, int *index)
{
  g_autoptr (GString) allowed = g_string_new (NULL);

  if (value == NULL)
    return TRUE;
  for (int i = 0; i < n; i++)
    {
      if (g_str_equal (value, names[i]))
        return *index = i, TRUE;
      g_string_append_printf (allowed, "%s%s", i > 0 ? ", " : "", names[i]);
    }
  plg_cli_usage_error (_ ("%s is “%s”, but must be one of %s."), option, value, allowed->str);
  return FALSE;
}

/* Reads the options whose values are names, and determines the file type. */
static gboolean
read_names (const PlgExportArguments *arguments, PlgRequest *request)
{
  const char *backgrounds[] = { plg_background_name (PLG_BACKGROUND_WHITE),
                                plg_background_name (PLG_BACKGROUND_TRANSPARENT),
                                plg_background_name (PLG_BACKGROUND_THEME) };
  const char *views[PLG_N_PICTURES], *formats[PLG_N_EXPORT_FORMATS], *pages[PLG_N_PAGES];
  int view = PLG_PICTURE_CLUSTER, background = request->file.background, format = PLG_EXPORT_SVG;
  int page = PLG_PAGE_DRAWING;

  for (int i = 0; i < PLG_N_PICTURES; i++)
    views[i] = plg_picture_name (i);
  for (int i = 0; i < PLG_N_EXPORT_FORMATS; i++)
    formats[i] = plg_export_format_name (i);
  for (int i = 0; i < PLG_N_PAGES; i++)
    pages[i] = plg_page_name (i);
  if (arguments->view == NULL || !plg_picture_from_name (arguments->view, &request->picture))
    {
      if (!choose ("--view", arguments->view, views, PLG_N_PICTURES, &view))
        return FALSE;
      request->picture = view;
    }
  if (plg_export_is_table (arguments))
    format = PLG_EXPORT_TEXT;
  else if (!choose ("--format", arguments->format, formats, PLG_N_EXPORT_FORMATS, &format))
    return FALSE;
  if (!choose ("--background", arguments->background, backgrounds, G_N_ELEMENTS (backgrounds),
               &background))
    return FALSE;
  request->file.background = background;
  request->file.format = format;
  if (arguments->format == NULL && arguments->directory == NULL &&
      !plg_export_is_table (arguments) &&
      !plg_export_format_from_path (arguments->output, &request->file.format))
    return plg_cli_usage_error (_ ("The file extension must be .svg, .pdf, .png, .tex, .drawio, "
                                   ".txt or .csv; otherwise, give the type with --format.")),
           FALSE;
  if (!choose ("--page", arguments->page, pages, PLG_N_PAGES, &page))
    return FALSE;
  request->file.page = page;
  return TRUE;
}

/* Reads the options that can be checked without a plan. */
static gboolean
read_request (const PlgExportArguments *arguments, PlgRequest *request)
{
  const char *where = arguments->output != NULL ? arguments->output : arguments->directory;
  const char *message = NULL;

  if ((arguments->output == NULL) == (arguments->directory == NULL) || *where == '\0')
    return plg_cli_usage_error (
               _ ("Name the output: -o FILE for one picture, or --export-all DIR.")),
           FALSE;
  if (!read_names (arguments, request))
    return FALSE;

  /* Convert the resolution to pixels per point. A figure has 96 points per inch. */
  request->file.scale = plg_export_is_given (arguments->dpi)     ? arguments->dpi / 96
                        : plg_export_is_given (arguments->scale) ? arguments->scale
                                                                 : 1;
  if (plg_export_is_given (arguments->dpi) && plg_export_is_given (arguments->scale))
    message = _ ("--scale and --dpi set the same thing; give only one of them.");
  else if (!(request->file.scale >= 0.1 && request->file.scale <= 20))
    message = _ ("--scale must be between 0.1 and 20, --dpi between 9.6 and 1920.");
  else if (plg_export_is_given (arguments->width) &&
           !(arguments->width >= 100 && arguments->width <= 100000))
    message = _ ("--width must be between 100 and 100000 points.");
  else if (plg_export_is_given (arguments->zoom) &&
           !(arguments->zoom >= 0.001 && arguments->zoom <= 20))
    message = _ ("--zoom must be between 0.001 and 20.");
  if (message != NULL)
    {
      plg_cli_usage_error ("%s", message);
      return FALSE;
    }

  /* Read the second nesting order for the view "compare". */
  request->options.has_other_order = arguments->with_order != NULL;
  if (arguments->with_order != NULL &&
      !plg_order_from_string (arguments->with_order, request->options.other_order))
    {
      g_autofree char *presets = plg_order_preset_names ();

      plg_cli_usage_error (_ ("--with-order is “%s”, but must name each axis once, the "
                              "innermost first, as in tp-dp-pp, or be one of %s."),
                           arguments->with_order, presets);
      return FALSE;
    }
  return plg_export_check_options (arguments, request);
}

/* Reads a node or a range of nodes, such as "4" or "0-3". */
static gboolean
read_range (const char *option, const char *text, const PlgPlan *plan, PlgRange *range)
{
  int nodes = plan->cluster.nodes;
  g_auto (GStrv) ends = NULL;
  guint64 first, last;

  if (text == NULL)
    return TRUE;
  ends = g_strsplit (text, "-", 2);
  if (ends[0] != NULL && g_ascii_string_to_unsigned (ends[0], 10, 0, nodes - 1, &first, NULL) &&
      g_ascii_string_to_unsigned (ends[1] != NULL ? ends[1] : ends[0], 10, first, nodes - 1, &last,
                                  NULL))
    {
      *range = (PlgRange) { (int) first, (int) (last - first) + 1 };
      return TRUE;
    }
  plg_cli_usage_error (_ ("%s is “%s”, but must be a node from 0 to %d or a range of nodes, such "
                          "as 0-3."),
                       option, text, nodes - 1);
  return FALSE;
}

static gboolean
read_number (const char *text, double least, double *value)
{
  char *end;
  double read = g_ascii_strtod (text, &end);

  /* Write the comparison with a negation, so that NaN is refused as well. */
  if (end == text || *end != '\0' || !(read >= least && read < 1e6))
    return FALSE;
  *value = read;
  return TRUE;
}

/* Reads the options that depend on the plan. An absent option takes its value from the view of
 * PLAN. Stores the drawn view in PLAN, because an SVG file can contain the plan. */
static gboolean
read_content (const PlgExportArguments *arguments, PlgPlan *plan, PlgRequest *request)
{
  PlgView *view = &plan->view;
  int show = view->show, link_color = view->link_color, rings = view->rings, pairs = view->pairs;
  int legend = arguments->no_legend ? PLG_LEGEND_OFF : PLG_LEGEND_BELOW;
  const char *legends[PLG_N_LEGEND_PLACES];
  PlgRect *crop = &request->crop;
  g_auto (GStrv) sides = NULL;

  for (int i = 0; i < PLG_N_LEGEND_PLACES; i++)
    legends[i] = plg_legend_place_name (i);
  if (!choose ("--show", arguments->show, show_names, G_N_ELEMENTS (show_names), &show) ||
      !choose ("--link-color", arguments->link_color, link_color_names,
               G_N_ELEMENTS (link_color_names), &link_color) ||
      !choose ("--links", arguments->links, links_names, G_N_ELEMENTS (links_names), &rings) ||
      !choose ("--pairs", arguments->pairs, pairs_names, G_N_ELEMENTS (pairs_names), &pairs) ||
      !choose ("--legend", arguments->legend, legends, PLG_N_LEGEND_PLACES, &legend) ||
      !read_range ("--nodes", arguments->nodes, plan, &request->options.nodes) ||
      !read_range ("--columns", arguments->columns, plan, &request->options.columns))
    return FALSE;
  view->show = request->options.show = show;
  view->link_color = request->options.link_color = link_color;
  view->rings = request->options.rings = rings;
  view->pairs = request->options.pairs = pairs;
  request->options.width = plg_export_is_given (arguments->width) ? arguments->width : 0;
  request->options.zoom = plg_export_is_given (arguments->zoom) ? arguments->zoom : 0;
  request->options.legend = legend;

  if (arguments->crop == NULL)
    return TRUE;
  sides = g_strsplit (arguments->crop, ",", -1);
  if (g_strv_length (sides) == 4 && read_number (sides[0], -1e6, &crop->x) &&
      read_number (sides[1], -1e6, &crop->y) && read_number (sides[2], 1, &crop->width) &&
      read_number (sides[3], 1, &crop->height))
    return TRUE;
  plg_cli_usage_error (_ ("--crop must be X,Y,WIDTH,HEIGHT in points of the picture, such as "
                          "0,0,400,300; width and height must be at least 1."));
  return FALSE;
}

static gboolean
read_entity (const char *text, const PlgPlan *plan, const PlgReport *report, PlgEntity *entity)
{
  g_autoptr (GError) error = NULL;

  if (plg_entity_from_text (plan, report, text, entity, &error))
    return TRUE;
  plg_cli_usage_error ("%s", error->message);
  return FALSE;
}

static gboolean
read_highlight (char **texts,
                gboolean are_pins,
                const PlgPlan *plan,
                const PlgReport *report,
                PlgRequest *request)
{
  PlgEntity entity;

  for (int i = 0; texts != NULL && texts[i] != NULL; i++)
    {
      if (!read_entity (texts[i], plan, report, &entity))
        return FALSE;

      /* The ledger view shows accounts only for links, GPUs and collectives, so highlighting any
       * other entity would change nothing. */
      if (!plg_picture_can_highlight (request->picture, entity))
        {
          plg_cli_usage_error (
              _ ("“%s” has no effect in the view “%s”, which highlights only links, GPUs and "
                 "collectives."),
              texts[i], plg_picture_name (request->picture));
          return FALSE;
        }
      plg_request_highlight (request, entity, are_pins);
    }
  return TRUE;
}

static PlgExit
export_picture (const PlgRequest *request,
                const PlgInput *input,
                const PlgReport *report,
                const char *path,
                gboolean force)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  plg_cli_begin_file (input);
  bytes = plg_request_export (request, input->plan, report, &error);
  plg_cli_end_file (input);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return plg_cli_usage_error ("%s", error->message);
  if (bytes == NULL)
    return plg_cli_fail (PLG_EXIT_FILE, "%s: %s", path, error->message);
  return plg_cli_write (path, bytes, force);
}

static PlgExit
export_report (const PlgInput *input,
               const PlgReport *report,
               const PlgExportArguments *arguments,
               PlgRequest *request)
{
  const PlgPlan *plan = input->plan;

  if (!read_highlight (arguments->pins, TRUE, plan, report, request) ||
      !read_highlight (arguments->focus, FALSE, plan, report, request))
    return PLG_EXIT_USAGE;

  if (arguments->selected != NULL)
    {
      if (arguments->selected[1] != NULL)
        return plg_cli_usage_error (
            _ ("--select was given more than once, but only one thing can be selected. "
               "Highlight others with --focus or --pin."));
      if (!read_entity (arguments->selected[0], plan, report, &request->options.selected))
        return PLG_EXIT_USAGE;
      if (!plg_entity_can_be_selected (request->options.selected))
        return plg_cli_usage_error (_ ("--select is “%s”, which cannot be outlined; use a GPU, "
                                       "node, group or link, such as gpu:17, node:2, tp:3 or "
                                       "link:nvlink-2-5."),
                                    arguments->selected[0]);
    }

  if (request->file.format == PLG_EXPORT_SVG && !arguments->without_plan)
    request->file.attachment = plg_plan_xml_write (input->plan, input->source);
  if (arguments->directory != NULL)
    {
      /* Write each picture with only the options that apply to it. */
      const char *ending = plg_export_format_name (request->file.format);
      PlgExit status = PLG_EXIT_DONE;

      if (g_mkdir_with_parents (arguments->directory, 0777) != 0)
        return plg_cli_fail (PLG_EXIT_FILE, _ ("%s: Cannot create the folder: %s"),
                             arguments->directory, g_strerror (errno));
      for (int i = 0; i < PLG_N_PICTURES && status == PLG_EXIT_DONE; i++)
        {
          g_autofree char *name = g_strconcat (plg_picture_name (i), ".", ending, NULL);
          g_autofree char *path = g_build_filename (arguments->directory, name, NULL);
          g_auto (PlgRequest) one = { 0 };

          /* A search of a large cluster takes long, so its options ask for it. */
          if (i == PLG_PICTURE_SEARCH && request->search == NULL)
            continue;
          plg_request_copy (request, &one);
          plg_request_set_picture (&one, i);
          status = export_picture (&one, input, report, path, arguments->force);
        }
      return status;
    }
  return export_picture (request, input, report, arguments->output, arguments->force);
}

/* Evaluates the sweep of --x, --y and --metric. A table without --x has the sweep of scaling. */
static gboolean
read_sweep (const PlgExportArguments *arguments, const PlgInput *input, PlgRequest *request)
{
  const char *name = arguments->metric != NULL ? arguments->metric : "mfu";
  const PlgMetric *metric = plg_metric_find (name);
  g_autoptr (GError) error = NULL;

  if (metric == NULL)
    {
      g_autofree char *similar = plg_metric_suggest (name);
      g_autofree char *all = similar == NULL ? plg_metric_names () : NULL;

      plg_cli_usage_error (similar != NULL ? _ ("--metric: there is no metric “%s”. Similar: %s.")
                                           : _ ("--metric: there is no metric “%s”. Use one of: "
                                                "%s."),
                           name, similar != NULL ? similar : all);
      return FALSE;
    }
  /* The reasons of impossible plans are part of the file. */
  plg_cli_begin_file (input);
  if (arguments->x != NULL)
    request->sweep = plg_sweep_new (input->plan, input->catalogue, metric, arguments->x,
                                    arguments->y, &error);
  else if (plg_export_is_table (arguments))
    request->sweep = plg_sweep_scaling (input->plan);
  plg_cli_end_file (input);
  if (error != NULL)
    plg_cli_usage_error ("%s", error->message);
  else if (request->sweep != NULL && plg_sweep_lost_layout (request->sweep))
    plg_cli_report_lost_layout ();
  return error == NULL;
}

/* Reads the plan in --with, which is compared with the plan of INPUT. */
static PlgExit
read_compared (const PlgInput *input, const char *path, PlgRequest *request)
{
  const char *const paths[] = { path, NULL };
  g_auto (PlgInput) other = { .kind = PLG_INPUT_FILE,
                              .paths = g_strdupv ((char **) paths),
                              .account = input->account,
                              .catalogue = plg_catalogue_ref (input->catalogue) };
  g_autofree char *name_of_open = plg_input_name (input), *name = plg_input_name (&other);
  g_autoptr (GError) error = NULL;
  PlgExit status = plg_input_read (&other);

  if (status != PLG_EXIT_DONE)
    return status;
  request->compared = plg_compared_plan_new (other.plan, 0, input->catalogue, name_of_open, name,
                                             &error);
  return request->compared != NULL ? PLG_EXIT_DONE
                                   : plg_cli_fail (PLG_EXIT_PLAN, "%s: %s", name, error->message);
}

/* Finds the variant in --with-variant, which is compared with the plan of INPUT. */
static PlgExit
find_compared_variant (const PlgInput *input, const char *name, PlgRequest *request)
{
  const PlgVariants *variants = input->plan->variants;
  int index = plg_variants_find (variants, name);
  g_autofree char *name_of_open = plg_input_name (input);
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (PlgPlan) plan = NULL;
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < plg_variants_count (variants); i++)
    g_string_append_printf (names, "%s“%s”", i > 0 ? ", " : "",
                            plg_variants_nth (variants, i)->name);
  if (index < 0 && variants == NULL)
    return plg_cli_usage_error (_ ("--with-variant is “%s”, but the plan has no variants."), name);
  if (index < 0)
    return plg_cli_usage_error (_ ("--with-variant is “%s”, but must be one of %s."), name,
                                names->str);
  plan = plg_variant_apply (plg_variants_nth (variants, index), input->plan);
  request->compared = plg_compared_plan_new (plan, 0, input->catalogue, name_of_open, name, &error);
  return request->compared != NULL ? PLG_EXIT_DONE
                                   : plg_cli_fail (PLG_EXIT_PLAN, "%s: %s", name, error->message);
}

static PlgExit
export_plan (const PlgInput *input, const PlgExportArguments *arguments, PlgRequest *request)
{
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (GError) error = NULL;

  if (!read_content (arguments, input->plan, request))
    return PLG_EXIT_USAGE;
  plg_cli_begin_file (input);
  report = plg_evaluate_with_advice (input->plan, &error);
  plg_cli_end_file (input);
  if (report == NULL)
    return plg_cli_fail (PLG_EXIT_PLAN, "%s", error->message);

  /* Read the time in --at, which must be within the step. */
  double end = plg_snapshot_end (report);
  g_autofree char *length = plg_format_time (end);

  if (arguments->at != NULL)
    {
      if (!plg_time_from_text (arguments->at, end, &request->options.moment))
        return plg_cli_usage_error (
            _ ("--at is “%s”, but must be a time such as 3.2s, 850ms or 31%%."), arguments->at);
      if (end == 0)
        return plg_cli_usage_error (
            _ ("--at needs a schedule, but this plan has too many micro-batches to simulate one; "
               "use a smaller global batch, or leave --at out."));
      if (request->options.moment < 0 || request->options.moment > end)
        return plg_cli_usage_error (_ ("--at is “%s”, but must be a time from 0 s to %s."),
                                    arguments->at, length);
      request->options.has_moment = TRUE;
    }

  if (arguments->with != NULL || arguments->with_variant != NULL)
    {
      PlgExit status = arguments->with != NULL
                           ? read_compared (input, arguments->with, request)
                           : find_compared_variant (input, arguments->with_variant, request);

      if (status != PLG_EXIT_DONE)
        return status;
    }
  if (!plg_export_read_collective (arguments, input->plan, report, request) ||
      !read_sweep (arguments, input, request))
    return PLG_EXIT_USAGE;
  if (request->picture == PLG_PICTURE_SEARCH || plg_export_has_search_option (arguments))
    {
      PlgExit status;

      plg_cli_begin_file (input);
      status = plg_export_search (arguments, input->plan, input->catalogue, request);
      plg_cli_end_file (input);
      if (status != PLG_EXIT_DONE)
        return status;
    }
  if (plg_export_is_table (arguments))
    {
      char *table;

      plg_cli_begin_file (input);
      table = plg_sweep_csv (request->sweep);
      plg_cli_end_file (input);

      g_autoptr (GBytes) bytes = g_bytes_new_take (table, strlen (table));

      return plg_cli_write (arguments->output, bytes, arguments->force);
    }
  return export_report (input, report, arguments, request);
}

/* The offset of a member in PlgExportArguments, for option tables that are built before an
 * instance exists. */
#define AT(member) ((gpointer) G_STRUCT_OFFSET (PlgExportArguments, member))

static const GOptionEntry options[] = {
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, AT (output),
    N_ ("The file to write; its extension sets the type, and -.svg writes an SVG to standard "
        "output"),
    N_ ("FILE") },
  { "export-all", 0, 0, G_OPTION_ARG_FILENAME, AT (directory),
    N_ ("Write every view into DIR; “search” only with one of its options"), N_ ("DIR") },
  { "format", 0, 0, G_OPTION_ARG_STRING, AT (format),
    N_ ("The file type, if the extension does not give it"), "svg|pdf|png|tex|drawio|txt|csv" },
  { "view", 0, 0, G_OPTION_ARG_STRING, AT (view), N_ ("The view to draw (default: cluster)"),
    "cluster|memory|timeline|mfu|ledger|matrix|collective|split|compare|sweep|search" },
  { "show", 0, 0, G_OPTION_ARG_STRING, AT (show),
    N_ ("The groups or values that the GPUs show (default: as in the plan)"),
    "all|tp|cp|ep|pp|dp|memory" },
  { "link-color", 0, 0, G_OPTION_ARG_STRING, AT (link_color),
    N_ ("Meaning of the link colours (default: as in the plan)"), "frequency|bytes|time|off" },
  { "at", 0, 0, G_OPTION_ARG_STRING, AT (at),
    N_ ("Draw the cluster and the timeline at this time in the step, such as 3.2s, 850ms or 31%"),
    N_ ("TIME") },
  { "links", 0, 0, G_OPTION_ARG_STRING, AT (links),
    N_ ("Physical links, or the rings of the collectives (default: as in the plan)"),
    "physical|logical" },
  { "pairs", 0, 0, G_OPTION_ARG_STRING, AT (pairs),
    N_ ("Quantity that the matrix shows for each pair of GPUs (default: as in the plan)"),
    "bandwidth|traffic" },
  { "pin", 0, 0, G_OPTION_ARG_STRING_ARRAY, AT (pins),
    N_ ("Highlight THING, label it with a number and fade the rest; may be repeated"),
    N_ ("THING") },
  { "focus", 0, 0, G_OPTION_ARG_STRING_ARRAY, AT (focus),
    N_ ("Highlight THING, for example gpu:17, node:2, tp, tp:3, link:nvlink-2-5, collective:0"),
    N_ ("THING") },
  { "select", 0, 0, G_OPTION_ARG_STRING_ARRAY, AT (selected),
    N_ ("Outline THING or, if it is a GPU, the groups of the GPU; for example gpu:17, node:2, tp:3, "
        "link:nvlink-2-5"),
    N_ ("THING") },
  { "nodes", 0, 0, G_OPTION_ARG_STRING, AT (nodes),
    N_ ("Draw only these nodes of the cluster, such as 0-3"), N_ ("FIRST-LAST") },
  { "columns", 0, 0, G_OPTION_ARG_STRING, AT (columns),
    N_ ("The nodes in the columns of the matrix (default: the nodes in the rows, which --nodes "
        "sets)"),
    N_ ("FIRST-LAST") },
  { "crop", 0, 0, G_OPTION_ARG_STRING, AT (crop),
    N_ ("Export only this part of the picture, given in points"), "X,Y,WIDTH,HEIGHT" },
  { "collective", 0, 0, G_OPTION_ARG_STRING, AT (collective),
    N_ ("The collective in the view “collective”: an axis, followed by the kind if the axis has "
        "several kinds, and by :experts, :loss or :kv if the collective is one of these"),
    "tp:all-gather" },
  { "rank", 0, 0, G_OPTION_ARG_INT, AT (rank), N_ ("A rank of the group to draw (default: 0)"),
    "R" },
  { "frame", 0, 0, G_OPTION_ARG_INT, AT (frame),
    N_ ("The number of finished steps in the view “collective” or “split” (default: 1)"), "N" },
  { "x", 0, 0, G_OPTION_ARG_STRING, AT (x),
    N_ ("The setting along the horizontal axis of the view “sweep”, with its values: 1,2,4 or "
        "1..64 (doubles), 8..64:+8 (adds), 1..81:*3 (multiplies)"),
    N_ ("KEY[=VALUES]") },
  { "y", 0, 0, G_OPTION_ARG_STRING, AT (y),
    N_ ("A second setting of the view “sweep”: lines for few values, coloured cells for more"),
    N_ ("KEY[=VALUES]") },
  { "metric", 0, 0, G_OPTION_ARG_STRING, AT (metric),
    N_ ("The metric of the view “sweep” (default: mfu); `parallelogram-cli check --help` lists "
        "all metrics"),
    N_ ("METRIC") },
  { "vary", 0, 0, G_OPTION_ARG_STRING_ARRAY, AT (vary),
    N_ ("Try these values of a setting in the view “search”; `parallelogram-cli search --help` "
        "describes this option and --keep, --require, --by and --pareto"),
    N_ ("KEY[=V,…]") },
  { "keep", 0, 0, G_OPTION_ARG_STRING_ARRAY, AT (keep),
    N_ ("Hold a setting at its value in PLAN; may be repeated"), N_ ("KEY") },
  { "require", 0, 0, G_OPTION_ARG_STRING_ARRAY, AT (require),
    N_ ("A condition that each plan must meet, such as 'memory<=70GiB'; may be repeated"),
    N_ ("METRIC[<= >= < > ==]LIMIT") },
  { "by", 0, 0, G_OPTION_ARG_STRING, AT (by),
    N_ ("The metric that ranks the plans (default: step-time)"), N_ ("METRIC") },
  { "pareto", 0, 0, G_OPTION_ARG_STRING, AT (pareto),
    N_ ("The metrics of the axes of the view “search” (default: step-time,memory)"),
    N_ ("METRIC,METRIC") },
  { "color-by", 0, 0, G_OPTION_ARG_STRING, AT (color_by),
    N_ ("The setting that colours the dots of the view “search” (default: parallelism.tp)"),
    N_ ("KEY") },
  { "with-order", 0, 0, G_OPTION_ARG_STRING, AT (with_order),
    N_ ("The second nesting order in the view “compare”, or the name of a program that uses it"),
    "tp-dp-pp" },
  { "with", 0, 0, G_OPTION_ARG_FILENAME, AT (with),
    N_ ("The second plan in the view “compare”: a plan file or any file that can be imported"),
    N_ ("FILE") },
  { "with-variant", 0, 0, G_OPTION_ARG_STRING, AT (with_variant),
    N_ ("The variant of PLAN that the view “compare” shows beside PLAN"), N_ ("NAME") },
  { "palette", 0, 0, G_OPTION_ARG_STRING, AT (palette),
    N_ ("light (the default), dark, print, grey, color-blind, high-contrast, "
        "high-contrast-dark, projector"),
    N_ ("NAME") },
  { "background", 0, 0, G_OPTION_ARG_STRING, AT (background),
    N_ ("The background (default: white; dark palettes: the colour of the theme)"),
    "white|transparent|theme" },
  { "legend", 0, 0, G_OPTION_ARG_STRING, AT (legend),
    N_ ("Position of the legend; “on” puts it below the picture"), "off|on|right" },
  { "no-legend", 0, 0, G_OPTION_ARG_NONE, AT (no_legend), N_ ("The same as --legend off"), NULL },
  { "page", 0, 0, G_OPTION_ARG_STRING, AT (page), N_ ("The page size of a PDF (default: drawing)"),
    "drawing|a4|letter|16:9" },
  { "without-plan", 0, 0, G_OPTION_ARG_NONE, AT (without_plan),
    N_ ("Leave the plan out of an SVG, which then cannot be opened again"), NULL },
  { "width", 0, 0, G_OPTION_ARG_DOUBLE, AT (width),
    N_ ("The width to fill, in points; 96 points make an inch"), N_ ("POINTS") },
  { "zoom", 0, 0, G_OPTION_ARG_DOUBLE, AT (zoom),
    N_ ("Draw the cluster in as much detail as the window does at this zoom; 1 is the natural "
        "size"),
    "Z" },
  { "scale", 0, 0, G_OPTION_ARG_DOUBLE, AT (scale), N_ ("Pixels per point, for PNG (default: 1)"),
    "S" },
  { "dpi", 0, 0, G_OPTION_ARG_DOUBLE, AT (dpi), N_ ("Pixels per inch, for PNG (default: 96)"),
    "D" },
  { "force", 'f', 0, G_OPTION_ARG_NONE, AT (force), N_ ("Replace existing files"), NULL },
  { NULL },
};

PlgExit
plg_command_export (int argc, char **argv)
{
  g_auto (PlgInput) input = { 0 };
  g_auto (PlgExportArguments) arguments = {
    .rank = PLG_EXPORT_NOT_GIVEN,
    .frame = PLG_EXPORT_NOT_GIVEN,
    .scale = PLG_EXPORT_NOT_GIVEN,
    .dpi = PLG_EXPORT_NOT_GIVEN,
    .width = PLG_EXPORT_NOT_GIVEN,
    .zoom = PLG_EXPORT_NOT_GIVEN,
  };
  GOptionEntry entries[G_N_ELEMENTS (options)];

  memcpy (entries, options, sizeof options);
  for (gsize i = 0; entries[i].long_name != NULL; i++)
    entries[i].arg_data = G_STRUCT_MEMBER_P (&arguments, GPOINTER_TO_SIZE (options[i].arg_data));
  if (!plg_cli_parse (_ ("Writes pictures of PLAN, or of the default plan."), entries, &input, argc,
                      argv))
    return PLG_EXIT_USAGE;

  /* Report wrong options before reading any file. */
  g_autoptr (PlgPlan) nothing = plg_plan_new ();
  g_auto (PlgRequest) request = { 0 };
  PlgPalette palette;
  PlgExit status;
  const char *palettes[PLG_N_PALETTES];
  int index = PLG_PALETTE_LIGHT;

  for (int i = 0; i < PLG_N_PALETTES; i++)
    palettes[i] = plg_palette_name (i);
  if (!choose ("--palette", arguments.palette, palettes, PLG_N_PALETTES, &index))
    return PLG_EXIT_USAGE;
  palette = index;

  plg_request_init (&request, nothing, palette);
  if (!read_request (&arguments, &request))
    return PLG_EXIT_USAGE;
  status = plg_input_read (&input);
  return status == PLG_EXIT_DONE ? export_plan (&input, &arguments, &request) : status;
}
