#include "data/person.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 256

typedef struct slot {
  uint32_t hash[3];
  uint32_t count; /* 0: empty; stays at UINT32_MAX */
} slot;

_Static_assert(sizeof(slot) == 16, "16 bytes a person");

struct sfmi_persons {
  slot *slots;
  size_t capacity; /* a power of two */
  size_t used;     /* at most 7/8 of capacity */
  unsigned char key[crypto_shorthash_siphashx24_KEYBYTES];
};

sfm_status sfmi_persons_create(sfmi_persons **out, sfm_error *error) {
  *out = NULL;
  if (sodium_init() < 0) return sfmi_fail(error, SFM_INTERNAL, "libsodium could not be started");
  sfmi_persons *persons = sfmi_alloc(1, sizeof *persons);
  if (!persons) return sfmi_fail_memory(error);
  persons->capacity = FIRST_CAPACITY;
  persons->slots = sfmi_alloc(persons->capacity, sizeof(slot));
  if (!persons->slots) {
    free(persons);
    return sfmi_fail_memory(error);
  }
  randombytes_buf(persons->key, sizeof persons->key);
  *out = persons;
  return SFM_OK;
}

void sfmi_persons_destroy(sfmi_persons *persons) {
  if (!persons) return;
  free(persons->slots);
  free(persons);
}

/* The slot of that hash, or the empty one where it belongs. */
static slot *find_slot(slot *slots, size_t capacity, const uint32_t hash[3]) {
  size_t place = ((size_t)hash[0] | (size_t)hash[1] << 32) & (capacity - 1);
  while (slots[place].count != 0 && memcmp(slots[place].hash, hash, sizeof slots->hash) != 0)
    place = (place + 1) & (capacity - 1);
  return &slots[place];
}

static sfm_status grow(sfmi_persons *persons, sfm_error *error) {
  size_t capacity = persons->capacity * 2;
  slot *slots = sfmi_alloc(capacity, sizeof(slot));
  if (!slots) return sfmi_fail_memory(error);
  for (size_t i = 0; i < persons->capacity; i++)
    if (persons->slots[i].count)
      *find_slot(slots, capacity, persons->slots[i].hash) = persons->slots[i];
  free(persons->slots);
  persons->slots = slots;
  persons->capacity = capacity;
  return SFM_OK;
}

sfm_status sfmi_persons_count(sfmi_persons *persons, uint32_t *before, const void *id,
                              size_t length, sfm_error *error) {
  unsigned char digest[crypto_shorthash_siphashx24_BYTES];
  uint32_t hash[3];
  crypto_shorthash_siphashx24(digest, id, length, persons->key);
  memcpy(hash, digest, sizeof hash);
  slot *found = find_slot(persons->slots, persons->capacity, hash);
  *before = found->count;
  if (found->count == 0) {
    memcpy(found->hash, hash, sizeof hash);
    persons->used++;
  }
  if (found->count < UINT32_MAX) found->count++;
  if (persons->used > persons->capacity / 8 * 7) return grow(persons, error);
  return SFM_OK;
}

sfmi_person_counts sfmi_persons_summary(const sfmi_persons *persons, uint32_t limit) {
  sfmi_person_counts counts = {.persons = persons->used};
  for (size_t i = 0; i < persons->capacity; i++) {
    uint32_t count = persons->slots[i].count;
    if (count <= limit) continue;
    counts.persons_over++;
    counts.records_over += count - limit;
  }
  return counts;
}
