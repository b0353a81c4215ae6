/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/cluster.h"
#include "plan/node-names.h"

G_BEGIN_DECLS

/* The slow or failed parts of a cluster, in the syntax of cluster.faults:
 * "gpu:17=0.8,port:3=0.5,nic:2.3=0,uplink:0.1=0.5". The number after "gpu:" or "port:" is the
 * number of the GPU in the cluster, "nic:2.3" is NIC 3 of node 2, and "uplink:0.1" connects leaf
 * 0 to spine 1. The value after "=" is the remaining fraction of the part's full rate. */

/* Sets the faults of CLUSTER. If TEXT is not a valid list, returns FALSE with an error that
 * states the syntax, and leaves CLUSTER unchanged. */
gboolean plg_faults_from_string (PlgCluster *cluster, const char *text, GError **error);
/* Returns the faults in canonical form, without spaces, or an empty string if there are no
 * faults. Free with g_free(). */
char *plg_faults_to_string (const PlgCluster *cluster);
/* Returns FAULT in canonical form, for example "gpu:17=0.8". Free with g_free(). */
char *plg_fault_to_string (const PlgFault *fault);
/* Returns all faults except the one at index SKIPPED, in canonical form. Free with g_free(). */
char *plg_faults_to_string_without (const PlgCluster *cluster, int skipped);
/* Removes the faults of parts that CLUSTER does not have, for example after the number of nodes
 * has been reduced. */
void plg_faults_prune (PlgCluster *cluster);
/* Returns TRUE if every faulty part exists in CLUSTER, no part has two faults, and each node can
 * still be reached. */
gboolean plg_faults_check (const PlgCluster *cluster, GError **error);
/* Returns the remaining fraction of a part's full rate, or 1 if the part has no fault. FIRST and
 * SECOND identify the part, as in PlgFault. */
double plg_faults_rate (const PlgCluster *cluster, PlgFaultKind kind, int first, int second);
/* Returns the fraction of its full rate that a part of KIND keeps when the user chooses the menu
 * item “Cut”. The fraction is 0, except for a GPU's links inside the node: NCCL then uses PCIe
 * (src/graph/paths.cc), so the fraction is the ratio of the PCIe bandwidth to the link
 * bandwidth. Returns 1 if parts of KIND cannot be cut. */
double plg_fault_cut_rate (const PlgCluster *cluster, PlgFaultKind kind);
/* Adds FAULT to CLUSTER, or replaces the fault of the same part; a rate of 1 removes the fault.
 * If the rate is invalid or there are too many faults, returns FALSE with an error and leaves
 * CLUSTER unchanged. Does not check whether the part exists; plg_faults_check() does. */
gboolean plg_faults_set (PlgCluster *cluster, const PlgFault *fault, GError **error);
/* Returns TRUE if parts of KIND can fail completely; other parts can only be slow. */
gboolean plg_fault_may_fail (PlgFaultKind kind);
/* Returns the node of the faulty GPU, port or NIC; -1 for an uplink. */
int plg_fault_node (const PlgCluster *cluster, const PlgFault *fault);
/* Returns "NIC 2 of node 3", or "NIC 2 of dgx-a" if NAMES (may be NULL) has a name for the node;
 * translated. Free with g_free(). */
char *plg_fault_name (const PlgCluster *cluster, const PlgNodeNames *names, const PlgFault *fault);
/* Returns a translated sentence without a full stop, for example "GPU 17 runs at 80 %", or "GPU
 * 17 is repaired" for a rate of 1. Free with g_free(). */
char *
plg_fault_describe (const PlgCluster *cluster, const PlgNodeNames *names, const PlgFault *fault);

G_END_DECLS
