/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/network/overlap-budget.h"

#include <glib.h>

static const PlgLinkScopes inside = { .takes = { TRUE, FALSE } };
static const PlgLinkScopes outside = { .takes = { FALSE, TRUE } };
static const PlgLinkScopes both = { .takes = { TRUE, TRUE } };

/* The same links hide one collective after the other, other links hide another at the same time. */
static void
test_shared (void)
{
  PlgOverlapBudget room = { 0 };

  plg_overlap_budget_add (&room, PLG_PASS_FORWARD, 10.0);
  g_assert_cmpfloat (plg_overlap_budget_hide (&room, PLG_PASS_FORWARD, inside, 6.0, 8.0), ==, 6.0);
  g_assert_cmpfloat (plg_overlap_budget_hide (&room, PLG_PASS_FORWARD, inside, 6.0, 8.0), ==, 4.0);
  g_assert_cmpfloat (plg_overlap_budget_hide (&room, PLG_PASS_FORWARD, outside, 6.0, 8.0), ==, 6.0);
  g_assert_cmpfloat (plg_overlap_budget_hide (&room, PLG_PASS_BACKWARD, inside, 6.0, 8.0), ==, 0.0);
}

/* While the GPU waits for 5 seconds on its links inside the node, its links to other nodes can
 * work. */
static void
test_waiting (void)
{
  PlgOverlapBudget room = { 0 };

  plg_overlap_budget_add (&room, PLG_PASS_BACKWARD, 10.0);
  g_assert_cmpfloat (plg_overlap_budget_hide (&room, PLG_PASS_BACKWARD, inside, 5.0, 0.0), ==, 0.0);
  g_assert_cmpfloat (plg_overlap_budget_left (&room, PLG_PASS_BACKWARD, inside), ==, 10.0);
  g_assert_cmpfloat (plg_overlap_budget_left (&room, PLG_PASS_BACKWARD, outside), ==, 15.0);
  g_assert_cmpfloat (plg_overlap_budget_left (&room, PLG_PASS_BACKWARD, both), ==, 10.0);
  plg_overlap_budget_reserve (&room, PLG_PASS_BACKWARD, both, 12.0);
  g_assert_cmpfloat (plg_overlap_budget_left (&room, PLG_PASS_BACKWARD, inside), ==, 0.0);
  g_assert_cmpfloat (plg_overlap_budget_left (&room, PLG_PASS_BACKWARD, outside), ==, 3.0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/overlap/shared", test_shared);
  g_test_add_func ("/engine/overlap/waiting", test_waiting);
  return g_test_run ();
}
