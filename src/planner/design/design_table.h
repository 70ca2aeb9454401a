/* design_table.h - what is public of a histogram: its cells, its guarantee, how far one person
 * moves its counts, and the thresholds that follow from them.
 *
 * With contributions k and M margins one person moves the counts by (docs/proofs/histogram.md)
 *     replace      l1 2 k M    l2 k sqrt(2 M)
 *     add/remove   l1   k M    l2 k sqrt(M) */
#ifndef SFMI_DESIGN_TABLE_H
#define SFMI_DESIGN_TABLE_H

#include "releases/kinds/histogram_cells.h"
#include "sfumato/histogram.h"

typedef struct sfmi_design_table {
  sfmi_cells *cells; /* factors and margins; of a dense table also where margins start */
  size_t length;     /* dense: cells of all margins */
  uint64_t size;     /* cells of the whole table; 0 when undeclared */
  sfmi_method method;
  sfm_guarantee guarantee;
  double sensitivity; /* of the counts, in the norm of the noise: l1, or l2 when normal */
  double rate;        /* the scale of the noise is sensitivity/rate: epsilon, or mu when normal */
} sfmi_design_table;

/* Checks every setting.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_design_table_init(sfmi_design_table *table_design,
                                                 const sfm_histogram_settings *settings,
                                                 sfm_error *error);
void sfmi_design_table_clear(sfmi_design_table *table_design);

/* Whether the settings leave the noise open.  Then init takes the noise with the least predicted
 * error; laplace noise spends no delta. */
bool sfmi_design_table_noise_free(const sfm_histogram_settings *settings);

/* How far one person moves the counts of so many margins, in l1, or in l2 when noise is normal. */
double sfmi_design_table_sensitivity(const sfm_histogram_settings *settings, double margins,
                                     bool normal);

/* The threshold: only counts strictly above it are listed, where noise has that scale.  Sparse:
 * scale ln(p/q); undeclared: the least that costs no more than delta; dense: 0. */
double sfmi_design_table_threshold(const sfmi_design_table *table_design,
                                   const sfm_histogram_settings *settings, sfm_ratio scale);

/* The release without counts; it takes over the cells of the design.  rows: their public number, or
 * 0 under add/remove. */
SFM_MUST_CHECK sfm_status sfmi_design_table_template(sfm_release **out,
                                                     sfmi_design_table *table_design,
                                                     const sfm_histogram_settings *settings,
                                                     uint64_t rows, sfm_ratio scale,
                                                     sfm_error *error);

#endif
