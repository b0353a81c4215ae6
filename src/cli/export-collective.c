/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/export-options.h"

#include "cli/command.h"
#include "drawing/export/option-applicability.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Reads the options for the view "collective": the collective, the rank whose group is drawn,
 * and the number of finished steps. */

/* Returns the number of steps of the collective that REQUEST names. Returns G_MAXINT if the plan
 * sends nothing, so that any number is accepted. */
static int
steps_of (PlgPicture picture,
          const PlgRequest *request,
          const PlgPlan *plan,
          const PlgReport *report)
{
  g_autoptr (GArray) gpus = NULL;
  const PlgCollective *row;
  PlgCollectiveSteps relay;

  if (picture == PLG_PICTURE_SPLIT)
    return PLG_SPLIT_STEPS;
  if (picture != PLG_PICTURE_COLLECTIVE)
    return 0;
  if (report->collectives->len == 0)
    return G_MAXINT;
  row = &g_array_index (report->collectives, PlgCollective, request->options.collective);
  gpus = plg_collective_steps_gpus (plan, row, request->options.rank);
  plg_collective_steps_init (&relay, row);
  relay.members = (int) gpus->len;
  return relay.members > 1 ? plg_collective_steps_count (&relay) : G_MAXINT;
}

gboolean
plg_export_read_collective (const PlgExportArguments *arguments,
                            const PlgPlan *plan,
                            const PlgReport *report,
                            PlgRequest *request)
{
  if (plg_export_is_given (arguments->rank))
    {
      request->options.rank = arguments->rank;
      if (arguments->rank < 0 || arguments->rank >= report->world_size)
        {
          plg_cli_usage_error (_ ("--rank is %d, but must be from 0 to %d."), arguments->rank,
                               report->world_size - 1);
          return FALSE;
        }
    }

  if (arguments->collective != NULL)
    {
      request->options.collective = plg_report_find_collective (report, arguments->collective);
      if (request->options.collective < 0)
        {
          g_autoptr (GString) allowed = g_string_new (NULL);

          for (guint i = 0; i < report->collectives->len; i++)
            {
              g_autofree char *name = plg_collective_name (&g_array_index (report->collectives,
                                                                           PlgCollective, i));

              g_string_append_printf (allowed, "%s%s", i > 0 ? ", " : "", name);
            }
          plg_cli_usage_error (_ ("--collective is “%s”, but the collectives in this plan are: "
                                  "%s."),
                               arguments->collective, allowed->len > 0 ? allowed->str : _ ("none"));
          return FALSE;
        }
    }

  /* With --export-all, accept the number of finished steps if at least one view has that many
   * steps. */
  int most = 0;

  if (!plg_export_is_given (arguments->frame))
    return TRUE;
  for (int i = 0; i < PLG_N_PICTURES; i++)
    if (arguments->directory != NULL || i == (int) request->picture)
      most = MAX (most, steps_of ((PlgPicture) i, request, plan, report));
  request->options.frame = arguments->frame;
  if (arguments->frame >= 0 && arguments->frame <= most)
    return TRUE;
  plg_cli_usage_error (_ ("--frame is %d, but the number of finished steps must be from 0 to %d."),
                       arguments->frame, most);
  return FALSE;
}
