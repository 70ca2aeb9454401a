#include "key_derivation.h"

#include <sodium.h>
#include <string.h>

static void derive(uint8_t key[SFMI_ROW_KEY_BYTES], const uint8_t master[SFMI_KEY_BYTES],
                   const char *what) {
  crypto_generichash(key, SFMI_ROW_KEY_BYTES, (const unsigned char *)what, strlen(what), master,
                     SFMI_KEY_BYTES);
}

void sfmi_row_keys_identify(uint8_t id[SFMI_ROW_KEYS_ID_BYTES], const sfmi_row_keys *keys) {
  static const char what[] = "sfumato id of keys";
  crypto_generichash_state state;
  crypto_generichash_init(&state, keys->fingerprint, sizeof keys->fingerprint,
                          SFMI_ROW_KEYS_ID_BYTES);
  crypto_generichash_update(&state, (const unsigned char *)what, strlen(what));
  crypto_generichash_update(&state, keys->persons, sizeof keys->persons);
  crypto_generichash_final(&state, id, SFMI_ROW_KEYS_ID_BYTES);
  sodium_memzero(&state, sizeof state);
}

void sfmi_row_keys_derive(sfmi_row_keys *keys, const uint8_t master[SFMI_KEY_BYTES], bool ordered) {
  *keys = (sfmi_row_keys){.ordered = ordered};
  if (ordered)
    memcpy(keys->fingerprint, master, sizeof keys->fingerprint);
  else
    derive(keys->fingerprint, master, "sfumato key of fingerprints");
  derive(keys->persons, master, "sfumato key of persons");
  sfmi_row_keys_identify(keys->id, keys);
}
