/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/accessible-names.h"

static void
set_text (GtkWidget *widget, GtkAccessibleProperty property, const char *text)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), property, text, -1);
}

/* Descriptions --------------------------------------------------------------------------------- */

/* The parts of a widget's accessible description. They are stored here, because GTK cannot
 * return a description. */
typedef struct
{
  char *own;
  char *announcement;
} Description;

static void
description_free (gpointer data)
{
  Description *self = data;

  g_free (self->own);
  g_free (self->announcement);
  g_free (self);
}

static Description *
description_of (GtkWidget *widget)
{
  Description *self = g_object_get_data (G_OBJECT (widget), "plg-description");

  if (self == NULL)
    {
      self = g_new0 (Description, 1);
      g_object_set_data_full (G_OBJECT (widget), "plg-description", self, description_free);
    }
  return self;
}

static void
replace_text (GtkWidget *widget, char **text, const char *words)
{
  const char *wanted = words != NULL && *words != '\0' ? words : NULL;

  if (g_strcmp0 (wanted, *text) == 0)
    return;
  g_free (*text);
  *text = g_strdup (wanted);

  /* Put the announcement first, so that a screen reader reads it before the unchanged
   * description. */
  const Description *description = description_of (widget);
  g_autofree char *both = NULL;

  if (description->own != NULL && description->announcement != NULL)
    both = g_strdup_printf ("%s. %s", description->announcement, description->own);
  if (both != NULL || description->own != NULL || description->announcement != NULL)
    set_text (widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
              both != NULL                        ? both
              : description->announcement != NULL ? description->announcement
                                                  : description->own);
  else
    gtk_accessible_reset_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}

void
plg_accessible_set_description (GtkWidget *widget, const char *description)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));

  replace_text (widget, &description_of (widget)->own, description);
}

void
plg_accessible_set_announcement (GtkWidget *widget, const char *announcement)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));

  replace_text (widget, &description_of (widget)->announcement, announcement);
}

/* Choices -------------------------------------------------------------------------------------- */

/* Returns the first widget of type TYPE in the tree of WIDGET, including WIDGET itself. */
static GtkWidget *
find (GtkWidget *widget, GType type)
{
  GtkWidget *found = NULL;

  if (g_type_is_a (G_OBJECT_TYPE (widget), type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find (child, type);
  return found;
}

/* Names the rows of the list and focuses the selected row. The rows exist only after the first
 * layout of the list. */
static gboolean
list_shown_cb (GtkWidget *list, GdkFrameClock *clock, gpointer data)
{
  if (gtk_widget_get_height (list) <= 0)
    return G_SOURCE_CONTINUE;
  for (GtkWidget *row = gtk_widget_get_first_child (list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      GtkWidget *label = find (row, GTK_TYPE_LABEL);

      if (label != NULL)
        gtk_accessible_update_relation (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                        label, NULL, -1);
    }

  /* GTK 4.8 focuses the first row instead of the selected row, so keyboard navigation would
   * change the selection. */
  GtkWidget *row = gtk_widget_get_first_child (list);

  while (row != NULL && !(gtk_widget_get_state_flags (row) & GTK_STATE_FLAG_SELECTED))
    row = gtk_widget_get_next_sibling (row);
  if (row != NULL && gtk_widget_get_focus_child (list) != NULL)
    gtk_widget_grab_focus (row);

  return G_SOURCE_REMOVE;
}

static void
list_mapped_cb (GtkWidget *list)
{
  gtk_widget_add_tick_callback (list, list_shown_cb, NULL, NULL);
}

static void
chosen_cb (GtkWidget *drop_down)
{
  GObject *item = NULL;

  g_object_get (drop_down, "selected-item", &item, NULL);
  if (GTK_IS_STRING_OBJECT (item))
    {
      const char *text = gtk_string_object_get_string (GTK_STRING_OBJECT (item));
      GtkWidget *button = GTK_IS_DROP_DOWN (drop_down) ? gtk_widget_get_first_child (drop_down)
                                                       : drop_down;

      plg_accessible_set_description (button, text);
    }
  g_clear_object (&item);
}

void
plg_accessible_name_drop_down (GtkWidget *drop_down, const char *name)
{
  GtkWidget *list = find (drop_down, GTK_TYPE_LIST_VIEW);

  g_return_if_fail (GTK_IS_WIDGET (drop_down));

  if (name != NULL)
    set_text (drop_down, GTK_ACCESSIBLE_PROPERTY_LABEL, name);
  /* The focus is on the button inside the drop-down, so this button also gets the name. */
  if (name != NULL && GTK_IS_DROP_DOWN (drop_down))
    set_text (gtk_widget_get_first_child (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, name);
  if (name != NULL && list != NULL)
    set_text (list, GTK_ACCESSIBLE_PROPERTY_LABEL, name);
  if (list != NULL)
    g_signal_connect (list, "map", G_CALLBACK (list_mapped_cb), NULL);
  g_signal_connect (drop_down, "notify::selected-item", G_CALLBACK (chosen_cb), NULL);
  chosen_cb (drop_down);
}

/* Buttons -------------------------------------------------------------------------------------- */

void
plg_accessible_name_buttons (GtkWidget *root)
{
  if (GTK_IS_BUTTON (root))
    {
      GtkButton *button = GTK_BUTTON (root);
      const char *label = gtk_button_get_label (button);
      GString *name;

      if (label != NULL && gtk_button_get_use_underline (button))
        {
          name = g_string_new (label);
          g_string_replace (name, "_", "", 1);
          gtk_accessible_reset_relation (GTK_ACCESSIBLE (button),
                                         GTK_ACCESSIBLE_RELATION_LABELLED_BY);
          set_text (GTK_WIDGET (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name->str);
          g_string_free (name, TRUE);
        }
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    plg_accessible_name_buttons (child);
}
