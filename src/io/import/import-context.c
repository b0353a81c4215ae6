/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/import-context.h"

#include "io/import/plan-repair.h"
#include "io/import/idle-settings.h"
#include "io/registry/detect-error.h"
#include "plan/plan-check.h"
#include "plan/text-sanitize.h"
#include "plan/settings/setting-describe.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#define ESCAPE '\033'
/* The number of different ignored texts that get a note. */
#define MAX_IGNORED 1000

void
plg_note_free (PlgNote *note)
{
  g_free (note->text);
  g_free (note);
}

void
plg_import_init (PlgImportContext *context,
                 const char *data,
                 gsize size,
                 const PlgPlan *base,
                 const PlgCatalogue *catalogue)
{
  *context = (PlgImportContext) {
    .data = data,
    .size = size,
    .catalogue = catalogue,
    .plan = base != NULL ? plg_plan_copy (base) : plg_catalogue_default_plan (catalogue),
    .notes = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_note_free),
    .settings = g_ptr_array_new_with_free_func (g_free),
    .lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .ignored = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
  };
}

void
plg_import_clear (PlgImportContext *context)
{
  g_clear_pointer (&context->plan, plg_plan_free);
  g_clear_pointer (&context->source, plg_plan_source_unref);
  g_clear_pointer (&context->notes, g_ptr_array_unref);
  g_clear_pointer (&context->settings, g_ptr_array_unref);
  g_clear_pointer (&context->lines, g_hash_table_unref);
  g_clear_pointer (&context->ignored, g_hash_table_unref);
  g_clear_pointer (&context->gpu_of_rank, g_free);
  plg_node_topology_clear (&context->node_topology);
}

/* Notes */

/* Adds a note with TEXT (transfer full), which may quote the file. */
static void
add_note (PlgImportContext *context, PlgNoteKind kind, int line, char *text)
{
  PlgNote *note = g_new (PlgNote, 1);

  *note = (PlgNote) { kind, line, plg_text_sanitize (text) };
  g_free (text);
  g_ptr_array_add (context->notes, note);
}

void
plg_import_note (PlgImportContext *context, PlgNoteKind kind, int line, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  if (kind == PLG_NOTE_IGNORED)
    {
      /* A file can have the same word in each of a million lines. */
      guint n_ignored = g_hash_table_size (context->ignored);

      if (n_ignored > MAX_IGNORED || !g_hash_table_add (context->ignored, g_strdup (text)))
        return;
      if (n_ignored < MAX_IGNORED)
        add_note (context, PLG_NOTE_IGNORED, line, g_strdup (text));
      else
        add_note (
            context, PLG_NOTE_IGNORED, line,
            g_strdup_printf (_ ("The list of ignored things ends here: there are more than %d."),
                             MAX_IGNORED));
    }
  else
    add_note (context, kind, line, g_steal_pointer (&text));
}

void
plg_import_set_one_host (PlgImportContext *context, int line, int hosts)
{
  context->is_one_host = TRUE;
  plg_import_note (context, PLG_NOTE_INFERRED, line,
                   _ ("The file describes one host. A node of the open plan has %d hosts, and "
                      "all are assumed to be like this one."),
                   hosts);
}

char *
plg_notes_text (const GPtrArray *notes, guint kinds)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < notes->len; i++)
    {
      const PlgNote *note = notes->pdata[i];

      if ((kinds & (1u << note->kind)) == 0)
        continue;
      g_string_append (text, text->len > 0 ? "\n" : "");
      if (note->line > 0)
        g_string_append_printf (text, "%d: ", note->line);
      g_string_append (text, note->text);
    }
  return g_string_free (text, text->len == 0);
}

gboolean
plg_import_fail_valist (const PlgImportContext *context,
                        int line,
                        PlgFormatError code,
                        GError **error,
                        const char *format,
                        va_list args)
{
  g_autofree char *message = g_strdup_vprintf (format, args);

  if (line > 0)
    g_set_error (error, PLG_FORMAT_ERROR, code, "%d: %s", line, message);
  else
    g_set_error_literal (error, PLG_FORMAT_ERROR, code, message);
  return FALSE;
}

gboolean
plg_import_fail (const PlgImportContext *context,
                 int line,
                 PlgFormatError code,
                 GError **error,
                 const char *format,
                 ...)
{
  va_list args;

  va_start (args, format);
  plg_import_fail_valist (context, line, code, error, format, args);
  va_end (args);
  return FALSE;
}

/* Settings */

/* Whether ASSIGNMENT sets KEY. The last entry of finished settings is NULL. */
static gboolean
assignment_has_key (const char *assignment, const char *key)
{
  gsize n = strlen (key);

  return assignment != NULL && strncmp (assignment, key, n) == 0 && assignment[n] == '=';
}

const char *
plg_import_get (const PlgImportContext *context, const char *key)
{
  for (guint i = 0; i < context->settings->len; i++)
    if (assignment_has_key (context->settings->pdata[i], key))
      return (const char *) context->settings->pdata[i] + strlen (key) + 1;
  return NULL;
}

PlgPlan *
plg_import_current_plan (const PlgImportContext *context)
{
  PlgPlan *plan = plg_plan_copy (context->plan);

  for (guint i = 0; i < context->settings->len; i++)
    plg_setting_assign (plan, context->catalogue, context->settings->pdata[i], NULL);
  return plan;
}

/* A title with its value: "Tensor (TP): 8", "Memory: 80 GiB". g_free(). */
static char *
describe (const PlgImportContext *context, const char *key, const char *value)
{
  const PlgSetting *setting = plg_setting_find (key);
  g_autofree char *words = plg_setting_describe_value (setting, value, NULL, context->catalogue);

  return g_strdup_printf ("%s: %s", _ (setting->title), words);
}

static void
store_setting (PlgImportContext *context, int line, const char *key, const char *value)
{
  for (guint i = 0; i < context->settings->len; i++)
    if (assignment_has_key (context->settings->pdata[i], key))
      {
        g_ptr_array_remove_index (context->settings, i);
        break;
      }
  g_ptr_array_add (context->settings, g_strdup_printf ("%s=%s", key, value));
  g_hash_table_insert (context->lines, g_strdup (key), GINT_TO_POINTER (line));
}

/* Whether VALUE is in the range of KEY. The check uses a copy of the plan. */
static gboolean
check_value (const PlgImportContext *context,
             int line,
             const char *key,
             const char *value,
             GError **error)
{
  g_autoptr (PlgPlan) scratch = plg_plan_copy (context->plan);

  if (plg_setting_set (scratch, context->catalogue, key, value, error))
    return TRUE;
  if (line > 0)
    g_prefix_error (error, "%d: ", line);
  return FALSE;
}

gboolean
plg_import_set (PlgImportContext *context,
                int line,
                const char *key,
                const char *value,
                GError **error)
{
  if (!check_value (context, line, key, value, error))
    return FALSE;
  store_setting (context, line, key, value);
  add_note (context, PLG_NOTE_UNDERSTOOD, line, describe (context, key, value));
  return TRUE;
}

gboolean
plg_import_set_int (PlgImportContext *context,
                    int line,
                    const char *key,
                    gint64 value,
                    GError **error)
{
  g_autofree char *text = g_strdup_printf ("%lld", (long long) value);

  return plg_import_set (context, line, key, text, error);
}

gboolean
plg_import_set_number (PlgImportContext *context,
                       int line,
                       const char *key,
                       double value,
                       GError **error)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return plg_import_set (context, line, key, g_ascii_formatd (text, sizeof text, "%.10g", value),
                         error);
}

gboolean
plg_import_infer (PlgImportContext *context,
                  int line,
                  const char *key,
                  const char *value,
                  const char *why,
                  GError **error)
{
  g_autofree char *text = describe (context, key, value);

  if (!check_value (context, line, key, value, error))
    return FALSE;
  store_setting (context, line, key, value);
  plg_import_note (context, PLG_NOTE_INFERRED, line, "%s. %s", text, why);
  return TRUE;
}

void
plg_import_set_derived (PlgImportContext *context, const char *key, const char *value)
{
  store_setting (context, 0, key, value);
}

gboolean
plg_import_error_rename (int line, const char *key, const char *word, GError **error)
{
  const PlgPlanProblem *problem = error != NULL ? plg_plan_problem (*error) : NULL;

  if (problem != NULL && g_strcmp0 (problem->key, key) == 0)
    {
      g_free ((*error)->message);
      (*error)->message = line > 0 ? g_strdup_printf ("%d: %s: %s", line, word, problem->text)
                                   : g_strdup_printf ("%s: %s", word, problem->text);
    }
  return FALSE;
}

/* Nodes and ranks */

void
plg_import_set_placement (PlgImportContext *context, int *gpu_of_rank, int ranks)
{
  g_free (context->gpu_of_rank);
  context->gpu_of_rank = gpu_of_rank;
  context->ranks = ranks;
}

void
plg_import_take_node_map (PlgImportContext *context, PlgNodeTopology *map)
{
  plg_node_topology_clear (&context->node_topology);
  context->node_topology = *map;
  *map = (PlgNodeTopology) { 0 };
}

/* Applies the file's node topology, or notes that the open plan's topology was dropped. */
static gboolean
apply_node_map (PlgImportContext *context, gboolean had_map, GError **error)
{
  PlgNodeTopology *map = &context->plan->node_topology;

  if (plg_node_topology_is_empty (&context->node_topology))
    {
      if (had_map && plg_node_topology_is_empty (map))
        plg_import_note (context, PLG_NOTE_INFERRED, 0,
                         _ ("The map of the node is dropped: it describes another kind of node."));
      return TRUE;
    }
  plg_node_topology_copy (map, &context->node_topology);
  return plg_plan_check (context->plan, error);
}

static int
line_of_key (const PlgImportContext *context, const char *key)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (context->lines, key));
}

static gboolean
apply_placement (PlgImportContext *context, GError **error)
{
  PlgPlacement *placement = &context->plan->placement;

  if (context->gpu_of_rank == NULL)
    return TRUE;
  if (context->ranks != plg_plan_world (context->plan))
    return plg_import_fail (context, line_of_key (context, "cluster.nodes"),
                            PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("The file places %d ranks, but the plan has %d GPUs; the "
                               "product of the degrees must be the number of placed ranks."),
                            context->ranks, plg_plan_world (context->plan));
  plg_placement_clear (placement);
  placement->size = context->ranks;
  placement->gpu_of_rank = g_steal_pointer (&context->gpu_of_rank);
  plg_placement_simplify (placement);
  return plg_plan_check (context->plan, error);
}

/* The line of the value that caused ERROR, or 0. */
static int
line_of_error (const PlgImportContext *context, const GError *error)
{
  const PlgPlanProblem *problem = plg_plan_problem (error);

  for (int i = 0; problem != NULL && i < PLG_MAX_CAUSES && problem->causes[i] != NULL; i++)
    if (line_of_key (context, problem->causes[i]) > 0)
      return line_of_key (context, problem->causes[i]);
  return 0;
}

/* Fails if the import understood nothing of the file; the first ignored text gives the reason. */
static gboolean
check_understood (const PlgImportContext *context, GError **error)
{
  const PlgNote *first = context->notes->len > 0 ? context->notes->pdata[0] : NULL;

  if (context->settings->len > 0 || context->gpu_of_rank != NULL ||
      !plg_node_topology_is_empty (&context->node_topology))
    return TRUE;
  for (guint i = 0; i < context->notes->len; i++)
    if (((const PlgNote *) context->notes->pdata[i])->kind != PLG_NOTE_IGNORED)
      return TRUE;
  return plg_import_fail (context, first != NULL ? first->line : 0, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("Nothing in this file was understood. %s"),
                          first != NULL ? first->text : "");
}

/* Makes nodes whose size changes one host each, unless the file states the GPUs per host. */
static void
reset_gpus_per_host (PlgImportContext *context)
{
  const PlgCluster *cluster = &context->plan->cluster;
  const char *gpus = plg_import_get (context, "cluster.gpus-per-node");

  if (cluster->gpus_per_host == 0 || gpus == NULL || atoi (gpus) == cluster->gpus_per_node ||
      plg_import_get (context, "cluster.gpus-per-host") != NULL)
    return;
  plg_import_note (context, PLG_NOTE_INFERRED, 0,
                   _ ("Each node is one host, since its size differs from the nodes of the "
                      "open plan, which have %d hosts."),
                   plg_cluster_hosts_per_node (cluster));
  plg_import_set_derived (context, "cluster.gpus-per-host", "0");
}

gboolean
plg_import_finish (PlgImportContext *context, GError **error)
{
  g_autoptr (PlgPlan) wanted = plg_plan_copy (context->plan);
  gboolean had_map = !plg_node_topology_is_empty (&context->plan->node_topology) &&
                     !plg_catalogue_gave_topology (context->catalogue, context->plan);
  gboolean had_placement = context->plan->placement.size > 0;
  const PlgSetting *settings;
  int n;

  if (!check_understood (context, error))
    return FALSE;
  reset_gpus_per_host (context);
  plg_import_keep_idle_settings (context);
  for (guint i = 0; i < context->settings->len; i++)
    if (!plg_setting_assign (wanted, context->catalogue, context->settings->pdata[i], error))
      return FALSE;
  g_ptr_array_add (context->settings, NULL);
  if (!plg_plan_repair (context->plan, context->catalogue,
                        (const char *const *) context->settings->pdata, error))
    {
      int line = error != NULL && *error != NULL ? line_of_error (context, *error) : 0;

      if (line > 0)
        g_prefix_error (error, "%d: ", line);
      return FALSE;
    }

  /* Note the settings that the repair changed. */
  settings = plg_settings (&n);
  for (int i = 0; i < n; i++)
    {
      g_autofree char *before = plg_setting_get (&settings[i], wanted);
      g_autofree char *after = plg_setting_get (&settings[i], context->plan);
      g_autofree char *changed = NULL;

      if (g_str_equal (before, after))
        continue;
      changed = describe (context, settings[i].key, after);
      plg_import_note (context, PLG_NOTE_INFERRED, 0,
                       _ ("%s. It was %s and changed to fit the "
                          "other values."),
                       changed, *before != '\0' ? before : _ ("empty"));
    }

  if (had_placement && context->plan->placement.size == 0 && context->gpu_of_rank == NULL)
    plg_import_note (context, PLG_NOTE_INFERRED, 0,
                     _ ("Ranks that were moved by hand go back to their places: the degrees or "
                        "their order have changed."));

  return apply_node_map (context, had_map, error) && apply_placement (context, error);
}

/* Lines */

static int
count_lines (const char *data, const char *end)
{
  int n = 1;

  for (const char *p = data; (p = memchr (p, '\n', end - p)) != NULL; p++)
    n++;
  return n;
}

/* All lines are in one block of memory, since a file may have millions of lines. */
char **
plg_import_lines (const PlgImportContext *context, GError **error)
{
  const char *data = context->data, *end = data + context->size;
  const char *invalid;
  char **lines, *to;
  int n;

  if (!g_utf8_validate (data, context->size, &invalid))
    {
      g_autofree char *reason = plg_bad_byte_describe (*invalid);

      plg_import_fail (context, count_lines (data, invalid), PLG_FORMAT_ERROR_SYNTAX, error, "%s",
                       reason);
      return NULL;
    }
  n = count_lines (data, end);
  lines = g_malloc ((n + 1) * sizeof (char *) + context->size + 1);
  to = (char *) (lines + n + 1);
  for (int i = 0; i < n; i++)
    {
      const char *stop = i + 1 < n ? memchr (data, '\n', end - data) : end;

      lines[i] = to;
      /* Copy the line without "ESC [ … letter" and carriage returns, and with plain spaces. */
      for (const char *from = data; from < stop;)
        {
          if (*from == ESCAPE && from + 1 < stop && from[1] == '[')
            {
              from += 2;
              while (from < stop && !g_ascii_isalpha (*from))
                from++;
              from += from < stop;
            }
          else if (*from == '\r' || *from == ESCAPE)
            from++;
          else if (stop - from >= 2 && memcmp (from, PLG_NO_BREAK_SPACE, 2) == 0)
            {
              *to++ = ' ';
              from += 2;
            }
          else
            *to++ = *from++;
        }
      *to++ = '\0';
      data = stop + 1;
    }
  lines[n] = NULL;
  return lines;
}
