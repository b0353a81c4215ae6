/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/request.h"

/* A sample and a request for a picture of it, for tests of whole files. */
typedef struct
{
  PlgPlan *plan;
  PlgReport *report;
  PlgRequest request;
} RequestFixture;

/* For g_test_add(): NAME is the name of a sample, or NULL for the default sample. */
void request_fixture_set_up (RequestFixture *fixture, gconstpointer name);
void request_fixture_tear_down (RequestFixture *fixture, gconstpointer name);

void request_fixture_rename_model (RequestFixture *fixture, const char *name);

/* Returns the requested file in FORMAT; g_free(). */
char *request_fixture_export (RequestFixture *fixture, PlgExportFormat format);

/* A title that a person or a file may give a model: special characters of TeX, XML and shells,
 * control characters, right-to-left text and direction overrides, accents, ideographs. */
#define HOSTILE                                                                                  \
  "\\end{document} 100% #1 $x_2^3$ {a}~& <b>\"q\"</b> ]]> --> `c` ''s'' | \x01"                  \
  "\x1b[31m \xe2\x80\xae\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xc3\xa9\xc3\x9f\xc5\x82 \xe4\xb8\xad " \
  "-- ?` \xf0\x9f\x98\x80"
