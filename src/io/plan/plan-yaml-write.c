/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/plan/plan-yaml.h"

#include <string.h>

/* Appends a line "KEY: TEXT" unless TEXT is empty. */
static void
append_text (GString *out, const char *key, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  if (*valid == '\0')
    return;
  g_string_append_printf (out, "%s: ", key);
  if (g_regex_match_simple ("^[A-Za-z][A-Za-z0-9]*( [A-Za-z0-9(][A-Za-z0-9,.();/+-]*)+$", valid, 0,
                            0))
    g_string_append (out, valid);
  else
    {
      g_string_append_c (out, '"');
      for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
        {
          gunichar c = g_utf8_get_char (p);
          if (c == '"' || c == '\\')
            g_string_append_printf (out, "\\%c", (char) c);
          else if (c == '\n')
            g_string_append (out, "\\n");
          else if (c == '\t')
            g_string_append (out, "\\t");
          else if (g_unichar_isprint (c) && c != 0xFEFF && c != 0x2028 && c != 0x2029)
            g_string_append_unichar (out, c);
          else
            g_string_append_printf (out, "\\U%08X", c);
        }
      g_string_append_c (out, '"');
    }
  g_string_append_c (out, '\n');
}

char *
plg_plan_yaml_write (const PlgPlan *plan)
{
  const int *degree = plan->parallelism.degree;
  gboolean tp_is_in_node = degree[PLG_AXIS_TP] <= plan->cluster.gpus_per_node;
  g_autofree char *order = plg_order_to_string (&plan->parallelism);
  GString *out = g_string_new ("# How the training is divided over the cluster. The other files "
                               "of the run\n"
                               "# follow this one: change the degrees here.\n\n");

  append_text (out, "title", plan->title);
  g_string_append_printf (out, "world_size: %d\nnode_shape: %d_nodes_x_%d_gpus\n\n",
                          plg_plan_world (plan), plan->cluster.nodes, plan->cluster.gpus_per_node);
  g_string_append_printf (out, "parallelism:\n  tp_size: %d  # %s\n", degree[PLG_AXIS_TP],
                          tp_is_in_node
                              ? "every layer waits for it: keep it inside one node if possible"
                              : "wider than a node: every layer waits for the network");
  if (degree[PLG_AXIS_CP] > 1)
    g_string_append_printf (out, "  cp_size: %d  # attention passes keys and values around\n",
                            degree[PLG_AXIS_CP]);
  if (degree[PLG_AXIS_EP] > 1)
    g_string_append_printf (out, "  ep_size: %d  # tokens travel to their experts and back\n",
                            degree[PLG_AXIS_EP]);
  g_string_append_printf (out,
                          "  pp_size: %d  # a stage talks only to its neighbours: may cross "
                          "nodes\n",
                          degree[PLG_AXIS_PP]);
  g_string_append_printf (
      out, "  dp_size: %d  # once per step, mostly overlapped: the remaining factor\n",
      degree[PLG_AXIS_DP]);
  if (plan->parallelism.replicate > 1)
    g_string_append_printf (
        out, "  dp_replicate_size: %d  # shard groups inside dp_size: shards stay in a group\n",
        plan->parallelism.replicate);
  g_string_append_printf (out, "  order: %s  # innermost first: places the ranks\n", order);

  append_text (out, "\nreading_note", plan->notes);
  g_string_append_printf (
      out,
      "\n# Notes:\n"
      "# - %d (TP) x %d (CP) x %d (PP) x %d (DP) = %d GPUs, none unused "
      "and none used twice.\n"
      "# - The order, not the degrees, places the ranks: the axes nest in this order.\n",
      degree[PLG_AXIS_TP], degree[PLG_AXIS_CP], degree[PLG_AXIS_PP], degree[PLG_AXIS_DP],
      plg_plan_world (plan));
  if (plan->placement.size > 0)
    g_string_append (
        out, "#   Ranks were also moved by hand; this file does not store the placement.\n");
  if (!plg_node_topology_is_empty (&plan->node_topology))
    g_string_append (out, "#   The map of the node is also known; this file does not store it.\n");
  g_string_append (out, "# - The more often a collective runs, the faster the link it needs.\n");
  return g_string_free (out, FALSE);
}
