/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

/* A document with the sample catalogue, and a folder for its files. */
typedef struct
{
  PlgCatalogue *catalogue;
  PlgDocument *document;
  char *directory; /* a fresh one for files */
  int changes;     /* how often "changed" was emitted */
} Fixture;

#define TEST(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

void set_up (Fixture *fixture, gconstpointer data);
void tear_down (Fixture *fixture, gconstpointer data);
/* Of a signal, swapped. */
void count_cb (int *count);

int sequence_of (const PlgPlan *plan);
/* Any step: another sequence length. */
void apply_sequence (PlgDocument *document, int sequence, const char *merge_key);

/* g_object_unref(). */
GFile *file_in (Fixture *fixture, const char *name);
/* NULL where there is no such file. g_free(). */
char *contents_of (GFile *file);
void write_file (GFile *file, const char *contents);
/* And all that is in it. */
void remove_directory (const char *directory);
