/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/plan-problem.h"

#include "plan/settings/setting-name.h"

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
}

static void
plg_plan_error_private_clear (PlgPlanErrorPrivate *problem)
{
  g_free (problem->text);
}

G_DEFINE_EXTENDED_ERROR (PlgPlanError, plg_plan_error)

const PlgPlanProblem *
plg_plan_problem (const GError *error)
{
  return error != NULL && error->domain == PLG_PLAN_ERROR ? plg_plan_error_get_private (error)
                                                          : NULL;
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
  for (int i = 0; causes != NULL && causes[i] != NULL; i++)
    {
      g_assert (i < PLG_MAX_CAUSES);
      problem->causes[i] = causes[i];
    }
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
