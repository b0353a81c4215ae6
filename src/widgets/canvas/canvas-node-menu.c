/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What can be done with a node, in the menus of the canvas and by keys. */

#include "widgets/canvas/canvas-private.h"

#include "engine/network/fabric.h"
#include "plan/fault.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* More NICs than these are not listed one by one. */
#define MAX_NICS 16

/* Items -----------------------------------------------------------------------------------------
 */

/* As many faults as the GPUs of a node a plan must be able to have. */
static void
add_rates (GMenu *menu, const PlgCluster *cluster, int node)
{
  static const struct
  {
    const char *label;
    double rate;
  } rates[] = { { N_ ("To 80 %"), 0.8 }, { N_ ("To 50 %"), 0.5 } };
  g_autoptr (GMenu) items = g_menu_new ();

  if (cluster->gpus_per_node > PLG_MAX_FAULTS)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    plg_canvas_add_item (items, _ (rates[i].label), "canvas.slow-node",
                         g_variant_new ("(id)", node, rates[i].rate));
  g_menu_append_submenu (menu, _ ("Slow Down All GPUs"), G_MENU_MODEL (items));
}

static void
add_nics (GMenu *menu, const PlgPlan *plan, int node)
{
  g_autoptr (GMenu) items = g_menu_new ();
  PlgFabric fabric;

  plg_fabric_init (&fabric, &plan->cluster);
  for (int nic = 0; fabric.leaves > 0 && nic < MIN (plan->cluster.nics_per_node, MAX_NICS); nic++)
    {
      g_autofree char *label = g_strdup_printf (_ ("NIC %d"), nic);

      if (plg_faults_rate (&plan->cluster, PLG_FAULT_NIC, node, nic) > 0.0)
        plg_canvas_add_item (items, label, "canvas.set-fault",
                             g_variant_new ("(iiid)", PLG_FAULT_NIC, node, nic, 0.0));
    }
  if (g_menu_model_get_n_items (G_MENU_MODEL (items)) > 0)
    g_menu_append_submenu (menu, _ ("Cut a NIC"), G_MENU_MODEL (items));
}

static gboolean
has_faults (const PlgCluster *cluster, int node)
{
  for (int i = 0; i < cluster->n_faults; i++)
    if (plg_fault_node (cluster, &cluster->faults[i]) == node)
      return TRUE;
  return FALSE;
}

static void
add_faults (PlgCanvas *self, GMenu *menu, int node)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  g_autoptr (GMenu) section = g_menu_new ();

  add_rates (section, &plan->cluster, node);
  add_nics (section, plan, node);
  if (has_faults (&plan->cluster, node))
    plg_canvas_add_item (section, _ ("Repair Node"), "canvas.repair-node",
                         g_variant_new_int32 (node));
  plg_canvas_add_section (menu, NULL, section);
}

void
plg_canvas_add_node_items (PlgCanvas *self, GMenu *menu, int node)
{
  g_autoptr (GMenu) section = g_menu_new ();
  g_autofree char *title = plg_plan_node_title (plg_document_plan (self->document), node);
  int nodes = plg_document_plan (self->document)->cluster.nodes;

  if (nodes > 1)
    plg_canvas_add_item (section, _ ("Swap Ranks of Node with…"), "canvas.swap-node",
                         g_variant_new_int32 (node));
  plg_canvas_add_item (section, _ ("Show Its Pairs"), "win.node-pairs", g_variant_new_int32 (node));
  plg_canvas_add_item (section, _ ("Name Node…"), "canvas.name-node", g_variant_new_int32 (node));
  if (node > 0)
    plg_canvas_add_item (section, _ ("Move Machine Up"), "canvas.move-node",
                         g_variant_new ("(ii)", node, -1));
  if (node < nodes - 1)
    plg_canvas_add_item (section, _ ("Move Machine Down"), "canvas.move-node",
                         g_variant_new ("(ii)", node, 1));
  plg_canvas_add_section (menu, title, section);
  add_faults (self, menu, node);
}

/* Faults ----------------------------------------------------------------------------------------
 */

/* All GPUs of NODE run at RATE; at 1 all of it is repaired. Who looks on is told what that costs.
 */
static void
set_node_rate (PlgCanvas *self, int node, double rate)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (self->document));
  g_autofree char *title = NULL, *percent = plg_format_number (100.0 * rate, 3), *label = NULL;
  g_autoptr (GError) error = NULL;

  if (self->drag != NULL || node < 0 || node >= plan->cluster.nodes)
    return;
  title = plg_plan_node_title (plan, node);
  label = rate < 1.0 ? g_strdup_printf (_ ("All GPUs of %s run at %s %%"), title, percent)
                     : g_strdup_printf (_ ("%s is repaired"), title);
  if (!(rate < 1.0 ? plg_edit_slow_node (plan, node, rate, &error)
                   : plg_edit_repair_node (plan, node, &error)))
    plg_canvas_emit_refused (self, error);
  else if (plg_canvas_apply (self, plan, label))
    plg_canvas_lock_highlight (self, (PlgEntity) { PLG_ENTITY_NODE, 0, node });
}

static void
slow_node_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  double rate;
  int node;

  g_variant_get (parameter, "(id)", &node, &rate);
  if (PLG_CANVAS (widget)->document != NULL)
    set_node_rate (PLG_CANVAS (widget), node, rate);
}

static void
repair_node_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (PLG_CANVAS (widget)->document != NULL)
    set_node_rate (PLG_CANVAS (widget), g_variant_get_int32 (parameter), 1.0);
}

/* Places and names ------------------------------------------------------------------------------
 */

static void
swap_node_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);

  if (self->document != NULL)
    plg_canvas_begin_keyboard_drag (self, PLG_DRAG_NODE,
                                    g_variant_get_int32 (parameter) *
                                        plg_document_plan (self->document)->cluster.gpus_per_node);
}

void
plg_canvas_rename_node (PlgCanvas *self, int node, const char *name)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (self->document));
  g_autofree char *label = *name != '\0' ? g_strdup_printf (_ ("Node %d is called %s"), node, name)
                                         : g_strdup_printf (_ ("Node %d without a name"), node);
  g_autoptr (GError) error = NULL;

  if (!plg_edit_name_node (plan, node, name, &error) ||
      !plg_document_apply (self->document, plan, label, NULL, &error))
    plg_canvas_emit_refused (self, error);
}

/* The node of the GPU that has the focus. */
static void
rename_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);

  if (self->document == NULL || self->drag != NULL)
    return;
  self->menu_position = plg_canvas_point_of_gpu (self, self->focused);
  plg_canvas_open_name_popover (self,
                                self->focused /
                                    plg_document_plan (self->document)->cluster.gpus_per_node);
}

static void
name_node_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (PLG_CANVAS (widget)->document != NULL)
    plg_canvas_open_name_popover (PLG_CANVAS (widget), g_variant_get_int32 (parameter));
}

/* A machine takes its name and its faults along, while the ranks stay: without either nothing would
 * be seen to move. */
static void
announce_equal_nodes (PlgCanvas *self, int a, int b)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  g_autofree char *first = plg_plan_node_title (plan, a);
  g_autofree char *second = plg_plan_node_title (plan, b);
  g_autofree char *message = NULL;

  message = g_strdup_printf (_ ("The machines %s and %s are alike: one takes its name and its "
                                "faults along, and these have none"),
                             first, second);
  plg_canvas_emit_announced (self, message);
}

static void
move_focused_node_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);

  if (self->document != NULL)
    gtk_widget_activate_action (widget, "canvas.move-node", "(ii)", plg_canvas_focused_node (self),
                                g_variant_get_int32 (parameter));
}

static void
move_node_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  g_autoptr (PlgPlan) plan = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *title = NULL, *label = NULL;
  int node, step;

  g_variant_get (parameter, "(ii)", &node, &step);
  if (self->document == NULL || self->drag != NULL)
    return;
  plan = plg_plan_copy (plg_document_committed_plan (self->document));
  title = plg_plan_node_title (plan, node);
  label = g_strdup_printf (step < 0 ? _ ("Move %s up") : _ ("Move %s down"), title);
  if (!plg_edit_swap_machines (plan, node, node + step, &error))
    plg_canvas_emit_refused (self, error);
  else if (plg_plan_equal (plan, plg_document_committed_plan (self->document)))
    announce_equal_nodes (self, node, node + step);
  else if (!plg_document_apply (self->document, plan, label, NULL, &error))
    plg_canvas_emit_refused (self, error);
  else
    /* Who moved it by keys is still at it. */
    plg_canvas_focus_gpu (self, self->focused % plan->cluster.gpus_per_node +
                                    (node + step) * plan->cluster.gpus_per_node);
}

void
plg_canvas_install_node (GtkWidgetClass *widget_class)
{
  static const struct
  {
    const char *name;
    const char *parameter;
    GtkWidgetActionActivateFunc activate;
  } actions[] = {
    { "canvas.slow-node", "(id)", slow_node_action },
    { "canvas.repair-node", "i", repair_node_action },
    { "canvas.swap-node", "i", swap_node_action },
    { "canvas.rename", NULL, rename_action },
    { "canvas.name-node", "i", name_node_action },
    { "canvas.move-node", "(ii)", move_node_action },
    { "canvas.move-focused-node", "i", move_focused_node_action },
  };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i].name, actions[i].parameter,
                                     actions[i].activate);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Up, GDK_ALT_MASK,
                                       "canvas.move-focused-node", "i", -1);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Down, GDK_ALT_MASK,
                                       "canvas.move-focused-node", "i", 1);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F2, 0, "canvas.rename", NULL);
}
