/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The catalogue's name of a GPU by its PCI numbers, or NULL. */
const char *plg_gpu_from_device_id (guint vendor, guint device);
/* The usual GPU of a compute capability (90 for 9.0) or of AMD's architecture ("gfx942") with so
 * many NVLinks, or NULL: others have the same. */
const char *plg_gpu_from_architecture (int sm, const char *gcn, int links);
/* Bytes/s and direction of one NVLink, or xGMI link, as stated; 0: not known. */
double plg_gpu_link_rate (int sm, const char *gcn);
/* What NCCL and RCCL plan with for it. */
double plg_gpu_nccl_link_rate (int sm, const char *gcn);
/* From CPU to CPU, bytes/s, as NCCL takes it (src/graph/topo.h), since no vendor states it; 0: of
 * an unknown CPU. ARCH is "x86_64", "arm64" or "ppc64", VENDOR as the CPU calls itself. */
double plg_cpu_link_rate (const char *arch, const char *vendor, int family, int model);

G_END_DECLS
