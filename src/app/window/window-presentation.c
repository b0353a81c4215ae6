/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The presentation mode for a projector: shows only the cluster, the key figure and, during a
 * lesson, the text of the lesson. */

#include "app/window/window-private.h"

/* The normal and the minimum text size as fractions of the window height. Readers in the back
 * row need text of at least 2 % of the window height. Smaller text, such as pin names, has 0.9
 * times the normal size. */
#define TEXT_HEIGHT_SHARE 0.024
#define MIN_TEXT_HEIGHT_SHARE 0.0205
/* The width of the text column as a fraction of the window width, and its minimum width [em]. */
#define PRESENTATION_WIDTH_SHARE 0.28
#define MIN_PRESENTATION_EMS 17

/* The state to restore after the presentation, and the state of the presentation itself. */
struct _PlgPresentationState
{
  gboolean was_fullscreen;
  int old_width; /* the width of the window before the presentation */
  gboolean had_inspector;
  gboolean had_panels;
  gboolean had_find_bar;
  gboolean had_pane;
  PlgCanvasView view;
  GtkEventController *keys;
  GtkCssProvider *sizes;
  int height; /* the window height that the text sizes were computed for */
  int width;
  guint resize_id;
  GtkWidget *focus; /* the widget that had the focus before the presentation; weak pointer, or
                       NULL */
};

/* Text sizes ----------------------------------------------------------------------------------- */

static void
set_sizes (PlgWindow *self, int width, int height)
{
  double text = height * TEXT_HEIGHT_SHARE;
  /* The text sizes also apply to tooltips, which have a window of their own, and to toasts,
   * whose style class has its own text size. */
  g_autofree char *css = g_strdup_printf ("window.presenting, window.presenting toast .heading, "
                                          "tooltip { font-size: %dpx; }",
                                          (int) (text + 1));

  self->presentation_state->width = width;
  self->presentation_state->height = height;
  gtk_css_provider_load_from_data (self->presentation_state->sizes, css, -1);
  gtk_widget_set_size_request (GTK_WIDGET (self->presentation),
                               (int) MAX (width * PRESENTATION_WIDTH_SHARE,
                                          text * MIN_PRESENTATION_EMS),
                               -1);
  plg_canvas_set_min_text_size (self->canvas, height * MIN_TEXT_HEIGHT_SHARE);
}

static gboolean
resize_cb (gpointer data)
{
  PlgWindow *self = data;
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  int height = gtk_widget_get_height (GTK_WIDGET (self));

  self->presentation_state->resize_id = 0;
  if (width != self->presentation_state->width || height != self->presentation_state->height)
    set_sizes (self, width, height);
  return G_SOURCE_REMOVE;
}

/* Resizes the text when idle, because the window gets its new size only in the next layout. */
static void
surface_resized_cb (PlgWindow *self)
{
  if (self->presentation_state->resize_id == 0)
    self->presentation_state->resize_id = g_idle_add (resize_cb, self);
}

static GdkSurface *
surface_of (PlgWindow *self)
{
  return gtk_native_get_surface (GTK_NATIVE (self));
}

/* Keys ----------------------------------------------------------------------------------------- */

static void
set_blank (PlgWindow *self, gboolean blank)
{
  gtk_widget_set_visible (self->blank, blank);
}

/* Returns whether an entry has the focus and therefore needs character keys and page keys. */
static gboolean
is_typing (PlgWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  return focus != NULL && (GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus));
}

/* Moves the mark to the next choice in DIRECTION. Moving back from the first choice returns the
 * focus to the cluster. */
static void
mark_choice (PlgWindow *self, int direction)
{
  if (plg_presentation_mark (self->presentation, direction))
    return;
  if (direction < 0)
    gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  else
    gtk_widget_error_bell (GTK_WIDGET (self));
}

/* Scrolls the text of the lesson or, if no more text is hidden, goes to the next or previous
 * step. If a question must be answered before the next step, moves the mark between its choices,
 * so that a presentation remote does not scroll the cluster out of view. */
static gboolean
go_to_page (PlgWindow *self, int direction)
{
  if (self->run == NULL)
    return FALSE;
  if (plg_presentation_marked (self->presentation) >= 0)
    mark_choice (self, direction);
  else if (plg_presentation_scroll (self->presentation, direction) ||
           plg_lesson_pane_go (self->lesson_pane, direction))
    return TRUE;
  else if (direction > 0)
    mark_choice (self, direction);
  else
    gtk_widget_error_bell (GTK_WIDGET (self));
  return TRUE;
}

/* Answers the open question with the choice whose number is the digit KEY. */
static gboolean
answer_by_digit (PlgWindow *self, guint key)
{
  int choice = (int) key - GDK_KEY_1;

  return self->run != NULL && plg_lesson_run_needs_answer (self->run) && choice >= 0 &&
         plg_lesson_run_choose (self->run, choice);
}

/* Handles the keys of a presentation remote before the cluster handles page keys. */
static gboolean
handle_clicker_key (PlgWindow *self, guint key)
{
  switch (key)
    {
    case GDK_KEY_b:
    case GDK_KEY_B:
      {
        /* If a choice is marked, the blank key of the remote answers with this choice, as the
         * text on screen explains. Otherwise the screen becomes blank. */
        int marked = plg_presentation_marked (self->presentation);

        if (marked < 0 || !plg_lesson_run_choose (self->run, marked))
          set_blank (self, TRUE);
        return TRUE;
      }
    case GDK_KEY_period:
      set_blank (self, TRUE);
      return TRUE;
    case GDK_KEY_Page_Down:
    case GDK_KEY_KP_Page_Down:
      return go_to_page (self, 1);
    case GDK_KEY_Page_Up:
    case GDK_KEY_KP_Page_Up:
      return go_to_page (self, -1);
    default:
      return plg_window_pointing_key (self, key);
    }
}

static void end_presentation (PlgWindow *self);

/* Handles a key of the presentation. While the screen is blank, any key except a modifier only
 * shows the presentation again. */
gboolean
plg_window_presentation_key (PlgWindow *self, guint key, guint code, GdkModifierType modifiers)
{
  if (key >= GDK_KEY_Shift_L && key <= GDK_KEY_Hyper_R)
    return FALSE; /* a modifier key */
  if (gtk_widget_get_visible (self->blank))
    {
      set_blank (self, FALSE);
      return TRUE;
    }
  if (key == GDK_KEY_Escape)
    {
      /* Escape first closes a menu or cancels a drag. It does not clear the selection or pins,
       * so that the same number of key presses always ends a presentation. */
      GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

      if (plg_canvas_is_dragging (self->canvas) ||
          (focus != NULL && gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) != NULL))
        return FALSE;
      if (!plg_window_pointing_escape (self))
        end_presentation (self);
      return TRUE;
    }
  if ((modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) || is_typing (self))
    return FALSE;
  return answer_by_digit (self, key) || handle_clicker_key (self, key);
}


/* Focus ---------------------------------------------------------------------------------------- */

static void
mapped_cb (GtkWidget *widget, PlgWindow *self)
{
  g_signal_handlers_disconnect_by_func (widget, mapped_cb, self);
  if (gtk_widget_get_focus_child (GTK_WIDGET (self->canvas)) != NULL)
    gtk_widget_grab_focus (widget);
}

/* Begin and end -------------------------------------------------------------------------------- */

static void
begin_presentation (PlgWindow *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  PlgPresentationState *show = g_new0 (PlgPresentationState, 1);

  g_assert (self->presentation_state == NULL);

  self->presentation_state = show;
  show->old_width = gtk_widget_get_width (widget);
  show->was_fullscreen = gtk_window_is_fullscreen (GTK_WINDOW (self));
  show->view = plg_canvas_save_view (self->canvas);
  /* The new layout moves elements away from the pointer, so the old highlight would dim the
   * wrong elements. */
  plg_canvas_clear_pointer (self->canvas);
  g_set_weak_pointer (&show->focus, gtk_window_get_focus (GTK_WINDOW (self)));
  show->had_inspector = adw_flap_get_reveal_flap (self->inspector_flap);
  show->had_panels = adw_flap_get_reveal_flap (self->panels_flap);
  show->had_find_bar = gtk_widget_get_visible (GTK_WIDGET (self->find_bar));
  show->had_pane = g_settings_get_boolean (self->settings, "pane-visible");
  /* Lock the sidebars, because unlocked sidebars would reappear in a wide window. */
  plg_window_update_sidebars (self);
  adw_flap_set_reveal_flap (self->inspector_flap, FALSE);
  adw_flap_set_reveal_flap (self->panels_flap, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->find_bar), FALSE);
  gtk_widget_set_visible (self->header, FALSE);
  gtk_widget_set_visible (self->canvas_bar, FALSE);
  g_object_set (self->variants, "is-suppressed", TRUE, NULL);
  /* Unbind the pane from its setting, because hiding the pane must not change the setting. */
  g_settings_unbind (self->pane, "visible");
  gtk_widget_set_visible (self->pane, FALSE);

  show->keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (show->keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (show->keys, "key-pressed", G_CALLBACK (plg_window_presentation_key),
                           self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (widget, show->keys);
  plg_window_begin_pointing (self);
  show->sizes = gtk_css_provider_new ();
  gtk_style_context_add_provider_for_display (gtk_widget_get_display (widget),
                                              GTK_STYLE_PROVIDER (show->sizes),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1);
  set_sizes (self, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  if (surface_of (self) != NULL)
    g_signal_connect_object (surface_of (self), "layout", G_CALLBACK (surface_resized_cb), self,
                             G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (widget, "presenting");
  plg_window_update_theme (self);
  plg_window_update_presentation (self);
  gtk_widget_set_visible (GTK_WIDGET (self->presentation), TRUE);
  plg_canvas_fit (self->canvas);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  gtk_window_fullscreen (GTK_WINDOW (self));
  plg_window_begin_presenter (self);
}

static void
end_presentation (PlgWindow *self)
{
  const PlgPresentationState *show = self->presentation_state;
  gboolean was_fullscreen = show->was_fullscreen;
  PlgCanvasView view = show->view;
  int old_width = show->old_width;
  GtkWidget *focus = show->focus;

  set_blank (self, FALSE);
  plg_window_end_pointing (self);
  gtk_widget_set_visible (GTK_WIDGET (self->presentation), FALSE);
  plg_presentation_show (self->presentation, NULL, NULL);
  gtk_widget_remove_css_class (GTK_WIDGET (self), "presenting");
  adw_flap_set_reveal_flap (self->inspector_flap, show->had_inspector);
  adw_flap_set_reveal_flap (self->panels_flap, show->had_panels);
  gtk_widget_set_visible (GTK_WIDGET (self->find_bar), show->had_find_bar);
  gtk_widget_set_visible (self->header, TRUE);
  gtk_widget_set_visible (self->canvas_bar, TRUE);
  g_object_set (self->variants, "is-suppressed", FALSE, NULL);
  g_settings_set_boolean (self->settings, "pane-visible", show->had_pane);
  g_settings_bind (self->settings, "pane-visible", self->pane, "visible", G_SETTINGS_BIND_DEFAULT);

  gtk_widget_remove_controller (GTK_WIDGET (self), show->keys);
  plg_window_clear_presentation (self);
  plg_window_update_theme (self);
  plg_canvas_set_min_text_size (self->canvas, 0);
  plg_canvas_restore_view (self->canvas, view);

  /* Return the focus to the previously focused widget once it is mapped. Until then, keep the
   * focus on the cluster. */
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  if (focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self)))
    {
      if (gtk_widget_get_mapped (focus))
        gtk_widget_grab_focus (focus);
      else
        g_signal_connect_object (focus, "map", G_CALLBACK (mapped_cb), self, 0);
    }

  if (!was_fullscreen)
    gtk_window_unfullscreen (GTK_WINDOW (self));
  plg_window_settle_sidebars (self, old_width);
}

void
plg_window_update_presentation (PlgWindow *self)
{
  if (self->presentation_state == NULL)
    return;
  plg_presentation_show (self->presentation, self->document, self->run);
  plg_window_update_presenter (self);
}

void
plg_window_clear_presentation (PlgWindow *self)
{
  if (self->presentation_state == NULL)
    return;
  plg_window_end_pointing (self);
  if (surface_of (self) != NULL)
    g_signal_handlers_disconnect_by_func (surface_of (self), surface_resized_cb, self);
  gtk_style_context_remove_provider_for_display (gtk_widget_get_display (GTK_WIDGET (self)),
                                                 GTK_STYLE_PROVIDER (self->presentation_state
                                                                         ->sizes));
  g_clear_object (&self->presentation_state->sizes);
  g_clear_handle_id (&self->presentation_state->resize_id, g_source_remove);
  plg_window_end_presenter (self);
  g_clear_weak_pointer (&self->presentation_state->focus);
  g_clear_pointer (&self->presentation_state, g_free);
}

static void
present_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);

  if (self->presentation_state != NULL)
    end_presentation (self);
  else
    begin_presentation (self);
}

static void
presenter_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);

  if (self->presentation_state == NULL)
    begin_presentation (self);
  plg_window_open_presenter (self);
}

void
plg_window_install_presenting (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.present", NULL, present_action);
  gtk_widget_class_install_action (widget_class, "win.presenter", NULL, presenter_action);
}
