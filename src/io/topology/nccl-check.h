/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/import-context.h"

G_BEGIN_DECLS

/* Reads OUT, a file of NCCL's, and compares the ways in it with those of MAP. Where NCCL goes
 * through a third GPU, a remark in OUT says so; FALSE with ERROR where a way is another one. */
gboolean plg_nccl_check_again (GString *out, const PlgNodeTopology *map, GError **error);

G_END_DECLS
