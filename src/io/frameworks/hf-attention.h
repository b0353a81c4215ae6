/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/json-reader.h"

G_BEGIN_DECLS

/* Tells what BLOCK, the model of a config.json, says of layers that do not attend to the whole
 * sequence, which a plan counts as if they did, and adds the members to USED. */
void plg_hf_note_attention (PlgImportContext *context, const PlgJsonValue *block, GHashTable *used);

G_END_DECLS
