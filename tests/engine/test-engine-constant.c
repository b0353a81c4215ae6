/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/model/engine-constant.h"

#include <math.h>
#include <string.h>

static const char *const names[] = {
#define CONSTANT_NAME(NAME, value) #NAME,
  PLG_ENGINE_CONSTANTS (CONSTANT_NAME)
};

static void
test_keys (void)
{
  const double values[] = {
#define CONSTANT_VALUE(NAME, value) PLG_##NAME,
    PLG_ENGINE_CONSTANTS (CONSTANT_VALUE)
  };

  for (int i = 0; i < PLG_N_ENGINE_CONSTANTS; i++)
    {
      const PlgEngineConstantInfo *info = plg_engine_constant_info (i);
      g_autofree char *key = g_ascii_strdown (names[i], -1);

      g_strdelimit (key, "_", '-');
      g_assert_cmpstr (info->key, ==, key);
      g_assert_cmpfloat (plg_engine_constant (i), ==, values[i]);
      g_assert_true (isfinite (values[i]) && values[i] > 0.0);
    }
}

/* A date is a year, or a year and a month. */
static gboolean
is_date (const char *text)
{
  return g_regex_match_simple ("^20[0-9]{2}(-(0[1-9]|1[0-2]))?$", text, 0, 0);
}

static void
test_sources (void)
{
  for (int i = 0; i < PLG_N_ENGINE_CONSTANTS; i++)
    {
      const PlgEngineConstantInfo *info = plg_engine_constant_info (i);

      g_test_message ("%s", info->key);
      g_assert_cmpuint (strlen (info->title), >, 10);
      g_assert_cmpuint (strlen (info->source), >, 10);
      g_assert_true (is_date (info->date));
      for (int j = 0; j < i; j++)
        g_assert_cmpstr (info->title, !=, plg_engine_constant_info (j)->title);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine-constant/keys", test_keys);
  g_test_add_func ("/engine-constant/sources", test_sources);
  return g_test_run ();
}
