/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/export-options.h"

#include "cli/command.h"
#include "drawing/export/option-applicability.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Refuses options that would change nothing in the picture, because users would otherwise
 * believe that these options had an effect. */

typedef struct
{
  const char *option;
  gboolean is_given;
  PlgPictureOption aspect;
} OptionUse;

static gboolean
has_table_extension (const PlgExportArguments *arguments)
{
  g_autofree char *lower = g_ascii_strdown (arguments->output != NULL ? arguments->output : "", -1);

  return g_str_has_suffix (lower, ".csv");
}

gboolean
plg_export_is_table (const PlgExportArguments *arguments)
{
  if (arguments->format != NULL)
    return g_str_equal (arguments->format, "csv");
  return has_table_extension (arguments);
}

gboolean
plg_export_check_options (const PlgExportArguments *arguments, const PlgRequest *request)
{
  const OptionUse wishes[] = {
    { "--show", arguments->show != NULL, PLG_PICTURE_OPTION_SHOW },
    { "--link-color", arguments->link_color != NULL, PLG_PICTURE_OPTION_LINK_COLOR },
    { "--links", arguments->links != NULL, PLG_PICTURE_OPTION_LINKS },
    { "--pairs", arguments->pairs != NULL, PLG_PICTURE_OPTION_PAIRS },
    { "--at", arguments->at != NULL, PLG_PICTURE_OPTION_TIME },
    { "--pin", arguments->pins != NULL, PLG_PICTURE_OPTION_HIGHLIGHTED },
    { "--focus", arguments->focus != NULL, PLG_PICTURE_OPTION_HIGHLIGHTED },
    { "--select", arguments->selected != NULL, PLG_PICTURE_OPTION_SELECTED },
    { "--nodes", arguments->nodes != NULL, PLG_PICTURE_OPTION_NODES },
    { "--columns", arguments->columns != NULL, PLG_PICTURE_OPTION_COLUMNS },
    { "--legend", arguments->legend != NULL, PLG_PICTURE_OPTION_LEGEND },
    { "--no-legend", arguments->no_legend, PLG_PICTURE_OPTION_LEGEND },
    { "--legend right", g_strcmp0 (arguments->legend, "right") == 0,
      PLG_PICTURE_OPTION_LEGEND_RIGHT },
    { "--collective", arguments->collective != NULL, PLG_PICTURE_OPTION_COLLECTIVE },
    { "--rank", plg_export_is_given (arguments->rank), PLG_PICTURE_OPTION_COLLECTIVE },
    { "--frame", plg_export_is_given (arguments->frame), PLG_PICTURE_OPTION_FRAME },
    { "--x", arguments->x != NULL, PLG_PICTURE_OPTION_SWEEP },
    { "--y", arguments->y != NULL, PLG_PICTURE_OPTION_SWEEP },
    { "--metric", arguments->metric != NULL, PLG_PICTURE_OPTION_SWEEP },
    { "--vary", arguments->vary != NULL, PLG_PICTURE_OPTION_SEARCH },
    { "--keep", arguments->keep != NULL, PLG_PICTURE_OPTION_SEARCH },
    { "--require", arguments->require != NULL, PLG_PICTURE_OPTION_SEARCH },
    { "--by", arguments->by != NULL, PLG_PICTURE_OPTION_SEARCH },
    { "--pareto", arguments->pareto != NULL, PLG_PICTURE_OPTION_SEARCH },
    { "--color-by", arguments->color_by != NULL, PLG_PICTURE_OPTION_SEARCH },
    { "--with-order", arguments->with_order != NULL, PLG_PICTURE_OPTION_OTHER_ORDER },
    { "--with", arguments->with != NULL, PLG_PICTURE_OPTION_OTHER_PLAN },
    { "--with-variant", arguments->with_variant != NULL, PLG_PICTURE_OPTION_OTHER_PLAN },
    { "--width", plg_export_is_given (arguments->width), PLG_PICTURE_OPTION_WIDTH },
    { "--zoom", plg_export_is_given (arguments->zoom), PLG_PICTURE_OPTION_ZOOM },
    { "--palette", arguments->palette != NULL, PLG_PICTURE_OPTION_COLOR },
    { "--background", arguments->background != NULL, PLG_PICTURE_OPTION_COLOR },
    { "--scale", plg_export_is_given (arguments->scale), PLG_PICTURE_OPTION_SCALE },
    { "--dpi", plg_export_is_given (arguments->dpi), PLG_PICTURE_OPTION_SCALE },
    { "--page", arguments->page != NULL, PLG_PICTURE_OPTION_PAGE },
    { "--without-plan", arguments->without_plan, PLG_PICTURE_OPTION_PLAN },
  };

  /* A table has the contents of the monospace text, so the same options apply. */
  const char *format = plg_export_is_table (arguments)
                           ? "csv"
                           : plg_export_format_name (request->file.format);

  for (guint i = 0; i < G_N_ELEMENTS (wishes); i++)
    {
      const OptionUse *use = &wishes[i];
      gboolean is_drawn = plg_picture_option_is_drawn (use->aspect, request->picture);
      g_autofree char *views = plg_picture_option_picture_names (use->aspect);
      g_autofree char *files = plg_picture_option_format_names (use->aspect);

      if (!use->is_given)
        continue;
      /* With --export-all, accept the option if at least one view uses it. */
      for (int j = 0; arguments->directory != NULL && j < PLG_N_PICTURES; j++)
        is_drawn = is_drawn || plg_picture_option_is_drawn (use->aspect, (PlgPicture) j);
      if (!is_drawn)
        plg_cli_usage_error (_ ("%s has no effect in the view “%s”; it applies to %s."),
                             use->option, plg_picture_name (request->picture), views);
      else if (!plg_picture_option_is_in_format (use->aspect, request->file.format))
        plg_cli_usage_error (_ ("%s has no effect in a file of type %s; it applies to %s."),
                             use->option, format, files);
      else if (arguments->directory == NULL &&
               !plg_picture_option_has_effect (use->aspect, request->picture, request->file.format))
        plg_cli_usage_error (_ ("%s has no effect in the view “%s” in a file of type %s."),
                             use->option, plg_picture_name (request->picture), format);
      else
        continue;
      return FALSE;
    }

  /* Check that the options agree: --format with the file extension, --export-all with --view,
   * and --legend with --no-legend. */
  PlgExportFormat ending = request->file.format;
  gboolean is_table = plg_export_is_table (arguments);
  gboolean names_table = has_table_extension (arguments);
  gboolean names_picture = arguments->output != NULL &&
                           plg_export_format_from_path (arguments->output, &ending);

  if (arguments->format != NULL &&
      (names_table ? !is_table : names_picture && (is_table || ending != request->file.format)))
    plg_cli_usage_error (_ ("“%s” has the extension of a %s file, but --format is %s: leave "
                            "--format out, or use the extension .%s."),
                         arguments->output, names_table ? "csv" : plg_export_format_name (ending),
                         arguments->format, is_table ? "csv" : format);
  else if (is_table && (arguments->directory != NULL || request->picture != PLG_PICTURE_SWEEP))
    plg_cli_usage_error (_ ("Only the view “sweep” can be a CSV file: add --view sweep. "
                            "`parallelogram-cli convert --to links` writes a table of links."));
  else if (arguments->x == NULL && (arguments->y != NULL || arguments->metric != NULL))
    plg_cli_usage_error (_ ("--y and --metric need --x, such as --x cluster.nodes=1..64."));
  else if (arguments->directory != NULL && arguments->view != NULL)
    plg_cli_usage_error (_ ("--export-all writes every view; leave --view out."));
  else if ((arguments->with != NULL) + (arguments->with_variant != NULL) +
               (arguments->with_order != NULL) >
           1)
    plg_cli_usage_error (_ ("--with, --with-variant and --with-order set the same thing; give only "
                            "one of them."));
  else if ((arguments->with != NULL || arguments->with_variant != NULL) &&
           arguments->directory == NULL &&
           (arguments->pins != NULL || arguments->focus != NULL || arguments->selected != NULL ||
            arguments->nodes != NULL))
    plg_cli_usage_error (
        _ ("--pin, --focus, --select and --nodes have no effect when two plans are "
           "compared, because they name parts of one plan; leave them out."));
  else if (arguments->no_legend && arguments->legend != NULL)
    plg_cli_usage_error (_ ("--no-legend and --legend set the same thing; give only one of them."));
  else
    return TRUE;
  return FALSE;
}
