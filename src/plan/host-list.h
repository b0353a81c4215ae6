/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Names of hosts as schedulers write them: "node[00-07,9],gpu-a" is node00 to node07, node9 and
 * gpu-a. Several brackets of one name count with the last fastest. */

/* Adds the hosts of TEXT (a list with commas) to HOSTS (char *, owned), which then holds at most
 * MAXIMUM. Zeros before numbers are kept, what stands twice is twice there. FALSE with ERROR for
 * brackets that do not match, ranges that run backwards, more than MAXIMUM hosts, and what no host
 * can be called; HOSTS may have grown. */
gboolean plg_host_list_expand (GPtrArray *hosts, const char *text, int maximum, GError **error);
/* The end of the item that begins at P: the next comma outside brackets, or the end. */
const char *plg_host_list_item_end (const char *p);

/* The list that expands to the N HOSTS, in their order, with brackets where numbers at the end
 * count up: Slurm has none within a name. g_free(). */
char *plg_host_list_contract (const char *const *hosts, int n);
/* The same, shorter: hosts of one domain may have their brackets before it. g_free(). */
char *plg_host_list_contract_shortest (const char *const *hosts, int n);

G_END_DECLS
