/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/inspector/nesting-row.h"

#include "document/drag.h"
#include "document/fault-impact.h"
#include "widgets/widget-theme.h"
#include "widgets/inspector/order-menu.h"

#include <glib/gi18n-lib.h>

/* The chips of sizes that have no place in the nesting order: EP counts through the GPUs of a stage,
 * and the shard groups (HSDP) split DP. Their keys change the size. */
typedef enum
{
  SIZE_EP,
  SIZE_SHARD,
} SizeChip;
#define N_SIZE_CHIPS 2

struct _PlgNestingRow
{
  AdwPreferencesRow parent_instance;

  PlgDocument *document;
  GtkWidget *chips[PLG_N_NESTED_AXES]; /* the chips in nesting order, innermost first */
  PlgAxis axes[PLG_N_NESTED_AXES];     /* the axis of each chip */
  gboolean is_filled;
  char *names[PLG_N_NESTED_AXES]; /* the accessible name of each chip */
  PlgAxis moved;                  /* the axis that was last moved */
  char *cost;                     /* text that describes the effect of the last move, or NULL */
  /* The report after the last move. Only its address is compared: if the report has changed, the
   * cost is out of date. */
  const PlgReport *cost_report;
  GtkWidget *arrows[PLG_N_NESTED_AXES];
  GtkWidget *line;  /* contains the chips */
  GtkWidget *sizes; /* contains the chips of sizes, below LINE */
  GtkWidget *size_chips[N_SIZE_CHIPS];
  char *size_names[N_SIZE_CHIPS]; /* the accessible name of each chip of a size */
  GtkLabel *lock_label;           /* the reason why the order is locked; shown below the chips */
  GtkWidget *menu;                /* PlgOrderMenu */
  GtkWidget *menu_button;
};

G_DEFINE_FINAL_TYPE (PlgNestingRow, plg_nesting_row, ADW_TYPE_PREFERENCES_ROW)

enum
{
  REFUSED,
  ANNOUNCED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void update (PlgNestingRow *self);

static int
position_of_chip (PlgNestingRow *self, GtkWidget *chip)
{
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    if (self->chips[i] == chip)
      return i;
  return -1;
}

/* Returns the next position after PLACE in the direction of STEP (1 or -1) that has a visible
 * chip. The CP chip is hidden at degree 1. Returns -1 or PLG_N_NESTED_AXES if there is no such
 * position. */
static int
visible_place (PlgNestingRow *self, int place, int step)
{
  do
    place += step;
  while (place >= 0 && place < PLG_N_NESTED_AXES && !gtk_widget_get_visible (self->chips[place]));
  return place;
}

static void
move_chip (PlgNestingRow *self, int from, int to)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  g_autoptr (PlgDrag) drag = NULL;
  g_autoptr (GError) error = NULL;
  PlgAxis axis;

  if (from < 0 || from == to)
    return;
  axis = plan->parallelism.order[from];
  drag = plg_drag_begin (PLG_DRAG_AXIS, plan, (PlgReport *) plg_document_report (self->document),
                         axis, 0);
  plg_drag_set_policy (drag, plg_document_policy (self->document));
  plg_drag_move_axis (drag, to);
  if (!plg_drag_is_legal (drag))
    g_signal_emit (self, signals[REFUSED], 0, plg_drag_limit (drag)->text);
  else if (!plg_document_apply (self->document, plg_drag_plan (drag), _ ("Nesting order"), NULL,
                                &error))
    g_signal_emit (self, signals[REFUSED], 0, error->message);
  else
    {
      /* Store the cost of the move for the accessible name of the moved chip. A drag over the
       * cluster shows its cost next to the pointer instead. */
      self->moved = axis;
      self->cost_report = plg_document_report (self->document);
      g_free (self->cost);
      self->cost = plg_drag_describe_cost (drag, self->cost_report);

      update (self);
      gtk_widget_grab_focus (self->chips[to]);
    }
}

static void
chosen_cb (PlgNestingRow *self, const char *name)
{
  const PlgOrderPreset *preset = plg_order_preset_find (name);
  g_autoptr (PlgPlan) plan = plg_document_plan_to_edit (self->document);
  g_autofree char *label = g_strdup_printf (_ ("Order of %s"), preset->title);
  g_autoptr (PlgReport) before = NULL;
  g_autofree char *announcement = NULL;
  g_autoptr (GError) error = NULL;

  before = plg_report_ref ((PlgReport *) plg_document_report (self->document));
  if (!plg_edit_set_order (plan, preset->order, &error) ||
      !plg_document_apply (self->document, plan, label, NULL, &error))
    {
      g_signal_emit (self, signals[REFUSED], 0, error->message);
      return;
    }
  announcement = plg_fault_impact_describe_change (label, before,
                                                   plg_document_report (self->document));
  g_signal_emit (self, signals[ANNOUNCED], 0, announcement);
}

static gboolean
key_pressed_cb (PlgNestingRow *self,
                guint key,
                guint code,
                GdkModifierType state,
                GtkEventController *controller)
{
  int place = position_of_chip (self, gtk_event_controller_get_widget (controller));

  if (key == GDK_KEY_Down && (state & GDK_ALT_MASK) != 0)
    {
      gtk_popover_popup (GTK_POPOVER (self->menu));
      return GDK_EVENT_STOP;
    }
  if (key == GDK_KEY_Home || key == GDK_KEY_End)
    {
      move_chip (self, place, key == GDK_KEY_Home ? 0 : PLG_N_NESTED_AXES - 1);
      return GDK_EVENT_STOP;
    }
  if (key != GDK_KEY_Left && key != GDK_KEY_Right)
    return GDK_EVENT_PROPAGATE;
  move_chip (self, place, visible_place (self, place, key == GDK_KEY_Left ? -1 : 1));
  return GDK_EVENT_STOP;
}

static GdkContentProvider *
prepare_cb (PlgNestingRow *self, double x, double y, GtkDragSource *source)
{
  GtkWidget *chip = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (source));
  /* Use a still copy of the chip as the drag icon, because the chips in the row preview the drop
   * while the drag is over the cluster. */
  g_autoptr (GdkPaintable) live = gtk_widget_paintable_new (chip);
  g_autoptr (GdkPaintable) icon = gdk_paintable_get_current_image (live);
  const PlgPlan *plan = plg_document_plan (self->document);
  int axis = plan->parallelism.order[MAX (position_of_chip (self, chip), 0)];
  GdkContentProvider *providers[2];

  gtk_drag_source_set_icon (source, icon, x, y);
  /* Provide the chip for a drop on another chip of this row, and its axis for a drop on the
   * canvas. */
  providers[0] = gdk_content_provider_new_typed (GTK_TYPE_BUTTON, chip);
  providers[1] = gdk_content_provider_new_typed (G_TYPE_INT, axis);
  return gdk_content_provider_new_union (providers, G_N_ELEMENTS (providers));
}

/* Accepts a chip only if it belongs to this row, because the chip may come from another window. */
static gboolean
drop_cb (PlgNestingRow *self, const GValue *value, double x, double y, GtkDropTarget *target)
{
  int from = position_of_chip (self, g_value_get_object (value));

  if (from < 0)
    return FALSE;
  move_chip (self, from,
             position_of_chip (self,
                               gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (target))));
  return TRUE;
}

/* Returns the position of the first chip whose centre is to the right of X [row coordinates], or
 * the number of positions. */
static int
place_after (PlgNestingRow *self, double x)
{
  int place = visible_place (self, -1, 1);
  graphene_rect_t bounds;

  while (place < PLG_N_NESTED_AXES &&
         gtk_widget_compute_bounds (self->chips[place], GTK_WIDGET (self), &bounds) &&
         bounds.origin.x + bounds.size.width / 2 <= x)
    place = visible_place (self, place, 1);
  return place;
}

/* Accepts a chip that is dropped between chips. A drop before the first chip moves the axis to
 * the first position. */
static gboolean
drop_beside_cb (PlgNestingRow *self, const GValue *value, double x, double y)
{
  int from = position_of_chip (self, g_value_get_object (value)), to = place_after (self, x);

  if (from < 0)
    return FALSE;
  move_chip (self, from, from < to ? visible_place (self, to, -1) : to);
  return TRUE;
}

/* Returns the number of visible chips from the first position to PLACE, inclusive. */
static int
count_visible_chips (PlgNestingRow *self, int place)
{
  int n = 0;

  for (int i = 0; i <= place; i++)
    n += gtk_widget_get_visible (self->chips[i]);
  return n;
}

/* Returns the drag that changes the size of CHIP. */
static PlgDrag *
size_drag (PlgNestingRow *self, SizeChip chip)
{
  return plg_drag_begin (chip == SIZE_SHARD ? PLG_DRAG_SHARD : PLG_DRAG_EDGE,
                         plg_document_plan (self->document),
                         (PlgReport *) plg_document_report (self->document),
                         chip == SIZE_SHARD ? PLG_AXIS_DP : PLG_AXIS_EP, 0);
}

/* Makes the groups of CHIP larger (STEP 1) or smaller (STEP -1). */
static void
step_size (PlgNestingRow *self, SizeChip chip, int step)
{
  g_autoptr (PlgDrag) drag = size_drag (self, chip);
  g_autofree char *label = NULL, *announcement = NULL;
  g_autoptr (GError) error = NULL;

  plg_drag_step_degree (drag, step, FALSE);
  label = plg_drag_label (drag);
  if (!plg_drag_is_legal (drag))
    g_signal_emit (self, signals[REFUSED], 0, plg_drag_limit (drag)->text);
  else if (!plg_document_apply (self->document, plg_drag_plan (drag), label, NULL, &error))
    g_signal_emit (self, signals[REFUSED], 0, error->message);
  else
    {
      announcement = plg_drag_describe (drag, plg_document_report (self->document));
      g_signal_emit (self, signals[ANNOUNCED], 0, announcement);
    }
}

static gboolean
size_key_pressed_cb (PlgNestingRow *self,
                     guint key,
                     guint code,
                     GdkModifierType state,
                     GtkEventController *controller)
{
  SizeChip chip = gtk_event_controller_get_widget (controller) == self->size_chips[SIZE_SHARD]
                      ? SIZE_SHARD
                      : SIZE_EP;

  if (key != GDK_KEY_Left && key != GDK_KEY_Right)
    return GDK_EVENT_PROPAGATE;
  step_size (self, chip, key == GDK_KEY_Right ? 1 : -1);
  return GDK_EVENT_STOP;
}

/* Sets the text and the accessible name of CHIP. The chip is hidden if the plan has no such
 * groups. */
static void
set_size_chip (PlgNestingRow *self,
               SizeChip chip,
               gboolean is_shown,
               const char *label,
               const char *name)
{
  GtkWidget *button = self->size_chips[chip];

  gtk_widget_set_visible (button, is_shown);
  if (!is_shown || g_strcmp0 (self->size_names[chip], name) == 0)
    return;
  gtk_button_set_label (GTK_BUTTON (button), label);
  gtk_widget_set_tooltip_text (button, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_free (self->size_names[chip]);
  self->size_names[chip] = g_strdup (name);
}

static void
update_size_chips (PlgNestingRow *self)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  const PlgParallelism *parallelism = &plan->parallelism;
  int ep = parallelism->degree[PLG_AXIS_EP], replicate = plg_parallelism_replicate (parallelism);
  int replicas = parallelism->degree[PLG_AXIS_DP] / replicate;
  gboolean has_experts = plg_transformer_is_moe (&plan->model);
  g_autofree char *experts = parallelism->etp > 1
                                 ? g_strdup_printf ("EP %d · ETP %d", ep, parallelism->etp)
                                 : g_strdup_printf ("EP %d", ep);
  g_autofree char *experts_name = g_strdup_printf (
      _ ("Expert parallelism: groups of %d × ETP %d inside each stage. The Left and Right keys "
         "change EP"),
      ep, parallelism->etp);
  g_autofree char *shards = g_strdup_printf ("HSDP %d × %d", replicate, replicas);
  g_autofree char *shards_name = g_strdup_printf (
      _ ("Hybrid sharding: %d shard groups of %d replicas. The Left and Right keys change the size "
         "of the groups"),
      replicate, replicas);

  set_size_chip (self, SIZE_EP, has_experts, experts, experts_name);
  set_size_chip (self, SIZE_SHARD, replicate > 1, shards, shards_name);
  gtk_widget_set_visible (self->sizes, has_experts || replicate > 1);
  gtk_widget_set_sensitive (self->size_chips[SIZE_EP],
                            plg_edit_policy_lock_reason (plg_document_policy (self->document),
                                                         "parallelism.ep") == NULL);
  gtk_widget_set_sensitive (self->size_chips[SIZE_SHARD],
                            plg_edit_policy_lock_reason (plg_document_policy (self->document),
                                                         "parallelism.replicate") == NULL);
}

static void
update_chip_description (PlgNestingRow *self, int place)
{
  PlgAxis axis = self->axes[place];
  g_autofree char *where = g_strdup_printf (_ ("%s, position %d of %d, counted from the "
                                               "innermost axis"),
                                            plg_axis_title (axis),
                                            count_visible_chips (self, place),
                                            count_visible_chips (self, PLG_N_NESTED_AXES - 1));
  g_autofree char *name = NULL;

  if (self->cost != NULL && axis == self->moved)
    name = g_strdup_printf ("%s. %s", where, self->cost);
  else
    name = g_strdup_printf ("%s. %s", where, _ ("The Left and Right keys move the axis"));
  if (g_strcmp0 (name, self->names[place]) == 0)
    return;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->chips[place]),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_free (self->names[place]);
  self->names[place] = g_steal_pointer (&name);
}

static void
update (PlgNestingRow *self)
{
  const PlgParallelism *parallelism = &plg_document_plan (self->document)->parallelism;
  gboolean first = TRUE;

  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    {
      PlgAxis axis = parallelism->order[i];

      if (!self->is_filled || self->axes[i] != axis)
        {
          /* Do not set an unchanged tooltip again, because setting a tooltip makes GTK query the
           * pointer's position. */
          GtkWidget *chip = self->chips[i];

          gtk_button_set_label (GTK_BUTTON (chip), plg_axis_label (axis));
          for (PlgAxis other = 0; other < PLG_N_AXES; other++)
            gtk_widget_remove_css_class (chip, plg_axis_name (other));
          gtk_widget_add_css_class (chip, plg_axis_name (axis));
          gtk_widget_set_tooltip_text (chip, plg_axis_title (axis));
          self->axes[i] = axis;
        }
      gtk_widget_set_visible (self->chips[i], parallelism->degree[axis] > 1 || axis != PLG_AXIS_CP);

      gtk_widget_set_visible (self->arrows[i], !first && gtk_widget_get_visible (self->chips[i]));
      first = first && !gtk_widget_get_visible (self->chips[i]);
    }
  if (self->cost_report != plg_document_report (self->document))
    g_clear_pointer (&self->cost, g_free);
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    update_chip_description (self, i);
  self->is_filled = TRUE;
  update_size_chips (self);
  plg_order_menu_update (PLG_ORDER_MENU (self->menu), parallelism);

  /* Make the chips insensitive if the order is locked. Keep the menu sensitive, because the menu
   * can also compare orders. */
  const char *lock_reason = plg_edit_policy_lock_reason (plg_document_policy (self->document),
                                                         "parallelism.order");

  plg_widget_set_css_class (GTK_WIDGET (self), "offered",
                            plg_edit_policy_lists_key (plg_document_policy (self->document),
                                                       "parallelism.order"));
  gtk_widget_set_sensitive (self->line, lock_reason == NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->lock_label), lock_reason != NULL);
  gtk_label_set_label (self->lock_label, lock_reason != NULL ? lock_reason : "");
  plg_order_menu_set_locked (PLG_ORDER_MENU (self->menu), lock_reason != NULL);
}

/* Clears the announced cost when the focus leaves the chip that was last moved. Other chips are
 * ignored, because a move also takes the focus from the chip at the old position. */
static void
chip_left_cb (PlgNestingRow *self, GtkEventController *focus)
{
  int place = position_of_chip (self, gtk_event_controller_get_widget (focus));

  if (self->cost == NULL || place < 0 || self->axes[place] != self->moved)
    return;
  g_clear_pointer (&self->cost, g_free);
  update_chip_description (self, place);
}

static GtkWidget *
new_line (PlgNestingRow *self)
{
  self->line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);

  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    {
      self->arrows[i] = gtk_label_new ("→");
      gtk_widget_add_css_class (self->arrows[i], "dim-label");

      GtkWidget *chip = gtk_button_new ();
      GtkEventController *keys = gtk_event_controller_key_new ();
      GtkEventController *focus = gtk_event_controller_focus_new ();
      GtkDragSource *source = gtk_drag_source_new ();
      GtkDropTarget *target = gtk_drop_target_new (GTK_TYPE_BUTTON, GDK_ACTION_COPY);

      /* Run the source in the capture phase, because the button claims the release of a click in
       * that phase. Within a phase, the controller that was added last runs first, so the source
       * receives the release before the button claims it. Without the release, the source would
       * assume that the press continues and would not start another drag. */
      gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (source), GTK_PHASE_CAPTURE);
      gtk_widget_add_css_class (chip, "chip");
      g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (source, "prepare", G_CALLBACK (prepare_cb), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (target, "drop", G_CALLBACK (drop_cb), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (focus, "leave", G_CALLBACK (chip_left_cb), self, G_CONNECT_SWAPPED);
      gtk_widget_add_controller (chip, keys);
      gtk_widget_add_controller (chip, focus);
      gtk_widget_add_controller (chip, GTK_EVENT_CONTROLLER (source));
      gtk_widget_add_controller (chip, GTK_EVENT_CONTROLLER (target));
      self->chips[i] = chip;

      gtk_box_append (GTK_BOX (self->line), self->arrows[i]);
      gtk_box_append (GTK_BOX (self->line), self->chips[i]);
    }
  plg_widget_force_left_to_right (self->line);
  return self->line;
}

/* The menu of orders is beside the title, so that the row is not wider with four chips than with
 * three: previews of other plans must not move the rest of the window. */
static GtkWidget *
new_title_line (PlgNestingRow *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *title = gtk_label_new (_ ("Nesting, inner to outer"));
  GtkWidget *button = gtk_menu_button_new ();

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_box_append (GTK_BOX (line), title);

  self->menu = plg_order_menu_new ();
  self->menu_button = button;
  g_signal_connect_object (self->menu, "chosen", G_CALLBACK (chosen_cb), self, G_CONNECT_SWAPPED);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), self->menu);
  gtk_widget_set_tooltip_text (button, _ ("Choose the nesting order of a training program"));
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Choose the nesting order of a training program"), -1);
  gtk_box_append (GTK_BOX (line), button);
  return line;
}

static GtkWidget *
new_size_line (PlgNestingRow *self)
{
  static const char *const classes[N_SIZE_CHIPS] = { [SIZE_EP] = "ep", [SIZE_SHARD] = "shard" };

  self->sizes = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  for (int i = 0; i < N_SIZE_CHIPS; i++)
    {
      GtkWidget *chip = gtk_button_new ();
      GtkEventController *keys = gtk_event_controller_key_new ();

      gtk_widget_add_css_class (chip, "chip");
      gtk_widget_add_css_class (chip, classes[i]);
      g_signal_connect_object (keys, "key-pressed", G_CALLBACK (size_key_pressed_cb), self,
                               G_CONNECT_SWAPPED);
      gtk_widget_add_controller (chip, keys);
      gtk_box_append (GTK_BOX (self->sizes), chip);
      self->size_chips[i] = chip;
    }
  plg_widget_force_left_to_right (self->sizes);
  return self->sizes;
}

static void
plg_nesting_row_dispose (GObject *object)
{
  g_clear_object (&PLG_NESTING_ROW (object)->document);
  G_OBJECT_CLASS (plg_nesting_row_parent_class)->dispose (object);
}

static void
plg_nesting_row_finalize (GObject *object)
{
  PlgNestingRow *self = PLG_NESTING_ROW (object);

  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    g_free (self->names[i]);
  for (int i = 0; i < N_SIZE_CHIPS; i++)
    g_free (self->size_names[i]);
  g_free (self->cost);
  G_OBJECT_CLASS (plg_nesting_row_parent_class)->finalize (object);
}

static void
plg_nesting_row_class_init (PlgNestingRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = plg_nesting_row_dispose;
  G_OBJECT_CLASS (klass)->finalize = plg_nesting_row_finalize;
  signals[REFUSED] = g_signal_new ("refused", PLG_TYPE_NESTING_ROW, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[ANNOUNCED] = g_signal_new ("announced", PLG_TYPE_NESTING_ROW, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
plg_nesting_row_init (PlgNestingRow *self)
{
}

GtkWidget *
plg_nesting_row_new (PlgDocument *document)
{
  PlgNestingRow *self;
  GtkWidget *box;

  g_return_val_if_fail (PLG_IS_DOCUMENT (document), NULL);

  self = g_object_new (PLG_TYPE_NESTING_ROW, NULL);
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  self->document = g_object_ref (document);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), _ ("Nesting, inner to outer"));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), FALSE);
  gtk_widget_set_focusable (GTK_WIDGET (self), FALSE);
  gtk_widget_add_css_class (box, "nesting");
  gtk_box_append (GTK_BOX (box), new_title_line (self));
  gtk_box_append (GTK_BOX (box), new_line (self));
  gtk_box_append (GTK_BOX (box), new_size_line (self));

  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "subtitle");
  gtk_widget_set_visible (label, FALSE);
  self->lock_label = GTK_LABEL (label);
  gtk_box_append (GTK_BOX (box), label);

  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);

  GtkDropTarget *target = gtk_drop_target_new (GTK_TYPE_BUTTON, GDK_ACTION_COPY);

  g_signal_connect_object (target, "drop", G_CALLBACK (drop_beside_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
  g_signal_connect_object (document, "numbers-changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}

void
plg_nesting_row_open_orders (PlgNestingRow *self)
{
  g_return_if_fail (PLG_IS_NESTING_ROW (self));

  /* Focus the menu button, so that the row is scrolled into view. */
  gtk_widget_grab_focus (self->menu_button);
  gtk_menu_button_popup (GTK_MENU_BUTTON (self->menu_button));
}
