/* row_keys.h - the secret keys under which the rows of a dataset are read.
 *
 * The fingerprint of rows is made under one key; under another it is decided which records of a
 * person are kept and to which part a person belongs (persons.h).  Whoever has one of them learns
 * nothing about the other. */
#ifndef SFMI_ROW_KEYS_H
#define SFMI_ROW_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#define SFMI_ROW_KEY_BYTES 32
#define SFMI_ROW_KEYS_ID_BYTES 16

typedef struct sfmi_row_keys {
  /* The fingerprint depends on the order of the records, as in sfumato 0.1; so it is of datasets
   * that 0.1 created. */
  bool ordered;
  uint8_t fingerprint[SFMI_ROW_KEY_BYTES];
  uint8_t persons[SFMI_ROW_KEY_BYTES];
  uint8_t id[SFMI_ROW_KEYS_ID_BYTES]; /* public: equal for equal keys, and says nothing of them */
} sfmi_row_keys;

#endif
