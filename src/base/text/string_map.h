/* string_map.h - a hash map from texts to their places: open addressing, at most half in use. */
#ifndef SFMI_STRING_MAP_H
#define SFMI_STRING_MAP_H

#include <stdbool.h>

#include "base/system/status.h"

typedef struct sfmi_string_slot {
  const char *text; /* borrowed; NULL: free */
  size_t place;     /* of the first that was added */
  size_t times;     /* how often it was added */
} sfmi_string_slot;

/* {0} is an empty map. */
typedef struct sfmi_string_map {
  sfmi_string_slot *slots;
  size_t mask, count; /* count: texts that differ */
} sfmi_string_map;

/* False when memory is short. */
bool sfmi_string_map_add(sfmi_string_map *names, const char *text, size_t place);
/* NULL: not among them. */
const sfmi_string_slot *sfmi_string_map_find(const sfmi_string_map *names, const char *text);
void sfmi_string_map_clear(sfmi_string_map *names);

#endif
