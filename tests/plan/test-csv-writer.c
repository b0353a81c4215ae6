/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/text/csv-reader.h"
#include "plan/text/csv-writer.h"

#include <math.h>

static void
test_cells (void)
{
  static const struct
  {
    const char *text;
    const char *cell; /* the expected cell of a file with commas */
  } cases[] = {
    { "hgx-h100", "hgx-h100" },
    { "", "" },
    { "a,b", "\"a,b\"" },
    { "a \"b\"", "\"a \"\"b\"\"\"" },
    { "a\nb", "\"a\nb\"" },
    { "a\rb", "\"a\rb\"" },
    { "a\tb", "a\tb" },
    { "=1+1", "\"'=1+1\"" },
    { "=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\"" },
    { "@SUM(1)", "\"'@SUM(1)\"" },
    { "\t=1", "\"'\t=1\"" },
    { "\r=1", "\"'\r=1\"" },
    { "-", "\"'-\"" },
    { "-5", "-5" },
    { "+1.5e3", "+1.5e3" },
    { "-2+3+cmd|'/C calc'!A0", "\"'-2+3+cmd|'/C calc'!A0\"" },
    { "'=1", "'=1" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      PlgCsvWriter csv = { .out = g_string_new (NULL), .separator = ',' };
      g_autofree char *text = NULL;

      plg_csv_add_text (&csv, cases[i].text);
      text = plg_csv_take (&csv);
      g_assert_cmpstr (text, ==, cases[i].cell);
    }
}

/* An empty first cell keeps its separator, and a file with tabs quotes tabs instead of commas. */
static void
test_rows (void)
{
  PlgCsvWriter csv = { .out = g_string_new (NULL), .separator = '\t' };
  g_autofree char *text = NULL;

  plg_csv_add_texts (&csv, (const char *const[]) { "a", "b", "c", NULL });
  plg_csv_end_row (&csv);
  plg_csv_add_text (&csv, "");
  plg_csv_add_text (&csv, "1,2");
  plg_csv_add_text (&csv, "1\t2");
  plg_csv_end_row (&csv);
  text = plg_csv_take (&csv);
  g_assert_cmpstr (text, ==, "a\tb\tc\n\t1,2\t\"1\t2\"\n");
}

static void
test_numbers (void)
{
  PlgCsvWriter csv = { .out = g_string_new (NULL), .separator = ',' };
  g_autofree char *text = NULL;

  plg_csv_add_number (&csv, NAN);
  plg_csv_add_number (&csv, -0.5);
  plg_csv_add_number (&csv, 5e10);
  plg_csv_add_number (&csv, -INFINITY);
  plg_csv_end_row (&csv);
  text = plg_csv_take (&csv);
  g_assert_cmpstr (text, ==, "NaN,-0.5,50000000000,-inf\n");
}

/* The reader returns the cells that the writer wrote. */
static void
test_split (void)
{
  static const char *const cells[] = { "a", "", "b,c", "d \"e\"", "\"", "é", "", NULL };
  PlgCsvWriter csv = { .out = g_string_new (NULL), .separator = ',' };
  g_autofree char *line = NULL;
  g_autoptr (GPtrArray) split = NULL, first = NULL, empty = NULL;

  plg_csv_add_texts (&csv, cells);
  line = plg_csv_take (&csv);
  split = plg_csv_split (line, ',', 100);
  g_assert_cmpuint (split->len, ==, G_N_ELEMENTS (cells) - 1);
  for (guint i = 0; i < split->len; i++)
    g_assert_cmpstr (split->pdata[i], ==, cells[i]);
  first = plg_csv_split (line, ',', 3);
  g_assert_cmpuint (first->len, ==, 3);
  g_assert_cmpstr (first->pdata[2], ==, "b,c");
  empty = plg_csv_split ("", ';', 3);
  g_assert_cmpuint (empty->len, ==, 1);
  g_assert_null (plg_csv_split ("a,\"b", ',', 3));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/csv-writer/cells", test_cells);
  g_test_add_func ("/csv-writer/rows", test_rows);
  g_test_add_func ("/csv-writer/numbers", test_numbers);
  g_test_add_func ("/csv-reader/split", test_split);
  return g_test_run ();
}
