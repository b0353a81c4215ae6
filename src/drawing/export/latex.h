/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Functions that write text for LaTeX. Characters outside ASCII are kept, so the source is
 * readable. It works with every engine, because the preamble declares the characters that
 * pdfTeX's oldest fonts (OT1) lack. */

/* Appends TEXT without control characters and with the special characters of TeX escaped. */
void plg_latex_text (GString *out, const char *text);

/* Adds the printable non-ASCII characters of TEXT to the set CHARACTERS, because each of them
 * needs a declaration. The keys of the set are made with GUINT_TO_POINTER(). */
void plg_latex_collect (GHashTable *characters, const char *text);

/* Appends the declarations of CHARACTERS, sorted by code point. With pdfTeX, a character without
 * a command becomes a question mark. LuaTeX and XeTeX take the character from their font. */
void plg_latex_declare (GString *out, GHashTable *characters);

G_END_DECLS
