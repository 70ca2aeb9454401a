#include "frequency_sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/system/thread_pool.h"

enum { TILE = 32, GROUP = SFMI_TURNS_GROUP, LINE = 64 };

#define SIMD_LOOPS "estimators/sums/frequency_sums_simd.h"
#include "base/system/simd_kinds.h"

typedef struct loops {
  void (*sums)(uint64_t sums[2 * GROUP], const double *tiles, size_t count, const double *turns,
               size_t d);
  void (*values)(double values[TILE], const double *tile, const double *turns,
                 const double *weights, size_t groups, size_t d);
} loops;

static const loops KINDS[] = {
    {plain_sums, plain_values},
#if defined(__x86_64__)
    {avx2_sums, avx2_values},
    {avx512_sums, avx512_values},
#endif
};

struct sfmi_frequency_sums {
  const sfmi_basis *basis;
  const double *turns;
  size_t dimension, groups, threads;
  double middle[SFM_MAX_DIMENSION];
  loops loops;
  double *tiles; /* SFMI_BATCH_ROWS rows, in bandwidths from the middle; LINE-aligned */
};

bool sfmi_frequency_sums_use(sfmi_frequency_sums *frequencies, int kind) {
  if (!sfmi_processor_is(kind)) return false;
  frequencies->loops = KINDS[kind];
  return true;
}

sfm_status sfmi_frequency_sums_create(sfmi_frequency_sums **out, const sfmi_basis *basis,
                                      size_t threads, sfm_error *error) {
  *out = NULL;
  sfmi_frequency_sums *frequencies = sfmi_alloc(1, sizeof *frequencies);
  if (!frequencies) return sfmi_fail_memory(error);
  frequencies->basis = basis;
  frequencies->turns = sfmi_random_basis_turns(basis);
  frequencies->dimension = basis->dimension;
  frequencies->groups = (sfmi_random_basis_frequencies(basis) + GROUP - 1) / GROUP;
  frequencies->threads = sfmi_thread_count(threads, SFMI_THREAD_POOL_MAX);
  for (size_t a = 0; a < basis->dimension; a++)
    frequencies->middle[a] = sfmi_random_basis_middle(basis, a);
  frequencies->loops = KINDS[sfmi_processor_best()];
  frequencies->tiles =
      aligned_alloc(LINE, SFMI_BATCH_ROWS * basis->dimension * sizeof *frequencies->tiles);
  if (!frequencies->tiles) {
    free(frequencies);
    return sfmi_fail_memory(error);
  }
  *out = frequencies;
  return SFM_OK;
}

void sfmi_frequency_sums_destroy(sfmi_frequency_sums *frequencies) {
  if (!frequencies) return;
  sfmi_wipe_free(frequencies->tiles, SFMI_BATCH_ROWS * frequencies->dimension,
                 sizeof *frequencies->tiles);
  free(frequencies);
}

/* Where the number of a row and an axis lies in the tiles. */
static size_t place(size_t d, size_t row, size_t a) {
  return (row / TILE * d + a) * TILE + row % TILE;
}

/* In bandwidths from the middle. */
static double measured(const sfmi_frequency_sums *frequencies, size_t a, double x) {
  return (x - frequencies->middle[a]) / frequencies->basis->bandwidth[a];
}

/* Fills the last of so many rows' tiles up with rows in the middle. */
static void fill_up(double *tiles, size_t rows, size_t d) {
  for (size_t row = rows; row % TILE != 0; row++)
    for (size_t a = 0; a < d; a++) tiles[place(d, row, a)] = 0;
}

/* The kept rows of a batch, one after the other; returns how many. */
static size_t pack(sfmi_frequency_sums *frequencies, const sfmi_batch *batch) {
  const size_t d = frequencies->dimension;
  size_t kept = 0;
  for (size_t a = 0; a < d; a++) {
    const double *column = batch->values + a * SFMI_BATCH_ROWS;
    kept = 0;
    for (size_t r = 0; r < batch->rows; r++)
      if (batch->keep[r])
        frequencies->tiles[place(d, kept++, a)] = measured(frequencies, a, column[r]);
  }
  fill_up(frequencies->tiles, kept, d);
  return kept;
}

/* Does items first to last - 1 of a job. */
typedef void do_items(const void *job, size_t first, size_t last);

typedef struct shared_job {
  do_items *body;
  const void *job;
  size_t items;
} shared_job;

static void do_share(void *context, size_t share, size_t shares) {
  const shared_job *s = context;
  s->body(s->job, share * s->items / shares, (share + 1) * s->items / shares);
}

/* Additions and multiplications worth a thread. */
static const double THREAD_WORK = 0x1p22;

/* Shares the items among as many threads as they are worth. */
static void in_threads(const sfmi_frequency_sums *frequencies, do_items *body, const void *job,
                       size_t items, double work) {
  size_t threads = frequencies->threads;
  while (threads > 1 && ((double)threads * THREAD_WORK > work || threads > items)) threads--;
  sfmi_threads_run(do_share, &(shared_job){body, job, items}, threads);
}

/* Of so many rows at every frequency. */
static double work_of(const sfmi_frequency_sums *frequencies, size_t rows) {
  return (double)rows * (double)(frequencies->groups * GROUP * (frequencies->dimension + 24));
}

typedef struct summing {
  const sfmi_frequency_sums *frequencies;
  sfmi_i128 *sums;
  size_t rows, tiles;
} summing;

/* Of the bits, take away what MAGIC put there, and the rows in the middle, whose phase is zero. */
static void add_group(const summing *s, size_t group, const uint64_t bits[2 * GROUP]) {
  const size_t functions = s->frequencies->basis->count, from = group * 2 * GROUP;
  const size_t tiled = s->tiles * TILE;
  const double magic = MAGIC;
  uint64_t each;
  memcpy(&each, &magic, sizeof each);
  for (size_t j = 0; j < 2 * GROUP && from + j < functions; j++) {
    uint64_t sum = bits[j] - tiled * each;
    if (j % 2 == 0) sum -= (uint64_t)(tiled - s->rows) << SFMI_FREQUENCY_SUMS_BITS;
    s->sums[from + j] += (int64_t)sum;
  }
}

/* Some of the groups. */
static void sum_groups(const void *job, size_t first, size_t last) {
  const summing *s = job;
  const sfmi_frequency_sums *frequencies = s->frequencies;
  const size_t d = frequencies->dimension;
  uint64_t bits[2 * GROUP];
  for (size_t g = first; g < last; g++) {
    frequencies->loops.sums(bits, frequencies->tiles, s->tiles, frequencies->turns + g * d * GROUP,
                            d);
    add_group(s, g, bits);
  }
  explicit_bzero(bits, sizeof bits);
}

void sfmi_frequency_sums_add(sfmi_frequency_sums *frequencies, sfmi_i128 *sums,
                             const sfmi_batch *batch) {
  const size_t rows = pack(frequencies, batch);
  const summing job = {frequencies, sums, rows, (rows + TILE - 1) / TILE};
  in_threads(frequencies, sum_groups, &job, frequencies->groups, work_of(frequencies, rows));
}

typedef struct evaluation {
  const sfmi_frequency_sums *frequencies;
  double *values, *squares;
  const double *weights, *points;
  size_t count, together;
} evaluation;

/* The points of one tile. */
static void evaluate_tile(const evaluation *e, size_t index) {
  const sfmi_frequency_sums *frequencies = e->frequencies;
  const size_t d = frequencies->dimension, start = index * TILE;
  const size_t rows = e->count - start < TILE ? e->count - start : TILE;
  _Alignas(LINE) double tile[TILE * SFM_MAX_DIMENSION];
  double sum[TILE] = {0}, square[TILE] = {0};
  for (size_t r = 0; r < rows; r++)
    for (size_t a = 0; a < d; a++)
      tile[place(d, r, a)] = measured(frequencies, a, e->points[(start + r) * d + a]);
  fill_up(tile, rows, d);
  for (size_t g = 0; g < frequencies->groups; g += e->together) {
    const size_t left = frequencies->groups - g, groups = left < e->together ? left : e->together;
    double part[TILE] = {0};
    frequencies->loops.values(part, tile, frequencies->turns + g * d * GROUP,
                              e->weights + g * 2 * GROUP, groups, d);
    for (size_t r = 0; r < TILE; r++) {
      sum[r] += part[r] / UNIT;
      square[r] += part[r] / UNIT * (part[r] / UNIT);
    }
  }
  memcpy(e->values + start, sum, rows * sizeof *sum);
  if (e->squares) memcpy(e->squares + start, square, rows * sizeof *square);
}

static void evaluate_tiles(const void *job, size_t first, size_t last) {
  for (size_t i = first; i < last; i++) evaluate_tile(job, i);
}

void sfmi_frequency_sums_at(const sfmi_frequency_sums *frequencies, double *values, double *squares,
                            const double *weights, const double *points, size_t count,
                            size_t together) {
  const evaluation job = {frequencies, values, squares, weights, points, count, together};
  in_threads(frequencies, evaluate_tiles, &job, (count + TILE - 1) / TILE,
             work_of(frequencies, count));
}
