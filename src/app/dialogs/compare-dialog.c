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

struct _PlgCompareDialog
{
  AdwWindow parent_instance;

  PlgDocument *document;
  AdwToastOverlay *toasts;
  GtkDropDown *others;
  GtkWidget *use;
  PlgPictureView *view;
  GArray *orders;                  /* the nesting orders in the drop-down; element type Order */
  PlgAxis own[PLG_N_NESTED_AXES];  /* the nesting order of the plan after its latest change */
  PlgAxis with[PLG_N_NESTED_AXES]; /* the nesting order that the plan is compared with */
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

static void
show_chosen (PlgCompareDialog *self)
{
  guint i = gtk_drop_down_get_selected (self->others);
  gboolean is_any = i < self->orders->len;

  if (self->is_filling)
    return;
  gtk_widget_set_sensitive (self->use, is_any);
  gtk_widget_set_sensitive (GTK_WIDGET (self->others), is_any);
  if (is_any)
    memcpy (self->with, g_array_index (self->orders, Order, i).axes, sizeof self->with);
  plg_picture_view_set_other_order (self->view, self->with);
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
  show_chosen (self);
}

/* Actions -------------------------------------------------------------------------------------- */

static void
use_cb (PlgCompareDialog *self)
{
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
  gtk_widget_class_bind_template_child (widget_class, PlgCompareDialog, others);
  gtk_widget_class_bind_template_child (widget_class, PlgCompareDialog, use);
  gtk_widget_class_bind_template_child (widget_class, PlgCompareDialog, view);
  gtk_widget_class_bind_template_callback (widget_class, show_chosen);
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
  plg_accessible_name_drop_down (GTK_WIDGET (self->others), _ ("The other order"));
}

void
plg_compare_dialog_present (GtkWindow *parent,
                            PlgDocument *document,
                            PlgCanvas *canvas,
                            GSettings *settings)
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
  document_changed_cb (self);
  gtk_window_present (GTK_WINDOW (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->others));
}
