/* row_tally.h - counts what a reading cannot use as it stands, record by record, and keeps a few
 * cells of each kind.  PRIVATE: for the owner alone. */
#ifndef SFMI_ROW_TALLY_H
#define SFMI_ROW_TALLY_H

#include "data/batch/field_request.h"
#include "rows.h"

/* One column of the report. */
typedef struct sfmi_row_tally_column {
  const char *name;
  size_t field;
  const sfmi_column_domain *domain; /* of numbers; NULL: it is none */
  const sfmi_category *category;    /* NULL: no list of categories */
  bool optional;                    /* a record contributes without a value in it */
} sfmi_row_tally_column;

/* What is read: columns, and whose record it is. */
typedef struct sfmi_row_tally {
  const sfmi_row_tally_column *columns;
  size_t count;
  bool drops;  /* values beyond a bound: their record is ignored, not clamped */
  bool person; /* in this field */
  size_t person_field;
  sfmi_person_id_type ids;
  uint32_t limit; /* records of one person */
} sfmi_row_tally;

/* Reads all records.  The caller destroys the report. */
SFM_MUST_CHECK sfm_status sfmi_row_tally_read(sfm_rows_report **out, sfm_rows *rows,
                                              const sfmi_row_tally *what, sfm_error *error);

/* A report on so many columns, all zero. */
SFM_MUST_CHECK sfm_status sfmi_row_tally_report(sfm_rows_report **out, const char *const *names,
                                                size_t count, sfm_error *error);

/* Counts one number, whether it still contributes, and keeps it as an example. */
bool sfmi_row_tally_number(sfm_rows_report *report, size_t column, const sfmi_column_domain *domain,
                           double value);

/* Of a record that contributes: a value of it was beyond a bound. */
void sfmi_row_tally_clamped(sfm_rows_report *report);

#endif
