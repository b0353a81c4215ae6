/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/window/window-private.h"
#include "widgets/accessible-names.h"

#include <glib/gi18n.h>

G_DEFINE_FINAL_TYPE (PlgWindow, plg_window, ADW_TYPE_APPLICATION_WINDOW)

/* Title and view ------------------------------------------------------------------------------- */

static void
update_title (PlgWindow *self)
{
  g_autofree char *name = plg_document_display_name (self->document);
  g_autofree char *title = plg_plan_display_title (plg_document_plan (self->document));
  g_autofree char *subtitle = g_strdup_printf (plg_document_is_modified (self->document)
                                                   ? _ ("%s — not saved")
                                               : plg_document_file (self->document) != NULL
                                                   ? _ ("%s — saved")
                                                   : "%s",
                                               name);

  adw_window_title_set_title (self->title, title);
  adw_window_title_set_subtitle (self->title, subtitle);
  gtk_window_set_title (GTK_WINDOW (self), title);
}

/* Hides the notes during a presentation and during a lesson, which describes its plans itself. */
void
plg_window_update_notes (PlgWindow *self)
{
  gboolean has_room = self->run == NULL && self->presentation_state == NULL;

  plg_notes_bar_show (self->notes_bar, has_room ? plg_document_plan (self->document)->notes : NULL);
}

static void
document_changed_cb (PlgWindow *self)
{
  const PlgPlan *plan = plg_document_plan (self->document);

  update_title (self);
  plg_window_update_notes (self);
  /* Hide the menu entry of an axis of degree 1, unless that axis is currently shown. */
  gtk_widget_set_visible (self->show_cp, plan->parallelism.degree[PLG_AXIS_CP] > 1 ||
                                             plan->view.show == PLG_SHOW_CP);
  gtk_widget_set_visible (self->show_ep, plan->parallelism.degree[PLG_AXIS_EP] > 1 ||
                                             plan->view.show == PLG_SHOW_EP);
  plg_window_update_actions (self);
}

static void
palette_changed_cb (PlgWindow *self)
{
  g_autofree char *palette = g_settings_get_string (self->settings, "palette");

  g_object_set (self->canvas, "palette", self->presentation_state != NULL ? "projector" : palette,
                NULL);
  g_object_set (self->variants, "palette", palette, NULL);
  g_object_set (self->timeline, "palette", palette, NULL);
  g_object_set (self->ledger, "palette", palette, NULL);
  g_object_set (self->pairs, "palette", palette, NULL);
  plg_panels_set_palette (self->panels, palette);
  plg_plan_finder_set_palette (self->finder, palette);
}

static void
color_scheme_changed_cb (PlgWindow *self)
{
  g_autofree char *scheme = g_settings_get_string (self->settings, "color-scheme");
  AdwColorScheme wanted = strcmp (scheme, "dark") == 0    ? ADW_COLOR_SCHEME_FORCE_DARK
                          : strcmp (scheme, "light") == 0 ? ADW_COLOR_SCHEME_FORCE_LIGHT
                                                          : ADW_COLOR_SCHEME_DEFAULT;

  /* A presentation is always light, because a projector cannot show black. */
  if (self->presentation_state != NULL)
    wanted = ADW_COLOR_SCHEME_FORCE_LIGHT;
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), wanted);
}

void
plg_window_update_theme (PlgWindow *self)
{
  palette_changed_cb (self);
  color_scheme_changed_cb (self);
  plg_window_update_notes (self);
}

/* Messages ------------------------------------------------------------------------------------- */

void
plg_window_toast (PlgWindow *self, const char *message)
{
  g_return_if_fail (PLG_IS_WINDOW (self));
  plg_toasts_show (self->toasts, message);
}

/* Removes the toasts when a drag starts, because a toast would cover the label at the pointer. */
static void
drag_started_cb (PlgWindow *self)
{
  plg_toasts_clear (self->toasts);
}

/* Moves the toasts, which must never cover the legend or the pins. */
static void
legend_changed_cb (PlgWindow *self)
{
  int height;

  g_object_get (self->canvas, "legend-height", &height, NULL);
  plg_toasts_set_bottom (self->toasts, height, GTK_WIDGET (self->pins));
}

static void
data_dropped_cb (PlgWindow *self, const char *message)
{
  plg_window_toast (self, message);
  plg_toasts_set_button (self->toasts, _ ("Undo"), "win.undo");
}

static void
variant_removed_cb (PlgWindow *self, const char *message)
{
  /* The last card had the focus, and the strip is hidden now. */
  if (!gtk_widget_get_visible (GTK_WIDGET (self->variants)))
    gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  plg_window_toast (self, message);
  plg_toasts_set_button (self->toasts, _ ("Undo"), "win.undo");
}

/* Removes the undo button from the toast, because the button must undo only the change that the
 * toast names and never a later change. */
static void
clear_undo_button (PlgWindow *self)
{
  if (!plg_document_is_previewing (self->document))
    plg_toasts_set_button (self->toasts, NULL, NULL);
}

void
plg_window_show_error (PlgWindow *self, const char *heading, const char *message)
{
  GtkWidget *dialog;

  g_return_if_fail (PLG_IS_WINDOW (self));

  dialog = adw_message_dialog_new (GTK_WINDOW (self), heading, message);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("_Close"));
  gtk_window_present (GTK_WINDOW (dialog));
}

char *
plg_window_read_error_text (const GError *error)
{
  if (!g_error_matches (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNKNOWN))
    return g_strdup (error->message);
  return g_strdup_printf (_ ("%s\n"
                             "\n"
                             "These files can be read: plans; output of nvidia-smi topo -m, "
                             "rocm-smi --showtopo, amd-smi, nccl-tests and hwloc; NCCL "
                             "topologies and graphs; Slurm topologies and node lists; Hugging "
                             "Face and Calculon models; settings for Megatron-LM, NeMo, "
                             "torchtitan, DeepSpeed, Picotron and Calculon; launch scripts, host "
                             "files and rank tables."),
                          error->message);
}

static void
refused_cb (PlgWindow *self, const char *message)
{
  plg_window_toast (self, message);
}

/* Files ---------------------------------------------------------------------------------------- */

char *
plg_window_autosave_directory (void)
{
  return g_build_filename (g_get_user_state_dir (), "parallelogram", "unsaved", NULL);
}

gboolean
plg_window_is_pristine (PlgWindow *self)
{
  g_return_val_if_fail (PLG_IS_WINDOW (self), FALSE);
  return plg_document_file (self->document) == NULL && !plg_document_is_modified (self->document) &&
         !plg_document_undo_label (self->document) && !plg_document_redo_label (self->document);
}

void
plg_window_open (PlgWindow *self, GFile *file, const PlgImportResult *import)
{
  g_autofree char *notice = NULL;
  g_autofree char *uri = NULL;

  g_return_if_fail (PLG_IS_WINDOW (self));

  plg_document_open_import (self->document, file, import, &notice);
  if (notice != NULL)
    plg_window_toast (self, notice);
  uri = g_file_get_uri (file);
  gtk_recent_manager_add_item (gtk_recent_manager_get_default (), uri);
  plg_canvas_fit (self->canvas);
}

void
plg_window_recover (PlgWindow *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;
  g_autofree char *message = NULL;

  g_return_if_fail (PLG_IS_WINDOW (self));

  if (plg_document_recover (self->document, path, &error))
    {
      name = plg_document_display_name (self->document);
      message = g_strdup_printf (_ ("Recovered unsaved changes to “%s”"), name);
      plg_window_toast (self, message);
    }
  else
    plg_window_show_error (self, _ ("An Unsaved Plan Could Not Be Recovered"), error->message);
}

/* Object --------------------------------------------------------------------------------------- */

static gboolean
plg_window_close_request (GtkWindow *window)
{
  PlgWindow *self = PLG_WINDOW (window);

  if (plg_window_ask_before_close (self))
    return TRUE;

  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_settings_set_int (self->settings, "window-width", width);
  g_settings_set_int (self->settings, "window-height", height);
  g_settings_set_boolean (self->settings, "window-maximized",
                          gtk_window_is_maximized (GTK_WINDOW (self)));

  plg_document_discard_autosave (self->document);
  return GTK_WINDOW_CLASS (plg_window_parent_class)->close_request (window);
}

static void
set_up_document (PlgWindow *self, PlgApplication *application)
{
  g_autofree char *directory = plg_window_autosave_directory ();

  self->document = plg_document_new (plg_application_catalogue (application));
  plg_document_set_autosave (self->document, directory,
                             g_settings_get_uint (self->settings, "autosave-seconds"));
  g_object_set (self->canvas, "document", self->document, NULL);
  g_object_set (self->timeline, "document", self->document, NULL);
  g_object_set (self->links, "document", self->document, NULL);
  g_object_set (self->ledger, "document", self->document, NULL);
  plg_window_set_up_matrix (self);
  plg_plan_finder_set_document (self->finder, self->document);
  plg_plan_finder_move_bar (self->finder, self->finder_bar);
  plg_pin_list_set_document (self->pins, self->document);
  plg_variant_strip_set_document (self->variants, self->document);
  plg_inspector_set_document (self->inspector, self->document);
  plg_panels_set_document (self->panels, self->document);
  g_signal_connect_object (self->canvas, "notify::legend-height", G_CALLBACK (legend_changed_cb),
                           self, G_CONNECT_SWAPPED);
  plg_deferred_update_install (GTK_WIDGET (self->canvas), self->document);
  plg_window_set_up_sidebars (self);
  plg_window_set_up_player (self);
  plg_window_set_up_placing (self);
  plg_window_set_up_lessons (self);
  g_signal_connect_object (self->document, "changed", G_CALLBACK (document_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "changed", G_CALLBACK (clear_undo_button), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "data-dropped", G_CALLBACK (data_dropped_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "notify::modified", G_CALLBACK (update_title), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "notify::file", G_CALLBACK (update_title), self,
                           G_CONNECT_SWAPPED);
}

/* Gives the arrow button of a split button a name for assistive technology, because the split
 * button does not do so itself. */
static void
name_recent_arrow (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      if (GTK_IS_MENU_BUTTON (child))
        gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                        _ ("Recent plans"), -1);
      if (!GTK_IS_MENU_BUTTON (child))
        name_recent_arrow (child);
    }
}

PlgWindow *
plg_window_new (PlgApplication *application)
{
  PlgWindow *self = g_object_new (PLG_TYPE_WINDOW, "application", application, NULL);

  self->settings = g_object_ref (plg_application_settings (application));
  set_up_document (self, application);
  gtk_window_set_default_size (GTK_WINDOW (self),
                               g_settings_get_int (self->settings, "window-width"),
                               g_settings_get_int (self->settings, "window-height"));
  if (g_settings_get_boolean (self->settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  adw_flap_set_reveal_flap (self->inspector_flap,
                            g_settings_get_boolean (self->settings, "inspector-visible"));
  adw_flap_set_reveal_flap (self->panels_flap,
                            g_settings_get_boolean (self->settings, "panels-visible"));
  g_settings_bind (self->settings, "pane-visible", self->pane, "visible", G_SETTINGS_BIND_DEFAULT);
  g_signal_connect_object (self->settings, "changed::palette", G_CALLBACK (palette_changed_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->settings, "changed::color-scheme",
                           G_CALLBACK (color_scheme_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed",
                           G_CALLBACK (plg_window_update_recent), self, G_CONNECT_SWAPPED);
  plg_window_add_actions (self);
  plg_window_update_recent (self);
  name_recent_arrow (self->open_button);
  plg_window_update_theme (self);
  document_changed_cb (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  return self;
}

PlgDocument *
plg_window_document (PlgWindow *self)
{
  g_return_val_if_fail (PLG_IS_WINDOW (self), NULL);
  return self->document;
}

PlgCanvas *
plg_window_canvas (PlgWindow *self)
{
  g_return_val_if_fail (PLG_IS_WINDOW (self), NULL);
  return self->canvas;
}

static void
plg_window_dispose (GObject *object)
{
  PlgWindow *self = PLG_WINDOW (object);

  plg_window_clear_presentation (self);
  plg_window_clear_placing (self);
  plg_window_remove_actions (self);
  plg_window_end_lesson (self);
  plg_window_clear_imports (self);
  g_clear_object (&self->chooser);
  g_clear_object (&self->document);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (plg_window_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, title);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, inspector_flap);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, panels_flap);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, inspector);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, side);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, side_switcher);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, lesson_pane);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, find_bar);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, variants);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, notes_bar);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, canvas);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, panels);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, pane);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, finder);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, finder_bar);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, pages);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, open_button);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, timeline);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, player);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, links);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, tier);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, ledger);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, pairs);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, pins);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, show_cp);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, show_ep);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, recent_menu);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, header);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, canvas_bar);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, presentation);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, stage);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, beam);
  gtk_widget_class_bind_template_child (widget_class, PlgWindow, blank);
  gtk_widget_class_bind_template_callback (widget_class, refused_cb);
  gtk_widget_class_bind_template_callback (widget_class, drag_started_cb);
  gtk_widget_class_bind_template_callback (widget_class, variant_removed_cb);
  gtk_widget_class_bind_template_callback (widget_class, plg_window_compare_variant);
  gtk_widget_class_bind_template_callback (widget_class, plg_link_table_clear_highlight);
}

static void
plg_window_class_init (PlgWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_window_dispose;
  GTK_WINDOW_CLASS (klass)->close_request = plg_window_close_request;
  g_type_ensure (PLG_TYPE_POINTER_SPOTLIGHT);
  g_type_ensure (PLG_TYPE_CANVAS);
  g_type_ensure (PLG_TYPE_FIND_BAR);
  g_type_ensure (PLG_TYPE_INSPECTOR);
  g_type_ensure (PLG_TYPE_LESSON_PANE);
  g_type_ensure (PLG_TYPE_LINK_TABLE);
  g_type_ensure (PLG_TYPE_NOTES_BAR);
  g_type_ensure (PLG_TYPE_PIN_LIST);
  g_type_ensure (PLG_TYPE_PANELS);
  g_type_ensure (PLG_TYPE_PICTURE_VIEW);
  g_type_ensure (PLG_TYPE_PLAN_FINDER);
  g_type_ensure (PLG_TYPE_PLAYER);
  g_type_ensure (PLG_TYPE_BOTTOM_PANE_LAYOUT);
  g_type_ensure (PLG_TYPE_PRESENTATION);
  g_type_ensure (PLG_TYPE_VARIANT_STRIP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/parallelogram/Parallelogram/ui/window.ui");
  bind_children (widget_class);
  plg_window_install_actions (widget_class);
  plg_window_install_placing (widget_class);
  plg_window_install_balancing (widget_class);
  plg_window_install_playing (widget_class);
  plg_window_install_matrix (widget_class);
  plg_window_install_importing (widget_class);
  plg_window_install_lessons (widget_class);
  plg_window_install_presenting (widget_class);
}

static void
plg_window_init (PlgWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plg_accessible_name_buttons (GTK_WIDGET (self));
  plg_accessible_name_drop_down (self->tier, _ ("Links shown in the list"));
  plg_window_accept_drops (self);
}
