/* test_machine_kind.c - a machine in the file: all of it comes back, and a file that says something
 * else is refused. */
#include "machine_fixture.h"
#include "releases/core/release_write.h"

static const double places[] = {-0.5, 0.25, 0.5, -1, 0, 0};

static const machine_spec plans[] = {
    {0},
    {.categories = true, .constant = 0.5, .law = "discrete-laplace"},
    {.form = SFMI_FEATURE_MAP_MONOMIALS, .degree = 3, .shift = 1, .drop = true},
    {.form = SFMI_FEATURE_MAP_TORUS, .kernel = SFM_KERNEL_GAUSSIAN, .bandwidth = 0.7},
    {.form = SFMI_FEATURE_MAP_RANDOM,
     .kernel = SFM_KERNEL_LAPLACIAN,
     .bandwidth = 1.0 / 3,
     .frequencies = 20,
     .constant = 0.25,
     .task = SFM_TASK_ONE_VS_REST,
     .classes = 3},
    {.form = SFMI_FEATURE_MAP_POINTS,
     .kernel = SFM_KERNEL_MATERN32,
     .bandwidth = 0.5,
     .places = places,
     .place_count = 3,
     .law = "normal"},
    {.task = SFM_TASK_REGRESSION, .law = "gamma", .clip = 2, .unbounded = true},
    {.dimension = 50, .clip = 1},
    {.dimension = 7, .unbounded = true, .clip = 3, .form = SFMI_FEATURE_MAP_MONOMIALS, .degree = 2},
    {.form = SFMI_FEATURE_MAP_POINTS,
     .kernel = SFM_KERNEL_GAUSSIAN,
     .bandwidth = 0.5,
     .places = places,
     .place_count = 3,
     .fitted = SFMI_MACHINE_TDDL},
    {.form = SFMI_FEATURE_MAP_POINTS,
     .kernel = SFM_KERNEL_LINEAR,
     .dimension = 2,
     .places = places,
     .place_count = 3,
     .fitted = SFMI_MACHINE_INTERACTIVE},
};
enum { PLANS = sizeof plans / sizeof plans[0] };

static char *printed(const sfm_release *release) {
  char *bytes = NULL;
  size_t length = 0;
  sfm_error error;
  assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
  return bytes;
}

static void comes_back(void **state) {
  (void)state;
  for (size_t i = 0; i < PLANS; i++) {
    sfm_release *release = machine_make(&plans[i]), *again = machine_again(release);
    char *before = printed(release), *after = printed(again);
    assert_string_equal(before, after);
    assert_string_equal(sfm_kind_name(sfm_release_kind(again)), "machine");
    assert_memory_equal(&again->band, &release->band, sizeof again->band);
    assert_int_equal(again->model->map->count, release->model->map->count);
    if (plans[i].fitted) {
      assert_float_equal(again->model->fit.radius, 2.5, 0);
      assert_true(isnan(again->model->fit.ridge));
      assert_string_equal(again->model->fit.shape, "kernel");
      assert_null(again->integers);
    }
    free(before);
    free(after);
    sfm_release_destroy(release);
    sfm_release_destroy(again);
  }
}

static void lambda_chosen_among_candidates(void **state) {
  (void)state;
  sfm_release *release = machine_make(&plans[0]);
  sfmi_machine_model *model = release->model;
  model->candidates = sfmi_alloc(3, sizeof *model->candidates);
  model->candidate_count = 3;
  model->chosen = 1;
  for (size_t i = 0; i < 3; i++) model->candidates[i] = 0.001 * pow(10, (double)i);
  model->lambda = model->candidates[1];
  sfm_release *again = machine_again(release);
  assert_int_equal(again->model->candidate_count, 3);
  assert_int_equal(again->model->chosen, 1);
  sfm_release_destroy(release);
  sfm_release_destroy(again);
}

static void tells_what_it_is(void **state) {
  (void)state;
  sfm_machine machine;
  double lower, upper;
  sfm_release *release = machine_make(&plans[1]);
  assert_true(sfm_release_machine(release, &machine));
  assert_int_equal(machine.task, SFM_TASK_BINARY);
  assert_string_equal(machine.label, "y");
  assert_string_equal(machine.form, "linear");
  assert_int_equal(machine.features, 5);
  assert_int_equal(machine.input_count, 3);
  assert_true(machine.constant == 0.5 && machine.used == 0.024 && isinf(machine.clip));
  assert_string_equal(sfm_machine_class(release, 1), "yes");
  assert_null(sfm_machine_class(release, 2));
  assert_string_equal(sfm_machine_input(release, 2), "sex");
  assert_null(sfm_machine_input(release, 3));
  sfm_machine_bounds(release, &lower, &upper, 0);
  assert_true(lower == 0 && upper == 10);
  sfm_machine_bounds(release, &lower, &upper, 2);
  assert_true(isinf(lower) && isinf(upper));
  assert_int_equal(sfm_machine_categories(release, 2), 2);
  assert_string_equal(sfm_machine_category(release, 2, 1), "M");
  assert_null(sfm_machine_category(release, 2, 2));
  sfm_release_destroy(release);
}

/* text with its first `from` replaced by `to`; freed by the caller. */
static char *edited(const char *text, const char *from, const char *to) {
  const char *at = strstr(text, from);
  if (!at) fail_msg("the file has no %s", from);
  char *out = malloc(strlen(text) + strlen(to) + 1);
  sprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  return out;
}

static void refused(const char *text, const char *from, const char *to, const char *place) {
  char *wrong = edited(text, from, to);
  sfm_release *release = NULL;
  sfm_error error;
  const sfm_status status = sfm_release_parse(&release, wrong, strlen(wrong), "file", &error);
  if (status != SFM_FORMAT || release)
    fail_msg("%s instead of %s: status %d", to, from, (int)status);
  if (!strstr(error.message, place)) fail_msg("%s: no word of %s", error.message, place);
  free(wrong);
}

/* Of a plan: what stands there, what is put in its place, which member is blamed. */
static void wrong_members_are_refused(void **state) {
  (void)state;
  static const struct {
    size_t plan;
    const char *from, *to, *place;
  } edits[] = {
      {0, "\"rows\": 1000", "\"rows\": -1", "rows"},
      {0, "\"rows\": 1000", "\"rows\": 0", "rows"},
      {0, "\"task\": \"binary\"", "\"task\": \"ternary\"", "task"},
      {0, "\"task\": \"binary\"", "\"task\": \"regression\"", "classes"},
      {0, "\"task\": \"binary\"", "\"task\": \"one-vs-rest\"", "features"},
      {0, "\"label\": \"y\"", "\"label\": 3", "label"},
      {0, "\"yes\"", "\"no\"", "classes"},
      {0, "\"yes\"", "\"\"", "classes"},
      {0, "\"yes\"", "\"yes\", \"more\"", "classes"},
      {0, "\"loss\": \"hinge\"", "\"loss\": \"cubic\"", "loss"},
      {0, "\"loss_parameter\": null", "\"loss_parameter\": 1", "loss_parameter"},
      {0, "\"label_bounds\": null", "\"label_bounds\": [0, 1]", "label_bounds"},
      {0, "\"lambda\": 0.01", "\"lambda\": -0.01", "lambda"},
      {0, "\"lambda_candidates\": null", "\"lambda_candidates\": [1, 2]", "lambda"},
      {0, "\"kernel\": \"linear\"", "\"kernel\": \"linear:1\"", "kernel"},
      {0, "\"kernel\": \"linear\"", "\"kernel\": \"own\"", "kernel"},
      {0, "\"constant\": 0.0", "\"constant\": -1.0", "constant"},
      {0, "\"constant\": 0.0", "\"constant\": 1.0", "features"},
      {0, "\"form\": \"linear\"", "\"form\": \"wave\"", "form"},
      {0, "\"form\": \"linear\"", "\"form\": \"torus\"", "form"},
      {0, "\"features\": 2", "\"features\": 3", "features"},
      {0, "\"features\": 2", "\"features\": 0", "features"},
      {0, "\"kappa\": 1.4", "\"kappa\": 1.5", "kappa"},
      {0, "\"radius\": 1.4", "\"radius\": 0.4", "radius"},
      {0, "\"dimension\": 2", "\"dimension\": 3", "dimension"},
      {0, "\"upper\": 10.0", "\"upper\": -10.0", "inputs"},
      {0, "\"upper\": 10.0", "\"upper\": null", "upper"},
      {0, "\"column\": \"b\"", "\"column\": \"a\"", "inputs"},
      {0, "\"scaling\": \"unit\"", "\"scaling\": \"units\"", "scaling"},
      {0, "\"clip_norm\": null", "\"clip_norm\": 0", "clip_norm"},
      {0, "\"outside\": \"clamp\"", "\"outside\": \"keep\"", "outside"},
      {0, "\"used\": 0.024", "\"used\": 0.023", "sensitivity"},
      {0, "\"bound\": 0.02", "\"bound\": -0.02", "sensitivity"},
      {0, "\"tolerance\":", "\"tolerance\": \"0.1\", \"was\":", "tolerance"},
      {0, "\"law\": \"rounded-normal\"", "\"law\": \"normal\"", "noise"},
      {0, "\"neighbours\": \"replace\"", "\"neighbours\": \"add-remove\"", "replace neighbours"},
      {0, "\"method\": \"finite\"", "\"method\": \"laplace\"", "method"},
      {1, "\"F\"", "\"M\"", "categories"},
      {2, "polynomial:3:1", "polynomial:3", "kernel"},
      {2, "polynomial:3:1", "polynomial:3:1:1", "kernel"},
      {2, "polynomial:3:1", "polynomial:3.5:1", "kernel"},
      {2, "polynomial:3:1", "polynomial:2:1", "features"},
      {2, "polynomial:3:1", "polynomial:3:2", "kappa"},
      {3, "gaussian:0.7", "gaussian:0", "kernel"},
      {3, "gaussian:0.7", "gaussian:1,0", "kernel"},
      {3, "gaussian:0.7", "gaussian:0.1", "features"},
      {3, "gaussian:0.7", "cauchy:0.7", "form"},
      {4, "\"seed\": 5", "\"seed\": 5.5", "seed"},
      {4, "\"seed\": 5", "\"seed\": 9007199254740992", "seed"},
      {4, "\"features\": 41", "\"features\": 42", "features"},
      {4, "\"constant\": 0.25", "\"constant\": 0.0", "features"},
      {5, "\"nugget\":", "\"nugget\": -1, \"was\":", "nugget"},
      {5, "[-0.5, 0.25]", "[-0.5]", "places"},
      {5, "[-0.5, 0.25]", "[-0.5, \"\"]", "places"},
      {9, "\"shape\": \"kernel\"", "\"shape\": \"round\"", "shape"},
      {9, "\"radius\": 2.5", "\"radius\": -1", "radius"},
      {10, "[1, 2], \"values\": [-0.5, 0.25]", "[2, 2], \"values\": [-0.5, 0.25]", "places"},
      {10, "[1, 2], \"values\": [-0.5, 0.25]", "[1, 3], \"values\": [-0.5, 0.25]", "places"},
      {10, "[1, 2], \"values\": [-0.5, 0.25]", "[1], \"values\": [-0.5, 0.25]", "places"},
      {5, "\"law\": \"normal\"", "\"law\": \"rounded-normal\"", "noise"},
      {6, "\"label_bounds\": [", "\"label_bounds\": [40,", "label_bounds"},
      {6, "\"loss_parameter\": 2.0", "\"loss_parameter\": null", "loss_parameter"},
      {7, "\"dimension\": 50", "\"dimension\": 51", "features"},
      {7, "\"dimension\": 50", "\"dimension\": 500000000", "dimension"},
      {7, "\"coordinate_bounds\": [", "\"coordinate_bounds\": [3,", "coordinate_bounds"},
  };
  for (size_t p = 0; p < PLANS; p++) {
    sfm_release *release = machine_make(&plans[p]);
    char *text = printed(release);
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++)
      if (edits[i].plan == p) refused(text, edits[i].from, edits[i].to, edits[i].place);
    free(text);
    sfm_release_destroy(release);
  }
}

/* No member can be left out, and what is cut off anywhere is no machine. */
static void torn_files_are_refused(void **state) {
  (void)state;
  static const char *const members[] = {"rows",           "task",
                                        "label",          "classes",
                                        "label_bounds",   "loss",
                                        "lambda",         "kernel",
                                        "constant",       "form",
                                        "features",       "kappa",
                                        "inputs",         "dimension",
                                        "scaling",        "clip_norm",
                                        "outside",        "radius",
                                        "tolerance",      "sensitivity",
                                        "loss_parameter", "lambda_candidates"};
  sfm_release *release = machine_make(&plans[1]), *none = NULL;
  char *text = printed(release), key[64], other[64];
  sfm_error error;
  for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
    snprintf(key, sizeof key, "\n \"%s\":", members[i]);
    snprintf(other, sizeof other, "\n \"not %s\":", members[i]);
    refused(text, key, other, members[i]);
  }
  for (size_t length = 0; length + 3 < strlen(text); length += 7) {
    assert_int_not_equal(sfm_release_parse(&none, text, length, "file", &error), SFM_OK);
    assert_null(none);
  }
  free(text);
  sfm_release_destroy(release);
}

/* Sizes are refused before anything is allocated by them: here frequencies of 3 GB. */
static void huge_sizes_are_refused(void **state) {
  (void)state;
  const machine_spec plan = {.dimension = 16,
                             .unbounded = true,
                             .clip = 1,
                             .form = SFMI_FEATURE_MAP_RANDOM,
                             .bandwidth = 1,
                             .frequencies = 25};
  sfm_release *release = machine_make(&plan);
  char *text = printed(release);
  refused(text, "\"dimension\": 16", "\"dimension\": 16777216", "features");
  free(text);
  sfm_release_destroy(release);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(comes_back),
      cmocka_unit_test(lambda_chosen_among_candidates),
      cmocka_unit_test(tells_what_it_is),
      cmocka_unit_test(wrong_members_are_refused),
      cmocka_unit_test(torn_files_are_refused),
      cmocka_unit_test(huge_sizes_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
