/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/frameworks/hf-config.h"

G_BEGIN_DECLS

/* Reads the layers with Mamba-2 or a gated delta net of a hybrid model. Other models are left as they
 * are. The experts must have been read first. */
gboolean plg_hf_read_mixer (PlgHfConfig *config);

G_END_DECLS
