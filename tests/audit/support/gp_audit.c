#include "gp_audit.h"

#include "covariance.h"
#include "hardened_audit.h"
#include "estimators/lattice/kernel_sum.h"
#include "mechanisms/functions/density_integers.h"
#include "planner/density/gaussian_process.h"
#include "random/idealised_draws.h"

static void *room(size_t count, size_t size) {
  void *memory = calloc(count, size);
  assert_non_null(memory);
  return memory;
}

density_fixture gp_audit_line(sfm_engine engine, sfm_kernel_family kernel, size_t dimension) {
  density_fixture t;
  density_fixture_init(&t, dimension, 0, 8, 1, 2, 0.1);
  t.settings.engine = engine;
  t.settings.kernel = kernel;
  for (size_t a = 0; a < dimension; a++) t.settings.release_grid[a] = dimension == 1 ? 9 : 3;
  return t;
}

void gp_audit_at(density_fixture *t, const double *points, size_t numbers) {
  memset(t->settings.release_grid, 0, sizeof t->settings.release_grid);
  t->settings.release_points = points;
  t->settings.release_count = numbers / t->settings.dimension;
}

/* --- What is released, without its noise. --- */

static double distance_of(const sfmi_places *places, size_t i, size_t j) {
  double x[SFM_MAX_DIMENSION], y[SFM_MAX_DIMENSION], sum = 0;
  sfmi_places_at(places, i, x);
  sfmi_places_at(places, j, y);
  for (size_t a = 0; a < places->dimension; a++) sum += (x[a] - y[a]) * (x[a] - y[a]);
  return sqrt(sum);
}

/* All that the seeded release says in public; kernel: of its noise. */
static void take_public(gp_audit *e, const sfm_release *release, const sfm_kernel *kernel) {
  const size_t d = release->dimension, numbers = release->length * d;
  *e = (gp_audit){.engine = release->function->engine,
                  .kernel = *kernel,
                  .places = release->function->places,
                  .nugget = release->function->nugget,
                  .scale = release->scale,
                  .mu = release->guarantee.mu};
  if (kernel->bandwidth) memcpy(e->bandwidth, kernel->bandwidth, d * sizeof *e->bandwidth);
  e->kernel.bandwidth = e->bandwidth;
  if (release->function->points) {
    e->points = room(numbers, sizeof *e->points);
    memcpy(e->points, release->function->points, numbers * sizeof *e->points);
  }
  e->places.points = e->points;
}

static void add_noise(gp_audit *e, sfmi_gp_noise *gp_noise, int input) {
  if (e->unit > 0)
    sfmi_gp_noise_add_integers(gp_noise, e->released, e->integers[input], e->unit, e->scale);
  else
    sfmi_gp_noise_add(gp_noise, e->released, e->values[input], e->scale);
}

/* A seeded release of the mechanism itself is what the audit would draw from that seed. */
static void check_production(gp_audit *e, sfm_release *release, int input) {
  sfm_error error;
  sfmi_gp_noise *gp_noise = NULL;
  assert_ok(sfmi_gp_noise_create(&gp_noise, e->engine, &e->kernel, &e->places, e->nugget,
                                 (sfmi_seed){true, 1}, &error),
            &error);
  add_noise(e, gp_noise, input);
  assert_memory_equal(release->reals, e->released, e->places.count * sizeof *e->released);
  sfmi_gp_noise_destroy(gp_noise);
  sfm_release_destroy(release);
}

static void take_integers(gp_audit *e, const sfmi_design_density *design, sfm_rows *rows,
                          const density_fixture *t, int input) {
  sfm_error error;
  sfmi_i128 *sums = NULL;
  assert_ok(sfmi_process_sums(&sums, &design->process, rows, &t->settings, &error), &error);
  assert_ok(sfmi_process_values(&e->integers[input], &design->process, &e->places, sums, &error),
            &error);
  sfmi_process_wipe(&sums, &design->process);
  e->values[input] = room(e->places.count, sizeof(double));
  for (size_t i = 0; i < e->places.count; i++)
    e->values[input][i] = (double)e->integers[input][i] * e->unit;
}

void gp_audit_init_density(gp_audit *e, const density_fixture *t, const double *const rows[2],
                           size_t count) {
  sfm_error error;
  sfmi_design_density *design = room(1, sizeof *design);
  density_fixture seeded = *t;
  seeded.settings.context.seeded = true;
  seeded.settings.context.seed = 1;
  if (seeded.settings.method != SFM_DENSITY_SOBOLEV) seeded.settings.method = SFM_DENSITY_GP;
  seeded.settings.bandwidth = seeded.bandwidth;
  assert_ok(sfmi_design_density_init(design, &seeded.settings, count, &error), &error);
  for (int k = 0; k < 2; k++) {
    sfm_release *release = density_fixture_release(&seeded, rows[k], count);
    sfm_rows *array = NULL;
    if (k == 0) {
      const sfm_kernel kernel = sfmi_process_noise(&design->process);
      take_public(e, release, &kernel);
      e->unit = ldexp(release->function->sup, -SFMI_KERNEL_SUM_BITS);
      e->released = room(e->places.count, sizeof *e->released);
    }
    assert_ok(sfm_rows_from_array(&array, rows[k], count, seeded.settings.dimension,
                                  density_fixture_columns, &error),
              &error);
    take_integers(e, design, array, &seeded, k);
    sfm_rows_destroy(array);
    check_production(e, release, k);
  }
  free(design);
}

/* Equal places have one value. */
static void take_values(gp_audit *e, const sfm_function_settings *settings, int input) {
  sfm_error error;
  const size_t count = e->places.count, d = e->places.dimension;
  double *points = room(count * d, sizeof *points);
  e->values[input] = room(count, sizeof(double));
  for (size_t i = 0; i < count; i++) sfmi_places_at(&e->places, i, points + i * d);
  assert_ok(settings->values(settings->values_data, e->values[input], points, count, &error),
            &error);
  for (size_t i = count; i-- > 0;) /* that of the first */
    for (size_t j = i; j-- > 0;)
      if (distance_of(&e->places, i, j) == 0) e->values[input][i] = e->values[input][j];
  free(points);
}

void gp_audit_init_function(gp_audit *e, const sfm_function_settings *settings) {
  sfm_error error;
  sfm_function_settings seeded = *settings;
  seeded.context.seeded = true;
  seeded.context.seed = 1;
  for (int k = 0; k < 2; k++) {
    sfm_release *release = NULL;
    seeded.values_data = &k;
    assert_ok(sfm_function_release(&release, &seeded, &error), &error);
    if (k == 0) {
      take_public(e, release, settings->kernel);
      e->released = room(e->places.count, sizeof *e->released);
    }
    take_values(e, &seeded, k);
    check_production(e, release, k);
  }
}

void gp_audit_clear(gp_audit *e) {
  for (int k = 0; k < 2; k++) {
    free(e->integers[k]);
    free(e->values[k]);
  }
  sfmi_gp_noise_destroy(e->gp_noise);
  sfmi_stream_destroy(e->stream);
  free(e->points);
  free(e->factor);
  free(e->released);
  free(e->random);
  free(e->ratio);
  free(e->least);
  *e = (gp_audit){0};
}

/* --- The attack. --- */

/* The engine as a matrix, places x normals: what it makes of each unit normal. */
static double *read_map(gp_audit *e, size_t *normals) {
  sfmi_field *field = sfmi_gp_noise_field(e->gp_noise);
  const size_t count = e->places.count, n = sfmi_field_normals(field);
  double *map = room(count * n, sizeof *map), *unit = room(n, sizeof *unit);
  double *column = room(count, sizeof *column);
  for (size_t k = 0; k < n; k++) {
    memset(unit, 0, n * sizeof *unit);
    unit[k] = 1;
    sfmi_field_path(field, column, unit);
    for (size_t i = 0; i < count; i++) map[i * n + k] = column[i];
  }
  free(unit);
  free(column);
  *normals = n;
  return map;
}

static void find_nearest(gp_audit *e) {
  double least = INFINITY;
  for (size_t i = 0; i < e->places.count; i++)
    for (size_t j = 0; j < i; j++) {
      const double distance = distance_of(&e->places, i, j);
      if (distance > 0 && distance < least) {
        least = distance;
        e->pair[0] = i;
        e->pair[1] = j;
      }
    }
}

static void plan_attack(gp_audit *e, const double *map, size_t normals) {
  const size_t count = e->places.count;
  double *covariance = room(count * count, sizeof *covariance);
  e->ratio = room(count, sizeof *e->ratio);
  e->least = room(count, sizeof *e->least);
  covariance_square(covariance, map, count, normals, e->scale);
  covariance_factor(covariance, count);
  for (size_t i = 0; i < count; i++) {
    e->ratio[i] = e->values[1][i] - e->values[0][i];
    if (fabs(e->ratio[i]) > fabs(e->values[1][e->widest] - e->values[0][e->widest])) e->widest = i;
  }
  covariance_solve(covariance, e->ratio, count);
  covariance_least(covariance, e->least, count);
  find_nearest(e);
  free(covariance);
}

void gp_audit_arm(gp_audit *e) {
  sfm_error error;
  const sfmi_seed source = {!test_long(), 1};
  if (e->factor) {
    assert_ok(source.seeded ? sfmi_stream_create_seeded(&e->stream, source.seed, &error)
                            : sfmi_stream_create(&e->stream, &error),
              &error);
    e->random = room(e->normals, sizeof *e->random);
    plan_attack(e, e->factor, e->normals);
    return;
  }
  size_t normals;
  assert_ok(sfmi_gp_noise_create(&e->gp_noise, e->engine, &e->kernel, &e->places, e->nugget, source,
                                 &error),
            &error);
  double *map = read_map(e, &normals);
  plan_attack(e, map, normals);
  free(map);
}

double gp_audit_mu(const gp_audit *e) {
  double square = 0;
  for (size_t i = 0; i < e->places.count; i++)
    square += e->ratio[i] * (e->values[1][i] - e->values[0][i]);
  return sqrt(square);
}

/* Added as the production code adds it. */
static void add_factor(gp_audit *e, int input) {
  sfmi_idealised_normal(e->stream, e->random, e->normals);
  for (size_t i = 0; i < e->places.count; i++) {
    double noise = 0;
    for (size_t k = 0; k < e->normals; k++) noise += e->factor[i * e->normals + k] * e->random[k];
    e->released[i] =
        e->unit > 0
            ? (double)(e->integers[input][i] + (sfmi_i128)rint(e->scale * noise / e->unit)) *
                  e->unit
            : e->values[input][i] + e->scale * noise;
  }
}

/* The low bits that are zero. */
static double zeros_of(double y) {
  uint64_t bits;
  memcpy(&bits, &y, sizeof bits);
  return bits ? __builtin_ctzll(bits) : 64;
}

void gp_audit_score(const gp_audit *e, double *scores) {
  const double one = e->released[e->widest], unit = e->unit > 0 ? e->unit : 0x1p-48;
  double ratio = 0, least = 0, sum = 0;
  for (size_t i = 0; i < e->places.count; i++) {
    const double y = e->released[i];
    ratio += e->ratio[i] * (y - e->values[0][i]);
    least += e->least[i] * y;
    sum += y;
  }
  scores[GP_AUDIT_RATIO] = ratio;
  scores[GP_AUDIT_LEAST] = least;
  scores[GP_AUDIT_PAIR] = e->released[e->pair[0]] - e->released[e->pair[1]];
  scores[GP_AUDIT_ONE] = one;
  scores[GP_AUDIT_SUM] = sum;
  scores[GP_AUDIT_UNITS] = (double)((int64_t)(one / unit) & 255);
  scores[GP_AUDIT_ZEROS] = zeros_of(one);
}

void gp_audit_draw(void *context, int input, double *scores) {
  gp_audit *e = context;
  if (e->factor)
    add_factor(e, input);
  else
    add_noise(e, e->gp_noise, input);
  gp_audit_score(e, scores);
}

void gp_audit_honest(const char *name, gp_audit *e, double epsilon, double delta, double reach,
                     double share) {
  gp_audit_arm(e);
  const double mu = gp_audit_mu(e);
  if (!(mu <= e->mu * (1 + 1e-9))) fail_msg("%s: mu is %.12g, not %.12g", name, mu, e->mu);
  if (!(mu >= reach * e->mu))
    fail_msg("%s: mu is %.12g, less than %g of %.12g", name, mu, reach, e->mu);
  audit_mechanism m = {name, gp_audit_draw, e, GP_AUDIT_SCORES, epsilon, delta};
  audit_honest(&m, share);
  gp_audit_clear(e);
}

void gp_audit_twin(const char *name, gp_audit *e, double epsilon, double delta) {
  gp_audit_arm(e);
  audit_mechanism m = {name, gp_audit_draw, e, GP_AUDIT_SCORES, epsilon, delta};
  audit_twin(&m);
  gp_audit_clear(e);
}
