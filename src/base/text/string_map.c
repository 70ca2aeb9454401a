#include "string_map.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a. */
static size_t hash(const char *text) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (; *text; text++) h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return (size_t)(h ^ h >> 32);
}

/* Where the text is, or would be. */
static sfmi_string_slot *slot_of(const sfmi_string_map *names, const char *text) {
  for (size_t i = hash(text);; i++) {
    sfmi_string_slot *slot = &names->slots[i & names->mask];
    if (!slot->text || strcmp(slot->text, text) == 0) return slot;
  }
}

static bool grow(sfmi_string_map *names) {
  sfmi_string_map larger = {.mask = names->slots ? 2 * names->mask + 1 : 15, .count = names->count};
  larger.slots = sfmi_alloc(larger.mask + 1, sizeof *larger.slots);
  if (!larger.slots) return false;
  for (size_t i = 0; names->slots && i <= names->mask; i++)
    if (names->slots[i].text) *slot_of(&larger, names->slots[i].text) = names->slots[i];
  free(names->slots);
  *names = larger;
  return true;
}

bool sfmi_string_map_add(sfmi_string_map *names, const char *text, size_t place) {
  if ((!names->slots || 2 * names->count > names->mask) && !grow(names)) return false;
  sfmi_string_slot *slot = slot_of(names, text);
  if (!slot->text) {
    *slot = (sfmi_string_slot){.text = text, .place = place};
    names->count++;
  }
  slot->times++;
  return true;
}

const sfmi_string_slot *sfmi_string_map_find(const sfmi_string_map *names, const char *text) {
  if (!names->slots) return NULL;
  const sfmi_string_slot *slot = slot_of(names, text);
  return slot->text ? slot : NULL;
}

void sfmi_string_map_clear(sfmi_string_map *names) {
  free(names->slots);
  *names = (sfmi_string_map){0};
}
