/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/registry/node-map-diff.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  int n;
  char *first; /* description of the first change, or NULL */
} Changes;

/* Compares the paths WAS and IS (transfer full) from GPU FROM to TO number NUMBER. */
static void
compare (Changes *changes, char *was, char *is, int from, const char *to, int number)
{
  if (!g_str_equal (was, is) && changes->n++ == 0)
    /* TRANSLATORS: A GPU's number, "GPU" or "NIC", its number, a path such as "PIX:63", another. */
    changes->first = g_strdup_printf (_ ("GPU %d to %s %d: %s instead of %s"), from, to, number, is,
                                      was);
  g_free (was);
  g_free (is);
}

char *
plg_node_map_diff_text (const PlgNodeTopology *map, const PlgNodeTopology *read)
{
  Changes changes = { 0 };
  g_autofree char *first = NULL;

  if (plg_node_topology_equal (map, read))
    return NULL;
  if (plg_node_topology_is_empty (map))
    return g_strdup (_ ("This file describes the usual links inside a node of this kind. "
                        "Readers of the file take them as the map of the node."));
  if (plg_node_topology_is_empty (read) || read->gpus != map->gpus)
    return g_strdup (_ ("Readers of this file do not get the map of the node."));
  for (int gpu = 0; gpu < map->gpus; gpu++)
    {
      for (int to = gpu + 1; to < map->gpus; to++)
        compare (&changes, plg_path_to_string (plg_node_topology_to_gpu (map, gpu, to)),
                 plg_path_to_string (plg_node_topology_to_gpu (read, gpu, to)), gpu, "GPU", to);
      for (int nic = 0; nic < map->nics && nic < read->nics; nic++)
        compare (&changes, plg_path_to_string (plg_node_topology_to_nic (map, gpu, nic)),
                 plg_path_to_string (plg_node_topology_to_nic (read, gpu, nic)), gpu, "NIC", nic);
    }
  first = changes.first;
  if (changes.n == 0)
    return g_strdup (_ ("Readers of this file get other NICs, NUMA nodes or rings in the map "
                        "of the node: values that the plan does not know come from the kind of "
                        "node."));
  return g_strdup_printf (_ ("Readers of this file get other paths in the map of the node "
                             "(%d), such as %s. Values that the plan does not know come from "
                             "the kind of node."),
                          changes.n, first);
}
