/* test_torus_band.c - fourier-laplace and caratheodory as files, and their bands: what is written
 * is read back, what is malformed is refused, and the bands hold as often as they say. */
/* suite: release */
#include "coverage.h"

#include <jansson.h>

#include "features/bodies/verblunsky.h"
#include "releases/band/band.h"
#include "releases/eval/trig_polynomial.h"
#include "releases/core/release_write.h"

enum { N = 150 };
static double rows[2 * N];

static const sfm_boundary WRAPS[] = {SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC};

/* Of rows on 0:1. */
static sfm_release *release_of(sfm_density_method method, size_t d, size_t terms, bool wraps,
                               double confidence) {
  density_fixture t;
  density_fixture_rows(rows, N, d, 0, 1, 71);
  density_fixture_init(&t, d, 0, 1, 0.07, 2, 0);
  t.settings.method = method;
  t.settings.terms = terms;
  t.settings.boundary = wraps ? WRAPS : NULL;
  t.settings.context.confidence = confidence;
  t.settings.context.seeded = true;
  sfm_release *release = density_fixture_release(&t, rows, N);
  density_fixture_clear(&t);
  return release;
}

static const sfm_density_method LAPLACE = SFM_DENSITY_FOURIER_LAPLACE,
                                BODY = SFM_DENSITY_CARATHEODORY;

static void files_come_back_as_they_were(void **state) {
  (void)state;
  for (int i = 0; i < 6; i++) {
    sfm_error error;
    sfm_release *made = release_of(i < 4 ? LAPLACE : BODY, i == 2 || i == 3 ? 2 : 1, 4, i % 2, 0.9);
    sfm_release *read = NULL;
    sfm_band band;
    char *bytes, *again;
    size_t length, second;
    assert_ok(sfmi_release_print(made, &bytes, &length, &error), &error);
    assert_ok(sfm_release_parse(&read, bytes, length, "file", &error), &error);
    assert_ok(sfmi_release_print(read, &again, &second, &error), &error);
    assert_int_equal(length, second);
    assert_memory_equal(bytes, again, length);
    assert_int_equal(read->method, made->method);
    assert_int_equal(read->hardened, i < 4);
    assert_memory_equal(read->function->torus, made->function->torus,
                        made->dimension * sizeof *read->function->torus);
    assert_ok(sfm_release_band_at(read, &band, 0.9, &error), &error);
    assert_true(band.half_width == made->band.half_width && band.pointwise == made->band.pointwise);
    assert_true(band.pointwise <= band.half_width && band.systematic <= band.half_width);
    sfm_band wider;
    assert_ok(sfm_release_band_at(read, &wider, 0.999, &error), &error);
    assert_true(wider.half_width > band.half_width && isfinite(wider.half_width));
    sfm_release_destroy(read);
    sfm_release_destroy(made);
    free(bytes);
    free(again);
  }
}

/* Whether a file is refused after a change. */
typedef void change(json_t *root);

static void no_terms(json_t *root) {
  json_object_set_new(root, "torus", json_pack("{s:[i]}", "terms", 0));
}
static void many_terms(json_t *root) {
  json_object_set_new(root, "torus", json_pack("{s:[i]}", "terms", 2001));
}
static void other_terms(json_t *root) {
  json_object_set_new(root, "torus", json_pack("{s:[i]}", "terms", 5));
}
static void two_terms(json_t *root) {
  json_object_set_new(root, "torus", json_pack("{s:[i,i]}", "terms", 4, 4));
}
static void no_torus(json_t *root) {
  json_object_del(root, "torus");
}
static void mirrored(json_t *root) {
  json_object_set_new(json_array_get(json_object_get(root, "domain"), 0), "boundary",
                      json_string("reflect"));
}
static void other_count(json_t *root) {
  json_object_set_new(root, "rows", json_integer(N + 1));
}
static void uncounted(json_t *root) {
  json_object_del(root, "rows");
}
static void other_kernel(json_t *root) {
  json_object_set_new(root, "kernel", json_string("cauchy"));
}
static void turned(json_t *root) {
  json_object_set_new(root, "hardened",
                      json_boolean(!json_is_true(json_object_get(root, "hardened"))));
}
static void other_law(json_t *root) {
  json_object_set_new(json_object_get(root, "noise"), "law", json_string("gamma"));
}
static void other_body(json_t *root) {
  json_object_set_new(root, "body", json_string("sphere"));
}
static void no_body(json_t *root) {
  json_object_del(root, "body");
}
static void large_hull(json_t *root) {
  json_t *coefficients = json_object_get(root, "coefficients");
  json_object_set_new(root, "body", json_string("hull"));
  json_object_set_new(root, "torus", json_pack("{s:[i]}", "terms", 25));
  while (json_array_size(coefficients) < 51) json_array_append_new(coefficients, json_integer(0));
  json_object_set_new(root, "length", json_integer(51));
}

static void refused_after(const char *bytes, size_t length, change *edit) {
  sfm_error error;
  sfm_release *read = NULL;
  json_t *root = json_loadb(bytes, length, 0, NULL);
  edit(root);
  char *text = json_dumps(root, JSON_REAL_PRECISION(17));
  assert_int_equal(sfm_release_parse(&read, text, strlen(text), "file", &error), SFM_FORMAT);
  assert_null(read);
  assert_true(strlen(error.message) > 10);
  free(text);
  json_decref(root);
}

static void nonsense_is_refused(void **state) {
  (void)state;
  change *const both[] = {no_terms,    many_terms, other_terms,  two_terms, no_torus, mirrored,
                          other_count, uncounted,  other_kernel, turned,    other_law};
  for (int i = 0; i < 2; i++) {
    sfm_error error;
    sfm_release *made = release_of(i ? BODY : LAPLACE, 1, 4, false, 0.9);
    char *bytes;
    size_t length;
    assert_ok(sfmi_release_print(made, &bytes, &length, &error), &error);
    for (size_t k = 0; k < sizeof both / sizeof *both; k++)
      if (i || both[k] != other_law) refused_after(bytes, length, both[k]);
    if (i) {
      refused_after(bytes, length, other_body);
      refused_after(bytes, length, no_body);
      refused_after(bytes, length, large_hull);
    }
    free(bytes);
    sfm_release_destroy(made);
  }
}

/* ---- coverage ---- */

enum { POINTS = 101, MOST = 128 };

/* A release, its polynomial, and the estimate at points of a line (in two dimensions a diagonal).
 */
typedef struct fixture {
  sfm_release *release;
  sfmi_trig_poly *poly;
  double exact[MOST], truth[POINTS];
} fixture;

/* The estimate of a row at q; on a circle with its images. */
static double bump(const sfm_release *release, size_t a, double q, double x) {
  double sum = 0;
  const int images = release->boundary[a] == SFM_BOUNDARY_PERIODIC ? 2 : 0;
  for (int u = -images; u <= images; u++) {
    const double z = (q - x + u) / release->function->bandwidth[a];
    sum += exp(-0.5 * z * z);
  }
  return sum / (sqrt(2 * M_PI) * release->function->bandwidth[a]);
}

static double point(size_t i) {
  return (double)i / (POINTS - 1);
}

static void fixture_init(fixture *s, sfm_density_method method, size_t d, size_t terms,
                         bool wraps) {
  sfm_error error;
  s->release = release_of(method, d, terms, wraps, 0.9);
  assert_in_range(s->release->length, 1, MOST);
  assert_ok(sfmi_trig_poly_create(&s->poly, s->release, &error), &error);
  for (size_t i = 0; i < POINTS; i++) {
    s->truth[i] = 0;
    for (size_t r = 0; r < N; r++) {
      double product = 1;
      for (size_t a = 0; a < d; a++) product *= bump(s->release, a, point(i), rows[r * d + a]);
      s->truth[i] += product / N;
    }
  }
  for (size_t k = 0; k < s->release->length; k++) {
    s->exact[k] = 0;
    for (size_t r = 0; r < N; r++) {
      size_t rest = k;
      double product = 1;
      for (size_t a = d; a-- > 0;) {
        const sfmi_torus *torus = &s->release->function->torus[a];
        const size_t width = 2 * torus->terms + 1, at = rest % width;
        const double angle =
            2 * M_PI * (double)((at + 1) / 2) * (rows[r * d + a] + torus->margin) / torus->period;
        rest /= width;
        if (at) product *= M_SQRT2 * (at % 2 ? cos(angle) : sin(angle));
      }
      s->exact[k] += product;
    }
  }
}

static void fixture_clear(fixture *s) {
  sfmi_trig_poly_destroy(s->poly);
  sfm_release_destroy(s->release);
}

/* New noise on all but the constant. */
static void draw(double *coefficients, const fixture *s, sfmi_prng *prng) {
  const sfm_release *release = s->release;
  const size_t m = release->function->torus[0].terms;
  double complex c[MOST], work[MOST];
  double uniforms[2 * MOST], r = 0;
  memcpy(coefficients, s->exact, release->length * sizeof *coefficients);
  if (release->method == SFMI_FOURIER_LAPLACE) {
    for (size_t k = 1; k < release->length; k++)
      coefficients[k] += release->scale * sfmi_prng_laplace(prng);
    return;
  }
  for (size_t i = 0; i < 2 * m; i++) uniforms[i] = sfmi_prng_uniform(prng);
  for (size_t i = 0; i < 2 * m + 1; i++) r -= release->scale * log(sfmi_prng_uniform(prng));
  sfmi_verblunsky_point(c, uniforms, work, m);
  for (size_t k = 1; k <= m; k++) {
    coefficients[2 * k - 1] += M_SQRT2 * r * creal(c[k - 1]);
    coefficients[2 * k] += M_SQRT2 * r * cimag(c[k - 1]);
  }
}

static void bands_hold(const char *name, sfm_density_method method, size_t d, size_t terms,
                       bool wraps, bool sharp) {
  enum { DRAWS = 400 };
  fixture s;
  tally tallies[LEVELS] = {{0}};
  sfm_band bands[LEVELS];
  sfm_error error;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 72);
  fixture_init(&s, method, d, terms, wraps);
  for (int l = 0; l < LEVELS; l++)
    assert_ok(sfm_release_band_at(s.release, &bands[l], confidences[l], &error), &error);
  static const size_t places[PLACES] = {50, 53, 31, 0};
  for (int k = 0; k < DRAWS; k++) {
    double coefficients[MOST], off[POINTS], sup = 0;
    draw(coefficients, &s, &prng);
    sfmi_trig_poly_load(s.poly, coefficients, 1.0 / N);
    for (size_t i = 0; i < POINTS; i++) {
      const double q[2] = {point(i), point(i)};
      off[i] = fabs(sfmi_trig_poly_at(s.poly, q) - s.truth[i]);
      sup = fmax(sup, off[i]);
    }
    for (int l = 0; l < LEVELS; l++) {
      tallies[l].sup += sup <= bands[l].half_width;
      tallies[l].shrunk_sup += sup <= 0.6 * bands[l].half_width;
      tallies[l].shrunk_point += off[50] <= 0.6 * bands[l].pointwise;
      for (int i = 0; i < PLACES; i++) tallies[l].point[i] += off[places[i]] <= bands[l].pointwise;
    }
  }
  for (int l = 0; l < LEVELS; l++)
    judge(name, &tallies[l], DRAWS, confidences[l], sharp && confidences[l] < 0.99);
  fixture_clear(&s);
}

static void bands_cover_as_often_as_they_say(void **state) {
  (void)state;
  bands_hold("fourier-laplace", LAPLACE, 1, 24, false, true);
  bands_hold("fourier-laplace, periodic", LAPLACE, 1, 12, true, true);
  bands_hold("fourier-laplace, plane", LAPLACE, 2, 5, false, false);
  bands_hold("fourier-laplace, few terms", LAPLACE, 1, 8, false, false);
  bands_hold("caratheodory", BODY, 1, 24, false, true);
  bands_hold("caratheodory, periodic", BODY, 1, 3, true, false);
}

/* The bound that holds for both bodies: no point of K_m, and none of its mirror image, has values
 * above k. */
static void bodies_are_bounded_by_their_peak(void **state) {
  (void)state;
  sfm_error error;
  sfm_band exact, hull;
  sfm_release *release = release_of(BODY, 1, 8, false, 0.9);
  assert_ok(sfmi_band_torus(&exact, release, 0.9, &error), &error);
  release->function->density_body = SFM_DENSITY_BODY_HULL;
  assert_ok(sfmi_band_torus(&hull, release, 0.9, &error), &error);
  /* Of one scale, the hull's is the wider: it is not simulated. */
  assert_true(exact.half_width < hull.half_width && hull.half_width < 6 * exact.half_width);
  assert_true(hull.pointwise <= hull.half_width);
  double complex c[8], work[8];
  double uniforms[16], coefficients[17] = {0}, peak = 0;
  sfmi_trig_poly *poly = NULL;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 73);
  assert_ok(sfmi_trig_poly_create(&poly, release, &error), &error);
  for (size_t j = 1; j <= 8; j++)
    peak +=
        2 * sfmi_torus_lambda(&release->function->torus[0], j) / release->function->torus[0].period;
  for (int i = 0; i < 500; i++) {
    for (size_t k = 0; k < 16; k++) uniforms[k] = sfmi_prng_uniform(&prng);
    sfmi_verblunsky_point(c, uniforms, work, 8);
    if (i % 2) sfmi_verblunsky_curve(c, uniforms[0], 8);
    for (size_t k = 1; k <= 8; k++) {
      coefficients[2 * k - 1] = M_SQRT2 * creal(c[k - 1]);
      coefficients[2 * k] = M_SQRT2 * cimag(c[k - 1]);
    }
    sfmi_trig_poly_load(poly, coefficients, 1);
    for (int k = 0; k <= 20; k++) {
      const double x = k / 20.0;
      assert_true(fabs(sfmi_trig_poly_at(poly, &x)) <= peak * (1 + 1e-12));
    }
  }
  sfmi_trig_poly_destroy(poly);
  sfm_release_destroy(release);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_come_back_as_they_were),
      cmocka_unit_test(nonsense_is_refused),
      cmocka_unit_test(bands_cover_as_often_as_they_say),
      cmocka_unit_test(bodies_are_bounded_by_their_peak),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
