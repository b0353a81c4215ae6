/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/assertion.h"
#include "io/plan/plan-xml.h"

G_BEGIN_DECLS

/* A lesson, as a file of data/lessons or of a teacher has it: steps with text, predictions, goals,
 * and what each does to the open plan. Plain data, immutable once it is read. */

typedef enum
{
  PLG_SPAN_TEXT,
  PLG_SPAN_STRONG,
  PLG_SPAN_TERM,   /* of the glossary: REF is its entry */
  PLG_SPAN_LINK,   /* to further reading: REF is its address; nothing of it is fetched */
  PLG_SPAN_NUMBER, /* of the engine: REF is a metric's name, worked out when it is shown */
} PlgSpanKind;

typedef struct
{
  PlgSpanKind kind;
  char *text;      /* NULL of a number */
  char *ref;       /* NULL of text */
  char **settings; /* of a number: "KEY=VALUE" on top of the plan; NULL: the plan as it is */
  int line;
} PlgTextSpan;

typedef enum
{
  PLG_PASSAGE_PARAGRAPH,
  PLG_PASSAGE_ITEM,    /* of a list */
  PLG_PASSAGE_ROW,     /* of a table, which the rows next to it make */
  PLG_PASSAGE_FORMULA, /* OF is an explanation's id (engine/explain.h), with the plan's numbers */
  PLG_PASSAGE_FIGURE,  /* OF is a picture's name, as export --view takes it */
} PlgPassageKind;

#define PLG_LESSON_MAX_CELLS 6 /* the most of a row */

typedef struct
{
  PlgPassageKind kind;
  GPtrArray *spans; /* PlgTextSpan; of paragraphs and items */
  GPtrArray *cells; /* of a row: GPtrArray of PlgTextSpan */
  char *of;
  gboolean is_live; /* its numbers follow the open plan; else they are of the step's own */
  int line;
} PlgPassage;

/* What a step or an answer makes of the open plan and of how it is looked at. */
typedef struct
{
  gboolean from_default;     /* begin with the default plan; else go on with the one that is open */
  char **settings;           /* "KEY=VALUE", or NULL: the plan stays */
  gboolean resets_placement; /* placement by the order again */
  char *show;                /* "tp", as view.show takes it, or NULL */
  char *links;               /* as view.link-color takes it, or NULL */
  char *page;                /* "timeline", "links" or "pairs", or NULL */
  int select;                /* a GPU, or -1 */
  int line;
  int view_line; /* of how it is looked at; 0: as before */
} PlgStepSetup;

typedef struct
{
  char *id;
  GPtrArray *label;    /* PlgTextSpan */
  GPtrArray *because;  /* PlgPassage: shown once it is chosen */
  PlgStepSetup *setup; /* the evidence, or NULL */
} PlgTrialChange;

/* A prediction: what it hides comes back with the answer. */
typedef struct
{
  char *id; /* of the lesson's questions */
  guint hides;
  const PlgMetric
      *number;        /* what it asks for, which a presentation shows; NULL: of what it hides */
  GPtrArray *prompt;  /* PlgPassage */
  GPtrArray *choices; /* PlgTrialChange */
  int right;          /* index of CHOICES */
  GPtrArray *reflect; /* PlgPassage: what to write down afterwards; empty: nothing */
} PlgQuestion;

/* What the text says of the plan, or of the plan with SETTINGS on top. */
typedef struct
{
  PlgAssertion assertion;
  char **settings; /* "KEY=VALUE", or NULL */
  int line;
} PlgClaim;

/* Reached when all hold. */
typedef struct
{
  GPtrArray *text;  /* PlgPassage */
  GArray *asserted; /* PlgAssertion */
  PlgStepSetup
      *fallback; /* on top of what the step began with, a plan that reaches it, for who goes on
                        without; NULL: the next step begins with a plan of its own */
  int line;
} PlgGoal;

typedef struct
{
  char *id;
  char *title;
  PlgStepSetup *setup;
  char **free; /* keys ("parallelism.pp", "training.*") that can be changed; NULL: all */
  int free_line;
  gboolean
      hides_advice; /* advice would tell what a later step asks; or how the goal is reached, until
                         it is */
  guint hides;      /* until a later question is answered, that asks for it of what comes of this */
  GPtrArray *text;  /* PlgPassage */
  PlgQuestion *question; /* or NULL */
  PlgGoal *goal;         /* or NULL */
  GPtrArray *after;      /* PlgPassage: shown when the question is answered or the goal reached */
  GArray *claims;        /* PlgClaim: what the text says of the plan; checked, not shown */
  GPtrArray *notes;      /* PlgPassage, for who presents */
  int line;
} PlgLessonStep;

typedef struct
{
  grefcount ref_count;
  char *id;
  char *digest; /* of its text: what has the same is the same lesson */
  char *title;
  char *summary;
  int minutes;
  int line;
  GPtrArray *steps; /* PlgLessonStep */
  GPtrArray *texts; /* owned strings that assertions point into */
} PlgLesson;

PlgLesson *plg_lesson_ref (PlgLesson *lesson);
void plg_lesson_unref (PlgLesson *lesson);
/* Over all steps, of which one may have both. */
int plg_lesson_questions (const PlgLesson *lesson);
int plg_lesson_goals (const PlgLesson *lesson);
/* NULL: no step is called so. */
const PlgLessonStep *plg_lesson_find_step (const PlgLesson *lesson, const char *id);
const PlgQuestion *plg_lesson_find_question (const PlgLesson *lesson, const char *id);

/* Makes PLAN what SCENE says of it. FALSE with ERROR, PLAN as it was, where it cannot be. */
gboolean plg_step_setup_apply (const PlgStepSetup *setup,
                               PlgPlan *plan,
                               const PlgCatalogue *catalogue,
                               GError **error);

/* The plan that step POSITION begins with for who changes nothing before it: a goal that nobody
 * reached is left with its own plan. */
PlgPlan *plg_lesson_plan_at (const PlgLesson *lesson, int position, const PlgCatalogue *catalogue);
/* Makes PLAN, which step POSITION began with, what the next one begins with likewise; or with
 * REACHED, PLAN being what was made of the step and reached its goal. There has to be a next one.
 */
void plg_lesson_advance_plan (const PlgLesson *lesson,
                              int position,
                              PlgPlan *plan,
                              gboolean reached,
                              const PlgCatalogue *catalogue);

/* What step POSITION hides all along for questions after it, but for those whose ids are in
 * ANSWERED (or NULL), and what its own goal is judged by. */
guint plg_lesson_values_held_back (const PlgLesson *lesson, int position, GHashTable *answered);
/* What questions after step POSITION ask of PLAN (PlgRedaction bits), but for those whose ids are in
 * ANSWERED (or NULL). The step began with BEGUN, or with REACHED has made that of it, and each
 * after it goes on as for who changes nothing. */
guint plg_lesson_values_asked_later (const PlgLesson *lesson,
                                     int position,
                                     const PlgPlan *begun,
                                     gboolean reached,
                                     const PlgPlan *plan,
                                     const PlgCatalogue *catalogue,
                                     GHashTable *answered);

/* Whether all that GOAL asks for holds of REPORT. */
gboolean plg_goal_is_reached (const PlgGoal *goal, const PlgReport *report);
/* What has to be seen for GOAL (or NULL) to be judged (PlgRedaction bits). */
guint plg_goal_required_values (const PlgGoal *goal);

/* A passage as text, its numbers worked out for PLAN; what is hidden of them is a dash, and the
 * cells of a row have points between. With MARKUP as Pango markup, terms as links "term:ID",
 * further reading as links of its address. g_free(). */
char *plg_passage_text (const PlgPassage *passage,
                        const PlgPlan *plan,
                        const PlgReport *report,
                        const PlgCatalogue *catalogue,
                        gboolean markup);
char *plg_spans_text (const GPtrArray *spans,
                      const PlgPlan *plan,
                      const PlgReport *report,
                      const PlgCatalogue *catalogue,
                      gboolean markup);

/* Entries of the glossary. */
typedef struct
{
  char *id;
  char *term;
  GPtrArray *text; /* PlgPassage */
} PlgGlossaryEntry;

/* Reads a lesson, or a glossary as an array of PlgGlossaryEntry. Messages begin "LINE:COLUMN: ".
 * What is not known is an error: a lesson is written by hand, and a slip should be told. */
PlgLesson *plg_lesson_read (const char *data, gsize size, GError **error);
GPtrArray *plg_glossary_read (const char *data, gsize size, GError **error);
/* Whether DATA begins as one. */
gboolean plg_lesson_detect (const char *data, gsize size);
gboolean plg_glossary_detect (const char *data, gsize size);

/* What reading alone cannot see: that each scene makes a plan, each number, formula and picture is
 * there, each term is one of GLOSSARY, each claim holds, each goal can be judged, and that no
 * lesson of the program has the id and other questions. A line "LINE: what is wrong" for each slip,
 * or NULL. g_free(). */
char *plg_lesson_check (const PlgLesson *lesson,
                        const GPtrArray *glossary,
                        const PlgCatalogue *catalogue);

/* Whether each step and answer can set its plan up, which is what playing LESSON needs. FALSE with
 * ERROR "LINE: why not". */
gboolean
plg_lesson_can_play (const PlgLesson *lesson, const PlgCatalogue *catalogue, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgLesson, plg_lesson_unref)

G_END_DECLS
