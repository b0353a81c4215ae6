/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/plan/plan-xml-private.h"
#include "syntax/xml-text.h"

#include <string.h>

/* A range of bytes in the source and the text that replaces it. */
typedef struct
{
  PlgXmlRange range;
  char *text;
} Change;

/* The changes that turn the text of the source into the text of the edited plan. */
typedef struct
{
  const PlgXml *xml;
  const char *data;
  xmlNode *elements[PLG_PLAN_N_ELEMENTS];
  const PlgPlan *old;
  const PlgPlan *plan;
  const char *newline;  /* the line break that the source uses */
  gboolean every_value; /* whether unchanged values are written too */
  GArray *changes;
  GString *added; /* text of the elements that are missing from the source */
} Patch;

static char *
escaped (const char *text, gboolean attribute)
{
  GString *out = g_string_new (NULL);

  plg_xml_append_text (out, text, attribute);
  return g_string_free (out, FALSE);
}

/* Replaces the bytes from START to END with TEXT (transfer full). */
static void
add_change (Patch *patch, gsize start, gsize end, char *text)
{
  Change change = { { start, end }, text };

  g_array_append_val (patch->changes, change);
}

static void
clear_change (gpointer data)
{
  g_free (((Change *) data)->text);
}

/* Returns the start of the white space before AT, or AT if no white space precedes it. */
static gsize
skip_space_back (const char *data, gsize at)
{
  while (at > 0 && g_ascii_isspace (data[at - 1]))
    at--;
  return at;
}

static void
set_attribute (Patch *patch, const xmlNode *node, const char *attribute, const char *value)
{
  g_autofree char *text = escaped (value, TRUE);
  PlgXmlRange range;

  if (plg_xml_value_range (patch->xml, node, attribute, &range))
    add_change (patch, range.start, range.end, g_steal_pointer (&text));
  else
    {
      PlgXmlRange tag = plg_xml_tag_range (patch->xml, node);
      gsize end = tag.end - 1 - (patch->data[tag.end - 2] == '/' ? 1 : 0);
      gsize at = skip_space_back (patch->data, end);
      /* Separate the new attribute with a line break and the indentation of the tag's last line,
       * or with a space if the tag is on one line. */
      g_autofree char *separator = NULL;
      const char *line = g_strrstr_len (patch->data + tag.start, at - tag.start, "\n");
      gsize indent = 0;

      if (line == NULL)
        separator = g_strdup (" ");
      else
        {
          while (line[1 + indent] == ' ' || line[1 + indent] == '\t')
            indent++;
          separator = g_strdup_printf ("%s%.*s", patch->newline, (int) indent, line + 1);
        }
      add_change (patch, at, at, g_strdup_printf ("%s%s=\"%s\"", separator, attribute, text));
    }
}

static void
patch_text (Patch *patch, PlgPlanElement element, const char *old, const char *text)
{
  const xmlNode *node = patch->elements[element];
  g_autofree char *content = NULL;
  PlgXmlRange range;

  if (g_str_equal (old, text))
    return;
  if (node == NULL)
    {
      plg_plan_xml_append_element (patch->added, element, patch->plan);
      return;
    }
  content = escaped (text, FALSE);
  range = plg_xml_content_range (patch->xml, node);
  if (patch->data[range.start - 2] == '/' && range.start == range.end &&
      range.end == plg_xml_element_range (patch->xml, node).end)
    add_change (patch, range.start - 2, range.end,
                g_strdup_printf (">%s</%s>", content, plg_plan_element_name (element)));
  else
    add_change (patch, range.start, range.end, g_steal_pointer (&content));
}

static void
remove_element (Patch *patch, const xmlNode *node)
{
  PlgXmlRange range = plg_xml_element_range (patch->xml, node);

  add_change (patch, skip_space_back (patch->data, range.start), range.end, g_strdup (""));
}

static const xmlNode *
next_placed_node (const xmlNode *node)
{
  while (node != NULL && !plg_xml_is (node, "node"))
    node = xmlNextElementSibling ((xmlNode *) node);
  return node;
}

static void
patch_placement (Patch *patch)
{
  const xmlNode *node = patch->elements[PLG_PLAN_PLACEMENT], *child, *last = NULL;
  g_autofree int *old_ranks = plg_plan_rank_of_gpus (patch->old);
  g_autofree int *ranks = plg_plan_rank_of_gpus (patch->plan);
  const PlgCluster *cluster = &patch->plan->cluster;
  int old_per_node = patch->old->cluster.gpus_per_node, n = 0;
  GString *added;
  PlgXmlRange range;
  gsize before;

  if (node == NULL)
    {
      plg_plan_xml_append_element (patch->added, PLG_PLAN_PLACEMENT, patch->plan);
      return;
    }
  if (patch->plan->placement.size == 0)
    {
      remove_element (patch, node);
      return;
    }
  child = next_placed_node (xmlFirstElementChild ((xmlNode *) node));
  for (; child != NULL; child = next_placed_node (xmlNextElementSibling ((xmlNode *) child)), n++)
    {
      g_autofree char *old = plg_plan_xml_ranks_text (old_ranks, n, old_per_node);
      g_autofree char *text = n < cluster->nodes
                                  ? plg_plan_xml_ranks_text (ranks, n, cluster->gpus_per_node)
                                  : NULL;

      if (text == NULL)
        remove_element (patch, child);
      else if (!g_str_equal (old, text))
        set_attribute (patch, child, "ranks", text);
      last = child;
    }
  if (n >= cluster->nodes)
    return;

  /* Insert the missing nodes after the last node of the source. Start each new node with the
   * white space that precedes this last node. */
  added = g_string_new (NULL);
  range = plg_xml_element_range (patch->xml, last);
  before = skip_space_back (patch->data, range.start);
  for (; n < cluster->nodes; n++)
    {
      g_autofree char *text = plg_plan_xml_ranks_text (ranks, n, cluster->gpus_per_node);

      g_string_append_len (added, patch->data + before, range.start - before);
      g_string_append_printf (added, "<node ranks=\"%s\"/>", text);
    }
  add_change (patch, range.end, range.end, g_string_free (added, FALSE));
}

/* Replaces all <gpu>, <nic> and <ring> elements of a changed node map and keeps any other
 * content of <node-map>. */
static void
patch_map (Patch *patch)
{
  const PlgNodeTopology *map = &patch->plan->node_topology;
  const xmlNode *element = patch->elements[PLG_PLAN_NODE_MAP];
  PlgXmlRange content;
  GString *text;

  if (plg_node_topology_equal (&patch->old->node_topology, map))
    return;
  if (element == NULL)
    {
      plg_plan_xml_append_element (patch->added, PLG_PLAN_NODE_MAP, patch->plan);
      return;
    }
  if (plg_node_topology_is_empty (map))
    {
      remove_element (patch, element);
      return;
    }
  content = plg_xml_content_range (patch->xml, element);
  text = g_string_new (patch->newline);
  plg_plan_xml_append_map (text, map);
  g_string_truncate (text, text->len - 1);
  /* Add the new text before removing the old elements, because the first removal may begin at
   * the same position. Changes at one position are applied in the order in which they were
   * added. */
  add_change (patch, content.start, content.start, g_string_free (text, FALSE));
  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) element); node != NULL;
       node = xmlNextElementSibling (node))
    if (plg_xml_is (node, "gpu") || plg_xml_is (node, "nic") || plg_xml_is (node, "ring"))
      remove_element (patch, node);
}

static xmlNode *
next_variant (xmlNode *node)
{
  while (node != NULL && !plg_xml_is (node, "variant"))
    node = xmlNextElementSibling (node);
  return node;
}

/* Returns the index of the new variant that the old variant at INDEX has become, or -1 if it was
 * removed. A variant keeps its name or its plan; RENAMED is set if it keeps only its plan. */
static int
find_new_variant (const Patch *patch, int index, int first, gboolean *renamed)
{
  const PlgVariants *old = patch->old->variants, *variants = patch->plan->variants;
  const PlgVariant *variant = plg_variants_nth (old, index);
  int same = plg_variants_find (variants, variant->name);

  *renamed = FALSE;
  if (same >= first && plg_plan_equal (plg_variants_nth (variants, same)->plan, variant->plan))
    return same;
  *renamed = TRUE;
  /* The order of variants never changes, so a renamed variant stands before the next variant that
   * kept its name. */
  for (int i = first; same < 0 && i < plg_variants_count (variants); i++)
    {
      const PlgVariant *candidate = plg_variants_nth (variants, i);

      if (plg_variants_find (old, candidate->name) >= 0)
        break;
      if (plg_plan_equal (candidate->plan, variant->plan))
        return i;
    }
  return -1;
}

/* Inserts the new variants from FIRST to before END at the byte AT. */
static void
insert_variants (Patch *patch, gsize at, int first, int end)
{
  for (int i = first; i < end; i++)
    {
      g_autoptr (GString) text = g_string_new ("\n");

      plg_plan_xml_append_variant (text, plg_variants_nth (patch->plan->variants, i));
      g_string_truncate (text, text->len - 1);
      g_string_replace (text, "\n", patch->newline, 0);
      add_change (patch, at, at, g_strdup (text->str));
    }
}

/* Keeps the elements of the variants that the plan still has, with everything inside them, changes
 * the names of renamed variants, and adds and removes the others. */
static void
patch_variants (Patch *patch)
{
  const xmlNode *element = patch->elements[PLG_PLAN_VARIANTS];
  int n = plg_variants_count (patch->plan->variants), next = 0, index = 0;
  gboolean is_list = element != NULL &&
                     patch->data[plg_xml_tag_range (patch->xml, element).end - 2] != '/';
  gsize at;

  if (plg_variants_equal (patch->old->variants, patch->plan->variants))
    return;
  if (element != NULL && (n == 0 || !is_list))
    remove_element (patch, element);
  if (!is_list)
    plg_plan_xml_append_element (patch->added, PLG_PLAN_VARIANTS, patch->plan);
  if (n == 0 || !is_list)
    return;

  at = plg_xml_content_range (patch->xml, element).start;
  for (xmlNode *node = next_variant (xmlFirstElementChild ((xmlNode *) element)); node != NULL;
       node = next_variant (xmlNextElementSibling (node)), index++)
    {
      gboolean renamed;
      int found = find_new_variant (patch, index, next, &renamed);

      if (found < 0)
        {
          remove_element (patch, node);
          at = plg_xml_element_range (patch->xml, node).end;
          continue;
        }
      insert_variants (patch, at, next, found);
      if (renamed)
        set_attribute (patch, node, "name", plg_variants_nth (patch->plan->variants, found)->name);
      at = plg_xml_element_range (patch->xml, node).end;
      next = found + 1;
    }
  insert_variants (patch, at, next, n);
}

static int
compare_changes (gconstpointer a, gconstpointer b)
{
  gsize start_a = ((const Change *) a)->range.start;
  gsize start_b = ((const Change *) b)->range.start;

  return (start_a > start_b) - (start_a < start_b);
}

static void
collect_changes (Patch *patch)
{
  const xmlNode *root = plg_xml_root (patch->xml);
  PlgXmlRange content = plg_xml_content_range (patch->xml, root);
  gboolean is_empty = content.end == plg_xml_element_range (patch->xml, root).end;
  g_auto (GStrv) lines = NULL;
  g_autofree char *text = NULL;
  int n;
  const PlgSetting *settings = plg_settings (&n);
  gsize at;

  for (int i = 0; i < PLG_PLAN_N_ELEMENTS; i++)
    if (i == PLG_PLAN_TITLE)
      patch_text (patch, i, patch->old->title, patch->plan->title);
    else if (i == PLG_PLAN_NOTES)
      patch_text (patch, i, patch->old->notes, patch->plan->notes);
    else if (i == PLG_PLAN_PLACEMENT)
      patch_placement (patch);
    else if (i == PLG_PLAN_NODE_MAP)
      patch_map (patch);
    else if (i == PLG_PLAN_VARIANTS)
      patch_variants (patch);
    else
      {
        gboolean is_changed = FALSE;

        for (int j = 0; j < n; j++)
          {
            const char *attribute = plg_plan_element_attribute (i, &settings[j]);
            g_autofree char *old = plg_setting_get (&settings[j], patch->old);
            g_autofree char *value = plg_setting_get (&settings[j], patch->plan);

            if (attribute == NULL ||
                (g_str_equal (old, value) &&
                 (!patch->every_value || plg_plan_xml_omits (i, &settings[j], patch->plan))))
              continue;
            is_changed = TRUE;
            if (patch->elements[i] != NULL)
              set_attribute (patch, patch->elements[i], attribute, value);
          }
        if (is_changed && patch->elements[i] == NULL)
          plg_plan_xml_append_element (patch->added, i, patch->plan);
      }

  /* Insert the elements that are missing from the source just before the end of <plan>. */
  if (patch->added->len == 0)
    return;
  g_string_truncate (patch->added, patch->added->len - 1);
  lines = g_strsplit (patch->added->str, "\n", -1);
  text = g_strjoinv (patch->newline, lines);
  at = skip_space_back (patch->data, content.end);
  if (is_empty)
    add_change (patch, content.end - 2, content.end,
                g_strdup_printf (">%s%s%s</plan>", patch->newline, text, patch->newline));
  else
    add_change (patch, at, content.end,
                g_strdup_printf ("%s%s%s", patch->newline, text, patch->newline));
}

GBytes *
plg_plan_xml_write_changes (const PlgPlan *plan, const PlgPlanSource *source, gboolean every_value)
{
  gsize size;
  const char *data = g_bytes_get_data (source->bytes, &size);
  g_autoptr (PlgXml) xml = plg_xml_parse (data, size, NULL);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (Change));
  g_autoptr (GString) added = g_string_new (NULL);
  GString *out;
  gsize at = 0;
  Patch patch = { .xml = xml,
                  .data = data,
                  .old = source->plan,
                  .plan = plan,
                  .newline = g_strstr_len (data, size, "\r\n") != NULL ? "\r\n" : "\n",
                  .every_value = every_value,
                  .changes = changes,
                  .added = added };

  g_array_set_clear_func (changes, clear_change);
  if (xml == NULL || !plg_plan_xml_elements (xml, plg_xml_root (xml), patch.elements, NULL))
    return NULL;
  collect_changes (&patch);

  /* The sort is stable, so changes at the same position keep their order. */
  out = g_string_sized_new (size + 1024);
  g_array_sort (patch.changes, compare_changes);
  for (guint i = 0; i < patch.changes->len; i++)
    {
      const Change *change = &g_array_index (patch.changes, Change, i);
      g_string_append_len (out, patch.data + at, change->range.start - at);
      g_string_append (out, change->text);
      at = change->range.end;
    }
  g_string_append_len (out, patch.data + at, size - at);
  return g_string_free_to_bytes (out);
}
