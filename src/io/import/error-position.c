/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/error-position.h"

#include "plan/plan-problem.h"
#include "syntax/format-error.h"

#include <string.h>

void
plg_error_add_position (GError **error, PlgFilePosition position)
{
  if (error == NULL)
    return;
  if ((*error)->domain == PLG_FORMAT_ERROR)
    plg_format_error_add_position (error, position);
  else
    plg_plan_problem_add_position (error, position);
}

const char *
plg_error_text (const GError *error)
{
  g_autofree char *position = plg_file_position_text (plg_error_position (error));

  return error->message + strlen (position);
}

PlgFilePosition
plg_error_position (const GError *error)
{
  const PlgPlanProblem *problem = plg_plan_problem (error);

  return problem != NULL ? problem->position : plg_format_error_position (error);
}
