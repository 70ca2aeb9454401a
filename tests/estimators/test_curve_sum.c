/* test_curve_sum.c - sums of clipped curves: what one record or one person can move, searched, and
 * that neither order nor place matters. */
#include "curve_fixtures.h"

#include "estimators/curves/curve_sum.h"

enum { T = 21, ROWS_MAX = 64 };

/* Records as they come from a reader. */
typedef struct records {
  size_t rows;
  double values[ROWS_MAX][T];
  int person[ROWS_MAX]; /* -1: not kept */
} records;

typedef struct press {
  sfmi_basis *basis;
  sfmi_smoother *smoother;
  sfmi_clipping clipping;
} press;

static press press_of(int64_t radius) {
  sfm_error error;
  press p = {bent_basis(SFM_KERNEL_MATERN52, 0.15, T), NULL, {0x1p-20, radius}};
  assert_ok(sfmi_smoother_create(&p.smoother, p.basis, 0.01, &error), &error);
  return p;
}

static void press_clear(press *p) {
  sfmi_smoother_destroy(p->smoother);
  sfmi_basis_destroy(p->basis);
}

/* The sums, of records standing at `offset` in their batches of `size`. */
static void sum_records(const press *p, sfmi_i128 *sums, const records *r, bool persons,
                        size_t offset, size_t size) {
  static double values[T * SFMI_BATCH_ROWS];
  static uint8_t keep[SFMI_BATCH_ROWS];
  static uint32_t person[SFMI_BATCH_ROWS];
  sfm_error error;
  sfmi_curve_sum *curves = NULL;
  assert_ok(sfmi_curve_sum_create(&curves, p->smoother, &p->clipping, p->basis, &error), &error);
  for (size_t done = 0; done < r->rows; done += size) {
    sfmi_batch batch = {.rows = offset,
                        .columns = T,
                        .values = values,
                        .keep = keep,
                        .person = persons ? person : NULL};
    memset(keep, 0, sizeof keep);
    for (size_t k = done; k < r->rows && k < done + size; k++, batch.rows++) {
      keep[batch.rows] = r->person[k] >= 0;
      person[batch.rows] = (uint32_t)(r->person[k] < 0 ? 0 : r->person[k]);
      for (size_t i = 0; i < T; i++) values[i * SFMI_BATCH_ROWS + batch.rows] = r->values[k][i];
    }
    assert_ok(sfmi_curve_sum_add(curves, &batch, &error), &error);
  }
  sfmi_curve_sum_total(curves, sums, p->basis->count);
  sfmi_curve_sum_destroy(curves);
}

static records random_records(size_t rows, int persons, double size, sfmi_prng *prng) {
  records r = {.rows = rows};
  for (size_t k = 0; k < rows; k++) {
    bent_curve(r.values[k], T, size, k % 3 ? 0.2 : 0, prng);
    r.person[k] = (int)(sfmi_prng_word(prng) % (uint64_t)persons);
  }
  return r;
}

static void a_sum_is_the_sum_of_what_each_gives(void **state) {
  (void)state;
  press p = press_of(2000000);
  sfmi_prng prng;
  sfmi_prng_init(&prng, 31);
  records all = random_records(40, 1, 2, &prng);
  all.person[5] = all.person[17] = -1;
  sfmi_i128 sums[T], one[T], added[T] = {0};
  sum_records(&p, sums, &all, false, 0, SFMI_BATCH_ROWS);
  for (size_t k = 0; k < all.rows; k++) {
    records single = {.rows = 1, .person = {all.person[k]}};
    memcpy(single.values[0], all.values[k], sizeof single.values[0]);
    sum_records(&p, one, &single, false, 0, 1);
    for (size_t j = 0; j < T; j++) added[j] += one[j];
    if (all.person[k] < 0)
      for (size_t j = 0; j < T; j++) assert_true(one[j] == 0);
  }
  assert_memory_equal(sums, added, sizeof sums);
  press_clear(&p);
}

static void order_and_place_do_not_matter(void **state) {
  (void)state;
  press p = press_of(1000000);
  sfmi_prng prng;
  sfmi_prng_init(&prng, 32);
  for (int persons = 0; persons < 2; persons++)
    for (int round = 0; round < 20; round++) {
      records r = random_records(48, 6, 1, &prng), mixed = r;
      sfmi_i128 sums[T], again[T];
      sum_records(&p, sums, &r, persons, 0, SFMI_BATCH_ROWS);
      for (size_t k = 0; k < r.rows; k++) {
        const size_t from = k * 5 % r.rows; /* 5 and 48 have no common factor */
        memcpy(mixed.values[k], r.values[from], sizeof mixed.values[k]);
        mixed.person[k] = 5 - r.person[from];
      }
      sum_records(&p, again, &mixed, persons, (size_t)round * 7, 1 + (size_t)round);
      assert_memory_equal(sums, again, sizeof sums);
    }
  press_clear(&p);
}

static sfmi_i128 distance2(const sfmi_i128 *a, const sfmi_i128 *b) {
  sfmi_i128 square = 0;
  for (size_t j = 0; j < T; j++) square += (a[j] - b[j]) * (a[j] - b[j]);
  return square;
}

/* A record that is anything: curves, spikes, giants, nothing. */
static void hostile(double *values, sfmi_prng *prng) {
  const uint64_t kind = sfmi_prng_word(prng) % 6;
  const double sizes[] = {1e-3, 1, 30, 1e6, 1e300, 1e308};
  const double size = sizes[sfmi_prng_word(prng) % 6];
  for (size_t i = 0; i < T; i++)
    values[i] = kind == 0 ? NAN : kind == 1 ? (i == 3 ? size : NAN) : kind == 2 ? size : 0;
  if (kind == 3) bent_curve(values, T, size / 10, 0.3, prng);
  if (kind == 4)
    for (size_t i = 0; i < T; i++) values[i] = i % 2 ? size : -size;
}

/* Neighbours differ in one record: the sums move by at most twice the radius, and a curve against
 * its opposite moves them by nearly that. */
static void one_record_never_moves_more_than_twice_the_radius(void **state) {
  (void)state;
  press p = press_of(3000000);
  const sfmi_i128 bound = 2 * (sfmi_i128)p.clipping.radius;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 33);
  sfmi_i128 most = 0;
  for (int round = 0; round < 400; round++) {
    records r = random_records(6, 1, 1, &prng), s = r;
    sfmi_i128 before[T], after[T];
    hostile(r.values[2], &prng);
    hostile(s.values[2], &prng);
    if (round % 4 == 0) /* the opposite of a curve far outside */
      for (size_t i = 0; i < T; i++) {
        r.values[2][i] = 1e5 * sin((double)(i + (size_t)round));
        s.values[2][i] = -r.values[2][i];
      }
    sum_records(&p, before, &r, false, 0, SFMI_BATCH_ROWS);
    sum_records(&p, after, &s, false, 0, SFMI_BATCH_ROWS);
    const sfmi_i128 moved = distance2(before, after);
    assert_true(moved <= bound * bound);
    most = moved > most ? moved : most;
  }
  assert_relative("the worst pair", sqrt((double)most), (double)bound, 1e-5);
  press_clear(&p);
}

/* Neighbours differ in all records of one person, who has any number of them on either side. */
static void one_person_never_moves_more_than_twice_the_radius(void **state) {
  (void)state;
  press p = press_of(3000000);
  const sfmi_i128 bound = 2 * (sfmi_i128)p.clipping.radius;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 34);
  sfmi_i128 most = 0;
  for (int round = 0; round < 200; round++) {
    records r = random_records(40, 5, 1, &prng), s = r;
    sfmi_i128 before[T], after[T];
    for (size_t k = 0; k < r.rows; k++) {
      if (r.person[k] != 3) continue;
      hostile(r.values[k], &prng);
      hostile(s.values[k], &prng);
      if (round % 4 == 0)
        for (size_t i = 0; i < T; i++) {
          r.values[k][i] = 1e5 * sin((double)(i + (size_t)round));
          s.values[k][i] = -r.values[k][i];
        }
      if (round % 3 == 0) s.person[k] = -1; /* a person without records */
    }
    sum_records(&p, before, &r, true, 0, SFMI_BATCH_ROWS);
    sum_records(&p, after, &s, true, 0, SFMI_BATCH_ROWS);
    const sfmi_i128 moved = distance2(before, after);
    assert_true(moved <= bound * bound);
    most = moved > most ? moved : most;
  }
  assert_relative("the worst pair", sqrt((double)most), (double)bound, 1e-5);
  press_clear(&p);
}

/* Together, not one by one: many curves of one person count as one vector of the ball, and the same
 * curves of as many persons as so many. */
static void a_person_is_clipped_as_a_whole(void **state) {
  (void)state;
  press p = press_of(1500000);
  records r = {.rows = 30};
  sfmi_i128 sums[T], zero[T] = {0};
  for (size_t k = 0; k < r.rows; k++)
    for (size_t i = 0; i < T; i++) r.values[k][i] = 100;
  sum_records(&p, sums, &r, true, 0, SFMI_BATCH_ROWS);
  assert_relative("one person", sqrt((double)distance2(sums, zero)), 1500000, 1e-5);
  for (size_t k = 0; k < r.rows; k++) r.person[k] = (int)k;
  sum_records(&p, sums, &r, true, 0, SFMI_BATCH_ROWS);
  assert_relative("thirty", sqrt((double)distance2(sums, zero)), 30 * 1500000, 1e-5);
  for (size_t k = 0; k < r.rows; k++) r.person[k] = 600 + (int)k; /* beyond a chunk */
  sfmi_i128 far[T];
  sum_records(&p, far, &r, true, 0, SFMI_BATCH_ROWS);
  assert_memory_equal(far, sums, sizeof far);
  press_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sum_is_the_sum_of_what_each_gives),
      cmocka_unit_test(order_and_place_do_not_matter),
      cmocka_unit_test(one_record_never_moves_more_than_twice_the_radius),
      cmocka_unit_test(one_person_never_moves_more_than_twice_the_radius),
      cmocka_unit_test(a_person_is_clipped_as_a_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
