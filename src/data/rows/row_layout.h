/* row_layout.h - what is read of a record: which fields, into which slots, inside which domains. */
#ifndef SFMI_ROW_LAYOUT_H
#define SFMI_ROW_LAYOUT_H

#include "data/batch/row_batch.h"
#include "data/batch/person_id.h"
#include "data/schema/category.h"
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
  sfmi_person_id_type ids; /* how persons are told apart */
  bool curves;             /* values have no domains, and persons are numbered */
  bool cells;              /* values are not clamped, and keep does not depend on them */
  size_t codes, texts;     /* columns of the batch's codes and texts; of cells */
  sfm_outside outside;
} sfmi_row_layout;

/* Resolves count columns of the schema, in that order, and its person column.  Clears the layout on
 * failure. */
SFM_MUST_CHECK sfm_status sfmi_row_layout_init(sfmi_row_layout *layout, const sfm_rows *rows,
                                               const sfm_schema *schema,
                                               const sfm_column *const *columns, size_t count,
                                               sfm_outside outside, sfm_error *error);
/* Adds to a layout the columns that make groups, in that order; the number of groups must not pass
 * 2^32 - 1.  Clears the layout on failure. */
SFM_MUST_CHECK sfm_status sfmi_row_layout_add_groups(sfmi_row_layout *layout, const sfm_rows *rows,
                                                     const sfm_column *const *columns, size_t count,
                                                     sfm_error *error);
/* The same for curves: count fields, in that order. */
SFM_MUST_CHECK sfm_status sfmi_row_layout_init_curves(sfmi_row_layout *layout, const sfm_rows *rows,
                                                      const sfm_schema *schema,
                                                      const size_t *fields, size_t count,
                                                      sfm_error *error);
void sfmi_row_layout_clear(sfmi_row_layout *layout);

/* The parts of a layout: the domain of a column; the field of the schema's person, if
 * it names one, which joins a request that is there or becomes one (there is room for one more);
 * a request of a field for nothing yet; the end, which puts the requests in order, or after a
 * failure clears the layout. */
SFM_MUST_CHECK sfm_status sfmi_column_domain_init(sfmi_column_domain *domain,
                                                  const sfm_column *column, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_row_layout_add_person(sfmi_row_layout *layout, const sfm_rows *rows,
                                                     const sfm_schema *schema, sfm_error *error);
sfmi_field_request sfmi_row_layout_request(size_t field);
SFM_MUST_CHECK sfm_status sfmi_row_layout_finish(sfmi_row_layout *layout, sfm_status status);

/* Whether value is one that the column can have, its bounds aside. */
bool sfmi_column_domain_admits(const sfmi_column_domain *domain, double value);

/* Brings a batch inside its domains: clamps or drops, and clears keep where a value is not one.  Of
 * curves: NaN where a value is not finite. */
void sfmi_row_layout_apply(const sfmi_row_layout *layout, sfmi_batch *batch);

#endif
