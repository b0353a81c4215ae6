/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The menu items that set the faults of GPUs and links, and the announcements of the effects of
 * these faults. */

#include "widgets/canvas/canvas-private.h"

#include "document/fault-impact.h"
#include "engine/network/fabric.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* At most MAX_SPINES uplinks get a menu entry each. If there are more than MAX_SPINES_IN_MENU
 * uplinks, their entries are in a submenu, so that the menu fits on the screen. */
#define MAX_SPINES 16
#define MAX_SPINES_IN_MENU 3

/* The items ------------------------------------------------------------------------------------ */

static void
fault_add_item (GMenu *menu, const char *label, const PlgFault *fault, double rate)
{
  plg_canvas_add_item (menu, label, "canvas.set-fault",
                       g_variant_new ("(iiid)", fault->kind, fault->first, fault->second, rate));
}

/* Adds the menu items that slow down, cut or repair the part of the cluster that @fault
 * describes. fault->rate is the part's current rate. */
static void
fault_add_items (PlgCanvas *self, GMenu *menu, const PlgFault *fault)
{
  /* If a GPU's links inside the node are cut, PCIe takes over at a lower rate. */
  double rate = plg_fault_cut_rate (&plg_document_plan (self->document)->cluster, fault->kind);
  g_autofree char *percent = plg_format_number (100.0 * rate, 3);
  g_autofree char *cut = rate > 0.0 ? g_strdup_printf (_ ("Cut: PCIe Takes Over at %s %%"), percent)
                                    : g_strdup (_ ("Cut"));

  if (fault->kind == PLG_FAULT_GPU)
    fault_add_item (menu, _ ("Slow Down to 80 %"), fault, 0.8);
  fault_add_item (menu, _ ("Slow Down to 50 %"), fault, 0.5);
  plg_canvas_add_item (menu, _ ("Slow Down to…"), "canvas.ask-rate",
                       g_variant_new ("(iii)", fault->kind, fault->first, fault->second));
  if (rate < 1.0)
    fault_add_item (menu, cut, fault, rate);
  if (fault->rate < 1.0)
    fault_add_item (menu, _ ("Repair"), fault, 1.0);
}

static void
fault_add_submenu (PlgCanvas *self, GMenu *menu, PlgFaultKind kind, int first, int second)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  PlgFault fault = { kind, first, second, plg_faults_rate (&plan->cluster, kind, first, second) };
  g_autofree char *name = plg_fault_name (&plan->cluster, &plan->node_names, &fault);
  g_autoptr (GMenu) items = g_menu_new ();

  fault_add_items (self, items, &fault);
  g_menu_append_submenu (menu, name, G_MENU_MODEL (items));
}

/* Adds a submenu for each link of the GPU, because the keyboard cannot point at links. */
static void
fault_add_links_of_gpu (PlgCanvas *self, GMenu *menu, int gpu)
{
  const PlgCluster *cluster = &plg_document_plan (self->document)->cluster;
  int node = gpu / cluster->gpus_per_node, local = gpu % cluster->gpus_per_node, first, last, leaf;
  g_autoptr (GMenu) uplinks = g_menu_new ();
  g_autofree char *name = NULL;
  gboolean has_submenu;
  PlgFabric fabric;

  plg_fabric_of_plan (&fabric, plg_document_plan (self->document));
  if (cluster->gpus_per_node > 1)
    fault_add_submenu (self, menu, PLG_FAULT_PORT, gpu, 0);
  if (fabric.leaves == 0)
    return;
  plg_fabric_nics_of (&fabric, local, &first, &last);
  for (int i = first; i <= last; i++)
    fault_add_submenu (self, menu, PLG_FAULT_NIC, node, plg_fabric_nic_at (&fabric, local, i));
  leaf = plg_fabric_leaf (&fabric, node, plg_fabric_nic_at (&fabric, local, first));
  has_submenu = fabric.spines > MAX_SPINES_IN_MENU;
  for (int spine = 0; spine < MIN (fabric.spines, MAX_SPINES); spine++)
    fault_add_submenu (self, has_submenu ? uplinks : menu, PLG_FAULT_UPLINK, leaf, spine);
  name = g_strdup_printf (_ ("Uplinks of leaf %d"), leaf);
  if (has_submenu)
    g_menu_append_submenu (menu, name, G_MENU_MODEL (uplinks));
}

void
plg_canvas_add_gpu_faults (PlgCanvas *self, GMenu *menu, const char *name, int gpu)
{
  const PlgCluster *cluster = &plg_document_plan (self->document)->cluster;
  PlgFault fault = { PLG_FAULT_GPU, gpu, 0, plg_faults_rate (cluster, PLG_FAULT_GPU, gpu, 0) };
  g_autoptr (GMenu) section = g_menu_new (), links = g_menu_new ();

  fault_add_items (self, section, &fault);
  plg_canvas_add_section (menu, name, section);
  fault_add_links_of_gpu (self, links, gpu);
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
  fault_add_items (self, section, &fault);
  plg_canvas_add_section (menu, name, section);
}

/* Setting a fault ------------------------------------------------------------------------------ */

void
plg_canvas_set_fault (PlgCanvas *self, const PlgFault *fault)
{
  g_autoptr (PlgPlan) plan = plg_document_plan_to_edit (self->document);
  g_autoptr (PlgReport) before = NULL;
  g_autofree char *label = plg_fault_describe (&plan->cluster, &plan->node_names, fault);
  g_autofree char *message = NULL;
  g_autoptr (GError) error = NULL;
  const PlgReport *after;
  PlgEntity entity = { .kind = PLG_ENTITY_GPU, .index = fault->first };

  before = plg_report_ref ((PlgReport *) plg_document_report (self->document));
  if (!plg_edit_set_fault (plan, fault, &error) ||
      !plg_document_apply (self->document, plan, label, NULL, &error))
    {
      plg_canvas_emit_refused (self, error);
      return;
    }
  after = plg_document_committed_report (self->document);
  message = plg_fault_impact_describe (plg_document_committed_plan (self->document), fault, before,
                                       after);
  if (fault->kind != PLG_FAULT_GPU)
    {
      entity.index = plg_fault_impact_link (plg_document_committed_plan (self->document), fault,
                                            after);
      entity.kind = entity.index >= 0 ? PLG_ENTITY_LINK : PLG_ENTITY_NONE;
    }
  /* Highlight the link first, because the announcement is added to the text of the focused cell,
   * and this text must already name the link. */
  plg_canvas_lock_highlight (self, entity);
  plg_canvas_emit_announced (self, message);
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

/* Asking for a rate ---------------------------------------------------------------------------- */

typedef struct
{
  PlgCanvas *canvas; /* owns the popover, which owns this question */
  PlgFault fault;
  GtkWidget *spin;
} RateQuestion;

static void
rate_applied_cb (RateQuestion *question)
{
  PlgCanvas *canvas = question->canvas;
  PlgFault fault = question->fault;

  gtk_spin_button_update (GTK_SPIN_BUTTON (question->spin));
  fault.rate = gtk_spin_button_get_value (GTK_SPIN_BUTTON (question->spin)) / 100;
  plg_canvas_close_popover (canvas);
  plg_canvas_set_fault (canvas, &fault);
}

static void
rate_question_free (gpointer question, GClosure *closure)
{
  g_free (question);
}

static void
ask_rate_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  g_autofree char *entity_name = NULL, *heading = NULL;
  RateQuestion *question;
  const PlgPlan *plan;
  GtkWidget *popover, *button;
  PlgFault fault;
  int kind;

  g_variant_get (parameter, "(iii)", &kind, &fault.first, &fault.second);
  if (self->document == NULL || kind < 0 || kind > PLG_FAULT_UPLINK)
    return;
  plan = plg_document_plan (self->document);
  fault.kind = kind;
  fault.rate = plg_faults_rate (&plan->cluster, fault.kind, fault.first, fault.second);

  question = g_new0 (RateQuestion, 1);
  *question = (RateQuestion) { self, fault, NULL };
  question->spin = gtk_spin_button_new_with_range (plg_fault_may_fail (kind) ? 0 : 1, 100, 1);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (question->spin), 100 * fault.rate);
  gtk_editable_set_width_chars (GTK_EDITABLE (question->spin), 4);
  entity_name = plg_fault_name (&plan->cluster, &plan->node_names, &fault);
  heading = g_strdup_printf (_ ("Rate of %s, in percent"), entity_name);
  button = gtk_button_new_with_mnemonic (_ ("_Set"));
  popover = plg_canvas_question_new (heading, question->spin, button);
  g_signal_connect_data (button, "clicked", G_CALLBACK (rate_applied_cb), question,
                         rate_question_free, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (gtk_editable_get_delegate (GTK_EDITABLE (question->spin)), "activate",
                            G_CALLBACK (rate_applied_cb), question);
  plg_canvas_set_popover_at_menu (self, popover);
  gtk_widget_grab_focus (question->spin);
}

void
plg_canvas_install_faults (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "canvas.set-fault", "(iiid)", set_fault_action);
  gtk_widget_class_install_action (widget_class, "canvas.ask-rate", "(iii)", ask_rate_action);
}
