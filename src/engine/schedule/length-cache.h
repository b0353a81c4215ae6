/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

/* The lengths of pipelines that several plans share, so that each is computed once. The caller
 * chooses a key for each pipeline. */
typedef struct _PlgLengthCache PlgLengthCache;

/* Returns an empty cache. Free with plg_length_cache_free(). */
PlgLengthCache *plg_length_cache_new (void);
void plg_length_cache_free (PlgLengthCache *cache);
/* Forgets all lengths. */
void plg_length_cache_clear (PlgLengthCache *cache);

/* Like plg_pipeline_length(), but looks in CACHE first. All pipelines with the same KEY since the
 * cache was cleared must be equal. */
void plg_length_cache_get (PlgLengthCache *cache,
                           guint64 key,
                           const PlgPipeline *pipeline,
                           GArray *blocks,
                           PlgStageSpan *spans,
                           PlgPipelineResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgLengthCache, plg_length_cache_free)

G_END_DECLS
