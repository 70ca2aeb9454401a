/* thesis_4_1.c - figure 4.1 of Hall's thesis: the periodic approximation to the Gaussian kernel.
 *
 *   thesis_4_1 FOLDER [SAMPLES]
 *
 * The thesis draws  phi~(x) = sum over j of lambda_j psi_j(mu) psi_j(x)  on [0, 1] beside the
 * Gaussian density phi of mean mu and sigma = 0.1, for mu = 0.2 and 0.3, and says that at 0.2 "the
 * periodic nature of the approximation is noticeable on the right hand side of the interval", and
 * that at 0.3 "this effect is reduced"; proposition 4.3.2 adds that the squared error vanishes
 * faster than any power of sigma when sqrt(sigma) < mu < 1 - sqrt(sigma).  Its printed lambda_j =
 * exp(-2 j^2 sigma^2) lacks pi^2; with it the sum is another function, whose error is printed too.
 * Nothing here is random: SAMPLES is not used. */
#include <math.h>

#include "draw/draw.h"
#include "mixture.h"

enum { GRID = MIXTURE_GRID, PANELS = 2, SIGMAS = 4 };
static const double SIGMA = 0.1, MEANS[PANELS] = {0.2, 0.3};
/* For the proposition: mu is within its limits for every one of these. */
static const double FALLING[SIGMAS] = {0.2, 0.1, 0.05, 0.025}, MIDDLE = 0.5;
/* "Noticeable" and "reduced": of the kernel's peak, at the right end. */
static const double NOTICEABLE = 0.05, REDUCED = 0.25;

static double place(size_t i) {
  return (double)i / (GRID - 1);
}

static double normal(double x, double mu, double sigma) {
  const double z = (x - mu) / sigma;
  return exp(-0.5 * z * z) / (sqrt(2 * M_PI) * sigma);
}

/* psi_j(mu) psi_j(x) of a frequency's cosine and sine together are 2 cos(2 pi j (x - mu)). */
static double periodic(double x, double mu, double sigma, double rate) {
  double sum = 1;
  for (int j = 1;; j++) {
    const double lambda = exp(-rate * j * j * sigma * sigma);
    if (lambda < 1e-17) return sum;
    sum += 2 * lambda * cos(2 * M_PI * j * (x - mu));
  }
}

/* Integrated squared difference over [0, 1], by the trapezoid rule. */
static double square_error(double mu, double sigma, double rate) {
  double sum = 0;
  for (size_t i = 0; i < GRID; i++) {
    const double off = periodic(place(i), mu, sigma, rate) - normal(place(i), mu, sigma);
    sum += off * off * (i == 0 || i + 1 == GRID ? 0.5 : 1);
  }
  return sum / (GRID - 1);
}

static sfm_status paint_panel(size_t p, const char *folder, sfm_error *error) {
  double values[GRID], reference[GRID];
  char title[128], path[4096];
  sfm_status status = SFM_OK;
  for (size_t i = 0; i < GRID; i++) {
    values[i] = periodic(place(i), MEANS[p], SIGMA, 2 * M_PI * M_PI);
    reference[i] = normal(place(i), MEANS[p], SIGMA);
  }
  snprintf(title, sizeof title, "Figure 4.1: the periodic approximation at \u03bc = %g", MEANS[p]);
  const draw_figure figure = {
      .title = title,
      .labels = {"x"},
      .value_label = "kernel",
      .caption = "The Gaussian density of standard deviation 0.1 and its Fourier series on [0, 1]: "
                 "what reaches over one end comes back at the other.",
      .dimension = 1,
      .counts = {GRID},
      .upper = {1},
      .values = values,
      .approximates = true,
      .reference = reference,
      .names = {"periodic approximation", "Gaussian kernel"},
  };
  for (int png = 0; png < 2 && !status; png++) {
    snprintf(path, sizeof path, "%s/figure-4.1-%s.%s", folder, p ? "right" : "left",
             png ? "png" : "svg");
    status = draw_file(&figure, path, error);
  }
  return status;
}

static bool write_curves(const char *folder) {
  FILE *file = mixture_create(folder, "4.1", ".csv");
  if (!file) return false;
  fprintf(file, "x,kernel_left,periodic_left,kernel_right,periodic_right\n");
  for (size_t i = 0; i < GRID; i++) {
    fprintf(file, "%.17g", place(i));
    for (size_t p = 0; p < PANELS; p++)
      fprintf(file, ",%.9g,%.9g", normal(place(i), MEANS[p], SIGMA),
              periodic(place(i), MEANS[p], SIGMA, 2 * M_PI * M_PI));
    fputc('\n', file);
  }
  return fclose(file) == 0;
}

/* Returns whether the squared error falls faster than the fourth power, which the thesis needs. */
static bool print_proposition(void) {
  bool fast = true;
  double before = 0;
  printf("integrated squared error at mu = %g:", MIDDLE);
  for (size_t k = 0; k < SIGMAS; k++) {
    const double now = square_error(MIDDLE, FALLING[k], 2 * M_PI * M_PI);
    printf(" sigma %g: %.2g%s", FALLING[k], now, k + 1 < SIGMAS ? "," : "\n");
    /* Below 1e-25 it is the rounding of doubles. */
    fast = fast && (k == 0 || now < 1e-25 || now < before / 16);
    before = now;
  }
  return fast;
}

int main(int count, char **words) {
  const char *folder;
  size_t samples;
  sfm_error error;
  double excess[PANELS];
  if (!mixture_arguments(&folder, &samples, count, words, 2)) return 2;
  for (size_t p = 0; p < PANELS; p++) {
    const double peak = normal(MEANS[p], MEANS[p], SIGMA);
    excess[p] = (periodic(1, MEANS[p], SIGMA, 2 * M_PI * M_PI) - normal(1, MEANS[p], SIGMA)) / peak;
    if (paint_panel(p, folder, &error)) {
      fprintf(stderr, "thesis_4_1: %s\n", error.message);
      return 1;
    }
  }
  if (!write_curves(folder)) return 1;
  printf("figure 4.1 of the thesis: sigma = %g\n", SIGMA);
  printf("excess of the approximation at x = 1: %.1f %% of the peak at mu = %g, %.1f %% at %g\n",
         100 * excess[0], MEANS[0], 100 * excess[1], MEANS[1]);
  printf("integrated squared error at mu = %g: %.3g; with the printed lambda_j: %.3g\n", MEANS[0],
         square_error(MEANS[0], SIGMA, 2 * M_PI * M_PI), square_error(MEANS[0], SIGMA, 2));
  const bool fast = print_proposition();
  const bool held = excess[0] > NOTICEABLE && excess[1] < REDUCED * excess[0] && fast;
  printf("figure 4.1: %s\n", held ? "the claims held" : "the claims did NOT hold");
  return 0;
}
