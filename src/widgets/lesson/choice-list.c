/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/lesson/choice-list.h"
#include "widgets/accessible-names.h"
#include "widgets/widget-theme.h"

#include <glib/gi18n-lib.h>

static void
clicked_cb (PlgLessonRun *run, GtkWidget *button)
{
  plg_lesson_run_choose (run, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "choice")));
}

void
plg_choice_list_fill (GtkBox *box, PlgLessonRun *run)
{
  const PlgQuestion *question = plg_lesson_run_step (run)->question;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, child);
  for (guint i = 0; question != NULL && i < question->choices->len; i++)
    {
      const PlgTrialChange *choice = question->choices->pdata[i];
      PlgDocument *document = plg_lesson_run_document (run);
      PlgLessonNumbers subject = plg_lesson_run_numbers (run, PLG_LESSON_STEP);
      g_autofree char *text = plg_spans_text (choice->label, subject.plan, subject.report,
                                              plg_document_catalogue (document), FALSE);
      /* The label begins with the key that selects the choice, for example "1 It rises: more
       * GPUs share the work". */
      g_autofree char *name = g_strdup_printf ("%u  %s", i + 1, text);
      GtkWidget *label = gtk_label_new (name);
      GtkWidget *button = gtk_button_new ();

      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_button_set_child (GTK_BUTTON (button), label);
      gtk_widget_add_css_class (button, "choice");
      /* Set the accessible name here, because GTK uses the label of a button as its name only if
       * the label is plain text. */
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                      -1);
      g_object_set_data (G_OBJECT (button), "choice", GINT_TO_POINTER ((int) i));
      g_object_set_data_full (G_OBJECT (button), "name", g_strdup (name), g_free);
      g_signal_connect_object (button, "clicked", G_CALLBACK (clicked_cb), run, G_CONNECT_SWAPPED);
      gtk_box_append (box, button);
    }
}

#define MARKED "%s  <span weight='bold' allow_breaks='false'>%s</span>"

void
plg_choice_list_mark (GtkBox *box, PlgLessonRun *run)
{
  const PlgQuestion *question = plg_lesson_run_step (run)->question;
  int answer = plg_lesson_run_answer (run, question->id);
  int shown = plg_lesson_run_shown_choice (run);
  GtkWidget *button = gtk_widget_get_first_child (GTK_WIDGET (box));

  for (int i = 0; button != NULL; i++, button = gtk_widget_get_next_sibling (button))
    {
      const char *state = answer < 0             ? ""
                          : i == question->right ? _ ("the right answer")
                          : i == answer          ? _ ("your answer, wrong")
                                                 : "";
      const char *words = answer < 0                  ? ""
                          : i == question->right      ? _ ("Right")
                          : i == answer || i == shown ? _ ("Wrong")
                                                      : "";

      /* State the result in a word after the choice, for example "1 It rises Right", because
       * colours alone are not accessible. */
      const char *name = g_object_get_data (G_OBJECT (button), "name");
      g_autofree char *markup = *words == '\0' ? g_markup_escape_text (name, -1)
                                               : g_markup_printf_escaped (MARKED, name, words);

      gtk_label_set_markup (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))), markup);

      plg_widget_set_css_class (button, "right", answer >= 0 && i == question->right);
      plg_widget_set_css_class (button, "wrong",
                                answer >= 0 && i == answer && i != question->right);
      plg_widget_set_css_class (button, "shown", i == shown);
      plg_accessible_set_description (button, state);
    }
}
