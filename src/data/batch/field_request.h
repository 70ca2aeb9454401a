/* field_request.h - which fields of a record a reader is to look at, and what becomes of them. */
#ifndef SFMI_FIELD_REQUEST_H
#define SFMI_FIELD_REQUEST_H

#include "data/schema/category.h"
#include "row_hash.h"
#include "sfumato/rows.h"

#define SFMI_NO_SLOT ((size_t)-1)

/* How a cell is taken. */
typedef enum sfmi_cell_mode {
  SFMI_CELL_MODE_ANY,    /* by all that is wanted of it */
  SFMI_CELL_MODE_NUMBER, /* a number, and nothing else */
  SFMI_CELL_MODE_WORD,   /* a category looked up by its text, and nothing else */
  SFMI_CELL_MODE_CODE,   /* a category looked up as a number, and nothing else */
} sfmi_cell_mode;

/* One field, each at most once, in ascending order of field. */
typedef struct sfmi_field_request {
  size_t field; /* position in the record, from 0 */
  size_t slot;  /* its column of the batch, or SFMI_NO_SLOT when it is no variable */
  bool person;  /* holds the person's id */
  const sfmi_category *category; /* says to which group the record belongs; NULL: it does not */
  uint32_t stride;               /* how far apart the groups of its neighbouring categories are */
  /* Looked at when cells are read only: */
  size_t code; /* the column of the batch's codes for its category, or SFMI_NO_SLOT */
  size_t text; /* the column of the batch's texts, or SFMI_NO_SLOT */
  sfmi_cell_mode mode;
  sfmi_short_categories short_categories; /* the category's */
} sfmi_field_request;

/* The public domain of one column. */
typedef struct sfmi_column_domain {
  double lower, upper; /* infinite where the schema states none */
  bool integer;
  double *codes; /* the only values allowed, in ascending order, when the column has an enum */
  size_t code_count;
} sfmi_column_domain;

typedef struct sfmi_row_layout {
  sfmi_field_request *requests;
  size_t request_count;
  sfmi_column_domain *domains; /* one per slot; NULL for curves */
  size_t slots;
  sfmi_category **by; /* one per column of groups */
  size_t by_count;
  uint32_t limit; /* records a person may have */
  bool person;
  sfmi_person_id_type ids;       /* how persons are told apart */
  const sfmi_row_hasher *hasher; /* NULL: nothing is hashed; borrowed */
  bool curves;                   /* values have no domains, and persons are numbered */
  bool cells;                    /* values are not clamped, and keep does not depend on them */
  size_t codes, texts;           /* columns of the batch's codes and texts; of cells */
  sfm_outside outside;
} sfmi_row_layout;

#endif
