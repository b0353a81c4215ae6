/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/pictures.h"
#include "drawing/charts/ascii.h"

#include "engine/report/metric.h"
#include "engine/report/redaction.h"
#include "plan/fault.h"
#include "sample.h"

#include <math.h>
#include <string.h>

/* While a question is open, no picture reveals the answer, neither in a text or a name nor in
 * the size of a shape, since the hidden numbers are not drawn. */

static gboolean
is_finite (const PlgShape *shape)
{
  return isfinite (shape->rect.x) && isfinite (shape->rect.y) && isfinite (shape->rect.width) &&
         isfinite (shape->rect.height) && isfinite (shape->at.x) && isfinite (shape->at.y) &&
         isfinite (shape->stroke_width);
}

static gboolean
tells (const char *text, const GPtrArray *secrets)
{
  for (guint i = 0; text != NULL && i < secrets->len; i++)
    if (strstr (text, secrets->pdata[i]) != NULL)
      return TRUE;
  return FALSE;
}

static char *
text_of (const char *name, const PlgReport *report, guint *about)
{
  const PlgMetric *metric = plg_metric_find (name);

  *about = metric->about;
  return plg_measure_text (metric->measure, plg_metric_value (metric, report));
}

/* Returns whether TEXT is also the text of a quantity that REDACTION leaves visible. */
static gboolean
is_open (char **names, const PlgReport *report, guint redaction, const char *text)
{
  for (int i = 0; names[i] != NULL; i++)
    {
      guint about;
      g_autofree char *other = text_of (names[i], report, &about);

      if ((about & redaction) == 0 && g_str_equal (other, text))
        return TRUE;
    }
  return FALSE;
}

/* Returns the texts of all quantities that REDACTION hides. Texts without a decimal, such as
 * "8", can have other meanings and are omitted. */
static GPtrArray *
secrets_of (const PlgReport *report, guint redaction)
{
  GPtrArray *secrets = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *all = plg_metric_names ();
  g_auto (GStrv) names = g_strsplit (all, ", ", -1);

  for (int i = 0; names[i] != NULL; i++)
    {
      guint about;
      g_autofree char *text = text_of (names[i], report, &about);

      if ((about & redaction) != 0 && strchr (text, '.') != NULL &&
          !is_open (names, report, redaction, text))
        g_ptr_array_add (secrets, g_steal_pointer (&text));
    }
  return secrets;
}

/* Fills OPTIONS for PLAN. */
static PlgFigure *
figure_of (PlgPicture picture,
           const PlgPlan *plan,
           const PlgReport *report,
           PlgPictureOptions *options)
{
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (options, plan);
  return plg_picture_figure (picture, plan, report, &theme, options);
}

static void
check_picture (PlgPicture picture, const PlgPlan *plan, const PlgReport *report, guint redaction)
{
  g_autoptr (PlgReport) hidden = plg_report_redact (report, redaction);
  g_autoptr (GPtrArray) secrets = secrets_of (report, redaction);
  PlgPictureOptions options;
  PlgFigure *figure;

  figure = figure_of (picture, plan, hidden, &options);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (!is_finite (shape))
        g_error ("%s, redaction %u: shape %d (%s, “%s”) has no position",
                 plg_picture_name (picture), redaction, i, shape->classes, shape->text);
      if (tells (shape->text, secrets) || tells (shape->title, secrets))
        g_error ("%s, redaction %u: “%s” (“%s”)", plg_picture_name (picture), redaction,
                 shape->text, shape->title);
    }
  g_assert_false (tells (plg_figure_description (figure), secrets));
  plg_figure_unref (figure);
}

static void
test_pictures (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (&sample_default);
  g_autoptr (PlgReport) report = sample_report (&sample_default, plan);

  for (int picture = 0; picture < PLG_N_PICTURES; picture++)
    for (guint redaction = 1; redaction < PLG_REDACT_FAULTS; redaction++)
      check_picture (picture, plan, report, redaction);
}

/* The descriptions of a GPU, link or row. */
static void
test_descriptions (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (&sample_default);
  g_autoptr (PlgReport) report = sample_report (&sample_default, plan);
  const PlgEntity entities[] = {
    { PLG_ENTITY_GPU, 0, 3 },
    { PLG_ENTITY_NODE, 0, 1 },
    { PLG_ENTITY_LINK, 0, 5 },
    { PLG_ENTITY_STAGE, 0, 1 },
    { PLG_ENTITY_PART, 0, PLG_PART_TP },
    { PLG_ENTITY_COLLECTIVE, 0, 0 },
    { PLG_ENTITY_GROUP, PLG_AXIS_TP, 0 },
  };

  for (guint redaction = 1; redaction <= PLG_REDACT_ALL; redaction++)
    {
      g_autoptr (PlgReport) hidden = plg_report_redact (report, redaction);
      g_autoptr (GPtrArray) secrets = secrets_of (report, redaction);

      for (guint i = 0; i < G_N_ELEMENTS (entities); i++)
        {
          g_autofree char *text = plg_describe_entity (plan, hidden, entities[i]);

          if (tells (text, secrets))
            g_error ("redaction %u: “%s”", redaction, text);
        }
    }
}

static PlgFigure *
hidden_figure (PlgPicture picture, guint redaction)
{
  g_autoptr (PlgPlan) plan = sample_plan (&sample_default);
  g_autoptr (PlgReport) report = sample_report (&sample_default, plan);
  g_autoptr (PlgReport) hidden = plg_report_redact (report, redaction);
  PlgEntity link = { PLG_ENTITY_LINK, 0, 5 };
  PlgPictureOptions options;
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  plg_picture_options_init (&options, plan);
  options.highlighted = &link;
  options.n_highlighted = 1;
  return plg_picture_figure (picture, plan, hidden, &theme, &options);
}

static const struct
{
  PlgPicture picture;
  guint redaction;
  const char *text;  /* a text that the picture has */
  const char *wrong; /* a text that the picture must not have, as a regular expression */
} untold[] = {
  { PLG_PICTURE_TIMELINE, PLG_REDACT_TIME, "micro-batches · Shown after you answer",
    "\\b1\u00a0s|idle" },
  { PLG_PICTURE_TIMELINE, PLG_REDACT_BUBBLE, "micro-batches · Shown after you answer",
    "\\bm?s\\b|idle|Too many" },
  { PLG_PICTURE_TIMELINE, PLG_REDACT_COMMUNICATION, "micro-batches · Shown after you answer",
    "\\bm?s\\b|idle|Too many|DP" },
  { PLG_PICTURE_TIMELINE, PLG_REDACT_ALL, "micro-batches · Shown after you answer",
    "\\b1\u00a0s|idle" },
  { PLG_PICTURE_TIMELINE, PLG_REDACT_TIME | PLG_REDACT_LATER (PLG_REDACT_TIME),
    "micro-batches · Shown after a later question", "the answer|idle" },
  { PLG_PICTURE_TIMELINE,
    PLG_REDACT_TIME | PLG_REDACT_MEMORY | PLG_REDACT_LATER (PLG_REDACT_MEMORY),
    "micro-batches · Shown after you answer", "later|idle" },
  { PLG_PICTURE_MEMORY, PLG_REDACT_MEMORY | PLG_REDACT_LATER (PLG_REDACT_MEMORY),
    "shown after a later question", "the answer|fits" },
  { PLG_PICTURE_MEMORY, PLG_REDACT_MEMORY, "shown after you answer", "^0$|fits|– B|\\b0 B" },
  { PLG_PICTURE_MFU, PLG_REDACT_COMMUNICATION, "Kernels and communication", "Kernel efficiency" },
  { PLG_PICTURE_MFU, PLG_REDACT_BUBBLE, "Kernels and bubble", "Kernel efficiency" },
  { PLG_PICTURE_LEDGER, PLG_REDACT_COMMUNICATION, "–", "^0|busy 0|Nothing" },
  { PLG_PICTURE_LEDGER, PLG_REDACT_TIME, "–", "busy 0" },
  { PLG_PICTURE_LEDGER, PLG_REDACT_ALL, "–", "busy 0" },
};

static void
assert_no_account (guint later, const char *words)
{
  g_autoptr (PlgPlan) plan = sample_plan (&sample_default);
  g_autoptr (PlgReport) report = sample_report (&sample_default, plan);
  g_autoptr (PlgReport) hidden = plg_report_redact (report, PLG_REDACT_COMMUNICATION |
                                                                PLG_REDACT_LATER (later));
  PlgPictureOptions options;
  PlgFigure *figure;

  figure = figure_of (PLG_PICTURE_LEDGER, plan, hidden, &options);
  g_assert_cmpstr (plg_figure_description (figure), ==, words);
  plg_figure_unref (figure);
}

/* The ledger of a link appears with the first answer that reveals a part of it. */
static void
test_ledger (void)
{
  assert_no_account (0, "Shown after you answer");
  assert_no_account (PLG_REDACT_BYTES | PLG_REDACT_BUSY, "Shown after you answer");
  assert_no_account (PLG_REDACT_COMMUNICATION, "Shown after a later question");
}

/* If calls are visible and the rest is hidden, a dash has no unit. */
static void
test_links (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (&sample_default);
  g_autoptr (PlgReport) report = sample_report (&sample_default, plan);
  g_autoptr (PlgReport) hidden = plg_report_redact (report, PLG_REDACT_BYTES | PLG_REDACT_BUSY);
  int n_calls = 0;

  for (int i = 0; i < (int) hidden->links->len; i++)
    {
      g_autofree char *text = plg_describe_entity (plan, hidden,
                                                   (PlgEntity) { PLG_ENTITY_LINK, 0, i });

      g_assert_null (strstr (text, "–\u00a0"));
      n_calls += strstr (text, " calls, –, ") != NULL;
    }
  g_assert_cmpint (n_calls, >, 0);
}

static void
assert_sound (PlgPicture picture, const PlgPlan *plan, const PlgReport *report)
{
  PlgPictureOptions options;
  PlgFigure *figure;

  figure = figure_of (picture, plan, report, &options);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      const char *texts[] = { shape->text, shape->title, shape->id, shape->classes };

      for (guint j = 0; j < G_N_ELEMENTS (texts); j++)
        if (texts[j] != NULL &&
            g_regex_match_simple ("slow\\b|fault|repair|50\u00a0%", texts[j], G_REGEX_CASELESS, 0))
          g_error ("%s: “%s”", plg_picture_name (picture), texts[j]);
    }
  plg_figure_unref (figure);
}

/* The fault that a diagnosis must find is in no picture: no sign, no legend, no part of the step.
 */
static void
test_faults (void)
{
  g_autoptr (PlgPlan) whole = sample_plan (&sample_default);
  g_autoptr (PlgReport) report = NULL, hidden = NULL;
  g_autoptr (PlgPlan) plan = NULL;

  g_assert_true (plg_faults_from_string (&whole->cluster, "gpu:17=0.5, nic:2.3=0.5", NULL));
  report = sample_report (&sample_default, whole);
  report->step.slowest_gpu_factor = 2;
  hidden = plg_report_redact (report, PLG_REDACT_FAULTS);
  plan = plg_plan_redact (whole, PLG_REDACT_FAULTS);
  for (int picture = 0; picture < PLG_N_PICTURES; picture++)
    {
      assert_sound (picture, plan, hidden);
      check_picture (picture, plan, report, PLG_REDACT_FAULTS);
    }
  for (guint i = 0; i < hidden->links->len; i++)
    g_assert_true (isnan (g_array_index (hidden->links, PlgLink, i).bandwidth));
}

static void
test_descriptions_of_parts (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (&sample_default);
  g_autoptr (PlgReport) report = sample_report (&sample_default, plan);
  g_autoptr (PlgReport) hidden = plg_report_redact (report, PLG_REDACT_TIME);

  for (int part = 0; part < PLG_N_PARTS; part++)
    {
      g_autofree char *text = plg_describe_entity (plan, hidden,
                                                   (PlgEntity) { PLG_ENTITY_PART, 0, part });

      if (strstr (text, "0\u00a0%") != NULL)
        g_error ("“%s”", text);
    }
}

/* The fit is hidden with the memory: the ticket states neither that the plan fits nor that it does
 * not. */
static void
test_fit_in_ticket (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (&sample_default);
  g_autoptr (PlgReport) report = sample_report (&sample_default, plan);

  for (guint redaction = 0; redaction <= PLG_REDACT_ALL; redaction++)
    {
      g_autoptr (PlgReport) hidden = plg_report_redact (report, redaction);
      g_autofree char *text = NULL;
      PlgPictureOptions options;
      PlgFigure *figure;

      figure = figure_of (PLG_PICTURE_CLUSTER, plan, hidden, &options);
      text = plg_ascii_write (figure,
                              &(PlgAsciiSubject) { PLG_PICTURE_CLUSTER, plan, hidden, &options });
      g_assert_true (g_regex_match_simple ("\\(fits\\)|does not fit", text, 0, 0) ==
                     ((redaction & PLG_REDACT_MEMORY) == 0));
      plg_figure_unref (figure);
    }
}

/* A hidden quantity is not shown as zero. */
static void
test_hidden_is_not_zero (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (untold); i++)
    {
      PlgFigure *figure = hidden_figure (untold[i].picture, untold[i].redaction);
      const char *words = plg_figure_description (figure);
      gboolean said = strstr (words, untold[i].text) != NULL;

      g_assert_false (g_regex_match_simple (untold[i].wrong, words, 0, 0));
      for (int j = 0; j < plg_figure_n_shapes (figure); j++)
        {
          const PlgShape *shape = plg_figure_shape (figure, j);

          if ((shape->text != NULL && g_regex_match_simple (untold[i].wrong, shape->text, 0, 0)) ||
              (shape->title != NULL && strstr (shape->title, "0 B of") != NULL))
            g_error ("%u: “%s”, “%s”", i, shape->text, shape->title);
          said = said || (shape->text != NULL && strstr (shape->text, untold[i].text) != NULL);
        }
      g_assert_true (said);
      plg_figure_unref (figure);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/picture-redaction/ledger", test_ledger);
  g_test_add_func ("/picture-redaction/pictures", test_pictures);
  g_test_add_func ("/picture-redaction/descriptions", test_descriptions);
  g_test_add_func ("/picture-redaction/links", test_links);
  g_test_add_func ("/picture-redaction/faults", test_faults);
  g_test_add_func ("/picture-redaction/descriptions-of-parts", test_descriptions_of_parts);
  g_test_add_func ("/picture-redaction/hidden-is-not-zero", test_hidden_is_not_zero);
  g_test_add_func ("/picture-redaction/fit-in-ticket", test_fit_in_ticket);
  return g_test_run ();
}
