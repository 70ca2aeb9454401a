/* design_curve.h - everything about the release of a mean curve that is decided before the rows are
 * opened.
 *
 * Curves are vectors w in the basis of a span (features/bases/span_basis.h), |w| their norm, each
 * brought into a ball of integers (estimators/curves/clipping.h): of radius clip, or with persons
 * of radius contributions x clip for the sum of a person's curves.  So the sum of all moves by at
 * most 2 clip x contributions in l2 between neighbours, and by sqrt(m') times that in l1 on m'
 * directions.
 *
 * Normal noise is added to all directions.  Laplace noise grows with their number, so only the
 * first m' are released, with m' of least predicted error.  For n records and L2 weights
 * g_1 >= g_2 >= ...
 * - privacy = 2 b^2/n^2 sum_{j <= m'} g_j with b = sqrt(m') 2 clip contributions/epsilon;
 * - truncation = sum_{j > m'} g_j a_j^2 with a the guessed mean, fitted and clipped.
 *
 * Without a guess a_j^2 = clip^2/m: a mean of norm clip, evenly over directions. */
#ifndef SFMI_DESIGN_CURVE_H
#define SFMI_DESIGN_CURVE_H

#include "estimators/curves/clipping.h"
#include "estimators/curves/curve_smoother.h"
#include "releases/core/release_data.h"
#include "sfumato/curve.h"

typedef struct sfmi_design_curve {
  sfmi_basis *basis; /* all m directions */
  sfmi_smoother *smoother;
  double *weights; /* m of them: g */
  double *guess;   /* m of them: the guessed mean fitted, not clipped; NULL: none */
  size_t released; /* m' */
  double ridge;    /* what was asked, or the floor */
  double mu;       /* of the guarantee; 0: pure epsilon */
  sfmi_clipping clipping;
  double sensitivity; /* of the sums, in the norm of the noise and the values' unit */
  double systematic;  /* of the band: what is not noise */
  sfm_curve_choice plan;
} sfmi_design_curve;

/* Checks all settings but those that need the rows' header. */
SFM_MUST_CHECK sfm_status sfmi_design_curve_check(const sfm_curve_settings *settings,
                                                  sfm_error *error);

/* Checks all settings and fills the design.  Clear it also after a failure.  rows: n. */
SFM_MUST_CHECK sfm_status sfmi_design_curve_init(sfmi_design_curve *curve_design,
                                                 const sfm_curve_settings *settings, uint64_t rows,
                                                 sfm_error *error);
void sfmi_design_curve_clear(sfmi_design_curve *curve_design);

/* Chooses again for another number of rows, epsilon or mu; epsilon is in the settings and mu in the
 * design.  Changes released, clipping, sensitivity and plan; systematic stays. */
void sfmi_design_curve_choose(sfmi_design_curve *curve_design, const sfm_curve_settings *settings,
                              double rows);

/* The release with all that is public filled in but for its band, and room for its numbers, the
 * noise of that scale.  The caller destroys it, also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_design_curve_template(sfm_release **out,
                                                     const sfmi_design_curve *curve_design,
                                                     const sfm_curve_settings *settings,
                                                     uint64_t rows, double scale, sfm_error *error);

#endif
