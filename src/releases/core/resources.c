#include "resources.h"

#include <math.h>

#include "base/math/fft/fft_cost.h"
#include "base/math/fft/fft_size.h"
#include "base/system/c_locale.h"
#include "release_data.h"

/* Bytes of a parsed JSON value with its place in an array, and of arrays, objects and members
 * beside; and of a byte of text, which is copied (jansson 2.14 and glibc's malloc, rounded up). */
static const double VALUE = 64, ARRAY = 128, OBJECT = 256, MEMBER = 128, BYTE = 2;

static const double MEGABYTE = 1e6;

sfm_resource_limits sfm_resource_limits_default(void) {
  return (sfm_resource_limits){.read_bytes = 32 * MEGABYTE,
                               .read_bytes_each = 50,
                               .work_bytes = 1000 * MEGABYTE,
                               .work_bytes_each = 200,
                               .work_operations = 5e10,
                               .work_operations_each = 1e4};
}

sfm_resource_limits sfm_resource_limits_none(void) {
  return (sfm_resource_limits){
      .read_bytes = INFINITY, .work_bytes = INFINITY, .work_operations = INFINITY};
}

sfmi_resources sfmi_resources_to_read(const sfm_resource_limits *limits, size_t length) {
  return (sfmi_resources){limits->read_bytes + limits->read_bytes_each * (double)length, INFINITY};
}

sfmi_resources sfmi_resources_to_work(const sfm_resource_limits *limits, size_t length) {
  return (sfmi_resources){limits->work_bytes + limits->work_bytes_each * (double)length,
                          limits->work_operations + limits->work_operations_each * (double)length};
}

sfmi_resources sfmi_resources_sum(sfmi_resources a, sfmi_resources b) {
  return (sfmi_resources){a.bytes + b.bytes, a.operations + b.operations};
}

static sfmi_resources times(sfmi_resources a, double count) {
  return (sfmi_resources){a.bytes, a.operations * count};
}

/* What stands within strings opens and separates nothing.  Until its first mistake a file has the
 * strings that are seen here. */
sfmi_resources sfmi_resources_reading(const char *json, size_t length) {
  double values = 1, arrays = 0, objects = 0, members = 0;
  bool within = false;
  for (size_t i = 0; i < length; i++) {
    const char c = json[i];
    if (c == '"') {
      within = !within;
    } else if (within) {
      i += c == '\\';
    } else {
      values += c == ',' || c == '[' || c == '{';
      arrays += c == '[';
      objects += c == '{';
      members += c == ':';
    }
  }
  return (sfmi_resources){VALUE * values + ARRAY * arrays + OBJECT * objects + MEMBER * members +
                              BYTE * (double)length,
                          (double)length};
}

/* ---- functions ---- */

static sfmi_resources transform(const size_t *shape, size_t dimension) {
  const sfmi_fft_cost cost = sfmi_fft_cost_of(shape, dimension);
  return (sfmi_resources){cost.bytes, cost.operations};
}

static size_t size_of(const sfm_release *release, size_t a) {
  return release->method == SFMI_LATTICE ? sfmi_lattice_padded(&release->function->lattice.axis[a],
                                                               release->function->bandwidth[a])
                                         : 2 * release->function->torus[a].terms + 1;
}

static double shape_of(const sfm_release *release, size_t a) {
  return (double)size_of(release, a);
}

/* Every axis sampled so many times as finely as it has modes, and at least at so many points: sizes
 * that transform well.  Returns how many points these are. */
static double sampled(size_t *shape, const sfm_release *release, size_t times, size_t least) {
  double points = 1;
  for (size_t a = 0; a < release->dimension; a++) {
    const size_t modes = sfmi_lattice_modes(size_of(release, a));
    /* Beyond this nothing is sampled. */
    const size_t wanted = modes <= SFMI_PADDED_MAX ? times * modes : modes;
    shape[a] = modes <= SFMI_PADDED_MAX ? sfmi_fft_size(wanted > least ? wanted : least) : modes;
    points *= (double)shape[a];
  }
  return points;
}

static double modes_of(const sfm_release *release) {
  double modes = 1;
  for (size_t a = 0; a < release->dimension; a++) modes *= shape_of(release, a);
  return modes;
}

static bool is_trig_poly(const sfm_release *release) {
  return sfmi_release_is_function(release) && !release->refined.done && !release->function->basis &&
         !sfmi_release_placed(release);
}

sfmi_resources sfmi_resources_trig_poly(const sfm_release *release) {
  const double modes = modes_of(release);
  double sides = 0;
  for (size_t a = 0; a < release->dimension; a++) sides += shape_of(release, a);
  sfmi_resources cost = {0};
  bool apart = true; /* the modes from what is transformed */
  if (release->method == SFMI_LATTICE) {
    size_t shape[SFM_MAX_DIMENSION];
    apart = false;
    for (size_t a = 0; a < release->dimension; a++) {
      shape[a] = size_of(release, a);
      apart = apart || shape[a] % 2 == 0;
    }
    cost = transform(shape, release->dimension);
  }
  cost.bytes += (apart ? 16 * modes : 0) + 32 * sides + 8 * (double)release->length;
  cost.operations += 20 * modes;
  return cost;
}

/* Axis by axis, where its bounds are open, on a ring eight times as fine: noise_variance.c. */
sfmi_resources sfmi_resources_noise_variance(const sfm_release *release) {
  size_t shape[SFM_MAX_DIMENSION];
  sfmi_resources cost = sfmi_resources_trig_poly(release), largest = {0};
  sampled(shape, release, 8, 1);
  for (size_t a = 0; a < release->dimension; a++) {
    if (release->method != SFMI_LATTICE || release->boundary[a] != SFM_BOUNDARY_OPEN) continue;
    const sfmi_resources ring = transform(&shape[a], 1);
    largest.bytes = fmax(largest.bytes, ring.bytes + 8 * (double)shape[a]);
    cost.operations += ring.operations + 10 * (double)shape[a];
  }
  cost.bytes += largest.bytes;
  return cost;
}

/* The tables for many points: evaluator.c, piecewise_polynomial.c, nufft.c. */
static sfmi_resources tables(const sfm_release *release) {
  const double modes = modes_of(release);
  size_t shape[SFM_MAX_DIMENSION];
  if (release->dimension == 1 && modes <= SFMI_TABLE_MODES_MAX) {
    const double points = sampled(shape, release, 8, 1);
    const sfmi_resources nodes = transform(shape, 1);
    return (sfmi_resources){nodes.bytes + (32 + 64) * points + 16 * modes,
                            4 * nodes.operations + 200 * modes};
  }
  const double fine = sampled(shape, release, 2, 24);
  if (fine > (double)SFMI_PADDED_MAX) return (sfmi_resources){0};
  sfmi_resources cost = transform(shape, release->dimension);
  cost.bytes += 8 * fine;
  return cost;
}

static sfmi_resources shrinking(double modes) {
  return (sfmi_resources){(40 + 8 + 24 + 40) * modes, 30 * modes * log2(modes + 2)};
}

sfmi_resources sfmi_resources_evaluator(const sfm_release *release, bool shrunk) {
  const double n = (double)release->length;
  if (!sfmi_release_is_function(release) || release->refined.done) return (sfmi_resources){0};
  if (release->function->basis) {
    const sfmi_resources cost = {64 * n + 64e3 * (double)release->dimension, 8 * n};
    return shrunk ? sfmi_resources_sum(cost, shrinking(n)) : cost;
  }
  if (sfmi_release_placed(release)) {
    const double all = n <= 1024 ? n : 64;
    return (sfmi_resources){16 * all * all + 32 * n * (double)release->dimension,
                            all * all * all + 100 * all * all + 20 * n * log2(n + 2)};
  }
  const sfmi_resources cost =
      sfmi_resources_sum(sfmi_resources_trig_poly(release), tables(release));
  return shrunk ? sfmi_resources_sum(cost, shrinking(modes_of(release))) : cost;
}

/* Operations at one point. */
static double at_point(const sfm_release *release, bool widths) {
  const double n = (double)release->length, d = (double)release->dimension;
  if (release->refined.done) return 64;
  if (release->function->basis) {
    const double nodes = (double)release->function->basis->nodes;
    return n * (4 + 4 * d) + n * nodes;
  }
  if (sfmi_release_placed(release)) {
    const double all = n <= 1024 ? n : 64;
    const double near = n <= 1024 ? (widths ? 2 * all * all : 20 * all) : all * all * all / 3;
    return near + (n > 1024 && release->function->places.points && d > 1 ? 4 * n * d : 0);
  }
  return tables(release).bytes > 0 ? pow(12, d) : 20 * modes_of(release);
}

sfmi_resources sfmi_resources_points(const sfm_release *release, size_t count, bool widths) {
  const double block = is_trig_poly(release) ? 32 * modes_of(release) : 1e6;
  return (sfmi_resources){block + 16 * (double)count, (double)count * at_point(release, widths)};
}

sfmi_resources sfmi_resources_grid(const sfm_release *release, const size_t *counts) {
  double points = 1, length = 1, widest = 0, operations = 0;
  bool contracts = is_trig_poly(release);
  for (size_t a = 0; a < release->dimension; a++) points *= (double)counts[a];
  if (contracts) length = modes_of(release);
  for (size_t a = 0; a < release->dimension && contracts; a++) {
    const double modes = shape_of(release, a), count = (double)counts[a];
    operations += 4 * length * count + 50 * count * modes;
    length *= count / modes;
    widest = fmax(widest, length + count * modes);
    contracts = count * modes <= SFMI_GRID_MATRIX_MAX && length <= (double)SFMI_PADDED_MAX;
  }
  if (contracts) return (sfmi_resources){32 * widest, operations};
  sfmi_resources cost = sfmi_resources_points(release, 256, false);
  cost.operations = points * at_point(release, false);
  return cost;
}

sfmi_resources sfmi_resources_integrals(const sfm_release *release, size_t a, size_t count) {
  const double modes = shape_of(release, a), functions = (double)count;
  const double size =
      release->method == SFMI_LATTICE ? (double)release->function->lattice.axis[a].points : modes;
  const size_t shape = size_of(release, a);
  const sfmi_resources ring =
      release->method == SFMI_LATTICE ? transform(&shape, 1) : (sfmi_resources){0};
  return (sfmi_resources){ring.bytes + functions * (16 * modes + 16 * size),
                          functions * (ring.operations + 60 * modes)};
}

/* ---- bands ---- */

/* Waves at points of every axis: alias_error.c. */
static double alias_operations(const sfm_release *release) {
  double sum = 0;
  for (size_t a = 0; a < release->dimension; a++) {
    const double modes = shape_of(release, a);
    const double cells =
        release->method == SFMI_LATTICE ? (double)release->function->lattice.axis[a].cells : modes;
    const double phases = fmax(16, fmin(256, sqrt(6e6 / cells)));
    const double bandwidths =
        (release->upper[a] - release->lower[a]) / release->function->bandwidth[a];
    const bool enveloped = modes / 2 <= 100000 && 16 * bandwidths <= 1e5;
    sum += 100 * modes + (enveloped ? phases * cells * modes + 300 * 16 * bandwidths : 0);
  }
  return sum;
}

sfmi_resources sfmi_resources_alias(const sfm_release *release) {
  return (sfmi_resources){0, alias_operations(release)};
}

/* Draws of the noise at so many points of the torus: band.c, torus_band.c. */
static double simulation(const sfm_release *release, double points) {
  const double draws = fmin(6e7 / points, 2000);
  const double drawn = draws < 200 ? 0 : (double)sfmi_release_draws(release, draws);
  return drawn * points * (10 * log2(points + 2) + 100);
}

/* On a grid of so many points per mode, or a coarser one where that makes the draws affordable. */
static double simulation_of_modes(const sfm_release *release, double modes, size_t finer) {
  double operations = 0;
  for (; finer > 1 && operations == 0; finer /= 2)
    operations = simulation(release, pow((double)finer, (double)release->dimension) * modes);
  return operations;
}

static sfmi_resources band_of_trig_poly(const sfm_release *release, size_t count) {
  const double d = (double)release->dimension;
  const sfmi_resources poly = sfmi_resources_trig_poly(release);
  double kept = 1;
  const size_t finest = d == 1 ? 8 : d == 2 ? 4 : 2;
  size_t shape[SFM_MAX_DIMENSION], finer = finest;
  for (size_t a = 0; a < release->dimension; a++)
    kept *= (double)sfmi_lattice_modes(size_of(release, a));
  while (finer > 1 && pow((double)finer, d) * kept > (double)SFMI_PADDED_MAX) finer /= 2;
  sampled(shape, release, finer, 1);
  const sfmi_resources fine = transform(shape, release->dimension);
  sfmi_resources cost = sfmi_resources_sum(poly, fine);
  cost.bytes += 8 * (double)release->length;
  cost.operations += alias_operations(release) + simulation_of_modes(release, kept, finest) +
                     (double)count * (fine.operations + poly.operations);
  return cost;
}

static sfmi_resources band_of_basis(const sfm_release *release) {
  const double n = (double)release->function->basis->count,
               nodes = (double)release->function->basis->nodes;
  const double values = fmin(8192 * n, 0x1p24) + 4 * nodes * n;
  if (release->function->engine == SFM_ENGINE_RANDOM)
    return (sfmi_resources){1e6, 20 * n * (double)release->dimension};
  const double affordable = fmin(1e9 / values, 2000), points = values / n;
  const double draws = affordable < 200 ? 0 : affordable;
  return (sfmi_resources){8 * values + 8 * points * (draws + 60) + 500 * n,
                          values * (400 + 4 * nodes + 2 * draws)};
}

/* Of values at places, a path of the field; how large circulant's torus may be is said to it. */
static sfmi_resources band_of_places(const sfm_release *release) {
  const double n = (double)release->length;
  if (release->function->engine == SFM_ENGINE_GRAM)
    return n * n * n / 3 > 5e9 ? (sfmi_resources){16 * n, 100 * n}
                               : (sfmi_resources){16 * n * n, n * n * n / 3 + 2000 * n * n};
  const bool markov = release->function->engine == SFM_ENGINE_MARKOV;
  return (sfmi_resources){64 * n, 100 * (markov ? fmin(5e7, 16000 * n) : 1e8)};
}

sfmi_resources sfmi_resources_band(const sfm_release *release, size_t count) {
  const double n = (double)release->length;
  if (!sfmi_release_is_function(release)) return (sfmi_resources){32 * n, 10 * fmin(4e8, 4000 * n)};
  if (sfmi_release_placed(release)) return band_of_places(release);
  return release->function->basis ? band_of_basis(release) : band_of_trig_poly(release, count);
}

/* ---- densities on grids ---- */

sfmi_resources sfmi_resources_grid_density(const sfm_release *release, const size_t *counts,
                                           size_t count, bool shrunk) {
  double points = 1;
  for (size_t a = 0; a < release->dimension; a++) points *= (double)counts[a];
  const double values = points * (double)count;
  const sfmi_resources kept = {8 * values + 64 * points, 100 * values};
  sfmi_resources one = sfmi_resources_sum(sfmi_resources_evaluator(release, shrunk),
                                          sfmi_resources_grid(release, counts));
  if (shrunk) one.operations *= 2; /* the raw one too, for its integral */
  const bool bands = count > 1 && !release->refined.done;
  const sfmi_resources all = sfmi_resources_sum(kept, times(one, (double)count));
  if (!bands) return all;
  const sfmi_resources band = times(sfmi_resources_band(release, 1), ceil((double)count / 64));
  return (sfmi_resources){fmax(all.bytes, band.bytes), all.operations + band.operations};
}

/* ---- limits ---- */

/* "1.3 GB", "640 MB". */
static void print_bytes(char *text, size_t size, double bytes) {
  if (bytes >= 1e9)
    sfmi_snprintf(text, size, "%.3g GB", bytes / 1e9);
  else
    sfmi_snprintf(text, size, "%.0f MB", ceil(bytes / 1e6));
}

sfm_status sfmi_resources_allow(const sfm_release *release, sfmi_resources cost, const char *what,
                                sfm_error *error) {
  const sfmi_resources *most = &release->most;
  char needed[32], allowed[32];
  if (cost.bytes <= most->bytes && cost.operations <= most->operations) return SFM_OK;
  const bool memory = !(cost.bytes <= most->bytes);
  if (memory) {
    print_bytes(needed, sizeof needed, cost.bytes);
    print_bytes(allowed, sizeof allowed, most->bytes);
  } else {
    sfmi_snprintf(needed, sizeof needed, "%.2g", cost.operations);
    sfmi_snprintf(allowed, sizeof allowed, "%.2g", most->operations);
  }
  return sfmi_fail(error, SFM_INVALID,
                   "%s may take %s %s, and the limit for a file of its size is %s. If you know "
                   "where the file comes from, raise the limits (sfm_release_read_within)",
                   what, needed, memory ? "of memory" : "operations", allowed);
}
