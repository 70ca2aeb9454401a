/* test_resources.c - small files that state large things: they are shown within the memory that
 * docs/format.md allows, and what would take more is refused before it is allocated.  Bounds are
 * compared with what a process of its own really took, never with time. */
/* suite: release */
#include "density_fixture.h"

#include <jansson.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/math/fft/fft.h"
#include "base/math/fft/fft_cost.h"
#include "releases/band/noise_variance.h"
#include "releases/core/release_data.h"
#include "releases/eval/grid_density.h"
#include "releases/core/release_write.h"
#include "releases/kinds/machine_values.h"
#include "sfumato/machine.h"
#include "sfumato/refine.h"
#include "sfumato/sample.h"

#define CORPUS SFM_SOURCE_DIR "/tests/fuzz/corpus/fuzz_release/"
#define VECTORS SFM_SOURCE_DIR "/tests/vectors/0.1/"

/* What a process takes before it does anything, and what malloc keeps; and what a child takes
 * beside its work: the stacks of threads, and pages that it shares no longer. */
static const double PROCESS = 24e6, CHILD = 3e6;

static char *read_text(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  char *text = calloc(1 << 20, 1);
  *length = fread(text, 1, (1 << 20) - 1, file);
  fclose(file);
  return text;
}

/* Bytes that a child took at most; -1 when it failed. */
static double taken(int (*work)(void *context), void *context) {
  int status;
  struct rusage usage;
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) _exit(work(context));
  assert_int_equal(wait4(child, &status, 0, &usage), child);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return -1;
  return 1024.0 * (double)usage.ru_maxrss;
}

typedef struct job {
  const char *text;
  size_t length;
  const sfm_release *release;
} job;

static int show(void *context) {
  const job *j = context;
  sfm_release *release = NULL;
  sfm_error error;
  char *summary;
  if (sfm_release_parse(&release, j->text, j->length, "file", &error)) return 1;
  return sfm_release_summary(release, &summary, &error) ? 1 : 0;
}

static void files_are_shown_within_their_size(void **state) {
  (void)state;
  static const char *const paths[] = {CORPUS "machine-random-wide", CORPUS "lattice-padded",
                                      VECTORS "lattice.sfm", VECTORS "histogram.sfm"};
  if (test_sanitized()) skip();
  for (size_t i = 0; i < 4; i++) {
    job j = {0};
    char *text = read_text(paths[i], &j.length);
    j.text = text;
    const double bytes = taken(show, &j);
    if (!(bytes > 0 && bytes < 64e6 + 200 * (double)j.length))
      fail_msg("%s of %zu bytes took %.3g", paths[i], j.length, bytes);
    free(text);
  }
}

/* {"a": [x,x,...,x]} */
static char *repeat(const char *x, size_t count, size_t *length) {
  const size_t size = strlen(x);
  char *text = malloc(16 + (size + 1) * count), *at = text;
  at += sprintf(at, "{\"a\":[");
  for (size_t i = 0; i < count; i++) at += sprintf(at, i ? ",%s" : "%s", x);
  at += sprintf(at, "]}");
  *length = (size_t)(at - text);
  return text;
}

static int parse(void *context) {
  const job *j = context;
  json_t *root = json_loadb(j->text, j->length, 0, NULL);
  return root == NULL;
}

/* The bound on parsed values holds for whatever they are, and nested ones are refused by it. */
static void parsed_values_are_counted(void **state) {
  (void)state;
  static const char *const values[] = {
      "[]", "{}", "0", "\"\"", "[0]", "{\"\":0}", "{\"a\":[]}", "1e9", "[[[[[[[[]]]]]]]]", "null"};
  if (test_sanitized()) skip();
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    job j = {0};
    char *text = repeat(values[i], 400000, &j.length);
    j.text = text;
    const double bytes = taken(parse, &j), bound = sfmi_resources_reading(text, j.length).bytes;
    if (!(bytes > 0 && bytes <= bound + PROCESS + (double)j.length))
      fail_msg("%s: took %.3g where %.3g was the bound", values[i], bytes, bound);
    free(text);
  }
  size_t length;
  char *text = repeat("[]", 7000000, &length);
  sfm_release *release = NULL;
  sfm_error error = {0};
  assert_int_equal(sfm_release_parse(&release, text, length, "file", &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "file: reading it may take"));
  assert_non_null(strstr(error.message, "sfm_release_read_within"));
  free(text);
}

static void small_files_of_large_things_are_refused(void **state) {
  (void)state;
  const sfm_refine_settings settings = sfm_refine_settings_default();
  sfm_release *release = NULL, *refined = NULL;
  sfm_error error = {0};
  sfm_band band;
  assert_ok(sfm_release_read(&release, CORPUS "lattice-padded", &error), &error);
  assert_int_equal(sfm_release_refine(&refined, release, &settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "refining it may take"));
  assert_null(refined);
  sfm_release_destroy(release);
  /* What is made of a release has its limits. */
  sfm_resource_limits limits = sfm_resource_limits_default();
  limits.work_bytes = 5e8;
  assert_ok(sfm_release_read_within(&release, CORPUS "lattice-padded", &limits, &error), &error);
  assert_int_equal(sfm_release_band_at(release, &band, 0.5, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "computing its band may take"));
  assert_non_null(strstr(error.message, "sfm_release_read_within"));
  sfm_release_destroy(release);
  limits.work_bytes = 1e3;
  limits.work_bytes_each = 0;
  assert_ok(sfm_release_read_within(&release, VECTORS "lattice.sfm", &limits, &error), &error);
  sfm_evaluator *evaluator = NULL;
  assert_int_equal(sfm_evaluator_create(&evaluator, release, 0, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "evaluating it may take"));
  sfm_release_destroy(release);
  limits = sfm_resource_limits_none();
  assert_ok(sfm_release_read_within(&release, VECTORS "lattice.sfm", &limits, &error), &error);
  assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  sfm_evaluator_destroy(evaluator);
  sfm_release_destroy(release);
}

/* A lattice of so many cells an axis with a bandwidth of so many widths of its domain. */
static sfm_release *lattice(size_t dimension, size_t cells, double bandwidth,
                            sfm_boundary boundary) {
  double rows[60];
  sfm_error error;
  density_fixture t;
  char *bytes;
  size_t length, total = 1;
  density_fixture_rows(rows, 20, dimension, 0, 1, 20);
  density_fixture_init(&t, dimension, 0, 1, 0.5, 1, 0);
  const sfm_boundary boundaries[] = {boundary, boundary, boundary};
  t.settings.boundary = boundaries;
  t.settings.method = SFM_DENSITY_LATTICE;
  t.settings.context.seeded = true;
  sfm_release *made = density_fixture_release(&t, rows, 20), *release = NULL;
  assert_ok(sfmi_release_print(made, &bytes, &length, &error), &error);
  json_t *root = json_loadb(bytes, length, 0, NULL), *sizes = json_array(), *widths = json_array(),
         *coefficients = json_array();
  free(bytes);
  const bool open = boundary == SFM_BOUNDARY_OPEN;
  const size_t points = open ? cells + made->function->lattice.order - 1 : cells;
  for (size_t a = 0; a < dimension; a++) {
    json_array_append_new(sizes, json_integer((json_int_t)cells));
    json_array_append_new(widths, json_real(bandwidth));
    total *= points;
  }
  for (size_t i = 0; i < total; i++)
    json_array_append_new(coefficients, json_integer((json_int_t)(1000000 * (i % 7 + 1))));
  json_object_set_new(json_object_get(root, "lattice"), "cells", sizes);
  json_object_set_new(root, "bandwidth", widths);
  json_object_set_new(root, "length", json_integer((json_int_t)total));
  json_object_set_new(root, "coefficients", coefficients);
  bytes = json_dumps(root, JSON_REAL_PRECISION(17));
  json_decref(root);
  const sfm_resource_limits none = sfm_resource_limits_none();
  assert_ok(sfm_release_parse_within(&release, bytes, strlen(bytes), "it", &none, &error), &error);
  free(bytes);
  release->draws = 20; /* of its band: more take time and no memory */
  sfm_release_destroy(made);
  density_fixture_clear(&t);
  return release;
}

static int evaluate(void *context) {
  const job *j = context;
  sfm_evaluator *evaluator;
  sfm_error error;
  return sfm_evaluator_create(&evaluator, j->release, 0, &error) ? 1 : 0;
}

static int refine(void *context) {
  const job *j = context;
  const sfm_refine_settings settings = sfm_refine_settings_default();
  sfm_release *refined;
  sfm_error error;
  return sfm_release_refine(&refined, j->release, &settings, &error) ? 1 : 0;
}

static int bound(void *context) {
  const job *j = context;
  sfm_band band;
  sfm_error error;
  return sfm_release_band_at(j->release, &band, 0.5, &error) ? 1 : 0;
}

static int add_noise(void *context) {
  const job *j = context;
  double energy;
  sfm_error error;
  return sfmi_integrated_noise_variance(&energy, j->release, &error) ? 1 : 0;
}

static int draw(void *context) {
  const job *j = context;
  sfm_sample *sample;
  sfm_error error;
  return sfm_sample_create(&sample, j->release, NULL, 0, 1, &error) ? 1 : 0;
}

static int do_nothing(void *context) {
  (void)context;
  return 0;
}

/* What a child begins with: what this process has in memory now, not at its peak. */
static double resident(void) {
  malloc_trim(0);
  return taken(do_nothing, NULL);
}

static void compare(const char *what, int (*work)(void *), const sfm_release *release,
                    double bound_bytes) {
  job j = {.release = release};
  const double before = resident(), all = taken(work, &j), bytes = all - before;
  if (!(all > 0)) fail_msg("%s in %zu dimensions failed", what, release->dimension);
  if (!(bytes <= bound_bytes + CHILD))
    fail_msg("%s in %zu dimensions of %zu numbers took %.4g where %.4g was the bound", what,
             release->dimension, release->length, bytes, bound_bytes);
}

/* What lattices really take is within the bound.  Where bounds are open a ring's size is a product
 * of small primes; otherwise it is the number of cells or twice that, and may be a prime. */
static void bounds_are_bounds(void **state) {
  (void)state;
  static const sfm_boundary OPEN = SFM_BOUNDARY_OPEN, REFLECT = SFM_BOUNDARY_REFLECT,
                            RING = SFM_BOUNDARY_PERIODIC;
  const struct {
    size_t dimension, cells;
    double bandwidth;
    sfm_boundary boundary;
  } cases[] = {{1, 3000, 10, OPEN},        {1, 300000, 0.01, OPEN},  {1, 20000, 9, OPEN},
               {2, 20, 5, OPEN},           {2, 400, 0.05, OPEN},     {3, 3, 4, OPEN},
               {1, 5003, 0.05, RING},      {1, 5003, 0.05, REFLECT}, {1, 600011, 0.01, RING},
               {1, 300007, 0.01, REFLECT}, {2, 601, 0.05, RING},     {2, 401, 0.05, REFLECT},
               {3, 37, 0.2, REFLECT}};
  if (test_sanitized()) skip();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sfm_release *release =
        lattice(cases[i].dimension, cases[i].cells, cases[i].bandwidth, cases[i].boundary);
    sfmi_places grid;
    sfm_error error;
    assert_ok(sfmi_grid_density_choose(&grid, release, &error), &error);
    compare("evaluating", evaluate, release, sfmi_resources_evaluator(release, false).bytes);
    compare("refining", refine, release,
            sfmi_resources_grid_density(release, grid.counts, 1, true).bytes);
    compare("drawing", draw, release,
            sfmi_resources_grid_density(release, grid.counts, 1, false).bytes);
    compare("the variance of its noise", add_noise, release,
            sfmi_resources_noise_variance(release).bytes);
    if (cases[i].cells < 100000)
      compare("its band", bound, release, sfmi_resources_band(release, 1).bytes);
    sfm_release_destroy(release);
  }
}

typedef struct transform_job {
  size_t dimension, shape[4];
} transform_job;

static int transform(void *context) {
  const transform_job *j = context;
  sfmi_fft *fft;
  sfm_error error;
  if (sfmi_fft_create(&fft, j->shape, j->dimension, &error)) return 1;
  sfmi_fft_forward(fft);
  return 0;
}

/* In passes, long ones, along columns of which there are few or many, and convolutions. */
static void transforms_take_what_is_counted(void **state) {
  (void)state;
  static const transform_job jobs[] = {
      {1, {4000000}},       {1, {1000003}},       {2, {20000, 3}},  {2, {8192, 300}},
      {2, {2, 1000000}},    {2, {400000, 5}},     {2, {17, 60000}}, {2, {200003, 3}},
      {3, {131, 127, 113}}, {4, {30, 32, 35, 36}}};
  if (test_sanitized()) skip();
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
    transform_job j = jobs[i];
    const double before = resident(), all = taken(transform, &j),
                 bound = sfmi_fft_cost_of(j.shape, j.dimension).bytes;
    if (!(all > 0 && all - before <= bound + CHILD && all - before >= 0.5 * bound - CHILD))
      fail_msg("shape %zu took %.4g where %.4g was the bound", i, all - before, bound);
  }
}

/* What one point costs is in the file; how many there are is not, and refuses nothing. */
static void many_points_are_no_fault_of_the_file(void **state) {
  (void)state;
  enum { POINTS = 2000000 };
  sfm_error error = {0};
  sfm_release *release = NULL;
  size_t length;
  char *text = read_text(CORPUS "machine-random-wide", &length);
  const sfm_resource_limits limits = {
      .read_bytes = 64e6, .work_bytes = 1e9, .work_operations = 5e10};
  assert_ok(sfm_release_parse_within(&release, text, length, "file", &limits, &error), &error);
  assert_ok(sfmi_machine_model_check_resources(release, 1000, false, &error), &error);
  assert_ok(sfmi_machine_model_check_resources(release, POINTS, false, &error), &error);
  sfm_release_destroy(release);
  free(text);
  text = read_text(VECTORS "lattice.sfm", &length);
  const sfm_resource_limits little = {
      .read_bytes = 64e6, .work_bytes = 1e9, .work_operations = 1e7};
  assert_ok(sfm_release_parse_within(&release, text, length, "file", &little, &error), &error);
  const sfmi_resources few = sfmi_resources_points_asked(release, 1000, false),
                       many = sfmi_resources_points_asked(release, POINTS, false),
                       chosen = sfmi_resources_points(release, POINTS, false);
  assert_true(few.operations > 0);
  assert_near("asked", many.operations, few.operations, 1e-9 * few.operations);
  assert_near("chosen here", chosen.operations, POINTS / 1000 * few.operations,
              1e-9 * chosen.operations);
  sfm_release_destroy(release);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_are_shown_within_their_size),
      cmocka_unit_test(parsed_values_are_counted),
      cmocka_unit_test(small_files_of_large_things_are_refused),
      cmocka_unit_test(many_points_are_no_fault_of_the_file),
      cmocka_unit_test(bounds_are_bounds),
      cmocka_unit_test(transforms_take_what_is_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
