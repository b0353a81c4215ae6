/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/search-picture.h"

#include "plan/settings/setting-describe.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* A plan whose value is more than this multiple of the open plan's value is beyond the plot, which
 * would otherwise show the good plans in a corner. The plot always reaches to the best plan. */
#define MOST_OVER_OPEN 2.0

gboolean
plg_search_picture_has_class (PlgSearchKey key)
{
  return key == PLG_SEARCH_TP || key == PLG_SEARCH_PP || key == PLG_SEARCH_CP ||
         key == PLG_SEARCH_EP || key == PLG_SEARCH_DP || key == PLG_SEARCH_ZERO ||
         key == PLG_SEARCH_SCHEDULE || key == PLG_SEARCH_RECOMPUTE ||
         key == PLG_SEARCH_MICRO_BATCH || key == PLG_SEARCH_REPLICATE;
}

/* Returns the number that decides the class of POINT. */
static int
class_value (const PlgSearchSpace *space, const PlgSearchPoint *point, PlgSearchKey key)
{
  switch (key)
    {
    case PLG_SEARCH_TP:
      return point->tp;
    case PLG_SEARCH_CP:
      return point->cp;
    case PLG_SEARCH_EP:
      return point->ep;
    case PLG_SEARCH_PP:
      return point->pp;
    case PLG_SEARCH_DP:
      return plg_plan_world (g_ptr_array_index (space->bases, point->base)) / point->tp /
             point->cp / point->pp;
    case PLG_SEARCH_ZERO:
      return point->zero;
    case PLG_SEARCH_SCHEDULE:
      return point->schedule;
    case PLG_SEARCH_RECOMPUTE:
      return point->recompute;
    case PLG_SEARCH_MICRO_BATCH:
      return point->micro_batch;
    case PLG_SEARCH_REPLICATE:
      return point->replicate;
    case PLG_SEARCH_ETP:
    case PLG_SEARCH_ORDER:
    case PLG_SEARCH_CHUNKS:
    case PLG_SEARCH_SEQUENCE:
    default:
      g_return_val_if_reached (0);
    }
}

static int
compare_ints (gconstpointer a, gconstpointer b)
{
  return *(const int *) a - *(const int *) b;
}

/* Adds the dots of PLANS, with the value of the class instead of its index. */
static void
add_dots (PlgSearchPicture *picture,
          const PlgSearchPictureSource *source,
          const GArray *plans,
          gboolean is_front)
{
  double most[2];

  for (int axis = 0; axis < 2; axis++)
    {
      most[axis] = MOST_OVER_OPEN * picture->own[axis];
      if (source->best->len > 0)
        most[axis] = MAX (most[axis], g_array_index (source->best, PlgFoundPlan, 0).front[axis]);
    }
  for (guint i = 0; i < plans->len; i++)
    {
      const PlgFoundPlan *found = &g_array_index (plans, PlgFoundPlan, i);
      PlgSearchDot dot = { .value = { found->front[0], found->front[1] },
                           .class_index = class_value (source->space, &found->point,
                                                       source->class_key),
                           .is_front = is_front };

      for (int axis = 0; axis < 2; axis++)
        dot.is_outside |= picture->has_own && !plg_metric_is_better_high (picture->metrics[axis]) &&
                          dot.value[axis] > most[axis];
      g_array_append_val (picture->dots, dot);
    }
}

/* Numbers the classes of the dots in the order of their values, and names them. */
static void
set_classes (PlgSearchPicture *picture, PlgSearchKey key)
{
  const PlgSetting *setting = plg_setting_find (plg_search_key_setting (key));
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (int));

  picture->class_title = _ (setting->title);
  for (guint i = 0; i < picture->dots->len; i++)
    {
      int value = g_array_index (picture->dots, PlgSearchDot, i).class_index;
      gboolean is_new = TRUE;

      for (guint j = 0; j < values->len && is_new; j++)
        is_new = g_array_index (values, int, j) != value;
      if (is_new)
        g_array_append_val (values, value);
    }
  g_array_sort (values, compare_ints);
  for (guint j = 0; j < values->len; j++)
    {
      int value = g_array_index (values, int, j);

      g_ptr_array_add (picture->classes, setting->kind == PLG_SETTING_CHOICE
                                             ? g_strdup (setting->choices[value])
                                             : g_strdup_printf ("%d", value));
    }
  for (guint i = 0; i < picture->dots->len; i++)
    {
      PlgSearchDot *dot = &g_array_index (picture->dots, PlgSearchDot, i);

      for (guint j = 0; j < values->len; j++)
        if (g_array_index (values, int, j) == dot->class_index)
          {
            dot->class_index = (int) j;
            break;
          }
    }
}

PlgSearchPicture *
plg_search_picture_new (const PlgSearchPictureSource *source)
{
  PlgSearchPicture *picture = g_new0 (PlgSearchPicture, 1);

  g_atomic_ref_count_init (&picture->ref_count);
  picture->by = source->by;
  picture->class_key = source->class_key;
  picture->has_own = source->start != NULL;
  for (int axis = 0; axis < 2; axis++)
    {
      picture->metrics[axis] = source->metrics[axis];
      if (picture->has_own)
        picture->own[axis] = plg_metric_value (source->metrics[axis], source->start);
    }
  picture->own_by = picture->has_own ? plg_metric_value (source->by, source->start) : NAN;
  picture->dots = g_array_new (FALSE, FALSE, sizeof (PlgSearchDot));
  picture->classes = g_ptr_array_new_with_free_func (g_free);
  add_dots (picture, source, source->found, FALSE);
  add_dots (picture, source, source->front, TRUE);
  picture->best = source->best->len > 0 ? (int) picture->dots->len : -1;
  picture->best_by = source->best->len > 0 ? g_array_index (source->best, PlgFoundPlan, 0).by : NAN;
  add_dots (picture, source, source->best, FALSE);
  set_classes (picture, source->class_key);
  picture->selected = -1;
  picture->progress = source->progress;
  return picture;
}

/* Returns the settings of PLAN that differ from OPEN, such as "Tensor (TP) 4, Micro-batch 2". Free
 * with g_free(). */
static char *
name_plan (const PlgSearchSpace *space,
           const PlgPlan *plan,
           const PlgPlan *open,
           const PlgCatalogue *catalogue)
{
  g_autoptr (GString) name = g_string_new (NULL);

  for (guint i = 0; i < space->other_keys->len + PLG_N_SEARCH_KEYS; i++)
    {
      const PlgSetting
          *setting = i < space->other_keys->len
                         ? g_ptr_array_index (space->other_keys, i)
                         : plg_setting_find (plg_search_key_setting (i - space->other_keys->len));
      g_autofree char *own = plg_setting_get (setting, open);
      g_autofree char *value = plg_setting_get (setting, plan);
      g_autofree char *text = plg_setting_describe_value (setting, value, own, catalogue);

      if (!g_str_equal (own, value))
        g_string_append_printf (name, "%s%s %s", name->len > 0 ? ", " : "", _ (setting->title),
                                text);
    }
  return g_strdup (name->len > 0 ? name->str : _ ("the open plan"));
}

void
plg_search_picture_name_plans (PlgSearchPicture *picture,
                               const PlgSearchPictureSource *source,
                               const PlgPlan *open,
                               const PlgCatalogue *catalogue)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const GArray *const lists[] = { source->best, source->front };

  for (int list = 0; list < 2; list++)
    for (guint i = 0; i < (list == 0 ? MIN (lists[0]->len, 1) : lists[1]->len); i++)
      {
        const PlgFoundPlan *found = &g_array_index (lists[list], PlgFoundPlan, i);
        g_autoptr (PlgPlan) plan = plg_search_space_plan (source->space, &found->point);

        g_ptr_array_add (names, name_plan (source->space, plan, open, catalogue));
      }
  g_ptr_array_add (names, NULL);
  g_strfreev (picture->names);
  picture->names = (char **) g_ptr_array_steal (names, NULL);
}

PlgSearchPicture *
plg_search_picture_ref (PlgSearchPicture *picture)
{
  g_atomic_ref_count_inc (&picture->ref_count);
  return picture;
}

void
plg_search_picture_unref (PlgSearchPicture *picture)
{
  if (!g_atomic_ref_count_dec (&picture->ref_count))
    return;
  g_array_unref (picture->dots);
  g_ptr_array_unref (picture->classes);
  g_strfreev (picture->names);
  g_strfreev (picture->arguments);
  g_free (picture);
}
