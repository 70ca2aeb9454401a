/* release.c - what is public of a release, read off it (sfumato/release.h). */
#include <math.h>

#include "release_data.h"
#include "release_kind.h"

sfm_kind sfm_release_kind(const sfm_release *release) {
  return release->kind->kind;
}

const char *sfm_release_method(const sfm_release *release) {
  return sfmi_method_name(release->method);
}

bool sfm_release_hardened(const sfm_release *release) {
  return release->hardened;
}

bool sfm_release_private(const sfm_release *release) {
  return release->is_private;
}

sfm_guarantee sfm_release_guarantee(const sfm_release *release) {
  return release->guarantee;
}

const char *sfm_release_sentence(const sfm_release *release) {
  return release->sentence;
}

const char *sfm_release_dataset(const sfm_release *release) {
  return release->dataset;
}

const char *sfm_release_request(const sfm_release *release) {
  return release->request;
}

sfm_neighbours sfm_release_neighbours(const sfm_release *release) {
  return release->neighbours;
}

const char *sfm_release_person(const sfm_release *release) {
  return release->person;
}

size_t sfm_release_dimension(const sfm_release *release) {
  return release->dimension;
}

const char *sfm_release_column(const sfm_release *release, size_t i) {
  return i < release->dimension ? release->columns[i] : NULL;
}

void sfm_release_bounds(const sfm_release *release, double *lower, double *upper, size_t i) {
  *lower = i < release->dimension ? release->lower[i] : NAN;
  *upper = i < release->dimension ? release->upper[i] : NAN;
}

double sfm_release_bandwidth(const sfm_release *release, size_t i) {
  return i < release->dimension ? sfmi_function_of(release)->bandwidth[i] : NAN;
}

sfm_boundary sfm_release_boundary(const sfm_release *release, size_t i) {
  return i < release->dimension ? release->boundary[i] : SFM_BOUNDARY_OPEN;
}

double sfm_release_size(const sfm_release *release) {
  const sfmi_function_body *f = sfmi_function_of(release);
  const size_t groups = f->sizes ? sfmi_partition_groups(&f->by) : 0;
  double sum = 0;
  if (!release->refined.done) return sfmi_release_total(release);
  for (size_t g = 0; g < groups; g++) sum += f->sizes[g];
  return f->sizes ? sum : release->has_rows ? (double)release->rows : NAN;
}

bool sfm_release_refined(const sfm_release *release) {
  return release->refined.done;
}

double sfm_release_gamma(const sfm_release *release, size_t i) {
  const bool stated = release->method == SFMI_SOBOLEV && !release->refined.done;
  return stated && i < release->dimension ? sfmi_function_of(release)->gamma[i] : NAN;
}

sfm_engine sfm_release_engine(const sfm_release *release) {
  return sfmi_function_of(release)->engine;
}

sfm_kernel_family sfm_release_kernel(const sfm_release *release) {
  return sfmi_function_of(release)->kernel;
}

bool sfm_release_place(const sfm_release *release, double *point, size_t i) {
  if (!sfmi_release_placed(release) || i >= release->length) return false;
  sfmi_places_at(&sfmi_function_of(release)->places, i, point);
  return true;
}

size_t sfm_release_measured(const sfm_release *release, const double **points) {
  const sfmi_basis *basis = sfmi_function_of(release)->basis;
  const bool curves = basis && basis->family == SFMI_SPAN;
  *points = curves ? basis->points : NULL;
  return curves ? basis->nodes : 0;
}

bool sfm_release_grid(const sfm_release *release, size_t *counts) {
  const sfmi_places *places = &sfmi_function_of(release)->places;
  if (!sfmi_release_placed(release) || places->points) return false;
  for (size_t a = 0; counts && a < release->dimension; a++) counts[a] = places->counts[a];
  return true;
}

size_t sfm_release_length(const sfm_release *release) {
  return release->length;
}

double sfm_release_coefficient(const sfm_release *release, size_t i) {
  if (i >= release->length) return NAN;
  return release->integers ? (double)release->integers[i] * release->step * release->factor
                           : release->reals[i];
}

bool sfm_release_integer(const sfm_release *release, int64_t *integer, size_t i) {
  if (!release->integers || i >= release->length) return false;
  *integer = release->integers[i];
  return true;
}

sfm_band sfm_release_band(const sfm_release *release) {
  return release->band;
}

double sfm_release_range(const sfm_release *release) {
  return release->range;
}

size_t sfm_release_by_count(const sfm_release *release) {
  return sfmi_function_of(release)->by.count;
}

size_t sfm_release_group_count(const sfm_release *release) {
  const sfmi_partition *by = &sfmi_function_of(release)->by;
  return by->count ? sfmi_partition_groups(by) : 0;
}

const char *sfm_release_by(const sfm_release *release, size_t i) {
  const sfmi_partition *by = &sfmi_function_of(release)->by;
  return i < by->count ? by->columns[i] : NULL;
}

/* The category of column i in group g, the last column fastest. */
static size_t category(const sfmi_partition *by, size_t g, size_t i) {
  for (size_t k = by->count - 1; k > i; k--) g /= by->sizes[k];
  return g % by->sizes[i];
}

const char *sfm_release_group_label(const sfm_release *release, size_t g, size_t i) {
  const sfmi_partition *by = &sfmi_function_of(release)->by;
  if (i >= by->count || g >= sfmi_partition_groups(by)) return NULL;
  return by->labels[i][category(by, g, i)];
}

uint32_t sfm_release_contributions(const sfm_release *release) {
  return release->contributions;
}

bool sfm_release_contributions_enforced(const sfm_release *release) {
  return release->enforced;
}

double sfm_release_sensitivity(const sfm_release *release) {
  return release->sensitivity;
}

double sfm_release_step(const sfm_release *release) {
  return release->hardened ? release->step : NAN;
}

bool sfm_release_rows(const sfm_release *release, uint64_t *rows) {
  *rows = release->rows;
  return release->has_rows;
}

bool sfm_release_choice_forecast(const sfm_release *release, double *likely, double *chance) {
  const sfmi_bandwidth_choice *made = &sfmi_function_of(release)->choice;
  *likely = made->chance > 0 ? made->likely : NAN;
  *chance = made->chance > 0 ? made->chance : NAN;
  return made->chance > 0;
}

bool sfm_release_bandwidth_choice(const sfm_release *release, sfm_bandwidth_choice *choice) {
  const sfmi_bandwidth_choice *made = &sfmi_function_of(release)->choice;
  *choice = (sfm_bandwidth_choice){.count = made->count,
                                   .chosen = made->index,
                                   .candidates = made->candidates,
                                   .share = made->share,
                                   .epsilon = made->epsilon,
                                   .rest = made->rest};
  return made->count > 0;
}
