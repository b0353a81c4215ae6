/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

#include "document/model-offer.h"
#include "plan/settings/setting.h"

#include <string.h>

static PlgDocument *
document_with (const char *settings)
{
  g_autoptr (PlgCatalogue) catalogue = sample_catalogue ();
  PlgDocument *document = plg_document_new (catalogue);
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  g_auto (GStrv) assignments = g_strsplit (settings, " ", -1);
  GError *error = NULL;

  if (settings[0] == '\0')
    return document;
  plg_settings_apply (plan, catalogue, (const char *const *) assignments, &error);
  g_assert_no_error (error);
  plg_document_apply (document, plan, "Settings", NULL, &error);
  g_assert_no_error (error);
  return document;
}

/* An offer is legal, fits, keeps the batch if it can, and is one step of undo. */
static void
test_offer (void)
{
  static const struct
  {
    const char *settings;
    const char *model;
    gboolean is_refused; /* whether the model alone is illegal with the present degrees */
  } rows[] = {
    { "", "mixtral-8x7b", FALSE },
    { "training.schedule=interleaved parallelism.chunks=20", "mixtral-8x7b", TRUE },
    { "cluster.nodes=16 parallelism.tp=4 parallelism.pp=1", "gpt3-175b", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgDocument) document = document_with (rows[i].settings);
      g_autoptr (PlgPlan) offer = plg_model_offer (document, rows[i].model);
      g_autoptr (PlgPlan) before = plg_plan_copy (plg_document_plan (document));
      g_autofree char *text = NULL;
      GError *error = NULL;

      g_assert_cmpint (plg_document_set (document, "model.name", rows[i].model, NULL), ==,
                       !rows[i].is_refused);
      if (!rows[i].is_refused)
        g_assert_true (plg_document_undo (document));
      g_assert_nonnull (offer);
      g_assert_cmpstr (offer->model.name, ==, rows[i].model);
      g_assert_cmpint (offer->training.global_batch, ==, before->training.global_batch);
      text = plg_model_offer_describe (before, offer);
      g_assert_true (g_str_has_prefix (text, "TP "));
      /* The offer has no sequence that is longer than the learned positions of the model. */
      g_assert_cmpint (strstr (text, " · sequence 2048") != NULL, ==,
                       offer->model.positions == 2048);
      plg_document_apply (document, offer, "Model", NULL, &error);
      g_assert_no_error (error);
      g_assert_true (plg_document_report (document)->fits);
      g_assert_true (plg_document_undo (document));
      g_assert_true (plg_plan_equal (plg_document_plan (document), before));
    }
}

/* Nothing is offered if the present degrees suit the model, or if a lesson locks the degrees. */
static void
test_no_offer (void)
{
  static const char *const keys[] = { "model.name", NULL };
  const PlgEditPolicy policy = { .keys = keys };
  g_autoptr (PlgDocument) document = document_with ("");

  g_assert_null (plg_model_offer (document, "llama3-70b"));
  g_assert_null (plg_model_offer (document, "no-such-model"));
  plg_document_set_policy (document, &policy);
  g_assert_null (plg_model_offer (document, "mixtral-8x7b"));
  plg_document_set_policy (document, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model-offer/offer", test_offer);
  g_test_add_func ("/model-offer/none", test_no_offer);
  return g_test_run ();
}
