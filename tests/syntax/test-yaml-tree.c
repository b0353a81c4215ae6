/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "syntax/yaml-tree.h"
#include "syntax/format-error.h"

#include <string.h>

static PlgYaml *
read_text (const char *data, GError **error)
{
  return plg_yaml_read (data, strlen (data), error);
}

static void
test_tree (void)
{
  static const char text[] = "# what runs\n"
                             "trainer:\n"
                             "  strategy:\n"
                             "    tensor_model_parallel_size: 8\n"
                             "    pipeline: ~\n"
                             "  name: \"null\"\n"
                             "hosts:\n"
                             "  - a\n"
                             "  - {b: 1}\n"
                             "? [x, y]\n"
                             ": 1\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgYaml) tree = read_text (text, &error);
  const PlgYaml *size = plg_yaml_find (tree, "trainer.strategy.tensor_model_parallel_size");
  const PlgYaml *hosts = plg_yaml_find (tree, "hosts");

  g_assert_no_error (error);
  g_assert_true (tree->mapping);
  g_assert_cmpstr (size->text, ==, "8");
  g_assert_cmpint (size->line, ==, 4);
  g_assert_true (plg_yaml_is_null (plg_yaml_find (tree, "trainer.strategy.pipeline")));
  g_assert_false (plg_yaml_is_null (plg_yaml_find (tree, "trainer.name")));
  g_assert_null (plg_yaml_find (tree, "trainer.strategy.tensor"));
  g_assert_null (plg_yaml_find (tree, "hosts.a"));
  g_assert_false (hosts->mapping);
  g_assert_cmpint (hosts->below->len, ==, 2);
  g_assert_cmpint (((const PlgYaml *) hosts->below->pdata[1])->line, ==, 9);
  g_assert_cmpint (tree->below->len, ==, 3);
}

/* The value of an alias has the line of the alias. A block's own keys, at any position, override
 * merged keys, and the first merge overrides later merges. */
static void
test_aliases (void)
{
  static const char text[] = "base: &base {tp: 8, pp: 4}\n"
                             "more: &more\n"
                             "  <<: *base\n"
                             "  pp: 2\n"
                             "  cp: &two 2\n"
                             "run:\n"
                             "  tp: 1\n"
                             "  <<: [*more, {cp: 16, ep: 4}]\n"
                             "  list: [*two, *base]\n";
  static const char *const values[][2] = { { "run.tp", "1" },  { "run.pp", "2" },
                                           { "run.cp", "2" },  { "run.ep", "4" },
                                           { "more.tp", "8" }, { "more.pp", "2" },
                                           { "base.pp", "4" } };
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgYaml) tree = read_text (text, &error);
  const PlgYaml *list = plg_yaml_find (tree, "run.list");

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    g_assert_cmpstr (plg_yaml_find (tree, values[i][0])->text, ==, values[i][1]);
  g_assert_cmpint (plg_yaml_find (tree, "run.pp")->line, ==, 4);
  g_assert_cmpint (plg_yaml_find (tree, "run")->below->len, ==, 5);
  g_assert_cmpstr (((const PlgYaml *) list->below->pdata[0])->text, ==, "2");
  g_assert_cmpstr (plg_yaml_find (list->below->pdata[1], "pp")->text, ==, "4");
}

/* Each level repeats the previous level nine times, so twelve levels have 280 thousand million
 * words. */
static void
test_alias_bomb (void)
{
  g_autoptr (GString) text = g_string_new ("a0: &a0 lol\n");
  g_autoptr (GError) error = NULL;

  for (int i = 1; i <= 12; i++)
    {
      g_string_append_printf (text, "a%d: &a%d [", i, i);
      for (int j = 0; j < 9; j++)
        g_string_append_printf (text, "*a%d,", i - 1);
      g_string_append (text, "]\n");
    }
  g_assert_null (read_text (text->str, &error));
  g_assert_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNSAFE);
  g_assert_cmpstr (error->message, ==,
                   "7: The file has more entries than any plan needs, so it was not read.");
}

static const struct
{
  const char *text;
  const char *says;
} wrong[] = {
  { "", "1: The file has no values" },
  { "a: 1\nb: *x\n", "2: *x has no value: there is no &x before it" },
  { "a: &x\n  b: *x\n", "2: The alias *x refers to a value that contains it" },
  { "a: &x 1\nb:\n  <<: *x\n", "3: << needs a mapping, or a list of mappings" },
  { "b:\n  <<: [{a: 1}, 2]\n", "2: << needs a mapping" },
  { "a:\n  <<: {b: 1}\n  <<: {c: 1}\n", "3: << occurs twice, first on line 2" },
  { "a: 1\nb: 2\na: 3\n", "3: a occurs twice, first on line 1" },
  { "a:\n\tb: 1\n", "2: YAML does not allow a tab here" },
  { "a: [1\nb: 2\n", "This is not YAML" },
  { "a: \"1\n", "This is not YAML" },
  { "a: 1\n---\nb: 2\n", "2: The file has a second document" },
  { "a: 1\nb: \x01\n", "2: This is not YAML" },
};

static void
test_wrong (void)
{
  g_autoptr (GString) deep = g_string_new (NULL);
  g_autoptr (GString) many = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_null (read_text (wrong[i].text, &error));
      if (strstr (error->message, wrong[i].says) == NULL)
        g_error ("“%s” instead of “%s”", error->message, wrong[i].says);
      g_clear_error (&error);
    }
  for (int i = 0; i < 1000; i++)
    g_string_append (deep, "[");
  g_assert_null (read_text (deep->str, &error));
  g_assert_nonnull (strstr (error->message, "1: The file is nested more than 32 levels deep"));
  g_clear_error (&error);
  for (int i = 0; i < 200001; i++)
    g_string_append (many, "- 1\n");
  g_assert_null (read_text (many->str, &error));
  g_assert_nonnull (strstr (error->message, "has more entries than any plan needs"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/yaml-tree/tree", test_tree);
  g_test_add_func ("/yaml-tree/aliases", test_aliases);
  g_test_add_func ("/yaml-tree/alias-bomb", test_alias_bomb);
  g_test_add_func ("/yaml-tree/wrong", test_wrong);
  return g_test_run ();
}
