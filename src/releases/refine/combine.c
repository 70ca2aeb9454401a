/* combine.c - several densities of the same columns made into one, and what they promise together.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/words.h"
#include "base/system/sized_struct.h"
#include "base/math/double_double.h"
#include "releases/band/noise_variance.h"
#include "releases/eval/grid_density.h"
#include "releases/core/release_kind.h"
#include "sfumato/refine.h"

void sfm_combine_settings_init(sfm_combine_settings *settings, size_t size) {
  const sfm_combine_settings defaults = {.weights = SFM_COMBINE_WEIGHTS_NOISE};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

/* What is the same in all: otherwise their mean, or their guarantee, would mean nothing.  Releases
 * are called by their number, from 1. */
static sfm_status check_same(const sfm_release *first, const sfm_release *other, size_t number,
                             sfm_error *error) {
  const char *what = NULL;
  if (other->dimension != first->dimension) what = "other columns";
  for (size_t a = 0; !what && a < first->dimension; a++) {
    if (strcmp(first->columns[a], other->columns[a]) != 0)
      what = "other columns";
    else if (first->lower[a] != other->lower[a] || first->upper[a] != other->upper[a])
      what = "other bounds";
    else if (first->boundary[a] != other->boundary[a])
      what = "another boundary";
  }
  if (what)
    return sfmi_fail(error, SFM_INVALID,
                     "release %zu has %s than the first; only densities over the same columns, "
                     "bounds and boundaries are combined",
                     number, what);
  return SFM_OK;
}

/* Whether both were charged to a dataset of one name.  A ledger keeps one person column a dataset.
 */
static bool same_dataset(const sfm_release *a, const sfm_release *b) {
  return a->dataset && b->dataset && strcmp(a->dataset, b->dataset) == 0;
}

/* Guarantees add up only where they are about the same change of the rows: any K records, or all
 * records of one person of a column, however many of them count.  A person who has six doctors is
 * in six of their records. */
static sfm_status check_unit(const sfm_release *const *releases, size_t i, size_t j,
                             sfm_error *error) {
  const sfm_release *a = releases[i], *b = releases[j];
  const bool records = a->neighbours == b->neighbours && !a->person && !b->person && !a->enforced &&
                       !b->enforced && a->contributions == b->contributions;
  if (records) return SFM_OK;
  if (a->neighbours != b->neighbours || a->enforced != b->enforced || !a->enforced)
    return sfmi_fail(error, SFM_INVALID,
                     "release %zu protects something else than release %zu (neighbours, "
                     "contributions or persons differ): their guarantees do not add up",
                     j + 1, i + 1);
  if (a->person && b->person && strcmp(a->person, b->person) != 0)
    return sfmi_fail(error, SFM_INVALID,
                     "release %zu protects the records of a person of the column '%.64s', release "
                     "%zu those of a person of the column '%.64s': their guarantees do not add up. "
                     "Only releases with the same schema.person are combined",
                     i + 1, a->person, j + 1, b->person);
  if (a->person && b->person && a->person_ids != b->person_ids)
    return sfmi_fail(
        error, SFM_INVALID,
        "release %zu compares the ids of the column '%.64s' as %ss, release %zu as %ss: 7 and 07 "
        "may "
        "be one person in one of them and two persons in the other. Only releases with the same "
        "type of that column in the schema, and all from data frames or none, are combined",
        i + 1, a->person, sfmi_person_ids_word(a->person_ids), j + 1,
        sfmi_person_ids_word(b->person_ids));
  if ((a->person && b->person) || same_dataset(a, b)) return SFM_OK;
  return sfmi_fail(
      error, SFM_INVALID,
      "release %zu does not say which column names the persons (no file of sfumato 0.1 "
      "does): it is combined only with releases that were charged to the same dataset "
      "of a ledger. Leave it out",
      (a->person ? j : i) + 1);
}

static sfm_status check_units(const sfm_release *const *releases, size_t count, sfm_error *error) {
  for (size_t j = 1; j < count; j++)
    for (size_t i = 0; i < j; i++) {
      sfm_status status = check_unit(releases, i, j, error);
      if (status) return status;
    }
  return SFM_OK;
}

static sfm_status check(const sfm_release *const *releases, size_t count,
                        const sfm_combine_settings *settings, sfm_error *error) {
  if (count < 2)
    return sfmi_fail(error, SFM_INVALID, "at least two releases are needed, not %zu", count);
  if (settings->weights == SFM_COMBINE_WEIGHTS_OWN && !settings->own)
    return sfmi_fail(error, SFM_INVALID,
                     "settings.own is NULL: own weights are one positive number per release");
  for (size_t i = 0; i < count; i++) {
    const sfm_guarantee_kind kind = releases[i]->guarantee.kind;
    if (!sfmi_release_is_density(releases[i]))
      return sfmi_fail(error, SFM_INVALID, "release %zu is a %s, and only densities are combined",
                       i + 1, sfm_kind_name(sfm_release_kind(releases[i])));
    sfm_status status = check_same(releases[0], releases[i], i + 1, error);
    if (status) return status;
    if (releases[i]->function->by.count)
      return sfmi_fail(error, SFM_INVALID, "release %zu is by groups, which are not combined",
                       i + 1);
    if (kind != SFM_GUARANTEE_PURE && kind != SFM_GUARANTEE_GDP)
      return sfmi_fail(error, SFM_INVALID,
                       "the guarantee of release %zu is of the kind %s; only pure and gdp ones are "
                       "added up here",
                       i + 1, sfmi_known(sfm_guarantee_kind_name(kind)));
    if (!(sfmi_release_total(releases[i]) > 0))
      return sfmi_fail(error, SFM_INVALID,
                       "the noisy number of records of release %zu is %.6g, and its density cannot "
                       "be divided by it: leave it out",
                       i + 1, sfmi_release_total(releases[i]));
    if (releases[i]->refined.done && settings->weights == SFM_COMBINE_WEIGHTS_NOISE)
      return sfmi_fail(error, SFM_INVALID,
                       "release %zu is refined, and how much noise is left in it is not known: "
                       "combine first and refine afterwards, or state the weight of each release "
                       "(settings.weights)",
                       i + 1);
  }
  return check_units(releases, count, error);
}

/* The finest of the grids of all. */
static sfm_status choose_grid(sfmi_places *grid, const sfm_release *const *releases, size_t count,
                              sfm_error *error) {
  sfm_status status = sfmi_grid_density_choose(grid, releases[0], error);
  for (size_t i = 1; i < count && !status; i++) {
    sfmi_places own;
    status = sfmi_grid_density_choose(&own, releases[i], error);
    for (size_t a = 0; a < grid->dimension; a++)
      if (own.counts[a] > grid->counts[a]) grid->counts[a] = own.counts[a];
  }
  /* Grids of files can be long along different columns: together they may be too many points. */
  grid->count = 1;
  for (size_t a = 0; a < grid->dimension && !status; a++) {
    if (grid->counts[a] > SFMI_RELEASE_MAX / grid->count)
      status = sfmi_fail(error, SFM_INVALID,
                         "the grids of these releases together have more than the %zu points that "
                         "a release can have",
                         SFMI_RELEASE_MAX);
    grid->count *= grid->counts[a];
  }
  return status;
}

/* Records of a release, noisy where their number is private. */
static sfm_status records(double *out, const sfm_release *release, size_t number,
                          sfm_error *error) {
  *out = release->has_rows ? (double)release->rows : sfmi_release_total(release);
  if (release->refined.done && !release->has_rows)
    return sfmi_fail(error, SFM_INVALID,
                     "release %zu is refined, and its noisy number of records is not kept: combine "
                     "first and refine afterwards",
                     number);
  return SFM_OK;
}

/* energies[i]: the noise of each, NaN where that is not known. */
static sfm_status weigh(double *shares, double *energies, const sfm_release *const *releases,
                        size_t count, const sfm_combine_settings *settings, sfm_error *error) {
  double largest = 0, sum = 0;
  for (size_t i = 0; i < count; i++) {
    sfm_status status = SFM_OK;
    energies[i] = NAN;
    if (!releases[i]->refined.done)
      status = sfmi_integrated_noise_variance(&energies[i], releases[i], error);
    if (!status && settings->weights == SFM_COMBINE_WEIGHTS_NOISE)
      shares[i] = 1 / energies[i];
    else if (!status && settings->weights == SFM_COMBINE_WEIGHTS_RECORDS)
      status = records(&shares[i], releases[i], i + 1, error);
    else if (!status)
      shares[i] = settings->own[i];
    if (status) return status;
    if (!(shares[i] > 0) || !isfinite(shares[i]))
      return sfmi_fail(error, SFM_INVALID,
                       "the weight of release %zu is %.6g; weights are finite and above zero",
                       i + 1, shares[i]);
    largest = fmax(largest, shares[i]);
  }
  /* The largest has weight one, so that the sum does not overflow. */
  for (size_t i = 0; i < count; i++) sum += shares[i] /= largest;
  for (size_t i = 0; i < count; i++) shares[i] /= sum;
  return SFM_OK;
}

static sfm_status add_up(double *values, const sfmi_places *grid, const double *shares,
                         const sfm_release *const *releases, size_t count, sfm_error *error) {
  double *one = sfmi_alloc(grid->count, sizeof *one);
  sfm_status status = one ? SFM_OK : sfmi_fail_memory(error);
  for (size_t i = 0; i < count && !status; i++) {
    sfm_evaluator *evaluator = NULL;
    status = sfm_evaluator_create(&evaluator, releases[i], 0, error);
    if (!status) status = sfmi_grid_density_fill(one, grid, evaluator, releases[i], error);
    for (size_t k = 0; k < grid->count && !status; k++) values[k] += shares[i] * one[k];
    sfm_evaluator_destroy(evaluator);
  }
  free(one);
  return status;
}

/* Upwards, where a sum was rounded at all. */
static double sum_above(double a, double b) {
  const sfmi_dd sum = sfmi_dd_two_sum(a, b);
  return sum.lo > 0 ? nextafter(sum.hi, INFINITY) : sum.hi;
}

/* Four roundings are a part in 2^50 at most. */
static double hypot_above(double a, double b) {
  return a == 0 ? b : b == 0 ? a : hypot(a, b) * (1 + 0x1p-50);
}

/* What some of the releases promise together, or, disjoint, the weakest of them. */
typedef struct promise {
  double epsilon; /* of the pure ones */
  double mu;      /* of the Gaussian ones */
  double delta;   /* the largest stated */
} promise;

static void add_promise(promise *sum, const sfm_guarantee *one, bool disjoint) {
  sum->delta = fmax(sum->delta, one->delta);
  if (one->kind == SFM_GUARANTEE_PURE)
    sum->epsilon =
        disjoint ? fmax(sum->epsilon, one->epsilon) : sum_above(sum->epsilon, one->epsilon);
  else
    sum->mu = disjoint ? fmax(sum->mu, one->mu) : hypot_above(sum->mu, one->mu);
}

/* The mu of all, pure ones too. */
static sfm_status mu_of_all(double *mu, const sfm_release *const *releases, size_t count,
                            bool disjoint, sfm_error *error) {
  *mu = 0;
  for (size_t i = 0; i < count; i++) {
    sfm_guarantee one;
    sfm_status status =
        sfm_guarantee_convert(&one, &releases[i]->guarantee, SFM_GUARANTEE_GDP, error);
    if (status) return status;
    *mu = disjoint ? fmax(*mu, one.mu) : hypot_above(*mu, one.mu);
  }
  return SFM_OK;
}

/* The least epsilon of mu at delta. */
static sfm_status epsilon_of(double *epsilon, double mu, double delta, sfm_error *error) {
  const sfm_guarantee normal = {.kind = SFM_GUARANTEE_GDP, .mu = mu};
  return sfm_guarantee_epsilon(epsilon, &normal, delta, error);
}

/* Pure ones stay pure.  Among Gaussian ones the epsilon at the largest delta is the lesser of that
 * of all as Gaussian ones, and of the pure ones as they are beside it. */
static sfm_status compose(sfm_guarantee *total, const sfm_release *const *releases, size_t count,
                          bool disjoint, sfm_error *error) {
  promise sum = {0};
  double normal = 0, mu = 0, all = 0;
  for (size_t i = 0; i < count; i++) add_promise(&sum, &releases[i]->guarantee, disjoint);
  *total = (sfm_guarantee){.kind = SFM_GUARANTEE_PURE, .epsilon = sum.epsilon};
  if (sum.mu == 0) return SFM_OK;
  sfm_status status = mu_of_all(&mu, releases, count, disjoint, error);
  if (!status) status = epsilon_of(&normal, sum.mu, sum.delta, error);
  if (!status) status = epsilon_of(&all, mu, sum.delta, error);
  /* One of them, alone: what it says. */
  for (size_t i = 0; i < count; i++) {
    const sfm_guarantee *g = &releases[i]->guarantee;
    if (g->kind == SFM_GUARANTEE_GDP && g->mu == sum.mu && g->delta == sum.delta)
      normal = fmin(normal, g->epsilon);
  }
  const double beside = disjoint ? fmax(sum.epsilon, normal) : sum_above(sum.epsilon, normal);
  *total = (sfm_guarantee){
      .kind = SFM_GUARANTEE_GDP, .epsilon = fmin(beside, all), .delta = sum.delta, .mu = mu};
  return status;
}

/* Whether the promise of one of them holds only where nobody is in two of its own parts; a file
 * that does not say so may. */
static bool assumes(const sfm_release *const *releases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const sfmi_refinement *r = &releases[i]->refined;
    if (r->combined && (r->parts == 0 || r->disjoint || r->parts_disjoint)) return true;
  }
  return false;
}

/* Of one unit: of a person no more records count than in any of them.  The column is named where
 * all of them name it. */
static void merge_unit(sfm_release *made, const sfm_release *const *releases, size_t count) {
  for (size_t i = 0; i < count && made->enforced; i++) {
    const sfm_release *one = releases[i];
    if (one->contributions > made->contributions) made->contributions = one->contributions;
    if (one->person) continue;
    free(made->person);
    made->person = NULL;
    made->person_ids = SFMI_IDS_TEXT;
  }
}

/* Noise of the mean, as the root of its mean square over the bounds; 0 where it is not known. */
static double noise_scale(const sfm_release *made, const double *shares, const double *energies,
                          size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += shares[i] * shares[i] * energies[i];
  for (size_t a = 0; a < made->dimension; a++) sum /= made->upper[a] - made->lower[a];
  return isfinite(sum) ? sqrt(sum) : 0;
}

/* All but values, guarantee and noise. */
static void merge(sfm_release *made, const sfm_release *const *releases, size_t count,
                  bool disjoint) {
  made->refined = (sfmi_refinement){.done = true,
                                    .combined = true,
                                    .parts = count,
                                    .disjoint = disjoint,
                                    .parts_disjoint = assumes(releases, count)};
  made->rows = 0;
  for (size_t i = 0; i < count; i++) {
    const sfm_release *one = releases[i];
    made->rows = one->rows > INT64_MAX - made->rows ? INT64_MAX : made->rows + one->rows;
    made->hardened = made->hardened && one->hardened;
    made->is_private = made->is_private && one->is_private;
    if (one->outside == SFM_OUTSIDE_DROP) made->outside = SFM_OUTSIDE_DROP;
    for (size_t a = 0; a < made->dimension; a++)
      if (one->function->bandwidth[a] > 0)
        made->function->bandwidth[a] =
            fmin(made->function->bandwidth[a], one->function->bandwidth[a]);
  }
  if (!made->hardened) made->step = 0;
  free(made->function->choice.candidates);
  made->function->choice = (sfmi_bandwidth_choice){0};
  free(made->dataset);
  free(made->request);
  made->dataset = made->request = NULL;
  made->law = SFM_NOISE_LAW_COMBINED;
  made->summed = 1;
  made->factor = 1;
  made->sensitivity = 0;
  merge_unit(made, releases, count);
}

static sfm_status combine(sfm_release *made, double *shares, const sfm_release *const *releases,
                          size_t count, const sfm_combine_settings *settings, sfm_error *error) {
  double *energies = sfmi_alloc(count, sizeof *energies);
  sfm_status status = energies ? SFM_OK : sfmi_fail_memory(error);
  if (!status) status = weigh(shares, energies, releases, count, settings, error);
  if (!status) status = compose(&made->guarantee, releases, count, settings->disjoint, error);
  if (!status) {
    merge(made, releases, count, settings->disjoint);
    made->scale = noise_scale(made, shares, energies, count);
    if (!sfmi_release_write_sentence(made)) status = sfmi_fail_memory(error);
  }
  if (!status)
    status = add_up(made->reals, &made->function->places, shares, releases, count, error);
  free(energies);
  return status;
}

sfm_status sfm_release_combine(sfm_release **out, double *shares,
                               const sfm_release *const *releases, size_t count,
                               const sfm_combine_settings *given, sfm_error *error) {
  sfm_combine_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE_PLAIN(sfm_combine_settings, &taken, given, error);
  if (status) return status;
  const sfm_combine_settings *settings = &taken;
  sfmi_places grid;
  double *own = sfmi_alloc(count, sizeof *own);
  status = own ? check(releases, count, settings, error) : sfmi_fail_memory(error);
  if (!status) status = choose_grid(&grid, releases, count, error);
  if (!status) status = sfmi_grid_density_create(out, releases[0], &grid, error);
  if (!status) status = combine(*out, own, releases, count, settings, error);
  if (!status && shares) memcpy(shares, own, count * sizeof *shares);
  free(own);
  return sfmi_release_made(out, status);
}
