/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Small questions that are asked where the thing is: at what rate does it run? */

#include "widgets/canvas-private.h"

#include "plan/fault.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  PlgCanvas *canvas; /* which owns the popover that owns this */
  PlgFault fault;
  GtkWidget *spin;
} RateQuestion;

static void
rate_given_cb (RateQuestion *question)
{
  PlgCanvas *canvas = question->canvas;
  PlgFault fault = question->fault;

  gtk_spin_button_update (GTK_SPIN_BUTTON (question->spin));
  fault.rate = gtk_spin_button_get_value (GTK_SPIN_BUTTON (question->spin)) / 100;
  gtk_popover_popdown (GTK_POPOVER (canvas->popover));
  plg_canvas_set_fault (canvas, &fault);
}

static void
free_question (gpointer question, GClosure *closure)
{
  g_free (question);
}

static GtkWidget *
new_heading (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 36);
  gtk_widget_add_css_class (label, "heading");
  return label;
}

/* Heading, control and button, in a popover. */
static GtkWidget *
new_question (const char *heading, GtkWidget *control, GtkWidget *button)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_widget_set_hexpand (control, TRUE);
  gtk_widget_add_css_class (button, "suggested-action");
  gtk_box_append (GTK_BOX (line), control);
  gtk_box_append (GTK_BOX (line), button);
  gtk_box_append (GTK_BOX (box), new_heading (heading));
  gtk_box_append (GTK_BOX (box), line);
  gtk_widget_add_css_class (box, "question");
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL, heading,
                                  -1);
  return popover;
}

void
plg_canvas_ask_rate (PlgCanvas *self, const PlgFault *fault)
{
  RateQuestion *question = g_new0 (RateQuestion, 1);
  g_autofree char *name = plg_fault_name (&plg_document_plan (self->document)->cluster, fault);
  g_autofree char *heading = g_strdup_printf (_ ("%s runs at, in percent"), name);
  GtkWidget *button = gtk_button_new_with_mnemonic (_ ("_Set"));
  GtkWidget *popover;

  *question = (RateQuestion) { self, *fault, NULL };
  question->spin = gtk_spin_button_new_with_range (plg_fault_may_fail (fault->kind) ? 0 : 1, 100,
                                                   1);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (question->spin), 100 * fault->rate);
  gtk_editable_set_width_chars (GTK_EDITABLE (question->spin), 4);
  popover = new_question (heading, question->spin, button);
  g_signal_connect_data (button, "clicked", G_CALLBACK (rate_given_cb), question, free_question,
                         G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_editable_get_delegate (GTK_EDITABLE (question->spin)), "activate",
                           G_CALLBACK (gtk_widget_activate), button, G_CONNECT_SWAPPED);
  plg_canvas_set_popover (self, popover, self->menu_at);
  gtk_widget_grab_focus (question->spin);
}
