/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/header-comment.h"

#include <string.h>

const char *
plg_header_comment_find (const PlgImportContext *context, const char *beginning, int *line)
{
  *line = 1;
  for (const char *p = context->data; p != NULL && *p != '\0'; (*line)++)
    {
      if (g_str_has_prefix (p, beginning))
        return p + strlen (beginning);
      p = strchr (p, '\n');
      p = p != NULL ? p + 1 : NULL;
    }
  return NULL;
}
