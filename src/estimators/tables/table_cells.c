#include "table_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "data/schema/category.h"

struct sfmi_table_cells {
  const sfmi_table_axis *axes;
  size_t count;
  sfm_outside outside;
  size_t slots[SFMI_TABLE_AXES_MAX];          /* the column of the batch behind each axis */
  const uint32_t *codes[SFMI_TABLE_AXES_MAX]; /* of the batch, or binned; NULL: texts */
  uint32_t *binned;                           /* room for the codes of every axis of bins */
  uint64_t *keys;
  const sfmi_batch *batch;
};

/* The number of axes of a kind. */
static size_t number_of(const sfmi_table_axis *axes, size_t count, sfmi_table_axis_kind kind) {
  size_t number = 0;
  for (size_t i = 0; i < count; i++) number += axes[i].kind == kind;
  return number;
}

sfm_status sfmi_table_cells_create(sfmi_table_cells **out, const sfmi_table_axis *axes,
                                   size_t count, sfm_outside outside, sfm_error *error) {
  sfmi_table_cells *cells = *out = sfmi_alloc(1, sizeof *cells);
  if (!cells) return sfmi_fail_memory(error);
  cells->axes = axes;
  cells->count = count;
  cells->outside = outside;
  for (size_t i = 0; i < count; i++) cells->slots[i] = number_of(axes, i, axes[i].kind);
  cells->binned = sfmi_alloc(number_of(axes, count, SFMI_TABLE_AXIS_BINS),
                             SFMI_BATCH_ROWS * sizeof *cells->binned);
  cells->keys = sfmi_alloc(SFMI_BATCH_ROWS, sizeof *cells->keys);
  if (cells->binned && cells->keys) return SFM_OK;
  sfmi_table_cells_destroy(cells);
  *out = NULL;
  return sfmi_fail_memory(error);
}

void sfmi_table_cells_destroy(sfmi_table_cells *cells) {
  if (!cells) return;
  const size_t bins = number_of(cells->axes, cells->count, SFMI_TABLE_AXIS_BINS);
  sfmi_wipe_free(cells->binned, bins * SFMI_BATCH_ROWS, sizeof *cells->binned);
  sfmi_wipe_free(cells->keys, SFMI_BATCH_ROWS, sizeof *cells->keys);
  free(cells);
}

static void bin_rows(uint32_t *codes, const sfmi_table_axis *axis, const double *values,
                     size_t rows, sfm_outside outside) {
  const sfmi_binning bins = {axis->lower, axis->upper, axis->size};
  for (size_t r = 0; r < rows; r++) {
    const double x = values[r];
    const bool below = x<bins.lower, above = x> bins.upper;
    if (isnan(x) || ((below || above) && outside == SFM_OUTSIDE_DROP))
      codes[r] = SFMI_NO_CATEGORY;
    else
      codes[r] = (uint32_t)(below ? 0 : above ? bins.size - 1 : sfmi_bin_of(&bins, x));
  }
}

void sfmi_table_cells_load(sfmi_table_cells *cells, const sfmi_batch *batch) {
  cells->batch = batch;
  for (size_t i = 0; i < cells->count; i++) {
    const sfmi_table_axis *axis = &cells->axes[i];
    const size_t first = cells->slots[i] * SFMI_BATCH_ROWS;
    if (axis->kind == SFMI_TABLE_AXIS_CATEGORIES) {
      cells->codes[i] = batch->codes + first;
    } else if (axis->kind == SFMI_TABLE_AXIS_BINS) {
      bin_rows(cells->binned + first, axis, batch->values + first, batch->rows, cells->outside);
      cells->codes[i] = cells->binned + first;
    }
  }
}

void sfmi_table_cells_keys(const sfmi_table_cells *cells, uint64_t *keys, uint64_t margin) {
  const size_t rows = cells->batch->rows;
  const uint8_t *keep = cells->batch->keep;
  for (size_t r = 0; r < rows; r++) keys[r] = keep[r] ? 0 : SFMI_NO_CELL;
  for (size_t i = 0; i < cells->count; i++) {
    if (!(margin >> i & 1)) continue;
    const uint64_t size = cells->axes[i].size;
    const uint32_t *codes = cells->codes[i];
    for (size_t r = 0; r < rows; r++) {
      const bool nowhere = codes[r] == SFMI_NO_CATEGORY || keys[r] == SFMI_NO_CELL;
      keys[r] = nowhere ? SFMI_NO_CELL : keys[r] * size + codes[r];
    }
  }
}

void sfmi_table_cells_count(sfmi_table_cells *cells, uint64_t *counts, const uint64_t *margins,
                            const size_t *starts, size_t margin_count) {
  uint64_t *keys = cells->keys;
  for (size_t m = 0; m < margin_count; m++) {
    sfmi_table_cells_keys(cells, keys, margins[m]);
    for (size_t r = 0; r < cells->batch->rows; r++)
      if (keys[r] != SFMI_NO_CELL) counts[starts[m] + keys[r]]++;
  }
}

/* Whether the text has control characters, which act on the terminal that prints it: C0, DEL, and
 * C1 as UTF-8 encodes them. */
static bool has_control(const char *text) {
  for (const unsigned char *c = (const unsigned char *)text; *c; c++)
    if (*c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0)) return true;
  return false;
}

/* Writes the text with its NUL; 0 when it is not counted. */
static size_t put_text(char *to, const sfmi_text *text) {
  if (text->length < 1 || text->length > SFMI_TEXT_MAX || memchr(text->text, 0, text->length))
    return 0;
  memcpy(to, text->text, text->length);
  to[text->length] = 0;
  return sfmi_utf8_valid(to) && !has_control(to) ? text->length + 1 : 0;
}

bool sfmi_table_tuple_holds(const char *tuple, size_t length, size_t axes) {
  for (size_t i = 0; i < axes; i++) {
    const char *end = memchr(tuple, 0, length);
    if (!end || !sfmi_utf8_valid(tuple) || has_control(tuple)) return false;
    const size_t used = (size_t)(end - tuple);
    if (used < 1 || used > SFMI_TEXT_MAX) return false;
    tuple = end + 1;
    length -= used + 1;
  }
  return length == 0;
}

/* What row r is in axis i. */
static size_t put_axis(const sfmi_table_cells *cells, char *to, size_t i, size_t r) {
  const sfmi_table_axis *axis = &cells->axes[i];
  if (axis->kind == SFMI_TABLE_AXIS_TEXTS)
    return put_text(to, &cells->batch->texts[cells->slots[i] * SFMI_BATCH_ROWS + r]);
  const uint32_t code = cells->codes[i][r];
  if (code == SFMI_NO_CATEGORY) return 0;
  if (axis->kind == SFMI_TABLE_AXIS_BINS) {
    const sfmi_binning bins = {axis->lower, axis->upper, axis->size};
    return sfmi_bin_label(&bins, to, SFMI_TEXT_MAX, code) + 1;
  }
  const sfmi_text label = {axis->labels[code], (uint32_t)strlen(axis->labels[code])};
  return put_text(to, &label);
}

size_t sfmi_table_cells_tuple(const sfmi_table_cells *cells, char tuple[SFMI_TUPLE_MAX], size_t r) {
  size_t used = 0;
  if (!cells->batch->keep[r]) return 0;
  for (size_t i = 0; i < cells->count; i++) {
    const size_t more = put_axis(cells, tuple + used, i, r);
    if (more == 0) return 0;
    used += more;
  }
  return used;
}
