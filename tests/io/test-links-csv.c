/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/advice/advice.h"
#include "engine/report/redaction.h"
#include "io/plan/catalogue-xml.h"
#include "io/registry/registry.h"
#include "io/reports/links-csv.h"
#include "plan/settings/setting.h"

#include <string.h>

typedef struct
{
  PlgPlan *plan;
  PlgReport *report;
} Case;

static void
case_init (Case *c, const char *const *assignments)
{
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_autoptr (GError) error = NULL;

  c->plan = plg_catalogue_default_plan (known);
  plg_settings_apply (c->plan, known, assignments, &error);
  g_assert_no_error (error);
  c->report = plg_evaluate_with_advice (c->plan, &error);
  g_assert_no_error (error);
}

static void
case_clear (Case *c)
{
  plg_plan_free (c->plan);
  plg_report_unref (c->report);
}

static const char *const nothing[] = { NULL };

/* Returns the cells of the row that begins with ID; g_strfreev(). */
static char **
row_of (const char *csv, const char *id)
{
  g_auto (GStrv) lines = g_strsplit (csv, "\n", -1);

  for (int i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], "\t", -1);

      if (g_strcmp0 (cells[0], id) == 0)
        return g_steal_pointer (&cells);
    }
  g_assert_not_reached ();
}

static void
test_rows (void)
{
  Case c;
  g_autofree char *csv = NULL;
  g_auto (GStrv) lines = NULL, nic = NULL;

  case_init (&c, nothing);
  csv = plg_links_csv (c.plan, c.report, '\t', NULL, 0);
  lines = g_strsplit (csv, "\n", -1);
  g_assert_cmpint (g_strv_length (lines), ==, c.report->links->len + 2);
  g_assert_true (g_str_has_prefix (lines[0], "link\ttier\tfrom\tto\tbandwidth_bytes_per_s\t"));
  nic = row_of (csv, "nic-1-5");
  g_assert_cmpstr (nic[1], ==, "nic");
  g_assert_cmpstr (nic[2], ==, "nic-1-5");
  g_assert_cmpstr (nic[3], ==, "rail-5");
  g_assert_cmpstr (nic[4], ==, "50000000000");
  g_assert_cmpstr (nic[10], ==, "PP send-recv, DP reduce-scatter, DP all-gather");
  case_clear (&c);
}

/* The share of a step with a hidden time is not written as 0. */
static void
test_hidden_time (void)
{
  static const guint veils[] = { PLG_REDACT_TIME, PLG_REDACT_COMMUNICATION, PLG_REDACT_ALL };
  Case c;

  case_init (&c, nothing);
  for (guint i = 0; i < G_N_ELEMENTS (veils); i++)
    {
      g_autoptr (PlgReport) hidden = plg_report_redact (c.report, veils[i]);
      g_autofree char *csv = plg_links_csv (c.plan, hidden, '\t', NULL, 0);
      g_auto (GStrv) nic = row_of (csv, "nic-1-5");

      g_assert_cmpstr (nic[9], ==, "NaN");
    }
  case_clear (&c);
}

/* The file has only the requested links, in the requested order. */
static void
test_order (void)
{
  static const int order[] = { 3, 1, -1, G_MAXINT };
  Case c;
  g_autofree char *csv = NULL;
  g_auto (GStrv) lines = NULL;

  case_init (&c, nothing);
  csv = plg_links_csv (c.plan, c.report, ',', order, G_N_ELEMENTS (order));
  lines = g_strsplit (csv, "\n", -1);
  g_assert_cmpint (g_strv_length (lines), ==, 4);
  g_assert_true (g_str_has_prefix (lines[1], "nvlink-0-3,nvlink,gpu-3,"));
  g_assert_true (g_str_has_prefix (lines[2], "nvlink-0-1,nvlink,gpu-1,"));
  /* A cell with several collectives stays one cell. */
  g_assert_nonnull (strstr (lines[1], ",\"TP all-gather, TP reduce-scatter"));
  case_clear (&c);
}

/* The rows of a link in the ledger add up to its row in the table. */
static void
test_shares_add_up (void)
{
  Case c;
  g_autofree char *links = NULL, *shares = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GHashTable) sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  case_init (&c, nothing);
  links = plg_links_csv (c.plan, c.report, '\t', NULL, 0);
  shares = plg_link_shares_csv (c.plan, c.report, '\t');
  lines = g_strsplit (shares, "\n", -1);
  for (int i = 1; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], "\t", -1);
      double *sum = g_hash_table_lookup (sums, cells[0]);

      if (sum == NULL)
        g_hash_table_insert (sums, g_strdup (cells[0]), sum = g_new0 (double, 4));
      for (int k = 0; k < 4; k++)
        sum[k] += g_ascii_strtod (cells[6 + k], NULL);
    }
  for (guint i = 0; i < c.report->links->len; i++)
    {
      g_autofree char *id = plg_link_id (&g_array_index (c.report->links, PlgLink, i));
      g_auto (GStrv) row = row_of (links, id);
      const double *sum = g_hash_table_lookup (sums, id);

      for (int k = 0; k < 4; k++)
        g_assert_cmpfloat_with_epsilon (g_ascii_strtod (row[5 + k], NULL), sum != NULL ? sum[k] : 0,
                                        1e-6);
    }
  case_clear (&c);
}

/* Adds up the report's calls and sent bytes of an axis for one GPU. */
static void
panel_total (const Case *c, PlgAxis axis, double *calls, double *sent)
{
  *calls = *sent = 0;
  for (guint i = 0; i < c->report->collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (c->report->collectives, PlgCollective, i);

      if (collective->axis != axis)
        continue;
      *calls += collective->calls;
      *sent += collective->bytes_sent;
    }
}

/* Adds up the load of the named link for an axis. */
static void
link_total (const Case *c, const char *id, PlgAxis axis, double *calls, double *out, double *time)
{
  *calls = *out = *time = 0;
  for (guint i = 0; i < c->report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (c->report->links, PlgLink, i);
      g_autofree char *name = plg_link_id (link);

      for (int k = link->first_share;
           g_str_equal (name, id) && k < link->first_share + link->n_shares; k++)
        {
          const PlgLinkShare *share = &g_array_index (c->report->link_shares, PlgLinkShare, k);

          if (g_array_index (c->report->collectives, PlgCollective, share->collective).axis != axis)
            continue;
          *calls += share->calls;
          *out += share->bytes_out;
          *time += share->time;
        }
    }
}

/* GPT-3 175B on the teaching cluster, TP 8, PP 4, DP 2, with eight micro-batches and gradients
 * reduced at the end. The load of a link for an axis equals the panel's value for a GPU; calls,
 * bytes and time rank the axes differently. */
static void
test_modes_rank_differently (void)
{
  static const char *const seed[] = { "model.name=gpt3-175b",         "training.sequence=2048",
                                      "training.global-batch=16",     "parallelism.zero=0",
                                      "parallelism.overlap-dp=false", NULL };
  double calls[PLG_N_AXES], out[PLG_N_AXES], time[PLG_N_AXES], panel_calls, panel_sent;
  Case c;

  case_init (&c, seed);
  /* The last stage computes the loss and so has the most TP calls. */
  link_total (&c, "nvlink-3-0", PLG_AXIS_TP, &calls[PLG_AXIS_TP], &out[PLG_AXIS_TP],
              &time[PLG_AXIS_TP]);
  link_total (&c, "nic-1-0", PLG_AXIS_PP, &calls[PLG_AXIS_PP], &out[PLG_AXIS_PP],
              &time[PLG_AXIS_PP]);
  link_total (&c, "nic-1-0", PLG_AXIS_DP, &calls[PLG_AXIS_DP], &out[PLG_AXIS_DP],
              &time[PLG_AXIS_DP]);
  panel_total (&c, PLG_AXIS_TP, &panel_calls, &panel_sent);
  g_assert_cmpfloat_with_epsilon (calls[PLG_AXIS_TP], panel_calls, 1e-6);
  g_assert_cmpfloat_with_epsilon (out[PLG_AXIS_TP], panel_sent, 1e-6 * panel_sent);
  panel_total (&c, PLG_AXIS_DP, &panel_calls, &panel_sent);
  g_assert_cmpfloat_with_epsilon (calls[PLG_AXIS_DP], panel_calls, 1e-6);
  g_assert_cmpfloat (out[PLG_AXIS_DP], <=, panel_sent * (1 + 1e-9));

  g_assert_cmpfloat (calls[PLG_AXIS_TP], >, calls[PLG_AXIS_PP]);
  g_assert_cmpfloat (calls[PLG_AXIS_PP], >, calls[PLG_AXIS_DP]);
  g_assert_cmpfloat (out[PLG_AXIS_TP], >, out[PLG_AXIS_DP]);
  g_assert_cmpfloat (out[PLG_AXIS_DP], >, out[PLG_AXIS_PP]);
  g_assert_cmpfloat (time[PLG_AXIS_DP], >, time[PLG_AXIS_TP]);
  g_assert_cmpfloat (time[PLG_AXIS_TP], >, time[PLG_AXIS_PP]);
  case_clear (&c);
}

/* The tables are formats of the command line, too. */
static void
test_formats (void)
{
  static const char *const names[] = { "links", "ledger" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const PlgFormat *format = plg_format_find (names[i]);
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;
      Case c;

      case_init (&c, nothing);
      g_assert_nonnull (format);
      g_assert_null (plg_format_write (format, &(PlgExportContext) { .plan = c.plan }, &error));
      g_assert_nonnull (error);
      g_clear_error (&error);
      bytes = plg_format_write (format, &(PlgExportContext) { .plan = c.plan, .report = c.report },
                                &error);
      g_assert_no_error (error);
      g_assert_true (g_str_has_prefix (g_bytes_get_data (bytes, NULL), "link,tier,from,to,"));
      case_clear (&c);
    }
}

/* Returns the rows of links inside nodes. */
static char *
rows_inside (const Case *c)
{
  g_autofree char *csv = plg_links_csv (c->plan, c->report, ',', NULL, 0);
  g_auto (GStrv) lines = g_strsplit (csv, "\n", -1);
  GString *rows = g_string_new (NULL);

  for (int i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "nvlink-") || g_str_has_prefix (lines[i], "pcie-"))
      g_string_append_printf (rows, "%s\n", lines[i]);
  return g_string_free (rows, FALSE);
}

/* A DGX-1 V100 from the catalogue equals the machine in its driver's output: 16 pairs of a node
 * have NVLinks, eight of these pairs have two, and all other pairs use PCIe. */
static void
test_cube_mesh (void)
{
  static const char driver
      [] = "\tGPU0\tGPU1\tGPU2\tGPU3\tGPU4\tGPU5\tGPU6\tGPU7\tmlx5_0\tmlx5_1\tmlx5_2\tmlx5_3\n"
           "GPU0\t X \tNV1\tNV1\tNV2\tNV2\tSYS\tSYS\tSYS\tPIX\tPHB\tSYS\tSYS\n"
           "GPU1\tNV1\t X \tNV2\tNV1\tSYS\tNV2\tSYS\tSYS\tPIX\tPHB\tSYS\tSYS\n"
           "GPU2\tNV1\tNV2\t X \tNV2\tSYS\tSYS\tNV1\tSYS\tPHB\tPIX\tSYS\tSYS\n"
           "GPU3\tNV2\tNV1\tNV2\t X \tSYS\tSYS\tSYS\tNV1\tPHB\tPIX\tSYS\tSYS\n"
           "GPU4\tNV2\tSYS\tSYS\tSYS\t X \tNV1\tNV1\tNV2\tSYS\tSYS\tPIX\tPHB\n"
           "GPU5\tSYS\tNV2\tSYS\tSYS\tNV1\t X \tNV2\tNV1\tSYS\tSYS\tPIX\tPHB\n"
           "GPU6\tSYS\tSYS\tNV1\tSYS\tNV1\tNV2\t X \tNV2\tSYS\tSYS\tPHB\tPIX\n"
           "GPU7\tSYS\tSYS\tSYS\tNV1\tNV2\tNV1\tNV2\t X \tSYS\tSYS\tPHB\tPIX\n";
  static const char *const node[] = { "cluster.node=dgx-1-v100", "training.precision=fp16", NULL };
  g_autoptr (PlgCatalogue) known = plg_catalogue_load (NULL);
  g_autoptr (GBytes) text = g_bytes_new_static (driver, strlen (driver));
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (known);
  g_autoptr (PlgImportResult) import = plg_format_read (text, "topo.txt", plan, known, NULL);
  g_autofree char *rows = NULL, *imported = NULL;
  Case c, read;

  case_init (&c, node);
  read.plan = plg_plan_copy (import->plan);
  read.report = plg_evaluate_with_advice (read.plan, NULL);
  rows = rows_inside (&c);
  imported = rows_inside (&read);
  g_assert_cmpstr (rows, ==, imported);
  g_assert_nonnull (strstr (rows, "nvlink-7-0-2,nvlink,gpu-56,gpu-58,25000000000,"));
  g_assert_nonnull (strstr (rows, "nvlink-7-0-3,nvlink,gpu-56,gpu-59,50000000000,"));
  g_assert_nonnull (strstr (rows, "\npcie-7-0-5,pcie,gpu-56,gpu-61,15750000000,0,0,0,0,0,"));
  g_assert_null (strstr (rows, "nvlink-7-0-5"));
  case_clear (&c);
  case_clear (&read);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/links-csv/rows", test_rows);
  g_test_add_func ("/links-csv/hidden-time", test_hidden_time);
  g_test_add_func ("/links-csv/order", test_order);
  g_test_add_func ("/links-csv/shares-add-up", test_shares_add_up);
  g_test_add_func ("/links-csv/modes-rank-differently", test_modes_rank_differently);
  g_test_add_func ("/links-csv/formats", test_formats);
  g_test_add_func ("/links-csv/cube-mesh", test_cube_mesh);
  return g_test_run ();
}
