#include "session_audit.h"

#include <unistd.h>

#include "gp_audit.h"
#include "covariance.h"
#include "hardened_audit.h"
#include "estimators/lattice/kernel_sum.h"
#include "mechanisms/functions/density_integers.h"
#include "planner/density/gaussian_process.h"
#include "random/idealised_draws.h"
#include "random/keyed_normals.h"
#include "releases/core/release_data.h"
#include "sfumato/online.h"

enum { ROWS = 3 };

/* --- The function. --- */

static void node_normals(void *context, uint64_t node, double *normals, size_t count) {
  const session_audit *p = context;
  sfmi_keyed_normals(p->key, node, normals, count);
}

static void make_extension(session_audit *p) {
  sfm_error error;
  sfmi_sequential_field_destroy(p->extension);
  assert_ok(sfmi_sequential_field_create(&p->extension, &p->kernel, p->nugget, &error), &error);
}

static void fill_key(unsigned char *key, sfmi_stream *stream) {
  for (size_t i = 0; i < SFMI_STREAM_KEY_BYTES; i += sizeof(uint64_t)) {
    const uint64_t word = sfmi_stream_word(stream);
    memcpy(key + i, &word, sizeof word);
  }
}

/* A function that nobody has asked yet. */
static void make_function(session_audit *p) {
  if (p->dyadic) {
    if (p->stream) fill_key(p->key, p->stream); /* else that of a seeded session */
    sfmi_dyadic_forget(p->dyadic);
    return;
  }
  make_extension(p);
  p->count = 0;
}

/* Only what a file holds is left of it: the key, or normals in the order of the answers. */
static void restore_function(session_audit *p) {
  sfm_error error;
  if (p->dyadic) {
    sfmi_dyadic_forget(p->dyadic);
    return;
  }
  make_extension(p);
  assert_ok(sfmi_sequential_field_load(p->extension, p->points, p->normals, p->count, &error),
            &error);
}

/* Where the process is drawn when a place is asked for. */
static void place_at(const session_audit *p, size_t place, double *x) {
  sfmi_places_at(&p->places, place, x);
  if (p->dyadic) *x = sfmi_dyadic_round(p->dyadic, *x);
}

/* WRONG: each value given those before, without a nugget, its variance clipped at zero. */
static double clipped_path(session_audit *p, const double *x) {
  double factor[SESSION_AUDIT_ANSWERS][SESSION_AUDIT_ANSWERS] = {{0}}, sum = 0;
  for (size_t i = 0; i <= p->count; i++)
    for (size_t j = 0; j <= i; j++) {
      const double *a = i < p->count ? p->points + i * p->kernel.dimension : x;
      const double *b = j < p->count ? p->points + j * p->kernel.dimension : x;
      double rest = sfm_kernel_at(&p->kernel, a, b);
      for (size_t k = 0; k < j; k++) rest -= factor[i][k] * factor[j][k];
      if (i == j)
        factor[i][i] = rest > 0 ? sqrt(rest) : 0;
      else
        factor[i][j] = factor[j][j] > 0 ? rest / factor[j][j] : 0;
    }
  for (size_t j = 0; j <= p->count; j++) sum += factor[p->count][j] * p->normals[j];
  return sum;
}

/* The noise at a new place, in units of the scale. */
static double draw_path(session_audit *p, size_t place) {
  sfm_error error;
  double x[SFM_MAX_DIMENSION], path;
  place_at(p, place, x);
  if (p->dyadic) {
    assert_ok(sfmi_dyadic_at(p->dyadic, &path, x, 1, &error), &error);
    return path;
  }
  memcpy(p->points + p->count * p->kernel.dimension, x, p->kernel.dimension * sizeof *x);
  if (p->stream)
    sfmi_idealised_normal(p->stream, &p->normals[p->count], 1);
  else /* as a seeded session does */
    sfmi_keyed_normals(p->key, p->count, &p->normals[p->count], 1);
  if (p->twin == SESSION_AUDIT_CLIPPED)
    path = clipped_path(p, x);
  else
    assert_ok(sfmi_sequential_field_add(p->extension, &path, x, &p->normals[p->count], 1, &error),
              &error);
  p->count++;
  return path;
}

/* --- The session. --- */

void session_audit_begin(session_audit *p) {
  make_function(p);
  p->answered = 0;
  p->copy = 0;
}

void session_audit_reopen(session_audit *p) {
  if (p->twin != SESSION_AUDIT_REDRAWN) {
    restore_function(p);
    return;
  }
  make_function(p); /* WRONG */
  p->copy = 1;
}

double session_audit_ask(session_audit *p, int input, size_t place) {
  for (size_t i = 0; i < p->answered; i++)
    if (p->answers[i].place == place && p->answers[i].copy == p->copy) return p->answers[i].value;
  const sfmi_i128 noise =
      (sfmi_i128)rint(ldexp(p->scale * draw_path(p, place), SFMI_KERNEL_SUM_BITS));
  const sfmi_i128 exact = p->twin == SESSION_AUDIT_PRINTED     ? 0
                          : p->twin == SESSION_AUDIT_UNROUNDED ? p->unrounded[input][place]
                                                               : p->integers[input][place];
  const double value = ldexp((double)(exact + noise), -SFMI_KERNEL_SUM_BITS);
  assert_true(p->answered < SESSION_AUDIT_ANSWERS);
  p->answers[p->answered++] = (struct session_audit_answer){place, p->copy, value};
  return value;
}

/* --- The attack. --- */

/* What everything answered says about the inputs: v' C^-1 (y - v0 - v/2). */
static double ratio_of(const session_audit *p) {
  const size_t n = p->answered;
  double covariance[SESSION_AUDIT_ANSWERS * SESSION_AUDIT_ANSWERS], weights[SESSION_AUDIT_ANSWERS],
      sum = 0;
  for (size_t i = 0; i < n; i++) {
    const struct session_audit_answer *a = &p->answers[i];
    weights[i] = p->values[1][a->place] - p->values[0][a->place];
    for (size_t j = 0; j < n; j++) {
      const struct session_audit_answer *b = &p->answers[j];
      covariance[i * n + j] =
          a->copy == b->copy ? p->covariance[a->place * SESSION_AUDIT_PLACES + b->place] : 0;
    }
  }
  covariance_factor(covariance, n);
  covariance_solve(covariance, weights, n);
  for (size_t i = 0; i < n; i++) {
    const size_t place = p->answers[i].place;
    sum += weights[i] * (p->answers[i].value - (p->values[0][place] + p->values[1][place]) / 2);
  }
  return sum;
}

/* The mean of all answers at a place, or NaN. */
static double mean_at(const session_audit *p, size_t place) {
  double sum = 0, count = 0;
  for (size_t i = 0; i < p->answered; i++)
    if (p->answers[i].place == place) {
      sum += p->answers[i].value;
      count++;
    }
  return sum / count;
}

/* Whether the answers so far, each for itself, speak for input 1. */
static bool leaning(const session_audit *p) {
  double sum = 0;
  for (size_t i = 0; i < p->answered; i++) {
    const double *v[2] = {&p->values[0][p->answers[i].place], &p->values[1][p->answers[i].place]};
    sum += (*v[1] - *v[0]) * (p->answers[i].value - (*v[0] + *v[1]) / 2);
  }
  return sum > 0;
}

/* Asks on about the row that the answers speak for. */
static void question(session_audit *p, int input, size_t asked[2]) {
  const size_t half = p->places.count / 2;
  const size_t side = leaning(p);
  if (asked[side] < half) session_audit_ask(p, input, side * half + asked[side]++);
}

/* The copy is as the file was before the first question, and is asked the same. */
static void ask_copy(session_audit *p, int input) {
  const size_t answered = p->answered;
  p->count = 0;
  restore_function(p);
  p->copy = 1;
  for (size_t i = 0; i < answered; i++) session_audit_ask(p, input, p->answers[i].place);
}

void session_audit_draw(void *context, int input, double *scores) {
  session_audit *p = context;
  const size_t half = p->places.count / 2;
  size_t asked[2] = {1, 1};
  session_audit_begin(p);
  session_audit_ask(p, input, 0);
  session_audit_ask(p, input, half);
  for (int i = 0; i < 2; i++) question(p, input, asked);
  session_audit_reopen(p);
  const double again = session_audit_ask(p, input, 0);
  session_audit_ask(p, input, half);
  for (int i = 0; i < 3; i++) question(p, input, asked);
  if (p->twin == SESSION_AUDIT_COPIED) ask_copy(p, input);
  scores[SESSION_AUDIT_RATIO] = ratio_of(p);
  scores[SESSION_AUDIT_AGAIN] = p->answers[0].value - again;
  scores[SESSION_AUDIT_PAIR] = mean_at(p, p->hair[0]) - mean_at(p, p->hair[1]);
  scores[SESSION_AUDIT_ENDS] = mean_at(p, 0) - mean_at(p, half);
  scores[SESSION_AUDIT_SUM] = 0;
  for (size_t i = 0; i < p->answered; i++) scores[SESSION_AUDIT_SUM] += p->answers[i].value;
  scores[SESSION_AUDIT_COURSE] = (double)asked[1] - (double)asked[0];
  scores[SESSION_AUDIT_BITS] = (double)((int64_t)ldexp(again, SFMI_KERNEL_SUM_BITS) & 255);
}

/* --- What sessions in files say. --- */

/* Asks one place after another, the session opened again at half of them, and the first once more.
 */
static sfm_release *play_file(const char *path, const sfmi_places *places) {
  sfm_error error;
  sfm_online *session = NULL;
  sfm_release *release = NULL;
  double value, first = 0;
  for (size_t i = 0; i <= places->count; i++) {
    if (i == 0 || i == places->count / 2) {
      sfm_online_close(session);
      assert_ok(sfm_online_open(&session, path, &error), &error);
    }
    const double *point = places->points + i % places->count * places->dimension;
    assert_ok(sfm_online_ask(session, &value, point, 1, &error), &error);
    if (i == 0) first = value;
  }
  assert_memory_equal(&first, &value, sizeof value);
  assert_ok(sfm_online_transcript(session, &release, &error), &error);
  assert_ok(sfm_online_wipe(session, &error), &error);
  sfm_online_close(session);
  return release;
}

static sfm_release *play_session(const density_fixture *t, const double *rows,
                                 const sfmi_places *places) {
  sfm_error error;
  sfm_rows *array = NULL;
  char folder[] = "/tmp/sfumato-audit-XXXXXX", path[64], anchor[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/s.sfs", folder);
  snprintf(anchor, sizeof anchor, "%s/anchor", folder);
  assert_ok(sfm_rows_from_array(&array, rows, ROWS, t->settings.dimension, density_fixture_columns,
                                &error),
            &error);
  assert_ok(sfm_online_create(path, array, &t->settings,
                              t->settings.engine == SFM_ENGINE_GRAM ? anchor : NULL, &error),
            &error);
  sfm_rows_destroy(array);
  sfm_release *release = play_file(path, places);
  unlink(anchor);
  assert_int_equal(rmdir(folder), 0);
  return release;
}

static void take_values(session_audit *p, const density_fixture *t, const double *rows, int input) {
  sfm_error error;
  sfm_rows *array = NULL;
  sfmi_design_density *design = calloc(1, sizeof *design);
  sfmi_i128 *sums = NULL;
  double rounded[SESSION_AUDIT_PLACES * SFM_MAX_DIMENSION];
  sfmi_places where = p->places;
  assert_non_null(design);
  where.points = rounded;
  for (size_t i = 0; i < p->places.count; i++) place_at(p, i, rounded + i * p->places.dimension);
  assert_ok(sfmi_design_density_init(design, &t->settings, ROWS, &error), &error);
  assert_ok(sfm_rows_from_array(&array, rows, ROWS, t->settings.dimension, density_fixture_columns,
                                &error),
            &error);
  assert_ok(sfmi_process_sums(&sums, &design->process, array, &t->settings, &error), &error);
  assert_ok(sfmi_process_values(&p->integers[input], &design->process, &where, sums, &error),
            &error);
  assert_ok(sfmi_process_values(&p->unrounded[input], &design->process, &p->places, sums, &error),
            &error);
  sfmi_process_wipe(&sums, &design->process);
  sfm_rows_destroy(array);
  free(design);
  for (size_t i = 0; i < p->places.count; i++)
    p->values[input][i] = ldexp((double)p->integers[input][i], -SFMI_KERNEL_SUM_BITS);
}

/* All that the session says in public, and its function with nothing drawn. */
static void take_public(session_audit *p, const sfm_release *release, const sfmi_places *places) {
  sfm_error error;
  *p = (session_audit){
      .places = *places,
      .kernel = {.family = release->function->kernel, .dimension = release->dimension},
      .scale = release->scale,
      .nugget = release->function->nugget};
  memcpy(p->bandwidth, release->function->bandwidth, sizeof p->bandwidth);
  p->kernel.bandwidth = p->bandwidth;
  if (release->function->engine == SFM_ENGINE_MARKOV)
    assert_ok(sfmi_dyadic_create(&p->dyadic, &p->kernel, release->lower[0], release->upper[0],
                                 p->nugget, node_normals, p, &error),
              &error);
}

/* A seeded session in a file says what is played under its key. */
static void check_session(session_audit *p, sfm_release *release, uint64_t seed, int input) {
  sfm_error error;
  sfmi_stream *stream = NULL;
  assert_ok(sfmi_stream_create_seeded(&stream, seed, &error), &error);
  fill_key(p->key, stream);
  sfmi_stream_destroy(stream);
  session_audit_begin(p);
  assert_int_equal(release->length, p->places.count);
  for (size_t i = 0; i < p->places.count; i++) {
    if (i == p->places.count / 2) session_audit_reopen(p);
    const double value = session_audit_ask(p, input, i);
    assert_memory_equal(&release->reals[i], &value, sizeof value);
  }
  sfm_release_destroy(release);
}

static void set_covariance(session_audit *p) {
  for (size_t i = 0; i < p->places.count; i++)
    for (size_t j = 0; j < p->places.count; j++) {
      double x[SFM_MAX_DIMENSION], y[SFM_MAX_DIMENSION];
      place_at(p, i, x);
      place_at(p, j, y);
      const bool same = memcmp(x, y, p->places.dimension * sizeof *x) == 0;
      p->covariance[i * SESSION_AUDIT_PLACES + j] =
          p->scale * p->scale * (sfm_kernel_at(&p->kernel, x, y) + (same ? p->nugget : 0));
    }
}

static void init(session_audit *p, const density_fixture *t, const double *const rows[2],
                 const sfmi_places *places) {
  sfm_error error;
  for (int k = 0; k < 2; k++) {
    sfm_release *release = play_session(t, rows[k], places);
    if (k == 0) take_public(p, release, places);
    take_values(p, t, rows[k], k);
    check_session(p, release, t->settings.context.seed, k);
  }
  set_covariance(p);
  assert_ok(test_long() ? sfmi_stream_create(&p->stream, &error)
                        : sfmi_stream_create_seeded(&p->stream, 1, &error),
            &error);
}

void session_audit_init(session_audit *p, sfm_engine engine, sfm_kernel_family kernel,
                        session_audit_list list) {
  static const double home[] = {0, 4, 4}, moved[] = {8, 4, 4}, corner[] = {0, 0, 4, 4, 4, 4},
                      across[] = {8, 8, 4, 4, 4, 4};
  static const double line[] = {0, 0.5, 0.5 + 0x1p-43, 0x1p-30,     1,
                                8, 7.5, 7.5 + 0x1p-43, 8 - 0x1p-30, 7};
  static const double square[] = {0, 0, 0.5, 0, 0.5, 1e-9,     1e-9, 0,        1, 1,
                                  8, 8, 7.5, 8, 7.5, 8 - 1e-9, 8,    8 - 1e-9, 7, 7};
  static const double smooth[] = {0.5, 0.5 + 1e-9, 0, 1, 0.25, 7.5, 7.5 + 1e-9, 8, 7, 7.75};
  static const double *const lists[] = {line, square, smooth};
  const bool flat = list != SESSION_AUDIT_SQUARE;
  density_fixture t = gp_audit_line(engine, kernel, flat ? 1 : 2);
  const sfmi_places places = {
      .dimension = t.settings.dimension, .count = SESSION_AUDIT_PLACES, .points = lists[list]};
  gp_audit_at(&t, places.points, places.count * places.dimension);
  t.settings.bandwidth = t.bandwidth;
  t.settings.method = SFM_DENSITY_GP;
  t.settings.context.seeded = true;
  t.settings.context.seed = 1;
  init(p, &t, (const double *[]){flat ? home : corner, flat ? moved : across}, &places);
  p->hair[0] = list == SESSION_AUDIT_SMOOTH ? 0 : 1;
  p->hair[1] = p->hair[0] + 1;
  density_fixture_clear(&t);
}

size_t session_audit_transcripts(void) {
  return (size_t)1 << (test_long() ? 20 : 15);
}

audit_mechanism session_audit_mechanism(const char *name, session_audit *p) {
  return (audit_mechanism){name, session_audit_draw, p, SESSION_AUDIT_SCORES, 2, 0.1};
}

void session_audit_clear(session_audit *p) {
  for (int k = 0; k < 2; k++) {
    free(p->integers[k]);
    free(p->unrounded[k]);
  }
  sfmi_dyadic_destroy(p->dyadic);
  sfmi_sequential_field_destroy(p->extension);
  sfmi_stream_destroy(p->stream);
}
