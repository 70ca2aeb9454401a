#include "optimal_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/arena.h"
#include "base/math/lp.h"

/* ---- the program ----
 *
 * Columns: z; then M row by row, of which, when mirrored, M[i][j] = M[n-i][n-j] share one.  Rows:
 * sums; risks less z; ratios, as  a x - y <= 0  with a = e^-epsilon. */
typedef struct program {
  const sfmi_optimal *optimal;
  size_t n;
  bool mirrored;
  size_t half;  /* rows i of sums and risks */
  size_t cells; /* columns beside z */
  size_t rows, columns;
  /* Entries, by row, then sorted by column. */
  size_t count, room;
  struct entry {
    int row, column;
    double value;
  } * entries;
  double *objective, *row_lower, *row_upper, *values;
  int *starts, *indices;
  sfmi_arena arena;
} program;

/* Bayes with a prior that is not the same from both ends is not mirrored. */
static bool may_mirror(const sfmi_optimal *optimal) {
  if (!sfmi_optimal_symmetric(optimal->losses, optimal->n)) return false;
  for (size_t i = 0; optimal->objective == SFM_OPTIMAL_OBJECTIVE_BAYES && i <= optimal->n; i++)
    if (optimal->prior[i] != optimal->prior[optimal->n - i]) return false;
  return true;
}

static int column_of(const program *p, size_t i, size_t j) {
  const size_t size = p->n + 1, cell = i * size + j;
  return 1 + (int)(p->mirrored && cell >= p->cells ? size * size - 1 - cell : cell);
}

static void put(program *p, size_t row, int column, double value) {
  p->entries[p->count++] = (struct entry){(int)row, column, value};
}

static void state_sums(program *p) {
  for (size_t i = 0; i < p->half; i++, p->rows++) {
    for (size_t j = 0; j <= p->n; j++) put(p, p->rows, column_of(p, i, j), 1);
    p->row_lower[p->rows] = p->row_upper[p->rows] = 1;
  }
}

static void state_risks(program *p) {
  const sfmi_optimal *optimal = p->optimal;
  const double *loss = optimal->losses;
  if (optimal->objective == SFM_OPTIMAL_OBJECTIVE_BAYES) {
    for (size_t i = 0; i <= p->n; i++)
      for (size_t j = 0; j <= p->n; j++)
        p->objective[column_of(p, i, j)] += optimal->prior[i] * loss[i * (p->n + 1) + j];
    return;
  }
  p->objective[0] = 1;
  for (size_t i = 0; i < p->half; i++, p->rows++) {
    for (size_t j = 0; j <= p->n; j++)
      put(p, p->rows, column_of(p, i, j), loss[i * (p->n + 1) + j]);
    put(p, p->rows, 0, -1);
    p->row_lower[p->rows] = optimal->objective == SFM_OPTIMAL_OBJECTIVE_EQUALISER ? 0 : -INFINITY;
  }
}

static void state_ratio(program *p, int x, int y) {
  put(p, p->rows, x, exp(-p->optimal->epsilon));
  put(p, p->rows, y, -1);
  p->row_lower[p->rows++] = -INFINITY;
}

/* Of rows i and i+1; mirrored, those of n-i and n-i-1 are the same, and of the middle pair one is
 * the mirror image of the other. */
static void state_ratios(program *p) {
  const size_t pairs = p->mirrored ? (p->n + 1) / 2 : p->n;
  for (size_t i = 0; i < pairs; i++)
    for (size_t j = 0; j <= p->n; j++) {
      const int x = column_of(p, i, j), y = column_of(p, i + 1, j);
      if (x == y) continue; /* the middle entry, and its mirror image */
      state_ratio(p, x, y);
      if (!p->mirrored || 2 * i + 1 != p->n) state_ratio(p, y, x);
    }
}

static int by_place(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  if (a->column != b->column) return a->column < b->column ? -1 : 1;
  return (a->row > b->row) - (a->row < b->row);
}

/* Entries as the solver wants them: by column, those of one place added up. */
static void sort_entries(program *p) {
  qsort(p->entries, p->count, sizeof *p->entries, by_place);
  size_t kept = 0;
  for (size_t e = 0; e < p->count; e++) {
    const struct entry *entry = &p->entries[e];
    const bool again = e > 0 && by_place(entry, entry - 1) == 0;
    if (again) {
      p->values[kept - 1] += entry->value;
      continue;
    }
    p->values[kept] = entry->value;
    p->indices[kept++] = entry->row;
    p->starts[entry->column + 1] = (int)kept;
  }
  for (size_t c = 1; c <= p->columns; c++)
    if (p->starts[c] == 0) p->starts[c] = p->starts[c - 1];
}

static sfm_status program_init(program *p, const sfmi_optimal *optimal, sfm_error *error) {
  const size_t n = optimal->n, size = n + 1;
  const bool mirrored = may_mirror(optimal);
  *p = (program){.optimal = optimal, .n = n, .mirrored = mirrored};
  p->half = mirrored ? n / 2 + 1 : size;
  p->cells = mirrored ? (size * size + 1) / 2 : size * size;
  p->columns = p->cells + 1;
  const size_t most = 2 * size + 2 * n * size; /* rows */
  p->room = 2 * size * (size + 1) + 4 * n * size;
  p->entries = sfmi_arena_get(&p->arena, p->room, sizeof *p->entries);
  p->values = sfmi_arena_doubles(&p->arena, p->room);
  p->indices = sfmi_arena_get(&p->arena, p->room, sizeof *p->indices);
  p->starts = sfmi_arena_get(&p->arena, p->columns + 1, sizeof *p->starts);
  p->objective = sfmi_arena_doubles(&p->arena, p->columns);
  p->row_lower = sfmi_arena_doubles(&p->arena, most);
  p->row_upper = sfmi_arena_doubles(&p->arena, most);
  if (p->arena.failed) return sfmi_fail_memory(error);
  state_sums(p);
  state_risks(p);
  state_ratios(p);
  sort_entries(p);
  return SFM_OK;
}

sfm_status sfmi_optimal_table_solve(double *table, double *value, bool *feasible,
                                    const sfmi_optimal *optimal, sfm_error *error) {
  program p;
  sfmi_lp *lp = NULL;
  sfmi_lp_outcome outcome = SFMI_LP_OPTIMAL;
  sfm_status status = program_init(&p, optimal, error);
  if (!status)
    status = sfmi_lp_create(&lp,
                            &(sfmi_lp_problem){.rows = p.rows,
                                               .columns = p.columns,
                                               .objective = p.objective,
                                               .row_lower = p.row_lower,
                                               .row_upper = p.row_upper,
                                               .values = p.values,
                                               .starts = p.starts,
                                               .indices = p.indices},
                            error);
  if (!status) status = sfmi_lp_solve(lp, &outcome, error);
  if (!status && outcome == SFMI_LP_UNBOUNDED)
    status = sfmi_fail(error, SFM_INTERNAL, "the program of a mechanism was found to be unbounded");
  *feasible = outcome == SFMI_LP_OPTIMAL;
  if (!status && *feasible) {
    const double *x = sfmi_lp_solution(lp);
    *value = sfmi_lp_value(lp);
    for (size_t i = 0; i <= p.n; i++)
      for (size_t j = 0; j <= p.n; j++) table[i * (p.n + 1) + j] = x[column_of(&p, i, j)];
  }
  sfmi_lp_destroy(lp);
  sfmi_arena_clear(&p.arena);
  return status;
}

/* ---- the repair ---- */

/* The room that ratios keep below e^epsilon at first, and at most: relative. */
static const double ROOM = 0x1p-40, ROOM_MAX = 0x1p-20;
/* A uniform mechanism of v units keeps (e^epsilon - 1) v of room below e^epsilon, and rounding
 * needs 1 + e^epsilon of it: v is this, and to spare, divided by tanh(epsilon/2). */
static const double UNITS = 8;

/* The least table that is nowhere below the old one and keeps ratios within 1/a. */
static void raise_entries(double *table, size_t n, double a) {
  const size_t size = n + 1;
  for (size_t e = 0; e < size * size; e++) table[e] = fmax(table[e], 0);
  for (size_t e = size; e < size * size; e++) table[e] = fmax(table[e], a * table[e - size]);
  for (size_t e = n * size; e-- > 0;) table[e] = fmax(table[e], a * table[e + size]);
}

static double row_sum(const double *row, size_t n) {
  double sum = 0;
  for (size_t j = 0; j <= n; j++) sum += row[j];
  return sum;
}

/* Steps 2 and 3, and the division; sums has room for n+1. */
static void mix(double *table, const double *half, double *sums, size_t n, double epsilon,
                double room) {
  const size_t size = n + 1;
  double most = 0, lack = 0;
  for (size_t i = 0; i < size; i++) {
    sums[i] = row_sum(table + i * size, n);
    most = fmax(most, sums[i]);
  }
  for (size_t i = 0; i < size; i++) lack = fmax(lack, most - sums[i]);
  /* (lack + w) <= w e^(epsilon/2) / (1 + room) */
  const double w = lack / (expm1(epsilon / 2) - 2 * room);
  const double uniform = UNITS * 0x1p-62 / tanh(epsilon / 2);
  const double total = most + w + uniform * (double)size;
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j < size; j++) {
      double *entry = &table[i * size + j];
      *entry = (*entry + (most - sums[i] + w) * half[i * size + j] + uniform) / total;
    }
}

sfm_status sfmi_optimal_table_repair(sfmi_optimal *optimal, const double *table, sfm_error *error) {
  const size_t n = optimal->n, size = n + 1;
  sfmi_arena arena = {0};
  double *raised = sfmi_arena_doubles(&arena, size * size),
         *half = sfmi_arena_doubles(&arena, size * size), *sums = sfmi_arena_doubles(&arena, size);
  sfm_status status = raised && half && sums ? SFM_OK : sfmi_fail_memory(error);
  if (!status) sfmi_optimal_geometric(half, n, optimal->epsilon / 2);
  bool good = false;
  for (double room = ROOM; !status && !good && room <= ROOM_MAX; room *= 16) {
    memcpy(raised, table, size * size * sizeof *raised);
    raise_entries(raised, n, exp(-optimal->epsilon) * (1 + room));
    mix(raised, half, sums, n, optimal->epsilon, room);
    sfmi_optimal_round(optimal, raised);
    good = !sfmi_optimal_check(optimal, "the mechanism", NULL);
  }
  if (!status && !good)
    status = sfmi_fail(error, SFM_INTERNAL,
                       "the best table that was found could not be made exactly private");
  sfmi_arena_clear(&arena);
  return status;
}
