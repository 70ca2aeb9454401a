/* gamma_distribution.h - the gamma distribution, in doubles, for predictions. */
#ifndef SFMI_GAMMA_DISTRIBUTION_H
#define SFMI_GAMMA_DISTRIBUTION_H

/* P(G <= x) for G of density x^(shape-1) exp(-x)/Gamma(shape), shape > 0, to 1e-12 for shapes up to
 * 1e4, beyond by Wilson and Hilferty's normal approximation to 1e-6. */
double sfmi_gamma_cdf(double shape, double x);
/* The x with P(G <= x) = p, for p in (0, 1); 0 where it is less than 1e-300. */
double sfmi_gamma_quantile(double shape, double p);
/* An x beyond which G is with probability p, or less: exactly where the above is exact enough for
 * p, else by P(G > shape (1 + e)) <= exp(-shape (e - ln(1 + e))). */
double sfmi_gamma_tail_bound(double shape, double p);

#endif
