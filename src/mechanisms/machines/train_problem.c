#include "train_problem.h"

#include <math.h>
#include <string.h>

#include "base/system/arena.h"
#include "base/system/progress.h"
#include "estimators/ascent/kernel_ascent.h"
#include "fields/gaussian_field.h"
#include "planner/design/design_tddl_gram.h"
#include "planner/design/design_train_check.h"
#include "planner/design/design_train_map.h"

static sfmi_examples_form form_of(sfmi_feature_map_form form) {
  switch (form) {
  case SFMI_FEATURE_MAP_LINEAR:
    return SFMI_EXAMPLES_SPARSE;
  case SFMI_FEATURE_MAP_MONOMIALS:
    return SFMI_EXAMPLES_MONOMIALS;
  case SFMI_FEATURE_MAP_POINTS:
    return SFMI_EXAMPLES_KERNEL;
  default:
    return SFMI_EXAMPLES_DENSE;
  }
}

/* What is read of a record. */
static sfmi_examples_source assembly_of(const sfmi_train_problem *l) {
  const sfm_train_settings *s = l->settings;
  sfmi_examples_source assembly = {.schema = s->context.schema,
                                   .encoding = s->gram ? &l->bare : &l->encoding,
                                   .label = s->label,
                                   .lower = s->label_lower,
                                   .upper = s->label_upper};
  assembly.labels = sfmi_design_train_labels(s, &assembly.class_count);
  return assembly;
}

size_t sfmi_train_problem_width(const sfmi_train_problem *l) {
  return sfmi_feature_map_nonzeros(l->map,
                                   sfmi_encoding_width(&l->encoding, l->encoding.dimension));
}

sfm_status sfmi_train_problem_begin(sfmi_train_problem *l, sfm_rows *rows,
                                    const sfm_train_settings *s, sfmi_seed source,
                                    sfm_error *error) {
  uint64_t count = 0, seed = 0;
  *l = (sfmi_train_problem){.settings = s};
  sfm_status status = sfmi_design_train_check(s, error);
  if (!status && s->gram) status = sfmi_tddl_gram_begin(&l->encoding, &l->bare, s, error);
  if (!status && !s->features && !s->gram && sfmi_rows_dimension(rows) == 0)
    status = sfmi_fail(error, SFM_INVALID,
                       "the rows have columns: name those to learn from and to predict, for "
                       "example settings.features = a,b and settings.label = y");
  if (!status && !s->gram)
    status = sfmi_design_train_encoding(&l->encoding, s, sfmi_rows_dimension(rows), error);
  if (status) return status;
  l->assembly = assembly_of(l);
  status = sfmi_examples_begin(rows, &l->assembly, error);
  if (!status) status = sfm_rows_count(rows, &count, error);
  if (!status && s->gram) status = sfmi_tddl_gram_check_rows(s->gram, count, error);
  if (!status && sfmi_design_train_form(s) == SFMI_FEATURE_MAP_RANDOM)
    status = sfmi_seed_random_features(&seed, source, error);
  if (!status) status = sfmi_design_train_map(&l->map, &l->encoding, s, seed, error);
  if (status) return status;
  l->form = form_of(l->map->form);
  status =
      sfmi_design_train_init(&l->training, s, l->map, count, sfmi_train_problem_width(l), error);
  l->numbers = l->map->count;
  if (!status) sfmi_design_train_remarks(s);
  return !status ? sfmi_examples_fit_memory(l->map, l->form, count, error) : status;
}

void sfmi_train_problem_clear(sfmi_train_problem *l) {
  sfmi_encoding_clear(&l->encoding);
  sfmi_encoding_clear(&l->bare);
  sfmi_feature_map_destroy(l->map);
  *l = (sfmi_train_problem){0};
}

sfm_status sfmi_train_problem_read(sfmi_examples **out, const sfmi_train_problem *l, sfm_rows *rows,
                                   sfm_error *error) {
  const sfm_train_settings *s = l->settings;
  sfm_status status = sfmi_examples_begin(rows, &l->assembly, error);
  return !status ? sfmi_examples_read(out, rows, &l->assembly, l->map, l->form, l->training.rows,
                                      &s->context, error)
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
typedef struct solve_progress {
  const sfm_context *context;
  size_t machine, machines;
  sfm_status status; /* SFM_STOPPED: there is no solution */
  sfm_error *error;
} solve_progress;

static bool tell(void *context, double gap, double target) {
  solve_progress *t = context;
  t->status = sfmi_progress(t->context,
                            (sfm_progress){.stage = SFM_STAGE_SOLVING,
                                           .done = t->machine,
                                           .total = t->machines,
                                           .gap = gap,
                                           .target = target},
                            t->error);
  return !t->status;
}

/* One class against the rest. */
static void label_one(double *labels, const sfmi_examples *e, size_t class) {
  for (size_t i = 0; i < e->rows; i++)
    labels[i] = !e->keep[i] ? 0 : e->classes[i] == class ? 1 : -1;
}

static sfm_status at_places(double *values, const sfmi_train_problem *l, const sfmi_examples *e,
                            const double *coefficients, sfm_error *error) {
  const sfmi_feature_map *map = l->map;
  const sfmi_csr points = {map->point_starts, map->point_indices, map->point_values};
  return sfmi_kernel_ascent_values(values, e, coefficients, points, map->point_count,
                                   l->settings->context.threads, error);
}

static sfm_status take_numbers(double *out, const sfmi_train_problem *l, const sfmi_examples *e,
                               const sfmi_solution *solution, sfm_error *error) {
  if (l->form == SFMI_EXAMPLES_KERNEL) return at_places(out, l, e, solution->weights, error);
  memcpy(out, solution->weights, l->numbers * sizeof *out);
  return SFM_OK;
}

static sfm_status solve_one(double *out, const sfmi_train_problem *l, const sfmi_design_train *t,
                            const sfmi_examples *e, size_t machine, const double *shift,
                            sfm_error *error) {
  solve_progress told = {&l->settings->context, machine, t->machines, SFM_OK, error};
  sfmi_problem problem = {.examples = e,
                          .loss = t->loss,
                          .lambda = t->lambda,
                          .target = t->target,
                          .threads = l->settings->context.threads,
                          .progress = tell,
                          .progress_context = &told};
  sfmi_solution solution = {0};
  sfmi_arena arena = {0};
  double *labels = t->machines > 1 ? sfmi_arena_doubles(&arena, e->rows) : NULL,
         *offsets = shift ? sfmi_arena_doubles(&arena, e->rows) : NULL;
  sfm_status status = arena.failed ? sfmi_fail_memory(error) : SFM_OK;
  problem.labels = labels;
  problem.offsets = offsets;
  if (!status && labels) label_one(labels, e, machine);
  if (!status && shift) status = sfmi_solver_values(offsets, e, shift, problem.threads, error);
  if (!status) status = sfmi_solve(&solution, &problem, error);
  if (!status) status = told.status;
  if (!status) status = take_numbers(out, l, e, &solution, error);
  sfmi_solution_clear(&solution);
  sfmi_arena_wipe(&arena);
  return status;
}

/* By a matrix in place of coordinates: values at the public points. */
static sfm_status solve_gram(double *out, const sfmi_train_problem *l, const sfmi_design_train *t,
                             const sfmi_examples *examples, sfm_error *error) {
  const sfm_gram *gram = l->settings->gram;
  const size_t n = gram->rows;
  sfmi_gram_machine *gramian = NULL;
  sfmi_arena arena = {0};
  double *c = sfmi_arena_doubles(&arena, n), *labels = sfmi_arena_doubles(&arena, n);
  sfm_status status = arena.failed ? sfmi_fail_memory(error)
                                   : sfmi_gram_machine_create(&gramian, examples->keep, gram->train,
                                                              n, gram->kappa, error);
  for (size_t m = 0; m < t->machines && !status; m++) {
    solve_progress told = {&l->settings->context, m, t->machines, SFM_OK, error};
    const sfmi_problem problem = {.examples = examples,
                                  .labels = t->machines > 1 ? labels : NULL,
                                  .loss = t->loss,
                                  .lambda = t->lambda,
                                  .target = t->target,
                                  .progress = tell,
                                  .progress_context = &told};
    if (t->machines > 1) label_one(labels, examples, m);
    status = sfmi_gram_machine_solve(c, gramian, &problem, t->kappa, error);
    if (!status) status = told.status;
    if (!status)
      sfmi_gram_machine_values(out + m * l->numbers, c, gram->cross, n, gram->points, l->numbers,
                               gram->kappa);
  }
  sfmi_gram_machine_destroy(gramian);
  sfmi_arena_wipe(&arena);
  return status;
}

sfm_status sfmi_train_problem_solve(double *out, const sfmi_train_problem *l,
                                    const sfmi_design_train *t, const sfmi_examples *examples,
                                    size_t first, size_t count, const double *shifts,
                                    sfm_error *error) {
  const sfmi_examples view = view_of(examples, first, count);
  if (l->settings->gram) return solve_gram(out, l, t, &view, error);
  sfm_status status = SFM_OK;
  for (size_t m = 0; m < t->machines && !status; m++)
    status = solve_one(out + m * l->numbers, l, t, &view, m,
                       shifts ? shifts + m * t->features : NULL, error);
  return status;
}

sfm_status sfmi_train_problem_values(double *values, const sfmi_train_problem *l,
                                     const sfmi_examples *examples, size_t first, size_t count,
                                     const double *weights, sfm_error *error) {
  const sfmi_examples view = view_of(examples, first, count);
  sfm_status status = SFM_OK;
  for (size_t m = 0; m < l->training.machines && !status; m++)
    status = sfmi_solver_values(values + m * count, &view, weights + m * l->numbers,
                                l->settings->context.threads, error);
  return status;
}

double sfmi_train_problem_nugget(const sfmi_train_problem *l) {
  return SFMI_NUGGET * l->training.kappa * l->training.kappa;
}

/* Coefficients add up to mean |a_i|/lambda.  A dual is a slope, at most L within reach and 2 kappa
 * r more at a distance of r, but for what its slack allows: mean (a_i + l'(t_i))^2 <= 4 gap. */
double sfmi_train_problem_rounding(const sfmi_train_problem *l) {
  const sfmi_design_train *t = &l->training;
  const double more = 2 * t->distance * (t->kappa + sqrt(t->lambda));
  return sfmi_kernel_ascent_error(l->map, t->rows, (t->lipschitz + more) / t->lambda);
}
