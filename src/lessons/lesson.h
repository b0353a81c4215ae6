/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/assertion.h"
#include "io/plan/plan-xml.h"

G_BEGIN_DECLS

/* A lesson, read from data/lessons or from a teacher's file: steps with text, predictions, goals
 * and changes to the open plan. Plain data, immutable after reading. */

typedef enum
{
  PLG_SPAN_TEXT,
  PLG_SPAN_STRONG,
  PLG_SPAN_TERM,   /* a term of the glossary: REF is the id of the entry */
  PLG_SPAN_LINK,   /* a link to further reading: REF is the address; the program never fetches it */
  PLG_SPAN_NUMBER, /* a number of the engine: REF is the name of a metric, computed when shown */
} PlgSpanKind;

typedef struct
{
  PlgSpanKind kind;
  char *text;      /* NULL for a number */
  char *ref;       /* NULL for text */
  char **settings; /* for a number: "KEY=VALUE" on top of the plan; NULL: the plan unchanged */
  int line;
} PlgTextSpan;

typedef enum
{
  PLG_PASSAGE_PARAGRAPH,
  PLG_PASSAGE_ITEM, /* an item of a list */
  PLG_PASSAGE_ROW,  /* a row of a table; adjacent rows make the table */
  PLG_PASSAGE_FORMULA, /* The attribute "of" is the id of an explanation (engine/explain.h), shown with the
                          plan's numbers */
  PLG_PASSAGE_FIGURE, /* The attribute "of" is the name of a picture, as in export --view */
} PlgPassageKind;

#define PLG_LESSON_MAX_CELLS 6 /* the most cells of a row */

typedef struct
{
  PlgPassageKind kind;
  GPtrArray *spans; /* array of PlgTextSpan, for paragraphs and items */
  GPtrArray *cells; /* for a row: array of GPtrArray of PlgTextSpan */
  char *of;
  gboolean is_live; /* numbers follow the open plan; else the plan of the step */
  int line;
} PlgPassage;

/* The changes of a step or an answer to the open plan and to the view. */
typedef struct
{
  gboolean from_default;     /* begin with the default plan; else continue with the open plan */
  char **settings;           /* "KEY=VALUE", or NULL: the plan stays unchanged */
  gboolean resets_placement; /* reset the placement to the nesting order */
  char *show;                /* "tp", as in view.show, or NULL */
  char *links;               /* value of view.link-color, or NULL */
  char *page;                /* "timeline", "links" or "pairs", or NULL */
  int select;                /* number of the selected GPU, or -1 */
  int line;
  int view_line; /* line of the view settings in the file; 0: the view stays unchanged */
} PlgStepSetup;

typedef struct
{
  char *id;
  GPtrArray *label;    /* array of PlgTextSpan */
  GPtrArray *because;  /* array of PlgPassage, shown after this choice */
  PlgStepSetup *setup; /* the evidence, or NULL */
} PlgTrialChange;

/* A prediction: the numbers that it hides are shown after the answer. */
typedef struct
{
  char *id; /* id, unique among the questions of the lesson */
  guint hides;
  const PlgMetric
      *number;        /* number that the question asks for, shown in a presentation; NULL: taken
                         from the hidden numbers */
  GPtrArray *prompt;  /* array of PlgPassage */
  GPtrArray *choices; /* array of PlgTrialChange */
  int right;          /* index into CHOICES */
  GPtrArray *reflect; /* array of PlgPassage: prompt for a written reflection; empty: no
                         reflection */
} PlgQuestion;

/* A statement of the text about the plan, or about the plan with SETTINGS on top. */
typedef struct
{
  PlgAssertion assertion;
  char **settings; /* "KEY=VALUE", or NULL */
  int line;
} PlgClaim;

/* A goal is reached if all assertions hold. */
typedef struct
{
  GPtrArray *text;  /* array of PlgPassage */
  GArray *asserted; /* array of PlgAssertion */
  PlgStepSetup
      *fallback; /* settings on top of the step's first plan that reach the goal, for learners
                    who skip it; NULL: the next step begins with its own plan */
  int line;
} PlgGoal;

typedef struct
{
  char *id;
  char *title;
  PlgStepSetup *setup;
  char **free; /* keys ("parallelism.pp", "training.*") that can be changed; NULL: all keys */
  int free_line;
  gboolean
      hides_advice; /* advice would reveal the answer to a later question, or the way to the goal
                       before it is reached */
  guint hides;      /* values that stay hidden until the later question about them is answered */
  GPtrArray *text;  /* array of PlgPassage */
  PlgQuestion *question; /* NULL without a question */
  PlgGoal *goal;         /* NULL without a goal */
  GPtrArray *after;      /* array of PlgPassage, shown when the question is answered or the goal
                            is reached */
  GArray *claims;        /* array of PlgClaim: statements of the text about the plan; checked,
                            not shown */
  GPtrArray *notes;      /* array of PlgPassage for the presenter */
  int line;
} PlgLessonStep;

typedef struct
{
  grefcount ref_count;
  char *id;
  char *digest; /* digest of the text: lessons with the same digest are the same lesson */
  char *title;
  char *summary;
  int minutes;
  int line;
  GPtrArray *steps; /* array of PlgLessonStep */
  GPtrArray *texts; /* owned strings that assertions point into */
} PlgLesson;

PlgLesson *plg_lesson_ref (PlgLesson *lesson) G_GNUC_WARN_UNUSED_RESULT;
void plg_lesson_unref (PlgLesson *lesson);
/* The number of questions and of goals in all steps; a step can have both. */
int plg_lesson_questions (const PlgLesson *lesson);
int plg_lesson_goals (const PlgLesson *lesson);
/* Returns NULL if no step has this id. */
const PlgLessonStep *plg_lesson_find_step (const PlgLesson *lesson, const char *id);
const PlgQuestion *plg_lesson_find_question (const PlgLesson *lesson, const char *id);
/* The index of the choice with this id, or -1. */
int plg_question_find_choice (const PlgQuestion *question, const char *id);

/* Applies SETUP to PLAN. Returns FALSE with ERROR, and leaves PLAN unchanged, if the settings
 * are invalid. */
gboolean plg_step_setup_apply (const PlgStepSetup *setup,
                               PlgPlan *plan,
                               const PlgCatalogue *catalogue,
                               GError **error);

/* Returns the plan that step POSITION begins with if the learner changes nothing before it. A
 * skipped goal is replaced by its own plan. */
PlgPlan *plg_lesson_plan_at (const PlgLesson *lesson, int position, const PlgCatalogue *catalogue);
/* Changes PLAN, with which step POSITION began, to the plan with which the next step begins;
 * with REACHED, PLAN is the learner's plan that reached the goal of the step. There must be a
 * next step. */
void plg_lesson_advance_plan (const PlgLesson *lesson,
                              int position,
                              PlgPlan *plan,
                              gboolean reached,
                              const PlgCatalogue *catalogue);

/* Returns the values that step POSITION hides for later questions, except those whose ids are in
 * ANSWERED (may be NULL), and without the values that its own goal needs. */
guint plg_lesson_values_held_back (const PlgLesson *lesson, int position, GHashTable *answered);
/* Returns the values of PLAN (PlgRedaction bits) that questions after step POSITION ask for,
 * except those whose ids are in ANSWERED (may be NULL). The step began with BEGUN, or the
 * learner changed that plan to REACHED; later steps continue without changes of the learner. */
guint plg_lesson_values_asked_later (const PlgLesson *lesson,
                                     int position,
                                     const PlgPlan *begun,
                                     gboolean reached,
                                     const PlgPlan *plan,
                                     const PlgCatalogue *catalogue,
                                     GHashTable *answered);

/* Whether all assertions of GOAL hold for REPORT. */
gboolean plg_goal_is_reached (const PlgGoal *goal, const PlgReport *report);
/* The values (PlgRedaction bits) that must be visible to judge GOAL (may be NULL). */
guint plg_goal_required_values (const PlgGoal *goal);

/* A passage as text with the numbers of PLAN; a hidden number is a dash, and the cells of a row
 * are separated by points. With MARKUP the text is Pango markup, with links "term:ID" for terms
 * and addresses for further reading. g_free(). */
char *plg_passage_text (const PlgPassage *passage,
                        const PlgPlan *plan,
                        const PlgReport *report,
                        const PlgCatalogue *catalogue,
                        gboolean markup);
/* The passages in one line, without formulas and pictures. g_free(). */
char *plg_passages_text (const GPtrArray *passages,
                         const PlgPlan *plan,
                         const PlgReport *report,
                         const PlgCatalogue *catalogue);
char *plg_spans_text (const GPtrArray *spans,
                      const PlgPlan *plan,
                      const PlgReport *report,
                      const PlgCatalogue *catalogue,
                      gboolean markup);

/* An entry of the glossary. */
typedef struct
{
  char *id;
  char *term;
  GPtrArray *text; /* array of PlgPassage */
} PlgGlossaryEntry;

/* Reads a lesson, or a glossary as an array of PlgGlossaryEntry. Messages begin "LINE:COLUMN: ";
 * unknown elements are errors, since lessons are written by hand. */
PlgLesson *plg_lesson_read (const char *data, gsize size, GError **error) G_GNUC_WARN_UNUSED_RESULT;
GPtrArray *
plg_glossary_read (const char *data, gsize size, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether DATA begins as a lesson or as a glossary. */
gboolean plg_lesson_detect (const char *data, gsize size);
gboolean plg_glossary_detect (const char *data, gsize size);

/* plg_lesson_check:
 * @lesson: a lesson
 * @glossary: array of PlgGlossaryEntry
 * @catalogue: the catalogue
 *
 * Checks the parts that need an evaluated plan: setups, numbers, formulas, pictures, terms, claims
 * and goals. The check also looks for a lesson of the program with the same id and other questions.
 *
 * Returns: (transfer full) (nullable): one line \"LINE: problem\" per problem, or %NULL without
 *   problems
 */
char *plg_lesson_check (const PlgLesson *lesson,
                        const GPtrArray *glossary,
                        const PlgCatalogue *catalogue);

/* Whether the setups of all steps and answers can be applied, as playing LESSON needs. Returns
 * FALSE with ERROR "LINE: problem". */
gboolean
plg_lesson_can_play (const PlgLesson *lesson, const PlgCatalogue *catalogue, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgLesson, plg_lesson_unref)

G_END_DECLS
