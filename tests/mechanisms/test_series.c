/* test_series.c - series end to end through the public face, with hostile rows: what is released is
 * the sum over rows that it should be, moves by no more than its sensitivity, is refused before
 * anything is charged, and says in its file all that a reader needs. */
/* suite: release */
#include <unistd.h>

#include "mechanisms/core/vector_noise.h"
#include "mechanisms/functions/series_release.h"
#include "harden.h"
#include "releases/core/release_data.h"
#include "releases/core/release_write.h"
#include "series_fixture.h"
#include "ledger_fixture.h"

typedef struct setup {
  sfm_basis basis;
  size_t terms;
  double lower, upper;
} setup;

static const setup SETUPS[] = {
    {SFM_BASIS_FOURIER, 9, 0, 1},  {SFM_BASIS_COSINE, 12, -4, 3}, {SFM_BASIS_LEGENDRE, 8, 2, 90},
    {SFM_BASIS_HERMITE, 7, -1, 1}, {SFM_BASIS_HAAR, 16, 0, 1},    {SFM_BASIS_DB4, 16, -3, 0.5},
    {SFM_BASIS_EIGEN, 9, 0, 1e-3}, {SFM_BASIS_COSINE, 2, 0, 1},   {SFM_BASIS_HERMITE, 1, 0, 1},
    {SFM_BASIS_FOURIER, 41, 0, 1},
};
enum { SETUP_COUNT = sizeof SETUPS / sizeof *SETUPS };

static void prepare(series_fixture *t, const setup *s, sfm_vector_noise noise) {
  series_fixture_init(t, s->basis, s->terms, noise, s->lower, s->upper);
}

/* Rows of [0, 1] brought to the bounds, a few of them hostile. */
static void some_rows(double *rows, size_t count, const setup *s, uint64_t seed) {
  static const double hostile[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 1.25, -0.25, 1, 0, 0.5};
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < count; i++) {
    const double u = i < 10 ? hostile[i] : sfmi_prng_uniform(&prng);
    rows[i] = s->lower + (s->upper - s->lower) * u;
  }
}

/* The noise that this seed gives, in the unit of coefficients. */
static double *noise_of(const series_fixture *t, const sfm_release *release) {
  const size_t length = release->length;
  sfm_error error;
  double *noise = calloc(length, sizeof *noise);
  if (!release->hardened) {
    double *nothing = calloc(length, sizeof *nothing);
    sfmi_stream *stream;
    assert_ok(sfmi_stream_create_seeded(&stream, t->settings.context.seed, &error), &error);
    sfmi_vector_idealise(noise, nothing, length, true, release->scale, NULL, stream);
    sfmi_stream_destroy(stream);
    free(nothing);
    return noise;
  }
  sfmi_noise_law law;
  sfmi_i128 *zeros = calloc(length, sizeof *zeros);
  int64_t *integers = calloc(length, sizeof *integers);
  const double steps = release->sensitivity / release->step;
  if (t->settings.noise == SFM_VECTOR_NOISE_LAPLACE)
    assert_ok(sfmi_harden_laplace(&law, steps, release->guarantee.epsilon, &error), &error);
  else
    assert_ok(sfmi_harden_normal(&law, steps, release->guarantee.mu, &error), &error);
  harden(integers, zeros, length, &law, (sfmi_seed){true, t->settings.context.seed});
  for (size_t j = 0; j < length; j++) noise[j] = (double)integers[j] * release->step;
  free(zeros);
  free(integers);
  return noise;
}

/* Sums over rows of the functions by their definition: clamped or dropped, NaN and what is infinite
 * left out. */
static double *direct(const sfm_release *release, const double *rows, size_t count) {
  const sfmi_basis *basis = release->function->basis;
  double *sums = calloc(basis->count, sizeof *sums), *row = malloc(basis->count * sizeof *row);
  for (size_t i = 0; i < count; i++) {
    const double x = fmin(fmax(rows[i], release->lower[0]), release->upper[0]);
    if (!isfinite(rows[i]) || (release->outside == SFM_OUTSIDE_DROP && x != rows[i])) continue;
    sfmi_basis_at(basis, row, &x, 1);
    for (size_t j = 0; j < basis->count; j++) sums[j] += row[j];
  }
  free(row);
  return sums;
}

/* Without its noise every coefficient is the sum over rows, to the stated worst case. */
static void coefficients_are_sums_over_rows(void **state) {
  (void)state;
  enum { ROWS = 500 };
  double rows[ROWS];
  for (size_t s = 0; s < SETUP_COUNT; s++)
    for (int noise = 0; noise < 3; noise++)
      for (int outside = 0; outside < 2; outside++) {
        if (!test_long() && (noise + outside) % 3 != (int)s % 3) continue;
        series_fixture t;
        prepare(&t, &SETUPS[s], (sfm_vector_noise)noise);
        t.settings.outside = outside ? SFM_OUTSIDE_DROP : SFM_OUTSIDE_CLAMP;
        some_rows(rows, ROWS, &SETUPS[s], 501 + s);
        sfm_release *release = series_fixture_release(&t, rows, ROWS);
        assert_int_equal(release->rows, ROWS);
        assert_int_equal(release->hardened, noise != SFM_VECTOR_NOISE_GAMMA);
        double *drawn = noise_of(&t, release), *sums = direct(release, rows, ROWS);
        double off = 0, size = 0;
        for (size_t j = 0; j < release->length; j++) {
          const double c = sfm_release_coefficient(release, j) - drawn[j];
          /* Rounded once, and what rows on a lattice are off by, 500 times. */
          const double most = 1e-6 * release->sensitivity + 0.51 * release->sensitivity / 4096;
          off = fmax(off, fabs(c - sums[j]) / most);
          size = fmax(size, fabs(c));
        }
        if (!(off <= 1)) fail_msg("%s: off by %g", sfm_basis_name(SETUPS[s].basis), off);
        assert_true(size > release->sensitivity / 2); /* there is something to compare */
        free(drawn);
        free(sums);
        sfm_release_destroy(release);
        series_fixture_clear(&t);
      }
}

/* The private integers of an array of rows. */
static sfmi_i128 *integers_of(const series_fixture *t, const sfmi_design_series *series_design,
                              const double *values, size_t count) {
  sfm_error error;
  sfm_rows *rows;
  sfmi_i128 *integers;
  assert_ok(sfm_rows_from_array(&rows, values, count, 1, density_fixture_columns, &error), &error);
  assert_ok(sfmi_series_integers(&integers, series_design, rows, &t->settings, &error), &error);
  sfm_rows_destroy(rows);
  return integers;
}

/* How far two arrays of rows are apart, in sensitivities. */
static double moved(const series_fixture *t, const sfmi_design_series *series_design,
                    const double *x, const double *y, size_t count) {
  sfmi_i128 *p = integers_of(t, series_design, x, count),
            *q = integers_of(t, series_design, y, count);
  double l1 = 0, l2 = 0;
  for (size_t j = 0; j < series_design->basis->count; j++) {
    const double d = (double)(p[j] - q[j]) * series_design->step;
    l1 += fabs(d);
    l2 += d * d;
  }
  const double move = t->settings.noise == SFM_VECTOR_NOISE_LAPLACE ? l1 : sqrt(l2);
  assert_true(move <= series_design->sensitivity);
  free(p);
  free(q);
  return move / series_design->sensitivity;
}

/* Replacing rows moves a release by at most its sensitivity, and the worst come close. */
static void neighbours_never_pass_the_sensitivity(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 511);
  for (size_t s = 0; s < SETUP_COUNT; s++)
    for (int noise = 0; noise < 3; noise++) {
      series_fixture t;
      double best = 0, x[5], y[5];
      const double lower = SETUPS[s].lower, width = SETUPS[s].upper - lower;
      sfmi_design_series series_design;
      sfm_error error;
      prepare(&t, &SETUPS[s], (sfm_vector_noise)noise);
      assert_ok(sfmi_design_series_init(&series_design, &t.settings, 5, 1, &error), &error);
      /* Rounding to the step is paid for: half a step on either side, in every number. */
      const double D = (double)series_design.basis->count, growth = noise ? sqrt(D) : D;
      assert_true(series_design.sensitivity >=
                  series_design.one.upper + growth * series_design.step);
      assert_true(series_design.sensitivity <=
                  series_design.one.upper * (1 + 0x1p-12) * (1 + 1e-9));
      for (size_t i = 0; i < test_repetitions(40, 8); i++) {
        for (int k = 0; k < 5; k++) x[k] = y[k] = lower + width * sfmi_prng_uniform(&prng);
        x[2] = i < 2 ? lower : lower + width * sfmi_prng_uniform(&prng);
        y[2] = i == 0 ? lower + width : i == 1 ? NAN : lower + width * sfmi_prng_uniform(&prng);
        best = fmax(best, moved(&t, &series_design, x, y, 5));
      }
      assert_true(best > 0.6);
      sfmi_design_series_clear(&series_design);
      series_fixture_clear(&t);
    }
}

/* k contributions cost k times the noise, and k rows move no more. */
static void contributions_multiply(void **state) {
  (void)state;
  sfm_error error;
  for (int noise = 0; noise < 3; noise++) {
    series_fixture t;
    sfm_series_choice one, three;
    prepare(&t, &SETUPS[0], (sfm_vector_noise)noise);
    assert_ok(sfm_series_choose(&one, &t.settings, 6, &error), &error);
    assert_ok(sfm_schema_set_contributions(t.schema, 3, &error), &error);
    assert_ok(sfm_series_choose(&three, &t.settings, 6, &error), &error);
    assert_relative("three contributions", three.sensitivity, 3 * one.sensitivity, 1e-3);
    assert_relative("three contributions", three.privacy, 9 * one.privacy, 2e-3);
    const double x[] = {0.19, 0.19, 0.19, 0.4, 0.5, 0.6}, y[] = {0.37, 0.37, 0.37, 0.4, 0.5, 0.6};
    sfmi_design_series series_design;
    assert_ok(sfmi_design_series_init(&series_design, &t.settings, 6, 1, &error), &error);
    assert_true(moved(&t, &series_design, x, y, 6) > 0.8);
    sfmi_design_series_clear(&series_design);
    series_fixture_clear(&t);
  }
}

/* Records of a person beyond those that count are nothing, and n stays. */
static void persons_are_held_to_their_contributions(void **state) {
  (void)state;
  static const char *const header[] = {"a", "id"};
  /* Equal records of person 1, of whom any may be kept; the others are nobody's in the second. */
  static const double rows[] = {0.1, 1, 0.1, 1, 0.3, 2, 0.1, 1},
                      kept[] = {0.1, 1, 0.1, NAN, 0.3, 2, 0.1, NAN};
  sfm_error error;
  series_fixture t;
  sfm_release *release[2];
  prepare(&t, &SETUPS[0], SFM_VECTOR_NOISE_LAPLACE);
  assert_ok(sfm_schema_set_person(t.schema, "id", &error), &error);
  for (int k = 0; k < 2; k++) {
    sfm_rows *from;
    assert_ok(sfm_rows_from_array(&from, k ? kept : rows, 4, 2, header, &error), &error);
    assert_ok(sfm_series_release(&release[k], NULL, from, &t.settings, &error), &error);
    assert_true(release[k]->enforced && release[k]->rows == 4);
    sfm_rows_destroy(from);
  }
  assert_memory_equal(release[0]->integers, release[1]->integers,
                      release[0]->length * sizeof *release[0]->integers);
  sfm_release_destroy(release[0]);
  sfm_release_destroy(release[1]);
  series_fixture_clear(&t);
}

/* A release without noise is the density of the rows within `systematic`, and the file says all:
 * what is read back is the same function. */
static void files_and_evaluation_agree_with_direct_sums(void **state) {
  (void)state;
  enum { ROWS = 300, POINTS = 101 };
  double rows[ROWS], points[POINTS], values[POINTS], again[POINTS];
  for (size_t s = 0; s < SETUP_COUNT; s++)
    for (int noise = 0; noise < 3; noise++) {
      if (!test_long() && noise != (int)s % 3) continue;
      series_fixture t;
      sfm_error error;
      sfm_release *copy = NULL;
      sfm_evaluator *evaluator;
      char *bytes, *printed;
      size_t length, second;
      prepare(&t, &SETUPS[s], (sfm_vector_noise)noise);
      some_rows(rows, ROWS, &SETUPS[s], 520 + s);
      sfm_release *release = series_fixture_release(&t, rows, ROWS);
      assert_string_equal(sfm_kind_name(sfm_release_kind(release)), "density");
      assert_string_equal(sfm_release_method(release), "series");
      assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
      assert_ok(sfm_release_parse(&copy, bytes, length, "copy", &error), &error);
      assert_ok(sfmi_release_print(copy, &printed, &second, &error), &error);
      assert_int_equal(length, second);
      assert_memory_equal(bytes, printed, length);
      for (size_t i = 0; i < POINTS; i++)
        points[i] =
            release->lower[0] + (release->upper[0] - release->lower[0]) * (double)i / (POINTS - 1);
      points[POINTS - 1] = release->upper[0];
      assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
      assert_ok(sfm_evaluator_at(evaluator, values, points, POINTS, &error), &error);
      sfm_evaluator_destroy(evaluator);
      assert_ok(sfm_evaluator_create(&evaluator, copy, 0, &error), &error);
      assert_ok(sfm_evaluator_at(evaluator, again, points, POINTS, &error), &error);
      sfm_evaluator_destroy(evaluator);
      assert_memory_equal(values, again, sizeof values);
      double *sums = direct(release, rows, ROWS), *drawn = noise_of(&t, release),
             *row = malloc(release->length * sizeof *row);
      for (size_t i = 0; i < POINTS; i++) {
        double f = release->function->basis->constant;
        sfmi_basis_at(release->function->basis, row, &points[i], 1);
        for (size_t j = 0; j < release->length; j++) f += (sums[j] + drawn[j]) / ROWS * row[j];
        assert_near("f", values[i], f, release->band.systematic);
      }
      assert_true(release->band.systematic > 0);
      assert_true(release->band.systematic < 0.02 * release->band.pointwise);
      free(row);
      free(sums);
      free(drawn);
      free(bytes);
      free(printed);
      sfm_release_destroy(copy);
      sfm_release_destroy(release);
      series_fixture_clear(&t);
    }
}

static void refused(const series_fixture *t, uint64_t rows, const char *words) {
  sfm_error error = {0};
  sfm_series_choice plan;
  assert_int_equal(sfm_series_choose(&plan, &t->settings, rows, &error), SFM_INVALID);
  if (!strstr(error.message, words)) fail_msg("\"%s\" lacks \"%s\"", error.message, words);
}

static void misuse_is_named(void **state) {
  (void)state;
  sfm_error error;
  series_fixture t;
  prepare(&t, &SETUPS[0], SFM_VECTOR_NOISE_LAPLACE);
  const sfm_series_settings good = t.settings;
  refused(&t, 0, "no records");
  refused(&t, (uint64_t)1 << 36, "2^36");
  static const struct {
    sfm_basis basis;
    size_t terms;
    const char *words;
  } wrong[] = {
      {SFM_BASIS_FOURIER, 8, "settings.terms = 7 or 9"},
      {SFM_BASIS_FOURIER, 1, "3 to 513"},
      {SFM_BASIS_FOURIER, 515, "3 to 513"},
      {SFM_BASIS_COSINE, 1, "2 to 513"},
      {SFM_BASIS_COSINE, 514, "2 to 513"},
      {SFM_BASIS_LEGENDRE, 130, "2 to 129"},
      {SFM_BASIS_HERMITE, 129, "1 to 128"},
      {SFM_BASIS_HAAR, 12, "settings.terms = 8 or 16"},
      {SFM_BASIS_HAAR, 2048, "2 to 1024"},
      {SFM_BASIS_DB4, 512, "2 to 256"},
      {SFM_BASIS_EIGEN, 129, "1 to 128"},
      {(sfm_basis)7, 9, "settings.basis"},
      {(sfm_basis)-1, 9, "settings.basis"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    t.settings.basis = wrong[i].basis;
    t.settings.terms = wrong[i].terms;
    refused(&t, 10, wrong[i].words);
  }
  t.settings = good;
  t.settings.basis = SFM_BASIS_HERMITE;
  for (double unit = 1e-3; unit < 2000; unit *= 1e6) {
    t.settings.unit = unit;
    refused(&t, 10, "unit of hermite");
  }
  t.settings.unit = -1;
  refused(&t, 10, "unit of hermite");
  t.settings = good;
  t.settings.basis = SFM_BASIS_EIGEN;
  t.settings.kernel = SFM_KERNEL_POLYNOMIAL;
  refused(&t, 10, "gaussian to cauchy");
  t.settings.kernel = SFM_KERNEL_GAUSSIAN;
  t.settings.bandwidth = 0;
  refused(&t, 10, "bandwidth");
  t.settings.bandwidth = 1e-3;
  refused(&t, 10, "bandwidth");
  t.settings.bandwidth = 5; /* as flat as can be: few eigenfunctions can be computed */
  t.settings.terms = 60;
  refused(&t, 10, "eigenfunctions");
  t.settings = good;
  t.settings.epsilon = 0;
  refused(&t, 10, "epsilon");
  t.settings = good;
  t.settings.noise = (sfm_vector_noise)4;
  refused(&t, 10, "no settings.noise number 4");
  t.settings.noise = (sfm_vector_noise)-1;
  refused(&t, 10, "no settings.noise number -1");
  t.settings = good;
  t.settings.delta = 1e-6;
  refused(&t, 10, "settings.noise = normal");
  t.settings.noise = SFM_VECTOR_NOISE_NORMAL;
  t.settings.delta = 0;
  refused(&t, 10, "needs a delta");
  t.settings = good;
  t.settings.context.confidence = 1;
  refused(&t, 10, "confidence");
  t.settings = good;
  t.settings.column = "b";
  refused(&t, 10, "no bounds");
  t.settings = good;
  assert_ok(sfm_schema_set_neighbours(t.schema, SFM_NEIGHBOURS_ADD_REMOVE, &error), &error);
  refused(&t, 10, "noisy total");
  series_fixture_clear(&t);
}

/* The choice is what the release then does, and is made without rows. */
static void releases_do_what_was_chosen(void **state) {
  (void)state;
  enum { ROWS = 1000 };
  double rows[ROWS];
  sfm_error error;
  for (int basis = SFM_BASIS_FOURIER; basis <= SFM_BASIS_EIGEN; basis++)
    for (int noise = 0; noise < (test_long() ? 3 : 1); noise++) {
      series_fixture t;
      sfm_series_choice chosen, plan;
      sfm_rows *from;
      sfm_release *release;
      series_fixture_init(&t, (sfm_basis)basis, 0, (sfm_vector_noise)((noise + basis) % 3), 0, 8);
      assert_ok(sfm_series_choose(&chosen, &t.settings, ROWS, &error), &error);
      density_fixture_rows(rows, ROWS, 1, 0, 8, 531);
      assert_ok(sfm_rows_from_array(&from, rows, ROWS, 1, density_fixture_columns, &error), &error);
      assert_ok(sfm_series_release(&release, &plan, from, &t.settings, &error), &error);
      assert_memory_equal(&chosen, &plan, sizeof plan);
      assert_int_equal(release->length, plan.coefficients);
      assert_int_equal(release->function->basis->count, plan.coefficients);
      assert_int_equal(plan.terms, plan.coefficients + sfmi_basis_family_has_constant(
                                                           release->function->basis->family));
      assert_true(release->sensitivity == plan.sensitivity);
      assert_relative("scale", release->scale, plan.scale, 1e-9);
      sfm_rows_destroy(from);
      sfm_release_destroy(release);
      series_fixture_clear(&t);
    }
}

static char folder[64], ledger_path[128], rows_path[128];

static void write_rows(const char *text) {
  FILE *file = fopen(rows_path, "wb");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static sfm_status charged(char **bytes, size_t *length, const series_fixture *t,
                          const char *request, sfm_error *error) {
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  sfm_series_settings settings = t->settings;
  sfm_charge charge = {.dataset = "patients", .request = request};
  char output[160];
  settings.context.seeded = false;
  settings.context.charge = &charge;
  *bytes = NULL;
  snprintf(output, sizeof output, "%s/out.sfm", folder);
  assert_ok(sfm_ledger_open(&charge.ledger, ledger_path, error), error);
  sfm_status status = sfm_rows_open(&rows, rows_path, error);
  if (!status) status = sfm_series_release(&release, NULL, rows, &settings, error);
  if (!status) status = sfm_release_write(release, output, error);
  if (!status) {
    *bytes = calloc(1, 1 << 20);
    FILE *file = fopen(output, "rb");
    *length = fread(*bytes, 1, (1 << 20) - 1, file);
    fclose(file);
  }
  sfm_release_destroy(release);
  sfm_rows_destroy(rows);
  sfm_ledger_close(charge.ledger);
  return status;
}

static int make_ledger(void **state) {
  (void)state;
  sfm_error error;
  const sfm_dataset dataset = {"patients", 3, 0, SFM_ACCOUNTING_BASIC};
  snprintf(folder, sizeof folder, "/tmp/sfumato-series-XXXXXX");
  if (!mkdtemp(folder)) return -1;
  snprintf(ledger_path, sizeof ledger_path, "%s/clinic.db", folder);
  snprintf(rows_path, sizeof rows_path, "%s/rows.csv", folder);
  return sfm_ledger_create(ledger_path, NULL, &dataset, &error) ? 1 : 0;
}

static int remove_ledger(void **state) {
  (void)state;
  char command[160];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

static void a_ledger_is_charged_once_and_answers_the_same(void **state) {
  (void)state;
  sfm_error error;
  series_fixture t;
  char *bytes, *again;
  size_t length = 0, second = 0;
  prepare(&t, &SETUPS[0], SFM_VECTOR_NOISE_LAPLACE);
  write_rows("a\n0.5\n0.25\nnot a number\n");
  /* What can be refused costs nothing. */
  const sfm_series_settings good = t.settings;
  t.settings.terms = 8;
  assert_int_equal(charged(&bytes, &length, &t, "bad", &error), SFM_INVALID);
  t.settings = good;
  t.settings.epsilon = 3.5;
  assert_int_equal(charged(&bytes, &length, &t, "much", &error), SFM_REFUSED);
  t.settings = good;
  write_rows("b\n0.5\n");
  assert_int_equal(charged(&bytes, &length, &t, "other", &error), SFM_INVALID);
  write_rows("a\n");
  assert_int_equal(charged(&bytes, &length, &t, "none", &error), SFM_INVALID);
  expect_spent(ledger_path, "patients", "0");
  /* The same request again: the same bytes, even of other rows, which are not read. */
  write_rows("a\n0.5\n0.25\nnot a number\n");
  assert_ok(charged(&bytes, &length, &t, "r", &error), &error);
  write_rows("a\n0.1\n0.2\n0.3\n");
  assert_ok(charged(&again, &second, &t, "r", &error), &error);
  assert_int_equal(length, second);
  assert_memory_equal(bytes, again, length);
  assert_non_null(strstr(bytes, "\"patients\""));
  expect_spent(ledger_path, "patients", "1");
  free(bytes);
  free(again);
  /* With any other public word it is another request. */
  sfm_shape *shape;
  assert_ok(sfm_shape_parse(&shape, "uniform", 1, &error), &error);
  for (int i = 0; i < 5; i++) {
    t.settings = good;
    if (i == 0) t.settings.basis = SFM_BASIS_COSINE;
    if (i == 1) t.settings.terms = 11;
    if (i == 2) t.settings.noise = SFM_VECTOR_NOISE_GAMMA;
    if (i == 3) t.settings.outside = SFM_OUTSIDE_DROP;
    if (i == 4) t.settings.shape = shape;
    assert_int_equal(charged(&bytes, &length, &t, "r", &error), SFM_REFUSED);
  }
  expect_spent(ledger_path, "patients", "1");
  sfm_shape_destroy(shape);
  series_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coefficients_are_sums_over_rows),
      cmocka_unit_test(neighbours_never_pass_the_sensitivity),
      cmocka_unit_test(contributions_multiply),
      cmocka_unit_test(persons_are_held_to_their_contributions),
      cmocka_unit_test(files_and_evaluation_agree_with_direct_sums),
      cmocka_unit_test(misuse_is_named),
      cmocka_unit_test(releases_do_what_was_chosen),
      cmocka_unit_test_setup_teardown(a_ledger_is_charged_once_and_answers_the_same, make_ledger,
                                      remove_ledger),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
