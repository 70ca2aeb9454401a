/* test_threads.c - several threads release, evaluate, query, plan and charge at once, as
 * sfumato/status.h says they may: each gets what it would get alone, and the ledger has every
 * charge once.  `make test-long` runs it under the thread sanitizer. */
/* suite: both */
#include "test_support.h"

#include <pthread.h>
#include <unistd.h>

#include "ledger/child_process.h"
#include "sfumato/sfumato.h"

enum { THREADS = 4, ROUNDS = 3, ROWS = 3000, POINTS = 64, QUANTILES = 3 };

static char root[64], path[96];
static double rows_of_all[ROWS], points[POINTS];
static const double shares[QUANTILES] = {0.1, 0.5, 0.9};
static const char *const columns[] = {"x"};

/* What is shared: all of it is only read. */
static sfm_schema *schema;
static sfm_release *release;
static sfm_evaluator *evaluator;
static sfm_query *query;

/* What one thread finds; the first is found alone. */
typedef struct findings {
  double coefficients[8], values[POINTS], widths[POINTS], weights[3], error;
  sfm_estimate quantiles[QUANTILES];
  sfm_band band;
} findings;

static findings alone;

static sfm_context seeded(void) {
  sfm_context context = sfm_context_default();
  context.schema = schema;
  context.seeded = true;
  context.seed = 5;
  return context;
}

static sfm_density_settings density_settings(void) {
  static const double bandwidth[] = {0.05};
  sfm_density_settings s = sfm_density_settings_default();
  s.context = seeded();
  s.columns = columns;
  s.dimension = 1;
  s.bandwidth = bandwidth;
  s.epsilon = 1;
  return s;
}

/* In a thread a failure is returned, since cmocka's asserts belong to the main one. */
#define NEED(call)                                                                                 \
  do {                                                                                             \
    if (call) return error->message;                                                               \
  } while (0)

static const char *make_density(sfm_release **out, sfm_error *error) {
  const sfm_density_settings s = density_settings();
  sfm_rows *rows;
  NEED(sfm_rows_from_array(&rows, rows_of_all, ROWS, 1, columns, error));
  const sfm_status status = sfm_density_release(out, NULL, rows, &s, error);
  sfm_rows_destroy(rows);
  return status ? error->message : NULL;
}

static const char *find_density(findings *f, sfm_error *error) {
  sfm_release *made = NULL;
  const char *failed = make_density(&made, error);
  for (size_t i = 0; !failed && i < 8; i++) f->coefficients[i] = sfm_release_coefficient(made, i);
  sfm_release_destroy(made);
  return failed;
}

static const char *find_machine(findings *f, sfm_error *error) {
  static const char *const names[] = {"x", "y"};
  double cells[400];
  sfm_train_settings s = sfm_train_settings_default();
  sfm_rows *rows;
  sfm_release *made = NULL;
  for (int i = 0; i < 200; i++) {
    cells[2 * i] = rows_of_all[i];
    cells[2 * i + 1] = rows_of_all[i] > 0.4 ? 1 : -1;
  }
  s.context = seeded();
  s.features = names;
  s.feature_count = 1;
  s.label = "y";
  s.constant = 1;
  s.epsilon = 1;
  NEED(sfm_rows_from_array(&rows, cells, 200, 2, names, error));
  const sfm_status status = sfm_train_release(&made, rows, &s, error);
  for (size_t i = 0; !status && i < 2; i++) f->weights[i] = sfm_release_coefficient(made, i);
  sfm_release_destroy(made);
  sfm_rows_destroy(rows);
  return status ? error->message : NULL;
}

static const char *find_plan(findings *f, sfm_error *error) {
  const sfm_density_settings s = density_settings();
  sfm_plan *plan;
  NEED(sfm_plan_density(&plan, &s, ROWS, error));
  f->error = sfm_plan_at(plan, sfm_plan_best(plan))->predicted.total;
  sfm_plan_destroy(plan);
  return NULL;
}

static const char *find_shared(findings *f, sfm_error *error) {
  NEED(sfm_evaluator_at(evaluator, f->values, points, POINTS, error));
  NEED(sfm_evaluator_widths(evaluator, f->widths, points, POINTS, error));
  NEED(sfm_query_quantiles(query, f->quantiles, shares, QUANTILES, error));
  NEED(sfm_release_band_at(release, &f->band, 0.9, error));
  return NULL;
}

static const char *find(findings *f, sfm_error *error) {
  const char *failed = find_shared(f, error);
  if (!failed) failed = find_density(f, error);
  if (!failed) failed = find_machine(f, error);
  return failed ? failed : find_plan(f, error);
}

/* A thread opens its own ledger. */
static const char *charge(const char *request, sfm_error *error) {
  sfm_count_settings s = sfm_count_settings_default();
  sfm_ledger *ledger;
  sfm_rows *rows;
  sfm_release *made = NULL;
  NEED(sfm_ledger_open(&ledger, path, error));
  const sfm_charge to = {.ledger = ledger, .dataset = "patients", .request = request};
  s.context.schema = schema;
  s.context.charge = &to;
  s.where = "x > 0.5";
  s.epsilon = 0.5;
  sfm_status status = sfm_rows_from_array(&rows, rows_of_all, ROWS, 1, columns, error);
  if (!status) status = sfm_count_release(&made, rows, &s, error);
  sfm_release_destroy(made);
  sfm_rows_destroy(rows);
  sfm_ledger_close(ledger);
  return status ? error->message : NULL;
}

typedef struct worker {
  pthread_t thread;
  size_t number;
  char failed[SFM_MESSAGE_MAX];
} worker;

static void *work(void *data) {
  worker *w = data;
  sfm_error error;
  for (int round = 0; round < ROUNDS; round++) {
    findings mine = {0};
    char request[32];
    snprintf(request, sizeof request, "t%zu-%d", w->number, round);
    const char *failed = find(&mine, &error);
    if (!failed && memcmp(&mine, &alone, sizeof mine) != 0) failed = "not what one thread finds";
    if (!failed) failed = charge(request, &error);
    if (failed) {
      snprintf(w->failed, sizeof w->failed, "%s", failed);
      return NULL;
    }
  }
  return NULL;
}

static void threads_get_what_one_gets(void **state) {
  (void)state;
  worker workers[THREADS] = {0};
  sfm_error error;
  const char *failed = find(&alone, &error);
  if (failed) fail_msg("alone: %s", failed);
  for (size_t i = 0; i < THREADS; i++) {
    workers[i].number = i;
    assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  }
  for (size_t i = 0; i < THREADS; i++) assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
  for (size_t i = 0; i < THREADS; i++)
    if (workers[i].failed[0]) fail_msg("thread %zu: %s", i, workers[i].failed);
  sfm_ledger *ledger;
  sfm_dataset_status status;
  assert_ok(sfm_ledger_open(&ledger, path, &error), &error);
  assert_ok(sfm_ledger_find(ledger, &status, "patients", &error), &error);
  assert_int_equal(status.charges, THREADS * ROUNDS);
  assert_int_equal(status.answers, THREADS * ROUNDS);
  assert_string_equal(status.spent.epsilon, "6");
  assert_ok(sfm_ledger_verify(ledger, NULL, NULL, &error), &error);
  sfm_ledger_close(ledger);
}

static int setup(void **state) {
  (void)state;
  const sfm_dataset dataset = {"patients", 50, 0, SFM_ACCOUNTING_BASIC};
  sfm_error error;
  for (size_t i = 0; i < ROWS; i++) rows_of_all[i] = (double)(i * i % 1009) / 1009;
  for (size_t i = 0; i < POINTS; i++) points[i] = (double)i / (POINTS - 1);
  child_folder(root);
  snprintf(path, sizeof path, "%s/clinic.db", root);
  return sfm_schema_create(&schema, &error) || sfm_schema_set_bounds(schema, "x", 0, 1, &error) ||
         sfm_ledger_create(path, NULL, &dataset, &error) || make_density(&release, &error) ||
         sfm_evaluator_create(&evaluator, release, 0, &error) ||
         sfm_query_create(&query, release, 0, &error);
}

static int teardown(void **state) {
  (void)state;
  child_remove(root);
  sfm_query_destroy(query);
  sfm_evaluator_destroy(evaluator);
  sfm_release_destroy(release);
  sfm_schema_destroy(schema);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_get_what_one_gets)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
