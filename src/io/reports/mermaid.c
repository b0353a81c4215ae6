/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A block diagram for Mermaid (mermaid.js.org, syntax/block). It has one row per node with the
 * node's GPUs, or one block per node if there are many GPUs. All blocks share one grid, because
 * Mermaid loses blocks that span columns in a nested grid. Colours show the stages. If there is
 * only one stage, they show the replicas or TP groups. */

#define MOST_GPUS 64
#define MOST_COLUMNS 8
#define MOST_CHARACTERS 50000 /* value of maxTextSize in Mermaid */
#define COLORS 8

/* Fill colours that are paler than the palette by Okabe and Ito, so that black text on them is
 * easy to read. */
static const char *const fills[COLORS] = { "#cfe6f5", "#ffe3b8", "#c9ecdd", "#f6d9e8",
                                           "#fbf6bd", "#f7d2bd", "#dcdcf5", "#e4e4e4" };
static const char *const strokes[COLORS] = { "#0072b2", "#b37400", "#00785a", "#a0487a",
                                             "#8a8200", "#b84a00", "#4a4ab0", "#6b6b6b" };

/* Appends TEXT with special characters encoded as Mermaid's entities, such as "#35;" for "#". */
static void
append_label (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  for (const char *p = valid; *p != '\0'; p++)
    if ((guchar) *p < 0x20)
      g_string_append_c (out, ' ');
    else if (strchr ("\"#<>&`|%;{}[]()\\$", *p) != NULL)
      g_string_append_printf (out, "#%d;", *p);
    else
      g_string_append_c (out, *p);
}

/* Appends the label of NODE. Includes the ranks if one block represents the whole node. */
static void
append_node_label (GString *out,
                   const PlgPlan *plan,
                   int node,
                   const int *ranks,
                   gboolean is_whole_node)
{
  g_autofree char *title = plg_plan_node_title (plan, node);
  int n = plan->cluster.gpus_per_node, low = ranks[0], high = ranks[0];

  g_string_append_c (out, '"');
  append_label (out, title);
  for (int i = 0; i < n; i++)
    {
      low = MIN (low, ranks[i]);
      high = MAX (high, ranks[i]);
    }
  if (is_whole_node && high - low == n - 1)
    g_string_append_printf (out, "<br/>%d–%d", low, high);
  else if (is_whole_node)
    g_string_append_printf (out, "<br/>%d … %d", low, high);
  g_string_append_c (out, '"');
}

static GBytes *
write_mermaid (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  int gpus = plg_cluster_gpus (&plan->cluster), per_node = plan->cluster.gpus_per_node;
  gboolean by_node = gpus > MOST_GPUS;
  int columns = by_node ? MIN (plan->cluster.nodes, MOST_COLUMNS) : per_node;
  g_autofree int *rank_of_gpu = plg_plan_rank_of_gpus (plan);
  g_autofree char *title = plg_plan_display_title (plan);
  g_autoptr (GString) out = g_string_new ("block-beta\n");
  const int *degree = plan->parallelism.degree;
  PlgAxis axis = degree[PLG_AXIS_PP] > 1   ? PLG_AXIS_PP
                 : degree[PLG_AXIS_DP] > 1 ? PLG_AXIS_DP
                 : degree[PLG_AXIS_TP] > 1 ? PLG_AXIS_TP
                                           : PLG_AXIS_PP;
  int step = by_node ? per_node : 1;
  int n_colors = MIN (degree[axis], COLORS);

  g_string_append_printf (out, "  columns %d\n  title[\"", columns);
  append_label (out, title);
  g_string_append_printf (out, "\"]:%d\n", columns);
  for (int node = 0; node < plan->cluster.nodes && out->len <= MOST_CHARACTERS; node++)
    {
      const int *ranks = rank_of_gpu + node * per_node;

      if (by_node)
        {
          g_string_append_printf (out, "  n%d[", node);
          append_node_label (out, plan, node, ranks, TRUE);
          g_string_append (out, "]\n");
          continue;
        }
      g_string_append_printf (out, "  t%d[", node);
      append_node_label (out, plan, node, ranks, FALSE);
      g_string_append_printf (out, "]:%d\n ", per_node);
      for (int i = 0; i < per_node; i++)
        g_string_append_printf (out, " g%d[\"%d\"]", node * per_node + i, ranks[i]);
      g_string_append_c (out, '\n');
    }

  /* Set the colour class of each GPU, or of each node if a block represents a whole node. A
   * node's first rank determines its class. */
  for (int color = 0; color < n_colors; color++)
    {
      gsize start = out->len;

      for (int gpu = 0; gpu < gpus; gpu += step)
        if (plg_rank_coordinate (&plan->parallelism, rank_of_gpu[gpu]).index[axis] % COLORS ==
            color)
          g_string_append_printf (out, "%s%c%d", out->len > start ? "," : "  class ",
                                  by_node ? 'n' : 'g', gpu / step);
      if (out->len > start)
        g_string_append_printf (out, " %s%d\n  classDef %s%d fill:%s,stroke:%s,color:#000000\n",
                                plg_axis_name (axis), color, plg_axis_name (axis), color,
                                fills[color], strokes[color]);
    }

  if (out->len > MOST_CHARACTERS)
    {
      g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
                   _ ("%d nodes are too many for Mermaid, which reads at most %d characters; use "
                      "svg or draw.io."),
                   plan->cluster.nodes, MOST_CHARACTERS);
      return NULL;
    }
  return plg_take_text (g_strdup (out->str));
}

const PlgFormat plg_mermaid_format = {
  .name = "mermaid",
  .suffix = ".mmd",
  .title = N_ ("Block diagram for Mermaid"),
  .subject = PLG_SUBJECT_REPORT,
  .write = write_mermaid,
};
