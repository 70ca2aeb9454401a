/* test_query_lattice.c - intervals of a lattice with Laplace noise hold as often as they promise,
 * and narrower ones would be caught. */
/* suite: release */
#include "query_coverage.h"

static const sfm_density_method lattice = SFM_DENSITY_LATTICE;

static void open_intervals_cover(void **state) {
  (void)state;
  cover((setting){"open", 400, 0.4, 0.5, 0, SFM_BOUNDARY_OPEN, SFM_NEIGHBOURS_REPLACE, lattice, 0,
                  false});
}

static void folded_intervals_cover(void **state) {
  (void)state;
  cover((setting){"reflect", 400, 0.4, 0.5, 0, SFM_BOUNDARY_REFLECT, SFM_NEIGHBOURS_REPLACE,
                  lattice, 0, false});
  if (!test_long()) return;
  cover((setting){"periodic", 400, 0.4, 0.5, 0, SFM_BOUNDARY_PERIODIC, SFM_NEIGHBOURS_REPLACE,
                  lattice, 0, false});
}

/* Of a flat density every place is a mode, and the set has to hold one fixed beforehand as often as
 * it promises; one of less confidence is caught. */
static void modes_of_flat_densities_are_covered(void **state) {
  (void)state;
  enum { DRAWS = 30 };
  const double confidences[] = {0.9, 0.1}, place = 3.3;
  const setting s = {"flat",  400, 0.4,  0.5, 0, SFM_BOUNDARY_PERIODIC, SFM_NEIGHBOURS_REPLACE,
                     lattice, 0,   false};
  size_t hits[2] = {0};
  redraw r;
  truth t;
  sfm_error error;
  open_setting(&r, &t, s);
  for (size_t i = 0; i < s.rows; i++) rows[i] = 2 + 5 * ((double)i + 0.5) / (double)s.rows;
  free(r.exact);
  r.exact = rowwise_sums(&r.release->function->lattice, rows, s.rows);
  for (int i = 0; i < DRAWS; i++) {
    redraw_next(&r);
    for (int k = 0; k < 2; k++) {
      answers a;
      sfm_query *query;
      assert_ok(sfm_query_create(&query, r.release, confidences[k], &error), &error);
      assert_ok(sfm_query_mode(query, &a.mode, a.pieces, &a.piece_count, 16, &error), &error);
      hits[k] += in_pieces(&a, place);
      sfm_query_destroy(query);
    }
  }
  print_message("flat: %.3f at 0.9, %.3f at 0.1\n", (double)hits[0] / DRAWS,
                (double)hits[1] / DRAWS);
  assert_false(binomial_too_few(hits[0], DRAWS, 0.9));
  assert_true(binomial_too_few(hits[1], DRAWS, 0.9));
  redraw_close(&r);
}

static void every_order_covers(void **state) {
  (void)state;
  for (unsigned order = 2; test_long() && order <= SFMI_SPLINE_MAX; order++) {
    cover((setting){"order", 400, 0.4, 0.5, 0, SFM_BOUNDARY_OPEN, SFM_NEIGHBOURS_REPLACE, lattice,
                    order, order < 4});
    cover((setting){"order, reflect", 400, 0.4, 0.5, 0, SFM_BOUNDARY_REFLECT,
                    SFM_NEIGHBOURS_REPLACE, lattice, order, order < 4});
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(open_intervals_cover),
      cmocka_unit_test(folded_intervals_cover),
      cmocka_unit_test(modes_of_flat_densities_are_covered),
      cmocka_unit_test(every_order_covers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
