/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Text for LaTeX. Characters are not replaced by commands, so the source is readable and works
 * with every engine. The preamble declares the characters that pdfTeX's oldest fonts (OT1) lack. */

/* Appends TEXT without control characters and with the special characters of TeX escaped. */
void plg_latex_text (GString *out, const char *text);

/* Adds the characters of TEXT that need a declaration to the set CHARACTERS, whose keys are made
 * with GUINT_TO_POINTER(). */
void plg_latex_collect (GHashTable *characters, const char *text);

/* Appends the declarations of CHARACTERS in the order of code points. With pdfTeX, a character
 * that has no command becomes a question mark; LuaTeX and XeTeX take the character from their
 * font. */
void plg_latex_declare (GString *out, GHashTable *characters);

G_END_DECLS
