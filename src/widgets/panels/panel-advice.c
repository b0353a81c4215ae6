/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/panels/panels-private.h"

#include "engine/advice/advice.h"
#include "engine/evaluate.h"
#include "engine/report/redaction.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MOST 6
/* The search for a better plan starts after this time without an edit [ms], so that it takes no
 * processor time from edits. */
#define SEARCH_DELAY 600

static void
try_it_cb (GtkButton *button, PlgPanels *self)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (self->document));
  g_autoptr (GError) error = NULL;
  const char *edits = g_object_get_data (G_OBJECT (button), "edits");
  g_auto (GStrv) assignments = g_strsplit (edits, " ", -1);

  if (!plg_settings_apply (plan, plg_document_catalogue (self->document),
                           (const char *const *) assignments, &error) ||
      !plg_document_apply (self->document, plan, edits, NULL, &error))
    g_signal_emit_by_name (self, "refused", error->message);
}

static const char *
severity_icon (PlgSeverity severity)
{
  switch (severity)
    {
    case PLG_SEVERITY_ERROR:
      return "dialog-error-symbolic";
    case PLG_SEVERITY_WARNING:
      return "dialog-warning-symbolic";
    case PLG_SEVERITY_HINT:
    default:
      return "dialog-information-symbolic";
    }
}

static GtkWidget *
new_text (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (label), 16);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *
new_finding (PlgPanels *self, const PlgFinding *finding)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *icon = gtk_image_new_from_icon_name (severity_icon (finding->severity));

  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  gtk_widget_add_css_class (icon, plg_severity_name (finding->severity));
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_box_append (GTK_BOX (texts), new_text (finding->text, NULL));
  if (finding->remedy != NULL)
    gtk_box_append (GTK_BOX (texts), new_text (finding->remedy, "dim-label"));
  gtk_box_append (GTK_BOX (row), icon);
  gtk_box_append (GTK_BOX (row), texts);
  /* Place the button below the text, because the text takes the full width. */
  if (finding->edits != NULL)
    {
      GtkWidget *button = gtk_button_new_with_label (_ ("Try It"));
      g_autofree char *name = g_strdup_printf (_ ("Try it: %s"), finding->remedy);

      g_object_set_data_full (G_OBJECT (button), "edits", g_strdup (finding->edits), g_free);
      gtk_widget_set_halign (button, GTK_ALIGN_END);
      gtk_widget_add_css_class (button, "flat");
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                      -1);
      g_signal_connect_object (button, "clicked", G_CALLBACK (try_it_cb), self, 0);
      gtk_box_append (GTK_BOX (texts), button);
    }
  /* A fault that slows the step may be hidden by another stage. */
  if (g_str_equal (finding->id, "fault") && finding->gain > 0.0 &&
      plg_document_report (self->document)->degree[PLG_AXIS_PP] > 1)
    {
      GtkWidget *button = gtk_button_new_with_label (_ ("Place for Me"));

      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.place");
      gtk_widget_set_tooltip_text (button, _ ("Find the nodes on which the step is fastest"));
      gtk_widget_set_halign (button, GTK_ALIGN_END);
      gtk_widget_add_css_class (button, "flat");
      gtk_box_append (GTK_BOX (texts), button);
    }
  return row;
}

static gboolean
same_findings (PlgPanels *self, const PlgReport *report, guint n)
{
  if (self->shown->len != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (strcmp (g_ptr_array_index (self->shown, i),
                g_array_index (report->findings, PlgFinding, i).text) != 0)
      return FALSE;
  return TRUE;
}

/* Shows the findings of REPORT. */
static void
show_findings (PlgPanels *self, const PlgReport *report)
{
  guint n = MIN (report->findings->len, MOST);
  GtkWidget *child;

  if (same_findings (self, report, n) && n > 0)
    return;
  while ((child = gtk_widget_get_first_child (self->findings)) != NULL)
    gtk_box_remove (GTK_BOX (self->findings), child);
  g_ptr_array_set_size (self->shown, 0);
  for (guint i = 0; i < n; i++)
    {
      const PlgFinding *finding = &g_array_index (report->findings, PlgFinding, i);
      gtk_box_append (GTK_BOX (self->findings), new_finding (self, finding));
      g_ptr_array_add (self->shown, g_strdup (finding->text));
    }
  plg_card_set_value (self->advice, NULL, NULL, NULL,
                      plg_redaction_is_later (report->redaction, PLG_REDACT_ALL)
                          ? _ ("Shown after a later question")
                      : plg_report_hides (report, PLG_REDACT_ALL) ? _ ("Shown after you answer")
                      : plg_document_policy (self->document)->hides_findings
                          ? _ ("None in this step of the lesson")
                      : n == 0 ? _ ("Nothing stands out")
                               : NULL);
}

/* The search */

/* In a lesson, the findings must not depend on a search, because the search would lead past the
 * task of the lesson. */
static gboolean
may_search (PlgPanels *self)
{
  const PlgEditPolicy *policy = plg_document_policy (self->document);

  return policy->redact_data == NULL && policy->keys == NULL && !policy->awaits_answer &&
         !policy->hides_findings && policy->redaction == 0;
}

static gboolean
was_searched (PlgPanels *self)
{
  return self->searched_plan != NULL &&
         plg_plan_same_design (self->searched_plan, plg_document_committed_plan (self->document));
}

/* Runs in a thread. */
static void
search (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const PlgPlan *plan = data;
  PlgReport *report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);

  if (report != NULL)
    {
      plg_report_advise (report, plan);
      plg_report_advise_by_search (report, plan, NULL);
    }
  g_task_return_pointer (task, report, (GDestroyNotify) plg_report_unref);
}

/* DATA is a weak reference to the panels, so that a search does not keep a closed window alive. */
static void
searched_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  GWeakRef *weak = data;
  g_autoptr (PlgPanels) self = g_weak_ref_get (weak);
  PlgReport *report = g_task_propagate_pointer (G_TASK (result), NULL);

  g_weak_ref_clear (weak);
  g_free (weak);
  if (self != NULL)
    self->is_searching = FALSE;
  if (self == NULL || report == NULL || self->document == NULL)
    {
      g_clear_pointer (&report, plg_report_unref);
      return;
    }
  g_clear_pointer (&self->searched_report, plg_report_unref);
  g_clear_pointer (&self->searched_plan, plg_plan_free);
  self->searched_report = report;
  self->searched_plan = plg_plan_copy (g_task_get_task_data (G_TASK (result)));
  if (may_search (self) && was_searched (self) && !plg_document_is_previewing (self->document))
    show_findings (self, report);
}

static gboolean
begin_search_cb (gpointer data)
{
  PlgPanels *self = data;
  GWeakRef *weak;
  GTask *task;

  if (self->is_searching || plg_document_is_previewing (self->document))
    return G_SOURCE_CONTINUE;
  self->advice_timeout_id = 0;
  if (!may_search (self) || was_searched (self))
    return G_SOURCE_REMOVE;
  self->is_searching = TRUE;
  weak = g_new (GWeakRef, 1);
  g_weak_ref_init (weak, self);
  task = g_task_new (NULL, NULL, searched_cb, weak);
  g_task_set_source_tag (task, begin_search_cb);
  g_task_set_task_data (task, plg_plan_copy (plg_document_committed_plan (self->document)),
                        (GDestroyNotify) plg_plan_free);
  g_task_run_in_thread (task, search);
  g_object_unref (task);
  return G_SOURCE_REMOVE;
}

void
plg_panels_clear_advice (PlgPanels *self)
{
  g_clear_handle_id (&self->advice_timeout_id, g_source_remove);
  g_clear_pointer (&self->searched_report, plg_report_unref);
  g_clear_pointer (&self->searched_plan, plg_plan_free);
}

void
plg_panels_update_advice (PlgPanels *self)
{
  gboolean uses_search = may_search (self) && was_searched (self);

  show_findings (self, uses_search ? self->searched_report : plg_document_report (self->document));
  g_clear_handle_id (&self->advice_timeout_id, g_source_remove);
  if (may_search (self) && !uses_search)
    self->advice_timeout_id = g_timeout_add (SEARCH_DELAY, begin_search_cb, self);
}
