/* test_audit_gp_engines.c - values at places by every engine, attacked where they are weakest:
 * places that are equal or nearly so, neighbours as far apart as the proof allows. */
/* suite: release */
#include "audit/support/gp_audit.h"
#include "audit/support/hardened_audit.h"

/* Three people in 0:8, bandwidth 1; one of them moves from one end to the other. */
static const double HOME[] = {0, 4, 4}, MOVED[] = {8, 4, 4}, LOST[] = {NAN, 4, 4},
                    ALL_HOME[] = {0, 0, 0}, ALL_MOVED[] = {8, 8, 8};
/* The same along the diagonal of a square. */
static const double CORNER[] = {0, 0, 4, 4, 4, 4}, ACROSS[] = {8, 8, 4, 4, 4, 4};

/* Some places twice, some a hair apart, in no order. */
static const double TWINNED[] = {8, 0, 1e-9, 4, 8 - 1e-6, -0.0, 0x1p-44, 4 + 1e-12, 2, 8};
static const double SCATTERED[] = {0, 0,        1e-9, 0, 8, 8,         0, 0,
                                   8, 8 - 1e-7, 8,    8, 4, 4 + 1e-12, 4, 4};

/* Three rows, of which one moves. */
static void honest(const char *name, const density_fixture *t) {
  const bool flat = t->settings.dimension == 1;
  gp_audit e;
  gp_audit_init_density(&e, t, (const double *[]){flat ? HOME : CORNER, flat ? MOVED : ACROSS}, 3);
  gp_audit_honest(name, &e, t->settings.epsilon, t->settings.delta, 0.99, audit_share(0.8, 0.93));
}

static void circulant_keeps_epsilon_and_delta(void **state) {
  (void)state;
  density_fixture t = gp_audit_line(SFM_ENGINE_CIRCULANT, SFM_KERNEL_LAPLACIAN, 1);
  honest("circulant laplacian, a row moved", &t);
  density_fixture_clear(&t);
  t = gp_audit_line(SFM_ENGINE_CIRCULANT, SFM_KERNEL_GAUSSIAN, 1);
  t.settings.release_grid[0] = 17;
  honest("circulant gaussian, a row moved", &t);
  density_fixture_clear(&t);
  t = gp_audit_line(SFM_ENGINE_CIRCULANT, SFM_KERNEL_MATERN32, 2);
  honest("circulant matern32 in two dimensions", &t);
  density_fixture_clear(&t);
}

static void markov_keeps_epsilon_and_delta(void **state) {
  (void)state;
  density_fixture t = gp_audit_line(SFM_ENGINE_MARKOV, SFM_KERNEL_LAPLACIAN, 1);
  honest("markov laplacian, a row moved", &t);
  gp_audit_at(&t, TWINNED, 10);
  honest("markov laplacian, places a hair apart", &t);
  t.settings.kernel = SFM_KERNEL_MATERN32;
  honest("markov matern32, places a hair apart", &t);
  t.settings.kernel = SFM_KERNEL_MATERN52;
  honest("markov matern52, places a hair apart", &t);
  density_fixture_clear(&t);
}

static double cosine(void *context, const double *x, const double *y, size_t dimension) {
  (void)context;
  (void)dimension;
  return cos((x[0] - y[0]) * M_PI / 8);
}

static void gram_keeps_epsilon_and_delta(void **state) {
  (void)state;
  density_fixture t = gp_audit_line(SFM_ENGINE_GRAM, SFM_KERNEL_CAUCHY, 1);
  honest("gram cauchy, a row moved", &t);
  gp_audit_at(&t, TWINNED, 10);
  honest("gram cauchy, places a hair apart", &t);
  /* A kernel that is negative between the two ends: they are 2 apart, and its matrix has rank 2. */
  const sfm_kernel own = {.family = SFM_KERNEL_OWN, .dimension = 1, .function = cosine, .bound = 1};
  t.settings.kernel = SFM_KERNEL_OWN;
  t.settings.own = &own;
  honest("gram, a kernel of one's own", &t);
  density_fixture_clear(&t);
  t = gp_audit_line(SFM_ENGINE_GRAM, SFM_KERNEL_MATERN12, 2);
  gp_audit_at(&t, SCATTERED, 16);
  honest("gram matern12 in two dimensions, a hair apart", &t);
  density_fixture_clear(&t);
}

static void rows_that_differ_otherwise_keep_epsilon_and_delta(void **state) {
  (void)state;
  density_fixture t = gp_audit_line(SFM_ENGINE_MARKOV, SFM_KERNEL_MATERN52, 1);
  gp_audit e;
  gp_audit_at(&t, TWINNED, 10);
  gp_audit_init_density(&e, &t, (const double *[]){HOME, LOST}, 3); /* sqrt 2 nearer */
  gp_audit_honest("markov matern52, a row that counts as zero", &e, 2, 0.1, 0.7,
                  audit_share(0.4, 0.48));
  density_fixture_neighbours(&t, SFM_NEIGHBOURS_REPLACE, 3);
  gp_audit_init_density(&e, &t, (const double *[]){ALL_HOME, ALL_MOVED}, 3);
  gp_audit_honest("markov matern52, three rows of one person", &e, 2, 0.1, 0.99,
                  audit_share(0.8, 0.93));
  density_fixture_clear(&t);
  t = gp_audit_line(SFM_ENGINE_GRAM, SFM_KERNEL_CAUCHY, 1);
  t.settings.epsilon = 1;
  t.settings.delta = 1e-3; /* rarer events: less is seen of them */
  gp_audit_init_density(&e, &t, (const double *[]){HOME, MOVED}, 3);
  gp_audit_honest("gram cauchy, a smaller delta", &e, 1, 1e-3, 0.99, audit_share(0.5, 0.8));
  density_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(circulant_keeps_epsilon_and_delta),
      cmocka_unit_test(markov_keeps_epsilon_and_delta),
      cmocka_unit_test(gram_keeps_epsilon_and_delta),
      cmocka_unit_test(rows_that_differ_otherwise_keep_epsilon_and_delta),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
