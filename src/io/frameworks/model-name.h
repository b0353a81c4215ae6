/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* Names the imported model after the catalogue's model with the same dimensions, or "custom" if
 * the catalogue has no such model. A model equal to the open plan's model keeps its name. The
 * model's other values must have been read first, because a missing vocabulary is copied from
 * the catalogue's model. */
gboolean plg_import_name_model (PlgImportContext *context, GError **error);

G_END_DECLS
