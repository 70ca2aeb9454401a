/* test_expansion_band.c - bands of series cover as often as they say, between the points at which
 * they were simulated too, and narrower ones would be caught. */
/* suite: release */
#include "coverage.h"

#include "mechanisms/core/vector_noise.h"
#include "mechanisms/functions/series_release.h"
#include "privacy/calibration.h"
#include "releases/core/release_data.h"
#include "series_fixture.h"

enum { FINE = 1501 };

/* In the ordinary tier the first two of the confidences. */
static int levels(void) {
  return test_long() ? LEVELS : 2;
}

typedef struct series_case {
  sfm_basis basis;
  size_t terms;
  double unit;
} series_case;

static const series_case CASES[] = {
    {SFM_BASIS_FOURIER, 3, 0},  {SFM_BASIS_FOURIER, 31, 0},  {SFM_BASIS_COSINE, 12, 0},
    {SFM_BASIS_LEGENDRE, 9, 0}, {SFM_BASIS_LEGENDRE, 40, 0}, {SFM_BASIS_HERMITE, 7, 0},
    {SFM_BASIS_HERMITE, 30, 1}, {SFM_BASIS_HAAR, 32, 0},     {SFM_BASIS_DB4, 16, 0},
    {SFM_BASIS_DB4, 32, 0},     {SFM_BASIS_EIGEN, 10, 0},
};

/* A problem, its release, and its basis on a grid finer than any that bands look at. */
typedef struct bench {
  series_fixture t;
  sfmi_design_series series_design;
  sfm_release *release;
  double *values; /* FINE x length */
} bench;

static void bench_init(bench *b, const series_case *c, sfm_vector_noise noise) {
  enum { ROWS = 200 };
  sfm_error error;
  double mu = 1, rows[ROWS];
  series_fixture_init(&b->t, c->basis, c->terms, noise, 0, 100);
  b->t.settings.unit = c->unit;
  if (noise == SFM_VECTOR_NOISE_NORMAL)
    assert_ok(sfmi_gdp_mu_for(&mu, 1, 1e-6, SFM_CALIBRATION_EXACT, &error), &error);
  assert_ok(sfmi_design_series_init(&b->series_design, &b->t.settings, ROWS, mu, &error), &error);
  density_fixture_rows(rows, ROWS, 1, 0, 100, 401);
  b->release = series_fixture_release(&b->t, rows, ROWS);
  b->values = malloc(FINE * b->release->length * sizeof *b->values);
  double *grid = malloc(FINE * sizeof *grid);
  for (size_t i = 0; i < FINE; i++) grid[i] = 100 * (double)i / (FINE - 1);
  sfmi_basis_at(b->release->function->basis, b->values, grid, FINE);
  free(grid);
}

static void bench_clear(bench *b) {
  sfmi_design_series_clear(&b->series_design);
  sfm_release_destroy(b->release);
  series_fixture_clear(&b->t);
  free(b->values);
}

/* Noise as a release draws it, in the unit of coefficients. */
typedef struct source {
  sfmi_hardener *hardener;
  sfmi_stream *stream;
  int64_t *integers;
  sfmi_i128 *zeros;
  double *nothing;
} source;

static void source_init(source *s, const bench *b) {
  sfm_error error;
  sfmi_hardening hardening;
  *s = (source){.integers = calloc(b->release->length, sizeof *s->integers),
                .zeros = calloc(b->release->length, sizeof *s->zeros),
                .nothing = calloc(b->release->length, sizeof *s->nothing)};
  assert_ok(sfmi_stream_create_seeded(&s->stream, 402, &error), &error);
  if (!b->release->hardened) return;
  assert_ok(sfmi_series_hardening(&hardening, &b->series_design, &b->t.settings, &error), &error);
  assert_ok(sfmi_hardener_create(&s->hardener, &hardening.law, (sfmi_seed){true, 403}, &error),
            &error);
}

static void source_clear(source *s) {
  sfmi_hardener_destroy(s->hardener);
  sfmi_stream_destroy(s->stream);
  free(s->integers);
  free(s->zeros);
  free(s->nothing);
}

static void source_draw(source *s, const bench *b, double *noise) {
  const size_t length = b->release->length;
  if (!s->hardener) {
    sfmi_vector_idealise(noise, s->nothing, length, true, b->release->scale, NULL, s->stream);
    return;
  }
  sfmi_hardener_add(s->hardener, s->integers, s->zeros, length);
  for (size_t j = 0; j < length; j++) noise[j] = (double)s->integers[j] * b->release->step;
}

/* |noise| of the function on the fine grid. */
static double noise_at(const bench *b, const double *noise, size_t i) {
  const double *row = b->values + i * b->release->length;
  double sum = 0;
  for (size_t j = 0; j < b->release->length; j++) sum += noise[j] * row[j];
  return fabs(sum) / (double)b->release->rows;
}

static void count(tally *t, const bench *b, const double *noise, const sfm_band *bands,
                  const size_t *places) {
  double sup = 0;
  for (size_t i = 0; i < FINE; i++) sup = fmax(sup, noise_at(b, noise, i));
  for (int k = 0; k < levels(); k++) {
    t[k].sup += sup <= bands[k].half_width;
    t[k].shrunk_sup += sup <= 0.6 * bands[k].half_width;
    for (int p = 0; p < PLACES; p++) {
      const double one = noise_at(b, noise, places[p]);
      t[k].point[p] += one <= bands[k].pointwise;
      if (p == 0) t[k].shrunk_point += one <= 0.5 * bands[k].pointwise;
    }
  }
}

/* Where the noise is largest, which a band for any one place must hold at, and elsewhere. */
static void choose_places(const bench *b, size_t *places) {
  double most = 0;
  for (size_t i = 0; i < FINE; i++) {
    double square = 0;
    for (size_t j = 0; j < b->release->length; j++) {
      const double v = b->values[i * b->release->length + j];
      square += v * v;
    }
    if (square > most * (1 + 1e-9)) {
      most = square;
      places[0] = i;
    }
  }
  for (size_t p = 1; p < PLACES; p++) places[p] = (FINE - 1) * (p - 1) / (PLACES - 2);
}

static void bands_cover(void **state) {
  (void)state;
  const size_t draws = test_long() ? 4000 : 200;
  for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++)
    for (int noise = SFM_VECTOR_NOISE_LAPLACE; noise <= SFM_VECTOR_NOISE_GAMMA; noise++) {
      if (!test_long() && noise != (int)c % 3) continue;
      bench b;
      source s;
      tally tallies[LEVELS] = {{0}};
      sfm_band bands[LEVELS];
      size_t places[PLACES];
      char name[64];
      bench_init(&b, &CASES[c], (sfm_vector_noise)noise);
      source_init(&s, &b);
      choose_places(&b, places);
      double *z = malloc(b.release->length * sizeof *z);
      for (int k = 0; k < levels(); k++) {
        sfm_error error;
        assert_ok(sfm_release_band_at(b.release, &bands[k], confidences[k], &error), &error);
        assert_true(bands[k].pointwise <= bands[k].half_width);
        assert_true(bands[k].systematic < 0.01 * bands[k].pointwise);
      }
      for (size_t i = 0; i < draws; i++) {
        source_draw(&s, &b, z);
        count(tallies, &b, z, bands, places);
      }
      snprintf(name, sizeof name, "%s %zu %s", sfm_basis_name(CASES[c].basis), CASES[c].terms,
               series_noises[noise]);
      for (int k = 0; k < levels(); k++)
        judge(name, &tallies[k], draws, confidences[k], k == 1 || (k == 2 && test_long()));
      free(z);
      source_clear(&s);
      bench_clear(&b);
    }
}

/* A series too long to simulate has bounds instead, which are wider. */
static void long_series_are_bounded(void **state) {
  (void)state;
  const series_case long_one = {SFM_BASIS_COSINE, 500, 0};
  bench b;
  source s;
  bench_init(&b, &long_one, SFM_VECTOR_NOISE_NORMAL);
  source_init(&s, &b);
  double *z = malloc(b.release->length * sizeof *z), largest = 0;
  const sfm_band band = sfm_release_band(b.release);
  for (int draw = 0; draw < 10; draw++) {
    double sup = 0;
    source_draw(&s, &b, z);
    for (size_t i = 0; i < FINE; i++) sup = fmax(sup, noise_at(&b, z, i));
    largest = fmax(largest, sup / band.half_width);
  }
  assert_true(largest <= 1.1 && largest > 0.4 && band.pointwise < band.half_width);
  free(z);
  source_clear(&s);
  bench_clear(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bands_cover),
      cmocka_unit_test(long_series_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
