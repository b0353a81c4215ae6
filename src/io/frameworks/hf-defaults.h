/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the default of a member (by today's name) in the class of transformers for a type of
 * model; 0 if the class has none or the type is unknown. Only a nested model omits its class's
 * defaults (PreTrainedConfig.to_diff_dict() in src/transformers/configuration_utils.py). */
gint64 plg_hf_default (const char *type, const char *member);

G_END_DECLS
