/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/find.h"

#include "engine/advice/advice.h"
#include "plan/edit.h"
#include "sample.h"

#include <string.h>

typedef struct
{
  PlgPlan *plan;
  PlgReport *report;
} Rig;

static void
set_up (Rig *rig, gconstpointer data)
{
  rig->plan = sample_plan ();
  g_assert_true (plg_edit_swap_ranks (rig->plan, 5, 17, NULL));
  rig->report = plg_evaluate_with_advice (rig->plan, NULL);
  g_assert_nonnull (rig->report);
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  plg_plan_free (rig->plan);
  plg_report_unref (rig->report);
}

/* An entity is found by each of its names, with the likeliest entity first. */
static void
test_entities (Rig *rig, gconstpointer data)
{
  static const struct
  {
    const char *words;
    PlgEntity entities[3];
    guint n;
  } rows[] = {
    { "rank 5", { { PLG_ENTITY_GPU, 0, 17 } }, 1 },
    { " RANK 17 ", { { PLG_ENTITY_GPU, 0, 5 } }, 1 },
    { "rank9", { { PLG_ENTITY_GPU, 0, 9 } }, 1 },
    { "gpu 5", { { PLG_ENTITY_GPU, 0, 5 } }, 1 },
    { "node 3", { { PLG_ENTITY_NODE, 0, 3 } }, 1 },
    { "5", { { PLG_ENTITY_GPU, 0, 17 }, { PLG_ENTITY_GPU, 0, 5 }, { PLG_ENTITY_NODE, 0, 5 } }, 3 },
    { "9", { { PLG_ENTITY_GPU, 0, 9 } }, 1 },
    { "", { { 0 } }, 0 },
    { "  ", { { 0 } }, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) found = plg_find (rig->plan, rig->report, rows[i].words, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (found != NULL ? found->len : 0, ==, rows[i].n);
      for (guint k = 0; k < rows[i].n; k++)
        g_assert_true (plg_entity_equal (g_array_index (found, PlgEntity, k), rows[i].entities[k]));
    }
}

/* A node with names of its hosts is found by each host. */
static void
test_hosts (Rig *rig, gconstpointer data)
{
  g_autoptr (GArray) found = NULL;

  g_assert_true (plg_node_names_set (&rig->plan->node_names, 5, "gb[01-02],x7", NULL));
  found = plg_find (rig->plan, rig->report, "GB02", NULL);
  g_assert_nonnull (found);
  g_assert_cmpint (g_array_index (found, PlgEntity, 0).kind, ==, PLG_ENTITY_NODE);
  g_assert_cmpint (g_array_index (found, PlgEntity, 0).index, ==, 5);
}

/* Named nodes are found with "node" before the name or without. */
static void
test_names (Rig *rig, gconstpointer data)
{
  static const char *const words[] = { "dgx-b", "DGX-B", "node dgx-b", "dgx" };

  g_assert_true (plg_node_names_set (&rig->plan->node_names, 3, "dgx-b", NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (GArray) found = plg_find (rig->plan, rig->report, words[i], NULL);

      g_assert_nonnull (found);
      g_assert_cmpint (g_array_index (found, PlgEntity, 0).kind, ==, PLG_ENTITY_NODE);
      g_assert_cmpint (g_array_index (found, PlgEntity, 0).index, ==, 3);
    }
}

static void
test_links (Rig *rig, gconstpointer data)
{
  for (guint i = 0; i < rig->report->links->len; i += 7)
    {
      g_autofree char *id = plg_link_id (&g_array_index (rig->report->links, PlgLink, i));
      g_autofree char *upper = g_ascii_strup (id, -1);
      g_autoptr (GArray) found = plg_find (rig->plan, rig->report, upper, NULL);

      g_assert_nonnull (found);
      g_assert_cmpint (g_array_index (found, PlgEntity, 0).kind, ==, PLG_ENTITY_LINK);
      g_assert_cmpint (g_array_index (found, PlgEntity, 0).index, ==, (int) i);
    }
}

static void
test_starts_of_names (Rig *rig, gconstpointer data)
{
  g_autoptr (GArray) found = plg_find (rig->plan, rig->report, "nic-2", NULL);

  g_assert_nonnull (found);
  g_assert_cmpuint (found->len, >, 1);
  g_assert_cmpuint (found->len, <=, PLG_MAX_FOUND);
}

/* A failed NIC is found by its name in plan files and by its name in sentences. */
static void
test_links_by_numbers (Rig *rig, gconstpointer data)
{
  static const char *const words[] = { "nic:2.3", "nic 2.3", "NIC 2 3", "nic-2-3" };

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (GArray) found = plg_find (rig->plan, rig->report, words[i], NULL);
      g_autofree char *id = NULL;

      g_assert_nonnull (found);
      g_assert_cmpint (g_array_index (found, PlgEntity, 0).kind, ==, PLG_ENTITY_LINK);
      id = plg_link_id (&g_array_index (rig->report->links, PlgLink,
                                        g_array_index (found, PlgEntity, 0).index));
      g_assert_cmpstr (id, ==, "nic-2-3");
    }
}

/* A missing entity gives a message with the existing entities. */
static void
test_errors (Rig *rig, gconstpointer data)
{
  static const struct
  {
    const char *words;
    const char *message;
  } rows[] = {
    { "rank 99999", "Rank 99999 does not exist; ranks are numbered from 0 to 63" },
    { "99999", "Rank 99999 does not exist; ranks are numbered from 0 to 63" },
    { "gpu 64", "GPU 64 does not exist; GPUs are numbered from 0 to 63" },
    { "node 8", "Node 8 does not exist; nodes are numbered from 0 to 7" },
    { "rank 123456789012345678",
      "Rank 123456789012345678 does not exist; ranks are numbered from 0 to 63" },
    { "rank", "Nothing is named “rank”;*" },
    { "rank -1", "Nothing is named*" },
    { "rank 99999999999999999999999", "Nothing is named*" },
    { "banana", "Nothing is named “banana”; try, for example, rank 5, node 1 or a link such as "
                "nic-0-1" },
    { "5 6", "Nothing is named*" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (plg_find (rig->plan, rig->report, rows[i].words, &error));
      g_assert_nonnull (error);
      if (!g_pattern_match_simple (rows[i].message, error->message))
        g_error ("“%s”: %s", rows[i].words, error->message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add ("/find/" name, Rig, NULL, set_up, function, tear_down)
  ADD ("entities", test_entities);
  ADD ("names", test_names);
  ADD ("hosts", test_hosts);
  ADD ("links", test_links);
  ADD ("starts-of-names", test_starts_of_names);
  ADD ("links-by-numbers", test_links_by_numbers);
  ADD ("errors", test_errors);
#undef ADD
  return g_test_run ();
}
