/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/import-context.h"
#include "io/import/error-position.h"
#include "io/import/header-comment.h"

#include "plan/text/text-sanitize.h"
#include "plan/settings/setting-describe.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

/* The maximum number of different PLG_NOTE_IGNORED notes per file. */
#define MAX_IGNORED 1000

PlgNote *
plg_note_new (PlgNoteKind kind, int line, char *text)
{
  PlgNote *note = g_new (PlgNote, 1);

  *note = (PlgNote) { kind, line, plg_text_sanitize (text) };
  g_free (text);
  return note;
}

GPtrArray *
plg_notes_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) plg_note_free);
}

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
    .notes = plg_notes_new (),
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
  g_ptr_array_add (context->notes, plg_note_new (kind, line, text));
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
      /* A file can have the same word in each of a million lines, so each ignored text gets only
       * one note. */
      guint n_ignored = g_hash_table_size (context->ignored);

      if (n_ignored > MAX_IGNORED || !g_hash_table_add (context->ignored, g_strdup (text)))
        return;
      if (n_ignored < MAX_IGNORED)
        add_note (context, PLG_NOTE_IGNORED, line, g_strdup (text));
      else
        add_note (context, PLG_NOTE_IGNORED, line,
                  g_strdup_printf (_ ("The list of ignored items ends here, because there are more "
                                      "than %d."),
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
plg_notes_text (const GPtrArray *notes, guint kinds, const char *name)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < notes->len; i++)
    {
      const PlgNote *note = notes->pdata[i];

      if ((kinds & (1u << note->kind)) == 0)
        continue;
      g_string_append (text, text->len > 0 ? "\n" : "");
      if (name != NULL)
        g_string_append_printf (text, note->line > 0 ? "%s:" : "%s: ", name);
      if (note->line > 0)
        g_string_append_printf (text, "%d: ", note->line);
      g_string_append (text, note->text);
    }
  return g_string_free (text, text->len == 0);
}

/* Settings */

/* Returns whether ASSIGNMENT sets KEY. ASSIGNMENT may be NULL, because plg_import_finish()
 * appends NULL to the settings. */
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

char *
plg_import_describe_setting (const PlgImportContext *context, const char *key, const char *value)
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

/* Returns whether VALUE is in the range of KEY. Sets KEY in a copy of the plan, so that the plan
 * itself does not change. */
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
  plg_error_add_position (error, (PlgFilePosition) { line, 0 });
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
  add_note (context, PLG_NOTE_UNDERSTOOD, line, plg_import_describe_setting (context, key, value));
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
  g_autofree char *text = plg_import_describe_setting (context, key, value);

  if (!check_value (context, line, key, value, error))
    return FALSE;
  store_setting (context, line, key, value);
  plg_import_note (context, PLG_NOTE_INFERRED, line, "%s. %s", text, why);
  return TRUE;
}

gboolean
plg_import_set_precision (PlgImportContext *context, int line, const char *value, GError **error)
{
  static const PlgPrecision order[] = { PLG_PRECISION_FP4, PLG_PRECISION_FP8, PLG_PRECISION_BF16,
                                        PLG_PRECISION_FP16, PLG_PRECISION_FP32 };
  const char *key = "training.precision";
  const char *const *names = plg_setting_find (key)->choices;
  const char *title = plg_setting_choice_title (value);
  g_autoptr (PlgPlan) plan = plg_import_current_plan (context);
  const PlgCluster *cluster = &plan->cluster;
  g_autofree char *why = NULL;
  guint i = 0;

  while (i + 1 < G_N_ELEMENTS (order) && !g_str_equal (names[order[i]], value))
    i++;
  if (cluster->peak > 0 || cluster->gpu.peak[order[i]] > 0)
    return plg_import_set (context, line, key, value, error);
  while (i + 1 < G_N_ELEMENTS (order) && !(cluster->gpu.peak[order[i]] > 0))
    i++;
  why = g_strdup_printf (
      _ ("The file has %s, which %s cannot run. After you choose a GPU that can, "
         "set %s to %s."),
      title, cluster->gpu.title, plg_setting_name (key), plg_setting_value_name (key, value));
  return plg_import_infer (context, line, key, names[order[i]], why, error);
}

gboolean
plg_import_set_mxfp8 (PlgImportContext *context, int line, GError **error)
{
  g_autoptr (PlgPlan) plan = plg_import_current_plan (context);
  g_autofree char *why = g_strdup_printf (_ ("The file has MXFP8, which %s cannot run."),
                                          plan->cluster.gpu.title);

  return plg_cluster_has_mxfp8 (&plan->cluster)
             ? plg_import_set (context, line, "training.fp8-recipe", "mxfp8", error)
             : plg_import_infer (context, line, "training.fp8-recipe", "auto", why, error);
}

gboolean
plg_import_infer_program (PlgImportContext *context,
                          const char *program,
                          const char *remark,
                          GError **error)
{
  g_autoptr (PlgPlan) plan = plg_import_current_plan (context);
  int line = 0;
  const char *comment = remark != NULL ? plg_header_comment_find (context, remark, &line) : NULL;
  const PlgSetting *setting = plg_setting_find ("training.program");
  g_autofree char *now = plg_setting_get (setting, plan);

  if (!g_str_equal (now, program) &&
      !plg_import_infer (context, 0, "training.program", program,
                         _ ("The file belongs to this program."), error))
    return FALSE;
  if (comment != NULL)
    return plg_import_set (context, line, "training.kernels",
                           g_str_has_prefix (comment, "eager") ? "eager" : "fused", error);
  return plan->training.kernels == PLG_KERNELS_AUTO ||
         plg_import_infer (context, 0, "training.kernels", "auto",
                           _ ("The program decides which kernels run."), error);
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
      (*error)->message = g_strdup_printf ("%s: %s", word, problem->text);
      plg_error_add_position (error, (PlgFilePosition) { line, 0 });
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
