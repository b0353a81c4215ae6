/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/tables/pin-list.h"

#include "drawing/figure/pictures.h"

#include <glib/gi18n-lib.h>

struct _PlgPinList
{
  GtkWidget parent_instance;

  PlgDocument *document;
  GtkWidget *flow;
};

G_DEFINE_FINAL_TYPE (PlgPinList, plg_pin_list, GTK_TYPE_WIDGET)

/* Returns the name of ENTITY, which is the first line of its description. */
static char *
name_of (PlgPinList *self, PlgEntity entity)
{
  g_autofree char *text = plg_describe_entity (plg_document_plan (self->document),
                                               plg_document_report (self->document), entity);

  return g_strndup (text, strcspn (text, "\n"));
}

static void
unpin_cb (GtkButton *button, PlgPinList *self)
{
  int nth = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "nth")), pins;
  const PlgEntity
      *highlighted = plg_highlight_model_entities (plg_document_highlight_model (self->document),
                                                   NULL, &pins);

  if (nth < pins)
    plg_highlight_model_toggle (plg_document_highlight_model (self->document), highlighted[nth]);
}

static void
rebuild (PlgPinList *self)
{
  GtkWidget *child;
  int pins;
  const PlgEntity
      *highlighted = plg_highlight_model_entities (plg_document_highlight_model (self->document),
                                                   NULL, &pins);

  while ((child = gtk_widget_get_first_child (self->flow)) != NULL)
    gtk_box_remove (GTK_BOX (self->flow), child);
  for (int i = 0; i < pins; i++)
    {
      PlgEntity entity = highlighted[i];
      GtkWidget *chip = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
      GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic");
      g_autofree char *name = name_of (self, entity);
      g_autofree char *number = g_strdup_printf ("%d", i + 1);
      g_autofree char *spoken = g_strdup_printf (_ ("Unpin %s"), name);
      GtkWidget *badge = gtk_label_new (number), *label = gtk_label_new (name);

      gtk_widget_add_css_class (chip, "pin");
      gtk_widget_add_css_class (badge, "badge");
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_label_set_max_width_chars (GTK_LABEL (label), 32);
      gtk_widget_add_css_class (button, "flat");
      gtk_widget_add_css_class (button, "circular");
      gtk_widget_set_tooltip_text (button, _ ("Unpin (Esc: all)"));
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      spoken, -1);
      g_object_set_data (G_OBJECT (button), "nth", GINT_TO_POINTER (i));
      g_signal_connect_object (button, "clicked", G_CALLBACK (unpin_cb), self, 0);
      gtk_box_append (GTK_BOX (chip), badge);
      gtk_box_append (GTK_BOX (chip), label);
      gtk_box_append (GTK_BOX (chip), button);
      gtk_box_append (GTK_BOX (self->flow), chip);
    }
  if (pins > 0)
    {
      GtkWidget *button = gtk_button_new_with_label (_ ("Compare"));

      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.compare-pins");
      gtk_widget_set_tooltip_text (button, _ ("Compare the traffic of the pins (Alt+2)"));
      gtk_widget_add_css_class (button, "pin");
      gtk_box_append (GTK_BOX (self->flow), button);
    }
  gtk_widget_set_visible (GTK_WIDGET (self), pins > 0);
}

/* Returns whether the chips match the pins. Matching chips are not rebuilt, because every change
 * of the highlight causes an update, and a button must not be replaced under the pointer. */
static gboolean
is_up_to_date (PlgPinList *self)
{
  GtkWidget *chip = gtk_widget_get_first_child (self->flow);
  int pins;
  const PlgEntity
      *highlighted = plg_highlight_model_entities (plg_document_highlight_model (self->document),
                                                   NULL, &pins);

  for (int i = 0; i < pins; i++)
    {
      GtkWidget *label = chip != NULL ? gtk_widget_get_first_child (chip) : NULL;
      g_autofree char *name = name_of (self, highlighted[i]);

      label = label != NULL ? gtk_widget_get_next_sibling (label) : NULL;
      if (label == NULL || !GTK_IS_LABEL (label) ||
          strcmp (gtk_label_get_text (GTK_LABEL (label)), name) != 0)
        return FALSE;
      chip = gtk_widget_get_next_sibling (chip);
    }
  return pins == 0 ? chip == NULL : GTK_IS_BUTTON (chip);
}

static void
update (PlgPinList *self)
{
  if (!is_up_to_date (self))
    rebuild (self);
}

void
plg_pin_list_set_document (PlgPinList *self, PlgDocument *document)
{
  g_return_if_fail (PLG_IS_PIN_LIST (self) && self->document == NULL);

  self->document = g_object_ref (document);
  g_signal_connect_object (plg_document_highlight_model (document), "changed", G_CALLBACK (update),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  rebuild (self);
}

/* Removes all pins, as Escape does on the canvas. */
static gboolean
escape_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  PlgPinList *self = PLG_PIN_LIST (widget);

  return self->document != NULL &&
         plg_highlight_model_unpin_all (plg_document_highlight_model (self->document));
}

static void
plg_pin_list_dispose (GObject *object)
{
  PlgPinList *self = PLG_PIN_LIST (object);

  g_clear_object (&self->document);
  g_clear_pointer (&self->flow, gtk_widget_unparent);
  G_OBJECT_CLASS (plg_pin_list_parent_class)->dispose (object);
}

static void
plg_pin_list_class_init (PlgPinListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_pin_list_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
  gtk_widget_class_set_css_name (widget_class, "pinlist");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
plg_pin_list_init (PlgPinList *self)
{
  self->flow = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_parent (self->flow, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Pins"),
                                  -1);
}

GtkWidget *
plg_pin_list_new (void)
{
  return g_object_new (PLG_TYPE_PIN_LIST, NULL);
}
