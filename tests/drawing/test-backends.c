/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "request-rig.h"
#include "sample.h"

#include "drawing/latex.h"
#include "drawing/outline.h"
#include "drawing/paint.h"
#include "drawing/textual.h"
#include "plan/fault.h"

#include <glib/gstdio.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <locale.h>
#include <math.h>
#include <string.h>

/* What people and files may call a model: TeX's, XML's and shells' own characters, control
 * characters, writing from right to left and what turns lines round, accents, ideographs. */
#define HOSTILE                                                                                  \
  "\\end{document} 100% #1 $x_2^3$ {a}~& <b>\"q\"</b> ]]> --> `c` ''s'' | \x01"                  \
  "\x1b[31m \xe2\x80\xae\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xc3\xa9\xc3\x9f\xc5\x82 \xe4\xb8\xad " \
  "-- ?` \xf0\x9f\x98\x80"

static int
columns_of (const char *line)
{
  int columns = 0;

  for (const char *c = line; *c != '\0'; c = g_utf8_next_char (c))
    if (!g_unichar_iszerowidth (g_utf8_get_char (c)))
      columns += g_unichar_iswide (g_utf8_get_char (c)) ? 2 : 1;
  return columns;
}

static void
assert_fits_a_ticket (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_assert_true (g_utf8_validate (text, -1, NULL));
  for (int i = 0; lines[i] != NULL; i++)
    {
      g_assert_cmpint (columns_of (lines[i]), <=, PLG_TEXTUAL_WIDTH);
      g_assert_false (g_str_has_suffix (lines[i], " "));
    }
  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    {
      GUnicodeType type = g_unichar_type (g_utf8_get_char (c));

      g_assert_true (*c == '\n' || type != G_UNICODE_CONTROL);
      g_assert_cmpint (type, !=, G_UNICODE_FORMAT);
    }
}

static void
rename_model (Rig *rig, const char *name)
{
  g_strlcpy (rig->plan->model.title, name, sizeof rig->plan->model.title);
}

/* Plain text ----------------------------------------------------------------------------------- */

static void
test_text_golden (Rig *rig, gconstpointer name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "drawing", "golden",
                                                 "cluster-ticket.txt", NULL);
  g_autofree char *text = NULL, *golden = NULL;

  /* The bubble of a ticket is the one that is judged. */
  rig->report->bubble.simulated += 0.1;
  text = rig_export (rig, PLG_EXPORT_TEXT);
  if (g_getenv ("PLG_UPDATE_GOLDEN") != NULL)
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_true (g_file_get_contents (path, &golden, NULL, NULL));
  g_assert_cmpstr (text, ==, golden);
}

static void
test_text_of_all (Rig *rig, gconstpointer name)
{
  for (int i = 0; i < PLG_N_PICTURES; i++)
    {
      g_autofree char *text = NULL;

      rig->request.picture = i;
      text = rig_export (rig, PLG_EXPORT_TEXT);
      assert_fits_a_ticket (text);
      /* The shortest is why the other order cannot be. */
      g_assert_cmpuint (strlen (text), >, 50);
    }
}

/* Of every cluster, every picture and what pairs can show: no line too long, no part empty. */
static void
test_text_of_all_samples (void)
{
  for (int i = 0; i < n_samples; i++)
    for (int picture = 0; picture <= PLG_N_PICTURES; picture++)
      {
        Rig rig;
        g_autofree char *text = NULL;

        rig_set_up (&rig, samples[i].name);
        rig.request.picture = MIN (picture, PLG_N_PICTURES - 1);
        if (picture == PLG_N_PICTURES)
          rig.request.picture = PLG_PICTURE_MATRIX;
        rig.request.options.pairs = picture == PLG_N_PICTURES ? PLG_PAIRS_TRAFFIC
                                                              : PLG_PAIRS_BANDWIDTH;
        text = rig_export (&rig, PLG_EXPORT_TEXT);
        assert_fits_a_ticket (text);
        if (strstr (text, "\n\n\n") != NULL || g_str_has_suffix (text, "\n\n"))
          g_error ("%s of %s has an empty part:\n%s", plg_picture_name (rig.request.picture),
                   samples[i].name, text);
        rig_tear_down (&rig, NULL);
      }
}

static void
assert_line (const char *text, const char *line)
{
  g_autofree char *whole = g_strconcat ("\n", line, "\n", NULL);

  if (strstr (text, whole) == NULL)
    g_error ("“%s” is no line of\n%s", line, text);
}

/* Letters for each two of 64 GPUs, numbers for fewer, and what they send node by node. */
static void
test_text_of_pairs (Rig *rig, gconstpointer name)
{
  g_autofree char *text = NULL;
  Rig small;

  rig->request.picture = PLG_PICTURE_MATRIX;
  text = rig_export (rig, PLG_EXPORT_TEXT);
  assert_line (text, "node 1 GPU 2  SSLSSSSS NN×NNNNN SSLSSSSS SSLSSSSS SSLSSSSS SSLSSSSS "
                     "SSLSSSSS SSLSSSSS");
  rig->request.options.pairs = PLG_PAIRS_TRAFFIC;
  g_free (text);
  text = rig_export (rig, PLG_EXPORT_TEXT);
  g_assert_nonnull (strstr (text, "\nA row is a node\n"));
  g_assert_nonnull (strstr (text, "\nnode 7 "));
  rig_set_up (&small, "small");
  small.request.picture = PLG_PICTURE_MATRIX;
  g_free (text);
  text = rig_export (&small, PLG_EXPORT_TEXT);
  assert_line (text, "node 1 GPU 0   50   50   50   50    ×  450  450  450");
  rig_tear_down (&small, NULL);
}

/* A fault stands where it is, and what the mark means is said. */
static void
test_text_of_faulty_pairs (Rig *rig, gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_true (plg_faults_from_string (&rig->plan->cluster, "nic:1.0=0.5", &error));
  rig->request.picture = PLG_PICTURE_MATRIX;
  text = rig_export (rig, PLG_EXPORT_TEXT);
  g_assert_nonnull (strstr (text, "\nnode 1 GPU 0  !!!!!!!! ×NNNNNNN !!!!!!!!"));
  assert_line (text, "! less, by a fault");
}

/* The number of ranks in lines that begin with a node's name, or go on with one. */
static void
test_text_of_samples (void)
{
  for (int i = 0; i < n_samples; i++)
    {
      Rig rig;
      g_autofree char *text = NULL;

      rig_set_up (&rig, samples[i].name);
      text = rig_export (&rig, PLG_EXPORT_TEXT);
      assert_fits_a_ticket (text);
      g_assert_cmpint (strstr (text, "* not where") != NULL, ==, samples[i].swapped);
      rig_tear_down (&rig, NULL);
    }
}

static void
test_text_hostile (Rig *rig, gconstpointer name)
{
  g_autofree char *text = NULL;
  g_autofree char *long_name = g_strnfill (400, 'x');

  rename_model (rig, HOSTILE);
  text = rig_export (rig, PLG_EXPORT_TEXT);
  assert_fits_a_ticket (text);
  rename_model (rig, long_name);
  g_free (text);
  text = rig_export (rig, PLG_EXPORT_TEXT);
  assert_fits_a_ticket (text);
}

/* A part of the cluster is a part of the table. */
static void
test_text_of_nodes (Rig *rig, gconstpointer name)
{
  g_autofree char *text = NULL;

  rig->request.options.nodes.first = 2;
  rig->request.options.nodes.n = 3;
  text = rig_export (rig, PLG_EXPORT_TEXT);
  g_assert_null (strstr (text, "\nnode 1 "));
  g_assert_nonnull (strstr (text, "\nnode 2 "));
  g_assert_nonnull (strstr (text, "\nnode 4 "));
  g_assert_null (strstr (text, "\nnode 5 "));
}

/* Every kind of fault is told, each where it is. */
static void
test_text_of_faults (Rig *rig, gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_true (plg_faults_from_string (&rig->plan->cluster,
                                         "gpu:17=0.8,port:3=0.5,nic:2.3=0,uplink:0.1=0.5", &error));
  g_assert_no_error (error);
  text = rig_export (rig, PLG_EXPORT_TEXT);
  g_assert_nonnull (strstr (text, " 17! "));
  g_assert_nonnull (strstr (text, " 3! "));
  g_assert_nonnull (strstr (text, "\nnode 2! "));
  g_assert_nonnull (strstr (text, "\n! NIC 3 of node 2 has failed\n"));
  for (int i = 0; i < rig->plan->cluster.n_faults; i++)
    {
      g_autofree char *words = plg_fault_describe (&rig->plan->cluster, NULL,
                                                   &rig->plan->cluster.faults[i]);
      g_autofree char *line = g_strdup_printf ("\n! %s\n", words);

      g_assert_nonnull (strstr (text, line));
    }
}

/* Forward, backward and idle are different letters, those of the canvas. */
static void
test_text_of_timeline (Rig *rig, gconstpointer name)
{
  g_autofree char *text = NULL;
  const char *line;

  rig->request.picture = PLG_PICTURE_TIMELINE;
  text = rig_export (rig, PLG_EXPORT_TEXT);
  line = strstr (text, "\nstage 0  ");
  g_assert_nonnull (line);
  g_assert_true (g_str_has_prefix (line + 10, "FFF"));
  line = strstr (text, "\nstage 1  ");
  g_assert_true (g_str_has_prefix (line + 10, "–F"));
  g_assert_nonnull (strstr (line, "BB"));
  g_assert_nonnull (strstr (text, "F forward, B backward"));
  g_assert_nonnull (strstr (text, "– idle"));
}

/* TikZ ----------------------------------------------------------------------------------------- */

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

/* Each character that is not ASCII is declared once, with what OT1 has for it. */
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

/* The texts of the page that pdflatex makes of TEX. */
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
test_tikz_compiles (Rig *rig, gconstpointer name)
{
  if (!has_program ("pdflatex") || !has_program ("pdftotext"))
    {
      g_test_skip ("There is no pdflatex, or no pdftotext.");
      return;
    }
  for (int i = 0; i < PLG_N_PICTURES; i++)
    {
      g_autofree char *tex = NULL, *text = NULL;

      rig->request.picture = i;
      rig->request.palette = i == 0 ? PLG_PALETTE_GREY : PLG_PALETTE_LIGHT;
      tex = rig_export (rig, PLG_EXPORT_TIKZ);
      text = typeset (tex);
      g_assert_cmpuint (strlen (text), >, 40);
      if (i == PLG_PICTURE_CLUSTER)
        g_assert_nonnull (strstr (text, "node 7"));
    }
}

static void
test_tikz_hostile (Rig *rig, gconstpointer name)
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
      g_test_skip ("There is no pdflatex, or no pdftotext.");
      return;
    }
  text = typeset (tex);
  g_assert_nonnull (strstr (text, "100%"));
}

/* draw.io -------------------------------------------------------------------------------------- */

static int
count (const char *text, const char *part)
{
  int n = 0;

  for (const char *at = strstr (text, part); at != NULL; at = strstr (at + 1, part))
    n++;
  return n;
}

/* Seven hatches stay seven different ones: hatch, zigzag-line, dashed, dots, cross-hatch, and two
 * of two patterns each. */
static void
test_drawio_hatches (void)
{
  PlgExportOptions options = { .format = PLG_EXPORT_DRAWIO };
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_PRINT);
  for (int hatch = 1; hatch <= 7; hatch++)
    {
      g_autoptr (PlgFigure) one = plg_figure_new (300, 100);
      PlgShape *shape = plg_figure_rect (one, 10, 50, 25, 25, 4, theme.role[PLG_ROLE_CARD]);
      g_autoptr (GBytes) bytes = NULL;
      g_autofree char *text = NULL;

      shape->hatch = hatch;
      shape->hatch_color = theme.role[PLG_ROLE_TEXT];
      bytes = plg_export (one, &theme, &options, NULL);
      text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
      g_assert_true (g_hash_table_add (seen,
                                       g_strdup_printf ("%d%d%d%d%d",
                                                        count (text, "fillStyle=hatch;"),
                                                        count (text, "fillStyle=cross-hatch;"),
                                                        count (text, "fillStyle=zigzag-line;"),
                                                        count (text, "fillStyle=dashed;"),
                                                        count (text, "fillStyle=dots;"))));
      g_assert_cmpint (count (text, "fillStyle="), >=, 1);
    }
}

typedef struct
{
  xmlDoc *document;
  GHashTable *cells; /* id -> xmlNode of the element that has it */
} Drawing;

static char *
attribute (const xmlNode *node, const char *name)
{
  xmlChar *value = xmlGetNoNsProp ((xmlNode *) node, BAD_CAST name);
  char *copy = g_strdup ((const char *) value);

  xmlFree (value);
  return copy;
}

static void
collect_ids (Drawing *drawing, xmlNode *node)
{
  for (; node != NULL; node = node->next)
    {
      char *id = node->type == XML_ELEMENT_NODE ? attribute (node, "id") : NULL;

      /* Ids are unique, whatever is drawn. */
      if (id != NULL && strcmp ((const char *) node->name, "diagram") != 0)
        g_assert_true (g_hash_table_insert (drawing->cells, g_strdup (id), node));
      g_free (id);
      collect_ids (drawing, node->children);
    }
}

static Drawing
read_drawing (const char *text)
{
  Drawing drawing = { xmlReadMemory (text, (int) strlen (text), NULL, NULL, XML_PARSE_NONET),
                      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };

  g_assert_nonnull (drawing.document);
  collect_ids (&drawing, xmlDocGetRootElement (drawing.document));
  return drawing;
}

static void
drawing_clear (Drawing *drawing)
{
  g_hash_table_unref (drawing->cells);
  xmlFreeDoc (drawing->document);
}

/* An attribute of the cell itself, which stands in an element with its label. */
static char *
cell_attribute (const Drawing *drawing, const char *id, const char *name)
{
  const xmlNode *node = g_hash_table_lookup (drawing->cells, id);

  g_assert_nonnull (node);
  return strcmp ((const char *) node->name, "mxCell") == 0 ? attribute (node, name)
                                                           : attribute (node->children, name);
}

/* Where a cell lies on the page: places are told from the parent's corner. */
static PlgPoint
place_of (const Drawing *drawing, const char *id)
{
  g_autofree char *parent = cell_attribute (drawing, id, "parent");
  const xmlNode *node = g_hash_table_lookup (drawing->cells, id);
  const xmlNode *geometry;
  PlgPoint around = { 0, 0 };
  g_autofree char *x = NULL, *y = NULL;

  if (parent == NULL || g_str_equal (parent, "0"))
    return around;
  /* The geometry stands in the cell, which a tooltip wraps in an object. */
  geometry = strcmp ((const char *) node->name, "mxCell") == 0 ? node->children
                                                               : node->children->children;
  around = place_of (drawing, parent);
  x = attribute (geometry, "x");
  y = attribute (geometry, "y");
  return (PlgPoint) { around.x + g_ascii_strtod (x, NULL), around.y + g_ascii_strtod (y, NULL) };
}

static void
test_drawio_nests (Rig *rig, gconstpointer name)
{
  g_autofree char *text = rig_export (rig, PLG_EXPORT_DRAWIO);
  Drawing drawing = read_drawing (text);

  for (int gpu = 0; gpu < plg_cluster_gpus (&rig->plan->cluster); gpu++)
    {
      g_autofree char *id = g_strdup_printf ("gpu-%d", gpu);
      g_autofree char *node = g_strdup_printf ("node-%d", gpu / rig->plan->cluster.gpus_per_node);
      g_autofree char *parent = cell_attribute (&drawing, id, "parent");
      PlgRect wanted = plg_grid_gpu_rect (rig->plan, gpu);
      PlgPoint at = place_of (&drawing, id);

      g_assert_cmpstr (parent, ==, node);
      g_assert_cmpfloat_with_epsilon (at.x, wanted.x, 0.02);
      g_assert_cmpfloat_with_epsilon (at.y, wanted.y, 0.02);
    }
  drawing_clear (&drawing);
}

static void
test_drawio_joins (Rig *rig, gconstpointer name)
{
  g_autofree char *text = rig_export (rig, PLG_EXPORT_DRAWIO);
  Drawing drawing = read_drawing (text);
  int joined = 0;

  for (guint i = 0; i < rig->report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (rig->report->links, PlgLink, i);
      g_autofree char *link_name = plg_link_id (link), *id = g_strconcat ("link-", link_name, NULL);
      g_autofree char *from = plg_link_from (link, rig->plan), *to = plg_link_to (link, rig->plan);
      g_autofree char *source = NULL, *target = NULL;

      /* Spines are one bar in the picture, whose uplinks are not drawn one by one. */
      if (link->tier == PLG_TIER_SPINE)
        continue;
      source = cell_attribute (&drawing, id, "source");
      target = cell_attribute (&drawing, id, "target");
      g_assert_cmpstr (source, ==, from);
      g_assert_cmpstr (target, ==, to);
      g_assert_true (g_hash_table_contains (drawing.cells, from));
      g_assert_true (g_hash_table_contains (drawing.cells, to));
      joined++;
    }
  g_assert_cmpint (joined, ==, 3 * 64);
  drawing_clear (&drawing);
}

/* In every sample, also where pieces stand for many links, each parent and end is there. */
static void
test_drawio_of_samples (void)
{
  for (int i = 0; i < n_samples * PLG_N_PICTURES; i++)
    {
      Rig rig;
      g_autofree char *text = NULL;
      GHashTableIter iter;
      Drawing drawing;
      gpointer id;

      rig_set_up (&rig, samples[i / PLG_N_PICTURES].name);
      rig.request.picture = i % PLG_N_PICTURES;
      plg_request_light (&rig.request, (PlgThing) { PLG_THING_GPU, 0, 0 }, TRUE);
      text = rig_export (&rig, PLG_EXPORT_DRAWIO);
      drawing = read_drawing (text);
      g_hash_table_iter_init (&iter, drawing.cells);
      while (g_hash_table_iter_next (&iter, &id, NULL))
        {
          static const char *const names[] = { "parent", "source", "target" };

          for (guint name = 0; name < G_N_ELEMENTS (names); name++)
            {
              g_autofree char *other = cell_attribute (&drawing, id, names[name]);

              g_assert_true (other == NULL || g_hash_table_contains (drawing.cells, other));
            }
        }
      drawing_clear (&drawing);
      rig_tear_down (&rig, NULL);
    }
}

/* Labels are plain text, and come back as they were but for what XML cannot hold. */
static void
test_drawio_hostile (Rig *rig, gconstpointer name)
{
  g_autoptr (PlgFigure) figure = plg_figure_new (300, 100);
  g_autofree char *text = NULL, *label = NULL, *style = NULL;
  PlgExportOptions options = { .format = PLG_EXPORT_DRAWIO };
  g_autoptr (GBytes) bytes = NULL;
  Drawing drawing;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_figure_describe (figure, HOSTILE, "");
  plg_figure_text (figure, 10, 40, PLG_ANCHOR_START, 12, TRUE, theme.role[PLG_ROLE_TEXT],
                   "<img src=x onerror=alert(1)> & \"q\" \x01]]>")
      ->id = "a";
  bytes = plg_export (figure, &theme, &options, NULL);
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  drawing = read_drawing (text);
  label = attribute (g_hash_table_lookup (drawing.cells, "a"), "value");
  g_assert_nonnull (strstr (label, "<img src=x onerror=alert(1)> & \"q\" "));
  style = cell_attribute (&drawing, "a", "style");
  g_assert_nonnull (strstr (style, "html=0;"));
  drawing_clear (&drawing);
}

/* All ------------------------------------------------------------------------------------------ */

static void
test_same_bytes (Rig *rig, gconstpointer name)
{
  static const PlgExportFormat formats[] = { PLG_EXPORT_TIKZ, PLG_EXPORT_DRAWIO, PLG_EXPORT_TEXT };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *first = rig_export (rig, formats[i]);
      /* Where the decimal point is a comma, if the machine has such a place. */
      const char *locale = setlocale (LC_NUMERIC, "de_DE.UTF-8");
      g_autofree char *second = rig_export (rig, formats[i]);

      setlocale (LC_NUMERIC, "C");
      g_assert_cmpstr (first, ==, second);
      if (locale == NULL)
        g_test_message ("There is no de_DE.UTF-8.");
    }
}

static void
test_things_in_words (Rig *rig, gconstpointer name)
{
  static const PlgThing things[] = {
    { PLG_THING_GPU, 0, 17 },
    { PLG_THING_NODE, 0, 2 },
    { PLG_THING_GROUP, PLG_AXIS_TP, 3 },
    { PLG_THING_GROUP, PLG_AXIS_DP, -1 },
    { PLG_THING_LINK, 0, 21 },
    { PLG_THING_COLLECTIVE, 0, 0 },
    { PLG_THING_STAGE, 0, 1 },
  };
  static const char *const bad[] = { "",       "gpu",   "gpu:",           "gpu:64", "gpu:-1",
                                     "gpu:1x", "link:", "tp:8",           "node:8", "collective:99",
                                     "xp:1",   ":1",    "link:nvlink-9-9" };

  for (guint i = 0; i < G_N_ELEMENTS (things); i++)
    {
      g_autofree char *text = plg_thing_to_text (rig->report, things[i]);
      PlgThing read = { 0 };

      g_assert_true (plg_thing_from_text (rig->plan, rig->report, text, &read, NULL));
      g_assert_true (plg_thing_equal (read, things[i]));
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      PlgThing read;

      g_assert_false (plg_thing_from_text (rig->plan, rig->report, bad[i], &read, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
    }
}

static void
test_shell_line (void)
{
  const char *const words[] = { "a", "x=1,2", "it's", "", "$HOME `id` ; rm -r *", "~root", "ü b" };
  g_autoptr (GPtrArray) array = g_ptr_array_new ();
  g_autofree char *line = NULL;
  g_auto (GStrv) read = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    g_ptr_array_add (array, (gpointer) words[i]);
  line = plg_shell_line (array);
  g_assert_true (g_str_has_prefix (line, "a x=1,2 '"));
  g_assert_null (strstr (line, " ~"));
  g_assert_true (g_shell_parse_argv (line, NULL, &read, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    g_assert_cmpstr (read[i], ==, words[i]);
}

/* A cut-out has its own size, what is outside is gone, and lines end at its edge. */
static void
test_crop (Rig *rig, gconstpointer name)
{
  g_autoptr (PlgFigure) figure = NULL;
  PlgTheme theme;

  rig->request.crop = (PlgRect) { 90, 50, 300, 80 };
  rig->request.options.legend = PLG_LEGEND_OFF;
  figure = plg_request_figure (&rig->request, rig->plan, rig->report, &theme);
  g_assert_cmpfloat (plg_figure_width (figure), ==, 300);
  g_assert_cmpfloat (plg_figure_height (figure), ==, 80);
  g_assert_nonnull (plg_figure_find_thing (figure, (PlgThing) { PLG_THING_GPU, 0, 0 }));
  g_assert_null (plg_figure_find_thing (figure, (PlgThing) { PLG_THING_GPU, 0, 63 }));
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      const PlgPoint *p = plg_figure_points (figure, shape);

      if (plg_outline_is_visible (shape))
        g_assert_true (plg_rect_meets (plg_outline_extents (shape), (PlgRect) { 0, 0, 300, 80 }));
      if (shape->kind == PLG_SHAPE_PATH && shape->n_points == 2)
        g_assert_true (MIN (p[0].y, p[1].y) >= 0 && MAX (p[0].y, p[1].y) <= 80);
    }
}

/* The pixel of SURFACE at (X, Y). */
static guint32
pixel_at (cairo_surface_t *surface, int x, int y)
{
  const guint8 *data = cairo_image_surface_get_data (surface);

  return *(const guint32 *) (gconstpointer) (data + y * cairo_image_surface_get_stride (surface) +
                                             x * 4);
}

/* A part of the cluster has a legend of its own beside it or below; between them nothing is seen of
 * the GPUs that the edge cuts through. */
static void
test_crop_with_legend (Rig *rig, gconstpointer name)
{
  for (PlgLegendPlace place = PLG_LEGEND_BELOW; place < PLG_N_LEGEND_PLACES; place++)
    {
      gboolean is_right = place == PLG_LEGEND_RIGHT;
      g_autoptr (PlgFigure) figure = NULL;
      cairo_surface_t *surface;
      PlgTheme theme;
      cairo_t *cr;

      rig->request.crop = (PlgRect) { 90, 50, 500, 91 };
      rig->request.options.legend = place;
      figure = plg_request_figure (&rig->request, rig->plan, rig->report, &theme);
      g_assert_nonnull (plg_figure_find (figure, "legend"));
      if (is_right)
        g_assert_cmpfloat (plg_figure_width (figure), >, 500 + 100);
      else
        g_assert_cmpfloat (plg_figure_height (figure), >, 91 + 20);
      surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1000, 500);
      cr = cairo_create (surface);
      plg_paint (cr, figure, &theme, PLG_LAYERS_EXPORT, NULL);
      cairo_surface_flush (surface);
      /* A legend begins 10 points from the upper edge of what it is for, or from its lower one. */
      for (int i = 1; i < (is_right ? 9 : 500); i++)
        g_assert_cmphex (is_right ? pixel_at (surface, 502, i) : pixel_at (surface, i, 93), ==, 0);
      cairo_destroy (cr);
      cairo_surface_destroy (surface);
    }
}

/* Files cut what is beside the part off, too. */
static void
test_crop_in_files (Rig *rig, gconstpointer name)
{
  g_autofree char *svg = NULL, *tikz = NULL;

  rig->request.crop = (PlgRect) { 90, 50, 500, 91 };
  svg = rig_export (rig, PLG_EXPORT_SVG);
  g_assert_nonnull (strstr (svg, "clip-path=\"url(#figure-cut)\""));
  g_assert_true (strstr (svg, "id=\"gpu-0\"") < strstr (svg, "id=\"legend\""));
  tikz = rig_export (rig, PLG_EXPORT_TIKZ);
  g_assert_nonnull (strstr (tikz, "\\end{scope}\n% legend"));
}

static void
test_nodes (Rig *rig, gconstpointer name)
{
  g_autoptr (PlgFigure) figure = NULL;
  PlgTheme theme;

  rig->request.options.nodes.first = 6;
  rig->request.options.nodes.n = 2;
  figure = plg_request_figure (&rig->request, rig->plan, rig->report, &theme);
  for (int node = 0; node < 8; node++)
    g_assert_cmpint (plg_figure_find_thing (figure, (PlgThing) { PLG_THING_NODE, 0, node }) != NULL,
                     ==, node >= 6);
  /* The legend stays. */
  g_assert_nonnull (plg_figure_find (figure, "legend"));
}

static void
test_legend_places (Rig *rig, gconstpointer name)
{
  double width[PLG_N_LEGEND_PLACES], height[PLG_N_LEGEND_PLACES];

  for (int i = 0; i < PLG_N_LEGEND_PLACES; i++)
    {
      g_autoptr (PlgFigure) figure = NULL;
      PlgTheme theme;

      rig->request.options.legend = i;
      figure = plg_request_figure (&rig->request, rig->plan, rig->report, &theme);
      width[i] = plg_figure_width (figure);
      height[i] = plg_figure_height (figure);
      g_assert_cmpint (plg_figure_find (figure, "legend") != NULL, ==, i != PLG_LEGEND_OFF);
    }
  g_assert_cmpfloat (height[PLG_LEGEND_BELOW], >, height[PLG_LEGEND_OFF] + 20);
  g_assert_cmpfloat (width[PLG_LEGEND_RIGHT], >, width[PLG_LEGEND_OFF] + 100);
  g_assert_cmpfloat (height[PLG_LEGEND_RIGHT], ==, height[PLG_LEGEND_OFF]);
}

/* What is not said is what the command line does by itself; what is said can be read back. */
static void
test_request_in_words (Rig *rig, gconstpointer name)
{
  g_autoptr (GPtrArray) words = NULL;
  g_autofree char *line = NULL;

  rig->request.picture = PLG_PICTURE_CLUSTER;
  rig->request.options.show = PLG_SHOW_PP;
  rig->request.options.nodes.n = 2;
  rig->request.options.legend = PLG_LEGEND_RIGHT;
  rig->request.options.selected = (PlgThing) { PLG_THING_GPU, 0, 3 };
  rig->request.palette = PLG_PALETTE_DARK;
  rig->request.crop = (PlgRect) { 0.5, 1, 2, 3 };
  rig->request.file.format = PLG_EXPORT_PDF;
  rig->request.file.page = PLG_PAGE_SLIDE;
  plg_request_light (&rig->request, (PlgThing) { PLG_THING_NODE, 0, 1 }, FALSE);
  plg_request_light (&rig->request, (PlgThing) { PLG_THING_LINK, 0, 0 }, TRUE);
  words = plg_request_words (&rig->request, rig->report);
  line = plg_shell_line (words);
  g_assert_cmpstr (line, ==,
                   "--view cluster --show pp --link-color frequency --links physical "
                   "--pin link:nvlink-0-0 --focus node:1 --select gpu:3 --nodes 0-1 "
                   "--crop 0.5,1,2,3 --legend right --palette dark --background white --page 16:9");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add (path, Rig, NULL, rig_set_up, function, rig_tear_down)
  ADD ("/text/golden", test_text_golden);
  ADD ("/text/all-pictures", test_text_of_all);
  ADD ("/text/pairs", test_text_of_pairs);
  ADD ("/text/faulty-pairs", test_text_of_faulty_pairs);
  g_test_add_func ("/text/all-samples", test_text_of_all_samples);
  g_test_add_func ("/text/samples", test_text_of_samples);
  ADD ("/text/hostile", test_text_hostile);
  ADD ("/text/nodes", test_text_of_nodes);
  ADD ("/text/faults", test_text_of_faults);
  ADD ("/text/timeline", test_text_of_timeline);
  g_test_add_func ("/latex/escapes", test_latex_escapes);
  g_test_add_func ("/latex/declarations", test_latex_declarations);
  ADD ("/tikz/compiles", test_tikz_compiles);
  ADD ("/tikz/hostile", test_tikz_hostile);
  g_test_add_func ("/drawio/hatches", test_drawio_hatches);
  ADD ("/drawio/nests", test_drawio_nests);
  ADD ("/drawio/joins", test_drawio_joins);
  g_test_add_func ("/drawio/samples", test_drawio_of_samples);
  ADD ("/drawio/hostile", test_drawio_hostile);
  ADD ("/backends/same-bytes", test_same_bytes);
  ADD ("/request/things", test_things_in_words);
  g_test_add_func ("/request/shell-line", test_shell_line);
  ADD ("/request/crop", test_crop);
  ADD ("/request/crop-with-legend", test_crop_with_legend);
  ADD ("/request/crop-in-files", test_crop_in_files);
  ADD ("/request/nodes", test_nodes);
  ADD ("/request/legend", test_legend_places);
  ADD ("/request/words", test_request_in_words);
  return g_test_run ();
}
