/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/panels/panels-private.h"

#include "drawing/charts/ledger.h"
#include "plan/quantity.h"
#include "widgets/panels/collective-menu.h"

#include <glib/gi18n-lib.h>
static void
set_row (PlgTable *table, int row, const char *const *cells, int n)
{
  for (int i = 0; i < n; i++)
    plg_table_set_cell (table, row, i, cells[i]);
}

static void
set_exact_row (PlgPanels *self, int row, const PlgCollective *collective, PlgStageCalls own)
{
  const PlgReport *report = plg_document_report (self->document);
  const PlgCluster *cluster = &plg_document_plan (self->document)->cluster;
  g_autofree char *stage = g_strdup_printf ("%d", collective->stage);
  g_autofree char *calls = plg_format_count (own.calls);
  g_autofree char *message = plg_format_volume (own.bytes_per_call);
  g_autofree char *sent = plg_format_volume (own.bytes_sent);
  g_autofree char *size = plg_format_count (collective->group_size);
  g_autofree char *nodes = plg_format_count (collective->nodes_spanned);
  /* Find the longest time for which the collective keeps a link of its stage busy. The busy time
   * of a link is the larger of the collective's incoming and outgoing bytes, divided by the
   * achieved rate. The link ledgers show the same time. */
  const PlgPlan *plan = plg_document_plan (self->document);
  double most = 0;

  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);

      for (int k = 0; k < link->n_shares; k++)
        {
          const PlgLinkShare *share = &g_array_index (report->link_shares, PlgLinkShare,
                                                      link->first_share + k);

          if (share->collective == row && share->time > most &&
              plg_ledger_serves_stage (plan, link, collective->stage))
            most = share->time;
        }
    }
  g_autofree char *busy = plg_format_time (most);
  g_autofree char *time = plg_format_time (own.time);
  g_autofree char *exposed = plg_format_time (collective->exposed);
  const char *cells[] = { plg_axis_label (collective->axis),
                          plg_collective_kind_title (collective),
                          stage,
                          calls,
                          message,
                          sent,
                          size,
                          nodes,
                          plg_tier_title (cluster, collective->tier),
                          busy,
                          time,
                          exposed };

  set_row (self->collective_values, row, cells, G_N_ELEMENTS (cells));
}

/* Returns a short name, because the column is too narrow for "Spine switch". */
static const char *
brief_tier (const PlgPlan *plan, PlgTier tier)
{
  return tier == PLG_TIER_SPINE  ? _ ("Spine")
         : tier == PLG_TIER_LEAF ? _ ("Leaf")
                                 : plg_tier_title (&plan->cluster, tier);
}

/* Fills table row ROW with COLLECTIVE. The row shows how many calls one GPU of the collective's
 * stage makes, because the link ledgers show this number too. */
static void
set_collective_rows (PlgPanels *self, int row, const PlgCollective *collective)
{
  const PlgReport *report = plg_document_report (self->document);
  const PlgStageCalls *stage = plg_report_stage_calls (report, row, collective->stage);
  PlgStageCalls whole = { collective->calls, collective->bytes_per_call, collective->bytes_sent,
                          collective->time };
  const PlgStageCalls *own = stage != NULL ? stage : &whole;
  /* The name is, for example, "TP all-gather"; the stage is added unless it is the busiest
   * stage. */
  g_autofree char *name = NULL;
  const char *axis = plg_axis_label (collective->axis);
  const char *kind = plg_collective_kind_title (collective);

  if (collective->stage == report->step.busiest_stage)
    name = g_strdup_printf ("%s %s", axis, kind);
  else
    name = g_strdup_printf (_ ("%s %s, stage %d"), axis, kind, collective->stage);

  g_autofree char *calls = plg_format_count (own->calls);
  g_autofree char *exposed = plg_format_time (collective->exposed);
  const PlgPlan *plan = plg_document_plan (self->document);
  g_autofree char *tier = plg_tier_describe (&plan->cluster, collective->tier);
  const char *cells[] = { name, calls, brief_tier (plan, collective->tier), exposed };

  set_row (self->collectives, row, cells, G_N_ELEMENTS (cells));

  /* Include the bytes, which the cells omit, in the accessible name of the row. */
  g_autofree char *described_calls = plg_describe_calls (own->calls);
  g_autofree char *volume = plg_format_volume (own->bytes_sent);
  g_autofree char *text = g_strdup_printf (_ ("%s: %s, %s %s, waited for %s"), cells[0],
                                           described_calls, volume, tier, cells[3]);

  plg_table_set_accessible_name (self->collectives, row, text);

  if (self->collective_values != NULL)
    set_exact_row (self, row, collective, *own);
}

static char *
communication_subtitle (const PlgReport *report)
{
  if (report->collectives->len == 0)
    return g_strdup (_ ("A single GPU: nothing to send"));
  if (report->stages->len < 2)
    return g_strdup (_ ("of the step is spent waiting for links\nPer step, for each GPU:"));
  return g_strdup_printf (_ ("of the step is spent waiting for links\nPer step, for each "
                             "GPU of stage %d:"),
                          report->step.busiest_stage);
}

void
plg_panels_update_communication (PlgPanels *self)
{
  const PlgReport *report = plg_document_report (self->document);
  double exposed = 0;
  g_autofree char *value = NULL, *subtitle = communication_subtitle (report);

  plg_table_set_n_rows (self->collectives, report->collectives->len);
  if (self->collective_values != NULL)
    plg_table_set_n_rows (self->collective_values, report->collectives->len);
  for (guint i = 0; i < report->collectives->len; i++)
    set_collective_rows (self, i, &g_array_index (report->collectives, PlgCollective, i));
  for (int part = PLG_PART_TP; part <= PLG_PART_DP; part++)
    exposed += report->step.part[part];
  gtk_widget_set_visible (GTK_WIDGET (self->collectives), report->collectives->len > 0);
  gtk_widget_set_visible (self->exact_values, report->collectives->len > 0);
  value = plg_format_share (plg_report_share_of_step (report, exposed));
  plg_card_set_value (self->communication, value, NULL, NULL, subtitle);
}

/* Returns the collective in ROW of the table, or an entity of kind PLG_ENTITY_NONE if the report
 * has no such collective. During a drag, the table may have more rows than the report has
 * collectives. */
static PlgEntity
collective (PlgPanels *self, int row)
{
  const PlgReport *report = plg_document_report (self->document);

  return row >= 0 && row < (int) report->collectives->len
             ? (PlgEntity) { .kind = PLG_ENTITY_COLLECTIVE, .index = row }
             : (PlgEntity) { .kind = PLG_ENTITY_NONE };
}

static void
collective_pointed_cb (PlgPanels *self, int row)
{
  plg_highlight_model_set_hovered (plg_document_highlight_model (self->document),
                                   collective (self, row));
}

static void
collective_activated_cb (PlgPanels *self, int row)
{
  PlgEntity entity = collective (self, row);

  if (entity.kind != PLG_ENTITY_NONE)
    plg_highlight_model_toggle (plg_document_highlight_model (self->document), entity);
}

/* Returns whether the highlighted ENTITY is the collective in ROW or a link that carries traffic
 * of this collective. */
static gboolean
is_highlighted_by (const PlgReport *report, PlgEntity entity, int row)
{
  const PlgLink *link;

  if (entity.kind == PLG_ENTITY_COLLECTIVE)
    return entity.index == row;
  if (entity.kind != PLG_ENTITY_LINK || entity.index >= (int) report->links->len)
    return FALSE;
  link = &g_array_index (report->links, PlgLink, entity.index);
  for (int i = link->first_share; i < link->first_share + link->n_shares; i++)
    if (g_array_index (report->link_shares, PlgLinkShare, i).collective == row)
      return TRUE;
  return FALSE;
}

void
plg_panels_mark_collectives (PlgPanels *self)
{
  const PlgReport *report = plg_document_report (self->document);
  int n;
  const PlgEntity
      *highlighted = plg_highlight_model_entities (plg_document_highlight_model (self->document),
                                                   &n, NULL);
  guint rows = 0;

  for (int row = 0; row < MIN ((int) report->collectives->len, 32); row++)
    for (int i = 0; i < n; i++)
      if (is_highlighted_by (report, highlighted[i], row))
        rows |= 1u << row;
  plg_table_mark_rows (self->collectives, rows);
}

void
plg_panels_enable_pointing (PlgPanels *self)
{
  PlgTable *table = self->collectives;

  plg_table_enable_pointing (table);
  g_signal_connect_object (table, "row-hovered", G_CALLBACK (collective_pointed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (table, "activated", G_CALLBACK (collective_activated_cb), self,
                           G_CONNECT_SWAPPED);
  plg_collective_menu_attach (table);
}
