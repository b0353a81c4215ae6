/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/lesson/notes-bar.h"

#include "widgets/accessible-names.h"

/* Notes longer than this scroll [characters]; about eight lines. */
#define LONG_NOTE_CHARS 600

struct _PlgNotesBar
{
  GtkWidget parent_instance;

  GtkWidget *content;
  GtkLabel *text; /* the label for notes that are short enough to be shown in full */
  GtkWidget *scroller;
  GtkLabel *long_text;
  char *notes;      /* the notes that were last shown, or NULL */
  gboolean is_away; /* whether the user has closed the bar while it showed these notes */
};

G_DEFINE_FINAL_TYPE (PlgNotesBar, plg_notes_bar, GTK_TYPE_WIDGET)

/* Object --------------------------------------------------------------------------------------- */

static void
close_cb (PlgNotesBar *self)
{
  self->is_away = TRUE;
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static void
plg_notes_bar_dispose (GObject *object)
{
  PlgNotesBar *self = PLG_NOTES_BAR (object);

  g_clear_pointer (&self->notes, g_free);
  g_clear_pointer (&self->content, gtk_widget_unparent);
  G_OBJECT_CLASS (plg_notes_bar_parent_class)->dispose (object);
}

static void
plg_notes_bar_class_init (PlgNotesBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_notes_bar_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "notesbar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/parallelogram/Parallelogram/ui/notes-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgNotesBar, content);
  gtk_widget_class_bind_template_child (widget_class, PlgNotesBar, scroller);
  gtk_widget_class_bind_template_child (widget_class, PlgNotesBar, long_text);
  gtk_widget_class_bind_template_child (widget_class, PlgNotesBar, text);
  gtk_widget_class_bind_template_callback (widget_class, close_cb);
}

static void
plg_notes_bar_init (PlgNotesBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plg_accessible_name_buttons (GTK_WIDGET (self));
}

void
plg_notes_bar_show (PlgNotesBar *self, const char *notes)
{
  g_return_if_fail (PLG_IS_NOTES_BAR (self));

  if (notes == NULL || *notes == '\0')
    {
      gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
      return;
    }
  if (g_strcmp0 (notes, self->notes) != 0)
    {
      g_free (self->notes);
      self->notes = g_strdup (notes);
      self->is_away = FALSE;

      /* Remove the blank lines between paragraphs, so that the cluster has more room. */
      g_auto (GStrv) paragraphs = g_strsplit (self->notes, "\n\n", -1);
      g_autofree char *text = g_strjoinv ("\n", paragraphs);

      gboolean is_long = g_utf8_strlen (text, -1) > LONG_NOTE_CHARS;

      gtk_label_set_text (is_long ? self->long_text : self->text, g_strstrip (text));
      gtk_widget_set_visible (GTK_WIDGET (self->text), !is_long);
      gtk_widget_set_visible (self->scroller, is_long);
    }
  gtk_widget_set_visible (GTK_WIDGET (self), !self->is_away);
}
