/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "request-fixture.h"
#include "sample.h"

#include "drawing/charts/ascii.h"
#include "plan/fault.h"

/* Pictures as plain text. */

static int
columns_of (const char *line)
{
  int columns = 0;

  for (const char *c = line; *c != '\0'; c = g_utf8_next_char (c))
    if (!g_unichar_iszerowidth (g_utf8_get_char (c)))
      columns += g_unichar_iswide (g_utf8_get_char (c)) ? 2 : 1;
  return columns;
}

static void
assert_fits_a_ticket (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_assert_true (g_utf8_validate (text, -1, NULL));
  for (int i = 0; lines[i] != NULL; i++)
    {
      g_assert_cmpint (columns_of (lines[i]), <=, PLG_MONOSPACE_WIDTH);
      g_assert_false (g_str_has_suffix (lines[i], " "));
    }
  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    {
      GUnicodeType type = g_unichar_type (g_utf8_get_char (c));

      g_assert_true (*c == '\n' || type != G_UNICODE_CONTROL);
      g_assert_cmpint (type, !=, G_UNICODE_FORMAT);
    }
}

static void
test_text_golden (RequestFixture *fixture, gconstpointer name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "drawing", "golden",
                                                 "cluster-ticket.txt", NULL);
  g_autofree char *text = NULL, *golden = NULL;

  /* The ticket shows the bubble that its limit applies to. */
  fixture->report->bubble.share_of_step += 0.1;
  text = request_fixture_export (fixture, PLG_EXPORT_TEXT);
  if (g_getenv ("PLG_UPDATE_GOLDEN") != NULL)
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_true (g_file_get_contents (path, &golden, NULL, NULL));
  g_assert_cmpstr (text, ==, golden);
}

static void
test_text_of_all (RequestFixture *fixture, gconstpointer name)
{
  for (int i = 0; i < PLG_N_PICTURES; i++)
    {
      g_autofree char *text = NULL;

      fixture->request.picture = i;
      text = request_fixture_export (fixture, PLG_EXPORT_TEXT);
      assert_fits_a_ticket (text);
      /* The shortest text is the reason why the other order is impossible. */
      g_assert_cmpuint (strlen (text), >, 50);
    }
}

/* In every picture of every cluster, no line is too long and no part is empty. */
static void
test_text_of_all_samples (void)
{
  for (int i = 0; i < n_samples; i++)
    for (int picture = 0; picture <= PLG_N_PICTURES; picture++)
      {
        RequestFixture fixture;
        g_autofree char *text = NULL;

        request_fixture_set_up (&fixture, samples[i].name);
        fixture.request.picture = MIN (picture, PLG_N_PICTURES - 1);
        if (picture == PLG_N_PICTURES)
          fixture.request.picture = PLG_PICTURE_MATRIX;
        fixture.request.options.pairs = picture == PLG_N_PICTURES ? PLG_MATRIX_TRAFFIC
                                                                  : PLG_MATRIX_BANDWIDTH;
        text = request_fixture_export (&fixture, PLG_EXPORT_TEXT);
        assert_fits_a_ticket (text);
        if (strstr (text, "\n\n\n") != NULL || g_str_has_suffix (text, "\n\n"))
          g_error ("%s of %s has an empty part:\n%s", plg_picture_name (fixture.request.picture),
                   samples[i].name, text);
        request_fixture_tear_down (&fixture, NULL);
      }
}

static void
assert_line (const char *text, const char *line)
{
  g_autofree char *whole = g_strconcat ("\n", line, "\n", NULL);

  if (strstr (text, whole) == NULL)
    g_error ("“%s” is not a line of\n%s", line, text);
}

/* Each pair of 64 GPUs has letters, fewer GPUs have numbers, and a table has the traffic node by
 * node. */
static void
test_text_of_pairs (RequestFixture *fixture, gconstpointer name)
{
  g_autofree char *text = NULL;
  RequestFixture small;

  fixture->request.picture = PLG_PICTURE_MATRIX;
  text = request_fixture_export (fixture, PLG_EXPORT_TEXT);
  assert_line (text, "node 1 GPU 2  SSLSSSSS NN×NNNNN SSLSSSSS SSLSSSSS SSLSSSSS SSLSSSSS "
                     "SSLSSSSS SSLSSSSS");
  fixture->request.options.pairs = PLG_MATRIX_TRAFFIC;
  g_free (text);
  text = request_fixture_export (fixture, PLG_EXPORT_TEXT);
  g_assert_nonnull (strstr (text, "\nEach row is a node\n"));
  g_assert_nonnull (strstr (text, "\nnode 7 "));
  request_fixture_set_up (&small, "small");
  small.request.picture = PLG_PICTURE_MATRIX;
  g_free (text);
  text = request_fixture_export (&small, PLG_EXPORT_TEXT);
  assert_line (text, "node 1 GPU 0   50   50   50   50    ×  450  450  450");
  request_fixture_tear_down (&small, NULL);
}

/* A fault is marked at its place, and the key explains the mark. */
static void
test_text_of_faulty_pairs (RequestFixture *fixture, gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_true (plg_faults_from_string (&fixture->plan->cluster, "nic:1.0=0.5", &error));
  fixture->request.picture = PLG_PICTURE_MATRIX;
  text = request_fixture_export (fixture, PLG_EXPORT_TEXT);
  g_assert_nonnull (strstr (text, "\nnode 1 GPU 0  !!!!!!!! ×NNNNNNN !!!!!!!!"));
  assert_line (text, "! reduced by a fault");
}

/* The text of every sample fits a ticket, and a note reports moved ranks. */
static void
test_text_of_moved_ranks (void)
{
  for (int i = 0; i < n_samples; i++)
    {
      RequestFixture fixture;
      g_autofree char *text = NULL;

      request_fixture_set_up (&fixture, samples[i].name);
      text = request_fixture_export (&fixture, PLG_EXPORT_TEXT);
      assert_fits_a_ticket (text);
      g_assert_cmpint (strstr (text, "* rank not where") != NULL, ==, samples[i].swapped);
      request_fixture_tear_down (&fixture, NULL);
    }
}

static void
test_text_hostile (RequestFixture *fixture, gconstpointer name)
{
  g_autofree char *text = NULL;
  g_autofree char *long_name = g_strnfill (400, 'x');

  request_fixture_rename_model (fixture, HOSTILE);
  text = request_fixture_export (fixture, PLG_EXPORT_TEXT);
  assert_fits_a_ticket (text);
  request_fixture_rename_model (fixture, long_name);
  g_free (text);
  text = request_fixture_export (fixture, PLG_EXPORT_TEXT);
  assert_fits_a_ticket (text);
}

/* A part of the cluster gives a part of the table. */
static void
test_text_of_nodes (RequestFixture *fixture, gconstpointer name)
{
  g_autofree char *text = NULL;

  fixture->request.options.nodes.first = 2;
  fixture->request.options.nodes.n = 3;
  text = request_fixture_export (fixture, PLG_EXPORT_TEXT);
  g_assert_null (strstr (text, "\nnode 1 "));
  g_assert_nonnull (strstr (text, "\nnode 2 "));
  g_assert_nonnull (strstr (text, "\nnode 4 "));
  g_assert_null (strstr (text, "\nnode 5 "));
}

/* The text lists every kind of fault with its place. */
static void
test_text_of_faults (RequestFixture *fixture, gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_true (plg_faults_from_string (&fixture->plan->cluster,
                                         "gpu:17=0.8,port:3=0.5,nic:2.3=0,uplink:0.1=0.5", &error));
  g_assert_no_error (error);
  text = request_fixture_export (fixture, PLG_EXPORT_TEXT);
  g_assert_nonnull (strstr (text, " 17! "));
  g_assert_nonnull (strstr (text, " 3! "));
  g_assert_nonnull (strstr (text, "\nnode 2! "));
  g_assert_nonnull (strstr (text, "\n! NIC 3 of node 2 has failed\n"));
  for (int i = 0; i < fixture->plan->cluster.n_faults; i++)
    {
      g_autofree char *words = plg_fault_describe (&fixture->plan->cluster, NULL,
                                                   &fixture->plan->cluster.faults[i]);
      g_autofree char *line = g_strdup_printf ("\n! %s\n", words);

      g_assert_nonnull (strstr (text, line));
    }
}

/* Forward, backward and idle have different letters, the same as on the canvas. */
static void
test_text_of_timeline (RequestFixture *fixture, gconstpointer name)
{
  g_autofree char *text = NULL;
  const char *line;

  fixture->request.picture = PLG_PICTURE_TIMELINE;
  text = request_fixture_export (fixture, PLG_EXPORT_TEXT);
  line = strstr (text, "\nstage 0  ");
  g_assert_nonnull (line);
  g_assert_true (g_str_has_prefix (line + 10, "FFF"));
  line = strstr (text, "\nstage 1  ");
  g_assert_true (g_str_has_prefix (line + 10, "–F"));
  g_assert_nonnull (strstr (line, "BB"));
  g_assert_nonnull (strstr (text, "F forward, B backward"));
  g_assert_nonnull (strstr (text, "– idle"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function)                                                 \
  g_test_add (path, RequestFixture, NULL, request_fixture_set_up, function, \
              request_fixture_tear_down)
  ADD ("/ascii/golden", test_text_golden);
  ADD ("/ascii/all-pictures", test_text_of_all);
  ADD ("/ascii/pairs", test_text_of_pairs);
  ADD ("/ascii/faulty-pairs", test_text_of_faulty_pairs);
  g_test_add_func ("/ascii/all-samples", test_text_of_all_samples);
  g_test_add_func ("/ascii/moved-ranks", test_text_of_moved_ranks);
  ADD ("/ascii/hostile", test_text_hostile);
  ADD ("/ascii/nodes", test_text_of_nodes);
  ADD ("/ascii/faults", test_text_of_faults);
  ADD ("/ascii/timeline", test_text_of_timeline);
  return g_test_run ();
}
