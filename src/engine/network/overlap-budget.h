/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/groups.h"

G_BEGIN_DECLS

/* The time in which collectives can hide. While a GPU computes, each of its links can carry one
 * collective at a time, so a hidden collective uses up the links' idle time. While a GPU waits
 * for a collective on some links, its other links are idle, so the waiting time can also hide
 * collectives. No link is ever busy for longer than the step. */

/* The sets of a GPU's links that a collective occupies together. */
typedef enum
{
  PLG_LINK_SCOPE_INTRA, /* links to the GPUs of the same node */
  PLG_LINK_SCOPE_INTER  /* links over NICs */
} PlgLinkScope;
#define PLG_N_LINK_SCOPES 2

typedef enum
{
  PLG_PASS_FORWARD,
  PLG_PASS_BACKWARD, /* gradients of inputs and weights */
} PlgPass;
#define PLG_N_PASSES 2

/* The scopes whose links the collectives of a group occupy. */
typedef struct
{
  gboolean takes[PLG_N_LINK_SCOPES];
} PlgLinkScopes;

PlgLinkScopes plg_link_scopes_of (const PlgFabric *fabric, const PlgGroupExtent *extent);

/* For each scope, the time for which its links are idle during a pass [s]. */
typedef struct
{
  double idle[PLG_N_PASSES][PLG_N_LINK_SCOPES];
} PlgOverlapBudget;

/* Adds SECONDS of compute to PASS. All links are idle during this time. */
void plg_overlap_budget_add (PlgOverlapBudget *budget, PlgPass pass, double seconds);
/* Subtracts SECONDS from the idle time of the links of SCOPES in PASS, because traffic occupies
 * the links. */
void plg_overlap_budget_reserve (PlgOverlapBudget *budget,
                                 PlgPass pass,
                                 PlgLinkScopes scopes,
                                 double seconds);
/* Adds SECONDS in PASS for which the GPU waits for a collective on the links of SCOPES, so that all
 * other links are idle. */
void plg_overlap_budget_wait (PlgOverlapBudget *budget,
                              PlgPass pass,
                              PlgLinkScopes scopes,
                              double seconds);
/* Returns how long all links of SCOPES are idle [s], 0 or more. */
double plg_overlap_budget_left (const PlgOverlapBudget *budget, PlgPass pass, PlgLinkScopes scopes);
/* plg_overlap_budget_hide:
 * @time: length of the collective [s]
 * @window: the maximum time to hide [s]
 *
 * Hides a collective for as long as the links of @scopes are idle. The GPU waits during the
 * exposed remainder, so all other links gain idle time.
 *
 * Returns: the hidden time [s] */
double plg_overlap_budget_hide (PlgOverlapBudget *budget,
                                PlgPass pass,
                                PlgLinkScopes scopes,
                                double time,
                                double window);

G_END_DECLS
