/* persons.h - which records of each person are kept, or which number each person has.
 *
 * Of a person's records the `limit` with the smallest hashes are kept (all, if there are no more):
 * a choice that depends on that person's records and the key alone, not on their order, and that a
 * split which leaves persons whole does not change.  Records of equal hash are equal records, of
 * which any may be kept.
 *
 * Open addressing, between 7/16 and 7/8 of the slots used: 96 bits of a keyed hash of the id and
 * what is known of the person.  Persons who share a hash are taken for one, and then one of them
 * can move what is kept of the other; a given person shares one with probability under n 2^-96,
 * which is the failure probability that docs/proofs/lattice.md states. */
#ifndef SFMI_PERSONS_H
#define SFMI_PERSONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/system/status.h"
#include "row_batch.h"

typedef struct sfmi_persons sfmi_persons;

typedef struct sfmi_person_counts {
  uint64_t persons;
  uint64_t persons_over; /* with more than the limit's records */
  uint64_t records_over; /* their records beyond it */
} sfmi_person_counts;

/* limit: the records a person may have; of no meaning where persons are numbered. */
SFM_MUST_CHECK sfm_status sfmi_persons_create(sfmi_persons **out, uint32_t limit, sfm_error *error);
void sfmi_persons_destroy(sfmi_persons *persons);

/* First of every record of every person: notes it.  Then, once for each of them, in any order,
 * whether it is kept.  Of no person more than the limit is kept, whatever is asked: also where the
 * rows changed since. */
SFM_MUST_CHECK sfm_status sfmi_persons_note(sfmi_persons *persons, const sfmi_row_hash *owner,
                                            const sfmi_row_hash *order, sfm_error *error);
bool sfmi_persons_keep(sfmi_persons *persons, const sfmi_row_hash *owner,
                       const sfmi_row_hash *order);

/* Counts one more record of the person; *before is how many there were.  Nothing else may be asked
 * of these persons but the summary. */
SFM_MUST_CHECK sfm_status sfmi_persons_count(sfmi_persons *persons, uint32_t *before,
                                             const sfmi_row_hash *owner, sfm_error *error);
sfmi_person_counts sfmi_persons_summary(const sfmi_persons *persons);

/* The person's number: 0, 1, ... as they are met.  Nothing else may be asked of these persons. */
SFM_MUST_CHECK sfm_status sfmi_persons_number(sfmi_persons *persons, uint32_t *number,
                                              const sfmi_row_hash *owner, sfm_error *error);

#endif
