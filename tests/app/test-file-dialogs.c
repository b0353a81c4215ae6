/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"

#include "app/dialogs/convert-dialog.h"
#include "app/dialogs/import-dialog.h"
#include "app/dialogs/lessons-dialog.h"
#include "engine/report/metric.h"
#include "engine/report/redaction.h"
#include "lessons/lesson-library.h"
#include "plan/edit.h"
#include "plan/settings/setting.h"
#include "widgets/lesson/lesson-pane.h"

#include <glib/gstdio.h>
#include <string.h>

/* Opening and saving files, and lessons, through the real window. */

static gboolean
is_suggested (GtkWidget *widget, gpointer unused)
{
  return gtk_widget_has_css_class (widget, "suggested-action");
}

/* Opening -------------------------------------------------------------------------------------- */

static const char config[] = "{\n\"architectures\": [\"LlamaForCausalLM\"],\n"
                             "\"model_type\": \"llama\", \"hidden_size\": 4096,\n"
                             "\"intermediate_size\": 11008, \"num_hidden_layers\": 32,\n"
                             "\"num_attention_heads\": 32, \"num_key_value_heads\": 32,\n"
                             "\"vocab_size\": 32000, \"tie_word_embeddings\": false\n}\n";

static void
test_import (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (GFile) file = app_rig_put (rig, "config.json", config);
  GtkWidget *dialog;

  plg_application_open_file (rig->application, file);
  rig_until (app_rig_open_window (PLG_TYPE_IMPORT_DIALOG) != NULL);
  dialog = app_rig_open_window (PLG_TYPE_IMPORT_DIALOG);
  /* A preview changes nothing. */
  g_assert_cmpint (plg_document_plan (document)->model.hidden, ==, 8192);
  g_assert_true (app_rig_shows (dialog, "Hidden size: 4096"));
  g_assert_true (app_rig_shows (dialog, "line 3"));
  g_signal_emit_by_name (rig_find (dialog, GTK_TYPE_BUTTON, is_suggested, NULL), "clicked");
  rig_until (app_rig_open_window (PLG_TYPE_IMPORT_DIALOG) == NULL);
  g_assert_cmpint (plg_document_plan (document)->model.hidden, ==, 4096);
  g_assert_cmpstr (plg_document_undo_label (document), ==, "Import of config.json");
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (plg_document_plan (document)->model.hidden, ==, 8192);
}

/* The heading names the kind of file that could not be opened. */
static void
test_failed_open (AppRig *rig, gconstpointer data)
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
      g_autoptr (GFile) file = app_rig_put (rig, files[i][0], files[i][1]);
      GtkWidget *dialog;

      plg_application_open_file (rig->application, file);
      rig_until (app_rig_open_window (ADW_TYPE_MESSAGE_DIALOG) != NULL);
      dialog = app_rig_open_window (ADW_TYPE_MESSAGE_DIALOG);
      g_assert_cmpstr (adw_message_dialog_get_heading (ADW_MESSAGE_DIALOG (dialog)), ==,
                       files[i][2]);
      gtk_window_destroy (GTK_WINDOW (dialog));
      rig_until (app_rig_open_window (ADW_TYPE_MESSAGE_DIALOG) == NULL);
    }
}

/* Two files are previewed one after the other, the second with the result of the first. */
static void
test_import_two (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (GFile) first = app_rig_put (rig, "config.json", config);
  g_autoptr (GFile) second = app_rig_put (rig, "hosts", "gpu-a\ngpu-b\ngpu-c\ngpu-d\n");
  GFile *files[] = { first, second };

  plg_application_open_files (rig->application, files, 2);
  for (int i = 0; i < 2; i++)
    {
      rig_until (app_rig_open_window (PLG_TYPE_IMPORT_DIALOG) != NULL);
      g_signal_emit_by_name (rig_find (app_rig_open_window (PLG_TYPE_IMPORT_DIALOG),
                                       GTK_TYPE_BUTTON, is_suggested, NULL),
                             "clicked");
    }
  rig_until (app_rig_open_window (PLG_TYPE_IMPORT_DIALOG) == NULL);
  g_assert_cmpint (plg_document_plan (document)->model.hidden, ==, 4096);
  g_assert_cmpint (plg_document_plan (document)->cluster.nodes, ==, 4);
}

static void
test_broken_import (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (PlgPlan) before = plg_plan_copy (plg_document_plan (document));
  g_autoptr (GFile) file = app_rig_put (rig, "config.json",
                                        "{\"model_type\": \"llama\", \"hidden_size\": -1}");

  plg_application_open_file (rig->application, file);
  rig_until (app_rig_open_window (ADW_TYPE_MESSAGE_DIALOG) != NULL);
  g_assert_null (app_rig_open_window (PLG_TYPE_IMPORT_DIALOG));
  g_assert_true (plg_plan_equal (plg_document_plan (document), before));
  gtk_window_destroy (GTK_WINDOW (app_rig_open_window (ADW_TYPE_MESSAGE_DIALOG)));
}

/* Saving --------------------------------------------------------------------------------------- */

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
test_convert (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  GtkWidget *dialog;

  plg_convert_dialog_present (GTK_WINDOW (rig->window), document, "yaml");
  rig_until (app_rig_open_window (PLG_TYPE_CONVERT_DIALOG) != NULL);
  dialog = app_rig_open_window (PLG_TYPE_CONVERT_DIALOG);
  before = shown_text (dialog);
  g_assert_nonnull (strstr (before, "tp_size: 8"));
  /* The text follows the plan. */
  g_assert_true (plg_document_set (document, "parallelism.tp", "4", NULL));
  after = shown_text (dialog);
  g_assert_nonnull (strstr (after, "tp_size: 4"));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* A format that cannot express the plan is explained in plain words. */
static void
test_convert_refuses (AppRig *rig, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GtkWidget *dialog;

  plg_convert_dialog_present (GTK_WINDOW (rig->window), plg_window_document (rig->window),
                              "torchtitan");
  rig_until (app_rig_open_window (PLG_TYPE_CONVERT_DIALOG) != NULL);
  dialog = app_rig_open_window (PLG_TYPE_CONVERT_DIALOG);
  app_rig_collect (dialog, text);
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

/* If a launcher cannot express the placement, buttons offer formats that can. */
static void
test_convert_alternatives (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *shown = NULL;
  GtkWidget *dialog, *button;

  g_assert_true (plg_edit_swap_ranks (plan, 0, 9, NULL));
  g_assert_true (plg_document_apply (document, plan, "Swap", NULL, NULL));
  plg_convert_dialog_present (GTK_WINDOW (rig->window), document, "torchrun");
  rig_until (app_rig_open_window (PLG_TYPE_CONVERT_DIALOG) != NULL);
  dialog = app_rig_open_window (PLG_TYPE_CONVERT_DIALOG);
  app_rig_collect (dialog, text);
  g_assert_nonnull (strstr (text->str, "Formats with the place of each rank"));
  g_assert_null (strstr (text->str, "openmpi4"));
  button = find_named (find_named (dialog, "alternatives"), "ranks-json");
  rig_until (gtk_widget_get_mapped (button));
  g_assert_false (gtk_widget_get_visible (find_named (find_named (dialog, "alternatives"),
                                                      "kubernetes")));
  g_signal_emit_by_name (button, "clicked");
  shown = shown_text (dialog);
  g_assert_nonnull (strstr (shown, "\"ranks\": ["));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* A framework leaves moved ranks to the launcher; buttons, not names of the command line, lead to
 * suitable formats. */
static void
test_convert_note (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *shown = NULL;
  GtkWidget *dialog, *note;

  plg_convert_dialog_present (GTK_WINDOW (rig->window), document, "megatron");
  rig_until (app_rig_open_window (PLG_TYPE_CONVERT_DIALOG) != NULL);
  dialog = app_rig_open_window (PLG_TYPE_CONVERT_DIALOG);
  note = find_named (dialog, "note");
  g_assert_false (gtk_widget_get_visible (gtk_widget_get_parent (note)));
  g_assert_true (plg_edit_swap_ranks (plan, 0, 9, NULL));
  g_assert_true (plg_document_apply (document, plan, "Swap", NULL, NULL));
  app_rig_collect (dialog, text);
  g_assert_nonnull (strstr (text->str, "this file does not store the placement"));
  g_assert_null (strstr (text->str, "openmpi4"));
  g_assert_true (gtk_widget_get_visible (gtk_widget_get_next_sibling (note)));
  g_assert_true (gtk_widget_get_visible (gtk_widget_get_parent (note)));
  g_signal_emit_by_name (find_named (find_named (dialog, "others"), "ranks-json"), "clicked");
  g_assert_false (gtk_widget_get_visible (gtk_widget_get_parent (note)));
  shown = shown_text (dialog);
  g_assert_nonnull (strstr (shown, "\"ranks\": ["));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* A host name without a host is left to another launcher. */
static void
test_convert_names (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  GtkWidget *dialog, *note;

  g_assert_true (plg_edit_name_node (plan, 0, "Käthe", NULL));
  g_assert_true (plg_document_apply (document, plan, "Name", NULL, NULL));
  plg_convert_dialog_present (GTK_WINDOW (rig->window), document, "slurm-hostfile");
  rig_until (app_rig_open_window (PLG_TYPE_CONVERT_DIALOG) != NULL);
  dialog = app_rig_open_window (PLG_TYPE_CONVERT_DIALOG);
  note = find_named (dialog, "note");
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (note)), "have no name"));
  g_assert_null (strstr (gtk_label_get_text (GTK_LABEL (note)), "cluster.node-names"));
  g_assert_false (gtk_widget_get_visible (gtk_widget_get_next_sibling (note)));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* Data that a file cannot contain is listed in plain words; no format is offered, since the data is
 * not the placement. */
static void
test_convert_losses (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  const char *const settings[] = { "model.name=gpt3-175b", "training.sequence=2048", NULL };
  GtkWidget *dialog, *note;

  g_assert_true (plg_settings_apply (plan, plg_document_catalogue (document), settings, NULL));
  g_assert_true (plg_document_apply (document, plan, "GPT-3", NULL, NULL));
  plg_convert_dialog_present (GTK_WINDOW (rig->window), document, "calculon-model");
  rig_until (app_rig_open_window (PLG_TYPE_CONVERT_DIALOG) != NULL);
  dialog = app_rig_open_window (PLG_TYPE_CONVERT_DIALOG);
  note = find_named (dialog, "note");
  g_assert_true (gtk_widget_get_visible (gtk_widget_get_parent (note)));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (note)),
                            "“Vocabulary” 51200 instead of 50257"));
  g_assert_false (gtk_widget_get_visible (gtk_widget_get_next_sibling (note)));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* In the search entry Escape first clears the text, then closes the dialog. */
static void
test_convert_escape (AppRig *rig, gconstpointer data)
{
  GtkWidget *dialog, *search;

  plg_convert_dialog_present (GTK_WINDOW (rig->window), plg_window_document (rig->window), NULL);
  rig_until (app_rig_open_window (PLG_TYPE_CONVERT_DIALOG) != NULL);
  dialog = app_rig_open_window (PLG_TYPE_CONVERT_DIALOG);
  search = rig_find (dialog, GTK_TYPE_SEARCH_ENTRY, NULL, NULL);
  gtk_editable_set_text (GTK_EDITABLE (search), "slurm");
  g_signal_emit_by_name (search, "stop-search");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (search)), ==, "");
  g_assert_nonnull (app_rig_open_window (PLG_TYPE_CONVERT_DIALOG));
  g_signal_emit_by_name (search, "stop-search");
  rig_until (app_rig_open_window (PLG_TYPE_CONVERT_DIALOG) == NULL);
}

/* Long lines wrap within the window. */
static void
test_convert_long_lines (AppRig *rig, gconstpointer data)
{
  GtkAdjustment *across;
  GtkWidget *dialog, *view;

  plg_convert_dialog_present (GTK_WINDOW (rig->window), plg_window_document (rig->window),
                              "worksheet");
  rig_until (app_rig_open_window (PLG_TYPE_CONVERT_DIALOG) != NULL);
  dialog = app_rig_open_window (PLG_TYPE_CONVERT_DIALOG);
  view = rig_find (dialog, GTK_TYPE_TEXT_VIEW, NULL, NULL);
  across = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (view));
  rig_until (gtk_adjustment_get_page_size (across) > 100);
  g_assert_cmpfloat (gtk_adjustment_get_upper (across), <=, gtk_adjustment_get_page_size (across));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* Lessons -------------------------------------------------------------------------------------- */

int
main (int argc, char **argv)
{
  static const AppRigCase cases[] = {
    { "/file-dialogs/import", test_import },
    { "/file-dialogs/import-two", test_import_two },
    { "/file-dialogs/broken-import", test_broken_import },
    { "/file-dialogs/convert", test_convert },
    { "/file-dialogs/convert-alternatives", test_convert_alternatives },
    { "/file-dialogs/failed-open", test_failed_open },
    { "/file-dialogs/convert-long-lines", test_convert_long_lines },
    { "/file-dialogs/convert-escape", test_convert_escape },
    { "/file-dialogs/convert-losses", test_convert_losses },
    { "/file-dialogs/convert-names", test_convert_names },
    { "/file-dialogs/convert-note", test_convert_note },
    { "/file-dialogs/convert-refuses", test_convert_refuses },
  };

  return app_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
