#include "releases/kriging.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/linear.h"
#include "releases/pointband.h"

/* Up to this many places all of them are used, for every point. */
static const size_t ALL_MAX = 1024;
/* Beyond, the nearest: a side of a block of grid points, or points of a list. */
static const size_t SIDE[] = {32, 8, 4};
enum { NEAREST = 64 };
/* A place is x when every coordinate is within this part of the distance between grid points. */
static const double SAME = 1e-9;

struct sfmi_kriging {
  const sfm_release *release;
  sfm_kernel kernel;
  double unit;
  size_t most;      /* places used at once */
  size_t *sorted;   /* places of a list by their first coordinate; NULL for a grid */
  double *factor;   /* of all places, when all are used; else NULL */
  double *weights;  /* then C^-1 y */
  double deviation; /* largest |K_x - sum w_j K_{x_j}| over the domain, at most */
  sfmi_moved moved;
};

/* The places near a point, and the factor of their covariance. */
typedef struct stencil {
  size_t count;
  size_t *place;
  double *factor, *points; /* of those places */
  double *k, *w;           /* at the point */
} stencil;

static double coordinate(const sfmi_kriging *kriging, size_t i) {
  double x[SFM_MAX_DIMENSION];
  sfmi_places_at(&kriging->release->places, i, x);
  return x[0];
}

/* How many places of the sorted list lie below x in the first coordinate. */
static size_t below(const sfmi_kriging *kriging, double x) {
  size_t low = 0, high = kriging->release->length;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (coordinate(kriging, kriging->sorted[middle]) < x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static size_t find_listed(const sfmi_kriging *kriging, const double *x) {
  const sfm_release *release = kriging->release;
  double y[SFM_MAX_DIMENSION];
  for (size_t i = below(kriging, x[0]); i < release->length; i++) {
    sfmi_places_at(&release->places, kriging->sorted[i], y);
    if (y[0] != x[0]) break;
    bool same = true;
    for (size_t a = 1; a < release->dimension; a++) same = same && y[a] == x[a];
    if (same) return kriging->sorted[i];
  }
  return SIZE_MAX;
}

static size_t find_gridded(const sfmi_kriging *kriging, const double *x) {
  const sfmi_places *places = &kriging->release->places;
  size_t index = 0;
  for (size_t a = 0; a < places->dimension; a++) {
    const double last = (double)(places->counts[a] - 1);
    const double u = (x[a] - places->lower[a]) / (places->upper[a] - places->lower[a]) * last;
    if (!(fabs(u - rint(u)) <= SAME * fmax(1, last * 1e-6))) return SIZE_MAX;
    index = index * places->counts[a] + (size_t)rint(u);
  }
  return index;
}

size_t sfmi_kriging_find(const sfmi_kriging *kriging, const double *x) {
  return kriging->sorted ? find_listed(kriging, x) : find_gridded(kriging, x);
}

/* A block of the grid around x. */
static size_t near_grid(const sfmi_kriging *kriging, size_t *place, const double *x) {
  const sfmi_places *places = &kriging->release->places;
  size_t count = 1;
  place[0] = 0;
  for (size_t a = 0; a < places->dimension; a++) {
    const size_t n = places->counts[a];
    const size_t wanted = SIDE[places->dimension - 1], side = n < wanted ? n : wanted;
    const double u =
        (x[a] - places->lower[a]) / (places->upper[a] - places->lower[a]) * (double)(n - 1);
    double start = floor(u) - (double)side / 2 + 1;
    start = fmin(fmax(start, 0), (double)(n - side));
    for (size_t i = count; i-- > 0;)
      for (size_t j = side; j-- > 0;) place[i * side + j] = place[i] * n + (size_t)start + j;
    count *= side;
  }
  return count;
}

/* The nearest of all, by distance in bandwidths (plain distance when there are none). */
static size_t near_any(const sfmi_kriging *kriging, size_t *place, const double *x) {
  const sfm_release *release = kriging->release;
  double distance[NEAREST];
  size_t count = 0;
  for (size_t i = 0; i < release->length; i++) {
    double square = 0, y[SFM_MAX_DIMENSION];
    sfmi_places_at(&release->places, i, y);
    for (size_t a = 0; a < release->dimension; a++) {
      double u = sfmi_kernel_stationary(release->kernel) ? (x[a] - y[a]) / release->bandwidth[a]
                                                         : x[a] - y[a];
      square += u * u;
    }
    if (count == NEAREST && square >= distance[count - 1]) continue;
    size_t at = count < NEAREST ? count++ : count - 1;
    for (; at > 0 && distance[at - 1] > square; at--) {
      distance[at] = distance[at - 1];
      place[at] = place[at - 1];
    }
    distance[at] = square;
    place[at] = i;
  }
  return count;
}

/* One variable: as many of the sorted list on either side. */
static size_t near_line(const sfmi_kriging *kriging, size_t *place, const double *x) {
  const size_t n = kriging->release->length, side = SIDE[0];
  const size_t middle = below(kriging, x[0]);
  size_t start = middle > side / 2 ? middle - side / 2 : 0;
  if (start + side > n) start = n > side ? n - side : 0;
  size_t count = 0;
  for (size_t i = start; i < n && count < side; i++) place[count++] = kriging->sorted[i];
  return count;
}

static size_t gather(const sfmi_kriging *kriging, size_t *place, const double *x) {
  if (kriging->release->length <= ALL_MAX) {
    for (size_t i = 0; i < kriging->release->length; i++) place[i] = i;
    return kriging->release->length;
  }
  if (!kriging->sorted && kriging->release->dimension <= 3) return near_grid(kriging, place, x);
  return kriging->sorted && kriging->release->dimension == 1 ? near_line(kriging, place, x)
                                                             : near_any(kriging, place, x);
}

/* The lower factor of K + nugget I over the stencil's places. */
static sfm_status factorise(const sfmi_kriging *kriging, stencil *s, sfm_error *error) {
  const size_t d = kriging->release->dimension;
  for (size_t i = 0; i < s->count; i++)
    sfmi_places_at(&kriging->release->places, s->place[i], s->points + i * d);
  for (size_t i = 0; i < s->count; i++)
    for (size_t j = 0; j <= i; j++) {
      double value = sfm_kernel_at(&kriging->kernel, s->points + i * d, s->points + j * d);
      s->factor[i * s->count + j] = s->factor[j * s->count + i] =
          value + (i == j ? kriging->release->nugget : 0);
    }
  return sfmi_cholesky(s->factor, s->count, "the covariance of the places", error);
}

/* solution := (L L')^-1 solution. */
static void solve(const double *factor, size_t size, double *solution) {
  for (size_t i = 0; i < size; i++) {
    for (size_t j = 0; j < i; j++) solution[i] -= factor[i * size + j] * solution[j];
    solution[i] /= factor[i * size + i];
  }
  for (size_t i = size; i-- > 0;) {
    solution[i] /= factor[i * size + i];
    for (size_t j = 0; j < i; j++) solution[j] -= factor[i * size + j] * solution[i];
  }
}

static void stencil_clear(stencil *s, const sfmi_kriging *kriging) {
  free(s->place);
  if (s->factor != kriging->factor) free(s->factor);
  free(s->points);
  free(s->k);
  free(s->w);
}

/* Its factor is the kriging's own when that has one. */
static sfm_status stencil_init(stencil *s, const sfmi_kriging *kriging, sfm_error *error) {
  const size_t most = kriging->most;
  *s = (stencil){.place = sfmi_alloc(2 * most, sizeof *s->place),
                 .factor = kriging->factor ? NULL : sfmi_alloc(most * most, sizeof *s->factor),
                 .points = sfmi_alloc(most * kriging->release->dimension, sizeof *s->points),
                 .k = sfmi_alloc(most, sizeof *s->k),
                 .w = sfmi_alloc(most, sizeof *s->w)};
  if (!s->place || !(s->factor || kriging->factor) || !s->points || !s->k || !s->w) {
    stencil_clear(s, kriging);
    return sfmi_fail_memory(error);
  }
  if (kriging->factor) {
    s->factor = kriging->factor;
    s->count = most;
    for (size_t i = 0; i < most; i++)
      sfmi_places_at(&kriging->release->places, i, s->points + i * kriging->release->dimension);
  }
  return SFM_OK;
}

/* The stencil of x; its factor is kept while the places stay the same. */
static sfm_status stencil_move(stencil *s, const sfmi_kriging *kriging, const double *x,
                               sfm_error *error) {
  size_t *next = s->place + kriging->most;
  if (!kriging->factor) {
    const size_t count = gather(kriging, next, x);
    if (count != s->count || memcmp(next, s->place, count * sizeof *next) != 0) {
      memcpy(s->place, next, count * sizeof *next);
      s->count = count;
      sfm_status status = factorise(kriging, s, error);
      if (status) return status;
    }
  }
  const size_t d = kriging->release->dimension;
  for (size_t i = 0; i < s->count; i++)
    s->k[i] = sfm_kernel_at(&kriging->kernel, x, s->points + i * d);
  return SFM_OK;
}

static void find_weights(stencil *s) {
  memcpy(s->w, s->k, s->count * sizeof *s->w);
  solve(s->factor, s->count, s->w);
}

static double norm2(const stencil *s) {
  double sum = 0;
  for (size_t i = 0; i < s->count; i++) sum += s->w[i] * s->w[i];
  return sum;
}

/* |K_x - sum w_j K_{x_j}|: its square is K(x, x) - w'k - nugget |w|^2. */
static double residual(const sfmi_kriging *kriging, const stencil *s, const double *x) {
  double square = sfm_kernel_at(&kriging->kernel, x, x) - kriging->release->nugget * norm2(s);
  for (size_t i = 0; i < s->count; i++) square -= s->w[i] * s->k[i];
  return sqrt(fmax(square, 0));
}

static int by_coordinate(const void *a, const void *b, void *context) {
  const sfmi_kriging *kriging = context;
  const double x = coordinate(kriging, *(const size_t *)a),
               y = coordinate(kriging, *(const size_t *)b);
  return x < y ? -1 : x > y;
}

static sfm_status sort_list(sfmi_kriging *kriging, sfm_error *error) {
  const size_t n = kriging->release->length;
  kriging->sorted = sfmi_alloc(n, sizeof *kriging->sorted);
  if (!kriging->sorted) return sfmi_fail_memory(error);
  for (size_t i = 0; i < n; i++) kriging->sorted[i] = i;
  qsort_r(kriging->sorted, n, sizeof *kriging->sorted, by_coordinate, kriging);
  return SFM_OK;
}

/* The point farthest from all places: the middle of a grid's first cell, of the longest gap of a
 * line or one of its ends.  False for lists in more dimensions. */
static bool loneliest(const sfmi_kriging *kriging, double *x) {
  const sfm_release *release = kriging->release;
  if (!kriging->sorted) {
    for (size_t a = 0; a < release->dimension; a++) {
      const double cells = (double)(release->places.counts[a] - 1);
      x[a] = release->lower[a] + (release->upper[a] - release->lower[a]) / cells / 2;
    }
    return true;
  }
  if (release->dimension > 1) return false;
  const double first = coordinate(kriging, kriging->sorted[0]),
               last = coordinate(kriging, kriging->sorted[release->length - 1]);
  double widest = 2 * fmax(first - release->lower[0], release->upper[0] - last), before = first;
  x[0] =
      first - release->lower[0] > release->upper[0] - last ? release->lower[0] : release->upper[0];
  for (size_t i = 1; i < release->length; i++) {
    double here = coordinate(kriging, kriging->sorted[i]);
    if (here - before > widest) {
      widest = here - before;
      x[0] = before + widest / 2;
    }
    before = here;
  }
  return true;
}

/* What needs a stencil once: the weights of all places, and the largest residual. */
static sfm_status prepare(sfmi_kriging *kriging, sfm_error *error) {
  const sfm_release *release = kriging->release;
  const bool all = release->length <= ALL_MAX;
  double x[SFM_MAX_DIMENSION];
  stencil s;
  memcpy(x, release->lower, sizeof x);
  const bool found = loneliest(kriging, x);
  sfm_status status = stencil_init(&s, kriging, error);
  if (status) return status;
  status = stencil_move(&s, kriging, x, error);
  if (!status) {
    find_weights(&s);
    /* Near the ends a little more may remain than in the first cell's middle. */
    kriging->deviation =
        found ? fmin(1.1 * residual(kriging, &s, x), sqrt(release->sup)) : sqrt(release->sup);
  }
  if (!status && all) {
    kriging->weights = sfmi_alloc(release->length, sizeof *kriging->weights);
    if (!kriging->weights) status = sfmi_fail_memory(error);
  }
  if (!status && all) {
    for (size_t i = 0; i < release->length; i++)
      kriging->weights[i] = sfm_release_coefficient(release, i);
    solve(s.factor, s.count, kriging->weights);
    kriging->factor = s.factor;
  }
  stencil_clear(&s, kriging);
  return status;
}

sfm_status sfmi_kriging_create(sfmi_kriging **out, const sfm_release *release, double unit,
                               sfm_error *error) {
  *out = NULL;
  sfmi_kriging *kriging = sfmi_alloc(1, sizeof *kriging);
  if (!kriging) return sfmi_fail_memory(error);
  kriging->release = release;
  kriging->kernel = sfmi_release_kernel(release);
  kriging->unit = unit;
  kriging->most = release->length <= ALL_MAX ? release->length : NEAREST;
  sfm_status status = release->places.points ? sort_list(kriging, error) : SFM_OK;
  if (!status) status = sfmi_release_moved(&kriging->moved, release, error);
  if (!status && release->kernel != SFM_KERNEL_OWN) status = prepare(kriging, error);
  if (status) {
    sfmi_kriging_destroy(kriging);
    return status;
  }
  *out = kriging;
  return SFM_OK;
}

void sfmi_kriging_destroy(sfmi_kriging *kriging) {
  if (!kriging) return;
  free(kriging->sorted);
  free(kriging->factor);
  free(kriging->weights);
  free(kriging);
}

static double value_at(const sfmi_kriging *kriging, const stencil *s) {
  double value = 0;
  for (size_t i = 0; i < s->count; i++)
    value += kriging->factor ? s->k[i] * kriging->weights[i]
                             : s->w[i] * sfm_release_coefficient(kriging->release, s->place[i]);
  return value * kriging->unit;
}

/* The length of the cell or gap that x lies in, along axis a; 0: not known. */
static double spacing(const sfmi_kriging *kriging, const double *x, size_t a) {
  const sfm_release *release = kriging->release;
  if (!kriging->sorted)
    return (release->upper[a] - release->lower[a]) / (double)(release->places.counts[a] - 1);
  if (release->dimension > 1) return 0;
  const size_t next = below(kriging, x[0]);
  const double left = next > 0 ? coordinate(kriging, kriging->sorted[next - 1]) : release->lower[0],
               right = next < release->length ? coordinate(kriging, kriging->sorted[next])
                                              : release->upper[0];
  return right - left;
}

/* What of a row at y is missed at x: <r, K_y> = K(x, y) - sum_j w_j K(x_j, y). */
static double missed_at(const sfmi_kriging *kriging, const stencil *s, const double *x,
                        const double *y) {
  const size_t d = kriging->release->dimension;
  double value = sfm_kernel_at(&kriging->kernel, x, y);
  for (size_t i = 0; i < s->count; i++)
    value -= s->w[i] * sfm_kernel_at(&kriging->kernel, s->points + i * d, y);
  return fabs(value);
}

/* Rows near x are missed by at most *share of their own function there, all others by at most
 * *rest: the largest over a fine grid of some cells around x and a coarse one of the domain. */
static void missed(const sfmi_kriging *kriging, const stencil *s, const double *x, double *share,
                   double *rest) {
  static const size_t FINE[] = {64, 18, 8}, COARSE[] = {64, 12, 6};
  static const double CELLS[] = {8, 6, 4};
  const sfm_release *release = kriging->release;
  const size_t d = release->dimension;
  double y[3], from[3], to[3];
  *share = *rest = 0;
  for (int fine = 0; fine < 2; fine++) {
    const size_t side = fine ? FINE[d - 1] : COARSE[d - 1];
    size_t total = 1;
    for (size_t a = 0; a < d; a++) {
      const double half = CELLS[d - 1] / 2 * spacing(kriging, x, a);
      from[a] = fine ? fmax(x[a] - half, release->lower[a]) : release->lower[a];
      to[a] = fine ? fmin(x[a] + half, release->upper[a]) : release->upper[a];
      total *= side;
    }
    for (size_t i = 0; i < total; i++) {
      bool near = true;
      size_t left = i;
      for (size_t a = d; a-- > 0; left /= side) {
        y[a] = from[a] + (to[a] - from[a]) * ((double)(left % side) + 0.5) / (double)side;
        near = near && fabs(y[a] - x[a]) <= CELLS[d - 1] / 2 * spacing(kriging, x, a);
      }
      const double off = missed_at(kriging, s, x, y);
      if (near)
        *share = fmax(*share, 1.1 * off / sfm_kernel_at(&kriging->kernel, x, y));
      else
        *rest = fmax(*rest, 1.1 * off);
    }
    /* A row at x itself, which a kink misses most. */
    *share = fmax(*share, missed_at(kriging, s, x, x));
  }
}

/* noise: |w|_1 N.  With value = w'y: F <= value + noise + rest + share F. */
static double width_at(const sfmi_kriging *kriging, const stencil *s, const double *x) {
  const sfm_release *release = kriging->release;
  const double mass = sfmi_release_mass(release);
  double noise = 0, share = INFINITY, rest = 0;
  if (!release->density) return INFINITY;
  for (size_t i = 0; i < s->count; i++) noise += fabs(s->w[i]);
  noise *= release->band.half_width - release->band.systematic;
  const double most =
      (residual(kriging, s, x) * kriging->deviation + 2 * release->nugget * sqrt(norm2(s))) / mass;
  double top = value_at(kriging, s) + noise + most, skipped = most;
  if (release->dimension <= 3 && spacing(kriging, x, 0) > 0) missed(kriging, s, x, &share, &rest);
  if (share < 1) {
    top = fmin(top, fmax((value_at(kriging, s) + noise + rest / mass) / (1 - share), 0));
    skipped = fmin(most, share * top + rest / mass);
  }
  return noise + skipped + sfmi_moved_width(kriging->moved, top);
}

static bool inside(const sfm_release *release, const double *x) {
  for (size_t a = 0; a < release->dimension; a++)
    if (!(x[a] >= release->lower[a] && x[a] <= release->upper[a])) return false;
  return true;
}

sfm_status sfmi_kriging_at(const sfmi_kriging *kriging, double *values, double *widths,
                           const double *points, size_t count, sfm_error *error) {
  const sfm_release *release = kriging->release;
  const bool known = release->kernel != SFM_KERNEL_OWN;
  stencil s;
  sfm_status status = stencil_init(&s, kriging, error);
  if (status) return status;
  for (size_t i = 0; i < count && !status; i++) {
    const double *x = points + i * release->dimension;
    double value = NAN, width = NAN;
    const size_t place = inside(release, x) ? sfmi_kriging_find(kriging, x) : SIZE_MAX;
    if (place != SIZE_MAX) {
      value = sfm_release_coefficient(release, place) * kriging->unit;
      width = release->band.half_width;
    } else if (known && inside(release, x)) {
      status = stencil_move(&s, kriging, x, error);
      if (status) break;
      if (widths || !kriging->factor) find_weights(&s);
      if (values) value = value_at(kriging, &s);
      if (widths) width = width_at(kriging, &s, x);
    }
    if (values) values[i] = value;
    if (widths) widths[i] = width;
  }
  stencil_clear(&s, kriging);
  return status;
}
