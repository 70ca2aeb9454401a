/* fuzz_key.c - any bytes as the key of a dataset: refused with a message, or a key that is written
 * and read again as the same text. */
#include <stdlib.h>
#include <string.h>

#include "ledger/dataset_key.h"
#include "promise.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static sfm_key *read_again(const char *text, size_t length) {
  sfm_key *key;
  sfm_error error = {0};
  PROMISE(!sfm_key_from_text(&key, text, length, &error));
  return key;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sfm_key *key;
  sfm_error error = {0};
  char *text, *again;
  size_t length, other;
  if (sfm_key_from_text(&key, (const char *)data, size, &error)) {
    PROMISE(key == NULL && error.status && error.message[0] != '\0');
    return 0;
  }
  PROMISE(sfm_key_dataset(key)[0] != '\0' && !key->keys.ordered);
  PROMISE(!sfm_key_to_text(key, &text, &length, &error) && strlen(text) == length);
  sfm_key_destroy(key);
  key = read_again(text, length);
  PROMISE(!sfm_key_to_text(key, &again, &other, &error) && strcmp(text, again) == 0);
  sfm_key_text_free(text);
  sfm_key_text_free(again);
  sfm_key_destroy(key);
  return 0;
}
