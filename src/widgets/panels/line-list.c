/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/panels/line-list.h"

#include <string.h>

void
plg_line_list_set (GtkBox *box, GtkWidget **line, const char *text, const char *css_class)
{
  const char *classes[] = { css_class, NULL };

  if (*line == NULL)
    {
      GtkWidget *label = gtk_label_new (NULL);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
      gtk_label_set_selectable (GTK_LABEL (label), TRUE);
      *line = label;

      gtk_box_append (box, *line);
    }
  if (strcmp (gtk_label_get_text (GTK_LABEL (*line)), text) != 0)
    gtk_label_set_text (GTK_LABEL (*line), text);
  gtk_widget_set_css_classes (*line, classes);
  *line = gtk_widget_get_next_sibling (*line);
}

void
plg_line_list_end (GtkBox *box, GtkWidget *line, GtkWidget *fallback)
{
  GtkWidget *focused = gtk_widget_get_focus_child (GTK_WIDGET (box));

  while (line != NULL)
    {
      GtkWidget *next = gtk_widget_get_next_sibling (line);

      if (line == focused)
        gtk_widget_grab_focus (fallback);
      gtk_box_remove (box, line);
      line = next;
    }
}
