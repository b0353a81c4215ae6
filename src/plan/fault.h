/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/cluster.h"
#include "plan/node-names.h"

G_BEGIN_DECLS

/* What of a cluster is broken or slow, as the setting cluster.faults says it:
 * "gpu:17=0.8,port:3=0.5,nic:2.3=0,uplink:0.1=0.5". GPUs by their number in the cluster, a NIC by
 * node and number in it, an uplink by leaf and spine; then what is left of the rate. */

/* FALSE and an error that names what may be written, CLUSTER left alone, where TEXT is none. */
gboolean plg_faults_from_string (PlgCluster *cluster, const char *text, GError **error);
/* The same text in one spelling, without spaces; empty where nothing is broken. g_free(). */
char *plg_faults_to_string (const PlgCluster *cluster);
/* Of one fault. g_free(). */
char *plg_fault_to_string (const PlgFault *fault);
/* Without fault SKIPPED. g_free(). */
char *plg_faults_to_string_without (const PlgCluster *cluster, int skipped);
/* Drops the faults of what CLUSTER does not have, as when it gets fewer nodes. */
void plg_faults_prune (PlgCluster *cluster);
/* Whether CLUSTER has all that is said to be broken, each once, and can still reach all of its
 * nodes. */
gboolean plg_faults_check (const PlgCluster *cluster, GError **error);
/* What is left of the rate of what KIND, FIRST and SECOND name: 1 where all is well. */
double plg_faults_rate (const PlgCluster *cluster, PlgFaultKind kind, int first, int second);
/* What is left when a thing of KIND is cut: 0, or of a GPU's links in its node what PCIe carries in
 * their place, as NCCL takes it where no NVLink is (src/graph/paths.cc). 1: it cannot be cut. */
double plg_fault_cut_rate (const PlgCluster *cluster, PlgFaultKind kind);
/* Makes FAULT one of CLUSTER's, in the place of another one of the same thing; a rate of 1 repairs
 * it. FALSE and an error, CLUSTER left alone, for a rate that cannot be and for one fault too many.
 * Whether there is such a thing is for plg_faults_check() to say. */
gboolean plg_faults_set (PlgCluster *cluster, const PlgFault *fault, GError **error);
/* Whether what KIND names can fail altogether; else it is slow at worst. */
gboolean plg_fault_may_fail (PlgFaultKind kind);
/* The node whose GPU, port or NIC it is; -1 for an uplink. */
int plg_fault_node (const PlgCluster *cluster, const PlgFault *fault);
/* "NIC 2 of node 3", or of what NAMES (may be NULL) call that node; translated. g_free(). */
char *plg_fault_name (const PlgCluster *cluster, const PlgNodeNames *names, const PlgFault *fault);
/* A sentence without a full stop, such as "GPU 17 runs at 80 %"; translated; "GPU 17 is repaired"
 * for a rate of 1. g_free(). */
char *
plg_fault_describe (const PlgCluster *cluster, const PlgNodeNames *names, const PlgFault *fault);

G_END_DECLS
