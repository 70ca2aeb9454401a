/* want.h - which fields of a record a reader is to look at. */
#ifndef SFMI_WANT_H
#define SFMI_WANT_H

#include <stdbool.h>
#include <stddef.h>

#define SFMI_NO_SLOT ((size_t)-1)

/* One field, each at most once, in ascending order of field. */
typedef struct sfmi_want {
  size_t field; /* position in the record, from 0 */
  size_t slot;  /* its column of the batch, or SFMI_NO_SLOT when it is only the person's id */
  bool person;  /* holds the person's id */
} sfmi_want;

#endif
