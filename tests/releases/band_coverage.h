/* band_coverage.h - one release and the exact coefficients under its (seeded) noise: new noise is
 * drawn many times, and the distance to the density estimate of the rows compared with the widths
 * of the band. */
#ifndef TEST_BAND_COVERAGE_H
#define TEST_BAND_COVERAGE_H

#include "coverage.h"

#include "harden.h"
#include "planner/density/design_density.h"
#include "random/noise_sampler.h"
#include "releases/eval/trig_polynomial.h"
#include "boundary_reference.h"

enum { GRID_1 = 301, GRID_2 = 49 };

typedef struct setting {
  const char *name;
  size_t dimension, rows;
  double h, epsilon, delta;
  sfm_neighbours neighbours;
  size_t draws;
  sfm_boundary boundary[2];
  sfm_density_noise noise; /* of a lattice; else, with a delta, gp */
  uint64_t summed;         /* noises in every coefficient; 0: 1 */
} setting;

typedef struct coverage_fixture {
  setting s;
  sfm_release *release;
  sfmi_design_density design;
  sfmi_sampler *sampler;
  sfmi_stream *stream;
  sfmi_i128 *exact;
  sfmi_trig_poly *poly;
  double axes[2][GRID_1], *truth;
  size_t counts[2], grid;
} coverage_fixture;

static inline sfmi_noise_law law_of(const sfm_release *release, double rate) {
  sfmi_noise_law law;
  sfm_error error;
  double steps = release->sensitivity / release->step;
  assert_ok(sfmi_release_normal(release) ? sfmi_harden_normal(&law, steps, rate, &error)
                                         : sfmi_harden_laplace(&law, steps, rate, &error),
            &error);
  assert_relative("scale", sfmi_noise_scale(&law) * release->step, release->scale, 1e-15);
  return law;
}

static inline void coverage_fixture_init(coverage_fixture *c, setting s) {
  static double rows[4000];
  *c = (coverage_fixture){.s = s};
  density_fixture t;
  sfm_error error;
  density_fixture_rows(rows, s.rows, s.dimension, 0, 1, 21);
  density_fixture_init(&t, s.dimension, 0, 1, s.h, s.epsilon, s.delta);
  density_fixture_neighbours(&t, s.neighbours, 1);
  t.settings.method = s.delta > 0 && !s.noise ? SFM_DENSITY_GP : SFM_DENSITY_LATTICE;
  t.settings.noise = s.noise;
  t.settings.boundary = s.boundary;
  t.settings.context.seeded = true;
  t.settings.context.seed = 22;
  c->release = density_fixture_release(&t, rows, s.rows);
  assert_ok(sfmi_design_density_init(&c->design, &t.settings, s.rows, &error), &error);
  const sfmi_noise_law law = law_of(c->release, s.delta > 0 ? c->design.mu : s.epsilon);
  const size_t length = c->release->length;
  sfmi_i128 *zero = calloc(length, sizeof *zero);
  int64_t *noise = calloc(length, sizeof *noise);
  c->exact = calloc(length, sizeof *c->exact);
  harden(noise, zero, length, &law, (sfmi_seed){true, 22});
  for (size_t i = 0; i < length; i++) c->exact[i] = c->release->integers[i] - noise[i];
  free(zero);
  free(noise);
  assert_ok(sfmi_sampler_create(&c->sampler, law.law, law.scale, &error), &error);
  assert_ok(sfmi_stream_create_seeded(&c->stream, 23, &error), &error);
  assert_ok(sfmi_trig_poly_create(&c->poly, c->release, &error), &error);
  c->grid = 1;
  for (size_t a = 0; a < s.dimension; a++) {
    c->counts[a] = s.dimension == 1 ? GRID_1 : GRID_2;
    c->grid *= c->counts[a];
    for (size_t i = 0; i < c->counts[a]; i++)
      c->axes[a][i] = (double)i / (double)(c->counts[a] - 1);
  }
  c->truth = calloc(c->grid, sizeof *c->truth);
  for (size_t i = 0; i < c->grid; i++) {
    double q[2] = {c->axes[0][s.dimension == 1 ? i : i / GRID_2], c->axes[1][i % GRID_2]};
    c->truth[i] =
        boundary_reference_density(rows, s.rows, s.dimension, c->release->lower, c->release->upper,
                                   c->release->function->bandwidth, s.boundary, q);
  }
  if (s.summed) c->release->summed = s.summed;
  density_fixture_clear(&t);
}

static inline void coverage_fixture_clear(coverage_fixture *c) {
  sfm_release_destroy(c->release);
  sfmi_trig_poly_destroy(c->poly);
  sfmi_sampler_destroy(c->sampler);
  sfmi_stream_destroy(c->stream);
  free(c->exact);
  free(c->truth);
}

/* Fixed places: middle, both sides of it within a cell, an edge. */
static inline size_t place(const coverage_fixture *c, int i) {
  const double at[PLACES] = {0.5, 0.53, 0.31, 0};
  size_t n = c->counts[0], k = (size_t)(at[i] * (double)(n - 1));
  return c->s.dimension == 1 ? k : k * n + k;
}

/* New noise; the errors on the grid, or false when the noisy total cannot divide. */
static inline bool draw(coverage_fixture *c, double *sup, double *points) {
  sfm_error error;
  const size_t length = c->release->length;
  double *coefficients = calloc(length, sizeof *coefficients);
  double *values = calloc(c->grid, sizeof *values);
  double *axes[2] = {c->axes[0], c->axes[1]};
  sfmi_i128 *noise = calloc(length, sizeof *noise);
  for (size_t i = 0; i < length; i++) c->release->integers[i] = (int64_t)c->exact[i];
  for (uint64_t k = 0; k < c->release->summed; k++) {
    sfmi_sampler_draw(c->sampler, c->stream, noise, length);
    for (size_t i = 0; i < length; i++) c->release->integers[i] += (int64_t)noise[i];
  }
  free(noise);
  for (size_t i = 0; i < length; i++) coefficients[i] = sfm_release_coefficient(c->release, i);
  double total = sfmi_release_total(c->release);
  if (total > 0) {
    sfmi_trig_poly_load(c->poly, coefficients, 1 / total);
    assert_ok(sfmi_trig_poly_grid(c->poly, values, axes, c->counts, &error), &error);
    *sup = 0;
    for (size_t i = 0; i < c->grid; i++) *sup = fmax(*sup, fabs(values[i] - c->truth[i]));
    for (int i = 0; i < PLACES; i++) points[i] = fabs(values[place(c, i)] - c->truth[place(c, i)]);
  }
  free(coefficients);
  free(values);
  return total > 0;
}

/* A band whose noise is a quarter too small (two fifths at one place, where a tenth of the risk is
 * spent on the sup).  (The worst case of what is not noise is far from
 * these rows.) */
static inline double shrunk(double width, sfm_band band, double factor) {
  return factor * (width - band.systematic);
}

static inline void cover(setting s) {
  coverage_fixture c;
  sfm_error error;
  tally tallies[LEVELS] = {{0}};
  sfm_band bands[LEVELS];
  coverage_fixture_init(&c, s);
  /* Where it reflects, the noise is largest at a bound. */
  const int noisiest = s.boundary[0] == SFM_BOUNDARY_REFLECT ? 3 : 0;
  const bool replace = s.neighbours == SFM_NEIGHBOURS_REPLACE;
  for (int k = 0; k < LEVELS && replace; k++) {
    assert_ok(sfm_release_band_at(c.release, &bands[k], confidences[k], &error), &error);
    assert_true(bands[k].pointwise <= bands[k].half_width);
  }
  for (size_t i = 0; i < s.draws; i++) {
    double sup = INFINITY, points[PLACES] = {0};
    bool divided = draw(&c, &sup, points);
    for (int k = 0; k < LEVELS; k++) {
      if (!replace) { /* the band depends on the released total */
        assert_ok(sfm_release_band_at(c.release, &bands[k], confidences[k], &error), &error);
        if (!divided) assert_true(isinf(bands[k].half_width));
      }
      tally *t = &tallies[k];
      t->sup += !divided || sup <= bands[k].half_width;
      t->shrunk_sup += !divided || sup <= shrunk(bands[k].half_width, bands[k], 0.75);
      for (int p = 0; p < PLACES; p++) t->point[p] += !divided || points[p] <= bands[k].pointwise;
      t->shrunk_point += !divided || points[noisiest] <= shrunk(bands[k].pointwise, bands[k], 0.6);
    }
  }
  for (int k = 0; k < LEVELS; k++) judge(s.name, &tallies[k], s.draws, confidences[k], replace);
  coverage_fixture_clear(&c);
}

#endif
