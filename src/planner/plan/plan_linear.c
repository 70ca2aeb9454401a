/* plan_linear.c - what every method for a linear map of a table would do. */
#include "plan_linear.h"

#include <math.h>
#include <stdlib.h>

#include "base/system/c_locale.h"
#include "base/math/prng.h"
#include "planner/design/design_vector.h"
#include "planner/design/design_linear.h"
#include "plan.h"
#include "releases/band/noise_sum.h"

/* Steps of the walk that measures a body: per axis; and in all, where chords are
 * linear programs. */
enum { FAST_STEPS = 3000, SLOW_STEPS = 400 };
static const uint64_t BODY_SEED = 0x11ea;

static void predict_table(sfm_linear_entry *entry, const sfmi_design_table *table_design,
                          const sfmi_linear_request *s) {
  double squares = 0;
  for (size_t i = 0; i < s->queries * s->cells; i++) squares += s->matrix[i] * s->matrix[i];
  *entry = (sfm_linear_entry){.method = SFM_LINEAR_TABLE,
                              .delta = s->table.delta,
                              .possible = true,
                              .hardened = true,
                              .sensitivity = table_design->sensitivity};
  entry->squared =
      squares * sfmi_integer_noise_variance(table_design->sensitivity / table_design->rate,
                                            table_design->method == SFMI_TABLE_NORMAL);
}

/* A method that the settings rule out becomes an entry that says why: others may be possible. */
static sfm_status explain_absence(sfm_linear_entry *entry, sfm_status status, const sfm_error *why,
                                  sfm_error *error) {
  if (!status) return SFM_OK;
  if (status != SFM_INVALID) return sfmi_fail(error, status, "%s", why->message);
  sfmi_snprintf(entry->why, sizeof entry->why, "%.255s", why->message);
  sfmi_plan_reason(entry->why);
  return SFM_OK;
}

static sfm_status predict_answers(sfm_linear_entry *entry, const sfmi_design_table *table_design,
                                  const sfmi_linear_request *s, sfm_error *error) {
  const bool normal = table_design->method == SFMI_TABLE_NORMAL;
  const double k = sfm_schema_contributions(s->table.context.schema);
  sfmi_workload w;
  sfm_error why;
  *entry = (sfm_linear_entry){.method = normal ? SFM_LINEAR_NORMAL : SFM_LINEAR_LAPLACE,
                              .delta = s->table.delta,
                              .hardened = true};
  const sfm_status status = sfmi_workload_init(&w, s, table_design->rate, &why);
  if (!status) {
    const double moved = k * (normal ? w.l2 : w.l1);
    entry->possible = true;
    entry->sensitivity = moved * w.step;
    entry->squared = (double)s->queries * w.step * w.step *
                     sfmi_integer_noise_variance(moved / table_design->rate, normal);
  }
  sfmi_workload_clear(&w);
  return explain_absence(entry, status, &why, error);
}

/* seconds[i] = E U_i^2 for U uniform in the body. */
static sfm_status measure_body(double *seconds, sfmi_hit_and_run *shape, size_t length,
                               sfm_error *error) {
  const bool slow = sfmi_hit_and_run_is_slow(shape);
  const size_t begin = slow ? SLOW_STEPS / 4 : sfmi_hit_and_run_steps(length),
               steps = slow ? SLOW_STEPS : FAST_STEPS * length;
  sfmi_prng prng;
  sfmi_prng_init(&prng, BODY_SEED);
  const sfmi_hit_and_run_source source = sfmi_hit_and_run_public(&prng);
  sfm_status status = sfmi_hit_and_run_walk(shape, &source, begin, error);
  for (size_t i = 0; i < length; i++) seconds[i] = 0;
  for (size_t k = 0; k < steps && !status; k++) {
    status = sfmi_hit_and_run_walk(shape, &source, 1, error);
    const double *at = sfmi_hit_and_run_at(shape);
    for (size_t i = 0; i < length; i++) seconds[i] += at[i] * at[i] / (double)steps;
  }
  return status;
}

/* k-norm noise is r U, E r^2 = (D + 1)(D + 2) b^2.  squares: of each answer. */
static sfm_status spread_body(double *squares, double *sensitivity, const sfmi_linear_request *s,
                              sfm_error *error) {
  const double D = (double)s->queries;
  sfm_vector_settings vector;
  sfmi_hit_and_run *shape = NULL;
  sfmi_design_vector vector_design = {0};
  double *vertices = NULL;
  sfm_status status = sfmi_design_linear_body(&vector, &vertices, s, error);
  if (!status) status = sfmi_design_vector_init(&vector_design, &vector, s->queries, error);
  if (!status) status = sfmi_design_vector_body(&shape, &vector, s->queries, error);
  if (!status) status = measure_body(squares, shape, s->queries, error);
  for (size_t i = 0; !status && i < s->queries; i++)
    squares[i] *= (D + 1) * (D + 2) * vector_design.scale * vector_design.scale;
  *sensitivity = vector_design.sensitivity;
  sfmi_hit_and_run_destroy(shape);
  free(vertices);
  return status;
}

static sfm_status predict_body(sfm_linear_entry *entry, const sfmi_linear_request *s,
                               sfm_error *error) {
  double *squares = sfmi_alloc(s->queries, sizeof *squares);
  sfm_error why;
  *entry = (sfm_linear_entry){.method = SFM_LINEAR_KNORM};
  sfm_status status =
      squares ? spread_body(squares, &entry->sensitivity, s, &why) : sfmi_fail_memory(&why);
  entry->possible = !status;
  for (size_t i = 0; !status && i < s->queries; i++) entry->squared += squares[i];
  free(squares);
  return explain_absence(entry, status, &why, error);
}

sfm_status sfm_linear_errors(double *errors, const sfm_linear_settings *given,
                             const sfm_linear_choice *plan, sfm_error *error) {
  sfmi_linear_request settings;
  sfm_status status = sfmi_linear_request_init(&settings, given, error);
  if (status) return status;
  const sfm_linear_entry *chosen = &plan->entries[plan->chosen];
  const double even = sqrt(chosen->squared / (double)settings.queries);
  double ignored;
  if (chosen->method == SFM_LINEAR_TABLE)
    return sfmi_fail(error, SFM_INVALID, "answers from a table have errors by sfm_table_answer");
  if (chosen->method == SFM_LINEAR_KNORM) {
    status = spread_body(errors, &ignored, &settings, error);
    if (status) return status;
  }
  for (size_t i = 0; i < settings.queries; i++)
    errors[i] = chosen->method == SFM_LINEAR_KNORM ? sqrt(errors[i]) : even;
  return SFM_OK;
}

/* The method that is asked for, or the hardened one of least error. */
static sfm_status choose(sfm_linear_choice *plan, sfm_linear_method method, sfm_error *error) {
  size_t best = plan->count;
  for (size_t i = 0; i < plan->count; i++) {
    const sfm_linear_entry *e = &plan->entries[i];
    const bool fits = method == SFM_LINEAR_AUTO ? e->hardened && e->possible : e->method == method;
    if (fits && (best == plan->count || e->squared < plan->entries[best].squared)) best = i;
  }
  if (best == plan->count)
    return sfmi_fail(error, SFM_INVALID,
                     "normal noise needs a delta; write for example settings.delta = 1e-6");
  if (!plan->entries[best].possible)
    return sfmi_fail(error, SFM_INVALID, "%s: %s",
                     sfm_linear_method_name(plan->entries[best].method), plan->entries[best].why);
  plan->chosen = best;
  return SFM_OK;
}

/* Entries of one guarantee; all: idealised noise too. */
static sfm_status add_entries(sfm_linear_choice *plan, const sfmi_linear_request *s, bool all,
                              sfm_error *error) {
  sfmi_design_table table_design;
  sfm_status status = sfmi_design_linear_check(&table_design, s, error);
  if (!status) {
    predict_table(&plan->entries[plan->count++], &table_design, s);
    status = predict_answers(&plan->entries[plan->count++], &table_design, s, error);
  }
  if (!status && all && table_design.method == SFMI_TABLE_LAPLACE)
    status = predict_body(&plan->entries[plan->count++], s, error);
  sfmi_design_table_clear(&table_design);
  return status;
}

static sfm_status fill(sfm_linear_choice *plan, const sfmi_linear_request *s, bool all,
                       sfm_error *error) {
  const sfmi_linear_request pure = sfmi_design_linear_pure(s);
  *plan = (sfm_linear_choice){0};
  sfm_status status = s->table.delta > 0 ? add_entries(plan, s, all, error) : SFM_OK;
  return !status ? add_entries(plan, s->table.delta > 0 ? &pure : s, all, error) : status;
}

sfm_status sfm_linear_choose(sfm_linear_choice *plan, const sfm_linear_settings *given,
                             sfm_error *error) {
  sfmi_linear_request s;
  sfm_status status = sfmi_linear_request_init(&s, given, error);
  if (!status) status = fill(plan, &s, true, error);
  return !status ? choose(plan, s.method, error) : status;
}

sfm_status sfmi_plan_linear_choose(sfmi_linear_request *chosen, const sfmi_linear_request *s,
                                   sfm_error *error) {
  sfm_linear_choice plan;
  *chosen = *s;
  sfm_status status = fill(&plan, s, false, error);
  if (status) return status;
  if (s->method == SFM_LINEAR_KNORM) {
    *chosen = sfmi_design_linear_pure(s);
    return SFM_OK;
  }
  status = choose(&plan, s->method, error);
  if (status) return status;
  if (plan.entries[plan.chosen].delta == 0) *chosen = sfmi_design_linear_pure(s);
  chosen->method = plan.entries[plan.chosen].method;
  return SFM_OK;
}
