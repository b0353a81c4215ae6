/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "widgets/canvas/canvas-private.h"

/* The highlight on the canvas: its causes and its end. */
typedef struct
{
  PlgDocument *document;
  PlgHighlightModel *highlight_model;
  PlgCanvas *canvas;
  GtkWindow *window;
  GtkEventController *drag, *click, *motion;
} Rig;

static void
set_up (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = plg_canvas_new ();

  rig->document = rig_document ();
  rig->highlight_model = plg_document_highlight_model (rig->document);
  rig->canvas = PLG_CANVAS (canvas);
  g_object_set (canvas, "document", rig->document, NULL);
  rig->window = rig_show (canvas, 1000, 760);
  rig->drag = rig_controller (canvas, GTK_TYPE_GESTURE_DRAG);
  rig->click = rig_controller (canvas, GTK_TYPE_GESTURE_CLICK);
  rig->motion = rig_controller (canvas, GTK_TYPE_EVENT_CONTROLLER_MOTION);
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  rig_close (rig->window);
  g_assert_finalize_object (rig->document);
}

static PlgEntity
gpu (int index)
{
  return (PlgEntity) { .kind = PLG_ENTITY_GPU, .index = index };
}

static int
n_highlighted (const Rig *rig)
{
  PlgPictureOptions options;

  plg_canvas_get_options (rig->canvas, &options);
  return options.n_highlighted;
}

static PlgPoint
middle_of (const Rig *rig, const PlgShape *shape)
{
  PlgPoint point;

  plg_canvas_to_widget (rig->canvas, shape->rect.x + shape->rect.width / 2,
                        shape->rect.y + shape->rect.height / 2, &point.x, &point.y);
  return point;
}

/* The middle of the first entity of @kind, for a handle of @axis. */
static PlgPoint
place_of (const Rig *rig, PlgEntityKind kind, PlgAxis axis)
{
  const PlgFigure *figure = plg_canvas_figure (rig->canvas);

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      PlgPoint point = middle_of (rig, shape);

      if (shape->entity.kind == kind && (kind != PLG_ENTITY_HANDLE || shape->entity.axis == axis) &&
          plg_canvas_entity_at (rig->canvas, point.x, point.y).kind == kind)
        return point;
    }
  g_assert_not_reached ();
}

/* Acts as a user does, with the signals of the click gesture. */
static void
drag_to (Rig *rig, PlgPoint from, PlgPoint to)
{
  g_signal_emit_by_name (rig->click, "pressed", 1, from.x, from.y);
  g_signal_emit_by_name (rig->drag, "drag-begin", from.x, from.y);
  g_signal_emit_by_name (rig->drag, "drag-update", to.x - from.x, to.y - from.y);
  g_signal_emit_by_name (rig->drag, "drag-end", to.x - from.x, to.y - from.y);
  g_signal_emit_by_name (rig->click, "released", 1, to.x, to.y);
  g_signal_emit_by_name (rig->motion, "motion", to.x, to.y);
}

/* The drop of a handle neither pins, selects nor highlights the entity below. */
static void
test_drop_is_no_click (Rig *rig, gconstpointer data)
{
  PlgPoint places[] = { place_of (rig, PLG_ENTITY_LINK, 0),
                        middle_of (rig, plg_figure_find_entity (plg_canvas_figure (rig->canvas),
                                                                gpu (21))) };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      drag_to (rig, place_of (rig, PLG_ENTITY_HANDLE, PLG_AXIS_TP), places[i]);
      g_assert_cmpint (n_highlighted (rig), ==, 0);
      g_assert_cmpuint (rig->canvas->pointer.highlight_timeout_id, ==, 0);
      g_assert_cmpint (rig->canvas->pointer.hovered.kind, ==, PLG_ENTITY_NONE);
      g_assert_cmpint (rig->canvas->keyboard.selected, !=, 21);
    }
  /* Away from the drop, the pointer highlights again. */
  g_signal_emit_by_name (rig->motion, "motion", places[1].x + 80, places[1].y);
  g_assert_cmpint (rig->canvas->pointer.hovered.kind, !=, PLG_ENTITY_NONE);
}

/* A pan over the cluster pins nothing either. */
static void
test_pan_is_no_click (Rig *rig, gconstpointer data)
{
  PlgPoint link = place_of (rig, PLG_ENTITY_LINK, 0);

  drag_to (rig, (PlgPoint) { link.x, link.y }, (PlgPoint) { link.x + 60, link.y + 40 });
  g_assert_cmpint (n_highlighted (rig), ==, 0);
}

/* From a GPU to a handle while an entity is pinned: the groups of the GPU disappear, and the figure
 * with the handle is discarded. */
static void
test_from_gpu_to_handle (Rig *rig, gconstpointer data)
{
  PlgPoint handle, tile;

  plg_highlight_model_toggle (plg_document_highlight_model (rig->document),
                              (PlgEntity) { .kind = PLG_ENTITY_LINK, .index = 0 });
  rig_next_frame (GTK_WIDGET (rig->canvas));
  tile = middle_of (rig, plg_figure_find_entity (plg_canvas_figure (rig->canvas), gpu (29)));
  g_signal_emit_by_name (rig->motion, "motion", tile.x, tile.y);
  rig_next_frame (GTK_WIDGET (rig->canvas));
  handle = place_of (rig, PLG_ENTITY_HANDLE, PLG_AXIS_TP);
  g_signal_emit_by_name (rig->motion, "motion", handle.x, handle.y);
  g_assert_cmpint (rig->canvas->pointer.hovered.kind, ==, PLG_ENTITY_HANDLE);
}

static void
light (Rig *rig, int how)
{
  if (how == 0)
    plg_canvas_show_entity (rig->canvas, gpu (29));
  else
    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->canvas), "canvas.set-fault",
                                               "(iiid)", PLG_FAULT_NIC, 1, 2, 0.0));
  gtk_widget_grab_focus (GTK_WIDGET (rig->canvas));
  g_assert_cmpint (n_highlighted (rig), ==, 1);
}

/* A search result, or the links that a fault slows down, stay highlighted until the focus moves,
 * Escape, or a new plan. */
static void
test_highlight_ends (Rig *rig, gconstpointer data)
{
  for (int how = 0; how < 2; how++)
    {
      light (rig, how);
      gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_DOWN);
      g_assert_cmpint (n_highlighted (rig), ==, 0);
      plg_document_undo (rig->document);
      light (rig, how);
      g_assert_true (plg_canvas_escape (rig->canvas));
      g_assert_cmpint (n_highlighted (rig), ==, 0);
      g_assert_false (plg_canvas_escape (rig->canvas));
      plg_document_undo (rig->document);
      g_assert_true (plg_document_set (rig->document, "parallelism.tp", "4", NULL));
      light (rig, how);
      g_assert_true (plg_document_undo (rig->document));
      g_assert_cmpint (n_highlighted (rig), ==, 0);
      plg_document_undo (rig->document);
    }
}

/* The highlight does not return when the pointer crosses empty space, and a change of the view
 * keeps it. */
static void
test_pointer_clears_highlight (Rig *rig, gconstpointer data)
{
  PlgView view = plg_document_plan (rig->document)->view;

  light (rig, 0);
  view.show = PLG_SHOW_DP;
  plg_document_set_view (rig->document, &view);
  g_assert_cmpint (n_highlighted (rig), ==, 1);
  g_signal_emit_by_name (rig->motion, "motion", 200.0, 3.0);
  g_assert_cmpint (n_highlighted (rig), ==, 1);
  g_signal_emit_by_name (rig->motion, "motion", 100.0, 3.0);
  g_assert_cmpint (n_highlighted (rig), ==, 0);
  g_signal_emit_by_name (rig->motion, "leave");
  g_assert_cmpint (n_highlighted (rig), ==, 0);
}

/* A preview that starts as the pointer leaves a link, as in the plot of found plans, does not keep
 * the link highlighted. */
static void
test_preview_ends_highlight (Rig *rig, gconstpointer data)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (rig->document));
  PlgPoint link = place_of (rig, PLG_ENTITY_LINK, 0);

  g_signal_emit_by_name (rig->motion, "motion", link.x, link.y);
  rig_until (n_highlighted (rig) == 1);
  g_signal_emit_by_name (rig->motion, "leave");
  plan->training.micro_batch = 2;
  g_assert_true (plg_document_preview (rig->document, plan));
  rig_until (rig->canvas->pointer.highlight_timeout_id == 0);
  g_assert_cmpint (n_highlighted (rig), ==, 0);
  plg_document_preview (rig->document, NULL);
}

/* The next Escape removes the pins. */
static void
test_escape_in_order (Rig *rig, gconstpointer data)
{
  plg_highlight_model_toggle (rig->highlight_model, gpu (3));
  plg_canvas_show_entity (rig->canvas, gpu (29));
  g_assert_cmpint (n_highlighted (rig), ==, 2);
  g_assert_true (plg_canvas_escape (rig->canvas));
  g_assert_cmpint (n_highlighted (rig), ==, 1);
  g_assert_true (plg_canvas_escape (rig->canvas));
  g_assert_cmpint (n_highlighted (rig), ==, 0);
}

static PlgColor
fill_of (const Rig *rig, int index)
{
  return plg_figure_find_entity (plg_canvas_figure (rig->canvas), gpu (index))->fill;
}

/* Ranks 46 and 47 have no group in common with rank 29. */
static void
test_focus_is_never_dimmed (Rig *rig, gconstpointer data)
{
  PlgColor plain = fill_of (rig, 46), now;

  plg_highlight_model_toggle (rig->highlight_model, gpu (29));
  now = fill_of (rig, 46);
  g_assert_true (memcmp (&plain, &now, sizeof now) != 0);
  plg_canvas_focus_gpu (rig->canvas, 46);
  now = fill_of (rig, 46);
  g_assert_cmpmem (&plain, sizeof plain, &now, sizeof now);
  now = fill_of (rig, 45);
  g_assert_true (memcmp (&plain, &now, sizeof now) != 0);
}

/* Playback shows the whole step: pins keep marks and outlines, and nothing dims. An entity under
 * the pointer still stands out. */
static void
test_playback_does_not_dim_for_pins (Rig *rig, gconstpointer data)
{
  PlgColor plain, now;

  plg_canvas_set_time (rig->canvas, 0.1);
  plain = fill_of (rig, 46);
  plg_highlight_model_toggle (rig->highlight_model, gpu (29));
  now = fill_of (rig, 46);
  g_assert_cmpmem (&plain, sizeof plain, &now, sizeof now);
  g_assert_nonnull (plg_figure_find (plg_canvas_figure (rig->canvas), "pin-1"));
  plg_highlight_model_set_hovered (rig->highlight_model, gpu (3));
  now = fill_of (rig, 46);
  g_assert_true (memcmp (&plain, &now, sizeof now) != 0);
}

/* A search moves the focus: keys continue from the node, or from the GPU of the link. */
static void
test_search_result_has_focus (Rig *rig, gconstpointer data)
{
  const PlgReport *report = plg_document_report (rig->document);

  plg_canvas_show_entity (rig->canvas, (PlgEntity) { .kind = PLG_ENTITY_NODE, .index = 3 });
  g_assert_cmpint (plg_canvas_focused_node (rig->canvas), ==, 3);
  g_assert_cmpint (rig->canvas->keyboard.focused, ==, 24);
  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);

      if (link->tier != PLG_TIER_NIC || link->node != 5 || link->local != 6)
        continue;
      plg_canvas_show_entity (rig->canvas, (PlgEntity) { .kind = PLG_ENTITY_LINK, .index = i });
      g_assert_cmpint (rig->canvas->keyboard.focused, ==, 46);
    }
  g_assert_cmpint (plg_canvas_focused_node (rig->canvas), ==, 5);
}

static void
keep_cb (PlgCanvas *canvas, const char *message, char **kept)
{
  g_free (*kept);
  *kept = g_strdup (message);
}

/* The focus follows a moved machine. A swap of two equal machines is invisible, so it is announced. */
static void
test_focus_follows_machine (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas);
  g_autofree char *announcement = NULL;

  g_signal_connect (canvas, "announced", G_CALLBACK (keep_cb), &announcement);
  plg_canvas_focus_gpu (rig->canvas, 11);
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.move-node", "(ii)", 1, 1));
  g_assert_nonnull (strstr (announcement, "Swapping node 1 and node 2 changes nothing"));
  g_assert_null (plg_document_undo_label (rig->document));
  g_assert_true (plg_document_set (rig->document, "cluster.node-names", "1=dgx-b", NULL));
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.move-node", "(ii)", 1, 1));
  g_assert_cmpint (rig->canvas->keyboard.focused, ==, 19);
}

/* The groups of a GPU are outlined: the GPU under the pointer, or else the focused GPU. */
static void
test_outlines_leave_with_pointer (Rig *rig, gconstpointer data)
{
  PlgRect rect = plg_cluster_gpu_rect (plg_document_plan (rig->document), 20);
  PlgPictureOptions options;
  PlgPoint at;

  plg_canvas_select (rig->canvas, 3);
  plg_canvas_to_widget (rig->canvas, rect.x + rect.width / 2, rect.y + rect.height / 2, &at.x,
                        &at.y);
  g_signal_emit_by_name (rig->motion, "motion", at.x, at.y);
  plg_canvas_get_options (rig->canvas, &options);
  g_assert_cmpint (options.selected.index, ==, 20);
  g_assert_cmpint (plg_canvas_get_selected (rig->canvas), ==, 3);
  g_signal_emit_by_name (rig->motion, "leave");
  plg_canvas_get_options (rig->canvas, &options);
  g_assert_cmpint (options.selected.index, ==, 3);
}

static gboolean
tells (const Rig *rig, gboolean keyboard)
{
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean has_text = FALSE;

  g_signal_emit_by_name (rig->canvas, "query-tooltip", 0, 0, keyboard, tooltip, &has_text);
  return has_text;
}

/* With texts for a large audience, a tooltip would cover the entity. */
static void
test_no_tooltips_in_presentation (Rig *rig, gconstpointer data)
{
  PlgPoint point = rig_middle_of_gpu (rig->canvas, plg_document_plan (rig->document), 5);

  g_signal_emit_by_name (rig->motion, "motion", point.x, point.y);
  g_assert_true (tells (rig, FALSE));
  plg_canvas_set_min_text_size (rig->canvas, 20);
  g_signal_emit_by_name (rig->motion, "motion", point.x + 1, point.y);
  g_assert_false (tells (rig, FALSE));
  g_assert_true (tells (rig, TRUE));
  plg_canvas_set_min_text_size (rig->canvas, 0);
  g_signal_emit_by_name (rig->motion, "motion", point.x, point.y);
  g_assert_true (tells (rig, FALSE));
}

/* Arrow keys outline the groups of the GPU next to pins until the pointer moves, also after GTK
 * hides the focus ring. Exports of the canvas show the same. */
static void
test_outlines_stay_for_keys (Rig *rig, gconstpointer data)
{
  PlgPictureOptions options;
  guint layouts;

  plg_highlight_model_toggle (rig->highlight_model,
                              (PlgEntity) { .kind = PLG_ENTITY_LINK, .index = 0 });
  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_TAB_FORWARD);
  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_RIGHT);
  rig_next_frame (GTK_WIDGET (rig->canvas));
  gtk_window_set_focus_visible (rig->window, FALSE);
  plg_canvas_get_options (rig->canvas, &options);
  g_assert_cmpint (options.selected.kind, ==, PLG_ENTITY_GPU);
  g_assert_cmpint (options.selected.index, ==, 1);
  layouts = plg_canvas_n_layouts (rig->canvas);
  g_signal_emit_by_name (rig->motion, "motion", 3.0, 3.0);
  plg_canvas_get_options (rig->canvas, &options);
  g_assert_cmpint (options.selected.kind, !=, PLG_ENTITY_GPU);
  rig_next_frame (GTK_WIDGET (rig->canvas));
  g_assert_cmpuint (plg_canvas_n_layouts (rig->canvas), >, layouts);
}

/* A press on the frame of a node outlines the groups of a GPU, one of which then lies below the
 * pointer. The click does not pin that group. */
static void
test_click_pins_pressed_entity (Rig *rig, gconstpointer data)
{
  for (int node = 0; node < 8; node++)
    {
      PlgRect gpu = plg_cluster_gpu_rect (plg_document_plan (rig->document), node * 8);
      double x, y;
      int pins;

      plg_canvas_to_widget (rig->canvas, gpu.x - 3, gpu.y + gpu.height / 2, &x, &y);
      if (plg_canvas_entity_at (rig->canvas, x, y).kind != PLG_ENTITY_NODE)
        continue;
      g_signal_emit_by_name (rig->motion, "motion", x, y);
      g_signal_emit_by_name (rig->click, "pressed", 1, x, y);
      rig_next_frame (GTK_WIDGET (rig->canvas));
      g_signal_emit_by_name (rig->click, "released", 1, x, y);
      plg_highlight_model_entities (rig->highlight_model, NULL, &pins);
      g_assert_cmpint (pins, ==, 0);
    }
}

int
main (int argc, char **argv)
{
  if (!rig_init (&argc, &argv))
    return 0;
#define ADD(name, function) g_test_add ("/highlight/" name, Rig, NULL, set_up, function, tear_down)
  ADD ("drop-is-no-click", test_drop_is_no_click);
  ADD ("pan-is-no-click", test_pan_is_no_click);
  ADD ("from-gpu-to-handle", test_from_gpu_to_handle);
  ADD ("highlight-ends", test_highlight_ends);
  ADD ("pointer-clears-highlight", test_pointer_clears_highlight);
  ADD ("preview-ends-highlight", test_preview_ends_highlight);
  ADD ("escape-in-order", test_escape_in_order);
  ADD ("focus-is-never-dimmed", test_focus_is_never_dimmed);
  ADD ("playback-does-not-dim-for-pins", test_playback_does_not_dim_for_pins);
  ADD ("search-result-has-focus", test_search_result_has_focus);
  ADD ("focus-follows-machine", test_focus_follows_machine);
  ADD ("no-tooltips-in-presentation", test_no_tooltips_in_presentation);
  ADD ("click-pins-pressed-entity", test_click_pins_pressed_entity);
  ADD ("outlines-stay-for-keys", test_outlines_stay_for_keys);
  ADD ("outlines-leave-with-pointer", test_outlines_leave_with_pointer);
#undef ADD
  return g_test_run ();
}
