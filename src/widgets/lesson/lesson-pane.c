/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/lesson/lesson-pane.h"

#include "lessons/lesson-library.h"
#include "io/reports/plan-sentences.h"
#include "widgets/lesson/passage-list.h"
#include "widgets/lesson/choice-list.h"
#include "widgets/accessible-names.h"
#include "widgets/widget-theme.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

/* the space above an answer after scrolling, as a fraction of the page height */
#define SPACE_ABOVE_ANSWER 0.4
#define FRAMES_OF_LAYOUT 2 /* the number of frames until new widgets have been laid out */

struct _PlgLessonPane
{
  GtkWidget parent_instance;

  PlgLessonRun *run;
  char *palette;
  int shown_step; /* the lesson step for which the current widgets were created; a change within
                     this step updates only their labels */
  int shown_choice;
  gboolean is_new_step; /* whether to scroll to the start of a new step instead of to an answer */
  int frames_to_wait;
  guint reading_id;

  GtkWidget *content;
  GtkLabel *place; /* the lesson and the current step, for example "Reading a pipeline · 2 of 5" */
  GtkWidget *head; /* a container that takes the focus, because a label is not focusable */
  GtkLabel *title;
  GtkScrolledWindow *scroller;
  GtkLabel *given; /* the notice that the lesson has replaced the user's plan */
  PlgPassageList *text;
  GtkWidget *question_box;
  PlgPassageList *prompt;
  GtkWidget *choices;
  GtkWidget *said; /* a container that takes the focus, because a label is not focusable */
  GtkLabel *verdict;
  PlgPassageList *because;
  GtkWidget *reflect_box;
  PlgPassageList *reflect;
  GtkTextView *reflection;
  GtkWidget *goal_box;
  PlgPassageList *goal;
  GtkLabel *goal_state;
  PlgPassageList *after;
  GtkWidget *back;
  GtkWidget *again;
  GtkWidget *next;
};

G_DEFINE_FINAL_TYPE (PlgLessonPane, plg_lesson_pane, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_PALETTE,
  N_PROPS,
};

enum
{
  FINISHED,
  N_SIGNALS,
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

static const PlgQuestion *
question_of (PlgLessonPane *self)
{
  return plg_lesson_run_step (self->run)->question;
}

/* Reflections ---------------------------------------------------------------------------------- */

static void
reflection_changed_cb (PlgLessonPane *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->reflection);
  GtkTextIter start, end;
  g_autofree char *text = NULL;

  if (self->run == NULL || question_of (self) == NULL)
    return;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  plg_lesson_run_reflect (self->run, question_of (self)->id, text);
}

/* Saves the reflection when the focus leaves the text field. */
static void
reflection_left_cb (PlgLessonPane *self)
{
  if (self->run != NULL)
    plg_lesson_run_flush (self->run);
}

/* The step ------------------------------------------------------------------------------------- */

static void
show_goal (PlgLessonPane *self)
{
  const PlgGoal *goal = plg_lesson_run_step (self->run)->goal;
  gboolean reached = plg_lesson_run_is_goal_reached (self->run);
  gboolean is_shown = goal != NULL && !plg_lesson_run_needs_answer (self->run);

  gtk_widget_set_visible (self->goal_box, is_shown);
  if (!is_shown)
    {
      /* Hide the goal while a question is open, because the goal would reveal the answer. */
      plg_passage_list_clear (self->goal);
      gtk_label_set_label (self->goal_state, "");
      return;
    }
  plg_passage_list_show (self->goal, self->run, PLG_LESSON_GOAL, goal->text);

  /* Show each line of the goal as a bullet point. */
  g_autofree char *text = plg_lesson_run_goal_text (self->run);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char *joined = g_strjoinv ("\n•  ", lines);
  g_autofree char *state = g_strconcat ("•  ", joined, NULL);

  gtk_label_set_label (self->goal_state, state);
  plg_widget_set_css_class (self->goal_box, "reached", reached);
}

static gboolean
is_done (PlgLessonPane *self)
{
  const PlgLessonStep *step = plg_lesson_run_step (self->run);

  return !plg_lesson_run_needs_answer (self->run) &&
         (step->goal == NULL || plg_lesson_run_is_goal_reached (self->run));
}

/* Returns the label of the button Next. Until the question is answered, the button scrolls to the
 * question, which may be far down the page. */
static const char *
next_button_label (PlgLessonPane *self)
{
  if (plg_lesson_run_needs_answer (self->run))
    return _ ("Go to _Question");
  return plg_lesson_run_next_step (self->run) == NULL ? _ ("_Finish") : _ ("_Next");
}


/* Returns the next widget to focus: the explanation of an answer, the heading of a step whose
 * question is open, or the button Next. The choices of an open question do not get the focus,
 * because Return would then answer an unread question, and an answer cannot be changed. */
static GtkWidget *
next_focus_widget (PlgLessonPane *self)
{
  if (plg_lesson_run_shown_choice (self->run) >= 0 && !self->is_new_step)
    return self->said;
  return plg_lesson_run_needs_answer (self->run) ? self->head : self->next;
}

/* Scrolls to the start of a new step or to an answer, and sets the focus. Waits FRAMES_OF_LAYOUT
 * frames first, because new widgets must be laid out before their position is known. */
static gboolean
scroll_to_next_part_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  PlgLessonPane *self = PLG_LESSON_PANE (widget);

  if (self->run != NULL && self->frames_to_wait-- > 0)
    return G_SOURCE_CONTINUE;
  self->reading_id = 0;
  /* Do nothing while a presentation hides the pane, because the presentation keeps the focus. */
  if (self->run == NULL || !gtk_widget_get_mapped (widget))
    return G_SOURCE_REMOVE;
  /* Set the scroll position after focusing, because focusing also scrolls. */
  GtkAdjustment *scroll = gtk_scrolled_window_get_vadjustment (self->scroller);
  double value = gtk_adjustment_get_value (scroll), y;

  if (self->is_new_step)
    value = 0;
  else if (gtk_widget_translate_coordinates (self->said, GTK_WIDGET (self->scroller), 0, 0, NULL,
                                             &y))
    value += MAX (y - SPACE_ABOVE_ANSWER * gtk_adjustment_get_page_size (scroll), 0);

  gtk_widget_grab_focus (next_focus_widget (self));
  gtk_adjustment_set_value (scroll, value);
  return G_SOURCE_REMOVE;
}

static void
scroll_to_next_part (PlgLessonPane *self, gboolean is_new_step)
{
  self->is_new_step = is_new_step;
  self->frames_to_wait = FRAMES_OF_LAYOUT;
  if (self->reading_id == 0)
    self->reading_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), scroll_to_next_part_cb,
                                                     NULL, NULL);
}

static void
begin_step (PlgLessonPane *self)
{
  self->shown_step = plg_lesson_run_position (self->run);

  const PlgLesson *lesson = plg_lesson_run_lesson (self->run);
  g_autofree char *count = g_strdup_printf (_ ("%d of %u"), plg_lesson_run_position (self->run) + 1,
                                            lesson->steps->len);
  g_autofree char *place = g_markup_printf_escaped ("%s · <span allow_breaks='false'>%s</span>",
                                                    lesson->title, count);

  gtk_label_set_markup (self->place, place);
  gtk_label_set_label (self->title, plg_lesson_run_step (self->run)->title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->head), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  gtk_label_get_label (self->title), -1);

  /* If the previous goal was not reached, state that the lesson has replaced the plan. */
  const PlgPlan *plan = plg_lesson_run_numbers (self->run, PLG_LESSON_STEP).plan;
  g_autofree char *degrees = plg_degrees_describe (plan->parallelism.degree, NULL);
  g_autofree char *words =
      g_strdup_printf (_ ("The previous goal was not reached. This step continues with a plan "
                          "from the lesson: %s."),
                       degrees);

  gtk_label_set_label (self->given, words);
  gtk_widget_set_visible (GTK_WIDGET (self->given), plg_lesson_run_has_fallback_plan (self->run));

  plg_choice_list_fill (GTK_BOX (self->choices), self->run);

  const PlgQuestion *question = question_of (self);
  g_autofree char *text = NULL;

  if (question != NULL)
    {
      plg_passage_list_show (self->reflect, self->run, PLG_LESSON_STEP, question->reflect);
      /* Copy the text, because gtk_text_buffer_set_text() first empties the buffer, and the
       * "changed" handler would then replace the stored reflection with an empty text. */
      text = g_strdup (plg_lesson_run_reflection (self->run, question->id));
      gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->reflection), text, -1);
    }

  scroll_to_next_part (self, TRUE);
  plg_passage_list_clear (self->because);
}

static void
update (PlgLessonPane *self)
{
  const PlgLessonStep *step;

  if (self->run == NULL)
    return;
  step = plg_lesson_run_step (self->run);
  if (self->shown_step != plg_lesson_run_position (self->run))
    begin_step (self);
  plg_passage_list_show (self->text, self->run, PLG_LESSON_STEP, step->text);

  const PlgQuestion *question = question_of (self);

  gtk_widget_set_visible (self->question_box, question != NULL);
  if (question != NULL)
    {
      plg_passage_list_show (self->prompt, self->run, PLG_LESSON_STEP, question->prompt);

      int shown = plg_lesson_run_shown_choice (self->run);

      plg_choice_list_mark (GTK_BOX (self->choices), self->run);
      gtk_widget_set_visible (self->said, shown >= 0);
      gtk_widget_set_visible (GTK_WIDGET (self->because), shown >= 0);
      gtk_widget_set_visible (self->reflect_box, shown >= 0 && question->reflect->len > 0);
      if (shown >= 0)
        {
          gtk_label_set_label (self->verdict, shown == question->right ? _ ("Right") : _ ("Wrong"));
          gtk_accessible_update_property (GTK_ACCESSIBLE (self->said),
                                          GTK_ACCESSIBLE_PROPERTY_LABEL,
                                          gtk_label_get_label (self->verdict), -1);
          plg_widget_set_css_class (GTK_WIDGET (self->verdict), "success",
                                    shown == question->right);
          plg_widget_set_css_class (GTK_WIDGET (self->verdict), "error", shown != question->right);
          plg_passage_list_show (self->because, self->run, PLG_LESSON_ANSWER,
                                 ((const PlgTrialChange *) question->choices->pdata[shown])
                                     ->because);
        }
    }

  show_goal (self);
  gtk_widget_set_visible (GTK_WIDGET (self->after), is_done (self) && step->after->len > 0);
  if (is_done (self))
    plg_passage_list_show (self->after, self->run, PLG_LESSON_AFTER, step->after);
  else
    plg_passage_list_clear (self->after);
  gtk_widget_set_sensitive (self->back, plg_lesson_run_can_go (self->run, -1));
  gtk_button_set_label (GTK_BUTTON (self->next), next_button_label (self));
  plg_accessible_name_buttons (self->next);
  plg_widget_set_css_class (self->next, "suggested-action", is_done (self));
  gtk_widget_set_tooltip_text (self->next, plg_lesson_run_needs_answer (self->run)
                                               ? _ ("Answer the question first")
                                               : NULL);
}

static void
run_changed_cb (PlgLessonPane *self)
{
  int choice = plg_lesson_run_shown_choice (self->run);
  gboolean answered = self->shown_step == plg_lesson_run_position (self->run) && choice >= 0 &&
                      choice != self->shown_choice;

  self->shown_choice = choice;
  update (self);
  if (answered)
    scroll_to_next_part (self, FALSE);
}

/* Buttons -------------------------------------------------------------------------------------- */

gboolean
plg_lesson_pane_go (PlgLessonPane *self, int direction)
{
  g_return_val_if_fail (PLG_IS_LESSON_PANE (self), FALSE);

  if (self->run == NULL)
    return FALSE;
  if (plg_lesson_run_go (self->run, direction))
    return TRUE;
  if (direction < 0 || plg_lesson_run_needs_answer (self->run))
    return FALSE;
  g_signal_emit (self, signals[FINISHED], 0);
  return TRUE;
}

/* Handles Page Up and Page Down. These keys go to another lesson step only if the text cannot be
 * scrolled further in that direction. */
static gboolean
page_cb (PlgLessonPane *self, guint key, guint code, GdkModifierType modifiers)
{
  GtkAdjustment *text = gtk_scrolled_window_get_vadjustment (self->scroller);
  double value = gtk_adjustment_get_value (text);
  double last = gtk_adjustment_get_upper (text) - gtk_adjustment_get_page_size (text);
  gboolean down = key == GDK_KEY_Page_Down || key == GDK_KEY_KP_Page_Down;
  gboolean up = key == GDK_KEY_Page_Up || key == GDK_KEY_KP_Page_Up;

  if ((modifiers & gtk_accelerator_get_default_mod_mask ()) != 0 ||
      gtk_widget_has_focus (GTK_WIDGET (self->reflection)))
    return FALSE;
  if (down && value >= last - 1)
    return plg_lesson_pane_go (self, 1);
  return up && value <= 1 && plg_lesson_pane_go (self, -1);
}

/* Handles the keys 1 to 8. Each key selects the choice with that number. */
static gboolean
choice_cb (PlgLessonPane *self, guint key, guint code, GdkModifierType modifiers)
{
  int choice = (int) key - GDK_KEY_1;

  if (self->run == NULL || question_of (self) == NULL ||
      (modifiers & gtk_accelerator_get_default_mod_mask ()) != 0 ||
      gtk_widget_has_focus (GTK_WIDGET (self->reflection)))
    return FALSE;
  return choice >= 0 && plg_lesson_run_choose (self->run, choice);
}

static void
next_cb (PlgLessonPane *self)
{
  if (plg_lesson_run_needs_answer (self->run))
    {
      /* Scroll to the first line of the question. Show the focus ring on the first choice, even
       * if the user clicked the button Next with the pointer. */
      GtkAdjustment *text = gtk_scrolled_window_get_vadjustment (self->scroller);
      double value = gtk_adjustment_get_value (text), y;

      if (!gtk_widget_translate_coordinates (self->question_box, GTK_WIDGET (self->scroller), 0, 0,
                                             NULL, &y))
        return;
      /* Set the scroll position after focusing, because focusing also scrolls. */
      gtk_widget_grab_focus (gtk_widget_get_first_child (self->choices));
      gtk_window_set_focus_visible (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), TRUE);
      gtk_adjustment_set_value (text, value + y);
    }
  else
    plg_lesson_pane_go (self, 1);
}

static void
back_cb (PlgLessonPane *self)
{
  plg_lesson_pane_go (self, -1);
}

static void
again_cb (PlgLessonPane *self)
{
  plg_lesson_run_restart_step (self->run);
}

/* Object --------------------------------------------------------------------------------------- */

static void
plg_lesson_pane_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_PALETTE)
    g_value_set_string (value, PLG_LESSON_PANE (object)->palette);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
plg_lesson_pane_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  PlgLessonPane *self = PLG_LESSON_PANE (object);
  PlgPassageList *lists[] = { self->text, self->prompt,  self->because,
                              self->goal, self->reflect, self->after };

  if (id != PROP_PALETTE)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
    }
  g_free (self->palette);
  self->palette = g_value_dup_string (value);
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    plg_passage_list_set_palette (lists[i], self->palette);
}

static void
plg_lesson_pane_dispose (GObject *object)
{
  PlgLessonPane *self = PLG_LESSON_PANE (object);

  plg_lesson_pane_set_run (self, NULL);
  if (self->reading_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->reading_id);
  self->reading_id = 0;
  g_clear_pointer (&self->palette, g_free);
  g_clear_pointer (&self->content, gtk_widget_unparent);
  G_OBJECT_CLASS (plg_lesson_pane_parent_class)->dispose (object);
}

static void
plg_lesson_pane_class_init (PlgLessonPaneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = plg_lesson_pane_get_property;
  object_class->set_property = plg_lesson_pane_set_property;
  object_class->dispose = plg_lesson_pane_dispose;
  properties[PROP_PALETTE] = g_param_spec_string ("palette", NULL, NULL, NULL,
                                                  G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[FINISHED] = g_signal_new ("finished", PLG_TYPE_LESSON_PANE, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 0);
  g_type_ensure (PLG_TYPE_PASSAGE_LIST);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "lessonpane");
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parallelogram/Parallelogram/ui/"
                                                             "lesson-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, content);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, place);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, head);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, title);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, scroller);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, given);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, text);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, question_box);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, prompt);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, choices);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, said);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, verdict);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, because);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, reflect_box);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, reflect);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, reflection);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, goal_box);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, goal);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, goal_state);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, after);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, back);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, again);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonPane, next);
  gtk_widget_class_bind_template_callback (widget_class, next_cb);
  gtk_widget_class_bind_template_callback (widget_class, back_cb);
  gtk_widget_class_bind_template_callback (widget_class, again_cb);
}

static void
plg_lesson_pane_init (PlgLessonPane *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plg_accessible_name_buttons (GTK_WIDGET (self));
  self->shown_step = -1;
  self->shown_choice = -1;

  GtkEventController *focus = gtk_event_controller_focus_new ();

  g_signal_connect_object (gtk_text_view_get_buffer (self->reflection), "changed",
                           G_CALLBACK (reflection_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "leave", G_CALLBACK (reflection_left_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->reflection), focus);

  GtkEventController *page_keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (page_keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (page_keys, "key-pressed", G_CALLBACK (page_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->scroller), page_keys);

  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (choice_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

void
plg_lesson_pane_set_run (PlgLessonPane *self, PlgLessonRun *run)
{
  g_return_if_fail (PLG_IS_LESSON_PANE (self));

  if (self->run != NULL)
    g_signal_handlers_disconnect_by_func (self->run, run_changed_cb, self);
  g_set_object (&self->run, run);
  self->shown_step = -1;
  self->shown_choice = -1;
  if (run == NULL)
    return;
  g_signal_connect_object (run, "changed", G_CALLBACK (run_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (plg_lesson_run_document (run), "changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  update (self);
}
