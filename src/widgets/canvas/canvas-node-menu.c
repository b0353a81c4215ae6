/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The actions for a node, available from the menus and with the keyboard. */

#include "widgets/canvas/canvas-private.h"

#include "engine/network/fabric.h"
#include "plan/quantity.h"
#include "widgets/accessible-names.h"

#include <glib/gi18n-lib.h>

/* The maximum number of NICs in the menu of a node. Each NIC has its own menu item. */
#define MAX_NICS 16

/* The items ------------------------------------------------------------------------------------ */

static void
node_add_fault_items (PlgCanvas *self, GMenu *menu, int node)
{
  static const struct
  {
    const char *label;
    double rate;
  } rates[] = { { N_ ("To 80 %"), 0.8 }, { N_ ("To 50 %"), 0.5 } };
  const PlgPlan *plan = plg_document_plan (self->document);
  const PlgCluster *cluster = &plan->cluster;
  g_autoptr (GMenu) section = g_menu_new (), slow_items = g_menu_new (), nic_items = g_menu_new ();
  gboolean has_faults = FALSE;
  PlgFabric fabric;

  /* Offer to slow down all GPUs only if the node has at most PLG_MAX_FAULTS GPUs, because each
   * GPU needs its own fault. */
  if (cluster->gpus_per_node <= PLG_MAX_FAULTS)
    {
      for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
        plg_canvas_add_item (slow_items, _ (rates[i].label), "canvas.slow-node",
                             g_variant_new ("(id)", node, rates[i].rate));
      g_menu_append_submenu (section, _ ("Slow Down All GPUs"), G_MENU_MODEL (slow_items));
    }
  plg_fabric_init (&fabric, cluster);
  for (int nic = 0; fabric.leaves > 0 && nic < MIN (cluster->nics_per_node, MAX_NICS); nic++)
    {
      g_autofree char *label = g_strdup_printf (_ ("NIC %d"), nic);

      if (plg_faults_rate (cluster, PLG_FAULT_NIC, node, nic) > 0.0)
        plg_canvas_add_item (nic_items, label, "canvas.set-fault",
                             g_variant_new ("(iiid)", PLG_FAULT_NIC, node, nic, 0.0));
    }
  if (g_menu_model_get_n_items (G_MENU_MODEL (nic_items)) > 0)
    g_menu_append_submenu (section, _ ("Cut a NIC"), G_MENU_MODEL (nic_items));
  for (int i = 0; i < cluster->n_faults; i++)
    has_faults |= plg_fault_node (cluster, &cluster->faults[i]) == node;
  if (has_faults)
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
  node_add_fault_items (self, menu, node);
}

/* Faults --------------------------------------------------------------------------------------- */

/* Sets the rate of all GPUs in @node to @rate and announces the effect. A rate of 1 repairs the
 * node. */
static void
node_set_rate (PlgCanvas *self, int node, double rate)
{
  g_autoptr (PlgPlan) plan = NULL;
  g_autofree char *title = NULL, *percent = plg_format_number (100.0 * rate, 3), *label = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_set;

  if (self->document == NULL || plg_canvas_is_dragging (self) || node < 0 ||
      node >= plg_document_plan (self->document)->cluster.nodes)
    return;
  plan = plg_document_plan_to_edit (self->document);
  title = plg_plan_node_title (plan, node);
  label = rate < 1.0 ? g_strdup_printf (_ ("All GPUs of %s run at %s %%"), title, percent)
                     : g_strdup_printf (_ ("%s is repaired"), title);
  is_set = rate < 1.0 ? plg_edit_slow_node (plan, node, rate, &error)
                      : plg_edit_repair_node (plan, node, &error);
  if (!is_set)
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
  node_set_rate (PLG_CANVAS (widget), node, rate);
}

static void
repair_node_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  node_set_rate (PLG_CANVAS (widget), g_variant_get_int32 (parameter), 1.0);
}

/* Asking for a name ---------------------------------------------------------------------------- */

typedef struct
{
  PlgCanvas *canvas;
  int node;
  GtkWidget *entry;
  GtkWidget *button;
  GtkWidget *reason; /* label that states why the name is refused */
} NameQuestion;

/* Disables the button and shows the reason if the name is not valid or not unique. */
static void
name_changed_cb (NameQuestion *question)
{
  const char *name = gtk_editable_get_text (GTK_EDITABLE (question->entry));
  const PlgPlan *plan = plg_document_plan (question->canvas->document);
  g_autoptr (GError) error = NULL;
  PlgNodeNames names = { 0 };
  gboolean is_valid;

  plg_node_names_copy (&names, &plan->node_names);
  is_valid = plg_node_names_set (&names, question->node, name, &error) &&
             plg_node_name_fits (plg_node_names_get (&names, question->node), question->node,
                                 plg_cluster_hosts_per_node (&plan->cluster), &error);
  plg_node_names_clear (&names);

  gtk_widget_set_sensitive (question->button, is_valid);
  gtk_label_set_text (GTK_LABEL (question->reason), is_valid ? "" : error->message);
  gtk_widget_set_visible (question->reason, !is_valid);
  if (is_valid)
    gtk_widget_remove_css_class (question->entry, "error");
  else
    gtk_widget_add_css_class (question->entry, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (question->entry), GTK_ACCESSIBLE_STATE_INVALID,
                               is_valid ? GTK_ACCESSIBLE_INVALID_FALSE
                                        : GTK_ACCESSIBLE_INVALID_TRUE,
                               -1);
  plg_accessible_set_description (question->entry, is_valid ? NULL : error->message);
}

static void
name_applied_cb (NameQuestion *question)
{
  PlgCanvas *self = question->canvas;
  int node = question->node;
  g_autoptr (PlgPlan) plan = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL, *label = NULL;

  if (!gtk_widget_get_sensitive (question->button))
    return;
  name = g_strdup (gtk_editable_get_text (GTK_EDITABLE (question->entry)));
  plg_canvas_close_popover (self);
  plan = plg_document_plan_to_edit (self->document);
  label = *name != '\0' ? g_strdup_printf (_ ("Node %d is called %s"), node, name)
                        : g_strdup_printf (_ ("Name of node %d removed"), node);
  if (!plg_edit_name_node (plan, node, name, &error) ||
      !plg_document_apply (self->document, plan, label, NULL, &error))
    plg_canvas_emit_refused (self, error);
}

static void
name_question_free (gpointer question, GClosure *closure)
{
  g_free (question);
}

void
plg_canvas_open_name_popover (PlgCanvas *self, int node)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  const char *name = plg_node_names_get (&plan->node_names, node);
  int hosts = plg_cluster_hosts_per_node (&plan->cluster);
  g_autofree char *heading = NULL;
  GtkWidget *entry = gtk_entry_new (), *button = gtk_button_new_with_mnemonic (_ ("_Name"));
  GtkWidget *reason = gtk_label_new (NULL), *popover;
  NameQuestion *question = g_new0 (NameQuestion, 1);

  *question = (NameQuestion) { self, node, entry, button, reason };
  gtk_editable_set_text (GTK_EDITABLE (entry), name != NULL ? name : "");
  gtk_entry_set_max_length (GTK_ENTRY (entry), hosts * PLG_NODE_NAME_SIZE - 1);
  gtk_label_set_xalign (GTK_LABEL (reason), 0);
  gtk_label_set_wrap (GTK_LABEL (reason), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (reason), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (reason), 36);
  gtk_widget_add_css_class (reason, "error");
  gtk_widget_add_css_class (reason, "caption");
  gtk_widget_set_visible (reason, FALSE);
  heading = hosts == 1 ? g_strdup_printf (_ ("Name of node %d"), node)
                       : g_strdup_printf (_ ("Name of node %d, or of its %d hosts, for example "
                                             "host[1-%d]"),
                                          node, hosts, hosts);
  popover = plg_canvas_question_new (heading, entry, button);
  gtk_box_append (GTK_BOX (gtk_popover_get_child (GTK_POPOVER (popover))), reason);
  g_signal_connect_data (button, "clicked", G_CALLBACK (name_applied_cb), question,
                         name_question_free, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (name_applied_cb), question);
  g_signal_connect_swapped (entry, "changed", G_CALLBACK (name_changed_cb), question);
  plg_canvas_set_popover_at_menu (self, popover);
  gtk_widget_grab_focus (entry);
}

static void
name_node_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (PLG_CANVAS (widget)->document != NULL)
    plg_canvas_open_name_popover (PLG_CANVAS (widget), g_variant_get_int32 (parameter));
}

static void
rename_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);

  if (self->document == NULL || plg_canvas_is_dragging (self))
    return;
  plg_canvas_set_menu_position (self, plg_canvas_point_of_gpu (self, plg_canvas_focused (self)));
  plg_canvas_open_name_popover (self, plg_canvas_focused_node (self));
}

/* Moving --------------------------------------------------------------------------------------- */

static void
swap_node_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);

  if (self->document != NULL)
    plg_canvas_begin_keyboard_drag (self, PLG_DRAG_NODE,
                                    g_variant_get_int32 (parameter) *
                                        plg_document_plan (self->document)->cluster.gpus_per_node,
                                    TRUE);
}

/* Swaps a machine with its neighbour. A machine moves with its name and its faults, but the
 * ranks do not move. If neither machine has a name or a fault, announces that the swap would
 * change nothing. */
static void
move_node_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  g_autoptr (PlgPlan) plan = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *title = NULL, *other_title = NULL, *label = NULL, *message = NULL;
  int node, step;

  g_variant_get (parameter, "(ii)", &node, &step);
  if (self->document == NULL || plg_canvas_is_dragging (self))
    return;
  plan = plg_document_plan_to_edit (self->document);
  title = plg_plan_node_title (plan, node);
  label = g_strdup_printf (step < 0 ? _ ("Move %s up") : _ ("Move %s down"), title);
  if (!plg_edit_swap_machines (plan, node, node + step, &error))
    plg_canvas_emit_refused (self, error);
  else if (plg_plan_equal (plan, plg_document_plan (self->document)))
    {
      other_title = plg_plan_node_title (plan, node + step);
      message = g_strdup_printf (_ ("Swapping %s and %s changes nothing, because only the name "
                                    "and the faults of a machine move with it, and neither "
                                    "machine has any"),
                                 title, other_title);
      plg_canvas_emit_announced (self, message);
    }
  else if (!plg_document_apply (self->document, plan, label, NULL, &error))
    plg_canvas_emit_refused (self, error);
  else
    /* Move the focus with the machine, so that the next key press moves the same machine. */
    plg_canvas_focus_gpu (self, plg_canvas_focused (self) % plan->cluster.gpus_per_node +
                                    (node + step) * plan->cluster.gpus_per_node);
}

static void
move_focused_node_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);

  if (self->document != NULL)
    gtk_widget_activate_action (widget, "canvas.move-node", "(ii)", plg_canvas_focused_node (self),
                                g_variant_get_int32 (parameter));
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
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Up, GDK_ALT_MASK | GDK_SHIFT_MASK,
                                       "canvas.move-focused-node", "i", -1);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Down, GDK_ALT_MASK | GDK_SHIFT_MASK,
                                       "canvas.move-focused-node", "i", 1);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F2, 0, "canvas.rename", NULL);
}
