#include "session_comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mechanisms/sessions/interact_creation.h"
#include "releases/core/release_kind.h"
#include "privacy/calibration.h"
#include "releases/core/release_data.h"
#include "releases/core/release_write.h"

enum { BATCH = 1 << 16, LOOKED = 2000, OPEN = 500, RUNS = 5 };

struct session_comparison {
  simulated_problem of;
  const sfm_schema *schema;
  sparse_labelled_rows rows, asked, looked, open;
  repeated_release *machine;
  double *truth, *values; /* at all questions; at those looked at */
};

static sfmi_machine_points points_of(const sparse_labelled_rows *rows, size_t first, size_t count) {
  return (sfmi_machine_points){.starts = rows->starts + first,
                               .indices = rows->indices,
                               .numbers = rows->values,
                               .count = count};
}

session_comparison *session_comparison_create(simulated_rows_kind kind, size_t rows, size_t most,
                                              const sfm_schema *schema) {
  session_comparison *c = bench_memory(calloc(1, sizeof *c));
  sfm_error error;
  c->of = simulated_rows_problem(kind);
  c->of.settings.context.schema = schema;
  c->of.settings.epsilon = 1;
  c->rows = simulated_rows_draw(kind, rows, 1);
  c->asked = simulated_rows_draw(kind, most, 2);
  c->open = simulated_rows_draw(kind, OPEN, 3);
  c->looked = sparse_labelled_rows_slice(&c->asked, 0, LOOKED < most ? LOOKED : most);
  c->machine = repeated_release_create(&c->of.settings, c->of.dimension, &c->rows, &c->looked, 1);
  repeated_release_solve(c->machine);
  c->truth = bench_memory(malloc(most * sizeof *c->truth));
  c->values = bench_memory(malloc(LOOKED * sizeof *c->values));
  const sfmi_train_problem *l = &c->machine->making.train_problem;
  const sfmi_machine_points points = points_of(&c->asked, 0, most);
  bench_check(sfmi_machine_model_products(&l->encoding, l->map, c->truth, &points,
                                          c->machine->weights, 1, &error),
              &error);
  return c;
}

void session_comparison_destroy(session_comparison *c) {
  repeated_release_destroy(c->machine);
  sparse_labelled_rows_clear(&c->rows);
  sparse_labelled_rows_clear(&c->asked);
  sparse_labelled_rows_clear(&c->open);
  free(c->truth);
  free(c->values);
  free(c);
}

double session_comparison_error_of_zero(const session_comparison *c, size_t questions) {
  double sum = 0;
  for (size_t i = 0; i < questions; i++) sum += fabs(c->truth[i]);
  return sum / (double)questions;
}

/* ---- a session ---- */

static sfm_interact_settings wishes_of(sfm_train_settings *train, const session_comparison *c,
                                       size_t questions, uint64_t epochs, double epsilon,
                                       double delta) {
  sfm_interact_settings s = sfm_interact_settings_default();
  *train = c->of.settings;
  train->epsilon = epsilon;
  train->delta = delta;
  s.train = train;
  s.questions = questions;
  s.epochs = epochs;
  return s;
}

/* What is public of a session, as a file has it: of two rows, since it says nothing of them that is
 * used here. */
static char *facts_of(const session_comparison *c, const sfm_interact_settings *settings) {
  char path[] = "/tmp/sfumato-bench-XXXXXX", *facts;
  const int file = mkstemp(path);
  const char text[] = "1 1:0.5\n-1 1:-0.5\n";
  sfm_interact_settings s = *settings;
  sfmi_interact_creation creation;
  sfm_rows *rows;
  sfm_error error;
  size_t length;
  if (file < 0 || write(file, text, sizeof text - 1) < 0) abort();
  close(file);
  s.epochs = 1;
  bench_check(sfm_rows_open_sparse(&rows, path, c->of.dimension, SFM_COMPRESSION_BY_NAME, &error),
              &error);
  bench_check(sfmi_interact_creation_init(&creation, rows, &s, &error), &error);
  sfmi_release_run *run = &creation.train_run.base;
  bench_check(sfmi_interact_creation_steps.prepare(run, &error), &error);
  bench_check(sfmi_interact_creation_steps.finish(run, &error), &error);
  if (!sfmi_release_write_sentence(run->release)) abort();
  bench_check(sfmi_release_print(run->release, &facts, &length, &error), &error);
  sfmi_interact_creation_clear(&creation);
  sfm_rows_destroy(rows);
  unlink(path);
  return facts;
}

static sfmi_private_model *private_model_of(const session_comparison *c,
                                            const sfm_interact_settings *settings) {
  const sfmi_train_problem *l = &c->machine->making.train_problem;
  sfmi_private_model_state state = {.map = l->map,
                                    .weights = c->machine->weights,
                                    .update = settings->update,
                                    .confidence = settings->train->context.confidence};
  sfmi_private_model *private_model;
  uint8_t *bytes;
  size_t length;
  sfm_error error;
  bench_check(sfmi_design_interact_init(&state.found, settings, &l->training, l->map,
                                        sfmi_train_problem_width(l), SFM_ACCOUNTING_BASIC, &error),
              &error);
  bench_check(sfmi_private_model_save(&bytes, &length, &state, &error), &error);
  char *facts = facts_of(c, settings);
  bench_check(sfmi_private_model_load(&private_model, facts, bytes, length, "bench", &error),
              &error);
  free(bytes);
  free(facts);
  return private_model;
}

session_comparison_result session_comparison_interact(const session_comparison *c, size_t questions,
                                                      uint64_t epochs, double epsilon,
                                                      double delta) {
  sfm_train_settings train;
  const sfm_interact_settings settings = wishes_of(&train, c, questions, epochs, epsilon, delta);
  sfmi_private_model *private_model = private_model_of(c, &settings);
  sfm_interact_answer *answers = bench_memory(malloc(BATCH * sizeof *answers));
  double sum = 0, inside = 0, stated = 0;
  sfm_error error;
  for (size_t done = 0; done < questions; done += BATCH) {
    const size_t left = questions - done;
    const sfmi_machine_points some = points_of(&c->asked, done, left < BATCH ? left : BATCH);
    bench_check(sfmi_private_model_answer(private_model, answers, &some, done / BATCH + 1, &error),
                &error);
    for (size_t i = 0; i < some.count; i++) {
      const double off = fabs(answers[i].value - c->truth[done + i]);
      sum += off;
      stated += isfinite(answers[i].error);
      inside += isfinite(answers[i].error) && off <= answers[i].error;
    }
  }
  const sfm_interact_plan *plan = sfmi_private_model_plan(private_model);
  const session_comparison_result session = {.error = sum / (double)questions,
                                             .bar = plan->error_public,
                                             .inside = inside / stated,
                                             .epochs = epochs,
                                             .used =
                                                 sfmi_private_model_about(private_model).released};
  sfmi_private_model_destroy(private_model);
  free(answers);
  return session;
}

/* ---- other ways ---- */

/* E|normal| = sqrt(2/pi) sigma, E|Laplace| = its scale. */
double session_comparison_fresh_noise(const session_comparison *c, size_t questions, double epsilon,
                                      double delta) {
  const sfmi_design_train *t = &c->machine->making.train_problem.training;
  const double s = t->kappa * t->used, T = (double)questions;
  double mu;
  sfm_error error;
  if (delta == 0) return s * T / epsilon;
  bench_check(sfmi_gdp_mu_for(&mu, epsilon, delta, SFM_CALIBRATION_EXACT, &error), &error);
  return sqrt(2 / M_PI) * s * sqrt(T) / mu;
}

static double released(session_comparison *c) {
  double sum = 0;
  repeated_release_begin(c->machine);
  for (int run = 0; run < RUNS; run++) {
    repeated_release_draw(c->machine, c->values);
    for (size_t i = 0; i < c->looked.count; i++) sum += fabs(c->values[i] - c->truth[i]);
  }
  repeated_release_end(c->machine);
  return sum / (double)(RUNS * c->looked.count);
}

double session_comparison_one_release(session_comparison *c, double epsilon, double delta) {
  sfm_train_settings *s = &c->machine->settings;
  *s = c->of.settings;
  s->epsilon = epsilon;
  s->delta = delta;
  s->noise_given = true;
  s->noise = delta > 0 ? SFM_VECTOR_NOISE_NORMAL : SFM_VECTOR_NOISE_GAMMA;
  return released(c);
}

double session_comparison_tddl(session_comparison *c, double epsilon, double delta) {
  sfm_train_settings *s = &c->machine->settings;
  if (c->of.settings.method == SFM_TRAIN_RFF) return NAN;
  *s = c->of.settings;
  s->method = SFM_TRAIN_TDDL;
  s->public_starts = c->open.starts;
  s->public_indices = c->open.indices;
  s->public_values = c->open.values;
  s->public_count = c->open.count;
  s->epsilon = epsilon;
  s->delta = delta;
  return released(c);
}
