/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/format-private.h"
#include "formats/launch-script.h"
#include "formats/launch.h"

#include <glib/gi18n-lib.h>

/* Both read the same file of ranks, but are told of it in other words (docs/man-openmpi/man1 of
 * Open MPI 4 and 5). */
static GBytes *
write_script (const PlgPlan *plan, const char *options)
{
  GString *script = plg_launch_script_new (plan);

  plg_launch_script_comment (script, "\nbash FILE python train.py ARGUMENTS\n");
  plg_launch_script_begin (script);
  plg_launch_script_files (script, plan);
  if (plg_launch_unnamed_hosts (plan) > 0)
    plg_launch_script_comment (script, "The plan does not name all its nodes. Name them there, or "
                                       "replace node0, node1, … above.\n");
  plg_launch_script_rank (script, plan, "OMPI_COMM_WORLD_RANK");
  plg_launch_script_rankfile (script, plan);
  g_string_append_printf (script,
                          "mpirun -np %d --hostfile \"$files/hosts\" \\\n"
                          "  %s \"$files/rank\" \"$@\"\n",
                          plg_plan_world (plan), options);
  return plg_take_text (g_string_free (script, FALSE));
}

static GBytes *
write_version_4 (const PlgWriting *writing, GError **error)
{
  return write_script (writing->plan, "-rf \"$files/rankfile\"");
}

static GBytes *
write_version_5 (const PlgWriting *writing, GError **error)
{
  return write_script (writing->plan, "--map-by \"rankfile:file=$files/rankfile\"");
}

const PlgFormat plg_openmpi4_format = {
  .name = "openmpi4",
  .suffix = ".mpirun.sh",
  .title = N_ ("Script for Open MPI 4, with its file of ranks"),
  .subject = PLG_SUBJECT_PLACEMENT,
  .needs_names = TRUE,
  .write = write_version_4,
};

const PlgFormat plg_openmpi5_format = {
  .name = "openmpi5",
  .suffix = ".mpirun.sh",
  .title = N_ ("Script for Open MPI 5, with its file of ranks"),
  .subject = PLG_SUBJECT_PLACEMENT,
  .needs_names = TRUE,
  .write = write_version_5,
};
