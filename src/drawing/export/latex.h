/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Text for LaTeX. Letters stay what they are, so that the source can be read and every engine can
 * set it; what pdfTeX's oldest fonts (OT1) lack is declared in the preamble. */

/* TEXT with all that means something to TeX escaped; control characters are left out. */
void plg_latex_text (GString *out, const char *text);

/* Puts the characters of TEXT that need a declaration into the set CHARACTERS (GUINT_TO_POINTER of
 * each). */
void plg_latex_collect (GHashTable *characters, const char *text);

/* The declarations of CHARACTERS, by code point. What no command makes becomes a question mark
 * with pdfTeX; LuaTeX and XeTeX take it from their font. */
void plg_latex_declare (GString *out, GHashTable *characters);

G_END_DECLS
