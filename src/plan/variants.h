/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _PlgPlan PlgPlan;

/* maximum number of variants in a plan */
#define PLG_MAX_VARIANTS 32
/* maximum length of the name of a variant [characters] */
#define PLG_MAX_VARIANT_NAME 60

/* A design that is kept under a name inside a plan: cluster, model, training, parallelism and
 * placement, without title, notes and view, which belong to the plan. The list owns both members,
 * which nobody may change. */
typedef struct
{
  char *name;    /* one line, at most PLG_MAX_VARIANT_NAME characters */
  PlgPlan *plan; /* has no title, no notes, the default view and no variants */
} PlgVariant;

/* The variants of a plan, in order. The list is immutable and reference-counted, so that a copy of
 * a plan shares it. NULL is an empty list; the last removal returns NULL. Names are unique. */
typedef struct _PlgVariants PlgVariants;

/* Returns VARIANTS with another reference, or NULL for NULL. Free with plg_variants_unref(). */
PlgVariants *plg_variants_ref (PlgVariants *variants);
/* Removes a reference, in any thread. VARIANTS may be NULL. */
void plg_variants_unref (PlgVariants *variants);
/* Returns the number of variants, 0 .. PLG_MAX_VARIANTS. */
int plg_variants_count (const PlgVariants *variants);
/* Returns the variant at INDEX, which must be below plg_variants_count(). Borrowed from
 * VARIANTS. */
const PlgVariant *plg_variants_nth (const PlgVariants *variants, int index);
/* Returns the index of the variant NAME, or -1. */
int plg_variants_find (const PlgVariants *variants, const char *name);
/* Returns TRUE if both lists have the same names and designs in the same order. */
gboolean plg_variants_equal (const PlgVariants *a, const PlgVariants *b);

/* plg_variants_add:
 * @variants: (nullable): the list, which is unchanged
 * @name: the name: one line of 1 to %PLG_MAX_VARIANT_NAME characters that no other variant has
 * @plan: the plan whose design is copied; it must pass plg_plan_check()
 *
 * Returns: (transfer full) (nullable): the list with the variant at its end, or %NULL with @error
 *   (PLG_PLAN_ERROR_RANGE) if the name is not allowed or the list is full */
PlgVariants *plg_variants_add (const PlgVariants *variants,
                               const char *name,
                               const PlgPlan *plan,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Returns a new list with the new NAME of the variant at INDEX, or NULL with ERROR as for
 * plg_variants_add(). VARIANTS is unchanged. */
PlgVariants *plg_variants_rename (const PlgVariants *variants,
                                  int index,
                                  const char *name,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Returns a new list without the variant at INDEX, or NULL if the list is then empty. VARIANTS is
 * unchanged. */
PlgVariants *plg_variants_remove (const PlgVariants *variants, int index) G_GNUC_WARN_UNUSED_RESULT;
/* Returns WANTED shortened to the maximum length or, if a variant has this name, WANTED followed by
 * a number. Free with g_free(). */
char *plg_variants_free_name (const PlgVariants *variants,
                              const char *wanted) G_GNUC_WARN_UNUSED_RESULT;

/* Returns a copy of PLAN with the design of VARIANT. Title, notes, view and variants are those of
 * PLAN. Free with plg_plan_free(). */
PlgPlan *plg_variant_apply (const PlgVariant *variant,
                            const PlgPlan *plan) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgVariants, plg_variants_unref)

G_END_DECLS
