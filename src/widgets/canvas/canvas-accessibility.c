/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What assistive technology says of the cells: GTK before 4.14 has no announcements, but a screen
 * reader speaks what changes in the name of the widget that has the focus. */

#include "widgets/canvas/canvas-private.h"
#include "widgets/canvas/gpu-cell.h"
#include "widgets/announcer.h"

#include "drawing/cluster/cluster-layout.h"

#include <glib/gi18n-lib.h>

/* What is said of a GPU changes no oftener than this while a step is played. */
#define ACTIVITY_INTERVAL_MILLISECONDS 1000

char *
plg_canvas_gpu_name (PlgCanvas *self, int gpu, int rank)
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
  PlgClusterLayout layout = plg_cluster_layout_on_screen (plan, self->zoom);
  int n, first = plg_cluster_layout_rack_first (&layout, rack, &n);

  if (n == 1)
    return plg_canvas_entity_name (self, (PlgEntity) { PLG_ENTITY_NODE, 0, first });
  return g_strdup_printf (_ ("Nodes %d to %d"), first, first + n - 1);
}

/* What it is: where keys have lit a link up, that; else what stands for GPU. */
static PlgEntity
subject_of (PlgCanvas *self, int gpu)
{
  PlgEntity
      highlighted = plg_highlight_model_hovered (plg_document_highlight_model (self->document));
  int n_links = plg_document_report (self->document)->links->len;

  if (gpu == self->focused && self->drag == NULL && highlighted.kind == PLG_ENTITY_LINK &&
      highlighted.index >= 0 && highlighted.index < n_links &&
      plg_canvas_has_locked_highlight (self))
    return highlighted;
  return plg_canvas_focus_entity (self, gpu);
}

static char *
name_of (PlgCanvas *self, PlgEntity entity, int rank)
{
  if (entity.kind == PLG_ENTITY_RACK)
    return name_of_rack (self, entity.index);
  if (entity.kind == PLG_ENTITY_GPU)
    return plg_canvas_gpu_name (self, entity.index, rank);
  if (entity.kind == PLG_ENTITY_LINK)
    return plg_describe_link (plg_document_plan (self->document),
                              &g_array_index (plg_document_report (self->document)->links, PlgLink,
                                              entity.index));
  return plg_canvas_entity_name (self, entity);
}

/* What keys drag and what a drop here would do, or else what has become of it. */
static char *
cell_announcement (PlgCanvas *self, int gpu)
{
  g_autofree char *words = NULL;

  if (self->drag == NULL)
    return gpu == self->focused ? g_strdup (self->announcement) : NULL;
  if (!self->drag_by_keyboard || gpu != self->drag_gpu)
    return NULL;
  words = plg_drag_describe (self->drag, plg_document_report (self->document));
  return plg_drag_changes (self->drag) ? g_steal_pointer (&words)
                                       : g_strdup_printf (_ ("Picked up: %s"), words);
}

/* All that is said of the cell of GPU: what it is, whether it is pinned, what it does at the moment
 * that is shown, and what is being done with it or was just now. */
static char *
cell_text (PlgCanvas *self, int gpu, PlgEntity entity, int rank)
{
  g_autofree char *name = name_of (self, entity, rank),
                  *announcement_text = cell_announcement (self, gpu);
  g_autofree char *activity = NULL;
  GString *text = g_string_new (name);

  if (plg_highlight_model_is_pinned (plg_document_highlight_model (self->document), entity))
    g_string_append_printf (text, ", %s", _ ("pinned"));
  if (entity.kind == PLG_ENTITY_GPU && plg_canvas_is_playing_step (self))
    activity = plg_canvas_gpu_activity (self, entity.index);
  if (activity != NULL)
    g_string_append_printf (text, ", %s", activity);
  if (announcement_text != NULL)
    g_string_append_printf (text, ". %s", announcement_text);
  return g_string_free (text, FALSE);
}

/* What was said of one thing is no news of the next. */
static void
drop_old_announcement (PlgCanvas *self, PlgEntity subject)
{
  if (self->announcement != NULL && !plg_entity_equal (self->announcement_subject, subject))
    g_clear_pointer (&self->announcement, g_free);
}

void
plg_canvas_describe_rank (PlgCanvas *self, int gpu, int rank)
{
  PlgGpuCell *cell = PLG_GPU_CELL (plg_canvas_cell (self, gpu));
  PlgEntity entity = subject_of (self, gpu);
  g_autofree char *text = NULL, *description = NULL;

  if (gpu == self->focused)
    drop_old_announcement (self, entity);
  text = cell_text (self, gpu, entity, rank);
  description = plg_describe_entity (plg_canvas_plan (self), plg_document_report (self->document),
                                     entity);
  plg_gpu_cell_describe (cell, text, description);
  plg_gpu_cell_set_selected (cell, gpu == self->selected);
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
plg_canvas_set_announcement (PlgCanvas *self, const char *announcement_text)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  if (self->document == NULL || g_strcmp0 (announcement_text, self->announcement) == 0)
    return;
  g_free (self->announcement);
  self->announcement = g_strdup (announcement_text);
  self->announcement_subject = subject_of (self, self->focused);
  plg_canvas_describe_cell (self, self->focused);
}

void
plg_canvas_announce (PlgCanvas *self, const char *sentence)
{
  GtkRoot *root;

  g_return_if_fail (PLG_IS_CANVAS (self));

  root = gtk_widget_get_root (GTK_WIDGET (self));
  if (sentence == NULL)
    plg_canvas_set_announcement (self, NULL);
  /* Elsewhere it is heard elsewhere, and would be old when somebody comes. */
  else if (GTK_IS_WINDOW (root) && gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL)
    plg_announcer_announce (GTK_WINDOW (root), sentence);
}

static gboolean
activity_timeout_cb (gpointer data)
{
  PlgCanvas *self = data;

  if (!self->activity_is_stale)
    {
      self->activity_timeout_id = 0;
      return G_SOURCE_REMOVE;
    }
  self->activity_is_stale = FALSE;
  plg_canvas_describe_cell (self, self->focused);
  return G_SOURCE_CONTINUE;
}

void
plg_canvas_update_activity (PlgCanvas *self)
{
  if (self->document == NULL || self->activity_timeout_id != 0)
    {
      self->activity_is_stale = TRUE;
      return;
    }
  plg_canvas_describe_cell (self, self->focused);
  self->activity_timeout_id = g_timeout_add (ACTIVITY_INTERVAL_MILLISECONDS, activity_timeout_cb,
                                             self);
}
