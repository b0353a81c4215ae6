/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* What a launcher is told of a plan: which host runs what. A host has an operating system of its
 * own: it is a node, or one of those that a node is made of (cluster.h). */

/* 3 for "node3", -1 for what is no such name ("node03" is not). */
int plg_launch_default_name_index (const char *host);
/* Whether PLAN says what HOST is called: one name of a node of several hosts is none of theirs. */
gboolean plg_launch_is_named (const PlgPlan *plan, int host);
/* How many hosts of PLAN have no name. */
int plg_launch_count_unnamed_hosts (const PlgPlan *plan);
/* "8 nodes of 8 GPUs", in English for comments, and what a node is made of. g_free(). */
char *plg_launch_describe_cluster (const PlgPlan *plan);

/* The first line of DATA that is neither empty nor a comment (# or //). g_free(). */
char *plg_launch_first_line (const char *data, gsize size);

/* Adds a comment ("# …", in English) where ranks of PLAN were moved by hand: a framework's file
 * does not say where they are, and the titles of the formats that do. */
void plg_launch_comment_placement (GString *out, const PlgPlan *plan);

/* Whether each rank sits where the order puts it. */
gboolean plg_launch_is_default_placement (const PlgPlan *plan);
/* Whether the ranks of each host have its GPUs in order; else ERROR
 * (PLG_FORMAT_ERROR_PLACEMENT) says which have not, and that FORMAT (translated, the beginning of a
 * sentence) cannot say so. */
gboolean plg_launch_check_gpu_order (const PlgPlan *plan, const char *format, GError **error);
/* Whether each host has a block of as many consecutive ranks as it has GPUs; else ERROR as above.
 */
gboolean plg_launch_check_blocks (const PlgPlan *plan, const char *format, GError **error);
/* The host that has each block, of a plan that is in blocks. g_free(). */
int *plg_launch_host_of_blocks (const PlgPlan *plan);
/* "0,2,1,3": the GPUs of HOST, which has a block, in the order of their ranks; NULL where that is
 * the order of the GPUs. g_free(). */
char *plg_launch_visible_devices (const PlgPlan *plan, int host);
int plg_launch_host_of_rank (const PlgPlan *plan, int rank);
/* Which rank sits on each GPU. g_free(). */
int *plg_launch_rank_of_gpus (const PlgPlan *plan);

G_END_DECLS
