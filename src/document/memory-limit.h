/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "plan/settings/setting.h"

G_BEGIN_DECLS

/* How far a setting of the open plan can go before the plan no longer fits in memory or is no
 * longer possible, for example “At most 19 280 tokens”. */
typedef struct
{
  const PlgSetting *setting;
  char *text;   /* translated: "At most 19 280 tokens" */
  char *reason; /* translated: the next value and the reason why it fails; NULL if there is no
                   further value */
} PlgMemoryLimit;

/* Returns TRUE if people ask for the limit of KEY: the fewest nodes, or the largest model,
 * sequence or micro-batch. */
gboolean plg_memory_limit_exists (const char *key);

/* Returns TRUE while a lesson hides a part of the report. There are no limits then, because a limit
 * could answer a question. */
gboolean plg_memory_limits_are_hidden (PlgDocument *document);

/* plg_memory_limits_find_async:
 * @keys: keys for which plg_memory_limit_exists(), NULL-terminated
 * @cancellable: (nullable): stops the work, which then ends with G_IO_ERROR_CANCELLED
 *
 * Finds the limits of the committed plan on another thread. The limits come from
 * plg_memory_limits_find_finish() as PlgMemoryLimit, in the order of @keys. There are no limits
 * while plg_memory_limits_are_hidden(). */
void plg_memory_limits_find_async (PlgDocument *document,
                                   const char *const *keys,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer data);
/* Returns: (transfer full) (nullable) (element-type PlgMemoryLimit): the limits, or %NULL with
 *   @error if the work was cancelled */
GPtrArray *plg_memory_limits_find_finish (GAsyncResult *result,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
