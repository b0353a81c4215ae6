/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/explanation.h"

#include "engine/report/explainer.h"

static void
clear_explanation (gpointer data)
{
  PlgExplanation *explanation = data;

  g_free (explanation->title);
  g_free (explanation->id);
  g_free (explanation->symbols);
  g_free (explanation->numbers);
  g_free (explanation->result);
  g_free (explanation->note);
}

GArray *
plg_explain (const PlgPlan *plan, const PlgReport *report, const char *panel)
{
  static const struct
  {
    const char *panel;
    void (*explain) (PlgExplainer *self);
  } panels[] = {
    { "mfu", plg_explain_step },      { "memory", plg_explain_memory },
    { "bubble", plg_explain_bubble }, { "communication", plg_explain_communication },
    { "run", plg_explain_run },
  };
  PlgExplainer self = { .plan = plan, .report = report };

  self.list = g_array_new (FALSE, TRUE, sizeof (PlgExplanation));
  g_array_set_clear_func (self.list, clear_explanation);
  for (guint i = 0; i < G_N_ELEMENTS (panels); i++)
    if (report->redaction == 0 && (panel == NULL || g_str_equal (panel, panels[i].panel)))
      {
        self.panel = panels[i].panel;
        panels[i].explain (&self);
      }
  return self.list;
}
