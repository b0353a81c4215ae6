/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/pictures/stage-edges.h"

#include "document/drag.h"
#include "widgets/announcer.h"
#include "widgets/pictures/drag-label.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define PIXELS_PER_LAYER 10.0
/* The distance from an edge at which the edge can be dragged [pixels]. */
#define REACH 4.0
/* The height of a row above which an edge can be dragged on the rows of a timeline too [pixels]. */
#define HIGH_ROW 15.0
/* How long the label stays after a key [s]. */
#define LABEL_SECONDS 4

#define PLG_TYPE_STAGE_EDGES (plg_stage_edges_get_type ())
G_DECLARE_FINAL_TYPE (PlgStageEdges, plg_stage_edges, PLG, STAGE_EDGES, GObject)

struct _PlgStageEdges
{
  GObject parent_instance;

  PlgPictureView *view; /* owns this object */
  PlgDocument *document;
  PlgDrag *drag;           /* the drag with the pointer, or NULL */
  const PlgReport *report; /* the report at the start of the drag */
  int edge;                /* the stage before the dragged edge */
  int selected;            /* the stage that the keyboard has selected, or -1 */
  double x, y;             /* the pointer at the start of the drag [pixels] */
  double window_y;         /* Y in the window; the view may scroll when it gets the focus */
  char *announced_limit;   /* the limit that the drag announced last, or NULL */
  GtkWidget *popover;      /* contains LABEL */
  PlgDragLabel *label;
  guint label_timeout_id;
  gboolean is_only_for_stages; /* whether the view has the focus for the sake of stages only */
};

G_DEFINE_FINAL_TYPE (PlgStageEdges, plg_stage_edges, G_TYPE_OBJECT)

/* The label ------------------------------------------------------------------------------------ */

static void
hide_label (PlgStageEdges *self)
{
  g_clear_handle_id (&self->label_timeout_id, g_source_remove);
  if (self->popover != NULL)
    gtk_popover_popdown (GTK_POPOVER (self->popover));
}

static gboolean
label_timeout_cb (gpointer data)
{
  PlgStageEdges *self = data;

  self->label_timeout_id = 0;
  hide_label (self);
  return G_SOURCE_REMOVE;
}

/* Shows the effect of DRAG beside the picture, so that the label hides none of its rows. X and Y
 * are a position in the picture [pixels]. */
static void
show_label (PlgStageEdges *self, PlgDrag *drag, double x, double y)
{
  GtkWidget *view = GTK_WIDGET (self->view);
  const PlgReport *report = plg_document_report (self->document);
  g_autofree char *headline = plg_drag_title (drag);
  g_autofree char *consequence = plg_drag_consequence (drag, report);
  g_autofree char *warning = plg_drag_warning (drag, report);
  gboolean is_timeline = plg_picture_view_is_timeline (self->view);
  int width = gtk_widget_get_width (view), height = gtk_widget_get_height (view);

  if (self->popover == NULL)
    {
      self->label = PLG_DRAG_LABEL (plg_drag_label_new ());
      self->popover = gtk_popover_new ();
      gtk_widget_add_css_class (self->popover, "draglabel");
      gtk_popover_set_autohide (GTK_POPOVER (self->popover), FALSE);
      gtk_popover_set_has_arrow (GTK_POPOVER (self->popover), FALSE);
      gtk_popover_set_child (GTK_POPOVER (self->popover), GTK_WIDGET (self->label));
      gtk_popover_set_position (GTK_POPOVER (self->popover),
                                is_timeline ? GTK_POS_TOP : GTK_POS_LEFT);
      gtk_widget_set_can_target (self->popover, FALSE);
      gtk_widget_set_parent (self->popover, view);
    }
  plg_drag_label_set (self->label, headline, consequence, warning, plg_drag_limit (drag)->text,
                      !plg_drag_is_legal (drag));
  if (is_timeline)
    gtk_popover_set_pointing_to (GTK_POPOVER (self->popover),
                                 &(GdkRectangle) { CLAMP (x, 0, width), 0, 1, height });
  else
    gtk_popover_set_pointing_to (GTK_POPOVER (self->popover),
                                 &(GdkRectangle) { 0, CLAMP (y, 0, height), width, 1 });
  if (!gtk_widget_get_visible (self->popover))
    gtk_popover_popup (GTK_POPOVER (self->popover));
}

static void
announce (PlgStageEdges *self, const char *text)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self->view));

  if (GTK_IS_WINDOW (root) && text != NULL)
    plg_announcer_announce (GTK_WINDOW (root), text);
}

/* Edges ---------------------------------------------------------------------------------------- */

/* Returns the stage before the edge at a point, or -1. */
static int
edge_at (PlgStageEdges *self, double x, double y)
{
  PlgStageRows rows;
  int edge;

  if (!plg_picture_view_stage_rows (self->view, &rows))
    return -1;
  edge = (int) floor ((y - rows.first) / rows.pitch);
  if (edge < 0 || edge >= rows.stages - 1)
    return -1;
  if (plg_picture_view_is_timeline (self->view))
    {
      if (x < rows.left)
        return edge;
      if (rows.pitch < HIGH_ROW)
        return -1;
    }
  return fabs (rows.first + (edge + 0.5) * rows.pitch - y) <= REACH ? edge : -1;
}

/* Returns the chunk of the block at a point of a timeline, or -1. */
static int
chunk_at (PlgStageEdges *self, double x, double y)
{
  PlgEntity entity = plg_picture_view_entity_at (self->view, x, y);
  const GArray *blocks = plg_document_report (self->document)->blocks;

  if (entity.kind != PLG_ENTITY_BLOCK || entity.index >= (int) blocks->len)
    return -1;
  return g_array_index (blocks, PlgBlock, entity.index).chunk;
}

static void
show_edge (PlgStageEdges *self, int edge)
{
  plg_picture_view_set_edge (self->view, edge);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self->view), edge >= 0 ? "row-resize" : NULL);
}

static void
motion_cb (PlgStageEdges *self, double x, double y)
{
  if (self->drag == NULL)
    show_edge (self, edge_at (self, x, y));
}

static void
leave_cb (PlgStageEdges *self)
{
  if (self->drag == NULL)
    show_edge (self, -1);
}

/* The drag with the pointer -------------------------------------------------------------------- */

static PlgPlan *
copy_plan (PlgStageEdges *self, const PlgDrag *drag)
{
  PlgPlan *plan = plg_plan_copy (plg_drag_plan (drag));

  plan->view = plg_document_committed_plan (self->document)->view;
  return plan;
}

static void
end_drag (PlgStageEdges *self)
{
  g_clear_pointer (&self->drag, plg_drag_free);
  g_clear_pointer (&self->announced_limit, g_free);
  self->report = NULL;
  hide_label (self);
  show_edge (self, -1);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self->view), TRUE);
}

static void
cancel_drag (PlgStageEdges *self)
{
  if (self->drag == NULL)
    return;
  end_drag (self);
  plg_document_preview (self->document, NULL);
  announce (self, _ ("Cancelled; nothing has changed"));
}

static double
y_in_window (PlgStageEdges *self, double y)
{
  GtkWidget *view = GTK_WIDGET (self->view);
  double in_window = y;

  gtk_widget_translate_coordinates (view, GTK_WIDGET (gtk_widget_get_root (view)), 0, y, NULL,
                                    &in_window);
  return in_window;
}

static PlgDrag *
begin (PlgStageEdges *self, int edge, int chunk)
{
  PlgDrag *drag = plg_drag_begin_layers (plg_document_plan (self->document),
                                         (PlgReport *) plg_document_report (self->document), edge,
                                         chunk);

  plg_drag_set_policy (drag, plg_document_policy (self->document));
  return drag;
}

static void
drag_begin_cb (PlgStageEdges *self, double x, double y, GtkGesture *gesture)
{
  int edge = edge_at (self, x, y);
  PlgStageRows rows;

  if (edge < 0 || self->drag != NULL || plg_document_is_previewing (self->document))
    {
      /* A press on a row of the memory picture selects its stage; on a timeline it sets the time. */
      if (!plg_picture_view_is_timeline (self->view) &&
          plg_picture_view_stage_rows (self->view, &rows))
        {
          int stage = (int) floor ((y - rows.first) / rows.pitch + 0.5);

          gtk_widget_grab_focus (GTK_WIDGET (self->view));
          if (stage >= 0 && stage < rows.stages)
            {
              self->selected = stage;
              plg_picture_view_mark (self->view, (PlgEntity) { PLG_ENTITY_STAGE, 0, stage });
            }
        }
      gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  self->window_y = y_in_window (self, y);
  /* Take the focus, so that the view receives Escape. */
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  hide_label (self);
  self->edge = edge;
  self->x = x;
  self->y = y;
  self->report = plg_document_committed_report (self->document);
  self->drag = begin (self, edge, chunk_at (self, x, y));
  gtk_widget_set_has_tooltip (GTK_WIDGET (self->view), FALSE);
  show_edge (self, edge);
  show_label (self, self->drag, x, y);
}

static void
drag_update_cb (PlgStageEdges *self, double dx, double dy)
{
  const char *limit;
  double distance;

  if (self->drag == NULL)
    return;
  distance = y_in_window (self, self->y + dy) - self->window_y;
  if (plg_drag_move_layers (self->drag, (int) trunc (distance / PIXELS_PER_LAYER)))
    {
      g_autoptr (PlgPlan) plan = copy_plan (self, self->drag);

      plg_document_preview (self->document, plan);
    }
  /* A handler of the preview's signals may have changed the plan, which cancels the drag. */
  if (self->drag == NULL)
    return;
  show_label (self, self->drag, self->x + dx, self->y + dy);
  limit = plg_drag_limit (self->drag)->text;
  if (g_strcmp0 (limit, self->announced_limit) != 0)
    {
      g_free (self->announced_limit);
      self->announced_limit = g_strdup (limit);
      announce (self, limit);
    }
}

/* Applies DRAG in one undo step. Returns a sentence about the new plan, or the error. */
static char *
apply (PlgStageEdges *self, PlgDrag *drag, const char *merge_key)
{
  g_autoptr (PlgPlan) plan = copy_plan (self, drag);
  g_autofree char *label = plg_drag_label (drag);
  g_autoptr (GError) error = NULL;

  if (!plg_document_apply (self->document, plan, label, merge_key, &error))
    return g_strdup (error->message);
  return plg_drag_describe (drag, plg_document_committed_report (self->document));
}

static void
drag_end_cb (PlgStageEdges *self)
{
  g_autoptr (PlgDrag) drag = g_steal_pointer (&self->drag);
  g_autofree char *text = NULL;

  if (drag == NULL)
    return;
  end_drag (self);
  if (plg_drag_changes (drag))
    text = apply (self, drag, NULL);
  plg_document_preview (self->document, NULL);
  announce (self, text);
}

/* Ends a drag whose plan another change has replaced. */
static void
document_changed_cb (PlgStageEdges *self)
{
  int stages = plg_document_plan (self->document)->parallelism.degree[PLG_AXIS_PP];

  if (self->drag != NULL && self->report != plg_document_committed_report (self->document))
    end_drag (self);
  if (self->selected >= stages)
    {
      self->selected = -1;
      plg_picture_view_mark (self->view, (PlgEntity) { .kind = PLG_ENTITY_NONE });
    }
  if (self->is_only_for_stages)
    gtk_widget_set_focusable (GTK_WIDGET (self->view), stages > 1);
}

/* The keyboard --------------------------------------------------------------------------------- */

static void
select_stage (PlgStageEdges *self, int stage)
{
  self->selected = stage;
  hide_label (self);
  plg_picture_view_mark (self->view, (PlgEntity) { PLG_ENTITY_STAGE, 0, stage });
}

/* Moves a layer of the selected stage to the stage before it (STEP -1) or after it (STEP 1). */
static void
move_layer (PlgStageEdges *self, const PlgStageRows *rows, int step)
{
  g_autoptr (PlgDrag) drag = NULL;
  g_autofree char *text = NULL;
  int taker = self->selected + step;

  if (self->selected < 0)
    {
      announce (self, _ ("Select a stage first, with Up or Down"));
      return;
    }
  if (taker < 0 || taker >= rows->stages)
    {
      announce (self, step < 0 ? _ ("This is the first stage; its layers can move to the next")
                               : _ ("This is the last stage; its layers can move to the one "
                                    "before"));
      return;
    }
  drag = begin (self, MIN (self->selected, taker), -1);
  plg_drag_move_layers (drag, -step);
  if (plg_drag_changes (drag))
    text = apply (self, drag, "layers");
  else
    text = g_strdup (plg_drag_limit (drag)->text);
  show_label (self, drag, rows->left, rows->first + self->selected * rows->pitch);
  g_clear_handle_id (&self->label_timeout_id, g_source_remove);
  self->label_timeout_id = g_timeout_add_seconds (LABEL_SECONDS, label_timeout_cb, self);
  announce (self, text);
}

static gboolean
key_pressed_cb (PlgStageEdges *self, guint keyval, guint keycode, GdkModifierType state)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();
  gboolean is_up = keyval == GDK_KEY_Up || keyval == GDK_KEY_KP_Up;
  gboolean is_down = keyval == GDK_KEY_Down || keyval == GDK_KEY_KP_Down;
  PlgStageRows rows;

  if (keyval == GDK_KEY_Escape && self->drag != NULL)
    {
      cancel_drag (self);
      return GDK_EVENT_STOP;
    }
  if ((!is_up && !is_down) || self->drag != NULL || plg_document_is_previewing (self->document) ||
      !plg_picture_view_stage_rows (self->view, &rows))
    return GDK_EVENT_PROPAGATE;
  if (modifiers == (GDK_CONTROL_MASK | GDK_SHIFT_MASK))
    move_layer (self, &rows, is_up ? -1 : 1);
  else if (modifiers != 0)
    return GDK_EVENT_PROPAGATE;
  else if (self->selected < 0)
    select_stage (self, is_up ? rows.stages - 1 : 0);
  else
    select_stage (self, CLAMP (self->selected + (is_up ? -1 : 1), 0, rows.stages - 1));
  return GDK_EVENT_STOP;
}

static void
focus_left_cb (PlgStageEdges *self)
{
  if (self->drag == NULL)
    hide_label (self);
  self->selected = -1;
  plg_picture_view_mark (self->view, (PlgEntity) { .kind = PLG_ENTITY_NONE });
}

/* Object --------------------------------------------------------------------------------------- */

/* Releases the widgets and the document when the view is disposed. */
static void
view_destroyed_cb (PlgStageEdges *self)
{
  g_clear_handle_id (&self->label_timeout_id, g_source_remove);
  g_clear_pointer (&self->drag, plg_drag_free);
  g_clear_pointer (&self->popover, gtk_widget_unparent);
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
}

static void
plg_stage_edges_finalize (GObject *object)
{
  PlgStageEdges *self = PLG_STAGE_EDGES (object);

  g_clear_handle_id (&self->label_timeout_id, g_source_remove);
  g_clear_pointer (&self->drag, plg_drag_free);
  g_clear_object (&self->document);
  g_free (self->announced_limit);
  G_OBJECT_CLASS (plg_stage_edges_parent_class)->finalize (object);
}

static void
plg_stage_edges_class_init (PlgStageEdgesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plg_stage_edges_finalize;
}

static void
plg_stage_edges_init (PlgStageEdges *self)
{
  self->selected = -1;
}

void
plg_stage_edges_install (PlgPictureView *view)
{
  PlgStageEdges *self;
  GtkWidget *widget;
  GtkGesture *drag;
  GtkEventController *motion, *keys, *focus;

  g_return_if_fail (PLG_IS_PICTURE_VIEW (view));

  self = g_object_new (PLG_TYPE_STAGE_EDGES, NULL);
  widget = GTK_WIDGET (view);
  drag = gtk_gesture_drag_new ();
  motion = gtk_event_controller_motion_new ();
  keys = gtk_event_controller_key_new ();
  focus = gtk_event_controller_focus_new ();
  self->view = view;
  g_object_get (view, "document", &self->document, NULL);
  g_object_set_data_full (G_OBJECT (view), "plg-stage-edges", self, g_object_unref);
  self->is_only_for_stages = !gtk_widget_get_focusable (widget);
  /* Take the press before the gesture that sets the time of a timeline. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (drag), GTK_PHASE_CAPTURE);
  g_signal_connect_object (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "drag-update", G_CALLBACK (drag_update_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "drag-end", G_CALLBACK (drag_end_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "cancel", G_CALLBACK (cancel_drag), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (motion, "motion", G_CALLBACK (motion_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (motion, "leave", G_CALLBACK (leave_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "leave", G_CALLBACK (focus_left_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, keys);
  gtk_widget_add_controller (widget, focus);
  g_signal_connect_object (view, "destroy", G_CALLBACK (view_destroyed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "changed", G_CALLBACK (document_changed_cb), self,
                           G_CONNECT_SWAPPED);
  document_changed_cb (self);
}
