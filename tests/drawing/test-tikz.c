/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "request-fixture.h"

#include "drawing/export/latex.h"

#include <math.h>

/* Pictures for LaTeX. */

static void
test_latex_escapes (void)
{
  static const struct
  {
    const char *text;
    const char *latex;
  } rows[] = {
    { "a_b", "a\\_b" },
    { "50 %", "50 \\%" },
    { "\\x{y}", "\\textbackslash{}x\\{y\\}" },
    { "$#&~^", "\\$\\#\\&\\textasciitilde{}\\textasciicircum{}" },
    { "a--b", "a{-}{-}b" },
    { "<|>", "\\textless{}\\textbar{}\\textgreater{}" },
    { "''\"`", "{'}{'}\\char34{}{`}" },
    { "a\x01\x7f\tb", "ab" },
    { "8 × 8", "8 × 8" },
    { "\xff", "\xef\xbf\xbd" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      plg_latex_text (out, rows[i].text);
      g_assert_cmpstr (out->str, ==, rows[i].latex);
    }
}

/* Each character that is not ASCII is declared once, with a character that OT1 has. */
static void
test_latex_declarations (void)
{
  g_autoptr (GHashTable) characters = g_hash_table_new (NULL, NULL);
  g_autoptr (GString) out = g_string_new (NULL);

  plg_latex_collect (characters, "é × 中 é ï abc");
  plg_latex_declare (out, characters);
  g_assert_cmpstr (out->str, ==,
                   "\\newcommand\\plgmissing{?}\n"
                   "\\ifdefined\\DeclareUnicodeCharacter\n"
                   "\\DeclareUnicodeCharacter{00D7}{\\ensuremath{\\times}}\n"
                   "\\DeclareUnicodeCharacter{00E9}{\\'{e}}\n"
                   "\\DeclareUnicodeCharacter{00EF}{\\\"{\\i}}\n"
                   "\\DeclareUnicodeCharacter{4E2D}{\\plgmissing}\n"
                   "\\fi\n");
}

static char *
run (const char *folder, const char *const *words)
{
  g_autoptr (GError) error = NULL;
  char *out = NULL;
  int status;

  g_assert_true (g_spawn_sync (folder, (char **) words, NULL,
                               G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out,
                               NULL, &status, &error));
  g_assert_no_error (error);
  if (!g_spawn_check_wait_status (status, NULL))
    g_error ("%s failed:\n%s", words[0], out);
  return out;
}

static gboolean
has_program (const char *name)
{
  g_autofree char *path = g_find_program_in_path (name);

  return path != NULL;
}

/* Returns the texts of the page that pdflatex makes from TEX. */
static char *
typeset (const char *tex)
{
  g_autofree char *folder = g_dir_make_tmp ("parallelogram-XXXXXX", NULL);
  g_autofree char *source = g_build_filename (folder, "a.tex", NULL);
  const char *const latex[] = { "pdflatex",       "-interaction=nonstopmode",
                                "-halt-on-error", "-no-shell-escape",
                                "a.tex",          NULL };
  const char *const extract[] = { "pdftotext", "-layout", "a.pdf", "-", NULL };
  const char *const clean[] = { "rm", "-r", folder, NULL };
  g_autofree char *log = NULL, *cleaned = NULL;
  char *text;

  g_assert_true (g_file_set_contents (source, tex, -1, NULL));
  log = run (folder, latex);
  g_assert_nonnull (strstr (log, "(1 page"));
  text = run (folder, extract);
  cleaned = run (NULL, clean);
  return text;
}

static void
test_tikz_compiles (RequestFixture *fixture, gconstpointer name)
{
  if (!has_program ("pdflatex") || !has_program ("pdftotext"))
    {
      g_test_skip ("pdflatex or pdftotext is not installed.");
      return;
    }
  for (int i = 0; i < PLG_N_PICTURES; i++)
    {
      g_autofree char *tex = NULL, *text = NULL;

      fixture->request.picture = i;
      fixture->request.palette = i == 0 ? PLG_PALETTE_GREY : PLG_PALETTE_LIGHT;
      tex = request_fixture_export (fixture, PLG_EXPORT_TIKZ);
      text = typeset (tex);
      g_assert_cmpuint (strlen (text), >, 40);
      if (i == PLG_PICTURE_CLUSTER)
        g_assert_nonnull (strstr (text, "node 7"));
    }
}

static void
test_tikz_hostile (RequestFixture *fixture, gconstpointer name)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (300, 100);
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *tex = NULL, *text = NULL;
  PlgExportOptions options = { .format = PLG_EXPORT_TIKZ };
  const PlgPoint far[] = { { 0, 0 }, { 7e6, 50 } };
  PlgShape *shape;
  PlgTheme theme;
  gsize size;

  plg_theme_init (&theme, PLG_PALETTE_DARK);
  plg_figure_describe (figure, HOSTILE, HOSTILE);
  plg_figure_open (figure, "a", "a", HOSTILE);
  plg_figure_text (figure, 10, 40, PLG_ANCHOR_START, 12, TRUE, theme.role[PLG_ROLE_TEXT], HOSTILE);
  for (int hatch = 0; hatch < 7; hatch++)
    {
      shape = plg_figure_rect (figure, 10 + 30 * hatch, 50, 25, 25, 4,
                               plg_color_with_alpha (theme.role[PLG_ROLE_ERROR], 0.3));
      shape->stroke = theme.role[PLG_ROLE_TEXT];
      shape->stroke_width = 1;
      shape->hatch = hatch;
      shape->dashed = hatch % 2 == 1;
    }
  plg_figure_path (figure, far, 2, theme.role[PLG_ROLE_TEXT], 1)->arrow = TRUE;
  plg_figure_rect (figure, NAN, 5, 5, 5, 0, theme.role[PLG_ROLE_TEXT]);
  plg_figure_close (figure);
  bytes = plg_export (figure, &theme, &options, NULL);
  tex = g_strndup (g_bytes_get_data (bytes, &size), g_bytes_get_size (bytes));
  g_assert_null (strstr (tex, "\x01"));
  g_assert_null (strstr (tex, "{\\end{document}"));
  if (!has_program ("pdflatex") || !has_program ("pdftotext"))
    {
      g_test_skip ("pdflatex or pdftotext is not installed.");
      return;
    }
  text = typeset (tex);
  g_assert_nonnull (strstr (text, "100%"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function)                                                 \
  g_test_add (path, RequestFixture, NULL, request_fixture_set_up, function, \
              request_fixture_tear_down)
  g_test_add_func ("/tikz/escapes", test_latex_escapes);
  g_test_add_func ("/tikz/declarations", test_latex_declarations);
  ADD ("/tikz/compiles", test_tikz_compiles);
  ADD ("/tikz/hostile", test_tikz_hostile);
  return g_test_run ();
}
