/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/highlight-model.h"

/* The index of an absent entity. It is not -1, because -1 stands for all groups of an axis. */
#define INDEX_ABSENT (-2)

/* An entity that can be found again in the next report. */
typedef struct
{
  PlgEntity entity; /* the index is INDEX_ABSENT if the current report does not contain the
                       entity */
  int index;        /* the index when the entity was pinned; used for entities that are neither a
                       link nor a collective */
  PlgLink link;     /* the ends of the link, if the entity is a link */
  PlgAxis axis;     /* the axis of the collective, if the entity is a collective */
  PlgCollectiveKind kind;
  int nth; /* the index of the collective among those of the same axis and kind */
} TrackedEntity;

struct _PlgHighlightModel
{
  GObject parent_instance;

  const PlgReport *report; /* borrowed from the document, which sets each new report here before
                              it frees the old report */
  TrackedEntity hovered;
  GArray *pins;        /* elements of type TrackedEntity */
  GArray *highlighted; /* elements of type PlgEntity, derived from the other members */
  int n_highlighted_pins;
};

G_DEFINE_FINAL_TYPE (PlgHighlightModel, plg_highlight_model, G_TYPE_OBJECT)

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static gboolean
same_link (const PlgLink *a, const PlgLink *b)
{
  return a->tier == b->tier && a->node == b->node && a->local == b->local && a->other == b->other;
}

static int
find_link (const PlgReport *report, const PlgLink *link, int guess)
{
  /* Try the old index first, because most changes keep the order of the links. */
  if (guess >= 0 && guess < (int) report->links->len &&
      same_link (&g_array_index (report->links, PlgLink, guess), link))
    return guess;
  for (guint i = 0; i < report->links->len; i++)
    if (same_link (&g_array_index (report->links, PlgLink, i), link))
      return i;
  return INDEX_ABSENT;
}

static int
find_collective (const PlgReport *report, const TrackedEntity *tracked)
{
  int nth = 0;

  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (report->collectives, PlgCollective, i);

      if (collective->axis == tracked->axis && collective->kind == tracked->kind &&
          nth++ == tracked->nth)
        return i;
    }
  return INDEX_ABSENT;
}

static TrackedEntity
track_entity (PlgHighlightModel *self, PlgEntity entity)
{
  const PlgReport *report = self->report;
  TrackedEntity tracked = { .entity = entity, .index = entity.index };

  if (report == NULL || entity.index < 0)
    return tracked;
  if (entity.kind == PLG_ENTITY_LINK && entity.index < (int) report->links->len)
    tracked.link = g_array_index (report->links, PlgLink, entity.index);
  if (entity.kind == PLG_ENTITY_COLLECTIVE && entity.index < (int) report->collectives->len)
    {
      const PlgCollective *collective = &g_array_index (report->collectives, PlgCollective,
                                                        entity.index);

      tracked.axis = collective->axis;
      tracked.kind = collective->kind;

      /* Count the collectives of the same axis and kind that precede the collective with this
       * index. */
      const PlgCollective *all = (const PlgCollective *) (gpointer) report->collectives->data;
      int nth = 0;

      for (int i = 0; i < entity.index; i++)
        if (all[i].axis == all[entity.index].axis && all[i].kind == all[entity.index].kind)
          nth++;
      tracked.nth = nth;
    }
  return tracked;
}

/* Returns the number of entities in REPORT that have the same kind as ENTITY, or G_MAXINT if the
 * index of this kind has no upper limit. */
static int
count_of_kind (const PlgReport *report, const PlgEntity *entity)
{
  switch ((int) entity->kind)
    {
    case PLG_ENTITY_GPU:
      return report->world_size;
    case PLG_ENTITY_NODE:
      return report->nodes;
    case PLG_ENTITY_STAGE:
      return report->degree[PLG_AXIS_PP];
    case PLG_ENTITY_GROUP:
      return report->groups[entity->axis];
    default:
      return G_MAXINT;
    }
}

/* Updates the index of TRACKED in the current report. */
static void
update_index (PlgHighlightModel *self, TrackedEntity *tracked)
{
  if (tracked->entity.kind == PLG_ENTITY_LINK)
    tracked->entity.index = find_link (self->report, &tracked->link, tracked->entity.index);
  else if (tracked->entity.kind == PLG_ENTITY_COLLECTIVE)
    tracked->entity.index = find_collective (self->report, tracked);
  else
    tracked->entity.index = tracked->index < count_of_kind (self->report, &tracked->entity)
                                ? tracked->index
                                : INDEX_ABSENT;
}

/* Returns whether ENTITY exists in the report. The index -1 is valid only for a group, where it
 * stands for all groups of an axis. */
static gboolean
is_present (PlgEntity entity)
{
  return entity.kind != PLG_ENTITY_NONE &&
         (entity.index >= 0 || (entity.kind == PLG_ENTITY_GROUP && entity.index != INDEX_ABSENT));
}

static void
list_highlighted (PlgHighlightModel *self)
{
  g_array_set_size (self->highlighted, 0);
  for (guint i = 0; i < self->pins->len; i++)
    {
      PlgEntity entity = g_array_index (self->pins, TrackedEntity, i).entity;

      if (is_present (entity))
        g_array_append_val (self->highlighted, entity);
    }
  self->n_highlighted_pins = self->highlighted->len;
  if (is_present (self->hovered.entity) &&
      !plg_highlight_model_is_pinned (self, self->hovered.entity))
    g_array_append_val (self->highlighted, self->hovered.entity);
}

static void
emit_changed (PlgHighlightModel *self)
{
  list_highlighted (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

const PlgEntity *
plg_highlight_model_entities (PlgHighlightModel *self, int *n, int *n_pins)
{
  g_return_val_if_fail (PLG_IS_HIGHLIGHT_MODEL (self), NULL);

  if (n != NULL)
    *n = self->highlighted->len;
  if (n_pins != NULL)
    *n_pins = self->n_highlighted_pins;
  return (const PlgEntity *) (gpointer) self->highlighted->data;
}

PlgEntity
plg_highlight_model_hovered (PlgHighlightModel *self)
{
  g_return_val_if_fail (PLG_IS_HIGHLIGHT_MODEL (self), (PlgEntity) { .kind = PLG_ENTITY_NONE });
  return self->hovered.entity;
}

void
plg_highlight_model_set_hovered (PlgHighlightModel *self, PlgEntity entity)
{
  g_return_if_fail (PLG_IS_HIGHLIGHT_MODEL (self));

  if (plg_entity_equal (self->hovered.entity, entity))
    return;
  self->hovered = track_entity (self, entity);
  emit_changed (self);
}

static int
find_pin (PlgHighlightModel *self, PlgEntity entity)
{
  for (guint i = 0; i < self->pins->len; i++)
    if (plg_entity_equal (g_array_index (self->pins, TrackedEntity, i).entity, entity))
      return i;
  return INDEX_ABSENT;
}

void
plg_highlight_model_toggle (PlgHighlightModel *self, PlgEntity entity)
{
  int pin;

  g_return_if_fail (PLG_IS_HIGHLIGHT_MODEL (self));

  if (!is_present (entity))
    return;
  pin = find_pin (self, entity);
  if (pin >= 0)
    g_array_remove_index (self->pins, pin);
  else
    {
      TrackedEntity tracked = track_entity (self, entity);
      g_array_append_val (self->pins, tracked);
    }
  emit_changed (self);
}

gboolean
plg_highlight_model_is_pinned (PlgHighlightModel *self, PlgEntity entity)
{
  g_return_val_if_fail (PLG_IS_HIGHLIGHT_MODEL (self), FALSE);
  return find_pin (self, entity) >= 0;
}

gboolean
plg_highlight_model_unpin_all (PlgHighlightModel *self)
{
  g_return_val_if_fail (PLG_IS_HIGHLIGHT_MODEL (self), FALSE);

  if (self->pins->len == 0)
    return FALSE;
  g_array_set_size (self->pins, 0);
  emit_changed (self);
  return TRUE;
}

void
plg_highlight_model_set_report (PlgHighlightModel *self, const PlgReport *report)
{
  g_autoptr (GArray) before = NULL;

  g_return_if_fail (PLG_IS_HIGHLIGHT_MODEL (self));

  self->report = report;
  if (report == NULL)
    return;
  update_index (self, &self->hovered);
  for (guint i = 0; i < self->pins->len; i++)
    update_index (self, &g_array_index (self->pins, TrackedEntity, i));
  before = g_array_copy (self->highlighted);
  list_highlighted (self);
  if (before->len != self->highlighted->len ||
      (before->len > 0 &&
       memcmp (before->data, self->highlighted->data, before->len * sizeof (PlgEntity))))
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
plg_highlight_model_finalize (GObject *object)
{
  PlgHighlightModel *self = PLG_HIGHLIGHT_MODEL (object);

  g_array_unref (self->pins);
  g_array_unref (self->highlighted);
  G_OBJECT_CLASS (plg_highlight_model_parent_class)->finalize (object);
}

static void
plg_highlight_model_class_init (PlgHighlightModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plg_highlight_model_finalize;
  signals[CHANGED] = g_signal_new ("changed", PLG_TYPE_HIGHLIGHT_MODEL, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
plg_highlight_model_init (PlgHighlightModel *self)
{
  self->pins = g_array_new (FALSE, TRUE, sizeof (TrackedEntity));
  self->highlighted = g_array_new (FALSE, TRUE, sizeof (PlgEntity));
}

PlgHighlightModel *
plg_highlight_model_new (void)
{
  return g_object_new (PLG_TYPE_HIGHLIGHT_MODEL, NULL);
}
