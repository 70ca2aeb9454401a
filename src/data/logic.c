#include "data/logic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/category.h"

void sfmi_logic_clear(sfmi_logic *logic) {
  for (size_t i = 0; i < logic->text_count; i++) free(logic->texts[i]);
  free(logic->texts);
  free(logic->steps);
  free(logic->numbers);
  free(logic->truths);
  free(logic->stack);
  *logic = (sfmi_logic){0};
}

/* Room for `more` elements after the first `used`; NULL when memory is short. */
static void *with_room(void *array, size_t *room, size_t used, size_t more, size_t size) {
  if (array && used + more <= *room) return array;
  const size_t wanted = 2 * (used + more);
  void *grown = realloc(array, wanted * size);
  if (grown) *room = wanted;
  return grown;
}

bool sfmi_logic_number(sfmi_logic *logic, double number) {
  double *numbers =
      with_room(logic->numbers, &logic->number_room, logic->number_count, 1, sizeof *numbers);
  if (!numbers) return false;
  logic->numbers = numbers;
  logic->numbers[logic->number_count++] = number;
  return true;
}

bool sfmi_logic_text(sfmi_logic *logic, const char *text) {
  char **texts = with_room(logic->texts, &logic->text_room, logic->text_count, 1, sizeof *texts);
  char *copy = texts ? sfmi_copy_string(text) : NULL;
  if (texts) logic->texts = texts;
  if (!copy) return false;
  logic->texts[logic->text_count++] = copy;
  return true;
}

bool sfmi_logic_truths(sfmi_logic *logic, uint8_t **truths, size_t count) {
  uint8_t *all =
      with_room(logic->truths, &logic->truth_room, logic->truth_count, count, sizeof *all);
  if (!all) return false;
  logic->truths = all;
  *truths = all + logic->truth_count;
  memset(*truths, SFMI_FALSE, count);
  logic->truth_count += count;
  return true;
}

/* How many literals of the kind there are. */
static size_t literals(const sfmi_logic *logic, sfmi_step_kind kind) {
  if (kind == SFMI_STEP_CODE) return logic->truth_count;
  return kind == SFMI_STEP_TEXT ? logic->text_count : logic->number_count;
}

bool sfmi_logic_step(sfmi_logic *logic, sfmi_step_kind kind, size_t slot, size_t count) {
  sfmi_step *steps =
      with_room(logic->steps, &logic->step_room, logic->step_count, 1, sizeof *steps);
  if (!steps) return false;
  logic->steps = steps;
  steps[logic->step_count++] = (sfmi_step){
      .kind = kind, .slot = slot, .first = literals(logic, kind) - count, .count = count};
  if (kind < SFMI_STEP_NOT) logic->depth++;
  if (kind == SFMI_STEP_AND || kind == SFMI_STEP_OR) logic->depth--;
  if (logic->depth > logic->deepest) logic->deepest = logic->depth;
  return true;
}

bool sfmi_logic_finish(sfmi_logic *logic) {
  logic->stack = sfmi_alloc(logic->deepest, SFMI_BATCH_ROWS);
  return logic->stack != NULL;
}

/* Comparisons with NaN are false, so that `known` alone makes the difference to unknown. */
#define COMPARE(operator)                                                                          \
  for (size_t r = 0; r < rows; r++) {                                                              \
    const double value = values[r];                                                                \
    truth[r] = (uint8_t)(isnan(value) ? SFMI_UNKNOWN : 2 * (value operator number));               \
  }                                                                                                \
  break

static void compare(uint8_t *truth, const double *values, size_t rows, sfmi_step_kind kind,
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
static void compare_step(const sfmi_logic *logic, uint8_t *truth, const sfmi_step *step,
                         const sfmi_batch *batch) {
  const size_t offset = step->slot * SFMI_BATCH_ROWS, rows = batch->rows;
  if (step->kind == SFMI_STEP_CODE)
    look_up(truth, batch->codes + offset, rows, logic->truths + step->first);
  else if (step->kind == SFMI_STEP_TEXT)
    compare_texts(truth, batch->texts + offset, rows, logic->texts + step->first, step->count);
  else if (step->count > 1)
    compare_all(truth, batch->values + offset, rows, logic->numbers + step->first, step->count);
  else
    compare(truth, batch->values + offset, rows, step->kind, logic->numbers[step->first]);
}

/* The last column of the stack, or the last two into one. */
static void combine(uint8_t *last, size_t rows, sfmi_step_kind kind) {
  uint8_t *under = kind == SFMI_STEP_NOT ? last : last - SFMI_BATCH_ROWS;
  for (size_t r = 0; kind == SFMI_STEP_NOT && r < rows; r++) last[r] = (uint8_t)(2 - last[r]);
  for (size_t r = 0; kind == SFMI_STEP_AND && r < rows; r++)
    under[r] = under[r] < last[r] ? under[r] : last[r];
  for (size_t r = 0; kind == SFMI_STEP_OR && r < rows; r++)
    under[r] = under[r] > last[r] ? under[r] : last[r];
}

size_t sfmi_logic_match(sfmi_logic *logic, uint8_t *matches, const sfmi_batch *batch) {
  size_t depth = 0, count = 0;
  for (size_t s = 0; s < logic->step_count; s++) {
    const sfmi_step *step = &logic->steps[s];
    uint8_t *next = logic->stack + depth * SFMI_BATCH_ROWS;
    if (step->kind < SFMI_STEP_NOT) {
      compare_step(logic, next, step, batch);
      depth++;
    } else {
      combine(next - SFMI_BATCH_ROWS, batch->rows, step->kind);
      depth -= step->kind != SFMI_STEP_NOT;
    }
  }
  for (size_t r = 0; r < batch->rows; r++) {
    matches[r] = batch->keep[r] && logic->stack[r] == SFMI_TRUE;
    count += matches[r];
  }
  return count;
}
