#include "mechanisms/frozen.h"

#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/secret.h"
#include "estimators/masses.h"
#include "fields/dyadic.h"
#include "fields/extension.h"
#include "planner/vigil.h"
#include "random/idealised.h"
#include "random/keyed.h"
#include "releases/pointband.h"
#include "releases/steady.h"

/* The first word of a state: its bytes are in this order. */
#define STATE_MARK UINT64_C(0x0001736673313030)

/* Then the sums follow. */
typedef struct state_head {
  uint64_t mark;
  uint64_t length; /* of the sums */
  double unit;
  uint8_t key[SFMI_FROZEN_KEY];
} state_head;

/* Records of a session with sums, at most: twice as many would do (masses.c). */
static const uint64_t ROWS_MOST = UINT64_C(1) << 35;
/* A normal number that was drawn is smaller: beyond it are 1e-892 of them. */
static const double NORMAL_MOST = 64;
/* Noise in units of 2^-SFMI_MASSES_BITS. */
static const double NOISE_MOST = 0x1p126;
/* Beyond a few roundings of a product of three. */
static const double UNIT_OFF = 1e-12;

/* Answers that were restored and that the engine has not seen yet. */
typedef struct backlog {
  double *points, *latents;
  size_t count, room;
} backlog;

struct sfmi_frozen {
  sfm_release *facts;
  char *text; /* of the facts */
  sfm_evaluator *evaluator;
  /* Not spectral. */
  sfmi_masses masses;
  sfmi_i128 *sums;
  sfmi_mixture *mixture;
  double unit;
  uint8_t key[SFMI_FROZEN_KEY];
  sfmi_dyadic *dyadic;
  sfmi_extension *extension;
  sfmi_stream *stream;
  backlog backlog;
};

size_t sfmi_frozen_most(const sfmi_frozen *frozen) {
  return frozen->facts->engine == SFM_ENGINE_GRAM ? SFMI_VIGIL_GRAM : SIZE_MAX;
}

sfm_status sfmi_frozen_save(uint8_t **state, size_t *length, const sfmi_process *process,
                            const sfmi_i128 *sums, double unit, const uint8_t key[SFMI_FROZEN_KEY],
                            sfm_error *error) {
  const size_t sums_length = process->masses.lattice.length, size = sums_length * sizeof *sums;
  state_head head = {.mark = STATE_MARK, .length = sums_length, .unit = unit};
  memcpy(head.key, key, sizeof head.key);
  *length = sizeof head + size;
  *state = malloc(*length);
  if (*state) {
    memcpy(*state, &head, sizeof head);
    memcpy(*state + sizeof head, sums, size);
  }
  explicit_bzero(&head, sizeof head);
  return *state ? SFM_OK : sfmi_fail_memory(error);
}

static void drop(double **numbers, size_t count) {
  if (*numbers) explicit_bzero(*numbers, count * sizeof **numbers);
  free(*numbers);
  *numbers = NULL;
}

static void backlog_clear(backlog *b) {
  free(b->points);
  drop(&b->latents, b->room);
  *b = (backlog){0};
}

static void node_normals(void *context, uint64_t node, double *normals, size_t count) {
  const sfmi_frozen *frozen = context;
  sfmi_keyed_normals(frozen->key, node, normals, count);
}

/* The engine, with nothing drawn. */
static sfm_status start_engine(sfmi_frozen *frozen, sfm_error *error) {
  const sfm_release *facts = frozen->facts;
  const sfm_kernel kernel = sfmi_release_kernel(facts);
  if (facts->engine == SFM_ENGINE_MARKOV)
    return sfmi_dyadic_create(&frozen->dyadic, &kernel, facts->lower[0], facts->upper[0],
                              facts->nugget, node_normals, frozen, error);
  sfm_status status = sfmi_extension_create(&frozen->extension, &kernel, facts->nugget, error);
  if (!status) status = sfmi_stream_create(&frozen->stream, error);
  return status;
}

/* A domain and bandwidths that a lattice can be laid over: every quotient below is a number. */
static bool has_lattice(const sfm_release *facts, const sfm_kernel *kernel) {
  if (facts->dimension < 1 || facts->dimension > SFMI_MASSES_DIMENSIONS ||
      kernel->dimension != facts->dimension)
    return false;
  for (size_t a = 0; a < facts->dimension; a++) {
    const double width = facts->upper[a] - facts->lower[a];
    if (!(width > 0) || !isfinite(width) || facts->boundary[a] != SFM_OPEN) return false;
    if (kernel->bandwidth && !(isnormal(kernel->bandwidth[a]) && kernel->bandwidth[a] > 0 &&
                               isfinite(1 / kernel->bandwidth[a])))
      return false;
  }
  return true;
}

/* Whether a session can have such facts. */
static bool possible(const sfm_release *facts) {
  if (!facts->density || facts->method != SFMI_GP || facts->refined.done) return false;
  if (facts->engine == SFM_ENGINE_SPECTRAL) return true;
  const sfm_kernel kernel = sfmi_release_kernel(facts);
  const bool markov = facts->engine == SFM_ENGINE_MARKOV && sfmi_kernel_markov(&kernel);
  return facts->has_rows && facts->rows <= ROWS_MOST && kernel.family < SFM_KERNEL_OWN &&
         (facts->engine == SFM_ENGINE_GRAM || markov) && has_lattice(facts, &kernel);
}

/* Sums that records can have: a record's weights are at least 0, and sum to one or, rounded, to
 * less than two.  So no value that is computed from them leaves 127 bits (masses.c). */
static bool sums_fit(const sfmi_frozen *frozen) {
  const sfmi_lattice *lattice = &frozen->masses.lattice;
  const sfmi_i128 most = (sfmi_i128)frozen->facts->rows << (lattice->bits * lattice->dimension + 1);
  sfmi_i128 total = 0;
  for (size_t k = 0; k < lattice->length; k++) {
    if (frozen->sums[k] < 0 || frozen->sums[k] > most - total) return false;
    total += frozen->sums[k];
  }
  return true;
}

/* What a record is of a density: 1/(rows x the kernel's integral). */
static bool unit_fits(const sfmi_frozen *frozen) {
  const sfm_kernel kernel = sfmi_release_kernel(frozen->facts);
  const double mass = sfmi_kernel_stationary(kernel.family) ? sfmi_kernel_mass(&kernel) : 1;
  return fabs(frozen->unit * sfmi_release_total(frozen->facts) * mass - 1) <= UNIT_OFF;
}

static sfm_status fail_impossible(const char *name, sfm_error *error) {
  return sfmi_fail(error, SFM_FORMAT,
                   "the session %.300s is damaged: it holds numbers that no session has; put back "
                   "its newest good copy",
                   name);
}

/* Masses and key of a state that belongs to the facts. */
static sfm_status read_state(sfmi_frozen *frozen, const uint8_t *state, size_t length,
                             const char *name, sfm_error *error) {
  const sfm_release *facts = frozen->facts;
  const sfm_kernel kernel = sfmi_release_kernel(facts);
  state_head head = {0};
  sfm_status status = sfmi_masses_init(&frozen->masses, &kernel, facts->lower, facts->upper, error);
  if (status) return status;
  const size_t sums_length = frozen->masses.lattice.length,
               size = sums_length * sizeof *frozen->sums;
  if (length >= sizeof head) memcpy(&head, state, sizeof head);
  if (head.mark != STATE_MARK || head.length != sums_length || length != sizeof head + size ||
      !(head.unit > 0))
    status = sfmi_fail(error, SFM_FORMAT,
                       "the session %.300s was made by another version of sfumato, or on another "
                       "kind of machine: ask it there",
                       name);
  if (!status) {
    memcpy(frozen->key, head.key, sizeof frozen->key);
    frozen->unit = head.unit;
    frozen->sums = sfmi_secret_alloc(sums_length, sizeof *frozen->sums);
    if (frozen->sums) memcpy(frozen->sums, state + sizeof head, size);
    if (!frozen->sums) status = sfmi_fail_memory(error);
  }
  if (!status && !(unit_fits(frozen) && sums_fit(frozen))) status = fail_impossible(name, error);
  if (!status) status = sfmi_mixture_create(&frozen->mixture, &frozen->masses, frozen->sums, error);
  explicit_bzero(&head, sizeof head);
  return status;
}

sfm_status sfmi_frozen_load(sfmi_frozen **out, const char *facts, const uint8_t *state,
                            size_t length, const char *name, sfm_error *error) {
  *out = NULL;
  /* The fastest ChaCha20 there is, for normals by key. */
  if (sodium_init() < 0) return sfmi_fail(error, SFM_INTERNAL, "libsodium cannot start");
  sfmi_frozen *frozen = sfmi_secret_alloc(1, sizeof *frozen);
  if (!frozen) return sfmi_fail_memory(error);
  frozen->text = sfmi_copy_string(facts);
  sfm_status status = frozen->text
                          ? sfm_release_parse(&frozen->facts, facts, strlen(facts), name, error)
                          : sfmi_fail_memory(error);
  if (!status && frozen->facts->method == SFMI_MACHINE_INTERACTIVE)
    status =
        sfmi_fail(error, SFM_FORMAT,
                  "the session %.300s is an interactive one: ask it with `sfumato interact`", name);
  if (!status && !possible(frozen->facts))
    status =
        sfmi_fail(error, SFM_FORMAT, "the session %.300s is of a kind that there is not", name);
  if (!status && sfmi_frozen_stored(frozen)) {
    status = read_state(frozen, state, length, name, error);
    if (!status) status = start_engine(frozen, error);
  }
  if (status) {
    sfmi_frozen_destroy(frozen);
    return status;
  }
  *out = frozen;
  return SFM_OK;
}

void sfmi_frozen_destroy(sfmi_frozen *frozen) {
  if (!frozen) return;
  sfm_evaluator_destroy(frozen->evaluator);
  sfmi_dyadic_destroy(frozen->dyadic);
  sfmi_extension_destroy(frozen->extension);
  sfmi_stream_destroy(frozen->stream);
  backlog_clear(&frozen->backlog);
  sfmi_mixture_destroy(frozen->mixture);
  sfmi_secret_free(frozen->sums);
  sfm_release_destroy(frozen->facts);
  free(frozen->text);
  sfmi_secret_free(frozen);
}

const sfm_release *sfmi_frozen_facts(const sfmi_frozen *frozen) {
  return frozen->facts;
}

bool sfmi_frozen_stored(const sfmi_frozen *frozen) {
  return frozen->facts->engine != SFM_ENGINE_SPECTRAL;
}

bool sfmi_frozen_single(const sfmi_frozen *frozen) {
  return frozen->facts->engine == SFM_ENGINE_GRAM;
}

size_t sfmi_frozen_latents(const sfmi_frozen *frozen) {
  return frozen->extension ? 1 : 0;
}

double sfmi_frozen_unit(const sfmi_frozen *frozen) {
  return frozen->unit;
}

/* Under add/remove the noisy total may be nothing to divide by: then there is no density, but there
 * is a release, which can be evaluated with a public number of records. */
sfm_status sfmi_frozen_evaluate(sfmi_frozen *frozen, double *densities, const double *points,
                                size_t count, sfm_error *error) {
  const double total = sfmi_release_total(frozen->facts);
  sfm_status status = SFM_OK;
  if (!(total > 0))
    status = sfmi_fail(error, SFM_INVALID,
                       "the noisy total of this session is %.6g, which nothing can be divided by; "
                       "write its transcript, and evaluate that with a public number of records "
                       "(--total N)",
                       total);
  else if (!frozen->evaluator)
    status = sfm_evaluator_create(&frozen->evaluator, frozen->facts, 0, error);
  if (!status) sfmi_evaluator_steady(frozen->evaluator, densities, points, count);
  return status;
}

/* ---- drawing ---- */

/* How many answers there were. */
static size_t given(const sfmi_frozen *frozen) {
  return sfmi_extension_count(frozen->extension) + frozen->backlog.count;
}

/* Lets the engine see what was restored. */
static sfm_status take_backlog(sfmi_frozen *frozen, sfm_error *error) {
  backlog *b = &frozen->backlog;
  if (b->count == 0) return SFM_OK;
  sfm_status status = SFM_OK;
  if (sfmi_extension_count(frozen->extension) == 0) {
    status = sfmi_extension_load(frozen->extension, b->points, b->latents, b->count, error);
  } else {
    double *path = sfmi_alloc(b->count, sizeof *path);
    status =
        path ? sfmi_extension_add(frozen->extension, path, b->points, b->latents, b->count, error)
             : sfmi_fail_memory(error);
    drop(&path, b->count);
  }
  if (!status) backlog_clear(b);
  return status;
}

/* Fresh normals; of a seeded session those of the answer's number, so that it can be repeated. */
static void draw_normals(sfmi_frozen *frozen, double *normals, size_t count) {
  if (frozen->facts->is_private) {
    sfmi_idealised_normal(frozen->stream, normals, count);
    return;
  }
  const size_t first = given(frozen);
  for (size_t i = 0; i < count; i++) sfmi_keyed_normals(frozen->key, first + i, &normals[i], 1);
}

/* markov: the dyadic point within the bounds that a point stands for.  Noise and function are both
 * taken there, so that no two values share their noise and differ in the function. */
static double place_of(const sfmi_frozen *frozen, double x) {
  const double lower = frozen->facts->lower[0], upper = frozen->facts->upper[0];
  double place = sfmi_dyadic_round(frozen->dyadic, x);
  /* A bound may be rounded outwards; then the next one inside is less than two steps away. */
  for (double step = lower - place; place < lower; step *= 2)
    place = sfmi_dyadic_round(frozen->dyadic, lower + step);
  for (double step = place - upper; place > upper; step *= 2)
    place = sfmi_dyadic_round(frozen->dyadic, upper - step);
  return place;
}

/* The noise at the points, in units of sigma, and the places where it is. */
static sfm_status draw_path(sfmi_frozen *frozen, double *path, double *latents, double *places,
                            const double *points, size_t count, sfm_error *error) {
  if (frozen->dyadic) {
    for (size_t i = 0; i < count; i++) places[i] = place_of(frozen, points[i]);
    return sfmi_dyadic_at(frozen->dyadic, path, places, count, error);
  }
  memcpy(places, points, count * frozen->facts->dimension * sizeof *places);
  sfm_status status = take_backlog(frozen, error);
  if (status) return status;
  draw_normals(frozen, latents, count);
  return sfmi_extension_add(frozen->extension, path, points, latents, count, error);
}

sfm_status sfmi_frozen_draw(sfmi_frozen *frozen, double *values, double *latents,
                            const double *points, size_t count, sfm_error *error) {
  const double scale = frozen->facts->scale;
  double *path = sfmi_alloc(count, sizeof *path);
  double *places = sfmi_alloc(count * frozen->facts->dimension, sizeof *places);
  sfmi_i128 *sums = sfmi_alloc(count, sizeof *sums);
  sfm_status status = path && places && sums
                          ? draw_path(frozen, path, latents, places, points, count, error)
                          : sfmi_fail_memory(error);
  if (!status) {
    sfmi_mixture_at(frozen->mixture, sums, places, count);
    for (size_t i = 0; i < count && !status; i++) {
      const double units = rint(ldexp(scale * path[i], SFMI_MASSES_BITS));
      /* Noise that was drawn is far below: the sum is exact. */
      if (!(fabs(units) < NOISE_MOST))
        status = sfmi_fail(error, SFM_FORMAT,
                           "the session's noise is beyond what can be drawn: its file is damaged");
      else
        values[i] = ldexp((double)(sums[i] + (sfmi_i128)units), -SFMI_MASSES_BITS);
    }
  }
  drop(&path, count);
  if (sums) explicit_bzero(sums, count * sizeof *sums);
  free(sums);
  free(places);
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
static bool latents_fit(const sfmi_frozen *frozen, const double *latents, size_t count) {
  if (count > sfmi_frozen_most(frozen) - given(frozen)) return false;
  for (size_t i = 0; i < count; i++)
    if (!(fabs(latents[i]) <= NORMAL_MOST)) return false;
  return true;
}

sfm_status sfmi_frozen_restore(sfmi_frozen *frozen, const double *points, const double *latents,
                               size_t count, sfm_error *error) {
  const size_t d = frozen->facts->dimension;
  backlog *b = &frozen->backlog;
  if (!frozen->extension) return SFM_OK; /* markov: it follows from the key */
  if (!latents_fit(frozen, latents, count))
    return sfmi_fail(error, SFM_FORMAT, "these are no answers of a session");
  if (!backlog_reserve(b, count, d)) return sfmi_fail_memory(error);
  memcpy(b->points + b->count * d, points, count * d * sizeof *points);
  memcpy(b->latents + b->count, latents, count * sizeof *latents);
  b->count += count;
  return SFM_OK;
}

void sfmi_frozen_forget(sfmi_frozen *frozen, size_t count) {
  if (frozen->extension && count < sfmi_extension_count(frozen->extension))
    sfmi_extension_truncate(frozen->extension, count);
}

double sfmi_frozen_work(const sfmi_frozen *frozen) {
  if (!sfmi_frozen_stored(frozen)) return (double)frozen->facts->length;
  const double masses = sfmi_masses_work(&frozen->masses, 1);
  if (!frozen->extension) return masses + 16.0 * SFMI_DYADIC_DEPTH;
  const double n = (double)given(frozen);
  return masses + n * (n + 1) / 2 + n + 1;
}

double sfmi_frozen_bytes(const sfmi_frozen *frozen) {
  const double file = (double)((frozen->facts->dimension + 1) * sizeof(double));
  if (!sfmi_frozen_stored(frozen)) return 0;
  return frozen->extension ? file + (double)((given(frozen) + 3) * sizeof(double)) : file;
}

/* ---- what is left in the end ---- */

sfm_status sfmi_frozen_transcript(const sfmi_frozen *frozen, sfm_release **out,
                                  const double *points, const double *values, size_t count,
                                  sfm_error *error) {
  const size_t d = frozen->facts->dimension;
  sfm_release *release = NULL;
  sfm_status status =
      sfm_release_parse(&release, frozen->text, strlen(frozen->text), "the session", error);
  *out = NULL;
  if (!status && sfmi_frozen_stored(frozen)) {
    free(release->points);
    free(release->reals);
    release->points = sfmi_alloc(count * d, sizeof *points);
    release->reals = sfmi_alloc(count, sizeof *values);
    if (release->points && release->reals) {
      memcpy(release->points, points, count * d * sizeof *points);
      memcpy(release->reals, values, count * sizeof *values);
      release->length = release->places.count = count;
      release->places.points = release->points;
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
