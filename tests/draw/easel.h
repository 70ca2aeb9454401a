/* easel.h - what the tests of pictures share: files, and screens measured from outside. */
#ifndef TEST_EASEL_H
#define TEST_EASEL_H

#include <stddef.h>

/* The bytes of a file, ended by a zero that is not counted; the caller frees them.  NULL if it
 * cannot be read. */
char *easel_slurp(const char *path, size_t *length);

/* Rows, and columns of the widest row by the C library's tables, escapes not counted; fails the
 * test where a control character is found or the last row is not ended. */
void easel_measure(const char *text, unsigned *columns, unsigned *rows);

#endif
