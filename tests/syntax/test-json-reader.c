/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "syntax/json-reader.h"
#include "syntax/json-writer.h"
#include "syntax/format-error.h"

#include <string.h>

static PlgJson *
read_text (const char *text, gsize size, GError **error)
{
  return plg_json_read (text, size, error);
}

static const struct
{
  const char *text;
  gsize size; /* 0: the length of the string */
  const char *error;
} broken[] = {
  { "{", 0, "1: The file ends before the “{” on line 1 is closed, so it was probably cut off." },
  { "{\n \"a\": [1,\n2", 0,
    "3: The file ends before the “[” on line 2 is closed, so it was "
    "probably cut off." },
  { "{\"a\": 1}}", 0, "1: This “}” has no matching “{”." },
  { "{\"a\": [1}", 0, "1: This “}” has no matching “" },
  { "{\"a\": \"b", 0, "1: The file ends inside a string" },
  { "{\"a\": \"b\n\"}", 0, "1: A string is not closed" },
  { "{\"a\": 1,\n\"b\": 2,\n\"a\": 3}", 0, "3: a occurs twice, first on line 1" },
  { "{} {}", 0, "1: There is text after the end" },
  { "{}\n1", 0, "2: There is text after the end" },
  { "{\"a\":\nNaN}", 0, "2: “NaN” is not JSON" },
  { "{\"a\": -Infinity}", 0, "1: “-Infinity” is not JSON" },
  { "{\"a\": 'x'}", 0, "1: “'x'” is not JSON" },
  { "{\"a\": 010}", 0, "1: “010” is not JSON" },
  { "{\"a\": 0x10}", 0, "1: “0x10” is not JSON" },
  { "{\"a\": .5}", 0, "1: “.5” is not JSON" },
  { "{\"a\": 1.}", 0, "1: “1.” is not JSON" },
  { "{\"a\": 1e}", 0, "1: “1e” is not JSON" },
  { "{\"a\": +1}", 0, "1: “+1” is not JSON" },
  { "{\"a\": 1e999}", 0, "1: 1e999 is larger than any number" },
  { "{\"a\": True}", 0, "1: “True” is not JSON" },
  { "{a: 1}", 0, "1: “a” is not JSON" },
  { "{ // no\n}", 0, "1: “//” is not JSON" },
  { "{\"a\": 1,\n}", 0, "1: This is not JSON" },
  { "{\"a\" 1}", 0, "1: This is not JSON" },
  { "{\"a\": 1 \"b\": 2}", 0, "1: This is not JSON" },
  { "[1 2]", 0, "1: This is not JSON" },
  { "[,]", 0, "1: This is not JSON" },
  { ",", 0, "1: This is not JSON" },
  { "{\"a\": \"\\ud800\"}", 0, "1: This is not JSON" },
  { "{\"a\": \"\xFF\"}", 0, "1: Byte 0xFF is not valid UTF-8" },
  { "{\"a\": \"\0\",\n\xFF}", 13, "2: Byte 0xFF is not valid UTF-8" },
  { "{\n\0}", 4, "2: The file is damaged: byte 0x00" },
  { "{\"a\": \"\0\"}", 10, "1: A string has a character that JSON allows only as \\u0000" },
  { "{\"a\":\n\"b\x1B[31m\"}", 0, "2: A string has a character that JSON allows only as \\u001b" },
  { "{\"a\": \"b\n\"}", 0, "1: A string is not closed" },
  { "\x7F"
    "ELF\x02\x01",
    0, "1: “" },
};

static void
test_broken (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      gsize size = broken[i].size > 0 ? broken[i].size : strlen (broken[i].text);
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgJson) json = read_text (broken[i].text, size, &error);

      if (json != NULL || !g_str_has_prefix (error->message, broken[i].error))
        g_error ("%s: %s, not %s", broken[i].text, json != NULL ? "read" : error->message,
                 broken[i].error);
      g_assert_true (error->domain == PLG_FORMAT_ERROR);
    }
}

/* Every truncated file gives an error with a line and does not crash the reader. */
static void
test_truncated (void)
{
  const char *text = "{\"a\": [1, {\"b\": \"c\\u00e4\"}, true, null, -1.5e3],\n \"d\": {}}";

  for (gsize size = 1; size <= strlen (text); size++)
    {
      g_autofree char *start = g_strndup (text, size);
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgJson) json = read_text (start, size, &error);

      g_assert_true ((json != NULL) == (size == strlen (text)));
      g_assert_true (json != NULL || g_ascii_isdigit (error->message[0]));
    }
}

static char *
repeat (const char *text, int times)
{
  GString *out = g_string_new (NULL);

  for (int i = 0; i < times; i++)
    g_string_append (out, text);
  return g_string_free (out, FALSE);
}

static void
test_limits (void)
{
  g_autofree char *deep = repeat ("[", 5000000);
  g_autofree char *many = repeat ("1,", PLG_JSON_MAX_VALUES + 5);
  g_autofree char *list = g_strdup_printf ("[%s1]", many);
  g_autoptr (GString) wide = g_string_new ("{");
  g_autoptr (GError) error = NULL;

  g_assert_null (read_text (deep, strlen (deep), &error));
  g_assert_cmpstr (error->message, ==,
                   "1: The file is nested more than 64 levels deep, so it was not read.");
  g_clear_error (&error);
  g_assert_null (read_text (list, strlen (list), &error));
  g_assert_cmpstr (error->message, ==,
                   "1: The file has more entries than any plan needs, so it was not read.");
  g_clear_error (&error);
  for (int i = 0; i <= PLG_JSON_MAX_MEMBERS; i++)
    g_string_append_printf (wide, "%s\"x%d\":0", i > 0 ? ",\n" : "", i);
  g_string_append_c (wide, '}');
  g_assert_null (read_text (wide->str, wide->len, &error));
  g_assert_cmpstr (error->message, ==,
                   "65537: The file has more entries than any plan needs, so it was not read.");
}

static void
test_values (void)
{
  const char
      *text = "\xEF\xBB\xBF{\n\"name\": \"a \\\"b\\\" \\u00e4\",\n\"list\": [1,\n2.5,\n[]],\n"
              "\"deep\": {\"stage\": 3e0,\n\"auto\": null}, \"on\": true\n}\n";
  g_autoptr (PlgJson) json = read_text (text, strlen (text), NULL);
  const PlgJsonValue *root = plg_json_root (json), *list = plg_json_find (root, "list");
  gint64 whole;
  gboolean truth;
  const char *string;
  int n = 0;

  for (const PlgJsonValue *value = plg_json_first (root); value != NULL;
       value = plg_json_next (value))
    n++;
  g_assert_cmpint (n, ==, root->n);
  g_assert_true (plg_json_as_string (plg_json_find (root, "name"), &string, NULL));
  g_assert_cmpstr (string, ==, "a \"b\" ä");
  g_assert_cmpint (list->n, ==, 3);
  g_assert_cmpint (plg_json_first (list)->line, ==, 3);
  g_assert_cmpint (plg_json_next (plg_json_first (list))->line, ==, 4);
  g_assert_cmpfloat (plg_json_next (plg_json_first (list))->number, ==, 2.5);
  g_assert_true (plg_json_as_int (plg_json_find (root, "deep.stage"), &whole, NULL));
  g_assert_cmpint (whole, ==, 3);
  g_assert_cmpint (plg_json_find (root, "deep.stage")->line, ==, 6);
  g_assert_null (plg_json_find (root, "deep.auto"));
  g_assert_null (plg_json_find (root, "deep.nothing"));
  g_assert_null (plg_json_find (root, "list.1"));
  g_assert_true (plg_json_as_boolean (plg_json_find (root, "on"), &truth, NULL));
  g_assert_true (truth);
}

static void
assert_not_int (const char *text, const char *message)
{
  g_autofree char *file = g_strdup_printf ("{\n\"hidden_size\": %s}", text);
  g_autoptr (PlgJson) json = read_text (file, strlen (file), NULL);
  g_autoptr (GError) error = NULL;
  gint64 number = 7;

  g_assert_false (plg_json_as_int (plg_json_find (plg_json_root (json), "hidden_size"), &number,
                                   &error));
  g_assert_cmpstr (error->message, ==, message);
  g_assert_cmpint (number, ==, 7);
}

static void
test_kinds (void)
{
  assert_not_int ("\"x\"", "2: hidden_size is “x”; it must be a whole number.");
  assert_not_int ("0.5", "2: hidden_size is 0.5; it must be a whole number.");
  assert_not_int ("1e300", "2: hidden_size is 1e300; it must be a whole number from −2⁵³ to 2⁵³.");
  assert_not_int ("99999999999999999999", "2: hidden_size is 100000000000000000000; it must be a "
                                          "whole number from −2⁵³ to 2⁵³.");
  assert_not_int ("9007199254740993.5e1",
                  "2: hidden_size is 90071992547409940; it must be a whole number from −2⁵³ to "
                  "2⁵³.");
  assert_not_int ("-999999999999999999999",
                  "2: hidden_size is -1e21; it must be a whole number from −2⁵³ to 2⁵³.");
  assert_not_int ("true", "2: hidden_size is true; it must be a whole number.");
  assert_not_int ("[]", "2: hidden_size is a list; it must be a whole number.");
  assert_not_int ("{}", "2: hidden_size is a block; it must be a whole number.");
}

static void
test_members (void)
{
  const char *text = "{\"x\": {\"tp\": 1}, \"s\": \"\\\"pp\\\": \", \"dp\" : [\"cp\"";

  g_assert_true (plg_json_has_member (text, strlen (text), "x"));
  g_assert_true (plg_json_has_member (text, strlen (text), "dp"));
  g_assert_false (plg_json_has_member (text, strlen (text), "d"));
  g_assert_false (plg_json_has_member (text, strlen (text), "tp"));
  g_assert_false (plg_json_has_member (text, strlen (text), "pp"));
  g_assert_false (plg_json_has_member (text, strlen (text), "cp"));
  g_assert_false (plg_json_has_member ("[\"a\": 1]", 8, "a"));
  g_assert_false (plg_json_has_member ("", 0, "a"));
  g_assert_false (plg_json_has_member ("{\"a", 3, "a"));
  g_assert_false (plg_json_has_member ("{\"a\"", 4, "a"));
}

/* Written JSON reads back as the same values. */
static void
test_written (void)
{
  PlgJsonWriter writer = { .out = g_string_new (NULL) };
  g_autofree char *text = NULL;
  g_autoptr (PlgJson) json = NULL;
  const char *hostile = "</script>\"\\\n\x01$(reboot)|`";

  plg_json_begin (&writer, NULL, '{', TRUE);
  plg_json_add_string (&writer, "name", hostile);
  plg_json_add_number (&writer, "tenth", 0.1);
  plg_json_begin (&writer, "list", '[', FALSE);
  plg_json_add_boolean (&writer, NULL, FALSE);
  plg_json_end (&writer, ']');
  plg_json_end (&writer, '}');
  text = plg_json_take (&writer);
  json = read_text (text, strlen (text), NULL);
  g_assert_cmpstr (plg_json_find (plg_json_root (json), "name")->text, ==, hostile);
  g_assert_cmpfloat (plg_json_find (plg_json_root (json), "tenth")->number, ==, 0.1);
  g_assert_cmpint (plg_json_find (plg_json_root (json), "list")->n, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-reader/broken", test_broken);
  g_test_add_func ("/json-reader/truncated", test_truncated);
  g_test_add_func ("/json-reader/limits", test_limits);
  g_test_add_func ("/json-reader/values", test_values);
  g_test_add_func ("/json-reader/kinds", test_kinds);
  g_test_add_func ("/json-reader/members", test_members);
  g_test_add_func ("/json-reader/written", test_written);
  return g_test_run ();
}
