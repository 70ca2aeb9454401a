/* test_cross_validation.c - cross-validation on a lattice: against its definition on every kind of
 * axis, against the error it estimates, and how far one person moves it, searched. */
#include "estimators/lattice/cross_validation.h"
#include "test_support.h"

enum { MOST = 4096 };

/* A problem of up to three columns over 0:16, its candidates and its rows. */
typedef struct problem {
  size_t dimension, count, rows;
  double lower[3], upper[3], candidates[3 * 8], errors[8];
  sfm_boundary boundary[3];
  uint32_t contributions;
  double values[MOST]; /* row by row; NaN in the first column: not kept */
} problem;

/* The smallest candidate along an axis: wider where there are more axes, for the sake of time. */
static double smallest(size_t dimension, size_t a) {
  return (double)(1 << (dimension - 1)) * (a ? 1.5 : 1);
}

static void problem_init(problem *p, size_t dimension, sfm_boundary boundary, size_t rows) {
  *p = (problem){.dimension = dimension, .count = 3, .rows = rows, .contributions = 1};
  for (size_t a = 0; a < dimension; a++) {
    p->upper[a] = 16;
    p->boundary[a] = a ? SFM_BOUNDARY_OPEN : boundary;
    for (size_t i = 0; i < p->count; i++)
      p->candidates[i * dimension + a] = (double)(1 << i) * smallest(dimension, a);
  }
}

static sfmi_cross_validation *made(const problem *p) {
  sfm_error error;
  sfmi_cross_validation *pairs = NULL;
  const sfmi_cross_validation_shape shape = {.dimension = p->dimension,
                                             .count = p->count,
                                             .lower = p->lower,
                                             .upper = p->upper,
                                             .boundary = p->boundary,
                                             .candidates = p->candidates,
                                             .rows = p->rows,
                                             .contributions = p->contributions,
                                             .errors = p->errors};
  assert_ok(sfmi_cross_validation_create(&pairs, &shape, &error), &error);
  return pairs;
}

/* The rows as a reader hands them on. */
static void add(sfmi_cross_validation *pairs, const problem *p, const double *values,
                size_t count) {
  static double room[3 * SFMI_BATCH_ROWS];
  static uint8_t keep[SFMI_BATCH_ROWS];
  for (size_t r = 0; r < count; r++) {
    keep[r] = (uint8_t)!isnan(values[r * p->dimension]);
    for (size_t a = 0; a < p->dimension; a++)
      room[a * SFMI_BATCH_ROWS + r] = keep[r] ? values[r * p->dimension + a] : 1e300;
  }
  sfmi_cross_validation_add(
      pairs, &(sfmi_batch){.rows = count, .columns = p->dimension, .values = room, .keep = keep});
}

static void scores(double *out, const problem *p, const double *values) {
  sfm_error error;
  sfmi_cross_validation *pairs = made(p);
  add(pairs, p, values, p->rows);
  for (size_t i = 0; i < p->count; i++) {
    long double score;
    assert_ok(sfmi_cross_validation_score(pairs, &score, i, &error), &error);
    out[i] = (double)score;
  }
  sfmi_cross_validation_destroy(pairs);
}

/* The normal density of width h between x and y, with the images of the axis. */
static double kernel(const problem *p, size_t a, double h, double x, double y) {
  const double width = p->upper[a] - p->lower[a];
  double sum = 0;
  const int images = 8 + (int)(8 * h / width);
  for (int k = -images; k <= images; k++) {
    const double period = p->boundary[a] == SFM_BOUNDARY_REFLECT ? 2 * width : width;
    if (p->boundary[a] == SFM_BOUNDARY_OPEN && k) continue;
    sum += exp(-0.5 * pow((x - y + k * period) / h, 2));
    if (p->boundary[a] == SFM_BOUNDARY_REFLECT)
      sum += exp(-0.5 * pow((x + y - 2 * p->lower[a] + k * period) / h, 2));
  }
  return sum / (sqrt(2 * M_PI) * h);
}

/* The middle of the candidate's cell. */
static double snapped(const problem *p, size_t a, double spacing, double x) {
  return p->lower[a] + (floor((x - p->lower[a]) / spacing) + 0.5) * spacing;
}

/* R by its definition, of rows in the middles of cells. */
static double defined(const problem *p, const double *values, size_t i) {
  const double n = (double)p->rows;
  sfmi_cross_validation *pairs = made(p);
  double square = 0, cross = 0;
  for (size_t r = 0; r < p->rows; r++)
    for (size_t s = 0; s < p->rows; s++) {
      double wide = 1, narrow = 1;
      if (isnan(values[r * p->dimension]) || isnan(values[s * p->dimension])) continue;
      for (size_t a = 0; a < p->dimension; a++) {
        const double h = p->candidates[i * p->dimension + a],
                     spacing = sfmi_cross_validation_spacing(pairs, i, a),
                     x = snapped(p, a, spacing, values[r * p->dimension + a]),
                     y = snapped(p, a, spacing, values[s * p->dimension + a]);
        wide *= kernel(p, a, M_SQRT2 * h, x, y);
        narrow *= kernel(p, a, h, x, y);
      }
      square += wide;
      if (r != s) cross += narrow;
    }
  sfmi_cross_validation_destroy(pairs);
  return square / (n * n) - 2 * cross / (n * (n - 1));
}

/* Rows in the middles of cells, which are a quarter of the smallest candidate at the most; some are
 * not kept. */
static void place_rows(problem *p, uint64_t seed) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t r = 0; r < p->rows; r++)
    for (size_t a = 0; a < p->dimension; a++) {
      const double cells = ceil(64 / smallest(p->dimension, a)), spacing = 16 / cells;
      const double u = sfmi_prng_uniform(&prng);
      const double cell = floor(cells * (u < 0.3 ? 0.02 : u < 0.6 ? u * u : u));
      p->values[r * p->dimension + a] = r % 11 == 5 && a == 0 ? NAN : (cell + 0.5) * spacing;
    }
}

static void scores_are_as_defined(void **state) {
  (void)state;
  for (size_t d = 1; d <= 3; d++)
    for (int boundary = SFM_BOUNDARY_OPEN; boundary <= SFM_BOUNDARY_PERIODIC; boundary++) {
      problem p;
      double got[8];
      problem_init(&p, d, (sfm_boundary)boundary, 60);
      place_rows(&p, d);
      scores(got, &p, p.values);
      for (size_t i = 0; i < p.count; i++)
        assert_relative("score", got[i], defined(&p, p.values, i), d == 3 ? 1e-4 : 1e-6);
    }
}

/* A kernel as wide as the axis, which meets itself again and again. */
static void wide_kernels_meet_themselves(void **state) {
  (void)state;
  for (int boundary = SFM_BOUNDARY_OPEN; boundary <= SFM_BOUNDARY_PERIODIC; boundary++) {
    problem p;
    double got[8];
    problem_init(&p, 1, (sfm_boundary)boundary, 30);
    p.candidates[1] = 16;
    p.candidates[2] = 40;
    place_rows(&p, 3);
    scores(got, &p, p.values);
    for (size_t i = 0; i < p.count; i++)
      assert_relative("score", got[i], defined(&p, p.values, i), 1e-6);
  }
}

/* Against the integrated squared error itself, less what no bandwidth changes. */
static void scores_estimate_the_error(void **state) {
  (void)state;
  problem p;
  double got[8], mean[8] = {0};
  enum { TRIES = 40 };
  sfmi_prng prng;
  sfmi_prng_init(&prng, 9);
  problem_init(&p, 1, SFM_BOUNDARY_OPEN, 2000);
  p.upper[0] = 100;
  p.candidates[0] = 1;
  p.candidates[1] = 3;
  p.candidates[2] = 8;
  for (int k = 0; k < TRIES; k++) {
    for (size_t r = 0; r < p.rows; r++)
      p.values[r] = (r % 2 ? 35 : 65) + 5 * sfmi_prng_normal(&prng);
    scores(got, &p, p.values);
    for (size_t i = 0; i < 3; i++) mean[i] += got[i] / TRIES;
  }
  for (size_t i = 0; i < 3; i++) {
    /* E ISE - int f^2 = (1 - 1/n) int (K f)^2 + int K^2/n - 2 int f (K f), with f two normals. */
    const double h2 = p.candidates[i] * p.candidates[i], n = (double)p.rows;
#define MEET(v) (0.5 * (1 + exp(-900 / (2 * (v)))) / sqrt(2 * M_PI * (v)))
    const double wanted =
        (1 - 1 / n) * MEET(50 + 2 * h2) - 2 * MEET(50 + h2) + 1 / (n * 2 * sqrt(M_PI * h2));
#undef MEET
    assert_near("error", mean[i], wanted, 2e-4);
  }
}

static void many_rows_in_one_cell_do_not_overflow(void **state) {
  (void)state;
  sfm_error error;
  problem p;
  enum { BATCHES = 2048 };
  problem_init(&p, 3, SFM_BOUNDARY_REFLECT, (size_t)SFMI_BATCH_ROWS * BATCHES);
  for (size_t i = 0; i < 3; i++) p.candidates[3 * i] = 40 * (double)(i + 1); /* many images */
  sfmi_cross_validation *pairs = made(&p);
  static double room[3 * SFMI_BATCH_ROWS];
  static uint8_t keep[SFMI_BATCH_ROWS];
  memset(keep, 1, sizeof keep);
  const sfmi_batch batch = {.rows = SFMI_BATCH_ROWS, .columns = 3, .values = room, .keep = keep};
  for (int k = 0; k < BATCHES; k++) sfmi_cross_validation_add(pairs, &batch);
  for (size_t i = 0; i < 3; i++) {
    long double score;
    double wide = 1, narrow = 1;
    for (size_t a = 0; a < 3; a++) {
      const double h = p.candidates[3 * i + a], x = 0.5 * 16 / ceil(64 / (a ? smallest(3, a) : 40));
      wide *= kernel(&p, a, M_SQRT2 * h, x, x);
      narrow *= kernel(&p, a, h, x, x);
    }
    assert_ok(sfmi_cross_validation_score(pairs, &score, i, &error), &error);
    assert_relative("score", (double)score, wide - 2 * narrow, 1e-3);
  }
  sfmi_cross_validation_destroy(pairs);
}

/* --- Sensitivity. --- */

static double any_value(sfmi_prng *prng) {
  const double u = sfmi_prng_uniform(prng);
  return u < 0.1 ? NAN : u < 0.4 ? 0 : u < 0.5 ? 16 : 16 * sfmi_prng_uniform(prng) * u;
}

static void any_row(const problem *p, double *row, sfmi_prng *prng) {
  for (size_t a = 0; a < p->dimension; a++) {
    row[a] = any_value(prng);
    if (a && isnan(row[a])) row[a] = 3;
  }
}

/* The largest log ratio of the choices' probabilities at epsilon 1. */
static double privacy_loss(sfmi_u128 loss[2][8], size_t count) {
  double masses[2][8], sum[2] = {0}, most = 0;
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < count; i++)
      sum[k] += masses[k][i] =
          exp(-(double)loss[k][i] / SFMI_CROSS_VALIDATION_SENSITIVITY * (count == 2 ? 1 : 0.5));
  for (size_t i = 0; i < count; i++)
    most = fmax(most, fabs(log(masses[0][i] / sum[0] / (masses[1][i] / sum[1]))));
  return most;
}

/* All rows but the changed ones at one place, or anywhere: differences of scores move by at most
 * their sensitivity and come near it, losses by at most SFMI_CROSS_VALIDATION_SENSITIVITY, and what
 * is chosen tells no more than epsilon. */
static void search(size_t dimension, sfm_boundary boundary, uint32_t contributions, bool crossed,
                   size_t rounds, double reach) {
  sfm_error error;
  problem p;
  sfmi_prng prng;
  double most = 0, farthest = 0, told = 0;
  sfmi_prng_init(&prng, dimension + contributions);
  problem_init(&p, dimension, boundary, 40);
  p.contributions = contributions;
  if (contributions > 1) p.count = 2;
  for (size_t i = 0; i < p.count; i++) p.errors[i] = 0.01 * (double)i;
  if (crossed) { /* each has the finer lattice along one axis */
    p.candidates[0] = p.candidates[3] = 0.5;
    p.candidates[1] = p.candidates[2] = 8;
  }
  for (size_t round = 0; round < rounds; round++) {
    double other[MOST], score[2][8];
    sfmi_u128 loss[2][8];
    sfmi_cross_validation *pairs[2];
    const bool heap = round % 4 > 0;
    any_row(&p, p.values, &prng);
    for (size_t r = 1; r < p.rows; r++)
      if (heap)
        memcpy(p.values + r * dimension, p.values, dimension * sizeof *p.values);
      else
        any_row(&p, p.values + r * dimension, &prng);
    memcpy(other, p.values, sizeof p.values);
    any_row(&p, other, &prng);
    for (size_t r = 1; r < contributions; r++)
      memcpy(other + r * dimension, other, dimension * sizeof *other);
    for (int k = 0; k < 2; k++) {
      pairs[k] = made(&p);
      add(pairs[k], &p, k ? other : p.values, p.rows);
      assert_ok(sfmi_cross_validation_losses(pairs[k], loss[k], &error), &error);
      for (size_t i = 0; i < p.count; i++) {
        long double s;
        assert_ok(sfmi_cross_validation_score(pairs[k], &s, i, &error), &error);
        score[k][i] = (double)s;
      }
    }
    assert_true(privacy_loss(loss, p.count) <= 1);
    told = fmax(told, privacy_loss(loss, p.count));
    for (size_t i = 0; i < p.count; i++) {
      const sfmi_u128 a = loss[0][i], b = loss[1][i], move = a > b ? a - b : b - a;
      assert_true(move <= SFMI_CROSS_VALIDATION_SENSITIVITY);
      farthest = fmax(farthest, (double)move / SFMI_CROSS_VALIDATION_SENSITIVITY);
      for (size_t j = 0; j < i; j++) {
        const double moved = fabs(score[0][i] - score[0][j] - score[1][i] + score[1][j]) /
                             sfmi_cross_validation_sensitivity(pairs[0], i, j);
        assert_true(moved <= 1);
        most = fmax(most, moved);
      }
    }
    for (int k = 0; k < 2; k++) sfmi_cross_validation_destroy(pairs[k]);
  }
  if (most < reach || farthest < reach || told < reach / 2)
    fail_msg("dimension %zu, boundary %d: the search moved a difference by %g and a loss by %g of "
             "their sensitivity, not by %g, and told %g of epsilon",
             dimension, (int)boundary, most, farthest, reach, told);
}

static void one_person_moves_it_by_the_claim_and_no_more(void **state) {
  (void)state;
  search(1, SFM_BOUNDARY_OPEN, 1, false, 300, 0.9);
  search(1, SFM_BOUNDARY_PERIODIC, 1, false, 300, 0.9);
  search(1, SFM_BOUNDARY_REFLECT, 1, false, 300, 0.85);
  search(1, SFM_BOUNDARY_OPEN, 3, false, 300, 0.8);
  search(2, SFM_BOUNDARY_REFLECT, 1, false, 40, 0.4);
  search(2, SFM_BOUNDARY_PERIODIC, 1, true, 40, 0.2);
  search(3, SFM_BOUNDARY_OPEN, 1, false, 10, 0.2);
}

/* --- Losses. --- */

static void the_best_candidate_has_no_loss(void **state) {
  (void)state;
  sfm_error error;
  problem p;
  sfmi_u128 losses[8];
  problem_init(&p, 1, SFM_BOUNDARY_OPEN, 200);
  place_rows(&p, 5);
  p.errors[0] = 1; /* public, and larger than any score */
  p.errors[2] = 1e20;
  sfmi_cross_validation *pairs = made(&p);
  add(pairs, &p, p.values, p.rows);
  assert_ok(sfmi_cross_validation_losses(pairs, losses, &error), &error);
  assert_true(losses[1] == 0 && losses[0] > 0 && losses[2] > losses[0]);
  assert_true(losses[2] <= (sfmi_u128)1 << 56);
  sfmi_cross_validation_destroy(pairs);
}

static void a_lattice_too_large_is_refused(void **state) {
  (void)state;
  sfm_error error = {0};
  sfmi_cross_validation *pairs;
  problem p;
  problem_init(&p, 2, SFM_BOUNDARY_OPEN, 10);
  p.candidates[0] = 0.01;
  p.candidates[1] = 0.01;
  const sfmi_cross_validation_shape shape = {.dimension = 2,
                                             .count = 2,
                                             .lower = p.lower,
                                             .upper = p.upper,
                                             .boundary = p.boundary,
                                             .candidates = p.candidates,
                                             .rows = 10,
                                             .contributions = 1,
                                             .errors = p.errors};
  assert_int_equal(sfmi_cross_validation_create(&pairs, &shape, &error), SFM_INVALID);
  assert_null(pairs);
  assert_non_null(strstr(error.message, "smallest"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scores_are_as_defined),
      cmocka_unit_test(wide_kernels_meet_themselves),
      cmocka_unit_test(scores_estimate_the_error),
      cmocka_unit_test(many_rows_in_one_cell_do_not_overflow),
      cmocka_unit_test(one_person_moves_it_by_the_claim_and_no_more),
      cmocka_unit_test(the_best_candidate_has_no_loss),
      cmocka_unit_test(a_lattice_too_large_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
