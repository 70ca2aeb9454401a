/* test_partial_rows.c - rows that stand for a partial have no records: whatever reads them, but the
 * release that they were made for, refuses and says so. */
#include "test_support.h"

#include <unistd.h>

#include "sfumato/interact.h"
#include "sfumato/linear.h"
#include "sfumato/mean.h"
#include "sfumato/online.h"
#include "sfumato/partial.h"
#include "sfumato/range.h"
#include "sfumato/train.h"

enum { ROWS = 20 };

static sfm_error error;
static sfm_schema *schema;
static sfm_context context;
static sfm_partial *partial;
static sfm_rows *rows, *stand;
static const char *const names[] = {"x", "y"};
static const double bandwidth[] = {0.3};

static void refused(sfm_status status, const void *made, const char *claim) {
  if (!status || made) fail_msg("%s: not refused", claim);
  if (status != SFM_INVALID) fail_msg("%s: status %d, %s", claim, (int)status, error.message);
  if (!strstr(error.message, "partial") && !strstr(error.message, "the parts have"))
    fail_msg("%s: '%s'", claim, error.message);
}

static sfm_density_settings density_settings(void) {
  sfm_density_settings settings = sfm_density_settings_default();
  settings.context = context;
  settings.columns = names;
  settings.dimension = 1;
  settings.bandwidth = bandwidth;
  settings.epsilon = 1;
  return settings;
}

static sfm_train_settings train_settings(void) {
  sfm_train_settings settings = sfm_train_settings_default();
  settings.context = context;
  settings.features = names;
  settings.feature_count = 1;
  settings.label = "y";
  settings.constant = 1;
  settings.lambda = 0.5;
  settings.epsilon = 300;
  return settings;
}

static void other_releases_of_sums_are_refused(void **state) {
  (void)state;
  const sfm_histogram_column column = {"x", 4};
  const double matrix[] = {1, 1, 0, 0};
  sfm_release *out = NULL;
  sfm_density_settings density = density_settings();
  sfm_histogram_settings histogram = sfm_histogram_settings_default();
  sfm_series_settings series = sfm_series_settings_default();
  sfm_linear_settings linear = sfm_linear_settings_default();
  histogram.context = series.context = context;
  histogram.columns = &column;
  histogram.count = 1;
  histogram.epsilon = series.epsilon = 1;
  series.column = "x";
  linear.table = &histogram;
  linear.matrix = matrix;
  linear.queries = 1;
  linear.cells = 4;
  refused(sfm_density_release(&out, NULL, stand, &density, &error), out, "density");
  refused(sfm_histogram_release(&out, stand, &histogram, &error), out, "histogram");
  refused(sfm_series_release(&out, NULL, stand, &series, &error), out, "series");
  refused(sfm_linear_release(&out, stand, &linear, &error), out, "linear");
}

static void releases_of_records_are_refused(void **state) {
  (void)state;
  static const double half[] = {0.5};
  sfm_release *out = NULL;
  sfm_range_settings range = sfm_range_settings_default();
  sfm_mean_settings mean = sfm_mean_settings_default();
  sfm_train_settings train = train_settings();
  range.context = mean.context = context;
  range.column = mean.column = "x";
  range.epsilon = mean.epsilon = 1;
  range.quantiles = half;
  range.count = 1;
  refused(sfm_range_release(&out, stand, &range, &error), out, "range");
  refused(sfm_mean_release(&out, stand, &mean, &error), out, "mean");
  refused(sfm_train_release(&out, stand, &train, &error), out, "train");
}

static void scores_are_refused(void **state) {
  (void)state;
  sfm_release *machine, *out = NULL;
  sfm_score score;
  sfm_train_settings train = train_settings();
  sfm_score_settings settings = sfm_score_settings_default();
  assert_ok(sfm_train_release(&machine, rows, &train, &error), &error);
  settings.context = context;
  settings.is_public = true;
  refused(sfm_score_rows(&score, &out, machine, stand, &settings, &error), out, "public score");
  settings.is_public = false;
  settings.epsilon = 1;
  refused(sfm_score_rows(&score, &out, machine, stand, &settings, &error), out, "score");
  sfm_release_destroy(machine);
}

static void sessions_and_reports_are_refused(void **state) {
  (void)state;
  char path[64], anchor[72];
  sfm_density_settings density = density_settings();
  sfm_train_settings train = train_settings();
  sfm_interact_settings interact = sfm_interact_settings_default();
  sfm_rows_report *report = NULL;
  sfm_schema *empty;
  density.method = SFM_DENSITY_GP;
  density.delta = 1e-6;
  interact.train = &train;
  interact.questions = 10;
  interact.epochs = 2;
  snprintf(path, sizeof path, "/tmp/sfumato-partial-rows-%ld", (long)getpid());
  snprintf(anchor, sizeof anchor, "%s-anchor", path);
  refused(sfm_online_create(path, stand, &density, NULL, &error), NULL, "online");
  refused(sfm_interact_create(path, stand, &interact, anchor, &error), NULL, "interact");
  assert_true(access(path, F_OK) != 0 && access(anchor, F_OK) != 0);
  assert_ok(sfm_schema_create(&empty, &error), &error);
  refused(sfm_rows_check(stand, &report, empty, &error), report, "report");
  refused(sfm_rows_check(stand, &report, schema, &error), report, "report of columns");
  refused(sfm_partial_add(partial, stand, &error), NULL, "add");
  sfm_schema_destroy(empty);
}

static void their_own_release_takes_them(void **state) {
  (void)state;
  sfm_count_settings settings = sfm_count_settings_default();
  sfm_release *out;
  uint64_t count;
  settings.context = context;
  settings.where = "x > 0.2";
  settings.epsilon = 1;
  assert_ok(sfm_rows_count(stand, &count, &error), &error);
  assert_int_equal(count, ROWS);
  for (int again = 0; again < 2; again++) {
    assert_ok(sfm_count_release(&out, stand, &settings, &error), &error);
    sfm_release_destroy(out);
  }
}

static int begin(void **state) {
  (void)state;
  static double cells[2 * ROWS];
  sfm_part part = sfm_part_default();
  sfm_count_settings settings = sfm_count_settings_default();
  for (int i = 0; i < ROWS; i++) {
    cells[2 * i] = i % 7 / 7.0;
    cells[2 * i + 1] = i % 2 ? 1 : -1;
  }
  if (sfm_schema_create(&schema, &error) || sfm_schema_set_bounds(schema, "x", 0, 1, &error))
    return -1;
  context = sfm_context_default();
  context.schema = schema;
  context.seeded = true;
  settings.context = context;
  settings.where = "x > 0.2";
  settings.epsilon = 1;
  part.rows = ROWS;
  return sfm_rows_from_array(&rows, cells, ROWS, 2, names, &error) ||
         sfm_count_partial_create(&partial, &settings, &part, &error) ||
         sfm_partial_add(partial, rows, &error) || sfm_rows_from_partial(&stand, partial, &error);
}

static int end(void **state) {
  (void)state;
  sfm_rows_destroy(stand);
  sfm_rows_destroy(rows);
  sfm_partial_destroy(partial);
  sfm_schema_destroy(schema);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(other_releases_of_sums_are_refused),
      cmocka_unit_test(releases_of_records_are_refused),
      cmocka_unit_test(scores_are_refused),
      cmocka_unit_test(sessions_and_reports_are_refused),
      cmocka_unit_test(their_own_release_takes_them),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
