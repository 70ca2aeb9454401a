/* test_lattice_sensitivity.c - the l2 sensitivity of lattices: attacked by rows of all kinds,
 * approached and never passed; and a row's mass on rings, exact whatever the row. */
#include "lattice_rows.h"

#include "estimators/lattice/lattice_sensitivity.h"

static const sfm_boundary ALL[] = {SFM_BOUNDARY_OPEN, SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_PERIODIC};

static sfmi_lattice make(size_t d, unsigned order, unsigned bits, const size_t *cells,
                         const sfm_boundary *boundary) {
  sfmi_lattice lattice = {.dimension = d, .order = order, .bits = bits, .length = 1};
  for (size_t a = 0; a < d; a++) {
    sfmi_lattice_set_axis(&lattice, a, -1, 2 + (double)a, cells[a], boundary[a]);
    lattice.length *= lattice.axis[a].points;
  }
  return lattice;
}

/* l2 of what rows x (k of them) add less what y do, in row masses; y NULL: nothing. */
static double l2(const sfmi_lattice *lattice, const double *x, const double *y, size_t k) {
  sfmi_i128 *p = rowwise_sums(lattice, x, k), *q = calloc(lattice->length, sizeof *q);
  if (y) rowwise_add(lattice, q, y, k, k);
  double sum = 0;
  for (size_t i = 0; i < lattice->length; i++) {
    const double change = ldexp((double)(p[i] - q[i]), -(int)(lattice->bits * lattice->dimension));
    sum += change * change;
  }
  free(p);
  free(q);
  return sqrt(sum);
}

/* Splines of order 2 can sit on one point; the others lay at most these parts in squares: odd ones
 * in the middle of a cell, even ones at its end. */
static void energies_of_open_axes_are_known(void **state) {
  (void)state;
  const double known[] = {0, 0, 1, 19.0 / 32, 0.5, 64454.0 / (384 * 384), 5710.0 / (120 * 120)};
  for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++)
    for (int b = 0; b < 3; b += 2) { /* a large ring is no other */
      const size_t cells[] = {30};
      sfmi_lattice lattice = make(1, order, 24, cells, &ALL[b]);
      assert_relative("energy", sfmi_lattice_energy_axis(&lattice, 0), known[order], 3e-5);
    }
  /* At a bound that reflects a row is laid on its own mirror image. */
  const double mirrored[] = {(46.0 * 46 + 4) / (48 * 48), (22.0 * 22 + 4) / (24 * 24),
                             (3364.0 * 3364 + 474 * 474 + 4) / (3840.0 * 3840)};
  const size_t cells[] = {30};
  for (unsigned order = 4; order <= SFMI_SPLINE_MAX; order++) {
    sfmi_lattice lattice = make(1, order, 24, cells, &ALL[1]);
    assert_relative("reflected", sfmi_lattice_energy_axis(&lattice, 0), mirrored[order - 4], 3e-5);
  }
}

/* One row swept over all of an axis: every cell at every bit that matters. */
static void single_rows_approach_the_energy_and_never_pass(void **state) {
  (void)state;
  for (int b = 0; b < 3; b++)
    for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++)
      for (size_t cells = 1; cells <= 11; cells++)
        for (unsigned bits = SFMI_LATTICE_BITS_MIN; bits <= 24; bits += 5) {
          sfmi_lattice lattice = make(1, order, bits, &cells, &ALL[b]);
          const double energy = sfmi_lattice_energy_axis(&lattice, 0);
          double worst = 0;
          const int steps = 64 * (int)cells;
          for (int i = 0; i <= steps; i++)
            for (int side = -1; side <= 1; side++) {
              double x = -1 + 3.0 * i / steps;
              if (side) x = nextafter(x, side * 10.0);
              x = fmin(fmax(x, -1), 2);
              const double size = l2(&lattice, &x, NULL, 1);
              worst = fmax(worst, size * size);
            }
          if (!(worst <= energy))
            fail_msg("boundary %d, order %u, %zu cells, %u bits: %.9f passes %.9f", b, order, cells,
                     bits, worst, energy);
          assert_true(energy <= 1);
          /* The rounding of few bits is bounded at its worst, which no one row need meet. */
          const double share = bits >= 14 ? 0.999 : 0.7;
          if (!(worst >= share * energy))
            fail_msg("boundary %d, order %u, %zu cells, %u bits: %.9f is far from %.9f", b, order,
                     cells, bits, worst, energy);
        }
}

/* A row at the places where squares are largest: on lattice points, in middles, on bounds; or
 * anywhere. */
static double hard_value(sfmi_prng *prng, const sfmi_lattice_axis *axis) {
  const double u = sfmi_prng_uniform(prng);
  const double k = floor(sfmi_prng_uniform(prng) * (double)(axis->cells + 1));
  double x = u < 0.3   ? axis->lower + axis->spacing * k
             : u < 0.6 ? axis->lower + axis->spacing * (k + 0.5)
             : u < 0.7 ? axis->lower
             : u < 0.8 ? axis->upper
                       : axis->lower + sfmi_prng_uniform(prng) * (axis->upper - axis->lower);
  return fmin(fmax(x, axis->lower), axis->upper);
}

/* Pairs of neighbours in up to three dimensions with mixed boundaries. */
static void neighbours_approach_the_sensitivity_and_never_pass(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 41);
  for (size_t d = 1; d <= 3; d++)
    for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++)
      for (int mix = 0; mix < 9; mix++)
        for (size_t k = 1; k <= 2; k++) {
          const sfm_boundary boundary[] = {ALL[mix % 3], ALL[mix / 3], ALL[(mix + 1) % 3]};
          const size_t cells[] = {d == 3 ? 5 : 9, d == 3 ? 5 : 8, 5};
          sfmi_lattice lattice = make(d, order, 20, cells, boundary);
          const double energy = sfmi_lattice_energy(&lattice);
          double moved = 0, added = 0, x[6], y[6];
          for (int i = 0; i < (d == 3 ? 200 : 700); i++) {
            for (size_t r = 0; r < k; r++)
              for (size_t a = 0; a < d; a++) {
                /* k records at one place move most. */
                x[r * d + a] = r && i % 2 ? x[a] : hard_value(&prng, &lattice.axis[a]);
                y[r * d + a] = r && i % 2 ? y[a] : hard_value(&prng, &lattice.axis[a]);
              }
            moved = fmax(moved, l2(&lattice, x, y, k));
            added = fmax(added, l2(&lattice, x, NULL, k));
          }
          const double most = (double)k * sqrt(2 * energy), one = (double)k * sqrt(energy);
          if (!(moved <= most && added <= one && added >= 0.9 * one &&
                moved >= (d == 3 ? 0.8 : 0.9) * most))
            fail_msg("d %zu, order %u, mix %d: moved %.6f of %.6f, added %.6f of %.6f", d, order,
                     mix, moved, most, added, one);
          assert_true(most <= (double)k * M_SQRT2 * (1 + 1e-12));
        }
}

/* Rows of a batch that are not kept add nothing, whatever they hold, so that a row in the place of
 * none moves by its own size alone. */
static void rows_not_kept_add_nothing_on_rings(void **state) {
  (void)state;
  static double values[SFMI_BATCH_ROWS];
  static uint8_t keep[SFMI_BATCH_ROWS];
  const double bad[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324, -7, 9};
  for (int b = 0; b < 3; b++)
    for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++) {
      const size_t cells[] = {6};
      sfmi_lattice lattice = make(1, order, 24, cells, &ALL[b]);
      sfmi_i128 sums[16] = {0};
      memcpy(values, bad, sizeof bad);
      const sfmi_batch batch = {.rows = 8, .columns = 1, .values = values, .keep = keep};
      sfmi_lattice_add(&lattice, sums, &batch, NULL);
      for (size_t i = 0; i < lattice.length; i++) assert_true(sums[i] == 0);
    }
}

/* With few bits, and on rings, too a row adds integers that are not negative and sum to exactly its
 * mass, within the array. */
static void a_row_adds_exactly_its_mass(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 42);
  for (int b = 0; b < 3; b++)
    for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++)
      for (size_t cells = 1; cells <= 9; cells++)
        for (unsigned bits = SFMI_LATTICE_BITS_MIN; bits <= 24; bits += 4) {
          sfmi_lattice lattice = make(1, order, bits, &cells, &ALL[b]);
          for (int i = 0; i < 60; i++) {
            double x = hard_value(&prng, &lattice.axis[0]);
            if (i % 3 == 1) x = fmin(nextafter(x, 9), 2);
            if (i % 3 == 2) x = fmax(nextafter(x, -9), -1);
            sfmi_i128 guarded[32] = {0}, sum = 0;
            rowwise_add(&lattice, guarded + 10, &x, 1, 1);
            for (size_t k = 0; k < 32; k++) {
              assert_true(guarded[k] >= 0);
              assert_true(guarded[k] == 0 || (k >= 10 && k < 10 + lattice.length));
              sum += guarded[k];
            }
            assert_true(sum == (sfmi_i128)1 << bits);
          }
        }
}

/* Values count modulo the period, as far as the bounds reach. */
static void periods_fold(void **state) {
  (void)state;
  for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++) {
    sfmi_lattice lattice = {.dimension = 1, .order = order, .bits = 24};
    sfmi_lattice_set_axis(&lattice, 0, 0, 8, 5, SFM_BOUNDARY_PERIODIC);
    lattice.length = lattice.axis[0].points;
    for (int i = 0; i < 64; i++)
      for (int period = 1; period < 4; period++) {
        const double x = i / 8.0, later = x + 8.0 * period;
        sfmi_i128 *one = rowwise_sums(&lattice, &x, 1), *two = rowwise_sums(&lattice, &later, 1);
        for (size_t k = 0; k < lattice.length; k++)
          assert_near("folded", (double)one[k], (double)two[k], 1);
        free(one);
        free(two);
      }
  }
}

/* However many periods lie before it, on both sides of a seam: rounding never takes more periods
 * away than there are. */
static void rows_of_distant_periods_keep_their_mass(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 43);
  for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++)
    for (size_t cells = 1; cells <= 13; cells += 3)
      for (int i = 0; i < 4000; i++) {
        sfmi_lattice lattice = {.dimension = 1, .order = order, .bits = 24};
        sfmi_i128 guarded[40] = {0}, sum = 0;
        sfmi_lattice_set_axis(&lattice, 0, -3.7, -3.6, cells, SFM_BOUNDARY_PERIODIC);
        double x = -3.7 + 0.1 * floor(exp(40 * sfmi_prng_uniform(&prng)));
        x = i % 3 ? nextafter(x, i % 3 == 1 ? 1e300 : -3.7) : x;
        rowwise_add(&lattice, guarded + 10, &x, 1, 1);
        for (size_t k = 0; k < 40; k++) {
          assert_true(guarded[k] >= 0 && (guarded[k] == 0 || (k >= 10 && k < 10 + cells)));
          sum += guarded[k];
        }
        assert_true(sum == (sfmi_i128)1 << 24);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energies_of_open_axes_are_known),
      cmocka_unit_test(single_rows_approach_the_energy_and_never_pass),
      cmocka_unit_test(neighbours_approach_the_sensitivity_and_never_pass),
      cmocka_unit_test(rows_not_kept_add_nothing_on_rings),
      cmocka_unit_test(a_row_adds_exactly_its_mass),
      cmocka_unit_test(periods_fold),
      cmocka_unit_test(rows_of_distant_periods_keep_their_mass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
