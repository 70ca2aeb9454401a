/* want.h - which fields of a record a reader is to look at. */
#ifndef SFMI_WANT_H
#define SFMI_WANT_H

#include "data/category.h"

#define SFMI_NO_SLOT ((size_t)-1)

/* One field, each at most once, in ascending order of field. */
typedef struct sfmi_want {
  size_t field; /* position in the record, from 0 */
  size_t slot;  /* its column of the batch, or SFMI_NO_SLOT when it is no variable */
  bool person;  /* holds the person's id */
  const sfmi_category *category; /* says to which group the record belongs; NULL: it does not */
  uint32_t stride;               /* how far apart the groups of its neighbouring categories are */
} sfmi_want;

#endif
