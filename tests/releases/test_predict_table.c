/* test_predict_table.c - what a table promises between records of a set, against all pairs of
 * records of it. */
#include "test_support.h"

#include "estimators/tables/binning.h"
#include "releases/core/release_kind.h"
#include "releases/kinds/histogram_cells.h"
#include "sfumato/predict.h"

/* Two columns with categories and one in bins 0:10, 10:20, .. 40, with margins. */
static sfm_release *table_of(const uint64_t *margins, size_t count, sfm_guarantee g,
                             sfm_outside outside) {
  static const char *const sexes[] = {"F", "M"}, *const regions[] = {"n", "s", "w"};
  sfm_release *release = sfmi_release_create(&sfmi_histogram_kind);
  release->method = g.kind == SFM_GUARANTEE_GDP ? SFMI_TABLE_NORMAL : SFMI_TABLE_LAPLACE;
  release->hardened = true;
  release->contributions = 1;
  release->guarantee = g;
  release->outside = outside;
  release->step = release->scale = 1;
  sfmi_cells *cells = release->cells = sfmi_cells_create(3);
  assert_non_null(cells);
  cells->factors[0].name = sfmi_copy_string("sex");
  assert_true(sfmi_factor_set_labels(&cells->factors[0], sexes, 2));
  cells->factors[1].name = sfmi_copy_string("region");
  assert_true(sfmi_factor_set_labels(&cells->factors[1], regions, 3));
  cells->factors[2] = (sfmi_factor){.name = sfmi_copy_string("age"), .size = 4, .upper = 40};
  free(cells->margins);
  cells->margins = sfmi_alloc(count, sizeof *cells->margins);
  memcpy(cells->margins, margins, count * sizeof *margins);
  cells->margin_count = count;
  return release;
}

/* A record: places of its categories, -1 for another text, and an age. */
typedef struct record {
  int sex, region;
  double age;
  bool aged;
} record;

/* Its cell of a margin, -1: nowhere. */
static int cell_of(const record *r, uint64_t margin, sfm_outside outside) {
  int cell = 0;
  if (margin & 1) {
    if (r->sex < 0) return -1;
    cell = 1 + r->sex;
  }
  if (margin & 2) {
    if (r->region < 0) return -1;
    cell = 4 * cell + 1 + r->region;
  }
  if (margin & 4) {
    if (!r->aged || (outside == SFM_OUTSIDE_DROP && (r->age < 0 || r->age > 40))) return -1;
    cell = 8 * cell + (int)fmin(fmax(floor(r->age / 10), 0), 3);
  }
  return cell;
}

static unsigned changed(const record *a, const record *b, const uint64_t *margins, size_t count,
                        sfm_outside outside) {
  unsigned sum = 0;
  for (size_t m = 0; m < count; m++) {
    const int from = cell_of(a, margins[m], outside), to = cell_of(b, margins[m], outside);
    if (from != to) sum += (from >= 0) + (to >= 0);
  }
  return sum;
}

static void tables_promise_what_pairs_of_records_can_change(void **state) {
  (void)state;
  static const char *const sexes[] = {"F", "M"}, *const regions[] = {"n", "s", "w"};
  static const double ages[] = {-5, 0, 3, 9.5, 12, 25, 40, 60};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 9);
  size_t zero = 0, part = 0, whole = 0;
  for (int round = 0; round < 1000; round++) {
    uint64_t margins[7];
    size_t count = 0, suppositions = 0;
    /* One margin, or two. */
    const uint64_t chosen = (uint64_t)1 << sfmi_prng_word(&prng) % 7 |
                            (uint64_t)(round % 2) << sfmi_prng_word(&prng) % 7;
    for (uint64_t m = 1; m < 8; m++)
      if (chosen >> (m - 1) & 1) margins[count++] = m;
    const sfm_outside outside = sfmi_prng_word(&prng) % 2 ? SFM_OUTSIDE_CLAMP : SFM_OUTSIDE_DROP;
    const unsigned which = (unsigned)(sfmi_prng_word(&prng) % 8);
    const size_t sex = 1 + sfmi_prng_word(&prng) % 2, region = 1 + sfmi_prng_word(&prng) % 3,
                 first = sfmi_prng_word(&prng) % 8,
                 last = first + sfmi_prng_word(&prng) % (8 - first);
    sfm_supposition s[3];
    if (which & 1)
      s[suppositions++] = (sfm_supposition){.column = "sex", .texts = sexes, .text_count = sex};
    if (which & 2)
      s[suppositions++] =
          (sfm_supposition){.column = "region", .texts = regions, .text_count = region};
    if (which & 4)
      s[suppositions++] = (sfm_supposition){
          .column = "age", .interval = true, .lower = ages[first], .upper = ages[last]};
    record records[400];
    size_t n = 0;
    for (int a = -1; a < 2; a++)
      for (int b = -1; b < 3; b++)
        for (int c = -1; c < 8; c++) {
          if (which & 1 && !(a >= 0 && (size_t)a < sex)) continue;
          if (which & 2 && !(b >= 0 && (size_t)b < region)) continue;
          if (which & 4 && !(c >= 0 && (size_t)c >= first && (size_t)c <= last)) continue;
          records[n++] = (record){a, b, c < 0 ? 0 : ages[c], c >= 0};
        }
    unsigned most = 0;
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) {
        const unsigned now = changed(&records[i], &records[j], margins, count, outside);
        most = now > most ? now : most;
      }
    for (int normal = 0; normal < 2; normal++) {
      sfm_error error;
      sfm_guarantee g = {.kind = normal ? SFM_GUARANTEE_GDP : SFM_GUARANTEE_PURE, .epsilon = 1},
                    out;
      if (normal) {
        g.delta = 1e-6;
        assert_ok(sfm_gdp_calibrate(&g.mu, 1, 1e-6, &error), &error);
      }
      sfm_release *release = table_of(margins, count, g, outside);
      assert_ok(sfm_predict_table(&out, release, s, suppositions, &error), &error);
      const double share = (double)most / (2 * (double)count);
      /* Never less than what a pair can do; more only where different pairs are the worst of
       * different margins. */
      const double said =
          normal && out.kind == SFM_GUARANTEE_GDP ? out.mu * out.mu / (g.mu * g.mu) : out.epsilon;
      assert_true(said >= share * (1 - 1e-12));
      if ((which == 7 && outside == SFM_OUTSIDE_CLAMP) || count == 1)
        assert_near("share", said, share, 1e-9);
      if (share == 0)
        assert_true(out.kind == SFM_GUARANTEE_PURE && out.epsilon == 0 && out.delta == 0);
      if (share > 0 && normal) assert_true(out.epsilon <= 1 + 1e-6 && out.delta == 1e-6);
      zero += share == 0;
      part += share > 0 && share < 1;
      whole += share == 1;
      sfm_release_destroy(release);
    }
  }
  assert_true(zero > 20 && part > 20 && whole > 20);
}

/* Of records that are all in one cell it would be nothing, but some may count nowhere: a person's
 * records beyond those that count, and rows that lack a column that was added up. */
static void records_that_count_nowhere_for_other_reasons_change_a_count(void **state) {
  (void)state;
  static const char *const words[] = {"F"};
  const sfm_supposition s = {.column = "sex", .texts = words, .text_count = 1};
  const uint64_t sex = 1;
  sfm_error error;
  sfm_guarantee out;
  for (int reason = 0; reason < 4; reason++) {
    sfm_release *release = table_of(&sex, 1, (sfm_guarantee){.epsilon = 1}, SFM_OUTSIDE_CLAMP);
    release->enforced = reason == 1;
    release->summed = reason == 2 ? 3 : 1;
    release->refined.done = reason == 3;
    assert_ok(sfm_predict_table(&out, release, &s, 1, &error), &error);
    assert_near("epsilon", out.epsilon, reason ? 0.5 : 0, 1e-12);
    sfm_release_destroy(release);
  }
}

/* Of many narrow bins: a number on an edge is in the bin above, the one before it in that below. */
static void edges_are_those_of_the_table(void **state) {
  (void)state;
  const uint64_t age = 4;
  sfm_error error;
  sfm_guarantee out;
  sfm_release *release = table_of(&age, 1, (sfm_guarantee){.epsilon = 1}, SFM_OUTSIDE_CLAMP);
  sfmi_factor *factor = &release->cells->factors[2];
  *factor = (sfmi_factor){.name = factor->name, .size = 1 << 24, .lower = 1000, .upper = 1000.1};
  const sfmi_binning bins = {factor->lower, factor->upper, factor->size};
  for (uint64_t k = 1; k < factor->size; k += 1001) {
    const double edge = sfmi_bin_edge(&bins, k), below = nextafter(edge, 0);
    sfm_supposition s = {.column = "age", .interval = true, .lower = below, .upper = edge};
    assert_ok(sfm_predict_table(&out, release, &s, 1, &error), &error);
    assert_true(out.epsilon == 1);
    s.lower = edge;
    assert_ok(sfm_predict_table(&out, release, &s, 1, &error), &error);
    assert_true(out.epsilon == 0);
  }
  sfm_release_destroy(release);
}

static void what_cannot_be_said_is_refused(void **state) {
  (void)state;
  static const char *const words[] = {"F"}, *const wrong[] = {"X"};
  const uint64_t all = 7;
  sfm_error error;
  sfm_guarantee out;
  sfm_release *release = table_of(&all, 1, (sfm_guarantee){.epsilon = 1}, SFM_OUTSIDE_CLAMP);
  const sfm_supposition bad[] = {
      {.column = "wage", .interval = true},
      {.column = "sex", .interval = true},
      {.column = "age", .texts = words, .text_count = 1},
      {.column = "sex", .texts = wrong, .text_count = 1},
      {.column = "sex", .texts = words, .text_count = 0},
      {.column = "age", .interval = true, .lower = 2, .upper = 1},
      {.column = "age", .interval = true, .lower = NAN, .upper = 1},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (sfm_predict_table(&out, release, &bad[i], 1, &error) != SFM_INVALID)
      fail_msg("supposition %zu was accepted", i);
  release->neighbours = SFM_NEIGHBOURS_ADD_REMOVE;
  assert_int_equal(sfm_predict_table(&out, release, NULL, 0, &error), SFM_INVALID);
  release->neighbours = SFM_NEIGHBOURS_REPLACE;
  release->guarantee.kind = SFM_GUARANTEE_RANDOM_DP;
  assert_int_equal(sfm_predict_table(&out, release, NULL, 0, &error), SFM_INVALID);
  sfm_release_destroy(release);
  release = sfmi_release_create(&sfmi_vector_kind);
  release->method = SFMI_LAPLACE;
  assert_int_equal(sfm_predict_table(&out, release, NULL, 0, &error), SFM_INVALID);
  sfm_release_destroy(release);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_promise_what_pairs_of_records_can_change),
      cmocka_unit_test(records_that_count_nowhere_for_other_reasons_change_a_count),
      cmocka_unit_test(edges_are_those_of_the_table),
      cmocka_unit_test(what_cannot_be_said_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
