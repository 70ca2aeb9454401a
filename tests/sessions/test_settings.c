/* test_settings.c - every public function that takes settings refuses structs of a wrong size, a
 * context that nobody made, and a schema that is missing, before it does anything else. */
#include "test_support.h"

#include <stdlib.h>

#include "sfumato/sfumato.h"

static sfm_rows *rows;
static sfm_release *out;
static sfm_plan *plan;
static sfm_schema *schema;

typedef sfm_status call(const void *settings, sfm_error *error);

/* A function that takes settings; offset: of the context, 0: none; schema: it needs one. */
typedef struct taker {
  const char *name;
  void (*init)(void *settings, size_t size);
  size_t size;
  bool context, schema;
  call *call;
} taker;

#define INIT(type)                                                                                 \
  static void init_##type(void *settings, size_t size) {                                           \
    sfm_##type##_settings_init(settings, size);                                                    \
  }
#define CALL(name, ...)                                                                            \
  static sfm_status call_##name(const void *settings, sfm_error *error) {                          \
    return __VA_ARGS__;                                                                            \
  }

INIT(choose)
INIT(combine)
INIT(count)
INIT(curve)
INIT(density)
INIT(function)
INIT(histogram)
INIT(interact)
INIT(limits)
INIT(linear)
INIT(mean)
INIT(optimal)
INIT(range)
INIT(refine)
INIT(score)
INIT(series)
INIT(train)
INIT(vector)

static double numbers[4];
static sfm_density_choice density_plan;
static sfm_series_choice series_plan;
static sfm_curve_choice curve_plan;
static sfm_linear_choice linear_plan;
static sfm_interact_plan interact_plan;
static sfm_probes_plan probes;
static sfm_score score;
static sfm_limits limits;
static const sfm_table_guess guess;

static void init_table_refine(void *settings, size_t size) {
  sfm_table_refine_settings_init(settings, size, NULL);
}

CALL(choose_check, sfm_choose_check(settings, (const char *const[]){"a", "b"}, 2, error))
CALL(choose_release,
     sfm_choose_release(&out, (const char *const[]){"a", "b"}, numbers, 2, settings, error))
CALL(combine,
     sfm_release_combine(&out, NULL, (const sfm_release *const[]){NULL, NULL}, 2, settings, error))
CALL(count, sfm_count_release(&out, rows, settings, error))
CALL(curve_choose, sfm_curve_choose(&curve_plan, settings, 5, error))
CALL(curve_release, sfm_curve_release(&out, NULL, rows, settings, error))
CALL(density_choose, sfm_density_choose(&density_plan, settings, 5, error))
CALL(density_release, sfm_density_release(&out, NULL, rows, settings, error))
CALL(function, sfm_function_release(&out, settings, error))
CALL(histogram, sfm_histogram_release(&out, rows, settings, error))
CALL(interact_create, sfm_interact_create("/nowhere/s.sfs", rows, settings, NULL, error))
CALL(interact_plan, sfm_plan_interact(&interact_plan, settings, 5, 0, error))
CALL(limits_count, sfm_limits_count(&limits, settings, error))
CALL(limits_histogram, sfm_limits_histogram(&limits, settings, error))
CALL(limits_sparse, sfm_limits_sparse(&limits, settings, error))
CALL(limits_margins, sfm_limits_margins(&limits, settings, error))
CALL(linear_errors, sfm_linear_errors(numbers, settings, &linear_plan, error))
CALL(linear_forecast, sfm_linear_choose(&linear_plan, settings, error))
CALL(linear_release, sfm_linear_release(&out, rows, settings, error))
CALL(mean, sfm_mean_release(&out, rows, settings, error))
CALL(online, sfm_online_create("/nowhere/s.sfs", rows, settings, NULL, error))
CALL(optimal, sfm_optimal_design(&out, settings, error))
CALL(plan_curve, sfm_plan_curve(&plan, settings, 5, error))
CALL(plan_density, sfm_plan_density(&plan, settings, 5, error))
CALL(plan_histogram, sfm_plan_histogram(&plan, settings, true, &guess, 5, error))
CALL(plan_online, sfm_plan_online(&plan, settings, 5, 5, error))
CALL(plan_series, sfm_plan_series(&plan, settings, true, true, 5, error))
CALL(plan_train, sfm_plan_train(&plan, settings, true, true, 5, 0, error))
CALL(plan_vector, sfm_plan_vector(&plan, settings, true, 2, error))
CALL(probes, sfm_plan_probes(&probes, settings, 5, 0, error))
CALL(range, sfm_range_release(&out, rows, settings, error))
CALL(refine, sfm_release_refine(&out, NULL, settings, error))
CALL(score, sfm_score_rows(&score, &out, NULL, rows, settings, error))
CALL(series_choose, sfm_series_choose(&series_plan, settings, 5, error))
CALL(series_release, sfm_series_release(&out, NULL, rows, settings, error))
CALL(table_refine, sfm_table_refine(&out, NULL, settings, error))
CALL(train, sfm_train_release(&out, rows, settings, error))
CALL(vector_check, sfm_vector_check(settings, 2, error))
CALL(vector_release, sfm_vector_release(&out, numbers, 2, settings, error))

#define WITH(type, of, needs)                                                                      \
  { #of, init_##type, sizeof(sfm_##type##_settings), true, needs, call_##of }
#define PLAIN(type, of)                                                                            \
  { #of, init_##type, sizeof(sfm_##type##_settings), false, false, call_##of }

static const taker takers[] = {
    WITH(choose, choose_check, false),
    WITH(choose, choose_release, false),
    WITH(count, count, true),
    WITH(curve, curve_choose, true),
    WITH(curve, curve_release, true),
    WITH(curve, plan_curve, true),
    WITH(density, density_choose, true),
    WITH(density, density_release, true),
    WITH(density, online, true),
    WITH(density, plan_density, true),
    WITH(density, plan_online, true),
    WITH(function, function, false),
    WITH(histogram, histogram, true),
    WITH(histogram, plan_histogram, true),
    WITH(mean, mean, true),
    WITH(range, range, true),
    WITH(score, score, false),
    WITH(series, plan_series, true),
    WITH(series, series_choose, true),
    WITH(series, series_release, true),
    WITH(train, plan_train, true),
    WITH(train, probes, true),
    WITH(train, train, true),
    WITH(vector, plan_vector, false),
    WITH(vector, vector_check, false),
    WITH(vector, vector_release, false),
    PLAIN(combine, combine),
    PLAIN(interact, interact_create),
    PLAIN(interact, interact_plan),
    PLAIN(limits, limits_count),
    PLAIN(limits, limits_histogram),
    PLAIN(limits, limits_margins),
    PLAIN(limits, limits_sparse),
    PLAIN(linear, linear_errors),
    PLAIN(linear, linear_forecast),
    PLAIN(linear, linear_release),
    PLAIN(optimal, optimal),
    PLAIN(refine, refine),
    PLAIN(table_refine, table_refine),
};

static void refused(const taker *t, const void *settings, const char *why) {
  sfm_error error = {0};
  out = (sfm_release *)numbers; /* what a caller forgot to clear */
  plan = (sfm_plan *)numbers;
  const sfm_status status = t->call(settings, &error);
  if (status != SFM_INVALID || !strstr(error.message, why))
    fail_msg("%s: status %d, \"%s\" instead of \"%s\"", t->name, (int)status, error.message, why);
  if (strstr(t->name, "release") || strstr(t->name, "plan_")) assert_true(!out || !plan);
}

/* Exactly as many bytes as the caller says there are, so that a sanitizer sees who reads beyond. */
static void *made(const taker *t, size_t size) {
  unsigned char *settings = calloc(1, size > sizeof size ? size : sizeof size);
  assert_non_null(settings);
  t->init(settings, size);
  memcpy(settings, &size, sizeof size);
  return settings;
}

static void sizes_are_checked(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof takers / sizeof *takers; i++) {
    const taker *t = &takers[i];
    const size_t sizes[] = {0, 1, sizeof(size_t), t->size - 1, t->size + 1, t->size + 8, 1 << 20};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      void *settings = made(t, sizes[k]);
      refused(t, settings, sizes[k] < t->size ? "_default()" : "newer version");
      free(settings);
    }
    refused(t, NULL, "NULL");
  }
}

static void contexts_are_checked(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof takers / sizeof *takers; i++) {
    const taker *t = &takers[i];
    if (!t->context) continue;
    struct {
      size_t size;
      sfm_context context;
    } *settings = made(t, t->size);
    assert_true(settings->context.confidence == 0.95);
    if (t->schema) refused(t, settings, "context.schema is NULL");
    settings->context.schema = schema;
    const size_t last =
        sizeof settings->context.reserved / sizeof settings->context.reserved[0] - 1;
    settings->context.reserved[last] = &numbers;
    refused(t, settings, "reserved");
    settings->context.reserved[last] = NULL;
    settings->context.threads = 1025;
    refused(t, settings, "context.threads");
    free(settings);
  }
}

/* Settings within settings are checked in the same way. */
static void settings_within_settings_are_checked(void **state) {
  (void)state;
  sfm_interact_settings interact = sfm_interact_settings_default();
  sfm_linear_settings linear = sfm_linear_settings_default();
  sfm_train_settings train = sfm_train_settings_default();
  sfm_histogram_settings table = sfm_histogram_settings_default();
  sfm_error error;
  assert_int_equal(sfm_plan_interact(&interact_plan, &interact, 5, 0, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "sfm_train_settings"));
  assert_int_equal(sfm_linear_choose(&linear_plan, &linear, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "sfm_histogram_settings"));
  train.size++;
  table.size--;
  interact.train = &train;
  linear.table = &table;
  assert_int_equal(sfm_plan_interact(&interact_plan, &interact, 5, 0, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "newer version"));
  assert_int_equal(sfm_linear_release(&out, rows, &linear, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "_default()"));
}

/* Every enumeration of every settings: what is no value is refused before anything is charged. */
static void numbers_that_are_no_value_are_refused(void **state) {
  (void)state;
#define AT(type, member, name)                                                                     \
  { name, offsetof(sfm_##type##_settings, member), #member }
  static const struct {
    const char *taker;
    size_t offset;
    const char *member;
  } members[] = {
      AT(choose, neighbours, "choose_release"),
      AT(combine, weights, "combine"),
      AT(curve, kernel, "curve_release"),
      AT(curve, calibration, "plan_curve"),
      AT(density, method, "density_release"),
      AT(density, kernel, "plan_density"),
      AT(density, engine, "online"),
      AT(density, noise, "density_choose"),
      AT(density, body, "density_release"),
      AT(density, outside, "density_release"),
      AT(density, calibration, "plan_online"),
      AT(function, engine, "function"),
      AT(function, neighbours, "function"),
      AT(function, calibration, "function"),
      AT(histogram, form, "histogram"),
      AT(histogram, noise, "plan_histogram"),
      AT(histogram, calibration, "histogram"),
      AT(histogram, exact, "histogram"),
      AT(histogram, outside, "histogram"),
      AT(interact, update, "interact_create"),
      AT(limits, neighbours, "limits_sparse"),
      AT(linear, method, "linear_release"),
      AT(optimal, loss, "optimal"),
      AT(optimal, objective, "optimal"),
      AT(range, outside, "range"),
      AT(series, basis, "series_release"),
      AT(series, kernel, "plan_series"),
      AT(series, noise, "series_choose"),
      AT(series, outside, "series_release"),
      AT(series, calibration, "series_release"),
      AT(train, outside, "train"),
      AT(train, kernel, "plan_train"),
      AT(train, scaling, "train"),
      AT(train, loss, "probes"),
      AT(train, method, "train"),
      AT(train, shape, "train"),
      AT(train, noise, "train"),
      AT(train, calibration, "train"),
      AT(vector, norm, "vector_check"),
      AT(vector, neighbours, "vector_release"),
      AT(vector, noise, "vector_release"),
      AT(vector, calibration, "plan_vector"),
  };
#undef AT
  size_t tried = 0;
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    for (size_t k = 0; k < sizeof takers / sizeof *takers; k++) {
      if (strcmp(takers[k].name, members[i].taker) != 0) continue;
      tried++;
      for (int value = -1; value <= 99; value += 100) {
        char why[80];
        unsigned char *settings = made(&takers[k], takers[k].size);
        if (takers[k].schema) ((sfm_range_settings *)(void *)settings)->context.schema = schema;
        memcpy(settings + members[i].offset, &value, sizeof value);
        snprintf(why, sizeof why, "there is no settings.%s number %d", members[i].member, value);
        refused(&takers[k], settings, why);
        free(settings);
      }
    }
  assert_int_equal(tried, sizeof members / sizeof *members);
}

/* Lists that are not there, and names that are not. */
static void lists_that_are_not_there_are_refused(void **state) {
  (void)state;
  static const char *const gap[] = {"x", NULL};
  static const sfm_boundary wrong[] = {SFM_BOUNDARY_OPEN, (sfm_boundary)7};
  const sfm_histogram_column column[] = {{NULL, 3}};
  sfm_density_settings density = sfm_density_settings_default(), d;
  sfm_histogram_settings table = sfm_histogram_settings_default(), h;
  sfm_train_settings train = sfm_train_settings_default(), t;
  sfm_mean_settings mean = sfm_mean_settings_default();
  sfm_range_settings range = sfm_range_settings_default();
  sfm_error error;
  density.context.schema = table.context.schema = train.context.schema = schema;
  mean.context.schema = range.context.schema = schema;
  density.columns = gap;
  density.dimension = 1;
#define REFUSED(call, why)                                                                         \
  do {                                                                                             \
    assert_int_equal(call, SFM_INVALID);                                                           \
    assert_non_null(strstr(error.message, why));                                                   \
  } while (0)
  d = density, d.dimension = 2;
  REFUSED(sfm_density_release(&out, NULL, rows, &d, &error), "settings.columns[1] has no name");
  d.columns = NULL;
  REFUSED(sfm_density_release(&out, NULL, rows, &d, &error), "settings.columns is NULL");
  d = density, d.by_count = 1;
  REFUSED(sfm_density_release(&out, NULL, rows, &d, &error), "settings.by is NULL");
  d = density, d.release_count = 3;
  REFUSED(sfm_density_release(&out, NULL, rows, &d, &error), "settings.release_points is NULL");
  d = density, d.candidate_count = 3;
  REFUSED(sfm_density_release(&out, NULL, rows, &d, &error), "settings.candidates is NULL");
  d = density, d.boundary = wrong + 1;
  REFUSED(sfm_density_release(&out, NULL, rows, &d, &error), "no settings.boundary number 7");
  h = table, h.count = 1;
  REFUSED(sfm_histogram_release(&out, rows, &h, &error), "settings.columns is NULL");
  h.columns = column;
  REFUSED(sfm_histogram_release(&out, rows, &h, &error), "settings.columns[0] has no name");
  h = table, h.margin_count = 2;
  REFUSED(sfm_histogram_release(&out, rows, &h, &error), "settings.margins is NULL");
  t = train, t.class_count = 3;
  REFUSED(sfm_train_release(&out, rows, &t, &error), "settings.labels is NULL");
  t = train, t.lambda_count = 3;
  REFUSED(sfm_train_release(&out, rows, &t, &error), "settings.lambdas is NULL");
  t = train, t.place_count = 3;
  REFUSED(sfm_train_release(&out, rows, &t, &error), "settings.places is NULL");
  REFUSED(sfm_mean_release(&out, rows, &mean, &error), "settings.column is NULL");
  range.count = 2;
  REFUSED(sfm_range_release(&out, rows, &range, &error), "settings.quantiles is NULL");
  REFUSED(sfm_schema_set_categories(schema, "c", NULL, 2, &error), "category 1 of column 'c'");
  REFUSED(sfm_schema_set_categories(schema, "c", gap, 2, &error), "category 2 of column 'c'");
  sfm_rows *none = NULL;
  REFUSED(sfm_rows_from_array(&none, NULL, 5, 1, NULL, &error), "an array of 5 rows is NULL");
  REFUSED(sfm_rows_from_array(&none, numbers, 1, 2, gap, &error), "column 1 of the array");
  assert_null(none);
#undef REFUSED
}

static int setup(void **state) {
  (void)state;
  static const char *const names[] = {"x"};
  static const double values[] = {0.5};
  sfm_error error;
  return sfm_schema_create(&schema, &error) ||
         sfm_rows_from_array(&rows, values, 1, 1, names, &error);
}

static int teardown(void **state) {
  (void)state;
  sfm_schema_destroy(schema);
  sfm_rows_destroy(rows);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_are_checked),
      cmocka_unit_test(contexts_are_checked),
      cmocka_unit_test(settings_within_settings_are_checked),
      cmocka_unit_test(numbers_that_are_no_value_are_refused),
      cmocka_unit_test(lists_that_are_not_there_are_refused),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
