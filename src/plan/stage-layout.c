/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/stage-layout.h"

#include "plan/plan-problem.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define KEY "parallelism.layout"

/* The most letters and bars of an expanded text: all layers, all MTP layers, the ends of all
 * virtual stages, E and L. */
#define LONGEST_EXPANDED (2 * PLG_MAX_LAYOUT_LAYERS + PLG_MAX_LAYOUT_STAGES + 2)

/* Reading */

static gboolean
refuse_length (GError **error)
{
  return plg_plan_problem_set_for_key (
      error, PLG_PLAN_ERROR_RANGE, KEY,
      _ ("the repetitions make more than %d layers or %d virtual stages; use fewer"),
      PLG_MAX_LAYOUT_LAYERS, PLG_MAX_LAYOUT_STAGES);
}

/* Appends COPIES copies of the text of OUT from START on, less the copy that is there already. */
static gboolean
repeat (GString *out, gsize start, gint64 copies, GError **error)
{
  g_autofree char *part = g_strdup (out->str + start);
  gsize length = out->len - start;

  if (length > 0 && copies > (gint64) (LONGEST_EXPANDED / length))
    return refuse_length (error);
  for (gint64 i = 1; i < copies; i++)
    g_string_append_len (out, part, length);
  return TRUE;
}

/* Reads the optional “*3” at *AT and repeats the text of OUT from START on. */
static gboolean
read_repetition (const char *text, const char **at, GString *out, gsize start, GError **error)
{
  char *end;
  guint64 copies;

  if (**at != '*')
    return TRUE;
  copies = g_ascii_isdigit ((*at)[1]) ? g_ascii_strtoull (*at + 1, &end, 10) : 0;
  if (copies < 1 || copies > PLG_MAX_LAYOUT_LAYERS)
    return plg_plan_problem_set_for_key (
        error, PLG_PLAN_ERROR_RANGE, KEY,
        _ ("“*” at character %d needs a whole number from 1 to %d after it"),
        (int) (*at - text) + 1, PLG_MAX_LAYOUT_LAYERS);
  *at = end;
  return repeat (out, start, (gint64) copies, error);
}

/* Returns TEXT without commas and repetitions, for example “Ett|ttL”; NULL with an error if TEXT
 * has other characters or an incomplete group. */
static char *
expand (const char *text, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  const char *group = NULL; /* the open bracket */
  gsize group_start = 0;

  for (const char *at = text; *at != '\0';)
    {
      gsize start = out->len;

      if (*at == ',' || *at == ' ')
        at++;
      else if (*at == '(' && group == NULL)
        {
          group = at++;
          group_start = out->len;
        }
      else if (*at == ')' && group != NULL)
        {
          group = NULL;
          at++;
          if (!read_repetition (text, &at, out, group_start, error))
            return NULL;
        }
      else if (strchr ("EtmL|", *at) != NULL)
        {
          g_string_append_c (out, *at++);
          if (!read_repetition (text, &at, out, start, error))
            return NULL;
        }
      else
        {
          g_autofree char *valid = g_utf8_make_valid (at, MIN (strlen (at), 8));
          g_autofree char *shown = g_utf8_substring (valid, 0, 1);

          plg_plan_problem_set_for_key (
              error, PLG_PLAN_ERROR_RANGE, KEY,
              _ ("“%s” at character %d is not allowed; use the letters E, t, m and L, “|” between "
                 "virtual stages, and repetitions such as t*3 or (tt|)*3"),
              shown, (int) (at - text) + 1);
          return NULL;
        }
      if (out->len > LONGEST_EXPANDED)
        {
          refuse_length (error);
          return NULL;
        }
    }
  if (group != NULL)
    {
      plg_plan_problem_set_for_key (error, PLG_PLAN_ERROR_RANGE, KEY,
                                    _ ("the “(” at character %d has no “)”"),
                                    (int) (group - text) + 1);
      return NULL;
    }
  return g_strdup (out->str);
}

/* Counts the layers of each virtual stage in LETTERS, an expanded text. */
static gboolean
count_layers (const char *letters, PlgStageLayout *layout, GError **error)
{
  gsize n = strlen (letters);
  int stage = 0, layers = 0;

  *layout = (PlgStageLayout) { .mtp = -1 };
  if (letters[0] != 'E' || strchr (letters + 1, 'E') != NULL)
    return plg_plan_problem_set_for_key (
        error, PLG_PLAN_ERROR_RANGE, KEY,
        _ ("the layout must start with E, the embedding, and have no other E"));
  if (letters[n - 1] != 'L' || strchr (letters, 'L') != letters + n - 1)
    return plg_plan_problem_set_for_key (
        error, PLG_PLAN_ERROR_RANGE, KEY,
        _ ("the layout must end with L, the loss, and have no other L"));
  for (gsize i = 0; i < n; i++)
    switch (letters[i])
      {
      case '|':
        stage++;
        if (stage == PLG_MAX_LAYOUT_STAGES)
          return plg_plan_problem_set_for_key (
              error, PLG_PLAN_ERROR_RANGE, KEY,
              _ ("the layout has more than %d virtual stages; use fewer"), PLG_MAX_LAYOUT_STAGES);
        break;
      case 't':
        if (layout->mtp_layers > 0)
          return plg_plan_problem_set_for_key (
              error, PLG_PLAN_ERROR_RANGE, KEY,
              _ ("a layer (t) follows an MTP layer (m); put the MTP layers after all layers"));
        if (++layers > PLG_MAX_LAYOUT_LAYERS)
          return plg_plan_problem_set_for_key (error, PLG_PLAN_ERROR_RANGE, KEY,
                                               _ ("the layout has more than %d layers; use fewer"),
                                               PLG_MAX_LAYOUT_LAYERS);
        layout->layers[stage]++;
        break;
      case 'm':
        if (layout->mtp >= 0 && layout->mtp != stage)
          return plg_plan_problem_set_for_key (
              error, PLG_PLAN_ERROR_RANGE, KEY,
              _ ("the MTP layers (m) are in several virtual stages; put all of them in one"));
        layout->mtp = stage;
        layout->mtp_layers++;
        break;
      default:
        break;
      }
  layout->stages = stage + 1;
  if (layout->mtp < 0)
    layout->mtp = stage;
  return TRUE;
}

gboolean
plg_stage_layout_from_string (PlgStageLayout *layout, const char *text, GError **error)
{
  g_autofree char *letters = NULL;
  PlgStageLayout read;

  if (*text == '\0')
    {
      *layout = (PlgStageLayout) { 0 };
      return TRUE;
    }
  letters = expand (text, error);
  if (letters == NULL || !count_layers (letters, &read, error))
    return FALSE;
  *layout = read;
  return TRUE;
}

/* Writing */

static void
append_repeated (GString *out, char letter, int n)
{
  if (n > 3)
    g_string_append_printf (out, "%c*%d", letter, n);
  else
    for (int i = 0; i < n; i++)
      g_string_append_c (out, letter);
}

/* Returns TRUE if virtual stage I has only layers, so that it can be part of a repeated group: it
 * is neither the first, with the embedding, nor the last, with the loss, nor the one with MTP
 * layers. */
static gboolean
is_plain (const PlgStageLayout *layout, int i)
{
  return i > 0 && i < layout->stages - 1 && (layout->mtp_layers == 0 || i != layout->mtp);
}

char *
plg_stage_layout_to_string (const PlgStageLayout *layout)
{
  GString *out = g_string_new (NULL);

  for (int i = 0, next; i < layout->stages; i = next)
    {
      gboolean is_last = i == layout->stages - 1;

      next = i + 1;
      while (is_plain (layout, i) && is_plain (layout, next) &&
             layout->layers[next] == layout->layers[i])
        next++;
      if (next - i > 1)
        g_string_append_c (out, '(');
      if (i == 0)
        g_string_append_c (out, 'E');
      append_repeated (out, 't', layout->layers[i]);
      if (i == layout->mtp)
        append_repeated (out, 'm', layout->mtp_layers);
      g_string_append_c (out, is_last ? 'L' : '|');
      if (next - i > 1)
        g_string_append_printf (out, ")*%d", next - i);
    }
  return g_string_free (out, FALSE);
}

gboolean
plg_stage_layout_equal (const PlgStageLayout *a, const PlgStageLayout *b)
{
  if (a->stages != b->stages)
    return FALSE;
  return a->stages == 0 || (a->mtp == b->mtp && a->mtp_layers == b->mtp_layers &&
                            memcmp (a->layers, b->layers, a->stages * sizeof a->layers[0]) == 0);
}

int
plg_stage_layout_before (const PlgStageLayout *layout, int i)
{
  int sum = 0;

  for (int j = 0; j < i; j++)
    sum += layout->layers[j];
  return sum;
}
