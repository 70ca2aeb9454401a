/* Linear machines, hinge, no bias: sfumato beside LIBLINEAR's dual coordinate descent (its solver
 * 3), on the same rows in one process, to the same duality gap of the same objective.  LIBLINEAR
 * runs first, at tolerances of its own; its gap is the primal value of its weights less the dual
 * value that it prints. bench_linear DATA   the folder that holds adult/ and sparse_highdim/ */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linear.h>
#include <zlib.h>

#include "estimators/ascent/machine_solver.h"

/* Each time is the least of so many. */
enum { REPEATS = 5 };

/* Of one thread the processor's time is compared, which others on the machine disturb less; of
 * more, that of the clock. */
static double now(size_t threads) {
  struct timespec t;
  clock_gettime(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct rows {
  sfmi_examples examples;
  struct feature_node *nodes;
  struct problem problem;
} rows;

static void *grown(void *old, size_t bytes) {
  void *p = realloc(old, bytes);
  if (!p) abort();
  return p;
}

/* One line of libsvm text; labels above `split` are positive. */
static void add_line(sfmi_examples *x, char *text, double split) {
  char *at = text;
  const double label = strtod(at, &at);
  x->starts = grown(x->starts, (x->rows + 2) * sizeof *x->starts);
  x->labels = grown(x->labels, (x->rows + 1) * sizeof *x->labels);
  x->labels[x->rows] = label > split ? 1 : -1;
  if (x->rows == 0) x->starts[0] = 0;
  for (;;) {
    char *end;
    const unsigned long index = strtoul(at, &end, 10);
    if (end == at || *end != ':') break;
    const double value = strtod(end + 1, &at);
    if ((x->nonzeros & (x->nonzeros - 1)) == 0) {
      const size_t room = x->nonzeros ? 2 * x->nonzeros : 1;
      x->indices = grown(x->indices, room * sizeof *x->indices);
      x->values = grown(x->values, room * sizeof *x->values);
    }
    x->indices[x->nonzeros] = (uint32_t)(index - 1);
    x->values[x->nonzeros++] = value;
    if (index > x->features) x->features = index;
  }
  x->starts[++x->rows] = x->nonzeros;
}

static void normalise(sfmi_examples *x) {
  for (size_t i = 0; i < x->rows; i++) {
    double square = 0;
    for (size_t k = x->starts[i]; k < x->starts[i + 1]; k++) square += x->values[k] * x->values[k];
    for (size_t k = x->starts[i]; square > 0 && k < x->starts[i + 1]; k++)
      x->values[k] /= sqrt(square);
  }
}

static bool read_rows(rows *r, const char *path, double split, bool unit) {
  static char text[1 << 20];
  gzFile file = gzopen(path, "rb");
  *r = (rows){.examples = {.form = SFMI_EXAMPLES_SPARSE}};
  if (!file) return false;
  while (gzgets(file, text, sizeof text)) add_line(&r->examples, text, split);
  gzclose(file);
  sfmi_examples *x = &r->examples;
  x->keep = malloc(x->rows);
  memset(x->keep, 1, x->rows);
  if (unit) normalise(x);
  r->nodes = malloc((x->nonzeros + x->rows) * sizeof *r->nodes);
  r->problem = (struct problem){.l = (int)x->rows, .n = (int)x->features, .bias = -1};
  r->problem.y = x->labels;
  r->problem.x = malloc(x->rows * sizeof *r->problem.x);
  struct feature_node *to = r->nodes;
  for (size_t i = 0; i < x->rows; i++) {
    r->problem.x[i] = to;
    for (size_t k = x->starts[i]; k < x->starts[i + 1]; k++)
      *to++ = (struct feature_node){(int)x->indices[k] + 1, x->values[k]};
    *to++ = (struct feature_node){-1, 0};
  }
  return true;
}

static void free_rows(rows *r) {
  free(r->examples.starts);
  free(r->examples.labels);
  free(r->examples.indices);
  free(r->examples.values);
  free(r->examples.keep);
  free(r->nodes);
  free(r->problem.x);
}

/* What LIBLINEAR last printed as its dual value, and in how many passes. */
static double printed;
static void listen(const char *text) {
  const char *found = strstr(text, "Objective value = ");
  if (found) printed = strtod(found + strlen("Objective value = "), NULL);
}

static double primal(const sfmi_examples *x, const double *w, double lambda, double sign) {
  long double sum = 0, square = 0;
  for (size_t i = 0; i < x->rows; i++) {
    long double t = 0;
    for (size_t k = x->starts[i]; k < x->starts[i + 1]; k++)
      t += (long double)x->values[k] * w[x->indices[k]];
    const long double u = 1 - sign * x->labels[i] * t;
    sum += u > 0 ? u : 0;
  }
  for (size_t j = 0; j < x->features; j++) square += (long double)w[j] * w[j];
  return (double)(sum / (long double)x->rows + lambda / 2 * square);
}

static double peer(const rows *r, double C, double eps, double *processor, double *clock) {
  const double scale = C * (double)r->examples.rows;
  struct parameter parameter = {.solver_type = L2R_L1LOSS_SVC_DUAL, .C = C, .eps = eps};
  double gap = 0;
  *processor = *clock = INFINITY;
  for (int i = 0; i < REPEATS;
       i++) { /* its order is a different one every time: that of the fastest */
    const double start = now(1), began = now(2);
    struct model *model = train(&r->problem, &parameter);
    const double seconds = now(1) - start;
    *clock = fmin(*clock, now(2) - began);
    if (seconds < *processor) {
      *processor = seconds;
      gap = primal(&r->examples, model->w, 1 / scale, model->label[0]) + printed / scale;
    }
    free_and_destroy_model(&model);
  }
  return gap;
}

static double ours(const rows *r, double C, double gap, size_t threads, uint64_t *passes) {
  sfmi_problem problem = {.examples = &r->examples,
                          .loss = {.kind = SFM_MACHINE_LOSS_HINGE},
                          .lambda = 1 / (C * (double)r->examples.rows),
                          .target = gap,
                          .threads = threads};
  double best = INFINITY;
  for (int i = 0; i < REPEATS; i++) {
    sfm_error error;
    sfmi_solution solution;
    const double start = now(threads);
    if (sfmi_solve(&solution, &problem, &error)) abort();
    best = fmin(best, now(threads) - start);
    *passes = solution.passes;
    sfmi_solution_clear(&solution);
  }
  return best;
}

static void compare(const char *name, const char *path, double split, bool unit) {
  rows r;
  if (!read_rows(&r, path, split, unit)) {
    printf("%s: not measured, there is no %s\n", name, path);
    return;
  }
  const double Cs[] = {1, 0.1, 10}, tolerances[] = {0.1, 0.01, 1e-3};
  for (int c = 0; c < 3; c++) {
    for (int e = 0; e < 3; e++) {
      double seconds, clock;
      uint64_t passes;
      const double gap = peer(&r, Cs[c], tolerances[e], &seconds, &clock);
      const double one = ours(&r, Cs[c], gap, 1, &passes), two = ours(&r, Cs[c], gap, 2, &passes);
      printf("%-8s C %-4g eps %-5g gap %.2e: LIBLINEAR %7.3f s; sfumato %7.3f s, %5.2f x; two "
             "threads %7.3f s, %5.2f x (%llu passes)\n",
             name, Cs[c], tolerances[e], gap, seconds, one, seconds / one, two, clock / two,
             (unsigned long long)passes);
      fflush(stdout);
    }
  }
  free_rows(&r);
}

int main(int argc, char **argv) {
  char path[4096];
  const char *data = argc > 1 ? argv[1] : "../shared/data";
  set_print_string_function(listen);
  printf("hinge, no bias, to the duality gap that LIBLINEAR stops at (wanted: 1 x and more)\n");
  snprintf(path, sizeof path, "%s/adult/a9a.libsvm.gz", data);
  compare("a9a", path, 0, false);
  snprintf(path, sizeof path, "%s/sparse_highdim/reuters_train.libsvm.gz", data);
  compare("reuters", path, 0, false);
  snprintf(path, sizeof path, "%s/sparse_highdim/news20.libsvm.gz", data);
  compare("news20", path, 10, true);
  return 0;
}
