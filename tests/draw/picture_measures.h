/* picture_measures.h - what the tests of pictures share: files, and screens measured from
 * outside. */
#ifndef TEST_PICTURE_MEASURES_H
#define TEST_PICTURE_MEASURES_H

#include <stddef.h>

/* The bytes of a file, ended by a zero that is not counted; the caller frees them.  NULL if it
 * cannot be read. */
char *picture_read_file(const char *path, size_t *length);

/* Rows, and columns of the widest row by the C library's tables, escapes not counted; fails the
 * test where a control character is found or the last row is not ended. */
void picture_measure_text(const char *text, unsigned *columns, unsigned *rows);

/* What a reader of an svg file finds in its text elements, one per line: marks of XML are read
 * back, lines of one element joined.  The caller frees it. */
char *picture_words(const char *svg);
/* How often word stands in text. */
size_t picture_count(const char *text, const char *word);

#endif
