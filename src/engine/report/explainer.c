/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/explainer.h"

#include "plan/quantity.h"

void
plg_explainer_add (PlgExplainer *self,
                   const char *id,
                   const char *title,
                   char *symbols,
                   char *numbers,
                   char *result,
                   const char *source)
{
  PlgExplanation explanation = { .id = g_strdup (id),
                                 .panel = self->panel,
                                 .title = g_strdup (title),
                                 .symbols = symbols,
                                 .numbers = numbers,
                                 .result = result,
                                 .source = source };

  g_assert (symbols != NULL && numbers != NULL && result != NULL);
  g_array_append_val (self->list, explanation);
}

/* Returns the explanation that was added last. */
static PlgExplanation *
last_explanation (PlgExplainer *self)
{
  g_assert (self->list->len > 0);
  return &g_array_index (self->list, PlgExplanation, self->list->len - 1);
}

void
plg_explainer_note (PlgExplainer *self, char *note)
{
  PlgExplanation *last = last_explanation (self);

  g_free (last->note);
  last->note = note;
}

void
plg_explainer_uses (PlgExplainer *self, guint uses)
{
  last_explanation (self)->uses = uses;
}

void
plg_explainer_constant (PlgExplainer *self, PlgEngineConstant constant)
{
  PlgExplanation *last = last_explanation (self);

  plg_used_constants_add (&last->constants, constant);
}

void
plg_explainer_constants (PlgExplainer *self, const PlgUsedConstants *constants)
{
  for (int i = 0; i < constants->n; i++)
    plg_explainer_constant (self, constants->constant[i]);
}

void
plg_explainer_add_rows (PlgExplainer *self, const PlgExplainerRow *rows, int n)
{
  for (int i = 0; i < n; i++)
    if ((rows[i].profiles & 1u << self->plan->profile) != 0)
      rows[i].explain (self);
}

static char *
format_quantity (char letter, double value)
{
  switch (letter)
    {
    case 'i':
      return plg_format_number (value, 15); /* all digits of an integer */
    case 'n':
      return plg_format_number (value, 4);
    case 'e':
      return plg_format_number (value, 8); /* enough digits for a factor of an exact formula */
    case 'c':
      return plg_format_count (value);
    case 'k':
      return plg_format_count_digits (value, 5);
    case 'm':
      return plg_format_memory (value);
    case 'g':
      {
        g_autofree char *number = plg_format_number (value / PLG_GB, 4);

        return g_strconcat (number, "\u00a0GB", NULL);
      }
    case 'v':
      return plg_format_volume (value);
    case 't':
      return plg_format_time (value);
    case 'l':
      return plg_format_time_digits (value, 5);
    case 's':
      return plg_format_share (value);
    case 'p':
      {
        g_autofree char *number = plg_format_number (100.0 * value, 4);

        return g_strconcat (number, "\u00a0%", NULL);
      }
    case 'b':
      return plg_format_bandwidth (value);
    case 'f':
      return plg_format_flops (value);
    case 'w':
      return plg_format_power (value);
    case 'j':
      return plg_format_energy (value);
    case 'o':
      return plg_format_carbon (value);
    case 'u':
      return plg_format_money (value);
    default:
      g_return_val_if_reached (NULL);
    }
}

char *
plg_explainer_format (const char *pattern, ...)
{
  GString *text = g_string_new (NULL);
  va_list arguments;

  va_start (arguments, pattern);
  while (*pattern != '\0')
    {
      if (pattern[0] == '{' && pattern[1] != '\0' && pattern[2] == '}')
        {
          g_autofree char *quantity = format_quantity (pattern[1], va_arg (arguments, double));

          g_string_append (text, quantity);
          pattern += 3;
        }
      else
        g_string_append_c (text, *pattern++);
    }
  va_end (arguments);
  return g_string_free (text, FALSE);
}

double
plg_explainer_degree (const PlgExplainer *self, PlgAxis axis)
{
  return MAX (self->plan->parallelism.degree[axis], 1);
}

gboolean
plg_explainer_is_notebook (const PlgExplainer *self)
{
  return self->plan->profile == PLG_PROFILE_NOTEBOOK;
}
