/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns transformers' default of MEMBER for the model type TYPE; 0 if its class has no default
 * or the type is unknown. MEMBER is the current name of a member of the configuration. The
 * defaults are needed only for nested models, because only their configurations omit default
 * values (PreTrainedConfig.to_diff_dict() in src/transformers/configuration_utils.py). */
gint64 plg_hf_default (const char *type, const char *member);

G_END_DECLS
