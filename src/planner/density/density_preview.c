#include "density_preview.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/arena.h"
#include "estimators/sums/frequency_sums.h"
#include "features/bodies/moment_hull.h"
#include "features/bodies/verblunsky.h"
#include "density_template.h"
#include "gaussian_process.h"
#include "releases/band/band.h"
#include "releases/core/release_kind.h"

/* Most records that are drawn: for a release, and for a band. */
static const uint64_t DRAWN_MAX = (uint64_t)1 << 20, DRAWN_BAND = 1 << 14;
static const uint64_t BAND_SEED = 0x7072657669657721u;

/* ---- what is public ---- */

static sfm_status random_basis(sfmi_basis **out, const sfmi_design_density *design, uint64_t seed,
                               sfm_error *error) {
  sfmi_basis stated = {.family = SFMI_RANDOM,
                       .dimension = design->dimension,
                       .count = design->features,
                       .kernel = design->kernel,
                       .seed = seed % SFMI_FREQUENCY_SEEDS};
  memcpy(stated.lower, design->lower, sizeof stated.lower);
  memcpy(stated.upper, design->upper, sizeof stated.upper);
  memcpy(stated.bandwidth, design->bandwidth, sizeof stated.bandwidth);
  return sfmi_basis_create(out, &stated, error);
}

/* The release without its coefficients. */
static sfm_status begin(sfm_release **out, const sfmi_design_density *design,
                        const sfm_density_settings *settings, uint64_t rows, uint64_t seed,
                        sfm_error *error) {
  const bool placed = sfmi_design_density_placed(design);
  const sfmi_steps steps = placed ? (sfmi_steps){0} : sfmi_density_template_steps(design);
  const double rate = design->mu > 0 ? design->mu : settings->epsilon;
  sfm_status status = sfmi_density_template_create(
      out, design, settings, rows, placed ? NULL : &steps,
      placed ? design->process.scale : steps.sensitivity / rate, error);
  if (status) return status;
  (*out)->is_private = false;
  return sfmi_design_density_random(design)
             ? random_basis(&(*out)->function->basis, design, seed, error)
             : SFM_OK;
}

static sfm_status set_band(sfm_release *release, const sfm_density_settings *settings,
                           sfm_error *error) {
  const double confidence = settings->context.confidence;
  sfm_band *band = &release->band;
  if (release->function->basis) return sfmi_band_random_features(band, release, confidence, error);
  if (sfmi_release_placed(release))
    return sfmi_band_places(band, release, confidence, 0, NULL, error);
  /* Each group has its own band, at this confidence. */
  *band = (sfm_band){confidence, INFINITY, INFINITY, INFINITY};
  return sfmi_partition_groups(&release->function->by) > 1
             ? SFM_OK
             : sfmi_band_density(band, release, confidence, error);
}

/* The release itself, or the first of its groups. */
static sfm_status single(sfm_release **release, sfm_error *error) {
  sfm_release *group = NULL;
  if (sfmi_partition_groups(&(*release)->function->by) == 1) return SFM_OK;
  sfm_status status = sfm_release_group(&group, *release, 0, error);
  if (status) return status;
  sfm_release_destroy(*release);
  *release = group;
  return SFM_OK;
}

/* ---- records ---- */

typedef struct row_source {
  sfmi_arena arena;
  const sfmi_shape_model *shape_model;
  sfmi_prng *prng;
  uint64_t rows, drawn;
  size_t dimension, groups;
  sfmi_batch batch;
  double *points;
} row_source;

static sfm_status row_source_init(row_source *c, const sfmi_shape_model *shape_model,
                                  const sfmi_design_density *design, uint64_t rows, uint64_t most,
                                  sfmi_prng *prng, sfm_error *error) {
  const size_t d = design->dimension;
  *c = (row_source){.shape_model = shape_model,
                    .prng = prng,
                    .rows = rows < most ? rows : most,
                    .dimension = d,
                    .groups = design->groups};
  c->batch.columns = d;
  sfmi_arena_arrays(&c->arena, d * SFMI_BATCH_ROWS,
                    (double **[]){&c->batch.values, &c->points, NULL});
  c->batch.keep = sfmi_arena_get(&c->arena, SFMI_BATCH_ROWS, 1);
  if (design->groups > 1)
    c->batch.group = sfmi_arena_get(&c->arena, SFMI_BATCH_ROWS, sizeof *c->batch.group);
  if (c->arena.failed) return sfmi_fail_memory(error);
  memset(c->batch.keep, 1, SFMI_BATCH_ROWS);
  return SFM_OK;
}

/* The next records, or false when all are drawn. */
static bool row_source_next(row_source *c) {
  const uint64_t left = c->rows - c->drawn;
  const size_t count = left < SFMI_BATCH_ROWS ? (size_t)left : SFMI_BATCH_ROWS;
  c->batch.rows = count;
  c->drawn += count;
  sfmi_shape_model_draw(c->shape_model, c->points, count, c->prng);
  for (size_t r = 0; r < count; r++) {
    for (size_t a = 0; a < c->dimension; a++)
      c->batch.values[a * SFMI_BATCH_ROWS + r] = c->points[r * c->dimension + a];
    if (c->batch.group)
      c->batch.group[r] = (uint32_t)(sfmi_prng_word(c->prng) % (uint64_t)c->groups);
  }
  return count > 0;
}

/* Sums over the records, on the lattice that a design spreads them over. */
static sfm_status spread(sfmi_i128 **sums, const sfmi_lattice *lattice, size_t groups,
                         row_source *c, sfm_error *error) {
  *sums = sfmi_alloc(groups * lattice->length, sizeof **sums);
  if (!*sums) return sfmi_fail_memory(error);
  while (row_source_next(c)) sfmi_lattice_add(lattice, *sums, &c->batch, c->batch.group);
  return SFM_OK;
}

/* ---- coefficients without noise, in records ---- */

static sfm_status lattice_sums(double *values, const sfmi_design_density *design, row_source *c,
                               sfm_error *error) {
  const sfmi_lattice *lattice = &design->lattice;
  sfmi_i128 *sums = NULL;
  sfm_status status = spread(&sums, lattice, design->groups, c, error);
  for (size_t i = 0; !status && i < design->groups * lattice->length; i++)
    values[i] = ldexp((double)sums[i], -(int)(lattice->bits * lattice->dimension));
  free(sums);
  return status;
}

static sfm_status spectrum_sums(double *values, const sfmi_design_density *design, row_source *c,
                                sfm_error *error) {
  const sfmi_torus_sums *spectrum = &design->spectrum;
  sfmi_i128 *sums = NULL, *features = NULL;
  sfm_status status = spread(&sums, &spectrum->lattice, 1, c, error);
  if (!status) status = sfmi_torus_sums_transform(spectrum, &features, sums, error);
  for (size_t i = 0; !status && i < spectrum->length; i++)
    values[i] = ldexp((double)features[i], -sfmi_density_template_fine(spectrum));
  free(features);
  free(sums);
  return status;
}

static sfm_status random_sums(double *values, const sfm_release *release, row_source *c,
                              sfm_error *error) {
  const size_t count = release->function->basis->count;
  sfmi_frequency_sums *harmonics = NULL;
  sfmi_i128 *sums = sfmi_alloc(count, sizeof *sums);
  sfm_status status =
      sums ? sfmi_frequency_sums_create(&harmonics, release->function->basis, 0, error)
           : sfmi_fail_memory(error);
  while (!status && row_source_next(c)) sfmi_frequency_sums_add(harmonics, sums, &c->batch);
  const double root = sqrt((double)(count / 2));
  for (size_t i = 0; !status && i < count; i++)
    values[i] = ldexp((double)sums[i], -SFMI_FREQUENCY_SUMS_BITS) / root;
  if (release->length > count) values[count] = SFMI_TOTAL_WEIGHT * (double)c->rows;
  sfmi_frequency_sums_destroy(harmonics);
  free(sums);
  return status;
}

static sfm_status placed_sums(double *values, const sfmi_design_density *design, row_source *c,
                              sfm_error *error) {
  const sfmi_kernel_sum *masses = &design->process.masses;
  const sfmi_places *places = &design->places;
  const double unit = ldexp(sfm_kernel_sup(&masses->kernel), -SFMI_KERNEL_SUM_BITS);
  sfmi_i128 *sums = NULL, value;
  sfmi_kernel_evaluator *mixture = NULL;
  double x[SFM_MAX_DIMENSION];
  sfm_status status = spread(&sums, &masses->lattice, 1, c, error);
  if (!status) status = sfmi_kernel_evaluator_create(&mixture, masses, sums, error);
  for (size_t i = 0; !status && i < places->count; i++) {
    sfmi_places_at(places, i, x);
    sfmi_kernel_evaluator_at(mixture, &value, x, 1);
    values[i] = (double)value * unit;
  }
  sfmi_kernel_evaluator_destroy(mixture);
  free(sums);
  return status;
}

/* The shape itself in place of smoothed records: bands hardly depend on the difference. */
static void placed_shape(double *values, const sfmi_design_density *design, const row_source *c) {
  double x[SFM_MAX_DIMENSION];
  for (size_t i = 0; i < design->places.count; i++) {
    sfmi_places_at(&design->places, i, x);
    sfmi_shape_model_at(c->shape_model, &values[i], x, 1);
    values[i] *= (double)c->rows * design->process.mass;
  }
}

static sfm_status fill_sums(double *values, const sfm_release *release,
                            const sfmi_design_density *design, row_source *c, bool quick,
                            sfm_error *error) {
  if (sfmi_design_density_placed(design) && quick) {
    placed_shape(values, design, c);
    return SFM_OK;
  }
  if (sfmi_design_density_placed(design)) return placed_sums(values, design, c, error);
  if (sfmi_design_density_random(design)) return random_sums(values, release, c, error);
  return design->method == SFM_DENSITY_LATTICE ? lattice_sums(values, design, c, error)
                                               : spectrum_sums(values, design, c, error);
}

/* ---- noise ---- */

/* A uniform point of caratheodory's body, 2m numbers. */
static sfm_status body_point(double *point, const sfm_release *release, sfmi_prng *prng,
                             sfm_error *error) {
  const size_t m = release->function->torus[0].terms;
  double complex *c = sfmi_alloc(2 * m, sizeof *c);
  double *uniforms = sfmi_alloc(2 * m, sizeof *uniforms);
  sfmi_hit_and_run *hull = NULL;
  sfm_status status = c && uniforms ? SFM_OK : sfmi_fail_memory(error);
  if (!status && release->function->density_body == SFM_DENSITY_BODY_HULL) {
    const sfmi_hit_and_run_source source = sfmi_hit_and_run_public(prng);
    status = sfmi_moment_hull_create(&hull, m, error);
    if (!status)
      status = sfmi_hit_and_run_walk(hull, &source, sfmi_hit_and_run_steps(2 * m), error);
    if (!status) memcpy(point, sfmi_hit_and_run_at(hull), 2 * m * sizeof *point);
  } else if (!status) {
    for (size_t i = 0; i < 2 * m; i++) uniforms[i] = sfmi_prng_uniform(prng);
    sfmi_verblunsky_point(c, uniforms, c + m, m);
    for (size_t k = 0; k < m; k++) {
      point[2 * k] = creal(c[k]);
      point[2 * k + 1] = cimag(c[k]);
    }
  }
  sfmi_hit_and_run_destroy(hull);
  free(uniforms);
  free(c);
  return status;
}

/* quick: without the walk in the hull, and so without its noise, which bands hardly depend on. */
static sfm_status add_knorm(sfm_release *release, const double *values, bool quick, sfmi_prng *prng,
                            sfm_error *error) {
  const size_t D = 2 * release->function->torus[0].terms;
  double *point = sfmi_alloc(D, sizeof *point);
  if (!point) return sfmi_fail_memory(error);
  const bool still = quick && release->function->density_body == SFM_DENSITY_BODY_HULL;
  sfm_status status = still ? SFM_OK : body_point(point, release, prng, error);
  const double r = release->scale * sfmi_prng_gamma(prng, (double)D + 1);
  release->reals[0] = (double)release->rows;
  for (size_t i = 0; !status && i < D; i++)
    release->reals[i + 1] = values[i + 1] + M_SQRT2 * r * point[i];
  free(point);
  return status;
}

static sfm_status add_process(sfm_release *release, const sfmi_design_density *design,
                              const double *values, sfmi_prng *prng, sfm_error *error) {
  const sfm_kernel noise = sfmi_process_noise(&design->process);
  sfmi_field *field = NULL;
  sfm_status status = sfmi_field_create(&field, design->engine, &noise, &design->places,
                                        release->function->nugget, error);
  const size_t count = !status ? sfmi_field_normals(field) : 0;
  double *normals = sfmi_alloc(count, sizeof *normals);
  if (!status && !normals) status = sfmi_fail_memory(error);
  if (!status) {
    for (size_t i = 0; i < count; i++) normals[i] = sfmi_prng_normal(prng);
    sfmi_field_path(field, release->reals, normals);
    for (size_t i = 0; i < release->length; i++)
      release->reals[i] = values[i] + release->scale * release->reals[i];
  }
  free(normals);
  sfmi_field_destroy(field);
  return status;
}

/* Noise of the law on every coefficient, in whole steps; the constant of frequencies is public. */
static void add_steps(sfm_release *release, const double *values, sfmi_prng *prng) {
  const bool normal = sfmi_release_normal(release), constant = sfmi_release_harmonic(release);
  for (size_t i = 0; i < release->length; i++) {
    const double noise = normal ? sfmi_prng_normal(prng) : sfmi_prng_laplace(prng);
    const double kept = constant && i == 0 ? 0 : release->scale * noise;
    release->integers[i] = llround(fmin(fmax((values[i] + kept) / release->step, -0x1p62), 0x1p62));
  }
}

static sfm_status fill(sfm_release *release, const sfmi_design_density *design, uint64_t rows,
                       const sfmi_shape_model *shape_model, uint64_t most, sfmi_prng *prng,
                       sfm_error *error) {
  const bool quick = most == DRAWN_BAND;
  row_source c;
  sfm_status status = row_source_init(&c, shape_model, design, rows, most, prng, error);
  double *values = sfmi_arena_doubles(&c.arena, release->length);
  if (!status && !values) status = sfmi_fail_memory(error);
  if (!status) status = fill_sums(values, release, design, &c, quick, error);
  if (!status) {
    for (size_t i = 0; i < release->length; i++) values[i] *= (double)rows / (double)c.rows;
    if (sfmi_release_harmonic(release)) values[0] = (double)rows;
    if (sfmi_design_density_placed(design))
      status = add_process(release, design, values, prng, error);
    else if (release->hardened)
      add_steps(release, values, prng);
    else
      status = add_knorm(release, values, quick, prng, error);
  }
  sfmi_arena_clear(&c.arena);
  return status;
}

/* At most so many records are drawn, and for the band so many noises (0: as many as are usual). */
static sfm_status simulate(sfm_release **out, const sfmi_design_density *design,
                           const sfm_density_settings *settings, uint64_t rows,
                           const sfmi_shape_model *shape_model, uint64_t most, size_t draws,
                           uint64_t seed, sfm_error *error) {
  sfmi_prng prng;
  *out = NULL;
  sfmi_prng_init(&prng, seed);
  sfm_release *release = NULL;
  sfm_status status = begin(&release, design, settings, rows, seed, error);
  if (!status) status = fill(release, design, rows, shape_model, most, &prng, error);
  if (!status) {
    release->draws = draws;
    status = set_band(release, settings, error);
  }
  if (!status && !sfmi_release_write_sentence(release)) status = sfmi_fail_memory(error);
  if (!status) status = single(&release, error);
  if (!status)
    *out = release;
  else
    sfm_release_destroy(release);
  return status;
}

sfm_status sfmi_density_preview_create(sfm_release **out, const sfmi_design_density *design,
                                       const sfm_density_settings *settings, uint64_t rows,
                                       const sfmi_shape_model *shape_model, uint64_t seed,
                                       sfm_error *error) {
  return simulate(out, design, settings, rows, shape_model, DRAWN_MAX, 0, seed, error);
}

sfm_status sfmi_density_preview_band(sfm_band *band, const sfmi_design_density *design,
                                     const sfm_density_settings *settings, uint64_t rows,
                                     const sfmi_shape_model *shape_model, size_t draws,
                                     sfm_error *error) {
  sfm_release *release = NULL;
  sfm_status status =
      simulate(&release, design, settings, rows, shape_model, DRAWN_BAND, draws, BAND_SEED, error);
  if (!status) *band = release->band;
  sfm_release_destroy(release);
  return status;
}
