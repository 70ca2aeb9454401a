/* densities.c - densities of one and two columns, and how long they are planned. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/math/fft/fft.h"
#include "mechanisms/functions/density_integers.h"
#include "mechanisms/functions/density_run.h"
#include "simulation.h"

enum {
  GRID = 1025, /* points of a density */
  MAP = 101,   /* of a map, either way */
  MAPS = 50,   /* releases of a map at most */
};

/* ---- estimates without privacy ---- */

/* The Gaussian estimate on GRID points, in one column: rows spread by cubic splines over a grid so
 * fine that what they alias is below 1e-8 of it, transformed, and smoothed. */
static void estimate_column(double *out, const double *rows, size_t n, double h,
                            sfm_boundary boundary) {
  const double width = UPPER - LOWER;
  const size_t fold = (size_t)ceil(32 * width / (GRID - 1) / h), cells = (GRID - 1) * fold;
  const double step = width / (double)cells;
  const size_t size = boundary == SFM_BOUNDARY_PERIODIC ? cells
                      : boundary == SFM_BOUNDARY_REFLECT
                          ? 2 * cells
                          : sfmi_fft_size(cells + 4 + (size_t)(9 * h / step));
  sfm_error error;
  sfmi_fft *fft = NULL;
  must_be_ok(sfmi_fft_create(&fft, &size, 1, &error), &error);
  double complex *data = sfmi_fft_data(fft);
  for (size_t i = 0; i < n; i++)
    for (int mirrored = 0; mirrored < (boundary == SFM_BOUNDARY_REFLECT ? 2 : 1); mirrored++) {
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

void check_estimate(void) {
  enum { ROWS = 50 };
  double rows[ROWS], got[GRID];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  for (size_t i = 0; i < ROWS; i++) rows[i] = UPPER * sfmi_prng_uniform(&prng);
  for (double h = 0.5; h < 100; h *= 4) {
    double apart = 0;
    estimate_column(got, rows, ROWS, h, SFM_BOUNDARY_OPEN);
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
  sfmi_shape_model_at(p->shape_model, g.truth, places, g.points);
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
  if (says(entry, "body", "hull")) s.body = SFM_DENSITY_BODY_HULL;
  if (s.method == SFM_DENSITY_LATTICE && s.noise != SFM_DENSITY_NOISE_NORMAL) s.delta = 0;
  if (s.method == SFM_DENSITY_FOURIER_LAPLACE || s.method == SFM_DENSITY_CARATHEODORY) s.delta = 0;
  return s;
}

/* One release after another of the same settings. */
typedef struct maker {
  sfmi_density_run run;
  sfm_density_settings settings;
} maker;

static void maker_begin(maker *m, const sfm_density_settings *settings, sfm_rows *rows) {
  sfm_error error;
  m->settings = *settings;
  m->run = sfmi_density_run_of(rows, &m->settings);
  must_be_ok(sfmi_density_run_prepare(&m->run, 0, &error), &error);
}

static void maker_end(maker *m) {
  sfmi_density_run_clear(&m->run);
}

static double placed_unit(const maker *m) {
  return ldexp(m->run.base.release->function->sup, -SFMI_KERNEL_SUM_BITS);
}

/* The release without its noise. */
static void maker_clean(maker *m) {
  sfm_release *release = m->run.base.release;
  const double unit =
      sfmi_design_density_placed(m->run.design) ? placed_unit(m) : m->run.hardening.step;
  for (size_t i = 0; i < release->length; i++) {
    if (release->hardened)
      release->integers[i] = (int64_t)m->run.sums[i];
    else
      release->reals[i] = (double)m->run.sums[i] * unit;
  }
}

static void maker_read(maker *m, sfm_rows *rows) {
  sfm_error error;
  free(m->run.sums);
  m->run.base.rows = rows;
  must_be_ok(sfmi_density_run_read(&m->run.base, &error), &error);
}

static void maker_draw(maker *m) {
  sfm_error error;
  must_be_ok(sfmi_density_run_draw(&m->run.base, &error), &error);
}

/* The library's own release of the first set: as planned, and the same as the maker's. */
static void check_first(const problem *p, const sfm_density_settings *s,
                        const sfm_plan_entry *entry, const double *values, const grid *g) {
  sfm_error error;
  sfm_density_choice plan;
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
  const sfmi_design_density *design = m->run.design;
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
  /* Features are drawn anew for every release; the bandwidth is not chosen anew. */
  const bool anew = s->engine == SFM_ENGINE_RANDOM;
  const sfm_plan_parameter *h = parameter(entry, "bandwidth");
  sfm_density_settings mine = *s;
  if (anew && h) mine.bandwidth = h->numbers;
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
    mine.context.seed = s->context.seed + i;
    if (anew || i == 0) maker_begin(&m, &mine, rows);
    if (set != last) fill_estimate(t.estimate, p, set, &m);
    if (set != last) tally_set(&t);
    if (anew || set != last) {
      maker_read(&m, rows);
      maker_clean(&m);
      evaluate(t.clean, m.run.base.release, g.counts);
      tally_clean(&t);
    }
    maker_draw(&m);
    evaluate(values, m.run.base.release, g.counts);
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
  sfm_density_choice chosen;
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
  for (size_t i = 0; i < sfm_plan_length(plan); i++) {
    const sfm_plan_entry *entry = sfm_plan_at(plan, i);
    /* The hull takes long to draw from: only where it is asked for. */
    if (entry->absent || (says(entry, "body", "hull") && s->body != SFM_DENSITY_BODY_HULL))
      continue;
    sfm_density_settings mine = narrowed(s, entry);
    write_key(key, c.group, entry);
    if (!wanted(b, key)) continue;
    mine.context.seed = seed_of(key);
    plan_cell(&c, plan, i, family);
    c.measured = find_record(b, key);
    if (!c.measured) {
      record *r = record_create(b, key, releases_of(b, p, &mine));
      measure_density(r, p, &mine, entry);
      c.measured = keep_record(b, r);
    }
    add_cell(b, &c);
  }
  sfm_plan_destroy(plan);
}

static sfm_density_settings density_settings(const problem *p, double epsilon) {
  sfm_density_settings s = sfm_density_settings_default();
  s.context.schema = p->schema;
  s.columns = COLUMNS;
  s.dimension = p->dimension;
  s.shape = p->shape;
  s.epsilon = epsilon;
  s.delta = DELTA;
  s.context.seeded = true;
  return s;
}

void bench_densities(bench *b) {
  static const size_t sizes[] = {100, 1000, 10000, 100000, 1000000};
  static const double stated = 4;
  for (int shape = 0; shape < SHAPES; shape++) {
    sfm_shape *guess = make_shape(shape);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      problem p =
          problem_init(SHAPE_NAMES[shape], guess, 1, sizes[i], sets_of(sizes[i], b->releases));
      for (int e = 0; e < EPSILON_COUNT; e++) {
        sfm_density_settings s = density_settings(&p, EPSILONS[e]);
        bench_plan(b, "density", &p, &s, "best");
        s.bandwidth = &stated;
        if (i % 2) bench_plan(b, "density", &p, &s, "4");
        s.method = SFM_DENSITY_GP;
        s.engine = SFM_ENGINE_RANDOM;
        if (p.n <= 10000 || EPSILONS[e] == 1) bench_plan(b, "random", &p, &s, "4");
      }
      problem_clear(&p);
    }
    sfm_shape_destroy(guess);
  }
}

/* Bounds that reflect and wrap. */
void bench_edges(bench *b) {
  static const size_t sizes[] = {1000, 100000};
  static const sfm_boundary boundaries[] = {SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_PERIODIC};
  for (int shape = 0; shape < SHAPES; shape++) {
    sfm_shape *guess = make_shape(shape);
    for (size_t i = 0; i < 2; i++) {
      problem p =
          problem_init(SHAPE_NAMES[shape], guess, 1, sizes[i], sets_of(sizes[i], b->releases));
      for (int e = 0; e < EPSILON_COUNT; e++)
        for (int k = 0; k < 2; k++) {
          sfm_density_settings s = density_settings(&p, EPSILONS[e]);
          s.boundary = &boundaries[k];
          bench_plan(b, "edge", &p, &s, sfm_boundary_name(boundaries[k]));
        }
      problem_clear(&p);
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

void bench_maps(bench *b) {
  sfm_shape *guess = make_map();
  problem p =
      problem_init("normal,uniform", guess, 2, 10000, b->releases < MAPS ? b->releases : MAPS);
  for (int e = 0; e < EPSILON_COUNT; e++) {
    const sfm_density_settings s = density_settings(&p, EPSILONS[e]);
    bench_plan(b, "map", &p, &s, "best");
  }
  problem_clear(&p);
  sfm_shape_destroy(guess);
}

/* More than half a second a draw: one cell. */
void bench_hull(bench *b) {
  sfm_shape *guess = make_shape(0);
  problem p = problem_init(SHAPE_NAMES[0], guess, 1, 1000, sets_of(1000, b->releases));
  sfm_density_settings s = density_settings(&p, 1);
  s.method = SFM_DENSITY_CARATHEODORY;
  s.body = SFM_DENSITY_BODY_HULL;
  s.terms = 6;
  bench_plan(b, "hull", &p, &s, "6");
  problem_clear(&p);
  sfm_shape_destroy(guess);
}

/* ---- time ---- */

/* Of this process's processors: machines are busy. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

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

void bench_time(void) {
  sfm_shape *shapes[] = {make_shape(0), make_map()};
  for (size_t d = 1; d <= 2; d++) {
    double planned, without;
    const double seconds = time_plan(d, shapes[d - 1], &planned);
    const double free = time_plan(d, NULL, &without);
    printf("plan in %zu column%s, n = 10^5, processor time: %.3f s, with 60 what-ifs and the best "
           "bandwidth %.3f s "
           "(wanted under 1 s); for no shape in particular %.3f s and %.3f s\n",
           d, d > 1 ? "s" : "", planned, seconds, without, free);
    sfm_shape_destroy(shapes[d - 1]);
  }
}
