/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* Calls the model of READING what the catalogue calls one of the same dimensions, else "custom";
 * that of the open plan keeps its name. A vocabulary that nobody said is that of the model which is
 * found. To be called when all of it was said. */
gboolean plg_import_name_model (PlgImportContext *context, GError **error);

G_END_DECLS
