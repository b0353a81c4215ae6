/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/registry/format.h"

G_BEGIN_DECLS

/* Says why DATA, which no format takes for its own, cannot be read. Where it is XML, JSON, TOML or
 * YAML by its looks, but broken, "LINE: what is wrong"; where it is not broken, the format that
 * is nearest. NAME, of the file, decides where looks do not. A NUL follows DATA. Returns FALSE. */
gboolean plg_detect_error_set (const char *data, gsize size, const char *name, GError **error);

/* What is wrong about BYTE, where a file ends to be text. g_free(). */
char *plg_bad_byte_describe (char byte);

G_END_DECLS
