#include "tdil_rounds.h"

#include <math.h>
#include <string.h>

#include "base/math/vector_sums.h"
#include "base/system/arena.h"
#include "features/maps/ball_projection.h"
#include "planner/design/round_budget.h"
#include "random/ball_sampler.h"

/* Values are clamped to this many steps, which doubles tell apart. */
static const double RANGE = 0x1p51;
/* Tells the stream of answers from that of choices where both come from a seed that anyone knows.
 */
static const uint64_t ANSWERS = UINT64_C(0x9e3779b97f4a7c15);

sfm_status sfmi_tdil_rounds_init(sfmi_tdil_rounds *tdil, const sfmi_design_tdil *probes,
                                 sfmi_seed source, sfm_error *error) {
  sfmi_noise_law law;
  *tdil = (sfmi_tdil_rounds){.probes = *probes};
  sfm_status status = sfmi_exponential_rate(&tdil->rate, probes->choosing, probes->moves, error);
  if (!status)
    status = sfmi_harden_laplace(&law, sfmi_round_budget_steps(probes->moves, probes->answering),
                                 probes->answering, error);
  if (!status)
    status = sfmi_hardener_create(&tdil->hardener, &law,
                                  (sfmi_seed){source.seeded, source.seed ^ ANSWERS}, error);
  if (!status) status = sfmi_seed_stream(&tdil->stream, source, error);
  return status;
}

void sfmi_tdil_rounds_clear(sfmi_tdil_rounds *tdil) {
  sfmi_stream_destroy(tdil->stream);
  sfmi_hardener_destroy(tdil->hardener);
  *tdil = (sfmi_tdil_rounds){0};
}

static int64_t in_steps(double value, double step) {
  return sfmi_harden_steps(value, step, RANGE);
}

void sfmi_tdil_rounds_integers(int64_t *integers, const double *values, size_t count, double step) {
  for (size_t i = 0; i < count; i++) integers[i] = in_steps(values[i], step);
}

/* An answer: in values. */
static double answer(sfmi_tdil_rounds *tdil, int64_t integer) {
  const sfmi_i128 value = integer;
  int64_t released;
  sfmi_hardener_add(tdil->hardener, &released, &value, 1);
  return (double)released * tdil->probes.step;
}

/* The net. */

/* |Q_i - round(p_i/step)|: both within 2^51. */
static void score(int64_t *scores, const int64_t *integers, const double *public, size_t count,
                  double step) {
  for (size_t i = 0; i < count; i++) {
    const int64_t apart = integers[i] - in_steps(public[i], step);
    scores[i] = apart < 0 ? -apart : apart;
  }
}

/* Public: K between all points and those that were chosen, a column after the other. */
typedef struct kernel_columns {
  sfmi_arena arena;
  double *columns; /* rounds x count */
  double *public;  /* the model's values */
  int64_t *scores;
  double *kernel; /* one row of K */
} kernel_columns;

static bool kernel_columns_create(kernel_columns *b, size_t count, size_t rounds) {
  *b = (kernel_columns){0};
  b->columns = sfmi_arena_doubles(&b->arena, rounds * count);
  b->public = sfmi_arena_doubles(&b->arena, count);
  b->scores = sfmi_arena_get(&b->arena, count, sizeof *b->scores);
  b->kernel = sfmi_arena_doubles(&b->arena, rounds);
  return !b->arena.failed;
}

/* The values of the model at all points. */
static void predict(const kernel_columns *b, const sfmi_kernel_ridge *model, size_t count) {
  memset(b->public, 0, count * sizeof *b->public);
  for (size_t j = 0; j < model->count; j++)
    for (size_t i = 0; i < count; i++)
      b->public[i] += model->coefficients[j] * b->columns[j * count + i];
}

/* A point's column, and its row of K: with itself last. */
static void enter(const kernel_columns *b, const size_t *chosen, size_t round, const sfmi_net *net,
                  const sfmi_feature_map *map) {
  double *column = b->columns + round * net->count;
  for (size_t i = 0; i < net->count; i++) column[i] = sfmi_net_kernel(map, net, i, chosen[round]);
  for (size_t j = 0; j <= round; j++) b->kernel[j] = column[chosen[j]];
}

sfm_status sfmi_tdil_rounds_net(sfmi_tdil_rounds *tdil, size_t *chosen, sfmi_kernel_ridge *model,
                                const int64_t *integers, const sfmi_net *net,
                                const sfmi_feature_map *map, sfm_error *error) {
  const size_t rounds = tdil->probes.rounds;
  kernel_columns b;
  const bool ready = kernel_columns_create(&b, net->count, rounds);
  for (size_t t = 0; ready && t < rounds; t++) {
    predict(&b, model, net->count);
    score(b.scores, integers, b.public, net->count, tdil->probes.step);
    chosen[t] = sfmi_exponential_draw_scores(tdil->stream, tdil->rate, b.scores, net->count);
    enter(&b, chosen, t, net, map);
    sfmi_kernel_ridge_add(model, b.kernel, answer(tdil, integers[chosen[t]]));
  }
  sfmi_arena_wipe(&b.arena);
  return ready ? SFM_OK : sfmi_fail_memory(error);
}

/* The ball. */

/* The public model's weights less the private ones.  PRIVATE. */
static void subtract(double *apart, const sfmi_kernel_ridge *model, const double *points,
                     const double *weights, const sfmi_feature_map *map) {
  const size_t d = map->dimension;
  for (size_t i = 0; i < map->count; i++) apart[i] = -weights[i];
  for (size_t j = 0; j < model->count; j++) {
    for (size_t i = 0; i < d; i++) apart[i] += model->coefficients[j] * points[j * d + i];
    if (map->count > d) apart[d] += model->coefficients[j] * map->constant;
  }
}

sfm_status sfmi_tdil_rounds_ball(sfmi_tdil_rounds *tdil, double *points, sfmi_kernel_ridge *model,
                                 const double *weights, const sfmi_feature_map *map,
                                 sfm_error *error) {
  const sfmi_design_tdil *p = &tdil->probes;
  const size_t d = map->dimension;
  const bool constant = map->count > d;
  const double rate = p->choosing / (2 * p->moves * p->step);
  sfmi_arena arena = {0};
  double *apart = sfmi_arena_doubles(&arena, map->count),
         *kernel = sfmi_arena_doubles(&arena, p->rounds);
  const bool ready = !arena.failed;
  for (size_t t = 0; ready && t < p->rounds; t++) {
    double *z = points + t * d;
    subtract(apart, model, points, weights, map);
    sfmi_ball_sample(tdil->stream, z, apart, d, map->radius, rate,
                     constant ? map->constant * apart[d] : 0);
    sfmi_ball_project(z, d, map->radius);
    for (size_t j = 0; j <= t; j++)
      kernel[j] = sfmi_inner_product(z, points + j * d, d) + map->constant * map->constant;
    const double value =
        sfmi_inner_product(z, weights, d) + (constant ? map->constant * weights[d] : 0);
    sfmi_kernel_ridge_add(model, kernel, answer(tdil, in_steps(value, p->step)));
  }
  sfmi_arena_wipe(&arena);
  return ready ? SFM_OK : sfmi_fail_memory(error);
}
