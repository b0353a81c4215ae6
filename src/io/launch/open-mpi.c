/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/placement/host-names.h"
#include "io/launch/launch-script.h"
#include "io/placement/launch-placement.h"

#include <glib/gi18n-lib.h>

/* Writes the script. OPTIONS are the mpirun options that name the rankfile. The options differ
 * between Open MPI 4 and 5, but the rankfile does not (docs/man-openmpi/man1 of both versions). */
static GBytes *
write_script (const PlgPlan *plan, const char *options)
{
  GString *script = plg_launch_script_new (plan);
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);
  int trays = plg_cluster_hosts_per_node (&plan->cluster), first = 0;
  g_autofree char *remark = NULL;

  plg_launch_script_comment (script, "\nbash FILE python train.py ARGUMENTS\n");
  plg_launch_script_begin (script);
  plg_launch_script_files (script, plan);
  if (plg_launch_count_unnamed_hosts (plan) != 0)
    {
      while (plg_launch_is_named (plan, first))
        first++;
      remark = trays > 1
                   ? g_strdup_printf ("The plan names nodes, but not all of their hosts. Name "
                                      "these in the plan, as in host[1-%d] for one node,\nor "
                                      "replace %s to %s and so on above.\n",
                                      trays, hosts[first], hosts[first + trays - 1])
                   : g_strdup ("The plan does not name all its nodes. Name them in the plan, or "
                               "replace node0, node1, … above.\n");
      plg_launch_script_comment (script, remark);
    }
  plg_launch_script_rank (script, plan, "OMPI_COMM_WORLD_RANK");
  plg_launch_script_rankfile (script, plan);
  g_string_append_printf (script,
                          "mpirun -np %d --hostfile \"$files/hosts\" \\\n"
                          "  %s \"$files/rank\" \"$@\"\n",
                          plg_plan_world (plan), options);
  return plg_take_text (g_string_free (script, FALSE));
}

static GBytes *
write_version_4 (const PlgExportContext *export, GError **error)
{
  return write_script (export->plan, "-rf \"$files/rankfile\"");
}

/* Open MPI 5 treats a hyphen or colon in the path as the start of further options, so the path
 * is relative to the current folder. */
static GBytes *
write_version_5 (const PlgExportContext *export, GError **error)
{
  return write_script (export->plan, "--map-by \"rankfile:file=${files##*/}/rankfile\"");
}

const PlgFormat plg_openmpi4_format = {
  .name = "openmpi4",
  .suffix = ".mpirun.sh",
  .title = N_ ("Script for Open MPI 4, with its rankfile"),
  .subject = PLG_SUBJECT_PLACEMENT,
  .needs_names = TRUE,
  .write = write_version_4,
};

const PlgFormat plg_openmpi5_format = {
  .name = "openmpi5",
  .suffix = ".mpirun.sh",
  .title = N_ ("Script for Open MPI 5, with its rankfile"),
  .subject = PLG_SUBJECT_PLACEMENT,
  .needs_names = TRUE,
  .write = write_version_5,
};
