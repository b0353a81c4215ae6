/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lessons/question-preview.h"
#include "io/plan/catalogue-xml.h"
#include "io/registry/registry.h"
#include "syntax/json-reader.h"
#include "lessons/learner-export.h"
#include "lessons/lesson-library.h"
#include "plan/settings/setting.h"

#include <glib/gstdio.h>
#include <libxml/relaxng.h>
#include <string.h>

#define HEAD "<learner version='1' name='Ada'>"
#define LESSON "<lesson id='l' step='s' finished='false' questions='1' goals='0' changed=''>"
#define INSIDE(inside) HEAD LESSON "<title>T</title>" inside "</lesson></learner>"

static PlgLearnerLesson *
sample (const PlgCatalogue *catalogue)
{
  PlgLearnerLesson *lesson = plg_learner_lesson_new (NULL);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);

  lesson->id = g_strdup ("l");
  lesson->title = g_strdup ("T & <T>");
  lesson->step = g_strdup ("two");
  lesson->questions = 2;
  lesson->goals = 1;
  plg_learner_set_answer (lesson, "q", "a", FALSE, "");
  plg_learner_set_answer (lesson, "q", "b", TRUE, "“Because”\n<b> & \x01 more");
  plg_learner_set_answer_texts (lesson, "q", "Which \"one\"?", "That & <one>");
  g_assert_true (plg_setting_set (plan, catalogue, "training.global-batch", "256", NULL));
  plg_learner_set_design (lesson, "two", TRUE, plan);
  return lesson;
}

static void
validate (GBytes *bytes)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "learner.rng", NULL);
  xmlRelaxNGParserCtxt *parser = xmlRelaxNGNewParserCtxt (path);
  xmlRelaxNG *grammar = xmlRelaxNGParse (parser);
  xmlRelaxNGValidCtxt *schema = xmlRelaxNGNewValidCtxt (grammar);
  xmlDoc *doc = xmlReadMemory (g_bytes_get_data (bytes, NULL), (int) g_bytes_get_size (bytes), NULL,
                               NULL, XML_PARSE_NONET);

  g_assert_nonnull (grammar);
  g_assert_nonnull (doc);
  g_assert_cmpint (xmlRelaxNGValidateDoc (schema, doc), ==, 0);
  xmlFreeDoc (doc);
  xmlRelaxNGFreeValidCtxt (schema);
  xmlRelaxNGFree (grammar);
  xmlRelaxNGFreeParserCtxt (parser);
}

static void
test_round_trip (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgLearner) learner = plg_learner_new ("Ada “&” <Lovelace>");
  g_autoptr (PlgLearner) again = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) second = NULL;
  g_autoptr (GError) error = NULL;
  const PlgLearnerLesson *lesson;

  g_ptr_array_add (learner->lessons, sample (catalogue));
  bytes = plg_learner_write (learner);
  validate (bytes);
  again = plg_learner_read (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), catalogue,
                            &error);
  g_assert_no_error (error);
  g_assert_cmpstr (again->name, ==, learner->name);
  lesson = plg_learner_find (again, "l");
  g_assert_cmpstr (lesson->title, ==, "T & <T>");
  g_assert_cmpstr (plg_learner_find_answer (lesson, "q")->choice, ==, "b");
  g_assert_cmpstr (plg_learner_find_answer (lesson, "q")->reflection, ==,
                   "“Because”\n<b> & \uFFFD more");
  g_assert_true (plg_learner_find_answer (lesson, "q")->right);
  g_assert_cmpstr (plg_learner_find_answer (lesson, "q")->asked, ==, "Which \"one\"?");
  g_assert_cmpstr (plg_learner_find_answer (lesson, "q")->said, ==, "That & <one>");
  g_assert_cmpint (plg_learner_find_design (lesson, "two")->plan->training.global_batch, ==, 256);
  g_assert_true (plg_learner_find_design (lesson, "two")->reached);
  second = plg_learner_write (again);
  g_assert_true (g_bytes_equal (bytes, second));
}

static const struct
{
  const char *text;
  const char *says;
} mistakes[] = {
  { "", "" },
  { "<learner", "" },
  { "<plan/>", "1:1: This file is not a learner record" },
  { "<learner version='2' name='Ada'/>", "This file is not a learner record" },
  { "<learner version='1'/>", "<learner> needs the attribute “name”" },
  { HEAD "\n <script/></learner>", "2:2: <script> is not allowed here" },
  { HEAD "<lesson/></learner>", "<lesson> needs the attribute “id”" },
  { HEAD LESSON "</lesson></learner>", "A lesson needs a <title>" },
  { INSIDE ("<title onclick='x'>a</title>"), "<title> cannot have the attribute “onclick”" },
  { INSIDE ("<answer question='q' choice='a' right='maybe'/>"),
    "“right” must be “true” or “false”" },
  { INSIDE ("<answer question='q' choice='a' right='true'/>"
            "<answer question='q' choice='b' right='true'/>"),
    "“q” appears twice" },
  { INSIDE ("<answer question='q' choice='a' right='true'><b/></answer>"),
    "can contain only text" },
  { INSIDE ("<design step='s' reached='true'/>"), "A design must contain exactly one <plan>" },
  { INSIDE ("<design step='s' reached='true'><plan version='1'/><plan version='1'/></design>"),
    "A design must contain exactly one <plan>" },
  { INSIDE ("<design step='s' reached='true'><plan version='1'><cluster nodes='-1'/></plan>"
            "</design>"),
    "This plan cannot be read" },
  { HEAD "<lesson id='l' step='s' finished='false' questions='-1' goals='0' changed=''/></learner>",
    "“questions” must be a whole number" },
  { HEAD LESSON "<title>T</title></lesson>" LESSON "<title>T</title></lesson></learner>",
    "“l” appears twice" },
  { "<!DOCTYPE learner [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>" HEAD "&e;</learner>", "" },
};

static void
test_mistakes (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (mistakes); i++)
    {
      g_autoptr (GError) error = NULL;
      PlgLearner *learner = plg_learner_read (mistakes[i].text, strlen (mistakes[i].text),
                                              catalogue, &error);

      g_assert_null (learner);
      if (strstr (error->message, mistakes[i].says) == NULL)
        g_error ("%s: %s", mistakes[i].text, error->message);
    }
}

static PlgLearner *
read_text (const char *text, GError **error)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  return plg_learner_read (text, strlen (text), catalogue, error);
}

/* A learner record with COUNT answers. */
static char *
ledger_of (int count)
{
  GString *text = g_string_new (HEAD LESSON "<title>T</title>");

  for (int i = 0; i < count; i++)
    g_string_append_printf (text, "<answer question='q%d' choice='a' right='true'/>", i);
  return g_string_free (g_string_append (text, "</lesson></learner>"), FALSE);
}

/* At most as many answers as a lesson can have questions. */
static void
test_too_many (void)
{
  g_autofree char *most = ledger_of (1000);
  g_autofree char *more = ledger_of (1001);
  g_autoptr (PlgLearner) learner = read_text (most, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (learner);
  g_assert_null (read_text (more, &error));
  g_assert_nonnull (strstr (error->message, "A lesson can have at most 1000 answers and designs."));
}

/* Names and texts cannot reverse the writing direction of other texts or fill the screen. */
static void
test_displayed_texts (void)
{
  static const char
      text[] = "<learner version='1' name='A\u202Eda'>" LESSON "<title>T\u2069</title>"
               "<answer question='q' choice='\u202Aa' right='true' asked='&#x2066;?' said='\u202D'>"
               "\u2067x</answer></lesson></learner>";
  g_autofree char *name = g_strnfill (201, 'x');
  g_autofree char *long_name = g_strdup_printf ("<learner version='1' name='%s'/>", name);
  g_autoptr (PlgLearner) learner = read_text (text, NULL);
  const PlgLearnerLesson *lesson = learner->lessons->pdata[0];
  const PlgLearnerAnswer *answer = lesson->answers->pdata[0];
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (learner->name, ==, "A\uFFFDda");
  g_assert_cmpstr (lesson->title, ==, "T\uFFFD");
  g_assert_cmpstr (answer->choice, ==, "\uFFFDa");
  g_assert_cmpstr (answer->asked, ==, "\uFFFD?");
  g_assert_cmpstr (answer->said, ==, "\uFFFD");
  g_assert_cmpstr (answer->reflection, ==, "\uFFFDx");
  g_assert_null (read_text (long_name, &error));
  g_assert_nonnull (strstr (error->message, "1:22: “name” can have at most 200 characters."));
}

/* A truncated file is refused, not partly read. */
static void
test_truncated (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgLearner) learner = plg_learner_new ("Ada");
  g_autoptr (GBytes) bytes = NULL;
  const char *data;

  g_ptr_array_add (learner->lessons, sample (catalogue));
  bytes = plg_learner_write (learner);
  data = g_bytes_get_data (bytes, NULL);
  for (gsize n = 0; n < g_bytes_get_size (bytes) - 1; n += 7)
    g_assert_null (plg_learner_read (data, n, catalogue, NULL));
}

static void
test_names (void)
{
  static const char *const bad[] = { "", "  ", "a\nb", "\x01", "\xff" };
  static const char *const good[] = { "Ada Lovelace", "Łukasz", "../../etc/passwd", "..",
                                      ".hidden",      "-rf",    "a/b\\c",           "%2e" };
  g_autofree char *long_name = g_strnfill (61, 'a');

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_null (plg_learner_path ("/f", bad[i], NULL));
  g_assert_null (plg_learner_path ("/f", long_name, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autofree char *path = plg_learner_path ("/f", good[i], NULL);
      g_autofree char *folder = g_path_get_dirname (path);
      g_autofree char *base = g_path_get_basename (path);

      g_assert_cmpstr (folder, ==, "/f");
      g_assert_cmpint (base[0], !=, '.');
      g_assert_true (g_str_has_suffix (base, ".xml"));
    }
}

/* The other contents of the file stay; a broken file is not overwritten. */
static void
test_store (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgLearnerLesson) lesson = sample (catalogue);
  g_autofree char *folder = g_dir_make_tmp ("learner-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "new", "Ada.xml", NULL);
  g_autofree char *inside = g_path_get_dirname (path);
  g_autofree char *kept = NULL;
  g_autoptr (PlgLearner) learner = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (plg_learner_store (path, "Ada", lesson, NULL, catalogue, &error));
  g_free (lesson->id);
  lesson->id = g_strdup ("other");
  g_assert_true (plg_learner_store (path, "Ada", lesson, NULL, catalogue, &error));
  g_assert_true (plg_learner_store (path, "Ada", lesson, NULL, catalogue, &error));
  learner = plg_learner_load (path, catalogue, &error);
  g_assert_no_error (error);
  g_assert_cmpint (learner->lessons->len, ==, 2);
  g_assert_cmpint (strlen (plg_learner_find (learner, "l")->changed), ==, 20);

  g_assert_true (g_file_set_contents (path, "<learner", -1, NULL));
  g_assert_false (plg_learner_store (path, "Ada", lesson, NULL, catalogue, &error));
  g_assert_nonnull (strstr (error->message, "Ada.xml:"));
  g_assert_true (g_file_get_contents (path, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, "<learner");
  g_remove (path);
  g_rmdir (inside);
  g_rmdir (folder);
}

static void
test_score (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgLearnerLesson) lesson = sample (catalogue);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);

  lesson->finished = TRUE;
  g_assert_cmpint (plg_learner_score (lesson), ==, PLG_SCORE_OPEN);
  plg_learner_set_answer (lesson, "r", "a", TRUE, "");
  g_assert_cmpint (plg_learner_score (lesson), ==, PLG_SCORE_OPTIMAL);
  plg_learner_set_design (lesson, "two", FALSE, plan);
  g_assert_cmpint (plg_learner_score (lesson), ==, PLG_SCORE_PARTIAL);
  plg_learner_set_answer (lesson, "r", "a", FALSE, "");
  plg_learner_set_answer (lesson, "q", "a", FALSE, "");
  g_assert_cmpint (plg_learner_score (lesson), ==, PLG_SCORE_DEVELOPING);
}

/* Optimal in the design challenge is the requirement of its course: both predictions and more
 * are right, the plan fits, MFU is at least 40 %, bubble at most 10 %. The last goal of the
 * lesson states these numbers. */
static void
test_thresholds (void)
{
  g_autoptr (GPtrArray) library = plg_lesson_library ();
  const PlgLesson *lesson = library->pdata[1];
  const PlgLessonStep *last = lesson->steps->pdata[lesson->steps->len - 1];
  g_autoptr (GString) asked = g_string_new (NULL);

  g_assert_cmpstr (lesson->id, ==, "three-dimensions");
  for (guint i = 0; i < last->goal->asserted->len; i++)
    g_string_append_printf (asked, "%s ",
                            g_array_index (last->goal->asserted, PlgAssertion, i).text);
  g_assert_cmpstr (asked->str, ==, "fits bubble<=10% mfu>=40% ");
}

/* One right prediction is partial with any design; no right prediction is developing. */
static void
test_partial (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgLearnerLesson) lesson = sample (catalogue);
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);

  lesson->finished = TRUE;
  plg_learner_set_answer (lesson, "r", "a", FALSE, "");
  for (int reached = 0; reached < 2; reached++)
    {
      plg_learner_set_design (lesson, "two", reached, plan);
      plg_learner_set_answer (lesson, "q", "b", TRUE, "");
      g_assert_cmpint (plg_learner_score (lesson), ==, PLG_SCORE_PARTIAL);
      plg_learner_set_answer (lesson, "q", "a", FALSE, "");
      g_assert_cmpint (plg_learner_score (lesson), ==, PLG_SCORE_DEVELOPING);
    }
}

/* The members of a design in a learner record, in the order of the format. */
static const char *const members[] = {
  "context",       "tp_degree",       "pp_degree",       "dp_degree",    "total_gpus",
  "mfu_percent",   "act1_prediction", "act1_correct",    "act1_reflect", "act2_result",
  "act2_decision", "constraint_hit",  "memory_feasible",
};

static PlgJson *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  PlgJson *json = plg_json_read (text, strlen (text), &error);

  g_assert_no_error (error);
  return json;
}

/* A design has two answers as its acts, and all answers follow. */
static void
check_third_answer (const PlgJsonValue *lesson)
{
  const PlgJsonValue *answer = plg_json_first (plg_json_find (lesson, "answers"));

  g_assert_cmpstr (plg_json_find (answer, "question")->text, ==, "q");
  answer = plg_json_next (plg_json_next (answer));
  g_assert_cmpstr (plg_json_find (answer, "question")->text, ==, "s");
  g_assert_cmpstr (plg_json_find (answer, "choice")->text, ==, "c");
  g_assert_cmpstr (plg_json_find (answer, "reflection")->text, ==, "Third");
  g_assert_true (plg_json_find (answer, "right")->number == 1);
  g_assert_null (plg_json_next (answer));
}

static void
test_json (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgLearner) learner = plg_learner_new ("Ada");
  g_autofree char *text = NULL;
  g_autoptr (PlgJson) json = NULL;
  const PlgJsonValue *design, *member;
  PlgLearnerLesson *played = sample (catalogue);

  g_ptr_array_add (learner->lessons, played);
  plg_learner_set_answer (played, "r", "a", FALSE, "");
  plg_learner_set_answer (played, "s", "c", TRUE, "Third");
  text = plg_learner_json (learner);
  json = parse (text);
  g_assert_cmpstr (plg_json_find (plg_json_root (json), "current_chapter")->text, ==, "l");
  g_assert_nonnull (plg_json_find (plg_json_root (json), "track"));
  design = plg_json_find (plg_json_first (plg_json_find (plg_json_root (json), "history")),
                          "design");
  member = plg_json_first (design);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++, member = plg_json_next (member))
    g_assert_cmpstr (member->name, ==, members[i]);
  g_assert_null (member);
  g_assert_cmpfloat (plg_json_find (design, "total_gpus")->number, ==, 64);
  g_assert_cmpstr (plg_json_find (design, "act1_prediction")->text, ==, "b");
  g_assert_cmpfloat (plg_json_find (design, "mfu_percent")->number, >, 1);
  g_assert_cmpstr (plg_json_find (design, "act2_decision")->text, ==, "a");
  check_third_answer (plg_json_first (plg_json_find (plg_json_root (json), "history")));
}

/* A missing decision is null. */
static void
test_json_of_one_answer (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgLearner) learner = plg_learner_new ("Ada");
  g_autofree char *text = NULL;
  g_autoptr (PlgJson) json = NULL;
  const PlgJsonValue *design;

  g_ptr_array_add (learner->lessons, sample (catalogue));
  text = plg_learner_json (learner);
  json = parse (text);
  design = plg_json_find (plg_json_first (plg_json_find (plg_json_root (json), "history")),
                          "design");
  g_assert_cmpstr (plg_json_find (design, "act1_prediction")->text, ==, "b");
  g_assert_null (plg_json_find (design, "act2_decision"));
}

static void
test_memo (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgLearner) learner = plg_learner_new ("Ada <b>");
  g_autofree char *nothing = plg_learner_memo (learner, NULL, catalogue);
  g_autofree char *text = NULL;

  g_assert_null (nothing);
  g_ptr_array_add (learner->lessons, sample (catalogue));
  text = plg_learner_memo (learner, "l", catalogue);
  g_assert_nonnull (strstr (text, "Because"));
  g_assert_nonnull (strstr (text, "1 of 2 predictions right"));
  g_assert_nonnull (strstr (text, "Which \"one\"? → That &amp; &lt;one\\> (right)"));
  g_assert_nonnull (strstr (text, "| MFU | "));
  g_assert_nonnull (strstr (text, "## Rejected alternative\n\n"));
  g_assert_nonnull (strstr (strstr (text, "Rejected"), "per step"));
  g_assert_null (strstr (text, "<b>"));
  g_assert_null (plg_learner_memo (learner, "other", catalogue));
}

/* On a page, a long reflection leaves room for the rest; the text file has all of it. */
static void
test_memo_of_long_answers (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgLearner) learner = plg_learner_new ("Ada");
  g_autofree char *much = g_strnfill (40000, 'x');
  g_autofree char *whole = NULL;
  g_autofree char *page = NULL;
  PlgLearnerLesson *played = sample (catalogue);

  g_ptr_array_add (learner->lessons, played);
  plg_learner_set_answer (played, "q", "b", TRUE, much);
  plg_learner_set_answer (played, "r", "a", TRUE, "The second is short.");
  whole = plg_learner_memo (learner, "l", catalogue);
  page = plg_learner_memo_page (learner, "l", catalogue);
  g_assert_nonnull (strstr (whole, much));
  g_assert_cmpuint (strlen (page), <, 6000);
  g_assert_nonnull (strstr (page, "xxx …"));
  g_assert_nonnull (strstr (page, "The second is short."));
  g_assert_nonnull (strstr (page, "## Rejected alternative\n\n"));
}

/* A learner record without texts gets the texts and the goal of the program's own lesson. */
static void
test_memo_of_library (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgLearner) learner = plg_learner_new ("Ada");
  g_autoptr (GPtrArray) library = plg_lesson_library ();
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_autofree char *text = NULL;
  PlgLearnerLesson *played = NULL;

  for (guint i = 0; i < library->len && played == NULL; i++)
    if (g_str_equal (((const PlgLesson *) library->pdata[i])->id, "pipeline"))
      played = plg_learner_lesson_new (library->pdata[i]);
  g_ptr_array_add (learner->lessons, played);
  plg_learner_set_answer (played, "q-bubble", "c", TRUE, "");
  plg_learner_set_answer (played, "q-batches", "a", FALSE, "");
  plg_learner_set_answer_texts (played, "q-batches", "How many?", "Eight");
  plg_learner_set_design (played, "heal", TRUE, plan);
  text = plg_learner_memo (learner, NULL, catalogue);
  g_assert_nonnull (strstr (text, "How much of the step does a stage spend waiting? → "
                                  "More than a quarter"));
  g_assert_null (strstr (text, "q-bubble"));
  /* A wrong answer is followed by the right answer. */
  g_assert_nonnull (strstr (text, "How many? → Eight (not right; right: 27 micro-batches)"));
}

static PlgLearnerLesson *
played_from_library (const GPtrArray *library, const char *id)
{
  for (guint i = 0; i < library->len; i++)
    if (g_str_equal (((const PlgLesson *) library->pdata[i])->id, id))
      return plg_learner_lesson_new (library->pdata[i]);
  g_assert_not_reached ();
}

/* A step that leaves CP and DP free is compared with another CP, which the memo names. */
static void
test_memo_of_free_keys (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgLearner) learner = plg_learner_new ("Ada");
  g_autoptr (GPtrArray) library = plg_lesson_library ();
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  PlgLearnerLesson *played = played_from_library (library, "sequence-context-expert");
  const char *const set[] = { "parallelism.cp=4", "parallelism.dp=2", "parallelism.pp=1", NULL };
  g_autofree char *text = NULL, *line = NULL;
  const char *rejected;

  g_ptr_array_add (learner->lessons, played);
  g_assert_true (plg_settings_apply (plan, catalogue, set, NULL));
  plg_learner_set_design (played, "context", TRUE, plan);
  text = plg_learner_memo (learner, NULL, catalogue);
  g_assert_nonnull (strstr (text, "| Degrees | TP 8, CP 4, DP 2 on 64 GPUs |"));
  rejected = strstr (text, "## Rejected alternative\n\n");
  g_assert_nonnull (rejected);
  rejected += strlen ("## Rejected alternative\n\n");
  line = g_strndup (rejected, strcspn (rejected, "\n"));
  g_assert_true (g_str_has_prefix (line, "TP 8, CP "));
  g_assert_null (strstr (line, "CP 4"));
}

/* The texts have the numbers of the plan to which the question belongs, also after a skipped
 * goal. */
static void
test_texts_of_questions (void)
{
  static const char text
      [] = "<lesson version='1' id='l'><title>T</title>"
           "<step id='a'><title>A</title><plan from='default'/>"
           "<goal><must holds='pp&gt;=8'/><plan><set key='parallelism.pp' value='8'/>"
           "<set key='parallelism.dp' value='1'/></plan></goal></step>"
           "<step id='b'><title>B</title><question id='q' answer='a'><p><n of='pp'/> stages?</p>"
           "<choice id='a'><say>A</say><because><p>x</p></because></choice>"
           "<choice id='b'><say>B</say><because><p>y</p></because></choice>"
           "</question></step></lesson>";
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgLesson) lesson = plg_lesson_read (text, strlen (text), NULL);
  g_autoptr (PlgQuestionPreview) asked = plg_question_preview_new (lesson, "q", catalogue);

  g_assert_cmpstr (asked->prompt, ==, "8 stages?");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/learner/round-trip", test_round_trip);
  g_test_add_func ("/learner/mistakes", test_mistakes);
  g_test_add_func ("/learner/too-many", test_too_many);
  g_test_add_func ("/learner/displayed-texts", test_displayed_texts);
  g_test_add_func ("/learner/truncated", test_truncated);
  g_test_add_func ("/learner/names", test_names);
  g_test_add_func ("/learner/store", test_store);
  g_test_add_func ("/learner/score", test_score);
  g_test_add_func ("/learner/thresholds", test_thresholds);
  g_test_add_func ("/learner/partial", test_partial);
  g_test_add_func ("/learner/json", test_json);
  g_test_add_func ("/learner/json-of-one-answer", test_json_of_one_answer);
  g_test_add_func ("/learner/memo", test_memo);
  g_test_add_func ("/learner/memo-of-long-answers", test_memo_of_long_answers);
  g_test_add_func ("/learner/memo-of-free-keys", test_memo_of_free_keys);
  g_test_add_func ("/learner/memo-of-library", test_memo_of_library);
  g_test_add_func ("/learner/texts-of-questions", test_texts_of_questions);
  return g_test_run ();
}
