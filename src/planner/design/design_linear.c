#include "design_linear.h"
#include "base/system/sized_struct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/linear_algebra.h"
#include "base/text/utf8.h"
#include "features/bodies/hit_and_run.h"

/* Most bits of an entry, and of the noise's scale in steps. */
enum { ENTRY_BITS = 40, ENTRY_LEAST = 8, SCALE_BITS = 48 };
/* Most pairs of columns, times queries, that are compared. */
static const double PAIRS_MOST = 1e9;

void sfm_linear_settings_init(sfm_linear_settings *settings, size_t size) {
  const sfm_linear_settings defaults = {.method = SFM_LINEAR_AUTO};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

sfm_status sfmi_linear_request_init(sfmi_linear_request *request, const sfm_linear_settings *given,
                                    sfm_error *error) {
  sfm_linear_settings taken;
  sfm_status status = SFMI_TAKE_PLAIN(sfm_linear_settings, &taken, given, error);
  if (status) return status;
  *request = (sfmi_linear_request){.matrix = taken.matrix,
                                   .queries = taken.queries,
                                   .cells = taken.cells,
                                   .names = taken.names,
                                   .method = taken.method};
  return SFMI_TAKE(sfm_histogram_settings, &request->table, taken.table, error);
}

sfmi_linear_request sfmi_design_linear_pure(const sfmi_linear_request *s) {
  sfmi_linear_request pure = *s;
  pure.table.delta = 0;
  pure.table.calibration = SFM_CALIBRATION_EXACT;
  return pure;
}

void sfmi_workload_clear(sfmi_workload *w) {
  free(w->entries);
  *w = (sfmi_workload){0};
}

/* Whether a file can hold the names. */
static sfm_status check_names(const sfmi_linear_request *s, sfm_error *error) {
  const size_t most = 1000000;
  size_t bytes = 0;
  for (size_t j = 0; s->names && j < s->queries; j++) {
    if (!sfmi_utf8_valid(s->names[j]))
      return sfmi_fail(error, SFM_INVALID,
                       "the name of query %zu is not UTF-8, as the release file must be; save the "
                       "matrix in UTF-8",
                       j + 1);
    bytes += strlen(s->names[j]) + 1;
    if (bytes > most)
      return sfmi_fail(error, SFM_INVALID,
                       "the names of the queries take more than %zu bytes together; shorten them, "
                       "or leave out the column `query`",
                       most);
  }
  return SFM_OK;
}

sfm_status sfmi_design_linear_check(sfmi_design_table *table_design, const sfmi_linear_request *s,
                                    sfm_error *error) {
  double largest = 0;
  sfm_histogram_settings table = s->table;
  *table_design = (sfmi_design_table){0};
  if (s->table.form != SFM_HISTOGRAM_DENSE || s->table.margins || s->table.gamma > 0)
    return sfmi_fail(error, SFM_INVALID,
                     "a linear map is of a whole dense table: leave out settings.form = sparse, "
                     "settings.margins and settings.gamma");
  if (!s->matrix || s->queries < 1 || s->cells < 1 ||
      s->queries > SFM_LINEAR_NUMBERS_MAX / s->cells)
    return sfmi_fail(
        error, SFM_INVALID,
        "a matrix has from 1 to %zu numbers, one row per query and one column per cell",
        SFM_LINEAR_NUMBERS_MAX);
  sfm_status status = check_names(s, error);
  /* Answers are many numbers, for which normal noise is better; a choice made for single cells does
   * not apply. */
  if (sfmi_design_table_noise_free(&table)) table.noise = SFM_HISTOGRAM_NOISE_NORMAL;
  if (!status) status = sfmi_design_table_init(table_design, &table, error);
  if (status) return status;
  if (table_design->length != s->cells)
    return sfmi_fail(error, SFM_INVALID,
                     "the matrix has %zu columns where the table has %zu cells: one column per "
                     "cell, in the order of the cells, the last of settings.columns fastest",
                     s->cells, table_design->length);
  for (size_t i = 0; i < s->queries * s->cells; i++) {
    if (!(fabs(s->matrix[i]) <= 1e100))
      return sfmi_fail(error, SFM_INVALID,
                       "row %zu of the matrix has no number of at most 1e100 in column %zu",
                       i / s->cells + 1, i % s->cells + 1);
    largest = fmax(largest, fabs(s->matrix[i]));
  }
  return largest >= 1e-100
             ? SFM_OK
             : sfmi_fail(error, SFM_INVALID,
                         "all numbers of the matrix are zero, and so are all its answers");
}

/* The exponent of the lowest bit of x != 0. */
static int lowest_bit(double x) {
  int exponent;
  const double part = frexp(fabs(x), &exponent); /* [1/2, 1) */
  const int64_t digits = (int64_t)ldexp(part, 53);
  return exponent - 53 + __builtin_ctzll((uint64_t)digits);
}

/* The step: coarse enough for the noise, and no finer than the entries are. */
static sfm_status choose_step(sfmi_workload *w, const sfmi_linear_request *s, double rate,
                              sfm_error *error) {
  double largest = 0;
  int low = INT32_MAX, high;
  for (size_t i = 0; i < s->queries * s->cells; i++) {
    const double x = s->matrix[i];
    largest = fmax(largest, fabs(x));
    if (x != 0 && lowest_bit(x) < low) low = lowest_bit(x);
  }
  const double k = sfm_schema_contributions(s->table.context.schema);
  const double spent = ceil(log2(2 * (double)s->queries * k / rate));
  const int bits = (int)fmin(ENTRY_BITS, SCALE_BITS - spent);
  if (bits < ENTRY_LEAST)
    return sfmi_fail(
        error, SFM_INVALID,
        "%zu answers at such an epsilon have more noise than integers of 64 bits hold; "
        "ask for fewer at a time, or allow a larger epsilon",
        s->queries);
  (void)frexp(largest, &high); /* largest < 2^high */
  w->rounded = high - low > bits;
  w->step = ldexp(1, w->rounded ? high - bits : low);
  return SFM_OK;
}

/* How far columns a and b (NULL: zero) are apart. */
static void measure(const int64_t *a, const int64_t *b, size_t count, uint64_t *l1,
                    sfmi_u128 *square) {
  *l1 = 0;
  *square = 0;
  for (size_t j = 0; j < count; j++) {
    const int64_t d = a[j] - (b ? b[j] : 0);
    const uint64_t size = (uint64_t)(d < 0 ? -d : d);
    *l1 += size;
    *square += (sfmi_u128)size * size;
  }
}

/* The largest of all distances seen. */
typedef struct reach {
  uint64_t l1;
  sfmi_u128 square;
} reach;

static void widen(reach *r, const int64_t *a, const int64_t *b, size_t count) {
  uint64_t l1;
  sfmi_u128 square;
  measure(a, b, count, &l1, &square);
  if (l1 > r->l1) r->l1 = l1;
  if (square > r->square) r->square = square;
}

typedef struct column {
  const int64_t *at;
  size_t size;
} column;

static int compare(const void *a, const void *b) {
  const column *one = a, *other = b;
  return memcmp(one->at, other->at, one->size * sizeof *one->at);
}

/* The columns, each once; returns how many. */
static size_t distinct(column *columns, const sfmi_workload *w) {
  size_t kept = 0;
  for (size_t c = 0; c < w->cells; c++)
    columns[c] = (column){w->entries + c * w->queries, w->queries};
  qsort(columns, w->cells, sizeof *columns, compare);
  for (size_t c = 0; c < w->cells; c++)
    if (kept == 0 || compare(&columns[kept - 1], &columns[c]) != 0) columns[kept++] = columns[c];
  return kept;
}

static void set_reach(sfmi_workload *w, const reach *r, double times) {
  /* Above the roundings of the conversions and the root. */
  w->l1 = (double)r->l1 * times * (1 + 0x1p-50);
  w->l2 = sqrt((double)r->square) * times * (1 + 0x1p-50);
}

/* An upper bound of all distances: twice the radius around the middle of all columns and zero, or
 * twice the largest norm. */
static sfm_status bound_pairs(sfmi_workload *w, const column *columns, size_t count,
                              sfm_error *error) {
  int64_t *middle = sfmi_alloc(w->queries, sizeof *middle);
  reach around = {0}, norm = {0};
  if (!middle) return sfmi_fail_memory(error);
  for (size_t j = 0; j < w->queries; j++) {
    int64_t low = 0, high = 0;
    for (size_t c = 0; c < count; c++) {
      low = columns[c].at[j] < low ? columns[c].at[j] : low;
      high = columns[c].at[j] > high ? columns[c].at[j] : high;
    }
    middle[j] = low + (high - low) / 2;
  }
  widen(&around, middle, NULL, w->queries);
  for (size_t c = 0; c < count; c++) {
    widen(&around, columns[c].at, middle, w->queries);
    widen(&norm, columns[c].at, NULL, w->queries);
  }
  const reach least = {around.l1 < norm.l1 ? around.l1 : norm.l1,
                       around.square < norm.square ? around.square : norm.square};
  set_reach(w, &least, 2);
  w->bounded = true;
  free(middle);
  return SFM_OK;
}

static sfm_status find_reach(sfmi_workload *w, bool replace, sfm_error *error) {
  column *columns = sfmi_alloc(w->cells, sizeof *columns);
  sfm_status status = SFM_OK;
  reach r = {0};
  if (!columns) return sfmi_fail_memory(error);
  const size_t count = distinct(columns, w);
  if (replace && 0.5 * (double)count * (double)count * (double)w->queries > PAIRS_MOST) {
    status = bound_pairs(w, columns, count, error);
  } else {
    for (size_t c = 0; c < count; c++) {
      widen(&r, columns[c].at, NULL, w->queries);
      for (size_t b = 0; replace && b < c; b++) widen(&r, columns[c].at, columns[b].at, w->queries);
    }
    set_reach(w, &r, 1);
  }
  free(columns);
  return status;
}

sfm_status sfmi_workload_init(sfmi_workload *w, const sfmi_linear_request *s, double rate,
                              sfm_error *error) {
  *w = (sfmi_workload){.queries = s->queries, .cells = s->cells};
  sfm_status status = choose_step(w, s, rate, error);
  if (status) return status;
  w->entries = sfmi_alloc(s->queries * s->cells, sizeof *w->entries);
  if (!w->entries) return sfmi_fail_memory(error);
  for (size_t j = 0; j < s->queries; j++)
    for (size_t c = 0; c < s->cells; c++)
      w->entries[c * s->queries + j] = llround(s->matrix[j * s->cells + c] / w->step);
  return find_reach(w, sfm_schema_neighbours(s->table.context.schema) == SFM_NEIGHBOURS_REPLACE,
                    error);
}

void sfmi_workload_apply(const sfmi_workload *w, sfmi_i128 *sums, const uint64_t *counts) {
  memset(sums, 0, w->queries * sizeof *sums);
  for (size_t c = 0; c < w->cells; c++) {
    const int64_t *moved = w->entries + c * w->queries;
    for (size_t j = 0; j < w->queries; j++) sums[j] += (sfmi_i128)counts[c] * moved[j];
  }
}

/* The distinct columns of the matrix, one after the other.  Returns how many; stops when they are
 * more than a body can have. */
static size_t gather(double *columns, const sfmi_linear_request *s) {
  size_t kept = 0;
  for (size_t c = 0; c < s->cells && kept <= SFMI_HIT_AND_RUN_POINTS_MAX; c++) {
    double *here = columns + kept * s->queries;
    bool known = false;
    for (size_t j = 0; j < s->queries; j++) here[j] = s->matrix[j * s->cells + c] + 0.0;
    for (size_t k = 0; !known && k < kept; k++)
      known = memcmp(columns + k * s->queries, here, s->queries * sizeof *here) == 0;
    kept += !known;
  }
  return kept;
}

/* Refuses answers of which one follows from the others: then the columns do not span
 * their space. */
static sfm_status check_span(const double *columns, size_t count, size_t queries,
                             sfm_error *error) {
  static const double FLAT = 1e-12; /* of squares of lengths */
  double *gram = sfmi_alloc(queries * queries, sizeof *gram),
         *values = sfmi_alloc(queries, sizeof *values);
  sfm_status status = gram && values ? SFM_OK : sfmi_fail_memory(error);
  for (size_t c = 0; !status && c < count; c++)
    for (size_t i = 0; i < queries; i++)
      for (size_t j = 0; j < queries; j++)
        gram[i * queries + j] += columns[c * queries + i] * columns[c * queries + j];
  if (!status) status = sfmi_symmetric_eigen(gram, values, queries, error);
  if (!status && values[0] <= FLAT * values[queries - 1])
    status = sfmi_fail(error, SFM_INVALID,
                       "one answer is a linear combination of the others, which k-norm noise does "
                       "not allow; leave it out of the matrix");
  free(values);
  free(gram);
  return status;
}

/* Whether the hull of all differences of so many columns is a body that one can walk in. */
static bool pairs_fit(size_t count, size_t queries) {
  const double pairs = 0.5 * (double)count * ((double)count + 1);
  return pairs <= (double)SFMI_HIT_AND_RUN_POINTS_MAX &&
         pairs * (double)queries * (double)queries <= (double)SFMI_HIT_AND_RUN_WORK_MAX;
}

/* Appends all differences of two columns behind the columns themselves. */
static size_t add_differences(double *columns, size_t count, size_t queries) {
  double *next = columns + count * queries;
  for (size_t a = 0; a < count; a++)
    for (size_t b = 0; b < a; b++, next += queries)
      for (size_t j = 0; j < queries; j++)
        next[j] = columns[a * queries + j] - columns[b * queries + j];
  return count + count * (count - 1) / 2;
}

/* All moves of one record.  Where there are too many differences the hull of the columns, twice as
 * large, holds them. */
static size_t list_moves(double *columns, size_t count, const sfmi_linear_request *s) {
  if (sfm_schema_neighbours(s->table.context.schema) != SFM_NEIGHBOURS_REPLACE) return count;
  if (pairs_fit(count, s->queries)) return add_differences(columns, count, s->queries);
  for (size_t i = 0; i < count * s->queries; i++) columns[i] *= 2;
  return count;
}

sfm_status sfmi_design_linear_body(sfm_vector_settings *vector, double **vertices,
                                   const sfmi_linear_request *s, sfm_error *error) {
  const sfm_schema *schema = s->table.context.schema;
  if (s->queries > SFMI_HIT_AND_RUN_DIMENSION_MAX)
    return sfmi_fail(error, SFM_INVALID, "k-norm noise is for at most %zu answers, not %zu",
                     SFMI_HIT_AND_RUN_DIMENSION_MAX, s->queries);
  *vertices = sfmi_alloc((SFMI_HIT_AND_RUN_POINTS_MAX + 1) * s->queries, sizeof **vertices);
  if (!*vertices) return sfmi_fail_memory(error);
  const size_t count = gather(*vertices, s);
  if (count > SFMI_HIT_AND_RUN_POINTS_MAX)
    return sfmi_fail(error, SFM_INVALID, "k-norm noise is for at most %zu columns that differ",
                     SFMI_HIT_AND_RUN_POINTS_MAX);
  const sfm_status status = check_span(*vertices, count, s->queries, error);
  if (status) return status;
  *vector = sfm_vector_settings_default();
  vector->norm = SFM_VECTOR_NORM_POLYTOPE;
  vector->noise = SFM_VECTOR_NOISE_KNORM;
  vector->vertices = *vertices;
  vector->vertex_count = list_moves(*vertices, count, s);
  vector->neighbours = sfm_schema_neighbours(schema);
  vector->contributions = sfm_schema_contributions(schema);
  vector->person = sfm_schema_person(schema);
  vector->epsilon = s->table.epsilon;
  vector->context.confidence = s->table.context.confidence;
  vector->context.seeded = s->table.context.seeded;
  vector->context.seed = s->table.context.seed;
  return SFM_OK;
}
