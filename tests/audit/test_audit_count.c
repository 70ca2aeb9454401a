/* test_audit_count.c - counts: geometric, by a remap and by a matrix, attacked at the ends and in
 * the middle with the likelihood ratio of their laws, beside twins that are wrong on purpose. */
/* suite: release */
#include "audit/support/hardened_audit.h"
#include "count_fixture.h"

/* The answer itself, the log likelihood ratio, and whether it is at an end. */
enum { COUNT_ANSWER, COUNT_RATIO, COUNT_END, COUNT_SCORES };

typedef struct contest {
  count_fixture t;
  sfmi_count_rule rule;
  sfmi_count_noise *count_noise;
  uint64_t count[2];
  size_t wrong_row; /* a twin's table is read at multiples of so much; 0: as it should be */
  double claimed;
} contest;

/* What a twin that rounds the count before it looks into the table would see. */
static uint64_t seen(const contest *c, int input) {
  const uint64_t count = c->count[input];
  return c->wrong_row ? count / c->wrong_row * c->wrong_row : count;
}

static void contest_draw(void *context, int input, double *scores) {
  contest *c = context;
  bool exact;
  const int64_t answer = sfmi_count_noise_draw(c->count_noise, seen(c, input), &exact);
  const double p = count_fixture_law(&c->rule, seen(c, 0), answer),
               q = count_fixture_law(&c->rule, seen(c, 1), answer);
  scores[COUNT_ANSWER] = (double)answer;
  scores[COUNT_RATIO] = p > 0 ? (q > 0 ? log(p / q) : 100) : -100;
  scores[COUNT_END] = answer == 0 || (c->rule.bounded && answer == (int64_t)c->rule.n);
}

/* A seeded release of the public function is what the audit would draw from that seed. */
static void check_production(contest *c, const char *text, int input) {
  sfm_error error;
  sfmi_count_noise *count_noise;
  bool exact;
  c->t.settings.context.seeded = true;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    c->t.settings.context.seed = seed;
    sfm_release *release = count_fixture_release(&c->t, text);
    assert_ok(sfmi_count_noise_create(&count_noise, &c->rule, (sfmi_seed){true, seed}, &error),
              &error);
    assert_int_equal(release->integers[0],
                     sfmi_count_noise_draw(count_noise, c->count[input], &exact));
    sfmi_count_noise_destroy(count_noise);
    sfm_release_destroy(release);
  }
}

/* Everything up to the draw. */
static void contest_read(contest *c, const char *const text[2], bool honest) {
  for (int k = 0; k < 2; k++) c->count[k] = count_fixture_count(&c->t, text[k], &c->rule);
  c->claimed = c->rule.epsilon;
  for (int k = 0; honest && k < 2; k++) check_production(c, text[k], k);
}

static audit_mechanism contest_arm(contest *c, const char *name) {
  sfm_error error;
  const sfmi_seed source = {!test_long(), 1};
  assert_ok(sfmi_count_noise_create(&c->count_noise, &c->rule, source, &error), &error);
  return (audit_mechanism){name, contest_draw, c, COUNT_SCORES, c->claimed, 0};
}

static void contest_clear(contest *c) {
  sfmi_count_noise_destroy(c->count_noise);
  count_fixture_clear(&c->t);
}

static void honest(contest *c, const char *name, const char *one, const char *two, double least) {
  const char *const text[2] = {one, two};
  contest_read(c, text, true);
  audit_mechanism m = contest_arm(c, name);
  audit_honest(&m, least);
  contest_clear(c);
}

static void twin(contest *c, const char *name) {
  audit_mechanism m = contest_arm(c, name);
  audit_twin(&m);
  contest_clear(c);
}

static void begin(contest *c, double epsilon) {
  *c = (contest){0};
  count_fixture_init(&c->t, "v == 1", epsilon);
}

/* Of eight records so many satisfy the predicate. */
static const char EIGHT[9][24] = {
    "v\n2\n2\n2\n2\n2\n2\n2\n2\n", "v\n1\n2\n2\n2\n2\n2\n2\n2\n", "v\n1\n1\n2\n2\n2\n2\n2\n2\n",
    "v\n1\n1\n1\n2\n2\n2\n2\n2\n", "v\n1\n1\n1\n1\n2\n2\n2\n2\n", "v\n1\n1\n1\n1\n1\n2\n2\n2\n",
    "v\n1\n1\n1\n1\n1\n1\n2\n2\n", "v\n1\n1\n1\n1\n1\n1\n1\n2\n", "v\n1\n1\n1\n1\n1\n1\n1\n1\n"};

static void geometric_counts_keep_epsilon(void **state) {
  (void)state;
  contest c;
  begin(&c, 1);
  honest(&c, "count, none or one", EIGHT[0], EIGHT[1], audit_share(0.85, 0.95));
  begin(&c, 1);
  honest(&c, "count, all or all but one", EIGHT[8], EIGHT[7], audit_share(0.85, 0.95));
  begin(&c, 0.3);
  honest(&c, "count, in the middle", EIGHT[4], EIGHT[5], audit_share(0.7, 0.85));
  begin(&c, 1);
  honest(&c, "count, a cell that cannot be read", "v\n1\n2\n", "v\nx\n2\n",
         audit_share(0.85, 0.95));
  begin(&c, 1);
  count_fixture_neighbours(&c.t, SFM_NEIGHBOURS_REPLACE, 3, NULL);
  honest(&c, "count, three records replaced", EIGHT[2], EIGHT[5], audit_share(0.85, 0.95));
}

static void added_and_removed_records_keep_epsilon(void **state) {
  (void)state;
  contest c;
  begin(&c, 1);
  count_fixture_neighbours(&c.t, SFM_NEIGHBOURS_ADD_REMOVE, 1, NULL);
  honest(&c, "count, a record removed (add-remove)", "v\n1\n1\n", "v\n1\n",
         audit_share(0.85, 0.95));
  begin(&c, 1);
  c.t.settings.where = NULL;
  count_fixture_neighbours(&c.t, SFM_NEIGHBOURS_ADD_REMOVE, 1, NULL);
  honest(&c, "count, the only record removed (add-remove)", "v\n\n", "v\n",
         audit_share(0.85, 0.95));
}

static void persons_keep_epsilon(void **state) {
  (void)state;
  contest c;
  begin(&c, 1);
  count_fixture_neighbours(&c.t, SFM_NEIGHBOURS_REPLACE, 2, "id");
  honest(&c, "count, all records of one person replaced", "id,v\na,1\na,1\na,1\na,1\nb,2\n",
         "id,v\nc,2\nc,2\nc,2\nc,2\nb,2\n", audit_share(0.85, 0.95));
}

static void mechanisms_keep_epsilon(void **state) {
  (void)state;
  for (int matrix = 0; matrix < 2; matrix++) {
    sfmi_optimal *optimal = count_fixture_optimal(8, 1, matrix);
    contest c;
    begin(&c, 1);
    count_fixture_use(&c.t, optimal);
    honest(&c, matrix ? "count by a matrix, none or one" : "count by a remap, none or one",
           EIGHT[0], EIGHT[1], audit_share(0.85, 0.9));
    begin(&c, 1);
    count_fixture_use(&c.t, optimal);
    honest(&c, matrix ? "count by a matrix, in the middle" : "count by a remap, in the middle",
           EIGHT[4], EIGHT[5], audit_share(0.85, 0.9));
    sfmi_optimal_destroy(optimal);
  }
}

/* --- Wrong on purpose. --- */

static void read_pair(contest *c, size_t one, size_t two) {
  contest_read(c, (const char *const[]){EIGHT[one], EIGHT[two]}, false);
}

static void twins_are_caught(void **state) {
  (void)state;
  contest c;
  begin(&c, 1);
  read_pair(&c, 4, 5);
  c.rule.law.scale.denominator *= 2;
  twin(&c, "TWIN count, half the scale");

  begin(&c, 1);
  read_pair(&c, 0, 1);
  c.rule.exact_to = 0;
  twin(&c, "TWIN count, no noise at zero");

  begin(&c, 1);
  count_fixture_neighbours(&c.t, SFM_NEIGHBOURS_REPLACE, 3, NULL);
  read_pair(&c, 2, 5);
  c.rule.law.scale.denominator *= 3;
  twin(&c, "TWIN count, three contributions charged as one");

  /* What random differential privacy lets out, claimed to be differential privacy. */
  begin(&c, 1);
  c.t.settings.gamma = 0.9;
  read_pair(&c, 2, 3);
  assert_int_equal(c.rule.exact_to, 2);
  twin(&c, "TWIN count, random privacy charged as privacy");
}

static void twins_of_mechanisms_are_caught(void **state) {
  (void)state;
  contest c;
  sfmi_optimal *remap = count_fixture_optimal(8, 1, false),
               *matrix = count_fixture_optimal(8, 1, true);
  begin(&c, 1);
  count_fixture_use(&c.t, matrix);
  read_pair(&c, 5, 6);
  c.wrong_row = 2; /* 5 becomes 4: neighbours are two rows apart */
  twin(&c, "TWIN count by a matrix, the row rounded down");

  begin(&c, 1);
  count_fixture_use(&c.t, remap);
  read_pair(&c, 3, 4);
  remap->form = SFM_OPTIMAL_MATRIX; /* the table, and nothing before it */
  twin(&c, "TWIN count by a remap, without the noise");
  remap->form = SFM_OPTIMAL_REMAP;
  sfmi_optimal_destroy(remap);
  sfmi_optimal_destroy(matrix);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(geometric_counts_keep_epsilon),
      cmocka_unit_test(added_and_removed_records_keep_epsilon),
      cmocka_unit_test(persons_keep_epsilon),
      cmocka_unit_test(mechanisms_keep_epsilon),
      cmocka_unit_test(twins_are_caught),
      cmocka_unit_test(twins_of_mechanisms_are_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
