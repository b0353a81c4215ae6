/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/tables/link-list.h"

#include "engine/report/redaction.h"

/* Items ---------------------------------------------------------------------------------------- */

struct _PlgLinkItem
{
  GObject parent_instance;
  int index;
};

G_DEFINE_FINAL_TYPE (PlgLinkItem, plg_link_item, G_TYPE_OBJECT)

static void
plg_link_item_class_init (PlgLinkItemClass *klass)
{
}

static void
plg_link_item_init (PlgLinkItem *self)
{
}

PlgLinkItem *
plg_link_item_new (int index)
{
  PlgLinkItem *self = g_object_new (PLG_TYPE_LINK_ITEM, NULL);

  self->index = index;
  return self;
}

int
plg_link_item_index (PlgLinkItem *self)
{
  g_return_val_if_fail (PLG_IS_LINK_ITEM (self), -1);
  return self->index;
}

/* The list ------------------------------------------------------------------------------------- */

/* A link and its sort key. */
typedef struct
{
  double key;
  int index;
} Entry;

struct _PlgLinkList
{
  GObject parent_instance;

  GArray *order;   /* the link indices (int) in list order */
  GArray *entries; /* elements of type Entry; a buffer for sorting */
  PlgLinkColumn column;
  gboolean descending;
  int tier;
};

static void list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (PlgLinkList,
                               plg_link_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static GType
get_item_type (GListModel *model)
{
  return PLG_TYPE_LINK_ITEM;
}

static guint
get_n_items (GListModel *model)
{
  return PLG_LINK_LIST (model)->order->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
  PlgLinkList *self = PLG_LINK_LIST (model);

  return position < self->order->len
             ? plg_link_item_new (g_array_index (self->order, int, position))
             : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

/* Returns COLUMN, or a substitute to sort by if the numbers in COLUMN are hidden. Busy times are
 * replaced by the outgoing bytes, and hidden bytes by the calls. Hidden calls and bandwidths are
 * replaced by PLG_LINK_COLUMN_LINK, which keeps the order of the report. */
static PlgLinkColumn
unredacted_column (PlgLinkColumn column, const PlgReport *report)
{
  if ((column == PLG_LINK_COLUMN_TIME || column == PLG_LINK_COLUMN_SHARE) &&
      plg_report_hides (report, PLG_REDACT_BUSY))
    column = PLG_LINK_COLUMN_OUT;
  if ((column == PLG_LINK_COLUMN_OUT || column == PLG_LINK_COLUMN_IN) &&
      plg_report_hides (report, PLG_REDACT_BYTES))
    column = PLG_LINK_COLUMN_CALLS;
  if (column == PLG_LINK_COLUMN_BANDWIDTH && plg_report_hides (report, PLG_REDACT_FAULTS))
    return PLG_LINK_COLUMN_LINK;
  return column == PLG_LINK_COLUMN_CALLS && plg_report_hides (report, PLG_REDACT_CALLS)
             ? PLG_LINK_COLUMN_LINK
             : column;
}

static double
key_of (const PlgReport *report, const PlgLink *link, int index, PlgLinkColumn column)
{
  switch (column)
    {
    case PLG_LINK_COLUMN_TIER:
      return link->tier;
    case PLG_LINK_COLUMN_BANDWIDTH:
      return link->bandwidth;
    case PLG_LINK_COLUMN_CALLS:
      return link->calls;
    case PLG_LINK_COLUMN_OUT:
      return link->bytes_out;
    case PLG_LINK_COLUMN_IN:
      return link->bytes_in;
    case PLG_LINK_COLUMN_TIME:
    case PLG_LINK_COLUMN_SHARE:
      return link->time;
    case PLG_LINK_COLUMN_COLLECTIVES:
      {
        /* Give links with the same collectives the same sort key, so that they are next to each
         * other. */
        double key = 0;

        for (int i = 0; i < link->n_shares; i++)
          {
            guint at = link->first_share + i;

            if (at < report->link_shares->len)
              key = key * (report->collectives->len + 1) + 1 +
                    g_array_index (report->link_shares, PlgLinkShare, at).collective;
          }
        return key;
      }
    case PLG_LINK_COLUMN_LINK:
    default:
      return index;
    }
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *x = a, *y = b;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

static gboolean
is_same_order (PlgLinkList *self)
{
  if (self->order->len != self->entries->len)
    return FALSE;
  for (guint i = 0; i < self->order->len; i++)
    if (g_array_index (self->order, int, i) != g_array_index (self->entries, Entry, i).index)
      return FALSE;
  return TRUE;
}

static void
update (PlgLinkList *self, const PlgReport *report)
{
  guint before = self->order->len;
  PlgLinkColumn column = unredacted_column (self->column, report);
  gboolean descending = self->descending &&
                        (column == self->column || column != PLG_LINK_COLUMN_LINK);

  g_array_set_size (self->entries, 0);
  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);
      Entry entry = { key_of (report, link, i, column), i };

      if (self->tier >= 0 && (int) link->tier != self->tier)
        continue;
      if (descending)
        entry.key = -entry.key;
      g_array_append_val (self->entries, entry);
    }
  qsort (self->entries->data, self->entries->len, sizeof (Entry), compare_entries);

  if (is_same_order (self))
    return;
  g_array_set_size (self->order, self->entries->len);
  for (guint i = 0; i < self->entries->len; i++)
    g_array_index (self->order, int, i) = g_array_index (self->entries, Entry, i).index;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, before, self->order->len);
}

void
plg_link_list_set_report (PlgLinkList *self, const PlgReport *report)
{
  g_return_if_fail (PLG_IS_LINK_LIST (self) && report != NULL);
  update (self, report);
}

void
plg_link_list_set_tier (PlgLinkList *self, const PlgReport *report, int tier)
{
  g_return_if_fail (PLG_IS_LINK_LIST (self));

  self->tier = tier;
  update (self, report);
}

void
plg_link_list_sort (PlgLinkList *self,
                    const PlgReport *report,
                    PlgLinkColumn column,
                    gboolean descending)
{
  g_return_if_fail (PLG_IS_LINK_LIST (self));

  self->column = column;
  self->descending = descending;
  update (self, report);
}

int
plg_link_list_position (PlgLinkList *self, int index)
{
  g_return_val_if_fail (PLG_IS_LINK_LIST (self), -1);

  for (guint i = 0; i < self->order->len; i++)
    if (g_array_index (self->order, int, i) == index)
      return i;
  return -1;
}

const int *
plg_link_list_order (PlgLinkList *self, int *n)
{
  g_return_val_if_fail (PLG_IS_LINK_LIST (self), NULL);

  *n = self->order->len;
  return (const int *) (gpointer) self->order->data;
}

static void
plg_link_list_finalize (GObject *object)
{
  PlgLinkList *self = PLG_LINK_LIST (object);

  g_array_unref (self->order);
  g_array_unref (self->entries);
  G_OBJECT_CLASS (plg_link_list_parent_class)->finalize (object);
}

static void
plg_link_list_class_init (PlgLinkListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plg_link_list_finalize;
}

static void
plg_link_list_init (PlgLinkList *self)
{
  self->order = g_array_new (FALSE, FALSE, sizeof (int));
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->tier = -1;
}

PlgLinkList *
plg_link_list_new (void)
{
  return g_object_new (PLG_TYPE_LINK_LIST, NULL);
}
