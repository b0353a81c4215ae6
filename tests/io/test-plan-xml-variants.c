/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan-schema.h"

#include "io/plan/catalogue-xml.h"
#include "io/plan/plan-xml.h"
#include "plan/settings/setting.h"

#include <string.h>

/* The variants of a plan in plan XML. */
typedef struct
{
  PlgCatalogue *catalogue;
  PlgPlan *plan;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->catalogue = plg_catalogue_load (NULL);
  fixture->plan = plg_catalogue_default_plan (fixture->catalogue);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  plg_plan_free (fixture->plan);
  plg_catalogue_unref (fixture->catalogue);
}

static void
take_variants (PlgPlan *plan, PlgVariants *variants)
{
  plg_variants_unref (plan->variants);
  plan->variants = variants;
}

static void
add_variant (Fixture *fixture, const char *name, const char *edits)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (fixture->plan);
  g_auto (GStrv) assignments = g_strsplit (edits, " ", -1);
  g_autoptr (GError) error = NULL;

  plg_settings_apply (plan, fixture->catalogue, (const char *const *) assignments, &error);
  g_assert_no_error (error);
  take_variants (fixture->plan, plg_variants_add (fixture->plan->variants, name, plan, &error));
  g_assert_no_error (error);
}

static char *
write_text (const PlgPlan *plan, PlgPlanSource *source)
{
  g_autoptr (GBytes) bytes = plg_plan_xml_write (plan, source);

  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static PlgPlan *
read_text (Fixture *fixture, const char *text, PlgPlanSource **source)
{
  g_autoptr (GError) error = NULL;
  PlgPlan *plan = plg_plan_xml_read (text, strlen (text), fixture->catalogue, source, &error);

  g_assert_no_error (error);
  g_assert_nonnull (plan);
  return plan;
}

/* A plan without variants has no trace of them, and a plan with variants comes back whole. */
static void
test_round_trip (Fixture *fixture, gconstpointer data)
{
  g_autofree char *without = write_text (fixture->plan, NULL), *with = NULL, *again = NULL;
  g_autoptr (PlgPlan) read = NULL;
  g_autoptr (PlgPlanSource) source = NULL;

  g_assert_null (strstr (without, "variant"));
  add_variant (fixture, "TP 4 <&\">", "parallelism.tp=4");
  add_variant (fixture, "Größer", "cluster.nodes=16 cluster.faults=gpu:3=0.5");
  with = write_text (fixture->plan, NULL);
  g_assert_true (plan_schema_accepts (with));
  read = read_text (fixture, with, &source);
  g_assert_true (plg_plan_equal (read, fixture->plan));
  g_assert_cmpstr (plg_variants_nth (read->variants, 0)->name, ==, "TP 4 <&\">");
  g_assert_cmpint (plg_variants_nth (read->variants, 1)->plan->cluster.nodes, ==, 16);
  /* Saving an unchanged plan gives the same bytes. */
  again = write_text (read, source);
  g_assert_cmpstr (again, ==, with);
}

/* Adding, renaming and removing variants changes only their own lines. Unknown content and
 * comments inside the other variants survive. */
static void
test_unknown_content_survives (Fixture *fixture, gconstpointer data)
{
  static const char
      text[] = "<plan version=\"1\">\n"
               "  <cluster nodes=\"8\"/>\n"
               "  <variants note=\"kept\">\n"
               "    <!-- before a -->\n"
               "    <variant name=\"a\" color=\"red\">\n"
               "      <plan version=\"1\">\n"
               "        <parallelism tp=\"4\" pp=\"8\"/>\n"
               "        <rack>7</rack>\n"
               "      </plan>\n"
               "    </variant>\n"
               "    <variant name=\"b\"><plan version=\"1\"/></variant>\n"
               "    <extra/>\n"
               "    <variant name=\"c\"><plan version=\"1\"/><why>slow</why></variant>\n"
               "  </variants>\n"
               "</plan>\n";
  g_autoptr (PlgPlanSource) source = NULL;
  g_autoptr (PlgPlan) plan = read_text (fixture, text, &source);
  g_autoptr (PlgPlan) read = NULL;
  g_autofree char *written = NULL;
  g_autoptr (GString) expected = g_string_new (text);
  g_autoptr (GError) error = NULL;

  g_assert_true (plan_schema_accepts (text));
  g_assert_cmpint (plg_variants_count (plan->variants), ==, 3);
  /* Only the name of a variant changes, and one variant goes. */
  take_variants (plan, plg_variants_rename (plan->variants, 0, "first", &error));
  g_assert_no_error (error);
  take_variants (plan, plg_variants_remove (plan->variants, 1));
  written = write_text (plan, source);
  g_string_replace (expected, "name=\"a\"", "name=\"first\"", 1);
  g_string_replace (expected, "\n    <variant name=\"b\"><plan version=\"1\"/></variant>", "", 1);
  g_assert_cmpstr (written, ==, expected->str);

  /* A new variant is added after the others. */
  take_variants (plan, plg_variants_add (plan->variants, "new", plan, &error));
  g_assert_no_error (error);
  g_free (written);
  written = write_text (plan, source);
  g_assert_nonnull (strstr (written, "<rack>7</rack>"));
  g_assert_nonnull (strstr (written, "<why>slow</why>"));
  g_assert_nonnull (strstr (written, "<!-- before a -->"));
  g_assert_true (plan_schema_accepts (written));
  read = read_text (fixture, written, NULL);
  g_assert_true (plg_plan_equal (read, plan));

  /* Without variants, the element goes. */
  while (plan->variants != NULL)
    take_variants (plan, plg_variants_remove (plan->variants, 0));
  g_free (written);
  written = write_text (plan, source);
  g_assert_cmpstr (written, ==, "<plan version=\"1\">\n  <cluster nodes=\"8\"/>\n</plan>\n");
}

/* Every way from three variants to others is saved so that it reads back as the same plan. */
static void
test_any_change (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autoptr (PlgPlanSource) source = NULL;
  g_autoptr (PlgPlan) plan = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  add_variant (fixture, "a", "parallelism.tp=4");
  add_variant (fixture, "b", "parallelism.tp=2");
  add_variant (fixture, "c", "parallelism.tp=1");
  text = write_text (fixture->plan, NULL);
  plan = read_text (fixture, text, &source);
  for (int i = 0; i < 60; i++)
    {
      int n = plg_variants_count (plan->variants);
      g_autofree char *name = g_strdup_printf ("v%d", i);
      g_autofree char *written = NULL;
      g_autoptr (PlgPlan) read = NULL;

      switch (g_rand_int_range (random, 0, 3))
        {
        case 0:
          take_variants (plan, plg_variants_add (plan->variants, name, plan, NULL));
          break;
        case 1:
          if (n > 0)
            take_variants (plan,
                           plg_variants_remove (plan->variants, g_rand_int_range (random, 0, n)));
          break;
        default:
          if (n > 0)
            take_variants (plan, plg_variants_rename (plan->variants,
                                                      g_rand_int_range (random, 0, n), name, NULL));
          break;
        }
      written = write_text (plan, source);
      read = read_text (fixture, written, NULL);
      g_assert_true (plg_plan_equal (read, plan));
      g_assert_nonnull (strstr (written, "A plan of Parallelogram"));
      if (i % 7 == 0)
        {
          plg_plan_free (plan);
          g_clear_pointer (&source, plg_plan_source_unref);
          plan = read_text (fixture, written, &source);
        }
    }
}

/* The title, the notes and the view of a variant are ignored, but stay in the file. */
static void
test_variant_has_no_title (Fixture *fixture, gconstpointer data)
{
  static const char
      text[] = "<plan version=\"1\"><title>Outer</title><variants><variant name=\"a\">"
               "<plan version=\"1\"><title>Inner</title><view show=\"memory\"/></plan>"
               "</variant></variants></plan>";
  g_autoptr (PlgPlanSource) source = NULL;
  g_autoptr (PlgPlan) plan = read_text (fixture, text, &source);
  g_autoptr (PlgPlan) applied = plg_variant_apply (plg_variants_nth (plan->variants, 0), plan);
  g_autofree char *written = write_text (plan, source);

  g_assert_cmpstr (applied->title, ==, "Outer");
  g_assert_cmpint (applied->view.show, ==, plan->view.show);
  g_assert_cmpint (plg_variants_count (applied->variants), ==, 1);
  g_assert_cmpstr (written, ==, text);
}

typedef struct
{
  const char *inner; /* the content of <variants> */
  const char *message;
} Wrong;

#define NAME_OF_61 "1234567890123456789012345678901234567890123456789012345678901"

static const Wrong wrong[] = {
  { "<variant><plan version=\"1\"/></variant>", "has no name" },
  { "<variant name=\"\"><plan version=\"1\"/></variant>", "has no name" },
  { "<variant name=\"a\"/>", "has no <plan>" },
  { "<variant name=\"a\"><plan/></variant>", "has no version" },
  { "<variant name=\"a\"><plan version=\"1\"/><plan version=\"1\"/></variant>", "only one <plan>" },
  { "<variant name=\"a\"><plan version=\"1\"/></variant>"
    "<variant name=\"a\"><plan version=\"1\"/></variant>",
    "Another variant is named “a”" },
  { "<variant name=\"" NAME_OF_61 "\"><plan version=\"1\"/></variant>", "at most 60 characters" },
  { "<variant name=\"a\"><plan version=\"1\"><parallelism tp=\"7\"/></plan></variant>", "TP 7" },
  { "<variant name=\"a\"><plan version=\"1\"><cluster nodes=\"99999\"/></plan></variant>",
    "cluster.nodes" },
  { "<variant name=\"a\"><plan version=\"1\"><variants/></plan></variant>",
    "no variants of its own" },
};

static void
test_wrong_variants (Fixture *fixture, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char
          *text = g_strdup_printf ("<plan version=\"1\">\n <variants>%s</variants></plan>",
                                   wrong[i].inner);
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgPlan) plan = plg_plan_xml_read (text, strlen (text), fixture->catalogue, NULL,
                                                    &error);

      g_test_message ("%s", wrong[i].inner);
      g_assert_null (plan);
      g_assert_nonnull (error);
      g_assert_true (g_str_has_prefix (error->message, "2:"));
      if (strstr (error->message, wrong[i].message) == NULL)
        g_test_fail_printf ("“%s” is not in “%s”", wrong[i].message, error->message);
    }
}

/* A hostile file with very many variants is refused early. */
static void
test_too_many (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("<plan version=\"1\"><variants>");
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgPlan) plan = NULL;

  for (int i = 0; i < 20000; i++)
    g_string_append_printf (text, "<variant name=\"%d\"><plan version=\"1\"/></variant>", i);
  g_string_append (text, "</variants></plan>");
  plan = plg_plan_xml_read (text->str, text->len, fixture->catalogue, NULL, &error);
  g_assert_null (plan);
  g_assert_nonnull (strstr (error->message, "at most 32 variants"));
}

#define ADD(name, function) \
  g_test_add ("/plan-xml-variants/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("round-trip", test_round_trip);
  ADD ("unknown-content-survives", test_unknown_content_survives);
  ADD ("any-change", test_any_change);
  ADD ("variant-has-no-title", test_variant_has_no_title);
  ADD ("wrong-variants", test_wrong_variants);
  ADD ("too-many", test_too_many);
  return g_test_run ();
}
