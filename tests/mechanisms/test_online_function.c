/* test_online_function.c - the law of a session's answers: the function of the rows, and noise with
 * covariance sigma^2 (K + nugget), in whatever order and portions places come. */
/* suite: release */
#include "density_fixture.h"

#include "mechanisms/sessions/online_creation.h"
#include "releases/core/release_kind.h"
#include "releases/core/release_write.h"

/* Pairs of places, half a bandwidth apart, each pair far from all others. */
enum { PAIRS = 100, PLACES = 2 * PAIRS, ROWS = 3000 };
static const double WIDTH = 1000, GAP = 0.5;

/* Draws after which 3 % are noticed but for one time in 1e7. */
enum { ENOUGH = 500 };
#ifdef __SANITIZE_ADDRESS__
enum { SLOWNESS = 10 };
#else
enum { SLOWNESS = 1 };
#endif

static double rows_at[ROWS];

static void set_rows(void) {
  for (int i = 0; i < ROWS; i++) rows_at[i] = (double)(i % PAIRS) * 10 + 5 + 0.25 * (i % 3);
}

static double place(size_t i) {
  return (double)(i / 2) * 10 + 5 + (i % 2 ? GAP : 0);
}

/* The sum over the rows itself. */
static double exact(const sfm_kernel *kernel, double x) {
  double sum = 0;
  for (int i = 0; i < ROWS; i++) sum += sfm_kernel_at(kernel, &x, &rows_at[i]);
  return sum;
}

/* Sums over all draws of noise in units of sigma. */
typedef struct sums {
  double count, first, square, product;
} sums;

/* Places in another order for every draw, in three portions; now and then a restart in between. */
static void draw(double *values, sfmi_online_function **function, const sfmi_new_session *drawn,
                 uint64_t seed) {
  sfmi_prng prng;
  sfm_error error;
  size_t order[PLACES];
  double points[PLACES], answers[PLACES], latents[PLACES];
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < PLACES; i++) order[i] = i;
  for (size_t i = PLACES; i-- > 1;) {
    const size_t j = sfmi_prng_word(&prng) % (i + 1), swapped = order[i];
    order[i] = order[j];
    order[j] = swapped;
  }
  for (size_t i = 0; i < PLACES; i++) points[i] = place(order[i]);
  static const size_t portions[] = {0, 1, 70, PLACES};
  for (int p = 0; p < 3; p++) {
    const size_t from = portions[p], count = portions[p + 1] - from;
    assert_ok(sfmi_online_function_draw(*function, answers + from, latents + from, points + from,
                                        count, &error),
              &error);
    if (p == 2 || seed % 8) continue;
    sfmi_online_function_destroy(*function);
    assert_ok(sfmi_online_function_load(function, drawn->facts, drawn->state, drawn->state_length,
                                        "a test", &error),
              &error);
    assert_ok(sfmi_online_function_restore(*function, points, latents, portions[p + 1], &error),
              &error);
  }
  for (size_t i = 0; i < PLACES; i++) values[order[i]] = answers[i];
}

static void add(sums *s, const double *values, const double *wanted, double sigma) {
  for (size_t i = 0; i < PLACES; i += 2) {
    const double a = (values[i] - wanted[i]) / sigma, b = (values[i + 1] - wanted[i + 1]) / sigma;
    s->count++;
    s->first += a + b;
    s->square += a * a + b * b;
    s->product += a * b;
  }
}

/* How many standard deviations the sums are from what covariance (v, c; c, v) gives. */
static double worst(const sums *s, double v, double c) {
  const double n = s->count;
  const double mean = s->first / sqrt(n * 2 * (v + c));
  const double square = (s->square - 2 * n * v) / sqrt(n * 4 * (v * v + c * c));
  const double product = (s->product - n * c) / sqrt(n * (v * v + c * c));
  return fmax(fabs(mean), fmax(fabs(square), fabs(product)));
}

static void prepare(sfmi_online_creation *creation, sfm_rows *rows,
                    const sfm_density_settings *settings) {
  sfm_error error;
  assert_ok(sfmi_online_creation_init(creation, rows, settings, &error), &error);
  assert_ok(sfmi_online_creation_steps.prepare(&creation->run.base, &error), &error);
}

/* A session, as its file would hold it. */
static void make(sfmi_new_session *drawn, sfmi_online_creation *creation) {
  sfm_error error;
  size_t length;
  sfmi_release_run *run = &creation->run.base;
  const sfmi_release_steps *steps = &sfmi_online_creation_steps;
  assert_ok(steps->read(run, &error), &error);
  assert_ok(steps->draw(run, &error), &error);
  assert_ok(steps->finish(run, &error), &error);
  assert_true(sfmi_release_write_sentence(run->release));
  assert_ok(sfmi_release_print(run->release, &creation->drawn.facts, &length, &error), &error);
  *drawn = creation->drawn;
  creation->drawn = (sfmi_new_session){0};
  sfmi_process_wipe(&creation->sums, &creation->run.design->process);
}

static void the_law_of(sfm_kernel_family family, sfm_engine engine, int draws) {
  density_fixture t;
  sfm_error error;
  sfm_rows *rows;
  sfmi_online_creation creation;
  double wanted[PLACES], nothing[PLACES] = {0}, values[PLACES];
  sums honest = {0}, without_mean = {0};
  density_fixture_init(&t, 1, 0, WIDTH, 1, 1, 1e-6);
  t.settings.method = SFM_DENSITY_GP;
  t.settings.kernel = family;
  t.settings.engine = engine;
  assert_ok(sfm_rows_from_array(&rows, rows_at, ROWS, 1, density_fixture_columns, &error), &error);
  prepare(&creation, rows, &t.settings);
  const sfm_kernel kernel = {.family = family, .dimension = 1, .bandwidth = t.bandwidth};
  for (size_t i = 0; i < PLACES; i++) wanted[i] = exact(&kernel, place(i));
  const double sigma = creation.run.base.release->scale,
               nugget = creation.run.base.release->function->nugget;
  const double v = 1 + nugget, c = sfm_kernel_at(&kernel, &(double){0}, &(double){GAP});
  for (int i = 0; i < draws; i++) {
    sfmi_new_session drawn;
    sfmi_online_function *function;
    make(&drawn, &creation);
    assert_ok(sfmi_online_function_load(&function, drawn.facts, drawn.state, drawn.state_length,
                                        "a test", &error),
              &error);
    draw(values, &function, &drawn, (uint64_t)i);
    add(&honest, values, wanted, sigma);
    add(&without_mean, values, nothing, sigma);
    sfmi_online_function_destroy(function);
    sfmi_new_session_clear(&drawn);
    free(creation.run.base.release->sentence); /* written anew by the next */
    creation.run.base.release->sentence = NULL;
  }
  print_message("%s: %.2f standard deviations off at most (%.0f pairs)\n", sfm_engine_name(engine),
                worst(&honest, v, c), honest.count);
  assert_true(worst(&honest, v, c) < TEST_Z);
  /* The same test rejects noise that is 3 % off, independent noise, and a mean left out. */
  const double off = 1.03 * 1.03;
  if (draws >= ENOUGH) assert_true(worst(&honest, v * off, c * off) > TEST_Z);
  assert_true(worst(&honest, v, 0) > TEST_Z);
  assert_true(worst(&without_mean, v, c) > TEST_Z);
  sfmi_online_creation_clear(&creation);
  sfm_rows_destroy(rows);
  density_fixture_clear(&t);
}

static void noise_has_the_kernels_covariance(void **state) {
  (void)state;
  const int draws = test_long() ? 5 * ENOUGH : ENOUGH / SLOWNESS;
  the_law_of(SFM_KERNEL_MATERN32, SFM_ENGINE_MARKOV, draws);
  the_law_of(SFM_KERNEL_MATERN52, SFM_ENGINE_GRAM, draws);
  if (!test_long()) return;
  the_law_of(SFM_KERNEL_LAPLACIAN, SFM_ENGINE_MARKOV, draws);
  the_law_of(SFM_KERNEL_MATERN52, SFM_ENGINE_MARKOV, draws);
}

/* ---- rounding ---- */

static void load(sfmi_online_function **function, sfmi_new_session *drawn, density_fixture *t,
                 double lower, double upper) {
  sfm_error error;
  sfm_rows *rows;
  sfmi_online_creation creation;
  density_fixture_init(t, 1, lower, upper, (upper - lower) / 7, 1, 1e-6);
  t->settings.method = SFM_DENSITY_GP;
  t->settings.kernel = SFM_KERNEL_MATERN32;
  t->settings.context.seeded = true; /* by chance two nuggets are as close as 1e-6 of one */
  assert_ok(sfm_rows_from_array(&rows, rows_at, ROWS, 1, density_fixture_columns, &error), &error);
  prepare(&creation, rows, &t->settings);
  make(drawn, &creation);
  sfmi_online_creation_clear(&creation);
  assert_ok(sfmi_online_function_load(function, drawn->facts, drawn->state, drawn->state_length,
                                      "a test", &error),
            &error);
  sfm_rows_destroy(rows);
}

/* Values that share their noise share the function too: points a hair apart are one place, or two
 * with a nugget each; and bounds that are no dyadic points can be asked. */
static void what_shares_its_noise_is_one_value(void **state) {
  (void)state;
  static const double bounds[][2] = {{0, 1}, {-0.1, 0.7}, {1.0 / 3, 1000.1}, {-7e5, -3.3}};
  for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
    density_fixture t;
    sfmi_online_function *function;
    sfmi_new_session drawn;
    sfm_error error;
    const double lower = bounds[b][0], upper = bounds[b][1], hair = (upper - lower) * 0x1p-46;
    load(&function, &drawn, &t, lower, upper);
    const double nugget = sfmi_online_function_facts(function)->scale * 0x1p-10;
    double points[64], values[64];
    points[0] = lower;
    points[1] = upper;
    for (size_t i = 2; i < 64; i++)
      points[i] = i < 32 ? lower + (double)(i - 1) * hair : upper - (double)(i - 31) * hair;
    assert_ok(sfmi_online_function_draw(function, values, NULL, points, 64, &error), &error);
    size_t equal = 0;
    for (size_t i = 2; i < 64; i++) {
      const double gap = fabs(values[i] - values[i < 32 ? 0 : 1]);
      equal += gap == 0;
      /* Another place: far beyond what the function moves by over so little. */
      if (gap > 0) assert_true(gap > 1e-6 * nugget && gap < 12 * nugget);
    }
    assert_true(equal > 0 && equal < 62);
    sfmi_online_function_destroy(function);
    sfmi_new_session_clear(&drawn);
    density_fixture_clear(&t);
  }
}

int main(void) {
  set_rows();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(noise_has_the_kernels_covariance),
      cmocka_unit_test(what_shares_its_noise_is_one_value),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
