/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "engine/report/redaction.h"
#include "io/plan/catalogue-xml.h"
#include "plan/settings/setting.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/limit-label.h"
#include "widgets/inspector/nesting-row.h"
#include "widgets/inspector/order-menu.h"
#include "widgets/inspector/setting-row.h"

typedef struct
{
  PlgDocument *document;
  GtkWidget *inspector;
  GtkWindow *window;
} Rig;

static void
set_up (Rig *rig, gconstpointer data)
{
  rig->document = rig_document ();
  rig->inspector = g_object_new (PLG_TYPE_INSPECTOR, NULL);
  plg_inspector_set_document (PLG_INSPECTOR (rig->inspector), rig->document);
  rig->window = rig_show (rig->inspector, 320, 900);
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  rig_close (rig->window);
  g_assert_finalize_object (rig->document);
}

static gboolean
has_key (GtkWidget *widget, gpointer key)
{
  return strcmp (plg_setting_row_get_setting (PLG_SETTING_ROW (widget))->key, key) == 0;
}

static GtkWidget *
row_of (Rig *rig, const char *key)
{
  return rig_find (rig->inspector, PLG_TYPE_SETTING_ROW, has_key, (gpointer) key);
}

static GtkWidget *
control (Rig *rig, const char *key, GType type)
{
  GtkWidget *row = row_of (rig, key);

  g_assert_nonnull (row);
  return rig_find (row, type, NULL, NULL);
}

/* Returns why the row of KEY refused a value, or NULL. */
static const char *
message_of (Rig *rig, const char *key)
{
  return plg_setting_row_get_message (PLG_SETTING_ROW (row_of (rig, key)));
}

static gboolean
has_message (GtkWidget *row, gpointer data)
{
  return plg_setting_row_get_message (PLG_SETTING_ROW (row)) != NULL;
}

#define assert_nothing_refused(rig) \
  g_assert_null (rig_find (rig->inspector, PLG_TYPE_SETTING_ROW, has_message, NULL))

static int
degree (Rig *rig, PlgAxis axis)
{
  return plg_document_plan (rig->document)->parallelism.degree[axis];
}

/* A step down selects the next divisor, and DP takes the factor. */
static void
test_step (Rig *rig, gconstpointer data)
{
  GtkSpinButton *tp = GTK_SPIN_BUTTON (control (rig, "parallelism.tp", GTK_TYPE_SPIN_BUTTON));

  gtk_spin_button_spin (tp, GTK_SPIN_STEP_BACKWARD, 1);
  g_assert_cmpint (degree (rig, PLG_AXIS_TP), ==, 4);
  g_assert_cmpint (degree (rig, PLG_AXIS_DP), ==, 4);
  g_assert_cmpfloat (gtk_spin_button_get_value (tp), ==, 4);
  assert_nothing_refused (rig);
}

/* A step of a share is a tenth. */
static void
test_step_of_share (Rig *rig, gconstpointer data)
{
  GtkSpinButton *share = GTK_SPIN_BUTTON (control (rig, "training.offload-optimizer",
                                                   GTK_TYPE_SPIN_BUTTON));

  for (int i = 0; i < 3; i++)
    gtk_spin_button_spin (share, GTK_SPIN_STEP_FORWARD, 0);
  g_assert_cmpfloat (plg_document_plan (rig->document)->training.offload_optimizer, ==, 0.3);
  assert_nothing_refused (rig);
}

/* An impossible value is refused in its row, and the control shows the plan again. */
static void
test_refusal (Rig *rig, gconstpointer data)
{
  GtkSpinButton *tp = GTK_SPIN_BUTTON (control (rig, "parallelism.tp", GTK_TYPE_SPIN_BUTTON));

  gtk_spin_button_set_value (tp, 3);
  g_assert_nonnull (message_of (rig, "parallelism.tp"));
  g_assert_cmpint (degree (rig, PLG_AXIS_TP), ==, 8);
  g_assert_cmpfloat (gtk_spin_button_get_value (tp), ==, 8);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (tp)), ==, "8");
}

/* Types text and ends with Return or a change of focus. */
static void
type_number (Rig *rig, const char *key, const char *text)
{
  GtkWidget *spin = control (rig, key, GTK_TYPE_SPIN_BUTTON);

  gtk_editable_set_text (GTK_EDITABLE (spin), text);
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
}

static gboolean
press (GtkWidget *control, guint key)
{
  gboolean taken = FALSE;

  g_signal_emit_by_name (rig_controller (control, GTK_TYPE_EVENT_CONTROLLER_KEY), "key-pressed",
                         key, 0, 0, &taken);
  return taken;
}

static char *
value_of (Rig *rig, const char *key)
{
  return plg_setting_get (plg_setting_find (key), plg_document_plan (rig->document));
}

/* A value outside its limits is refused with the limits and stays in the entry until Escape. */
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
      const char *key = cases[i][0], *message;
      GtkEditable *spin = GTK_EDITABLE (control (rig, key, GTK_TYPE_SPIN_BUTTON));
      g_autofree char *shown = g_strdup (gtk_editable_get_text (spin));
      g_autofree char *before = value_of (rig, key);
      g_autofree char *after = NULL;

      type_number (rig, key, cases[i][1]);
      after = value_of (rig, key);
      message = message_of (rig, key);
      g_assert_nonnull (message);
      g_assert_nonnull (strstr (message, "use a "));
      g_assert_nonnull (strstr (message, " from "));
      g_assert_nonnull (strstr (message, cases[i][1]));
      /* The row already names the setting. */
      g_assert_null (strstr (message, key));
      g_assert_cmpstr (after, ==, before);
      g_assert_cmpstr (gtk_editable_get_text (spin), ==, cases[i][1]);
      press (GTK_WIDGET (spin), GDK_KEY_Escape);
      g_assert_null (message_of (rig, key));
      g_assert_cmpstr (gtk_editable_get_text (spin), ==, shown);
    }
  g_assert_false (plg_document_undo (rig->document));
}

/* All typed digits reach the plan, and focusing the entry removes none. */
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
  assert_nothing_refused (rig);
}

/* Moving through all numbers changes nothing. */
static void
test_focus_changes_nothing (Rig *rig, gconstpointer data)
{
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    {
      GtkWidget *row = row_of (rig, settings[i].key);
      GtkWidget *spin = row != NULL ? rig_find (row, GTK_TYPE_SPIN_BUTTON, NULL, NULL) : NULL;

      if (spin != NULL)
        gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
    }
  g_assert_false (plg_document_is_modified (rig->document));
  g_assert_false (plg_document_undo (rig->document));
  assert_nothing_refused (rig);
}

/* One click selects the next number that the plan accepts. */
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

        gtk_spin_button_spin (GTK_SPIN_BUTTON (spin), type, 1);
        plan = plg_document_plan (rig->document);
        after = plg_setting_get_number (setting, plan);
        g_test_message ("%s: %g, %g", keys[i], before, after);
        /* Without an accepted number, nothing changes. */
        if (message_of (rig, keys[i]) != NULL ||
            (before <= setting->minimum && type == GTK_SPIN_STEP_BACKWARD))
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
  assert_nothing_refused (rig);
  g_assert_cmpfloat (gtk_spin_button_get_value (batch), >, 64);
  g_assert_cmpint (plg_document_plan (rig->document)->training.global_batch % replicas, ==, 0);
}

/* A peak taken from the GPU is shown, with a mark that the plan has no peak of its own. */
static void
test_own_peak (Rig *rig, gconstpointer data)
{
  GtkWidget *spin = control (rig, "cluster.peak", GTK_TYPE_SPIN_BUTTON);
  const PlgGpu *gpu = &plg_document_plan (rig->document)->cluster.gpu;
  double peak = gpu->peak[plg_document_plan (rig->document)->training.precision] / 1e12;

  g_assert_cmpfloat_with_epsilon (gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin)), peak, 1e-9);
  g_assert_true (gtk_widget_has_css_class (spin, "derived"));
  type_number (rig, "cluster.peak", "500");
  g_assert_cmpfloat (plg_document_plan (rig->document)->cluster.peak, ==, 500e12);
  g_assert_false (gtk_widget_has_css_class (spin, "derived"));
  type_number (rig, "cluster.peak", "0");
  g_assert_cmpfloat (plg_document_plan (rig->document)->cluster.peak, ==, 0);
  g_assert_true (gtk_widget_has_css_class (spin, "derived"));
  assert_nothing_refused (rig);
}

/* The list price of the GPU is shown until the plan has a price of its own. */
static void
test_own_price (Rig *rig, gconstpointer data)
{
  GtkWidget *spin = control (rig, "cost.gpu-hour", GTK_TYPE_SPIN_BUTTON);
  const PlgPlan *plan = plg_document_plan (rig->document);

  g_assert_cmpfloat (plan->cost.gpu_hour, ==, 0);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin)), ==,
                     plan->cluster.gpu.gpu_hour);
  g_assert_true (gtk_widget_has_css_class (spin, "derived"));
  type_number (rig, "cost.gpu-hour", "2.5");
  g_assert_cmpfloat (plg_document_plan (rig->document)->cost.gpu_hour, ==, 2.5);
  g_assert_false (gtk_widget_has_css_class (spin, "derived"));
  type_number (rig, "cost.gpu-hour", "0");
  g_assert_true (gtk_widget_has_css_class (spin, "derived"));
  assert_nothing_refused (rig);
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

/* The scroll wheel over a control scrolls the column. */
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
drop_at (GtkWidget *on, GtkWidget *dragged, double x)
{
  GtkEventController *target = rig_controller (on, GTK_TYPE_DROP_TARGET);
  g_auto (GValue) value = G_VALUE_INIT;
  gboolean taken = FALSE;

  g_value_init (&value, GTK_TYPE_BUTTON);
  g_value_set_object (&value, dragged);
  g_signal_emit_by_name (target, "drop", &value, x, 1.0, &taken);
  return taken;
}

static gboolean
drop (GtkWidget *chip, GtkWidget *dragged)
{
  return drop_at (chip, dragged, 1);
}

/* A chip dropped on another chip takes its place; a foreign object has no effect. */
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

/* Returns the left edge of CHIP in ROW. */
static double
left_of (GtkWidget *chip, GtkWidget *row)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (chip, row, &bounds));
  g_assert_cmpfloat (bounds.size.width, >, 0);
  return bounds.origin.x;
}

/* A chip dropped between other chips, before the first or after the last takes that place. */
static void
test_drop_between_chips (Rig *rig, gconstpointer data)
{
  GtkWidget *row = rig_find (rig->inspector, PLG_TYPE_NESTING_ROW, NULL, NULL);
  GtkWidget *first = rig_find (row, GTK_TYPE_BUTTON, is_chip, (gpointer) "tp");
  GtkWidget *pp = rig_find (row, GTK_TYPE_BUTTON, is_chip, (gpointer) "pp");
  GtkWidget *last = rig_find (row, GTK_TYPE_BUTTON, is_chip, (gpointer) "dp");
  GtkWidget *stranger = g_object_ref_sink (gtk_button_new ());
  const PlgAxis *order = plg_document_plan (rig->document)->parallelism.order;

  rig_next_frame (row);
  g_assert_cmpint (order[0], ==, PLG_AXIS_TP);
  g_assert_false (drop_at (row, stranger, left_of (first, row) - 2));
  g_assert_true (drop_at (row, first, left_of (first, row) - 2));
  g_assert_false (plg_document_is_modified (rig->document));
  g_assert_true (drop_at (row, last, left_of (first, row) - 2));
  order = plg_document_plan (rig->document)->parallelism.order;
  g_assert_cmpint (order[0], ==, PLG_AXIS_DP);
  rig_next_frame (row);
  /* The first chip is DP now, the second TP; a drop between them changes nothing. */
  g_assert_true (drop_at (row, first, gtk_widget_get_width (row) - 2));
  order = plg_document_plan (rig->document)->parallelism.order;
  g_assert_cmpint (order[PLG_N_NESTED_AXES - 1], ==, PLG_AXIS_DP);
  rig_next_frame (row);
  g_assert_true (drop_at (row, first, left_of (last, row) - 2));
  order = plg_document_plan (rig->document)->parallelism.order;
  g_assert_cmpint (order[PLG_N_NESTED_AXES - 1], ==, PLG_AXIS_DP);
  g_assert_cmpint (order[PLG_N_NESTED_AXES - 2], ==, PLG_AXIS_TP);
  g_assert_true (gtk_widget_get_visible (pp));
  g_object_unref (stranger);
}

/* The name of a chip includes its place among the visible chips and the cost of its latest move. */
static void
test_chip_is_announced (Rig *rig, gconstpointer data)
{
  GtkWidget *tp = rig_find (rig->inspector, GTK_TYPE_BUTTON, is_chip, (gpointer) "tp");
  GtkWidget *dp = rig_find (rig->inspector, GTK_TYPE_BUTTON, is_chip, (gpointer) "dp");
  g_autofree char *said = NULL;

  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (dp), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Data parallelism, position 3 of 3, counted from the "
                                       "innermost axis. The Left and Right keys move the axis");
  g_assert_true (drop (dp, tp));
  said = gtk_test_accessible_check_property (GTK_ACCESSIBLE (dp), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                             "");
  g_test_message ("%s", said);
  g_assert_true (g_str_has_prefix (said, "Tensor parallelism, position 3 of 3, counted from the "
                                         "innermost axis. Step "));
  g_assert_nonnull (strstr (said, "; TP leaves the node"));
  /* The cost is gone when the focus returns. */
  gtk_widget_grab_focus (tp);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (dp), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Tensor parallelism, position 3 of 3, counted from the "
                                       "innermost axis. The Left and Right keys move the axis");
  g_assert_true (plg_document_undo (rig->document));
  g_assert_true (drop (dp, tp));
  g_assert_true (plg_document_undo (rig->document));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (tp), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Tensor parallelism, position 1 of 3, counted from the "
                                       "innermost axis. The Left and Right keys move the axis");
}

static gboolean
press_key (GtkWidget *chip, guint key)
{
  gboolean handled = FALSE;
  GListModel *controllers = gtk_widget_observe_controllers (chip);

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !handled; i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
        g_signal_emit_by_name (controller, "key-pressed", key, 0, 0, &handled);
    }
  g_object_unref (controllers);
  return handled;
}

/* The chips of EP and of the shard groups show a size, and their keys change the size. */
static void
test_size_chips (Rig *rig, gconstpointer data)
{
  const char *const settings[] = { "parallelism.tp=4",        "parallelism.pp=1",
                                   "parallelism.ep=8",        "parallelism.zero=1",
                                   "parallelism.replicate=2", NULL };
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (rig->document));
  GtkWidget *ep = rig_find (rig->inspector, GTK_TYPE_BUTTON, is_chip, (gpointer) "ep");
  GtkWidget *shard = rig_find (rig->inspector, GTK_TYPE_BUTTON, is_chip, (gpointer) "shard");

  g_assert_false (gtk_widget_get_visible (ep));
  g_assert_false (gtk_widget_get_visible (shard));
  plan->model.experts = 8;
  plan->model.top_k = 2;
  plan->model.expert_ffn = plan->model.ffn;
  g_assert_true (plg_settings_apply (plan, NULL, settings, NULL));
  g_assert_true (plg_document_apply (rig->document, plan, "setup", NULL, NULL));
  rig_next_frame (rig->inspector);
  g_assert_true (gtk_widget_get_visible (ep));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (ep)), ==, "EP 8");
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (shard)), ==, "HSDP 2 × 8");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (shard), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Hybrid sharding: 2 shard groups of 8 replicas. The Left "
                                       "and Right keys change the size of the groups");
  g_assert_true (press_key (ep, GDK_KEY_Left));
  g_assert_cmpint (degree (rig, PLG_AXIS_EP), ==, 4);
  g_assert_true (press_key (shard, GDK_KEY_Left));
  g_assert_cmpint (plg_document_plan (rig->document)->parallelism.replicate, ==, 4);
  g_assert_true (press_key (shard, GDK_KEY_Right));
  g_assert_cmpint (plg_document_plan (rig->document)->parallelism.replicate, ==, 2);
  g_assert_false (press_key (shard, GDK_KEY_Up));
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

/* Undo belongs to the plan; the entry's own undo would show obsolete numbers. */
static void
test_undo_in_text (Rig *rig, gconstpointer data)
{
  GtkWidget *spin = control (rig, "cluster.nodes", GTK_TYPE_SPIN_BUTTON);
  GtkWidget *text = rig_find (spin, GTK_TYPE_TEXT, NULL, NULL);

  gtk_widget_grab_focus (text);
  type_number (rig, "cluster.nodes", "4");
  type_number (rig, "cluster.nodes", "-3");
  type_number (rig, "cluster.nodes", "1.7");
  g_assert_true (plg_document_undo (rig->document));
  for (int i = 0; i < 3; i++)
    {
      g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (spin)), ==, "8");
      gtk_widget_activate_action (text, "text.undo", NULL);
    }
  g_assert_null (message_of (rig, "cluster.nodes"));
  text = rig_find (control (rig, "cluster.faults", GTK_TYPE_ENTRY), GTK_TYPE_TEXT, NULL, NULL);
  gtk_editable_set_text (GTK_EDITABLE (text), "nic");
  gtk_widget_activate_action (text, "text.undo", NULL);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (text)), ==, "nic");
}

/* A refused list of faults stays in the entry after the focus has left. */
static void
test_faults (Rig *rig, gconstpointer data)
{
  GtkEntry *entry = GTK_ENTRY (control (rig, "cluster.faults", GTK_TYPE_ENTRY));
  PlgView view = plg_document_plan (rig->document)->view;

  g_assert_nonnull (strstr (gtk_entry_get_placeholder_text (entry), "gpu:"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "nic:2.3=0, gpu:1=0,8");
  g_signal_emit_by_name (entry, "activate");
  g_assert_nonnull (message_of (rig, "cluster.faults"));
  g_assert_nonnull (strstr (message_of (rig, "cluster.faults"), "gpu:1=0.8"));
  view.show = PLG_SHOW_PP;
  plg_document_set_view (rig->document, &view);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "nic:2.3=0, gpu:1=0,8");
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (entry), "error"));

  gtk_editable_set_text (GTK_EDITABLE (entry), "nic:2.3=0, gpu:1=0.8");
  g_signal_emit_by_name (entry, "activate");
  g_assert_null (message_of (rig, "cluster.faults"));
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (entry), "error"));
  g_assert_cmpint (plg_document_plan (rig->document)->cluster.n_faults, ==, 2);
}

/* A layout by hand is applied, a bad one is refused with the place of the mistake, and an empty text
 * removes the layout. With PP 1, the row says why it is insensitive. */
static void
test_layout (Rig *rig, gconstpointer data)
{
  GtkEntry *entry = GTK_ENTRY (control (rig, "parallelism.layout", GTK_TYPE_ENTRY));
  GtkWidget *row = row_of (rig, "parallelism.layout");
  g_autofree char *layout = NULL, *none = NULL;

  gtk_editable_set_text (GTK_EDITABLE (entry), "Et*19|t*21|t*21|t*19L");
  g_signal_emit_by_name (entry, "activate");
  g_assert_null (message_of (rig, "parallelism.layout"));
  layout = value_of (rig, "parallelism.layout");
  g_assert_cmpstr (layout, ==, "Et*19|(t*21|)*2t*19L");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, layout);
  g_assert_cmpstr (gtk_widget_get_tooltip_text (GTK_WIDGET (entry)), ==, layout);

  gtk_editable_set_text (GTK_EDITABLE (entry), "Et*19|x|t*21|t*19L");
  g_signal_emit_by_name (entry, "activate");
  g_assert_nonnull (strstr (message_of (rig, "parallelism.layout"), "character 7"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "Et*19|t*21|t*21|t*18L");
  g_signal_emit_by_name (entry, "activate");
  g_assert_nonnull (strstr (message_of (rig, "parallelism.layout"), "has t 79 times"));

  gtk_editable_set_text (GTK_EDITABLE (entry), "");
  g_signal_emit_by_name (entry, "activate");
  g_assert_null (message_of (rig, "parallelism.layout"));
  none = value_of (rig, "parallelism.layout");
  g_assert_cmpstr (none, ==, "");

  g_assert_true (plg_document_set (rig->document, "parallelism.pp", "1", NULL));
  g_assert_false (gtk_widget_get_sensitive (GTK_WIDGET (entry)));
  g_assert_nonnull (strstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), "PP"));
}

/* Every setting of a plan file or --set is in the inspector, or in the named place. */
static void
test_every_setting_has_a_row (Rig *rig, gconstpointer data)
{
  static const char *const elsewhere[] = {
    "parallelism.order", /* the chips of the nesting row */
    "view.show",         /* the buttons above the canvas */
    "view.link-color",   /* the menu next to the buttons */
    "view.rings",        /* the button next to the menu */
    "view.pairs",        /* the buttons above the matrix */
    NULL,
  };
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    {
      gboolean has_row = row_of (rig, settings[i].key) != NULL;

      g_test_message ("%s", settings[i].key);
      g_assert_true (has_row != g_strv_contains (elsewhere, settings[i].key));
    }
}

static void
test_tcp (Rig *rig, gconstpointer data)
{
  GtkSwitch *rdma = GTK_SWITCH (control (rig, "cluster.rdma", GTK_TYPE_SWITCH));
  double before = plg_document_report (rig->document)->step.time;

  gtk_switch_set_active (rdma, FALSE);
  g_assert_false (plg_document_plan (rig->document)->cluster.rdma);
  g_assert_cmpfloat (plg_document_report (rig->document)->step.time, >, before);
}

static gboolean
is_lower_case (const char *text)
{
  return g_unichar_islower (g_utf8_get_char (text));
}

/* Titles of choices start with a capital letter; no title is a name of the plan file. */
static void
test_choices_are_titles (Rig *rig, gconstpointer data)
{
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    {
      GtkWidget *row = row_of (rig, settings[i].key);
      GListModel *titles;

      if (row == NULL || settings[i].kind != PLG_SETTING_CHOICE)
        continue;
      titles = gtk_drop_down_get_model (GTK_DROP_DOWN (rig_find (row, GTK_TYPE_DROP_DOWN, NULL,
                                                                 NULL)));
      for (guint j = 0; j < g_list_model_get_n_items (titles); j++)
        {
          const char *title = gtk_string_list_get_string (GTK_STRING_LIST (titles), j);

          g_test_message ("%s: %s", settings[i].key, title);
          g_assert_false (is_lower_case (title));
        }
    }
}

/* Computes step time and memory of the plan with KEY at VALUE; returns FALSE for an invalid
 * plan. */
static gboolean
evaluate_with (Rig *rig, const char *key, const char *value, double *time, double *memory)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (rig->document));
  g_autofree char *assignment = g_strdup_printf ("%s=%s", key, value);
  const char *const assignments[] = { assignment, NULL };
  g_autoptr (PlgReport) report = NULL;

  if (!plg_settings_apply (plan, plg_document_catalogue (rig->document), assignments, NULL))
    return FALSE;
  report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);
  g_assert_nonnull (report);
  *time = report->step.time;
  *memory = report->memory_peak;
  return TRUE;
}

/* A setting that is declared to have no effect has no effect. */
static int
count_idle (Rig *rig)
{
  static const char *const values[] = { "true",    "false",      "1",    "2",    "3",
                                        "0.5",     "ring",       "tree", "flat", "rail",
                                        "ulysses", "all-gather", NULL };
  int n, idle = 0;
  const PlgSetting *settings = plg_settings (&n);
  double time = plg_document_report (rig->document)->step.time;
  double memory = plg_document_report (rig->document)->memory_peak;

  for (int i = 0; i < n; i++)
    {
      GtkWidget *row = row_of (rig, settings[i].key);
      double other_time, other_memory;

      if (row == NULL ||
          gtk_widget_get_sensitive (adw_action_row_get_activatable_widget (ADW_ACTION_ROW (row))))
        continue;
      idle++;
      g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), !=, "");
      for (int j = 0; values[j] != NULL; j++)
        if (evaluate_with (rig, settings[i].key, values[j], &other_time, &other_memory))
          {
            g_test_message ("%s=%s", settings[i].key, values[j]);
            g_assert_cmpfloat (other_time, ==, time);
            g_assert_cmpfloat (other_memory, ==, memory);
          }
    }
  return idle;
}

static gboolean
is_idle (Rig *rig, const char *key)
{
  return !gtk_widget_get_sensitive (
      adw_action_row_get_activatable_widget (ADW_ACTION_ROW (row_of (rig, key))));
}

static void
set_many (Rig *rig, const char *text)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (rig->document));
  g_auto (GStrv) assignments = g_strsplit (text, " ", -1);
  g_autoptr (GError) error = NULL;

  plg_settings_apply (plan, plg_document_catalogue (rig->document),
                      (const char *const *) assignments, &error);
  g_assert_no_error (error);
  plg_document_apply (rig->document, plan, "test", NULL, &error);
  g_assert_no_error (error);
}

static void
test_settings_without_effect (Rig *rig, gconstpointer data)
{
  g_assert_true (is_idle (rig, "parallelism.overlap-ep"));
  g_assert_true (is_idle (rig, "parallelism.cp-type"));
  g_assert_false (is_idle (rig, "parallelism.sequence"));
  g_assert_cmpint (count_idle (rig), >, 2);
  set_many (rig, "cluster.nodes=1 parallelism.tp=1 parallelism.pp=1");
  g_assert_true (is_idle (rig, "parallelism.sequence"));
  g_assert_cmpint (count_idle (rig), >, 12);
  set_many (rig, "cluster.intra=pcie parallelism.cp=4 parallelism.tp=2");
  g_assert_false (is_idle (rig, "parallelism.cp-type"));
  g_assert_true (is_idle (rig, "cluster.multicast"));
  g_assert_cmpint (count_idle (rig), >, 8);
  set_many (rig, "parallelism.tp=1 parallelism.cp=1 parallelism.pp=8 parallelism.dp=1");
  g_assert_true (is_idle (rig, "parallelism.overlap-dp"));
  g_assert_cmpint (count_idle (rig), >, 8);
}

/* DualPipe always overlaps EP, so the switch is on and insensitive. */
static void
test_dualpipe_overlaps (Rig *rig, gconstpointer data)
{
  GtkSwitch *overlap = GTK_SWITCH (control (rig, "parallelism.overlap-ep", GTK_TYPE_SWITCH));

  set_many (rig,
            "model.name=mixtral-8x7b parallelism.tp=1 parallelism.pp=4 training.global-batch=256 "
            "parallelism.overlap-ep=false");
  g_assert_false (is_idle (rig, "parallelism.overlap-ep"));
  g_assert_false (gtk_switch_get_active (overlap));
  set_many (rig, "training.schedule=dualpipe");
  g_assert_true (is_idle (rig, "parallelism.overlap-ep"));
  g_assert_true (gtk_switch_get_active (overlap));
  g_assert_false (plg_document_plan (rig->document)->parallelism.overlap_ep);
  g_assert_cmpint (count_idle (rig), >, 1);
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

static gboolean
is_shown (GtkWidget *button, gpointer data)
{
  return gtk_widget_get_visible (button) &&
         GTK_IS_LABEL (gtk_button_get_child (GTK_BUTTON (button)));
}

/* A model that does not fit with the present degrees offers degrees with which it fits. */
static void
test_model_offer (Rig *rig, gconstpointer data)
{
  GtkWidget *row = row_of (rig, "model.name");
  GtkDropDown *models = GTK_DROP_DOWN (control (rig, "model.name", GTK_TYPE_DROP_DOWN));
  const PlgCatalogue *catalogue = plg_document_catalogue (rig->document);
  GtkWidget *offer;

  g_assert_null (rig_find (row, GTK_TYPE_BUTTON, is_shown, NULL));
  for (int i = 0; i < plg_catalogue_n_models (catalogue); i++)
    if (strcmp (plg_catalogue_nth_model (catalogue, i)->name, "mixtral-8x7b") == 0)
      gtk_drop_down_set_selected (models, i);
  g_assert_false (plg_document_report (rig->document)->fits);
  offer = rig_find (row, GTK_TYPE_BUTTON, is_shown, NULL);
  g_assert_nonnull (offer);
  g_signal_emit_by_name (offer, "clicked");
  g_assert_true (plg_document_report (rig->document)->fits);
  g_assert_cmpstr (plg_document_plan (rig->document)->model.name, ==, "mixtral-8x7b");
  g_assert_false (gtk_widget_get_visible (offer));

  /* Another change of the plan takes the offer back, because it was made for this plan. */
  g_assert_true (plg_document_undo (rig->document));
  g_assert_true (plg_document_undo (rig->document));
  for (int i = 0; i < plg_catalogue_n_models (catalogue); i++)
    if (strcmp (plg_catalogue_nth_model (catalogue, i)->name, "mixtral-8x22b") == 0)
      gtk_drop_down_set_selected (models, i);
  g_assert_true (gtk_widget_get_visible (offer));
  g_assert_true (plg_document_set (rig->document, "training.sequence", "2048", NULL));
  g_assert_false (gtk_widget_get_visible (offer));
}

/* Each control has an accessible name of its own. */
static void
test_every_control_is_named (Rig *rig, gconstpointer data)
{
  int n;
  const PlgSetting *settings = plg_settings (&n);
  int rows = 0;

  for (int i = 0; i < n; i++)
    {
      GtkWidget *row = row_of (rig, settings[i].key);
      GtkWidget *widget = row != NULL ? adw_action_row_get_activatable_widget (ADW_ACTION_ROW (row))
                                      : NULL;
      const char *unit = settings[i].unit;
      g_autofree char *name = unit != NULL ? g_strdup_printf ("%s (%s)", settings[i].title, unit)
                                           : g_strdup (settings[i].title);

      if (row == NULL)
        continue;
      g_assert_nonnull (widget);
      gtk_test_accessible_assert_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                           name);
      g_assert_false (gtk_test_accessible_has_relation (GTK_ACCESSIBLE (widget),
                                                        GTK_ACCESSIBLE_RELATION_LABELLED_BY));
      if (GTK_IS_DROP_DOWN (widget)) /* the button gets the focus */
        gtk_test_accessible_assert_property (GTK_ACCESSIBLE (gtk_widget_get_first_child (widget)),
                                             GTK_ACCESSIBLE_PROPERTY_LABEL, settings[i].title);
      rows++;
    }
  g_assert_cmpint (rows, >, 20);
}

static void
keep_message_cb (char **message, const char *announcement)
{
  g_free (*message);
  *message = g_strdup (announcement);
}

/* The menu next to the chips changes the order in one undoable step, announces the cost and marks
 * the current order. */
static void
test_order_of_a_program (Rig *rig, gconstpointer data)
{
  PlgOrderMenu *menu = PLG_ORDER_MENU (rig_find (rig->inspector, PLG_TYPE_ORDER_MENU, NULL, NULL));
  GtkListBox *list = GTK_LIST_BOX (rig_find (GTK_WIDGET (menu), GTK_TYPE_LIST_BOX, NULL, NULL));
  g_autofree char *order = NULL, *announcement = NULL;
  int n;

  g_signal_connect_swapped (rig->inspector, "announced", G_CALLBACK (keep_message_cb),
                            &announcement);
  plg_order_presets (&n);
  g_assert_nonnull (gtk_list_box_get_row_at_index (list, n - 1));
  g_assert_null (gtk_list_box_get_row_at_index (list, n));
  g_signal_emit_by_name (list, "row-activated", gtk_list_box_get_row_at_index (list, 0));
  order = plg_order_to_string (&plg_document_plan (rig->document)->parallelism);
  g_assert_cmpstr (order, ==, "tp-cp-dp-pp");
  g_assert_cmpstr (plg_document_undo_label (rig->document), ==, "Order of Megatron-LM");
  g_assert_nonnull (announcement);
  g_assert_true (g_str_has_prefix (announcement,
                                   "Order of Megatron-LM: the step time does not change"));
  gtk_test_accessible_assert_state (gtk_list_box_get_row_at_index (list, 0),
                                    GTK_ACCESSIBLE_STATE_SELECTED, TRUE);
  gtk_test_accessible_assert_state (gtk_list_box_get_row_at_index (list, 1),
                                    GTK_ACCESSIBLE_STATE_SELECTED, FALSE);
  g_assert_true (plg_document_undo (rig->document));
  gtk_test_accessible_assert_state (gtk_list_box_get_row_at_index (list, 1),
                                    GTK_ACCESSIBLE_STATE_SELECTED, TRUE);
}

/* The button to compare orders is below the list, however the reasons wrap. */
static void
test_order_menu_is_complete (Rig *rig, gconstpointer data)
{
  GtkWidget *menu = rig_find (rig->inspector, PLG_TYPE_ORDER_MENU, NULL, NULL);
  GtkWidget *box = gtk_popover_get_child (GTK_POPOVER (menu));
  GtkWidget *button = gtk_widget_get_last_child (box);
  graphene_rect_t bounds;

  gtk_popover_popup (GTK_POPOVER (menu));
  rig_until (gtk_widget_get_mapped (menu) && gtk_widget_get_height (button) > 0);
  g_assert_true (GTK_IS_BUTTON (button) && gtk_widget_compute_bounds (button, menu, &bounds));
  g_assert_cmpfloat (bounds.origin.y + bounds.size.height, <=, gtk_widget_get_height (menu));
  g_assert_cmpint (gtk_widget_get_height (button), >=, 24);
  gtk_popover_popdown (GTK_POPOVER (menu));
}

/* Limits --------------------------------------------------------------------------------------- */

static PlgLimitLabel *
limit_of (Rig *rig, const char *key)
{
  GtkWidget *row = row_of (rig, key);

  return PLG_LIMIT_LABEL (rig_find (row, PLG_TYPE_LIMIT_LABEL, NULL, NULL));
}

/* Returns the visible text of the limit of KEY, or "". */
static const char *
limit_text (Rig *rig, const char *key)
{
  GtkWidget *limit = GTK_WIDGET (limit_of (rig, key));
  GtkWidget *label = rig_find (limit, GTK_TYPE_LABEL, NULL, NULL);

  return gtk_widget_get_visible (limit) ? gtk_label_get_text (GTK_LABEL (label)) : "";
}

/* A row shows its limit while it is active: the limit follows the plan, does not disturb a drag,
 * and is hidden while a lesson hides numbers. */
static void
test_limits (Rig *rig, gconstpointer data)
{
  static const char key[] = "training.sequence";
  g_autoptr (PlgPlan) preview = plg_plan_copy (plg_document_plan (rig->document));
  PlgEditPolicy policy = { .redaction = PLG_REDACT_MEMORY };
  g_autofree char *before = NULL;

  g_assert_cmpstr (limit_text (rig, key), ==, "");
  plg_limit_label_set_active (limit_of (rig, key), TRUE);
  rig_until (g_str_has_prefix (limit_text (rig, key), "At most "));
  before = g_strdup (limit_text (rig, key));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (GTK_WIDGET (limit_of (rig, key))),
                            "Does not fit in memory"));

  /* Full recompute leaves room for longer sequences. */
  g_assert_true (plg_settings_apply (preview, NULL,
                                     (const char *const[]) { "training.recompute=full", NULL },
                                     NULL));
  g_assert_true (plg_document_preview (rig->document, preview));
  g_assert_cmpstr (limit_text (rig, key), ==, before);
  g_assert_true (plg_document_preview (rig->document, NULL));
  g_assert_true (plg_document_set (rig->document, "training.recompute", "full", NULL));
  rig_until (g_str_has_prefix (limit_text (rig, key), "At most ") &&
             !g_str_equal (limit_text (rig, key), before));

  plg_document_set_policy (rig->document, &policy);
  g_assert_cmpstr (limit_text (rig, key), ==, "");
  plg_document_set_policy (rig->document, NULL);
  rig_until (g_str_has_prefix (limit_text (rig, key), "At most "));
  plg_limit_label_set_active (limit_of (rig, key), FALSE);
  g_assert_cmpstr (limit_text (rig, key), ==, "");

  /* The fewest nodes; a plan that fits nowhere. */
  plg_limit_label_set_active (limit_of (rig, "cluster.nodes"), TRUE);
  rig_until (g_str_has_prefix (limit_text (rig, "cluster.nodes"), "At least "));
  g_assert_true (plg_document_set (rig->document, "cluster.memory", "1", NULL));
  rig_until (g_str_equal (limit_text (rig, "cluster.nodes"), "No value fits in memory"));
}

/* A preview of a plan with more chips does not widen the inspector, so nothing moves beside it. */
static void
test_width_is_constant (Rig *rig, gconstpointer data)
{
  static const char *const plans[][9] = {
    { "parallelism.cp=2", "parallelism.dp=1" },
    { "parallelism.tp=2", "parallelism.cp=2", "parallelism.pp=2", "parallelism.dp=8",
      "parallelism.replicate=2" },
    { "model.experts=16", "model.top-k=2", "model.expert-ffn=4096", "parallelism.tp=1",
      "parallelism.cp=2", "parallelism.pp=1", "parallelism.dp=32", "parallelism.ep=16" },
  };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  int width, least;

  gtk_widget_measure (rig->inspector, GTK_ORIENTATION_HORIZONTAL, -1, &least, &width, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (rig->document));
      g_autoptr (GError) error = NULL;
      int shown_width, shown_least;

      g_assert_true (plg_settings_apply (plan, catalogue, plans[i], &error));
      g_assert_no_error (error);
      g_assert_true (plg_document_preview (rig->document, plan));
      rig_next_frame (rig->inspector);
      gtk_widget_measure (rig->inspector, GTK_ORIENTATION_HORIZONTAL, -1, &shown_least,
                          &shown_width, NULL, NULL);
      g_assert_cmpint (shown_least, ==, least);
      g_assert_cmpint (shown_width, ==, width);
    }
}

int
main (int argc, char **argv)
{
  if (!rig_init (&argc, &argv))
    return 0;
#define ADD(name, function) g_test_add ("/inspector/" name, Rig, NULL, set_up, function, tear_down)
  ADD ("limits", test_limits);
  ADD ("step", test_step);
  ADD ("step-of-share", test_step_of_share);
  ADD ("refusal", test_refusal);
  ADD ("model-offer", test_model_offer);
  ADD ("bad-text", test_bad_text);
  ADD ("exact-text", test_exact_text);
  ADD ("focus-changes-nothing", test_focus_changes_nothing);
  ADD ("steps-are-accepted", test_steps_are_accepted);
  ADD ("next-batch", test_next_batch);
  ADD ("own-peak", test_own_peak);
  ADD ("own-price", test_own_price);
  ADD ("width-is-constant", test_width_is_constant);
  ADD ("wheel", test_wheel);
  ADD ("drop", test_drop);
  ADD ("drop-between-chips", test_drop_between_chips);
  ADD ("chip-is-announced", test_chip_is_announced);
  ADD ("size-chips", test_size_chips);
  ADD ("order-of-a-program", test_order_of_a_program);
  ADD ("order-menu-is-complete", test_order_menu_is_complete);
  ADD ("follows-undo", test_follows_undo);
  ADD ("undo-in-text", test_undo_in_text);
  ADD ("faults", test_faults);
  ADD ("layout", test_layout);
  ADD ("every-setting-has-a-row", test_every_setting_has_a_row);
  ADD ("tcp", test_tcp);
  ADD ("choices-are-titles", test_choices_are_titles);
  ADD ("settings-without-effect", test_settings_without_effect);
  ADD ("dualpipe-overlaps", test_dualpipe_overlaps);
  ADD ("model", test_model);
  ADD ("every-control-is-named", test_every_control_is_named);
#undef ADD
  return g_test_run ();
}
