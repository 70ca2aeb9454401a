/* test_audit_density_sobolev.c - densities with the noise of a Sobolev space, attacked where they
 * are weakest, and twins that are wrong on purpose. */
/* suite: release */
#include "audit/support/gp_audit.h"
#include "audit/support/hardened_audit.h"
#include "features/kernels/sobolev_norm.h"

/* Bounds 0:8, bandwidth 1, epsilon 2, delta 0.1; 33 places or 11 x 11. */
static density_fixture line(sfm_engine engine, size_t dimension, const double *gamma) {
  density_fixture t = gp_audit_line(engine, SFM_KERNEL_GAUSSIAN, dimension);
  t.settings.method = SFM_DENSITY_SOBOLEV;
  t.settings.gamma = gamma;
  for (size_t a = 0; a < dimension; a++) t.settings.release_grid[a] = dimension == 1 ? 33 : 11;
  return t;
}

/* An interval on which no two rows are as far apart as one is from nothing
 * (docs/proofs/sobolev.md): bounds 0:1, bandwidth and gamma 1. */
static density_fixture flat(void) {
  static const double one = 1;
  density_fixture t;
  density_fixture_init(&t, 1, 0, 1, 1, 2, 0.1);
  t.settings.method = SFM_DENSITY_SOBOLEV;
  t.settings.gamma = &one;
  t.settings.release_grid[0] = 17;
  return t;
}

/* Three people, of whom one moves by as much as is worst, amid the places. */
static const double NEAR[] = {2.5, 4, 4}, FAR[] = {5.5, 4, 4};
/* One who counts, or as nothing. */
static const double THERE[] = {0.5, 0.2}, GONE[] = {NAN, 0.2};

static void sobolev_keeps_epsilon_and_delta(void **state) {
  (void)state;
  static const double gamma[] = {0.8, 0.8};
  static const double corner[] = {2.7, 4, 4, 4}, across[] = {5.3, 4, 4, 4};
  gp_audit e;
  density_fixture t = line(SFM_ENGINE_MARKOV, 1, NULL);
  gp_audit_init_density(&e, &t, (const double *[]){NEAR, FAR}, 3);
  gp_audit_honest("sobolev markov, a row moved", &e, 2, 0.1, 0.98, audit_share(0.8, 0.93));
  t.settings.engine = SFM_ENGINE_CIRCULANT;
  gp_audit_init_density(&e, &t, (const double *[]){NEAR, FAR}, 3);
  gp_audit_honest("sobolev circulant, a row moved", &e, 2, 0.1, 0.98, audit_share(0.8, 0.93));
  density_fixture_clear(&t);
  t = line(SFM_ENGINE_AUTO, 2, gamma);
  gp_audit_init_density(&e, &t, (const double *[]){corner, across}, 2);
  gp_audit_honest("sobolev in two dimensions", &e, 2, 0.1, 0.9, audit_share(0.65, 0.75));
  density_fixture_clear(&t);
}

static void rows_that_count_as_nothing_keep_epsilon_and_delta(void **state) {
  (void)state;
  gp_audit e;
  density_fixture t = flat();
  gp_audit_init_density(&e, &t, (const double *[]){THERE, GONE}, 2);
  gp_audit_honest("sobolev markov, a row that counts as nothing", &e, 2, 0.1, 0.99,
                  audit_share(0.8, 0.93));
  density_fixture_clear(&t);
}

/* ---- twins ---- */

static void caught(const char *name, gp_audit *e) {
  gp_audit_twin(name, e, 2, 0.1);
}

static void a_twin_of_pairs_is_caught(void **state) {
  (void)state;
  const sfmi_sobolev_axis bumps = {1, 1};
  gp_audit e;
  density_fixture t = flat();
  double pairs = 0;
  for (int i = 0; i <= 50; i++)
    for (int j = 0; j < i; j++)
      pairs = fmax(pairs, sqrt(sfmi_sobolev_square_distance(&bumps, i / 50., j / 50., NULL)));
  gp_audit_init_density(&e, &t, (const double *[]){THERE, GONE}, 2);
  e.scale = pairs / e.mu; /* WRONG: without the zero vector */
  caught("TWIN sobolev, the distance of pairs alone", &e);
  density_fixture_clear(&t);
}

static void a_twin_of_the_datas_own_norm_is_caught(void **state) {
  (void)state;
  gp_audit e;
  density_fixture t = line(SFM_ENGINE_MARKOV, 1, NULL);
  gp_audit_init_density(&e, &t, (const double *[]){NEAR, FAR}, 3);
  const sfmi_sobolev_axis bumps = {8, 1 / e.bandwidth[0]};
  double largest = 0;
  for (int i = 0; i < 3; i++)
    largest = fmax(largest, sqrt(sfmi_sobolev_square(&bumps, NEAR[i], NULL)));
  e.scale = largest / e.mu; /* WRONG: of rows that are there, not of all there could be */
  caught("TWIN sobolev, the largest norm of the data", &e);
  density_fixture_clear(&t);
}

static void twins_with_a_wrong_variance_are_caught(void **state) {
  (void)state;
  static const double all_near[] = {2.5, 2.5, 2.5}, all_far[] = {5.5, 5.5, 5.5};
  gp_audit e;
  density_fixture t = line(SFM_ENGINE_MARKOV, 1, NULL);
  density_fixture_neighbours(&t, SFM_NEIGHBOURS_REPLACE, 3);
  gp_audit_init_density(&e, &t, (const double *[]){all_near, all_far}, 3);
  e.scale = sqrt(e.scale); /* WRONG: as printed in the thesis, proposition 3.2.2 */
  caught("TWIN sobolev, covariance sigma K", &e);
  gp_audit_init_density(&e, &t, (const double *[]){all_near, all_far}, 3);
  e.bandwidth[0] *= 4; /* WRONG: the noise of another gamma than the sensitivity's */
  caught("TWIN sobolev, noise of a quarter of gamma", &e);
  density_fixture_clear(&t);
}

/* Bumps far apart are orthogonal; at three bandwidths they are farther apart still.  Four parts in
 * a hundred are too few for so many draws, and plain in exact numbers. */
static void a_twin_of_orthogonal_rows_passes_mu(void **state) {
  (void)state;
  gp_audit e;
  density_fixture t = line(SFM_ENGINE_MARKOV, 1, NULL);
  t.settings.release_grid[0] = 129;
  gp_audit_init_density(&e, &t, (const double *[]){NEAR, FAR}, 3);
  e.scale = sqrt(2 * sfmi_sobolev_line_square(1 / e.bandwidth[0], 0)) / e.mu; /* WRONG */
  gp_audit_arm(&e);
  assert_true(gp_audit_mu(&e) > 1.03 * e.mu);
  gp_audit_clear(&e);
  density_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sobolev_keeps_epsilon_and_delta),
      cmocka_unit_test(rows_that_count_as_nothing_keep_epsilon_and_delta),
      cmocka_unit_test(a_twin_of_pairs_is_caught),
      cmocka_unit_test(a_twin_of_the_datas_own_norm_is_caught),
      cmocka_unit_test(twins_with_a_wrong_variance_are_caught),
      cmocka_unit_test(a_twin_of_orthogonal_rows_passes_mu),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
