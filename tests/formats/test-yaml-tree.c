/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/yaml-tree.h"

#include <string.h>

static PlgYaml *
read_text (const char *data, GError **error)
{
  PlgReading reading = { .data = data, .size = strlen (data) };

  return plg_yaml_read (&reading, error);
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

static const struct
{
  const char *text;
  const char *says;
} wrong[] = {
  { "", "1: The file holds no values" },
  { "a: &x 1\nb: *x\n", "2: Aliases (*name) are not read" },
  { "a: {<<: *x}\n", "1: Aliases" },
  { "a: 1\nb: 2\na: 3\n", "3: a is there twice, first in line 1" },
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
  g_test_add_func ("/yaml-tree/wrong", test_wrong);
  return g_test_run ();
}
