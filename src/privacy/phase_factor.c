#include "phase_factor.h"

/* e^(i angle). */
static void phase_factor(double *cosine, double *sine, sfmi_dd angle) {
  const double c = cos(angle.hi), s = sin(angle.hi), d = cos(angle.lo), t = sin(angle.lo);
  *cosine = c * d - s * t;
  *sine = s * d + c * t;
}

sfmi_dd sfmi_phase_angle(sfmi_dd rate, double step, double j) {
  sfmi_dd theta = sfmi_dd_two_product(step, j);
  sfmi_dd main = sfmi_dd_scale(theta, rate.hi);
  return sfmi_dd_two_sum(main.hi, main.lo + theta.hi * rate.lo);
}

void sfmi_phase_factors_init(sfmi_phase_factors *turns, sfmi_dd rate, double step) {
  for (int t = 0; t < SFMI_NODE_BLOCK; t++)
    phase_factor(&turns->cosine[t], &turns->sine[t], sfmi_phase_angle(rate, step, t));
}

void sfmi_phase_factors_at(sfmi_phase_factors *out, const sfmi_phase_factors *turns, sfmi_dd rate,
                           double step, double first) {
  double c, s;
  phase_factor(&c, &s, sfmi_phase_angle(rate, step, first));
  for (int t = 0; t < SFMI_NODE_BLOCK; t++) {
    out->cosine[t] = c * turns->cosine[t] - s * turns->sine[t];
    out->sine[t] = s * turns->cosine[t] + c * turns->sine[t];
  }
}
