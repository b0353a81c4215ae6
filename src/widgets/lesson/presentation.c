/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/lesson/presentation.h"

#include "document/key-figure.h"
#include "drawing/figure/text.h"
#include "drawing/figure/theme.h"
#include "widgets/lesson/passage-list.h"
#include "widgets/lesson/choice-list.h"
#include "widgets/lesson/lesson-binding.h"
#include "widgets/widget-theme.h"

#include <glib/gi18n-lib.h>
#include <math.h>

struct _PlgPresentation
{
  GtkWidget parent_instance;

  PlgLessonBinding presented;
  int shown_step; /* the lesson step whose choices are shown, or -1 */
  int marked;     /* the choice that was marked with the presentation remote, or -1 */

  GtkWidget *content;
  GtkLabel *measure;
  GtkLabel *number;
  GtkLevelBar *level;
  GtkLabel *verdict;
  GtkLabel *degrees;
  GtkWidget *lesson;
  GtkLabel *step;
  PlgPassageList *question;
  GtkLabel *goal;
  GtkWidget *choices;
  PlgPassageList *because;
  GtkScrolledWindow *scroller;
  GtkLabel *hint;
  int frames_to_wait;
  guint choices_id; /* the tick callback that scrolls to the choices */
};

#define FRAMES_OF_LAYOUT 2 /* the number of frames until new widgets have been laid out */

G_DEFINE_FINAL_TYPE (PlgPresentation, plg_presentation, GTK_TYPE_WIDGET)

/* Key figure ----------------------------------------------------------------------------------- */

/* The widest key figures that fit at full size and at the next smaller size. Wider key figures
 * are shown at a still smaller size, so that the width of the column stays the same. */
#define WIDEST_TEXT_AT_FULL_SIZE "88.8\302\240%"
#define WIDEST_TEXT_AT_NEXT_SIZE "88.8\302\240GiB"

static gboolean
is_wider (const char *text, const char *than)
{
  return plg_text_width (text, 1, TRUE) > plg_text_width (than, 1, TRUE);
}

/* Degrees -------------------------------------------------------------------------------------- */

/* Returns whether each group of AXIS has all its ranks on one node. */
static gboolean
stays_in_nodes (const PlgPlan *plan, PlgAxis axis)
{
  int gpus = plg_cluster_gpus (&plan->cluster);
  g_autofree int *members = g_new (int, plan->parallelism.degree[axis]);

  for (int rank = 0; rank < gpus; rank++)
    {
      int degree = plan->parallelism.degree[axis], per_node = plan->cluster.gpus_per_node;
      int node;

      plg_axis_group_members (&plan->parallelism, axis, rank, members);
      node = plg_placement_gpu (&plan->placement, members[0]) / per_node;
      for (int i = 1; i < degree; i++)
        if (plg_placement_gpu (&plan->placement, members[i]) / per_node != node)
          return FALSE;
    }
  return TRUE;
}

/* Returns the outermost axis with a degree above 1. The groups of this axis span the whole
 * cluster. */
static PlgAxis
outermost (const PlgParallelism *parallelism)
{
  for (int i = PLG_N_NESTED_AXES - 1; i > 0; i--)
    if (parallelism->degree[parallelism->order[i]] > 1)
      return parallelism->order[i];
  return parallelism->order[0];
}

static const char *
describe_reach (const PlgPlan *plan, PlgAxis axis)
{
  if (stays_in_nodes (plan, axis))
    return _ ("inside the node");
  return axis == outermost (&plan->parallelism) ? _ ("across the cluster") : _ ("across nodes");
}

/* Lesson --------------------------------------------------------------------------------------- */

static GtkWidget *
nth_choice (PlgPresentation *self, int n)
{
  GtkWidget *choice = gtk_widget_get_first_child (self->choices);

  for (int i = 0; choice != NULL && i < n; i++)
    choice = gtk_widget_get_next_sibling (choice);
  return n >= 0 ? choice : NULL;
}

/* Scrolls until all choices are visible or, if there is not enough room, until the marked choice
 * is visible. Waits a few frames first, because the hint about how to answer takes up space only
 * after it has been laid out. */
static gboolean
show_choices_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  PlgPresentation *self = PLG_PRESENTATION (widget);
  GtkAdjustment *text = gtk_scrolled_window_get_vadjustment (self->scroller);
  double page = gtk_adjustment_get_page_size (text), y, below;
  GtkWidget *part = nth_choice (self, self->marked);

  if (part != NULL && self->frames_to_wait-- > 0)
    return G_SOURCE_CONTINUE;
  self->choices_id = 0;
  if (gtk_widget_get_height (self->choices) <= page)
    part = part != NULL ? self->choices : NULL;
  if (part == NULL ||
      !gtk_widget_translate_coordinates (part, GTK_WIDGET (self->scroller), 0, 0, NULL, &y))
    return G_SOURCE_REMOVE;
  below = y + gtk_widget_get_height (part) - page;
  if (y < 0 || below > 0)
    gtk_adjustment_set_value (text, gtk_adjustment_get_value (text) + (y < 0 ? y : below));
  return G_SOURCE_REMOVE;
}

/* Marks CHOICE and shows how to answer. Focuses the choice, so that it is scrolled into view and
 * a screen reader reads it aloud. */
static void
set_marked (PlgPresentation *self, int choice)
{
  GtkWidget *before = nth_choice (self, self->marked), *button = nth_choice (self, choice);
  g_autofree char *words = g_strdup_printf (_ ("Press Page Down or Page Up to select another "
                                               "answer, and B to answer with %d. You can also "
                                               "press a digit or click."),
                                            choice + 1);

  if (before != NULL)
    plg_widget_set_css_class (before, "marked", FALSE);
  self->marked = choice;
  gtk_widget_set_visible (GTK_WIDGET (self->hint), button != NULL);
  if (button == NULL)
    return;
  plg_widget_set_css_class (button, "marked", TRUE);
  gtk_label_set_label (self->hint, words);
  gtk_widget_grab_focus (button);
  if (before == NULL)
    {
      self->frames_to_wait = FRAMES_OF_LAYOUT;
      if (self->choices_id == 0)
        self->choices_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), show_choices_cb, NULL,
                                                         NULL);
    }
}

static void
show_lesson (PlgPresentation *self)
{
  const PlgLessonStep *step;
  const GPtrArray *passages;

  gtk_widget_set_visible (self->lesson, self->presented.run != NULL);
  if (self->presented.run == NULL)
    return;
  step = plg_lesson_run_step (self->presented.run);
  if (self->shown_step != plg_lesson_run_position (self->presented.run))
    {
      /* Start each step at the top. If a choice of the previous step had the focus, move the
       * focus to the new choices. */
      gboolean had_focus = gtk_widget_get_focus_child (self->choices) != NULL;
      GtkWidget *first;

      set_marked (self, -1);
      plg_choice_list_fill (GTK_BOX (self->choices), self->presented.run);
      self->shown_step = plg_lesson_run_position (self->presented.run);
      first = gtk_widget_get_first_child (self->choices);
      if (had_focus && first != NULL)
        gtk_widget_grab_focus (first);
      gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller), 0);
    }
  gtk_label_set_label (self->step, step->title);
  passages = step->question != NULL ? step->question->prompt
             : step->goal != NULL   ? step->goal->text
                                    : step->text;
  plg_passage_list_show (self->question, self->presented.run,
                         step->question == NULL && step->goal != NULL ? PLG_LESSON_GOAL
                                                                      : PLG_LESSON_STEP,
                         passages);

  /* Show the goal with its current state, because a goal without its state would look like a
   * statement of fact. */
  gboolean has_goal = step->goal != NULL && !plg_lesson_run_needs_answer (self->presented.run);
  g_autofree char *state = has_goal ? plg_lesson_run_goal_text (self->presented.run) : NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->goal), has_goal);
  if (has_goal)
    gtk_label_set_label (self->goal, state);
  plg_widget_set_css_class (GTK_WIDGET (self->goal), "reached",
                            has_goal && plg_lesson_run_is_goal_reached (self->presented.run));

  const PlgQuestion *question = step->question;
  int shown = question != NULL ? plg_lesson_run_shown_choice (self->presented.run) : -1;

  gtk_widget_set_visible (GTK_WIDGET (self->because), shown >= 0);
  if (question != NULL)
    plg_choice_list_mark (GTK_BOX (self->choices), self->presented.run);
  if (shown < 0)
    {
      plg_passage_list_clear (self->because);
      return;
    }
  set_marked (self, -1);
  plg_passage_list_show (self->because, self->presented.run, PLG_LESSON_ANSWER,
                         ((const PlgTrialChange *) question->choices->pdata[shown])->because);
}

/* Scrolling ------------------------------------------------------------------------------------ */

/* Returns the next scroll position. This is the start of the explanation if the start is visible
 * but not at the top of the page. Otherwise, it is the next page, with an overlap of a few
 * lines. */
static double
next_page (PlgPresentation *self, double value, double page)
{
  double next = value + 0.9 * page, y;

  if (gtk_widget_get_visible (GTK_WIDGET (self->because)) &&
      gtk_widget_translate_coordinates (GTK_WIDGET (self->because), GTK_WIDGET (self->scroller), 0,
                                        0, NULL, &y) &&
      y > 0.1 * page && value + y < next)
    return value + y;
  return next;
}

gboolean
plg_presentation_scroll (PlgPresentation *self, int direction)
{
  GtkAdjustment *text;
  double value, page, last;

  g_return_val_if_fail (PLG_IS_PRESENTATION (self), FALSE);

  text = gtk_scrolled_window_get_vadjustment (self->scroller);
  value = gtk_adjustment_get_value (text);
  page = gtk_adjustment_get_page_size (text);
  last = gtk_adjustment_get_upper (text) - page;
  if (direction > 0 ? value >= last - 1 : value <= 1)
    return FALSE;
  gtk_adjustment_set_value (text,
                            direction > 0 ? next_page (self, value, page) : value - 0.9 * page);
  return TRUE;
}

int
plg_presentation_marked (PlgPresentation *self)
{
  g_return_val_if_fail (PLG_IS_PRESENTATION (self), -1);
  return self->marked;
}

gboolean
plg_presentation_mark (PlgPresentation *self, int direction)
{
  int choice;

  g_return_val_if_fail (PLG_IS_PRESENTATION (self), FALSE);

  choice = self->marked + direction;
  if (choice >= 0 && nth_choice (self, choice) == NULL)
    return FALSE;
  set_marked (self, MAX (choice, -1));
  return choice >= 0;
}

static void
update (gpointer data)
{
  PlgPresentation *self = data;

  /* Show neither a value nor a bar for a hidden number. */
  g_auto (PlgKeyFigure) figure = plg_key_figure (self->presented.document, self->presented.run);
  gboolean is_long = !figure.is_hidden && is_wider (figure.text, WIDEST_TEXT_AT_FULL_SIZE);
  gboolean is_longer = is_long && is_wider (figure.text, WIDEST_TEXT_AT_NEXT_SIZE);

  gtk_label_set_label (self->measure, figure.title);
  gtk_label_set_label (self->number, figure.text);
  plg_widget_set_css_class (GTK_WIDGET (self->number), "hidden", figure.is_hidden);
  plg_widget_set_css_class (GTK_WIDGET (self->number), "long", is_long && !is_longer);
  plg_widget_set_css_class (GTK_WIDGET (self->number), "longer", is_longer);
  gtk_widget_set_visible (GTK_WIDGET (self->level), isfinite (figure.share));
  if (isfinite (figure.share))
    gtk_level_bar_set_value (self->level, CLAMP (figure.share, 0, 1));
  plg_widget_set_css_class (GTK_WIDGET (self->level), "over", figure.share > 1);
  gtk_widget_set_visible (GTK_WIDGET (self->verdict), figure.verdict != NULL);
  gtk_label_set_label (self->verdict, figure.verdict != NULL ? figure.verdict : "");
  plg_widget_set_css_class (GTK_WIDGET (self->verdict), "error", figure.fails);
  plg_widget_set_css_class (GTK_WIDGET (self->verdict), "success", !figure.fails);

  const PlgPlan *plan = plg_document_plan (self->presented.document);
  g_autoptr (GString) text = g_string_new (NULL);
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_PROJECTOR);
  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    if (plan->parallelism.degree[axis] > 1)
      {
        /* Build a text such as "TP 8 inside the node", with the degree in the colour of its
         * axis. */
        const PlgColor *color = &theme.role[PLG_ROLE_AXIS_TP + axis];
        g_autofree char *degree = g_strdup_printf ("%s %d", plg_axis_label (axis),
                                                   plan->parallelism.degree[axis]);
        g_autofree char *hex = g_strdup_printf ("#%02x%02x%02x", (int) lround (color->red * 255),
                                                (int) lround (color->green * 255),
                                                (int) lround (color->blue * 255));
        g_autofree char *line = g_markup_printf_escaped ("<span color=\"%s\"><b>%s</b></span> %s",
                                                         hex, degree, describe_reach (plan, axis));

        g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
      }
  gtk_label_set_markup (self->degrees, text->str);

  show_lesson (self);
}

/* Object --------------------------------------------------------------------------------------- */

void
plg_presentation_show (PlgPresentation *self, PlgDocument *document, PlgLessonRun *run)
{
  g_return_if_fail (PLG_IS_PRESENTATION (self));

  self->shown_step = -1;
  plg_lesson_binding_set (&self->presented, document, run, update, self);
}

/* Measures the text. The width depends only on the window, so that the cluster does not move
 * between steps. */
static void
plg_presentation_measure (GtkWidget *widget,
                          GtkOrientation orientation,
                          int for_size,
                          int *minimum,
                          int *natural,
                          int *minimum_baseline,
                          int *natural_baseline)
{
  gtk_widget_measure (PLG_PRESENTATION (widget)->content, orientation, for_size, minimum, natural,
                      NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *natural = *minimum;
}

static void
plg_presentation_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  gtk_widget_allocate (PLG_PRESENTATION (widget)->content, width, height, baseline, NULL);
}

static void
plg_presentation_dispose (GObject *object)
{
  PlgPresentation *self = PLG_PRESENTATION (object);

  plg_presentation_show (self, NULL, NULL);
  if (self->choices_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->choices_id);
  self->choices_id = 0;
  g_clear_pointer (&self->content, gtk_widget_unparent);
  G_OBJECT_CLASS (plg_presentation_parent_class)->dispose (object);
}

static void
plg_presentation_class_init (PlgPresentationClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_presentation_dispose;
  g_type_ensure (PLG_TYPE_PASSAGE_LIST);
  gtk_widget_class_set_css_name (widget_class, "presentation");
  widget_class->measure = plg_presentation_measure;
  widget_class->size_allocate = plg_presentation_size_allocate;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parallelogram/Parallelogram/ui/"
                                                             "presentation.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgPresentation, content);
  gtk_widget_class_bind_template_child (widget_class, PlgPresentation, measure);
  gtk_widget_class_bind_template_child (widget_class, PlgPresentation, number);
  gtk_widget_class_bind_template_child (widget_class, PlgPresentation, level);
  gtk_widget_class_bind_template_child (widget_class, PlgPresentation, verdict);
  gtk_widget_class_bind_template_child (widget_class, PlgPresentation, degrees);
  gtk_widget_class_bind_template_child (widget_class, PlgPresentation, lesson);
  gtk_widget_class_bind_template_child (widget_class, PlgPresentation, step);
  gtk_widget_class_bind_template_child (widget_class, PlgPresentation, question);
  gtk_widget_class_bind_template_child (widget_class, PlgPresentation, goal);
  gtk_widget_class_bind_template_child (widget_class, PlgPresentation, choices);
  gtk_widget_class_bind_template_child (widget_class, PlgPresentation, because);
  gtk_widget_class_bind_template_child (widget_class, PlgPresentation, scroller);
  gtk_widget_class_bind_template_child (widget_class, PlgPresentation, hint);
}

static void
plg_presentation_init (PlgPresentation *self)
{
  self->shown_step = -1;
  self->marked = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
  plg_passage_list_set_words_only (self->question, TRUE);
  plg_passage_list_set_words_only (self->because, TRUE);
}
