/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/topology/nccl-check.h"

#include "io/registry/format-private.h"
#include "io/topology/nccl-topology.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static gboolean
is_same_way (const PlgPath *wanted, const PlgPath *read)
{
  if (wanted->type != read->type)
    return FALSE;
  return wanted->bandwidth <= 0.0 || read->bandwidth <= 0.0 ||
         fabs (wanted->bandwidth - read->bandwidth) < 2e-3 * wanted->bandwidth;
}

/* Where no link joins two GPUs, NCCL goes through a third one that has links to both, of which
 * what a driver prints knows nothing. */
static gboolean
is_roundabout (const PlgPath *wanted, const PlgPath *read)
{
  return read->type == PLG_PATH_NVB && wanted->type >= PLG_PATH_PIX && wanted->type <= PLG_PATH_SYS;
}

static gboolean
refuse_way (const PlgPath *wanted,
            const PlgPath *read,
            const char *from,
            const char *to,
            GError **error)
{
  g_autofree char *is = plg_path_describe (wanted, "NVLink");
  g_autofree char *would = plg_path_describe (read, "NVLink");

  if (read->links == 1 && wanted->bandwidth > 0.0 && wanted->bandwidth < read->bandwidth)
    {
      g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
                   _ ("The way from %s to %s is %s in the plan, which shares the links of a GPU "
                      "out to all others, and one link is %s: NCCL's file has whole links. Read "
                      "how the node is really joined (nvidia-smi topo -m, rocm-smi --showtopo), "
                      "and that can be written; the plan file (XML) keeps this."),
                   from, to, is, would);
      return FALSE;
    }
  g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
               _ ("The way from %s to %s is %s in the plan, and would be %s in NCCL's "
                  "file; the plan file (XML) keeps it."),
               from, to, is, would);
  return FALSE;
}

static gboolean
compare_ways (const PlgNodeTopology *wanted, const PlgNodeTopology *read, GError **error)
{
  for (int a = 0; a < wanted->gpus; a++)
    for (int i = 0; i < wanted->gpus + wanted->nics; i++)
      {
        gboolean nic = i >= wanted->gpus;
        int to = nic ? i - wanted->gpus : i;
        const PlgPath *way = nic ? plg_node_topology_to_nic (wanted, a, to)
                                 : plg_node_topology_to_gpu (wanted, a, to);
        const PlgPath *again = nic ? plg_node_topology_to_nic (read, a, to)
                                   : plg_node_topology_to_gpu (read, a, to);
        g_autofree char *from = NULL, *end = NULL;

        if (is_same_way (way, again) || is_roundabout (way, again))
          continue;
        from = g_strdup_printf ("GPU %d", a);
        end = g_strdup_printf (nic ? "NIC %d" : "GPU %d", to);
        return refuse_way (way, again, from, end, error);
      }
  return TRUE;
}

/* A remark for whoever wonders where the file differs from the plan; NCCL skips comments
 * (xmlSkipComment in src/graph/xml.cc). */
static void
tell_roundabouts (GString *out, const PlgNodeTopology *map, const PlgNodeTopology *read)
{
  int first = -1, second = -1, pairs = 0;
  g_autofree char *remark = NULL;

  for (int a = 0; a < read->gpus; a++)
    for (int b = a + 1; b < read->gpus; b++)
      if (is_roundabout (plg_node_topology_to_gpu (map, a, b),
                         plg_node_topology_to_gpu (read, a, b)))
        {
          first = pairs == 0 ? a : first;
          second = pairs++ == 0 ? b : second;
        }
  if (pairs == 0)
    return;
  remark = g_strdup_printf ("<!-- Pairs without a link: NCCL goes through a third GPU (NVB), not "
                            "over "
                            "PCIe as in the plan: GPU %d and GPU %d%s, %d in all. -->\n",
                            first, second, pairs > 1 ? " and others" : "", pairs);
  g_string_prepend (out, remark);
}

gboolean
plg_nccl_check_again (GString *out, const PlgNodeTopology *map, GError **error)
{
  g_auto (PlgImportContext) context = { 0 };
  g_autoptr (PlgNcclTopology) nccl = NULL;
  g_autoptr (PlgPlan) base = plg_plan_new ();
  PlgNodeTopology read;
  gboolean same;

  plg_import_init (&context, out->str, out->len, base, NULL);
  nccl = plg_nccl_topology_read (&context, 1, error);
  if (nccl == NULL)
    return FALSE;
  plg_nccl_topology_to_node (nccl, 0, &read);
  same = compare_ways (map, &read, error);
  tell_roundabouts (out, map, &read);
  plg_node_topology_clear (&read);
  return same;
}
