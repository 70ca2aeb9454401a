#include "mechanisms/learning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fields/field.h"
#include "mechanisms/chorus.h"

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
                            .encoding = &l->encoding,
                            .label = s->label,
                            .lower = s->label_lower,
                            .upper = s->label_upper};
  assembly.labels = sfmi_training_labels(s, &assembly.class_count);
  return assembly;
}

size_t sfmi_learning_width(const sfmi_learning *l) {
  if (l->form == SFMI_EXAMPLES_KERNEL) return l->training.rows;
  return sfmi_lift_among(l->lift, sfmi_encoding_width(&l->encoding, l->encoding.dimension));
}

sfm_status sfmi_learning_begin(sfmi_learning *l, sfm_rows *rows, const sfm_train_settings *s,
                               sfmi_seed source, sfm_error *error) {
  uint64_t count = 0, seed = 0;
  *l = (sfmi_learning){.settings = s};
  sfm_status status = sfmi_training_check(s, error);
  if (status == SFM_OK && !s->features && sfmi_rows_dimension(rows) == 0)
    status = sfmi_fail(error, SFM_INVALID,
                       "the rows have columns: name those to learn from and to predict, for "
                       "example --features a,b --label y");
  if (status == SFM_OK)
    status = sfmi_training_encoding(&l->encoding, s, sfmi_rows_dimension(rows), error);
  if (status != SFM_OK) return status;
  l->assembly = assembly_of(l);
  status = sfmi_assembly_begin(rows, &l->assembly, error);
  if (status == SFM_OK) status = sfm_rows_count(rows, &count, error);
  if (status == SFM_OK && sfmi_training_form(s) == SFMI_LIFT_WAVES)
    status = sfmi_chorus_seed(&seed, source, error);
  if (status == SFM_OK) status = sfmi_training_lift(&l->lift, &l->encoding, s, seed, error);
  if (status != SFM_OK) return status;
  l->form = form_of(l->lift->form);
  l->training.rows = count;
  status = sfmi_training_init(&l->training, s, l->lift, count, sfmi_learning_width(l), error);
  l->numbers = l->lift->count;
  return status;
}

void sfmi_learning_clear(sfmi_learning *l) {
  sfmi_encoding_clear(&l->encoding);
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

/* What a solution is at the places: long double sums, whose error is below that of the kernel. */
static void at_places(double *values, const sfmi_learning *l, const sfmi_examples *e,
                      const double *coefficients, const uint32_t *axes) {
  const size_t d = l->lift->dimension;
  for (size_t p = 0; p < l->lift->point_count; p++) {
    const double *z = l->lift->points + p * d;
    long double sum = 0;
    for (size_t i = 0; i < e->rows; i++) {
      const size_t from = e->starts[i], nonzeros = e->starts[i + 1] - from;
      if (e->keep[i] && coefficients[i] != 0)
        sum += (long double)coefficients[i] *
               sfmi_lift_kernel(l->lift, axes, z, d, e->indices + from, e->values + from, nonzeros);
    }
    values[p] = (double)sum;
  }
}

static uint32_t *make_axes(size_t dimension) {
  uint32_t *axes = sfmi_alloc(dimension, sizeof *axes);
  for (size_t i = 0; axes && i < dimension; i++) axes[i] = (uint32_t)i;
  return axes;
}

static sfm_status take_numbers(double *out, const sfmi_learning *l, const sfmi_examples *e,
                               const sfmi_solution *solution, sfm_error *error) {
  if (l->form != SFMI_EXAMPLES_KERNEL) {
    memcpy(out, solution->weights, l->numbers * sizeof *out);
    return SFM_OK;
  }
  uint32_t *axes = make_axes(l->lift->dimension);
  if (!axes) return sfmi_fail_memory(error);
  at_places(out, l, e, solution->weights, axes);
  free(axes);
  return SFM_OK;
}

/* The values of a shift at all rows; NULL when memory is short. */
static double *make_offsets(const sfmi_examples *e, const double *shift, size_t threads) {
  sfm_error error;
  double *offsets = sfmi_alloc(e->rows, sizeof *offsets);
  if (offsets && sfmi_solver_values(offsets, e, shift, threads, &error) != SFM_OK) {
    free(offsets);
    offsets = NULL;
  }
  return offsets;
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
  if (shift) problem.offsets = offsets = make_offsets(e, shift, problem.threads);
  if ((t->machines > 1 && !labels) || (shift && !offsets)) status = sfmi_fail_memory(error);
  if (status == SFM_OK) status = sfmi_solve(&solution, &problem, error);
  if (status == SFM_OK) status = take_numbers(out, l, e, &solution, error);
  sfmi_solution_clear(&solution);
  if (labels) explicit_bzero(labels, e->rows * sizeof *labels);
  if (offsets) explicit_bzero(offsets, e->rows * sizeof *offsets);
  free(labels);
  free(offsets);
  return status;
}

sfm_status sfmi_learning_solve(double *out, const sfmi_learning *l, const sfmi_training *t,
                               const sfmi_examples *examples, size_t first, size_t count,
                               const double *shifts, sfm_error *error) {
  const sfmi_examples view = view_of(examples, first, count);
  sfm_status status = SFM_OK;
  for (size_t m = 0; m < t->machines && status == SFM_OK; m++)
    status = solve_one(out + m * l->numbers, l, t, &view, m,
                       shifts ? shifts + m * t->features : NULL, error);
  return status;
}

sfm_status sfmi_learning_gram(double **matrix, const sfmi_lift *lift, double nugget,
                              sfm_error *error) {
  const size_t d = lift->dimension, count = lift->point_count;
  uint32_t *axes = make_axes(d);
  double *m = *matrix = sfmi_alloc(count * count, sizeof *m);
  for (size_t i = 0; axes && m && i < count; i++) {
    for (size_t j = 0; j <= i; j++)
      m[i * count + j] = m[j * count + i] =
          sfmi_lift_kernel(lift, axes, lift->points + i * d, d, axes, lift->points + j * d, d);
    m[i * count + i] += nugget;
  }
  const bool made = axes && m;
  free(axes);
  return made ? SFM_OK : sfmi_fail_memory(error);
}

double sfmi_learning_nugget(const sfmi_learning *l) {
  return SFMI_NUGGET * l->training.kappa * l->training.kappa;
}

/* Coefficients add up to at most L/lambda (twice that, for a solution that is not exact); a kernel
 * is off by less than an ulp or two an operation, of which there are a few a coordinate. */
double sfmi_learning_rounding(const sfmi_learning *l) {
  const sfmi_training *t = &l->training;
  const double operations = (double)(l->lift->dimension + 64) * (l->lift->degree + 1);
  return operations * 0x1p-51 * t->kappa * t->kappa * 2 * t->lipschitz / t->lambda;
}
