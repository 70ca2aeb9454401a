/* test_partial.c - a release from merged parts is the one from all rows: for every mechanism that
 * takes partials, every method, both neighbour relations, with and without persons, however the
 * rows are split; and what must be refused is. */
/* suite: both */
#include "test_support.h"

#include <math.h>

#include "data/partial/partial.h"
#include "data/rows/rows_open.h"
#include "releases/core/release_write.h"
#include "sfumato/mean.h"
#include "sfumato/partial.h"
#include "sfumato/release.h"

enum { ROWS = 60, LINE = 80, PARTS_MAX = 64 };

static sfm_error error;
static char lines[ROWS][LINE];
static const char *const HEADER = "id,x,y,g,t,k0,k1,k2,k3";
static const char *const X[] = {"x"}, *const XY[] = {"x", "y"}, *const G[] = {"g"},
                         *const K[] = {"k0", "k1", "k2", "k3"};
static const double GRID[] = {0, 1, 2, 3}, NARROW[] = {0.1, 0.1}, WIDE[] = {0.3, 0.3};

typedef enum kind { DENSITY, HISTOGRAM, SERIES, CURVE, COUNT } kind;

/* One release: what is asked for, of which kind. */
typedef struct job {
  kind kind;
  sfm_schema *schema;
  sfm_density_settings density;
  sfm_histogram_settings histogram;
  sfm_series_settings series;
  sfm_curve_settings curve;
  sfm_count_settings count;
  double places[10];
} job;

typedef struct mechanism {
  const char *name;
  kind kind;
  void (*configure)(job *j);
  bool add_remove; /* it has that relation, too */
  bool no_replace; /* it has no other */
} mechanism;

static void lattice(job *j) {
  j->density.method = SFM_DENSITY_LATTICE;
}

static void plane(job *j) {
  j->density.columns = XY;
  j->density.dimension = 2;
  j->density.bandwidth = WIDE;
  lattice(j);
}

static void normal_lattice(job *j) {
  lattice(j);
  j->density.noise = SFM_DENSITY_NOISE_NORMAL;
  j->density.delta = 1e-6;
}

static void groups(job *j) {
  lattice(j);
  j->density.by = G;
  j->density.by_count = 1;
}

static void process(job *j) {
  j->density.method = SFM_DENSITY_GP;
  j->density.delta = 1e-6;
  j->density.bandwidth = WIDE;
}

static void random_features(job *j) {
  process(j);
  j->density.engine = SFM_ENGINE_RANDOM;
  j->density.features = 64;
}

static void markov(job *j) {
  process(j);
  j->density.kernel = SFM_KERNEL_LAPLACIAN;
}

static void fourier(job *j) {
  j->density.method = SFM_DENSITY_FOURIER_LAPLACE;
  j->density.terms = 3;
}

static void caratheodory(job *j) {
  j->density.method = SFM_DENSITY_CARATHEODORY;
  j->density.terms = 3;
}

static void sobolev(job *j) {
  j->density.method = SFM_DENSITY_SOBOLEV;
  j->density.delta = 1e-6;
  j->density.bandwidth = NULL;
}

static void columns_of(job *j, const sfm_histogram_column *columns, size_t count) {
  j->histogram.columns = columns;
  j->histogram.count = count;
}

static void table(job *j) {
  static const sfm_histogram_column columns[] = {{"g", 0}};
  columns_of(j, columns, 1);
}

static void bins(job *j) {
  static const sfm_histogram_column columns[] = {{"x", 7}, {"g", 0}};
  columns_of(j, columns, 2);
}

static void sparse(job *j) {
  static const sfm_histogram_column columns[] = {{"x", 1000000}, {"y", 1000000}};
  columns_of(j, columns, 2);
  j->histogram.form = SFM_HISTOGRAM_SPARSE;
  j->histogram.epsilon = 60; /* so that some pass the threshold */
}

static void undeclared(job *j) {
  static const sfm_histogram_column columns[] = {{"t", 0}};
  columns_of(j, columns, 1);
  j->histogram.form = SFM_HISTOGRAM_UNDECLARED;
  j->histogram.delta = 0.2;
  j->histogram.epsilon = 8;
}

static void all_records(job *j) {
  j->count.where = NULL;
}

static void some_records(job *j) {
  j->count.where = "x > 0.4 and g == \"a\"";
}

static void cosines(job *j) {
  j->series.terms = 5;
}

static void normal_series(job *j) {
  cosines(j);
  j->series.noise = SFM_VECTOR_NOISE_NORMAL;
  j->series.delta = 1e-6;
}

static void curves(job *j) {
  j->curve.delta = 1e-6;
}

static const mechanism mechanisms[] = {{"lattice", DENSITY, lattice, true},
                                       {"plane", DENSITY, plane, true},
                                       {"normal lattice", DENSITY, normal_lattice, true},
                                       {"groups", DENSITY, groups, true},
                                       {"process", DENSITY, process, false},
                                       {"random features", DENSITY, random_features, true},
                                       {"markov", DENSITY, markov, false},
                                       {"fourier", DENSITY, fourier, false},
                                       {"caratheodory", DENSITY, caratheodory, false},
                                       {"sobolev", DENSITY, sobolev, false},
                                       {"table", HISTOGRAM, table, true},
                                       {"bins", HISTOGRAM, bins, true},
                                       {"sparse", HISTOGRAM, sparse, true},
                                       {"undeclared", HISTOGRAM, undeclared, true},
                                       {"all records", COUNT, all_records, true, true},
                                       {"some records", COUNT, some_records, true},
                                       {"cosines", SERIES, cosines, false},
                                       {"normal series", SERIES, normal_series, false},
                                       {"curves", CURVE, curves, false}};

enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

static void context_of(sfm_context *context, const job *j, uint64_t seed) {
  context->schema = j->schema;
  context->seeded = true;
  context->seed = seed;
}

static job job_of(const mechanism *m, bool add_remove, bool persons, uint64_t seed) {
  static const char *const categories[] = {"a", "b", "c"};
  job j = {.kind = m->kind};
  assert_ok(sfm_schema_create(&j.schema, &error), &error);
  assert_ok(sfm_schema_set_bounds(j.schema, "x", 0, 1, &error), &error);
  assert_ok(sfm_schema_set_bounds(j.schema, "y", 0, 1, &error), &error);
  assert_ok(sfm_schema_set_categories(j.schema, "g", categories, 3, &error), &error);
  if (add_remove)
    assert_ok(sfm_schema_set_neighbours(j.schema, SFM_NEIGHBOURS_ADD_REMOVE, &error), &error);
  if (persons) assert_ok(sfm_schema_set_person(j.schema, "id", &error), &error);
  if (persons && m->kind != CURVE)
    assert_ok(sfm_schema_set_contributions(j.schema, 2, &error), &error);
  j.density = sfm_density_settings_default();
  j.density.columns = X;
  j.density.dimension = 1;
  j.density.bandwidth = NARROW;
  j.density.epsilon = 1;
  j.density.expected_rows = add_remove ? ROWS : 0;
  j.histogram = sfm_histogram_settings_default();
  j.histogram.epsilon = 1;
  j.series = sfm_series_settings_default();
  j.series.column = "x";
  j.series.epsilon = 1;
  j.curve = sfm_curve_settings_default();
  j.curve.columns = K;
  j.curve.count = 4;
  j.curve.grid = GRID;
  j.curve.clip = 2;
  j.curve.bandwidth = 0.5;
  j.curve.epsilon = 1;
  j.count = sfm_count_settings_default();
  j.count.epsilon = 1;
  m->configure(&j);
  context_of(&j.density.context, &j, seed);
  context_of(&j.histogram.context, &j, seed);
  context_of(&j.series.context, &j, seed);
  context_of(&j.curve.context, &j, seed);
  context_of(&j.count.context, &j, seed);
  return j;
}

static sfm_status release_of(sfm_release **out, const job *j, sfm_rows *rows) {
  *out = NULL;
  switch (j->kind) {
  case DENSITY:
    return sfm_density_release(out, NULL, rows, &j->density, &error);
  case HISTOGRAM:
    return sfm_histogram_release(out, rows, &j->histogram, &error);
  case SERIES:
    return sfm_series_release(out, NULL, rows, &j->series, &error);
  case CURVE:
    return sfm_curve_release(out, NULL, rows, &j->curve, &error);
  default:
    return sfm_count_release(out, rows, &j->count, &error);
  }
}

static sfm_status partial_of(sfm_partial **out, const job *j, const sfm_part *part) {
  *out = NULL;
  switch (j->kind) {
  case DENSITY:
    return sfm_density_partial_create(out, &j->density, part, &error);
  case HISTOGRAM:
    return sfm_histogram_partial_create(out, &j->histogram, part, &error);
  case SERIES:
    return sfm_series_partial_create(out, &j->series, part, &error);
  case CURVE:
    return sfm_curve_partial_create(out, &j->curve, part, &error);
  default:
    return sfm_count_partial_create(out, &j->count, part, &error);
  }
}

/* The header, and lines whose number is `part` modulo `of` after a shuffle. */
static sfm_rows *rows_of(char *text, uint64_t part, uint64_t of, size_t shuffle) {
  sfm_rows *rows;
  char *at = text + sprintf(text, "%s\n", HEADER);
  for (size_t i = 0; i < ROWS; i++) {
    const size_t line = (i * 7 + shuffle) % ROWS;
    if (line % of == part) at += sprintf(at, "%s\n", lines[line]);
  }
  assert_ok(sfmi_rows_open_memory(&rows, text, (size_t)(at - text), 0, &error), &error);
  return rows;
}

static char *bytes_of(const sfm_release *release, size_t *length) {
  char *bytes;
  assert_ok(sfmi_release_print(release, &bytes, length, &error), &error);
  return bytes;
}

/* The release from parts, which go through bytes. */
static sfm_status from_parts(sfm_release **out, const job *j, bool persons, uint64_t of,
                             uint64_t rows, size_t shuffle) {
  static char text[(ROWS + 1) * LINE];
  sfm_partial *all = NULL;
  sfm_status status = SFM_OK;
  for (uint64_t i = 0; !status && i < of; i++) {
    sfm_part part = sfm_part_default();
    sfm_partial *made = NULL, *back = NULL;
    void *bytes = NULL;
    size_t size = 0;
    part.number = (i * (of > 1 && of % 5 ? 5 : 1) + shuffle) % of + 1; /* in some order */
    part.of = of;
    part.rows = rows;
    status = partial_of(&made, j, &part);
    /* Of persons every part looks at all rows; else at rows of its own, and part 2 at none. */
    const uint64_t own = of > 2 && part.number == 2 ? of + 1 : part.number - 1;
    sfm_rows *source = persons ? rows_of(text, 0, 1, shuffle) : rows_of(text, own, of, shuffle);
    if (!status) status = sfm_partial_add(made, source, &error);
    sfm_rows_destroy(source);
    if (!status && !persons && of > 2 &&
        part.number == 1) { /* and part 1 at those of part 2, too */
      source = rows_of(text, 1, of, shuffle);
      status = sfm_partial_add(made, source, &error);
      sfm_rows_destroy(source);
    }
    if (!status) status = sfm_partial_to_bytes(made, &bytes, &size, &error);
    if (!status) status = sfm_partial_from_bytes(&back, bytes, size, &error);
    if (!status && all) {
      status = sfm_partial_merge(all, back, &error);
    } else if (!status) {
      all = back;
      back = NULL;
    }
    sfm_partial_free_bytes(bytes, size);
    sfm_partial_destroy(made);
    sfm_partial_destroy(back);
  }
  sfm_rows *stand = NULL;
  *out = NULL;
  if (!status) status = sfm_rows_from_partial(&stand, all, &error);
  if (!status) status = release_of(out, j, stand);
  sfm_rows_destroy(stand);
  sfm_partial_destroy(all);
  return status;
}

/* Where they differ. */
static void fail_at(const mechanism *m, uint64_t parts, const char *wanted, const char *given,
                    size_t length) {
  size_t at = 0;
  while (at < length && wanted[at] == given[at]) at++;
  const size_t from = at < 60 ? 0 : at - 60;
  fail_msg("%s in %d parts:\n%.120s\n%.120s", m->name, (int)parts, wanted + from, given + from);
}

static void check_mechanism(const mechanism *m, bool add_remove, bool persons) {
  static const uint64_t splits[] = {1, 3, 7, ROWS, 1000};
  static char text[(ROWS + 1) * LINE];
  job j = job_of(m, add_remove, persons, 11);
  sfm_rows *rows = rows_of(text, 0, 1, 0);
  sfm_release *whole, *merged;
  size_t length, other;
  if (release_of(&whole, &j, rows)) fail_msg("%s: %s", m->name, error.message);
  sfm_rows_destroy(rows);
  char *wanted = bytes_of(whole, &length);
  /* A part of some densities takes long to design. */
  const bool many = m == mechanisms && !add_remove && !persons,
             slow = m->kind == DENSITY && m > mechanisms;
  const size_t count = many ? 5 : slow ? 2 : 4;
  for (size_t s = 0; s < count; s++) { /* most of 1,000 are empty */
    if (from_parts(&merged, &j, persons, splits[s], add_remove ? 0 : ROWS, 3 * s))
      fail_msg("%s in %d parts: %s", m->name, (int)splits[s], error.message);
    char *given = bytes_of(merged, &other);
    if (length != other || memcmp(wanted, given, length) != 0)
      fail_at(m, splits[s], wanted, given, length < other ? length : other);
    free(given);
    sfm_release_destroy(merged);
  }
  free(wanted);
  sfm_release_destroy(whole);
  sfm_schema_destroy(j.schema);
}

static void parts_are_the_whole(void **state) {
  (void)state;
  for (size_t i = 0; i < MECHANISMS; i++)
    for (int persons = 0; persons < 2; persons++) {
      if (!mechanisms[i].no_replace) check_mechanism(&mechanisms[i], false, persons);
      if (mechanisms[i].add_remove) check_mechanism(&mechanisms[i], true, persons);
    }
}

/* Random features are the same for all parts of a job, without a seed too. */
static void parts_of_a_job_have_the_same_features(void **state) {
  (void)state;
  static char text[(ROWS + 1) * LINE];
  job j = job_of(&mechanisms[5], false, false, 1);
  static const char *const names[] = {"", "", "another"};
  void *bytes[3];
  size_t sizes[3];
  j.density.context.seeded = false;
  for (size_t i = 0; i < 3; i++) {
    sfm_part part = sfm_part_default();
    sfm_partial *partial;
    part.rows = ROWS;
    part.job = names[i];
    assert_ok(partial_of(&partial, &j, &part), &error);
    sfm_rows *rows = rows_of(text, 0, 1, i);
    assert_ok(sfm_partial_add(partial, rows, &error), &error);
    sfm_rows_destroy(rows);
    partial->job[0] = '\0'; /* what differs is in the sums */
    assert_ok(sfm_partial_to_bytes(partial, &bytes[i], &sizes[i], &error), &error);
    sfm_partial_destroy(partial);
  }
  assert_true(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
  assert_true(sizes[0] != sizes[2] || memcmp(bytes[0], bytes[2], sizes[0]) != 0);
  for (size_t i = 0; i < 3; i++) sfm_partial_free_bytes(bytes[i], sizes[i]);
  sfm_schema_destroy(j.schema);
}

/* ---- refusals ---- */

/* A partial of all rows as part `number` of `of`. */
static sfm_partial *part_of(const job *j, const sfm_part *part, uint64_t of) {
  static char text[(ROWS + 1) * LINE];
  sfm_partial *partial;
  assert_ok(partial_of(&partial, j, part), &error);
  sfm_rows *rows = rows_of(text, (part->number - 1) % of, of, 0);
  assert_ok(sfm_partial_add(partial, rows, &error), &error);
  sfm_rows_destroy(rows);
  return partial;
}

static sfm_part a_part(uint64_t number, uint64_t of, uint64_t rows) {
  sfm_part part = sfm_part_default();
  part.number = number;
  part.of = of;
  part.rows = rows;
  return part;
}

static void refuses(sfm_status status, sfm_status wanted, const char *words) {
  if (status != wanted || !strstr(error.message, words))
    fail_msg("%d, not %d: %s (%s)", (int)status, (int)wanted, error.message, words);
}

/* The release with partial in place of rows. */
static sfm_status release_with(const job *j, const sfm_partial *partial) {
  sfm_release *release;
  sfm_rows *rows;
  assert_ok(sfm_rows_from_partial(&rows, partial, &error), &error);
  const sfm_status status = release_of(&release, j, rows);
  sfm_release_destroy(release);
  sfm_rows_destroy(rows);
  return status;
}

static void settings_that_differ_are_named(void **state) {
  (void)state;
  struct {
    const char *words;
    job j;
  } others[] = {{"epsilon", job_of(&mechanisms[0], false, false, 1)},
                {"seed", job_of(&mechanisms[0], false, false, 2)},
                {"columns", job_of(&mechanisms[0], false, false, 1)},
                {"contributions", job_of(&mechanisms[0], false, false, 1)},
                {"columns", job_of(&mechanisms[0], false, false, 1)},
                {"outside", job_of(&mechanisms[0], false, false, 1)},
                {"mechanism", job_of(&mechanisms[15], false, false, 1)}};
  enum { OTHERS = sizeof others / sizeof *others };
  others[0].j.density.epsilon = 2;
  others[2].j.density.bandwidth = WIDE;
  assert_ok(sfm_schema_set_contributions(others[3].j.schema, 3, &error), &error);
  sfm_schema_destroy(others[4].j.schema);
  assert_ok(sfm_schema_create(&others[4].j.schema, &error), &error);
  assert_ok(sfm_schema_set_bounds(others[4].j.schema, "x", 0, 2, &error), &error);
  others[4].j.density.context.schema = others[4].j.schema;
  others[5].j.density.outside = SFM_OUTSIDE_CLAMP;
  const job j = job_of(&mechanisms[0], false, false, 1);
  const sfm_part first = a_part(1, 2, ROWS), second = a_part(2, 2, ROWS), only = a_part(1, 1, ROWS);
  sfm_partial *partial = part_of(&j, &first, 2), *whole = part_of(&j, &only, 1);
  for (size_t i = 0; i < OTHERS; i++) {
    sfm_partial *other = part_of(&others[i].j, &second, 2);
    refuses(sfm_partial_merge(partial, other, &error), SFM_INVALID, others[i].words);
    refuses(release_with(&others[i].j, whole), SFM_INVALID, others[i].words);
    sfm_partial_destroy(other);
    sfm_schema_destroy(others[i].j.schema);
  }
  assert_int_equal(release_with(&j, whole), SFM_OK); /* as often as one likes */
  assert_int_equal(release_with(&j, whole), SFM_OK);
  sfm_partial_destroy(partial);
  sfm_partial_destroy(whole);
  sfm_schema_destroy(j.schema);
}

/* By the type of their column persons are divided among the parts: it is one of the settings. */
static void types_of_ids_are_settings(void **state) {
  (void)state;
  job text = job_of(&mechanisms[0], true, true, 1), number = job_of(&mechanisms[0], true, true, 1);
  assert_ok(sfm_schema_set_bounds(number.schema, "id", 0, 100, &error), &error);
  const sfm_part first = a_part(1, 2, 0), second = a_part(2, 2, 0);
  sfm_partial *partial = part_of(&text, &first, 1), *other = part_of(&number, &second, 1);
  refuses(sfm_partial_merge(partial, other, &error), SFM_INVALID, "ids is \"number\"");
  sfm_partial_destroy(partial);
  sfm_partial_destroy(other);
  sfm_schema_destroy(text.schema);
  sfm_schema_destroy(number.schema);
}

/* Rows that were divided in another way than by persons: some would be in no part. */
static void records_that_nobody_took_are_missed(void **state) {
  (void)state;
  const job j = job_of(&mechanisms[0], true, true, 1);
  for (int whole = 0; whole < 2; whole++) { /* of all rows each; and of rows of its own each */
    sfm_partial *all = NULL;
    for (uint64_t i = 1; i <= 3; i++) {
      const sfm_part part = a_part(i, 3, 0);
      sfm_partial *one = part_of(&j, &part, whole ? 1 : 3);
      if (all) assert_ok(sfm_partial_merge(all, one, &error), &error);
      if (all) sfm_partial_destroy(one);
      if (!all) all = one;
    }
    const sfm_status status = release_with(&j, all);
    if (whole) assert_int_equal(status, SFM_OK);
    if (!whole) refuses(status, SFM_INVALID, "records are missing");
    sfm_partial_destroy(all);
  }
  sfm_schema_destroy(j.schema);
}

static void parts_are_counted(void **state) {
  (void)state;
  const job j = job_of(&mechanisms[0], false, false, 1);
  sfm_partial *parts[4];
  uint64_t of;
  for (uint64_t i = 0; i < 3; i++) {
    const sfm_part part = a_part(i + 1, 3, ROWS);
    parts[i] = part_of(&j, &part, 3);
  }
  sfm_part odd = a_part(3, 3, ROWS);
  odd.job = "another";
  parts[3] = part_of(&j, &odd, 3);
  refuses(release_with(&j, parts[0]), SFM_INVALID, "part 2/3 is missing");
  refuses(sfm_partial_merge(parts[0], parts[0], &error), SFM_INVALID, "part 1/3 is there twice");
  refuses(sfm_partial_merge(parts[0], parts[3], &error), SFM_INVALID, "another job");
  assert_ok(sfm_partial_merge(parts[0], parts[2], &error), &error);
  assert_int_equal(sfm_partial_parts(parts[0], &of), 2);
  assert_int_equal(of, 3);
  assert_int_equal(sfm_partial_missing(parts[0]), 2);
  refuses(sfm_partial_merge(parts[0], parts[2], &error), SFM_INVALID, "part 3/3 is there twice");
  refuses(release_with(&j, parts[0]), SFM_INVALID, "part 2/3 is missing");
  assert_ok(sfm_partial_merge(parts[0], parts[1], &error), &error);
  assert_int_equal(sfm_partial_missing(parts[0]), 0);
  assert_int_equal(release_with(&j, parts[0]), SFM_OK);
  for (size_t i = 0; i < 4; i++) sfm_partial_destroy(parts[i]);
  /* Other parts than were stated, and records that are not as many. */
  const sfm_part more = a_part(1, 1, ROWS + 1);
  sfm_partial *partial = part_of(&j, &more, 1);
  refuses(release_with(&j, partial), SFM_INVALID, "part.rows");
  sfm_partial_destroy(partial);
  sfm_schema_destroy(j.schema);
}

static void what_cannot_be_a_part_is_refused(void **state) {
  (void)state;
  static char text[(ROWS + 1) * LINE];
  static const double candidates[] = {0.1, 0.2};
  job j = job_of(&mechanisms[0], false, false, 1), free_n = job_of(&mechanisms[0], true, false, 1),
      persons = job_of(&mechanisms[0], false, true, 1);
  sfm_partial *partial;
  sfm_part part = a_part(0, 3, ROWS);
  refuses(partial_of(&partial, &j, &part), SFM_INVALID, "part.number");
  part.number = 4;
  refuses(partial_of(&partial, &j, &part), SFM_INVALID, "part.number");
  part = a_part(1, 1, 0);
  refuses(partial_of(&partial, &j, &part), SFM_INVALID, "part.rows");
  part.rows = ROWS;
  refuses(partial_of(&partial, &free_n, &part), SFM_INVALID, "part.rows");
  part.size = 4;
  refuses(partial_of(&partial, &j, &part), SFM_INVALID, "sfm_part");
  part = a_part(1, 1, ROWS);
  persons.density.context.seeded = false;
  refuses(partial_of(&partial, &persons, &part), SFM_INVALID, "part.key");
  j.density.candidates = candidates;
  j.density.candidate_count = 2;
  refuses(partial_of(&partial, &j, &part), SFM_INVALID, "candidates");
  j.density.candidate_count = 0;
  sfm_charge charge = {0};
  j.density.context.charge = &charge;
  refuses(partial_of(&partial, &j, &part), SFM_INVALID, "context.charge");
  j.density.context.charge = NULL;
  j.density.epsilon = -1;
  refuses(partial_of(&partial, &j, &part), SFM_INVALID, "epsilon");
  j.density.epsilon = 1;
  assert_ok(partial_of(&partial, &j, &part), &error);
  /* Rows without the columns; rows that stand for a partial; and reading those. */
  sfm_rows *rows;
  assert_ok(sfmi_rows_open_memory(&rows, "a\n1\n", 4, 0, &error), &error);
  refuses(sfm_partial_add(partial, rows, &error), SFM_INVALID, "no column 'x'");
  sfm_rows_destroy(rows);
  assert_ok(sfm_rows_from_partial(&rows, partial, &error), &error);
  refuses(sfm_partial_add(partial, rows, &error), SFM_INVALID, "stand for a partial");
  sfm_rows_report *report;
  assert_int_not_equal(sfm_rows_check(rows, &report, j.schema, &error), SFM_OK);
  sfm_mean_settings mean = sfm_mean_settings_default();
  sfm_release *release;
  mean.context.schema = j.schema;
  mean.column = "x";
  mean.epsilon = 1;
  mean.gamma = 0.1;
  assert_int_not_equal(sfm_mean_release(&release, rows, &mean, &error), SFM_OK);
  assert_null(release);
  sfm_rows_destroy(rows);
  sfm_partial_destroy(partial);
  /* With persons once only. */
  persons.density.context.seeded = true;
  assert_ok(partial_of(&partial, &persons, &part), &error);
  rows = rows_of(text, 0, 1, 0);
  assert_ok(sfm_partial_add(partial, rows, &error), &error);
  refuses(sfm_partial_add(partial, rows, &error), SFM_INVALID, "in one call");
  sfm_rows_destroy(rows);
  sfm_partial_destroy(partial);
  sfm_schema_destroy(j.schema);
  sfm_schema_destroy(free_n.schema);
  sfm_schema_destroy(persons.schema);
}

static int make_lines(void **state) {
  sfmi_prng prng;
  (void)state;
  sfmi_prng_init(&prng, 3);
  for (size_t i = 0; i < ROWS; i++) {
    const double x = sfmi_prng_uniform(&prng), y = sfmi_prng_uniform(&prng);
    snprintf(lines[i], LINE, "p%zu,%.3f,%.3f,%c,%s,%.2f,%.2f,%.2f,%.2f", i * i % 17, x, y,
             "abcd?"[i % 5],
             i % 3   ? "flu"
             : i % 4 ? "gout"
                     : "cold",
             x, y, x * y, x - y);
  }
  snprintf(lines[7], LINE, ",0.5,0.5,a,flu,1,1,1,1"); /* of nobody */
  snprintf(lines[9], LINE, "p1,?,,b");                /* of no use */
  snprintf(lines[11], LINE, "%s", lines[10]);         /* twice */
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_are_the_whole),
      cmocka_unit_test(parts_of_a_job_have_the_same_features),
      cmocka_unit_test(settings_that_differ_are_named),
      cmocka_unit_test(types_of_ids_are_settings),
      cmocka_unit_test(records_that_nobody_took_are_missed),
      cmocka_unit_test(parts_are_counted),
      cmocka_unit_test(what_cannot_be_a_part_is_refused),
  };
  return cmocka_run_group_tests(tests, make_lines, NULL);
}
