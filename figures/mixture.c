#include "mixture.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "draw/draw.h"

const double MIXTURE_BANDWIDTH = 0.1, MIXTURE_CONFIDENCE = 0.95;
static const double EPSILON = 1, DELTA = 0.1;
/* The mixture: halves, around these; the thesis does not say how wide. */
static const double CENTRES[2] = {0.3, 0.7}, SPREAD = 0.1;

/* splitmix64: uniform in (0, 1). */
static double uniform(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

static void draw_rows(double *rows, uint64_t *state) {
  for (size_t i = 0; i < MIXTURE_ROWS; i++) {
    const double centre = CENTRES[uniform(state) < 0.5], radius = sqrt(-2 * log(uniform(state)));
    const double x = centre + SPREAD * radius * cos(2 * M_PI * uniform(state));
    rows[i] = fmin(fmax(x, 0), 1); /* the domain, as the release has it */
  }
}

static void estimate_density(double *values, const double *rows) {
  for (size_t i = 0; i < MIXTURE_GRID; i++) {
    const double x = (double)i / (MIXTURE_GRID - 1);
    double sum = 0;
    for (size_t k = 0; k < MIXTURE_ROWS; k++) {
      const double z = (x - rows[k]) / MIXTURE_BANDWIDTH;
      sum += exp(-0.5 * z * z);
    }
    values[i] = sum / (MIXTURE_ROWS * sqrt(2 * M_PI) * MIXTURE_BANDWIDTH);
  }
}

/* Values at places are those of the grid already, in records. */
static sfm_status read_curve(mixture_curve *out, const sfm_release *release, sfm_error *error) {
  sfm_evaluator *evaluator = NULL;
  const size_t counts[1] = {MIXTURE_GRID};
  out->band = sfm_release_band(release).half_width;
  out->gamma = sfm_release_gamma(release, 0);
  for (size_t i = 0; i < MIXTURE_GRID && sfm_release_grid(release, NULL); i++)
    out->values[i] =
        sfm_release_coefficient(release, i) / (MIXTURE_ROWS * sqrt(2 * M_PI) * MIXTURE_BANDWIDTH);
  if (sfm_release_grid(release, NULL)) return SFM_OK;
  sfm_status status = sfm_evaluator_create(&evaluator, release, 0, error);
  if (!status) status = sfm_evaluator_grid(evaluator, out->values, counts, error);
  sfm_evaluator_destroy(evaluator);
  return status;
}

static sfm_status release_curve(mixture_curve *out, const double *values, const sfm_schema *schema,
                                sfm_density_method method, sfm_calibration calibration,
                                uint64_t seed, sfm_error *error) {
  const char *const columns[] = {"x"};
  sfm_density_settings settings = sfm_density_settings_default();
  settings.context.schema = schema;
  settings.columns = columns;
  settings.dimension = 1;
  settings.bandwidth = &MIXTURE_BANDWIDTH;
  settings.epsilon = EPSILON;
  settings.delta = DELTA;
  settings.method = method;
  settings.boundary = (sfm_boundary[]){SFM_BOUNDARY_OPEN};
  settings.outside = SFM_OUTSIDE_CLAMP;
  if (method == SFM_DENSITY_SOBOLEV) settings.release_grid[0] = MIXTURE_GRID;
  settings.calibration = calibration;
  settings.context.confidence = MIXTURE_CONFIDENCE;
  settings.context.seeded = true;
  settings.context.seed = seed;
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  sfm_status status = sfm_rows_from_array(&rows, values, MIXTURE_ROWS, 1, columns, error);
  if (!status) status = sfm_density_release(&release, NULL, rows, &settings, error);
  if (!status) status = read_curve(out, release, error);
  sfm_release_destroy(release);
  sfm_rows_destroy(rows);
  return status;
}

static sfm_status make_sample(mixture_sample *s, const sfm_schema *schema,
                              sfm_density_method method, uint64_t number, sfm_error *error) {
  uint64_t state = number;
  sfm_status status = SFM_OK;
  draw_rows(s->rows, &state);
  estimate_density(s->estimate, s->rows);
  for (unsigned c = 0; c < 2 && !status; c++)
    status = release_curve(&s->released[c], s->rows, schema, method, (sfm_calibration)c,
                           2 * number + c, error);
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
  const size_t reach = (size_t)(MIXTURE_BANDWIDTH * (MIXTURE_GRID - 1)),
               middle = (places[0] + places[1]) / 2;
  for (size_t k = 0; k < 2; k++) {
    size_t first = places[k] < reach ? 0 : places[k] - reach;
    size_t last = places[k] + reach < MIXTURE_GRID ? places[k] + reach : MIXTURE_GRID - 1, at;
    if (k == 0 && last > middle) last = middle;
    if (k == 1 && first < middle) first = middle;
    if (!find_peak(&at, values, first, last)) return false;
  }
  return true;
}

/* How many places are higher than both of their neighbours. */
static size_t count_maxima(const double *values) {
  size_t count = 0;
  for (size_t i = 1; i + 1 < MIXTURE_GRID; i++)
    count += values[i] > values[i - 1] && values[i] > values[i + 1];
  return count;
}

static void count_sample(mixture_tally *t, const mixture_sample *s) {
  size_t places[2];
  const bool left = find_peak(&places[0], s->estimate, 0, MIXTURE_GRID / 2);
  const bool peaked =
      find_peak(&places[1], s->estimate, MIXTURE_GRID / 2, MIXTURE_GRID - 1) && left;
  t->samples++;
  t->peaked += peaked;
  t->maxima_estimate += (double)count_maxima(s->estimate);
  for (size_t i = 0; i < MIXTURE_GRID; i++) {
    t->mean[i] += s->estimate[i];
    t->square[i] += s->estimate[i] * s->estimate[i];
  }
  for (unsigned c = 0; c < 2; c++) {
    double worst = 0, squares = 0;
    for (size_t i = 0; i < MIXTURE_GRID; i++) {
      const double error = s->released[c].values[i] - s->estimate[i];
      worst = fmax(worst, fabs(error));
      squares += error * error / MIXTURE_GRID;
    }
    t->noise[c] += squares;
    t->covered[c] += worst <= s->released[c].band;
    t->kept[c] += peaked && has_peaks(s->released[c].values, places);
    const size_t maxima = count_maxima(s->released[c].values);
    t->maxima[c] += maxima;
    if (t->samples == 1 || maxima < t->fewest[c]) t->fewest[c] = maxima;
  }
}

static sfm_status conclude(mixture_tally *t, sfm_density_method method, sfm_error *error) {
  const double n = (double)t->samples;
  double norm = sqrt(2), gamma = 0;
  sfm_status status = SFM_OK;
  if (method == SFM_DENSITY_SOBOLEV)
    status = sfm_sobolev_gaussian(&norm, &gamma, 0, 1, MIXTURE_BANDWIDTH, error);
  t->delta = norm / (MIXTURE_ROWS * sqrt(2 * M_PI) * MIXTURE_BANDWIDTH);
  t->maxima_estimate /= n;
  for (unsigned c = 0; c < 2 && !status; c++) {
    status = sfm_gaussian_ratio(&t->sigma[c], EPSILON, DELTA, (sfm_calibration)c, error);
    t->sigma[c] *= t->delta;
    t->measured[c] = sqrt(t->noise[c] / n);
  }
  double variance = 0;
  for (size_t i = 0; i < MIXTURE_GRID; i++) {
    const double mean = t->mean[i] / n;
    variance += (t->square[i] / n - mean * mean) * n / (n - 1) / MIXTURE_GRID;
  }
  t->due = sqrt(variance);
  return status;
}

sfm_status mixture_measure(mixture_tally *t, mixture_sample *first, sfm_density_method method,
                           size_t samples, sfm_error *error) {
  sfm_schema *schema = NULL;
  sfm_status status = sfm_schema_create(&schema, error);
  if (!status) status = sfm_schema_set_bounds(schema, "x", 0, 1, error);
  for (size_t i = 0; i < samples && !status; i++) {
    mixture_sample s;
    status = make_sample(&s, schema, method, i + 1, error);
    if (status) break;
    if (i == 0) *first = s;
    count_sample(t, &s);
  }
  if (!status) status = conclude(t, method, error);
  sfm_schema_destroy(schema);
  return status;
}

/* ---- what is written and said ---- */

FILE *mixture_create(const char *folder, const char *number, const char *ending) {
  char path[4096];
  snprintf(path, sizeof path, "%s/figure-%s%s", folder, number, ending);
  FILE *file = fopen(path, "w");
  if (!file) fprintf(stderr, "cannot write %s\n", path);
  return file;
}

bool mixture_write_curves(const mixture_sample *s, const char *folder, const char *number) {
  FILE *file = mixture_create(folder, number, ".csv");
  if (!file) return false;
  fprintf(file, "x,estimate,classical,classical_band,exact,exact_band\n");
  const mixture_curve *exact = &s->released[SFM_CALIBRATION_EXACT];
  const mixture_curve *classical = &s->released[SFM_CALIBRATION_CLASSICAL];
  for (size_t i = 0; i < MIXTURE_GRID; i++)
    fprintf(file, "%.17g,%.9g,%.9g,%.9g,%.9g,%.9g\n", (double)i / (MIXTURE_GRID - 1),
            s->estimate[i], classical->values[i], classical->band, exact->values[i], exact->band);
  return fclose(file) == 0;
}

static double percent(size_t hits, size_t trials) {
  return trials ? 100 * (double)hits / (double)trials : 0;
}

sfm_status mixture_draw(const mixture_sample *s, const mixture_tally *t, unsigned calibration,
                        const char *folder, const char *number, sfm_error *error) {
  const mixture_curve *released = &s->released[calibration];
  char title[128], note[512], path[4096];
  snprintf(title, sizeof title,
           calibration == SFM_CALIBRATION_EXACT
               ? "Figure %s with exact calibration: an estimate and its release"
               : "Figure %s: a kernel density estimate and its release",
           number);
  snprintf(note, sizeof note,
           "Band: %g %% everywhere at once, \u00b1%.3g. %s of standard deviation %.4f (%s) on an "
           "estimate that varies by %.4f between samples.",
           100 * MIXTURE_CONFIDENCE, released->band,
           isfinite(released->gamma) ? "Sobolev noise" : "Noise", t->sigma[calibration],
           calibration == SFM_CALIBRATION_EXACT ? "exact" : "classical, as in the thesis", t->due);
  const draw_figure figure = {
      .title = title,
      .labels = {"x"},
      .value_label = "density",
      .caption = "100 simulated points of two normals around 0.3 and 0.7; bandwidth 0.1; epsilon = "
                 "1, delta = 0.1. Noise from a seed: a demonstration, not private.",
      .note = note,
      .dimension = 1,
      .counts = {MIXTURE_GRID},
      .upper = {1},
      .values = released->values,
      .half_width = released->band,
      .reference = s->estimate,
      .names = {"released, with its band", "estimate without privacy"},
  };
  sfm_status status = SFM_OK;
  for (int png = 0; png < 2 && !status; png++) {
    snprintf(path, sizeof path, "%s/figure-%s%s.%s", folder, number,
             calibration == SFM_CALIBRATION_EXACT ? "-exact" : "", png ? "png" : "svg");
    status = draw_file(&figure, path, error);
  }
  return status;
}

void mixture_print(const mixture_tally *t, const char *number) {
  const unsigned exact = SFM_CALIBRATION_EXACT, classical = SFM_CALIBRATION_CLASSICAL;
  printf("figure %s of the thesis: n = %d, h = %g, epsilon = %g, delta = %g, normals around %g and "
         "%g\n(of standard deviation %g: the thesis does not say); %zu samples\n",
         number, MIXTURE_ROWS, MIXTURE_BANDWIDTH, EPSILON, DELTA, CENTRES[0], CENTRES[1], SPREAD,
         t->samples);
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

bool mixture_arguments(const char **folder, size_t *samples, int count, char **words,
                       size_t usual) {
  const long wanted = count > 2 ? atol(words[2]) : (long)usual;
  if (count < 2 || count > 3 || wanted < 2) {
    fprintf(stderr, "usage: %s FOLDER [SAMPLES, at least 2]\n", words[0]);
    return false;
  }
  *folder = words[1];
  *samples = (size_t)wanted;
  return true;
}
