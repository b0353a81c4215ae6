/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/plan-yaml.h"
#include "plan/check.h"
#include "formats/format-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <yaml.h>

#define MAX_DEPTH 32
#define MAX_EVENTS 200000
#define USUAL_GPUS_PER_NODE 8
#define USUAL_ORDER "tp-cp-pp-dp"
#define SHOWN_CHARACTERS 40 /* of a wrong value */
#define SHOWN_UNKNOWN 8     /* keys; the others are counted */
#define SIMILAR 2           /* letters that a misspelt key may be off */

/* The keys that are read. The file may have others: they are somebody else's, or misspelt, and told
 * as not known. */
typedef enum
{
  KEY_WORLD_SIZE,
  KEY_NODE_SHAPE,
  KEY_PARALLELISM,
  KEY_READING_NOTE,
  KEY_TP,
  KEY_CP,
  KEY_EP,
  KEY_PP,
  KEY_DP,
  KEY_ORDER,
} Key;
#define N_KEYS 10

static const char *const key_names[N_KEYS] = { "world_size",          "node_shape",
                                               "parallelism",         "reading_note",
                                               "parallelism.tp_size", "parallelism.cp_size",
                                               "parallelism.ep_size", "parallelism.pp_size",
                                               "parallelism.dp_size", "parallelism.order" };

typedef struct
{
  char *text; /* NULL when the file does not have the key */
  yaml_mark_t mark;
} Value;

typedef struct
{
  yaml_parser_t parser;
  const char *data;
  gsize size;
  int events;
  Value values[N_KEYS];
  GString *unknown; /* a line for each of the first keys that are not read */
  int n_unknown;
} Reading;

typedef struct
{
  int nodes;
  int gpus_per_node;
  int degree[PLG_N_AXES];
  PlgAxis order[PLG_N_NESTED_AXES];
} Shape;

static gboolean G_GNUC_PRINTF (4, 5)
    fail (PlgFormatError code, yaml_mark_t mark, GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, PLG_FORMAT_ERROR, code, "%d:%d: %s", (int) mark.line + 1,
               (int) mark.column + 1, message);
  return FALSE;
}

static void
prefix_place (yaml_mark_t mark, GError **error)
{
  g_prefix_error (error, "%d:%d: ", (int) mark.line + 1, (int) mark.column + 1);
}

static yaml_mark_t
mark_at (const char *data, gsize offset)
{
  yaml_mark_t mark = { 0 };

  for (const char *p = data; p < data + offset; p++)
    {
      mark.column = *p == '\n' ? 0 : mark.column + 1;
      mark.line += *p == '\n';
    }
  return mark;
}

static gboolean
fail_syntax (Reading *reading, GError **error)
{
  const yaml_parser_t *parser = &reading->parser;
  yaml_mark_t mark = parser->problem_mark;
  const char *problem = parser->problem != NULL ? parser->problem : "?";

  /* Characters that YAML does not know are told by their offset alone. */
  if (parser->error == YAML_READER_ERROR)
    mark = mark_at (reading->data, MIN (parser->problem_offset, reading->size));
  else if (mark.index < reading->size && reading->data[mark.index] == '\t')
    return fail (PLG_FORMAT_ERROR_SYNTAX, mark, error,
                 _ ("YAML does not allow a tab here; indent with spaces."));
  return fail (PLG_FORMAT_ERROR_SYNTAX, mark, error, _ ("This is not YAML: %s."), problem);
}

/* The next event, to be freed with yaml_event_delete(). */
static gboolean
next_event (Reading *reading, yaml_event_t *event, GError **error)
{
  if (!yaml_parser_parse (&reading->parser, event))
    return fail_syntax (reading, error);
  if (event->type == YAML_ALIAS_EVENT || ++reading->events > MAX_EVENTS)
    {
      yaml_mark_t mark = event->start_mark;
      gboolean alias = event->type == YAML_ALIAS_EVENT;
      yaml_event_delete (event);
      return fail (PLG_FORMAT_ERROR_UNSAFE, mark, error, "%s",
                   alias ? _ ("Aliases (*name) are not read; write the value itself.")
                         : _ ("The file has more entries than any plan needs; it is not read."));
    }
  return TRUE;
}

static gboolean
expect_event (Reading *reading, yaml_event_type_t type, const char *message, GError **error)
{
  yaml_event_t event;
  yaml_mark_t mark;
  gboolean as_expected;

  if (!next_event (reading, &event, error))
    return FALSE;
  mark = event.start_mark;
  as_expected = event.type == type;
  yaml_event_delete (&event);
  return as_expected || fail (PLG_FORMAT_ERROR_CONTENT, mark, error, "%s", message);
}

static int
nesting (yaml_event_type_t type)
{
  if (type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT)
    return 1;
  if (type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT)
    return -1;
  return 0;
}

/* Reads over the rest of a value that began with an event of TYPE. */
static gboolean
skip_value (Reading *reading, yaml_event_type_t type, GError **error)
{
  int depth = nesting (type);

  while (depth > 0)
    {
      yaml_event_t event;
      yaml_mark_t mark;

      if (!next_event (reading, &event, error))
        return FALSE;
      mark = event.start_mark;
      depth += nesting (event.type);
      yaml_event_delete (&event);
      if (depth > MAX_DEPTH)
        return fail (PLG_FORMAT_ERROR_UNSAFE, mark, error,
                     _ ("The file is nested more than %d levels deep; it is not read."), MAX_DEPTH);
    }
  return TRUE;
}

static int
find_key (const char *prefix, const char *name)
{
  g_autofree char *path = g_strconcat (prefix, name, NULL);

  for (int i = 0; i < N_KEYS; i++)
    if (g_str_equal (key_names[i], path))
      return i;
  return -1;
}

/* How many letters must be inserted, dropped or changed to make A into B. */
static int
edit_distance (const char *a, const char *b)
{
  int row[SHOWN_CHARACTERS + 1];
  int n = (int) strlen (b);

  for (int j = 0; j <= n; j++)
    row[j] = j;
  for (int i = 1; a[i - 1] != '\0'; i++)
    {
      int diagonal = row[0];

      row[0] = i;
      for (int j = 1; j <= n; j++)
        {
          int change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);

          diagonal = row[j];
          row[j] = MIN (change, 1 + MIN (row[j], row[j - 1]));
        }
    }
  return row[n];
}

/* NAME in lower case, without what is no letter. g_free(). */
static char *
letters_of (const char *name)
{
  GString *letters = g_string_new (NULL);

  for (const char *p = name; *p != '\0'; p++)
    if (g_ascii_isalpha (*p))
      g_string_append_c (letters, g_ascii_tolower (*p));
  return g_string_free (letters, FALSE);
}

/* The key that was perhaps meant, as it is written in its block, or NULL. */
static const char *
similar_key (const char *prefix, const char *name)
{
  g_autofree char *letters = letters_of (name);
  const char *best = NULL;
  int closest = SIMILAR + 1;

  for (int i = 0; i < N_KEYS; i++)
    {
      const char *dot = strchr (key_names[i], '.');
      const char *key = dot != NULL ? dot + 1 : key_names[i];
      g_autofree char *expected = letters_of (key);
      g_autofree char *longer = g_strconcat (letters, "size", NULL);
      int distance = MIN (edit_distance (letters, expected),
                          g_str_equal (longer, expected) ? 0 : SIMILAR + 1);

      /* A degree beside the block instead of in it is told with its block. */
      if (distance < closest)
        {
          closest = distance;
          best = (dot == NULL) == (*prefix == '\0') ? key : key_names[i];
        }
    }
  return best;
}

static void
note_unknown (Reading *reading, const char *prefix, const yaml_event_t *event)
{
  const char *name = (const char *) event->data.scalar.value;
  int line = (int) event->start_mark.line + 1;
  g_autofree char *shown = NULL;
  const char *similar;

  if (reading->n_unknown++ >= SHOWN_UNKNOWN)
    return;
  shown = plg_format_excerpt (name, SHOWN_CHARACTERS);
  similar = similar_key (prefix, name);
  g_string_append_printf (reading->unknown, "%d: ", line);
  if (similar != NULL)
    g_string_append_printf (reading->unknown,
                            _ ("“%s” is not known here and is ignored; did you mean %s?\n"), shown,
                            similar);
  else
    g_string_append_printf (reading->unknown, _ ("“%s” is not known here and is ignored.\n"),
                            shown);
}

static gboolean read_mapping (Reading *reading, const char *prefix, GError **error);

/* The value of KEY, whose first event is EVENT. */
static gboolean
read_value (Reading *reading, Key key, const yaml_event_t *event, GError **error)
{
  Value *value = &reading->values[key];
  gboolean scalar = event->type == YAML_SCALAR_EVENT;

  if (value->text != NULL)
    return fail (PLG_FORMAT_ERROR_CONTENT, event->start_mark, error,
                 _ ("%s is there twice, first in line %d; remove one."), key_names[key],
                 (int) value->mark.line + 1);
  value->mark = event->start_mark;
  value->text = g_strdup (scalar ? (const char *) event->data.scalar.value : "");
  if (key == KEY_PARALLELISM && event->type == YAML_MAPPING_START_EVENT)
    return read_mapping (reading, "parallelism.", error);
  if (key == KEY_PARALLELISM)
    return fail (PLG_FORMAT_ERROR_CONTENT, event->start_mark, error,
                 _ ("parallelism needs tp_size, pp_size and dp_size below it."));
  return scalar || fail (PLG_FORMAT_ERROR_CONTENT, event->start_mark, error,
                         _ ("%s needs a single value, not a list or a block."), key_names[key]);
}

/* *KEY is -1 for a key of somebody else's; *END is TRUE when the mapping ends instead. */
static gboolean
read_key (Reading *reading, const char *prefix, int *key, gboolean *end, GError **error)
{
  yaml_event_t event;
  gboolean ok;

  *key = -1;
  if (!next_event (reading, &event, error))
    return FALSE;
  *end = event.type == YAML_MAPPING_END_EVENT;
  if (event.type == YAML_SCALAR_EVENT)
    *key = find_key (prefix, (const char *) event.data.scalar.value);
  if (event.type == YAML_SCALAR_EVENT && *key < 0)
    note_unknown (reading, prefix, &event);
  ok = *end || skip_value (reading, event.type, error);
  yaml_event_delete (&event);
  return ok;
}

static gboolean
read_mapping (Reading *reading, const char *prefix, GError **error)
{
  for (;;)
    {
      yaml_event_t event;
      gboolean ok, end;
      int key;

      if (!read_key (reading, prefix, &key, &end, error))
        return FALSE;
      if (end)
        return TRUE;
      if (!next_event (reading, &event, error))
        return FALSE;
      ok = key >= 0 ? read_value (reading, key, &event, error)
                    : skip_value (reading, event.type, error);
      yaml_event_delete (&event);
      if (!ok)
        return FALSE;
    }
}

static gboolean
read_document (Reading *reading, GError **error)
{
  const char *what = _ ("A plan in YAML is a block with the keys world_size, node_shape and "
                        "parallelism.");

  return expect_event (reading, YAML_STREAM_START_EVENT, what, error) &&
         expect_event (reading, YAML_DOCUMENT_START_EVENT, what, error) &&
         expect_event (reading, YAML_MAPPING_START_EVENT, what, error) &&
         read_mapping (reading, "", error) &&
         expect_event (reading, YAML_DOCUMENT_END_EVENT, what, error) &&
         expect_event (reading, YAML_STREAM_END_EVENT,
                       _ ("The file has a second document (---); keep one."), error);
}

static gboolean
read_events (Reading *reading, GError **error)
{
  gboolean ok;

  if (!yaml_parser_initialize (&reading->parser))
    g_error ("Out of memory for a YAML parser");
  yaml_parser_set_input_string (&reading->parser, (const guchar *) reading->data, reading->size);
  ok = read_document (reading, error);
  yaml_parser_delete (&reading->parser);
  return ok;
}

/* A whole number from 1 to MAXIMUM; FALLBACK when the file does not have it. */
static gboolean
read_number (const Reading *reading, Key key, int fallback, int maximum, int *out, GError **error)
{
  const Value *value = &reading->values[key];
  gint64 number = fallback;

  if (value->text != NULL && !g_ascii_string_to_signed (value->text, 10, 1, maximum, &number, NULL))
    return fail (PLG_FORMAT_ERROR_CONTENT, value->mark, error,
                 _ ("%s is “%s”; it must be a whole number from 1 to %d."), key_names[key],
                 value->text, maximum);
  *out = (int) number;
  return TRUE;
}

static gboolean
read_degrees (const Reading *reading, Shape *shape, GError **error)
{
  static const Key keys[PLG_N_AXES] = { KEY_TP, KEY_CP, KEY_EP, KEY_PP, KEY_DP };

  for (int axis = 0; axis < PLG_N_AXES; axis++)
    if (!read_number (reading, keys[axis], axis == PLG_AXIS_DP ? 0 : 1, PLG_MAX_GPUS,
                      &shape->degree[axis], error))
      return FALSE;
  return TRUE;
}

/* "tp-cp-pp-dp", the innermost first; this one when the file does not say. */
static gboolean
read_order (const Reading *reading, Shape *shape, GError **error)
{
  const Value *value = &reading->values[KEY_ORDER];
  const char *text = value->text != NULL ? value->text : USUAL_ORDER;
  g_autofree char *shown = plg_format_excerpt (text, SHOWN_CHARACTERS);

  return plg_order_from_string (text, shape->order) ||
         fail (PLG_FORMAT_ERROR_CONTENT, value->mark, error,
               _ ("%s is “%s”; it must name axes, the innermost first, as %s."),
               key_names[KEY_ORDER], shown, USUAL_ORDER);
}

/* "8_nodes_x_8_gpus" */
static gboolean
read_node_shape (const Reading *reading, Shape *shape, GError **error)
{
  const Value *value = &reading->values[KEY_NODE_SHAPE];
  g_autoptr (GRegex) regex = g_regex_new ("^([0-9]{1,9})_nodes?_x_([0-9]{1,9})_gpus?$", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *nodes = NULL;
  g_autofree char *gpus = NULL;

  if (value->text == NULL)
    return TRUE;
  shown = plg_format_excerpt (value->text, SHOWN_CHARACTERS);
  if (!g_regex_match (regex, value->text, 0, &match))
    return fail (PLG_FORMAT_ERROR_CONTENT, value->mark, error,
                 _ ("node_shape is “%s”; it must look like 8_nodes_x_8_gpus."), shown);
  nodes = g_match_info_fetch (match, 1);
  gpus = g_match_info_fetch (match, 2);
  shape->nodes = (int) g_ascii_strtoll (nodes, NULL, 10);
  shape->gpus_per_node = (int) g_ascii_strtoll (gpus, NULL, 10);
  if (shape->nodes < 1 || shape->nodes > PLG_MAX_NODES || shape->gpus_per_node < 1 ||
      shape->gpus_per_node > PLG_MAX_GPUS_PER_NODE)
    return fail (PLG_FORMAT_ERROR_CONTENT, value->mark, error,
                 _ ("node_shape is “%s”; there can be 1 to %d nodes of 1 to %d GPUs."), shown,
                 PLG_MAX_NODES, PLG_MAX_GPUS_PER_NODE);
  return TRUE;
}

/* TP x CP x PP x DP; a DP that the file does not have counts as 1. */
static guint64
product (const Shape *shape)
{
  guint64 all = MAX (shape->degree[PLG_AXIS_DP], 1);

  for (int axis = 0; axis < PLG_AXIS_DP; axis++)
    if (axis != PLG_AXIS_EP && !g_uint64_checked_mul (&all, all, shape->degree[axis]))
      return G_MAXUINT64;
  return all;
}

/* Nodes of eight, or one smaller node, for a file that says the world size alone. */
static gboolean
guess_nodes (const Reading *reading, Shape *shape, int world, GError **error)
{
  if (shape->nodes > 0)
    return TRUE;
  if (world > USUAL_GPUS_PER_NODE && world % USUAL_GPUS_PER_NODE != 0)
    return fail (PLG_FORMAT_ERROR_CONTENT, reading->values[KEY_WORLD_SIZE].mark, error,
                 _ ("%d GPUs do not make whole nodes of %d; add node_shape, such as "
                    "8_nodes_x_8_gpus."),
                 world, USUAL_GPUS_PER_NODE);
  shape->gpus_per_node = MIN (world, USUAL_GPUS_PER_NODE);
  shape->nodes = world / shape->gpus_per_node;
  return TRUE;
}

static gboolean
check_world (const Reading *reading, Shape *shape, int world, GError **error)
{
  const Value *size = &reading->values[KEY_WORLD_SIZE];
  const Value *dp = &reading->values[KEY_DP];
  int in_nodes = shape->nodes * shape->gpus_per_node;
  const int *degree = shape->degree;
  yaml_mark_t mark;

  if (in_nodes != world)
    return fail (PLG_FORMAT_ERROR_CONTENT, size->mark, error,
                 _ ("world_size is %d, but node_shape in line %d has %d × %d = %d GPUs; make them "
                    "the same."),
                 world, (int) reading->values[KEY_NODE_SHAPE].mark.line + 1, shape->nodes,
                 shape->gpus_per_node, in_nodes);
  if (dp->text == NULL && world % product (shape) == 0)
    shape->degree[PLG_AXIS_DP] = (int) (world / product (shape));
  if (product (shape) == world)
    return TRUE;
  /* The file is right, but its plan cannot exist. */
  mark = dp->text != NULL ? dp->mark : reading->values[KEY_PARALLELISM].mark;
  g_set_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_WORLD,
               _ ("TP %d × CP %d × PP %d × DP %d = %llu, but there are %d GPUs; the degrees must "
                  "multiply to the world size."),
               degree[PLG_AXIS_TP], degree[PLG_AXIS_CP], degree[PLG_AXIS_PP],
               MAX (degree[PLG_AXIS_DP], 1), (unsigned long long) product (shape), world);
  prefix_place (mark, error);
  return FALSE;
}

static gboolean
read_shape (const Reading *reading, Shape *shape, GError **error)
{
  int world;

  if (reading->values[KEY_WORLD_SIZE].text == NULL && reading->values[KEY_PARALLELISM].text == NULL)
    return fail (PLG_FORMAT_ERROR_CONTENT, (yaml_mark_t) { 0 }, error,
                 _ ("The file has neither world_size nor parallelism; a plan needs them."));
  if (!read_degrees (reading, shape, error) || !read_order (reading, shape, error) ||
      !read_node_shape (reading, shape, error))
    return FALSE;
  world = shape->nodes > 0 ? shape->nodes * shape->gpus_per_node
                           : (int) MIN (product (shape), PLG_MAX_GPUS);
  return read_number (reading, KEY_WORLD_SIZE, world, PLG_MAX_GPUS, &world, error) &&
         guess_nodes (reading, shape, world, error) && check_world (reading, shape, world, error);
}

/* The default plan's batch is raised to what the degrees need. */
static void
fit_batch (PlgTraining *training, int dp)
{
  gint64 unit = MAX ((gint64) training->micro_batch * dp, 1);
  gint64 batch = (training->global_batch + unit - 1) / unit * unit;

  if (batch <= G_MAXINT)
    training->global_batch = (int) batch;
}

static PlgPlan *
make_plan (const Reading *reading, const PlgCatalogue *catalogue, const Shape *shape)
{
  PlgPlan *plan = plg_catalogue_default_plan (catalogue);
  const char *note = reading->values[KEY_READING_NOTE].text;

  plan->cluster.nodes = shape->nodes;
  plan->cluster.gpus_per_node = shape->gpus_per_node;
  memcpy (plan->parallelism.degree, shape->degree, sizeof shape->degree);
  memcpy (plan->parallelism.order, shape->order, sizeof shape->order);
  plg_placement_clear (&plan->placement);
  fit_batch (&plan->training, shape->degree[PLG_AXIS_DP]);
  g_free (plan->title);
  plan->title = g_strdup ("Parallelism plan");
  g_free (plan->notes);
  plan->notes = g_strdup (note != NULL ? note : "");
  return plan;
}

static gboolean
check_text (const char *data, gsize size, GError **error)
{
  const char *invalid;

  if (size > PLG_MAX_FILE_BYTES)
    return fail (PLG_FORMAT_ERROR_UNSAFE, mark_at (data, 0), error,
                 _ ("The file has more than %d MiB, which no file of ours needs; it is not read."),
                 PLG_MAX_FILE_BYTES >> 20);
  return g_utf8_validate (data, size, &invalid) ||
         fail (PLG_FORMAT_ERROR_SYNTAX, mark_at (data, invalid - data), error,
               _ ("Byte 0x%02X is not UTF-8; the file is damaged, or must be saved as UTF-8."),
               (guchar) *invalid);
}

/* The file names no model, and the default one may have no experts: then EP waits for one that has.
 */
static void
drop_experts (Reading *reading, PlgPlan *plan)
{
  const Value *value = &reading->values[KEY_EP];
  int *ep = &plan->parallelism.degree[PLG_AXIS_EP];

  if (*ep == 1 || plg_transformer_is_moe (&plan->model))
    return;
  g_string_append_printf (reading->unknown, "%d: ", (int) value->mark.line + 1);
  g_string_append_printf (reading->unknown,
                          _ ("ep_size %d is ignored: the file names no model, and %s has no "
                             "experts. Choose a model that has, then set EP.\n"),
                          *ep, plan->model.name);
  *ep = 1;
}

static PlgPlan *
read_plan (Reading *reading, const PlgCatalogue *catalogue, GError **error)
{
  g_autoptr (PlgPlan) plan = NULL;
  Shape shape = { 0 };
  yaml_mark_t mark;

  if (!read_events (reading, error) || !read_shape (reading, &shape, error))
    return NULL;
  plan = make_plan (reading, catalogue, &shape);
  mark = reading->values[KEY_PARALLELISM].mark;
  drop_experts (reading, plan);
  if (!plg_plan_check (plan, error))
    {
      prefix_place (mark, error);
      return NULL;
    }
  return g_steal_pointer (&plan);
}

/* The lines on keys that are not known, or NULL. */
static char *
make_notice (Reading *reading)
{
  g_autofree char *text = g_string_free (g_steal_pointer (&reading->unknown), FALSE);
  int more = reading->n_unknown - SHOWN_UNKNOWN;

  if (more > 0)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s%d more key is ignored.",
                                         "%s%d more keys are ignored.", more),
                            text, more);
  return *text != '\0' ? g_strdup (g_strchomp (text)) : NULL;
}

PlgPlan *
plg_plan_yaml_read (const char *data,
                    gsize size,
                    const PlgCatalogue *catalogue,
                    char **notice,
                    GError **error)
{
  Reading reading = { .data = data, .size = size };
  g_autofree char *told = NULL;
  PlgPlan *plan;

  if (!check_text (data, size, error))
    return NULL;
  reading.unknown = g_string_new (NULL);
  plan = read_plan (&reading, catalogue, error);
  told = make_notice (&reading);
  if (notice != NULL)
    *notice = plan != NULL ? g_steal_pointer (&told) : NULL;
  for (int i = 0; i < N_KEYS; i++)
    g_free (reading.values[i].text);
  return plan;
}

/* Words that YAML leaves as they are: everything else is quoted. */
static gboolean
is_plain (const char *text)
{
  return g_regex_match_simple ("^[A-Za-z][A-Za-z0-9]*( [A-Za-z0-9(][A-Za-z0-9,.();/+-]*)+$", text,
                               0, 0);
}

static void
append_quoted (GString *out, const char *text)
{
  g_string_append_c (out, '"');
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      if (c == '"' || c == '\\')
        g_string_append_printf (out, "\\%c", (char) c);
      else if (c == '\n')
        g_string_append (out, "\\n");
      else if (c == '\t')
        g_string_append (out, "\\t");
      else if (g_unichar_isprint (c) && c != 0xFEFF && c != 0x2028 && c != 0x2029)
        g_string_append_unichar (out, c);
      else
        g_string_append_printf (out, "\\U%08X", c);
    }
  g_string_append_c (out, '"');
}

static void
append_note (GString *out, const char *notes)
{
  g_autofree char *valid = g_utf8_make_valid (notes, -1);

  if (*valid == '\0')
    return;
  g_string_append (out, "\nreading_note: ");
  if (is_plain (valid))
    g_string_append (out, valid);
  else
    append_quoted (out, valid);
  g_string_append_c (out, '\n');
}

static void
append_degrees (GString *out, const PlgPlan *plan)
{
  const int *degree = plan->parallelism.degree;
  gboolean in_node = degree[PLG_AXIS_TP] <= plan->cluster.gpus_per_node;
  g_autofree char *order = plg_order_to_string (&plan->parallelism);

  g_string_append_printf (out, "parallelism:\n  tp_size: %d  # %s\n", degree[PLG_AXIS_TP],
                          in_node ? "every layer waits for it: stay inside one node when possible"
                                  : "wider than a node: every layer waits for the network");
  if (degree[PLG_AXIS_CP] > 1)
    g_string_append_printf (out, "  cp_size: %d  # attention passes keys and values around\n",
                            degree[PLG_AXIS_CP]);
  if (degree[PLG_AXIS_EP] > 1)
    g_string_append_printf (out, "  ep_size: %d  # tokens travel to their experts and back\n",
                            degree[PLG_AXIS_EP]);
  g_string_append_printf (out,
                          "  pp_size: %d  # a stage talks to its neighbours only: may cross "
                          "nodes\n",
                          degree[PLG_AXIS_PP]);
  g_string_append_printf (out, "  dp_size: %d  # once a step, mostly hidden: takes what is left\n",
                          degree[PLG_AXIS_DP]);
  g_string_append_printf (out, "  order: %s  # the innermost first: who sits where\n", order);
}

static void
append_remarks (GString *out, const PlgPlan *plan)
{
  const int *degree = plan->parallelism.degree;

  g_string_append_printf (out,
                          "\n# What to see here:\n"
                          "# - %d (TP) x %d (CP) x %d (PP) x %d (DP) = %d GPUs, none left over "
                          "and none used twice.\n"
                          "# - Degrees do not say who sits where; the order does: ranks nest so.\n",
                          degree[PLG_AXIS_TP], degree[PLG_AXIS_CP], degree[PLG_AXIS_PP],
                          degree[PLG_AXIS_DP], plg_plan_world (plan));
  if (plan->placement.size > 0)
    g_string_append (out, "#   Ranks were also moved by hand; this file does not keep that.\n");
  if (!plg_node_map_is_empty (&plan->node_map))
    g_string_append (out,
                     "#   What is inside a node is known too; this file does not keep that.\n");
  g_string_append (out, "# - The more often a collective runs, the faster the link it needs.\n");
}

char *
plg_plan_yaml_write (const PlgPlan *plan)
{
  GString *out = g_string_new ("# How the training is divided over the cluster. The other files "
                               "of the run\n"
                               "# follow this one: change the degrees here.\n\n");

  g_string_append_printf (out, "world_size: %d\nnode_shape: %d_nodes_x_%d_gpus\n\n",
                          plg_plan_world (plan), plan->cluster.nodes, plan->cluster.gpus_per_node);
  append_degrees (out, plan);
  append_note (out, plan->notes);
  append_remarks (out, plan);
  return g_string_free (out, FALSE);
}

/* Its line of the table */

/* Whether LINE is one of TOML: a key and “=”. */
static gboolean
is_assignment (const char *line)
{
  line += strspn (line, "abcdefghijklmnopqrstuvwxyz_");
  return line[strspn (line, " \t")] == '=';
}

static gboolean
is_yaml (const char *data, gsize size)
{
  static const char *const keys[] = { "world_size", "node_shape", "parallelism", "reading_note" };

  for (const char *line = data; line != NULL && *data != '{' && *data != '[';)
    {
      for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
        if (size - (line - data) > strlen (keys[i]) &&
            strncmp (line, keys[i], strlen (keys[i])) == 0 && !is_assignment (line))
          return TRUE;
      line = memchr (line, '\n', size - (line - data));
      line = line != NULL ? line + 1 : NULL;
    }
  return FALSE;
}

/* The notices become notes. */
static gboolean
read_yaml (PlgReading *reading, GError **error)
{
  g_autofree char *notice = NULL;
  PlgPlan *plan = plg_plan_yaml_read (reading->data, reading->size, reading->catalogue, &notice,
                                      error);
  g_auto (GStrv) lines = g_strsplit (notice != NULL ? notice : "", "\n", -1);

  if (plan == NULL)
    return FALSE;
  plg_plan_free (reading->plan);
  reading->plan = plan;
  for (int i = 0; lines[i] != NULL; i++)
    {
      char *text;
      gint64 line = g_ascii_strtoll (lines[i], &text, 10);

      if (*text == ':' && line > 0)
        plg_reading_note (reading, PLG_NOTE_IGNORED, (int) line, "%s", text + 2);
      else
        plg_reading_note (reading, PLG_NOTE_IGNORED, 0, "%s", lines[i]);
    }
  return TRUE;
}

static GBytes *
write_yaml (const PlgWriting *writing, GError **error)
{
  return plg_take_text (plg_plan_yaml_write (writing->plan));
}

const PlgFormat plg_plan_yaml_format = {
  .name = "yaml",
  .suffix = ".yaml",
  .title = N_ ("World size, node shape and degrees (YAML)"),
  .subject = PLG_SUBJECT_PLAN,
  .syntax = PLG_SYNTAX_YAML,
  .sign = "world_size, node_shape, parallelism",
  .is = is_yaml,
  .read = read_yaml,
  .write = write_yaml,
};
