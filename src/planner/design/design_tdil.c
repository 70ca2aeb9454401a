#include "design_tdil.h"

#include <math.h>

#include "estimators/machine/certificate.h"
#include "round_budget.h"
#include "privacy/calibration.h"

/* The share of a round's epsilon that chooses the point.  It is small: an answer at a point that is
 * not the best is still useful, and a noisy answer is not. */
static const double CHOOSING = 0.25;
/* The step costs at most this share of the sensitivity. */
static const double STEP_SHARE = 1.0 / 1024;
/* Below this the kernel's matrix would be singular in doubles, where points repeat. */
static const double RIDGE_LEAST = 1e-10;
/* The largest error of a few products in doubles, as a factor. */
static const double ROUNDING = 1 + 1e-13;
/* Fewer rounds are taken where they cost no more than this factor of the error. */
static const double NEARLY = 1.02;
/* Numbers of rounds that are tried. */
static const size_t TRIED[] = {1,  2,  3,  4,  6,   8,   11,  16,  23,
                               32, 45, 64, 91, 128, 181, 256, 362, 512};

bool sfmi_design_tdil_ball(const sfm_train_settings *s) {
  return s->kernel == SFM_KERNEL_LINEAR && s->net == 0;
}

sfm_status sfmi_design_tdil_net(sfmi_net *net, const sfmi_encoding *encoding,
                                const sfm_train_settings *s, sfm_error *error) {
  return sfmi_net_init(net, encoding, s->net, error);
}

sfm_status sfmi_design_tdil_learning_curve(sfmi_learning_curve *learning_curve,
                                           const sfmi_encoding *encoding,
                                           const sfmi_feature_map *map, const sfm_train_settings *s,
                                           sfm_error *error) {
  sfmi_net net;
  *learning_curve = (sfmi_learning_curve){0};
  if (sfmi_design_tdil_ball(s)) {
    if (encoding->dimension > SFMI_DESIGN_TDIL_COORDINATES)
      return sfmi_fail(error, SFM_INVALID,
                       "settings.method = tdil releases points of %zu coordinates, and at most %zu "
                       "fit: use settings.method = tddl with public rows, or finite",
                       encoding->dimension, SFMI_DESIGN_TDIL_COORDINATES);
    return sfmi_learning_curve_ball(learning_curve, map, error);
  }
  sfm_status status = sfmi_design_tdil_net(&net, encoding, s, error);
  if (status) return status;
  status = sfmi_learning_curve_net(learning_curve, map, &net, error);
  sfmi_net_clear(&net);
  return status;
}

sfm_status sfmi_design_tdil_check(const sfm_train_settings *s, sfm_error *error) {
  const bool tdil = s->method == SFM_TRAIN_TDIL;
  if (!tdil && (s->net || s->probes))
    return sfmi_fail(error, SFM_INVALID,
                     "settings.%s belongs to settings.method = tdil: use that, or leave it out",
                     s->net ? "net" : "probes");
  if (!tdil) return SFM_OK;
  if (s->probes > SFMI_DESIGN_TDIL_ROUNDS)
    return sfmi_fail(
        error, SFM_INVALID,
        "settings.probes: there can be 1 to %zu, not %zu; left out, the best number is planned",
        SFMI_DESIGN_TDIL_ROUNDS, s->probes);
  if (s->noise_given)
    return sfmi_fail(error, SFM_INVALID,
                     "settings.method = tdil has discrete Laplace noise on every answer, with and "
                     "without a delta: leave out settings.noise");
  if (s->calibration != SFM_CALIBRATION_EXACT)
    return sfmi_fail(error, SFM_INVALID,
                     "settings.calibration is about normal noise, which settings.method = tdil "
                     "does not have: leave it out");
  if (s->lambda_count)
    return sfmi_fail(
        error, SFM_INVALID,
        "settings.method = tdil is for one lambda: write settings.lambda = L, or leave it out");
  return SFM_OK;
}

double sfmi_design_tdil_rounding(const sfmi_design_train *t) {
  return SFMI_UNIT_ROUNDOFF * ((double)t->features + 8) * t->kappa * (t->reach + t->distance) *
         1.01;
}

/* Step and moves. */
static void measure(sfmi_design_tdil *p, const sfmi_design_train *t, double off) {
  const double most = (t->kappa * t->used + 2 * off) * ROUNDING;
  p->off = off;
  p->step = ldexp(1, (int)floor(log2(STEP_SHARE * most)));
  p->moves = floor(most / p->step * ROUNDING) + 1;
}

static sfmi_round_budget rounds_of(size_t rounds, const sfm_train_settings *s,
                                   const sfmi_design_train *t, sfm_accounting accounting) {
  return (sfmi_round_budget){.count = rounds * t->machines,
                             .parts = {{false, CHOOSING}, {true, 1 - CHOOSING}},
                             .part_count = 2,
                             .epsilon = s->epsilon,
                             .delta = s->delta,
                             .accounting = accounting};
}

/* The noise and the forecast of so many rounds with e for each. */
static void spend(sfmi_design_tdil *p, size_t rounds, double e, const sfmi_design_train *t,
                  const sfmi_learning_curve *learning_curve) {
  p->rounds = rounds;
  p->choosing = CHOOSING * e;
  p->answering = (1 - CHOOSING) * e;
  p->scale = sfmi_round_budget_steps(p->moves, p->answering) / p->answering * p->step;
  p->ridge = fmax(2 * p->scale * p->scale, RIDGE_LEAST) * t->kappa * t->kappa;
  p->prior = sqrt(sfmi_learning_curve_prior(learning_curve));
  p->forecast =
      sqrt(sfmi_learning_curve_error(learning_curve, (double)rounds, 2 * p->scale * p->scale));
}

/* The epsilons and the noise of so many rounds, as they will be. */
static sfm_status divide(sfmi_design_tdil *p, size_t rounds, const sfm_train_settings *s,
                         const sfmi_design_train *t, const sfmi_learning_curve *learning_curve,
                         sfm_accounting accounting, sfm_error *error) {
  const sfmi_round_budget whole = rounds_of(rounds, s, t, accounting);
  double e;
  const sfm_status status = sfmi_round_budget_solve(&e, &p->guarantee, &whole, error);
  if (!status) spend(p, rounds, e, t, learning_curve);
  return status;
}

/* More rounds than this have less than the least epsilon that is accounted for. */
static bool affordable(size_t rounds, const sfm_train_settings *s, const sfmi_design_train *t) {
  const double total = (double)rounds * (double)t->machines;
  return s->epsilon * CHOOSING / total >= 2 * SFMI_EPSILON_MIN;
}

double sfmi_design_tdil_least_epsilon(const sfm_train_settings *s) {
  const double rounds = s->probes ? (double)s->probes : 1;
  return 2 * SFMI_EPSILON_MIN / CHOOSING * rounds * (double)sfmi_design_train_machines(s);
}

/* About e, and never too large: the exact one takes a tenth of a second. */
static double about(size_t rounds, const sfm_train_settings *s, const sfmi_design_train *t) {
  const sfmi_round_budget whole = rounds_of(rounds, s, t, SFM_ACCOUNTING_ZCDP);
  const double pure = s->epsilon / (double)whole.count;
  sfm_guarantee guarantee;
  sfm_error why;
  double e;
  if (!(s->delta > 0) || sfmi_round_budget_solve(&e, &guarantee, &whole, &why)) return pure;
  return fmax(e, pure);
}

/* The least number of rounds whose forecast is nearly the best. */
static size_t best_rounds(const sfmi_design_tdil *of, const sfm_train_settings *s,
                          const sfmi_design_train *t, const sfmi_learning_curve *learning_curve) {
  enum { TRIES = sizeof TRIED / sizeof *TRIED };
  double forecasts[TRIES], least = INFINITY;
  size_t tries = 0, i = 0;
  for (; tries < TRIES && (tries == 0 || affordable(TRIED[tries], s, t)); tries++) {
    sfmi_design_tdil p = *of;
    spend(&p, TRIED[tries], about(TRIED[tries], s, t), t, learning_curve);
    forecasts[tries] = p.forecast;
    least = fmin(least, p.forecast);
  }
  while (i + 1 < tries && forecasts[i] > NEARLY * least) i++;
  return TRIED[i];
}

sfm_status sfmi_design_tdil_init(sfmi_design_tdil *p, const sfm_train_settings *s,
                                 const sfmi_design_train *t,
                                 const sfmi_learning_curve *learning_curve, double off,
                                 sfm_accounting accounting, sfm_error *error) {
  *p = (sfmi_design_tdil){.ball = sfmi_design_tdil_ball(s)};
  measure(p, t, off);
  const size_t rounds = s->probes ? s->probes : best_rounds(p, s, t, learning_curve);
  return divide(p, rounds, s, t, learning_curve, accounting, error);
}

void sfmi_design_tdil_estimate(sfmi_design_tdil *p, const sfm_train_settings *s,
                               const sfmi_design_train *t,
                               const sfmi_learning_curve *learning_curve) {
  *p = (sfmi_design_tdil){.ball = sfmi_design_tdil_ball(s)};
  measure(p, t, 0);
  const size_t rounds = s->probes ? s->probes : best_rounds(p, s, t, learning_curve);
  spend(p, rounds, about(rounds, s, t), t, learning_curve);
}

sfm_probes_plan sfmi_design_tdil_public(const sfmi_design_tdil *p, const sfmi_net *net,
                                        const sfm_train_settings *s) {
  const double factor = sfmi_design_train_half_width(s);
  return (sfm_probes_plan){.rounds = p->rounds,
                           .points = net->count,
                           .lattice = net->lattice,
                           .choosing = p->choosing,
                           .answering = p->answering,
                           .deviation = factor * M_SQRT2 * p->scale,
                           .prior = factor * p->prior,
                           .forecast = factor * p->forecast};
}
