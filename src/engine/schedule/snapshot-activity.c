/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/schedule/snapshot.h"

#include <glib/gi18n-lib.h>


static const struct
{
  const char *name;
  const char *title;
  const char *letter;
} activities[PLG_N_ACTIVITIES] = {
  [PLG_ACTIVITY_IDLE] = { "idle", N_ ("idle"), "–" },
  [PLG_ACTIVITY_FORWARD] = { "forward", N_ ("forward"), "F" },
  [PLG_ACTIVITY_RECOMPUTE] = { "recompute", N_ ("recompute"), "R" },
  [PLG_ACTIVITY_BACKWARD] = { "backward", N_ ("backward"), "B" },
  [PLG_ACTIVITY_WEIGHT] = { "weight", N_ ("weight gradient"), "W" },
  [PLG_ACTIVITY_SYNC] = { "sync", N_ ("waits for replicas"), "S" },
  [PLG_ACTIVITY_OPTIMIZER] = { "optimizer", N_ ("optimizer"), "O" },
};

const char *
plg_activity_name (PlgActivity activity)
{
  g_return_val_if_fail (activity < PLG_N_ACTIVITIES, NULL);

  return activities[activity].name;
}

const char *
plg_activity_title (PlgActivity activity)
{
  g_return_val_if_fail (activity < PLG_N_ACTIVITIES, NULL);

  return _ (activities[activity].title);
}

const char *
plg_activity_letter (PlgActivity activity)
{
  g_return_val_if_fail (activity < PLG_N_ACTIVITIES, NULL);

  return activities[activity].letter;
}
