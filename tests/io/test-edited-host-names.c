/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan/catalogue-xml.h"
#include "placed-plan.h"

#include "plan/plan-check.h"
#include "plan/settings/setting.h"

#include <string.h>

/* Users rename nodes in our files with a text editor: in one place of several, or two nodes to
 * the same name. */

static const char *const formats[] = { "kubernetes",     "slurm",    "torchrun", "rankfile",
                                       "slurm-hostfile", "hostfile", "ssh",      "openmpi5" };
static const char *const settings[] = { "cluster.nodes=4",      "cluster.gpus-per-node=2",
                                        "parallelism.tp=2",     "parallelism.pp=1",
                                        "model.name=llama3-8b", NULL };
static const char *const named[] = { "cluster.node-names=0=node0,1=b,2=c,3=d", NULL };

static char *
write_plan (const char *format, const PlgCatalogue *catalogue, gboolean names)
{
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_autoptr (GError) error = NULL;
  char *text;

  g_assert_true (plg_settings_apply (plan, catalogue, settings, NULL));
  g_assert_true (!names || plg_settings_apply (plan, catalogue, named, NULL));
  text = placed_plan_write (plan, format, &error);
  g_assert_no_error (error);
  return text;
}

static PlgImportResult *
read_text (const char *text, const PlgCatalogue *catalogue, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return plg_format_read (bytes, "f", NULL, catalogue, error);
}

/* Returns TEXT with NAME replaced by OTHER from line FIRST to line LAST, which count from 1. */
static char *
rename_in (const char *text, int first, int last, const char *name, const char *other)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GRegex) regex = NULL;
  g_autofree char *pattern = g_strdup_printf ("(?<!\\w)%s\\b", name);

  regex = g_regex_new (pattern, 0, 0, NULL);
  for (int i = 0; lines[i] != NULL; i++)
    if (i + 1 >= first && i + 1 <= last)
      {
        char *line = g_regex_replace_literal (regex, lines[i], -1, 0, other, 0, NULL);

        g_free (lines[i]);
        lines[i] = line;
      }
  return g_strjoinv ("\n", lines);
}

/* With a name replaced in any one line, the file is read, or refused with this line. */
static void
rename_everywhere (const char *text, const char *name, const PlgCatalogue *catalogue)
{
  static const char *const others[] = { "node0", "b", "alpha", "node99", "7", "" };
  int lines = 1;

  for (const char *p = text; *p != '\0'; p++)
    lines += *p == '\n';
  for (int line = 1; line <= lines; line++)
    for (guint i = 0; i < G_N_ELEMENTS (others); i++)
      {
        g_autofree char *edited = rename_in (text, line, line, name, others[i]);
        g_autoptr (GError) error = NULL;
        g_autoptr (PlgImportResult) import = read_text (edited, catalogue, &error);

        g_assert_true ((import == NULL) == (error != NULL));
        if (import != NULL)
          g_assert_true (plg_plan_check (import->plan, NULL));
        else
          g_assert_true (g_str_has_prefix (error->message, "f:"));
      }
}

static void
test_anywhere (void)
{
  PlgCatalogue *catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    for (int names = 0; names < 2; names++)
      {
        g_autofree char *text = write_plan (formats[i], catalogue, names);

        rename_everywhere (text, names ? "c" : "node2", catalogue);
      }
  plg_catalogue_unref (catalogue);
}

/* In a PyTorchJob the head lists the nodes in lines 3 to 6, and each of its two cases has one
 * line per pod. */
#define HEAD 1, 6
#define CASES 7, 999

typedef struct
{
  int first, last;
  const char *name, *other;
  const char *says;  /* a note, or the reason for a refusal */
  const char *names; /* names of nodes; NULL if the edit is rejected */
} Edit;

static const Edit edits[] = {
  { HEAD, "node2", "node0", "f:3: The ranks below use other names for 1 of the listed hosts", "" },
  { HEAD, "node2", "alpha", "f:3: The ranks below use other names for 1 of the listed hosts", "" },
  { CASES, "node2", "alpha", "f:3: The ranks below use other names for 1 of the listed hosts",
    "2=alpha" },
  { 1, 999, "node2", "alpha", NULL, "2=alpha" },
  { CASES, "# node2", "# node2 (spare)", NULL, "" },
  { CASES, "# node2", "# a spare one", NULL, "" },
  { CASES, "# node2", "", NULL, "" },
  { CASES, "\\(2", "($(reboot)", "“$(reboot)” is not a valid node name", NULL },
  { CASES, "node2", "node1", "f:5: Node node2 is listed here, but has no rank.", NULL },
  { 5, 5, "# node 2", "# node 3", "f:5: Node node2 is listed out of order", NULL },
};

static void
check_edit (const Edit *edit, const char *text, const PlgCatalogue *catalogue)
{
  g_autofree char *edited = rename_in (text, edit->first, edit->last, edit->name, edit->other);
  g_autofree char *names = NULL, *notes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult) import = read_text (edited, catalogue, &error);

  if (edit->names == NULL)
    {
      g_assert_null (import);
      g_assert_true (g_str_has_prefix (error->message, "f:"));
      g_assert_nonnull (strstr (error->message, edit->says));
      return;
    }
  g_assert_no_error (error);
  notes = plg_import_result_text (import, ~0u);
  g_assert_true (edit->says == NULL || strstr (notes, edit->says) != NULL);
  names = plg_setting_get (plg_setting_find ("cluster.node-names"), import->plan);
  g_assert_cmpstr (names, ==, edit->names);
  for (int rank = 0; rank < 8; rank++)
    g_assert_cmpint (plg_placement_gpu (&import->plan->placement, rank), ==, rank);
}

static void
test_pods (void)
{
  PlgCatalogue *catalogue = plg_catalogue_load (NULL);
  g_autofree char *text = write_plan ("kubernetes", catalogue, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (edits); i++)
    check_edit (&edits[i], text, catalogue);
  plg_catalogue_unref (catalogue);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edited-host-names/anywhere", test_anywhere);
  g_test_add_func ("/edited-host-names/pods", test_pods);
  return g_test_run ();
}
