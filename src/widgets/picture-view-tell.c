/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a picture says of itself and of what is in it: to screen readers, in tooltips, and which of
 * it is marked. */

#include "widgets/picture-view-private.h"

#include "widgets/look.h"
#include "widgets/spoken.h"

#include <string.h>

/* THING of this picture in words; g_free(). */
static char *
describe (PlgPictureView *self, PlgThing thing)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  const PlgReport *report = plg_document_report (self->document);
  PlgPictureOptions options = { 0 };

  plg_picture_view_set_choice (self, &options);
  return thing.kind == PLG_THING_PAIR ? plg_describe_pair (plan, report, &options, thing.index)
                                      : plg_describe_thing (plan, report, thing);
}

/* What the picture is and what is said of it, or what is marked of it. */
static void
tell_label (PlgPictureView *self)
{
  const char *title = self->title != NULL ? self->title : "";
  g_autofree char *words = NULL, *marked = NULL, *told = NULL;
  g_auto (GStrv) lines = NULL;

  if (self->marked.kind != PLG_THING_NONE)
    {
      words = describe (self, self->marked);
      lines = g_strsplit (words, "\n", -1);
      marked = g_strjoinv (", ", lines);
    }
  else
    told = self->said != NULL ? g_strdup_printf ("%s. %s", title, self->said) : g_strdup (title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  marked != NULL ? marked : told, -1);
}

void
plg_picture_view_say (PlgPictureView *self, const char *sentence)
{
  g_return_if_fail (PLG_IS_PICTURE_VIEW (self));

  if (g_strcmp0 (sentence, self->said) == 0)
    return;
  g_free (self->said);
  self->said = g_strdup (sentence);
  if (self->title != NULL)
    tell_label (self);
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
plg_picture_view_take_description (PlgPictureView *self, const char *title, const char *description)
{
  if (g_strcmp0 (description, self->description) == 0)
    return;
  g_free (self->description);
  self->description = g_strdup (description);
  g_free (self->title);
  self->title = g_strdup (title);
  tell_label (self);
  plg_spoken_describe (GTK_WIDGET (self), description);
  if (self->notify_id == 0)
    self->notify_id = g_idle_add (notify_description_cb, self);
}

/* The plan in the other order and its report; NULL where that cannot be. */
static const PlgOrderSide *
other_side (PlgPictureView *self)
{
  PlgPictureOptions options = { .has_other_order = self->has_other_order };

  memcpy (options.other_order, self->other_order, sizeof options.other_order);
  if (self->orders == NULL)
    self->orders = plg_orders_new (plg_document_plan (self->document),
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
      const PlgFigure *part = plg_figure_placed (self->figure, side, &at);
      const PlgShape *shape = part != NULL ? plg_figure_hit (part, at.x, at.y, 2) : NULL;
      const PlgOrderSide *other = shape != NULL && side == 1 ? other_side (self) : NULL;

      if (shape != NULL && side == 0)
        return plg_describe_thing (plg_document_plan (self->document),
                                   plg_document_report (self->document), shape->thing);
      if (other != NULL)
        return plg_describe_thing (other->plan, other->report, shape->thing);
    }
  return NULL;
}

PlgThing
plg_picture_view_thing_at (PlgPictureView *self, double x, double y)
{
  double scale = plg_look_text_scale (GTK_WIDGET (self));
  const PlgShape *shape = NULL;

  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (self), (PlgThing) { .kind = PLG_THING_NONE });

  if (self->figure != NULL)
    shape = plg_figure_hit (self->figure, x / scale, y / scale, 2);
  return shape != NULL ? shape->thing : (PlgThing) { .kind = PLG_THING_NONE };
}

char *
plg_picture_view_describe (PlgPictureView *self, double x, double y)
{
  double scale = plg_look_text_scale (GTK_WIDGET (self));
  PlgThing thing;

  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (self), NULL);

  if (self->document == NULL || self->figure == NULL)
    return NULL;
  if (self->picture == PLG_PICTURE_COMPARE)
    return describe_in_comparison (self, x / scale, y / scale);
  thing = plg_picture_view_thing_at (self, x, y);
  return thing.kind == PLG_THING_NONE ? NULL : describe (self, thing);
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
plg_picture_view_mark (PlgPictureView *self, PlgThing thing)
{
  g_return_if_fail (PLG_IS_PICTURE_VIEW (self));

  if (plg_thing_equal (self->marked, thing))
    return;
  self->marked = thing;
  if (self->figure != NULL)
    tell_label (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
plg_picture_view_marked_rect (PlgPictureView *self, PlgRect *rect)
{
  double scale = plg_look_text_scale (GTK_WIDGET (self));
  const PlgShape *shape = NULL;

  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (self) && rect != NULL, FALSE);

  if (self->figure != NULL && self->marked.kind != PLG_THING_NONE)
    shape = plg_figure_find_thing (self->figure, self->marked);
  if (shape == NULL)
    return FALSE;
  *rect = (PlgRect) { shape->rect.x * scale, shape->rect.y * scale, shape->rect.width * scale,
                      shape->rect.height * scale };
  return TRUE;
}
