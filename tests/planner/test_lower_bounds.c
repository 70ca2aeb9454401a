/* test_lower_bounds.c - lower bounds are below what can be had: the exact optimum of small
 * problems, by linear programs of their own, and known answers. */
#include "planner/limits/lower_bounds.h"

#include "base/math/lp.h"
#include "planner/forecast/count_errors.h"
#include "test_support.h"

/* ---- the optimum of any small problem ---- */

enum { DATA_MAX = 40, ANSWERS_MAX = 256, WIDTH = 8 };

/* Databases, their true answers, how many steps between neighbours they are apart, and what may be
 * answered. */
typedef struct problem {
  size_t data, answers, width;
  double truth[DATA_MAX][WIDTH];
  bool near[DATA_MAX][DATA_MAX]; /* neighbours */
  double answer[ANSWERS_MAX][WIDTH];
  size_t
      occupied; /* only risks of databases with at most so many numbers above zero count; 0: all */
} problem;

static bool counts(const problem *p, size_t i) {
  size_t occupied = 0;
  for (size_t k = 0; k < p->width; k++) occupied += p->truth[i][k] > 0;
  return !p->occupied || occupied <= p->occupied;
}

static double distance(const double *a, const double *b, size_t width) {
  double sum = 0;
  for (size_t i = 0; i < width; i++) sum += fabs(a[i] - b[i]);
  return sum;
}

/* The least worst mean l1 error of any private mechanism with these answers. */
static double optimum(const problem *p, double epsilon) {
  const size_t D = p->data, A = p->answers, columns = D * A + 1;
  size_t pairs = 0, rows, entries = 0;
  sfm_error error;
  for (size_t i = 0; i < D; i++)
    for (size_t j = 0; j < D; j++) pairs += p->near[i][j];
  rows = pairs * A + 2 * D; /* ratios, risks, sums */
  const size_t room = 2 * pairs * A + 2 * D * A + D;
  double *values = malloc(room * sizeof *values);
  int *starts = malloc((columns + 1) * sizeof *starts), *indices = malloc(room * sizeof *indices);
  double *lower = malloc(rows * sizeof *lower), *upper = malloc(rows * sizeof *upper);
  double *objective = calloc(columns, sizeof *objective);
  objective[columns - 1] = 1;
  for (size_t i = 0; i < D; i++)
    for (size_t a = 0; a < A; a++) {
      size_t pair = 0;
      starts[i * A + a] = (int)entries;
      for (size_t k = 0; k < D; k++)
        for (size_t l = 0; l < D; l++) {
          if (!p->near[k][l]) continue; /* P_k(a) - e^epsilon P_l(a) <= 0 */
          if (k == i || l == i) {
            values[entries] = k == i ? 1 : -exp(epsilon);
            indices[entries++] = (int)(pair * A + a);
          }
          pair++;
        }
      values[entries] = counts(p, i) ? distance(p->truth[i], p->answer[a], p->width) : 0;
      indices[entries++] = (int)(pairs * A + i);
      values[entries] = 1;
      indices[entries++] = (int)(pairs * A + D + i);
    }
  starts[columns - 1] = (int)entries;
  for (size_t i = 0; i < D; i++) {
    values[entries] = -1;
    indices[entries++] = (int)(pairs * A + i);
  }
  starts[columns] = (int)entries;
  for (size_t r = 0; r < rows; r++) {
    lower[r] = r < pairs * A + D ? -INFINITY : 1;
    upper[r] = r < pairs * A + D ? 0 : 1;
  }
  const sfmi_lp_problem program = {.rows = rows,
                                   .columns = columns,
                                   .objective = objective,
                                   .row_lower = lower,
                                   .row_upper = upper,
                                   .values = values,
                                   .starts = starts,
                                   .indices = indices};
  sfmi_lp *lp;
  sfmi_lp_outcome outcome;
  assert_ok(sfmi_lp_create(&lp, &program, &error), &error);
  assert_ok(sfmi_lp_solve(lp, &outcome, &error), &error);
  assert_int_equal(outcome, SFMI_LP_OPTIMAL);
  const double value = sfmi_lp_value(lp);
  sfmi_lp_destroy(lp);
  free(values);
  free(starts);
  free(indices);
  free(lower);
  free(upper);
  free(objective);
  return value;
}

/* All tables of n records in `cells` cells. */
static void add_tables(problem *p, double *table, size_t at, size_t cells, int left) {
  if (at == cells) {
    if (left == 0) memcpy(p->truth[p->data++], table, cells * sizeof *table);
    return;
  }
  for (int here = 0; here <= left; here++) {
    table[at] = here;
    add_tables(p, table, at + 1, cells, left - here);
  }
}

/* Every point of a grid of steps 0, 1, ..., most a number. */
static void add_answers(problem *p, double *answer, size_t at, int most) {
  if (at == p->width) {
    memcpy(p->answer[p->answers++], answer, p->width * sizeof *answer);
    return;
  }
  for (int here = 0; here <= most; here++) {
    answer[at] = here;
    add_answers(p, answer, at + 1, most);
  }
}

static problem table_problem(size_t cells, int n) {
  static problem p;
  double table[WIDTH];
  p = (problem){.width = cells};
  add_tables(&p, table, 0, cells, n);
  add_answers(&p, table, 0, n);
  for (size_t i = 0; i < p.data; i++)
    for (size_t j = 0; j < p.data; j++) p.near[i][j] = distance(p.truth[i], p.truth[j], cells) == 2;
  return p;
}

static const double epsilons[] = {0.05, 0.3, 1, 2.5};

/* Most records of a table: programs of four cells and three records take a minute. */
static int largest(size_t cells) {
  return cells < 4 || test_long() ? 3 : 2;
}

/* A table of two cells is a count whose error is made twice. */
static void tables_of_small_size(void **state) {
  (void)state;
  for (size_t e = 0; e < 4; e++)
    for (size_t cells = 2; cells <= 4; cells++)
      for (int n = 1; n <= (cells == 2 ? 6 : largest(cells)); n++) {
        const problem p = table_problem(cells, n);
        const double least = optimum(&p, epsilons[e]);
        const double bound =
            sfmi_lower_bound_table(cells, (uint64_t)n, epsilons[e], SFM_NEIGHBOURS_REPLACE);
        if (!(bound <= least * (1 + 1e-6)))
          fail_msg("%zu cells, %d records, epsilon %g: bound %g above %g", cells, n, epsilons[e],
                   bound, least);
        if (cells == 2 && n == 1) assert_relative("one record, two cells", bound, least, 1e-6);
        assert_true(bound > 0.4 * least * (cells == 2));
      }
}

static void sparse_tables_of_small_size(void **state) {
  (void)state;
  for (size_t e = 0; e < 4; e++)
    for (size_t occupied = 1; occupied <= 3; occupied++) {
      const int n = largest(4);
      problem p = table_problem(4, n);
      p.occupied = occupied;
      const double least = optimum(&p, epsilons[e]);
      const double bound =
          sfmi_lower_bound_sparse(4, occupied, (uint64_t)n, epsilons[e], SFM_NEIGHBOURS_REPLACE);
      if (!(bound <= least * (1 + 1e-6)))
        fail_msg("%zu occupied, epsilon %g: bound %g above %g", occupied, epsilons[e], bound,
                 least);
    }
}

/* One-way margins of two and three binary columns: databases are multisets of records. */
static problem margins_problem(size_t columns, int n) {
  static problem p;
  static int sets[DATA_MAX][WIDTH];
  double answer[WIDTH];
  const size_t kinds = (size_t)1 << columns;
  double table[WIDTH];
  problem all = {0};
  add_tables(&all, table, 0, kinds, n);
  p = (problem){.width = 2 * columns, .data = all.data};
  for (size_t i = 0; i < all.data; i++)
    for (size_t k = 0; k < kinds; k++) {
      sets[i][k] = (int)all.truth[i][k];
      for (size_t c = 0; c < columns; c++) p.truth[i][2 * c + (k >> c & 1)] += all.truth[i][k];
    }
  for (size_t i = 0; i < p.data; i++)
    for (size_t j = 0; j < p.data; j++) {
      int moved = 0;
      for (size_t k = 0; k < kinds; k++) moved += abs(sets[i][k] - sets[j][k]);
      p.near[i][j] = moved == 2;
    }
  /* Of every column ones, and the rest are zeros: who answers otherwise gains nothing. */
  problem ones = {.width = columns};
  add_answers(&ones, answer, 0, n);
  p.answers = ones.answers;
  for (size_t a = 0; a < ones.answers; a++)
    for (size_t c = 0; c < columns; c++) {
      p.answer[a][2 * c + 1] = ones.answer[a][c];
      p.answer[a][2 * c] = n - ones.answer[a][c];
    }
  return p;
}

static void margins_of_small_size(void **state) {
  static const uint64_t sizes[] = {2, 2, 2};
  (void)state;
  for (size_t e = 0; e < 4; e++)
    for (size_t columns = 1; columns <= 3; columns++)
      for (int n = 1; n <= (columns < 3 ? 3 : test_long() ? 2 : 1); n++) {
        const problem p = margins_problem(columns, n);
        const double least = optimum(&p, epsilons[e]);
        const double bound = sfmi_lower_bound_margins(sizes, columns, (uint64_t)n, epsilons[e],
                                                      SFM_NEIGHBOURS_REPLACE);
        if (!(bound <= least * (1 + 1e-6)))
          fail_msg("%zu columns, %d records, epsilon %g: bound %g above %g", columns, n,
                   epsilons[e], bound, least);
      }
}

/* ---- counts ---- */

/* The least mean risk under even counts, by looking at every answer. */
static double even_by_hand(int n, double epsilon) {
  const double a = exp(-epsilon);
  double sum = 0;
  for (int k = 0; k <= n; k++) {
    double best = INFINITY;
    for (int j = 0; j <= n; j++) {
      double cost = 0;
      for (int i = 0; i <= n; i++)
        cost += exp(-epsilon * abs(i - k)) * (k == 0 || k == n ? 1 : 1 - a) / (1 + a) * abs(i - j);
      best = fmin(best, cost);
    }
    sum += best;
  }
  return sum / (n + 1);
}

static void counts_by_hand(void **state) {
  static const struct {
    uint64_t n;
    double epsilon, least;
  } known[] = {{1, 1, 0.268941}, {10, 0.5, 1.478986}, {10, 1, 0.803027}, {20, 0.5, 1.743536}};
  (void)state;
  for (int n = 1; n < 70; n = 2 * n + (n % 3))
    for (double epsilon = 0.003; epsilon < 12; epsilon *= 2.7)
      assert_relative("even prior", sfmi_lower_bound_count((uint64_t)n, epsilon),
                      even_by_hand(n, epsilon), 1e-9);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const double bound = sfmi_lower_bound_count(known[i].n, known[i].epsilon);
    assert_true(bound <= known[i].least * (1 + 1e-5));
    assert_true(bound >= 0.9 * known[i].least);
  }
  for (double epsilon = 0.01; epsilon < 4; epsilon *= 2)
    assert_relative("large n", sfmi_lower_bound_count(UINT64_C(1) << 50, epsilon),
                    1 / sinh(epsilon), 2e-3);
}

/* e^-2/epsilon for n >= 6/epsilon and epsilon < 2 follows, since the even prior proves more. */
static void closed_form_where_it_holds(void **state) {
  (void)state;
  for (double epsilon = 1e-3; epsilon < 2; epsilon *= 1.2)
    for (double more = 1; more < 40; more *= 6)
      assert_true(sfmi_lower_bound_count((uint64_t)ceil(6 * more / epsilon), epsilon) >=
                  exp(-2) / epsilon);
  /* and does not below: one record at 0.2 has 0.450, where it says 0.677 */
  assert_true(sfmi_lower_bound_count(1, 0.2) < 0.4502 && exp(-2) / 0.2 > 0.6766);
}

/* ---- large problems ---- */

static void no_bound_is_above_what_is_had(void **state) {
  uint64_t sizes[64];
  (void)state;
  for (size_t j = 0; j < 64; j++) sizes[j] = 2 + j % 3;
  for (double epsilon = 0.01; epsilon < 30; epsilon *= 4)
    for (int bits = 1; bits <= 62; bits += 4) {
      const uint64_t p = UINT64_C(1) << bits;
      for (uint64_t q = 1; q <= p && q < (UINT64_C(1) << 40); q = 17 * q + 1)
        for (int neighbours = 0; neighbours < 2; neighbours++) {
          const double scale = (neighbours ? 1 : 2) / epsilon,
                       least = floor(scale * log((double)p / (double)q)) + 1;
          const double had =
              ((double)p - (double)q) * sfmi_count_error_thresholded(scale, least, 0).absolute +
              (double)q * sfmi_count_error_worst(scale, least);
          const double bound =
              sfmi_lower_bound_sparse(p, q, 0, epsilon, (sfm_neighbours)neighbours);
          if (!(bound <= had * (1 + 1e-9)))
            fail_msg("p 2^%d, q %g, epsilon %g: bound %g above %g", bits, (double)q, epsilon, bound,
                     had);
          const double plain = (double)p / sinh(1 / scale);
          assert_true(sfmi_lower_bound_table(p, 0, epsilon, (sfm_neighbours)neighbours) <=
                      plain * (1 + 1e-9));
        }
      const size_t columns = (size_t)bits;
      double numbers = 0;
      for (size_t j = 0; j < columns; j++) numbers += (double)sizes[j];
      assert_true(sfmi_lower_bound_margins(sizes, columns, 0, epsilon, SFM_NEIGHBOURS_REPLACE) <=
                  numbers / sinh(epsilon / (2 * (double)columns)));
      assert_true(sfmi_lower_bound_margins(sizes, columns, 0, epsilon, SFM_NEIGHBOURS_ADD_REMOVE) <=
                  numbers / sinh(epsilon / (double)columns));
    }
}

/* Rates: what is proved grows as they do. */
static void bounds_grow_as_rates(void **state) {
  uint64_t sizes[64];
  (void)state;
  for (size_t j = 0; j < 64; j++) sizes[j] = 2;
  const double of_rate =
      sfmi_lower_bound_margins(sizes, 64, 0, 0.01, SFM_NEIGHBOURS_REPLACE) / (64 * 64 / 0.01);
  assert_true(of_rate > 0.035 && of_rate < 0.045);
  for (uint64_t q = 10; q < 100000; q *= 10) {
    const double rate = (double)q * (62 * log(2) - log((double)q)) / 0.01;
    const double part =
        sfmi_lower_bound_sparse(UINT64_C(1) << 62, q, 0, 0.01, SFM_NEIGHBOURS_REPLACE) / rate;
    assert_true(part > 0.2 && part < 0.3);
  }
}

/* At every count: of mechanisms that answer 0 to half of all that is not far from it. */
static void risk_at_every_count(void **state) {
  (void)state;
  for (double epsilon = 0.2; epsilon < 2; epsilon *= 2)
    for (int width = 0; width < 30; width += 3) {
      enum { N = 200 };
      double worst = 0, least = INFINITY;
      for (int i = 0; i <= N; i++) { /* geometric, and 0 when it says width or less */
        double risk = 0;
        for (int k = 0; k <= N; k++) {
          const double a = exp(-epsilon),
                       p = exp(-epsilon * abs(i - k)) / (1 + a) * (k == 0 || k == N ? 1 : 1 - a);
          risk += p * abs((k <= width ? 0 : k) - i);
        }
        worst = fmax(worst, risk);
        least = fmin(least, risk);
      }
      const double sharp = sfmi_lower_bound_everywhere(N, epsilon, worst),
                   stated = worst * exp(-4 * worst * epsilon - epsilon);
      assert_true(sharp <= least);
      if (N >= 2 * ceil(4 * worst) - 1)
        assert_true(stated <= least && stated <= sharp * (1 + 1e-9));
    }
  assert_true(sfmi_lower_bound_everywhere(1, 1, 3) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_of_small_size),       cmocka_unit_test(sparse_tables_of_small_size),
      cmocka_unit_test(margins_of_small_size),      cmocka_unit_test(counts_by_hand),
      cmocka_unit_test(closed_form_where_it_holds), cmocka_unit_test(no_bound_is_above_what_is_had),
      cmocka_unit_test(bounds_grow_as_rates),       cmocka_unit_test(risk_at_every_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
