/* row_keys_fixture.h - keys under which tests read rows. */
#ifndef ROW_KEYS_FIXTURE_H
#define ROW_KEYS_FIXTURE_H

#include <string.h>

#include "data/rows/rows.h"

/* Both keys are this one. */
static inline void set_keys(sfm_rows *rows, const uint8_t key[SFMI_ROW_KEY_BYTES], bool ordered) {
  sfmi_row_keys keys = {.ordered = ordered};
  memcpy(keys.fingerprint, key, sizeof keys.fingerprint);
  memcpy(keys.persons, key, sizeof keys.persons);
  sfmi_rows_set_keys(rows, &keys);
}

#endif
