/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "widgets/tables/link-list.h"

G_BEGIN_DECLS

/* What the table of links says of the link with the number INDEX. g_free(). */
char *plg_link_cell_text (PlgDocument *document, int index, PlgLinkColumn column);
const char *plg_link_column_title (PlgLinkColumn column); /* translated */
gboolean plg_link_column_is_text (PlgLinkColumn column);  /* else a number */
/* Its whole row, for ears. g_free(). */
char *plg_link_row_describe (PlgDocument *document, int index);

G_END_DECLS
