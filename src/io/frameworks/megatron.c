/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/frameworks/megatron-write.h"
#include "io/frameworks/options.h"
#include "syntax/option-scanner.h"
#include "io/placement/multi-host-nodes.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Reads Megatron-LM's arguments from a script that starts Megatron-LM, from arrays in a script,
 * from bare arguments, or from the YAML files of Megatron-LM's own tests. */

typedef struct
{
  PlgImportContext *context;
  PlgScannerScript *text;
  PlgOptions options;
  GError **error;
} Script;

static gboolean
is_option (const char *word)
{
  return g_str_has_prefix (word, "--") && g_ascii_isalpha (word[2]);
}

/* Returns the words from FIRST to the end of the line or to the next option, with spaces between
 * them. */
static char *
join_values (const GPtrArray *words, guint first)
{
  const PlgScannerWord *start = words->pdata[first];
  GString *values = g_string_new (start->text);

  for (guint i = first + 1; i < words->len; i++)
    {
      const PlgScannerWord *word = words->pdata[i];

      if (is_option (word->text) || word->line != start->line)
        break;
      g_string_append_printf (values, " %s", word->text);
    }
  return g_string_free (values, FALSE);
}

static void
add_options (Script *script)
{
  /* Options after mpirun, mpiexec or orterun belong to that launcher, up to the name of the
   * program that it starts. */
  static const char *const mpi_launchers[] = { "mpirun", "mpiexec", "orterun", NULL };
  static const char *const others[] = { "srun", "sbatch", "torchrun", "deepspeed",
                                        "bash", "sh",     NULL };
  const GPtrArray *words = script->text->words;
  gboolean mpi = FALSE;

  for (guint i = 0; i < words->len; i++)
    {
      const PlgScannerWord *word = words->pdata[i];
      const PlgScannerWord *next = i + 1 < words->len ? words->pdata[i + 1] : NULL;
      const PlgScannerWord *third = i + 2 < words->len ? words->pdata[i + 2] : NULL;
      g_autofree char *base = g_path_get_basename (word->text);
      const char *equals = strchr (word->text, '='), *long_name = NULL;
      gsize length = equals != NULL ? (gsize) (equals - word->text) : strlen (word->text);
      g_autofree char *name = g_strndup (word->text, length);
      PlgOption *option;

      /* Store short launcher options such as -N and -np under a long name, because read_world()
       * looks for the long names. */
      if (g_str_equal (word->text, "-N"))
        long_name = mpi ? "npernode" : "nodes";
      else if (mpi && (g_str_equal (word->text, "-np") || g_str_equal (word->text, "-n")))
        long_name = "np";
      else if (mpi && g_str_equal (word->text, "-npernode"))
        long_name = "npernode";
      mpi = g_strv_contains (mpi_launchers, base) ||
            (mpi && !g_strv_contains (others, base) && !g_str_has_prefix (base, "python") &&
             !g_str_has_suffix (base, ".py"));
      if (is_option (word->text) && g_str_has_suffix (word->text, ":"))
        {
          g_autofree char *key = g_strndup (word->text, strlen (word->text) - 1);
          const char *value = next != NULL && next->line == word->line ? next->text : NULL;

          if (g_strcmp0 (value, "false") != 0)
            plg_options_add (&script->options, key, g_strcmp0 (value, "true") != 0 ? value : NULL,
                             word->line);
        }
      else if (is_option (word->text) || long_name != NULL)
        {
          /* Accept for example "--tensor-model-parallel-size 8",
           * "--tensor-model-parallel-size=8" and "-N 8". */
          if (next != NULL && (is_option (next->text) || equals != NULL))
            next = NULL;
          option = plg_options_add_as (&script->options, long_name != NULL ? long_name : name, name,
                                       equals != NULL ? equals + 1
                                       : next != NULL ? next->text
                                                      : NULL,
                                       word->line);
          option->maybe = word->maybe;
          if (equals != NULL)
            option->unknown = g_strdup (word->unknown);
          else if (next != NULL)
            option->unknown = g_strdup (next->unknown);
          if (next != NULL && third != NULL && !is_option (third->text) &&
              third->line == next->line)
            option->more = join_values (words, i + 2);
        }
    }
}

/* The launcher options (torchrun, srun, sbatch, deepspeed, mpirun) and the variables that give
 * the number of nodes or GPUs. */
static const char *const node_options[] = { "nnodes", "nodes", "num-nodes", NULL };
static const char *const gpu_options[] = { "nproc-per-node", "ntasks-per-node", "gpus-per-node",
                                           "num-gpus",       "npernode",        NULL };
static const char *const world_options[] = { "np", NULL };
static const char *const node_variables[] = { "NNODES", "NUM_NODES", "SLURM_NNODES", NULL };
static const char *const gpu_variables[] = { "GPUS_PER_NODE", "NPROC_PER_NODE", "NUM_GPUS_PER_NODE",
                                             "NGPUS_PER_NODE", NULL };
static const char *const no_variables[] = { NULL };
static const char *const world_variables[] = { "WORLD_SIZE", NULL };

typedef struct
{
  gint64 value; /* 0 if unknown */
  int line;
} Count;

static Count
find_count (Script *script, const char *const *options, const char *const *variables)
{
  Count count = { 0, 0 };

  for (int i = 0; options != NULL && options[i] != NULL; i++)
    {
      const PlgOption *option = plg_options_find (&script->options, options[i]);

      if (count.value == 0 && option != NULL && option->value != NULL && option->unknown == NULL &&
          g_ascii_string_to_signed (option->value, 10, 1, PLG_MAX_GPUS, &count.value, NULL))
        count.line = option->line;
    }
  for (int i = 0; variables[i] != NULL && count.value == 0; i++)
    {
      const PlgScannerWord *word = plg_scanner_script_get_variable (script->text, variables[i]);

      if (word != NULL && word->unknown == NULL &&
          g_ascii_string_to_signed (word->text, 10, 1, PLG_MAX_GPUS, &count.value, NULL))
        count.line = word->line;
    }
  return count;
}

/* Reads the numbers of nodes and GPUs. Sets *ALL to the total number of GPUs, or to 0 if the
 * total is unknown. */
static gboolean
read_world (Script *script, gint64 *all)
{
  static const char *const names[] = { "tensor-model-parallel-size", "context-parallel-size",
                                       "pipeline-model-parallel-size" };
  Count nodes = find_count (script, node_options, node_variables);
  Count gpus = find_count (script, gpu_options, gpu_variables);
  Count processes = find_count (script, world_options, no_variables);
  Count world = find_count (script, NULL, world_variables);
  const char *shown = "WORLD_SIZE";
  gint64 usual = script->context->plan->cluster.gpus_per_node;
  gint64 product = nodes.value * gpus.value, needed = 1;

  /* If mpirun starts torchrun, torchrun starts the training processes, so -np does not state
   * their number. */
  if (processes.value > 0 && !g_hash_table_contains (script->options.all, "nproc-per-node"))
    {
      world = processes;
      shown = "-np";
    }

  /* Scripts often set one node as a placeholder, so degrees that need more GPUs override it. */
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const PlgOption *option = plg_options_find (&script->options, names[i]);
      gint64 degree;

      if (option != NULL && option->value != NULL &&
          g_ascii_string_to_signed (option->value, 10, 1, PLG_MAX_GPUS, &degree, NULL))
        needed *= degree;
    }
  if (nodes.value == 1 && gpus.value != 0 && needed > gpus.value)
    {
      plg_import_note (
          script->context, PLG_NOTE_IGNORED, nodes.line,
          _ ("One node of %lld GPUs is too small for TP × CP × PP = %lld, so the number of nodes "
             "follows from the product."),
          (long long) gpus.value, (long long) needed);
      nodes.value = world.value = product = 0;
    }

  if (world.value > 0 && product > 0 && world.value != product)
    return plg_format_fail (world.line, PLG_FORMAT_ERROR_CONTENT, script->error,
                            _ ("%s is %lld, but %lld nodes (line %d) with %lld GPUs each (line "
                               "%d) have %lld GPUs."),
                            shown, (long long) world.value, (long long) nodes.value, nodes.line,
                            (long long) gpus.value, gpus.line, (long long) product);
  if (world.value > 0 && nodes.value == 0)
    {
      usual = gpus.value > 0 ? gpus.value : usual;
      nodes = (Count) { world.value % usual == 0 ? world.value / usual : 0, world.line };
    }
  *all = nodes.value * (gpus.value > 0 ? gpus.value : usual);
  return plg_multi_host_set_counts (script->context, nodes.line, nodes.value, gpus.line, gpus.value,
                                    script->error);
}

#define MESSAGE_AFTER_EXIT                                                                       \
  N_ ("With the values at its top, the script exits here, so the rest was not read. Change the " \
      "values so that the script continues.")

static gboolean
read_script (Script *script)
{
  static const char *const complete[] = { "num-layers", "hidden-size", "micro-batch-size",
                                          "encoder-num-layers", "batch-size" };
  gboolean is_complete = FALSE;
  gint64 world = 0;
  int conditional_line = 0;

  add_options (script);
  /* A set of options is complete if it has the model or the batch. A smaller set is assumed to
   * be a fragment pasted from a script. */
  for (guint i = 0; i < G_N_ELEMENTS (complete); i++)
    is_complete |= g_hash_table_contains (script->options.all, complete[i]);
  if (!read_world (script, &world) ||
      !plg_megatron_apply_options (&script->options, is_complete, world, script->error))
    return FALSE;

  /* Find the line of the first option that the importer used although a condition in the script
   * may leave it unset. */
  for (guint i = 0; i < script->options.names->len && conditional_line == 0; i++)
    {
      const PlgOption *option = g_hash_table_lookup (script->options.all,
                                                     script->options.names->pdata[i]);

      if (option->maybe && option->used)
        conditional_line = option->line;
    }
  if (script->text->choice > 0)
    plg_import_note (script->context, PLG_NOTE_INFERRED, script->text->choice,
                     _ ("From here on, values depend on a condition. All branches were read, and "
                        "the last value counts."));
  if (conditional_line > 0)
    plg_import_note (script->context, PLG_NOTE_INFERRED, conditional_line,
                     _ ("A condition or another program decides whether this option is set; it "
                        "is assumed to be set."));
  if (script->text->blind > 0)
    plg_import_note (script->context, PLG_NOTE_INFERRED, script->text->blind,
                     _ ("The importer cannot follow what this line does to the variables, so a "
                        "value that it read may differ from the actual one."));

  /* Add a note that the lines after an exit are not read. These lines may contain important
   * options. */
  if (script->text->ended > 0)
    plg_import_note (script->context, PLG_NOTE_IGNORED, script->text->ended, "%s",
                     _ (MESSAGE_AFTER_EXIT));
  if (script->options.names->len == 0 && script->context->settings->len == 0)
    return plg_format_fail (script->text->ended, PLG_FORMAT_ERROR_CONTENT, script->error,
                            script->text->ended > 0
                                ? _ (MESSAGE_AFTER_EXIT)
                                : _ ("No program in the file receives Megatron-LM's arguments. "
                                     "The output of echo and lines that an if statement skips do "
                                     "not count."));
  plg_options_note_unused (&script->options);
  return TRUE;
}

static gboolean
read_megatron (PlgImportContext *context, GError **error)
{
  g_autoptr (PlgScannerScript) text = plg_scanner_read (context->data, context->size, error);
  Script script = { .context = context, .text = text, .error = error };
  gboolean ok;

  if (text == NULL)
    return FALSE;
  plg_options_init (&script.options, context);
  ok = read_script (&script);
  plg_options_clear (&script.options);
  return ok;
}

/* Returns whether P begins with the complete option NAME. After the name and an optional closing
 * quote, P must end or continue with a space, “=”, “:”, “)” or a backslash. This rule excludes
 * prose and Python programs, in which other characters follow the name. */
static gboolean
is_name_at (const char *p, const char *name)
{
  gsize n = strlen (name);

  if (strncmp (p, name, n) != 0)
    return FALSE;
  p += n;
  p += *p == '"' || *p == '\'';
  return *p == '\0' || strchr (" \t\r\n=:\\)", *p) != NULL;
}

static gboolean
is_megatron (const char *data, gsize size)
{
  static const char *const degrees[] = { "tensor-model-parallel-size",
                                         "pipeline-model-parallel-size", "context-parallel-size",
                                         "expert-model-parallel-size" };
  static const char *const others[] = { "num-layers", "hidden-size", "micro-batch-size",
                                        "num-attention-heads", "global-batch-size" };
  guint found = 0;

  if (*data == '<' || *data == '{')
    return FALSE;
  for (const char *p = strstr (data, "--"); p != NULL; p = strstr (p, "--"))
    {
      p += strspn (p, "-");
      for (guint i = 0; i < G_N_ELEMENTS (degrees); i++)
        if (is_name_at (p, degrees[i]))
          return TRUE;
      for (guint i = 0; i < G_N_ELEMENTS (others); i++)
        found |= is_name_at (p, others[i]) ? 1u << i : 0;
    }
  return (found & (found - 1)) != 0;
}

const PlgFormat plg_megatron_format = {
  .name = "megatron",
  .suffix = ".megatron.sh",
  .title = N_ ("Megatron-LM's arguments (shell script)"),
  .subject = PLG_SUBJECT_TRAINING,
  .sign = "--tensor-model-parallel-size, --num-layers",
  .is = is_megatron,
  .read = read_megatron,
  .write = plg_megatron_write,
};
