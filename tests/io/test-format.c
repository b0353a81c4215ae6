/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* O_TMPFILE */

#include "io/plan/catalogue-xml.h"
#include "io/registry/registry.h"
#include "io/plan/plan-xml.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A temporary folder for each test, and the name of a file in the folder. */
typedef struct
{
  PlgCatalogue *catalogue;
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->catalogue = plg_catalogue_load (NULL);
  fixture->folder = g_dir_make_tmp ("plg-format-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "file", NULL);
}

static int
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  int n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
      g_remove (path);
    }
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
  plg_catalogue_unref (fixture->catalogue);
}

/* Detecting formats */

static const struct
{
  const char *name;
  const char *text;
  const char *format; /* NULL: the file is not read */
  const char *says;
} contents[] = {
  { "XML", "<plan version='1'/>", "xml", NULL },
  { "XML after space", "\xEF\xBB\xBF\n  <!-- c --><plan version='1'/>", "xml", NULL },
  { "YAML", "# c\n\nnode_shape: 2_nodes_x_8_gpus\nworld_size: 16\n", "yaml", NULL },
  { "YAML that begins with foreign keys", "name: x\nworld_size: 16\n", "yaml", NULL },
  { "empty", "", NULL, "NAME: The file is empty." },
  { "space", " \n\n", NULL, "NAME: The file is empty." },
  { "JSON", "{\"world_size\": 64}", NULL,
    "NAME: This is JSON, but not a kind of file that Parallelogram can read. The most similar "
    "supported format is “World size, node shape and degrees (YAML)”; such a file contains world_size, "
    "node_shape, parallelism." },
  { "JSON with another layout", "{\"model\": {\"numHiddenLayers\": 64, \"hiddenSize\": 64}}", NULL,
    "NAME: This is JSON, but not a kind of file that Parallelogram can read. The most similar "
    "supported format is “Hugging Face model (config.json)”; such a file contains" },
  { "unknown JSON", "{\"colour\": 1}", NULL,
    "NAME: This is JSON, but not a kind of file that "
    "Parallelogram can read." },
  { "broken JSON", "{\"a\": 1,\n \"b\" 2}", NULL, "NAME:2: This is not JSON: a comma" },
  { "a list that is cut off", "[1,\n2", NULL, "NAME:2: The file ends before the “[” on line 1" },
  { "unknown YAML", "# c\nname: x\n", NULL,
    "NAME: This is YAML, but not a kind of file that Parallelogram can read" },
  { "broken YAML", "a: 1\n\tb: 2\n", NULL, "NAME:2: YAML does not allow a tab" },
  { "unknown TOML", "[a]\nb = 1\n", NULL,
    "NAME: This is TOML, but not a kind of file that "
    "Parallelogram can read." },
  { "TOML with a key of YAML", "parallelism = 3\n", NULL, "NAME: This is TOML" },
  { "broken TOML", "\xEF\xBB\xBF[a]\nb =\n", NULL, "NAME:2: The key has no value" },
  { "a script", "set -e\nA=1\n", NULL, "NAME:1: No supported format begins with “set -e”." },
  { "a script that trains", "python train.py\nNUM_LAYERS=4\n", NULL,
    "NAME:1: No supported format begins with “python train.py”. The most similar supported format "
    "is “Megatron-LM's arguments (shell script)”; such a file contains --tensor-model-parallel-size, "
    "--num-layers." },
  { "prose about arguments", "Set `--tensor-model-parallel-size` and `--num-layers`.\n", NULL,
    "NAME:1: No supported format begins with “Set `--tensor-model-parallel-size` and …”" },
  { "a program in Python",
    "import argparse\np.add_argument(\"--hidden-size\", type=int)\n"
    "p.add_argument(\"--num-layers\", type=int)\n",
    NULL, "NAME:1: No supported format begins with “import argparse”" },
  { "arguments with the same start", "python x.py --hidden-size-of 3 --num-layers-of 4\n", NULL,
    "NAME:1: No supported format begins with “python x.py --hidden-size-of 3 --num-la…”" },
  { "arguments only in a comment", "# --tensor-model-parallel-size 8\npython x.py --fast --lr 3\n",
    NULL, "NAME:2: Nothing in this file was understood. Not part of a plan: --fast, --lr." },
  { "a table that lost its first row", "GPU1\tNV12\tX\nGPU2 NV12 GPU0\n", NULL,
    "NAME:1: No supported format begins with “GPU1\tNV12\tX”. The most similar supported format "
    "is “Links inside a node (nvidia-smi topo -m)”;" },
  { "words", "\xEF\xBB\xBF\n# c\nDear reader,\n", NULL,
    "NAME:3: No supported format begins with “Dear reader,”" },
  { "a host that runs something", "a;reboot\n", NULL,
    "NAME:1: No supported format begins with “a;reboot”" },
  { "a host with space", "\"; reboot\" slots=4\n", NULL,
    "NAME:1: No supported format begins with “\"; reboot\" slots=4”" },
  { "only a comment", "# c\n", NULL, "NAME: The file has only comments." },
  { "picture", "\x89PNG\r\n\x1A\n", NULL,
    "NAME: This is a picture or document (PNG); among such files" },
  { "document", "%PDF-1.5\n", NULL,
    "NAME: This is a picture or document (PDF); among such files, only SVG" },
  { "packed", "\x1F\x8B\x08", NULL,
    "NAME: This is a compressed file (gzip); unpack it and open its" },
  { "an old encoding", "M\xFCller\n", NULL,
    "NAME:1: Byte 0xFC is not valid UTF-8; save the file as UTF-8, or replace it if it is damaged." },
  { "another XML", "<html/>", NULL,
    "NAME:1:1: This is XML, but not a kind of file that Parallelogram can read: its outermost "
    "element is <html>." },
  { "XML in another encoding", "<Plan version='1'/>", NULL,
    "NAME:1:1: This is XML, but not a kind of file that Parallelogram can read: its outermost "
    "element is <Plan>. The most similar supported format is “Parallelogram plan (XML)”; such a file contains "
    "<plan>." },
  { "broken XML", "<a>\n<b></a>", NULL, "NAME:2:8: This is not well-formed XML" },
  { "UTF-16", "\xFF\xFE<", NULL, "NAME:1:1: The file is UTF-16" },
  { "wrong XML", "<plan version='1'>\n<cluster nodes='x'/></plan>", NULL,
    "NAME:2:10: cluster.nodes" },
  { "wrong YAML", "world_size: x\n", NULL, "NAME:1:13: world_size" },
};

static void
test_contents (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (contents); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (contents[i].text, strlen (contents[i].text));
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult)
                     import = plg_format_read (bytes, "NAME", NULL, fixture->catalogue, &error);

      if (contents[i].format != NULL)
        {
          g_assert_no_error (error);
          g_assert_cmpstr (import->format->name, ==, contents[i].format);
          g_assert_true ((import->source != NULL) == g_str_equal (import->format->name, "xml"));
          continue;
        }
      g_assert_null (import);
      g_assert_nonnull (error);
      if (!g_str_has_prefix (error->message, contents[i].says))
        g_error ("%s: “%s” is not “%s”", contents[i].name, error->message, contents[i].says);
    }
}

/* A valid character of UTF-8, but not of a text. */
static void
test_zero (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *text;
    gsize size;
    const char *says;
  } cases[] = {
#define TEXT(text) (text), sizeof (text) - 1
    { TEXT ("{\n \"a\": 1\0}\n"), "NAME:2: The file has a zero byte " },
    { TEXT ("<plan version=\"1\">\n\0</plan>\n"), "NAME:2:1: The file has a zero byte " },
    { TEXT ("world_size: 64\nnote: \0\n"), "NAME:2:7: The file has a zero byte " },
    { TEXT ("[parallelism]\ntensor_parallel_degree = 8\0\n"), "NAME:2: The file has a zero byte " },
#undef TEXT
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].text, cases[i].size);
      g_autoptr (GError) error = NULL;

      g_assert_null (plg_format_read (bytes, "NAME", NULL, fixture->catalogue, &error));
      if (!g_str_has_prefix (error->message, cases[i].says))
        g_error ("“%s” does not begin with “%s”", error->message, cases[i].says);
    }
}

/* Returns whether the format writes results and so needs an evaluation. A diagram needs no
 * results. */
static gboolean
needs_results (const PlgFormat *format)
{
  return format->subject == PLG_SUBJECT_REPORT && !g_str_equal (format->name, "mermaid");
}

/* The default plan's model has a gate and fewer KV heads than heads, which this format cannot
 * express; the format has a test of its own with models that it can express. */
static gboolean
cannot_say_default (const PlgFormat *format)
{
  return g_str_equal (format->name, "calculon-model");
}

static void
test_table (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);
  int n;
  const PlgFormat *const *formats = plg_formats (&n);

  for (int i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (PlgImportResult) read = NULL;

      g_assert_true (plg_format_find (formats[i]->name) == formats[i]);
      g_assert_true (formats[i]->suffix[0] == '.');
      g_assert_true (formats[i]->read != NULL || formats[i]->write != NULL);
      g_assert_true ((formats[i]->is != NULL) == (formats[i]->read != NULL));
      if (formats[i]->write == NULL)
        continue;
      bytes = plg_format_write (formats[i], &(PlgExportContext) { .plan = plan }, &error);
      if (needs_results (formats[i]) || cannot_say_default (formats[i]))
        {
          g_assert_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT);
          continue;
        }
      /* A program that cannot run the default plan reports this; the format has a test of its
       * own with other plans. */
      if (formats[i]->subject == PLG_SUBJECT_TRAINING &&
          g_error_matches (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT))
        continue;
      g_assert_no_error (error);
      if (formats[i]->read == NULL)
        continue;
      read = plg_format_read (bytes, "x", plan, fixture->catalogue, &error);
      g_assert_no_error (error);
      g_assert_true (read->format == formats[i]);
      /* A topology file describes details of a node that the type of the node leaves open. */
      if (plg_node_topology_is_empty (&plan->node_topology))
        plg_node_topology_clear (&read->plan->node_topology);
      g_assert_true (plg_plan_same_design (plan, read->plan));
    }
  g_assert_null (plg_format_find ("docx"));
  g_assert_null (plg_format_find (NULL));
}

/* Returns PLAN inside an SVG as other programs may save it: with a prefix, and with other ids
 * and elements. */
static char *
svg_around (const char *plan, const char *head)
{
  g_autofree char *escaped = g_markup_escape_text (plan, -1);

  return g_strdup_printf ("%s<svg xmlns='http://www.w3.org/2000/svg' xmlns:i='urn:i'>\n"
                          "<title>A</title><i:view zoom='2'/><metadata id='m'>"
                          "<q:plan xmlns:q='urn:parallelogram:picture' id='p'>%s</q:plan>"
                          "</metadata><rect width='1' height='1'/></svg>",
                          head, escaped);
}

static PlgImportResult *
read_text (Fixture *fixture, const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return plg_format_read (bytes, "a.svg", NULL, fixture->catalogue, error);
}

static void
test_svg (Fixture *fixture, gconstpointer data)
{
  static const char *const heads[] = { "", "<?xml version='1.0'?>\n",
                                       "\n<!-- <plan --><!-- <svg> -->\n" };
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *xml = NULL;

  g_free (plan->notes);
  plan->notes = g_strdup ("]]> & <svg> \"q\"\n\ttabs, é");
  bytes = plg_plan_xml_write (plan, NULL);
  xml = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      g_autofree char *svg = svg_around (xml, heads[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgImportResult) read = read_text (fixture, svg, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (read->format->name, ==, "svg");
      g_assert_true (plg_plan_equal (plan, read->plan));
    }
  /* A plan with "<svg>" in a comment is a plan. */
  {
    g_autofree char *commented = g_strconcat ("<!-- <svg> -->", strstr (xml, "<plan"), NULL);
    g_autoptr (PlgImportResult) read = read_text (fixture, commented, NULL);

    g_assert_cmpstr (read->format->name, ==, "xml");
  }
}

static void
test_bad_svg (Fixture *fixture, gconstpointer data)
{
  g_autofree char *no_plan = svg_around ("<html/>", "");
  g_autofree char *broken = svg_around ("<plan version='1'><clus", "");
  g_autofree char *wrong = svg_around ("<plan version='1'><parallelism tp='0'/></plan>", "");
  g_autofree char *entity = svg_around ("",
                                        "<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>");
  g_autofree char *inner = svg_around ("<!DOCTYPE plan [<!ENTITY a 'b'>]><plan version='1'/>", "");
  const struct
  {
    const char *text;
    const char *says;
  } rows[] = {
    { "<svg/>", "a.svg:1:1: This SVG contains no plan." },
    { "<svg xmlns='http://www.w3.org/2000/svg'><plan/></svg>",
      "a.svg:1:1: This SVG contains no plan" },
    { "<svg", "a.svg:1:" },
    { no_plan, "a.svg: in the embedded plan, 1:1" },
    { broken, "a.svg: in the embedded plan, 1:" },
    { wrong, "a.svg: in the embedded plan, 1:" },
    { entity, "a.svg:1:1" },
    { inner, "a.svg: in the embedded plan, 1:1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (read_text (fixture, rows[i].text, &error));
      g_assert_nonnull (error);
      if (!g_str_has_prefix (error->message, rows[i].says))
        g_error ("%d: “%s” is not “%s”", i, error->message, rows[i].says);
    }
}

static void
test_excerpt (Fixture *fixture, gconstpointer data)
{
  g_autofree char *whole = plg_text_excerpt ("äöü", 3);
  g_autofree char *cut = plg_text_excerpt ("äöüß", 3);

  g_assert_cmpstr (whole, ==, "äöü");
  g_assert_cmpstr (cut, ==, "äö…");
}

/* Reading files */

static void
put (const char *path, const char *text)
{
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
assert_content (const char *path, const char *text)
{
  g_autofree char *content = NULL;

  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, text);
}

static void
test_read_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult) import = NULL;

  put (fixture->path, "<plan version='1'/>");
  import = plg_format_read_file (fixture->path, NULL, fixture->catalogue, &error);
  g_assert_no_error (error);
  g_assert_nonnull (import->plan);
  g_assert_nonnull (import->source);
  g_assert_cmpstr (import->format->name, ==, "xml");
}

static void
assert_unreadable (Fixture *fixture, const char *path, GQuark domain, int code, const char *says)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *start = g_strdup_printf ("%s:", path);
  g_autoptr (PlgImportResult)
                 import = plg_format_read_file (path, NULL, fixture->catalogue, &error);

  g_assert_null (import);
  g_assert_error (error, domain, code);
  g_assert_true (g_str_has_prefix (error->message, start));
  g_assert_nonnull (strstr (error->message, says));
}

static void
test_unreadable_files (Fixture *fixture, gconstpointer data)
{
  int fd;

  assert_unreadable (fixture, fixture->path, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                     "cannot be opened: No such file");
  assert_unreadable (fixture, fixture->folder, G_FILE_ERROR, G_FILE_ERROR_ISDIR,
                     "This is a folder; name a file in it.");
  assert_unreadable (fixture, "/dev/zero", PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNSAFE, "16 MiB");
  put (fixture->path, "");
  assert_unreadable (fixture, fixture->path, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNKNOWN, "empty");
  fd = g_open (fixture->path, O_WRONLY, 0);
  g_assert_cmpint (ftruncate (fd, G_GINT64_CONSTANT (100) << 30), ==, 0);
  close (fd);
  assert_unreadable (fixture, fixture->path, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNSAFE, "16 MiB");
  if (geteuid () == 0)
    return;
  put (fixture->path, "<plan version='1'/>");
  g_chmod (fixture->path, 0);
  assert_unreadable (fixture, fixture->path, G_FILE_ERROR, G_FILE_ERROR_ACCES, "Permission denied");
}

/* Scripts with an empty variable have no name. */
static void
test_no_name (Fixture *fixture, gconstpointer data)
{
  static const char *const says = "The file name is empty; give the file a name.";
  g_autoptr (GBytes) bytes = g_bytes_new_static ("x", 1);
  g_autoptr (GError) error = NULL;

  g_assert_null (plg_format_read_file ("", NULL, fixture->catalogue, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  g_assert_cmpstr (error->message, ==, says);
  g_clear_error (&error);
  g_assert_false (plg_write_file ("", bytes, &error));
  g_assert_cmpstr (error->message, ==, says);
}

/* Reads TEXT as the standard input. */
static PlgImportResult *
read_standard_input (Fixture *fixture, const char *text, GError **error)
{
  int kept = dup (STDIN_FILENO);
  int fd;
  PlgImportResult *import;

  put (fixture->path, text);
  fd = g_open (fixture->path, O_RDONLY, 0);
  dup2 (fd, STDIN_FILENO);
  close (fd);
  import = plg_format_read_file ("-", NULL, fixture->catalogue, error);
  if (kept >= 0)
    {
      dup2 (kept, STDIN_FILENO);
      close (kept);
    }
  return import;
}

static void
test_standard_input (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult) plan = read_standard_input (fixture, "<plan version='1'/>", &error);
  g_autoptr (PlgImportResult) wrong = NULL;

  g_assert_no_error (error);
  g_assert_nonnull (plan);
  wrong = read_standard_input (fixture, "\n<plan/>", &error);
  g_assert_null (wrong);
  g_assert_true (g_str_has_prefix (error->message, "standard input:2:1: "));
}

/* Writing files */

static gboolean
write_string (const char *path, const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return plg_write_file (path, bytes, error);
}

static int
mode_of (const char *path)
{
  struct stat info;

  g_assert_cmpint (lstat (path, &info), ==, 0);
  return info.st_mode & 07777;
}

static void
test_write_new_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  mode_t kept = umask (027);

  write_string (fixture->path, "new", &error);
  umask (kept);
  g_assert_no_error (error);
  assert_content (fixture->path, "new");
  g_assert_cmpint (mode_of (fixture->path), ==, 0640);
  g_assert_cmpint (count_files (fixture->folder), ==, 1);
}

static void
test_write_keeps_mode (Fixture *fixture, gconstpointer data)
{
  static const int modes[] = { 0600, 0644, 0666, 0755, 0664 };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_autoptr (GError) error = NULL;
      put (fixture->path, "old and longer");
      g_chmod (fixture->path, modes[i]);
      write_string (fixture->path, "new", &error);
      g_assert_no_error (error);
      assert_content (fixture->path, "new");
      g_assert_cmpint (mode_of (fixture->path), ==, modes[i]);
    }
  g_assert_cmpint (count_files (fixture->folder), ==, 1);
}

static void
test_write_follows_links (Fixture *fixture, gconstpointer data)
{
  g_autofree char *link = g_build_filename (fixture->folder, "link", NULL);
  g_autofree char *second = g_build_filename (fixture->folder, "second", NULL);
  g_autoptr (GError) error = NULL;

  /* First writes a new file, then replaces an existing file through two symbolic links. */
  g_assert_cmpint (symlink ("file", link), ==, 0);
  g_assert_cmpint (symlink (link, second), ==, 0);
  write_string (link, "one", &error);
  g_assert_no_error (error);
  assert_content (fixture->path, "one");
  write_string (second, "two", &error);
  g_assert_no_error (error);
  assert_content (fixture->path, "two");
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_assert_true (g_file_test (second, G_FILE_TEST_IS_SYMLINK));
  g_assert_cmpint (count_files (fixture->folder), ==, 3);
}

static void
assert_unwritable (const char *path, int code, const char *says)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (write_string (path, "new", &error));
  g_assert_error (error, G_FILE_ERROR, code);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_assert_nonnull (strstr (error->message, says));
}

static void
test_unwritable_files (Fixture *fixture, gconstpointer data)
{
  g_autofree char *circle = g_build_filename (fixture->folder, "circle", NULL);
  g_autofree char *nowhere = g_build_filename (fixture->folder, "none", "file", NULL);

  g_assert_cmpint (symlink ("circle", circle), ==, 0);
  assert_unwritable (circle, G_FILE_ERROR_LOOP, "cannot be written");
  assert_unwritable (nowhere, G_FILE_ERROR_NOENT, "No such file");
  assert_unwritable (fixture->folder, G_FILE_ERROR_ISDIR, "Is a directory");
  assert_unwritable ("/dev/full", G_FILE_ERROR_NOSPC, "No space left");
  g_assert_cmpint (count_files (fixture->folder), ==, 1);
  if (geteuid () == 0)
    return;
  put (fixture->path, "old");
  g_chmod (fixture->path, 0444);
  assert_unwritable (fixture->path, G_FILE_ERROR_ACCES, "Permission denied");
  assert_content (fixture->path, "old");
}

/* A limit on the size of files simulates a full disk: the old file stays, and no temporary file
 * is left. */
static void
test_full_disk (Fixture *fixture, gconstpointer data)
{
  struct rlimit kept, small;
  g_autofree char *large = g_strnfill (100000, 'x');
  g_autoptr (GError) error = NULL;
  gboolean written;

  put (fixture->path, "old");
  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &kept);
  small = kept;
  small.rlim_cur = 4096;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  written = write_string (fixture->path, large, &error);
  setrlimit (RLIMIT_FSIZE, &kept);
  g_assert_false (written);
  g_assert_nonnull (error);
  assert_content (fixture->path, "old");
  g_assert_cmpint (count_files (fixture->folder), ==, 1);
}

/* Writes more than the limit allows, so that a signal kills the process during the write. */
static void
write_until_killed (const char *path)
{
  const struct rlimit size = { 4096, 4096 }, core = { 0, 0 };
  g_autofree char *text = g_strnfill (16384, 'x');

  setrlimit (RLIMIT_FSIZE, &size);
  setrlimit (RLIMIT_CORE, &core);
  signal (SIGXFSZ, SIG_DFL);
  write_string (path, text, NULL);
  _exit (0);
}

/* A process that is killed while it writes leaves the old file unchanged and no temporary file. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  int unnamed = g_open (fixture->folder, O_TMPFILE | O_WRONLY, 0600);
  int status;
  pid_t child;

  if (unnamed < 0)
    {
      g_test_skip ("this file system does not support files without names");
      return;
    }
  close (unnamed);
  put (fixture->path, "old");
  child = fork ();
  if (child == 0)
    write_until_killed (fixture->path);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGXFSZ);
  assert_content (fixture->path, "old");
  g_assert_cmpint (count_files (fixture->folder), ==, 1);
}

static void
test_write_to_a_device (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (write_string ("/dev/null", "text", &error));
  g_assert_no_error (error);
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/format/contents", test_contents);
  ADD ("/format/zero", test_zero);
  ADD ("/format/table", test_table);
  ADD ("/format/excerpt", test_excerpt);
  ADD ("/format/svg", test_svg);
  ADD ("/format/bad-svg", test_bad_svg);
  ADD ("/format/read-file", test_read_file);
  ADD ("/format/unreadable-files", test_unreadable_files);
  ADD ("/format/no-name", test_no_name);
  ADD ("/format/standard-input", test_standard_input);
  ADD ("/format/write-new-file", test_write_new_file);
  ADD ("/format/write-keeps-mode", test_write_keeps_mode);
  ADD ("/format/write-follows-links", test_write_follows_links);
  ADD ("/format/unwritable-files", test_unwritable_files);
  ADD ("/format/full-disk", test_full_disk);
  ADD ("/format/killed", test_killed);
  ADD ("/format/write-to-a-device", test_write_to_a_device);
  return g_test_run ();
}
