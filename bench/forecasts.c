/* forecasts.c - what plans predict against what releases then miss: densities, maps, series, mean
 * curves; what auto chooses against the best method in hindsight; and how long planning takes.
 *
 * A cell is a shape, a number of records, an epsilon and an entry of a plan.  Records are drawn
 * from the shape, and releases of the entry's parameters are compared on a fine grid over the
 * domain with the shape (the total) and with the estimate without privacy (the cost).  A cell is
 * inside when the means lie in the intervals that the plan states for one release.  Up to 10^4
 * records every release has rows of its own; of 10^5 there are 20 sets, of 10^6 there are 5, each
 * released several times.  The first release of a cell is made by the library's public face; the
 * others repeat its last steps, rows and noise, without computing the band again, and the first of
 * them must be the same function.
 *
 * Usage: bench_forecasts [--cells] [--file FILE] [RELEASES [WHAT...]]
 *   RELEASES  of every cell: 200
 *   WHAT      densities edges maps hull series curves time; all of them
 *   --cells   a line for every cell, with the parts of the error as predicted/measured
 *   --file    what was measured is kept there, and not measured again: a run that was stopped goes
 *             on where it was, and a plan that changed is compared anew */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fft.h"
#include "base/prng.h"
#include "mechanisms/coordinates.h"
#include "mechanisms/curves.h"
#include "mechanisms/fourier.h"
#include "mechanisms/making.h"
#include "mechanisms/summed.h"
#include "planner/scene.h"
#include "privacy/calibration.h"
#include "sfumato/sfumato.h"

enum {
  GRID = 1025, /* points of a density; of a map 101 x 101 */
  MAP = 101,
  FINE = 4096, /* midpoints of a series, which may have steps */
  MAPS = 50,   /* releases of a map at most */
  PILOT = 2000,
  SHAPES = 3,
  NAME = 64,
  KEY = 512,
};

static const double DELTA = 1e-6, LOWER = 0, UPPER = 100, EPSILONS[] = {0.1, 1, 10};
enum { EPSILON_COUNT = sizeof EPSILONS / sizeof *EPSILONS };
static const char *const COLUMNS[] = {"x", "y"};

static void must(bool good, const char *message) {
  if (good) return;
  fprintf(stderr, "%s\n", message);
  exit(1);
}

static void must_be_ok(sfm_status status, const sfm_error *error) {
  must(status == SFM_OK, error->message);
}

static void *allocated(size_t count, size_t size) {
  void *memory = sfmi_alloc(count, size);
  must(memory != NULL, "not enough memory");
  return memory;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- what was measured, and its file ---- */

enum { PRIVACY, MISSED, SAMPLING, SMOOTHING, PARTS };

/* The releases of one cell: errors of each, and the mean parts of them.  MISSED: truncation and
 * aliasing. */
typedef struct record {
  char key[KEY];
  size_t count;
  double *total, *cost, parts[PARTS];
} record;

/* A cell as planned and as measured. */
typedef struct cell {
  char group[NAME];  /* what auto chooses within: family, shape, records, epsilon, bandwidth */
  char method[NAME]; /* with its family */
  bool hardened, best;
  sfm_forecast predicted;
  const record *measured;
} cell;

typedef struct bench {
  size_t releases;
  bool print_cells;
  FILE *file;
  record **records;
  size_t record_count;
  cell *cells;
  size_t cell_count;
} bench;

static record *record_create(bench *b, const char *key, size_t count) {
  record *r = allocated(1, sizeof *r);
  b->records = realloc(b->records, (b->record_count + 1) * sizeof(record *));
  must(b->records != NULL, "not enough memory");
  b->records[b->record_count++] = r;
  snprintf(r->key, sizeof r->key, "%s", key);
  r->count = count;
  r->total = allocated(count, sizeof *r->total);
  r->cost = allocated(count, sizeof *r->cost);
  return r;
}

static const record *find_record(const bench *b, const char *key) {
  for (size_t i = 0; i < b->record_count; i++)
    if (strcmp(b->records[i]->key, key) == 0) return b->records[i];
  return NULL;
}

/* Lines of: key, tab, count, parts, pairs of total and cost. */
static void write_record(FILE *file, const record *r) {
  fprintf(file, "%s\t%zu", r->key, r->count);
  for (int i = 0; i < PARTS; i++) fprintf(file, " %.6g", r->parts[i]);
  for (size_t i = 0; i < r->count; i++) fprintf(file, " %.5g %.5g", r->total[i], r->cost[i]);
  fputc('\n', file);
  fflush(file);
}

static void read_records(bench *b, const char *path) {
  FILE *file = fopen(path, "a+");
  char *line = NULL;
  size_t room = 0;
  must(file != NULL, "the file cannot be written");
  rewind(file);
  while (getline(&line, &room, file) > 0) {
    char *tab = strchr(line, '\t');
    if (!tab || line[strlen(line) - 1] != '\n') continue; /* cut short: measured again */
    *tab = 0;
    char *at = tab + 1;
    record *r = record_create(b, line, strtoul(at, &at, 10));
    for (int i = 0; i < PARTS; i++) r->parts[i] = strtod(at, &at);
    for (size_t i = 0; i < r->count; i++) {
      r->total[i] = strtod(at, &at);
      r->cost[i] = strtod(at, &at);
    }
  }
  free(line);
  b->file = file;
}

static double mean(const double *values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += values[i];
  return sum / (double)count;
}

static double mean_total(const cell *c) {
  return mean(c->measured->total, c->measured->count);
}

static double mean_cost(const cell *c) {
  return mean(c->measured->cost, c->measured->count);
}

static bool inside(double value, double low, double high) {
  return value >= low && value <= high;
}

static double covered(const double *values, size_t count, double low, double high) {
  size_t within = 0;
  for (size_t i = 0; i < count; i++) within += inside(values[i], low, high);
  return (double)within / (double)count;
}

static void print_cell(const cell *c) {
  const sfm_forecast *f = &c->predicted;
  const record *r = c->measured;
  const double total = mean_total(c), cost = mean_cost(c);
  printf("%-34s %-32s%s %9.3g/%-9.3g %5.2f %c %3.0f %%  %9.3g/%-9.3g %5.2f %c  privacy %.3g/%.3g "
         "missed %.3g/%.3g sampling %.3g/%.3g smoothing %.3g/%.3g\n",
         c->group, strchr(r->key, '|') + 2, c->best ? " (auto)" : "", f->total, total,
         total / f->total, inside(total, f->low, f->high) ? ' ' : '!',
         100 * covered(r->total, r->count, f->low, f->high), f->cost, cost, cost / f->cost,
         inside(cost, f->cost_low, f->cost_high) ? ' ' : '!', f->privacy, r->parts[PRIVACY],
         f->truncation + f->aliasing, r->parts[MISSED], f->sampling, r->parts[SAMPLING],
         f->smoothing, r->parts[SMOOTHING]);
  fflush(stdout);
}

static void add_cell(bench *b, const cell *c) {
  b->cells = realloc(b->cells, (b->cell_count + 1) * sizeof *b->cells);
  must(b->cells != NULL, "not enough memory");
  b->cells[b->cell_count++] = *c;
  if (b->print_cells) print_cell(c);
}

/* ---- entries of plans ---- */

static const sfm_plan_parameter *parameter(const sfm_plan_entry *entry, const char *name) {
  for (size_t i = 0; i < entry->parameter_count; i++)
    if (strcmp(entry->parameters[i].name, name) == 0) return &entry->parameters[i];
  return NULL;
}

static const char *text_of(const sfm_plan_entry *entry, const char *name) {
  const sfm_plan_parameter *p = parameter(entry, name);
  return p && p->text ? p->text : "";
}

static bool says(const sfm_plan_entry *entry, const char *name, const char *text) {
  return strcmp(text_of(entry, name), text) == 0;
}

static double number_of(const sfm_plan_entry *entry, const char *name) {
  const sfm_plan_parameter *p = parameter(entry, name);
  return p && p->count ? p->numbers[0] : 0;
}

/* The method with the words that tell it from others of the same name. */
static void write_method(char *out, const char *family, const sfm_plan_entry *entry) {
  snprintf(out, NAME, "%s: %s", family, entry->method);
  static const char *const words[] = {"noise", "engine", "body"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const size_t length = strlen(out);
    if (*text_of(entry, words[i]) && !says(entry, words[i], entry->method))
      snprintf(out + length, NAME - length, " %s", text_of(entry, words[i]));
  }
}

/* The cell and all parameters: what was measured for it stays true whatever is predicted. */
static void write_key(char *out, const char *group, const sfm_plan_entry *entry) {
  size_t at = (size_t)snprintf(out, KEY, "%s | %s", group, entry->method);
  for (size_t i = 0; i < entry->parameter_count && at < KEY; i++) {
    const sfm_plan_parameter *p = &entry->parameters[i];
    at += (size_t)snprintf(out + at, KEY - at, " %s", p->name);
    for (size_t k = 0; k < p->count && at < KEY; k++)
      at += (size_t)snprintf(out + at, KEY - at, "%c%.6g", k ? ',' : '=', p->numbers[k]);
    if (p->text && at < KEY) at += (size_t)snprintf(out + at, KEY - at, "=%s", p->text);
  }
  must(at < KEY, "the parameters of an entry are too many to write");
}

/* ---- comparing functions ---- */

/* Where functions are compared, and the sums that parts of errors are made of. */
typedef struct tally {
  record *out;
  size_t points, done, sets, cleans;
  const double *weights, *truth;
  double *estimate, *clean; /* of these rows: without privacy; as released but for the noise */
  double *first, *second;   /* sums over sets of the estimate and its square */
} tally;

static void tally_init(tally *t, record *out, size_t points, const double *weights,
                       const double *truth) {
  *t = (tally){.out = out, .points = points, .weights = weights, .truth = truth};
  t->estimate = allocated(points, sizeof(double));
  t->clean = allocated(points, sizeof(double));
  t->first = allocated(points, sizeof(double));
  t->second = allocated(points, sizeof(double));
}

static double distance(const tally *t, const double *a, const double *b) {
  double sum = 0;
  for (size_t i = 0; i < t->points; i++) sum += t->weights[i] * (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/* The estimate of a new set of rows is there. */
static void tally_set(tally *t) {
  t->sets++;
  for (size_t i = 0; i < t->points; i++) {
    t->first[i] += t->estimate[i];
    t->second[i] += t->estimate[i] * t->estimate[i];
  }
}

/* And what would be released of it without noise. */
static void tally_clean(tally *t) {
  t->out->parts[MISSED] += distance(t, t->clean, t->estimate);
  t->cleans++;
}

static void tally_release(tally *t, const double *values) {
  record *r = t->out;
  r->total[t->done] = distance(t, values, t->truth);
  r->cost[t->done] = distance(t, values, t->estimate);
  r->parts[PRIVACY] += distance(t, values, t->clean);
  t->done++;
}

static void tally_end(tally *t) {
  record *r = t->out;
  const double sets = (double)t->sets;
  double bias = 0;
  for (size_t i = 0; i < t->points; i++) {
    const double center = t->first[i] / sets;
    r->parts[SAMPLING] += t->weights[i] * (t->second[i] / sets - center * center);
    bias += t->weights[i] * (center - t->truth[i]) * (center - t->truth[i]);
  }
  r->parts[SAMPLING] *= sets > 1 ? sets / (sets - 1) : NAN;
  r->parts[SMOOTHING] = bias - r->parts[SAMPLING] / sets;
  r->parts[PRIVACY] /= (double)t->done;
  r->parts[MISSED] /= (double)t->cleans;
  must(t->done == r->count, "not all releases were made");
  free(t->estimate);
  free(t->clean);
  free(t->first);
  free(t->second);
}

static void evaluate(double *values, const sfm_release *release, const size_t *counts) {
  sfm_error error;
  sfm_evaluator *evaluator = NULL;
  must_be_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  must_be_ok(sfm_evaluator_grid(evaluator, values, counts, &error), &error);
  sfm_evaluator_destroy(evaluator);
}

/* What repeats the library's steps must make the same of the same seed. */
static void must_agree(const double *mine, const double *librarys, size_t count) {
  double largest = 0, apart = 0;
  for (size_t i = 0; i < count; i++) {
    largest = fmax(largest, fabs(librarys[i]));
    apart = fmax(apart, fabs(mine[i] - librarys[i]));
  }
  must(apart <= 1e-9 * largest, "the steps repeated here are not those of the library");
}

/* ---- problems: a shape and rows drawn from it ---- */

typedef struct problem {
  const char *name;
  size_t dimension, n, sets;
  sfm_schema *schema;
  const sfm_shape *shape;
  sfmi_scene *scene;
  double *rows; /* sets x n x dimension */
} problem;

static sfm_schema *bounded(size_t dimension) {
  sfm_error error;
  sfm_schema *schema = NULL;
  must_be_ok(sfm_schema_create(&schema, &error), &error);
  for (size_t a = 0; a < dimension; a++)
    must_be_ok(sfm_schema_set_bounds(schema, COLUMNS[a], LOWER, UPPER, &error), &error);
  return schema;
}

static size_t sets_of(size_t n, size_t releases) {
  const size_t most = n <= 10000 ? releases : n <= 100000 ? 20 : 5;
  return most < releases ? most : releases;
}

static problem pose(const char *name, const sfm_shape *shape, size_t dimension, size_t n,
                    size_t sets) {
  const double lower[] = {LOWER, LOWER}, upper[] = {UPPER, UPPER};
  problem p = {name, dimension, n, sets, bounded(dimension), shape, NULL, NULL};
  sfm_error error;
  sfmi_prng prng;
  must_be_ok(sfmi_scene_create(&p.scene, shape, COLUMNS, dimension, lower, upper, &error), &error);
  p.rows = allocated(sets * n * dimension, sizeof *p.rows);
  sfmi_prng_init(&prng, 1000 * n + dimension);
  sfmi_scene_draw(p.scene, p.rows, sets * n, &prng);
  return p;
}

static void withdraw(problem *p) {
  sfm_schema_destroy(p->schema);
  sfmi_scene_destroy(p->scene);
  free(p->rows);
}

static sfm_rows *rows_of(const problem *p, size_t set) {
  sfm_error error;
  sfm_rows *rows = NULL;
  must_be_ok(sfm_rows_from_array(&rows, p->rows + set * p->n * p->dimension, p->n, p->dimension,
                                 COLUMNS, &error),
             &error);
  return rows;
}

/* A released density of two bumps. */
static sfm_release *make_pilot(void) {
  sfm_error error;
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  sfm_density_settings s = sfm_density_settings_default();
  sfm_schema *schema = bounded(1);
  double x[PILOT], bandwidth = 4;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 7);
  for (size_t i = 0; i < PILOT; i++)
    x[i] = i % 3 ? 30 + 6 * sfmi_prng_normal(&prng) : 68 + 9 * sfmi_prng_normal(&prng);
  s.schema = schema;
  s.columns = COLUMNS;
  s.dimension = 1;
  s.bandwidth = &bandwidth;
  s.epsilon = 1;
  s.seeded = true;
  s.seed = 7;
  must_be_ok(sfm_rows_from_array(&rows, x, PILOT, 1, COLUMNS, &error), &error);
  must_be_ok(sfm_density_release(&release, NULL, rows, &s, &error), &error);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  return release;
}

static const char *const SHAPE_NAMES[SHAPES] = {"normal", "uniform", "pilot"};

static sfm_shape *make_shape(int i) {
  static const char *const words[] = {"normal:40:12", "uniform"};
  sfm_error error;
  sfm_shape *shape = NULL;
  if (i < 2) {
    must_be_ok(sfm_shape_parse(&shape, words[i], 1, &error), &error);
    return shape;
  }
  sfm_release *pilot = make_pilot();
  must_be_ok(sfm_shape_from_release(&shape, pilot, &error), &error);
  sfm_release_destroy(pilot);
  return shape;
}

/* ---- estimates without privacy ---- */

/* The Gaussian estimate on GRID points, in one column: rows spread by cubic splines over a grid so
 * fine that what they alias is below 1e-8 of it, transformed, and smoothed. */
static void estimate_column(double *out, const double *rows, size_t n, double h,
                            sfm_boundary boundary) {
  const double width = UPPER - LOWER;
  const size_t fold = (size_t)ceil(32 * width / (GRID - 1) / h), cells = (GRID - 1) * fold;
  const double step = width / (double)cells;
  const size_t size = boundary == SFM_PERIODIC  ? cells
                      : boundary == SFM_REFLECT ? 2 * cells
                                                : sfmi_fft_size(cells + 4 + (size_t)(9 * h / step));
  sfm_error error;
  sfmi_fft *fft = NULL;
  must_be_ok(sfmi_fft_create(&fft, &size, 1, &error), &error);
  double complex *data = sfmi_fft_data(fft);
  for (size_t i = 0; i < n; i++)
    for (int mirrored = 0; mirrored < (boundary == SFM_REFLECT ? 2 : 1); mirrored++) {
      const double inner = (rows[i] - LOWER) / step, u = mirrored ? (double)size - inner : inner;
      const size_t k = (size_t)u;
      const double t = u - (double)k, s = 1 - t;
      data[(k + size - 1) % size] += s * s * s / 6;
      data[k % size] += (3 * t * t * t - 6 * t * t + 4) / 6;
      data[(k + 1) % size] += (3 * s * s * s - 6 * s * s + 4) / 6;
      data[(k + 2) % size] += t * t * t / 6;
    }
  sfmi_fft_forward(fft);
  for (size_t j = 0; j < size; j++) {
    const double u = (double)(j <= size / 2 ? j : size - j) / (double)size;
    const double z = M_PI * u, sinc = j ? sin(z) / z : 1, f = u / step;
    data[j] *= exp(-2 * M_PI * M_PI * f * f * h * h) / (sinc * sinc * sinc * sinc);
  }
  sfmi_fft_backward(fft);
  for (size_t i = 0; i < GRID; i++)
    out[i] = creal(data[i * fold % size]) / ((double)n * step * (double)size);
  sfmi_fft_destroy(fft);
}

static void check_estimate(void) {
  enum { ROWS = 50 };
  double rows[ROWS], got[GRID];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  for (size_t i = 0; i < ROWS; i++) rows[i] = UPPER * sfmi_prng_uniform(&prng);
  for (double h = 0.5; h < 100; h *= 4) {
    double apart = 0;
    estimate_column(got, rows, ROWS, h, SFM_OPEN);
    for (size_t k = 0; k < GRID; k++) {
      double sum = 0;
      for (size_t i = 0; i < ROWS; i++) {
        const double z = (UPPER * (double)k / (GRID - 1) - rows[i]) / h;
        sum += exp(-0.5 * z * z);
      }
      apart = fmax(apart, fabs(got[k] - sum / (ROWS * sqrt(2 * M_PI) * h)) * h);
    }
    must(apart < 1e-8, "the estimate without privacy is not accurate");
  }
}

/* In two columns, by exact sums. */
static void estimate_map(double *out, const double *rows, size_t n, const double *h) {
  double *x = allocated(2 * MAP, sizeof *x), *y = x + MAP;
  memset(out, 0, MAP * MAP * sizeof *out);
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < MAP; k++) {
      const double at = LOWER + (UPPER - LOWER) * (double)k / (MAP - 1);
      const double u = (at - rows[2 * i]) / h[0], v = (at - rows[2 * i + 1]) / h[1];
      x[k] = exp(-0.5 * u * u) / (2 * M_PI * h[0] * h[1] * (double)n);
      y[k] = exp(-0.5 * v * v);
    }
    for (size_t k = 0; k < MAP; k++)
      for (size_t l = 0; x[k] > 0 && l < MAP; l++) out[k * MAP + l] += x[k] * y[l];
  }
  free(x);
}

/* ---- densities ---- */

/* Points, their parts of an integral by the trapezoidal rule, and the shape there. */
typedef struct grid {
  size_t counts[2], points;
  double *weights, *truth;
} grid;

static grid lay_grid(const problem *p) {
  const size_t d = p->dimension, count = d == 1 ? GRID : MAP;
  grid g = {.counts = {count, count}, .points = d == 1 ? count : count * count};
  double *places = allocated(g.points * d, sizeof *places);
  g.weights = allocated(g.points, sizeof *g.weights);
  g.truth = allocated(g.points, sizeof *g.truth);
  for (size_t i = 0; i < g.points; i++) {
    g.weights[i] = 1;
    for (size_t a = 0, rest = i; a < d; a++, rest /= count) {
      const size_t k = rest % count;
      const double step = (UPPER - LOWER) / (double)(count - 1);
      places[i * d + (d - 1 - a)] = fmin(LOWER + step * (double)k, UPPER);
      g.weights[i] *= (k == 0 || k == count - 1 ? 0.5 : 1) * step;
    }
  }
  sfmi_scene_at(p->scene, g.truth, places, g.points);
  free(places);
  return g;
}

static void grid_clear(grid *g) {
  free(g->weights);
  free(g->truth);
}

/* The entry's own settings: what is an option of the verb. */
static sfm_density_settings narrowed(const sfm_density_settings *asked,
                                     const sfm_plan_entry *entry) {
  static const struct {
    const char *name;
    sfm_density_method method;
  } methods[] = {{"lattice", SFM_DENSITY_LATTICE},
                 {"gp", SFM_DENSITY_GP},
                 {"sobolev", SFM_DENSITY_SOBOLEV},
                 {"fourier-laplace", SFM_DENSITY_FOURIER_LAPLACE},
                 {"caratheodory", SFM_DENSITY_CARATHEODORY}};
  sfm_density_settings s = *asked;
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (strcmp(methods[i].name, entry->method) == 0) s.method = methods[i].method;
  must(s.method != SFM_DENSITY_AUTO, "a plan has a method that is not known here");
  if (says(entry, "noise", "laplace")) s.noise = SFM_DENSITY_NOISE_LAPLACE;
  if (says(entry, "noise", "normal")) s.noise = SFM_DENSITY_NOISE_NORMAL;
  if (says(entry, "engine", "random")) s.engine = SFM_ENGINE_RANDOM;
  if (says(entry, "body", "hull")) s.body = SFM_BODY_HULL;
  if (s.method == SFM_DENSITY_LATTICE && s.noise != SFM_DENSITY_NOISE_NORMAL) s.delta = 0;
  if (s.method == SFM_DENSITY_FOURIER_LAPLACE || s.method == SFM_DENSITY_CARATHEODORY) s.delta = 0;
  return s;
}

/* One release after another of the same settings. */
typedef struct maker {
  sfmi_making making;
  sfm_density_settings settings;
  sfmi_i128 *values; /* of the last rows read */
} maker;

static void maker_begin(maker *m, const sfm_density_settings *settings, sfm_rows *rows) {
  sfm_error error;
  m->settings = *settings;
  m->values = NULL;
  must_be_ok(sfmi_making_begin(&m->making, rows, &m->settings, 0, &error), &error);
}

static void maker_end(maker *m) {
  sfmi_making_clear(&m->making);
  free(m->values);
}

static void maker_read(maker *m, sfm_rows *rows) {
  sfm_error error;
  const sfmi_design *design = m->making.design;
  sfmi_i128 *sums = NULL;
  free(m->values);
  if (!sfmi_design_placed(design)) {
    must_be_ok(sfmi_density_integers(&m->values, design, &m->making.hardening, rows, &m->settings,
                                     &error),
               &error);
    return;
  }
  must_be_ok(sfmi_process_sums(&sums, &design->process, rows, &m->settings, &error), &error);
  must_be_ok(sfmi_process_values(&m->values, &design->process, &design->places, sums, &error),
             &error);
  sfmi_process_wipe(&sums, &design->process);
}

static double placed_unit(const maker *m) {
  return ldexp(m->making.release->sup, -SFMI_MASSES_BITS);
}

/* The release without its noise. */
static void maker_clean(maker *m) {
  sfm_release *release = m->making.release;
  const double unit =
      sfmi_design_placed(m->making.design) ? placed_unit(m) : m->making.hardening.step;
  for (size_t i = 0; i < release->length; i++) {
    if (release->hardened)
      release->integers[i] = (int64_t)m->values[i];
    else
      release->reals[i] = (double)m->values[i] * unit;
  }
}

static void maker_draw(maker *m) {
  sfm_error error;
  sfm_release *release = m->making.release;
  const size_t first = sfmi_density_public(m->making.design);
  if (m->making.placer)
    sfmi_placer_add_integers(m->making.placer, release->reals, m->values, placed_unit(m),
                             release->scale);
  else if (m->making.knorm)
    must_be_ok(sfmi_fourier_idealise(release, m->making.knorm, m->values, m->making.hardening.step,
                                     (sfmi_knorm_listener){0}, &error),
               &error);
  else {
    if (first) release->integers[0] = (int64_t)m->values[0];
    sfmi_hardener_add(m->making.hardener, release->integers + first, m->values + first,
                      release->length - first);
  }
}

/* The library's own release of the first set: as planned, and the same as the maker's. */
static void check_first(const problem *p, const sfm_density_settings *s,
                        const sfm_plan_entry *entry, const double *values, const grid *g) {
  sfm_error error;
  sfm_density_plan plan;
  sfm_release *release = NULL;
  sfm_rows *rows = rows_of(p, 0);
  double *librarys = allocated(g->points, sizeof *librarys);
  must_be_ok(sfm_density_release(&release, &plan, rows, s, &error), &error);
  const sfm_plan_parameter *h = parameter(entry, "bandwidth");
  for (size_t a = 0; h && a < h->count; a++)
    if (!(fabs(sfm_release_bandwidth(release, a) / h->numbers[a] - 1) < 1e-6))
      printf("! %s: planned with bandwidth %g, released with %g\n", entry->method, h->numbers[a],
             sfm_release_bandwidth(release, a));
  if (parameter(entry, "coefficients") &&
      number_of(entry, "coefficients") != (double)plan.coefficients)
    printf("! %s: planned %g coefficients, released %zu\n", entry->method,
           number_of(entry, "coefficients"), plan.coefficients);
  if (sfm_release_hardened(release) != entry->hardened)
    printf("! %s: planned as %shardened\n", entry->method, entry->hardened ? "" : "not ");
  evaluate(librarys, release, g->counts);
  must_agree(values, librarys, g->points);
  free(librarys);
  sfm_release_destroy(release);
  sfm_rows_destroy(rows);
}

static void fill_estimate(double *out, const problem *p, size_t set, const maker *m) {
  const double *rows = p->rows + set * p->n * p->dimension;
  const sfmi_design *design = m->making.design;
  if (p->dimension == 1)
    estimate_column(out, rows, p->n, design->bandwidth[0], design->boundary[0]);
  else
    estimate_map(out, rows, p->n, design->bandwidth);
}

static void measure_density(record *out, const problem *p, const sfm_density_settings *s,
                            const sfm_plan_entry *entry) {
  grid g = lay_grid(p);
  double *values = allocated(g.points, sizeof *values);
  const size_t sets = p->sets < out->count ? p->sets : out->count;
  /* Features are drawn anew for every release. */
  const bool anew = s->engine == SFM_ENGINE_RANDOM;
  sfm_density_settings mine = *s;
  sfm_rows *rows = NULL;
  size_t last = SIZE_MAX;
  maker m;
  tally t;
  tally_init(&t, out, g.points, g.weights, g.truth);
  for (size_t i = 0; i < out->count; i++) {
    const size_t set = i * sets / out->count;
    if (set != last) sfm_rows_destroy(rows);
    if (set != last) rows = rows_of(p, set);
    if (anew && i) maker_end(&m);
    mine.seed = s->seed + i;
    if (anew || i == 0) maker_begin(&m, &mine, rows);
    if (set != last) fill_estimate(t.estimate, p, set, &m);
    if (set != last) tally_set(&t);
    if (anew || set != last) {
      maker_read(&m, rows);
      maker_clean(&m);
      evaluate(t.clean, m.making.release, g.counts);
      tally_clean(&t);
    }
    maker_draw(&m);
    evaluate(values, m.making.release, g.counts);
    if (i == 0) check_first(p, s, entry, values, &g);
    tally_release(&t, values);
    last = set;
  }
  sfm_rows_destroy(rows);
  maker_end(&m);
  tally_end(&t);
  free(values);
  grid_clear(&g);
}

/* Random features take long. */
static size_t releases_of(const bench *b, const problem *p, const sfm_density_settings *s) {
  size_t releases = p->dimension > 1 && b->releases > MAPS ? MAPS : b->releases;
  if (s->engine == SFM_ENGINE_RANDOM && p->n > 1000)
    releases /= p->n <= 10000 ? 4 : p->n <= 100000 ? 10 : 40;
  return releases < 2 ? 2 : releases;
}

/* auto must be what the plan says is best. */
static void check_auto(const problem *p, const sfm_density_settings *s, const sfm_plan *plan) {
  sfm_error error;
  sfm_density_plan chosen;
  const size_t best = sfm_plan_best(plan);
  if (best == SIZE_MAX || s->method != SFM_DENSITY_AUTO) return;
  const sfm_plan_entry *entry = sfm_plan_at(plan, best);
  must_be_ok(sfm_density_choose(&chosen, s, p->n, &error), &error);
  if (fabs(chosen.total / entry->predicted.total - 1) > 1e-6)
    printf("! %s, n = %zu, epsilon %g: auto predicts %g, and the best of the plan, %s, %g\n",
           p->name, p->n, s->epsilon, chosen.total, entry->method, entry->predicted.total);
}

static void bench_plan(bench *b, const char *family, const problem *p,
                       const sfm_density_settings *s, const char *variant) {
  sfm_error error;
  sfm_plan *plan = NULL;
  cell c = {0};
  char key[KEY];
  must_be_ok(sfm_plan_density(&plan, s, p->n, &error), &error);
  check_auto(p, s, plan);
  snprintf(c.group, sizeof c.group, "%s %s %zu %g %s", family, p->name, p->n, s->epsilon, variant);
  for (size_t i = 0; i < sfm_plan_count(plan); i++) {
    const sfm_plan_entry *entry = sfm_plan_at(plan, i);
    if (entry->absent) continue;
    const sfm_density_settings mine = narrowed(s, entry);
    write_method(c.method, family, entry);
    write_key(key, c.group, entry);
    c.hardened = entry->hardened;
    c.best = i == sfm_plan_best(plan);
    c.predicted = entry->predicted;
    c.measured = find_record(b, key);
    if (!c.measured) {
      record *r = record_create(b, key, releases_of(b, p, &mine));
      measure_density(r, p, &mine, entry);
      if (b->file) write_record(b->file, r);
      c.measured = r;
    }
    add_cell(b, &c);
  }
  sfm_plan_destroy(plan);
}

static sfm_density_settings density_settings(const problem *p, double epsilon) {
  sfm_density_settings s = sfm_density_settings_default();
  s.schema = p->schema;
  s.columns = COLUMNS;
  s.dimension = p->dimension;
  s.shape = p->shape;
  s.epsilon = epsilon;
  s.delta = DELTA;
  s.seeded = true;
  s.seed = 1;
  return s;
}

static void bench_densities(bench *b) {
  static const size_t sizes[] = {100, 1000, 10000, 100000, 1000000};
  static const double stated = 4;
  for (int shape = 0; shape < SHAPES; shape++) {
    sfm_shape *guess = make_shape(shape);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      problem p = pose(SHAPE_NAMES[shape], guess, 1, sizes[i], sets_of(sizes[i], b->releases));
      for (int e = 0; e < EPSILON_COUNT; e++) {
        sfm_density_settings s = density_settings(&p, EPSILONS[e]);
        bench_plan(b, "density", &p, &s, "best");
        s.bandwidth = &stated;
        if (i % 2) bench_plan(b, "density", &p, &s, "4");
      }
      withdraw(&p);
    }
    sfm_shape_destroy(guess);
  }
}

/* Lattices that reflect and wrap. */
static void bench_edges(bench *b) {
  static const size_t sizes[] = {1000, 100000};
  static const sfm_boundary boundaries[] = {SFM_REFLECT, SFM_PERIODIC};
  for (int shape = 0; shape < SHAPES; shape++) {
    sfm_shape *guess = make_shape(shape);
    for (size_t i = 0; i < 2; i++) {
      problem p = pose(SHAPE_NAMES[shape], guess, 1, sizes[i], sets_of(sizes[i], b->releases));
      for (int e = 0; e < EPSILON_COUNT; e++)
        for (int k = 0; k < 2; k++) {
          sfm_density_settings s = density_settings(&p, EPSILONS[e]);
          s.boundary = &boundaries[k];
          s.method = SFM_DENSITY_LATTICE;
          bench_plan(b, "edge", &p, &s, sfm_boundary_name(boundaries[k]));
        }
      withdraw(&p);
    }
    sfm_shape_destroy(guess);
  }
}

static sfm_shape *make_map(void) {
  sfm_error error;
  sfm_shape *shape = NULL;
  must_be_ok(sfm_shape_parse(&shape, "normal:40:12,uniform", 2, &error), &error);
  return shape;
}

static void bench_maps(bench *b) {
  static const sfm_density_method methods[] = {SFM_DENSITY_LATTICE, SFM_DENSITY_GP,
                                               SFM_DENSITY_FOURIER_LAPLACE};
  sfm_shape *guess = make_map();
  problem p = pose("normal,uniform", guess, 2, 10000, b->releases < MAPS ? b->releases : MAPS);
  for (int e = 0; e < EPSILON_COUNT; e++)
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
      sfm_density_settings s = density_settings(&p, EPSILONS[e]);
      s.method = methods[k];
      if (s.method == SFM_DENSITY_GP) s.engine = SFM_ENGINE_SPECTRAL;
      bench_plan(b, "map", &p, &s, "best");
    }
  withdraw(&p);
  sfm_shape_destroy(guess);
}

/* The hull takes more than half a second a draw: one cell. */
static void bench_hull(bench *b) {
  sfm_shape *guess = make_shape(0);
  problem p = pose(SHAPE_NAMES[0], guess, 1, 1000, sets_of(1000, b->releases));
  sfm_density_settings s = density_settings(&p, 1);
  s.method = SFM_DENSITY_CARATHEODORY;
  s.body = SFM_BODY_HULL;
  s.terms = 6;
  bench_plan(b, "hull", &p, &s, "6");
  withdraw(&p);
  sfm_shape_destroy(guess);
}

/* ---- what it comes to ---- */

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef struct verdict {
  size_t cells, total, cost;
  double singles;
} verdict;

/* One method's line; all: adds to the verdict of all. */
static void summarise(const bench *b, const char *method, verdict *all) {
  double *ratios = allocated(b->cell_count, sizeof *ratios), singles = 0;
  size_t count = 0, total = 0, cost = 0;
  for (size_t i = 0; i < b->cell_count; i++) {
    const cell *c = &b->cells[i];
    const sfm_forecast *f = &c->predicted;
    if (strcmp(c->method, method) != 0) continue;
    ratios[count++] = mean_total(c) / f->total;
    total += inside(mean_total(c), f->low, f->high);
    cost += inside(mean_cost(c), f->cost_low, f->cost_high);
    singles += covered(c->measured->total, c->measured->count, f->low, f->high);
  }
  qsort(ratios, count, sizeof *ratios, ascending);
  printf("%-32s %5zu  %5zu %5zu  %6.2f %6.2f %6.2f  %5.1f %%\n", method, count, total, cost,
         ratios[0], ratios[count / 2], ratios[count - 1], 100 * singles / (double)count);
  all->cells += count;
  all->total += total;
  all->cost += cost;
  all->singles += singles;
  free(ratios);
}

static bool first_of(const bench *b, size_t i, bool groups) {
  const cell *c = &b->cells[i];
  for (size_t k = 0; k < i; k++)
    if (strcmp(groups ? b->cells[k].group : b->cells[k].method, groups ? c->group : c->method) == 0)
      return false;
  return true;
}

static void print_share(const char *what, size_t good, size_t all) {
  printf("%s: %zu of %zu (%.1f %%), wanted 95 %%\n", what, good, all,
         100 * (double)good / (double)all);
}

static void print_summary(const bench *b) {
  verdict all = {0};
  printf("\n%-32s %5s  %11s  %20s  %7s\n%-32s %5s  %5s %5s  %6s %6s %6s  %7s\n", "", "",
         "mean inside", "measured/predicted", "singles", "method", "cells", "total", "cost",
         "least", "median", "most", "inside");
  for (size_t i = 0; i < b->cell_count; i++)
    if (first_of(b, i, false)) summarise(b, b->cells[i].method, &all);
  printf("\n");
  print_share("mean total error inside the interval of one release, cells", all.total, all.cells);
  print_share("mean error against the estimate without privacy inside its interval, cells",
              all.cost, all.cells);
  printf("single releases inside the interval: %.1f %%, wanted about 95 %%\n",
         100 * all.singles / (double)all.cells);
}

/* The choice of auto in a group: its error over the least of any hardened method. */
static double regret(const bench *b, const char *group, double (*error)(const cell *),
                     const cell **best, const cell **chosen) {
  *best = *chosen = NULL;
  size_t hardened = 0;
  for (size_t i = 0; i < b->cell_count; i++) {
    const cell *c = &b->cells[i];
    if (strcmp(c->group, group) != 0 || !c->hardened) continue;
    hardened++;
    if (!*best || error(c) < error(*best)) *best = c;
    if (c->best) *chosen = c;
  }
  return *chosen && hardened > 1 ? error(*chosen) / error(*best) : NAN;
}

static void print_auto(const bench *b) {
  size_t groups = 0, total = 0, cost = 0;
  for (size_t i = 0; i < b->cell_count; i++) {
    const cell *best, *chosen;
    if (!first_of(b, i, true)) continue;
    const char *group = b->cells[i].group;
    cost += regret(b, group, mean_cost, &best, &chosen) <= 1.1;
    const double ratio = regret(b, group, mean_total, &best, &chosen);
    if (isnan(ratio)) continue;
    groups++;
    total += ratio <= 1.1;
    if (ratio > 1.1)
      printf("auto missed by %.2f: %s, chosen %s, best %s\n", ratio, group, chosen->method,
             best->method);
  }
  if (!groups) return;
  print_share("auto within 10 % of the best hardened method, total error, cells", total, groups);
  print_share("auto within 10 % of the best hardened method, against the estimate, cells", cost,
              groups);
}

/* ---- time ---- */

/* A plan with all that a report of it shows: its methods, bands, 60 what-ifs and best bandwidth. */
static double time_plan(size_t dimension, const sfm_shape *shape, double *planned) {
  sfm_error error;
  sfm_plan *plan = NULL;
  sfm_forecast f;
  double bandwidth[SFM_MAX_DIMENSION];
  sfm_schema *schema = bounded(dimension);
  const problem p = {.dimension = dimension, .schema = schema, .shape = shape};
  const sfm_density_settings s = density_settings(&p, 1);
  const double start = now();
  must_be_ok(sfm_plan_density(&plan, &s, 100000, &error), &error);
  *planned = now() - start;
  for (int i = 0; i < 30; i++) {
    must_be_ok(sfm_plan_forecast(plan, &f, floor(100 * pow(10, i / 6.0)), 1, &error), &error);
    must_be_ok(sfm_plan_forecast(plan, &f, 100000, 0.01 * pow(10, i / 7.5), &error), &error);
  }
  must_be_ok(sfm_plan_bandwidth(plan, bandwidth, &f, &error), &error);
  const double seconds = now() - start;
  sfm_plan_destroy(plan);
  sfm_schema_destroy(schema);
  return seconds;
}

static void bench_time(void) {
  sfm_shape *shapes[] = {make_shape(0), make_map()};
  for (size_t d = 1; d <= 2; d++) {
    double planned, without;
    const double seconds = time_plan(d, shapes[d - 1], &planned);
    const double free = time_plan(d, NULL, &without);
    printf("plan in %zu column%s, n = 10^5: %.3f s, with 60 what-ifs and the best bandwidth %.3f s "
           "(wanted under 1 s); for no shape in particular %.3f s and %.3f s\n",
           d, d > 1 ? "s" : "", planned, seconds, without, free);
    sfm_shape_destroy(shapes[d - 1]);
  }
}

int main(int count, char **words) {
  static const struct {
    const char *name;
    void (*run)(bench *);
  } parts[] = {{"densities", bench_densities},
               {"edges", bench_edges},
               {"maps", bench_maps},
               {"hull", bench_hull}};
  bench b = {.releases = 200};
  int at = 1;
  for (; at < count && words[at][0] == '-'; at++) {
    if (strcmp(words[at], "--cells") == 0)
      b.print_cells = true;
    else if (strcmp(words[at], "--file") == 0 && at + 1 < count)
      read_records(&b, words[++at]);
    else
      must(false, "usage: bench_forecasts [--cells] [--file FILE] [RELEASES [WHAT...]]");
  }
  if (at < count) b.releases = strtoul(words[at++], NULL, 10);
  must(b.releases >= 2, "at least 2 releases");
  check_estimate();
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    bool wanted = at >= count;
    for (int k = at; k < count; k++) wanted |= strcmp(words[k], parts[i].name) == 0;
    if (wanted) parts[i].run(&b);
  }
  if (b.cell_count) {
    print_summary(&b);
    print_auto(&b);
  }
  bool timed = at >= count;
  for (int k = at; k < count; k++) timed |= strcmp(words[k], "time") == 0;
  if (timed) bench_time();
  return 0;
}
