/* test_basis_expansion.c - releases that are sums of basis functions: written, read, evaluated;
 * bands that cover as often as they say; files that are wrong, refused. */
#include "test_support.h"

#include "base/math/prng.h"
#include "releases/core/release_kind.h"
#include "releases/core/release_data.h"
#include "releases/core/release_write.h"
#include "releases/band/band.h"

enum { ROWS = 1000 };

/* A release with one coefficient a function, as a mechanism would leave it. */
static sfm_release *made(sfmi_basis_family family, size_t count, const char *law) {
  sfm_release *release = sfmi_release_create(&sfmi_density_kind);
  sfm_error error;
  const bool gamma = strcmp(law, "gamma") == 0, normal = strcmp(law, "rounded-normal") == 0;
  const sfmi_basis stated = {.family = family,
                             .dimension = 1,
                             .count = count,
                             .lower = {-1},
                             .upper = {3},
                             .unit = family == SFMI_HERMITE ? 0.4 : 0};
  release->method = SFMI_SERIES;
  release->is_private = release->has_rows = true;
  release->hardened = !gamma;
  release->rows = ROWS;
  release->contributions = 1;
  release->guarantee =
      normal ? (sfm_guarantee){SFM_GUARANTEE_GDP, .epsilon = 1, .delta = 1e-6, .mu = 0.23}
             : (sfm_guarantee){SFM_GUARANTEE_PURE, .epsilon = 1};
  release->law = law_named(law);
  release->scale = 3;
  release->step = gamma ? 0 : 0x1p-20;
  release->sensitivity = 1;
  release->dimension = 1;
  release->columns[0] = strdup("x");
  release->lower[0] = -1;
  release->upper[0] = 3;
  assert_ok(sfmi_basis_create(&release->function->basis, &stated, &error), &error);
  release->length = count;
  if (gamma)
    release->reals = calloc(count, sizeof *release->reals);
  else
    release->integers = calloc(count, sizeof *release->integers);
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5 + count);
  for (size_t j = 0; j < count; j++) {
    const double c = 100 * sfmi_prng_normal(&prng);
    if (gamma)
      release->reals[j] = c;
    else
      release->integers[j] = llrint(c * 0x1p20);
  }
  release->band.confidence = 0.95;
  release->band.half_width = release->band.pointwise = 1;
  assert_true(sfmi_release_write_sentence(release));
  return release;
}

static const struct {
  sfmi_basis_family family;
  size_t count;
} BASES[] = {{SFMI_FOURIER, 8}, {SFMI_FOURIER, 1}, {SFMI_COSINE, 9}, {SFMI_LEGENDRE, 6},
             {SFMI_HERMITE, 7}, {SFMI_HAAR, 15},   {SFMI_DB4, 7},    {SFMI_COSINE, 200}};
enum { BASE_COUNT = sizeof BASES / sizeof *BASES };

/* What is read back is what was written, and both evaluate to the sum by hand. */
static void files_and_values_agree(void **state) {
  (void)state;
  for (size_t b = 0; b < BASE_COUNT; b++) {
    sfm_release *release =
        made(BASES[b].family, BASES[b].count, b % 2 ? "gamma" : "discrete-laplace");
    sfm_release *again = NULL;
    sfm_evaluator *evaluator = NULL, *second = NULL;
    sfm_error error;
    char *bytes, *more;
    size_t length, size;
    assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
    assert_ok(sfm_release_parse(&again, bytes, length, "file", &error), &error);
    assert_ok(sfmi_release_print(again, &more, &size, &error), &error);
    assert_int_equal(length, size);
    assert_memory_equal(bytes, more, length);
    assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
    assert_ok(sfm_evaluator_create(&second, again, 0, &error), &error);
    double points[] = {-1, 3, 0.123, 2.5, -1.0001, NAN, 3.5, 1}, values[8], same[8];
    assert_ok(sfm_evaluator_at(evaluator, values, points, 8, &error), &error);
    assert_ok(sfm_evaluator_at(second, same, points, 8, &error), &error);
    assert_memory_equal(values, same, sizeof values);
    double *row = calloc(release->function->basis->count, sizeof *row);
    for (size_t i = 0; i < 8; i++) {
      if (!(points[i] >= -1 && points[i] <= 3)) {
        assert_true(isnan(values[i]));
        continue;
      }
      double sum = BASES[b].family == SFMI_HERMITE ? 0 : 0.25;
      sfmi_basis_at(release->function->basis, row, &points[i], 1);
      for (size_t j = 0; j < release->length; j++)
        sum += sfm_release_coefficient(release, j) * row[j] / ROWS;
      assert_near("value", values[i], sum, 1e-12);
      double alone;
      assert_ok(sfm_evaluator_at(evaluator, &alone, &points[i], 1, &error), &error);
      assert_memory_equal(&alone, &values[i], sizeof alone);
    }
    free(row);
    free(bytes);
    free(more);
    sfm_evaluator_destroy(evaluator);
    sfm_evaluator_destroy(second);
    sfm_release_destroy(release);
    sfm_release_destroy(again);
  }
}

/* The sup of fresh noise of the law on a grid far finer than the band's own. */
static double sup_of_noise(const sfm_release *release, const double *basis, size_t points,
                           sfmi_prng *prng, double *noise, double *first) {
  const size_t D = release->length;
  const bool gamma = release->law == SFM_NOISE_LAW_GAMMA,
             laplace = release->law == SFM_NOISE_LAW_DISCRETE_LAPLACE;
  double square = 0, radius = 0, largest = 0;
  for (size_t j = 0; j < D; j++) {
    noise[j] = laplace ? sfmi_prng_laplace(prng) : sfmi_prng_normal(prng);
    square += noise[j] * noise[j];
    radius -= log(sfmi_prng_uniform(prng));
  }
  for (size_t j = 0; j < D; j++)
    noise[j] *= release->scale / ROWS * (gamma ? radius / sqrt(square) : 1);
  for (size_t i = 0; i < points; i++) {
    double sum = 0;
    for (size_t j = 0; j < D; j++) sum += noise[j] * basis[i * D + j];
    if (i == points / 3) *first = fabs(sum);
    largest = fmax(largest, fabs(sum));
  }
  return largest;
}

static void bands_cover(void **state) {
  (void)state;
  enum { POINTS = 2000, DRAWS = 2000 };
  static const char *const laws[] = {"discrete-laplace", "rounded-normal", "gamma"};
  for (size_t b = 0; b < BASE_COUNT - 1; b++) {
    for (size_t l = 0; l < 3; l++) {
      sfm_release *release = made(BASES[b].family, BASES[b].count, laws[l]);
      sfm_error error;
      sfm_band band;
      sfmi_prng prng;
      double *basis = calloc(POINTS * release->length, sizeof *basis), points[POINTS], noise[256];
      size_t covered = 0, single = 0, narrow = 0;
      assert_ok(sfmi_band_expansion(&band, release, 0.9, 0, &error), &error);
      for (size_t i = 0; i < POINTS; i++) points[i] = -1 + 4 * (double)i / (POINTS - 1);
      sfmi_basis_at(release->function->basis, basis, points, POINTS);
      sfmi_prng_init(&prng, 77);
      for (size_t i = 0; i < DRAWS; i++) {
        double first = 0, sup = sup_of_noise(release, basis, POINTS, &prng, noise, &first);
        covered += sup <= band.half_width;
        narrow += sup <= 0.7 * band.half_width;
        single += first <= band.pointwise;
      }
      if (binomial_too_few(covered, DRAWS, 0.9) || binomial_too_few(single, DRAWS, 0.9))
        fail_msg("%s with %s: %zu and %zu of %d covered", sfmi_basis_family_name(BASES[b].family),
                 laws[l], covered, single, DRAWS);
      if (!binomial_too_few(narrow, DRAWS, 0.9))
        fail_msg("%s with %s: a band 0.7 as wide would do", sfmi_basis_family_name(BASES[b].family),
                 laws[l]);
      free(basis);
      sfm_release_destroy(release);
    }
  }
}

/* A change to a good file after which it must be refused, with a word that the message has. */
typedef struct broken {
  const char *from, *to, *says;
} broken;

static void wrong_files_are_refused(void **state) {
  (void)state;
  static const broken cases[] = {
      {"\"fourier\"", "\"fourrier\"", "family"},
      {"\"terms\": 9", "\"terms\": 8", "functions"},
      {"\"terms\": 9", "\"terms\": 0", "terms"},
      {"\"terms\": 9", "\"terms\": -1", "terms"},
      {"\"fourier\"", "\"span\"", "family"},
      {"\"fourier\"", "\"random\"", "family"},
      {"\"fourier\"", "\"eigen\"", "nodes"},
      {"\"fourier\"", "\"haar\"", "power of two"},
      {"\"fourier\"", "\"hermite\"", "unit"},
      {"\"basis\"", "\"bases\"", "basis"},
      {"\"hardened\": true", "\"hardened\": false", "hardened"},
      {"\"method\": \"series\"", "\"method\": \"curve\"", "method"},
      {"\"kind\": \"density\"", "\"kind\": \"vector\"", "method"},
      {"\"kind\": \"density\"", "\"kind\": \"function\"", "method"},
      {"\"rows\": 1000", "\"row\": 1000", "rows"},
      {"\"discrete-laplace\"", "\"gamma\"", "hardened"},
  };
  sfm_release *release = made(SFMI_FOURIER, 8, "discrete-laplace");
  sfm_error error;
  char *bytes, text[8192];
  size_t length;
  assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sfm_release *again = NULL;
    char *place = strstr(bytes, cases[i].from);
    assert_non_null(place);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(place - bytes), bytes, cases[i].to,
             place + strlen(cases[i].from));
    sfm_status status = sfm_release_parse(&again, text, strlen(text), "file", &error);
    if (status != SFM_FORMAT || again || !strstr(error.message, cases[i].says))
      fail_msg("%s to %s: status %d, %s", cases[i].from, cases[i].to, (int)status,
               status ? error.message : "accepted");
  }
  free(bytes);
  sfm_release_destroy(release);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_and_values_agree),
      cmocka_unit_test(bands_cover),
      cmocka_unit_test(wrong_files_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
