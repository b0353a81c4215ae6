/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/document-private.h"

#include <glib/gi18n-lib.h>

/* Makes VARIANTS (transfer full) the variants of the plan in one undo step named LABEL. */
static gboolean
set_variants (PlgDocument *self, PlgVariants *variants, const char *label, GError **error)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (self));

  plg_variants_unref (plan->variants);
  plan->variants = variants;
  return plg_document_apply (self, plan, label, NULL, error);
}

static const PlgVariants *
variants_of (PlgDocument *self)
{
  return plg_document_committed_plan (self)->variants;
}

/* Returns a name for the plan that the user sees such as "TP 8, PP 4, DP 2" that no variant has. */
static char *
suggest_name (PlgDocument *self)
{
  const PlgPlan *plan = plg_document_plan (self);
  g_autoptr (GString) name = g_string_new (NULL);

  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    if (plan->parallelism.degree[axis] > 1)
      g_string_append_printf (name, "%s%s %d", name->len > 0 ? ", " : "", plg_axis_label (axis),
                              plan->parallelism.degree[axis]);
  if (name->len == 0)
    g_string_append (name, _ ("1 GPU"));
  return plg_variants_free_name (variants_of (self), name->str);
}

gboolean
plg_document_add_variant (PlgDocument *self, const char *name, GError **error)
{
  g_autofree char *own_name = NULL;
  g_autofree char *label = NULL;
  const PlgPlan *plan;
  PlgVariants *variants;

  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);

  plan = plg_document_plan (self);
  for (int i = 0; i < plg_variants_count (variants_of (self)); i++)
    {
      const PlgVariant *variant = plg_variants_nth (variants_of (self), i);
      g_autoptr (PlgPlan) other = plg_variant_apply (variant, plan);

      if (!plg_plan_same_design (other, plan))
        continue;
      g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE,
                   _ ("The variant “%s” has this design already"), variant->name);
      return FALSE;
    }
  own_name = name != NULL ? g_strdup (name) : suggest_name (self);
  variants = plg_variants_add (variants_of (self), own_name, plan, error);
  label = g_strdup_printf (_ ("Add variant “%s”"), own_name);
  return variants != NULL && set_variants (self, variants, label, error);
}

gboolean
plg_document_rename_variant (PlgDocument *self, int index, const char *name, GError **error)
{
  g_autofree char *label = NULL;
  PlgVariants *variants;

  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);
  g_return_val_if_fail (index >= 0 && index < plg_variants_count (variants_of (self)), FALSE);

  variants = plg_variants_rename (variants_of (self), index, name, error);
  label = g_strdup_printf (_ ("Name variant “%s”"), name);
  return variants != NULL && set_variants (self, variants, label, error);
}

gboolean
plg_document_remove_variant (PlgDocument *self, int index, GError **error)
{
  g_autofree char *label = NULL;

  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);
  g_return_val_if_fail (index >= 0 && index < plg_variants_count (variants_of (self)), FALSE);

  label = g_strdup_printf (_ ("Delete variant “%s”"),
                           plg_variants_nth (variants_of (self), index)->name);
  return set_variants (self, plg_variants_remove (variants_of (self), index), label, error);
}

gboolean
plg_document_switch_to_variant (PlgDocument *self, int index, GError **error)
{
  const PlgVariant *variant;
  g_autofree char *label = NULL;
  g_autoptr (PlgPlan) plan = NULL;

  g_return_val_if_fail (PLG_IS_DOCUMENT (self), FALSE);
  g_return_val_if_fail (index >= 0 && index < plg_variants_count (variants_of (self)), FALSE);

  variant = plg_variants_nth (variants_of (self), index);
  label = g_strdup_printf (_ ("Switch to variant “%s”"), variant->name);
  plan = plg_variant_apply (variant, plg_document_committed_plan (self));
  return plg_document_apply (self, plan, label, NULL, error);
}
