/* tableau.h - what is public of a histogram: its cells, its guarantee, how far one person moves its
 * counts, and the thresholds that follow from them.
 *
 * With contributions k and M margins one person moves the counts by (docs/proofs/histogram.md)
 *     replace      l1 2 k M    l2 k sqrt(2 M)
 *     add/remove   l1   k M    l2 k sqrt(M) */
#ifndef SFMI_TABLEAU_H
#define SFMI_TABLEAU_H

#include "releases/cells.h"
#include "sfumato/histogram.h"

typedef struct sfmi_tableau {
  sfmi_cells *cells; /* factors, margins and, dense, where they start */
  size_t length;     /* dense: of all margins */
  uint64_t size;     /* cells of the whole table; 0 when undeclared */
  sfmi_method method;
  sfm_guarantee guarantee;
  double sensitivity; /* of the counts, in the norm of the noise: l1, or l2 when normal */
  double rate;        /* the scale of the noise is sensitivity/rate: epsilon, or mu when normal */
} sfmi_tableau;

/* Checks every setting.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_tableau_init(sfmi_tableau *tableau,
                                            const sfm_histogram_settings *settings,
                                            sfm_error *error);
void sfmi_tableau_clear(sfmi_tableau *tableau);

/* Whether the settings leave it to sfumato which noise there is; init then takes the one that
 * predicts less error, and laplace noise spends no delta. */
bool sfmi_tableau_free(const sfm_histogram_settings *settings);

/* How far one person moves the counts of so many margins, in l1, or in l2 when noise is normal. */
double sfmi_tableau_sensitivity(const sfm_histogram_settings *settings, double margins,
                                bool normal);

/* Only counts strictly above it are listed, noise of that scale being added: sparse scale ln(p/q),
 * undeclared the least that costs no more than delta; dense 0. */
double sfmi_tableau_threshold(const sfmi_tableau *tableau, const sfm_histogram_settings *settings,
                              sfm_ratio scale);

/* The release without counts; takes the tableau's cells over.  rows: their public number, or 0
 * under add/remove. */
SFM_MUST_CHECK sfm_status sfmi_tableau_outline(sfm_release **out, sfmi_tableau *tableau,
                                               const sfm_histogram_settings *settings,
                                               uint64_t rows, sfm_ratio scale, sfm_error *error);

#endif
