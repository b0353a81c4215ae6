/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/placement/host-names.h"
#include "io/launch/launch-script.h"
#include "io/placement/launch-placement.h"

#include <glib/gi18n-lib.h>

static GBytes *
write_ssh (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);
  int first_host = plg_launch_host_of_rank (plan, 0);
  GString *script = plg_launch_script_new (plan);

  plg_launch_script_comment (script, "\nbash FILE python train.py ARGUMENTS\n\nssh must reach the "
                                     "nodes by their names without a password, and all nodes "
                                     "share this folder.\n");
  plg_launch_script_begin (script);
  /* Open one connection per rank and start all ranks at the same time. If one rank fails, the
   * script stops the remaining ranks. */
  g_string_append_printf (script,
                          "command=$(printf '%%q ' env \"WORLD_SIZE=%d\" LOCAL_RANK=0 "
                          "\"MASTER_ADDR=${MASTER_ADDR:-%s}\" \\\n"
                          "  \"MASTER_PORT=$MASTER_PORT\" CUDA_DEVICE_ORDER=PCI_BUS_ID)\n"
                          "program=$(printf '%%q ' \"$@\")\n"
                          "folder=$(printf '%%q' \"$PWD\")\n"
                          "pids=()\n"
                          "trap 'kill \"${pids[@]}\" 2>/dev/null || true' EXIT\n\n"
                          "# Rank, host, GPU as nvidia-smi numbers it.\n"
                          "while read -r rank host gpu; do\n"
                          "  ssh -o BatchMode=yes \"$host\" \\\n"
                          "    \"cd $folder && exec $command RANK=$rank CUDA_VISIBLE_DEVICES=$gpu "
                          "$program\" "
                          "</dev/null &\n"
                          "  pids+=($!)\n",
                          plg_plan_world (plan), hosts[first_host]);
  plg_launch_script_table (script, plan, "done");
  g_string_append (script, "\nfor _ in \"${pids[@]}\"; do wait -n; done\n");
  return plg_take_text (g_string_free (script, FALSE));
}

const PlgFormat plg_ssh_format = {
  .name = "ssh",
  .suffix = ".ssh.sh",
  .title = N_ ("Script that starts each rank over ssh"),
  .subject = PLG_SUBJECT_PLACEMENT,
  .needs_names = TRUE,
  .write = write_ssh,
};
