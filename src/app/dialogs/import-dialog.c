/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/dialogs/import-dialog.h"

#include "app/dialogs/import-changes.h"
#include "io/import/plan-repair.h"
#include "widgets/accessible-names.h"

#include <glib/gi18n.h>

/* The maximum number of import notes shown in a group. The number is limited because each note
 * is a widget. */
#define SHOWN_NOTES 200

struct _PlgImportDialog
{
  AdwWindow parent_instance;

  PlgDocument *document;
  PlgImportResult *import;
  PlgPlan *plan; /* the imported plan with the chosen number of nodes; NULL if this plan is
                    impossible */
  AdwPreferencesGroup *changes;
  AdwPreferencesGroup *groups[3]; /* indexed by PlgNoteKind */
  AdwPreferencesGroup *understood;
  AdwPreferencesGroup *inferred;
  AdwPreferencesGroup *ignored;
  GtkWidget *repeat_group;
  GtkSpinButton *nodes;
  GPtrArray *rows; /* the rows that show CHANGES, borrowed */
  GtkWidget *problem;
  GtkWidget *apply;
};

G_DEFINE_FINAL_TYPE (PlgImportDialog, plg_import_dialog, ADW_TYPE_WINDOW)

/* Changes -------------------------------------------------------------------------------------- */

static void
add_change (PlgImportDialog *self, const char *title, const char *text)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), text);
  adw_preferences_group_add (self->changes, row);
  g_ptr_array_add (self->rows, row);
}

static void
show_problem (PlgImportDialog *self, const GError *error)
{
  gtk_label_set_label (GTK_LABEL (self->problem), error != NULL ? error->message : "");
  gtk_widget_set_visible (self->problem, error != NULL);
  gtk_widget_set_sensitive (self->apply, error == NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->changes), error == NULL);
}

static void
nodes_changed_cb (PlgImportDialog *self)
{
  g_autofree char *assignment = NULL;
  g_autoptr (PlgPlan) plan = NULL;
  g_autoptr (GError) error = NULL;

  if (self->import == NULL)
    return;
  plan = plg_plan_copy (self->import->plan);
  assignment = g_strdup_printf ("cluster.nodes=%d", gtk_spin_button_get_value_as_int (self->nodes));
  g_clear_pointer (&self->plan, plg_plan_free);
  if (plan->cluster.nodes == gtk_spin_button_get_value_as_int (self->nodes) ||
      plg_plan_repair (plan, plg_document_catalogue (self->document),
                       (const char *const[]) { assignment, NULL }, &error))
    self->plan = g_steal_pointer (&plan);
  show_problem (self, error);
  if (self->plan != NULL)
    {
      g_autoptr (PlgReport) report = plg_evaluate (self->plan, 0, NULL);
      g_autoptr (GPtrArray) changes = NULL;

      for (guint i = 0; i < self->rows->len; i++)
        adw_preferences_group_remove (self->changes, self->rows->pdata[i]);
      g_ptr_array_set_size (self->rows, 0);
      if (report == NULL)
        return;
      changes = plg_import_changes (plg_document_committed_plan (self->document),
                                    plg_document_committed_report (self->document), self->plan,
                                    report, plg_document_catalogue (self->document));
      for (guint i = 0; i < changes->len; i++)
        {
          const PlgImportChange *change = changes->pdata[i];

          add_change (self, change->title, change->text);
        }
      if (changes->len == 0)
        add_change (self, _ ("Nothing"), _ ("The plan already has these values"));
    }
}

/* Notes ---------------------------------------------------------------------------------------- */

static void
add_row (AdwPreferencesGroup *group, int line, const char *text)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *place = line > 0 ? g_strdup_printf (_ ("line %d"), line) : NULL;

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), text);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 0);
  if (place != NULL)
    {
      GtkWidget *label = gtk_label_new (place);

      gtk_widget_add_css_class (label, "dim-label");
      gtk_widget_add_css_class (label, "numeric");
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
    }
  adw_preferences_group_add (group, row);
}

static void
apply_cb (PlgImportDialog *self)
{
  g_autofree char *base = g_path_get_basename (self->import->name);
  g_autofree char *label = g_strdup_printf (_ ("Import of %s"), base);
  g_autoptr (GError) error = NULL;

  if (self->plan == NULL || !gtk_widget_get_sensitive (self->apply))
    return;
  if (plg_document_apply (self->document, self->plan, label, NULL, &error))
    gtk_window_close (GTK_WINDOW (self));
  else
    show_problem (self, error);
}

static void
plg_import_dialog_dispose (GObject *object)
{
  PlgImportDialog *self = PLG_IMPORT_DIALOG (object);

  g_clear_object (&self->document);
  g_clear_pointer (&self->import, plg_import_result_free);
  g_clear_pointer (&self->plan, plg_plan_free);
  G_OBJECT_CLASS (plg_import_dialog_parent_class)->dispose (object);
}

static void
plg_import_dialog_finalize (GObject *object)
{
  g_ptr_array_unref (PLG_IMPORT_DIALOG (object)->rows);
  G_OBJECT_CLASS (plg_import_dialog_parent_class)->finalize (object);
}

static void
plg_import_dialog_class_init (PlgImportDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_import_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = plg_import_dialog_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parallelogram/Parallelogram/ui/"
                                                             "import-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgImportDialog, changes);
  gtk_widget_class_bind_template_child (widget_class, PlgImportDialog, understood);
  gtk_widget_class_bind_template_child (widget_class, PlgImportDialog, inferred);
  gtk_widget_class_bind_template_child (widget_class, PlgImportDialog, ignored);
  gtk_widget_class_bind_template_child (widget_class, PlgImportDialog, repeat_group);
  gtk_widget_class_bind_template_child (widget_class, PlgImportDialog, nodes);
  gtk_widget_class_bind_template_child (widget_class, PlgImportDialog, problem);
  gtk_widget_class_bind_template_child (widget_class, PlgImportDialog, apply);
  gtk_widget_class_bind_template_callback (widget_class, nodes_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, apply_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
plg_import_dialog_init (PlgImportDialog *self)
{
  self->rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  plg_accessible_name_buttons (GTK_WIDGET (self));
  self->groups[PLG_NOTE_UNDERSTOOD] = self->understood;
  self->groups[PLG_NOTE_INFERRED] = self->inferred;
  self->groups[PLG_NOTE_IGNORED] = self->ignored;
  gtk_spin_button_set_range (self->nodes, 1, PLG_MAX_NODES);
}

PlgImportDialog *
plg_import_dialog_present (GtkWindow *parent, PlgDocument *document, PlgImportResult *import)
{
  PlgImportDialog *self = g_object_new (PLG_TYPE_IMPORT_DIALOG, "transient-for", parent, NULL);

  self->document = g_object_ref (document);
  self->import = import;

  g_autofree char *base = g_path_get_basename (self->import->name);
  g_autofree char *title = g_strdup_printf (_ ("From %s"), base);

  gtk_window_set_title (GTK_WINDOW (self), title);
  adw_preferences_group_set_description (self->changes, _ (self->import->format->title));
  for (int kind = PLG_NOTE_UNDERSTOOD; kind <= PLG_NOTE_IGNORED; kind++)
    {
      const GPtrArray *notes = self->import->notes;
      int n = 0;

      for (guint i = 0; i < notes->len; i++)
        {
          const PlgNote *note = notes->pdata[i];

          if (note->kind == kind && n++ < SHOWN_NOTES)
            add_row (self->groups[kind], note->line, note->text);
        }
      if (n > SHOWN_NOTES)
        {
          g_autofree char *more = g_strdup_printf (_ ("… and %d more"), n - SHOWN_NOTES);

          add_row (self->groups[kind], 0, more);
        }
      gtk_widget_set_visible (GTK_WIDGET (self->groups[kind]), n > 0);
    }
  gtk_widget_set_visible (self->repeat_group, self->import->is_one_node);
  gtk_spin_button_set_value (self->nodes, self->import->plan->cluster.nodes);
  nodes_changed_cb (self);

  gtk_window_present (GTK_WINDOW (self));
  gtk_widget_grab_focus (self->apply);
  return self;
}
