/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* Common parts of the launch scripts. The scripts are always in English and need bash and awk.
 * Their arguments are the training program and its arguments. A table in each script states the
 * host and GPU of each rank. */

/* Starts a script: "#!/bin/bash", then comment lines with the plan's title and size and the
 * names of the nodes. */
GString *plg_launch_script_new (const PlgPlan *plan);
/* Appends the plan's title and size as comment lines, without "#!". */
void plg_launch_script_title (GString *script, const PlgPlan *plan);
/* Appends a comment such as "# node 3: NAME" for each host, with default names for unnamed
 * hosts. If only some hosts have names, also appends the number of unnamed ones. For multi-host
 * nodes, first appends the number of hosts per node. */
void plg_launch_script_nodes (GString *script, const PlgPlan *plan);
/* Appends COMMENT as comment lines. */
void plg_launch_script_comment (GString *script, const char *comment);
/* The default MASTER_PORT. torchrun has the same default. */
#define PLG_LAUNCH_PORT 29500

/* Appends the common beginning: strict bash mode, the program to start, and $MASTER_PORT. Only
 * the script that the user submits sets the port, because ranks with different ports would wait
 * for each other forever. */
void plg_launch_script_begin (GString *script);
/* Appends the placement lines "RANK<TAB>HOST<TAB>GPU" as a here-document that COMMAND reads. */
void plg_launch_script_table (GString *script, const PlgPlan *plan, const char *command);
/* Appends the placement table as the input of ":", a command that does nothing. The script
 * itself does not use the table, but programs that import the script read it. */
void plg_launch_script_record (GString *script, const PlgPlan *plan);
/* Appends the commands that create the folder $files and write the placement table to
 * $files/placement.tsv. */
void plg_launch_script_files (GString *script, const PlgPlan *plan);
/* Appends the commands that assign hosts to the unnamed nodes. The shell command HOSTS lists the
 * available hosts. Hosts that the plan names are skipped. */
void plg_launch_script_hosts (GString *script, const PlgPlan *plan, const char *hosts);
/* Appends the commands that create $files/rank, which starts the training program on one rank.
 * RANK is the name of the environment variable in which the launcher passes the rank number. */
void plg_launch_script_rank (GString *script, const PlgPlan *plan, const char *rank);
/* Appends the commands that create Open MPI's $files/hosts and $files/rankfile. */
void plg_launch_script_rankfile (GString *script, const PlgPlan *plan);

/* Returns whether any node has a name. If no node has a name, the launcher's allocation
 * determines the hosts. */
gboolean plg_launch_has_names (const PlgPlan *plan);

G_END_DECLS
