#include "exponential_mechanism.h"

#include <assert.h>
#include <math.h>

sfm_status sfmi_exponential_rate(sfmi_dyadic_rate *out, double epsilon, double sensitivity,
                                 sfm_error *error) {
  /* Below the few roundings behind epsilon and the quotient. */
  const double rate = epsilon / (2 * sensitivity) * (1 - 0x1p-46);
  int exponent;
  (void)frexp(rate, &exponent); /* rate in [2^(exponent - 1), 2^exponent) */
  if (!(rate > 0) || !isfinite(rate) || exponent > 32 || exponent < -45)
    return sfmi_fail(error, SFM_INVALID,
                     "choosing with epsilon %g by scores of sensitivity %g is out of range",
                     epsilon, sensitivity);
  out->shift = exponent < -30 ? 62 : (unsigned)(32 - exponent);
  out->numerator = (uint64_t)floor(ldexp(rate, (int)out->shift));
  return SFM_OK;
}

/* True with probability exp(-rate loss). */
static bool accept(sfmi_stream *stream, sfmi_dyadic_rate rate, sfmi_u128 loss) {
  assert(loss < SFMI_LOSS_MAX && rate.numerator < (uint64_t)1 << 32 && rate.shift <= 62);
  const sfmi_u128 exponent = loss * rate.numerator; /* below 2^124 */
  const sfmi_u128 whole = exponent >> rate.shift;
  const uint64_t one = (uint64_t)1 << rate.shift;
  for (sfmi_u128 i = 0; i < whole; i++)
    if (!sfmi_bernoulli_exp(stream, (sfm_ratio){1, 1})) return false;
  return sfmi_bernoulli_exp(stream, (sfm_ratio){(uint64_t)exponent & (one - 1), one});
}

size_t sfmi_exponential_draw(sfmi_stream *stream, sfmi_dyadic_rate rate, sfmi_candidate_loss *loss,
                             const void *context, size_t count) {
  for (;;) {
    const size_t i = (size_t)sfmi_uniform(stream, count);
    if (accept(stream, rate, loss(context, i))) return i;
  }
}

/* How much less each score is than the best. */
typedef struct score_losses {
  int64_t best;
  const int64_t *scores;
} score_losses;

static sfmi_u128 score_loss(const void *context, size_t i) {
  const score_losses *s = context;
  return (sfmi_u128)((sfmi_i128)s->best - s->scores[i]);
}

size_t sfmi_exponential_draw_scores(sfmi_stream *stream, sfmi_dyadic_rate rate,
                                    const int64_t *scores, size_t count) {
  score_losses s = {INT64_MIN, scores};
  for (size_t i = 0; i < count; i++)
    if (scores[i] > s.best) s.best = scores[i];
  return sfmi_exponential_draw(stream, rate, score_loss, &s, count);
}
