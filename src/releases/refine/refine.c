/* refine.c - a density made better by what is public: its noise's law, and what any density is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/sized_struct.h"
#include "releases/eval/grid_density.h"
#include "projection.h"
#include "shrinkage.h"
#include "sfumato/refine.h"

void sfm_refine_settings_init(sfm_refine_settings *settings, size_t size) {
  const sfm_refine_settings defaults = {
      .shrink = true, .nonnegative = true, .normalise = true, .allow_missing = true};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

bool sfm_release_shrinks(const sfm_release *release) {
  return release->refined.shrunk || !sfmi_shrinkage_check(release, NULL);
}

/* A series' constant is public: its integral is one, wherever the records are.  (Of a refined
 * series it is not known which one it was.)  fourier-laplace and caratheodory have such a constant
 * too, on the torus.  What a marginal has summed out is whole. */
bool sfm_release_may_lack_mass(const sfm_release *release) {
  const sfmi_basis *basis = sfmi_function_of(release)->basis;
  if (!sfmi_release_is_density(release)) return false;
  if (release->method == SFMI_SERIES)
    return !basis || !sfmi_basis_family_has_constant(basis->family);
  for (size_t a = 0; a < release->dimension; a++)
    if (release->boundary[a] == SFM_BOUNDARY_OPEN) return true;
  return release->outside == SFM_OUTSIDE_DROP && !sfmi_release_counted(release) &&
         !sfmi_release_harmonic(release);
}

sfm_refinement sfm_release_refinement(const sfm_release *release) {
  const sfmi_refinement *r = &release->refined;
  return (sfm_refinement){r->shrunk, r->nonnegative, r->normalised, r->combined};
}

/* The values of a density on the grid, shrunk where that is asked for and not done yet. */
static sfm_status fill(double *values, const sfmi_places *grid, const sfm_release *release,
                       bool shrink, double total, sfm_error *error) {
  sfm_evaluator *evaluator = NULL;
  if (release->refined.done) {
    memcpy(values, release->reals, grid->count * sizeof *values);
    return sfmi_grid_density_check(values, grid->count, error);
  }
  sfm_status status = shrink ? sfmi_evaluator_create_shrunk(&evaluator, release, total, error)
                             : sfm_evaluator_create(&evaluator, release, total, error);
  if (!status) status = sfmi_grid_density_fill(values, grid, evaluator, release, error);
  sfm_evaluator_destroy(evaluator);
  return status;
}

/* What is made, and how. */
typedef struct work {
  sfm_release *made;
  const sfm_refine_settings *settings;
  sfmi_integral_condition known; /* of the integral */
  double *weights;               /* of the grid */
} work;

static bool any_open(const sfm_release *release) {
  bool open = false;
  for (size_t a = 0; a < release->dimension; a++)
    open = open || release->boundary[a] == SFM_BOUNDARY_OPEN;
  return open && !sfmi_function_of(release)->basis;
}

/* Shrinking moves mass over open bounds.  The integral of the raw curve is an unbiased number for
 * what was within them: it is kept, by a constant. */
static sfm_status keep_mass(double *values, const work *w, const sfm_release *release,
                            sfm_error *error) {
  const sfmi_places *grid = &w->made->function->places;
  double *raw = sfmi_alloc(grid->count, sizeof *raw);
  if (!raw) return sfmi_fail_memory(error);
  sfm_status status = fill(raw, grid, release, false, w->settings->total, error);
  long double missing = 0, volume = 0;
  for (size_t i = 0; i < grid->count && !status; i++) {
    missing += ((long double)raw[i] - values[i]) * w->weights[i];
    volume += w->weights[i];
  }
  for (size_t i = 0; i < grid->count && !status; i++) values[i] += (double)(missing / volume);
  free(raw);
  return status;
}

/* One density: of the release, or of its g-th group. */
static sfm_status refine_one(const work *w, const sfm_release *release, size_t g,
                             sfm_error *error) {
  const sfmi_places *grid = &w->made->function->places;
  const sfmi_refinement *done = &w->made->refined;
  double *values = w->made->reals + g * grid->count;
  sfm_status status = fill(values, grid, release, w->settings->shrink, w->settings->total, error);
  if (!status && w->settings->shrink && !release->refined.done && any_open(release))
    status = keep_mass(values, w, release, error);
  return !status ? sfmi_project(values, w->weights, grid->count, done->nonnegative, w->known, error)
                 : status;
}

/* Group by group, some at a time; one with too few records to tell stays zero. */
static sfm_status refine_groups(const work *w, const sfm_release *release, sfm_error *error) {
  enum { SOME = 64 };
  const size_t count = sfm_release_group_count(release);
  sfm_release *groups[SOME];
  size_t numbers[SOME];
  sfm_status status = SFM_OK;
  for (size_t first = 0; first < count && !status; first += SOME) {
    const size_t some = count - first < SOME ? count - first : SOME;
    for (size_t i = 0; i < some; i++) numbers[i] = first + i;
    status = sfm_release_groups(groups, release, numbers, some, error);
    for (size_t i = 0; i < some; i++) {
      if (!status && !sfmi_release_too_few(groups[i]))
        status = refine_one(w, groups[i], first + i, error);
      sfm_release_destroy(groups[i]);
    }
  }
  return status;
}

static sfm_status keep_sizes(sfm_release *made, const sfm_release *release, sfm_error *error) {
  const size_t count = sfm_release_group_count(release);
  double size;
  made->function->sizes = sfmi_alloc(count, sizeof *made->function->sizes);
  if (!made->function->sizes) return sfmi_fail_memory(error);
  for (size_t g = 0; g < count; g++) {
    sfm_release_group_size(release, &size, &made->function->size_error, g);
    made->function->sizes[g] = fmax(size, 0);
  }
  return SFM_OK;
}

static sfm_status refine_all(sfm_release *made, const sfm_release *release,
                             const sfm_refine_settings *settings, sfm_error *error) {
  const bool missing = settings->allow_missing && sfm_release_may_lack_mass(release),
             one = release->refined.normalised || (settings->normalise && !missing);
  const work w = {made, settings,
                  one                   ? SFMI_INTEGRAL_CONDITION_ONE
                  : settings->normalise ? SFMI_INTEGRAL_CONDITION_AT_MOST_ONE
                                        : SFMI_INTEGRAL_CONDITION_ANY,
                  sfmi_alloc(made->function->places.count, sizeof(double))};
  if (!w.weights) return sfmi_fail_memory(error);
  sfmi_grid_density_weights(&made->function->places, w.weights);
  made->refined.shrunk |= settings->shrink;
  made->refined.nonnegative |= settings->nonnegative;
  made->refined.normalised = one;
  sfm_status status = release->function->by.count ? keep_sizes(made, release, error) : SFM_OK;
  if (!status)
    status = release->function->by.count ? refine_groups(&w, release, error)
                                         : refine_one(&w, release, 0, error);
  free(w.weights);
  return status;
}

static sfm_status check(const sfm_release *release, const sfm_refine_settings *settings,
                        sfm_error *error) {
  if (!settings->shrink && !settings->nonnegative && !settings->normalise)
    return sfmi_fail(error, SFM_INVALID,
                     "nothing is asked for: shrink, nonnegative, normalise, or some of them");
  if (release->function->by.count && settings->total > 0)
    return sfmi_fail(
        error, SFM_INVALID,
        "a total cannot be stated for groups: each group is divided by its own noisy size");
  return settings->shrink && !release->refined.shrunk ? sfmi_shrinkage_check(release, error)
                                                      : SFM_OK;
}

sfm_status sfm_release_refine(sfm_release **out, const sfm_release *release,
                              const sfm_refine_settings *given, sfm_error *error) {
  sfm_refine_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE_PLAIN(sfm_refine_settings, &taken, given, error);
  if (status) return status;
  const sfm_refine_settings *settings = &taken;
  sfmi_places grid;
  status = sfmi_grid_density_choose(&grid, release, error);
  if (!status) status = check(release, settings, error);
  if (!status)
    status = sfmi_resources_allow(
        release,
        sfmi_resources_grid_density(
            release, grid.counts, sfmi_partition_groups(&release->function->by), settings->shrink),
        "refining it", error);
  if (!status) status = sfmi_grid_density_create(out, release, &grid, error);
  if (!status) status = refine_all(*out, release, settings, error);
  return sfmi_release_made(out, status);
}
