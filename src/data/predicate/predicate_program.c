#include "predicate_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/category.h"

void sfmi_program_clear(sfmi_program *program) {
  for (size_t i = 0; i < program->text_count; i++) free(program->texts[i]);
  free(program->texts);
  free(program->steps);
  free(program->numbers);
  free(program->truths);
  free(program->stack);
  *program = (sfmi_program){0};
}

/* Room for `more` elements after the first `used`; NULL when memory is short. */
static void *with_room(void *array, size_t *room, size_t used, size_t more, size_t size) {
  if (array && used + more <= *room) return array;
  const size_t wanted = 2 * (used + more);
  void *grown = realloc(array, wanted * size);
  if (grown) *room = wanted;
  return grown;
}

bool sfmi_program_add_number(sfmi_program *program, double number) {
  double *numbers =
      with_room(program->numbers, &program->number_room, program->number_count, 1, sizeof *numbers);
  if (!numbers) return false;
  program->numbers = numbers;
  program->numbers[program->number_count++] = number;
  return true;
}

bool sfmi_program_add_text(sfmi_program *program, const char *text) {
  char **texts =
      with_room(program->texts, &program->text_room, program->text_count, 1, sizeof *texts);
  char *copy = texts ? sfmi_copy_string(text) : NULL;
  if (texts) program->texts = texts;
  if (!copy) return false;
  program->texts[program->text_count++] = copy;
  return true;
}

bool sfmi_program_add_truths(sfmi_program *program, uint8_t **truths, size_t count) {
  uint8_t *all =
      with_room(program->truths, &program->truth_room, program->truth_count, count, sizeof *all);
  if (!all) return false;
  program->truths = all;
  *truths = all + program->truth_count;
  memset(*truths, SFMI_FALSE, count);
  program->truth_count += count;
  return true;
}

/* How many literals of the kind there are. */
static size_t literals(const sfmi_program *program, sfmi_program_step_kind kind) {
  if (kind == SFMI_STEP_CODE) return program->truth_count;
  return kind == SFMI_STEP_TEXT ? program->text_count : program->number_count;
}

bool sfmi_program_add_step(sfmi_program *program, sfmi_program_step_kind kind, size_t slot,
                           size_t count) {
  sfmi_program_step *steps =
      with_room(program->steps, &program->step_room, program->step_count, 1, sizeof *steps);
  if (!steps) return false;
  program->steps = steps;
  steps[program->step_count++] = (sfmi_program_step){
      .kind = kind, .slot = slot, .first = literals(program, kind) - count, .count = count};
  if (kind < SFMI_STEP_NOT) program->depth++;
  if (kind == SFMI_STEP_AND || kind == SFMI_STEP_OR) program->depth--;
  if (program->depth > program->deepest) program->deepest = program->depth;
  return true;
}

bool sfmi_program_finish(sfmi_program *program) {
  program->stack = sfmi_alloc(program->deepest, SFMI_BATCH_ROWS);
  return program->stack != NULL;
}

/* Comparisons with NaN are false, so that `known` alone makes the difference to unknown. */
#define COMPARE(operator)                                                                          \
  for (size_t r = 0; r < rows; r++) {                                                              \
    const double value = values[r];                                                                \
    truth[r] = (uint8_t)(isnan(value) ? SFMI_UNKNOWN : 2 * (value operator number));               \
  }                                                                                                \
  break

static void compare(uint8_t *truth, const double *values, size_t rows, sfmi_program_step_kind kind,
                    double number) {
  switch (kind) {
  case SFMI_STEP_EQUAL:
    COMPARE(==);
  case SFMI_STEP_BELOW:
    COMPARE(<);
  case SFMI_STEP_AT_MOST:
    COMPARE(<=);
  case SFMI_STEP_ABOVE:
    COMPARE(>);
  default:
    COMPARE(>=);
  }
}

/* One of several numbers. */
static void compare_all(uint8_t *truth, const double *values, size_t rows, const double *numbers,
                        size_t count) {
  for (size_t r = 0; r < rows; r++) {
    bool found = false;
    for (size_t k = 0; k < count; k++) found = found || values[r] == numbers[k];
    truth[r] = (uint8_t)(isnan(values[r]) ? SFMI_UNKNOWN : found ? SFMI_TRUE : SFMI_FALSE);
  }
}

static void look_up(uint8_t *truth, const uint32_t *codes, size_t rows, const uint8_t *truths) {
  for (size_t r = 0; r < rows; r++)
    truth[r] = codes[r] == SFMI_NO_CATEGORY ? SFMI_UNKNOWN : truths[codes[r]];
}

static bool is_text(sfmi_text cell, const char *text) {
  return strlen(text) == cell.length && memcmp(text, cell.text, cell.length) == 0;
}

static void compare_texts(uint8_t *truth, const sfmi_text *cells, size_t rows, char *const *texts,
                          size_t count) {
  for (size_t r = 0; r < rows; r++) {
    bool found = false;
    for (size_t k = 0; k < count; k++) found = found || is_text(cells[r], texts[k]);
    truth[r] = (uint8_t)(cells[r].length == 0 ? SFMI_UNKNOWN : found ? SFMI_TRUE : SFMI_FALSE);
  }
}

/* A comparison's column of truth values. */
static void compare_step(const sfmi_program *program, uint8_t *truth, const sfmi_program_step *step,
                         const sfmi_batch *batch) {
  const size_t offset = step->slot * SFMI_BATCH_ROWS, rows = batch->rows;
  if (step->kind == SFMI_STEP_CODE)
    look_up(truth, batch->codes + offset, rows, program->truths + step->first);
  else if (step->kind == SFMI_STEP_TEXT)
    compare_texts(truth, batch->texts + offset, rows, program->texts + step->first, step->count);
  else if (step->count > 1)
    compare_all(truth, batch->values + offset, rows, program->numbers + step->first, step->count);
  else
    compare(truth, batch->values + offset, rows, step->kind, program->numbers[step->first]);
}

/* The last column of the stack, or the last two into one. */
static void combine(uint8_t *last, size_t rows, sfmi_program_step_kind kind) {
  uint8_t *under = kind == SFMI_STEP_NOT ? last : last - SFMI_BATCH_ROWS;
  for (size_t r = 0; kind == SFMI_STEP_NOT && r < rows; r++) last[r] = (uint8_t)(2 - last[r]);
  for (size_t r = 0; kind == SFMI_STEP_AND && r < rows; r++)
    under[r] = under[r] < last[r] ? under[r] : last[r];
  for (size_t r = 0; kind == SFMI_STEP_OR && r < rows; r++)
    under[r] = under[r] > last[r] ? under[r] : last[r];
}

size_t sfmi_program_match(sfmi_program *program, uint8_t *matches, const sfmi_batch *batch) {
  size_t depth = 0, count = 0;
  for (size_t s = 0; s < program->step_count; s++) {
    const sfmi_program_step *step = &program->steps[s];
    uint8_t *next = program->stack + depth * SFMI_BATCH_ROWS;
    if (step->kind < SFMI_STEP_NOT) {
      compare_step(program, next, step, batch);
      depth++;
    } else {
      combine(next - SFMI_BATCH_ROWS, batch->rows, step->kind);
      depth -= step->kind != SFMI_STEP_NOT;
    }
  }
  for (size_t r = 0; r < batch->rows; r++) {
    matches[r] = batch->keep[r] && program->stack[r] == SFMI_TRUE;
    count += matches[r];
  }
  return count;
}
