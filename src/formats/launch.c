/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/launch.h"

#include "formats/format.h"
#include "formats/hosts.h"
#include "formats/plan-xml.h"

#include <glib/gi18n-lib.h>
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

int
plg_launch_unnamed_nodes (const PlgPlan *plan)
{
  int unnamed = 0;

  for (int i = 0; i < plan->cluster.nodes; i++)
    unnamed += plg_node_names_get (&plan->node_names, i) == NULL;
  return unnamed;
}

char *
plg_launch_first_line (const char *data, gsize size)
{
  const char *limit = data + size;

  while (data < limit)
    {
      const char *newline = memchr (data, '\n', limit - data);
      const char *end = newline != NULL ? newline : limit;

      while (data < end && g_ascii_isspace (*data))
        data++;
      if (data < end && *data != '#' && !(end - data > 1 && data[0] == '/' && data[1] == '/'))
        return g_strchomp (g_strndup (data, end - data));
      data = newline != NULL ? newline + 1 : limit;
    }
  return g_strdup ("");
}

void
plg_launch_comment_placement (GString *out, const PlgPlan *plan)
{
  int n;
  const PlgFormat *const *formats = plg_formats (&n);

  if (plg_launch_is_block (plan))
    return;
  g_string_append (out, "# Ranks were moved by hand. This file does not say where they are; what "
                        "starts it does:\n");
  for (int i = 0; i < n; i++)
    if (plg_format_places (formats[i], plan))
      g_string_append_printf (out, "#   %s\n", formats[i]->title);
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

static gboolean
fail_order (const PlgPlan *plan, const int *ranks, int gpu, const char *format, GError **error)
{
  g_auto (GStrv) hosts = plg_hosts_of_plan (plan);
  int gpus = plan->cluster.gpus_per_node;

  g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_PLACEMENT,
               _ ("%s gives the ranks of a node its GPUs in order, but on %s GPU %d has rank %d "
                  "and "
                  "GPU %d has rank %d."),
               format, hosts[gpu / gpus], gpu % gpus - 1, ranks[gpu - 1], gpu % gpus, ranks[gpu]);
  return FALSE;
}

gboolean
plg_launch_is_in_order (const PlgPlan *plan, const char *format, GError **error)
{
  g_autofree int *ranks = plg_launch_ranks (plan);

  for (int gpu = 0; gpu < plg_plan_world (plan); gpu++)
    if (gpu % plan->cluster.gpus_per_node > 0 && ranks[gpu] < ranks[gpu - 1])
      return fail_order (plan, ranks, gpu, format, error);
  return TRUE;
}

static gboolean
fail_block (const PlgPlan *plan, const int *ranks, int gpu, const char *format, GError **error)
{
  g_auto (GStrv) hosts = plg_hosts_of_plan (plan);
  int gpus = plan->cluster.gpus_per_node;

  g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_PLACEMENT,
               _ ("%s gives a node %d consecutive ranks, the first of them a multiple of %d, but "
                  "%s "
                  "has rank %d beside rank %d."),
               format, gpus, gpus, hosts[gpu / gpus], ranks[gpu], ranks[gpu / gpus * gpus]);
  return FALSE;
}

gboolean
plg_launch_is_in_blocks (const PlgPlan *plan, const char *format, GError **error)
{
  g_autofree int *ranks = plg_launch_ranks (plan);
  int gpus = plan->cluster.gpus_per_node;

  for (int gpu = 0; gpu < plg_plan_world (plan); gpu++)
    if (ranks[gpu] / gpus != ranks[gpu / gpus * gpus] / gpus)
      return fail_block (plan, ranks, gpu, format, error);
  return TRUE;
}

int *
plg_launch_blocks (const PlgPlan *plan)
{
  g_autofree int *ranks = plg_launch_ranks (plan);
  int *node_of_block = g_new (int, plan->cluster.nodes);
  int gpus = plan->cluster.gpus_per_node;

  for (int node = 0; node < plan->cluster.nodes; node++)
    node_of_block[ranks[node * gpus] / gpus] = node;
  return node_of_block;
}

char *
plg_launch_devices (const PlgPlan *plan, int node)
{
  int gpus = plan->cluster.gpus_per_node;
  g_autofree int *ranks = plg_launch_ranks (plan);
  g_autofree int *gpu_of_local = g_new (int, gpus);
  gboolean permuted = FALSE;
  GString *list = g_string_new (NULL);

  for (int i = 0; i < gpus; i++)
    gpu_of_local[ranks[node * gpus + i] % gpus] = i;
  for (int i = 0; i < gpus; i++)
    {
      permuted |= gpu_of_local[i] != i;
      g_string_append_printf (list, "%s%d", i > 0 ? "," : "", gpu_of_local[i]);
    }
  return g_string_free (list, !permuted);
}
