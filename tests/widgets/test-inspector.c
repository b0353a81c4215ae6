/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "plan/setting.h"
#include "widgets/inspector.h"
#include "widgets/order-menu.h"
#include "widgets/setting-row.h"

typedef struct
{
  PlgDocument *document;
  GtkWidget *inspector;
  GtkWindow *window;
  int refused;
  char *message; /* of the last refusal */
} Rig;

static void
refused_cb (Rig *rig, const char *message)
{
  rig->refused++;
  g_free (rig->message);
  rig->message = g_strdup (message);
}

static void
set_up (Rig *rig, gconstpointer data)
{
  rig->document = rig_document ();
  rig->inspector = g_object_new (PLG_TYPE_INSPECTOR, NULL);
  plg_inspector_set_document (PLG_INSPECTOR (rig->inspector), rig->document);
  g_signal_connect_swapped (rig->inspector, "refused", G_CALLBACK (refused_cb), rig);
  rig->window = rig_show (rig->inspector, 320, 900);
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  rig_close (rig->window);
  g_assert_finalize_object (rig->document);
  g_free (rig->message);
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

/* As a person does: text, and the Return key or the focus going on. */
static void
type_number (Rig *rig, const char *key, const char *text)
{
  GtkWidget *spin = control (rig, key, GTK_TYPE_SPIN_BUTTON);

  gtk_editable_set_text (GTK_EDITABLE (spin), text);
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
}

static char *
value_of (Rig *rig, const char *key)
{
  return plg_setting_get (plg_setting_find (key), plg_document_plan (rig->document));
}

/* What no plan can have is refused with its limits, not made something else. */
static void
test_bad_text (Rig *rig, gconstpointer data)
{
  static const char *const cases[][2] = {
    { "parallelism.tp", "abc" },
    { "parallelism.tp", "0" },
    { "parallelism.tp", "99999999" },
    { "parallelism.tp", "" },
    { "cluster.nodes", "-1" },
    { "cluster.nodes", "8.5" },
    { "training.global-batch", "9999999999999999999999" },
    { "training.global-batch", "0x10" },
    { "model.layers", "nan" },
    { "model.vocabulary", "1e5" },
    { "cluster.memory", "-80" },
    { "cluster.memory", "1e400" },
    { "cluster.memory", "inf" },
    { "cluster.peak", "much" },
    { "cluster.oversubscription", "0.5" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *key = cases[i][0];
      GtkEditable *spin = GTK_EDITABLE (control (rig, key, GTK_TYPE_SPIN_BUTTON));
      g_autofree char *shown = g_strdup (gtk_editable_get_text (spin));
      g_autofree char *before = value_of (rig, key);
      g_autofree char *after = NULL;

      type_number (rig, key, cases[i][1]);
      after = value_of (rig, key);
      g_assert_cmpint (rig->refused, ==, i + 1);
      g_assert_nonnull (strstr (rig->message, "use a "));
      g_assert_nonnull (strstr (rig->message, " from "));
      g_assert_nonnull (strstr (rig->message, cases[i][1]));
      g_assert_cmpstr (after, ==, before);
      g_assert_cmpstr (gtk_editable_get_text (spin), ==, shown);
    }
  g_assert_false (plg_document_undo (rig->document));
}

/* All digits that were typed arrive, and looking at them takes none away. */
static void
test_exact_text (Rig *rig, gconstpointer data)
{
  static const char *const numbers[] = { "450.37", "0.125", "79.6474609375", "123456.789" };
  const char *key = "cluster.intra-bandwidth";
  GtkWidget *spin = control (rig, key, GTK_TYPE_SPIN_BUTTON);

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autofree char *value = NULL;

      type_number (rig, key, numbers[i]);
      gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
      value = value_of (rig, key);
      g_assert_cmpstr (value, ==, numbers[i]);
    }
  g_assert_cmpint (rig->refused, ==, 0);
}

/* Going through all numbers is no change. */
static void
test_focus_changes_nothing (Rig *rig, gconstpointer data)
{
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    {
      GtkWidget *row = rig_find (rig->inspector, PLG_TYPE_SETTING_ROW, has_title,
                                 (gpointer) settings[i].title);
      GtkWidget *spin = row != NULL ? rig_find (row, GTK_TYPE_SPIN_BUTTON, NULL, NULL) : NULL;

      if (spin != NULL)
        gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
    }
  g_assert_false (plg_document_is_modified (rig->document));
  g_assert_false (plg_document_undo (rig->document));
  g_test_message ("%s", rig->message != NULL ? rig->message : "nothing refused");
  g_assert_cmpint (rig->refused, ==, 0);
}

/* One click goes to the next number that the plan accepts. */
static void
test_steps_are_accepted (Rig *rig, gconstpointer data)
{
  static const char *const keys[] = {
    "parallelism.tp",        "parallelism.pp",    "parallelism.dp", "training.global-batch",
    "training.micro-batch",  "cluster.nodes",     "model.heads",    "model.layers",
    "cluster.gpus-per-node", "training.sequence", "cluster.peak",
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    for (GtkSpinType type = GTK_SPIN_STEP_FORWARD; type <= GTK_SPIN_STEP_BACKWARD; type++)
      {
        GtkWidget *spin = control (rig, keys[i], GTK_TYPE_SPIN_BUTTON);
        const PlgSetting *setting = plg_setting_find (keys[i]);
        const PlgPlan *plan;
        double before = gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin));
        double after;

        rig->refused = 0;
        gtk_spin_button_spin (GTK_SPIN_BUTTON (spin), type, 1);
        plan = plg_document_plan (rig->document);
        after = plg_setting_get_number (setting, plan);
        g_test_message ("%s: %g, %g", keys[i], before, after);
        /* There is no such number: all is as before. */
        if (rig->refused > 0 || (before <= setting->minimum && type == GTK_SPIN_STEP_BACKWARD))
          g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin)), ==, before);
        else if (type == GTK_SPIN_STEP_FORWARD)
          g_assert_cmpfloat (after, >, before);
        else
          g_assert_cmpfloat (after, <, before);
        g_assert_true (plg_plan_check (plan, NULL));
        while (plg_document_undo (rig->document))
          ;
      }
}

static void
test_next_batch (Rig *rig, gconstpointer data)
{
  GtkSpinButton *batch = GTK_SPIN_BUTTON (control (rig, "training.global-batch",
                                                   GTK_TYPE_SPIN_BUTTON));
  int replicas = degree (rig, PLG_AXIS_DP);

  gtk_spin_button_spin (batch, GTK_SPIN_STEP_FORWARD, 1);
  g_assert_cmpint (rig->refused, ==, 0);
  g_assert_cmpfloat (gtk_spin_button_get_value (batch), >, 64);
  g_assert_cmpint (plg_document_plan (rig->document)->training.global_batch % replicas, ==, 0);
}

/* A peak that the plan takes from its GPU is that number, marked as not the plan's own. */
static void
test_own_peak (Rig *rig, gconstpointer data)
{
  GtkWidget *spin = control (rig, "cluster.peak", GTK_TYPE_SPIN_BUTTON);
  const PlgGpu *gpu = &plg_document_plan (rig->document)->cluster.gpu;
  double peak = gpu->peak[plg_document_plan (rig->document)->training.precision] / 1e12;

  g_assert_cmpfloat_with_epsilon (gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin)), peak, 1e-9);
  g_assert_true (gtk_widget_has_css_class (spin, "own"));
  type_number (rig, "cluster.peak", "500");
  g_assert_cmpfloat (plg_document_plan (rig->document)->cluster.peak, ==, 500e12);
  g_assert_false (gtk_widget_has_css_class (spin, "own"));
  type_number (rig, "cluster.peak", "0");
  g_assert_cmpfloat (plg_document_plan (rig->document)->cluster.peak, ==, 0);
  g_assert_true (gtk_widget_has_css_class (spin, "own"));
  g_assert_cmpint (rig->refused, ==, 0);
}

static int
count_wheels (GtkWidget *widget)
{
  int n = 0;
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      n += GTK_IS_EVENT_CONTROLLER_SCROLL (controller) &&
           gtk_event_controller_get_propagation_phase (controller) != GTK_PHASE_NONE;
    }
  return n;
}

/* The wheel over a control scrolls the column. */
static void
test_wheel (Rig *rig, gconstpointer data)
{
  g_assert_cmpint (count_wheels (control (rig, "parallelism.tp", GTK_TYPE_SPIN_BUTTON)), ==, 0);
  g_assert_cmpint (count_wheels (control (rig, "cluster.memory", GTK_TYPE_SPIN_BUTTON)), ==, 0);
  g_assert_cmpint (count_wheels (control (rig, "model.name", GTK_TYPE_DROP_DOWN)), ==, 0);
}

static gboolean
is_chip (GtkWidget *widget, gpointer name)
{
  return gtk_widget_has_css_class (widget, "chip") && gtk_widget_has_css_class (widget, name);
}

static gboolean
drop (GtkWidget *chip, GtkWidget *dragged)
{
  GtkEventController *target = rig_controller (chip, GTK_TYPE_DROP_TARGET);
  g_auto (GValue) value = G_VALUE_INIT;
  gboolean taken = FALSE;

  g_value_init (&value, GTK_TYPE_BUTTON);
  g_value_set_object (&value, dragged);
  g_signal_emit_by_name (target, "drop", &value, 1.0, 1.0, &taken);
  return taken;
}

/* A chip that is dropped on another takes its place; what comes from elsewhere does nothing. */
static void
test_drop (Rig *rig, gconstpointer data)
{
  GtkWidget *tp = rig_find (rig->inspector, GTK_TYPE_BUTTON, is_chip, (gpointer) "tp");
  GtkWidget *dp = rig_find (rig->inspector, GTK_TYPE_BUTTON, is_chip, (gpointer) "dp");
  GtkWidget *stranger = g_object_ref_sink (gtk_button_new ());

  g_assert_false (drop (tp, stranger));
  g_assert_false (plg_document_is_modified (rig->document));
  g_assert_true (drop (dp, tp));
  g_assert_cmpint (plg_document_plan (rig->document)->parallelism.order[3], ==, PLG_AXIS_TP);
  g_object_unref (stranger);
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
      g_assert_false (gtk_test_accessible_has_relation (GTK_ACCESSIBLE (widget),
                                                        GTK_ACCESSIBLE_RELATION_LABELLED_BY));
      if (GTK_IS_DROP_DOWN (widget)) /* its button is what the focus goes to */
        gtk_test_accessible_assert_property (GTK_ACCESSIBLE (gtk_widget_get_first_child (widget)),
                                             GTK_ACCESSIBLE_PROPERTY_LABEL, settings[i].title);
      rows++;
    }
  g_assert_cmpint (rows, >, 20);
}

/* The menu beside the chips: one click, one step; what is used is marked. */
static void
test_order_of_a_program (Rig *rig, gconstpointer data)
{
  PlgOrderMenu *menu = PLG_ORDER_MENU (rig_find (rig->inspector, PLG_TYPE_ORDER_MENU, NULL, NULL));
  GtkListBox *list = GTK_LIST_BOX (rig_find (GTK_WIDGET (menu), GTK_TYPE_LIST_BOX, NULL, NULL));
  g_autofree char *order = NULL;
  int n;

  plg_order_presets (&n);
  g_assert_nonnull (gtk_list_box_get_row_at_index (list, n - 1));
  g_assert_null (gtk_list_box_get_row_at_index (list, n));
  g_signal_emit_by_name (list, "row-activated", gtk_list_box_get_row_at_index (list, 0));
  order = plg_order_to_string (&plg_document_plan (rig->document)->parallelism);
  g_assert_cmpstr (order, ==, "tp-cp-dp-pp");
  g_assert_cmpstr (plg_document_undo_label (rig->document), ==, "Order of Megatron-LM");
  gtk_test_accessible_assert_state (gtk_list_box_get_row_at_index (list, 0),
                                    GTK_ACCESSIBLE_STATE_SELECTED, TRUE);
  gtk_test_accessible_assert_state (gtk_list_box_get_row_at_index (list, 1),
                                    GTK_ACCESSIBLE_STATE_SELECTED, FALSE);
  g_assert_true (plg_document_undo (rig->document));
  gtk_test_accessible_assert_state (gtk_list_box_get_row_at_index (list, 1),
                                    GTK_ACCESSIBLE_STATE_SELECTED, TRUE);
}

int
main (int argc, char **argv)
{
  if (!rig_init (&argc, &argv))
    return 0;
#define ADD(name, function) g_test_add ("/inspector/" name, Rig, NULL, set_up, function, tear_down)
  ADD ("step", test_step);
  ADD ("refusal", test_refusal);
  ADD ("bad-text", test_bad_text);
  ADD ("exact-text", test_exact_text);
  ADD ("focus-changes-nothing", test_focus_changes_nothing);
  ADD ("steps-are-accepted", test_steps_are_accepted);
  ADD ("next-batch", test_next_batch);
  ADD ("own-peak", test_own_peak);
  ADD ("wheel", test_wheel);
  ADD ("drop", test_drop);
  ADD ("order-of-a-program", test_order_of_a_program);
  ADD ("follows-undo", test_follows_undo);
  ADD ("model", test_model);
  ADD ("every-control-is-named", test_every_control_is_named);
#undef ADD
  return g_test_run ();
}
