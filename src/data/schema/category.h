/* category.h - which of its public categories a cell holds.
 *
 * A cell's text, blanks and tabs around it aside, is looked up as it stands; in a column that the
 * schema calls integer or number, and in rows that are numbers, its value is (1, 1.0 and 01 are the
 * same category).  A boolean column has the categories false and true, each under the names that a
 * schema knows.  What a cell gives depends on that cell alone. */
#ifndef SFMI_CATEGORY_H
#define SFMI_CATEGORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sfumato/schema.h"

/* Most categories of a column: more could not make groups. */
#define SFMI_CATEGORIES_MAX 100000

/* A cell that holds none of them. */
#define SFMI_NO_CATEGORY UINT32_MAX

typedef struct sfmi_category sfmi_category;

/* What the cells of rows are. */
typedef enum sfmi_cell_form {
  SFMI_CELL_FORM_TEXT,
  SFMI_CELL_FORM_NUMBER, /* of a matrix */
  SFMI_CELL_FORM_VALUE,  /* of a data frame (base/text/frame_value.h) */
} sfmi_cell_form;

/* NULL, or what is wrong with a category's text: no cell could hold it. */
const char *sfmi_category_unfit(const char *text);
/* SFM_INVALID, saying which and why, when one of a column's categories is unfit. */
SFM_MUST_CHECK sfm_status sfmi_categories_check(const char *column, const char *const *categories,
                                                size_t count, sfm_error *error);

/* The schema's column behind by[i], a name of groups: with fit categories, not named before, and no
 * variable.  Without categories it is explained why they must be stated. */
SFM_MUST_CHECK sfm_status sfmi_category_select(const sfm_column **column, const sfm_schema *schema,
                                               const char *const *by, size_t i,
                                               const char *const *variables, size_t variable_count,
                                               sfm_error *error);

/* The column must have categories, none of them unfit.  Of cells that are numbers: refused when a
 * category is none.  Of values: refused when two categories are one value.  Strings are borrowed
 * from the column. */
SFM_MUST_CHECK sfm_status sfmi_category_create(sfmi_category **out, const sfm_column *column,
                                               sfmi_cell_form form, sfm_error *error);
void sfmi_category_destroy(sfmi_category *category);

/* Whether cells are looked up as numbers. */
bool sfmi_category_by_value(const sfmi_category *category);

/* The place of the category with this text, or SFMI_NO_CATEGORY: only where cells are not looked up
 * as numbers. */
uint32_t sfmi_category_of_text(const sfmi_category *category, const char *text, size_t length);
/* The same for a number; NaN is none. */
uint32_t sfmi_category_of_number(const sfmi_category *category, double value);

/* Categories of up to eight bytes, by their bytes as one word (the first lowest, zeros after the
 * last): open addressing, length 0 where free, at most a quarter in use.  Those that begin with a
 * quote, which a bare cell cannot, are not among them. */
typedef struct sfmi_short_category {
  uint64_t bytes;
  uint32_t length;
  uint32_t place;
} sfmi_short_category;

typedef struct sfmi_short_categories {
  const sfmi_short_category *slots;
  int shift; /* 64 - log2 of how many */
} sfmi_short_categories;

/* NULL slots when cells are looked up as numbers. */
sfmi_short_categories sfmi_category_short(const sfmi_category *category);

static inline uint64_t sfmi_short_category_hash(uint64_t bytes, int shift) {
  return bytes * UINT64_C(0x9e3779b97f4a7c15) >> shift;
}

/* The place of the category with these bytes (1 to 8 of them), or SFMI_NO_CATEGORY. */
static inline uint32_t sfmi_short_category_find(sfmi_short_categories short_categories,
                                                uint64_t bytes, uint32_t length) {
  const uint64_t mask = (UINT64_C(1) << (64 - short_categories.shift)) - 1;
  for (uint64_t i = sfmi_short_category_hash(bytes, short_categories.shift);; i = (i + 1) & mask) {
    const sfmi_short_category *slot = &short_categories.slots[i];
    if (slot->bytes == bytes && slot->length == length) return slot->place;
    if (slot->length == 0) return SFMI_NO_CATEGORY;
  }
}

#endif
