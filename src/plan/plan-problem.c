/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/plan-problem.h"

#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>

typedef PlgPlanProblem PlgPlanErrorPrivate;

static void
plg_plan_error_private_init (PlgPlanErrorPrivate *problem)
{
}

static void
plg_plan_error_private_copy (const PlgPlanErrorPrivate *from, PlgPlanErrorPrivate *to)
{
  *to = *from;
  to->text = g_strdup (from->text);
  to->reason = g_strdup (from->reason);
}

static void
plg_plan_error_private_clear (PlgPlanErrorPrivate *problem)
{
  g_free (problem->text);
  g_free (problem->reason);
}

G_DEFINE_EXTENDED_ERROR (PlgPlanError, plg_plan_error)

const PlgPlanProblem *
plg_plan_problem (const GError *error)
{
  return error != NULL && error->domain == PLG_PLAN_ERROR ? plg_plan_error_get_private (error)
                                                          : NULL;
}

static void
add_causes (PlgPlanProblem *problem, const char *const *causes)
{
  for (int i = 0; causes != NULL && causes[i] != NULL; i++)
    {
      g_assert (i < PLG_MAX_CAUSES);
      problem->causes[i] = causes[i];
    }
}

/* Sets ERROR and returns the problem that ERROR carries. The problem's causes and key are still
 * NULL. */
static PlgPlanProblem *
set_valist (GError **error, PlgPlanError code, const char *format, va_list arguments)
{
  PlgPlanProblem *problem;

  *error = g_error_new_valist (PLG_PLAN_ERROR, code, format, arguments);
  problem = plg_plan_error_get_private (*error);
  problem->text = g_strdup ((*error)->message);
  return problem;
}

gboolean
plg_plan_problem_set (GError **error,
                      PlgPlanError code,
                      const char *const *causes,
                      const char *format,
                      ...)
{
  PlgPlanProblem *problem;
  va_list arguments;

  if (error == NULL)
    return FALSE;
  va_start (arguments, format);
  problem = set_valist (error, code, format, arguments);
  va_end (arguments);
  add_causes (problem, causes);
  return FALSE;
}

gboolean
plg_plan_problem_set_limit (GError **error,
                            PlgPlanError code,
                            const char *const *causes,
                            const char *remedy,
                            const char *format,
                            ...)
{
  g_autofree char *reason = NULL;
  PlgPlanProblem *problem;
  va_list arguments;

  if (error == NULL)
    return FALSE;
  va_start (arguments, format);
  reason = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  /* Translators: a reason and what to do about it, as in "TP 16 does not divide 40 attention
   * heads; use TP 10 or 20". */
  *error = g_error_new (PLG_PLAN_ERROR, code, _ ("%s; %s"), reason, remedy);
  problem = plg_plan_error_get_private (*error);
  problem->text = g_strdup ((*error)->message);
  problem->reason = g_steal_pointer (&reason);
  add_causes (problem, causes);
  return FALSE;
}

gboolean
plg_plan_problem_set_for_key (GError **error,
                              PlgPlanError code,
                              const char *key,
                              const char *format,
                              ...)
{
  va_list arguments;

  if (error == NULL)
    return FALSE;
  va_start (arguments, format);
  set_valist (error, code, format, arguments);
  va_end (arguments);
  return plg_plan_problem_add_key (error, key);
}

gboolean
plg_plan_problem_add_key (GError **error, const char *key)
{
  if (error != NULL)
    {
      plg_plan_error_get_private (*error)->key = key;
      g_prefix_error (error, "%s: ", plg_setting_name (key));
    }
  return FALSE;
}

void
plg_plan_problem_add_position (GError **error, PlgFilePosition position)
{
  if (error == NULL)
    return;
  plg_plan_error_get_private (*error)->position = position;
  plg_file_position_prefix (position, error);
}
