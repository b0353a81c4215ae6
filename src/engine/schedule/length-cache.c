/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/schedule/length-cache.h"

#include <string.h>

/* The cache keeps the spans of at most this number of stages, about 2 MB. */
#define MAX_STAGES 65536

/* A computed length. */
typedef struct
{
  guint64 key;
  PlgPipelineResult result;
  PlgStageSpan spans[];
} Length;

struct _PlgLengthCache
{
  GHashTable *lengths; /* Length by its key */
  int stages;          /* number of spans in all lengths */
};

PlgLengthCache *
plg_length_cache_new (void)
{
  PlgLengthCache *cache = g_new0 (PlgLengthCache, 1);

  cache->lengths = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  return cache;
}

void
plg_length_cache_free (PlgLengthCache *cache)
{
  if (cache == NULL)
    return;
  g_hash_table_unref (cache->lengths);
  g_free (cache);
}

void
plg_length_cache_clear (PlgLengthCache *cache)
{
  g_hash_table_remove_all (cache->lengths);
  cache->stages = 0;
}

void
plg_length_cache_get (PlgLengthCache *cache,
                      guint64 key,
                      const PlgPipeline *pipeline,
                      GArray *blocks,
                      PlgStageSpan *spans,
                      PlgPipelineResult *result)
{
  gsize size = pipeline->stages * sizeof *spans;
  Length *length = g_hash_table_lookup (cache->lengths, &key);

  if (length == NULL)
    {
      plg_pipeline_length (pipeline, blocks, spans, result);
      if (cache->stages > MAX_STAGES)
        plg_length_cache_clear (cache);
      length = g_malloc (sizeof *length + size);
      length->key = key;
      length->result = *result;
      memcpy (length->spans, spans, size);
      g_hash_table_insert (cache->lengths, &length->key, length);
      cache->stages += pipeline->stages;
      return;
    }
  *result = length->result;
  memcpy (spans, length->spans, size);
}
