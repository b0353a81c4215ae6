/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Edits by the user: applies typed, stepped, switched or chosen values to the plan, and shows why
 * the plan refuses a value. */

#include "widgets/inspector/setting-row-private.h"

#include "plan/edit.h"
#include "widgets/accessible-names.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <math.h>

/* The maximum number of values that a step tries. */
#define MAX_TRIES 4096

void
plg_setting_row_clear_error (PlgSettingRow *self)
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

static gboolean
set_degree (PlgSettingRow *self, PlgPlan *plan, int degree, GError **error)
{
  g_assert (self->axis >= 0);

  return plg_edit_set_degree (plan, self->axis, degree,
                              plg_edit_compensating_axis (self->axis, FALSE), error);
}

/* Sets a degree and keeps the world size: another axis takes the inverse factor. */
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
  /* A degree is first checked against its range. */
  plan = plg_plan_copy (plg_document_committed_plan (self->document));
  return plg_setting_set (plan, NULL, self->setting->key, value, error) &&
         apply_degree (self, lround (plg_setting_get_number (self->setting, plan)), error);
}

static void
apply_text (PlgSettingRow *self, const char *value)
{
  g_autoptr (GError) error = NULL;

  if (apply_value (self, value, &error))
    plg_setting_row_clear_error (self);
  else
    {
      /* The row shows the title, so the message need not repeat the key. */
      const PlgPlanProblem *problem = plg_plan_problem (error);
      const char *words = problem != NULL && g_strcmp0 (problem->key, self->setting->key) == 0
                              ? problem->text
                              : error->message;
      char first[7] = "";

      g_unichar_to_utf8 (g_unichar_totitle (g_utf8_get_char (words)), first);
      g_autofree char *message = g_strconcat (first, g_utf8_next_char (words), NULL);

      g_clear_pointer (&self->refusing_plan, plg_plan_free);
      self->refusing_plan = plg_plan_copy (plg_document_committed_plan (self->document));
      gtk_label_set_text (GTK_LABEL (self->message), message);
      gtk_widget_set_visible (self->message, TRUE);
      gtk_widget_add_css_class (self->control, "error");
      gtk_accessible_update_state (GTK_ACCESSIBLE (self->control), GTK_ACCESSIBLE_STATE_INVALID,
                                   GTK_ACCESSIBLE_INVALID_TRUE, -1);
      plg_accessible_set_description (self->control, message);
    }
}

/* Applies a typed text and keeps the text after a refusal. */
static void
apply_typed (PlgSettingRow *self, const char *value)
{
  apply_text (self, value);
  self->keeps_typed_text = self->refusing_plan != NULL;
  plg_setting_row_update (self);
}

static gboolean
is_valid_value (PlgSettingRow *self, int value)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (self->document));
  g_autofree char *assignment = g_strdup_printf ("%s=%d", self->setting->key, value);
  const char *const assignments[] = { assignment, NULL };

  if (self->axis >= 0)
    return set_degree (self, plan, value, NULL);
  return plg_settings_apply (plan, plg_document_catalogue (self->document), assignments, NULL);
}

/* Returns the next value that the plan accepts, such as the next multiple of the replicas for the
 * global batch. Returns FROM + STEP if no accepted value is near. */
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

/* Returns the next divisor, since the accepted degrees can lie far apart. */
static int
next_degree (PlgSettingRow *self, int from, int step)
{
  const PlgPlan *plan = plg_document_committed_plan (self->document);
  int degrees[256];
  int n = MIN (plg_edit_degree_choices (plan, self->axis,
                                        plg_edit_compensating_axis (self->axis, FALSE), degrees,
                                        G_N_ELEMENTS (degrees)),
               (int) G_N_ELEMENTS (degrees));

  for (int i = step > 0 ? 0 : n - 1; i >= 0 && i < n; i += step)
    if ((degrees[i] - from) * step > 0 && is_valid_value (self, degrees[i]))
      return degrees[i];
  return from + step;
}

/* Applies a change by the buttons, the arrow keys or assistive technology. Typed text arrives in
 * plg_setting_row_parse(). */
void
plg_setting_row_apply_spin (PlgSettingRow *self)
{
  double value = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->control));
  double before = plg_setting_row_number (self, plg_document_committed_plan (self->document));
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
  else /* 450.37 + 1 is 451.37 without a rounding error */
    apply_text (self, g_ascii_formatd (text, sizeof text, "%.12g", value));
  plg_setting_row_update (self);
}

/* Converts typed text to the syntax of the plan: a decimal point and no thousands separators
 * (transfer full). */
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

/* Unmodified text keeps the value of the plan, even if the text shows fewer digits. */
int
plg_setting_row_parse (PlgSettingRow *self, double *value)
{
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (self->control));

  if (!self->updating && g_strcmp0 (typed, self->shown_text) != 0)
    {
      g_autofree char *number = plain_number (typed);

      apply_typed (self, number);
    }
  else if (!self->updating && self->keeps_typed_text)
    plg_setting_row_clear_error (self);
  *value = plg_setting_row_number (self, plg_document_plan (self->document));
  return TRUE;
}

void
plg_setting_row_apply_switch (PlgSettingRow *self)
{
  if (self->updating)
    return;
  apply_text (self, gtk_switch_get_active (GTK_SWITCH (self->control)) ? "true" : "false");
  plg_setting_row_update (self);
}

void
plg_setting_row_apply_choice (PlgSettingRow *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->control));

  if (self->updating || selected == GTK_INVALID_LIST_POSITION ||
      selected >= g_strv_length (self->names))
    return;
  apply_text (self, self->names[selected]);
  plg_setting_row_update (self);
}

void
plg_setting_row_apply_entry (PlgSettingRow *self)
{
  g_autofree char *before = plg_setting_get (self->setting, plg_document_plan (self->document));
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->control)));

  if (self->updating)
    return;
  if (strcmp (text, before) != 0)
    apply_typed (self, text);
  else
    plg_setting_row_clear_error (self);
}

/* Escape restores the value of the plan. */
gboolean
plg_setting_row_handle_key (PlgSettingRow *self, guint key)
{
  g_autofree char *text = NULL;

  if (key != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->control)));
  plg_setting_row_clear_error (self);
  plg_setting_row_update (self);
  return strcmp (text, gtk_editable_get_text (GTK_EDITABLE (self->control))) != 0
             ? GDK_EVENT_STOP
             : GDK_EVENT_PROPAGATE;
}
