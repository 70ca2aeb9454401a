#include "online_function.h"

#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/arena.h"
#include "base/system/secret_memory.h"
#include "estimators/lattice/kernel_sum.h"
#include "fields/dyadic_path.h"
#include "fields/sequential_field.h"
#include "planner/density/design_online.h"
#include "random/idealised_draws.h"
#include "random/keyed_normals.h"
#include "releases/band/band.h"
#include "releases/eval/evaluator.h"
#include "session_state.h"

static const sfmi_state_kind KIND = {.mark = UINT64_C(0x656e696c6e6f), /* "online" */
                                     .version = 2,
                                     .mark_0_1 = UINT64_C(0x0001736673313030)};

/* THE FIELDS OF A STATE, versions 1 and 2.
 *
 *   1    how many sums: a word
 *   2    unit: a word
 *   3    key: 32 bytes
 *   4-   the sums, two words each, low word first */
typedef struct state_head {
  uint64_t length;
  double unit;
  uint8_t key[SFMI_ONLINE_FUNCTION_KEY];
} state_head;

/* Records of a session with sums, at most: twice as many would do (kernel_sum.c). */
static const uint64_t ROWS_MOST = UINT64_C(1) << 35;
/* A normal number that was drawn is smaller: beyond it are 1e-892 of them. */
static const double NORMAL_MOST = 64;
/* Noise in units of 2^-SFMI_KERNEL_SUM_BITS. */
static const double NOISE_MOST = 0x1p126;
/* Beyond a few roundings of a product of three. */
static const double UNIT_OFF = 1e-12;

/* Answers that were restored and that the engine has not seen yet. */
typedef struct backlog {
  double *points, *latents;
  size_t count, room;
} backlog;

struct sfmi_online_function {
  sfm_release *facts;
  char *text; /* of the facts */
  sfm_evaluator *evaluator;
  /* Not spectral. */
  sfmi_kernel_sum masses;
  sfmi_i128 *sums;
  sfmi_kernel_evaluator *kernel_evaluator;
  double unit;
  uint8_t key[SFMI_ONLINE_FUNCTION_KEY];
  sfmi_dyadic *dyadic;
  sfmi_sequential_field *sequential;
  sfmi_stream *stream;
  backlog backlog;
};

size_t sfmi_online_function_most(const sfmi_online_function *function) {
  return function->facts->function->engine == SFM_ENGINE_GRAM ? SFMI_DESIGN_ONLINE_GRAM : SIZE_MAX;
}

static void code_head(sfmi_byte_codec *codec, state_head *head) {
  sfmi_byte_codec_u64(codec, &head->length);
  sfmi_byte_codec_f64(codec, &head->unit);
  sfmi_byte_codec_bytes(codec, head->key, sizeof head->key);
}

sfm_status sfmi_online_function_save(uint8_t **state, size_t *length, const sfmi_process *process,
                                     const sfmi_i128 *sums, double unit,
                                     const uint8_t key[SFMI_ONLINE_FUNCTION_KEY],
                                     sfm_error *error) {
  sfmi_byte_codec codec;
  state_head head = {.length = process->masses.lattice.length, .unit = unit};
  memcpy(head.key, key, sizeof head.key);
  sfmi_state_begin(&codec, &KIND);
  code_head(&codec, &head);
  for (size_t k = 0; k < head.length; k++) sfmi_byte_codec_i128(&codec, &(sfmi_i128){sums[k]});
  explicit_bzero(&head, sizeof head);
  return sfmi_state_end(state, length, &codec, error);
}

static void backlog_clear(backlog *b) {
  free(b->points);
  sfmi_wipe_free(b->latents, b->room, sizeof *b->latents);
  *b = (backlog){0};
}

static void node_normals(void *context, uint64_t node, double *normals, size_t count) {
  const sfmi_online_function *function = context;
  sfmi_keyed_normals(function->key, node, normals, count);
}

/* The engine, with nothing drawn. */
static sfm_status start_engine(sfmi_online_function *function, sfm_error *error) {
  const sfm_release *facts = function->facts;
  const sfm_kernel kernel = sfmi_release_kernel(facts);
  if (facts->function->engine == SFM_ENGINE_MARKOV)
    return sfmi_dyadic_create(&function->dyadic, &kernel, facts->lower[0], facts->upper[0],
                              facts->function->nugget, node_normals, function, error);
  sfm_status status =
      sfmi_sequential_field_create(&function->sequential, &kernel, facts->function->nugget, error);
  if (!status) status = sfmi_stream_create(&function->stream, error);
  return status;
}

/* A domain and bandwidths that a lattice can be laid over: every quotient below is a number. */
static bool has_lattice(const sfm_release *facts, const sfm_kernel *kernel) {
  if (facts->dimension < 1 || facts->dimension > SFMI_KERNEL_SUM_DIMENSIONS ||
      kernel->dimension != facts->dimension)
    return false;
  for (size_t a = 0; a < facts->dimension; a++) {
    const double width = facts->upper[a] - facts->lower[a];
    if (!(width > 0) || !isfinite(width) || facts->boundary[a] != SFM_BOUNDARY_OPEN) return false;
    if (kernel->bandwidth && !(isnormal(kernel->bandwidth[a]) && kernel->bandwidth[a] > 0 &&
                               isfinite(1 / kernel->bandwidth[a])))
      return false;
  }
  return true;
}

/* Whether a session can have such facts. */
static bool possible(const sfm_release *facts) {
  if (!sfmi_release_is_density(facts) || facts->method != SFMI_GP || facts->refined.done)
    return false;
  if (facts->function->engine == SFM_ENGINE_SPECTRAL) return true;
  const sfm_kernel kernel = sfmi_release_kernel(facts);
  const bool markov = facts->function->engine == SFM_ENGINE_MARKOV && sfmi_kernel_markov(&kernel);
  return facts->has_rows && facts->rows <= ROWS_MOST && kernel.family < SFM_KERNEL_OWN &&
         (facts->function->engine == SFM_ENGINE_GRAM || markov) && has_lattice(facts, &kernel);
}

/* Sums that records can have: a record's weights are at least 0, and sum to one or, rounded, to
 * less than two.  So no value that is computed from them leaves 127 bits (kernel_sum.c). */
static bool sums_fit(const sfmi_online_function *function) {
  const sfmi_lattice *lattice = &function->masses.lattice;
  const sfmi_i128 most = (sfmi_i128)function->facts->rows
                         << (lattice->bits * lattice->dimension + 1);
  sfmi_i128 total = 0;
  for (size_t k = 0; k < lattice->length; k++) {
    if (function->sums[k] < 0 || function->sums[k] > most - total) return false;
    total += function->sums[k];
  }
  return true;
}

/* What a record is of a density: 1/(rows x the kernel's integral). */
static bool unit_fits(const sfmi_online_function *function) {
  const sfm_kernel kernel = sfmi_release_kernel(function->facts);
  const double mass = sfmi_kernel_stationary(kernel.family) ? sfmi_kernel_mass(&kernel) : 1;
  return fabs(function->unit * sfmi_release_total(function->facts) * mass - 1) <= UNIT_OFF;
}

/* Masses and key of a state that belongs to the facts. */
static sfm_status read_state(sfmi_online_function *function, const uint8_t *state, size_t length,
                             const char *name, sfm_error *error) {
  const sfm_release *facts = function->facts;
  const sfm_kernel kernel = sfmi_release_kernel(facts);
  sfmi_byte_codec codec;
  state_head head = {0};
  sfm_status status =
      sfmi_kernel_sum_init(&function->masses, &kernel, facts->lower, facts->upper, error);
  if (!status) status = sfmi_state_open(&codec, &KIND, state, length, name, error);
  if (status) return status;
  const size_t sums_length = function->masses.lattice.length;
  code_head(&codec, &head);
  if (codec.failed || head.length != sums_length || !(head.unit > 0) ||
      sfmi_byte_codec_left(&codec) != sums_length * sizeof *function->sums)
    status = sfmi_state_fail_impossible(name, error);
  if (!status) {
    memcpy(function->key, head.key, sizeof function->key);
    function->unit = head.unit;
    function->sums = sfmi_secret_alloc(sums_length, sizeof *function->sums);
    if (!function->sums) status = sfmi_fail_memory(error);
    for (size_t k = 0; !status && k < sums_length; k++)
      sfmi_byte_codec_i128(&codec, &function->sums[k]);
  }
  if (!status && !(unit_fits(function) && sums_fit(function)))
    status = sfmi_state_fail_impossible(name, error);
  if (!status)
    status = sfmi_kernel_evaluator_create(&function->kernel_evaluator, &function->masses,
                                          function->sums, error);
  explicit_bzero(&head, sizeof head);
  return status;
}

sfm_status sfmi_online_function_load(sfmi_online_function **out, const char *facts,
                                     const uint8_t *state, size_t length, const char *name,
                                     sfm_error *error) {
  *out = NULL;
  /* The fastest ChaCha20 there is, for normals by key. */
  if (sodium_init() < 0) return sfmi_fail(error, SFM_INTERNAL, "libsodium cannot start");
  sfmi_online_function *function = sfmi_secret_alloc(1, sizeof *function);
  if (!function) return sfmi_fail_memory(error);
  function->text = sfmi_copy_string(facts);
  sfm_status status = function->text
                          ? sfm_release_parse(&function->facts, facts, strlen(facts), name, error)
                          : sfmi_fail_memory(error);
  if (!status && function->facts->method == SFMI_MACHINE_INTERACTIVE)
    status =
        sfmi_fail(error, SFM_FORMAT,
                  "the session %.300s is an interactive one: ask it with sfm_interact_ask", name);
  if (!status && !possible(function->facts))
    status = sfmi_fail(error, SFM_FORMAT, "the session %.300s is of an unknown kind", name);
  if (!status && sfmi_online_function_stored(function)) {
    status = read_state(function, state, length, name, error);
    if (!status) status = start_engine(function, error);
  }
  if (!status)
    *out = function;
  else
    sfmi_online_function_destroy(function);
  return status;
}

void sfmi_online_function_destroy(sfmi_online_function *function) {
  if (!function) return;
  sfm_evaluator_destroy(function->evaluator);
  sfmi_dyadic_destroy(function->dyadic);
  sfmi_sequential_field_destroy(function->sequential);
  sfmi_stream_destroy(function->stream);
  backlog_clear(&function->backlog);
  sfmi_kernel_evaluator_destroy(function->kernel_evaluator);
  sfmi_secret_free(function->sums);
  sfm_release_destroy(function->facts);
  free(function->text);
  sfmi_secret_free(function);
}

const sfm_release *sfmi_online_function_facts(const sfmi_online_function *function) {
  return function->facts;
}

bool sfmi_online_function_stored(const sfmi_online_function *function) {
  return function->facts->function->engine != SFM_ENGINE_SPECTRAL;
}

bool sfmi_online_function_single(const sfmi_online_function *function) {
  return function->facts->function->engine == SFM_ENGINE_GRAM;
}

size_t sfmi_online_function_latents(const sfmi_online_function *function) {
  return function->sequential ? 1 : 0;
}

double sfmi_online_function_unit(const sfmi_online_function *function) {
  return function->unit;
}

/* Under add/remove the noisy total may be nothing to divide by: then there is no density, but there
 * is a release, which can be evaluated with a public number of records. */
sfm_status sfmi_online_function_evaluate(sfmi_online_function *function, double *densities,
                                         const double *points, size_t count, sfm_error *error) {
  const double total = sfmi_release_total(function->facts);
  sfm_status status = SFM_OK;
  if (!(total > 0))
    status = sfmi_fail(error, SFM_INVALID,
                       "the noisy total of this session is %.6g, which nothing can be divided by; "
                       "write its transcript, and evaluate that with a public number of records",
                       total);
  else if (!function->evaluator)
    status = sfm_evaluator_create(&function->evaluator, function->facts, 0, error);
  if (!status) sfmi_evaluator_at_reproducible(function->evaluator, densities, points, count);
  return status;
}

/* ---- drawing ---- */

/* How many answers there were. */
static size_t given(const sfmi_online_function *function) {
  return sfmi_sequential_field_count(function->sequential) + function->backlog.count;
}

/* Lets the engine see what was restored. */
static sfm_status take_backlog(sfmi_online_function *function, sfm_error *error) {
  backlog *b = &function->backlog;
  if (b->count == 0) return SFM_OK;
  sfm_status status = SFM_OK;
  if (sfmi_sequential_field_count(function->sequential) == 0) {
    status =
        sfmi_sequential_field_load(function->sequential, b->points, b->latents, b->count, error);
  } else {
    double *path = sfmi_alloc(b->count, sizeof *path);
    status = path ? sfmi_sequential_field_add(function->sequential, path, b->points, b->latents,
                                              b->count, error)
                  : sfmi_fail_memory(error);
    sfmi_wipe_free(path, b->count, sizeof *path);
  }
  if (!status) backlog_clear(b);
  return status;
}

/* Fresh normals; of a seeded session those of the answer's number, so that it can be repeated. */
static void draw_normals(sfmi_online_function *function, double *normals, size_t count) {
  if (function->facts->is_private) {
    sfmi_idealised_normal(function->stream, normals, count);
    return;
  }
  const size_t first = given(function);
  for (size_t i = 0; i < count; i++) sfmi_keyed_normals(function->key, first + i, &normals[i], 1);
}

/* markov: the dyadic point within the bounds that a point stands for.  Noise and function are both
 * taken there, so that no two values share their noise and differ in the function. */
static double place_of(const sfmi_online_function *function, double x) {
  const double lower = function->facts->lower[0], upper = function->facts->upper[0];
  double place = sfmi_dyadic_round(function->dyadic, x);
  /* A bound may be rounded outwards; then the next one inside is less than two steps away. */
  for (double step = lower - place; place < lower; step *= 2)
    place = sfmi_dyadic_round(function->dyadic, lower + step);
  for (double step = place - upper; place > upper; step *= 2)
    place = sfmi_dyadic_round(function->dyadic, upper - step);
  return place;
}

/* The noise at the points, in units of sigma, and the places where it is. */
static sfm_status draw_path(sfmi_online_function *function, double *path, double *latents,
                            double *places, const double *points, size_t count, sfm_error *error) {
  if (function->dyadic) {
    for (size_t i = 0; i < count; i++) places[i] = place_of(function, points[i]);
    return sfmi_dyadic_at(function->dyadic, path, places, count, error);
  }
  memcpy(places, points, count * function->facts->dimension * sizeof *places);
  sfm_status status = take_backlog(function, error);
  if (status) return status;
  draw_normals(function, latents, count);
  return sfmi_sequential_field_add(function->sequential, path, points, latents, count, error);
}

sfm_status sfmi_online_function_draw(sfmi_online_function *function, double *values,
                                     double *latents, const double *points, size_t count,
                                     sfm_error *error) {
  const double scale = function->facts->scale;
  sfmi_arena arena = {0};
  double *path = sfmi_arena_doubles(&arena, count);
  double *places = sfmi_arena_doubles(&arena, count * function->facts->dimension);
  sfmi_i128 *sums = sfmi_arena_get(&arena, count, sizeof *sums);
  sfm_status status = arena.failed
                          ? sfmi_fail_memory(error)
                          : draw_path(function, path, latents, places, points, count, error);
  if (!status) {
    sfmi_kernel_evaluator_at(function->kernel_evaluator, sums, places, count);
    for (size_t i = 0; i < count && !status; i++) {
      const double units = rint(ldexp(scale * path[i], SFMI_KERNEL_SUM_BITS));
      /* Noise that was drawn is far below: the sum is exact. */
      if (!(fabs(units) < NOISE_MOST))
        status = sfmi_fail(error, SFM_FORMAT,
                           "the session's noise is beyond what can be drawn: its file is damaged");
      else
        values[i] = ldexp((double)(sums[i] + (sfmi_i128)units), -SFMI_KERNEL_SUM_BITS);
    }
  }
  sfmi_arena_wipe(&arena);
  return status;
}

/* Room for so many more. */
static bool backlog_reserve(backlog *b, size_t more, size_t dimension) {
  if (b->count + more <= b->room) return true;
  const size_t room = 2 * b->room > b->count + more ? 2 * b->room : b->count + more;
  double *points = sfmi_alloc(room * dimension, sizeof *points);
  double *latents = sfmi_alloc(room, sizeof *latents);
  if (!points || !latents) {
    free(points);
    free(latents);
    return false;
  }
  const size_t count = b->count;
  if (count) memcpy(points, b->points, count * dimension * sizeof *points);
  if (count) memcpy(latents, b->latents, count * sizeof *latents);
  backlog_clear(b);
  *b = (backlog){.points = points, .latents = latents, .count = count, .room = room};
  return true;
}

/* Latents are normal draws, and there are not more than a session gives. */
static bool latents_fit(const sfmi_online_function *function, const double *latents, size_t count) {
  if (count > sfmi_online_function_most(function) - given(function)) return false;
  for (size_t i = 0; i < count; i++)
    if (!(fabs(latents[i]) <= NORMAL_MOST)) return false;
  return true;
}

sfm_status sfmi_online_function_restore(sfmi_online_function *function, const double *points,
                                        const double *latents, size_t count, sfm_error *error) {
  const size_t d = function->facts->dimension;
  backlog *b = &function->backlog;
  if (!function->sequential) return SFM_OK; /* markov: it follows from the key */
  if (!latents_fit(function, latents, count))
    return sfmi_fail(error, SFM_FORMAT, "these are not answers of a session");
  if (!backlog_reserve(b, count, d)) return sfmi_fail_memory(error);
  memcpy(b->points + b->count * d, points, count * d * sizeof *points);
  memcpy(b->latents + b->count, latents, count * sizeof *latents);
  b->count += count;
  return SFM_OK;
}

void sfmi_online_function_forget(sfmi_online_function *function, size_t count) {
  if (function->sequential && count < sfmi_sequential_field_count(function->sequential))
    sfmi_sequential_field_truncate(function->sequential, count);
}

double sfmi_online_function_work(const sfmi_online_function *function) {
  if (!sfmi_online_function_stored(function)) return (double)function->facts->length;
  const double masses = sfmi_kernel_sum_work(&function->masses, 1);
  if (!function->sequential) return masses + 16.0 * SFMI_DYADIC_DEPTH;
  const double n = (double)given(function);
  return masses + n * (n + 1) / 2 + n + 1;
}

double sfmi_online_function_bytes(const sfmi_online_function *function) {
  const double file = (double)((function->facts->dimension + 1) * sizeof(double));
  if (!sfmi_online_function_stored(function)) return 0;
  return function->sequential ? file + (double)((given(function) + 3) * sizeof(double)) : file;
}

/* ---- what is left in the end ---- */

sfm_status sfmi_online_function_transcript(const sfmi_online_function *function, sfm_release **out,
                                           const double *points, const double *values, size_t count,
                                           sfm_error *error) {
  const size_t d = function->facts->dimension;
  sfm_release *release = NULL;
  sfm_status status =
      sfm_release_parse(&release, function->text, strlen(function->text), "the session", error);
  *out = NULL;
  if (!status && sfmi_online_function_stored(function)) {
    free(release->function->points);
    free(release->reals);
    release->function->points = sfmi_alloc(count * d, sizeof *points);
    release->reals = sfmi_alloc(count, sizeof *values);
    if (release->function->points && release->reals) {
      memcpy(release->function->points, points, count * d * sizeof *points);
      memcpy(release->reals, values, count * sizeof *values);
      release->length = release->function->places.count = count;
      release->function->places.points = release->function->points;
      status = sfmi_band_places(&release->band, release, release->band.confidence, 0, NULL, error);
    } else {
      status = sfmi_fail_memory(error);
    }
  }
  if (status)
    sfm_release_destroy(release);
  else
    *out = release;
  return status;
}
