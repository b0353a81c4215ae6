/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "presentation-rig.h"

#include "app-rig.h"

#include "drawing/figure/text.h"
#include "widgets/inspector/inspector.h"
#include "widgets/panels/panels.h"
#include "widgets/lesson/presentation.h"

#include <string.h>

void
presentation_rig_set_up (PresentationRig *rig, gconstpointer data)
{
  rig->window = plg_window_new ((PlgApplication *) data);
  gtk_window_set_default_size (GTK_WINDOW (rig->window), 1024, 768);
  gtk_window_present (GTK_WINDOW (rig->window));
  rig_until (gtk_widget_get_mapped (GTK_WIDGET (plg_window_canvas (rig->window))));
  rig_next_frame (GTK_WIDGET (rig->window));
}

void
presentation_rig_tear_down (PresentationRig *rig, gconstpointer data)
{
  g_object_add_weak_pointer (G_OBJECT (rig->window), (gpointer *) &rig->window);
  rig_destroy (GTK_WINDOW (rig->window));
  rig_until (rig->window == NULL);
}

GtkWidget *
presentation_rig_find (PresentationRig *rig, GType type)
{
  return rig_find (GTK_WIDGET (rig->window), type, NULL, NULL);
}

gboolean
presentation_rig_is_mapped (PresentationRig *rig, GType type)
{
  GtkWidget *widget = presentation_rig_find (rig, type);

  return widget != NULL && gtk_widget_get_mapped (widget);
}

gboolean
presentation_rig_press (PresentationRig *rig, guint key)
{
  GListModel *controllers = gtk_widget_observe_controllers (GTK_WIDGET (rig->window));
  gboolean done = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !done; i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller) &&
          gtk_event_controller_get_propagation_phase (controller) == GTK_PHASE_CAPTURE)
        g_signal_emit_by_name (controller, "key-pressed", key, 0, 0, &done);
    }
  g_object_unref (controllers);
  return done;
}

static gboolean
is_at_rest (GtkWidget *flap)
{
  return adw_flap_get_reveal_progress (ADW_FLAP (flap)) ==
         (adw_flap_get_reveal_flap (ADW_FLAP (flap)) ? 1 : 0);
}

/* A flap does not report its fold progress. The last three frames move less than a pixel each, so a
 * width must be stable for more frames. */
#define FRAMES_OF_REST 12

static void
stand_still (PresentationRig *rig, GtkWidget *widget)
{
  int width = -1, frames = 0;

  for (int i = 0; i < 600 && frames < FRAMES_OF_REST; i++)
    {
      rig_next_frame (GTK_WIDGET (rig->window));
      frames = gtk_widget_get_width (widget) == width ? frames + 1 : 0;
      width = gtk_widget_get_width (widget);
    }
  g_assert_cmpint (frames, ==, FRAMES_OF_REST);
}

void
presentation_rig_come_to_rest (PresentationRig *rig)
{
  GtkWidget *panels = presentation_rig_find (rig, ADW_TYPE_FLAP);
  GtkWidget *inspector = rig_find (adw_flap_get_content (ADW_FLAP (panels)), ADW_TYPE_FLAP, NULL,
                                   NULL);

  rig_until (is_at_rest (panels) && is_at_rest (inspector));
  stand_still (rig, adw_flap_get_content (ADW_FLAP (inspector)));
}

void
presentation_rig_present (PresentationRig *rig)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.present", NULL));
  rig_until (presentation_rig_is_mapped (rig, PLG_TYPE_PRESENTATION));
  rig_until (!presentation_rig_is_mapped (rig, PLG_TYPE_PANELS) &&
             !presentation_rig_is_mapped (rig, PLG_TYPE_INSPECTOR));
  rig_next_frame (GTK_WIDGET (rig->window));
}

void
presentation_rig_check_labels (GtkWidget *widget, double least)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (GTK_IS_LABEL (widget) && *gtk_label_get_text (GTK_LABEL (widget)) != '\0')
    {
      const PangoFontDescription
          *font = pango_context_get_font_description (gtk_widget_get_pango_context (widget));

      g_assert_true (pango_font_description_get_size_is_absolute (font));
      g_assert_cmpfloat (pango_font_description_get_size (font) / (double) PANGO_SCALE, >=, least);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    presentation_rig_check_labels (child, least);
}

int
presentation_rig_check_figure (const PlgFigure *figure, double zoom, double least)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind != PLG_SHAPE_TEXT)
        continue;
      n++;
      g_assert_cmpfloat (shape->font_size * zoom, >=, least);
    }
  return n;
}

static double
start_of (const PlgShape *shape, double width)
{
  return shape->at.x - (shape->anchor == PLG_ANCHOR_END      ? width
                        : shape->anchor == PLG_ANCHOR_MIDDLE ? width / 2
                                                             : 0);
}

static void
check_apart (const PlgShape *a, const PlgShape *b)
{
  double first = plg_text_width (a->text, a->font_size, a->bold);
  double second = plg_text_width (b->text, b->font_size, b->bold);

  if (ABS (a->at.y - b->at.y) < a->font_size)
    g_assert_true (start_of (a, first) + first <= start_of (b, second) ||
                   start_of (b, second) + second <= start_of (a, first));
}

void
presentation_rig_check_legend (PresentationRig *rig)
{
  const PlgFigure *figure = plg_canvas_legend_figure (plg_window_canvas (rig->window));

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    for (int j = 0; j < i; j++)
      if (plg_figure_shape (figure, i)->kind == PLG_SHAPE_TEXT &&
          plg_figure_shape (figure, j)->kind == PLG_SHAPE_TEXT)
        check_apart (plg_figure_shape (figure, i), plg_figure_shape (figure, j));
}

void
presentation_rig_check_sizes (PresentationRig *rig)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  double least = PRESENTATION_RIG_LEAST * gtk_widget_get_height (GTK_WIDGET (rig->window));

  presentation_rig_check_labels (GTK_WIDGET (rig->window), least);
  /* Every rank and node still has a name. */
  g_assert_cmpint (presentation_rig_check_figure (plg_canvas_figure (canvas),
                                                  plg_canvas_get_zoom (canvas), least),
                   >=, 64 + 8);
  g_assert_cmpint (presentation_rig_check_figure (plg_canvas_legend_figure (canvas), 1, least), >,
                   0);
}

void
presentation_rig_check_all_texts (PresentationRig *rig)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  double least = PRESENTATION_RIG_LEAST * gtk_widget_get_height (GTK_WIDGET (rig->window));

  presentation_rig_check_labels (GTK_WIDGET (rig->window), least);
  presentation_rig_check_figure (plg_canvas_figure (canvas), plg_canvas_get_zoom (canvas), least);
  presentation_rig_check_figure (plg_canvas_legend_figure (canvas), 1, least);
  presentation_rig_check_legend (rig);
}

void
presentation_rig_resize (PresentationRig *rig, int width, int height)
{
  gtk_window_set_default_size (GTK_WINDOW (rig->window), width, height);
  /* Without a window manager, the height excludes the shadows. */
  rig_until (ABS (gtk_widget_get_height (GTK_WIDGET (rig->window)) - height) < 20);
  for (int i = 0; i < 4; i++)
    rig_next_frame (GTK_WIDGET (rig->window));
}

PlgLesson *
presentation_rig_lesson (GPtrArray *lessons)
{
  for (guint i = 0; i < lessons->len; i++)
    if (strcmp (((PlgLesson *) lessons->pdata[i])->id, "pipeline") == 0)
      return lessons->pdata[i];
  g_assert_not_reached ();
}

GObject *
presentation_rig_part (PresentationRig *rig, const char *name)
{
  return gtk_widget_get_template_child (presentation_rig_find (rig, PLG_TYPE_PRESENTATION),
                                        PLG_TYPE_PRESENTATION, name);
}

GtkWidget *
presentation_rig_choice (PresentationRig *rig, int n)
{
  GtkWidget *choice = gtk_widget_get_first_child (GTK_WIDGET (presentation_rig_part (rig,
                                                                                     "choices")));

  for (int i = 0; i < n; i++)
    choice = gtk_widget_get_next_sibling (choice);
  return choice;
}

const char *
presentation_rig_text (GtkWidget *choice)
{
  return gtk_label_get_text (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (choice))));
}

gboolean
presentation_rig_is_answered (PresentationRig *rig)
{
  return gtk_widget_get_mapped (GTK_WIDGET (presentation_rig_part (rig, "because")));
}

int
presentation_rig_run (int *argc, char ***argv, const PresentationRigCase *cases, gsize n)
{
  g_autoptr (PlgApplication) application = app_rig_application (argc, argv);

  if (application == NULL)
    return 0;
  for (gsize i = 0; i < n; i++)
    g_test_add (cases[i].path, PresentationRig, application, presentation_rig_set_up, cases[i].test,
                presentation_rig_tear_down);
  return g_test_run ();
}
