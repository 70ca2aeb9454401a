#include "simulated_rows.h"

#include <math.h>

#include "base/math/prng.h"

enum { SPACE = 10, PLANE = 2, MANY = 100000, KINDS = 4, SHARED = 18, OWN = 2 };
enum { WAVES = 200, WIDTH = SHARED + OWN };

simulated_problem simulated_rows_problem(simulated_rows_kind kind) {
  simulated_problem w = {.settings = sfm_train_settings_default()};
  sfm_train_settings *s = &w.settings;
  s->lambda = 0.01;
  s->loss = SFM_MACHINE_LOSS_HUBER;
  s->parameter = 1;
  s->regression = true;
  s->label_lower = -1;
  s->label_upper = 1;
  s->tolerance = 0.1;
  s->context.threads = 1;
  s->clip_norm = 1;
  switch (kind) {
  case SIMULATED_LINEAR:
    w.name = "linear";
    w.features = "10 coordinates";
    w.dimension = SPACE;
    break;
  case SIMULATED_GAUSSIAN:
    w.name = "gaussian";
    w.features = "200 random features of 2 coordinates, bandwidth 0.5";
    w.dimension = PLANE;
    s->clip_norm = 2;
    s->kernel = SFM_KERNEL_GAUSSIAN;
    s->bandwidth = 0.5;
    s->method = SFM_TRAIN_RFF;
    s->rff_features = WAVES;
    break;
  default:
    w.name = "kinds";
    w.features = "100,000 coordinates, four kinds of rows";
    w.dimension = MANY;
    s->tolerance = 0.25; /* of a million rows with so many coordinates less cannot be certified */
    break;
  }
  return w;
}

static double uniform(sfmi_prng *prng) {
  return 2 * sfmi_prng_uniform(prng) - 1;
}

/* In a ball, and which side of a plane. */
static double linear_row(sfmi_prng *prng, uint32_t *indices, double *x) {
  double square = 0, score = 0.2 * sfmi_prng_normal(prng);
  for (uint32_t j = 0; j < SPACE; j++) {
    indices[j] = j;
    x[j] = sfmi_prng_normal(prng);
    square += x[j] * x[j];
  }
  const double length = pow(sfmi_prng_uniform(prng), 1.0 / SPACE) / sqrt(square);
  for (int j = 0; j < SPACE; j++) {
    x[j] *= length;
    score += j % 2 ? x[j] : -0.5 * x[j];
  }
  return score > 0 ? 1 : -1;
}

static double plane_row(sfmi_prng *prng, uint32_t *indices, double *x) {
  for (uint32_t j = 0; j < PLANE; j++) {
    indices[j] = j;
    x[j] = uniform(prng);
  }
  const double score = sin(M_PI * x[0]) * sin(M_PI * x[1]) + 0.2 * sfmi_prng_normal(prng);
  return score > 0 ? 1 : -1;
}

/* Kind k has coordinates k 18 to k 18 + 17, of length sqrt(0.9); the others are the row's own. */
static double kind_row(sfmi_prng *prng, uint32_t *indices, double *x) {
  const uint32_t k = (uint32_t)(sfmi_prng_word(prng) % KINDS), rest = MANY - KINDS * SHARED;
  for (uint32_t j = 0; j < SHARED; j++) {
    indices[j] = k * SHARED + j;
    x[j] = sqrt(0.9 / SHARED);
  }
  const uint32_t one = (uint32_t)(sfmi_prng_word(prng) % (rest / 2)),
                 two = rest / 2 + (uint32_t)(sfmi_prng_word(prng) % (rest / 2));
  indices[SHARED] = KINDS * SHARED + one;
  indices[SHARED + 1] = KINDS * SHARED + two;
  x[SHARED] = x[SHARED + 1] = sqrt(0.1 / OWN);
  const double label = k % 2 ? 1 : -1;
  return sfmi_prng_uniform(prng) < 0.9 ? label : -label;
}

sparse_labelled_rows simulated_rows_draw(simulated_rows_kind kind, size_t count, uint64_t seed) {
  const size_t width = kind == SIMULATED_LINEAR     ? SPACE
                       : kind == SIMULATED_GAUSSIAN ? PLANE
                                                    : WIDTH;
  sparse_labelled_rows rows = sparse_labelled_rows_create(count, count * width);
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < count; i++) {
    uint32_t *indices = rows.indices + i * width;
    double *x = rows.values + i * width;
    rows.labels[i] = kind == SIMULATED_LINEAR     ? linear_row(&prng, indices, x)
                     : kind == SIMULATED_GAUSSIAN ? plane_row(&prng, indices, x)
                                                  : kind_row(&prng, indices, x);
    rows.starts[i + 1] = (i + 1) * width;
  }
  return rows;
}
