/* logic.h - a predicate as a program that says of every row of a batch whether it is true.
 *
 * Three values (Kleene): false, unknown, true are 0, 1, 2; `and` is the least of two, `or` the
 * greatest, `not` 2 minus.  A comparison with a cell that holds no value of its column is unknown.
 * The program is a list of steps on a stack of columns of truth values. */
#ifndef SFMI_LOGIC_H
#define SFMI_LOGIC_H

#include <stdbool.h>

#include "base/fail.h"
#include "data/batch.h"

enum { SFMI_FALSE = 0, SFMI_UNKNOWN = 1, SFMI_TRUE = 2 };

typedef enum sfmi_step_kind {
  SFMI_STEP_EQUAL, /* values[slot] is one of the listed numbers */
  SFMI_STEP_BELOW, /* values[slot] is below the number; and so on */
  SFMI_STEP_AT_MOST,
  SFMI_STEP_ABOVE,
  SFMI_STEP_AT_LEAST,
  SFMI_STEP_CODE, /* codes[slot] is one of the listed codes */
  SFMI_STEP_TEXT, /* texts[slot] is one of the listed texts */
  SFMI_STEP_NOT,
  SFMI_STEP_AND,
  SFMI_STEP_OR,
} sfmi_step_kind;

typedef struct sfmi_step {
  sfmi_step_kind kind;
  size_t slot;
  size_t first, count; /* of the numbers or texts; of the codes: one truth value a category */
} sfmi_step;

/* All arrays are owned.  Invariant: the steps leave one column on the stack and never need more
 * than `deepest`. */
typedef struct sfmi_logic {
  sfmi_step *steps;
  size_t step_count, step_room;
  double *numbers;
  size_t number_count, number_room;
  char **texts;
  size_t text_count, text_room;
  uint8_t *truths;
  size_t truth_count, truth_room;
  size_t depth, deepest;
  uint8_t *stack; /* deepest columns, once finished */
} sfmi_logic;

void sfmi_logic_clear(sfmi_logic *logic);

/* Each of these is false when memory is short.  A comparison's literals are added before it. */
SFM_MUST_CHECK bool sfmi_logic_number(sfmi_logic *logic, double number);
SFM_MUST_CHECK bool sfmi_logic_text(sfmi_logic *logic, const char *text);
/* count more truth values, all false; the codes' own are then set at *truths. */
SFM_MUST_CHECK bool sfmi_logic_truths(sfmi_logic *logic, uint8_t **truths, size_t count);
/* Of a comparison: with the last `count` literals of its kind. */
SFM_MUST_CHECK bool sfmi_logic_step(sfmi_logic *logic, sfmi_step_kind kind, size_t slot,
                                    size_t count);
/* Room for the stack, after the last step. */
SFM_MUST_CHECK bool sfmi_logic_finish(sfmi_logic *logic);

/* matches[r] is 1 where row r is kept and the program says true, else 0; returns how many are. */
size_t sfmi_logic_match(sfmi_logic *logic, uint8_t *matches, const sfmi_batch *batch);

#endif
