/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "widgets/tables/link-list.h"

G_BEGIN_DECLS

/* Returns the text of one cell in the link table (transfer full). */
char *plg_link_cell_text (PlgDocument *document,
                          int index,
                          PlgLinkColumn column) G_GNUC_WARN_UNUSED_RESULT;
/* Returns the translated title of COLUMN. */
const char *plg_link_column_title (PlgLinkColumn column);
/* Returns whether the column contains text; the other columns contain numbers. */
gboolean plg_link_column_is_text (PlgLinkColumn column);
/* Returns the whole row as text for assistive technology (transfer full). */
char *plg_link_row_describe (PlgDocument *document, int index) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
