/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/cluster.h"
#include "plan/node-names.h"

G_BEGIN_DECLS

/* The slow or failed parts of a cluster in the syntax of cluster.faults:
 * "gpu:17=0.8,port:3=0.5,nic:2.3=0,uplink:0.1=0.5". GPUs have their number in the cluster, NICs
 * their node and number, uplinks their leaf and spine; each rate is the remaining share. */

/* Returns FALSE with an error that states the syntax, and leaves CLUSTER unchanged, if TEXT is
 * not a valid list. */
gboolean plg_faults_from_string (PlgCluster *cluster, const char *text, GError **error);
/* The faults in canonical form without spaces; empty without faults. g_free(). */
char *plg_faults_to_string (const PlgCluster *cluster);
/* One fault in canonical form. g_free(). */
char *plg_fault_to_string (const PlgFault *fault);
/* The faults without the fault with the index SKIPPED. g_free(). */
char *plg_faults_to_string_without (const PlgCluster *cluster, int skipped);
/* Removes the faults of parts that CLUSTER does not have, for example after a change to fewer
 * nodes. */
void plg_faults_prune (PlgCluster *cluster);
/* Whether CLUSTER has all faulty parts, each once, and still reaches all of its nodes. */
gboolean plg_faults_check (const PlgCluster *cluster, GError **error);
/* The remaining share of the rate of a part: 1 without a fault. */
double plg_faults_rate (const PlgCluster *cluster, PlgFaultKind kind, int first, int second);
/* The remaining share of a part of KIND after it is cut: 0, or for the links of a GPU in its
 * node the share of PCIe, which NCCL uses if there is no NVLink (src/graph/paths.cc). 1: the
 * part cannot be cut. */
double plg_fault_cut_rate (const PlgCluster *cluster, PlgFaultKind kind);
/* Adds FAULT to CLUSTER, or replaces the fault of the same part; a rate of 1 removes the fault.
 * Returns FALSE with an error, and leaves CLUSTER unchanged, for an invalid rate and for one
 * fault too many; plg_faults_check() checks that the part exists. */
gboolean plg_faults_set (PlgCluster *cluster, const PlgFault *fault, GError **error);
/* Whether a part of KIND can fail completely; other parts can only be slow. */
gboolean plg_fault_may_fail (PlgFaultKind kind);
/* The node of the faulty GPU, port or NIC; -1 for an uplink. */
int plg_fault_node (const PlgCluster *cluster, const PlgFault *fault);
/* "NIC 2 of node 3", or with the node's name in NAMES (may be NULL); translated. g_free(). */
char *plg_fault_name (const PlgCluster *cluster, const PlgNodeNames *names, const PlgFault *fault);
/* A translated sentence without a full stop, such as "GPU 17 runs at 80 %"; "GPU 17 is repaired"
 * for a rate of 1. g_free(). */
char *
plg_fault_describe (const PlgCluster *cluster, const PlgNodeNames *names, const PlgFault *fault);

G_END_DECLS
