/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan/catalogue-xml.h"
#include "io/placement/host-names.h"
#include "plan/host-list.h"

#include <string.h>

static const struct
{
  const char *text;
  const char *hosts; /* separated by spaces */
  const char *again; /* the list as written */
} lists[] = {
  { "gpu-a", "gpu-a", "gpu-a" },
  { "node[00-07,9],gpu-a", "node00 node01 node02 node03 node04 node05 node06 node07 node9 gpu-a",
    "node[00-07,9],gpu-a" },
  { "n[8-11]", "n8 n9 n10 n11", "n[8-11]" },
  { "n[08-11]", "n08 n09 n10 n11", "n[08-11]" },
  { "n[098-101]", "n098 n099 n100 n101", "n[098-101]" },
  { "n[9,08,7]", "n9 n08 n7", "n[9,08,7]" },
  { "n1, n2 ,m3", "n1 n2 m3", "n[1-2],m3" },
  { "n1,n1", "n1 n1", "n[1,1]" },
  { "rack[0-1]-[2-3]", "rack0-2 rack0-3 rack1-2 rack1-3", "rack0-[2-3],rack1-[2-3]" },
  { "n[1-2].lab", "n1.lab n2.lab", "n1.lab,n2.lab" },
  { "[3-4]", "3 4", "[3-4]" },
  { "n[1-2],", "n1 n2", "n[1-2]" },
  { "n123456789012,n123456789013", "n123456789012 n123456789013", "n123[456789012-456789013]" },
  { "", "", "" },
};

static void
test_lists (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autoptr (GPtrArray) hosts = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GError) error = NULL;
      g_autofree char *joined = NULL, *written = NULL;

      g_test_message ("%s", lists[i].text);
      plg_host_names_expand (hosts, lists[i].text, 64, 0, &error);
      g_assert_no_error (error);
      written = plg_host_list_contract ((const char *const *) hosts->pdata, (int) hosts->len);
      g_assert_cmpstr (written, ==, lists[i].again);
      g_ptr_array_add (hosts, NULL);
      joined = g_strjoinv (" ", (char **) hosts->pdata);
      g_assert_cmpstr (joined, ==, lists[i].hosts);
    }
}

static const char *const broken[] = {
  "n[",
  "n]",
  "n[]",
  "n[1",
  "n1]",
  "n[1-]",
  "n[-1]",
  "n[3-1]",
  "n[1,]",
  "n[,1]",
  "n[1-2-3]",
  "n[[1-2]]",
  "n[1[2]]",
  "n[a-b]",
  "n[1-2",
  "n[0-65]",
  "n[1-9][1-9]",
  "n[1234567890-1234567891]",
  "n[0-99999999999999999999]",
  "a,,b",
  ",",
  "$(reboot)",
  "../../x",
  "n[0-1]/x",
  "a b",
  "-n[0-3]",
  "n;ls",
  "n[0-999999999]",
};

static void
test_broken (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_autoptr (GPtrArray) hosts = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", broken[i]);
      g_assert_false (plg_host_names_expand (hosts, broken[i], 64, 7, &error));
      g_assert_nonnull (error);
      g_assert_true (g_str_has_prefix (error->message, "7: "));
      g_assert_cmpint (hosts->len, <=, 64);
    }
}

/* Too large products of brackets are rejected before they are expanded, and without deep recursion.
 * */
static void
test_long (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int kind = 0; kind < 3; kind++)
    {
      g_autoptr (GPtrArray) hosts = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GError) error = NULL;

      g_string_truncate (text, 0);
      for (int i = 0; i < 1000000; i++)
        g_string_append (text, kind == 0 ? "[0-9]" : kind == 1 ? "[" : "n[0-9],");
      g_assert_false (plg_host_names_expand (hosts, text->str, PLG_MAX_NODES, 1, &error));
      g_assert_nonnull (error);
    }
}

static PlgPlan *
plan_with (PlgCatalogue *known, const char *names)
{
  PlgPlan *plan = plg_catalogue_default_plan (known);

  g_assert_true (plg_node_names_from_string (&plan->node_names, names, NULL));
  return plan;
}

static void
test_plan (void)
{
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plan_with (known, "1=node0,3=dgx");
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);

  g_assert_cmpint (g_strv_length (hosts), ==, 8);
  /* Node 1 has taken the name of node 0. */
  g_assert_cmpstr (hosts[0], ==, "node0-1");
  g_assert_cmpstr (hosts[1], ==, "node0");
  g_assert_cmpstr (hosts[3], ==, "dgx");
  g_assert_cmpstr (hosts[7], ==, "node7");
}

/* The names of a plan's nodes in files read back as the same names. */
static void
test_names (void)
{
  static const char *const names[] = { "", "0=a,1=b", "0=node1,1=node0", "3=dgx-3,7=gpu" };
  static const int lines[8] = { 1 };
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (PlgPlan) plan = plan_with (known, names[i]);
      g_auto (GStrv) hosts = plg_host_names_of_plan (plan);
      g_auto (PlgImportContext) context = { 0 };
      g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);
      g_autofree char *text = plg_host_list_contract ((const char *const *) hosts, 8);
      g_autofree char *read = NULL;
      g_autoptr (GError) error = NULL;

      plg_import_init (&context, "", 0, NULL, known);
      g_assert_true (plg_host_names_expand (list, text, PLG_MAX_NODES, 0, NULL));
      g_assert_true (plg_host_names_set_nodes (&context, list, lines, 1, &error));
      read = plg_node_names_to_string (&context.plan->node_names);
      g_assert_cmpstr (read, ==, names[i]);
    }
}

static void
test_names_refused (void)
{
  static const int lines[] = { 4, 9 };
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_auto (PlgImportContext) context = { 0 };
  g_autoptr (GPtrArray) twice = g_ptr_array_new ();
  g_autoptr (GPtrArray) hostile = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;

  plg_import_init (&context, "", 0, NULL, known);
  g_ptr_array_add (twice, (gpointer) "n1");
  g_ptr_array_add (twice, (gpointer) "n1");
  g_assert_false (plg_host_names_set_nodes (&context, twice, lines, 1, &error));
  g_assert_true (g_str_has_prefix (error->message, "9: “n1” is listed twice"));
  g_clear_error (&error);
  g_ptr_array_add (hostile, (gpointer) "$(reboot)");
  g_assert_false (plg_host_names_set_nodes (&context, hostile, lines, 1, &error));
  g_assert_true (g_str_has_prefix (error->message, "4: "));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/host-names/lists", test_lists);
  g_test_add_func ("/host-names/broken", test_broken);
  g_test_add_func ("/host-names/long", test_long);
  g_test_add_func ("/host-names/plan", test_plan);
  g_test_add_func ("/host-names/names", test_names);
  g_test_add_func ("/host-names/names-refused", test_names_refused);
  return g_test_run ();
}
