/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/frameworks/hf-config.h"

G_BEGIN_DECLS

/* Reads the window of layers with local attention, and which layers see the whole sequence. The
 * number of layers must have been read. */
gboolean plg_hf_read_attention (PlgHfConfig *config);

G_END_DECLS
