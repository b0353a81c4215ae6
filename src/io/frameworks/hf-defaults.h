/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What the class of transformers for models of TYPE takes for MEMBER, by its name of today, where a
 * file leaves it out; 0: it takes none, or the type is not known. A model inside another is written
 * without what is the default of its class (PreTrainedConfig.to_diff_dict() of
 * src/transformers/configuration_utils.py); one of its own is written whole. */
gint64 plg_hf_default (const char *type, const char *member);

G_END_DECLS
