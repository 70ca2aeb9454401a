/* prober.c - the rounds of the non-interactive model, from one private machine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "features/kernels.h"
#include "mechanisms/probing.h"
#include "planner/rounds.h"
#include "random/lean.h"

/* Values count as at most this many steps, which doubles tell apart. */
static const double RANGE = 0x1p51;
/* Tells the stream of answers from that of choices where both come from a seed that anyone knows.
 */
static const uint64_t ANSWERS = UINT64_C(0x9e3779b97f4a7c15);

sfm_status sfmi_prober_init(sfmi_prober *prober, const sfmi_probes *probes, sfmi_seed source,
                            sfm_error *error) {
  sfmi_noise_law law;
  *prober = (sfmi_prober){.probes = *probes};
  sfm_status status = sfmi_exponential_rate(&prober->rate, probes->choosing, probes->moves, error);
  if (status == SFM_OK)
    status = sfmi_harden_laplace(&law, sfmi_rounds_steps(probes->moves, probes->answering),
                                 probes->answering, error);
  if (status == SFM_OK)
    status = sfmi_hardener_create(&prober->hardener, &law,
                                  (sfmi_seed){source.seeded, source.seed ^ ANSWERS}, error);
  if (status == SFM_OK)
    status = source.seeded ? sfmi_stream_create_seeded(&prober->stream, source.seed, error)
                           : sfmi_stream_create(&prober->stream, error);
  return status;
}

void sfmi_prober_clear(sfmi_prober *prober) {
  sfmi_stream_destroy(prober->stream);
  sfmi_hardener_destroy(prober->hardener);
  *prober = (sfmi_prober){0};
}

static int64_t in_steps(double value, double step) {
  const double steps = value / step;
  return isnan(steps) ? 0 : llround(fmax(-RANGE, fmin(RANGE, steps)));
}

void sfmi_prober_integers(int64_t *integers, const double *values, size_t count, double step) {
  for (size_t i = 0; i < count; i++) integers[i] = in_steps(values[i], step);
}

/* An answer: in values. */
static double answer(sfmi_prober *prober, int64_t integer) {
  const sfmi_i128 value = integer;
  int64_t released;
  sfmi_hardener_add(prober->hardener, &released, &value, 1);
  return (double)released * prober->probes.step;
}

/* The net. */

/* How much less each point tells than the one that tells most. */
typedef struct standing {
  uint64_t best;
  const uint64_t *scores;
} standing;

static sfmi_u128 loss_of(const void *context, size_t i) {
  const standing *s = context;
  return s->best - s->scores[i];
}

static size_t elect(sfmi_prober *prober, const uint64_t *scores, size_t count) {
  standing s = {0, scores};
  for (size_t i = 0; i < count; i++)
    if (scores[i] > s.best) s.best = scores[i];
  return sfmi_exponential_draw(prober->stream, prober->rate, loss_of, &s, count);
}

/* |Q_i - round(p_i/step)|: both within 2^51. */
static void score(uint64_t *scores, const int64_t *integers, const double *public, size_t count,
                  double step) {
  for (size_t i = 0; i < count; i++) {
    const int64_t apart = integers[i] - in_steps(public[i], step);
    scores[i] = (uint64_t)(apart < 0 ? -apart : apart);
  }
}

static double kernel_between(const sfmi_lift *lift, const sfmi_net *net, size_t p, size_t q) {
  const size_t a = net->starts[p], b = net->starts[q];
  return sfmi_lift_kernel(lift, net->indices + a, net->values + a, net->starts[p + 1] - a,
                          net->indices + b, net->values + b, net->starts[q + 1] - b);
}

/* Public: K between all points and those that were chosen, a column after the other. */
typedef struct board {
  double *columns; /* rounds x count */
  double *public;  /* the model's values */
  uint64_t *scores;
  double *kernel; /* one row of K */
} board;

static bool board_create(board *b, size_t count, size_t rounds) {
  *b = (board){.columns = sfmi_alloc(rounds * count, sizeof *b->columns),
               .public = sfmi_alloc(count, sizeof *b->public),
               .scores = sfmi_alloc(count, sizeof *b->scores),
               .kernel = sfmi_alloc(rounds, sizeof *b->kernel)};
  return b->columns && b->public && b->scores && b->kernel;
}

static void board_free(board *b, size_t count) {
  if (b->scores) explicit_bzero(b->scores, count * sizeof *b->scores);
  free(b->columns);
  free(b->public);
  free(b->scores);
  free(b->kernel);
}

/* The values of the model at all points. */
static void predict(const board *b, const sfmi_refit *model, size_t count) {
  memset(b->public, 0, count * sizeof *b->public);
  for (size_t j = 0; j < model->count; j++)
    for (size_t i = 0; i < count; i++)
      b->public[i] += model->coefficients[j] * b->columns[j * count + i];
}

/* A point's column, and its row of K: with itself last. */
static void enter(const board *b, const size_t *chosen, size_t round, const sfmi_net *net,
                  const sfmi_lift *lift) {
  double *column = b->columns + round * net->count;
  for (size_t i = 0; i < net->count; i++) column[i] = kernel_between(lift, net, i, chosen[round]);
  for (size_t j = 0; j <= round; j++) b->kernel[j] = column[chosen[j]];
}

sfm_status sfmi_prober_net(sfmi_prober *prober, size_t *chosen, sfmi_refit *model,
                           const int64_t *integers, const sfmi_net *net, const sfmi_lift *lift,
                           sfm_error *error) {
  const size_t rounds = prober->probes.rounds;
  board b;
  const bool ready = board_create(&b, net->count, rounds);
  for (size_t t = 0; ready && t < rounds; t++) {
    predict(&b, model, net->count);
    score(b.scores, integers, b.public, net->count, prober->probes.step);
    chosen[t] = elect(prober, b.scores, net->count);
    enter(&b, chosen, t, net, lift);
    sfmi_refit_add(model, b.kernel, answer(prober, integers[chosen[t]]));
  }
  board_free(&b, net->count);
  return ready ? SFM_OK : sfmi_fail_memory(error);
}

/* The ball. */

static double product(const double *a, const double *b, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

/* The public model's weights less the private ones.  PRIVATE. */
static void subtract(double *apart, const sfmi_refit *model, const double *points,
                     const double *weights, const sfmi_lift *lift) {
  const size_t d = lift->dimension;
  for (size_t i = 0; i < lift->count; i++) apart[i] = -weights[i];
  for (size_t j = 0; j < model->count; j++) {
    for (size_t i = 0; i < d; i++) apart[i] += model->coefficients[j] * points[j * d + i];
    if (lift->count > d) apart[d] += model->coefficients[j] * lift->constant;
  }
}

sfm_status sfmi_prober_ball(sfmi_prober *prober, double *points, sfmi_refit *model,
                            const double *weights, const sfmi_lift *lift, sfm_error *error) {
  const sfmi_probes *p = &prober->probes;
  const size_t d = lift->dimension;
  const bool constant = lift->count > d;
  const double rate = p->choosing / (2 * p->moves * p->step);
  double *apart = sfmi_alloc(lift->count, sizeof *apart),
         *kernel = sfmi_alloc(p->rounds, sizeof *kernel);
  const bool ready = apart && kernel;
  for (size_t t = 0; ready && t < p->rounds; t++) {
    double *z = points + t * d;
    subtract(apart, model, points, weights, lift);
    sfmi_lean_point(prober->stream, z, apart, d, lift->radius, rate,
                    constant ? lift->constant * apart[d] : 0);
    sfmi_ball_project(z, d, lift->radius);
    for (size_t j = 0; j <= t; j++)
      kernel[j] = product(z, points + j * d, d) + lift->constant * lift->constant;
    const double value = product(z, weights, d) + (constant ? lift->constant * weights[d] : 0);
    sfmi_refit_add(model, kernel, answer(prober, in_steps(value, p->step)));
  }
  if (apart) explicit_bzero(apart, lift->count * sizeof *apart);
  free(apart);
  free(kernel);
  return ready ? SFM_OK : sfmi_fail_memory(error);
}
