/* predicate_program.h - a predicate as a program that says of every row of a batch whether it is
 * true.
 *
 * Three values (Kleene): false, unknown, true are 0, 1, 2; `and` is the least of two, `or` the
 * greatest, `not` 2 minus.  A comparison with a cell that holds no value of its column is unknown.
 * The program is a list of steps on a stack of columns of truth values. */
#ifndef SFMI_PREDICATE_PROGRAM_H
#define SFMI_PREDICATE_PROGRAM_H

#include <stdbool.h>

#include "base/system/status.h"
#include "data/batch/row_batch.h"

enum { SFMI_FALSE = 0, SFMI_UNKNOWN = 1, SFMI_TRUE = 2 };

typedef enum sfmi_program_step_kind {
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
} sfmi_program_step_kind;

typedef struct sfmi_program_step {
  sfmi_program_step_kind kind;
  size_t slot;
  size_t first, count; /* of the numbers or texts; of the codes: one truth value per category */
} sfmi_program_step;

/* All arrays are owned.  Invariant: the steps leave one column on the stack and never need more
 * than `deepest`. */
typedef struct sfmi_program {
  sfmi_program_step *steps;
  size_t step_count, step_room;
  double *numbers;
  size_t number_count, number_room;
  char **texts;
  size_t text_count, text_room;
  uint8_t *truths;
  size_t truth_count, truth_room;
  size_t depth, deepest;
  uint8_t *stack; /* deepest columns, once finished */
} sfmi_program;

void sfmi_program_clear(sfmi_program *program);

/* Each of these is false when memory is short.  A comparison's literals are added before it. */
SFM_MUST_CHECK bool sfmi_program_add_number(sfmi_program *program, double number);
SFM_MUST_CHECK bool sfmi_program_add_text(sfmi_program *program, const char *text);
/* count more truth values, all false; the codes' own are then set at *truths. */
SFM_MUST_CHECK bool sfmi_program_add_truths(sfmi_program *program, uint8_t **truths, size_t count);
/* Of a comparison: with the last `count` literals of its kind. */
SFM_MUST_CHECK bool sfmi_program_add_step(sfmi_program *program, sfmi_program_step_kind kind,
                                          size_t slot, size_t count);
/* Room for the stack, after the last step. */
SFM_MUST_CHECK bool sfmi_program_finish(sfmi_program *program);

/* matches[r] is 1 where row r is kept and the program says true, else 0; returns how many are. */
size_t sfmi_program_match(sfmi_program *program, uint8_t *matches, const sfmi_batch *batch);

#endif
