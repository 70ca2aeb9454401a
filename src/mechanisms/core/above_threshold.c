#include "above_threshold.h"

#include <assert.h>
#include <string.h>

#include "random/noise_sampler.h"

/* Draws of question noise at a time: each is used once, in order. */
enum { STOCK = 256 };

/* Invariant: noise[0 .. left) are draws that nobody has seen; the rest is wiped. */
struct sfmi_above {
  sfmi_above_law law;
  sfmi_sampler *threshold, *question;
  sfmi_stream *stream;
  bool running;
  sfmi_i128 noisy; /* T */
  sfmi_i128 noise[STOCK];
  size_t left;
};

sfm_status sfmi_above_law_init(sfmi_above_law *law, int64_t theta, int64_t k, double epsilon_a,
                               double epsilon_b, sfm_error *error) {
  assert(k >= 1 && epsilon_a > 0 && epsilon_b > 0);
  *law = (sfmi_above_law){.theta = theta};
  sfm_status status = sfmi_harden_laplace(&law->threshold, (double)k, epsilon_a, error);
  if (status) return status;
  return sfmi_harden_laplace(&law->question, 2 * (double)k, epsilon_b, error);
}

sfm_status sfmi_above_create(sfmi_above **out, const sfmi_above_law *law, sfmi_seed source,
                             sfm_error *error) {
  sfmi_above *above = sfmi_alloc(1, sizeof *above);
  *out = NULL;
  if (!above) return sfmi_fail_memory(error);
  above->law = *law;
  sfm_status status =
      sfmi_sampler_create(&above->threshold, law->threshold.law, law->threshold.scale, error);
  if (!status)
    status = sfmi_sampler_create(&above->question, law->question.law, law->question.scale, error);
  if (!status) status = sfmi_seed_stream(&above->stream, source, error);
  if (!status)
    *out = above;
  else
    sfmi_above_destroy(above);
  return status;
}

void sfmi_above_destroy(sfmi_above *above) {
  if (!above) return;
  sfmi_stream_destroy(above->stream);
  sfmi_sampler_destroy(above->threshold);
  sfmi_sampler_destroy(above->question);
  sfmi_wipe_free(above, 1, sizeof *above);
}

void sfmi_above_begin(sfmi_above *above) {
  sfmi_i128 noise;
  sfmi_sampler_draw(above->threshold, above->stream, &noise, 1);
  above->noisy = above->law.theta + noise;
  above->running = true;
  explicit_bzero(&noise, sizeof noise);
}

void sfmi_above_resume(sfmi_above *above, sfmi_i128 threshold) {
  above->noisy = threshold;
  above->running = true;
}

sfmi_i128 sfmi_above_threshold(const sfmi_above *above) {
  return above->noisy;
}

bool sfmi_above_running(const sfmi_above *above) {
  return above->running;
}

bool sfmi_above_ask(sfmi_above *above, sfmi_i128 score) {
  assert(above->running);
  if (above->left == 0) {
    sfmi_sampler_draw(above->question, above->stream, above->noise, STOCK);
    above->left = STOCK;
  }
  sfmi_i128 *noise = &above->noise[--above->left];
  const bool fires = score + *noise >= above->noisy;
  *noise = 0;
  if (fires) {
    above->running = false;
    above->noisy = 0;
  }
  return fires;
}
