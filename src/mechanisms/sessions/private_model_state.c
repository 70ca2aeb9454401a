/* private_model_state.c
 *
 * THE FIELDS OF A STATE, version 2.  One word each but for the threshold.
 *
 *   1-3    rows, questions, epochs
 *   4-10   lambda, kappa, used, reach, sensitivity, step, threshold
 *   11-13  epsilon of the threshold, of a question, of an answer
 *   14-16  scales of these noises
 *   17-21  errors of public and released answers, alarms, worst, once
 *   22     whether a single release has normal noise: 0 or 1
 *   23-28  the guarantee: kind, epsilon, delta, mu, rho, gamma
 *   29-30  factor, step
 *   31-32  steps, theta: integers
 *   33-34  ridge, stride
 *   35-38  form, features, frequencies, their seed
 *   39-42  update, seeded (0 or 1), seed, confidence
 *   43-44  the first noisy threshold, low word first
 *   45-    weights, as many as features
 *
 * 1 to 34 are members of sfm_interact_plan and sfmi_design_interact; what else these may have is
 * not stored.  In version 1 field 22 has one byte and 23 four, and the bytes behind them are
 * undefined.
 */
#include "private_model_state.h"

#include <math.h>
#include <stdlib.h>

#include "base/system/secret_memory.h"
#include "session_state.h"

static const sfmi_state_kind KIND = {.mark = UINT64_C(0x7463617265746e69), /* "interact" */
                                     .version = 2,
                                     .mark_0_1 = UINT64_C(0x0001746673313030),
                                     .size_0_1 = 368};

_Static_assert(SFM_GUARANTEE_PURE == 0 && SFM_GUARANTEE_GDP == 1 && SFM_GUARANTEE_ZCDP == 2 &&
                   SFM_GUARANTEE_APPROXIMATE == 3 && SFM_GUARANTEE_RANDOM_DP == 4,
               "kinds of guarantees are numbers in files");
_Static_assert(SFMI_FEATURE_MAP_LINEAR == 0 && SFMI_FEATURE_MAP_MONOMIALS == 1 &&
                   SFMI_FEATURE_MAP_TORUS == 2 && SFMI_FEATURE_MAP_RANDOM == 3,
               "forms are numbers in files");
_Static_assert(SFM_INTERACT_UPDATE_RIDGE == 0 && SFM_INTERACT_UPDATE_STEP == 1,
               "updates are numbers in files");

/* A noisy threshold is within this of 0: far more than noise of 2^52 steps ever is, and small
 * enough to be compared. */
static const sfmi_i128 THRESHOLD_MOST = (sfmi_i128)1 << 100;
/* Of what is read from a file: released values are numbers, and so are their squares. */
enum { STEP_EXPONENT = 400 };
static const int64_t STEPS_COUNT = (int64_t)1 << 40, THETA_MOST = (int64_t)1 << 60;

bool sfmi_private_model_threshold_fits(sfmi_i128 threshold) {
  return threshold >= -THRESHOLD_MOST && threshold <= THRESHOLD_MOST;
}

/* ---- fields ---- */

/* A number below count, of which version 1 wrote so many bytes. */
static unsigned code_index(sfmi_byte_codec *c, unsigned index, unsigned count, size_t bytes) {
  uint64_t word = index;
  sfmi_byte_codec_u64(c, &word);
  if (c->version == 1) word &= UINT64_MAX >> (64 - 8 * bytes);
  if (word >= count) c->failed = true;
  return c->failed ? index : (unsigned)word;
}

static void code_numbers(sfmi_byte_codec *c, double *const *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) sfmi_byte_codec_f64(c, numbers[i]);
}

static void code_guarantee(sfmi_byte_codec *c, sfm_guarantee *g) {
  double *const numbers[] = {&g->epsilon, &g->delta, &g->mu, &g->rho, &g->gamma};
  g->kind = (sfm_guarantee_kind)code_index(c, g->kind, SFM_GUARANTEE_RANDOM_DP + 1, 4);
  code_numbers(c, numbers, sizeof numbers / sizeof *numbers);
}

static void code_plan(sfmi_byte_codec *c, sfm_interact_plan *p) {
  double *const numbers[] = {&p->lambda,
                             &p->kappa,
                             &p->used,
                             &p->reach,
                             &p->sensitivity,
                             &p->step,
                             &p->threshold,
                             &p->epsilon_threshold,
                             &p->epsilon_question,
                             &p->epsilon_answer,
                             &p->noise_threshold,
                             &p->noise_question,
                             &p->noise_answer,
                             &p->error_public,
                             &p->error_released,
                             &p->alarms,
                             &p->worst,
                             &p->once};
  sfmi_byte_codec_u64(c, &p->rows);
  sfmi_byte_codec_u64(c, &p->questions);
  sfmi_byte_codec_u64(c, &p->epochs);
  code_numbers(c, numbers, sizeof numbers / sizeof *numbers);
  p->once_normal = code_index(c, p->once_normal, 2, 1);
  code_guarantee(c, &p->guarantee);
}

static void code_head(sfmi_byte_codec *c, sfmi_private_model_head *head) {
  sfmi_design_interact *found = &head->found;
  code_plan(c, &found->plan);
  sfmi_byte_codec_f64(c, &found->factor);
  sfmi_byte_codec_f64(c, &found->step);
  sfmi_byte_codec_i64(c, &found->steps);
  sfmi_byte_codec_i64(c, &found->theta);
  sfmi_byte_codec_f64(c, &found->ridge);
  sfmi_byte_codec_f64(c, &found->stride);
  head->form = (sfmi_feature_map_form)code_index(c, head->form, SFMI_FEATURE_MAP_POINTS, 8);
  sfmi_byte_codec_u64(c, &head->features);
  sfmi_byte_codec_u64(c, &head->frequencies);
  sfmi_byte_codec_u64(c, &head->frequency_seed);
  head->update = (sfm_interact_update)code_index(c, head->update, SFM_INTERACT_UPDATE_STEP + 1, 8);
  sfmi_byte_codec_bool(c, &head->seeded);
  sfmi_byte_codec_u64(c, &head->seed);
  sfmi_byte_codec_f64(c, &head->confidence);
  sfmi_byte_codec_i128(c, &head->threshold);
}

sfm_status sfmi_private_model_state_write(uint8_t **state, size_t *length,
                                          sfmi_private_model_head *head, const double *weights,
                                          sfm_error *error) {
  sfmi_byte_codec codec;
  sfmi_state_begin(&codec, &KIND);
  code_head(&codec, head);
  for (size_t i = 0; i < head->features; i++) sfmi_byte_codec_f64(&codec, &(double){weights[i]});
  return sfmi_state_end(state, length, &codec, error);
}

/* ---- whether a state can be ----
 *
 * What the facts say, too, must be the same there (they were written with all digits); of the rest
 * it must be a number of its kind, so that nothing computed from it is none. */

static bool is_power_of_two(double x) {
  int exponent;
  return isnormal(x) && frexp(x, &exponent) == 0.5 && abs(exponent) <= STEP_EXPONENT;
}

static bool guarantee_fits(const sfm_guarantee *g, const sfm_guarantee *stated) {
  return g->kind == stated->kind && g->epsilon == stated->epsilon && g->delta == stated->delta &&
         g->mu == stated->mu && g->rho == stated->rho && g->gamma == stated->gamma;
}

/* What is shown of a plan, and for nothing else. */
static bool plan_fits(const sfm_interact_plan *plan) {
  const double shown[] = {plan->lambda,          plan->kappa,          plan->used,
                          plan->reach,           plan->sensitivity,    plan->step,
                          plan->threshold,       plan->noise_question, plan->noise_answer,
                          plan->noise_threshold, plan->error_public,   plan->error_released};
  for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
    if (!(shown[i] >= 0 && isfinite(shown[i]))) return false;
  return plan->alarms >= 0 && plan->worst >= 0 && plan->once >= 0;
}

static bool found_fits(const sfmi_design_interact *found, const sfm_release *facts) {
  const sfm_interact_plan *plan = &found->plan;
  const sfm_machine_fit *fit = &facts->model->fit;
  if (!is_power_of_two(found->step) || found->step != facts->step) return false;
  if (found->steps < 1 || found->steps > STEPS_COUNT || found->theta < 0 ||
      found->theta > THETA_MOST)
    return false;
  if ((double)found->steps * found->step != facts->sensitivity ||
      (double)found->theta * found->step != fit->threshold)
    return false;
  if (plan->epochs < 1 || plan->epochs > SFM_INTERACT_EPOCHS || plan->epochs != fit->rounds)
    return false;
  if (!(plan->epsilon_threshold > 0 && plan->epsilon_question > 0 && plan->epsilon_answer > 0) ||
      plan->epsilon_threshold != fit->watching || plan->epsilon_question != fit->comparing ||
      plan->epsilon_answer != fit->answering)
    return false;
  return isnormal(found->ridge) && found->ridge > 0 && found->ridge == fit->ridge &&
         found->stride >= 0 && isfinite(found->stride) &&
         found->factor == sfmi_machine_model_factor(facts->model) && plan->rows == facts->rows &&
         guarantee_fits(&plan->guarantee, &facts->guarantee) && plan_fits(plan);
}

/* Before anything is made of it. */
static bool head_fits(const sfmi_private_model_head *head, const sfm_release *facts) {
  const sfmi_feature_map *like = facts->model->map;
  if (head->features < 1 || head->features > SFMI_FEATURE_MAP_MAX) return false;
  if (head->form == SFMI_FEATURE_MAP_RANDOM &&
      (head->frequencies < 1 || head->frequencies > head->features / 2 ||
       like->dimension > SFMI_VALUES_MAX / head->frequencies))
    return false;
  return found_fits(&head->found, facts) && head->seeded == !facts->is_private &&
         head->confidence > 0 && head->confidence < 1 &&
         sfmi_private_model_threshold_fits(head->threshold);
}

sfm_status sfmi_private_model_state_read(sfmi_private_model_head *head, double **weights,
                                         const uint8_t *state, size_t length,
                                         const sfm_release *facts, const char *name,
                                         sfm_error *error) {
  sfmi_byte_codec codec;
  *head = (sfmi_private_model_head){0};
  *weights = NULL;
  sfm_status status = sfmi_state_open(&codec, &KIND, state, length, name, error);
  if (status) return status;
  code_head(&codec, head);
  if (codec.failed || !head_fits(head, facts) ||
      sfmi_byte_codec_left(&codec) != head->features * sizeof **weights)
    return sfmi_state_fail_impossible(name, error);
  *weights = sfmi_secret_alloc(2 * head->features, sizeof **weights);
  if (!*weights) return sfmi_fail_memory(error);
  bool finite = true;
  for (size_t i = 0; i < head->features; i++) {
    sfmi_byte_codec_f64(&codec, &(*weights)[i]);
    finite = finite && isfinite((*weights)[i]);
  }
  return finite ? SFM_OK : sfmi_state_fail_impossible(name, error);
}
