/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/assertion.h"
#include "io/plan/plan-xml.h"

G_BEGIN_DECLS

/* A lesson, read from data/lessons or from a teacher's file. It consists of steps with text,
 * predictions, goals and changes to the open plan. The program does not change a lesson after
 * reading it. */

typedef enum
{
  PLG_SPAN_TEXT,
  PLG_SPAN_STRONG,
  PLG_SPAN_TERM,   /* a term in the glossary: REF is the id of the entry */
  PLG_SPAN_LINK,   /* a link to further reading: REF is the address, which the program itself
                      never fetches */
  PLG_SPAN_NUMBER, /* a number from the engine: REF is the name of the metric, whose value is
                      computed when the text is shown */
} PlgSpanKind;

typedef struct
{
  PlgSpanKind kind;
  char *text;      /* displayed text; NULL for a number */
  char *ref;       /* id, address or metric; NULL for plain text */
  char **settings; /* for a number: "KEY=VALUE" settings to apply to the plan first; NULL for the
                      unchanged plan */
  int line;
} PlgTextSpan;

typedef enum
{
  PLG_PASSAGE_PARAGRAPH,
  PLG_PASSAGE_ITEM,    /* a list item */
  PLG_PASSAGE_ROW,     /* a table row; adjacent rows form a table */
  PLG_PASSAGE_FORMULA, /* a formula, shown with the plan's numbers; OF is the id of the explanation
                          (engine/report/explanation.h) */
  PLG_PASSAGE_FIGURE,  /* a picture; OF is its name, which must be one that export --view accepts */
} PlgPassageKind;

#define PLG_LESSON_MAX_CELLS 6 /* the maximum number of cells in a row */

typedef struct
{
  PlgPassageKind kind;
  GPtrArray *spans; /* array of PlgTextSpan; for paragraphs and items */
  GPtrArray *cells; /* for a row: array of cells; each cell is a GPtrArray of PlgTextSpan */
  char *of;
  gboolean is_live; /* whether the numbers follow the open plan instead of the plan of the step */
  int line;
} PlgPassage;

/* The changes that a step or an answer makes to the open plan and to the view. */
typedef struct
{
  gboolean from_default;     /* whether to begin with the default plan instead of the open plan */
  char **settings;           /* "KEY=VALUE"; NULL to leave the plan unchanged */
  gboolean resets_placement; /* whether to reset the placement to the nesting order */
  char *show;                /* value of view.show, such as "tp", or NULL */
  char *links;               /* value of view.link-color, or NULL */
  char *page;                /* page to open: "timeline", "links" or "pairs", or NULL */
  int select;                /* number of the GPU to select, or -1 */
  int line;
  int view_line; /* line of the view settings in the file; 0 if the view is not changed */
} PlgStepSetup;

typedef struct
{
  char *id;
  GPtrArray *label;    /* array of PlgTextSpan: the text of the choice */
  GPtrArray *because;  /* array of PlgPassage, shown after this choice */
  PlgStepSetup *setup; /* the setup that shows the evidence for or against this choice, or NULL */
} PlgTrialChange;

/* A question that asks for a prediction. The numbers that it hides are shown after the answer. */
typedef struct
{
  char *id; /* id that is unique among the questions of the lesson */
  guint hides;
  const PlgMetric *number; /* metric that presentations show as the key figure of the question;
                              NULL to derive it from the hidden numbers */
  GPtrArray *prompt;       /* array of PlgPassage */
  GPtrArray *choices;      /* array of PlgTrialChange */
  int right;               /* index of the right choice in CHOICES */
  GPtrArray *reflect;      /* array of PlgPassage: prompt for a written reflection; empty if no
                         reflection is asked for */
} PlgQuestion;

/* A statement that the text of the lesson makes about the plan of the step. If SETTINGS is set,
 * the statement is about that plan with these settings. */
typedef struct
{
  PlgAssertion assertion;
  char **settings; /* "KEY=VALUE" settings to apply to the plan first, or NULL */
  int line;
} PlgClaim;

/* A goal of a step. It is reached if all assertions hold. */
typedef struct
{
  GPtrArray *text;  /* array of PlgPassage */
  GArray *asserted; /* array of PlgAssertion */
  PlgStepSetup
      /* settings that reach the goal from the plan at the start of the step, for learners who
       * skip the goal; NULL if the next step starts from its own plan */
      *fallback;
  int line;
} PlgGoal;

typedef struct
{
  char *id;
  char *title;
  PlgStepSetup *setup;
  char **free; /* keys that the learner can change ("parallelism.pp", "training.*"); NULL for all
                  keys */
  int free_line;
  gboolean hides_advice; /* whether to hide advice, because it would reveal the answer to a later
                       question or the way to a goal that is not yet reached */
  guint hides;           /* values (PlgRedaction bits) that are hidden until a later question
                            about them is answered */
  GPtrArray *text;       /* array of PlgPassage */
  PlgQuestion *question; /* NULL if the step has no question */
  PlgGoal *goal;         /* NULL if the step has no goal */
  GPtrArray *after;      /* array of PlgPassage, shown once the question is answered or the goal
                            is reached */
  GArray *claims;        /* array of PlgClaim: conditions that must hold for the text to be
                            true; only checked, never shown */
  GPtrArray *notes;      /* array of PlgPassage: notes for the presenter */
  int line;
} PlgLessonStep;

typedef struct
{
  grefcount ref_count;
  char *id;
  char *digest; /* digest of the text; lessons with equal digests are the same lesson */
  char *title;
  char *summary;
  int minutes;
  int line;
  GPtrArray *steps; /* array of PlgLessonStep */
  GPtrArray *texts; /* owned strings that the assertions point to */
} PlgLesson;

PlgLesson *plg_lesson_ref (PlgLesson *lesson) G_GNUC_WARN_UNUSED_RESULT;
void plg_lesson_unref (PlgLesson *lesson);
/* Return the number of questions and the number of goals in all steps. A step can have both a
 * question and a goal. */
int plg_lesson_questions (const PlgLesson *lesson);
int plg_lesson_goals (const PlgLesson *lesson);
/* Returns the step with this id, or NULL. */
const PlgLessonStep *plg_lesson_find_step (const PlgLesson *lesson, const char *id);
const PlgQuestion *plg_lesson_find_question (const PlgLesson *lesson, const char *id);
/* Returns the index of the choice with this id, or -1. */
int plg_question_find_choice (const PlgQuestion *question, const char *id);

/* Applies SETUP to PLAN. Returns FALSE with ERROR, and leaves PLAN unchanged, if the settings
 * are invalid. */
gboolean plg_step_setup_apply (const PlgStepSetup *setup,
                               PlgPlan *plan,
                               const PlgCatalogue *catalogue,
                               GError **error);

/* Returns the plan at the start of step POSITION for a learner who changes nothing. Uses the
 * fallback plan of every goal before that step. */
PlgPlan *plg_lesson_plan_at (const PlgLesson *lesson, int position, const PlgCatalogue *catalogue);
/* Changes PLAN to the plan at the start of the step after POSITION. POSITION must not be the
 * last step. If REACHED is set, PLAN must be the learner's plan that reached the goal of step
 * POSITION; otherwise it must be the plan at the start of step POSITION. */
void plg_lesson_advance_plan (const PlgLesson *lesson,
                              int position,
                              PlgPlan *plan,
                              gboolean reached,
                              const PlgCatalogue *catalogue);

/* Returns the values (PlgRedaction bits) that step POSITION hides because later questions ask
 * for them, except values that are needed to judge the goal of the step. Questions whose ids are
 * in ANSWERED (may be NULL) no longer hide values. */
guint plg_lesson_values_held_back (const PlgLesson *lesson, int position, GHashTable *answered);
/* Returns the values of PLAN (PlgRedaction bits) that questions after step POSITION ask for.
 * Leaves out questions whose ids are in ANSWERED (may be NULL). If REACHED is set, BEGUN must be
 * the learner's plan that reached the goal of the step; otherwise it must be the plan with which
 * the step began. In later steps, the learner is assumed to change nothing. */
guint plg_lesson_values_asked_later (const PlgLesson *lesson,
                                     int position,
                                     const PlgPlan *begun,
                                     gboolean reached,
                                     const PlgPlan *plan,
                                     const PlgCatalogue *catalogue,
                                     GHashTable *answered);

/* Returns whether all assertions of GOAL hold for REPORT. */
gboolean plg_goal_is_reached (const PlgGoal *goal, const PlgReport *report);
/* Returns the values (PlgRedaction bits) that must be visible to judge GOAL (may be NULL). */
guint plg_goal_required_values (const PlgGoal *goal);

/* Returns a passage as text with the numbers of PLAN. Hidden numbers are shown as dashes, and
 * middle dots separate the cells of a row. With MARKUP, the text is Pango markup with links:
 * "term:ID" for terms and addresses for further reading. Free with g_free(). */
char *plg_passage_text (const PlgPassage *passage,
                        const PlgPlan *plan,
                        const PlgReport *report,
                        const PlgCatalogue *catalogue,
                        gboolean markup);
/* Returns the passages as one line of text, without formulas and pictures; free with g_free(). */
char *plg_passages_text (const GPtrArray *passages,
                         const PlgPlan *plan,
                         const PlgReport *report,
                         const PlgCatalogue *catalogue);
char *plg_spans_text (const GPtrArray *spans,
                      const PlgPlan *plan,
                      const PlgReport *report,
                      const PlgCatalogue *catalogue,
                      gboolean markup);

/* A glossary entry. */
typedef struct
{
  char *id;
  char *term;
  GPtrArray *text; /* array of PlgPassage */
} PlgGlossaryEntry;

/* Read a lesson, or a glossary as an array of PlgGlossaryEntry. Messages begin with
 * "LINE:COLUMN: ". Unknown elements are errors, because lessons are written by hand and may
 * contain mistakes. */
PlgLesson *plg_lesson_read (const char *data, gsize size, GError **error) G_GNUC_WARN_UNUSED_RESULT;
GPtrArray *
plg_glossary_read (const char *data, gsize size, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Return whether DATA begins like a lesson or like a glossary. */
gboolean plg_lesson_detect (const char *data, gsize size);
gboolean plg_glossary_detect (const char *data, gsize size);

/* The names of the pictures that a <figure> can show, then NULL. Each of these names is also a name
 * or an alias of a picture in drawing/figure/pictures.h. */
extern const char *const plg_lesson_pictures[];

/* plg_lesson_check:
 * @lesson: a lesson
 * @glossary: array of PlgGlossaryEntry
 * @catalogue: the catalogue
 *
 * Checks the contents of @lesson that need an evaluated plan: setups, numbers, formulas,
 * pictures, terms, claims and goals. Also checks whether one of the program's lessons has the
 * same id but different questions.
 *
 * Returns: (transfer full) (nullable): one line "LINE: problem" per problem, or %NULL if there
 *   are no problems */
char *plg_lesson_check (const PlgLesson *lesson,
                        const GPtrArray *glossary,
                        const PlgCatalogue *catalogue);

/* Returns whether the setups of all steps and answers can be applied, which is necessary to play
 * LESSON. Otherwise sets ERROR to "LINE: problem". */
gboolean
plg_lesson_can_play (const PlgLesson *lesson, const PlgCatalogue *catalogue, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgLesson, plg_lesson_unref)

G_END_DECLS
