/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/launch.h"

#include <string.h>

#define UNNAMED "node"

int
plg_launch_unnamed (const char *host)
{
  gint64 node;

  if (!g_str_has_prefix (host, UNNAMED))
    return -1;
  host += strlen (UNNAMED);
  /* "node07" is somebody's name. */
  if ((host[0] == '0' && host[1] != '\0') ||
      !g_ascii_string_to_signed (host, 10, 0, PLG_MAX_NODES - 1, &node, NULL))
    return -1;
  return (int) node;
}

gboolean
plg_launch_is_block (const PlgPlan *plan)
{
  return plg_placement_moved (&plan->placement) == 0;
}

int *
plg_launch_ranks (const PlgPlan *plan)
{
  int world = plg_plan_world (plan);
  int *ranks = g_new (int, world);

  plg_placement_invert (&plan->placement, world, ranks);
  return ranks;
}
