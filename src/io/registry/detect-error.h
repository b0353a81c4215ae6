/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/registry.h"

G_BEGIN_DECLS

/* plg_detect_error_set:
 * @data: content of a file without a known format, NUL-terminated
 * @name: the file's name, which determines the syntax if the content does not
 *
 * Sets @error to the syntax error "LINE: …" of broken XML, JSON, TOML or YAML. If the syntax is
 * valid, @error names the most similar format.
 *
 * Returns: %FALSE */
gboolean plg_detect_error_set (const char *data, gsize size, const char *name, GError **error);

G_END_DECLS
