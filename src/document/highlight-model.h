/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"
#include "engine/report/report.h"

#include <glib-object.h>

G_BEGIN_DECLS

/* The entity under the pointer and the entities that are pinned for comparison. All widgets of a
 * document share the model, so that a row of a table highlights links of the cluster, and a link
 * highlights the row. The model is not part of the plan: it is neither saved nor undone. Each
 * report numbers links and collectives anew, but a pin follows its link or collective, and is
 * inactive while a report does not have it. */
#define PLG_TYPE_HIGHLIGHT_MODEL (plg_highlight_model_get_type ())
G_DECLARE_FINAL_TYPE (PlgHighlightModel, plg_highlight_model, PLG, HIGHLIGHT_MODEL, GObject)

/* Signal "changed": the highlighted entities have changed. */

PlgHighlightModel *plg_highlight_model_new (void);

/* Returns the pinned entities in the order of their pins, then the entity under the pointer: *N
 * entities, of which the first *N_PINS are pinned; both may be NULL. Borrowed until the next
 * change. */
const PlgEntity *plg_highlight_model_entities (PlgHighlightModel *self, int *n, int *n_pins);

/* Sets the entity under the pointer or the focus; the kind NONE clears it. */
void plg_highlight_model_set_hovered (PlgHighlightModel *self, PlgEntity entity);
PlgEntity plg_highlight_model_hovered (PlgHighlightModel *self);

/* Pins the entity, or removes its pin. */
void plg_highlight_model_toggle (PlgHighlightModel *self, PlgEntity entity);
gboolean plg_highlight_model_is_pinned (PlgHighlightModel *self, PlgEntity entity);
/* Removes all pins; returns FALSE when there are none. */
gboolean plg_highlight_model_unpin_all (PlgHighlightModel *self);

/* Sets REPORT, borrowed until the next call, as the report of links and collectives; NULL
 * removes them. Called by the document before it emits "changed". The model emits its own
 * "changed" when a number changes. */
void plg_highlight_model_set_report (PlgHighlightModel *self, const PlgReport *report);

G_END_DECLS
