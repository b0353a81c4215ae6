/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/simulators/simulator-checks.h"

#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>

gboolean
plg_simulator_set_error (const char *program, GError **error, const char *format, ...)
{
  g_autofree char *why = NULL;
  va_list args;

  va_start (args, format);
  why = g_strdup_vprintf (format, args);
  va_end (args);
  /* Translators: "Calculon cannot express this plan: the program has no context parallelism; set
   * CP to 1." */
  g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
               _ ("%s cannot express this plan: %s"), program, why);
  return FALSE;
}

gboolean
plg_simulator_check_rank_order (const PlgPlan *plan, const char *program, GError **error)
{
  return plan->placement.size == 0 ||
         plg_simulator_set_error (
             program, error,
             _ ("ranks were moved by hand, but this program always places rank N on GPU N. Put "
                "the ranks back in order, or export a plan file (XML) or a list of ranks, which "
                "keep the placement."));
}

gboolean
plg_simulator_check_no_faults (const PlgPlan *plan, const char *program, GError **error)
{
  int n = plan->cluster.n_faults;

  return n == 0 ||
         plg_simulator_set_error (
             program, error,
             g_dngettext (GETTEXT_PACKAGE,
                          "%d part is slow or broken, but the program assumes that all "
                          "links are alike. Clear %s; a plan file (XML) keeps the faults.",
                          "%d parts are slow or broken, but the program assumes that all "
                          "links are alike. Clear %s; a plan file (XML) keeps the faults.",
                          n),
             n, plg_setting_name ("cluster.faults"));
}

gboolean
plg_simulator_axis_crosses_nodes (const PlgPlan *plan, PlgAxis axis)
{
  const PlgParallelism *parallelism = &plan->parallelism;
  int world = plg_plan_world (plan);

  for (int rank = 0; rank < world && axis != PLG_AXIS_EP; rank++)
    {
      PlgCoordinate first = plg_rank_coordinate (parallelism, rank);

      first.index[axis] = 0;
      if (plg_plan_node_of_rank (plan, rank) !=
          plg_plan_node_of_rank (plan, plg_coordinate_rank (parallelism, &first)))
        return TRUE;
    }
  return FALSE;
}
