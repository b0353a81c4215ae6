/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/pictures.h"
#include "engine/network/collective-steps.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

char *
plg_collective_steps_describe (const PlgCollectiveSteps *collective_steps, int step)
{
  int steps = plg_collective_steps_count (collective_steps);
  const char *phase;

  if (step <= 0)
    return g_strdup_printf (ngettext ("before the only step", "before the first of %d steps",
                                      (gulong) steps),
                            steps);
  switch (collective_steps->shape)
    {
    case PLG_STEP_PATTERN_ALL_TO_ALL:
      return g_strdup_printf (_ ("step %d of %d: each member sends to the member at distance %d"),
                              step, steps, step);
    case PLG_STEP_PATTERN_REDUCE_SCATTER:
      phase = _ ("reduce-scatter: parts are added and sums are passed on");
      break;
    case PLG_STEP_PATTERN_ALL_REDUCE:
      phase = plg_collective_steps_is_gathering (collective_steps, step)
                  ? _ ("all-gather: full sums are passed on")
                  : _ ("reduce-scatter: parts are added and sums are passed on");
      break;
    case PLG_STEP_PATTERN_ALL_GATHER:
      phase = _ ("each member passes on its latest chunk");
      break;
    case PLG_STEP_PATTERN_CHAIN:
    default:
      phase = collective_steps->joins_stages
                  ? _ ("from stage to stage; gradients travel in the opposite direction")
                  : _ ("each member passes the message on");
      break;
    }
  return g_strdup_printf (_ ("step %d of %d, %s"), step, steps, phase);
}

char *
plg_collective_steps_formula (const PlgCollectiveSteps *collective_steps)
{
  g_autofree char *step = plg_format_volume (plg_collective_steps_step_bytes (collective_steps));
  g_autofree char *total = plg_format_volume (plg_collective_steps_total_bytes (collective_steps));
  g_autofree char *buffer = plg_format_volume (collective_steps->bytes);

  if (collective_steps->shape == PLG_STEP_PATTERN_CHAIN)
    return g_strdup_printf (_ ("Size of each message: S = %s"), buffer);
  return g_strdup_printf (_ ("Each member sends %s · S/n = %d · %s = %s, S = %s, n = %d"),
                          collective_steps->shape == PLG_STEP_PATTERN_ALL_REDUCE ? "2·(n − 1)"
                                                                                 : "(n − 1)",
                          plg_collective_steps_count (collective_steps), step, total, buffer,
                          collective_steps->members);
}
