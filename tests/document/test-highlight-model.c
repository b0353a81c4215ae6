/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/document.h"
#include "io/plan/catalogue-xml.h"

typedef struct
{
  PlgDocument *document;
  PlgHighlightModel *model;
  int changes;
} Fixture;

static void
changed_cb (int *changes)
{
  (*changes)++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  fixture->document = plg_document_new (catalogue);
  fixture->model = plg_document_highlight_model (fixture->document);
  g_signal_connect_swapped (fixture->model, "changed", G_CALLBACK (changed_cb), &fixture->changes);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->document);
}

static PlgEntity
entity (PlgEntityKind kind, int index)
{
  return (PlgEntity) { .kind = kind, .index = index };
}

static void
assert_lit (Fixture *fixture, int n, int n_pins)
{
  int highlighted, pins;

  plg_highlight_model_entities (fixture->model, &highlighted, &pins);
  g_assert_cmpint (highlighted, ==, n);
  g_assert_cmpint (pins, ==, n_pins);
}

static PlgEntity
link_named (Fixture *fixture, const char *id)
{
  const GArray *links = plg_document_report (fixture->document)->links;

  for (guint i = 0; i < links->len; i++)
    {
      g_autofree char *name = plg_link_id (&g_array_index (links, PlgLink, i));

      if (g_str_equal (name, id))
        return entity (PLG_ENTITY_LINK, i);
    }
  g_assert_not_reached ();
}

static void
test_pins (Fixture *fixture, gconstpointer data)
{
  const PlgEntity *highlighted;

  assert_lit (fixture, 0, 0);
  plg_highlight_model_set_hovered (fixture->model, entity (PLG_ENTITY_GPU, 3));
  plg_highlight_model_set_hovered (fixture->model, entity (PLG_ENTITY_GPU, 3));
  g_assert_cmpint (fixture->changes, ==, 1);
  assert_lit (fixture, 1, 0);
  plg_highlight_model_toggle (fixture->model, entity (PLG_ENTITY_GPU, 3));
  /* A pinned entity is not highlighted twice. */
  assert_lit (fixture, 1, 1);
  plg_highlight_model_toggle (fixture->model, entity (PLG_ENTITY_LINK, 5));
  plg_highlight_model_set_hovered (fixture->model, entity (PLG_ENTITY_LINK, 7));
  assert_lit (fixture, 3, 2);
  highlighted = plg_highlight_model_entities (fixture->model, NULL, NULL);
  g_assert_cmpint (highlighted[1].index, ==, 5);
  g_assert_cmpint (highlighted[2].index, ==, 7);
  g_assert_true (plg_highlight_model_is_pinned (fixture->model, entity (PLG_ENTITY_LINK, 5)));
  plg_highlight_model_toggle (fixture->model, entity (PLG_ENTITY_GPU, 3));
  assert_lit (fixture, 2, 1);
  g_assert_true (plg_highlight_model_unpin_all (fixture->model));
  g_assert_false (plg_highlight_model_unpin_all (fixture->model));
  assert_lit (fixture, 1, 0);
}

static void
test_nothing_to_pin (Fixture *fixture, gconstpointer data)
{
  plg_highlight_model_toggle (fixture->model, entity (PLG_ENTITY_NONE, 0));
  plg_highlight_model_toggle (fixture->model, entity (PLG_ENTITY_LINK, -1));
  assert_lit (fixture, 0, 0);
  g_assert_cmpint (fixture->changes, ==, 0);
}

/* A pin stays on its link when the numbers of links change. */
static void
test_same_link (Fixture *fixture, gconstpointer data)
{
  PlgEntity before = link_named (fixture, "nic-1-5"), after;

  plg_highlight_model_toggle (fixture->model, before);
  fixture->changes = 0;
  g_assert_true (plg_document_set (fixture->document, "model.layers", "40", NULL));
  /* The same numbers cause no repaint. */
  g_assert_cmpint (fixture->changes, ==, 0);
  g_assert_true (plg_document_set (fixture->document, "cluster.nodes", "4", NULL));
  after = link_named (fixture, "nic-1-5");
  g_assert_cmpint (after.index, !=, before.index);
  g_assert_true (plg_highlight_model_is_pinned (fixture->model, after));
  assert_lit (fixture, 1, 1);
}

/* A pin without its link is inactive, and returns with the link. */
static void
test_pin_without_link (Fixture *fixture, gconstpointer data)
{
  plg_highlight_model_toggle (fixture->model, link_named (fixture, "nic-7-5"));
  g_assert_true (plg_document_set (fixture->document, "cluster.nodes", "4", NULL));
  assert_lit (fixture, 0, 0);
  g_assert_true (plg_document_undo (fixture->document));
  assert_lit (fixture, 1, 1);
  g_assert_true (plg_highlight_model_is_pinned (fixture->model, link_named (fixture, "nic-7-5")));
}

/* A pinned collective returns in the same way: TP 1 has no TP collectives. */
/* A pinned entity that is only a number is inactive while the plan has fewer entities, and
 * returns with them. */
static void
test_pin_of_number (Fixture *fixture, gconstpointer data)
{
  const PlgEntity entities[] = {
    entity (PLG_ENTITY_GPU, 63),
    entity (PLG_ENTITY_NODE, 7),
    { .kind = PLG_ENTITY_GROUP, .axis = PLG_AXIS_TP, .index = 7 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (entities); i++)
    plg_highlight_model_toggle (fixture->model, entities[i]);
  assert_lit (fixture, 3, 3);
  g_assert_true (plg_document_set (fixture->document, "cluster.nodes", "4", NULL));
  assert_lit (fixture, 0, 0);
  plg_document_undo (fixture->document);
  assert_lit (fixture, 3, 3);
}

static void
test_same_collective (Fixture *fixture, gconstpointer data)
{
  const PlgReport *report = plg_document_report (fixture->document);
  PlgAxis axis;
  PlgCollectiveKind kind;
  const PlgCollective *found;
  const PlgEntity *highlighted;
  int last = report->collectives->len - 1;

  axis = g_array_index (report->collectives, PlgCollective, last).axis;
  kind = g_array_index (report->collectives, PlgCollective, last).kind;
  plg_highlight_model_toggle (fixture->model, entity (PLG_ENTITY_COLLECTIVE, last));
  plg_highlight_model_toggle (fixture->model, entity (PLG_ENTITY_COLLECTIVE, 0));
  g_assert_true (plg_document_set (fixture->document, "parallelism.tp", "1", NULL));
  assert_lit (fixture, 1, 1);
  highlighted = plg_highlight_model_entities (fixture->model, NULL, NULL);
  found = &g_array_index (plg_document_report (fixture->document)->collectives, PlgCollective,
                          highlighted[0].index);
  g_assert_cmpint (found->axis, ==, axis);
  g_assert_cmpint (found->kind, ==, kind);
  g_assert_true (plg_document_undo (fixture->document));
  assert_lit (fixture, 2, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) \
  g_test_add ("/highlight-model/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("pins", test_pins);
  ADD ("nothing-to-pin", test_nothing_to_pin);
  ADD ("same-link", test_same_link);
  ADD ("pin-without-link", test_pin_without_link);
  ADD ("pin-of-number", test_pin_of_number);
  ADD ("same-collective", test_same_collective);
#undef ADD
  return g_test_run ();
}
