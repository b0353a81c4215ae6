/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"
#include "syntax/json-reader.h"

G_BEGIN_DECLS

/* Notes the layers that do not attend to the whole sequence, which a plan counts in full. BLOCK is
 * the model in a config.json; the members that were read are added to USED. */
void plg_hf_note_attention (PlgImportContext *context, const PlgJsonValue *block, GHashTable *used);

G_END_DECLS
