/* mixture.h - the example of figures 3.2 and 3.3 of Hall's thesis: a kernel density estimate of 100
 * points of a mixture of two normals and its private version, at h = 0.1, alpha = 1, beta = 0.1
 * (here epsilon and delta), measured over many samples.
 *
 * Each sample is released once with the thesis's noise and once with the exactly calibrated one.
 * Noise comes from seeds, so that the figures can be repeated. */
#ifndef FIGURES_MIXTURE_H
#define FIGURES_MIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sfumato/sfumato.h"

enum { MIXTURE_ROWS = 100, MIXTURE_GRID = 1000 };
extern const double MIXTURE_BANDWIDTH, MIXTURE_CONFIDENCE;

/* A release at i/(MIXTURE_GRID - 1). */
typedef struct mixture_curve {
  double values[MIXTURE_GRID];
  double band, gamma; /* gamma of sobolev, else NaN */
} mixture_curve;

typedef struct mixture_sample {
  double rows[MIXTURE_ROWS];
  double estimate[MIXTURE_GRID];
  mixture_curve released[2]; /* by calibration */
} mixture_sample;

/* What was measured over samples; pairs by calibration. */
typedef struct mixture_tally {
  size_t samples, peaked;                          /* all, and those whose estimate has two peaks */
  double mean[MIXTURE_GRID], square[MIXTURE_GRID]; /* sums of estimates and of their squares */
  size_t kept[2], covered[2];               /* both peaks remain; the band holds everywhere */
  size_t maxima[2], fewest[2];              /* local ones of releases: sum and least */
  double noise[2];                          /* sum of mean squared differences */
  double delta, sigma[2], measured[2], due; /* due: the noise of sampling */
  double maxima_estimate;                   /* a sample, on average */
} mixture_tally;

/* Draws and releases samples by a method, gp or sobolev (whose values are on that grid); the first
 * is kept. */
SFM_MUST_CHECK sfm_status mixture_measure(mixture_tally *t, mixture_sample *first,
                                          sfm_density_method method, size_t samples,
                                          sfm_error *error);

/* The file figure-NUMBER ENDING in a folder, to be written; NULL when it cannot be. */
FILE *mixture_create(const char *folder, const char *number, const char *ending);
/* The curves of a sample. */
bool mixture_write_curves(const mixture_sample *s, const char *folder, const char *number);
/* The picture of a sample as SVG and PNG. */
SFM_MUST_CHECK sfm_status mixture_draw(const mixture_sample *s, const mixture_tally *t,
                                       unsigned calibration, const char *folder, const char *number,
                                       sfm_error *error);
/* The table that both figures print. */
void mixture_print(const mixture_tally *t, const char *number);

/* Folder and number of samples from the command line; false: usage was printed. */
bool mixture_arguments(const char **folder, size_t *samples, int count, char **words, size_t usual);

#endif
