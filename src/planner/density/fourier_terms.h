/* fourier_terms.h - fourier-laplace and caratheodory: how many frequencies, and what one row moves.
 *
 * Released are the sums over rows of psi_a = prod of 1, sqrt2 cos(2 pi j u), sqrt2 sin(2 pi j u),
 * |j| <= m per axis, on tori (features/kernels/gaussian_torus.h); the reader multiplies by
 * lambda_a. The constant's is n, which is public.
 *
 * fourier-laplace: what replacing a row moves in l1 (docs/proofs/fourier.md),
 *   one axis    sup over pairs of sum |psi_a(x) - psi_a(y)| + 2 slip,
 *   more        2 (prod (1 + sup |psi|_1 + slip) - 1);
 * the noise has variance 2 (Delta/epsilon)^2 on every coefficient.
 *
 * caratheodory: the moments c_k = sum over rows of exp(2 pi i k u), k = 1..m, and noise r U, U
 * uniform in a body K, r ~ Gamma(2m + 1, Delta/epsilon); Delta is the gauge in both orders
 * (docs/proofs/caratheodory.md), and 2 sqrt2 slip on top of it.
 *
 * m is taken from a list that follows from the domain and the bandwidth alone: the one of least
 * predicted error.  On several axes one cut-off frequency, in units of 1/bandwidth, serves all.
 * What a row moves is predicted to within half a percent, and certified once m is chosen.
 *
 * Truncation: with T the kernel without the frequencies beyond m, law = int (T p - K p)^2 over the
 * domain, by quadrature, for the shape p.  Against p, smoothing is that of K, the rest of
 * int (T p - p)^2 is missed, and sampling is the variance of what is released.  Without
 * a shape, law is the largest for the family of reference shapes and for the even law and its heaps
 * (density_errors.h): with few frequencies it is the shape that is lost. */
#ifndef SFMI_FOURIER_TERMS_H
#define SFMI_FOURIER_TERMS_H

#include "density_errors.h"

/* Whether the method is fourier-laplace or caratheodory. */
bool sfmi_fourier_terms_method(sfm_density_method method);

/* Checks the settings that belong to these two methods; for a density of any method. */
SFM_MUST_CHECK sfm_status sfmi_fourier_terms_check(const sfm_density_settings *settings,
                                                   sfm_error *error);

/* The forecasts of one method at one bandwidth, by the number of frequencies. */
typedef struct sfmi_fourier_terms sfmi_fourier_terms;

typedef struct sfmi_fourier_terms_question {
  const sfmi_design_density *design; /* domain, boundaries, contributions */
  const double *bandwidth;
  sfm_density_method method;
  sfm_density_body body;
  size_t terms; /* 0: all that may be chosen */
  /* The shape, and its risk without privacy.  Without a shape all reference shapes: then the worst
   * of them is taken, and of the even law with its heaps. */
  const sfmi_kde_problem *problems;
  size_t problem_count;
  const sfmi_kde_risk *kde_risk;
} sfmi_fourier_terms_question;

/* What the question points to is borrowed. */
SFM_MUST_CHECK sfm_status sfmi_fourier_terms_create(sfmi_fourier_terms **out,
                                                    const sfmi_fourier_terms_question *question,
                                                    sfm_error *error);
void sfmi_fourier_terms_destroy(sfmi_fourier_terms *fourier_terms);

/* How many candidates there are, and the frequencies of the i-th: along the axis that has the most,
 * and along axis a. */
size_t sfmi_fourier_terms_count(const sfmi_fourier_terms *fourier_terms);
size_t sfmi_fourier_terms_at(sfmi_fourier_terms *fourier_terms, size_t i);
size_t sfmi_fourier_terms_along(sfmi_fourier_terms *fourier_terms, size_t i, size_t a);
/* The errors of the i-th.  noise: the part of them that is noise, what one row moves included, at
 * an epsilon of 1; it grows with i, and is quickly computed by itself. */
SFM_MUST_CHECK sfm_status sfmi_fourier_terms_noise(sfmi_fourier_terms *fourier_terms, double *noise,
                                                   size_t i, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_fourier_terms_errors(sfmi_fourier_terms *fourier_terms,
                                                    sfmi_density_errors *out, size_t i,
                                                    sfm_error *error);
/* What the i-th cuts off of a row, quickly. */
double sfmi_fourier_terms_truncation_row(sfmi_fourier_terms *fourier_terms, size_t i);
/* The errors of the i-th that depend on the shape: law, bias and spread. */
void sfmi_fourier_terms_shape_errors(sfmi_fourier_terms *fourier_terms, sfmi_density_errors *out,
                                     size_t i, size_t problem);
/* Whether the release of the i-th fits in memory. */
bool sfmi_fourier_terms_fits(sfmi_fourier_terms *fourier_terms, size_t i);

/* Spectrum and sensitivity of a design whose domain, bandwidth, method and body are set, with so
 * many frequencies along the axis that has the most (terms: along all). */
SFM_MUST_CHECK sfm_status sfmi_fourier_terms_design(sfmi_design_density *design, size_t lead,
                                                    size_t terms, double rows, sfm_error *error);

#endif
