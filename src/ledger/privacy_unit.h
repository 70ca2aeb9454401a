/* privacy_unit.h - whom the charges of a dataset protect. */
#ifndef SFMI_PRIVACY_UNIT_H
#define SFMI_PRIVACY_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/system/status.h"
#include "base/text/person_ids.h"
#include "sfumato/ledger.h"

/* Whom a guarantee protects.  With a person column: all records of one person of that column,
 * however many of them count.  Without: any `records` records.  These are different relations
 * (docs/proofs/lattice.md, "Persons"), and a sum of guarantees says something only about one that
 * all of them protect: the first charge fixes neighbours and person column, or the least number of
 * records. */
typedef struct sfmi_privacy_unit {
  sfm_neighbours neighbours;
  uint32_t records;                 /* 0: no charge yet; with a person 1 */
  char person[SFM_DATASET_MAX + 1]; /* "": none */
  sfmi_person_ids ids;              /* how they are compared */
  bool stated;                      /* the owner states the sensitivity: ids as in other charges */
} sfmi_privacy_unit;

/* "replace 1", "add-remove 3", "replace person patient", "replace numbered person patient",
 * "replace valued person patient". */
void sfmi_privacy_unit_print(char text[SFM_PROTECTS_MAX], const sfmi_privacy_unit *unit);
/* Reads back what sfmi_privacy_unit_print wrote; false when the text is anything else. */
bool sfmi_privacy_unit_read(sfmi_privacy_unit *unit, const char *text);
/* From the parameters of a charge (keys neighbours, contributions, person; replace, 1 and none if
 * absent). */
SFM_MUST_CHECK sfm_status sfmi_privacy_unit_parse(sfmi_privacy_unit *unit, const char *parameters,
                                                  sfm_error *error);
/* Whether a charge in this unit may follow those before. */
bool sfmi_privacy_unit_covers(const sfmi_privacy_unit *unit, const sfmi_privacy_unit *before);

#endif
