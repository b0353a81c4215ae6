/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/window/window-private.h"

#include "app/dialogs/compare-dialog.h"
#include "app/dialogs/sweep-dialog.h"
#include "app/dialogs/convert-dialog.h"
#include "app/picture-clipboard.h"
#include "app/dialogs/export-dialog.h"
#include "app/screen-picture.h"
#include "document/fault-impact.h"
#include "plan/edit.h"
#include "plan/settings/setting.h"
#include "widgets/clipboard.h"

#include <glib/gi18n.h>

/* Files and history ---------------------------------------------------------------------------- */

static void
open_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_window_choose_open (PLG_WINDOW (widget));
}

static void
open_recent_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (widget));

  plg_application_open_file (PLG_APPLICATION (application), file);
}

static void
save_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_window_save (PLG_WINDOW (widget));
}

static void
save_as_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_window_save_as (PLG_WINDOW (widget));
}

/* Cancels a drag in progress, like the Escape key. Returns TRUE if a drag was cancelled, because
 * undo and redo must then leave the history unchanged. */
static gboolean
cancel_drag (PlgWindow *self)
{
  return plg_canvas_is_dragging (self->canvas) && plg_canvas_escape (self->canvas);
}

static void
undo_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);
  g_autofree char *label = g_strdup (plg_document_undo_label (self->document));
  g_autofree char *message = NULL;

  if (cancel_drag (self) || !plg_document_undo (self->document))
    return;
  message = g_strdup_printf (_ ("Undone: %s"), label);
  plg_window_toast (self, message);
}

static void
redo_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);
  g_autofree char *label = g_strdup (plg_document_redo_label (self->document));
  g_autofree char *message = NULL;

  if (cancel_drag (self) || !plg_document_redo (self->document))
    return;
  message = g_strdup_printf (_ ("Redone: %s"), label);
  plg_window_toast (self, message);
}

/* Pictures ------------------------------------------------------------------------------------- */

static void
export_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  g_autoptr (PlgSearchPicture) search = NULL;
  g_auto (PlgRequest) request = { 0 };
  gboolean is_in_finder;

  if (plg_window_activate_matrix_action (self, "picture.export"))
    return;
  search = plg_plan_finder_picture (self->finder);
  is_in_finder = search != NULL && focus != NULL &&
                 gtk_widget_is_ancestor (focus, GTK_WIDGET (self->finder));
  if (is_in_finder)
    plg_screen_picture_request (self->canvas, self->document, PLG_PICTURE_SEARCH, &request);
  plg_export_dialog_present (self->toasts, self->document, self->canvas, self->settings,
                             is_in_finder ? &request : NULL, search);
}

static void
convert_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_convert_dialog_present (GTK_WINDOW (widget), PLG_WINDOW (widget)->document, NULL);
}

static void
copy_picture_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);
  g_auto (PlgRequest) request = { 0 };
  g_autoptr (GError) error = NULL;

  if (plg_window_activate_matrix_action (self, "picture.copy"))
    return;
  plg_screen_picture_request (self->canvas, self->document, PLG_PICTURE_CLUSTER, &request);
  if (plg_picture_clipboard_copy (gtk_widget_get_clipboard (widget), &request,
                                  plg_document_plan (self->document),
                                  plg_document_report (self->document), &error))
    plg_window_toast (self, _ ("Picture copied"));
  else
    plg_window_show_error (self, _ ("The Picture Could Not Be Copied"), error->message);
}

static void
copy_links_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);
  g_autofree char *text = plg_link_table_text (self->links, '\t');

  plg_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  plg_window_toast (self, _ ("Table copied"));
}

static void
save_links_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_window_save_links (PLG_WINDOW (widget));
}

static void
copy_command_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);
  g_auto (PlgRequest) request = { 0 };
  g_autoptr (GError) error = NULL;

  if (plg_window_activate_matrix_action (self, "picture.copy-command"))
    return;
  plg_screen_picture_request (self->canvas, self->document, PLG_PICTURE_CLUSTER, &request);
  if (plg_picture_clipboard_copy_command (gtk_widget_get_clipboard (widget), self->document,
                                          &request, &error))
    plg_window_toast (self, _ ("Command line copied"));
  else
    plg_window_show_error (self, _ ("No Command Line for This Plan"), error->message);
}

/* The view ------------------------------------------------------------------------------------- */

static void
zoom_in_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_canvas_zoom_by (PLG_WINDOW (widget)->canvas, 1.25);
}

static void
zoom_out_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_canvas_zoom_by (PLG_WINDOW (widget)->canvas, 1 / 1.25);
}

static void
zoom_normal_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_canvas_set_zoom (PLG_WINDOW (widget)->canvas, 1);
}

static void
fit_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_canvas_fit (PLG_WINDOW (widget)->canvas);
}

static void
find_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_find_bar_open (PLG_WINDOW (widget)->find_bar);
}

static void
fullscreen_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (gtk_window_is_fullscreen (GTK_WINDOW (widget)))
    gtk_window_unfullscreen (GTK_WINDOW (widget));
  else
    gtk_window_fullscreen (GTK_WINDOW (widget));
}

/* Returns a description of VALUE for the view setting KEY, such as "All axes at once". Returns
 * NULL if the setting has no effect on the canvas. */
static const char *
describe_view_choice (const char *key, const char *value)
{
  static const struct
  {
    const char *key, *value, *words;
  } choices[] = {
    { "view.show", "all", N_ ("All axes at once") },
    { "view.show", "tp", N_ ("Tensor parallel groups only") },
    { "view.show", "cp", N_ ("Context parallel groups only") },
    { "view.show", "ep", N_ ("Expert parallel groups only") },
    { "view.show", "pp", N_ ("Pipeline stages only") },
    { "view.show", "dp", N_ ("Data parallel replicas only") },
    { "view.show", "memory", N_ ("Memory used") },
    { "view.link-color", "frequency", N_ ("Link colour: calls per step") },
    { "view.link-color", "bytes", N_ ("Link colour: bytes per step") },
    { "view.link-color", "time", N_ ("Link colour: busy time per step") },
    { "view.link-color", "off", N_ ("Link colour: off") },
    { "view.rings", "true", N_ ("Rings instead of physical links") },
    { "view.rings", "false", N_ ("Physical links instead of rings") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (g_str_equal (choices[i].key, key) && g_str_equal (choices[i].value, value))
      return _ (choices[i].words);
  return NULL;
}

/* Applies a view setting from a menu or a toggle. If the canvas has the focus, makes the canvas
 * announce the choice. A focused toggle announces its own state. */
static void
set_view (PlgWindow *self, const char *key, const char *value)
{
  g_autoptr (PlgPlan) plan = plg_document_plan_to_edit (self->document);
  g_autoptr (GError) error = NULL;

  if (plg_setting_set (plan, NULL, key, value, &error))
    {
      plg_document_set_view (self->document, &plan->view);
      plg_canvas_announce (self->canvas, describe_view_choice (key, value));
    }
  else
    g_warning ("%s", error->message);
}

/* Shows the chosen view and ends playback, which would hide that view. */
static void
choose_show (PlgWindow *self, const char *value)
{
  plg_player_seek (self->player, -1);
  set_view (self, "view.show", value);
}

static void
tidy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);
  g_autoptr (PlgPlan) plan = plg_document_plan_to_edit (self->document);
  g_autoptr (PlgReport) before = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *announcement = NULL;

  before = plg_report_ref ((PlgReport *) plg_document_report (self->document));
  if (plg_edit_reset_placement (plan, &error) &&
      plg_document_apply (self->document, plan, _ ("Placement in nesting order"), NULL, &error))
    announcement = plg_fault_impact_describe_change (
        _ ("Placement in nesting order"), before, plg_document_committed_report (self->document));
  plg_window_toast (self, announcement != NULL ? announcement : error->message);
}

/* Opens the menu of nesting orders. A popover can open only after the inspector is fully
 * revealed. */
static void
open_orders_cb (PlgWindow *self)
{
  if (adw_flap_get_reveal_progress (self->inspector_flap) < 1)
    return;
  g_signal_handlers_disconnect_by_func (self->inspector_flap, open_orders_cb, self);
  plg_inspector_open_orders (self->inspector);
}

/* Opens the menu of nesting orders in the inspector. Does nothing during a presentation, which
 * hides the inspector. */
static void
orders_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);

  if (self->presentation_state != NULL)
    return;
  gtk_stack_set_visible_child (self->side, GTK_WIDGET (self->inspector));
  adw_flap_set_reveal_flap (self->inspector_flap, TRUE);
  g_signal_connect_object (self->inspector_flap, "notify::reveal-progress",
                           G_CALLBACK (open_orders_cb), self, G_CONNECT_SWAPPED);
  open_orders_cb (self);
}

/* Ends the preview of a found plan, because the open plan is on the left of the comparison. The
 * found plan is on the right if no VARIANT is named. */
static void
present_comparison (PlgWindow *self, PlgComparison comparison, const char *variant)
{
  g_autoptr (PlgPlan) found = NULL;

  if (plg_document_is_previewing (self->document))
    {
      found = plg_document_plan_to_edit (self->document);
      plg_plan_finder_deselect (self->finder);
    }
  plg_compare_dialog_present (GTK_WINDOW (self), self->document, self->canvas, self->settings,
                              comparison, variant, variant == NULL ? found : NULL);
}

static void
compare_orders_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);

  present_comparison (self, PLG_COMPARISON_ORDER, NULL);
}

static void
compare_plans_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);

  present_comparison (self, PLG_COMPARISON_PLAN, NULL);
}

void
plg_window_compare_variant (PlgWindow *self, const char *name)
{
  present_comparison (self, PLG_COMPARISON_PLAN, name);
}

static void
add_variant_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_variant_strip_add (PLG_WINDOW (widget)->variants);
}

static void
sweep_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);

  plg_sweep_dialog_present (GTK_WINDOW (self), self->document, self->canvas, self->settings);
}

/* Handles view keys without a modifier. These keys are bindings of the window and not
 * accelerators, because a focused entry must handle the keys first. */
static gboolean
show_key_cb (GtkWidget *widget, GVariant *value, gpointer data)
{
  choose_show (PLG_WINDOW (widget), g_variant_get_string (value, NULL));
  return TRUE;
}

/* Actions with a state ------------------------------------------------------------------------- */

static void
show_activated_cb (GSimpleAction *action, GVariant *value, gpointer self)
{
  choose_show (self, g_variant_get_string (value, NULL));
}

static void
link_color_activated_cb (GSimpleAction *action, GVariant *value, gpointer self)
{
  set_view (self, "view.link-color", g_variant_get_string (value, NULL));
}

static void
pairs_activated_cb (GSimpleAction *action, GVariant *value, gpointer self)
{
  set_view (self, "view.pairs", g_variant_get_string (value, NULL));
}

static void
rings_activated_cb (GSimpleAction *action, GVariant *value, gpointer self)
{
  set_view (self, "view.rings", g_variant_get_boolean (value) ? "true" : "false");
}

static void
inspector_changed_cb (GSimpleAction *action, GVariant *value, gpointer self)
{
  adw_flap_set_reveal_flap (PLG_WINDOW (self)->inspector_flap, g_variant_get_boolean (value));
  g_settings_set_boolean (PLG_WINDOW (self)->settings, "inspector-visible",
                          g_variant_get_boolean (value));
}

static void
panels_changed_cb (GSimpleAction *action, GVariant *value, gpointer self)
{
  PLG_WINDOW (self)->has_lesson_layout = FALSE;
  adw_flap_set_reveal_flap (PLG_WINDOW (self)->panels_flap, g_variant_get_boolean (value));
  g_settings_set_boolean (PLG_WINDOW (self)->settings, "panels-visible",
                          g_variant_get_boolean (value));
}

/* Shows the chosen page of the bottom pane. Ignores an unknown page name, which a different
 * version of the program may have stored. */
static void
page_changed_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  PlgWindow *self = data;
  const char *name = g_variant_get_string (value, NULL);

  if (gtk_stack_get_child_by_name (self->pages, name) == NULL)
    return;
  gtk_stack_set_visible_child_name (self->pages, name);
  g_simple_action_set_state (action, value);
  g_settings_set_string (self->settings, "pane-page", name);
}

/* Opens the page with the comparison of the pins. Moves the focus to the comparison even if the
 * page is already open. */
static void
compare_pins_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gtk_widget_activate_action (widget, "win.page", "s", "links");
  gtk_widget_grab_focus (GTK_WIDGET (PLG_WINDOW (widget)->ledger));
}

/* Opens the page that finds better plans, which starts the search. */
static void
find_plans_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gtk_widget_activate_action (widget, "win.page", "s", "plans");
  gtk_widget_grab_focus (GTK_WIDGET (PLG_WINDOW (widget)->finder));
}

static void
page_activated_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  g_settings_set_boolean (PLG_WINDOW (data)->settings, "pane-visible", TRUE);
  g_action_change_state (G_ACTION (action), value);
}

static const GActionEntry stateful[] = {
  { "show", NULL, "s", "'all'", show_activated_cb },
  { "link-color", NULL, "s", "'frequency'", link_color_activated_cb },
  { "rings", NULL, NULL, "false", rings_activated_cb },
  { "pairs", NULL, "s", "'bandwidth'", pairs_activated_cb },
  { "inspector", NULL, NULL, "true", inspector_changed_cb },
  { "panels", NULL, NULL, "true", panels_changed_cb },
  { "page", page_activated_cb, "s", "'timeline'", page_changed_cb },
};

static void
set_state (PlgWindow *self, const char *name, GVariant *value)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self),
                                                                          name)),
                             value);
}

/* Stores whether the flaps are revealed. A flap also folds automatically in a narrow window;
 * such a fold must not change the setting. */
static void
flap_changed_cb (PlgWindow *self)
{
  set_state (self, "inspector",
             g_variant_new_boolean (adw_flap_get_reveal_flap (self->inspector_flap)));
  set_state (self, "panels", g_variant_new_boolean (adw_flap_get_reveal_flap (self->panels_flap)));
}

static const char *const remembered[] = { "palette", "color-scheme", "pane-visible" };

void
plg_window_remove_actions (PlgWindow *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (remembered); i++)
    g_action_map_remove_action (G_ACTION_MAP (self), remembered[i]);
}

void
plg_window_add_actions (PlgWindow *self)
{
  g_autoptr (GVariant) page = NULL;

  g_action_map_add_action_entries (G_ACTION_MAP (self), stateful, G_N_ELEMENTS (stateful), self);
  for (guint i = 0; i < G_N_ELEMENTS (remembered); i++)
    {
      g_autoptr (GAction) action = g_settings_create_action (self->settings, remembered[i]);
      g_action_map_add_action (G_ACTION_MAP (self), action);
    }
  g_signal_connect_object (self->inspector_flap, "notify::reveal-flap",
                           G_CALLBACK (flap_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->panels_flap, "notify::reveal-flap", G_CALLBACK (flap_changed_cb),
                           self, G_CONNECT_SWAPPED);
  flap_changed_cb (self);
  page = g_settings_get_value (self->settings, "pane-page");
  g_action_group_change_action_state (G_ACTION_GROUP (self), "page", page);
}

static GVariant *
setting_state (PlgWindow *self, const char *key)
{
  return g_variant_new_take_string (plg_setting_get (plg_setting_find (key),
                                                     plg_document_plan (self->document)));
}

void
plg_window_update_actions (PlgWindow *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  set_state (self, "show", setting_state (self, "view.show"));
  set_state (self, "link-color", setting_state (self, "view.link-color"));
  set_state (self, "pairs", setting_state (self, "view.pairs"));
  set_state (self, "rings", g_variant_new_boolean (plg_document_plan (self->document)->view.rings));
  gtk_widget_action_set_enabled (widget, "win.undo",
                                 plg_document_undo_label (self->document) != NULL ||
                                     plg_canvas_is_dragging (self->canvas));
  gtk_widget_action_set_enabled (widget, "win.redo",
                                 plg_document_redo_label (self->document) != NULL);
  gtk_widget_action_set_enabled (widget, "win.tidy",
                                 plg_document_plan (self->document)->placement.size > 0);
}

static const struct
{
  const char *name;
  const char *parameter;
  GtkWidgetActionActivateFunc activate;
} plain[] = {
  { "win.open", NULL, open_action },
  { "win.open-recent", "s", open_recent_action },
  { "win.save", NULL, save_action },
  { "win.save-as", NULL, save_as_action },
  { "win.undo", NULL, undo_action },
  { "win.redo", NULL, redo_action },
  { "win.export", NULL, export_action },
  { "win.convert", NULL, convert_action },
  { "win.copy-picture", NULL, copy_picture_action },
  { "win.copy-links", NULL, copy_links_action },
  { "win.save-links", NULL, save_links_action },
  { "win.copy-command", NULL, copy_command_action },
  { "win.zoom-in", NULL, zoom_in_action },
  { "win.zoom-out", NULL, zoom_out_action },
  { "win.zoom-normal", NULL, zoom_normal_action },
  { "win.fit", NULL, fit_action },
  { "win.find", NULL, find_action },
  { "win.fullscreen", NULL, fullscreen_action },
  { "win.tidy", NULL, tidy_action },
  { "win.orders", NULL, orders_action },
  { "win.compare-orders", NULL, compare_orders_action },
  { "win.find-plans", NULL, find_plans_action },
  { "win.sweep", NULL, sweep_action },
  { "win.compare-plans", NULL, compare_plans_action },
  { "win.add-variant", NULL, add_variant_action },
  { "win.compare-pins", NULL, compare_pins_action },
};

static const struct
{
  guint key;
  const char *show;
} show_keys[] = {
  { GDK_KEY_0, "all" }, { GDK_KEY_1, "tp" }, { GDK_KEY_2, "cp" },     { GDK_KEY_3, "ep" },
  { GDK_KEY_4, "pp" },  { GDK_KEY_5, "dp" }, { GDK_KEY_6, "memory" },
};

void
plg_window_install_actions (GtkWidgetClass *widget_class)
{
  for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
    gtk_widget_class_install_action (widget_class, plain[i].name, plain[i].parameter,
                                     plain[i].activate);
  for (guint i = 0; i < G_N_ELEMENTS (show_keys); i++)
    gtk_widget_class_add_binding (widget_class, show_keys[i].key, 0, show_key_cb, "s",
                                  show_keys[i].show);
}
