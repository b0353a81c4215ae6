/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/reading.h"

#include "formats/fit.h"
#include "formats/idle.h"
#include "formats/unknown.h"
#include "plan/check.h"
#include "plan/printable.h"
#include "plan/setting-words.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#define ESCAPE '\033'
/* Different things that are told as ignored; people read no more of them. */
#define MAX_IGNORED 1000

void
plg_note_free (PlgNote *note)
{
  g_free (note->text);
  g_free (note);
}

void
plg_reading_init (PlgReading *reading,
                  const char *data,
                  gsize size,
                  const PlgPlan *base,
                  const PlgCatalogue *catalogue)
{
  *reading = (PlgReading) {
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
plg_reading_clear (PlgReading *reading)
{
  g_clear_pointer (&reading->plan, plg_plan_free);
  g_clear_pointer (&reading->source, plg_plan_source_unref);
  g_clear_pointer (&reading->notes, g_ptr_array_unref);
  g_clear_pointer (&reading->settings, g_ptr_array_unref);
  g_clear_pointer (&reading->lines, g_hash_table_unref);
  g_clear_pointer (&reading->ignored, g_hash_table_unref);
  g_clear_pointer (&reading->gpu_of_rank, g_free);
  plg_node_map_clear (&reading->node_map);
}

/* Notes */

/* Takes TEXT, which may quote the file. */
static void
add_note (PlgReading *reading, PlgNoteKind kind, int line, char *text)
{
  PlgNote *note = g_new (PlgNote, 1);

  *note = (PlgNote) { kind, line, plg_printable (text) };
  g_free (text);
  g_ptr_array_add (reading->notes, note);
}

/* A file can have the same word in each of a million lines. */
static void
add_ignored (PlgReading *reading, int line, const char *text)
{
  guint told = g_hash_table_size (reading->ignored);

  if (told > MAX_IGNORED || !g_hash_table_add (reading->ignored, g_strdup (text)))
    return;
  if (told < MAX_IGNORED)
    add_note (reading, PLG_NOTE_IGNORED, line, g_strdup (text));
  else
    add_note (reading, PLG_NOTE_IGNORED, line,
              g_strdup_printf (_ ("What else is ignored from here on is not told: it is more than "
                                  "%d things."),
                               MAX_IGNORED));
}

void
plg_reading_note (PlgReading *reading, PlgNoteKind kind, int line, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  if (kind == PLG_NOTE_IGNORED)
    add_ignored (reading, line, text);
  else
    add_note (reading, kind, line, g_steal_pointer (&text));
}

void
plg_reading_be_host (PlgReading *reading, int line, int hosts)
{
  reading->of_one_host = TRUE;
  plg_reading_note (reading, PLG_NOTE_INFERRED, line,
                    _ ("The file is of one host. A node of the open plan is %d of them, and all "
                       "are taken to be like this one."),
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
plg_reading_fail_list (const PlgReading *reading,
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
plg_reading_fail (const PlgReading *reading,
                  int line,
                  PlgFormatError code,
                  GError **error,
                  const char *format,
                  ...)
{
  va_list args;

  va_start (args, format);
  plg_reading_fail_list (reading, line, code, error, format, args);
  va_end (args);
  return FALSE;
}

/* Settings */

/* Settings end with a NULL once the reading is finished. */
static gboolean
is_of_key (const char *assignment, const char *key)
{
  gsize n = strlen (key);

  return assignment != NULL && strncmp (assignment, key, n) == 0 && assignment[n] == '=';
}

const char *
plg_reading_get (const PlgReading *reading, const char *key)
{
  for (guint i = 0; i < reading->settings->len; i++)
    if (is_of_key (reading->settings->pdata[i], key))
      return (const char *) reading->settings->pdata[i] + strlen (key) + 1;
  return NULL;
}

PlgPlan *
plg_reading_plan_so_far (const PlgReading *reading)
{
  PlgPlan *plan = plg_plan_copy (reading->plan);

  for (guint i = 0; i < reading->settings->len; i++)
    plg_setting_assign (plan, reading->catalogue, reading->settings->pdata[i], NULL);
  return plan;
}

/* "Tensor (TP): 8", "Memory: 80 GiB" */
static char *
describe (const PlgReading *reading, const char *key, const char *value)
{
  const PlgSetting *setting = plg_setting_find (key);
  g_autofree char *words = plg_setting_value_words (setting, value, NULL, reading->catalogue);

  return g_strdup_printf ("%s: %s", _ (setting->title), words);
}

static void
keep (PlgReading *reading, int line, const char *key, const char *value)
{
  for (guint i = 0; i < reading->settings->len; i++)
    if (is_of_key (reading->settings->pdata[i], key))
      {
        g_ptr_array_remove_index (reading->settings, i);
        break;
      }
  g_ptr_array_add (reading->settings, g_strdup_printf ("%s=%s", key, value));
  g_hash_table_insert (reading->lines, g_strdup (key), GINT_TO_POINTER (line));
}

/* Whether KEY can be VALUE at all; PLAN, which only a finished reading is, stays as it is. */
static gboolean
check_value (const PlgReading *reading,
             int line,
             const char *key,
             const char *value,
             GError **error)
{
  g_autoptr (PlgPlan) scratch = plg_plan_copy (reading->plan);

  if (plg_setting_set (scratch, reading->catalogue, key, value, error))
    return TRUE;
  if (line > 0)
    g_prefix_error (error, "%d: ", line);
  return FALSE;
}

gboolean
plg_reading_set (PlgReading *reading, int line, const char *key, const char *value, GError **error)
{
  if (!check_value (reading, line, key, value, error))
    return FALSE;
  keep (reading, line, key, value);
  add_note (reading, PLG_NOTE_UNDERSTOOD, line, describe (reading, key, value));
  return TRUE;
}

gboolean
plg_reading_set_int (PlgReading *reading, int line, const char *key, gint64 value, GError **error)
{
  g_autofree char *text = g_strdup_printf ("%lld", (long long) value);

  return plg_reading_set (reading, line, key, text, error);
}

gboolean
plg_reading_set_number (PlgReading *reading,
                        int line,
                        const char *key,
                        double value,
                        GError **error)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return plg_reading_set (reading, line, key, g_ascii_formatd (text, sizeof text, "%.10g", value),
                          error);
}

gboolean
plg_reading_infer (PlgReading *reading,
                   int line,
                   const char *key,
                   const char *value,
                   const char *why,
                   GError **error)
{
  g_autofree char *said = describe (reading, key, value);

  if (!check_value (reading, line, key, value, error))
    return FALSE;
  keep (reading, line, key, value);
  plg_reading_note (reading, PLG_NOTE_INFERRED, line, "%s. %s", said, why);
  return TRUE;
}

void
plg_reading_follow (PlgReading *reading, const char *key, const char *value)
{
  keep (reading, 0, key, value);
}

gboolean
plg_reading_blame (const char *key, const char *word, GError **error)
{
  if (error != NULL && *error != NULL)
    {
      g_autoptr (GString) message = g_string_new ((*error)->message);
      g_autofree char *before = g_strdup_printf ("%s: ", key);
      g_autofree char *after = g_strdup_printf ("%s: ", word);

      g_string_replace (message, before, after, 1);
      g_free ((*error)->message);
      (*error)->message = g_strdup (message->str);
    }
  return FALSE;
}

/* Nodes and ranks */

void
plg_reading_place (PlgReading *reading, int *gpu_of_rank, int ranks)
{
  g_free (reading->gpu_of_rank);
  reading->gpu_of_rank = gpu_of_rank;
  reading->ranks = ranks;
}

void
plg_reading_take_map (PlgReading *reading, PlgNodeMap *map)
{
  plg_node_map_clear (&reading->node_map);
  reading->node_map = *map;
  *map = (PlgNodeMap) { 0 };
}

/* The map that the file tells, or what became of the one of the open plan. */
static gboolean
settle_map (PlgReading *reading, gboolean had_map, GError **error)
{
  PlgNodeMap *map = &reading->plan->node_map;

  if (plg_node_map_is_empty (&reading->node_map))
    {
      if (had_map && plg_node_map_is_empty (map))
        plg_reading_note (reading, PLG_NOTE_INFERRED, 0,
                          _ ("The map of the node is left out: it is of another kind of node."));
      return TRUE;
    }
  plg_node_map_copy (map, &reading->node_map);
  return plg_plan_check (reading->plan, error);
}

static int
line_of_key (const PlgReading *reading, const char *key)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (reading->lines, key));
}

static gboolean
place (PlgReading *reading, GError **error)
{
  PlgPlacement *placement = &reading->plan->placement;

  if (reading->gpu_of_rank == NULL)
    return TRUE;
  if (reading->ranks != plg_plan_world (reading->plan))
    return plg_reading_fail (reading, line_of_key (reading, "cluster.nodes"),
                             PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("The file places %d ranks, and the plan has %d GPUs; the degrees "
                                "must multiply to as many as are placed."),
                             reading->ranks, plg_plan_world (reading->plan));
  plg_placement_clear (placement);
  placement->size = reading->ranks;
  placement->gpu_of_rank = g_steal_pointer (&reading->gpu_of_rank);
  plg_placement_simplify (placement);
  return plg_plan_check (reading->plan, error);
}

/* What is another value than the file said, or than the open plan has, since no plan could be made
 * otherwise. */
static void
tell_changes (PlgReading *reading, const PlgPlan *wanted)
{
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    {
      g_autofree char *before = plg_setting_get (&settings[i], wanted);
      g_autofree char *after = plg_setting_get (&settings[i], reading->plan);
      g_autofree char *said = NULL;

      if (g_str_equal (before, after))
        continue;
      said = describe (reading, settings[i].key, after);
      plg_reading_note (reading, PLG_NOTE_INFERRED, 0, _ ("%s. It was %s; so it fits the rest."),
                        said, *before != '\0' ? before : _ ("empty"));
    }
}

/* What people moved goes with the groups that it was moved among. */
static void
tell_placement (PlgReading *reading, gboolean had_placement)
{
  if (had_placement && reading->plan->placement.size == 0 && reading->gpu_of_rank == NULL)
    plg_reading_note (reading, PLG_NOTE_INFERRED, 0,
                      _ ("Ranks that were moved by hand go back to their places: the degrees or "
                         "their order are others."));
}

/* What each error of a plan is about, the first of them first. */
static const struct
{
  PlgPlanError code;
  const char *keys[5];
} causes[] = {
  { PLG_PLAN_ERROR_WORLD,
    { "parallelism.tp", "parallelism.pp", "parallelism.cp", "parallelism.dp", "cluster.nodes" } },
  { PLG_PLAN_ERROR_HEADS, { "parallelism.tp", "parallelism.cp", "model.heads", "model.kv-heads" } },
  { PLG_PLAN_ERROR_WIDTH, { "parallelism.tp", "model.ffn", "model.expert-ffn", "model.hidden" } },
  { PLG_PLAN_ERROR_LAYERS, { "parallelism.pp", "parallelism.chunks", "model.layers" } },
  { PLG_PLAN_ERROR_BATCH, { "training.global-batch", "training.micro-batch", "parallelism.dp" } },
  { PLG_PLAN_ERROR_SEQUENCE, { "training.sequence", "parallelism.cp", "parallelism.tp" } },
  { PLG_PLAN_ERROR_EXPERTS, { "parallelism.ep", "parallelism.etp", "model.experts" } },
  { PLG_PLAN_ERROR_SCHEDULE, { "training.schedule", "parallelism.chunks" } },
  { PLG_PLAN_ERROR_PRECISION, { "training.precision", "cluster.gpu" } },
};

/* Whether MESSAGE is about KEY: a degree is there as "TP 8", in all languages. */
static gboolean
is_about (const char *message, const char *key)
{
  g_autofree char *axis = g_ascii_strup (strchr (key, '.') + 1, -1);
  gsize n = strlen (axis);

  if (!g_str_has_prefix (key, "parallelism.") || n > 3)
    return TRUE;
  for (const char *p = strstr (message, axis); p != NULL; p = strstr (p + 1, axis))
    if (p[n] == ' ' && g_ascii_isdigit (p[n + 1]) && (p == message || !g_ascii_isalpha (p[-1])))
      return TRUE;
  return FALSE;
}

/* Which line said the number that a plan cannot have; 0: none did. */
static int
line_of_error (const PlgReading *reading, const GError *error)
{
  for (guint i = 0; i < G_N_ELEMENTS (causes); i++)
    for (guint j = 0; j < G_N_ELEMENTS (causes[i].keys) && causes[i].keys[j] != NULL; j++)
      if (g_error_matches (error, PLG_PLAN_ERROR, causes[i].code) &&
          line_of_key (reading, causes[i].keys[j]) > 0 &&
          is_about (error->message, causes[i].keys[j]))
        return line_of_key (reading, causes[i].keys[j]);
  return 0;
}

/* Puts the line before an error of the plan that the file makes. */
static gboolean
prefix_line (const PlgReading *reading, GError **error)
{
  int line = error != NULL && *error != NULL ? line_of_error (reading, *error) : 0;

  if (line > 0)
    g_prefix_error (error, "%d: ", line);
  return FALSE;
}

/* A file of which nothing was understood leaves no plan to look at: what is ignored says why. */
static gboolean
check_understood (const PlgReading *reading, GError **error)
{
  const PlgNote *first = reading->notes->len > 0 ? reading->notes->pdata[0] : NULL;

  if (reading->settings->len > 0 || reading->gpu_of_rank != NULL ||
      !plg_node_map_is_empty (&reading->node_map))
    return TRUE;
  for (guint i = 0; i < reading->notes->len; i++)
    if (((const PlgNote *) reading->notes->pdata[i])->kind != PLG_NOTE_IGNORED)
      return TRUE;
  return plg_reading_fail (reading, first != NULL ? first->line : 0, PLG_FORMAT_ERROR_CONTENT,
                           error, _ ("Nothing in this file was understood. %s"),
                           first != NULL ? first->text : "");
}

/* Nodes of another size are other nodes, and one host each unless the file says otherwise. */
static void
settle_hosts (PlgReading *reading)
{
  const PlgCluster *cluster = &reading->plan->cluster;
  const char *gpus = plg_reading_get (reading, "cluster.gpus-per-node");

  if (cluster->gpus_per_host == 0 || gpus == NULL || atoi (gpus) == cluster->gpus_per_node ||
      plg_reading_get (reading, "cluster.gpus-per-host") != NULL)
    return;
  plg_reading_note (reading, PLG_NOTE_INFERRED, 0,
                    _ ("A node is one host, since it is of another size than those of the open "
                       "plan, which are %d hosts."),
                    plg_cluster_hosts_per_node (cluster));
  plg_reading_follow (reading, "cluster.gpus-per-host", "0");
}

gboolean
plg_reading_finish (PlgReading *reading, GError **error)
{
  g_autoptr (PlgPlan) wanted = plg_plan_copy (reading->plan);
  gboolean had_map = !plg_node_map_is_empty (&reading->plan->node_map) &&
                     !plg_catalogue_gave_map (reading->catalogue, reading->plan);
  gboolean had_placement = reading->plan->placement.size > 0;

  if (!check_understood (reading, error))
    return FALSE;
  settle_hosts (reading);
  plg_reading_keep_idle (reading);
  for (guint i = 0; i < reading->settings->len; i++)
    if (!plg_setting_assign (wanted, reading->catalogue, reading->settings->pdata[i], error))
      return FALSE;
  g_ptr_array_add (reading->settings, NULL);
  if (!plg_fit (reading->plan, reading->catalogue, (const char *const *) reading->settings->pdata,
                error))
    return prefix_line (reading, error);
  tell_changes (reading, wanted);
  tell_placement (reading, had_placement);
  return settle_map (reading, had_map, error) && place (reading, error);
}

/* Lines */

/* Copies the characters from FROM to END to TO, without "ESC [ … letter" and single carriage
 * returns, and with plain spaces; where the copy ends. */
static char *
copy_clean (char *to, const char *from, const char *end)
{
  while (from < end)
    {
      if (*from == ESCAPE && from + 1 < end && from[1] == '[')
        {
          from += 2;
          while (from < end && !g_ascii_isalpha (*from))
            from++;
          from += from < end;
        }
      else if (*from == '\r' || *from == ESCAPE)
        from++;
      else if (end - from >= 2 && memcmp (from, PLG_HARD_SPACE, 2) == 0)
        {
          *to++ = ' ';
          from += 2;
        }
      else
        *to++ = *from++;
    }
  return to;
}

static int
count_lines (const char *data, const char *end)
{
  int n = 1;

  for (const char *p = data; (p = memchr (p, '\n', end - p)) != NULL; p++)
    n++;
  return n;
}

/* The N lines and their characters in one piece of memory: a file may have millions. */
static char **
cut_lines (const char *data, gsize size, int n)
{
  const char *end = data + size;
  char **lines = g_malloc ((n + 1) * sizeof (char *) + size + 1);
  char *to = (char *) (lines + n + 1);

  for (int i = 0; i < n; i++)
    {
      const char *stop = i + 1 < n ? memchr (data, '\n', end - data) : end;

      lines[i] = to;
      to = copy_clean (to, data, stop);
      *to++ = '\0';
      data = stop + 1;
    }
  lines[n] = NULL;
  return lines;
}

char **
plg_reading_lines (const PlgReading *reading, GError **error)
{
  const char *invalid;
  int n;

  if (!g_utf8_validate (reading->data, reading->size, &invalid))
    {
      g_autofree char *why = plg_not_text (*invalid);

      plg_reading_fail (reading, count_lines (reading->data, invalid), PLG_FORMAT_ERROR_SYNTAX,
                        error, "%s", why);
      return NULL;
    }
  n = count_lines (reading->data, reading->data + reading->size);
  return cut_lines (reading->data, reading->size, n);
}
