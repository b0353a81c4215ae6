/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/placement/host-names.h"
#include "io/launch/launch-script.h"
#include "io/placement/launch-placement.h"

#include <glib/gi18n-lib.h>

/* Writes a script that places the ranks with a rankfile instead of $PBS_NODEFILE, because Open
 * MPI groups the lines of $PBS_NODEFILE by host and other MPI implementations drop repeated
 * lines. */
static GBytes *
write_pbs (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  GString *script = plg_launch_script_new (plan);
  int gpus = plg_cluster_host_gpus (&plan->cluster);
  int unnamed = plg_launch_count_unnamed_hosts (plan);
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);
  const char *plus = "";

  /* Request one chunk for each named host and N chunks ("N:…") for the N unnamed hosts. */
  g_string_append (script, "#PBS -l select=");
  for (int i = 0; i < plg_cluster_hosts (&plan->cluster); i++)
    {
      if (!plg_launch_is_named (plan, i))
        continue;
      g_string_append_printf (script, "%s1:host=%s:ncpus=%d:mpiprocs=%d:ngpus=%d", plus, hosts[i],
                              gpus, gpus, gpus);
      plus = "+";
    }
  if (unnamed > 0)
    g_string_append_printf (script, "%s%d:ncpus=%d:mpiprocs=%d:ngpus=%d", plus, unnamed, gpus, gpus,
                            gpus);
  g_string_append (script, "\n#PBS -l place=scatter:excl\n");

  plg_launch_script_comment (script,
                             "\nncpus is the number of ranks; raise it to the number of "
                             "cores per host.\nqsub FILE, with the program to start below; or "
                             "in a job: bash FILE python train.py ARGUMENTS\n");
  plg_launch_script_begin (script);
  g_string_append (script, "cd \"${PBS_O_WORKDIR:-.}\"\n\n");
  plg_launch_script_files (script, plan);
  plg_launch_script_hosts (script, plan, "awk '!seen[$0]++' \"$PBS_NODEFILE\"");
  plg_launch_script_rank (script, plan, "OMPI_COMM_WORLD_RANK");
  plg_launch_script_rankfile (script, plan);
  g_string_append_printf (script,
                          "# Open MPI 4 and 5 have different options for a rankfile.\n"
                          "case $(mpirun --version) in\n"
                          "  *\"MPI) 4.\"*) by=(-rf \"$files/rankfile\") ;;\n"
                          "  *) by=(--map-by \"rankfile:file=${files##*/}/rankfile\") ;;\n"
                          "esac\n"
                          "mpirun -np %d --hostfile \"$files/hosts\" \"${by[@]}\" \\\n"
                          "  \"$files/rank\" \"$@\"\n",
                          plg_plan_world (plan));
  return plg_take_text (g_string_free (script, FALSE));
}

const PlgFormat plg_pbs_format = {
  .name = "pbs",
  .suffix = ".pbs.sh",
  .title = N_ ("Batch script for PBS, with a rankfile for Open MPI"),
  .subject = PLG_SUBJECT_PLACEMENT,
  .write = write_pbs,
};
