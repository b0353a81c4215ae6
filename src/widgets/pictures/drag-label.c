/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/pictures/drag-label.h"

#include <string.h>

/* The maximum length of a line [characters]. */
#define LINE_CHARS 44

struct _PlgDragLabel
{
  GtkWidget parent_instance;

  GtkWidget *headline;
  GtkWidget *limit;
  GtkWidget *warning;
  GtkWidget *consequence;
};

G_DEFINE_FINAL_TYPE (PlgDragLabel, plg_drag_label, GTK_TYPE_WIDGET)

static void
plg_drag_label_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (plg_drag_label_parent_class)->dispose (object);
}

static void
plg_drag_label_class_init (PlgDragLabelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_drag_label_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "draglabel");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_STATUS);
}

static GtkWidget *
add_line (PlgDragLabel *self, const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_max_width_chars (GTK_LABEL (label), LINE_CHARS);
  gtk_widget_add_css_class (label, css_class);
  gtk_widget_set_parent (label, GTK_WIDGET (self));
  return label;
}

static void
plg_drag_label_init (PlgDragLabel *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), 4);
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  self->headline = add_line (self, "heading");
  self->limit = add_line (self, "error");
  self->warning = add_line (self, "error");
  self->consequence = add_line (self, "body");
}

GtkWidget *
plg_drag_label_new (void)
{
  return g_object_new (PLG_TYPE_DRAG_LABEL, NULL);
}

/* Sets the text of LABEL. Only a long line may wrap, because GTK measures a wrapping label for
 * three widths in each frame of a drag. */
static void
set_line (GtkWidget *label, const char *text)
{
  gboolean has_long_line = FALSE;

  if (text == NULL)
    text = "";
  gtk_widget_set_visible (label, *text != '\0');
  if (strcmp (gtk_label_get_text (GTK_LABEL (label)), text) == 0)
    return;
  for (const char *at = text, *end; *at != '\0'; at = *end != '\0' ? end + 1 : end)
    {
      end = at + strcspn (at, "\n");
      has_long_line |= g_utf8_strlen (at, end - at) > LINE_CHARS;
    }
  gtk_label_set_wrap (GTK_LABEL (label), has_long_line);
  gtk_label_set_text (GTK_LABEL (label), text);
}

void
plg_drag_label_set (PlgDragLabel *self,
                    const char *headline,
                    const char *consequence,
                    const char *warning,
                    const char *limit,
                    gboolean is_refused)
{
  g_return_if_fail (PLG_IS_DRAG_LABEL (self));

  set_line (self->headline, headline);
  set_line (self->limit, limit);
  set_line (self->warning, warning);
  set_line (self->consequence, consequence);
  if (is_refused)
    gtk_widget_add_css_class (GTK_WIDGET (self), "refused");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "refused");
}
