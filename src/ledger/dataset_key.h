/* dataset_key.h - the keys of a dataset outside its ledger.
 *
 * As text a key is one JSON object with these members and no others:
 *   sfumato "key", version 1, dataset, accounting ("basic", "zcdp", "gdp"), and in hexadecimal
 *   fingerprint (32 bytes), persons (32 bytes), id (16 bytes, which follow from the other two).  */
#ifndef SFMI_DATASET_KEY_H
#define SFMI_DATASET_KEY_H

#include "data/batch/row_keys.h"
#include "sfumato/key.h"

struct sfm_key {
  char dataset[SFM_DATASET_MAX + 1];
  sfm_accounting accounting;
  sfmi_row_keys keys; /* never ordered */
};

#endif
