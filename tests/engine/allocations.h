/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <errno.h>
#include <glib.h>
#include <stdlib.h>

/* Counts the allocations of a program. The main file includes this header once; it overrides the
 * C library's functions, so GLib's calls count too. The sanitizers override them as well, so
 * nothing counts under a sanitizer. */
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTS_ALLOCATIONS 1

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);
extern void *__libc_realloc (void *memory, size_t size);
extern void *__libc_memalign (size_t alignment, size_t size);
extern void __libc_free (void *memory);

static gint allocations;

void *
malloc (size_t size)
{
  g_atomic_int_inc (&allocations);
  return __libc_malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  g_atomic_int_inc (&allocations);
  return __libc_calloc (n, size);
}

void *
realloc (void *memory, size_t size)
{
  g_atomic_int_inc (&allocations);
  return __libc_realloc (memory, size);
}

int
posix_memalign (void **memory, size_t alignment, size_t size)
{
  g_atomic_int_inc (&allocations);
  *memory = __libc_memalign (alignment, size);
  return *memory != NULL ? 0 : ENOMEM;
}

void
free (void *memory)
{
  __libc_free (memory);
}

static inline int
count_allocations (void)
{
  return g_atomic_int_get (&allocations);
}

#else
#define COUNTS_ALLOCATIONS 0

static inline int
count_allocations (void)
{
  return 0;
}
#endif
