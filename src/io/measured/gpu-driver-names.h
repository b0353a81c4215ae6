/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The catalogue's name of the GPU that a driver calls DEVICE, such as "NVIDIA H100 80GB HBM3"; NULL
 * for one that it does not have. */
const char *plg_gpu_from_driver_name (const char *device);

G_END_DECLS
