/* predicate.h - which records are counted: `age >= 65 and sex == "F"`, typed against the schema.
 *
 *   predicate  = conjunction { "or" conjunction }
 *   conjunction = condition { "and" condition }
 *   condition  = "not" condition | "(" predicate ")" | comparison
 *   comparison = column sign value | value sign column
 *              | column [ "not" ] "in" "(" value { "," value } ")"
 *   sign       = "==" | "!=" | "<" | "<=" | ">" | ">="
 *   value      = number | string | "true" | "false"
 *   column     = a name, in backquotes when it is not made of letters, digits, _ and .
 *
 * A column that the schema states has the type it states; one that it does not has the type of what
 * it is compared with first (number or string).  Numbers compare as they stand in the cells, not
 * clamped to bounds; strings and booleans have no order.
 *
 * A cell that holds no value of its column (empty, broken, no number, none of the stated
 * categories) makes its comparison unknown, and a record counts only where the whole is true. */
#ifndef SFMI_PREDICATE_H
#define SFMI_PREDICATE_H

#include "data/rows/cell_columns.h"
#include "data/rows/rows.h"
#include "predicate_token.h"

/* Most parentheses and `not` inside each other. */
#define SFMI_PREDICATE_DEPTH 64

/* Most columns. */
#define SFMI_PREDICATE_COLUMNS 64

typedef struct sfmi_predicate sfmi_predicate;

/* Reads the text; mistakes are shown with a caret (data/predicate/predicate_token.h).  The schema
 * is borrowed as long as the predicate lives.  No rows are looked at: whether they have the columns
 * is found by sfmi_rows_begin_cells. */
SFM_MUST_CHECK sfm_status sfmi_predicate_create(sfmi_predicate **out, const char *text,
                                                const sfm_schema *schema, sfm_error *error);
void sfmi_predicate_destroy(sfmi_predicate *predicate);

/* The rows are values of a data frame: texts that cells are compared with become values, too.
 * Refuses a text that is an empty cell there. */
SFM_MUST_CHECK sfm_status sfmi_predicate_use_values(sfmi_predicate *predicate, sfm_error *error);

/* The columns to read (sfmi_rows_begin_cells), owned by the predicate. */
const sfmi_cell_column *sfmi_predicate_columns(const sfmi_predicate *predicate, size_t *count);

/* Its program, owned by the predicate; slots are numbered per use. */
const struct sfmi_program *sfmi_predicate_program(const sfmi_predicate *predicate);

/* matches[r] is 1 where row r of a batch of those columns is kept and the predicate true, else 0;
 * returns how many are.  Not thread-safe. */
size_t sfmi_predicate_match(sfmi_predicate *predicate, uint8_t *matches, const sfmi_batch *batch);

#endif
