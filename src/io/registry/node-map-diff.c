/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/registry/node-map-diff.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  int others;
  char *first; /* the first of them, in words */
} Changes;

/* Takes WAS and IS, of what joins FROM to NUMBER. */
static void
compare (Changes *changes, char *was, char *is, int from, const char *to, int number)
{
  if (!g_str_equal (was, is) && changes->others++ == 0)
    /* TRANSLATORS: A GPU's number, "GPU" or "NIC", its number, a way such as "PIX:63", another. */
    changes->first = g_strdup_printf (_ ("GPU %d to %s %d: %s instead of %s"), from, to, number, is,
                                      was);
  g_free (was);
  g_free (is);
}

static void
compare_paths (Changes *changes, const PlgNodeTopology *map, const PlgNodeTopology *read)
{
  for (int gpu = 0; gpu < map->gpus; gpu++)
    {
      for (int to = gpu + 1; to < map->gpus; to++)
        compare (changes, plg_path_to_string (plg_node_topology_to_gpu (map, gpu, to)),
                 plg_path_to_string (plg_node_topology_to_gpu (read, gpu, to)), gpu, "GPU", to);
      for (int nic = 0; nic < map->nics && nic < read->nics; nic++)
        compare (changes, plg_path_to_string (plg_node_topology_to_nic (map, gpu, nic)),
                 plg_path_to_string (plg_node_topology_to_nic (read, gpu, nic)), gpu, "NIC", nic);
    }
}

char *
plg_node_map_diff_text (const PlgNodeTopology *map, const PlgNodeTopology *read)
{
  Changes changes = { 0 };
  g_autofree char *first = NULL;

  if (plg_node_topology_equal (map, read))
    return NULL;
  if (plg_node_topology_is_empty (map))
    return g_strdup (_ ("This file says how a node is joined inside as its kind has it, and who "
                        "reads it has that as the map of the node."));
  if (plg_node_topology_is_empty (read) || read->gpus != map->gpus)
    return g_strdup (_ ("Who reads this file does not have the map of the node."));
  compare_paths (&changes, map, read);
  first = changes.first;
  if (changes.others == 0)
    return g_strdup (_ ("Who reads this file has other facts of NICs, NUMA nodes or rings in the "
                        "map of the node: what the plan does not know is taken from its kind."));
  return g_strdup_printf (_ ("Who reads this file has other ways in the map of the node (%d), such "
                             "as "
                             "%s. What the plan does not know is taken from its kind."),
                          changes.others, first);
}
