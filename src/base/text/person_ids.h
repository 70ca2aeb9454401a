/* person_ids.h - how ids of persons are compared, which is part of a guarantee
 * (docs/proofs/reading.md). */
#ifndef SFMI_PERSON_IDS_H
#define SFMI_PERSON_IDS_H

#include <stdbool.h>

typedef enum sfmi_person_ids {
  SFMI_IDS_TEXT,
  SFMI_IDS_NUMBER, /* as exact decimals */
  SFMI_IDS_VALUE,  /* as values of a data frame (frame_value.h) */
  SFMI_IDS_COUNT,
} sfmi_person_ids;

/* "text", "number" or "value". */
const char *sfmi_person_ids_word(sfmi_person_ids ids);
/* From such a word; false when it is none. */
bool sfmi_person_ids_read(sfmi_person_ids *ids, const char *word);

#endif
