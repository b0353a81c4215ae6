/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/groups.h"

G_BEGIN_DECLS

/* What collectives can hide behind. While a GPU computes, its links are free for others to use, but
 * each link for one collective at a time: what hides one does not hide the next on the same links.
 * While the GPU waits for a collective on some links, its other links are free as well. So no link
 * is ever busy for longer than the step takes, however much overlaps. */

/* The links of a GPU that are used at once or not at all. */
typedef enum
{
  PLG_LINK_SCOPE_INTRA, /* to the GPUs of its node */
  PLG_LINK_SCOPE_INTER  /* over its NICs */
} PlgLinkScope;
#define PLG_N_LINK_SCOPES 2

typedef enum
{
  PLG_PASS_FORWARD,
  PLG_PASS_BACKWARD, /* inputs and weights */
} PlgPass;
#define PLG_N_PASSES 2

/* Which ways a group takes. */
typedef struct
{
  gboolean takes[PLG_N_LINK_SCOPES];
} PlgLinkScopes;

PlgLinkScopes plg_link_scopes_of (const PlgFabric *fabric, const PlgGroupExtent *extent);

/* Seconds of a pass in which the links of each way are idle. */
typedef struct
{
  double idle[PLG_N_PASSES][PLG_N_LINK_SCOPES];
} PlgOverlapBudget;

/* SECONDS in which the GPU computes in PASS: all ways are idle for as long. */
void plg_overlap_budget_add (PlgOverlapBudget *budget, PlgPass pass, double seconds);
/* Keeps WAYS busy for SECONDS of it with something else. */
void plg_overlap_budget_reserve (PlgOverlapBudget *budget,
                                 PlgPass pass,
                                 PlgLinkScopes scopes,
                                 double seconds);
/* Seconds in which all of WAYS are idle, 0 or more. */
double plg_overlap_budget_left (const PlgOverlapBudget *budget, PlgPass pass, PlgLinkScopes scopes);
/* Makes a collective of TIME seconds hide, at most WINDOW seconds of it, and gives back how many
 * are hidden. In the others the GPU waits, and ways that are not of WAYS are idle. */
double plg_overlap_budget_hide (PlgOverlapBudget *budget,
                                PlgPass pass,
                                PlgLinkScopes scopes,
                                double time,
                                double window);

G_END_DECLS
