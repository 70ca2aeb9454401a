#include "hash_chain.h"

#include <sodium.h>
#include <string.h>

static const char *const kinds[] = {"create", "charge", "answer", "bind", "close", "raise"};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

sfmi_entry sfmi_entry_of(sfmi_entry_kind kind, const char *dataset) {
  return (sfmi_entry){.kind = kind,
                      .dataset = dataset,
                      .request = "",
                      .parameters = "",
                      .guarantee = "",
                      .unit = ""};
}

const char *sfmi_entry_kind_name(sfmi_entry_kind kind) {
  return kinds[kind];
}

bool sfmi_entry_kind_parse(sfmi_entry_kind *kind, const char *name) {
  for (int i = 0; i < KIND_COUNT; i++)
    if (strcmp(kinds[i], name) == 0) {
      *kind = (sfmi_entry_kind)i;
      return true;
    }
  return false;
}

/* Fields go into the hash with their length before them, so that no two entries share one. */
static void hash_number(crypto_generichash_state *state, uint64_t number) {
  uint8_t bytes[8];
  for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(number >> 8 * i);
  crypto_generichash_update(state, bytes, sizeof bytes);
}

static void hash_bytes(crypto_generichash_state *state, const void *bytes, size_t length) {
  hash_number(state, length);
  crypto_generichash_update(state, bytes, length);
}

static void hash_text(crypto_generichash_state *state, const char *text) {
  hash_bytes(state, text, strlen(text));
}

void sfmi_chain_start(uint8_t hash[SFMI_HASH_BYTES], const uint8_t identity[SFMI_IDENTITY_BYTES],
                      const char *anchor) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, NULL, 0, SFMI_HASH_BYTES);
  hash_text(&state, "sfumato ledger 1");
  hash_bytes(&state, identity, SFMI_IDENTITY_BYTES);
  hash_text(&state, anchor);
  crypto_generichash_final(&state, hash, SFMI_HASH_BYTES);
}

void sfmi_entry_hash(uint8_t hash[SFMI_HASH_BYTES], const uint8_t before[SFMI_HASH_BYTES],
                     const sfmi_entry *entry) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, NULL, 0, SFMI_HASH_BYTES);
  hash_bytes(&state, before, SFMI_HASH_BYTES);
  hash_number(&state, entry->number);
  hash_text(&state, entry->time);
  hash_text(&state, sfmi_entry_kind_name(entry->kind));
  hash_text(&state, entry->dataset);
  hash_text(&state, entry->request);
  hash_text(&state, entry->parameters);
  hash_text(&state, entry->guarantee);
  hash_text(&state, entry->unit);
  hash_number(&state, (uint64_t)entry->cost.main);
  hash_number(&state, (uint64_t)entry->cost.delta);
  hash_bytes(&state, entry->secret, entry->has_secret ? sizeof entry->secret : 0);
  crypto_generichash_final(&state, hash, SFMI_HASH_BYTES);
}
