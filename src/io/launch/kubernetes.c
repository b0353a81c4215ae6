/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/placement/host-names.h"
#include "io/launch/launch-script.h"
#include "io/placement/launch-placement.h"
#include "io/placement/rank-table.h"
#include "io/placement/multi-host-nodes.h"
#include "plan/host-list.h"
#include "syntax/yaml-tree.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A PyTorchJob for Kubeflow's training operator, with one pod per host. If the nodes have names,
 * each pod finds its block of ranks by the name of its node. Otherwise, each pod finds its block
 * by its own number ($RANK), and a comment in the file names the block's node. */

#define INDENT "                "
#define REPLICAS "spec.pytorchReplicaSpecs"
#define SHOWN_CHARACTERS 40

/* Writing */

static void
add_container (GString *yaml, const PlgPlan *plan, char **hosts, const int *host_of_block)
{
  gboolean has_names = plg_launch_has_names (plan);

  g_string_append (yaml, "          containers:\n"
                         "            - name: pytorch\n"
                         "              image: IMAGE\n"
                         "              env:\n"
                         "                - name: NODE_NAME\n"
                         "                  valueFrom:\n"
                         "                    fieldRef:\n"
                         "                      fieldPath: spec.nodeName\n"
                         "              command: [\"bash\", \"-euc\"]\n"
                         "              args:\n"
                         "              - |\n");
  /* Make each pod look up its block of ranks and the order of the block's GPUs. */
  g_string_append_printf (yaml, INDENT "case $%s in\n", has_names ? "NODE_NAME" : "RANK");
  for (int block = 0; block < plg_cluster_hosts (&plan->cluster); block++)
    {
      int host = host_of_block[block];
      g_autofree char *devices = plg_launch_visible_devices (plan, host);

      /* The opening bracket prevents a host called “esac” from ending the case statement. */
      if (has_names)
        g_string_append_printf (yaml, INDENT "  (%s) node_rank=%d", hosts[host], block);
      else
        g_string_append_printf (yaml, INDENT "  (%d) node_rank=%d", block, block);
      if (devices != NULL)
        g_string_append_printf (yaml,
                                "; export CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=%s",
                                devices);
      if (has_names)
        g_string_append (yaml, " ;;\n");
      else
        g_string_append_printf (yaml, " ;; # %s\n", hosts[host]);
    }
  g_string_append (yaml, INDENT "  *) echo \"The plan has no such node.\" >&2; exit 1 ;;\n" INDENT
                                "esac\n");

  g_string_append_printf (yaml,
                          INDENT "exec torchrun --nnodes=%d --nproc-per-node=%d "
                                 "--node-rank=\"$node_rank\" \\\n" INDENT
                                 "  --master-addr=\"$MASTER_ADDR\" --master-port=\"$MASTER_PORT\" "
                                 "train.py\n"
                                 "              resources:\n"
                                 "                limits:\n"
                                 "                  nvidia.com/gpu: %d\n",
                          plg_cluster_hosts (&plan->cluster),
                          plg_cluster_host_gpus (&plan->cluster),
                          plg_cluster_host_gpus (&plan->cluster));
}

static void
add_replicas (GString *yaml, const PlgPlan *plan, const int *host_of_block, int first, int n)
{
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);

  if (n == 0)
    return;
  g_string_append_printf (yaml,
                          "    %s:\n"
                          "      replicas: %d\n"
                          "      restartPolicy: OnFailure\n"
                          "      template:\n"
                          "        spec:\n",
                          first == 0 ? "Master" : "Worker", n);
  /* Restrict the pods to the hosts of N blocks, starting with the block FIRST. */
  if (plg_launch_has_names (plan))
    {
      g_string_append (yaml, "          affinity:\n"
                             "            nodeAffinity:\n"
                             "              requiredDuringSchedulingIgnoredDuringExecution:\n"
                             "                nodeSelectorTerms:\n"
                             "                  - matchExpressions:\n"
                             "                      - key: kubernetes.io/hostname\n"
                             "                        operator: In\n"
                             "                        values:\n");
      for (int i = 0; i < n; i++)
        g_string_append_printf (yaml, "                          - \"%s\"\n",
                                hosts[host_of_block[first + i]]);
    }
  add_container (yaml, plan, hosts, host_of_block);
}

static gboolean
can_place (const PlgPlan *plan, GError **error)
{
  return plg_launch_check_blocks (plan, _ ("A PyTorchJob"), error);
}

static GBytes *
write_job (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  g_autofree int *host_of_block = plg_launch_host_of_blocks (plan);
  GString *yaml = g_string_new (NULL);

  plg_launch_script_title (yaml, plan);
  plg_launch_script_nodes (yaml, plan);
  plg_launch_script_comment (yaml, "\nSet the image and the program after torchrun.");
  g_string_append (yaml, "apiVersion: kubeflow.org/v1\n"
                         "kind: PyTorchJob\n"
                         "metadata:\n"
                         "  name: parallelogram\n"
                         "spec:\n"
                         "  pytorchReplicaSpecs:\n");
  add_replicas (yaml, plan, host_of_block, 0, 1);
  add_replicas (yaml, plan, host_of_block, 1, plg_cluster_hosts (&plan->cluster) - 1);
  return plg_take_text (g_string_free (yaml, FALSE));
}

/* Reading */

/* The block of ranks that one pod runs. */
typedef struct
{
  int line; /* line of the block in the file; 0 if missing */
  char *name;
  gboolean numbered; /* whether NAME is the number of the pod instead of the name of its node */
  char *rest;        /* text after "node_rank=N": the block's GPUs and the comment that names the
                        node */
  char *host;        /* host name from the comment after a numbered pod's block, or NULL */
} Block;

typedef struct
{
  PlgImportContext *context;
  PlgRankTable table;
  int nodes;
  int gpus; /* GPUs per node; 0 if not yet known */
  Block *blocks;
  gboolean named;   /* whether the blocks name their hosts */
  gboolean by_node; /* whether the most recent "case" line tests the name of the node; if so, a
                       name such as "7" is not a pod number */
} Job;

static gboolean
read_count (const Job *job, const PlgYaml *value, int maximum, int *count, GError **error)
{
  g_autofree char *shown = plg_text_excerpt (value->text != NULL ? value->text : "…",
                                             SHOWN_CHARACTERS);
  gint64 number;

  if (value->text == NULL || !g_ascii_string_to_signed (value->text, 10, 1, maximum, &number, NULL))
    return plg_format_fail (value->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("%s is “%s”; it must be a whole number from 1 to %d."), value->key,
                            shown, maximum);
  *count = (int) number;
  return TRUE;
}

/* Reads the role PATH, Master or Worker, if present. The default number of replicas is 1. */
static gboolean
read_role (Job *job, const PlgYaml *tree, const char *path, GError **error)
{
  const PlgYaml *role = plg_yaml_find (tree, path);
  const PlgYaml *replicas = role != NULL ? plg_yaml_find (role, "replicas") : NULL;
  const PlgYaml *containers, *limit = NULL;
  int pods = 1, gpus;

  if (role == NULL)
    return TRUE;
  if ((replicas != NULL && !read_count (job, replicas, PLG_MAX_NODES, &pods, error)))
    return FALSE;

  /* Read the first GPU limit of the containers, such as "nvidia.com/gpu: 8". */
  containers = plg_yaml_find (role, "template.spec.containers");
  for (guint i = 0; containers != NULL && containers->below != NULL && i < containers->below->len;
       i++)
    {
      const PlgYaml *limits = plg_yaml_find (containers->below->pdata[i], "resources.limits");

      for (guint j = 0; limits != NULL && limits->mapping && j < limits->below->len; j++)
        {
          const PlgYaml *candidate = limits->below->pdata[j];

          if (limit == NULL && candidate->key != NULL &&
              g_str_has_suffix (candidate->key, ".com/gpu"))
            limit = candidate;
        }
    }
  if (limit == NULL)
    return plg_format_fail (role->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("%s does not give the number of GPUs per pod; its container "
                               "needs nvidia.com/gpu under resources.limits."),
                            role->key);
  if (!read_count (job, limit, PLG_MAX_GPUS_PER_NODE, &gpus, error))
    return FALSE;
  if (job->gpus > 0 && gpus != job->gpus)
    return plg_format_fail (limit->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("These pods have %d GPUs, but others have %d; a plan needs the "
                               "same number on each node."),
                            gpus, job->gpus);
  job->gpus = gpus;
  job->nodes += pods;
  return job->nodes <= PLG_MAX_NODES ||
         plg_format_fail (role->line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("There are %d pods; a plan has at most %d nodes."), job->nodes,
                          PLG_MAX_NODES);
}

/* Reads "(NAME) node_rank=3…" or "NAME) node_rank=3…" from a line. Fails if an earlier line with
 * the same node_rank differs. */
static gboolean
read_block (Job *job, const GRegex *regex, int line, const char *text, GError **error)
{
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *number = NULL, *rest = NULL, *name = NULL;
  g_autoptr (GError) wrong = NULL;
  gint64 block;
  Block *kept;

  if (!g_regex_match (regex, text, 0, &match))
    return TRUE;
  name = g_match_info_fetch (match, 1);
  if (!plg_node_name_check (name, &wrong))
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error, "%s", wrong->message);
  number = g_match_info_fetch (match, 2);
  rest = g_match_info_fetch (match, 3);
  if (!g_ascii_string_to_signed (number, 10, 0, job->nodes - 1, &block, NULL))
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("There are %d pods; node_rank must number them consecutively from "
                               "0."),
                            job->nodes);
  kept = &job->blocks[block];
  if (kept->line > 0 && (!g_str_equal (kept->name, name) || !g_str_equal (kept->rest, rest)))
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("Line %d gives different values for node_rank %d."), kept->line,
                            (int) block);
  if (kept->line == 0)
    {
      gboolean numbered = !job->by_node && g_ascii_isdigit (*name);

      *kept = (Block) { line, g_steal_pointer (&name), numbered, g_steal_pointer (&rest), NULL };
    }
  return TRUE;
}

/* Checks that the file has a line for every block of ranks or for none. Also checks that the
 * lines identify all pods by number, or all pods by the name of their node. */
static gboolean
check_blocks (const Job *job, GError **error)
{
  const Block *first = &job->blocks[0];

  for (int i = 1; i < job->nodes; i++)
    {
      const Block *block = &job->blocks[i];

      if ((block->line > 0) != (first->line > 0))
        return plg_format_fail (MAX (first->line, block->line), PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("There are %d pods, but none has node_rank %d; each pod needs "
                                   "a line with its node_rank."),
                                job->nodes, block->line > 0 ? 0 : i);
      if (block->line > 0 && block->numbered != first->numbered)
        return plg_format_fail (block->line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("Some lines name their node and others do not; name the node "
                                   "in all lines or in none."));
    }
  if (first->line == 0)
    plg_import_note (job->context, PLG_NOTE_INFERRED, 0,
                     _ ("The file does not assign pods to nodes; the pods use the nodes in the "
                        "order of the pod numbers."));
  return TRUE;
}

/* Reads the host names from the comments after numbered blocks. A comment names a host if its
 * first word is a listed host, or if its only word is a valid host name. If hosts are listed and
 * each block without a host name can get the listed host with the block's number, assigns these
 * hosts and sets JOB->named. */
static void
read_host_comments (Job *job)
{
  gboolean is_listed = plg_rank_table_name (&job->table, job->nodes - 1) != NULL;
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);

  for (int i = 0; i < job->nodes; i++)
    {
      Block *block = &job->blocks[i];
      const char *comment = block->rest != NULL ? strstr (block->rest, "# ") : NULL;
      g_autofree char *text = comment != NULL ? g_strstrip (g_strdup (comment + 2)) : NULL;
      gsize length = text != NULL ? strcspn (text, " \t") : 0;
      gboolean is_single, is_host;

      if (length == 0)
        continue;
      is_single = text[length] == '\0';
      text[length] = '\0';
      is_host = plg_rank_table_number (&job->table, text) >= 0;
      is_listed |= is_host;
      if (is_host || (is_single && plg_node_name_check (text, NULL)))
        {
          block->host = g_steal_pointer (&text);
          g_hash_table_add (taken, block->host);
        }
    }
  if (!is_listed)
    return;
  for (int i = 0; i < job->nodes; i++)
    {
      const char *name = plg_rank_table_name (&job->table, i);

      if (job->blocks[i].host == NULL && (name == NULL || g_hash_table_contains (taken, name)))
        return;
    }
  for (int i = 0; i < job->nodes; i++)
    if (job->blocks[i].host == NULL)
      job->blocks[i].host = g_strdup (plg_rank_table_name (&job->table, i));
  job->named = TRUE;
}

static gboolean
read_pods (Job *job, GError **error)
{
  g_autoptr (GRegex) regex = g_regex_new ("^\\s*\\(?(\\S.*?)\\)\\s*node_rank=(\\d+)(.*)$",
                                          G_REGEX_RAW, 0, NULL);
  g_autofree char **lines = plg_text_lines (job->context->data, job->context->size, error);

  if (lines == NULL)
    return FALSE;
  for (int i = 0; lines[i] != NULL; i++)
    {
      const char *text = lines[i];

      while (g_ascii_isspace (*text))
        text++;
      if (g_str_has_prefix (text, "case "))
        job->by_node = strstr (text, "NODE_NAME") != NULL;
      plg_rank_table_comment (&job->table, i + 1, lines[i]);
      if (!read_block (job, regex, i + 1, lines[i], error))
        return FALSE;
    }

  if (!check_blocks (job, error))
    return FALSE;
  if (job->blocks[0].line > 0 && job->blocks[0].numbered)
    read_host_comments (job);
  else
    job->named = job->blocks[0].line > 0;
  for (int i = 0; i < job->nodes; i++)
    {
      const Block *block = &job->blocks[i];
      PlgRankRow row = plg_rank_row (block->line);
      int gpus[PLG_MAX_GPUS_PER_NODE];
      int node = block->host != NULL ? plg_rank_table_number (&job->table, block->host) : -1;

      if (job->named)
        {
          if (!plg_rank_table_host (&job->table, job->context, block->line,
                                    block->numbered ? block->host : block->name, &row.host, error))
            return FALSE;
        }
      else
        {
          if (block->host != NULL && node < 0)
            node = plg_launch_default_name_index (block->host);
          row.node = node >= 0 ? node : i;
        }
      if (!plg_launch_read_devices (job->context, block->line, block->rest, job->gpus, job->gpus,
                                    gpus, error))
        return FALSE;
      for (int local = 0; local < job->gpus; local++)
        {
          row.rank = i * job->gpus + local;
          row.gpu = gpus[local];
          if (!plg_rank_table_add (&job->table, job->context, &row, error))
            return FALSE;
        }
    }
  return plg_rank_table_import (&job->table, job->context, error);
}

static gboolean
read_job (PlgImportContext *context, GError **error)
{
  g_autoptr (PlgYaml) tree = plg_yaml_read (context->data, context->size, error);
  Job job = { .context = context };
  gboolean ok;

  if (tree == NULL || !read_role (&job, tree, REPLICAS ".Master", error) ||
      !read_role (&job, tree, REPLICAS ".Worker", error))
    return FALSE;
  if (job.nodes == 0)
    return plg_format_fail (tree->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("A PyTorchJob must have Master or Worker under %s."), REPLICAS);
  plg_rank_table_init (&job.table);
  job.blocks = g_new0 (Block, job.nodes);
  ok = read_pods (&job, error);
  for (int i = 0; i < job.nodes; i++)
    {
      g_free (job.blocks[i].name);
      g_free (job.blocks[i].rest);
      g_free (job.blocks[i].host);
    }
  g_free (job.blocks);
  plg_rank_table_clear (&job.table);
  return ok;
}

static gboolean
is_job (const char *data, gsize size)
{
  static const char kind[] = "kind: PyTorchJob";
  const char *found = *data != '{' && *data != '<' ? g_strstr_len (data, (gssize) size, kind)
                                                   : NULL;

  return found != NULL && (found == data || found[-1] == '\n');
}

const PlgFormat plg_kubernetes_format = {
  .name = "kubernetes",
  .suffix = ".yaml",
  .title = N_ ("PyTorchJob for Kubernetes (YAML)"),
  .subject = PLG_SUBJECT_PLACEMENT,
  .needs_names = TRUE,
  .has_host_numbers = TRUE,
  .syntax = PLG_SYNTAX_YAML,
  .sign = "kind: PyTorchJob",
  .is = is_job,
  .read = read_job,
  .can_place = can_place,
  .write = write_job,
};
