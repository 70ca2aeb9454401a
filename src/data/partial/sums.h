/* sums.h - sums over records, in integers: what an estimator accumulates, so that the sums of two
 * sets of records can be added to make those of both.
 *
 * Addition is exact, so neither the order of the records nor how they were split changes a sum.
 * PRIVATE. */
#ifndef SFMI_SUMS_H
#define SFMI_SUMS_H

#include "base/system/status.h"
#include "base/text/byte_codec.h"

typedef enum sfmi_sums_form {
  SFMI_SUMS_INTEGERS, /* count integers */
  SFMI_SUMS_COUNTS,   /* count numbers of records */
  SFMI_SUMS_CELLS,    /* count occupied cells, and their numbers of records */
  SFMI_SUMS_TEXTS,    /* count texts that were found, and their numbers of records */
} sfmi_sums_form;

/* All zeros: no integers. */
typedef struct sfmi_sums {
  sfmi_sums_form form;
  size_t count;
  sfmi_i128 *integers; /* of SFMI_SUMS_INTEGERS; else NULL */
  uint64_t *counts;    /* of all others; of cells and texts none is 0 */
  uint64_t *keys;      /* cells, strictly ascending; or where each text ends in bytes */
  char *bytes;         /* texts, one after the other, strictly ascending as bytes */
} sfmi_sums;

/* Room for count integers or numbers of records, all 0. */
SFM_MUST_CHECK sfm_status sfmi_sums_init(sfmi_sums *sums, sfmi_sums_form form, size_t count,
                                         sfm_error *error);
/* Wipes and frees. */
void sfmi_sums_clear(sfmi_sums *sums);
/* sums is empty before. */
SFM_MUST_CHECK sfm_status sfmi_sums_copy(sfmi_sums *sums, const sfmi_sums *from, sfm_error *error);
/* Adds other, which has the same form, and of integers and counts the same count; else, or where a
 * sum does not fit its type, SFM_FORMAT.  After a failure sums is as before. */
SFM_MUST_CHECK sfm_status sfmi_sums_merge(sfmi_sums *sums, const sfmi_sums *other,
                                          sfm_error *error);

/* Writes them, or reads into empty ones.  An integer is one byte, how many follow, and these: the
 * lowest first, no more than it needs.  Reading takes at most 32 bytes of memory per byte. */
void sfmi_sums_code(sfmi_byte_codec *codec, sfmi_sums *sums);

/* Whether integers are what lattices of records hold: none is negative, and together they are at
 * most 2^bits. */
bool sfmi_sums_are_masses(const sfmi_sums *sums, unsigned bits);
/* Whether the integers from `first` on are between -2^bits and 2^bits. */
bool sfmi_sums_are_within(const sfmi_sums *sums, size_t first, unsigned bits);

/* How texts are ordered. */
int sfmi_texts_compare(const char *a, size_t a_length, const char *b, size_t b_length);

#endif
