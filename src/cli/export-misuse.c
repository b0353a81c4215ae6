/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/export-options.h"

#include "cli/command.h"
#include "drawing/aspect.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* What was typed and would change nothing in the picture is refused: else people would believe that
 * it had been obeyed. */

typedef struct
{
  const char *option;
  gboolean is_given;
  PlgAspect aspect;
} Wish;

/* With --export-all it is enough that some view has it. */
static gboolean
is_of_view (PlgAspect aspect, const PlgExportTyped *typed, const PlgRequest *request)
{
  for (int i = 0; typed->directory != NULL && i < PLG_N_PICTURES; i++)
    if (plg_aspect_is_of (aspect, (PlgPicture) i))
      return TRUE;
  return plg_aspect_is_of (aspect, request->picture);
}

static gboolean
check_wish (const Wish *wish, const PlgExportTyped *typed, const PlgRequest *request)
{
  g_autofree char *views = plg_aspect_pictures (wish->aspect);
  g_autofree char *files = plg_aspect_formats (wish->aspect);
  g_autofree char *message = NULL;

  if (!wish->is_given)
    return TRUE;
  if (!is_of_view (wish->aspect, typed, request))
    message = g_strdup_printf (_ ("%s changes nothing in the view “%s”; it is for %s."),
                               wish->option, plg_picture_name (request->picture), views);
  else if (!plg_aspect_is_in (wish->aspect, request->file.format))
    message = g_strdup_printf (_ ("%s changes nothing in a file of type %s; it is for %s."),
                               wish->option, plg_export_format_name (request->file.format), files);
  else if (typed->directory == NULL &&
           !plg_aspect_is_told (wish->aspect, request->picture, request->file.format))
    message = g_strdup_printf (_ ("%s changes nothing in the view “%s” in a file of type %s."),
                               wish->option, plg_picture_name (request->picture),
                               plg_export_format_name (request->file.format));
  if (message != NULL)
    plg_cli_misuse (message);
  return message == NULL;
}

/* The ending of the file and --format must not contradict each other. */
static gboolean
check_ending (const PlgExportTyped *typed, const PlgRequest *request)
{
  g_autofree char *message = NULL;
  PlgExportFormat ending;

  if (typed->output == NULL || typed->format == NULL ||
      !plg_export_format_from_path (typed->output, &ending) || ending == request->file.format)
    return TRUE;
  message = g_strdup_printf (_ ("“%s” ends like a file of type %s, but --format is %s: leave "
                                "--format out, or let the file end in .%s."),
                             typed->output, plg_export_format_name (ending), typed->format,
                             plg_export_format_name (request->file.format));
  plg_cli_misuse (message);
  return FALSE;
}

/* What says the same twice. */
static gboolean
check_pairs (const PlgExportTyped *typed)
{
  const char *message = NULL;

  if (typed->directory != NULL && typed->view != NULL)
    message = _ ("--export-all writes every view; leave --view out.");
  else if (typed->no_legend && typed->legend != NULL)
    message = _ ("--no-legend and --legend say the same; give one.");
  if (message != NULL)
    plg_cli_misuse (message);
  return message == NULL;
}

gboolean
plg_export_check_wishes (const PlgExportTyped *typed, const PlgRequest *request)
{
  const Wish wishes[] = {
    { "--show", typed->show != NULL, PLG_ASPECT_SHOW },
    { "--link-color", typed->link_color != NULL, PLG_ASPECT_LINK_COLOR },
    { "--links", typed->links != NULL, PLG_ASPECT_LINKS },
    { "--pairs", typed->pairs != NULL, PLG_ASPECT_PAIRS },
    { "--at", typed->at != NULL, PLG_ASPECT_MOMENT },
    { "--pin", typed->pins != NULL, PLG_ASPECT_LIT },
    { "--focus", typed->focus != NULL, PLG_ASPECT_LIT },
    { "--select", typed->selected != NULL, PLG_ASPECT_SELECTED },
    { "--nodes", typed->nodes != NULL, PLG_ASPECT_NODES },
    { "--columns", typed->columns != NULL, PLG_ASPECT_COLUMNS },
    { "--legend", typed->legend != NULL, PLG_ASPECT_LEGEND },
    { "--no-legend", typed->no_legend, PLG_ASPECT_LEGEND },
    { "--legend right", g_strcmp0 (typed->legend, "right") == 0, PLG_ASPECT_LEGEND_RIGHT },
    { "--collective", typed->collective != NULL, PLG_ASPECT_COLLECTIVE },
    { "--rank", plg_export_is_typed (typed->rank), PLG_ASPECT_COLLECTIVE },
    { "--frame", plg_export_is_typed (typed->frame), PLG_ASPECT_FRAME },
    { "--with-order", typed->with_order != NULL, PLG_ASPECT_ORDER },
    { "--width", plg_export_is_typed (typed->width), PLG_ASPECT_WIDTH },
    { "--zoom", plg_export_is_typed (typed->zoom), PLG_ASPECT_ZOOM },
    { "--palette", typed->palette != NULL, PLG_ASPECT_COLOR },
    { "--background", typed->background != NULL, PLG_ASPECT_COLOR },
    { "--scale", plg_export_is_typed (typed->scale), PLG_ASPECT_SCALE },
    { "--dpi", plg_export_is_typed (typed->dpi), PLG_ASPECT_SCALE },
    { "--page", typed->page != NULL, PLG_ASPECT_PAGE },
    { "--without-plan", typed->without_plan, PLG_ASPECT_PLAN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wishes); i++)
    if (!check_wish (&wishes[i], typed, request))
      return FALSE;
  return check_ending (typed, request) && check_pairs (typed);
}
