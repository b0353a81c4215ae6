/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* In the files of all programs a node of a plan without a name is "node0", "node1", … by its
 * number, and these are no names when they are read back. */

/* plg_host_list_expand() of what stands in LINE: FALSE with a PLG_FORMAT_ERROR, "LINE: what" unless
 * LINE is 0. */
gboolean
plg_host_names_expand (GPtrArray *hosts, const char *text, int maximum, int line, GError **error);

/* Whether the word from P to END, which no host may be called, can yet stand for one among others:
 * neither a sentence nor a setting nor markup. */
gboolean plg_host_names_is_candidate (const char *p, const char *end);

/* What files call each node of PLAN, all different; as many as there are nodes. g_strfreev(). */
char **plg_host_names_of_nodes (const PlgPlan *plan);
/* What files call each host of PLAN (cluster.h), all different, in the order of the GPUs: its node,
 * or where that is of several hosts what its name lists, else "rack-tray0", "rack-tray1", …
 * g_strfreev(). */
char **plg_host_names_of_plan (const PlgPlan *plan);

/* Whether HOST is what the above calls NODE without a name, where HOSTS (a set of names) are all.
 */
gboolean plg_host_names_is_default (const char *host, int node, GHashTable *hosts);

/* What networks make of the N HOSTS that are different here: of letters that no host has (RFC 1123
 * knows those of ASCII, and digits) and of two that differ in capitals alone, which DNS takes for
 * one (RFC 4343). A sentence, translated; NULL: nothing. g_free(). */
char *plg_host_names_warning (const char *const *hosts, int n);

/* The nodes of the plan that is read, each of TRAYS, are called after HOSTS (at most
 * PLG_MAX_NODES), and no others have names; a note says so. LINES says where each stands. FALSE
 * with ERROR, which has the line, for what no host can be called and for what stands twice. */
gboolean plg_host_names_set_nodes (PlgImportContext *context,
                                   const GPtrArray *hosts,
                                   const int *lines,
                                   int trays,
                                   GError **error);

G_END_DECLS
