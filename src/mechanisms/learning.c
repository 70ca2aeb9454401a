#include "mechanisms/learning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimators/dual.h"
#include "fields/field.h"
#include "mechanisms/chorus.h"
#include "planner/semi.h"

static sfmi_examples_form form_of(sfmi_lift_form form) {
  switch (form) {
  case SFMI_LIFT_LINEAR:
    return SFMI_EXAMPLES_SPARSE;
  case SFMI_LIFT_MONOMIALS:
    return SFMI_EXAMPLES_POWERS;
  case SFMI_LIFT_POINTS:
    return SFMI_EXAMPLES_KERNEL;
  default:
    return SFMI_EXAMPLES_DENSE;
  }
}

/* What is read of a record. */
static sfmi_assembly assembly_of(const sfmi_learning *l) {
  const sfm_train_settings *s = l->settings;
  sfmi_assembly assembly = {.schema = s->schema,
                            .encoding = s->gram ? &l->bare : &l->encoding,
                            .label = s->label,
                            .lower = s->label_lower,
                            .upper = s->label_upper};
  assembly.labels = sfmi_training_labels(s, &assembly.class_count);
  return assembly;
}

size_t sfmi_learning_width(const sfmi_learning *l) {
  return sfmi_lift_among(l->lift, sfmi_encoding_width(&l->encoding, l->encoding.dimension));
}

sfm_status sfmi_learning_begin(sfmi_learning *l, sfm_rows *rows, const sfm_train_settings *s,
                               sfmi_seed source, sfm_error *error) {
  uint64_t count = 0, seed = 0;
  *l = (sfmi_learning){.settings = s};
  sfm_status status = sfmi_training_check(s, error);
  if (status == SFM_OK && s->gram) status = sfmi_semi_gram_begin(&l->encoding, &l->bare, s, error);
  if (status == SFM_OK && !s->features && !s->gram && sfmi_rows_dimension(rows) == 0)
    status = sfmi_fail(error, SFM_INVALID,
                       "the rows have columns: name those to learn from and to predict, for "
                       "example --features a,b --label y");
  if (status == SFM_OK && !s->gram)
    status = sfmi_training_encoding(&l->encoding, s, sfmi_rows_dimension(rows), error);
  if (status != SFM_OK) return status;
  l->assembly = assembly_of(l);
  status = sfmi_assembly_begin(rows, &l->assembly, error);
  if (status == SFM_OK) status = sfm_rows_count(rows, &count, error);
  if (status == SFM_OK && s->gram) status = sfmi_semi_gram_rows(s->gram, count, error);
  if (status == SFM_OK && sfmi_training_form(s) == SFMI_LIFT_WAVES)
    status = sfmi_chorus_seed(&seed, source, error);
  if (status == SFM_OK) status = sfmi_training_lift(&l->lift, &l->encoding, s, seed, error);
  if (status != SFM_OK) return status;
  l->form = form_of(l->lift->form);
  status = sfmi_training_init(&l->training, s, l->lift, count, sfmi_learning_width(l), error);
  l->numbers = l->lift->count;
  return status == SFM_OK ? sfmi_assembly_fits(l->lift, l->form, count, error) : status;
}

void sfmi_learning_clear(sfmi_learning *l) {
  sfmi_encoding_clear(&l->encoding);
  sfmi_encoding_clear(&l->bare);
  sfmi_lift_destroy(l->lift);
  *l = (sfmi_learning){0};
}

sfm_status sfmi_learning_read(sfmi_examples **out, const sfmi_learning *l, sfm_rows *rows,
                              sfm_error *error) {
  const sfm_train_settings *s = l->settings;
  sfm_status status = sfmi_assembly_begin(rows, &l->assembly, error);
  return status == SFM_OK
             ? sfmi_assembly_read(out, rows, &l->assembly, l->lift, l->form, l->training.rows,
                                  s->threads, s->progress, s->progress_context, error)
             : status;
}

/* Solving. */

/* Some of the rows, borrowed. */
static sfmi_examples view_of(const sfmi_examples *e, size_t first, size_t count) {
  sfmi_examples view = *e;
  view.rows = count;
  view.keep += first;
  view.labels += first;
  if (view.classes) view.classes += first;
  if (view.starts) view.starts += first;
  if (view.dense) view.dense += first * view.stride;
  if (view.form == SFMI_EXAMPLES_KERNEL) view.features = count;
  return view;
}

/* One machine's part of a solution under way, and whom to tell. */
typedef struct telling {
  const sfm_train_settings *settings;
  size_t machine, machines;
} telling;

static void tell(void *context, double gap, double target) {
  const telling *t = context;
  t->settings->solving(t->settings->solving_context, t->machine, t->machines, gap, target);
}

/* One class against the rest. */
static void label_one(double *labels, const sfmi_examples *e, size_t class) {
  for (size_t i = 0; i < e->rows; i++)
    labels[i] = !e->keep[i] ? 0 : e->classes[i] == class ? 1 : -1;
}

static sfm_status at_places(double *values, const sfmi_learning *l, const sfmi_examples *e,
                            const double *coefficients, sfm_error *error) {
  const sfmi_lift *lift = l->lift;
  const sfmi_csr points = {lift->point_starts, lift->point_indices, lift->point_values};
  return sfmi_dual_values(values, e, coefficients, points, lift->point_count, l->settings->threads,
                          error);
}

static sfm_status take_numbers(double *out, const sfmi_learning *l, const sfmi_examples *e,
                               const sfmi_solution *solution, sfm_error *error) {
  if (l->form == SFMI_EXAMPLES_KERNEL) return at_places(out, l, e, solution->weights, error);
  memcpy(out, solution->weights, l->numbers * sizeof *out);
  return SFM_OK;
}

static sfm_status solve_one(double *out, const sfmi_learning *l, const sfmi_training *t,
                            const sfmi_examples *e, size_t machine, const double *shift,
                            sfm_error *error) {
  telling told = {l->settings, machine, t->machines};
  sfmi_problem problem = {.examples = e,
                          .loss = t->loss,
                          .lambda = t->lambda,
                          .target = t->target,
                          .threads = l->settings->threads,
                          .progress = l->settings->solving ? tell : NULL,
                          .progress_context = &told};
  sfmi_solution solution = {0};
  double *labels = NULL, *offsets = NULL;
  sfm_status status = SFM_OK;
  if (t->machines > 1) {
    problem.labels = labels = sfmi_alloc(e->rows, sizeof *labels);
    if (labels) label_one(labels, e, machine);
  }
  if (shift) problem.offsets = offsets = sfmi_alloc(e->rows, sizeof *offsets);
  if ((t->machines > 1 && !labels) || (shift && !offsets)) status = sfmi_fail_memory(error);
  if (status == SFM_OK && shift)
    status = sfmi_solver_values(offsets, e, shift, problem.threads, error);
  if (status == SFM_OK) status = sfmi_solve(&solution, &problem, error);
  if (status == SFM_OK) status = take_numbers(out, l, e, &solution, error);
  sfmi_solution_clear(&solution);
  if (labels) explicit_bzero(labels, e->rows * sizeof *labels);
  if (offsets) explicit_bzero(offsets, e->rows * sizeof *offsets);
  free(labels);
  free(offsets);
  return status;
}

/* By a matrix in place of coordinates: values at the public points. */
static sfm_status solve_gram(double *out, const sfmi_learning *l, const sfmi_training *t,
                             const sfmi_examples *examples, sfm_error *error) {
  const sfm_gram *gram = l->settings->gram;
  const size_t n = gram->rows;
  sfmi_gramian *gramian = NULL;
  double *c = sfmi_alloc(n, sizeof *c), *labels = sfmi_alloc(n, sizeof *labels);
  sfm_status status = c && labels ? SFM_OK : sfmi_fail_memory(error);
  if (status == SFM_OK)
    status = sfmi_gramian_create(&gramian, examples->keep, gram->train, n, gram->kappa, error);
  for (size_t m = 0; m < t->machines && status == SFM_OK; m++) {
    telling told = {l->settings, m, t->machines};
    const sfmi_problem problem = {.examples = examples,
                                  .labels = t->machines > 1 ? labels : NULL,
                                  .loss = t->loss,
                                  .lambda = t->lambda,
                                  .target = t->target,
                                  .progress = l->settings->solving ? tell : NULL,
                                  .progress_context = &told};
    if (t->machines > 1) label_one(labels, examples, m);
    status = sfmi_gramian_solve(c, gramian, &problem, t->kappa, error);
    if (status == SFM_OK)
      sfmi_gramian_values(out + m * l->numbers, c, gram->cross, n, gram->points, l->numbers,
                          gram->kappa);
  }
  sfmi_gramian_destroy(gramian);
  if (c) explicit_bzero(c, n * sizeof *c);
  if (labels) explicit_bzero(labels, n * sizeof *labels);
  free(c);
  free(labels);
  return status;
}

sfm_status sfmi_learning_solve(double *out, const sfmi_learning *l, const sfmi_training *t,
                               const sfmi_examples *examples, size_t first, size_t count,
                               const double *shifts, sfm_error *error) {
  const sfmi_examples view = view_of(examples, first, count);
  if (l->settings->gram) return solve_gram(out, l, t, &view, error);
  sfm_status status = SFM_OK;
  for (size_t m = 0; m < t->machines && status == SFM_OK; m++)
    status = solve_one(out + m * l->numbers, l, t, &view, m,
                       shifts ? shifts + m * t->features : NULL, error);
  return status;
}

sfm_status sfmi_learning_values(double *values, const sfmi_learning *l,
                                const sfmi_examples *examples, size_t first, size_t count,
                                const double *weights, sfm_error *error) {
  const sfmi_examples view = view_of(examples, first, count);
  sfm_status status = SFM_OK;
  for (size_t m = 0; m < l->training.machines && status == SFM_OK; m++)
    status = sfmi_solver_values(values + m * count, &view, weights + m * l->numbers,
                                l->settings->threads, error);
  return status;
}

sfm_status sfmi_learning_gram(double **matrix, const sfmi_lift *lift, double nugget,
                              sfm_error *error) {
  const size_t count = lift->point_count;
  double *m = *matrix = sfmi_alloc(count * count, sizeof *m);
  if (!m) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j <= i; j++)
      m[i * count + j] = m[j * count + i] = sfmi_lift_between(lift, i, j);
    m[i * count + i] += nugget;
  }
  return SFM_OK;
}

double sfmi_learning_nugget(const sfmi_learning *l) {
  return SFMI_NUGGET * l->training.kappa * l->training.kappa;
}

/* Coefficients add up to mean |a_i|/lambda.  A dual is a slope, at most L within reach and 2 kappa
 * r more at a distance of r, but for what its slack allows: mean (a_i + l'(t_i))^2 <= 4 gap. */
double sfmi_learning_rounding(const sfmi_learning *l) {
  const sfmi_training *t = &l->training;
  const double more = 2 * t->distance * (t->kappa + sqrt(t->lambda));
  return sfmi_dual_off(l->lift, t->rows, (t->lipschitz + more) / t->lambda);
}
