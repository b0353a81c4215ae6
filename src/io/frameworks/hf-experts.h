/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/frameworks/hf-config.h"

G_BEGIN_DECLS

/* Reads the experts, the shared experts and the layers without experts. The number of layers
 * must have been read. A file without experts is valid. */
gboolean plg_hf_read_experts (PlgHfConfig *config);

G_END_DECLS
