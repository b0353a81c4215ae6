/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/nccl-hosts.h"

#include "formats/format.h"
#include "plan/fault.h"

#include <glib/gi18n-lib.h>

static int
gpus_of (const PlgNccl *nccl, int host)
{
  int n = 0;

  for (guint i = 0; i < nccl->gpus->len; i++)
    n += g_array_index (nccl->gpus, PlgNcclGpu, i).host == host;
  return n;
}

static int
nets_of (const PlgNccl *nccl, int host)
{
  int n = 0;

  for (guint i = 0; i < nccl->nets->len; i++)
    n += g_array_index (nccl->nets, PlgNcclNet, i).host == host;
  return n;
}

const PlgNcclGpu *
plg_nccl_first_gpu (const PlgNccl *nccl, int host)
{
  for (guint i = 0; i < nccl->gpus->len; i++)
    if (g_array_index (nccl->gpus, PlgNcclGpu, i).host == host)
      return &g_array_index (nccl->gpus, PlgNcclGpu, i);
  return NULL;
}

static int
line_of_host (const PlgNccl *nccl, int host)
{
  const PlgNcclGpu *gpu = plg_nccl_first_gpu (nccl, host);

  return gpu != NULL ? gpu->line : 0;
}

/* The usual host */

static gboolean
check_sizes (PlgReading *reading, const PlgNccl *nccl, int host, GError **error)
{
  int gpus = gpus_of (nccl, host), nets = nets_of (nccl, host);

  if (gpus > PLG_MAX_GPUS_PER_NODE)
    return plg_reading_fail (reading, line_of_host (nccl, host), PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("The node has %d GPUs; a node of a plan has at most %d."), gpus,
                             PLG_MAX_GPUS_PER_NODE);
  if (nets > PLG_MAX_NODE_NICS)
    return plg_reading_fail (reading, line_of_host (nccl, host), PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("The node has %d NICs; a node of a plan has at most %d."), nets,
                             PLG_MAX_NODE_NICS);
  return TRUE;
}

/* Hosts that are alike, but for the names of their NICs. */
typedef struct
{
  PlgNodeMap map;
  int host; /* the first of them */
  int hosts;
} Class;

static void
class_clear (gpointer data)
{
  plg_node_map_clear (&((Class *) data)->map);
}

static void
add_to_classes (GArray *classes, const PlgNccl *nccl, int host)
{
  Class new = { .host = host, .hosts = 1 };

  plg_nccl_map (nccl, host, &new.map);
  for (int i = 0; i < new.map.nics; i++)
    *new.map.card[i].name = '\0';
  for (guint i = 0; i < classes->len; i++)
    {
      Class *class = &g_array_index (classes, Class, i);

      if (plg_node_map_equal (&class->map, &new.map))
        {
          class->hosts++;
          plg_node_map_clear (&new.map);
          return;
        }
    }
  g_array_append_val (classes, new);
}

static double
bandwidth_of (const PlgNodeMap *map)
{
  double sum = 0.0;

  for (int i = 0; i < map->nics; i++)
    sum += map->card[i].bandwidth;
  return sum;
}

static gboolean
is_more_usual (const Class *a, const Class *b)
{
  if (a->hosts != b->hosts)
    return a->hosts > b->hosts;
  if (a->map.gpus != b->map.gpus)
    return a->map.gpus > b->map.gpus;
  if (a->map.nics != b->map.nics)
    return a->map.nics > b->map.nics;
  return bandwidth_of (&a->map) > bandwidth_of (&b->map);
}

gboolean
plg_nccl_usual_host (PlgReading *reading, const PlgNccl *nccl, int *usual, GError **error)
{
  g_autoptr (GArray) classes = g_array_new (FALSE, FALSE, sizeof (Class));
  guint best = 0;

  g_array_set_clear_func (classes, class_clear);
  for (int host = 0; host < nccl->hosts; host++)
    if (!check_sizes (reading, nccl, host, error))
      return FALSE;
    else if (gpus_of (nccl, host) > 0)
      add_to_classes (classes, nccl, host);
  for (guint i = 1; i < classes->len; i++)
    if (is_more_usual (&g_array_index (classes, Class, i), &g_array_index (classes, Class, best)))
      best = i;
  *usual = g_array_index (classes, Class, best).host;
  for (int host = 0; host < nccl->hosts; host++)
    if (gpus_of (nccl, host) != gpus_of (nccl, *usual))
      return plg_reading_fail (reading, line_of_host (nccl, host), PLG_FORMAT_ERROR_CONTENT, error,
                               _ ("Host %d of the file has %d GPUs, and host %d has %d; the nodes "
                                  "of a plan are alike."),
                               host, gpus_of (nccl, host), *usual, gpus_of (nccl, *usual));
  return TRUE;
}

/* What the others lack */

typedef struct
{
  PlgReading *reading;
  const PlgNccl *nccl;
  int usual;
  const PlgNodeMap *map; /* of the usual host */
  const int *number;     /* of its NICs in the plan; -1: they are left out there */
  /* The host that is compared */
  int host;
  int line;
  const PlgNodeMap *other;
  int *nic; /* of the usual host's NICs: the same one of this host; -1: it has none */
  PlgCluster *faults;
} Comparison;

static void
add_fault (Comparison *comparison, PlgFault fault, const char *name)
{
  PlgReading *reading = comparison->reading;
  g_autofree char *percent = g_strdup_printf ("%.0f", fault.rate * 100.0);

  if (!plg_faults_set (comparison->faults, &fault, NULL))
    plg_reading_note (reading, PLG_NOTE_IGNORED, comparison->line,
                      _ ("Host %d: %s has %s %% of its rate on host %d, which no further fault of "
                         "the plan can say."),
                      comparison->host, name, percent, comparison->usual);
  else if (fault.rate > 0.0)
    plg_reading_note (reading, PLG_NOTE_UNDERSTOOD, comparison->line,
                      _ ("Host %d: %s has %s %% of its rate on host %d."), comparison->host, name,
                      percent, comparison->usual);
  else
    plg_reading_note (reading, PLG_NOTE_UNDERSTOOD, comparison->line,
                      _ ("Host %d: %s is missing, which host %d has."), comparison->host, name,
                      comparison->usual);
}

static void
tell_other (Comparison *comparison, const char *name, const char *there, const char *usual)
{
  plg_reading_note (comparison->reading, PLG_NOTE_IGNORED, comparison->line,
                    _ ("Host %d: %s is %s, and %s on host %d; the nodes of a plan are alike."),
                    comparison->host, name, there, usual, comparison->usual);
}

/* Faster than usual is nothing that a plan can say. */
static void
compare_rates (Comparison *comparison, PlgFault fault, const char *name, double there, double usual)
{
  if (there < usual)
    {
      fault.rate = there / usual;
      add_fault (comparison, fault, name);
    }
  else if (there > usual)
    {
      g_autofree char *fast = g_strdup_printf ("%.4g GB/s", there / 1e9);
      g_autofree char *slow = g_strdup_printf ("%.4g GB/s", usual / 1e9);

      tell_other (comparison, name, fast, slow);
    }
}

static char *
nic_name (const PlgNodeMap *map, int nic)
{
  return *map->card[nic].name != '\0'
             ? g_strdup_printf (_ ("NIC %d (%s)"), nic, map->card[nic].name)
             : g_strdup_printf (_ ("NIC %d"), nic);
}

/* NICs are the same by their names, those without one by their order. */
static void
match_nics (Comparison *comparison)
{
  const PlgNodeMap *map = comparison->map, *other = comparison->other;
  g_autofree gboolean *taken = g_new0 (gboolean, other->nics);

  for (int i = 0; i < map->nics; i++)
    {
      comparison->nic[i] = -1;
      for (int j = 0; j < other->nics && comparison->nic[i] < 0; j++)
        if (!taken[j] && g_str_equal (map->card[i].name, other->card[j].name))
          {
            comparison->nic[i] = j;
            taken[j] = TRUE;
          }
    }
  for (int j = 0; j < other->nics; j++)
    {
      g_autofree char *name = nic_name (other, j);

      if (!taken[j])
        plg_reading_note (comparison->reading, PLG_NOTE_IGNORED, comparison->line,
                          _ ("Host %d: %s is there, and not on host %d; the nodes of a plan are "
                             "alike."),
                          comparison->host, name, comparison->usual);
    }
}

/* Nothing reaches a node without NICs, so none of a plan can be so. */
static gboolean
has_no_nic (const Comparison *comparison)
{
  for (int i = 0; i < comparison->map->nics; i++)
    if (comparison->number[i] >= 0 && comparison->nic[i] >= 0)
      return FALSE;
  return comparison->map->nics > 0;
}

static void
compare_nics (Comparison *comparison)
{
  const PlgNodeMap *map = comparison->map;

  if (has_no_nic (comparison))
    {
      plg_reading_note (comparison->reading, PLG_NOTE_IGNORED, comparison->line,
                        _ ("Host %d: the file has none of the NICs of host %d there. No other node "
                           "could reach it so; it is taken to have them."),
                        comparison->host, comparison->usual);
      return;
    }
  for (int i = 0; i < map->nics; i++)
    {
      g_autofree char *name = nic_name (map, i);
      PlgFault fault = { PLG_FAULT_NIC, comparison->host, comparison->number[i], 0.0 };
      int j = comparison->nic[i];

      if (comparison->number[i] < 0)
        continue;
      if (j < 0)
        add_fault (comparison, fault, name);
      else if (comparison->other->card[j].bandwidth > 0.0 && map->card[i].bandwidth > 0.0)
        compare_rates (comparison, fault, name, comparison->other->card[j].bandwidth,
                       map->card[i].bandwidth);
    }
}

/* All links of a GPU inside its node. */
static void
compare_ports (Comparison *comparison)
{
  const PlgNcclGpu *there = plg_nccl_first_gpu (comparison->nccl, comparison->host);
  const PlgNcclGpu *usual = plg_nccl_first_gpu (comparison->nccl, comparison->usual);
  int gpus = comparison->map->gpus;

  for (int gpu = 0; gpu < gpus; gpu++)
    {
      g_autofree char *name = g_strdup_printf (_ ("the port of GPU %d"), gpu);
      PlgFault fault = { PLG_FAULT_PORT, comparison->host * gpus + gpu, 0, 0.0 };

      compare_rates (comparison, fault, name, there[gpu].links * there[gpu].link,
                     usual[gpu].links * usual[gpu].link);
    }
}

static gboolean
compare_path (Comparison *comparison, const char *name, const PlgPath *there, const PlgPath *usual)
{
  if (there->type == usual->type)
    return TRUE;
  tell_other (comparison, name, plg_path_code (there->type), plg_path_code (usual->type));
  return FALSE;
}

/* The first other way between two things: one tells that it is another kind of node. */
static void
compare_paths (Comparison *comparison)
{
  const PlgNodeMap *map = comparison->map, *other = comparison->other;

  for (int gpu = 0; gpu < map->gpus; gpu++)
    {
      for (int to = 0; to < gpu; to++)
        {
          g_autofree char *name = g_strdup_printf (_ ("GPU %d to GPU %d"), gpu, to);

          if (!compare_path (comparison, name, plg_node_map_to_gpu (other, gpu, to),
                             plg_node_map_to_gpu (map, gpu, to)))
            return;
        }
      for (int nic = 0; nic < map->nics; nic++)
        {
          g_autofree char *name = g_strdup_printf (_ ("GPU %d to NIC %d"), gpu, nic);

          if (comparison->nic[nic] >= 0 &&
              !compare_path (comparison, name,
                             plg_node_map_to_nic (other, gpu, comparison->nic[nic]),
                             plg_node_map_to_nic (map, gpu, nic)))
            return;
        }
    }
}

static void
compare_host (Comparison *comparison, int host)
{
  PlgNodeMap other;

  plg_nccl_map (comparison->nccl, host, &other);
  comparison->host = host;
  comparison->line = line_of_host (comparison->nccl, host);
  comparison->other = &other;
  match_nics (comparison);
  compare_nics (comparison);
  compare_ports (comparison);
  compare_paths (comparison);
  plg_node_map_clear (&other);
}

/* The numbers that the NICs of MAP have when those that no GPU uses are left out. */
static int *
kept_numbers (const PlgNodeMap *map)
{
  int *number = g_new (int, MAX (map->nics, 1));
  PlgNodeMap kept = { 0 };

  plg_node_map_copy (&kept, map);
  for (int i = 0; i < map->nics; i++)
    {
      g_snprintf (kept.card[i].name, PLG_NAME_SIZE, "%d", i);
      number[i] = -1;
    }
  plg_node_map_drop_far_nics (&kept);
  for (int i = 0; i < kept.nics; i++)
    number[g_ascii_strtoull (kept.card[i].name, NULL, 10)] = i;
  plg_node_map_clear (&kept);
  return number;
}

char *
plg_nccl_faults (PlgReading *reading, const PlgNccl *nccl, int usual)
{
  PlgNodeMap map;
  g_autofree int *number = NULL, *nic = NULL;
  g_autofree PlgCluster *faults = g_new0 (PlgCluster, 1);
  Comparison comparison = { reading, nccl, usual, &map, .faults = faults };

  plg_nccl_map (nccl, usual, &map);
  comparison.number = number = kept_numbers (&map);
  comparison.nic = nic = g_new (int, MAX (map.nics, 1));
  for (int host = 0; host < nccl->hosts; host++)
    if (host != usual)
      compare_host (&comparison, host);
  plg_node_map_clear (&map);
  return faults->n_faults > 0 ? plg_faults_to_string (faults) : NULL;
}
