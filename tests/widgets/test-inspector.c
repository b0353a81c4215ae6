/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "plan/setting.h"
#include "widgets/inspector.h"
#include "widgets/setting-row.h"

typedef struct
{
  PlgDocument *document;
  GtkWidget *inspector;
  GtkWindow *window;
  int refused;
} Rig;

static void
set_up (Rig *rig, gconstpointer data)
{
  rig->document = rig_document ();
  rig->inspector = g_object_new (PLG_TYPE_INSPECTOR, NULL);
  plg_inspector_set_document (PLG_INSPECTOR (rig->inspector), rig->document);
  g_signal_connect_swapped (rig->inspector, "refused", G_CALLBACK (g_atomic_int_inc),
                            &rig->refused);
  rig->window = rig_show (rig->inspector, 320, 900);
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  rig_close (rig->window);
  g_assert_finalize_object (rig->document);
}

static gboolean
has_title (GtkWidget *widget, gpointer title)
{
  return strcmp (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title) == 0;
}

static GtkWidget *
control (Rig *rig, const char *key, GType type)
{
  GtkWidget *row = rig_find (rig->inspector, PLG_TYPE_SETTING_ROW, has_title,
                             (gpointer) plg_setting_find (key)->title);

  g_assert_nonnull (row);
  return rig_find (row, type, NULL, NULL);
}

static int
degree (Rig *rig, PlgAxis axis)
{
  return plg_document_plan (rig->document)->parallelism.degree[axis];
}

/* A step down goes to the next degree that divides, and DP takes the factor. */
static void
test_step (Rig *rig, gconstpointer data)
{
  GtkSpinButton *tp = GTK_SPIN_BUTTON (control (rig, "parallelism.tp", GTK_TYPE_SPIN_BUTTON));

  gtk_spin_button_spin (tp, GTK_SPIN_STEP_BACKWARD, 1);
  g_assert_cmpint (degree (rig, PLG_AXIS_TP), ==, 4);
  g_assert_cmpint (degree (rig, PLG_AXIS_DP), ==, 4);
  g_assert_cmpfloat (gtk_spin_button_get_value (tp), ==, 4);
  g_assert_cmpint (rig->refused, ==, 0);
}

/* What cannot be is refused aloud, and the control shows the plan again. */
static void
test_refusal (Rig *rig, gconstpointer data)
{
  GtkSpinButton *tp = GTK_SPIN_BUTTON (control (rig, "parallelism.tp", GTK_TYPE_SPIN_BUTTON));

  gtk_spin_button_set_value (tp, 3);
  g_assert_cmpint (rig->refused, ==, 1);
  g_assert_cmpint (degree (rig, PLG_AXIS_TP), ==, 8);
  g_assert_cmpfloat (gtk_spin_button_get_value (tp), ==, 8);
}

static void
test_follows_undo (Rig *rig, gconstpointer data)
{
  GtkSpinButton *batch = GTK_SPIN_BUTTON (control (rig, "training.global-batch",
                                                   GTK_TYPE_SPIN_BUTTON));

  gtk_spin_button_set_value (batch, 128);
  g_assert_cmpint (plg_document_plan (rig->document)->training.global_batch, ==, 128);
  g_assert_true (plg_document_undo (rig->document));
  g_assert_cmpfloat (gtk_spin_button_get_value (batch), ==, 64);
}

static void
test_model (Rig *rig, gconstpointer data)
{
  GtkDropDown *models = GTK_DROP_DOWN (control (rig, "model.name", GTK_TYPE_DROP_DOWN));
  const PlgCatalogue *catalogue = plg_document_catalogue (rig->document);

  for (int i = 0; i < plg_catalogue_n_models (catalogue); i++)
    if (strcmp (plg_catalogue_nth_model (catalogue, i)->name, "llama3-8b") == 0)
      gtk_drop_down_set_selected (models, i);
  g_assert_cmpstr (plg_document_plan (rig->document)->model.name, ==, "llama3-8b");
  g_assert_cmpint (plg_document_plan (rig->document)->model.hidden, ==, 4096);
}

/* Each control has a name of its own for assistive technology. */
static void
test_every_control_is_named (Rig *rig, gconstpointer data)
{
  int n;
  const PlgSetting *settings = plg_settings (&n);
  int rows = 0;

  for (int i = 0; i < n; i++)
    {
      GtkWidget *row = rig_find (rig->inspector, PLG_TYPE_SETTING_ROW, has_title,
                                 (gpointer) settings[i].title);
      GtkWidget *widget = row != NULL ? adw_action_row_get_activatable_widget (ADW_ACTION_ROW (row))
                                      : NULL;

      if (row == NULL)
        continue;
      g_assert_nonnull (widget);
      gtk_test_accessible_assert_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                           settings[i].title);
      rows++;
    }
  g_assert_cmpint (rows, >, 20);
}

int
main (int argc, char **argv)
{
  if (!rig_init (&argc, &argv))
    return 0;
#define ADD(name, function) g_test_add ("/inspector/" name, Rig, NULL, set_up, function, tear_down)
  ADD ("step", test_step);
  ADD ("refusal", test_refusal);
  ADD ("follows-undo", test_follows_undo);
  ADD ("model", test_model);
  ADD ("every-control-is-named", test_every_control_is_named);
#undef ADD
  return g_test_run ();
}
