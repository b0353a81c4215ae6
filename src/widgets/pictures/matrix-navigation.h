/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/pictures/picture-view.h"

G_BEGIN_DECLS

/* plg_matrix_navigation_install:
 * @view: a view of the pair matrix
 * @document: the document of the view
 *
 * Makes the cells of the matrix accessible by keyboard. Arrows move to the next cell; Home and
 * End move to the ends of the row or, with Ctrl, to the first and last cell. The current cell is
 * framed, and a screen reader reads it. Enter or a double click shows the nodes or GPUs in the
 * cell; Escape or Backspace returns to the enclosing part of the cluster.
 *
 * Returns: (transfer none): the actions "enter", "leave" and "show", which @view offers with the
 *   prefix "pair"; the parameter of "show" has the type (ii) and contains the first node and the
 *   number of nodes */
GActionGroup *plg_matrix_navigation_install (PlgPictureView *view, PlgDocument *document);

G_END_DECLS
