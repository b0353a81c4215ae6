/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/placement/host-names.h"
#include "syntax/json-reader.h"
#include "syntax/json-writer.h"
#include "io/placement/rank-table.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The format is {"world_size": 64, "ranks": [{"rank": 0, "node": 0, "local_gpu": 0, "tp": 0, …,
 * "host": "node0"}, …]}. A file can also contain only the list of ranks, because spreadsheet
 * programs export such lists. */

static gboolean
is_ranks (const char *data, gsize size)
{
  const char *first = data + 1, *end = data + size;

  if (size == 0 || *data != '[')
    return plg_json_has_member (data, size, "ranks");
  while (first < end && g_ascii_isspace (*first))
    first++;
  return plg_json_has_member (first, end - first, "rank") &&
         (plg_json_has_member (first, end - first, "node") ||
          plg_json_has_member (first, end - first, "host"));
}

/* Reading */

/* Reads the integer member NAME of OBJECT into *INDEX. The integer must be from 0 to LIMIT - 1.
 * Sets *INDEX to -1 if the member is missing. */
static gboolean
read_index (const PlgImportContext *context,
            const PlgJsonValue *object,
            const char *name,
            int limit,
            int *index,
            GError **error)
{
  const PlgJsonValue *value = plg_json_find (object, name);
  gint64 number;

  *index = -1;
  if (value == NULL)
    return TRUE;
  if (!plg_json_as_int (value, &number, error))
    return FALSE;
  if (number < 0 || number >= limit)
    return plg_format_fail (value->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("“%s” is %lld; it must be a whole number from 0 to %d."), name,
                            (long long) number, limit - 1);
  *index = (int) number;
  return TRUE;
}

/* Returns whether OBJECT identifies its node by name, as in "node": "dgx-a". */
static gboolean
uses_node_key (const PlgJsonValue *object)
{
  const PlgJsonValue *node = plg_json_find (object, "node");

  return node != NULL && node->kind == PLG_JSON_STRING && plg_json_find (object, "host") == NULL &&
         strspn (node->text, "0123456789") < strlen (node->text);
}

/* Reads one rank. All ranks must have the same members as the first. */
static gboolean
read_rank (PlgRankTable *table,
           const PlgImportContext *context,
           const PlgJsonValue *object,
           GError **error)
{
  const PlgRankRow *first;
  PlgRankRow row = plg_rank_row (object->line);
  const PlgJsonValue *host;
  const char *name;
  gboolean is_same;

  if (!plg_json_as_object (object, error) ||
      !read_index (context, object, "rank", PLG_MAX_GPUS, &row.rank, error) ||
      (!uses_node_key (object) &&
       !read_index (context, object, "node", PLG_MAX_NODES, &row.node, error)) ||
      !read_index (context, object, "local_gpu", PLG_MAX_GPUS_PER_NODE, &row.gpu, error))
    return FALSE;
  host = plg_json_find (object, uses_node_key (object) ? "node" : "host");
  if (host != NULL && (!plg_json_as_string (host, &name, error) ||
                       !plg_rank_table_host (table, context, host->line, name, &row.host, error)))
    return FALSE;
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    if (!read_index (context, object, plg_axis_name (axis), PLG_MAX_GPUS, &row.index[axis], error))
      return FALSE;
  if (row.rank < 0 || (row.node < 0 && row.host < 0))
    return plg_format_fail (row.line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("Each rank needs at least “rank” and “node” or “host”."));
  first = table->rows->len > 0 ? (const PlgRankRow *) table->rows->data : &row;
  is_same = (first->node < 0) == (row.node < 0) && (first->host < 0) == (row.host < 0) &&
            (first->gpu < 0) == (row.gpu < 0);
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    is_same = is_same && (first->index[axis] < 0) == (row.index[axis] < 0);
  if (!is_same)
    return plg_format_fail (row.line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("This rank does not have the same fields as the rank on line %d; "
                               "all ranks need the same fields."),
                            first->line);
  return plg_rank_table_add (table, context, &row, error);
}

static gboolean
read_ranks (PlgImportContext *context, GError **error)
{
  g_autoptr (PlgJson) json = plg_json_read (context->data, context->size, error);
  g_auto (PlgRankTable) table = { 0 };
  const PlgJsonValue *root, *ranks, *world;
  gint64 number;

  if (json == NULL)
    return FALSE;
  plg_rank_table_init (&table);
  table.guess = _ ("There is no “local_gpu”; the ranks of a node use its GPUs in order.");
  root = plg_json_root (json);
  if (root->kind != PLG_JSON_ARRAY && !plg_json_as_object (root, error))
    return FALSE;
  ranks = root->kind == PLG_JSON_ARRAY ? root : plg_json_find (root, "ranks");
  if (ranks == NULL)
    return plg_format_fail (root->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("A table of ranks needs a list “ranks”."));
  if (!plg_json_as_array (ranks, error))
    return FALSE;
  for (const PlgJsonValue *rank = plg_json_first (ranks); rank != NULL; rank = plg_json_next (rank))
    if (!read_rank (&table, context, rank, error))
      return FALSE;

  world = ranks != root ? plg_json_find (root, "world_size") : NULL;
  if (world != NULL && !plg_json_as_int (world, &number, error))
    return FALSE;
  if (world != NULL && number != table.rows->len)
    return plg_format_fail (world->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("“world_size” is %lld, but there are %d ranks."), (long long) number,
                            (int) table.rows->len);
  if (ranks != root)
    for (const PlgJsonValue *v = plg_json_first (root); v != NULL; v = plg_json_next (v))
      if (!g_str_equal (v->name, "ranks") && !g_str_equal (v->name, "world_size"))
        plg_import_note (context, PLG_NOTE_IGNORED, v->line, _ ("“%s” is not needed here"),
                         v->name);
  table.by_node = table.rows->len > 0 && g_array_index (table.rows, PlgRankRow, 0).node >= 0;
  return plg_rank_table_import (&table, context, error);
}

/* Writing */

static GBytes *
write_ranks (const PlgExportContext *export, GError **error)
{
  static const PlgAxis axes[PLG_N_AXES] = { PLG_AXIS_TP, PLG_AXIS_PP, PLG_AXIS_DP, PLG_AXIS_CP,
                                            PLG_AXIS_EP };
  const PlgPlan *plan = export->plan;
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);
  PlgJsonWriter json = { 0 };

  json.out = g_string_new (NULL);
  plg_json_begin (&json, NULL, '{', TRUE);
  plg_json_add_number (&json, "world_size", plg_plan_world (plan));
  plg_json_begin (&json, "ranks", '[', TRUE);
  for (int rank = 0; rank < plg_plan_world (plan); rank++)
    {
      PlgCoordinate at = plg_rank_coordinate (&plan->parallelism, rank);
      int gpu = plg_placement_gpu (&plan->placement, rank);

      plg_json_begin (&json, NULL, '{', FALSE);
      plg_json_add_number (&json, "rank", rank);
      plg_json_add_number (&json, "node", gpu / plan->cluster.gpus_per_node);
      plg_json_add_number (&json, "local_gpu", gpu % plan->cluster.gpus_per_node);
      for (int i = 0; i < PLG_N_AXES; i++)
        plg_json_add_number (&json, plg_axis_name (axes[i]), at.index[axes[i]]);
      plg_json_add_string (&json, "host", hosts[gpu / plg_cluster_host_gpus (&plan->cluster)]);
      plg_json_end (&json, '}');
    }
  plg_json_end (&json, ']');
  plg_json_end (&json, '}');
  return plg_take_text (plg_json_take (&json));
}

const PlgFormat plg_ranks_json_format = {
  .name = "ranks-json",
  .suffix = ".ranks.json",
  .title = N_ ("Table of ranks (JSON)"),
  .subject = PLG_SUBJECT_PLACEMENT,
  .syntax = PLG_SYNTAX_JSON,
  .sign = "ranks",
  .is = is_ranks,
  .read = read_ranks,
  .write = write_ranks,
};
