/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/announcer.h"

#include "widgets/accessible-names.h"

typedef struct
{
  GtkWindow *window; /* the owner of this struct */
  char *text;        /* the current announcement, or NULL */
  GtkWidget *target; /* the widget whose description contains the announcement, or NULL; weak
                        reference */
} Announcer;

static void
set_target (Announcer *self, GtkWidget *widget)
{
  if (self->target != NULL)
    g_object_remove_weak_pointer (G_OBJECT (self->target), (gpointer *) &self->target);
  self->target = widget;
  if (widget != NULL)
    g_object_add_weak_pointer (G_OBJECT (widget), (gpointer *) &self->target);
}

/* Returns the focused widget or, if it has no accessible role, its nearest ancestor with a role.
 * For example, the text widget of an entry has no role, so the entry is returned. */
static GtkWidget *
find_target (GtkWindow *window)
{
  GtkWidget *widget = gtk_window_get_focus (window);

  while (widget != NULL &&
         gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)) == GTK_ACCESSIBLE_ROLE_NONE)
    widget = gtk_widget_get_parent (widget);
  return widget;
}

/* Calls the announcement function of WIDGET or of its nearest ancestor that has one. If none of
 * them has a function, adds TEXT to the description of WIDGET. */
static void
set_announcement (GtkWidget *widget, const char *text)
{
  for (GtkWidget *owner = widget; owner != NULL; owner = gtk_widget_get_parent (owner))
    {
      PlgAnnounceFunc function = (PlgAnnounceFunc) g_object_get_data (G_OBJECT (owner),
                                                                      "plg-announce-func");

      if (function != NULL)
        {
          function (owner, text);
          return;
        }
    }
  if (widget != NULL)
    plg_accessible_set_announcement (widget, text);
}

static void
announce (Announcer *self)
{
  GtkWidget *widget = find_target (self->window);

  set_target (self, widget);
  set_announcement (widget, self->text);
}

static void
clear (Announcer *self)
{
  set_announcement (self->target, NULL);
  set_target (self, NULL);
  g_clear_pointer (&self->text, g_free);
}

/* Ends the announcement when the focus moves, because the user has then heard it. If the widget
 * with the announcement is no longer visible, for example because a menu has closed, the focused
 * widget repeats the announcement. Does nothing while no widget has the focus, which happens
 * briefly when a menu closes. */
static void
focus_changed_cb (Announcer *self)
{
  GtkWidget *widget = find_target (self->window);

  if (self->text == NULL || widget == NULL || widget == self->target)
    return;
  if (self->target != NULL && gtk_widget_get_mapped (self->target))
    clear (self);
  else
    announce (self);
}

static void
announcer_free (gpointer data)
{
  Announcer *self = data;

  set_target (self, NULL);
  g_free (self->text);
  g_free (self);
}

static Announcer *
announcer_get (GtkWindow *window)
{
  Announcer *self = g_object_get_data (G_OBJECT (window), "plg-announcer");

  if (self != NULL)
    return self;
  self = g_new0 (Announcer, 1);
  self->window = window;
  g_object_set_data_full (G_OBJECT (window), "plg-announcer", self, announcer_free);
  g_signal_connect_swapped (window, "notify::focus-widget", G_CALLBACK (focus_changed_cb), self);
  return self;
}

void
plg_announcer_set_function (GtkWidget *widget, PlgAnnounceFunc function)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));

  g_object_set_data (G_OBJECT (widget), "plg-announce-func", (gpointer) function);
}

void
plg_announcer_announce (GtkWindow *window, const char *message)
{
  Announcer *self;

  g_return_if_fail (GTK_IS_WINDOW (window) && message != NULL);

  self = announcer_get (window);
  /* A toast must not repeat an announcement that the canvas has made. */
  if (g_strcmp0 (message, self->text) != 0 || self->target != find_target (window))
    {
      clear (self);
      self->text = g_strdup (message);
    }
  announce (self);
}

void
plg_announcer_clear (GtkWindow *window, const char *message)
{
  g_return_if_fail (GTK_IS_WINDOW (window));

  if (g_strcmp0 (message, announcer_get (window)->text) == 0)
    clear (announcer_get (window));
}
