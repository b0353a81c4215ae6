/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/setting-row.h"

#include "plan/edit.h"

#include <glib/gi18n-lib.h>
#include <math.h>

struct _PlgSettingRow
{
  AdwActionRow parent_instance;

  PlgDocument *document;
  const PlgSetting *setting;
  int axis;     /* of a degree, else -1 */
  char **names; /* of the choices as --set takes them */
  GtkWidget *control;
  gboolean updating; /* the control follows the plan, not a person */
};

G_DEFINE_FINAL_TYPE (PlgSettingRow, plg_setting_row, ADW_TYPE_ACTION_ROW)

enum
{
  REFUSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void update (PlgSettingRow *self);

/* From a person to the plan ----------------------------------------------------------------------
 */

static void
refuse (PlgSettingRow *self, const GError *error)
{
  g_signal_emit (self, signals[REFUSED], 0, error->message);
}

/* A degree takes its factor from DP, and DP from PP; the world size stays. */
static void
apply_degree (PlgSettingRow *self, int degree)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (self->document));
  g_autofree char *label = g_strdup_printf ("%s %d", plg_axis_label (self->axis), degree);
  g_autoptr (GError) error = NULL;
  PlgAxis absorber = self->axis == PLG_AXIS_DP ? PLG_AXIS_PP : PLG_AXIS_DP;

  if (!plg_edit_set_degree (plan, self->axis, degree, absorber, &error) ||
      !plg_document_apply (self->document, plan, label, NULL, &error))
    refuse (self, error);
}

static void
apply_text (PlgSettingRow *self, const char *value)
{
  g_autoptr (GError) error = NULL;

  if (!plg_document_set (self->document, self->setting->key, value, &error))
    refuse (self, error);
}

/* One step up or down goes to the next degree that divides, not to the next number. */
static int
step_degree (PlgSettingRow *self, int from, int to)
{
  const PlgPlan *plan = plg_document_committed_plan (self->document);
  PlgAxis absorber = self->axis == PLG_AXIS_DP ? PLG_AXIS_PP : PLG_AXIS_DP;
  int degrees[64];
  int n = plg_edit_degree_choices (plan, self->axis, absorber, degrees, G_N_ELEMENTS (degrees));
  int best = to;

  if (ABS (to - from) != 1)
    return to;
  for (int i = 0; i < n; i++)
    if (to > from && degrees[i] >= to)
      return degrees[i];
    else if (to < from && degrees[i] <= to)
      best = degrees[i];
  return best;
}

static void
spin_changed_cb (PlgSettingRow *self)
{
  double value = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->control));
  double before;
  g_autofree char *text = NULL;

  if (self->updating)
    return;
  before = plg_setting_get_number (self->setting, plg_document_committed_plan (self->document));
  if (self->axis >= 0)
    apply_degree (self, step_degree (self, lround (before), lround (value)));
  else
    {
      char buffer[G_ASCII_DTOSTR_BUF_SIZE];
      text = g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.6g", value));
      if (self->setting->kind == PLG_SETTING_INTEGER)
        {
          g_free (text);
          text = g_strdup_printf ("%ld", lround (value));
        }
      apply_text (self, text);
    }
  update (self);
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

/* From the plan to the control -------------------------------------------------------------------
 */

static guint
position_of (char **names, const char *name)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], name) == 0)
      return i;
  return GTK_INVALID_LIST_POSITION;
}

static void
update (PlgSettingRow *self)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  g_autofree char *text = plg_setting_get (self->setting, plan);

  self->updating = TRUE;
  if (GTK_IS_SPIN_BUTTON (self->control))
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->control),
                               plg_setting_get_number (self->setting, plan));
  else if (GTK_IS_SWITCH (self->control))
    gtk_switch_set_active (GTK_SWITCH (self->control), strcmp (text, "true") == 0);
  else if (position_of (self->names, text) !=
           gtk_drop_down_get_selected (GTK_DROP_DOWN (self->control)))
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->control), position_of (self->names, text));
  self->updating = FALSE;
}

/* Building ----------------------------------------------------------------------------------------
 */

static GtkWidget *
new_spin (PlgSettingRow *self)
{
  const PlgSetting *setting = self->setting;
  gboolean whole = setting->kind == PLG_SETTING_INTEGER;
  GtkWidget *spin = gtk_spin_button_new_with_range (setting->minimum, setting->maximum, 1);

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), whole ? 0 : 1);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 5);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (spin), 6);
  self->control = spin;
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

/* Choices as people read them; a name that is missing here is a term of the field and stays. */
static const char *
choice_title (const char *name)
{
  static const struct
  {
    const char *name;
    const char *title;
  } titles[] = {
    { "none", N_ ("None") },
    { "selective", N_ ("Selective") },
    { "full", N_ ("Full") },
    { "gpipe", "GPipe" },
    { "1f1b", "1F1B" },
    { "interleaved", N_ ("Interleaved") },
    { "zb-h1", "ZB-H1" },
    { "zb-v", "ZB-V" },
    { "dualpipe", "DualPipe" },
    { "bf16", "BF16" },
    { "fp16", "FP16" },
    { "fp8", "FP8" },
    { "fp32", "FP32" },
    { "ring", N_ ("Ring") },
    { "ulysses", "Ulysses" },
    { "all-gather", N_ ("All-gather") },
    { "nvswitch", "NVSwitch" },
    { "mesh", N_ ("Mesh") },
    { "pcie", "PCIe" },
    { "rail", N_ ("Rails") },
    { "tree", N_ ("Tree (ToR)") },
    { "flat", N_ ("One switch") },
    { "standard", N_ ("Standard") },
    { "notebook", N_ ("Notebook") },
    { "handbook", N_ ("Handbook") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    if (strcmp (titles[i].name, name) == 0)
      return _ (titles[i].title);
  return name;
}

static void
add_choice (GStrvBuilder *names, GtkStringList *titles, const char *name, const char *title)
{
  g_strv_builder_add (names, name);
  gtk_string_list_append (titles, title);
}

static void
add_catalogue_choices (PlgSettingRow *self, GStrvBuilder *names, GtkStringList *titles)
{
  const PlgCatalogue *catalogue = plg_document_catalogue (self->document);
  const char *key = self->setting->key;

  if (strcmp (key, "cluster.gpu") == 0)
    for (int i = 0; i < plg_catalogue_n_gpus (catalogue); i++)
      add_choice (names, titles, plg_catalogue_nth_gpu (catalogue, i)->name,
                  plg_catalogue_nth_gpu (catalogue, i)->title);
  else if (strcmp (key, "cluster.node") == 0)
    for (int i = 0; i < plg_catalogue_n_nodes (catalogue); i++)
      add_choice (names, titles, plg_catalogue_nth_node (catalogue, i)->name,
                  plg_catalogue_nth_node (catalogue, i)->title);
  else
    for (int i = 0; i < plg_catalogue_n_models (catalogue); i++)
      add_choice (names, titles, plg_catalogue_nth_model (catalogue, i)->name,
                  plg_catalogue_nth_model (catalogue, i)->title);
}

static GtkWidget *
new_drop_down (PlgSettingRow *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  GtkStringList *titles = gtk_string_list_new (NULL);
  GtkExpression *text;

  if (self->setting->kind == PLG_SETTING_NAME)
    add_catalogue_choices (self, names, titles);
  else
    for (int i = 0; self->setting->choices[i] != NULL; i++)
      add_choice (names, titles, self->setting->choices[i],
                  choice_title (self->setting->choices[i]));
  self->names = g_strv_builder_end (names);
  /* For the search, which looks at text; the list takes it over. */
  text = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");
  self->control = gtk_drop_down_new (G_LIST_MODEL (titles), text);
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (self->control),
                                   self->setting->kind == PLG_SETTING_NAME);
  update (self);
  g_signal_connect_object (self->control, "notify::selected", G_CALLBACK (choice_changed_cb), self,
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
      return new_spin (self);
    case PLG_SETTING_BOOLEAN:
      return new_switch (self);
    case PLG_SETTING_CHOICE:
    case PLG_SETTING_NAME:
      return new_drop_down (self);
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
plg_setting_row_dispose (GObject *object)
{
  PlgSettingRow *self = PLG_SETTING_ROW (object);

  g_clear_object (&self->document);
  G_OBJECT_CLASS (plg_setting_row_parent_class)->dispose (object);
}

static void
plg_setting_row_finalize (GObject *object)
{
  g_strfreev (PLG_SETTING_ROW (object)->names);
  G_OBJECT_CLASS (plg_setting_row_parent_class)->finalize (object);
}

static void
plg_setting_row_class_init (PlgSettingRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = plg_setting_row_dispose;
  G_OBJECT_CLASS (klass)->finalize = plg_setting_row_finalize;
  signals[REFUSED] = g_signal_new ("refused", PLG_TYPE_SETTING_ROW, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
plg_setting_row_init (PlgSettingRow *self)
{
}

GtkWidget *
plg_setting_row_new (PlgDocument *document, const char *key)
{
  PlgSettingRow *self = g_object_new (PLG_TYPE_SETTING_ROW, NULL);
  const char *title;
  GtkWidget *control;

  g_return_val_if_fail (PLG_IS_DOCUMENT (document), NULL);
  self->document = g_object_ref (document);
  self->setting = plg_setting_find (key);
  g_return_val_if_fail (self->setting != NULL, NULL);
  self->axis = axis_of_key (key);
  title = _ (self->setting->title);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), title);
  if (self->setting->unit != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self), self->setting->unit);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), _ (self->setting->help));

  control = new_control (self);
  gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
  /* The row's title does not become the control's name by itself. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  -1);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), control);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (self), control);
  g_signal_connect_object (document, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
