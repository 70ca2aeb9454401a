/* test_audit_series.c - series with each noise, attacked on their worst neighbours, beside twins
 * with faults that published code has. */
/* suite: release */
#include "test_support.h"

#include "audit/support/hardened_audit.h"
#include "features/bases/eigen_basis.h"
#include "features/basis_fixtures.h"
#include "random/stream.h"

/* Three people, of whom one moves. */
static series_problem problem(sfm_basis basis, size_t terms, sfm_vector_noise noise,
                              const double *from, const double *to) {
  const bool normal = noise == SFM_VECTOR_NOISE_NORMAL;
  return (series_problem){.basis = basis,
                          .terms = terms,
                          .noise = noise,
                          .contributions = 1,
                          .epsilon = normal ? 2 : 1,
                          .delta = normal ? 0.1 : 0,
                          .rows = {from, to},
                          .count = 3};
}

static audit_mechanism of(const char *name, hardened_audit *s, const series_problem *p) {
  return (audit_mechanism){name,    hardened_audit_draw, s, HARDENED_AUDIT_SCORES, p->epsilon,
                           p->delta};
}

static void honest(const char *name, const series_problem *p, double least) {
  hardened_audit s;
  hardened_audit_init_series(&s, p);
  hardened_audit_arm(&s);
  audit_mechanism m = of(name, &s, p);
  audit_honest(&m, least);
  hardened_audit_clear(&s);
}

static void caught(const char *name, hardened_audit *s, const series_problem *p) {
  hardened_audit_arm(s);
  audit_mechanism m = of(name, s, p);
  audit_twin(&m);
  hardened_audit_clear(s);
}

/* Where the functions of each basis are farthest apart, and the middle of the bounds. */
static const double EIGHTH[] = {0.125, 0.5, 0.5}, FIVE[] = {0.625, 0.5, 0.5}, LOW[] = {0, 0.5, 0.5},
                    HIGH[] = {1, 0.5, 0.5}, MIDDLE[] = {0.5, 0.5, 0.5}, NOBODY[] = {NAN, 0.5, 0.5},
                    ALL_LOW[] = {0, 0, 0}, ALL_HIGH[] = {1, 1, 1};

static void laplace_keeps_epsilon(void **state) {
  (void)state;
  series_problem p = problem(SFM_BASIS_FOURIER, 3, SFM_VECTOR_NOISE_LAPLACE, EIGHTH, FIVE);
  honest("series fourier, a row moved", &p, audit_share(0.8, 0.95));
  p.epsilon = 3;
  honest("series fourier, a row moved", &p, audit_share(0.8, 0.95));
  p = problem(SFM_BASIS_FOURIER, 3, SFM_VECTOR_NOISE_LAPLACE, EIGHTH, NOBODY); /* half as far */
  honest("series fourier, a row that is NaN", &p, audit_share(0.4, 0.475));
  p = problem(SFM_BASIS_COSINE, 2, SFM_VECTOR_NOISE_LAPLACE, LOW, HIGH);
  honest("series cosine, a row moved", &p, audit_share(0.85, 0.95));
  p = problem(SFM_BASIS_LEGENDRE, 2, SFM_VECTOR_NOISE_LAPLACE, LOW, HIGH);
  honest("series legendre, a row moved", &p, audit_share(0.85, 0.95));
  /* One function that is nowhere negative: farthest from zero. */
  p = problem(SFM_BASIS_HERMITE, 1, SFM_VECTOR_NOISE_LAPLACE, MIDDLE, NOBODY);
  honest("series hermite, a row that is NaN", &p, audit_share(0.85, 0.95));
  p = problem(SFM_BASIS_HAAR, 4, SFM_VECTOR_NOISE_LAPLACE, LOW, HIGH);
  honest("series haar, a row moved", &p, audit_share(0.7, 0.9));
  p = problem(SFM_BASIS_COSINE, 2, SFM_VECTOR_NOISE_LAPLACE, ALL_LOW, ALL_HIGH);
  p.contributions = 3;
  honest("series cosine, three rows of one person", &p, audit_share(0.85, 0.95));
}

static void normal_keeps_epsilon_and_delta(void **state) {
  (void)state;
  series_problem p = problem(SFM_BASIS_FOURIER, 3, SFM_VECTOR_NOISE_NORMAL, EIGHTH, FIVE);
  honest("series fourier, normal, a row moved", &p, audit_share(0.8, 0.95));
  p = problem(SFM_BASIS_HAAR, 8, SFM_VECTOR_NOISE_NORMAL, LOW, HIGH);
  honest("series haar, normal, a row moved", &p, audit_share(0.8, 0.95));
  p = problem(SFM_BASIS_EIGEN, 6, SFM_VECTOR_NOISE_NORMAL, LOW, HIGH);
  honest("series eigen, normal, a row moved", &p, audit_share(0.5, 0.6));
}

/* Gamma noise is made of doubles: a release is real numbers. */
typedef struct cloud {
  hardened_audit s;
  double scale;
  double *theta[2], *released;
  sfmi_stream *stream;
} cloud;

static void cloud_init(cloud *c, const series_problem *p) {
  sfm_error error;
  hardened_audit_init_series(&c->s, p);
  const size_t D = c->s.length;
  c->scale = c->s.hardening.sensitivity / p->epsilon;
  c->released = calloc(D, sizeof *c->released);
  for (int k = 0; k < 2; k++) {
    c->theta[k] = calloc(D, sizeof *c->theta[k]);
    for (size_t j = 0; j < D; j++) c->theta[k][j] = (double)c->s.values[k][j] * c->s.hardening.step;
  }
  assert_ok(test_long() ? sfmi_stream_create(&c->stream, &error)
                        : sfmi_stream_create_seeded(&c->stream, 1, &error),
            &error);
}

static void cloud_clear(cloud *c) {
  sfmi_stream_destroy(c->stream);
  hardened_audit_clear(&c->s);
  free(c->theta[0]);
  free(c->theta[1]);
  free(c->released);
}

/* The likelihood ratio, and the first number's part of it. */
static void cloud_draw(void *context, int input, double *scores) {
  cloud *c = context;
  const size_t D = c->s.length;
  double from[2] = {0, 0};
  sfmi_vector_idealise(c->released, c->theta[input], D, true, c->scale, NULL, c->stream);
  for (int k = 0; k < 2; k++)
    for (size_t j = 0; j < D; j++)
      from[k] += (c->released[j] - c->theta[k][j]) * (c->released[j] - c->theta[k][j]);
  scores[0] = sqrt(from[0]) - sqrt(from[1]);
  scores[1] = c->released[0];
}

static void gamma_keeps_epsilon(void **state) {
  (void)state;
  series_problem p = problem(SFM_BASIS_FOURIER, 3, SFM_VECTOR_NOISE_GAMMA, EIGHTH, FIVE);
  cloud c;
  cloud_init(&c, &p);
  audit_mechanism m = {"series fourier, gamma, a row moved", cloud_draw, &c, 2, p.epsilon, 0};
  audit_honest(&m, audit_share(0.7, 0.85));
  c.scale *= 0.6; /* WRONG */
  m.name = "TWIN series, gamma, scale x 0.6";
  audit_twin(&m);
  cloud_clear(&c);
}

/* --- Twins.  Each is wrong in one step, and must be caught. --- */

/* The noise of another sensitivity, in the unit of coefficients. */
static void set_sensitivity(hardened_audit *s, const series_problem *p, double sensitivity) {
  sfm_error error;
  assert_ok(
      sfmi_harden_laplace(&s->hardening.law, sensitivity / s->hardening.step, p->epsilon, &error),
      &error);
}

static double norm_at(const sfmi_basis *basis, double x, const double *minus, bool l1) {
  double row[64], sum = 0;
  assert_true(basis->count <= 64);
  sfmi_basis_at(basis, row, &x, 1);
  for (size_t j = 0; j < basis->count; j++) {
    const double d = row[j] - (minus ? minus[j] : 0);
    sum += l1 ? fabs(d) : d * d;
  }
  return l1 ? sum : sqrt(sum);
}

static void a_twin_with_the_norm_of_its_own_rows_is_caught(void **state) {
  (void)state;
  static const double here[] = {0.3, 0.2, 0.2}, there[] = {0.5, 0.2, 0.2};
  series_problem p = problem(SFM_BASIS_HERMITE, 1, SFM_VECTOR_NOISE_LAPLACE, here, there);
  sfmi_basis *basis = basis_stated(SFMI_HERMITE, 1, 0, 1);
  hardened_audit s;
  hardened_audit_init_series(&s, &p);
  double largest = 0; /* WRONG: of the rows present, not of all that could be */
  for (int i = 0; i < 3; i++) largest = fmax(largest, norm_at(basis, here[i], NULL, true));
  set_sensitivity(&s, &p, largest);
  caught("TWIN series, the largest row present", &s, &p);
  sfmi_basis_destroy(basis);
  /* WRONG: the largest single norm, where two rows may be twice as far apart. */
  p = problem(SFM_BASIS_FOURIER, 3, SFM_VECTOR_NOISE_LAPLACE, EIGHTH, FIVE);
  basis = basis_stated(SFMI_FOURIER, 2, 0, 1);
  hardened_audit_init_series(&s, &p);
  set_sensitivity(&s, &p, norm_at(basis, 0.125, NULL, true));
  caught("TWIN series, one norm for a difference", &s, &p);
  sfmi_basis_destroy(basis);
}

/* WRONG: pairs of rows alone, while a row that is not a number contributes nothing. */
static void a_twin_without_the_zero_vector_is_caught(void **state) {
  (void)state;
  series_problem p = problem(SFM_BASIS_HERMITE, 1, SFM_VECTOR_NOISE_LAPLACE, MIDDLE, NOBODY);
  p.unit = 1; /* so wide that no two rows differ much */
  sfmi_basis stated = stated_of(SFMI_HERMITE, 1, 0, 1);
  stated.unit = 1;
  sfmi_basis *basis = basis_of(&stated);
  double end, x = 0;
  sfmi_basis_at(basis, &end, &x, 1);
  hardened_audit s;
  hardened_audit_init_series(&s, &p);
  set_sensitivity(&s, &p, norm_at(basis, 0.5, &end, true));
  caught("TWIN series, pairs without zero", &s, &p);
  sfmi_basis_destroy(basis);
}

/* WRONG: eigenvectors v of a matrix of nodes for the functions v/sqrt(w): of unit length, they look
 * as if a row moved little. */
static void a_twin_with_unscaled_eigenvectors_is_caught(void **state) {
  (void)state;
  enum { NODES = 64 };
  static const double bandwidth = 0.2;
  const sfm_kernel kernel = {
      .family = SFM_KERNEL_GAUSSIAN, .dimension = 1, .bandwidth = &bandwidth};
  series_problem p = problem(SFM_BASIS_EIGEN, 3, SFM_VECTOR_NOISE_LAPLACE, LOW, HIGH);
  sfm_error error;
  sfmi_basis stated;
  assert_ok(sfmi_eigen_stated(&stated, NULL, &kernel, 0, 1, 3, &error), &error);
  sfmi_basis *basis = basis_of(&stated);
  double widest = 0;
  for (int i = 0; i < NODES * NODES; i++) {
    double row[3], x = (i / NODES + 0.5) / NODES;
    sfmi_basis_at(basis, row, &x, 1);
    widest = fmax(widest, norm_at(basis, (i % NODES + 0.5) / NODES, row, true));
  }
  hardened_audit s;
  hardened_audit_init_series(&s, &p);
  assert_true(widest <= s.hardening.sensitivity);
  set_sensitivity(&s, &p, widest * sqrt(1.0 / NODES)); /* of v = sqrt(w) psi at the nodes */
  caught("TWIN series, eigenvectors without their scale", &s, &p);
  sfmi_basis_destroy(basis);
}

/* WRONG: Laplace noise for the l2 sensitivity, which is up to sqrt(D) less than that in l1. */
static void a_twin_without_root_d_is_caught(void **state) {
  (void)state;
  series_problem p = problem(SFM_BASIS_HAAR, 8, SFM_VECTOR_NOISE_LAPLACE, LOW, HIGH), l2 = p;
  hardened_audit s, other;
  l2.noise = SFM_VECTOR_NOISE_GAMMA;
  hardened_audit_init_series(&s, &p);
  hardened_audit_init_series(&other, &l2);
  set_sensitivity(&s, &p, other.hardening.sensitivity);
  caught("TWIN series, l2 sensitivity for laplace", &s, &p);
  hardened_audit_clear(&other);
}

/* WRONG: the constant's coefficient, which counts the rows that could be read, without noise. */
static void draw_counted(void *context, int input, double *scores) {
  hardened_audit_draw(context, input, scores);
  scores[0] = input ? 2 : 3;
}

static void twins_that_miscount_are_caught(void **state) {
  (void)state;
  series_problem p = problem(SFM_BASIS_COSINE, 2, SFM_VECTOR_NOISE_LAPLACE, LOW, NOBODY);
  hardened_audit s;
  hardened_audit_init_series(&s, &p);
  hardened_audit_arm(&s);
  audit_mechanism m = of("TWIN series, the constant without noise", &s, &p);
  m.draw = draw_counted;
  audit_twin(&m);
  hardened_audit_clear(&s);
  p = problem(SFM_BASIS_COSINE, 2, SFM_VECTOR_NOISE_LAPLACE, ALL_LOW,
              ALL_HIGH); /* WRONG: one is stated */
  hardened_audit_init_series(&s, &p);
  caught("TWIN series, three contributions charged as one", &s, &p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laplace_keeps_epsilon),
      cmocka_unit_test(normal_keeps_epsilon_and_delta),
      cmocka_unit_test(gamma_keeps_epsilon),
      cmocka_unit_test(a_twin_with_the_norm_of_its_own_rows_is_caught),
      cmocka_unit_test(a_twin_without_the_zero_vector_is_caught),
      cmocka_unit_test(a_twin_with_unscaled_eigenvectors_is_caught),
      cmocka_unit_test(a_twin_without_root_d_is_caught),
      cmocka_unit_test(twins_that_miscount_are_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
