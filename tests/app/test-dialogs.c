/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../widgets/rig.h"

#include "app/convert-dialog.h"
#include "app/import-dialog.h"
#include "app/lessons-dialog.h"
#include "app/window.h"
#include "engine/metric.h"
#include "engine/veil.h"
#include "formats/lesson-library.h"
#include "plan/edit.h"
#include "widgets/lesson-pane.h"

#include <glib/gstdio.h>
#include <string.h>

/* Files in and out, and lessons, through the real window. */

typedef struct
{
  PlgApplication *application;
  PlgWindow *window;
  char *folder;
} Rig;

static void
set_up (Rig *rig, gconstpointer data)
{
  rig->folder = g_dir_make_tmp ("parallelogram-XXXXXX", NULL);
  rig->application = (PlgApplication *) data;
  rig->window = plg_window_new (rig->application);
  gtk_window_present (GTK_WINDOW (rig->window));
  rig_until (gtk_widget_get_mapped (GTK_WIDGET (plg_window_canvas (rig->window))));
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  g_autofree char *pattern = g_strdup_printf ("rm -r '%s'", rig->folder);

  g_object_add_weak_pointer (G_OBJECT (rig->window), (gpointer *) &rig->window);
  gtk_window_destroy (GTK_WINDOW (rig->window));
  rig_until (rig->window == NULL);
  g_assert_true (g_spawn_command_line_sync (pattern, NULL, NULL, NULL, NULL));
  g_free (rig->folder);
}

/* The window of TYPE that is open, or NULL. */
static GtkWidget *
open_window (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (G_TYPE_CHECK_INSTANCE_TYPE (window, type) && gtk_widget_get_visible (window))
        return window;
    }
  return NULL;
}

static GFile *
put (Rig *rig, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (rig->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return g_file_new_for_path (path);
}

static gboolean
has_label (GtkWidget *widget, gpointer text)
{
  return strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL;
}

static gboolean
shows (GtkWidget *widget, const char *text)
{
  return rig_find (widget, GTK_TYPE_LABEL, has_label, (gpointer) text) != NULL;
}

static gboolean
is_suggested (GtkWidget *widget, gpointer unused)
{
  return gtk_widget_has_css_class (widget, "suggested-action");
}

/* Files in */

static const char config[] = "{\n\"architectures\": [\"LlamaForCausalLM\"],\n"
                             "\"model_type\": \"llama\", \"hidden_size\": 4096,\n"
                             "\"intermediate_size\": 11008, \"num_hidden_layers\": 32,\n"
                             "\"num_attention_heads\": 32, \"num_key_value_heads\": 32,\n"
                             "\"vocab_size\": 32000, \"tie_word_embeddings\": false\n}\n";

static void
test_import (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (GFile) file = put (rig, "config.json", config);
  GtkWidget *dialog;

  plg_application_open_file (rig->application, file);
  rig_until (open_window (PLG_TYPE_IMPORT_DIALOG) != NULL);
  dialog = open_window (PLG_TYPE_IMPORT_DIALOG);
  /* Nothing is changed before it is wanted. */
  g_assert_cmpint (plg_document_plan (document)->model.hidden, ==, 8192);
  g_assert_true (shows (dialog, "Hidden size: 4096"));
  g_assert_true (shows (dialog, "line 3"));
  g_signal_emit_by_name (rig_find (dialog, GTK_TYPE_BUTTON, is_suggested, NULL), "clicked");
  rig_until (open_window (PLG_TYPE_IMPORT_DIALOG) == NULL);
  g_assert_cmpint (plg_document_plan (document)->model.hidden, ==, 4096);
  g_assert_cmpstr (plg_document_undo_label (document), ==, "Import of config.json");
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (plg_document_plan (document)->model.hidden, ==, 8192);
}

/* The heading says what it is that could not be opened. */
static void
test_unopened (Rig *rig, gconstpointer data)
{
  static const char *const files[][3] = {
    { "config.json", "{\"model_type\": \"llama\"}", "The Model Could Not Be Opened" },
    { "a.rankfile", "rank 0=node0 slot=0\nrank 0=node0 slot=1\n",
      "The Placement Could Not Be Opened" },
    { "a.plan.xml", "<plan version=\"1\"><cluster", "The Plan Could Not Be Opened" },
    { "a.txt", "Hello", "The File Could Not Be Opened" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GFile) file = put (rig, files[i][0], files[i][1]);
      GtkWidget *dialog;

      plg_application_open_file (rig->application, file);
      rig_until (open_window (ADW_TYPE_MESSAGE_DIALOG) != NULL);
      dialog = open_window (ADW_TYPE_MESSAGE_DIALOG);
      g_assert_cmpstr (adw_message_dialog_get_heading (ADW_MESSAGE_DIALOG (dialog)), ==,
                       files[i][2]);
      gtk_window_destroy (GTK_WINDOW (dialog));
      rig_until (open_window (ADW_TYPE_MESSAGE_DIALOG) == NULL);
    }
}

/* Two files at once come one after the other, the second over what the first made. */
static void
test_import_two (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (GFile) first = put (rig, "config.json", config);
  g_autoptr (GFile) second = put (rig, "hosts", "gpu-a\ngpu-b\ngpu-c\ngpu-d\n");
  GFile *files[] = { first, second };

  plg_application_open_files (rig->application, files, 2);
  for (int i = 0; i < 2; i++)
    {
      rig_until (open_window (PLG_TYPE_IMPORT_DIALOG) != NULL);
      g_signal_emit_by_name (rig_find (open_window (PLG_TYPE_IMPORT_DIALOG), GTK_TYPE_BUTTON,
                                       is_suggested, NULL),
                             "clicked");
    }
  rig_until (open_window (PLG_TYPE_IMPORT_DIALOG) == NULL);
  g_assert_cmpint (plg_document_plan (document)->model.hidden, ==, 4096);
  g_assert_cmpint (plg_document_plan (document)->cluster.nodes, ==, 4);
}

static void
test_broken_import (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (PlgPlan) before = plg_plan_copy (plg_document_plan (document));
  g_autoptr (GFile) file = put (rig, "config.json",
                                "{\"model_type\": \"llama\", \"hidden_size\": -1}");

  plg_application_open_file (rig->application, file);
  rig_until (open_window (ADW_TYPE_MESSAGE_DIALOG) != NULL);
  g_assert_null (open_window (PLG_TYPE_IMPORT_DIALOG));
  g_assert_true (plg_plan_equal (plg_document_plan (document), before));
  gtk_window_destroy (GTK_WINDOW (open_window (ADW_TYPE_MESSAGE_DIALOG)));
}

/* Files out */

static char *
shown_text (GtkWidget *dialog)
{
  GtkWidget *view = rig_find (dialog, GTK_TYPE_TEXT_VIEW, NULL, NULL);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
}

static void
test_convert (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  GtkWidget *dialog;

  plg_convert_dialog_present (GTK_WINDOW (rig->window), document, "yaml");
  rig_until (open_window (PLG_TYPE_CONVERT_DIALOG) != NULL);
  dialog = open_window (PLG_TYPE_CONVERT_DIALOG);
  before = shown_text (dialog);
  g_assert_nonnull (strstr (before, "tp_size: 8"));
  /* It follows the plan. */
  g_assert_true (plg_document_set (document, "parallelism.tp", "4", NULL));
  after = shown_text (dialog);
  g_assert_nonnull (strstr (after, "tp_size: 4"));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* All that is to be read of what is shown below WIDGET. */
static void
collect (GtkWidget *widget, GString *text)
{
  if (!gtk_widget_get_visible (widget))
    return;
  if (GTK_IS_LABEL (widget))
    g_string_append_printf (text, "%s\n", gtk_label_get_text (GTK_LABEL (widget)));
  if (gtk_widget_get_tooltip_text (widget) != NULL)
    g_string_append_printf (text, "%s\n", gtk_widget_get_tooltip_text (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (child, text);
}

/* What a format cannot say is told in the words of the window. */
static void
test_convert_refuses (Rig *rig, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GtkWidget *dialog;

  plg_convert_dialog_present (GTK_WINDOW (rig->window), plg_window_document (rig->window),
                              "torchtitan");
  rig_until (open_window (PLG_TYPE_CONVERT_DIALOG) != NULL);
  dialog = open_window (PLG_TYPE_CONVERT_DIALOG);
  collect (dialog, text);
  g_assert_nonnull (strstr (text->str, "Set “Nesting order” to torchtitan"));
  g_assert_null (strstr (text->str, "parallelism."));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static GtkWidget *
find_named (GtkWidget *widget, const char *name)
{
  GtkWidget *found = g_str_equal (gtk_widget_get_name (widget), name) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); found == NULL && child != NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_named (child, name);
  return found;
}

/* Where a launcher cannot say who runs where, those that can are a press away. */
static void
test_convert_alternatives (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *shown = NULL;
  GtkWidget *dialog, *button;

  g_assert_true (plg_edit_swap_ranks (plan, 0, 9, NULL));
  g_assert_true (plg_document_apply (document, plan, "Swap", NULL, NULL));
  plg_convert_dialog_present (GTK_WINDOW (rig->window), document, "torchrun");
  rig_until (open_window (PLG_TYPE_CONVERT_DIALOG) != NULL);
  dialog = open_window (PLG_TYPE_CONVERT_DIALOG);
  collect (dialog, text);
  g_assert_nonnull (strstr (text->str, "These can say where each rank is"));
  g_assert_null (strstr (text->str, "openmpi4"));
  button = find_named (dialog, "ranks-json");
  rig_until (gtk_widget_get_mapped (button));
  g_signal_emit_by_name (button, "clicked");
  shown = shown_text (dialog);
  g_assert_nonnull (strstr (shown, "\"ranks\": ["));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* A framework leaves it to the launcher where ranks are that were moved by hand. */
static void
test_convert_note (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *shown = NULL;
  GtkWidget *dialog, *note;
  gboolean taken = FALSE;

  plg_convert_dialog_present (GTK_WINDOW (rig->window), document, "megatron");
  rig_until (open_window (PLG_TYPE_CONVERT_DIALOG) != NULL);
  dialog = open_window (PLG_TYPE_CONVERT_DIALOG);
  note = find_named (dialog, "note");
  g_assert_false (gtk_widget_get_visible (note));
  g_assert_true (plg_edit_swap_ranks (plan, 0, 9, NULL));
  g_assert_true (plg_document_apply (document, plan, "Swap", NULL, NULL));
  collect (dialog, text);
  g_assert_nonnull (strstr (text->str, "this file does not say where they are"));
  g_signal_emit_by_name (note, "activate-link", "ranks-json", &taken);
  g_assert_true (taken);
  g_assert_false (gtk_widget_get_visible (note));
  shown = shown_text (dialog);
  g_assert_nonnull (strstr (shown, "\"ranks\": ["));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* Lessons */

/* The texts of what VEIL hides of PLAN; short ones stand for other things as well. */
static void
assert_silent (GtkWidget *widget, const PlgPlan *plan, guint veil)
{
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_ALL, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *all = plg_metric_names ();
  g_auto (GStrv) names = g_strsplit (all, ", ", -1);

  collect (widget, text);
  for (int i = 0; names[i] != NULL; i++)
    {
      const PlgMetric *metric = plg_metric_find (names[i]);
      double value = plg_metric_value (metric, report);
      g_autofree char *secret = plg_measure_text (metric->measure, value);

      if ((metric->about & veil) != 0 && strlen (secret) > 6 && strchr (secret, '.') != NULL &&
          strstr (text->str, secret) != NULL)
        g_error ("%s, %s, is told: %.200s", metric->name, secret,
                 MAX (strstr (text->str, secret) - 100, text->str));
    }
}

static GtkWidget *
pane_of (Rig *rig)
{
  return rig_find (GTK_WIDGET (rig->window), PLG_TYPE_LESSON_PANE, NULL, NULL);
}

static gboolean
is_choice (GtkWidget *widget, gpointer unused)
{
  return gtk_widget_has_css_class (widget, "choice");
}

/* Plays LESSON to its end, choosing the first or the last choice of each question. */
static void
play (Rig *rig, PlgLesson *lesson, gboolean last)
{
  PlgDocument *document = plg_window_document (rig->window);
  GtkWidget *pane = pane_of (rig);

  plg_window_begin_lesson (rig->window, lesson);
  for (guint i = 0; i < lesson->steps->len; i++)
    {
      const PlgStepOfLesson *step = lesson->steps->pdata[i];
      GtkWidget *choice;

      g_assert_true (shows (pane, step->title));
      if (step->question != NULL)
        {
          assert_silent (GTK_WIDGET (rig->window), plg_document_plan (document),
                         step->question->hides);
          g_assert_false (plg_lesson_pane_go (PLG_LESSON_PANE (pane), 1));
          choice = rig_find (pane, GTK_TYPE_BUTTON, is_choice, NULL);
          for (GtkWidget *next = choice; last && next != NULL;
               next = gtk_widget_get_next_sibling (next))
            choice = next;
          g_signal_emit_by_name (choice, "clicked");
          g_assert_cmpint (plg_document_veil (document), ==, 0);
        }
      g_assert_true (plg_lesson_pane_go (PLG_LESSON_PANE (pane), 1));
    }
  g_assert_false (gtk_widget_get_mapped (pane));
}

static void
test_lessons (Rig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();

  for (guint i = 0; i < lessons->len; i++)
    {
      play (rig, lessons->pdata[i], FALSE);
      play (rig, lessons->pdata[i], TRUE);
    }
}

/* While numbers are hidden, they leave by no other door. */
static void
test_lesson_doors (Rig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  GtkWidget *window = GTK_WIDGET (rig->window);
  PlgDocument *document = plg_window_document (rig->window);

  for (guint i = 0; i < lessons->len; i++)
    {
      const PlgStepOfLesson *step = ((PlgLesson *) lessons->pdata[i])->steps->pdata[0];

      if (step->question == NULL || step->question->hides == 0)
        continue;
      plg_window_begin_lesson (rig->window, lessons->pdata[i]);
      g_assert_cmpint (plg_document_veil (document), !=, 0);
      gtk_widget_activate_action (window, "win.convert", NULL);
      g_assert_null (open_window (PLG_TYPE_CONVERT_DIALOG));
      plg_window_end_lesson (rig->window);
      g_assert_cmpint (plg_document_veil (document), ==, 0);
    }
}

static gboolean
is_verdict (GtkWidget *widget, gpointer unused)
{
  GtkWidget *first = gtk_widget_get_first_child (widget);

  return gtk_widget_get_focusable (widget) && GTK_IS_LABEL (first) &&
         gtk_widget_has_css_class (first, "heading");
}

static gboolean
press (GtkWidget *pane, guint key)
{
  gboolean handled = FALSE;

  g_signal_emit_by_name (rig_controller (pane, GTK_TYPE_EVENT_CONTROLLER_KEY), "key-pressed", key,
                         0, 0, &handled);
  return handled;
}

/* A lesson can be played by keyboard: the focus is where the step goes on, the letters before the
 * choices answer, and what is said of an answer comes into sight. */
static void
test_lesson_keys (Rig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  PlgLesson *lesson = lessons->pdata[5];
  GtkWidget *pane = pane_of (rig), *choice, *verdict;
  graphene_rect_t place;

  plg_window_begin_lesson (rig->window, lesson);
  choice = rig_find (pane, GTK_TYPE_BUTTON, is_choice, NULL);
  rig_until (gtk_root_get_focus (GTK_ROOT (rig->window)) == choice);
  gtk_test_accessible_assert_property (choice, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "A  Nothing: there is always a micro-batch to work on");
  g_assert_false (press (pane, GDK_KEY_d));
  g_assert_true (press (pane, GDK_KEY_C));
  verdict = rig_find (pane, GTK_TYPE_BOX, is_verdict, NULL);
  rig_until (gtk_root_get_focus (GTK_ROOT (rig->window)) == verdict);
  g_assert_true (gtk_widget_compute_bounds (verdict, pane, &place));
  g_assert_cmpfloat (place.origin.y, >=, 0);
  g_assert_cmpfloat (place.origin.y, <, gtk_widget_get_height (pane) - 100);
  g_assert_true (press (pane, GDK_KEY_2));
  g_assert_true (plg_lesson_pane_go (PLG_LESSON_PANE (pane), 1));
  rig_until (is_choice (gtk_root_get_focus (GTK_ROOT (rig->window)), NULL));
  plg_window_end_lesson (rig->window);
}

static gboolean
is_titled (GtkWidget *widget, gpointer title)
{
  return g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title) == 0;
}

/* One of the list is opened where nothing was done yet, with its notes. */
static void
test_misunderstanding (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  char title[] = "64 GPUs, so DP 64";
  GtkWidget *row;

  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.lessons", NULL);
  rig_until (open_window (PLG_TYPE_LESSONS_DIALOG) != NULL);
  row = rig_find (open_window (PLG_TYPE_LESSONS_DIALOG), ADW_TYPE_ACTION_ROW, is_titled, title);
  g_assert_nonnull (row);
  g_signal_emit_by_name (row, "activated");
  rig_until (open_window (PLG_TYPE_LESSONS_DIALOG) == NULL);
  g_assert_cmpstr (plg_document_plan (document)->title, ==, title);
  g_assert_false (plg_document_report (document)->fits);
}

int
main (int argc, char **argv)
{
  g_autoptr (PlgApplication) application = NULL;

  if (!rig_init (&argc, &argv))
    return 0;
  application = plg_application_new ();
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  g_test_add ("/dialogs/import", Rig, application, set_up, test_import, tear_down);
  g_test_add ("/dialogs/import-two", Rig, application, set_up, test_import_two, tear_down);
  g_test_add ("/dialogs/broken-import", Rig, application, set_up, test_broken_import, tear_down);
  g_test_add ("/dialogs/convert", Rig, application, set_up, test_convert, tear_down);
  g_test_add ("/dialogs/convert-alternatives", Rig, application, set_up, test_convert_alternatives,
              tear_down);
  g_test_add ("/dialogs/unopened", Rig, application, set_up, test_unopened, tear_down);
  g_test_add ("/dialogs/convert-note", Rig, application, set_up, test_convert_note, tear_down);
  g_test_add ("/dialogs/convert-refuses", Rig, application, set_up, test_convert_refuses,
              tear_down);
  g_test_add ("/dialogs/lessons", Rig, application, set_up, test_lessons, tear_down);
  g_test_add ("/dialogs/lesson-keys", Rig, application, set_up, test_lesson_keys, tear_down);
  g_test_add ("/dialogs/lesson-doors", Rig, application, set_up, test_lesson_doors, tear_down);
  g_test_add ("/dialogs/misunderstanding", Rig, application, set_up, test_misunderstanding,
              tear_down);
  return g_test_run ();
}
