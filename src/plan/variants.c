/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/variants.h"

#include "plan/plan-problem.h"
#include "plan/plan.h"
#include "plan/text/text-sanitize.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _PlgVariants
{
  gatomicrefcount ref_count;
  GArray *list; /* element-type PlgVariant */
};

static void
variant_clear (gpointer data)
{
  PlgVariant *variant = data;

  g_free (variant->name);
  plg_plan_free (variant->plan);
}

/* Returns a list with copies of the variants in VARIANTS, which the caller may change. */
static PlgVariants *
variants_copy (const PlgVariants *variants)
{
  PlgVariants *copy = g_new (PlgVariants, 1);

  g_atomic_ref_count_init (&copy->ref_count);
  copy->list = g_array_new (FALSE, FALSE, sizeof (PlgVariant));
  g_array_set_clear_func (copy->list, variant_clear);
  for (int i = 0; i < plg_variants_count (variants); i++)
    {
      const PlgVariant *variant = plg_variants_nth (variants, i);
      PlgVariant item = { g_strdup (variant->name), plg_plan_copy (variant->plan) };

      g_array_append_val (copy->list, item);
    }
  return copy;
}

PlgVariants *
plg_variants_ref (PlgVariants *variants)
{
  if (variants != NULL)
    g_atomic_ref_count_inc (&variants->ref_count);
  return variants;
}

void
plg_variants_unref (PlgVariants *variants)
{
  if (variants == NULL || !g_atomic_ref_count_dec (&variants->ref_count))
    return;
  g_array_unref (variants->list);
  g_free (variants);
}

int
plg_variants_count (const PlgVariants *variants)
{
  return variants != NULL ? (int) variants->list->len : 0;
}

const PlgVariant *
plg_variants_nth (const PlgVariants *variants, int index)
{
  g_return_val_if_fail (index >= 0 && index < plg_variants_count (variants), NULL);

  return &g_array_index (variants->list, PlgVariant, index);
}

int
plg_variants_find (const PlgVariants *variants, const char *name)
{
  for (int i = 0; i < plg_variants_count (variants); i++)
    if (strcmp (plg_variants_nth (variants, i)->name, name) == 0)
      return i;
  return -1;
}

gboolean
plg_variants_equal (const PlgVariants *a, const PlgVariants *b)
{
  if (a == b)
    return TRUE;
  if (plg_variants_count (a) != plg_variants_count (b))
    return FALSE;
  for (int i = 0; i < plg_variants_count (a); i++)
    {
      const PlgVariant *first = plg_variants_nth (a, i), *second = plg_variants_nth (b, i);

      if (strcmp (first->name, second->name) != 0 || !plg_plan_equal (first->plan, second->plan))
        return FALSE;
    }
  return TRUE;
}

/* Checks NAME for the variant at INDEX, or for a new variant if INDEX is -1. */
static gboolean
check_name (const PlgVariants *variants, int index, const char *name, GError **error)
{
  g_autofree char *shown = plg_text_sanitize_excerpt (name, PLG_MAX_VARIANT_NAME);
  int found = plg_variants_find (variants, name);

  if (*name == '\0')
    g_set_error_literal (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
                         _ ("The variant has no name; give it a name."));
  else if (!g_utf8_validate (name, -1, NULL) || strpbrk (name, "\r\n\t") != NULL)
    g_set_error (
        error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
        _ ("The name of a variant is one line of text, but “%s” has a line break, a tab or "
           "invalid characters; leave them out."),
        shown);
  else if (g_utf8_strlen (name, -1) > PLG_MAX_VARIANT_NAME)
    g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
                 _ ("The name of a variant has at most %d characters, but “%s…” has %ld; shorten "
                    "it."),
                 PLG_MAX_VARIANT_NAME, shown, g_utf8_strlen (name, -1));
  else if (found >= 0 && found != index)
    g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
                 _ ("Another variant is named “%s”; choose another name."), shown);
  else
    return TRUE;
  return FALSE;
}

PlgVariants *
plg_variants_add (const PlgVariants *variants,
                  const char *name,
                  const PlgPlan *plan,
                  GError **error)
{
  PlgVariants *list;
  PlgVariant variant;

  g_return_val_if_fail (name != NULL && plan != NULL, NULL);

  if (plg_variants_count (variants) == PLG_MAX_VARIANTS)
    {
      g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
                   _ ("A plan has at most %d variants; delete one first."), PLG_MAX_VARIANTS);
      return NULL;
    }
  if (!check_name (variants, -1, name, error))
    return NULL;
  list = variants_copy (variants);
  variant = (PlgVariant) { g_strdup (name), plg_plan_copy (plan) };
  g_free (variant.plan->title);
  variant.plan->title = g_strdup ("");
  g_free (variant.plan->notes);
  variant.plan->notes = g_strdup ("");
  variant.plan->view = (PlgView) { 0 };
  g_clear_pointer (&variant.plan->variants, plg_variants_unref);
  g_array_append_val (list->list, variant);
  return list;
}

PlgVariants *
plg_variants_rename (const PlgVariants *variants, int index, const char *name, GError **error)
{
  PlgVariants *list;
  PlgVariant *variant;

  g_return_val_if_fail (index >= 0 && index < plg_variants_count (variants), NULL);

  if (!check_name (variants, index, name, error))
    return NULL;
  list = variants_copy (variants);
  variant = &g_array_index (list->list, PlgVariant, index);
  g_free (variant->name);
  variant->name = g_strdup (name);
  return list;
}

PlgVariants *
plg_variants_remove (const PlgVariants *variants, int index)
{
  PlgVariants *list;

  g_return_val_if_fail (index >= 0 && index < plg_variants_count (variants), NULL);

  if (plg_variants_count (variants) == 1)
    return NULL;
  list = variants_copy (variants);
  g_array_remove_index (list->list, index);
  return list;
}

char *
plg_variants_free_name (const PlgVariants *variants, const char *wanted)
{
  /* Leave room for a space and a number. */
  g_autofree char *start = g_utf8_substring (wanted, 0,
                                             MIN (g_utf8_strlen (wanted, -1),
                                                  PLG_MAX_VARIANT_NAME - 4));

  if (plg_variants_find (variants, start) < 0)
    return g_steal_pointer (&start);
  for (int i = 2;; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s %d", start, i);

      if (plg_variants_find (variants, name) < 0)
        return g_steal_pointer (&name);
    }
}

PlgPlan *
plg_variant_apply (const PlgVariant *variant, const PlgPlan *plan)
{
  PlgPlan *applied = plg_plan_copy (variant->plan);

  g_free (applied->title);
  applied->title = g_strdup (plan->title);
  g_free (applied->notes);
  applied->notes = g_strdup (plan->notes);
  applied->view = plan->view;
  applied->variants = plg_variants_ref (plan->variants);
  return applied;
}
