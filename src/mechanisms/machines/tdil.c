/* tdil.c - the release of the method tdil. */
#include "tdil.h"

#include <stdlib.h>
#include <string.h>

#include "base/system/arena.h"
#include "mechanisms/core/request_json.h"
#include "releases/core/release_kind.h"
#include "tdil_rounds.h"
#include "train_run.h"
#include "releases/kinds/machine_model.h"

/* One release under way. */
typedef struct tdil_run {
  sfmi_train_run train_run; /* what all machines have; its train_problem is ours */
  sfmi_net net;             /* empty: the ball */
  sfmi_tdil_rounds tdil;
  /* Machine after machine, round after round: numbers of points of the net, or points. */
  size_t *chosen;
  double *points;
  double *coefficients;
} tdil_run;

/* ---- public ---- */

static sfm_status check_size(const tdil_run *m, sfm_error *error) {
  const size_t rounds = m->tdil.probes.rounds,
               machines = m->train_run.train_problem.training.machines;
  const size_t points = rounds * machines;
  const size_t numbers = m->net.count ? points : points * m->train_run.train_problem.map->dimension;
  if (points * machines <= SFMI_RELEASE_MAX && numbers <= SFMI_RELEASE_MAX) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "%zu rounds for each of %zu machines are more numbers than a release can have "
                   "(%zu): write fewer settings.probes",
                   rounds, machines, (size_t)SFMI_RELEASE_MAX);
}

static void foresee(const tdil_run *m) {
  const sfm_train_settings *s = m->train_run.settings;
  const sfm_probes_plan probes = sfmi_design_tdil_public(&m->tdil.probes, &m->net, s);
  if (s->foreseen) s->foreseen(s->foreseen_data, &probes);
}

static sfm_status plan(tdil_run *m, sfm_error *error) {
  const sfmi_train_problem *l = &m->train_run.train_problem;
  const sfm_train_settings *s = m->train_run.settings;
  sfmi_learning_curve learning_curve;
  sfmi_design_tdil probes;
  sfm_status status =
      sfmi_design_tdil_learning_curve(&learning_curve, &l->encoding, l->map, s, error);
  if (status) return status;
  status = sfmi_design_tdil_init(&probes, s, &l->training, &learning_curve, sfmi_tdil_rounding(l),
                                 m->train_run.base.charge ? m->train_run.base.protocol.accounting
                                                          : SFM_ACCOUNTING_BASIC,
                                 error);
  sfmi_learning_curve_clear(&learning_curve);
  if (!status && !probes.ball) status = sfmi_design_tdil_net(&m->net, &l->encoding, s, error);
  if (!status) status = sfmi_tdil_rounds_init(&m->tdil, &probes, sfmi_seed_of(&s->context), error);
  if (!status) status = check_size(m, error);
  if (!status) foresee(m);
  return status;
}

static sfm_machine_fit fit_of(const sfmi_design_tdil *p) {
  sfm_machine_fit fit = sfmi_fit_of(SFMI_FIT_VALUES);
  fit.answers = fit.rounds = p->rounds;
  fit.ridge = p->ridge;
  fit.choosing = p->choosing;
  fit.answering = p->answering;
  return fit;
}

/* The release but for its points and coefficients. */
static sfm_status outline(tdil_run *m, sfm_error *error) {
  const sfmi_design_tdil *p = &m->tdil.probes;
  const sfm_train_settings *s = m->train_run.settings;
  sfm_release *release = m->train_run.base.release =
      sfmi_release_begin(&sfmi_machine_kind, SFMI_MACHINE_TDIL, &s->context);
  if (!release) return sfmi_fail_memory(error);
  release->hardened = !p->ball;
  release->guarantee = p->guarantee;
  release->sensitivity = p->moves * p->step;
  release->scale = p->scale;
  release->step = p->step;
  release->law = SFM_NOISE_LAW_DISCRETE_LAPLACE;
  const sfm_status status = sfmi_train_run_describe(&m->train_run, error);
  if (!status) release->model->fit = fit_of(p);
  return status;
}

static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  tdil_run *m = (tdil_run *)run;
  sfmi_train_run *shared = &m->train_run;
  sfm_status status = sfmi_train_problem_begin(&shared->train_problem, run->rows, shared->settings,
                                               run->seed, error);
  if (!status) status = plan(m, error);
  return !status ? outline(m, error) : status;
}

/* What was asked for and what follows from it. */
static json_t *parameters(const sfmi_release_run *run) {
  const tdil_run *m = (const tdil_run *)run;
  json_t *all = sfmi_train_run_parameters(&m->train_run);
  sfmi_request_count(all, "rounds", m->tdil.probes.rounds);
  sfmi_request_count(all, "net", m->net.count);
  return all;
}

/* ---- private ---- */

enum { BLOCK = 64 };

/* Finite features, block by block. */
static sfm_status at_net(double *values, const sfmi_feature_map *map, const sfmi_net *net,
                         const double *weights, sfm_error *error) {
  double *phi = sfmi_alloc(BLOCK * map->count, sizeof *phi);
  if (!phi) return sfmi_fail_memory(error);
  for (size_t first = 0; first < net->count; first += BLOCK) {
    const size_t rows = net->count - first < BLOCK ? net->count - first : BLOCK;
    size_t starts[BLOCK + 1];
    const size_t base = net->starts[first];
    for (size_t i = 0; i <= rows; i++) starts[i] = net->starts[first + i] - base;
    sfmi_feature_map_dense(map, phi, starts, net->indices + base, net->values + base, rows);
    for (size_t i = 0; i < rows; i++) {
      double sum = 0;
      for (size_t k = 0; k < map->count; k++) sum += phi[i * map->count + k] * weights[k];
      values[first + i] = sum;
    }
  }
  free(phi);
  return SFM_OK;
}

sfm_status sfmi_tdil_values(double *values, const sfmi_train_problem *l, const sfmi_net *net,
                            const double *numbers, sfm_error *error) {
  if (l->form != SFMI_EXAMPLES_KERNEL) return at_net(values, l->map, net, numbers, error);
  memcpy(values, numbers, net->count * sizeof *values);
  return SFM_OK;
}

double sfmi_tdil_rounding(const sfmi_train_problem *l) {
  return l->form == SFMI_EXAMPLES_KERNEL ? sfmi_train_problem_rounding(l)
                                         : sfmi_design_tdil_rounding(&l->training);
}

static sfm_status probe_net(tdil_run *m, size_t machine, const double *numbers,
                            sfmi_kernel_ridge *model, sfm_error *error) {
  const sfmi_train_problem *l = &m->train_run.train_problem;
  const sfmi_design_tdil *p = &m->tdil.probes;
  const size_t count = m->net.count;
  sfmi_arena arena = {0};
  double *values = sfmi_arena_doubles(&arena, count);
  int64_t *integers = sfmi_arena_get(&arena, count, sizeof *integers);
  sfm_status status =
      arena.failed ? sfmi_fail_memory(error) : sfmi_tdil_values(values, l, &m->net, numbers, error);
  if (!status) {
    sfmi_tdil_rounds_integers(integers, values, count, p->step);
    status = sfmi_tdil_rounds_net(&m->tdil, m->chosen + machine * p->rounds, model, integers,
                                  &m->net, l->map, error);
  }
  sfmi_arena_wipe(&arena);
  return status;
}

/* All rounds of a machine, of its numbers: weights, or values at the net. */
static sfm_status probe(tdil_run *m, size_t machine, const double *numbers, sfm_error *error) {
  const sfmi_train_problem *l = &m->train_run.train_problem;
  const sfmi_design_tdil *p = &m->tdil.probes;
  sfmi_kernel_ridge model;
  sfm_status status = sfmi_kernel_ridge_init(&model, p->rounds, p->ridge, error);
  if (!status)
    status = p->ball ? sfmi_tdil_rounds_ball(&m->tdil,
                                             m->points + machine * p->rounds * l->map->dimension,
                                             &model, numbers, l->map, error)
                     : probe_net(m, machine, numbers, &model, error);
  if (!status)
    memcpy(m->coefficients + machine * p->rounds, model.coefficients,
           p->rounds * sizeof *m->coefficients);
  sfmi_kernel_ridge_clear(&model);
  return status;
}

static sfm_status probe_all(tdil_run *m, const sfmi_examples *examples, sfm_error *error) {
  const sfmi_train_problem *l = &m->train_run.train_problem;
  const sfmi_design_train *t = &l->training;
  const size_t size = t->machines * l->numbers, all = t->machines * m->tdil.probes.rounds;
  double *numbers = sfmi_alloc(size, sizeof *numbers);
  m->coefficients = sfmi_alloc(all, sizeof *m->coefficients);
  m->chosen = sfmi_alloc(all, sizeof *m->chosen);
  m->points = sfmi_alloc(m->net.count ? 1 : all * l->map->dimension, sizeof *m->points);
  sfm_status status =
      numbers && m->coefficients && m->chosen && m->points ? SFM_OK : sfmi_fail_memory(error);
  if (!status)
    status = sfmi_train_problem_solve(numbers, l, t, examples, 0, (size_t)t->rows, NULL, error);
  for (size_t k = 0; !status && k < t->machines; k++)
    status = probe(m, k, numbers + k * l->numbers, error);
  sfmi_wipe_free(numbers, size, sizeof *numbers);
  return status;
}

/* ---- public again: points and coefficients ---- */

/* places[r]: which of the distinct points choice r is; returns how many there are. */
static size_t distinct(const tdil_run *m, size_t *places, size_t *of, size_t all) {
  size_t count = 0;
  for (size_t r = 0; r < all; r++) {
    size_t k = m->net.count ? 0 : count;
    while (k < count && m->chosen[of[k]] != m->chosen[r]) k++;
    if (k == count) of[count++] = r;
    places[r] = k;
  }
  return count;
}

static void copy_chosen(sfmi_feature_map *stated, const tdil_run *m, const size_t *of) {
  const size_t d = stated->dimension;
  size_t end = 0;
  for (size_t k = 0; k < stated->point_count; k++) {
    const size_t r = of[k], from = m->net.count ? m->net.starts[m->chosen[r]] : 0,
                 to = m->net.count ? m->net.starts[m->chosen[r] + 1] : d;
    for (size_t i = from; i < to; i++) {
      const double u = m->net.count ? m->net.values[i] : m->points[r * d + i];
      if (u == 0) continue;
      stated->point_indices[end] = m->net.count ? m->net.indices[i] : (uint32_t)i;
      stated->point_values[end++] = u;
    }
    stated->point_starts[k + 1] = end;
  }
}

/* The chosen points, in the place of what the machine was learned with. */
static sfm_status take_points(tdil_run *m, const size_t *of, size_t count, sfm_error *error) {
  sfmi_train_problem *l = &m->train_run.train_problem;
  const size_t width = m->net.count ? m->net.axes : l->map->dimension;
  sfmi_feature_map *map, stated = sfmi_feature_map_like(l->map, SFMI_FEATURE_MAP_POINTS);
  sfm_status status = sfmi_feature_map_make_points(&stated, count, count * width, error);
  if (status) return status;
  copy_chosen(&stated, m, of);
  status = sfmi_feature_map_create(&map, &stated, error);
  if (status) return status;
  sfmi_feature_map_destroy(l->map);
  l->map = map;
  return SFM_OK;
}

static sfm_status fill(tdil_run *m, sfm_error *error) {
  const size_t machines = m->train_run.train_problem.training.machines,
               rounds = m->tdil.probes.rounds, all = machines * rounds;
  sfm_release *release = m->train_run.base.release;
  size_t *places = sfmi_alloc(all, sizeof *places), *of = sfmi_alloc(all, sizeof *of);
  sfm_status status = places && of ? SFM_OK : sfmi_fail_memory(error);
  if (!status) {
    const size_t count = distinct(m, places, of, all);
    status = take_points(m, of, count, error);
    release->length = machines * count;
    release->reals = sfmi_alloc(release->length, sizeof *release->reals);
    if (!status && !release->reals) status = sfmi_fail_memory(error);
    for (size_t r = 0; !status && r < all; r++)
      release->reals[r / rounds * count + places[r]] += m->coefficients[r];
  }
  free(places);
  free(of);
  return status;
}

static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  tdil_run *m = (tdil_run *)run;
  sfm_status status = probe_all(m, m->train_run.examples, error);
  if (!status) status = fill(m, error);
  if (!status) sfmi_train_run_complete(&m->train_run);
  return status;
}

static const sfmi_release_steps steps = {
    .prepare = prepare, .parameters = parameters, .read = sfmi_train_run_read, .draw = draw};

sfm_status sfmi_tdil_release(sfm_release **out, sfm_rows *rows, const sfm_train_settings *s,
                             sfm_error *error) {
  tdil_run m = {.train_run = sfmi_train_run_of(rows, s)};
  m.train_run.base.steps = &steps;
  const sfm_status status = sfmi_release_run_all(out, &m.train_run.base, error);
  sfmi_tdil_rounds_clear(&m.tdil);
  sfmi_net_clear(&m.net);
  sfmi_train_run_clear(&m.train_run);
  sfmi_train_problem_clear(&m.train_run.train_problem);
  free(m.chosen);
  free(m.points);
  free(m.coefficients);
  return status;
}
