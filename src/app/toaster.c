/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/toaster.h"

#include "widgets/news.h"

/* libadwaita 1.2.2 takes 300 ms to hide a toast, and as long or longer to show one. A toast that is
 * dismissed while it still comes (Escape does it, wherever the focus is) may be freed before its
 * own animation ends, and once more by that. So toasts come one at a time, and at once. */
#define PAUSE 400

typedef struct
{
  AdwToastOverlay *overlay; /* which owns this */
  AdwToast *toast;          /* shown now, or NULL */
  GtkLabel *words;          /* the toast's */
  guint pause_id;           /* while one goes */
  guint dismiss_id;         /* while the one that is shown has to go for the next */
  gboolean waits;           /* MESSAGE is to be shown yet */
  int ground;               /* pixels */
  GtkWidget *beside;        /* what stands on it, or NULL */
  char *standing;           /* what no message may take the place of, or NULL */
  char *message;            /* what was told last; NULL when it has been read */
  char *words_told;         /* both, as they were told; or NULL */
  char *label;
  char *action;
} Toaster;

static void show (Toaster *self);

/* The window, to whose focus the message is told, for libadwaita 1.2 tells assistive technology
 * nothing of a toast; NULL for an overlay that is on its way out. */
static GtkWindow *
window_of (Toaster *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self->overlay));

  return GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
}

/* Who listens hears the same as is read. */
static void
take_words (Toaster *self)
{
  const char *said[] = { self->standing, self->message };
  GString *words = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    if (said[i] != NULL)
      g_string_append_printf (words, "%s%s", words->len > 0 ? "\n" : "", said[i]);
  g_free (self->words_told);
  self->words_told = g_string_free (words, FALSE);
}

/* What was told is past. */
static void
forget (Toaster *self)
{
  if (self->words_told != NULL && window_of (self) != NULL)
    plg_news_end (window_of (self), self->words_told);
  g_clear_pointer (&self->standing, g_free);
  g_clear_pointer (&self->message, g_free);
  g_clear_pointer (&self->words_told, g_free);
}

static gboolean
pause_over_cb (gpointer data)
{
  Toaster *self = data;

  self->pause_id = 0;
  if (self->waits)
    show (self);
  return G_SOURCE_REMOVE;
}

static void
dismissed_cb (AdwToast *toast, Toaster *self)
{
  g_clear_object (&self->toast);
  if (!self->waits)
    forget (self);
  self->pause_id = g_timeout_add (PAUSE, pause_over_cb, self);
}

static void
update (Toaster *self)
{
  gtk_label_set_text (self->words, self->words_told);
  adw_toast_set_button_label (self->toast, self->label);
  adw_toast_set_action_name (self->toast, self->action);
}

static void
add_without_animation (AdwToastOverlay *overlay, AdwToast *toast)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (overlay));
  gboolean animates;

  g_object_get (settings, "gtk-enable-animations", &animates, NULL);
  if (animates)
    g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
  adw_toast_overlay_add_toast (overlay, g_object_ref (toast));
  if (animates)
    gtk_settings_reset_property (settings, "gtk-enable-animations");
}

/* Longer messages have several lines: libadwaita cuts off a title that is wider than the window,
 * and asks for no height at a width. */
#define LINE_LENGTH 60

static GtkLabel *
words_new (void)
{
  GtkWidget *words = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (words), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (words), LINE_LENGTH);
  gtk_label_set_xalign (GTK_LABEL (words), 0);
  gtk_widget_add_css_class (words, "heading");
  return GTK_LABEL (words);
}

/* A toast that has less room is higher than the ground is. */
#define LEAST_ROOM 270

static int
room_taken (Toaster *self)
{
  GtkWidget *overlay = GTK_WIDGET (self->overlay);
  int taken;

  if (self->beside == NULL || !gtk_widget_get_mapped (self->beside))
    return 0;
  taken = gtk_widget_get_width (self->beside);
  return gtk_widget_get_width (overlay) - taken >= LEAST_ROOM ? taken : 0;
}

static void
stand_on_ground (Toaster *self)
{
  GtkWidget *toast = self->toast != NULL ? GTK_WIDGET (self->words) : NULL;

  while (toast != NULL && gtk_widget_get_parent (toast) != GTK_WIDGET (self->overlay))
    toast = gtk_widget_get_parent (toast);
  if (toast == NULL)
    return;
  gtk_widget_set_margin_bottom (toast, self->ground);
  gtk_widget_set_margin_start (toast, room_taken (self));
}

static void
show (Toaster *self)
{
  self->waits = FALSE;
  self->toast = adw_toast_new ("");
  self->words = words_new ();
  adw_toast_set_custom_title (self->toast, GTK_WIDGET (self->words));
  update (self);
  g_signal_connect (self->toast, "dismissed", G_CALLBACK (dismissed_cb), self);
  add_without_animation (self->overlay, self->toast);
  stand_on_ground (self);
}

static void
toaster_free (gpointer data)
{
  Toaster *self = data;

  if (self->toast != NULL)
    g_signal_handlers_disconnect_by_data (self->toast, self);
  g_clear_object (&self->toast);
  g_clear_handle_id (&self->pause_id, g_source_remove);
  g_clear_handle_id (&self->dismiss_id, g_source_remove);
  g_free (self->standing);
  g_free (self->message);
  g_free (self->words_told);
  g_free (self->label);
  g_free (self->action);
  g_free (self);
}

/* A toast goes by its own clock, which a new text does not set back, and the next has its full time
 * only in a toast of its own. Later, for the one that is shown may be in the midst of its button.
 */
static gboolean
make_room_cb (gpointer data)
{
  Toaster *self = data;

  self->dismiss_id = 0;
  if (self->toast != NULL)
    adw_toast_dismiss (self->toast);
  return G_SOURCE_REMOVE;
}

static Toaster *
toaster_of (AdwToastOverlay *overlay)
{
  Toaster *self = g_object_get_data (G_OBJECT (overlay), "plg-toaster");

  if (self != NULL)
    return self;
  self = g_new0 (Toaster, 1);
  self->overlay = overlay;
  g_object_set_data_full (G_OBJECT (overlay), "plg-toaster", self, toaster_free);
  return self;
}

static void
say (Toaster *self)
{
  take_words (self);
  if (window_of (self) != NULL)
    plg_news_tell (window_of (self), self->words_told);
}

static void
make_room (Toaster *self)
{
  if (self->toast != NULL && self->dismiss_id == 0)
    self->dismiss_id = g_idle_add (make_room_cb, self);
}

/* Takes the place of what is shown. */
static void
tell (Toaster *self)
{
  say (self);
  self->waits = TRUE;
  make_room (self);
  if (self->toast == NULL && self->pause_id == 0)
    show (self);
}

void
plg_toaster_tell (AdwToastOverlay *overlay, const char *message)
{
  Toaster *self;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay) && message != NULL);

  self = toaster_of (overlay);
  g_free (self->message);
  self->message = g_strdup (message);
  g_clear_pointer (&self->label, g_free);
  g_clear_pointer (&self->action, g_free);
  tell (self);
}

void
plg_toaster_tell_standing (AdwToastOverlay *overlay, const char *message)
{
  Toaster *self;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay) && message != NULL);

  self = toaster_of (overlay);
  g_free (self->standing);
  self->standing = g_strdup (message);
  tell (self);
}

void
plg_toaster_clear (AdwToastOverlay *overlay)
{
  Toaster *self;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay));

  self = toaster_of (overlay);
  forget (self);
  self->waits = FALSE;
  make_room (self);
}

void
plg_toaster_clear_standing (AdwToastOverlay *overlay)
{
  Toaster *self;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay));

  self = toaster_of (overlay);
  if (self->standing == NULL)
    return;
  if (self->message == NULL)
    {
      plg_toaster_clear (overlay);
      return;
    }
  g_clear_pointer (&self->standing, g_free);
  say (self);
  if (self->toast != NULL && !self->waits)
    update (self);
}

void
plg_toaster_offer (AdwToastOverlay *overlay, const char *label, const char *action)
{
  Toaster *self;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay));

  self = toaster_of (overlay);
  if (self->message == NULL)
    return;
  g_free (self->label);
  self->label = g_strdup (label);
  g_free (self->action);
  self->action = g_strdup (label != NULL ? action : NULL);
  if (self->toast != NULL && !self->waits)
    update (self);
}

void
plg_toaster_set_ground (AdwToastOverlay *overlay, int height, GtkWidget *beside)
{
  Toaster *self;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay) && height >= 0);

  self = toaster_of (overlay);
  self->ground = height;
  self->beside = beside;
  stand_on_ground (self);
}
