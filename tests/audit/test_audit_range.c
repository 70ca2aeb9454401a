/* test_audit_range.c - private quantiles: attacked where one record moves the losses of nearly all
 * cells one way and those of the first few the other way, beside twins that are wrong on purpose.
 */
/* suite: release */
#include "audit/support/hardened_audit.h"
#include "range_fixture.h"
#include "releases/core/release_data.h"

/* Cells 0 to TOP; the median lies in cell MID, or two quantiles do in cell WAY. */
enum { COUNT = 10, TOP = 255, MID = 8, WAY = 32 };

/* A release with its scores: the likelihood ratio as if the values had not been sorted, the least,
 * the greatest, and their sum. */
enum { RANGE_RATIO, RANGE_LEAST, RANGE_GREATEST, RANGE_SUM, RANGE_SCORES };

typedef struct contest {
  range_fixture t;
  sfmi_design_range range_design[2]; /* a twin's may differ */
  sfmi_dyadic_rate rates[SFM_RANGE_QUANTILES_MAX];
  sfmi_ranks ranks[2];
  sfmi_stream *stream;
} contest;

static double cell_ratio(const contest *c, size_t quantile, int64_t value) {
  double masses[2][TOP + 2];
  for (int k = 0; k < 2; k++) {
    const sfmi_ranks *ranks = &c->ranks[k];
    const int64_t cell = value - ranks->first;
    if (cell < 0 || cell >= (int64_t)ranks->cells) return k ? -100 : 100;
    range_fixture_law(masses[k], ranks, c->range_design[k].quantiles[quantile], c->rates[quantile]);
    masses[k][0] = masses[k][cell];
  }
  return log(masses[1][0] / masses[0][0]);
}

/* Ratios of all cells, computed once. */
static double *ratios;

static void prepare_ratios(const contest *c) {
  free(ratios);
  ratios = calloc(c->range_design[0].count * (TOP + 2), sizeof *ratios);
  for (size_t i = 0; i < c->range_design[0].count; i++)
    for (int64_t v = 0; v <= TOP; v++) ratios[i * (TOP + 2) + (size_t)v] = cell_ratio(c, i, v);
}

static void contest_draw(void *context, int input, double *scores) {
  contest *c = context;
  int64_t values[SFM_RANGE_QUANTILES_MAX];
  const sfmi_design_range *range_design = &c->range_design[input];
  sfmi_range_draw(values, range_design, c->rates, &c->ranks[input], c->stream);
  memset(scores, 0, RANGE_SCORES * sizeof *scores);
  for (size_t i = 0; i < range_design->count; i++) {
    scores[RANGE_RATIO] += ratios[i * (TOP + 2) + (size_t)values[i]];
    scores[RANGE_SUM] += (double)values[i];
  }
  scores[RANGE_LEAST] = (double)values[0];
  scores[RANGE_GREATEST] = (double)values[range_design->count - 1];
}

/* A seeded release of the public function is what the audit would draw from that seed. */
static void check_production(contest *c, const double *values, size_t count, int input) {
  sfm_error error;
  sfmi_stream *stream = NULL;
  int64_t drawn[SFM_RANGE_QUANTILES_MAX];
  c->t.settings.context.seeded = true;
  c->t.settings.context.seed = 1;
  sfm_release *release = range_fixture_release(&c->t, values, count);
  assert_ok(sfmi_stream_create_seeded(&stream, 1, &error), &error);
  sfmi_range_draw(drawn, &c->range_design[input], c->rates, &c->ranks[input], stream);
  assert_memory_equal(drawn, release->integers, release->length * sizeof *drawn);
  sfmi_stream_destroy(stream);
  sfm_release_destroy(release);
}

/* Everything up to the draw. */
static void contest_arm(contest *c, const double *const rows[2], const size_t count[2],
                        bool honest) {
  sfm_error error;
  for (int k = 0; k < 2; k++) {
    range_fixture_design(&c->t, &c->range_design[k], c->rates);
    c->ranks[k] = range_fixture_ranks(&c->t, &c->range_design[k], rows[k], count[k]);
    if (honest) check_production(c, rows[k], count[k], k);
  }
  assert_ok(test_long() ? sfmi_stream_create(&c->stream, &error)
                        : sfmi_stream_create_seeded(&c->stream, 1, &error),
            &error);
}

static audit_mechanism contest_ready(contest *c, const char *name) {
  prepare_ratios(c);
  return (audit_mechanism){name, contest_draw, c, RANGE_SCORES, c->t.settings.epsilon, 0};
}

static void contest_clear(contest *c) {
  for (int k = 0; k < 2; k++) sfmi_ranks_clear(&c->ranks[k]);
  sfmi_stream_destroy(c->stream);
  range_fixture_clear(&c->t);
}

static void honest(contest *c, const char *name, const double *one, size_t ones, const double *two,
                   size_t twos, double least) {
  const double *const rows[2] = {one, two};
  const size_t count[2] = {ones, twos};
  contest_arm(c, rows, count, true);
  audit_mechanism m = contest_ready(c, name);
  audit_honest(&m, least);
  contest_clear(c);
}

/* Four rows below the median's cell, and four at the top, of which in the second one has come
 * down. */
static const double HIGH[COUNT] = {0, 0, 0, 0, MID, MID, TOP, TOP, TOP, TOP},
                    LOW[COUNT] = {0, 0, 0, 0, MID, MID, TOP, TOP, TOP, 0},
                    GONE[COUNT] = {0, 0, 0, 0, MID, MID, TOP, TOP, TOP, NAN},
                    FAR[COUNT] = {0, 0, 0, 0, MID, MID, TOP, TOP, TOP, -1e300};

static void begin(contest *c, double epsilon) {
  *c = (contest){0};
  range_fixture_init(&c->t, 0, TOP, 1, epsilon);
}

static void one_quantile_keeps_epsilon(void **state) {
  (void)state;
  contest c;
  begin(&c, 1);
  honest(&c, "range, a row moved", HIGH, COUNT, LOW, COUNT, audit_share(0.7, 0.85));
  begin(&c, 3);
  honest(&c, "range, a row moved", HIGH, COUNT, LOW, COUNT, audit_share(0.7, 0.8));
  begin(&c, 1);
  honest(&c, "range, a row far outside its limits", HIGH, COUNT, FAR, COUNT,
         audit_share(0.7, 0.85));
  begin(&c, 1);
  honest(&c, "range, a row that is NaN", LOW, COUNT, GONE, COUNT, audit_share(0.3, 0.4));
  begin(&c, 1);
  c.t.settings.outside = SFM_OUTSIDE_DROP;
  honest(&c, "range, a row that is dropped", LOW, COUNT, FAR, COUNT, audit_share(0.3, 0.4));
}

static void added_and_removed_rows_keep_epsilon(void **state) {
  (void)state;
  contest c;
  begin(&c, 1);
  range_fixture_neighbours(&c.t, SFM_NEIGHBOURS_ADD_REMOVE, 1, false);
  honest(&c, "range, a row removed (add-remove)", LOW, COUNT, GONE, COUNT - 1,
         audit_share(0.65, 0.8));
  begin(&c, 1);
  range_fixture_neighbours(&c.t, SFM_NEIGHBOURS_ADD_REMOVE, 3, false);
  honest(&c, "range, three rows removed (add-remove)", LOW, COUNT, LOW + 3, COUNT - 3,
         audit_share(0.6, 0.75));
}

static const double TWO_HIGH[COUNT] = {0, 0, 0, WAY, WAY, WAY, WAY, TOP, TOP, TOP},
                    TWO_LOW[COUNT] = {0, 0, 0, WAY, WAY, WAY, WAY, TOP, TOP, 0};

static void two_quantiles_keep_epsilon_together(void **state) {
  (void)state;
  contest c;
  begin(&c, 2);
  range_fixture_two(&c.t, 0.4, 0.6);
  honest(&c, "range, two quantiles", TWO_HIGH, COUNT, TWO_LOW, COUNT, audit_share(0.6, 0.7));
}

/* Values and ids: person 9 has four records at the top, of which two count. */
static void persons_keep_epsilon(void **state) {
  (void)state;
  double one[2 * 14], two[2 * 14];
  static const double values[14] = {0, 0, 0, 0, MID, MID, MID, MID, TOP, TOP, TOP, TOP, TOP, TOP};
  for (size_t r = 0; r < 14; r++) {
    one[2 * r] = values[r];
    one[2 * r + 1] = two[2 * r + 1] = r >= 8 && r < 12 ? 9 : (double)(r + 20);
    two[2 * r] = r >= 8 && r < 12 ? 0 : values[r];
  }
  contest c;
  begin(&c, 1);
  range_fixture_neighbours(&c.t, SFM_NEIGHBOURS_REPLACE, 2, true);
  honest(&c, "range, all records of one person moved", one, 14, two, 14, audit_share(0.7, 0.85));
}

/* --- Wrong on purpose. --- */

static void twin(contest *c, const char *name) {
  audit_mechanism m = contest_ready(c, name);
  audit_twin(&m);
  contest_clear(c);
}

static void twins_are_caught(void **state) {
  (void)state;
  sfm_error error;
  contest c;
  const size_t count[2] = {COUNT, COUNT};
  begin(&c, 1);
  range_fixture_two(&c.t, 0.4, 0.6);
  contest_arm(&c, (const double *const[]){TWO_HIGH, TWO_LOW}, count, false);
  for (int k = 0; k < 2; k++) c.range_design[k].epsilon = c.t.settings.epsilon;
  assert_ok(sfmi_range_rates(c.rates, &c.range_design[0], &error), &error);
  twin(&c, "TWIN range, epsilon spent on each quantile");

  begin(&c, 1);
  contest_arm(&c, (const double *const[]){HIGH, LOW}, count, false);
  for (int k = 0; k < 2; k++) c.range_design[k].moves[0] /= 2;
  assert_ok(sfmi_range_rates(c.rates, &c.range_design[0], &error), &error);
  twin(&c, "TWIN range, losses of sensitivity 2 charged as 1");

  begin(&c, 1);
  range_fixture_neighbours(&c.t, SFM_NEIGHBOURS_REPLACE, 3, false);
  static const double high[] = {0, 0, MID, MID, MID, MID, MID, MID, TOP, TOP, TOP, TOP, TOP, TOP},
                      low[] = {0, 0, MID, MID, MID, MID, MID, MID, TOP, TOP, TOP, 0, 0, 0};
  contest_arm(&c, (const double *const[]){high, low}, (const size_t[]){14, 14}, false);
  c.range_design[0].moves[0] /= 3;
  assert_ok(sfmi_range_rates(c.rates, &c.range_design[0], &error), &error);
  twin(&c, "TWIN range, three contributions charged as one");
}

/* The limits are the least and the greatest value of the rows themselves. */
static void the_twin_with_limits_of_its_own_is_caught(void **state) {
  (void)state;
  static const double wide[COUNT] = {1, 1, 1, 1, 2, 2, 3, 3, 3, TOP},
                      narrow[COUNT] = {1, 1, 1, 1, 2, 2, 3, 3, 3, 3};
  const double *const rows[2] = {wide, narrow};
  contest c;
  begin(&c, 1);
  const size_t count[2] = {COUNT, COUNT};
  contest_arm(&c, rows, count, false);
  for (int k = 0; k < 2; k++) {
    sfmi_ranks_clear(&c.ranks[k]);
    assert_true(sfmi_ranks_grid(&c.range_design[k].grid, 1, k ? 3 : TOP, 1));
    c.ranks[k] = range_fixture_ranks(&c.t, &c.range_design[k], rows[k], COUNT);
  }
  twin(&c, "TWIN range, limits of the rows themselves");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_quantile_keeps_epsilon),
      cmocka_unit_test(added_and_removed_rows_keep_epsilon),
      cmocka_unit_test(two_quantiles_keep_epsilon_together),
      cmocka_unit_test(persons_keep_epsilon),
      cmocka_unit_test(twins_are_caught),
      cmocka_unit_test(the_twin_with_limits_of_its_own_is_caught),
  };
  audit_print(NULL, NULL);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  free(ratios);
  return failed;
}
