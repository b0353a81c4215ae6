/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/topology.h"

static void
clear_spot (gpointer data)
{
  g_array_unref (((PlgSpot *) data)->joints);
}

PlgTopology *
plg_topology_new (void)
{
  PlgTopology *topology = g_new0 (PlgTopology, 1);

  topology->spots = g_array_new (FALSE, FALSE, sizeof (PlgSpot));
  g_array_set_clear_func (topology->spots, clear_spot);
  return topology;
}

void
plg_topology_free (PlgTopology *topology)
{
  g_array_unref (topology->spots);
  g_free (topology);
}

int
plg_topology_add (PlgTopology *topology, PlgSpotKind kind, int host, guint64 id)
{
  PlgSpot spot = { kind, host, id, g_array_new (FALSE, FALSE, sizeof (PlgJoint)) };

  g_array_append_val (topology->spots, spot);
  return topology->spots->len - 1;
}

PlgSpot *
plg_topology_spot (const PlgTopology *topology, int spot)
{
  return &g_array_index (topology->spots, PlgSpot, spot);
}

int
plg_topology_find (const PlgTopology *topology, PlgSpotKind kind, int host, guint64 id)
{
  for (guint i = 0; i < topology->spots->len; i++)
    {
      const PlgSpot *spot = plg_topology_spot (topology, i);

      if (spot->kind == kind && spot->host == host && spot->id == id)
        return i;
    }
  return -1;
}

static PlgJoint *
joint_at (const GArray *joints, guint i)
{
  return &g_array_index (joints, PlgJoint, i);
}

/* The sum is not known where a part is not. */
static double
known_sum (double a, double b)
{
  return a > 0.0 && b > 0.0 ? a + b : 0.0;
}

/* Puts the last but moved joint I to where the fastest come first. */
static void
sort_joint (GArray *joints, guint i)
{
  PlgJoint joint = *joint_at (joints, i);

  for (; i > 0 && joint_at (joints, i - 1)->rate.planned < joint.rate.planned; i--)
    *joint_at (joints, i) = *joint_at (joints, i - 1);
  *joint_at (joints, i) = joint;
}

void
plg_topology_join (PlgTopology *topology, int a, int b, PlgJointKind kind, int links, PlgRate rate)
{
  GArray *joints = plg_topology_spot (topology, a)->joints;
  PlgJoint joint = { b, kind, links, rate };

  for (guint i = 0; i < joints->len; i++)
    if (joint_at (joints, i)->to == b && joint_at (joints, i)->kind == kind)
      {
        PlgJoint *old = joint_at (joints, i);

        old->links += links;
        old->rate.planned += rate.planned;
        old->rate.stated = known_sum (old->rate.stated, rate.stated);
        sort_joint (joints, i);
        return;
      }
  g_array_append_val (joints, joint);
  sort_joint (joints, joints->len - 1);
}

void
plg_topology_connect (PlgTopology *topology,
                      int a,
                      int b,
                      PlgJointKind kind,
                      int links,
                      PlgRate rate)
{
  plg_topology_join (topology, a, b, kind, links, rate);
  plg_topology_join (topology, b, a, kind, links, rate);
}

/* Searching */

static const PlgPathType type_of_joint[] = {
  [PLG_JOINT_LOCAL] = PLG_PATH_SELF, [PLG_JOINT_NVLINK] = PLG_PATH_NVLINK,
  [PLG_JOINT_C2C] = PLG_PATH_C2C,    [PLG_JOINT_PCI] = PLG_PATH_PIX,
  [PLG_JOINT_SYS] = PLG_PATH_SYS,    [PLG_JOINT_NET] = PLG_PATH_SELF,
};

/* The type that a step makes a path of, which was PATH up to FROM. */
static PlgPathType
type_of_step (const PlgSpot *from,
              const PlgSpot *to,
              const PlgJoint *joint,
              const PlgTopologyPath *path)
{
  PlgPathType type = type_of_joint[joint->kind];

  if (from->kind == PLG_SPOT_BRIDGE && to->kind == PLG_SPOT_BRIDGE)
    type = PLG_PATH_PXB;
  if (joint->kind == PLG_JOINT_PCI && (from->kind == PLG_SPOT_CPU || to->kind == PLG_SPOT_CPU))
    type = PLG_PATH_PHB;
  if (from->kind == PLG_SPOT_GPU && path->type == PLG_PATH_NVLINK && type == PLG_PATH_NVLINK)
    type = PLG_PATH_NVB;
  return MAX (path->type, type);
}

/* Whether a path of another GPU may go on through FROM. */
static gboolean
may_pass (const PlgSpot *from, const PlgSpot *to, const PlgJoint *joint, int hops)
{
  return hops == 0 || from->kind != PLG_SPOT_GPU ||
         (joint->kind == PLG_JOINT_NVLINK && to->kind == PLG_SPOT_GPU && hops == 1);
}

static gboolean
has_way_back (const PlgSpot *from, int to, PlgJointKind kind)
{
  for (guint i = 0; i < from->joints->len; i++)
    if (joint_at (from->joints, i)->to == to && joint_at (from->joints, i)->kind == kind)
      return TRUE;
  return FALSE;
}

/* 0 is not known, and stands for all that is local. */
static double
known_minimum (double a, double b, gboolean b_is_local)
{
  if (b_is_local)
    return a;
  return a > 0.0 && b > 0.0 ? MIN (a, b) : 0.0;
}

/* PATH to the spot before, one step longer. */
static PlgTopologyPath
extend (const PlgTopologyPath *path, const PlgSpot *from, const PlgSpot *to, const PlgJoint *joint)
{
  gboolean local = joint->rate.planned >= PLG_RATE_LOCAL.planned;
  gboolean linked = joint->kind == PLG_JOINT_NVLINK;
  PlgTopologyPath next = { .hops = path->hops + 1 };

  next.type = type_of_step (from, to, joint, path);
  next.rate.planned = MIN (path->rate.planned, joint->rate.planned);
  next.rate.stated = path->hops == 0 ? joint->rate.stated
                                     : known_minimum (path->rate.stated, joint->rate.stated, local);
  next.links = !linked ? 0 : path->hops == 0 ? joint->links : MIN (path->links, joint->links);
  return next;
}

/* Tries the steps on from SPOT; what becomes better is appended to NEXT. */
static void
spread (const PlgTopology *topology, int host, int at, PlgTopologyPath *paths, GArray *next)
{
  const PlgSpot *from = plg_topology_spot (topology, at);
  const PlgTopologyPath *path = &paths[at];

  for (guint i = 0; i < from->joints->len; i++)
    {
      const PlgJoint *joint = joint_at (from->joints, i);
      const PlgSpot *to = plg_topology_spot (topology, joint->to);
      PlgTopologyPath *old = &paths[joint->to];
      PlgTopologyPath new = extend (path, from, to, joint);
      gboolean fresh = old->type == PLG_PATH_UNKNOWN;

      if (to->host != host && to->kind != PLG_SPOT_NVSWITCH)
        continue;
      if (!may_pass (from, to, joint, path->hops) || !has_way_back (to, at, joint->kind) ||
          !(fresh || (old->hops > path->hops && old->rate.planned < new.rate.planned)))
        continue;
      *old = new;
      g_array_append_val (next, joint->to);
    }
}

static void
search (const PlgTopology *topology, int base, PlgTopologyPath *paths)
{
  int host = plg_topology_spot (topology, base)->host;
  g_autoptr (GArray) now = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GArray) next = g_array_new (FALSE, FALSE, sizeof (int));

  for (guint i = 0; i < topology->spots->len; i++)
    paths[i] = (PlgTopologyPath) { .type = PLG_PATH_UNKNOWN };
  paths[base] = (PlgTopologyPath) { 0, PLG_PATH_SELF, 0, PLG_RATE_LOCAL };
  g_array_append_val (now, base);
  while (now->len > 0)
    {
      GArray *swapped = now;

      g_array_set_size (next, 0);
      for (guint i = 0; i < now->len; i++)
        spread (topology, host, g_array_index (now, int, i), paths, next);
      now = next;
      next = swapped;
    }
}

/* The CPU that is fewest hops away, or -1. */
static int
nearest_cpu (const PlgTopology *topology, const PlgTopologyPath *paths)
{
  int best = -1;

  for (guint i = 0; i < topology->spots->len; i++)
    if (plg_topology_spot (topology, i)->kind == PLG_SPOT_CPU && paths[i].hops > 0 &&
        (best < 0 || paths[i].hops < paths[best].hops))
      best = i;
  return best;
}

/* NICs at the CPU that a GPU has a C2C link to are reached over it. */
static void
go_over_c2c (const PlgTopology *topology, PlgTopologyPath *paths)
{
  int cpu = nearest_cpu (topology, paths);
  g_autofree PlgTopologyPath *from_cpu = NULL;

  if (cpu < 0 || paths[cpu].type != PLG_PATH_C2C)
    return;
  from_cpu = g_new (PlgTopologyPath, topology->spots->len);
  search (topology, cpu, from_cpu);
  for (guint i = 0; i < topology->spots->len; i++)
    if (plg_topology_spot (topology, i)->kind == PLG_SPOT_NET && paths[i].type == PLG_PATH_PHB &&
        from_cpu[i].type == PLG_PATH_PHB)
      paths[i].type = PLG_PATH_P2C;
}

void
plg_topology_search (const PlgTopology *topology, int base, PlgTopologyPath *paths)
{
  search (topology, base, paths);
  if (plg_topology_spot (topology, base)->kind == PLG_SPOT_GPU)
    go_over_c2c (topology, paths);
}

/* The spot that a net hangs on, or the net itself. */
static int
card_of (const PlgTopology *topology, int net)
{
  const GArray *joints = plg_topology_spot (topology, net)->joints;

  for (guint i = 0; i < joints->len; i++)
    if (joint_at (joints, i)->kind == PLG_JOINT_NET)
      return joint_at (joints, i)->to;
  return net;
}

static PlgPath
path_to (const PlgTopology *topology, const PlgTopologyPath *path, double stated)
{
  PlgPath way = { .type = path->type, .links = path->links, .bandwidth = stated };

  /* No way is none that NCCL plans with. */
  if (topology->is_planned && path->rate.planned > 0.0)
    way.planned = (PlgPlannedPath) { path->type, path->rate.planned };
  return way;
}

void
plg_topology_map (const PlgTopology *topology,
                  const int *gpus,
                  int n_gpus,
                  const int *nets,
                  int n_nets,
                  PlgNodeMap *map)
{
  g_autofree PlgTopologyPath *paths = g_new (PlgTopologyPath, topology->spots->len);

  plg_node_map_init (map, n_gpus, n_nets);
  for (int a = 0; a < n_gpus; a++)
    {
      int cpu;

      plg_topology_search (topology, gpus[a], paths);
      for (int b = 0; b < n_gpus; b++)
        if (a != b)
          *plg_node_map_to_gpu (map, a, b) = path_to (topology, &paths[gpus[b]],
                                                      paths[gpus[b]].rate.stated);
      for (int nic = 0; nic < n_nets; nic++)
        {
          double stated = paths[card_of (topology, nets[nic])].rate.stated;

          *plg_node_map_to_nic (map, a, nic) = path_to (topology, &paths[nets[nic]], stated);
        }
      cpu = nearest_cpu (topology, paths);
      map->numa[a] = cpu >= 0 ? (int) plg_topology_spot (topology, cpu)->id : -1;
    }
}
