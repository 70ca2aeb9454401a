/* plan_density_trial.h - what the tests of plans of densities share: questions, and what must hold
 * of every forecast. */
#ifndef TEST_PLAN_DENSITY_TRIAL_H
#define TEST_PLAN_DENSITY_TRIAL_H

#include "density_fixture.h"

#include "sfumato/plan.h"

typedef struct asked {
  size_t d;
  double n, h, epsilon, delta; /* h 0: chosen */
  const char *shape;           /* NULL: none */
  sfm_boundary boundary;
} asked;

typedef struct subject {
  density_fixture t;
  sfm_shape *shape;
  sfm_boundary boundary[SFM_MAX_DIMENSION];
  sfm_plan *plan;
} subject;

static inline void pose(subject *s, const asked *a) {
  sfm_error error;
  *s = (subject){0};
  density_fixture_init(&s->t, a->d, 0, 1, a->h > 0 ? a->h : 1, a->epsilon, a->delta);
  if (!(a->h > 0)) s->t.settings.bandwidth = NULL;
  for (size_t i = 0; i < a->d; i++) s->boundary[i] = a->boundary;
  s->t.settings.boundary = s->boundary;
  if (a->shape) assert_ok(sfm_shape_parse(&s->shape, a->shape, a->d, &error), &error);
  s->t.settings.shape = s->shape;
}

static inline void make(subject *s, double n) {
  sfm_error error;
  assert_ok(sfm_plan_density(&s->plan, &s->t.settings, (uint64_t)n, &error), &error);
}

static inline void drop(subject *s) {
  sfm_plan_destroy(s->plan);
  sfm_shape_destroy(s->shape);
  density_fixture_clear(&s->t);
}

static inline const sfm_plan_entry *entry_of(const sfm_plan *plan, const char *method,
                                             const char *text) {
  for (size_t i = 0; i < sfm_plan_length(plan); i++) {
    const sfm_plan_entry *e = sfm_plan_at(plan, i);
    bool has = !text;
    for (size_t k = 0; k < e->parameter_count; k++)
      has |= text && e->parameters[k].text && !strcmp(e->parameters[k].text, text);
    if (!strcmp(e->method, method) && has) return e;
  }
  fail_msg("the plan has no %s %s", method, text ? text : "");
  return NULL;
}

static inline const sfm_plan_parameter *parameter_of(const sfm_plan_entry *e, const char *name) {
  for (size_t k = 0; k < e->parameter_count; k++)
    if (!strcmp(e->parameters[k].name, name)) return &e->parameters[k];
  fail_msg("%s has no %s", e->method, name);
  return NULL;
}

static inline double forecast_of(const subject *s, double n, double epsilon) {
  sfm_forecast f;
  sfm_error error;
  assert_ok(sfm_plan_forecast(s->plan, &f, n, epsilon, &error), &error);
  assert_true(f.total > 0 && isfinite(f.total) && f.relative > 0);
  assert_true(f.low > 0 && f.low <= f.total && f.total <= f.high && isfinite(f.high));
  return f.total;
}

static inline void forecasts_are_sums(const sfm_forecast *f) {
  assert_true(f->privacy > 0 && f->sampling >= 0 && f->smoothing >= 0 && f->truncation >= 0 &&
              f->aliasing >= 0);
  assert_true(f->cost >= f->privacy + f->aliasing);
  assert_relative("total", f->total,
                  f->privacy + f->truncation + f->aliasing + f->sampling + f->smoothing, 1e-12);
  assert_true(isfinite(f->total) && f->relative > 0 && isfinite(f->relative));
  assert_true(f->low > 0 && f->low <= f->total && f->total <= f->high && isfinite(f->high));
  assert_true(f->cost_low > 0 && f->cost_low <= f->cost && f->cost <= f->cost_high);
}

static const asked CASES[] = {
    {1, 5000, 0.04, 1, 1e-6, "normal:0.4:0.12", SFM_BOUNDARY_OPEN},
    {1, 5000, 0, 1, 1e-6, "normal:0.4:0.12", SFM_BOUNDARY_OPEN},
    {1, 100, 0.8, 0.05, 0.01, NULL, SFM_BOUNDARY_OPEN},
    {1, 30, 0, 0.05, 0, "uniform", SFM_BOUNDARY_PERIODIC},
    {1, 2000, 0, 3, 1e-6, "normal:0.2:0.05+uniform", SFM_BOUNDARY_REFLECT},
    {2, 100000, 0, 1, 1e-6, "normal:0.4:0.12,normal:0.6:0.2", SFM_BOUNDARY_OPEN},
    {2, 1000, 0.2, 0.3, 1e-6, NULL, SFM_BOUNDARY_OPEN},
    /* at length */
    {1, 100, 0, 0.1, 0, NULL, SFM_BOUNDARY_OPEN},
    {2, 1000, 0, 1, 0, "uniform", SFM_BOUNDARY_PERIODIC},
    {3, 2000, 0.3, 1, 1e-6, NULL, SFM_BOUNDARY_OPEN},
};
static inline size_t case_count(void) {
  return sizeof CASES / sizeof *CASES - (test_long() ? 0 : 3);
}

#endif
