/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/pictures.h"
#include "engine/relay.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* What a collective does, in words. */

static const char *
phase_of (const PlgRelay *relay, int step)
{
  switch (relay->shape)
    {
    case PLG_RELAY_REDUCE:
      return _ ("reduce-scatter: each adds its part and hands the sum on");
    case PLG_RELAY_ALL_REDUCE:
      return plg_relay_is_gathering (relay, step)
                 ? _ ("all-gather: whole sums are handed on")
                 : _ ("reduce-scatter: each adds its part and hands the sum on");
    case PLG_RELAY_GATHER:
      return _ ("each hands on what it got last");
    case PLG_RELAY_PAIRS:
    case PLG_RELAY_CHAIN:
    default:
      return _ ("from stage to stage; gradients come back the same way");
    }
}

char *
plg_relay_in_words (const PlgRelay *relay, int step)
{
  int steps = plg_relay_steps (relay);

  if (step <= 0)
    return g_strdup_printf (ngettext ("before the only step", "before the first of %d steps",
                                      (gulong) steps),
                            steps);
  if (relay->shape == PLG_RELAY_PAIRS)
    return g_strdup_printf (_ ("step %d of %d: each sends to the member at distance %d"), step,
                            steps, step);
  return g_strdup_printf (_ ("step %d of %d, %s"), step, steps, phase_of (relay, step));
}

char *
plg_relay_formula_in_words (const PlgRelay *relay)
{
  g_autofree char *step = plg_format_volume (plg_relay_step_bytes (relay));
  g_autofree char *total = plg_format_volume (plg_relay_total_bytes (relay));
  g_autofree char *buffer = plg_format_volume (relay->bytes);

  if (relay->shape == PLG_RELAY_CHAIN)
    return g_strdup_printf (_ ("Each message S = %s"), buffer);
  return g_strdup_printf (_ ("A member sends %s · S/n = %d · %s = %s, S = %s, n = %d"),
                          relay->shape == PLG_RELAY_ALL_REDUCE ? "2·(n − 1)" : "(n − 1)",
                          plg_relay_steps (relay), step, total, buffer, relay->members);
}
