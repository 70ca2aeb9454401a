/* svm_1.c - figure 1 of Rubinstein, Bartlett, Huang & Taft (2012): where the machines of lemma 22's
 * two databases lie.
 *
 *   svm_1 FOLDER [SAMPLES]
 *
 * On a line, n - 1 rows have y x = M; the last is at M - m, with the label -1 in database 1 and +1
 * in database 2.  The minimiser of w^2/2 + (C/n) sum max(0, 1 - y w x) is where y = w crosses the
 * falling staircase y = w - (subgradient), which the paper draws.  It claims that the machines are
 * 2 (C/n)(M - m) apart, with its M and m more than sqrt(C)/n nearly; here each is also found by
 * golden section on the objective, and M = 1, m falling to 0 shown beside: the distance rises to
 * the sensitivity 2 C/n, which the paper's lemma 9 states twice as large.
 * Nothing here is random: SAMPLES is not used. */
#include <math.h>

#include "draw/draw.h"
#include "mixture.h"

enum { GRID = MIXTURE_GRID, PANELS = 2, ROWS = 4, SHIFTS = 5 };
static const double C = 1;
static const double SHIFT[SHIFTS] = {0.5, 0.25, 0.1, 0.01, 0};
/* Golden section on a function whose kinks are sharp. */
static const double EXACT = 1e-7;

/* One of the two databases: n - 1 rows at M, the last one's y x. */
typedef struct lemma {
  double M, last;
} lemma;

static lemma database(double M, double m, size_t which) {
  return (lemma){M, which ? M - m : m - M};
}

static double objective(const lemma *d, double w) {
  return w * w / 2 + C / ROWS * ((ROWS - 1) * fmax(0, 1 - w * d->M) + fmax(0, 1 - w * d->last));
}

/* w - (subgradient): the larger end where it is an interval. */
static double staircase(const lemma *d, double w) {
  return C / ROWS * ((ROWS - 1) * d->M * (1 - w * d->M > 0) + d->last * (1 - w * d->last > 0));
}

/* Where the staircase, which falls, meets the diagonal. */
static double crossing(const lemma *d) {
  double low = -2, high = 2;
  for (int i = 0; i < 200; i++) {
    const double middle = (low + high) / 2;
    if (staircase(d, middle) > middle)
      low = middle;
    else
      high = middle;
  }
  return high;
}

static double minimiser(const lemma *d) {
  const double golden = (sqrt(5) - 1) / 2;
  double low = -2, high = 2;
  for (int i = 0; i < 200; i++) {
    const double a = high - golden * (high - low), b = low + golden * (high - low);
    if (objective(d, a) < objective(d, b))
      high = b;
    else
      low = a;
  }
  return (low + high) / 2;
}

static double place(size_t i) {
  return -3 + 6 * (double)i / (GRID - 1);
}

static sfm_status paint_panel(const lemma *d, size_t p, const char *folder, sfm_error *error) {
  double values[GRID], diagonal[GRID];
  char title[128], path[4096];
  sfm_status status = SFM_OK;
  for (size_t i = 0; i < GRID; i++) {
    values[i] = staircase(d, place(i));
    diagonal[i] = place(i);
  }
  snprintf(title, sizeof title, "Figure 1: database %zu, w* = %.4g", p + 1, crossing(d));
  const draw_figure figure = {
      .title = title,
      .labels = {"w"},
      .value_label = "y",
      .caption = "The hinge machine of lemma 22's rows is where y = w crosses y = w - \u2202f(w).",
      .dimension = 1,
      .counts = {GRID},
      .lower = {-3},
      .upper = {3},
      .values = values,
      .reference = diagonal,
      .names = {"w - \u2202f(w)", "y = w"},
  };
  for (int png = 0; png < 2 && !status; png++) {
    snprintf(path, sizeof path, "%s/figure-svm-1-%s.%s", folder, p ? "right" : "left",
             png ? "png" : "svg");
    status = draw_file(&figure, path, error);
  }
  return status;
}

static bool write_curves(const lemma *databases, const char *folder) {
  FILE *file = mixture_create(folder, "svm-1", ".csv");
  if (!file) return false;
  fprintf(file, "w,left,right\n");
  for (size_t i = 0; i < GRID; i++)
    fprintf(file, "%.17g,%.9g,%.9g\n", place(i), staircase(&databases[0], place(i)),
            staircase(&databases[1], place(i)));
  return fclose(file) == 0;
}

/* The distance of the machines, M = 1: towards 2 C/n, never beyond.  Returns whether. */
static bool write_distances(const char *folder) {
  FILE *file = mixture_create(folder, "svm-1-distances", ".csv");
  bool good = file != NULL;
  double before = 0;
  if (!file) return false;
  fprintf(file, "M,m,w_1,w_2,distance,sensitivity\n");
  for (size_t i = 0; i < SHIFTS; i++) {
    const lemma one = database(1, SHIFT[i], 0), other = database(1, SHIFT[i], 1);
    const double w1 = minimiser(&one), w2 = minimiser(&other), apart = w2 - w1;
    fprintf(file, "1,%g,%.9g,%.9g,%.9g,%.9g\n", SHIFT[i], w1, w2, apart, 2 * C / ROWS);
    good = good && apart > before && apart < 2 * C / ROWS + EXACT;
    before = apart;
  }
  printf("with M = 1 and m = 0: %.7f apart, the sensitivity is 2 C/n = %.7f (lemma 9 has %.1f)\n",
         before, 2 * C / ROWS, 4 * C / ROWS);
  good = good && before > 2 * C / ROWS - EXACT;
  return fclose(file) == 0 && good;
}

int main(int count, char **words) {
  const char *folder;
  size_t samples;
  sfm_error error;
  lemma databases[PANELS];
  double found[PANELS];
  bool crosses = true;
  if (!mixture_arguments(&folder, &samples, count, words, 2)) return 2;
  const double accuracy = 0.95 * sqrt(C) / (2 * ROWS), M = 2 * ROWS * accuracy / C, m = M / 2;
  for (size_t p = 0; p < PANELS; p++) {
    databases[p] = database(M, m, p);
    found[p] = minimiser(&databases[p]);
    crosses = crosses && fabs(found[p] - crossing(&databases[p])) < EXACT;
    if (paint_panel(&databases[p], p, folder, &error)) {
      fprintf(stderr, "svm_1: %s\n", error.message);
      return 1;
    }
  }
  if (!write_curves(databases, folder)) return 1;
  printf("figure 1 of Rubinstein et al.: n = %d, C = %g, M = %.4g, m = %.4g\n", ROWS, C, M, m);
  printf("the machines: %.6f and %.6f, %.6f apart; 2 (C/n)(M - m) = %.6f, twice the accuracy\n",
         found[0], found[1], found[1] - found[0], 2 * C / ROWS * (M - m));
  const bool apart = fabs(found[1] - found[0] - 2 * accuracy) < EXACT;
  const bool held = write_distances(folder) && crosses && apart;
  printf("figure svm 1: %s\n", held ? "the claims held" : "the claims did NOT hold");
  return 0;
}
