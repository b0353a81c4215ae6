/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/find.h"

#include "plan/plan-check.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The kinds of entities that can be found by number. */
typedef enum
{
  COUNTS_RANKS,
  COUNTS_GPUS,
  COUNTS_NODES,
  N_COUNTS,
} CountFunc;

static const char *const kinds[] = { N_ ("rank"), N_ ("gpu"), N_ ("node") };

static int
count_entities (const PlgPlan *plan, CountFunc count_func)
{
  return count_func == COUNTS_NODES ? plan->cluster.nodes : plg_cluster_gpus (&plan->cluster);
}

static void
add (GArray *found, PlgEntityKind kind, int index)
{
  PlgEntity entity = { .kind = kind, .index = index };

  for (guint i = 0; i < found->len; i++)
    if (plg_entity_equal (g_array_index (found, PlgEntity, i), entity))
      return;
  if (found->len < PLG_MAX_FOUND)
    g_array_append_val (found, entity);
}

static gboolean
add_counted (GArray *found, const PlgPlan *plan, CountFunc count_func, guint64 number)
{
  if (number >= (guint64) count_entities (plan, count_func))
    return FALSE;
  if (count_func == COUNTS_NODES)
    add (found, PLG_ENTITY_NODE, (int) number);
  else
    add (found, PLG_ENTITY_GPU,
         count_func == COUNTS_RANKS ? plg_placement_gpu (&plan->placement, (int) number)
                                    : (int) number);
  return TRUE;
}

/* Reads the kind of entity at the beginning of WORDS, in English or in the user's language, and
 * sets REST to the remaining words. */
static gboolean
begins_with_kind (const char *words, CountFunc *count_func, const char **rest)
{
  for (int i = 0; i < N_COUNTS; i++)
    for (int translated = 0; translated < 2; translated++)
      {
        g_autofree char *kind = g_utf8_casefold (translated ? _ (kinds[i]) : kinds[i], -1);

        if (!g_str_has_prefix (words, kind))
          continue;
        *count_func = (CountFunc) i;
        *rest = words + strlen (kind);
        while (**rest == ' ')
          (*rest)++;
        return TRUE;
      }
  return FALSE;
}

/* Returns whether WORDS equals NAME or one of the host names in NAME. If BEGINS is set, WORDS
 * may also be the beginning of a name. */
static gboolean
name_matches (const char *name, const char *words, gboolean begins)
{
  int n;
  g_auto (GStrv) hosts = plg_node_name_hosts (name, &n);

  for (int i = -1; i < n; i++)
    {
      g_autofree char *folded = g_utf8_casefold (i < 0 ? name : hosts[i], -1);

      if (begins ? g_str_has_prefix (folded, words) : strcmp (folded, words) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Adds the nodes whose names match WORDS. */
static void
add_names (GArray *found, const PlgPlan *plan, const char *words)
{
  for (int begins = 0; begins < 2; begins++)
    for (int node = 0; node < plan->node_names.size; node++)
      {
        const char *name = plg_node_names_get (&plan->node_names, node);

        if (name != NULL && name_matches (name, words, begins))
          add (found, PLG_ENTITY_NODE, node);
      }
}

static void
find_things (GArray *found,
             const PlgPlan *plan,
             const PlgReport *report,
             const char *words,
             GError **error)
{
  const char *rest = words;
  CountFunc count_func = COUNTS_RANKS;
  gboolean has_kind = begins_with_kind (words, &count_func, &rest);
  guint64 number;

  if (*rest == '\0' || strspn (rest, "0123456789") != strlen (rest) || strlen (rest) > 18 ||
      !g_ascii_string_to_unsigned (rest, 10, 0, G_MAXUINT64, &number, NULL))
    {
      if (count_func == COUNTS_NODES && *rest != '\0')
        add_names (found, plan, rest);
      add_names (found, plan, words);

      /* Accept both "nic:2.3", as in plan files, and "nic 2.3", as users type it. */
      g_autofree char *id = g_strdelimit (g_strdup (words), " :.,", '-');

      /* Add exact matches before names that only begin with WORDS. */
      for (int begins = 0; begins < 2; begins++)
        for (guint i = 0; i < report->links->len && found->len < PLG_MAX_FOUND; i++)
          {
            g_autofree char *links_id = plg_link_id (&g_array_index (report->links, PlgLink, i));

            if (begins ? g_str_has_prefix (links_id, id) : strcmp (links_id, id) == 0)
              add (found, PLG_ENTITY_LINK, (int) i);
          }

      if (found->len == 0)
        g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
                     _ ("Nothing is named “%s”; try, for example, rank 5, node 1 or a link such "
                        "as nic-0-1"),
                     words);
      return;
    }
  if (!add_counted (found, plan, count_func, number))
    {
      int last = count_entities (plan, count_func) - 1;

      switch (count_func)
        {
        case COUNTS_GPUS:
          g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
                       _ ("GPU %s does not exist; GPUs are numbered from 0 to %d"), rest, last);
          break;
        case COUNTS_NODES:
          g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
                       _ ("Node %s does not exist; nodes are numbered from 0 to %d"), rest, last);
          break;
        case COUNTS_RANKS:
        case N_COUNTS:
        default:
          g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
                       _ ("Rank %s does not exist; ranks are numbered from 0 to %d"), rest, last);
        }
    }
  for (int i = 1; !has_kind && found->len > 0 && i < N_COUNTS; i++)
    add_counted (found, plan, (CountFunc) i, number);
}

GArray *
plg_find (const PlgPlan *plan, const PlgReport *report, const char *words, GError **error)
{
  g_autofree char *folded = NULL;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (PlgEntity));

  g_return_val_if_fail (plan != NULL && report != NULL && words != NULL, NULL);

  folded = g_utf8_casefold (words, -1);
  g_strstrip (folded);
  if (*folded == '\0')
    return NULL;
  find_things (found, plan, report, folded, error);
  return found->len > 0 ? g_steal_pointer (&found) : NULL;
}
