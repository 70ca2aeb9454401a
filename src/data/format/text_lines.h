/* text_lines.h - a text as lines, as a stream: bytes up to '\n', split before anything is
 * interpreted.
 *
 *  1. A line ends with its '\n'; a blank line is one.  Bytes after the last '\n' are no line: were
 *     they one, a blank record at the end of a text without a final '\n' would be none, and how
 *     many records there are would depend on what one holds.  Public texts may leave the last '\n'
 *     out (`lenient`).
 *  2. Memory is fixed: a line longer than `longest` is one of which no more than its beginning is
 *     held, longest + 1 bytes and its '\n'.
 *  3. Which lines there are does not depend on the blocks in which the text was read.
 *
 *   buffer:  [ ...taken... | whole lines | part of a line | free ]
 *                          next          whole            filled              */
#ifndef SFMI_TEXT_LINES_H
#define SFMI_TEXT_LINES_H

#include "byte_source.h"

/* Bytes after the last of a buffer that may be read ahead of a '\n'. */
#define SFMI_LINES_SLACK 64

typedef struct sfmi_lines {
  sfmi_source *source; /* borrowed */
  char *buffer;
  size_t capacity; /* at most longest + 1 + block + SFMI_LINES_SLACK */
  size_t block, longest;
  size_t threads; /* that count lines: 0 for one per processor; 1 at first */
  size_t next, whole, filled;
  bool lenient;    /* PUBLIC text: what follows the last '\n' is a line */
  bool ended;      /* the source has no more bytes */
  bool rest;       /* of private text, once it has ended: bytes follow the last '\n' */
  bool cutting;    /* within a line longer than `longest`, of which the rest is dropped */
  uint64_t offset; /* where the first line starts, for sfmi_lines_rewind */
} sfmi_lines;

/* block is how many bytes are read at a time. */
SFM_MUST_CHECK sfm_status sfmi_lines_init(sfmi_lines *lines, sfmi_source *source, size_t block,
                                          size_t longest, sfm_error *error);
void sfmi_lines_clear(sfmi_lines *lines);

/* Stands before the first line again. */
SFM_MUST_CHECK sfm_status sfmi_lines_rewind(sfmi_lines *lines, sfm_error *error);

/* Has at least one whole line at buffer[next..whole), unless there are none left.  What was taken
 * is gone. */
SFM_MUST_CHECK sfm_status sfmi_lines_refill(sfmi_lines *lines, sfm_error *error);

/* The bytes of the first `most` lines of a text (of all, if it has fewer), and in *found how many
 * they are. */
size_t sfmi_lines_measure(const char *text, size_t length, size_t most, size_t *found);

/* How many there are; the next read needs a rewind. */
SFM_MUST_CHECK sfm_status sfmi_lines_count(sfmi_lines *lines, uint64_t *count, sfm_error *error);

#endif
