/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Text for LaTeX. Letters are not replaced, so the source stays readable and works with every
 * engine; the preamble declares the characters that the oldest fonts of pdfTeX (OT1) lack. */

/* Appends TEXT with the special characters of TeX escaped and without control characters. */
void plg_latex_text (GString *out, const char *text);

/* Adds the characters of TEXT that need a declaration to the set CHARACTERS (GUINT_TO_POINTER). */
void plg_latex_collect (GHashTable *characters, const char *text);

/* Appends the declarations of CHARACTERS, by code point. With pdfTeX, a character without a command
 * becomes a question mark; LuaTeX and XeTeX take the character from their font. */
void plg_latex_declare (GString *out, GHashTable *characters);

G_END_DECLS
