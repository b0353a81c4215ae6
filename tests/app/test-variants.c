/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"

#include "app/dialogs/compare-dialog.h"
#include "engine/report/redaction.h"
#include "widgets/variants/variant-card.h"
#include "widgets/variants/variant-strip.h"

#include <string.h>

/* The strip of variants in the window. */

static GtkWidget *
strip_of (AppRig *rig)
{
  return rig_find (GTK_WIDGET (rig->window), PLG_TYPE_VARIANT_STRIP, NULL, NULL);
}

static gboolean
is_named (GtkWidget *card, gpointer name)
{
  return strcmp (plg_variant_card_name (PLG_VARIANT_CARD (card)), name) == 0;
}

static GtkWidget *
card_of (AppRig *rig, const char *name)
{
  return rig_find (GTK_WIDGET (rig->window), PLG_TYPE_VARIANT_CARD, is_named, (gpointer) name);
}

static int
tp_of (AppRig *rig)
{
  return plg_document_plan (plg_window_document (rig->window))->parallelism.degree[PLG_AXIS_TP];
}

static void
set_tp (AppRig *rig, const char *tp)
{
  g_assert_true (plg_document_set (plg_window_document (rig->window), "parallelism.tp", tp, NULL));
}

/* A plan without variants has no strip. A new variant gets the focus, and its figures appear. */
static void
test_add (AppRig *rig, gconstpointer data)
{
  GtkWidget *card;

  g_assert_false (gtk_widget_get_visible (strip_of (rig)));
  g_assert_true (app_rig_act (rig, "win.add-variant"));
  g_assert_true (gtk_widget_get_visible (strip_of (rig)));
  card = card_of (rig, "TP 8, PP 4, DP 2");
  g_assert_nonnull (card);
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (rig->window)), card));
  rig_until (app_rig_shows (card, "%"));
  gtk_test_accessible_assert_property (
      GTK_ACCESSIBLE (gtk_window_get_focus (GTK_WINDOW (rig->window))),
      GTK_ACCESSIBLE_PROPERTY_LABEL, "Variant TP 8, PP 4, DP 2");
  rig_until (app_rig_shows (GTK_WIDGET (rig->window), "added"));
}

/* All changes by keyboard: Enter switches, F2 renames, Delete deletes, C compares. */
static void
test_keyboard (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  GtkWidget *card, *entry;

  set_tp (rig, "4");
  g_assert_true (app_rig_act (rig, "win.add-variant"));
  set_tp (rig, "8");
  g_assert_true (app_rig_act (rig, "win.add-variant"));
  card = rig_find (strip_of (rig), PLG_TYPE_VARIANT_CARD, NULL, NULL);
  g_assert_true (gtk_widget_grab_focus (card));

  g_assert_true (gtk_widget_activate_action (card, "variant.switch", NULL));
  g_assert_cmpint (tp_of (rig), ==, 4);
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (tp_of (rig), ==, 8);

  g_assert_true (rig_press (card, GDK_KEY_F2, 0));
  entry = rig_find (card, GTK_TYPE_ENTRY, NULL, NULL);
  rig_until (gtk_widget_get_mapped (entry));
  /* The name of another variant is refused with a reason, and the popover stays open. */
  gtk_editable_set_text (GTK_EDITABLE (entry),
                         plg_variants_nth (plg_document_plan (document)->variants, 1)->name);
  g_signal_emit_by_name (entry, "activate");
  g_assert_true (gtk_widget_get_mapped (entry));
  g_assert_true (app_rig_shows (card, "Another variant"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "  narrow ");
  g_signal_emit_by_name (entry, "activate");
  g_assert_true (card_of (rig, "narrow") == card);

  g_assert_true (rig_press (card, GDK_KEY_c, 0));
  g_assert_nonnull (app_rig_open_window (PLG_TYPE_COMPARE_DIALOG));
  gtk_window_destroy (GTK_WINDOW (app_rig_open_window (PLG_TYPE_COMPARE_DIALOG)));

  gtk_widget_grab_focus (card);
  g_assert_true (rig_press (card, GDK_KEY_Delete, 0));
  g_assert_null (card_of (rig, "narrow"));
  g_assert_cmpint (plg_variants_count (plg_document_plan (document)->variants), ==, 1);
}

/* A deleted variant comes back with the button of the message. The focus stays in the strip while
 * it has cards, then goes to the cluster. */
static void
test_delete (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  GtkWidget *card;

  g_assert_true (app_rig_act (rig, "win.add-variant"));
  set_tp (rig, "4");
  g_assert_true (app_rig_act (rig, "win.add-variant"));
  card = card_of (rig, "TP 8, PP 4, DP 2");
  gtk_widget_grab_focus (card);
  g_assert_true (gtk_widget_activate_action (card, "variant.remove", NULL));
  card = rig_find (strip_of (rig), PLG_TYPE_VARIANT_CARD, NULL, NULL);
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (rig->window)), card));
  rig_until (app_rig_shows (GTK_WIDGET (rig->window), "deleted"));
  rig_until (app_rig_has_label (GTK_WIDGET (rig->window), "Undo"));
  g_assert_true (app_rig_act (rig, "win.undo"));
  g_assert_nonnull (card_of (rig, "TP 8, PP 4, DP 2"));

  while (plg_document_plan (document)->variants != NULL)
    {
      card = rig_find (strip_of (rig), PLG_TYPE_VARIANT_CARD, NULL, NULL);
      g_assert_true (gtk_widget_activate_action (card, "variant.remove", NULL));
    }
  g_assert_false (gtk_widget_get_visible (strip_of (rig)));
  g_assert_nonnull (gtk_window_get_focus (GTK_WINDOW (rig->window)));
}

/* The card of the open design is marked, not only by colour. */
static void
test_current (AppRig *rig, gconstpointer data)
{
  GtkWidget *card, *icon;

  g_assert_true (app_rig_act (rig, "win.add-variant"));
  card = card_of (rig, "TP 8, PP 4, DP 2");
  icon = rig_find (card, GTK_TYPE_IMAGE, NULL, NULL);
  g_assert_true (gtk_widget_get_visible (icon));
  set_tp (rig, "4");
  g_assert_false (gtk_widget_get_visible (icon));
  g_assert_false (gtk_widget_has_css_class (card, "current"));
}

/* While a lesson hides numbers, the strip is hidden, because its cards show them. */
static void
test_hidden_numbers (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  const PlgEditPolicy policy = { .redaction = PLG_REDACT_MEMORY };

  g_assert_true (app_rig_act (rig, "win.add-variant"));
  plg_document_set_policy (document, &policy);
  g_assert_false (gtk_widget_get_visible (strip_of (rig)));
  plg_document_set_policy (document, NULL);
  g_assert_true (gtk_widget_get_visible (strip_of (rig)));
}

int
main (int argc, char **argv)
{
  static const AppRigCase cases[] = {
    { "/variants/add", test_add },
    { "/variants/keyboard", test_keyboard },
    { "/variants/delete", test_delete },
    { "/variants/current", test_current },
    { "/variants/hidden-numbers", test_hidden_numbers },
  };

  return app_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
