/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/registry/format-private.h"
#include "io/placement/host-names.h"
#include "io/launch/launch-script.h"
#include "io/placement/launch-placement.h"
#include "plan/host-list.h"

#include <glib/gi18n-lib.h>

/* Jobs submitted with "--export=NONE" hand it on to srun, which then would carry no variable to the
 * tasks (sbatch(1)): "--export=ALL" does.
 *
 * "--distribution=arbitrary" takes the hosts of SLURM_HOSTFILE, one for each task, in their order
 * (srun(1)). */

static void
add_options (GString *script, const PlgPlan *plan)
{
  /* Those hosts that have a name: a job gets others as well where it needs more than its list has (sbatch(1), --nodelist). g_free(). */
  g_autoptr (GPtrArray) named = g_ptr_array_new ();
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);

  for (int i = 0; i < plg_cluster_hosts (&plan->cluster); i++)
    if (plg_launch_is_named (plan, i))
      g_ptr_array_add (named, hosts[i]);
  g_autofree char *list = plg_host_list_contract ((const char *const *) named->pdata,
                                                  (int) named->len);

  g_string_append_printf (script,
                          "#SBATCH --nodes=%d\n"
                          "#SBATCH --ntasks=%d\n"
                          "#SBATCH --gpus-per-node=%d\n"
                          "#SBATCH --exclusive\n",
                          plg_cluster_hosts (&plan->cluster), plg_plan_world (plan),
                          plg_cluster_host_gpus (&plan->cluster));
  if (plg_launch_has_names (plan))
    g_string_append_printf (script, "#SBATCH --nodelist=%s\n", list);

  /* Older versions of Slurm refuse the option, and others have a use for it where an administrator described the racks alone (topology/block in topology.conf(5)). */
  int trays = plg_cluster_hosts_per_node (&plan->cluster);

  if (trays > 1)
    g_string_append_printf (script,
                            "# Where Slurm knows the racks (topology/block), take a # away, and "
                            "each node is in one:\n"
                            "##SBATCH --segment=%d\n",
                            trays);
}

static GBytes *
write_slurm (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  GString *script = plg_launch_script_new (plan);

  add_options (script, plan);
  plg_launch_script_comment (script, "\nsbatch FILE python train.py ARGUMENTS\n");
  plg_launch_script_begin (script);
  if (plg_launch_is_default_placement (plan) && !plg_launch_has_names (plan))
    {
      g_string_append (script, "MASTER_ADDR=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | "
                               "sed -n 1p)\n"
                               "export MASTER_ADDR\n");

      /* Ranks in blocks, on hosts as they come. */
      plg_launch_script_record (script, plan);
      plg_launch_script_comment (script,
                                 "Every rank sits where the order puts it, which is Slurm's "
                                 "block distribution:\nno file of hosts is needed.");
      g_string_append_printf (
          script,
          "# shellcheck disable=SC2016 # expanded by each task\n"
          "exec srun --export=ALL --ntasks=%d --ntasks-per-node=%d "
          "--distribution=block:block "
          "--gpu-bind=none \\\n"
          "  bash -c '\n"
          "    export RANK=$SLURM_PROCID WORLD_SIZE=$SLURM_NTASKS LOCAL_RANK=0\n"
          "    export CUDA_DEVICE_ORDER=PCI_BUS_ID "
          "CUDA_VISIBLE_DEVICES=$SLURM_LOCALID\n"
          "    exec \"$@\"' rank \"$@\"\n",
          plg_plan_world (plan), plg_cluster_host_gpus (&plan->cluster));
    }
  else
    {
      plg_launch_script_files (script, plan);
      plg_launch_script_hosts (script, plan, "scontrol show hostnames \"$SLURM_JOB_NODELIST\"");
      plg_launch_script_rank (script, plan, "SLURM_PROCID");
      g_string_append_printf (
          script,
          "# One line for each task. Slurm does not take a number of nodes beside it.\n"
          "cut -f 2 \"$files/placement.tsv\" >\"$files/hosts\"\n"
          "export SLURM_HOSTFILE=\"$files/hosts\"\n"
          "unset SLURM_NNODES SLURM_JOB_NUM_NODES SLURM_NTASKS_PER_NODE\n"
          "srun --ntasks=%d --distribution=arbitrary --gpu-bind=none \"$files/rank\" \"$@\"\n",
          plg_plan_world (plan));
    }
  return plg_take_text (g_string_free (script, FALSE));
}

const PlgFormat plg_slurm_format = {
  .name = "slurm",
  .suffix = ".sbatch.sh",
  .title = N_ ("Batch script for Slurm, with its host file"),
  .subject = PLG_SUBJECT_PLACEMENT,
  .write = write_slurm,
};
