/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/pictures/picture-view.h"

G_BEGIN_DECLS

/* The matrix of pairs by keys: arrows go from cell to cell, Home and End to the ends of a row, with
 * Ctrl to the first and the last cell. The cell is framed and read. Enter and a double click show
 * what is in a cell, its nodes or GPUs, Escape and Backspace what was shown before.
 *
 * Returns the actions of it, which VIEW has as "pair", for whoever offers them elsewhere: "enter"
 * and "leave", and "show", with the first node and how many as (ii). Borrowed. */
GActionGroup *plg_matrix_navigation_install (PlgPictureView *view, PlgDocument *document);

G_END_DECLS
