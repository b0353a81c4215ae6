/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/catalogue-xml.h"
#include "formats/lesson-library.h"

#include <string.h>

/* What the check of a lesson tells, and where: slips of the whole file, and each only once. */

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

/* A translation of a lesson, whose answers are those of the lesson, may be called like it. */
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson-check/id", test_id);
  return g_test_run ();
}
