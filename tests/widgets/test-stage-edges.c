/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers that move between stages in the timeline and in the picture of memory. */
#include "rig.h"

#include "widgets/pictures/drag-label.h"
#include "widgets/pictures/stage-edges.h"

typedef struct
{
  PlgDocument *document;
  PlgPictureView *view;
  GtkWindow *window;
  int changes; /* the number of "changed" signals */
} Rig;

static void
count_cb (Rig *rig)
{
  rig->changes++;
}

/* DATA is the name of the picture. */
static void
set_up (Rig *rig, gconstpointer data)
{
  rig->document = rig_document ();
  rig->view = g_object_new (PLG_TYPE_PICTURE_VIEW, "picture", data, "document", rig->document,
                            NULL);
  plg_stage_edges_install (rig->view);
  rig->window = rig_show (GTK_WIDGET (rig->view), 700, 400);
  g_signal_connect_swapped (rig->document, "changed", G_CALLBACK (count_cb), rig);
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  rig_close (rig->window);
  g_signal_handlers_disconnect_by_data (rig->document, rig);
  g_object_unref (rig->document);
}

static char *
layout_of (const PlgPlan *plan)
{
  return plg_stage_layout_to_string (&plan->parallelism.layout);
}

#define assert_layout(plan, expected)           \
  G_STMT_START                                  \
  {                                             \
    g_autofree char *layout = layout_of (plan); \
                                                \
    g_assert_cmpstr (layout, ==, expected);     \
  }                                             \
  G_STMT_END

static void
press_edge (Rig *rig, int stage)
{
  PlgStageRows rows;

  g_assert_true (plg_picture_view_stage_rows (rig->view, &rows));
  g_assert_cmpint (rows.stages, ==, 4);
  g_signal_emit_by_name (rig_controller (GTK_WIDGET (rig->view), GTK_TYPE_GESTURE_DRAG),
                         "drag-begin", rows.left / 2, rows.first + (stage + 0.5) * rows.pitch + 2);
}

static void
drag_to (Rig *rig, double dy)
{
  g_signal_emit_by_name (rig_controller (GTK_WIDGET (rig->view), GTK_TYPE_GESTURE_DRAG),
                         "drag-update", 0.0, dy);
}

static void
release (Rig *rig)
{
  g_signal_emit_by_name (rig_controller (GTK_WIDGET (rig->view), GTK_TYPE_GESTURE_DRAG), "drag-end",
                         0.0, 0.0);
}

static gboolean
press_key (Rig *rig, guint key, GdkModifierType modifiers)
{
  gboolean taken = FALSE;

  g_signal_emit_by_name (rig_controller (GTK_WIDGET (rig->view), GTK_TYPE_EVENT_CONTROLLER_KEY),
                         "key-pressed", key, 0, modifiers, &taken);
  return taken;
}

static gboolean
contains (GtkWidget *label, gpointer text)
{
  return gtk_widget_get_mapped (label) &&
         strstr (gtk_label_get_text (GTK_LABEL (label)), text) != NULL;
}

static gboolean
shows (Rig *rig, const char *text)
{
  return rig_find (GTK_WIDGET (rig->view), GTK_TYPE_LABEL, contains, (gpointer) text) != NULL;
}

/* Each 10 pixels move a layer; the drop is one undo step. */
static void
test_drag (Rig *rig, gconstpointer data)
{
  press_edge (rig, 1);
  g_assert_false (plg_document_is_previewing (rig->document));
  drag_to (rig, 9);
  g_assert_false (plg_document_is_previewing (rig->document));
  drag_to (rig, 25);
  g_assert_true (plg_document_is_previewing (rig->document));
  assert_layout (plg_document_plan (rig->document), "Et*20|t*22|t*18|t*20L");
  assert_layout (plg_document_committed_plan (rig->document), "");
  rig_until (shows (rig, "Stage 1: 22 layers · stage 2: 18 layers"));
  g_assert_true (shows (rig, "Step "));
  drag_to (rig, 400);
  g_assert_true (shows (rig, "Stage 2 has no layer left"));
  drag_to (rig, -15);
  release (rig);
  g_assert_false (plg_document_is_previewing (rig->document));
  assert_layout (plg_document_committed_plan (rig->document), "Et*20|t*19|t*21|t*20L");
  g_assert_cmpstr (plg_document_undo_label (rig->document), ==,
                   "Stage 1: 19 layers · stage 2: 21 layers");
  g_assert_true (plg_document_undo (rig->document));
  assert_layout (plg_document_plan (rig->document), "");
  g_assert_null (plg_document_undo_label (rig->document));
}

/* Several motions with the same number of layers evaluate the plan once. */
static void
test_one_preview_per_layer (Rig *rig, gconstpointer data)
{
  press_edge (rig, 1);
  for (int dy = 0; dy < 40; dy++)
    drag_to (rig, dy);
  g_assert_cmpint (rig->changes, ==, 3);
  release (rig);
}

/* Escape ends the drag without a change, and the release after it does nothing. */
static void
test_escape (Rig *rig, gconstpointer data)
{
  press_edge (rig, 0);
  drag_to (rig, 30);
  g_assert_true (press_key (rig, GDK_KEY_Escape, 0));
  g_assert_false (plg_document_is_previewing (rig->document));
  drag_to (rig, 60);
  release (rig);
  assert_layout (plg_document_plan (rig->document), "");
  g_assert_null (plg_document_undo_label (rig->document));
}

/* A change from elsewhere ends the drag. */
static void
test_other_change (Rig *rig, gconstpointer data)
{
  press_edge (rig, 0);
  drag_to (rig, 30);
  g_assert_true (plg_document_set (rig->document, "parallelism.pp", "2", NULL));
  drag_to (rig, 60);
  release (rig);
  assert_layout (plg_document_plan (rig->document), "");
  g_assert_cmpint (plg_document_plan (rig->document)->parallelism.degree[PLG_AXIS_PP], ==, 2);
}

/* Keys select a stage and move its layers; quick presses are one undo step. */
static void
test_keys (Rig *rig, gconstpointer data)
{
  const GdkModifierType both = GDK_CONTROL_MASK | GDK_SHIFT_MASK;
  PlgRect rect;

  g_assert_true (press_key (rig, GDK_KEY_Down, both));
  assert_layout (plg_document_plan (rig->document), "");
  g_assert_true (press_key (rig, GDK_KEY_Down, 0));
  g_assert_true (press_key (rig, GDK_KEY_Down, 0));
  g_assert_true (plg_picture_view_marked_rect (rig->view, &rect));
  g_assert_true (press_key (rig, GDK_KEY_Down, both));
  assert_layout (plg_document_plan (rig->document), "Et*20|t*19|t*21|t*20L");
  rig_until (shows (rig, "Stage 1: 19 layers · stage 2: 21 layers"));
  g_assert_true (press_key (rig, GDK_KEY_Up, both));
  g_assert_true (press_key (rig, GDK_KEY_Up, both));
  assert_layout (plg_document_plan (rig->document), "Et*22|t*17|t*21|t*20L");
  g_assert_true (plg_document_undo (rig->document));
  assert_layout (plg_document_plan (rig->document), "");

  /* The first stage has no stage before it. */
  g_assert_true (press_key (rig, GDK_KEY_Up, 0));
  g_assert_true (press_key (rig, GDK_KEY_Up, both));
  assert_layout (plg_document_plan (rig->document), "");
}

/* Without a pipeline there are no edges, and the keys keep their meaning. */
static void
test_no_pipeline (Rig *rig, gconstpointer data)
{
  PlgStageRows rows;

  g_assert_true (plg_document_set (rig->document, "parallelism.pp", "1", NULL));
  rig_next_frame (GTK_WIDGET (rig->view));
  g_assert_false (plg_picture_view_stage_rows (rig->view, &rows));
  g_assert_false (press_key (rig, GDK_KEY_Down, 0));
  g_assert_false (gtk_widget_get_focusable (GTK_WIDGET (rig->view)));
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (Rig *, gconstpointer);
  } tests[] = {
    { "drag", test_drag },     { "one-preview-per-layer", test_one_preview_per_layer },
    { "escape", test_escape }, { "other-change", test_other_change },
    { "keys", test_keys },     { "no-pipeline", test_no_pipeline },
  };
  static const char *const pictures[] = { "timeline", "memory" };

  if (!rig_init (&argc, &argv))
    return 0;
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (pictures); j++)
      {
        g_autofree char *path = g_strdup_printf ("/stage-edges/%s/%s", pictures[j], tests[i].path);

        g_test_add (path, Rig, pictures[j], set_up, tests[i].test, tear_down);
      }
  return g_test_run ();
}
