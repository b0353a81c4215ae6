/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../engine/random-plan.h"
#include "io/plan/catalogue-xml.h"
#include "io/placement/launch-placement.h"
#include "io/registry/round-trip-diff.h"
#include "placed-plan.h"
#include "plan/edit.h"
#include "plan/order-preset.h"

#include <string.h>

/* Each format with a writer: readable files are detected as their format and give the same plan
 * and placement, or the writer refuses with a reason. */

typedef struct
{
  PlgCatalogue *catalogue;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->catalogue = plg_catalogue_load (NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  plg_catalogue_unref (fixture->catalogue);
}

/* Each framework numbers ranks in its own way, so these plans have the framework's order. */
static const PlacedPlan more_plans[] = {
  { "Megatron's", { "parallelism.order=megatron", "model.name=gpt3-175b" }, { NULL } },
  { "torchtitan's", { "parallelism.order=torchtitan", "parallelism.zero=3" }, { NULL } },
  { "DeepSpeed's", { "parallelism.order=deepspeed", "parallelism.zero=1" }, { NULL } },
  { "Picotron's",
    { "parallelism.zero=0", "parallelism.sequence=false", "parallelism.overlap-tp=false",
      "training.recompute=none" },
    { NULL } },
  { "Calculon's", { "model.name=gpt3-175b", "parallelism.pp=8", "parallelism.dp=1" }, { NULL } },
};

static GBytes *
write_plan (const PlgFormat *format, const PlgPlan *plan, GError **error)
{
  g_autoptr (PlgReport) report = plg_evaluate_with_advice (plan, error);

  g_assert_nonnull (report);
  return plg_format_write (format, &(PlgExportContext) { .plan = plan, .report = report }, error);
}

/* Scripts of launchers are read by their table. */
static gboolean
is_readable (const PlgFormat *format)
{
  return format->read != NULL || format->subject == PLG_SUBJECT_PLACEMENT;
}

/* Formats without a placement keep the placement of the base. */
static gboolean
stores_placement (const PlgFormat *format)
{
  return format->subject == PLG_SUBJECT_PLACEMENT || g_str_equal (format->name, "xml");
}

/* Makes PLAN equal to OF except for degrees and order: other settings, such as ZeRO without
 * replicas, may have no effect in a format. */
static void
keep_ranks (PlgPlan *plan, const PlgPlan *of)
{
  PlgParallelism parallelism = of->parallelism;

  memcpy (parallelism.degree, plan->parallelism.degree, sizeof parallelism.degree);
  memcpy (parallelism.order, plan->parallelism.order, sizeof parallelism.order);
  parallelism.etp = plan->parallelism.etp;
  plan->parallelism = parallelism;
  plg_placement_copy (&plan->placement, &of->placement);
}

static void
assert_read_back (Fixture *fixture,
                  const char *name,
                  const PlgFormat *format,
                  const PlgPlan *plan,
                  GBytes *bytes)
{
  g_autoptr (PlgPlan) base = placed_plan_base (plan);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult)
                 import = plg_format_read (bytes, "FILE", base, fixture->catalogue, &error);

  if (import == NULL)
    g_error ("%s, %s: %s", name, format->name, error->message);
  if (import->format->subject != format->subject ||
      (format->read != NULL && import->format != format))
    g_error ("%s, %s is detected as %s", name, format->name, import->format->name);
  if (!stores_placement (format))
    keep_ranks (import->plan, plan);
  if (!placed_plan_same (import->plan, plan))
    g_error ("%s, %s: not the same plan", name, format->name);
}

/* Results cannot be read. */
static void
assert_refused (Fixture *fixture, const char *name, const PlgFormat *format, GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult)
                 import = plg_format_read (bytes, "FILE", NULL, fixture->catalogue, &error);

  if (import != NULL)
    g_error ("%s, %s is detected as %s", name, format->name, import->format->name);
  g_assert_true (g_str_has_prefix (error->message, "FILE:"));
}

/* Returns the number of files that could be written. */
static int
try_plan (Fixture *fixture, const PlgFormat *format, const PlacedPlan *placed)
{
  g_autoptr (PlgPlan) plan = placed_plan (placed, fixture->catalogue);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  /* YAML stores no model, and the default plan's model has no experts; a note reports this. */
  if (g_str_equal (format->name, "yaml") && plan->model.experts > 0)
    return 0;
  bytes = write_plan (format, plan, &error);
  if (bytes == NULL)
    {
      g_assert_true (g_error_matches (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_PLACEMENT) ||
                     g_error_matches (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT));
      g_assert_cmpuint (strlen (error->message), >, 20);
      return 0;
    }
  if (is_readable (format))
    assert_read_back (fixture, placed->name, format, plan, bytes);
  else
    assert_refused (fixture, placed->name, format, bytes);
  return 1;
}

static void
test_format (Fixture *fixture, gconstpointer data)
{
  const PlgFormat *format = data;
  int written = 0;

  for (int i = 0; i < n_placed_plans; i++)
    written += try_plan (fixture, format, &placed_plans[i]);
  for (guint i = 0; i < G_N_ELEMENTS (more_plans); i++)
    written += try_plan (fixture, format, &more_plans[i]);
  g_assert_cmpint (written, >, 0);
}

/* Random plans */

#define N_CHANCES 60

static void
exchange_some (GRand *random, PlgPlan *plan)
{
  int world = plg_plan_world (plan), nodes = plan->cluster.nodes;

  for (int i = g_rand_int_range (random, 0, 6) * g_rand_boolean (random); i > 0; i--)
    plg_edit_swap_ranks (plan, g_rand_int_range (random, 0, world),
                         g_rand_int_range (random, 0, world), NULL);
  for (int i = g_rand_int_range (random, 0, 4) * g_rand_boolean (random); i > 0; i--)
    plg_edit_swap_nodes (plan, g_rand_int_range (random, 0, nodes),
                         g_rand_int_range (random, 0, nodes), NULL);
}

/* Names all nodes, some nodes or none; some names are numbers or words of the shell. */
static void
name_some (GRand *random, PlgPlan *plan)
{
  static const char *const stems[] = { "gpu-", "n0", "Rack.b_", "7", "esac", "10.0.0." };
  double share = g_rand_int_range (random, 0, 3) / 2.0;

  for (int i = 0; i < plan->cluster.nodes; i++)
    {
      const char *stem = stems[g_rand_int_range (random, 0, G_N_ELEMENTS (stems))];
      g_autofree char *name = g_strdup_printf ("%s%d", stem, 200 - i);

      if (g_rand_double (random) < share)
        g_assert_true (plg_node_names_set (&plan->node_names, i, name, NULL));
    }
}

/* Returns a plan that FORMAT can usually express: each framework has its own order. */
static PlgPlan *
pick_placed_plan (GRand *random, const PlgFormat *format)
{
  PlgPlan *plan = pick_plan (random);
  const char *program = g_str_equal (format->name, "nemo") ? "megatron" : format->name;
  const PlgOrderPreset *preset = plg_order_preset_find (program);

  if (preset != NULL)
    memcpy (plan->parallelism.order, preset->order, sizeof preset->order);
  exchange_some (random, plan);
  name_some (random, plan);
  return plan;
}

/* The file gives the same plan, or a sentence lists the lost values. */
static void
assert_nothing_is_lost (Fixture *fixture,
                        const PlgFormat *format,
                        const PlgPlan *plan,
                        GBytes *bytes)
{
  g_autofree char *losses = plg_round_trip_diff_text (format, bytes, plan, fixture->catalogue);

  if (losses == NULL || stores_placement (format))
    assert_read_back (fixture, "by chance", format, plan, bytes);
}

/* Reading a file back into its own plan changes neither the place nor the number of a rank, also
 * if an axis of degree 1 could have another place in the order. */
static void
assert_stays_itself (Fixture *fixture, const PlgFormat *format, const PlgPlan *plan, GBytes *bytes)
{
  const PlgParallelism *now, *was = &plan->parallelism;
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult)
                 import = plg_format_read (bytes, "FILE", plan, fixture->catalogue, &error);

  /* Writers report the features that the real program would reject. */
  if (import == NULL)
    return;
  now = &import->plan->parallelism;
  g_assert_cmpmem (now->degree, sizeof now->degree, was->degree, sizeof was->degree);
  g_assert_cmpmem (now->order, sizeof now->order, was->order, sizeof was->order);
  if (now->degree[PLG_AXIS_TP] == 1)
    g_assert_cmpint (now->sequence, ==, was->sequence);
  g_assert_true (plg_placement_equal (&import->plan->placement, &plan->placement));
}

/* A program can run only few random plans. */
#define N_TRIES 300
#define N_WRITTEN 10

/* Returns a plan in which some axes have no groups, so that their places in the order have no
 * effect. */
static PlgPlan *
pick_narrow_plan (GRand *random, const PlgFormat *format)
{
  while (TRUE)
    {
      PlgPlan *plan = pick_placed_plan (random, format);
      PlgParallelism *parallelism = &plan->parallelism, before = *parallelism;
      int i = g_rand_int_range (random, 0, 3);
      PlgAxis kept = parallelism->order[i];

      parallelism->order[i] = parallelism->order[i + 1];
      parallelism->order[i + 1] = kept;
      if (plg_order_is_used (before.order, parallelism))
        return plan;
      plg_plan_free (plan);
    }
}

static void
test_itself (Fixture *fixture, gconstpointer data)
{
  const PlgFormat *format = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  int written = 0;

  for (int i = 0; i < N_TRIES && written < N_WRITTEN; i++)
    {
      g_autoptr (PlgPlan) plan = pick_narrow_plan (random, format);
      g_autoptr (GBytes) bytes = write_plan (format, plan, NULL);

      if (bytes == NULL)
        continue;
      assert_stays_itself (fixture, format, plan, bytes);
      written++;
    }
  g_test_message ("%s: %d plans", format->name, written);
}

static void
test_chances (Fixture *fixture, gconstpointer data)
{
  const PlgFormat *format = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (int i = 0; i < N_CHANCES; i++)
    {
      g_autoptr (PlgPlan) plan = pick_placed_plan (random, format);
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = write_plan (format, plan, &error);

      if (bytes != NULL)
        assert_nothing_is_lost (fixture, format, plan, bytes);
      else if (plg_format_keeps_placement (format, plan) || g_str_equal (format->name, "xml"))
        g_error ("%s: %s", format->name, error->message);
    }
}

/* Files of Megatron-LM and NeMo have the layers of hybrid models, or the writer names the reason. */
static void
test_hybrids (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *settings[6];
    const char *why;
  } rows[] = {
    { { "model.name=qwen3-next-80b-a3b" }, NULL },
    { { "model.name=nemotron-3-nano-30b-a3b" }, NULL },
    { { "model.name=nemotron-h-56b" }, NULL },
    { { "model.name=qwen3-next-80b-a3b", "model.attention-layers=0" }, NULL },
    { { "model.name=qwen3-next-80b-a3b", "model.attention-layers=7" }, NULL },
    { { "model.name=qwen3-next-80b-a3b", "model.attention-layers=31" }, NULL },
    { { "model.name=qwen3-next-80b-a3b", "model.attention-layers=47" }, NULL },
    { { "model.name=nemotron-h-8b", "model.attention-layers=0" }, NULL },
    { { "model.name=nemotron-h-8b", "model.mlp-layers=47" }, NULL },
    { { "model.name=nemotron-h-8b", "model.mlp-layers=48" }, "Set model.mixer to none." },
    { { "model.name=nemotron-h-8b", "model.mlp-layers=0", "model.ffn=0" }, NULL },
    { { "model.name=nemotron-h-8b", "model.mlp-layers=0" },
      "In Megatron-LM, models with Mamba-2 have their MLPs in layers of their own. Set model.layers "
      "to 104 and model.mlp-layers to 52, or clear model.mixer." },
    { { "model.name=nemotron-h-8b", "model.mixer-conv=3" }, "Set model.mixer-conv to 4." },
    { { "model.name=qwen3-next-80b-a3b", "model.mlp-layers=20" }, "Set model.mlp-layers to 0." },
  };
  static const char *const formats[] = { "megatron", "nemo" };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint j = 0; j < G_N_ELEMENTS (formats); j++)
      {
        const PlgFormat *format = plg_format_find (formats[j]);
        g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);
        g_autoptr (PlgPlan) base = plg_catalogue_default_plan (fixture->catalogue);
        g_autoptr (PlgImportResult) import = NULL;
        g_autoptr (GError) error = NULL;
        g_autoptr (GBytes) bytes = NULL;
        PlgTransformer read;

        plan->parallelism.order[2] = PLG_AXIS_DP;
        plan->parallelism.order[3] = PLG_AXIS_PP;
        for (int k = 0; rows[i].settings[k] != NULL; k++)
          g_assert_true (plg_setting_assign (plan, fixture->catalogue, rows[i].settings[k], NULL));
        g_assert_true (plg_setting_assign (plan, NULL, "parallelism.pp=1", NULL));
        g_assert_true (plg_setting_assign (plan, NULL, "parallelism.dp=8", NULL));
        bytes = write_plan (format, plan, &error);
        if (rows[i].why != NULL)
          {
            g_assert_nonnull (strstr (error->message, rows[i].why));
            continue;
          }
        g_assert_no_error (error);
        import = plg_format_read (bytes, "FILE", base, fixture->catalogue, &error);
        g_assert_no_error (error);
        read = import->plan->model;
        g_strlcpy (read.name, plan->model.name, sizeof read.name);
        g_strlcpy (read.title, plan->model.title, sizeof read.title);
        g_test_message ("%s %s", rows[i].settings[0], formats[j]);
        g_assert_true (plg_transformer_equal (&read, &plan->model));
      }
}

static void
add_test (const char *name, const PlgFormat *format, void (*test) (Fixture *, gconstpointer))
{
  g_autofree char *path = g_strconcat ("/round-trips/", name, format->name, NULL);

  g_test_add (path, Fixture, format, set_up, test, tear_down);
}

int
main (int argc, char **argv)
{
  int n;
  const PlgFormat *const *formats = plg_formats (&n);

  g_test_init (&argc, &argv, NULL);
  for (int i = 0; i < n; i++)
    if (formats[i]->write != NULL)
      {
        add_test ("", formats[i], test_format);
        if (is_readable (formats[i]))
          add_test ("by-chance/", formats[i], test_chances);
        if (formats[i]->read != NULL && formats[i]->subject == PLG_SUBJECT_TRAINING)
          add_test ("itself/", formats[i], test_itself);
      }
  g_test_add ("/round-trips/hybrids", Fixture, NULL, set_up, test_hybrids, tear_down);
  return g_test_run ();
}
