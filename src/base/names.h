/* names.h - where a text stands among many: open addressing, at most half in use. */
#ifndef SFMI_NAMES_H
#define SFMI_NAMES_H

#include <stdbool.h>

#include "base/fail.h"

typedef struct sfmi_name {
  const char *text; /* borrowed; NULL: free */
  size_t place;     /* of the first that was added */
  size_t times;     /* how often it was added */
} sfmi_name;

/* {0} has none. */
typedef struct sfmi_names {
  sfmi_name *slots;
  size_t mask, count; /* count: texts that differ */
} sfmi_names;

/* False when memory is short. */
bool sfmi_names_add(sfmi_names *names, const char *text, size_t place);
/* NULL: not among them. */
const sfmi_name *sfmi_names_find(const sfmi_names *names, const char *text);
void sfmi_names_clear(sfmi_names *names);

#endif
