/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/evaluate.h"
#include "io/plan/catalogue-xml.h"
#include "io/reports/constant-sources.h"
#include "io/reports/explanation-text.h"
#include "io/runs/published-runs.h"
#include "plan/settings/setting.h"

#include <string.h>

typedef struct
{
  PlgCatalogue *catalogue;
  PlgPlan *plan;
  PlgConstantSources sources;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->catalogue = plg_catalogue_load (NULL);
  fixture->plan = plg_catalogue_default_plan (fixture->catalogue);
  plg_constant_sources_init (&fixture->sources, fixture->plan, fixture->catalogue);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  plg_constant_sources_clear (&fixture->sources);
  plg_plan_free (fixture->plan);
  plg_catalogue_unref (fixture->catalogue);
}

static void
apply (Fixture *fixture, const char *first, const char *second)
{
  const char *const settings[] = { first, second, NULL };
  g_autoptr (GError) error = NULL;

  plg_settings_apply (fixture->plan, fixture->catalogue, settings, &error);
  g_assert_no_error (error);
  plg_constant_sources_clear (&fixture->sources);
  plg_constant_sources_init (&fixture->sources, fixture->plan, fixture->catalogue);
}

static const PlgConstant *
find_constant (const Fixture *fixture, const char *kind, const char *entry, const char *name)
{
  int n;
  const PlgConstant *list = plg_catalogue_constants (fixture->catalogue, kind, entry, &n);

  for (int i = 0; i < n; i++)
    if (strcmp (list[i].name, name) == 0)
      return &list[i];
  g_assert_not_reached ();
}

static void
assert_has_origin (const char *text, const PlgConstant *constant)
{
  g_assert_nonnull (strstr (text, constant->source));
  g_assert_nonnull (strstr (text, constant->date));
}

/* Every use of the default plan names its constants with source and date. */
static void
check_uses (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    guint use;
    const char *kind, *entry, *constant, *part;
  } cases[] = {
    { PLG_USES_PEAK, "gpu", "h100-sxm-80", "peak-bf16", "peak 989" },
    { PLG_USES_MATRIX_EFFICIENCY, "gpu", "h100-sxm-80", "matrix-efficiency-bf16",
      "matrix efficiency 0." },
    { PLG_USES_MEMORY_RATE, "gpu", "h100-sxm-80", "memory-efficiency", "memory efficiency 0." },
    { PLG_USES_MEMORY_SIZE, "gpu", "h100-sxm-80", "memory", "memory 81" },
    { PLG_USES_INTRA, "node", "hgx-h100", "intra-efficiency", "efficiency inside a node 0." },
    { PLG_USES_INTER, "node", "hgx-h100", "nic-bandwidth", "bandwidth of a NIC 400" },
    { PLG_USES_POWER, "gpu", "h100-sxm-80", "power-idle", "idle power 145" },
    { PLG_USES_HOST_LINK, "gpu", "h100-sxm-80", "pcie-bandwidth", "bandwidth of PCIe 63" },
    { PLG_USES_HOST_MEMORY_RATE, "gpu", "h100-sxm-80", "host-memory-bandwidth",
      "memory bandwidth of the host per GPU 76.8" },
    { PLG_USES_MODEL, "model", "llama3-70b", "layers", "Llama 3 70B: dimensions" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = plg_constant_sources_describe (&fixture->sources, cases[i].use);

      g_assert_nonnull (strstr (text, cases[i].part));
      g_assert_null (strstr (text, "another value"));
      assert_has_origin (text,
                         find_constant (fixture, cases[i].kind, cases[i].entry, cases[i].constant));
    }
  G_STATIC_ASSERT (G_N_ELEMENTS (cases) == PLG_N_CONSTANT_USES);
  g_assert_null (plg_constant_sources_describe (&fixture->sources, 0));
}

/* Constants with the same source share it. */
static void
check_shared_source (Fixture *fixture, gconstpointer data)
{
  const PlgConstant *peak = find_constant (fixture, "gpu", "h100-sxm-80", "peak-bf16");
  g_autofree char *text = plg_constant_sources_describe (&fixture->sources,
                                                         PLG_USES_PEAK | PLG_USES_MEMORY_RATE);
  const char *first = strstr (text, peak->source);

  g_assert_nonnull (first);
  g_assert_null (strstr (first + 1, peak->source));
}

/* A value that the plan sets is not the catalogue's. */
static void
check_own_values (Fixture *fixture, gconstpointer data)
{
  g_autofree char *bandwidth = NULL, *model = NULL, *peak = NULL, *row = NULL, *other = NULL;

  apply (fixture, "cluster.memory-bandwidth=2000", "model.layers=40");
  bandwidth = plg_constant_sources_describe (&fixture->sources, PLG_USES_MEMORY_RATE);
  model = plg_constant_sources_describe (&fixture->sources, PLG_USES_MODEL);
  peak = plg_constant_sources_describe (&fixture->sources, PLG_USES_PEAK);
  g_assert_nonnull (strstr (bandwidth, "[the plan sets another value]"));
  g_assert_nonnull (strstr (model, "[the plan sets another value]"));
  g_assert_null (strstr (peak, "[the plan sets another value]"));
  row = plg_constant_sources_of_setting (&fixture->sources, "cluster.memory-bandwidth");
  g_assert_null (row);
  other = plg_constant_sources_of_setting (&fixture->sources, "cluster.memory");
  g_assert_nonnull (other);
}

/* A GPU, node or model of a user's own has no constants in the catalogue. */
static void
check_unknown_names (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  g_strlcpy (fixture->plan->cluster.gpu.name, "my-gpu", PLG_NAME_SIZE);
  g_strlcpy (fixture->plan->cluster.node, "custom", PLG_NAME_SIZE);
  g_strlcpy (fixture->plan->model.name, "custom", PLG_NAME_SIZE);
  plg_constant_sources_clear (&fixture->sources);
  plg_constant_sources_init (&fixture->sources, fixture->plan, fixture->catalogue);
  text = plg_constant_sources_describe (&fixture->sources, G_MAXUINT);
  g_assert_null (text);
  g_assert_null (plg_constant_sources_of_setting (&fixture->sources, "cluster.memory"));
  g_assert_null (plg_constant_sources_of_setting (&fixture->sources, "cluster.gpu"));
}

/* The notebook has constants of its own. */
static void
check_notebook (Fixture *fixture, gconstpointer data)
{
  apply (fixture, "engine.profile=notebook", NULL);
  g_assert_null (plg_constant_sources_describe (&fixture->sources, G_MAXUINT));
}

/* Every constant of the engine has a text with its value, source and date. */
static void
check_engine (Fixture *fixture, gconstpointer data)
{
  PlgUsedConstants used = { 2, { PLG_CONSTANT_CONTEXT_BYTES, PLG_CONSTANT_LAUNCH_GAP } };
  g_autofree char *two = plg_constant_sources_describe_engine (fixture->plan, &used);
  g_autofree char *hidden = NULL;

  g_assert_nonnull (strstr (two, "kernels: 1\u00a0GiB (github.com/stas00/"));
  g_assert_nonnull (strstr (two, "\ntime between two kernels: 10\u00a0µs ("));
  g_assert_nonnull (strstr (two, "fitted to published runs: 12 groups, 2026-11)"));
  for (PlgEngineConstant i = 0; i < PLG_N_ENGINE_CONSTANTS; i++)
    {
      const PlgEngineConstantInfo *info = plg_engine_constant_info (i);
      PlgUsedConstants one = { 1, { i } };
      g_autofree char *text = plg_constant_sources_describe_engine (fixture->plan, &one);
      g_autofree char *begin = g_strdup_printf ("%s: ", info->title);
      g_autofree char *end = g_strdup_printf (", %s)", info->date);

      g_assert_true (g_str_has_prefix (text, begin) && g_str_has_suffix (text, end));
      g_assert_true (g_ascii_isdigit (text[strlen (begin)]));
      g_assert_nonnull (strstr (text, info->source));
    }
  used.n = 0;
  g_assert_null (plg_constant_sources_describe_engine (fixture->plan, &used));
  used.n = 2;
  fixture->plan->profile = PLG_PROFILE_NOTEBOOK;
  hidden = plg_constant_sources_describe_engine (fixture->plan, &used);
  g_assert_null (hidden);
}

/* The groups to which constants are fitted have runs in published.csv. */
static void
check_fitted_groups (Fixture *fixture, gconstpointer data)
{
  PlgPublishedRuns *runs = plg_published_runs_new ();
  guint n;
  const PlgPublishedRun *all = plg_published_runs_all (runs, &n);

  for (PlgEngineConstant i = 0; i < PLG_N_ENGINE_CONSTANTS; i++)
    {
      const PlgEngineConstantInfo *info = plg_engine_constant_info (i);
      g_auto (GStrv) groups = g_strsplit (info->fitted != NULL ? info->fitted : "", " ", -1);

      for (int j = 0; groups[j] != NULL; j++)
        {
          gboolean found = FALSE;

          for (guint k = 0; k < n && !found; k++)
            found = all[k].is_fitted && g_str_equal (all[k].group, groups[j]);
          if (!found)
            g_error ("%s: there is no group “%s”", info->key, groups[j]);
        }
    }
  plg_published_runs_free (runs);
}

/* The settings of the inspector show where their values come from. */
static void
check_settings (Fixture *fixture, gconstpointer data)
{
  static const char *const with_source[] = { "cluster.gpu",
                                             "cluster.node",
                                             "model.name",
                                             "model.layers",
                                             "cluster.memory",
                                             "cluster.memory-bandwidth",
                                             "cluster.intra-bandwidth",
                                             "cluster.inter-bandwidth",
                                             "training.program",
                                             "training.loss",
                                             "cluster.rdma" };
  g_autofree char *graphs = NULL;
  static const char *const without[] = { "parallelism.tp", "training.sequence", "cluster.nodes" };

  for (guint i = 0; i < G_N_ELEMENTS (with_source); i++)
    {
      g_autofree char *text = plg_constant_sources_of_setting (&fixture->sources, with_source[i]);

      g_assert_nonnull (text);
      g_assert_nonnull (strstr (text, ", 20"));
    }
  graphs = plg_constant_sources_of_setting (&fixture->sources, "training.cuda-graphs");
  g_assert_true (g_str_has_prefix (graphs, "launches of a layer with experts"));
  g_assert_null (strstr (graphs, "tile"));
  for (guint i = 0; i < G_N_ELEMENTS (without); i++)
    g_assert_null (plg_constant_sources_of_setting (&fixture->sources, without[i]));
}

/* --explain names the constants below the formula that uses them. */
static void
check_explanation (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgReport) report = plg_evaluate (fixture->plan, PLG_EVALUATE_ALL, NULL);
  g_autofree char *text = plg_explanation_text (fixture->plan, report, fixture->catalogue, "mfu");
  const char *mfu = strstr (text, "Model FLOPs utilization (MFU)");
  const char *constants = strstr (mfu, "  Constants: H100 SXM: peak 989");
  const char *layer = strstr (text, "Layer: computation per micro-batch");
  const char *engine = strstr (layer,
                               "  Constants of the engine:\n    rate of products in training");

  g_assert_nonnull (constants);
  g_assert_true (constants < strstr (mfu, "Hardware FLOPs utilization"));
  g_assert_nonnull (engine);
  g_assert_true (engine < strstr (layer, "Source: The busiest stage"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) \
  g_test_add ("/constant-sources/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("uses", check_uses);
  ADD ("engine", check_engine);
  ADD ("fitted-groups", check_fitted_groups);
  ADD ("shared-source", check_shared_source);
  ADD ("own-values", check_own_values);
  ADD ("unknown-names", check_unknown_names);
  ADD ("notebook", check_notebook);
  ADD ("settings", check_settings);
  ADD ("explanation", check_explanation);
  return g_test_run ();
}
