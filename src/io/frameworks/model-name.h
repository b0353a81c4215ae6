/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* Names the imported model after the model in the catalogue with the same dimensions, or else
 * "custom". A model equal to the open plan's model keeps its name. A missing vocabulary is taken
 * from the model in the catalogue, so all other values must have been read. */
gboolean plg_import_name_model (PlgImportContext *context, GError **error);

G_END_DECLS
