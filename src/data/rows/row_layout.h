/* row_layout.h - what is read of a record: which fields, into which slots, inside which domains. */
#ifndef SFMI_ROW_LAYOUT_H
#define SFMI_ROW_LAYOUT_H

#include "base/system/arena.h"
#include "data/batch/field_request.h"
#include "data/batch/row_batch.h"

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

/* Makes room in the arena for what the layout requests of a batch; false when memory is short. */
bool sfmi_batch_make(sfmi_batch *batch, sfmi_arena *arena, const sfmi_row_layout *layout,
                     sfmi_cell_form form);

/* Whether value is one that the column can have, its bounds aside. */
bool sfmi_column_domain_admits(const sfmi_column_domain *domain, double value);

/* Brings a batch inside its domains: clamps or drops, and clears keep where a value is not one.  Of
 * curves: NaN where a value is not finite. */
void sfmi_row_layout_apply(const sfmi_row_layout *layout, sfmi_batch *batch);

#endif
