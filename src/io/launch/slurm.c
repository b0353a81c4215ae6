/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/placement/host-names.h"
#include "io/launch/launch-script.h"
#include "io/placement/launch-placement.h"
#include "plan/host-list.h"

#include <glib/gi18n-lib.h>

/* Jobs submitted with "--export=NONE" pass this option on to srun, so the script calls srun with
 * "--export=ALL" (sbatch(1)). "--distribution=arbitrary" uses the hosts in SLURM_HOSTFILE, one
 * per task, in order (srun(1)). */

static void
add_options (GString *script, const PlgPlan *plan)
{
  g_autoptr (GPtrArray) named = g_ptr_array_new ();
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);
  g_autofree char *list = NULL;
  int trays = plg_cluster_hosts_per_node (&plan->cluster);

  g_string_append_printf (script,
                          "#SBATCH --nodes=%d\n"
                          "#SBATCH --ntasks=%d\n"
                          "#SBATCH --gpus-per-node=%d\n"
                          "#SBATCH --exclusive\n",
                          plg_cluster_hosts (&plan->cluster), plg_plan_world (plan),
                          plg_cluster_host_gpus (&plan->cluster));
  /* List only the named hosts, because Slurm adds other nodes if the job needs more than the
   * list names (sbatch(1), --nodelist). */
  for (int i = 0; i < plg_cluster_hosts (&plan->cluster); i++)
    if (plg_launch_is_named (plan, i))
      g_ptr_array_add (named, hosts[i]);
  list = plg_host_list_contract ((const char *const *) named->pdata, (int) named->len);
  if (plg_launch_has_names (plan))
    g_string_append_printf (script, "#SBATCH --nodelist=%s\n", list);
  /* Write --segment only as a comment, because old versions of Slurm reject it and newer
   * versions use it only with topology/block (topology.conf(5)). */
  if (trays > 1)
    g_string_append_printf (
        script,
        "# If Slurm knows the racks (topology/block), remove one # to keep each "
        "node in one rack:\n"
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
      plg_launch_script_record (script, plan);
      plg_launch_script_comment (script, "Each rank is where the order puts it, which is Slurm's "
                                         "block distribution:\nno host file is needed.");
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
          "# One line per task. Slurm does not accept a number of nodes in addition.\n"
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
