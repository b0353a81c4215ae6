/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/placement/launch-placement.h"
#include "io/frameworks/mesh-layout.h"
#include "io/topology/node-type-guess.h"
#include "syntax/python-call.h"
#include "io/placement/rank-table.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Reads and writes PyTorch's DeviceMesh, whose last dimension varies fastest. A launcher numbers
 * processes node by node and, within a node, GPU by GPU, so a mesh with explicit GPU numbers can
 * express any placement: entry N is the GPU of rank N. The experts have a second mesh. */

#define SHOWN_CHARACTERS 40
#define NAMES "mesh_dim_names"

static GBytes *
write_mesh (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  gboolean in_order = plg_launch_is_default_placement (plan);
  gboolean experts = plan->parallelism.degree[PLG_AXIS_EP] > 1;
  int world = plg_plan_world (plan);
  g_autofree int *gpu_of_rank = g_new (int, world);
  GString *text = g_string_new (NULL);
  PlgMeshLayout layout;

  g_string_append_printf (text,
                          "# %d nodes of %d GPUs. Processes count through the nodes, and on each "
                          "through its GPUs,\n"
                          "# as torchrun numbers them: the GPU with number g is that of rank g.\n"
                          "from torch.distributed.device_mesh import %s%s%s\n\n",
                          plan->cluster.nodes, plan->cluster.gpus_per_node,
                          !in_order || experts ? "DeviceMesh" : "", in_order && experts ? ", " : "",
                          in_order ? "init_device_mesh" : "");
  plg_mesh_layout_init (&layout, plan);
  plg_mesh_layout_append (&layout, text, "mesh", in_order);
  plg_mesh_layout_clear (&layout);
  if (!experts)
    return plg_take_text (g_string_free (text, FALSE));

  for (int rank = 0; rank < world; rank++)
    gpu_of_rank[rank] = plg_placement_gpu (&plan->placement, rank);
  plg_mesh_layout_init_experts (&layout, &plan->parallelism, gpu_of_rank);
  g_string_append (text, "\n# The experts, on the same GPUs: edp are copies of all experts, etp "
                         "parts of each.\n");
  plg_mesh_layout_append (&layout, text, "expert_mesh", FALSE);
  plg_mesh_layout_clear (&layout);
  return plg_take_text (g_string_free (text, FALSE));
}

typedef enum
{
  DIMENSION_PP,
  DIMENSION_EDP,
  DIMENSION_ETP,
  DIMENSION_EP,
} Dimension;

/* The outer dimension of DP, which replicates shard groups, besides the values of PlgAxis. */
#define MESH_REPLICATE PLG_N_AXES

typedef struct
{
  PlgImportContext *context;
  PlgPythonCall call;
  const char *p;
  int line;
  gboolean experts;
  int n_axes;
  int axes[PLG_MESH_DIMENSIONS];  /* the dimensions, outermost first; PlgAxis values or
                                     MESH_REPLICATE, or Dimension values in the expert mesh */
  int shape[PLG_MESH_DIMENSIONS]; /* the size of each dimension; 0 if unknown */
  GArray *ranks;                  /* int: the GPU numbers in the mesh, row by row */
} Mesh;

static gboolean G_GNUC_PRINTF (3, 4)
    fail (const Mesh *mesh, GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  plg_format_fail_valist ((PlgFilePosition) { mesh->line, 0 }, PLG_FORMAT_ERROR_CONTENT, error,
                          format, args);
  va_end (args);
  return FALSE;
}

static gboolean
accept_char (Mesh *mesh, char c)
{
  plg_python_skip_space (&mesh->p, &mesh->line);
  if (*mesh->p != c)
    return FALSE;
  mesh->p++;
  return TRUE;
}

static gboolean
read_number (Mesh *mesh, int limit, int *number, GError **error)
{
  char *end;
  guint64 value;

  plg_python_skip_space (&mesh->p, &mesh->line);
  value = g_ascii_strtoull (mesh->p, &end, 10);
  if (!g_ascii_isdigit (*mesh->p) || value > (guint64) limit)
    {
      g_autofree char *rest = g_strndup (mesh->p, strcspn (mesh->p, " \n,])"));
      g_autofree char *valid = g_utf8_make_valid (rest, -1);
      g_autofree char *shown = plg_text_excerpt (valid, SHOWN_CHARACTERS);

      return fail (mesh, error, _ ("“%s” is not a whole number from 0 to %d."), shown, limit);
    }
  *number = (int) value;
  mesh->p = end;
  return TRUE;
}

static gboolean
read_name (Mesh *mesh, GError **error)
{
  static const char *const expert_names[] = { [DIMENSION_PP] = "pp",
                                              [DIMENSION_EDP] = "edp",
                                              [DIMENSION_ETP] = "etp",
                                              [DIMENSION_EP] = "ep" };
  g_autofree char *name = NULL, *shown = NULL;
  char quote = *mesh->p;
  gboolean is_replicate, is_shard;
  PlgAxis found;
  gsize n;
  int axis = -1;

  if (quote != '"' && quote != '\'')
    return fail (mesh, error,
                 _ ("mesh_dim_names must be names in quotes, such as (\"pp\", \"tp\")."));
  mesh->p++;
  n = strcspn (mesh->p, "\"'\n");
  name = g_strndup (mesh->p, n);
  mesh->p += n + (mesh->p[n] == quote);
  shown = plg_text_excerpt (name, SHOWN_CHARACTERS);
  /* torchtitan and FSDP2 split DP into two dimensions: one shards the weights, and the other
   * replicates the shard groups. */
  is_replicate = g_str_equal (name, "dp_replicate") || g_str_equal (name, "replicate");
  is_shard = g_str_equal (name, "dp_shard") || g_str_equal (name, "shard");
  for (guint i = 0; mesh->experts && i < G_N_ELEMENTS (expert_names); i++)
    if (g_str_equal (expert_names[i], name))
      axis = (int) i;
  if (!mesh->experts && plg_axis_from_name (is_shard ? "dp" : name, &found) && found != PLG_AXIS_EP)
    axis = (int) found;
  if (!mesh->experts && is_replicate)
    axis = MESH_REPLICATE;
  if (axis < 0)
    return fail (mesh, error, _ ("“%s” is not a known dimension; use %s."), shown,
                 mesh->experts ? "pp, edp, etp, ep" : "tp, cp, pp, dp, dp_replicate, dp_shard");
  for (int i = 0; i < mesh->n_axes; i++)
    if (mesh->axes[i] == axis)
      return fail (mesh, error, _ ("The dimension “%s” appears twice."), shown);
  g_assert (mesh->n_axes < PLG_MESH_DIMENSIONS);
  mesh->axes[mesh->n_axes++] = axis;
  return TRUE;
}

/* Moves the read position to ARGUMENT. Returns FALSE if ARGUMENT is missing (NULL). */
static gboolean
move_to_argument (Mesh *mesh, const PlgPythonArgument *argument)
{
  if (argument == NULL)
    return FALSE;
  mesh->p = argument->at;
  mesh->line = argument->line;
  return TRUE;
}

/* Reads a list or tuple of names. */
static gboolean
read_names (Mesh *mesh, GError **error)
{
  Mesh here = *mesh;

  if (!move_to_argument (&here, plg_python_argument (&mesh->call, NAMES, -1)))
    return fail (mesh, error,
                 _ ("The mesh has no mesh_dim_names, so nothing identifies its dimensions as TP, "
                    "PP or DP. Give it names, such as mesh_dim_names=(\"dp\", \"tp\")."));
  if (!accept_char (&here, '(') && !accept_char (&here, '['))
    return fail (&here, error,
                 _ ("mesh_dim_names must be names in quotes, such as (\"pp\", \"tp\")."));
  while (!accept_char (&here, ')') && !accept_char (&here, ']'))
    {
      plg_python_skip_space (&here.p, &here.line);
      if (!read_name (&here, error))
        return FALSE;
      accept_char (&here, ',');
    }
  mesh->n_axes = here.n_axes;
  memcpy (mesh->axes, here.axes, sizeof mesh->axes);
  return mesh->n_axes > 0 || fail (&here, error, _ ("mesh_dim_names is empty."));
}

/* Reads a list at nesting level DEPTH. All lists at one level must have the same length. */
static gboolean
read_level (Mesh *mesh, int depth, GError **error)
{
  int n = 0;

  if (!accept_char (mesh, '[') && !accept_char (mesh, '('))
    return fail (mesh, error,
                 _ ("A list is missing: mesh_dim_names has %d names, so the lists must be nested "
                    "to that depth."),
                 mesh->n_axes);
  while (!accept_char (mesh, ']') && !accept_char (mesh, ')'))
    {
      gboolean is_list = depth + 1 < mesh->n_axes;
      int rank;

      if (is_list ? !read_level (mesh, depth + 1, error)
                  : !read_number (mesh, PLG_MAX_GPUS - 1, &rank, error))
        return FALSE;
      if (!is_list && mesh->ranks->len == PLG_MAX_GPUS)
        return fail (mesh, error, _ ("The mesh has too many ranks; a plan can have at most %d."),
                     PLG_MAX_GPUS);
      if (!is_list)
        g_array_append_val (mesh->ranks, rank);
      n++;
      plg_python_skip_space (&mesh->p, &mesh->line);
      if (!accept_char (mesh, ',') && *mesh->p != ']' && *mesh->p != ')')
        return fail (mesh, error, _ ("A list is not closed; “]” or “,” is missing."));
    }
  if (n == 0 || (mesh->shape[depth] != 0 && mesh->shape[depth] != n))
    return fail (mesh, error, _ ("This list has %d members, but others at its level have %d."), n,
                 mesh->shape[depth]);
  mesh->shape[depth] = n;
  return TRUE;
}

/* Reads the shape from init_device_mesh (TYPE, (2, 4, 8), …), and numbers the ranks of the mesh
 * in ascending order. */
static gboolean
read_shape (Mesh *mesh, GError **error)
{
  gint64 world = 1;
  int n = 0;

  if (!move_to_argument (mesh, plg_python_argument (&mesh->call, "mesh_shape", 1)) ||
      !(accept_char (mesh, '(') || accept_char (mesh, '[')))
    return fail (mesh, error,
                 _ ("init_device_mesh needs the shape of the mesh as numbers, such as (4, 8), in "
                    "the second argument or in mesh_shape."));
  while (!accept_char (mesh, ')') && !accept_char (mesh, ']'))
    {
      if (n == mesh->n_axes)
        return fail (mesh, error, _ ("The shape has more numbers than mesh_dim_names has names."));
      if (!read_number (mesh, PLG_MAX_GPUS, &mesh->shape[n], error))
        return FALSE;
      world *= mesh->shape[n++];
      if (world < 1 || world > PLG_MAX_GPUS)
        return fail (mesh, error, _ ("The product of the sizes must be from 1 to %d ranks."),
                     PLG_MAX_GPUS);
      accept_char (mesh, ',');
    }
  if (n != mesh->n_axes)
    return fail (mesh, error, _ ("The shape has %d numbers, but mesh_dim_names has %d names."), n,
                 mesh->n_axes);
  for (int i = 0; i < world; i++)
    g_array_append_val (mesh->ranks, i);
  return TRUE;
}

/* Reads the nested lists in DeviceMesh ("cuda", [[…]], …) or (device_type=…, mesh=[[…]], …). The
 * lists can be inside torch.tensor ([[…]]). */
static gboolean
read_lists (Mesh *mesh, GError **error)
{
  const PlgPythonArgument *lists = plg_python_argument (&mesh->call, "mesh", 1);
  const char *bracket = lists != NULL ? memchr (lists->at, '[', lists->end - lists->at) : NULL;

  if (!move_to_argument (mesh, lists) || bracket == NULL)
    return fail (mesh, error,
                 _ ("DeviceMesh needs the ranks as nested lists, such as [[0, 1], "
                    "[2, 3]]."));
  for (; mesh->p < bracket; mesh->p++)
    mesh->line += *mesh->p == '\n';
  return read_level (mesh, 0, error);
}

/* Joins the dimensions that replicate and shard into one dimension of DP, and sets the number of
 * shard groups. A mesh that only replicates has DP without shard groups. */
static gboolean
join_levels (Mesh *mesh, GError **error)
{
  int replicate = -1, shard = -1, groups = 1;

  for (int i = 0; i < mesh->n_axes; i++)
    if (mesh->axes[i] == MESH_REPLICATE)
      replicate = i;
    else if (mesh->axes[i] == PLG_AXIS_DP)
      shard = i;
  if (replicate >= 0 && shard >= 0)
    {
      if (shard != replicate + 1)
        return fail (mesh, error,
                     _ ("dp_replicate must stand directly before dp_shard, because a shard group "
                        "has adjacent replicas."));
      groups = mesh->shape[replicate];
      mesh->shape[shard] *= groups;
      for (int i = replicate; i + 1 < mesh->n_axes; i++)
        {
          mesh->axes[i] = mesh->axes[i + 1];
          mesh->shape[i] = mesh->shape[i + 1];
        }
      mesh->n_axes--;
    }
  else if (replicate >= 0)
    mesh->axes[replicate] = PLG_AXIS_DP;
  return groups == plg_parallelism_replicate (&mesh->context->plan->parallelism) ||
         plg_import_set_int (mesh->context, mesh->line, "parallelism.replicate", groups, error);
}

/* Sets the plan's degrees and axis order to those of the mesh. If the open plan nests the mesh's
 * axes in the same order, the plan keeps its own axis order, because the mesh does not state
 * where axes of degree 1 are nested. */
static gboolean
set_order (Mesh *mesh, GError **error)
{
  static const PlgAxis axes[] = { PLG_AXIS_TP, PLG_AXIS_CP, PLG_AXIS_PP, PLG_AXIS_DP };
  const PlgParallelism *parallelism = &mesh->context->plan->parallelism;
  int degree[PLG_N_AXES] = { 1, 1, 1, 1, 1 }, next = mesh->n_axes - 1;
  g_autofree char *open_order = plg_order_to_string (parallelism);
  g_autoptr (GString) order = g_string_new (NULL);
  gboolean is_open_order = TRUE;

  for (int i = mesh->n_axes - 1; i >= 0; i--)
    {
      degree[mesh->axes[i]] = mesh->shape[i];
      g_string_append_printf (order, "%s%s", order->len > 0 ? "-" : "",
                              plg_axis_name (mesh->axes[i]));
    }
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    {
      g_autofree char *key = g_strconcat ("parallelism.", plg_axis_name (axes[i]), NULL);

      if (!plg_import_set_int (mesh->context, mesh->line, key, degree[axes[i]], error))
        return FALSE;
      for (int k = 0; k < mesh->n_axes; k++)
        if (mesh->axes[k] == (int) parallelism->order[i])
          is_open_order = is_open_order && k == next--;
    }
  return plg_import_set (mesh->context, mesh->line, "parallelism.order",
                         is_open_order ? open_order : order->str, error);
}

/* Sets the number of nodes that the ranks fill. The GPUs per node come from the comment that our
 * writer adds or, if the file has no such comment, from the open plan. */
static gboolean
set_nodes (Mesh *mesh, GError **error)
{
  g_autoptr (GRegex) regex = g_regex_new ("^# (\\d{1,5}) nodes of (\\d{1,3}) GPUs\\.",
                                          G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  int world = (int) mesh->ranks->len, gpus = mesh->context->plan->cluster.gpus_per_node;

  if (g_regex_match (regex, mesh->context->data, 0, &match))
    {
      g_autofree char *said = g_match_info_fetch (match, 2);

      gpus = (int) g_ascii_strtoll (said, NULL, 10);
      if (!plg_import_set_int (mesh->context, 1, "cluster.gpus-per-node", gpus, error))
        return FALSE;
    }
  if (world % gpus != 0)
    return fail (mesh, error,
                 _ ("%d ranks do not fill whole nodes of %d GPUs; set the GPUs per node first."),
                 world, gpus);
  return plg_import_set_int (mesh->context, mesh->line, "cluster.nodes", world / gpus, error);
}

/* Sets EP and ETP to the sizes in the expert mesh, and checks that the mesh lists the same GPUs
 * as the expert mesh of a plan with this EP and ETP. If the open plan's model has no experts,
 * ignores the mesh with a note, because a mesh does not describe a model. */
static gboolean
set_expert_degrees (const Mesh *mesh, const int *gpu_of_rank, int ranks, GError **error)
{
  int sizes
      [] = { [DIMENSION_PP] = 1, [DIMENSION_EDP] = 1, [DIMENSION_ETP] = 1, [DIMENSION_EP] = 1 };
  const int *ep = &sizes[DIMENSION_EP], *etp = &sizes[DIMENSION_ETP];
  g_autoptr (PlgPlan) plan = NULL;
  const PlgParallelism *parallelism;
  PlgMeshLayout layout;
  int i = 0;

  for (int k = 0; k < mesh->n_axes; k++)
    sizes[mesh->axes[k]] = mesh->shape[k];
  if (mesh->context->plan->model.experts == 0)
    {
      plg_import_note (mesh->context, PLG_NOTE_IGNORED, mesh->line,
                       _ ("The expert mesh (EP %d, ETP %d) is ignored, because the open plan’s "
                          "model has no experts."),
                       *ep, *etp);
      return TRUE;
    }
  if (!plg_import_set_int (mesh->context, mesh->line, "parallelism.ep", *ep, error) ||
      !plg_import_set_int (mesh->context, mesh->line, "parallelism.etp", *etp, error))
    return FALSE;

  /* Check that the file's expert mesh equals the expert mesh of a plan with these degrees. Skip
   * this check if the degrees do not divide the GPUs of a stage, because the check of the whole
   * plan reports that error. */
  plan = plg_import_current_plan (mesh->context);
  parallelism = &plan->parallelism;
  if (ranks / parallelism->degree[PLG_AXIS_PP] %
          (parallelism->degree[PLG_AXIS_EP] * parallelism->etp) !=
      0)
    return TRUE;
  plg_mesh_layout_init_experts (&layout, parallelism, gpu_of_rank);
  while (i < ranks && i < (int) mesh->ranks->len &&
         g_array_index (mesh->ranks, int, i) == layout.gpus[i])
    i++;
  plg_mesh_layout_clear (&layout);
  return (i == ranks && i == (int) mesh->ranks->len) ||
         fail (mesh, error,
               _ ("The expert mesh does not match a plan with EP %d and ETP %d. Each of its rows "
                  "must list the GPUs that share one copy of all experts, stage by stage."),
               parallelism->degree[PLG_AXIS_EP], parallelism->etp);
}

/* Finds the first call of FUNCTION with named dimensions, or else the first call of FUNCTION,
 * and moves to the end of that call. */
static gboolean
find_call (Mesh *mesh, const char *function)
{
  Mesh next = *mesh;
  gboolean found = FALSE;

  while (plg_python_next_call (&next.p, &next.line, function, &next.call))
    {
      gboolean named = plg_python_argument (&next.call, NAMES, -1) != NULL;

      if (!found || named)
        *mesh = next;
      found = TRUE;
      if (named)
        return TRUE;
    }
  return found;
}

static gboolean
read_mesh (PlgImportContext *context, GError **error)
{
  g_autofree char **lines = plg_text_lines (context->data, context->size, error);
  g_autoptr (GArray) ranks = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GArray) expert_ranks = g_array_new (FALSE, FALSE, sizeof (int));
  Mesh mesh = { .context = context, .p = context->data, .line = 1, .ranks = ranks }, experts;
  g_autofree gboolean *taken = NULL;
  gboolean has_shape;
  int *gpu_of_rank, n;

  if (lines == NULL)
    return FALSE;
  has_shape = find_call (&mesh, "init_device_mesh");
  if (!has_shape && !find_call (&mesh, "DeviceMesh"))
    return fail (&mesh, error, _ ("The file has no DeviceMesh(…) or init_device_mesh(…)."));
  experts = (Mesh) { .context = context,
                     .p = mesh.p,
                     .line = mesh.line,
                     .experts = TRUE,
                     .ranks = expert_ranks };
  mesh.line = mesh.call.line;
  if (!read_names (&mesh, error) ||
      !(has_shape ? read_shape (&mesh, error) : read_lists (&mesh, error)))
    return FALSE;

  /* Check that each GPU number appears only once. The number at index i is the GPU of rank i. */
  n = (int) ranks->len;
  taken = g_new0 (gboolean, n);
  gpu_of_rank = g_new (int, n);
  plg_import_set_placement (context, gpu_of_rank, n);
  for (int i = 0; i < n; i++)
    {
      int gpu = g_array_index (ranks, int, i);

      if (gpu >= n || taken[gpu])
        return fail (&mesh, error,
                     _ ("The mesh has %d ranks, so it must contain each number from 0 to %d "
                        "exactly once; %d is too large or repeated."),
                     n, n - 1, gpu);
      taken[gpu] = TRUE;
      gpu_of_rank[i] = gpu;
    }
  if (!set_nodes (&mesh, error) || !join_levels (&mesh, error) || !set_order (&mesh, error))
    return FALSE;

  /* If the file has a second mesh, read it as the expert mesh. */
  if (plg_python_next_call (&experts.p, &experts.line, "DeviceMesh", &experts.call) &&
      (!read_names (&experts, error) || !read_lists (&experts, error) ||
       !set_expert_degrees (&experts, gpu_of_rank, n, error)))
    return FALSE;
  plg_import_note (context, PLG_NOTE_INFERRED, mesh.line,
                   _ ("The numbers in the mesh are assumed to come from a launcher that numbers "
                      "the GPUs node by node, in order within each node."));
  return TRUE;
}

static gboolean
has_call (const char *data, gsize size, const char *function)
{
  PlgPythonCall call;
  int line = 1;

  return g_strstr_len (data, (gssize) size, function) != NULL &&
         plg_python_next_call (&data, &line, function, &call);
}

static gboolean
is_mesh (const char *data, gsize size)
{
  return *data != '{' && *data != '<' &&
         (has_call (data, size, "init_device_mesh") || has_call (data, size, "DeviceMesh"));
}

const PlgFormat plg_device_mesh_format = {
  .name = "device-mesh",
  .suffix = ".mesh.py",
  .title = N_ ("PyTorch DeviceMesh (Python)"),
  .subject = PLG_SUBJECT_PLACEMENT,
  .sign = "DeviceMesh, init_device_mesh",
  .is = is_mesh,
  .read = read_mesh,
  .write = write_mesh,
};
