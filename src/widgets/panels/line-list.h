/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A box of selectable lines of text that are written again after each change of the plan. Lines are
 * reused, because GTK cannot restore the focus and the selection in a new label. */

/* plg_line_list_set:
 * @line: (inout): the line to write, or %NULL to append one; afterwards the next line
 * @css_class: (nullable): the only style class of the line
 *
 * Begin with the first child of @box in *@line, call once for each line, and end with
 * plg_line_list_end(). */
void plg_line_list_set (GtkBox *box, GtkWidget **line, const char *text, const char *css_class);

/* Removes LINE and all lines after it. If one of them has the focus, the focus goes to FALLBACK. */
void plg_line_list_end (GtkBox *box, GtkWidget *line, GtkWidget *fallback);

G_END_DECLS
