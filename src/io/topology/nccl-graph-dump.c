/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "syntax/xml-reader.h"
#include "plan/quantity.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Reads NCCL's graph dump, which NCCL writes to the file that NCCL_GRAPH_DUMP_FILE names (NCCL,
 * src/graph/search.cc, ncclTopoGetXmlFromGraphs). The dump lists the channels that NCCL found.
 * In a ring, each <gpu> sends to the next one. Other graphs are skipped, because a plan has only
 * rings. */

#define SHOWN_CHARACTERS 40
/* the graph ID and the pattern number that NCCL uses for rings (src/graph/graph.h) */
#define RING_ID 0
#define RING_PATTERN 4
#define MAX_DEV 65535

typedef struct
{
  PlgImportContext *context;
  PlgXml *xml;
  PlgNodeTopology map;             /* the map of the node, with the rings; empty before the first
                                      channel */
  int devs[PLG_MAX_GPUS_PER_NODE]; /* the GPU numbers in the first channel, ascending */
  int channels;
  int others; /* the number of skipped graphs */
} Graph;

/* Reads a decimal number, or a hexadecimal number with 0x. */
static gboolean
read_number (const Graph *graph,
             const xmlNode *node,
             const char *attribute,
             int *number,
             GError **error)
{
  g_autofree char *text = plg_xml_attribute (node, attribute);
  gboolean hex = text != NULL && g_str_has_prefix (text, "0x");
  g_autofree char *shown = NULL;
  guint64 value;

  if (text != NULL &&
      g_ascii_string_to_unsigned (hex ? text + 2 : text, hex ? 16 : 10, 0, MAX_DEV, &value, NULL))
    {
      *number = (int) value;
      return TRUE;
    }
  shown = plg_text_excerpt (text != NULL ? text : "", SHOWN_CHARACTERS);
  return plg_xml_fail (graph->xml, node, attribute, error, _ ("%s of <%s> is “%s”; %s."), attribute,
                       (const char *) node->name, shown,
                       _ ("write a whole number of 0 or more, such as 3 or 0x3"));
}

/* Reads the devices of a channel in the order of the file. Returns the number of devices, or 0
 * with an error. */
static int
read_devices (const Graph *graph, const xmlNode *channel, int *devices, GError **error)
{
  int n = 0, device, line;

  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) channel); node != NULL;
       node = xmlNextElementSibling (node))
    {
      if (plg_xml_is (node, "net"))
        {
          line = plg_xml_position (graph->xml, node, NULL).line;
          plg_import_note (
              graph->context, PLG_NOTE_IGNORED, line,
              _ ("Rings leave the node through these NICs (<net>), which are ignored because a "
                 "plan has only rings between GPUs."));
        }
      if (!plg_xml_is (node, "gpu"))
        continue;
      if (!read_number (graph, node, "dev", &device, error))
        return 0;
      if (n == PLG_MAX_GPUS_PER_NODE)
        return plg_xml_fail (graph->xml, channel, NULL, error,
                             _ ("The channel has more than %d GPUs, the limit for a node."),
                             PLG_MAX_GPUS_PER_NODE);
      if (device >= PLG_MAX_GPUS_PER_NODE)
        return plg_xml_fail (
            graph->xml, node, "dev", error,
            _ ("GPU %d does not exist; a node has at most %d GPUs, numbered from 0."), device,
            PLG_MAX_GPUS_PER_NODE);
      for (int i = 0; i < n; i++)
        if (devices[i] == device)
          return plg_xml_fail (graph->xml, node, "dev", error,
                               _ ("GPU %d is in the channel twice; a ring passes through each "
                                  "GPU only once."),
                               device);
      devices[n++] = device;
    }
  if (n == 0)
    plg_xml_fail (graph->xml, channel, NULL, error, _ ("The channel has no <gpu>."));
  return n;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  return *(const int *) a - *(const int *) b;
}

static gboolean
read_channel (Graph *graph, const xmlNode *channel, GError **error)
{
  int devices[PLG_MAX_GPUS_PER_NODE], gpus[PLG_MAX_GPUS_PER_NODE];
  int n = read_devices (graph, channel, devices, error), line;
  const PlgNodeTopology *old = &graph->context->plan->node_topology;
  PlgNodeTopology *map = &graph->map;
  g_autoptr (GString) text = g_string_new (NULL);

  if (n == 0)
    return FALSE;
  line = plg_xml_position (graph->xml, channel, NULL).line;
  if (graph->channels++ == 0)
    {
      memcpy (graph->devs, devices, sizeof *devices * n);
      qsort (graph->devs, n, sizeof *graph->devs, compare_numbers);
      if (graph->devs[n - 1] != n - 1)
        {
          /* The GPU numbers have gaps if the job got only some of the node's GPUs. Explain the
           * new numbers in an import note. */
          g_autoptr (GString) numbers = g_string_new (NULL);

          for (int i = 0; i < n; i++)
            g_string_append_printf (numbers, "%s%d", i > 0 ? ", " : "", graph->devs[i]);
          plg_import_note (graph->context, PLG_NOTE_INFERRED, line,
                           _ ("GPUs %s in the file become GPUs 0 to %d here, in this order."),
                           numbers->str, n - 1);
        }
      /* If the map of the open plan has the same number of GPUs, keep its NICs and paths. */
      if (old->gpus == n)
        plg_node_topology_copy (map, old);
      else
        plg_node_topology_init (map, n, 0);
      map->rings = 0;
    }
  for (int i = 0; i < n; i++)
    {
      gpus[i] = 0;
      while (gpus[i] < map->gpus && graph->devs[gpus[i]] != devices[i])
        gpus[i]++;
      if (gpus[i] == map->gpus || n != map->gpus)
        return plg_xml_fail (graph->xml, channel, NULL, error,
                             _ ("This channel has different GPUs from the first channel; each "
                                "ring must pass through all GPUs of the node."));
    }
  for (int i = 0; i < map->rings; i++)
    if (memcmp (plg_node_topology_ring (map, i), gpus, sizeof *gpus * map->gpus) == 0)
      return TRUE;
  if (map->rings == PLG_MAX_RINGS)
    return TRUE;
  plg_node_topology_add_ring (map, gpus);
  for (int i = 0; i < map->gpus; i++)
    g_string_append_printf (text, "%s%d", i > 0 ? " → " : "", gpus[i]);
  plg_import_note (graph->context, PLG_NOTE_UNDERSTOOD, line, _ ("Ring %d: GPU %s"), map->rings - 1,
                   text->str);
  return TRUE;
}

static gboolean
read_graphs (Graph *graph, GError **error)
{
  const xmlNode *root = plg_xml_root (graph->xml);
  g_autofree char *why = NULL;
  int line;

  for (xmlNode *node = xmlFirstElementChild ((xmlNode *) root); node != NULL;
       node = xmlNextElementSibling (node))
    {
      g_autofree char *text = plg_xml_attribute (node, "speedintra");
      double speed = text != NULL ? g_ascii_strtod (text, NULL) : 0.0;
      g_autofree char *each = plg_format_bandwidth (speed * 1e9);
      int id, pattern;

      if (!plg_xml_is (node, "graph"))
        continue;
      if (!read_number (graph, node, "id", &id, error) ||
          !read_number (graph, node, "pattern", &pattern, error))
        return FALSE;
      if (id != RING_ID || pattern != RING_PATTERN)
        {
          graph->others++;
          continue;
        }
      for (xmlNode *channel = xmlFirstElementChild (node); channel != NULL;
           channel = xmlNextElementSibling (channel))
        if (plg_xml_is (channel, "channel") && !read_channel (graph, channel, error))
          return FALSE;
      if (speed > 0.0 && speed < 1e6)
        {
          line = plg_xml_position (graph->xml, node, NULL).line;
          plg_import_note (graph->context, PLG_NOTE_IGNORED, line,
                           _ ("NCCL plans %d channels of %s each; the links keep their stated "
                              "rates."),
                           graph->channels, each);
        }
    }
  line = plg_xml_position (graph->xml, root, NULL).line;
  if (graph->channels == 0)
    return plg_xml_fail (graph->xml, root, NULL, error,
                         _ ("The file has no ring; a ring is a <graph id=\"0\" pattern=\"4\"> "
                            "that contains a <channel>."));
  if (graph->others > 0)
    plg_import_note (graph->context, PLG_NOTE_IGNORED, line,
                     ngettext ("%d graph is ignored, because it is not a ring, and a plan has only "
                               "rings.",
                               "%d graphs are ignored, because they are not rings, and a plan has "
                               "only rings.",
                               graph->others),
                     graph->others);
  /* Draw the imported rings instead of the wires, and explain this in an import note. */
  why = g_strdup_printf (
      _ ("The links are drawn as these rings; turn off %s to draw the wires instead."),
      plg_setting_name ("view.rings"));
  return plg_import_infer (graph->context, line, "view.rings", "true", why, error) &&
         plg_import_set_int (graph->context, line, "cluster.gpus-per-node", graph->map.gpus, error);
}

static gboolean
read_nccl_graph (PlgImportContext *context, GError **error)
{
  g_autoptr (PlgXml) xml = plg_xml_parse (context->data, context->size, error);
  Graph graph = { .context = context, .xml = xml };
  gboolean read = xml != NULL && read_graphs (&graph, error);

  if (read)
    plg_import_take_node_map (context, &graph.map);
  plg_node_topology_clear (&graph.map);
  return read;
}

static gboolean
is_nccl_graph (const char *data, gsize size)
{
  return plg_xml_begins (data, size, "graphs");
}

const PlgFormat plg_nccl_graph_format = {
  .name = "nccl-graph",
  .suffix = ".xml",
  .title = N_ ("NCCL rings (XML)"),
  .subject = PLG_SUBJECT_CLUSTER,
  .syntax = PLG_SYNTAX_XML,
  .sign = "<graphs>",
  .is = is_nccl_graph,
  .read = read_nccl_graph,
};
