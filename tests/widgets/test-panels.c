/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "plan/quantity.h"
#include "widgets/panels.h"

static gboolean
has_text (GtkWidget *widget, gpointer text)
{
  return strcmp (gtk_label_get_text (GTK_LABEL (widget)), text) == 0;
}

/* What the panel says is what the report says, before and after a change. */
static void
test_numbers (void)
{
  g_autoptr (PlgDocument) document = rig_document ();
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL);
  GtkWindow *window;

  plg_panels_set_document (PLG_PANELS (panels), document);
  window = rig_show (panels, 360, 900);
  for (int tp = 8; tp >= 4; tp -= 4)
    {
      const PlgReport *report;
      g_autofree char *value = g_strdup_printf ("%d", tp);
      g_autofree char *mfu = NULL;
      g_autofree char *memory = NULL;

      g_assert_true (plg_document_set (document, "parallelism.tp", value, NULL));
      report = plg_document_report (document);
      mfu = plg_format_share (report->step.mfu);
      memory = plg_format_memory (report->memory_peak);
      g_assert_nonnull (rig_find (panels, GTK_TYPE_LABEL, has_text, mfu));
      g_assert_nonnull (rig_find (panels, GTK_TYPE_LABEL, has_text, memory));
    }
  rig_close (window);
}

static gboolean
is_try_it (GtkWidget *widget, gpointer data)
{
  return g_object_get_data (G_OBJECT (widget), "edits") != NULL;
}

/* One click takes an advice, and undo takes it back. */
static void
test_advice (void)
{
  g_autoptr (PlgDocument) document = rig_document ();
  GtkWidget *panels = g_object_new (PLG_TYPE_PANELS, NULL);
  GtkWindow *window;
  GtkWidget *button;

  /* A bubble that nobody would leave alone. */
  g_assert_true (plg_document_set (document, "training.global-batch", "8", NULL));
  plg_panels_set_document (PLG_PANELS (panels), document);
  window = rig_show (panels, 360, 900);
  button = rig_find (panels, GTK_TYPE_BUTTON, is_try_it, NULL);
  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  g_assert_true (plg_plan_check (plg_document_plan (document), NULL));
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (plg_document_plan (document)->training.global_batch, ==, 8);
  rig_close (window);
}

int
main (int argc, char **argv)
{
  if (!rig_init (&argc, &argv))
    return 0;
  g_test_add_func ("/panels/numbers", test_numbers);
  g_test_add_func ("/panels/advice", test_advice);
  return g_test_run ();
}
