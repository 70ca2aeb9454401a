/* test_partial_sums.c - whoever writes a partial can write its hash, too: sums of another form or
 * number than the release needs, and such as no records have, are refused before the charge, and
 * the largest that records can have are not. */
#include "test_support.h"

#include "data/partial/partial.h"
#include "estimators/curves/curve_sum.h"
#include "estimators/sums/basis_sums.h"
#include "mechanisms/core/release_run.h"
#include "sfumato/optimal.h"

enum { ROWS = 9 };

static sfm_error error;
static bool reached_charge;

static void watch(sfmi_release_step step, bool done) {
  (void)done;
  reached_charge = reached_charge || step == SFMI_STEP_CHARGE;
}

/* One release: its settings, and the partial that stands for rows. */
typedef struct subject {
  sfm_schema *schema;
  sfm_density_settings density;
  sfm_histogram_settings histogram;
  sfm_count_settings count;
  sfm_series_settings series;
  sfm_curve_settings curve;
  sfm_release *mechanism;
  sfm_partial *partial;
  sfm_status (*release)(sfm_release **out, const struct subject *s, sfm_rows *rows);
} subject;

static sfm_context context_of(subject *s, bool add_remove) {
  static const char *const categories[] = {"a", "b"};
  sfm_context context = sfm_context_default();
  assert_ok(sfm_schema_create(&s->schema, &error), &error);
  assert_ok(sfm_schema_set_bounds(s->schema, "x", 0, 1, &error), &error);
  assert_ok(sfm_schema_set_bounds(s->schema, "y", 0, 1, &error), &error);
  assert_ok(sfm_schema_set_categories(s->schema, "g", categories, 2, &error), &error);
  if (add_remove)
    assert_ok(sfm_schema_set_neighbours(s->schema, SFM_NEIGHBOURS_ADD_REMOVE, &error), &error);
  context.schema = s->schema;
  context.seeded = true;
  return context;
}

static sfm_part part_of(bool add_remove) {
  sfm_part part = sfm_part_default();
  part.rows = add_remove ? 0 : ROWS;
  return part;
}

static sfm_status release_density(sfm_release **out, const subject *s, sfm_rows *rows) {
  return sfm_density_release(out, NULL, rows, &s->density, &error);
}
static sfm_status release_histogram(sfm_release **out, const subject *s, sfm_rows *rows) {
  return sfm_histogram_release(out, rows, &s->histogram, &error);
}
static sfm_status release_count(sfm_release **out, const subject *s, sfm_rows *rows) {
  return sfm_count_release(out, rows, &s->count, &error);
}
static sfm_status release_series(sfm_release **out, const subject *s, sfm_rows *rows) {
  return sfm_series_release(out, NULL, rows, &s->series, &error);
}
static sfm_status release_curve(sfm_release **out, const subject *s, sfm_rows *rows) {
  return sfm_curve_release(out, NULL, rows, &s->curve, &error);
}

static subject density_of(sfm_density_method method, sfm_engine engine) {
  static const char *const columns[] = {"x"};
  static const double bandwidth[] = {0.3};
  subject s = {.release = release_density};
  const sfm_part part = part_of(false);
  s.density = sfm_density_settings_default();
  s.density.context = context_of(&s, false);
  s.density.columns = columns;
  s.density.dimension = 1;
  s.density.bandwidth = bandwidth;
  s.density.method = method;
  s.density.engine = engine;
  s.density.features = engine == SFM_ENGINE_RANDOM ? 8 : 0;
  s.density.epsilon = 1;
  s.density.delta = method == SFM_DENSITY_GP ? 1e-6 : 0;
  s.density.terms = method == SFM_DENSITY_FOURIER_LAPLACE ? 3 : 0;
  assert_ok(sfm_density_partial_create(&s.partial, &s.density, &part, &error), &error);
  return s;
}

static subject histogram_of(sfm_histogram_form form) {
  static const sfm_histogram_column dense[] = {{"g", 0}}, large[] = {{"x", 1000}, {"y", 1000}},
                                    texts[] = {{"t", 0}, {"g", 0}};
  subject s = {.release = release_histogram};
  const sfm_part part = part_of(true);
  s.histogram = sfm_histogram_settings_default();
  s.histogram.context = context_of(&s, true);
  s.histogram.form = form;
  s.histogram.columns = form == SFM_HISTOGRAM_SPARSE       ? large
                        : form == SFM_HISTOGRAM_UNDECLARED ? texts
                                                           : dense;
  s.histogram.count = s.histogram.columns == dense ? 1 : 2;
  s.histogram.epsilon = 60;
  s.histogram.delta = form == SFM_HISTOGRAM_UNDECLARED ? 0.2 : 0;
  assert_ok(sfm_histogram_partial_create(&s.partial, &s.histogram, &part, &error), &error);
  return s;
}

static subject count_of(bool optimal) {
  subject s = {.release = release_count};
  const sfm_part part = part_of(false);
  s.count = sfm_count_settings_default();
  s.count.context = context_of(&s, false);
  s.count.where = "x > 0.5";
  s.count.epsilon = 1;
  if (optimal) {
    sfm_optimal_settings settings = sfm_optimal_settings_default();
    settings.n = ROWS;
    settings.epsilon = 1;
    assert_ok(sfm_optimal_design(&s.mechanism, &settings, &error), &error);
    s.count.mechanism = s.mechanism;
  }
  assert_ok(sfm_count_partial_create(&s.partial, &s.count, &part, &error), &error);
  return s;
}

static subject series_of(void) {
  subject s = {.release = release_series};
  const sfm_part part = part_of(false);
  s.series = sfm_series_settings_default();
  s.series.context = context_of(&s, false);
  s.series.column = "x";
  s.series.epsilon = 1;
  s.series.terms = 5;
  assert_ok(sfm_series_partial_create(&s.partial, &s.series, &part, &error), &error);
  return s;
}

static subject curve_of(void) {
  static const char *const columns[] = {"k0", "k1", "k2", "k3"};
  static const double grid[] = {0, 1, 2, 3};
  subject s = {.release = release_curve};
  const sfm_part part = part_of(false);
  s.curve = sfm_curve_settings_default();
  s.curve.context = context_of(&s, false);
  s.curve.columns = columns;
  s.curve.count = 4;
  s.curve.grid = grid;
  s.curve.bandwidth = 1;
  s.curve.clip = 2;
  s.curve.epsilon = 1;
  s.curve.delta = 1e-6;
  assert_ok(sfm_curve_partial_create(&s.partial, &s.curve, &part, &error), &error);
  return s;
}

static void clear(subject *s) {
  sfm_partial_destroy(s->partial);
  sfm_release_destroy(s->mechanism);
  sfm_schema_destroy(s->schema);
}

/* Releases its sums; they are refused, and nothing was charged, unless they fit. */
static void check(const subject *s, bool fits, const char *claim) {
  sfm_rows *rows;
  sfm_release *release = NULL;
  s->partial->sum.count = s->partial->rows;
  assert_ok(sfm_rows_from_partial(&rows, s->partial, &error), &error);
  reached_charge = false;
  sfmi_release_run_watch = watch;
  const sfm_status status = s->release(&release, s, rows);
  sfmi_release_run_watch = NULL;
  if (fits && status) fail_msg("%s: %s", claim, error.message);
  if (!fits && (!status || release)) fail_msg("%s: released", claim);
  if (!fits && (status != SFM_FORMAT || !strstr(error.message, "that records cannot have")))
    fail_msg("%s: %s", claim, error.message);
  assert_int_equal(reached_charge, fits);
  sfm_release_destroy(release);
  sfm_rows_destroy(rows);
}

static void set_form(subject *s, sfmi_sums_form form, size_t count) {
  sfmi_sums_clear(&s->partial->sums);
  assert_ok(sfmi_sums_init(&s->partial->sums, form, count, &error), &error);
}

/* Sums of every other form and number. */
static void check_forms(subject s, const char *claim) {
  const sfmi_sums own = s.partial->sums;
  check(&s, true, claim); /* those of no rows */
  for (int form = SFMI_SUMS_INTEGERS; form <= SFMI_SUMS_TEXTS; form++) {
    s.partial->sums = (sfmi_sums){0};
    set_form(&s, (sfmi_sums_form)form, own.form == SFMI_SUMS_TEXTS ? 0 : own.count);
    if (form == SFMI_SUMS_TEXTS) s.partial->sums.bytes = calloc(1, 1);
    if (form != (int)own.form) check(&s, false, claim);
    sfmi_sums_clear(&s.partial->sums);
  }
  const bool fixed = own.form == SFMI_SUMS_INTEGERS || own.form == SFMI_SUMS_COUNTS;
  for (size_t i = 0; fixed && i < 3; i++) {
    set_form(&s, own.form, i == 0 ? 0 : i == 1 ? own.count - 1 : own.count + 1);
    check(&s, false, claim);
  }
  sfmi_sums_clear(&s.partial->sums);
  s.partial->sums = own;
  clear(&s);
}

static void other_forms_and_numbers_are_refused(void **state) {
  (void)state;
  check_forms(density_of(SFM_DENSITY_LATTICE, SFM_ENGINE_AUTO), "lattice");
  check_forms(density_of(SFM_DENSITY_GP, SFM_ENGINE_AUTO), "process");
  check_forms(density_of(SFM_DENSITY_GP, SFM_ENGINE_RANDOM), "random features");
  check_forms(density_of(SFM_DENSITY_FOURIER_LAPLACE, SFM_ENGINE_AUTO), "fourier");
  check_forms(histogram_of(SFM_HISTOGRAM_DENSE), "table");
  check_forms(histogram_of(SFM_HISTOGRAM_SPARSE), "sparse");
  check_forms(histogram_of(SFM_HISTOGRAM_UNDECLARED), "undeclared");
  check_forms(count_of(false), "count");
  check_forms(series_of(), "series");
  check_forms(curve_of(), "curve");
}

static void check_integer(const subject *s, size_t i, sfmi_i128 value, bool fits,
                          const char *claim) {
  sfmi_i128 *at = &s->partial->sums.integers[i];
  const sfmi_i128 before = *at;
  *at = value;
  check(s, fits, claim);
  *at = before;
}

/* Masses: none negative, and together those of at most 2^bits. */
static void check_masses(subject s, unsigned bits, const char *claim) {
  const sfmi_i128 most = (sfmi_i128)1 << bits;
  const size_t last = s.partial->sums.count - 1;
  check_integer(&s, last, most, true, claim);
  check_integer(&s, 0, most + 1, false, claim);
  check_integer(&s, last, -1, false, claim);
  s.partial->sums.integers[0] = 1;
  check_integer(&s, last, most, false, claim);
  check_integer(&s, last, most - 1, true, claim);
  clear(&s);
}

static void integers_beyond_all_records_are_refused(void **state) {
  (void)state;
  check_masses(series_of(), SFMI_BASIS_SUMS_BITS + SFMI_BASIS_SUMS_ROWS_BITS, "series");
  check_masses(density_of(SFM_DENSITY_LATTICE, SFM_ENGINE_AUTO), 124, "lattice");
  subject s = curve_of();
  const sfmi_i128 most = SFMI_CURVE_SUM_STEPS_MAX;
  check_integer(&s, 1, most, true, "curve");
  check_integer(&s, 1, -most, true, "curve");
  check_integer(&s, 1, most + 1, false, "curve");
  check_integer(&s, 1, -most - 1, false, "curve");
  clear(&s);
  s = density_of(SFM_DENSITY_GP, SFM_ENGINE_RANDOM);
  check_integer(&s, 0, -((sfmi_i128)1 << 82), true, "random features");
  check_integer(&s, 0, ((sfmi_i128)1 << 82) + 1, false, "random features");
  check_integer(&s, s.partial->sums.count - 1, (sfmi_i128)1 << 48, true, "their number");
  check_integer(&s, s.partial->sums.count - 1, ((sfmi_i128)1 << 48) + 1, false, "their number");
  clear(&s);
  const sfmi_i128 huge = (sfmi_i128)(~(sfmi_u128)0 >> 1);
  subject all[] = {density_of(SFM_DENSITY_GP, SFM_ENGINE_AUTO),
                   density_of(SFM_DENSITY_FOURIER_LAPLACE, SFM_ENGINE_AUTO)};
  for (size_t i = 0; i < 2; i++) {
    check_integer(&all[i], 0, huge, false, "places and frequencies");
    check_integer(&all[i], 0, -1, false, "places and frequencies");
    check_integer(&all[i], 0, 9, true, "places and frequencies");
    clear(&all[i]);
  }
}

static void more_than_all_records_are_refused(void **state) {
  (void)state;
  for (int optimal = 0; optimal < 2; optimal++) {
    subject s = count_of(optimal);
    s.partial->sums.counts[0] = ROWS;
    check(&s, true, "all");
    s.partial->sums.counts[0] = ROWS + 1;
    check(&s, false, "one more");
    s.partial->sums.counts[0] = UINT64_MAX;
    check(&s, false, "many");
    clear(&s);
  }
}

static void cells_of_no_table_are_refused(void **state) {
  (void)state;
  subject s = histogram_of(SFM_HISTOGRAM_SPARSE);
  set_form(&s, SFMI_SUMS_CELLS, 1);
  s.partial->sums.counts[0] = 100;
  s.partial->sums.keys[0] = 999999;
  check(&s, true, "the last cell");
  s.partial->sums.keys[0] = 1000000;
  check(&s, false, "one after the last");
  s.partial->sums.keys[0] = UINT64_MAX;
  check(&s, false, "no cell");
  clear(&s);
}

static void check_text(const char *text, size_t length, bool fits) {
  subject s = histogram_of(SFM_HISTOGRAM_UNDECLARED);
  set_form(&s, SFMI_SUMS_TEXTS, 1);
  s.partial->sums.bytes = malloc(length);
  memcpy(s.partial->sums.bytes, text, length);
  s.partial->sums.counts[0] = 100;
  s.partial->sums.keys[0] = length;
  check(&s, fits, text);
  clear(&s);
}

#define TEXT(text, fits) check_text(text, sizeof text - 1, fits)

static void texts_of_other_columns_are_refused(void **state) {
  (void)state;
  char large[300];
  TEXT("flu\0a\0", true);
  TEXT("gr\xc3\xbcn\0a\0", true);
  TEXT("flu\0", false);
  TEXT("flu\0a", false); /* what is behind it would be read */
  TEXT("flu", false);
  TEXT("flu\0a\0b\0", false);
  TEXT("\0a\0", false);
  TEXT("flu\0\0", false);
  TEXT("\xff\0a\0", false);
  TEXT("\x1b[2J\0a\0", false);
  for (size_t size = 256; size < 258; size++) {
    memset(large, 't', size);
    memcpy(large + size, "\0a", 3);
    check_text(large, size + 3, size == 256);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(other_forms_and_numbers_are_refused),
      cmocka_unit_test(integers_beyond_all_records_are_refused),
      cmocka_unit_test(more_than_all_records_are_refused),
      cmocka_unit_test(cells_of_no_table_are_refused),
      cmocka_unit_test(texts_of_other_columns_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
