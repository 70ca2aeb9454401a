#include "row_hash.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(crypto_shorthash_siphashx24_KEYBYTES == 16, "the length of a key");
_Static_assert(crypto_shorthash_siphashx24_BYTES == 16, "the length of a hash");

/* 32 bytes that follow from a key and what they are for. */
static void derive(uint8_t out[32], const uint8_t key[SFMI_ROW_KEY_BYTES], const char *purpose,
                   const void *facts, size_t size) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, key, SFMI_ROW_KEY_BYTES, 32);
  crypto_generichash_update(&state, (const unsigned char *)purpose, strlen(purpose) + 1);
  crypto_generichash_update(&state, facts, size);
  crypto_generichash_final(&state, out, 32);
  sodium_memzero(&state, sizeof state);
}

static void put_word(uint8_t bytes[8], uint64_t word) {
  for (unsigned k = 0; k < 8; k++) bytes[k] = (uint8_t)(word >> 8 * k);
}

void sfmi_row_hasher_set_keys(sfmi_row_hasher *hasher, const sfmi_row_keys *keys,
                              const uint64_t facts[SFMI_READER_FACTS]) {
  uint8_t derived[32], stated[8 * SFMI_READER_FACTS];
  for (size_t i = 0; i < SFMI_READER_FACTS; i++) put_word(stated + 8 * i, facts[i]);
  if (hasher->prints) {
    derive(derived, keys->fingerprint, "sfumato records", stated, sizeof stated);
    memcpy(hasher->print_keys, derived, 32);
  }
  if (hasher->orders || hasher->persons) {
    derive(derived, keys->persons, "sfumato persons", "", 0);
    memcpy(hasher->person_key, derived, 16);
    memcpy(hasher->order_key, derived + 16, 16);
  }
  sodium_memzero(derived, sizeof derived);
}

static inline uint64_t get_word(const uint8_t bytes[8]) {
  uint64_t word = 0;
  for (unsigned k = 8; k-- > 0;) word = word << 8 | bytes[k];
  return word;
}

/* 96 bits of a hash that are not all zero. */
static sfmi_row_hash hash_of(const uint8_t key[16], const void *bytes, size_t length) {
  uint8_t hash[16];
  crypto_shorthash_siphashx24(hash, bytes, length, key);
  const uint64_t low = get_word(hash), high = get_word(hash + 8);
  sfmi_row_hash out = {{(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high}};
  if (sfmi_row_hash_is_zero(&out)) out.words[0] = 1;
  return out;
}

void sfmi_row_hash_record(const sfmi_row_hasher *hasher, sfmi_batch *batch, size_t r,
                          const void *bytes, size_t length) {
  if (hasher->orders) batch->order[r] = hash_of(hasher->order_key, bytes, length);
  for (unsigned half = 0; hasher->prints && half < 2; half++) {
    uint8_t hash[16];
    crypto_shorthash_siphashx24(hash, bytes, length, hasher->print_keys[half]);
    batch->prints[r].words[2 * half] = get_word(hash);
    batch->prints[r].words[2 * half + 1] = get_word(hash + 8);
  }
}

void sfmi_row_hash_person(const sfmi_row_hasher *hasher, sfmi_batch *batch, size_t r,
                          const void *id, size_t length) {
  batch->owner[r] =
      length ? hash_of(hasher->person_key, id, length) : (sfmi_row_hash){.words = {0}};
}

void sfmi_row_hash_cell(const sfmi_row_hasher *hasher, sfmi_batch *batch, size_t r,
                        const sfmi_cell *cell, locale_t c) {
  enum { ROOM = 1024 };
  char room[ROOM], *large = NULL;
  if (hasher->ids != SFMI_PERSON_TEXT && cell->length > ROOM - SFMI_PERSON_ID_ROOM) {
    large = malloc(cell->length + SFMI_PERSON_ID_ROOM);
    if (!large) {
      batch->failed = true;
      return;
    }
  }
  const sfmi_text id = sfmi_person_id_read(hasher->ids, cell, large ? large : room, c);
  sfmi_row_hash_person(hasher, batch, r, id.text, id.length);
  free(large);
}

bool sfmi_row_hash_is_zero(const sfmi_row_hash *hash) {
  return (hash->words[0] | hash->words[1] | hash->words[2]) == 0;
}

uint64_t sfmi_row_hash_part(const sfmi_row_hash *person, uint64_t parts) {
  /* Other words than those by which persons are found in a table. */
  return ((uint64_t)person->words[2] << 32 | person->words[1]) % parts;
}

/* words += other, modulo 2^256. */
static void add_words(uint64_t words[4], const uint64_t other[4]) {
  unsigned carry = 0;
  for (unsigned i = 0; i < 4; i++) {
    const uint64_t sum = words[i] + other[i];
    const unsigned over = sum < other[i];
    words[i] = sum + carry;
    carry = over | (words[i] < carry);
  }
}

void sfmi_row_sum_add(sfmi_row_sum *sum, const sfmi_row_print *print) {
  add_words(sum->words, print->words);
  sum->count++;
}

void sfmi_row_sum_merge(sfmi_row_sum *sum, const sfmi_row_sum *other) {
  add_words(sum->words, other->words);
  sum->count += other->count;
}

void sfmi_row_sum_fingerprint(const sfmi_row_sum *sum, const sfmi_row_keys *keys,
                              uint8_t fingerprint[SFMI_ROW_KEY_BYTES]) {
  uint8_t bytes[40];
  put_word(bytes, sum->count);
  for (unsigned i = 0; i < 4; i++) put_word(bytes + 8 + 8 * i, sum->words[i]);
  derive(fingerprint, keys->fingerprint, "sfumato sum of records", bytes, sizeof bytes);
}
