/* test_audit_histogram.c - tables of every form, attacked with the likelihood ratio of all that is
 * listed and with the list itself (how long it is, where it begins, whether it ascends), beside
 * twins that are wrong on purpose. */
/* suite: release */
#include "audit/support/hardened_audit.h"
#include "table_fixture.h"

enum { CELLS_MAX = 64, LIST_MAX = 4 * CELLS_MAX };

/* Scores of what is released. */
enum {
  TABLE_RATIO,  /* the likelihood ratio, were all values of all cells independent of the rest */
  TABLE_LENGTH, /* how many cells are listed */
  TABLE_FIRST,  /* the first of them, */
  TABLE_LAST,   /* the last */
  TABLE_TURNS,  /* where the list does not ascend */
  TABLE_HERE,   /* the values of the two cells that a record moved between, -100 unlisted */
  TABLE_THERE,
  TABLE_SCORES
};

typedef enum twin {
  HONEST,
  ONLY_OCCUPIED,    /* empty cells get no noise, and so are never listed */
  THRESHOLD_FIRST,  /* the counts themselves must be above the threshold */
  OCCUPIED_FIRST,   /* empty cells are appended to the list */
  HALF_THE_SCALE,   /* noise of one cell where two change */
  ONE_CONTRIBUTION, /* of several */
  ONE_MARGIN,       /* of several */
  NO_THRESHOLD,     /* undeclared cells are listed whatever their count */
} twin;

/* Rows in a table of one column of so many bins, or of two columns of four; how many in each cell,
 * and how many nowhere, on both inputs. */
typedef struct problem {
  sfm_histogram_form form;
  size_t cells;
  bool margins; /* both columns, and each alone */
  uint64_t occupied;
  double epsilon, delta, gamma;
  sfm_neighbours neighbours;
  uint32_t contributions;
  int counts[2][CELLS_MAX], nowhere[2];
  size_t here, there;
} problem;

typedef struct contest {
  problem p;
  twin wrong;
  table_fixture t;
  sfmi_design_table table_design;
  sfmi_histogram_counts rows[2];
  sfmi_noise_law law;
  sfmi_hardener *hardener;
  double scale;
  int64_t tau;
  bool exact;
  uint64_t exact_to;
  uint64_t keys[LIST_MAX];
  int64_t values[LIST_MAX];
  size_t length;
} contest;

static const uint64_t MARGINS[] = {3, 1, 2};

/* One row: the middle of its cell. */
static size_t print_row(char *csv, size_t size, const problem *p, int cell) {
  if (cell < 0) return (size_t)snprintf(csv, size, "%s\n", p->margins ? "?,?" : "?");
  if (p->margins) return (size_t)snprintf(csv, size, "%d.5,%d.5\n", cell / 4, cell % 4);
  return (size_t)snprintf(csv, size, "%d.5\n", cell);
}

static char *print_rows(const problem *p, int input) {
  static char csv[2][1 << 16];
  char *text = csv[input];
  const size_t size = sizeof csv[input];
  size_t used = (size_t)snprintf(text, size, "%s", p->margins ? "x,y\n" : "x\n");
  for (size_t c = 0; c < p->cells; c++)
    for (int r = 0; r < p->counts[input][c]; r++)
      used += print_row(text + used, size - used, p, (int)c);
  for (int r = 0; r < p->nowhere[input]; r++) used += print_row(text + used, size - used, p, -1);
  return text;
}

static void setup(contest *c) {
  const problem *p = &c->p;
  table_fixture_init(&c->t, p->epsilon);
  if (p->form == SFM_HISTOGRAM_UNDECLARED)
    table_fixture_text(&c->t, "x");
  else if (p->margins)
    table_fixture_bins(&c->t, "x", 4, 0, 4);
  else
    table_fixture_bins(&c->t, "x", p->cells, 0, (double)p->cells);
  if (p->margins) table_fixture_bins(&c->t, "y", 4, 0, 4);
  table_fixture_neighbours(&c->t, p->neighbours, p->contributions, NULL);
  sfm_histogram_settings *s = &c->t.settings;
  s->form = p->form;
  s->delta = p->delta;
  s->gamma = p->gamma;
  s->occupied = p->occupied;
  s->margins = p->margins ? MARGINS : NULL;
  s->margin_count = p->margins ? 3 : 0;
}

/* Of texts: the cell that a text is. */
static uint64_t cell_of(const char *text) {
  return (uint64_t)atoi(text);
}

/* One release, as production draws it. */
static void draw_honestly(contest *c, int input) {
  sfm_error error;
  const sfmi_histogram_counts *rows = &c->rows[input];
  sfmi_cell_list list = {0};
  if (c->p.form == SFM_HISTOGRAM_DENSE) {
    c->length = rows->length;
    for (size_t i = 0; i < c->length; i++) c->keys[i] = i;
    sfmi_histogram_noise_dense(c->hardener, c->values, rows->counts, rows->length, c->exact,
                               c->exact_to);
    return;
  }
  if (c->p.form == SFM_HISTOGRAM_SPARSE) {
    const sfmi_occupied_cells *o = &rows->occupied;
    assert_ok(sfmi_histogram_noise_sparse(c->hardener, &list, o->keys, o->counts, o->count,
                                          c->p.cells, c->tau, &error),
              &error);
  } else {
    uint64_t counts[CELLS_MAX];
    const sfmi_undeclared_cells *l = &rows->undeclared;
    for (size_t e = 0; e < l->count; e++) counts[e] = l->entries[e].count;
    assert_ok(sfmi_histogram_noise_undeclared(c->hardener, &list, counts, l->count, c->tau, &error),
              &error);
    for (size_t e = 0; e < list.count; e++)
      list.keys[e] = cell_of(l->bytes + l->entries[list.keys[e]].offset);
  }
  c->length = list.count;
  memcpy(c->keys, list.keys, list.count * sizeof *c->keys);
  memcpy(c->values, list.values, list.count * sizeof *c->values);
  sfmi_cell_list_clear(&list);
}

/* A seeded release of the public function is what is drawn here from that seed. */
static void check_production(contest *c, int input) {
  sfm_error error;
  c->t.settings.context.seeded = true;
  c->t.settings.context.seed = 1;
  sfm_release *release = table_fixture_release(&c->t, print_rows(&c->p, input));
  assert_ok(sfmi_hardener_create(&c->hardener, &c->law, (sfmi_seed){true, 1}, &error), &error);
  draw_honestly(c, input);
  assert_int_equal(c->length, release->length);
  assert_memory_equal(c->values, release->integers, c->length * sizeof *c->values);
  for (size_t e = 0; e < c->length; e++) {
    if (release->cells->keys) assert_int_equal(release->cells->keys[e], c->keys[e]);
    if (release->cells->texts) assert_int_equal(cell_of(release->cells->texts[e]), c->keys[e]);
  }
  sfmi_hardener_destroy(c->hardener);
  sfm_release_destroy(release);
}

/* The count of a cell of the whole table, margins included. */
static double count_of(const contest *c, int input, size_t cell) {
  if (c->p.form == SFM_HISTOGRAM_DENSE) return (double)c->rows[input].counts[cell];
  return c->p.counts[input][cell];
}

/* log P(value | count 1) - log P(value | count 0) of a listed cell. */
static double ratio_of(const contest *c, size_t cell, int64_t value) {
  const double a = count_of(c, 0, cell), b = count_of(c, 1, cell), y = (double)value;
  if (a == b) return 0;
  if (c->law.law == SFM_NOISE_LAW_ROUNDED_NORMAL)
    return (y * (b - a) - (b * b - a * a) / 2) / (c->scale * c->scale);
  if (c->p.form == SFM_HISTOGRAM_UNDECLARED && (a == 0 || b == 0)) return a == 0 ? 100 : -100;
  return (fabs(y - a) - fabs(y - b)) / c->scale;
}

static double below(const contest *c, double count) {
  const double t = (double)c->tau - count;
  if (c->p.form == SFM_HISTOGRAM_UNDECLARED && count == 0) return 1;
  return t >= -1 ? 1 - table_fixture_tail(c->scale, t) : table_fixture_tail(c->scale, -t - 1);
}

static void score(const contest *c, double *scores) {
  double ratio = 0, turns = 0, here = -100, there = -100;
  bool listed[CELLS_MAX] = {false};
  for (size_t e = 0; e < c->length; e++) {
    ratio += ratio_of(c, c->keys[e], c->values[e]);
    listed[c->keys[e]] = true;
    turns += e > 0 && c->keys[e] < c->keys[e - 1];
    if (c->keys[e] == c->p.here) here = (double)c->values[e];
    if (c->keys[e] == c->p.there) there = (double)c->values[e];
  }
  for (size_t i = 0; c->p.form != SFM_HISTOGRAM_DENSE && i < c->p.cells; i++)
    if (!listed[i] && c->p.counts[0][i] != c->p.counts[1][i])
      ratio += log(below(c, c->p.counts[1][i]) / below(c, c->p.counts[0][i]));
  scores[TABLE_RATIO] = ratio;
  scores[TABLE_LENGTH] = (double)c->length;
  scores[TABLE_FIRST] = c->length ? (double)c->keys[0] : -1;
  scores[TABLE_LAST] = c->length ? (double)c->keys[c->length - 1] : -1;
  scores[TABLE_TURNS] = turns;
  scores[TABLE_HERE] = here;
  scores[TABLE_THERE] = there;
}

/* --- Twins: wrong in one step. --- */

static void append(contest *c, uint64_t key, int64_t value) {
  c->keys[c->length] = key;
  c->values[c->length++] = value;
}

/* All cells with noise; from which what a wrong mechanism lists is picked. */
static void draw_wrongly(contest *c, int input) {
  uint64_t counts[CELLS_MAX];
  int64_t noisy[CELLS_MAX];
  for (size_t i = 0; i < c->p.cells; i++) counts[i] = (uint64_t)c->p.counts[input][i];
  sfmi_hardener_add_counts(c->hardener, noisy, counts, c->p.cells);
  c->length = 0;
  for (size_t i = 0; i < c->p.cells; i++) {
    const bool above = c->wrong == THRESHOLD_FIRST ? (int64_t)counts[i] > c->tau
                       : c->wrong == NO_THRESHOLD  ? true
                                                   : noisy[i] > c->tau;
    if (above && (counts[i] || c->wrong == THRESHOLD_FIRST)) append(c, i, noisy[i]);
  }
  for (size_t i = 0; c->wrong == OCCUPIED_FIRST && i < c->p.cells; i++)
    if (counts[i] == 0 && noisy[i] > c->tau) append(c, i, noisy[i]);
}

static void contest_draw(void *context, int input, double *scores) {
  contest *c = context;
  const bool listed = c->wrong == ONLY_OCCUPIED || c->wrong == THRESHOLD_FIRST ||
                      c->wrong == OCCUPIED_FIRST || c->wrong == NO_THRESHOLD;
  if (listed)
    draw_wrongly(c, input);
  else
    draw_honestly(c, input);
  score(c, scores);
}

/* Everything up to the draws. */
static void arm(contest *c, const problem *p, twin wrong) {
  sfm_error error;
  *c = (contest){.p = *p, .wrong = wrong};
  setup(c);
  for (int k = 0; k < 2; k++) {
    if (k) sfmi_design_table_clear(&c->table_design);
    table_fixture_read(&c->t, &c->table_design, &c->rows[k], print_rows(p, k));
  }
  assert_ok(sfmi_histogram_noise_law(&c->law, &c->table_design, &error), &error);
  c->tau =
      (int64_t)floor(sfmi_design_table_threshold(&c->table_design, &c->t.settings, c->law.scale));
  if (p->gamma > 0) {
    sfm_release *release = table_fixture_release(&c->t, print_rows(p, 0));
    c->exact = release->cells->exact;
    c->exact_to = release->cells->exact_to;
    sfm_release_destroy(release);
  }
  for (int k = 0; k < 2 && wrong == HONEST; k++) check_production(c, k);
  const uint64_t too_many = wrong == HALF_THE_SCALE     ? 2
                            : wrong == ONE_CONTRIBUTION ? p->contributions
                            : wrong == ONE_MARGIN       ? 3
                                                        : 1;
  c->law.scale.numerator /= too_many;
  c->scale = sfmi_noise_scale(&c->law);
  assert_ok(sfmi_hardener_create(&c->hardener, &c->law, (sfmi_seed){!test_long(), 1}, &error),
            &error);
}

static void clear(contest *c) {
  for (int k = 0; k < 2; k++) sfmi_histogram_counts_clear(&c->rows[k]);
  sfmi_design_table_clear(&c->table_design);
  sfmi_hardener_destroy(c->hardener);
  table_fixture_clear(&c->t);
}

static void honest(const char *name, const problem *p, double least) {
  contest c;
  arm(&c, p, HONEST);
  const audit_mechanism m = {name, contest_draw, &c, TABLE_SCORES, p->epsilon, p->delta};
  /* A sparse one takes longer: how many empty cells pass is drawn to many digits. */
  audit_honest_of(&m, audit_draws() / (p->form == SFM_HISTOGRAM_SPARSE ? 16 : 4), least);
  clear(&c);
}

static void caught(const char *name, const problem *p, twin wrong) {
  contest c;
  arm(&c, p, wrong);
  const audit_mechanism m = {name, contest_draw, &c, TABLE_SCORES, p->epsilon, p->delta};
  audit_twin_of(&m, audit_draws() / 16);
  clear(&c);
}

/* A table of so many cells in which one record moves from `here` to `there`, of `base` others in
 * each; -1 is nowhere. */
static problem moved(sfm_histogram_form form, size_t cells, int here, int there, int base) {
  problem p = {.form = form,
               .cells = cells,
               .epsilon = 1,
               .contributions = 1,
               .here = (size_t)(here < 0 ? 0 : here),
               .there = (size_t)(there < 0 ? 0 : there)};
  for (int k = 0; k < 2; k++) {
    const int now = k ? there : here;
    if (here >= 0) p.counts[k][here] = base;
    if (there >= 0) p.counts[k][there] = base;
    if (now >= 0)
      p.counts[k][now]++;
    else
      p.nowhere[k]++;
  }
  return p;
}

static void dense_tables_keep_epsilon(void **state) {
  (void)state;
  problem p = moved(SFM_HISTOGRAM_DENSE, 8, 1, 6, 3);
  honest("histogram, a record moved", &p, audit_share(0.8, 0.9));
  p = moved(SFM_HISTOGRAM_DENSE, 8, 1, -1, 3);
  honest("histogram, a record that counts nowhere", &p, audit_share(0.35, 0.45));
  p = moved(SFM_HISTOGRAM_DENSE, 8, 1, -1, 3);
  p.nowhere[1] = 0;
  p.neighbours = SFM_NEIGHBOURS_ADD_REMOVE;
  honest("histogram, a record removed (add-remove)", &p, audit_share(0.8, 0.9));
  p = moved(SFM_HISTOGRAM_DENSE, 8, 1, 6, 3);
  p.counts[0][1] += 2;
  p.counts[1][6] += 2;
  p.contributions = 3;
  honest("histogram, three records of one person moved", &p, audit_share(0.8, 0.9));
  p = moved(SFM_HISTOGRAM_DENSE, 16, 1, 14, 3);
  p.margins = true;
  p.epsilon = 2;
  honest("histogram, three margins", &p, audit_share(0.5, 0.8));
  p.delta = 0.1;
  honest("histogram, three margins, normal noise", &p, audit_share(0.6, 0.9));
  p = moved(SFM_HISTOGRAM_DENSE, 8, 1, 6, 3);
  p.epsilon = 2;
  p.delta = 0.1;
  honest("histogram, normal noise", &p, audit_share(0.6, 0.8));
}

static void sparse_tables_keep_epsilon(void **state) {
  (void)state;
  problem p = moved(SFM_HISTOGRAM_SPARSE, 8, 1, 6, 12);
  honest("sparse, a record moved between full cells", &p, audit_share(0.6, 0.85));
  p = moved(SFM_HISTOGRAM_SPARSE, 8, 1, 6, 0);
  honest("sparse, a record moved into an empty cell", &p, audit_share(0, 0.2));
  p = moved(SFM_HISTOGRAM_SPARSE, 8, 1, 6, 5);
  honest("sparse, a record moved about the threshold", &p, audit_share(0.5, 0.8));
  p = moved(SFM_HISTOGRAM_SPARSE, 64, 63, 0, 0);
  p.occupied = 32;
  honest("sparse, many occupied cells stated", &p, audit_share(0.3, 0.6));
  p = moved(SFM_HISTOGRAM_SPARSE, 8, 1, -1, 12);
  p.nowhere[1] = 0;
  p.neighbours = SFM_NEIGHBOURS_ADD_REMOVE;
  honest("sparse, a record removed (add-remove)", &p, audit_share(0.7, 0.9));
}

static void undeclared_tables_keep_epsilon_and_delta(void **state) {
  (void)state;
  problem p = moved(SFM_HISTOGRAM_UNDECLARED, 8, 1, 6, 20);
  p.delta = 0.02;
  honest("undeclared, a record moved between full cells", &p, audit_share(0.6, 0.85));
  p = moved(SFM_HISTOGRAM_UNDECLARED, 8, 1, 6, 0);
  p.delta = 0.02;
  honest("undeclared, the only record of a cell", &p, 0);
  p = moved(SFM_HISTOGRAM_UNDECLARED, 8, 1, -1, 0);
  p.delta = 0.02;
  p.nowhere[1] = 0;
  p.neighbours = SFM_NEIGHBOURS_ADD_REMOVE;
  honest("undeclared, the same removed (add-remove)", &p, 0);
}

/* A typical record: both cells are larger than those without noise. */
static void a_typical_record_keeps_epsilon_under_random_dp(void **state) {
  (void)state;
  problem p = moved(SFM_HISTOGRAM_DENSE, 4, 0, 3, 40);
  p.gamma = 0.5;
  honest("random-dp, a typical record moved", &p, audit_share(0.8, 0.9));
}

static void twins_are_caught(void **state) {
  (void)state;
  problem p = moved(SFM_HISTOGRAM_SPARSE, 8, 1, 6, 0);
  caught("TWIN sparse, noise only on occupied cells", &p, ONLY_OCCUPIED);
  p = moved(SFM_HISTOGRAM_SPARSE, 8, 1, 6, 4);
  caught("TWIN sparse, threshold before noise", &p, THRESHOLD_FIRST);
  p = moved(SFM_HISTOGRAM_SPARSE, 64, 63, 0, 0);
  p.occupied = 32;
  caught("TWIN sparse, occupied cells listed first", &p, OCCUPIED_FIRST);
  p = moved(SFM_HISTOGRAM_DENSE, 8, 1, 6, 3);
  caught("TWIN histogram, scale 1/epsilon under replace", &p, HALF_THE_SCALE);
  p = moved(SFM_HISTOGRAM_SPARSE, 8, 1, 6, 12);
  caught("TWIN sparse, scale 1/epsilon under replace", &p, HALF_THE_SCALE);
  p = moved(SFM_HISTOGRAM_DENSE, 16, 1, 14, 3);
  p.margins = true;
  caught("TWIN histogram, epsilon spent on each margin", &p, ONE_MARGIN);
  p = moved(SFM_HISTOGRAM_DENSE, 8, 1, 6, 3);
  p.counts[0][1] += 2;
  p.counts[1][6] += 2;
  p.contributions = 3;
  caught("TWIN histogram, three contributions charged as one", &p, ONE_CONTRIBUTION);
  p = moved(SFM_HISTOGRAM_UNDECLARED, 8, 1, 6, 0);
  p.delta = 0.02;
  caught("TWIN undeclared, no threshold", &p, NO_THRESHOLD);
  p = moved(SFM_HISTOGRAM_DENSE, 4, 0, 3, 4);
  p.gamma = 0.5;
  for (int k = 0; k < 2; k++) p.counts[k][1] = 300;
  caught("random-dp, a record in a small cell (not protected)", &p, HONEST);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dense_tables_keep_epsilon),
      cmocka_unit_test(sparse_tables_keep_epsilon),
      cmocka_unit_test(undeclared_tables_keep_epsilon_and_delta),
      cmocka_unit_test(a_typical_record_keeps_epsilon_under_random_dp),
      cmocka_unit_test(twins_are_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
