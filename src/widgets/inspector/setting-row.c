/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/inspector/setting-row.h"

#include "document/model-offer.h"
#include "document/memory-limit.h"
#include "io/reports/constant-sources.h"
#include "plan/edit.h"
#include "plan/quantity.h"
#include "plan/settings/setting-applicability.h"
#include "plan/settings/setting-describe.h"
#include "widgets/inspector/limit-label.h"
#include "widgets/inspector/setting-choice.h"
#include "widgets/accessible-names.h"
#include "widgets/widget-theme.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <math.h>

#define MIN_CHARS 4
#define MAX_CHARS 8
#define TOOLTIP_CHARS 60
/* The maximum number of values to try when the user clicks + or − or presses an arrow key. The
 * search stops at the first value that the plan accepts. */
#define MAX_TRIES 4096

struct _PlgSettingRow
{
  AdwActionRow parent_instance;

  PlgDocument *document;
  const PlgSetting *setting;
  int axis;     /* the axis if the setting is a degree, otherwise -1 */
  char **names; /* the choices in the form that --set accepts */
  GtkWidget *control;
  char *shown_text;  /* the text that the row last wrote to the spin button */
  gboolean updating; /* TRUE while the row itself changes the control; handlers then ignore the
                        change */

  GtkWidget *message;        /* label that states why a value was refused */
  GtkWidget *offer_button;   /* applies OFFER; NULL unless the setting is the model */
  PlgPlan *offer;            /* a plan with the chosen model and degrees that fit it, or NULL */
  PlgPlan *offer_base;       /* the plan for which OFFER was made, or NULL */
  PlgPlan *refusing_plan;    /* the plan for which the value was refused, or NULL */
  gboolean keeps_typed_text; /* whether the refused text is kept in the row so that the user can
                                correct it */
};

G_DEFINE_FINAL_TYPE (PlgSettingRow, plg_setting_row, ADW_TYPE_ACTION_ROW)

static double
number_of (PlgSettingRow *self, const PlgPlan *plan)
{
  double value = plg_setting_inherited_number (self->setting, plan);

  return value > 0 ? value : plg_setting_get_number (self->setting, plan);
}

/* From the plan to the control ----------------------------------------------------------------- */

/* Returns the index of NAME in NAMES. If NAMES does not contain NAME, returns the index of
 * "custom", or GTK_INVALID_LIST_POSITION if there is no "custom". */
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

  /* Show all digits of an integer or of a short number, but only six digits of a longer number. */
  gboolean is_derived = plg_setting_inherited_number (self->setting, plan) > 0;
  g_autofree char *exact = is_derived ? plg_format_exact (number_of (self, plan))
                                      : plg_setting_get (self->setting, plan);
  char rounded[G_ASCII_DTOSTR_BUF_SIZE];

  if (self->setting->kind == PLG_SETTING_INTEGER || strlen (exact) <= MAX_CHARS)
    self->shown_text = g_steal_pointer (&exact);
  else
    self->shown_text = g_strdup (g_ascii_formatd (rounded, sizeof rounded, "%.6g",
                                                  number_of (self, plan)));

  width = CLAMP ((int) strlen (self->shown_text), MIN_CHARS, MAX_CHARS);
  if (g_strcmp0 (gtk_editable_get_text (editable), self->shown_text) != 0)
    gtk_editable_set_text (editable, self->shown_text);
  gtk_editable_set_width_chars (editable, width);
  gtk_editable_set_max_width_chars (editable, width);
  plg_widget_set_css_class (self->control, "derived", is_derived);
  return TRUE;
}

static void
update (PlgSettingRow *self)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  g_autofree char *text = plg_setting_get (self->setting, plan);
  gboolean is_implied;
  const char *insensitive_reason = plg_setting_why_not_applicable (self->setting, plan,
                                                                   &is_implied);
  const char *lock_reason = plg_edit_policy_lock_reason (plg_document_policy (self->document),
                                                         self->setting->key);

  plg_widget_set_css_class (GTK_WIDGET (self), "offered",
                            plg_edit_policy_lists_key (plg_document_policy (self->document),
                                                       self->setting->key));
  if (lock_reason != NULL)
    insensitive_reason = lock_reason;

  self->updating = TRUE;
  if (GTK_IS_SPIN_BUTTON (self->control))
    {
      gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->control),
                                 number_of (self, plg_document_plan (self->document)));
      format_value_cb (self);
    }
  else if (GTK_IS_SWITCH (self->control))
    gtk_switch_set_active (GTK_SWITCH (self->control), is_implied || strcmp (text, "true") == 0);
  else if (GTK_IS_ENTRY (self->control))
    {
      if (!self->keeps_typed_text)
        gtk_editable_set_text (GTK_EDITABLE (self->control), text);
      /* A long layout does not fit in the entry. */
      if (self->setting->kind == PLG_SETTING_LAYOUT)
        gtk_widget_set_tooltip_text (self->control, *text != '\0' ? text : NULL);
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
  else if (self->setting->kind == PLG_SETTING_LAYOUT)
    subtitle = _ ("Empty: divided evenly");
  else if (self->setting->kind == PLG_SETTING_MODULES)
    subtitle = _ ("Empty: none");
  else if (self->setting->unit != NULL)
    subtitle = _ (self->setting->unit);
  if (g_strcmp0 (adw_action_row_get_subtitle (ADW_ACTION_ROW (self)), subtitle) != 0)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self), subtitle);

  gtk_widget_set_sensitive (self->control, insensitive_reason == NULL);
  self->updating = FALSE;
}

static void
clear_error (PlgSettingRow *self)
{
  self->keeps_typed_text = FALSE;
  if (self->refusing_plan == NULL)
    return;
  g_clear_pointer (&self->refusing_plan, plg_plan_free);
  gtk_widget_set_visible (self->message, FALSE);
  gtk_widget_remove_css_class (self->control, "error");
  gtk_accessible_reset_state (GTK_ACCESSIBLE (self->control), GTK_ACCESSIBLE_STATE_INVALID);
  plg_accessible_set_description (self->control, NULL);
}

static void
clear_offer (PlgSettingRow *self)
{
  g_clear_pointer (&self->offer, plg_plan_free);
  g_clear_pointer (&self->offer_base, plg_plan_free);
  if (self->offer_button != NULL)
    gtk_widget_set_visible (self->offer_button, FALSE);
}

/* Updates the row. Clears the error and the offer if the plan has changed since they were made. */
static void
changed_cb (PlgSettingRow *self)
{
  if (self->offer_base != NULL &&
      !plg_plan_same_design (self->offer_base, plg_document_plan (self->document)))
    clear_offer (self);
  if (self->refusing_plan != NULL &&
      !plg_plan_same_design (self->refusing_plan, plg_document_plan (self->document)))
    clear_error (self);
  update (self);
}

/* From the control to the plan: typed, stepped, switched and chosen values --------------------- */

static gboolean
set_degree (PlgSettingRow *self, PlgPlan *plan, int degree, GError **error)
{
  g_assert (self->axis >= 0);

  return plg_edit_set_degree (plan, self->axis, degree,
                              plg_edit_compensating_axis (self->axis, FALSE), error);
}

/* Sets the degree of the row's axis. The degree of another axis changes by the inverse factor,
 * so that the world size stays the same. */
static gboolean
apply_degree (PlgSettingRow *self, int degree, GError **error)
{
  g_autoptr (PlgPlan) plan = plg_document_plan_to_edit (self->document);
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
  /* Parse the degree and check its range first, because apply_degree() takes an integer. */
  plan = plg_document_plan_to_edit (self->document);
  return plg_setting_set (plan, NULL, self->setting->key, value, error) &&
         apply_degree (self, lround (plg_setting_get_number (self->setting, plan)), error);
}

static void
apply_text (PlgSettingRow *self, const char *value)
{
  g_autoptr (GError) error = NULL;

  if (apply_value (self, value, &error))
    clear_error (self);
  else
    {
      /* The row shows the setting's title, so the error message does not need to repeat the
       * setting's key. */
      const PlgPlanProblem *problem = plg_plan_problem (error);
      const char *words = problem != NULL && g_strcmp0 (problem->key, self->setting->key) == 0
                              ? problem->text
                              : error->message;
      char first[7] = "";

      g_unichar_to_utf8 (g_unichar_totitle (g_utf8_get_char (words)), first);
      g_autofree char *message = g_strconcat (first, g_utf8_next_char (words), NULL);

      g_clear_pointer (&self->refusing_plan, plg_plan_free);
      self->refusing_plan = plg_plan_copy (plg_document_plan (self->document));
      gtk_label_set_text (GTK_LABEL (self->message), message);
      gtk_widget_set_visible (self->message, TRUE);
      gtk_widget_add_css_class (self->control, "error");
      gtk_accessible_update_state (GTK_ACCESSIBLE (self->control), GTK_ACCESSIBLE_STATE_INVALID,
                                   GTK_ACCESSIBLE_INVALID_TRUE, -1);
      plg_accessible_set_description (self->control, message);
    }
}

/* Applies typed text. Refused text is kept in the row. */
static void
apply_typed (PlgSettingRow *self, const char *value)
{
  apply_text (self, value);
  self->keeps_typed_text = self->refusing_plan != NULL;
  update (self);
}

static gboolean
is_valid_value (PlgSettingRow *self, int value)
{
  g_autoptr (PlgPlan) plan = plg_document_plan_to_edit (self->document);
  g_autofree char *assignment = g_strdup_printf ("%s=%d", self->setting->key, value);
  const char *const assignments[] = { assignment, NULL };

  if (self->axis >= 0)
    return set_degree (self, plan, value, NULL);
  return plg_settings_apply (plan, plg_document_catalogue (self->document), assignments, NULL);
}

/* Returns the next value in the direction of STEP that the plan accepts; for the global batch,
 * for example, this is the next multiple of the number of replicas. Returns FROM + STEP if none
 * of the next MAX_TRIES values is accepted. */
static int
next_valid_value (PlgSettingRow *self, int from, int step)
{
  for (int i = 1; i <= MAX_TRIES; i++)
    {
      int value = from + i * step;

      if (value < self->setting->minimum || value > self->setting->maximum)
        break;
      if (is_valid_value (self, value))
        return value;
    }
  return from + step;
}

/* Returns the next degree that the plan accepts. The degree comes from the list of possible
 * degrees, because accepted degrees can be far apart. */
static int
next_degree (PlgSettingRow *self, int from, int step)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  int degrees[256];
  int n = MIN (plg_edit_degree_choices (plan, self->axis,
                                        plg_edit_compensating_axis (self->axis, FALSE), degrees,
                                        G_N_ELEMENTS (degrees)),
               (int) G_N_ELEMENTS (degrees));

  g_assert (ABS (step) == 1);
  for (int i = step > 0 ? 0 : n - 1; i >= 0 && i < n; i += step)
    if ((degrees[i] - from) * step > 0 && is_valid_value (self, degrees[i]))
      return degrees[i];
  return from + step;
}

/* Applies a change made with the buttons, the arrow keys or assistive technology. Typed text is
 * handled in parse_text_cb(). */
static void
spin_changed_cb (PlgSettingRow *self)
{
  double value = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->control));
  double before = number_of (self, plg_document_plan (self->document));
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (self->updating || value == before)
    return;
  if (self->setting->kind == PLG_SETTING_INTEGER)
    {
      int from = lround (before), step = lround (value) - from;
      int to = ABS (step) != 1   ? from + step
               : self->axis >= 0 ? next_degree (self, from, step)
                                 : next_valid_value (self, from, step);
      g_autofree char *number = g_strdup_printf ("%d", to);

      apply_text (self, number);
    }
  else /* Use 12 digits to hide rounding errors; for example, 450.37 + 1 is then shown as 451.37 */
    apply_text (self, g_ascii_formatd (text, sizeof text, "%.12g", value));
  update (self);
}

/* Converts typed text to the number syntax of plans, with a decimal point and without thousands
 * separators (transfer full). */
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

/* Applies typed text. If the user has not modified the text, the plan keeps its value, even if
 * the text shows fewer digits than the value has. */
static int
parse_text_cb (PlgSettingRow *self, double *value)
{
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (self->control));

  if (!self->updating && g_strcmp0 (typed, self->shown_text) != 0)
    {
      g_autofree char *number = plain_number (typed);

      apply_typed (self, number);
    }
  else if (!self->updating && self->keeps_typed_text)
    clear_error (self);
  *value = number_of (self, plg_document_plan (self->document));
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

/* Offers degrees that fit MODEL, if the present degrees do not. */
static void
make_offer (PlgSettingRow *self, const char *model)
{
  const PlgPlan *before = plg_document_plan (self->document);
  g_autofree char *degrees = NULL, *label = NULL;

  clear_offer (self);
  self->offer = plg_model_offer (self->document, model);
  if (self->offer == NULL)
    return;
  self->offer_base = plg_plan_copy (before);
  degrees = plg_model_offer_describe (before, self->offer);
  /* Translators: a button that changes the model and its degrees, as in "Llama 3 8B with TP 8 · PP 1
   * · DP 8". */
  label = g_strdup_printf (_ ("%s with %s"), self->offer->model.title, degrees);
  gtk_label_set_text (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (self->offer_button))), label);
  gtk_widget_set_visible (self->offer_button, TRUE);
}

static void
offer_clicked_cb (PlgSettingRow *self)
{
  g_autoptr (PlgPlan) plan = g_steal_pointer (&self->offer);
  g_autoptr (GError) error = NULL;

  if (plan == NULL)
    return;
  /* The button disappears, so keep the focus in the row. */
  gtk_widget_grab_focus (self->control);
  if (!plg_document_apply (self->document, plan, plan->model.title, NULL, &error))
    gtk_label_set_text (GTK_LABEL (self->message), error->message);
  clear_offer (self);
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
  if (self->offer_button != NULL)
    make_offer (self, self->names[selected]);
  update (self);
}

static void
apply_entry_cb (PlgSettingRow *self)
{
  g_autofree char *before = plg_setting_get (self->setting, plg_document_plan (self->document));
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->control)));

  if (self->updating)
    return;
  if (strcmp (text, before) != 0)
    apply_typed (self, text);
  else
    clear_error (self);
}

/* Replaces the typed text with the value of the plan if KEY is Escape. */
static gboolean
key_pressed_cb (PlgSettingRow *self, guint key)
{
  g_autofree char *text = NULL;

  if (key != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->control)));
  clear_error (self);
  update (self);
  return strcmp (text, gtk_editable_get_text (GTK_EDITABLE (self->control))) != 0
             ? GDK_EVENT_STOP
             : GDK_EVENT_PROPAGATE;
}

/* Building ------------------------------------------------------------------------------------- */

/* Prevents the scroll wheel from changing the value, because the wheel must scroll the
 * inspector. */
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

/* Disables undo in CONTROL, because undo would restore text that differs from the plan. Lets
 * Escape restore the value of the plan. */
static void
set_up_text (PlgSettingRow *self, GtkWidget *control)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_editable_set_enable_undo (GTK_EDITABLE (control), FALSE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (control, keys);
}

/* Returns the placeholder of an entry, or NULL. The placeholder is not translated, because it
 * shows the syntax of the setting. */
static const char *
example_of (const PlgSetting *setting)
{
  if (strcmp (setting->key, "cluster.faults") == 0)
    return "gpu:5=0.8, nic:1.3=0";
  if (strcmp (setting->key, "cluster.node-names") == 0)
    return "0=dgx-a, 3=dgx-b";
  if (setting->kind == PLG_SETTING_LAYOUT)
    return "Et*3|tttt|tttL";
  if (setting->kind == PLG_SETTING_MODULES)
    return "norm+mla-up";
  return NULL;
}

/* Returns an entry whose text is applied when Enter is pressed or the focus leaves. */
static GtkWidget *
new_entry (PlgSettingRow *self)
{
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->control = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->control), example_of (self->setting));
  set_up_text (self, self->control);
  gtk_widget_add_controller (self->control, focus);
  update (self);
  g_signal_connect_object (self->control, "activate", G_CALLBACK (apply_entry_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "leave", G_CALLBACK (apply_entry_cb), self, G_CONNECT_SWAPPED);
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
        /* Shares change by a tenth. */
        double step = setting->kind == PLG_SETTING_NUMBER && setting->maximum <= 1.0 ? 0.1 : 1.0;
        GtkWidget *spin = gtk_spin_button_new_with_range (setting->minimum, setting->maximum, step);

        /* Accept any text in the entry, because parse_text_cb() reports errors. */
        gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), FALSE);
        /* A held button changes the value by one step, because larger steps would skip accepted
         * values. */
        gtk_spin_button_set_climb_rate (GTK_SPIN_BUTTON (spin), 0);
        disable_scroll_control (spin);
        set_up_text (self, spin);
        self->control = spin;
        g_signal_connect_object (spin, "input", G_CALLBACK (parse_text_cb), self,
                                 G_CONNECT_SWAPPED);
        g_signal_connect_object (spin, "output", G_CALLBACK (format_value_cb), self,
                                 G_CONNECT_SWAPPED);
        update (self);
        g_signal_connect_object (spin, "value-changed", G_CALLBACK (spin_changed_cb), self,
                                 G_CONNECT_SWAPPED);
        return spin;
      }
    case PLG_SETTING_BOOLEAN:
      self->control = gtk_switch_new ();
      update (self);
      g_signal_connect_object (self->control, "notify::active", G_CALLBACK (switch_changed_cb),
                               self, G_CONNECT_SWAPPED);
      return self->control;
    case PLG_SETTING_CHOICE:
    case PLG_SETTING_NAME:
      self->control = plg_setting_choice_new (self->setting,
                                              plg_document_catalogue (self->document),
                                              &self->names);
      disable_scroll_control (self->control);
      update (self);
      g_signal_connect_object (self->control, "notify::selected", G_CALLBACK (choice_changed_cb),
                               self, G_CONNECT_SWAPPED);
      return self->control;
    case PLG_SETTING_FAULTS:
    case PLG_SETTING_NODE_NAMES:
    case PLG_SETTING_LAYOUT:
    case PLG_SETTING_MODULES:
      return new_entry (self);
    case PLG_SETTING_ORDER:
    default:
      g_return_val_if_reached (NULL);
    }
}

/* Returns the button that finds the layers of each stage. The action is insensitive with PP 1. */
static GtkWidget *
new_balance_button (void)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (_ ("_Balance"));

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.balance");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("Find the layers of each stage with which the longest "
                                          "stage is as short as possible and every stage fits in "
                                          "memory (Ctrl+Shift+B)"));
  return button;
}

static void
plg_setting_row_finalize (GObject *object)
{
  PlgSettingRow *self = PLG_SETTING_ROW (object);

  /* Free these members here and not in dispose(), because a control may read its text during its
   * disposal. */
  g_clear_object (&self->document);
  g_clear_pointer (&self->refusing_plan, plg_plan_free);
  g_clear_pointer (&self->offer, plg_plan_free);
  g_clear_pointer (&self->offer_base, plg_plan_free);
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

/* Wraps titles between words. libadwaita breaks titles inside words, but the inspector is wide
 * enough for whole words. */
static void
wrap_at_words (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    gtk_label_set_wrap_mode (GTK_LABEL (widget), PANGO_WRAP_WORD);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    wrap_at_words (child);
}

static void
focus_entered_cb (GtkWidget *limit)
{
  plg_limit_label_set_active (PLG_LIMIT_LABEL (limit), TRUE);
}

static void
focus_left_cb (GtkWidget *limit)
{
  plg_limit_label_set_active (PLG_LIMIT_LABEL (limit), FALSE);
}

/* Adds the limit of the setting to BOX. The limit is shown while the row has the focus. */
static void
add_limit (PlgSettingRow *self, GtkWidget *box)
{
  GtkWidget *limit = plg_limit_label_new (self->document, self->setting->key);
  GtkEventController *focus = gtk_event_controller_focus_new ();

  gtk_box_append (GTK_BOX (box), limit);
  g_signal_connect_object (focus, "enter", G_CALLBACK (focus_entered_cb), limit, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "leave", G_CALLBACK (focus_left_cb), limit, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
}

/* Adds the message below libadwaita's row. An entry is added between the row and the message,
 * because it needs the full width. */
static void
lay_out (PlgSettingRow *self)
{
  GtkWidget *child = gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (self));
  g_autoptr (GtkWidget) header = g_object_ref (child);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class (box, "setting");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
  gtk_box_append (GTK_BOX (box), header);
  if (GTK_IS_ENTRY (self->control))
    gtk_box_append (GTK_BOX (box), self->control);
  else
    adw_action_row_add_suffix (ADW_ACTION_ROW (self), self->control);
  if (self->setting->kind == PLG_SETTING_LAYOUT)
    adw_action_row_add_suffix (ADW_ACTION_ROW (self), new_balance_button ());
  if (plg_memory_limit_exists (self->setting->key))
    add_limit (self, box);
  gtk_box_append (GTK_BOX (box), self->message);
  if (self->offer_button != NULL)
    gtk_box_append (GTK_BOX (box), self->offer_button);
}

/* Returns the hidden button that applies an offer. Its label wraps, because the inspector is
 * narrow. */
static GtkWidget *
new_offer_button (PlgSettingRow *self)
{
  GtkWidget *label = gtk_label_new (NULL), *button = gtk_button_new ();

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_widget_set_margin_start (button, 12);
  gtk_widget_set_margin_end (button, 12);
  gtk_widget_set_margin_top (button, 6);
  gtk_widget_set_margin_bottom (button, 6);
  gtk_widget_set_visible (button, FALSE);
  gtk_widget_set_tooltip_text (
      button, _ ("Choose the model with degrees that are legal and, if possible, fit in memory"));
  g_signal_connect_object (button, "clicked", G_CALLBACK (offer_clicked_cb), self,
                           G_CONNECT_SWAPPED);
  return button;
}

/* Shows the purpose of the setting, and the source of its value if it comes from the catalogue. */
static gboolean
query_tooltip_cb (PlgSettingRow *self, int x, int y, gboolean is_keyboard, GtkTooltip *tooltip)
{
  g_auto (PlgConstantSources) sources = { 0 };
  g_autofree char *source = NULL, *text = NULL;
  GtkWidget *label;

  plg_constant_sources_init (&sources, plg_document_plan (self->document),
                             plg_document_catalogue (self->document));
  source = plg_constant_sources_of_setting (&sources, self->setting->key);
  if (source == NULL)
    return FALSE;
  text = g_strdup_printf ("%s\n\n%s", _ (self->setting->help), source);
  /* A tooltip breaks the lines of its own text only at the width of the screen. */
  label = gtk_label_new (text);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), TOOLTIP_CHARS);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_tooltip_set_custom (tooltip, label);
  return TRUE;
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
  if (g_str_equal (key, "model.name"))
    self->offer_button = new_offer_button (self);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), _ (setting->title));
  wrap_at_words (GTK_WIDGET (self));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), _ (setting->help));
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);

  new_control (self);
  gtk_widget_set_valign (self->control, GTK_ALIGN_CENTER);
  lay_out (self);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (self), self->control);

  /* Include the unit in the accessible name. Remove the labelled-by relation that libadwaita
   * sets, because it would repeat the title. */
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
