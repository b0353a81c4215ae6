/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program-fixture.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("plg-cli-XXXXXX", NULL);
  fixture->wrapper = "";
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
        remove_folder (child);
      else
        g_unlink (child);
    }
  g_rmdir (path);
}

void
tear_down (Fixture *fixture, gconstpointer data)
{
  remove_folder (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->out);
  g_free (fixture->err);
}

static char *
take_text (GBytes *bytes, gsize *size)
{
  gsize n;
  const char *data = g_bytes_get_data (bytes, &n);
  char *text = g_malloc (n + 1);

  if (n > 0)
    memcpy (text, data, n);
  text[n] = '\0';
  if (size != NULL)
    *size = n;
  return text;
}

int
run_line (Fixture *fixture, const char *input, const char *line)
{
  g_autoptr (GSubprocessLauncher)
                 launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE |
                                                       G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                                       G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GBytes) stdin_bytes = g_bytes_new (input, strlen (input));
  g_autoptr (GBytes) out = NULL;
  g_autoptr (GBytes) err = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_auto (GStrv) argv = NULL;
  g_autofree char *shown = g_utf8_make_valid (line, -1);

  g_test_message ("%s", shown);
  g_shell_parse_argv (line, NULL, &argv, &error);
  g_assert_no_error (error);
  g_subprocess_launcher_unsetenv (launcher, "DISPLAY");
  g_subprocess_launcher_unsetenv (launcher, "WAYLAND_DISPLAY");
  g_subprocess_launcher_setenv (launcher, "HOME", fixture->folder, TRUE);
  g_subprocess_launcher_setenv (launcher, "XDG_DATA_HOME", fixture->folder, TRUE);
  g_subprocess_launcher_setenv (launcher, "GIT_CONFIG_NOSYSTEM", "1", TRUE);
  g_subprocess_launcher_setenv (launcher, "PLG_LOCALE_DIR", PLG_TRANSLATIONS, TRUE);
  g_subprocess_launcher_set_cwd (launcher, fixture->folder);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv, &error);
  g_assert_no_error (error);
  g_subprocess_communicate (process, stdin_bytes, NULL, &out, &err, &error);
  g_assert_no_error (error);
  g_free (fixture->out);
  fixture->out = take_text (out, &fixture->out_size);
  g_free (fixture->err);
  fixture->err = take_text (err, NULL);
  g_assert_true (g_subprocess_get_if_exited (process));
  fixture->status = g_subprocess_get_exit_status (process);
  if (*fixture->err != '\0')
    {
      g_autofree char *message = g_utf8_make_valid (fixture->err, -1);

      g_test_message ("%s", message);
    }
  return fixture->status;
}

int
run_with (Fixture *fixture, const char *input, const char *command)
{
  g_autofree char *line = g_strconcat (fixture->wrapper, PLG_CLI, " ", command, NULL);

  return run_line (fixture, input, line);
}

int
run (Fixture *fixture, const char *command)
{
  return run_with (fixture, "", command);
}

void
write_file (const Fixture *fixture, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

char *
read_file (const Fixture *fixture, const char *name, gsize *size)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  char *data = NULL;

  g_assert_true (g_file_get_contents (path, &data, size, NULL));
  return data;
}

void
assert_contains (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_test_fail_printf ("“%s” is not in:\n%s", part, text);
}

void
assert_lacks (const char *text, const char *part)
{
  if (strstr (text, part) != NULL)
    g_test_fail_printf ("“%s” is in:\n%s", part, text);
}
