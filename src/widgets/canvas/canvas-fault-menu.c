/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What of the cluster is broken or slow, as the menu sets it, and who suffers. */

#include "widgets/canvas/canvas-private.h"

#include "document/fault-impact.h"
#include "engine/network/fabric.h"
#include "plan/fault.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* More uplinks than these are not listed one by one; more than the few are a menu of their own, so
 * that the rest stays on the screen. */
#define MAX_SPINES 16
#define MAX_SPINES_IN_MENU 3

/* The items of the menu ------------------------------------------------------------------------ */

static void
add_fault_item (GMenu *menu, const char *label, const PlgFault *fault, double rate)
{
  plg_canvas_add_item (menu, label, "canvas.set-fault",
                       g_variant_new ("(iiid)", fault->kind, fault->first, fault->second, rate));
}

/* Cut, it is gone, or PCIe does what is left of it. */
static void
add_link_failure_item (PlgCanvas *self, GMenu *menu, const PlgFault *fault)
{
  double left = plg_fault_cut_rate (&plg_document_plan (self->document)->cluster, fault->kind);
  g_autofree char *percent = plg_format_number (100.0 * left, 3);
  g_autofree char *label = left > 0.0
                               ? g_strdup_printf (_ ("Cut: PCIe Takes Over at %s %%"), percent)
                               : g_strdup (_ ("Cut"));

  if (left < 1.0)
    add_fault_item (menu, label, fault, left);
}

/* What can befall the thing that FAULT names, which now runs at its rate. */
static void
add_fault_items (PlgCanvas *self, GMenu *menu, const PlgFault *fault)
{
  if (fault->kind == PLG_FAULT_GPU)
    add_fault_item (menu, _ ("Slow Down to 80 %"), fault, 0.8);
  add_fault_item (menu, _ ("Slow Down to 50 %"), fault, 0.5);
  plg_canvas_add_item (menu, _ ("Slow Down to…"), "canvas.ask-rate",
                       g_variant_new ("(iii)", fault->kind, fault->first, fault->second));
  add_link_failure_item (self, menu, fault);
  if (fault->rate < 1.0)
    add_fault_item (menu, _ ("Repair"), fault, 1.0);
}

static void
add_faults (PlgCanvas *self, GMenu *menu, PlgFaultKind kind, int first, int second)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  PlgFault fault = { kind, first, second, plg_faults_rate (&plan->cluster, kind, first, second) };
  g_autofree char *name = plg_fault_name (&plan->cluster, &plan->node_names, &fault);
  g_autoptr (GMenu) items = g_menu_new ();

  add_fault_items (self, items, &fault);
  g_menu_append_submenu (menu, name, G_MENU_MODEL (items));
}

static void
add_uplinks (PlgCanvas *self, GMenu *menu, int leaf, int spines)
{
  g_autoptr (GMenu) uplinks = g_menu_new ();
  g_autofree char *name = g_strdup_printf (_ ("Uplinks of leaf %d"), leaf);

  for (int spine = 0; spine < MIN (spines, MAX_SPINES); spine++)
    add_faults (self, spines > MAX_SPINES_IN_MENU ? uplinks : menu, PLG_FAULT_UPLINK, leaf, spine);
  if (spines > MAX_SPINES_IN_MENU)
    g_menu_append_submenu (menu, name, G_MENU_MODEL (uplinks));
}

/* The links by which GPU is reached, each a menu of its own, for the keys cannot point at links. */
static GMenu *
links_of_gpu (PlgCanvas *self, int gpu)
{
  const PlgCluster *cluster = &plg_document_plan (self->document)->cluster;
  int node = gpu / cluster->gpus_per_node, local = gpu % cluster->gpus_per_node, first, last, leaf;
  GMenu *menu = g_menu_new ();
  PlgFabric fabric;

  plg_fabric_of_plan (&fabric, plg_document_plan (self->document));
  if (cluster->gpus_per_node > 1)
    add_faults (self, menu, PLG_FAULT_PORT, gpu, 0);
  if (fabric.leaves == 0)
    return menu;
  plg_fabric_nics_of (&fabric, local, &first, &last);
  leaf = plg_fabric_leaf (&fabric, node, plg_fabric_nic_at (&fabric, local, first));
  for (int way = first; way <= last; way++)
    add_faults (self, menu, PLG_FAULT_NIC, node, plg_fabric_nic_at (&fabric, local, way));
  add_uplinks (self, menu, leaf, fabric.spines);
  return menu;
}

void
plg_canvas_add_gpu_faults (PlgCanvas *self, GMenu *menu, const char *name, int gpu)
{
  const PlgCluster *cluster = &plg_document_plan (self->document)->cluster;
  PlgFault fault = { PLG_FAULT_GPU, gpu, 0, plg_faults_rate (cluster, PLG_FAULT_GPU, gpu, 0) };
  g_autoptr (GMenu) section = g_menu_new (), links = links_of_gpu (self, gpu);

  add_fault_items (self, section, &fault);
  plg_canvas_add_section (menu, name, section);
  plg_canvas_add_section (menu, NULL, links);
}

void
plg_canvas_add_link_faults (PlgCanvas *self, GMenu *menu, int index)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  const GArray *links = plg_document_report (self->document)->links;
  g_autoptr (GMenu) section = g_menu_new ();
  g_autofree char *name = NULL;
  PlgFabric fabric;
  PlgFault fault;

  if (index < 0 || index >= (int) links->len)
    return;
  plg_fabric_init (&fabric, &plan->cluster);
  if (!plg_fabric_link_fault (&fabric, &g_array_index (links, PlgLink, index), &fault))
    return;
  name = plg_fault_name (&plan->cluster, &plan->node_names, &fault);
  add_fault_items (self, section, &fault);
  plg_canvas_add_section (menu, name, section);
}

/* Setting ---------------------------------------------------------------------------------------
 */

/* The GPU, or the link whose groups suffer. */
static PlgEntity
entity_of_fault (PlgCanvas *self, const PlgFault *fault)
{
  int link;

  if (fault->kind == PLG_FAULT_GPU)
    return (PlgEntity) { PLG_ENTITY_GPU, 0, fault->first };
  link = plg_fault_impact_link (plg_document_committed_plan (self->document), fault,
                                plg_document_committed_report (self->document));
  return (PlgEntity) { link >= 0 ? PLG_ENTITY_LINK : PLG_ENTITY_NONE, 0, link };
}

/* Who suffers is told, and lit up until the pointer goes elsewhere. */
void
plg_canvas_set_fault (PlgCanvas *self, const PlgFault *fault)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (self->document));
  g_autoptr (PlgReport) before = NULL;
  g_autofree char *label = plg_fault_describe (&plan->cluster, &plan->node_names, fault);
  g_autofree char *told = NULL;
  g_autoptr (GError) error = NULL;

  before = plg_report_ref ((PlgReport *) plg_document_committed_report (self->document));
  if (!plg_edit_set_fault (plan, fault, &error) ||
      !plg_document_apply (self->document, plan, label, NULL, &error))
    {
      plg_canvas_emit_refused (self, error);
      return;
    }
  told = plg_fault_impact_describe (plg_document_committed_plan (self->document), fault, before,
                                    plg_document_committed_report (self->document));
  /* First what it is, then the news of it. */
  plg_canvas_lock_highlight (self, entity_of_fault (self, fault));
  plg_canvas_emit_announced (self, told);
}

static void
set_fault_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgFault fault;
  int kind;

  g_variant_get (parameter, "(iiid)", &kind, &fault.first, &fault.second, &fault.rate);
  fault.kind = kind;
  if (PLG_CANVAS (widget)->document != NULL && kind >= 0 && kind <= PLG_FAULT_UPLINK)
    plg_canvas_set_fault (PLG_CANVAS (widget), &fault);
}

static void
ask_rate_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  PlgFault fault;
  int kind;

  g_variant_get (parameter, "(iii)", &kind, &fault.first, &fault.second);
  if (self->document == NULL || kind < 0 || kind > PLG_FAULT_UPLINK)
    return;
  fault.kind = kind;
  fault.rate = plg_faults_rate (&plg_document_plan (self->document)->cluster, fault.kind,
                                fault.first, fault.second);
  plg_canvas_open_rate_popover (self, &fault);
}

void
plg_canvas_install_faults (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "canvas.set-fault", "(iiid)", set_fault_action);
  gtk_widget_class_install_action (widget_class, "canvas.ask-rate", "(iii)", ask_rate_action);
}
