/* persons.h - how many records each person has had so far, or which number each person has.
 *
 * Open addressing, 16 bytes per slot, between 7/16 and 7/8 of them used: 96 bits of a keyed hash of
 * the id and a count.  Persons who share a slot are taken for one, and then one of them can move
 * what is kept of the other; a given person shares one with probability under n 2^-96, which is the
 * failure probability that docs/proofs/lattice.md states.  The key is drawn afresh, so that ids
 * cannot be chosen to collide. */
#ifndef SFMI_PERSONS_H
#define SFMI_PERSONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/system/status.h"
#include "row_batch.h"
#include "person_id.h"

typedef struct sfmi_persons sfmi_persons;

typedef struct sfmi_person_counts {
  uint64_t persons;
  uint64_t persons_over; /* with more than the limit's records */
  uint64_t records_over; /* their records beyond it */
} sfmi_person_counts;

/* ids says how ids in cells are compared. */
SFM_MUST_CHECK sfm_status sfmi_persons_create(sfmi_persons **out, sfmi_person_id_type ids,
                                              sfm_error *error);
void sfmi_persons_destroy(sfmi_persons *persons);

/* The id in a cell (unescaped); of length 0 where it holds none.  Alive until the next call, and as
 * long as the cell. */
SFM_MUST_CHECK sfm_status sfmi_persons_id(sfmi_persons *persons, sfmi_text *id,
                                          const sfmi_cell *cell, locale_t c, sfm_error *error);

/* Counts one more record of the person; *before is how many there were. */
SFM_MUST_CHECK sfm_status sfmi_persons_count(sfmi_persons *persons, uint32_t *before,
                                             const void *id, size_t length, sfm_error *error);

/* Row r of the batch belongs to that person.  Where the batch has room for that, persons are
 * numbered 0, 1, ... in the order in which they are met (instead of counted: not both on the same
 * persons); else it is kept when it is among the person's first `limit`. */
SFM_MUST_CHECK sfm_status sfmi_persons_add_row(sfmi_batch *batch, size_t r, sfmi_persons *persons,
                                               uint32_t limit, const void *id, size_t length,
                                               sfm_error *error);

sfmi_person_counts sfmi_persons_summary(const sfmi_persons *persons, uint32_t limit);

#endif
