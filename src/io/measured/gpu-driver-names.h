/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the catalogue's name for the GPU that the driver calls DEVICE, such as "NVIDIA H100
 * 80GB HBM3"; NULL if unknown. */
const char *plg_gpu_from_driver_name (const char *device);

G_END_DECLS
