/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The entity under the pointer, and the highlight. The highlight follows the pointer or is
 * locked. */

#include "widgets/canvas/canvas-private.h"

static PlgHighlightModel *
highlight_model (PlgCanvas *self)
{
  return plg_document_highlight_model (self->document);
}

void
plg_canvas_init_pointer (PlgCanvas *self)
{
  self->pointer.hovered = (PlgEntity) { .kind = PLG_ENTITY_NONE };
  self->pointer.hovered_gpu = -1;
  self->pointer.rest_position = (PlgPoint) { -1, -1 };
}

void
plg_canvas_dispose_pointer (PlgCanvas *self)
{
  g_clear_handle_id (&self->pointer.highlight_timeout_id, g_source_remove);
}

PlgPoint
plg_canvas_pointer_position (PlgCanvas *self)
{
  return self->pointer.position;
}

void
plg_canvas_set_pointer_position (PlgCanvas *self, PlgPoint position)
{
  self->pointer.position = position;
}

void
plg_canvas_reset_rest_position (PlgCanvas *self)
{
  self->pointer.rest_position = (PlgPoint) { -1, -1 };
}

PlgEntity
plg_canvas_hovered (PlgCanvas *self)
{
  return self->pointer.hovered;
}

void
plg_canvas_clear_hovered (PlgCanvas *self)
{
  self->pointer.hovered = (PlgEntity) { .kind = PLG_ENTITY_NONE };
}

int
plg_canvas_hovered_gpu (PlgCanvas *self)
{
  return self->pointer.hovered_gpu;
}

void
plg_canvas_clear_hovered_gpu (PlgCanvas *self)
{
  self->pointer.hovered_gpu = -1;
}

/* Returns the entity to highlight while the pointer is on @entity. Only links and the arrows of
 * a ring are highlighted. For a GPU, only its groups are outlined, so that nothing is dimmed
 * while the user looks for a GPU. */
PlgEntity
plg_canvas_highlight_of_entity (PlgCanvas *self, PlgEntity entity)
{
  gboolean is_ring = entity.kind == PLG_ENTITY_GROUP && plg_canvas_plan (self)->view.rings;

  return entity.kind == PLG_ENTITY_LINK || is_ring ? entity
                                                   : (PlgEntity) { .kind = PLG_ENTITY_NONE };
}

void
plg_canvas_clear_hover (PlgCanvas *self)
{
  PlgEntity highlighted = plg_canvas_highlight_of_entity (self, self->pointer.hovered);

  if (highlighted.kind == PLG_ENTITY_NONE)
    return;
  g_clear_handle_id (&self->pointer.highlight_timeout_id, g_source_remove);
  self->pointer.hovered = (PlgEntity) { .kind = PLG_ENTITY_NONE };
  if (plg_entity_equal (plg_highlight_model_hovered (highlight_model (self)), highlighted))
    plg_highlight_model_set_hovered (highlight_model (self), self->pointer.hovered);
}

void
plg_canvas_clear_highlight (PlgCanvas *self)
{
  g_clear_handle_id (&self->pointer.highlight_timeout_id, g_source_remove);
  self->pointer.is_highlight_locked = FALSE;
  if (self->document != NULL)
    plg_highlight_model_set_hovered (highlight_model (self),
                                     (PlgEntity) { .kind = PLG_ENTITY_NONE });
}

void
plg_canvas_lock_highlight (PlgCanvas *self, PlgEntity entity)
{
  g_clear_handle_id (&self->pointer.highlight_timeout_id, g_source_remove);
  self->pointer.is_highlight_locked = entity.kind != PLG_ENTITY_NONE;
  self->pointer.highlight_lock_position = (PlgPoint) { -1, -1 };
  self->pointer.highlight_lock_report = plg_document_committed_report (self->document);
  plg_highlight_model_set_hovered (highlight_model (self), entity);
}

gboolean
plg_canvas_has_locked_highlight (PlgCanvas *self)
{
  PlgEntity highlighted = plg_highlight_model_hovered (highlight_model (self));

  return highlighted.kind != PLG_ENTITY_NONE &&
         (self->pointer.is_highlight_locked ||
          !plg_entity_equal (highlighted,
                             plg_canvas_highlight_of_entity (self, self->pointer.hovered)));
}

void
plg_canvas_refresh_highlight (PlgCanvas *self)
{
  PlgEntity highlighted = plg_highlight_model_hovered (highlight_model (self));

  if (self->pointer.hovered_gpu >= plg_cluster_gpus (&plg_document_plan (self->document)->cluster))
    self->pointer.hovered_gpu = -1;
  /* Links may have different indices in the new report. The highlight model already uses the new
   * indices, so take the link from the highlight model. */
  if (self->pointer.hovered.kind == PLG_ENTITY_LINK)
    self->pointer.hovered = !self->pointer.is_highlight_locked &&
                                    highlighted.kind == PLG_ENTITY_LINK && highlighted.index >= 0
                                ? highlighted
                                : (PlgEntity) { .kind = PLG_ENTITY_NONE };
  /* Do not show a highlight that was pending for the old report, but end one. */
  if (self->pointer.highlight_timeout_id != 0 &&
      plg_canvas_highlight_of_entity (self, self->pointer.hovered).kind == PLG_ENTITY_NONE)
    plg_highlight_model_set_hovered (highlight_model (self),
                                     (PlgEntity) { .kind = PLG_ENTITY_NONE });
  g_clear_handle_id (&self->pointer.highlight_timeout_id, g_source_remove);
  if (self->pointer.is_highlight_locked &&
      self->pointer.highlight_lock_report != plg_document_committed_report (self->document))
    plg_canvas_clear_highlight (self);
}
