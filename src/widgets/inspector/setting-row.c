/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/inspector/setting-row-private.h"

#include "plan/quantity.h"
#include "plan/settings/setting-applicability.h"
#include "widgets/inspector/setting-choice.h"
#include "widgets/accessible-names.h"
#include "widgets/widget-theme.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define MIN_CHARS 4
#define MAX_CHARS 8

G_DEFINE_FINAL_TYPE (PlgSettingRow, plg_setting_row, ADW_TYPE_ACTION_ROW)

/* Returns whether the plan has a peak of its own instead of the GPU's peak. */
static gboolean
has_custom_peak (PlgSettingRow *self, const PlgPlan *plan)
{
  return self->setting->offset == G_STRUCT_OFFSET (PlgPlan, cluster.peak) &&
         !(plan->cluster.peak > 0);
}

double
plg_setting_row_number (PlgSettingRow *self, const PlgPlan *plan)
{
  if (has_custom_peak (self, plan))
    return plg_cluster_peak (&plan->cluster, plan->training.precision) / self->setting->scale;
  return plg_setting_get_number (self->setting, plan);
}

/* From the plan to the control ----------------------------------------------------------------- */

/* Returns the index of NAME; a name that is missing in the catalogue is a custom name. */
static guint
position_of (char **names, const char *name)
{
  guint custom = GTK_INVALID_LIST_POSITION;

  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], name) == 0)
      return i;
    else if (strcmp (names[i], "custom") == 0)
      custom = i;
  return custom;
}

static gboolean
format_value_cb (PlgSettingRow *self)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  GtkEditable *editable = GTK_EDITABLE (self->control);
  int width;

  if (self->keeps_typed_text)
    return TRUE;
  g_free (self->shown_text);

  /* Shows all digits of a number, or six of a longer number. */
  g_autofree char *exact = has_custom_peak (self, plan)
                               ? plg_format_exact (plg_setting_row_number (self, plan))
                               : plg_setting_get (self->setting, plan);
  char rounded[G_ASCII_DTOSTR_BUF_SIZE];

  if (self->setting->kind == PLG_SETTING_INTEGER || strlen (exact) <= MAX_CHARS)
    self->shown_text = g_steal_pointer (&exact);
  else
    self->shown_text = g_strdup (g_ascii_formatd (rounded, sizeof rounded, "%.6g",
                                                  plg_setting_row_number (self, plan)));

  width = CLAMP ((int) strlen (self->shown_text), MIN_CHARS, MAX_CHARS);
  if (g_strcmp0 (gtk_editable_get_text (editable), self->shown_text) != 0)
    gtk_editable_set_text (editable, self->shown_text);
  gtk_editable_set_width_chars (editable, width);
  gtk_editable_set_max_width_chars (editable, width);
  plg_widget_set_css_class (self->control, "own", has_custom_peak (self, plan));
  return TRUE;
}

void
plg_setting_row_update (PlgSettingRow *self)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  g_autofree char *text = plg_setting_get (self->setting, plan);
  gboolean is_implied;
  const char *insensitive_reason = plg_setting_why_not_applicable (self->setting, plan,
                                                                   &is_implied);
  const char *lock_reason = plg_edit_policy_lock_reason (plg_document_policy (self->document),
                                                         self->setting->key);

  plg_widget_set_css_class (GTK_WIDGET (self), "offered",
                            plg_edit_policy_names (plg_document_policy (self->document),
                                                   self->setting->key));
  if (lock_reason != NULL)
    insensitive_reason = lock_reason;

  self->updating = TRUE;
  if (GTK_IS_SPIN_BUTTON (self->control))
    {
      gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->control),
                                 plg_setting_row_number (self, plg_document_plan (self->document)));
      format_value_cb (self);
    }
  else if (GTK_IS_SWITCH (self->control))
    gtk_switch_set_active (GTK_SWITCH (self->control), is_implied || strcmp (text, "true") == 0);
  else if (GTK_IS_ENTRY (self->control))
    {
      if (!self->keeps_typed_text)
        gtk_editable_set_text (GTK_EDITABLE (self->control), text);
    }
  else if (position_of (self->names, text) !=
           gtk_drop_down_get_selected (GTK_DROP_DOWN (self->control)))
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->control), position_of (self->names, text));

  const char *subtitle = "";

  if (insensitive_reason != NULL)
    subtitle = insensitive_reason;
  else if (self->setting->offset == G_STRUCT_OFFSET (PlgPlan, parallelism.first_layers) ||
           self->setting->offset == G_STRUCT_OFFSET (PlgPlan, parallelism.last_layers))
    subtitle = _ ("0: divided evenly");
  else if (self->setting->unit != NULL)
    subtitle = _ (self->setting->unit);
  if (g_strcmp0 (adw_action_row_get_subtitle (ADW_ACTION_ROW (self)), subtitle) != 0)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self), subtitle);

  gtk_widget_set_sensitive (self->control, insensitive_reason == NULL);
  self->updating = FALSE;
}

/* A refusal no longer applies to another plan. */
static void
changed_cb (PlgSettingRow *self)
{
  if (self->refusing_plan != NULL &&
      !plg_plan_same_design (self->refusing_plan, plg_document_committed_plan (self->document)))
    plg_setting_row_clear_error (self);
  plg_setting_row_update (self);
}

/* Building ------------------------------------------------------------------------------------- */

/* The scroll wheel scrolls the column and must not change the plan. */
static void
disable_scroll_control (GtkWidget *control)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (control);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
    }
}

/* Disables the undo of the entry, which would restore a text that differs from the plan. */
static void
set_up_text (PlgSettingRow *self, GtkWidget *control)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_editable_set_enable_undo (GTK_EDITABLE (control), FALSE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (plg_setting_row_handle_key), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (control, keys);
}

/* Returns a placeholder for an entry, which is the same in every language, or NULL. */
static const char *
example_of (const PlgSetting *setting)
{
  if (strcmp (setting->key, "cluster.faults") == 0)
    return "gpu:5=0.8, nic:1.3=0";
  if (strcmp (setting->key, "cluster.node-names") == 0)
    return "0=dgx-a, 3=dgx-b";
  return NULL;
}

/* The text is applied on Enter or when the focus leaves. */
static GtkWidget *
new_entry (PlgSettingRow *self)
{
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->control = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->control), example_of (self->setting));
  set_up_text (self, self->control);
  gtk_widget_add_controller (self->control, focus);
  plg_setting_row_update (self);
  g_signal_connect_object (self->control, "activate", G_CALLBACK (plg_setting_row_apply_entry),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "leave", G_CALLBACK (plg_setting_row_apply_entry), self,
                           G_CONNECT_SWAPPED);
  return self->control;
}

static GtkWidget *
new_control (PlgSettingRow *self)
{
  switch (self->setting->kind)
    {
    case PLG_SETTING_INTEGER:
    case PLG_SETTING_NUMBER:
      {
        const PlgSetting *setting = self->setting;
        GtkWidget *spin = gtk_spin_button_new_with_range (setting->minimum, setting->maximum, 1);

        /* Any text can be typed; plg_setting_row_parse() reports errors. */
        gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), FALSE);
        /* A held button advances by one, since larger steps would skip accepted values. */
        gtk_spin_button_set_climb_rate (GTK_SPIN_BUTTON (spin), 0);
        disable_scroll_control (spin);
        set_up_text (self, spin);
        self->control = spin;
        g_signal_connect_object (spin, "input", G_CALLBACK (plg_setting_row_parse), self,
                                 G_CONNECT_SWAPPED);
        g_signal_connect_object (spin, "output", G_CALLBACK (format_value_cb), self,
                                 G_CONNECT_SWAPPED);
        plg_setting_row_update (self);
        g_signal_connect_object (spin, "value-changed", G_CALLBACK (plg_setting_row_apply_spin),
                                 self, G_CONNECT_SWAPPED);
        return spin;
      }
    case PLG_SETTING_BOOLEAN:
      self->control = gtk_switch_new ();
      plg_setting_row_update (self);
      g_signal_connect_object (self->control, "notify::active",
                               G_CALLBACK (plg_setting_row_apply_switch), self, G_CONNECT_SWAPPED);
      return self->control;
    case PLG_SETTING_CHOICE:
    case PLG_SETTING_NAME:
      self->control = plg_setting_choice_new (self->setting,
                                              plg_document_catalogue (self->document),
                                              &self->names);
      disable_scroll_control (self->control);
      plg_setting_row_update (self);
      g_signal_connect_object (self->control, "notify::selected",
                               G_CALLBACK (plg_setting_row_apply_choice), self, G_CONNECT_SWAPPED);
      return self->control;
    case PLG_SETTING_FAULTS:
    case PLG_SETTING_NODE_NAMES:
      return new_entry (self);
    case PLG_SETTING_ORDER:
    default:
      g_return_val_if_reached (NULL);
    }
}

static void
plg_setting_row_finalize (GObject *object)
{
  PlgSettingRow *self = PLG_SETTING_ROW (object);

  /* Freed last, since a control can read its text while being disposed. */
  g_clear_object (&self->document);
  g_clear_pointer (&self->refusing_plan, plg_plan_free);
  g_strfreev (self->names);
  g_free (self->shown_text);
  G_OBJECT_CLASS (plg_setting_row_parent_class)->finalize (object);
}

static void
plg_setting_row_class_init (PlgSettingRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plg_setting_row_finalize;
}

static void
plg_setting_row_init (PlgSettingRow *self)
{
}

/* libadwaita breaks titles inside words, but here the column is wide enough for whole words. */
static void
wrap_at_words (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    gtk_label_set_wrap_mode (GTK_LABEL (widget), PANGO_WRAP_WORD);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    wrap_at_words (child);
}

/* Adds space below the row of libadwaita for a message and for a text as wide as the row. */
static void
lay_out (PlgSettingRow *self)
{
  g_autoptr (GtkWidget)
                 header = g_object_ref (gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (self)));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class (box, "setting");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
  gtk_box_append (GTK_BOX (box), header);
  if (GTK_IS_ENTRY (self->control))
    gtk_box_append (GTK_BOX (box), self->control);
  else
    adw_action_row_add_suffix (ADW_ACTION_ROW (self), self->control);
  gtk_box_append (GTK_BOX (box), self->message);
}

GtkWidget *
plg_setting_row_new (PlgDocument *document, const char *key)
{
  const PlgSetting *setting = plg_setting_find (key);
  PlgSettingRow *self;

  g_return_val_if_fail (PLG_IS_DOCUMENT (document) && setting != NULL, NULL);

  self = g_object_new (PLG_TYPE_SETTING_ROW, NULL);
  self->document = g_object_ref (document);
  self->setting = setting;

  PlgAxis axis;

  if (g_str_has_prefix (key, "parallelism.") &&
      plg_axis_from_name (key + strlen ("parallelism."), &axis))
    self->axis = axis;
  else
    self->axis = -1;

  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (label, "error");
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_set_visible (label, FALSE);
  self->message = label;

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), _ (setting->title));
  wrap_at_words (GTK_WIDGET (self));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), _ (setting->help));

  new_control (self);
  gtk_widget_set_valign (self->control, GTK_ALIGN_CENTER);
  lay_out (self);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (self), self->control);

  /* The accessible name includes the unit. The relation of libadwaita would repeat the title. */
  GtkWidget *control = self->control;
  g_autofree char *title = setting->unit != NULL
                               ? g_strdup_printf ("%s (%s)", _ (setting->title), _ (setting->unit))
                               : g_strdup (_ (setting->title));

  gtk_accessible_reset_relation (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  if (GTK_IS_DROP_DOWN (control))
    plg_accessible_name_drop_down (control, title);
  else
    gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                    -1);

  g_signal_connect_object (document, "numbers-changed", G_CALLBACK (changed_cb), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

const PlgSetting *
plg_setting_row_get_setting (PlgSettingRow *self)
{
  g_return_val_if_fail (PLG_IS_SETTING_ROW (self), NULL);
  return self->setting;
}

const char *
plg_setting_row_get_message (PlgSettingRow *self)
{
  g_return_val_if_fail (PLG_IS_SETTING_ROW (self), NULL);
  return self->refusing_plan != NULL ? gtk_label_get_text (GTK_LABEL (self->message)) : NULL;
}
