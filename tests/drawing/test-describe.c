/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "picture-case.h"

/* Descriptions of entities. */

static int
find_link (const Case *c, const char *id)
{
  for (guint i = 0; i < c->report->links->len; i++)
    {
      g_autofree char *name = plg_link_id (&g_array_index (c->report->links, PlgLink, i));

      if (g_str_equal (name, id))
        return i;
    }
  g_assert_not_reached ();
}

static void
test_describe_entities (void)
{
  Case c;

  case_init (&c, &sample_default);
  {
    const struct
    {
      PlgEntity entity;
      const char *words[7];
    } rows[] = {
      { entity (PLG_ENTITY_GPU, 21),
        { "Rank 21 on GPU 5 of node 2", "TP 5, PP 2, DP 0", "TP group 2: ranks 16–23",
          "PP group 5: ranks 5, 13, 21, 29", "DP group 21: ranks 21, 53", "Stage 2: 20 layers",
          "of 80" } },
      { entity (PLG_ENTITY_NODE, 3), { "Node 3: 8 × H100 SXM", "Ranks 24–31" } },
      { entity (PLG_ENTITY_LINK, find_link (&c, "nvlink-2-5")),
        { "NVLink from GPU 5 of node 2 to its switch", "450", "per direction",
          "TP all-gather: 5 120 calls" } },
      { entity (PLG_ENTITY_LINK, find_link (&c, "nic-2-5")),
        { "NIC 5 of node 2 to rail 5", "50", "400", "DP reduce-scatter: 80 calls" } },
      { axis_entity (PLG_ENTITY_GROUP, PLG_AXIS_TP, 2),
        { "TP group 2: 8 GPUs", "Ranks 16–23", "all-gather over NVLink: 5 120 calls" } },
      { axis_entity (PLG_ENTITY_GROUP, PLG_AXIS_TP, -1), { "8 groups of 8" } },
      { axis_entity (PLG_ENTITY_HANDLE, PLG_AXIS_PP, 0), { "PP (now 4)" } },
      { entity (PLG_ENTITY_STAGE, 1), { "Stage 1: 20 layers", "Optimizer: 12" } },
      { entity (PLG_ENTITY_BLOCK, 1), { "Micro-batch 1, forward", "Stage 0: 20 layers" } },
      { entity (PLG_ENTITY_PART, PLG_PART_BUBBLE),
        { "Bubble of the step: 400", "10.0 % of the step" } },
    };

    for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
      {
        g_autofree char *text = plg_describe_entity (c.plan, c.report, rows[i].entity);
        /* Non-breaking spaces join units and thousands. */
        g_autoptr (GString) plain = g_string_new (text);

        g_string_replace (plain, "\u00a0", " ", 0);
        g_string_replace (plain, "\u202f", " ", 0);
        for (int k = 0; k < 7 && rows[i].words[k] != NULL; k++)
          if (strstr (plain->str, rows[i].words[k]) == NULL)
            g_error ("no \"%s\" in \"%s\"", rows[i].words[k], plain->str);
      }
  }
  case_clear (&c);
}

static void
test_describe_nothing (void)
{
  for (int kind = PLG_ENTITY_NONE; kind <= PLG_ENTITY_LEGEND; kind++)
    {
      static const int indexes[] = { -1, G_MININT, G_MAXINT };

      for (gsize i = 0; i < G_N_ELEMENTS (indexes); i++)
        {
          Case c;
          g_autofree char *text = NULL;

          case_init (&c, &sample_default);
          text = plg_describe_entity (c.plan, c.report, entity (kind, indexes[i]));
          g_assert_nonnull (text);
          if (kind != PLG_ENTITY_GROUP && kind != PLG_ENTITY_HANDLE)
            g_assert_cmpstr (text, ==, "");
          case_clear (&c);
        }
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/describe/entities", test_describe_entities);
  g_test_add_func ("/describe/nothing", test_describe_nothing);
  return g_test_run ();
}
