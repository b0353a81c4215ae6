/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/launch.h"

#include "formats/plan-xml.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define UNNAMED "node"

char *
plg_launch_host (const PlgPlan *plan, int node)
{
  const char *name = plg_node_names_get (&plan->node_names, node);

  return name != NULL ? g_strdup (name) : g_strdup_printf (UNNAMED "%d", node);
}

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

char **
plg_launch_hosts (const PlgPlan *plan, GError **error)
{
  char **hosts = g_new0 (char *, plan->cluster.nodes + 1);

  for (int i = 0; i < plan->cluster.nodes; i++)
    {
      const char *name = plg_node_names_get (&plan->node_names, i);
      int other = name != NULL ? plg_launch_unnamed (name) : -1;

      if (other >= 0 && other != i && other < plan->cluster.nodes &&
          plg_node_names_get (&plan->node_names, other) == NULL)
        {
          g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
                       _ ("Node %d is called %s, which also stands for node %d, which has no name; "
                          "give that one a name too."),
                       i, name, other);
          g_strfreev (hosts);
          return NULL;
        }
      hosts[i] = plg_launch_host (plan, i);
    }
  return hosts;
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
