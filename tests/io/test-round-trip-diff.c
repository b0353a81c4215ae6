/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/registry/round-trip-diff.h"
#include "nccl-files.h"

#include "engine/advice/advice.h"
#include "plan/settings/setting.h"

#include <string.h>

/* The sentence on values of the plan that a written file loses. */
static const struct
{
  const char *format;
  const char *settings[5];
  const char *says;  /* NULL: nothing is lost */
  const char *omits; /* NULL, or a part that the text must not have */
} cases[] = {
  { "xml", { "parallelism.zero=2", "cluster.memory=70" }, NULL },
  { "yaml", { "parallelism.order=tp-cp-dp-pp" }, NULL },
  { "yaml",
    { "parallelism.zero=3" },
    "This file does not store these values, so readers use those of the default plan: "
    "parallelism.zero" },
  { "yaml",
    { "cluster.gpu=h200-sxm-141" },
    "This file does not store these values, so readers use those of the default plan: "
    "cluster.node, cluster.gpu" },
  /* Calculon assumes 51200 words, and as many positions as tokens, for every model. */
  { "calculon-model",
    { "model.name=gpt3-175b", "training.sequence=2048" },
    "This file cannot store all of the plan; readers of the file get model.name custom instead of "
    "gpt3-175b, model.vocabulary 51200 instead of 50257." },
  { "calculon-model",
    { "model.name=gpt3-175b", "training.sequence=8192" },
    "model.positions 8192 instead of 2048." },
  { "calculon",
    { "model.name=gpt3-175b", "training.sequence=2048" },
    "This file does not store training.sequence." },
  { "megatron", { "parallelism.order=megatron", "parallelism.zero=1" }, NULL },
  /* Without stages a schedule has no effect. */
  { "megatron",
    { "parallelism.order=megatron", "parallelism.pp=1", "parallelism.dp=8",
      "training.schedule=zb-h1" },
    NULL },
  { "deepspeed",
    { "parallelism.order=deepspeed", "training.recompute=full", "training.sequence=4096" },
    "This file does not store training.sequence, training.recompute." },
  { "deepspeed", { "parallelism.order=deepspeed", "training.program=deepspeed" }, NULL },
  { "deepspeed",
    { "parallelism.order=deepspeed", "training.program=deepspeed", "training.optimizer=adam-8bit" },
    "This file does not store training.optimizer." },
  { "deepspeed",
    { "parallelism.order=deepspeed" },
    "readers of the file get training.program deepspeed instead of megatron." },
  /* The file has a dispatcher, which is not the plan's. */
  { "megatron",
    { "model.name=mixtral-8x7b", "parallelism.order=megatron", "parallelism.ep=8",
      "parallelism.etp=1" },
    "This file cannot store all of the plan; readers of the file get parallelism.dispatcher "
    "all-to-all instead of auto.",
    "does not store" },
  /* The table of ranks stores the placement, and no other values are expected of it. */
  { "ranks", { "parallelism.zero=3" }, NULL },
  { "html", { "parallelism.zero=3" }, NULL },
};

static void
test_text (gconstpointer data)
{
  int i = GPOINTER_TO_INT (data);
  const PlgFormat *format = plg_format_find (cases[i].format);
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  plg_settings_apply (plan, catalogue, cases[i].settings, &error);
  g_assert_no_error (error);
  report = plg_evaluate_with_advice (plan, &error);
  g_assert_no_error (error);
  bytes = plg_format_write (format, &(PlgExportContext) { .plan = plan, .report = report }, &error);
  g_assert_no_error (error);
  text = plg_round_trip_diff_text (format, bytes, plan, catalogue);
  if (cases[i].says == NULL)
    g_assert_cmpstr (text, ==, NULL);
  else if (text == NULL || strstr (text, cases[i].says) == NULL)
    g_error ("“%s” instead of “%s”", text, cases[i].says);
  else if (cases[i].omits != NULL)
    g_assert_null (strstr (text, cases[i].omits));
}

/* YAML cannot store the map of a node. */
static void
test_map (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult) read = import_nccl (slow_switches, &error);
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *lost = NULL;

  g_assert_no_error (error);
  bytes = plg_format_write (plg_format_find ("yaml"), &(PlgExportContext) { .plan = read->plan },
                            &error);
  g_assert_no_error (error);
  lost = plg_round_trip_diff_text (plg_format_find ("yaml"), bytes, read->plan, catalogue);
  g_assert_nonnull (lost);
  g_assert_nonnull (strstr (lost, "the node map"));
}

/* With one stage no file stores a schedule, and reading a file keeps the plan's schedule: it is
 * in effect again when there are stages. */
static void
test_idle_schedule (void)
{
  static const char *const rows[][4] = {
    { "megatron", "gpipe", "1", "3" },       { "megatron", "interleaved", "2", "3" },
    { "torchtitan", "gpipe", "1", "3" },     { "torchtitan", "interleaved", "2", "3" },
    { "nemo", "interleaved", "2", "3" },     { "nemo", "gpipe", "1", "3" },
    { "calculon", "interleaved", "2", "1" },
  };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *schedule = g_strconcat ("training.schedule=", rows[i][1], NULL);
      g_autofree char *chunks = g_strconcat ("parallelism.chunks=", rows[i][2], NULL);
      g_autofree char *zero = g_strconcat ("parallelism.zero=", rows[i][3], NULL);
      const char *const settings[] = {
        "model.name=llama3-8b", "parallelism.pp=1", zero, schedule, chunks, NULL
      };
      const PlgFormat *format = plg_format_find (rows[i][0]);
      g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (PlgImportResult) import = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (plg_settings_apply (plan, catalogue, settings, &error));
      bytes = plg_format_write (format, &(PlgExportContext) { .plan = plan }, &error);
      g_assert_no_error (error);
      import = plg_format_read_as (format, bytes, "f", plan, catalogue, &error);
      g_assert_no_error (error);
      g_assert_cmpint (import->plan->training.schedule, ==, plan->training.schedule);
      g_assert_cmpint (import->plan->parallelism.chunks, ==, plan->parallelism.chunks);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/round-trip-diff/%s/%d", cases[i].format, (int) i);

      g_test_add_data_func (path, GINT_TO_POINTER (i), test_text);
    }
  g_test_add_func ("/round-trip-diff/map", test_map);
  g_test_add_func ("/round-trip-diff/idle-schedule", test_idle_schedule);
  return g_test_run ();
}
