/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"
#include "syntax/json-reader.h"

G_BEGIN_DECLS

/* Adds a note if some layers do not attend to the whole sequence, because plans assume full
 * attention. BLOCK is the JSON object that describes the model in a config.json. Adds the
 * members that it reads to USED. */
void plg_hf_note_attention (PlgImportContext *context, const PlgJsonValue *block, GHashTable *used);

G_END_DECLS
