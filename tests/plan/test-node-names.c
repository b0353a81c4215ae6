/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

#include "plan/edit.h"
#include "plan/fault.h"
#include "plan/settings/setting.h"

#include <string.h>

/* The maximum length between dots. */
#define LABEL "abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz-012345678."

static void
test_round_trip (void)
{
  static const struct
  {
    const char *text, *kept; /* NULL: refused */
  } rows[] = {
    { "", "" },
    { " \n", "" },
    { "0=dgx-a", "0=dgx-a" },
    { " 3 = dgx-b , 0=dgx-a.example.org ", "0=dgx-a.example.org,3=dgx-b" },
    { "7=Knoten_Süd", "7=Knoten_Süd" },
    { "7=節点", "7=節点" },
    { "0=gb[001-018]", "0=gb[001-018]" },
    { "1 = b[7-9], a1 ,0= gb[01-02,03]", "0=gb[01-03],1=b[7-9],a1" },
    { "0=gb[1-2].lab.org,1=x1.lab,x2", "0=gb[1-2].lab.org,1=x1.lab,x2" },
    { "0=gb[7]", "0=gb7" },
    { "0=a[1-2],1=a2", NULL },
    { "0=a2,1=a[1-2]", NULL },
    { "0=a[1-2,2]", NULL },
    { "0=a[1-2", NULL },
    { "0=a[2-1]", NULL },
    { "0=a[1-2]/x", NULL },
    { "0=$(x)[1-2]", NULL },
    { "0=a[1-129]", NULL },
    { "0=a[1-999999999]", NULL },
    { "0=a,,b", NULL },
    { "0=,a", NULL },
    { "0=a,1=a", NULL },
    { "0=a,0=b", NULL },
    { "0=", NULL },
    { "=a", NULL },
    { "0", NULL },
    { "0=a,", NULL },
    { "-1=a", NULL },
    { "16384=a", NULL },
    { "99999999999999999999=a", NULL },
    { "0=a b", NULL },
    { "0=-a", NULL },
    { "0=a=b", NULL },
    { "0=a/b", NULL },
    { "0=<b>", NULL },
    { "0=a\x01", NULL },
    { "0=\xff\xfe", NULL },
    { "0=a\u202eb", NULL },
    { "0=0123456789012345678901234567890123456789012345678901234567890123", NULL },
    { "0=a.0123456789012345678901234567890123456789012345678901234567890123", NULL },
    { "0=" LABEL LABEL LABEL LABEL, NULL },
    { "0=" LABEL LABEL LABEL "a", "0=" LABEL LABEL LABEL "a" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PlgNodeNames names = { 0 };
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;

      g_assert_true (plg_node_names_set (&names, 2, "before", NULL));
      g_assert_cmpint (plg_node_names_from_string (&names, rows[i].text, &error), ==,
                       rows[i].kept != NULL);
      g_assert_cmpint (error == NULL, ==, rows[i].kept != NULL);
      text = plg_node_names_to_string (&names);
      g_assert_cmpstr (text, ==, rows[i].kept != NULL ? rows[i].kept : "2=before");
      if (error != NULL)
        {
          g_assert_true (g_utf8_validate (error->message, -1, NULL));
          g_assert_null (strchr (error->message, '\n'));
          g_assert_null (strchr (error->message, '\x01'));
          g_assert_null (strstr (error->message, "\u202e"));
        }
      plg_node_names_clear (&names);
    }
}

static void
test_set (void)
{
  PlgNodeNames names = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_true (plg_node_names_set (&names, 5, "five", NULL));
  g_assert_cmpstr (plg_node_names_get (&names, 5), ==, "five");
  g_assert_null (plg_node_names_get (&names, 4));
  g_assert_null (plg_node_names_get (&names, 6));
  g_assert_null (plg_node_names_get (&names, -1));
  g_assert_true (plg_node_names_set (&names, 5, "five", NULL));
  g_assert_false (plg_node_names_set (&names, 2, "five", &error));
  g_assert_cmpstr (error->message, ==,
                   "Node 5 already has the name “five”; each node needs its own name");
  g_assert_null (plg_node_names_get (&names, 2));
  plg_node_names_swap (&names, 5, 1);
  g_assert_cmpstr (plg_node_names_get (&names, 1), ==, "five");
  g_assert_cmpint (names.size, ==, 2);
  plg_node_names_prune (&names, 1, 1);
  g_assert_cmpint (names.size, ==, 0);
  g_assert_null (names.name);
}

/* A machine that moves takes its name and its faults along; ranks keep their numbers, and
 * uplinks, which belong to switches, stay. */
static void
test_move (void)
{
  g_autoptr (PlgPlan) plan = sample_plan ();
  g_autoptr (PlgPlan) before = NULL;
  g_autofree char *faults = NULL;
  g_autofree char *names = NULL;

  g_assert_true (plg_edit_name_node (plan, 2, "dgx-b", NULL));
  g_assert_true (plg_edit_swap_ranks (plan, 0, 17, NULL));
  g_assert_true (plg_faults_from_string (&plan->cluster,
                                         "gpu:17=0.8,port:24=0.5,nic:2.3=0,nic:3.0=0.5,uplink:2.0="
                                         "0.5,gpu:0=0.9",
                                         NULL));
  before = plg_plan_copy (plan);
  g_assert_true (plg_edit_swap_machines (plan, 2, 3, NULL));
  faults = plg_faults_to_string (&plan->cluster);
  names = plg_node_names_to_string (&plan->node_names);
  g_assert_cmpstr (names, ==, "3=dgx-b");
  g_assert_cmpstr (faults, ==,
                   "gpu:25=0.8,port:16=0.5,nic:3.3=0,nic:2.0=0.5,uplink:2.0=0.5,gpu:0=0.9");
  g_assert_true (plg_placement_equal (&plan->placement, &before->placement));
  g_assert_true (plg_edit_swap_machines (plan, 2, 3, NULL));
  g_assert_true (plg_plan_equal (plan, before));
  g_assert_false (plg_edit_swap_machines (plan, 7, 8, NULL));
  g_assert_false (plg_edit_swap_machines (plan, -1, 0, NULL));

  /* The opposite: ranks move and the machine stays. */
  g_assert_true (plg_edit_swap_nodes (plan, 2, 3, NULL));
  g_assert_cmpstr (plg_node_names_get (&plan->node_names, 2), ==, "dgx-b");
}

/* The names of removed nodes are removed, unless they are given in the same call. */
static void
test_fewer_nodes (void)
{
  const char *const fewer[] = { "cluster.nodes=4", NULL };
  const char *const both[] = { "cluster.nodes=4", "cluster.node-names=6=x", NULL };
  g_autoptr (PlgPlan) plan = sample_plan ();
  g_autoptr (GError) error = NULL;

  g_assert_true (plg_edit_name_node (plan, 1, "one", NULL));
  g_assert_true (plg_edit_name_node (plan, 6, "six", NULL));
  g_assert_false (plg_settings_apply (plan, NULL, both, &error));
  g_assert_nonnull (strstr (error->message,
                            "node 6 cannot be named “x”, because nodes are numbered from 0 to 3"));
  g_assert_true (plg_settings_apply (plan, NULL, fewer, NULL));
  g_assert_cmpint (plan->node_names.size, ==, 2);
  g_assert_cmpstr (plg_node_names_get (&plan->node_names, 1), ==, "one");
}

/* A name is part of the plan but not of the design. */
static void
test_equal (void)
{
  g_autoptr (PlgPlan) plan = sample_plan ();
  g_autoptr (PlgPlan) other = plg_plan_copy (plan);
  g_autofree char *title = NULL, *unnamed = NULL;

  g_assert_true (plg_edit_name_node (plan, 1, "one", NULL));
  g_assert_false (plg_plan_equal (plan, other));
  g_assert_true (plg_plan_same_design (plan, other));
  title = plg_plan_node_title (plan, 1);
  unnamed = plg_plan_node_title (plan, 2);
  g_assert_cmpstr (title, ==, "one");
  g_assert_cmpstr (unnamed, ==, "node 2");
  plg_plan_assign (other, plan);
  g_assert_true (plg_plan_equal (plan, other));
  g_assert_true (plg_edit_name_node (plan, 1, "", NULL));
  g_assert_cmpint (plan->node_names.size, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/node-names/round-trip", test_round_trip);
  g_test_add_func ("/node-names/set", test_set);
  g_test_add_func ("/node-names/move", test_move);
  g_test_add_func ("/node-names/fewer-nodes", test_fewer_nodes);
  g_test_add_func ("/node-names/equal", test_equal);
  return g_test_run ();
}
