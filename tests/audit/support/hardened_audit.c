#include "hardened_audit.h"

#include "test_support.h"

#include "mechanisms/functions/random_feature_sums.h"
#include "mechanisms/functions/density_integers.h"
#include "planner/density/design_random_features.h"
#include "planner/design/design_vector.h"
#include "privacy/calibration.h"
#include "releases/core/release_data.h"

#define MUST(call)                                                                                 \
  do {                                                                                             \
    sfm_error must_error = {0};                                                                    \
    sfm_error *error = &must_error;                                                                \
    if ((call)) fail_msg("%s: %s", #call, must_error.message);                                     \
  } while (0)

/* A lattice of the order wanted, with as many cells. */
static void force_order(sfmi_design_density *design, unsigned order) {
  sfmi_lattice *lattice = &design->lattice;
  lattice->order = order;
  lattice->length = 1;
  for (size_t a = 0; a < lattice->dimension; a++) {
    const sfmi_lattice_axis *axis = &lattice->axis[a];
    sfmi_lattice_set_axis(lattice, a, axis->lower, axis->upper, axis->cells, axis->boundary);
    lattice->length *= axis->points;
  }
}

static void find_widest(hardened_audit *s) {
  sfmi_i128 most = -1;
  for (size_t i = 0; i < s->length; i++) {
    sfmi_i128 change = s->values[1][i] - s->values[0][i];
    if (change < 0) change = -change;
    if (change > most) {
      most = change;
      s->widest = i;
    }
  }
}

static void hardened_audit_alloc(hardened_audit *s, size_t length) {
  *s = (hardened_audit){.length = length};
  s->released = calloc(length, sizeof *s->released);
  assert_non_null(s->released);
}

/* A seeded release of the mechanism itself is what the audit would draw from that seed. */
static void check_production(const hardened_audit *s, sfm_release *release, int input) {
  sfmi_hardener *hardener;
  const size_t public = release->length - s->length;
  assert_in_range(public, 0, 1);
  MUST(sfmi_hardener_create(&hardener, &s->hardening.law, (sfmi_seed){true, 1}, error));
  sfmi_hardener_add(hardener, s->released, s->values[input], s->length);
  sfmi_hardener_destroy(hardener);
  assert_memory_equal(release->integers + public, s->released, s->length * sizeof *s->released);
  assert_true(release->scale == s->hardening.step * sfmi_noise_scale(&s->hardening.law));
  sfm_release_destroy(release);
}

/* The columns of a problem. */
static const char *const NAMES[] = {"a", "b", "c", "d", "e", "f"};
static const double BANDWIDTH[] = {1, 1, 1, 1, 1, 1};
static const sfm_boundary CIRCLES[] = {SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC,
                                       SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC,
                                       SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC};

enum { HARDENED_AUDIT_GROUPS = 4 };
static const char *const BY[] = {"group"}, *const CODES[HARDENED_AUDIT_GROUPS] = {"0", "1", "2",
                                                                                  "3"};

static sfm_schema *schema_of(const density_problem *p) {
  sfm_schema *schema;
  assert_in_range(p->dimension, 1, HARDENED_AUDIT_DIMENSIONS);
  MUST(sfm_schema_create(&schema, error));
  for (size_t a = 0; a < p->dimension; a++)
    MUST(sfm_schema_set_bounds(schema, NAMES[a], 0, p->width, error));
  MUST(sfm_schema_set_neighbours(schema, p->neighbours, error));
  MUST(sfm_schema_set_contributions(schema, p->contributions, error));
  if (p->person) MUST(sfm_schema_set_person(schema, "id", error));
  assert_in_range(p->groups, 0, HARDENED_AUDIT_GROUPS);
  if (p->groups) MUST(sfm_schema_set_categories(schema, *BY, CODES, p->groups, error));
  return schema;
}

/* boundary and period have room for all columns. */
static sfm_density_settings settings_of(const density_problem *p, const sfm_schema *schema,
                                        sfm_boundary *boundary, double *period) {
  sfm_density_settings settings = sfm_density_settings_default();
  for (size_t a = 0; a < p->dimension; a++) {
    boundary[a] = p->boundary;
    period[a] = p->period;
  }
  settings.boundary = boundary;
  settings.period = period;
  settings.outside = SFM_OUTSIDE_CLAMP;
  settings.noise = p->noise;
  settings.context.schema = schema;
  settings.columns = NAMES;
  settings.dimension = p->dimension;
  settings.bandwidth = BANDWIDTH;
  settings.epsilon = p->epsilon;
  settings.delta = p->delta;
  settings.method = p->method;
  settings.engine = p->features ? SFM_ENGINE_RANDOM : SFM_ENGINE_AUTO;
  settings.features = p->features;
  settings.by = BY;
  settings.by_count = p->groups > 0;
  settings.terms = p->terms;
  if (p->terms) settings.boundary = CIRCLES;
  settings.context.seeded = true;
  settings.context.seed = 1;
  return settings;
}

sfmi_basis *hardened_audit_basis(const density_problem *p) {
  sfm_schema *schema = schema_of(p);
  sfm_boundary boundary[HARDENED_AUDIT_DIMENSIONS];
  double period[HARDENED_AUDIT_DIMENSIONS];
  const sfm_density_settings settings = settings_of(p, schema, boundary, period);
  sfmi_design_density design;
  sfmi_basis *basis;
  MUST(sfmi_design_density_init(&design, &settings, p->count[0], error));
  MUST(sfmi_random_feature_basis(
      &basis, &design, NULL, (sfmi_seed){settings.context.seeded, settings.context.seed}, error));
  sfm_schema_destroy(schema);
  return basis;
}

/* How many integers are released. */
static size_t length_of(const sfmi_design_density *design) {
  if (sfmi_design_density_random(design)) return sfmi_design_random_features_length(design);
  return design->method == SFM_DENSITY_LATTICE ? design->groups * design->lattice.length
                                               : design->spectrum.length;
}

void hardened_audit_init_density(hardened_audit *s, const density_problem *p) {
  const char *header[HARDENED_AUDIT_DIMENSIONS + 2];
  const size_t columns = p->dimension + p->person + (p->groups > 0);
  memcpy(header, NAMES, sizeof NAMES);
  header[p->dimension] = "id";
  if (p->groups) header[columns - 1] = *BY;
  sfm_schema *schema = schema_of(p);
  sfm_boundary boundary[HARDENED_AUDIT_DIMENSIONS];
  double period[HARDENED_AUDIT_DIMENSIONS];
  const sfm_density_settings settings = settings_of(p, schema, boundary, period);
  sfmi_basis *basis = p->features ? hardened_audit_basis(p) : NULL;
  sfmi_design_density design;
  MUST(sfmi_design_density_init(&design, &settings, p->count[0], error));
  design.basis = basis;
  if (p->order) force_order(&design, p->order);
  const size_t public = sfmi_density_public(&design);
  hardened_audit_alloc(s, length_of(&design) - public);
  MUST(sfmi_density_hardening(&s->hardening, &design, p->epsilon, error));
  for (int k = 0; k < 2; k++) {
    sfm_rows *rows;
    MUST(sfm_rows_from_array(&rows, p->rows[k], p->count[k], columns, header, error));
    MUST(sfmi_density_integers(&s->values[k], &design, &s->hardening, rows, &settings, error));
    if (public) assert_true(s->values[k][0] == sfmi_fourier_constant(&design, &s->hardening));
    memmove(s->values[k], s->values[k] + public, s->length * sizeof *s->values[k]);
    if (!p->order) {
      sfm_release *release = NULL;
      MUST(sfm_density_release(&release, NULL, rows, &settings, error));
      check_production(s, release, k);
    }
    sfm_rows_destroy(rows);
  }
  sfm_schema_destroy(schema);
  sfmi_basis_destroy(basis);
  find_widest(s);
}

void hardened_audit_init_numbers(hardened_audit *s, const sfm_vector_settings *settings,
                                 const double *const theta[2], size_t length) {
  sfmi_design_vector design;
  hardened_audit_alloc(s, length);
  MUST(sfmi_design_vector_init(&design, settings, length, error));
  MUST(sfmi_vector_hardening(&s->hardening, settings, length, design.mu, error));
  for (int k = 0; k < 2; k++) {
    s->values[k] = calloc(length, sizeof *s->values[k]);
    assert_non_null(s->values[k]);
    sfmi_vector_integers(s->values[k], theta[k], length, s->hardening.step);
  }
}

void hardened_audit_init_vector(hardened_audit *s, const sfm_vector_settings *settings,
                                const double *theta[2], size_t length) {
  MUST(sfm_vector_check(settings, length, error));
  hardened_audit_init_numbers(s, settings, theta, length);
  for (int k = 0; k < 2; k++) {
    sfm_vector_settings seeded = *settings;
    sfm_release *release = NULL;
    seeded.context.seeded = true;
    seeded.context.seed = 1;
    MUST(sfm_vector_release(&release, theta[k], length, &seeded, error));
    check_production(s, release, k);
  }
  find_widest(s);
}

static sfm_series_settings series_settings(const series_problem *p, const sfm_schema *schema) {
  sfm_series_settings settings = sfm_series_settings_default();
  settings.context.schema = schema;
  settings.column = "a";
  settings.basis = p->basis;
  settings.kernel = SFM_KERNEL_GAUSSIAN;
  settings.bandwidth = 0.2;
  settings.terms = p->terms;
  settings.unit = p->unit;
  settings.noise = p->noise;
  settings.epsilon = p->epsilon;
  settings.delta = p->delta;
  settings.context.seeded = true;
  settings.context.seed = 1;
  return settings;
}

void hardened_audit_init_series(hardened_audit *s, const series_problem *p) {
  static const char *const header[] = {"a"};
  sfm_schema *schema;
  sfmi_design_series series_design;
  double rate = p->epsilon;
  MUST(sfm_schema_create(&schema, error));
  MUST(sfm_schema_set_bounds(schema, "a", 0, 1, error));
  MUST(sfm_schema_set_contributions(schema, p->contributions, error));
  const sfm_series_settings settings = series_settings(p, schema);
  if (p->noise == SFM_VECTOR_NOISE_NORMAL)
    MUST(sfmi_gdp_mu_for(&rate, p->epsilon, p->delta, SFM_CALIBRATION_EXACT, error));
  MUST(sfmi_design_series_init(&series_design, &settings, p->count, rate, error));
  hardened_audit_alloc(s, series_design.basis->count);
  if (p->noise == SFM_VECTOR_NOISE_GAMMA)
    s->hardening =
        (sfmi_hardening){.step = series_design.step, .sensitivity = series_design.sensitivity};
  else
    MUST(sfmi_series_hardening(&s->hardening, &series_design, &settings, error));
  for (int k = 0; k < 2; k++) {
    sfm_rows *rows;
    MUST(sfm_rows_from_array(&rows, p->rows[k], p->count, 1, header, error));
    MUST(sfmi_series_integers(&s->values[k], &series_design, rows, &settings, error));
    if (p->noise != SFM_VECTOR_NOISE_GAMMA) {
      sfm_release *release = NULL;
      MUST(sfm_series_release(&release, NULL, rows, &settings, error));
      check_production(s, release, k);
    }
    sfm_rows_destroy(rows);
  }
  sfmi_design_series_clear(&series_design);
  sfm_schema_destroy(schema);
  find_widest(s);
}

void hardened_audit_arm(hardened_audit *s) {
  MUST(sfmi_hardener_create(&s->hardener, &s->hardening.law, (sfmi_seed){!test_long(), 1}, error));
}

void hardened_audit_clear(hardened_audit *s) {
  sfmi_hardener_destroy(s->hardener);
  free(s->values[0]);
  free(s->values[1]);
  free(s->released);
  *s = (hardened_audit){0};
}

void hardened_audit_scale(hardened_audit *s, uint64_t numerator, uint64_t denominator) {
  s->hardening.law.scale.numerator *= numerator;
  s->hardening.law.scale.denominator *= denominator;
}

/* Laplace: sum |y - v0| - |y - v1|, an integer, so that its largest value is an atom.
 * Normal: <y - v0, v1 - v0>. */
/* The largest coordinate of y - v0 less that of y - v1: of noise by the largest coordinate. */
static double nearer(const hardened_audit *s) {
  sfmi_i128 largest[2] = {0, 0};
  for (size_t i = 0; i < s->length; i++)
    for (int k = 0; k < 2; k++) {
      const sfmi_i128 from = s->released[i] - s->values[k][i], size = from < 0 ? -from : from;
      if (size > largest[k]) largest[k] = size;
    }
  return (double)(largest[0] - largest[1]);
}

void hardened_audit_score(const hardened_audit *s, double *scores) {
  const bool laplace = s->hardening.law.law == SFM_NOISE_LAW_DISCRETE_LAPLACE;
  sfmi_i128 distance = 0, total = 0;
  double product = 0;
  for (size_t i = 0; i < s->length; i++) {
    const sfmi_i128 y = s->released[i];
    const sfmi_i128 from0 = y - s->values[0][i], from1 = y - s->values[1][i];
    total += y;
    if (from0 == from1) continue;
    if (laplace) {
      distance += (from0 < 0 ? -from0 : from0) - (from1 < 0 ? -from1 : from1);
    } else {
      product += (double)from0 * (double)(from0 - from1);
    }
  }
  scores[SCORE_RATIO] = s->hardening.law.joint ? nearer(s) : laplace ? (double)distance : product;
  scores[SCORE_TOTAL] = (double)total;
  scores[SCORE_LOW_BITS] = (double)(s->released[s->widest] & 255);
}

void hardened_audit_draw(void *context, int input, double *scores) {
  hardened_audit *s = context;
  sfmi_hardener_add(s->hardener, s->released, s->values[input], s->length);
  hardened_audit_score(s, scores);
}

audit_mechanism hardened_audit_density_mechanism(const char *name, hardened_audit *s,
                                                 const density_problem *p) {
  return (audit_mechanism){name,    hardened_audit_draw, s, HARDENED_AUDIT_SCORES, p->epsilon,
                           p->delta};
}

void hardened_audit_density_honest(const char *name, const density_problem *problem, double share) {
  hardened_audit s;
  hardened_audit_init_density(&s, problem);
  hardened_audit_arm(&s);
  const audit_mechanism m = hardened_audit_density_mechanism(name, &s, problem);
  audit_honest(&m, share);
  hardened_audit_clear(&s);
}
