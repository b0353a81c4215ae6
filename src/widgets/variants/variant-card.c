/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/variants/variant-card.h"

#include "engine/evaluate.h"
#include "plan/quantity.h"
#include "widgets/accessible-names.h"
#include "widgets/variants/variant-thumbnail.h"
#include "widgets/widget-theme.h"

#include <glib/gi18n-lib.h>

struct _PlgVariantCard
{
  GtkWidget parent_instance;

  GtkWidget *content;
  GtkWidget *button;
  PlgVariantThumbnail *thumbnail;
  GtkLabel *name_label;
  GtkLabel *figures_label;
  GtkWidget *current_icon;
  GtkMenuButton *menu_button;
  GtkPopover *rename_popover;
  GtkEditable *name_entry;
  GtkLabel *rename_error;

  char *name;
  PlgPlan *plan;
  char *figures; /* the key figures for assistive technology, or NULL before the evaluation */
  gboolean is_current;
  guint evaluate_id;
};

G_DEFINE_FINAL_TYPE (PlgVariantCard, plg_variant_card, GTK_TYPE_WIDGET)

enum
{
  SWITCH_REQUESTED,
  COMPARE_REQUESTED,
  REMOVE_REQUESTED,
  RENAME_REQUESTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
update_accessible_name (PlgVariantCard *self)
{
  g_autofree char *name = g_strdup_printf (_ ("Variant %s"), self->name);
  g_autofree char *menu_name = g_strdup_printf (_ ("Menu of variant %s"), self->name);
  g_autofree char *description = g_strjoin (", ", self->figures != NULL ? self->figures : "",
                                            self->is_current ? _ ("same design as the open plan")
                                                             : NULL,
                                            NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->menu_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  menu_name, -1);
  plg_accessible_set_description (self->button, description);
}

/* Evaluates the variant when the program is idle, because a window may show many variants. */
static gboolean
evaluate_cb (gpointer data)
{
  PlgVariantCard *self = data;
  PlgReport *report = plg_evaluate (self->plan, PLG_EVALUATE_LINKS, NULL);
  g_autofree char *time = NULL, *mfu = NULL, *peak = NULL, *capacity = NULL, *shown = NULL;

  self->evaluate_id = 0;
  if (report == NULL)
    return G_SOURCE_REMOVE;
  time = plg_format_time (report->step.time);
  mfu = plg_format_share (report->step.mfu);
  peak = plg_format_memory_distinct (report->memory_peak, report->memory_capacity);
  capacity = plg_format_memory_distinct (report->memory_capacity, report->memory_peak);
  if (report->fits == PLG_FIT_NO)
    shown = g_strdup (_ ("does not fit"));
  else
    shown = g_strdup_printf ("%s · %s", time, mfu);
  g_free (self->figures);
  self->figures = g_strdup_printf (_ ("%s per step, MFU %s, %s of %s"), time, mfu, peak, capacity);
  gtk_label_set_text (self->figures_label, shown);
  plg_widget_set_css_class (GTK_WIDGET (self->figures_label), "error", report->fits == PLG_FIT_NO);
  gtk_widget_set_tooltip_text (self->button, self->figures);
  plg_report_unref (report);
  update_accessible_name (self);
  return G_SOURCE_REMOVE;
}

/* Actions -------------------------------------------------------------------------------------- */

static void
switch_cb (PlgVariantCard *self)
{
  g_signal_emit (self, signals[SWITCH_REQUESTED], 0);
}

static void
switch_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_signal_emit (widget, signals[SWITCH_REQUESTED], 0);
}

static void
compare_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_signal_emit (widget, signals[COMPARE_REQUESTED], 0);
}

static void
remove_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_signal_emit (widget, signals[REMOVE_REQUESTED], 0);
}

static void
rename_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  PlgVariantCard *self = PLG_VARIANT_CARD (widget);

  gtk_editable_set_text (self->name_entry, self->name);
  gtk_widget_set_visible (GTK_WIDGET (self->rename_error), FALSE);
  gtk_popover_popup (self->rename_popover);
  gtk_widget_grab_focus (GTK_WIDGET (self->name_entry));
}

static void
menu_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gtk_menu_button_popup (PLG_VARIANT_CARD (widget)->menu_button);
}

/* Renames the variant, or shows why the name is refused. */
static void
rename_cb (PlgVariantCard *self)
{
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (self->name_entry)));
  g_autofree char *message = NULL;

  g_signal_emit (self, signals[RENAME_REQUESTED], 0, name, &message);
  if (message == NULL)
    {
      gtk_popover_popdown (self->rename_popover);
      gtk_widget_grab_focus (self->button);
      return;
    }
  gtk_label_set_text (self->rename_error, message);
  gtk_widget_set_visible (GTK_WIDGET (self->rename_error), TRUE);
  plg_accessible_set_description (GTK_WIDGET (self->name_entry), message);
}

/* Object --------------------------------------------------------------------------------------- */

static gboolean
plg_variant_card_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (PLG_VARIANT_CARD (widget)->button);
}

static void
plg_variant_card_dispose (GObject *object)
{
  PlgVariantCard *self = PLG_VARIANT_CARD (object);

  g_clear_handle_id (&self->evaluate_id, g_source_remove);
  if (self->rename_popover != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->rename_popover));
  self->rename_popover = NULL;
  g_clear_pointer (&self->content, gtk_widget_unparent);
  G_OBJECT_CLASS (plg_variant_card_parent_class)->dispose (object);
}

static void
plg_variant_card_finalize (GObject *object)
{
  PlgVariantCard *self = PLG_VARIANT_CARD (object);

  g_free (self->name);
  g_free (self->figures);
  plg_plan_free (self->plan);
  G_OBJECT_CLASS (plg_variant_card_parent_class)->finalize (object);
}

static void
plg_variant_card_class_init (PlgVariantCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_variant_card_dispose;
  G_OBJECT_CLASS (klass)->finalize = plg_variant_card_finalize;
  widget_class->grab_focus = plg_variant_card_grab_focus;
  signals[SWITCH_REQUESTED] = g_signal_new ("switch-requested", PLG_TYPE_VARIANT_CARD,
                                            G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[COMPARE_REQUESTED] = g_signal_new ("compare-requested", PLG_TYPE_VARIANT_CARD,
                                             G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                             0);
  signals[REMOVE_REQUESTED] = g_signal_new ("remove-requested", PLG_TYPE_VARIANT_CARD,
                                            G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[RENAME_REQUESTED] = g_signal_new ("rename-requested", PLG_TYPE_VARIANT_CARD,
                                            G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_STRING,
                                            1, G_TYPE_STRING);
  g_type_ensure (PLG_TYPE_VARIANT_THUMBNAIL);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "variantcard");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/org/parallelogram/Parallelogram/ui/variant-card.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgVariantCard, content);
  gtk_widget_class_bind_template_child (widget_class, PlgVariantCard, button);
  gtk_widget_class_bind_template_child (widget_class, PlgVariantCard, thumbnail);
  gtk_widget_class_bind_template_child (widget_class, PlgVariantCard, name_label);
  gtk_widget_class_bind_template_child (widget_class, PlgVariantCard, figures_label);
  gtk_widget_class_bind_template_child (widget_class, PlgVariantCard, current_icon);
  gtk_widget_class_bind_template_child (widget_class, PlgVariantCard, menu_button);
  gtk_widget_class_bind_template_child (widget_class, PlgVariantCard, rename_popover);
  gtk_widget_class_bind_template_child (widget_class, PlgVariantCard, name_entry);
  gtk_widget_class_bind_template_child (widget_class, PlgVariantCard, rename_error);
  gtk_widget_class_bind_template_callback (widget_class, switch_cb);
  gtk_widget_class_bind_template_callback (widget_class, rename_cb);
  gtk_widget_class_install_action (widget_class, "variant.switch", NULL, switch_action);
  gtk_widget_class_install_action (widget_class, "variant.compare", NULL, compare_action);
  gtk_widget_class_install_action (widget_class, "variant.rename", NULL, rename_action);
  gtk_widget_class_install_action (widget_class, "variant.remove", NULL, remove_action);
  gtk_widget_class_install_action (widget_class, "variant.menu", NULL, menu_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F2, 0, "variant.rename", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "variant.remove", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, 0, "variant.compare", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "variant.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "variant.menu",
                                       NULL);
}

static void
plg_variant_card_init (PlgVariantCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
plg_variant_card_new (const PlgVariant *variant)
{
  PlgVariantCard *self = g_object_new (PLG_TYPE_VARIANT_CARD, NULL);

  g_return_val_if_fail (variant != NULL, NULL);

  self->plan = plg_plan_copy (variant->plan);
  plg_variant_thumbnail_set_plan (self->thumbnail, self->plan);
  plg_variant_card_set_name (self, variant->name);
  self->evaluate_id = g_idle_add (evaluate_cb, self);
  return GTK_WIDGET (self);
}

const PlgPlan *
plg_variant_card_plan (PlgVariantCard *self)
{
  g_return_val_if_fail (PLG_IS_VARIANT_CARD (self), NULL);
  return self->plan;
}

const char *
plg_variant_card_name (PlgVariantCard *self)
{
  g_return_val_if_fail (PLG_IS_VARIANT_CARD (self), NULL);
  return self->name;
}

void
plg_variant_card_set_name (PlgVariantCard *self, const char *name)
{
  g_return_if_fail (PLG_IS_VARIANT_CARD (self) && name != NULL);

  g_free (self->name);
  self->name = g_strdup (name);
  gtk_label_set_text (self->name_label, name);
  update_accessible_name (self);
}

void
plg_variant_card_set_current (PlgVariantCard *self, gboolean is_current)
{
  g_return_if_fail (PLG_IS_VARIANT_CARD (self));

  if (self->is_current == is_current)
    return;
  self->is_current = is_current;
  gtk_widget_set_visible (self->current_icon, is_current);
  plg_widget_set_css_class (GTK_WIDGET (self), "current", is_current);
  update_accessible_name (self);
}

void
plg_variant_card_set_palette (PlgVariantCard *self, const char *palette)
{
  g_return_if_fail (PLG_IS_VARIANT_CARD (self));

  plg_variant_thumbnail_set_palette (self->thumbnail, palette);
}
