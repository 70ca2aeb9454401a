/* reading.h - a reading resolved: which fields, into which slots, inside which domains. */
#ifndef SFMI_READING_H
#define SFMI_READING_H

#include "data/batch.h"
#include "data/personid.h"
#include "data/want.h"
#include "sfumato/rows.h"

/* The public domain of one column. */
typedef struct sfmi_domain {
  double lower, upper; /* infinite where the schema states none */
  bool integer;
  double *codes; /* the only values allowed, in ascending order, when the column has an enum */
  size_t code_count;
} sfmi_domain;

typedef struct sfmi_plan {
  sfmi_want *wants;
  size_t want_count;
  sfmi_domain *domains; /* one a slot; NULL for curves */
  size_t slots;
  sfmi_category **by; /* one a column of groups */
  size_t by_count;
  uint32_t limit; /* records a person may have */
  bool person;
  sfmi_person_id_type ids; /* how persons are told apart */
  bool curves;             /* values have no domains, and persons are numbered */
  bool cells;              /* values stay where they are, and keep does not hang on them */
  size_t codes, texts;     /* columns of the batch's codes and texts; of cells */
  sfm_outside outside;
} sfmi_plan;

/* Resolves count columns of the schema, in that order, and its person column.  Clears the plan on
 * failure. */
SFM_MUST_CHECK sfm_status sfmi_plan_make(sfmi_plan *plan, const sfm_rows *rows,
                                         const sfm_schema *schema, const sfm_column *const *columns,
                                         size_t count, sfm_outside outside, sfm_error *error);
/* Adds to a plan the columns that make groups, in that order; the number of groups must not pass
 * 2^32 - 1.  Clears the plan on failure. */
SFM_MUST_CHECK sfm_status sfmi_plan_add_by(sfmi_plan *plan, const sfm_rows *rows,
                                           const sfm_column *const *columns, size_t count,
                                           sfm_error *error);
/* The same for curves: count fields, in that order. */
SFM_MUST_CHECK sfm_status sfmi_plan_make_curves(sfmi_plan *plan, const sfm_rows *rows,
                                                const sfm_schema *schema, const size_t *fields,
                                                size_t count, sfm_error *error);
void sfmi_plan_clear(sfmi_plan *plan);

/* The parts of which plans are made: the domain of a column; the field of the schema's person, if
 * it names one, which joins a want that is there or becomes one (there is room for one more); the
 * order of the wants. */
SFM_MUST_CHECK sfm_status sfmi_domain_make(sfmi_domain *domain, const sfm_column *column,
                                           sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_plan_add_person(sfmi_plan *plan, const sfm_rows *rows,
                                               const sfm_schema *schema, sfm_error *error);
void sfmi_plan_sort(sfmi_plan *plan);

/* Whether value is one that the column can have, its bounds aside. */
bool sfmi_domain_admits(const sfmi_domain *domain, double value);

/* Brings a batch inside its domains: clamps or drops, and clears keep where a value is not one.  Of
 * curves: NaN where a value is not finite. */
void sfmi_plan_apply(const sfmi_plan *plan, sfmi_batch *batch);

#endif
