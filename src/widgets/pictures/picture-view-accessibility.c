/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The sentences of a picture for screen readers and tooltips, and its marked entity. */

#include "widgets/pictures/picture-view-private.h"

#include "widgets/accessible-names.h"
#include "widgets/widget-theme.h"

#include <string.h>

static char *
describe_entity (PlgPictureView *self, PlgEntity entity)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  const PlgReport *report = plg_document_report (self->document);
  PlgPictureOptions options = { 0 };

  if (entity.kind != PLG_ENTITY_PAIR)
    return plg_describe_entity (plan, report, entity);
  plg_picture_view_fill_options (self, &options);
  return plg_describe_pair (plan, report, &options, entity.index);
}

/* The name is the marked entity, or the title with the announcement. */
static void
update_accessible_name (PlgPictureView *self)
{
  const char *title = self->title != NULL ? self->title : "";
  g_autofree char *text = NULL, *name = NULL;
  g_auto (GStrv) lines = NULL;

  if (self->marked_entity.kind != PLG_ENTITY_NONE)
    {
      text = describe_entity (self, self->marked_entity);
      lines = g_strsplit (text, "\n", -1);
      name = g_strjoinv (", ", lines);
    }
  else if (self->announcement != NULL)
    name = g_strdup_printf ("%s. %s", title, self->announcement);
  else
    name = g_strdup (title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void
plg_picture_view_announce (PlgPictureView *self, const char *sentence)
{
  g_return_if_fail (PLG_IS_PICTURE_VIEW (self));

  if (g_strcmp0 (sentence, self->announcement) == 0)
    return;
  g_free (self->announcement);
  self->announcement = g_strdup (sentence);
  if (self->title != NULL)
    update_accessible_name (self);
}

static gboolean
notify_description_cb (gpointer data)
{
  PlgPictureView *self = data;

  self->notify_idle_id = 0;
  g_object_notify (G_OBJECT (self), "description");
  return G_SOURCE_REMOVE;
}

/* An unchanged description is not sent to the accessibility bus. An idle callback notifies the
 * property, because a label that shows the description must not request a new size during an
 * allocation. */
void
plg_picture_view_set_description (PlgPictureView *self, const char *title, const char *description)
{
  if (g_strcmp0 (description, self->description) == 0)
    return;
  g_free (self->description);
  self->description = g_strdup (description);
  g_free (self->title);
  self->title = g_strdup (title);
  update_accessible_name (self);
  plg_accessible_set_description (GTK_WIDGET (self), description);
  if (self->notify_idle_id == 0)
    self->notify_idle_id = g_idle_add (notify_description_cb, self);
}

/* Describes the entity at a point [points] of one of the two clusters in a comparison. Returns NULL
 * without an entity, or if the plan cannot have the other order. */
static char *
describe_in_comparison (PlgPictureView *self, double x, double y)
{
  PlgPictureOptions options = { 0 };
  const PlgOrderSide *other;

  for (int side = 0; side < 2; side++)
    {
      PlgPoint at = { x, y };
      const PlgFigure *part = plg_figure_get_embedded (self->figure, side, &at);
      const PlgShape *shape = part != NULL ? plg_figure_hit_test (part, at.x, at.y, 2) : NULL;

      if (shape == NULL)
        continue;
      if (side == 0)
        return plg_describe_entity (plg_document_plan (self->document),
                                    plg_document_report (self->document), shape->entity);
      options.has_other_order = self->has_other_order;
      memcpy (options.other_order, self->other_order, sizeof options.other_order);
      if (self->orders == NULL)
        self->orders = plg_order_comparison_new (plg_document_plan (self->document),
                                                 plg_document_report (self->document), &options,
                                                 NULL);
      if (self->orders == NULL)
        return NULL;
      other = &self->orders->sides[1];
      return plg_describe_entity (other->plan, other->report, shape->entity);
    }
  return NULL;
}

PlgEntity
plg_picture_view_entity_at (PlgPictureView *self, double x, double y)
{
  double scale = plg_widget_theme_text_scale (GTK_WIDGET (self));
  const PlgShape *shape = NULL;

  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (self), (PlgEntity) { .kind = PLG_ENTITY_NONE });

  if (self->figure != NULL)
    shape = plg_figure_hit_test (self->figure, x / scale, y / scale, 2);
  return shape != NULL ? shape->entity : (PlgEntity) { .kind = PLG_ENTITY_NONE };
}

char *
plg_picture_view_describe (PlgPictureView *self, double x, double y)
{
  double scale = plg_widget_theme_text_scale (GTK_WIDGET (self));
  PlgEntity entity;

  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (self), NULL);

  if (self->document == NULL || self->figure == NULL)
    return NULL;
  if (self->picture == PLG_PICTURE_COMPARE)
    return describe_in_comparison (self, x / scale, y / scale);
  entity = plg_picture_view_entity_at (self, x, y);
  return entity.kind == PLG_ENTITY_NONE ? NULL : describe_entity (self, entity);
}

gboolean
plg_picture_view_query_tooltip (PlgPictureView *self,
                                int x,
                                int y,
                                gboolean is_keyboard,
                                GtkTooltip *tooltip)
{
  g_autofree char *text = is_keyboard ? NULL : plg_picture_view_describe (self, x, y);

  if (text == NULL || *text == '\0')
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle) { x - 4, y - 4, 8, 8 });
  return TRUE;
}

void
plg_picture_view_mark (PlgPictureView *self, PlgEntity entity)
{
  g_return_if_fail (PLG_IS_PICTURE_VIEW (self));

  if (plg_entity_equal (self->marked_entity, entity))
    return;
  self->marked_entity = entity;
  if (self->figure != NULL)
    update_accessible_name (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
plg_picture_view_marked_rect (PlgPictureView *self, PlgRect *rect)
{
  double scale = plg_widget_theme_text_scale (GTK_WIDGET (self));
  const PlgShape *shape = NULL;

  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (self) && rect != NULL, FALSE);

  if (self->figure != NULL && self->marked_entity.kind != PLG_ENTITY_NONE)
    shape = plg_figure_find_entity (self->figure, self->marked_entity);
  if (shape == NULL)
    return FALSE;
  *rect = (PlgRect) { shape->rect.x * scale, shape->rect.y * scale, shape->rect.width * scale,
                      shape->rect.height * scale };
  return TRUE;
}
