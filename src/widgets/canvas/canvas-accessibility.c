/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The accessible names and descriptions of the canvas's cells. GTK has no announcements before
 * version 4.14. An announcement is therefore added to the name of the focused cell, because a
 * screen reader reads out changes in this name. */

#include "widgets/canvas/canvas-private.h"

#include "drawing/cluster/cluster-layout.h"
#include "widgets/announcer.h"
#include "widgets/canvas/gpu-cell.h"

#include <glib/gi18n-lib.h>

/* The minimum time between two updates of the activity in a GPU's accessible name during
 * playback. */
#define ACTIVITY_INTERVAL_MILLISECONDS 1000

static char *
gpu_name (PlgCanvas *self, int gpu, int rank)
{
  const PlgPlan *plan = plg_canvas_plan (self);
  int per_node = plan->cluster.gpus_per_node, node = gpu / per_node;
  const char *name = plg_node_names_get (&plan->node_names, node);

  if (name != NULL)
    return g_strdup_printf (_ ("Node %d, %s, GPU %d, rank %d"), node, name, gpu % per_node, rank);
  return g_strdup_printf (_ ("Node %d GPU %d, rank %d"), node, gpu % per_node, rank);
}

char *
plg_canvas_entity_name (PlgCanvas *self, PlgEntity entity)
{
  const PlgPlan *plan = plg_canvas_plan (self);
  const GArray *links = plg_document_report (self->document)->links;
  const char *name = entity.kind == PLG_ENTITY_NODE
                         ? plg_node_names_get (&plan->node_names, entity.index)
                         : NULL;

  if (entity.kind == PLG_ENTITY_GPU)
    return gpu_name (self, entity.index, plg_canvas_rank_of_gpu (self, entity.index));
  if (name != NULL)
    return g_strdup_printf (_ ("Node %d, %s"), entity.index, name);
  if (entity.kind == PLG_ENTITY_NODE)
    return g_strdup_printf (_ ("Node %d"), entity.index);
  if (entity.kind == PLG_ENTITY_LINK && entity.index < (int) links->len)
    return plg_describe_link (plan, &g_array_index (links, PlgLink, entity.index));
  return g_strdup ("");
}

/* Returns the entity that the cell of @gpu describes: a link that was highlighted with the
 * keyboard, or otherwise the GPU, node or rack of the cell. */
static PlgEntity
cell_subject (PlgCanvas *self, int gpu)
{
  PlgHighlightModel *model = plg_document_highlight_model (self->document);
  PlgEntity highlighted = plg_highlight_model_hovered (model);
  int n_links = plg_document_report (self->document)->links->len;

  if (gpu == self->keyboard.focused && !plg_canvas_is_dragging (self) &&
      highlighted.kind == PLG_ENTITY_LINK && highlighted.index >= 0 &&
      highlighted.index < n_links && plg_canvas_has_locked_highlight (self))
    return highlighted;
  return plg_canvas_focus_entity (self, gpu);
}

static char *
cell_name (PlgCanvas *self, PlgEntity entity, int rank)
{
  PlgClusterLayout layout;
  int first, n;

  if (entity.kind == PLG_ENTITY_GPU)
    return gpu_name (self, entity.index, rank);
  if (entity.kind != PLG_ENTITY_RACK)
    return plg_canvas_entity_name (self, entity);
  layout = plg_canvas_layout (self, plg_canvas_get_zoom (self));
  first = plg_cluster_layout_rack_first (&layout, entity.index, &n);
  if (n == 1)
    return plg_canvas_entity_name (self, (PlgEntity) { PLG_ENTITY_NODE, 0, first });
  return g_strdup_printf (_ ("Nodes %d to %d"), first, first + n - 1);
}

/* Returns the text of a cell: the name of @entity, whether @entity is pinned, and its activity
 * at the current playback time. If a keyboard drag is at this cell, the text ends with a
 * description of the drag. Otherwise the text of the focused cell ends with the last
 * announcement, such as the reason why a drag with the pointer goes no further. */
static char *
cell_text (PlgCanvas *self, int gpu, PlgEntity entity, int rank)
{
  g_autofree char *name = cell_name (self, entity, rank), *activity = NULL, *announcement = NULL;
  GString *text = g_string_new (name);

  if (plg_highlight_model_is_pinned (plg_document_highlight_model (self->document), entity))
    g_string_append_printf (text, ", %s", _ ("pinned"));
  if (entity.kind == PLG_ENTITY_GPU && plg_canvas_is_playing_step (self))
    activity = plg_canvas_gpu_activity (self, entity.index);
  if (activity != NULL)
    g_string_append_printf (text, ", %s", activity);
  if (plg_canvas_is_dragging (self) && plg_canvas_is_keyboard_drag (self))
    announcement = gpu == plg_canvas_drag_gpu (self) ? plg_canvas_describe_drag (self) : NULL;
  else if (gpu == self->keyboard.focused)
    announcement = g_strdup (self->keyboard.announcement);
  if (announcement != NULL)
    g_string_append_printf (text, ". %s", announcement);
  return g_string_free (text, FALSE);
}

void
plg_canvas_describe_rank (PlgCanvas *self, int gpu, int rank)
{
  PlgGpuCell *cell = PLG_GPU_CELL (plg_canvas_cell (self, gpu));
  PlgEntity entity = cell_subject (self, gpu);
  g_autofree char *text = NULL, *description = NULL;

  g_assert (cell != NULL);

  /* The announcement is about the previous entity, so do not add it to the name of the new
   * entity. */
  if (gpu == self->keyboard.focused &&
      !plg_entity_equal (self->keyboard.announcement_subject, entity))
    plg_canvas_clear_announcement (self);
  text = cell_text (self, gpu, entity, rank);
  description = plg_describe_entity (plg_canvas_plan (self), plg_document_report (self->document),
                                     entity);
  plg_gpu_cell_describe (cell, text, description);
  plg_gpu_cell_set_selected (cell, gpu == self->keyboard.selected);
}

void
plg_canvas_describe_cell (PlgCanvas *self, int gpu)
{
  /* After the plan has become smaller, cells of removed GPUs exist until the next update. */
  if (self->document != NULL && plg_canvas_cell (self, gpu) != NULL &&
      gpu < plg_cluster_gpus (&plg_canvas_plan (self)->cluster))
    plg_canvas_describe_rank (self, gpu, plg_canvas_rank_of_gpu (self, gpu));
}

void
plg_canvas_clear_announcement (PlgCanvas *self)
{
  g_clear_pointer (&self->keyboard.announcement, g_free);
}

void
plg_canvas_set_announcement (PlgCanvas *self, const char *announcement_text)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  if (self->document == NULL || g_strcmp0 (announcement_text, self->keyboard.announcement) == 0)
    return;
  g_free (self->keyboard.announcement);
  self->keyboard.announcement = g_strdup (announcement_text);
  self->keyboard.announcement_subject = cell_subject (self, self->keyboard.focused);
  plg_canvas_describe_cell (self, self->keyboard.focused);
}

void
plg_canvas_announce (PlgCanvas *self, const char *sentence)
{
  GtkRoot *root;

  g_return_if_fail (PLG_IS_CANVAS (self));

  root = gtk_widget_get_root (GTK_WIDGET (self));
  if (sentence == NULL)
    plg_canvas_set_announcement (self, NULL);
  /* Announce only while the canvas has the focus. Otherwise a screen reader would read the
   * announcement later, when it is out of date. */
  else if (GTK_IS_WINDOW (root) && gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL)
    plg_announcer_announce (GTK_WINDOW (root), sentence);
}

static gboolean
activity_timeout_cb (gpointer data)
{
  PlgCanvas *self = data;

  if (!self->keyboard.is_activity_stale)
    {
      self->keyboard.activity_timeout_id = 0;
      return G_SOURCE_REMOVE;
    }
  self->keyboard.is_activity_stale = FALSE;
  plg_canvas_describe_cell (self, self->keyboard.focused);
  return G_SOURCE_CONTINUE;
}

void
plg_canvas_update_activity (PlgCanvas *self)
{
  if (self->document == NULL || self->keyboard.activity_timeout_id != 0)
    {
      self->keyboard.is_activity_stale = TRUE;
      return;
    }
  plg_canvas_describe_cell (self, self->keyboard.focused);
  self->keyboard.activity_timeout_id = g_timeout_add (ACTIVITY_INTERVAL_MILLISECONDS,
                                                      activity_timeout_cb, self);
}
