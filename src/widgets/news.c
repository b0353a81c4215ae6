/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/news.h"

#include "widgets/canvas.h"
#include "widgets/spoken.h"

typedef struct
{
  GtkWindow *window; /* which owns this */
  char *text;        /* or NULL */
  GtkWidget *teller; /* of whom it is said, weak; or NULL */
} News;

static void
set_teller (News *self, GtkWidget *widget)
{
  if (self->teller != NULL)
    g_object_remove_weak_pointer (G_OBJECT (self->teller), (gpointer *) &self->teller);
  self->teller = widget;
  if (widget != NULL)
    g_object_add_weak_pointer (G_OBJECT (widget), (gpointer *) &self->teller);
}

/* The text in an entry is nothing of its own to assistive technology. */
static GtkWidget *
find_teller (GtkWindow *window)
{
  GtkWidget *widget = gtk_window_get_focus (window);

  while (widget != NULL &&
         gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)) == GTK_ACCESSIBLE_ROLE_NONE)
    widget = gtk_widget_get_parent (widget);
  return widget;
}

/* The canvas names its cells itself. */
static PlgCanvas *
canvas_of (GtkWidget *widget)
{
  return (PlgCanvas *) gtk_widget_get_ancestor (widget, PLG_TYPE_CANVAS);
}

static void
speak (News *self)
{
  GtkWidget *widget = find_teller (self->window);

  set_teller (self, widget);
  if (widget != NULL && canvas_of (widget) != NULL)
    plg_canvas_add_news (canvas_of (widget), self->text);
  else if (widget != NULL)
    plg_spoken_add_news (widget, self->text);
}

static void
silence (News *self)
{
  if (self->teller != NULL && canvas_of (self->teller) != NULL)
    plg_canvas_add_news (canvas_of (self->teller), NULL);
  else if (self->teller != NULL)
    plg_spoken_add_news (self->teller, NULL);
  set_teller (self, NULL);
  g_clear_pointer (&self->text, g_free);
}

/* Who walks on has heard it; what has gone could not be heard. A menu that closes leaves the focus
 * nowhere for a moment, and then mostly where it was. */
static void
focus_changed_cb (News *self)
{
  GtkWidget *widget = find_teller (self->window);

  if (self->text == NULL || widget == NULL || widget == self->teller)
    return;
  if (self->teller != NULL && gtk_widget_get_mapped (self->teller))
    silence (self);
  else
    speak (self);
}

static void
news_free (gpointer data)
{
  News *self = data;

  set_teller (self, NULL);
  g_free (self->text);
  g_free (self);
}

static News *
news_of (GtkWindow *window)
{
  News *self = g_object_get_data (G_OBJECT (window), "plg-news");

  if (self != NULL)
    return self;
  self = g_new0 (News, 1);
  self->window = window;
  g_object_set_data_full (G_OBJECT (window), "plg-news", self, news_free);
  g_signal_connect_swapped (window, "notify::focus-widget", G_CALLBACK (focus_changed_cb), self);
  return self;
}

void
plg_news_tell (GtkWindow *window, const char *news)
{
  News *self;

  g_return_if_fail (GTK_IS_WINDOW (window) && news != NULL);

  self = news_of (window);
  /* A toast says again what the canvas has said. */
  if (g_strcmp0 (news, self->text) != 0 || self->teller != find_teller (window))
    {
      silence (self);
      self->text = g_strdup (news);
    }
  speak (self);
}

void
plg_news_end (GtkWindow *window, const char *news)
{
  g_return_if_fail (GTK_IS_WINDOW (window));

  if (g_strcmp0 (news, news_of (window)->text) == 0)
    silence (news_of (window));
}
