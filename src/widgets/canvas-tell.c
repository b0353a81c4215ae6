/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What assistive technology says of the cells: GTK before 4.14 has no announcements, but a screen
 * reader speaks what changes in the name of the widget that has the focus. */

#include "widgets/canvas-private.h"
#include "widgets/cell.h"
#include "widgets/news.h"

#include "drawing/grid-layout.h"

#include <glib/gi18n-lib.h>

/* What is said of a GPU changes no oftener than this while a step is played. */
#define TELL_MILLISECONDS 1000

char *
plg_canvas_name_gpu (PlgCanvas *self, int gpu, int rank)
{
  const PlgPlan *plan = plg_canvas_plan (self);
  int per_node = plan->cluster.gpus_per_node, node = gpu / per_node;
  const char *name = plg_node_names_get (&plan->node_names, node);

  if (name != NULL)
    return g_strdup_printf (_ ("Node %d, %s, GPU %d, rank %d"), node, name, gpu % per_node, rank);
  return g_strdup_printf (_ ("Node %d GPU %d, rank %d"), node, gpu % per_node, rank);
}

static char *
name_of_rack (PlgCanvas *self, int rack)
{
  const PlgPlan *plan = plg_canvas_plan (self);
  PlgGridLayout layout = plg_grid_layout_on_screen (plan, self->zoom);
  int n, first = plg_grid_layout_rack_first (&layout, rack, &n);

  if (n == 1)
    return plg_canvas_name_thing (self, (PlgThing) { PLG_THING_NODE, 0, first });
  return g_strdup_printf (_ ("Nodes %d to %d"), first, first + n - 1);
}

/* What it is: where keys have lit a link up, that; else what stands for GPU. */
static PlgThing
subject_of (PlgCanvas *self, int gpu)
{
  PlgThing lit = plg_spotlight_pointed (plg_document_spotlight (self->document));
  int n_links = plg_document_report (self->document)->links->len;

  if (gpu == self->focused && self->drag == NULL && lit.kind == PLG_THING_LINK && lit.index >= 0 &&
      lit.index < n_links && plg_canvas_is_held (self))
    return lit;
  return plg_canvas_stand_in (self, gpu);
}

static char *
name_of (PlgCanvas *self, PlgThing thing, int rank)
{
  if (thing.kind == PLG_THING_RACK)
    return name_of_rack (self, thing.index);
  if (thing.kind == PLG_THING_GPU)
    return plg_canvas_name_gpu (self, thing.index, rank);
  if (thing.kind == PLG_THING_LINK)
    return plg_describe_link (plg_document_plan (self->document),
                              &g_array_index (plg_document_report (self->document)->links, PlgLink,
                                              thing.index));
  return plg_canvas_name_thing (self, thing);
}

/* What keys drag and what a drop here would do, or else what has become of it. */
static char *
news_of (PlgCanvas *self, int gpu)
{
  g_autofree char *words = NULL;

  if (self->drag == NULL)
    return gpu == self->focused ? g_strdup (self->said) : NULL;
  if (!self->drag_by_keyboard || gpu != self->drag_gpu)
    return NULL;
  words = plg_drag_in_words (self->drag, plg_document_report (self->document));
  return plg_drag_changes (self->drag) ? g_steal_pointer (&words)
                                       : g_strdup_printf (_ ("Picked up: %s"), words);
}

/* All that is said of the cell of GPU: what it is, whether it is pinned, what it does at the moment
 * that is shown, and what is being done with it or was just now. */
static char *
speak (PlgCanvas *self, int gpu, PlgThing thing, int rank)
{
  g_autofree char *name = name_of (self, thing, rank), *news = news_of (self, gpu);
  g_autofree char *activity = NULL;
  GString *text = g_string_new (name);

  if (plg_spotlight_is_pinned (plg_document_spotlight (self->document), thing))
    g_string_append_printf (text, ", %s", _ ("pinned"));
  if (thing.kind == PLG_THING_GPU && plg_canvas_has_moment (self))
    activity = plg_canvas_activity_of (self, thing.index);
  if (activity != NULL)
    g_string_append_printf (text, ", %s", activity);
  if (news != NULL)
    g_string_append_printf (text, ". %s", news);
  return g_string_free (text, FALSE);
}

/* What was said of one thing is no news of the next. */
static void
forget_old_news (PlgCanvas *self, PlgThing subject)
{
  if (self->said != NULL && !plg_thing_equal (self->said_of, subject))
    g_clear_pointer (&self->said, g_free);
}

void
plg_canvas_describe_rank (PlgCanvas *self, int gpu, int rank)
{
  PlgCell *cell = PLG_CELL (plg_canvas_cell (self, gpu));
  PlgThing thing = subject_of (self, gpu);
  g_autofree char *text = NULL, *description = NULL;

  if (gpu == self->focused)
    forget_old_news (self, thing);
  text = speak (self, gpu, thing, rank);
  description = plg_describe_thing (plg_canvas_plan (self), plg_document_report (self->document),
                                    thing);
  plg_cell_describe (cell, text, description);
  plg_cell_set_selected (cell, gpu == self->selected);
}

void
plg_canvas_describe_cell (PlgCanvas *self, int gpu)
{
  /* A plan that has become smaller has cells for the one before until they are made anew. */
  if (self->document != NULL && plg_canvas_cell (self, gpu) != NULL &&
      gpu < plg_cluster_gpus (&plg_canvas_plan (self)->cluster))
    plg_canvas_describe_rank (self, gpu, plg_canvas_rank_of_gpu (self, gpu));
}

void
plg_canvas_add_news (PlgCanvas *self, const char *news)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  if (self->document == NULL || g_strcmp0 (news, self->said) == 0)
    return;
  g_free (self->said);
  self->said = g_strdup (news);
  self->said_of = subject_of (self, self->focused);
  plg_canvas_describe_cell (self, self->focused);
}

void
plg_canvas_say (PlgCanvas *self, const char *sentence)
{
  GtkRoot *root;

  g_return_if_fail (PLG_IS_CANVAS (self));

  root = gtk_widget_get_root (GTK_WIDGET (self));
  if (sentence == NULL)
    plg_canvas_add_news (self, NULL);
  /* Elsewhere it is heard elsewhere, and would be old when somebody comes. */
  else if (GTK_IS_WINDOW (root) && gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL)
    plg_news_tell (GTK_WINDOW (root), sentence);
}

static gboolean
tell_cb (gpointer data)
{
  PlgCanvas *self = data;

  if (!self->has_more_to_tell)
    {
      self->tell_id = 0;
      return G_SOURCE_REMOVE;
    }
  self->has_more_to_tell = FALSE;
  plg_canvas_describe_cell (self, self->focused);
  return G_SOURCE_CONTINUE;
}

void
plg_canvas_tell_activity (PlgCanvas *self)
{
  if (self->document == NULL || self->tell_id != 0)
    {
      self->has_more_to_tell = TRUE;
      return;
    }
  plg_canvas_describe_cell (self, self->focused);
  self->tell_id = g_timeout_add (TELL_MILLISECONDS, tell_cb, self);
}
