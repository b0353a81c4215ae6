/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "plan/settings/setting.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/nesting-row.h"
#include "widgets/inspector/setting-row.h"

/* Unlocked and locked settings of a lesson in the inspector. */

typedef struct
{
  PlgDocument *document;
  GtkWidget *inspector;
  GtkWindow *window;
} Rig;

static void
set_up (Rig *rig, gconstpointer data)
{
  rig->document = rig_document ();
  rig->inspector = g_object_new (PLG_TYPE_INSPECTOR, NULL);
  plg_inspector_set_document (PLG_INSPECTOR (rig->inspector), rig->document);
  rig->window = rig_show (rig->inspector, 320, 600);
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  rig_close (rig->window);
  g_assert_finalize_object (rig->document);
}

static gboolean
has_key (GtkWidget *widget, gpointer key)
{
  return strcmp (plg_setting_row_get_setting (PLG_SETTING_ROW (widget))->key, key) == 0;
}

static GtkWidget *
row_of (Rig *rig, const char *key)
{
  return rig_find (rig->inspector, PLG_TYPE_SETTING_ROW, has_key, (gpointer) key);
}

static gboolean
is_chip (GtkWidget *widget, gpointer name)
{
  return gtk_widget_has_css_class (widget, "chip") && gtk_widget_has_css_class (widget, name);
}

static gboolean
has_text (GtkWidget *label, gpointer text)
{
  return gtk_widget_get_mapped (label) &&
         g_str_has_prefix (gtk_label_get_text (GTK_LABEL (label)), text);
}

static gboolean
holds_faults (GtkWidget *row, gpointer unused)
{
  return rig_find (row, PLG_TYPE_SETTING_ROW, has_key, (gpointer) "cluster.faults") != NULL;
}

/* The settings of a lesson step are marked, and expanded during the step. */
static void
test_unlocked_settings (Rig *rig, gconstpointer data)
{
  static const char *const faults[] = { "cluster.faults", "training.*", NULL };
  GtkWidget *more = rig_find (rig->inspector, ADW_TYPE_EXPANDER_ROW, holds_faults, NULL);
  GtkWidget *row = row_of (rig, "cluster.faults");
  GtkWidget *batch = row_of (rig, "training.global-batch");

  g_assert_false (adw_expander_row_get_expanded (ADW_EXPANDER_ROW (more)));
  plg_document_set_policy (rig->document, &(PlgEditPolicy) { .keys = faults });
  g_assert_true (adw_expander_row_get_expanded (ADW_EXPANDER_ROW (more)));
  g_assert_true (gtk_widget_has_css_class (row, "offered"));
  g_assert_false (gtk_widget_has_css_class (batch, "offered"));
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (more), FALSE);
  g_assert_true (plg_document_set (rig->document, "cluster.faults", "gpu:1=0.5", NULL));
  g_assert_false (adw_expander_row_get_expanded (ADW_EXPANDER_ROW (more)));
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (more), TRUE);
  plg_document_set_policy (rig->document, NULL);
  g_assert_false (adw_expander_row_get_expanded (ADW_EXPANDER_ROW (more)));
  g_assert_false (gtk_widget_has_css_class (row, "offered"));
}

static gboolean
is_in_sight (GtkWidget *widget, GtkWidget *scroller)
{
  double y = -1;

  gtk_widget_translate_coordinates (widget, scroller, 0, 0, NULL, &y);
  return y >= 0 && y + gtk_widget_get_height (widget) <= gtk_widget_get_height (scroller);
}

/* The unlocked settings of a step are scrolled into view at its start; later scrolling by the user
 * is kept. */
static void
test_unlocked_settings_in_view (Rig *rig, gconstpointer data)
{
  static const char *const keys[] = { "cluster.faults", "parallelism.zero", "training.recompute",
                                      "parallelism.tp" };
  GtkWidget *scroller = rig_find (rig->inspector, GTK_TYPE_SCROLLED_WINDOW, NULL, NULL);
  GtkAdjustment *place = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const char *free[] = { keys[i], NULL };
      GtkWidget *row = row_of (rig, keys[i]);

      plg_document_set_policy (rig->document, &(PlgEditPolicy) { .keys = free });
      rig_until (gtk_widget_get_height (row) > 0 && is_in_sight (row, scroller));
      plg_document_set_policy (rig->document, NULL);
    }
  g_assert_true (plg_document_set (rig->document, "parallelism.tp", "4", NULL));
  gtk_adjustment_set_value (place, 400);
  for (int i = 0; i < 30; i++)
    rig_next_frame (rig->inspector);
  g_assert_cmpfloat (gtk_adjustment_get_value (place), ==, 400);
}

/* The nesting row shows that a lesson has locked the order, like other rows. */
static void
test_nesting_locked (Rig *rig, gconstpointer data)
{
  static const char *const order[] = { "parallelism.order", NULL }, *const none[] = { NULL };
  GtkWidget *nesting = rig_find (rig->inspector, PLG_TYPE_NESTING_ROW, NULL, NULL);
  GtkWidget *chip = rig_find (nesting, GTK_TYPE_BUTTON, is_chip, (gpointer) "tp");

  g_assert_true (gtk_widget_is_sensitive (chip));
  plg_document_set_policy (rig->document, &(PlgEditPolicy) { .keys = none });
  g_assert_false (gtk_widget_is_sensitive (chip));
  g_assert_false (gtk_widget_has_css_class (nesting, "offered"));
  g_assert_nonnull (rig_find (nesting, GTK_TYPE_LABEL, has_text,
                              (gpointer) "The lesson does not let you change"));
  plg_document_set_policy (rig->document, &(PlgEditPolicy) { .keys = order });
  g_assert_true (gtk_widget_is_sensitive (chip));
  g_assert_true (gtk_widget_has_css_class (nesting, "offered"));
  g_assert_null (rig_find (nesting, GTK_TYPE_LABEL, has_text,
                           (gpointer) "The lesson does not let you change"));
  plg_document_set_policy (rig->document, NULL);
}

int
main (int argc, char **argv)
{
  if (!rig_init (&argc, &argv))
    return 0;
#define ADD(name, function) \
  g_test_add ("/lesson-inspector/" name, Rig, NULL, set_up, function, tear_down)
  ADD ("unlocked-settings", test_unlocked_settings);
  ADD ("unlocked-settings-in-view", test_unlocked_settings_in_view);
  ADD ("nesting-locked", test_nesting_locked);
  return g_test_run ();
}
