/* thesis_5_1.c - figure 5.1 of Hall's thesis: a very sparse histogram under differential privacy
 * and under random differential privacy (5.2: no noise on empty cells).
 *
 *   thesis_5_1 FOLDER [RELEASES]
 *
 * The thesis says neither which histogram nor how many records.  Here 20,000 records stand in ten
 * cells of a 20 x 20 grid; epsilon = 1, gamma = 0.05, so that 2 p = 800 <= gamma n = 1000.  It
 * shows the rows beside one release of each, and the distribution of the error over many, as "the
 * improvement obtained when using RDP".  Proposition 5.2.4 says that the error is of the order of
 * the number of occupied cells: here it is compared with that number times the mean of one noise.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "draw/draw.h"
#include "mixture.h"

enum { RELEASES = 200, SIDE = 20, CELLS = SIDE * SIDE, ROWS = 20000, OCCUPIED = 10, BINS = 121 };
static const double EPSILON = 1, GAMMA = 0.05;
/* Decimal logarithms of errors, between which they are counted. */
static const double LEAST = 0, MOST = 4;
/* How many times less is an improvement, and how near proposition 5.2.4's number it must be. */
static const double IMPROVED = 10, NEAR = 0.2;

/* The occupied cells, each half as full as the one before but for the last two. */
static const size_t WHERE[OCCUPIED] = {63, 64, 84, 85, 105, 210, 211, 231, 332, 353};

typedef struct experiment {
  double rows[2 * ROWS], counts[CELLS];
  double first[2][CELLS]; /* one release: with noise everywhere, and random-dp; not negative */
  double *errors[2];      /* l1, of every release */
  double shares[2][BINS]; /* their distribution */
  double mean[2];
} experiment;

static void fill(experiment *x) {
  size_t row = 0;
  for (size_t k = 0; k < OCCUPIED; k++) {
    const size_t left = ROWS - row, take = k + 1 < OCCUPIED ? left / 2 : left;
    x->counts[WHERE[k]] = (double)take;
    for (size_t i = 0; i < take; i++, row++) {
      x->rows[2 * row] = (double)(WHERE[k] / SIDE) + 0.5;
      x->rows[2 * row + 1] = (double)(WHERE[k] % SIDE) + 0.5;
    }
  }
}

static sfm_status make(experiment *x, const sfm_histogram_settings *settings, size_t k, int random,
                       sfm_error *error) {
  static const char *const names[] = {"x", "y"};
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  sfm_status status = sfm_rows_from_array(&rows, x->rows, ROWS, 2, names, error);
  if (!status) status = sfm_histogram_release(&release, rows, settings, error);
  sfm_rows_destroy(rows);
  if (status) return status;
  x->errors[random][k] = 0;
  for (size_t i = 0; i < CELLS; i++) {
    const double value = fmax(sfm_release_coefficient(release, i), 0);
    if (k == 0) x->first[random][i] = value;
    x->errors[random][k] += fabs(value - x->counts[i]);
  }
  sfm_release_destroy(release);
  return SFM_OK;
}

static sfm_status measure(experiment *x, size_t releases, sfm_error *error) {
  static const sfm_histogram_column columns[] = {{"x", SIDE}, {"y", SIDE}};
  sfm_histogram_settings settings = sfm_histogram_settings_default();
  sfm_schema *schema = NULL;
  sfm_status status = sfm_schema_create(&schema, error);
  for (int i = 0; i < 2 && !status; i++)
    status = sfm_schema_set_bounds(schema, columns[i].name, 0, SIDE, error);
  settings.context.schema = schema;
  settings.columns = columns;
  settings.count = 2;
  settings.epsilon = EPSILON;
  settings.exact = SFM_HISTOGRAM_EXACT_EMPTY;
  settings.context.seeded = true;
  for (int random = 0; random < 2; random++) {
    settings.gamma = random ? GAMMA : 0;
    for (size_t k = 0; k < releases && !status; k++) {
      settings.context.seed = k;
      status = make(x, &settings, k, random, error);
    }
    for (size_t k = 0; k < releases; k++) {
      const double at = (log10(fmax(x->errors[random][k], 1)) - LEAST) / (MOST - LEAST);
      x->shares[random][(size_t)(fmin(at, 1) * (BINS - 1))] += 1 / (double)releases;
      x->mean[random] += x->errors[random][k] / (double)releases;
    }
  }
  sfm_schema_destroy(schema);
  return status;
}

static bool write_numbers(const experiment *x, const char *folder, size_t releases) {
  FILE *file = mixture_create(folder, "5.1", ".csv");
  if (!file) return false;
  fprintf(file, "release,dp,random_dp\n");
  for (size_t k = 0; k < releases; k++)
    fprintf(file, "%zu,%.9g,%.9g\n", k, x->errors[0][k], x->errors[1][k]);
  return fclose(file) == 0;
}

static sfm_status paint(const draw_figure *figure, const char *folder, const char *part,
                        sfm_error *error) {
  char path[4096];
  sfm_status status = SFM_OK;
  for (int png = 0; png < 2 && !status; png++) {
    snprintf(path, sizeof path, "%s/figure-5.1%s.%s", folder, part, png ? "png" : "svg");
    status = draw_file(figure, path, error);
  }
  return status;
}

/* Logarithms, lest the largest cell hide all others. */
static void soften(double *out, const double *counts) {
  for (size_t i = 0; i < CELLS; i++) out[i] = log1p(counts[i]);
}

static sfm_status paint_rows(const experiment *x, const char *folder, sfm_error *error) {
  static double logs[3][CELLS];
  soften(logs[0], x->counts);
  soften(logs[1], x->first[0]);
  soften(logs[2], x->first[1]);
  const draw_panel panels[] = {{.label = "rows", .values = logs[0], .half_width = INFINITY},
                               {.label = "DP", .values = logs[1], .half_width = INFINITY},
                               {.label = "random DP", .values = logs[2], .half_width = INFINITY}};
  const draw_figure figure = {
      .title = "Figure 5.1 (a): a very sparse histogram and its releases",
      .labels = {"x", "y"},
      .value_label = "ln(1 + count)",
      .caption = "Under random differential privacy empty cells have no noise; it protects a "
                 "typical record, and not extreme individuals.",
      .dimension = 2,
      .counts = {SIDE, SIDE},
      .lower = {0.5, 0.5},
      .upper = {SIDE - 0.5, SIDE - 0.5},
      .panels = panels,
      .panel_count = 3,
      .panel_columns = 3,
  };
  return paint(&figure, folder, "a", error);
}

static sfm_status paint_errors(const experiment *x, const char *folder, sfm_error *error) {
  const draw_panel panels[] = {
      {.label = "DP", .values = x->shares[0], .half_width = INFINITY},
      {.label = "random DP", .values = x->shares[1], .half_width = INFINITY}};
  const draw_figure figure = {
      .title = "Figure 5.1 (b): how errors are distributed",
      .labels = {"decimal logarithm of the l1 error"},
      .value_label = "share of releases",
      .caption = "Errors of counts in which negative ones were replaced with zeros.",
      .dimension = 1,
      .counts = {BINS},
      .lower = {LEAST},
      .upper = {MOST},
      .panels = panels,
      .panel_count = 2,
      .panel_columns = 1,
  };
  return paint(&figure, folder, "b", error);
}

static void print_verdict(const experiment *x, size_t releases) {
  /* E|Z| of discrete Laplace noise of scale 2/epsilon: 2 r/(1 - r^2). */
  const double r = exp(-EPSILON / 2), each = 2 * r / (1 - r * r), ratio = x->mean[0] / x->mean[1],
               wanted = OCCUPIED * each;
  const bool improved = ratio >= IMPROVED, near = fabs(x->mean[1] / wanted - 1) <= NEAR;
  printf("figure 5.1 of the thesis: %d records in %d of %d cells, epsilon %g, gamma %g; mean l1 "
         "error over %zu releases: %.1f with noise everywhere, %.1f without it on empty cells\n",
         ROWS, OCCUPIED, CELLS, EPSILON, GAMMA, releases, x->mean[0], x->mean[1]);
  printf("claim \"the improvement obtained when using RDP\": %s, %.1f times less (%g wanted)\n",
         improved ? "held" : "did not hold", ratio, IMPROVED);
  printf("claim 5.2.4, an error of the order of the occupied cells: %s, %.1f beside %d x %.2f = "
         "%.1f\n",
         near ? "held" : "did not hold", x->mean[1], OCCUPIED, each, wanted);
  printf("figure 5.1: %s\n", improved && near ? "the claims held" : "the claims did NOT hold");
}

int main(int count, char **words) {
  static experiment x;
  const char *folder;
  size_t releases;
  sfm_error error;
  if (!mixture_arguments(&folder, &releases, count, words, RELEASES)) return 2;
  for (int k = 0; k < 2; k++) x.errors[k] = calloc(releases, sizeof *x.errors[k]);
  if (!x.errors[0] || !x.errors[1]) return 1;
  fill(&x);
  sfm_status status = measure(&x, releases, &error);
  if (!status) status = paint_rows(&x, folder, &error);
  if (!status) status = paint_errors(&x, folder, &error);
  if (status) {
    fprintf(stderr, "thesis_5_1: %s\n", error.message);
    return 1;
  }
  if (!write_numbers(&x, folder, releases)) return 1;
  print_verdict(&x, releases);
  for (int k = 0; k < 2; k++) free(x.errors[k]);
  return 0;
}
