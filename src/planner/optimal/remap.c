#include "remap.h"

#include <math.h>
#include <string.h>

#include "base/system/arena.h"
#include "base/math/lp.h"

/* The program and its bound agree to this, relative: enough. */
static const double GAP = 1e-10;
/* A column that would lower the optimum by less, in the program's unit, is not worth adding. */
static const double WORTH = 1e-12;
/* Risks are equal when all that they differ by is less than this, relative. */
static const double EQUAL = 1e-7;
/* At most so many columns are added for every k at a time. */
enum { AT_ONCE = 3 };

typedef struct cell {
  size_t k, j;
  double scale; /* the column is divided by it, its variable is T[k][j] times it */
} cell;

/* Rows: a risk for each i < half, in units of `unit`, less z; then a sum for each k < half.
 * Columns: z; then cells, each T[k][j] and, when mirrored, the equal T[n-k][n-j]. */
typedef struct program {
  const sfmi_optimal *optimal;
  size_t n, half;
  bool mirrored, levelling; /* levelling: z is fixed and the sum of all risks maximised */
  double unit;
  double *geometric, *weights, *costs, *duals;
  bool *present; /* half x (n+1) */
  cell *cells;
  size_t count;  /* cells in the program */
  size_t staged; /* cells beyond them that are about to be added */
  sfmi_lp *lp;
  sfmi_arena arena;
} program;

static bool middle(const program *p, size_t i) {
  return 2 * i == p->n;
}

/* Whether the cell is its own mirror image. */
static bool alone(const program *p, size_t k, size_t j) {
  return !p->mirrored || (middle(p, k) && middle(p, j));
}

/* How many of a cell's entries are in row k of T. */
static double members(const program *p, size_t k, size_t j) {
  return p->mirrored && middle(p, k) && !middle(p, j) ? 2 : 1;
}

/* How many counts a row of the program stands for. */
static double counts(const program *p, size_t i) {
  return p->mirrored && !middle(p, i) ? 2 : 1;
}

static double coefficient(const program *p, size_t i, size_t k, size_t j) {
  const size_t n = p->n, size = n + 1;
  const double *g = p->geometric + i * size, *loss = p->optimal->losses + i * size;
  const double sum = g[k] * loss[j] + (alone(p, k, j) ? 0 : g[n - k] * loss[n - j]);
  return sum / p->unit;
}

/* ---- columns ---- */

static void stage(program *p, size_t k, size_t j) {
  if (p->mirrored && middle(p, k) && j > p->n - j) j = p->n - j;
  bool *present = &p->present[k * (p->n + 1) + j];
  if (*present) return;
  *present = true;
  p->cells[p->count + p->staged++] = (cell){k, j, 1};
}

/* Of a cell: its entries, one per row of risks and one in its sum, none above one: the solver takes
 * a variable of -1e-9 for zero, and an answer that costs a million times the optimum must not be
 * wrong by that.  Returns its objective when levelling. */
static double fill_cell(const program *p, double *values, int *indices, cell *c) {
  double sum = 0, most = 1;
  for (size_t i = 0; i < p->half; i++) {
    values[i] = coefficient(p, i, c->k, c->j);
    indices[i] = (int)i;
    most = fmax(most, values[i]);
    sum += counts(p, i) * values[i];
  }
  values[p->half] = members(p, c->k, c->j);
  indices[p->half] = (int)(p->half + c->k);
  for (size_t i = 0; i <= p->half; i++) values[i] /= most;
  c->scale = most;
  return -sum / most;
}

static sfm_status add_staged(program *p, sfm_error *error) {
  const size_t entries = p->half + 1;
  sfmi_arena arena = {0};
  double *values = sfmi_arena_doubles(&arena, p->staged * entries),
         *objective = sfmi_arena_doubles(&arena, p->staged);
  int *indices = sfmi_arena_get(&arena, p->staged * entries, sizeof *indices),
      *starts = sfmi_arena_get(&arena, p->staged + 1, sizeof *starts);
  sfm_status status = values && objective && indices && starts ? SFM_OK : sfmi_fail_memory(error);
  for (size_t c = 0; c < p->staged && !status; c++) {
    cell *added = &p->cells[p->count + c];
    const double growth = fill_cell(p, values + c * entries, indices + c * entries, added);
    objective[c] = p->levelling ? growth : 0;
    starts[c + 1] = (int)((c + 1) * entries);
  }
  if (!status)
    status = sfmi_lp_add_columns(p->lp, p->staged, objective, values, starts, indices, error);
  if (!status) p->count += p->staged;
  p->staged = 0;
  sfmi_arena_clear(&arena);
  return status;
}

/* ---- making the program ---- */

/* The worst risk of G itself: about the size of the optimum. */
static double first_unit(const program *p) {
  const size_t size = p->n + 1;
  double worst = 0;
  for (size_t i = 0; i < size; i++) {
    double risk = 0;
    for (size_t k = 0; k < size; k++)
      risk += p->geometric[i * size + k] * p->optimal->losses[i * size + k];
    worst = fmax(worst, risk);
  }
  return worst > 0 ? worst : 1;
}

/* The program with z alone. */
static sfm_status create_lp(program *p, sfm_error *error) {
  const size_t rows = 2 * p->half;
  double *lower = sfmi_arena_doubles(&p->arena, rows), *upper = sfmi_arena_doubles(&p->arena, rows),
         *values = sfmi_arena_doubles(&p->arena, p->half);
  int *indices = sfmi_arena_get(&p->arena, p->half, sizeof *indices);
  if (!lower || !upper || !values || !indices) return sfmi_fail_memory(error);
  for (size_t i = 0; i < p->half; i++) {
    lower[i] = -INFINITY;
    lower[p->half + i] = upper[p->half + i] = 1;
    values[i] = -1;
    indices[i] = (int)i;
  }
  const int starts[] = {0, (int)p->half};
  const double one = 1;
  return sfmi_lp_create(&p->lp,
                        &(sfmi_lp_problem){.balanced = true,
                                           .rows = rows,
                                           .columns = 1,
                                           .objective = &one,
                                           .row_lower = lower,
                                           .row_upper = upper,
                                           .values = values,
                                           .starts = starts,
                                           .indices = indices},
                        error);
}

static sfm_status program_init(program *p, const sfmi_optimal *optimal, sfm_error *error) {
  const size_t n = optimal->n, size = n + 1;
  const bool mirrored = sfmi_optimal_symmetric(optimal->losses, n);
  *p = (program){.optimal = optimal, .n = n, .mirrored = mirrored};
  p->half = mirrored ? n / 2 + 1 : size;
  p->geometric = sfmi_arena_doubles(&p->arena, size * size);
  p->costs = sfmi_arena_doubles(&p->arena, size * size);
  p->weights = sfmi_arena_doubles(&p->arena, size);
  p->duals = sfmi_arena_doubles(&p->arena, 2 * p->half);
  p->present = sfmi_arena_get(&p->arena, p->half * size, sizeof *p->present);
  p->cells = sfmi_arena_get(&p->arena, p->half * size, sizeof *p->cells);
  if (p->arena.failed) return sfmi_fail_memory(error);
  sfmi_optimal_geometric(p->geometric, n, optimal->epsilon);
  p->unit = first_unit(p);
  return create_lp(p, error);
}

static void program_clear(program *p) {
  sfmi_lp_destroy(p->lp);
  sfmi_arena_clear(&p->arena);
}

/* ---- solving ---- */

/* What the duals of the risks weigh every count with.  When levelling, weights may be negative. */
static void weigh(program *p) {
  sfmi_lp_duals(p->lp, p->duals);
  double sum = 0;
  for (size_t i = 0; i < p->half; i++) {
    double weight = fmax(-p->duals[i], 0);
    sum += weight;
    if (p->levelling) weight -= counts(p, i);
    p->weights[i] = weight / counts(p, i);
    if (p->mirrored) p->weights[p->n - i] = p->weights[i];
  }
  if (p->levelling) return;
  for (size_t i = 0; i <= p->n; i++) p->weights[i] /= sum;
}

/* The price of a unit of row k of T, in losses. */
static double price(const program *p, size_t k) {
  return p->unit * p->duals[p->half + k] / counts(p, k);
}

/* Where G says k, the answers that cost less than what is there; at most AT_ONCE,
 * the best first. */
static void stage_best(program *p, size_t k) {
  const double *costs = p->costs + k * (p->n + 1);
  double below = price(p, k) - WORTH * p->unit;
  size_t best[AT_ONCE], found = 0;
  for (size_t j = 0; j <= p->n; j++) {
    if (!(costs[j] < below)) continue;
    size_t place = found < AT_ONCE ? found++ : AT_ONCE - 1;
    for (; place > 0 && costs[j] < costs[best[place - 1]]; place--) best[place] = best[place - 1];
    best[place] = j;
    if (found == AT_ONCE) below = costs[best[AT_ONCE - 1]];
  }
  for (size_t c = 0; c < found; c++) stage(p, k, best[c]);
}

static double least_cost(const program *p) {
  double sum = 0;
  for (size_t k = 0; k <= p->n; k++) {
    double least = p->costs[k * (p->n + 1)];
    for (size_t j = 1; j <= p->n; j++) least = fmin(least, p->costs[k * (p->n + 1) + j]);
    sum += least;
  }
  return sum;
}

/* Solves with the columns there are, and stages those that are missing. */
static sfm_status step(program *p, sfm_error *error) {
  sfmi_lp_outcome outcome;
  sfm_status status = sfmi_lp_solve(p->lp, &outcome, error);
  if (!status && outcome != SFMI_LP_OPTIMAL)
    status =
        sfmi_fail(error, SFM_INTERNAL, "the program of a mechanism was found to have no optimum");
  if (status) return status;
  weigh(p);
  status = sfmi_optimal_costs(p->costs, p->geometric, p->optimal->losses, p->weights, p->n, error);
  for (size_t k = 0; k < p->half && !status; k++) stage_best(p, k);
  return status;
}

/* The answers nearest to what G said, and the best ones if every count were as likely. */
static sfm_status begin(program *p, sfm_error *error) {
  for (size_t i = 0; i <= p->n; i++) p->weights[i] = 1;
  sfm_status status =
      sfmi_optimal_costs(p->costs, p->geometric, p->optimal->losses, p->weights, p->n, error);
  for (size_t k = 0; k < p->half && !status; k++) {
    for (size_t j = k > 0 ? k - 1 : 0; j <= k + 1 && j <= p->n; j++) stage(p, k, j);
    size_t best = 0;
    for (size_t j = 1; j <= p->n; j++)
      if (p->costs[k * (p->n + 1) + j] < p->costs[k * (p->n + 1) + best]) best = j;
    stage(p, k, best);
  }
  return status ? status : add_staged(p, error);
}

static sfm_status minimise(program *p, sfmi_remap *remap, sfm_error *error) {
  sfm_status status = begin(p, error);
  remap->limit = 0;
  for (bool done = false; !done && !status;) {
    status = step(p, error);
    if (status) break;
    const double bound = least_cost(p);
    remap->value = sfmi_lp_value(p->lp) * p->unit;
    remap->rounds++;
    if (bound >= remap->limit) {
      remap->limit = bound;
      memcpy(remap->prior, p->weights, (p->n + 1) * sizeof *p->weights);
    }
    done = remap->value - remap->limit <= GAP * remap->value || p->staged == 0;
    if (!done) status = add_staged(p, error);
  }
  remap->columns = p->count;
  return status;
}

/* ---- equal risks ---- */

/* From now on z stays what it is, with some room for the solver, and risks grow. */
static sfm_status begin_levelling(program *p, double z, sfm_error *error) {
  const size_t columns = p->count + 1, entries = p->half + 1;
  sfmi_arena arena = {0};
  double *lower = sfmi_arena_doubles(&arena, columns), *upper = sfmi_arena_doubles(&arena, columns),
         *objective = sfmi_arena_doubles(&arena, columns),
         *values = sfmi_arena_doubles(&arena, entries);
  int *indices = sfmi_arena_get(&arena, entries, sizeof *indices);
  const bool good = lower && upper && objective && values && indices;
  /* Columns that were staged and not added will be found again. */
  for (; p->staged; p->staged--) {
    const size_t last = p->count + p->staged - 1;
    p->present[p->cells[last].k * (p->n + 1) + p->cells[last].j] = false;
  }
  if (good) {
    p->levelling = true;
    lower[0] = upper[0] = z * (1 + GAP);
    for (size_t c = 0; c < p->count; c++) {
      upper[c + 1] = INFINITY;
      objective[c + 1] = fill_cell(p, values, indices, &p->cells[c]);
    }
    sfmi_lp_set_columns(p->lp, lower, upper);
    sfmi_lp_set_objective(p->lp, objective);
  }
  sfmi_arena_clear(&arena);
  return good ? SFM_OK : sfmi_fail_memory(error);
}

static sfm_status level(program *p, sfmi_remap *remap, bool *equal, sfm_error *error) {
  const double z = remap->value / p->unit, whole = z * (double)(p->n + 1);
  sfm_status status = begin_levelling(p, z, error);
  for (*equal = false; !status;) {
    status = step(p, error);
    if (status) break;
    /* All risks are at most z: equal when their sum is as large as it can be. */
    *equal = whole + sfmi_lp_value(p->lp) <= EQUAL * z;
    remap->rounds++;
    if (*equal || p->staged == 0) break;
    status = add_staged(p, error);
  }
  remap->columns = p->count;
  return status;
}

/* ---- results ---- */

static void fill_table(const program *p, double *table) {
  const size_t n = p->n, size = n + 1;
  const double *x = sfmi_lp_solution(p->lp) + 1;
  memset(table, 0, size * size * sizeof *table);
  for (size_t c = 0; c < p->count; c++) {
    const size_t k = p->cells[c].k, j = p->cells[c].j;
    table[k * size + j] = x[c] / p->cells[c].scale;
    if (p->mirrored) table[(n - k) * size + (n - j)] = table[k * size + j];
  }
}

sfm_status sfmi_remap_minimax(sfmi_remap *remap, const sfmi_optimal *optimal, bool *equal,
                              sfm_error *error) {
  program p;
  remap->rounds = 0;
  sfm_status status = program_init(&p, optimal, error);
  if (!status) status = minimise(&p, remap, error);
  if (!status && equal) status = level(&p, remap, equal, error);
  if (!status) fill_table(&p, remap->table);
  program_clear(&p);
  return status;
}

sfm_status sfmi_remap_bayes(sfmi_remap *remap, const sfmi_optimal *optimal, sfm_error *error) {
  const size_t n = optimal->n, size = n + 1;
  sfmi_arena arena = {0};
  double *geometric = sfmi_arena_doubles(&arena, size * size),
         *costs = sfmi_arena_doubles(&arena, size * size);
  sfm_status status = geometric && costs ? SFM_OK : sfmi_fail_memory(error);
  if (!status) {
    sfmi_optimal_geometric(geometric, n, optimal->epsilon);
    status = sfmi_optimal_costs(costs, geometric, optimal->losses, optimal->prior, n, error);
  }
  remap->value = 0;
  for (size_t k = 0; k < size && !status; k++) {
    const double *row = costs + k * size;
    size_t best = k; /* of equally good answers what G said, or the first */
    for (size_t j = 0; j < size; j++)
      if (row[j] < row[best]) best = j;
    memset(remap->table + k * size, 0, size * sizeof *remap->table);
    remap->table[k * size + best] = 1;
    remap->value += row[best];
  }
  remap->limit = remap->value;
  sfmi_arena_clear(&arena);
  return status;
}
