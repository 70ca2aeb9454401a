/* test_progress.c - a caller can stop a run: before the charge it costs nothing; after it the
 * charge stands, the message says so, and the same request completes it under that one charge. */
#include "test_support.h"

#include <unistd.h>

#include "child_process.h"
#include "sfumato/sfumato.h"

enum { ROWS = 9000, BATCHES = 2 };

static char root[64], path[96];

/* Stops at the nth call of a stage, and says how many there were of each. */
typedef struct listener {
  sfm_stage stage;
  unsigned nth;
  unsigned calls[SFM_STAGE_WALKING + 1];
} listener;

static bool listen(void *data, const sfm_progress *at) {
  listener *l = data;
  assert_in_range(at->stage, SFM_STAGE_PREPARED, SFM_STAGE_WALKING);
  l->calls[at->stage]++;
  return at->stage != l->stage || l->calls[at->stage] != l->nth;
}

static sfm_schema *schema;
static double cells[2 * ROWS];
static const char *const names[] = {"x", "y"};

typedef sfm_status make(sfm_release **out, sfm_rows *rows, const sfm_context *context,
                        sfm_error *error);

static sfm_status make_count(sfm_release **out, sfm_rows *rows, const sfm_context *context,
                             sfm_error *error) {
  sfm_count_settings s = sfm_count_settings_default();
  s.context = *context;
  s.where = "x > 0.5";
  s.epsilon = 0.5;
  return sfm_count_release(out, rows, &s, error);
}

static sfm_status make_density(sfm_release **out, sfm_rows *rows, const sfm_context *context,
                               sfm_error *error) {
  sfm_density_settings s = sfm_density_settings_default();
  s.context = *context;
  s.columns = names;
  s.dimension = 1;
  s.method = SFM_DENSITY_CARATHEODORY;
  s.body = SFM_DENSITY_BODY_HULL;
  s.terms = 2;
  s.bandwidth = (const double[]){0.3};
  s.boundary = (const sfm_boundary[]){SFM_BOUNDARY_PERIODIC};
  s.epsilon = 0.5;
  return sfm_density_release(out, NULL, rows, &s, error);
}

static sfm_status train(sfm_release **out, sfm_rows *rows, const sfm_context *context,
                        sfm_kernel_family kernel, sfm_error *error) {
  sfm_train_settings s = sfm_train_settings_default();
  s.context = *context;
  s.features = names;
  s.feature_count = 1;
  s.label = "y";
  s.kernel = kernel;
  s.bandwidth = 0.5;
  s.lambda = 0.1;
  s.epsilon = 0.5;
  s.rff_features = 8;
  s.method = kernel == SFM_KERNEL_LINEAR ? SFM_TRAIN_FINITE : SFM_TRAIN_RFF;
  return sfm_train_release(out, rows, &s, error);
}

static sfm_status make_sparse_machine(sfm_release **out, sfm_rows *rows, const sfm_context *context,
                                      sfm_error *error) {
  return train(out, rows, context, SFM_KERNEL_LINEAR, error);
}

static sfm_status make_dense_machine(sfm_release **out, sfm_rows *rows, const sfm_context *context,
                                     sfm_error *error) {
  return train(out, rows, context, SFM_KERNEL_GAUSSIAN, error);
}

static const struct {
  const char *name;
  make *make;
  sfm_stage last; /* that the mechanism has */
} mechanisms[] = {
    {"count", make_count, SFM_STAGE_READING},
    {"caratheodory", make_density, SFM_STAGE_WALKING},
    {"linear machine", make_sparse_machine, SFM_STAGE_SOLVING},
    {"random features", make_dense_machine, SFM_STAGE_SOLVING},
};

enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

/* Charges request r of the ledger, which may be NULL. */
static sfm_status run(size_t which, listener *l, sfm_ledger *ledger, const char *r,
                      sfm_release **out, sfm_error *error) {
  const sfm_charge charge = {.ledger = ledger, .dataset = "patients", .request = r};
  sfm_context context = sfm_context_default();
  sfm_rows *rows;
  context.schema = schema;
  context.charge = ledger ? &charge : NULL;
  context.progress = l ? listen : NULL;
  context.progress_data = l;
  assert_ok(sfm_rows_from_array(&rows, cells, ROWS, 2, names, error), error);
  const sfm_status status = mechanisms[which].make(out, rows, &context, error);
  sfm_rows_destroy(rows);
  return status;
}

static uint64_t charges(sfm_ledger *ledger) {
  sfm_dataset_status status;
  sfm_error error;
  assert_ok(sfm_ledger_find(ledger, &status, "patients", &error), &error);
  return status.charges;
}

static void stopped_before_the_charge_costs_nothing(void **state) {
  (void)state;
  sfm_ledger *ledger;
  sfm_error error;
  assert_ok(sfm_ledger_open(&ledger, path, &error), &error);
  const uint64_t before = charges(ledger);
  for (size_t i = 0; i < MECHANISMS; i++) {
    listener l = {.stage = SFM_STAGE_PREPARED, .nth = 1};
    sfm_release *out = (sfm_release *)cells;
    assert_int_equal(run(i, &l, ledger, "never", &out, &error), SFM_STOPPED);
    assert_null(out);
    assert_non_null(strstr(error.message, "nothing was charged"));
    assert_int_equal(l.calls[SFM_STAGE_PREPARED], 1);
    assert_int_equal(l.calls[SFM_STAGE_READING], 0);
  }
  assert_int_equal(charges(ledger), before);
  sfm_ledger_close(ledger);
}

static void stopped_after_the_charge_says_so(void **state) {
  (void)state;
  sfm_ledger *ledger;
  sfm_error error;
  assert_ok(sfm_ledger_open(&ledger, path, &error), &error);
  for (size_t i = 0; i < MECHANISMS; i++)
    for (sfm_stage stage = SFM_STAGE_READING; stage <= mechanisms[i].last; stage++) {
      if (stage == SFM_STAGE_SOLVING && mechanisms[i].last != SFM_STAGE_SOLVING) continue;
      const uint64_t before = charges(ledger);
      listener l = {.stage = stage, .nth = 1};
      sfm_release *out = NULL;
      char request[32];
      snprintf(request, sizeof request, "r%zu-%d", i, (int)stage);
      assert_int_equal(run(i, &l, ledger, request, &out, &error), SFM_STOPPED);
      assert_null(out);
      assert_non_null(strstr(error.message, "charge stands"));
      assert_non_null(strstr(error.message, request));
      assert_int_equal(l.calls[stage], 1); /* nobody asks twice */
      assert_int_equal(charges(ledger), before + 1);
      assert_ok(run(i, NULL, ledger, request, &out, &error), &error);
      assert_non_null(out);
      assert_int_equal(charges(ledger), before + 1);
      sfm_release_destroy(out);
    }
  sfm_ledger_close(ledger);
}

static void without_a_charge_nothing_is_released(void **state) {
  (void)state;
  sfm_error error;
  for (size_t i = 0; i < MECHANISMS; i++) {
    listener l = {.stage = SFM_STAGE_READING, .nth = BATCHES};
    sfm_release *out = NULL;
    assert_int_equal(run(i, &l, NULL, NULL, &out, &error), SFM_STOPPED);
    assert_null(out);
    assert_null(strstr(error.message, "charge stands"));
    l.nth = 0; /* never */
    assert_ok(run(i, &l, NULL, NULL, &out, &error), &error);
    assert_true(l.calls[mechanisms[i].last] > 0);
    sfm_release_destroy(out);
  }
}

static int setup(void **state) {
  (void)state;
  const sfm_dataset dataset = {"patients", 100, 0, SFM_ACCOUNTING_BASIC};
  sfm_error error;
  for (size_t i = 0; i < ROWS; i++) {
    cells[2 * i] = (double)(i % 97) / 97;
    cells[2 * i + 1] = i % 3 ? 1 : -1;
  }
  child_folder(root);
  snprintf(path, sizeof path, "%s/clinic.db", root);
  return sfm_schema_create(&schema, &error) || sfm_schema_set_bounds(schema, "x", 0, 1, &error) ||
         sfm_ledger_create(path, NULL, &dataset, &error);
}

static int teardown(void **state) {
  (void)state;
  child_remove(root);
  sfm_schema_destroy(schema);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stopped_before_the_charge_costs_nothing),
      cmocka_unit_test(stopped_after_the_charge_says_so),
      cmocka_unit_test(without_a_charge_nothing_is_released),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
