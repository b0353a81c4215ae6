/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"
#include "engine/report/report.h"

#include <glib-object.h>

G_BEGIN_DECLS

/* The entity under the pointer and the entities that are pinned for comparison. All widgets of a
 * document share the model, so that a table row highlights links in the cluster, and a link
 * highlights its row. The model is not part of the plan, so it is neither saved nor undone. Each
 * report renumbers links and collectives, but a pin follows its link or collective. A pin is
 * inactive while the report does not contain its entity. */
#define PLG_TYPE_HIGHLIGHT_MODEL (plg_highlight_model_get_type ())
G_DECLARE_FINAL_TYPE (PlgHighlightModel, plg_highlight_model, PLG, HIGHLIGHT_MODEL, GObject)

/* Signal "changed": the highlighted entities have changed. */

PlgHighlightModel *plg_highlight_model_new (void);

/* Returns *N entities: first *N_PINS pinned entities in the order in which they were pinned,
 * then the entity under the pointer. N and N_PINS may be NULL. Borrowed until the next change. */
const PlgEntity *plg_highlight_model_entities (PlgHighlightModel *self, int *n, int *n_pins);

/* Sets the entity under the pointer or with the focus. The kind NONE means that there is no such
 * entity. */
void plg_highlight_model_set_hovered (PlgHighlightModel *self, PlgEntity entity);
PlgEntity plg_highlight_model_hovered (PlgHighlightModel *self);

/* Pins ENTITY, or unpins ENTITY if it is pinned. */
void plg_highlight_model_toggle (PlgHighlightModel *self, PlgEntity entity);
gboolean plg_highlight_model_is_pinned (PlgHighlightModel *self, PlgEntity entity);
/* Removes all pins. Returns FALSE if nothing is pinned. */
gboolean plg_highlight_model_unpin_all (PlgHighlightModel *self);

/* Sets the report (borrowed until the next call) in which the model looks up links and
 * collectives; NULL removes the report. The document calls this function before it emits
 * "changed". The model emits its own "changed" if the index of an entity changes. */
void plg_highlight_model_set_report (PlgHighlightModel *self, const PlgReport *report);

G_END_DECLS
