/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/search/search-form.h"

#include "plan/settings/setting.h"
#include "widgets/accessible-names.h"
#include "widgets/widget-theme.h"

#include <glib/gi18n-lib.h>

/* The columns of check boxes for settings to hold. */
#define HOLD_COLUMNS 3

/* The time after the last key after which a text is checked. */
#define CHECK_MILLISECONDS 250

struct _PlgSearchForm
{
  GtkWidget parent_instance;

  PlgPlanSearch *search;
  guint vary_timeout_id;
  guint require_timeout_id;

  GtkDropDown *by;
  GtkGrid *holds;
  GtkEntry *vary;
  GtkLabel *vary_message;
  GtkEntry *require;
  GtkLabel *require_message;
};

G_DEFINE_FINAL_TYPE (PlgSearchForm, plg_search_form, GTK_TYPE_WIDGET)

/* The metrics that can rank the plans and be an axis of the plot. The first two are the axes at
 * first. */
static const char *const metric_names[] = {
  "step-time",
  "memory",
  "mfu",
  "tokens-per-second-per-gpu",
  "days",
  "cost",
  "energy",
  "cost-per-million-tokens",
  "bubble",
  "world-size",
  "tp-share",
  "dp-share",
  "communication-over-compute",
};

const PlgMetric *
plg_search_form_metric (guint i)
{
  g_return_val_if_fail (i < G_N_ELEMENTS (metric_names), NULL);

  return plg_metric_find (metric_names[i]);
}

GtkStringList *
plg_search_form_metric_titles (void)
{
  GtkStringList *titles = gtk_string_list_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (metric_names); i++)
    {
      g_autofree char *title = plg_metric_title (plg_search_form_metric (i));

      gtk_string_list_append (titles, title);
    }
  return titles;
}

/* Texts ---------------------------------------------------------------------------------------- */

/* Returns the parts of the text of ENTRY between SEPARATORS, without empty parts. */
static char **
split_text (GtkEntry *entry, const char *separators)
{
  g_auto (GStrv)
              parts = g_strsplit_set (gtk_editable_get_text (GTK_EDITABLE (entry)), separators, -1);
  GPtrArray *words = g_ptr_array_new ();

  for (int i = 0; parts[i] != NULL; i++)
    if (*g_strstrip (parts[i]) != '\0')
      g_ptr_array_add (words, g_strdup (parts[i]));
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}

static void
set_message (GtkEntry *entry, GtkLabel *label, const char *hint, const GError *error)
{
  const char *text = error != NULL ? error->message : hint;

  gtk_label_set_text (label, text);
  plg_widget_set_css_class (GTK_WIDGET (entry), "error", error != NULL);
  plg_widget_set_css_class (GTK_WIDGET (label), "error", error != NULL);
  plg_widget_set_css_class (GTK_WIDGET (label), "dim-label", error == NULL);
  gtk_accessible_update_state (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID,
                               error != NULL ? GTK_ACCESSIBLE_INVALID_TRUE
                                             : GTK_ACCESSIBLE_INVALID_FALSE,
                               -1);
  plg_accessible_set_description (GTK_WIDGET (entry), text);
}

static gboolean
check_vary_cb (gpointer data)
{
  PlgSearchForm *self = data;
  g_auto (GStrv) words = split_text (self->vary, " ;");
  g_autoptr (GError) error = NULL;

  self->vary_timeout_id = 0;
  plg_plan_search_set_vary (self->search, (const char *const *) words, &error);
  set_message (self->vary, self->vary_message,
               _ ("Keys of settings with their values, separated by spaces. DP follows."), error);
  return G_SOURCE_REMOVE;
}

static gboolean
check_require_cb (gpointer data)
{
  PlgSearchForm *self = data;
  g_auto (GStrv) words = split_text (self->require, ",;");
  g_autoptr (GError) error = NULL;

  self->require_timeout_id = 0;
  plg_plan_search_set_requirements (self->search, (const char *const *) words, &error);
  set_message (self->require, self->require_message,
               _ ("Conditions that a plan must meet, separated by commas"), error);
  return G_SOURCE_REMOVE;
}

static void
vary_changed_cb (PlgSearchForm *self)
{
  g_clear_handle_id (&self->vary_timeout_id, g_source_remove);
  if (self->search != NULL)
    self->vary_timeout_id = g_timeout_add (CHECK_MILLISECONDS, check_vary_cb, self);
}

static void
require_changed_cb (PlgSearchForm *self)
{
  g_clear_handle_id (&self->require_timeout_id, g_source_remove);
  if (self->search != NULL)
    self->require_timeout_id = g_timeout_add (CHECK_MILLISECONDS, check_require_cb, self);
}

/* Choices -------------------------------------------------------------------------------------- */

static void
by_changed_cb (PlgSearchForm *self)
{
  if (self->search != NULL)
    plg_plan_search_set_by (self->search,
                            plg_search_form_metric (gtk_drop_down_get_selected (self->by)));
}

static void
hold_toggled_cb (GtkCheckButton *button, PlgSearchForm *self)
{
  PlgSearchKey key = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "key"));

  if (self->search != NULL)
    plg_plan_search_set_kept (self->search, key, gtk_check_button_get_active (button));
}

void
plg_search_form_set_search (PlgSearchForm *self, PlgPlanSearch *search)
{
  g_return_if_fail (PLG_IS_SEARCH_FORM (self) && PLG_IS_PLAN_SEARCH (search));
  g_return_if_fail (self->search == NULL);

  self->search = g_object_ref (search);
  check_vary_cb (self);
  check_require_cb (self);
}

/* Object --------------------------------------------------------------------------------------- */

static void
plg_search_form_dispose (GObject *object)
{
  PlgSearchForm *self = PLG_SEARCH_FORM (object);
  GtkWidget *child;

  g_clear_handle_id (&self->vary_timeout_id, g_source_remove);
  g_clear_handle_id (&self->require_timeout_id, g_source_remove);
  g_clear_object (&self->search);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (plg_search_form_parent_class)->dispose (object);
}

static void
plg_search_form_class_init (PlgSearchFormClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_search_form_dispose;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/org/parallelogram/Parallelogram/ui/search-form.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgSearchForm, by);
  gtk_widget_class_bind_template_child (widget_class, PlgSearchForm, holds);
  gtk_widget_class_bind_template_child (widget_class, PlgSearchForm, vary);
  gtk_widget_class_bind_template_child (widget_class, PlgSearchForm, vary_message);
  gtk_widget_class_bind_template_child (widget_class, PlgSearchForm, require);
  gtk_widget_class_bind_template_child (widget_class, PlgSearchForm, require_message);
  gtk_widget_class_bind_template_callback (widget_class, vary_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, require_changed_cb);
  gtk_widget_class_set_css_name (widget_class, "searchform");
}

static void
name_entry (GtkEntry *entry, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
plg_search_form_init (PlgSearchForm *self)
{
  g_autoptr (GtkStringList) titles = plg_search_form_metric_titles ();

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_drop_down_set_model (self->by, G_LIST_MODEL (titles));
  plg_accessible_name_drop_down (GTK_WIDGET (self->by), _ ("Rank by"));
  g_signal_connect_object (self->by, "notify::selected", G_CALLBACK (by_changed_cb), self,
                           G_CONNECT_SWAPPED);
  name_entry (self->vary, _ ("Values to try"));
  name_entry (self->require, _ ("Requirements"));
  for (int key = 0; key < PLG_N_SEARCH_KEYS; key++)
    {
      const PlgSetting *setting = plg_setting_find (plg_search_key_setting (key));
      GtkWidget *button = gtk_check_button_new_with_label (_ (setting->title));

      g_object_set_data (G_OBJECT (button), "key", GINT_TO_POINTER (key));
      g_signal_connect_object (button, "toggled", G_CALLBACK (hold_toggled_cb), self, 0);
      gtk_grid_attach (self->holds, button, key % HOLD_COLUMNS, key / HOLD_COLUMNS, 1, 1);
    }
}
