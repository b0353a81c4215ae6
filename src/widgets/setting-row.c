/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/setting-row.h"

#include "plan/edit.h"
#include "plan/quantity.h"
#include "plan/relevance.h"
#include "widgets/setting-choice.h"
#include "plan/setting-words.h"
#include "widgets/spoken.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <math.h>

struct _PlgSettingRow
{
  AdwActionRow parent_instance;

  PlgDocument *document;
  const PlgSetting *setting;
  int axis;     /* of a degree, else -1 */
  char **names; /* of the choices as --set takes them */
  GtkWidget *control;
  char *shown;       /* the number's text as it was put into the control */
  gboolean updating; /* the control follows the plan, not a person */

  GtkWidget *message; /* why a value was refused */
  PlgPlan *refused;   /* the plan that refused it; NULL: none did */
  gboolean is_kept;   /* what was typed stays in the control, to be corrected */
};

#define MIN_CHARS 4
#define MAX_CHARS 8
/* How far a step looks for a number that the plan accepts. */
#define MAX_TRIES 4096

G_DEFINE_FINAL_TYPE (PlgSettingRow, plg_setting_row, ADW_TYPE_ACTION_ROW)

static void update (PlgSettingRow *self);

/* No value of its own: the plan takes the GPU's peak. */
static gboolean
is_own_peak (PlgSettingRow *self, const PlgPlan *plan)
{
  return self->setting->offset == G_STRUCT_OFFSET (PlgPlan, cluster.peak) &&
         !(plan->cluster.peak > 0);
}

static double
number_shown (PlgSettingRow *self, const PlgPlan *plan)
{
  if (is_own_peak (self, plan))
    return plg_cluster_peak (&plan->cluster, plan->training.precision) / self->setting->scale;
  return plg_setting_get_number (self->setting, plan);
}

/* From a person to the plan ----------------------------------------------------------------------
 */

/* The row itself says which key is meant. */
static char *
without_key (PlgSettingRow *self, const char *message)
{
  gsize n = strlen (self->setting->key);
  const char *start = strncmp (message, self->setting->key, n) == 0 && message[n] == ':'
                          ? message + n + 1 + strspn (message + n + 1, " ")
                          : message;
  g_autofree char *words = plg_setting_words (start);
  char first[7] = "";

  g_unichar_to_utf8 (g_unichar_totitle (g_utf8_get_char (words)), first);
  return g_strconcat (first, g_utf8_next_char (words), NULL);
}

static void
refuse (PlgSettingRow *self, const GError *error)
{
  g_autofree char *message = without_key (self, error->message);

  g_clear_pointer (&self->refused, plg_plan_free);
  self->refused = plg_plan_copy (plg_document_committed_plan (self->document));
  gtk_label_set_text (GTK_LABEL (self->message), message);
  gtk_widget_set_visible (self->message, TRUE);
  gtk_widget_add_css_class (self->control, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->control), GTK_ACCESSIBLE_STATE_INVALID,
                               GTK_ACCESSIBLE_INVALID_TRUE, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->control),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, message, -1);
}

static void
forget_refusal (PlgSettingRow *self)
{
  self->is_kept = FALSE;
  if (self->refused == NULL)
    return;
  g_clear_pointer (&self->refused, plg_plan_free);
  gtk_widget_set_visible (self->message, FALSE);
  gtk_widget_remove_css_class (self->control, "error");
  gtk_accessible_reset_state (GTK_ACCESSIBLE (self->control), GTK_ACCESSIBLE_STATE_INVALID);
  gtk_accessible_reset_property (GTK_ACCESSIBLE (self->control),
                                 GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}

static gboolean
set_degree (PlgSettingRow *self, PlgPlan *plan, int degree, GError **error)
{
  return plg_edit_set_degree (plan, self->axis, degree, plg_edit_absorber (self->axis, FALSE),
                              error);
}

/* The world size stays: another axis takes up the factor. */
static gboolean
apply_degree (PlgSettingRow *self, int degree, GError **error)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (self->document));
  g_autofree char *label = g_strdup_printf ("%s %d", plg_axis_label (self->axis), degree);

  return set_degree (self, plan, degree, error) &&
         plg_document_apply (self->document, plan, label, NULL, error);
}

static gboolean
apply_value (PlgSettingRow *self, const char *value, GError **error)
{
  g_autoptr (PlgPlan) plan = NULL;

  if (self->axis < 0)
    return plg_document_set (self->document, self->setting->key, value, error);
  /* A degree, too, is first a number of its range. */
  plan = plg_plan_copy (plg_document_committed_plan (self->document));
  return plg_setting_set (plan, NULL, self->setting->key, value, error) &&
         apply_degree (self, lround (plg_setting_get_number (self->setting, plan)), error);
}

static void
apply_text (PlgSettingRow *self, const char *value)
{
  g_autoptr (GError) error = NULL;

  if (apply_value (self, value, &error))
    forget_refusal (self);
  else
    refuse (self, error);
}

/* What a person wrote stays to be corrected when it is refused. */
static void
apply_typed (PlgSettingRow *self, const char *value)
{
  apply_text (self, value);
  self->is_kept = self->refused != NULL;
  update (self);
}

static gboolean
plan_accepts (PlgSettingRow *self, int value)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (self->document));
  g_autofree char *assignment = g_strdup_printf ("%s=%d", self->setting->key, value);
  const char *const assignments[] = { assignment, NULL };

  if (self->axis >= 0)
    return set_degree (self, plan, value, NULL);
  return plg_settings_apply (plan, plg_document_catalogue (self->document), assignments, NULL);
}

/* One step goes to the next number that the plan accepts, not to the next number: of the global
 * batch, that is a multiple of the replicas. FROM + STEP when there is none near. */
static int
next_accepted (PlgSettingRow *self, int from, int step)
{
  for (int i = 1; i <= MAX_TRIES; i++)
    {
      int value = from + i * step;

      if (value < self->setting->minimum || value > self->setting->maximum)
        break;
      if (plan_accepts (self, value))
        return value;
    }
  return from + step;
}

/* The same among the few degrees that divide, which may lie far apart. */
static int
next_degree (PlgSettingRow *self, int from, int step)
{
  const PlgPlan *plan = plg_document_committed_plan (self->document);
  int degrees[256];
  int n = MIN (plg_edit_degree_choices (plan, self->axis, plg_edit_absorber (self->axis, FALSE),
                                        degrees, G_N_ELEMENTS (degrees)),
               (int) G_N_ELEMENTS (degrees));

  for (int i = step > 0 ? 0 : n - 1; i >= 0 && i < n; i += step)
    if ((degrees[i] - from) * step > 0 && plan_accepts (self, degrees[i]))
      return degrees[i];
  return from + step;
}

static void
apply_whole (PlgSettingRow *self, int before, int value)
{
  g_autofree char *text = NULL;

  if (ABS (value - before) == 1)
    value = self->axis >= 0 ? next_degree (self, before, value - before)
                            : next_accepted (self, before, value - before);
  text = g_strdup_printf ("%d", value);
  apply_text (self, text);
}

/* The buttons, the arrow keys and assistive technology; what is typed comes through input_cb(). */
static void
spin_changed_cb (PlgSettingRow *self)
{
  double value = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->control));
  double before = number_shown (self, plg_document_committed_plan (self->document));
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (self->updating || value == before)
    return;
  if (self->setting->kind == PLG_SETTING_INTEGER)
    apply_whole (self, lround (before), lround (value));
  else /* 450.37 and 1 is 451.37, without the rounding of the sum */
    apply_text (self, g_ascii_formatd (text, sizeof text, "%.12g", value));
  update (self);
}

/* What people type, as the plan takes it: with a point, without spaces between thousands. */
static char *
plain_number (const char *text)
{
  g_autofree char *trimmed = g_strstrip (g_strdup (text));
  g_auto (GStrv) thousands = g_strsplit (trimmed, "\u202f", -1);
  char *number = g_strjoinv (NULL, thousands);
  const char *point = localeconv ()->decimal_point;

  if (point[0] == ',' && strchr (number, '.') == NULL)
    g_strdelimit (number, ",", '.');
  return number;
}

/* Text that was not touched changes nothing, even where it shows fewer digits than the plan has. */
static int
input_cb (PlgSettingRow *self, double *value)
{
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (self->control));

  if (!self->updating && g_strcmp0 (typed, self->shown) != 0)
    {
      g_autofree char *number = plain_number (typed);

      apply_typed (self, number);
    }
  else if (!self->updating && self->is_kept)
    forget_refusal (self);
  *value = number_shown (self, plg_document_plan (self->document));
  return TRUE;
}

static void
switch_changed_cb (PlgSettingRow *self)
{
  if (self->updating)
    return;
  apply_text (self, gtk_switch_get_active (GTK_SWITCH (self->control)) ? "true" : "false");
  update (self);
}

static void
choice_changed_cb (PlgSettingRow *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->control));

  if (self->updating || selected == GTK_INVALID_LIST_POSITION ||
      selected >= g_strv_length (self->names))
    return;
  apply_text (self, self->names[selected]);
  update (self);
}

static void
entry_applied_cb (PlgSettingRow *self)
{
  g_autofree char *before = plg_setting_get (self->setting, plg_document_plan (self->document));
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->control)));

  if (self->updating)
    return;
  if (strcmp (text, before) != 0)
    apply_typed (self, text);
  else
    forget_refusal (self);
}

/* Escape puts the plan's value back in place of what was typed. */
static gboolean
key_pressed_cb (PlgSettingRow *self, guint key)
{
  g_autofree char *text = NULL;

  if (key != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->control)));
  forget_refusal (self);
  update (self);
  return strcmp (text, gtk_editable_get_text (GTK_EDITABLE (self->control))) != 0
             ? GDK_EVENT_STOP
             : GDK_EVENT_PROPAGATE;
}

/* From the plan to the control -------------------------------------------------------------------
 */

/* A name that the catalogue has not is one of people's own. */
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

/* The text of a number: all its digits, or six where they are many. */
static char *
text_shown (PlgSettingRow *self, const PlgPlan *plan)
{
  g_autofree char *exact = is_own_peak (self, plan) ? plg_format_exact (number_shown (self, plan))
                                                    : plg_setting_get (self->setting, plan);
  char rounded[G_ASCII_DTOSTR_BUF_SIZE];

  if (self->setting->kind == PLG_SETTING_INTEGER || strlen (exact) <= MAX_CHARS)
    return g_steal_pointer (&exact);
  return g_strdup (g_ascii_formatd (rounded, sizeof rounded, "%.6g", number_shown (self, plan)));
}

static gboolean
output_cb (PlgSettingRow *self)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  GtkEditable *editable = GTK_EDITABLE (self->control);
  int width;

  if (self->is_kept)
    return TRUE;
  g_free (self->shown);
  self->shown = text_shown (self, plan);
  width = CLAMP ((int) strlen (self->shown), MIN_CHARS, MAX_CHARS);
  if (g_strcmp0 (gtk_editable_get_text (editable), self->shown) != 0)
    gtk_editable_set_text (editable, self->shown);
  gtk_editable_set_width_chars (editable, width);
  gtk_editable_set_max_width_chars (editable, width);
  if (is_own_peak (self, plan))
    gtk_widget_add_css_class (self->control, "own");
  else
    gtk_widget_remove_css_class (self->control, "own");
  return TRUE;
}

/* Few words below the title: why the row is idle, what 0 means, or the unit. */
static void
update_subtitle (PlgSettingRow *self, const char *why_idle)
{
  const char *text = "";

  if (why_idle != NULL)
    text = why_idle;
  else if (self->setting->offset == G_STRUCT_OFFSET (PlgPlan, parallelism.first_layers) ||
           self->setting->offset == G_STRUCT_OFFSET (PlgPlan, parallelism.last_layers))
    text = _ ("0: shared out evenly");
  else if (self->setting->unit != NULL)
    text = _ (self->setting->unit);
  if (g_strcmp0 (adw_action_row_get_subtitle (ADW_ACTION_ROW (self)), text) != 0)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self), text);
}

static void
update_control (PlgSettingRow *self, const char *text, gboolean acts)
{
  if (GTK_IS_SPIN_BUTTON (self->control))
    {
      gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->control),
                                 number_shown (self, plg_document_plan (self->document)));
      output_cb (self);
    }
  else if (GTK_IS_SWITCH (self->control))
    gtk_switch_set_active (GTK_SWITCH (self->control), acts || strcmp (text, "true") == 0);
  else if (GTK_IS_ENTRY (self->control))
    {
      if (!self->is_kept)
        gtk_editable_set_text (GTK_EDITABLE (self->control), text);
    }
  else if (position_of (self->names, text) !=
           gtk_drop_down_get_selected (GTK_DROP_DOWN (self->control)))
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->control), position_of (self->names, text));
}

static void
update (PlgSettingRow *self)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  g_autofree char *text = plg_setting_get (self->setting, plan);
  gboolean acts;
  const char *why_idle = plg_setting_why_idle (self->setting, plan, &acts);

  if (plg_document_offers (self->document, self->setting->key))
    gtk_widget_add_css_class (GTK_WIDGET (self), "offered");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "offered");
  if (!plg_document_allows (self->document, self->setting->key))
    why_idle = _ ("The lesson keeps this as it is.");

  self->updating = TRUE;
  update_control (self, text, acts);
  update_subtitle (self, why_idle);
  gtk_widget_set_sensitive (self->control, why_idle == NULL);
  self->updating = FALSE;
}

/* Another plan is another question: what the last one refused is no longer of interest. */
static void
changed_cb (PlgSettingRow *self)
{
  if (self->refused != NULL &&
      !plg_plan_same_design (self->refused, plg_document_committed_plan (self->document)))
    forget_refusal (self);
  update (self);
}

/* Building ----------------------------------------------------------------------------------------
 */

/* The wheel scrolls the column: it must not change the plan on its way. */
static void
leave_scrolling (GtkWidget *control)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (control);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
    }
}

/* Undo is the plan's: that of the text alone would bring back what the plan no longer is. */
static void
set_up_text (PlgSettingRow *self, GtkWidget *control)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_editable_set_enable_undo (GTK_EDITABLE (control), FALSE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (control, keys);
}

static GtkWidget *
new_spin (PlgSettingRow *self)
{
  const PlgSetting *setting = self->setting;
  GtkWidget *spin = gtk_spin_button_new_with_range (setting->minimum, setting->maximum, 1);

  /* Any text may be typed: input_cb() says what is wrong with it. */
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), FALSE);
  /* A button held goes on by one, or it would leave out what the plan accepts. */
  gtk_spin_button_set_climb_rate (GTK_SPIN_BUTTON (spin), 0);
  leave_scrolling (spin);
  set_up_text (self, spin);
  self->control = spin;
  g_signal_connect_object (spin, "input", G_CALLBACK (input_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (spin, "output", G_CALLBACK (output_cb), self, G_CONNECT_SWAPPED);
  update (self);
  g_signal_connect_object (spin, "value-changed", G_CALLBACK (spin_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return spin;
}

static GtkWidget *
new_switch (PlgSettingRow *self)
{
  self->control = gtk_switch_new ();
  update (self);
  g_signal_connect_object (self->control, "notify::active", G_CALLBACK (switch_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return self->control;
}

static GtkWidget *
new_drop_down (PlgSettingRow *self)
{
  self->control = plg_setting_choice_new (self->setting, plg_document_catalogue (self->document),
                                          &self->names);
  leave_scrolling (self->control);
  update (self);
  g_signal_connect_object (self->control, "notify::selected", G_CALLBACK (choice_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return self->control;
}

/* What may stand in an entry, the same in every language; NULL where nothing is shown. */
static const char *
example_of (const PlgSetting *setting)
{
  if (strcmp (setting->key, "cluster.faults") == 0)
    return "gpu:17=0.8, nic:2.3=0";
  if (strcmp (setting->key, "cluster.node-names") == 0)
    return "0=dgx-a, 3=dgx-b";
  return NULL;
}

/* Text counts when it is done: with Enter, or when the focus leaves. */
static GtkWidget *
new_entry (PlgSettingRow *self)
{
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->control = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->control), example_of (self->setting));
  set_up_text (self, self->control);
  gtk_widget_add_controller (self->control, focus);
  update (self);
  g_signal_connect_object (self->control, "activate", G_CALLBACK (entry_applied_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "leave", G_CALLBACK (entry_applied_cb), self, G_CONNECT_SWAPPED);
  return self->control;
}

static GtkWidget *
new_control (PlgSettingRow *self)
{
  switch (self->setting->kind)
    {
    case PLG_SETTING_INTEGER:
    case PLG_SETTING_NUMBER:
      return new_spin (self);
    case PLG_SETTING_BOOLEAN:
      return new_switch (self);
    case PLG_SETTING_CHOICE:
    case PLG_SETTING_NAME:
      return new_drop_down (self);
    case PLG_SETTING_FAULTS:
    case PLG_SETTING_NODE_NAMES:
      return new_entry (self);
    case PLG_SETTING_ORDER:
    default:
      g_return_val_if_reached (NULL);
    }
}

static int
axis_of_key (const char *key)
{
  PlgAxis axis;

  if (g_str_has_prefix (key, "parallelism.") &&
      plg_axis_from_name (key + strlen ("parallelism."), &axis))
    return axis;
  return -1;
}

static void
plg_setting_row_finalize (GObject *object)
{
  PlgSettingRow *self = PLG_SETTING_ROW (object);

  /* Until the end, since a control that goes may still ask for its text. */
  g_clear_object (&self->document);
  g_clear_pointer (&self->refused, plg_plan_free);
  g_strfreev (self->names);
  g_free (self->shown);
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

static void
set_name (GtkWidget *widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* With its unit. The row's own relation would say the name twice. */
static void
name_control (GtkWidget *control, const PlgSetting *setting)
{
  g_autofree char *title = setting->unit != NULL
                               ? g_strdup_printf ("%s (%s)", _ (setting->title), _ (setting->unit))
                               : g_strdup (_ (setting->title));

  gtk_accessible_reset_relation (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  if (GTK_IS_DROP_DOWN (control))
    plg_spoken_choice (control, title);
  else
    set_name (control, title);
}

/* Libadwaita lets titles break inside words; here the column is rather widened. */
static void
wrap_at_words (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    gtk_label_set_wrap_mode (GTK_LABEL (widget), PANGO_WRAP_WORD);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    wrap_at_words (child);
}

static GtkWidget *
new_message (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (label, "error");
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_set_visible (label, FALSE);
  return label;
}

/* Below what libadwaita lays out there is room for a message, and for a text as wide as the row. */
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
  self->axis = axis_of_key (key);
  self->message = new_message ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), _ (setting->title));
  wrap_at_words (GTK_WIDGET (self));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), _ (setting->help));

  new_control (self);
  gtk_widget_set_valign (self->control, GTK_ALIGN_CENTER);
  lay_out (self);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (self), self->control);
  name_control (self->control, setting);
  g_signal_connect_object (document, "caught-up", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
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
  return self->refused != NULL ? gtk_label_get_text (GTK_LABEL (self->message)) : NULL;
}
