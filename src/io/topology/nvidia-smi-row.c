/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/nvidia-smi-row.h"

#include "io/topology/node-type-guess.h"

#include <string.h>

gboolean
plg_nvidia_smi_is_gpu (const char *word)
{
  return g_str_has_prefix (word, "GPU") && word[3] != '\0' &&
         word[3 + strspn (word + 3, "0123456789")] == '\0';
}

gboolean
plg_nvidia_smi_is_nic (const char *word)
{
  gsize n = strlen (word);

  return g_ascii_isalpha (*word) && g_ascii_isdigit (word[n - 1]) &&
         (*word != 'V' || word[1 + strspn (word + 1, "0123456789")] != '\0') &&
         !g_str_has_prefix (word, "NV") && !plg_nvidia_smi_is_gpu (word) &&
         plg_nic_name_check (word);
}

/* The names that nvidia-smi uses for paths. */
static const struct
{
  const char *code;
  PlgPathType type;
} codes[] = {
  { "X", PLG_PATH_SELF },    { "PIX", PLG_PATH_PIX }, { "PXB", PLG_PATH_PXB },
  { "PHB", PLG_PATH_PHB },   { "SOC", PLG_PATH_SYS }, { "SYS", PLG_PATH_SYS },
  { "NODE", PLG_PATH_NODE }, { "C2C", PLG_PATH_C2C },
};

gboolean
plg_nvidia_smi_read_path (const char *word, PlgPath *path)
{
  guint64 links;

  *path = (PlgPath) { .type = PLG_PATH_UNKNOWN };
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_str_equal (word, codes[i].code))
      {
        path->type = codes[i].type;
        return TRUE;
      }
  if (!g_str_has_prefix (word, "NV") ||
      !g_ascii_string_to_unsigned (word + 2, 10, 1, 99, &links, NULL))
    return FALSE;
  *path = (PlgPath) { .type = PLG_PATH_NVLINK, .links = (int) links };
  return TRUE;
}

gboolean
plg_nvidia_smi_is_path (const char *word)
{
  PlgPath path;

  return plg_nvidia_smi_read_path (word, &path);
}

GPtrArray *
plg_nvidia_smi_split (const char *line)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) all = g_strsplit_set (line, " \t\r\f\v", -1);

  for (int i = 0; all[i] != NULL; i++)
    if (*all[i] != '\0')
      g_ptr_array_add (words, g_strdup (all[i]));
  return words;
}

void
plg_nvidia_smi_row_append (PlgNvidiaSmiRow *row,
                           const char *before,
                           const char *text,
                           gboolean (*is_word) (const char *))
{
  g_autoptr (GPtrArray) more = plg_nvidia_smi_split (text);
  GPtrArray *words = row->words;
  guint from = 0, n = words->len;
  gsize length = before != NULL ? strlen (before) : 0;
  /* A line break may have cut a word if there is no space on either side of the break. */
  gboolean is_cut = length > 0 && !g_ascii_isspace (before[length - 1]) && *text != '\0' &&
                    !g_ascii_isspace (*text);

  if (is_cut && n > 0 && more->len > 0)
    {
      char *last = words->pdata[n - 1], *next = more->pdata[0];
      g_autofree char *whole = g_strconcat (last, next, NULL);

      /* Join the two parts if they form a word together and at least one of them is not a word
       * by itself, or if neither part is a word. */
      if (strlen (whole) < PLG_NAME_SIZE && !(is_word (last) && is_word (next)) &&
          (is_word (whole) || (!is_word (last) && !is_word (next))))
        {
          words->pdata[n - 1] = g_steal_pointer (&whole);
          g_free (last);
          from = 1;
        }
    }
  for (guint i = from; i < more->len; i++)
    g_ptr_array_add (words, g_strdup (more->pdata[i]));
  /* Count the tabs in a loop, because under sanitizers every call of strchr() reads the whole
   * text, which is slow. */
  for (const char *p = text; *p != '\0'; p++)
    row->tabs += *p == '\t';
}

static const char *const titles[] = {
  "CPU", "NUMA", "GPU", "Affinity", "ID", "NUMA-Affinity", NULL
};

gboolean
plg_nvidia_smi_is_title (const char *word)
{
  return plg_nvidia_smi_is_gpu (word) || plg_nvidia_smi_is_nic (word) ||
         g_strv_contains (titles, word);
}

gboolean
plg_nvidia_smi_ends_title (const char *word)
{
  return g_str_has_suffix (word, "Affinity") || g_str_equal (word, "ID");
}

gboolean
plg_nvidia_smi_is_truncated (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_str_has_prefix (codes[i].code, word))
      return TRUE;
  for (int i = 0; titles[i] != NULL; i++)
    if (g_str_has_prefix (titles[i], word))
      return TRUE;
  return g_str_equal (word, "NV");
}

gboolean
plg_nvidia_smi_begins_row (const GPtrArray *words)
{
  return words->len > 1 &&
         (plg_nvidia_smi_is_gpu (words->pdata[0]) || plg_nvidia_smi_is_nic (words->pdata[0])) &&
         plg_nvidia_smi_is_path (words->pdata[1]);
}

gboolean
plg_nvidia_smi_begins_head (const GPtrArray *words)
{
  return words->len > 0 && plg_nvidia_smi_is_gpu (words->pdata[0]) &&
         (words->len == 1 || plg_nvidia_smi_is_title (words->pdata[1]));
}
