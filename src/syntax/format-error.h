/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/file-position.h"

#include <stdarg.h>

G_BEGIN_DECLS

/* The errors of all file formats. Each error carries its position in the file. */
typedef enum
{
  PLG_FORMAT_ERROR_SYNTAX,    /* not well formed */
  PLG_FORMAT_ERROR_CONTENT,   /* the file is well-formed, but has an impossible value, name or
                                 placement */
  PLG_FORMAT_ERROR_UNSAFE,    /* the file has a DOCTYPE or an entity, or is too large or too deep */
  PLG_FORMAT_ERROR_UNKNOWN,   /* no known format */
  PLG_FORMAT_ERROR_PLACEMENT, /* the file was not written, because the format cannot store the
                                 placement */
} PlgFormatError;
#define PLG_FORMAT_ERROR (plg_format_error_quark ())
GQuark plg_format_error_quark (void);

/* Returns the position that ERROR carries; line 0 if the domain is not PLG_FORMAT_ERROR. */
PlgFilePosition plg_format_error_position (const GError *error);
/* Adds POSITION to an error of the domain PLG_FORMAT_ERROR, and to the start of its message. */
void plg_format_error_add_position (GError **error, PlgFilePosition position);

/* The maximum size of a file [bytes]. Larger files are not read. */
#define PLG_MAX_FILE_BYTES (16 << 20)

/* Sets a PLG_FORMAT_ERROR "LINE: MESSAGE", without the line if LINE is 0. Returns FALSE. */
gboolean plg_format_fail (int line, PlgFormatError code, GError **error, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
/* Sets a PLG_FORMAT_ERROR whose message begins with POSITION. Returns FALSE. */
gboolean plg_format_fail_valist (PlgFilePosition position,
                                 PlgFormatError code,
                                 GError **error,
                                 const char *format,
                                 va_list args) G_GNUC_PRINTF (4, 0);

/* Returns TEXT cut to at most MAXIMUM characters, for messages; free with g_free(). */
char *plg_text_excerpt (const char *text, int maximum);

/* Returns a translated message for a file that is not UTF-8 text because of BYTE, its first
 * invalid byte; free with g_free(). */
char *plg_bad_byte_describe (char byte);

G_END_DECLS
