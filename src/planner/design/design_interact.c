#include "design_interact.h"
#include "base/system/sized_struct.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "round_budget.h"
#include "privacy/calibration.h"
#include "base/system/c_locale.h"
#include "base/math/normal_distribution.h"

/* s/g is at least this: rounding costs less than 2/STEPS of the noise. */
static const double STEPS = 4096;
/* epsilon_b/epsilon_a, and so the scales of a comparison's noises are 1 : 2/RATIO. */
static const double RATIO = 1.5874010519681994; /* 2^(2/3) */
/* At most this part of the epochs may be false alarms, on average. */
static const double ALARMS = 0.1;
/* The error of a few products in doubles, as a factor. */
static const double ROUNDING = 1 + 1e-13;
/* Features of all released points that are kept in memory. */
static const double KEPT = 0x1p28;
/* The least ridge, in units of kappa^2: far above the error of a Cholesky factor of 4096 rows. */
static const double RIDGE_LEAST = 0x1p-36;

void sfm_interact_settings_init(sfm_interact_settings *settings, size_t size) {
  const sfm_interact_settings defaults = {.questions = 100000};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

/* ---- checks ---- */

static sfm_status check_machine(const sfm_train_settings *t, sfm_error *error) {
  if (t->one_vs_rest || (!t->regression && t->class_count > 2))
    return sfmi_fail(error, SFM_INVALID,
                     "a session answers from one machine: declare two labels, or "
                     "settings.label_lower and label_upper for a number; for more classes use "
                     "sfm_train_release with settings.one_vs_rest");
  if (t->method != SFM_TRAIN_FINITE && t->method != SFM_TRAIN_RFF)
    return sfmi_fail(
        error, SFM_INVALID,
        "a session keeps the weights of features: settings.method = finite or rff:F, not %s",
        sfm_train_method_name(t->method));
  if (t->lambda_count)
    return sfmi_fail(error, SFM_INVALID,
                     "a session has one lambda, stated: settings.lambda = L (sfm_train_release "
                     "finds a good one privately, with settings.lambdas = A,B)");
  return SFM_OK;
}

static sfm_status check_wishes(const sfm_interact_settings *s, sfm_error *error) {
  if (s->questions < 1 || s->questions > UINT64_C(1000000000000))
    return sfmi_fail(error, SFM_INVALID,
                     "settings.questions is how many are expected, from 1 to 1e12; write for "
                     "example settings.questions = 100000");
  if (s->epochs > SFM_INTERACT_EPOCHS)
    return sfmi_fail(error, SFM_INVALID, "a session has at most %d epochs, not %llu",
                     SFM_INTERACT_EPOCHS, (unsigned long long)s->epochs);
  if (s->epochs == 0 && !(s->accuracy > 0 && isfinite(s->accuracy)))
    return sfmi_fail(error, SFM_INVALID,
                     "settings.accuracy is the error bar that is wanted, a number above 0 in units "
                     "of the label; write for example settings.accuracy = 0.2 (or settings.epochs "
                     "= 10, from which the error bar follows)");
  return SFM_OK;
}

sfm_status sfmi_design_interact_check(sfm_train_settings *train,
                                      const sfm_interact_settings *settings, sfm_error *error) {
  *train = *settings->train;
  train->noise_given = false; /* the guarantee is checked for the usual noise of a training */
  train->calibration = SFM_CALIBRATION_EXACT;
  train->places = NULL;
  train->place_count = 0;
  const sfm_status status = check_machine(train, error);
  return !status ? check_wishes(settings, error) : status;
}

/* ---- noises ---- */

/* P(X - Y > t) for Laplace noises of scales 1 and 2/RATIO. */
static double tail(double t) {
  const double b = 2 / RATIO;
  return 0.5 * (b * b * exp(-t / b) - exp(-t)) / (b * b - 1);
}

/* The t of that, rounded up. */
static double quantile(double chance) {
  double lower = 0, upper = 2 / RATIO * fmax(log(2 / chance), 0) + 1;
  if (chance >= 0.5) return 0;
  for (int i = 0; i < 100; i++) {
    const double middle = 0.5 * (lower + upper);
    *(tail(middle) > chance ? &lower : &upper) = middle;
  }
  return upper;
}

/* What is known without the number of epochs. */
typedef struct session_terms {
  const sfm_interact_settings *settings;
  sfm_accounting accounting;
  double step, off;
  int64_t steps;
  double sure; /* 1 - confidence */
} session_terms;

/* One number of epochs, and what follows. */
typedef struct epoch_plan {
  double epsilon;           /* of an epoch */
  double watching;          /* the share of AboveThreshold */
  double threshold, spread; /* theta, and the quantile of X - Y, both over X's scale */
  double error_public, error_released;
  sfm_guarantee guarantee;
} epoch_plan;

static double alarm_chance(const session_terms *m, uint64_t epochs) {
  return fmin(ALARMS * (double)epochs / (double)m->settings->questions, 0.5);
}

static double epsilon_a(const epoch_plan *o) {
  return o->watching * o->epsilon / (1 + RATIO);
}

static double epsilon_b(const epoch_plan *o) {
  return epsilon_a(o) * RATIO;
}

static double epsilon_c(const epoch_plan *o) {
  return (1 - o->watching) * o->epsilon;
}

/* The scale of a released value's noise. */
static double answer_scale(const session_terms *m, const epoch_plan *o) {
  return sfmi_round_budget_steps((double)m->steps, epsilon_c(o)) / epsilon_c(o) * m->step;
}

static void measure(const session_terms *m, epoch_plan *o) {
  const double unit = (double)m->steps * m->step / epsilon_a(o);
  /* Rounding of q and p, of theta, and discrete noise in place of real: a step each. */
  o->error_public = (o->threshold + o->spread) * unit + 4 * m->step + m->off;
  o->error_released = -log(m->sure) * answer_scale(m, o) + 2 * m->step + m->off;
}

static sfm_status epoch_plan_for(epoch_plan *o, const session_terms *m, uint64_t epochs,
                                 sfm_error *error) {
  const sfm_train_settings *t = m->settings->train;
  *o = (epoch_plan){.threshold = quantile(alarm_chance(m, epochs)), .spread = quantile(m->sure)};
  const double watching = (1 + RATIO) * (o->threshold + o->spread), answering = -log(m->sure);
  o->watching = watching / (watching + answering);
  const sfmi_round_budget rounds = {.count = epochs,
                                    .parts = {{false, o->watching}, {true, 1 - o->watching}},
                                    .part_count = 2,
                                    .epsilon = t->epsilon,
                                    .delta = t->delta,
                                    .accounting = m->accounting,
                                    .word = "epoch"};
  const sfm_status status = sfmi_round_budget_solve(&o->epsilon, &o->guarantee, &rounds, error);
  if (!status) measure(m, o);
  return status;
}

static double bar(const epoch_plan *o) {
  return fmax(o->error_public, o->error_released);
}

/* ---- epochs ---- */

/* Prints a number of three digits that is no smaller, where possible without a power of ten. */
static void print_above(char *text, size_t size, double number) {
  const double unit = pow(10, floor(log10(number)) - 2);
  const double above = ceil(number / unit * (1 - 1e-12)) * unit;
  const int places = unit >= 1 ? 0 : (int)-lround(log10(unit));
  if (above < 1e15 && places <= 15)
    sfmi_snprintf(text, size, "%.*f", places, above);
  else
    sfmi_snprintf(text, size, "%.3g", 1.005 * number);
  if (strchr(text, '.') && !strchr(text, 'e'))
    for (size_t end = strlen(text); text[end - 1] == '0' || text[end - 1] == '.'; end--) {
      const bool point = text[end - 1] == '.';
      text[end - 1] = '\0';
      if (point) break;
    }
}

static sfm_status refuse(const session_terms *m, double factor, double once, uint64_t most,
                         const epoch_plan *one, sfm_error *error) {
  const sfm_train_settings *t = m->settings->train;
  char first[48], tenth[48] = "", release[48], unit[192] = "", more[128] = "";
  epoch_plan ten;
  const uint64_t many = most < 10 ? most : 10;
  print_above(first, sizeof first, factor * bar(one));
  print_above(release, sizeof release, factor * once);
  if (t->regression && t->label && *t->label)
    sfmi_snprintf(unit, sizeof unit, " (in units of %.80s, which is from %g to %g)", t->label,
                  t->label_lower, t->label_upper);
  else if (!t->regression)
    sfmi_snprintf(unit, sizeof unit, " (classes are -1 and 1)");
  if (many > 1 && !epoch_plan_for(&ten, m, many, NULL)) {
    print_above(tenth, sizeof tenth, factor * bar(&ten));
    sfmi_snprintf(more, sizeof more, ", settings.accuracy = %s for %llu", tenth,
                  (unsigned long long)many);
  }
  return sfmi_fail(
      error, SFM_INVALID,
      "an accuracy of %.6g is not possible%s: write settings.accuracy = %s for 1 epoch%s. A larger "
      "settings.epsilon or settings.lambda, or more rows, would help; one release with the same "
      "guarantee (sfm_train_release) is within %s at every point. Nothing was charged",
      m->settings->accuracy, unit, first, more, release);
}

/* The largest number of epochs whose bars are within the accuracy. */
static sfm_status choose(uint64_t *epochs, epoch_plan *chosen, const session_terms *m,
                         double factor, double once, uint64_t most, sfm_error *error) {
  const double wanted = m->settings->accuracy / factor;
  uint64_t good = 1, bad = most + 1;
  sfm_status status = epoch_plan_for(chosen, m, 1, error);
  if (!status && !(bar(chosen) <= wanted)) return refuse(m, factor, once, most, chosen, error);
  for (uint64_t next = 2; !status && bad - good > 1;
       next = bad == most + 1 && good < most / 4 ? 4 * good : good + (bad - good) / 2) {
    epoch_plan o;
    if (next > most) next = most;
    status = epoch_plan_for(&o, m, next, error);
    if (status == SFM_INVALID || (!status && !(bar(&o) <= wanted))) {
      bad = next; /* or so many that a part would have too little epsilon */
      status = SFM_OK;
    } else if (!status) {
      good = next;
      *chosen = o;
    }
  }
  *epochs = good;
  return status;
}

static uint64_t most_epochs(const sfm_interact_settings *s, const sfmi_feature_map *map) {
  const bool dense = !sfmi_feature_map_sparse(map);
  double most = SFM_INTERACT_EPOCHS;
  if (dense) most = fmin(most, floor(KEPT / (double)map->count));
  most = fmin(most, (double)s->questions);
  return most < 1 ? 1 : (uint64_t)most;
}

/* ---- the design ---- */

/* The largest error of a computed <w, phi>, for the w of a training: (width + 8) u |w| |phi|, and
 * what is lost below the least normal number. */
static double rounding_of(const sfmi_design_train *t, size_t width) {
  const double u = 0.5 * DBL_EPSILON, n = (double)width + 8;
  return (n * u * t->kappa * (t->reach + t->distance) + n * DBL_MIN) * (1 + 2 * n * u) * ROUNDING;
}

/* The bar at a point of one release of the weights. */
static sfm_status measure_once(double *once, bool *normal, const sfm_train_settings *s,
                               const sfmi_design_train *t, sfm_error *error) {
  double mu;
  *normal = s->delta > 0;
  if (!*normal) { /* Laplace noise of scale sqrt(F) Delta/epsilon on each: a normal sum */
    const double deviation = sqrt(2 * (double)t->features) * t->used * t->kappa / s->epsilon;
    *once = sfmi_normal_tail_inverse(0.5 * (1 - s->context.confidence)) * deviation;
    return SFM_OK;
  }
  const sfm_status status =
      sfmi_gdp_mu_for(&mu, s->epsilon, s->delta, SFM_CALIBRATION_EXACT, error);
  if (!status)
    *once = sfmi_normal_tail_inverse(0.5 * (1 - s->context.confidence)) * t->used * t->kappa / mu;
  return status;
}

static void quantise(session_terms *m, const sfmi_design_train *t, size_t width) {
  int exponent;
  m->off = rounding_of(t, width);
  const double s = (t->kappa * t->used + 2 * m->off) * ROUNDING;
  (void)frexp(s / STEPS, &exponent); /* s/STEPS in [2^(exponent-1), 2^exponent) */
  m->step = ldexp(1, exponent - 1);
  m->steps = (int64_t)ceil(s / m->step) + 1;
}

/* In the units of the label. */
static void complete(sfmi_design_interact *out, const session_terms *m, const epoch_plan *o,
                     uint64_t epochs, const sfmi_design_train *t, double once) {
  sfm_interact_plan *p = &out->plan;
  const double unit = (double)m->steps * m->step, f = out->factor;
  const double scale = answer_scale(m, o), variance = 2 * scale * scale;
  out->step = m->step;
  out->steps = m->steps;
  out->theta = (int64_t)ceil(o->threshold * unit / epsilon_a(o) / m->step) + 1;
  out->ridge = fmax(variance, RIDGE_LEAST) * t->kappa * t->kappa;
  out->stride = (double)out->theta * m->step / (t->kappa * t->kappa);
  p->rows = t->rows;
  p->questions = m->settings->questions;
  p->epochs = epochs;
  p->lambda = t->lambda;
  p->kappa = t->kappa;
  p->used = t->used;
  p->reach = t->reach;
  p->sensitivity = f * unit;
  p->step = f * m->step;
  p->threshold = f * (double)out->theta * m->step;
  p->epsilon_threshold = epsilon_a(o);
  p->epsilon_question = epsilon_b(o);
  p->epsilon_answer = epsilon_c(o);
  p->noise_threshold = f * unit / epsilon_a(o);
  p->noise_question = f * 2 * unit / epsilon_b(o);
  p->noise_answer = f * scale;
  p->error_public = f * o->error_public;
  p->error_released = f * o->error_released;
  p->alarms = (double)m->settings->questions * alarm_chance(m, epochs);
  p->worst = pow(t->reach * t->kappa / ((double)out->theta * m->step), 2);
  p->once = f * once;
  p->guarantee = o->guarantee;
}

sfm_status sfmi_design_interact_init(sfmi_design_interact *out,
                                     const sfm_interact_settings *settings,
                                     const sfmi_design_train *training, const sfmi_feature_map *map,
                                     size_t width, sfm_accounting accounting, sfm_error *error) {
  const sfm_train_settings *t = settings->train;
  session_terms m = {
      .settings = settings, .accounting = accounting, .sure = 1 - t->context.confidence};
  const uint64_t most = most_epochs(settings, map);
  uint64_t epochs = settings->epochs;
  double once;
  epoch_plan o;
  *out = (sfmi_design_interact){.factor = sfmi_design_train_half_width(t)};
  quantise(&m, training, width);
  sfm_status status = measure_once(&once, &out->plan.once_normal, t, training, error);
  if (status) return status;
  if (epochs > 0 && epochs > most)
    return sfmi_fail(error, SFM_INVALID,
                     "at most %llu epochs are possible, not %llu: no more than there are "
                     "questions, and the features of their points must fit in memory",
                     (unsigned long long)most, (unsigned long long)epochs);
  status = epochs > 0 ? epoch_plan_for(&o, &m, epochs, error)
                      : choose(&epochs, &o, &m, out->factor, once, most, error);
  if (!status) complete(out, &m, &o, epochs, training, once);
  return status;
}
