/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/launch/launch-script.h"

#include "io/placement/host-names.h"
#include "io/placement/launch-placement.h"
#include "io/placement/multi-host-nodes.h"

#include <string.h>

/* Returns TEXT with a space in place of every character that may end a comment line, including
 * U+2028 and U+2029, which end lines in YAML; free with g_free(). */
static char *
one_line (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *line = g_string_new (NULL);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      g_string_append_unichar (line, g_unichar_isprint (c) && c != 0x2028 && c != 0x2029 ? c : ' ');
    }
  return g_string_free (line, FALSE);
}

void
plg_launch_script_comment (GString *script, const char *comment)
{
  g_auto (GStrv) lines = g_strsplit (comment, "\n", -1);

  for (int i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *line = one_line (lines[i]);

      g_string_append_printf (script, "#%s%s\n", *line != '\0' ? " " : "", line);
    }
}

void
plg_launch_script_title (GString *script, const PlgPlan *plan)
{
  g_autofree char *title = plg_plan_display_title (plan);
  g_autofree char *line = one_line (title);
  g_autofree char *shape = plg_launch_describe_cluster (plan);

  /* The prefix "Plan: " prevents importers from mistaking the title for one of the comments that
   * they evaluate. */
  g_string_append_printf (script, "# Plan: %s\n# %d rank%s on %s\n", line, plg_plan_world (plan),
                          plg_plan_world (plan) == 1 ? "" : "s", shape);
}

gboolean
plg_launch_has_names (const PlgPlan *plan)
{
  return plg_launch_count_unnamed_hosts (plan) < plg_cluster_hosts (&plan->cluster);
}

/* Lists unnamed hosts too, because the importer needs the complete list to number the hosts if a
 * user renames some of them in the script. */
void
plg_launch_script_nodes (GString *script, const PlgPlan *plan)
{
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);
  int trays = plg_cluster_hosts_per_node (&plan->cluster);
  int unnamed = plg_launch_count_unnamed_hosts (plan), n = plg_cluster_hosts (&plan->cluster);

  if (trays > 1)
    g_string_append_printf (script,
                            PLG_MULTI_HOST_NAMES_PREFIX
                            "%d" PLG_MULTI_HOST_NAMES_SUFFIX
                            "%s to %s and so on here, in their order.\n"
                            "# %s must join the hosts of a node, all in one rack.\n",
                            trays, hosts[0], hosts[trays - 1],
                            plg_cluster_link_title (&plan->cluster));
  for (int i = 0; i < n; i++)
    g_string_append_printf (script, "# %s %d: %s\n", trays > 1 ? "host" : "node", i, hosts[i]);
  if (unnamed == 0 || unnamed == n)
    return;
  if (trays > 1)
    g_string_append_printf (script,
                            "# %d of the %d hosts have no name and are called after their "
                            "nodes here.\n",
                            unnamed, n);
  else
    g_string_append_printf (script,
                            "# %d of the %d nodes have no name and are called after their "
                            "numbers here.\n",
                            unnamed, n);
}

GString *
plg_launch_script_new (const PlgPlan *plan)
{
  GString *script = g_string_new ("#!/bin/bash\n");

  plg_launch_script_title (script, plan);
  plg_launch_script_nodes (script, plan);
  return script;
}

void
plg_launch_script_begin (GString *script)
{
  g_string_append_printf (script,
                          "set -euo pipefail\n\n"
                          "# The default program, unless the arguments name another.\n"
                          "[ $# -gt 0 ] || set -- python train.py\n"
                          "# The port where rank 0 waits for the others; all hosts get this "
                          "value.\n"
                          "export MASTER_PORT=\"${MASTER_PORT:-%d}\"\n\n",
                          PLG_LAUNCH_PORT);
}

void
plg_launch_script_table (GString *script, const PlgPlan *plan, const char *command)
{
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);
  int gpus = plg_cluster_host_gpus (&plan->cluster);

  g_string_append_printf (script, "%s <<':PLACEMENT:'\n", command);
  for (int rank = 0; rank < plg_plan_world (plan); rank++)
    {
      int gpu = plg_placement_gpu (&plan->placement, rank);

      g_string_append_printf (script, "%d\t%s\t%d\n", rank, hosts[gpu / gpus], gpu % gpus);
    }
  g_string_append (script, ":PLACEMENT:\n");
}

void
plg_launch_script_record (GString *script, const PlgPlan *plan)
{
  g_string_append (script, "# The placement, only for programs that read this "
                           "script:\n"
                           "# rank, host, GPU as nvidia-smi numbers it.\n");
  plg_launch_script_table (script, plan, ":");
  g_string_append_c (script, '\n');
}

void
plg_launch_script_files (GString *script, const PlgPlan *plan)
{
  g_string_append (script, "# A folder that all nodes share.\n"
                           "files=$(mktemp -d \"$PWD/placement.XXXXXX\")\n"
                           "trap 'rm -rf \"$files\"' EXIT\n\n"
                           "# Rank, host, GPU as nvidia-smi numbers it.\n");
  plg_launch_script_table (script, plan, "cat >\"$files/placement.tsv\"");
  g_string_append_c (script, '\n');
}

void
plg_launch_script_hosts (GString *script, const PlgPlan *plan, const char *hosts)
{
  int unnamed = plg_launch_count_unnamed_hosts (plan);
  g_auto (GStrv) names = plg_host_names_of_plan (plan);

  if (unnamed == 0)
    return;
  g_string_append (script, "# The plan does not name these nodes. They use, in this order, the "
                           "available hosts\n"
                           "# that the plan does not name.\n"
                           "cat >\"$files/unnamed\" <<':UNNAMED:'\n");
  for (int i = 0; i < plg_cluster_hosts (&plan->cluster); i++)
    if (!plg_launch_is_named (plan, i))
      g_string_append_printf (script, "%s\n", names[i]);
  g_string_append (script, ":UNNAMED:\n");

  g_string_append_printf (
      script,
      "%s >\"$files/nodes\"\n"
      "awk -v OFS='\\t' '\n"
      "  part == 1 { place[$1] = ++wanted; next }\n"
      "  part == 2 { if (!($2 in place)) named[$2]; next }\n"
      "  part == 3 { if (!($1 in named)) host[++there] = $1; next }\n"
      "  there != wanted { exit 1 }\n"
      "  $2 in place { $2 = host[place[$2]] }\n"
      "  { print }' part=1 \"$files/unnamed\" part=2 \"$files/placement.tsv\" \\\n"
      "  part=3 \"$files/nodes\" part=4 \"$files/placement.tsv\" >\"$files/placed\" || {\n"
      "  echo \"The plan needs %d nodes%s.\" >&2\n"
      "  exit 1\n"
      "}\n"
      "mv \"$files/placed\" \"$files/placement.tsv\"\n\n",
      hosts, unnamed, plg_launch_has_names (plan) ? " besides those that it names" : "");
}

void
plg_launch_script_rank (GString *script, const PlgPlan *plan, const char *rank)
{
  g_string_append_printf (
      script,
      "# The other hosts may not get the variables of this host.\n"
      "echo \"$MASTER_PORT\" >\"$files/port\"\n\n"
      "# Starts one rank on its GPU. Only this GPU is visible, as GPU 0.\n"
      "cat >\"$files/rank\" <<':RANK:'\n"
      "#!/bin/bash\n"
      "set -euo pipefail\n"
      "export RANK=$%s WORLD_SIZE=%d LOCAL_RANK=0\n"
      "MASTER_PORT=$(<\"${0%%/*}/port\")\n"
      "read -r MASTER_ADDR CUDA_VISIBLE_DEVICES < <(awk -v rank=\"$RANK\" '\n"
      "  $1 == 0 { master = $2 }\n"
      "  $1 == rank { gpu = $3 }\n"
      "  END { print master, gpu }' \"${0%%/*}/placement.tsv\")\n"
      "export MASTER_ADDR MASTER_PORT CUDA_VISIBLE_DEVICES CUDA_DEVICE_ORDER=PCI_BUS_ID\n"
      "exec \"$@\"\n"
      ":RANK:\n"
      "chmod +x \"$files/rank\"\n\n",
      rank, plg_plan_world (plan));
}

void
plg_launch_script_rankfile (GString *script, const PlgPlan *plan)
{
  int gpus = plg_cluster_host_gpus (&plan->cluster);

  g_string_append_printf (
      script,
      "# Slots are cores, not GPUs: each rank is bound to its share of its host's cores, by "
      "default\n"
      "# counted on the host that runs this script.\n"
      "cores=${CORES_PER_RANK:-$(($(lscpu -p=CORE,SOCKET | grep -v '^#' | sort -u | wc -l) / "
      "%d))}\n"
      "awk -v cores=\"$cores\" '\n"
      "  BEGIN { if (cores < 1) cores = 1 }\n"
      "  { print \"rank \" $1 \"=\" $2 \" slot=\" $3 * cores \"-\" ($3 + 1) * cores - 1 }' \\\n"
      "  \"$files/placement.tsv\" >\"$files/rankfile\"\n"
      "awk '!seen[$2]++ { print $2 \" slots=%d\" }' \"$files/placement.tsv\" >\"$files/hosts\"\n"
      "# Host names are full names, not only the part before the first dot.\n"
      "export OMPI_MCA_orte_keep_fqdn_hostnames=1 PRTE_MCA_prte_keep_fqdn_hostnames=1\n\n",
      gpus, gpus);
}
