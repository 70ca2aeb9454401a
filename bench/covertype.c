/* bench_covertype - 50,000 rows of CoverType (type 2 against the rest), gaussian kernel exp(-|x -
 * y|^2), C = 1: LIBSVM beside 1,500 random frequencies, in one run.
 *   bench_covertype DATA [kernel]     the folder that holds covtype/; kernel: the kernel itself
 * too, which takes minutes
 *
 * Columns are scaled to [0, 1] by their ranges, soil and wilderness are indicators: the usual 54
 * features.  Rows are shuffled with a fixed seed; the next 20,000 are held out.  sfumato minimises
 * (1/n) sum hinge + (lambda/2)|w|^2 with lambda = 1/(C n), LIBSVM n times that and with a bias.
 * Gaps are stated as parts of the objective: LIBSVM's from the dual value that it prints and the
 * primal one of its machine.  Ours are certified, and reached twice: LIBSVM's, and that of a
 * release at the default tolerance. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <libsvm/svm.h>
#include <zlib.h>

#include "common/bench_support.h"
#include "base/math/prng.h"
#include "base/system/thread_pool.h"
#include "estimators/ascent/kernel_ascent.h"
#include "estimators/ascent/machine_solver.h"

enum { TRAIN = 50000, TEST = 20000, ALL = 581012, NUMBERS = 10, SOILS = 40, DIMENSION = 54 };
static const size_t FREQUENCIES = 1500;
static const double TOLERANCE = 0.1;

static double clock_at(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Wall clock, and of all processors together. */
typedef struct spell {
  double wall, work;
} spell;

static spell begin(void) {
  return (spell){clock_at(CLOCK_MONOTONIC), clock_at(CLOCK_PROCESS_CPUTIME_ID)};
}

static spell since(spell start) {
  const spell now = begin();
  return (spell){now.wall - start.wall, now.work - start.work};
}

static void require(sfm_status status, const sfm_error *error) {
  if (!status) return;
  fprintf(stderr, "%s\n", error->message);
  exit(sfm_status_exit_code(status));
}

/* Columns as in the file: type, ten numbers, wilderness, soil. */
enum { COLUMNS = 13 };

static double *read_file(const char *folder) {
  char path[4096], text[256];
  snprintf(path, sizeof path, "%s/covtype/covtype.csv.gz", folder);
  gzFile file = gzopen(path, "rb");
  if (!file) {
    printf("%s is not there: nothing measured\n", path);
    exit(0);
  }
  double *cells = bench_memory(malloc((size_t)ALL * COLUMNS * sizeof *cells));
  (void)gzgets(file, text, sizeof text);
  for (size_t i = 0; i < ALL && gzgets(file, text, sizeof text); i++) {
    char *at = text;
    for (size_t j = 0; j < COLUMNS; j++, at++) cells[i * COLUMNS + j] = strtod(at, &at);
  }
  gzclose(file);
  return cells;
}

/* Coordinates of the rows that are used, and their labels. */
typedef struct rows {
  size_t starts[TRAIN + TEST + 1];
  uint32_t *indices;
  double *values, *labels;
} rows;

static void add(rows *r, size_t row, size_t index, double value) {
  if (value == 0) return;
  r->indices[r->starts[row + 1]] = (uint32_t)index;
  r->values[r->starts[row + 1]++] = value;
}

static void choose_rows(rows *r, const double *cells) {
  double least[NUMBERS], most[NUMBERS];
  for (size_t j = 0; j < NUMBERS; j++) {
    least[j] = INFINITY;
    most[j] = -INFINITY;
    for (size_t i = 0; i < ALL; i++) {
      least[j] = fmin(least[j], cells[i * COLUMNS + 1 + j]);
      most[j] = fmax(most[j], cells[i * COLUMNS + 1 + j]);
    }
  }
  size_t *order = bench_memory(malloc(ALL * sizeof *order));
  sfmi_prng prng;
  sfmi_prng_init(&prng, 2026);
  for (size_t i = 0; i < ALL; i++) order[i] = i;
  const size_t used = TRAIN + TEST;
  r->indices = bench_memory(malloc(used * (NUMBERS + 2) * sizeof *r->indices));
  r->values = bench_memory(malloc(used * (NUMBERS + 2) * sizeof *r->values));
  r->labels = bench_memory(malloc(used * sizeof *r->labels));
  r->starts[0] = 0;
  for (size_t i = 0; i < used; i++) {
    const size_t j = i + (size_t)(sfmi_prng_uniform(&prng) * (double)(ALL - i)), held = order[i];
    order[i] = order[j];
    order[j] = held;
    const double *cell = cells + order[i] * COLUMNS;
    r->labels[i] = cell[0] == 2 ? 1 : -1;
    r->starts[i + 1] = r->starts[i];
    for (size_t k = 0; k < NUMBERS; k++)
      add(r, i, k, (cell[1 + k] - least[k]) / (most[k] - least[k]));
    add(r, i, NUMBERS - 1 + (size_t)cell[11], 1);
    add(r, i, DIMENSION - SOILS - 1 + (size_t)cell[12], 1);
  }
  free(order);
}

static double objective_printed; /* by LIBSVM, which prints it and returns it nowhere */

static void listen(const char *text) {
  const char *at = strstr(text, "obj = ");
  if (at) objective_printed = strtod(at + 6, NULL);
}

static sfmi_examples kernel_examples(const rows *r, const sfmi_feature_map *map, uint8_t *keep) {
  return (sfmi_examples){.form = SFMI_EXAMPLES_KERNEL,
                         .map = map,
                         .rows = TRAIN,
                         .features = TRAIN,
                         .keep = keep,
                         .labels = r->labels,
                         .starts = (size_t *)(uintptr_t)r->starts,
                         .indices = r->indices,
                         .values = r->values,
                         .nonzeros = r->starts[TRAIN]};
}

/* Of values at all rows: part of the held-out ones on the right side. */
static double accuracy(const rows *r, const double *values, double shift) {
  size_t right = 0;
  for (size_t i = TRAIN; i < TRAIN + TEST; i++) right += (values[i] + shift) * r->labels[i] > 0;
  return (double)right / TEST;
}

/* Trains LIBSVM; returns its gap in units of our objective. */
static double libsvm(spell *taken, const rows *r, const sfmi_examples *x) {
  struct svm_node *nodes = bench_memory(malloc((r->starts[TRAIN] + TRAIN) * sizeof *nodes)),
                  *at = nodes;
  struct svm_node **lines = bench_memory(malloc(TRAIN * sizeof *lines));
  for (size_t i = 0; i < TRAIN; i++) {
    lines[i] = at;
    for (size_t k = r->starts[i]; k < r->starts[i + 1]; k++)
      *at++ = (struct svm_node){(int)r->indices[k] + 1, r->values[k]};
    *at++ = (struct svm_node){-1, 0};
  }
  struct svm_problem problem = {TRAIN, r->labels, lines};
  struct svm_parameter parameter = {.svm_type = C_SVC,
                                    .kernel_type = RBF,
                                    .gamma = 1,
                                    .cache_size = 2000,
                                    .eps = 1e-3,
                                    .C = 1,
                                    .shrinking = 1};
  svm_set_print_string_function(listen);
  const spell start = begin();
  struct svm_model *model = svm_train(&problem, &parameter);
  *taken = since(start);
  double *c = bench_memory(calloc(TRAIN, sizeof *c));
  double *values = bench_memory(malloc((TRAIN + TEST) * sizeof *values));
  const double side = model->label[0] > 0 ? 1 : -1, shift = -side * model->rho[0];
  for (int i = 0; i < model->l; i++) c[model->sv_indices[i] - 1] = side * model->sv_coef[0][i];
  sfm_error error;
  const sfmi_csr points = {r->starts, r->indices, r->values};
  require(sfmi_kernel_ascent_values(values, x, c, points, TRAIN + TEST, 0, &error), &error);
  double square = 0, losses = 0;
  for (size_t i = 0; i < TRAIN; i++) {
    square += c[i] * values[i];
    losses += fmax(0, 1 - r->labels[i] * (values[i] + shift));
  }
  const double primal = square / 2 + losses, gap = (primal + objective_printed) / primal;
  printf("LIBSVM: %.1f s (%.1f s of processors), %d support vectors, gap %.1e of the objective, "
         "%.2f %% right\n",
         taken->wall, taken->work, model->l, gap, 100 * accuracy(r, values, shift));
  svm_free_and_destroy_model(&model);
  free(nodes);
  free(lines);
  free(c);
  free(values);
  return gap * primal / TRAIN;
}

typedef struct lifting {
  const sfmi_feature_map *map;
  const rows *r;
  float *phi;
  size_t stride, count;
} lifting;

static void lift_share(void *context, size_t index, size_t size) {
  const lifting *job = context;
  enum { TOGETHER = 64 };
  for (size_t i = index * TOGETHER; i < job->count; i += size * TOGETHER) {
    const size_t left = job->count - i;
    sfmi_feature_map_floats(job->map, job->phi + i * job->stride, job->stride, job->r->starts + i,
                            job->r->indices, job->r->values, left < TOGETHER ? left : TOGETHER);
  }
}

static void build(const sfmi_feature_map *map, float *phi, size_t stride, const rows *r,
                  size_t count) {
  lifting job = {map, r, phi, stride, count};
  sfmi_thread_pool *pool = bench_memory(sfmi_thread_pool_create(0));
  sfmi_thread_pool_run(pool, lift_share, &job);
  sfmi_thread_pool_destroy(pool);
}

static sfmi_solution solve(const sfmi_examples *x, double gap) {
  const sfmi_problem problem = {
      .examples = x, .loss = {SFM_MACHINE_LOSS_HINGE, NAN}, .lambda = 1.0 / TRAIN, .target = gap};
  sfmi_solution solution;
  sfm_error error;
  require(sfmi_solve(&solution, &problem, &error), &error);
  return solution;
}

/* Random features, to a gap; features are built in that time. */
static void random_features(const rows *r, const sfmi_feature_map *map, uint8_t *keep, double gap,
                            const char *name, spell peer) {
  const size_t stride = (map->count + 15) / 16 * 16;
  float *phi = bench_memory(aligned_alloc(64, (TRAIN + TEST) * stride * sizeof *phi));
  memset(phi, 0, (TRAIN + TEST) * stride * sizeof *phi);
  sfmi_examples x = {.form = SFMI_EXAMPLES_DENSE,
                     .map = map,
                     .rows = TRAIN,
                     .features = map->count,
                     .keep = keep,
                     .labels = r->labels,
                     .dense = phi,
                     .stride = stride};
  const spell start = begin();
  build(map, phi, stride, r, TRAIN);
  const spell built = since(start);
  sfmi_solution solution = solve(&x, gap);
  const spell taken = since(start);
  double *values = bench_memory(malloc((TRAIN + TEST) * sizeof *values));
  sfm_error error;
  build(map, phi, stride, r, TRAIN + TEST);
  x.rows = TRAIN + TEST;
  require(sfmi_solver_values(values, &x, solution.weights, 0, &error), &error);
  printf(
      "%zu random frequencies, to %s: %.2f s (%.2f s of processors), %.2f s of them for features; "
      "gap %.1e of the objective, %.2f %% right: %.1f x (wanted 10 x; %.1f x by processors)\n",
      map->frequencies, name, taken.wall, taken.work, built.wall, solution.gap / solution.primal,
      100 * accuracy(r, values, 0), peer.wall / taken.wall, peer.work / taken.work);
  sfmi_solution_clear(&solution);
  free(values);
  free(phi);
}

static void by_kernel(const rows *r, const sfmi_examples *x, double gap, spell peer) {
  const spell start = begin();
  sfmi_solution solution = solve(x, gap);
  const spell taken = since(start);
  double *values = bench_memory(malloc((TRAIN + TEST) * sizeof *values));
  const sfmi_csr points = {r->starts, r->indices, r->values};
  sfm_error error;
  require(sfmi_kernel_ascent_values(values, x, solution.weights, points, TRAIN + TEST, 0, &error),
          &error);
  printf("the kernel itself, to the default tolerance: %.1f s (%.1f s of processors), gap %.1e of "
         "the objective, %.2f %% right: %.1f x\n",
         taken.wall, taken.work, solution.gap / solution.primal, 100 * accuracy(r, values, 0),
         peer.wall / taken.wall);
  sfmi_solution_clear(&solution);
  free(values);
}

static sfmi_feature_map *lift_of(sfmi_feature_map_form form) {
  const sfmi_feature_map stated = {.form = form,
                                   .dimension = DIMENSION,
                                   .radius = sqrt(NUMBERS + 2),
                                   .kernel = SFM_KERNEL_GAUSSIAN,
                                   .bandwidth = sqrt(0.5),
                                   .frequencies = FREQUENCIES,
                                   .seed = 1,
                                   /* of the form points: one, at zero */
                                   .point_starts = bench_memory(calloc(2, sizeof(size_t))),
                                   .point_indices = bench_memory(calloc(1, sizeof(uint32_t))),
                                   .point_values = bench_memory(calloc(1, sizeof(double))),
                                   .point_count = 1};
  sfmi_feature_map *map;
  sfm_error error;
  require(sfmi_feature_map_create(&map, &stated, &error), &error);
  return map;
}

int main(int count, char **words) {
  static rows r;
  static uint8_t keep[TRAIN + TEST];
  double *cells = read_file(count > 1 ? words[1] : "../shared/data");
  choose_rows(&r, cells);
  free(cells);
  memset(keep, 1, sizeof keep);
  setvbuf(stdout, NULL, _IOLBF, 0);
  sfmi_feature_map *points = lift_of(SFMI_FEATURE_MAP_POINTS),
                   *waves = lift_of(SFMI_FEATURE_MAP_RANDOM);
  const sfmi_examples x = kernel_examples(&r, points, keep);
  /* lambda r^2/2 with r = TOLERANCE x 2 L kappa/(lambda n), lambda n = 1. */
  const double distance = TOLERANCE * 2, gap = distance * distance / (2.0 * TRAIN);
  spell peer;
  const double theirs = libsvm(&peer, &r, &x);
  random_features(&r, waves, keep, theirs, "LIBSVM's gap", peer);
  random_features(&r, waves, keep, gap, "the default tolerance of a release", peer);
  if (count > 2 && strcmp(words[2], "kernel") == 0) by_kernel(&r, &x, gap, peer);
  sfmi_feature_map_destroy(points);
  sfmi_feature_map_destroy(waves);
  free(r.indices);
  free(r.values);
  free(r.labels);
  return 0;
}
