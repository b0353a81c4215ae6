/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "syntax/text-lines.h"

static void
test_lines (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char **lines = plg_text_lines ("a\r\n\033[4mb\033[0m\tc\n", 15, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (lines[0], ==, "a");
  g_assert_cmpstr (lines[1], ==, "b\tc");
  g_assert_cmpstr (lines[2], ==, "");
  g_assert_null (lines[3]);
  g_free (g_steal_pointer (&lines));
  lines = plg_text_lines ("\nx\033[4\nlast", 10, &error);
  g_assert_cmpstr (lines[0], ==, "");
  g_assert_cmpstr (lines[1], ==, "x");
  g_assert_cmpstr (lines[2], ==, "last");
  g_assert_null (lines[3]);
  g_assert_null (plg_text_lines ("a\nb\xFF", 4, &error));
  g_assert_true (g_str_has_prefix (error->message, "2: Byte 0xFF"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text-lines/ends-and-escape-sequences", test_lines);
  return g_test_run ();
}
