/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/frameworks/hf-config.h"

G_BEGIN_DECLS

/* The experts of a model, those that all tokens share, and which layers have none. TRUE too where
 * the file has no experts. Its layers are read before. */
gboolean plg_hf_read_experts (PlgHfConfig *config);

G_END_DECLS
