/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* What the scripts of all launchers have in common. They are in English whatever the user's
 * language, need bash and awk, and take the training program and its arguments as their own
 * arguments. All that is placed comes from one table in them, so that no two parts can differ. */

/* "#!/bin/bash" and what the script is for. The plan's title is cut to one line; nothing of it
 * runs. */
GString *plg_launch_script_new (const PlgPlan *plan);
/* The same without "#!". */
void plg_launch_script_title (GString *script, const PlgPlan *plan);
/* "# node 3: NAME" for each node, where any has a name: for who reads it back. How many have none
 * is said too. */
void plg_launch_script_nodes (GString *script, const PlgPlan *plan);
/* COMMENT, as lines of a comment. */
void plg_launch_script_comment (GString *script, const char *comment);
/* The port of rank 0, unless MASTER_PORT says another; torchrun has the same. */
#define PLG_LAUNCH_PORT 29500

/* What the following parts rely on: strict bash, the program to start, and $MASTER_PORT where the
 * script runs. It is settled there alone: ranks that have another port wait for ever. */
void plg_launch_script_begin (GString *script);
/* The lines "RANK<TAB>HOST<TAB>GPU" as a here-document, which reads them back as well. COMMAND
 * reads it. */
void plg_launch_script_table (GString *script, const PlgPlan *plan, const char *command);
/* The table where nothing in the script needs it: it runs nothing, but is read back. */
void plg_launch_script_record (GString *script, const PlgPlan *plan);
/* A folder $files with placement.tsv. */
void plg_launch_script_files (GString *script, const PlgPlan *plan);
/* Nodes without names are those that HOSTS, a command, lists beside those that have one. */
void plg_launch_script_hosts (GString *script, const PlgPlan *plan, const char *hosts);
/* $files/rank, which starts the program as the rank that the variable RANK of the launcher says. */
void plg_launch_script_rank (GString *script, const PlgPlan *plan, const char *rank);
/* Open MPI's $files/hosts and $files/rankfile. */
void plg_launch_script_rankfile (GString *script, const PlgPlan *plan);

/* Whether any node has a name: else the launcher's allocation says which hosts they are. */
gboolean plg_launch_has_names (const PlgPlan *plan);

G_END_DECLS
