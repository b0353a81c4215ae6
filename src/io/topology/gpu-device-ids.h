/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the catalogue's name for the GPU with these PCI ids, or NULL. */
const char *plg_gpu_from_device_id (guint vendor, guint device);

/* plg_gpu_from_architecture:
 * @sm: the compute capability, for example 90 for 9.0
 * @gcn: AMD's architecture, such as "gfx942"; "" for NVIDIA
 * @links: the number of NVLinks of the GPU
 *
 * Guesses a GPU from its architecture. Several GPUs can share an architecture.
 *
 * Returns: (nullable): the catalogue's name of the most common GPU */
const char *plg_gpu_from_architecture (int sm, const char *gcn, int links);

/* Returns the stated rate of one NVLink or xGMI link [bytes/s per direction]; 0 if unknown. */
double plg_gpu_link_rate (int sm, const char *gcn);

/* Returns the rate that NCCL or RCCL assumes for one link [bytes/s per direction]. */
double plg_gpu_nccl_link_rate (int sm, const char *gcn);

/* plg_cpu_link_rate:
 * @arch: "x86_64", "arm64" or "ppc64"
 * @vendor: (nullable): the vendor's name as the CPU reports it
 * @family: the CPU's family
 * @model: the CPU's model
 *
 * Looks up the rate that NCCL assumes between two CPUs (src/graph/topo.h), because the vendors
 * publish no such rate.
 *
 * Returns: the rate [bytes/s]; 0 for an unknown CPU */
double plg_cpu_link_rate (const char *arch, const char *vendor, int family, int model);

G_END_DECLS
