/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"

#include "widgets/inspector/setting-row.h"

/* Balance in the window. */

static PlgDocument *
document_of (AppRig *rig)
{
  return plg_window_document (rig->window);
}

static char *
layout_of (AppRig *rig)
{
  return plg_stage_layout_to_string (&plg_document_committed_plan (document_of (rig))
                                          ->parallelism.layout);
}

/* Balance replaces an uneven layout in one undo step and says what it saves. A second time, it says
 * that the layers are balanced and changes nothing. */
static void
test_saves (AppRig *rig, gconstpointer data)
{
  static const char uneven[] = "Et*14|t*26|t*22|t*18L";
  PlgDocument *document = document_of (rig);
  g_autofree char *balanced = NULL, *again = NULL, *undone = NULL;
  double before;

  g_assert_true (plg_document_set (document, "parallelism.layout", uneven, NULL));
  before = plg_document_report (document)->step.time;
  g_assert_true (app_rig_act (rig, "win.balance"));
  rig_until (app_rig_shows (GTK_WIDGET (rig->window), "Longest stage "));
  balanced = layout_of (rig);
  g_assert_cmpstr (balanced, !=, uneven);
  g_assert_cmpfloat (plg_document_report (document)->step.time, <, before);
  g_assert_cmpstr (plg_document_undo_label (document), ==, "Balanced layers");

  g_assert_true (app_rig_act (rig, "win.balance"));
  rig_until (app_rig_shows (GTK_WIDGET (rig->window), "The layers are balanced already"));
  again = layout_of (rig);
  g_assert_cmpstr (again, ==, balanced);

  g_assert_true (plg_document_undo (document));
  undone = layout_of (rig);
  g_assert_cmpstr (undone, ==, uneven);
}

/* Nothing changes if no layout fits, and the message has the remedy. */
static void
test_error (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = document_of (rig);
  g_autofree char *layout = NULL;

  g_assert_true (plg_document_set (document, "cluster.memory", "20", NULL));
  g_assert_true (app_rig_act (rig, "win.balance"));
  rig_until (app_rig_shows (GTK_WIDGET (rig->window), "memory"));
  layout = layout_of (rig);
  g_assert_cmpstr (layout, ==, "");
}

/* A plan that has changed meanwhile keeps the change. */
static void
test_meanwhile (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = document_of (rig);
  g_autofree char *layout = NULL;

  g_assert_true (plg_document_set (document, "parallelism.layout", "Et*14|t*26|t*22|t*18L", NULL));
  g_assert_true (app_rig_act (rig, "win.balance"));
  g_assert_true (plg_document_set (document, "parallelism.layout", "Et*15|t*25|t*22|t*18L", NULL));
  g_assert_true (app_rig_act (rig, "win.balance"));
  rig_until (app_rig_shows (GTK_WIDGET (rig->window), "Longest stage "));
  g_assert_true (plg_document_undo (document));
  layout = layout_of (rig);
  g_assert_cmpstr (layout, ==, "Et*15|t*25|t*22|t*18L");
}

static gboolean
is_balance (GtkWidget *button, gpointer data)
{
  return g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (button)), "win.balance") == 0;
}

/* The button is in the row of the layout. Without a pipeline, it says that a pipeline is
 * missing. */
static void
test_button (AppRig *rig, gconstpointer data)
{
  GtkWidget *button = rig_find (GTK_WIDGET (rig->window), GTK_TYPE_BUTTON, is_balance, NULL);
  GtkWidget *row = gtk_widget_get_ancestor (button, PLG_TYPE_SETTING_ROW);

  g_assert_cmpstr (plg_setting_row_get_setting (PLG_SETTING_ROW (row))->key, ==,
                   "parallelism.layout");
  g_assert_true (gtk_widget_get_sensitive (button));
  g_assert_true (plg_document_set (document_of (rig), "parallelism.pp", "1", NULL));
  g_assert_true (gtk_widget_get_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
  rig_until (app_rig_shows (GTK_WIDGET (rig->window), "PP 1 has one stage with all layers"));
}

/* During a preview, nothing changes, and a message says how to leave the preview. */
static void
test_preview (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = document_of (rig);
  g_autoptr (PlgPlan) shown = plg_plan_copy (plg_document_committed_plan (document));
  g_autofree char *layout = NULL;

  shown->training.micro_batch = 2;
  plg_document_preview (document, shown);
  g_assert_true (plg_document_is_previewing (document));
  g_assert_true (app_rig_act (rig, "win.balance"));
  rig_until (app_rig_shows (GTK_WIDGET (rig->window), "Leave the preview first"));
  layout = layout_of (rig);
  g_assert_cmpstr (layout, ==, "");
  plg_document_preview (document, NULL);
}

int
main (int argc, char **argv)
{
  static const AppRigCase cases[] = {
    { "/balance/saves", test_saves },         { "/balance/error", test_error },
    { "/balance/meanwhile", test_meanwhile }, { "/balance/button", test_button },
    { "/balance/preview", test_preview },
  };

  return app_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
