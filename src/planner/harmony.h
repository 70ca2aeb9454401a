/* harmony.h - fourier-laplace and caratheodory: how many frequencies, and what one row moves.
 *
 * Released are the sums over rows of psi_a = prod of 1, sqrt2 cos(2 pi j u), sqrt2 sin(2 pi j u),
 * |j| <= m an axis, on tori (features/gaussian.h); the reader multiplies by lambda_a.  The
 * constant's is n, which is public.
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
 * m is one of a list that follows from the domain and the bandwidth alone, that of least predicted
 * error.  On several axes one cut-off frequency in units of 1/bandwidth serves all.  What a row
 * moves is predicted to within half a percent, and certified once m is chosen.
 *
 * Truncation: with T the kernel without the frequencies beyond m, law = int (T p - K p)^2 over the
 * domain, by quadrature, for the shape p.  Smoothing is what int (T p - p)^2 is beyond that, and
 * sampling what the error against p has of the records' variance beyond that of truncation.
 * Without a shape it is the largest for the family of reference shapes, the even law and its heaps
 * among them (forecast.h): with few frequencies it is the shape that is lost. */
#ifndef SFMI_HARMONY_H
#define SFMI_HARMONY_H

#include "planner/forecast.h"

/* Whether the method is one of the two. */
bool sfmi_harmony_has(sfm_density_method method);

/* What of the settings belongs to them, for any method. */
SFM_MUST_CHECK sfm_status sfmi_harmony_check(const sfm_density_settings *settings,
                                             sfm_error *error);

/* The forecasts of one method at one bandwidth, by the number of frequencies. */
typedef struct sfmi_harmony sfmi_harmony;

typedef struct sfmi_harmony_question {
  const sfmi_design *design; /* domain, boundaries, contributions */
  const double *bandwidth;
  sfm_density_method method;
  sfm_density_body body;
  size_t terms; /* 0: all that may be chosen */
  /* The shape, and its blur.  Without a shape the reference shape and the rest of its family, which
   * makes more than one: then the worst of them counts, and of the even law with its heaps. */
  const sfmi_view *views;
  size_t view_count;
  const sfmi_blur *blur;
} sfmi_harmony_question;

/* What the question points to is borrowed. */
SFM_MUST_CHECK sfm_status sfmi_harmony_create(sfmi_harmony **out,
                                              const sfmi_harmony_question *question,
                                              sfm_error *error);
void sfmi_harmony_destroy(sfmi_harmony *harmony);

/* How many numbers of frequencies there are to choose from, and those of the i-th: along the axis
 * that has the most of them, or along any. */
size_t sfmi_harmony_count(const sfmi_harmony *harmony);
size_t sfmi_harmony_terms(sfmi_harmony *harmony, size_t i);
size_t sfmi_harmony_terms_along(sfmi_harmony *harmony, size_t i, size_t a);
/* The i-th's errors.  noise: times the variance of the noise for what one row moves, which grows
 * with i; alone it is had quickly. */
SFM_MUST_CHECK sfm_status sfmi_harmony_noise(sfmi_harmony *harmony, double *noise, size_t i,
                                             sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_harmony_errors(sfmi_harmony *harmony, sfmi_errors *out, size_t i,
                                              sfm_error *error);
/* What the i-th cuts off of a row, had quickly. */
double sfmi_harmony_lost(sfmi_harmony *harmony, size_t i);
/* What of the i-th's errors is the view's own: law, bias and spread. */
void sfmi_harmony_view(sfmi_harmony *harmony, sfmi_errors *out, size_t i, size_t view);
/* Whether the release of the i-th fits in memory. */
bool sfmi_harmony_fits(sfmi_harmony *harmony, size_t i);

/* Spectrum and sensitivity of a design whose domain, bandwidth, method and body are set, with so
 * many frequencies along the axis that has the most (terms: along all). */
SFM_MUST_CHECK sfm_status sfmi_harmony_design(sfmi_design *design, size_t lead, size_t terms,
                                              double rows, sfm_error *error);

#endif
