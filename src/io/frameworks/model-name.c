/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/model-name.h"

#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>

/* Returns whether two models have the same dimensions. Compares the vocabularies only if
 * HAS_VOCABULARY is TRUE. */
static gboolean
same_dimensions (const PlgTransformer *model, const PlgTransformer *other, gboolean has_vocabulary)
{
  PlgTransformer renamed = *model;

  renamed.vocabulary = has_vocabulary ? model->vocabulary : other->vocabulary;
  g_strlcpy (renamed.name, other->name, sizeof renamed.name);
  g_strlcpy (renamed.title, other->title, sizeof renamed.title);
  return plg_transformer_equal (&renamed, other);
}

gboolean
plg_import_name_model (PlgImportContext *context, GError **error)
{
  g_autoptr (PlgPlan) plan = plg_import_current_plan (context);
  gboolean has_vocabulary = plg_import_get (context, "model.vocabulary") != NULL;

  if (same_dimensions (&plan->model, &context->plan->model, has_vocabulary))
    return TRUE;
  for (int i = 0; i < plg_catalogue_n_models (context->catalogue); i++)
    {
      const PlgTransformer *model = plg_catalogue_nth_model (context->catalogue, i);

      if (same_dimensions (&plan->model, model, has_vocabulary))
        return plg_import_infer (context, 0, "model.name", model->name,
                                 _ ("The catalogue has exactly this model."), error);
    }
  return plg_import_infer (context, 0, "model.name", "custom",
                           _ ("The catalogue has no model with these dimensions."), error);
}
