/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report.h"
#include "engine/route.h"

G_BEGIN_DECLS

/* Each two GPUs of a cluster, or, where they are too many to be told apart, each two nodes or each
 * two rows of neighbouring nodes: the way between them, and what they send each other. */

/* More cells a side cannot be told apart on a page. */
#define PLG_PAIRING_MOST 64

typedef struct
{
  const PlgPlan *plan; /* borrowed */
  PlgFabric fabric;
  PlgFabric sound; /* without faults */
  int items;
  int gpus;  /* of an item; 1: items are GPUs */
  int nodes; /* of an item, 0 where it is a GPU */
} PlgPairing;

/* At most MOST items, 1 or more. */
void plg_pairing_init (PlgPairing *pairing, const PlgPlan *plan, int most);
/* The first node of ITEM. */
int plg_pairing_node (const PlgPairing *pairing, int item);
/* "GPU 3 of node 0", "node 0", "nodes 0–31". g_free(). */
char *plg_pairing_item (const PlgPairing *pairing, int item);
/* "A row is a node": what an item is. g_free(). */
char *plg_pairing_scope (const PlgPairing *pairing);

/* The way from A to B; of items of several GPUs between those that are farthest apart, as wide as
 * faults leave their worst. */
PlgRoute plg_pairing_route (const PlgPairing *pairing, int a, int b);
/* Whether a fault narrows ROUTE, the one from A to B. */
gboolean plg_pairing_is_faulty (const PlgPairing *pairing, int a, int b, PlgRoute route);
/* "N", "P", "L", "S"; "×" for itself. */
const char *plg_route_letter (PlgRouteKind kind);
const char *plg_pairing_kind (const PlgPairing *pairing, PlgRouteKind kind);

/* Of each kind of way the widest, and the narrowest where nothing is broken, in bytes/s; 0 where
 * there is none. */
typedef struct
{
  double most[PLG_N_ROUTE_KINDS];
  double least[PLG_N_ROUTE_KINDS];
} PlgPairingWidths;

void plg_pairing_find_widths (const PlgPairing *pairing, PlgPairingWidths *widths);
/* "31.5 GB/s", or the narrowest and the widest. g_free(). */
char *plg_pairing_bandwidths (const PlgPairingWidths *widths, PlgRouteKind kind);
/* The legend in words, for whoever does not see it. g_free(). */
char *plg_pairing_describe (const PlgPairing *pairing, const PlgPairingWidths *widths);

/* Bytes a step. */
typedef struct
{
  double *bytes; /* items x items: sender times items plus receiver */
  double sent[PLG_N_AXES];
} PlgPairingTraffic;

/* REPORT is one of the pairing's plan with links. plg_pairing_traffic_clear(). */
void
plg_pairing_add_up (const PlgPairing *pairing, const PlgReport *report, PlgPairingTraffic *traffic);
void plg_pairing_traffic_clear (PlgPairingTraffic *traffic);
/* "in all 52 TB a step: TP 51 TB · PP 103 GB · DP 1.6 TB"; empty for nothing. g_free(). */
char *plg_pairing_sums (const double sent[PLG_N_AXES]);

G_END_DECLS
