/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* Common parts of the launch scripts. The scripts are always in English, need bash and awk, and
 * take the training program and its arguments as their own arguments. One table in the script
 * states the placement. */

/* A script with "#!/bin/bash" and its purpose. The plan's title is one line of comment. */
GString *plg_launch_script_new (const PlgPlan *plan);
/* Appends the script's purpose without "#!". */
void plg_launch_script_title (GString *script, const PlgPlan *plan);
/* Appends "# node 3: NAME" for each named node, for readers of the file, and the number of unnamed
 * nodes. Appends nothing if no node has a name. */
void plg_launch_script_nodes (GString *script, const PlgPlan *plan);
/* Appends COMMENT as comment lines. */
void plg_launch_script_comment (GString *script, const char *comment);
/* The default MASTER_PORT, as in torchrun. */
#define PLG_LAUNCH_PORT 29500

/* Appends the common beginning: strict bash mode, the program to start, and $MASTER_PORT. Only the
 * submitting script sets the port, since ranks with different ports wait for ever. */
void plg_launch_script_begin (GString *script);
/* Appends the placement lines "RANK<TAB>HOST<TAB>GPU" as a here-document for COMMAND. */
void plg_launch_script_table (GString *script, const PlgPlan *plan, const char *command);
/* Appends the placement table without a command, only for readers of the file. */
void plg_launch_script_record (GString *script, const PlgPlan *plan);
/* Appends the creation of the folder $files with placement.tsv. */
void plg_launch_script_files (GString *script, const PlgPlan *plan);
/* Appends the assignment of unnamed nodes to the hosts that the command HOSTS lists, except the
 * named ones. */
void plg_launch_script_hosts (GString *script, const PlgPlan *plan, const char *hosts);
/* Appends the creation of $files/rank, which starts the program as the rank in the launcher's
 * variable RANK. */
void plg_launch_script_rank (GString *script, const PlgPlan *plan, const char *rank);
/* Appends the creation of Open MPI's $files/hosts and $files/rankfile. */
void plg_launch_script_rankfile (GString *script, const PlgPlan *plan);

/* Whether any node has a name. Otherwise the launcher's allocation decides the hosts. */
gboolean plg_launch_has_names (const PlgPlan *plan);

G_END_DECLS
