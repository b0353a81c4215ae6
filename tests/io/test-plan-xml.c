/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan-schema.h"

#include "io/plan/catalogue-xml.h"
#include "syntax/xml-reader.h"
#include "plan/settings/setting.h"
#include "io/plan/plan-xml.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define RANDOM_PLANS 300

static PlgCatalogue *
catalogue (void)
{
  return plg_catalogue_load (NULL);
}

/* The schema */

/* Reading and writing */

static PlgPlan *
read_text (const char *text, const PlgCatalogue *known, PlgPlanSource **source)
{
  g_autoptr (GError) error = NULL;
  PlgPlan *plan = plg_plan_xml_read (text, strlen (text), known, source, &error);

  g_assert_no_error (error);
  g_assert_nonnull (plan);
  return plan;
}

static char *
write_text (const PlgPlan *plan, PlgPlanSource *source)
{
  g_autoptr (GBytes) bytes = plg_plan_xml_write (plan, source);

  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
set (PlgPlan *plan, const PlgCatalogue *known, const char *key, const char *value)
{
  g_autoptr (GError) error = NULL;

  plg_setting_set (plan, known, key, value, &error);
  g_assert_no_error (error);
}

static void
set_text (char **member, const char *text)
{
  g_free (*member);
  *member = g_strdup (text);
}

/* Random plans */

static char *
random_value (GRand *random, const PlgSetting *setting, const PlgCatalogue *known)
{
  double from = MAX (setting->minimum, 1e-3);
  double to = MIN (setting->maximum, setting->kind == PLG_SETTING_INTEGER ? 64 : 1e6);
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  int n;

  switch (setting->kind)
    {
    case PLG_SETTING_INTEGER:
      return g_strdup_printf ("%d", 1 << g_rand_int_range (random, 0, (int) log2 (to) + 1));
    case PLG_SETTING_NUMBER:
      return g_strdup (g_ascii_dtostr (text, sizeof text,
                                       from * pow (to / from, g_rand_double (random))));
    case PLG_SETTING_BOOLEAN:
      return g_strdup (g_rand_boolean (random) ? "true" : "false");
    case PLG_SETTING_CHOICE:
      n = g_strv_length ((char **) setting->choices);
      return g_strdup (setting->choices[g_rand_int_range (random, 0, n)]);
    case PLG_SETTING_ORDER:
      return g_strdup (g_rand_boolean (random) ? "pp-tp-dp" : "dp-cp-tp-pp");
    case PLG_SETTING_FAULTS:
      return g_strdup (g_rand_boolean (random) ? "gpu:0=0.75" : "");
    case PLG_SETTING_NODE_NAMES:
      return g_strdup (g_rand_boolean (random) ? "0=dgx-a" : "");
    case PLG_SETTING_LAYOUT:
      return g_strdup (g_rand_boolean (random) ? "Ett|t*4|mL" : "");
    case PLG_SETTING_MODULES:
      return g_strdup (g_rand_boolean (random) ? "norm+mla-up" : "");
    case PLG_SETTING_NAME:
    default:
      break;
    }
  if (g_str_equal (setting->key, "cluster.node"))
    return g_strdup (plg_catalogue_nth_node (known,
                                             g_rand_int_range (random, 0,
                                                               plg_catalogue_n_nodes (known)))
                         ->name);
  if (g_str_equal (setting->key, "cluster.gpu"))
    return g_strdup (plg_catalogue_nth_gpu (known, g_rand_int_range (random, 0,
                                                                     plg_catalogue_n_gpus (known)))
                         ->name);
  return g_strdup (plg_catalogue_nth_model (known,
                                            g_rand_int_range (random, 0,
                                                              plg_catalogue_n_models (known)))
                       ->name);
}

static void
shuffle (GRand *random, PlgPlan *plan)
{
  int size = plg_plan_world (plan);

  plg_placement_expand (&plan->placement, size);
  for (int i = size - 1; i > 0; i--)
    {
      int *gpu = plan->placement.gpu_of_rank;
      int other = g_rand_int_range (random, 0, i + 1);
      int kept = gpu[i];
      gpu[i] = gpu[other];
      gpu[other] = kept;
    }
}

static const char *const texts[] = {
  "",
  "A plan",
  "  <b>&amp; ]]> \"quoted\" 'too'  ",
  "Ümläute – 漢字 🙂",
  "one\n\n  two\n",
  "a\tb\rc\r\nd",
  "--> <!-- <?x?> <![CDATA[",
  "\xC2\xA0space\xE2\x80\xA8",
};

/* A valid plan with some values other than the default. */
static PlgPlan *
random_plan (GRand *random, const PlgCatalogue *known)
{
  PlgPlan *plan = plg_catalogue_default_plan (known);
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < 30; i++)
    {
      const PlgSetting *setting = &settings[g_rand_int_range (random, 0, n)];
      g_autofree char *value = random_value (random, setting, known);
      g_autofree char *assignment = g_strdup_printf ("%s=%s", setting->key, value);
      const char *assignments[] = { assignment, NULL };
      plg_settings_apply (plan, known, assignments, NULL);
    }
  if (g_rand_boolean (random))
    shuffle (random, plan);
  /* A title is one line, so only the notes get all texts. */
  set_text (&plan->title, texts[g_rand_int_range (random, 0, 4)]);
  set_text (&plan->notes, texts[g_rand_int_range (random, 0, G_N_ELEMENTS (texts))]);
  g_assert_true (plg_plan_check (plan, NULL));
  return plan;
}

static void
test_random_plans (void)
{
  g_autoptr (PlgCatalogue) known = catalogue ();
  g_autoptr (PlgPlan) before = plg_catalogue_default_plan (known);
  g_autofree char *before_text = write_text (before, NULL);
  GRand *random = g_rand_new_with_seed (1);

  for (int i = 0; i < RANDOM_PLANS; i++)
    {
      g_autoptr (PlgPlan) plan = random_plan (random, known);
      g_autofree char *text = write_text (plan, NULL);
      g_autoptr (PlgPlanSource) source = NULL;
      g_autoptr (PlgPlan) read = read_text (text, known, &source);
      g_autofree char *again = write_text (read, source);
      g_autofree char *changed = write_text (before, source);
      g_autoptr (PlgPlan) read_changed = read_text (changed, known, NULL);

      g_assert_true (plan_schema_accepts (text));
      g_assert_true (plg_plan_equal (read, plan));
      g_assert_cmpstr (again, ==, text);
      g_assert_null (plg_plan_source_notice (source));

      /* The text of one plan, changed to another plan, reads as the other plan. */
      g_assert_true (plan_schema_accepts (changed));
      g_assert_true (plg_plan_equal (read_changed, before));
      plg_plan_assign (before, plan);
      g_free (before_text);
      before_text = g_steal_pointer (&text);
    }
  g_rand_free (random);
}

static void
test_every_key_is_written (void)
{
  g_autoptr (PlgCatalogue) known = catalogue ();
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (known);
  g_autofree char *sound = write_text (plan, NULL);
  g_autofree char *text = NULL;
  g_autoptr (PlgXml) xml = NULL;
  int n;
  const PlgSetting *settings = plg_settings (&n);

  /* Faults, names and shard groups are omitted if there are none, optimizer, cost and reliability if
   * they are default. */
  g_assert_null (strstr (sound, "<cost"));
  g_assert_null (strstr (sound, "<reliability"));
  g_assert_null (strstr (sound, "faults"));
  g_assert_null (strstr (sound, "node-names"));
  g_assert_null (strstr (sound, "replicate"));
  g_assert_null (strstr (sound, "optimizer"));
  g_assert_null (strstr (sound, "dispatcher"));
  g_assert_null (strstr (sound, "recipe"));
  g_assert_null (strstr (sound, "layout"));
  g_assert_null (strstr (sound, "modules"));
  g_assert_null (strstr (sound, "offload"));
  g_assert_null (strstr (sound, "muon"));
  g_assert_null (strstr (sound, "bf16-"));
  g_assert_null (strstr (sound, "dropout"));
  g_assert_null (strstr (sound, "host-"));
  plan->parallelism.replicate = 2;
  plan->training.optimizer = PLG_OPTIMIZER_ADAM_8BIT;
  plan->parallelism.dispatcher = PLG_DISPATCHER_DEEPEP;
  g_assert_true (plg_setting_set (plan, known, "parallelism.layout", "Ett|tL", NULL));
  g_assert_true (plg_setting_set (plan, known, "training.recompute-modules", "norm+mlp", NULL));
  g_assert_true (plg_setting_set (plan, known, "cluster.node-names", "0=dgx-a,3=Süd.2", NULL));
  g_assert_true (plg_setting_set (plan, known, "training.cuda-graphs", "true", NULL));
  g_assert_true (plg_setting_set (plan, known, "training.fp8-recipe", "blockwise", NULL));
  g_assert_true (plg_setting_set (plan, known, "cluster.faults", "gpu:1=0.5,nic:1.2=0", NULL));
  for (int i = 0; i < n; i++)
    if (g_str_has_prefix (settings[i].key, "cost.") ||
        g_str_has_prefix (settings[i].key, "reliability."))
      g_assert_true (plg_setting_set (plan, known, settings[i].key, "7", NULL));
  g_assert_true (plg_setting_set (plan, known, "training.expert-load", "7", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.moe-every", "2", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.expert-groups", "8", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.top-groups", "4", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.window", "1024", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.window-chunked", "true", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.full-attention-every", "4", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.attention-gate", "true", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.mixer", "mamba2", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.attention-layers", "8", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.mlp-layers", "36", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.mixer-heads", "64", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.mixer-head-dim", "64", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.mixer-groups", "8", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.mixer-state", "128", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.mixer-conv", "4", NULL));
  g_assert_true (plg_setting_set (plan, known, "training.offload-optimizer", "0.7", NULL));
  g_assert_true (plg_setting_set (plan, known, "training.offload-layers", "7", NULL));
  g_assert_true (plg_setting_set (plan, known, "training.offload-weights", "true", NULL));
  g_assert_true (plg_setting_set (plan, known, "training.recompute-method", "every", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.index-heads", "7", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.index-dim", "7", NULL));
  g_assert_true (plg_setting_set (plan, known, "model.index-top-k", "7", NULL));
  g_assert_true (plg_setting_set (plan, known, "training.recompute-layers", "7", NULL));
  g_assert_true (plg_setting_set (plan, known, "training.dropout", "on", NULL));
  g_assert_true (plg_setting_set (plan, known, "training.bf16-first-layers", "7", NULL));
  g_assert_true (plg_setting_set (plan, known, "training.bf16-last-layers", "7", NULL));
  g_assert_true (plg_setting_set (plan, known, "training.muon-steps", "7", NULL));
  g_assert_true (plg_setting_set (plan, known, "training.muon-tp", "gathered", NULL));
  g_assert_true (plg_setting_set (plan, known, "training.reduce-precision", "bf16", NULL));
  g_assert_true (plg_setting_set (plan, known, "cluster.host-bandwidth", "7", NULL));
  g_assert_true (plg_setting_set (plan, known, "cluster.host-memory", "7", NULL));
  g_assert_true (plg_setting_set (plan, known, "cluster.host-memory-bandwidth", "7", NULL));
  text = write_text (plan, NULL);
  xml = plg_xml_parse (text, strlen (text), NULL);
  for (int i = 0; i < n; i++)
    {
      g_auto (GStrv) parts = g_strsplit (settings[i].key, ".", 2);
      xmlNode *node = xmlFirstElementChild (plg_xml_root (xml));
      g_autofree char *written = NULL;
      g_autofree char *value = plg_setting_get (&settings[i], plan);

      while (node != NULL && !plg_xml_is (node, parts[0]))
        node = xmlNextElementSibling (node);
      g_assert_nonnull (node);
      written = plg_xml_attribute (node, parts[1]);
      g_assert_cmpstr (written, ==, value);
    }
}

static gboolean
schema_takes (const PlgSetting *setting, const char *value)
{
  g_auto (GStrv) parts = g_strsplit (setting->key, ".", 2);
  g_autofree char *text = g_strdup_printf ("<plan version='1'><%s %s='%s'/></plan>", parts[0],
                                           parts[1], value);

  return plan_schema_accepts (text);
}

/* The reader and the schema accept the same keys and values. */
static void
test_schema_and_reader_agree (void)
{
  static const char *const values[] = { "0",          "1",    "2",        "-1",    "1.5",  "0.5",
                                        "1e3",        "1e18", "1e19",     "+3",    "08",   "0x10",
                                        ".5",         "5.",   "nan",      "inf",   "-inf", "NaN",
                                        "INF",        "",     "mlp+norm", "norm+", "true", "false",
                                        "TRUE",       "bf16", "all",      "tp",    "tp-",  "2048",
                                        "tp-dp-pp-cp" };
  g_autoptr (PlgCatalogue) known = catalogue ();
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (known);
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    for (guint j = 0; j < G_N_ELEMENTS (values); j++)
      {
        gboolean valid = schema_takes (&settings[i], values[j]);
        gboolean read = plg_setting_set (plan, known, settings[i].key, values[j], NULL);

        /* The schema cannot check the names of the catalogue, an axis that is named twice,
         * all limits of a rate, or the order of letters in a layout. */
        if (settings[i].kind == PLG_SETTING_NAME || settings[i].kind == PLG_SETTING_ORDER ||
            settings[i].kind == PLG_SETTING_FAULTS || settings[i].kind == PLG_SETTING_NODE_NAMES ||
            settings[i].kind == PLG_SETTING_LAYOUT)
          g_assert_true (valid || !read);
        else if (valid != read)
          g_error ("%s=\"%s\": schema %d, reader %d", settings[i].key, values[j], valid, read);
      }
}

/* The reader ignores blanks around a value, as the types of the schema do, but not inside one. */
static void
test_blanks (void)
{
  static const struct
  {
    const char *attributes; /* attributes of the element training */
    gboolean is_valid;
  } rows[] = {
    { "recompute-modules=' norm+mlp\n'", TRUE },
    { "recompute-modules='norm +mlp'", FALSE },
    { "recompute-modules='norm mlp'", FALSE },
    { "precision=' bf16'", TRUE },
    { "precision='bf 16'", FALSE },
    { "global-batch='\t64 '", TRUE },
    { "global-batch='6 4'", FALSE },
    { "tokens=' 1e12 '", TRUE },
    { "tokens='1 e12'", FALSE },
    { "causal=' true '", TRUE },
    { "causal='tr ue'", FALSE },
  };
  g_autoptr (PlgCatalogue) known = catalogue ();

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = g_strdup_printf ("<plan version='1'><training %s/></plan>",
                                               rows[i].attributes);
      g_autoptr (PlgPlan) plan = plg_plan_xml_read (text, strlen (text), known, NULL, NULL);

      if (plan_schema_accepts (text) != rows[i].is_valid || (plan != NULL) != rows[i].is_valid)
        g_error ("%s: schema %d, reader %d", rows[i].attributes, plan_schema_accepts (text),
                 plan != NULL);
    }
}

static void
test_schema_refuses (void)
{
  static const char *const wrong[] = {
    "<plan/>",
    "<plan version='0'/>",
    "<plans version='1'/>",
    "<plan version='1'><cluster/><cluster/></plan>",
    "<plan version='1'><title/><title/></plan>",
    "<plan version='1'><placement><node/></placement></plan>",
    "<plan version='1'><placement><node ranks='a'/></placement></plan>",
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (plan_schema_accepts (wrong[i]));
}

/* A file without shard groups keeps its bytes, and one with shard groups has their number. */
static void
test_shard_groups (void)
{
  g_autoptr (PlgCatalogue) known = catalogue ();
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (known);
  g_autofree char *before = write_text (plan, NULL);
  g_autoptr (PlgPlanSource) source = NULL;
  g_autoptr (PlgPlan) read = read_text (before, known, &source);
  g_autofree char *two = NULL;
  g_autofree char *again = NULL;
  g_autoptr (PlgPlanSource) of_two = NULL;
  g_autoptr (PlgPlan) read_two = NULL;

  read->parallelism.replicate = 2;
  two = write_text (read, source);
  g_assert_nonnull (strstr (two, "replicate=\"2\""));
  read_two = read_text (two, known, &of_two);
  g_assert_cmpint (read_two->parallelism.replicate, ==, 2);
  g_assert_false (plg_plan_equal (read_two, plan));

  /* A new GPU makes the writer write every value, but no shard groups. */
  read->parallelism.replicate = 1;
  g_assert_true (plg_setting_set (read, known, "cluster.gpu", "a100-sxm-80", NULL));
  again = write_text (read, source);
  g_assert_null (strstr (again, "replicate"));
}

/* A file of a plan without the newer settings keeps its bytes, and one with them has their values. */
static void
test_newer_settings (void)
{
  static const struct
  {
    const char *key, *value, *attribute;
  } rows[] = {
    { "training.expert-load", "1.25", "expert-load" },
    { "training.offload-optimizer", "0.5", "offload-optimizer" },
    { "training.offload-layers", "3", "offload-layers" },
    { "training.offload-weights", "true", "offload-weights" },
    { "training.fp8-recipe", "current", "fp8-recipe" },
    { "training.reduce-precision", "bf16", "reduce-precision" },
    { "parallelism.dispatcher", "deepep", "dispatcher" },
    { "model.window", "1024", "window" },
    { "model.full-attention-every", "6", "full-attention-every" },
    { "model.window-chunked", "true", "window-chunked" },
    { "model.attention-gate", "true", "attention-gate" },
    { "model.attention-layers", "5", "attention-layers" },
    { "model.mlp-layers", "2", "mlp-layers" },
    { "model.mixer-heads", "48", "mixer-heads" },
    { "model.mixer-head-dim", "64", "mixer-head-dim" },
    { "model.mixer-groups", "8", "mixer-groups" },
    { "model.mixer-state", "64", "mixer-state" },
    { "model.mixer-conv", "3", "mixer-conv" },
    { "model.mixer", "gated-delta-net", "mixer" },
  };
  g_autoptr (PlgCatalogue) known = catalogue ();
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (known);
  g_autofree char *before = write_text (plan, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *start = g_strdup_printf (" %s=", rows[i].attribute);
      g_autofree char *whole = g_strdup_printf (" %s=\"%s\"", rows[i].attribute, rows[i].value);
      g_autofree char *text = NULL;
      g_autoptr (PlgPlan) read = NULL;

      g_assert_null (strstr (before, start));
      set (plan, known, rows[i].key, rows[i].value);
      text = write_text (plan, NULL);
      g_assert_nonnull (strstr (text, whole));
      read = read_text (text, known, NULL);
      g_assert_true (plg_plan_equal (read, plan));
    }
}

/* A file that states all older dimensions of a model also states that the model has no window, even if
 * the catalogue's model of the same name has one. A file with only the name has that one. */
static void
test_name_with_window (void)
{
  g_autoptr (PlgCatalogue) known = catalogue ();
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (known);
  g_autoptr (PlgPlanSource) source = NULL, source_of_name = NULL;
  g_autoptr (PlgPlan) read = NULL, read_name = NULL;
  g_autofree char *text = NULL;

  g_assert_true (plg_setting_set (plan, known, "model.name", "gpt-oss-120b", NULL));
  g_assert_cmpint (plan->model.window, ==, 128);
  plan->model.window = 0;
  text = write_text (plan, NULL);
  g_assert_null (strstr (text, " window="));
  read = read_text (text, known, &source);
  g_assert_true (plg_plan_equal (read, plan));
  read_name = read_text ("<plan version='1'><model name='gpt-oss-120b'/></plan>", known,
                         &source_of_name);
  g_assert_cmpint (read_name->model.window, ==, 128);
  g_assert_cmpint (read_name->model.full_attention_every, ==, 2);
}

/* A file in the form in which people and other programs save it. */
static const char written_by_hand
    [] = "\xEF\xBB\xBF<?xml version='1.0'?>\r\n"
         "<!-- First comment: 8 -->\r\n"
         "<plan version = '1' xmlns:lab='urn:lab' lab:id='7' colour=\"red\">\r\n"
         "\t<rack name='r1'><row>8</row></rack>\r\n"
         "  <cluster nodes='8'\tmemory = \"80\" floor='2' ><!-- inside --></cluster>\r\n"
         "  <lab:cluster nodes='99'/>\r\n"
         "  <parallelism\r\n"
         "      tp='8'\r\n"
         "      pp='4' />\r\n"
         "  <notes>a <em>b</em> &lt;c&gt;<![CDATA[<d>]]></notes>\r\n"
         "  <?keep this?>\r\n"
         "</plan>\r\n"
         "<!-- Last comment -->\r\n";

static char *
replaced (const char *text, const char *from, const char *to)
{
  g_auto (GStrv) parts = g_strsplit (text, from, -1);

  g_assert_cmpint (g_strv_length (parts), ==, 2);
  return g_strjoinv (to, parts);
}

static void
test_unchanged (void)
{
  g_autoptr (PlgCatalogue) known = catalogue ();
  g_autoptr (PlgPlanSource) source = NULL;
  g_autoptr (PlgPlan) plan = read_text (written_by_hand, known, &source);
  g_autofree char *text = write_text (plan, source);

  g_assert_cmpstr (text, ==, written_by_hand);
  g_assert_cmpstr (plan->notes, ==, "a b <c><d>");
  g_assert_cmpint (plan->parallelism.degree[PLG_AXIS_DP], ==, 2);
}

/* A change of one value changes one place of the text. */
static void
test_change_of_one_value (void)
{
  static const struct
  {
    const char *key, *value, *from, *to;
  } changes[] = {
    { "cluster.memory", "94.5", "\"80\" floor", "\"94.5\" floor" },
    { "cluster.peak", "400", "floor='2' >", "floor='2' peak=\"400\" >" },
    { "parallelism.overlap-dp", "false", "pp='4' />", "pp='4'\r\n      overlap-dp=\"false\" />" },
    { "engine.profile", "handbook", "<?keep this?>\r\n",
      "<?keep this?>\r\n  <engine profile=\"handbook\"/>\r\n" },
  };
  g_autoptr (PlgCatalogue) known = catalogue ();

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr (PlgPlanSource) source = NULL;
      g_autoptr (PlgPlan) plan = read_text (written_by_hand, known, &source);
      g_autofree char *expected = replaced (written_by_hand, changes[i].from, changes[i].to);
      g_autofree char *text = NULL;

      set (plan, known, changes[i].key, changes[i].value);
      text = write_text (plan, source);
      g_assert_cmpstr (text, ==, expected);
    }
}

static void
test_change_of_texts (void)
{
  g_autoptr (PlgCatalogue) known = catalogue ();

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      static const char
          with_title[] = "<plan version='1'><title/>\n<notes x='y'>old</notes></plan>";
      g_autoptr (PlgPlanSource) source = NULL;
      g_autoptr (PlgPlan) plan = read_text (with_title, known, &source);
      g_autoptr (PlgPlan) read = NULL;
      g_autofree char *text = NULL;

      set_text (&plan->notes, texts[i]);
      set_text (&plan->title, "New & old");
      text = write_text (plan, source);
      read = read_text (text, known, NULL);
      g_assert_cmpstr (read->notes, ==, texts[i]);
      g_assert_true (g_str_has_prefix (text, "<plan version='1'><title>New &amp; "
                                             "old</title>\n<notes x='y'>"));
    }
}

/* Control characters have no place in XML; a title has no line breaks. */
static void
test_texts_that_xml_cannot_hold (void)
{
  g_autoptr (PlgCatalogue) known = catalogue ();
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (known);
  g_autoptr (PlgPlanSource) source = NULL;
  g_autoptr (PlgPlan) read = NULL;
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;

  set_text (&plan->title, "  one\n\n two\r\nthree \x02");
  set_text (&plan->notes, "a\x01z\xFFq\xEF\xBF\xBE");
  text = write_text (plan, NULL);
  read = read_text (text, known, &source);
  g_assert_cmpstr (read->title, ==, "one two three \xEF\xBF\xBD");
  g_assert_cmpstr (read->notes, ==, "a\xEF\xBF\xBDz\xEF\xBF\xBDq\xEF\xBF\xBD");
  again = write_text (plan, source);
  g_assert_cmpstr (again, ==, text);
}

static void
test_placement (void)
{
  static const char two_nodes[] = "<plan version='1'>\n"
                                  " <cluster nodes='2' gpus-per-node='2'/>\n"
                                  " <parallelism tp='2' pp='1'/>\n"
                                  " <placement by='hand'>\n"
                                  "   <node ranks='0 2' host='a'/> <!-- here -->\n"
                                  "   <node ranks=' 3\n1 '/>\n"
                                  " </placement>\n"
                                  "</plan>";
  g_autoptr (PlgCatalogue) known = catalogue ();
  g_autoptr (PlgPlanSource) source = NULL;
  g_autoptr (PlgPlan) plan = read_text (two_nodes, known, &source);
  g_autofree char *moved = NULL;
  g_autofree char *removed = NULL;
  g_autofree char *expected = replaced (two_nodes, "'0 2'", "'2 0'");
  int *gpu = plan->placement.gpu_of_rank;

  g_assert_cmpint (plan->placement.size, ==, 4);
  g_assert_cmpint (gpu[0], ==, 0);
  g_assert_cmpint (gpu[1], ==, 3);
  g_assert_cmpint (gpu[2], ==, 1);
  g_assert_cmpint (gpu[3], ==, 2);

  gpu[0] = 1;
  gpu[2] = 0;
  moved = write_text (plan, source);
  g_assert_cmpstr (moved, ==, expected);

  plg_placement_clear (&plan->placement);
  removed = write_text (plan, source);
  g_assert_true (g_str_has_suffix (removed, "<parallelism tp='2' pp='1'/>\n</plan>"));
}

static void
test_placement_of_another_size (void)
{
  static const char two_nodes[] = "<plan version='1'><cluster nodes='2' gpus-per-node='1'/>"
                                  "<parallelism tp='1' pp='1'/><placement>\n"
                                  "  <node ranks='1' host='a'/>\n"
                                  "  <node ranks='0' host='b'/><!-- c -->\n"
                                  "</placement></plan>";
  g_autoptr (PlgCatalogue) known = catalogue ();
  g_autoptr (PlgPlanSource) source = NULL;
  g_autoptr (PlgPlan) plan = read_text (two_nodes, known, &source);
  g_autofree char *larger = NULL;
  g_autofree char *smaller = NULL;

  set (plan, known, "cluster.nodes", "4");
  set (plan, known, "parallelism.dp", "4");
  plg_placement_clear (&plan->placement);
  plg_placement_expand (&plan->placement, 4);
  larger = write_text (plan, source);
  g_assert_nonnull (strstr (larger, "<placement>\n  <node ranks='0' host='a'/>\n"
                                    "  <node ranks='1' host='b'/>\n  <node ranks=\"2\"/>\n"
                                    "  <node ranks=\"3\"/><!-- c -->\n</placement>"));

  set (plan, known, "cluster.nodes", "1");
  set (plan, known, "parallelism.dp", "1");
  plg_placement_clear (&plan->placement);
  plg_placement_expand (&plan->placement, 1);
  smaller = write_text (plan, source);
  g_assert_nonnull (strstr (smaller,
                            "<placement>\n  <node ranks='0' host='a'/><!-- c -->\n</placement>"));
}

/* A short file takes values from the catalogue. Edited values must still be written. */
static void
test_values_left_to_the_catalogue (void)
{
  static const char brief[] = "<plan version='1'><model name='llama3-8b'/></plan>";
  g_autoptr (PlgCatalogue) known = catalogue ();
  g_autoptr (PlgPlanSource) source = NULL;
  g_autoptr (PlgPlan) plan = read_text (brief, known, &source);
  g_autoptr (PlgPlan) other = plg_plan_copy (plan);
  g_autoptr (PlgPlan) read = NULL;
  g_autofree char *layers = NULL;
  g_autofree char *model = NULL;

  g_assert_cmpint (plan->model.hidden, ==, 4096);
  set (plan, known, "model.layers", "16");
  layers = write_text (plan, source);
  g_assert_cmpstr (layers, ==, "<plan version='1'><model name='llama3-8b' layers=\"16\"/></plan>");

  /* The name of one model with the layers of the other. */
  set (other, known, "model.name", "llama3-70b");
  set (other, known, "model.layers", "40");
  model = write_text (other, source);
  read = read_text (model, known, NULL);
  g_assert_true (plg_plan_equal (read, other));
}

/* Files from before plans had hosts: a rack consists of trays, unless trays do not fill it. */
static void
test_hosts (void)
{
  static const struct
  {
    const char *cluster;
    int gpus_per_host;
  } rows[] = { { "node='gb200-nvl72' nodes='1'", 4 },
               { "node='gb200-nvl72' nodes='1' gpus-per-node='70'", 0 },
               { "node='gb200-nvl72' nodes='1' gpus-per-host='0'", 0 },
               { "node='hgx-h100' nodes='1'", 0 } };
  g_autoptr (PlgCatalogue) known = catalogue ();

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = g_strdup_printf ("<plan version='1'><cluster %s/><parallelism tp='2' "
                                               "pp='1'/><training global-batch='2520'/></plan>",
                                               rows[i].cluster);
      g_autoptr (PlgPlan) plan = read_text (text, known, NULL);
      g_autofree char *written = write_text (plan, NULL);
      g_autoptr (PlgPlan) again = read_text (written, known, NULL);

      g_assert_cmpint (plan->cluster.gpus_per_host, ==, rows[i].gpus_per_host);
      g_assert_true (plg_plan_equal (plan, again));
    }
}

static void
test_empty_plan (void)
{
  static const char empty[] = "<plan version='1'/>\n<!-- end -->";
  g_autoptr (PlgCatalogue) known = catalogue ();
  g_autoptr (PlgPlan) default_plan = plg_catalogue_default_plan (known);
  g_autoptr (PlgPlanSource) source = NULL;
  g_autoptr (PlgPlan) plan = read_text (empty, known, &source);
  g_autoptr (PlgPlan) read = NULL;
  g_autofree char *text = NULL;

  g_assert_true (plg_plan_same_design (plan, default_plan));
  g_assert_cmpstr (plan->title, ==, "");
  set_text (&plan->title, "T");
  text = write_text (plan, source);
  g_assert_cmpstr (text, ==, "<plan version='1'>\n  <title>T</title>\n</plan>\n<!-- end -->");
}

static void
test_newer_version (void)
{
  static const char newer[] = "<plan version='12'><cluster warp='9'/><future/><f:a xmlns:f='f'/>"
                              "</plan>";
  g_autoptr (PlgCatalogue) known = catalogue ();
  g_autoptr (PlgPlanSource) source = NULL;
  g_autoptr (PlgPlan) plan = read_text (newer, known, &source);
  g_autofree char *text = NULL;
  const char *notice = plg_plan_source_notice (source);

  g_assert_nonnull (strstr (notice, "newer version"));
  g_assert_nonnull (strstr (notice, "warp"));
  g_assert_nonnull (strstr (notice, "<future> (line 1)"));
  g_assert_null (strstr (notice, "<a>"));
  set_text (&plan->title, "T");
  text = write_text (plan, source);
  g_assert_true (g_str_has_prefix (text, "<plan version='12'><cluster warp='9'/><future/>"));
}

static void
test_source_is_shared (void)
{
  g_autoptr (PlgCatalogue) known = catalogue ();
  g_autoptr (PlgPlanSource) source = NULL;
  g_autoptr (PlgPlan) plan = read_text ("<plan version='1'/>", known, &source);
  PlgPlanSource *second = plg_plan_source_ref (source);
  g_autofree char *text = NULL;

  plg_plan_source_unref (second);
  text = write_text (plan, source);
  g_assert_cmpstr (text, ==, "<plan version='1'/>");
}

/* The plans that come with the program. */
static void
test_examples (void)
{
  static const char *const names[] = { "default.plan.xml", "tp4-pp4-dp4.plan.xml" };
  g_autoptr (PlgCatalogue) known = catalogue ();
  g_autoptr (PlgPlan) default_plan = plg_catalogue_default_plan (known);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "examples",
                                                     names[i], NULL);
      g_autofree char *text = NULL;
      g_autoptr (PlgPlanSource) source = NULL;
      g_autoptr (PlgPlan) plan = NULL;

      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      plan = read_text (text, known, &source);
      g_assert_null (plg_plan_source_notice (source));
      g_assert_true (plan_schema_accepts (text));
      g_assert_cmpstr (plan->title, !=, "");
      g_assert_cmpstr (plan->notes, !=, "");
      /* The first example has all values of the default plan. */
      g_assert_true (plg_plan_same_design (plan, default_plan) == (i == 0));
    }
}

/* Bad input */

#define PLAN(content) "<plan version='1'>\n" content "\n</plan>"
#define SMALL "<cluster nodes='2' gpus-per-node='2'/><parallelism tp='2' pp='1'/>\n"

static const struct
{
  const char *name;
  const char *text;
  const char *says;
} wrong[] = {
  { "another root", "<system version='1'/>", "1:1: This is not a plan" },
  { "plan of a namespace", "<plan xmlns='urn:x' version='1'/>",
    "1:1: This is not a plan: <plan> is in the namespace “urn:x”" },
  { "no version", "\n <plan/>", "2:2: The plan has no version" },
  { "version zero", "<plan version='0'/>", "1:7: Version “0”" },
  { "version is not a number", "<plan version='one'/>", "1:7: Version “one”" },
  { "version too large", "<plan version='99999999999'/>", "1:7: Version" },
  { "two clusters", PLAN ("<cluster/>\n<cluster/>"),
    "3:1: A plan has only one <cluster>, and line 2" },
  { "two titles", PLAN ("<title/><title/>"), "2:9: A plan has only one <title>" },
  { "negative nodes", PLAN ("<cluster nodes='-1'/>"), "2:10: cluster.nodes: “-1”" },
  { "no nodes", PLAN ("<cluster nodes='0'/>"), "from 1 to 16384" },
  { "half a node", PLAN ("<cluster nodes='1.5'/>"), "2:10:" },
  { "10^18 nodes", PLAN ("<cluster nodes='1000000000000000000'/>"), "2:10:" },
  { "10^30 nodes", PLAN ("<cluster nodes='1000000000000000000000000000000'/>"), "2:10:" },
  { "too many GPUs", PLAN ("<cluster nodes='16384' gpus-per-node='128'/>"), "2:1:" },
  { "memory not a number", PLAN ("<cluster\n memory='NaN'/>"), "3:2: cluster.memory" },
  { "infinite memory", PLAN ("<cluster memory='inf'/>"), "GiB" },
  { "memory of 1e400", PLAN ("<cluster memory='1e400'/>"), "2:10:" },
  { "hexadecimal", PLAN ("<cluster memory='0x10'/>"), "2:10:" },
  { "decimal comma", PLAN ("<cluster memory='80,5'/>"), "2:10:" },
  { "empty value", PLAN ("<cluster nodes=''/>"), "2:10:" },
  { "unknown GPU", PLAN ("<cluster gpu='h9000'/>"), "h100-sxm-80" },
  { "unknown model", PLAN ("<model layers='2' name='gpt9'/>"), "2:19: model.name" },
  { "unknown choice", PLAN ("<training precision='bf8'/>"), "bf16" },
  { "unknown optimizer", PLAN ("<training optimizer='lion'/>"),
    "adam, adam-bf16, adam-8bit, muon" },
  { "unknown boolean", PLAN ("<model gated='yes'/>"), "2:8:" },
  { "an axis twice in the order", PLAN ("<parallelism order='tp-tp'/>"), "2:14:" },
  { "degrees that do not multiply", PLAN ("<parallelism tp='8' pp='3' dp='2'/>"), "2:1:" },
  { "tokens of 10^30", PLAN ("<training tokens='1e30'/>"), "2:11:" },
  { "batch that does not divide", PLAN ("<training global-batch='7'/>"), "2:1:" },
  { "rank too high", PLAN (SMALL "<placement><node ranks='0 4'/></placement>"),
    "3:18: “4” is not a rank of this plan; ranks must be from 0 to 3." },
  { "rank is not a number", PLAN (SMALL "<placement><node ranks='0 x'/></placement>"),
    "3:18: “x”" },
  { "negative rank", PLAN (SMALL "<placement><node ranks='-1 0'/></placement>"), "3:18: “-1”" },
  { "rank placed twice",
    PLAN (SMALL "<placement><node ranks='0 1'/>\n <node ranks='2 1'/></placement>"),
    "4:8: Rank 1 is placed twice, on node 0 and on node 1" },
  { "GPU without a rank", PLAN (SMALL "<placement><node ranks='0'/></placement>"),
    "3:18: Node 0 has 1 ranks for 2 GPUs" },
  { "two ranks for a GPU", PLAN (SMALL "<placement><node ranks='0 1 2'/></placement>"),
    "3:18: Node 0 has more ranks than its 2 GPUs" },
  { "node without ranks", PLAN (SMALL "<placement><node/></placement>"), "3:12: Node 0 has 0" },
  { "node missing", PLAN (SMALL "<placement><node ranks='0 1'/></placement>"),
    "3:1: The placement has 1 nodes, but the cluster has 2" },
  { "node too many",
    PLAN (SMALL "<placement><node ranks='0 1'/><node ranks='2 3'/><node ranks='4 5'/></placement>"),
    "The placement has more nodes than the cluster, which has 2" },
  { "empty placement", PLAN ("<placement/>"), "2:1: The placement has 0 nodes" },
};

static void
test_wrong (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (PlgCatalogue) known = catalogue ();
  g_autoptr (PlgPlanSource) source = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgPlan) plan = plg_plan_xml_read (wrong[i].text, strlen (wrong[i].text), known,
                                                &source, &error);

  g_assert_null (plan);
  g_assert_null (source);
  g_assert_nonnull (error);
  g_assert_true (error->domain == PLG_FORMAT_ERROR || error->domain == PLG_PLAN_ERROR);
  if (strstr (error->message, wrong[i].says) == NULL)
    g_error ("%s: “%s” lacks “%s”", wrong[i].name, error->message, wrong[i].says);
  g_assert_true (g_regex_match_simple ("^[1-9][0-9]*:[1-9][0-9]*: ", error->message, 0, 0));
}

/* A well-formed file with an impossible plan is not a damaged file. */
static void
test_kinds_of_errors (void)
{
  static const char impossible[] = PLAN ("<parallelism tp='8' pp='3' dp='2'/>");
  static const char unreadable[] = PLAN ("<parallelism tp='eight'/>");
  g_autoptr (PlgCatalogue) known = catalogue ();
  g_autoptr (GError) first = NULL;
  g_autoptr (GError) second = NULL;

  plg_plan_xml_read (impossible, strlen (impossible), known, NULL, &first);
  plg_plan_xml_read (unreadable, strlen (unreadable), known, NULL, &second);
  g_assert_error (first, PLG_PLAN_ERROR, PLG_PLAN_ERROR_WORLD);
  g_assert_error (second, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT);
}

static void
test_damage (void)
{
  g_autoptr (PlgCatalogue) known = catalogue ();
  GRand *random = g_rand_new_with_seed (7);
  gsize size = strlen (written_by_hand);

  for (gsize at = 0; at < size; at++)
    for (int i = 0; i < 4; i++)
      {
        g_autofree char *text = g_memdup2 (written_by_hand, size);
        g_autoptr (GError) error = NULL;
        g_autoptr (PlgPlanSource) source = NULL;
        g_autoptr (PlgPlan) plan = NULL;

        if (i > 0)
          text[at] = (char) g_rand_int_range (random, 0, 256);
        plan = plg_plan_xml_read (text, i == 0 ? at : size, known, &source, &error);
        g_assert_true ((plan == NULL) == (error != NULL));
        if (plan != NULL)
          {
            g_autofree char *changed = NULL;
            set_text (&plan->title, "changed");
            changed = write_text (plan, source);
            g_assert_nonnull (strstr (changed, "changed"));
          }
      }
  g_rand_free (random);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan-xml/random-plans", test_random_plans);
  g_test_add_func ("/plan-xml/every-key-is-written", test_every_key_is_written);
  g_test_add_func ("/plan-xml/schema-and-reader-agree", test_schema_and_reader_agree);
  g_test_add_func ("/plan-xml/blanks", test_blanks);
  g_test_add_func ("/plan-xml/schema-refuses", test_schema_refuses);
  g_test_add_func ("/plan-xml/shard-groups", test_shard_groups);
  g_test_add_func ("/plan-xml/newer-settings", test_newer_settings);
  g_test_add_func ("/plan-xml/name-with-window", test_name_with_window);
  g_test_add_func ("/plan-xml/unchanged", test_unchanged);
  g_test_add_func ("/plan-xml/change-of-one-value", test_change_of_one_value);
  g_test_add_func ("/plan-xml/change-of-texts", test_change_of_texts);
  g_test_add_func ("/plan-xml/texts-that-xml-cannot-hold", test_texts_that_xml_cannot_hold);
  g_test_add_func ("/plan-xml/placement", test_placement);
  g_test_add_func ("/plan-xml/placement-of-another-size", test_placement_of_another_size);
  g_test_add_func ("/plan-xml/values-left-to-the-catalogue", test_values_left_to_the_catalogue);
  g_test_add_func ("/plan-xml/hosts", test_hosts);
  g_test_add_func ("/plan-xml/empty-plan", test_empty_plan);
  g_test_add_func ("/plan-xml/newer-version", test_newer_version);
  g_test_add_func ("/plan-xml/source-is-shared", test_source_is_shared);
  g_test_add_func ("/plan-xml/kinds-of-errors", test_kinds_of_errors);
  g_test_add_func ("/plan-xml/examples", test_examples);
  g_test_add_func ("/plan-xml/damage", test_damage);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *path = g_strconcat ("/plan-xml/wrong/", wrong[i].name, NULL);
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_wrong);
    }
  return g_test_run ();
}
