/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lessons/question-preview.h"
#include "io/plan/catalogue-xml.h"
#include "lessons/lesson-library.h"

#include <string.h>

/* The problems that the check of a lesson reports, with their lines and each only once. */

#define CHOICES                                                     \
  "<choice id='a'><say>A</say><because><p>x</p></because></choice>" \
  "<choice id='b'><say>B</say><because><p>x</p></because></choice>"
#define LESSON(id, inside) "<lesson version='1' id='" id "'><title>T</title>" inside "</lesson>"
#define STEP(inside) "<step id='s'><title>S</title>" inside "</step>"

static char *
check (const char *text)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GPtrArray) glossary = plg_lesson_glossary ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgLesson) lesson = plg_lesson_read (text, strlen (text), &error);

  g_assert_no_error (error);
  return plg_lesson_check (lesson, glossary, catalogue);
}

/* A translation of a lesson may have the id of the lesson. */
static void
test_id (void)
{
  g_autofree char *other = check ("<!-- mine -->\n" LESSON ("pipeline", STEP ("<p>x</p>")));
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "lessons",
                                                 "06-pipeline.lesson.xml", NULL);
  g_autoptr (GString) translated = g_string_new (NULL);
  g_autofree char *text = NULL, *own = NULL, *same = NULL;

  g_assert_true (g_str_has_prefix (other, "2: The program's own lesson “Reading a pipeline”"));
  g_assert_null (strchr (other, '\n'));
  own = check (LESSON ("pipelines", STEP ("<p>x</p>")));
  g_assert_null (own);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_string_append (translated, text);
  g_assert_cmpuint (g_string_replace (translated, "About a tenth", "Etwa ein Zehntel", 0), ==, 1);
  same = check (translated->str);
  g_assert_null (same);
}

/* A view has its own line, and an invalid plan is reported once, also for the right answer. */
static void
test_places (void)
{
  static const struct
  {
    const char *inside, *says;
  } cases[] = {
    { "\n<plan from='default'/>\n<look show='foo'/>", "3: <look>: " },
    { "\n<plan from='default'/>\n<look select='5000'/>", "3: The plan has no GPU 5000" },
    { "\n<plan><set key='parallelism.tp' value='7'/></plan>\n<look show='tp'/>", "2: The plan" },
    { "<question id='q' answer='c'>" CHOICES "\n<choice id='c'><say>C</say><because><p>x</p>"
      "</because>\n<plan><set key='parallelism.tp' value='7'/></plan></choice></question>",
      "3: The plan" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strconcat ("<lesson version='1' id='l'><title>T</title>"
                                           "<step id='s'><title>S</title>",
                                           cases[i].inside, "</step></lesson>", NULL);
      g_autofree char *problems = check (text);

      g_assert_nonnull (problems);
      g_assert_true (g_str_has_prefix (problems, cases[i].says));
      g_assert_null (strchr (problems, '\n'));
    }
}

/* A name without similar names is reported without suggestions. */
static void
test_no_similar_name (void)
{
  g_autofree char *problems = check (LESSON ("l", STEP ("<p><n of='beauty'/></p>")));

  g_assert_nonnull (strstr (problems, "no number has this name. `parallelogram-cli"));
}

/* A typing error is reported with similar names. */
static void
test_similar_names (void)
{
  g_autofree char *term = check (LESSON ("l", STEP ("<p><term ref='bubbel'>x</term></p>")));

  g_assert_cmpstr (term, ==,
                   "1: <term ref=\"bubbel\">: the glossary has no such entry. Similar: bubble.");
}

#define HIDING(attributes, inside)                                                              \
  "<lesson version='1' id='l'><title>T</title>\n<step id='s' " attributes                       \
  "><title>S</title>" inside "</step><step id='t'><title>U</title><question id='q' answer='a' " \
  "hides='bubble'><p>?</p>" CHOICES "</question></step></lesson>"

/* A step may hide numbers of later questions, but not of its own goal. */
static void
test_hides (void)
{
  static const char goal[] = HIDING ("hides='bubble'", "<goal><must holds='bubble&lt;5%'/></goal>");
  g_autofree char *right = check (HIDING ("hides='bubble'", "<p>x</p>"));
  g_autofree char *idle = check (HIDING ("hides='memory bubble'", "<p>x</p>"));
  g_autofree char *problems = check (HIDING ("hides='bubble'", "<p><n of='bubble'/></p>"));
  g_autofree char *judged = check (goal);

  g_assert_null (right);
  g_assert_cmpstr (idle, ==, "2: The step hides numbers, but no later question asks for them.");
  g_assert_nonnull (strstr (problems, "later question"));
  g_assert_nonnull (strstr (judged, "2: The step hides a number that its own goal needs."));
}

/* The text of a question has the numbers of the plan that an earlier goal leaves. */
static void
test_question_after_goal (void)
{
  static const char text[] = LESSON (
      "l", "<step id='s'><title>S</title><plan from='default'/><goal><must holds='pp==8'/>"
           "<plan><set key='parallelism.pp' value='8'/><set key='parallelism.dp' value='1'/></plan>"
           "</goal></step><step id='t'><title>T</title><question id='q' answer='a'>"
           "<p><n of='pp'/> stages?</p>" CHOICES "</question></step>");
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgLesson) lesson = plg_lesson_read (text, strlen (text), NULL);
  g_autoptr (PlgQuestionPreview) asked = plg_question_preview_new (lesson, "q", catalogue);

  g_assert_cmpstr (asked->prompt, ==, "8 stages?");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson-check/id", test_id);
  g_test_add_func ("/lesson-check/places", test_places);
  g_test_add_func ("/lesson-check/no-similar-name", test_no_similar_name);
  g_test_add_func ("/lesson-check/similar-names", test_similar_names);
  g_test_add_func ("/lesson-check/hides", test_hides);
  g_test_add_func ("/lesson-check/question-after-goal", test_question_after_goal);
  return g_test_run ();
}
