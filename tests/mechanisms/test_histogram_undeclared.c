/* test_histogram_undeclared.c - the delta of cells that exist because somebody is in them, computed
 * exactly from the law of the noise for every way in which one person's records can change. */
#include "table_fixture.h"

/* What is public of such a table. */
typedef struct form {
  double epsilon, delta, scale, tau;
  bool replace;
  unsigned k;
} form;

static form form_of(double epsilon, double delta, sfm_neighbours neighbours, uint32_t k) {
  table_fixture t;
  sfm_error error;
  sfmi_design_table table_design;
  sfmi_noise_law law;
  table_fixture_init(&t, epsilon);
  table_fixture_text(&t, "a");
  table_fixture_neighbours(&t, neighbours, k, NULL);
  t.settings.form = SFM_HISTOGRAM_UNDECLARED;
  t.settings.delta = delta;
  assert_ok(sfmi_design_table_init(&table_design, &t.settings, &error), &error);
  assert_ok(sfmi_histogram_noise_law(&law, &table_design, &error), &error);
  const form f = {.epsilon = epsilon,
                  .delta = delta,
                  .scale = sfmi_noise_scale(&law),
                  .tau = sfmi_design_table_threshold(&table_design, &t.settings, law.scale),
                  .replace = neighbours == SFM_NEIGHBOURS_REPLACE,
                  .k = k};
  assert_int_equal(table_design.guarantee.kind, SFM_GUARANTEE_APPROXIMATE);
  sfmi_design_table_clear(&table_design);
  table_fixture_clear(&t);
  return f;
}

/* Records of one person, as cells of their own: sizes that sum to at most k. */
typedef struct heap {
  unsigned sizes[4], count, total;
} heap;

/* That some of these cells is listed. */
static double shown(const form *f, const heap *h) {
  double none = 1;
  for (unsigned i = 0; i < h->count; i++)
    none *= 1 - table_fixture_tail(f->scale, f->tau - h->sizes[i]);
  return 1 - none;
}

/* The exact delta of D against D', both with a cell of others: m records in D, m + d in D'; D has
 * the cells `from` beside it, D' the cells `to`. */
static double delta_of(const form *f, const heap *from, const heap *to, double m, double d) {
  const double lost = shown(f, from), gained = shown(f, to), factor = exp(f->epsilon);
  double P = 1 - table_fixture_tail(f->scale, f->tau - m),
         Q = 1 - table_fixture_tail(f->scale, f->tau - m - d);
  if (m > f->tau) P = table_fixture_tail(f->scale, m - f->tau - 1);
  if (m + d > f->tau) Q = table_fixture_tail(f->scale, m + d - f->tau - 1);
  double sum = fmax((1 - lost) * P - factor * (1 - gained) * Q, 0);
  for (double y = f->tau + 1; y < m + d + 60 * f->scale; y++) {
    P = table_fixture_mass(f->scale, y - m);
    Q = table_fixture_mass(f->scale, y - m - d);
    sum += fmax((1 - lost) * P - factor * (1 - gained) * Q, 0);
  }
  return lost + sum;
}

/* All heaps of at most `most` records. */
static size_t heaps(heap *all, unsigned most) {
  size_t count = 0;
  all[count++] = (heap){{0}, 0, 0};
  for (unsigned a = 1; a <= most; a++) {
    all[count++] = (heap){{a}, 1, a};
    for (unsigned b = 1; b <= a && a + b <= most; b++) {
      all[count++] = (heap){{a, b}, 2, a + b};
      for (unsigned c = 1; c <= b && a + b + c <= most; c++)
        all[count++] = (heap){{a, b, c}, 3, a + b + c};
    }
  }
  return count;
}

/* The worst over all: what leaves cells of its own comes into cells of its own or into the common
 * one, and the other way round. */
static double worst(const form *f) {
  heap all[64];
  const size_t count = heaps(all, f->k);
  double most = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++) {
      /* Under replace as many come as go, k in all on each side; else nobody comes. */
      if (!f->replace && all[i].total && all[j].total) continue;
      const double out = f->k - all[i].total, in = f->k - all[j].total;
      for (double m = out; m < f->tau + 3 * f->scale; m += 1 + floor(f->scale / 4)) {
        if (f->replace) most = fmax(most, delta_of(f, &all[i], &all[j], m, in - out));
        if (f->replace) continue;
        most = fmax(most, delta_of(f, &all[i], &all[j], m, all[j].count ? in : -out));
      }
    }
  return most;
}

static void the_exact_delta_is_within_the_claim(void **state) {
  (void)state;
  static const double epsilons[] = {0.1, 1, 4}, deltas[] = {1e-2, 1e-6};
  for (int e = 0; e < 3; e++)
    for (int d = 0; d < 2; d++)
      for (uint32_t k = 1; k <= 3; k++) {
        form f = form_of(epsilons[e], deltas[d], SFM_NEIGHBOURS_REPLACE, k);
        double found = worst(&f);
        assert_true(found <= f.delta);
        /* One record: half of delta, and one step of the lattice at most below that. */
        if (k == 1) assert_true(found >= 0.5 * exp(-1 / f.scale) * f.delta * (1 - 1e-9));
        f = form_of(epsilons[e], deltas[d], SFM_NEIGHBOURS_ADD_REMOVE, k);
        found = worst(&f);
        assert_true(found <= f.delta);
        if (k == 1) assert_true(found >= exp(-1 / f.scale) * f.delta * (1 - 1e-9));
      }
}

/* Three records less of threshold under replace, or one where records come and go. */
static void thresholds_that_are_too_low_are_found_out(void **state) {
  (void)state;
  form f = form_of(1, 1e-6, SFM_NEIGHBOURS_REPLACE, 1);
  f.tau -= 3;
  assert_true(worst(&f) > f.delta);
  f = form_of(1, 1e-6, SFM_NEIGHBOURS_ADD_REMOVE, 1);
  f.tau -= 1;
  assert_true(worst(&f) > f.delta);
  f = form_of(1, 1e-6, SFM_NEIGHBOURS_REPLACE, 3);
  f.tau -= ceil(f.scale * log(6)); /* delta for each of the cells, and not for all */
  assert_true(worst(&f) > f.delta);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_exact_delta_is_within_the_claim),
      cmocka_unit_test(thresholds_that_are_too_low_are_found_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
