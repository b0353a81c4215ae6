/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/network/overlap-budget.h"

/* In a node with only PCIe, NICs and GPUs share the PCIe links, so traffic between such nodes
 * also occupies the links inside each node. */
PlgLinkScopes
plg_link_scopes_of (const PlgFabric *fabric, const PlgGroupExtent *extent)
{
  gboolean outside = extent->nodes > 1;
  gboolean inside = extent->size > extent->nodes || fabric->intra == PLG_INTRA_PCIE;

  return (PlgLinkScopes) { .takes = { inside, outside } };
}

void
plg_overlap_budget_add (PlgOverlapBudget *budget, PlgPass pass, double seconds)
{
  for (int scope = 0; scope < PLG_N_LINK_SCOPES; scope++)
    budget->idle[pass][scope] += seconds;
}

void
plg_overlap_budget_reserve (PlgOverlapBudget *budget,
                            PlgPass pass,
                            PlgLinkScopes scopes,
                            double seconds)
{
  for (int scope = 0; scope < PLG_N_LINK_SCOPES; scope++)
    if (scopes.takes[scope])
      budget->idle[pass][scope] -= seconds;
}

double
plg_overlap_budget_left (const PlgOverlapBudget *budget, PlgPass pass, PlgLinkScopes scopes)
{
  double left = G_MAXDOUBLE;

  for (int scope = 0; scope < PLG_N_LINK_SCOPES; scope++)
    if (scopes.takes[scope])
      left = MIN (left, budget->idle[pass][scope]);
  return MAX (left, 0.0);
}

void
plg_overlap_budget_wait (PlgOverlapBudget *budget,
                         PlgPass pass,
                         PlgLinkScopes scopes,
                         double seconds)
{
  for (int scope = 0; scope < PLG_N_LINK_SCOPES; scope++)
    if (!scopes.takes[scope])
      budget->idle[pass][scope] += seconds;
}

double
plg_overlap_budget_hide (PlgOverlapBudget *budget,
                         PlgPass pass,
                         PlgLinkScopes scopes,
                         double time,
                         double window)
{
  double hidden = MIN (MIN (time, MAX (window, 0.0)),
                       plg_overlap_budget_left (budget, pass, scopes));

  plg_overlap_budget_reserve (budget, pass, scopes, hidden);
  plg_overlap_budget_wait (budget, pass, scopes, time - hidden);
  return hidden;
}
