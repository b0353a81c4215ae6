/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/network/traffic-matrix.h"

#include "plans.h"

/* The traffic between GPUs adds up to the bytes that each GPU sends, and to the load of the
 * links. */

static double *
matrix_of (const PlgPlan *plan, const PlgReport *report, int collective)
{
  int world = plg_plan_world (plan);
  double *matrix = g_new0 (double, (gsize) world *world);

  plg_traffic_matrix_add (plan, report, collective,
                          &(PlgTrafficMatrixWindow) { { 0, world }, { 0, world }, 1 }, matrix);
  return matrix;
}

static const PlgCollective *
row_at (const PlgReport *report, int i)
{
  return &g_array_index (report->collectives, PlgCollective, i);
}

static int
stage_of (const PlgPlan *plan, int gpu)
{
  int rank = plg_placement_rank (&plan->placement, gpu);

  return plg_rank_coordinate (&plan->parallelism, rank).index[PLG_AXIS_PP];
}

/* A row of the matrix adds up to the bytes that the GPU sends. */
static void
test_senders (gconstpointer edits)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  int world;

  change (plan, edits);
  report = report_of (plan);
  world = plg_plan_world (plan);
  g_assert_cmpuint (report->collectives->len, >, 0);
  for (guint i = 0; i < report->collectives->len; i++)
    {
      g_autofree double *matrix = matrix_of (plan, report, i);

      for (int gpu = 0; gpu < world; gpu++)
        {
          const PlgStageCalls *calls = plg_report_stage_calls (report, i, stage_of (plan, gpu));
          double sent = 0.0;

          for (int to = 0; to < world; to++)
            sent += matrix[gpu * world + to];
          g_assert_cmpfloat (matrix[gpu * world + gpu], ==, 0.0);
          assert_near (sent, calls->bytes_sent, 1e-9);
        }
    }
}

static double
out_of (const PlgReport *report, const PlgLink *link, int collective)
{
  for (int i = 0; i < link->n_shares; i++)
    {
      const PlgLinkShare *share = &g_array_index (report->link_shares, PlgLinkShare,
                                                  link->first_share + i);

      if (share->collective == collective)
        return share->bytes_out;
    }
  return 0.0;
}

/* Traffic between nodes crosses NICs, all other traffic crosses the ports of the switch. */
static void
test_links (gconstpointer edits)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  int per_node, world;

  change (plan, edits);
  report = report_of (plan);
  world = plg_plan_world (plan);
  per_node = plan->cluster.gpus_per_node;
  for (guint i = 0; i < report->collectives->len; i++)
    {
      g_autofree double *matrix = matrix_of (plan, report, i);
      g_autofree double *inside = g_new0 (double, plan->cluster.nodes);
      g_autofree double *outside = g_new0 (double, plan->cluster.nodes);

      for (guint l = 0; l < report->links->len; l++)
        {
          const PlgLink *link = &g_array_index (report->links, PlgLink, l);

          if (link->tier == PLG_TIER_NVLINK)
            inside[link->node] += out_of (report, link, i);
          else if (link->tier == PLG_TIER_NIC)
            outside[link->node] += out_of (report, link, i);
        }
      for (int from = 0; from < world; from++)
        for (int to = 0; to < world; to++)
          {
            double *sum = from / per_node == to / per_node ? inside : outside;

            sum[from / per_node] -= matrix[from * world + to];
          }
      for (int node = 0; node < plan->cluster.nodes; node++)
        {
          g_assert_cmpfloat (fabs (inside[node]), <=, row_at (report, i)->bytes_sent * 1e-6);
          g_assert_cmpfloat (fabs (outside[node]), <=, row_at (report, i)->bytes_sent * 1e-6);
        }
    }
}

/* With several GPUs per item the bytes stay the same; traffic inside an item is on the diagonal. */
static void
test_items (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = report_of (plan);
  double nodes[8 * 8];

  for (guint i = 0; i < report->collectives->len; i++)
    {
      g_autofree double *matrix = matrix_of (plan, report, i);

      memset (nodes, 0, sizeof nodes);
      plg_traffic_matrix_add (plan, report, i,
                              &(PlgTrafficMatrixWindow) { { 0, 64 }, { 0, 64 }, 8 }, nodes);
      for (int from = 0; from < 64; from++)
        for (int to = 0; to < 64; to++)
          nodes[from / 8 * 8 + to / 8] -= matrix[from * 64 + to];
      for (int cell = 0; cell < 64; cell++)
        g_assert_cmpfloat (fabs (nodes[cell]), <=, row_at (report, i)->bytes_sent * 1e-6);
    }
}

/* A window is a part of the whole matrix: rows of one node, columns of others, and an incomplete
 * last item. */
static void
test_windows (gconstpointer edits)
{
  static const PlgTrafficMatrixWindow windows[] = {
    { { 16, 8 }, { 40, 8 }, 1 }, { { 0, 8 }, { 0, 8 }, 1 },     { { 8, 1 }, { 0, 64 }, 1 },
    { { 8, 24 }, { 0, 40 }, 8 }, { { 0, 40 }, { 24, 40 }, 16 }, { { 63, 1 }, { 62, 1 }, 1 },
  };
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;

  change (plan, edits);
  report = report_of (plan);
  for (guint w = 0; w < G_N_ELEMENTS (windows); w++)
    for (guint i = 0; i < report->collectives->len; i++)
      {
        const PlgTrafficMatrixWindow *window = &windows[w];
        int rows = plg_traffic_matrix_rows (window), columns = plg_traffic_matrix_columns (window);
        g_autofree double *whole = matrix_of (plan, report, i);
        g_autofree double *part = g_new0 (double, rows *columns);

        plg_traffic_matrix_add (plan, report, i, window, part);
        for (int a = 0; a < window->senders.n; a++)
          for (int b = 0; b < window->receivers.n; b++)
            part[a / window->gpus_each * columns +
                 b / window->gpus_each] -= whole[(window->senders.first + a) * 64 +
                                                 window->receivers.first + b];
        for (int cell = 0; cell < rows * columns; cell++)
          g_assert_cmpfloat (fabs (part[cell]), <=, row_at (report, i)->bytes_sent * 1e-6);
      }
}

/* The bytes from one node to the others, window by window, equal the load of its NICs in the
 * link table. */
static void
test_windows_and_links (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = report_of (plan);

  for (guint i = 0; i < report->collectives->len; i++)
    {
      double sent = 0.0, carried = 0.0;

      for (int other = 0; other < 8; other++)
        {
          const PlgTrafficMatrixWindow window = { { 16, 8 }, { 8 * other, 8 }, 8 };

          if (other != 2)
            plg_traffic_matrix_add (plan, report, i, &window, &sent);
        }
      for (guint l = 0; l < report->links->len; l++)
        {
          const PlgLink *link = &g_array_index (report->links, PlgLink, l);

          if (link->tier == PLG_TIER_NIC && link->node == 2)
            carried += out_of (report, link, i);
        }
      g_assert_cmpfloat (fabs (sent - carried), <=, row_at (report, i)->bytes_sent * 1e-6);
    }
}

/* In the teaching case, TP sends to the other seven GPUs of the node, a stage to its neighbours,
 * a replica to the other one. */
static void
test_teaching_case (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;

  change (plan, "parallelism.order=tp-pp-dp");
  report = report_of (plan);
  for (guint i = 0; i < report->collectives->len; i++)
    {
      g_autofree double *matrix = matrix_of (plan, report, i);
      PlgAxis axis = row_at (report, i)->axis;

      /* Calls of only the first or the last stage do not belong to stage 1. */
      if (!(plg_report_stage_calls (report, i, 1)->calls > 0.0))
        continue;
      for (int to = 0; to < 64; to++)
        {
          gboolean talks = axis == PLG_AXIS_TP   ? to / 8 == 1 && to != 9
                           : axis == PLG_AXIS_PP ? to == 1 || to == 17
                                                 : to == 41;

          g_assert_cmpint (matrix[9 * 64 + to] > 0.0, ==, talks);
        }
    }
}

/* Tokens for experts travel to each node once and are forwarded there. */
static void
test_experts (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  const PlgCollective *row;
  double sent = 0.0;

  plan->model = deepseek_v3;
  change (plan, "parallelism.tp=1 parallelism.pp=2 parallelism.dp=32 parallelism.ep=32");
  report = report_of (plan);
  for (guint i = 0; i < report->collectives->len; i++)
    {
      g_autofree double *matrix = NULL;

      row = row_at (report, i);
      if (row->kind != PLG_COLLECTIVE_ALL_TO_ALL)
        continue;
      g_assert_cmpfloat (row->node_copy_share, <, 1.0);
      matrix = matrix_of (plan, report, i);
      for (int to = 0; to < 64; to++)
        sent += matrix[to];
      assert_near (sent, plg_report_stage_calls (report, i, stage_of (plan, 0))->bytes_sent, 1e-9);
      return;
    }
  g_assert_not_reached ();
}

static const char *const plans[] = {
  "",
  "parallelism.order=pp-tp-dp",
  "parallelism.order=dp-pp-tp",
  "parallelism.tp=16",
  "parallelism.tp=4 parallelism.cp=2",
  "parallelism.tp=2 parallelism.cp=8 parallelism.cp-type=all-gather",
  "parallelism.tp=2 parallelism.cp=4 parallelism.cp-type=ulysses",
  "parallelism.zero=3 parallelism.pp=1",
  "training.schedule=interleaved parallelism.chunks=4",
  "training.schedule=zb-v",
  "training.schedule=dualpipe",
  "parallelism.sequence=false model.tied=true",
  "cluster.nics-per-node=2",
  "cluster.nodes=4 cluster.gpus-per-node=6 model.heads=96 model.kv-heads=24 model.ffn=27648 "
  "training.sequence=6144 parallelism.tp=3 parallelism.pp=2 parallelism.dp=4",
};

static const char *const windowed[] = { "", "parallelism.order=dp-pp-tp", "parallelism.tp=16" };

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/traffic-matrix/items", test_items);
  g_test_add_func ("/traffic-matrix/teaching-case", test_teaching_case);
  g_test_add_func ("/traffic-matrix/experts", test_experts);
  g_test_add_func ("/traffic-matrix/windows-and-links", test_windows_and_links);
  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_autofree char *senders = g_strdup_printf ("/traffic-matrix/senders/%u", i);
      g_autofree char *links = g_strdup_printf ("/traffic-matrix/links/%u", i);

      g_test_add_data_func (senders, plans[i], test_senders);
      g_test_add_data_func (links, plans[i], test_links);
    }
  for (guint i = 0; i < G_N_ELEMENTS (windowed); i++)
    {
      g_autofree char *windows = g_strdup_printf ("/traffic-matrix/windows/%u", i);

      g_test_add_data_func (windows, windowed[i], test_windows);
    }
  return g_test_run ();
}
