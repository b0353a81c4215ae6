/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan/catalogue-xml.h"
#include "lessons/lesson-library.h"

#include "engine/advice/advice.h"
#include "engine/report/redaction.h"

#include <libxml/relaxng.h>
#include <string.h>

#define HEAD "<lesson version='1' id='l'><title>T</title>"
#define TAIL "</lesson>"
#define ELEMENT "<element name=\""
#define STEP(inside) HEAD "<step id='s'><title>S</title>" inside "</step>" TAIL
#define GOAL(inside)                                                            \
  "<plan from='default'><set key='training.global-batch' value='16'/></plan>\n" \
  "<goal><must holds='bubble&lt;10%'/>" inside "</goal>"
#define NEXT(inside) "</step><step id='t'><title>T</title>" inside
#define ASKS(hides) "<question id='q' hides='" hides "' answer='a'><p>?</p>" CHOICES "</question>"
#define CELLS "<cell>a</cell><cell>b</cell><cell>c</cell>"
#define CHOICES                                            \
  "<choice id='a'><say>A</say><because><p>x</p></because>" \
  "</choice><choice id='b'><say>B</say><because><p>y</p></because></choice>"

/* The lessons of the program */

static void
test_library (void)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  g_autoptr (GPtrArray) glossary = plg_lesson_glossary ();
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  g_assert_cmpint (lessons->len, >, 0);
  for (guint i = 0; i < lessons->len; i++)
    {
      const PlgLesson *lesson = lessons->pdata[i];
      g_autofree char *mistakes_read = plg_lesson_check (lesson, glossary, catalogue);

      if (mistakes_read != NULL)
        g_error ("%s: %s", lesson->id, mistakes_read);
      for (guint j = 0; j < i; j++)
        g_assert_cmpstr (lesson->id, !=, ((const PlgLesson *) lessons->pdata[j])->id);
    }
}

static void
validate (xmlRelaxNGValidCtxt *schema, const char *path)
{
  xmlDoc *doc = xmlReadFile (path, NULL, XML_PARSE_NONET);

  g_assert_nonnull (doc);
  if (xmlRelaxNGValidateDoc (schema, doc) != 0)
    g_error ("%s is not valid", path);
  xmlFreeDoc (doc);
}

/* Every file of data/lessons is compiled in. */
static void
test_schema (void)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "..", "data", "lessons", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "lesson.rng", NULL);
  xmlRelaxNGParserCtxt *parser = xmlRelaxNGNewParserCtxt (path);
  xmlRelaxNG *grammar = xmlRelaxNGParse (parser);
  xmlRelaxNGValidCtxt *schema = xmlRelaxNGNewValidCtxt (grammar);
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (folder, name, NULL);

      if (g_str_has_suffix (name, ".xml"))
        validate (schema, file);
      n += g_str_has_suffix (name, ".lesson.xml");
    }
  g_assert_cmpint (n, ==, lessons->len);
  xmlRelaxNGFreeValidCtxt (schema);
  xmlRelaxNGFree (grammar);
  xmlRelaxNGFreeParserCtxt (parser);
}

/* Each term has one entry with its own text. */
static void
test_glossary (void)
{
  g_autoptr (GPtrArray) glossary = plg_lesson_glossary ();
  g_autoptr (GHashTable) terms = g_hash_table_new (g_str_hash, g_str_equal);

  g_assert_cmpint (glossary->len, >, 60);
  for (guint i = 0; i < glossary->len; i++)
    {
      const PlgGlossaryEntry *entry = glossary->pdata[i];

      g_assert_true (plg_glossary_find (glossary, entry->id) == entry);
      g_assert_true (g_hash_table_add (terms, entry->term));
      g_assert_cmpint (entry->text->len, >, 0);
    }
}

/* The guide's example is valid, and the guide names each element of the schema. */
static void
test_guide (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "lessons", "README.md",
                                                 NULL);
  g_autofree char *schema = g_test_build_filename (G_TEST_DIST, "..", "data", "lesson.rng", NULL);
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GPtrArray) glossary = plg_lesson_glossary ();
  g_autoptr (GError) error = NULL;
  g_autofree char *guide = NULL;
  g_autofree char *mistakes_read = NULL;
  g_autofree char *rng = NULL;
  const char *start, *element;
  g_autoptr (PlgLesson) lesson = NULL;

  g_assert_true (g_file_get_contents (path, &guide, NULL, NULL));
  g_assert_true (g_file_get_contents (schema, &rng, NULL, NULL));
  start = strstr (guide, "```xml\n") + strlen ("```xml\n");
  lesson = plg_lesson_read (start, strstr (start, "```") - start, &error);
  g_assert_no_error (error);
  mistakes_read = plg_lesson_check (lesson, glossary, catalogue);
  g_assert_cmpstr (mistakes_read, ==, NULL);
  for (element = strstr (rng, ELEMENT); element != NULL; element = strstr (element + 1, ELEMENT))
    {
      const char *name = element + strlen (ELEMENT);
      g_autofree char *tag = g_strdup_printf ("`<%.*s", (int) strcspn (name, "\""), name);

      if (strstr (guide, tag) == NULL)
        g_error ("The guide does not name %s", tag);
    }
}

/* Problems */

static const struct
{
  const char *text;
  const char *says; /* reported by the reader */
} mistakes_read[] = {
  { "<plan/>", "This file is not a lesson" },
  { "<lesson version='2' id='l'/>", "This lesson is not in version 1 of the format, the only "
                                    "version that Parallelogram can read." },
  { "<lesson version='1'><title>T</title></lesson>", "<lesson> needs the attribute “id”" },
  { "<lesson version='1' id='L'><title>T</title></lesson>", "An id consists of lowercase letters" },
  { HEAD TAIL, "A lesson needs" },
  { HEAD "\n<step id='s'/>" TAIL, "A step needs a <title>" },
  { HEAD "<step id='s'><title>S</title></step><step id='s'><title>S</title></step>" TAIL,
    "The id “s” is used twice" },
  { STEP ("words"), "Text in <step>" },
  { STEP ("<script/>"), "<script> is not allowed" },
  { STEP ("<p onclick='x'>a</p>"), "<p> cannot have the attribute" },
  { STEP ("<p><i>a</i></p>"), "<i> is not allowed" },
  { STEP ("<p><n/></p>"), "<n> needs the attribute “of”" },
  { STEP ("<plan from='x'/>"), "“from” must be" },
  { STEP ("<plan><set key='x' value='1'/></plan>"), "There is no key “x”" },
  { STEP ("<look page='x'/>"), "“page” must be" },
  { STEP ("<look select='-1'/>"), "“select” must be" },
  { STEP ("<goal><p>g</p></goal>"), "A goal needs at least one <must" },
  { STEP ("<goal><must holds='beauty'/></goal>"), "“beauty” cannot be asserted" },
  { STEP ("<claim holds='mfu'/>"), "mfu needs one of" },
  { STEP ("<question id='q' answer='a'><p>?</p></question>"), "The question has no choice “a”" },
  { STEP ("<question id='q' answer='c'>" CHOICES "</question>"), "The question has no choice “c”" },
  { STEP ("<row>words</row>"), "Text in <row>" },
  { STEP ("<row/>"), "A <row> must have 1 to 6 cells, not 0" },
  { STEP ("<row><p>a</p></row>"), "<p> is not allowed in <row>" },
  { STEP ("<row>" CELLS CELLS "<cell>g</cell></row>"), "A <row> must have 1 to 6 cells, not 7" },
  { STEP ("<row live='yes'><cell>a</cell></row>"), "“live” must be “true” or “false”" },
  { STEP ("<p live='yes'>a</p>"), "“live” must be “true” or “false”" },
  { STEP ("<question id='q' answer='a'>" CHOICES CHOICES "</question>"),
    "Two choices of this question have the id “a”" },
  { STEP ("<question id='q' answer='a'><choice id='b'><say>A</say><because><p>x</p></because>"
          "</choice><choice><say>B</say><because><p>y</p></because></choice></question>"),
    "Two choices of this question have the id “b”" },
  { STEP ("<question id='q' answer='a' hides='mfu'>" CHOICES "</question>"),
    "“hides” must be one or more of these names, separated by spaces: memory, bubble, time, calls, bytes, busy, hops, faults, communication." },
  { STEP ("<question id='q' answer='a' number='mfuu'>" CHOICES "</question>"),
    "There is no number called “mfuu”. Similar names: mfu" },
  { STEP ("<question id='q' answer='a' number='fits'>" CHOICES "</question>"),
    "“fits” is either true or false, not a number." },
  { STEP ("<question id='q' answer='a'><choice id='a'><say>A</say></choice></question>"),
    "A choice needs <say>" },
  { "<!DOCTYPE lesson SYSTEM 'x'>" STEP (""), "" },
  { "<lesson", "" },
};

static void
test_mistakes (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (mistakes_read); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgLesson) lesson = plg_lesson_read (mistakes_read[i].text,
                                                      strlen (mistakes_read[i].text), &error);

      g_assert_null (lesson);
      if (!g_regex_match_simple ("^[0-9]+:[0-9]+: ", error->message, 0, 0) ||
          strstr (error->message, mistakes_read[i].says) == NULL)
        g_error ("%s: “%s” is not “%s”", mistakes_read[i].text, error->message,
                 mistakes_read[i].says);
    }
}

/* One pass reports all problems: an error in one element does not hide the others. */
static void
test_all_problems (void)
{
  static const char lesson[] = HEAD
      "<step id='s'><title>S</title>\n<look page='nowhere'/>\n<claim holds='beauty'/>\n"
      "<p bad='x'/>\n<question id='q' answer='a'><choice id='a'><say>A</say></choice>\n"
      "<choice id='a'><say>B</say></choice><choice/></question></step>\n"
      "<step id='s'><title>S</title>\n<wrong/></step>" TAIL;
  static const int places[] = { 2, 3, 4, 5, 6, 7, 8 };
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_null (plg_lesson_read (lesson, strlen (lesson), &error));
  lines = g_strsplit (error->message, "\n", -1);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *pattern = g_strdup_printf ("(?m)^%d:[0-9]+: ", places[i]);

      if (!g_regex_match_simple (pattern, error->message, 0, 0))
        g_error ("line %d is not reported: %s", places[i], error->message);
    }
  for (int i = 0; lines[i] != NULL; i++)
    g_assert_true (!g_strv_contains ((const char *const *) lines + i + 1, lines[i]));
}

/* A file with many problems reports twenty of them. */
static void
test_too_many (void)
{
  g_autoptr (GString) lesson = g_string_new (HEAD "<step id='s'><title>S</title>");
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;

  for (int i = 0; i < 1000; i++)
    g_string_append (lesson, "<wrong/>\n");
  g_string_append (lesson, "</step>" TAIL);
  g_assert_null (plg_lesson_read (lesson->str, lesson->len, &error));
  lines = g_strsplit (error->message, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 20);
}

/* A problem of the lesson itself does not hide the problems of its steps. */
static void
test_mistake_in_lesson (void)
{
  const char *text = "<lesson version='1' id='Bad Id' minutes='0'>\n<title>T</title>\n"
                     "<step id='s'><title>S</title>\n<foo/></step></lesson>";
  g_autoptr (GError) error = NULL;

  g_assert_null (plg_lesson_read (text, strlen (text), &error));
  g_assert_nonnull (strstr (error->message, "An id consists of lowercase letters"));
  g_assert_nonnull (strstr (error->message, "“minutes” must be a whole number"));
  g_assert_nonnull (strstr (error->message, "4:1: <foo> is not allowed"));
}

/* A step can have a question and a goal. */
static void
test_counts (void)
{
  const char *text = STEP ("<question id='q' answer='a'>" CHOICES "</question>"
                           "<goal><must holds='fits'/></goal>");
  g_autoptr (PlgLesson) lesson = plg_lesson_read (text, strlen (text), NULL);

  g_assert_nonnull (lesson);
  g_assert_cmpint (plg_lesson_questions (lesson), ==, 1);
  g_assert_cmpint (plg_lesson_goals (lesson), ==, 1);
}

/* A lesson of COUNT steps, the first with a question of CHOICES. */
static char *
lesson_of (int steps, int choices)
{
  GString *lesson = g_string_new (HEAD);

  for (int i = 0; i < steps; i++)
    {
      g_string_append_printf (lesson, "\n<step id='s%d'><title>S</title>", i);
      if (i == 0)
        g_string_append (lesson, "<question id='q' answer='a'><p>?</p>");
      for (int j = 0; i == 0 && j < choices; j++)
        g_string_append_printf (lesson,
                                "\n<choice><say>C%d</say><because><p>x</p></because></choice>", j);
      g_string_append (lesson, i == 0 ? "</question></step>" : "</step>");
    }
  return g_string_free (g_string_append (lesson, TAIL), FALSE);
}

static int
is_valid (const char *lesson)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "lesson.rng", NULL);
  xmlRelaxNGParserCtxt *parser = xmlRelaxNGNewParserCtxt (path);
  xmlRelaxNG *grammar = xmlRelaxNGParse (parser);
  xmlRelaxNGValidCtxt *schema = xmlRelaxNGNewValidCtxt (grammar);
  xmlDoc *doc = xmlReadMemory (lesson, (int) strlen (lesson), NULL, NULL, XML_PARSE_NONET);
  int wrong;

  xmlRelaxNGSetValidErrors (schema, NULL, NULL, NULL);
  wrong = xmlRelaxNGValidateDoc (schema, doc);
  xmlFreeDoc (doc);
  xmlRelaxNGFreeValidCtxt (schema);
  xmlRelaxNGFree (grammar);
  xmlRelaxNGFreeParserCtxt (parser);
  return wrong == 0;
}

/* The numbers of choices and steps are limited. Each limit is reported once, with the position
 * of the first excess element. */
static void
test_limits (void)
{
  static const struct
  {
    int steps;
    int choices;
    const char *says; /* NULL: the file is read */
  } sizes[] = { { 200, 8, NULL },
                { 2, 2, NULL },
                { 1, 9, "11:1: A question can have at most 8 choices." },
                { 1, 40, "11:1: A question can have at most 8 choices." },
                { 20000, 2,
                  "204:1: A lesson can have at most 200 steps; split it into two lessons." } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *text = lesson_of (sizes[i].steps, sizes[i].choices);
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgLesson) lesson = plg_lesson_read (text, strlen (text), &error);

      g_assert_cmpstr (error != NULL ? error->message : NULL, ==, sizes[i].says);
      if (sizes[i].steps < 200)
        g_assert_cmpint (is_valid (text), ==, sizes[i].says == NULL);
    }
}

static char *
lesson_of_titles (int title, int step, int summary)
{
  g_autofree char *a = g_strnfill (title, 'a'), *b = g_strnfill (step, 'b');
  g_autofree char *c = g_strnfill (summary, 'c');

  return g_strdup_printf ("<lesson version='1' id='l'>\n<title> %s\n "
                          "</title>\n<summary>%s</summary>\n"
                          "<step id='s'>\n<title>%s</title></step></lesson>",
                          a, c, b);
}

/* Texts in lists and headings have a limited length. */
static void
test_lengths (void)
{
  static const struct
  {
    int title, step, summary;
    const char *says; /* NULL: the file is read */
  } sizes[] = { { 100, 100, 300, NULL },
                { 101, 1, 1, "2:1: <title> can have at most 100 characters, not 101." },
                { 1, 20000, 1, "6:1: <title> can have at most 100 characters, not 20000." },
                { 1, 1, 301, "4:1: <summary> can have at most 300 characters, not 301." } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *text = lesson_of_titles (sizes[i].title, sizes[i].step, sizes[i].summary);
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgLesson) lesson = plg_lesson_read (text, strlen (text), &error);

      g_assert_cmpstr (error != NULL ? error->message : NULL, ==, sizes[i].says);
      g_assert_cmpint (is_valid (text), ==, sizes[i].says == NULL);
    }
}

/* Characters that change the writing direction cannot disguise a text. */
static void
test_direction (void)
{
  static const char text[] = "<lesson version='1' id='l'><title>A\u202eB</title><step id='s'>"
                             "<title>S</title><p>x\u2066y<b>&#x202A;z</b></p></step></lesson>";
  g_autoptr (PlgLesson) lesson = plg_lesson_read (text, strlen (text), NULL);
  const PlgLessonStep *step = lesson->steps->pdata[0];
  g_autofree char *shown = plg_passage_text (step->text->pdata[0], NULL, NULL, NULL, FALSE);

  g_assert_cmpstr (lesson->title, ==, "A\uFFFDB");
  g_assert_cmpstr (shown, ==, "x\uFFFDy\uFFFDz");
}

/* The line and column of the problem. */
static void
test_line_and_column (void)
{
  static const char lesson[] = HEAD "\n<step id='s'>\n  <title>S</title><p bad='x'/></step>" TAIL;
  g_autoptr (GError) error = NULL;

  g_assert_null (plg_lesson_read (lesson, strlen (lesson), &error));
  g_assert_true (g_str_has_prefix (error->message, "3:22: <p> cannot have the attribute “bad”"));
}

/* A page without a name is in no list. */
static void
test_empty_title (void)
{
  static const char lesson[] = HEAD "\n<step id='s'><title> </title><p>x</p></step>" TAIL;
  g_autoptr (GError) error = NULL;

  g_assert_null (plg_lesson_read (lesson, strlen (lesson), &error));
  g_assert_cmpstr (error->message, ==, "2:14: <title> must not be empty.");
}

static const struct
{
  const char *inside;
  const char *says; /* reported by the check; NULL: no problem */
} mistakes[] = {
  { "<p>It is <n of='mfu'/>.</p>", NULL },
  { "<p><n of='beauty'/></p>", "1: <n of=\"beauty\"/>: no number has this name" },
  { "<p><n of='mfu' set='parallelism.tp=5'/></p>", "1: <n of=\"mfu\"/>: TP 5" },
  { "<p><term ref='nothing'>x</term></p>", "1: <term ref=\"nothing\">" },
  { "<formula of='nothing'/>", "1: <formula of=\"nothing\"/>" },
  { "<figure of='nothing'/>",
    "1: <figure of=\"nothing\"/>: there is no such picture. Available pictures: cluster, memory, "
    "timeline" },
  { "<plan><set key='parallelism.tp' value='7'/></plan>", "1: The plan cannot be set up: TP 7" },
  { "<free keys='nothing'/>", "1: <free>: there is no key “nothing”." },
  { "<free keys='placment'/>", "1: <free>: there is no key “placment”. Similar: placement" },
  { "<free keys='training.globalbatch'/>",
    "1: <free>: there is no key “training.globalbatch”. Similar: training.global-batch" },
  { "\n<free keys='trainning.*'/>", "2: <free>: no key matches “trainning.*”" },
  { "<row><cell>a</cell><cell><n of='mfu'/></cell></row>", NULL },
  { "<row><cell>a</cell>\n<cell><n of='beauty'/></cell></row>", "2: <n of=\"beauty\"/>" },
  { "<free keys='training.* nonsense.*'/>", "1: <free>: no key matches “nonsense.*”" },
  { "<free keys='training.* view.* placement parallelism.tp'/>", NULL },
  { "<claim holds='mfu&gt;90%'/>", "1: The claim “mfu>90%” does not hold: the value is" },
  { "<claim holds='pp==8' set='parallelism.pp=8 parallelism.dp=1'/>", NULL },
  { "<claim holds='pp==4' set='parallelism.pp=8 parallelism.dp=1'/>", "1: The claim “pp==4”" },
  { "<claim holds='fits' set='parallelism.tp=5'/>", "1: <claim holds=\"fits\"/>: TP 5" },
  { "<goal><must holds='fits'/></goal>", "1: The goal is reached before" },
  { "<look select='64'/>", "1: The plan has no GPU 64" },
  { "<free keys=''/><goal><must holds='bubble&lt;1%'/></goal>", "1: The goal cannot be reached" },
  { "<free keys='view.*'/><goal><must holds='bubble&lt;1%'/></goal>", "1: The goal cannot be" },
  { "<free keys='placement'/><goal><must holds='bubble&lt;1%'/></goal>", NULL },
  { "<free keys='view.* training.*'/><goal><must holds='bubble&lt;1%'/></goal>", NULL },
  /* Learners may skip a goal from which a later step continues. */
  { GOAL ("") NEXT ("<plan><set key='training.micro-batch' value='1'/></plan>"),
    "2: The next step continues from the learner's plan" },
  { GOAL ("") NEXT ("<look show='pp'/>"), "2: The next step continues from the learner's plan" },
  { GOAL ("") NEXT ("<plan from='default'/>"), NULL },
  { GOAL ("<plan><set key='training.global-batch' value='128'/></plan>")
        NEXT ("<claim holds='bubble&lt;10%'/>"),
    NULL },
  { GOAL ("\n<plan><set key='training.global-batch' value='18'/></plan>") NEXT (""),
    "3: The <plan> of the goal does not reach the goal" },
  { GOAL ("\n<plan><set key='parallelism.tp' value='7'/></plan>"), "3: The plan cannot be set up" },
  /* No step before a later question reveals its answer for the same plan. */
  { "\n<p><n of='mfu'/></p>" NEXT (ASKS ("time")), "2: <n of=\"mfu\"/>: a later question" },
  { "<p><n of='mfu'/></p>" NEXT (ASKS ("memory")), NULL },
  { "<p><n of='tp-calls'/></p>" NEXT (ASKS ("bytes busy")), NULL },
  { "<p><n of='tp-calls'/></p>" NEXT (ASKS ("communication")), "1: <n of=\"tp-calls\"/>" },
  { "<p><n of='mfu' set='training.global-batch=128'/></p>" NEXT (ASKS ("time")), NULL },
  { "<p><n of='mfu'/></p>" NEXT ("<plan><set key='training.global-batch' "
                                 "value='128'/></plan>" ASKS ("time")),
    NULL },
  { "<p><n of='mfu' set='training.global-batch=128'/></p>" NEXT (
        "<plan><set key='training.global-batch' value='128'/></plan>" ASKS ("time")),
    "1: <n of=\"mfu\"/>: a later question" },
  { "<formula of='bubble.share-of-step'/>" NEXT (ASKS ("bubble")),
    "1: <formula of=\"bubble.share-of-step\"/> shows numbers that a later question asks for" },
  { "<plan from='default'><set key='training.global-batch' value='16'/></plan>"
    "\n<goal><must holds='bubble&lt;10%'/></goal>" NEXT ("<plan from='default'><set "
                                                         "key='training.global-batch' "
                                                         "value='16'/></plan>" ASKS ("bubble")),
    "2: <must holds=\"bubble<10%\"/>: a later question" },
  /* Each problem is reported with its own line. */
  { "\n<p>a\n<n of='beauty'/></p>", "3: <n" },
  { "\n<p>a</p>\n<formula of='nothing'/>", "3: <formula" },
  { "\n<figure of='nothing'/>", "2: <figure" },
  { "\n<p>a <b>b</b>\n\n<term ref='nothing'>x</term></p>", "4: <term" },
  { "\n\n<plan><set key='parallelism.tp' value='7'/></plan>", "3: The plan" },
  { "\n<free keys='nothing'/>", "2: <free>" },
  { "\n<p>a</p>\n<claim holds='mfu&gt;90%'/>", "3: The claim" },
  { "\n<claim holds='fits' set='parallelism.tp=5'/>", "2: <claim" },
  { "\n\n<goal><must holds='fits'/></goal>", "3: The goal" },
  { "\n<look select='64'/>", "2: The plan has no GPU 64" },
};

static void
test_check (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GPtrArray) glossary = plg_lesson_glossary ();

  for (guint i = 0; i < G_N_ELEMENTS (mistakes); i++)
    {
      g_autofree char *text = g_strconcat (HEAD "<step id='s'><title>S</title>", mistakes[i].inside,
                                           "</step>" TAIL, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgLesson) lesson = plg_lesson_read (text, strlen (text), &error);
      g_autofree char *problems = NULL;

      g_assert_no_error (error);
      problems = plg_lesson_check (lesson, glossary, catalogue);
      if (mistakes[i].says == NULL
              ? problems != NULL
              : problems == NULL || !g_str_has_prefix (problems, mistakes[i].says))
        g_error ("%s: “%s”", mistakes[i].inside, problems);
    }
}

/* Further reading must be a link to the web; the plain text has only its words. */
static void
test_link (void)
{
  static const char good[] = STEP ("<p>Read <a href='https://a.org/?b&amp;c'>on</a>.</p>");
  static const char *const bad[] = { STEP ("<p><a>x</a></p>"), STEP ("<p><a href='x'>x</a></p>"),
                                     STEP ("<p><a href='file:///etc/passwd'>x</a></p>"),
                                     STEP ("<p><a href='https:// x'>x</a></p>") };
  g_autoptr (PlgLesson) lesson = plg_lesson_read (good, strlen (good), NULL);
  const PlgLessonStep *step = lesson->steps->pdata[0];
  g_autofree char *markup = plg_passage_text (step->text->pdata[0], NULL, NULL, NULL, TRUE);
  g_autofree char *text = plg_passage_text (step->text->pdata[0], NULL, NULL, NULL, FALSE);

  g_assert_cmpstr (text, ==, "Read on.");
  g_assert_nonnull (strstr (markup, "<a href=\"https://a.org/?b&amp;c\""));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (plg_lesson_read (bad[i], strlen (bad[i]), &error));
      g_assert_nonnull (strstr (error->message,
                                i > 0 ? "begin with “https://”" : "needs the attribute"));
    }
}

/* Problems are sorted by line, whatever is checked first. */
static void
test_sorted (void)
{
  static const char text[] = STEP ("\n<notes><p><n of='a'/></p></notes>\n<after><p><n of='b'/></p>"
                                   "</after>\n<claim holds='mfu&gt;90%'/>\n<p><n of='c'/></p>\n"
                                   "<free keys='nothing'/>");
  static const char unreadable[] = STEP ("\n<claim/>\n<p bad='x'/>\n<free/>\n<p worse='x'/>");
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgLesson) lesson = plg_lesson_read (text, strlen (text), NULL);
  g_autofree char *problems = plg_lesson_check (lesson, NULL, catalogue);
  g_auto (GStrv) lines = g_strsplit (problems, "\n", -1);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) others = NULL;

  g_assert_cmpuint (g_strv_length (lines), ==, 5);
  for (int i = 0; i < 5; i++)
    g_assert_cmpint (g_ascii_strtoll (lines[i], NULL, 10), ==, i + 2);
  g_assert_null (plg_lesson_read (unreadable, strlen (unreadable), &error));
  others = g_strsplit (error->message, "\n", -1);
  g_assert_cmpuint (g_strv_length (others), ==, 4);
  for (int i = 0; i < 4; i++)
    g_assert_cmpint (g_ascii_strtoll (others[i], NULL, 10), ==, i + 2);
}

/* A lesson with an invalid plan cannot be played. */
static void
test_can_play (void)
{
  static const char step[] = STEP ("\n<plan><set key='parallelism.tp' value='7'/></plan>");
  static const char choice[] =
      STEP ("<question id='q' answer='a'>" CHOICES "\n<choice id='c'><say>A</say><because><p>x</p>"
            "</because>\n<plan><set key='parallelism.tp' value='7'/></plan></choice></question>");
  static const struct
  {
    const char *text;
    const char *says;
  } cases[] = { { STEP ("<p>x</p>"), NULL }, { step, "2: The plan" }, { choice, "3: The plan" } };
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgLesson) lesson = plg_lesson_read (cases[i].text, strlen (cases[i].text), NULL);

      g_assert_true (plg_lesson_can_play (lesson, catalogue, &error) == (cases[i].says == NULL));
      if (cases[i].says != NULL)
        g_assert_true (g_str_has_prefix (error->message, cases[i].says));
    }
}

/* Text */

static void
test_text (void)
{
  static const char
      text[] = STEP ("<p>  Of\n <b>a &lt; b</b>, <term ref='bubble'>bubbles</term>: "
                     "<n of='pp'/> and <n of='pp' set='parallelism.pp=8 parallelism.dp=1'/>, "
                     "<n of='bubble'/>, "
                     "<n of='pp-hops' set='parallelism.pp=8 parallelism.dp=1'/>. </p>");
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_autoptr (PlgReport) report = plg_evaluate_with_advice (plan, NULL);
  g_autoptr (PlgReport) hidden = plg_report_redact (report, PLG_REDACT_BUBBLE);
  g_autoptr (PlgLesson) lesson = plg_lesson_read (text, strlen (text), NULL);
  const PlgLessonStep *step = lesson->steps->pdata[0];
  g_autofree char *shown = plg_passage_text (step->text->pdata[0], plan, hidden, catalogue, FALSE);
  g_autofree char *markup = plg_passage_text (step->text->pdata[0], plan, hidden, catalogue, TRUE);

  g_assert_cmpstr (shown, ==, "Of a < b, bubbles: 4 and 8, –, 56.");
  g_assert_cmpstr (markup, ==,
                   "Of <b>a &lt; b</b>, <a href=\"term:bubble\">bubbles</a>: <b>4</b> and "
                   "<b>8</b>, <b>–</b>, <b>56</b>.");
}

/* Cells are next to each other as text; a window sets them below each other. */
static void
test_row (void)
{
  static const char text[] = STEP ("<row live='true'><cell> PP </cell><cell><n of='pp'/></cell>"
                                   "<cell><n of='bubble'/> of a <b>step</b></cell></row>");
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_autoptr (PlgReport) report = plg_evaluate_with_advice (plan, NULL);
  g_autoptr (PlgReport) hidden = plg_report_redact (report, PLG_REDACT_BUBBLE);
  g_autoptr (PlgLesson) lesson = plg_lesson_read (text, strlen (text), NULL);
  const PlgPassage *row = ((PlgLessonStep *) lesson->steps->pdata[0])->text->pdata[0];
  g_autofree char *shown = plg_passage_text (row, plan, hidden, catalogue, FALSE);

  g_assert_true (row->is_live);
  g_assert_cmpint (row->cells->len, ==, 3);
  g_assert_cmpstr (shown, ==, "PP · 4 · – of a step");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson/library", test_library);
  g_test_add_func ("/lesson/schema", test_schema);
  g_test_add_func ("/lesson/glossary", test_glossary);
  g_test_add_func ("/lesson/guide", test_guide);
  g_test_add_func ("/lesson/mistakes", test_mistakes);
  g_test_add_func ("/lesson/all-problems", test_all_problems);
  g_test_add_func ("/lesson/too-many", test_too_many);
  g_test_add_func ("/lesson/mistake-in-lesson", test_mistake_in_lesson);
  g_test_add_func ("/lesson/counts", test_counts);
  g_test_add_func ("/lesson/limits", test_limits);
  g_test_add_func ("/lesson/lengths", test_lengths);
  g_test_add_func ("/lesson/direction", test_direction);
  g_test_add_func ("/lesson/line-and-column", test_line_and_column);
  g_test_add_func ("/lesson/check", test_check);
  g_test_add_func ("/lesson/link", test_link);
  g_test_add_func ("/lesson/sorted", test_sorted);
  g_test_add_func ("/lesson/can-play", test_can_play);
  g_test_add_func ("/lesson/text", test_text);
  g_test_add_func ("/lesson/row", test_row);
  g_test_add_func ("/lesson/empty-title", test_empty_title);
  return g_test_run ();
}
