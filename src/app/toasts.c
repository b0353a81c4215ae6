/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/toasts.h"

#include "widgets/announcer.h"

/* The pause between two toasts. libadwaita 1.2.2 frees a toast twice if the toast is dismissed,
 * for example by Escape, during its opening animation. Therefore toasts appear one at a time and
 * without an animation. The next toast appears after the previous toast has closed, which takes
 * 300 ms. */
#define PAUSE_MILLISECONDS 400

typedef struct
{
  AdwToastOverlay *overlay; /* the owner of this struct */
  AdwToast *toast;          /* the visible toast, or NULL */
  GtkLabel *text_label;
  guint pause_id;              /* source id of the timeout that runs until the previous toast has
                                  closed */
  guint dismiss_id;            /* source id of the callback that closes TOAST before the next
                                  message is shown */
  gboolean message_is_pending; /* whether MESSAGE has not been shown yet */
  int bottom_margin;           /* height to keep free of toasts above the lower edge of OVERLAY
                                  [pixels] */
  GtkWidget *left_widget;      /* the widget that toasts leave uncovered if the window is wide
                                  enough for the widget and a toast; or NULL */
  char *persistent_message;    /* shown above MESSAGE, or NULL */
  char *message;               /* the latest message, or NULL after its toast has closed */
  char *announced_text;        /* MESSAGE and PERSISTENT_MESSAGE as last announced to screen
                                  readers, or NULL */
  char *button_label;
  char *button_action;
} Toasts;

static void show_next_toast (Toasts *self);

/* Returns the window, which announces the messages because libadwaita 1.2 does not announce
 * toasts. Returns NULL while OVERLAY is being removed. */
static GtkWindow *
window_of (Toasts *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self->overlay));

  return GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
}

/* Discards all messages and ends their announcement. */
static void
clear_messages (Toasts *self)
{
  if (self->announced_text != NULL && window_of (self) != NULL)
    plg_announcer_clear (window_of (self), self->announced_text);
  g_clear_pointer (&self->persistent_message, g_free);
  g_clear_pointer (&self->message, g_free);
  g_clear_pointer (&self->announced_text, g_free);
}

static gboolean
pause_over_cb (gpointer data)
{
  Toasts *self = data;

  self->pause_id = 0;
  if (self->message_is_pending)
    show_next_toast (self);
  return G_SOURCE_REMOVE;
}

static void
dismissed_cb (AdwToast *toast, Toasts *self)
{
  g_clear_object (&self->toast);
  if (!self->message_is_pending)
    clear_messages (self);
  self->pause_id = g_timeout_add (PAUSE_MILLISECONDS, pause_over_cb, self);
}

static void
update_current_toast (Toasts *self)
{
  gtk_label_set_text (self->text_label, self->announced_text);
  adw_toast_set_button_label (self->toast, self->button_label);
  adw_toast_set_action_name (self->toast, self->button_action);
}

/* Long messages wrap after this many characters, because libadwaita would cut off a title wider
 * than the window. */
#define LINE_LENGTH 60

/* The minimum width of a toast [pixels]. A narrower toast would be taller than the space below
 * the cluster. */
#define MIN_TOAST_WIDTH 270

static int
width_of_left_widget (Toasts *self)
{
  GtkWidget *overlay = GTK_WIDGET (self->overlay);
  int taken;

  if (self->left_widget == NULL || !gtk_widget_get_mapped (self->left_widget))
    return 0;
  taken = gtk_widget_get_width (self->left_widget);
  return gtk_widget_get_width (overlay) - taken >= MIN_TOAST_WIDTH ? taken : 0;
}

static void
update_position (Toasts *self)
{
  GtkWidget *toast = self->toast != NULL ? GTK_WIDGET (self->text_label) : NULL;

  while (toast != NULL && gtk_widget_get_parent (toast) != GTK_WIDGET (self->overlay))
    toast = gtk_widget_get_parent (toast);
  if (toast == NULL)
    return;
  gtk_widget_set_margin_bottom (toast, self->bottom_margin);
  gtk_widget_set_margin_start (toast, width_of_left_widget (self));
}

static void
show_next_toast (Toasts *self)
{
  GtkWidget *label = gtk_label_new (NULL);

  g_assert (self->toast == NULL);

  self->message_is_pending = FALSE;
  self->toast = adw_toast_new ("");
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), LINE_LENGTH);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  self->text_label = GTK_LABEL (label);
  adw_toast_set_custom_title (self->toast, label);
  update_current_toast (self);
  g_signal_connect (self->toast, "dismissed", G_CALLBACK (dismissed_cb), self);

  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (self->overlay));
  gboolean animates;

  g_object_get (settings, "gtk-enable-animations", &animates, NULL);
  if (animates)
    g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
  adw_toast_overlay_add_toast (self->overlay, g_object_ref (self->toast));
  if (animates)
    gtk_settings_reset_property (settings, "gtk-enable-animations");

  update_position (self);
}

static void
toasts_free (gpointer data)
{
  Toasts *self = data;

  if (self->toast != NULL)
    g_signal_handlers_disconnect_by_data (self->toast, self);
  g_clear_object (&self->toast);
  g_clear_handle_id (&self->pause_id, g_source_remove);
  g_clear_handle_id (&self->dismiss_id, g_source_remove);
  g_free (self->persistent_message);
  g_free (self->message);
  g_free (self->announced_text);
  g_free (self->button_label);
  g_free (self->button_action);
  g_free (self);
}

/* Closes the current toast before the next message is shown. Every message needs its own toast,
 * because the timeout does not restart when the text changes. Runs when idle, so that the
 * handlers of the current toast finish first. */
static gboolean
dismiss_for_next_cb (gpointer data)
{
  Toasts *self = data;

  self->dismiss_id = 0;
  if (self->toast != NULL)
    adw_toast_dismiss (self->toast);
  return G_SOURCE_REMOVE;
}

static Toasts *
toasts_get (AdwToastOverlay *overlay)
{
  Toasts *self = g_object_get_data (G_OBJECT (overlay), "plg-toaster");

  if (self != NULL)
    return self;
  self = g_new0 (Toasts, 1);
  self->overlay = overlay;
  g_object_set_data_full (G_OBJECT (overlay), "plg-toaster", self, toasts_free);
  return self;
}

static void
update_announcement (Toasts *self)
{
  /* Announce the same text that the toast shows. */
  const char *messages[] = { self->persistent_message, self->message };
  GString *words = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    if (messages[i] != NULL)
      g_string_append_printf (words, "%s%s", words->len > 0 ? "\n" : "", messages[i]);
  g_free (self->announced_text);
  self->announced_text = g_string_free (words, FALSE);

  if (window_of (self) != NULL)
    plg_announcer_announce (window_of (self), self->announced_text);
}

static void
dismiss_for_next (Toasts *self)
{
  if (self->toast != NULL && self->dismiss_id == 0)
    self->dismiss_id = g_idle_add (dismiss_for_next_cb, self);
}

/* Shows MESSAGE in a new toast, after closing the current toast. */
static void
queue_message (Toasts *self)
{
  update_announcement (self);
  self->message_is_pending = TRUE;
  dismiss_for_next (self);
  if (self->toast == NULL && self->pause_id == 0)
    show_next_toast (self);
}

void
plg_toasts_show (AdwToastOverlay *overlay, const char *message)
{
  Toasts *self;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay) && message != NULL);

  self = toasts_get (overlay);
  g_free (self->message);
  self->message = g_strdup (message);
  g_clear_pointer (&self->button_label, g_free);
  g_clear_pointer (&self->button_action, g_free);
  queue_message (self);
}

void
plg_toasts_show_persistent (AdwToastOverlay *overlay, const char *message)
{
  Toasts *self;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay) && message != NULL);

  self = toasts_get (overlay);
  g_free (self->persistent_message);
  self->persistent_message = g_strdup (message);
  queue_message (self);
}

void
plg_toasts_clear (AdwToastOverlay *overlay)
{
  Toasts *self;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay));

  self = toasts_get (overlay);
  clear_messages (self);
  self->message_is_pending = FALSE;
  dismiss_for_next (self);
}

void
plg_toasts_clear_persistent (AdwToastOverlay *overlay)
{
  Toasts *self;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay));

  self = toasts_get (overlay);
  if (self->persistent_message == NULL)
    return;
  if (self->message == NULL)
    {
      plg_toasts_clear (overlay);
      return;
    }
  g_clear_pointer (&self->persistent_message, g_free);
  update_announcement (self);
  if (self->toast != NULL && !self->message_is_pending)
    update_current_toast (self);
}

void
plg_toasts_set_button (AdwToastOverlay *overlay, const char *label, const char *action)
{
  Toasts *self;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay));

  self = toasts_get (overlay);
  if (self->message == NULL)
    return;
  g_free (self->button_label);
  self->button_label = g_strdup (label);
  g_free (self->button_action);
  self->button_action = g_strdup (label != NULL ? action : NULL);
  if (self->toast != NULL && !self->message_is_pending)
    update_current_toast (self);
}

void
plg_toasts_set_bottom (AdwToastOverlay *overlay, int height, GtkWidget *left_widget)
{
  Toasts *self;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay) && height >= 0);

  self = toasts_get (overlay);
  self->bottom_margin = height;
  self->left_widget = left_widget;
  update_position (self);
}
