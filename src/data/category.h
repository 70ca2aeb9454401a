/* category.h - which of its public categories a cell holds.
 *
 * A cell's text, blanks and tabs around it aside, is looked up as it stands; in a column that the
 * schema calls integer or number, and in rows that are numbers, its value is (1, 1.0 and 01 are the
 * same category).  A boolean column has the categories false and true, each under the names that a
 * schema knows.  What a cell gives depends on that cell alone. */
#ifndef SFMI_CATEGORY_H
#define SFMI_CATEGORY_H

#include <locale.h>

#include "data/cell.h"
#include "sfumato/schema.h"

/* Most categories of a column: more could not make groups. */
#define SFMI_CATEGORIES_MAX 100000

/* A cell that holds none of them. */
#define SFMI_NO_CATEGORY UINT32_MAX

typedef struct sfmi_category sfmi_category;

/* The categories by which the column can make groups: those stated, or false and true of a boolean
 * column; *count is 0 when none are stated.  Borrowed from the column. */
const char *const *sfmi_column_categories(const sfm_column *column, size_t *count);

/* NULL, or what is wrong with a category's text: no cell could hold it. */
const char *sfmi_category_unfit(const char *text);

/* The schema's column behind by[i], a name of groups: with fit categories, not named before, and no
 * variable.  Without categories it is explained why they must be stated. */
SFM_MUST_CHECK sfm_status sfmi_category_select(const sfm_column **column, const sfm_schema *schema,
                                               const char *const *by, size_t i,
                                               const char *const *variables, size_t variable_count,
                                               sfm_error *error);

/* The column must have categories, none of them unfit.  numbers: the rows are numbers; refused when
 * a category is none.  Strings are borrowed from the column. */
SFM_MUST_CHECK sfm_status sfmi_category_create(sfmi_category **out, const sfm_column *column,
                                               bool numbers, sfm_error *error);
void sfmi_category_destroy(sfmi_category *category);

/* The place of the cell's category among them, or SFMI_NO_CATEGORY.  The cell is unescaped. */
uint32_t sfmi_category_of_cell(const sfmi_category *category, const sfmi_cell *cell, locale_t c);
/* The same for a number; NaN is none. */
uint32_t sfmi_category_of_number(const sfmi_category *category, double value);

#endif
