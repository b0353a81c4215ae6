/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the default of MEMBER (its current name) in transformers' class for the model type
 * TYPE; 0 if the class has no default or the type is unknown. Only the configuration of a nested
 * model omits its class's defaults (PreTrainedConfig.to_diff_dict() in
 * src/transformers/configuration_utils.py). */
gint64 plg_hf_default (const char *type, const char *member);

G_END_DECLS
