/* test_mean.c - means under random differential privacy end to end: which rows count as what, the
 * law of the noise, files, and what is refused. */
#include "test_support.h"

#include "data/rows/rows_open.h"
#include "estimators/quantiles/smooth_spread.h"
#include "mechanisms/statistics/mean_release.h"
#include "releases/core/release_data.h"
#include "releases/core/release_write.h"

static sfm_schema *schema_of(double lower, double upper) {
  sfm_error error;
  sfm_schema *schema;
  assert_ok(sfm_schema_create(&schema, &error), &error);
  assert_ok(sfm_schema_set_bounds(schema, "x", lower, upper, &error), &error);
  return schema;
}

static sfm_mean_settings asked(const sfm_schema *schema, double epsilon, double delta,
                               double gamma) {
  sfm_mean_settings s = sfm_mean_settings_default();
  s.context.schema = schema;
  s.column = "x";
  s.epsilon = epsilon;
  s.delta = delta;
  s.gamma = gamma;
  s.context.seeded = true;
  s.context.seed = 1;
  return s;
}

static sfm_release *mean_of(const char *csv, const sfm_mean_settings *s) {
  sfm_error error;
  sfm_rows *rows;
  sfm_release *release;
  assert_ok(sfmi_rows_open_memory(&rows, csv, strlen(csv), 0, &error), &error);
  assert_ok(sfm_mean_release(&release, rows, s, &error), &error);
  sfm_rows_destroy(rows);
  return release;
}

/* Limits count for more, rows without a number as zero, in the order of the file. */
static void rows_count_as_they_should(void **state) {
  (void)state;
  sfm_schema *schema = schema_of(1, 10);
  sfm_mean_settings s = asked(schema, 1, 1e-3, 0.5);
  sfm_release *release = mean_of("y,x\n0,5\n0,200\n0,-7\n0,text\n0,nan\n0\n0,2\n", &s);
  double values[] = {5, 10, 1, 0, 0, 0, 2};
  sfmi_mean_rule rule;
  sfmi_stream *stream;
  sfm_error error;
  sfmi_mean_rule_init(&rule, &s, 7);
  assert_true(rule.width == 10); /* from zero */
  assert_int_equal(rule.rank, 3);
  assert_ok(sfmi_stream_create_seeded(&stream, 1, &error), &error);
  assert_true(sfm_release_coefficient(release, 0) == sfmi_mean_draw(&rule, values, stream));
  sfmi_stream_destroy(stream);
  assert_relative("sensitivity", release->sensitivity, 10.0 / 7, 1e-12);
  sfm_release_destroy(release);
  sfm_schema_destroy(schema);
}

/* The noise is Laplace of scale 2 s/(epsilon n): E|noise| is that, and its square's mean twice. */
static void noise_has_its_law(void **state) {
  (void)state;
  enum { N = 40, DRAWS = 20000 };
  sfm_schema *schema = schema_of(-100, 100);
  const sfm_mean_settings s = asked(schema, 0.5, 1e-2, 0.2);
  sfmi_mean_rule rule;
  sfmi_stream *stream;
  sfm_error error;
  double values[N], copy[N], size = 0, square = 0, sum = 0;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  for (int i = 0; i < N; i++) values[i] = sfmi_prng_normal(&prng);
  for (int i = 0; i < N; i++) sum += values[i] / N;
  sfmi_mean_rule_init(&rule, &s, N);
  memcpy(copy, values, sizeof copy);
  const double spread = sfmi_smooth_spread(copy, N, rule.rank, rule.beta, rule.width);
  const double scale = 2 * spread / (0.5 * N);
  assert_ok(sfmi_stream_create_seeded(&stream, 6, &error), &error);
  for (int d = 0; d < DRAWS; d++) {
    memcpy(copy, values, sizeof copy);
    const double noise = (sfmi_mean_draw(&rule, copy, stream) - sum) / scale;
    size += fabs(noise) / DRAWS;
    square += noise * noise / DRAWS;
  }
  sfmi_stream_destroy(stream);
  sfm_schema_destroy(schema);
  assert_near("E|noise|", size, 1, TEST_Z / sqrt(DRAWS));
  assert_near("E noise^2", square, 2, TEST_Z * sqrt(20.0 / DRAWS));
}

static void files_are_read_back(void **state) {
  (void)state;
  sfm_schema *schema = schema_of(0, 10);
  const sfm_mean_settings s = asked(schema, 1, 1e-6, 0.05);
  sfm_error error;
  char *bytes;
  size_t length;
  sfm_release *made = mean_of("x\n5\n6\n", &s), *again;
  assert_ok(sfmi_release_print(made, &bytes, &length, &error), &error);
  assert_null(strstr(bytes, "inf"));
  assert_non_null(strstr(bytes, "\"scale\": null"));
  assert_non_null(strstr(bytes, "\"band\": null"));
  assert_non_null(strstr(bytes, "extreme individuals"));
  assert_ok(sfm_release_parse(&again, bytes, length, "it", &error), &error);
  assert_string_equal(sfm_kind_name(sfm_release_kind(again)), "mean");
  assert_string_equal(sfm_release_method(again), "empirical");
  assert_string_equal(sfm_release_column(again, 0), "x");
  assert_true(sfm_release_coefficient(again, 0) == sfm_release_coefficient(made, 0));
  const sfm_guarantee g = sfm_release_guarantee(again);
  assert_true(g.kind == SFM_GUARANTEE_RANDOM_DP && g.epsilon == 1 && g.delta == 1e-6 &&
              g.gamma == 0.05);
  assert_false(sfm_release_hardened(again));
  assert_true(isnan(sfm_release_band(again).half_width));
  sfm_band band;
  assert_int_equal(sfm_release_band_at(again, &band, 0.9, &error), SFM_INVALID);
  sfm_release_destroy(again);
  static const char *const damage[][2] = {
      {"\"scale\": null", "\"scale\": 3"},
      {"\"random-dp\"", "\"pure\""},
      {"\"replace\"", "\"add-remove\""},
      {"\"rows\": 2", "\"rows\": 0"},
      {"\"rows\": 2", "\"rows\": -2"},
      {"\"lower\": 0.0", "\"lower\": 20"},
      {"\"hardened\": false", "\"hardened\": true"},
      {"\"clamp\"", "\"drop\""},
      {"\"domain\": [", "\"domain\": [1, "},
      {"\"column\"", "\"row\""},
  };
  for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
    const char *at = strstr(bytes, damage[i][0]);
    char *bad = NULL;
    assert_non_null(at);
    assert_true(asprintf(&bad, "%.*s%s%s", (int)(at - bytes), bytes, damage[i][1],
                         at + strlen(damage[i][0])) > 0);
    if (sfm_release_parse(&again, bad, strlen(bad), "it", &error) != SFM_FORMAT)
      fail_msg("%s was accepted", damage[i][1]);
    free(bad);
  }
  free(bytes);
  sfm_release_destroy(made);
  sfm_schema_destroy(schema);
}

static void refused(const char *word, const sfm_mean_settings *s, const char *csv) {
  sfm_error error = {0};
  sfm_rows *rows;
  sfm_release *release;
  assert_ok(sfmi_rows_open_memory(&rows, csv, strlen(csv), 0, &error), &error);
  assert_int_equal(sfm_mean_release(&release, rows, s, &error), SFM_INVALID);
  if (!strstr(error.message, word)) fail_msg("'%s' does not say '%s'", error.message, word);
  assert_null(release);
  sfm_rows_destroy(rows);
}

static void wrong_settings_are_refused(void **state) {
  (void)state;
  static const char csv[] = "x\n1\n2\n3\n";
  sfm_error error;
  sfm_schema *schema = schema_of(0, 10);
  const sfm_mean_settings good = asked(schema, 1, 1e-6, 0.05);
  const double wrong[] = {0, -1, NAN, INFINITY};
  sfm_mean_settings s;
  for (int i = 0; i < 4; i++) {
    s = good;
    s.gamma = wrong[i];
    refused("settings.gamma", &s, csv);
    s = good;
    s.epsilon = wrong[i];
    refused("epsilon", &s, csv);
    s = good;
    s.delta = wrong[i];
    refused("delta", &s, csv);
  }
  s = good;
  s.delta = 0.6;
  refused("delta", &s, csv);
  s = good;
  s.column = "y";
  refused("y", &s, csv);
  const sfm_charge charge = {0};
  s = good;
  s.context.charge = &charge;
  refused("ledger", &s, csv);
  refused("at least two records", &good, "x\n1\n");
  refused("at least two records", &good, "x\n");
  sfm_schema *other = schema_of(0, 10);
  assert_ok(sfm_schema_set_neighbours(other, SFM_NEIGHBOURS_ADD_REMOVE, &error), &error);
  s = asked(other, 1, 1e-6, 0.05);
  refused("replace", &s, csv);
  sfm_schema_destroy(other);
  other = schema_of(0, 10);
  assert_ok(sfm_schema_set_contributions(other, 2, &error), &error);
  s = asked(other, 1, 1e-6, 0.05);
  refused("contributions", &s, csv);
  sfm_schema_destroy(other);
  other = schema_of(0, 10);
  assert_ok(sfm_schema_set_person(other, "id", &error), &error);
  s = asked(other, 1, 1e-6, 0.05);
  refused("schema.person", &s, "id,x\n1,1\n2,2\n");
  sfm_schema_destroy(other);
  other = schema_of(-1e200, 1);
  s = asked(other, 1, 1e-6, 0.05);
  refused("1e150", &s, csv);
  sfm_schema_destroy(other);
  sfm_schema_destroy(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_count_as_they_should),
      cmocka_unit_test(noise_has_its_law),
      cmocka_unit_test(files_are_read_back),
      cmocka_unit_test(wrong_settings_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
