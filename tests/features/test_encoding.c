/* test_encoding.c - from columns to coordinates: what becomes of a record, that no row is longer
 * than the radius, and what is refused. */
#include "test_support.h"

#include "features/maps/encoding.h"
#include "encoding_fixtures.h"

/* Double the digits: |u|^2 as a long double is exact enough to tell. */
static long double square(const double *u, size_t count) {
  long double sum = 0;
  for (size_t i = 0; i < count; i++) sum += (long double)u[i] * u[i];
  return sum;
}

static sfmi_encoding mixed(sfm_scaling scaling, double clip, bool drop) {
  sfmi_encoding encoding = {.scaling = scaling, .clip = clip, .drop = drop};
  encode_number(&encoding, "age", 0, 100);
  encode_categories(&encoding, "sex", (const char *const[]){"F", "M", "X"}, 3);
  encode_number(&encoding, "income", -10, 30);
  return encoding;
}

static void columns_become_coordinates(void **state) {
  (void)state;
  sfm_error error;
  sfmi_encoding encoding = mixed(SFM_SCALING_UNIT, INFINITY, false);
  assert_ok(sfmi_encoding_complete(&encoding, &error), &error);
  assert_int_equal(encoding.dimension, 5);
  assert_true(encoding.radius == nextafter(sqrt(3), 2) || encoding.radius == sqrt(3));
  assert_true((long double)encoding.radius * encoding.radius >= 3);
  uint32_t indices[3];
  double u[3];
  assert_int_equal(sfmi_encoding_row(&encoding, indices, u, (double[]){75, 1, 30}), 3);
  assert_int_equal(indices[0], 0);
  assert_int_equal(indices[1], 2);
  assert_int_equal(indices[2], 4);
  assert_true(u[0] == 0.5 && u[1] == 1 && u[2] == 1);
  /* Clamped; a coordinate that is zero is left out. */
  assert_int_equal(sfmi_encoding_row(&encoding, indices, u, (double[]){-3, 0, 10}), 2);
  assert_true(indices[0] == 0 && u[0] == -1 && indices[1] == 1 && u[1] == 1);
  double lower, upper;
  sfmi_encoding_range(&encoding, &lower, &upper, 3);
  assert_true(lower == 0 && upper == 1);
  sfmi_encoding_range(&encoding, &lower, &upper, 4);
  assert_true(lower == -1 && upper == 1);
  assert_int_equal(sfmi_encoding_width(&encoding, 9), 3);
  sfmi_encoding_clear(&encoding);
}

static void what_does_not_fit_has_no_row(void **state) {
  (void)state;
  static const double bad[][3] = {{NAN, 0, 0}, {INFINITY, 0, 0}, {1, NAN, 0},      {1, 3, 0},
                                  {1, -1, 0},  {1, 0.5, 0},      {1, 0, -INFINITY}};
  sfm_error error;
  uint32_t indices[3];
  double u[3];
  for (int drop = 0; drop < 2; drop++) {
    sfmi_encoding encoding = mixed(SFM_SCALING_UNIT, INFINITY, drop);
    assert_ok(sfmi_encoding_complete(&encoding, &error), &error);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
      assert_true(sfmi_encoding_row(&encoding, indices, u, bad[i]) == SFMI_NO_ROW);
    const size_t outside = sfmi_encoding_row(&encoding, indices, u, (double[]){101, 0, 0});
    assert_true(drop ? outside == SFMI_NO_ROW : outside == 3);
    sfmi_encoding_clear(&encoding);
  }
}

static void scalings_are_what_they_say(void **state) {
  (void)state;
  sfm_error error;
  uint32_t indices[3];
  double u[3], lower, upper;
  sfmi_encoding encoding = mixed(SFM_SCALING_BALL, INFINITY, false);
  assert_ok(sfmi_encoding_complete(&encoding, &error), &error);
  assert_true(encoding.radius == 1);
  assert_int_equal(sfmi_encoding_row(&encoding, indices, u, (double[]){100, 2, -10}), 3);
  assert_near("factor", u[0], 1 / sqrt(3), 1e-15);
  assert_true(u[1] == u[0] && u[2] == -u[0]);
  assert_true(square(u, 3) <= 1);
  sfmi_encoding_clear(&encoding);
  encoding = mixed(SFM_SCALING_NONE, INFINITY, false);
  assert_ok(sfmi_encoding_complete(&encoding, &error), &error);
  assert_near("corner", encoding.radius, sqrt(100. * 100 + 1 + 30 * 30), 1e-12);
  assert_int_equal(sfmi_encoding_row(&encoding, indices, u, (double[]){100, 2, 40}), 3);
  assert_true(u[0] == 100 && u[1] == 1 && u[2] == 30);
  sfmi_encoding_range(&encoding, &lower, &upper, 4);
  assert_true(lower == -10 && upper == 30);
  sfmi_encoding_clear(&encoding);
  encoding = mixed(SFM_SCALING_NONE, 2, false);
  assert_ok(sfmi_encoding_complete(&encoding, &error), &error);
  assert_true(encoding.radius == 2);
  sfmi_encoding_range(&encoding, &lower, &upper, 0);
  assert_true(lower == 0 && upper == 2);
  sfmi_encoding_clear(&encoding);
}

/* Every scaling, with and without a clip, at corners, beyond them and anywhere. */
static void no_row_is_longer_than_the_radius(void **state) {
  (void)state;
  enum { MOST = 40 };
  sfm_error error;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 11);
  for (size_t round = 0; round < 600; round++) {
    const size_t count = 1 + (size_t)(sfmi_prng_uniform(&prng) * MOST);
    const sfm_scaling scaling = (sfm_scaling)(round % 3);
    sfmi_encoding encoding = {.scaling = scaling,
                              .clip = round % 2 ? INFINITY : exp(4 * sfmi_prng_normal(&prng))};
    for (size_t i = 0; i < count; i++) {
      const double a = exp(9 * sfmi_prng_normal(&prng)), b = exp(9 * sfmi_prng_normal(&prng));
      char name[32];
      snprintf(name, sizeof name, "c%zu", i);
      if (i % 5 == 4)
        encode_categories(&encoding, name, (const char *const[]){"p", "q"}, 2);
      else
        encode_number(&encoding, name, -a, b);
    }
    assert_ok(sfmi_encoding_complete(&encoding, &error), &error);
    for (size_t row = 0; row < 50; row++) {
      uint32_t indices[MOST];
      double u[MOST], cells[MOST], lower, upper;
      for (size_t i = 0; i < count; i++) {
        const sfmi_input *input = &encoding.inputs[i];
        const double p = sfmi_prng_uniform(&prng);
        cells[i] = p < 0.4   ? input->lower
                   : p < 0.8 ? input->upper
                   : p < 0.9 ? 1e300
                             : input->lower + (input->upper - input->lower) * p;
        if (input->categories) cells[i] = p < 0.5;
      }
      const size_t nonzeros = sfmi_encoding_row(&encoding, indices, u, cells);
      assert_true(nonzeros <= count);
      assert_true(square(u, nonzeros) <= (long double)encoding.radius * encoding.radius);
      for (size_t j = 0; j < nonzeros; j++) {
        sfmi_encoding_range(&encoding, &lower, &upper, indices[j]);
        assert_true(u[j] >= lower && u[j] <= upper);
      }
    }
    sfmi_encoding_clear(&encoding);
  }
}

static void sparse_rows_are_checked(void **state) {
  (void)state;
  sfm_error error;
  sfmi_encoding encoding = {.scaling = SFM_SCALING_NONE, .clip = 1, .dimension = 10};
  assert_ok(sfmi_encoding_complete(&encoding, &error), &error);
  assert_true(encoding.radius == 1);
  uint32_t indices[3] = {0, 4, 9};
  double u[3] = {3, 0, 4};
  assert_int_equal(sfmi_encoding_sparse(&encoding, indices, u, 3), 2);
  assert_true(indices[0] == 0 && indices[1] == 9 && square(u, 2) <= 1);
  assert_near("shortened", u[0], 0.6, 1e-14);
  assert_true(sfmi_encoding_sparse(&encoding, (uint32_t[]){0, 10}, (double[]){1, 1}, 2) ==
              SFMI_NO_ROW);
  assert_true(sfmi_encoding_sparse(&encoding, (uint32_t[]){4, 4}, (double[]){1, 1}, 2) ==
              SFMI_NO_ROW);
  assert_true(sfmi_encoding_sparse(&encoding, (uint32_t[]){5, 4}, (double[]){1, 1}, 2) ==
              SFMI_NO_ROW);
  assert_true(sfmi_encoding_sparse(&encoding, (uint32_t[]){5}, (double[]){NAN}, 1) == SFMI_NO_ROW);
  assert_int_equal(sfmi_encoding_sparse(&encoding, indices, u, 0), 0);
  sfmi_encoding_clear(&encoding);
  encoding = (sfmi_encoding){.scaling = SFM_SCALING_NONE,
                             .clip = INFINITY,
                             .dimension = 14,
                             .bounded = true,
                             .lower = 0,
                             .upper = 1,
                             .drop = true};
  assert_ok(sfmi_encoding_complete(&encoding, &error), &error);
  assert_true((long double)encoding.radius * encoding.radius >= 14);
  assert_near("root of 14", encoding.radius, sqrt(14), 1e-14);
  assert_true(sfmi_encoding_sparse(&encoding, (uint32_t[]){5}, (double[]){2}, 1) == SFMI_NO_ROW);
  encoding.drop = false;
  u[0] = 2;
  indices[0] = 5;
  assert_int_equal(sfmi_encoding_sparse(&encoding, indices, u, 1), 1);
  assert_true(u[0] == 1);
  sfmi_encoding_clear(&encoding);
}

static void refuse(sfmi_encoding encoding, const char *needle) {
  sfm_error error;
  assert_int_equal(sfmi_encoding_complete(&encoding, &error), SFM_INVALID);
  if (!strstr(error.message, needle)) fail_msg("'%s' does not say '%s'", error.message, needle);
  assert_null(encoding.inputs);
}

static void what_limits_nothing_is_refused(void **state) {
  (void)state;
  sfmi_encoding open = {.scaling = SFM_SCALING_UNIT, .clip = INFINITY};
  encode_number(&open, "a", 0, 1);
  encode_number(&open, "free", NAN, NAN);
  refuse(open, "column 'free' has neither bounds nor categories");
  sfmi_encoding ball = {.scaling = SFM_SCALING_BALL, .clip = 1};
  encode_number(&ball, "free", NAN, NAN);
  refuse(ball, "settings.scaling = ball");
  sfmi_encoding backwards = {.scaling = SFM_SCALING_UNIT, .clip = INFINITY};
  encode_number(&backwards, "a", 1, 1);
  refuse(backwards, "the lower one first");
  sfmi_encoding wide = {.scaling = SFM_SCALING_NONE, .clip = INFINITY};
  encode_number(&wide, "a", -1e308, 1e308);
  refuse(wide, "overflows");
  refuse((sfmi_encoding){.clip = 0, .dimension = 3}, "positive length");
  refuse((sfmi_encoding){.clip = 1, .scaling = SFM_SCALING_NONE}, "rows.dimension");
  refuse((sfmi_encoding){.clip = 1, .dimension = 3}, "settings.scaling = none");
  refuse((sfmi_encoding){.clip = INFINITY, .dimension = 3, .scaling = SFM_SCALING_NONE},
         "settings.clip_norm");
  refuse((sfmi_encoding){.clip = 1,
                         .dimension = 3,
                         .scaling = SFM_SCALING_NONE,
                         .bounded = true,
                         .lower = 1,
                         .upper = 2},
         "with 0 among them");
}

static void copies_are_their_own(void **state) {
  (void)state;
  sfm_error error;
  sfmi_encoding encoding = mixed(SFM_SCALING_UNIT, INFINITY, false), copy;
  assert_ok(sfmi_encoding_complete(&encoding, &error), &error);
  assert_true(sfmi_encoding_copy(&copy, &encoding));
  sfmi_encoding_clear(&encoding);
  assert_string_equal(copy.inputs[1].categories[2], "X");
  assert_string_equal(copy.inputs[2].name, "income");
  assert_int_equal(copy.dimension, 5);
  sfmi_encoding_clear(&copy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_become_coordinates),
      cmocka_unit_test(what_does_not_fit_has_no_row),
      cmocka_unit_test(scalings_are_what_they_say),
      cmocka_unit_test(no_row_is_longer_than_the_radius),
      cmocka_unit_test(sparse_rows_are_checked),
      cmocka_unit_test(what_limits_nothing_is_refused),
      cmocka_unit_test(copies_are_their_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
