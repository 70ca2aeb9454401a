#include "function_forms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "features/bodies/moment_hull.h"
#include "features/bodies/verblunsky.h"
#include "features/kernels/kernel.h"

#define AT(field) .offset = offsetof(sfmi_function_body, field)

static void set_axes(json_t *object, const char *key, const size_t *sizes, size_t count) {
  json_t *array = json_array();
  for (size_t a = 0; a < count; a++)
    json_array_append_new(array, json_integer((json_int_t)sizes[a]));
  json_object_set_new(object, key, array);
}

/* A whole number from `least` on for every column. */
static sfm_status read_axes(const sfmi_parse_context *at, size_t *sizes, const json_t *object,
                            const char *key, size_t count, json_int_t least) {
  const json_t *array = json_object_get(object, key);
  if (!json_is_array(array) || json_array_size(array) != count)
    return sfmi_parse_wrong(at, key, "an array with one element per column");
  for (size_t a = 0; a < count; a++) {
    const json_t *value = json_array_get(array, a);
    const json_int_t size = json_is_integer(value) ? json_integer_value(value) : -1;
    if (size < least || size > (json_int_t)SFMI_RELEASE_MAX)
      return sfmi_parse_wrong(at, key, "an array of whole numbers in range");
    sizes[a] = (size_t)size;
  }
  return SFM_OK;
}

/* Multiplies *product by the size of an axis; false when it is too large. */
static bool multiply(size_t *product, size_t size) {
  if (size == 0 || size > SFMI_RELEASE_MAX || *product > SFMI_RELEASE_MAX / size) return false;
  *product *= size;
  return true;
}

static sfm_status check_product(const sfm_release *release, size_t product, const char *name,
                                sfm_error *error) {
  if (product == release->length) return SFM_OK;
  return sfmi_fail(error, SFM_FORMAT, "%s: %zu coefficients where the axes need %zu", name,
                   release->length, product);
}

static sfm_status fail_dimension(const char *name, sfm_error *error) {
  return sfmi_fail(error, SFM_FORMAT, "%s: a lattice or torus has at most %d columns", name,
                   SFMI_LATTICE_DIMENSIONS);
}

static sfm_status fail_axis(size_t a, const char *name, sfm_error *error) {
  return sfmi_fail(error, SFM_FORMAT, "%s: axis %zu is too large", name, a);
}

/* ---- lattice ---- */

static const sfmi_member lattice_members[] = {
    {"order", SFMI_MEMBER_UNSIGNED, .offset = offsetof(sfmi_lattice, order),
     .most = SFMI_SPLINE_MAX},
    {"bits", SFMI_MEMBER_UNSIGNED, .offset = offsetof(sfmi_lattice, bits), .most = 40},
    {0}};

static void set_lattice(json_t *root, const sfm_release *release) {
  size_t cells[SFM_MAX_DIMENSION];
  json_t *object = json_object();
  for (size_t a = 0; a < release->dimension; a++)
    cells[a] = release->function->lattice.axis[a].cells;
  sfmi_members_set(object, &release->function->lattice, lattice_members);
  set_axes(object, "cells", cells, release->dimension);
  json_object_set_new(root, "lattice", object);
}

static sfm_status read_lattice(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  const json_t *object = json_object_get(root, "lattice");
  const size_t d = release->dimension, groups = sfmi_partition_groups(&release->function->by);
  size_t cells[SFM_MAX_DIMENSION];
  sfmi_lattice *lattice = &release->function->lattice;
  *lattice = (sfmi_lattice){.dimension = d, .length = release->length / groups};
  sfm_status status = sfmi_members_read_object(at, lattice, root, "lattice", lattice_members);
  if (!status) status = read_axes(at, cells, object, "cells", d, 1);
  if (status) return status;
  if (release->law != SFM_NOISE_LAW_DISCRETE_LAPLACE &&
      release->law != SFM_NOISE_LAW_ROUNDED_NORMAL)
    return sfmi_parse_wrong(at, "law", "one of discrete-laplace rounded-normal");
  if (lattice->order < SFMI_SPLINE_MIN) return sfmi_parse_wrong(at, "order", "from 2 to 6");
  if (release->step != ldexp(1, -(int)(lattice->bits * (d + release->function->dropped))))
    return sfmi_parse_wrong(at, "step", "2^-bits per axis for a lattice, dropped axes included");
  for (size_t a = 0; a < d; a++) {
    sfmi_lattice_set_axis(lattice, a, release->lower[a], release->upper[a], cells[a],
                          release->boundary[a]);
    if (!(lattice->axis[a].spacing > 0)) return sfmi_parse_wrong(at, "cells", "fewer");
  }
  return SFM_OK;
}

static sfm_status check_lattice(const sfm_release *release, const char *name, sfm_error *error) {
  size_t product = sfmi_partition_groups(&release->function->by);
  double padded = 1;
  if (release->dimension > SFMI_LATTICE_DIMENSIONS) return fail_dimension(name, error);
  for (size_t a = 0; a < release->dimension; a++) {
    if (!multiply(&product, release->function->lattice.axis[a].points))
      return fail_axis(a, name, error);
    padded *= (double)sfmi_lattice_padded(&release->function->lattice.axis[a],
                                          release->function->bandwidth[a]);
  }
  if (padded > (double)SFMI_PADDED_MAX)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: evaluating it would take a lattice of %.3g points; at most %zu are "
                     "possible",
                     name, padded, SFMI_PADDED_MAX);
  return check_product(release, product, name, error);
}

/* ---- torus ---- */

/* Of caratheodory. */
static const sfmi_member body_members[] = {
    {"body", SFMI_MEMBER_WORD, AT(density_body), .words = SFM_ENUMERATION_DENSITY_BODY}, {0}};

static void set_torus(json_t *root, const sfm_release *release) {
  size_t terms[SFM_MAX_DIMENSION];
  json_t *object = json_object();
  for (size_t a = 0; a < release->dimension; a++) terms[a] = release->function->torus[a].terms;
  set_axes(object, "terms", terms, release->dimension);
  json_object_set_new(root, "torus", object);
  if (release->method == SFMI_CARATHEODORY) sfmi_members_set(root, release->function, body_members);
}

/* What fourier-laplace and caratheodory have in common. */
static sfm_status check_harmonic(const sfmi_parse_context *at, const sfm_release *release) {
  const bool body = release->method == SFMI_CARATHEODORY;
  if (body && release->dimension != 1)
    return sfmi_parse_wrong(at, "domain", "one column for caratheodory");
  if (body != (release->law == SFM_NOISE_LAW_KNORM))
    return sfmi_parse_wrong(at, "law", "k-norm for caratheodory, and only there");
  if (!release->has_rows || sfm_release_coefficient(release, 0) != (double)release->rows)
    return sfmi_parse_wrong(
        at, "coefficients",
        "an array whose first number, that of the constant, is the number of rows");
  return SFM_OK;
}

/* One axis of them; sizes in all are for sfmi_release_check. */
static sfm_status read_harmonic(const sfmi_parse_context *at, sfm_release *release, size_t a,
                                size_t terms) {
  const size_t most = release->method == SFMI_CARATHEODORY &&
                              release->function->density_body == SFM_DENSITY_BODY_HULL
                          ? SFMI_MOMENT_HULL_MAX
                          : SFMI_VERBLUNSKY_MAX;
  if (terms < 1 || terms > most)
    return sfmi_parse_wrong(at, "terms", "from 1 to 2000 frequencies, 24 of the body hull");
  if (release->boundary[a] == SFM_BOUNDARY_REFLECT)
    return sfmi_parse_wrong(at, "boundary",
                            "open or periodic for fourier-laplace and caratheodory");
  sfmi_torus_lay(&release->function->torus[a], release->lower[a], release->upper[a],
                 release->function->bandwidth[a], release->boundary[a] == SFM_BOUNDARY_PERIODIC,
                 terms);
  return SFM_OK;
}

/* One axis of a gp. */
static sfm_status read_features(const sfmi_parse_context *at, sfm_release *release, size_t a,
                                size_t terms) {
  const double lower = release->lower[a], upper = release->upper[a],
               h = release->function->bandwidth[a];
  const bool reflects = release->boundary[a] == SFM_BOUNDARY_REFLECT;
  const double need =
      reflects ? sfmi_torus_need_reflecting(lower, upper, h) : sfmi_torus_need(lower, upper, h);
  sfmi_torus *torus = &release->function->torus[a];
  /* Refused before anything is computed by it; one off is another machine's logarithm. */
  if (!(fabs((double)terms - floor(need)) <= 1))
    return sfmi_parse_wrong(at, "terms", "what the bandwidths need");
  const sfm_status status =
      (reflects ? sfmi_torus_init_reflecting : sfmi_torus_init)(torus, lower, upper, h, at->error);
  torus->terms = terms;
  return status;
}

static sfm_status read_torus(const sfmi_parse_context *at, sfm_release *release,
                             const json_t *root) {
  const json_t *object = json_object_get(root, "torus");
  const bool harmonic = sfmi_release_harmonic(release);
  size_t terms[SFM_MAX_DIMENSION];
  if (!json_is_object(object)) return sfmi_parse_wrong(at, "torus", "an object");
  sfm_status status = SFM_OK;
  if (release->method == SFMI_CARATHEODORY)
    status = sfmi_members_read(at, release->function, root, body_members);
  if (!status && harmonic) status = check_harmonic(at, release);
  if (!status) status = read_axes(at, terms, object, "terms", release->dimension, 0);
  for (size_t a = 0; a < release->dimension && !status; a++)
    status = (harmonic ? read_harmonic : read_features)(at, release, a, terms[a]);
  return status;
}

static sfm_status check_torus(const sfm_release *release, const char *name, sfm_error *error) {
  size_t product = sfmi_partition_groups(&release->function->by);
  if (release->dimension > SFMI_LATTICE_DIMENSIONS) return fail_dimension(name, error);
  for (size_t a = 0; a < release->dimension; a++)
    if (!multiply(&product, sfmi_torus_size(&release->function->torus[a])))
      return fail_axis(a, name, error);
  return check_product(release, product, name, error);
}

/* ---- basis ---- */

static const char *const families[] = {"fourier", "cosine", "legendre", "hermite", "haar",
                                       "db4",     "eigen",  "span",     "random",  NULL};

static bool is_hermite(const void *basis) {
  return ((const sfmi_basis *)basis)->family == SFMI_HERMITE;
}

static bool is_eigen(const void *basis) {
  return ((const sfmi_basis *)basis)->family == SFMI_EIGEN;
}

static bool is_random(const void *basis) {
  return ((const sfmi_basis *)basis)->family == SFMI_RANDOM;
}

static const sfmi_member family_members[] = {
    {"family", SFMI_MEMBER_WORD, .offset = offsetof(sfmi_basis, family), .names = families}, {0}};

static const sfmi_member basis_members[] = {
    {"unit", SFMI_MEMBER_NUMBER, .offset = offsetof(sfmi_basis, unit), .there = is_hermite},
    {"nodes", SFMI_MEMBER_SIZE, .offset = offsetof(sfmi_basis, nodes), .most = SFMI_BASIS_TABLE_MAX,
     .there = is_eigen},
    {"seed", SFMI_MEMBER_COUNT, .offset = offsetof(sfmi_basis, seed), .most = 0x1p53,
     .there = is_random},
    {0}};

static const sfmi_member curve_members[] = {
    {"clip", SFMI_MEMBER_NUMBER, AT(clip), .sign = SFMI_POSITIVE},
    {"ridge", SFMI_MEMBER_NUMBER, AT(ridge), .sign = SFMI_NOT_NEGATIVE},
    {0}};

/* A table is a long list. */
static void set_basis(json_t *root, const sfm_release *release) {
  const sfmi_basis *basis = release->function->basis;
  const size_t terms = basis->count + sfmi_basis_family_has_constant(basis->family);
  json_t *object = json_object();
  sfmi_members_set(object, basis, family_members);
  json_object_set_new(object, "terms", json_integer((json_int_t)terms));
  sfmi_members_set(object, basis, basis_members);
  if (basis->family == SFMI_SPAN)
    sfmi_json_set_numbers(object, "points", basis->points, basis->nodes);
  json_object_set_new(root, "basis", object);
  if (release->method == SFMI_CURVE) sfmi_members_set(root, release->function, curve_members);
}

static void print_basis(FILE *stream, const sfm_release *release) {
  const sfmi_basis *basis = release->function->basis;
  if (basis->table)
    sfmi_json_print_numbers(stream, "table", basis->table, basis->count * basis->nodes);
}

/* What the file states of its basis; points and table are filled as far as it got. */
static sfm_status read_stated(const sfmi_parse_context *at, sfmi_basis *basis,
                              const sfm_release *release, const json_t *root) {
  const json_t *object = json_object_get(root, "basis");
  uint64_t terms = 0;
  size_t numbers = 0;
  sfm_status status = sfmi_members_read_object(at, basis, root, "basis", family_members);
  if (status) return status;
  const bool span = basis->family == SFMI_SPAN,
             constant = sfmi_basis_family_has_constant(basis->family);
  if (span != (release->method == SFMI_CURVE) || is_random(basis) != (release->method == SFMI_GP))
    return sfmi_parse_wrong(at, "family", "one that the method has");
  status = sfmi_parse_count(at, &terms, object, "terms", SFMI_BASIS_MAX);
  if (!status && terms < 1u + constant) status = sfmi_parse_wrong(at, "terms", "more");
  if (!status) status = sfmi_members_read(at, basis, object, basis_members);
  if (status) return status;
  basis->count = (size_t)terms - constant;
  if (span)
    status = sfmi_parse_numbers(at, &basis->points, &basis->nodes, object, "points",
                                SFMI_BASIS_TABLE_MAX);
  if (status || basis->nodes == 0) return status;
  status = sfmi_parse_numbers(at, &basis->table, &numbers, root, "table", SFMI_BASIS_TABLE_MAX);
  if (status) return status;
  return numbers == basis->count * basis->nodes
             ? SFM_OK
             : sfmi_parse_wrong(at, "table", "terms x nodes numbers");
}

static sfm_status read_basis(const sfmi_parse_context *at, sfm_release *release,
                             const json_t *root) {
  sfmi_basis stated = {.dimension = release->dimension, .kernel = release->function->kernel};
  sfm_error why;
  memcpy(stated.lower, release->lower, sizeof stated.lower);
  memcpy(stated.upper, release->upper, sizeof stated.upper);
  memcpy(stated.bandwidth, release->function->bandwidth, sizeof stated.bandwidth);
  sfm_status status = read_stated(at, &stated, release, root);
  if (status) {
    free(stated.points);
    free(stated.table);
    return status;
  }
  /* Before as many frequencies are drawn. */
  if (is_random(&stated) && stated.count + !release->has_rows != release->length)
    return sfmi_parse_wrong(at, "terms",
                            "as many as there are coefficients (under add-remove, less one)");
  if (sfmi_basis_create(&release->function->basis, &stated, &why))
    return sfmi_fail(at->error, SFM_FORMAT, "%s: \"basis\": %s", at->name, why.message);
  return release->method == SFMI_CURVE
             ? sfmi_members_read(at, release->function, root, curve_members)
             : SFM_OK;
}

/* A coefficient for every function, and where there is one for the total. */
static sfm_status check_basis(const sfm_release *release, const char *name, sfm_error *error) {
  const bool total = release->function->engine == SFM_ENGINE_RANDOM && !release->has_rows;
  if (release->length != release->function->basis->count + total)
    return sfmi_fail(error, SFM_FORMAT, "%s: %zu coefficients where the basis has %zu functions%s",
                     name, release->length, release->function->basis->count,
                     total ? " and a total" : "");
  const double mass = sfmi_release_mass(release);
  if (!(mass >= SFMI_MASS_MIN && mass <= SFMI_MASS_MAX))
    return sfmi_fail(error, SFM_FORMAT, "%s: the kernel's integral is %.3g, too far from 1", name,
                     mass);
  return SFM_OK;
}

/* ---- values at places ---- */

static bool is_polynomial(const void *body) {
  return ((const sfmi_function_body *)body)->kernel == SFM_KERNEL_POLYNOMIAL;
}

static const sfmi_member place_members[] = {
    {"degree", SFMI_MEMBER_UNSIGNED, AT(degree), .sign = SFMI_POSITIVE, .most = 1000,
     .there = is_polynomial},
    {"constant", SFMI_MEMBER_NUMBER, AT(constant), .sign = SFMI_NOT_NEGATIVE,
     .there = is_polynomial},
    {"sup", SFMI_MEMBER_NUMBER, AT(sup), .sign = SFMI_POSITIVE},
    {"nugget", SFMI_MEMBER_NUMBER, AT(nugget), .sign = SFMI_POSITIVE},
    {0}};

/* A list of points is a long list. */
static void set_places(json_t *object, const sfm_release *release) {
  if (release->method == SFMI_SOBOLEV)
    sfmi_json_set_numbers(object, "gamma", release->function->gamma, release->dimension);
  sfmi_members_set(object, release->function, place_members);
  if (!release->function->places.points)
    set_axes(object, "grid", release->function->places.counts, release->dimension);
}

static void print_places(FILE *stream, const sfm_release *release) {
  const size_t d = release->dimension;
  if (!release->function->places.points) return;
  fputs(",\n \"points\": [", stream);
  for (size_t i = 0; i < release->function->places.count; i++) {
    fputs(i == 0 ? "\n  " : i % 6 == 0 ? ",\n  " : ", ", stream);
    for (size_t a = 0; a < d; a++)
      sfmi_fprintf(stream, a ? ", %.17g" : "[%.17g", release->function->places.points[i * d + a]);
    fputc(']', stream);
  }
  fputs("\n ]", stream);
}

static sfm_status read_points(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *array) {
  const size_t d = release->dimension, count = json_array_size(array);
  if (count != release->length)
    return sfmi_parse_wrong(at, "points", "as many as there are coefficients");
  release->function->places.points = release->function->points =
      sfmi_alloc(count * d, sizeof *release->function->points);
  release->function->places.count = count;
  if (!release->function->points) return sfmi_fail_memory(at->error);
  for (size_t i = 0; i < count; i++) {
    const json_t *point = json_array_get(array, i);
    if (json_array_size(point) != d)
      return sfmi_parse_wrong(at, "points",
                              "an array of points, each an array with one number per column");
    if (!sfmi_json_numbers(release->function->points + i * d, point, d))
      return sfmi_parse_wrong(at, "points", "made of finite numbers");
  }
  return SFM_OK;
}

/* Of values at places, and of a refined density. */
static sfm_status read_grid_places(const sfmi_parse_context *at, sfm_release *release,
                                   const json_t *root) {
  const size_t d = release->dimension;
  sfmi_places *places = &release->function->places;
  sfm_status status = read_axes(at, places->counts, root, "grid", d, 2);
  places->count = 1;
  for (size_t a = 0; a < d && !status; a++) {
    if (places->counts[a] > SFMI_PLACES_MAX / places->count)
      return sfmi_parse_wrong(at, "grid",
                              "an array of whole numbers from 2, not too many points in all");
    places->count *= places->counts[a];
  }
  return status;
}

static void bound_places(sfm_release *release) {
  release->function->places.dimension = release->dimension;
  memcpy(release->function->places.lower, release->lower, sizeof release->lower);
  memcpy(release->function->places.upper, release->upper, sizeof release->upper);
}

static sfm_status read_gamma(const sfmi_parse_context *at, sfm_release *release,
                             const json_t *root) {
  double *gamma = release->function->gamma;
  bool good = sfmi_json_numbers(gamma, json_object_get(root, "gamma"), release->dimension);
  for (size_t a = 0; a < release->dimension && good; a++)
    good = gamma[a] >= 1e-30 && gamma[a] <= 1e30;
  return good ? SFM_OK : sfmi_parse_wrong(at, "gamma", "a positive number for every column");
}

static sfm_status read_places(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *root) {
  const json_t *points = json_object_get(root, "points");
  sfm_status status = sfmi_members_read(at, release->function, root, place_members);
  if (status) return status;
  if (release->function->nugget > release->function->sup)
    return sfmi_parse_wrong(at, "nugget", "at most \"sup\"");
  if (sfmi_kernel_stationary(release->function->kernel) && release->function->sup != 1)
    return sfmi_parse_wrong(at, "sup", "1");
  if (release->method == SFMI_SOBOLEV) status = read_gamma(at, release, root);
  if (status) return status;
  bound_places(release);
  return points ? read_points(at, release, points) : read_grid_places(at, release, root);
}

/* Within the bounds, a coefficient for each. */
static sfm_status check_places(const sfm_release *release, const char *name, sfm_error *error) {
  const sfmi_places *places = &release->function->places;
  const size_t d = release->dimension;
  if (places->count != release->length || places->dimension != d)
    return sfmi_fail(error, SFM_FORMAT, "%s: %zu coefficients where there are %zu places", name,
                     release->length, places->count);
  double inverse[SFM_MAX_DIMENSION];
  const sfm_kernel kernel = sfmi_release_noise_kernel(release, inverse);
  sfm_error why;
  /* gram: a session may have answered more than one batch can hold. */
  if (release->function->engine != SFM_ENGINE_GRAM &&
      sfmi_field_suits(release->function->engine, &kernel, places, &why))
    return sfmi_fail(error, SFM_FORMAT, "%s: %s", name, why.message);
  for (size_t i = 0; places->points && i < places->count * d; i++)
    if (!(places->points[i] >= release->lower[i % d] && places->points[i] <= release->upper[i % d]))
      return sfmi_fail(error, SFM_FORMAT, "%s: points[%zu] is outside the domain", name, i / d);
  return SFM_OK;
}

/* ---- the grid of a refined density ---- */

#define REFINED(field) .offset = offsetof(sfmi_refinement, field)

static bool has_parts(const void *refinement) {
  const sfmi_refinement *r = refinement;
  return r->combined && r->parts;
}

/* Files of 0.1 have no parts. */
static const sfmi_member refined_members[] = {
    {"shrink", SFMI_MEMBER_BOOL, REFINED(shrunk)},
    {"nonnegative", SFMI_MEMBER_BOOL, REFINED(nonnegative)},
    {"normalise", SFMI_MEMBER_BOOL, REFINED(normalised)},
    {"combine", SFMI_MEMBER_BOOL, REFINED(combined)},
    {"parts", SFMI_MEMBER_COUNT, REFINED(parts), .most = 0x1p53, .there = has_parts,
     .optional = true},
    {"disjoint", SFMI_MEMBER_BOOL, REFINED(disjoint), .there = has_parts},
    {"parts_disjoint", SFMI_MEMBER_BOOL, REFINED(parts_disjoint), .there = has_parts},
    {0}};

/* How large the groups are: what readers of a summary need of the coefficients, and of a refined
 * release all that is left. */
void sfmi_function_set_sizes(json_t *object, const sfm_release *release) {
  const size_t groups = sfm_release_group_count(release);
  double size = NAN, deviation = NAN;
  if (groups == 0) return;
  json_t *sizes = json_array();
  for (size_t g = 0; g < groups; g++) {
    sfm_release_group_size(release, &size, &deviation, g);
    json_array_append_new(sizes, sfmi_json_number(size));
  }
  json_object_set_new(object, "sizes", sizes);
  json_object_set_new(object, "size_error", sfmi_json_number(deviation));
}

static void set_grid(json_t *object, const sfm_release *release) {
  sfmi_members_set_object(object, "refined", &release->refined, refined_members);
  set_axes(object, "grid", release->function->places.counts, release->dimension);
  sfmi_function_set_sizes(object, release);
}

static sfm_status read_sizes(const sfmi_parse_context *at, sfm_release *release,
                             const json_t *root) {
  const size_t groups = sfm_release_group_count(release);
  size_t count = 0;
  if (groups == 0) return SFM_OK;
  sfm_status status =
      sfmi_parse_numbers(at, &release->function->sizes, &count, root, "sizes", SFMI_GROUPS_MAX);
  if (!status) status = sfmi_parse_number(at, &release->function->size_error, root, "size_error");
  if (status) return status;
  bool good = count == groups && release->function->size_error >= 0;
  for (size_t g = 0; g < count; g++) good = good && release->function->sizes[g] >= 0;
  return good ? SFM_OK
              : sfmi_parse_wrong(at, "sizes", "a number >= 0 for every group, their error too");
}

static sfm_status read_grid(const sfmi_parse_context *at, sfm_release *release,
                            const json_t *root) {
  sfmi_refinement *r = &release->refined;
  sfm_status status = sfmi_members_read_object(at, r, root, "refined", refined_members);
  if (status) return status;
  const bool stated = json_object_get(json_object_get(root, "refined"), "parts") != NULL;
  if (!r->combined)
    r->parts = 0;
  else if (stated && r->parts < 2)
    return sfmi_parse_wrong(at, "parts", "the number of releases, at least 2");
  bound_places(release);
  status = read_sizes(at, release, root);
  return status ? status : read_grid_places(at, release, root);
}

static sfm_status check_grid(const sfm_release *release, const char *name, sfm_error *error) {
  size_t product = sfmi_partition_groups(&release->function->by);
  if (release->dimension > SFMI_GRID_DENSITY_DIMENSIONS)
    return sfmi_fail(error, SFM_FORMAT, "%s: a refined density has 1 to %d columns", name,
                     SFMI_GRID_DENSITY_DIMENSIONS);
  for (size_t a = 0; a < release->dimension; a++) product *= release->function->places.counts[a];
  return check_product(release, product, name, error);
}

const sfmi_function_form *sfmi_function_form_of(const sfm_release *release) {
  static const sfmi_function_form forms[] = {
      [SFMI_FORM_LATTICE] = {set_lattice, NULL, read_lattice, check_lattice},
      [SFMI_FORM_TORUS] = {set_torus, NULL, read_torus, check_torus},
      [SFMI_FORM_BASIS] = {set_basis, print_basis, read_basis, check_basis},
      [SFMI_FORM_PLACES] = {set_places, print_places, read_places, check_places},
      [SFMI_FORM_GRID] = {set_grid, NULL, read_grid, check_grid},
  };
  return &forms[sfmi_release_form(release)];
}
