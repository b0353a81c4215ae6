/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/panels/panels-private.h"

#include "io/reports/similar-runs-text.h"
#include "plan/quantity.h"
#include "widgets/panels/line-list.h"

#include <glib/gi18n-lib.h>

/* The MFU with its error band, and the published runs like the plan. */

/* The runs are found after this time without an edit [ms], and never during a drag. */
#define FIND_DELAY 200

static void
add_run (GtkBox *box, GtkWidget **line, const PlgSimilarRun *similar)
{
  g_auto (PlgSimilarRunText) text = plg_similar_run_text (similar);
  g_autofree char *measured = g_strdup_printf (_ ("Measured: %s"), text.measured);
  g_autofree char *predicted = g_strdup_printf (_ ("This engine: %s, %s"), text.predicted,
                                                text.error);
  g_autofree char *source = g_strdup_printf (_ ("Source: %s; %s"), text.source, text.locator);

  plg_line_list_set (box, line, text.title, "heading");
  plg_line_list_set (box, line, measured, NULL);
  plg_line_list_set (box, line, predicted, NULL);
  if (text.reason != NULL)
    plg_line_list_set (box, line, text.reason, "caption");
  plg_line_list_set (box, line, source, "caption");
  if (similar->run->is_fitted)
    plg_line_list_set (box, line, _ ("Constants were fitted to this run."), "caption");
}

void
plg_panels_update_mfu (PlgPanels *self)
{
  const PlgReport *report = plg_document_report (self->document);
  const PlgSimilarRuns *similar = plg_document_known_similar_runs (self->document);
  g_autofree char *mfu = similar != NULL ? plg_similar_runs_share (similar, report->step.mfu)
                                         : NULL;
  g_autofree char *flops = plg_format_flops (report->step.flops_per_second_per_gpu);
  g_autofree char *time = plg_format_time (report->step.time);
  g_autofree char *tokens = plg_format_count (report->step.tokens_per_second);
  g_autofree char *days = plg_format_number (report->step.days, 3);
  g_autofree char *total = plg_format_count (plg_document_plan (self->document)->training.tokens);
  g_autofree char *subtitle =
      g_strdup_printf (_ ("%s per GPU · %s per step\n%s tokens/s · %s days for %s tokens"), flops,
                       time, tokens, days, total);

  if (mfu == NULL)
    mfu = plg_format_share (report->step.mfu);
  plg_card_set_value (self->mfu, mfu, NULL, NULL, subtitle);
}

/* Writes the runs if their list is unfolded. */
static void
show_runs (PlgPanels *self)
{
  const PlgSimilarRuns *similar = plg_document_known_similar_runs (self->document);
  GtkWidget *line = gtk_widget_get_first_child (GTK_WIDGET (self->runs_lines));
  g_autofree char *sentence = NULL;

  gtk_widget_set_visible (self->runs_expander, similar != NULL);
  if (similar == NULL || !gtk_expander_get_expanded (GTK_EXPANDER (self->runs_expander)))
    return;
  sentence = plg_similar_runs_describe (similar);
  plg_line_list_set (self->runs_lines, &line, sentence, NULL);
  for (int i = 0; i < similar->n; i++)
    add_run (self->runs_lines, &line, &similar->runs[i]);
  plg_line_list_end (self->runs_lines, line, self->runs_expander);
}

static gboolean
find_cb (gpointer data)
{
  PlgPanels *self = data;

  self->runs_timeout_id = 0;
  if (plg_document_is_previewing (self->document))
    return G_SOURCE_REMOVE;
  plg_document_similar_runs (self->document);
  plg_panels_update_mfu (self);
  show_runs (self);
  return G_SOURCE_REMOVE;
}

void
plg_panels_update_similar_runs (PlgPanels *self)
{
  g_clear_handle_id (&self->runs_timeout_id, g_source_remove);
  if (!plg_document_is_previewing (self->document))
    self->runs_timeout_id = g_timeout_add_full (G_PRIORITY_LOW, FIND_DELAY, find_cb, self, NULL);
}

void
plg_panels_show_similar_runs_cb (PlgPanels *self)
{
  if (self->document != NULL)
    show_runs (self);
}
