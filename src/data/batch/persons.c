#include "persons.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 256

typedef struct slot {
  uint32_t hash[3];
  uint32_t count; /* 0: empty; stays at UINT32_MAX.  Of numbered persons: the number and one */
} slot;

_Static_assert(sizeof(slot) == 16, "16 bytes per person");

struct sfmi_persons {
  slot *slots;
  size_t capacity; /* a power of two */
  size_t used;     /* at most 7/8 of capacity */
  unsigned char key[crypto_shorthash_siphashx24_KEYBYTES];
  sfmi_person_id_type ids;
  char *id; /* where ids that are numbers are written */
  size_t room;
};

sfm_status sfmi_persons_create(sfmi_persons **out, sfmi_person_id_type ids, sfm_error *error) {
  *out = NULL;
  if (sodium_init() < 0) return sfmi_fail(error, SFM_INTERNAL, "libsodium could not be started");
  sfmi_persons *persons = sfmi_alloc(1, sizeof *persons);
  if (!persons) return sfmi_fail_memory(error);
  persons->ids = ids;
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
  free(persons->id);
  free(persons);
}

sfm_status sfmi_persons_id(sfmi_persons *persons, sfmi_text *id, const sfmi_cell *cell, locale_t c,
                           sfm_error *error) {
  *id = (sfmi_text){cell->text, 0};
  const size_t needed = cell->length + SFMI_PERSON_ID_ROOM;
  if (persons->ids != SFMI_PERSON_TEXT && needed > persons->room) {
    char *larger = realloc(persons->id, 2 * needed);
    if (!larger) return sfmi_fail_memory(error);
    persons->id = larger;
    persons->room = 2 * needed;
  }
  *id = sfmi_person_id_read(persons->ids, cell, persons->id, c);
  return SFM_OK;
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

/* The slot of the person; when it is empty, the caller fills its count and calls `added`. */
static slot *slot_of(sfmi_persons *persons, const void *id, size_t length) {
  unsigned char digest[crypto_shorthash_siphashx24_BYTES];
  uint32_t hash[3];
  crypto_shorthash_siphashx24(digest, id, length, persons->key);
  memcpy(hash, digest, sizeof hash);
  slot *found = find_slot(persons->slots, persons->capacity, hash);
  if (found->count == 0) memcpy(found->hash, hash, sizeof hash);
  return found;
}

static sfm_status added(sfmi_persons *persons, sfm_error *error) {
  persons->used++;
  return persons->used > persons->capacity / 8 * 7 ? grow(persons, error) : SFM_OK;
}

sfm_status sfmi_persons_count(sfmi_persons *persons, uint32_t *before, const void *id,
                              size_t length, sfm_error *error) {
  slot *found = slot_of(persons, id, length);
  *before = found->count;
  if (found->count < UINT32_MAX) found->count++;
  return *before == 0 ? added(persons, error) : SFM_OK;
}

/* The person's number. */
static sfm_status number_person(sfmi_persons *persons, uint32_t *number, const void *id,
                                size_t length, sfm_error *error) {
  slot *found = slot_of(persons, id, length);
  if (found->count) {
    *number = found->count - 1;
    return SFM_OK;
  }
  if (persons->used >= UINT32_MAX) return sfmi_fail_memory(error);
  *number = (uint32_t)persons->used;
  found->count = *number + 1;
  return added(persons, error);
}

sfm_status sfmi_persons_add_row(sfmi_batch *batch, size_t r, sfmi_persons *persons, uint32_t limit,
                                const void *id, size_t length, sfm_error *error) {
  uint32_t before = 0;
  sfm_status status = batch->person ? number_person(persons, &batch->person[r], id, length, error)
                                    : sfmi_persons_count(persons, &before, id, length, error);
  batch->keep[r] = batch->person || before < limit;
  return status;
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
