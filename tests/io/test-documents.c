/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/advice/advice.h"
#include "io/plan/catalogue-xml.h"
#include "io/registry/registry.h"
#include "io/runs/similar-runs.h"
#include "plan/edit.h"
#include "plan/settings/setting.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Documents of a plan: the worksheet, the notes on links, Mermaid, HTML. */

typedef struct
{
  PlgCatalogue *catalogue;
  PlgPlan *plan;
  PlgReport *report;
  PlgPublishedRuns *runs;
} Fixture;

static const char *const documents[] = { "worksheet", "topology-notes", "mermaid", "html" };

static const char
    hostile[] = "<script>alert(1)</script> a|b `c` $(reboot) \"q\" 'r' \\ & #1; [x](y)"
                " **z** ;%% {w} ]]> <!-- -->";

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->catalogue = plg_catalogue_load (NULL);
  fixture->plan = plg_catalogue_default_plan (fixture->catalogue);
  fixture->runs = plg_published_runs_new ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_pointer (&fixture->report, plg_report_unref);
  plg_published_runs_free (fixture->runs);
  plg_plan_free (fixture->plan);
  plg_catalogue_unref (fixture->catalogue);
}

static void
apply (Fixture *fixture, const char *const *settings)
{
  g_autoptr (GError) error = NULL;

  plg_settings_apply (fixture->plan, fixture->catalogue, settings, &error);
  g_assert_no_error (error);
}

static GBytes *
draw (const char *name, gpointer data, GError **error)
{
  g_autofree char *svg = g_strdup_printf ("<?xml version=\"1.0\"?>\n<svg role=\"img\" "
                                          "aria-labelledby=\"title\"><title id=\"title\">%s"
                                          "</title><rect id=\"a\" fill=\"url(#a)\"/></svg>",
                                          name);

  return g_bytes_new (svg, strlen (svg));
}

static char *
write_as (Fixture *fixture, const char *name, GError **error)
{
  PlgExportContext export = { .plan = fixture->plan,
                              .picture = draw,
                              .catalogue = fixture->catalogue };
  PlgSimilarRuns similar;
  g_autoptr (GBytes) bytes = NULL;

  if (plg_similar_runs_find (fixture->runs, fixture->plan, &similar))
    export.similar = &similar;
  g_clear_pointer (&fixture->report, plg_report_unref);
  fixture->report = plg_evaluate_with_advice (fixture->plan, NULL);
  export.report = fixture->report;
  bytes = plg_format_write (plg_format_find (name), &export, error);
  return bytes != NULL ? g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes))
                       : NULL;
}

static const char *const plans[][8] = {
  { NULL },
  { "parallelism.order=dp-tp-cp-pp", NULL },
  { "cluster.nodes=1", "parallelism.pp=1", "parallelism.tp=8", "model.name=llama3-8b", NULL },
  { "cluster.nodes=1", "cluster.gpus-per-node=1", "parallelism.tp=1", "parallelism.pp=1",
    "model.name=llama3-8b", NULL },
  { "parallelism.zero=3", "parallelism.tp=1", "parallelism.pp=1", "parallelism.sequence=false",
    NULL },
  { "model.name=mixtral-8x7b", "parallelism.ep=8", "parallelism.tp=1", "parallelism.pp=4", NULL },
  { "parallelism.cp=2", "parallelism.dp=1", NULL },
  { "cluster.nodes=32", "training.global-batch=1024", "cluster.intra=pcie", NULL },
  { "cluster.faults=gpu:3=0.5, nic:0.1=0", NULL },
};

/* Counts the cells of a row: the pipes that are not escaped, minus one. */
static int
cells (const char *line)
{
  int n = -1;

  for (const char *p = line; *p != '\0' && *p != '\n'; p++)
    {
      n += *p == '|';
      p += *p == '\\' && p[1] != '\0';
    }
  return n;
}

static void
assert_tables (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (int i = 1; lines[i] != NULL; i++)
    if (*lines[i] == '|' && *lines[i - 1] == '|')
      g_assert_cmpint (cells (lines[i]), ==, cells (lines[i - 1]));
}

static const char *const sheet_lines[] = {
  "\n| Axis | Degree | Placement | Reason |\n| --- | --- | --- | --- |\n| TP | ",
  "\n| PP | ",
  "\n| DP | ",
  "\n| FSDP/ZeRO | ",
  "\n| Communication | Frequency | Preferred link | Risk |\n| --- | --- | --- | --- |\n"
  "| TP collectives | per layer (",
  "\n| PP send/recv | per stage boundary (",
  "\n| DP all-reduce | per backward bucket (",
  "\n| FSDP all-gather | per wrapped unit (",
  "\n## Rejected alternative\n",
};

static void
test_worksheet (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);
      g_autofree char *text = NULL;
      const char *at;

      plg_plan_assign (fixture->plan, plan);
      apply (fixture, plans[i]);
      at = text = write_as (fixture, "worksheet", NULL);
      assert_tables (text);
      for (guint j = 0; j < G_N_ELEMENTS (sheet_lines); j++)
        {
          at = strstr (at, sheet_lines[j]);
          if (at == NULL)
            g_error ("plan %u: no “%s” (in this order) in:\n%s", i, sheet_lines[j], text);
        }
      g_assert_null (strstr (text, "nan"));
      g_assert_null (strstr (text, "NaN"));
    }
}

/* A plan with one GPU has no tables of sent data. */
static void
test_one_gpu (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL, *worksheet = NULL, *html = NULL;

  apply (fixture,
         (const char *const[]) { "cluster.nodes=1", "cluster.gpus-per-node=1", "parallelism.tp=1",
                                 "parallelism.pp=1", "model.name=llama3-8b", NULL });
  text = write_as (fixture, "topology-notes", NULL);
  g_assert_true (g_str_has_suffix (text,
                                   "SXM\n\nNothing is sent because there is only one GPU.\n"));
  g_assert_nonnull (strstr (worksheet = write_as (fixture, "worksheet", NULL), "1 node of 1 H100"));
  g_assert_nonnull (strstr (html = write_as (fixture, "html", NULL), "on 1 node of 1 H100"));
}

/* ZeRO with one replica divides nothing. */
static void
test_one_replica (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  apply (fixture, (const char *const[]) { "parallelism.pp=8", "parallelism.dp=1",
                                          "parallelism.zero=1", NULL });
  text = write_as (fixture, "worksheet", NULL);
  g_assert_nonnull (strstr (text, "| FSDP/ZeRO | 1 (stage 1) | There is only one replica"));
  g_assert_null (strstr (text, "without ZeRO"));
}

static void
test_sentences (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = write_as (fixture, "worksheet", NULL);
  g_autofree char *moved = NULL, *wide = NULL;

  g_assert_nonnull (strstr (text,
                            "| TP | 8 | 8 groups of 8. The first: ranks 0–7, inside node 0. No "
                            "group leaves its node. |"));
  g_assert_nonnull (strstr (text,
                            "| DP | 2 | 32 groups of 2. The first: ranks 0, 32, on node 0, node "
                            "4. Every group spans several nodes, at most 2. |"));
  g_assert_nonnull (strstr (text, "profile standard"));
  g_assert_nonnull (strstr (text, "The slowest: Order "));
  apply (fixture, (const char *const[]) { "parallelism.pp=1", "parallelism.dp=8", NULL });
  wide = write_as (fixture, "worksheet", NULL);
  g_assert_nonnull (strstr (wide,
                            "The first: ranks 0, 8, 16, 24, 32, 40, 48, 56, on node 0, node 1, "
                            "node 2, node 3 and 4 more."));
  apply (fixture, (const char *const[]) { "parallelism.pp=4", "parallelism.dp=2", NULL });
  g_assert_true (plg_edit_swap_ranks (fixture->plan, 0, 63, NULL));
  moved = write_as (fixture, "worksheet", NULL);
  g_assert_nonnull (strstr (moved, "ranks were also moved by hand"));
  g_assert_nonnull (strstr (moved, "2 of the groups leave their node"));
  /* The rule of an axis is a reason only if the placement follows the rule. */
  g_assert_nonnull (strstr (text, "the most frequent, so they need the fastest links"));
  g_assert_null (strstr (moved, "the most frequent, so they need the fastest links"));
  g_assert_nonnull (strstr (
      moved,
      "| 2 ranks were moved by hand. 2 of the groups leave their node, compared with 0 without "
      "these moves."));
}

/* ZeRO stage 3 gathers and scatters instead of reducing, so the risk is in the row of the
 * collectives in use. */
static void
test_sharded_risk (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  apply (fixture, (const char *const[]) { "parallelism.zero=3", NULL });
  text = write_as (fixture, "worksheet", NULL);
  g_assert_true (g_regex_match_simple ("\n\\| DP all-reduce [^\n]*\\| None: not used\\. \\|\n",
                                       text, 0, 0));
  g_assert_true (
      g_regex_match_simple ("\n\\| FSDP all-gather [^\n]*\\| Exposed communication of gradients"
                            "[^\n]*\n",
                            text, 0, 0));
}

/* EP and CP have rows only in plans that use them. */
static void
test_further_axes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *dense = write_as (fixture, "worksheet", NULL);
  g_autofree char *experts = NULL, *context = NULL;

  g_assert_null (strstr (dense, "EP all-to-all"));
  g_assert_null (strstr (dense, "CP exchange"));
  apply (fixture, (const char *const[]) { "parallelism.cp=2", "parallelism.dp=1", NULL });
  context = write_as (fixture, "worksheet", NULL);
  g_assert_nonnull (strstr (context, "\n| CP exchange | per attention layer ("));
  apply (fixture,
         (const char *const[]) { "model.name=mixtral-8x7b", "parallelism.cp=1", "parallelism.tp=1",
                                 "parallelism.pp=1", "parallelism.ep=8", NULL });
  experts = write_as (fixture, "worksheet", NULL);
  g_assert_nonnull (strstr (experts, "\n| EP all-to-all | per layer with experts ("));
  g_assert_nonnull (strstr (experts, "| 1 group of 64. "));
}

/* Reads the numbers of a row from the third cell on: links, calls, GB, ms, ms. "< 1" is less
 * than one in the last place and counts as 0. */
static gboolean
read_sum (const char *line, double sums[5])
{
  g_auto (GStrv) cells = g_strsplit (line, " | ", -1);

  if (g_strv_length (cells) != 7 || !g_ascii_isdigit (*cells[2]))
    return FALSE;
  for (int i = 0; i < 5; i++)
    sums[i] = g_str_has_prefix (cells[i + 2], "&lt;") ? 0.0 : g_ascii_strtod (cells[i + 2], NULL);
  return TRUE;
}

/* Returns a number for the kind of link of a row; each kind has its own number. */
static int
tier_of (const char *line, GPtrArray *tiers)
{
  g_auto (GStrv) cells = g_strsplit (line, " | ", -1);
  guint index;

  if (g_ptr_array_find_with_equal_func (tiers, cells[1], g_str_equal, &index))
    return (int) index;
  g_ptr_array_add (tiers, g_strdup (cells[1]));
  return (int) tiers->len - 1;
}

/* The printed rows of collectives add up to “All”, and “All” equals the sum of the report's
 * links. */
static void
test_sums (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);
      g_autoptr (GPtrArray) tiers = g_ptr_array_new_with_free_func (g_free);
      double all[8][3] = { 0 }, rows[8][3] = { 0 }, links[3] = { 0 };
      g_autofree char *text = NULL;
      g_auto (GStrv) lines = NULL;

      plg_plan_assign (fixture->plan, plan);
      apply (fixture, plans[i]);
      text = write_as (fixture, "topology-notes", NULL);
      assert_tables (text);
      lines = g_strsplit (text, "\n", -1);
      for (int j = 0; lines[j] != NULL && !g_str_has_prefix (lines[j], "## "); j++)
        {
          double sums[5];

          if (*lines[j] == '|' && read_sum (lines[j], sums))
            for (int k = 0, tier = tier_of (lines[j], tiers); k < 3; k++)
              (g_str_has_prefix (lines[j], "| All ") ? all : rows)[tier][k] += sums[k + 1];
        }
      for (guint j = 0; j < fixture->report->links->len; j++)
        {
          const PlgLink *link = &g_array_index (fixture->report->links, PlgLink, j);

          links[0] += link->calls;
          links[1] += (link->bytes_out + link->bytes_in) / 1e9;
          links[2] += link->time * 1e3;
        }
      g_assert_true (tiers->len > 0 || links[1] == 0.0);
      for (int k = 0; k < 3; k++)
        {
          double sum = 0.0;

          for (guint tier = 0; tier < tiers->len; tier++)
            {
              g_assert_cmpfloat (fabs (rows[tier][k] - all[tier][k]), <=, 1e-9 * all[tier][k]);
              sum += all[tier][k];
            }
          /* Numbers are printed with five digits. */
          g_assert_cmpfloat (fabs (sum - links[k]), <=, 5e-5 * links[k]);
        }
    }
}

static int
count (const char *text, const char *word)
{
  int n = 0;

  for (const char *p = strstr (text, word); p != NULL; p = strstr (p + 1, word))
    n++;
  return n;
}

static void
test_mermaid (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = write_as (fixture, "mermaid", NULL);
  g_autofree char *large = NULL, *huge = NULL;
  g_autoptr (GError) error = NULL;

  /* All cells are in one grid: in nested grids Mermaid 11 cuts the title of a node to one column
   * if its numbers are shorter than others. */
  g_assert_true (g_str_has_prefix (text, "block-beta\n  columns 8\n  title[\"Llama 3 70B on"));
  g_assert_cmpint (count (text, "block:"), ==, 0);
  g_assert_cmpint (count (text, "\"]:8\n"), ==, 9);
  g_assert_cmpint (count (text, "  classDef pp"), ==, 4);
  for (int gpu = 0; gpu < 64; gpu++)
    {
      g_autofree char *block = g_strdup_printf (" g%d[\"%d\"]", gpu, gpu);

      g_assert_cmpint (count (text, block), ==, 1);
    }
  apply (fixture, (const char *const[]) { "cluster.nodes=16", "training.global-batch=256", NULL });
  large = write_as (fixture, "mermaid", NULL);
  g_assert_cmpint (count (large, "  n"), ==, 16);
  g_assert_nonnull (strstr (large, "  n15[\"node 15<br/>120–127\"]\n"));
  apply (fixture,
         (const char *const[]) { "cluster.nodes=4096", "training.global-batch=65536", NULL });
  huge = write_as (fixture, "mermaid", &error);
  g_assert_null (huge);
  g_assert_nonnull (strstr (error->message, "4096 nodes are too many for Mermaid"));
}

/* The HTML document closes each element and has unique ids. */
static void
assert_nested (const char *html)
{
  static const char *const empty[] = { "meta", "br", "wbr", NULL };
  g_autoptr (GPtrArray) open = g_ptr_array_new_with_free_func (g_free);

  for (const char *p = strchr (html, '<'); p != NULL; p = strchr (p + 1, '<'))
    {
      const char *end = strchr (p, '>');
      gsize length = strcspn (p + 1, " />\n");
      g_autofree char *name = g_strndup (p + 1, length);

      g_assert_nonnull (end);
      if (p[1] == '!' || p[1] == '?' || end[-1] == '/' || g_strv_contains (empty, name))
        continue;
      if (p[1] != '/')
        {
          g_ptr_array_add (open, g_steal_pointer (&name));
          continue;
        }
      g_free (name);
      name = g_strndup (p + 2, strcspn (p + 2, ">"));
      g_assert_cmpuint (open->len, >, 0);
      g_assert_cmpstr (open->pdata[open->len - 1], ==, name);
      g_ptr_array_set_size (open, (int) open->len - 1);
    }
  g_assert_cmpuint (open->len, ==, 0);
}

static void
assert_own_ids (const char *html)
{
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (const char *p = strstr (html, " id=\""); p != NULL; p = strstr (p + 1, " id=\""))
    g_assert_true (g_hash_table_add (ids, g_strndup (p + 5, strcspn (p + 5, "\""))));
}

static void
test_html (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);
      g_autofree char *text = NULL;

      plg_plan_assign (fixture->plan, plan);
      apply (fixture, plans[i]);
      text = write_as (fixture, "html", NULL);
      g_assert_true (g_str_has_prefix (text, "<!DOCTYPE html>\n<html lang=\"en\">"));
      assert_nested (text);
      assert_own_ids (text);
      g_assert_cmpint (count (text, "<svg"), ==, 4);
      g_assert_nonnull (strstr (text, "training/<wbr>training.py"));
      /* A section without rows is omitted. */
      g_assert_cmpint (count (text, ">Data sent per GPU per step<"), ==,
                       plg_plan_world (fixture->plan) > 1);
      g_assert_nonnull (strstr (text, "fill=\"url(#timeline-a)\""));
      g_assert_nonnull (strstr (text, "aria-labelledby=\"memory-title\""));
      g_assert_null (strstr (text, "http"
                                   "://"));
      g_assert_null (strstr (text, "https://"));
      g_assert_null (strstr (text, "<script"));
      g_assert_null (strstr (text, "src="));
    }
}

/* Without pictures the tables are still present. */
static void
test_without_pictures (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgReport) report = plg_evaluate_with_advice (fixture->plan, NULL);
  PlgExportContext export = { .plan = fixture->plan, .report = report };
  g_autoptr (GBytes) bytes = plg_format_write (plg_format_find ("html"), &export, NULL);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));

  assert_nested (text);
  g_assert_cmpint (count (text, "<figure"), ==, 0);
  g_assert_cmpint (count (text, "<table"), >=, 4);
}

/* The worksheet and the HTML report show the published runs like the plan: measured values, the
 * engine's values, source and year. HTML also has the sources of constants. */
static void
test_similar_runs (Fixture *fixture, gconstpointer data)
{
  PlgSimilarRuns similar;
  static const char *const with_runs[] = { "worksheet", "html" };

  g_assert_true (plg_similar_runs_find (fixture->runs, fixture->plan, &similar));
  g_assert_cmpint (similar.n, ==, PLG_MAX_SIMILAR_RUNS);
  for (guint i = 0; i < G_N_ELEMENTS (with_runs); i++)
    {
      g_autofree char *text = write_as (fixture, with_runs[i], NULL);

      g_assert_nonnull (strstr (text, "Published runs like this plan"));
      g_assert_nonnull (strstr (text, " ± "));
      for (int j = 0; j < similar.n; j++)
        {
          const PlgPublishedRun *run = similar.runs[j].run;
          g_autofree char *year = g_strdup_printf (", %d", run->year);

          g_assert_nonnull (strstr (text, run->model));
          g_assert_nonnull (strstr (text, year));
        }
      if (i == 1)
        g_assert_nonnull (strstr (text, "NVIDIA H100 Tensor Core GPU data sheet"));
    }
}

static void
test_hostile (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (documents); i++)
    {
      g_autofree char *text = NULL;

      g_free (fixture->plan->title);
      g_free (fixture->plan->notes);
      fixture->plan->title = g_strdup (hostile);
      fixture->plan->notes = g_strdup_printf ("%s\n%s\n| a | b |\n# no\n", hostile, hostile);
      g_strlcpy (fixture->plan->model.title, hostile, PLG_NAME_SIZE);
      text = write_as (fixture, documents[i], NULL);
      g_assert_nonnull (strstr (text, "script"));
      g_assert_null (strstr (text, "<script"));
      g_assert_null (strstr (text, "</script"));
      if (g_str_equal (documents[i], "html"))
        assert_nested (text);
      else if (g_str_equal (documents[i], "mermaid"))
        g_assert_null (strstr (text, "`"));
      else
        {
          assert_tables (text);
          g_assert_null (strstr (text, "\n| a | b |"));
          g_assert_null (strstr (text, "\n# no"));
          g_assert_null (strstr (text, " `c`"));
          g_assert_null (strstr (text, " [x]"));
        }
    }
}

static void
test_same_bytes (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (documents); i++)
    {
      g_autofree char *first = write_as (fixture, documents[i], NULL);
      g_autofree char *second = write_as (fixture, documents[i], NULL);

      g_assert_cmpstr (first, ==, second);
      g_assert_true (g_utf8_validate (first, -1, NULL));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/documents/sharded-risk", Fixture, NULL, set_up, test_sharded_risk, tear_down);
  g_test_add ("/documents/worksheet", Fixture, NULL, set_up, test_worksheet, tear_down);
  g_test_add ("/documents/one-gpu", Fixture, NULL, set_up, test_one_gpu, tear_down);
  g_test_add ("/documents/further-axes", Fixture, NULL, set_up, test_further_axes, tear_down);
  g_test_add ("/documents/one-replica", Fixture, NULL, set_up, test_one_replica, tear_down);
  g_test_add ("/documents/sentences", Fixture, NULL, set_up, test_sentences, tear_down);
  g_test_add ("/documents/sums", Fixture, NULL, set_up, test_sums, tear_down);
  g_test_add ("/documents/mermaid", Fixture, NULL, set_up, test_mermaid, tear_down);
  g_test_add ("/documents/html", Fixture, NULL, set_up, test_html, tear_down);
  g_test_add ("/documents/without-pictures", Fixture, NULL, set_up, test_without_pictures,
              tear_down);
  g_test_add ("/documents/similar-runs", Fixture, NULL, set_up, test_similar_runs, tear_down);
  g_test_add ("/documents/hostile", Fixture, NULL, set_up, test_hostile, tear_down);
  g_test_add ("/documents/same-bytes", Fixture, NULL, set_up, test_same_bytes, tear_down);
  return g_test_run ();
}
