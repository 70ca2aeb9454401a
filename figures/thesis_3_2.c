/* thesis_3_2.c - figure 3.2 of Hall's thesis: a kernel density estimate of 100 points and its
 * private version, at h = 0.1, alpha = 1, beta = 0.1 (here epsilon and delta).
 *
 *   thesis_3_2 FOLDER [SAMPLES]
 *
 * The thesis draws one release and says of it that "gross features of the original kernel density
 * estimator remain, namely the two peaks", and of its noise that it is "on the same order as the
 * noise due to the sampling of the points".  Here many samples are drawn from such a mixture of two
 * normals and each is released once with the thesis's noise and once with the exactly calibrated
 * one; the first is drawn.  Noise comes from seeds, so that the figure can be repeated. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "draw/draw.h"
#include "sfumato/sfumato.h"

enum { ROWS = 100, GRID = 1000, SAMPLES = 500 };
static const double BANDWIDTH = 0.1, EPSILON = 1, DELTA = 0.1, CONFIDENCE = 0.95;
/* The mixture: halves, around these; the thesis does not say how wide. */
static const double CENTRES[2] = {0.3, 0.7}, SPREAD = 0.1;
/* What "remain" and "the same order" are taken to mean. */
static const double REMAIN = 0.9, ORDER = 3;

typedef struct curve {
  double values[GRID]; /* at i/(GRID - 1) */
  double band;
} curve;

typedef struct sample {
  double rows[ROWS];
  double estimate[GRID];
  curve released[2]; /* by calibration */
} sample;

/* What was measured over samples; pairs by calibration. */
typedef struct tally {
  size_t samples, peaked;                   /* all, and those whose estimate has two peaks */
  double mean[GRID], square[GRID];          /* sums of estimates and of their squares */
  size_t kept[2], covered[2];               /* both peaks remain; the band holds everywhere */
  double noise[2];                          /* sum of mean squared differences */
  double delta, sigma[2], measured[2], due; /* due: the noise of sampling */
} tally;

static const char *const CALIBRATIONS[2] = {"exact", "classical"};

/* splitmix64: uniform in (0, 1). */
static double uniform(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

static void draw_rows(double *rows, uint64_t *state) {
  for (size_t i = 0; i < ROWS; i++) {
    const double centre = CENTRES[uniform(state) < 0.5], radius = sqrt(-2 * log(uniform(state)));
    const double x = centre + SPREAD * radius * cos(2 * M_PI * uniform(state));
    rows[i] = fmin(fmax(x, 0), 1); /* the domain, as the release has it */
  }
}

static void estimate_density(double *values, const double *rows) {
  for (size_t i = 0; i < GRID; i++) {
    const double x = (double)i / (GRID - 1);
    double sum = 0;
    for (size_t k = 0; k < ROWS; k++) {
      const double z = (x - rows[k]) / BANDWIDTH;
      sum += exp(-0.5 * z * z);
    }
    values[i] = sum / (ROWS * sqrt(2 * M_PI) * BANDWIDTH);
  }
}

static sfm_status read_curve(curve *out, const sfm_release *release, sfm_error *error) {
  sfm_evaluator *evaluator = NULL;
  const size_t counts[1] = {GRID};
  sfm_status status = sfm_evaluator_create(&evaluator, release, 0, error);
  if (!status) status = sfm_evaluator_grid(evaluator, out->values, counts, error);
  out->band = sfm_release_band(release).half_width;
  sfm_evaluator_destroy(evaluator);
  return status;
}

static sfm_status release_curve(curve *out, const double *values, const sfm_schema *schema,
                                sfm_calibration calibration, uint64_t seed, sfm_error *error) {
  const char *const columns[] = {"x"};
  sfm_density_settings settings = sfm_density_settings_default();
  settings.schema = schema;
  settings.columns = columns;
  settings.dimension = 1;
  settings.bandwidth = &BANDWIDTH;
  settings.epsilon = EPSILON;
  settings.delta = DELTA;
  settings.method = SFM_DENSITY_GP;
  settings.calibration = calibration;
  settings.confidence = CONFIDENCE;
  settings.seeded = true;
  settings.seed = seed;
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  sfm_status status = sfm_rows_from_array(&rows, values, ROWS, 1, columns, error);
  if (!status) status = sfm_density_release(&release, NULL, rows, &settings, error);
  if (!status) status = read_curve(out, release, error);
  sfm_release_destroy(release);
  sfm_rows_destroy(rows);
  return status;
}

static sfm_status make_sample(sample *s, const sfm_schema *schema, uint64_t number,
                              sfm_error *error) {
  uint64_t state = number;
  sfm_status status = SFM_OK;
  draw_rows(s->rows, &state);
  estimate_density(s->estimate, s->rows);
  for (unsigned c = 0; c < 2 && !status; c++)
    status =
        release_curve(&s->released[c], s->rows, schema, (sfm_calibration)c, 2 * number + c, error);
  return status;
}

/* Where the curve is largest in [first, last]; false when that is at an end of it. */
static bool find_peak(size_t *at, const double *values, size_t first, size_t last) {
  *at = first;
  for (size_t i = first; i <= last; i++)
    if (values[i] > values[*at]) *at = i;
  return *at > first && *at < last;
}

/* Whether the curve has a peak within a bandwidth of each of two places, on its side of the middle
 * between them. */
static bool has_peaks(const double *values, const size_t places[2]) {
  const size_t reach = (size_t)(BANDWIDTH * (GRID - 1)), middle = (places[0] + places[1]) / 2;
  for (size_t k = 0; k < 2; k++) {
    size_t first = places[k] < reach ? 0 : places[k] - reach;
    size_t last = places[k] + reach < GRID ? places[k] + reach : GRID - 1, at;
    if (k == 0 && last > middle) last = middle;
    if (k == 1 && first < middle) first = middle;
    if (!find_peak(&at, values, first, last)) return false;
  }
  return true;
}

static void count_sample(tally *t, const sample *s) {
  size_t places[2];
  const bool left = find_peak(&places[0], s->estimate, 0, GRID / 2);
  const bool peaked = find_peak(&places[1], s->estimate, GRID / 2, GRID - 1) && left;
  t->samples++;
  t->peaked += peaked;
  for (size_t i = 0; i < GRID; i++) {
    t->mean[i] += s->estimate[i];
    t->square[i] += s->estimate[i] * s->estimate[i];
  }
  for (unsigned c = 0; c < 2; c++) {
    double worst = 0, squares = 0;
    for (size_t i = 0; i < GRID; i++) {
      const double error = s->released[c].values[i] - s->estimate[i];
      worst = fmax(worst, fabs(error));
      squares += error * error / GRID;
    }
    t->noise[c] += squares;
    t->covered[c] += worst <= s->released[c].band;
    t->kept[c] += peaked && has_peaks(s->released[c].values, places);
  }
}

static sfm_status conclude(tally *t, sfm_error *error) {
  const double n = (double)t->samples;
  sfm_status status = SFM_OK;
  t->delta = sqrt(2) / (ROWS * sqrt(2 * M_PI) * BANDWIDTH);
  for (unsigned c = 0; c < 2 && !status; c++) {
    status = sfm_gaussian_ratio(&t->sigma[c], EPSILON, DELTA, (sfm_calibration)c, error);
    t->sigma[c] *= t->delta;
    t->measured[c] = sqrt(t->noise[c] / n);
  }
  double variance = 0;
  for (size_t i = 0; i < GRID; i++) {
    const double mean = t->mean[i] / n;
    variance += (t->square[i] / n - mean * mean) * n / (n - 1) / GRID;
  }
  t->due = sqrt(variance);
  return status;
}

/* ---- what is written ---- */

static FILE *create(char *path, size_t size, const char *folder, const char *ending) {
  snprintf(path, size, "%s/figure-3.2%s", folder, ending);
  FILE *file = fopen(path, "w");
  if (!file) fprintf(stderr, "thesis_3_2: cannot write %s\n", path);
  return file;
}

static bool write_curves(const sample *s, const char *folder) {
  char path[4096];
  FILE *file = create(path, sizeof path, folder, ".csv");
  if (!file) return false;
  fprintf(file, "x,estimate,classical,classical_band,exact,exact_band\n");
  const curve *exact = &s->released[SFM_CALIBRATION_EXACT];
  const curve *classical = &s->released[SFM_CALIBRATION_CLASSICAL];
  for (size_t i = 0; i < GRID; i++)
    fprintf(file, "%.17g,%.9g,%.9g,%.9g,%.9g,%.9g\n", (double)i / (GRID - 1), s->estimate[i],
            classical->values[i], classical->band, exact->values[i], exact->band);
  return fclose(file) == 0;
}

static double percent(size_t hits, size_t trials) {
  return trials ? 100 * (double)hits / (double)trials : 0;
}

static bool write_tally(const tally *t, const char *folder) {
  char path[4096];
  FILE *file = create(path, sizeof path, folder, "-measured.csv");
  if (!file) return false;
  fprintf(file, "calibration,samples,delta,sigma,noise_measured,noise_of_sampling,two_peaks,"
                "peaks_remain,band_confidence,band_held\n");
  for (unsigned c = 2; c-- > 0;)
    fprintf(file, "%s,%zu,%.9g,%.9g,%.9g,%.9g,%zu,%zu,%g,%zu\n", CALIBRATIONS[c], t->samples,
            t->delta, t->sigma[c], t->measured[c], t->due, t->peaked, t->kept[c], CONFIDENCE,
            t->covered[c]);
  return fclose(file) == 0;
}

static sfm_status draw_sample(const sample *s, const tally *t, unsigned calibration,
                              const char *folder, sfm_error *error) {
  const curve *released = &s->released[calibration];
  char note[512], path[4096];
  snprintf(
      note, sizeof note,
      "Band: %g %% everywhere at once, \u00b1%.3g. Noise of standard deviation %.4f (%s) on an "
      "estimate that varies by %.4f between samples.",
      100 * CONFIDENCE, released->band, t->sigma[calibration],
      calibration == SFM_CALIBRATION_EXACT ? "exact" : "classical, as in the thesis", t->due);
  const draw_figure figure = {
      .title = calibration == SFM_CALIBRATION_EXACT
                   ? "Figure 3.2 with exact calibration: an estimate and its release"
                   : "Figure 3.2: a kernel density estimate and its release",
      .labels = {"x"},
      .value_label = "density",
      .caption = "100 simulated points of two normals around 0.3 and 0.7; bandwidth 0.1; epsilon = "
                 "1, delta = 0.1. Noise from a seed: a demonstration, not private.",
      .note = note,
      .dimension = 1,
      .counts = {GRID},
      .upper = {1},
      .values = released->values,
      .half_width = released->band,
      .reference = s->estimate,
      .names = {"released, with its band", "estimate without privacy"},
  };
  sfm_status status = SFM_OK;
  for (int png = 0; png < 2 && !status; png++) {
    snprintf(path, sizeof path, "%s/figure-3.2%s.%s", folder,
             calibration == SFM_CALIBRATION_EXACT ? "-exact" : "", png ? "png" : "svg");
    status = draw_file(&figure, path, error);
  }
  return status;
}

/* ---- what is said ---- */

static void print_tally(const tally *t) {
  const unsigned exact = SFM_CALIBRATION_EXACT, classical = SFM_CALIBRATION_CLASSICAL;
  printf(
      "figure 3.2 of the thesis: n = %d, h = %g, epsilon = %g, delta = %g, normals around %g and "
      "%g\n(of standard deviation %g: the thesis does not say); %zu samples\n",
      ROWS, BANDWIDTH, EPSILON, DELTA, CENTRES[0], CENTRES[1], SPREAD, t->samples);
  printf("  %-40s %12s %12s\n", "", "classical", "exact");
  printf("  %-40s %12.6f %12.6f\n", "sensitivity Delta", t->delta, t->delta);
  printf("  %-40s %12.4f %12.4f\n", "noise sigma, by its formula", t->sigma[classical],
         t->sigma[exact]);
  printf("  %-40s %12.4f %12.4f\n", "noise, root mean square measured", t->measured[classical],
         t->measured[exact]);
  printf("  %-40s %12.4f\n", "noise due to sampling, measured", t->due);
  printf("  %-40s %10.1f %% %10.1f %%\n", "both peaks remain",
         percent(t->kept[classical], t->peaked), percent(t->kept[exact], t->peaked));
  printf("  %-40s %10.1f %% %10.1f %%\n", "the 95 % band holds everywhere",
         percent(t->covered[classical], t->samples), percent(t->covered[exact], t->samples));
}

static void print_verdict(const tally *t) {
  const size_t kept = t->kept[SFM_CALIBRATION_CLASSICAL];
  const double ratio = t->measured[SFM_CALIBRATION_CLASSICAL] / t->due;
  const bool peaks = (double)kept >= REMAIN * (double)t->peaked, order = ratio <= ORDER;
  printf("claim \"gross features ... remain, namely the two peaks\": %s, in %zu of the %zu samples "
         "whose estimate has two (%g %% wanted)\n",
         peaks ? "held" : "did not hold", kept, t->peaked, 100 * REMAIN);
  printf(
      "claim \"on the same order as the noise due to the sampling of the points\": %s, %.2f times "
      "it (at most %g wanted)\n",
      order ? "held" : "did not hold", ratio, ORDER);
  printf("figure 3.2: %s\n", peaks && order ? "the claims held" : "the claims did NOT hold");
}

static sfm_status measure(tally *t, sample *first, size_t samples, sfm_error *error) {
  sfm_schema *schema = NULL;
  sfm_status status = sfm_schema_create(&schema, error);
  if (!status) status = sfm_schema_set_bounds(schema, "x", 0, 1, error);
  for (size_t i = 0; i < samples && !status; i++) {
    sample s;
    status = make_sample(&s, schema, i + 1, error);
    if (status) break;
    if (i == 0) *first = s;
    count_sample(t, &s);
  }
  if (!status) status = conclude(t, error);
  sfm_schema_destroy(schema);
  return status;
}

int main(int count, char **words) {
  const long samples = count > 2 ? atol(words[2]) : SAMPLES;
  if (count < 2 || count > 3 || samples < 2) {
    fprintf(stderr, "usage: thesis_3_2 FOLDER [SAMPLES, at least 2]\n");
    return 2;
  }
  sample first;
  tally t = {0};
  sfm_error error;
  sfm_status status = measure(&t, &first, (size_t)samples, &error);
  for (unsigned c = 0; c < 2 && !status; c++) status = draw_sample(&first, &t, c, words[1], &error);
  if (status) {
    fprintf(stderr, "thesis_3_2: %s\n", error.message);
    return 1;
  }
  if (!write_curves(&first, words[1]) || !write_tally(&t, words[1])) return 1;
  print_tally(&t);
  print_verdict(&t);
  return 0;
}
