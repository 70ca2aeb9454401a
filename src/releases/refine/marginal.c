/* marginal.c - the columns that are not kept, summed out.
 *
 * A release is an array over groups and axes, the last fastest.  Its marginal is
 *   out[kept] = sum over the rest of weight x coefficient,
 * where the weight along an axis that is summed out is
 *  - for a lattice 1: the spline weights of a row sum to one along it, so that the sums are the
 *    lattice of the columns kept;
 *  - for torus features 1 at frequency 0, else 0: other frequencies integrate to nothing.  What
 *    phi_0 integrates to is the marginal's `factor` (the constant of fourier-laplace: to one);
 *  - for a refined density that of the trapezoidal rule, exact for what is linear in between.
 * Integers stay integers, in 128 bits. */
#include "base/system/c_locale.h"
#include "sfumato/marginal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "releases/core/release_kind.h"

enum { AXES_MAX = SFMI_BY_MAX + SFM_MAX_DIMENSION };

/* One axis of the array: a column of groups, or of the function. */
typedef struct axis {
  size_t size;
  size_t stride; /* in the marginal; 0: it goes */
  bool kept;
  double *weights; /* of a refined density's, where it goes; else NULL */
} axis;

/* What is kept, in the order asked for: indices of columns. */
typedef struct choice {
  size_t axes[SFM_MAX_DIMENSION], axis_count;
  size_t by[SFMI_BY_MAX], by_count;
} choice;

static bool features(const sfm_release *release) {
  return (release->method == SFMI_GP && release->function->engine == SFM_ENGINE_SPECTRAL) ||
         release->method == SFMI_FOURIER_LAPLACE;
}

static sfm_status check_kind(const sfm_release *release, sfm_error *error) {
  if (!sfmi_release_is_density(release))
    return sfmi_fail(
        error, SFM_INVALID, "a marginal is taken of a density, and this release is a %s%s",
        sfm_kind_name(sfm_release_kind(release)),
        release->kind == &sfmi_histogram_kind ? "; sfm_table_margin_of adds up its cells" : "");
  if (release->refined.done || release->method == SFMI_LATTICE || features(release)) return SFM_OK;
  return sfmi_fail(
      error, SFM_INVALID,
      "this release is %s, whose integral over a column is not known exactly; "
      "densities by the methods lattice, gp and fourier-laplace have marginals, and so "
      "have refined ones (sfm_release_refine)",
      sfmi_release_placed(release) ? "values at points"
      : release->function->basis   ? "a sum of other functions"
                                   : "of one column");
}

/* "lon, lat" or "lon, lat, and the groups sex". */
static void name_columns(char *text, size_t size, const sfm_release *release) {
  size_t used = 0;
  for (size_t a = 0; a < release->dimension && used < size; a++)
    used +=
        (size_t)sfmi_snprintf(text + used, size - used, "%s%s", a ? ", " : "", release->columns[a]);
  for (size_t i = 0; i < release->function->by.count && used < size; i++)
    used += (size_t)sfmi_snprintf(text + used, size - used, "%s%s", i ? ", " : ", and the groups ",
                                  release->function->by.columns[i]);
}

static bool taken(const size_t *list, size_t count, size_t index) {
  for (size_t i = 0; i < count; i++)
    if (list[i] == index) return true;
  return false;
}

static sfm_status choose_one(choice *c, const sfm_release *release, const char *column,
                             sfm_error *error) {
  char names[512];
  for (size_t a = 0; a < release->dimension; a++) {
    if (strcmp(release->columns[a], column)) continue;
    if (taken(c->axes, c->axis_count, a))
      return sfmi_fail(error, SFM_INVALID, "the column '%s' is named twice", column);
    c->axes[c->axis_count++] = a;
    return SFM_OK;
  }
  for (size_t i = 0; i < release->function->by.count; i++) {
    if (strcmp(release->function->by.columns[i], column)) continue;
    if (taken(c->by, c->by_count, i))
      return sfmi_fail(error, SFM_INVALID, "the column '%s' is named twice", column);
    c->by[c->by_count++] = i;
    return SFM_OK;
  }
  name_columns(names, sizeof names, release);
  return sfmi_fail(error, SFM_INVALID, "this release has no column '%s'; it has %s", column, names);
}

static sfm_status choose(choice *c, const sfm_release *release, const char *const *columns,
                         size_t count, sfm_error *error) {
  char names[512];
  *c = (choice){0};
  for (size_t i = 0; i < count; i++) {
    sfm_status status = choose_one(c, release, columns[i], error);
    if (status) return status;
  }
  name_columns(names, sizeof names, release);
  if (c->axis_count == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "a marginal keeps at least one variable; this release has %s", names);
  /* A release of one group is that of its group, named or not. */
  if (release->function->by.count && sfmi_partition_groups(&release->function->by) == 1) {
    c->by_count = release->function->by.count;
    for (size_t i = 0; i < release->function->by.count; i++) c->by[i] = i;
  }
  if (c->axis_count == release->dimension && c->by_count == release->function->by.count)
    return sfmi_fail(error, SFM_INVALID,
                     "nothing is left to sum out: the release has %s; name fewer of them", names);
  if (release->refined.done && c->by_count < release->function->by.count)
    return sfmi_fail(
        error, SFM_INVALID,
        "the groups of a refined release are not added up; take the marginal first and "
        "refine that");
  return SFM_OK;
}

static size_t axis_size(const sfm_release *release, size_t a) {
  if (release->refined.done) return release->function->places.counts[a];
  return release->method == SFMI_LATTICE ? release->function->lattice.axis[a].points
                                         : sfmi_torus_size(&release->function->torus[a]);
}

/* The trapezoidal rule's weights along an axis of a grid. */
static double *trapezoid(const sfm_release *release, size_t a) {
  const size_t n = release->function->places.counts[a];
  const double step = (release->upper[a] - release->lower[a]) / (double)(n - 1);
  double *weights = sfmi_alloc(n, sizeof *weights);
  for (size_t i = 0; weights && i < n; i++) weights[i] = i == 0 || i + 1 == n ? 0.5 * step : step;
  return weights;
}

/* The axes of the array, groups first, with the marginal's strides; *length is its own. */
static sfm_status lay_out(axis *axes, size_t *length, const sfm_release *release, const choice *c,
                          sfm_error *error) {
  const size_t groups = release->function->by.count;
  for (size_t i = 0; i < groups; i++) axes[i] = (axis){.size = release->function->by.sizes[i]};
  for (size_t a = 0; a < release->dimension; a++)
    axes[groups + a] = (axis){.size = axis_size(release, a)};
  *length = 1;
  for (size_t i = c->axis_count + c->by_count; i-- > 0;) {
    axis *kept = &axes[i >= c->by_count ? groups + c->axes[i - c->by_count] : c->by[i]];
    kept->kept = true;
    kept->stride = *length;
    *length *= kept->size;
  }
  for (size_t a = 0; release->refined.done && a < release->dimension; a++) {
    if (axes[groups + a].kept) continue;
    axes[groups + a].weights = trapezoid(release, a);
    if (!axes[groups + a].weights) return sfmi_fail_memory(error);
  }
  return SFM_OK;
}

/* Steps the multi-index, the last axis fastest; false after the last. */
static bool advance(size_t *index, const axis *axes, size_t count) {
  for (size_t i = count; i-- > 0;) {
    if (++index[i] < axes[i].size) return true;
    index[i] = 0;
  }
  return false;
}

/* Where the element goes; its weight is 0 where it does not. */
static size_t target(double *weight, const size_t *index, const axis *axes, size_t count,
                     bool frequencies) {
  size_t to = 0;
  *weight = 1;
  for (size_t i = 0; i < count; i++) {
    to += axes[i].stride * index[i];
    if (axes[i].weights)
      *weight *= axes[i].weights[index[i]];
    else if (!axes[i].kept && frequencies && index[i] > 0)
      *weight = 0;
  }
  return to;
}

/* The sums: of integers in 128 bits, of reals with weights. */
static sfm_status sum_out(sfm_release *out, const sfm_release *release, const axis *axes,
                          size_t count, sfm_error *error) {
  const bool exact = release->integers != NULL;
  size_t index[AXES_MAX] = {0}, i = 0;
  double weight;
  bool fits = true;
  sfmi_i128 *sums = exact ? sfmi_alloc(out->length, sizeof *sums) : NULL;
  if (exact) out->integers = sfmi_alloc(out->length, sizeof *out->integers);
  if (!exact) out->reals = sfmi_alloc(out->length, sizeof *out->reals);
  if (exact ? !sums || !out->integers : !out->reals) {
    free(sums);
    return sfmi_fail_memory(error);
  }
  do {
    const size_t to = target(&weight, index, axes, count, features(release));
    if (!exact)
      out->reals[to] += weight * release->reals[i];
    else if (weight != 0)
      sums[to] += release->integers[i];
    i++;
  } while (advance(index, axes, count));
  for (size_t k = 0; exact && k < out->length; k++) {
    fits = fits && sums[k] >= INT64_MIN && sums[k] <= INT64_MAX;
    out->integers[k] = (int64_t)sums[k];
  }
  free(sums);
  return fits ? SFM_OK
              : sfmi_fail(error, SFM_INVALID,
                          "the sums of this release's integers do not fit into 64 bits, which its "
                          "marginal would be written in");
}

/* What is public along the axes that are kept, in their new order. */
static void keep_axes(sfm_release *out, const sfm_release *release, const choice *c) {
  char *columns[SFM_MAX_DIMENSION] = {0};
  for (size_t k = 0; k < c->axis_count; k++) {
    const size_t a = c->axes[k];
    columns[k] = out->columns[a];
    out->columns[a] = NULL;
    out->lower[k] = release->lower[a];
    out->upper[k] = release->upper[a];
    out->function->bandwidth[k] = release->function->bandwidth[a];
    out->function->gamma[k] = release->function->gamma[a];
    out->boundary[k] = release->boundary[a];
    out->function->torus[k] = release->function->torus[a];
    out->function->lattice.axis[k] = release->function->lattice.axis[a];
    out->function->places.lower[k] = release->function->places.lower[a];
    out->function->places.upper[k] = release->function->places.upper[a];
    out->function->places.counts[k] = release->function->places.counts[a];
  }
  for (size_t i = 0; i < out->function->choice.count; i++) /* forwards: rows only become shorter */
    for (size_t k = 0; k < c->axis_count; k++)
      out->function->choice.candidates[i * c->axis_count + k] =
          release->function->choice.candidates[i * release->dimension + c->axes[k]];
  for (size_t a = 0; a < release->dimension; a++) free(out->columns[a]);
  memcpy(out->columns, columns, sizeof columns);
  out->function->dropped = release->function->dropped + release->dimension - c->axis_count;
  out->dimension = out->function->lattice.dimension = out->function->places.dimension =
      c->axis_count;
}

/* The same of the groups. */
static void keep_groups(sfm_release *out, const choice *c) {
  sfmi_partition kept = {.count = c->by_count};
  for (size_t k = 0; k < c->by_count; k++) {
    const size_t i = c->by[k];
    kept.columns[k] = out->function->by.columns[i];
    kept.labels[k] = out->function->by.labels[i];
    kept.sizes[k] = out->function->by.sizes[i];
    out->function->by.columns[i] = NULL;
    out->function->by.labels[i] = NULL;
  }
  sfmi_partition_clear(&out->function->by);
  out->function->by = kept;
}

/* Of a refined release, whose groups all stay, in a new order perhaps. */
static sfm_status keep_sizes(sfm_release *out, const sfm_release *release, const choice *c,
                             sfm_error *error) {
  const size_t groups = sfmi_partition_groups(&release->function->by);
  if (!release->function->sizes) return SFM_OK;
  out->function->sizes = sfmi_alloc(groups, sizeof *out->function->sizes);
  if (!out->function->sizes) return sfmi_fail_memory(error);
  for (size_t g = 0; g < groups; g++) {
    size_t index[SFMI_BY_MAX], rest = g, to = 0;
    for (size_t i = release->function->by.count; i-- > 0; rest /= release->function->by.sizes[i])
      index[i] = rest % release->function->by.sizes[i];
    for (size_t k = 0; k < c->by_count; k++)
      to = to * release->function->by.sizes[c->by[k]] + index[c->by[k]];
    out->function->sizes[to] = release->function->sizes[g];
  }
  return SFM_OK;
}

/* Noise: how many a coefficient holds, and by what it was multiplied. */
static sfm_status keep_noise(sfm_release *out, const sfm_release *release, const axis *axes,
                             size_t count, sfm_error *error) {
  double summed = (double)release->summed, factor = 1;
  for (size_t i = 0; i < count && !features(release); i++)
    summed *= axes[i].kept ? 1 : (double)axes[i].size;
  for (size_t a = 0; a < release->dimension && release->method == SFMI_GP; a++)
    if (!axes[release->function->by.count + a].kept)
      factor *= sfmi_torus_mass(&release->function->torus[a]);
  if (!(summed <= 0x1p53))
    return sfmi_fail(error, SFM_INVALID, "%.3g noises per number are too many", summed);
  out->summed = (uint64_t)summed;
  out->factor *= factor;
  out->scale *= factor;
  out->sensitivity *= factor;
  return SFM_OK;
}

static sfm_status fill(sfm_release *out, const sfm_release *release, const choice *c,
                       sfm_error *error) {
  axis axes[AXES_MAX] = {0};
  const size_t count = release->function->by.count + release->dimension;
  sfm_status status = lay_out(axes, &out->length, release, c, error);
  if (!status && !release->refined.done) status = keep_noise(out, release, axes, count, error);
  if (!status) status = sum_out(out, release, axes, count, error);
  for (size_t i = 0; i < count; i++) free(axes[i].weights);
  return status;
}

static size_t product(const sfm_release *release) {
  size_t points = 1;
  for (size_t a = 0; a < release->dimension; a++) points *= axis_size(release, a);
  return points;
}

static sfm_status finish(sfm_release *out, sfm_error *error) {
  out->function->lattice.length = out->function->places.count = product(out);
  sfm_status status = sfmi_release_check(out, "the marginal", error);
  if (sfmi_partition_groups(&out->function->by) > 1 &&
      !out->refined.done) /* every group has its own */
    out->band = (sfm_band){out->band.confidence, INFINITY, INFINITY, INFINITY};
  else if (!status && !out->refined.done)
    status = sfm_release_band_at(out, &out->band, out->band.confidence, error);
  return status;
}

sfm_status sfm_release_marginal(sfm_release **out, const sfm_release *release,
                                const char *const *columns, size_t count, sfm_error *error) {
  choice c;
  *out = NULL;
  sfm_status status = check_kind(release, error);
  if (!status) status = choose(&c, release, columns, count, error);
  if (status) return status;
  status = sfmi_release_derive(out, release, error);
  if (!status) status = fill(*out, release, &c, error);
  if (!status) {
    keep_axes(*out, release, &c);
    keep_groups(*out, &c);
    status = keep_sizes(*out, release, &c, error);
  }
  if (!status) status = finish(*out, error);
  return sfmi_release_made(out, status);
}
