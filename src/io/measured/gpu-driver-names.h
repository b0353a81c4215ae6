/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the catalogue's name of the GPU with a driver's name such as "NVIDIA H100 80GB HBM3", or
 * NULL. */
const char *plg_gpu_from_driver_name (const char *device);

G_END_DECLS
