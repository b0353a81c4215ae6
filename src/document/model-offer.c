/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/model-offer.h"

#include "engine/evaluate.h"
#include "engine/search/suggest-degrees.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>

static gboolean
plan_fits (const PlgPlan *plan)
{
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);

  return report != NULL && report->fits == PLG_FIT_YES;
}

PlgPlan *
plg_model_offer (PlgDocument *document, const char *model)
{
  static const char *const held[] = { "training.global-batch=", NULL };
  const PlgPlan *before;
  g_autofree char *assignment = NULL;
  g_autoptr (PlgPlan) offer = NULL;

  g_return_val_if_fail (PLG_IS_DOCUMENT (document) && model != NULL, NULL);

  before = plg_document_plan (document);
  offer = plg_plan_copy (before);
  assignment = g_strconcat ("model.name=", model, NULL);
  if (!plg_settings_assign (offer, plg_document_catalogue (document),
                            (const char *const[]) { assignment, NULL }, NULL) ||
      plan_fits (offer))
    return NULL;

  gboolean is_legal = plg_plan_check (offer, NULL);

  if ((!plg_suggest_degrees (offer, held, NULL) && !plg_suggest_degrees (offer, NULL, NULL)) ||
      (is_legal && !plan_fits (offer)) ||
      !plg_edit_policy_check (plg_document_policy (document), before, offer, NULL))
    return NULL;
  return g_steal_pointer (&offer);
}

char *
plg_model_offer_describe (const PlgPlan *before, const PlgPlan *offer)
{
  static const PlgAxis axes[] = { PLG_AXIS_TP, PLG_AXIS_CP, PLG_AXIS_EP, PLG_AXIS_PP, PLG_AXIS_DP };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    {
      int degree = offer->parallelism.degree[axes[i]];

      if (degree > 1 || before->parallelism.degree[axes[i]] > 1)
        g_string_append_printf (text, "%s%s %d", text->len > 0 ? " · " : "",
                                plg_axis_label (axes[i]), degree);
    }
  if (offer->training.sequence != before->training.sequence)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text, _ ("sequence %d"), offer->training.sequence);
    }
  if (offer->training.recompute != before->training.recompute)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", _ ("full recompute"));
  if (offer->parallelism.zero != before->parallelism.zero)
    g_string_append_printf (text, "%sZeRO %d", text->len > 0 ? " · " : "", offer->parallelism.zero);
  return g_string_free (text, FALSE);
}
