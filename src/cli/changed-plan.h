/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/command.h"

G_BEGIN_DECLS

/* The commands place and balance find a change of a plan, print what it saves, and write the
 * changed plan. */
typedef struct
{
  gboolean is_json;
  char *output; /* the file for the plan, or NULL; owned */
  gboolean force;
} PlgChangedPlan;

/* Reads the options and the plan of such a command. DESCRIPTION and OUTPUT_HELP, the help of -o,
 * are translated or marked with N_(). Prints an error on failure. Returns the exit status of the
 * program. */
PlgExit plg_changed_plan_read (PlgChangedPlan *changed,
                               PlgInput *input,
                               const char *description,
                               const char *output_help,
                               int argc,
                               char **argv);
/* Prints TEXT, which is freed, and writes the plan of INPUT if the user has asked for it. Returns
 * the exit status of the program. */
PlgExit plg_changed_plan_write (const PlgChangedPlan *changed, PlgInput *input, char *text);
void plg_changed_plan_clear (PlgChangedPlan *changed);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgChangedPlan, plg_changed_plan_clear)

G_END_DECLS
