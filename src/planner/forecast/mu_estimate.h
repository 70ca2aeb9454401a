/* mu_estimate.h - the mu of normal noise at (epsilon, delta), quickly: for forecasts, not for
 * noise. */
#ifndef SFMI_MU_ESTIMATE_H
#define SFMI_MU_ESTIMATE_H

/* To nine digits. */
double sfmi_mu_estimate(double epsilon, double delta);

#endif
