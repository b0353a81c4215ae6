/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/dialogs/compare-dialog.h"

#include "app/picture-actions.h"
#include "app/toasts.h"
#include "plan/edit.h"
#include "plan/order-preset.h"
#include "widgets/pictures/picture-view.h"
#include "widgets/accessible-names.h"

#include <glib/gi18n.h>
#include <string.h>

/* The kind of plan or order that the open plan is compared with. */
typedef enum
{
  CHOICE_ORDER,
  CHOICE_SAVED,
  CHOICE_FILE,
  CHOICE_FOUND,
  CHOICE_VARIANT,
} Choice;

struct _PlgCompareDialog
{
  AdwWindow parent_instance;

  PlgDocument *document;
  AdwToastOverlay *toasts;
  GtkDropDown *choices; /* the kinds of comparison, with each plan that can be chosen */
  GtkDropDown *others;  /* the nesting orders; visible only if the plan is compared with one */
  GtkButton *use;
  PlgPictureView *view;
  GArray *orders;                  /* the nesting orders in the drop-down; element type Order */
  PlgAxis own[PLG_N_NESTED_AXES];  /* the nesting order of the plan after its latest change */
  PlgAxis with[PLG_N_NESTED_AXES]; /* the nesting order that the plan is compared with */
  Choice choice;
  char *variant;          /* the name of the variant for CHOICE_VARIANT; kept for other choices */
  PlgPlan *found_plan;    /* the plan for CHOICE_FOUND, or NULL if no found plan was previewed */
  PlgPlan *file_plan;     /* the plan for CHOICE_FILE, or NULL if no file was chosen */
  char *file_name;        /* the name of the file of FILE_PLAN */
  char *file_path;        /* the path of the file of FILE_PLAN, or NULL */
  PlgPlan *compared_plan; /* the plan that the picture shows on the right, or NULL for an order */
  Choice shown_choice;    /* the choice and the redaction with which COMPARED_PLAN is shown */
  guint shown_redaction;
  GtkFileChooserNative *chooser; /* owned, because GTK does not keep a reference to it */
  gboolean is_filling;
};

typedef struct
{
  PlgAxis axes[PLG_N_NESTED_AXES];
} Order;

G_DEFINE_FINAL_TYPE (PlgCompareDialog, plg_compare_dialog, ADW_TYPE_WINDOW)

static const PlgParallelism *
parallelism_of (PlgCompareDialog *self)
{
  return &plg_document_plan (self->document)->parallelism;
}

/* Returns whether the nesting orders A and B arrange the axes with a degree above 1 in the same
 * sequence. */
static gboolean
is_same (PlgCompareDialog *self, const PlgAxis *a, const PlgAxis *b)
{
  const int *degree = parallelism_of (self)->degree;
  g_autofree char *first = plg_order_title (a, degree), *second = plg_order_title (b, degree);

  return g_str_equal (first, second);
}

/* The nesting orders to choose from ------------------------------------------------------------ */

static void
add_order (PlgCompareDialog *self, const PlgAxis *axes)
{
  Order order;

  if (is_same (self, axes, self->own))
    return;
  for (guint i = 0; i < self->orders->len; i++)
    if (is_same (self, axes, g_array_index (self->orders, Order, i).axes))
      return;
  memcpy (order.axes, axes, sizeof order.axes);
  g_array_append_val (self->orders, order);
}

/* Adds every permutation of AXES that keeps the first N axes in place. */
static void
add_permutations (PlgCompareDialog *self, PlgAxis *axes, int n)
{
  if (n == PLG_N_NESTED_AXES)
    add_order (self, axes);
  for (int i = n; i < PLG_N_NESTED_AXES; i++)
    {
      PlgAxis kept = axes[n];

      axes[n] = axes[i];
      axes[i] = kept;
      add_permutations (self, axes, n + 1);
      axes[i] = axes[n];
      axes[n] = kept;
    }
}

static void
fill_list (PlgCompareDialog *self)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  guint selected = 0;

  for (guint i = 0; i < self->orders->len; i++)
    {
      const PlgAxis *axes = g_array_index (self->orders, Order, i).axes;
      /* Build a title such as "TP → DP → PP (Megatron-LM, torchtitan)". */
      g_autofree char *text = NULL;
      g_autofree char *title = plg_order_title (axes, parallelism_of (self)->degree);
      g_autoptr (GString) programs = g_string_new (NULL);
      int n;
      const PlgOrderPreset *presets = plg_order_presets (&n);

      for (int j = 0; j < n; j++)
        if (is_same (self, presets[j].order, axes))
          g_string_append_printf (programs, "%s%s", programs->len > 0 ? ", " : "",
                                  presets[j].title);
      if (programs->len == 0)
        text = g_steal_pointer (&title);
      else
        text = g_strdup_printf ("%s (%s)", title, programs->str);

      gtk_string_list_append (list, text);
      if (is_same (self, axes, self->with))
        selected = i;
    }
  self->is_filling = TRUE;
  gtk_drop_down_set_model (self->others, G_LIST_MODEL (list));
  gtk_drop_down_set_selected (self->others, selected);
  self->is_filling = FALSE;
}

/* The plans to choose from --------------------------------------------------------------------- */

/* Returns the item of CHOICE in the drop-down of choices, or of the variant NAME for
 * CHOICE_VARIANT. Returns GTK_INVALID_LIST_POSITION if there is no such item. */
static guint
item_of_choice (PlgCompareDialog *self, Choice choice, const char *name)
{
  const PlgVariants *variants = plg_document_plan (self->document)->variants;
  int variant = choice == CHOICE_VARIANT && name != NULL ? plg_variants_find (variants, name) : -1;
  guint saved = plg_document_saved_plan (self->document) != NULL ? 1 : 0;
  guint file = self->file_plan != NULL ? 1 : 0;
  guint found = self->found_plan != NULL ? 1 : 0;

  switch (choice)
    {
    case CHOICE_ORDER:
      return 0;
    case CHOICE_SAVED:
      return saved > 0 ? 1 : GTK_INVALID_LIST_POSITION;
    case CHOICE_FILE:
      return file > 0 ? saved + 1 : GTK_INVALID_LIST_POSITION;
    case CHOICE_FOUND:
      return found > 0 ? saved + file + 1 : GTK_INVALID_LIST_POSITION;
    case CHOICE_VARIANT:
    default:
      return variant >= 0 ? saved + file + found + 1 + (guint) variant : GTK_INVALID_LIST_POSITION;
    }
}

/* Fills the drop-down of choices. If the chosen plan no longer exists, chooses an order. */
static void
fill_choices (PlgCompareDialog *self)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  const PlgVariants *variants = plg_document_plan (self->document)->variants;

  gtk_string_list_append (list, _ ("another order"));
  if (plg_document_saved_plan (self->document) != NULL)
    gtk_string_list_append (list, _ ("the saved plan"));
  if (self->file_plan != NULL)
    gtk_string_list_append (list, self->file_name);
  if (self->found_plan != NULL)
    gtk_string_list_append (list, _ ("the found plan"));
  for (int i = 0; i < plg_variants_count (variants); i++)
    {
      g_autofree char *text = g_strdup_printf (_ ("variant “%s”"),
                                               plg_variants_nth (variants, i)->name);

      gtk_string_list_append (list, text);
    }
  if (item_of_choice (self, self->choice, self->variant) == GTK_INVALID_LIST_POSITION)
    self->choice = CHOICE_ORDER;
  self->is_filling = TRUE;
  gtk_drop_down_set_model (self->choices, G_LIST_MODEL (list));
  gtk_drop_down_set_selected (self->choices, item_of_choice (self, self->choice, self->variant));
  self->is_filling = FALSE;
}

/* Reads the selected choice from the drop-down. */
static void
read_choice (PlgCompareDialog *self)
{
  const PlgVariants *variants = plg_document_plan (self->document)->variants;
  guint item = gtk_drop_down_get_selected (self->choices);

  for (Choice choice = CHOICE_ORDER; choice <= CHOICE_FOUND; choice++)
    if (item == item_of_choice (self, choice, NULL))
      {
        self->choice = choice;
        return;
      }
  for (int i = 0; i < plg_variants_count (variants); i++)
    {
      const char *name = plg_variants_nth (variants, i)->name;

      if (item != item_of_choice (self, CHOICE_VARIANT, name))
        continue;
      self->choice = CHOICE_VARIANT;
      g_free (self->variant);
      self->variant = g_strdup (name);
      return;
    }
}

/* Returns the plan of the choice, or NULL if the plan is compared with an order. */
static PlgPlan *
chosen_plan (PlgCompareDialog *self)
{
  const PlgPlan *plan = plg_document_plan (self->document);

  switch (self->choice)
    {
    case CHOICE_SAVED:
      return plg_plan_copy (plg_document_saved_plan (self->document));
    case CHOICE_FILE:
      return plg_plan_copy (self->file_plan);
    case CHOICE_FOUND:
      return plg_plan_copy (self->found_plan);
    case CHOICE_VARIANT:
      return plg_variant_apply (plg_variants_nth (plan->variants,
                                                  plg_variants_find (plan->variants,
                                                                     self->variant)),
                                plan);
    case CHOICE_ORDER:
    default:
      return NULL;
    }
}

/* Shows the chosen plan in the picture. Returns FALSE if the plan is compared with an order. */
static gboolean
show_chosen_plan (PlgCompareDialog *self)
{
  const PlgReport *report = plg_document_report (self->document);
  const char *names[] = { [CHOICE_ORDER] = NULL,
                          [CHOICE_SAVED] = _ ("the saved plan"),
                          [CHOICE_FILE] = self->file_name,
                          [CHOICE_FOUND] = _ ("the found plan"),
                          [CHOICE_VARIANT] = self->variant };
  g_autoptr (PlgPlan) plan = chosen_plan (self);
  PlgComparedPlan *compared = NULL;
  g_autoptr (GError) error = NULL;

  /* While the open plan is edited, the chosen plan stays the same and need not be evaluated again. */
  if (plan != NULL && self->compared_plan != NULL && self->shown_choice == self->choice &&
      self->shown_redaction == report->redaction && plg_plan_equal (plan, self->compared_plan))
    return TRUE;
  g_clear_pointer (&self->compared_plan, plg_plan_free);
  self->compared_plan = g_steal_pointer (&plan);
  self->shown_choice = self->choice;
  self->shown_redaction = report->redaction;
  if (self->compared_plan != NULL)
    compared = plg_compared_plan_new (self->compared_plan, report->redaction,
                                      plg_document_catalogue (self->document), _ ("this plan"),
                                      names[self->choice], &error);
  if (compared != NULL && self->choice == CHOICE_SAVED)
    compared->path = g_file_get_path (plg_document_file (self->document));
  else if (compared != NULL && self->choice == CHOICE_FILE)
    compared->path = g_strdup (self->file_path);
  else if (compared != NULL && self->choice == CHOICE_VARIANT)
    compared->variant = g_strdup (self->variant);
  plg_picture_view_set_compared (self->view, compared);
  if (error != NULL)
    plg_toasts_show (self->toasts, error->message);
  plg_compared_plan_unref (compared);
  return self->compared_plan != NULL;
}

static void
show_chosen (PlgCompareDialog *self)
{
  guint i = gtk_drop_down_get_selected (self->others);
  gboolean is_any = i < self->orders->len, is_plan;

  if (self->is_filling)
    return;
  is_plan = show_chosen_plan (self);
  gtk_widget_set_visible (GTK_WIDGET (self->others), !is_plan);
  gtk_button_set_label (self->use, is_plan ? _ ("_Use This Plan") : _ ("_Use This Order"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->use),
                               is_plan ? _ ("Make the plan on the right the open plan")
                                       : _ ("Use the order on the right in the plan"));
  plg_accessible_name_buttons (GTK_WIDGET (self));
  gtk_widget_set_sensitive (GTK_WIDGET (self->use), is_plan || is_any);
  gtk_widget_set_sensitive (GTK_WIDGET (self->others), is_any);
  if (is_any)
    memcpy (self->with, g_array_index (self->orders, Order, i).axes, sizeof self->with);
  plg_picture_view_set_other_order (self->view, self->with);
}

static void
choice_changed_cb (PlgCompareDialog *self)
{
  if (self->is_filling)
    return;
  read_choice (self);
  g_clear_pointer (&self->compared_plan, plg_plan_free);
  show_chosen (self);
}

/* Updates both nesting orders. If the plan now has the order that it was compared with, compares
 * the plan with its former order. */
static void
document_changed_cb (PlgCompareDialog *self)
{
  const PlgAxis *now = parallelism_of (self)->order;

  if (is_same (self, now, self->with))
    memcpy (self->with, self->own, sizeof self->with);
  memcpy (self->own, now, sizeof self->own);

  /* List the nesting orders of well-known programs first. */
  PlgAxis axes[PLG_N_NESTED_AXES];
  int n;
  const PlgOrderPreset *presets = plg_order_presets (&n);

  g_array_set_size (self->orders, 0);
  for (int i = 0; i < n; i++)
    add_order (self, presets[i].order);
  memcpy (axes, self->own, sizeof axes);
  add_permutations (self, axes, 0);

  fill_list (self);
  fill_choices (self);
  show_chosen (self);
}

/* A plan in another file ----------------------------------------------------------------------- */

static void
file_chosen_cb (PlgCompareDialog *self, int response)
{
  g_autoptr (GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (self->chooser));
  g_clear_object (&self->chooser);
  if (file != NULL)
    plg_compare_dialog_set_file (self, file);
}

static void
open_cb (PlgCompareDialog *self)
{
  g_clear_object (&self->chooser);
  self->chooser = gtk_file_chooser_native_new (_ ("Compare with a File"), GTK_WINDOW (self),
                                               GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Compare"), NULL);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (file_chosen_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

void
plg_compare_dialog_set_file (PlgCompareDialog *self, GFile *file)
{
  g_autoptr (PlgImportResult) import = NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (PLG_IS_COMPARE_DIALOG (self) && G_IS_FILE (file));

  import = plg_document_read (self->document, file, &error);
  if (import == NULL)
    {
      plg_toasts_show (self->toasts, error->message);
      return;
    }
  plg_plan_free (self->file_plan);
  self->file_plan = g_steal_pointer (&import->plan);
  g_free (self->file_name);
  self->file_name = g_path_get_basename (import->name);
  g_free (self->file_path);
  self->file_path = g_file_get_path (file);
  self->choice = CHOICE_FILE;
  g_clear_pointer (&self->compared_plan, plg_plan_free);
  fill_choices (self);
  show_chosen (self);
}

/* Actions -------------------------------------------------------------------------------------- */

/* Makes the compared plan the open plan in one undo step. The open plan keeps its variants. */
static void
use_plan (PlgCompareDialog *self)
{
  const PlgVariants *variants = plg_document_committed_plan (self->document)->variants;
  g_autoptr (PlgPlan) plan = NULL;
  g_autofree char *label = NULL;
  g_autoptr (GError) error = NULL;

  if (self->choice == CHOICE_VARIANT)
    {
      if (!plg_document_switch_to_variant (self->document,
                                           plg_variants_find (variants, self->variant), &error))
        plg_toasts_show (self->toasts, error->message);
      return;
    }
  plan = plg_plan_copy (self->compared_plan);
  plg_variants_unref (plan->variants);
  plan->variants = plg_variants_ref ((PlgVariants *) variants);
  if (self->choice == CHOICE_SAVED)
    label = g_strdup (_ ("Return to the saved plan"));
  else if (self->choice == CHOICE_FOUND)
    label = g_strdup (_ ("Found plan"));
  else
    label = g_strdup_printf (_ ("Plan from %s"), self->file_name);
  if (!plg_document_apply (self->document, plan, label, NULL, &error))
    plg_toasts_show (self->toasts, error->message);
}

static void
use_cb (PlgCompareDialog *self)
{
  if (self->compared_plan != NULL)
    {
      use_plan (self);
      return;
    }
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (self->document));
  g_autofree char *title = plg_order_title (self->with, plan->parallelism.degree);
  g_autofree char *label = g_strdup_printf (_ ("Order %s"), title);
  g_autoptr (GError) error = NULL;

  if (!plg_edit_set_order (plan, self->with, &error) ||
      !plg_document_apply (self->document, plan, label, NULL, &error))
    plg_toasts_show (self->toasts, error->message);
}

static void
plg_compare_dialog_dispose (GObject *object)
{
  PlgCompareDialog *self = PLG_COMPARE_DIALOG (object);

  g_clear_object (&self->document);
  g_clear_pointer (&self->orders, g_array_unref);
  g_clear_object (&self->chooser);
  g_clear_pointer (&self->variant, g_free);
  g_clear_pointer (&self->found_plan, plg_plan_free);
  g_clear_pointer (&self->file_plan, plg_plan_free);
  g_clear_pointer (&self->file_name, g_free);
  g_clear_pointer (&self->file_path, g_free);
  g_clear_pointer (&self->compared_plan, plg_plan_free);
  G_OBJECT_CLASS (plg_compare_dialog_parent_class)->dispose (object);
}

static void
plg_compare_dialog_class_init (PlgCompareDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_compare_dialog_dispose;
  g_type_ensure (PLG_TYPE_PICTURE_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parallelogram/Parallelogram/ui/"
                                                             "compare-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgCompareDialog, toasts);
  gtk_widget_class_bind_template_child (widget_class, PlgCompareDialog, choices);
  gtk_widget_class_bind_template_child (widget_class, PlgCompareDialog, others);
  gtk_widget_class_bind_template_child (widget_class, PlgCompareDialog, use);
  gtk_widget_class_bind_template_child (widget_class, PlgCompareDialog, view);
  gtk_widget_class_bind_template_callback (widget_class, show_chosen);
  gtk_widget_class_bind_template_callback (widget_class, choice_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, open_cb);
  gtk_widget_class_bind_template_callback (widget_class, use_cb);
  plg_picture_actions_install_keys (widget_class);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
plg_compare_dialog_init (PlgCompareDialog *self)
{
  self->orders = g_array_new (FALSE, FALSE, sizeof (Order));
  gtk_widget_init_template (GTK_WIDGET (self));
  plg_accessible_name_buttons (GTK_WIDGET (self));
  plg_accessible_name_drop_down (GTK_WIDGET (self->choices), _ ("Compare this plan with"));
  plg_accessible_name_drop_down (GTK_WIDGET (self->others), _ ("The other order"));
}

void
plg_compare_dialog_present (GtkWindow *parent,
                            PlgDocument *document,
                            PlgCanvas *canvas,
                            GSettings *settings,
                            PlgComparison comparison,
                            const char *variant,
                            const PlgPlan *found)
{
  PlgCompareDialog *self = g_object_new (PLG_TYPE_COMPARE_DIALOG, "transient-for", parent, NULL);
  const PlgPictureActions actions = { document, self->view, self->toasts, canvas, settings };

  self->document = g_object_ref (document);
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    {
      PlgAxis axis = parallelism_of (self)->order[i];

      /* By default, compare the plan with the nesting order in which PP and DP are swapped,
       * because the most common question is whether stages or replicas should be closer
       * together. */
      self->own[i] = axis;
      self->with[i] = axis == PLG_AXIS_PP ? PLG_AXIS_DP : axis == PLG_AXIS_DP ? PLG_AXIS_PP : axis;
    }
  g_settings_bind (settings, "palette", self->view, "palette", G_SETTINGS_BIND_GET);
  g_object_set (self->view, "document", document, NULL);
  plg_picture_actions_add (GTK_WIDGET (self), &actions);
  g_signal_connect_object (document, "changed", G_CALLBACK (document_changed_cb), self,
                           G_CONNECT_SWAPPED);
  if (comparison == PLG_COMPARISON_PLAN && found != NULL)
    {
      self->choice = CHOICE_FOUND;
      self->found_plan = plg_plan_copy (found);
    }
  else if (comparison == PLG_COMPARISON_PLAN)
    {
      const PlgVariants *variants = plg_document_plan (document)->variants;

      /* Without the name of a variant, choose the saved plan if the open plan differs from it, then
       * the first variant. */
      if (variant != NULL || (variants != NULL && (plg_document_saved_plan (document) == NULL ||
                                                   !plg_document_is_modified (document))))
        {
          self->choice = CHOICE_VARIANT;
          self->variant = g_strdup (variant != NULL ? variant
                                                    : plg_variants_nth (variants, 0)->name);
        }
      else
        self->choice = CHOICE_SAVED;
    }
  document_changed_cb (self);
  gtk_window_present (GTK_WINDOW (self));
  gtk_widget_grab_focus (self->choice == CHOICE_ORDER ? GTK_WIDGET (self->others)
                                                      : GTK_WIDGET (self->choices));
}
