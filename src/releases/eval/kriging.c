#include "kriging.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/linear_algebra.h"
#include "features/kernels/sobolev_norm.h"
#include "perturbation.h"
#include "interpolation_bound.h"

/* Up to this many places all of them are used, for every point. */
static const size_t ALL_MAX = 1024;
/* Beyond, the nearest: a side of a block of grid points, or points of a list. */
static const size_t SIDE[] = {32, 8, 4};
enum { NEAREST = 64 };
/* A place is x when every coordinate is within this part of the distance between grid points. */
static const double SAME = 1e-9;

struct sfmi_kriging {
  const sfm_release *release;
  sfm_kernel kernel; /* of the noise, */
  sfm_kernel rows;   /* and of the rows' function */
  double inverse[SFM_MAX_DIMENSION];
  double norm; /* sobolev: the largest of a row's function in the noise's space; else 0 */
  double unit;
  size_t most;     /* places used at once */
  size_t *sorted;  /* places of a list by their first coordinate; NULL for a grid */
  double *factor;  /* of all places, when all are used; else NULL */
  double *weights; /* then C^-1 y */
  double doubt;    /* of all places: largest deviation left at a point, given the values */
  sfmi_perturbation moved;
};

/* The places near a point, and the factor of their covariance. */
typedef struct stencil {
  size_t count;
  size_t *place;
  double *factor, *points; /* of those places */
  double *k, *w;           /* at the point */
} stencil;

/* Of one variable: the i-th place from the left. */
static double coordinate(const sfmi_kriging *kriging, size_t i) {
  double x[SFM_MAX_DIMENSION];
  sfmi_places_at(&kriging->release->function->places, kriging->sorted ? kriging->sorted[i] : i, x);
  return x[0];
}

/* How many places lie below x in the first coordinate, by which they are sorted. */
static size_t below(const sfmi_kriging *kriging, double x) {
  size_t low = 0, high = kriging->release->length;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (coordinate(kriging, middle) < x)
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
    sfmi_places_at(&release->function->places, kriging->sorted[i], y);
    if (y[0] != x[0]) break;
    bool same = true;
    for (size_t a = 1; a < release->dimension; a++) same = same && y[a] == x[a];
    if (same) return kriging->sorted[i];
  }
  return SIZE_MAX;
}

static size_t find_gridded(const sfmi_kriging *kriging, const double *x) {
  const sfmi_places *places = &kriging->release->function->places;
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
  const sfmi_places *places = &kriging->release->function->places;
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

/* Places nearest to a point, the nearest first. */
typedef struct nearest {
  const sfmi_kriging *kriging;
  const double *x;
  size_t *place, count;
  double distance[NEAREST]; /* squares */
} nearest;

/* Distances are in bandwidths, or plain when there are none. */
static double apart(const nearest *n, const double *y, size_t a) {
  const sfm_kernel *kernel = &n->kriging->kernel;
  const double u = n->x[a] - y[a];
  return sfmi_kernel_stationary(kernel->family) ? u / kernel->bandwidth[a] : u;
}

/* Takes place i if it is near enough.  False: it is too far by its first coordinate alone. */
static bool consider(nearest *n, size_t i) {
  double y[SFM_MAX_DIMENSION], square = 0;
  sfmi_places_at(&n->kriging->release->function->places, i, y);
  for (size_t a = 0; a < n->kriging->release->dimension; a++) {
    square += apart(n, y, a) * apart(n, y, a);
    if (n->count == NEAREST && square >= n->distance[NEAREST - 1]) return a > 0;
  }
  size_t at = n->count < NEAREST ? n->count++ : NEAREST - 1;
  for (; at > 0 && n->distance[at - 1] > square; at--) {
    n->distance[at] = n->distance[at - 1];
    n->place[at] = n->place[at - 1];
  }
  n->distance[at] = square;
  n->place[at] = i;
  return true;
}

/* The nearest of all: of a list those to the left and right of x, until the rest is too far. */
static size_t near_any(const sfmi_kriging *kriging, size_t *place, const double *x) {
  const size_t total = kriging->release->length;
  nearest n = {.kriging = kriging, .x = x, .place = place};
  if (!kriging->sorted) {
    for (size_t i = 0; i < total; i++) consider(&n, i);
    return n.count;
  }
  size_t left = below(kriging, x[0]), right = left;
  bool more = left > 0, further = right < total;
  while (more || further) {
    if (more) more = consider(&n, kriging->sorted[--left]) && left > 0;
    if (further) further = consider(&n, kriging->sorted[right++]) && right < total;
  }
  return n.count;
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
    sfmi_places_at(&kriging->release->function->places, s->place[i], s->points + i * d);
  for (size_t i = 0; i < s->count; i++)
    for (size_t j = 0; j <= i; j++) {
      double value = sfm_kernel_at(&kriging->kernel, s->points + i * d, s->points + j * d);
      s->factor[i * s->count + j] = s->factor[j * s->count + i] =
          value + (i == j ? kriging->release->function->nugget : 0);
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
      sfmi_places_at(&kriging->release->function->places, i,
                     s->points + i * kriging->release->dimension);
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

/* The variance of the process at x that is left when its values are known: K(x, x) - w'k, which is
 * |K_x - sum w_j K_{x_j}|^2 + nugget |w|^2 and so no less than the last. */
static double left_over(const sfmi_kriging *kriging, const stencil *s, const double *x) {
  double variance = sfm_kernel_at(&kriging->kernel, x, x), squares = 0;
  for (size_t i = 0; i < s->count; i++) {
    variance -= s->w[i] * s->k[i];
    squares += s->w[i] * s->w[i];
  }
  return fmax(variance, kriging->release->function->nugget * squares);
}

/* Points one after another. */
typedef struct list {
  const double *points;
  size_t dimension;
} list;

static int by_coordinate(const void *a, const void *b, void *context) {
  const list *all = context;
  const double x = all->points[*(const size_t *)a * all->dimension],
               y = all->points[*(const size_t *)b * all->dimension];
  return x < y ? -1 : x > y;
}

static sfm_status sort_list(sfmi_kriging *kriging, sfm_error *error) {
  const size_t n = kriging->release->length;
  size_t *sorted = sfmi_alloc(n, sizeof *sorted);
  if (!sorted) return sfmi_fail_memory(error);
  for (size_t i = 0; i < n; i++) sorted[i] = i;
  list all = {kriging->release->function->places.points, kriging->release->dimension};
  qsort_r(sorted, n, sizeof *sorted, by_coordinate, &all);
  kriging->sorted = sorted;
  return SFM_OK;
}

/* One variable: the ends of the i-th gap, the bounds being the ends of the first and last. */
static void gap_ends(const sfmi_kriging *kriging, size_t i, double ends[2]) {
  const sfm_release *release = kriging->release;
  ends[0] = i > 0 ? coordinate(kriging, i - 1) : release->lower[0];
  ends[1] = i < release->length ? coordinate(kriging, i) : release->upper[0];
}

/* Of a line: its ends, and the middles of gaps that are at least half as long as the longest.
 * Returns how many of at most `most`. */
static size_t lonely_line(const sfmi_kriging *kriging, double *x, size_t most) {
  const sfm_release *release = kriging->release;
  double longest = 0, ends[2];
  size_t count = 0;
  x[count++] = release->lower[0];
  x[count++] = release->upper[0];
  for (size_t i = 1; i < release->length; i++) {
    gap_ends(kriging, i, ends);
    longest = fmax(longest, ends[1] - ends[0]);
  }
  for (size_t i = 1; i < release->length && count < most; i++) {
    gap_ends(kriging, i, ends);
    if (2 * (ends[1] - ends[0]) >= longest) x[count++] = ends[0] + (ends[1] - ends[0]) / 2;
  }
  return count;
}

/* Of a grid: a corner (where places are near to each other, least is known at the edge), and the
 * middles of a cell there and of one in the middle. */
static size_t lonely_grid(const sfmi_kriging *kriging, double *x) {
  const sfm_release *release = kriging->release;
  const size_t d = release->dimension;
  for (size_t a = 0; a < d; a++) {
    const size_t cells = release->function->places.counts[a] - 1;
    const double cell = (release->upper[a] - release->lower[a]) / (double)cells;
    x[a] = release->lower[a];
    x[d + a] = x[a] + cell / 2;
    x[2 * d + a] = x[a] + cell * ((double)(cells / 2) + 0.5);
  }
  return 3;
}

/* The largest deviation that is left anywhere when all values are known: at the points that are
 * farthest from the places, and a part more for others. */
static double find_doubt(const sfmi_kriging *kriging, stencil *s, sfm_error *error) {
  enum { LONELY = 64 };
  static const double MORE = 1.1;
  const sfm_release *release = kriging->release;
  double x[LONELY], most = 0; /* 64: three points of eight variables fit */
  if (kriging->sorted && release->dimension > 1) return sqrt(release->function->sup);
  const size_t count = kriging->sorted ? lonely_line(kriging, x, LONELY) : lonely_grid(kriging, x);
  for (size_t i = 0; i < count; i++) {
    if (stencil_move(s, kriging, x + i * release->dimension, error))
      return sqrt(release->function->sup);
    find_weights(s);
    most = fmax(most, left_over(kriging, s, x + i * release->dimension));
  }
  return fmin(MORE * sqrt(most), sqrt(release->function->sup));
}

/* What needs a stencil of all places: their factor, weights and doubt. */
static sfm_status prepare(sfmi_kriging *kriging, sfm_error *error) {
  const sfm_release *release = kriging->release;
  stencil s;
  sfm_status status = stencil_init(&s, kriging, error);
  if (status) return status;
  status = stencil_move(&s, kriging, release->lower, error);
  if (!status) {
    kriging->weights = sfmi_alloc(release->length, sizeof *kriging->weights);
    if (!kriging->weights) status = sfmi_fail_memory(error);
  }
  if (!status) {
    for (size_t i = 0; i < release->length; i++)
      kriging->weights[i] = sfm_release_coefficient(release, i);
    solve(s.factor, s.count, kriging->weights);
    if (sfmi_release_is_density(release) && kriging->norm == 0)
      kriging->doubt = find_doubt(kriging, &s, error);
    kriging->factor = s.factor;
  }
  stencil_clear(&s, kriging);
  return status;
}

/* On the box it is at most that on the whole space. */
static double sobolev_norm(const sfm_release *release) {
  double square = 1;
  for (size_t a = 0; a < release->dimension; a++)
    square *=
        sfmi_sobolev_line_square(release->function->gamma[a] * release->function->bandwidth[a], 0);
  return sqrt(square);
}

sfm_status sfmi_kriging_create(sfmi_kriging **out, const sfm_release *release, double unit,
                               sfm_error *error) {
  *out = NULL;
  sfmi_kriging *kriging = sfmi_alloc(1, sizeof *kriging);
  if (!kriging) return sfmi_fail_memory(error);
  kriging->release = release;
  kriging->kernel = sfmi_release_noise_kernel(release, kriging->inverse);
  kriging->rows = sfmi_release_kernel(release);
  kriging->norm = release->method == SFMI_SOBOLEV ? sobolev_norm(release) : 0;
  kriging->unit = unit;
  kriging->most = release->length <= ALL_MAX ? release->length : NEAREST;
  sfm_status status = release->function->places.points ? sort_list(kriging, error) : SFM_OK;
  if (!status) status = sfmi_release_perturbation(&kriging->moved, release, error);
  if (!status && release->function->kernel != SFM_KERNEL_OWN && release->length <= ALL_MAX)
    status = prepare(kriging, error);
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

/* Shows the bound at x the rows that matter; false: there is none for lists in several
 * variables. */
static bool look_around(const sfmi_kriging *kriging, const stencil *s, const double *x,
                        sfmi_interpolation_bound *bound) {
  const sfm_release *release = kriging->release;
  const size_t d = release->dimension, gaps = SFMI_INTERPOLATION_GAPS;
  if (d > 3 || (d > 1 && kriging->sorted)) return false;
  sfmi_interpolation_bound_begin(bound, x, s->points, s->w, s->count);
  if (d == 1) {
    double edges[2 * SFMI_INTERPOLATION_GAPS + 2];
    const size_t here = below(kriging, x[0]), first = here > gaps ? here - gaps : 0;
    size_t count = 0;
    for (size_t i = first; i <= here + gaps && i <= release->length; i++, count++)
      gap_ends(kriging, i, edges + count);
    sfmi_interpolation_bound_line(bound, edges, count + 1, here - first);
    return true;
  }
  double cell[3];
  for (size_t a = 0; a < d; a++)
    cell[a] =
        (release->upper[a] - release->lower[a]) / (double)(release->function->places.counts[a] - 1);
  sfmi_interpolation_bound_box(bound, cell);
  return true;
}

/* What a row's function is at most, given the values, in the space of what they leave open. */
static double doubt_of(const sfmi_kriging *kriging, double deviation) {
  if (kriging->norm > 0) return kriging->norm;
  return kriging->factor ? fmax(kriging->doubt, deviation) : sqrt(kriging->release->function->sup);
}

/* noise: |w|_1 N.  With value = w'y: F <= value + noise + rest + share F. */
static double width_at(const sfmi_kriging *kriging, const stencil *s, const double *x,
                       sfmi_interpolation_bound *bound) {
  const sfm_release *release = kriging->release;
  const double mass = sfmi_release_mass(release), value = value_at(kriging, s);
  double noise = 0;
  if (!sfmi_release_is_density(release)) return INFINITY;
  for (size_t i = 0; i < s->count; i++) noise += fabs(s->w[i]);
  noise *= release->band.half_width - release->band.systematic;
  const double deviation = sqrt(left_over(kriging, s, x));
  double skipped = deviation * doubt_of(kriging, deviation) / mass, top = value + noise + skipped;
  const bool looked = look_around(kriging, s, x, bound);
  for (size_t k = 0; looked && k < SFMI_INTERPOLATION_SHARES && bound->share[k] < 1; k++) {
    const double share = bound->share[k],
                 rest = fmax(bound->rest[k], 2 * release->function->nugget) / mass,
                 most = (value + noise + rest) / (1 - share);
    if (most < 0) continue; /* no function is: something was missed that was not looked at */
    top = fmin(top, most);
    skipped = fmin(skipped, share * most + rest);
  }
  return noise + skipped + sfmi_perturbation_width(kriging->moved, top);
}

sfm_status sfmi_kriging_at(const sfmi_kriging *kriging, double *values, double *widths,
                           const double *points, size_t count, sfm_error *error) {
  const sfm_release *release = kriging->release;
  const bool known = release->function->kernel != SFM_KERNEL_OWN;
  stencil s;
  sfmi_interpolation_bound bound = {.points = NULL};
  sfm_status status = stencil_init(&s, kriging, error);
  if (status) return status;
  if (widths)
    status = sfmi_interpolation_bound_init(&bound, &kriging->rows, kriging->norm > 0,
                                           release->lower, release->upper, kriging->most, error);
  for (size_t i = 0; i < count && !status; i++) {
    const double *x = points + i * release->dimension;
    double value = NAN, width = NAN;
    const size_t place =
        sfmi_release_contains(release, x) ? sfmi_kriging_find(kriging, x) : SIZE_MAX;
    if (place != SIZE_MAX) {
      value = sfm_release_coefficient(release, place) * kriging->unit;
      width = release->band.half_width;
    } else if (known && sfmi_release_contains(release, x)) {
      status = stencil_move(&s, kriging, x, error);
      if (status) break;
      if (widths || !kriging->factor) find_weights(&s);
      if (values) value = value_at(kriging, &s);
      if (widths) width = width_at(kriging, &s, x, &bound);
    }
    if (values) values[i] = value;
    if (widths) widths[i] = width;
  }
  sfmi_interpolation_bound_clear(&bound);
  stencil_clear(&s, kriging);
  return status;
}
