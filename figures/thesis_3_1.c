/* thesis_3_1.c - figure 3.1 of Hall's thesis: a function of the Gaussian kernel's space over [0, 1]
 * and what 5, 10 and 15 of the kernel's eigenfunctions make of it.
 *
 *   thesis_3_1 FOLDER [SAMPLES]
 *
 * The thesis draws one function and says of it that "evidently the approximation improves as the
 * dimension increases"; it states neither bandwidth nor function.  Here many functions
 *   f = sum_i a_i K(., x_i),   x_i uniform on [0, 1], a_i of random sign and size,
 * are approximated by  f_m = sum over k <= m of theta_k psi_k,  theta_k = lambda_k sum_i a_i
 * psi_k(x_i);  the first is drawn.
 *
 * No public header has eigenfunctions by themselves, only releases made of them, which have noise:
 * so this program, unlike the others, sees the inside of the library
 * (features/bases/eigen_basis.h). */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "draw/draw.h"
#include "features/bases/eigen_basis.h"

enum { CENTRES = 12, GRID = 1001, SAMPLES = 500, PANELS = 3, MOST = 15 };
static const size_t TERMS[PANELS] = {5, 10, MOST};
static const double BANDWIDTH = 0.07;
/* "Improves": the root mean square error falls always, as it must, and the largest in this part of
 * the samples. */
static const double MOSTLY = 0.9;

/* The eigenfunctions, at the points i/(GRID - 1) too. */
typedef struct eigen {
  sfm_kernel kernel;
  sfmi_basis *basis;
  double values[MOST];
  double functions[GRID][MOST];
} eigen;

typedef struct sample {
  double centres[CENTRES], weights[CENTRES];
  double function[GRID], approximations[PANELS][GRID];
  /* Of each approximation, relative to the function's: root mean square and largest difference, and
   * norm in the kernel's space. */
  double square[PANELS], largest[PANELS], norm[PANELS];
} sample;

typedef struct tally {
  size_t samples, improved[2]; /* all, and those better with every step: in square, in largest */
  double square[PANELS], largest[PANELS], norm[PANELS]; /* sums over samples */
} tally;

/* splitmix64: uniform in (0, 1). */
static double uniform(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

static double place(size_t i) {
  return (double)i / (GRID - 1);
}

static sfm_status eigen_init(eigen *e, sfm_error *error) {
  sfmi_basis stated;
  double points[GRID];
  e->kernel = (sfm_kernel){.family = SFM_KERNEL_GAUSSIAN, .dimension = 1, .bandwidth = &BANDWIDTH};
  for (size_t i = 0; i < GRID; i++) points[i] = place(i);
  sfm_status status = sfmi_eigen_stated(&stated, e->values, &e->kernel, 0, 1, MOST, error);
  if (!status) status = sfmi_basis_create(&e->basis, &stated, error);
  if (!status) sfmi_basis_at(e->basis, e->functions[0], points, GRID);
  return status;
}

static void draw_function(sample *s, const eigen *e, uint64_t *state) {
  for (size_t c = 0; c < CENTRES; c++) {
    s->centres[c] = uniform(state);
    s->weights[c] = (uniform(state) < 0.5 ? -1 : 1) * (0.5 + uniform(state));
  }
  for (size_t i = 0; i < GRID; i++) {
    const double x = place(i);
    s->function[i] = 0;
    for (size_t c = 0; c < CENTRES; c++)
      s->function[i] += s->weights[c] * sfm_kernel_at(&e->kernel, &x, &s->centres[c]);
  }
}

static void coordinates_of(double *theta, const sample *s, const eigen *e) {
  double rows[CENTRES][MOST];
  sfmi_basis_at(e->basis, rows[0], s->centres, CENTRES);
  for (size_t k = 0; k < MOST; k++) {
    theta[k] = 0;
    for (size_t c = 0; c < CENTRES; c++) theta[k] += e->values[k] * s->weights[c] * rows[c][k];
  }
}

/* |f|^2 in the kernel's space. */
static double square_norm(const sample *s, const eigen *e) {
  double sum = 0;
  for (size_t c = 0; c < CENTRES; c++)
    for (size_t d = 0; d < CENTRES; d++)
      sum +=
          s->weights[c] * s->weights[d] * sfm_kernel_at(&e->kernel, &s->centres[c], &s->centres[d]);
  return sum;
}

static void approximate(sample *s, const eigen *e, const double *theta, size_t panel) {
  double difference = 0, whole = 0, largest = 0, peak = 0, norm = 0;
  for (size_t i = 0; i < GRID; i++) {
    double sum = 0;
    for (size_t k = 0; k < TERMS[panel]; k++) sum += theta[k] * e->functions[i][k];
    s->approximations[panel][i] = sum;
    const double error = fabs(sum - s->function[i]);
    difference += error * error;
    whole += s->function[i] * s->function[i];
    largest = fmax(largest, error);
    peak = fmax(peak, fabs(s->function[i]));
  }
  for (size_t k = 0; k < TERMS[panel]; k++) norm += theta[k] * theta[k] / e->values[k];
  s->square[panel] = sqrt(difference / whole);
  s->largest[panel] = largest / peak;
  s->norm[panel] = sqrt(norm / square_norm(s, e));
}

static void make_sample(sample *s, const eigen *e, uint64_t number) {
  uint64_t state = number;
  double theta[MOST];
  draw_function(s, e, &state);
  coordinates_of(theta, s, e);
  for (size_t p = 0; p < PANELS; p++) approximate(s, e, theta, p);
}

static bool falls(const double *errors) {
  for (size_t p = 1; p < PANELS; p++)
    if (!(errors[p] < errors[p - 1])) return false;
  return true;
}

static void count_sample(tally *t, const sample *s) {
  t->samples++;
  t->improved[0] += falls(s->square);
  t->improved[1] += falls(s->largest);
  for (size_t p = 0; p < PANELS; p++) {
    t->square[p] += s->square[p];
    t->largest[p] += s->largest[p];
    t->norm[p] += s->norm[p];
  }
}

/* ---- what is written ---- */

static FILE *create(const char *folder, const char *ending) {
  char path[4096];
  snprintf(path, sizeof path, "%s/figure-3.1%s", folder, ending);
  FILE *file = fopen(path, "w");
  if (!file) fprintf(stderr, "thesis_3_1: cannot write %s\n", path);
  return file;
}

static bool write_curves(const sample *s, const char *folder) {
  FILE *file = create(folder, ".csv");
  if (!file) return false;
  fprintf(file, "x,function,approximation_5,approximation_10,approximation_15\n");
  for (size_t i = 0; i < GRID; i++)
    fprintf(file, "%.17g,%.9g,%.9g,%.9g,%.9g\n", place(i), s->function[i], s->approximations[0][i],
            s->approximations[1][i], s->approximations[2][i]);
  return fclose(file) == 0;
}

static bool write_tally(const tally *t, const char *folder) {
  const double n = (double)t->samples;
  FILE *file = create(folder, "-measured.csv");
  if (!file) return false;
  fprintf(file, "eigenfunctions,samples,square_error,largest_error,norm\n");
  for (size_t p = 0; p < PANELS; p++)
    fprintf(file, "%zu,%zu,%.9g,%.9g,%.9g\n", TERMS[p], t->samples, t->square[p] / n,
            t->largest[p] / n, t->norm[p] / n);
  return fclose(file) == 0;
}

static sfm_status paint_panel(const sample *s, size_t panel, const char *folder, sfm_error *error) {
  char title[128], caption[256], note[256], name[64], path[4096];
  snprintf(title, sizeof title, "Figure 3.1: a function by %zu eigenfunctions", TERMS[panel]);
  snprintf(
      caption, sizeof caption,
      "A simulated function of the space of the Gaussian kernel on [0, 1], bandwidth %g: a sum "
      "of %d kernels with random centres and weights.",
      BANDWIDTH, CENTRES);
  snprintf(note, sizeof note, "Relative error: %.2g in root mean square, %.2g at the worst place.",
           s->square[panel], s->largest[panel]);
  snprintf(name, sizeof name, "by %zu eigenfunctions", TERMS[panel]);
  const draw_figure figure = {
      .title = title,
      .labels = {"x"},
      .value_label = "f",
      .caption = caption,
      .note = note,
      .dimension = 1,
      .counts = {GRID},
      .upper = {1},
      .values = s->approximations[panel],
      .reference = s->function,
      .approximates = true,
      .names = {name, "the function"},
  };
  sfm_status status = SFM_OK;
  for (int png = 0; png < 2 && !status; png++) {
    snprintf(path, sizeof path, "%s/figure-3.1-%zu.%s", folder, TERMS[panel], png ? "png" : "svg");
    status = draw_file(&figure, path, error);
  }
  return status;
}

/* ---- what is said ---- */

static void print_tally(const tally *t) {
  const double n = (double)t->samples;
  printf("figure 3.1 of the thesis: the Gaussian kernel on [0, 1], h = %g, functions of %d kernels "
         "with\nrandom centres and weights (the thesis states neither); %zu samples\n",
         BANDWIDTH, CENTRES, t->samples);
  printf("  %-40s", "eigenfunctions");
  for (size_t p = 0; p < PANELS; p++) printf(" %9zu", TERMS[p]);
  printf("\n  %-40s", "relative error, root mean square");
  for (size_t p = 0; p < PANELS; p++) printf(" %9.2g", t->square[p] / n);
  printf("\n  %-40s", "relative error, at the worst place");
  for (size_t p = 0; p < PANELS; p++) printf(" %9.2g", t->largest[p] / n);
  printf("\n  %-40s", "part of the norm in the kernel's space");
  for (size_t p = 0; p < PANELS; p++) printf(" %9.3f", t->norm[p] / n);
  printf("\n");
}

static void print_verdict(const tally *t) {
  const bool held =
      t->improved[0] == t->samples && (double)t->improved[1] >= MOSTLY * (double)t->samples;
  printf("claim \"the approximation improves as the dimension increases\": %s, from 5 to 10 to 15 "
         "the root mean square error falls in %zu of %zu samples (all wanted), the largest in %zu "
         "(%g %% wanted)\n",
         held ? "held" : "did not hold", t->improved[0], t->samples, t->improved[1], 100 * MOSTLY);
  printf("figure 3.1: %s\n", held ? "the claim held" : "the claim did NOT hold");
}

int main(int count, char **words) {
  static eigen e;
  static sample first, s;
  const long samples = count > 2 ? atol(words[2]) : SAMPLES;
  if (count < 2 || count > 3 || samples < 1) {
    fprintf(stderr, "usage: thesis_3_1 FOLDER [SAMPLES, at least 1]\n");
    return 2;
  }
  tally t = {0};
  sfm_error error;
  sfm_status status = eigen_init(&e, &error);
  for (long i = 0; i < samples && !status; i++) {
    make_sample(&s, &e, (uint64_t)i + 1);
    if (i == 0) first = s;
    count_sample(&t, &s);
  }
  for (size_t p = 0; p < PANELS && !status; p++) status = paint_panel(&first, p, words[1], &error);
  sfmi_basis_destroy(e.basis);
  if (status) {
    fprintf(stderr, "thesis_3_1: %s\n", error.message);
    return 1;
  }
  if (!write_curves(&first, words[1]) || !write_tally(&t, words[1])) return 1;
  print_tally(&t);
  print_verdict(&t);
  return 0;
}
