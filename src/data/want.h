/* want.h - which fields of a record a reader is to look at. */
#ifndef SFMI_WANT_H
#define SFMI_WANT_H

#include "data/category.h"

#define SFMI_NO_SLOT ((size_t)-1)

/* How a cell is taken. */
typedef enum sfmi_way {
  SFMI_WAY_ANY,    /* by all that is wanted of it */
  SFMI_WAY_NUMBER, /* a number, and nothing else */
  SFMI_WAY_WORD,   /* a category looked up by its text, and nothing else */
  SFMI_WAY_CODE,   /* a category looked up as a number, and nothing else */
} sfmi_way;

/* One field, each at most once, in ascending order of field. */
typedef struct sfmi_want {
  size_t field; /* position in the record, from 0 */
  size_t slot;  /* its column of the batch, or SFMI_NO_SLOT when it is no variable */
  bool person;  /* holds the person's id */
  const sfmi_category *category; /* says to which group the record belongs; NULL: it does not */
  uint32_t stride;               /* how far apart the groups of its neighbouring categories are */
  /* Looked at when cells are read only: */
  size_t code; /* the column of the batch's codes for its category, or SFMI_NO_SLOT */
  size_t text; /* the column of the batch's texts, or SFMI_NO_SLOT */
  sfmi_way way;
  sfmi_briefs briefs; /* the category's */
} sfmi_want;

#endif
