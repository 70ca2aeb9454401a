/* predicate_over_set.c - a predicate over all records of a set: every comparison has a set of truth
 * values that it can take, and so has what is made of them.  Columns are taken as if they could
 * take their values independently, so that the set may be too large and never too small. */
#include <stdlib.h>
#include <string.h>

#include "predicate_program.h"
#include "predicate.h"
#include "sfumato/predict.h"

/* Sets of false, unknown and true. */
enum { F = 1 << SFMI_FALSE, U = 1 << SFMI_UNKNOWN, T = 1 << SFMI_TRUE, ANY = F | U | T };

typedef struct evaluation {
  const sfmi_program *program;
  const sfmi_cell_column *columns;
  size_t column_count;
  const sfm_schema *schema;
  const sfm_supposition *suppositions;
  size_t count;
} evaluation;

/* What is supposed of a column, or NULL. */
static const sfm_supposition *find(const evaluation *s, const char *column) {
  for (size_t i = 0; i < s->count; i++)
    if (strcmp(s->suppositions[i].column, column) == 0) return &s->suppositions[i];
  return NULL;
}

/* The column that a step is about: number `slot` of its use. */
static const sfmi_cell_column *column_of(const evaluation *s, const sfmi_program_step *step) {
  const sfmi_cell_use use = step->kind == SFMI_STEP_CODE   ? SFMI_USE_CATEGORY
                            : step->kind == SFMI_STEP_TEXT ? SFMI_USE_TEXT
                                                           : SFMI_USE_NUMBER;
  size_t slot = 0;
  for (size_t i = 0; i < s->column_count; i++)
    if (s->columns[i].use == use && slot++ == step->slot) return &s->columns[i];
  return NULL;
}

/* Of numbers from lower to upper. */
static unsigned compare_interval(const evaluation *s, const sfmi_program_step *step, double lower,
                                 double upper) {
  const double *numbers = s->program->numbers + step->first, number = numbers[0];
  bool within = false, all = false;
  switch (step->kind) {
  case SFMI_STEP_EQUAL:
    for (size_t k = 0; k < step->count; k++) {
      within = within || (numbers[k] >= lower && numbers[k] <= upper);
      all = all || (numbers[k] == lower && numbers[k] == upper);
    }
    return (within ? T : 0) | (all ? 0 : F);
  case SFMI_STEP_BELOW:
    return (lower < number ? T : 0) | (upper >= number ? F : 0);
  case SFMI_STEP_AT_MOST:
    return (lower <= number ? T : 0) | (upper > number ? F : 0);
  case SFMI_STEP_ABOVE:
    return (upper > number ? T : 0) | (lower <= number ? F : 0);
  default:
    return (upper >= number ? T : 0) | (lower < number ? F : 0);
  }
}

static unsigned compare_text(const evaluation *s, const sfmi_program_step *step, const char *text) {
  for (size_t k = 0; k < step->count; k++)
    if (strcmp(s->program->texts[step->first + k], text) == 0) return T;
  return *text ? F : U;
}

/* A category that is not found by its text may be written otherwise: it can be anything. */
static unsigned compare_code(const evaluation *s, const sfmi_program_step *step,
                             const sfmi_cell_column *column, const char *text) {
  const sfm_column *stated = sfm_schema_find(s->schema, column->name);
  const char *const *categories = column->categories;
  size_t count = column->category_count;
  if (!categories && stated) {
    categories = (const char *const *)stated->categories;
    count = stated->category_count;
  }
  for (size_t k = 0; categories && k < count && k < step->count; k++)
    if (strcmp(categories[k], text) == 0) return 1u << s->program->truths[step->first + k];
  return ANY;
}

/* The truth values of a comparison. */
static unsigned compare(const evaluation *s, const sfmi_program_step *step) {
  const sfmi_cell_column *column = column_of(s, step);
  const sfm_supposition *about = column ? find(s, column->name) : NULL;
  unsigned set = 0;
  if (!about) return ANY;
  if (about->interval)
    return column->use == SFMI_USE_NUMBER ? compare_interval(s, step, about->lower, about->upper)
                                          : ANY;
  for (size_t i = 0; i < about->text_count; i++) {
    const char *text = about->texts[i];
    if (column->use == SFMI_USE_TEXT)
      set |= compare_text(s, step, text);
    else if (column->use == SFMI_USE_CATEGORY)
      set |= compare_code(s, step, column, text);
    else
      set |= ANY; /* numbers are in intervals */
  }
  return set;
}

/* The truth values that two can make together. */
static unsigned combine(unsigned a, unsigned b, sfmi_program_step_kind kind) {
  unsigned set = 0;
  for (unsigned x = SFMI_FALSE; x <= SFMI_TRUE; x++)
    for (unsigned y = SFMI_FALSE; y <= SFMI_TRUE; y++)
      if (a >> x & b >> y & 1)
        set |= 1u << (kind == SFMI_STEP_AND ? (x < y ? x : y) : (x > y ? x : y));
  return set;
}

static unsigned negate(unsigned set) {
  return (set & F ? T : 0) | (set & U) | (set & T ? F : 0);
}

static sfm_status run(const evaluation *s, unsigned *set, sfm_error *error) {
  unsigned *stack = sfmi_alloc(s->program->deepest + 1, sizeof *stack);
  size_t depth = 0;
  if (!stack) return sfmi_fail_memory(error);
  for (size_t i = 0; i < s->program->step_count; i++) {
    const sfmi_program_step *step = &s->program->steps[i];
    if (step->kind < SFMI_STEP_NOT) {
      stack[depth++] = compare(s, step);
    } else if (step->kind == SFMI_STEP_NOT) {
      stack[depth - 1] = negate(stack[depth - 1]);
    } else {
      stack[depth - 2] = combine(stack[depth - 2], stack[depth - 1], step->kind);
      depth--;
    }
  }
  *set = stack[0];
  free(stack);
  return SFM_OK;
}

/* Every supposition is about a column of the predicate. */
static sfm_status check(const evaluation *s, sfm_error *error) {
  for (size_t i = 0; i < s->count; i++) {
    const sfm_supposition *about = &s->suppositions[i];
    bool found = false;
    for (size_t c = 0; c < s->column_count; c++)
      found = found || strcmp(s->columns[c].name, about->column) == 0;
    if (!found)
      return sfmi_fail(error, SFM_INVALID, "the predicate has no column '%.200s'", about->column);
    if (about->interval ? !(about->lower <= about->upper) : about->text_count == 0)
      return sfmi_fail(error, SFM_INVALID, "no value of '%.200s' satisfies the condition on it",
                       about->column);
  }
  return SFM_OK;
}

sfm_status sfm_predict_where(bool *decided, const char *where, const sfm_schema *schema,
                             const sfm_supposition *suppositions, size_t count, sfm_error *error) {
  sfmi_predicate *predicate = NULL;
  unsigned set = ANY;
  *decided = where == NULL;
  if (!where) return SFM_OK;
  sfm_status status = sfmi_predicate_create(&predicate, where, schema, error);
  if (status) return status;
  evaluation s = {.program = sfmi_predicate_program(predicate),
                  .schema = schema,
                  .suppositions = suppositions,
                  .count = count};
  s.columns = sfmi_predicate_columns(predicate, &s.column_count);
  status = check(&s, error);
  if (!status) status = run(&s, &set, error);
  *decided = !status && (set == T || !(set & T));
  sfmi_predicate_destroy(predicate);
  return status;
}
