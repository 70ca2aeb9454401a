/* examples_reader.c - a reading of cells or of sparse text, batch by batch:
 *
 *   batch -> per row: keep, label or class, nonzero coordinates u     (encode_*, one thread)
 *         -> features: CSR of nonzeros (sparse), u itself (monomials, kernel), floats (dense:
 * threads)
 *
 * A row without u or label has keep 0, no nonzeros, and zeros for floats. */
#include "examples_reader.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "base/system/progress.h"
#include "base/system/thread_pool.h"
#include "data/rows/cell_columns.h"
#include "data/schema/category.h"
#include "base/text/decimal.h"

enum { LINE = 64, FLOATS_A_LINE = LINE / sizeof(float), FIRST_ROOM = 4096 };

static bool is_number(double *value, const char *text, locale_t c) {
  char copy[64 + SFMI_DECIMAL_SLACK] = {0};
  const size_t length = strlen(text);
  if (length >= 64) return false;
  memcpy(copy, text, length);
  return sfmi_decimal_read(value, copy, length, c);
}

/* The labels as numbers, when all are numbers; else *values is NULL. */
static sfm_status label_values(double **values, const sfmi_examples_source *source,
                               sfm_error *error) {
  *values = sfmi_alloc(source->class_count, sizeof **values);
  sfm_status status = *values ? SFM_OK : sfmi_fail_memory(error);
  bool all = !status;
  for (size_t k = 0; all && k < source->class_count; k++)
    all = is_number(&(*values)[k], source->labels[k], sfmi_c_locale());
  if (!all) {
    free(*values);
    *values = NULL;
  }
  return status;
}

static sfm_status check_labels(const sfmi_examples_source *source, const double *values,
                               sfm_error *error) {
  if (!source->labels) {
    if (isfinite(source->lower) && isfinite(source->upper) && source->lower < source->upper &&
        isfinite(source->upper - source->lower))
      return SFM_OK;
    return sfmi_fail(error, SFM_INVALID,
                     "labels that are numbers need bounds, the lower one first: write "
                     "settings.label_lower = LOWER, label_upper = UPPER");
  }
  if (source->class_count < 2)
    return sfmi_fail(error, SFM_INVALID,
                     "there are at least two labels: write settings.labels = 'no|yes'");
  for (size_t i = 0; i < source->class_count; i++)
    for (size_t j = 0; j < i; j++)
      if (values ? values[i] == values[j] : strcmp(source->labels[i], source->labels[j]) == 0)
        return sfmi_fail(error, SFM_INVALID, "label '%.64s' is declared twice", source->labels[i]);
  return SFM_OK;
}

static sfm_status begin_sparse(sfm_rows *rows, const sfmi_examples_source *source,
                               const double *values, sfm_error *error) {
  const size_t there = sfmi_rows_dimension(rows), wanted = source->encoding->dimension;
  if (source->labels && !values)
    return sfmi_fail(
        error, SFM_INVALID,
        "the labels of libsvm text are numbers: declare them so, as in settings.labels = '-1|1'");
  if (there > 0 && there != wanted)
    return sfmi_fail(error, SFM_INVALID,
                     "the rows were opened with rows.dimension = %zu, and the machine has %zu "
                     "coordinates: write rows.dimension = %zu",
                     there, wanted, wanted);
  return sfmi_rows_begin_sparse(rows, source->schema, error);
}

static sfm_status begin_cells(sfm_rows *rows, const sfmi_examples_source *source,
                              const double *values, sfm_error *error) {
  const sfmi_encoding *encoding = source->encoding;
  const size_t count = encoding->input_count;
  sfmi_cell_column *columns = sfmi_alloc(count + 1, sizeof *columns);
  sfm_status status = columns ? SFM_OK : sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < count; i++) {
    const sfmi_input *input = &encoding->inputs[i];
    columns[i] =
        (sfmi_cell_column){input->name, input->categories ? SFMI_USE_CATEGORY : SFMI_USE_NUMBER,
                           (const char *const *)input->categories, input->category_count};
    if (strcmp(input->name, source->label) == 0)
      status = sfmi_fail(error, SFM_INVALID,
                         "column '%.64s' is the label and cannot be a feature as well: leave it "
                         "out of settings.features",
                         input->name);
  }
  sfmi_cell_use use = SFMI_USE_NUMBER;
  if (source->labels) use = values ? SFMI_USE_VALUE : SFMI_USE_CATEGORY;
  if (!status) {
    columns[count] = (sfmi_cell_column){source->label, use, source->labels, source->class_count};
    status = sfmi_rows_begin_cells(rows, source->schema, columns, count + 1, error);
  }
  free(columns);
  return status;
}

sfm_status sfmi_examples_begin(sfm_rows *rows, const sfmi_examples_source *source,
                               sfm_error *error) {
  double *values = NULL;
  sfm_status status = SFM_OK;
  if (source->labels) status = label_values(&values, source, error);
  if (!status) status = check_labels(source, values, error);
  if (!status && source->encoding->inputs && !source->label)
    status =
        sfmi_fail(error, SFM_INVALID, "no column holds the labels: write settings.label = COLUMN");
  if (!status)
    status = source->encoding->inputs ? begin_cells(rows, source, values, error)
                                      : begin_sparse(rows, source, values, error);
  free(values);
  return status;
}

/* The rows of one batch, encoded. */
typedef struct encoded {
  size_t rows;
  uint8_t keep[SFMI_BATCH_ROWS];
  double labels[SFMI_BATCH_ROWS];
  uint32_t classes[SFMI_BATCH_ROWS];
  size_t starts[SFMI_BATCH_ROWS + 1];
  uint32_t *indices;
  double *u;
  size_t room; /* of indices and u */
} encoded;

typedef struct reader {
  const sfmi_examples_source *source;
  const sfmi_feature_map *map;
  sfmi_examples *examples;
  size_t done;    /* rows of the examples that are there */
  size_t room;    /* nonzeros there is room for */
  double *values; /* of the labels, when they are numbers of sparse text */
  double *cells;  /* of one row */
  encoded *batch;
  sfmi_thread_pool *pool; /* dense */
} reader;

/* Room for `needed` items where there was room for *room, of which `used` are kept; the old memory
 * is wiped.  False when memory is short. */
static bool grow(uint32_t **indices, double **values, size_t *room, size_t used, size_t needed) {
  if (needed <= *room) return true;
  const size_t wanted = needed > 2 * *room ? needed : 2 * *room;
  uint32_t *more = sfmi_alloc(wanted, sizeof *more);
  double *larger = sfmi_alloc(wanted, sizeof *larger);
  if (!more || !larger) {
    free(more);
    free(larger);
    return false;
  }
  if (used > 0) {
    memcpy(more, *indices, used * sizeof *more);
    memcpy(larger, *values, used * sizeof *larger);
  }
  sfmi_wipe_free(*indices, *room, sizeof **indices);
  sfmi_wipe_free(*values, *room, sizeof **values);
  *indices = more;
  *values = larger;
  *room = wanted;
  return true;
}

/* Sets the label of a row from its class k or, below, from its number t; false when it has none. */
static bool take_class(const reader *w, size_t r, size_t k) {
  encoded *batch = w->batch;
  if (k >= w->source->class_count) return false;
  batch->classes[r] = (uint32_t)k;
  batch->labels[r] = w->source->class_count == 2 && k == 0 ? -1 : 1;
  return true;
}

static bool take_target(const reader *w, size_t r, double t) {
  const double lower = w->source->lower, upper = w->source->upper;
  if (!isfinite(t)) return false;
  if (w->source->encoding->drop && !(t >= lower && t <= upper)) return false;
  const double middle = lower / 2 + upper / 2, half = upper / 2 - lower / 2;
  const double scaled = (fmin(fmax(t, lower), upper) - middle) / half;
  w->batch->labels[r] = fmin(fmax(scaled, -1), 1);
  return true;
}

/* Row r has so many nonzeros, at the end of those of the batch, or SFMI_NO_ROW; and it has a label
 * or none. */
static void settle(encoded *batch, size_t r, size_t nonzeros, bool labelled) {
  const bool keep = labelled && nonzeros != SFMI_NO_ROW;
  batch->keep[r] = keep;
  batch->starts[r + 1] = batch->starts[r] + (keep ? nonzeros : 0);
  if (keep) return;
  batch->labels[r] = 0;
  batch->classes[r] = 0;
}

/* One row of cells: numbers and codes of the inputs, and the label behind them. */
static void encode_cells(reader *w, const sfmi_batch *cells, size_t r) {
  const sfmi_examples_source *source = w->source;
  const sfmi_encoding *encoding = source->encoding;
  encoded *batch = w->batch;
  size_t numbers = 0, codes = 0, nonzeros = SFMI_NO_ROW;
  bool labelled = false;
  for (size_t i = 0; i < encoding->input_count; i++) {
    if (!encoding->inputs[i].categories) {
      w->cells[i] = cells->values[numbers++ * cells->stride + r];
      continue;
    }
    const uint32_t code = cells->codes[codes++ * cells->stride + r];
    w->cells[i] = code == SFMI_NO_CATEGORY ? NAN : (double)code;
  }
  if (cells->keep[r]) {
    labelled = source->labels ? take_class(w, r, cells->codes[codes * cells->stride + r])
                              : take_target(w, r, cells->values[numbers * cells->stride + r]);
    nonzeros = sfmi_encoding_row(encoding, batch->indices + batch->starts[r],
                                 batch->u + batch->starts[r], w->cells);
  }
  settle(batch, r, nonzeros, labelled);
}

/* One row of sparse text, whose numbers are copied to their place first. */
static void encode_sparse(reader *w, const sfmi_sparse_batch *text, size_t r) {
  const sfmi_examples_source *source = w->source;
  encoded *batch = w->batch;
  const size_t from = text->starts[r], count = text->starts[r + 1] - from, to = batch->starts[r];
  size_t nonzeros = SFMI_NO_ROW;
  bool labelled = false;
  if (text->keep[r] && !source->labels) labelled = take_target(w, r, text->labels[r]);
  for (size_t k = 0; text->keep[r] && source->labels && k < source->class_count; k++)
    if (text->labels[r] == w->values[k]) labelled = take_class(w, r, k);
  if (labelled) {
    memcpy(batch->indices + to, text->indices + from, count * sizeof *batch->indices);
    memcpy(batch->u + to, text->values + from, count * sizeof *batch->u);
    nonzeros = sfmi_encoding_sparse(source->encoding, batch->indices + to, batch->u + to, count);
  }
  settle(batch, r, nonzeros, labelled);
}

/* The next batch of the rows, no more than `most` of it; *more is false after the last. */
static sfm_status next_batch(reader *w, bool *more, sfm_rows *rows, uint64_t most,
                             sfm_error *error) {
  encoded *batch = w->batch;
  const sfmi_encoding *encoding = w->source->encoding;
  const sfmi_batch *cells = NULL;
  const sfmi_sparse_batch *text = NULL;
  sfm_status status = encoding->inputs ? sfmi_rows_next(rows, &cells, error)
                                       : sfmi_rows_next_sparse(rows, &text, error);
  batch->rows = 0;
  *more = cells || text;
  if (status || !*more) return status;
  const size_t read = cells ? cells->rows : text->rows;
  const size_t nonzeros = cells ? read * encoding->input_count : text->starts[read];
  if (!grow(&batch->indices, &batch->u, &batch->room, 0, nonzeros)) return sfmi_fail_memory(error);
  batch->rows = read < most ? read : (size_t)most;
  for (size_t r = 0; r < batch->rows; r++) {
    if (cells)
      encode_cells(w, cells, r);
    else
      encode_sparse(w, text, r);
  }
  return SFM_OK;
}

/* Appends the coordinates, or the nonzero features, of the batch. */
static sfm_status append(reader *w, sfm_error *error) {
  const encoded *batch = w->batch;
  sfmi_examples *examples = w->examples;
  const bool features = examples->form == SFMI_EXAMPLES_SPARSE;
  for (size_t r = 0; r < batch->rows; r++) {
    const size_t from = batch->starts[r], count = batch->starts[r + 1] - from;
    const size_t most = features ? sfmi_feature_map_nonzeros(w->map, count) : count,
                 to = examples->nonzeros;
    if (batch->keep[r]) {
      if (!grow(&examples->indices, &examples->values, &w->room, to, to + most))
        return sfmi_fail_memory(error);
      if (features) {
        examples->nonzeros +=
            sfmi_feature_map_row(w->map, examples->indices + to, examples->values + to,
                                 batch->indices + from, batch->u + from, count);
      } else if (count > 0) {
        memcpy(examples->indices + to, batch->indices + from, count * sizeof *batch->indices);
        memcpy(examples->values + to, batch->u + from, count * sizeof *batch->u);
        examples->nonzeros += count;
      }
    }
    examples->starts[w->done + r + 1] = examples->nonzeros;
  }
  return SFM_OK;
}

/* A thread's part of the batch's rows, as floats. */
static void floats_share(void *context, size_t index, size_t size) {
  const reader *w = context;
  const encoded *batch = w->batch;
  const sfmi_examples *examples = w->examples;
  const size_t first = index * batch->rows / size, last = (index + 1) * batch->rows / size;
  float *phi = examples->dense + (w->done + first) * examples->stride;
  for (size_t r = first; r < last; r++)
    memset(examples->dense + (w->done + r) * examples->stride + examples->features, 0,
           (examples->stride - examples->features) * sizeof *phi);
  sfmi_feature_map_floats(w->map, phi, examples->stride, batch->starts + first, batch->indices,
                          batch->u, last - first);
  for (size_t r = first; r < last; r++)
    if (!batch->keep[r])
      memset(examples->dense + (w->done + r) * examples->stride, 0, examples->stride * sizeof *phi);
}

static sfm_status take_batch(reader *w, sfm_error *error) {
  const encoded *batch = w->batch;
  sfmi_examples *examples = w->examples;
  memcpy(examples->keep + w->done, batch->keep, batch->rows * sizeof *batch->keep);
  memcpy(examples->labels + w->done, batch->labels, batch->rows * sizeof *batch->labels);
  if (examples->classes)
    memcpy(examples->classes + w->done, batch->classes, batch->rows * sizeof *batch->classes);
  sfm_status status = SFM_OK;
  if (examples->form == SFMI_EXAMPLES_DENSE)
    sfmi_thread_pool_run(w->pool, floats_share, w);
  else
    status = append(w, error);
  w->done += batch->rows;
  return status;
}

/* Rows that were counted and not found contribute nothing. */
static void take_missing(reader *w) {
  sfmi_examples *examples = w->examples;
  for (; w->done < examples->rows; w->done++) {
    if (examples->starts) examples->starts[w->done + 1] = examples->nonzeros;
    if (examples->dense)
      memset(examples->dense + w->done * examples->stride, 0,
             examples->stride * sizeof *examples->dense);
  }
}

static size_t stride_of(const sfmi_feature_map *map) {
  return (map->count + FLOATS_A_LINE - 1) / FLOATS_A_LINE * FLOATS_A_LINE;
}

static bool too_many(uint64_t count, size_t stride) {
  return count > PTRDIFF_MAX / sizeof(double) / stride;
}

sfm_status sfmi_examples_fit_memory(const sfmi_feature_map *map, sfmi_examples_form form,
                                    uint64_t count, sfm_error *error) {
  if (form != SFMI_EXAMPLES_DENSE) return SFM_OK;
  const size_t stride = stride_of(map);
  const double size = (double)count * (double)stride * sizeof(float);
  void *volatile probe =
      NULL; /* volatile, since a compiler may leave out memory that is freed at once */
  if (!too_many(count, stride)) probe = malloc((size_t)count * stride * sizeof(float) + LINE);
  if (!probe)
    return sfmi_fail(
        error, SFM_MEMORY,
        "%llu rows of %zu features take %.3g GB of memory, which is more than there is: use fewer "
        "features, for example settings.method = rff, rff_features = 1000",
        (unsigned long long)count, map->count, size / 1e9);
  free(probe);
  return SFM_OK;
}

static sfm_status make_examples(reader *w, sfmi_examples_form form, uint64_t count,
                                sfm_error *error) {
  sfmi_examples *examples = w->examples = sfmi_alloc(1, sizeof *examples);
  if (!examples) return sfmi_fail_memory(error);
  const bool dense = form == SFMI_EXAMPLES_DENSE;
  const size_t features = w->map->count, stride = stride_of(w->map);
  if (too_many(count, dense ? stride : 1)) return sfmi_fail_memory(error);
  examples->form = form;
  examples->map = w->map;
  examples->rows = (size_t)count;
  examples->features = form == SFMI_EXAMPLES_KERNEL ? examples->rows : features;
  examples->keep = sfmi_alloc(examples->rows, sizeof *examples->keep);
  examples->labels = sfmi_alloc(examples->rows, sizeof *examples->labels);
  bool there = examples->keep && examples->labels;
  if (w->source->class_count > 2) {
    examples->classes = sfmi_alloc(examples->rows, sizeof *examples->classes);
    there = there && examples->classes;
  }
  if (dense) {
    const size_t size = examples->rows * stride * sizeof *examples->dense;
    examples->dense = aligned_alloc(LINE, size ? size : LINE);
    examples->stride = examples->dense ? stride : 0;
    there = there && examples->dense;
  } else {
    examples->starts = sfmi_alloc(examples->rows + 1, sizeof *examples->starts);
    there = there && examples->starts &&
            grow(&examples->indices, &examples->values, &w->room, 0, FIRST_ROOM);
  }
  return there ? SFM_OK : sfmi_fail_memory(error);
}

static sfm_status reader_init(reader *w, sfmi_examples_form form, uint64_t count, size_t threads,
                              sfm_error *error) {
  sfm_status status = make_examples(w, form, count, error);
  w->batch = sfmi_alloc(1, sizeof *w->batch);
  w->cells = sfmi_alloc(w->source->encoding->input_count, sizeof *w->cells);
  if (!status && (!w->batch || !w->cells)) status = sfmi_fail_memory(error);
  if (!status && form == SFMI_EXAMPLES_DENSE) {
    w->pool = sfmi_thread_pool_create(threads);
    if (!w->pool) status = sfmi_fail_memory(error);
  }
  if (!status && w->source->labels) status = label_values(&w->values, w->source, error);
  return status;
}

/* The scratch, wiped. */
static void reader_clear(reader *w) {
  sfmi_thread_pool_destroy(w->pool);
  if (w->batch) {
    sfmi_wipe_free(w->batch->indices, w->batch->room, sizeof *w->batch->indices);
    sfmi_wipe_free(w->batch->u, w->batch->room, sizeof *w->batch->u);
  }
  sfmi_wipe_free(w->batch, 1, sizeof *w->batch);
  sfmi_wipe_free(w->cells, w->source->encoding->input_count, sizeof *w->cells);
  free(w->values);
}

sfm_status sfmi_examples_read(sfmi_examples **out, sfm_rows *rows,
                              const sfmi_examples_source *source, const sfmi_feature_map *map,
                              sfmi_examples_form form, uint64_t count, const sfm_context *context,
                              sfm_error *error) {
  *out = NULL;
  reader w = {.source = source, .map = map};
  sfm_status status = reader_init(&w, form, count, context->threads, error);
  /* To the end of the rows, so that the fingerprint is that of all of them. */
  for (bool more = true; !status && more;) {
    status = next_batch(&w, &more, rows, count - w.done, error);
    if (!status && w.batch->rows > 0) status = take_batch(&w, error);
    if (!status && more)
      status =
          sfmi_progress(context, (sfm_progress){.stage = SFM_STAGE_READING, .done = w.done}, error);
  }
  if (!status) take_missing(&w);
  reader_clear(&w);
  if (status) {
    sfmi_examples_destroy(w.examples);
    return status;
  }
  *out = w.examples;
  return SFM_OK;
}
