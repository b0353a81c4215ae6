/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/catalogue-xml.h"
#include "formats/losses.h"

#include "engine/evaluate.h"
#include "plan/setting.h"

#include <string.h>

/* What somebody who writes a file is told that it does not say. */
static const struct
{
  const char *format;
  const char *settings[5];
  const char *says; /* NULL: nothing is lost */
} cases[] = {
  { "xml", { "parallelism.zero=2", "cluster.memory=70" }, NULL },
  { "yaml", { "parallelism.order=tp-cp-dp-pp" }, NULL },
  { "yaml",
    { "parallelism.zero=3" },
    "This file does not keep these; they will be the default plan's: parallelism.zero" },
  { "yaml",
    { "cluster.gpu=h200-sxm-141" },
    "This file does not keep these; they will be the default plan's: cluster.node, cluster.gpu" },
  /* Calculon takes 51200 words and as many positions as tokens of all models. */
  { "calculon-model",
    { "model.name=gpt3-175b", "training.sequence=2048" },
    "This file cannot say all of the plan; who reads it has model.name custom instead of "
    "gpt3-175b, model.vocabulary 51200 instead of 50257." },
  { "calculon-model",
    { "model.name=gpt3-175b", "training.sequence=8192" },
    "model.positions 8192 instead of 2048." },
  { "calculon",
    { "model.name=gpt3-175b", "training.sequence=2048" },
    "This file says nothing of training.sequence." },
  { "nccl-topology", { "cluster.memory=70" }, "who reads it has cluster.memory " },
  { "megatron", { "parallelism.order=megatron", "parallelism.zero=1" }, NULL },
  /* Without stages a schedule is only a word. */
  { "megatron",
    { "parallelism.order=megatron", "parallelism.pp=1", "parallelism.dp=8",
      "training.schedule=zb-h1" },
    NULL },
  { "deepspeed",
    { "parallelism.order=deepspeed", "training.recompute=full", "training.sequence=4096" },
    "This file says nothing of training.sequence, training.recompute." },
  { "deepspeed", { "parallelism.order=deepspeed" }, NULL },
  /* Its table of ranks says where each is, and nothing else is asked of it. */
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
  report = plg_evaluate (plan, PLG_EVALUATE_ALL, &error);
  g_assert_no_error (error);
  bytes = plg_format_write (format, &(PlgWriting) { .plan = plan, .report = report }, &error);
  g_assert_no_error (error);
  text = plg_losses_text (format, bytes, plan, catalogue);
  if (cases[i].says == NULL)
    g_assert_cmpstr (text, ==, NULL);
  else if (text == NULL || strstr (text, cases[i].says) == NULL)
    g_error ("“%s” instead of “%s”", text, cases[i].says);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/losses/%s/%d", cases[i].format, (int) i);

      g_test_add_data_func (path, GINT_TO_POINTER (i), test_text);
    }
  return g_test_run ();
}
