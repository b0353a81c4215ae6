/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "lessons/lesson-xml-private.h"

#include <glib/gi18n-lib.h>

gboolean
plg_glossary_detect (const char *data, gsize size)
{
  return plg_xml_begins (data, size, "glossary");
}

GPtrArray *
plg_glossary_read (const char *data, gsize size, GError **error)
{
  static const char *const names[] = { "id", "term", NULL };
  g_autoptr (PlgXml) xml = plg_xml_parse (data, size, error);
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) problems = plg_lesson_errors_new ();
  g_autoptr (GPtrArray) entries = NULL;
  PlgLessonXml reader = { xml, NULL, ids, problems };
  GError *slip = NULL;

  if (xml == NULL)
    return NULL;
  if (!plg_xml_is (plg_xml_root (xml), "glossary"))
    {
      plg_xml_fail (xml, plg_xml_root (xml), NULL, error, _ ("This file is not a glossary."));
      return NULL;
    }
  entries = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_glossary_entry_free);
  for (const xmlNode *node = plg_xml_root (xml)->children; node != NULL; node = node->next)
    {
      if (plg_xml_is (node, "entry"))
        {
          PlgGlossaryEntry *entry = g_new0 (PlgGlossaryEntry, 1);

          g_ptr_array_add (entries, entry);
          entry->text = plg_lesson_xml_new_passages ();
          plg_lesson_xml_read_passages (&reader, node, plg_lesson_xml_no_names, entry->text);
          (void) (plg_xml_check_attributes (xml, node, names, &slip) &&
                  plg_lesson_xml_read_id (&reader, node, &entry->id, &slip) &&
                  plg_lesson_xml_need_attribute (&reader, node, "term", &entry->term, &slip));
        }
      else if (node->type == XML_ELEMENT_NODE)
        plg_lesson_xml_fail_misplaced (&reader, node, &slip);
      plg_lesson_xml_keep_error (&reader, &slip);
    }
  return plg_lesson_xml_finish (&reader, error) ? g_steal_pointer (&entries) : NULL;
}
