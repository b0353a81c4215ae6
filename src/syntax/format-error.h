/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "syntax/file-position.h"

#include <stdarg.h>

G_BEGIN_DECLS

/* The errors of all file formats. Each error carries its position in the file. */
typedef enum
{
  PLG_FORMAT_ERROR_SYNTAX,    /* the file is not well-formed */
  PLG_FORMAT_ERROR_CONTENT,   /* the file is well-formed, but has an impossible value, name or
                                 placement of ranks */
  PLG_FORMAT_ERROR_UNSAFE,    /* the file has a DOCTYPE or an entity, is too large or is nested
                                 too deeply */
  PLG_FORMAT_ERROR_UNKNOWN,   /* the format of the file is not recognised */
  PLG_FORMAT_ERROR_PLACEMENT, /* the file was not written, because its format cannot store the
                                 placement of ranks */
} PlgFormatError;
#define PLG_FORMAT_ERROR (plg_format_error_quark ())
GQuark plg_format_error_quark (void);

/* Returns the position stored in ERROR. The line is 0 if the domain of ERROR is not
 * PLG_FORMAT_ERROR. */
PlgFilePosition plg_format_error_position (const GError *error);
/* Stores POSITION in ERROR, whose domain is PLG_FORMAT_ERROR, and inserts it at the start of the
 * message. */
void plg_format_error_add_position (GError **error, PlgFilePosition position);

/* The maximum size of a file [bytes]. Larger files are not read. */
#define PLG_MAX_FILE_BYTES (16 << 20)

/* Sets a PLG_FORMAT_ERROR with the message "LINE: MESSAGE", or "MESSAGE" if LINE is 0. Returns
 * FALSE. */
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

/* Returns a translated message for a file that is not valid UTF-8. BYTE is the first invalid
 * byte. Free with g_free(). */
char *plg_bad_byte_describe (char byte);

G_END_DECLS
