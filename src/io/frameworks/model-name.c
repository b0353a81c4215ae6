/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/frameworks/model-name.h"

#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>

/* WORDS: of the vocabulary, too. */
static gboolean
same_dimensions (const PlgTransformer *model, const PlgTransformer *other, gboolean words)
{
  PlgTransformer renamed = *model;

  renamed.vocabulary = words ? model->vocabulary : other->vocabulary;
  g_strlcpy (renamed.name, other->name, sizeof renamed.name);
  g_strlcpy (renamed.title, other->title, sizeof renamed.title);
  return plg_transformer_equal (&renamed, other);
}

gboolean
plg_import_name_model (PlgImportContext *context, GError **error)
{
  g_autoptr (PlgPlan) said = plg_import_current_plan (context);
  gboolean words = plg_import_get (context, "model.vocabulary") != NULL;

  if (same_dimensions (&said->model, &context->plan->model, words))
    return TRUE;
  for (int i = 0; i < plg_catalogue_n_models (context->catalogue); i++)
    {
      const PlgTransformer *model = plg_catalogue_nth_model (context->catalogue, i);

      if (same_dimensions (&said->model, model, words))
        return plg_import_infer (context, 0, "model.name", model->name,
                                 _ ("The catalogue has exactly this model."), error);
    }
  return plg_import_infer (context, 0, "model.name", "custom",
                           _ ("The catalogue has none of these dimensions."), error);
}
