/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/spotlight.h"

/* Less than the -1 of all groups of an axis. */
#define RESTS (-2)

/* What stays the same of a thing from report to report. */
typedef struct
{
  PlgThing thing; /* index RESTS while the report has none */
  int index;      /* of what is only counted: as it was when it was marked */
  PlgLink link;   /* of links: what it joins */
  PlgAxis axis;   /* of collectives */
  PlgCollectiveKind kind;
  int nth; /* of its axis and kind */
} Mark;

struct _PlgSpotlight
{
  GObject parent_instance;

  const PlgReport *report; /* the document's, which tells of another in time */
  Mark pointed;
  GArray *pins; /* Mark */
  GArray *lit;  /* PlgThing, made from the others */
  int n_lit_pins;
};

G_DEFINE_FINAL_TYPE (PlgSpotlight, plg_spotlight, G_TYPE_OBJECT)

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
  /* Most changes leave the links where they are. */
  if (guess >= 0 && guess < (int) report->links->len &&
      same_link (&g_array_index (report->links, PlgLink, guess), link))
    return guess;
  for (guint i = 0; i < report->links->len; i++)
    if (same_link (&g_array_index (report->links, PlgLink, i), link))
      return i;
  return RESTS;
}

/* How many collectives of the same axis and kind come before the one with this index. */
static int
nth_collective (const PlgReport *report, int index)
{
  const PlgCollective *all = (const PlgCollective *) (gpointer) report->collectives->data;
  int nth = 0;

  for (int i = 0; i < index; i++)
    if (all[i].axis == all[index].axis && all[i].kind == all[index].kind)
      nth++;
  return nth;
}

static int
find_collective (const PlgReport *report, const Mark *mark)
{
  int nth = 0;

  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (report->collectives, PlgCollective, i);

      if (collective->axis == mark->axis && collective->kind == mark->kind && nth++ == mark->nth)
        return i;
    }
  return RESTS;
}

static Mark
mark_of (PlgSpotlight *self, PlgThing thing)
{
  const PlgReport *report = self->report;
  Mark mark = { .thing = thing, .index = thing.index };

  if (report == NULL || thing.index < 0)
    return mark;
  if (thing.kind == PLG_THING_LINK && thing.index < (int) report->links->len)
    mark.link = g_array_index (report->links, PlgLink, thing.index);
  if (thing.kind == PLG_THING_COLLECTIVE && thing.index < (int) report->collectives->len)
    {
      const PlgCollective *collective = &g_array_index (report->collectives, PlgCollective,
                                                        thing.index);

      mark.axis = collective->axis;
      mark.kind = collective->kind;
      mark.nth = nth_collective (report, thing.index);
    }
  return mark;
}

/* How many there are of what is only counted. */
static int
how_many (const PlgReport *report, const PlgThing *thing)
{
  switch ((int) thing->kind)
    {
    case PLG_THING_GPU:
      return report->world_size;
    case PLG_THING_NODE:
      return report->nodes;
    case PLG_THING_STAGE:
      return report->degree[PLG_AXIS_PP];
    case PLG_THING_GROUP:
      return report->groups[thing->axis];
    default:
      return G_MAXINT;
    }
}

/* The number of the marked thing in the report of now. */
static void
find_again (PlgSpotlight *self, Mark *mark)
{
  if (mark->thing.kind == PLG_THING_LINK)
    mark->thing.index = find_link (self->report, &mark->link, mark->thing.index);
  else if (mark->thing.kind == PLG_THING_COLLECTIVE)
    mark->thing.index = find_collective (self->report, mark);
  else
    mark->thing.index = mark->index < how_many (self->report, &mark->thing) ? mark->index : RESTS;
}

/* A group may be all of an axis, with index -1; nothing else can be lit without a number. */
static gboolean
is_there (PlgThing thing)
{
  return thing.kind != PLG_THING_NONE &&
         (thing.index >= 0 || (thing.kind == PLG_THING_GROUP && thing.index != RESTS));
}

static void
list_lit (PlgSpotlight *self)
{
  g_array_set_size (self->lit, 0);
  for (guint i = 0; i < self->pins->len; i++)
    {
      PlgThing thing = g_array_index (self->pins, Mark, i).thing;

      if (is_there (thing))
        g_array_append_val (self->lit, thing);
    }
  self->n_lit_pins = self->lit->len;
  if (is_there (self->pointed.thing) && !plg_spotlight_is_pinned (self, self->pointed.thing))
    g_array_append_val (self->lit, self->pointed.thing);
}

static void
changed (PlgSpotlight *self)
{
  list_lit (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

const PlgThing *
plg_spotlight_lit (PlgSpotlight *self, int *n, int *n_pins)
{
  g_return_val_if_fail (PLG_IS_SPOTLIGHT (self), NULL);

  if (n != NULL)
    *n = self->lit->len;
  if (n_pins != NULL)
    *n_pins = self->n_lit_pins;
  return (const PlgThing *) (gpointer) self->lit->data;
}

PlgThing
plg_spotlight_pointed (PlgSpotlight *self)
{
  g_return_val_if_fail (PLG_IS_SPOTLIGHT (self), (PlgThing) { .kind = PLG_THING_NONE });
  return self->pointed.thing;
}

void
plg_spotlight_point (PlgSpotlight *self, PlgThing thing)
{
  g_return_if_fail (PLG_IS_SPOTLIGHT (self));

  if (plg_thing_equal (self->pointed.thing, thing))
    return;
  self->pointed = mark_of (self, thing);
  changed (self);
}

static int
find_pin (PlgSpotlight *self, PlgThing thing)
{
  for (guint i = 0; i < self->pins->len; i++)
    if (plg_thing_equal (g_array_index (self->pins, Mark, i).thing, thing))
      return i;
  return RESTS;
}

void
plg_spotlight_toggle (PlgSpotlight *self, PlgThing thing)
{
  int pin;

  g_return_if_fail (PLG_IS_SPOTLIGHT (self));

  if (!is_there (thing))
    return;
  pin = find_pin (self, thing);
  if (pin >= 0)
    g_array_remove_index (self->pins, pin);
  else
    {
      Mark mark = mark_of (self, thing);
      g_array_append_val (self->pins, mark);
    }
  changed (self);
}

gboolean
plg_spotlight_is_pinned (PlgSpotlight *self, PlgThing thing)
{
  g_return_val_if_fail (PLG_IS_SPOTLIGHT (self), FALSE);
  return find_pin (self, thing) >= 0;
}

gboolean
plg_spotlight_unpin_all (PlgSpotlight *self)
{
  g_return_val_if_fail (PLG_IS_SPOTLIGHT (self), FALSE);

  if (self->pins->len == 0)
    return FALSE;
  g_array_set_size (self->pins, 0);
  changed (self);
  return TRUE;
}

void
plg_spotlight_set_report (PlgSpotlight *self, const PlgReport *report)
{
  g_autoptr (GArray) before = NULL;

  g_return_if_fail (PLG_IS_SPOTLIGHT (self));

  self->report = report;
  if (report == NULL)
    return;
  find_again (self, &self->pointed);
  for (guint i = 0; i < self->pins->len; i++)
    find_again (self, &g_array_index (self->pins, Mark, i));
  before = g_array_copy (self->lit);
  list_lit (self);
  if (before->len != self->lit->len ||
      (before->len > 0 && memcmp (before->data, self->lit->data, before->len * sizeof (PlgThing))))
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
plg_spotlight_finalize (GObject *object)
{
  PlgSpotlight *self = PLG_SPOTLIGHT (object);

  g_array_unref (self->pins);
  g_array_unref (self->lit);
  G_OBJECT_CLASS (plg_spotlight_parent_class)->finalize (object);
}

static void
plg_spotlight_class_init (PlgSpotlightClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plg_spotlight_finalize;
  signals[CHANGED] = g_signal_new ("changed", PLG_TYPE_SPOTLIGHT, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
plg_spotlight_init (PlgSpotlight *self)
{
  self->pins = g_array_new (FALSE, TRUE, sizeof (Mark));
  self->lit = g_array_new (FALSE, TRUE, sizeof (PlgThing));
}

PlgSpotlight *
plg_spotlight_new (void)
{
  return g_object_new (PLG_TYPE_SPOTLIGHT, NULL);
}
