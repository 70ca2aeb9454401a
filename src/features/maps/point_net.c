#include "point_net.h"

#include <math.h>
#include <stdlib.h>

#include "sobol.h"

/* The usual number of points: enough that neighbouring points see about the same of a function with
 * some bends per axis; more would only make the choice among them harder. */
static const size_t USUAL_LATTICE[] = {0, 257, 33 * 33, 13 * 13 * 13};
static const size_t USUAL_SOBOL = 4096;

static size_t inputs_of(const sfmi_encoding *e) {
  return e->inputs ? e->input_count : e->dimension;
}

static bool is_bounded(const sfmi_encoding *e, size_t i) {
  if (!e->inputs) return e->bounded;
  return e->inputs[i].categories || e->inputs[i].bounded;
}

static size_t categories_of(const sfmi_encoding *e, size_t i) {
  return e->inputs && e->inputs[i].categories ? e->inputs[i].category_count : 0;
}

static sfm_status check(const sfmi_encoding *e, size_t size, sfm_error *error) {
  const size_t axes = inputs_of(e);
  for (size_t i = 0; i < axes && i <= SFMI_SOBOL_MAX; i++)
    if (!is_bounded(e, i))
      return sfmi_fail(error, SFM_INVALID,
                       "a net of points needs the bounds of every %s: state them with "
                       "schema.bounds. (settings.kernel = linear needs no net)",
                       e->inputs ? "column" : "coordinate");
  if (axes > SFMI_SOBOL_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "a net of points can have at most %zu %s, not %zu: name fewer, or write "
                     "settings.kernel = linear, which needs no net",
                     SFMI_SOBOL_MAX, e->inputs ? "columns" : "coordinates", axes);
  if (size == 1 || size > SFMI_NET_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "a net has 2 to %zu points, not %zu; write for example settings.net = 4096",
                     SFMI_NET_MAX, size);
  return SFM_OK;
}

/* The axes of a lattice of at most `size` points; false: categories are too many. */
static bool choose_grid(sfmi_net *net, const sfmi_encoding *e, size_t size) {
  size_t numbers = 0, cells = 1;
  if (net->axes > 3) return false;
  for (size_t i = 0; i < net->axes; i++) {
    net->grid[i] = categories_of(e, i);
    if (net->grid[i] > size) return false;
    if (net->grid[i]) cells *= net->grid[i];
    numbers += net->grid[i] == 0;
  }
  size_t side = 1;
  while (numbers && pow((double)(side + 1), (double)numbers) * (double)cells <= (double)size)
    side++;
  if (cells > size || (numbers && side < 2)) return false;
  net->count = cells;
  for (size_t i = 0; i < net->axes; i++) {
    if (net->grid[i]) continue;
    net->grid[i] = side;
    net->count *= side;
  }
  return true;
}

static double bound(const sfmi_encoding *e, size_t i, bool upper) {
  if (!e->inputs) return upper ? e->upper : e->lower;
  return upper ? e->inputs[i].upper : e->inputs[i].lower;
}

/* The cell at the part x of an axis, of which halves cannot overflow. */
static double cell_at(const sfmi_encoding *e, size_t i, double x) {
  const size_t categories = categories_of(e, i);
  if (categories) return fmin(floor(x * (double)categories), (double)categories - 1);
  return fmin(fmax(bound(e, i, false) * (1 - x) + bound(e, i, true) * x, bound(e, i, false)),
              bound(e, i, true));
}

static void lattice_cells(double *cells, const sfmi_net *net, const sfmi_encoding *e, size_t p) {
  for (size_t i = net->axes; i-- > 0;) {
    const size_t k = p % net->grid[i];
    p /= net->grid[i];
    cells[i] =
        categories_of(e, i) ? (double)k : cell_at(e, i, (double)k / (double)(net->grid[i] - 1));
  }
}

static void sobol_cells(double *cells, const sfmi_sobol *sobol, const sfmi_encoding *e, size_t p,
                        double half) {
  uint64_t x[SFMI_SOBOL_MAX];
  sfmi_sobol_point(sobol, x, p);
  for (size_t i = 0; i < sobol->dimension; i++)
    cells[i] = cell_at(e, i, (double)(x[i] >> 11) * 0x1p-53 + half);
}

static sfm_status add_point(sfmi_net *net, const sfmi_encoding *e, const double *cells, size_t p,
                            sfm_error *error) {
  const size_t start = net->starts[p];
  size_t count;
  if (e->inputs) {
    count = sfmi_encoding_row(e, net->indices + start, net->values + start, cells);
  } else {
    for (size_t i = 0; i < net->axes; i++) {
      net->indices[start + i] = (uint32_t)i;
      net->values[start + i] = cells[i];
    }
    count = sfmi_encoding_sparse(e, net->indices + start, net->values + start, net->axes);
  }
  if (count == SFMI_NO_ROW) return sfmi_fail(error, SFM_INTERNAL, "a point of the net has no u");
  net->starts[p + 1] = start + count;
  return SFM_OK;
}

static bool allocate(sfmi_net *net) {
  net->starts = sfmi_alloc(net->count + 1, sizeof *net->starts);
  net->indices = sfmi_alloc(net->count * net->axes, sizeof *net->indices);
  net->values = sfmi_alloc(net->count * net->axes, sizeof *net->values);
  return net->starts && net->indices && net->values;
}

sfm_status sfmi_net_init(sfmi_net *net, const sfmi_encoding *e, size_t size, sfm_error *error) {
  *net = (sfmi_net){.axes = inputs_of(e)};
  sfm_status status = check(e, size, error);
  if (status) return status;
  const size_t usual = net->axes <= 3 ? USUAL_LATTICE[net->axes] : USUAL_SOBOL;
  net->lattice = choose_grid(net, e, size ? size : usual);
  if (!net->lattice) net->count = size ? size : USUAL_SOBOL;
  double cells[SFMI_SOBOL_MAX], half = 0.5;
  sfmi_sobol sobol;
  if (!allocate(net)) status = sfmi_fail_memory(error);
  if (!net->lattice) sfmi_sobol_init(&sobol, net->axes);
  for (size_t some = 1; some < net->count; some *= 2) half /= 2;
  for (size_t p = 0; p < net->count && !status; p++) {
    if (net->lattice)
      lattice_cells(cells, net, e, p);
    else
      sobol_cells(cells, &sobol, e, p, half);
    status = add_point(net, e, cells, p, error);
  }
  if (status) sfmi_net_clear(net);
  return status;
}

void sfmi_net_clear(sfmi_net *net) {
  free(net->starts);
  free(net->indices);
  free(net->values);
  *net = (sfmi_net){0};
}

double sfmi_net_kernel(const sfmi_feature_map *map, const sfmi_net *net, size_t p, size_t q) {
  const size_t a = net->starts[p], b = net->starts[q];
  return sfmi_feature_map_kernel(map, net->indices + a, net->values + a, net->starts[p + 1] - a,
                                 net->indices + b, net->values + b, net->starts[q + 1] - b);
}
