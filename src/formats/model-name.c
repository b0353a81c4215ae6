/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/model-name.h"

#include "plan/setting.h"

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
plg_reading_name_model (PlgReading *reading, GError **error)
{
  g_autoptr (PlgPlan) said = plg_reading_plan_so_far (reading);
  gboolean words = plg_reading_get (reading, "model.vocabulary") != NULL;

  if (same_dimensions (&said->model, &reading->plan->model, words))
    return TRUE;
  for (int i = 0; i < plg_catalogue_n_models (reading->catalogue); i++)
    {
      const PlgTransformer *model = plg_catalogue_nth_model (reading->catalogue, i);

      if (same_dimensions (&said->model, model, words))
        return plg_reading_infer (reading, 0, "model.name", model->name,
                                  _ ("The catalogue has exactly this model."), error);
    }
  return plg_reading_infer (reading, 0, "model.name", "custom",
                            _ ("The catalogue has none of these dimensions."), error);
}
