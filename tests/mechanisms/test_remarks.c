/* test_remarks.c - the caller is told of settings that are allowed but probably a mistake, before
 * the charge and from public facts alone; and of no others. */
/* suite: both */
#include "density_fixture.h"

#include "sfumato/plan.h"

enum { COUNT = 10 };

/* What was heard, and whether anything came after the run was prepared. */
typedef struct listener {
  char heard[4][SFM_MESSAGE_MAX];
  size_t count;
  bool prepared, late;
} listener;

static void remark(void *data, const char *sentence) {
  listener *l = data;
  assert_true(l->count < 4);
  strcpy(l->heard[l->count++], sentence);
  l->late = l->late || l->prepared;
}

/* Stops the run before the charge. */
static bool stop(void *data, const sfm_progress *at) {
  listener *l = data;
  l->prepared = at->stage == SFM_STAGE_PREPARED;
  return false;
}

static listener listen(double bandwidth, double epsilon, double delta, sfm_neighbours neighbours) {
  double values[COUNT] = {3, 4, 5};
  density_fixture t;
  listener heard = {.count = 0};
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  sfm_error error;
  density_fixture_init(&t, 1, 0, 100, bandwidth, epsilon, delta);
  density_fixture_neighbours(&t, neighbours, 1);
  if (delta > 0) t.settings.noise = SFM_DENSITY_NOISE_NORMAL;
  t.settings.method = SFM_DENSITY_LATTICE;
  t.settings.context.remark = remark;
  t.settings.context.progress = stop;
  t.settings.context.remark_data = t.settings.context.progress_data = &heard;
  assert_ok(sfm_rows_from_array(&rows, values, COUNT, 1, density_fixture_columns, &error), &error);
  assert_int_equal(sfm_density_release(&release, NULL, rows, &t.settings, &error), SFM_STOPPED);
  assert_true(heard.prepared && !heard.late);
  sfm_rows_destroy(rows);
  density_fixture_clear(&t);
  return heard;
}

static void assert_heard(listener l, const char *words) {
  assert_int_equal(l.count, words != NULL);
  if (words) assert_non_null(strstr(l.heard[0], words));
}

static void seldom_meant_numbers_are_remarked_on(void **state) {
  (void)state;
  const sfm_neighbours replace = SFM_NEIGHBOURS_REPLACE, private = SFM_NEIGHBOURS_ADD_REMOVE;
  assert_heard(listen(5, 1, 0, replace), NULL);
  assert_heard(listen(5, 10, 0, replace), NULL);
  assert_heard(listen(5, 10.5, 0, replace), "epsilon = 10.5");
  assert_heard(listen(0.1, 1, 0, replace), "bandwidth of 'a'");
  assert_heard(listen(0.11, 1, 0, replace), NULL);
  assert_heard(listen(5, 1, 0.1, replace), "delta = 0.1 is not below 1/n");
  assert_heard(listen(5, 1, 0.099, replace), NULL);
  /* the number of records is private: nothing may depend on it */
  assert_heard(listen(5, 1, 0.1, private), "delta = 0.1");
  assert_null(strstr(listen(5, 1, 0.1, private).heard[0], "10 "));
  assert_heard(listen(5, 1, 1e-4, private), NULL);
  const listener all = listen(0.05, 20, 0.5, replace);
  assert_int_equal(all.count, 3);
}

static void plans_remark_too(void **state) {
  (void)state;
  density_fixture t;
  listener heard = {.count = 0};
  sfm_plan *plan = NULL;
  sfm_error error;
  density_fixture_init(&t, 1, 0, 100, 0.05, 20, 0.5);
  t.settings.context.remark = remark;
  t.settings.context.remark_data = &heard;
  assert_ok(sfm_plan_density(&plan, &t.settings, COUNT, &error), &error);
  assert_int_equal(heard.count, 3);
  sfm_plan_destroy(plan);
  density_fixture_clear(&t);
}

/* Classes that nobody stated; and those that the schema contradicts are refused. */
static void classes_are_not_guessed(void **state) {
  (void)state;
  static const char *const names[] = {"a", "y"}, *const kinds[] = {"no", "yes"};
  const double values[] = {1, -1, 2, 1};
  listener heard = {.count = 0};
  sfm_schema *schema = NULL, *bounded = NULL, *listed = NULL;
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  sfm_error error;
  sfm_train_settings s = sfm_train_settings_default();
  assert_ok(sfm_schema_create(&schema, &error), &error);
  assert_ok(sfm_schema_create(&bounded, &error), &error);
  assert_ok(sfm_schema_create(&listed, &error), &error);
  sfm_schema *const all[] = {schema, bounded, listed};
  for (size_t i = 0; i < 3; i++)
    assert_ok(sfm_schema_set_bounds(all[i], "a", 0, 10, &error), &error);
  assert_ok(sfm_schema_set_bounds(bounded, "y", 0, 99, &error), &error);
  assert_ok(sfm_schema_set_categories(listed, "y", kinds, 2, &error), &error);
  assert_ok(sfm_rows_from_array(&rows, values, 2, 2, names, &error), &error);
  s.features = names;
  s.feature_count = 1;
  s.label = "y";
  s.epsilon = 1;
  s.context.remark = remark;
  s.context.progress = stop;
  s.context.remark_data = s.context.progress_data = &heard;
  s.context.schema = schema;
  assert_int_equal(sfm_train_release(&release, rows, &s, &error), SFM_STOPPED);
  assert_heard(heard, "-1 and 1");
  s.context.schema = bounded;
  assert_int_equal(sfm_train_release(&release, rows, &s, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "a number from 0 to 99"));
  s.context.schema = listed;
  assert_int_equal(sfm_train_release(&release, rows, &s, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "settings.labels"));
  assert_int_equal(heard.count, 1);
  sfm_rows_destroy(rows);
  for (size_t i = 0; i < 3; i++) sfm_schema_destroy(all[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(seldom_meant_numbers_are_remarked_on),
      cmocka_unit_test(plans_remark_too),
      cmocka_unit_test(classes_are_not_guessed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
