/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "lessons/lesson-library.h"

#include "io/registry/registry.h"
#include "io/plan/plan-xml.h"
#include "io/plg-io-resources.h"

#include <string.h>

#define ROOT "/org/parallelogram/Parallelogram/"
#define FOLDER "lessons/"
#define PLANS "examples/misunderstandings/"
#define ENDING ".lesson.xml"

static GBytes *
lookup (const char *folder, const char *name)
{
  g_autofree char *path = g_strconcat (ROOT, folder, name, NULL);
  g_autoptr (GError) error = NULL;
  GBytes *bytes = g_resource_lookup_data (plg_io_get_resource (), path,
                                          G_RESOURCE_LOOKUP_FLAGS_NONE, &error);

  if (bytes == NULL)
    g_error ("%s", error->message);
  return bytes;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Returns the names of the files in FOLDER, sorted. The names of lessons begin with numbers, so
 * this is the order of the lessons. Free with g_strfreev(). */
static char **
list (const char *folder)
{
  g_autofree char *path = g_strconcat (ROOT, folder, NULL);
  char **names = g_resource_enumerate_children (plg_io_get_resource (), path,
                                                G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  qsort (names, g_strv_length (names), sizeof *names, compare_names);
  return names;
}

GPtrArray *
plg_lesson_library (void)
{
  GPtrArray *lessons = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_lesson_unref);
  g_auto (GStrv) names = list (FOLDER);

  for (int i = 0; names[i] != NULL; i++)
    if (g_str_has_suffix (names[i], ENDING))
      {
        g_autoptr (GBytes) bytes = lookup (FOLDER, names[i]);
        g_autoptr (GError) error = NULL;
        PlgLesson *lesson = plg_lesson_read (g_bytes_get_data (bytes, NULL),
                                             g_bytes_get_size (bytes), &error);

        /* The lessons are compiled in, so an invalid lesson is a bug in the program. */
        if (lesson == NULL)
          g_error ("%s:%s", names[i], error->message);
        g_ptr_array_add (lessons, lesson);
      }
  return lessons;
}

PlgLesson *
plg_lesson_find (const GPtrArray *lessons, const char *id)
{
  for (guint i = 0; i < lessons->len; i++)
    if (g_str_equal (((const PlgLesson *) lessons->pdata[i])->id, id))
      return lessons->pdata[i];
  return NULL;
}

GPtrArray *
plg_lesson_misconception_plans (const PlgCatalogue *catalogue)
{
  GPtrArray *plans = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_plan_free);
  g_auto (GStrv) names = list (PLANS);

  for (int i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GBytes) bytes = lookup (PLANS, names[i]);
      g_autoptr (GError) error = NULL;
      PlgPlan *plan = plg_plan_xml_read (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                                         catalogue, NULL, &error);

      if (plan == NULL)
        g_error ("%s:%s", names[i], error->message);
      g_ptr_array_add (plans, plan);
    }
  return plans;
}

GPtrArray *
plg_lesson_glossary (void)
{
  g_autoptr (GBytes) bytes = lookup (FOLDER, "glossary.xml");
  g_autoptr (GError) error = NULL;
  GPtrArray *glossary = plg_glossary_read (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                                           &error);

  if (glossary == NULL)
    g_error ("glossary.xml:%s", error->message);
  return glossary;
}

const PlgGlossaryEntry *
plg_glossary_find (const GPtrArray *glossary, const char *id)
{
  for (guint i = 0; i < glossary->len; i++)
    if (g_str_equal (((const PlgGlossaryEntry *) glossary->pdata[i])->id, id))
      return glossary->pdata[i];
  return NULL;
}

PlgLesson *
plg_lesson_read_file (GBytes *bytes, const char *name, GError **error)
{
  PlgLesson *lesson = plg_lesson_read (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                                       error);

  if (lesson == NULL && error != NULL)
    {
      /* Each line of the message begins with "LINE:COLUMN: ". Insert the name of the file at the
       * start of each line. */
      g_auto (GStrv) lines = g_strsplit ((*error)->message, "\n", -1);
      g_autofree char *separator = g_strdup_printf ("\n%s:", name);
      g_autofree char *joined = g_strjoinv (separator, lines);

      g_free ((*error)->message);
      (*error)->message = g_strdup_printf ("%s:%s", name, joined);
    }
  return lesson;
}
