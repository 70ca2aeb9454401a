/* thesis_3_4.c - figure 3.4 of Hall's thesis: a kernel support vector machine in two dimensions and
 * its private version, by a Gaussian process of the same kernel.
 *
 *   thesis_3_4 FOLDER [SAMPLES]
 *
 * The thesis draws one synthetic sample and states neither its size nor any parameter.  Here a
 * sample is 250 points of four normal heaps, two a class, on the unit square; the Gaussian kernel
 * has the bandwidth 0.15, lambda is 0.05 in (1/n) sum hinge + (lambda/2)|f|^2, and alpha = 1, beta
 * = 0.1 as in the thesis's other figures (here epsilon and delta).  It claims that "in areas of the
 * input space with many data points ... the noise addition has not lead to catastrophically
 * decreased accuracy", and that "where the input points are sparser, the SVM is not confident ...
 * and so the noise addition leads to different predictions in these areas".  Both are measured over
 * many samples; the first is drawn.
 *
 * The machine without noise is one with so much epsilon that its noise cannot be seen.  Noise comes
 * from seeds, so that the figure can be repeated. */
#include <math.h>
#include <stdlib.h>

#include "draw/regions.h"
#include "mixture.h"
#include "sfumato/train.h"

enum { POINTS = 250, GRID = 101, SAMPLES = 40, CELLS = GRID * GRID };
static const double BANDWIDTH = 0.3 /* of [-1, 1] */, LAMBDA = 0.05, EPSILON = 1, DELTA = 0.1;
static const double PLENTY = 1000; /* epsilon of the machine without noise */
/* What "catastrophically" is taken to mean, as a part of the points; and how far a point reaches.
 */
static const double CATASTROPHE = 0.1, REACH = 0.1;

static const char *const CLASSES[2] = {"1", "2"};

typedef struct sample {
  double rows[POINTS][3]; /* x, y, class */
  double exact[CELLS], noisy[CELLS], width[CELLS], everywhere[CELLS];
  double at_points[2][POINTS]; /* values at the points: without and with noise */
} sample;

typedef struct tally {
  size_t samples;
  double right[2];          /* of the points, sums over samples */
  double changed;           /* part of the square where the prediction is another */
  double size[2], crowd[2]; /* mean |f| and mean points nearby: where it is the same, another */
} tally;

/* Public numbers that look random: a multiplicative generator. */
static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return ((double)(*state >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state) {
  const double u = uniform(state), v = uniform(state);
  return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

static void draw_rows(sample *s, uint64_t seed) {
  static const double heaps[4][3] = {
      {0.28, 0.32, 0}, {0.72, 0.72, 0}, {0.3, 0.74, 1}, {0.74, 0.28, 1}};
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  for (size_t i = 0; i < POINTS; i++) {
    const double *heap = heaps[(size_t)(4 * uniform(&state))];
    for (size_t a = 0; a < 2; a++) s->rows[i][a] = fmin(fmax(heap[a] + 0.1 * normal(&state), 0), 1);
    s->rows[i][2] = heap[2] + 1;
  }
}

static double place(size_t k) {
  return (double)k / (GRID - 1);
}

static sfm_status train(sfm_release **out, const sample *s, double epsilon, uint64_t seed,
                        sfm_error *error) {
  static const char *const columns[] = {"x", "y", "class"};
  sfm_schema *schema = NULL;
  sfm_rows *rows = NULL;
  sfm_train_settings settings = sfm_train_settings_default();
  settings.features = columns;
  settings.feature_count = 2;
  settings.label = columns[2];
  settings.labels = CLASSES;
  settings.class_count = 2;
  settings.kernel = SFM_KERNEL_GAUSSIAN;
  settings.bandwidth = BANDWIDTH;
  settings.lambda = LAMBDA;
  settings.method = SFM_TRAIN_GP;
  settings.epsilon = epsilon;
  settings.delta = DELTA;
  settings.context.seeded = true;
  settings.context.seed = seed;
  sfm_status status = sfm_schema_create(&schema, error);
  for (size_t a = 0; a < 2 && !status; a++)
    status = sfm_schema_set_bounds(schema, columns[a], 0, 1, error);
  settings.context.schema = schema;
  if (!status) status = sfm_rows_from_array(&rows, &s->rows[0][0], POINTS, 3, columns, error);
  if (!status) status = sfm_train_release(out, rows, &settings, error);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  return status;
}

/* Values on the grid and at the points; the widths of the band where they are asked for. */
static sfm_status evaluate(const sfm_release *machine, sample *s, bool noisy, sfm_error *error) {
  static double cells[CELLS][2], points[POINTS][2];
  for (size_t i = 0; i < CELLS; i++) {
    cells[i][0] = place(i / GRID);
    cells[i][1] = place(i % GRID);
  }
  for (size_t i = 0; i < POINTS; i++)
    for (size_t a = 0; a < 2; a++) points[i][a] = s->rows[i][a];
  sfm_status status =
      sfm_machine_at(machine, noisy ? s->noisy : s->exact, &cells[0][0], CELLS, error);
  if (!status) status = sfm_machine_at(machine, s->at_points[noisy], &points[0][0], POINTS, error);
  if (!status && noisy)
    status = sfm_machine_band(machine, s->width, s->everywhere, &cells[0][0], CELLS, 0.95, error);
  return status;
}

static sfm_status make_sample(sample *s, uint64_t seed, sfm_error *error) {
  sfm_release *machine = NULL;
  draw_rows(s, seed);
  sfm_status status = SFM_OK;
  for (int noisy = 0; noisy < 2 && !status; noisy++) {
    status = train(&machine, s, noisy ? EPSILON : PLENTY, seed + 1, error);
    if (!status) status = evaluate(machine, s, noisy, error);
    sfm_release_destroy(machine);
    machine = NULL;
  }
  return status;
}

/* How many points are within REACH of a place. */
static double crowd_at(const sample *s, size_t i) {
  size_t near = 0;
  for (size_t k = 0; k < POINTS; k++)
    near += hypot(s->rows[k][0] - place(i / GRID), s->rows[k][1] - place(i % GRID)) <= REACH;
  return (double)near;
}

static void measure(tally *t, const sample *s) {
  size_t count[2] = {0, 0};
  double size[2] = {0, 0}, crowd[2] = {0, 0};
  for (size_t i = 0; i < CELLS; i++) {
    const size_t other = (s->exact[i] > 0) != (s->noisy[i] > 0);
    count[other]++;
    size[other] += fabs(s->exact[i]);
    crowd[other] += crowd_at(s, i);
  }
  for (size_t k = 0; k < 2; k++) {
    t->size[k] += count[k] ? size[k] / (double)count[k] : 0;
    t->crowd[k] += count[k] ? crowd[k] / (double)count[k] : 0;
    for (size_t i = 0; i < POINTS; i++)
      t->right[k] += ((s->at_points[k][i] > 0) == (s->rows[i][2] > 1.5)) / (double)POINTS;
  }
  t->changed += (double)count[1] / CELLS;
  t->samples++;
}

static sfm_status paint(const sample *s, const char *folder, sfm_error *error) {
  static const char *const names[2] = {"one", "two"};
  static double points[2 * POINTS];
  static unsigned classes[POINTS];
  char path[4096];
  const draw_regions_panel panels[2] = {
      {.label = "without privacy", .values = s->exact, .noise = s->width},
      {.label = "private", .values = s->noisy, .noise = s->width}};
  for (size_t i = 0; i < POINTS; i++) {
    points[2 * i] = s->rows[i][0];
    points[2 * i + 1] = s->rows[i][1];
    classes[i] = s->rows[i][2] > 1.5;
  }
  const draw_regions regions = {
      .title = "Figure 3.4: a kernel support vector machine, and its private version",
      .caption =
          "Gaussian kernel of bandwidth 0.15, lambda = 0.05, 250 points; noise of a Gaussian "
          "process with the same kernel, epsilon = 1, delta = 0.1, exactly calibrated.",
      .note = "The background is the predicted class. Synthetic data, noise from a seed.",
      .labels = {"x", "y"},
      .noise_label = "within the noise of the private one (95 %)",
      .lower = {0, 0},
      .upper = {1, 1},
      .counts = {GRID, GRID},
      .classes = names,
      .class_count = 2,
      .functions = 1,
      .panels = panels,
      .panel_count = 2,
      .points = points,
      .point_classes = classes,
      .point_count = POINTS};
  sfm_status status = SFM_OK;
  for (int png = 0; png < 2 && !status; png++) {
    snprintf(path, sizeof path, "%s/figure-3.4.%s", folder, png ? "png" : "svg");
    status = draw_regions_file(&regions, path, error);
  }
  return status;
}

static bool write_values(const sample *s, const char *folder) {
  FILE *file = mixture_create(folder, "3.4", ".csv");
  if (!file) return false;
  fprintf(file, "x,y,value,private_value,noise\n");
  for (size_t i = 0; i < CELLS; i++)
    fprintf(file, "%.4g,%.4g,%.9g,%.9g,%.9g\n", place(i / GRID), place(i % GRID), s->exact[i],
            s->noisy[i], s->width[i]);
  if (fclose(file) != 0) return false;
  file = mixture_create(folder, "3.4", "-points.csv");
  if (!file) return false;
  fprintf(file, "x,y,class\n");
  for (size_t i = 0; i < POINTS; i++)
    fprintf(file, "%.9g,%.9g,%g\n", s->rows[i][0], s->rows[i][1], s->rows[i][2]);
  return fclose(file) == 0;
}

static bool write_tally(const tally *t, const char *folder) {
  const double n = (double)t->samples;
  FILE *file = mixture_create(folder, "3.4", "-measured.csv");
  if (!file) return false;
  fprintf(file, "samples,accuracy,private_accuracy,area_changed,size_where_same,size_where_other,"
                "points_near_where_same,points_near_where_other\n");
  fprintf(file, "%zu,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", t->samples, t->right[0] / n,
          t->right[1] / n, t->changed / n, t->size[0] / n, t->size[1] / n, t->crowd[0] / n,
          t->crowd[1] / n);
  return fclose(file) == 0;
}

static void print_verdict(const tally *t) {
  const double n = (double)t->samples, drop = (t->right[0] - t->right[1]) / n;
  const bool accurate = drop <= CATASTROPHE,
             sparse = t->crowd[1] < t->crowd[0] && t->size[1] < t->size[0];
  printf("figure 3.4: %zu samples of %d points; of the points right: %.1f %% without privacy, "
         "%.1f %% private; %.1f %% of the square is predicted otherwise\n",
         t->samples, POINTS, 100 * t->right[0] / n, 100 * t->right[1] / n, 100 * t->changed / n);
  printf("claim \"the noise addition has not lead to catastrophically decreased accuracy\": %s, "
         "%.1f of 100 points fewer (at most %g wanted)\n",
         accurate ? "held" : "did not hold", 100 * drop, 100 * CATASTROPHE);
  printf("claim \"where the input points are sparser, the SVM is not confident ... different "
         "predictions in these areas\": %s, |f| %.2f and %.1f points within %g there, %.2f and "
         "%.1f elsewhere\n",
         sparse ? "held" : "did not hold", t->size[1] / n, t->crowd[1] / n, REACH, t->size[0] / n,
         t->crowd[0] / n);
  printf("figure 3.4: %s\n", accurate && sparse ? "the claims held" : "the claims did NOT hold");
}

int main(int count, char **words) {
  const char *folder;
  size_t samples;
  tally t = {0};
  sfm_error error;
  sfm_status status = SFM_OK;
  if (!mixture_arguments(&folder, &samples, count, words, SAMPLES)) return 2;
  sample *s = malloc(sizeof *s);
  if (!s) return 1;
  bool written = true;
  for (size_t i = 0; i < samples && !status && written; i++) {
    status = make_sample(s, i + 1, &error);
    if (!status) measure(&t, s);
    if (!status && i == 0) status = paint(s, folder, &error);
    if (!status && i == 0) written = write_values(s, folder);
  }
  free(s);
  if (status) {
    fprintf(stderr, "thesis_3_4: %s\n", error.message);
    return 1;
  }
  if (!written || !write_tally(&t, folder)) return 1;
  print_verdict(&t);
  return 0;
}
