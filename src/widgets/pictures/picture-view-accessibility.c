/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a picture says of itself and of what is in it: to screen readers, in tooltips, and which of
 * it is marked. */

#include "widgets/pictures/picture-view-private.h"

#include "widgets/widget-theme.h"
#include "widgets/accessible-names.h"

#include <string.h>

/* THING of this picture in words; g_free(). */
static char *
describe (PlgPictureView *self, PlgEntity entity)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  const PlgReport *report = plg_document_report (self->document);
  PlgPictureOptions options = { 0 };

  plg_picture_view_fill_options (self, &options);
  return entity.kind == PLG_ENTITY_PAIR ? plg_describe_pair (plan, report, &options, entity.index)
                                        : plg_describe_entity (plan, report, entity);
}

/* What the picture is and what is said of it, or what is marked of it. */
static void
update_accessible_name (PlgPictureView *self)
{
  const char *title = self->title != NULL ? self->title : "";
  g_autofree char *words = NULL, *marked_entity = NULL, *told = NULL;
  g_auto (GStrv) lines = NULL;

  if (self->marked_entity.kind != PLG_ENTITY_NONE)
    {
      words = describe (self, self->marked_entity);
      lines = g_strsplit (words, "\n", -1);
      marked_entity = g_strjoinv (", ", lines);
    }
  else
    told = self->announcement != NULL ? g_strdup_printf ("%s. %s", title, self->announcement)
                                      : g_strdup (title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  marked_entity != NULL ? marked_entity : told, -1);
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

  self->notify_id = 0;
  g_object_notify (G_OBJECT (self), "description");
  return G_SOURCE_REMOVE;
}

/* Screen readers hear the picture's own description, and the bus is spared what did not change.
 * Others are told a little later, for this may be an allocation, when a label that shows it must
 * not ask for another size. */
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
  if (self->notify_id == 0)
    self->notify_id = g_idle_add (notify_description_cb, self);
}

/* The plan in the other order and its report; NULL where that cannot be. */
static const PlgOrderSide *
other_order_side (PlgPictureView *self)
{
  PlgPictureOptions options = { .has_other_order = self->has_other_order };

  memcpy (options.other_order, self->other_order, sizeof options.other_order);
  if (self->orders == NULL)
    self->orders = plg_order_comparison_new (plg_document_plan (self->document),
                                             plg_document_report (self->document), &options, NULL);
  return self->orders != NULL ? &self->orders->sides[1] : NULL;
}

/* What stands at (X, Y) of one of the clusters of a comparison, in words, or NULL. */
static char *
describe_in_comparison (PlgPictureView *self, double x, double y)
{
  for (int side = 0; side < 2; side++)
    {
      PlgPoint at = { x, y };
      const PlgFigure *part = plg_figure_get_embedded (self->figure, side, &at);
      const PlgShape *shape = part != NULL ? plg_figure_hit_test (part, at.x, at.y, 2) : NULL;
      const PlgOrderSide *other = shape != NULL && side == 1 ? other_order_side (self) : NULL;

      if (shape != NULL && side == 0)
        return plg_describe_entity (plg_document_plan (self->document),
                                    plg_document_report (self->document), shape->entity);
      if (other != NULL)
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
  return entity.kind == PLG_ENTITY_NONE ? NULL : describe (self, entity);
}

gboolean
plg_picture_view_query_tooltip (PlgPictureView *self,
                                int x,
                                int y,
                                gboolean keyboard,
                                GtkTooltip *tooltip)
{
  g_autofree char *text = keyboard ? NULL : plg_picture_view_describe (self, x, y);

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
